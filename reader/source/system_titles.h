/* SPDX-License-Identifier: MIT */
/*
 * Loads the titles of a computer: its title database, and the maps of PrfData's services. The
 * titles of these maps are known even if the database is damaged. Windows only.
 */
#ifndef PRFDATA_READER_SYSTEM_TITLES_H
#define PRFDATA_READER_SYSTEM_TITLES_H

#include <windows.h>
#include <winperf.h>

#include "block/titles.h"

/* The registry keys in which a computer keeps titles. */
typedef struct prfdata_system_keys {
    HKEY data;    /* HKEY_PERFORMANCE_DATA */
    HKEY text;    /* HKEY_PERFORMANCE_TEXT; NULL: titles are in `data`, as for another computer */
    HKEY machine; /* HKEY_LOCAL_MACHINE; NULL: another computer refuses it */
} prfdata_system_keys;

extern const prfdata_system_keys prfdata_system_keys_here;

/*
 * Add all English names that the computer has, or all English help texts: first those of the
 * database, then those of the maps.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or the registry's error if no text was found.
 */
uint32_t prfdata_system_titles_load(const prfdata_system_keys *keys, prfdata_name_table *table);
uint32_t prfdata_system_titles_load_helps(const prfdata_system_keys *keys,
                                          prfdata_name_table *table);

/* Return when the title database was last written, as a FILETIME; 0: not known. Installing and
 * uninstalling counters writes it. */
uint64_t prfdata_system_titles_stamp(const prfdata_system_keys *keys);

/*
 * Add this computer's names in the user's language.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or the reason why there are none.
 */
uint32_t prfdata_system_titles_load_local(prfdata_name_table *table);

/*
 * Find the title indexes of a service, from its First Counter to its Last Counter.
 * Returns ERROR_SUCCESS or ERROR_FILE_NOT_FOUND (it has none).
 */
uint32_t prfdata_system_titles_find_service(const prfdata_system_keys *keys, prfdata_text service,
                                            uint32_t *first, uint32_t *last);

/*
 * Add the names of the objects of PrfData's services.
 * Returns ERROR_SUCCESS (even if there is none), ERROR_NOT_ENOUGH_MEMORY or the registry's error.
 */
uint32_t prfdata_system_titles_load_objects(const prfdata_system_keys *keys,
                                            prfdata_name_table *table);

/* Add the metrics of PrfData's services. Returns what prfdata_system_titles_load_objects() does. */
uint32_t prfdata_system_titles_load_metrics(const prfdata_system_keys *keys,
                                            prfdata_metric_table *table);

/*
 * Add the ids of those titles of PrfData's services whose names are loaded. Returns what
 * prfdata_system_titles_load_objects() does.
 */
uint32_t prfdata_system_titles_load_ids(const prfdata_system_keys *keys, prfdata_titles *titles);

#endif
