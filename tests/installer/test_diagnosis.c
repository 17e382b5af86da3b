/* SPDX-License-Identifier: MIT */
/* Tests how -Status shows a diagnosis, in text and in JSON, and that docs/doctor.md lists every
 * finding and every fact. With an argument the program prints a diagnosis of difficult texts as
 * JSON, for test_diagnosis_json.py. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnosis/diagnosis.h"
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

static void init_diagnosis(prfdata_diagnosis *diagnosis)
{
    memset(diagnosis, 0, sizeof *diagnosis);
    wcscpy(diagnosis->service, L"My Service");
    wcscpy(diagnosis->program, L"my_installer");
    diagnosis->state = PRFDATA_DIAGNOSIS_INSTALLED;
}

static void say(const prfdata_diagnosis *diagnosis)
{
    said[0] = 0;
    wrong_lines = 0;
    prfdata_diagnosis_text(diagnosis, record_line, NULL);
}

static void assert_said(const wchar_t *text)
{
    if (!wcsstr(said, text))
        fail_msg("no \"%ls\" in\n%ls", text, said);
}

static void fill(prfdata_diagnosis *diagnosis)
{
    wchar_t program[] = L"C:\\My \"Programs\"\\p.exe", account[] = L"PC\\user",
            file[] = L"f.region";
    wchar_t source[] = L"Perflib", text[] = L"line 1\r\nline 2\t\x01";
    prfdata_diagnosis_process process = {4321,
                                         false,
                                         program,
                                         account,
                                         file,
                                         PRFDATA_MAP_EARLIER,
                                         0xFEDCBA9876543210u,
                                         2,
                                         5000000000u,
                                         7,
                                         9007199254740993u,
                                         true};
    prfdata_diagnosis_event event = {source, 1023, 1709251199, 3, text};

    prfdata_diagnosis_add_fact(diagnosis, PRFDATA_FACT_DLL, L"C:\\%ls.dll", L"x");
    prfdata_diagnosis_add_number(diagnosis, PRFDATA_FACT_FIRST_COUNTER, 1848, L"0x%08lX (%lu)",
                                 1848ul, 1848ul);
    prfdata_diagnosis_add_language(diagnosis, L"009", true);
    prfdata_diagnosis_add_language(diagnosis, L"007", false);
    prfdata_diagnosis_count_map(diagnosis, PRFDATA_MAP_PRESENT, 1, true);
    prfdata_diagnosis_count_map(diagnosis, PRFDATA_MAP_UNKNOWN, 2, false);
    prfdata_diagnosis_count_map(diagnosis, PRFDATA_MAP_PRESENT, 1, true);
    prfdata_diagnosis_add_process(diagnosis, &process);
    prfdata_diagnosis_count_ended(diagnosis, account, true, 100);
    prfdata_diagnosis_count_ended(diagnosis, account, false, 10);
    prfdata_diagnosis_count_ended(diagnosis, account, true, 11);
    prfdata_diagnosis_add_event(diagnosis, &event);
    prfdata_diagnosis_add_finding(diagnosis, PRFDATA_FINDING_DISABLED, NULL, 1ul, L"all readers");
    prfdata_diagnosis_add_finding(diagnosis, PRFDATA_FINDING_LINKAGE_FOREIGN, NULL);
    prfdata_diagnosis_add_process_finding(diagnosis, PRFDATA_FINDING_PROCESS_DAMAGED, 4321,
                                          L"process 4321 (p.exe)");
}

static void test_diagnosis_first_lines_are_lodctrs(void **state)
{
    prfdata_diagnosis diagnosis;

    (void)state;
    init_diagnosis(&diagnosis);
    prfdata_diagnosis_add_fact(&diagnosis, PRFDATA_FACT_READER, L"last");
    prfdata_diagnosis_add_fact(&diagnosis, PRFDATA_FACT_LAST_HELP, L"0x%08lX (%lu)", 9ul, 9ul);
    prfdata_diagnosis_add_fact(&diagnosis, PRFDATA_FACT_DLL, L"a.dll");
    diagnosis.is_disabled = true;
    say(&diagnosis);
    assert_true(wcscmp(said, L"[My Service] Performance Counters (Disabled)\n"
                             L"    DLL Name: a.dll\n"
                             L"    Last Help ID: 0x00000009 (9)\n"
                             L"    Reader: last\n") == 0);
    diagnosis.is_disabled = false;
    say(&diagnosis);
    assert_said(L"[My Service] Performance Counters (Enabled)\n");
    diagnosis.state = PRFDATA_DIAGNOSIS_NOT_INSTALLED;
    say(&diagnosis);
    assert_said(L"[My Service] Performance Counters (Not Installed)\n");
    prfdata_diagnosis_free(&diagnosis);
}

static void test_diagnosis_text_shows_everything(void **state)
{
    prfdata_diagnosis diagnosis;

    (void)state;
    init_diagnosis(&diagnosis);
    fill(&diagnosis);
    assert_false(diagnosis.has_failed);
    assert_int_equal(prfdata_diagnosis_wrong_count(&diagnosis), 2);
    assert_true(prfdata_diagnosis_has(&diagnosis, PRFDATA_FINDING_LINKAGE_FOREIGN));
    assert_false(prfdata_diagnosis_has(&diagnosis, PRFDATA_FINDING_FOREIGN));
    say(&diagnosis);
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
    assert_said(
        L"    Ended Programs: 1 regions from before the last restart, PC\\user, bytes 10\n");
    assert_said(
        L"    Last Event: Perflib 1023, 2024-02-29T23:59:59Z, 3 times: line 1  line 2 \\u0001\n");
    assert_said(L"    Wrong: disabled (1: all readers)\n        Why: Windows disables");
    assert_said(L"        Fix: lodctr /E:\"My Service\"\n");
    assert_said(L"    Note: the key Linkage was not created by this installer\n        Why: ");
    assert_said(L"        Fix: taskkill /F /PID 4321\n");
    prfdata_diagnosis_free(&diagnosis);
}

/* Every account may write to the Application log under any source, so the text of an event must not
 * make lines of its own. */
