/* SPDX-License-Identifier: MIT */
/* Tests which number each title gets in versions of a map that are installed one after another. */
#include <stdlib.h>

#include "map/title_numbers.h"
#include "support/sample_map.h"
#include "support/test.h"

static sample_map sample;
static prfdata_model *model;

/* The value that the last installation wrote. */
static void *value;
static size_t value_bytes;

static int begin(void **state)
{
    (void)state;
    sample_map_init(&sample);
    model = NULL;
    value = NULL;
    value_bytes = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    prfdata_model_free(model);
    free(value);
    return 0;
}

/* Install the sample. Its titles keep the numbers in `numbers`, or those in the former `value` if
 * `numbers` is NULL. Then read the new value as a provider does. */
static uint32_t install_with(prfdata_title_numbers *numbers)
{
    prfdata_model *installed;
    void *made = NULL;
    size_t size = 0;
    uint32_t dropped;
    uint32_t status;

    assert_int_equal(prfdata_model_make(&sample.map, &installed), ERROR_SUCCESS);
    status = prfdata_maps_update(installed, value, value_bytes, numbers, &made, &size, &dropped);
    prfdata_model_free(installed);
    if (status)
        return status;
    free(value);
    value = made;
    value_bytes = size;
    prfdata_model_free(model);
    assert_int_equal(prfdata_maps_current(value, value_bytes, &model), ERROR_SUCCESS);
    return ERROR_SUCCESS;
}

static void install(void)
{
    assert_int_equal(install_with(NULL), ERROR_SUCCESS);
}

static uint32_t number_of(uint32_t id)
{
    const prfdata_model_object *object = prfdata_model_find_object(model, id);
    const prfdata_model_counter *counter = prfdata_model_find_counter(model, id, NULL);
    const uint32_t offset = object ? object->title_offset : counter->title_offset;

    assert_int_equal(offset % 2, 0);
    return offset / 2;
}

/* Expect that ids[i] has the title number i. The id 0 stands for a number that no title has. */
static void assert_ids(const uint32_t *ids, uint32_t count)
{
    assert_int_equal(model->number_count, count);
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] != 0)
            assert_int_equal(number_of(ids[i]), i);
}

#define ASSERT_IDS(...)                                                                            \
    do {                                                                                           \
        static const uint32_t ids[] = {__VA_ARGS__};                                               \
        assert_ids(ids, sizeof ids / sizeof ids[0]);                                               \
    } while (0)

static void put_counter(uint32_t position, uint32_t id)
{
    const prfdata_map_entry entry = sample_map_counter(id, PERF_COUNTER_BULK_COUNT);

    sample_map_insert(&sample, position, &entry);
}

/* Move the entries `begin` to `end` - 1 to the positions from `place` on. `place` is less than
 * `begin`. */
static void move_before(uint32_t begin, uint32_t end, uint32_t place)
{
    for (uint32_t i = 0; i < end - begin; i++) {
        const prfdata_map_entry entry = sample.entries[begin + i];

        sample_map_remove(&sample, begin + i);
        sample_map_insert(&sample, place + i, &entry);
    }
}

static void test_title_numbers_first_installation_follows_the_map(void **state)
{
    (void)state;
    install();
    ASSERT_IDS(100, 101, 102, 103, 200, 201, 300, 301);
    install();
    ASSERT_IDS(100, 101, 102, 103, 200, 201, 300, 301);
}

static void test_title_numbers_what_is_new_comes_last(void **state)
{
    (void)state;
    install();
    put_counter(JOBS, 150);
    install();
    ASSERT_IDS(100, 101, 102, 103, 200, 201, 300, 301, 150);
}

static void test_title_numbers_what_is_gone_keeps_its_number_for_its_return(void **state)
{
    (void)state;
    install();
    sample_map_remove(&sample, DEPTH_MAX);
    sample_map_remove(&sample, DEPTH);
    put_counter(QUEUES_TOTAL + 1, 150);
    install();
    ASSERT_IDS(100, 0, 102, 103, 200, 201, 300, 301, 150);
    sample_map_init(&sample);
    put_counter(WORKERS, 160);
    install();
    ASSERT_IDS(100, 101, 102, 103, 200, 201, 300, 301, 0, 160);
    put_counter(WORKERS, 150);
    install();
    ASSERT_IDS(100, 101, 102, 103, 200, 201, 300, 301, 150, 160);
}

