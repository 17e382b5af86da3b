/* SPDX-License-Identifier: MIT */
/* Tests that a reader needs limited memory for regions of an earlier version of a map. The slots of
 * the later version can have thousands of times as many cells. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "events/events.h"
#include "map/model.h"
#include "merge/merge.h"
#include "regions/member.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/one_version.h"
#include "support/provider/only_region.h"
#include "support/sample_map.h"
#include "support/service.h"

#define SERVICE "PrfDataTestUpgradeMemory"

enum { PORT_ID = 1, USED_ID, COUNT_ID, TIME_ID, SMALL_ID, CALLS_ID, JOB_ID, DONE_ID };
enum { FIRST_COUNTER = 9900, SMALL_TITLE = 9904, JOB_TITLE = 9908, MEBIBYTE = 1024 * 1024 };

PRFDATA_MAP_BEGIN_AS(narrow_map)
PRFDATA_MAP_OBJ(PORT_ID, L"Ports", L"Ports.", PERF_DETAIL_NOVICE, USED_ID, 65535, 20)
PRFDATA_MAP_CTR(USED_ID, L"used", L"used.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_OBJ(SMALL_ID, L"Small", L"S.", PERF_DETAIL_NOVICE, CALLS_ID, PERF_NO_INSTANCES, 0)
PRFDATA_MAP_CTR(CALLS_ID, L"calls", L"calls.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_OBJ(JOB_ID, L"Jobs", L"J.", PERF_DETAIL_NOVICE, DONE_ID, 1, 20)
PRFDATA_MAP_CTR(DONE_ID, L"done", L"done.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END_AS(narrow_map, SERVICE)

PRFDATA_MAP_BEGIN_AS(wide_map)
PRFDATA_MAP_OBJ(PORT_ID, L"Ports", L"Ports.", PERF_DETAIL_NOVICE, USED_ID, 10, 20)
PRFDATA_MAP_DISTRIBUTION_WITH(TIME_ID, PRFDATA_UNIT_NUMBER, 1, INT64_MAX, 32, 60)
PRFDATA_MAP_CTR(USED_ID, L"used", L"used.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_CTR(COUNT_ID, L"count", L"count.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_COUNT(TIME_ID)
PRFDATA_MAP_OBJ(SMALL_ID, L"Small", L"S.", PERF_DETAIL_NOVICE, CALLS_ID, PERF_NO_INSTANCES, 0)
PRFDATA_MAP_CTR(CALLS_ID, L"calls", L"calls.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END_AS(wide_map, SERVICE)

/* The narrow map with TALL more counters for each port. */
enum { TALL = 600, FIRST_TALL_ID = 1000 };
static sample_map tall_map;

static void make_tall_map(void)
{
    tall_map.map = narrow_map;
    memcpy(tall_map.entries, narrow_map.entries,
           narrow_map.entry_count * sizeof tall_map.entries[0]);
    tall_map.map.entries = tall_map.entries;
    tall_map.entries[0].max_instances = 10;
    for (uint32_t i = 0; i < TALL; i++) {
        const prfdata_map_entry counter =
            sample_map_counter(FIRST_TALL_ID + i, PERF_COUNTER_BULK_COUNT);

        sample_map_insert(&tall_map, 2, &counter);
    }
}

static prfdata_test_service service;
static prfdata_model *narrow, *wide, *tall;

static int install(void **state)
{
    (void)state;
    prfdata_test_service_make(&service, SERVICE, &narrow_map, FIRST_COUNTER);
    assert_int_equal(prfdata_model_make(&narrow_map, &narrow), ERROR_SUCCESS);
    assert_int_equal(prfdata_model_make(&wide_map, &wide), ERROR_SUCCESS);
    make_tall_map();
    assert_int_equal(prfdata_model_make(&tall_map.map, &tall), ERROR_SUCCESS);
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    prfdata_model_free(narrow);
    prfdata_model_free(wide);
    prfdata_model_free(tall);
    prfdata_test_service_remove(&service);
    return 0;
}

/* Starts a program of the earlier version. Its ports begin with `first`, and each is used once. */
static prfdata_publisher *start(int32_t first, int32_t port_count)
{
    prfdata_publisher *publisher;
    prfdata_instance port;
    prfdata_handle used;

    assert_int_equal(prfdata_open(&narrow_map, &publisher), ERROR_SUCCESS);
    for (int32_t i = 0; i < port_count; i++) {
        assert_int_equal(prfdata_instance_add_id(publisher, PORT_ID, first + i, NULL, &port), 0);
        assert_int_equal(prfdata_resolve(publisher, USED_ID, &port, &used), ERROR_SUCCESS);
        prfdata_increment(used);
    }
    return publisher;
}

