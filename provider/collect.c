/* SPDX-License-Identifier: MIT */
/*
 * Collect: parse the query, take snapshots of the regions, merge them, write the reply. What cannot
 * be read is left out; only a short buffer is an error. Loading the installation is here too. Knows
 * neither the layout of regions nor perflib.
 */
#include "provider/collect.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/names.h"
#include "provider/merge.h"
#include "core/perf_wire.h"
#include "provider/query.h"
#include "provider/regions.h"
#include "provider/template.h"

/* What the installer stored, once it was found. */
struct installation {
    prfdata_model *model;
    prfdata_template *template;
    prfdata_regions regions;
};

struct prfdata_provider {
    char service[PRFDATA_MAX_SERVICE_CHARS + 1];
    uint64_t seed; /* of the merge */
    uint64_t refresh_ms;
    prfdata_os_lock loading;
    uint64_t loaded_ms;                /* under `loading`: of the last attempt */
    prfdata_os_lock lock;              /* of what follows */
    struct installation *installation; /* set once, then constant */
    prfdata_provider_counts counts;
    prfdata_events events;
};

/* ---- Installation ---- */

static void unload_installation(struct installation *installation)
{
    if (!installation)
        return;
    if (installation->template)
        prfdata_regions_done(&installation->regions);
    free(installation->template);
    prfdata_model_free(installation->model);
    free(installation);
}

static uint32_t load_setting_number(prfdata_provider *provider, const char *name, uint32_t *value)
{
    uint32_t error = prfdata_os_setting_number(provider->service, name, value);

    if (error)
        prfdata_events_notice_ascii(&provider->events, PRFDATA_EVENT_VALUE_MISSING, name, error);
    return error;
}

/* Key names are compared ignoring case; a service name is ASCII. */
static bool same_service(const char *a, const char *b)
{
    while (*a && *b && (*a | 0x20) == (*b | 0x20)) {
        a++;
        b++;
    }
    return *a == *b;
}

static uint32_t decode_model(const prfdata_provider *provider, const void *bytes, size_t size,
                             prfdata_model **model)
{
    uint32_t error = prfdata_model_from_bytes(bytes, size, model);

    if (error || same_service((*model)->map->service, provider->service))
        return error;
    prfdata_model_free(*model);
    return ERROR_INVALID_NAME;
}

static uint32_t load_model(prfdata_provider *provider, prfdata_model **model)
{
    void *bytes;
    size_t size;
    uint32_t error =
        prfdata_os_setting_bytes(provider->service, "Map", PRFDATA_MAX_MAP_BYTES, &bytes, &size);

    if (error) {
        prfdata_events_notice_ascii(&provider->events, PRFDATA_EVENT_VALUE_MISSING, "Map", error);
        return error;
    }
    error = decode_model(provider, bytes, size, model);
    free(bytes);
    if (error && error != ERROR_NOT_ENOUGH_MEMORY)
        prfdata_events_notice(&provider->events, PRFDATA_EVENT_MAP_INVALID, L"", error);
    return error;
}

/* Takes ownership of the model, also on failure. Returns NULL if memory is exhausted. */
static struct installation *make_installation(prfdata_provider *provider, prfdata_model *model,
                                              uint32_t first_counter, uint32_t first_help)
{
    struct installation *installation = calloc(1, sizeof *installation);

    if (!installation) {
        prfdata_model_free(model);
        return NULL;
    }
    installation->model = model;
    if (prfdata_regions_init(&installation->regions, provider->service, model) ||
        prfdata_template_make(model, first_counter, first_help, &installation->template)) {
        unload_installation(installation);
        return NULL;
    }
    installation->regions.refresh_ms = provider->refresh_ms;
    installation->regions.events = &provider->events;
    return installation;
}

/* Returns NULL if the service is not installed, or its values are wrong. */
static struct installation *load_installation(prfdata_provider *provider)
{
    prfdata_model *model;
    uint32_t first_counter;
    uint32_t first_help;

