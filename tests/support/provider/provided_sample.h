/* SPDX-License-Identifier: MIT */
/*
 * Installs the map of sample_map.h and opens its provider. Each test defines the name of the
 * service.
 */
#ifndef PRFDATA_TESTS_PROVIDED_SAMPLE_H
#define PRFDATA_TESTS_PROVIDED_SAMPLE_H

#include "support/provider/provided.h"
#include "support/sample_map.h"

typedef struct provided_sample_service {
    const char *name;
    uint32_t first_counter;
} provided_sample_service;

extern const provided_sample_service provided_sample_is;
extern sample_map sample;

/* Set up a test. provided_sample_init() only makes the map, which the test may change.
 * provided_sample_begin() also installs the map and opens `provider`. */
int provided_sample_init(void **state);
int provided_sample_begin(void **state);

#endif
