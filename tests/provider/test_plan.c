/* SPDX-License-Identifier: MIT */
/*
 * Plans give the bytes that merging gives. Two readers look at the same programs after each step of
 * random histories, one with plans and one without; some steps are followed by several looks,
 * because a plan is made at the first. Both begin together, so both remember the same.
 */
#define _GNU_SOURCE /* syscall() */

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#endif

#include <prfdata/atomic.h>
#include <prfdata/prfdata.h>

#include "core/perf_wire.h"
#include "collect/planning.h"
#include "collect/basis.h"
#include "support/collecting.h"
#include "support/counting.h"
#include "support/provided.h"
#include "support/sample_map.h"
#include "support/sampled.h"
#include "support/threads.h"

#define SERVICE "PrfDataTestPlan"

enum {
    FIRST_COUNTER = 9700,
    LINES_TITLE = 9716,
    HEATS_TITLE = 9732,
    FURNACE_TITLE = 9738,
    PORTS_TITLE = 9742
};
enum { ROOM = 1 << 16, MOST_PROGRAMS = 4, NAMES = 6 };
enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID, CONSUMER_ID = 300, TAKEN_ID, BUSY_ID = 201 };
enum { LINES_ID = 500, SENT_ID, LOST_ID, KEPT_ID, PEAKS_ID = 600, DONE_ID, MOST_ID, OPEN_ID };
enum { HEATS_ID = 650, WARM_ID, COLD_ID, FURNACE_ID = 660, BURNT_ID, HEALTH_ID = 700 };

/* Each look lists the folder, which takes Wine a millisecond. */
static uint32_t step_count(void)
{
#ifdef _WIN32
    return 150 / sampled_one_of();
#else
    return 3000 / sampled_one_of();
#endif
}

enum { PORTS_ID = 670, TIME_ID, P50_ID, SEEN_ID, WORK_ID = 680, WORK_TIME_ID, WORK_MOST_ID };
enum { WIDE_ID = 1000, MOST_WIDE = 590 };
enum { QUARTER_MINUTE = 59 /* of 256 ms */ };

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

typedef struct plan_program {
    prfdata_publisher *publisher; /* NULL: it has ended */
    size_t capacity_count;        /* of `few`; 0: the map's capacities */
    prfdata_instance queues[NAMES];
    prfdata_instance consumers[NAMES];
    prfdata_instance lines[NAMES];
    prfdata_instance peaks[NAMES];
    prfdata_instance heats[NAMES];
    prfdata_instance ports[NAMES];
} plan_program;

static sample_map sample;
static prfdata_provider *planned, *merged; /* `provider`, and one without plans */
static plan_program programs[MOST_PROGRAMS];
static unsigned char rooms[2][ROOM];
static uint32_t seed;
static uint32_t now; /* prfdata_distribution_time() */

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker's name */
uint32_t __wrap_prfdata_distribution_time(void);

