/* SPDX-License-Identifier: MIT */
/*
 * Whether the four numbers of a service's titles are its own, before anything is done by them: a
 * wrong one could unload the titles of Windows. Windows only.
 */
#ifndef PRFDATA_TITLE_RANGE_H
#define PRFDATA_TITLE_RANGE_H

#include "core/model.h"
#include "titles/service_key.h"
#include "titles/title_database.h"

#define PRFDATA_TITLE_RANGE_NAME_CHARS 256 /* of a key */

/* Find another service that has one of the indexes. `name` has room for so many chars. */
bool prfdata_title_range_find_sharing(const wchar_t *service, const prfdata_title_range *range,
                                      wchar_t *name);

typedef enum prfdata_title_range_state {
    PRFDATA_TITLE_RANGE_RIGHT,     /* they were the model's, or there were none */
    PRFDATA_TITLE_RANGE_CORRECTED, /* the titles were found elsewhere */
    PRFDATA_TITLE_RANGE_FORGOTTEN  /* nobody knows where they are: the numbers were removed */
} prfdata_title_range_state;

/*
 * Compare the numbers with the titles, correct them, or remove them. No title is unloaded. The
 * titles are the model's if the names of all its objects are at their indexes and no other service
 * has any of these; under Wine, which has no texts, if they are not Windows' own.
 *
 * model  The registered map's; NULL: it cannot be read.
 */
prfdata_title_range_state prfdata_title_range_correct(const prfdata_service_key *key,
                                                      const prfdata_model *model);

#endif
