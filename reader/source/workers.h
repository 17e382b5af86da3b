/* SPDX-License-Identifier: MIT */
/*
 * Decides which objects to ask for together and which one by one. A slow provider then delays only
 * its own objects, and one that hangs or crashes is left out.
 *
 * Worker 0 asks one question for all objects that answer in time. Each other worker asks for one
 * object at a time. If a question took too long, its objects are asked for one by one. An object
 * returns to worker 0 after an answer in time. If the object was late when it was asked for alone,
 * it needs several answers in time. It does not return if the objects of worker 0 would then take
 * too long together. This module knows titles and times, but neither sources nor threads. Use it
 * from one thread at a time.
 */
#ifndef PRFDATA_READER_WORKERS_H
#define PRFDATA_READER_WORKERS_H

#include "block/title_set.h"

#define PRFDATA_WORKERS             8u
#define PRFDATA_WORKERS_PATIENCE_MS 1000u /* limit for the answer to a question about all objects */
/* Replaces PRFDATA_WORKERS_PATIENCE_MS for the first answer of a process, because the process has
 * to load the providers first. */
#define PRFDATA_WORKERS_FIRST_MS 3000u
#define PRFDATA_WORKERS_LIMIT_MS 10000u /* limit for the answer to a question about one object */

typedef enum prfdata_workers_state {
    PRFDATA_WORKERS_TOGETHER,
    PRFDATA_WORKERS_ALONE,
    PRFDATA_WORKERS_SILENT /* the provider did not answer, or crashed; the object is not asked for
                              until prfdata_workers_refresh() or prfdata_workers_ask_again() */
} prfdata_workers_state;

typedef struct prfdata_workers_object {
    uint32_t title;
    prfdata_workers_state state;
    bool is_asked;      /* a question for this object alone is running */
    bool is_slow;       /* an answer was late, and the object has not returned to worker 0 since */
    bool lacks_parents; /* there was no answer when the object was asked for with its parents */
    bool is_new; /* the object was never asked for, so it may be asked for between two questions
                    about all objects */
    uint32_t in_time; /* number of consecutive answers in time to questions for this object alone */
    uint32_t took_ms; /* duration of the last answer about this object alone; 0: none yet */
    uint64_t due_ms;  /* when to ask for the object alone; 0: now, even while paused */
    uint64_t answered_ms;      /* end of the last answer about the object; 0: none yet */
    prfdata_title_set parents; /* parents of its instances, asked for together with the object */
} prfdata_workers_object;

/* A question that is running now. */
typedef struct prfdata_workers_question {
    prfdata_title_set asked;
    bool takes_parents; /* parents may be added to `asked` */
    bool is_first;      /* set by the caller: a process must start first */
    uint64_t began_ms;
} prfdata_workers_question;

/* Start with {0}, which wants nothing. */
typedef struct prfdata_workers {
    prfdata_workers_object *objects;
    size_t count;
    size_t capacity;
    prfdata_title_index by_title; /* index of the objects */
    uint64_t due_ms;              /* when worker 0 asks next; 0: now, even while paused */
    prfdata_title_set parents;    /* parents of the objects that worker 0 asks for */
    prfdata_workers_question questions[PRFDATA_WORKERS];
} prfdata_workers;

/*
 * Ask for these objects from now on. Only new objects are due at once, because the other objects
 * would get a second sample shortly after their last one. Returns whether the set of objects has
 * changed.
 */
bool prfdata_workers_want(prfdata_workers *workers, const uint32_t *titles, size_t count);

/* Ask for all objects now; silent objects are asked for one by one. Unless questions are paused,
 * each object waits for half an interval after its last answer, but not longer than 0.5 seconds. */
void prfdata_workers_refresh(prfdata_workers *workers);

/* If the object is silent, ask for it now, on its own. */
void prfdata_workers_ask_again(prfdata_workers *workers, uint32_t title);

/* Use another interval from now on. Questions that are due after now_ms + interval_ms become due at
 * that time. */
void prfdata_workers_set_interval(prfdata_workers *workers, uint64_t now_ms, uint32_t interval_ms);

/*
 * Begin a question; it is put into workers->questions[worker].
 *
 * interval_ms  Time between two questions about the same object. At least half of it passes between
 *              the end of an answer and the next question. If the question is due at once, 0.5
 *              seconds are enough.
 * is_paused    Ask only for objects that are due at once, and ask for them without delay.
 *
 * Returns false if the worker has nothing to ask now.
 */
bool prfdata_workers_begin(prfdata_workers *workers, uint32_t worker, uint64_t now_ms,
                           uint32_t interval_ms, bool is_paused);

/*
 * End a question.
 *
 * status  ERROR_TIMEOUT: there was no answer in time. ERROR_BROKEN_PIPE: the provider crashed. Any
 *         other code counts as an answer.
 *
 * Returns whether any object has changed its state; only objects of this question can.
 */
bool prfdata_workers_end(prfdata_workers *workers, uint32_t worker, uint64_t now_ms,
                         uint32_t interval_ms, uint32_t status);

/* Returns whether an answer took so long that its provider counts as slow. is_first: the answer is
 * the first one of a process, which has more time. */
bool prfdata_workers_is_late(uint64_t took_ms, bool is_first);

/*
 * Return in how many milliseconds prfdata_workers_begin() will have something for the worker;
 * UINT32_MAX: never, unless another function changes the workers first.
 */
uint32_t prfdata_workers_wait_ms(const prfdata_workers *workers, uint32_t worker, uint64_t now_ms,
                                 bool is_paused);

/* Find a wanted object; NULL if it is not wanted. */
const prfdata_workers_object *prfdata_workers_find(const prfdata_workers *workers, uint32_t title);

bool prfdata_workers_has(const prfdata_workers *workers, prfdata_workers_state state);

/* Release everything and leave {0}. */
void prfdata_workers_free(prfdata_workers *workers);

#endif
