/* SPDX-License-Identifier: MIT */
/* Tests the queries and reports for the user's requests, and for a user without requests. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "paths/requests.h"
#include "support/reader/ascii_text.h"
#include "support/reader/localized_sample.h"
#include "support/reader/metric_sample.h"

/* ---- A source that knows its objects ---- */

typedef struct requests_script {
    prfdata_source source;
    wire block;
    uint32_t status;    /* what load_objects() returns */
    bool has_an_object; /* whether load_objects() gives an object */
    char query[600];
} requests_script;

static uint32_t take_block(prfdata_source *source, const uint16_t *query, void **bytes,
                           size_t *size)
{
    requests_script *self = (requests_script *)source;
    size_t used = 0;

    for (; *query; query++)
        self->query[used++] = (char)*query;
    self->query[used] = 0;
    *bytes = malloc(self->block.used);
    assert_non_null(*bytes);
    memcpy(*bytes, self->block.bytes, self->block.used);
    *size = self->block.used;
    return ERROR_SUCCESS;
}

static uint32_t load_objects_requests(prfdata_source *source, prfdata_name_table *objects)
{
    requests_script *self = (requests_script *)source;

    if (self->status == ERROR_SUCCESS && self->has_an_object)
        metric_sample_name(objects, 300, "Jobs");
    return self->status;
}

/* The service has the titles of Jobs (100 to 108) and Machine (200 to 202). */
static uint32_t find_service(prfdata_source *source, prfdata_text service,
                             prfdata_source_titles *titles)
{
    (void)source;
    if (!ascii_text_is(service, "My Service"))
        return ERROR_FILE_NOT_FOUND;
    *titles = (prfdata_source_titles){100, 202};
    return ERROR_SUCCESS;
}

static bool explain_absence(prfdata_source *source, prfdata_text object, prfdata_output *output)
{
    (void)source;
    if (!ascii_text_is(object, "Ours"))
        return false;
    prfdata_output_put_string(output, "it belongs to the service Service");
    return true;
}

static const prfdata_source_kind chooses = {.take = take_block,
                                            .load_objects = load_objects_requests,
                                            .find_service = find_service,
                                            .explain_absence = explain_absence};
static const prfdata_source_kind shows_all = {.take = take_block};

/* ---- A source whose titles change ---- */

static uint64_t now_ms;

static uint64_t tell_time(void)
{
    return now_ms;
}

/* The titles that are installed now. `stamp` stands for the time stamp of the title database. */
static struct {
    uint64_t stamp;
    uint32_t object; /* "Queues" */
    uint32_t depth;  /* index of "Depth"; 0: it is not installed */
    uint32_t jobs;
    const char *jobs_name;
    const char *help; /* the help text of "Jobs" */
    uint32_t status;  /* the result of loading the titles */
    unsigned loads;
} installed;

static uint64_t stamp_of_titles(prfdata_source *source)
{
    (void)source;
    return installed.stamp;
}

static uint32_t load_titles_requests(prfdata_source *source, prfdata_titles *titles)
{
    (void)source;
    installed.loads++;
    if (installed.status != ERROR_SUCCESS)
        return installed.status;
    metric_sample_name(&titles->english, installed.object, "Queues");
    if (installed.depth != 0)
        metric_sample_name(&titles->english, installed.depth, "Depth");
    metric_sample_name(&titles->english, installed.jobs, installed.jobs_name);
    return ERROR_SUCCESS;
}

static uint32_t load_helps_requests(prfdata_source *source, prfdata_titles *titles)
{
    (void)source;
    if (!installed.help)
        return ERROR_FILE_NOT_FOUND;
    metric_sample_name(&titles->helps, installed.jobs + 1, installed.help);
    return ERROR_SUCCESS;
}

static void close_nothing(prfdata_source *source)
{
    (void)source;
}

static const prfdata_source_kind changes = {.take = take_block,
                                            .load_titles = load_titles_requests,
                                            .load_helps = load_helps_requests,
                                            .titles_stamp = stamp_of_titles,
                                            .close = close_nothing};

/* ---- Helpers ---- */