static void test_diagnosis_no_event_writes_lines_of_its_own(void **state)
{
    wchar_t source[] = L"PrfData My Service";
    wchar_t text[] = L"x\n    Wrong: y\x2028z\n        Fix: format C:\x1B[2K\x9B[2K\x7F";
    const prfdata_diagnosis_event event = {source, 1, 0, 1, text};
    prfdata_diagnosis diagnosis;

    (void)state;
    init_diagnosis(&diagnosis);
    prfdata_diagnosis_add_event(&diagnosis, &event);
    say(&diagnosis);
    assert_said(L"1 times: x     Wrong: y\\u2028z         Fix: format C:\\u001B[2K\\u009B[2K"
                L"\\u007F\n");
    prfdata_diagnosis_free(&diagnosis);
}

static void test_diagnosis_commands_name_what_they_are_about(void **state)
{
    prfdata_diagnosis diagnosis;

    (void)state;
    init_diagnosis(&diagnosis);
    prfdata_diagnosis_add_finding(&diagnosis, PRFDATA_FINDING_MAP_MISSING, NULL);
    prfdata_diagnosis_add_finding(&diagnosis, PRFDATA_FINDING_FOLDER_LINK, L"C:\\P D\\svc", L"x");
    prfdata_diagnosis_add_finding(&diagnosis, PRFDATA_FINDING_VALIDATION_CODE, NULL);
    assert_true(
        wcscmp(diagnosis.findings.items[0].command, L"my_installer -Install \"My Service\"") == 0);
    assert_true(wcscmp(diagnosis.findings.items[1].command,
                       L"ren \"C:\\P D\\svc\" svc.old && my_installer -Install \"My Service\"") ==
                0);
    assert_non_null(
        wcsstr(diagnosis.findings.items[2].command, L"Services\\My Service\\Performance\" /v "));
    assert_true(diagnosis.findings.items[0].is_safe);
    assert_false(diagnosis.findings.items[1].is_safe);
    prfdata_diagnosis_free(&diagnosis);
}

/*
 * If a person copies a command, cmd must run exactly this command, whatever names it contains. If
 * that is not possible, there must be no command. `wanted` is the text between "ren " and " && ".
 */
