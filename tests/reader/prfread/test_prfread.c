/* SPDX-License-Identifier: MIT */
/* Tests the real prfread.exe with the provider of providers/fixed.c, which it reads through the
 * system. All of its output is compared; time stamps are masked and the computer is called PC. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include <prfdata/map.h>
#include <prfdata/version.h>

#include "support/program_run.h"
#include "support/reader/mask_times.h"
#include "support/service.h"

#define FIRST_COUNTER 7710000

/* The objects of providers/fixed.c in the same order. Only names and order matter here. */
PRFDATA_DEFINE_OBJECT(LONE, 1);
PRFDATA_DEFINE_COUNTER(LONE_LEVEL, 2);
PRFDATA_DEFINE_COUNTER(LONE_PERCENT, 3);
PRFDATA_DEFINE_COUNTER(LONE_PERCENT_BASE, 4);
PRFDATA_DEFINE_COUNTER(LONE_MULTI, 5);
PRFDATA_DEFINE_COUNTER(LONE_MULTI_BASE, 6);
PRFDATA_DEFINE_OBJECT(PARENTS, 10);
PRFDATA_DEFINE_COUNTER(PARENTS_LEVEL, 11);
PRFDATA_DEFINE_COUNTER(PARENTS_DELTA, 12);
PRFDATA_DEFINE_COUNTER(PARENTS_RATE, 13);
PRFDATA_DEFINE_COUNTER(PARENTS_AVERAGE, 14);
PRFDATA_DEFINE_COUNTER(PARENTS_AVERAGE_BASE, 15);
PRFDATA_DEFINE_COUNTER(PARENTS_BACKWARDS, 16);
PRFDATA_DEFINE_COUNTER(PARENTS_ELAPSED, 17);
PRFDATA_DEFINE_COUNTER(PARENTS_NOTHING, 18);
PRFDATA_DEFINE_OBJECT(CHILDREN, 20);
PRFDATA_DEFINE_COUNTER(CHILDREN_LEVEL, 21);
PRFDATA_DEFINE_OBJECT(EMPTY, 30);
PRFDATA_DEFINE_COUNTER(EMPTY_LEVEL, 31);

#define OBJECT(id, name, counter, instances)                                                       \
    PRFDATA_MAP_OBJ(id, name, L"Of a test.", PERF_DETAIL_NOVICE, counter, instances, 20)
#define COUNTER(id, name, type)                                                                    \
    PRFDATA_MAP_CTR(id, name, L"Of a test.", PERF_DETAIL_NOVICE, 0, type)

PRFDATA_MAP_BEGIN_AS(fixed_map)
OBJECT(LONE, L"Fixed Lone", LONE_LEVEL, PERF_NO_INSTANCES)
COUNTER(LONE_LEVEL, L"Level", PERF_COUNTER_LARGE_RAWCOUNT)
COUNTER(LONE_PERCENT, L"% Used", PERF_RAW_FRACTION)
COUNTER(LONE_PERCENT_BASE, L"% Used Base", PERF_RAW_BASE)
COUNTER(LONE_MULTI, L"% Multi", PERF_COUNTER_MULTI_TIMER)
COUNTER(LONE_MULTI_BASE, L"% Multi Base", PERF_COUNTER_MULTI_BASE)
OBJECT(PARENTS, L"Fixed Parents", PARENTS_LEVEL, 3)
COUNTER(PARENTS_LEVEL, L"Level", PERF_COUNTER_RAWCOUNT)
COUNTER(PARENTS_DELTA, L"Delta", PERF_COUNTER_LARGE_DELTA)
COUNTER(PARENTS_RATE, L"Jobs/sec", PERF_COUNTER_BULK_COUNT)
COUNTER(PARENTS_AVERAGE, L"Bytes per Job", PERF_AVERAGE_BULK)
COUNTER(PARENTS_AVERAGE_BASE, L"Bytes per Job Base", PERF_AVERAGE_BASE)
COUNTER(PARENTS_BACKWARDS, L"Backwards", PERF_COUNTER_DELTA)
COUNTER(PARENTS_ELAPSED, L"Elapsed", PERF_ELAPSED_TIME)
COUNTER(PARENTS_NOTHING, L"Nothing", PERF_COUNTER_NODATA)
OBJECT(CHILDREN, L"Fixed Children", CHILDREN_LEVEL, 2)
COUNTER(CHILDREN_LEVEL, L"Level", PERF_COUNTER_RAWCOUNT)
OBJECT(EMPTY, L"Fixed Empty", EMPTY_LEVEL, 2)
COUNTER(EMPTY_LEVEL, L"Level", PERF_COUNTER_RAWCOUNT)
PRFDATA_MAP_END_AS(fixed_map, "PrfDataFixed")

