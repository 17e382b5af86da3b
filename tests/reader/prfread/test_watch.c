/* SPDX-License-Identifier: MIT */
/* Tests prfread's output in rows without a system: samples come from a script, rows go to a file,
 * and messages are caught. tests/golden/watch.csv, .tsv and .json have the expected rows. */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* dup, setenv */
#endif
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#endif

#include <prfdata/error.h>

#include "os/ansi.h"
#include "os/files.h"
#include "os/stop.h"
#include "prfread/format.h"
#include "prfread/printer.h"
#include "prfread/watch.h"
#include "support/golden.h"
#include "support/reader/ascii_text.h"
#include "support/reader/mask_times.h"
#include "support/reader/wire.h"
#include "system/os.h"

/* ---- Samples ---- */

#define MAX_SAMPLES 6

typedef struct watch_script {
    prfdata_source source;
    wire blocks[MAX_SAMPLES]; /* if .used is 0, the source fails */
    size_t count;
    size_t next;
    char queries[400]; /* the queries so far: "100 200|100 200|" */
    size_t stops_at;   /* Ctrl+C comes after this many samples; 0: never */
} watch_script;

static uint32_t take_watch(prfdata_source *source, const uint16_t *query, void **bytes,
                           size_t *size)
{
    watch_script *self = (watch_script *)source;
    const wire *block = &self->blocks[self->next];
    size_t used = strlen(self->queries);

    if (self->next == self->count)
        return ERROR_NO_MORE_ITEMS;
    self->next++;
#ifndef _WIN32
    if (self->next == self->stops_at)
        raise(SIGINT);
#endif
    for (; *query; query++)
        self->queries[used++] = (char)*query;
    self->queries[used++] = '|';
    self->queries[used] = 0;
    if (block->used == 0)
        return ERROR_ACCESS_DENIED;
    *bytes = malloc(block->used);
    assert_non_null(*bytes);
    memcpy(*bytes, block->bytes, block->used);
    *size = block->used;
    return ERROR_SUCCESS;
}

static const prfdata_source_kind live = {take_watch, NULL, NULL, .is_recorded = false};
static const prfdata_source_kind recorded = {take_watch, NULL, NULL, .is_recorded = true};

/* Begin a block five seconds after the one before. run() ends the block. */
static wire *begin_sample(watch_script *s, uint32_t object_count)
{
    const uint32_t n = (uint32_t)s->count;
    wire *w = &s->blocks[s->count++];

    assert_in_range(s->count, 1, MAX_SAMPLES);
    wire_begin(w, object_count);
    wire_patch32(w, 48, 824u << 16 | (32 + 5 * n)); /* SystemTime: seconds, milliseconds */
    wire_patch32(w, 56, 50000000 * (n + 1));        /* PerfTime */
    return w;
}

typedef struct watch_job {
    const char *name;
    uint64_t done;
    uint32_t waiting;
} watch_job;

/* Put object 100, whose instances have BULK_COUNT 102 and RAWCOUNT 104. */
static void put_jobs(wire *w, const watch_job *jobs, uint32_t count)
{
    size_t object = wire_object(w, 100, 2, (int32_t)count, 0);

    wire_counter(w, 102, 0x10410500, 8, 8);
    wire_counter(w, 104, 0x00010000, 4, 16);
    for (uint32_t i = 0; i < count; i++) {
        size_t values;

        wire_instance(w, 0, 0, -1, jobs[i].name);
        values = wire_values(w);
        wire_put32(w, 0);
        wire_put64(w, jobs[i].done);
        wire_put32(w, jobs[i].waiting);
        wire_values_end(w, values);
    }
    wire_object_end(w, object);
}

/* Put object 300 without instances: LARGE_RAWCOUNT 302, TEXT 304 of 12 bytes, and a counter of an
 * unknown type. */
static void put_machine(wire *w, int64_t level, const char *text)
{
    size_t object = wire_object(w, 300, 3, -1, 0);
    size_t values;

    wire_counter(w, 302, 0x00010100, 8, 8);
    wire_counter(w, 304, 0x00000B00, 12, 16);
    wire_counter(w, 306, 0x0F0F0000, 4, 4);
    values = wire_values(w);
    wire_put32(w, 5);
    wire_put64(w, (uint64_t)level);
    for (size_t i = 0; i < 6; i++)
        wire_put16(w, i < strlen(text) ? (uint16_t)(unsigned char)text[i] : 0);
    wire_values_end(w, values);
    wire_object_end(w, object);
}

/* Put object 400 without instances: RAW_FRACTION 402 and its base. */
static void put_later(wire *w, uint32_t part, uint32_t whole)
{
    size_t object = wire_object(w, 400, 2, -1, 0);
    size_t values;

    wire_counter(w, 402, 0x20020400, 4, 4);
    wire_counter(w, 0, 0x40030403, 4, 8);
    values = wire_values(w);
    wire_put32(w, part);
    wire_put32(w, whole);
    wire_values_end(w, values);
    wire_object_end(w, object);
}

/* Put object 500 with RAWCOUNT 502, whose instance is a child of instance 0 of object 100. */
static void put_child(wire *w, const char *name)
{
    size_t object = wire_object(w, 500, 1, 1, 0);

    wire_counter(w, 502, 0x00010000, 4, 4);
    wire_instance(w, 100, 0, -1, name);
    wire_value32(w, 55);
    wire_object_end(w, object);
}

/* ---- A session ---- */

#define MAX_PATHS 8

typedef struct watch_fixture {
    watch_script script;
    prfdata_task task;
    prfdata_printer printer;
    prfdata_text names[MAX_PATHS];
    uint16_t chars[MAX_PATHS][80];
    uint16_t counter_file[300];
    char out_path[300];
    char err_path[300];
    char cf_path[300];
    char *out;
    char *err;
} watch_fixture;

static void ask(watch_fixture *f, const char *path)
{
    const size_t i = f->task.options.name_count++;

    assert_in_range(i, 0, MAX_PATHS - 1);
    f->names[i] = ascii_text(path, f->chars[i]);
}

static void make_temporary(char path[300], const char *name)
{
    const char *folder = getenv("TEMP");

    snprintf(path, 300, "%s/prfread-watch-%u-%s", folder ? folder : "/tmp",
             (unsigned)prfdata_os_process_id(), name);
}

static void name_titles(prfdata_name_table *table, const char *const *names)
{
    for (; names[0]; names += 2) {
        uint16_t chars[40];

        assert_int_equal(
            prfdata_name_table_add(table, (uint32_t)atoi(names[0]), ascii_text(names[1], chars)),
            0);
    }
}

static int begin(void **state)
{
    static const char *const names[] = {"100", "Jobs",    "102", "Done/sec", "104", "Waiting",
                                        "300", "Machine", "302", "Level",    "304", "Mood",
                                        "306", "Odd",     "400", "Later",    "402", "% Full",
                                        "500", "Steps",   "502", "Depth",    NULL};
    watch_fixture *f = calloc(1, sizeof *f);
    prfdata_session *s = &f->task.session;

    assert_non_null(f);
    f->script.source.kind = &live;
    prfdata_printer_init(&f->printer, NULL);
    s->messages = &f->printer.messages;
    s->source = &f->script.source;
    prfdata_options_init(&f->task.options, f->names);
    f->task.options.interval_ms = 1;
    f->task.options.format = &prfdata_format_csv;
    s->computer = ascii_text("PC", s->computer_chars);
    name_titles(&s->titles.english, names);
    make_temporary(f->out_path, "out");
    make_temporary(f->err_path, "err");
    make_temporary(f->cf_path, "cf");
    *state = f;
    return 0;
}

