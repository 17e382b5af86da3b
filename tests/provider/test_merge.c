/* SPDX-License-Identifier: MIT */
/* Tests what readers see of several regions: the table of docs/architecture.md, decision 6, for
 * each type, and which instances there are. If a publisher was unmapped, its region is that of an
 * ended program. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#include <prfdata/prfdata.h>

#include "client/publisher.h"
#include "map/counter_types.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided_sample.h"

#define SERVICE "PrfDataTestMerge"

enum { FIRST_COUNTER = 9100, QUEUE_TITLE = 9100, WORKER_TITLE = 9108, CONSUMER_TITLE = 9112 };
enum { DEPTH_AT, JOBS_AT, JOB_TIME_AT, BUSY_AT = 0, TAKEN_AT = 0 };
enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID, BUSY_ID = 201, CONSUMER_ID = 300, TAKEN_ID };

const provided_sample_service provided_sample_is = {SERVICE, FIRST_COUNTER};

static prfdata_instance add_queue(prfdata_publisher *publisher, const wchar_t *name, int64_t jobs,
                                  int64_t depth)
{
    prfdata_instance queue = counting_add(publisher, QUEUE_ID, name, NULL);

    counting_count(publisher, JOBS_ID, &queue, jobs);
    counting_count(publisher, DEPTH_ID, &queue, depth);
    return queue;
}

static uint64_t shown(uint32_t title, const char *parent, const char *instance, uint32_t position)
{
    return collected_value_now(provider, "9100 9108 9112", title, parent, instance, position);
}

static bool is_shown(uint32_t title, const char *parent, const char *instance)
{
    return collected_has_now(provider, "9100 9108 9112", title, parent, instance);
}

static int32_t instances_shown(uint32_t title)
{
    return collected_instances_now(provider, "9100 9108 9112", title);
}

/* ---- Every type ---- */

/* The rules of docs/architecture.md, decision 6, written again here so that the code is not
 * compared with itself. */
typedef enum rule {
    SUM,          /* the sum of all regions, with or without a writer */
    SUM_OF_LIVE,  /* the sum of live regions, for a gauge */
    NEWEST,       /* the newest time stamp of a precision timer */
    OLDEST_START, /* the oldest start in live regions */
    NO_VALUE
} rule;

static const struct {
    uint32_t type;
    uint32_t bytes;
    rule rule;
} types[] = {
    {PERF_COUNTER_RAWCOUNT, 4, SUM_OF_LIVE},
    {PERF_COUNTER_LARGE_RAWCOUNT, 8, SUM_OF_LIVE},
    {PERF_COUNTER_RAWCOUNT_HEX, 4, SUM_OF_LIVE},
    {PERF_COUNTER_LARGE_RAWCOUNT_HEX, 8, SUM_OF_LIVE},
    {PERF_COUNTER_DELTA, 4, SUM},
    {PERF_COUNTER_LARGE_DELTA, 8, SUM},
    {PERF_COUNTER_COUNTER, 4, SUM},
    {PERF_COUNTER_BULK_COUNT, 8, SUM},
    {PERF_SAMPLE_COUNTER, 4, SUM},
    {PERF_COUNTER_QUEUELEN_TYPE, 4, SUM},
    {PERF_COUNTER_LARGE_QUEUELEN_TYPE, 8, SUM},
    {PERF_COUNTER_100NS_QUEUELEN_TYPE, 8, SUM},
    {PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, 8, SUM},
    {PERF_COUNTER_TIMER, 8, SUM},
    {PERF_100NSEC_TIMER, 8, SUM},
    {PERF_OBJ_TIME_TIMER, 8, SUM},
    /* The base of a multi-timer is the current number of components, so it is summed over live
     * regions only. */
    {PERF_COUNTER_MULTI_TIMER, 8, SUM},
    {PERF_COUNTER_MULTI_BASE, 8, SUM_OF_LIVE},
    {PERF_COUNTER_MULTI_TIMER_INV, 8, SUM},
    {PERF_COUNTER_MULTI_BASE, 8, SUM_OF_LIVE},
    {PERF_100NSEC_MULTI_TIMER, 8, SUM},
    {PERF_COUNTER_MULTI_BASE, 8, SUM_OF_LIVE},
    {PERF_100NSEC_MULTI_TIMER_INV, 8, SUM},
    {PERF_COUNTER_MULTI_BASE, 8, SUM_OF_LIVE},
    {PERF_SAMPLE_FRACTION, 4, SUM},
    {PERF_SAMPLE_BASE, 4, SUM},
    {PERF_RAW_FRACTION, 4, SUM_OF_LIVE},
    {PERF_RAW_BASE, 4, SUM_OF_LIVE},
    {PERF_LARGE_RAW_FRACTION, 8, SUM_OF_LIVE},
    {PERF_LARGE_RAW_BASE, 8, SUM_OF_LIVE},
    {PERF_AVERAGE_TIMER, 8, SUM},
    {PERF_AVERAGE_BASE, 4, SUM},
    {PERF_AVERAGE_BULK, 8, SUM},
    {PERF_AVERAGE_BASE, 4, SUM},
    {PERF_PRECISION_SYSTEM_TIMER, 8, SUM},
    {PERF_LARGE_RAW_BASE, 8, NEWEST},
    {PERF_PRECISION_100NS_TIMER, 8, SUM},
    {PERF_LARGE_RAW_BASE, 8, NEWEST},
    {PERF_PRECISION_OBJECT_TIMER, 8, SUM},
    {PERF_LARGE_RAW_BASE, 8, NEWEST},
    {PERF_ELAPSED_TIME, 8, OLDEST_START},
    {PERF_COUNTER_NODATA, 0, NO_VALUE},
    /* These types are only in objects whose names have a process id. */
    {PERF_COUNTER_TIMER_INV, 8, SUM},
    {PERF_100NSEC_TIMER_INV, 8, SUM},
};

