/* SPDX-License-Identifier: MIT */
/* Tests the names of metrics that a user gives in a -metrics file. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include <prfdata/error.h>
#include <prfdata/map.h>

#include "prometheus/overrides.h"

static uint32_t make(const char *text, prfdata_overrides *overrides, prfdata_lines *lines,
                     prfdata_overrides_error *error)
{
    const prfdata_titles titles = {0};

    memset(overrides, 0, sizeof *overrides);
    return prfdata_overrides_make(text, strlen(text), &titles, overrides, lines, error);
}

static void test_overrides_lines_say_names_chars_and_labels(void **state)
{
    static const char text[] = "# of queues\r\n"
                               "\\My Queues(*)\\In Depth metric=queue_depth  label=queue\r\n"
                               "\r\n"
                               "\\My Queues(*)\\Size unit=bytes\t\r\n"
                               "\"\\Other\\Rate label=A_1 unit=u metric=_m2\"\r\n";
    prfdata_overrides overrides;
    prfdata_overrides_error error;
    prfdata_lines lines;

    (void)state;
    assert_int_equal(make(text, &overrides, &lines, &error), ERROR_SUCCESS);
    assert_int_equal(overrides.count, 3);
    assert_string_equal(overrides.items[0].metric, "queue_depth");
    assert_string_equal(overrides.items[0].label, "queue");
    assert_string_equal(overrides.items[0].unit, "");
    assert_int_equal(overrides.items[0].path.path.counter.count, 8);
    assert_string_equal(overrides.items[1].unit, "bytes");
    assert_string_equal(overrides.items[1].metric, "");
    assert_string_equal(overrides.items[2].metric, "_m2");
    assert_string_equal(overrides.items[2].unit, "u");
    assert_string_equal(overrides.items[2].label, "A_1");
    prfdata_overrides_free(&overrides);
}

static void test_overrides_wrong_lines_are_reported(void **state)
{
    static const struct {
        const char *text;
        uint32_t line;
        const char *part_of_reason;
    } cases[] = {
        {"\\a\\b metric=m\n\\a\\c\n", 2, "is missing after the path"},
        {"metric=m", 1, ""},
        {"a b metric=m", 1, ""},
        {"\\a\\b metric=", 1, "metric= takes"},
        {"\\a\\b metric=1m", 1, "metric= takes"},
        {"\\a\\b metric=m metric=m", 1, "metric= is there twice"},
        {"\\a\\b unit=u metric=m unit=v", 1, "unit= is there twice"},
        {"\\a\\b label=l label=k", 1, "label= is there twice"},
        {"\\a\\b metric=a:b", 1, "metric= takes"},
        {"\\a\\b metric=a-b", 1, "metric= takes"},
        {"\\a\\b metric=m_total", 1, "end with _total"},
        {"\\a\\b metric=m_count", 1, "end with _total"},
        {"\\a\\b metric=prfread_m", 1, "begin with prfread_"},
        {"\\a\\b unit=m/s", 1, "unit= takes"},
        {"\\a\\b unit=total", 1, "unit= takes a name that does not end with total"},
        {"\\a\\b metric=m unit=jobs_count", 1, "unit= takes a name that does not end with total"},
        {"\\a\\b label=l.", 1, "label= takes at most 100 letters"},
        {"\\a\\b label=instance", 1, "Prometheus uses"},
        {"\\a\\b label=le", 1, "Prometheus uses"},
        {"\\a\\b label=__l", 1, "Prometheus uses"},
        {"\\a\\b label=parent", 1, "Prometheus uses"},
        {"\xFF\xFF", 1, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_overrides overrides;
        prfdata_overrides_error error;
        prfdata_lines lines;

        if (make(cases[i].text, &overrides, &lines, &error) != ERROR_INVALID_DATA)
            fail_msg("accepted: %s", cases[i].text);
        assert_non_null(error.reason);
        if (error.line != cases[i].line || !strstr(error.reason, cases[i].part_of_reason))
            fail_msg("%s: line %u: %s", cases[i].text, (unsigned)error.line, error.reason);
        prfdata_lines_free(&lines);
        assert_int_equal(overrides.count, 0);
    }
}

static void test_overrides_names_are_as_long_as_in_a_map(void **state)
{
    static const char *const keys[] = {"metric", "unit", "label"};
    char name[PRFDATA_MAX_METRIC_CHARS + 2];
    char text[200];

    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        prfdata_overrides overrides;
        prfdata_overrides_error error;
        prfdata_lines lines;

        snprintf(text, sizeof text, "\\a\\b %s=%s", keys[i], name + 1);
        assert_int_equal(make(text, &overrides, &lines, &error), ERROR_SUCCESS);
        assert_string_equal(i == 0   ? overrides.items[0].metric
                            : i == 1 ? overrides.items[0].unit
                                     : overrides.items[0].label,
                            name + 1);
        prfdata_overrides_free(&overrides);
        snprintf(text, sizeof text, "\\a\\b %s=%s", keys[i], name);
        assert_int_equal(make(text, &overrides, &lines, &error), ERROR_INVALID_DATA);
        assert_non_null(strstr(error.reason, "at most 100 letters"));
        prfdata_lines_free(&lines);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overrides_lines_say_names_chars_and_labels),
        cmocka_unit_test(test_overrides_wrong_lines_are_reported),
        cmocka_unit_test(test_overrides_names_are_as_long_as_in_a_map),
    };

    return cmocka_run_group_tests_name("overrides", tests, NULL, NULL);
}
