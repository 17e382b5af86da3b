/* SPDX-License-Identifier: MIT */
/* Keeps the state of each object, and decides from past response times what to ask for and when. */
#include "source/workers.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"

/* Number of consecutive answers in time that a late object needs to return to worker 0. */
#define ANSWERS_IN_TIME 3u

/* Limit for the sum of took_ms of worker 0's objects. An object does not return to worker 0 if the
 * sum would then exceed this limit. */
#define MOST_TOGETHER (PRFDATA_WORKERS_PATIENCE_MS * 3 / 4)

/* The search is linear only if there was no memory for the index. */
static prfdata_workers_object *find_workers_object(const prfdata_workers *workers, uint32_t title)
{
    if (workers->by_title.count == workers->count) {
        const uint32_t at = prfdata_title_index_find(&workers->by_title, title);

        return at == PRFDATA_TITLE_INDEX_NONE ? NULL : &workers->objects[at];
    }
    for (size_t i = 0; i < workers->count; i++) {
        if (workers->objects[i].title == title)
            return &workers->objects[i];
    }
    return NULL;
}

const prfdata_workers_object *prfdata_workers_find(const prfdata_workers *workers, uint32_t title)
{
    return find_workers_object(workers, title);
}

bool prfdata_workers_has(const prfdata_workers *workers, prfdata_workers_state state)
{
    for (size_t i = 0; i < workers->count; i++) {
        if (workers->objects[i].state == state)
            return true;
    }
    return false;
}

/* ---- What is wanted ---- */

static void index_workers_objects(prfdata_workers *workers)
{
    workers->by_title.count = 0;
    if (!prfdata_title_index_begin(&workers->by_title, workers->count))
        return;
    for (uint32_t i = 0; i < workers->count; i++)
        prfdata_title_index_add(&workers->by_title, workers->objects[i].title, i);
    prfdata_title_index_sort(&workers->by_title);
}

static bool remove_unwanted(prfdata_workers *workers, const prfdata_title_set *wanted)
{
    size_t kept = 0;
    const size_t before = workers->count;

    for (size_t i = 0; i < before; i++) {
        if (prfdata_title_set_has(wanted, workers->objects[i].title))
            workers->objects[kept++] = workers->objects[i];
        else
            prfdata_title_set_free(&workers->objects[i].parents);
    }
    workers->count = kept;
    return kept < before;
}

/* Add those wanted titles that have no object yet. Returns whether there were any. */
static bool add_wanted(prfdata_workers *workers, const prfdata_title_set *wanted)
{
    const size_t before = workers->count;

    for (size_t i = 0; i < wanted->count; i++) {
        prfdata_workers_object *objects;

        if (prfdata_title_index_find(&workers->by_title, wanted->items[i]) !=
            PRFDATA_TITLE_INDEX_NONE)
            continue;
        objects = prfdata_array_reserve(workers->objects, &workers->capacity, workers->count + 1,
                                        sizeof *objects);
        if (!objects)
            break;
        workers->objects = objects;
        objects[workers->count++] =
            (prfdata_workers_object){.title = wanted->items[i], .is_new = true};
    }
    return workers->count > before;
}

bool prfdata_workers_want(prfdata_workers *workers, const uint32_t *titles, size_t count)
{
    prfdata_title_set wanted = {0};
    bool is_changed;

    for (size_t i = 0; i < count; i++)
        (void)prfdata_title_set_add(&wanted, titles[i]);
    is_changed = remove_unwanted(workers, &wanted);
    index_workers_objects(workers);
    if (add_wanted(workers, &wanted)) {
        index_workers_objects(workers);
        is_changed = true;
    }
    if (is_changed)
        workers->parents.count = 0;
    prfdata_title_set_free(&wanted);
    return is_changed;
}

/* If the object is silent, ask for it on its own, and at once. */
static void wake_silent_object(prfdata_workers_object *object)
{
    if (object->state != PRFDATA_WORKERS_SILENT)
        return;
    object->state = PRFDATA_WORKERS_ALONE;
    object->due_ms = 0;
}

void prfdata_workers_refresh(prfdata_workers *workers)
{
    workers->due_ms = 0;
    for (size_t i = 0; i < workers->count; i++) {
        workers->objects[i].due_ms = 0;
        wake_silent_object(&workers->objects[i]);
    }
}

void prfdata_workers_ask_again(prfdata_workers *workers, uint32_t title)
{
    prfdata_workers_object *object = find_workers_object(workers, title);

    if (object)
        wake_silent_object(object);
}

static void limit_due(uint64_t *due_ms, uint64_t most_ms)
{
    *due_ms = *due_ms < most_ms ? *due_ms : most_ms;
}

void prfdata_workers_set_interval(prfdata_workers *workers, uint64_t now_ms, uint32_t interval_ms)
{
    limit_due(&workers->due_ms, now_ms + interval_ms);
    for (size_t i = 0; i < workers->count; i++)
        limit_due(&workers->objects[i].due_ms, now_ms + interval_ms);
}

