/* SPDX-License-Identifier: MIT */
/*
 * The titles of a service in the system's title database: loaded and unloaded by loadperf, and
 * verified, because loadperf's word is not enough. Windows only.
 */
#ifndef PRFDATA_TITLE_DATABASE_H
#define PRFDATA_TITLE_DATABASE_H

#include "core/model.h"
#include "installer/service_key.h"

/* What loadperf writes into the Performance key. */
typedef struct prfdata_title_range {
    DWORD first_counter;
    DWORD last_counter;
    DWORD first_help;
    DWORD last_help;
} prfdata_title_range;

/* Whether the key has any of the four numbers: titles are loaded, rightly or not. */
bool prfdata_title_database_is_loaded(const prfdata_service_key *key);

/* Read the four numbers; false if one is missing. */
bool prfdata_title_database_range(const prfdata_service_key *key, prfdata_title_range *range);

/*
 * Compare what is loaded with the model: the span of the indexes, and the title at First Counter.
 * (Under Wine the span alone: its title database is empty.)
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (not loaded) or ERROR_INVALID_DATA (others).
 */
uint32_t prfdata_title_database_verify(const prfdata_service_key *key, const prfdata_model *model);

/*
 * Load the titles and verify them.
 *
 * ini_path  The .ini of the model, with its header beside it.
 *
 * Returns ERROR_SUCCESS, what loadperf answered, or ERROR_INVALID_DATA (it said success, but the
 *         titles are not there).
 */
uint32_t prfdata_title_database_load(const prfdata_service_key *key, const prfdata_model *model,
                                     const wchar_t *ini_path);

/* Unload the titles and verify that they went. Same returns. */
uint32_t prfdata_title_database_unload(const prfdata_service_key *key);

/* The names of the values that belong to the titles; NULL ends the list. */
const wchar_t *const *prfdata_title_database_value_names(void);

#endif