uint32_t __wrap_prfdata_distribution_time(void)
{
    return prfdata_load32_relaxed(&now);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

/* ---- The world ---- */

/* To the sample: an object whose values are dense and have no total. */
static void add_lines_plan(void)
{
    sample_map_append(&sample, sample_map_object(LINES_ID, L"My Lines", SENT_ID, 12, 9));
    sample_map_append(&sample, sample_map_counter(SENT_ID, PERF_COUNTER_BULK_COUNT));
    sample_map_append(&sample, sample_map_counter(LOST_ID, PERF_COUNTER_LARGE_RAWCOUNT));
    sample_map_append(&sample, sample_map_counter(KEPT_ID, PERF_COUNTER_BULK_COUNT));
}

/* And one that has a total, of a sum, a maximum and present values. */
static void add_peaks(void)
{
    sample_map_append(&sample, sample_map_object(PEAKS_ID, L"My Peaks", DONE_ID, 12, 9));
    sample_map_append_option(&sample, PRFDATA_OPTION_TOTAL, 0);
    sample_map_append(&sample, sample_map_counter(DONE_ID, PERF_COUNTER_BULK_COUNT));
    sample_map_append(&sample, sample_map_counter(MOST_ID, PERF_COUNTER_LARGE_RAWCOUNT));
    sample_map_append_option(&sample, PRFDATA_OPTION_MERGE_MAX, 0);
    sample_map_append(&sample, sample_map_counter(OPEN_ID, PERF_COUNTER_LARGE_RAWCOUNT));
}

static void add_bulk_count(uint32_t id, bool is_hot)
{
    sample_map_append(&sample, sample_map_counter(id, PERF_COUNTER_BULK_COUNT));
    if (is_hot)
        sample_map_append_option(&sample, PRFDATA_OPTION_HOT, 0);
}

/* And objects with lanes, with and without instances. */
static void add_heat(void)
{
    sample_map_append(&sample, sample_map_object(HEATS_ID, L"My Heats", WARM_ID, 12, 9));
    sample_map_append_option(&sample, PRFDATA_OPTION_TOTAL, 0);
    add_bulk_count(COLD_ID, false);
    add_bulk_count(WARM_ID, true);
    sample_map_append(&sample,
                      sample_map_object(FURNACE_ID, L"My Furnace", BURNT_ID, PERF_NO_INSTANCES, 0));
    add_bulk_count(BURNT_ID, true);
}

/* And the service's health, but for what differs between the readers; values of both widths. */
static void add_health(void)
{
    sample_map_append(
        &sample, sample_map_object(HEALTH_ID, L"My Health", HEALTH_ID + 1, PERF_NO_INSTANCES, 0));
    for (uint32_t i = PRFDATA_HEALTH_PUBLISHERS; i <= PRFDATA_HEALTH_DROPPED; i++) {
        sample_map_append(&sample,
                          sample_map_counter(HEALTH_ID + i, i % 2 ? PERF_COUNTER_RAWCOUNT
                                                                  : PERF_COUNTER_LARGE_RAWCOUNT));
        sample_map_append_option(&sample, PRFDATA_OPTION_HEALTH, i);
    }
}

static uint32_t wide_counters; /* of one more object, with a total; 0: there is none */

static void add_wide(void)
{
    if (wide_counters == 0)
        return;
    sample_map_append(&sample, sample_map_object(WIDE_ID, L"My Wide", WIDE_ID + 1, 12, 9));
    sample_map_append_option(&sample, PRFDATA_OPTION_TOTAL, 0);
    for (uint32_t i = 1; i <= wide_counters; i++)
        add_bulk_count(WIDE_ID + i, false);
}

static void begin_world_plan(bool has_health)
{
    now = 1000000;
    sample_map_init_as(&sample, SERVICE);
    add_lines_plan();
    add_peaks();
    add_heat();
    for (uint32_t i = 0; i < distributions_map.entry_count; i++)
        sample_map_append(&sample, distributions_map.entries[i]);
    if (has_health)
        add_health();
    add_wide();
    provided_begin(&sample.map, FIRST_COUNTER);
    memset(programs, 0, sizeof programs);
    planned = provider;
    merged = provided_open();
    prfdata_planning_set(merged, false);
}

static int install_plan(void **state)
{
    (void)state;
    begin_world_plan(false);
    return 0;
}

static int install_with_health(void **state)
{
    (void)state;
    begin_world_plan(true);
    return 0;
}

static int uninstall_plan(void **state)
{
    for (int i = 0; i < MOST_PROGRAMS; i++)
        prfdata_close_and_unmap(programs[i].publisher);
    prfdata_provider_close(merged);
    return provided_end(state);
}

/* ---- Looking ---- */

static uint32_t collect_plan(prfdata_provider *reader, const uint16_t *query, unsigned char *bytes,
                             uint32_t *size, uint32_t *objects)
{
    void *data = bytes;
    const uint32_t status = prfdata_provider_collect(reader, query, &data, size, objects);

    assert_ptr_equal(data, bytes + *size);
    return status;
}

/* The time stamps of all objects become 0. */
static void mask_perf_times(unsigned char *bytes, uint32_t size)
{
    for (uint32_t at = 0; at < size;) {
        uint32_t length;

        memcpy(&length, bytes + at, sizeof length);
        assert_in_range(length, sizeof(prfdata_perf_object_type), size - at);
        memset(bytes + at + offsetof(prfdata_perf_object_type, perf_time), 0, 8);
        at += length;
    }
}

static void compare_plan(const char *text, uint32_t room, const char *when)
{
    uint16_t *query = collected_query(text);
    uint32_t sizes[2] = {room, room};
    uint32_t objects[2], status[2];

    memset(rooms, 0xA5, sizeof rooms);
    status[0] = collect_plan(planned, query, rooms[0], &sizes[0], &objects[0]);
    status[1] = collect_plan(merged, query, rooms[1], &sizes[1], &objects[1]);
    free(query);
    if (status[0] != status[1] || sizes[0] != sizes[1] || objects[0] != objects[1])
        fail_msg("%s, %s: %u %u %u instead of %u %u %u", when, text, (unsigned)status[0],
                 (unsigned)sizes[0], (unsigned)objects[0], (unsigned)status[1], (unsigned)sizes[1],
                 (unsigned)objects[1]);
    mask_perf_times(rooms[0], sizes[0]);
    mask_perf_times(rooms[1], sizes[1]);
    for (uint32_t i = 0; i < sizes[0]; i++)
        if (rooms[0][i] != rooms[1][i])
            fail_msg("%s, %s: byte %u of %u differs", when, text, (unsigned)i, (unsigned)sizes[0]);
}

static void look_plan(const char *when, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        compare_plan("Global", ROOM, when);
}

/* ---- Random histories ---- */

static uint32_t random_number_plan(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static const wchar_t *random_name(uint32_t index)
{
    static const wchar_t *const names[NAMES] = {L"a", L"bb", L"ccc", L"dddd", L"eeeee", L"ffffff"};

    return names[index];
}

static void count_planned(const plan_program *in, uint32_t id, const prfdata_instance *instance,
                          int64_t amount)
{
    prfdata_handle handle;

    (void)prfdata_resolve(in->publisher, id, instance, &handle);
    prfdata_add(handle, amount);
}

static const prfdata_capacity few[] = {{QUEUE_ID, 4}, {CONSUMER_ID, 4}, {LINES_ID, 5},
                                       {PEAKS_ID, 1}, {HEATS_ID, 2},    {PORTS_ID, 2}};

static void start_program_plan(plan_program *in)
{
    memset(in, 0, sizeof *in);
    in->capacity_count = random_number_plan(2) ? sizeof few / sizeof few[0] : 0;
    assert_int_equal(prfdata_open_with(&sample.map, few, in->capacity_count, &in->publisher),
                     ERROR_SUCCESS);
}

static void end_program(plan_program *in)
{
    prfdata_close_and_unmap(in->publisher);
    in->publisher = NULL;
}

/* Names of several programs meet with `names_meet`. */
static void change_instances(plan_program *in, bool names_meet)
{
    const uint32_t i = random_number_plan(NAMES);
    const uint32_t own = names_meet ? i : (uint32_t)(in - programs); /* one name per program */

    switch (random_number_plan(13)) {
    case 12:
        (void)prfdata_instance_add(in->publisher, PORTS_ID, random_name(own), NULL,
                                   &in->ports[own]);
        break;
    case 11:
        (void)prfdata_instance_remove(&in->ports[own]);
        break;
    case 10:
        (void)prfdata_instance_add(in->publisher, HEATS_ID, random_name(own), NULL,
                                   &in->heats[own]);
        break;
    case 9:
        (void)prfdata_instance_remove(&in->heats[own]);
        break;
    case 7:
        (void)prfdata_instance_add(in->publisher, PEAKS_ID, random_name(own), NULL,
                                   &in->peaks[own]);
        break;
    case 8:
        (void)prfdata_instance_remove(&in->peaks[own]);
        break;
    case 0:
    case 1:
        (void)prfdata_instance_add(in->publisher, QUEUE_ID, random_name(own), NULL,
                                   &in->queues[own]);
        break;
    case 2:
        (void)prfdata_instance_add(in->publisher, CONSUMER_ID, random_name(i), &in->queues[own],
                                   &in->consumers[i]);
        break;
    case 3:
    case 4:
        (void)prfdata_instance_add_id(in->publisher, LINES_ID, (int32_t)own, NULL, &in->lines[own]);
        break;
    case 5:
        (void)prfdata_instance_remove(&in->lines[own]);
        break;
    default:
        (void)prfdata_instance_remove(random_number_plan(2) ? &in->queues[own] : &in->consumers[i]);
    }
}

static void record_plan(const plan_program *in, uint32_t id, const prfdata_instance *instance,
                        uint64_t value)
{
    prfdata_distribution distribution;

    (void)prfdata_resolve_distribution(in->publisher, id, instance, &distribution);
    prfdata_record(distribution, value);
}

static void count_something(const plan_program *in)
{
    const uint32_t i = random_number_plan(NAMES);
    const int64_t amount = random_number_plan(1000);

    count_planned(in, JOBS_ID, &in->queues[i], amount);
    count_planned(in, DEPTH_ID, &in->queues[i], (int64_t)random_number_plan(9) - 4);
    count_planned(in, TAKEN_ID, &in->consumers[i], amount);
    count_planned(in, SENT_ID, &in->lines[i], amount);
    count_planned(in, LOST_ID, &in->lines[i], 1);
    count_planned(in, DONE_ID, &in->peaks[i], amount);
    count_planned(in, MOST_ID, &in->peaks[i], (int64_t)random_number_plan(9) - 4);
    count_planned(in, OPEN_ID, &in->peaks[i], 1);
    count_planned(in, WARM_ID, &in->heats[i], amount);
    count_planned(in, COLD_ID, &in->heats[i], 1);
    count_planned(in, BURNT_ID, NULL, 1);
    record_plan(in, TIME_ID, &in->ports[i], 100 + (uint64_t)amount);
    record_plan(in, WORK_TIME_ID, NULL, (uint64_t)amount);
    count_planned(in, BUSY_ID, NULL, (int64_t)random_number_plan(7) - 2);
}

static const char *step_plan(bool names_meet, bool has_brackets)
{
    plan_program *in = &programs[random_number_plan(MOST_PROGRAMS)];

    if (!in->publisher) {
        start_program_plan(in);
        return "a program starts";
    }
    switch (random_number_plan(12)) {
    case 0:
        if (random_number_plan(3) == 0) {
            end_program(in);
            return "a program ends";
        }
        prfdata_close(in->publisher); /* and is seen no more, with the same memory */
        assert_int_equal(prfdata_open_with(&sample.map, few, in->capacity_count, &in->publisher),
                         ERROR_SUCCESS);
        memset(in->queues, 0, sizeof in->queues);
        memset(in->consumers, 0, sizeof in->consumers);
        memset(in->lines, 0, sizeof in->lines);
        memset(in->peaks, 0, sizeof in->peaks);
        memset(in->heats, 0, sizeof in->heats);
        memset(in->ports, 0, sizeof in->ports);
        return "a program opens again";
    case 1:
        if (has_brackets) {
            prfdata_begin_all(in->publisher);
            count_something(in);
            prfdata_end_all(in->publisher);
        }
        return "brackets";
    case 2:
    case 3:
    case 4:
        change_instances(in, names_meet);
        return "instances";
    default:
        count_something(in);
        now += random_number_plan(8) == 0 ? QUARTER_MINUTE : 0;
        return "counts";
    }
}

static uint64_t play(uint32_t first_seed, uint32_t steps, bool names_meet, bool has_brackets)
{
    static const char *const queries[] = {"9700",   "9708", "9712",      "9716",     "9700 9716",
                                          "Costly", "9724", "9732 9738", "9742 9748"};
    prfdata_provider_counts counts;

    seed = first_seed;
    for (uint32_t i = 0; i < steps; i++) {
        char when[60];

        (void)snprintf(when, sizeof when, "seed %u, step %u: %s", (unsigned)first_seed, (unsigned)i,
                       step_plan(names_meet, has_brackets));
        look_plan(when, 1 + random_number_plan(3));
        if (random_number_plan(4) == 0)
            compare_plan(queries[random_number_plan(9)], ROOM, when);
        if (random_number_plan(8) == 0)
            compare_plan("Global", random_number_plan(4000), when);
    }
    prfdata_provider_get_counts(planned, &counts);
    return counts.planned;
}

static void test_plan_gives_the_merged_bytes_where_each_name_is_of_one_program(void **state)
{
    (void)state;
    assert_true(play(1, step_count(), false, false) > step_count() / 40);
}

static void test_plan_gives_the_merged_bytes_where_names_meet(void **state)
{
    (void)state;
    assert_true(play(2, step_count(), true, false) > step_count() / 100);
}

static void test_plan_gives_the_merged_bytes_beside_brackets(void **state)
{
    (void)state;
    (void)play(3, step_count(), true, true);
}

static void test_plan_many_short_histories(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < step_count() / 75; i++) {
        (void)play(100 + i, 60, i % 2 == 0, false);
        (void)uninstall_plan(NULL);
        (void)install_plan(NULL);
    }
}

static void start_wide_program(plan_program *in)
{
    memset(in, 0, sizeof *in);
    assert_int_equal(prfdata_open(&sample.map, &in->publisher), ERROR_SUCCESS);
}

/* Add a line or a peak of a program, which has names and numbers of its own. */
static const char *add_own(plan_program *in, uint32_t owner)
{
    const uint32_t i = random_number_plan(NAMES);
    const wchar_t name[] = {(wchar_t)(L'A' + owner), L'#', (wchar_t)(L'a' + i), 0};

    switch (random_number_plan(5)) {
    case 0:
        (void)prfdata_instance_add(in->publisher, LINES_ID, name, NULL, &in->lines[i]);
        return "a line";
    case 1:
        (void)prfdata_instance_add_id(in->publisher, LINES_ID, (int32_t)(owner * NAMES + i), NULL,
                                      &in->lines[i]);
        return "a line with a number";
    case 2:
        (void)prfdata_instance_add(in->publisher, HEATS_ID, name, NULL, &in->heats[i]);
        return "a heat";
    case 3:
        (void)prfdata_instance_add(in->publisher, PORTS_ID, name, NULL, &in->ports[i]);
        return "a port";
    default:
        (void)prfdata_instance_add(in->publisher, PEAKS_ID, name, NULL, &in->peaks[i]);
        return "a peak";
    }
}

/* Lines and peaks of programs that have names of their own. `meets`: one in so many not, or 0. */
static const char *change_own(uint32_t meets)
{
    plan_program *in = &programs[random_number_plan(MOST_PROGRAMS)];
    const uint32_t i = random_number_plan(NAMES);

    if (!in->publisher) {
        if (random_number_plan(8) ==
            0) /* its slots are used up soon: what is dropped changes the header */
            start_program_plan(in);
        else
            start_wide_program(in);
        return "a program starts";
    }
    switch (random_number_plan(6)) {
    case 0:
        if (random_number_plan(30) == 0)
            end_program(in);
        return "a program ends, perhaps";
    case 1:
        (void)prfdata_instance_remove(&in->lines[i]);
        return "a line less";
    case 2:
        (void)prfdata_instance_remove(random_number_plan(2) ? &in->peaks[i] : &in->heats[i]);
        (void)prfdata_instance_remove(&in->ports[random_number_plan(NAMES)]);
        return "a peak or a heat less, and a port";
    case 3:
        count_something(in);
        now += random_number_plan(3) * QUARTER_MINUTE / 4;
        return "counts";
    default:
        return add_own(in, meets > 0 && random_number_plan(meets) == 0
                               ? random_number_plan(MOST_PROGRAMS)
                               : (uint32_t)(in - programs));
    }
}

/* ---- When there is a plan ---- */

static uint64_t planned_so_far(void)
{
    prfdata_provider_counts counts;

    prfdata_provider_get_counts(planned, &counts);
    return counts.planned;
}

/* Few changes between two looks, and seldom so many that all is merged. */
static void play_changes(uint32_t first_seed, uint32_t meets, bool has_brackets)
{
    seed = first_seed;
    for (uint32_t i = 0; i < step_count() / 10; i++) {
        const uint32_t changes = random_number_plan(32) == 0 ? 100 : 1 + random_number_plan(3);
        const char *last = NULL;
        char when[60];

        for (uint32_t k = 0; k < changes; k++)
            last = change_own(meets);
        if (has_brackets && programs[0].publisher) {
            prfdata_begin_all(programs[0].publisher);
            prfdata_end_all(programs[0].publisher);
        }
        (void)snprintf(when, sizeof when, "seed %u, step %u: %s", (unsigned)first_seed, (unsigned)i,
                       last);
        look_plan(when, 1 + random_number_plan(4));
        if (random_number_plan(8) == 0)
            compare_plan("9716 9724", random_number_plan(4000), when);
    }
}

static void test_plan_gives_the_merged_bytes_where_little_changes(void **state)
{
    uint64_t planned_looks = 0;

    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        play_changes(200 + i, 50 * (i % 3), i % 4 == 1);
        planned_looks += planned_so_far();
        (void)uninstall_plan(NULL);
        (void)install_with_health(NULL);
    }
    assert_true(planned_looks > step_count() / 8);
}

