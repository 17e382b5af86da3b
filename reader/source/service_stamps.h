/* SPDX-License-Identifier: MIT */
/*
 * Computes a hash that changes when a service of PrfData is installed again on this computer. The
 * title database does not show every installation, because an upgrade that changes only help texts
 * or metrics writes only the services' keys. Windows only.
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
