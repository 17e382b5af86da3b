/* SPDX-License-Identifier: MIT */
/*
 * The providers of this computer, and what to ask for so that only one of them answers: asked for
 * all objects at once, one that hangs would hide those of all others.
 */
#ifndef PRFDATA_READER_PROVIDERS_H
#define PRFDATA_READER_PROVIDERS_H

#include "block/title_set.h"

#define PRFDATA_PROVIDERS_CHARS 256 /* of a service's name, with the NUL */

/* {0} is the beginning. */
typedef struct prfdata_providers {
    uint32_t position;
    uint32_t lowest; /* of the titles that services have; 0: none has any */
    bool is_over;
} prfdata_providers;

/*
 * Find the next provider whose titles are known; the last ones are the system's own.
 *
 * name   Room for the name of its service; empty: the system.
 * asked  {0}, or of the call before; set.
 *
 * Returns whether there is one.
 */
bool prfdata_providers_next(prfdata_providers *providers, const prfdata_name_table *titles,
                            wchar_t name[PRFDATA_PROVIDERS_CHARS], prfdata_title_set *asked);

#endif