static void publish_some(void)
{
    start_program_plan(&programs[0]);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(prfdata_instance_add(programs[0].publisher, QUEUE_ID, random_name(i), NULL,
                                              &programs[0].queues[i]),
                         ERROR_SUCCESS);
}

static void test_plan_is_made_at_the_first_look_and_used_from_then_on(void **state)
{
    (void)state;
    publish_some();
    look_plan("at first", 1);
    assert_int_equal(planned_so_far(), 0);
    look_plan("planned", 5);
    assert_int_equal(planned_so_far(), 5);
    count_something(&programs[0]); /* values do not matter */
    look_plan("counted", 5);
    assert_int_equal(planned_so_far(), 10);
    assert_int_equal(prfdata_instance_remove(&programs[0].queues[1]), ERROR_SUCCESS);
    look_plan("an instance less", 1);
    assert_int_equal(planned_so_far(), 10);
    look_plan("planned again", 1);
    assert_int_equal(planned_so_far(), 11);
}

static void add_line_plan(uint32_t program_index, const wchar_t *name)
{
    plan_program *in = &programs[program_index];

    assert_int_equal(prfdata_instance_add(in->publisher, LINES_ID, name, NULL, &in->lines[0]),
                     ERROR_SUCCESS);
}

static void test_plan_adds_up_lanes(void **state)
{
    plan_program *in = &programs[0];
    prfdata_exclusive own;
    collected taken;

    (void)state;
    start_wide_program(in);
    assert_int_equal(prfdata_instance_add(in->publisher, HEATS_ID, L"a", NULL, &in->heats[0]),
                     ERROR_SUCCESS);
    look_plan("at first", 2);
    assert_int_equal(planned_so_far(), 1);
    assert_int_equal(prfdata_resolve_exclusive(in->publisher, WARM_ID, &in->heats[0], &own),
                     ERROR_SUCCESS);
    prfdata_exclusive_increment(&own);
    count_planned(in, WARM_ID, &in->heats[0], 5);
    count_planned(in, BURNT_ID, NULL, 7);
    look_plan("counted", 1);
    collected_take(&taken, planned, "Global");
    assert_int_equal(collected_value(&taken, HEATS_TITLE, "", "a", 1), 6);
    assert_int_equal(collected_value(&taken, HEATS_TITLE, "", "_Total", 1), 6);
    collected_free(&taken);
    assert_int_equal(planned_so_far(), 3);
    prfdata_release_exclusive(&own);
}