typedef struct requests_fixture {
    requests_script script;
    prfdata_session session;
    prfdata_messages messages;
    prfdata_requests requests;
    prfdata_columns columns;
    prfdata_sample *older; /* the last sample of the installed objects */
    uint16_t path[32];
} requests_fixture;

static int set_up(void **state)
{
    requests_fixture *f = calloc(1, sizeof *f);

    assert_non_null(f);
    f->script.source.kind = &chooses;
    localized_sample_write(&f->script.block);
    f->session.source = &f->script.source;
    f->session.messages = &f->messages;
    localized_sample_name(&f->session.titles);
    prfdata_columns_init(&f->columns, &f->session.titles, f->session.computer);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    requests_fixture *f = *state;

    prfdata_sample_free(f->older);
    prfdata_columns_free(&f->columns);
    prfdata_requests_free(&f->requests);
    prfdata_messages_free(&f->messages);
    prfdata_titles_free(&f->session.titles);
    free(f);
    return 0;
}

/* Take a sample, and add columns for what is new in it. Returns the number of columns. */
static size_t add_sample(requests_fixture *f)
{
    prfdata_sample *sample = NULL;

    assert_int_equal(prfdata_requests_take(&f->session, &f->requests, &sample), ERROR_SUCCESS);
    assert_int_equal(prfdata_requests_add_columns(&f->session, &f->requests, sample, &f->columns),
                     ERROR_SUCCESS);
    prfdata_sample_free(sample);
    return f->columns.count;
}

static uint32_t make(requests_fixture *f, const prfdata_text *names, size_t count,
                     bool takes_objects)
{
    const prfdata_requests_texts texts = {
        .names = names, .name_count = count, .takes_objects = takes_objects};

    return prfdata_requests_make(&f->session, &texts, &f->requests);
}

static void install_titles(uint32_t object, uint32_t depth, uint32_t jobs, const char *jobs_name)
{
    installed.stamp++;
    installed.object = object;
    installed.depth = depth;
    installed.jobs = jobs;
    installed.jobs_name = jobs_name;
}

/* Write a sample of the installed objects: a depth, and the number of jobs so far, which is shown
 * as growth. */
static void write_installed(requests_fixture *f, uint64_t depth, uint64_t jobs)
{
    enum { LARGE_RAWCOUNT = 0x00010100, LARGE_DELTA = 0x00400500 };
    wire *w = &f->script.block;
    size_t object, values;

    memset(w, 0, sizeof *w);
    wire_begin(w, 1);
    object = wire_object(w, installed.object, installed.depth ? 2 : 1, -1, 0);
    wire_counter(w, installed.jobs, LARGE_DELTA, 8, 8);
    if (installed.depth != 0)
        wire_counter(w, installed.depth, LARGE_RAWCOUNT, 8, 16);
    values = wire_values(w);
    wire_put32(w, 0);
    wire_put64(w, jobs);
    wire_put64(w, depth);
    wire_values_end(w, values);
    wire_object_end(w, object);
    wire_end(w);
}

/* Read all of Queues, one second after the sample before. */
static void read_installed(requests_fixture *f)
{
    prfdata_sample *newer = NULL;

    now_ms += 1000;
    assert_int_equal(prfdata_requests_take(&f->session, &f->requests, &newer), ERROR_SUCCESS);
    assert_int_equal(prfdata_requests_add_columns(&f->session, &f->requests, newer, &f->columns),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_columns_compute(&f->columns, f->older, newer, false), ERROR_SUCCESS);
    prfdata_sample_free(f->older);
    f->older = newer;
}

static void show_installed(requests_fixture *f, uint64_t depth, uint64_t jobs)
{
    write_installed(f, depth, jobs);
    read_installed(f);
}

static void begin_installed(requests_fixture *f)
{
    static prfdata_text names[1];

    prfdata_titles_free(&f->session.titles);
    f->script.source.kind = &changes;
    memset(&installed, 0, sizeof installed);
    install_titles(2000, 2002, 2004, "Jobs");
    f->session.clock_ms = tell_time;
    f->session.titles_stamp = installed.stamp;
    assert_int_equal(load_titles_requests(&f->script.source, &f->session.titles), ERROR_SUCCESS);
    names[0] = ascii_text("\\Queues\\*", f->path);
    assert_int_equal(make(f, names, 1, false), ERROR_SUCCESS);
}

