/* SPDX-License-Identifier: MIT */
/* Installs a service, and opens the provider of its counters for the test. */
#ifndef PRFDATA_TESTS_PROVIDED_H
#define PRFDATA_TESTS_PROVIDED_H

#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "support/service.h"

extern prfdata_test_service service;
extern prfdata_provider *provider;

/* Open a provider of the service that checks for changes at every Collect. */
prfdata_provider *provided_open(void);

/* Install the map under its service's name, and open `provider`. */
void provided_begin(const prfdata_map *map, uint32_t first_counter);

/* Undo provided_begin(), as the teardown of a test. */
int provided_end(void **state);

/* Close the publisher and set it to NULL, then do what provided_end() does. */
int provided_end_after(prfdata_publisher **publisher, void **state);

#endif
