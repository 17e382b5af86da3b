/* SPDX-License-Identifier: MIT */
/* Tests which counters and instances a path names, and which reason is given if it names none. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "paths/resolver.h"
#include "support/reader/ascii_text.h"
#include "support/reader/localized_sample.h"
#include "support/reader/wire_sample.h"

#define MAX_VALUES 16

typedef struct resolver_fixture {
    wire w;
    prfdata_titles titles;
    prfdata_sample *sample;
} resolver_fixture;

static void set_up(resolver_fixture *f)
{
    memset(f, 0, sizeof *f);
    localized_sample_write(&f->w);
    localized_sample_name(&f->titles);
    f->sample = wire_sample(&f->w);
}

static void tear_down(resolver_fixture *f)
{
    prfdata_sample_free(f->sample);
    prfdata_titles_free(&f->titles);
}

static unsigned value_of_match(const prfdata_resolver *match)
{
    prfdata_compute_raw raw;

    assert_int_equal(prfdata_sample_raw(match->sample, match->object, match->instance,
                                        match->counter_position, &raw),
                     PRFDATA_STATUS_OK);
    assert_ptr_equal(match->object, &match->sample->objects[match->object_position]);
    return (unsigned)raw.value;
}

static prfdata_resolver_result collect_values(const resolver_fixture *f,
                                              const prfdata_resolver_path *path, char *text,
                                              size_t size)
{
    unsigned numbers[MAX_VALUES];
    size_t count = 0;
    prfdata_resolver match;

    prfdata_resolver_begin(&match, path, &f->titles, f->sample);
    while (prfdata_resolver_next(&match)) {
        assert_true(count < MAX_VALUES);
        numbers[count++] = value_of_match(&match);
    }
    assert_false(prfdata_resolver_next(&match));
    localized_sample_values(numbers, count, text, size);
    return match.result;
}

static void test_resolver_finds_names_of_one_language_only(void **state)
{
    resolver_fixture f;

    (void)state;
    set_up(&f);
    for (const localized_sample_path *p = localized_sample_paths; p->text; p++) {
        uint16_t chars[64];
        const prfdata_resolver_path path = localized_sample_request(&f.titles, p->text, chars);
        char values[128];
        prfdata_resolver_result result = collect_values(&f, &path, values, sizeof values);

        if (strcmp(values, p->values) != 0 || result != p->result)
            fail_msg("%s: \"%s\", %s", p->text, values, prfdata_resolver_text(result));
    }
    tear_down(&f);
}

static void test_resolver_counters_come_once_whatever_the_instances(void **state)
{
    uint16_t chars[64];
    prfdata_resolver_path path;
    prfdata_resolver match;
    resolver_fixture f;

    (void)state;
    set_up(&f);
    path = localized_sample_request(&f.titles, "\\Jobs(z)\\A*", chars);
    prfdata_resolver_begin(&match, &path, &f.titles, f.sample);
    assert_true(prfdata_resolver_next_counter(&match));
    assert_int_equal(match.object_position, 0);
    assert_int_equal(match.counter_position, 0);
    assert_int_equal(match.way, PRFDATA_BY_ENGLISH);
    assert_true(prfdata_resolver_next_counter(&match));
    assert_int_equal(match.counter_position, 2);
    /* The counter of the other object with this name. */
    assert_true(prfdata_resolver_next_counter(&match));
    assert_int_equal(match.object_position, 2);
    assert_false(prfdata_resolver_next_counter(&match));
    assert_int_equal(match.result, PRFDATA_RESOLVER_NO_INSTANCE);
    tear_down(&f);
}

