/* SPDX-License-Identifier: MIT */
/* Tests the portable parts of the Windows kit: answers, the provider's trail, tables of values, and
 * entries of the event log. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers.h"
#include "csv.h"
#include "events.h"
#include "trail.h"

/* ---- Answers ---- */

#define LAST_QUESTION ((kit_question_id)(KIT_QUESTION_COUNT - 1))

static char *ended_report(kit_answers *answers, int *exit_code)
{
    char *text = calloc(1, 65536);

    assert_non_null(text);
    *exit_code = kit_answers_end(answers, "");
    rewind(answers->report);
    assert_true(fread(text, 1, 65535, answers->report) > 0);
    fclose(answers->report);
    return text;
}

static kit_answers begun_answers(void)
{
    kit_answers answers = {.report = tmpfile()};

    assert_non_null(answers.report);
    return answers;
}

static void test_answers_without_asking_all_fail(void **state)
{
    kit_answers answers = begun_answers();
    int exit_code;
    char *text = ended_report(&answers, &exit_code);
    size_t failed = 0;

    (void)state;
    for (const char *at = text; (at = strstr(at, " failed: ")) != NULL; at++)
        failed++;
    assert_int_equal(failed, KIT_QUESTION_COUNT);
    assert_null(strstr(text, " yes: "));
    assert_int_equal(exit_code, 1);
    free(text);
}

static bool is_own_text(const char *text)
{
    FILE *file = tmpfile();
    bool is_own;

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    rewind(file);
    is_own = kit_answers_wrote(file);
    fclose(file);
    return is_own;
}

static void test_answers_own_files_are_told_from_others(void **state)
{
    (void)state;
    assert_true(is_own_text(""));
    assert_true(is_own_text("Q07 yes: Is Close called? -- 1 Open, 1 Close\nQ08"));
    assert_true(is_own_text("Q120 failed: a question -- nothing asked it\n"));
    assert_true(is_own_text("133536816000000000\n"));
    assert_true(is_own_text("133536816000000000 42\r\n"));
    assert_false(is_own_text("133536816000000000 \n"));
    assert_false(is_own_text("133536816000000000 42 43\n"));
    assert_false(is_own_text("133536816000000000 42\n1\n"));
    assert_false(is_own_text("Questions\n"));
    assert_false(is_own_text("Q7\n"));
    assert_false(is_own_text("Q07:\n"));
    assert_false(is_own_text("\n"));
    assert_false(is_own_text("12 apples\n"));
    assert_false(is_own_text("12\n13\n"));
    assert_false(is_own_text("#include <stdio.h>\n"));
}

static void test_answers_each_question_has_one_line(void **state)
{
    kit_answers answers = begun_answers();
    int exit_code;
    char *text;

    (void)state;
    kit_answer_if(&answers, KIT_Q_linkage, true, "got %s\nand %d", "it", 2);
    kit_answer(&answers, KIT_Q_linkage, KIT_NO, "once more");
    kit_answer_rest(&answers, (kit_question_id)0, KIT_Q_uninstalled, KIT_NOT_HERE, "tried on Mars");
    kit_answer(&answers, KIT_Q_nothing_left, KIT_YES, "compared");
    kit_answer_rest(&answers, (kit_question_id)0, LAST_QUESTION, KIT_NOT_HERE, "tried on Mars");
    text = ended_report(&answers, &exit_code);
    assert_non_null(
        strstr(text, "Q01 yes: Does Open get the text of Linkage\\Export? -- got it and 2\n"));
    assert_null(strstr(text, "once more"));
    for (int i = 0; i < KIT_QUESTION_COUNT; i++) {
        char number[16];
        const char *at;

        snprintf(number, sizeof number, "Q%02d ", i + 1);
        at = strstr(text, number);
        assert_non_null(at);
        assert_null(strstr(at + 1, number));
    }
    assert_int_equal(exit_code, 0);
    free(text);
}

static void test_answers_what_is_relied_upon_is_said(void **state)
{
    kit_answers answers = begun_answers();
    int exit_code;
    char *text;

    (void)state;
    kit_answer_if(&answers, KIT_Q_take_over, false, "it made another");
    kit_answer_rest(&answers, (kit_question_id)0, LAST_QUESTION, KIT_NOT_HERE, "no");
    text = ended_report(&answers, &exit_code);
    assert_non_null(strstr(text, "it made another [UNEXPECTED]\n"));
    assert_non_null(strstr(text, "; 1 unexpected\n"));
    assert_int_equal(exit_code, 1);
    assert_true(kit_is_expected(KIT_Q_user_meddles, KIT_NO));
    assert_false(kit_is_expected(KIT_Q_user_meddles, KIT_YES));
    assert_true(kit_is_expected(KIT_Q_dll_delete, KIT_YES));
    assert_false(kit_is_expected(KIT_Q_dll_delete, KIT_FAILED));
    free(text);
}

