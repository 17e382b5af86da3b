/* SPDX-License-Identifier: MIT */
/*
 * Decides which objects are asked for together, and which by themselves, so that a slow provider
 * delays only its own objects, and one that hangs or crashes is left out.
 *
 * Asker 0 asks for all that answer in time with one question; each of the other askers for one
 * object at a time. Objects of a question that took too long are asked for by themselves, and come
 * back to asker 0 if they are in time. Knows titles and times; neither sources nor threads. One
 * thread at a time.
 */
#ifndef PRFDATA_READER_ASKERS_H
#define PRFDATA_READER_ASKERS_H

#include "block/title_set.h"

#define PRFDATA_ASKERS             8u
#define PRFDATA_ASKERS_PATIENCE_MS 1000u  /* for the answer about all */
#define PRFDATA_ASKERS_FIRST_MS    3000u  /* for the first of a process, which has yet to begin */
#define PRFDATA_ASKERS_LIMIT_MS    10000u /* for that about one object */

typedef enum prfdata_askers_state {
    PRFDATA_ASKERS_TOGETHER,
    PRFDATA_ASKERS_ALONE,
    PRFDATA_ASKERS_SILENT /* it did not answer, or its provider crashed: it is not asked for */
} prfdata_askers_state;

typedef struct prfdata_askers_object {
    uint32_t title;
    prfdata_askers_state state;
    bool is_asked;             /* by itself, now */
    bool is_slow;              /* it was too late */
    bool lacks_parents;        /* with its parents it did not answer */
    bool is_new;               /* it was not asked for yet, and is now, also between the others */
    uint32_t in_time;          /* answers in time since it was late, by itself */
    uint32_t took_ms;          /* the last answer by itself; 0: there was none */
    uint64_t due_ms;           /* by itself; 0: now, also while it is paused */
    uint64_t answered_ms;      /* the end of its last answer; 0: there was none */
    prfdata_title_set parents; /* of its instances, which are asked for with it */
} prfdata_askers_object;

/* A question that is asked now. */
typedef struct prfdata_askers_question {
    prfdata_title_set asked;
    bool takes_parents; /* objects that are parents may be added to `asked` */
    bool is_first;      /* for the caller to set: a process has to begin for it */
    uint64_t began_ms;
} prfdata_askers_question;

/* {0} is the beginning: nothing is wanted. */
typedef struct prfdata_askers {
    prfdata_askers_object *objects;
    size_t count;
    size_t capacity;
    uint64_t due_ms;           /* of asker 0; 0: now, also while it is paused */
    prfdata_title_set parents; /* of what asker 0 asks for */
    prfdata_askers_question questions[PRFDATA_ASKERS];
} prfdata_askers;

/*
 * Ask for these objects from now on. New ones are due at once, and only they: a sample of the
 * others would come soon after one that they had. Returns whether they are others than before.
 */
bool prfdata_askers_want(prfdata_askers *askers, const uint32_t *titles, size_t count);

/* Ask for everything now; by itself for what was silent. What has just been answered waits for half
 * an interval, at most half a second, unless questions are paused. */
void prfdata_askers_refresh(prfdata_askers *askers);

/* Ask for an object by itself now, if it was silent. */
void prfdata_askers_ask_again(prfdata_askers *askers, uint32_t title);

/* Ask at another interval from now on: what is due after a longer one is due earlier. */
void prfdata_askers_set_interval(prfdata_askers *askers, uint64_t now_ms, uint32_t interval_ms);

/*
 * Begin a question: askers->questions[asker].
 *
 * interval_ms  Between two questions about the same; at least half of it is between the end of an
 *              answer and the next question.
 * is_paused    Only what is due at once is asked for.
 *
 * Returns false if the asker has nothing to ask now.
 */
bool prfdata_askers_begin(prfdata_askers *askers, uint32_t asker, uint64_t now_ms,
                          uint32_t interval_ms, bool is_paused);

/*
 * End a question.
 *
 * status  ERROR_TIMEOUT: there was no answer in time; ERROR_BROKEN_PIPE: the provider crashed;
 * every other is an answer.
 *
 * Returns whether objects have changed their state: those of the question tell.
 */
bool prfdata_askers_end(prfdata_askers *askers, uint32_t asker, uint64_t now_ms,
                        uint32_t interval_ms, uint32_t status);

/* Whether an answer took so long that its provider is slow. */
bool prfdata_askers_is_late(uint64_t took_ms, bool is_first);

/* In how many ms prfdata_askers_begin() has something for a asker; UINT32_MAX: not by itself. */
uint32_t prfdata_askers_wait_ms(const prfdata_askers *askers, uint32_t asker, uint64_t now_ms,
                                bool is_paused);

/* An object that is wanted, or NULL. */
const prfdata_askers_object *prfdata_askers_find(const prfdata_askers *askers, uint32_t title);

/* Whether any object is in a state. */
bool prfdata_askers_has(const prfdata_askers *askers, prfdata_askers_state state);

/* Release everything; {0} is left. */
void prfdata_askers_free(prfdata_askers *askers);

#endif
