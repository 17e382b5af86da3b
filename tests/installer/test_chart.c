/* SPDX-License-Identifier: MIT */
/*
 * What -Status says of a chart, in text and in JSON, and that docs/doctor.md lists all that it can
 * say. With an argument the program prints a chart of difficult texts as JSON, for
 * test_chart_json.py.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "installer/chart.h"
#include "support/page.h"

static wchar_t said[16384];
static size_t wrong_lines;

static void record_line(void *context, prfdata_step step, const wchar_t *text)
{
    (void)context;
    if (step == PRFDATA_STEP_FAILED)
        wrong_lines++;
    assert_true(wcslen(said) + wcslen(text) + 2 < sizeof said / sizeof said[0]);
    wcscat(said, text);
    wcscat(said, L"\n");
}

static void init_chart(prfdata_chart *chart)
{
    memset(chart, 0, sizeof *chart);
    wcscpy(chart->service, L"My Service");
    wcscpy(chart->program, L"my_installer");
    chart->state = PRFDATA_CHART_INSTALLED;
}

static void say(const prfdata_chart *chart)
{
    said[0] = 0;
    wrong_lines = 0;
    prfdata_chart_text(chart, record_line, NULL);
}

static void assert_said(const wchar_t *text)
{
    if (!wcsstr(said, text))
        fail_msg("no \"%ls\" in\n%ls", text, said);
}

/* A process with every field. */
static void fill_chart(prfdata_chart *chart)
{
    wchar_t program[] = L"C:\\My \"Programs\"\\p.exe", account[] = L"PC\\user",
            file[] = L"f.region";
    wchar_t source[] = L"Perflib", text[] = L"line 1\r\nline 2\t\x01";
    prfdata_chart_process process = {
        4321,        program, account,           file, PRFDATA_MAP_EARLIER, 0xFEDCBA9876543210u, 2,
        5000000000u, 7,       9007199254740993u, true};
    prfdata_chart_event event = {source, 1023, 1709251199, 3, text};

    prfdata_chart_add_fact(chart, PRFDATA_FACT_DLL, L"C:\\%ls.dll", L"x");
    prfdata_chart_add_number(chart, PRFDATA_FACT_FIRST_COUNTER, 1848, L"0x%08lX (%lu)", 1848ul,
                             1848ul);
    prfdata_chart_add_language(chart, L"009", true);
    prfdata_chart_add_language(chart, L"007", false);
    prfdata_chart_count_map(chart, PRFDATA_MAP_PRESENT, 1, true);
    prfdata_chart_count_map(chart, PRFDATA_MAP_UNKNOWN, 2, false);
    prfdata_chart_count_map(chart, PRFDATA_MAP_PRESENT, 1, true);
    prfdata_chart_add_process(chart, &process);
    prfdata_chart_count_ended(chart, account, true, 100);
    prfdata_chart_count_ended(chart, account, false, 10);
    prfdata_chart_count_ended(chart, account, true, 11);
    prfdata_chart_add_event(chart, &event);
    prfdata_chart_add_finding(chart, PRFDATA_FINDING_DISABLED, NULL, 1ul, L"all readers");
    prfdata_chart_add_finding(chart, PRFDATA_FINDING_LINKAGE_FOREIGN, NULL);
    prfdata_chart_add_process_finding(chart, PRFDATA_FINDING_PROCESS_DAMAGED, 4321, 4321ul,
                                      L"p.exe");
}

static void test_chart_first_lines_are_lodctrs(void **state)
{
    prfdata_chart chart;

    (void)state;
    init_chart(&chart);
    prfdata_chart_add_fact(&chart, PRFDATA_FACT_READER, L"last");
    prfdata_chart_add_fact(&chart, PRFDATA_FACT_LAST_HELP, L"0x%08lX (%lu)", 9ul, 9ul);
    prfdata_chart_add_fact(&chart, PRFDATA_FACT_DLL, L"a.dll");
    chart.is_disabled = true;
    say(&chart);
    assert_true(wcscmp(said, L"[My Service] Performance Counters (Disabled)\n"
                             L"    DLL Name: a.dll\n"
                             L"    Last Help ID: 0x00000009 (9)\n"
                             L"    Reader: last\n") == 0);
    chart.is_disabled = false;
    say(&chart);
    assert_said(L"[My Service] Performance Counters (Enabled)\n");
    chart.state = PRFDATA_CHART_NOT_INSTALLED;
    say(&chart);
    assert_said(L"[My Service] Performance Counters (Not Installed)\n");
    prfdata_chart_free(&chart);
}