static void test_title_numbers_order_and_texts_do_not_matter(void **state)
{
    (void)state;
    install();
    sample.entries[JOBS].name = L"Tasks/sec";
    sample.entries[JOBS].symbol = "TASKS";
    sample.entries[QUEUES].max_instances = 20;
    install();
    ASSERT_IDS(100, 101, 102, 103, 200, 201, 300, 301);
    move_before(WORKERS, CONSUMERS, QUEUES);
    install();
    ASSERT_IDS(100, 101, 102, 103, 200, 201, 300, 301);
    sample_map_init(&sample);
    move_before(JOBS, JOB_TIME, DEPTH);
    install();
    ASSERT_IDS(100, 101, 102, 103, 200, 201, 300, 301);
}

static void test_title_numbers_another_type_gets_a_new_one(void **state)
{
    (void)state;
    install();
    /* A title keeps its number only if it keeps its type, so JOBS gets a new number. */
    sample.entries[JOBS].type = PERF_COUNTER_LARGE_RAWCOUNT;
    sample_map_insert_option(&sample, JOBS + 1, PRFDATA_OPTION_ACCUMULATING, 0);
    install();
    ASSERT_IDS(100, 101, 0, 103, 200, 201, 300, 301, 102);
    sample_map_init(&sample);
    install();
    ASSERT_IDS(100, 101, 102, 103, 200, 201, 300, 301, 0);
}

static void test_title_numbers_another_meaning_gets_a_new_one(void **state)
{
    (void)state;
    install();
    sample_map_insert_option(&sample, BUSY + 1, PRFDATA_OPTION_ACCUMULATING, 0);
    install();
    ASSERT_IDS(100, 101, 102, 103, 200, 0, 300, 301, 201);
    sample.entries[WORKERS].max_instances = 4;
    sample.entries[WORKERS].max_name_chars = 10;
    install();
    ASSERT_IDS(100, 101, 102, 103, 0, 0, 300, 301, 201, 200);
}

static void test_title_numbers_counter_of_another_object_gets_a_new_one(void **state)
{
    prfdata_map_entry moved;

    (void)state;
    put_counter(JOBS, 150);
    install();
    ASSERT_IDS(100, 101, 150, 102, 103, 200, 201, 300, 301);
    moved = sample.entries[JOBS];
    sample_map_remove(&sample, JOBS);
    sample_map_insert(&sample, BUSY, &moved);
    install();
    ASSERT_IDS(100, 101, 0, 102, 103, 200, 201, 300, 301, 150);
}

/* If nobody knows which number each id had, new numbers begin after all old ones. */
static void test_title_numbers_after_unknown_ones(void **state)
{
    prfdata_title_numbers numbers = {0};

    (void)state;
    assert_int_equal(prfdata_title_numbers_reserve(&numbers, 5), ERROR_SUCCESS);
    assert_int_equal(install_with(&numbers), ERROR_SUCCESS);
    prfdata_title_numbers_free(&numbers);
    ASSERT_IDS(0, 0, 0, 0, 0, 100, 101, 102, 103, 200, 201, 300, 301);
    install();
    ASSERT_IDS(0, 0, 0, 0, 0, 100, 101, 102, 103, 200, 201, 300, 301);
}

/* Install with First Counter `first`, after an installation whose titles had the indexes 1000 to
 * 1016. `is_known`: the former value says which title had which index. Returns the index of the
 * title of object 100. */