static const prfdata_column *column_of(const requests_fixture *f, const char *heading)
{
    for (size_t i = 0; i < f->columns.count; i++)
        if (strcmp(f->columns.items[i].heading, heading) == 0)
            return &f->columns.items[i];
    fail_msg("no column %s", heading);
    return NULL;
}

static void assert_column(const requests_fixture *f, const char *heading, uint32_t status,
                          double value)
{
    const prfdata_column *column = column_of(f, heading);

    assert_int_equal(column->status, status);
    if (status == PRFDATA_STATUS_OK)
        assert_true(column->value.number == value);
}

/* ---- Changed titles ---- */

/* Another product took the indexes of the titles, so the titles moved. The old index of Jobs now
 * belongs to Depth. */
static void test_requests_columns_follow_their_names_to_other_indexes(void **state)
{
    requests_fixture *f = *state;

    begin_installed(f);
    show_installed(f, 5, 100);
    show_installed(f, 6, 130);
    assert_column(f, "\\\\\\Queues\\Jobs", PRFDATA_STATUS_OK, 30);
    assert_column(f, "\\\\\\Queues\\Depth", PRFDATA_STATUS_OK, 6);

    install_titles(2002, 2004, 2006, "Jobs");
    show_installed(f, 7, 150);
    assert_int_equal(f->columns.count, 2);
    assert_string_equal(f->script.query, "2002");
    assert_column(f, "\\\\\\Queues\\Jobs", PRFDATA_STATUS_ONE_SAMPLE, 0);
    assert_column(f, "\\\\\\Queues\\Depth", PRFDATA_STATUS_OK, 7);
    show_installed(f, 8, 190);
    assert_column(f, "\\\\\\Queues\\Jobs", PRFDATA_STATUS_OK, 40);
}

/* An upgrade removes the counter, and the return to the old version restores it. In between, the
 * counter's column has no values. */
static void test_requests_column_whose_counter_is_gone_has_no_value(void **state)
{
    requests_fixture *f = *state;

    begin_installed(f);
    show_installed(f, 5, 100);
    install_titles(2000, 0, 2002, "Jobs"); /* "Jobs" gets the index that Depth had */
    show_installed(f, 9, 130);
    assert_column(f, "\\\\\\Queues\\Depth", PRFDATA_STATUS_NO_COUNTER, 0);
    assert_column(f, "\\\\\\Queues\\Jobs", PRFDATA_STATUS_ONE_SAMPLE, 0);
    show_installed(f, 9, 131);
    assert_column(f, "\\\\\\Queues\\Jobs", PRFDATA_STATUS_OK, 1);
    install_titles(2000, 2002, 2004, "Jobs");
    show_installed(f, 10, 140);
    assert_column(f, "\\\\\\Queues\\Depth", PRFDATA_STATUS_OK, 10);
    assert_int_equal(f->columns.count, 2);
}

/* The new name gets a column of its own, and the old column becomes empty. The earlier value at the
 * same index may belong to another product, so no difference is computed from it. */
static void test_requests_renamed_counter_is_a_new_column(void **state)
{
    requests_fixture *f = *state;

    begin_installed(f);
    show_installed(f, 5, 100);
    install_titles(2000, 2002, 2004, "Tasks");
    show_installed(f, 6, 120);
    assert_column(f, "\\\\\\Queues\\Depth", PRFDATA_STATUS_OK, 6);
    assert_column(f, "\\\\\\Queues\\Jobs", PRFDATA_STATUS_NO_COUNTER, 0);
    assert_column(f, "\\\\\\Queues\\Tasks", PRFDATA_STATUS_ONE_SAMPLE, 0);
    show_installed(f, 7, 150);
    assert_column(f, "\\\\\\Queues\\Tasks", PRFDATA_STATUS_OK, 30);
}

static bool is_called(const requests_fixture *f, uint32_t index, const char *name)
{
    return ascii_text_is(prfdata_titles_name(&f->session.titles, PRFDATA_BY_ENGLISH, index), name);
}

