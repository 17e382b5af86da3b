/* SPDX-License-Identifier: MIT */
/* Tests the short names of lines whose paths have parts in common. */
#include "support/test.h"

#include <stdlib.h>

#include "view/line_names.h"
#include "view_sample.h"

static void add_named_line(prfdata_chart *chart, uint32_t object, uint32_t counter,
                           const char *label, const char *path)
{
    uint16_t label_chars[60];
    uint16_t path_chars[100];
    const prfdata_chart_key key = {object, counter, ascii_text(label, label_chars)};
    uint32_t at;

    assert_int_equal(
        prfdata_chart_add(chart, &key, ascii_text(path, path_chars), PRFDATA_NUMBER_NONE, 0, &at),
        ERROR_SUCCESS);
}

static bool name_is(const prfdata_chart *chart, uint32_t position, const char *expected)
{
    const prfdata_line_names common = prfdata_line_names_find(chart);
    uint16_t chars[100];
    const size_t count = prfdata_line_names_put(chart, &common, position, chars, 100);

    return ascii_text_is((prfdata_text){chars, count}, expected);
}

static bool pattern_is(const prfdata_chart *chart, const char *expected)
{
    const prfdata_line_names common = prfdata_line_names_find(chart);
    uint16_t chars[100];
    const size_t count = prfdata_line_names_put_pattern(chart, &common, chars, 100);

    return ascii_text_is((prfdata_text){chars, count}, expected);
}

static void test_line_names_one_line_has_its_path(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    assert_true(pattern_is(&chart, ""));
    add_named_line(&chart, QUEUE, DEPTH, "a", "\\Queue(a)\\Depth");
    assert_true(name_is(&chart, 0, "\\Queue(a)\\Depth"));
    assert_true(pattern_is(&chart, ""));
    prfdata_chart_free(&chart);
}

static void test_line_names_of_one_counter_are_labels(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    add_named_line(&chart, QUEUE, DEPTH, "a", "\\Queue(a)\\Depth");
    add_named_line(&chart, QUEUE, DEPTH, "b/c", "\\Queue(b/c)\\Depth");
    assert_true(name_is(&chart, 0, "a"));
    assert_true(name_is(&chart, 1, "b/c"));
    assert_true(pattern_is(&chart, "\\Queue(*)\\Depth"));
    prfdata_chart_free(&chart);
}

static void test_line_names_of_one_instance_are_counters(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    add_named_line(&chart, QUEUE, DEPTH, "a", "\\Queue(a)\\Depth");
    add_named_line(&chart, QUEUE, RATE, "a", "\\Queue(a)\\Bytes/sec");
    assert_true(name_is(&chart, 0, "Depth"));
    assert_true(name_is(&chart, 1, "Bytes/sec"));
    assert_true(pattern_is(&chart, "\\Queue(a)\\*"));
    prfdata_chart_free(&chart);
}

static void test_line_names_of_one_object_have_both_parts(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    add_named_line(&chart, QUEUE, DEPTH, "a", "\\Queue(a)\\Depth");
    add_named_line(&chart, QUEUE, RATE, "b", "\\Queue(b)\\Bytes/sec");
    assert_true(name_is(&chart, 0, "(a)\\Depth"));
    assert_true(name_is(&chart, 1, "(b)\\Bytes/sec"));
    assert_true(pattern_is(&chart, "\\Queue(*)\\*"));
    prfdata_chart_free(&chart);
}

static void test_line_names_without_instances_are_counters(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    add_named_line(&chart, SOLO, DEPTH, "", "\\Solo\\Depth");
    add_named_line(&chart, SOLO, RATE, "", "\\Solo\\Bytes/sec");
    assert_true(name_is(&chart, 0, "Depth"));
    assert_true(name_is(&chart, 1, "Bytes/sec"));
    assert_true(pattern_is(&chart, "\\Solo\\*"));
    prfdata_chart_free(&chart);
}

/* Two objects may have counters and instances with the same names, so their lines are named by
 * their paths. */
static void test_line_names_of_two_objects_are_paths(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    add_named_line(&chart, QUEUE, DEPTH, "a", "\\Queue(a)\\Depth");
    add_named_line(&chart, QUEUE, DEPTH, "b", "\\Queue(b)\\Depth");
    add_named_line(&chart, SOLO, DEPTH, "a", "\\Solo(a)\\Depth");
    assert_true(name_is(&chart, 0, "\\Queue(a)\\Depth"));
    assert_true(name_is(&chart, 2, "\\Solo(a)\\Depth"));
    assert_true(pattern_is(&chart, ""));
    prfdata_chart_remove(&chart, 2);
    assert_true(name_is(&chart, 0, "a"));
    prfdata_chart_free(&chart);
}

