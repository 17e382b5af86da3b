/* SPDX-License-Identifier: MIT */
/*
 * Collects from a provider in tests. Every reply is checked by perf_reader_mistake();
 * otherwise the test fails.
 */
#ifndef PRFDATA_TESTS_COLLECTING_H
#define PRFDATA_TESTS_COLLECTING_H

#include "collect/provider.h"
#include "support/provider/perf_reader.h"

typedef struct collected {
    perf_reply reply;
    unsigned char *memory;
} collected;

/* UTF-16 of an ASCII text; the caller frees it. */
uint16_t *collected_query(const char *text);

/* Ask with plenty of room. `query` is ASCII, or NULL. Release with collected_free. */
void collected_take(collected *taken, prfdata_provider *provider, const char *query);
void collected_free(collected *taken);

/* The value; the test fails if there is none. Arguments as of perf_reader_value. */
uint64_t collected_value(const collected *taken, uint32_t title, const char *parent,
                         const char *instance, uint32_t position);
bool collected_has(const collected *taken, uint32_t title, const char *parent,
                   const char *instance);

/* NumInstances; the test fails if the object is missing. */
int32_t collected_instances(const collected *taken, uint32_t title);

/* The same of a Collect for this alone. */
uint64_t collected_value_now(prfdata_provider *provider, const char *query, uint32_t title,
                             const char *parent, const char *instance, uint32_t position);
bool collected_has_now(prfdata_provider *provider, const char *query, uint32_t title,
                       const char *parent, const char *instance);
int32_t collected_instances_now(prfdata_provider *provider, const char *query, uint32_t title);

#endif
