/* SPDX-License-Identifier: MIT */
/* Tests that prfread and prfview read back each path that they print. If a path names two counters,
 * a message must say how to write the path of the wanted counter. Titles and instances have unusual
 * forms. Their paths are written in the forms of headings and lists, and are read in each place
 * that accepts paths. PRFDATA_SEEDS in the environment sets the number of seeds of the first
 * test. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>
#include <prfdata/perf_types.h>

#include "paths/list.h"
#include "paths/requests.h"
#include "prometheus/overrides.h"
#include "support/reader/ascii_text.h"
#include "support/reader/wire_sample.h"
#include "viewer/viewer.h"
#include "viewer/workspace.h"

enum { OBJECTS = 4, COUNTERS = 4, INSTANCES = 5, SEEDS = 300 };

static const char *const object_shapes[] = {
    "A",       "A(b)", "A (b)",   "A()",   "A(b)(c)", "A (b (c))", "A\\x", "A\\x(b)",
    "A*",      "*A",   "A#1",     "A ",    "A/b",     "A \"q\"",   "(A)",  "A(",
    "A)",      "A)(",  "Ax",      "A(b ",  "*",       "**",        "102",  "A\\(b",
    "DC (DC)", "DC",   "A (b) C", "A*(b)", "A(*)",    "A(b#0)"};
static const char *const counter_shapes[] = {
    "Jobs", "Jobs/sec", "# Jobs",  "Jobs (x)", "Peak",     "Peak ", "C*",          "Cx", "(y)",
    "104",  "a) b",     "% \"q\"", "c\\d",     "b)\\Jobs", "x)\\y", "Jobs metric", "*",  "***"};
static const char *const instance_shapes[] = {
    "",      "b",     "b",        "x#1", "x",         "a/b",   "c:\\d", "e)", "(f",
    "g)\\h", "*i",    "j*k",      "jxk", " l ",       "\"m\"", "n#0",   "n",  "b)(c",
    "DC",    "b (c)", "p)\\Jobs", "#0",  "app (x86)", "**",    "*"};

static uint32_t printed_random;

static uint32_t below(uint32_t limit)
{
    printed_random = printed_random * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(printed_random >> 8) * limit) >> 24);
}

/* ---- A sample of odd names ---- */

typedef struct printed_object {
    const char *name;
    const char *counters[COUNTERS];
    uint32_t instance_count; /* 0: the object has none */
} printed_object;

typedef struct printed_scene {
    prfdata_source source;
    wire block;
    prfdata_session session;
    prfdata_messages messages;
    prfdata_sample *sample;
    uint32_t paths;
    uint32_t doubtful; /* how many of `paths` name two counters */
} printed_scene;

static uint32_t take_printed(prfdata_source *source, const uint16_t *query, void **bytes,
                             size_t *size)
{
    printed_scene *s = (printed_scene *)source;

    (void)query;
    *bytes = malloc(s->block.used);
    assert_non_null(*bytes);
    memcpy(*bytes, s->block.bytes, s->block.used);
    *size = s->block.used;
    return ERROR_SUCCESS;
}

static const prfdata_source_kind printed_kind = {.take = take_printed, .is_recorded = true};

static uint32_t object_title(uint32_t object)
{
    return 1000 + 100 * object;
}

static uint32_t counter_title(uint32_t object, uint32_t counter)
{
    return object_title(object) + 2 + 2 * counter;
}

static uint32_t printed_value(uint32_t object, uint32_t counter, uint32_t instance)
{
    return 1 + instance + 10 * (counter + 10 * object);
}

static void choose_shapes(const char *const *shapes, size_t shape_count, const char **chosen,
                          uint32_t count)
{
    for (uint32_t i = 0; i < count;) {
        const char *shape = shapes[below((uint32_t)shape_count)];
        uint32_t same = 0;

        while (same < i && strcmp(chosen[same], shape) != 0)
            same++;
        if (same == i)
            chosen[i++] = shape;
    }
}

