/* SPDX-License-Identifier: MIT */
#include "support/os_folder.h"

#include "support/test.h"

prfdata_test_service service;
prfdata_os_directory *folder;
char region_path[520];

void os_folder_begin(const char *service_name, const prfdata_os_name *name)
{
    prfdata_test_service_make(&service, service_name, NULL, 0);
    assert_int_equal(prfdata_os_directory_open(service_name, &folder), ERROR_SUCCESS);
    if (name)
        prfdata_test_service_path(&service, name->text, region_path, sizeof region_path);
}

int os_folder_end(void **state)
{
    (void)state;
    prfdata_os_directory_close(folder);
    prfdata_test_service_remove(&service);
    return 0;
}

uint32_t os_folder_take(const prfdata_os_name *name)
{
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;
    uint32_t status = prfdata_os_region_take(folder, name, &region);

    prfdata_os_region_close(&region);
    return status;
}

void os_folder_read_last(void *region)
{
    const prfdata_os_region *view = region;

    (void)*(const volatile uint8_t *)(view->bytes + view->size - 1);
}
