/* SPDX-License-Identifier: MIT */
/* Tests whether an id has the same meaning in another version of a map, and the message if not. */
#include <string.h>

#include "map/map_change.h"
#include "support/sample_map.h"
#include "support/test.h"

static sample_map earlier, later;
static prfdata_model *from, *to;

static int begin(void **state)
{
    (void)state;
    sample_map_init(&earlier);
    sample_map_init(&later);
    from = to = NULL;
    return 0;
}

static int end(void **state)
{
    (void)state;
    prfdata_model_free(from);
    prfdata_model_free(to);
    return 0;
}

static size_t compare(prfdata_map_change *changes, size_t capacity)
{
    prfdata_model_free(from);
    prfdata_model_free(to);
    from = to = NULL;
    assert_int_equal(prfdata_model_make(&earlier.map, &from), ERROR_SUCCESS);
    assert_int_equal(prfdata_model_make(&later.map, &to), ERROR_SUCCESS);
    return prfdata_map_change_find(from, to, changes, capacity);
}

static void expect_none(void)
{
    assert_int_equal(compare(NULL, 0), 0);
}

static void expect_first(size_t count, const char *sentence)
{
    prfdata_map_change change;
    char text[300];

    assert_int_equal(compare(&change, 1), count);
    assert_int_equal(prfdata_map_change_text(&change, text, sizeof text), strlen(sentence));
    assert_string_equal(text, sentence);
}

static void expect_one(const char *sentence)
{
    expect_first(1, sentence);
}

static const prfdata_model_counter *earlier_counter(uint32_t id)
{
    const prfdata_model_object *object;
    const prfdata_model_counter *counter = prfdata_model_find_counter(to, id, &object);
    const prfdata_model_object *before = prfdata_map_change_earlier_object(from, to, object);

    return before ? prfdata_map_change_earlier_counter(before, counter) : NULL;
}

static void test_map_change_same_map_changes_nothing(void **state)
{
    (void)state;
    expect_none();
    assert_int_equal(earlier_counter(104)->entry->id, 104);
}

static void test_map_change_names_texts_widths_and_totals_are_free(void **state)
{
    (void)state;
    later.entries[QUEUES].name = L"Line-ups";
    later.entries[QUEUES].max_instances = 5000;
    later.entries[QUEUES].max_name_chars = 80;
    later.entries[JOBS].name = L"Tasks/sec";
    later.entries[JOBS].type = PERF_COUNTER_COUNTER;
    later.entries[BUSY].type = PERF_COUNTER_RAWCOUNT;
    sample_map_remove(&later, DEPTH_MAX); /* without this option DEPTH is summed */
    sample_map_remove(&later, QUEUES_TOTAL);
    expect_none();
    assert_int_equal(earlier_counter(101)->entry->id, 101);
    assert_int_equal(earlier_counter(102)->entry->id, 102);
}

/* A map in which other counters are hot is another version, and its regions have another layout.
 * Its counts continue nevertheless. */
static void test_map_change_hot_is_free(void **state)
{
    (void)state;
    sample_map_insert_option(&later, JOB_TIME_BASE, PRFDATA_OPTION_HOT, 0);
    sample_map_insert_option(&earlier, JOBS + 1, PRFDATA_OPTION_HOT, 0);
    expect_none();
    assert_true(from->hash != to->hash);
    for (uint32_t id = 101; id <= 104; id++)
        assert_int_equal(earlier_counter(id)->entry->id, id);
}

static void test_map_change_added_removed_and_reordered_ids_are_free(void **state)
{
    const prfdata_map_entry added = sample_map_counter(150, PERF_COUNTER_BULK_COUNT);
    prfdata_map_entry moved = later.entries[JOBS];

    (void)state;
    sample_map_remove(&later, TAKEN);
    sample_map_remove(&later, CONSUMERS_PARENT);
    sample_map_remove(&later, CONSUMERS);
    sample_map_remove(&later, JOBS);
    sample_map_insert(&later, WORKERS - 1, &moved);
    sample_map_insert(&later, QUEUES_TOTAL + 1, &added);
    expect_none();
    assert_null(earlier_counter(150));
    assert_int_equal(earlier_counter(102)->cell_index, 1);
}

static void test_map_change_counter_without_a_cell_has_no_meaning_yet(void **state)
{
    prfdata_map_entry none = sample_map_counter(150, PERF_COUNTER_NODATA);

    (void)state;
    sample_map_insert(&earlier, JOBS, &none);
    none.type = PERF_COUNTER_BULK_COUNT;
    sample_map_insert(&later, JOBS, &none);
    expect_none();
    assert_null(earlier_counter(150));
}