enum {
    TYPES = sizeof(types) / sizeof(types[0]),
    INVERSE_TYPES = 2,
    MERGING_TYPES = TYPES - INVERSE_TYPES,
    ALL_ID = 2000,
    PLAIN_ID = 2001,
    INVERSE_ID = 2002,
    PLAIN_FROM = 100, /* the ids of counters are 1, 2, ..., then 101, ..., then 201, ... */
    INVERSE_FROM = 200,
    PLAIN_COUNTERS = MERGING_TYPES
};

/* Makes a map with three objects. One with instances and one without have all of `types` except the
 * last two. The third one, whose names have process ids, has the last two, which are inverse
 * timers. */
static void make_map_of_all_types(sample_map *made)
{
    static const prfdata_map_entry heads[3] = {
        {PRFDATA_ENTRY_OBJECT, ALL_ID, "ALL", L"All", L"All.", PERF_DETAIL_NOVICE, 1, 4, 8, 0, 0, 0,
         0, 0, 0, 0, 0},
        {PRFDATA_ENTRY_OBJECT, PLAIN_ID, "PLAIN", L"Plain", L"Plain.", PERF_DETAIL_NOVICE,
         PLAIN_FROM + 1, PERF_NO_INSTANCES, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {PRFDATA_ENTRY_OBJECT, INVERSE_ID, "INVERSE", L"Inverse", L"Inverse.", PERF_DETAIL_NOVICE,
         INVERSE_FROM + 1, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0},
    };
    uint32_t used = 0;

    memset(made, 0, sizeof(*made));
    made->map.entry_bytes = sizeof(prfdata_map_entry);
    made->map.entries = made->entries;
    made->map.service = SERVICE;
    made->entries[used++] = heads[0];
    made->entries[used].kind = PRFDATA_ENTRY_OPTION;
    made->entries[used].symbol = "PRFDATA_MAP_TOTAL";
    made->entries[used++].option = PRFDATA_OPTION_TOTAL;
    for (uint32_t i = 0; i < MERGING_TYPES; i++)
        made->entries[used++] = sample_map_counter(1 + i, types[i].type);
    made->entries[used++] = heads[1];
    for (uint32_t i = 0; i < MERGING_TYPES; i++)
        made->entries[used++] = sample_map_counter(PLAIN_FROM + 1 + i, types[i].type);
    made->entries[used++] = heads[2];
    made->entries[used].kind = PRFDATA_ENTRY_OPTION;
    made->entries[used].symbol = "PRFDATA_MAP_PER_PROCESS";
    made->entries[used++].option = PRFDATA_OPTION_PER_PROCESS;
    for (uint32_t i = 0; i < INVERSE_TYPES; i++)
        made->entries[used++] =
            sample_map_counter(INVERSE_FROM + 1 + i, types[MERGING_TYPES + i].type);
    made->map.entry_count = used;
}

/* Returns the value that a publisher counts at `position`. Publishers 0 and 1 run, and 2 has
 * ended. */
static uint64_t part(uint32_t who, uint32_t position)
{
    static const uint64_t starts[3] = {5000, 4000, 3000};

    if (types[position].rule == OLDEST_START)
        return starts[who];
    if (types[position].rule == NEWEST)
        return 70000 + 100 * who + position; /* the ended program has the newest time stamp */
    /* The sum of three such values exceeds 32 bits. */
    return 0x90000000u + 0x10000u * who + position;
}

static uint64_t expected(uint32_t position)
{
    uint64_t value = part(0, position) + part(1, position);

    switch (types[position].rule) {
    case SUM:
        value += part(2, position);
        break;
    case NEWEST:
        return part(2, position);
    case OLDEST_START:
        return part(1, position);
    case SUM_OF_LIVE:
    case NO_VALUE:
    default:
        break;
    }
    return types[position].bytes == 4 ? value & UINT32_MAX : value;
}

static void fill(prfdata_publisher *publisher, uint32_t who)
{
    prfdata_instance all = counting_add(publisher, ALL_ID, L"x", NULL);
    prfdata_instance inverse;
    wchar_t name[2] = {(wchar_t)(L'a' + who), 0};

    for (uint32_t i = 0; i < MERGING_TYPES; i++) {
        if (types[i].rule == NO_VALUE)
            continue;
        counting_count(publisher, 1 + i, &all, (int64_t)part(who, i));
        counting_count(publisher, PLAIN_FROM + 1 + i, NULL, (int64_t)part(who, i));
    }
    inverse = counting_add(publisher, INVERSE_ID, name, NULL);
    for (uint32_t i = 0; i < INVERSE_TYPES; i++)
        counting_count(publisher, INVERSE_FROM + 1 + i, &inverse,
                       (int64_t)part(who, MERGING_TYPES + i));
}

static void test_merge_the_table_names_every_type_that_a_map_may_have(void **state)
{
    (void)state;
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_at(i);
        bool is_there = (type->flags & PRFDATA_TYPE_NOT_YET) != 0;

        for (uint32_t j = 0; j < TYPES; j++)
            is_there = is_there || types[j].type == type->type;
        if (!is_there)
            fail_msg("no row of types is about %s", type->name);
    }
}

