/* SPDX-License-Identifier: MIT */
#include "chaos/equal.h"

#include <stdio.h>
#include <stdlib.h>

#include <prfdata/atomic.h>
#include <prfdata/prfdata.h>

#include "chaos/log.h"
#include "collect/provider.h"
#include "support/must.h"
#include "support/provider/perf_reader.h"
#include "support/provider/torn_copies.h"
#include "support/threads.h"

enum {
    FIRST_ID = 100,
    FIRST_COUNT_ID,
    LARGE_ID = 200,
    LARGE_COUNT_ID,
    LAST_ID = 300,
    LAST_COUNT_ID,
    NEW_ID = 400,
    NEW_COUNT_ID
};
enum { SLOTS = 12000, NEW_SLOTS = 3000, PROGRAMS = 400, BRACKETS = 30 };
enum {
    FIRST_TITLE = CHAOS_EQUAL_FIRST_COUNTER,
    LAST_TITLE = CHAOS_EQUAL_FIRST_COUNTER + 8,
    NEW_TITLE = CHAOS_EQUAL_FIRST_COUNTER + 12
};
enum { MOST_THREADS = 16, ROOM = 64 * 1024 };

/* clang-format off */
PRFDATA_MAP_BEGIN_AS(chaos_equal_map)
PRFDATA_MAP_OBJ(FIRST_ID, L"Equal First", L"First.", PERF_DETAIL_NOVICE, FIRST_COUNT_ID,
                PERF_NO_INSTANCES, 0)