static int end_watch(void **state)
{
    watch_fixture *f = *state;

    free(f->out);
    free(f->err);
    prfdata_titles_free(&f->task.session.titles);
    prfdata_lines_free(&f->task.lines);
    prfdata_printer_free(&f->printer);
    remove(f->out_path);
    remove(f->err_path);
    remove(f->cf_path);
    free(f);
    return 0;
}

static char *read_whole(const char *path)
{
    uint16_t chars[300];
    void *bytes = NULL;
    size_t size = 0;

    assert_int_equal(prfdata_files_read(ascii_text(path, chars), 1 << 20, &bytes, &size),
                     ERROR_SUCCESS);
    return bytes;
}

static void write_whole(const char *path, const void *bytes, size_t size)
{
    uint16_t chars[300];

    assert_int_equal(prfdata_files_write(ascii_text(path, chars), true, bytes, size),
                     ERROR_SUCCESS);
}

#ifdef _WIN32
#define LINE_END "\r\n"
#else
#define LINE_END "\n"
#endif

/* Remove CR. Lines must end as on this system, or with LF if has_returns is false. */
static void drop_returns(char *text, bool has_returns)
{
    char *to = text;

    for (char *from = text; *from; from++) {
        if (*from == '\n')
            assert_int_equal(from > text && from[-1] == '\r',
                             has_returns && sizeof LINE_END > sizeof "\n");
        if (*from != '\r')
            *to++ = *from;
    }
    *to = 0;
}

/* Run the task with standard error in a file. */
static void run_caught(watch_fixture *f)
{
#ifdef _WIN32
    HANDLE before = GetStdHandle(STD_ERROR_HANDLE);
    HANDLE file =
        CreateFileA(f->err_path, GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_ALWAYS, 0, NULL);

    assert_true(file != INVALID_HANDLE_VALUE);
    SetStdHandle(STD_ERROR_HANDLE, file);
    prfdata_watch_run(&f->task);
    SetStdHandle(STD_ERROR_HANDLE, before);
    CloseHandle(file);
#else
    int before = dup(2);
    FILE *file = fopen(f->err_path, "wb");

    assert_true(before >= 0);
    assert_non_null(file);
    assert_true(dup2(fileno(file), 2) == 2);
    prfdata_watch_run(&f->task);
    assert_true(dup2(before, 2) == 2);
    close(before);
    assert_int_equal(fclose(file), 0);
#endif
}

/* Run the task, by default for one row less than there are samples. */
static void run(watch_fixture *f)
{
    uint16_t chars[300];
    prfdata_task *task = &f->task;
    prfdata_stream out;

    for (size_t i = 0; i < f->script.count; i++) {
        if (f->script.blocks[i].used > 0)
            wire_end(&f->script.blocks[i]);
    }
    if (task->options.sample_count == 0)
        task->options.sample_count = (uint32_t)f->script.count - 1;
    assert_int_equal(prfdata_files_create(ascii_text(f->out_path, chars), true, &task->out),
                     ERROR_SUCCESS);
    out = task->out; /* the task closes what -o opened, and then prints to standard output again */
    run_caught(f);
    assert_int_equal(prfdata_files_close(out), ERROR_SUCCESS);
    f->out = read_whole(f->out_path);
    f->err = read_whole(f->err_path);
    mask_times(f->out);
    drop_returns(f->out, task->options.format != &prfdata_format_json);
#ifdef _WIN32
    drop_returns(f->err, true);
#endif
}

/* Run to the end of the recording, although more samples are wanted. */
static void run_watch_of_recording(watch_fixture *f)
{
    f->script.source.kind = &recorded;
    f->task.options.sample_count = 9;
    run(f);
}

static void run_watch_again(watch_fixture *f)
{
    free(f->out);
    free(f->err);
    f->script.next = 0;
    run(f);
}

static void expect(const char *found, const char *expected)
{
    if (strcmp(found, expected) != 0)
        fprintf(stderr, "found:\n%s", found); /* cmocka cuts long messages */
    assert_string_equal(found, expected);
}

static void expect_golden(const char *found, const char *name)
{
    char path[80];
    char *text;

    snprintf(path, sizeof path, "tests/golden/%s", name);
    text = golden_text(path);
    expect(found, text);
    free(text);
}

/* ---- Formats ---- */

/* The second row has a third job, whose name has a quote and an unpaired surrogate. In the third
 * row one job ends and an object comes. */
static void write_story(watch_fixture *f)
{
    static const watch_job first[] = {{"ab", 10, 20}, {"longer", 7, 21}};
    static const watch_job second[] = {{"ab", 510, 22}, {"longer", 8, 23}};
    static const watch_job third[] = {
        {"ab", 510, 24}, {"longer", 9, 25}, {"x\"Y", 1000, 4000000000u}};
    static const watch_job fourth[] = {{"ab", 511, 26}, {"x\"Y", 1001, 27}};
    wire *w;

    w = begin_sample(&f->script, 2);
    put_jobs(w, first, 2);
    put_machine(w, -9223372036854775807, "calm");
    w = begin_sample(&f->script, 2);
    put_jobs(w, second, 2);
    put_machine(w, 9007199254740993, "\"\\\t");
    w = begin_sample(&f->script, 2);
    put_jobs(w, third, 3);
    put_machine(w, 0, "");
    w = begin_sample(&f->script, 3);
    put_jobs(w, fourth, 2);
    put_machine(w, 1, "end");
    put_later(w, 1, 3);
    for (size_t i = 2; i < 4; i++) {
        /* Replace Y by U+D800, half of a surrogate pair. */
        for (size_t at = 0; at + 6 < f->script.blocks[i].used; at++) {
            unsigned char *bytes = f->script.blocks[i].bytes + at;

            if (memcmp(bytes, "x\0\"\0Y", 6) == 0) {
                bytes[4] = 0x00;
                bytes[5] = 0xD8;
            }
        }
    }
    ask(f, "\\Jobs(*)\\*");
    ask(f, "\\Later\\% full");
    ask(f, "\\Machine\\*");
}

static const char story_reported[] =
    "Error: \\Later\\% full: no provider has this object now\n"
    "Warning: \\\\PC\\Machine\\Odd: this counter type has no numeric value "
    "(PDH_FUNCTION_NOT_FOUND 0xC0000BBE)";

static void expect_story_reported(const watch_fixture *f)
{
    static const char *const parts[] = {
        "Note: 2 new: \\\\PC\\Jobs(x\"\xEF\xBF\xBD)\\Done/sec, "
        "\\\\PC\\Jobs(x\"\xEF\xBF\xBD)\\Waiting\n",
        "Note: 1 new: \\\\PC\\Later\\% Full\n"
        "Warning: \\\\PC\\Jobs(longer)\\Done/sec: the instance is not available now "
        "(PDH_CSTATUS_NO_INSTANCE 0x800007D1)\n"
        "Warning: \\\\PC\\Jobs(longer)\\Waiting: the instance is not available now "
        "(PDH_CSTATUS_NO_INSTANCE 0x800007D1)\n"};
    unsigned lines = 0;

    if (strncmp(f->err, story_reported, sizeof story_reported - 1) != 0)
        fail_msg("said:\n%s", f->err);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!strstr(f->err, parts[i]))
            fail_msg("not said: %s\n%s", parts[i], f->err);
    }
    for (const char *at = f->err; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 6);
    assert_int_equal(f->task.wanted, 3);
    assert_int_equal(f->task.not_found, 0);
}

