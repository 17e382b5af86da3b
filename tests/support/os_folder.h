/* SPDX-License-Identifier: MIT */
/* An installed service whose folder is open, as the client library opens it, and a region there. */
#ifndef PRFDATA_TESTS_OS_FOLDER_H
#define PRFDATA_TESTS_OS_FOLDER_H

#include "support/service.h"
#include "system/os.h"

extern prfdata_test_service service;
extern prfdata_os_directory *folder;
extern char region_path[520]; /* of the region */

/*
 * Install the service without a map, and open its folder; undo that, as the teardown of a test.
 *
 * name  Of a region whose path the test needs, or NULL.
 */
void os_folder_begin(const char *service_name, const prfdata_os_name *name);
int os_folder_end(void **state);

/* Try to take a region of the folder over, and let it go again. */
uint32_t os_folder_take(const prfdata_os_name *name);

/* Touch the last byte of a region's view: for a guard. */
void os_folder_read_last(void *region);

#endif
