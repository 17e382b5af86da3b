/* SPDX-License-Identifier: MIT */
/*
 * Checks loadperf's four numbers for a service (prfdata_title_range), and corrects them if they are
 * not those of the service's titles. With incorrect numbers, loadperf could unload the titles of
 * Windows. Windows only.
 */
#ifndef PRFDATA_TITLE_RANGE_H
#define PRFDATA_TITLE_RANGE_H

#include "map/model.h"
#include "titles/service_key.h"
#include "titles/title_database.h"

#define PRFDATA_TITLE_RANGE_NAME_CHARS 256 /* room for the name of a key */

/*
 * Find another service that has one of the indexes in `range`.
 *
 * name    Gets the name of that service; room for PRFDATA_TITLE_RANGE_NAME_CHARS.
 * shared  Gets the part of `range` that the other service has, too. May be NULL.
 */
bool prfdata_title_range_find_sharing(const wchar_t *service, const prfdata_title_range *range,
                                      wchar_t *name, prfdata_title_range *shared);

typedef enum prfdata_title_range_state {
    PRFDATA_TITLE_RANGE_RIGHT, /* the numbers were those of the model, or there were none */
    /* the titles were found at other indexes, and the numbers were corrected */
    PRFDATA_TITLE_RANGE_CORRECTED,
    /* the titles were not found or the numbers could not be corrected; the numbers were removed */
    PRFDATA_TITLE_RANGE_FORGOTTEN
} prfdata_title_range_state;

/*
 * Find the titles: at the registered numbers, or elsewhere if these are incorrect. Titles belong to
 * the model if the names of all its objects are at their indexes and no other service has any of
 * these indexes. Under Wine, which has no texts, the names are not compared, but the indexes must
 * not be those of Windows. Changes nothing.
 *
 * model  The model of the registered map; NULL if that cannot be read.
 * range  The indexes of the titles; undefined if the function returns false (there are no titles,
 *        or their place is not known).
 */
bool prfdata_title_range_look(const prfdata_service_key *key, const prfdata_model *model,
                              prfdata_title_range *range);

/*
 * Find the titles, and write the service's four numbers if one of them is not that of the titles.
 * Remove the numbers if the titles are not found or the numbers cannot be written. No title is
 * unloaded.
 */
prfdata_title_range_state prfdata_title_range_correct(const prfdata_service_key *key,
                                                      const prfdata_model *model);

#endif