PRFDATA_MAP_CTR(FIRST_COUNT_ID, L"Brackets/sec", L"B.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_OBJ(LARGE_ID, L"Equal Large", L"Large.", PERF_DETAIL_NOVICE, LARGE_COUNT_ID, SLOTS, 8)
PRFDATA_MAP_CTR(LARGE_COUNT_ID, L"Count/sec", L"C.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_OBJ(LAST_ID, L"Equal Last", L"Last.", PERF_DETAIL_NOVICE, LAST_COUNT_ID,
                PERF_NO_INSTANCES, 0)
PRFDATA_MAP_CTR(LAST_COUNT_ID, L"Brackets/sec", L"B.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_OBJ(NEW_ID, L"Equal New", L"New.", PERF_DETAIL_NOVICE, NEW_COUNT_ID, NEW_SLOTS, 8)
PRFDATA_MAP_TOTAL()
PRFDATA_MAP_CTR(NEW_COUNT_ID, L"Brackets/sec", L"B.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END_AS(chaos_equal_map, CHAOS_EQUAL_SERVICE)
/* clang-format on */

/* ---- Programs ---- */

/* Uses every slot of the large object once, so that all are dormant afterwards. */
static void use_all_slots(prfdata_publisher *publisher)
{
    static prfdata_instance instances[SLOTS];

    for (int32_t i = 0; i < SLOTS; i++)
        MUST(!prfdata_instance_add_id(publisher, LARGE_ID, i, NULL, &instances[i]));
    for (int32_t i = 0; i < SLOTS; i++)
        MUST(!prfdata_instance_remove(&instances[i]));
}

/* Adds an instance that this publisher does not have yet, so that it may need a new slot, and
 * counts in one bracket. */
static void work_once(prfdata_publisher *publisher, int32_t number)
{
    prfdata_handle first, last, in_new;
    prfdata_instance added;

    MUST(!prfdata_instance_add_id(publisher, NEW_ID, number, NULL, &added));
    MUST(!prfdata_resolve(publisher, NEW_COUNT_ID, &added, &in_new));
    MUST(!prfdata_resolve(publisher, FIRST_COUNT_ID, NULL, &first));
    MUST(!prfdata_resolve(publisher, LAST_COUNT_ID, NULL, &last));
    prfdata_begin_all(publisher);
    prfdata_increment(first);
    prfdata_increment(in_new);
    prfdata_increment(last);
    prfdata_end_all(publisher);
}

int chaos_equal_write(uint64_t seed)
{
    chaos_random random = {seed};
    prfdata_publisher *publisher;

    for (unsigned left = 1 + chaos_random_below(&random, PROGRAMS); left > 0; left--) {
        MUST(!prfdata_open(&chaos_equal_map, &publisher));
        if (seed == 0)
            use_all_slots(publisher);
        for (unsigned i = 1 + chaos_random_below(&random, BRACKETS); i > 0; i--)
            work_once(publisher, (int32_t)(chaos_random_below(&random, NEW_SLOTS) * BRACKETS + i));
        if (chaos_random_below(&random, 4) == 0)
            chaos_sleep(chaos_random_below(&random, 500));
        if (left > 1 && seed != 0)
            prfdata_close_and_unmap(publisher);
        else
            break;
    }
    fflush(stdout);
    _Exit(0); /* ends as if it were killed */
}

/* ---- Programs that start before the installation ---- */

struct late_program {
    prfdata_publisher *publisher;
    chaos_random random;
    prfdata_os_lock lock;
    unsigned threads; /* number of threads that have begun; protected by the lock */
    unsigned counting;
    uint64_t brackets; /* atomic: how many brackets were counted */
    uint64_t is_over;  /* atomic */
};

/* Counts in one bracket. Sometimes waits inside it, so that the program may begin to publish
 * meanwhile. */
static void count_late(struct late_program *program, chaos_random *random, prfdata_handle first,
                       prfdata_handle in_new, prfdata_handle last)
{
    const bool stays = chaos_random_below(random, 16) == 0;

    prfdata_begin_all(program->publisher);
    prfdata_increment(first);
    if (stays)
        chaos_sleep(chaos_random_below(random, 3000));
    prfdata_increment(in_new);
    prfdata_increment(last);
    prfdata_end_all(program->publisher);
    prfdata_add64_relaxed(&program->brackets, 1);
}

static void count_with_old_handles(struct late_program *program, unsigned number)
{
    chaos_random random = {program->random.state ^ number};
    prfdata_handle first, last, in_new;
    prfdata_instance added;

    MUST(!prfdata_instance_add_id(program->publisher, NEW_ID, (int32_t)number, NULL, &added));
    MUST(!prfdata_resolve(program->publisher, NEW_COUNT_ID, &added, &in_new));
    MUST(!prfdata_resolve(program->publisher, FIRST_COUNT_ID, NULL, &first));
    MUST(!prfdata_resolve(program->publisher, LAST_COUNT_ID, NULL, &last));
    while (!prfdata_load64_acquire(&program->is_over)) {
        for (unsigned i = chaos_random_below(&random, 20); i > 0; i--)
            count_late(program, &random, first, in_new, last);
        chaos_sleep(chaos_random_below(&random, 500));
    }
}

/* Tries to publish at random moments. Between the tries, counts with new handles. */
static void publish_late(struct late_program *program)
{
    uint64_t end_ms;
    int32_t number = 100;

    while (prfdata_load64_relaxed(&program->brackets) < program->counting)
        chaos_sleep(1000);
    printf("ready\n");
    fflush(stdout);
    end_ms = prfdata_os_milliseconds() + 500 + chaos_random_below(&program->random, 700);
    while (prfdata_os_milliseconds() < end_ms) {
        chaos_sleep(chaos_random_below(&program->random, 20000));
        if (chaos_random_below(&program->random, 2)) {
            (void)prfdata_retry(program->publisher); /* fails before the installation */
        } else {
            work_once(program->publisher, number++);
            prfdata_add64_relaxed(&program->brackets, 1);
        }
    }
    prfdata_store64_release(&program->is_over, 1);
}

static void count_or_publish(void *context)
{
    struct late_program *program = context;
    unsigned number;

    prfdata_os_lock_enter(&program->lock);
    number = program->threads++;
    prfdata_os_lock_leave(&program->lock);
    if (number == 0)
        publish_late(program);
    else
        count_with_old_handles(program, number);
}

int chaos_equal_late(unsigned threads, uint64_t seed)
{
    static struct late_program program;

    program.random.state = seed;
    program.counting = threads;
    MUST(prfdata_open(&chaos_equal_map, &program.publisher) != ERROR_SUCCESS);
    prfdata_test_threads_run(threads + 1, count_or_publish, &program);
    while (prfdata_retry(program.publisher))
        chaos_sleep(10000); /* the driver ends this program if the counters are never installed */
    prfdata_close(program.publisher);
    printf("%llu\n", (unsigned long long)program.brackets);
    return 0;
}

/* ---- The reader ---- */

struct equal_reading {
    prfdata_provider *provider;
    uint64_t end_ms;
    prfdata_os_lock lock; /* protects the fields below */
    uint64_t whole, torn, halves, falls;
};

static uint64_t equal_count(const perf_reply *reply, uint32_t title, const char *instance)
{
    uint64_t value;

    MUST(perf_reader_value(reply, title, NULL, instance, 0, &value));
    return value;
}

/* Records a reading. `most` is the count that this thread saw last, and gets the new one. */
static void note_reading(struct equal_reading *reading, bool is_whole, const perf_reply *reply,
                         uint64_t *most)
{
    const uint64_t first = equal_count(reply, FIRST_TITLE, NULL);
    const uint64_t last = equal_count(reply, LAST_TITLE, NULL);
    const uint64_t of_new = equal_count(reply, NEW_TITLE, "_Total");

    prfdata_os_lock_enter(&reading->lock);
    if (first < *most && reading->falls++ < 5)
        printf("FAULT: a count fell from %llu to %llu\n", (unsigned long long)*most,
               (unsigned long long)first);
    *most = first;
    reading->whole += is_whole;
    reading->torn += !is_whole;
    if (is_whole && (first != last || first != of_new) && reading->halves++ < 5)
        printf("FAULT: a half is shown as whole: %llu, %llu and %llu\n", (unsigned long long)first,
               (unsigned long long)last, (unsigned long long)of_new);
    prfdata_os_lock_leave(&reading->lock);
}

/* One number counts the torn copies of all threads. If it does not change during a reading, the
 * reading is consistent. */
static void read_once(struct equal_reading *reading, unsigned char *room, uint64_t *most)
{
    static const uint16_t all[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    const uint64_t torn = torn_copies(reading->provider);
    perf_reply reply = {room, 0, 0};
    uint32_t size = ROOM;
    void *data = room;

    MUST(room != NULL);
    MUST(!prfdata_provider_collect(reading->provider, all, &data, &size, &reply.object_count));
    reply.size = size;
    note_reading(reading, torn_copies(reading->provider) == torn, &reply, most);
}

static void read_equal_work(void *context)
{
    struct equal_reading *reading = context;
    unsigned char *room = malloc(ROOM);
    uint64_t most = 0;

    while (prfdata_os_milliseconds() < reading->end_ms)
        read_once(reading, room, &most);
    free(room);
}

/* Reads with this thread alone until a reading is whole. While several threads read on a busy
 * computer, every reading may count as torn because of another thread's copy. */
static void read_until_whole(struct equal_reading *reading)
{
    enum { LONGEST_MS = 30000 };
    unsigned char *room = malloc(ROOM);
    uint64_t most = 0;

    while (reading->whole == 0 && prfdata_os_milliseconds() < reading->end_ms + LONGEST_MS)
        read_once(reading, room, &most);
    free(room);
}

int chaos_equal_read(unsigned threads, unsigned seconds, bool uses_plans)
{
    static struct equal_reading reading;

    MUST(threads >= 1 && threads <= MOST_THREADS);
    MUST(!prfdata_provider_open(CHAOS_EQUAL_SERVICE, &reading.provider));
    prfdata_provider_set_plans(reading.provider, uses_plans);
    reading.end_ms = prfdata_os_milliseconds() + 1000ull * seconds;
    prfdata_test_threads_run(threads, read_equal_work, &reading);
    read_until_whole(&reading);
    prfdata_provider_close(reading.provider);
    printf("%llu whole readings, %llu torn, %llu halves, %llu falls\n",
           (unsigned long long)reading.whole, (unsigned long long)reading.torn,
           (unsigned long long)reading.halves, (unsigned long long)reading.falls);
    return reading.halves > 0 || reading.falls > 0 || reading.whole == 0;
}

int chaos_equal_total(void)
{
    static struct equal_reading reading;
    unsigned char *room = malloc(ROOM);
    uint64_t most = 0;

    MUST(!prfdata_provider_open(CHAOS_EQUAL_SERVICE, &reading.provider));
    read_once(&reading, room, &most);
    free(room);
    prfdata_provider_close(reading.provider);
    printf("%llu\n", (unsigned long long)most);
    return reading.halves > 0 || reading.whole == 0;
}