void prfdata_workers_free(prfdata_workers *workers)
{
    const prfdata_title_set none = {0};

    (void)remove_unwanted(workers, &none);
    free(workers->objects);
    prfdata_title_index_free(&workers->by_title);
    prfdata_title_set_free(&workers->parents);
    for (uint32_t i = 0; i < PRFDATA_WORKERS; i++)
        prfdata_title_set_free(&workers->questions[i].asked);
    memset(workers, 0, sizeof *workers);
}

/* ---- Questions ---- */

/* Unless questions are paused, even an object that is due at once waits min(WISH_MS, interval) / 2
 * after its last answer. */
#define WISH_MS 1000u

static bool is_due(uint64_t due_ms, uint64_t now_ms, bool is_paused)
{
    return due_ms == 0 || (!is_paused && now_ms >= due_ms);
}

/* Return the earliest time at which the object may be asked for again. */
static uint64_t earliest_ms(const prfdata_workers_object *object, uint64_t due_ms,
                            uint32_t interval_ms, bool is_paused)
{
    const uint32_t apart_ms = due_ms == 0 && interval_ms > WISH_MS ? WISH_MS : interval_ms;

    return object->answered_ms == 0 || is_paused ? 0 : object->answered_ms + apart_ms / 2;
}

/* Postpone a question that is due less than half an interval after an answer has ended. */
static void keep_apart(uint64_t *due_ms, uint64_t now_ms, uint32_t interval_ms)
{
    if (*due_ms != 0 && *due_ms < now_ms + interval_ms / 2)
        *due_ms = now_ms + interval_ms / 2;
}

static bool is_new_together(const prfdata_workers_object *object)
{
    return object->is_new && object->state == PRFDATA_WORKERS_TOGETHER;
}

static bool has_new(const prfdata_workers *workers)
{
    for (size_t i = 0; i < workers->count; i++) {
        if (is_new_together(&workers->objects[i]))
            return true;
    }
    return false;
}

static void add_parents(prfdata_workers_question *question, const prfdata_title_set *parents)
{
    for (size_t i = 0; question->takes_parents && i < parents->count; i++)
        (void)prfdata_title_set_add(&question->asked, parents->items[i]);
}

/*
 * If worker 0 is due, ask for all its objects; otherwise ask only for its new objects. An object
 * whose last answer is too recent (earliest_ms()) is left for a later question.
 */
