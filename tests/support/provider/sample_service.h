/* SPDX-License-Identifier: MIT */
/*
 * Installs the map of sample_map.h, without a provider. Each test defines the name of the service.
 */
#ifndef PRFDATA_TESTS_SAMPLE_SERVICE_H
#define PRFDATA_TESTS_SAMPLE_SERVICE_H

#include "support/sample_map.h"
#include "support/service.h"

extern const char sample_service_name[];
extern const uint32_t sample_service_first_counter;
extern sample_map sample;
extern prfdata_test_service service;

/* Set-up and teardown of a test: install the map, and remove the service. */
int sample_service_begin(void **state);
int sample_service_end(void **state);

#endif