static void test_merge_two_live_and_a_dead_region_by_the_type(void **state)
{
    static sample_map all;
    enum { TITLES_ALL = FIRST_COUNTER };
    prfdata_publisher *publishers[3];
    uint32_t plain_title = TITLES_ALL + 2;
    collected taken;

    (void)state;
    make_map_of_all_types(&all);
    provided_end(NULL);
    provided_begin(&all.map, FIRST_COUNTER);
    for (uint32_t who = 0; who < 3; who++) {
        publishers[who] = counting_open(&all.map);
        fill(publishers[who], who);
    }
    prfdata_close_and_unmap(publishers[2]);
    for (uint32_t i = 0; i < MERGING_TYPES; i++) /* bases have no title */
        plain_title +=
            types[i].type == PERF_COUNTER_MULTI_BASE || types[i].rule == NEWEST ||
                    types[i].type == PERF_SAMPLE_BASE || types[i].type == PERF_RAW_BASE ||
                    types[i].type == PERF_LARGE_RAW_BASE || types[i].type == PERF_AVERAGE_BASE
                ? 0
                : 2;
    collected_take(&taken, provider, "Global");
    for (uint32_t i = 0; i < MERGING_TYPES; i++) {
        uint64_t value;

        if (types[i].rule == NO_VALUE) {
            assert_false(perf_reader_value(&taken.reply, TITLES_ALL, "", "x", i, &value));
            continue;
        }
        value = collected_value(&taken, TITLES_ALL, "", "x", i);
        if (value != expected(i))
            fail_msg("type %08lx: %llx, not %llx", (unsigned long)types[i].type,
                     (unsigned long long)value, (unsigned long long)expected(i));
        assert_int_equal(collected_value(&taken, TITLES_ALL, "", "_Total", i), expected(i));
        assert_int_equal(collected_value(&taken, plain_title, NULL, NULL, i), expected(i));
    }
    collected_free(&taken);
    prfdata_close_and_unmap(publishers[0]);
    prfdata_close_and_unmap(publishers[1]);
}

static void test_merge_single_inverse_timers_stay_apart_by_process(void **state)
{
    static sample_map all;
    prfdata_publisher *publishers[2];
    collected taken;
    uint32_t title = 0;

    (void)state;
    make_map_of_all_types(&all);
    provided_end(NULL);
    provided_begin(&all.map, FIRST_COUNTER);
    for (uint32_t who = 0; who < 2; who++) {
        publishers[who] = counting_open(&all.map);
        fill(publishers[who], who);
    }
    collected_take(&taken, provider, "Global");
    for (uint32_t i = FIRST_COUNTER; i < FIRST_COUNTER + 300; i += 2)
        if (perf_reader_object(&taken.reply, i) != SIZE_MAX)
            title = i; /* in the end the title of the last object */
    assert_int_equal(collected_instances(&taken, title), 2);
    for (uint32_t i = 0; i < 2; i++) {
        char name[64];
        uint32_t who;

        perf_reader_instance_name(&taken.reply, title, i, name, sizeof(name));
        who = name[0] == 'a' ? 0 : 1;
        assert_true(name[1] == '_' && name[2] >= '0' && name[2] <= '9');
        for (uint32_t j = 0; j < INVERSE_TYPES; j++)
            assert_int_equal(collected_value(&taken, title, "", name, j),
                             part(who, MERGING_TYPES + j));
    }
    collected_free(&taken);
    prfdata_close_and_unmap(publishers[0]);
    prfdata_close_and_unmap(publishers[1]);
}

static void test_merge_oldest_start_ignores_what_has_not_started(void **state)
{
    static sample_map all;
    const uint32_t elapsed = MERGING_TYPES - 2;
    prfdata_publisher *publishers[3];

    (void)state;
    assert_int_equal(types[elapsed].type, PERF_ELAPSED_TIME);
    make_map_of_all_types(&all);
    provided_end(NULL);
    provided_begin(&all.map, FIRST_COUNTER);
    for (uint32_t who = 0; who < 3; who++) {
        prfdata_instance x;

        publishers[who] = counting_open(&all.map);
        x = counting_add(publishers[who], ALL_ID, L"x", NULL);
        counting_count(publishers[who], 1 + elapsed, &x, who == 0 ? 0 : 9000 - who);
    }
    assert_int_equal(shown(9100, "", "x", elapsed), 8998);
    prfdata_close_and_unmap(publishers[2]);
    assert_int_equal(shown(9100, "", "x", elapsed), 8999);
    prfdata_close_and_unmap(publishers[1]);
    assert_int_equal(shown(9100, "", "x", elapsed), 0);
    prfdata_close_and_unmap(publishers[0]);
}

