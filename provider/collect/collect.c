/* SPDX-License-Identifier: MIT */
/*
 * Open, Collect and Close: the installation, the query, the answer. What cannot be read is left
 * out; only a short buffer is an error. Does not know how an answer is made.
 */
#include "collect/collect.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "collect/answer.h"
#include "collect/planned_answer.h"
#include "collect/planning.h"
#include "collect/query.h"

struct prfdata_provider {
    prfdata_installation_store store;
    prfdata_bases bases;
    uint64_t seed;     /* of the merge */
    bool has_no_plans; /* each Collect merges */
    uint64_t planned;  /* atomic: Collects that were answered by plans */
    prfdata_health health;
    prfdata_os_lock lock; /* of what follows */
    prfdata_provider_counts counts;
    prfdata_events events;
};

/* ---- Open and Close ---- */

/* Look at the regions now, so that the first Collect need not. */
static void attach_early(prfdata_provider *provider)
{
    prfdata_basis_release(&provider->bases, prfdata_basis_acquire(&provider->bases, true));
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
    made->store.health = &made->health;
    made->bases.store = &made->store;
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
    prfdata_basis_done(&provider->bases);
    prfdata_installation_done(&provider->store);
    free(provider);
}

void prfdata_provider_set_refresh(prfdata_provider *provider, uint64_t milliseconds)
{
    prfdata_installation_set_refresh(&provider->store, milliseconds);
    prfdata_basis_expire(&provider->bases);
}

void prfdata_planning_set(prfdata_provider *provider, bool uses_plans)
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

static void count_merged(prfdata_provider *provider, const prfdata_asking *asked)
{
    prfdata_os_lock_enter(&provider->lock);
    provider->counts.dropped_instances += asked->counts.dropped_instances;
    provider->counts.torn_copies += asked->counts.torn_copies;
    provider->counts.broken_regions += asked->counts.broken_regions;
    provider->counts.tries += asked->counts.tries;
    prfdata_os_lock_leave(&provider->lock);
}

/* `start`: of the Collect. `stamp`: when all was read. Both in ticks. */
static void note_duration(prfdata_provider *provider, uint64_t start, uint64_t stamp)
{
    const uint64_t per_second = prfdata_os_ticks_per_second();
    const uint64_t ticks = stamp - start;

    prfdata_health_set(&provider->health, PRFDATA_HEALTH_COLLECT_US,
                       ticks / per_second * 1000000 + ticks % per_second * 1000000 / per_second);
}

/* Answer by plans, else by merging. Returns what prfdata_answer_put() does. */
static uint32_t answer_query(prfdata_provider *provider, prfdata_asking *asked,
                             prfdata_perf_block *block, uint32_t *objects)
{
    uint32_t error = prfdata_planned_answer_put(asked, block, objects);

    if (error != ERROR_NOT_FOUND) {
        prfdata_add64_relaxed(&provider->planned, 1);
        return error;
    }
    memset(&asked->counts, 0, sizeof asked->counts);
    error = prfdata_answer_put(asked, block, objects);
    count_merged(provider, asked);
    if (!error)
        prfdata_health_add(&provider->health, PRFDATA_HEALTH_TORN, asked->counts.torn_copies);
    return error;
}

/* Why a basis is taken. */
typedef enum reason {
    REASON_FIRST,
    REASON_REPLACED, /* the attempt before was out of date when it ended */
    REASON_LAST      /* so were all before: this one counts as it is */
} reason;

/*
 * Answer from the current basis.
 *
 * start  When the Collect began, in ticks; 0: nothing shows the service's health.
 * Returns what prfdata_answer_put() does.
 */
static uint32_t collect_basis(prfdata_provider *provider, const uint16_t *query, uint64_t start,
                              reason why, prfdata_perf_block *block, uint32_t *objects)
{
    bool wanted[PRFDATA_MAX_OBJECTS];
    prfdata_asking asked; /* counts and stamp are set later */
    prfdata_basis *basis = prfdata_basis_acquire(&provider->bases, why != REASON_FIRST);
    uint32_t error = ERROR_SUCCESS;

    if (!basis)
        return ERROR_SUCCESS;
    asked.basis = basis;
    asked.bases = &provider->bases;
    asked.events = &provider->events;
    asked.seed = provider->seed;
    asked.uses_plans = !provider->has_no_plans;
    asked.may_ask_again = why != REASON_LAST;
    asked.wanted = wanted;
    if (prfdata_query_parse(query, basis->installation->shape.model,
                            basis->installation->template->first_counter, wanted,
                            &asked.metadata)) {
        error = answer_query(provider, &asked, block, objects);
        if (start != 0 && !error) /* else the caller asks again */
            note_duration(provider, start, asked.stamp);
    }
    prfdata_basis_release(&provider->bases, basis);
    return error;
}

static uint32_t collect_objects(prfdata_provider *provider, const uint16_t *query, void **data,
                                uint32_t *data_bytes, uint32_t *object_count)
{
    const uint64_t start = prfdata_health_is_wanted(&provider->health) ? prfdata_os_ticks() : 0;
    reason why = REASON_FIRST;
    prfdata_perf_block block;
    uint32_t error = ERROR_SUCCESS; /* for compilers that do not see that the loop runs */

    enum { ATTEMPTS = 4 };

    /* The service may be installed again meanwhile, once in each attempt. */
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
        prfdata_perf_block_init(&block, *data, *data_bytes);
        *object_count = 0;
        error = collect_basis(provider, query, start, why, &block, object_count);
        if (error != ERROR_REVISION_MISMATCH)
            break;
        why = attempt + 1 == ATTEMPTS ? REASON_LAST : REASON_REPLACED;
    }
    *data_bytes = error ? 0 : (uint32_t)block.used;
    if (error)
        *object_count = 0;
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
