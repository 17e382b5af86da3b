/* SPDX-License-Identifier: MIT */
/*
 * Holds the state of a check and does what all scenarios need: load the provider, open it, ask it
 * and check each reply. Windows only.
 */
#ifndef PRFDATA_READER_CHECK_H
#define PRFDATA_READER_CHECK_H

#include "scenarios/allowance.h"
#include "scenarios/history.h"
#include "scenarios/strict.h"
#include "validate/reply_objects.h"

typedef struct prfdata_check {
    prfdata_strict strict;
    prfdata_strict_thread thread;
    prfdata_history history;
    prfdata_validate_gone gone;
    bool quick;
    uint32_t seconds;
    HANDLE pipe;         /* pipe for messages; a second process also writes to it */
    uint64_t silence_ms; /* longest time without progress, in addition to the time limits of
                            calls */
    uint32_t wait_ms;    /* how long to wait for objects that come some time after Open */
    uint32_t expected;   /* the extent to wait for (reply_objects.h) */
    bool has_waited;     /* scenarios no longer wait for the first instances of objects that have
                            none */
    bool is_loaded;
    bool is_open;
    bool is_hopeless;             /* the provider does not load, does not open, or finds every
                                     buffer too small */
    prfdata_reply_objects global; /* objects of the last reply to Global */
    uint32_t needed;              /* size of the last reply to Global */
    /* `needed` is invalid, because the last reply to Global broke a rule of lengths
     * (prfdata_strict_result). */
    bool is_size_wrong;
    prfdata_reply_objects seen; /* everything that Global has ever returned */
    /* If `seen` has grown after the first Collect of an Open, the time from that Open to the last
     * growth; otherwise 0. */
    uint32_t late_ms;
    uint64_t opened_ms;          /* GetTickCount64 */
    bool is_asked;               /* Global was asked for since Open */
    bool is_ready;               /* the current scenario knows what Global returns */
    uint32_t saw;                /* extent of Global when the scenario became ready */
    uint64_t calls;              /* number of Collects of other threads */
    uint32_t slowest_us;         /* longest Collect of other threads and of second processes */
    uint32_t index;              /* index of the current scenario */
    const char *name;            /* name of the current scenario */
    uint64_t begun_ms;           /* GetTickCount64 when the scenario began */
    prfdata_allowance allowance; /* budget of the processor's time, for large replies */
    bool does_less;              /* the current scenario left out some repetitions */
    /* The current scenario has reported that instances are left out, and does not search for that
     * mistake again. */
    bool is_cut;
    /*
     * The current scenario has reported that a large enough buffer is refused, and does not search
     * for that mistake again.
     */
    bool is_refused;
    char did[160]; /* what the scenario did, if its name does not say it */
} prfdata_check;

/* Add a finding that belongs to no byte. `text` is a format with at most one %u, for `number`. */
void prfdata_check_find(prfdata_strict_thread *thread, prfdata_rule rule, const char *text,
                        uint32_t number);

/* Add a finding about the object with this title index. */
void prfdata_check_find_object(prfdata_strict_thread *thread, prfdata_rule rule, const char *text,
                               uint32_t title);

/*
 * Call Collect and check everything about the call; `history` has the last replies of this thread.
 * The arguments and the result are those of prfdata_strict_collect().
 */
uint32_t prfdata_check_collect(prfdata_strict_thread *thread, prfdata_history *history,
                               const wchar_t *query, uint32_t capacity, prfdata_caller_place place,
                               uint32_t shift, prfdata_strict_result *result);

/*
 * Call Collect with larger and larger buffers until the reply fits, and check everything about each
 * call. If no buffer is large enough, that is a finding.
 */
uint32_t prfdata_check_collect_whole(prfdata_strict_thread *thread, prfdata_history *history,
                                     const wchar_t *query, prfdata_strict_result *result);

/* Call Collect in the check's own thread, with a buffer that is large enough. */
uint32_t prfdata_check_ask(prfdata_check *check, const wchar_t *query,
                           prfdata_strict_result *result);

/* Ask the provider, and read the objects of the reply into `set`. The set is empty if there is no
 * reply. */
void prfdata_check_ask_titles(prfdata_check *check, const wchar_t *query,
                              prfdata_reply_objects *set);

/* Ask what Global returns now. Sets check->global and check->needed. */
void prfdata_check_ask_global(prfdata_check *check);

/* Load the provider, unless it is loaded. The second function unloads the provider if it is
 * loaded. */
void prfdata_check_load(prfdata_check *check);
void prfdata_check_unload(prfdata_check *check);

/* Load and open the provider, unless that is already done. The second function closes the provider
 * if it is open. */
void prfdata_check_open(prfdata_check *check);
void prfdata_check_close(prfdata_check *check);

/*
 * Open the provider, unless it is open. Then ask for Global, unless this scenario has asked since
 * Open. If replies are large and nothing more is expected, a question of an earlier scenario since
 * Open is enough. Wait until everything that is expected has come, at most check->wait_ms. If
 * nothing was seen yet, wait for any object, because many providers take their first sample some
 * time after Open. The first wait is also for the first instances of objects that have none. What
 * does not come is no longer expected.
 *
 * Returns false if the provider is not open.
 */
bool prfdata_check_make_ready(prfdata_check *check);

/* Returns whether Windows would ask the provider this query. If not, check->did says why. */
bool prfdata_check_may_ask(prfdata_check *check, const wchar_t *query);

/*
 * Open the provider and ask for Global, unless a reply to Global had an object before. This
 * function is for scenarios that open the provider in their own way.
 */
void prfdata_check_look(prfdata_check *check);

/*
 * Return how long after Open an object that was seen before may be missing. Objects that came late
 * are expected to come late again. 0: all objects came with the first Collect.
 */
uint32_t prfdata_check_patience_ms(const prfdata_check *check);

/* Add the calls of another thread to those of the check, after prfdata_strict_leave(). */
void prfdata_check_count(prfdata_check *check, const prfdata_strict_thread *thread);

/* Return the processor time of all threads of this process so far. */
uint64_t prfdata_check_processor_ms(void);

/* Returns whether replies are so large that the processor's time for them counts. */
bool prfdata_check_is_large(const prfdata_check *check);

/*
 * Returns whether the current scenario may continue to repeat itself. If not, the report says that
 * it did less.
 */
bool prfdata_check_has_time(prfdata_check *check);

/* Return how long the scenario may repeat something: `most_ms`, or less if replies are large. */
uint64_t prfdata_check_limit_time(const prfdata_check *check, uint64_t most_ms);

/* Begin the scenario's share of the time. Returns false if replies are large and the time of all
 * scenarios is used up; the scenario is then left out. */
bool prfdata_check_begin_share(prfdata_check *check, uint32_t shares);

#endif