static void test_watch_csv_golden(void **state)
{
    watch_fixture *f = *state;

    write_story(f);
    f->task.options.statistics = true;
    run(f);
    expect_golden(f->out, "watch.csv");
    expect_story_reported(f);
    expect(f->script.queries, "100 400 300|100 400 300|100 400 300|100 400 300|");
}

static void test_watch_tsv_golden(void **state)
{
    watch_fixture *f = *state;

    write_story(f);
    f->task.options.format = &prfdata_format_tsv;
    run(f);
    expect_golden(f->out, "watch.tsv");
    expect_story_reported(f);
}

static void test_watch_json_golden(void **state)
{
    watch_fixture *f = *state;

    write_story(f);
    f->task.options.format = &prfdata_format_json;
    f->task.options.statistics = true;
    run(f);
    expect_golden(f->out, "watch.json");
    expect_story_reported(f);
}

/* ---- Instances and objects that come and go ---- */

static void put_sample(watch_fixture *f, const watch_job *jobs, uint32_t count)
{
    put_jobs(begin_sample(&f->script, 1), jobs, count);
}

/* An instance that ends is reported once, even if it comes and goes again. */
static void test_watch_instance_gone_and_back_keeps_its_column(void **state)
{
    static const watch_job both[] = {{"a", 1, 10}, {"b", 2, 20}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(*)\\Waiting");
    put_sample(f, both, 2);
    put_sample(f, both + 1, 1);
    put_sample(f, both, 2);
    put_sample(f, both + 1, 1);
    run(f);
    expect(f->out, "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(a)\\Waiting\",\"\\\\PC\\Jobs(b)\\Waiting\"\n"
                   "\"TIME\",\"-1\",\"20.000000\"\n"
                   "\"TIME\",\"10.000000\",\"20.000000\"\n"
                   "\"TIME\",\"-1\",\"20.000000\"\n");
    expect(f->err, "Warning: \\\\PC\\Jobs(a)\\Waiting: the instance is not available now "
                   "(PDH_CSTATUS_NO_INSTANCE 0x800007D1)\n");
}

/* The headings, which are printed once, also have columns that came between the first sample and
 * the first row. */
static void test_watch_same_path_twice_has_two_columns(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}, {"b", 2, 20}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(*)\\Waiting");
    ask(f, "\\Jobs(a)\\Waiting");
    put_sample(f, jobs, 1);
    put_sample(f, jobs, 2);
    run(f);
    expect(f->out, "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(a)\\Waiting\",\"\\\\PC\\Jobs(a)\\Waiting\""
                   ",\"\\\\PC\\Jobs(b)\\Waiting\"\n"
                   "\"TIME\",\"10.000000\",\"10.000000\",\"20.000000\"\n");
    expect(f->err, "Note: 1 new: \\\\PC\\Jobs(b)\\Waiting\n");
}

/* The child comes with the second sample. The child's first row already has the parent's name,
 * although no path names the parent's object. */
static void test_watch_parents_that_come_later_are_asked_for(void **state)
{
    static const watch_job jobs[] = {{"boss", 1, 10}};
    watch_fixture *f = *state;
    wire *w;

    ask(f, "\\Machine\\Level");
    ask(f, "\\Steps(*)\\Depth");
    w = begin_sample(&f->script, 1);
    put_machine(w, 1, "");
    for (unsigned i = 0; i < 3; i++) {
        w = begin_sample(&f->script, i == 0 ? 2 : 3);
        put_machine(w, 1, "");
        put_child(w, "kid");
        if (i > 0)
            put_jobs(w, jobs, 1);
    }
    f->task.options.sample_count = 2;
    run(f);
    expect(f->out,
           "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Machine\\Level\",\"\\\\PC\\Steps(boss/kid)\\Depth\"\n"
           "\"TIME\",\"1.000000\",\"55.000000\"\n"
           "\"TIME\",\"1.000000\",\"55.000000\"\n");
    expect(f->script.queries, "300 500|300 500|300 500 100|300 500 100|");
}

static void test_watch_nothing_in_the_first_sample_is_the_end(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(b)\\Waiting");
    ask(f, "Jobs");
    put_sample(f, jobs, 1);
    put_sample(f, jobs, 1);
    run(f);
    expect(f->out, "");
    expect(f->err,
           "Error: Jobs: character 1: a counter path begins with a backslash: \\Object\\Counter\n"
           "Error: \\Jobs(b)\\Waiting: the object has no such instance now\n");
    assert_int_equal(f->task.wanted, 2);
    assert_int_equal(f->task.not_found, 2);
    assert_int_equal(f->script.next, 1);
}

/* After a failed sample the next row has no rate, either. */
static void test_watch_statistics_count_every_row_without_value(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}, {"a", 6, 11}, {"a", 16, 12}, {"a", 26, 13}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(a)\\*");
    put_sample(f, jobs, 1);
    put_sample(f, jobs + 1, 1);
    begin_sample(&f->script, 0)->used = 0;
    put_sample(f, jobs + 2, 1);
    put_sample(f, jobs + 3, 1);
    f->task.options.statistics = true;
    run(f);
    if (!strstr(f->out, "\n\"Values\",\"2\",\"3\"\n\"Skipped\",\"2\",\"1\"\n"))
        fail_msg("%s", f->out);
}

/* A failed sample gives a row without values. A rate needs two samples after it. */
static void test_watch_failed_sample_costs_its_row_only(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}, {"a", 501, 11}, {"a", 1001, 12}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(a)\\*");
    put_sample(f, jobs, 1);
    put_sample(f, jobs + 1, 1);
    begin_sample(&f->script, 0)->used = 0;
    put_sample(f, jobs + 2, 1);
    run(f);
    expect(f->out,
           "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(a)\\Done/sec\",\"\\\\PC\\Jobs(a)\\Waiting\"\n"
           "\"TIME\",\"100.000000\",\"11.000000\"\n"
           "\"TIME\",\"-1\",\"-1\"\n"
           "\"TIME\",\"-1\",\"12.000000\"\n");
    assert_int_not_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
}

/* ---- Names ---- */

static void test_watch_local_names_where_english_has_none(void **state)
{
    static const char *const names[] = {"100", "Auftr\xE4ge", "104", "Level", NULL};
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    name_titles(&f->task.session.titles.local, names);
    ask(f, "\\auftr\xE4ge(a)\\level");
    ask(f, "\\Auftr\xE4ge(a)\\Done/sec");
    ask(f, "\\Jobs(a)\\level");
    ask(f, "\\100(a)\\Waiting");
    put_sample(f, jobs, 1);
    put_sample(f, jobs, 1);
    run(f);
    expect(f->out, "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Auftr\xC3\xA4ge(a)\\Level\""
                   ",\"\\\\PC\\Auftr\xC3\xA4ge(a)\\Done/sec\",\"\\\\PC\\Jobs(a)\\Level\""
                   ",\"\\\\PC\\Jobs(a)\\Waiting\"\n"
                   "\"TIME\",\"10.000000\",\"0.000000\",\"10.000000\",\"10.000000\"\n");
    expect(f->err, "");
}

