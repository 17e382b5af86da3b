/* SPDX-License-Identifier: MIT */
/* Tests -f OM, -f PROM, -serve and -explain of prfread without a system: samples come from a
 * script, and expositions go to files. tests/scripts/57-prometheus.sh tests the rest. */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* raise */
#endif
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <prfdata/error.h>
#include <prfdata/map.h>

#include "map/model.h"
#include "os/net.h"
#include "os/stop.h"
#include "os/system.h"
#include "prfread/exposition.h"
#include "prfread/format.h"
#include "prfread/printer.h"
#include "prometheus/serve.h"
#include "support/reader/ascii_text.h"
#include "support/reader/metric_sample.h"
#include "system/os.h"

/* ---- Samples ---- */

typedef struct exposition_script {
    prfdata_source source;
    uint64_t value; /* value of the next sample; it grows */
    size_t count;   /* number of samples, after which the source fails */
    size_t taken;
    size_t stops_at;      /* Ctrl+C comes after this many samples; 0: never */
    size_t fails_at;      /* the sample of this number and the next one fail; 0: none */
    size_t is_nothing_at; /* the sample with this number has no bytes; 0: all samples have some */
    void (*before)(void); /* called before each sample; NULL: nothing is called */
    size_t without_object_from; /* samples from this number on lack the object; 0: all have it */
    char query[64];
} exposition_script;

static uint32_t hand_over(wire *w, void **bytes, size_t *size)
{
    wire_end(w);
    *bytes = malloc(w->used);
    assert_non_null(*bytes);
    memcpy(*bytes, w->bytes, w->used);
    *size = w->used;
    return ERROR_SUCCESS;
}

static bool lacks_object(const exposition_script *self)
{
    return self->without_object_from > 0 && self->taken >= self->without_object_from;
}

/* Make object 100 without instances, with BULK_COUNT 102. */
static uint32_t take_exposition(prfdata_source *source, const uint16_t *query, void **bytes,
                                size_t *size)
{
    exposition_script *self = (exposition_script *)source;
    size_t object;
    wire w;

    for (size_t i = 0; i + 1 < sizeof self->query && (i == 0 || query[i - 1]); i++)
        self->query[i] = (char)query[i];
    if (self->taken == self->count)
        return ERROR_ACCESS_DENIED;
    self->taken++;
#ifndef _WIN32
    if (self->taken == self->stops_at)
        raise(SIGINT);
#endif
    if (self->before)
        self->before();
    if (self->fails_at > 0 && (self->taken == self->fails_at || self->taken == self->fails_at + 1))
        return ERROR_ACCESS_DENIED;
    if (self->taken == self->is_nothing_at) {
        *bytes = malloc(1);
        assert_non_null(*bytes);
        *size = 0;
        return ERROR_SUCCESS;
    }
    wire_begin(&w, lacks_object(self) ? 0 : 1);
    if (lacks_object(self))
        return hand_over(&w, bytes, size);
    object = wire_object(&w, 100, 1, -1, 0);
    wire_counter(&w, 102, 0x10410500, 8, 8);
    wire_value64(&w, self->value++);
    wire_object_end(&w, object);
    return hand_over(&w, bytes, size);
}

static uint32_t load_helps_exposition(prfdata_source *source, prfdata_titles *titles)
{
    (void)source;
    metric_sample_name(&titles->helps, 103, "How many were done.");
    return ERROR_SUCCESS;
}

static const prfdata_source_kind kind = {.take = take_exposition,
                                         .load_helps = load_helps_exposition};

static uint32_t load_objects_exposition(prfdata_source *source, prfdata_name_table *objects)
{
    if (((exposition_script *)source)->count > 0)
        metric_sample_name(objects, 100, "Jobs");
    return ERROR_SUCCESS;
}

static const prfdata_source_kind system_kind = {.take = take_exposition,
                                                .load_helps = load_helps_exposition,
                                                .load_objects = load_objects_exposition};

/* ---- Tasks and what they print ---- */

typedef struct exposition_fixture {
    prfdata_task task;
    prfdata_printer printer;
    exposition_script script;
    uint16_t chars[8][128];
    prfdata_text names[8];
    char file[64];
} exposition_fixture;

/* The printed messages. Each is a line that begins with the number of the severity, such as
 * "0Error text\n". */
static char said[4096];

