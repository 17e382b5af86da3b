/* SPDX-License-Identifier: MIT */
/* Tests what a survey of providers prints: lines, the table, JSON, and the XML of JUnit. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "prfcheck/survey.h"
#include "support/reader/ascii_text.h"

static prfdata_mistakes found;

/* Add findings against the rule in objects 1 to `total`. */
static void find(prfdata_rule rule, uint32_t total, const char *text)
{
    for (uint32_t i = 1; i <= total; i++) {
        prfdata_findings_item finding;

        memset(&finding, 0, sizeof finding);
        finding.rule = rule;
        finding.offset = PRFDATA_NO_OFFSET;
        finding.spot.object = i;
        (void)snprintf(finding.text, sizeof finding.text, "%s", text);
        assert_non_null(prfdata_mistakes_add(&found, &finding, 1));
    }
}

static prfdata_survey_row make_row(const char *service, prfdata_survey_verdict verdict)
{
    prfdata_survey_row row;

    memset(&row, 0, sizeof row);
    (void)snprintf(row.service, sizeof row.service, "%s", service);
    (void)snprintf(row.library, sizeof row.library, "C:\\%s.dll", service);
    row.verdict = verdict;
    prfdata_survey_count(&row, &found);
    return row;
}

static void expect_put(prfdata_output *output, const char *expected)
{
    prfdata_output_put(output, "", 1);
    assert_string_equal(output->bytes, expected);
    prfdata_output_clear(output);
}

static void test_survey_line_names_the_rules_the_gravest_first(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row row;

    (void)state;
    memset(&found, 0, sizeof found);
    row = make_row("Good", PRFDATA_SURVEY_RIGHT);
    assert_int_equal(row.worst, PRFDATA_RULE_COUNT);
    prfdata_survey_put_line(&output, &row, &found);
    expect_put(&output, "Good: right\r\n");

    find(PRFDATA_RULE_LIBRARY_PATH, 1, "a");
    find(PRFDATA_RULE_QUERY_OLD, 2, "b");
    find(PRFDATA_RULE_SIZE_OVER, 3, "c");
    find(PRFDATA_RULE_PARTIAL, 4, "d");
    row = make_row("Bad", PRFDATA_SURVEY_ERRORS);
    assert_int_equal(row.worst, PRFDATA_RULE_SIZE_OVER);
    assert_int_equal(row.totals[PRFDATA_RULE_SEVERITY_ERROR], 7);
    assert_int_equal(row.totals[PRFDATA_RULE_SEVERITY_WARNING], 1);
    assert_int_equal(row.totals[PRFDATA_RULE_SEVERITY_NOTE], 2);
    prfdata_survey_put_line(&output, &row, &found);
    expect_put(&output,
               "Bad: errors: size-over (Perflib event 1001), partial, library-path, query-old\r\n");
    prfdata_output_free(&output);
}

static void test_survey_table_has_the_worst_first_and_none_that_is_right(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row rows[5];

    (void)state;
    memset(&found, 0, sizeof found);
    rows[0] = make_row("Good", PRFDATA_SURVEY_RIGHT);
    prfdata_survey_put_table(&output, rows, 1);
    expect_put(&output, "\r\nprfcheck: 1 provider, 1 passed\r\n");

    rows[1] = make_row("Off", PRFDATA_SURVEY_OFF);
    find(PRFDATA_RULE_PARTIAL, 2, "");
    find(PRFDATA_RULE_LIBRARY_PATH, 1, "");
    rows[2] = make_row("Wrong Two", PRFDATA_SURVEY_ERRORS);
    rows[3] = make_row("Wrong One", PRFDATA_SURVEY_ERRORS);
    rows[3].slowest_us = 1234567;
    find(PRFDATA_RULE_COLLECT_CRASH, 1, "");
    rows[4] = make_row("Dead", PRFDATA_SURVEY_BROKEN);
    prfdata_survey_put_table(&output, rows, 5);
    expect_put(
        &output,
        "\r\n"
        "provider   verdict        errors  warnings  Perflib  slowest ms  to disable (/d) or "
        "enable (/e) it\r\n"
        "Dead       broken              3         1     1010       0.000  lodctr /d:\"Dead\"\r\n"
        "Wrong One  errors              2         1        -    1234.567  lodctr /d:\"Wrong "
        "One\"\r\n"
        "Wrong Two  errors              2         1        -       0.000  lodctr /d:\"Wrong "
        "Two\"\r\n"
        "Off        switched off        0         0        -       0.000  lodctr /e:\"Off\"\r\n"
        "\r\n"
        "prfcheck: 5 providers, 1 passed\r\n"
        "To see what was found in one of them, run: prfcheck \"Dead\"\r\n");
    prfdata_output_free(&output);
}