/* Title 300 is called Machine in English, so "Machine" does not mean title 100, which has that
 * local name. */
static void test_watch_english_names_come_first(void **state)
{
    static const char *const names[] = {"100", "Machine", "302", "Waiting", NULL};
    watch_fixture *f = *state;

    name_titles(&f->task.session.titles.local, names);
    ask(f, "\\Machine\\Level");
    for (unsigned i = 0; i < 2; i++)
        put_machine(begin_sample(&f->script, 1), 3, "");
    run(f);
    expect(f->out, "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Machine\\Level\"\n"
                   "\"TIME\",\"3.000000\"\n");
    expect(f->script.queries, "300|300|");
}

/* Two services have an object of the same name. Both are asked, and each has its own column. */
static void test_watch_objects_that_share_a_name_are_all_asked(void **state)
{
    static const char *const names[] = {"600", "Jobs", "602", "Waiting", NULL};
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    name_titles(&f->task.session.titles.english, names);
    ask(f, "\\Jobs(*)\\Waiting");
    for (unsigned i = 0; i < 2; i++) {
        wire *w = begin_sample(&f->script, 2);
        size_t object;

        put_jobs(w, jobs, 1);
        object = wire_object(w, 600, 1, 1, 0);
        wire_counter(w, 602, 0x00010000, 4, 4);
        wire_instance(w, 0, 0, -1, "a");
        wire_value32(w, 66);
        wire_object_end(w, object);
    }
    run(f);
    expect(f->out, "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(a)\\Waiting\",\"\\\\PC\\Jobs(a)\\Waiting\"\n"
                   "\"TIME\",\"10.000000\",\"66.000000\"\n");
    expect(f->script.queries, "100 600|100 600|");
}

/* ---- Options ---- */

static void test_watch_paths_of_a_file(void **state)
{
    static const char file[] = "\xEF\xBB\xBF# paths\r\n\r\n\\Jobs(a)\\Waiting\r\n"
                               "Jobs\r\n  \"\\Jobs(a)\\Done/sec\"\r\n; no path\r\n"
                               "\\Nonsense\\Level\r\n\\Jobs(b)\\Waiting";
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;
    char reported[1400];

    write_whole(f->cf_path, file, sizeof file - 1);
    f->task.options.counter_file = ascii_text(f->cf_path, f->counter_file);
    ask(f, "\\Jobs(*)\\Waiting");
    put_sample(f, jobs, 1);
    put_sample(f, jobs, 1);
    run(f);
    expect(f->out, "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(a)\\Waiting\",\"\\\\PC\\Jobs(a)\\Waiting\""
                   ",\"\\\\PC\\Jobs(a)\\Done/sec\"\n"
                   "\"TIME\",\"10.000000\",\"10.000000\",\"0.000000\"\n");
    snprintf(reported, sizeof reported,
             "Error: %s: line 4: Jobs: character 1: a counter path begins with a backslash: "
             "\\Object\\Counter\n"
             "Error: %s: line 7: \\Nonsense\\Level: no object has this name; -q lists all objects\n"
             "Error: %s: line 8: \\Jobs(b)\\Waiting: the object has no such instance now\n",
             f->cf_path, f->cf_path, f->cf_path);
    expect(f->err, reported);
    assert_int_equal(f->task.wanted, 6);
    assert_int_equal(f->task.not_found, 3);
}

#ifndef _WIN32
/* Make a pipe with this content; its write end is closed. */
static int pipe_with(const char *content)
{
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], content, strlen(content)), strlen(content));
    assert_int_equal(close(ends[1]), 0);
    return ends[0];
}

/* The paths come from a shell's <(...), and from standard input. */
static void test_watch_paths_of_a_pipe(void **state)
{
    static const char paths[] = "\\Jobs(a)\\Waiting\nJobs\n";
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;
    const int input = dup(0);
    char path[32];
    char reported[100];
    int end = pipe_with(paths);

    assert_true(input > 0);
    snprintf(path, sizeof path, "/dev/fd/%d", end);
    for (unsigned is_input = 0; is_input < 2; is_input++) {
        if (is_input) {
            assert_int_equal(dup2(end, 0), 0);
            snprintf(path, sizeof path, "-");
        } else {
            put_sample(f, jobs, 1);
            put_sample(f, jobs, 1);
        }
        f->task.options.counter_file = ascii_text(path, f->counter_file);
        if (is_input)
            run_watch_again(f);
        else
            run(f);
        assert_non_null(strstr(f->out, "\"TIME\",\"10.000000\"\n"));
        snprintf(reported, sizeof reported, "Error: %s: line 2: Jobs: character 1: ", path);
        assert_ptr_equal(strstr(f->err, reported), f->err);
        assert_int_equal(close(end), 0);
        prfdata_lines_free(&f->task.lines);
        if (!is_input)
            end = pipe_with(paths);
    }
    assert_int_equal(dup2(input, 0), 0);
    assert_int_equal(close(input), 0);
}

static void test_watch_paths_without_end_are_refused(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    f->task.options.counter_file = ascii_text("/dev/zero", f->counter_file);
    ask(f, "\\Jobs(*)\\Waiting");
    put_sample(f, jobs, 1);
    put_sample(f, jobs, 1);
    run(f);
    assert_non_null(strstr(f->err, "/dev/zero: cannot read the file"));
    assert_non_null(strstr(f->out, "10.000000"));
}
#endif

static void test_watch_damaged_file_of_paths_does_not_stop_the_others(void **state)
{
    static const char file[] = "\\Jobs(a)\\Waiting\n\\Jobs(\xE4)\\Waiting\n";
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    write_whole(f->cf_path, file, sizeof file - 1);
    f->task.options.counter_file = ascii_text(f->cf_path, f->counter_file);
    ask(f, "\\Jobs(*)\\Waiting");
    put_sample(f, jobs, 1);
    put_sample(f, jobs, 1);
    run(f);
    assert_non_null(strstr(f->out, "10.000000"));
    assert_non_null(strstr(f->err, ": line 2: not UTF-8"));
    assert_int_equal(f->task.wanted, 2);
    assert_int_equal(f->task.not_found, 1);
}

static void test_watch_percentages_capped_unless_asked_otherwise(void **state)
{
    watch_fixture *f = *state;

    ask(f, "\\Later\\% Full");
    for (unsigned i = 0; i < 2; i++)
        put_later(begin_sample(&f->script, 1), 3, 2);
    run(f);
    assert_non_null(strstr(f->out, "\"TIME\",\"100.000000\"\n"));
    f->task.options.uncapped = true;
    run_watch_again(f);
    assert_non_null(strstr(f->out, "\"TIME\",\"150.000000\"\n"));
}

