/* SPDX-License-Identifier: MIT */
/*
 * Collect: parse the query, take snapshots of the regions, merge them, write the reply. What cannot
 * be read is left out; only a short buffer is an error. Knows neither the layout of regions nor
 * that of the reply.
 */
#include "provider/collect.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "provider/installation.h"
#include "provider/query.h"
#include "provider/reply.h"

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

struct collecting {
    prfdata_provider *provider;
    prfdata_installation *installation;
    prfdata_region_set *set;
    const bool *wanted;
    bool metadata;
    bool wants_sums;               /* a total, or an object without instances */
    prfdata_merge_source *sources; /* one per region that could be read */
    prfdata_snapshot **snapshots;  /* of the sources */
    prfdata_attached **origins;    /* the same */
    uint32_t source_count;
    prfdata_merged *merged;
    bool is_planned; /* answered by plans: what stands above is empty */
    prfdata_provider_counts counts;
};

static void notice_contents(const struct collecting *collecting, const prfdata_attached *attached,
                            const prfdata_merge_source *source)
{
    prfdata_events *events = &collecting->provider->events;

    if (source->snapshot->torn_count > 0)
        prfdata_events_notice(events, PRFDATA_EVENT_TORN, L"", 0);
    if (source->snapshot->dropped > 0 && source->is_live)
        prfdata_events_notice_ascii(events, PRFDATA_EVENT_PUBLISHER_FULL, attached->name.text, 0);
}

/*
 * A region that cannot be read is left out. Exhausted memory ends the whole Collect: the totals
 * would fall if only some regions counted.
 */
static uint32_t take_snapshots(struct collecting *collecting)
{
    prfdata_regions *regions = &collecting->installation->shared->regions;
    prfdata_snapshot_budget budget = prfdata_snapshot_full_budget();

    for (uint32_t i = 0; collecting->set && i < collecting->set->count; i++) {
        prfdata_attached *attached = collecting->set->regions[i];
        prfdata_merge_source *source = &collecting->sources[collecting->source_count];
        const prfdata_projection *projection;
        prfdata_snapshot *snapshot;
        bool has_writer;
        uint32_t error;

        if (prfdata_load32_relaxed(&attached->is_broken) ||
            !prfdata_installation_shape_of(collecting->installation, attached, &projection))
            continue;
        error = prfdata_regions_snapshot(regions, attached, projection, collecting->wanted, &budget,
                                         &has_writer, &snapshot);
        if (error == ERROR_NOT_ENOUGH_MEMORY)
            return error;
        if (error) {
            collecting->counts.broken_regions++;
            continue;
        }
        source->id = attached->id;
        source->snapshot = snapshot;
        source->is_live = snapshot->is_published && has_writer;
        source->is_late = attached->is_late;
        collecting->snapshots[collecting->source_count] = snapshot;
        collecting->origins[collecting->source_count++] = attached;
        collecting->counts.torn_copies += snapshot->torn_count;
        notice_contents(collecting, attached, source);
    }
    collecting->counts.tries += budget.tries;
    return ERROR_SUCCESS;
}

static uint32_t take_and_merge(struct collecting *collecting)
{
    const size_t count = collecting->set ? collecting->set->count : 0;
    uint32_t error;

    collecting->sources = calloc(count + 1, sizeof *collecting->sources);
    collecting->snapshots = calloc(count + 1, sizeof(prfdata_snapshot *));
    collecting->origins = calloc(count + 1, sizeof(prfdata_attached *));
    if (!collecting->sources || !collecting->snapshots || !collecting->origins)
        return ERROR_NOT_ENOUGH_MEMORY;
    error = take_snapshots(collecting);
    if (!error)
        error = prfdata_merge_make(collecting->installation->shape.model, collecting->wanted,
                                   collecting->sources, collecting->source_count,
                                   collecting->provider->seed, &collecting->merged);
    if (!error)
        error = prfdata_carry_apply(
            &collecting->installation->shared->regions.carry, &collecting->installation->shape,
            collecting->wanted, collecting->sources, collecting->source_count, collecting->merged);
    return error;
}

