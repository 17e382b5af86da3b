/* SPDX-License-Identifier: MIT */
#include "top/top.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/os.h"
#include "paths/path.h"
#include "source/say.h"
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
    target *targets;
    size_t target_count;
    prfdata_name_table defaults; /* where nobody says what: objects */
    uint16_t *query;
    uint16_t *text_chars; /* room for the value of a text counter */
    uint32_t text_capacity;
    prfdata_top_view view;
    prfdata_output output;
    char notice[300]; /* what went wrong last */
    bool has_notice;  /* and was not told yet */
} top;

static const uint16_t star_unit = '*';
static const prfdata_text star = {&star_unit, 1};

/* ---- Targets ---- */

static bool parse_path(const prfdata_session *s, prfdata_text text, prfdata_path *path)
{
    prfdata_path_error error;

    if (!prfdata_path_parse(text, path, &error)) {
        char reason[200];

        snprintf(reason, sizeof reason, "character %u: %s", (unsigned)error.position + 1,
                 error.reason);
        prfdata_say_error(text, reason);
        return false;
    }
    if (!prfdata_session_is_here(s, path->computer)) {
        prfdata_say_error(text, "counters of other computers cannot be read");
        return false;
    }
    return true;
}

/* Understand one argument; a wrong one is told. */
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

static bool add_targets(top *t, prfdata_index_set *set)
{
    prfdata_session *s = t->session;

    t->targets = calloc(s->options.name_count + 1, sizeof *t->targets);
    if (!t->targets)
        return false;
    for (size_t i = 0; i < s->options.name_count; i++) {
        target *made = &t->targets[t->target_count];

        s->wanted++;
        if (!make_target(s, s->options.names[i], made)) {
            s->not_found++;
        } else if (!prfdata_session_add_object(s, set, made->path.object)) {
            prfdata_say_error(s->options.names[i], "no object has this name");
            s->not_found++;
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
static bool add_defaults(top *t, prfdata_index_set *set)
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
        if (!prfdata_session_add_index(set, t->defaults.items[i].index))
            return false;
        add_default(t, t->defaults.items[i].name, t->defaults.items[i].index);
    }
    if (t->target_count == 0) {
        prfdata_say_error(prfdata_say_nothing,
                          "there are no services of PrfData; name an object or a path, such as "
                          "-top Memory or -top \"\\Process(*)\\*\"; prfread -q lists them");
        s->wanted = s->not_found = 1;
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

    prfdata_console_local_time(sample->block.header.system_time, t->view.time);
    prfdata_top_view_begin(&t->view);
    for (size_t i = 0; i < t->target_count; i++)
        add_target(t, &t->targets[i], sample);
    status = prfdata_top_view_end(&t->view);
    if (status != ERROR_SUCCESS)
        notice(t, "counters are missing", status);
}

/*
 * Take a sample while the screen is ours: nothing may be told there. What fails is tried again the
 * next time; rows keep what they had.
 */
static void take_sample(top *t)
{
    prfdata_sample *sample = NULL;
    const bool was_damaged = t->session->damaged;
    uint32_t status = prfdata_session_take_silently(t->session, t->query, &sample);

    t->view.notice = NULL;
    if (status != ERROR_SUCCESS) {
        notice(t, "cannot read performance data", status);
        t->has_notice = true;
        return;
    }
    show_sample(t, sample);
    if (sample->damage_count > 0) {
        char what[200];

        prfdata_decode_error_text(&sample->damage, what, sizeof what);
        snprintf(t->notice, sizeof t->notice, "a provider's data is damaged in %u places, first %s",
                 (unsigned)sample->damage_count, what);
        t->view.notice = t->notice;
        t->has_notice = t->has_notice || !was_damaged;
    }
    prfdata_sample_free(sample);
}

/* A recorded source: all of it at once. False: there is nothing. */
static bool take_first(top *t, prfdata_index_set *set)
{
    prfdata_session *s = t->session;
    prfdata_sample *sample = prfdata_session_take_first(s, set, &t->query);

    if (!sample)
        return false;
    while (sample) {
        show_sample(t, sample);
        prfdata_sample_free(sample);
        sample = t->view.is_recorded ? prfdata_session_take(s, t->query) : NULL;
    }
    return true;
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
    uint32_t wanted = t->session->options.sample_count;
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

static void run_screen(top *t)
{
    prfdata_session *s = t->session;
    uint32_t status = prfdata_terminal_open();
    bool is_shown;

    if (status != ERROR_SUCCESS) {
        if (status == ERROR_INVALID_HANDLE)
            prfdata_say_error(prfdata_say_nothing, "-top needs a terminal to read keys from");
        else
            prfdata_say_system_error(prfdata_say_nothing, "cannot use the terminal", status);
        s->system_failed = true;
        return;
    }
    is_shown = show(t);
    prfdata_terminal_close();
    if (!is_shown) {
        prfdata_say_error(prfdata_say_nothing, "cannot write to the terminal");
        s->system_failed = true;
    }
    if (t->has_notice)
        prfdata_say("Warning", prfdata_say_nothing, t->notice);
}

/* Whether there is something to show and a screen for it; what is missing is told. */
static bool can_run(prfdata_session *s)
{
    if (!prfdata_console_is_terminal(prfdata_console_out())) {
        prfdata_say_error(prfdata_say_nothing,
                          "-top needs a terminal, and standard output is none; without -top "
                          "prfread prints values as lines, and -f JSON as JSON");
        s->system_failed = true;
        return false;
    }
    return true;
}

void prfdata_top_run(prfdata_session *s)
{
    prfdata_index_set set = {NULL, 0, 0};
    top t;

    if (!can_run(s))
        return;
    memset(&t, 0, sizeof t);
    t.session = s;
    prfdata_top_view_init(&t.view);
    prfdata_output_init(&t.output);
    t.view.computer = s->computer;
    t.view.interval_ms = s->options.interval_ms;
    t.view.is_capped = !s->options.uncapped;
    t.view.is_recorded = s->source->kind->is_recorded;
    (void)prfdata_source_load_helps(s->source, &s->titles); /* without them there are no words */
    if (!(s->options.name_count > 0 ? add_targets(&t, &set) : add_defaults(&t, &set))) {
        prfdata_say_system_error(prfdata_say_nothing, "cannot start", ERROR_NOT_ENOUGH_MEMORY);
        s->system_failed = true;
    } else if (t.target_count > 0 && take_first(&t, &set)) {
        run_screen(&t);
    }
    prfdata_top_view_free(&t.view);
    prfdata_output_free(&t.output);
    free(t.text_chars);
    free(t.query);
    free(t.targets);
    prfdata_name_table_free(&t.defaults);
    free(set.items);
}
