/* SPDX-License-Identifier: MIT */
#include "support/provider/provided.h"

#include <prfdata/error.h>

#include "support/test.h"

prfdata_test_service service;
prfdata_provider *provider;

prfdata_provider *provided_open(void)
{
    prfdata_provider *opened;

    assert_int_equal(prfdata_provider_open(service.name, &opened), ERROR_SUCCESS);
    prfdata_provider_set_refresh(opened, 0);
    return opened;
}

void provided_begin(const prfdata_map *map, uint32_t first_counter)
{
    prfdata_test_service_make(&service, map->service, map, first_counter);
    provider = provided_open();
}

int provided_end(void **state)
{
    (void)state;
    prfdata_provider_close(provider);
    provider = NULL;
    prfdata_test_service_remove(&service);
    return 0;
}

int provided_end_after(prfdata_publisher **publisher, void **state)
{
    prfdata_close_and_unmap(*publisher);
    *publisher = NULL;
    return provided_end(state);
}