/* The value that needs a second sample is reported as missing. */
static void test_watch_one_recorded_sample_is_a_row(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(a)\\*");
    put_sample(f, jobs, 1);
    run_watch_of_recording(f);
    expect(f->out,
           "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(a)\\Done/sec\",\"\\\\PC\\Jobs(a)\\Waiting\"\n"
           "\"TIME\",\"-1\",\"10.000000\"\n");
    expect(f->err, "Warning: \\\\PC\\Jobs(a)\\Done/sec: the value needs a second sample "
                   "(PDH_INVALID_DATA 0xC0000BC6)\n");
}

/* 101 columns that lack their values for the same reason are reported in one line. */
static void test_watch_equal_reasons_are_counted(void **state)
{
    enum { JOBS = 101 };
    static char names[JOBS][8];
    static watch_job jobs[JOBS];
    watch_fixture *f = *state;

    for (uint32_t i = 0; i < JOBS; i++) {
        snprintf(names[i], sizeof names[i], "j%u", (unsigned)i);
        jobs[i] = (watch_job){names[i], i, i};
    }
    ask(f, "\\Jobs(*)\\Done/sec");
    put_sample(f, jobs, JOBS);
    run_watch_of_recording(f);
    expect(f->err, "Warning: \\\\PC\\Jobs(j0)\\Done/sec: the value needs a second sample "
                   "(PDH_INVALID_DATA 0xC0000BC6), and 100 more\n");
}

static void test_watch_second_recorded_sample_has_what_the_first_lacks(void **state)
{
    static const watch_job old[] = {{"a", 1, 10}};
    static const watch_job young[] = {{"b", 2, 20}};
    watch_fixture *f = *state;
    wire *w;

    ask(f, "\\Machine\\Level");
    ask(f, "\\Jobs(b)\\*");
    ask(f, "\\Jobs(a)\\Waiting");
    put_sample(f, old, 1);
    w = begin_sample(&f->script, 2);
    put_jobs(w, young, 1);
    put_machine(w, 7, "");
    run_watch_of_recording(f);
    expect(f->out, "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(a)\\Waiting\",\"\\\\PC\\Machine\\Level\""
                   ",\"\\\\PC\\Jobs(b)\\Done/sec\",\"\\\\PC\\Jobs(b)\\Waiting\"\n"
                   "\"TIME\",\"-1\",\"7.000000\",\"-1\",\"20.000000\"\n");
    expect(f->err, "Warning: \\\\PC\\Jobs(a)\\Waiting: the instance is not available now "
                   "(PDH_CSTATUS_NO_INSTANCE 0x800007D1)\n"
                   "Warning: \\\\PC\\Jobs(b)\\Done/sec: the value needs a second sample "
                   "(PDH_INVALID_DATA 0xC0000BC6)\n");
    assert_int_equal(f->task.not_found, 0);
}

/* Put object 100 with one instance of this name. The title 784 of its second counter is that of ID
 * Process. */
static void put_process(watch_script *s, const char *name, uint32_t id, uint32_t count)
{
    wire *w = begin_sample(s, 1);
    size_t object = wire_object(w, 100, 2, 1, 0);
    size_t values;

    wire_counter(w, 102, 0x10410500, 8, 8);
    wire_counter(w, 784, 0x00010000, 4, 16);
    wire_instance(w, 0, 0, -1, name);
    values = wire_values(w);
    wire_put32(w, 0);
    wire_put64(w, count);
    wire_put32(w, id);
    wire_values_end(w, values);
    wire_object_end(w, object);
}

/* The instance's name passes to another process. No rate is computed from values of both. */
static void test_watch_rate_is_of_one_process(void **state)
{
    watch_fixture *f = *state;

    ask(f, "\\Jobs(a)\\Done/sec");
    put_process(&f->script, "a", 7, 100);
    put_process(&f->script, "a", 7, 110);
    put_process(&f->script, "a", 8, 60110);
    put_process(&f->script, "a", 8, 60120);
    run_watch_of_recording(f);
    expect(f->out, "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(a)\\Done/sec\"\n"
                   "\"TIME\",\"2.000000\"\n\"TIME\",\"-1\"\n\"TIME\",\"2.000000\"\n");
}

/* The total belongs to no process, so its rate continues whatever its ID is. */
static void test_watch_rate_of_a_total_goes_on(void **state)
{
    watch_fixture *f = *state;

    ask(f, "\\Jobs(_Total)\\Done/sec");
    put_process(&f->script, "_Total", 7, 100);
    put_process(&f->script, "_Total", 8, 110);
    run_watch_of_recording(f);
    expect(f->out,
           "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(_Total)\\Done/sec\"\n\"TIME\",\"2.000000\"\n");
}

/* All columns of a recording are known before the first row, so one heading is enough and all rows
 * have the same length. */