static void note_exposition_line(const prfdata_message *message, prfdata_output *line)
{
    const size_t used = strlen(said);

    snprintf(said + used, sizeof said - used, "%d%.*s\n", (int)message->severity, (int)line->used,
             line->bytes);
}

static unsigned count_said(prfdata_severity severity)
{
    unsigned count = 0;

    for (const char *line = said; *line; line = strchr(line, '\n') + 1)
        count += *line == '0' + (char)severity ? 1 : 0;
    return count;
}

static int set_up(void **state)
{
    exposition_fixture *f = calloc(1, sizeof *f);

    assert_non_null(f);
    f->script.source.kind = &kind;
    f->script.count = 10;
    f->script.value = 5;
    prfdata_printer_init(&f->printer, note_exposition_line);
    said[0] = 0;
    f->task.session.messages = &f->printer.messages;
    f->task.session.source = &f->script.source;
    f->task.options.interval_ms = 1;
    f->task.options.format = &prfdata_format_prom;
    f->task.options.names = f->names;
    metric_sample_name(&f->task.session.titles.english, 100, "Jobs");
    metric_sample_name(&f->task.session.titles.english, 102, "Done/sec");
    snprintf(f->file, sizeof f->file, "exposition-%u.prom", (unsigned)prfdata_os_process_id());
    f->task.options.file = ascii_text(f->file, f->chars[0]);
    remove(f->file);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    exposition_fixture *f = *state;

    prfdata_titles_free(&f->task.session.titles);
    prfdata_printer_free(&f->printer);
    remove(f->file);
    free(f);
    return 0;
}

static void add_path(exposition_fixture *f, const char *path)
{
    size_t i = f->task.options.name_count++;

    f->names[i] = ascii_text(path, f->chars[i + 1]);
}

static void expect_file(const exposition_fixture *f, const char *line, bool is_there)
{
    static char text[8192];
    FILE *file = fopen(f->file, "rb");
    size_t size;

    assert_non_null(file);
    size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    if ((strstr(text, line) != NULL) != is_there)
        fail_msg("%s \"%s\" in:\n%s", is_there ? "no" : "there is", line, text);
}

/* ---- -f ---- */

static void test_exposition_is_one_sample(void **state)
{
    exposition_fixture *f = *state;

    add_path(f, "\\Jobs\\*");
    prfdata_exposition_print(&f->task);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    assert_int_equal(f->script.taken, 1);
    assert_string_equal(f->script.query, "100");
    expect_file(f,
                "# HELP jobs_done_accumulated_total How many were done. \\\\Jobs\\\\Done/sec\n"
                "jobs_done_accumulated_total 5\n",
                true);
    expect_file(f, "# EOF", false);
    expect_file(f, "prfread_object_up{object=\"Jobs\"} 1\n", true);
    expect_file(f, "prfread_build_info{version=\"", true);
    assert_int_equal(f->task.not_found, 0);
}

static void test_exposition_open_metrics_ends(void **state)
{
    exposition_fixture *f = *state;

    add_path(f, "\\Jobs\\*");
    f->task.options.format = &prfdata_format_om;
    prfdata_exposition_print(&f->task);
    expect_file(f, "\n# EOF\n", true);
    expect_file(f, "\r", false);
}

static void test_exposition_file_has_the_last_sample(void **state)
{
    exposition_fixture *f = *state;

    add_path(f, "\\Jobs\\*");
    f->task.options.sample_count = 3;
    prfdata_exposition_print(&f->task);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    assert_int_equal(f->script.taken, 3);
    expect_file(f, "jobs_done_accumulated_total 7\n", true);
    expect_file(f, "jobs_done_accumulated_total 5\n", false);
}

static uint64_t a_second_later(void)
{
    static uint64_t now_ms;

    return now_ms += 1000;
}

static uint64_t stamp_of_samples(prfdata_source *source)
{
    return ((const exposition_script *)source)->taken < 3 ? 0 : 1;
}

/* After two samples the index of the counter belongs to another counter. */
static uint32_t load_changed_titles(prfdata_source *source, prfdata_titles *titles)
{
    metric_sample_name(&titles->english, 100, "Jobs");
    metric_sample_name(&titles->english, 102, stamp_of_samples(source) ? "Failed" : "Done/sec");
    return ERROR_SUCCESS;
}

static const prfdata_source_kind upgraded = {.take = take_exposition,
                                             .load_titles = load_changed_titles,
                                             .load_helps = load_helps_exposition,
                                             .titles_stamp = stamp_of_samples};