static prfdata_test_service service;
static char computer[64];

/* ---- Running prfread ---- */

/* Replace every `from` by the shorter or equally long `to`. */
static void replace(char *text, const char *from, const char *to)
{
    size_t from_length = strlen(from);
    size_t to_length = strlen(to);

    while (from_length > 0 && (text = strstr(text, from)) != NULL) {
        memcpy(text, to, to_length);
        memmove(text + to_length, text + from_length, strlen(text + from_length) + 1);
        text += to_length;
    }
}

static void mask(char *text)
{
    char host[80];

    snprintf(host, sizeof host, "\\\\%s\\", computer);
    replace(text, host, "\\\\PC\\");
    mask_times(text);
}

static void finish(program_run *run)
{
    program_run_finish(run);
    mask(run->out);
    mask(run->err);
}

static program_run prfread(const char *arguments)
{
    program_run run;

    program_run_start(&run, "prfread", arguments, 0);
    finish(&run);
    return run;
}

static void expect(const char *arguments, int exit_code, const char *out, const char *err)
{
    program_run r = prfread(arguments);

    if (strcmp(r.out, out) != 0)
        print_message("%s printed:\n%s", arguments, r.out);
    assert_string_equal(r.out, out);
    if (strcmp(r.err, err) != 0)
        print_message("%s said:\n%s", arguments, r.err);
    assert_string_equal(r.err, err);
    assert_int_equal(r.exit_code, exit_code);
    program_run_free(&r);
}

static void expect_parts(const char *arguments, int exit_code, const char *const *parts,
                         size_t count)
{
    program_run r = prfread(arguments);

    program_run_check(&r, exit_code, parts, count);
    program_run_free(&r);
}

#define EXPECT_PARTS(arguments, exit_code, ...)                                                    \
    do {                                                                                           \
        static const char *const parts_[] = {__VA_ARGS__};                                         \
                                                                                                   \
        expect_parts(arguments, exit_code, parts_, sizeof parts_ / sizeof parts_[0]);              \
    } while (0)

/* ---- Listing ---- */

static void test_prfread_q_lists_counters_of_object(void **state)
{
    (void)state;
    expect("-q \"fixed parents\"", 0,
           "\\Fixed Parents(*)\\Level\r\n"
           "\\Fixed Parents(*)\\Delta\r\n"
           "\\Fixed Parents(*)\\Jobs/sec\r\n"
           "\\Fixed Parents(*)\\Bytes per Job\r\n"
           "\\Fixed Parents(*)\\Backwards\r\n"
           "\\Fixed Parents(*)\\Elapsed\r\n",
           "");
    expect("/Q \"Fixed Lone\"", 0,
           "\\Fixed Lone\\Level\r\n"
           "\\Fixed Lone\\% Used\r\n"
           "\\Fixed Lone\\% Multi\r\n"
           "\\Fixed Lone\\7710050\r\n",
           "");
}

static void test_prfread_q_without_object_lists_all(void **state)
{
    (void)state;
    EXPECT_PARTS("-q", 0, "\\Fixed Lone\\Level\r\n", "\\Fixed Parents(*)\\Level\r\n",
                 "\\Fixed Children(*)\\Level\r\n", "\\Fixed Empty(*)\\Level\r\n");
}

/* The provider of the children does not send their parents, so prfread also asks for the
 * parents. */
static void test_prfread_qx_lists_instances_with_parents(void **state)
{
    (void)state;
    expect("-qx \"Fixed Children\"", 0,
           "\\Fixed Children(Alpha/x)\\Level\r\n"
           "\\Fixed Children(Beta/y)\\Level\r\n",
           "");
    EXPECT_PARTS("-qx \"Fixed Parents\"", 0,
                 "\\Fixed Parents(Alpha)\\Level\r\n\\Fixed Parents(Beta)\\Level\r\n"
                 "\\Fixed Parents(Beta#1)\\Level\r\n\\Fixed Parents(Alpha)\\Delta\r\n");
    expect("-qx \"Fixed Empty\"", 0, "\\Fixed Empty(*)\\Level\r\n", "");
}