static void test_watch_recording_has_one_heading(void **state)
{
    static const watch_job old[] = {{"a", 1, 10}};
    static const watch_job young[] = {{"a", 2, 20}, {"b", 3, 30}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(*)\\Waiting");
    put_sample(f, old, 1);
    put_sample(f, old, 1);
    put_sample(f, young, 2);
    run_watch_of_recording(f);
    expect(f->out, "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(a)\\Waiting\",\"\\\\PC\\Jobs(b)\\Waiting\"\n"
                   "\"TIME\",\"10.000000\",\"-1\"\n"
                   "\"TIME\",\"20.000000\",\"30.000000\"\n");
}

/* Make the name of the file in which the log at cf_path continues. */
static void name_second_file(const watch_fixture *f, char name[320])
{
    snprintf(name, 320, "%.*s-2%s",
             (int)(strrchr(f->cf_path, '.') ? strrchr(f->cf_path, '.') - f->cf_path
                                            : (int)strlen(f->cf_path)),
             f->cf_path, strrchr(f->cf_path, '.') ? strrchr(f->cf_path, '.') : "");
}

/* Prepare a live log whose columns change after two samples. `second` gets the name of the log's
 * second file. */
static void begin_growing_log(watch_fixture *f, char second[320])
{
    static const watch_job old[] = {{"a", 1, 10}};
    static const watch_job young[] = {{"a", 2, 20}, {"b", 3, 30}};

    ask(f, "\\Jobs(*)\\Waiting");
    put_sample(f, old, 1);
    put_sample(f, old, 1);
    put_sample(f, young, 2);
    put_sample(f, young, 2);
    f->task.options.overwrite = true;
    f->task.options.file = ascii_text(f->cf_path, f->counter_file);
    name_second_file(f, second);
}

/* If the columns of a live log change, the log continues in another file, because no reader accepts
 * a second heading. */
static void test_watch_file_with_more_columns_is_another_file(void **state)
{
    watch_fixture *f = *state;
    char second[320];
    char *text;

    begin_growing_log(f, second);
    run(f);
    free(f->out);
    f->out = read_whole(f->cf_path);
    text = read_whole(second);
    assert_null(strstr(f->out, "Jobs(b)"));
    assert_non_null(strstr(f->out, ",\"10\"" LINE_END));
    assert_null(strstr(f->out, "\"20\""));
    assert_non_null(strstr(text, "Jobs(b)\\Waiting\"" LINE_END));
    assert_non_null(strstr(text, ",\"20\",\"30\"" LINE_END));
    assert_null(strstr(strchr(text, '\n'), "PDH-CSV"));
    assert_non_null(strstr(f->err, "there are more columns now"));
    assert_int_equal(f->task.failure, ERROR_SUCCESS);
    free(text);
    (void)remove(second);
}

#ifndef _WIN32
static void test_watch_next_file_that_fails_leaves_standard_output_open(void **state)
{
    watch_fixture *f = *state;
    char second[320];

    begin_growing_log(f, second);
    assert_int_equal(mkdir(second, 0700), 0); /* no file can have the name of a folder */
    run(f);
    assert_int_equal(rmdir(second), 0);
    assert_non_null(strstr(f->err, "cannot create the file"));
    assert_int_not_equal(f->task.failure, ERROR_SUCCESS);
    assert_int_not_equal(fcntl(1, F_GETFD), -1);
}
#endif

static void test_watch_long_rows_have_three_fields(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(a)\\Waiting");
    ask(f, "\\Jobs(a)\\Done/sec");
    f->task.options.format = &prfdata_format_long;
    put_sample(f, jobs, 1);
    run_watch_of_recording(f);
    assert_non_null(strstr(f->out, "\"Time\",\"Path\",\"Value\"\n\"2"));
    assert_non_null(strstr(f->out, "Z\",\"\\\\PC\\Jobs(a)\\Waiting\",\"10\"\n"));
    assert_non_null(strstr(f->out, "Z\",\"\\\\PC\\Jobs(a)\\Done/sec\",\"\"\n"));
}

/* A path that names nothing in either sample is reported once. */
static void test_watch_nothing_in_two_recorded_samples_is_the_end(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(b)\\Waiting");
    put_sample(f, jobs, 1);
    put_sample(f, jobs, 1);
    run_watch_of_recording(f);
    expect(f->out, "");
    expect(f->err, "Error: \\Jobs(b)\\Waiting: the object has no such instance now\n");
    assert_int_equal(f->task.not_found, 1);
}

/* Put object 600 without instances: a value of 8 bytes with this type. */
static void put_odd_value(wire *w, uint32_t type, uint64_t value)
{
    size_t object = wire_object(w, 600, 1, -1, 0);

    wire_counter(w, 602, type, 8, 8);
    wire_value64(w, value);
    wire_object_end(w, object);
}

/* A type that is not predefined is reported once, however many rows there are. */
static void test_watch_types_read_by_their_bits_have_a_note(void **state)
{
    watch_fixture *f = *state;

    ask(f, "\\600\\602");
    for (unsigned i = 0; i < 3; i++)
        /* The type shows the growth, but not per second. */
        put_odd_value(begin_sample(&f->script, 1), 0x00410100, 100 + 5 * i);
    run(f);
    expect(f->out, "\n\"(PDH-CSV 4.0)\",\"\\\\PC\\600\\602\"\n"
                   "\"TIME\",\"5.000000\"\n\"TIME\",\"5.000000\"\n");
    expect(f->err,
           "Note: \\\\PC\\600\\602: counter type 0x00410100 is not predefined: (N1 - N0) by "
           "its bits\n");
}

/* Put object 700 without instances: AVERAGE_BULK 702 and its base. */
static void put_average(wire *w, uint64_t sum, uint32_t operations)
{
    size_t object = wire_object(w, 700, 2, -1, 0);
    size_t values;

    wire_counter(w, 702, 0x40020500, 8, 8);
    wire_counter(w, 0, 0x40030402, 4, 16);
    values = wire_values(w);
    wire_put32(w, 0);
    wire_put64(w, sum);
    wire_put32(w, operations);
    wire_values_end(w, values);
    wire_object_end(w, object);
}

/* An interval without operations has no average. With -zero the average is 0, as in PerfMon, and
 * counts in means. */
static void test_watch_average_of_nothing_has_no_value_or_is_zero(void **state)
{
    static const uint32_t sums[] = {0, 30, 30, 40};
    static const uint32_t counts[] = {0, 3, 3, 5};
    watch_fixture *f = *state;

    ask(f, "\\700\\702");
    for (unsigned i = 0; i < 4; i++)
        put_average(begin_sample(&f->script, 1), sums[i], counts[i]);
    f->task.options.statistics = true;
    run(f);
    if (!strstr(f->out, "\"TIME\",\"10.000000\"\n\"TIME\",\"-1\"\n\"TIME\",\"5.000000\"\n") ||
        !strstr(f->out,
                "\"Values\",\"2\"\n\"Skipped\",\"1\"\n\"Minimum\",\"5\"\n\"Maximum\",\"10\"\n"
                "\"Mean\",\"7.5\"\n\"Time-weighted mean\",\"7.5\"\n"
                "\"End-to-end mean\",\"8\"\n"))
        fail_msg("%s", f->out);
    assert_non_null(strstr(f->err, "no operations in this interval"));
    f->task.options.idle_zeros = true;
    run_watch_again(f);
    if (!strstr(f->out, "\"TIME\",\"10.000000\"\n\"TIME\",\"0.000000\"\n\"TIME\",\"5.000000\"\n") ||
        !strstr(f->out,
                "\"Values\",\"3\"\n\"Skipped\",\"0\"\n\"Minimum\",\"0\"\n\"Maximum\",\"10\"\n"
                "\"Mean\",\"5\"\n\"Time-weighted mean\",\"5\"\n"
                "\"End-to-end mean\",\"8\"\n"))
        fail_msg("%s", f->out);
    expect(f->err, "");
}

/* No interval has operations, so there is no end-to-end mean. */
static void test_watch_always_idle_has_no_mean_from_end_to_end(void **state)
{
    watch_fixture *f = *state;

    ask(f, "\\700\\702");
    for (unsigned i = 0; i < 3; i++)
        put_average(begin_sample(&f->script, 1), 30, 3);
    f->task.options.statistics = true;
    f->task.options.idle_zeros = true;
    run(f);
    if (!strstr(f->out,
                "\"Mean\",\"0\"\n\"Time-weighted mean\",\"0\"\n\"End-to-end mean\",\" \"\n"))
        fail_msg("%s", f->out);
}

/* A value of PERF_DOUBLE_RAW is a level in every format. */
static void test_watch_floating_point_level(void **state)
{
    watch_fixture *f = *state;

    ask(f, "\\600\\602");
    for (unsigned i = 0; i < 2; i++)
        put_odd_value(begin_sample(&f->script, 1), 0x00012000, 0x3FF4000000000000 /* 1.25 */);
    run(f);
    assert_non_null(strstr(f->out, "\"TIME\",\"1.250000\"\n"));
    assert_non_null(strstr(f->err, "called PERF_DOUBLE_RAW by WMI"));
    f->task.options.format = &prfdata_format_json;
    run_watch_again(f);
    assert_non_null(strstr(f->out, "\"CookedValue\":1.25,"));
}

/* A type is explained when the counter has its first value, not at the first sample. */
static void test_watch_type_note_comes_later(void **state)
{
    static const uint64_t infinity = 0x7FF0000000000000;
    static const uint64_t one_and_a_quarter = 0x3FF4000000000000;
    watch_fixture *f = *state;

    ask(f, "\\600\\602");
    for (unsigned i = 0; i < 2; i++)
        put_odd_value(begin_sample(&f->script, 1), 0x00012000, infinity);
    put_odd_value(begin_sample(&f->script, 1), 0x00012000, one_and_a_quarter);
    run(f);
    assert_non_null(strstr(f->err, "called PERF_DOUBLE_RAW by WMI"));
}

static void test_watch_type_note_of_another_type(void **state)
{
    watch_fixture *f = *state;

    ask(f, "\\600\\602");
    for (unsigned i = 0; i < 3; i++)
        put_odd_value(begin_sample(&f->script, 1), 0x00010100, 1);
    put_odd_value(begin_sample(&f->script, 1), 0x00012000, 0x3FF4000000000000);
    run(f);
    assert_non_null(strstr(f->err, "called PERF_DOUBLE_RAW by WMI"));
}

enum { MANY_JOBS = 110 };

static void ask_for_long_json_line(watch_fixture *f)
{
    static char names[MANY_JOBS][8];
    static watch_job jobs[MANY_JOBS];

    f->task.options.format = &prfdata_format_json;
    ask(f, "\\Jobs(*)\\*");
    for (uint32_t i = 0; i < MANY_JOBS; i++) {
        (void)snprintf(names[i], sizeof names[i], "j%u", (unsigned)i);
        jobs[i] = (watch_job){names[i], 7 * i, i};
    }
    for (unsigned i = 0; i < 2; i++)
        put_jobs(begin_sample(&f->script, 1), jobs, MANY_JOBS);
}

static void test_watch_long_line_of_json(void **state)
{
    watch_fixture *f = *state;
    const char *at;

    ask_for_long_json_line(f);
    run(f);
    at = f->out;
    assert_true(strlen(at) > PRFDATA_OUTPUT_PIECE_BYTES);
    for (uint32_t i = 0; i < 2 * MANY_JOBS; i++) {
        char path[60];

        (void)snprintf(path, sizeof path, "{\"Path\":\"\\\\\\\\PC\\\\Jobs(j%u)\\\\%s\"",
                       (unsigned)(i % MANY_JOBS), i < MANY_JOBS ? "Done/sec" : "Waiting");
        at = strstr(at, path);
        if (!at)
            fail_msg("no %s", path);
    }
    at = strchr(at, '\n');
    assert_non_null(at);
    assert_string_equal(at - 2, "]}\n");
}

#ifndef _WIN32
/* If a piece of a row cannot be written, this is reported once, and no other row begins. */
static void test_watch_piece_on_full_disk(void **state)
{
    watch_fixture *f = *state;
    const char *error;

    ask_for_long_json_line(f);
    for (size_t i = 0; i < f->script.count; i++)
        wire_end(&f->script.blocks[i]);
    f->task.options.sample_count = 5;
    f->task.out = open("/dev/full", O_WRONLY);
    assert_true(f->task.out >= 0);
    run_caught(f);
    close((int)f->task.out);
    assert_int_not_equal(prfdata_task_status(&f->task), 0);
    f->err = read_whole(f->err_path);
    error = strstr(f->err, "Error: ");
    assert_non_null(error);
    assert_null(strstr(error + 1, "Error: "));
    assert_int_equal(f->script.next, 2);
}
#endif

/* The value is missing because the sample failed. No division by 0 is reported, because a raw count
 * has no divisor. */
static void test_watch_failed_sample_is_no_division(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(a)\\Waiting");
    put_sample(f, jobs, 1);
    put_sample(f, jobs, 1);
    f->script.count++; /* this sample has no bytes, so it fails */
    run(f);
    assert_non_null(strstr(f->out, "\"TIME\",\"-1\"\n"));
    assert_non_null(strstr(f->err, "Waiting: no sample could be taken (PDH_NO_DATA 0x800007D5)"));
    assert_null(strstr(f->err, "divide"));
}

/* Values have all digits, as in PDH's logs, and whole numbers have no point. */
static void test_watch_files_have_all_digits(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}, {"a", 2, 11}, {"a", 4, 12}};
    watch_fixture *f = *state;

    ask(f, "\\Jobs(a)\\Done/sec");
    ask(f, "\\Later\\% Full");
    ask(f, "\\Machine\\Level");
    for (unsigned i = 0; i < 3; i++) {
        wire *w = begin_sample(&f->script, 3);

        put_jobs(w, &jobs[i], 1);
        put_later(w, 1, 70000000);
        put_machine(w, INT64_MAX - 1 + (i == 2), "");
    }
    f->task.options.overwrite = true;
    f->task.options.file = ascii_text(f->cf_path, f->counter_file);
    run(f);
    free(f->out);
    f->out = read_whole(f->cf_path);
    mask_times(f->out);
    if (!strstr(f->out,
                "\"TIME\",\"0.2\",\"1.4285714285714286e-06\",\"9223372036854775806\"" LINE_END
                "\"TIME\",\"0.4\",\"1.4285714285714286e-06\",\"9223372036854775807\"" LINE_END))
        fail_msg("%s", f->out);
}

