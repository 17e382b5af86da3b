/* SPDX-License-Identifier: MIT */
#include "top/top.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/os.h"
#include "os/clock.h"
#include "os/streams.h"
#include "paths/path.h"
#include "os/terminal.h"
#include "top/top_frame.h"
#include "top/top_view.h"

/* What the user asked for. */
typedef struct target {
    prfdata_path path;
    prfdata_titles_way way; /* in which it names its object */
    bool is_object;         /* with or without instances */
    bool is_all;            /* every object of the source */
    uint32_t title;         /* of the object; 0: what the path says */
} target;

typedef struct top {
    prfdata_session *session;
    prfdata_top_request *request;
    target *targets;
    size_t target_count;
    prfdata_name_table defaults; /* where nobody says what: objects */
    uint16_t *query;
    uint16_t *text_chars; /* room for the value of a text counter */
    uint32_t text_capacity;
    prfdata_top_view view;
    prfdata_output output;
    char notice[300];       /* what went wrong last */
    prfdata_messages later; /* what is reported while the screen is ours */
} top;

static const uint16_t star_unit = '*';
static const prfdata_text star = {&star_unit, 1};

/* ---- Targets ---- */

static bool parse_path(const prfdata_session *s, prfdata_text text, prfdata_path *path)
{
    prfdata_path_error error;

    if (!prfdata_path_parse(text, path, &error)) {
        prfdata_messages_add(s->messages, PRFDATA_SEVERITY_ERROR, text, "character %u: %s",
                             (unsigned)error.position + 1, error.reason);
        return false;
    }
    if (!prfdata_session_is_here(s, path->computer)) {
        prfdata_messages_add(s->messages, PRFDATA_SEVERITY_ERROR, text,
                             "counters of other computers cannot be read");
        return false;
    }
    return true;
}

/* Understand one argument; a wrong one is reported. */
static bool make_target(const prfdata_session *s, prfdata_text text, target *made)
{
    memset(made, 0, sizeof *made);
    made->path.object = text;
    made->path.counter = star;
    made->is_object = text.chars[0] != '\\';
    if (!made->is_object && !parse_path(s, text, &made->path))
        return false;
    made->way = prfdata_titles_way_of(&s->titles, made->path.object);
    return true;
}

static bool add_targets(top *t, prfdata_title_set *set)
{
    prfdata_session *s = t->session;

    t->targets = calloc(t->request->name_count + 1, sizeof *t->targets);
    if (!t->targets)
        return false;
    for (size_t i = 0; i < t->request->name_count; i++) {
        target *made = &t->targets[t->target_count];

        t->request->wanted++;
        if (!make_target(s, t->request->names[i], made)) {
            t->request->not_found++;
        } else if (!prfdata_title_set_add_name(set, &s->titles, made->path.object)) {
            prfdata_messages_add(s->messages, PRFDATA_SEVERITY_ERROR, t->request->names[i],
                                 "no object has this name");
            t->request->not_found++;
        } else {
            t->target_count++;
        }
    }
    return true;
}

static void add_default(top *t, prfdata_text object, uint32_t title)
{
    target *made = &t->targets[t->target_count++];

    made->is_object = true;
    made->is_all = title == 0;
    made->title = title;
    made->path.object = object;
    made->path.counter = star;
}

/* Nobody says which. False: no memory. */
static bool add_defaults(top *t, prfdata_title_set *set)
{
    prfdata_session *s = t->session;
    bool is_all = false;
    uint32_t status = prfdata_source_load_objects(s->source, &t->defaults, &is_all);

    t->targets = calloc(t->defaults.count + 1, sizeof *t->targets);
    if (!t->targets || status == ERROR_NOT_ENOUGH_MEMORY)
        return false;
    if (is_all)
        add_default(t, star, 0);
    for (size_t i = 0; i < t->defaults.count; i++) {
        if (!prfdata_title_set_add(set, t->defaults.items[i].index))
            return false;
        add_default(t, t->defaults.items[i].name, t->defaults.items[i].index);
    }
    if (t->target_count == 0) {
        prfdata_messages_add(s->messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                             "there are no services of PrfData; name an object or a path, such as "
                             "-top Memory or -top \"\\Process(*)\\*\"; prfread -q lists them");
        t->request->wanted = t->request->not_found = 1;
    }
    return true;
}

/* ---- Samples ---- */

/* One counter while its instances are read. */
typedef struct place {
    const target *target;
    const prfdata_sample *sample;
    const prfdata_sample_object *object;
    prfdata_titles_way way; /* in which the path names its counters */
    uint32_t position;      /* of the counter */
} place;