static void test_answers_long_details_are_cut(void **state)
{
    kit_answers answers = begun_answers();
    char detail[3000];
    int exit_code;
    char *text;

    (void)state;
    memset(detail, 'x', sizeof detail - 1);
    detail[sizeof detail - 1] = 0;
    kit_answer(&answers, KIT_Q_old_global, KIT_TEXT, "%s", detail);
    text = ended_report(&answers, &exit_code);
    assert_true(strspn(strstr(text, "xx"), "x") == 999);
    free(text);
}

static void test_answers_of_another_process_are_taken_over(void **state)
{
    static const char *const others[] = {"",
                                         "Event 7, some -- thing",
                                         "Q00 yes: Is it? -- no such question",
                                         "Q999 yes: Is it? -- no such question",
                                         "Q01 perhaps: Is it? -- no such verdict",
                                         "Q01 yes: Is it?"};
    kit_answers answers = begun_answers();
    int exit_code;
    char *text;

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(kit_answers_take(&answers, others[i]));
    assert_true(kit_answers_take(&answers, "Q01 yes: Does Open ...? -- 100 % -- of it\r"));
    assert_true(kit_answers_take(&answers, "Q02 no: Does Collect ...? -- another [UNEXPECTED]"));
    assert_true(kit_answers_take(&answers, "Q03 not here: What ...? -- why"));
    assert_true(kit_answers_take(&answers, "Q01 no: Does Open ...? -- once more"));
    text = ended_report(&answers, &exit_code);
    assert_non_null(strstr(text, "Linkage\\Export? -- 100 % -- of it\n"));
    assert_non_null(strstr(text, "-- another [UNEXPECTED]\n"));
    assert_non_null(strstr(text, "Q03 not here: "));
    assert_null(strstr(text, "once more"));
    assert_int_equal(exit_code, 1);
    free(text);
}

static void test_answers_the_reason_is_said(void **state)
{
    kit_answers answers = begun_answers();
    char text[400] = "";

    (void)state;
    assert_int_equal(kit_answers_end(&answers, "part calls: ended"), 1);
    rewind(answers.report);
    assert_non_null(fgets(text, sizeof text, answers.report));
    assert_non_null(strstr(text, "Q01 failed: "));
    assert_non_null(strstr(text, "-- part calls: ended"));
    fclose(answers.report);
}

/* A question is in promises.h if PrfData relies on its answer, and only then. */
static void test_questions_relied_upon_are_promised(void **state)
{
    (void)state;
    for (int i = 0; i < KIT_QUESTION_COUNT; i++) {
        const bool is_relied_upon = !kit_is_expected((kit_question_id)i, KIT_TEXT);

        if (kit_is_promised((kit_question_id)i) != is_relied_upon)
            fail_msg("promises.h and question %d differ", i + 1);
    }
}

/* The last page of this report has a promise of each kind: kept, not kept, not seen, and seen in
 * part, which lists the questions without an answer. */
static void test_answers_last_page_says_what_was_kept(void **state)
{
    kit_answers answers = begun_answers();
    int exit_code;
    char *text;

    (void)state;
    kit_answer(&answers, KIT_Q_guard, KIT_YES, "caught");
    kit_answer(&answers, KIT_Q_upgrade, KIT_YES, "all");
    kit_answer(&answers, KIT_Q_downgrade, KIT_NO, "some are lost");
    kit_answer(&answers, KIT_Q_protect_user, KIT_NO, "refused");
    kit_answer_rest(&answers, (kit_question_id)0, LAST_QUESTION, KIT_NOT_HERE, "no");
    text = ended_report(&answers, &exit_code);
    assert_non_null(strstr(text, "\nkept        A file that is cut short ends no reader\n"));
    assert_non_null(strstr(text, "\nNOT KEPT    Upgrades and downgrades lose no count"));
    assert_non_null(strstr(text, "other answers than promised: questions 77\n"));
    assert_non_null(strstr(text, "\nnot seen    Titles and help texts"));
    assert_non_null(strstr(text, "\nin part     Only what ordinary users cannot change"));
    assert_non_null(strstr(text, "seen in 1 of 4; this run cannot say: 144 145 148\n"));
    free(text);
}

