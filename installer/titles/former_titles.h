/* SPDX-License-Identifier: MIT */
/*
 * The places where the titles of a service are, or were. A volatile key remembers until the system
 * ends what -Install registers: until then readers may run that have loaded its titles, even if
 * they were unloaded or lost. numbering.c decides what an installation does with it. Windows only.
 */
#ifndef PRFDATA_FORMER_TITLES_H
#define PRFDATA_FORMER_TITLES_H

#include "map/model.h"
#include "titles/service_key.h"
#include "titles/title_database.h"

/* {0}: nothing is known. */
typedef struct prfdata_former_titles {
    bool has_range;
    bool is_loaded; /* they are there, and -Install will unload them */
    prfdata_title_range range;
    void *maps; /* the value Maps that was remembered, or NULL */
    DWORD maps_size;
} prfdata_former_titles;

/*
 * Find where the titles are that are registered; if nobody knows that, what is remembered of them;
 * and if nothing is, what the numbers say.
 *
 * former  {0}; release it with prfdata_former_titles_free().
 * model   The registered map's; NULL: there is none, or it cannot be read.
 */
void prfdata_former_titles_find(prfdata_former_titles *former, const prfdata_service_key *key,
                                const prfdata_model *model);
void prfdata_former_titles_free(prfdata_former_titles *former);

/*
 * Remember where the registered titles are: after an installation, and before the first is unloaded
 * or a number of the range removed. A failure changes nothing.
 *
 * values  Of the Performance key: what says which id has which number is remembered as well.
 * model   The registered map's; NULL: it cannot be read, so the numbers stay those of before.
 */
void prfdata_former_titles_remember(const prfdata_service_key *key,
                                    const prfdata_value_list *values, const prfdata_model *model);

#endif