static bool wants(const place *at, const prfdata_sample_instance *instance)
{
    if (instance->damaged)
        return false;
    if (at->target->is_object)
        return true;
    if (!at->object->has_instances)
        return !at->target->path.has_instance;
    return prfdata_path_wants_instance(&at->target->path, instance->label);
}

/* The name of a title, or its index in `digits`. */
static prfdata_text name_of(const prfdata_titles *titles, prfdata_titles_way way, uint32_t index,
                            uint16_t digits[10])
{
    prfdata_text name = prfdata_titles_name(titles, way, index);
    char text[11];

    if (name.count > 0)
        return name;
    name.count = (size_t)snprintf(text, sizeof text, "%u", (unsigned)index);
    for (size_t i = 0; i < name.count; i++)
        digits[i] = (unsigned char)text[i];
    name.chars = digits;
    return name;
}

/* The text of a text counter; empty if it cannot be read. */
static prfdata_text text_of(top *t, const place *at, const prfdata_sample_instance *instance)
{
    prfdata_text text = {NULL, 0};
    uint32_t capacity = instance->wire.values_bytes;

    if (capacity > t->text_capacity) {
        uint16_t *chars = realloc(t->text_chars, capacity * sizeof *chars);

        if (!chars)
            return text;
        t->text_chars = chars;
        t->text_capacity = capacity;
    }
    if (!t->text_chars || prfdata_sample_text(at->object, instance, at->position, t->text_chars,
                                              &text) != PRFDATA_STATUS_OK)
        text.count = 0;
    return text;
}

static void add_instance(top *t, const place *at, const prfdata_sample_instance *instance)
{
    const prfdata_titles *titles = &t->session->titles;
    const prfdata_decode_counter *counter = &at->object->counters[at->position];
    prfdata_top_reading reading;
    uint16_t object_digits[10];
    uint16_t counter_digits[10];

    memset(&reading, 0, sizeof reading);
    reading.object_title = at->object->wire.header.object_name_title_index;
    reading.counter_title = counter->definition.counter_name_title_index;
    reading.object = name_of(titles, at->target->way, reading.object_title, object_digits);
    reading.counter = name_of(titles, at->way, reading.counter_title, counter_digits);
    reading.has_instance = at->object->has_instances;
    if (reading.has_instance)
        reading.label = instance->label;
    reading.help =
        prfdata_name_table_name(&titles->helps, counter->definition.counter_help_title_index);
    reading.status =
        prfdata_sample_raw(at->sample, at->object, instance, at->position, &reading.raw);
    if (reading.status == PRFDATA_STATUS_TEXT)
        reading.text = text_of(t, at, instance);
    prfdata_top_view_add(&t->view, &reading);
}

/* Of all the reasons for finding nothing, the one that came furthest tells most. */
static void found(uint32_t *status, uint32_t better)
{
    if (*status == PRFDATA_STATUS_NO_OBJECT ||
        (*status == PRFDATA_STATUS_NO_COUNTER && better != PRFDATA_STATUS_NO_OBJECT))
        *status = better;
}

static uint32_t add_counter(top *t, const place *at)
{
    uint32_t status = PRFDATA_STATUS_NO_INSTANCE;

    for (uint32_t i = 0; i < at->object->instance_count; i++) {
        if (wants(at, &at->object->instances[i])) {
            add_instance(t, at, &at->object->instances[i]);
            status = PRFDATA_STATUS_OK;
        }
    }
    return status;
}

/* * alone stands for counters without a name, too. */
static bool wants_counter(const top *t, const place *at)
{
    const prfdata_decode_counter *counter = &at->object->counters[at->position];
    prfdata_text pattern = at->target->path.counter;

    if (!prfdata_sample_shows(counter))
        return false;
    if (pattern.count == 1 && pattern.chars[0] == '*')
        return true;
    return prfdata_titles_match(&t->session->titles, at->way, pattern,
                                counter->definition.counter_name_title_index);
}

static uint32_t add_counters(top *t, place *at)
{
    uint32_t status = PRFDATA_STATUS_NO_COUNTER;

    for (at->position = 0; at->position < at->object->counter_count; at->position++) {
        uint32_t result;

        if (!wants_counter(t, at))
            continue;
        result = add_counter(t, at);
        if (status != PRFDATA_STATUS_OK)
            status = result;
    }
    return status;
}