/* ---- Running programs ---- */

static void note_event(void *context, const char *of, const prfdata_event *event)
{
    (void)of;
    assert_int_equal(event->id, PRFDATA_EVENT_EARLIER_LEFT_OUT);
    assert_true(event->detail[0] == L'P'); /* the detail is "Ports" */
    ++*(uint32_t *)context;
}

/* Collects three times: all objects, then only the object without instances, then all objects.
 * `ports` is the number of ports that the replies must have. Returns the number of events. */
static uint32_t read_after_upgrade(const prfdata_map *map, uint32_t ports)
{
    prfdata_provider *provider;
    uint32_t events = 0;
    collected taken;

    prfdata_test_service_upgrade(&service, map);
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_event_writer(provider, 1, note_event, &events);
    for (int i = 0; i < 3; i++) {
        collected_take(&taken, provider, i == 1 ? "9904" : "Global");
        if (i != 1)
            assert_int_equal(collected_instances(&taken, FIRST_COUNTER), ports);
        assert_int_equal(collected_value(&taken, SMALL_TITLE, NULL, NULL, 0), 7);
        collected_free(&taken);
    }
    assert_int_equal(prfdata_provider_number(provider, PRFDATA_HEALTH_BROKEN), 0);
    prfdata_provider_close(provider);
    return events;
}

static void count_calls(prfdata_publisher *publisher)
{
    prfdata_handle calls;

    assert_int_equal(prfdata_resolve(publisher, CALLS_ID, NULL, &calls), ERROR_SUCCESS);
    prfdata_add(calls, 7);
}

/* If the ports of a program need too much memory, the reply lacks them, and an event says so. */
static void test_upgrade_memory_an_object_of_too_many_slots_is_left_out(void **state)
{
    prfdata_publisher *large = start(1000, 28000), *small = start(1, 2);

    (void)state;
    count_calls(large);
    assert_int_equal(read_after_upgrade(&tall_map.map, 2), 1);
    prfdata_close_and_unmap(small);
    prfdata_close_and_unmap(large);
}

/* The regions of the earlier version have no distributions, so the reader needs no memory for the
 * windows of distributions. */
static void test_upgrade_memory_of_distributions_that_begin_is_none(void **state)
{
    prfdata_publisher *large = start(1000, 9000), *small = start(1, 2);

    (void)state;
    count_calls(large);
    assert_int_equal(read_after_upgrade(&wide_map, 9002), 0);
    prfdata_close_and_unmap(small);
    prfdata_close_and_unmap(large);
}

static void test_upgrade_memory_is_spent_once_for_all_regions(void **state)
{
    prfdata_publisher *publisher = start(1, 10);
    prfdata_snapshot_reading reading = prfdata_snapshot_new_reading();
    const uint64_t small_bytes = sizeof(uint64_t);
    const uint64_t bytes = 20 * tall->objects[0].stored_count * sizeof(uint64_t);
    prfdata_projection *projection = prfdata_projection_make(narrow, tall);
    bool wanted[PRFDATA_MAX_OBJECTS] = {true, true};
    prfdata_regions regions = {0};
    prfdata_member member;
    prfdata_snapshot *snapshot;

    (void)state;
    assert_non_null(projection);
    member = only_region_attach(SERVICE, one_version(narrow), &regions);
    reading.other_bytes = 2 * (bytes + small_bytes) - 1;
    assert_int_equal(
        prfdata_member_snapshot(&member, projection, wanted, true, &reading, &snapshot),
        PRFDATA_DONE);
    assert_int_equal(snapshot->left_out, 0);
    assert_int_equal(snapshot->objects[0].count, 10);
    prfdata_mapping_release_snapshot(snapshot);
    assert_int_equal(reading.other_bytes, bytes + small_bytes - 1);
    reading.other_bytes = bytes - 1;
    assert_int_equal(
        prfdata_member_snapshot(&member, projection, wanted, true, &reading, &snapshot),
        PRFDATA_DONE);
    assert_int_equal(snapshot->left_out, 1);
    assert_int_equal(snapshot->objects[0].count, 0);
    assert_int_equal(snapshot->objects[1].count, 1);
    assert_int_equal(reading.other_bytes, bytes - 1 - small_bytes);
    prfdata_mapping_release_snapshot(snapshot);
    only_region_detach(&member);
    prfdata_projection_free(projection);
    prfdata_close_and_unmap(publisher);
}

