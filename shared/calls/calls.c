/* SPDX-License-Identifier: MIT */
/*
 * Exports the in-line functions of <prfdata/prfdata.h> as calls, and the few calls that only other
 * languages need. <prfdata/calls.h> declares all of them. prfdata.def lists the exports.
 */
#include <prfdata/calls.h>

#include <string.h>

#include "client/publisher.h"

static const prfdata_handle no_handle = PRFDATA_HANDLE_INIT;
static const prfdata_pair no_pair = PRFDATA_PAIR_INIT;
static const prfdata_exclusive no_exclusive = PRFDATA_EXCLUSIVE_INIT;
static const prfdata_distribution no_distribution = PRFDATA_DISTRIBUTION_INIT;

static prfdata_handle handle_at(const prfdata_handle *handle)
{
    return handle ? *handle : no_handle;
}

static prfdata_pair pair_at(const prfdata_pair *pair)
{
    return pair ? *pair : no_pair;
}

static prfdata_distribution distribution_at(const prfdata_distribution *distribution)
{
    return distribution ? *distribution : no_distribution;
}

uint32_t prfdata_call_version(void)
{
    return PRFDATA_CALLS_VERSION;
}

uint32_t prfdata_call_find_id(const prfdata_publisher *publisher, const char *symbol, uint32_t *id)
{
    const prfdata_map *map;

    if (!publisher)
        return ERROR_INVALID_HANDLE;
    map = publisher->model->map;
    for (uint32_t i = 0; i < map->entry_count; i++)
        if (map->entries[i].kind != PRFDATA_ENTRY_OPTION &&
            !strcmp(map->entries[i].symbol, symbol)) {
            *id = map->entries[i].id;
            return ERROR_SUCCESS;
        }
    return ERROR_NOT_FOUND;
}

void prfdata_call_get_sizes(prfdata_call_sizes *sizes)
{
    sizes->handle = sizeof(prfdata_handle);
    sizes->pair = sizeof(prfdata_pair);
    sizes->instance = sizeof(prfdata_instance);
    sizes->exclusive = sizeof(prfdata_exclusive);
    sizes->distribution = sizeof(prfdata_distribution);
}

void prfdata_call_increment(const prfdata_handle *handle)
{
    prfdata_increment(handle_at(handle));
}

void prfdata_call_decrement(const prfdata_handle *handle)
{
    prfdata_decrement(handle_at(handle));
}

void prfdata_call_add(const prfdata_handle *handle, int64_t amount)
{
    prfdata_add(handle_at(handle), amount);
}

void prfdata_call_subtract(const prfdata_handle *handle, int64_t amount)
{
    prfdata_subtract(handle_at(handle), amount);
}

void prfdata_call_set(const prfdata_handle *handle, int64_t value)
{
    prfdata_set(handle_at(handle), value);
}

void prfdata_call_raise(const prfdata_handle *handle, int64_t value)
{
    prfdata_raise(handle_at(handle), value);
}

int64_t prfdata_call_get(const prfdata_handle *handle)
{
    return prfdata_get(handle_at(handle));
}

uint64_t *prfdata_call_cell(const prfdata_handle *handle)
{
    const prfdata_handle at = handle_at(handle);

    return at.lanes ? NULL : prfdata_inner_cell(at);
}

void prfdata_call_exclusive_add(const prfdata_exclusive *handle, int64_t amount)
{
    prfdata_exclusive_add(handle ? handle : &no_exclusive, amount);
}

void prfdata_call_pair_add(const prfdata_pair *pair, int64_t amount, int64_t base_amount)
{
    prfdata_pair_add(pair_at(pair), amount, base_amount);
}

void prfdata_call_average_add(const prfdata_pair *pair, int64_t amount)
{
    prfdata_average_add(pair_at(pair), amount);
}

int64_t prfdata_call_get_value(const prfdata_pair *pair)
{
    return prfdata_get(pair_at(pair).value);
}

int64_t prfdata_call_get_base(const prfdata_pair *pair)
{
    return prfdata_get(pair_at(pair).base);
}

uint64_t prfdata_call_timer_start(const prfdata_pair *pair)
{
    return prfdata_timer_start(pair_at(pair));
}

void prfdata_call_timer_stop(const prfdata_pair *pair, uint64_t started)
{
    prfdata_timer_stop(pair_at(pair), started);
}

void prfdata_call_elapsed_start(const prfdata_handle *handle)
{
    prfdata_elapsed_start(handle_at(handle));
}

void prfdata_call_elapsed_stop(const prfdata_handle *handle)
{
    prfdata_elapsed_stop(handle_at(handle));
}

void prfdata_call_record(const prfdata_distribution *distribution, uint64_t value)
{
    prfdata_record(distribution_at(distribution), value);
}

uint64_t prfdata_call_record_start(void)
{
    return prfdata_record_start();
}

void prfdata_call_record_since(const prfdata_distribution *distribution, uint64_t started)
{
    prfdata_record_since(distribution_at(distribution), started);
}

uint64_t prfdata_call_recorded_count(const prfdata_distribution *distribution)
{
    return prfdata_recorded_count(distribution_at(distribution));
}

uint64_t prfdata_call_recorded_sum(const prfdata_distribution *distribution)
{
    return prfdata_recorded_sum(distribution_at(distribution));
}

uint64_t prfdata_call_recorded_mean(const prfdata_distribution *distribution)
{
    return prfdata_recorded_mean(distribution_at(distribution));
}

uint64_t prfdata_call_recorded_maximum(const prfdata_distribution *distribution)
{
    return prfdata_recorded_maximum(distribution_at(distribution));
}

uint64_t prfdata_call_recorded_percentile(const prfdata_distribution *distribution, uint32_t share)
{
    return prfdata_recorded_percentile(distribution_at(distribution), share);
}