/* Counters are named in the language of their object; else in another way, as in columns.c. */
static uint32_t add_object(top *t, place *at)
{
    const bool local_first = at->target->way == PRFDATA_BY_LOCAL;
    const prfdata_titles_way ways[] = {local_first ? PRFDATA_BY_LOCAL : PRFDATA_BY_ENGLISH,
                                       local_first ? PRFDATA_BY_ENGLISH : PRFDATA_BY_LOCAL,
                                       PRFDATA_BY_INDEX};
    uint32_t status = PRFDATA_STATUS_NO_COUNTER;

    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && status == PRFDATA_STATUS_NO_COUNTER;
         i++) {
        at->way = ways[i];
        status = add_counters(t, at);
    }
    return status;
}

/* A row that says that there is nothing, until there is something. */
static void add_nothing(top *t, const target *wanted, uint32_t status)
{
    prfdata_top_reading reading;

    memset(&reading, 0, sizeof reading);
    reading.object = wanted->path.object;
    reading.counter = wanted->path.counter;
    reading.has_instance = wanted->path.has_instance;
    reading.label = wanted->path.instance;
    reading.status = status;
    prfdata_top_view_add(&t->view, &reading);
}

static bool wants_object(const top *t, const place *at)
{
    const target *wanted = at->target;
    uint32_t title = at->object->wire.header.object_name_title_index;

    if (wanted->title != 0)
        return wanted->title == title;
    return wanted->is_all ||
           prfdata_titles_match(&t->session->titles, wanted->way, wanted->path.object, title);
}

static void add_target(top *t, const target *wanted, const prfdata_sample *sample)
{
    uint32_t status = PRFDATA_STATUS_NO_OBJECT;
    place at = {wanted, sample, NULL, PRFDATA_BY_ENGLISH, 0};

    for (uint32_t o = 0; o < sample->object_count; o++) {
        uint32_t result;

        at.object = &sample->objects[o];
        if (!wants_object(t, &at))
            continue;
        result = add_object(t, &at);
        if (status != PRFDATA_STATUS_OK)
            found(&status, result);
    }
    if (status != PRFDATA_STATUS_OK)
        add_nothing(t, wanted, status);
}

static void notice(top *t, const char *what, uint32_t status)
{
    snprintf(t->notice, sizeof t->notice, "%s: error %u", what, (unsigned)status);
    t->view.notice = t->notice;
}

static void show_sample(top *t, const prfdata_sample *sample)
{
    uint32_t status;

    prfdata_clock_local_time(sample->block.header.system_time, t->view.time);
    prfdata_top_view_begin(&t->view);
    for (size_t i = 0; i < t->target_count; i++)
        add_target(t, &t->targets[i], sample);
    status = prfdata_top_view_end(&t->view);
    if (status != ERROR_SUCCESS)
        notice(t, "counters are missing", status);
}

/* What is reported while the screen is ours stands on it, and is reported again at its end. */
static void take_message(void *context, const prfdata_message *message)
{
    top *t = context;
    prfdata_output line = {0};

    prfdata_messages_write(&line, message, prfdata_no_subject);
    prfdata_output_put(&line, "", 1);
    if (!line.failed)
        snprintf(t->notice, sizeof t->notice, "%s", line.bytes);
    t->view.notice = t->notice;
    prfdata_output_free(&line);
    for (size_t i = 0; i < t->later.count; i++) {
        if (prfdata_messages_is_same(&t->later.items[i], message))
            return;
    }
    prfdata_messages_put(&t->later, message);
}

/* Take a sample. What fails is tried again the next time; rows keep what they had. */
static void take_sample(top *t)
{
    prfdata_sample *sample = NULL;

    t->view.notice = NULL;
    if (prfdata_session_take(t->session, t->query, &sample) == ERROR_SUCCESS)
        show_sample(t, sample);
    prfdata_sample_free(sample);
}

/* A recorded source: all of it at once. False: there is nothing. */
static bool take_first(top *t, prfdata_title_set *set)
{
    prfdata_sample *sample = NULL;
    uint32_t status = prfdata_session_take_first(t->session, set, &t->query, &sample);
    const bool is_there = status == ERROR_SUCCESS;

    while (status == ERROR_SUCCESS) {
        show_sample(t, sample);
        prfdata_sample_free(sample);
        if (!t->view.is_recorded)
            break;
        status = prfdata_session_take(t->session, t->query, &sample);
    }
    return is_there;
}

/* ---- The screen ---- */

static bool draw(top *t)
{
    uint32_t width;
    uint32_t height;

    prfdata_terminal_size(&width, &height);
    prfdata_output_clear(&t->output);
    prfdata_top_frame_put(&t->view, width, height, prfdata_terminal_is_unicode(), &t->output);
    return !t->output.failed &&
           prfdata_terminal_draw(t->output.bytes, t->output.used) == ERROR_SUCCESS;
}