static void name_printed(printed_scene *s, uint32_t title, const char *name)
{
    uint16_t chars[40];

    assert_int_equal(
        prfdata_name_table_add(&s->session.titles.english, title, ascii_text(name, chars)), 0);
}

static void write_values(wire *w, uint32_t object, uint32_t instance)
{
    const size_t values = wire_values(w);

    for (uint32_t c = 0; c < COUNTERS; c++)
        wire_put32(w, printed_value(object, c, instance));
    wire_values_end(w, values);
}

static void write_object(printed_scene *s, uint32_t o, const printed_object *object)
{
    const int32_t instances =
        object->instance_count > 0 ? (int32_t)object->instance_count : PERF_NO_INSTANCES;
    const size_t begin = wire_object(&s->block, object_title(o), COUNTERS, instances, 0);

    name_printed(s, object_title(o), object->name);
    for (uint32_t c = 0; c < COUNTERS; c++) {
        wire_counter(&s->block, counter_title(o, c), PERF_COUNTER_RAWCOUNT, 4, 4 + 4 * c);
        name_printed(s, counter_title(o, c), object->counters[c]);
    }
    if (object->instance_count == 0)
        write_values(&s->block, o, 0);
    for (uint32_t i = 0; i < object->instance_count; i++) {
        const size_t count = sizeof instance_shapes / sizeof instance_shapes[0];

        wire_instance(&s->block, 0, 0, -1, instance_shapes[below((uint32_t)count)]);
        write_values(&s->block, o, i);
    }
    wire_object_end(&s->block, begin);
}

static void begin_printed(printed_scene *s, uint32_t seed)
{
    static const uint16_t computer[] = {'P', 'C'};
    const char *names[OBJECTS];

    memset(s, 0, sizeof *s);
    printed_random = seed * 2654435761u + 1;
    s->source.kind = &printed_kind;
    s->session.source = &s->source;
    s->session.messages = &s->messages;
    s->session.computer = (prfdata_text){computer, 2};
    choose_shapes(object_shapes, sizeof object_shapes / sizeof object_shapes[0], names, OBJECTS);
    wire_begin(&s->block, OBJECTS);
    for (uint32_t o = 0; o < OBJECTS; o++) {
        printed_object object = {.name = names[o],
                                 .instance_count = below(2) ? 1 + below(INSTANCES) : 0};

        choose_shapes(counter_shapes, sizeof counter_shapes / sizeof counter_shapes[0],
                      object.counters, COUNTERS);
        write_object(s, o, &object);
    }
    wire_end(&s->block);
    s->sample = wire_sample(&s->block);
}

static void end_printed(printed_scene *s)
{
    prfdata_sample_free(s->sample);
    prfdata_messages_free(&s->messages);
    prfdata_titles_free(&s->session.titles);
}

/* ---- Places that accept paths ---- */

/* Return the value of the only column of the requests, or 0 if they have no column or several. */
static uint32_t value_of_requests(printed_scene *s, const prfdata_requests_texts *texts)
{
    prfdata_requests requests;
    prfdata_columns columns;
    prfdata_sample *sample = NULL;
    uint32_t value = 0;

    prfdata_columns_init(&columns, &s->session.titles, s->session.computer);
    if (prfdata_requests_make(&s->session, texts, &requests) == ERROR_SUCCESS &&
        prfdata_requests_take(&s->session, &requests, &sample) == ERROR_SUCCESS) {
        assert_int_equal(prfdata_requests_add_columns(&s->session, &requests, sample, &columns),
                         ERROR_SUCCESS);
        assert_int_equal(prfdata_columns_compute(&columns, NULL, sample, true), ERROR_SUCCESS);
        if (columns.count == 1)
            value = (uint32_t)columns.items[0].raw.value;
    }
    prfdata_sample_free(sample);
    prfdata_columns_free(&columns);
    prfdata_requests_free(&requests);
    return value;
}

static uint32_t read_by_command_line(printed_scene *s, const char *path)
{
    uint16_t chars[200];
    const prfdata_text text = ascii_text(path, chars);

    return value_of_requests(s, &(prfdata_requests_texts){.names = &text, .name_count = 1});
}

