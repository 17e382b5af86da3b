/* SPDX-License-Identifier: MIT */
/*
 * Lists the providers of this computer, each with its titles, so that each can be asked on its own.
 * In one query for all objects, a provider that hangs would hide the objects of all others.
 */
#ifndef PRFDATA_READER_PROVIDERS_H
#define PRFDATA_READER_PROVIDERS_H

#include "block/title_set.h"

#define PRFDATA_PROVIDERS_CHARS 256 /* size of a service name, with its NUL */

/* Start with {0}. */
typedef struct prfdata_providers {
    uint32_t position;
    uint32_t lowest; /* lowest First Counter of the enabled services so far; 0: none */
    bool is_over;
} prfdata_providers;

/*
 * Find the next provider that is not disabled and whose titles are known. The system's own titles
 * come last.
 *
 * name   Room for the name of its service; empty: the system.
 * asked  {0}, or the result of the previous call; set.
 *
 * Returns whether there is one.
 */
bool prfdata_providers_next(prfdata_providers *providers, const prfdata_name_table *titles,
                            wchar_t name[PRFDATA_PROVIDERS_CHARS], prfdata_title_set *asked);

#endif