/* Windows end with the time; a program that ended is in them for a minute. */
static void test_plan_shows_distributions(void **state)
{
    plan_program *in = &programs[0];
    collected taken;

    (void)state;
    start_wide_program(in);
    start_wide_program(&programs[1]);
    assert_int_equal(prfdata_instance_add(in->publisher, PORTS_ID, L"a", NULL, &in->ports[0]),
                     ERROR_SUCCESS);
    look_plan("at first", 2);
    assert_int_equal(planned_so_far(), 1);
    for (uint32_t i = 0; i < 7; i++) {
        record_plan(in, TIME_ID, &in->ports[0], 64u << i);
        record_plan(in, WORK_TIME_ID, NULL, 10u << i);
        look_plan("recorded", 1);
        now += QUARTER_MINUTE;
        look_plan("later", 1);
    }
    assert_int_equal(planned_so_far(), 15);
    collected_take(&taken, planned, "Global");
    assert_int_equal(collected_value(&taken, PORTS_TITLE, "", "a", 1), 7);
    assert_in_range(collected_value(&taken, PORTS_TITLE, "", "a", 0), 64, 4096);
    collected_free(&taken);
    now += 8 * QUARTER_MINUTE;
    look_plan("all is long ago", 1);
    collected_take(&taken, planned, "Global");
    assert_int_equal(collected_value(&taken, PORTS_TITLE, "", "a", 0), 0);
    collected_free(&taken);
    assert_int_equal(planned_so_far(), 18);
    record_plan(&programs[1], WORK_TIME_ID, NULL, 9);
    end_program(&programs[1]);
    look_plan("one has ended", 3);
    assert_int_equal(planned_so_far(), 18);
    for (uint32_t i = 0; i < 8; i++) {
        now += QUARTER_MINUTE;
        look_plan("it is forgotten", 1);
    }
    look_plan("planned again", 2);
    assert_true(planned_so_far() > 19);
}

/* Two programs have the same line: all that is asked for with it is merged. */
static void test_plan_is_not_used_beside_an_object_that_cannot_have_one(void **state)
{
    (void)state;
    publish_some();
    start_program_plan(&programs[1]);
    add_line_plan(0, L"a");
    add_line_plan(1, L"b");
    look_plan("of one program each", 3);
    assert_int_equal(planned_so_far(), 2);
    assert_int_equal(prfdata_instance_remove(&programs[1].lines[0]), ERROR_SUCCESS);
    add_line_plan(1, L"a");
    for (uint32_t i = 0; i < 5; i++) {
        count_something(&programs[i % 2]);
        look_plan("the same line", 1);
        compare_plan("9716 9700", ROOM, "two objects");
        compare_plan("9716 9700", 700 + 8 * i, "not enough room, perhaps");
    }
    assert_int_equal(planned_so_far(), 2);
    for (uint32_t i = 0; i < 4; i++)
        compare_plan("9700", ROOM, "the other object alone");
    assert_int_equal(planned_so_far(), 5);
}

