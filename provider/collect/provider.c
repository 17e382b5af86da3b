/* SPDX-License-Identifier: MIT */
/*
 * Implements Open, Collect and Close with the basis, the query parser and the two ways to answer.
 * Data that cannot be read is left out. A buffer that is too small is the only error that Collect
 * returns.
 */
#include "collect/provider.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/compiler.h"
#include "collect/merged_answer.h"
#include "collect/planned_answer.h"
#include "collect/query.h"
#include "system/patience.h"

/*
 * After this many Collects in a row with too small a buffer, an event is recorded. Readers begin
 * with a small buffer and enlarge it, so a few such Collects are normal.
 */
enum { MOST_SHORT_BUFFERS = 32 };

/*
 * Checks the regions. Returns whether the system refuses a file or the folder for now, for example
 * because a virus scanner is reading it (os.h, "Refusals").
 */
static bool are_regions_refused(prfdata_provider *provider)
{
    prfdata_basis_release(provider, prfdata_basis_acquire(provider));
    return prfdata_load64_relaxed(&provider->regions.refused_ms) != 0;
}

/*
 * Checks the regions now, and waits for those that were refused, so that the first sample includes
 * them. Collects do not wait.
 */
static void attach_early(prfdata_provider *provider)
{
    prfdata_patience patience = {0};

    while (are_regions_refused(provider) && prfdata_patience_pause(&patience))
        prfdata_refresh_expire(&provider->regions);
}

/* Returns NULL if memory is exhausted or the name of the service is too long. */
static prfdata_provider *make_empty_provider(const char *service)
{
    prfdata_provider *made = calloc(1, sizeof *made);

    if (!made || !prfdata_provider_state_init(made, service)) {
        free(made);
        return NULL;
    }
    made->uses_plans = true;
    made->short_buffers_left = MOST_SHORT_BUFFERS;
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
    error = prfdata_basis_give(opened, maps, maps_bytes, first_counter, first_help);
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
    prfdata_provider_state_done(provider);
    free(provider);
}

void prfdata_provider_set_refresh(prfdata_provider *provider, uint64_t milliseconds)
{
    provider->regions.refresh_ms = milliseconds;
}

void prfdata_provider_set_plans(prfdata_provider *provider, bool uses_plans)
{
    provider->uses_plans = uses_plans;
}

void prfdata_provider_set_event_writer(prfdata_provider *provider, uint32_t level,
                                       prfdata_event_writer *write, void *context)
{
    prfdata_events_set_writer(&provider->events, level, write, context);
    prfdata_events_report(&provider->events, provider->service);
}

uint64_t prfdata_provider_number(const prfdata_provider *provider, uint32_t number)
{
    return prfdata_load64_relaxed(&provider->health.numbers[number]);
}

PRFDATA_NOINLINE static void note_duration(prfdata_provider *provider,
                                           const prfdata_collect_request *request)
{
    const uint64_t per_second = prfdata_os_ticks_per_second();
    const uint64_t ticks = request->stamp - request->start;

    prfdata_health_set(&provider->health, PRFDATA_HEALTH_COLLECT_US,
                       ticks / per_second * 1000000 + ticks % per_second * 1000000 / per_second);
}

PRFDATA_NOINLINE static prfdata_result answer_by_merging(prfdata_provider *provider,
                                                         prfdata_collect_request *request)
{
    prfdata_result result;

    request->torn_count = 0;
    result = prfdata_merged_answer_put(request);
    if (result == PRFDATA_DONE)
        prfdata_health_add(&provider->health, PRFDATA_HEALTH_TORN, request->torn_count);
    return result;
}

static prfdata_result answer_query(prfdata_provider *provider, prfdata_collect_request *request)
{
    prfdata_result result = prfdata_planned_answer_put(request);

    if (result == PRFDATA_STALE)
        result = answer_by_merging(provider, request);
    else
        prfdata_health_add(&provider->health, PRFDATA_HEALTH_PLANS_USED, 1);
    if (request->start != 0 && result == PRFDATA_DONE)
        note_duration(provider, request);
    return result;
}