static uint32_t read_by_file(printed_scene *s, const char *path)
{
    prfdata_requests_texts texts = {0};
    prfdata_lines_error error;
    char bytes[200];
    uint32_t value;

    snprintf(bytes, sizeof bytes, "# list\r\n%s\r\n", path);
    assert_int_equal(prfdata_lines_make(bytes, strlen(bytes), &texts.lines, &error), ERROR_SUCCESS);
    value = value_of_requests(s, &texts);
    prfdata_lines_free(&texts.lines);
    return value;
}

static uint32_t read_by_quoted_line(printed_scene *s, const char *path)
{
    char quoted[200];

    snprintf(quoted, sizeof quoted, " \"%s\" ", path);
    return read_by_file(s, quoted);
}

/* Read the path as a line of -metrics. Return the value that it names, or 0 if it names none or
 * several. */
static uint32_t read_by_metrics(printed_scene *s, const char *path)
{
    prfdata_overrides overrides = {0};
    prfdata_overrides_error error;
    prfdata_resolver_path other;
    prfdata_resolver resolver;
    prfdata_lines lines;
    char bytes[200];
    uint32_t value = 0;

    snprintf(bytes, sizeof bytes, "\"%s\" metric=m\r\n", path);
    if (prfdata_overrides_make(bytes, strlen(bytes), &s->session.titles, &overrides, &lines,
                               &error) != ERROR_SUCCESS) {
        prfdata_lines_free(&lines);
        return 0;
    }
    (void)prfdata_resolver_choose(&overrides.items[0].path, &s->session.titles, s->sample, &other);
    prfdata_resolver_begin(&resolver, &overrides.items[0].path, &s->session.titles, s->sample);
    if (prfdata_resolver_next(&resolver)) {
        prfdata_compute_raw raw;

        assert_int_equal(prfdata_sample_raw(s->sample, resolver.object, resolver.instance,
                                            resolver.counter_position, &raw),
                         PRFDATA_STATUS_OK);
        value = (uint32_t)raw.value;
        if (prfdata_resolver_next(&resolver))
            value = 0;
    }
    prfdata_overrides_free(&overrides);
    return value;
}

static void hear_nothing(void *context, unsigned what)
{
    (void)context;
    (void)what;
}

static void hear_no_saying(void *context, prfdata_viewer_saying saying, prfdata_text about)
{
    (void)context;
    (void)saying;
    (void)about;
}

static void hear_no_question(void *context, uint32_t title)
{
    (void)context;
    (void)title;
}

static uint32_t value_of_key(const printed_scene *s, const prfdata_chart_key *key)
{
    const prfdata_sample_object *object = prfdata_sample_find_object(s->sample, key->object_title);
    const prfdata_sample_instance *instance = prfdata_sample_find_instance(object, key->label);
    prfdata_compute_raw raw;

    assert_non_null(instance);
    assert_int_equal(prfdata_sample_raw(s->sample, object, instance,
                                        (key->counter_title - key->object_title) / 2 - 1, &raw),
                     PRFDATA_STATUS_OK);
    return (uint32_t)raw.value;
}

/* Returns the value of the only line of a viewer that is asked for the path. If `saved` is not
 * NULL, it gets the line's own path. */