#ifndef _WIN32
/* Summer time ends between the samples. The heading has the time zone of the first sample, and
 * times continue evenly. */
static void test_watch_files_have_the_time_zone_of_their_first_sample(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    assert_int_equal(setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1), 0);
    tzset();
    ask(f, "\\Jobs(a)\\Waiting");
    for (uint32_t i = 0; i < 3; i++) {
        wire *w = begin_sample(&f->script, 1);

        put_jobs(w, jobs, 1);
        wire_patch32(w, 36, 10u << 16 | 2026);  /* SystemTime: year, month */
        wire_patch32(w, 40, 25u << 16);         /* day of week, day */
        wire_patch32(w, 44, 30u << 16 | i / 2); /* hour, minute: summer time ends at 01:00 UTC */
    }
    f->task.options.overwrite = true;
    f->task.options.file = ascii_text(f->cf_path, f->counter_file);
    run(f);
    free(f->out);
    f->out = read_whole(f->cf_path);
    assert_int_equal(unsetenv("TZ"), 0);
    tzset();
    if (!strstr(f->out, "\"(PDH-CSV 4.0) (CEST)(-120)\",") ||
        !strstr(f->out, LINE_END "\"10/25/2026 02:30:37.824\",\"10\"" LINE_END
                                 "\"10/25/2026 03:30:42.824\",\"10\"" LINE_END))
        fail_msg("%s", f->out);
}
#endif

/* Files for PDH use the system's ANSI code page (UTF-8 on Linux), unless -utf8 is given. */
static void test_watch_files_for_pdh_are_in_the_systems_page(void **state)
{
    static const char *const names[] = {"100", "Auftr\xE4ge", "104", "Level", NULL};
    static const watch_job jobs[] = {{"a", 1, 10}};
    const bool is_1252 = prfdata_ansi_system_page() == 1252;
    watch_fixture *f = *state;

    name_titles(&f->task.session.titles.local, names);
    ask(f, "\\auftr\xE4ge(a)\\Waiting");
    put_sample(f, jobs, 1);
    put_sample(f, jobs, 1);
    f->task.options.overwrite = true;
    f->task.options.file = ascii_text(f->cf_path, f->counter_file);
    for (unsigned is_utf8 = 0; is_utf8 < 2; is_utf8++) {
        f->script.next = 0;
        f->task.options.is_utf8 = is_utf8;
        run(f);
        free(f->out);
        f->out = read_whole(f->cf_path);
        if (!strstr(f->out, is_1252 && !is_utf8 ? "\\Auftr\xE4ge(a)\\Waiting\""
                                                : "\\Auftr\xC3\xA4ge(a)\\Waiting\""))
            fail_msg("%s", f->out);
        assert_string_equal(f->err, "");
        free(f->out);
        free(f->err);
    }
    f->out = NULL;
    f->err = NULL;
}

