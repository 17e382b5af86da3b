/* SPDX-License-Identifier: MIT */
/* Installs a service, and opens the provider that a test asks for its counters. */
#ifndef PRFDATA_TESTS_PROVIDED_H
#define PRFDATA_TESTS_PROVIDED_H

#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "support/service.h"

extern prfdata_test_service service;
extern prfdata_provider *provider;

/* A provider of the service that checks for changes at every Collect. */
prfdata_provider *provided_open(void);

/* Install the map under its service's name, and open `provider`. */
void provided_begin(const prfdata_map *map, uint32_t first_counter);

/* Undo that, as the teardown of a test. */
int provided_end(void **state);

/* As above, but first closes the publisher and sets it to NULL. */
int provided_end_after(prfdata_publisher **publisher, void **state);

#endif