static void test_chart_text_shows_everything(void **state)
{
    prfdata_chart chart;

    (void)state;
    init_chart(&chart);
    fill_chart(&chart);
    assert_false(chart.has_failed);
    assert_int_equal(prfdata_chart_wrong_count(&chart), 2);
    assert_true(prfdata_chart_has(&chart, PRFDATA_FINDING_LINKAGE_FOREIGN));
    assert_false(prfdata_chart_has(&chart, PRFDATA_FINDING_FOREIGN));
    say(&chart);
    assert_int_equal(wrong_lines, 2);
    assert_said(L"    First Counter ID: 0x00000738 (1848)\n");
    assert_said(L"    Language: 007: no titles\n");
    assert_said(
        L"    Regions of Map: present, 0000000000000001: 2 of programs that run, 0 of ended "
        L"ones\n");
    assert_said(
        L"    Process: 4321, C:\\My \"Programs\"\\p.exe, PC\\user: shown, map earlier, objects "
        L"2, instances 5000000000, dropped 7, bytes 9007199254740993\n");
    assert_said(L"    Ended Programs: 2 regions of this boot, PC\\user, bytes 111\n");
    assert_said(L"    Ended Programs: 1 regions of another boot, PC\\user, bytes 10\n");
    assert_said(L"    Last Event: Perflib 1023, 2024-02-29T23:59:59Z, 3 times: line 1  line 2  \n");
    assert_said(L"    Wrong: disabled (1: all readers)\n        Why: Windows switches");
    assert_said(L"        Mend: lodctr /E:\"My Service\"\n");
    assert_said(L"    Note: the key Linkage was not created by this installer\n        Why: ");
    assert_said(L"        Mend: taskkill /F /PID 4321\n");
    prfdata_chart_free(&chart);
}

/* Every account may write to the Application log under any source. */
static void test_chart_no_event_writes_lines_of_its_own(void **state)
{
    wchar_t source[] = L"PrfData My Service";
    wchar_t text[] = L"x\n    Wrong: y\x2028z\n        Mend: format C:\x1B[2K\x9B[2K\x7F";
    const prfdata_chart_event event = {source, 1, 0, 1, text};
    prfdata_chart chart;

    (void)state;
    init_chart(&chart);
    prfdata_chart_add_event(&chart, &event);
    say(&chart);
    assert_said(L"1 times: x     Wrong: y z         Mend: format C: [2K [2K \n");
    prfdata_chart_free(&chart);
}

static void test_chart_commands_name_what_they_are_about(void **state)
{
    prfdata_chart chart;

    (void)state;
    init_chart(&chart);
    prfdata_chart_add_finding(&chart, PRFDATA_FINDING_MAP_MISSING, NULL);
    prfdata_chart_add_finding(&chart, PRFDATA_FINDING_FOLDER_LINK, L"C:\\P D\\svc", L"x");
    prfdata_chart_add_finding(&chart, PRFDATA_FINDING_VALIDATION_CODE, NULL);
    assert_true(wcscmp(chart.findings.items[0].command, L"my_installer -Install \"My Service\"") ==
                0);
    assert_true(
        wcscmp(chart.findings.items[1].command,
               L"ren \"C:\\P D\\svc\" \"svc.old\" && my_installer -Install \"My Service\"") == 0);
    assert_non_null(
        wcsstr(chart.findings.items[2].command, L"Services\\My Service\\Performance\" /v "));
    assert_true(chart.findings.items[0].is_safe);
    assert_false(chart.findings.items[1].is_safe);
    prfdata_chart_free(&chart);
}

/* A path may be as long as it likes. */
static void test_chart_long_texts_are_cut(void **state)
{
    wchar_t text[3000];
    prfdata_chart chart;

    (void)state;
    wmemset(text, L'x', 2999);
    text[2999] = 0;
    init_chart(&chart);
    prfdata_chart_add_fact(&chart, PRFDATA_FACT_DLL, L"%ls", text);
    prfdata_chart_add_finding(&chart, PRFDATA_FINDING_FOLDER_LINK, text, text);
    say(&chart);
    assert_int_equal(prfdata_chart_json(&chart, record_line, NULL), ERROR_SUCCESS);
    prfdata_chart_free(&chart);
}

static void test_chart_time_is_right_around_leap_days(void **state)
{
    static const struct {
        uint64_t seconds;
        const wchar_t *text;
    } rows[] = {{0, L"1970-01-01T00:00:00Z"},          {951782399, L"2000-02-28T23:59:59Z"},
                {951782400, L"2000-02-29T00:00:00Z"},  {951868800, L"2000-03-01T00:00:00Z"},
                {1735689599, L"2024-12-31T23:59:59Z"}, {1735689600, L"2025-01-01T00:00:00Z"},
                {4107542400, L"2100-03-01T00:00:00Z"}, {4294967295, L"2106-02-07T06:28:15Z"}};
    wchar_t text[PRFDATA_CHART_TIME_CHARS];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        prfdata_chart_time(rows[i].seconds, text);
        if (wcscmp(text, rows[i].text) != 0)
            fail_msg("%ls instead of %ls", text, rows[i].text);
    }
}