static void test_merge_max_shows_the_largest_of_live_regions_signed(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map), *b = counting_open(&sample.map);
    prfdata_publisher *dead = counting_open(&sample.map);

    (void)state;
    add_queue(a, L"mail", 0, 5);
    add_queue(b, L"mail", 0, 3);
    add_queue(dead, L"mail", 0, 99);
    add_queue(a, L"low", 0, -7);
    add_queue(b, L"low", 0, -9);
    assert_int_equal(shown(QUEUE_TITLE, "", "mail", DEPTH_AT), 99);
    prfdata_close_and_unmap(dead);
    assert_int_equal(shown(QUEUE_TITLE, "", "mail", DEPTH_AT), 5);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", DEPTH_AT), 5);
    assert_int_equal(shown(QUEUE_TITLE, "", "low", DEPTH_AT), (uint32_t)-7);
    prfdata_close_and_unmap(a);
    assert_int_equal(shown(QUEUE_TITLE, "", "mail", DEPTH_AT), 3);
    prfdata_close_and_unmap(b);
}

/* ---- Totals ---- */

static void test_merge_total_is_last_and_keeps_what_ended_processes_counted(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map), *b = counting_open(&sample.map);
    collected taken;
    char name[32];

    (void)state;
    add_queue(a, L"mail", 100, 1);
    add_queue(b, L"print", 20, 2);
    collected_take(&taken, provider, "Global");
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 3);
    perf_reader_instance_name(&taken.reply, QUEUE_TITLE, 2, name, sizeof(name));
    assert_string_equal(name, "_Total");
    collected_free(&taken);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", JOBS_AT), 120);
    prfdata_close_and_unmap(a);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", JOBS_AT), 120);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", DEPTH_AT), 2);
    prfdata_close_and_unmap(b);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", JOBS_AT), 120);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", DEPTH_AT), 0);
    assert_int_equal(instances_shown(QUEUE_TITLE), 1);
}

static void test_merge_total_counts_removed_instances(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map);
    prfdata_instance mail = add_queue(a, L"mail", 100, 1);

    (void)state;
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    assert_false(is_shown(QUEUE_TITLE, "", "mail"));
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", JOBS_AT), 100);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", DEPTH_AT), 0);
    prfdata_close_and_unmap(a);
}

static void test_merge_objects_without_instances_sum_gauges_of_live_regions(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map), *b = counting_open(&sample.map);

    (void)state;
    counting_count(a, BUSY_ID, NULL, 4);
    counting_count(b, BUSY_ID, NULL, 3);
    assert_int_equal(shown(WORKER_TITLE, NULL, NULL, BUSY_AT), 7);
    prfdata_close(a);
    assert_int_equal(shown(WORKER_TITLE, NULL, NULL, BUSY_AT), 3);
    prfdata_close_and_unmap(b);
    assert_int_equal(shown(WORKER_TITLE, NULL, NULL, BUSY_AT), 0);
    prfdata_close_and_unmap(a);
}

/* ---- Which instances there are ---- */

static void test_merge_instances_of_one_name_are_one_ignoring_case(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map), *b = counting_open(&sample.map);
    collected taken;
    char name[32];

    (void)state;
    add_queue(a, L"\x00D6rt", 5, 0);
    add_queue(b, L"\x00F6RT", 7, 0);
    collected_take(&taken, provider, "Global");
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 2);
    perf_reader_instance_name(&taken.reply, QUEUE_TITLE, 0, name, sizeof(name));
    assert_true(strcmp(name, "\xC3\x96rt") == 0 || strcmp(name, "\xC3\xB6RT") == 0);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", name, JOBS_AT), 12);
    collected_free(&taken);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

static void test_merge_a_name_below_other_parents_is_another_instance(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map), *b = counting_open(&sample.map);
    prfdata_instance mail = counting_add(a, QUEUE_ID, L"mail", NULL),
                     same = counting_add(b, QUEUE_ID, L"MAIL", NULL);
    prfdata_instance print = counting_add(b, QUEUE_ID, L"print", NULL), ann;

    (void)state;
    ann = counting_add(a, CONSUMER_ID, L"ann", &mail);
    counting_count(a, TAKEN_ID, &ann, 1);
    ann = counting_add(b, CONSUMER_ID, L"ann", &same);
    counting_count(b, TAKEN_ID, &ann, 2);
    ann = counting_add(b, CONSUMER_ID, L"ann", &print);
    counting_count(b, TAKEN_ID, &ann, 4);
    ann = counting_add(b, CONSUMER_ID, L"ann", NULL);
    counting_count(b, TAKEN_ID, &ann, 8);
    assert_int_equal(instances_shown(CONSUMER_TITLE), 3);
    assert_int_equal(shown(CONSUMER_TITLE, "print", "ann", TAKEN_AT), 4);
    assert_int_equal(shown(CONSUMER_TITLE, "", "ann", TAKEN_AT), 8);
    if (is_shown(CONSUMER_TITLE, "mail", "ann"))
        assert_int_equal(shown(CONSUMER_TITLE, "mail", "ann", TAKEN_AT), 3);
    else
        assert_int_equal(shown(CONSUMER_TITLE, "MAIL", "ann", TAKEN_AT), 3);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* Adds queues whose slots have the indexes 0 to 3. remove_spares() makes these slots dormant. */
static void add_spares(prfdata_publisher *publisher, prfdata_instance *spares)
{
    static const wchar_t *const names[4] = {L"s0", L"s1", L"s2", L"s3"};

    for (uint32_t i = 0; i < 4; i++)
        spares[i] = counting_add(publisher, QUEUE_ID, names[i], NULL);
}