/* A provider that was not checked is neither valid nor invalid, and the exit code must not say that
 * all is well. */
static void test_survey_table_counts_apart_what_is_not_checked(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row rows[4];

    (void)state;
    memset(&found, 0, sizeof found);
    rows[0] = make_row("Good", PRFDATA_SURVEY_RIGHT);
    rows[1] = make_row("Off", PRFDATA_SURVEY_OFF);
    find(PRFDATA_RULE_NO_OBJECTS, 1, "");
    rows[2] = make_row("Idle", PRFDATA_SURVEY_NOT_CHECKED);
    prfdata_survey_put_line(&output, &rows[2], &found);
    expect_put(&output, "Idle: not checked: no-objects\r\n");
    rows[3] = make_row("Bad", PRFDATA_SURVEY_WARNINGS);
    prfdata_survey_put_table(&output, rows, 4);
    assert_string_equal(rows[0].service, "Bad");
    assert_string_equal(rows[1].service, "Idle");
    assert_string_equal(rows[2].service, "Off");
    prfdata_output_put(&output, "", 1);
    assert_non_null(strstr(output.bytes, "Idle      not checked         0         0        -  "));
    assert_non_null(strstr(output.bytes, "\r\nprfcheck: 4 providers, 1 passed, 1 not checked\r\n"));
    prfdata_output_free(&output);
}

/* A name is never cut, because the command in its row would then name another service. */
static void test_survey_table_has_long_names_whole(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row row;
    char name[PRFDATA_SURVEY_NAME_BYTES];
    char line[2 * PRFDATA_SURVEY_NAME_BYTES + 100];

    (void)state;
    memset(&found, 0, sizeof found);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    row = make_row(name, PRFDATA_SURVEY_OFF);
    (void)snprintf(
        line, sizeof line,
        "\r\n%s  switched off        0         0        -       0.000  lodctr /e:\"%s\"\r\n", name,
        name);
    prfdata_survey_put_table(&output, &row, 1);
    prfdata_output_put(&output, "", 1);
    assert_non_null(strstr(output.bytes, line));
    prfdata_output_free(&output);
}

static const prfdata_survey_scenario scenarios[] = {
    {"first", "", PRFDATA_SURVEY_RAN},    {"case", "\"GLOBAL\"", PRFDATA_SURVEY_RAN},
    {"clock", "", PRFDATA_SURVEY_UNSEEN}, {"sizes", "", PRFDATA_SURVEY_NO_TIME},
    {"null", "", PRFDATA_SURVEY_NOT_RUN},
};

static prfdata_survey_row make_whole_row(void)
{
    static uint16_t chars[16];
    static prfdata_name_table_entry title;
    static prfdata_name_table names;
    prfdata_survey_row row;

    title.index = 1;
    title.name = ascii_text("My Queues", chars);
    names.items = &title;
    names.count = names.capacity = 1;
    memset(&found, 0, sizeof found);
    find(PRFDATA_RULE_SIZE_OVER, 1, "it says \"64\" & <");
    found.items[0].times = 3;
    found.items[0].capacity = 8;
    (void)snprintf(found.items[0].query, sizeof found.items[0].query, "\"Global\"");
    found.items[0].first.offset = 4;
    found.items[0].first.spot.counter = 102;
    found.items[0].first.spot.type = 65536;
    (void)snprintf(found.items[0].first.spot.instance, 8, "one");
    (void)snprintf(found.items[0].first.spot.field, 8, "value");
    find(PRFDATA_RULE_LIBRARY_PATH, 1, "a path");
    found.items[1].first.spot.object = 0;
    found.items[1].is_accepted = true;
    row = make_row("My Service", PRFDATA_SURVEY_ERRORS);
    row.scenarios = scenarios;
    row.scenario_count = sizeof scenarios / sizeof scenarios[0];
    row.calls = 12;
    row.not_checked = 4;
    row.left_out = 5;
    row.slowest_us = 1005;
    row.took_ms = 61007;
    row.names = &names;
    return row;
}

