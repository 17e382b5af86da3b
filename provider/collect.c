/* SPDX-License-Identifier: MIT */
/*
 * Open, Collect and Close: the installation, the query, the answer. What cannot be read is left
 * out; only a short buffer is an error. Does not know how an answer is made.
 */
#include "provider/collect.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "provider/answer.h"
#include "provider/query.h"

struct prfdata_provider {
    prfdata_installation_store store;
    uint64_t seed;        /* of the merge */
    bool has_no_plans;    /* each Collect merges */
    uint64_t planned;     /* atomic: Collects that were answered by plans */
    prfdata_os_lock lock; /* of what follows */
    prfdata_provider_counts counts;
    prfdata_events events;
};

/* ---- Open and Close ---- */

/* Look at the regions now, so that the first Collect need not. */
static void attach_early(prfdata_provider *provider)
{
    prfdata_installation *installation = prfdata_installation_acquire(&provider->store);

    if (!installation)
        return;
    prfdata_regions_release(
        &installation->shared->regions,
        prfdata_regions_acquire(&installation->shared->regions, &installation->registered));
    prfdata_installation_release(&provider->store, installation);
}

/* A provider without installation; NULL: no memory. */
static prfdata_provider *make_empty_provider(const char *service)
{
    prfdata_provider *made = calloc(1, sizeof *made);

    if (!made || strlen(service) >= sizeof made->store.service) {
        free(made);
        return NULL;
    }
    memcpy(made->store.service, service, strlen(service) + 1);
    made->store.refresh_ms = 1000;
    made->store.events = &made->events;
    made->seed = prfdata_os_random();
    return made;
}

uint32_t prfdata_provider_open(const char *service, prfdata_provider **provider)
{
    prfdata_provider *opened = make_empty_provider(service);

    if (!opened)
        return ERROR_NOT_ENOUGH_MEMORY;
    attach_early(opened);
    *provider = opened;
    return ERROR_SUCCESS;
}

uint32_t prfdata_provider_open_maps(const char *service, const void *maps, size_t maps_bytes,
                                    uint32_t first_counter, uint32_t first_help,
                                    prfdata_provider **provider)
{
    prfdata_provider *opened = make_empty_provider(service);
    uint32_t error;

    if (!opened)
        return ERROR_NOT_ENOUGH_MEMORY;
    error = prfdata_installation_set(&opened->store, maps, maps_bytes, first_counter, first_help);
    if (error) {
        prfdata_provider_close(opened);
        return error;
    }
    attach_early(opened);
    *provider = opened;
    return ERROR_SUCCESS;
}

void prfdata_provider_close(prfdata_provider *provider)
{
    if (!provider)
        return;
    prfdata_installation_done(&provider->store);
    free(provider);
}

void prfdata_provider_set_refresh(prfdata_provider *provider, uint64_t milliseconds)
{
    prfdata_installation_set_refresh(&provider->store, milliseconds);
}

void prfdata_provider_set_planning(prfdata_provider *provider, bool uses_plans)
{
    provider->has_no_plans = !uses_plans;
}

void prfdata_provider_set_event_writer(prfdata_provider *provider, uint32_t level,
                                       prfdata_event_writer *write, void *context)
{
    prfdata_events_set_writer(&provider->events, level, write, context);
    prfdata_events_report(&provider->events, provider->store.service);
}

void prfdata_provider_get_counts(prfdata_provider *provider, prfdata_provider_counts *counts)
{
    prfdata_os_lock_enter(&provider->lock);
    *counts = provider->counts;
    prfdata_os_lock_leave(&provider->lock);
    counts->planned = prfdata_load64_relaxed(&provider->planned);
}

/* ---- One Collect ---- */

static void count_answer(prfdata_provider *provider, const prfdata_answering *asked)
{
    if (asked->is_all_planned) { /* there is nothing else */
        prfdata_add64_relaxed(&provider->planned, 1);
        return;
    }
    prfdata_os_lock_enter(&provider->lock);
    provider->counts.mixed += asked->counts.mixed;
    provider->counts.dropped_instances += asked->counts.dropped_instances;
    provider->counts.torn_copies += asked->counts.torn_copies;
    provider->counts.broken_regions += asked->counts.broken_regions;
    provider->counts.tries += asked->counts.tries;
    prfdata_os_lock_leave(&provider->lock);
}

/* Answer a query on the present installation. Returns what prfdata_answer_put() does. */
static uint32_t answer_query(prfdata_provider *provider, prfdata_answering *asked, uint8_t *data,
                             uint32_t capacity, uint32_t *written, uint32_t *objects)
{
    prfdata_regions *regions = &asked->installation->shared->regions;
    prfdata_perf_block block;
    uint32_t error;

    prfdata_perf_block_init(&block, data, capacity);
    if (!asked->metadata)
        asked->set = prfdata_regions_acquire(regions, &asked->installation->registered);
    error = prfdata_answer_put(asked, &block, objects);
    prfdata_regions_release(regions, asked->set);
    count_answer(provider, asked);
    *written = error ? 0 : (uint32_t)block.used;
    if (error)
        *objects = 0;
    return error;
}

/* Collect on the present installation. Returns what answer_query() does. */
static uint32_t collect_installed(prfdata_provider *provider, const uint16_t *query, void **data,
                                  uint32_t capacity, uint32_t *written, uint32_t *objects)
{
    prfdata_answering asked = {0};
    bool wanted[PRFDATA_MAX_OBJECTS];
    uint32_t error = ERROR_SUCCESS;

    asked.events = &provider->events;
    asked.seed = provider->seed;
    asked.uses_plans = !provider->has_no_plans;
    asked.wanted = wanted;
    asked.installation = prfdata_installation_acquire(&provider->store);
    if (!asked.installation)
        return ERROR_SUCCESS;
    if (prfdata_query_parse(query, asked.installation->shape.model,
                            asked.installation->template->first_counter, wanted, &asked.metadata))
        error = answer_query(provider, &asked, *data, capacity, written, objects);
    prfdata_installation_release(&provider->store, asked.installation);
    return error;
}

static uint32_t collect_objects(prfdata_provider *provider, const uint16_t *query, void **data,
                                uint32_t *data_bytes, uint32_t *object_count)
{
    const uint32_t capacity = *data_bytes;
    uint32_t error = ERROR_REVISION_MISMATCH;

    *data_bytes = 0;
    *object_count = 0;
    /* The service may be installed again meanwhile, once in each attempt. */
    for (int attempt = 0; attempt < 4 && error == ERROR_REVISION_MISMATCH; attempt++)
        error = collect_installed(provider, query, data, capacity, data_bytes, object_count);
    if (*data_bytes > 0)
        *data = (uint8_t *)*data + *data_bytes;
    return error == ERROR_MORE_DATA ? ERROR_MORE_DATA : ERROR_SUCCESS;
}

uint32_t prfdata_provider_collect(prfdata_provider *provider, const uint16_t *query, void **data,
                                  uint32_t *data_bytes, uint32_t *object_count)
{
    uint32_t status;

    if (!provider) {
        *data_bytes = 0;
        *object_count = 0;
        return ERROR_SUCCESS;
    }
    status = collect_objects(provider, query, data, data_bytes, object_count);
    prfdata_events_report(&provider->events,
                          provider->store.service); /* nothing is locked here: it may wait */
    return status;
}