#ifdef _WIN32
static void test_watch_files_mark_what_their_page_lacks(void **state)
{
    static const char *const names[] = {"100", "Jo_s", NULL};
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    if (prfdata_ansi_system_page() != 1252)
        skip();
    prfdata_name_table_free(&f->task.session.titles.english);
    name_titles(&f->task.session.titles.english, names);
    ((uint16_t *)(uintptr_t)f->task.session.titles.english.items[0].name.chars)[2] = 0x0416;
    ask(f, "\\100(a)\\104");
    put_sample(f, jobs, 1);
    put_sample(f, jobs, 1);
    f->task.options.overwrite = true;
    f->task.options.file = ascii_text(f->cf_path, f->counter_file);
    run(f);
    free(f->out);
    f->out = read_whole(f->cf_path);
    if (!strstr(f->out, "\\Jo?s(a)\\104\""))
        fail_msg("%s", f->out);
    assert_non_null(strstr(f->err, "code page 1252 lacks characters"));
}

/* Characters that the code page lacks are reported once, although each row is written separately.
 * U+0080 is not in code page 1252. */
static void test_watch_files_say_once_what_their_page_lacks(void **state)
{
    watch_fixture *f = *state;
    const char *warning;

    if (prfdata_ansi_system_page() != 1252)
        skip();
    ask(f, "\\Machine\\Mood");
    for (unsigned i = 0; i < 4; i++)
        put_machine(begin_sample(&f->script, 1), 1,
                    i < 3 ? "a\x80"
                            "b"
                          : "c");
    f->task.options.overwrite = true;
    f->task.options.file = ascii_text(f->cf_path, f->counter_file);
    run(f);
    free(f->out);
    f->out = read_whole(f->cf_path);
    if (!strstr(f->out, ",\"a?b\"\n") && !strstr(f->out, ",\"a?b\"\r\n"))
        fail_msg("%s", f->out);
    warning = strstr(f->err, "lacks characters");
    assert_non_null(warning);
    assert_null(strstr(warning + 1, "lacks characters"));
}
#endif

static void test_watch_statistics_have_all_digits(void **state)
{
    watch_fixture *f = *state;

    ask(f, "\\Later\\% Full");
    ask(f, "\\Machine\\Level");
    for (unsigned i = 0; i < 3; i++) {
        wire *w = begin_sample(&f->script, 2);

        put_later(w, 1, 70000000);
        put_machine(w, INT64_MAX - 1 + (i == 2), "");
    }
    f->task.options.statistics = true;
    run(f);
    if (!strstr(f->out, "\"TIME\",\"0.000001\",\"9223372036854775807.000000\"\n"))
        fail_msg("%s", f->out);
    if (!strstr(f->out, "\"Minimum\",\"1.4285714285714286e-06\",\"9223372036854775806\"\n"
                        "\"Maximum\",\"1.4285714285714286e-06\",\"9223372036854775807\"\n"
                        "\"Mean\",\"1.4285714285714286e-06\",\"9.223372036854776e+18\"\n"))
        fail_msg("%s", f->out);
    f->task.options.format = &prfdata_format_json;
    run_watch_again(f);
    if (!strstr(f->out, "\"Minimum\":9223372036854775806,\"Maximum\":9223372036854775807,"))
        fail_msg("%s", f->out);
}

#ifndef _WIN32
/* This must be the last test, because a program can be stopped only once. test_prfread.c tests the
 * same with a Windows program. */
static void test_watch_stopped_ends_with_its_statistics(void **state)
{
    static const watch_job jobs[] = {{"a", 1, 10}};
    watch_fixture *f = *state;

    prfdata_stop_catch();
    ask(f, "\\Jobs(a)\\Waiting");
    for (unsigned i = 0; i < 5; i++)
        put_sample(f, jobs, 1);
    f->script.stops_at = 3;
    f->task.options.sample_count = UINT32_MAX;
    f->task.options.format = &prfdata_format_json;
    f->task.options.statistics = true;
    run(f);
    assert_int_equal(f->script.next, 3);
    assert_non_null(strstr(f->out,
                           "\n{\"Statistics\":[{\"Path\":\"\\\\\\\\PC\\\\Jobs(a)\\\\Waiting\","
                           "\"Values\":2,\"Skipped\":0,\"Minimum\":10,"));
}
#endif

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end_watch)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_watch_csv_golden),
        TEST(test_watch_tsv_golden),
        TEST(test_watch_json_golden),
        TEST(test_watch_type_note_comes_later),
        TEST(test_watch_type_note_of_another_type),
        TEST(test_watch_long_line_of_json),
#ifndef _WIN32
        TEST(test_watch_piece_on_full_disk),
#endif
        TEST(test_watch_instance_gone_and_back_keeps_its_column),
        TEST(test_watch_same_path_twice_has_two_columns),
        TEST(test_watch_parents_that_come_later_are_asked_for),
        TEST(test_watch_nothing_in_the_first_sample_is_the_end),
        TEST(test_watch_failed_sample_costs_its_row_only),
        TEST(test_watch_statistics_count_every_row_without_value),
        TEST(test_watch_local_names_where_english_has_none),
        TEST(test_watch_english_names_come_first),
        TEST(test_watch_objects_that_share_a_name_are_all_asked),
        TEST(test_watch_paths_of_a_file),
#ifndef _WIN32
        TEST(test_watch_paths_of_a_pipe),
        TEST(test_watch_paths_without_end_are_refused),
#endif
        TEST(test_watch_damaged_file_of_paths_does_not_stop_the_others),
        TEST(test_watch_percentages_capped_unless_asked_otherwise),
        TEST(test_watch_one_recorded_sample_is_a_row),
        TEST(test_watch_equal_reasons_are_counted),
        TEST(test_watch_second_recorded_sample_has_what_the_first_lacks),
        TEST(test_watch_recording_has_one_heading),
        TEST(test_watch_rate_is_of_one_process),
        TEST(test_watch_rate_of_a_total_goes_on),
        TEST(test_watch_file_with_more_columns_is_another_file),
#ifndef _WIN32
        TEST(test_watch_next_file_that_fails_leaves_standard_output_open),
#endif
        TEST(test_watch_long_rows_have_three_fields),
        TEST(test_watch_nothing_in_two_recorded_samples_is_the_end),
        TEST(test_watch_types_read_by_their_bits_have_a_note),
        TEST(test_watch_average_of_nothing_has_no_value_or_is_zero),
        TEST(test_watch_always_idle_has_no_mean_from_end_to_end),
        TEST(test_watch_floating_point_level),
        TEST(test_watch_failed_sample_is_no_division),
        TEST(test_watch_files_have_all_digits),
        TEST(test_watch_files_for_pdh_are_in_the_systems_page),
#ifndef _WIN32
        TEST(test_watch_files_have_the_time_zone_of_their_first_sample),
#endif
#ifdef _WIN32
        TEST(test_watch_files_mark_what_their_page_lacks),
        TEST(test_watch_files_say_once_what_their_page_lacks),
#endif
        TEST(test_watch_statistics_have_all_digits),
#ifndef _WIN32
        TEST(test_watch_stopped_ends_with_its_statistics),
#endif
    };

    return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