static prfdata_result collect_basis(prfdata_provider *provider, const uint16_t *query,
                                    prfdata_collect_request *request)
{
    prfdata_basis *basis = prfdata_basis_acquire(provider);
    prfdata_result result = PRFDATA_DONE;

    request->object_count = 0; /* discard the count of the previous attempt */
    if (!basis)
        return PRFDATA_DONE;
    request->basis = basis; /* a merge may replace it by a newer one */
    if (prfdata_query_parse(query, basis->installation->model, basis->installation->first_counter,
                            request->wanted, &request->metadata))
        result = answer_query(provider, request);
    prfdata_basis_release(provider, request->basis);
    return result;
}

/*
 * Tries again as long as the attempt is stale (snapshot/result.h). From the fourth attempt on, an
 * attempt is stale only if the installation was replaced meanwhile.
 */
static prfdata_result collect_objects(prfdata_provider *provider, const uint16_t *query,
                                      prfdata_collect_request *request)
{
    enum { ATTEMPTS = 4 };
    int attempt = 0;
    prfdata_result result;

    do {
        request->is_last_attempt = ++attempt >= ATTEMPTS;
        result = collect_basis(provider, query, request);
    } while (result == PRFDATA_STALE);
    return result;
}

PRFDATA_NOINLINE static void notice_failure(prfdata_provider *provider, prfdata_result result)
{
    const bool has_no_memory = result == PRFDATA_NO_MEMORY;

    prfdata_health_add(&provider->health,
                       has_no_memory ? PRFDATA_HEALTH_NO_MEMORY : PRFDATA_HEALTH_SHORT_BUFFER, 1);
    prfdata_events_notice(&provider->events,
                          has_no_memory ? PRFDATA_EVENT_NO_MEMORY : PRFDATA_EVENT_SHORT_BUFFER, L"",
                          0);
}

/*
 * Counts one Collect whose buffer was too small. Two such Collects at the same time may count as
 * one. Returns whether this was the last of MOST_SHORT_BUFFERS in a row; the count then restarts.
 */
static inline bool use_up_short_buffers(prfdata_provider *provider)
{
    const uint32_t left = prfdata_load32_relaxed(&provider->short_buffers_left) - 1;

    prfdata_store32_relaxed(&provider->short_buffers_left, left > 0 ? left : MOST_SHORT_BUFFERS);
    return left == 0;
}

uint32_t prfdata_provider_collect(prfdata_provider *provider, const uint16_t *query, void **data,
                                  uint32_t *data_bytes, uint32_t *object_count)
{
    prfdata_collect_request request; /* each field is set before it is used */
    prfdata_result result;

    if (!provider) {
        *data_bytes = 0;
        *object_count = 0;
        return ERROR_SUCCESS;
    }
    request.provider = provider;
    request.start = prfdata_health_is_wanted(&provider->health) ? prfdata_os_ticks() : 0;
    prfdata_perf_block_init(&request.block, *data, *data_bytes);
    result = collect_objects(provider, query, &request);
    if (result == PRFDATA_DONE) {
        if (prfdata_load32_relaxed(&provider->short_buffers_left) != MOST_SHORT_BUFFERS)
            prfdata_store32_relaxed(&provider->short_buffers_left, MOST_SHORT_BUFFERS);
    } else if (result != PRFDATA_NO_ROOM || use_up_short_buffers(provider)) {
        notice_failure(provider, result);
    }
    *data_bytes = result != PRFDATA_DONE ? 0 : (uint32_t)request.block.used;
    *object_count = result != PRFDATA_DONE ? 0 : request.object_count;
    if (*data_bytes > 0)
        *data = (uint8_t *)*data + *data_bytes;
    prfdata_events_report(&provider->events,
                          provider->service); /* may wait, so no lock is held here */
    return result == PRFDATA_NO_ROOM ? ERROR_MORE_DATA : ERROR_SUCCESS;
}
