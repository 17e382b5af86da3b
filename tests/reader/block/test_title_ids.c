/* SPDX-License-Identifier: MIT */
/* Tests when a title of a map is still the same title although its name or its index has
 * changed. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "block/title_ids.h"
#include "map/model.h"
#include "support/reader/ascii_text.h"
#include "support/sample_map.h"

static const uint16_t service_chars[] = {'M', 'y'};
static const prfdata_text service = {service_chars, 2};

/* Returns the key of the counter Depth in this map if the database calls the counter `name`.
 * Returns 0 if the counter has no key. */
static uint64_t key_of_depth(const sample_map *sample, const char *name, uint32_t first)
{
    prfdata_title_ids ids = {0};
    prfdata_name_table names = {0};
    prfdata_model *model = NULL;
    prfdata_model_title title = {0};
    uint16_t chars[40];
    uint64_t key = 0;
    uint32_t index = 0;

    assert_int_equal(prfdata_model_make(&sample->map, &model), ERROR_SUCCESS);
    while (prfdata_model_next_title(model, &title)) {
        if (title.counter && title.counter->entry->id == 101)
            index = first + prfdata_model_title_offset(&title);
    }
    assert_int_equal(prfdata_name_table_add(&names, index, ascii_text(name, chars)), ERROR_SUCCESS);
    assert_int_equal(prfdata_title_ids_add_model(&ids, service, model, first, &names),
                     ERROR_SUCCESS);
    assert_true(ids.count <= 1);
    if (ids.count == 1) {
        assert_int_equal(ids.items[0].index, index);
        key = ids.items[0].key;
    }
    prfdata_title_ids_free(&ids);
    prfdata_name_table_free(&names);
    prfdata_model_free(model);
    return key;
}

static void test_title_ids_are_the_same_under_another_name_and_index(void **state)
{
    static sample_map sample;
    uint64_t key;

    (void)state;
    sample_map_init(&sample);
    key = key_of_depth(&sample, "Depth", 5000);
    assert_true(key != 0);
    sample.entries[DEPTH].name = L"Length";
    assert_int_equal(key_of_depth(&sample, "Length", 6000), key);
}

/* The title database has another name at the index, so the title belongs to another service now and
 * has no key. */
static void test_title_ids_are_those_of_titles_that_the_map_has(void **state)
{
    static sample_map sample;

    (void)state;
    sample_map_init(&sample);
    assert_int_equal(key_of_depth(&sample, "Another's", 5000), 0);
}

/* -Force gave the id another meaning, so the id stands for another counter than before. */
static void test_title_ids_differ_where_the_meaning_does(void **state)
{
    static sample_map sample;
    uint64_t gauge, count;

    (void)state;
    sample_map_init(&sample);
    gauge = key_of_depth(&sample, "Depth", 5000);
    sample_map_remove(&sample, DEPTH_MAX);
    sample.entries[DEPTH].type = PERF_COUNTER_COUNTER;
    count = key_of_depth(&sample, "Depth", 5000);
    assert_true(count != 0 && count != gauge);
    sample.entries[DEPTH].type = PERF_100NSEC_TIMER;
    assert_true(key_of_depth(&sample, "Depth", 5000) != count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_title_ids_are_the_same_under_another_name_and_index),
        cmocka_unit_test(test_title_ids_are_those_of_titles_that_the_map_has),
        cmocka_unit_test(test_title_ids_differ_where_the_meaning_does),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