static uint32_t first_after(bool is_known, uint32_t first)
{
    prfdata_title_numbers numbers = {0};
    prfdata_maps maps;

    assert_int_equal(prfdata_maps_parse(value, value_bytes, &maps), ERROR_SUCCESS);
    assert_int_equal(
        prfdata_title_numbers_go_on(&numbers, is_known ? &maps : NULL, 1000, 1016, first),
        ERROR_SUCCESS);
    assert_int_equal(install_with(&numbers), ERROR_SUCCESS);
    prfdata_title_numbers_free(&numbers);
    return first + 2 * number_of(100);
}

static void test_title_numbers_no_index_becomes_that_of_another_title(void **state)
{
    (void)state;
    put_counter(JOBS, 150);
    install();
    assert_int_equal(first_after(true, 1000), 1000);
    assert_int_equal(first_after(true, 1018), 1018);
    assert_int_equal(first_after(true, 998), 1018);
    install();
    assert_int_equal(first_after(true, 1002), 1018);
    assert_int_equal(first_after(false, 1000), 1018);
    assert_int_equal(first_after(false, 1016), 1018);
    assert_int_equal(first_after(false, 1020), 1020);
}

/* No service can have had these ranges of indexes, so they reserve no numbers. */
static void test_title_numbers_senseless_range_hinders_nobody(void **state)
{
    prfdata_title_numbers numbers = {0};

    (void)state;
    assert_int_equal(prfdata_title_numbers_go_on(&numbers, NULL, 2, 9000000, 1848), ERROR_SUCCESS);
    assert_int_equal(numbers.count, 0);
    assert_int_equal(prfdata_title_numbers_go_on(&numbers, NULL, 0, 9000, 1848), ERROR_SUCCESS);
    assert_int_equal(numbers.count, 0);
    prfdata_title_numbers_free(&numbers);
}

/* The longest range that a service can have had is reserved. A longer one reserves no numbers. */
static void test_title_numbers_longest_range_is_left_to_the_former(void **state)
{
    enum { FIRST = 2000, LAST = FIRST + 2 * (PRFDATA_MAX_TITLE_NUMBERS - 1) };
    prfdata_title_numbers numbers = {0};

    (void)state;
    assert_int_equal(prfdata_title_numbers_go_on(&numbers, NULL, FIRST, LAST, FIRST),
                     ERROR_SUCCESS);
    assert_int_equal(numbers.count, PRFDATA_MAX_TITLE_NUMBERS);
    prfdata_title_numbers_free(&numbers);
    assert_int_equal(prfdata_title_numbers_go_on(&numbers, NULL, FIRST, LAST + 2, FIRST),
                     ERROR_SUCCESS);
    assert_int_equal(numbers.count, 0);
    prfdata_title_numbers_free(&numbers);
}

static void test_title_numbers_end(void **state)
{
    prfdata_title_numbers numbers = {0};

    (void)state;
    assert_int_equal(prfdata_title_numbers_reserve(&numbers, PRFDATA_MAX_TITLE_NUMBERS - 8),
                     ERROR_SUCCESS);
    assert_int_equal(install_with(&numbers), ERROR_SUCCESS);
    assert_int_equal(number_of(301), PRFDATA_MAX_TITLE_NUMBERS - 1);
    put_counter(JOBS, 150);
    assert_int_equal(install_with(NULL), ERROR_NO_SYSTEM_RESOURCES);
    prfdata_title_numbers_free(&numbers);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_title_numbers_first_installation_follows_the_map),
        TEST(test_title_numbers_what_is_new_comes_last),
        TEST(test_title_numbers_what_is_gone_keeps_its_number_for_its_return),
        TEST(test_title_numbers_order_and_texts_do_not_matter),
        TEST(test_title_numbers_another_type_gets_a_new_one),
        TEST(test_title_numbers_another_meaning_gets_a_new_one),
        TEST(test_title_numbers_counter_of_another_object_gets_a_new_one),
        TEST(test_title_numbers_after_unknown_ones),
        TEST(test_title_numbers_no_index_becomes_that_of_another_title),
        TEST(test_title_numbers_senseless_range_hinders_nobody),
        TEST(test_title_numbers_longest_range_is_left_to_the_former),
        TEST(test_title_numbers_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