/* Sums of as many programs at a time as there is room for. */
static void look_at_wide(uint32_t counters, uint32_t program_count)
{
    prfdata_publisher *publishers[16];

    wide_counters = counters;
    begin_world_plan(false);
    for (uint32_t i = 0; i < program_count; i++) {
        const wchar_t name[] = {(wchar_t)(L'a' + i), 0};
        prfdata_instance wide;

        publishers[i] = counting_open(&sample.map);
        wide = counting_add(publishers[i], WIDE_ID, name, NULL);
        for (uint32_t c = 1; c <= counters; c++)
            counting_count(publishers[i], WIDE_ID + c, &wide, c + i);
    }
    look_plan("wide", 3);
    assert_int_equal(planned_so_far(), 2);
    for (uint32_t i = 0; i < program_count; i++)
        prfdata_close_and_unmap(publishers[i]);
    wide_counters = 0;
    assert_int_equal(uninstall_plan(NULL), 0);
}

static void test_plan_has_room_for_the_sums_of_many_counters(void **state)
{
    (void)state;
    for (uint32_t counters = 60; counters <= 130; counters += 10)
        look_at_wide(counters, 10);
    look_at_wide(128, 5);
    look_at_wide(MOST_WIDE, 2);
}

/* Looks by merging in between change nothing that a plan knows. */
static void test_plan_lasts_while_others_merge_its_object(void **state)
{
    (void)state;
    publish_some();
    start_program_plan(&programs[1]);
    add_line_plan(0, L"a");
    add_line_plan(1, L"a");
    for (uint32_t i = 0; i < 10; i++) {
        count_something(&programs[i % 2]);
        compare_plan("9716 9700", ROOM, "merged: two programs have the same line");
        compare_plan("9700", ROOM, "planned");
    }
    assert_in_range(planned_so_far(), 8, 10);
}

static void test_plan_says_at_once_that_there_is_more_data(void **state)
{
    (void)state;
    publish_some();
    look_plan("at first", 2);
    assert_int_equal(planned_so_far(), 1);
    for (uint32_t room = 0; room < 3000; room += 7)
        compare_plan("9700 9716", room, "short");
    assert_true(planned_so_far() > 400);
}

#ifndef _WIN32
/* ---- Plans of what was ---- */

/* What other threads do at the next such moment, once; NULL: nothing. */
static void (*beside_new_set)(void); /* it is the newest; the plans are of the set before */
static void (*beside_sums)(void);    /* gathered by a plan, and not recorded yet */

static void run_others(void (**others)(void))
{
    void (*const run)(void) = *others;

    *others = NULL;
    if (run)
        run();
}

/* NOLINTBEGIN(bugprone-reserved-identifier): the linker's names */
uint64_t __real_prfdata_installation_due_ms(const prfdata_installation_store *store);
uint64_t __wrap_prfdata_installation_due_ms(const prfdata_installation_store *store);
uint32_t __real_prfdata_carry_record_sums(prfdata_carry *carry, const prfdata_carry_shape *shape,
                                          const prfdata_carry_sums *sums);
uint32_t __wrap_prfdata_carry_record_sums(prfdata_carry *carry, const prfdata_carry_shape *shape,
                                          const prfdata_carry_sums *sums);
/* NOLINTEND(bugprone-reserved-identifier) */

uint64_t __wrap_prfdata_installation_due_ms(const prfdata_installation_store *store)
{
    run_others(&beside_new_set);
    return __real_prfdata_installation_due_ms(store);
}

uint32_t __wrap_prfdata_carry_record_sums(prfdata_carry *carry, const prfdata_carry_shape *shape,
                                          const prfdata_carry_sums *sums)
{
    run_others(&beside_sums);
    return __real_prfdata_carry_record_sums(carry, shape, sums);
}

static uint64_t burnt_by_planned(const char *query)
{
    return collected_value_now(planned, query, FURNACE_TITLE, NULL, NULL, 0);
}

static void burn_by_two_others(void)
{
    assert_int_equal(burnt_by_planned("9738 9748"), 107);
    assert_int_equal(burnt_by_planned("9738"), 107);
    assert_int_equal(planned_so_far(), 1); /* nor are plans kept with a set that is not theirs */
}

/* One thread has learned that a region was taken over; the next ones still find the former plans.
 */
static void test_plan_of_an_older_set_is_not_used(void **state)
{
    (void)state;
    start_wide_program(&programs[0]);
    count_planned(&programs[0], BURNT_ID, NULL, 100);
    record_plan(&programs[0], WORK_TIME_ID, NULL, 9);
    end_program(&programs[0]);
    assert_int_equal(burnt_by_planned("9738 9748"), 100);
    prfdata_provider_set_refresh(planned, 3600 * 1000);
    for (int i = 0; i < 2; i++)
        assert_int_equal(burnt_by_planned("9738"), 100);
    assert_int_equal(planned_so_far(), 1);
    now += QUARTER_MINUTE;
    start_wide_program(&programs[0]);
    count_planned(&programs[0], BURNT_ID, NULL, 7);
    beside_new_set = burn_by_two_others;
    (void)collected_has_now(planned, "9748", 9748, NULL, NULL);
    assert_null(beside_new_set);
}

static void lose_the_file(void)
{
    prfdata_test_file file;

    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    end_program(&programs[0]);
    assert_true(prfdata_test_service_delete_file(&service, file.name));
    assert_int_equal(burnt_by_planned("9738"), 100);
}

/* What the first has shown of a region that is gone, the plan of the others does not know. */
static void test_plan_of_what_was_carried_before_is_not_used(void **state)
{
    (void)state;
    start_wide_program(&programs[0]);
    count_planned(&programs[0], BURNT_ID, NULL, 100);
    for (int i = 0; i < 2; i++)
        assert_int_equal(burnt_by_planned("9738"), 100);
    count_planned(&programs[0], BURNT_ID, NULL, 7);
    beside_sums = lose_the_file;
    assert_int_equal(burnt_by_planned("9738"), 107);
    assert_null(beside_sums);
    assert_int_equal(burnt_by_planned("9738"), 107);
}
#endif

/* Readers begin with too little room, and try again in steps. */
static void test_plan_is_made_where_the_room_was_never_enough(void **state)
{
    (void)state;
    publish_some();
    for (int i = 0; i < 6; i++)
        compare_plan("9700", 100, "too small");
    assert_int_equal(planned_so_far(), 5);
    compare_plan("9700", ROOM, "enough");
    assert_int_equal(planned_so_far(), 6);
}

