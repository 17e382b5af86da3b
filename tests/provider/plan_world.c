/* SPDX-License-Identifier: MIT */
#include "plan_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/perf_wire.h"
#include "collect/provider.h"
#include "support/provider/collecting.h"
#include "support/provider/provided.h"
#include "support/test.h"

#define SERVICE "PrfDataTestPlan"

PRFDATA_MAP_BEGIN_AS(distributions_map)
PRFDATA_MAP_OBJ(PORTS_ID, L"My Ports", L"P.", PERF_DETAIL_NOVICE, P50_ID, 6, 9)
PRFDATA_MAP_TOTAL()
PRFDATA_MAP_DISTRIBUTION_WITH(TIME_ID, PRFDATA_UNIT_100NS, 64, 4096, 4, 60)
PRFDATA_MAP_CTR(P50_ID, L"My p50", L"p.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_PERCENTILE(TIME_ID, 5000)
PRFDATA_MAP_CTR(SEEN_ID, L"My count", L"c.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_COUNT(TIME_ID)
PRFDATA_MAP_OBJ(WORK_ID, L"My Work", L"W.", PERF_DETAIL_NOVICE, WORK_MOST_ID, PERF_NO_INSTANCES, 0)
PRFDATA_MAP_DISTRIBUTION_WITH(WORK_TIME_ID, PRFDATA_UNIT_NUMBER, 1, 1024, 4, 60)
PRFDATA_MAP_CTR(WORK_MOST_ID, L"My most", L"m.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
PRFDATA_MAP_MAXIMUM(WORK_TIME_ID)
PRFDATA_MAP_END_AS(distributions_map, SERVICE)

sample_map plan_world_map;
static sample_map second_version;
static const prfdata_map *newest; /* the installed version of the map */
prfdata_provider *plan_world_reader;
prfdata_provider *plan_world_merging;
plan_program plan_world_programs[MOST_PROGRAMS];
unsigned char plan_world_rooms[2][ROOM];
static uint32_t next_seed;
uint32_t plan_world_now;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants this name */
uint32_t __wrap_prfdata_distribution_time(void);

uint32_t __wrap_prfdata_distribution_time(void)
{
    return prfdata_load32_relaxed(&plan_world_now);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

/* ---- The world ---- */

/* Adds to the map an object that has no total. Its values all have 8 bytes and follow each other
 * without gaps. */
static void add_lines_plan(void)
{
    sample_map_append(&plan_world_map, sample_map_object(LINES_ID, L"My Lines", SENT_ID, 12, 9));
    sample_map_append(&plan_world_map, sample_map_counter(SENT_ID, PERF_COUNTER_BULK_COUNT));
    sample_map_append(&plan_world_map, sample_map_counter(LOST_ID, PERF_COUNTER_LARGE_RAWCOUNT));
    sample_map_append(&plan_world_map, sample_map_counter(KEPT_ID, PERF_COUNTER_BULK_COUNT));
}

/* Adds an object with a total. Its values are a sum, a maximum and a gauge. */
static void add_peaks(void)
{
    sample_map_append(&plan_world_map, sample_map_object(PEAKS_ID, L"My Peaks", DONE_ID, 12, 9));
    sample_map_append_option(&plan_world_map, PRFDATA_OPTION_TOTAL, 0);
    sample_map_append(&plan_world_map, sample_map_counter(DONE_ID, PERF_COUNTER_BULK_COUNT));
    sample_map_append(&plan_world_map, sample_map_counter(MOST_ID, PERF_COUNTER_LARGE_RAWCOUNT));
    sample_map_append_option(&plan_world_map, PRFDATA_OPTION_MERGE_MAX, 0);
    sample_map_append(&plan_world_map, sample_map_counter(OPEN_ID, PERF_COUNTER_LARGE_RAWCOUNT));
}

static void add_bulk_count(uint32_t id, bool is_hot)
{
    sample_map_append(&plan_world_map, sample_map_counter(id, PERF_COUNTER_BULK_COUNT));
    if (is_hot)
        sample_map_append_option(&plan_world_map, PRFDATA_OPTION_HOT, 0);
}

/* Adds two objects with lanes. Only the first one has instances. */
static void add_heat(void)
{
    sample_map_append(&plan_world_map, sample_map_object(HEATS_ID, L"My Heats", WARM_ID, 12, 9));
    sample_map_append_option(&plan_world_map, PRFDATA_OPTION_TOTAL, 0);
    add_bulk_count(COLD_ID, false);
    add_bulk_count(WARM_ID, true);
    sample_map_append(&plan_world_map,
                      sample_map_object(FURNACE_ID, L"My Furnace", BURNT_ID, PERF_NO_INSTANCES, 0));
    add_bulk_count(BURNT_ID, true);
}

/* Adds an object that has only start times. Its values all have 8 bytes and follow each other
 * without gaps, and its total is not a sum. */
static void add_spans(void)
{
    sample_map_append(&plan_world_map, sample_map_object(SPANS_ID, L"My Spans", BEGUN_ID, 12, 9));
    sample_map_append_option(&plan_world_map, PRFDATA_OPTION_TOTAL, 0);
    sample_map_append(&plan_world_map, sample_map_counter(BEGUN_ID, PERF_ELAPSED_TIME));
    sample_map_append(&plan_world_map, sample_map_counter(FIRST_ID, PERF_ELAPSED_TIME));
}

/* Adds the health of the service, without the numbers that differ between the readers. It has
 * values of 4 and of 8 bytes. */
static void add_health(void)
{
    sample_map_append(&plan_world_map, sample_map_object(HEALTH_ID, L"My Health", HEALTH_ID + 1,
                                                         PERF_NO_INSTANCES, 0));
    for (uint32_t i = PRFDATA_HEALTH_PUBLISHERS; i <= PRFDATA_HEALTH_DROPPED; i++) {
        sample_map_append(&plan_world_map,
                          sample_map_counter(HEALTH_ID + i, i % 2 ? PERF_COUNTER_RAWCOUNT
                                                                  : PERF_COUNTER_LARGE_RAWCOUNT));
        sample_map_append_option(&plan_world_map, PRFDATA_OPTION_HEALTH, i);
    }
}

uint32_t plan_world_wide;

static void add_wide(void)
{
    if (plan_world_wide == 0)
        return;
    sample_map_append(&plan_world_map, sample_map_object(WIDE_ID, L"My Wide", WIDE_ID + 1, 12, 9));
    sample_map_append_option(&plan_world_map, PRFDATA_OPTION_TOTAL, 0);
    for (uint32_t i = 1; i <= plan_world_wide; i++)
        add_bulk_count(WIDE_ID + i, false);
}

/* Makes the second version of the map, in which an object in the middle has one more counter. */
static void make_second_version(void)
{
    const prfdata_map_entry more = sample_map_counter(MORE_ID, PERF_COUNTER_BULK_COUNT);
    uint32_t position = 0;

    second_version = plan_world_map;
    second_version.map.entries = second_version.entries;
    while (second_version.entries[position].id != LOST_ID)
        position++;
    sample_map_insert(&second_version, position, &more);
}

const prfdata_map *plan_world_version(bool is_second)
{
    return is_second ? &second_version.map : &plan_world_map.map;
}

void plan_world_upgrade(bool to_second)
{
    newest = plan_world_version(to_second);
    prfdata_test_service_upgrade(&service, newest);
}

void plan_world_begin(bool has_health)
{
    plan_world_now = 1000000;
    sample_map_init_as(&plan_world_map, SERVICE);
    add_lines_plan();
    add_peaks();
    add_heat();
    for (uint32_t i = 0; i < distributions_map.entry_count; i++)
        sample_map_append(&plan_world_map, distributions_map.entries[i]);
    if (has_health)
        add_health();
    add_spans();
    add_wide();
    make_second_version();
    newest = &plan_world_map.map;
    provided_begin(newest, FIRST_COUNTER);
    memset(plan_world_programs, 0, sizeof plan_world_programs);
    plan_world_reader = provider;
    plan_world_merging = provided_open();
    prfdata_provider_set_plans(plan_world_merging, false);
}

/* ---- Comparing ---- */

uint32_t plan_world_collect(prfdata_provider *reader, const uint16_t *query, unsigned char *bytes,
                            uint32_t *size, uint32_t *objects)
{
    void *data = bytes;
    const uint32_t status = prfdata_provider_collect(reader, query, &data, size, objects);

    assert_ptr_equal(data, bytes + *size);
    return status;
}

void plan_world_mask_times(unsigned char *bytes, uint32_t size)
{
    for (uint32_t at = 0; at < size;) {
        uint32_t length;

        memcpy(&length, bytes + at, sizeof length);
        assert_in_range(length, sizeof(prfdata_perf_object_type), size - at);
        memset(bytes + at + offsetof(prfdata_perf_object_type, perf_time), 0, 8);
        at += length;
    }
}

void plan_world_compare(const char *text, uint32_t room, const char *when)
{
    uint16_t *query = collected_query(text);
    uint32_t sizes[2] = {room, room};
    uint32_t objects[2], status[2];

    memset(plan_world_rooms, 0xA5, sizeof plan_world_rooms);
    status[0] =
        plan_world_collect(plan_world_reader, query, plan_world_rooms[0], &sizes[0], &objects[0]);
    status[1] =
        plan_world_collect(plan_world_merging, query, plan_world_rooms[1], &sizes[1], &objects[1]);
    free(query);
    if (status[0] != status[1] || sizes[0] != sizes[1] || objects[0] != objects[1])
        fail_msg("%s, %s: %u %u %u instead of %u %u %u", when, text, (unsigned)status[0],
                 (unsigned)sizes[0], (unsigned)objects[0], (unsigned)status[1], (unsigned)sizes[1],
                 (unsigned)objects[1]);
    plan_world_mask_times(plan_world_rooms[0], sizes[0]);
    plan_world_mask_times(plan_world_rooms[1], sizes[1]);
    for (uint32_t i = 0; i < sizes[0]; i++)
        if (plan_world_rooms[0][i] != plan_world_rooms[1][i])
            fail_msg("%s, %s: byte %u of %u differs", when, text, (unsigned)i, (unsigned)sizes[0]);
}

void plan_world_look(const char *when, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        plan_world_compare("Global", ROOM, when);
}

void plan_world_end(void)
{
    for (int i = 0; i < MOST_PROGRAMS; i++)
        prfdata_close_and_unmap(plan_world_programs[i].publisher);
    prfdata_provider_close(plan_world_merging);
    (void)provided_end(NULL);
}

/* ---- Programs ---- */

void plan_world_seed(uint32_t seed)
{
    next_seed = seed;
}

uint32_t plan_world_random(uint32_t below)
{
    next_seed = next_seed * 1664525u + 1013904223u;
    return (next_seed >> 8) % below;
}

const wchar_t *plan_world_name(uint32_t index)
{
    static const wchar_t *const names[NAMES] = {L"a", L"bb", L"ccc", L"dddd", L"eeeee", L"ffffff"};

    return names[index];
}

void plan_world_count(const plan_program *in, uint32_t id, const prfdata_instance *instance,
                      int64_t amount)
{
    prfdata_handle handle;

    (void)prfdata_resolve(in->publisher, id, instance, &handle);
    prfdata_add(handle, amount);
}

static const prfdata_capacity few[] = {{QUEUE_ID, 4}, {CONSUMER_ID, 4}, {LINES_ID, 5},
                                       {PEAKS_ID, 1}, {HEATS_ID, 2},    {PORTS_ID, 2}};

static void open_program_plan(plan_program *in, const prfdata_map *map, size_t capacity_count)
{
    memset(in, 0, sizeof *in);
    in->map = map;
    in->capacity_count = capacity_count;
    assert_int_equal(prfdata_open_with(map, few, capacity_count, &in->publisher), ERROR_SUCCESS);
}

void plan_world_start(plan_program *in)
{
    open_program_plan(in, newest, plan_world_random(2) ? sizeof few / sizeof few[0] : 0);
}

void plan_world_start_wide(plan_program *in)
{
    open_program_plan(in, newest, 0);
}

void plan_world_reopen(plan_program *in)
{
    prfdata_close(in->publisher);
    open_program_plan(in, in->map, in->capacity_count);
}

void plan_world_stop(plan_program *in)
{
    prfdata_close_and_unmap(in->publisher);
    in->publisher = NULL;
}

void plan_world_record(const plan_program *in, uint32_t id, const prfdata_instance *instance,
                       uint64_t value)
{
    prfdata_distribution distribution;

    (void)prfdata_resolve_distribution(in->publisher, id, instance, &distribution);
    prfdata_record(distribution, value);
}

void plan_world_count_some(const plan_program *in)
{
    const uint32_t i = plan_world_random(NAMES);
    const int64_t amount = plan_world_random(1000);

    plan_world_count(in, JOBS_ID, &in->queues[i], amount);
    plan_world_count(in, DEPTH_ID, &in->queues[i], (int64_t)plan_world_random(9) - 4);
    plan_world_count(in, TAKEN_ID, &in->consumers[i], amount);
    plan_world_count(in, SENT_ID, &in->lines[i], amount);
    plan_world_count(in, LOST_ID, &in->lines[i], 1);
    plan_world_count(in, DONE_ID, &in->peaks[i], amount);
    plan_world_count(in, MOST_ID, &in->peaks[i], (int64_t)plan_world_random(9) - 4);
    plan_world_count(in, OPEN_ID, &in->peaks[i], 1);
    plan_world_count(in, WARM_ID, &in->heats[i], amount);
    plan_world_count(in, COLD_ID, &in->heats[i], 1);
    plan_world_count(in, BURNT_ID, NULL, 1);
    plan_world_count(in, BEGUN_ID, &in->spans[i], 1 + amount);
    plan_world_count(in, FIRST_ID, &in->spans[i], 1001 - amount);
    plan_world_record(in, TIME_ID, &in->ports[i], 100 + (uint64_t)amount);
    plan_world_record(in, WORK_TIME_ID, NULL, (uint64_t)amount);
    plan_world_count(in, BUSY_ID, NULL, (int64_t)plan_world_random(7) - 2);
}

uint64_t plan_world_planned(void)
{
    return prfdata_provider_number(plan_world_reader, PRFDATA_HEALTH_PLANS_USED);
}
