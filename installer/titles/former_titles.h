/* SPDX-License-Identifier: MIT */
/*
 * Finds the indexes that the titles of a service have, or had. A volatile key remembers these
 * indexes until Windows restarts, because readers that have read the titles may run until then.
 * numbering.c decides how an installation uses the indexes. Windows only.
 */
#ifndef PRFDATA_FORMER_TITLES_H
#define PRFDATA_FORMER_TITLES_H

#include "map/model.h"
#include "titles/service_key.h"
#include "titles/title_database.h"

/* {0}: nothing is known. */
typedef struct prfdata_former_titles {
    bool has_range;
    bool is_loaded; /* the titles are loaded at `range` */
    prfdata_title_range range;
    void *maps; /* the remembered value Maps, or NULL */
    DWORD maps_size;
} prfdata_former_titles;

/*
 * Find the indexes of the registered titles. If the titles are not found, use the remembered
 * indexes. If no indexes are remembered, use the registered numbers.
 *
 * former  {0}; release it with prfdata_former_titles_free().
 * model   The model of the registered map; NULL if there is none or it cannot be read.
 */
void prfdata_former_titles_find(prfdata_former_titles *former, const prfdata_service_key *key,
                                const prfdata_model *model);
void prfdata_former_titles_free(prfdata_former_titles *former);

/*
 * Remember the indexes of the registered titles. Called after an installation, and before anything
 * unloads the titles or changes the registered numbers. A failure is ignored.
 *
 * values  The values of the Performance key. Their value Maps is remembered, too, because it says
 *         which id has which number.
 * model   The model of the registered map; NULL if that cannot be read. In that case the value Maps
 *         that was remembered before stays.
 */
void prfdata_former_titles_remember(const prfdata_service_key *key,
                                    const prfdata_value_list *values, const prfdata_model *model);

#endif