    if (load_model(provider, &model))
        return NULL;
    if (load_setting_number(provider, "First Counter", &first_counter) ||
        load_setting_number(provider, "First Help", &first_help)) {
        prfdata_model_free(model);
        return NULL;
    }
    return make_installation(provider, model, first_counter, first_help);
}

static struct installation *loaded_installation(prfdata_provider *provider)
{
    struct installation *installation;

    prfdata_os_lock_enter(&provider->lock);
    installation = provider->installation;
    prfdata_os_lock_leave(&provider->lock);
    return installation;
}

/* The installation, looked for at most once per refresh time and by one thread. */
static struct installation *find_installation(prfdata_provider *provider)
{
    struct installation *found = loaded_installation(provider);
    uint64_t now = prfdata_os_milliseconds() + 1;

    if (found || !prfdata_os_lock_try(&provider->loading))
        return found;
    if (!loaded_installation(provider) &&
        (provider->loaded_ms == 0 || now >= provider->loaded_ms + provider->refresh_ms)) {
        provider->loaded_ms = now;
        found = load_installation(provider);
        prfdata_os_lock_enter(&provider->lock);
        provider->installation = found;
        prfdata_os_lock_leave(&provider->lock);
    }
    prfdata_os_lock_leave(&provider->loading);
    return loaded_installation(provider);
}

/* Look at the regions now, so that the first Collect need not. */
static void attach_early(prfdata_provider *provider)
{
    struct installation *installation = find_installation(provider);

    if (installation)
        prfdata_regions_release(&installation->regions,
                                prfdata_regions_acquire(&installation->regions));
}