/* The plan knows what it was; what is there now would fit. */
static void test_plan_that_was_larger_does_not_refuse_room_that_is_enough(void **state)
{
    (void)state;
    publish_some();
    look_plan("at first", 3);
    assert_int_equal(prfdata_instance_remove(&programs[0].queues[1]), ERROR_SUCCESS);
    for (uint32_t room = 200; room < 2000; room += 8)
        compare_plan("9700", room, "an instance less");
}

#ifndef _WIN32
static prfdata_handle counted_at_the_stamp;
static uint32_t stamps;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker's names */
uint64_t __real_prfdata_os_ticks(void);
uint64_t __wrap_prfdata_os_ticks(void);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

/* What is counted from now on is younger than this stamp. */
uint64_t __wrap_prfdata_os_ticks(void)
{
    const uint64_t ticks = __real_prfdata_os_ticks();

    if (counted_at_the_stamp.cell) {
        prfdata_add(counted_at_the_stamp, 1);
        stamps++;
    }
    return ticks;
}

static uint64_t lines_sent_of_planned(void)
{
    return collected_value_now(planned, "Global", LINES_TITLE, "", "a", 0);
}

/* A start that is younger than the object's time would have lasted for centuries. */
static void test_plan_values_are_not_younger_than_the_time(void **state)
{
    prfdata_handle sent;

    (void)state;
    start_program_plan(&programs[0]);
    assert_int_equal(
        prfdata_instance_add(programs[0].publisher, LINES_ID, L"a", NULL, &programs[0].lines[0]),
        ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve(programs[0].publisher, SENT_ID, &programs[0].lines[0], &sent),
                     ERROR_SUCCESS);
    look_plan("at first", 2);
    assert_int_equal(planned_so_far(), 1);
    counted_at_the_stamp = sent;
    assert_int_equal(lines_sent_of_planned(), 0);
    counted_at_the_stamp.cell = NULL;
    assert_int_equal(stamps, 1);
    assert_int_equal(planned_so_far(), 2);
}
#endif

#ifdef __linux__
/* ---- What the system is asked for ---- */

static uint32_t listings, attachments;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker's names */
uint32_t __real_prfdata_os_directory_list(prfdata_os_directory *directory, uint64_t boot,
                                          prfdata_os_name *names, size_t capacity, size_t *count,
                                          bool *more);
uint32_t __wrap_prfdata_os_directory_list(prfdata_os_directory *directory, uint64_t boot,
                                          prfdata_os_name *names, size_t capacity, size_t *count,
                                          bool *more);
uint32_t __real_prfdata_os_region_attach(prfdata_os_directory *directory,
                                         const prfdata_os_name *name, uint64_t limit,
                                         prfdata_os_region *region);
uint32_t __wrap_prfdata_os_region_attach(prfdata_os_directory *directory,
                                         const prfdata_os_name *name, uint64_t limit,
                                         prfdata_os_region *region);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

uint32_t __wrap_prfdata_os_directory_list(prfdata_os_directory *directory, uint64_t boot,
                                          prfdata_os_name *names, size_t capacity, size_t *count,
                                          bool *more)
{
    listings++;
    return __real_prfdata_os_directory_list(directory, boot, names, capacity, count, more);
}

uint32_t __wrap_prfdata_os_region_attach(prfdata_os_directory *directory,
                                         const prfdata_os_name *name, uint64_t limit,
                                         prfdata_os_region *region)
{
    attachments++;
    return __real_prfdata_os_region_attach(directory, name, limit, region);
}

static void collect_planned(const uint16_t *query)
{
    uint32_t size = ROOM;
    uint32_t objects;

    (void)collect_plan(planned, query, rooms[0], &size, &objects);
}

/* A refresh lists the folder once, and opens no file again that it knows. */
static void test_plan_refresh_lists_once_and_attaches_what_is_new_only(void **state)
{
    uint16_t *query = collected_query("Global");

    (void)state;
    for (int i = 0; i + 1 < MOST_PROGRAMS; i++)
        start_program_plan(&programs[i]);
    collect_planned(query);
    listings = 0;
    attachments = 0;
    for (int i = 0; i < 5; i++)
        collect_planned(query);
    assert_int_equal(listings, 5);
    assert_int_equal(attachments, 0);
    start_program_plan(&programs[MOST_PROGRAMS - 1]); /* which lists, too */
    listings = 0;
    collect_planned(query);
    assert_int_equal(listings, 1);
    assert_int_equal(attachments, 1);
    free(query);
}

/* ---- What threads write in common ---- */

static uint32_t locks; /* atomic: entered so far */

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker's names */
void __real_prfdata_os_lock_enter(prfdata_os_lock *lock);
void __wrap_prfdata_os_lock_enter(prfdata_os_lock *lock);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

void __wrap_prfdata_os_lock_enter(prfdata_os_lock *lock)
{
    prfdata_store32_relaxed(&locks, prfdata_load32_relaxed(&locks) + 1);
    __real_prfdata_os_lock_enter(lock);
}

/* Collect what has plans; returns how many locks that took. */
static uint32_t locks_of(const char *text)
{
    uint16_t *query = collected_query(text);
    const uint64_t before = planned_so_far();
    uint32_t taken;

    locks = 0;
    collect_planned(query);
    taken = locks;
    assert_int_equal(planned_so_far(), before + 1);
    free(query);
    return taken;
}

/* To take what is current, and to give it back. */
static void test_plan_takes_two_locks_between_two_refreshes(void **state)
{
    (void)state;
    publish_some();
    add_line_plan(0, L"a");
    look_plan("at first", 3);
    prfdata_provider_set_refresh(planned, 3600 * 1000);
    (void)locks_of("9716");
    assert_int_equal(locks_of("9716"), 2);
}

static void test_plan_takes_one_more_lock_for_the_sums_of_all_programs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i + 1 < MOST_PROGRAMS; i++) {
        start_program_plan(&programs[i]);
        assert_int_equal(prfdata_instance_add(programs[i].publisher, QUEUE_ID, random_name(i), NULL,
                                              &programs[i].queues[i]),
                         ERROR_SUCCESS);
    }
    look_plan("at first", 3);
    prfdata_provider_set_refresh(planned, 3600 * 1000);
    (void)locks_of("9700");
    (void)locks_of("9700");
    assert_int_equal(locks_of("9700"), 3);
    count_planned(&programs[1], JOBS_ID, &programs[1].queues[1], 5);
    assert_int_equal(locks_of("9700"), 3);
}

