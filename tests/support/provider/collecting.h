/* SPDX-License-Identifier: MIT */
/* Collects from a provider in tests. Every reply is checked with perf_reader_mistake(), and a
 * mistake fails the test. */
#ifndef PRFDATA_TESTS_COLLECTING_H
#define PRFDATA_TESTS_COLLECTING_H

#include "collect/provider.h"
#include "support/provider/perf_reader.h"

typedef struct collected {
    perf_reply reply;
    unsigned char *memory;
} collected;

/* Return an ASCII text in UTF-16. The caller frees it. */
uint16_t *collected_query(const char *text);

/* Collect with enough room. `query` is ASCII, or NULL. Release the reply with collected_free(). */
void collected_take(collected *taken, prfdata_provider *provider, const char *query);
void collected_free(collected *taken);

/* Return the value that perf_reader_value() finds in the reply with these arguments. The test fails
 * if it finds none. */
uint64_t collected_value(const collected *taken, uint32_t title, const char *parent,
                         const char *instance, uint32_t position);
bool collected_has(const collected *taken, uint32_t title, const char *parent,
                   const char *instance);

/* Return NumInstances of an object. The test fails if the object is missing. */
int32_t collected_instances(const collected *taken, uint32_t title);

/* Collect with `query`, and return the value that collected_value() finds in the reply. */
uint64_t collected_value_now(prfdata_provider *provider, const char *query, uint32_t title,
                             const char *parent, const char *instance, uint32_t position);
bool collected_has_now(prfdata_provider *provider, const char *query, uint32_t title,
                       const char *parent, const char *instance);
int32_t collected_instances_now(prfdata_provider *provider, const char *query, uint32_t title);

#endif
