/* SPDX-License-Identifier: MIT */
/*
 * The times when PrfData's services of this computer were installed last. An upgrade that leaves
 * the title database as it is, because only help texts or metrics are other ones, writes their keys
 * alone; and it writes them after the database. Windows only.
 */
#ifndef PRFDATA_READER_SERVICE_STAMPS_H
#define PRFDATA_READER_SERVICE_STAMPS_H

#include <stdint.h>

/*
 * Find the services that have maps: new ones count from now on. It opens a key of each service of
 * the computer, so it is for when titles are loaded; without memory it finds none.
 * Threads: any.
 */
void prfdata_service_stamps_find(void);

/*
 * Add the last write times of the Performance keys of the services that were found to a hash of
 * base/fnv.h. The first call finds them.
 * Threads: any.
 */
uint64_t prfdata_service_stamps_add(uint64_t hash);

#endif