static void finish_collecting(struct collecting *collecting)
{
    prfdata_provider *provider = collecting->provider;

    if (collecting->is_planned) { /* there is nothing else */
        prfdata_regions_release(&collecting->installation->shared->regions, collecting->set);
        prfdata_add64_relaxed(&provider->planned, 1);
        return;
    }
    prfdata_merge_free(collecting->merged); /* before the snapshots, whose names it borrows */
    for (uint32_t i = 0; i < collecting->source_count; i++)
        prfdata_attached_release(collecting->origins[i], collecting->snapshots[i]);
    free(collecting->sources);
    free(collecting->snapshots);
    free(collecting->origins);
    prfdata_regions_release(&collecting->installation->shared->regions, collecting->set);
    prfdata_os_lock_enter(&provider->lock);
    provider->counts.dropped_instances += collecting->counts.dropped_instances;
    provider->counts.torn_copies += collecting->counts.torn_copies;
    provider->counts.broken_regions += collecting->counts.broken_regions;
    provider->counts.tries += collecting->counts.tries;
    prfdata_os_lock_leave(&provider->lock);
}

/* ---- The answer ---- */

/*
 * Regions exist and none may be read: sums would wrongly be shown as 0. Or some cannot be looked at
 * yet by a reader that has just begun.
 */
static bool sums_are_unknown(const struct collecting *collecting)
{
    const prfdata_region_set *set = collecting->set;

    if (collecting->metadata)
        return false;
    return !set || prfdata_os_milliseconds() < set->sums_wait_ms ||
           (collecting->source_count == 0 && set->some_unknown);
}

/* Whether every file of the folder could be looked at. */
static bool can_be_planned(const struct collecting *collecting)
{
    return !collecting->provider->has_no_plans && collecting->set && !collecting->set->some_unknown;
}

/* From now on, a region that could not be looked at counts as one that sums were shown without. */
static void remember_shown_sums(const struct collecting *collecting)
{
    prfdata_store64_relaxed(&collecting->installation->shared->regions.sums_shown_ms,
                            prfdata_os_milliseconds());
}

static void describe_reply(const struct collecting *collecting, prfdata_reply *reply)
{
    reply->model = collecting->installation->shape.model;
    reply->template = collecting->installation->template;
    reply->wanted = collecting->wanted;
    reply->metadata = collecting->metadata;
    reply->sums_unknown = sums_are_unknown(collecting);
    reply->merged = collecting->merged;
}

static void count_dropped(struct collecting *collecting)
{
    for (uint32_t i = 0; collecting->merged && i < collecting->merged->object_count; i++) {
        const uint64_t dropped = collecting->merged->objects[i].dropped;

        collecting->counts.dropped_instances += dropped;
        if (dropped > 0)
            prfdata_events_notice(&collecting->provider->events, PRFDATA_EVENT_TOO_LARGE,
                                  collecting->installation->shape.model->objects[i].entry->name, 0);
    }
}

static bool is_worth_planning(const struct collecting *collecting, const prfdata_reply *reply)
{
    return !reply->metadata && !reply->sums_unknown && can_be_planned(collecting) &&
           prfdata_plans_notice(&collecting->installation->shared->plans,
                                &collecting->installation->shape, collecting->set,
                                collecting->sources, collecting->source_count, reply->wanted);
}

static void make_plans(const struct collecting *collecting, const prfdata_reply *reply,
                       const uint8_t *bytes)
{
    prfdata_plans_make(&collecting->installation->shared->plans, &collecting->installation->shape,
                       collecting->set, collecting->sources, collecting->origins,
                       collecting->source_count, reply, bytes);
}

/* Readers try again with more room, in small steps: from now on by plan. */
static void plan_without_room(const struct collecting *collecting, const prfdata_reply *reply)
{
    const size_t bytes = (size_t)prfdata_reply_bytes(reply);
    uint8_t *aside = malloc(bytes + 1);
    prfdata_perf_block block;

    if (!aside)
        return;
    prfdata_perf_block_init(&block, aside, bytes);
    (void)prfdata_reply_put(reply, &block);
    make_plans(collecting, reply, aside);
    free(aside);
}

/*
 * Write from snapshots, merged, with what is carried; and learn from them. Returns ERROR_SUCCESS
 * with what was written, ERROR_MORE_DATA before anything is, or another error.
 */
static uint32_t write_merged(struct collecting *collecting, prfdata_perf_block *block,
                             uint32_t *objects)
{
    prfdata_reply reply;
    bool makes_plans;
    uint32_t error = collecting->metadata ? ERROR_SUCCESS : take_and_merge(collecting);

    if (error)
        return error;
    count_dropped(collecting);
    describe_reply(collecting, &reply);
    makes_plans = is_worth_planning(collecting, &reply);
    if (prfdata_reply_bytes(&reply) > block->capacity) {
        if (makes_plans)
            plan_without_room(collecting, &reply);
        return ERROR_MORE_DATA;
    }
    *objects = prfdata_reply_put(&reply, block);
    assert(block->used == prfdata_reply_bytes(&reply));
    if (reply.metadata || reply.sums_unknown)
        return ERROR_SUCCESS;
    remember_shown_sums(collecting);
    if (makes_plans)
        make_plans(collecting, &reply, block->bytes);
    return ERROR_SUCCESS;
}