static void remove_spares(prfdata_instance *spares)
{
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(prfdata_instance_remove(&spares[i]), ERROR_SUCCESS);
}

/* In both regions, the slots of the parents have the indexes 4 to 7. In the reply, the parents have
 * the indexes 0 to 3. */
static void test_merge_parent_index_is_the_emitted_one(void **state)
{
    static const wchar_t *const names[4] = {L"q0", L"q1", L"q2", L"q3"};
    static const char *const narrow[4] = {"q0", "q1", "q2", "q3"};
    prfdata_instance queues[8], spares[2][4];
    prfdata_publisher *a = counting_open(&sample.map), *b = counting_open(&sample.map);

    (void)state;
    add_spares(a, spares[0]);
    add_spares(b, spares[1]);
    for (uint32_t i = 0; i < 8; i++) {
        prfdata_publisher *publisher = i < 4 ? a : b;

        queues[i] = counting_add(publisher, QUEUE_ID, names[i < 4 ? i : 7 - i], NULL);
    }
    remove_spares(spares[0]);
    remove_spares(spares[1]);
    for (uint32_t i = 8; i-- > 0;) {
        prfdata_publisher *publisher = i < 4 ? a : b;
        prfdata_instance consumer = counting_add(publisher, CONSUMER_ID, L"c", &queues[i]);

        counting_count(publisher, TAKEN_ID, &consumer, 10 + (i < 4 ? i : 7 - i));
    }
    assert_int_equal(instances_shown(QUEUE_TITLE), 4 + 1);
    assert_int_equal(instances_shown(CONSUMER_TITLE), 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(shown(CONSUMER_TITLE, narrow[i], "c", TAKEN_AT), 20 + 2 * i);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

static void test_merge_numbered_instances_merge_by_number(void **state)
{
    static const int32_t numbers[4] = {7, -2, 0, 0x12345678};
    static const char *const names[4] = {"#7", "#-2", "#0", "#305419896"};
    prfdata_publisher *publishers[2] = {counting_open(&sample.map), counting_open(&sample.map)};

    (void)state;
    for (int who = 0; who < 2; who++)
        for (int i = 0; i < 4; i++) {
            prfdata_instance instance;

            assert_int_equal(
                prfdata_instance_add_id(publishers[who], QUEUE_ID, numbers[i], NULL, &instance),
                ERROR_SUCCESS);
            counting_count(publishers[who], JOBS_ID, &instance, 1 + i);
        }
    assert_int_equal(instances_shown(QUEUE_TITLE), 5);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(shown(QUEUE_TITLE, "", names[i], JOBS_AT), 2 * (1 + i));
    prfdata_close_and_unmap(publishers[0]);
    prfdata_close_and_unmap(publishers[1]);
}

static void test_merge_instances_without_a_live_process_are_gone(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map), *b = counting_open(&sample.map);
    prfdata_instance mail = counting_add(a, QUEUE_ID, L"mail", NULL);

    (void)state;
    counting_add(a, CONSUMER_ID, L"ann", &mail);
    add_queue(b, L"print", 1, 1);
    assert_int_equal(instances_shown(QUEUE_TITLE), 3);
    assert_int_equal(instances_shown(CONSUMER_TITLE), 1);
    prfdata_close(a);
    assert_int_equal(instances_shown(QUEUE_TITLE), 2);
    assert_int_equal(instances_shown(CONSUMER_TITLE), 0);
    prfdata_close_and_unmap(b);
    assert_int_equal(instances_shown(QUEUE_TITLE), 1);
    prfdata_close_and_unmap(a);
}

/* The region is published and has live slots, but its file has no owner, as after a kill. */
static void test_merge_a_region_that_nobody_owns_has_no_instances(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map);
    prfdata_test_file file;

    (void)state;
    add_queue(a, L"mail", 100, 7);
    counting_count(a, BUSY_ID, NULL, 3);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    assert_true(
        prfdata_test_service_copy_file(&service, file.name, prfdata_test_region_name(0xaa)));
    prfdata_close(a);
    assert_int_equal(instances_shown(QUEUE_TITLE), 1);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", JOBS_AT), 200);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", DEPTH_AT), 0);
    assert_int_equal(shown(WORKER_TITLE, NULL, NULL, BUSY_AT), 0);
    prfdata_close_and_unmap(a);
}

/* The process ids in the names may belong to other processes now. A copy of the region stands for
 * the region of an ended program. */
static void test_merge_per_process_names_of_ended_processes_count_in_totals_only(void **state)
{
    char mail_name[32];
    prfdata_instance mail;
    prfdata_publisher *a;
    prfdata_test_file file;

    (void)state;
    provided_end(NULL);
    sample_map_insert_option(&sample, QUEUES_TOTAL, PRFDATA_OPTION_PER_PROCESS, 0);
    provided_begin(&sample.map, FIRST_COUNTER);
    a = counting_open(&sample.map);
    mail = add_queue(a, L"mail", 100, 7);
    mail = counting_add(a, CONSUMER_ID, L"ann", &mail);
    counting_count(a, TAKEN_ID, &mail, 5);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    assert_true(
        prfdata_test_service_copy_file(&service, file.name, prfdata_test_region_name(0xaa)));
    snprintf(mail_name, sizeof mail_name, "mail_%u", (unsigned)prfdata_os_process_id());
    assert_int_equal(shown(QUEUE_TITLE, "", mail_name, JOBS_AT), 100);
    assert_int_equal(shown(CONSUMER_TITLE, mail_name, "ann", TAKEN_AT), 5);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", JOBS_AT), 200);
    (void)counting_add(a, QUEUE_ID, L"more than the ended one had", NULL);
    assert_int_equal(shown(QUEUE_TITLE, "", mail_name, JOBS_AT), 100);
    prfdata_close_and_unmap(a);
}