/* When the next sample is due, after one at `due_ms`. */
static uint64_t next_due(const top *t, uint64_t due_ms)
{
    uint64_t now_ms = prfdata_os_milliseconds();

    due_ms += t->view.interval_ms;
    return due_ms > now_ms ? due_ms : now_ms + t->view.interval_ms; /* do not hurry after it */
}

static void press(top *t, uint32_t key, uint64_t *due_ms)
{
    uint32_t before_ms = t->view.interval_ms;
    uint32_t status = prfdata_top_view_key(&t->view, key);

    if (status != ERROR_SUCCESS)
        notice(t, "cannot sort", status);
    if (t->view.interval_ms != before_ms)
        *due_ms = prfdata_os_milliseconds() + t->view.interval_ms;
}

/* Show samples and obey keys until it is over. False: the terminal takes nothing any more. */
static bool show(top *t)
{
    uint64_t due_ms = prfdata_os_milliseconds() + t->view.interval_ms;
    uint32_t wanted = t->request->sample_count;
    uint32_t taken = 0;

    while (!t->view.is_over) {
        bool is_live = !t->view.is_paused && !t->view.is_recorded;
        uint32_t key = 0;

        if (!draw(t))
            return false;
        if (is_live && prfdata_os_milliseconds() >= due_ms) {
            take_sample(t); /* keys that come fast do not hold it up */
            due_ms = next_due(t, due_ms);
            taken++;
            t->view.is_over = taken == wanted;
            continue;
        }
        switch (prfdata_terminal_wait(is_live ? due_ms : UINT64_MAX, &key)) {
        case PRFDATA_TERMINAL_KEY:
            press(t, key, &due_ms);
            break;
        case PRFDATA_TERMINAL_STOPPED:
            t->view.is_over = true;
            break;
        default:
            break;
        }
    }
    return true;
}

/* Let messages go to the screen while it is ours, and to the session's list afterwards. */
static bool show_with_messages(top *t)
{
    prfdata_messages *messages = t->session->messages;
    prfdata_messages_sink *sink = messages->sink;
    void *context = messages->context;
    bool is_shown;

    messages->sink = take_message;
    messages->context = t;
    is_shown = show(t);
    prfdata_terminal_close();
    messages->sink = sink;
    messages->context = context;
    for (size_t i = 0; i < t->later.count; i++)
        prfdata_messages_put(messages, &t->later.items[i]);
    prfdata_messages_free(&t->later);
    return is_shown;
}

static uint32_t run_screen(top *t)
{
    prfdata_messages *messages = t->session->messages;
    uint32_t status = prfdata_terminal_open();

    if (status == ERROR_INVALID_HANDLE)
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                             "-top needs a terminal to read keys from");
    else if (status != ERROR_SUCCESS)
        prfdata_messages_add_system(messages, prfdata_no_subject, status,
                                    "cannot use the terminal");
    if (status != ERROR_SUCCESS || show_with_messages(t))
        return status;
    prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                         "cannot write to the terminal");
    return ERROR_GEN_FAILURE;
}

/* Find what is asked for, and show it. */
static uint32_t run_top(top *t)
{
    prfdata_title_set set = {NULL, 0, 0};
    uint32_t status = ERROR_SUCCESS;

    if (!(t->request->name_count > 0 ? add_targets(t, &set) : add_defaults(t, &set))) {
        status = ERROR_NOT_ENOUGH_MEMORY;
        prfdata_messages_add_system(t->session->messages, prfdata_no_subject, status,
                                    "cannot start");
    } else if (t->target_count > 0 && take_first(t, &set)) {
        status = run_screen(t);
    }
    prfdata_title_set_free(&set);
    return status;
}

uint32_t prfdata_top_run(prfdata_session *session, prfdata_top_request *request)
{
    uint32_t status;
    top t;

    if (!prfdata_streams_is_terminal(prfdata_streams_out())) {
        prfdata_messages_add(session->messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                             "-top needs a terminal, and standard output is none; without -top "
                             "prfread prints values as lines, and -f JSON as JSON");
        return ERROR_INVALID_HANDLE;
    }
    memset(&t, 0, sizeof t);
    t.session = session;
    t.request = request;
    prfdata_top_view_init(&t.view);
    prfdata_output_init(&t.output);
    t.view.computer = session->computer;
    t.view.interval_ms = request->interval_ms;
    t.view.is_capped = request->is_capped;
    t.view.is_recorded = session->source->kind->is_recorded;
    (void)prfdata_source_load_helps(session->source, &session->titles); /* else without words */
    status = run_top(&t);
    prfdata_top_view_free(&t.view);
    prfdata_output_free(&t.output);
    free(t.text_chars);
    free(t.query);
    free(t.targets);
    prfdata_name_table_free(&t.defaults);
    return status;
}
