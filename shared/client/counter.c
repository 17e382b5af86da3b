/* SPDX-License-Identifier: MIT */
/*
 * Looks up counters and distributions, and counts measured times. The other functions that count
 * are in-line, in <prfdata/prfdata.h>.
 */
#include <string.h>

#include <prfdata/atomic.h>

#include "client/counter.h"
#include "client/retry.h"
#include "client/status.h"
#include "system/os_report.h"

/* The values of prfdata_pair.base_use: how the base changes when a time is counted. */
enum { BASE_NONE = 0, BASE_COUNTS_OPERATIONS = 1, BASE_IS_STAMP = 2 };

static const prfdata_handle scratch = PRFDATA_HANDLE_INIT;

prfdata_handle prfdata_counter_handle(const prfdata_publisher *publisher,
                                      const prfdata_counter_place *place)
{
    const prfdata_region_section *section = &publisher->layout->sections[place->object_index];
    const prfdata_model_counter *counter = place->counter;
    uint8_t *const bytes = prfdata_publisher_bytes(publisher);
    prfdata_handle handle = PRFDATA_HANDLE_INIT;

    if (counter->is_hot)
        handle.lanes =
            prfdata_region_lanes_at(bytes, section, place->slot_index, counter->hot_index);
    else
        handle.cell =
            prfdata_region_cells_at(bytes, section, place->slot_index) + counter->cell_index;
    if (counter->merging == PRFDATA_MERGING_ACCUMULATE &&
        publisher->model->objects[place->object_index].has_instances)
        handle.baseline =
            prfdata_region_baselines_at(bytes, section, place->slot_index) + counter->cell_index;
    return handle;
}

/* The caller holds the publisher's lock. */
static uint32_t find_counter_slot(const prfdata_publisher *publisher,
                                  const prfdata_model_object *object,
                                  const prfdata_instance *instance, uint32_t *slot_index)
{
    *slot_index = 0;
    if (!publisher->is_open)
        return ERROR_INVALID_HANDLE;
    if (!object->has_instances)
        return instance ? ERROR_INVALID_PARAMETER : ERROR_SUCCESS;
    if (!instance)
        return ERROR_INVALID_PARAMETER;
    if (!instance->publisher)
        return ERROR_NOT_FOUND; /* a failed prfdata_instance_add() left the instance zeroed */
    if (instance->publisher != publisher ||
        instance->object_index != (uint32_t)(object - publisher->model->objects))
        return ERROR_INVALID_PARAMETER;
    *slot_index = instance->slot_index;
    return prfdata_publisher_is_live(instance) ? ERROR_SUCCESS : ERROR_NOT_FOUND;
}

static uint32_t find_slot_for(prfdata_publisher *publisher, const prfdata_model_object *object,
                              const prfdata_instance *instance, uint32_t *slot_index)
{
    uint32_t error;

    prfdata_retry_rarely(publisher);
    prfdata_os_lock_enter(&publisher->lock);
    error = find_counter_slot(publisher, object, instance, slot_index);
    prfdata_os_lock_leave(&publisher->lock);
    return error;
}

/* Report a failed look-up, except in a closed publisher. Returns the error. */
static uint32_t report_lookup(prfdata_publisher *publisher, uint32_t id, uint32_t error)
{
    if (error && error != ERROR_INVALID_HANDLE)
        prfdata_status_report_lookup(publisher, id, error);
    return error;
}

static uint32_t find_place(prfdata_publisher *publisher, uint32_t counter_id,
                           const prfdata_instance *instance, prfdata_counter_place *place)
{
    const prfdata_model_object *object;

    place->counter = prfdata_model_find_counter(publisher->model, counter_id, &object);
    if (!place->counter || place->counter->cell_index == PRFDATA_NONE)
        return ERROR_NOT_FOUND;
    if (place->counter->shows || place->counter->health)
        return ERROR_NOT_SUPPORTED;
    place->object_index = (uint32_t)(object - publisher->model->objects);
    return find_slot_for(publisher, object, instance, &place->slot_index);
}

uint32_t prfdata_counter_find(prfdata_publisher *publisher, uint32_t counter_id,
                              const prfdata_instance *instance, prfdata_counter_place *place)
{
    if (!publisher)
        return ERROR_INVALID_HANDLE;
    return report_lookup(publisher, counter_id, find_place(publisher, counter_id, instance, place));
}

uint32_t prfdata_resolve(prfdata_publisher *publisher, uint32_t counter_id,
                         const prfdata_instance *instance, prfdata_handle *handle)
{
    prfdata_counter_place place;
    uint32_t error;

    *handle = scratch;
    error = prfdata_counter_find(publisher, counter_id, instance, &place);
    if (!error)
        *handle = prfdata_counter_handle(publisher, &place);
    return error;
}