/* From now on the system ends this process if it asks for anything but the time, or its end. */
static bool forbid_system_calls(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {sizeof steps / sizeof steps[0], steps};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* Between two refreshes, of objects with and without sums. */
static void collect_without_system_calls(const uint16_t *query)
{
    const uint64_t before = planned_so_far();

    if (!forbid_system_calls())
        _exit(2);
    for (int i = 0; i < 100; i++)
        collect_planned(query);
    /* Not _exit(), before which sanitizers ask the system for more. */
    (void)syscall(SYS_exit_group, planned_so_far() == before + 100 ? 0 : 3);
}

static void test_plan_asks_the_system_for_nothing_but_the_time(void **state)
{
    uint16_t *query = collected_query("Global");
    int status;
    pid_t child;

    (void)state;
    publish_some();
    prfdata_provider_set_refresh(planned, 3600 * 1000);
    for (int i = 0; i < 3; i++)
        collect_planned(query);
    child = fork();
    assert_true(child >= 0);
    if (child == 0)
        collect_without_system_calls(query);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    free(query);
}
#endif

/* What a slot had counted under another name is subtracted. */
static void test_plan_subtracts_what_a_slot_had_counted_before(void **state)
{
    static const prfdata_capacity one[] = {{QUEUE_ID, 1}, {LINES_ID, 1}, {PEAKS_ID, 1}};
    plan_program *in = &programs[0];

    (void)state;
    assert_int_equal(prfdata_open_with(&sample.map, one, 3, &in->publisher), ERROR_SUCCESS);
    for (uint32_t i = 0; i < NAMES; i++) {
        assert_int_equal(
            prfdata_instance_add(in->publisher, QUEUE_ID, random_name(i), NULL, &in->queues[i]),
            ERROR_SUCCESS);
        assert_int_equal(
            prfdata_instance_add_id(in->publisher, LINES_ID, (int32_t)i, NULL, &in->lines[i]),
            ERROR_SUCCESS);
        assert_int_equal(
            prfdata_instance_add(in->publisher, PEAKS_ID, random_name(i), NULL, &in->peaks[i]),
            ERROR_SUCCESS);
        for (int k = 0; k < 20; k++)
            count_something(in);
        look_plan("added", 4);
        (void)prfdata_instance_remove(&in->queues[i]);
        (void)prfdata_instance_remove(&in->lines[i]);
        (void)prfdata_instance_remove(&in->peaks[i]);
        look_plan("removed", 4);
    }
    assert_true(planned_so_far() >= 4 * NAMES);
}

/* Its other source is gone, and what it had counted is carried. */
static void test_plan_shows_what_is_carried(void **state)
{
    static const prfdata_capacity one[] = {{QUEUE_ID, 1}};
    prfdata_publisher *tight;
    prfdata_instance x;
    prfdata_handle jobs;

    (void)state;
    start_program_plan(&programs[0]);
    assert_int_equal(prfdata_open_with(&sample.map, one, 1, &tight), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(tight, QUEUE_ID, L"x", NULL, &x), ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve(tight, JOBS_ID, &x, &jobs), ERROR_SUCCESS);
    prfdata_add(jobs, 100);
    assert_int_equal(
        prfdata_instance_add(programs[0].publisher, QUEUE_ID, L"x", NULL, &programs[0].queues[0]),
        ERROR_SUCCESS);
    look_plan("two sources", 4);
    assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
    look_plan("one sleeps", 4);
    assert_int_equal(prfdata_instance_add(tight, QUEUE_ID, L"y", NULL, &x), ERROR_SUCCESS);
    look_plan("one is gone", 6);
    {
        collected taken;

        collected_take(&taken, planned, "9700");
        assert_int_equal(collected_value(&taken, FIRST_COUNTER, "", "x", 1), 100);
        collected_free(&taken);
    }
    prfdata_close_and_unmap(tight);
    look_plan("it has ended", 6);
}

#ifndef _WIN32 /* which does not let a file go that a reader has mapped */
/* What only a plan has shown of a region must not be lost when the region goes. */
static void test_plan_shows_sums_that_do_not_fall(void **state)
{
    prfdata_test_file file;

    (void)state;
    start_program_plan(&programs[0]);
    count_planned(&programs[0], BUSY_ID, NULL, 3);
    assert_int_equal(
        prfdata_instance_add(programs[0].publisher, QUEUE_ID, L"a", NULL, &programs[0].queues[0]),
        ERROR_SUCCESS);
    look_plan("at first", 4);
    count_planned(&programs[0], JOBS_ID, &programs[0].queues[0], 1000);
    look_plan("counted", 1); /* by plan */
    assert_true(planned_so_far() > 1);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    end_program(&programs[0]);
    assert_true(prfdata_test_service_delete_file(&service, file.name));
    look_plan("gone", 5); /* the other reader has recorded it */
}
#endif

static void test_plan_is_used_where_there_are_brackets_that_were_left(void **state)
{
    (void)state;
    publish_some();
    look_plan("at first", 2);
    assert_int_equal(planned_so_far(), 1);
    prfdata_begin(&programs[0].queues[0]);
    count_planned(&programs[0], JOBS_ID, &programs[0].queues[0], 5);
    prfdata_end(&programs[0].queues[0]);
    look_plan("after brackets", 5); /* the plan knew of none */
    assert_int_equal(planned_so_far(), 5);
    prfdata_begin(&programs[0].queues[0]);
    count_planned(&programs[0], JOBS_ID, &programs[0].queues[0], 5);
    prfdata_end(&programs[0].queues[0]);
    look_plan("after others", 2);
    assert_int_equal(planned_so_far(), 7);
    for (uint32_t i = 1; i <= 5; i++) {
        prfdata_begin_all(programs[0].publisher);
        count_planned(&programs[0], JOBS_ID, &programs[0].queues[0], 5);
        prfdata_end_all(programs[0].publisher);
        look_plan("after brackets around all", 1);
        assert_int_equal(planned_so_far(), 7 + i);
    }
}

/* Merging then tries for a while, and shows them as they are. */
static void test_plan_is_not_used_while_a_thread_is_inside_a_bracket(void **state)
{
    (void)state;
    publish_some();
    prfdata_begin(&programs[0].queues[0]);
    prfdata_end(&programs[0].queues[0]);
    look_plan("at first", 2);
    assert_int_equal(planned_so_far(), 1);
    prfdata_begin(&programs[0].queues[0]);
    count_planned(&programs[0], JOBS_ID, &programs[0].queues[0], 5);
    look_plan("inside", 2);
    assert_int_equal(planned_so_far(), 1);
    prfdata_end(&programs[0].queues[0]);
    look_plan("outside", 1); /* the merges in between have changed nothing that it knows */
    assert_int_equal(planned_so_far(), 2);
    prfdata_begin_all(programs[0].publisher);
    compare_plan("9700 9716", 100, "too small, whatever is inside");
    assert_int_equal(planned_so_far(), 3);
    look_plan("inside one around all", 2);
    assert_int_equal(planned_so_far(), 3);
    prfdata_end_all(programs[0].publisher);
}

/* A queue comes, lines stay: the structure word of the region says only that something changed. */
static void test_plan_ends_with_changes_of_other_objects(void **state)
{
    plan_program *in = &programs[0];

    (void)state;
    publish_some();
    add_line_plan(0, L"a");
    look_plan("at first", 2);
    assert_int_equal(planned_so_far(), 1);
    assert_int_equal(
        prfdata_instance_add(in->publisher, QUEUE_ID, random_name(5), NULL, &in->queues[5]),
        ERROR_SUCCESS);
    compare_plan("9716", ROOM, "beside a new queue");
    assert_int_equal(prfdata_instance_remove(&in->queues[5]), ERROR_SUCCESS);
    compare_plan("9716", 100, "too small, beside one that is gone");
    assert_int_equal(planned_so_far(), 1);
    compare_plan("9716", 100, "too small");
    compare_plan("9716", ROOM, "planned");
    assert_int_equal(planned_so_far(), 3);
}

/* ---- Threads ---- */

enum { THREADS = 4, CHURN = 3000 };

static void collect_lines(void *context)
{
    static const uint16_t query[] = {'9', '7', '1', '6', 0};
    unsigned char *bytes = malloc(ROOM);

    (void)context;
    for (int i = 0; bytes && i < CHURN; i++) {
        uint32_t size = ROOM;
        uint32_t objects;

        (void)collect_plan(planned, query, bytes, &size, &objects);
    }
    free(bytes);
}

static void test_plan_threads_are_all_answered_by_plan(void **state)
{
    (void)state;
    publish_some();
    look_plan("at first", 2);
    assert_int_equal(planned_so_far(), 1);
    prfdata_provider_set_refresh(planned, 3600 * 1000);
    prfdata_test_threads_run(THREADS, collect_lines, NULL);
    assert_int_equal(planned_so_far(), 1 + THREADS * CHURN);
}

typedef struct plan_race {
    prfdata_os_lock writing; /* the thread that gets it writes, the others read */
    uint32_t is_over;        /* atomic */
    uint32_t fell;           /* atomic */
} plan_race;

static void read_while_written_plan(plan_race *with)
{
    uint64_t last = 0;

    while (!prfdata_load32_relaxed(&with->is_over)) {
        collected taken;
        uint64_t jobs;

        collected_take(&taken, planned, "Global");
        jobs = collected_value(&taken, FIRST_COUNTER, "", "_Total", 1);
        if (jobs < last)
            prfdata_store32_relaxed(&with->fell, 1);
        last = jobs;
        collected_free(&taken);
    }
}

static void write_or_read(void *context)
{
    plan_race *with = context;

    if (!prfdata_os_lock_try(&with->writing)) {
        read_while_written_plan(with);
        return;
    }
    for (uint32_t i = 0; i < CHURN; i++) {
        count_planned(&programs[0], JOBS_ID, &programs[0].queues[0], 1);
        if (i % 64 == 0) {
            (void)prfdata_instance_remove(&programs[0].queues[2]);
            (void)prfdata_instance_remove(&programs[0].peaks[0]);
            (void)prfdata_instance_add(programs[0].publisher, PEAKS_ID, i % 128 ? L"p" : L"q", NULL,
                                       &programs[0].peaks[0]);
            (void)prfdata_instance_add(programs[0].publisher, QUEUE_ID, i % 128 ? L"ccc" : L"other",
                                       NULL, &programs[0].queues[2]);
        }
    }
    prfdata_store32_relaxed(&with->is_over, 1);
}

static void test_plan_while_threads_collect_no_total_falls(void **state)
{
    plan_race with = {0};

    (void)state;
    prfdata_provider_set_refresh(planned, 1); /* most find nothing due, and use a lane */
    publish_some();
    prfdata_test_threads_run(THREADS, write_or_read, &with);
    assert_int_equal(with.fell, 0);
    prfdata_provider_set_refresh(planned, 0); /* what was published last is attached too */
    look_plan("after all", 3);
    assert_true(planned_so_far() > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, install_plan, uninstall_plan)
#define TEST_WITH_HEALTH(name)                                                                     \
    cmocka_unit_test_setup_teardown(name, install_with_health, uninstall_plan)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_WITH_HEALTH(test_plan_gives_the_merged_bytes_where_each_name_is_of_one_program),
        TEST_WITH_HEALTH(test_plan_gives_the_merged_bytes_where_names_meet),
        TEST_WITH_HEALTH(test_plan_gives_the_merged_bytes_beside_brackets),
        TEST_WITH_HEALTH(test_plan_many_short_histories),
        TEST_WITH_HEALTH(test_plan_gives_the_merged_bytes_where_little_changes),
        TEST(test_plan_is_made_at_the_first_look_and_used_from_then_on),
        TEST(test_plan_adds_up_lanes),
        TEST(test_plan_shows_distributions),
        TEST(test_plan_is_not_used_beside_an_object_that_cannot_have_one),
        cmocka_unit_test(test_plan_has_room_for_the_sums_of_many_counters),
        TEST(test_plan_lasts_while_others_merge_its_object),
        TEST_WITH_HEALTH(test_plan_says_at_once_that_there_is_more_data),
#ifndef _WIN32
        TEST(test_plan_of_an_older_set_is_not_used),
        TEST(test_plan_of_what_was_carried_before_is_not_used),
#endif
        TEST_WITH_HEALTH(test_plan_is_made_where_the_room_was_never_enough),
        TEST_WITH_HEALTH(test_plan_that_was_larger_does_not_refuse_room_that_is_enough),
        TEST(test_plan_subtracts_what_a_slot_had_counted_before),
#ifndef _WIN32
        TEST(test_plan_values_are_not_younger_than_the_time),
#endif
#ifdef __linux__
        TEST(test_plan_refresh_lists_once_and_attaches_what_is_new_only),
        TEST_WITH_HEALTH(test_plan_asks_the_system_for_nothing_but_the_time),
        TEST(test_plan_takes_two_locks_between_two_refreshes),
        TEST(test_plan_takes_one_more_lock_for_the_sums_of_all_programs),
#endif
        TEST(test_plan_shows_what_is_carried),
#ifndef _WIN32
        TEST(test_plan_shows_sums_that_do_not_fall),
#endif
        TEST(test_plan_is_used_where_there_are_brackets_that_were_left),
        TEST(test_plan_is_not_used_while_a_thread_is_inside_a_bracket),
        TEST(test_plan_ends_with_changes_of_other_objects),
        TEST(test_plan_threads_are_all_answered_by_plan),
        TEST_WITH_HEALTH(test_plan_while_threads_collect_no_total_falls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