/* If another counter gets the index, the metric of the old counter ends. prfread_title_changes
 * counts such changes. */
static void test_exposition_follows_changed_titles(void **state)
{
    exposition_fixture *f = *state;

    f->script.source.kind = &upgraded;
    f->task.session.clock_ms = a_second_later;
    add_path(f, "\\Jobs\\*");
    f->task.options.sample_count = 2;
    prfdata_exposition_print(&f->task);
    expect_file(f, "jobs_done_accumulated_total 6\n", true);
    expect_file(f, "prfread_title_changes 0\n", true);
    f->task.options.overwrite = true;
    f->task.options.sample_count = 1;
    prfdata_exposition_print(&f->task);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    expect_file(f, "jobs_done", false);
    expect_file(f, "jobs_failed", true);
    expect_file(f, "prfread_title_changes 1\n", true);
}

static void test_exposition_goes_on_over_changed_titles(void **state)
{
    exposition_fixture *f = *state;

    f->script.source.kind = &upgraded;
    f->task.session.clock_ms = a_second_later;
    add_path(f, "\\Jobs\\*");
    f->task.options.sample_count = 4;
    prfdata_exposition_print(&f->task);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    expect_file(f, "jobs_done", false);
    expect_file(f, "jobs_failed", true);
}

/* After two samples the path's object has no title, but the samples still have an object. */
static uint32_t load_titles_without_jobs(prfdata_source *source, prfdata_titles *titles)
{
    metric_sample_name(&titles->english, 100, stamp_of_samples(source) ? "Others" : "Jobs");
    metric_sample_name(&titles->english, 102, "Done/sec");
    return ERROR_SUCCESS;
}

static const prfdata_source_kind uninstalled = {.take = take_exposition,
                                                .load_titles = load_titles_without_jobs,
                                                .load_helps = load_helps_exposition,
                                                .titles_stamp = stamp_of_samples};

/* If the service of the only path is uninstalled, other objects must not appear instead. */
static void test_exposition_shows_nothing_after_its_object_is_uninstalled(void **state)
{
    exposition_fixture *f = *state;

    f->script.source.kind = &uninstalled;
    f->task.session.clock_ms = a_second_later;
    add_path(f, "\\Jobs\\*");
    f->task.options.sample_count = 4;
    prfdata_exposition_print(&f->task);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    expect_file(f, "done_accumulated", false);
    expect_file(f, "prfread_object_up{object=\"Jobs\"} 0\n", true);
    expect_file(f, "prfread_paths_not_found 1\n", true);
}

/* ---- A map whose metrics change, while its titles stay ---- */

/* clang-format off */
PRFDATA_DEFINE_OBJECT(JOBS, 100);
PRFDATA_DEFINE_COUNTER(JOBS_DONE, 101);

#define JOBS_MAP(map, metric)                                                                      \
    PRFDATA_MAP_BEGIN_AS(map)                                                                      \
        PRFDATA_MAP_OBJ(JOBS, L"Jobs", L"H.", PERF_DETAIL_NOVICE, JOBS_DONE, PERF_NO_INSTANCES, 0)                 \
        PRFDATA_MAP_CTR(JOBS_DONE, L"Done/sec", L"H.", PERF_DETAIL_NOVICE, 0,                      \
                        PERF_COUNTER_BULK_COUNT)                                                   \
            PRFDATA_MAP_METRIC(metric, "")                                                         \
    PRFDATA_MAP_END_AS(map, "JobService")

JOBS_MAP(map_before, "jobs_before")
JOBS_MAP(map_after, "jobs_after")
/* clang-format on */

static uint32_t load_same_titles(prfdata_source *source, prfdata_titles *titles)
{
    (void)source;
    metric_sample_name(&titles->english, 100, "Jobs");
    metric_sample_name(&titles->english, 102, "Done/sec");
    return ERROR_SUCCESS;
}

static uint32_t load_metrics_of_maps(prfdata_source *source, prfdata_titles *titles)
{
    const prfdata_map *map = stamp_of_samples(source) ? &map_after : &map_before;
    prfdata_model *model = NULL;
    uint32_t status;

    assert_int_equal(prfdata_model_make(map, &model), ERROR_SUCCESS);
    status = prfdata_metric_table_append_model(&titles->metrics, model, 100);
    prfdata_metric_table_settle(&titles->metrics);
    prfdata_model_free(model);
    return status;
}