static void test_diagnosis_commands_are_what_cmd_takes(void **state)
{
    static const struct {
        const wchar_t *subject;
        const wchar_t *wanted;
    } rows[] = {
        {L"C:\\Data\\svc", L"C:\\Data\\svc svc.old"},
        {L"C:\\a&calc\\s v", L"\"C:\\a&calc\\s v\" \"s v.old\""},
        {L"C:\\a^b(c)\\x|y<z>", L"\"C:\\a^b(c)\\x|y<z>\" \"x|y<z>.old\""},
        {L"C:\\%PATH%\\svc", L"\"C:\\\\\"^%\"PATH\"^%\"\\svc\" svc.old"},
        {L"C:\\a b\\", L"\"C:\\a b\\\\\" .old"},
        {L"C:\\a;b,c=d\\e!f'g@", L"\"C:\\a;b,c=d\\e!f'g@\" \"e!f'g@.old\""},
        {L"C:\\B\x00FC"
         L"cher\\svc",
         L"\"C:\\B\x00FC"
         L"cher\\svc\" svc.old"},
        {L"C:\\x\" & calc & \"\\svc", NULL},
        {L"C:\\x\r\ncalc\\svc", NULL},
        {L"C:\\x\x202E"
         L"cvs\\svc",
         NULL},
        {L"C:\\x\x200B\\svc", NULL},
    };
    wchar_t wanted[256];
    prfdata_diagnosis diagnosis;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wanted[0] = 0;
        if (rows[i].wanted)
            assert_true(swprintf(wanted, 256, L"ren %ls && my_installer -Install \"My Service\"",
                                 rows[i].wanted) > 0);
        init_diagnosis(&diagnosis);
        prfdata_diagnosis_add_finding(&diagnosis, PRFDATA_FINDING_FOLDER_LINK, rows[i].subject,
                                      rows[i].subject);
        assert_non_null(diagnosis.findings.items[0].command);
        if (wcscmp(diagnosis.findings.items[0].command, wanted) != 0)
            fail_msg("row %d: %ls", (int)i, diagnosis.findings.items[0].command);
        prfdata_diagnosis_free(&diagnosis);
    }
}

/* The command for this finding has the service's name inside quotation marks, where cmd expands
 * variables, too. */
static void test_diagnosis_commands_expand_no_variable_of_a_service(void **state)
{
    prfdata_diagnosis diagnosis;

    (void)state;
    init_diagnosis(&diagnosis);
    wcscpy(diagnosis.service, L"%CMDCMDLINE:~0,1%& calc");
    prfdata_diagnosis_add_finding(&diagnosis, PRFDATA_FINDING_PUBLISH_OFF, NULL);
    assert_int_equal(wcscmp(diagnosis.findings.items[0].command,
                            L"reg delete \"HKLM\\SYSTEM\\CurrentControlSet\\Services\\\\\"^%"
                            L"\"CMDCMDLINE:~0,1\"^%\"& calc\\Performance\" /v Publish /f"),
                     0);
    prfdata_diagnosis_free(&diagnosis);
}

/* Tries every text of the diagnosis that another person may have chosen. */
static void test_diagnosis_shows_what_cannot_be_seen(void **state)
{
    wchar_t bad[] = L"a\x202E\x001B]0;\x0007z\r";
    const wchar_t *shown = L"a\\u202E\\u001B]0;\\u0007z\\r";
    prfdata_diagnosis_process process = {1, true, bad, bad, bad, PRFDATA_MAP_PRESENT,
                                         1, 1,    1,   0,   1,   true};
    prfdata_diagnosis_event event = {bad, 1, 1, 1, bad};
    prfdata_diagnosis diagnosis;
    size_t count = 0;

    (void)state;
    init_diagnosis(&diagnosis);
    prfdata_diagnosis_add_fact(&diagnosis, PRFDATA_FACT_DLL, L"%ls", bad);
    prfdata_diagnosis_add_process(&diagnosis, &process);
    prfdata_diagnosis_count_ended(&diagnosis, bad, true, 1);
    prfdata_diagnosis_add_event(&diagnosis, &event);
    prfdata_diagnosis_add_language(&diagnosis, bad, false);
    prfdata_diagnosis_add_finding(&diagnosis, PRFDATA_FINDING_FOLDER_LINK, bad, bad);
    say(&diagnosis);
    for (const wchar_t *at = wcsstr(said, L"\\u202E\\u001B]0;\\u0007z"); at;
         at = wcsstr(at + 1, L"\\u202E\\u001B]0;\\u0007z"))
        count++;
    /* `bad` is shown twice in the process, twice in the event, and once in each other item */
    assert_int_equal(count, 8);
    assert_said(shown);
    assert_said(L"Process: says it is process 1, ");
    for (const wchar_t *c = said; *c; c++)
        assert_true(*c == L'\n' || (*c >= 0x20 && *c < 0x7F));
    prfdata_diagnosis_free(&diagnosis);
}

/* A path may be longer than the report has room for. The report and its JSON are still written. */
static void test_diagnosis_long_texts_are_cut(void **state)
{
    wchar_t text[3000];
    prfdata_diagnosis diagnosis;

    (void)state;
    wmemset(text, L'x', 2999);
    text[2999] = 0;
    init_diagnosis(&diagnosis);
    prfdata_diagnosis_add_fact(&diagnosis, PRFDATA_FACT_DLL, L"%ls", text);
    prfdata_diagnosis_add_finding(&diagnosis, PRFDATA_FINDING_FOLDER_LINK, text, text);
    say(&diagnosis);
    assert_int_equal(prfdata_diagnosis_json(&diagnosis, record_line, NULL), ERROR_SUCCESS);
    prfdata_diagnosis_free(&diagnosis);
}