static void test_prfread_q_unknown_object_named(void **state)
{
    (void)state;
    expect("-q Nonsense", 1, "",
           "Error: Nonsense: no object has this name; -q lists all objects\r\nError: No valid "
           "counters.\r\n");
    expect("-q Nonsense \"Fixed Empty\"", 3, "\\Fixed Empty(*)\\Level\r\n",
           "Error: Nonsense: no object has this name; -q lists all objects\r\n");
}

/* ---- Values ---- */

static void test_prfread_csv_like_typeperf(void **state)
{
    (void)state;
    expect("\"\\Fixed Lone\\Level\" \"\\fixed lone\\% used\" -sc 2 -si 0.05", 0,
           "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Fixed Lone\\Level\",\"\\\\PC\\Fixed Lone\\% Used\"\r\n"
           "\"TIME\",\"-42.000000\",\"25.000000\"\r\n"
           "\"TIME\",\"-42.000000\",\"25.000000\"\r\n",
           "");
}

/* The first sample only serves to compute differences, so the first printed row has them. */
static void test_prfread_csv_all_counters_of_one_instance(void **state)
{
    (void)state;
    expect(
        "\"\\Fixed Parents(Beta#1)\\*\" -sc 1 -si 0.05", 0,
        "\r\n\"(PDH-CSV 4.0)\""
        ",\"\\\\PC\\Fixed Parents(Beta#1)\\Level\""
        ",\"\\\\PC\\Fixed Parents(Beta#1)\\Delta\""
        ",\"\\\\PC\\Fixed Parents(Beta#1)\\Jobs/sec\""
        ",\"\\\\PC\\Fixed Parents(Beta#1)\\Bytes per Job\""
        ",\"\\\\PC\\Fixed Parents(Beta#1)\\Backwards\""
        ",\"\\\\PC\\Fixed Parents(Beta#1)\\Elapsed\"\r\n"
        "\"TIME\",\"102.000000\",\"3.000000\",\"0.000000\",\"75.000000\",\"-1\",\"2.700000\"\r\n",
        "Warning: \\\\PC\\Fixed Parents(Beta#1)\\Backwards: the counter decreased "
        "(PDH_CALC_NEGATIVE_VALUE 0x800007D8)\r\n");
}

static void test_prfread_csv_wildcard_expands_to_instances(void **state)
{
    (void)state;
    expect("\"\\Fixed Parents(*)\\Bytes per Job\" -sc 2 -si 0.05", 0,
           "\r\n\"(PDH-CSV 4.0)\""
           ",\"\\\\PC\\Fixed Parents(Alpha)\\Bytes per Job\""
           ",\"\\\\PC\\Fixed Parents(Beta)\\Bytes per Job\""
           ",\"\\\\PC\\Fixed Parents(Beta#1)\\Bytes per Job\"\r\n"
           "\"TIME\",\"-1\",\"150.000000\",\"75.000000\"\r\n"
           "\"TIME\",\"-1\",\"150.000000\",\"75.000000\"\r\n",
           "Warning: \\\\PC\\Fixed Parents(Alpha)\\Bytes per Job: no operations in this interval "
           "(PDH_NO_DATA 0x800007D5)\r\n");
    expect("\"\\Fixed Parents(al*)\\Level\" -sc 1 -si 0.05", 0,
           "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Fixed Parents(Alpha)\\Level\"\r\n"
           "\"TIME\",\"100.000000\"\r\n",
           "");
}

static void test_prfread_csv_child_by_parent(void **state)
{
    (void)state;
    expect("\"\\\\localhost\\Fixed Children(beta/Y)\\Level\" -sc 1 -si 0.05", 0,
           "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Fixed Children(Beta/y)\\Level\"\r\n"
           "\"TIME\",\"11.000000\"\r\n",
           "");
}

static void test_prfread_csv_by_title_index(void **state)
{
    (void)state;
    expect("\"\\7710000\\7710002\" -sc 1 -si 0.05", 0,
           "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Fixed Lone\\Level\"\r\n"
           "\"TIME\",\"-42.000000\"\r\n",
           "");
}