/* A title that is too long is cut between two characters, each of which has two bytes here. */
static void test_survey_cuts_a_long_title_at_a_character(void **state)
{
    enum { KEPT = 127 };
    static uint16_t chars[200];
    char expected[2 * KEPT + 3] = "\"";
    prfdata_survey_row row = make_whole_row();
    prfdata_output output = {0};

    (void)state;
    for (size_t i = 0; i < sizeof chars / sizeof chars[0]; i++)
        chars[i] = 0xE4;
    row.names->items[0].name = (prfdata_text){chars, sizeof chars / sizeof chars[0]};
    prfdata_survey_put_finding(&output, &found.items[0], "first", row.names);
    prfdata_output_put(&output, "", 1);
    for (size_t i = 0; i < KEPT; i++)
        memcpy(expected + 1 + 2 * i, "\xC3\xA4", 2);
    memcpy(expected + 1 + 2 * KEPT, "\"", 2);
    assert_non_null(strstr(output.bytes, expected));
    prfdata_output_free(&output);
}

static const prfdata_survey_about circumstances = {"1.2", "2026-11-29T06:00:00Z", "-quick", true};

static void test_survey_json_is_a_line_with_all_findings(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row row = make_whole_row();

    (void)state;
    prfdata_survey_put_json(&output, &circumstances, &row, &found);
    prfdata_output_put(&output, "", 1);
    assert_non_null(strstr(
        output.bytes,
        "{\"Service\":\"My Service\",\"Library\":\"C:\\\\My Service.dll\",\"Verdict\":\"errors\","
        "\"Errors\":1,\"Warnings\":0,\"Notes\":0,\"Accepted\":1,\"NotChecked\":4,\"LeftOut\":5,"
        "\"Collects\":12,\"SlowestMilliseconds\":1.005,\"Seconds\":61.007,\"Version\":\"1.2\","
        "\"Date\":\"2026-11-29T06:00:00Z\",\"Options\":\"-quick\",\"Passed\":[\"case "
        "\\\"GLOBAL\\\"\"],\"NotCheckedScenarios\":[\"clock\"],\"LeftOutScenarios\":[\"sizes\"],"
        "\"Findings\":["
        "{\"Rule\":\"size-over\",\"Severity\":\"error\",\"Event\":1001,\"Accepted\":false,"
        "\"Count\":3,\"Scenario\":\"first\",\"Query\":\"\\\"Global\\\"\",\"BufferBytes\":8,"
        "\"Byte\":4,\"Object\":1,\"ObjectName\":\"My Queues\",\"Counter\":102,"
        "\"CounterName\":null,\"CounterType\":65536,\"Instance\":\"one\","
        "\"Field\":\"value\",\"Text\":\"it says \\\"64\\\" & <\",\"Sentence\":"));
    assert_non_null(strstr(
        output.bytes,
        "},{\"Rule\":\"library-path\",\"Severity\":\"warning\",\"Event\":null,\"Accepted\":true,"
        "\"Count\":1,\"Scenario\":\"first\",\"Query\":null,\"BufferBytes\":null,\"Byte\":null,"
        "\"Object\":null,\"ObjectName\":null,\"Counter\":null,\"CounterName\":null,"
        "\"CounterType\":null,\"Instance\":null,\"Field\":null,"
        "\"Text\":\"a path\",\"Sentence\":"));
    assert_int_equal(strcspn(output.bytes, "\n"), strlen(output.bytes) - 1);
    prfdata_output_free(&output);
}

/* Scenarios that did not run are skipped, so without an error the suite would look as if it had
 * passed. */
