/* SPDX-License-Identifier: MIT */
/* A service that is installed, and the provider that a test asks for its counters. */
#ifndef PRFDATA_TESTS_PROVIDED_H
#define PRFDATA_TESTS_PROVIDED_H

#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "support/service.h"

extern prfdata_test_service service;
extern prfdata_provider *provider;

/* A provider of the service that looks at every Collect whether anything has changed. */
prfdata_provider *provided_open(void);

/* Install the map under its service's name, and open `provider`. */
void provided_begin(const prfdata_map *map, uint32_t first_counter);

/* Undo that, as the teardown of a test. */
int provided_end(void **state);

/* The same after a publisher, which is closed and becomes NULL. */
int provided_end_after(prfdata_publisher **publisher, void **state);

#endif