/* A provider without installation; NULL: no memory. */
static prfdata_provider *make_empty_provider(const char *service)
{
    prfdata_provider *made = calloc(1, sizeof *made);

    if (!made || strlen(service) >= sizeof made->service || prfdata_os_guard_open()) {
        free(made);
        return NULL;
    }
    memcpy(made->service, service, strlen(service) + 1);
    made->seed = prfdata_os_random();
    made->refresh_ms = 1000;
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

uint32_t prfdata_provider_open_map(const char *service, const void *map, size_t map_bytes,
                                   uint32_t first_counter, uint32_t first_help,
                                   prfdata_provider **provider)
{
    prfdata_provider *opened = make_empty_provider(service);
    prfdata_model *model;
    uint32_t error;

    if (!opened)
        return ERROR_NOT_ENOUGH_MEMORY;
    error = decode_model(opened, map, map_bytes, &model);
    if (!error) {
        opened->installation = make_installation(opened, model, first_counter, first_help);
        error = opened->installation ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
    }
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
    unload_installation(provider->installation);
    prfdata_os_guard_close();
    free(provider);
}

void prfdata_provider_set_refresh(prfdata_provider *provider, uint64_t milliseconds)
{
    provider->refresh_ms = milliseconds;
    if (provider->installation)
        provider->installation->regions.refresh_ms = milliseconds;
}

void prfdata_provider_set_event_writer(prfdata_provider *provider, uint32_t level,
                                       prfdata_event_writer *write, void *context)
{
    prfdata_events_set_writer(&provider->events, level, write, context);
    prfdata_events_report(&provider->events, provider->service);
}

void prfdata_provider_get_counts(prfdata_provider *provider, prfdata_provider_counts *counts)
{
    prfdata_os_lock_enter(&provider->lock);
    *counts = provider->counts;
    prfdata_os_lock_leave(&provider->lock);
}

/* ---- One Collect ---- */

struct collecting {
    prfdata_provider *provider;
    struct installation *installation;
    prfdata_region_set *set;
    const bool *wanted;
    bool metadata;
    prfdata_merge_source *sources; /* one per region that could be read */
    prfdata_attached **origins;    /* of the sources */
    uint32_t source_count;
    prfdata_merged *merged;
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

/* Region number `i` gets its share of the budget; what it does not use remains there. */
static uint32_t take_snapshot(struct collecting *collecting, uint32_t i,
                              prfdata_snapshot_budget *left, prfdata_snapshot **snapshot)
{
    const prfdata_snapshot_budget share = prfdata_snapshot_share(left, collecting->set->count - i);
    prfdata_snapshot_budget budget = share;
    uint32_t error =
        prfdata_regions_snapshot(&collecting->installation->regions, collecting->set->regions[i],
                                 collecting->wanted, &budget, snapshot);

    left->tries -= share.tries - budget.tries;
    left->bytes -= share.bytes - budget.bytes;
    collecting->counts.tries += share.tries - budget.tries;
    return error;
}

/*
 * A region that cannot be read is left out. Exhausted memory ends the whole Collect: the totals
 * would fall if only some regions counted.
 */
static uint32_t take_snapshots(struct collecting *collecting)
{
    prfdata_snapshot_budget left = {PRFDATA_SNAPSHOT_ALL_TRIES, PRFDATA_SNAPSHOT_ALL_RETRY_BYTES};

    for (uint32_t i = 0; collecting->set && i < collecting->set->count; i++) {
        prfdata_attached *attached = collecting->set->regions[i];
        prfdata_merge_source *source = &collecting->sources[collecting->source_count];
        uint32_t error;

        if (prfdata_load32_relaxed(&attached->is_broken))
            continue;
        error = take_snapshot(collecting, i, &left, &source->snapshot);
        if (error == ERROR_NOT_ENOUGH_MEMORY)
            return error;
        if (error) {
            collecting->counts.broken_regions++;
            continue;
        }
        source->is_live =
            source->snapshot->is_published && prfdata_load32_relaxed(&attached->is_alive);
        collecting->counts.torn_copies += source->snapshot->torn_count;
        notice_contents(collecting, attached, source);
        collecting->origins[collecting->source_count++] = attached;
    }
    return ERROR_SUCCESS;
}

static uint32_t take_and_merge(struct collecting *collecting)
{
    const size_t count = collecting->set ? collecting->set->count : 0;
    uint32_t error;

    collecting->sources = calloc(count + 1, sizeof *collecting->sources);
    collecting->origins = calloc(count + 1, sizeof *collecting->origins);
    if (!collecting->sources || !collecting->origins)
        return ERROR_NOT_ENOUGH_MEMORY;
    error = take_snapshots(collecting);
    if (error)
        return error;
    return prfdata_merge_make(collecting->installation->model, collecting->wanted,
                              collecting->sources, collecting->source_count,
                              collecting->provider->seed, &collecting->merged);
}

static void finish_collecting(struct collecting *collecting)
{
    prfdata_provider *provider = collecting->provider;

    prfdata_merge_free(collecting->merged); /* before the snapshots, whose names it borrows */
    for (uint32_t i = 0; i < collecting->source_count; i++)
        prfdata_regions_release_snapshot(collecting->origins[i], collecting->sources[i].snapshot);
    free(collecting->sources);
    free(collecting->origins);
    prfdata_regions_release(&collecting->installation->regions, collecting->set);
    prfdata_os_lock_enter(&provider->lock);
    provider->counts.dropped_instances += collecting->counts.dropped_instances;
    provider->counts.torn_copies += collecting->counts.torn_copies;
    provider->counts.broken_regions += collecting->counts.broken_regions;
    provider->counts.tries += collecting->counts.tries;
    prfdata_os_lock_leave(&provider->lock);
}

/* ---- What is shown ---- */

/* Regions exist and none may be read: sums would wrongly be shown as 0. */
static bool nothing_is_known(const struct collecting *collecting)
{
    return !collecting->metadata && collecting->source_count == 0 &&
           (!collecting->set || collecting->set->some_unknown);
}

static bool shows_object(const struct collecting *collecting, uint32_t object_index)
{
    return collecting->wanted[object_index] &&
           (collecting->installation->model->objects[object_index].has_instances ||
            !nothing_is_known(collecting));
}

static bool shows_total(const struct collecting *collecting, uint32_t object_index)
{
    return (collecting->installation->model->objects[object_index].options &
            PRFDATA_OPTION_TOTAL) &&
           !nothing_is_known(collecting);
}

/* What put_object_contents will put. */
static size_t contents_bytes(const struct collecting *collecting, uint32_t object_index)
{
    const prfdata_model_object *object = &collecting->installation->model->objects[object_index];
    size_t bytes;

    if (collecting->metadata)
        return 0;
    if (!object->has_instances)
        return object->block_bytes;
    bytes = collecting->merged->objects[object_index].bytes;
    if (shows_total(collecting, object_index))
        bytes += prfdata_merge_instance_bytes(object, PRFDATA_NAMES_TOTAL_CHARS);
    return bytes;
}

static uint64_t reply_bytes(const struct collecting *collecting)
{
    const struct installation *installation = collecting->installation;
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < installation->model->object_count; i++)
        if (shows_object(collecting, i))
            bytes += installation->template->objects[i].size + contents_bytes(collecting, i);
    return bytes;
}

/* ---- Writing ---- */

static void write_counter_block(prfdata_perf_block *block, const prfdata_model_object *object,
                                const uint64_t *values)
{
    const uint32_t byte_length = object->block_bytes;
    size_t offset = prfdata_perf_block_skip(block, byte_length);

    if (!prfdata_perf_block_fits(block))
        return;
    prfdata_perf_block_patch(block, offset, &byte_length, sizeof byte_length);
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];
        uint8_t *value = block->bytes + offset + counter->block_offset;

        /* Sizes that the compiler knows; little-endian: the low bytes come first. */
        if (counter->value_bytes == sizeof(uint64_t))
            memcpy(value, &values[counter->cell_index], sizeof(uint64_t));
        else if (counter->value_bytes == sizeof(uint32_t))
            memcpy(value, &values[counter->cell_index], sizeof(uint32_t));
    }
}