/* One process has two publishers with a file each. It closes one of them. */
static void test_merge_per_process_names_of_a_closed_publisher_go_on(void **state)
{
    char mail_name[32];
    prfdata_publisher *other, *closed;

    (void)state;
    provided_end(NULL);
    sample_map_insert_option(&sample, QUEUES_TOTAL, PRFDATA_OPTION_PER_PROCESS, 0);
    provided_begin(&sample.map, FIRST_COUNTER);
    other = counting_open(&sample.map);
    closed = counting_open(&sample.map);
    add_queue(closed, L"mail", 945, 7);
    snprintf(mail_name, sizeof mail_name, "mail_%u", (unsigned)prfdata_os_process_id());
    assert_int_equal(shown(QUEUE_TITLE, "", mail_name, JOBS_AT), 945);
    prfdata_close(closed);
    add_queue(other, L"mail", 5, 1);
    assert_int_equal(shown(QUEUE_TITLE, "", mail_name, JOBS_AT), 950);
    assert_int_equal(shown(QUEUE_TITLE, "", mail_name, DEPTH_AT), 1);
    prfdata_close_and_unmap(closed);
    prfdata_close_and_unmap(other);
}

/* The counts of the names begin at 0 again. Only the process id could say that the process is the
 * same, and Windows reuses process ids. The second publisher gets the first one's file, and the
 * third one needs a larger file. */
static void test_merge_per_process_names_of_an_unmapped_publisher_begin_again(void **state)
{
    static const prfdata_capacity one = {QUEUE_ID, 1};
    char mail_name[32];
    prfdata_publisher *a;

    (void)state;
    provided_end(NULL);
    sample_map_insert_option(&sample, QUEUES_TOTAL, PRFDATA_OPTION_PER_PROCESS, 0);
    provided_begin(&sample.map, FIRST_COUNTER);
    snprintf(mail_name, sizeof mail_name, "mail_%u", (unsigned)prfdata_os_process_id());
    for (uint64_t opened = 1; opened <= 3; opened++) {
        prfdata_test_file files[3];

        assert_int_equal(prfdata_open_with(&sample.map, &one, opened < 3, &a), ERROR_SUCCESS);
        add_queue(a, L"mail", 945, 7);
        assert_int_equal(prfdata_test_service_files(&service, files, 3), opened < 3 ? 1 : 2);
        assert_int_equal(shown(QUEUE_TITLE, "", mail_name, JOBS_AT), 945);
        assert_int_equal(shown(QUEUE_TITLE, "", "_Total", JOBS_AT), 945 * opened);
        prfdata_close_and_unmap(a);
    }
}

static void test_merge_dead_and_dormant_slots_count_towards_live_ones_of_their_name(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map), *b = counting_open(&sample.map);
    prfdata_publisher *dead = counting_open(&sample.map);
    prfdata_instance mail = add_queue(a, L"mail", 100, 1),
                     ann = counting_add(a, CONSUMER_ID, L"ann", &mail);
    prfdata_instance other = add_queue(b, L"Mail", 20, 1),
                     bob = counting_add(b, CONSUMER_ID, L"ann", &other);

    (void)state;
    add_queue(dead, L"mail", 3000, 1);
    counting_count(a, TAKEN_ID, &ann, 5);
    counting_count(b, TAKEN_ID, &bob, 6);
    prfdata_close_and_unmap(dead);
    prfdata_instance_remove(&ann);
    prfdata_instance_remove(&mail);
    assert_int_equal(shown(QUEUE_TITLE, "", "Mail", JOBS_AT), 3120);
    assert_int_equal(shown(CONSUMER_TITLE, "Mail", "ann", TAKEN_AT), 11);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

static void test_merge_a_name_that_returns_goes_on_where_it_was(void **state)
{
    prfdata_publisher *a = counting_open(&sample.map);
    prfdata_instance mail = add_queue(a, L"mail", 100, 7);

    (void)state;
    prfdata_instance_remove(&mail);
    add_queue(a, L"mail", 1, 2);
    assert_int_equal(shown(QUEUE_TITLE, "", "mail", JOBS_AT), 101);
    assert_int_equal(shown(QUEUE_TITLE, "", "mail", DEPTH_AT), 2);
    prfdata_close_and_unmap(a);
}

static void test_merge_a_slot_of_another_name_begins_at_zero(void **state)
{
    static const prfdata_capacity one = {QUEUE_ID, 1};
    prfdata_publisher *a;
    prfdata_instance mail;

    (void)state;
    assert_int_equal(prfdata_open_with(&sample.map, &one, 1, &a), ERROR_SUCCESS);
    mail = add_queue(a, L"mail", 100, 7);
    prfdata_instance_remove(&mail);
    mail = counting_add(a, QUEUE_ID, L"print", NULL);
    assert_int_equal(shown(QUEUE_TITLE, "", "print", JOBS_AT), 0);
    assert_int_equal(shown(QUEUE_TITLE, "", "print", DEPTH_AT), 0);
    counting_count(a, JOBS_ID, &mail, 9);
    assert_int_equal(shown(QUEUE_TITLE, "", "print", JOBS_AT), 9);
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", JOBS_AT), 109);
    prfdata_close_and_unmap(a);
}