static void test_requests_uninstalled_titles_keep_their_last_names(void **state)
{
    uint16_t chars[16];
    requests_fixture *f = *state;

    begin_installed(f);
    show_installed(f, 5, 100);
    install_titles(2010, 0, 2002, "Tasks");
    show_installed(f, 5, 100);
    assert_true(is_called(f, 2000, "Queues") && is_called(f, 2004, "Jobs"));
    assert_true(is_called(f, 2002, "Tasks") && is_called(f, 2010, "Queues"));
    assert_int_equal(prfdata_titles_way_of(&f->session.titles, ascii_text("Jobs", chars)),
                     PRFDATA_BY_INDEX); /* searches find only titles that are installed now */
    install_titles(2010, 0, 2000, "Other");
    show_installed(f, 5, 100);
    assert_true(is_called(f, 2000, "Other") && is_called(f, 2004, "Jobs"));
    assert_true(is_called(f, 2002, "Tasks"));
}

/* An upgrade has removed a counter, but the provider still shows it for a moment. A * must not find
 * this counter. */
static void test_requests_star_is_nothing_that_is_no_longer_used(void **state)
{
    requests_fixture *f = *state;

    begin_installed(f);
    install_titles(2000, 2002, 2004, "(no longer used)");
    show_installed(f, 5, 100);
    assert_int_equal(f->columns.count, 1);
    assert_column(f, "\\\\\\Queues\\Depth", PRFDATA_STATUS_OK, 5);
}

static void test_requests_object_that_is_installed_later_is_found(void **state)
{
    uint16_t chars[2][32];
    prfdata_text names[2];
    requests_fixture *f = *state;

    begin_installed(f);
    prfdata_requests_free(&f->requests);
    names[0] = ascii_text("\\Queues\\Depth", chars[0]);
    names[1] = ascii_text("\\Queues\\Tasks", chars[1]);
    installed.object = 2010;
    assert_int_equal(make(f, names, 2, false), ERROR_SUCCESS);
    assert_int_equal(prfdata_requests_bad_count(&f->requests), 0);
    install_titles(2020, 2022, 2024, "Tasks");
    show_installed(f, 5, 100);
    assert_string_equal(f->script.query, "2020");
    assert_column(f, "\\\\\\Queues\\Depth", PRFDATA_STATUS_OK, 5);
    assert_column(f, "\\\\\\Queues\\Tasks", PRFDATA_STATUS_ONE_SAMPLE, 0);
}

/* The titles changed before the first sample. The second sample is still compared with the first
 * one. */
static void test_requests_first_sample_with_other_titles_counts(void **state)
{
    requests_fixture *f = *state;

    begin_installed(f);
    install_titles(2020, 2022, 2024, "Jobs");
    write_installed(f, 5, 100);
    now_ms += 1000;
    assert_int_equal(prfdata_requests_take(&f->session, &f->requests, &f->older), ERROR_SUCCESS);
    assert_int_equal(prfdata_requests_add_columns(&f->session, &f->requests, f->older, &f->columns),
                     ERROR_SUCCESS);
    show_installed(f, 6, 130);
    assert_column(f, "\\\\\\Queues\\Jobs", PRFDATA_STATUS_OK, 30);
}

/* The stamp is read with each sample. Titles are loaded only when the stamp has changed, and again
 * shortly afterwards. */
static void test_requests_titles_are_loaded_only_when_they_may_have_changed(void **state)
{
    requests_fixture *f = *state;
    unsigned loads;

    begin_installed(f);
    write_installed(f, 5, 100);
    for (int i = 0; i < 10; i++)
        read_installed(f);
    loads = installed.loads;
    assert_int_equal(loads, 1);
    assert_int_equal(f->session.titles.version, 0);
    installed.stamp++; /* the beginning of an installation: the names are the same */
    read_installed(f);
    assert_int_equal(installed.loads, loads + 1);
    assert_int_equal(f->session.titles.version, 0);
    installed.jobs_name = "Tasks"; /* the stamp does not change, because its clock has not ticked */
    now_ms += 200;
    read_installed(f);
    assert_int_equal(f->session.titles.version, 1);
    for (int i = 0; i < 10; i++)
        read_installed(f);
    assert_in_range(installed.loads, loads + 2, loads + 3);
    assert_int_equal(f->session.titles.version, 1);
}