static void test_exposition_follows_changed_metrics(void **state)
{
    static const prfdata_source_kind remapped = {.take = take_exposition,
                                                 .load_titles = load_same_titles,
                                                 .load_helps = load_metrics_of_maps,
                                                 .titles_stamp = stamp_of_samples};
    exposition_fixture *f = *state;

    f->script.source.kind = &remapped;
    f->task.session.clock_ms = a_second_later;
    add_path(f, "\\Jobs\\*");
    f->task.options.sample_count = 2;
    prfdata_exposition_print(&f->task);
    expect_file(f, "jobs_before_total 6\n", true);
    f->task.options.overwrite = true;
    prfdata_exposition_print(&f->task);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    expect_file(f, "jobs_before", false);
    expect_file(f, "jobs_after_total", true);
    expect_file(f, "prfread_title_changes 1\n", true);
}

static void test_exposition_file_that_exists_stays(void **state)
{
    exposition_fixture *f = *state;
    FILE *file = fopen(f->file, "wb");

    assert_non_null(file);
    fclose(file);
    add_path(f, "\\Jobs\\*");
    prfdata_exposition_print(&f->task);
    assert_int_not_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    expect_file(f, "jobs", false);
    f->task.failure = f->task.session.failure = ERROR_SUCCESS;
    f->task.options.overwrite = true;
    prfdata_exposition_print(&f->task);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    expect_file(f, "jobs", true);
}

/* Whichever two samples fail, prfread reports one error, and prints a note when samples succeed
 * again. */
static void test_exposition_goes_on_after_samples_that_fail(void **state)
{
    exposition_fixture *f = *state;

    for (f->script.fails_at = 1; f->script.fails_at <= 4; f->script.fails_at++) {
        f->script.taken = 0;
        f->script.value = 5;
        f->task.failure = f->task.session.failure = ERROR_SUCCESS;
        f->task.options.overwrite = true;
        f->task.options.name_count = 0;
        f->task.options.sample_count = 6;
        add_path(f, "\\Jobs\\*");
        said[0] = 0;
        prfdata_exposition_print(&f->task);
        assert_int_equal(f->script.taken, 6);
        expect_file(f, "jobs_done_accumulated_total 8\n", true);
        assert_int_equal(prfdata_task_status(&f->task), ERROR_ACCESS_DENIED);
        assert_int_equal(count_said(PRFDATA_SEVERITY_ERROR), 1);
        assert_int_equal(count_said(PRFDATA_SEVERITY_NOTE), 1);
        assert_non_null(strstr(said, ": samples are written again, after 2 that failed\n"));
    }
}

static void test_exposition_goes_on_after_a_sample_of_nothing(void **state)
{
    exposition_fixture *f = *state;

    f->script.is_nothing_at = 2;
    f->task.options.sample_count = 3;
    add_path(f, "\\Jobs\\*");
    prfdata_exposition_print(&f->task);
    assert_int_equal(f->script.taken, 3);
    expect_file(f, "jobs_done_accumulated_total 6\n", true);
}

static void test_exposition_ends_with_a_recording(void **state)
{
    static const prfdata_source_kind recording = {.take = take_exposition, .is_recorded = true};
    exposition_fixture *f = *state;

    f->script.source.kind = &recording;
    f->script.count = 0;
    add_path(f, "\\Jobs\\*");
    prfdata_exposition_print(&f->task);
    assert_int_not_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    assert_int_equal(count_said(PRFDATA_SEVERITY_NOTE), 0);
}

/* ---- A file that cannot be written for some time ---- */

static char lost_folder[64]; /* the file's folder, which the test removes and makes again */
static unsigned lost_turn;

static void make_folder(bool is_there)
{
#ifdef _WIN32
    if (is_there)
        assert_true(CreateDirectoryA(lost_folder, NULL));
    else
        assert_true(RemoveDirectoryA(lost_folder));
#else
    assert_int_equal(is_there ? mkdir(lost_folder, 0700) : rmdir(lost_folder), 0);
#endif
}

static void take_folder_away(void)
{
    char file[80];

    lost_turn++;
    snprintf(file, sizeof file, "%s/q.prom", lost_folder);
    if (lost_turn == 2) {
        remove(file);
        make_folder(false);
    } else if (lost_turn == 4) {
        make_folder(true);
    }
}

