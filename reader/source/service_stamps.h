/* SPDX-License-Identifier: MIT */
/*
 * Tells when PrfData's services of this computer were last installed. The title database alone does
 * not tell, because an upgrade that changes only help texts or metrics writes only the services'
 * keys. Every installation writes these keys after the database. Windows only.
 */
#ifndef PRFDATA_READER_SERVICE_STAMPS_H
#define PRFDATA_READER_SERVICE_STAMPS_H

#include <stdint.h>

/*
 * Find the services that have maps, new ones included. This opens a key of each service of the
 * computer, so call it only when titles are loaded. Without memory it may miss some. Threads: any.
 */
void prfdata_service_stamps_find(void);

/*
 * Add the last write times of the Performance keys of the known services to a hash of base/fnv.h,
 * and return the new hash. The first call finds the services. Threads: any.
 */
uint64_t prfdata_service_stamps_add(uint64_t hash);

#endif