static void test_survey_junit_without_a_check_has_an_error(void **state)
{
    static const struct {
        prfdata_survey_verdict verdict;
        const char *part;
    } rows[] = {
        {PRFDATA_SURVEY_NOT_FOUND, "name=\"not found\">\n      <error message=\"no service of "},
        {PRFDATA_SURVEY_LATE, "name=\"took too long\">\n      <error message=\"given up: "},
        {PRFDATA_SURVEY_BROKEN, "name=\"broken\">\n      <error message=\"the provider's process "},
    };

    (void)state;
    memset(&found, 0, sizeof found);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        prfdata_output output = {0};
        prfdata_survey_row row = make_row("No & Service", rows[i].verdict);

        prfdata_survey_put_junit(&output, &circumstances, &row, &found);
        prfdata_output_put(&output, "", 1);
        assert_non_null(
            strstr(output.bytes, " tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" "));
        assert_non_null(strstr(output.bytes, "<testcase classname=\"No &amp; Service\" "));
        assert_non_null(strstr(output.bytes, rows[i].part));
        prfdata_output_free(&output);
    }
}

static void test_survey_xml_has_no_character_that_it_does_not_allow(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row row = make_whole_row();

    (void)state;
    (void)snprintf(found.items[0].first.text, sizeof found.items[0].first.text,
                   "a\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBDz");
    prfdata_survey_put_junit(&output, &circumstances, &row, &found);
    prfdata_output_put(&output, "", 1);
    assert_non_null(strstr(output.bytes, "message=\"a??\xEF\xBF\xBDz\""));
    prfdata_output_free(&output);
}

static void test_survey_junit_has_a_case_of_each_scenario(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row row = make_whole_row();
    prfdata_survey_about only_errors = circumstances;

    (void)state;
    prfdata_survey_put_junit_begin(&output);
    prfdata_survey_put_junit(&output, &circumstances, &row, &found);
    prfdata_survey_put_junit_end(&output);
    prfdata_output_put(&output, "", 1);
    assert_non_null(strstr(
        output.bytes, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                      "  <testsuite name=\"My Service\" tests=\"5\" failures=\"1\" "
                      "errors=\"0\" skipped=\"3\" time=\"61.007\" "
                      "timestamp=\"2026-11-29T06:00:00\">\n"
                      "    <testcase classname=\"My Service\" name=\"first\">\n"
                      "      <failure type=\"size-over\" message=\"it says &quot;64&quot; "
                      "&amp; &lt;\">error size-over, byte 4, Perflib event 1001, object 1 &quot;My "
                      "Queues&quot;, counter 102 (PERF_COUNTER_RAWCOUNT), instance "
                      "&quot;one&quot;, field value: it says &quot;64&quot; &amp; &lt;. "));
    assert_non_null(strstr(output.bytes, " [first: &quot;Global&quot;, 8 bytes]\n</failure>"));
    assert_non_null(
        strstr(output.bytes, "      <system-out>accepted warning library-path: a path. "));
    assert_non_null(strstr(output.bytes, " [first]\n</system-out>\n    </testcase>\n"));
    assert_non_null(strstr(output.bytes, "name=\"case &quot;GLOBAL&quot;\">\n    </testcase>\n"));
    assert_non_null(
        strstr(output.bytes, "name=\"clock\">\n      <skipped message=\"not checked: "));
    assert_non_null(strstr(output.bytes, "name=\"sizes\">\n      <skipped message=\"left out: "));
    assert_non_null(strstr(output.bytes, "name=\"null\">\n      <skipped message=\"not run\"/>"));
    prfdata_output_clear(&output);

    /* A warning that was not accepted fails its test case, unless only errors fail. */
    memset(&found, 0, sizeof found);
    find(PRFDATA_RULE_LIBRARY_PATH, 1, "a path");
    prfdata_survey_put_junit(&output, &circumstances, &row, &found);
    only_errors.fails_warnings = false;
    prfdata_survey_put_junit(&output, &only_errors, &row, &found);
    prfdata_output_put(&output, "", 1);
    assert_non_null(strstr(output.bytes, "failures=\"1\""));
    assert_non_null(strstr(output.bytes, "failures=\"0\""));
    prfdata_output_free(&output);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_survey_line_names_the_rules_the_gravest_first),
        cmocka_unit_test(test_survey_table_has_the_worst_first_and_none_that_is_right),
        cmocka_unit_test(test_survey_table_counts_apart_what_is_not_checked),
        cmocka_unit_test(test_survey_table_has_long_names_whole),
        cmocka_unit_test(test_survey_cuts_a_long_title_at_a_character),
        cmocka_unit_test(test_survey_json_is_a_line_with_all_findings),
        cmocka_unit_test(test_survey_junit_has_a_case_of_each_scenario),
        cmocka_unit_test(test_survey_junit_without_a_check_has_an_error),
        cmocka_unit_test(test_survey_xml_has_no_character_that_it_does_not_allow),
    };

    return cmocka_run_group_tests_name("survey", tests, NULL, NULL);
}