/* Let the session look for new names. Returns whether it has the current name of "Jobs". */
static bool has_new_names(requests_fixture *f)
{
    size_t position = 0;
    uint16_t chars[32];
    uint32_t index;

    (void)prfdata_session_renew_titles(&f->session);
    return prfdata_name_table_find(&f->session.titles.english,
                                   ascii_text(installed.jobs_name, chars), PRFDATA_TEXT_AS_PATTERN,
                                   &position, &index);
}

static void assert_settled(requests_fixture *f)
{
    const unsigned loads = installed.loads;

    for (int i = 0; i < 10; i++) {
        now_ms += 5000;
        (void)prfdata_session_renew_titles(&f->session);
    }
    assert_int_equal(installed.loads, loads);
}

/* The stamp changes when an installation begins, and the names change up to two seconds later. The
 * session must have the new names within two seconds. If samples are rarer, the next sample must
 * find them. */
static void test_requests_new_names_are_there_within_two_seconds(void **state)
{
    static const uint64_t intervals_ms[] = {50, 250, 1000, 2000, 5000, 15000};
    requests_fixture *f = *state;

    for (size_t i = 0; i < sizeof intervals_ms / sizeof intervals_ms[0]; i++) {
        const uint64_t limit_ms = intervals_ms[i] > 2000 ? intervals_ms[i] : 2000;

        for (uint64_t after_ms = 0; after_ms <= 2000; after_ms += 50) {
            uint64_t begin_ms;

            prfdata_requests_free(&f->requests);
            begin_installed(f);
            begin_ms = now_ms += 60000;
            assert_false(prfdata_session_renew_titles(&f->session));
            for (installed.stamp++;; now_ms += intervals_ms[i]) {
                if (now_ms >= begin_ms + after_ms)
                    installed.jobs_name = "Tasks";
                if (has_new_names(f) && installed.jobs_name[0] == 'T')
                    break;
                assert_true(now_ms <= begin_ms + after_ms + limit_ms);
            }
            assert_true(now_ms <= begin_ms + after_ms + limit_ms);
            now_ms += intervals_ms[i] + 2000;
            (void)prfdata_session_renew_titles(&f->session);
            assert_settled(f);
            prfdata_titles_free(&f->session.titles);
        }
    }
}

/* Samples are 15 seconds apart. Names that were written after the stamp are found with the next
 * sample. */
static void test_requests_late_names_are_found_however_rare_samples_are(void **state)
{
    requests_fixture *f = *state;

    begin_installed(f);
    now_ms += 15000;
    installed.stamp++;
    assert_false(prfdata_session_renew_titles(&f->session)); /* the names are the same */
    installed.jobs_name = "Tasks";
    now_ms += 15000;
    assert_true(has_new_names(f));
    assert_settled(f);
}

/* The database is being written. Names that could not be read are read again with the next
 * sample. */
static void test_requests_names_that_could_not_be_read_are_read_again(void **state)
{
    requests_fixture *f = *state;

    begin_installed(f);
    install_titles(2000, 2002, 2004, "Tasks");
    installed.status = ERROR_FILE_NOT_FOUND;
    for (int i = 0; i < 5; i++) {
        now_ms += 15000;
        assert_false(has_new_names(f));
    }
    installed.status = ERROR_SUCCESS;
    now_ms += 15000;
    assert_true(has_new_names(f));
    assert_settled(f);
}

/* The session is opened in the middle of an installation, so it cannot load the titles. A later
 * sample loads them. */
static void test_requests_names_of_the_opening_are_looked_at_once_more(void **state)
{
    requests_fixture *f = *state;

    begin_installed(f);
    prfdata_titles_free(&f->session.titles);
    installed.status = ERROR_FILE_NOT_FOUND;
    prfdata_session_open(&f->session, &f->script.source, NULL);
    f->session.clock_ms = tell_time;
    now_ms = f->session.settled_ms - 2000;
    assert_int_equal(installed.loads, 2);
    assert_false(prfdata_session_renew_titles(&f->session));
    /* begin_installed() loaded the titles, and the opening tried to load them. The next sample does
     * not try again, because it comes immediately after the opening. */
    assert_int_equal(installed.loads, 2);
    installed.status = ERROR_SUCCESS;
    now_ms += 15000;
    assert_true(has_new_names(f));
    assert_settled(f);
}