/* Consumers have only counters that accumulate. */
static void test_merge_a_slot_of_another_name_begins_at_zero_where_all_accumulates(void **state)
{
    static const prfdata_capacity one = {CONSUMER_ID, 1};
    prfdata_publisher *a, *b = counting_open(&sample.map);
    prfdata_instance ann, bob;

    (void)state;
    assert_int_equal(prfdata_open_with(&sample.map, &one, 1, &a), ERROR_SUCCESS);
    ann = counting_add(a, CONSUMER_ID, L"ann", NULL);
    counting_count(a, TAKEN_ID, &ann, 100);
    prfdata_instance_remove(&ann);
    bob = counting_add(a, CONSUMER_ID, L"bob", NULL);
    counting_count(a, TAKEN_ID, &bob, 9);
    assert_int_equal(shown(CONSUMER_TITLE, "", "bob", TAKEN_AT), 9);
    bob = counting_add(b, CONSUMER_ID, L"bob", NULL);
    counting_count(b, TAKEN_ID, &bob, 1);
    assert_int_equal(shown(CONSUMER_TITLE, "", "bob", TAKEN_AT), 10);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* Counts of a child in an ended program's region belong to the child's parent at that time, even if
 * the parent's slot has another name now. `more` is the number of other children. */
static void check_children_of_the_ended(int more)
{
    static const prfdata_capacity one[] = {{QUEUE_ID, 1}, {CONSUMER_ID, 2}};
    static const wchar_t *const names[] = {L"bob", L"cid", L"dan"};
    prfdata_publisher *ended, *lives = counting_open(&sample.map);
    prfdata_instance mail, print, ann, of_lives;

    (void)add_queue(lives, L"first", 1, 0); /* makes the positions of rows and slots different */
    of_lives = add_queue(lives, L"print", 1, 0);
    for (int i = 0; i < more; i++)
        (void)counting_add(lives, CONSUMER_ID, names[i], &of_lives);
    assert_int_equal(prfdata_open_with(&sample.map, one, 2, &ended), ERROR_SUCCESS);
    mail = add_queue(ended, L"mail", 1, 0);
    ann = counting_add(ended, CONSUMER_ID, L"ann", &mail);
    counting_count(ended, TAKEN_ID, &ann, 100);
    prfdata_instance_remove(&ann);
    prfdata_instance_remove(&mail);
    print = add_queue(ended, L"print", 1, 0);
    ann = counting_add(ended, CONSUMER_ID, L"ann", &print);
    counting_count(ended, TAKEN_ID, &ann, 20);
    prfdata_close_and_unmap(ended);
    mail = add_queue(lives, L"mail", 1, 0);
    ann = counting_add(lives, CONSUMER_ID, L"ann", &of_lives);
    counting_count(lives, TAKEN_ID, &ann, 3);
    (void)counting_add(lives, CONSUMER_ID, L"ann", &mail);
    assert_int_equal(shown(CONSUMER_TITLE, "print", "ann", TAKEN_AT), 23);
    assert_int_equal(shown(CONSUMER_TITLE, "mail", "ann", TAKEN_AT), 0);
    prfdata_close_and_unmap(lives);
}

static void test_merge_children_of_ended_programs_add_to_their_own_parents(void **state)
{
    (void)state;
    check_children_of_the_ended(0);
}

static void test_merge_few_children_of_ended_programs_add_to_their_own_parents(void **state)
{
    (void)state;
    check_children_of_the_ended(3);
}

/* ---- Many programs and instances ---- */

#ifdef _WIN32 /* each open lists the folder, which takes a millisecond under Wine */
enum { ENDED = 40 };
#else
enum { ENDED = 400 };
#endif

enum { MANY = 60000 };

static void install_with_many_queues(void)
{
    (void)provided_end(NULL);
    sample.entries[QUEUES].max_instances = MANY;
    provided_begin(&sample.map, FIRST_COUNTER);
}

/* Starts all programs before the first one ends, so that none takes over another one's region. */
static void end_many_programs(void)
{
    static const prfdata_capacity few[] = {{QUEUE_ID, 2}, {CONSUMER_ID, 2}};
    prfdata_publisher *ended[ENDED];

    for (int i = 0; i < ENDED; i++) {
        prfdata_instance mail, ann;

        assert_int_equal(prfdata_open_with(&sample.map, few, 2, &ended[i]), ERROR_SUCCESS);
        mail = add_queue(ended[i], L"mail", 3, 1);
        ann = counting_add(ended[i], CONSUMER_ID, L"ann", &mail);
        counting_count(ended[i], TAKEN_ID, &ann, 2);
    }
    for (int i = 0; i < ENDED; i++)
        prfdata_close_and_unmap(ended[i]);
}

static void test_merge_many_ended_programs_add_to_many_instances(void **state)
{
    prfdata_publisher *lives;
    prfdata_instance mail, other;
    uint16_t query[] = {'9', '1', '0', '0', 0};
    void *data = query;
    uint32_t size = 0;
    uint32_t objects;
    clock_t began;

    (void)state;
    install_with_many_queues();
    end_many_programs();
    lives = counting_open(&sample.map);
    mail = add_queue(lives, L"Mail", 1, 1);
    (void)counting_add(lives, CONSUMER_ID, L"Ann", &mail);
    assert_int_equal(shown(QUEUE_TITLE, "", "Mail", JOBS_AT), 1 + 3 * ENDED);
    assert_int_equal(shown(CONSUMER_TITLE, "Mail", "Ann", TAKEN_AT), 2 * ENDED);
    for (uint32_t i = 0; i + 1 < MANY; i++) {
        wchar_t name[8];

        (void)swprintf(name, sizeof name / sizeof name[0], L"q%u", (unsigned)i);
        (void)counting_add(lives, QUEUE_ID, name, NULL);
    }
    other = counting_add(lives, CONSUMER_ID, L"Bob", &mail);
    counting_count(lives, TAKEN_ID, &other, 1);
    assert_int_equal(shown(QUEUE_TITLE, "", "Mail", JOBS_AT), 1 + 3 * ENDED);
    assert_int_equal(shown(CONSUMER_TITLE, "Mail", "Ann", TAKEN_AT), 2 * ENDED);
    assert_int_equal(shown(CONSUMER_TITLE, "Mail", "Bob", TAKEN_AT), 1);
    /* A new instance makes plans invalid, so the size must be computed again. */
    (void)counting_add(lives, CONSUMER_ID, L"Cid", &mail);
    began = clock();
    assert_int_equal(prfdata_provider_collect(provider, query, &data, &size, &objects),
                     ERROR_MORE_DATA);
    assert_true(clock() - began < CLOCKS_PER_SEC);
    prfdata_close_and_unmap(lives);
}

/* Gives all slots the first one's name, which our client never does. */
static void name_all_alike(prfdata_publisher *publisher)
{
    const prfdata_region_section *section = &publisher->layout->sections[0];
    const void *first = prfdata_region_name_at(publisher->bytes, section, 0);

    for (uint32_t i = 1; i < section->slot_count; i++)
        memcpy(prfdata_region_name_at(publisher->bytes, section, i), first, section->name_stride);
}

static void test_merge_many_slots_of_one_name_are_looked_up_in_one_step(void **state)
{
    static const prfdata_capacity few = {QUEUE_ID, 2};
    prfdata_publisher *ended, *lives;
    clock_t began;

    (void)state;
    install_with_many_queues();
    ended = counting_open(&sample.map);
    for (uint32_t i = 0; i < MANY; i++) {
        wchar_t name[8];

        (void)swprintf(name, sizeof name / sizeof name[0], L"q%05u", (unsigned)i);
        (void)add_queue(ended, name, 1, 0);
    }
    name_all_alike(ended);
    assert_int_equal(prfdata_open_with(&sample.map, &few, 1, &lives), ERROR_SUCCESS);
    /* Close this publisher only now, because otherwise the other one would have taken over its
     * region. */
    prfdata_close_and_unmap(ended);
    (void)add_queue(lives, L"q00000", 5, 0);
    began = clock();
    assert_int_equal(shown(QUEUE_TITLE, "", "_Total", JOBS_AT), MANY + 5);
    assert_true(clock() - began < CLOCKS_PER_SEC);
    assert_in_range(shown(QUEUE_TITLE, "", "q00000", JOBS_AT), 6, MANY + 5);
    prfdata_close_and_unmap(lives);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, provided_sample_begin, provided_end)
        CASE(test_merge_the_table_names_every_type_that_a_map_may_have),
        CASE(test_merge_two_live_and_a_dead_region_by_the_type),
        CASE(test_merge_single_inverse_timers_stay_apart_by_process),
        CASE(test_merge_oldest_start_ignores_what_has_not_started),
        CASE(test_merge_max_shows_the_largest_of_live_regions_signed),
        CASE(test_merge_total_is_last_and_keeps_what_ended_processes_counted),
        CASE(test_merge_total_counts_removed_instances),
        CASE(test_merge_objects_without_instances_sum_gauges_of_live_regions),
        CASE(test_merge_instances_of_one_name_are_one_ignoring_case),
        CASE(test_merge_a_name_below_other_parents_is_another_instance),
        CASE(test_merge_parent_index_is_the_emitted_one),
        CASE(test_merge_numbered_instances_merge_by_number),
        CASE(test_merge_instances_without_a_live_process_are_gone),
        CASE(test_merge_a_region_that_nobody_owns_has_no_instances),
        CASE(test_merge_per_process_names_of_ended_processes_count_in_totals_only),
        CASE(test_merge_per_process_names_of_a_closed_publisher_go_on),
        CASE(test_merge_per_process_names_of_an_unmapped_publisher_begin_again),
        CASE(test_merge_dead_and_dormant_slots_count_towards_live_ones_of_their_name),
        CASE(test_merge_a_name_that_returns_goes_on_where_it_was),
        CASE(test_merge_a_slot_of_another_name_begins_at_zero),
        CASE(test_merge_a_slot_of_another_name_begins_at_zero_where_all_accumulates),
        CASE(test_merge_children_of_ended_programs_add_to_their_own_parents),
        CASE(test_merge_few_children_of_ended_programs_add_to_their_own_parents),
        CASE(test_merge_many_ended_programs_add_to_many_instances),
        CASE(test_merge_many_slots_of_one_name_are_looked_up_in_one_step),
#undef CASE
    };

    return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