static prfdata_publisher *start_job(prfdata_instance *job)
{
    prfdata_publisher *publisher = counting_open(&narrow_map);

    *job = counting_add(publisher, JOB_ID, L"x", NULL);
    counting_count(publisher, DONE_ID, job, 1);
    return publisher;
}

static uint64_t done_of(prfdata_provider *provider, const char *job)
{
    return collected_value_now(provider, "Global", JOB_TITLE, "", job, 0);
}

/* The instances of all regions could need too much memory, so the reader reads the regions in the
 * order in which it found their programs. This order differs from the order of the files, because
 * the last program reuses the file of the first one. The reader still knows what "x" counted
 * between two Collects, although the slot of "x" got another name. */
static void test_upgrade_memory_final_counts_are_known_in_any_order(void **state)
{
    prfdata_instance other, x;
    prfdata_publisher *first = start_job(&other), *second = start_job(&x), *last;
    prfdata_provider *provider;

    (void)state;
    prfdata_test_service_upgrade(&service, &tall_map.map);
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    assert_int_equal(done_of(provider, "x"), 2);
    prfdata_close_and_unmap(first);
    assert_int_equal(done_of(provider, "x"), 2);
    last = start_job(&other);
    assert_int_equal(done_of(provider, "x"), 3);
    counting_count(second, DONE_ID, &x, 10);
    assert_int_equal(prfdata_instance_remove(&x), ERROR_SUCCESS);
    x = counting_add(second, JOB_ID, L"y", NULL);
    assert_int_equal(done_of(provider, "x"), 13);
    assert_int_equal(done_of(provider, "y"), 0);
    prfdata_provider_close(provider);
    prfdata_close_and_unmap(last);
    prfdata_close_and_unmap(second);
}

/* ---- Ended programs ---- */

static uint32_t used_position(const prfdata_model *model)
{
    uint32_t position = 0;

    while (model->objects[0].counters[position].entry->id != USED_ID)
        position++;
    return position;
}

/* Makes the summary of an ended program that had `port_count` ports. The installed map is `shown`.
 * The summary must keep `kept_count` slots. */
static void check_summary(const prfdata_model *shown, int32_t port_count, uint32_t kept_count)
{
    prfdata_snapshot_reading reading = prfdata_snapshot_new_reading();
    prfdata_projection *projection = prfdata_projection_make(narrow, shown);
    bool wanted[PRFDATA_MAX_OBJECTS] = {true};
    prfdata_regions regions = {0};
    prfdata_member member;
    prfdata_snapshot *summary;

    prfdata_close_and_unmap(start(1, port_count));
    assert_non_null(projection);
    member = only_region_attach(SERVICE, one_version(narrow), &regions);
    assert_int_equal(prfdata_member_snapshot(&member, projection, wanted, true, &reading, &summary),
                     0);
    assert_int_equal(summary->left_out, 0);
    assert_int_equal(summary->objects[0].count, kept_count);
    assert_int_equal(
        summary->objects[0].sums[shown->objects[0].counters[used_position(shown)].cell_index],
        port_count);
    assert_true(regions.summaries_bytes >=
                kept_count * shown->objects[0].stored_count * sizeof(uint64_t));
    assert_true(regions.summaries_bytes <= PRFDATA_MEMBER_MAX_SUMMARY_BYTES);
    prfdata_mapping_release_snapshot(summary);
    only_region_detach(&member);
    prfdata_projection_free(projection);
}

static void test_upgrade_memory_of_summaries_is_counted_as_they_are_shown(void **state)
{
    (void)state;
    check_summary(tall, 10, 10);
}

static void test_upgrade_memory_only_sums_are_kept_where_slots_are_too_large(void **state)
{
    (void)state;
    check_summary(tall, 8000, 0);
}

/* With the windows of the later map, the 3,000 slots would need 90 MB, and would not be kept. */
static void test_upgrade_memory_of_summaries_has_no_windows_that_begin(void **state)
{
    (void)state;
    check_summary(wide, 3000, 3000);
}

/* ---- Rows ---- */

