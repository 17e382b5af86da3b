/* SPDX-License-Identifier: MIT */
/* What a survey of providers writes, to the character: lines, the table, JSON. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "prfcheck/survey.h"

static prfdata_survey_finding findings[PRFDATA_RULE_COUNT];

static void find(prfdata_rule rule, uint64_t total, const char *text)
{
    findings[rule].total = total;
    findings[rule].scenario = "first";
    (void)snprintf(findings[rule].text, sizeof findings[rule].text, "%s", text);
}

static prfdata_survey_row make_row(const char *service, prfdata_survey_verdict verdict)
{
    prfdata_survey_row row;

    memset(&row, 0, sizeof row);
    (void)snprintf(row.service, sizeof row.service, "%s", service);
    (void)snprintf(row.library, sizeof row.library, "C:\\%s.dll", service);
    row.verdict = verdict;
    prfdata_survey_count(&row, findings);
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
    memset(findings, 0, sizeof findings);
    row = make_row("Good", PRFDATA_SURVEY_RIGHT);
    assert_int_equal(row.worst, PRFDATA_RULE_COUNT);
    prfdata_survey_put_line(&output, &row, findings);
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
    prfdata_survey_put_line(&output, &row, findings);
    expect_put(&output,
               "Bad: errors: size-over (Perflib event 1001), partial, library-path, query-old\r\n");
    prfdata_output_free(&output);
}

static void test_survey_table_has_the_worst_first_and_none_that_is_right(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row rows[5];

    (void)state;
    memset(findings, 0, sizeof findings);
    rows[0] = make_row("Good", PRFDATA_SURVEY_RIGHT);
    prfdata_survey_put_table(&output, rows, 1);
    expect_put(&output, "\r\nprfcheck: 1 providers, 1 of them right\r\n");

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
        "provider   verdict        errors  warnings  Perflib  slowest ms  to switch it off, or on "
        "(/e)\r\n"
        "Dead       broken              3         1     1010       0.000  lodctr /d:\"Dead\"\r\n"
        "Wrong One  errors              2         1        -    1234.567  lodctr /d:\"Wrong "
        "One\"\r\n"
        "Wrong Two  errors              2         1        -       0.000  lodctr /d:\"Wrong "
        "Two\"\r\n"
        "Off        switched off        0         0        -       0.000  lodctr /e:\"Off\"\r\n"
        "\r\n"
        "prfcheck: 5 providers, 1 of them right\r\n");
    prfdata_output_free(&output);
}

/* They are neither right nor wrong, and no reason for an exit code as if all were well. */
static void test_survey_table_counts_apart_what_is_not_judged(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row rows[4];

    (void)state;
    memset(findings, 0, sizeof findings);
    rows[0] = make_row("Good", PRFDATA_SURVEY_RIGHT);
    rows[1] = make_row("Off", PRFDATA_SURVEY_OFF);
    find(PRFDATA_RULE_NO_OBJECTS, 1, "");
    rows[2] = make_row("Idle", PRFDATA_SURVEY_NOT_JUDGED);
    prfdata_survey_put_line(&output, &rows[2], findings);
    expect_put(&output, "Idle: not judged: no-objects\r\n");
    rows[3] = make_row("Bad", PRFDATA_SURVEY_WARNINGS);
    prfdata_survey_put_table(&output, rows, 4);
    assert_string_equal(rows[0].service, "Bad");
    assert_string_equal(rows[1].service, "Idle");
    assert_string_equal(rows[2].service, "Off");
    prfdata_output_put(&output, "", 1);
    assert_non_null(strstr(output.bytes, "Idle      not judged          0         0        -  "));
    assert_non_null(
        strstr(output.bytes, "\r\nprfcheck: 4 providers, 1 of them right, 1 not judged\r\n"));
    prfdata_output_free(&output);
}

/* A name is never cut: the command behind it would be of another service. */
static void test_survey_table_has_long_names_whole(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row row;
    char name[PRFDATA_SURVEY_NAME_BYTES];
    char line[2 * PRFDATA_SURVEY_NAME_BYTES + 100];

    (void)state;
    memset(findings, 0, sizeof findings);
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

static void test_survey_json_is_a_line_with_all_findings(void **state)
{
    prfdata_output output = {0};
    prfdata_survey_row row;

    (void)state;
    memset(findings, 0, sizeof findings);
    find(PRFDATA_RULE_SIZE_OVER, 3, "it says \"64\"");
    find(PRFDATA_RULE_LIBRARY_PATH, 1, "a path");
    row = make_row("My Service", PRFDATA_SURVEY_ERRORS);
    row.calls = 12;
    row.not_judged = 4;
    row.left_out = 5;
    row.slowest_us = 1005;
    row.took_ms = 61007;
    prfdata_survey_put_json(&output, &row, findings);
    expect_put(
        &output,
        "{\"Service\":\"My Service\",\"Library\":\"C:\\\\My Service.dll\",\"Verdict\":\"errors\","
        "\"Errors\":3,\"Warnings\":1,\"Notes\":0,\"NotJudged\":4,\"LeftOut\":5,\"Collects\":12,"
        "\"SlowestMilliseconds\":1.005,\"Seconds\":61.007,\"Findings\":["
        "{\"Rule\":\"library-path\",\"Severity\":\"warning\",\"Event\":null,\"Count\":1,"
        "\"Scenario\":\"first\",\"Text\":\"a path\","
        "\"Sentence\":\"Library must be a full path.\"},"
        "{\"Rule\":\"size-over\",\"Severity\":\"error\",\"Event\":1001,\"Count\":3,"
        "\"Scenario\":\"first\",\"Text\":\"it says \\\"64\\\"\","
        "\"Sentence\":\"Collect must not claim more bytes than it was given.\"}]}\n");
    prfdata_output_free(&output);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_survey_line_names_the_rules_the_gravest_first),
        cmocka_unit_test(test_survey_table_has_the_worst_first_and_none_that_is_right),
        cmocka_unit_test(test_survey_table_counts_apart_what_is_not_judged),
        cmocka_unit_test(test_survey_table_has_long_names_whole),
        cmocka_unit_test(test_survey_json_is_a_line_with_all_findings),
    };

    return cmocka_run_group_tests_name("survey", tests, NULL, NULL);
}