static void test_exposition_goes_on_without_its_folder(void **state)
{
    exposition_fixture *f = *state;

    snprintf(lost_folder, sizeof lost_folder, "exposition-folder-%u",
             (unsigned)prfdata_os_process_id());
    snprintf(f->file, sizeof f->file, "%.40s/q.prom", lost_folder);
    f->task.options.file = ascii_text(f->file, f->chars[0]);
    lost_turn = 0;
    make_folder(true);
    f->script.before = take_folder_away;
    f->task.options.sample_count = 5;
    add_path(f, "\\Jobs\\*");
    prfdata_exposition_print(&f->task);
    assert_int_equal(f->script.taken, 5);
    expect_file(f, "jobs_done_accumulated_total 9\n", true);
    assert_int_not_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    assert_int_equal(count_said(PRFDATA_SEVERITY_ERROR), 1);
    assert_non_null(strstr(said, ": samples are written again, after 2 that failed\n"));
    remove(f->file);
    make_folder(false);
}

/* Without -y the file of another program is kept, and prfread ends. */
static void test_exposition_file_of_others_ends_it(void **state)
{
    exposition_fixture *f = *state;
    FILE *file = fopen(f->file, "wb");

    assert_non_null(file);
    fclose(file);
    f->task.options.sample_count = 5;
    add_path(f, "\\Jobs\\*");
    prfdata_exposition_print(&f->task);
    assert_int_equal(f->script.taken, 1);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_FILE_EXISTS);
}

static void test_exposition_paths_that_find_nothing_are_counted(void **state)
{
    exposition_fixture *f = *state;

    add_path(f, "\\Jobs\\*");
    add_path(f, "\\Jobs\\Absent");
    add_path(f, "\\Nobody\\Knows");
    add_path(f, "no path");
    prfdata_exposition_print(&f->task);
    assert_int_equal(f->task.wanted, 4);
    assert_int_equal(f->task.not_found, 3);
    expect_file(f, "prfread_paths_not_found 3\n", true);
    expect_file(f,
                "prfread_object_up{object=\"Jobs\"} 1\nprfread_object_up{object=\"Nobody\"} 0\n# ",
                true);
    expect_file(f, "jobs_done_accumulated_total 5\n", true);
}

/* As in CSV, the pattern * finds counters without a name, and no other pattern does. */
static void test_exposition_star_finds_counters_without_names(void **state)
{
    exposition_fixture *f = *state;

    prfdata_titles_free(&f->task.session.titles);
    add_path(f, "\\100\\*");
    add_path(f, "\\100\\10*");
    prfdata_exposition_print(&f->task);
    assert_int_equal(f->task.not_found, 1);
    expect_file(f, "title_100_title_102_total 5\n", true);
}

static void test_exposition_of_wrong_paths_only_asks_nothing(void **state)
{
    exposition_fixture *f = *state;

    add_path(f, "\\Nobody\\Knows");
    prfdata_exposition_print(&f->task);
    assert_int_equal(f->script.taken, 0);
    assert_int_equal(f->task.not_found, 1);
    assert_null(fopen(f->file, "rb"));
}

static void print_with_metrics(exposition_fixture *f, const char *text)
{
    static const char name[] = "exposition.metrics";
    FILE *file = fopen(name, "wb");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    add_path(f, "\\Jobs\\*");
    f->task.options.metrics_file = ascii_text(name, f->chars[7]);
    prfdata_exposition_print(&f->task);
    remove(name);
}

static void test_exposition_names_come_from_a_file(void **state)
{
    exposition_fixture *f = *state;

    print_with_metrics(f, "\\Jobs\\Done/sec metric=finished\n");
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    expect_file(f, "\nfinished_total 5\n", true);
}

static void test_exposition_wrong_file_of_names_ends_it(void **state)
{
    exposition_fixture *f = *state;

    print_with_metrics(f, "\\Jobs\\Done/sec metric=finished_total\n");
    assert_int_not_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    assert_int_equal(f->script.taken, 0);
    f->task.failure = f->task.session.failure = ERROR_SUCCESS;
    f->task.options.metrics_file = ascii_text("no such file", f->chars[7]);
    prfdata_exposition_print(&f->task);
    assert_int_not_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
}

/* Alerts select prfread_object_up by the English name of the object. So the label has this name,
 * whatever the path calls the object. */