static void test_prfread_csv_multi_timer_and_text(void **state)
{
    (void)state;
    expect("\"\\Fixed Lone\\% Multi\" \"\\Fixed Lone\\7710050\" -sc 2 -si 0.05", 0,
           "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Fixed Lone\\% Multi\""
           ",\"\\\\PC\\Fixed Lone\\7710050\"\r\n"
           "\"TIME\",\"0.000000\",\"on \"\"A\"\"\"\r\n"
           "\"TIME\",\"0.000000\",\"on \"\"A\"\"\"\r\n",
           "");
}

/* The reply does not fit into prfread's first buffer. The system then returns ERROR_MORE_DATA, but
 * not the size of the reply. */
static void test_prfread_large_reply_read_whole(void **state)
{
    program_run r = prfread("-qx 7719100");
    unsigned lines = 0;

    (void)state;
    for (const char *at = r.out; (at = strstr(at, "\r\n")) != NULL; at++)
        lines++;
    assert_int_equal(lines, 2000);
    assert_int_equal(r.exit_code, 0);
    program_run_free(&r);
    expect("\"\\7719100(n1999)\\7719102\" -sc 1 -si 0.05", 0,
           "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\7719100(n1999)\\7719102\"\r\n"
           "\"TIME\",\"1999.000000\"\r\n",
           "");
}

static void test_prfread_tsv_with_statistics(void **state)
{
    (void)state;
    expect(
        "\"\\Fixed Lone\\Level\" \"\\Fixed Lone\\% Used\" -f TSV -stats -sc 2 -si 0.05", 0,
        "\r\n\"(PDH-TSV 4.0)\"\t\"\\\\PC\\Fixed Lone\\Level\"\t\"\\\\PC\\Fixed Lone\\% Used\"\r\n"
        "\"TIME\"\t\"-42.000000\"\t\"25.000000\"\r\n"
        "\"TIME\"\t\"-42.000000\"\t\"25.000000\"\r\n"
        "\r\n\"(Statistics)\"\t\"\\\\PC\\Fixed Lone\\Level\"\t\"\\\\PC\\Fixed Lone\\% Used\"\r\n"
        "\"Values\"\t\"2\"\t\"2\"\r\n"
        "\"Skipped\"\t\"0\"\t\"0\"\r\n"
        "\"Minimum\"\t\"-42\"\t\"25\"\r\n"
        "\"Maximum\"\t\"-42\"\t\"25\"\r\n"
        "\"Mean\"\t\"-42\"\t\"25\"\r\n"
        "\"Time-weighted mean\"\t\"-42\"\t\"25\"\r\n"
        "\"End-to-end mean\"\t\"-42\"\t\"25\"\r\n",
        "");
}