/* Only the help texts change. A session that has loaded help texts gets new titles. A session
 * without help texts keeps its titles. */
static void test_requests_help_that_changes_alone_is_a_change(void **state)
{
    requests_fixture *f = *state;

    begin_installed(f);
    installed.help = "Jobs so far.";
    assert_int_equal(prfdata_session_load_helps(&f->session), ERROR_SUCCESS);
    installed.stamp++;
    installed.help = "Jobs that are done.";
    assert_true(prfdata_session_renew_titles(&f->session));
    assert_true(
        ascii_text_is(prfdata_name_table_name(&f->session.titles.helps, 2005), installed.help));
    installed.stamp++;
    installed.help = NULL; /* cannot be read at the moment */
    assert_false(prfdata_session_renew_titles(&f->session));
    installed.help = "Jobs.";
    now_ms += 15000;
    assert_true(prfdata_session_renew_titles(&f->session));
    f->session.has_helps = false;
    installed.stamp++;
    installed.help = "Tasks.";
    assert_false(prfdata_session_renew_titles(&f->session));
}

/* ---- Names ---- */

static void test_requests_objects_are_asked_for_as_a_whole(void **state)
{
    uint16_t chars[2][32];
    const prfdata_text names[] = {ascii_text("jobs", chars[0]),
                                  ascii_text("\\Machine\\Level", chars[1])};
    requests_fixture *f = *state;

    assert_int_equal(make(f, names, 2, true), ERROR_SUCCESS);
    /* Two objects have this name, with 8 and 1 values. */
    assert_int_equal(add_sample(f), 8 + 1 + 1);
    assert_string_equal(f->script.query, "100 300 200");
    assert_int_equal(prfdata_requests_missing_count(&f->requests), 0);
    assert_int_equal(f->messages.count, 0);
}

static void test_requests_services_are_asked_for_as_a_whole(void **state)
{
    uint16_t chars[2][32];
    const prfdata_text names[] = {ascii_text("Service:My Service", chars[0]),
                                  ascii_text("service:Other", chars[1])};
    requests_fixture *f = *state;

    f->script.query[0] = 0;
    assert_int_equal(make(f, names, 2, false), ERROR_SUCCESS);
    assert_int_equal(add_sample(f), 8 + 1);
    assert_memory_equal(f->script.query, "100 102 104 ", 12);
    assert_int_equal(prfdata_requests_bad_count(&f->requests), 1);
    assert_int_equal(f->messages.count, 1);
    assert_string_equal(f->messages.items[0].text, "no service of this name has counters");
}

static void test_requests_sources_may_not_know_services(void **state)
{
    uint16_t chars[32];
    const prfdata_text name = ascii_text("service:My Service", chars);
    requests_fixture *f = *state;

    f->script.source.kind = &shows_all;
    assert_int_equal(make(f, &name, 1, false), ERROR_NOT_FOUND);
    assert_non_null(strstr(f->messages.items[0].text, "saved blocks do not say"));
}

static void test_requests_objects_may_have_a_star(void **state)
{
    uint16_t chars[32];
    const prfdata_text name = ascii_text("\\jo*(*)\\Active", chars);
    requests_fixture *f = *state;

    assert_int_equal(make(f, &name, 1, false), ERROR_SUCCESS);
    assert_int_equal(add_sample(f), 2);
    assert_string_equal(f->script.query, "100 300");
    assert_int_equal(f->messages.count, 0);
}

static void test_requests_objects_may_be_no_paths(void **state)
{
    uint16_t chars[32];
    const prfdata_text name = ascii_text("jobs", chars);
    requests_fixture *f = *state;

    assert_int_equal(make(f, &name, 1, false), ERROR_NOT_FOUND);
    assert_int_equal(prfdata_requests_bad_count(&f->requests), 1);
    assert_int_equal(f->messages.count, 1);
    assert_non_null(strstr(f->messages.items[0].text, "character 1: a counter path begins"));
}