static void test_line_names_parentheses_are_part_of_names(void **state)
{
    prfdata_chart chart;
    prfdata_line_names_parts parts;

    (void)state;
    prfdata_chart_init(&chart);
    add_named_line(&chart, QUEUE, DEPTH, "a", "\\Queue (new)(a)\\Depth (now)");
    add_named_line(&chart, QUEUE, DEPTH, "b (2)", "\\Queue (new)(b (2))\\Depth (now)");
    add_named_line(&chart, SOLO, DEPTH, "", "\\Solo (a)\\Depth");
    assert_true(prfdata_line_names_split(chart.series[1], &parts));
    assert_true(ascii_text_is(parts.object, "Queue (new)"));
    assert_true(ascii_text_is(parts.label, "b (2)"));
    assert_true(ascii_text_is(parts.counter, "Depth (now)"));
    assert_true(prfdata_line_names_split(chart.series[2], &parts));
    assert_true(ascii_text_is(parts.object, "Solo (a)"));
    assert_true(ascii_text_is(parts.counter, "Depth"));
    add_named_line(&chart, SOLO, RATE, "new", "\\Solo (new)(new)\\Rate");
    assert_true(prfdata_line_names_split(chart.series[3], &parts));
    assert_true(ascii_text_is(parts.object, "Solo (new)"));
    prfdata_chart_remove(&chart, 3);
    prfdata_chart_remove(&chart, 2);
    assert_true(name_is(&chart, 0, "a"));
    assert_true(pattern_is(&chart, "\\Queue (new)(*)\\Depth (now)"));
    prfdata_chart_free(&chart);
}

/* If a path was too long for the chart, its end is missing. The lines are then named by their
 * paths. */
static void test_line_names_cut_path_stays(void **state)
{
    prfdata_chart chart;

    (void)state;
    prfdata_chart_init(&chart);
    add_named_line(&chart, QUEUE, DEPTH, "a", "\\Queue(a)\\Depth");
    add_named_line(&chart, QUEUE, DEPTH, "long name", "\\Queue(long na");
    assert_true(name_is(&chart, 0, "\\Queue(a)\\Depth"));
    assert_true(name_is(&chart, 1, "\\Queue(long na"));
    assert_true(pattern_is(&chart, ""));
    prfdata_chart_free(&chart);
}

static void test_line_names_never_exceed_any_capacity(void **state)
{
    prfdata_chart chart;
    prfdata_line_names common;

    (void)state;
    prfdata_chart_init(&chart);
    add_named_line(&chart, QUEUE, DEPTH, "a", "\\Queue(a)\\Depth");
    add_named_line(&chart, QUEUE, RATE, "b", "\\Queue(b)\\Bytes/sec");
    common = prfdata_line_names_find(&chart);
    for (size_t capacity = 1; capacity < 20; capacity++) {
        uint16_t *chars = malloc(capacity * sizeof *chars);

        assert_non_null(chars);
        assert_int_equal(prfdata_line_names_put(&chart, &common, 0, chars, capacity),
                         capacity < 9 ? capacity : 9);
        assert_int_equal(prfdata_line_names_put_pattern(&chart, &common, chars, capacity),
                         capacity < 11 ? capacity : 11);
        free(chars);
    }
    prfdata_chart_free(&chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_names_one_line_has_its_path),
        cmocka_unit_test(test_line_names_of_one_counter_are_labels),
        cmocka_unit_test(test_line_names_of_one_instance_are_counters),
        cmocka_unit_test(test_line_names_of_one_object_have_both_parts),
        cmocka_unit_test(test_line_names_without_instances_are_counters),
        cmocka_unit_test(test_line_names_of_two_objects_are_paths),
        cmocka_unit_test(test_line_names_parentheses_are_part_of_names),
        cmocka_unit_test(test_line_names_cut_path_stays),
        cmocka_unit_test(test_line_names_never_exceed_any_capacity),
    };

    return cmocka_run_group_tests_name("view_line_names", tests, NULL, NULL);
}
