/* SPDX-License-Identifier: MIT */
/*
 * The titles of a service in the system's title database. loadperf loads and unloads them; what it
 * reports is verified, because it can report success without having done anything. Windows only.
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

/* Whether the key has any of the four numbers: titles are loaded, be they right or wrong. */
bool prfdata_title_database_is_loaded(const prfdata_service_key *key);

/* Read the four numbers; false if one is missing. */
bool prfdata_title_database_range(const prfdata_service_key *key, prfdata_title_range *range);

/*
 * Compare the loaded titles with the model: the number of indexes, and the title at First Counter.
 * (Under Wine only the number of indexes: its title database is empty.)
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND (none are loaded) or ERROR_INVALID_DATA (others are).
 */
uint32_t prfdata_title_database_verify(const prfdata_service_key *key, const prfdata_model *model);

/*
 * Load the titles and verify them.
 *
 * ini_path  The .ini file of the model, with the symbol header in the same folder.
 *
 * Returns ERROR_SUCCESS, what loadperf returned, or ERROR_INVALID_DATA (loadperf returned success,
 *         but the titles are not loaded).
 */
uint32_t prfdata_title_database_load(const prfdata_service_key *key, const prfdata_model *model,
                                     const wchar_t *ini_path);

/*
 * Unload the titles and verify that. Returns ERROR_SUCCESS, what loadperf returned, or
 * ERROR_INVALID_DATA (they are still loaded).
 */
uint32_t prfdata_title_database_unload(const prfdata_service_key *key);

/* Return the names of the values that belong to the titles; NULL ends the list. */
const wchar_t *const *prfdata_title_database_value_names(void);

#endif