static void test_questions_end_with_a_question_mark(void **state)
{
    (void)state;
    for (int i = 0; i < KIT_QUESTION_COUNT; i++) {
        const char *text = kit_question_text((kit_question_id)i);

        assert_int_equal(text[strlen(text) - 1], '?');
        assert_null(strstr(text, " -- "));
        assert_null(strchr(text, '\n'));
    }
}

static char *read_page(void)
{
    const char *folder = getenv("PRFDATA_SOURCE_DIR");
    char path[1000], *page = calloc(1, 65536);
    FILE *file;

    assert_non_null(folder);
    assert_non_null(page);
    snprintf(path, sizeof path, "%s/docs/windows-kit.md", folder);
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_true(fread(page, 1, 65535, file) > 0);
    fclose(file);
    return page;
}

/* Marks the questions of a list such as "1 to 11, 121". */
static void mark_listed(const char *list, const char *end, bool *is_listed)
{
    while (list < end) {
        char *rest;
        unsigned long first = strtoul(list, &rest, 10), last = first;

        if (rest == list)
            rest++;
        if (first > 0 && strncmp(rest, " to ", 4) == 0)
            last = strtoul(rest + 4, &rest, 10);
        assert_true(last <= KIT_QUESTION_COUNT);
        for (; first > 0 && first <= last; first++)
            is_listed[first - 1] = true;
        list = rest;
    }
}

static void test_questions_have_a_theme_in_the_page(void **state)
{
    bool is_listed[KIT_QUESTION_COUNT] = {false};
    char *page = read_page();
    const char *row = strstr(page, "| what | questions |");

    (void)state;
    assert_non_null(row);
    for (row = strchr(row, '\n') + 1; *row == '|'; row = strchr(row, '\n') + 1) {
        const char *end = strchr(row, '\n'), *list = end - 2;

        while (*list != '|')
            list--;
        mark_listed(list + 1, end, is_listed);
    }
    for (int i = 0; i < KIT_QUESTION_COUNT; i++)
        if (!is_listed[i])
            fail_msg("docs/windows-kit.md: question %d has no theme", i + 1);
    free(page);
}

static void test_questions_stand_in_the_page(void **state)
{
    char row[400], *page = read_page();
    const char *expected;

    (void)state;
    for (int i = 0; i < KIT_QUESTION_COUNT; i++) {
        kit_question_id question = (kit_question_id)i;

        expected = kit_is_expected(question, KIT_TEXT)  ? ""
                   : kit_is_expected(question, KIT_YES) ? "yes"
                                                        : "no";
        snprintf(row, sizeof row, "| %d | %s | %s |", i + 1, kit_question_text(question), expected);
        if (!strstr(page, row))
            fail_msg("docs/windows-kit.md lacks: %s", row);
    }
    free(page);
}

/* ---- The trail ---- */

static kit_call sample_call(void)
{
    kit_call call = {"Collect", 4294967295u, 7,    "a.exe", "S-1-5-18", 1, 1,
                     5,         9,           4096, 234,     false,      ""};

    return call;
}

static void test_trail_line_is_read_back(void **state)
{
    static const char *const texts[] = {"", "Global", "a\tb\\n\r\n\"c\"", "\\", "\xC3\xB6 \t"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        kit_call call = sample_call(), back;
        char line[2048];
        size_t used;

        strcpy(call.text, texts[i]);
        used = kit_trail_line(&call, line, sizeof line);
        assert_int_equal(used, strlen(line));
        assert_true(strchr(line, '\n') == line + strlen(line) - 1);
        assert_true(kit_trail_parse(line, &back));
        assert_string_equal(back.text, texts[i]);
        assert_string_equal(back.account, "S-1-5-18");
        assert_int_equal(back.process, 4294967295u);
        assert_int_equal(back.end, 9);
        assert_int_equal(back.status, 234);
        assert_false(back.is_null);
    }
}

static void test_trail_no_text_differs_from_an_empty_one(void **state)
{
    kit_call call = sample_call(), back;
    char line[2048];

    (void)state;
    call.is_null = true;
    kit_trail_line(&call, line, sizeof line);
    assert_true(kit_trail_parse(line, &back));
    assert_true(back.is_null);
}