static void test_diagnosis_time_is_right_around_leap_days(void **state)
{
    static const struct {
        uint64_t seconds;
        const wchar_t *text;
    } rows[] = {{0, L"1970-01-01T00:00:00Z"},          {951782399, L"2000-02-28T23:59:59Z"},
                {951782400, L"2000-02-29T00:00:00Z"},  {951868800, L"2000-03-01T00:00:00Z"},
                {1735689599, L"2024-12-31T23:59:59Z"}, {1735689600, L"2025-01-01T00:00:00Z"},
                {4107542400, L"2100-03-01T00:00:00Z"}, {4294967295, L"2106-02-07T06:28:15Z"}};
    wchar_t text[PRFDATA_DIAGNOSIS_TIME_CHARS];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        prfdata_diagnosis_time(rows[i].seconds, text);
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
    prfdata_fix fix;
} findings[] = {
#define ROW(NAME, id, severity, fix, what, why) {id, #severity, what, why, PRFDATA_FIX_##fix},
    PRFDATA_FINDINGS(ROW)
#undef ROW
};

static const struct {
    const char *name;
    const wchar_t *command;
    bool is_safe;
} fixes[] = {
#define ROW(NAME, command, is_safe) {#NAME, command, is_safe},
    PRFDATA_FIXES(ROW)
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

/* Add a message as docs/doctor.md shows it, with dots in place of its arguments. */
static void add_sentence(page_text *row, const wchar_t *sentence)
{
    for (; *sentence; sentence++) {
        if (*sentence == L'%') {
            sentence += sentence[1] == L'l' || sentence[1] == L'h' ? 2 : 1;
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
        page_add(&rows, ". | %s%ls%s | %s |\n", fixes[findings[i].fix].command[0] ? "`" : "",
                 fixes[findings[i].fix].command, fixes[findings[i].fix].command[0] ? "`" : "",
                 fixes[findings[i].fix].is_safe ? "yes" : "");
    }
    page_expect_rows("docs/doctor.md", "| `", &rows);
    page_free(&rows);
}

static void test_fact_table_page_lists_every_fact(void **state)
{
    page_text rows = {0};

    (void)state;
    for (int i = 0; i < PRFDATA_FACT_COUNT; i++)
        page_add(&rows, "| *%s* | %ls |\n", prfdata_diagnosis_fact_name((prfdata_fact_id)i),
                 prfdata_diagnosis_fact_label((prfdata_fact_id)i));
    page_expect_rows("docs/doctor.md", "| *", &rows);
    page_free(&rows);
}

/* ---- JSON for another parser ---- */

/* Print ASCII, and \u escapes for other characters, because the program's own conversion is not
 * under test. */
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

static int print_difficult_diagnosis(void)
{
    const wchar_t half_pairs[] = {L'<', 0xD83D, L'>', 0xDC00, 0};
    prfdata_diagnosis diagnosis;

    init_diagnosis(&diagnosis);
    fill(&diagnosis);
    prfdata_diagnosis_add_fact(&diagnosis, PRFDATA_FACT_WRITERS, L"%ls", half_pairs);
    (void)prfdata_diagnosis_json(&diagnosis, print_json, NULL);
    prfdata_diagnosis_free(&diagnosis);
    init_diagnosis(&diagnosis);
    diagnosis.state = PRFDATA_DIAGNOSIS_NOT_INSTALLED;
    (void)prfdata_diagnosis_json(&diagnosis, print_json, NULL);
    prfdata_diagnosis_free(&diagnosis);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagnosis_first_lines_are_lodctrs),
        cmocka_unit_test(test_diagnosis_text_shows_everything),
        cmocka_unit_test(test_diagnosis_no_event_writes_lines_of_its_own),
        cmocka_unit_test(test_diagnosis_commands_name_what_they_are_about),
        cmocka_unit_test(test_diagnosis_commands_are_what_cmd_takes),
        cmocka_unit_test(test_diagnosis_commands_expand_no_variable_of_a_service),
        cmocka_unit_test(test_diagnosis_shows_what_cannot_be_seen),
        cmocka_unit_test(test_diagnosis_long_texts_are_cut),
        cmocka_unit_test(test_diagnosis_time_is_right_around_leap_days),
        cmocka_unit_test(test_finding_table_names_and_sentences_are_different),
        cmocka_unit_test(test_finding_table_page_lists_every_finding),
        cmocka_unit_test(test_fact_table_page_lists_every_fact),
    };

    (void)argv;
    if (argc > 1)
        return print_difficult_diagnosis();
    return cmocka_run_group_tests_name("diagnosis", tests, NULL, NULL);
}
