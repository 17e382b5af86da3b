/* SPDX-License-Identifier: MIT */
/* The map of sample_map.h, installed, and its provider. Each test says as which service. */
#ifndef PRFDATA_TESTS_PROVIDED_SAMPLE_H
#define PRFDATA_TESTS_PROVIDED_SAMPLE_H

#include "support/provider/provided.h"
#include "support/sample_map.h"

typedef struct provided_sample_service {
    const char *name;
    uint32_t first_counter;
} provided_sample_service;

extern const provided_sample_service provided_sample_is; /* the test defines it */
extern sample_map sample;

/* Set-ups of a test: only make the map, to be changed; or also install it and open `provider`. */
int provided_sample_init(void **state);
int provided_sample_begin(void **state);

#endif
