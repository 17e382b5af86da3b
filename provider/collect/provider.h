/* SPDX-License-Identifier: MIT */
/*
 * The provider without Windows: what Open, Collect and Close do.
 */
#ifndef PRFDATA_PROVIDER_H
#define PRFDATA_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/events.h"
#include "events/health.h"

typedef struct prfdata_provider prfdata_provider;

/*
 * Open the provider of a service. It need not be installed, and no application need run: what is
 * installed is looked at again by Collect, at most once per second.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_provider_open(const char *service, prfdata_provider **provider);

/*
 * Open the provider of a service with a value `Maps` that the caller has: for readers that need
 * neither perflib nor titles. Only the regions folder is looked for.
 *
 * maps           The value; copied.
 * first_counter  The title index of the map's first object; names have every second index.
 * first_help     The same of help texts.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (no such title indexes can be) or what
 *         prfdata_versions_meet() returns.
 */
uint32_t prfdata_provider_open_maps(const char *service, const void *maps, size_t maps_bytes,
                                    uint32_t first_counter, uint32_t first_help,
                                    prfdata_provider **provider);

/* No Collect may be running. NULL is allowed. */
void prfdata_provider_close(prfdata_provider *provider);

/*
 * Set how old the set of regions and the installation may get; 1,000 ms by default. For tests,
 * which must not wait. Call it before the first Collect.
 */
void prfdata_provider_set_refresh(prfdata_provider *provider, uint64_t milliseconds);

/*
 * Set whether Collects use plans, which is the default. Without them each merges snapshots, and the
 * replies are the same bytes. For tests, which compare the two ways. Call it before the first
 * Collect.
 */
void prfdata_provider_set_plans(prfdata_provider *provider, bool uses_plans);

/* One of the numbers PRFDATA_HEALTH_..., since the provider was opened. For tests. Threads: any. */
uint64_t prfdata_provider_number(const prfdata_provider *provider, uint32_t number);

/*
 * Set the function that reports events (events.h), and report what prfdata_provider_open() noticed.
 * Without one, events are kept. Call it before the first Collect.
 */
void prfdata_provider_set_event_writer(prfdata_provider *provider, uint32_t level,
                                       prfdata_event_writer *write, void *context);

/*
 * Answer a query, by the contract of PM_COLLECT_PROC.
 *
 * query         NUL-terminated UTF-16, or NULL.
 * data          Where to write; any alignment. Moved past what was written, else untouched.
 * data_bytes    The room; set to the bytes written, a multiple of 8, else to 0.
 * object_count  Set to the number of objects written, else to 0.
 *
 * Returns ERROR_MORE_DATA if the room is too small, else ERROR_SUCCESS, whatever happens.
 * Threads: any number at once.
 */
uint32_t prfdata_provider_collect(prfdata_provider *provider, const uint16_t *query, void **data,
                                  uint32_t *data_bytes, uint32_t *object_count);

#endif