/* The lines are in allocations of every size, so that the sanitizer notices a write after the
 * end. */
static void test_trail_line_never_exceeds_its_buffer(void **state)
{
    kit_call call = sample_call();

    (void)state;
    strcpy(call.text, "a text\twith tabs\\");
    for (size_t capacity = 1; capacity < 120; capacity++) {
        char *line = malloc(capacity);
        size_t used = kit_trail_line(&call, line, capacity);

        assert_true(used < capacity);
        assert_true(used == 0 || line[used] == 0);
        free(line);
    }
}

static void test_trail_other_lines_are_dropped(void **state)
{
    static const char *const lines[] = {
        "",
        "\n",
        "Collect\n",
        "Collect\t1\t2\ta\tb\t0\t0\t1\t2\t3\n",
        "Collect\t1\t2\ta\tb\t0\t0\t1\t2\t3\t0\t\"cut\n",
        "Collect\t1\t2\ta\tb\t0\t0\t1\t2\t3\t0\t\"\\q\"\n",
        "Collect\t1\t2\ta\tb\t0\t0\t1\t2\t3\t0\t\"\\\"\n",
        "Collect\t4294967296\t2\ta\tb\t0\t0\t1\t2\t3\t0\t-\n",
        "Collect\t-1\t2\ta\tb\t0\t0\t1\t2\t3\t0\t-\n",
        "Collect\t1\t2\t\tb\t0\t0\t1\t2\t3\t0\t-\n",
        "CollectCollectCollect\t1\t2\ta\tb\t0\t0\t1\t2\t3\t0\t-\n",
    };
    kit_call call;

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_false(kit_trail_parse(lines[i], &call));
}

static void test_trail_calls_of_two_threads_overlap(void **state)
{
    kit_call calls[3] = {sample_call(), sample_call(), sample_call()};

    (void)state;
    calls[1].thread = 8;
    calls[1].begin = 9;
    calls[1].end = 12;
    calls[2].process = 1;
    /* One call ends at the moment when the other begins. */
    assert_false(kit_trail_overlaps(calls, 3));
    calls[1].begin = 8;
    assert_true(kit_trail_overlaps(calls, 3));
    calls[1].thread = 7;
    assert_false(kit_trail_overlaps(calls, 3));
    calls[1].thread = 8;
    strcpy(calls[1].name, "Open");
    assert_false(kit_trail_overlaps(calls, 3));
}

static void test_trail_hosts_are_named_once(void **state)
{
    static const char text[] = "Open\t1\t2\ta.exe\tS-1\t0\t0\t1\t2\t3\t0\t-\r\n"
                               "broken\n"
                               "Collect\t1\t2\ta.exe\tS-1\t0\t0\t1\t2\t3\t0\t\"1\"\n"
                               "Collect\t1\t2\tb.exe\tS-1\t3\t0\t1\t2\t3\t0\t\"1\"";
    kit_call calls[3];
    char hosts[100];

    (void)state;
    assert_int_equal(kit_trail_parse_all(text, calls, 1), 3);
    assert_int_equal(kit_trail_parse_all(text, calls, 3), 3);
    assert_int_equal(kit_trail_count(calls, 3, "Collect"), 2);
    kit_trail_hosts(calls, 3, hosts, sizeof hosts);
    assert_string_equal(hosts, "a.exe S-1 session 0; b.exe S-1 session 3");
    kit_trail_hosts(calls, 0, hosts, sizeof hosts);
    assert_string_equal(hosts, "");
}

/* ---- Tables of values ---- */

static const char printed[] =
    "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\System\\Threads\",\"\\\\PC\\A(\"\"x\"\")\\B\"\r\n"
    "\"01/02/2026 10:00:00.000\",\"17.500000\",\" \"\r\n"
    "\"01/02/2026 10:00:01.000\",\"18.250000\",\"-3.000000\"\r\n"
    "Exiting, please wait...\r\n";

static void test_csv_last_value_of_a_path(void **state)
{
    double value = 0;

    (void)state;
    assert_true(kit_csv_last(printed, "\\System\\threads", &value));
    assert_true(value == 18.25);
    assert_true(kit_csv_last(printed, "\\\\other\\A(\"x\")\\B", &value));
    assert_true(value == -3);
    assert_false(kit_csv_last(printed, "\\System\\Thread", &value));
    assert_false(kit_csv_last(printed, "\\System\\Threads2", &value));
    assert_false(kit_csv_last("", "\\System\\Threads", &value));
}

