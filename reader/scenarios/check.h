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
    HANDLE pipe;         /* pipe of messages, which a second process writes to also */
    uint64_t silence_ms; /* so long a process may do nothing, beside what its calls may take */
    uint32_t wait_ms;    /* for objects that come some time after Open */
    uint32_t expected;   /* the extent that is waited for (reply_objects.h) */
    uint32_t new_thread_bytes; /* size of the reply that a thread got in its only Collect */
    bool has_waited;           /* for instances of objects that had none at first */
    bool is_loaded;
    bool is_open;
    bool is_hopeless;             /* the provider neither loads nor opens, or gives no reply */
    prfdata_reply_objects global; /* objects of the last reply to Global */
    uint32_t needed;              /* bytes of that reply */
    bool is_size_wrong;           /* it needs others: see prfdata_strict_result */
    prfdata_reply_objects seen;   /* all that Global ever gave */
    uint32_t late_ms;             /* after Open, when `seen` last grew; 0: with the first Collect */
    uint64_t opened_ms;           /* GetTickCount64 */
    bool is_asked;                /* Global, since Open */
    bool is_ready;                /* the scenario that runs knows what Global gives */
    uint32_t saw;                 /* the extent of what it began with */
    uint64_t calls;               /* Collects of other threads */
    uint32_t slowest_us;          /* longest time of these */
    uint32_t index;               /* index of the scenario that runs */
    const char *name;             /* name of the scenario that runs */
    uint64_t begun_ms;            /* GetTickCount64 when it began */
    prfdata_allowance allowance;  /* budget of the processor's time, where replies are large */
    bool does_less;               /* the scenario that runs left out some of what it repeats */
    bool is_cut;     /* it found that instances are left out: that is not looked for again */
    bool is_refused; /* it found that a buffer is refused that is large enough: the same */
    char did[160];   /* describes what it did, if that is not obvious */
} prfdata_check;

/* Add a finding that is about no byte. `text` is a format with at most one %u, for `number`. */
void prfdata_check_find(prfdata_strict_thread *thread, prfdata_rule rule, const char *text,
                        uint32_t number);

/* Add a finding about the object with this title index. */
void prfdata_check_find_object(prfdata_strict_thread *thread, prfdata_rule rule, const char *text,
                               uint32_t title);

/*
 * Call Collect and check all of it; `history` has the last replies of this thread. The arguments
 * and the result are those of prfdata_strict_collect().
 */
uint32_t prfdata_check_collect(prfdata_strict_thread *thread, prfdata_history *history,
                               const wchar_t *query, uint32_t capacity, prfdata_caller_place place,
                               uint32_t shift, prfdata_strict_result *result);

/* Call Collect with a buffer that is large enough for the reply, and check all of it. */
uint32_t prfdata_check_collect_whole(prfdata_strict_thread *thread, prfdata_history *history,
                                     const wchar_t *query, prfdata_strict_result *result);

/* Call Collect in the check's own thread, with a buffer that is large enough. */
uint32_t prfdata_check_ask(prfdata_check *check, const wchar_t *query,
                           prfdata_strict_result *result);

/* Ask for the objects' titles only; none if there is no reply. */
void prfdata_check_ask_titles(prfdata_check *check, const wchar_t *query,
                              prfdata_reply_objects *set);

/* Ask what Global gives now: check->global and check->needed. */
void prfdata_check_ask_global(prfdata_check *check);

/* Load and unload, if it is not done yet. */
void prfdata_check_load(prfdata_check *check);
void prfdata_check_unload(prfdata_check *check);

/* Load and open, if it is not done yet; close, if it is open. */
void prfdata_check_open(prfdata_check *check);
void prfdata_check_close(prfdata_check *check);

/*
 * Open, and know what Global gives now. What was seen before, or anything at first, is waited for:
 * many a provider has its own first sample some time after Open.
 * Returns false if nothing can be asked.
 */
bool prfdata_check_make_ready(prfdata_check *check);

/* Whether Windows would ask the provider that; what the scenario did says why not. */
bool prfdata_check_may_ask(prfdata_check *check, const wchar_t *query);

/* For those that open in their own way: see once what Global gives, if nothing was seen yet. */
void prfdata_check_look(prfdata_check *check);

/*
 * How long after Open what was seen before may be missing: objects that came late come late again.
 * 0: they came with the first Collect.
 */
uint32_t prfdata_check_patience_ms(const prfdata_check *check);

/* Count what another thread called, which has left. */
void prfdata_check_count(prfdata_check *check, const prfdata_strict_thread *thread);

/* Return the processor time of all threads of this process so far. */
uint64_t prfdata_check_processor_ms(void);

/* Whether replies are so large that the processor's time for them counts. */
bool prfdata_check_is_large(const prfdata_check *check);

/* Whether the scenario that runs may go on to repeat itself; if not, it does less than others. */
bool prfdata_check_has_time(prfdata_check *check);

/* So long may the scenario repeat something: `most_ms`, or less where replies are large. */
uint64_t prfdata_check_limit_time(const prfdata_check *check, uint64_t most_ms);

/* Begin the scenario's share of the time. Returns false if there is none: it is left out. */
bool prfdata_check_begin_share(prfdata_check *check, uint32_t shares);

#endif
