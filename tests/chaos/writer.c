/* SPDX-License-Identifier: MIT */
/* Implements a process that publishes. A second thread counts inside brackets all the time. */
#include "chaos/writer.h"

#include <prfdata/atomic.h>
#include <prfdata/prfdata.h>

#include "support/must.h"
#include "support/threads.h"
#include "system/os.h"

/* Fewer slots than names, so that slots get other names. */
enum { MOST_QUEUES = 2, MOST_CONSUMERS = 3 };

struct writing {
    chaos_log *log;
    chaos_writer_log *own;
    chaos_random random;
    prfdata_os_lock lock; /* protects `threads` and the publisher, which may be reopened */
    prfdata_publisher *publisher;
    prfdata_handle requests;
    prfdata_handle hits;
    prfdata_instance instances[CHAOS_KEYS];
    prfdata_handle counters[CHAOS_KEYS];
    unsigned versions; /* number of versions of the map that may be opened */
    unsigned threads;  /* number of threads that have begun; protected by the lock */
    uint64_t is_done;  /* whether this process is ending; accessed atomically */
};

static bool is_over(const struct writing *writing)
{
    return prfdata_load64_acquire(&writing->log->phase) != CHAOS_RUNS ||
           prfdata_load64_acquire(&writing->is_done);
}

/* ---- Counting ---- */

static void count_in_log(chaos_count *count, prfdata_handle handle, uint64_t amount)
{
    prfdata_store64_release(&count->intended, count->intended + amount);
    prfdata_add(handle, (int64_t)amount);
    prfdata_store64_release(&count->done, count->done + amount);
}

static void count_key(struct writing *writing, int key)
{
    chaos_key_log *log = &writing->own->keys[key];
    const uint64_t amount = 1 + chaos_random_below(&writing->random, 9);

    count_in_log(&log->count, writing->counters[key], amount);
    prfdata_store64_release(&log->here, log->here + amount);
}

static void bump_key(struct writing *writing, int key)
{
    const unsigned how = chaos_random_below(&writing->random, 4);
    const unsigned times = 1 + chaos_random_below(&writing->random, 5);

    if (how == 0)
        prfdata_begin(&writing->instances[key]);
    if (how == 1)
        prfdata_begin_all(writing->publisher);
    for (unsigned i = 0; i < times; i++)
        count_key(writing, key);
    if (how == 0)
        prfdata_end(&writing->instances[key]);
    if (how == 1)
        prfdata_end_all(writing->publisher);
}

static void count_requests(struct writing *writing, chaos_random *random)
{
    while (!is_over(writing)) {
        const uint64_t amount = 1 + chaos_random_below(random, 3);

        prfdata_os_lock_enter(&writing->lock);
        prfdata_begin_all(writing->publisher);
        count_in_log(&writing->own->requests, writing->requests, amount);
        if (chaos_random_below(random, 50) == 0)
            chaos_sleep(2000);
        count_in_log(&writing->own->hits, writing->hits, amount);
        prfdata_end_all(writing->publisher);
        prfdata_os_lock_leave(&writing->lock);
        chaos_sleep(chaos_random_below(random, 2000));
    }
}

/* ---- Instances ---- */

static bool is_held(const struct writing *writing, int key)
{
    return writing->own->keys[key].live != 0;
}

static bool has_consumers(const struct writing *writing, int queue)
{
    for (int i = 0; i < CHAOS_CONSUMER_NAMES; i++)
        if (is_held(writing, chaos_consumer_key(queue, i)))
            return true;
    return false;
}

static void note_gone(struct writing *writing, int key)
{
    prfdata_store64_release(&writing->own->keys[key].maybe, 0);
}

static void note_leaving(struct writing *writing, int key)
{
    prfdata_store64_release(&writing->own->keys[key].live, 0);
}

static void add_key(struct writing *writing, int key)
{
    const bool is_consumer = chaos_is_consumer(key);
    const int queue = chaos_queue_of(key);
    chaos_key_log *log = &writing->own->keys[key];
    prfdata_handle gauge;
    uint32_t error;

    if (is_held(writing, key) || (is_consumer && !is_held(writing, queue)))
        return;
    prfdata_store64_release(&log->adds, log->adds + 1);
    prfdata_store64_release(&log->maybe, log->adds);
    error = prfdata_instance_add(writing->publisher, is_consumer ? CHAOS_CONSUMERS : CHAOS_QUEUES,
                                 chaos_names[chaos_name_of(key)],
                                 is_consumer ? &writing->instances[queue] : NULL,
                                 &writing->instances[key]);
    if (error) {
        MUST(error == ERROR_NOT_ENOUGH_QUOTA);
        note_gone(writing, key);
        return;
    }
    MUST(!prfdata_resolve(writing->publisher, is_consumer ? CHAOS_TAKEN : CHAOS_JOBS,
                          &writing->instances[key], &writing->counters[key]));
    MUST(!prfdata_resolve(writing->publisher, is_consumer ? CHAOS_OPEN : CHAOS_DEPTH,
                          &writing->instances[key], &gauge));
    prfdata_set(gauge, CHAOS_GAUGE);
    prfdata_store64_release(&log->here, 0);
    prfdata_store64_release(&log->live, log->adds);
}

