/* SPDX-License-Identifier: MIT */
/* Keeps the state of each object, and decides from past response times what to ask for and when. */
#include "source/askers.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"

#define ANSWERS_IN_TIME                                                                            \
    3u /* answers in time before a late object is again asked for together with the others */
#define MOST_TOGETHER                                                                              \
    (PRFDATA_ASKERS_PATIENCE_MS * 3 /                                                              \
     4) /* limit for the sum of the times that the objects took one by one */

static prfdata_askers_object *find_askers_object(const prfdata_askers *askers, uint32_t title)
{
    for (size_t i = 0; i < askers->count; i++) {
        if (askers->objects[i].title == title)
            return &askers->objects[i];
    }
    return NULL;
}

const prfdata_askers_object *prfdata_askers_find(const prfdata_askers *askers, uint32_t title)
{
    return find_askers_object(askers, title);
}

bool prfdata_askers_has(const prfdata_askers *askers, prfdata_askers_state state)
{
    for (size_t i = 0; i < askers->count; i++) {
        if (askers->objects[i].state == state)
            return true;
    }
    return false;
}

/* ---- What is wanted ---- */

static bool remove_unwanted(prfdata_askers *askers, const uint32_t *titles, size_t count)
{
    size_t kept = 0;
    const size_t before = askers->count;

    for (size_t i = 0; i < before; i++) {
        if (prfdata_title_set_lists(titles, count, askers->objects[i].title))
            askers->objects[kept++] = askers->objects[i];
        else
            prfdata_title_set_free(&askers->objects[i].parents);
    }
    askers->count = kept;
    return kept < before;
}

bool prfdata_askers_want(prfdata_askers *askers, const uint32_t *titles, size_t count)
{
    bool is_changed = remove_unwanted(askers, titles, count);

    for (size_t i = 0; i < count; i++) {
        prfdata_askers_object *objects;

        if (find_askers_object(askers, titles[i]))
            continue;
        objects = prfdata_array_reserve(askers->objects, &askers->capacity, askers->count + 1,
                                        sizeof *objects);
        if (!objects)
            break;
        askers->objects = objects;
        objects[askers->count++] = (prfdata_askers_object){.title = titles[i], .is_new = true};
        is_changed = true;
    }
    if (is_changed)
        askers->parents.count = 0;
    return is_changed;
}

/* Ask for the object on its own, and at once. */
static void wake_silent_object(prfdata_askers_object *object)
{
    if (object->state != PRFDATA_ASKERS_SILENT)
        return;
    object->state = PRFDATA_ASKERS_ALONE;
    object->due_ms = 0;
}

void prfdata_askers_refresh(prfdata_askers *askers)
{
    askers->due_ms = 0;
    for (size_t i = 0; i < askers->count; i++) {
        askers->objects[i].due_ms = 0;
        wake_silent_object(&askers->objects[i]);
    }
}

void prfdata_askers_ask_again(prfdata_askers *askers, uint32_t title)
{
    prfdata_askers_object *object = find_askers_object(askers, title);

    if (object)
        wake_silent_object(object);
}

static void limit_due(uint64_t *due_ms, uint64_t most_ms)
{
    *due_ms = *due_ms < most_ms ? *due_ms : most_ms;
}

void prfdata_askers_set_interval(prfdata_askers *askers, uint64_t now_ms, uint32_t interval_ms)
{
    limit_due(&askers->due_ms, now_ms + interval_ms);
    for (size_t i = 0; i < askers->count; i++)
        limit_due(&askers->objects[i].due_ms, now_ms + interval_ms);
}

void prfdata_askers_free(prfdata_askers *askers)
{
    (void)remove_unwanted(askers, NULL, 0);
    free(askers->objects);
    prfdata_title_set_free(&askers->parents);
    for (uint32_t i = 0; i < PRFDATA_ASKERS; i++)
        prfdata_title_set_free(&askers->questions[i].asked);
    memset(askers, 0, sizeof *askers);
}

/* ---- Questions ---- */

#define WISH_MS 1000u /* largest interval for something that the user wants now */

static bool is_due(uint64_t due_ms, uint64_t now_ms, bool is_paused)
{
    return due_ms == 0 || (!is_paused && now_ms >= due_ms);
}

/* Return the earliest time at which the object may be asked for again. */
static uint64_t earliest_ms(const prfdata_askers_object *object, uint64_t due_ms,
                            uint32_t interval_ms, bool is_paused)
{
    const uint32_t apart_ms = due_ms == 0 && interval_ms > WISH_MS ? WISH_MS : interval_ms;

    return object->answered_ms == 0 || is_paused ? 0 : object->answered_ms + apart_ms / 2;
}

/* Move something that is due when an answer ends, so that the next question does not follow too
 * soon. */
