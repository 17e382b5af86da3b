/* SPDX-License-Identifier: MIT */
/*
 * The check that the four numbers of a service's titles are its own, before anything is done by
 * them: a wrong one could unload the titles of Windows. Windows only.
 */
#ifndef PRFDATA_TITLE_RANGE_H
#define PRFDATA_TITLE_RANGE_H

#include "map/model.h"
#include "titles/service_key.h"
#include "titles/title_database.h"

#define PRFDATA_TITLE_RANGE_NAME_CHARS 256 /* of a key */

/*
 * Find another service that has one of the indexes.
 *
 * name    Room for PRFDATA_TITLE_RANGE_NAME_CHARS.
 * shared  Gets the indexes of names that both have; NULL: not wanted.
 */
bool prfdata_title_range_find_sharing(const wchar_t *service, const prfdata_title_range *range,
                                      wchar_t *name, prfdata_title_range *shared);

typedef enum prfdata_title_range_state {
    PRFDATA_TITLE_RANGE_RIGHT,     /* they were the model's, or there were none */
    PRFDATA_TITLE_RANGE_CORRECTED, /* the titles were found elsewhere */
    PRFDATA_TITLE_RANGE_FORGOTTEN  /* nobody knows where they are: the numbers were removed */
} prfdata_title_range_state;

/*
 * Find where the titles are: where the numbers say, or elsewhere if these are wrong. Titles are the
 * model's if the names of all its objects are at their indexes and no other service has any of
 * these; under Wine, which has no texts, if they are not Windows' own. Changes nothing.
 *
 * model  The registered map's; NULL: it cannot be read.
 * range  Where they are; of no use if the answer is false: there are none, or nobody knows.
 */
bool prfdata_title_range_look(const prfdata_service_key *key, const prfdata_model *model,
                              prfdata_title_range *range);

/* Write the numbers where they are not those, or remove them. No title is unloaded. */
prfdata_title_range_state prfdata_title_range_correct(const prfdata_service_key *key,
                                                      const prfdata_model *model);

#endif