uint32_t prfdata_resolve_pair(prfdata_publisher *publisher, uint32_t counter_id,
                              const prfdata_instance *instance, prfdata_pair *pair)
{
    prfdata_counter_place place;
    const prfdata_model_counter *counter;
    uint32_t error;

    memset(pair, 0, sizeof *pair);
    error = prfdata_counter_find(publisher, counter_id, instance, &place);
    if (error)
        return error;
    counter = place.counter;
    if (!counter->has_base && counter->ticks == PRFDATA_TICKS_NONE)
        return report_lookup(publisher, counter_id, ERROR_NOT_SUPPORTED);
    pair->value = prfdata_counter_handle(publisher, &place);
    pair->ticks = counter->ticks;
    if (counter->has_base) {
        place.counter++; /* in the model, the base directly follows its counter */
        pair->base = prfdata_counter_handle(publisher, &place);
        pair->base_use = place.counter->merging == PRFDATA_MERGING_NEWEST ? BASE_IS_STAMP
                         : counter->entry->type == PERF_AVERAGE_TIMER     ? BASE_COUNTS_OPERATIONS
                                                                          : BASE_NONE;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_resolve_distribution(prfdata_publisher *publisher, uint32_t distribution_id,
                                      const prfdata_instance *instance,
                                      prfdata_distribution *distribution)
{
    const prfdata_model_distribution *found;
    const prfdata_model_object *object;
    uint32_t slot_index;
    uint32_t error;

    memset(distribution, 0, sizeof *distribution);
    if (!publisher)
        return ERROR_INVALID_HANDLE;
    found = prfdata_model_find_distribution(publisher->model, distribution_id, &object);
    error = found ? find_slot_for(publisher, object, instance, &slot_index) : ERROR_NOT_FOUND;
    if (error)
        return report_lookup(publisher, distribution_id, error);
    distribution->words = prfdata_region_distribution_at(
        prfdata_publisher_bytes(publisher),
        &publisher->layout->sections[object - publisher->model->objects], slot_index, found);
    distribution->shape = found->shape;
    distribution->unit = found->entry->unit;
    return ERROR_SUCCESS;
}

int64_t prfdata_get_hot(prfdata_handle handle)
{
    return (int64_t)(prfdata_lanes_sum(handle.lanes) - prfdata_inner_baseline(handle));
}

void prfdata_inner_refuse_hot(void)
{
    static uint64_t has_said;
    uint64_t expected = 0;

    if (prfdata_swap64_relaxed(&has_said, &expected, 1))
        prfdata_os_debug_output(
            "PrfData: prfdata_set and prfdata_raise do nothing to a hot counter, "
            "which only grows; use prfdata_add.\n");
}

static uint64_t ticks_to_100ns(uint64_t ticks)
{
    const uint64_t per_second = prfdata_os_ticks_per_second();
    const uint64_t units = 10000000;

    if (per_second == units)
        return ticks;
    return ticks / per_second * units + ticks % per_second * units / per_second;
}

uint64_t prfdata_timer_start(prfdata_pair pair)
{
    uint64_t now = prfdata_os_ticks();

    return pair.ticks == PRFDATA_TICKS_100NS ? ticks_to_100ns(now) : now;
}

static void count_ticks(prfdata_pair pair, uint64_t ticks, uint64_t now)
{
    prfdata_add(pair.value, (int64_t)ticks);
    if (pair.base_use == BASE_COUNTS_OPERATIONS)
        prfdata_increment(pair.base);
    else if (pair.base_use == BASE_IS_STAMP)
        prfdata_raise(pair.base, (int64_t)now);
}

void prfdata_timer_stop(prfdata_pair pair, uint64_t started)
{
    uint64_t now = prfdata_timer_start(pair);

    count_ticks(pair, now > started ? now - started : 0, now);
}

void prfdata_timer_add_ns(prfdata_pair pair, uint64_t elapsed_ns)
{
    const uint64_t per_second =
        pair.ticks == PRFDATA_TICKS_100NS ? 10000000 : prfdata_os_ticks_per_second();
    const uint64_t ns_per_second = 1000000000;

    /* The products fit into 64 bits for clocks of up to 18 GHz and times of up to 32 years. */
    count_ticks(pair,
                elapsed_ns / ns_per_second * per_second +
                    elapsed_ns % ns_per_second * per_second / ns_per_second,
                prfdata_timer_start(pair));
}

uint64_t prfdata_record_start(void)
{
    return prfdata_os_ticks();
}

void prfdata_record_since(prfdata_distribution distribution, uint64_t started)
{
    const uint64_t now = prfdata_os_ticks();

    if (distribution.unit == PRFDATA_UNIT_100NS)
        prfdata_record(distribution, now > started ? ticks_to_100ns(now - started) : 0);
}

void prfdata_elapsed_start(prfdata_handle handle)
{
    prfdata_set(handle, (int64_t)prfdata_os_ticks());
}

void prfdata_elapsed_stop(prfdata_handle handle)
{
    prfdata_set(handle, 0);
}
