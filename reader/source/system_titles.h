/* SPDX-License-Identifier: MIT */
/*
 * The titles of this computer: its title database, and the maps of PrfData's services, whose titles
 * are known even where the database is damaged. Windows only.
 */
#ifndef PRFDATA_READER_SYSTEM_TITLES_H
#define PRFDATA_READER_SYSTEM_TITLES_H

#include "block/metric_table.h"
#include "block/name_table.h"

/*
 * Add all English names that this computer has, or all English help texts: the database's, then
 * those of the maps.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or the error of the title database if neither it
 *         nor a map had a text.
 */
uint32_t prfdata_system_titles_load(prfdata_name_table *table);
uint32_t prfdata_system_titles_load_helps(prfdata_name_table *table);

/*
 * Add the names in the user's language.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or why there are none.
 */
uint32_t prfdata_system_titles_load_local(prfdata_name_table *table);

/*
 * Find the indexes that a service's titles have, from its First Counter to its Last Counter.
 * Returns ERROR_SUCCESS or ERROR_FILE_NOT_FOUND (it has none).
 */
uint32_t prfdata_system_titles_find_service(prfdata_text service, uint32_t *first, uint32_t *last);

/*
 * Add the names of the objects of PrfData's services.
 * Returns ERROR_SUCCESS (also if there is none), ERROR_NOT_ENOUGH_MEMORY or the registry's error.
 */
uint32_t prfdata_system_titles_load_objects(prfdata_name_table *table);

/* Add the metrics of PrfData's services. Returns what prfdata_system_titles_load_objects() does. */
uint32_t prfdata_system_titles_load_metrics(prfdata_metric_table *table);

#endif
