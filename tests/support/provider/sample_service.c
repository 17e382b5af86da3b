/* SPDX-License-Identifier: MIT */
#include "support/provider/sample_service.h"

sample_map sample;
prfdata_test_service service;

int sample_service_begin(void **state)
{
    (void)state;
    sample_map_init_as(&sample, sample_service_name);
    prfdata_test_service_make(&service, sample_service_name, &sample.map,
                              sample_service_first_counter);
    return 0;
}

int sample_service_end(void **state)
{
    (void)state;
    return prfdata_test_service_end(&service);
}