/* Makes a snapshot with this many live slots, which all use the same cells. */
static prfdata_snapshot *make_snapshot(uint32_t slot_count)
{
    prfdata_snapshot *made = prfdata_snapshot_make(1);
    prfdata_snapshot_object *object;

    assert_non_null(made);
    object = &made->objects[0];
    object->is_taken = true;
    object->count = slot_count;
    object->slots = calloc(slot_count, sizeof *object->slots);
    object->cells = object->other_cells =
        calloc(wide->objects[0].cell_count, sizeof *object->cells);
    assert_non_null(object->slots);
    assert_non_null(object->cells);
    for (uint32_t i = 0; i < slot_count; i++) {
        object->slots[i].slot_index = i;
        object->slots[i].state = PRFDATA_SLOT_LIVE;
        object->slots[i].parent_slot = PRFDATA_NONE;
        object->slots[i].unique_id = (int32_t)i;
        object->slots[i].has_unique_id = true;
    }
    return made;
}

static prfdata_merge merge_of(const prfdata_model *model, prfdata_snapshot **snapshot,
                              uint64_t most_bytes)
{
    static const bool wanted[PRFDATA_MAX_OBJECTS] = {true, true};
    prfdata_merge merge = {
        .model = model,
        .wanted = wanted,
        .seed = 7,
        .rows_bytes_left = most_bytes,
        .snapshots = snapshot,
        .region_count = 1,
    };

    (*snapshot)->is_live = true;
    assert_int_equal(prfdata_merge_make(&merge), PRFDATA_DONE);
    return merge;
}

/* `most_bytes` is the limit for all rows. The rows of the only object must take at most
 * `expected_bytes`, and at least half of that. */
static void check_rows(uint32_t slot_count, uint64_t most_bytes, uint64_t expected_bytes)
{
    const uint64_t row_bytes = wide->objects[0].cell_count * sizeof(uint64_t);
    prfdata_snapshot *snapshot = make_snapshot(slot_count);
    prfdata_merge merge = merge_of(wide, &snapshot, most_bytes);

    assert_in_range(merge.objects[0].row_count * row_bytes, expected_bytes / 2, expected_bytes);
    assert_int_equal(merge.objects[0].row_count + merge.objects[0].too_many, slot_count);
    prfdata_merge_free(&merge);
    prfdata_snapshot_free(snapshot);
}

static void test_upgrade_memory_rows_beyond_it_are_dropped(void **state)
{
    (void)state;
    check_rows(20000, UINT64_MAX, 256ull * MEBIBYTE);
}

/* There are two objects. The rows of the first one leave memory for only one row of the second. */
static void test_upgrade_memory_rows_of_all_objects_share_it(void **state)
{
    const uint64_t row_bytes = (narrow->objects[0].cell_count + 1) * sizeof(uint64_t);
    prfdata_snapshot *snapshot = prfdata_snapshot_make(2);
    prfdata_model two = *narrow;
    prfdata_model_object objects[2] = {narrow->objects[0], narrow->objects[0]};
    prfdata_merge merge;

    (void)state;
    assert_non_null(snapshot);
    two.objects = objects;
    two.object_count = 2;
    for (int i = 0; i < 2; i++) {
        prfdata_snapshot *one = make_snapshot(10);

        snapshot->objects[i] = one->objects[0];
        memset(&one->objects[0], 0, sizeof one->objects[0]);
        prfdata_snapshot_free(one);
    }
    merge = merge_of(&two, &snapshot, 11 * row_bytes);
    assert_int_equal(merge.objects[0].row_count, 10);
    assert_int_equal(merge.objects[1].row_count, 1);
    assert_int_equal(merge.objects[1].too_many, 9);
    prfdata_merge_free(&merge);
    prfdata_snapshot_free(snapshot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, install, uninstall)
        TEST(test_upgrade_memory_an_object_of_too_many_slots_is_left_out),
        TEST(test_upgrade_memory_of_distributions_that_begin_is_none),
        TEST(test_upgrade_memory_is_spent_once_for_all_regions),
        TEST(test_upgrade_memory_final_counts_are_known_in_any_order),
        TEST(test_upgrade_memory_of_summaries_is_counted_as_they_are_shown),
        TEST(test_upgrade_memory_only_sums_are_kept_where_slots_are_too_large),
        TEST(test_upgrade_memory_of_summaries_has_no_windows_that_begin),
        TEST(test_upgrade_memory_rows_beyond_it_are_dropped),
        TEST(test_upgrade_memory_rows_of_all_objects_share_it),
#undef TEST
    };

    return cmocka_run_group_tests_name("upgrade_memory", tests, NULL, NULL);
}