static void write_instance_definition(prfdata_perf_block *block, uint32_t parent_title,
                                      uint32_t parent_position, const uint16_t *name,
                                      uint32_t name_chars, int32_t unique_id)
{
    prfdata_perf_instance_definition definition = {0};
    const uint32_t name_bytes = name ? 2 * (name_chars + 1) : 0;
    const uint32_t padded = (uint32_t)(sizeof definition + name_bytes + 7) / 8 * 8;

    definition.byte_length = padded;
    definition.parent_object_title_index = parent_title;
    definition.parent_object_instance = parent_position;
    definition.unique_id = name ? PERF_NO_UNIQUE_ID : unique_id;
    definition.name_offset = name ? (uint32_t)sizeof definition : 0;
    definition.name_length = name_bytes;
    prfdata_perf_block_put(block, &definition, sizeof definition);
    prfdata_perf_block_put(block, name, name ? 2 * name_chars : 0);
    prfdata_perf_block_skip(block, padded - sizeof definition - (name ? 2 * name_chars : 0));
}

static int32_t put_object_instances(const struct collecting *collecting, uint32_t object_index,
                                    prfdata_perf_block *block)
{
    const prfdata_model *model = collecting->installation->model;
    const prfdata_model_object *object = &model->objects[object_index];
    const prfdata_merge_object *merged = &collecting->merged->objects[object_index];
    uint32_t parent_title = 0;

    if (object->parent_index != PRFDATA_NONE)
        parent_title = collecting->installation->template->first_counter +
                       model->objects[object->parent_index].title_offset;
    for (uint32_t i = 0; i < merged->row_count; i++) {
        const prfdata_merge_row *row = &merged->rows[i];
        bool has_parent = row->parent_row != PRFDATA_NONE;

        write_instance_definition(block, has_parent ? parent_title : 0,
                                  has_parent ? row->parent_row : 0, row->name, row->name_chars,
                                  row->unique_id);
        write_counter_block(block, object, merged->values + (size_t)i * object->cell_count);
    }
    if (!shows_total(collecting, object_index))
        return (int32_t)merged->row_count;
    write_instance_definition(block, 0, 0, prfdata_names_total, PRFDATA_NAMES_TOTAL_CHARS, 0);
    write_counter_block(block, object, merged->totals);
    return (int32_t)merged->row_count + 1;
}

