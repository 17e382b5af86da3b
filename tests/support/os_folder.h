/* SPDX-License-Identifier: MIT */
/* Installs a service without a map, opens its folder as the client library does, and takes over
 * regions there. */
#ifndef PRFDATA_TESTS_OS_FOLDER_H
#define PRFDATA_TESTS_OS_FOLDER_H

#include "support/service.h"
#include "system/os.h"

extern prfdata_test_service service;
extern prfdata_os_directory *folder;
extern char region_path[520];

/* Install the service without a map and open its folder. os_folder_end() undoes both, as the
 * teardown of a test.
 *
 * name  The name of a region. `region_path` gets its path. NULL: no region. */
void os_folder_begin(const char *service_name, const prfdata_os_name *name);
int os_folder_end(void **state);

/* Try to take over a region of the folder, and release it again. */
uint32_t os_folder_take(const prfdata_os_name *name);

/* For prfdata_os_guarded(): read the last byte of a region's view. */
void os_folder_read_last(void *region);

#endif