static void keep_apart(uint64_t *due_ms, uint64_t now_ms, uint32_t interval_ms)
{
    if (*due_ms != 0 && *due_ms < now_ms + interval_ms / 2)
        *due_ms = now_ms + interval_ms / 2;
}

static bool is_new_together(const prfdata_askers_object *object)
{
    return object->is_new && object->state == PRFDATA_ASKERS_TOGETHER;
}

static bool has_new(const prfdata_askers *askers)
{
    for (size_t i = 0; i < askers->count; i++) {
        if (is_new_together(&askers->objects[i]))
            return true;
    }
    return false;
}

static void add_parents(prfdata_askers_question *question, const prfdata_title_set *parents)
{
    for (size_t i = 0; question->takes_parents && i < parents->count; i++)
        (void)prfdata_title_set_add(&question->asked, parents->items[i]);
}

/*
 * Ask for all objects that are due together. Between two such questions, ask only for new objects.
 * An object that was answered just now becomes due later.
 */
static void begin_together(prfdata_askers *askers, prfdata_askers_question *question,
                           uint64_t now_ms, uint32_t interval_ms, bool is_paused)
{
    const bool is_turn = is_due(askers->due_ms, now_ms, is_paused);
    uint64_t next_ms = 0;

    for (size_t i = 0; i < askers->count; i++) {
        prfdata_askers_object *object = &askers->objects[i];
        const uint64_t at_ms = earliest_ms(object, askers->due_ms, interval_ms, is_paused);

        if (object->state != PRFDATA_ASKERS_TOGETHER || (!is_turn && !object->is_new))
            continue;
        if (at_ms > now_ms) {
            next_ms = next_ms == 0 || at_ms < next_ms ? at_ms : next_ms;
            continue;
        }
        object->is_new = false;
        (void)prfdata_title_set_add(&question->asked, object->title);
        question->takes_parents = question->takes_parents && !object->lacks_parents;
    }
    if (is_turn && question->asked.count > 0)
        askers->due_ms = now_ms + interval_ms;
    else if (is_turn && next_ms > 0)
        askers->due_ms = next_ms;
    if (question->asked.count > 0)
        add_parents(question, &askers->parents);
}

/* Return the object that has waited longest. */
static prfdata_askers_object *next_alone(const prfdata_askers *askers)
{
    prfdata_askers_object *next = NULL;

    for (size_t i = 0; i < askers->count; i++) {
        prfdata_askers_object *object = &askers->objects[i];

        if (object->state == PRFDATA_ASKERS_ALONE && !object->is_asked &&
            (!next || object->due_ms < next->due_ms))
            next = object;
    }
    return next;
}

static void begin_alone(prfdata_askers_object *object, prfdata_askers_question *question,
                        uint64_t now_ms, uint32_t interval_ms, bool is_paused)
{
    const uint64_t at_ms = earliest_ms(object, object->due_ms, interval_ms, is_paused);

    if (!is_due(object->due_ms, now_ms, is_paused))
        return;
    if (at_ms > now_ms) {
        object->due_ms = at_ms;
        return;
    }
    object->is_asked = true;
    object->is_new = false;
    question->takes_parents = !object->lacks_parents;
    (void)prfdata_title_set_add(&question->asked, object->title);
    add_parents(question, &object->parents);
    object->due_ms = now_ms + interval_ms;
}

bool prfdata_askers_begin(prfdata_askers *askers, uint32_t asker, uint64_t now_ms,
                          uint32_t interval_ms, bool is_paused)
{
    prfdata_askers_question *question = &askers->questions[asker];
    prfdata_askers_object *object = asker > 0 ? next_alone(askers) : NULL;

    question->asked.count = 0;
    question->takes_parents = true;
    question->is_first = false;
    question->began_ms = now_ms;
    if (object)
        begin_alone(object, question, now_ms, interval_ms, is_paused);
    else if (asker == 0)
        begin_together(askers, question, now_ms, interval_ms, is_paused);
    return question->asked.count > 0;
}

uint32_t prfdata_askers_wait_ms(const prfdata_askers *askers, uint32_t asker, uint64_t now_ms,
                                bool is_paused)
{
    const prfdata_askers_object *object = asker > 0 ? next_alone(askers) : NULL;
    const uint64_t due_ms = object ? object->due_ms : askers->due_ms;

    if (asker > 0 ? !object : !prfdata_askers_has(askers, PRFDATA_ASKERS_TOGETHER))
        return UINT32_MAX;
    if (is_due(due_ms, now_ms, is_paused) || (asker == 0 && has_new(askers)))
        return 0;
    return is_paused ? UINT32_MAX : (uint32_t)(due_ms - now_ms);
}

/* ---- Answers ---- */