static void test_csv_with_decimal_commas(void **state)
{
    static const char german[] = "\"(PDH-CSV 4.0)\";\"\\\\PC\\System\\Threads\";\"\\\\PC\\A\\B\"\n"
                                 "\"02.01.2026 10:00:00,000\";\"17,500000\";\"1,25\"\n";
    static const char mixed[] = "\"(PDH-CSV 4.0)\",\"\\\\PC\\System\\Threads\"\n"
                                "\"02.01.2026 10:00:00,000\",\"17,500000\"\n";
    double value = 0;

    (void)state;
    assert_true(kit_csv_last(german, "\\System\\Threads", &value));
    assert_true(value == 17.5);
    assert_true(kit_csv_last(german, "\\A\\B", &value));
    assert_true(value == 1.25);
    assert_true(kit_csv_last(mixed, "\\System\\Threads", &value));
    assert_true(value == 17.5);
}

static void test_csv_no_value_is_none(void **state)
{
    static const char *const fields[] = {"", " ", "-", "x", "nan", "1.2.3", "1,000,000.5", "-1"};
    double value;

    (void)state;
    for (size_t i = 0; i + 1 < sizeof fields / sizeof fields[0]; i++)
        assert_false(kit_csv_value(fields[i], &value));
    assert_true(kit_csv_value("-1", &value));
    assert_false(kit_csv_last("\"t\",\"\\A\\B\"\n\"1\",\"5\"\n\"2\",\" \"\n", "\\A\\B", &value));
}

static void test_csv_broken_lines_have_no_fields(void **state)
{
    char field[4];

    (void)state;
    assert_false(kit_csv_field("a,b", 1, field, sizeof field));
    assert_false(kit_csv_field("\"a\" \"b\"", 1, field, sizeof field));
    assert_false(kit_csv_field("\"a\",\"b", 1, field, sizeof field));
    assert_false(kit_csv_field("\"a\",\"b\n\"", 1, field, sizeof field));
    assert_false(kit_csv_field("\"abcd\"", 0, field, sizeof field));
    assert_true(kit_csv_field("\"a\"\"c\"", 0, field, sizeof field));
    assert_string_equal(field, "a\"c");
}

/* In other languages only the order of columns is known. */
static void test_csv_last_value_by_its_place(void **state)
{
    static const char text[] =
        "\"(PDH-CSV 4.0)\",\"\\\\PC\\Speicher\\Zusagegrenze\",\"\\\\PC\\x\\y\"\r\n"
        "\"11/23/2026 01:02:03.004\",\"1,5\",\"2.0\"\r\n"
        "\"11/23/2026 01:02:04.004\",\"3,5\",\" \"\r\n";
    double value = 0;

    (void)state;
    assert_int_equal(kit_csv_columns(text), 2);
    assert_int_equal(kit_csv_columns("The command completed successfully.\r\n"), 0);
    assert_true(kit_csv_last_at(text, 1, &value));
    assert_true(value == 3.5);
    assert_false(kit_csv_last_at(text, 2, &value)); /* the text in this field is not a value */
    assert_false(kit_csv_last_at(text, 3, &value));
    assert_false(kit_csv_last_at("", 1, &value));
}

static void test_values_agree_within_a_part(void **state)
{
    (void)state;
    assert_true(kit_values_agree(100, 110, 0.1));
    assert_false(kit_values_agree(100, 112, 0.1));
    assert_true(kit_values_agree(0, 0, 0));
    assert_false(kit_values_agree(0, 1, 0.5));
    assert_true(kit_values_agree(-5, -5, 0));
    assert_false(kit_values_agree(-5, 5, 0.5));
}

/* ---- Events ---- */

/* Entries by "Event schema elements", in the form that wevtutil prints. One has EventData, one has
 * UserData. */
static const char some_events[] =
    "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System>"
    "<Provider Name='Microsoft-Windows-Perflib' Guid='{13b197bd-7cee-4b4e-8dd0-59314ce374ce}' "
    "EventSourceName='Perflib'/><EventID Qualifiers='49152'>1008</EventID><Version>0</Version>"
    "<Level>2</Level><TimeCreated SystemTime='2026-11-23T01:02:03.4Z'/>"
    "<EventRecordID>4711</EventRecordID><Channel>Application</Channel></System><UserData>"
    "<EventXML xmlns='Perflib'><param1>BITS</param1><param2>C:\\a &amp; b.dll</param2>"
    "</EventXML></UserData></Event>\r\n"
    "<Event xmlns=\"http://schemas.microsoft.com/win/2004/08/events/event\"><System>"
    "<Provider Name=\"PrfData PrfDataKit\"/><EventID>2001</EventID><Level>3</Level>"
    "<EventRecordID>4712</EventRecordID></System><EventData><Data>one</Data>\r\n"
    "<Data Name='x'>two</Data></EventData></Event>";