static void test_prfread_json_line_per_sample(void **state)
{
    program_run r = prfread("\"\\Fixed Lone\\Level\" -f json -sc 2 -si 0.05");
    char *second;

    (void)state;
    assert_int_equal(r.exit_code, 0);
    assert_string_equal(r.err, "");
    second = strstr(r.out, "\n");
    assert_non_null(second);
    assert_non_null(strstr(second, "\"CookedValue\":-42,\"RawValue\":-42,\"SecondValue\":0,"
                                   "\"MultipleCount\":1,\"CounterType\":{\"Number\":65792,"
                                   "\"Name\":\"PERF_COUNTER_LARGE_RAWCOUNT\"}"));
    assert_non_null(strstr(second, "\"Path\":\"\\\\\\\\PC\\\\Fixed Lone\\\\Level\","));
    assert_null(strchr(r.out, '\r'));
    assert_string_equal(strchr(second + 1, '\n'), "\n");
    program_run_free(&r);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
    HANDLE file = CreateFileA(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    DWORD written = 0;

    assert_true(file != INVALID_HANDLE_VALUE);
    assert_true(WriteFile(file, bytes, (DWORD)size, &written, NULL));
    assert_int_equal(written, size);
    CloseHandle(file);
}

/* Windows PowerShell writes files in UTF-16 with a byte order mark, and so did old versions of
 * Notepad if the user chose Unicode. */
static void test_prfread_cf_reads_utf16_and_names_lines(void **state)
{
    static const WCHAR text[] = L"\xFEFF\\Fixed Lone\\Level\r\n\r\n\\Fixed Lone\\Depth\r\n";
    char path[MAX_PATH];
    char arguments[400];
    char line[400];
    program_run r;

    (void)state;
    program_run_temporary_path("paths.txt", path);
    write_bytes(path, text, sizeof text - sizeof text[0]);
    snprintf(arguments, sizeof arguments, "-cf \"%s\" -sc 1 -si 0.05", path);
    r = prfread(arguments);
    assert_int_equal(r.exit_code, 3);
    assert_non_null(strstr(r.out, "\"TIME\",\"-42.000000\"\r\n"));
    snprintf(line, sizeof line,
             "Error: %s: line 3: \\Fixed Lone\\Depth: the object has no such counter\r\n", path);
    assert_string_equal(r.err, line);
    program_run_free(&r);
    DeleteFileA(path);
}

static void test_prfread_config_gives_options(void **state)
{
    static const char text[] = "[si]\r\n0.05\r\n[sc]\r\n7\r\n[f]\r\nTSV\r\n[c]\r\n"
                               "\\Fixed Lone\\Level\r\n";
    static const char *const wrong[][2] = {
        {"[si]\r\nsoon\r\n", "line 2: soon: -si takes"},
        {"[c]\r\n\\A\\B\r\n[config]\r\nother\r\n", "line 4: a settings file cannot"},
        {"[c]\r\n\\A\\B\r\n[parts]\r\n", "line 3: -parts: needs -serve"},
        {"[c]\r\n\r\n\\Nowhere\\Level\r\n", "line 3: \\Nowhere\\Level: no object"},
    };
    char path[MAX_PATH];
    char arguments[400];
    char line[400];
    program_run r;

    (void)state;
    program_run_temporary_path("settings.txt", path);
    write_bytes(path, text, sizeof text - 1);
    snprintf(arguments, sizeof arguments, "-config \"%s\" -sc 1", path);
    expect(arguments, 0,
           "\r\n\"(PDH-TSV 4.0)\"\t\"\\\\PC\\Fixed Lone\\Level\"\r\n"
           "\"TIME\"\t\"-42.000000\"\r\n",
           "");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        write_bytes(path, wrong[i][0], strlen(wrong[i][0]));
        r = prfread(arguments);
        assert_int_not_equal(r.exit_code, 0);
        snprintf(line, sizeof line, "Error: %s: %s", path, wrong[i][1]);
        if (strncmp(r.err, line, strlen(line)) != 0)
            fail_msg("%s: %s", line, r.err);
        program_run_free(&r);
    }
    DeleteFileA(path);
}

static void test_prfread_q_into_a_file(void **state)
{
    char path[MAX_PATH];
    char arguments[400];
    char *text;

    (void)state;
    program_run_temporary_path("list.txt", path);
    snprintf(arguments, sizeof arguments, "-q \"Fixed Children\" -o \"%s\" -y", path);
    expect(arguments, 0, "", "");
    text = program_run_read_file(path);
    assert_string_equal(text, "\\Fixed Children(*)\\Level\r\n");
    free(text);
    DeleteFileA(path);
}

/* One instance comes and another one goes with each sample. */
static void test_prfread_wildcard_is_asked_again_with_each_sample(void **state)
{
    (void)state;
    expect("\"\\7719200(*)\\7719202\" -sc 2 -si 0.05", 0,
           "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\7719200(stays)\\7719202\""
           ",\"\\\\PC\\7719200(round1)\\7719202\",\"\\\\PC\\7719200(round2)\\7719202\"\r\n"
           "\"TIME\",\"20.000000\",\"-1\",\"21.000000\"\r\n"
           "\"(PDH-CSV 4.0)\",\"\\\\PC\\7719200(stays)\\7719202\""
           ",\"\\\\PC\\7719200(round1)\\7719202\",\"\\\\PC\\7719200(round2)\\7719202\""
           ",\"\\\\PC\\7719200(round3)\\7719202\"\r\n"
           "\"TIME\",\"30.000000\",\"-1\",\"-1\",\"31.000000\"\r\n",
           "Note: 1 new: \\\\PC\\7719200(round2)\\7719202\r\n"
           "Warning: \\\\PC\\7719200(round1)\\7719202: the instance is not available now "
           "(PDH_CSTATUS_NO_INSTANCE 0x800007D1)\r\n"
           "Note: 1 new: \\\\PC\\7719200(round3)\\7719202\r\n"
           "Warning: \\\\PC\\7719200(round2)\\7719202: the instance is not available now "
           "(PDH_CSTATUS_NO_INSTANCE 0x800007D1)\r\n");
}