static void test_map_change_of_class(void **state)
{
    (void)state;
    later.entries[JOBS].type = PERF_COUNTER_RAWCOUNT;
    expect_one("JOBS (102, \"Jobs/sec\") was a count that only grows, and now is a present value");
    assert_null(earlier_counter(102));
    assert_int_equal(earlier_counter(101)->entry->id, 101); /* other counters continue */
    later.entries[JOBS].type = PERF_ELAPSED_TIME;
    expect_one("JOBS (102, \"Jobs/sec\") was a count that only grows, and now is a start time");
    later.entries[JOBS].type = earlier.entries[JOBS].type;
    sample_map_remove(&later, DEPTH_MAX);
    sample_map_insert_option(&later, DEPTH + 1, PRFDATA_OPTION_ACCUMULATING, 0);
    expect_one("DEPTH (101, \"Depth\") was a present value, and now is a count that only grows");
}

static void test_map_change_of_clock(void **state)
{
    (void)state;
    earlier.entries[JOBS].type = PERF_COUNTER_TIMER;
    later.entries[JOBS].type = PERF_100NSEC_TIMER;
    expect_one("JOBS (102, \"Jobs/sec\") was counted in ticks of QueryPerformanceCounter, and now "
               "in units of 100 ns");
    assert_null(earlier_counter(102));
}

/* A base counts operations of the counter before it. In the later map, the counter before it is of
 * another type, so the base has another meaning there. */
static void test_map_change_of_a_bases_fraction(void **state)
{
    (void)state;
    later.entries[JOB_TIME].id = 150;
    later.entries[JOB_TIME].type = PERF_AVERAGE_BULK;
    expect_one("JOB_TIME_BASE (104, \"Avg. sec/Job\") was the base of a PERF_AVERAGE_TIMER, and "
               "now is the base of a PERF_AVERAGE_BULK");
    assert_null(earlier_counter(104));
}

static void test_map_change_of_parent(void **state)
{
    (void)state;
    sample_map_remove(&later, CONSUMERS_PARENT);
    expect_one("CONSUMERS (300, \"My Consumers\") had the parent object 100, and now has none");
    assert_null(earlier_counter(301));
    sample_map_init(&later);
    sample_map_remove(&earlier, CONSUMERS_PARENT);
    expect_one("CONSUMERS (300, \"My Consumers\") had no parent object, and now has object 100");
}

/* In many maps ids begin with 0. */
static void test_map_change_of_a_parent_whose_id_is_0(void **state)
{
    (void)state;
    earlier.entries[QUEUES].id = later.entries[QUEUES].id = 0;
    earlier.entries[CONSUMERS_PARENT].id = later.entries[CONSUMERS_PARENT].id = 0;
    expect_none();
    sample_map_remove(&later, CONSUMERS_PARENT);
    expect_one("CONSUMERS (300, \"My Consumers\") had the parent object 0, and now has none");
    assert_true(from->hash != to->hash);
    assert_null(earlier_counter(301));
}

static void test_map_change_of_instances(void **state)
{
    (void)state;
    later.entries[WORKERS].max_instances = 4;
    later.entries[WORKERS].max_name_chars = 9;
    expect_one("WORKERS (200, \"My Workers\") had no instances, and now has instances");
    assert_null(earlier_counter(201));
}

static void test_map_change_counter_moved_to_another_object(void **state)
{
    const prfdata_map_entry moved = later.entries[JOBS];

    (void)state;
    later.entries[QUEUES].default_counter = 101;
    sample_map_remove(&later, JOBS);
    sample_map_insert(&later, BUSY, &moved); /* after the counter BUSY */
    expect_one(
        "JOBS (102, \"Jobs/sec\") was a counter of object 100, and now is one of object 200");
    assert_null(earlier_counter(102));
}

/* The object's counters have moved to another object, too, so there are two changes. */
static void test_map_change_object_becomes_a_counter_and_back(void **state)
{
    const prfdata_map_entry counter = sample_map_counter(200, PERF_COUNTER_BULK_COUNT);

    (void)state;
    later.entries[WORKERS].id = 250;
    sample_map_insert(&later, JOBS, &counter);
    expect_first(2, "c200 (200, \"c200\") was the id of an object, and now is that of a counter");
    sample_map_init(&later);
    later.entries[WORKERS].id = 101;
    later.entries[DEPTH].id = 250;
    expect_first(2, "WORKERS (101, \"My Workers\") was the id of a counter, and now is that of an "
                    "object");
}