static void begin_together(prfdata_workers *workers, prfdata_workers_question *question,
                           uint64_t now_ms, uint32_t interval_ms, bool is_paused)
{
    const bool is_turn = is_due(workers->due_ms, now_ms, is_paused);
    uint64_t next_ms = 0;

    for (size_t i = 0; i < workers->count; i++) {
        prfdata_workers_object *object = &workers->objects[i];
        const uint64_t at_ms = earliest_ms(object, workers->due_ms, interval_ms, is_paused);

        if (object->state != PRFDATA_WORKERS_TOGETHER || (!is_turn && !object->is_new))
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
        workers->due_ms = now_ms + interval_ms;
    else if (is_turn && next_ms > 0)
        workers->due_ms = next_ms;
    if (question->asked.count > 0)
        add_parents(question, &workers->parents);
}

static prfdata_workers_object *next_alone(const prfdata_workers *workers)
{
    prfdata_workers_object *next = NULL;

    for (size_t i = 0; i < workers->count; i++) {
        prfdata_workers_object *object = &workers->objects[i];

        if (object->state == PRFDATA_WORKERS_ALONE && !object->is_asked &&
            (!next || object->due_ms < next->due_ms))
            next = object;
    }
    return next;
}

static void begin_alone(prfdata_workers_object *object, prfdata_workers_question *question,
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

bool prfdata_workers_begin(prfdata_workers *workers, uint32_t worker, uint64_t now_ms,
                           uint32_t interval_ms, bool is_paused)
{
    prfdata_workers_question *question = &workers->questions[worker];
    prfdata_workers_object *object = worker > 0 ? next_alone(workers) : NULL;

    question->asked.count = 0;
    question->takes_parents = true;
    question->is_first = false;
    question->began_ms = now_ms;
    if (object)
        begin_alone(object, question, now_ms, interval_ms, is_paused);
    else if (worker == 0)
        begin_together(workers, question, now_ms, interval_ms, is_paused);
    return question->asked.count > 0;
}

uint32_t prfdata_workers_wait_ms(const prfdata_workers *workers, uint32_t worker, uint64_t now_ms,
                                 bool is_paused)
{
    const prfdata_workers_object *object = worker > 0 ? next_alone(workers) : NULL;
    const uint64_t due_ms = object ? object->due_ms : workers->due_ms;

    if (worker > 0 ? !object : !prfdata_workers_has(workers, PRFDATA_WORKERS_TOGETHER))
        return UINT32_MAX;
    if (is_due(due_ms, now_ms, is_paused) || (worker == 0 && has_new(workers)))
        return 0;
    return is_paused ? UINT32_MAX : (uint32_t)(due_ms - now_ms);
}

/* ---- Answers ---- */

/* Remember the objects that a sample names as parents, so that the next question includes them. */
static void keep_parents(const prfdata_title_set *asked, const prfdata_workers *workers,
                         prfdata_title_set *parents)
{
    parents->count = 0;
    for (size_t i = 0; i < asked->count; i++) {
        if (!prfdata_workers_find(workers, asked->items[i]))
            (void)prfdata_title_set_add(parents, asked->items[i]);
    }
}

/* Decide how to ask from now on for objects whose answer is late, or whose provider crashed. If
 * several objects were asked for together, any of them may be the cause, so each is asked for on
 * its own. If only one was asked for and its provider crashed, the object is left out. */
static void part_together(prfdata_workers *workers, const prfdata_title_set *asked, uint32_t status)
{
    const bool is_crash = status == ERROR_BROKEN_PIPE && asked->count == 1;

    for (size_t i = 0; i < asked->count; i++) {
        prfdata_workers_object *object = find_workers_object(workers, asked->items[i]);

        if (!object || object->state != PRFDATA_WORKERS_TOGETHER)
            continue;
        object->state = is_crash ? PRFDATA_WORKERS_SILENT : PRFDATA_WORKERS_ALONE;
        object->due_ms = 0;
        object->in_time = 0;
    }
    workers->parents.count = 0;
}

/*
 * Returns whether another object may be asked for together with the others. Even if each object is
 * quick, many together may be late.
 */
static bool has_room_together(const prfdata_workers *workers, uint32_t took_ms)
{
    uint64_t sum_ms = took_ms;

    for (size_t i = 0; i < workers->count; i++) {
        const prfdata_workers_object *object = &workers->objects[i];

        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there are `count` objects */
        sum_ms += object->state == PRFDATA_WORKERS_TOGETHER ? object->took_ms : 0;
    }
    return sum_ms <= MOST_TOGETHER;
}

bool prfdata_workers_is_late(uint64_t took_ms, bool is_first)
{
    return took_ms > (is_first ? PRFDATA_WORKERS_FIRST_MS : PRFDATA_WORKERS_PATIENCE_MS);
}

static void validate_answer(const prfdata_workers *workers, prfdata_workers_object *object,
                            bool is_first)
{
    if (prfdata_workers_is_late(object->took_ms, is_first)) {
        object->is_slow = true;
        object->in_time = 0;
        return;
    }
    object->in_time++;
    if ((object->is_slow && object->in_time < ANSWERS_IN_TIME) ||
        !has_room_together(workers, object->took_ms))
        return;
    object->is_slow = false;
    object->state = PRFDATA_WORKERS_TOGETHER;
}

static void end_alone(prfdata_workers *workers, prfdata_workers_question *question, uint64_t now_ms,
                      uint32_t interval_ms, uint32_t status)
{
    prfdata_workers_object *object = find_workers_object(workers, question->asked.items[0]);

    if (!object)
        return;
    object->is_asked = false;
    if (status != ERROR_TIMEOUT && status != ERROR_BROKEN_PIPE) {
        object->took_ms = (uint32_t)(now_ms - question->began_ms);
        keep_parents(&question->asked, workers, &object->parents);
        validate_answer(workers, object, question->is_first);
        object->answered_ms = now_ms;
        keep_apart(&object->due_ms, now_ms, interval_ms);
        if (object->is_slow)
            /* Wait, so that a slow provider is not asked all the time. */
            object->due_ms = now_ms + interval_ms;
    } else if (question->asked.count > 1 && !object->lacks_parents) {
        /* Ask without parents next time, because a parent may have caused the failure. */
        object->lacks_parents = true;
        object->due_ms = 0;
    } else {
        object->state = PRFDATA_WORKERS_SILENT;
    }
}

static void note_answered(prfdata_workers *workers, const prfdata_title_set *asked, uint64_t now_ms)
{
    for (size_t i = 0; i < workers->count; i++) {
        if (prfdata_title_set_has(asked, workers->objects[i].title))
            workers->objects[i].answered_ms = now_ms;
    }
}

bool prfdata_workers_end(prfdata_workers *workers, uint32_t worker, uint64_t now_ms,
                         uint32_t interval_ms, uint32_t status)
{
    prfdata_workers_question *question = &workers->questions[worker];
    const prfdata_workers_object *object =
        worker > 0 ? find_workers_object(workers, question->asked.items[0]) : NULL;
    const prfdata_workers_state before = object ? object->state : PRFDATA_WORKERS_TOGETHER;

    if (worker > 0) {
        end_alone(workers, question, now_ms, interval_ms, status);
        return object && object->state != before;
    }
    if (status == ERROR_TIMEOUT || status == ERROR_BROKEN_PIPE) {
        part_together(workers, &question->asked, status);
        return true;
    }
    note_answered(workers, &question->asked, now_ms);
    keep_apart(&workers->due_ms, now_ms, interval_ms);
    keep_parents(&question->asked, workers, &workers->parents);
    return false;
}