/* ---- Errors ---- */

static void test_prfread_bad_paths_do_not_stop_the_others(void **state)
{
    (void)state;
    expect(
        "\"Level\" \"\\Fixed Lone\\Level\" \"\\Fixed Parents(Gamma)\\Level\" "
        "\"\\Fixed Parents\\Level\" \"\\Fixed Lone(*)\\Level\" \"\\Fixed Lone\\Depth\" "
        "\"\\Fixed Empty(*)\\Level\" \"\\Nonsense\\Level\" \"\\\\elsewhere\\Fixed Lone\\Level\" "
        "-sc 1 -si 0.05",
        3,
        "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Fixed Lone\\Level\"\r\n"
        "\"TIME\",\"-42.000000\"\r\n",
        "Error: Level: character 1: a counter path begins with a backslash: \\Object\\Counter\r\n"
        "Error: \\Nonsense\\Level: no object has this name; -q lists all objects\r\n"
        "Error: \\\\elsewhere\\Fixed Lone\\Level: counters of another computer are "
        "read with -s, those of one computer at a time\r\n"
        "Error: \\Fixed Parents(Gamma)\\Level: the object has no such instance now\r\n"
        "Error: \\Fixed Parents\\Level: the object has instances: name one or *, as in "
        "\\Object(*)\\Counter\r\n"
        "Error: \\Fixed Lone(*)\\Level: the object has no instances: write \\Object\\Counter\r\n"
        "Error: \\Fixed Lone\\Depth: the object has no such counter\r\n"
        "Error: \\Fixed Empty(*)\\Level: the object has no such instance now\r\n");
}

static void test_prfread_only_bad_paths_is_no_valid_counters(void **state)
{
    (void)state;
    expect("\"\\Nonsense\\Level\" -sc 1", 1, "",
           "Error: \\Nonsense\\Level: no object has this name; -q lists all objects\r\n"
           "Error: No valid counters.\r\n");
}

static void test_prfread_wrong_command_line_is_refused(void **state)
{
    (void)state;
    EXPECT_PARTS("", 2, "Error: a counter path is missing\r\n", "prfread -?");
    EXPECT_PARTS("-frequency 3", 2, "Error: -frequency: no such option\r\n");
    EXPECT_PARTS("\\a\\b -si 0", 2, "Error: 0: -si takes");
    EXPECT_PARTS("-q -stats", 2, "Error: -stats: cannot be used with -q, -qx or -dump");
}

static void test_prfread_help_is_data(void **state)
{
    (void)state;
    EXPECT_PARTS("-version", 0, "prfread " PRFDATA_VERSION "\n");
    EXPECT_PARTS("-?", 0, "prfread -q", "prfread -? exit");
    EXPECT_PARTS("/? Exit", 0, "No valid counters");
    EXPECT_PARTS("-? nonsense", 2, "Error: nonsense: no help topic");
}

/* ---- Files ---- */

static void test_prfread_o_writes_file_with_time_zone(void **state)
{
    TIME_ZONE_INFORMATION zone;
    bool daylight = GetTimeZoneInformation(&zone) == TIME_ZONE_ID_DAYLIGHT;
    char path[MAX_PATH];
    char arguments[600];
    char expected[600];
    char *text;

    (void)state;
    program_run_temporary_path("log.csv", path);
    DeleteFileA(path);
    snprintf(arguments, sizeof arguments,
             "\"\\Fixed Parents(Alpha)\\Bytes per Job\" \"\\Fixed Lone\\Level\" -sc 1 -si 0.05 -o "
             "\"%s\"",
             path);
    EXPECT_PARTS(arguments, 0, "no operations in");
    text = program_run_read_file(path);
    mask(text);
    snprintf(expected, sizeof expected,
             "\"(PDH-CSV 4.0) (%ls)(%ld)\",\"\\\\PC\\Fixed Parents(Alpha)\\Bytes per "
             "Job\",\"\\\\PC\\Fixed Lone\\Level\"\r\n"
             "\"TIME\",\" \",\"-42\"\r\n",
             daylight ? zone.DaylightName : zone.StandardName,
             zone.Bias + (daylight ? zone.DaylightBias : zone.StandardBias));
    assert_string_equal(text, expected);
    free(text);

    EXPECT_PARTS(arguments, 4, "the file exists; -y overwrites it");
    text = program_run_read_file(path);
    mask(text);
    assert_string_equal(text, expected);
    free(text);

    strcat(arguments, " -y");
    EXPECT_PARTS(arguments, 0, "no operations in");
    DeleteFileA(path);
}