static void test_requests_misspelt_counter_is_answered_by_the_likely_one(void **state)
{
    uint16_t chars[3][32];
    const prfdata_text names[] = {ascii_text("\\Jobs(*)\\Waitign", chars[0]),
                                  ascii_text("\\Arbeiten(*)\\Laufen", chars[1]),
                                  ascii_text("\\Jobs(*)\\Nonsense", chars[2])};
    static const char *const said[] = {"the object has no such counter; did you mean \"Waiting\"?",
                                       "the object has no such counter; did you mean \"Laufend\"?",
                                       "the object has no such counter"};
    requests_fixture *f = *state;

    assert_int_equal(make(f, names, 3, false), ERROR_SUCCESS);
    assert_int_equal(add_sample(f), 0);
    assert_int_equal(f->messages.count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(f->messages.items[i].text, said[i]);
        assert_string_equal(f->messages.items[i].problem, "the object has no such counter");
    }
}

/* The first mistake is in a settings file, the second one is on the command line. */
static void test_requests_mistakes_name_their_lines(void **state)
{
    static const uint32_t lines[] = {7, 0};
    uint16_t chars[3][32];
    const prfdata_text names[] = {ascii_text("\\Nope\\X", chars[0]),
                                  ascii_text("\\Jobs(z)\\Active", chars[1])};
    requests_fixture *f = *state;
    const prfdata_requests_texts texts = {.names = names,
                                          .name_count = 2,
                                          .name_lines = lines,
                                          .name_file = ascii_text("my.conf", chars[2])};

    assert_int_equal(prfdata_requests_make(&f->session, &texts, &f->requests), ERROR_SUCCESS);
    assert_int_equal(add_sample(f), 0);
    assert_int_equal(f->messages.count, 2);
    assert_int_equal(f->messages.items[0].line, 7);
    assert_true(ascii_text_is(f->messages.items[0].file, "my.conf"));
    assert_int_equal(f->messages.items[1].line, 0);
    assert_int_equal(f->messages.items[1].file.count, 0);
}