/* A path that names an object but no counter means every value of the object. */
static void test_resolver_whole_objects_need_no_instance(void **state)
{
    uint16_t star[2];
    prfdata_resolver_path path;
    char values[128];
    resolver_fixture f;

    (void)state;
    set_up(&f);
    memset(&path, 0, sizeof path);
    path.path.counter = ascii_text("*", star);
    path.wants_whole_object = true;
    path.object_title = 100;
    assert_int_equal(collect_values(&f, &path, values, sizeof values), PRFDATA_RESOLVER_FOUND);
    assert_string_equal(values, "1020 1021 1040 1041 1060 1061 1080 1081 ");
    path.object_title = 400;
    assert_int_equal(collect_values(&f, &path, values, sizeof values),
                     PRFDATA_RESOLVER_NO_INSTANCE);
    path.object_title = 500;
    assert_int_equal(collect_values(&f, &path, values, sizeof values), PRFDATA_RESOLVER_NO_OBJECT);

    path.object_title = 0;
    path.wants_all_objects = true;
    assert_int_equal(collect_values(&f, &path, values, sizeof values), PRFDATA_RESOLVER_FOUND);
    assert_string_equal(values, "1020 1021 1040 1041 1060 1061 1080 1081 2020 3020 ");
    tear_down(&f);
}

/* More titles share the name than the resolver lists. The titles that the sample has are found, in
 * the order of the sample. */
static void test_resolver_very_many_titles_of_one_name(void **state)
{
    prfdata_resolver_path path = {.way = PRFDATA_BY_ENGLISH};
    const uint32_t titles[] = {120, 140, 110, 150};
    prfdata_name_table *english;
    resolver_fixture f;
    prfdata_resolver match;
    uint16_t chars[8];

    (void)state;
    memset(&f, 0, sizeof f);
    wire_begin(&f.w, 4);
    for (size_t i = 0; i < 4; i++) {
        size_t at = wire_object(&f.w, titles[i], 1, -1, 0);

        wire_counter(&f.w, 160, 0x00010000, 4, 4);
        wire_value32(&f.w, 7);
        wire_object_end(&f.w, at);
    }
    wire_end(&f.w);
    f.sample = wire_sample(&f.w);
    english = &f.titles.english;
    for (uint32_t title = 100; title < 100 + 4 * PRFDATA_RESOLVER_TITLES; title += 2)
        assert_int_equal(prfdata_name_table_add(english, title, ascii_text("same", chars)), 0);
    prfdata_titles_index_names(&f.titles);
    path.path.object = path.path.counter = ascii_text("Same", chars);
    prfdata_resolver_begin(&match, &path, &f.titles, f.sample);
    for (size_t i = 0; i < 4; i++) {
        assert_true(prfdata_resolver_next(&match));
        assert_int_equal(match.object->wire.header.object_name_title_index, titles[i]);
    }
    assert_false(prfdata_resolver_next(&match));
    tear_down(&f);
}

static void test_resolver_statuses_of_results(void **state)
{
    (void)state;
    assert_int_equal(prfdata_resolver_status(PRFDATA_RESOLVER_FOUND), PRFDATA_STATUS_OK);
    assert_int_equal(prfdata_resolver_status(PRFDATA_RESOLVER_NO_OBJECT), PRFDATA_STATUS_NO_OBJECT);
    assert_int_equal(prfdata_resolver_status(PRFDATA_RESOLVER_NO_COUNTER),
                     PRFDATA_STATUS_NO_COUNTER);
    for (unsigned result = PRFDATA_RESOLVER_NO_INSTANCES; result < PRFDATA_RESOLVER_FOUND; result++)
        assert_int_equal(prfdata_resolver_status((prfdata_resolver_result)result),
                         PRFDATA_STATUS_NO_INSTANCE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_resolver_finds_names_of_one_language_only),
        cmocka_unit_test(test_resolver_counters_come_once_whatever_the_instances),
        cmocka_unit_test(test_resolver_whole_objects_need_no_instance),
        cmocka_unit_test(test_resolver_very_many_titles_of_one_name),
        cmocka_unit_test(test_resolver_statuses_of_results),
    };

    return cmocka_run_group_tests_name("resolver", tests, NULL, NULL);
}