static void test_exposition_objects_are_called_by_their_english_names(void **state)
{
    exposition_fixture *f = *state;

    add_path(f, "\\jobs\\*");
    add_path(f, "\\100\\*");
    add_path(f, "\\JO*\\*");
    prfdata_exposition_print(&f->task);
    expect_file(f, "\nprfread_object_up{object=\"Jobs\"} 1\n# ", true);
}

/* Even without paths, a metric says whether the default object is there. */
static void test_exposition_objects_by_default_are_up_or_not(void **state)
{
    exposition_fixture *f = *state;

    f->script.source.kind = &system_kind;
    f->task.options.sample_count = 1;
    prfdata_exposition_print(&f->task);
    expect_file(f, "\nprfread_object_up{object=\"Jobs\"} 1\n# ", true);
    f->task.options.overwrite = true;
    f->task.options.sample_count = 3;
    f->script.without_object_from = f->script.taken + 2;
    prfdata_exposition_print(&f->task);
    expect_file(f, "\nprfread_object_up{object=\"Jobs\"} 0\n# ", true);
}

#ifndef _WIN32
static void test_exposition_goes_on_until_it_is_stopped(void **state)
{
    exposition_fixture *f = *state;

    add_path(f, "\\Jobs\\*");
    f->task.options.given[PRFDATA_ARGUMENT_SI] = f->names[0];
    f->script.stops_at = 4;
    prfdata_exposition_print(&f->task);
    assert_int_equal(f->script.taken, 4);
    expect_file(f, "jobs_done_accumulated_total 8\n", true);
}

/* ---- -serve ---- */

static void test_exposition_server_ends_when_it_is_stopped(void **state)
{
    exposition_fixture *f = *state;

    f->task.options.serve_address = ascii_text("127.0.0.1:0", f->chars[7]);
    f->script.stops_at = 1;
    prfdata_exposition_serve(&f->task);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    assert_string_equal(f->script.query, "Global");
}

static void test_exposition_server_names_the_computer_that_serves(void **state)
{
    exposition_fixture *f = *state;
    char url[300] = "Serving: http://";
    uint16_t chars[256];
    const size_t count = prfdata_system_computer(chars, 256);
    size_t used = strlen(url);

    for (size_t i = 0; i < count; i++)
        url[used++] = (char)chars[i];
    memcpy(url + used, ":", 2);
    f->task.session.computer = ascii_text("OTHER", f->chars[6]);
    f->task.options.serve_address = ascii_text("*:0", f->chars[7]);
    f->script.stops_at = 1;
    prfdata_exposition_serve(&f->task);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    if (!strstr(said, url))
        fail_msg("%s: %s", url, said);
}
#endif

#ifndef _WIN32
/* ---- Metrics that cannot be made again ---- */

static struct {
    bool is_used;
    bool lacks_memory; /* metrics cannot be made */
    uint64_t now_ms;
    prfdata_serve_wanted wanted; /* the scrapes call its produce() */
} scrapes;

static prfdata_serve_result scrape(prfdata_dialect dialect, uint32_t timeout_ms, const char *line)
{
    prfdata_output text = {0};
    const prfdata_serve_result result =
        scrapes.wanted.produce(scrapes.wanted.context, dialect, timeout_ms, &text);

    prfdata_output_put(&text, "", 1);
    assert_non_null(strstr(text.bytes, line));
    prfdata_output_free(&text);
    return result;
}

/* The sample of the first scrape lacks counters. The second scrape has more time, so it takes a new
 * sample. The titles have changed, but there is no memory for new metrics. The third scrape has no
 * more time than the first one, but must not share the first sample, because there are no
 * metrics. */
static void scrape_without_memory(void)
{
    scrapes.now_ms += PRFDATA_SERVE_SHARE_MS + 1;
    assert_int_equal(scrape(PRFDATA_DIALECT_PROMETHEUS, 1000, "jobs_done"), PRFDATA_SERVE_PARTIAL);
    scrapes.lacks_memory = true;
    assert_int_equal(scrape(PRFDATA_DIALECT_PROMETHEUS, 5000, ""), PRFDATA_SERVE_FAILED);
    assert_int_equal(scrape(PRFDATA_DIALECT_OPEN_METRICS, 1000, ""), PRFDATA_SERVE_FAILED);
    scrapes.lacks_memory = false;
    assert_int_equal(scrape(PRFDATA_DIALECT_OPEN_METRICS, 1000, "jobs_failed"),
                     PRFDATA_SERVE_PARTIAL);
}

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint64_t __real_prfdata_os_milliseconds(void);
uint64_t __wrap_prfdata_os_milliseconds(void);
uint32_t __real_prfdata_open_metrics_make(const prfdata_open_metrics_options *options,
                                          prfdata_open_metrics **metrics);