/* Remember which objects a sample showed to be parents, so that they are asked for at once next
 * time. */
static void keep_parents(const prfdata_title_set *asked, const prfdata_askers *askers,
                         prfdata_title_set *parents)
{
    parents->count = 0;
    for (size_t i = 0; i < asked->count; i++) {
        if (!prfdata_askers_find(askers, asked->items[i]))
            (void)prfdata_title_set_add(parents, asked->items[i]);
    }
}

/* If several objects were asked for, it is not known yet which of them is late, so each is asked
 * for on its own. If only one was asked for and its provider crashed, it is left out. */
static void part_together(prfdata_askers *askers, const prfdata_title_set *asked, uint32_t status)
{
    const bool is_crash = status == ERROR_BROKEN_PIPE && asked->count == 1;

    for (size_t i = 0; i < asked->count; i++) {
        prfdata_askers_object *object = find_askers_object(askers, asked->items[i]);

        if (!object || object->state != PRFDATA_ASKERS_TOGETHER)
            continue;
        object->state = is_crash ? PRFDATA_ASKERS_SILENT : PRFDATA_ASKERS_ALONE;
        object->due_ms = 0;
        object->in_time = 0;
    }
    askers->parents.count = 0;
}

/* Each of many objects may be quick and all of them together still be late. */
static bool has_room_together(const prfdata_askers *askers, uint32_t took_ms)
{
    uint64_t sum_ms = took_ms;

    for (size_t i = 0; i < askers->count; i++)
        sum_ms +=
            askers->objects[i].state == PRFDATA_ASKERS_TOGETHER ? askers->objects[i].took_ms : 0;
    return sum_ms <= MOST_TOGETHER;
}

bool prfdata_askers_is_late(uint64_t took_ms, bool is_first)
{
    return took_ms > (is_first ? PRFDATA_ASKERS_FIRST_MS : PRFDATA_ASKERS_PATIENCE_MS);
}

static void validate_answer(const prfdata_askers *askers, prfdata_askers_object *object,
                            bool is_first)
{
    if (prfdata_askers_is_late(object->took_ms, is_first)) {
        object->is_slow = true;
        object->in_time = 0;
        return;
    }
    object->in_time++;
    if ((object->is_slow && object->in_time < ANSWERS_IN_TIME) ||
        !has_room_together(askers, object->took_ms))
        return;
    object->is_slow = false;
    object->state = PRFDATA_ASKERS_TOGETHER;
}

static void end_alone(prfdata_askers *askers, prfdata_askers_question *question, uint64_t now_ms,
                      uint32_t interval_ms, uint32_t status)
{
    prfdata_askers_object *object = find_askers_object(askers, question->asked.items[0]);

    if (!object)
        return;
    object->is_asked = false;
    if (status != ERROR_TIMEOUT && status != ERROR_BROKEN_PIPE) {
        object->took_ms = (uint32_t)(now_ms - question->began_ms);
        keep_parents(&question->asked, askers, &object->parents);
        validate_answer(askers, object, question->is_first);
        object->answered_ms = now_ms;
        keep_apart(&object->due_ms, now_ms, interval_ms);
        if (object->is_slow)
            object->due_ms = now_ms + interval_ms; /* do not ask the provider all the time */
    } else if (question->asked.count > 1 && !object->lacks_parents) {
        object->lacks_parents = true; /* a parent may have caused the failure */
        object->due_ms = 0;
    } else {
        object->state = PRFDATA_ASKERS_SILENT;
    }
}

static void note_answered(prfdata_askers *askers, const prfdata_title_set *asked, uint64_t now_ms)
{
    for (size_t i = 0; i < askers->count; i++) {
        if (prfdata_title_set_has(asked, askers->objects[i].title))
            askers->objects[i].answered_ms = now_ms;
    }
}

bool prfdata_askers_end(prfdata_askers *askers, uint32_t asker, uint64_t now_ms,
                        uint32_t interval_ms, uint32_t status)
{
    prfdata_askers_question *question = &askers->questions[asker];
    const prfdata_askers_object *object =
        asker > 0 ? find_askers_object(askers, question->asked.items[0]) : NULL;
    const prfdata_askers_state before = object ? object->state : PRFDATA_ASKERS_TOGETHER;

    if (asker > 0) {
        end_alone(askers, question, now_ms, interval_ms, status);
        return object && object->state != before;
    }
    if (status == ERROR_TIMEOUT || status == ERROR_BROKEN_PIPE) {
        part_together(askers, &question->asked, status);
        return true;
    }
    note_answered(askers, &question->asked, now_ms);
    keep_apart(&askers->due_ms, now_ms, interval_ms);
    keep_parents(&question->asked, askers, &askers->parents);
    return false;
}