/* ---- The tables ---- */

static const struct {
    const char *id;
    const char *severity;
    const wchar_t *what;
    const wchar_t *why;
    prfdata_cure cure;
} findings[] = {
#define ROW(NAME, id, severity, cure, what, why) {id, #severity, what, why, PRFDATA_CURE_##cure},
    PRFDATA_FINDINGS(ROW)
#undef ROW
};

static const struct {
    const char *name;
    const wchar_t *command;
    bool is_safe;
} cures[] = {
#define ROW(NAME, command, is_safe) {#NAME, command, is_safe},
    PRFDATA_CURES(ROW)
#undef ROW
};

static void test_finding_table_names_and_sentences_are_different(void **state)
{
    (void)state;
    for (size_t i = 0; i < PRFDATA_FINDING_COUNT; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(findings[i].id, findings[k].id);
            assert_true(wcscmp(findings[i].what, findings[k].what) != 0);
        }
        assert_true(wcslen(findings[i].why) > 0);
    }
}

/* A sentence as a page shows it: what is inserted is dots. */
static void add_sentence(page_text *row, const wchar_t *sentence)
{
    for (; *sentence; sentence++) {
        if (*sentence == L'%') {
            sentence += sentence[1] == L'l' ? 2 : 1;
            page_add(row, "...");
        } else {
            page_add(row, *sentence == L'|' ? "\\|" : "%c", (char)*sentence);
        }
    }
}

static void test_finding_table_page_lists_every_finding(void **state)
{
    page_text rows = {0};

    (void)state;
    for (size_t i = 0; i < PRFDATA_FINDING_COUNT; i++) {
        page_add(&rows, "| `%s` | %s | ", findings[i].id,
                 strcmp(findings[i].severity, "WRONG") == 0 ? "wrong" : "note");
        add_sentence(&rows, findings[i].what);
        page_add(&rows, ". ");
        add_sentence(&rows, findings[i].why);
        page_add(&rows, ". | %s%ls%s | %s |\n", cures[findings[i].cure].command[0] ? "`" : "",
                 cures[findings[i].cure].command, cures[findings[i].cure].command[0] ? "`" : "",
                 cures[findings[i].cure].is_safe ? "yes" : "");
    }
    page_expect_rows("docs/doctor.md", "| `", &rows);
    page_free(&rows);
}

static void test_fact_table_page_lists_every_fact(void **state)
{
    page_text rows = {0};

    (void)state;
    for (int i = 0; i < PRFDATA_FACT_COUNT; i++)
        page_add(&rows, "| *%s* | %ls |\n", prfdata_chart_fact_name((prfdata_fact_id)i),
                 prfdata_chart_fact_label((prfdata_fact_id)i));
    page_expect_rows("docs/doctor.md", "| *", &rows);
    page_free(&rows);
}

/* ---- JSON for another parser ---- */

/* ASCII, and \u for the rest: a program's own conversion is not what is tested. */
static void print_json(void *context, prfdata_step step, const wchar_t *text)
{
    (void)context;
    (void)step;
    for (; *text; text++) {
        if ((unsigned)*text < 0x80)
            putchar((int)*text);
        else
            printf("\\u%04x", (unsigned)*text);
    }
    putchar('\n');
}

static int print_difficult_chart(void)
{
    const wchar_t half_pairs[] = {L'<', 0xD83D, L'>', 0xDC00, 0};
    prfdata_chart chart;

    init_chart(&chart);
    fill_chart(&chart);
    prfdata_chart_add_fact(&chart, PRFDATA_FACT_WRITERS, L"%ls", half_pairs);
    (void)prfdata_chart_json(&chart, print_json, NULL);
    prfdata_chart_free(&chart);
    init_chart(&chart);
    chart.state = PRFDATA_CHART_NOT_INSTALLED;
    (void)prfdata_chart_json(&chart, print_json, NULL);
    prfdata_chart_free(&chart);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chart_first_lines_are_lodctrs),
        cmocka_unit_test(test_chart_text_shows_everything),
        cmocka_unit_test(test_chart_no_event_writes_lines_of_its_own),
        cmocka_unit_test(test_chart_commands_name_what_they_are_about),
        cmocka_unit_test(test_chart_long_texts_are_cut),
        cmocka_unit_test(test_chart_time_is_right_around_leap_days),
        cmocka_unit_test(test_finding_table_names_and_sentences_are_different),
        cmocka_unit_test(test_finding_table_page_lists_every_finding),
        cmocka_unit_test(test_fact_table_page_lists_every_fact),
    };

    (void)argv;
    if (argc > 1)
        return print_difficult_chart();
    return cmocka_run_group_tests_name("chart", tests, NULL, NULL);
}