uint32_t __wrap_prfdata_open_metrics_make(const prfdata_open_metrics_options *options,
                                          prfdata_open_metrics **metrics);
prfdata_net_problem __real_prfdata_serve_open(const prfdata_serve_wanted *wanted,
                                              prfdata_serve **server, uint32_t *system_status);
prfdata_net_problem __wrap_prfdata_serve_open(const prfdata_serve_wanted *wanted,
                                              prfdata_serve **server, uint32_t *system_status);
void __real_prfdata_serve_run(prfdata_serve *server, uint64_t (*clock_ms)(void),
                              bool (*has_stopped)(void *context), void *context);
void __wrap_prfdata_serve_run(prfdata_serve *server, uint64_t (*clock_ms)(void),
                              bool (*has_stopped)(void *context), void *context);

uint64_t __wrap_prfdata_os_milliseconds(void)
{
    return scrapes.is_used ? scrapes.now_ms : __real_prfdata_os_milliseconds();
}

uint32_t __wrap_prfdata_open_metrics_make(const prfdata_open_metrics_options *options,
                                          prfdata_open_metrics **metrics)
{
    return scrapes.lacks_memory ? ERROR_NOT_ENOUGH_MEMORY
                                : __real_prfdata_open_metrics_make(options, metrics);
}

prfdata_net_problem __wrap_prfdata_serve_open(const prfdata_serve_wanted *wanted,
                                              prfdata_serve **server, uint32_t *system_status)
{
    scrapes.wanted = *wanted;
    return __real_prfdata_serve_open(wanted, server, system_status);
}