/* Let JOBS show the number of values in a distribution of its object. */
static void count_by_distribution(sample_map *sample, uint32_t id, uint32_t unit, uint64_t bound)
{
    const prfdata_map_entry declared[] = {PRFDATA_MAP_DISTRIBUTION_WITH(
        50, unit, 1, 1000000, 8, 60) PRFDATA_MAP_DISTRIBUTION_WITH(51, unit, 1, 1000000, 8, 60)};
    const prfdata_map_entry shown[] = {PRFDATA_MAP_AT_MOST(id, bound)};

    sample_map_insert(sample, JOBS + 1, &shown[0]);
    sample_map_insert(sample, QUEUES + 1, &declared[1]);
    sample_map_insert(sample, QUEUES + 1, &declared[0]);
}

static void test_map_change_of_what_a_distribution_counts(void **state)
{
    (void)state;
    count_by_distribution(&earlier, 50, PRFDATA_UNIT_NUMBER, 1000);
    count_by_distribution(&later, 50, PRFDATA_UNIT_NUMBER, 1000);
    expect_none();
    assert_non_null(earlier_counter(102));

    sample_map_init(&later);
    count_by_distribution(&later, 50, PRFDATA_UNIT_BYTES, 1000);
    expect_one("JOBS (102, \"Jobs/sec\") now counts something else of the distribution 50, or in "
               "another unit");
    assert_null(earlier_counter(102));

    sample_map_init(&later);
    count_by_distribution(&later, 50, PRFDATA_UNIT_NUMBER, 2000);
    expect_one("JOBS (102, \"Jobs/sec\") now counts something else of the distribution 50, or in "
               "another unit");

    sample_map_init(&later);
    count_by_distribution(&later, 51, PRFDATA_UNIT_NUMBER, 1000);
    expect_one("JOBS (102, \"Jobs/sec\") was counted by the distribution 50, and now is by the "
               "distribution 51");

    sample_map_init(&later);
    expect_one("JOBS (102, \"Jobs/sec\") was counted by the distribution 50, and now is by itself");
    sample_map_init(&earlier);
    count_by_distribution(&later, 50, PRFDATA_UNIT_NUMBER, 1000);
    expect_one("JOBS (102, \"Jobs/sec\") was counted by itself, and now is by the distribution 50");
}

static void test_map_change_distribution_becomes_a_counter_and_back(void **state)
{
    (void)state;
    count_by_distribution(&earlier, 50, PRFDATA_UNIT_NUMBER, 1000);
    count_by_distribution(&later, 50, PRFDATA_UNIT_NUMBER, 1000);
    earlier.entries[BUSY + 3].id = 777;
    later.entries[QUEUES + 2].id = 777;
    later.entries[WORKERS + 3].default_counter = 201;
    earlier.entries[WORKERS + 3].default_counter = 777;
    expect_first(1,
                 "PRFDATA_MAP_DISTRIBUTION (777, \"\") was the id of a counter, and now is that of "
                 "a distribution");
}

static void test_map_change_all_of_them_are_found(void **state)
{
    prfdata_map_change changes[2];

    (void)state;
    later.entries[JOBS].type = PERF_COUNTER_RAWCOUNT;
    later.entries[TAKEN].type = PERF_COUNTER_RAWCOUNT;
    sample_map_remove(&later, CONSUMERS_PARENT);
    assert_int_equal(compare(changes, 2), 3);
    assert_int_equal(changes[0].entry->id, 102);
    assert_int_equal(changes[1].entry->id, 300);
}

static void test_map_change_text_is_cut_where_it_does_not_fit(void **state)
{
    prfdata_map_change change;
    char text[10];

    (void)state;
    later.entries[JOBS].type = PERF_COUNTER_RAWCOUNT;
    assert_int_equal(compare(&change, 1), 1);
    assert_true(prfdata_map_change_text(&change, text, sizeof text) > 60);
    assert_string_equal(text, "JOBS (102");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_map_change_same_map_changes_nothing),
        TEST(test_map_change_names_texts_widths_and_totals_are_free),
        TEST(test_map_change_hot_is_free),
        TEST(test_map_change_added_removed_and_reordered_ids_are_free),
        TEST(test_map_change_counter_without_a_cell_has_no_meaning_yet),
        TEST(test_map_change_of_class),
        TEST(test_map_change_of_clock),
        TEST(test_map_change_of_a_bases_fraction),
        TEST(test_map_change_of_parent),
        TEST(test_map_change_of_a_parent_whose_id_is_0),
        TEST(test_map_change_of_instances),
        TEST(test_map_change_counter_moved_to_another_object),
        TEST(test_map_change_object_becomes_a_counter_and_back),
        TEST(test_map_change_of_what_a_distribution_counts),
        TEST(test_map_change_distribution_becomes_a_counter_and_back),
        TEST(test_map_change_all_of_them_are_found),
        TEST(test_map_change_text_is_cut_where_it_does_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
