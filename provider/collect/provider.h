/* SPDX-License-Identifier: MIT */
/*
 * Declares Open, Collect and Close of the provider, without anything that is specific to perflib.
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
 * Opens the provider of a service. The service need not be installed, and no program need run,
 * because Collects check both again. Waits up to a second if the system refuses files for now
 * (os.h, "Refusals").
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY (memory is exhausted, or the name of the service
 * is too long).
 */
uint32_t prfdata_provider_open(const char *service, prfdata_provider **provider);

/*
 * Opens the provider of a service for a reader that needs neither perflib nor titles. Such a reader
 * gives the value `Maps`. Of the service's key, the provider reads only the value Regions. Waits as
 * prfdata_provider_open() does.
 *
 * maps           The value; copied.
 * first_counter  The title index of the map's first object. The names of objects and counters use
 *                every second index from there.
 * first_help     The title index of the first object's help text.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_PARAMETER (the title indexes are invalid),
 *         ERROR_NOT_ENOUGH_MEMORY (memory is exhausted, or the name of the service is too long) or
 *         what prfdata_versions_meet() returns.
 */
uint32_t prfdata_provider_open_maps(const char *service, const void *maps, size_t maps_bytes,
                                    uint32_t first_counter, uint32_t first_help,
                                    prfdata_provider **provider);

/* Frees a provider. No Collect may be running. `provider` may be NULL. */
void prfdata_provider_close(prfdata_provider *provider);

/*
 * Sets how old the set of regions and the installation may get; the default is 1,000 ms. For tests.
 * Call it before the first Collect.
 */
void prfdata_provider_set_refresh(prfdata_provider *provider, uint64_t milliseconds);

/*
 * Sets whether Collects use plans; by default they do. Without plans, the replies are the same
 * bytes. For tests. Call it before the first Collect.
 */
void prfdata_provider_set_plans(prfdata_provider *provider, bool uses_plans);

/* Returns the number PRFDATA_HEALTH_... of health.h. For tests. Threads: any. */
uint64_t prfdata_provider_number(const prfdata_provider *provider, uint32_t number);

/*
 * Sets the function that reports events (events.h), and reports the events that Open recorded.
 * Until then, events are kept. prfdata_events_set_writer() explains `level`. Call this function
 * before the first Collect.
 */
void prfdata_provider_set_event_writer(prfdata_provider *provider, uint32_t level,
                                       prfdata_event_writer *write, void *context);

/*
 * Answers a query, following the contract of PM_COLLECT_PROC.
 *
 * provider      NULL: nothing is written.
 * query         NUL-terminated UTF-16, or NULL.
 * data          Where to write; any alignment. Advanced past the bytes written; unchanged if
 *               nothing was written.
 * data_bytes    The size of the buffer. Set to the number of bytes written: a multiple of 8, or 0.
 * object_count  Set to the number of objects written, which may be 0.
 *
 * Returns ERROR_MORE_DATA if the buffer is too small, otherwise ERROR_SUCCESS, even after a
 *         failure.
 * Threads: any number at the same time.
 */
uint32_t prfdata_provider_collect(prfdata_provider *provider, const uint16_t *query, void **data,
                                  uint32_t *data_bytes, uint32_t *object_count);

#endif