static void test_requests_wrong_ones_do_not_stop_the_others(void **state)
{
    static const char *const texts[] = {"\\Jobs", "\\\\Elsewhere\\Jobs\\*", "\\No Such\\*",
                                        "\\Jobs(x)\\Active", "\\Jobs(z)\\Active"};
    static const char *const reasons[] = {
        "character 6: \\Counter is missing after the object name", PRFDATA_SESSION_ONE_COMPUTER,
        "no object has this name; -q lists all objects", "the object has no such instance now"};
    uint16_t chars[5][32];
    prfdata_text names[5];
    requests_fixture *f = *state;

    for (size_t i = 0; i < 5; i++)
        names[i] = ascii_text(texts[i], chars[i]);
    assert_int_equal(make(f, names, 5, false), ERROR_SUCCESS);
    assert_int_equal(f->requests.count, 5);
    assert_int_equal(prfdata_requests_bad_count(&f->requests), 3);
    assert_int_equal(add_sample(f), 1);
    assert_int_equal(prfdata_requests_missing_count(&f->requests), 4);
    assert_int_equal(f->messages.count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(f->messages.items[i].text, reasons[i]);
}

/* The report says to which service an absent object belongs, even if no title has the object's
 * name. The service's titles may be missing. */
static void test_requests_absent_object_of_ours_has_its_reason(void **state)
{
    static const char *const texts[] = {"\\Ours\\*", "\\No Such\\*", "\\Ours(x)\\Active"};
    static const char *const said[] = {
        "no provider has this object now: it belongs to the service Service",
        "no object has this name; -q lists all objects",
        "no provider has this object now: it belongs to the service Service"};
    uint16_t chars[3][32];
    prfdata_text names[3];
    requests_fixture *f = *state;

    for (size_t i = 0; i < 3; i++)
        names[i] = ascii_text(texts[i], chars[i]);
    assert_int_equal(make(f, names, 3, false), ERROR_NOT_FOUND);
    assert_int_equal(f->messages.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(f->messages.items[i].text, said[i]);
    assert_string_equal(f->messages.items[0].problem, "no provider has this object now");
}

static void test_requests_titled_object_of_ours_has_its_reason(void **state)
{
    uint16_t chars[32], title[32];
    const prfdata_text name = ascii_text("\\Ours\\Level", chars);
    requests_fixture *f = *state;

    assert_int_equal(
        prfdata_name_table_add(&f->session.titles.english, 900, ascii_text("Ours", title)),
        ERROR_SUCCESS);
    assert_int_equal(make(f, &name, 1, false), ERROR_SUCCESS);
    assert_int_equal(add_sample(f), 0);
    assert_int_equal(f->messages.count, 1);
    assert_string_equal(f->messages.items[0].text,
                        "no provider has this object now: it belongs to the service Service");
}

/* ---- Without names ---- */

static void test_requests_default_objects_are_the_sources(void **state)
{
    requests_fixture *f = *state;

    f->script.has_an_object = true;
    assert_int_equal(prfdata_requests_make_default(&f->session, &f->requests), ERROR_SUCCESS);
    assert_int_equal(add_sample(f), 1);
    assert_string_equal(f->script.query, "300");
    assert_string_equal(f->columns.items[0].heading, "\\\\\\Jobs\\Active");
}

static void test_requests_default_may_be_everything(void **state)
{
    requests_fixture *f = *state;

    f->script.source.kind = &shows_all;
    assert_int_equal(prfdata_requests_make_default(&f->session, &f->requests), ERROR_SUCCESS);
    assert_int_equal(add_sample(f), 8 + 1 + 1);
    assert_string_equal(f->script.query, "Global");
    assert_int_equal(prfdata_requests_missing_count(&f->requests), 0);
}

static void test_requests_default_may_be_nothing(void **state)
{
    requests_fixture *f = *state;

    assert_int_equal(prfdata_requests_make_default(&f->session, &f->requests), ERROR_NOT_FOUND);
    prfdata_requests_free(&f->requests);
    f->script.status = ERROR_NOT_ENOUGH_MEMORY;
    assert_int_equal(prfdata_requests_make_default(&f->session, &f->requests),
                     ERROR_NOT_ENOUGH_MEMORY);
    assert_int_equal(f->messages.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_requests_columns_follow_their_names_to_other_indexes),
        TEST(test_requests_column_whose_counter_is_gone_has_no_value),
        TEST(test_requests_uninstalled_titles_keep_their_last_names),
        TEST(test_requests_renamed_counter_is_a_new_column),
        TEST(test_requests_star_is_nothing_that_is_no_longer_used),
        TEST(test_requests_object_that_is_installed_later_is_found),
        TEST(test_requests_first_sample_with_other_titles_counts),
        TEST(test_requests_titles_are_loaded_only_when_they_may_have_changed),
        TEST(test_requests_new_names_are_there_within_two_seconds),
        TEST(test_requests_late_names_are_found_however_rare_samples_are),
        TEST(test_requests_names_that_could_not_be_read_are_read_again),
        TEST(test_requests_names_of_the_opening_are_looked_at_once_more),
        TEST(test_requests_help_that_changes_alone_is_a_change),
        TEST(test_requests_objects_are_asked_for_as_a_whole),
        TEST(test_requests_services_are_asked_for_as_a_whole),
        TEST(test_requests_sources_may_not_know_services),
        TEST(test_requests_objects_may_have_a_star),
        TEST(test_requests_objects_may_be_no_paths),
        TEST(test_requests_misspelt_counter_is_answered_by_the_likely_one),
        TEST(test_requests_mistakes_name_their_lines),
        TEST(test_requests_wrong_ones_do_not_stop_the_others),
        TEST(test_requests_absent_object_of_ours_has_its_reason),
        TEST(test_requests_titled_object_of_ours_has_its_reason),
        TEST(test_requests_default_objects_are_the_sources),
        TEST(test_requests_default_may_be_everything),
        TEST(test_requests_default_may_be_nothing),
    };

    return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}