static uint32_t read_by_viewer(printed_scene *s, prfdata_text path, prfdata_workspace *saved)
{
    static const prfdata_viewer_words words = {0};
    const prfdata_viewer_observer observer = {NULL, hear_nothing, hear_no_saying, hear_no_question};
    const prfdata_title_set all = {0};
    uint32_t titles[PRFDATA_VIEWER_WANTED_MOST];
    size_t title_count;
    prfdata_sample *sample = NULL;
    prfdata_viewer *viewer = calloc(1, sizeof *viewer);
    uint32_t value = 0;
    size_t size = 0;
    void *bytes = NULL;

    assert_non_null(viewer);
    prfdata_viewer_init(viewer, &observer, 1000000);
    viewer->titles = s->session.titles;
    viewer->computer = s->session.computer;
    viewer->is_live = true;
    prfdata_viewer_begin(viewer, &words, &s->session.titles.english);
    prfdata_viewer_add_name(viewer, path);
    prfdata_viewer_begin_names(viewer);
    title_count = prfdata_viewer_wanted(viewer, titles);
    assert_int_equal(take_printed(&s->source, NULL, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(prfdata_sample_make(bytes, size, &sample), ERROR_SUCCESS);
    prfdata_viewer_take(viewer, sample, &all, 0);
    if (viewer->chart.series_count == 1 &&
        prfdata_title_set_lists(titles, title_count, viewer->chart.series[0]->key.object_title)) {
        value = value_of_key(s, &viewer->chart.series[0]->key);
        if (saved)
            prfdata_workspace_put(saved, "series", viewer->chart.series[0]->path);
    }
    prfdata_viewer_free(viewer);
    free(viewer);
    return value;
}

static uint32_t read_by_window(printed_scene *s, const char *path)
{
    uint16_t chars[200];

    return read_by_viewer(s, ascii_text(path, chars), NULL);
}

/* Read the line's path from a workspace, as another window does. */
static uint32_t read_by_workspace(printed_scene *s, const char *path)
{
    prfdata_workspace saved = {0};
    prfdata_workspace opened = {0};
    prfdata_text value;
    uint16_t chars[200];
    uint32_t result = 0;

    if (read_by_viewer(s, ascii_text(path, chars), &saved) != 0) {
        assert_int_equal(prfdata_workspace_read(&opened, saved.text.bytes, saved.text.used),
                         ERROR_SUCCESS);
        if (prfdata_workspace_get(&opened, "series", 0, &value))
            result = read_by_viewer(s, value, NULL);
    }
    prfdata_workspace_free(&saved);
    prfdata_workspace_free(&opened);
    return result;
}

static const struct {
    const char *name;
    uint32_t (*read)(printed_scene *s, const char *path);
} entrances[] = {
    {"command line", read_by_command_line},
    {"-cf", read_by_file},
    {"-cf, in quotes", read_by_quoted_line},
    {"-metrics", read_by_metrics},
    {"prfview", read_by_window},
    {"workspace", read_by_workspace},
};

/* ---- Printed paths ---- */

/* Returns whether a message about the path says how to write the path of the wanted counter. */
static bool is_told_apart(printed_scene *s, const char *path, uint32_t value)
{
    size_t count; /* number of messages about the path; messages about proposals follow */

    prfdata_messages_free(&s->messages);
    (void)read_by_command_line(s, path);
    count = s->messages.count;
    for (size_t i = 0; i < count; i++) {
        const char *text = s->messages.items[i].text;

        for (const char *at = text; (at = strstr(at, "written ")) != NULL;) {
            char proposed[200];
            const char *end = strstr(at, "; ");

            at += strlen("written ");
            snprintf(proposed, sizeof proposed, "%.*s", end ? (int)(end - at) : 199, at);
            if (read_by_command_line(s, proposed) == value)
                return true;
        }
    }
    return false;
}

static void check_printed(printed_scene *s, uint32_t seed, const char *path, uint32_t value)
{
    s->paths++;
    for (size_t i = 0; i < sizeof entrances / sizeof entrances[0]; i++) {
        const uint32_t found = entrances[i].read(s, path);

        if (found == value)
            continue;
        if (!is_told_apart(s, path, value))
            fail_msg("seed %u: %s by %s gives %u, not %u", (unsigned)seed, path, entrances[i].name,
                     (unsigned)found, (unsigned)value);
        s->doubtful++;
        return;
    }
}

static void check_counter_printed(printed_scene *s, uint32_t seed, uint32_t o, uint32_t c,
                                  uint32_t i)
{
    const prfdata_sample_object *object = &s->sample->objects[o];
    const prfdata_chart_key key = {object_title(o), counter_title(o, c),
                                   object->instances[i].label};
    const prfdata_output none = {0};
    prfdata_output path = none;

    prfdata_output_put_string(&path, "\\\\PC");
    prfdata_details_put_path(&path, &key, &s->session.titles, object->has_instances);
    prfdata_output_put(&path, "", 1);
    assert_false(path.failed);
    check_printed(s, seed, path.bytes, printed_value(o, c, i));
    check_printed(s, seed, path.bytes + strlen("\\\\PC"), printed_value(o, c, i));
    prfdata_output_free(&path);
}

static void test_printed_paths_are_taken_back_by_every_entrance(void **state)
{
    const char *asked = getenv("PRFDATA_SEEDS");
    const uint32_t seeds = asked ? (uint32_t)strtoul(asked, NULL, 10) : SEEDS;
    uint32_t paths = 0;
    uint32_t doubtful = 0;

    (void)state;
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        static printed_scene s;
        uint32_t o;
        uint32_t i;

        begin_printed(&s, seed);
        o = below(OBJECTS);
        i = below(s.sample->objects[o].instance_count);
        for (uint32_t c = 0; c < COUNTERS; c++)
            check_counter_printed(&s, seed, o, c, i);
        paths += s.paths;
        doubtful += s.doubtful;
        end_printed(&s);
    }
    print_message("%u paths, %u of them with two meanings\n", (unsigned)paths, (unsigned)doubtful);
    assert_true(doubtful < paths / 10);
}

static void test_printed_lists_name_what_is_there(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        static printed_scene s;
        prfdata_output list = {0};

        begin_printed(&s, seed);
        for (uint32_t o = 0; o < OBJECTS; o++)
            prfdata_list_put(&list, &s.sample->objects[o], &s.session.titles.english, seed % 2);
        assert_false(list.failed);
        {
            prfdata_requests_texts texts = {0};
            prfdata_lines_error error;
            prfdata_requests requests;
            prfdata_sample *sample = NULL;
            prfdata_columns columns;

            assert_int_equal(prfdata_lines_make(list.bytes, list.used, &texts.lines, &error),
                             ERROR_SUCCESS);
            prfdata_columns_init(&columns, &s.session.titles, s.session.computer);
            assert_int_equal(prfdata_requests_make(&s.session, &texts, &requests), ERROR_SUCCESS);
            assert_int_equal(prfdata_requests_take(&s.session, &requests, &sample), ERROR_SUCCESS);
            assert_int_equal(prfdata_requests_add_columns(&s.session, &requests, sample, &columns),
                             ERROR_SUCCESS);
            if (prfdata_requests_missing_count(&requests) != 0)
                fail_msg("seed %u: %s", (unsigned)seed, s.messages.items[0].text);
            prfdata_requests_free(&requests);
            prfdata_sample_free(sample);
            prfdata_columns_free(&columns);
            prfdata_lines_free(&texts.lines);
        }
        prfdata_output_free(&list);
        end_printed(&s);
    }
}

/* An object and one of its counters are called *. The list writes their indexes, because paths with
 * a * would name all objects and all counters. */
static void test_printed_lists_write_a_star_as_its_index(void **state)
{
    static const printed_object object = {"*", {"*", "**", "*x", "Jobs"}, 0};
    static printed_scene s;
    prfdata_output list = {0};

    (void)state;
    memset(&s, 0, sizeof s);
    wire_begin(&s.block, 1);
    write_object(&s, 0, &object);
    wire_end(&s.block);
    s.sample = wire_sample(&s.block);
    prfdata_list_put(&list, &s.sample->objects[0], &s.session.titles.english, true);
    prfdata_output_put(&list, "", 1);
    assert_false(list.failed);
    assert_string_equal(list.bytes, "\\1000\\1002\r\n\\1000\\**\r\n\\1000\\*x\r\n\\1000\\Jobs\r\n");
    prfdata_output_free(&list);
    end_printed(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed_paths_are_taken_back_by_every_entrance),
        cmocka_unit_test(test_printed_lists_name_what_is_there),
        cmocka_unit_test(test_printed_lists_write_a_star_as_its_index),
    };

    return cmocka_run_group_tests_name("printed_paths", tests, NULL, NULL);
}