static int32_t put_object_contents(const struct collecting *collecting, uint32_t object_index,
                                   prfdata_perf_block *block)
{
    const prfdata_model_object *object = &collecting->installation->model->objects[object_index];

    if (collecting->metadata)
        return object->has_instances ? PERF_METADATA_MULTIPLE_INSTANCES
                                     : PERF_METADATA_NO_INSTANCES;
    if (object->has_instances)
        return put_object_instances(collecting, object_index, block);
    write_counter_block(block, object, collecting->merged->objects[object_index].totals);
    return PERF_NO_INSTANCES;
}

static uint32_t put_wanted_objects(const struct collecting *collecting, prfdata_perf_block *block)
{
    const struct installation *installation = collecting->installation;
    const int64_t perf_time = (int64_t)prfdata_os_ticks();
    const int64_t perf_freq = (int64_t)prfdata_os_ticks_per_second();
    uint32_t objects = 0;

    for (uint32_t i = 0; i < installation->model->object_count; i++) {
        size_t offset;

        if (!shows_object(collecting, i))
            continue;
        offset = prfdata_template_put(installation->template, i, perf_time, perf_freq, block);
        prfdata_template_finish(block, offset, put_object_contents(collecting, i, block));
        objects++;
    }
    return objects;
}

static void count_dropped(struct collecting *collecting)
{
    for (uint32_t i = 0; collecting->merged && i < collecting->merged->object_count; i++) {
        const uint64_t dropped = collecting->merged->objects[i].dropped;

        collecting->counts.dropped_instances += dropped;
        if (dropped > 0)
            prfdata_events_notice(&collecting->provider->events, PRFDATA_EVENT_TOO_LARGE,
                                  collecting->installation->model->objects[i].entry->name, 0);
    }
}

/*
 * Returns ERROR_SUCCESS with what was written, ERROR_MORE_DATA before anything is, or another
 * error.
 */
static uint32_t write_reply(struct collecting *collecting, uint8_t *data, uint32_t capacity,
                            uint32_t *written, uint32_t *objects)
{
    prfdata_perf_block block;

    if (!collecting->metadata) {
        uint32_t error;

        collecting->set = prfdata_regions_acquire(&collecting->installation->regions);
        error = take_and_merge(collecting);
        if (error)
            return error;
    }
    count_dropped(collecting);
    if (reply_bytes(collecting) > capacity)
        return ERROR_MORE_DATA;
    prfdata_perf_block_init(&block, data, capacity);
    *objects = put_wanted_objects(collecting, &block);
    assert(block.used == reply_bytes(collecting));
    *written = (uint32_t)block.used;
    return ERROR_SUCCESS;
}

static uint32_t collect_objects(prfdata_provider *provider, const uint16_t *query, void **data,
                                uint32_t *data_bytes, uint32_t *object_count)
{
    const uint32_t capacity = *data_bytes;
    struct collecting collecting = {0};
    uint32_t status = ERROR_SUCCESS;
    bool *wanted;

    *data_bytes = 0;
    *object_count = 0;
    collecting.provider = provider;
    collecting.installation = find_installation(provider);
    if (!collecting.installation)
        return ERROR_SUCCESS;
    wanted = calloc(collecting.installation->model->object_count, sizeof *wanted);
    if (!wanted)
        return ERROR_SUCCESS;
    collecting.wanted = wanted;
    if (prfdata_query_parse(query, collecting.installation->model,
                            collecting.installation->template->first_counter, wanted,
                            &collecting.metadata)) {
        status = write_reply(&collecting, *data, capacity, data_bytes, object_count);
        finish_collecting(&collecting);
        if (*data_bytes > 0)
            *data = (uint8_t *)*data + *data_bytes;
    }
    free(wanted);
    return status == ERROR_MORE_DATA ? ERROR_MORE_DATA : ERROR_SUCCESS;
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
                          provider->service); /* nothing is locked here: it may wait */
    return status;
}