static void remove_key(struct writing *writing, int key)
{
    uint32_t error;

    if (!is_held(writing, key))
        return;
    if (!chaos_is_consumer(key) && has_consumers(writing, key)) {
        MUST(prfdata_instance_remove(&writing->instances[key]) == ERROR_DEPENDENT_RESOURCE_EXISTS);
        return;
    }
    note_leaving(writing, key);
    error = prfdata_instance_remove(&writing->instances[key]);
    MUST(error == ERROR_SUCCESS);
    note_gone(writing, key);
}

static int any_key(struct writing *writing)
{
    return (int)chaos_random_below(&writing->random, CHAOS_KEYS);
}

/* Returns a key that this process has, searched from a random one on, or -1 if there is none. */
static int held_key(struct writing *writing)
{
    const int first = any_key(writing);

    for (int i = 0; i < CHAOS_KEYS; i++)
        if (is_held(writing, (first + i) % CHAOS_KEYS))
            return (first + i) % CHAOS_KEYS;
    return -1;
}

/* ---- Opening and closing ---- */

static void open_publisher(struct writing *writing)
{
    static const prfdata_capacity capacities[] = {{CHAOS_QUEUES, MOST_QUEUES},
                                                  {CHAOS_CONSUMERS, MOST_CONSUMERS}};
    const unsigned version = chaos_random_below(&writing->random, writing->versions);
    uint32_t error = prfdata_open_with(chaos_versions[version], capacities, 2, &writing->publisher);

    if (error)
        fprintf(stderr, "open: error %u\n", (unsigned)error);
    MUST(error == ERROR_SUCCESS);
    MUST(!prfdata_resolve(writing->publisher, CHAOS_REQUESTS, NULL, &writing->requests));
    MUST(!prfdata_resolve(writing->publisher, CHAOS_HITS, NULL, &writing->hits));
}

static void close_publisher(struct writing *writing)
{
    for (int i = 0; i < CHAOS_KEYS; i++)
        note_leaving(writing, i);
    if (chaos_random_below(&writing->random, 2))
        prfdata_close(writing->publisher);
    else
        prfdata_close_and_unmap(writing->publisher);
    for (int i = 0; i < CHAOS_KEYS; i++)
        note_gone(writing, i);
}

static void reopen_publisher(struct writing *writing)
{
    prfdata_os_lock_enter(&writing->lock);
    close_publisher(writing);
    open_publisher(writing);
    prfdata_os_lock_leave(&writing->lock);
}

/* Counts without adding or removing anything, so that the instances live long enough to be
 * compared. */
static void hold_on(struct writing *writing)
{
    const unsigned times = 200 + chaos_random_below(&writing->random, 1000);

    for (unsigned i = 0; i < times && !is_over(writing); i++) {
        int key = held_key(writing);

        if (key >= 0)
            bump_key(writing, key);
        chaos_sleep(4000);
    }
}

/* ---- The process ---- */

static void do_something(struct writing *writing)
{
    const unsigned what = chaos_random_below(&writing->random, 1000);
    const int key = what < 700 ? any_key(writing) : held_key(writing);

    if (what < 400)
        add_key(writing, key);
    else if (what < 700)
        remove_key(writing, key);
    else if (what < 985 && key >= 0)
        bump_key(writing, key);
    else if (what >= 997)
        prfdata_store64_release(&writing->is_done, 1);
    else if (what >= 994)
        reopen_publisher(writing);
    else if (what >= 985)
        hold_on(writing);
}

static void churn_or_count(void *context)
{
    struct writing *writing = context;
    unsigned number;

    prfdata_os_lock_enter(&writing->lock);
    number = writing->threads++;
    prfdata_os_lock_leave(&writing->lock);
    if (number == 1) {
        chaos_random random = {writing->random.state ^ UINT64_MAX};

        count_requests(writing, &random);
        return;
    }
    while (!is_over(writing)) {
        do_something(writing);
        if (chaos_random_below(&writing->random, 3) == 0)
            chaos_sleep(chaos_random_below(&writing->random, 4000));
    }
    prfdata_store64_release(&writing->is_done, 1);
}

static void forget_flight(chaos_count *count)
{
    count->lost += count->intended - count->done;
    count->done = count->intended;
}

static void note_start(chaos_writer_log *own, uint64_t incarnation)
{
    forget_flight(&own->requests);
    forget_flight(&own->hits);
    for (int i = 0; i < CHAOS_KEYS; i++) {
        forget_flight(&own->keys[i].count);
        own->keys[i].live = 0;
        own->keys[i].maybe = 0;
    }
    prfdata_store64_release(&own->incarnation, incarnation);
}

int chaos_writer_run(chaos_log *log, unsigned number, uint64_t incarnation, uint64_t seed,
                     unsigned versions)
{
    static struct writing writing;

    MUST(number < CHAOS_WRITERS && versions <= CHAOS_VERSIONS);
    writing.versions = versions;
    writing.log = log;
    writing.own = &log->writers[number];
    writing.random.state = seed;
    note_start(writing.own, incarnation);
    open_publisher(&writing);
    prfdata_test_threads_run(2, churn_or_count, &writing);
    close_publisher(&writing);
    return 0;
}