static void test_prfread_o_leaves_no_file_without_counters(void **state)
{
    char path[MAX_PATH];
    char arguments[400];

    (void)state;
    program_run_temporary_path("none.csv", path);
    snprintf(arguments, sizeof arguments, "\"\\Fixed Lone\\Depth\" -o \"%s\"", path);
    EXPECT_PARTS(arguments, 1, "No valid counters");
    assert_int_equal(GetFileAttributesA(path), INVALID_FILE_ATTRIBUTES);
}

/* ---- Ctrl+C ---- */

/* Without -sc prfread continues until it is stopped. Then it ends as it does after enough
 * samples. */
static void test_prfread_control_break_ends_cleanly(void **state)
{
    program_run r;
    size_t length;

    (void)state;
    program_run_start(&r, "prfread", "\"\\Fixed Lone\\Level\" -si 0.01", CREATE_NEW_PROCESS_GROUP);
    for (unsigned tries = 0; tries < 24000; tries++) { /* 4 minutes */
        char *text = program_run_read_file(r.out_file.path);
        bool has_row = strstr(text, "-42") != NULL;

        free(text);
        if (has_row)
            break;
        Sleep(10);
    }
    if (!GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, r.process.dwProcessId)) {
        TerminateProcess(r.process.hProcess, 77);
        finish(&r);
        program_run_free(&r);
        skip(); /* Wine without a terminal has no console */
    }
    finish(&r);
    length = strlen(r.out);
    assert_int_equal(r.exit_code, 0);
    assert_true(length > 2);
    assert_string_equal(r.out + length - 2, "\r\n");
    assert_string_equal(r.err, "");
    program_run_free(&r);
}

/* ---- Dump ---- */

static void test_prfread_dump_shows_fields_with_offsets(void **state)
{
    (void)state;
    EXPECT_PARTS("-dump \"Fixed Lone\"", 0, "PERF_DATA_BLOCK\r\n       0  Signature",
                 "      28  NumObjectTypes           1\r\n",
                 "ObjectNameTitleIndex     7710000 \"Fixed Lone\"\r\n",
                 "CounterType              0x00010100 PERF_COUNTER_LARGE_RAWCOUNT\r\n",
                 "value of 8 bytes         18446744073709551574 = 0xFFFFFFFFFFFFFFD6  Level\r\n",
                 "value of 4 bytes         4 = 0x00000004  (base)\r\n");
}

static void test_prfread_damaged_reply_shown_as_far_as_it_goes(void **state)
{
    (void)state;
    EXPECT_PARTS("-dump 7719000", 5, "ObjectNameTitleIndex     7719000\r\n", "\"whole\"",
                 "!! byte ", "PERF_COUNTER_BLOCK.ByteLength is 800, allowed is 4 to 8",
                 "Warning: a provider's data is damaged in 1 places, first at byte ");
    EXPECT_PARTS("\"\\7719000(*)\\7719002\" -sc 1 -si 0.05", 5,
                 "\r\n\"(PDH-CSV 4.0)\",\"\\\\PC\\7719000(whole)\\7719002\"\r\n"
                 "\"TIME\",\"1.000000\"\r\n");
}

/* ---- Our objects that no provider shows ---- */

#define ABSENT ": no provider has this object now: it belongs to the service PrfDataFixed, "
#define MORE   "; `my_installer -Status PrfDataFixed` says more\r\n"

static void expect_reason(const char *reason)
{
    char err[512];

    snprintf(err, sizeof err, "Error: Fixed Lone" ABSENT "%s" MORE "Error: No valid counters.\r\n",
             reason);
    expect("-q \"Fixed Lone\"", 1, "", err);
    snprintf(err, sizeof err,
             "Error: \\Fixed Lone\\Level" ABSENT "%s" MORE "Error: No valid counters.\r\n", reason);
    expect("\"\\Fixed Lone\\Level\" -sc 1", 1, "", err);
}

static void register_library(const char *name)
{
    char library[MAX_PATH + 40];

    snprintf(library, sizeof library, "%s%s", program_run_folder(), name);
    prfdata_test_service_set_text(&service, "Library", library);
}