static void test_events_one_by_one(void **state)
{
    kit_event event;
    const char *at = kit_event_next(some_events, &event);
    char counts[100];

    (void)state;
    assert_non_null(at);
    assert_string_equal(event.source, "Microsoft-Windows-Perflib");
    assert_string_equal(event.time, "2026-11-23T01:02:03.4Z");
    assert_string_equal(event.data, "BITS C:\\a & b.dll");
    assert_int_equal(event.id, 1008);
    assert_int_equal(event.level, 2);
    assert_int_equal(event.record, 4711);
    assert_false(kit_event_is_own(&event));
    at = kit_event_next(at, &event);
    assert_non_null(at);
    assert_string_equal(event.source, "PrfData PrfDataKit");
    assert_string_equal(event.data, "one two");
    assert_int_equal(event.record, 4712);
    assert_string_equal(event.time, "");
    assert_true(kit_event_is_own(&event));
    assert_null(kit_event_next(at, &event));
    kit_event_counts(some_events, counts, sizeof counts);
    assert_string_equal(counts, "1008 x 1, 2001 x 1");
    kit_event_counts("", counts, sizeof counts);
    assert_string_equal(counts, "none");
}

/* A part that an entry lacks is not read from the next entry. */
static void test_events_without_anything(void **state)
{
    char text[sizeof some_events + 40];
    kit_event event;

    (void)state;
    snprintf(text, sizeof text, "<Event ><System></System></Event>%s", some_events);
    assert_non_null(kit_event_next(text, &event));
    assert_string_equal(event.source, "");
    assert_string_equal(event.data, "");
    assert_int_equal(event.id, 0);
    assert_int_equal(event.record, 0);
}

/* A text that was cut anywhere has at most two entries, and nothing is read after the cut. */
static void test_events_cut_anywhere(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof some_events; length++) {
        char *text = calloc(1, length + 1);
        const char *at = text;
        unsigned count = 0;
        kit_event event;

        assert_non_null(text);
        memcpy(text, some_events, length);
        while ((at = kit_event_next(at, &event)) != NULL)
            count++;
        assert_true(count <= 2);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_without_asking_all_fail),
        cmocka_unit_test(test_answers_each_question_has_one_line),
        cmocka_unit_test(test_answers_own_files_are_told_from_others),
        cmocka_unit_test(test_answers_what_is_relied_upon_is_said),
        cmocka_unit_test(test_answers_long_details_are_cut),
        cmocka_unit_test(test_answers_of_another_process_are_taken_over),
        cmocka_unit_test(test_answers_the_reason_is_said),
        cmocka_unit_test(test_questions_relied_upon_are_promised),
        cmocka_unit_test(test_answers_last_page_says_what_was_kept),
        cmocka_unit_test(test_questions_end_with_a_question_mark),
        cmocka_unit_test(test_questions_have_a_theme_in_the_page),
        cmocka_unit_test(test_questions_stand_in_the_page),
        cmocka_unit_test(test_trail_line_is_read_back),
        cmocka_unit_test(test_trail_no_text_differs_from_an_empty_one),
        cmocka_unit_test(test_trail_line_never_exceeds_its_buffer),
        cmocka_unit_test(test_trail_other_lines_are_dropped),
        cmocka_unit_test(test_trail_calls_of_two_threads_overlap),
        cmocka_unit_test(test_trail_hosts_are_named_once),
        cmocka_unit_test(test_csv_last_value_of_a_path),
        cmocka_unit_test(test_csv_with_decimal_commas),
        cmocka_unit_test(test_csv_no_value_is_none),
        cmocka_unit_test(test_csv_broken_lines_have_no_fields),
        cmocka_unit_test(test_csv_last_value_by_its_place),
        cmocka_unit_test(test_values_agree_within_a_part),
        cmocka_unit_test(test_events_one_by_one),
        cmocka_unit_test(test_events_without_anything),
        cmocka_unit_test(test_events_cut_anywhere),
    };

    return cmocka_run_group_tests_name("kit_text", tests, NULL, NULL);
}