void __wrap_prfdata_serve_run(prfdata_serve *server, uint64_t (*clock_ms)(void),
                              bool (*has_stopped)(void *context), void *context)
{
    if (scrapes.is_used)
        scrape_without_memory();
    else
        __real_prfdata_serve_run(server, clock_ms, has_stopped, context);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

static void test_exposition_server_lives_without_metrics(void **state)
{
    exposition_fixture *f = *state;

    f->script.source.kind = &upgraded;
    f->script.source.left_out = 1;
    f->task.session.clock_ms = a_second_later;
    add_path(f, "\\Jobs\\*");
    f->task.options.serve_address = ascii_text("127.0.0.1:0", f->chars[7]);
    scrapes.is_used = true;
    scrapes.now_ms = 1000000;
    prfdata_exposition_serve(&f->task);
    scrapes.is_used = false;
    assert_int_equal(prfdata_task_status(&f->task), ERROR_NOT_ENOUGH_MEMORY);
}
#endif

static void test_exposition_server_wants_an_address(void **state)
{
    static const char *const wrong[] = {"x", "70000", "1.2.3:80", "name.example:80", "192.0.2.1:0"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        exposition_fixture *f = *state;

        f->task.failure = f->task.session.failure = ERROR_SUCCESS;
        f->task.options.serve_address = ascii_text(wrong[i], f->chars[7]);
        prfdata_exposition_serve(&f->task);
        assert_int_not_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
        assert_int_equal(f->script.taken, 0);
    }
}

static void test_exposition_server_reports_a_port_in_use(void **state)
{
    exposition_fixture *f = *state;
    prfdata_net_address address;
    prfdata_net_socket listener;
    uint32_t status;
    uint16_t port;
    char text[32];

    assert_true(prfdata_net_start());
    assert_true(prfdata_net_address_parse(ascii_text("127.0.0.1:0", f->chars[7]), &address));
    assert_int_equal(prfdata_net_listen(&address, &listener, &port, &status), PRFDATA_NET_OK);
    snprintf(text, sizeof text, "%u", (unsigned)port);
    f->task.options.serve_address = ascii_text(text, f->chars[7]);
    prfdata_exposition_serve(&f->task);
    assert_int_not_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    prfdata_net_close(listener);
    prfdata_net_stop();
}

/* ---- -explain ---- */

static void test_exposition_explains_without_paths_too(void **state)
{
    exposition_fixture *f = *state;

    prfdata_exposition_explain(&f->task);
    assert_int_equal(prfdata_task_status(&f->task), ERROR_SUCCESS);
    assert_string_equal(f->script.query, "Global");
    expect_file(f, "\\Jobs\\Done/sec [102]: counter jobs_done_accumulated\n", true);
}

static void test_exposition_explains_what_paths_ask_for(void **state)
{
    exposition_fixture *f = *state;

    add_path(f, "\\Jobs\\Done/sec");
    /* Instances come and go, so metrics have names before there are instances. */
    add_path(f, "\\Jobs(any)\\*");
    add_path(f, "\\Jobs\\Absent");
    prfdata_exposition_explain(&f->task);
    assert_int_equal(f->task.wanted, 3);
    assert_int_equal(f->task.not_found, 1);
    expect_file(f, "\\Jobs\\Done/sec [102]: counter jobs_done_accumulated\n", true);
}

static void test_exposition_without_paths_asks_for_the_sources_objects(void **state)
{
    exposition_fixture *f = *state;

    f->script.source.kind = &system_kind;
    prfdata_exposition_explain(&f->task);
    assert_string_equal(f->script.query, "100");
    expect_file(f, "\\Jobs\\Done/sec [102]: counter jobs_done_accumulated\n", true);
}

static void test_exposition_without_paths_and_objects_says_so(void **state)
{
    exposition_fixture *f = *state;

    f->script.source.kind = &system_kind;
    f->script.count = 0;
    prfdata_exposition_explain(&f->task);
    assert_string_equal(f->script.query, "");
    assert_int_equal(f->task.wanted, 1);
    assert_int_equal(f->task.not_found, 1);
}

int main(void)
{
#define EXPOSITION_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        EXPOSITION_TEST(test_exposition_is_one_sample),
        EXPOSITION_TEST(test_exposition_open_metrics_ends),
        EXPOSITION_TEST(test_exposition_file_has_the_last_sample),
        EXPOSITION_TEST(test_exposition_follows_changed_titles),
        EXPOSITION_TEST(test_exposition_goes_on_over_changed_titles),
        EXPOSITION_TEST(test_exposition_shows_nothing_after_its_object_is_uninstalled),
        EXPOSITION_TEST(test_exposition_follows_changed_metrics),
        EXPOSITION_TEST(test_exposition_file_that_exists_stays),
        EXPOSITION_TEST(test_exposition_goes_on_after_samples_that_fail),
        EXPOSITION_TEST(test_exposition_goes_on_after_a_sample_of_nothing),
        EXPOSITION_TEST(test_exposition_ends_with_a_recording),
        EXPOSITION_TEST(test_exposition_goes_on_without_its_folder),
        EXPOSITION_TEST(test_exposition_file_of_others_ends_it),
        EXPOSITION_TEST(test_exposition_paths_that_find_nothing_are_counted),
        EXPOSITION_TEST(test_exposition_star_finds_counters_without_names),
        EXPOSITION_TEST(test_exposition_of_wrong_paths_only_asks_nothing),
        EXPOSITION_TEST(test_exposition_names_come_from_a_file),
        EXPOSITION_TEST(test_exposition_wrong_file_of_names_ends_it),
        EXPOSITION_TEST(test_exposition_objects_are_called_by_their_english_names),
        EXPOSITION_TEST(test_exposition_objects_by_default_are_up_or_not),
        EXPOSITION_TEST(test_exposition_server_wants_an_address),
        EXPOSITION_TEST(test_exposition_server_reports_a_port_in_use),
        EXPOSITION_TEST(test_exposition_explains_without_paths_too),
        EXPOSITION_TEST(test_exposition_explains_what_paths_ask_for),
        EXPOSITION_TEST(test_exposition_without_paths_asks_for_the_sources_objects),
        EXPOSITION_TEST(test_exposition_without_paths_and_objects_says_so),
#ifndef _WIN32
        EXPOSITION_TEST(test_exposition_server_lives_without_metrics),
        /* These tests are the last ones, because they stop the program. */
        EXPOSITION_TEST(test_exposition_goes_on_until_it_is_stopped),
        EXPOSITION_TEST(test_exposition_server_ends_when_it_is_stopped),
        EXPOSITION_TEST(test_exposition_server_names_the_computer_that_serves),
#endif
    };

#ifndef _WIN32
    prfdata_stop_catch();
#endif
    return cmocka_run_group_tests_name("exposition", tests, NULL, NULL);
}