static void test_prfread_absent_object_of_ours_says_why(void **state)
{
    (void)state;
    prfdata_test_service_set_text(&service, "Installer", "C:\\My Folder\\my_installer.exe");
    prfdata_test_service_delete_value(&service, "Library");
    expect_reason("which has no DLL registered");
    register_library("nowhere.dll");
    expect_reason("whose DLL is not there");
    register_library("test_prfread.exe"); /* it exports none of the functions */
    expect_reason("whose provider did not show it");
    prfdata_test_service_delete_value(&service, "First Counter");
    expect_reason("whose titles are not loaded");
    prfdata_test_service_set_number(&service, "Disable Performance Counters",
                                    sizeof(void *) == 8 ? 2 : 4); /* for the other bitness */
    expect_reason("whose titles are not loaded");
    prfdata_test_service_set_number(&service, "Disable Performance Counters", 1);
    expect_reason("which is disabled");
    prfdata_test_service_delete_value(&service, "Installer");
    expect("-q \"Fixed Lone\"", 1, "",
           "Error: Fixed Lone" ABSENT
           "which is disabled; `<its installer> -Status PrfDataFixed` says "
           "more\r\nError: No valid counters.\r\n");
    prfdata_test_service_delete_value(&service, "Disable Performance Counters");
    prfdata_test_service_set_number(&service, "First Counter", FIRST_COUNTER);
    register_library("prfdata-fixed.dll");
    EXPECT_PARTS("-q \"Fixed Empty\"", 0, "\\Fixed Empty");
}

/* ---- Start ---- */

static int install(void **state)
{
    DWORD chars = sizeof computer;

    (void)state;
    assert_true(GetComputerNameA(computer, &chars));
    prfdata_test_service_make(&service, "PrfDataFixed", &fixed_map, FIRST_COUNTER);
    register_library("prfdata-fixed.dll");
    prfdata_test_service_set_text(&service, "Open", "FixedOpen");
    prfdata_test_service_set_text(&service, "Collect", "FixedCollect");
    prfdata_test_service_set_text(&service, "Close", "FixedClose");
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    return prfdata_test_service_end(&service);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prfread_q_lists_counters_of_object),
        cmocka_unit_test(test_prfread_q_without_object_lists_all),
        cmocka_unit_test(test_prfread_qx_lists_instances_with_parents),
        cmocka_unit_test(test_prfread_q_unknown_object_named),
        cmocka_unit_test(test_prfread_csv_like_typeperf),
        cmocka_unit_test(test_prfread_csv_all_counters_of_one_instance),
        cmocka_unit_test(test_prfread_csv_wildcard_expands_to_instances),
        cmocka_unit_test(test_prfread_csv_child_by_parent),
        cmocka_unit_test(test_prfread_csv_by_title_index),
        cmocka_unit_test(test_prfread_csv_multi_timer_and_text),
        cmocka_unit_test(test_prfread_large_reply_read_whole),
        cmocka_unit_test(test_prfread_tsv_with_statistics),
        cmocka_unit_test(test_prfread_json_line_per_sample),
        cmocka_unit_test(test_prfread_cf_reads_utf16_and_names_lines),
        cmocka_unit_test(test_prfread_config_gives_options),
        cmocka_unit_test(test_prfread_q_into_a_file),
        cmocka_unit_test(test_prfread_wildcard_is_asked_again_with_each_sample),
        cmocka_unit_test(test_prfread_bad_paths_do_not_stop_the_others),
        cmocka_unit_test(test_prfread_only_bad_paths_is_no_valid_counters),
        cmocka_unit_test(test_prfread_wrong_command_line_is_refused),
        cmocka_unit_test(test_prfread_absent_object_of_ours_says_why),
        cmocka_unit_test(test_prfread_help_is_data),
        cmocka_unit_test(test_prfread_o_writes_file_with_time_zone),
        cmocka_unit_test(test_prfread_o_leaves_no_file_without_counters),
        cmocka_unit_test(test_prfread_control_break_ends_cleanly),
        cmocka_unit_test(test_prfread_dump_shows_fields_with_offsets),
        cmocka_unit_test(test_prfread_damaged_reply_shown_as_far_as_it_goes),
    };

    return cmocka_run_group_tests_name("prfread", tests, install, uninstall);
}