static bool wants_sums(const struct collecting *collecting)
{
    const prfdata_model *model = collecting->installation->shape.model;

    for (uint32_t i = 0; i < model->object_count; i++)
        if (collecting->wanted[i] && (!model->objects[i].has_instances ||
                                      (model->objects[i].options & PRFDATA_OPTION_TOTAL)))
            return true;
    return false;
}

/* Write by plans. Returns what prfdata_plans_write() does. */
static uint32_t write_planned(struct collecting *collecting, prfdata_perf_block *block,
                              uint32_t *objects)
{
    prfdata_shared_regions *shared = collecting->installation->shared;
    uint32_t error;

    if (collecting->metadata || !can_be_planned(collecting))
        return ERROR_NOT_FOUND;
    error = prfdata_plans_write(&shared->plans, &collecting->installation->shape,
                                collecting->installation->template, collecting->set,
                                &shared->regions.carry, collecting->wanted, block, objects);
    collecting->is_planned = error != ERROR_NOT_FOUND;
    if (!error && collecting->wants_sums)
        remember_shown_sums(collecting);
    return error;
}

static void acquire_set(struct collecting *collecting)
{
    collecting->set = prfdata_regions_acquire(&collecting->installation->shared->regions,
                                              &collecting->installation->registered);
}

/* Write by merging, or by plans that have sums: in a visit of what is carried. */
static uint32_t write_in_visit(struct collecting *collecting, prfdata_perf_block *block,
                               uint32_t *objects, bool may_be_planned)
{
    prfdata_regions *regions = &collecting->installation->shared->regions;
    prfdata_carry_visit visit;
    uint32_t error = ERROR_NOT_FOUND;

    prfdata_carry_begin(&regions->carry, &visit);
    if (!collecting->metadata)
        acquire_set(collecting);
    if (may_be_planned)
        error = write_planned(collecting, block, objects);
    if (error == ERROR_NOT_FOUND) {
        block->used = 0;
        error = write_merged(collecting, block, objects);
    }
    prfdata_carry_end(&regions->carry, &visit);
    return error;
}

/* Plans without sums neither use nor change what is carried. */
static uint32_t write_rows(struct collecting *collecting, prfdata_perf_block *block,
                           uint32_t *objects)
{
    uint32_t error;

    acquire_set(collecting);
    error = write_planned(collecting, block, objects);
    if (error != ERROR_NOT_FOUND)
        return error;
    prfdata_regions_release(&collecting->installation->shared->regions, collecting->set);
    collecting->set = NULL;
    block->used = 0;
    return write_in_visit(collecting, block, objects, false);
}

/* Returns what write_merged() does. */
static uint32_t write_reply(struct collecting *collecting, uint8_t *data, uint32_t capacity,
                            uint32_t *written, uint32_t *objects)
{
    prfdata_perf_block block;
    uint32_t error;

    prfdata_perf_block_init(&block, data, capacity);
    collecting->wants_sums = wants_sums(collecting);
    error = collecting->metadata || collecting->wants_sums
                ? write_in_visit(collecting, &block, objects, true)
                : write_rows(collecting, &block, objects);
    *written = error ? 0 : (uint32_t)block.used;
    if (error)
        *objects = 0;
    return error;
}

/* Collect on the present installation. Returns what write_reply() does. */
static uint32_t collect_installed(prfdata_provider *provider, const uint16_t *query, void **data,
                                  uint32_t capacity, uint32_t *written, uint32_t *objects)
{
    struct collecting collecting = {0};
    bool wanted[PRFDATA_MAX_OBJECTS];
    uint32_t error = ERROR_SUCCESS;

    collecting.provider = provider;
    collecting.installation = prfdata_installation_acquire(&provider->store);
    if (!collecting.installation)
        return ERROR_SUCCESS;
    collecting.wanted = wanted;
    if (prfdata_query_parse(query, collecting.installation->shape.model,
                            collecting.installation->template->first_counter, wanted,
                            &collecting.metadata)) {
        error = write_reply(&collecting, *data, capacity, written, objects);
        finish_collecting(&collecting);
    }
    prfdata_installation_release(&provider->store, collecting.installation);
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
