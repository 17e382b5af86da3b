/* SPDX-License-Identifier: MIT */
/* Tests hot counters from the program to the reader. Threads start and end by the thousand and
 * processes are killed, and their counts in lanes are still shown exactly. Meanwhile exclusive
 * handles are acquired and released. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "support/process.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided.h"
#include "support/sample_map.h"
#include "support/threads.h"

#define SERVICE "PrfDataTestHot"

enum { FIRST_COUNTER = 9600, QUEUE_TITLE = 9600, WORKER_TITLE = 9608 };
enum { DEPTH_AT, JOBS_AT, JOB_TIME_AT, JOB_TIME_BASE_AT, BUSY_AT = 0 };
enum { QUEUE_ID = 100, JOBS_ID = 102, JOB_TIME_ID, BUSY_ID = 201 };

static sample_map sample;
static prfdata_publisher *publisher;

static void heat_sample(void)
{
    sample_map_init_as(&sample, SERVICE);
    sample_map_heat(&sample);
    sample.entries[QUEUES].max_instances = 4;
}

static int begin(void **state)
{
    (void)state;
    heat_sample();
    provided_begin(&sample.map, FIRST_COUNTER);
    publisher = counting_open(&sample.map);
    return 0;
}

static int end(void **state)
{
    return provided_end_after(&publisher, state);
}

static prfdata_instance add_queue(const wchar_t *name)
{
    return counting_add(publisher, QUEUE_ID, name, NULL);
}

/* Collects twice, because the second Collect may use a plan. */
static void collect_twice(collected *taken)
{
    collected_take(taken, provider, "9600 9608");
    collected_free(taken);
    collected_take(taken, provider, "9600 9608");
}

static uint64_t shown(uint32_t title, const char *instance, uint32_t position)
{
    collected taken;
    uint64_t value;

    collect_twice(&taken);
    value = collected_value(&taken, title, "", instance, position);
    collected_free(&taken);
    return value;
}

/* ---- Values ---- */

static void test_hot_counter_shows_what_was_counted(void **state)
{
    const prfdata_instance mail = add_queue(L"mail");
    const prfdata_handle jobs = counting_resolve(publisher, JOBS_ID, &mail);
    const prfdata_handle busy = counting_resolve(publisher, BUSY_ID, NULL);

    (void)state;
    assert_null(jobs.cell);
    for (uint64_t i = 1; i <= 5; i++) {
        prfdata_increment(jobs);
        prfdata_add(jobs, 10);
        prfdata_add(busy, 3);
        assert_int_equal(shown(QUEUE_TITLE, "mail", JOBS_AT), 11 * i);
        assert_int_equal(shown(QUEUE_TITLE, "_Total", JOBS_AT), 11 * i);
        assert_int_equal(shown(WORKER_TITLE, NULL, BUSY_AT), 3 * i);
        assert_int_equal(prfdata_get(jobs), 11 * i);
    }
}

static void test_hot_pair_shows_value_and_base(void **state)
{
    const prfdata_instance mail = add_queue(L"mail");
    prfdata_pair time;

    (void)state;
    assert_int_equal(prfdata_resolve_pair(publisher, JOB_TIME_ID, &mail, &time), ERROR_SUCCESS);
    for (int i = 0; i < 7; i++)
        prfdata_average_add(time, 100);
    prfdata_timer_stop(time, prfdata_timer_start(time));
    assert_in_range(shown(QUEUE_TITLE, "mail", JOB_TIME_AT), 700, 700 + 1000000000);
    assert_int_equal(shown(QUEUE_TITLE, "mail", JOB_TIME_BASE_AT), 8);
    assert_int_equal(prfdata_get(time.base), 8);
}

/* Names come, go, return and get slots that others had. A name that returns begins at 0, and the
 * total keeps all counts. */
static void test_hot_counts_belong_to_their_name(void **state)
{
    static const wchar_t *const names[] = {L"a", L"b", L"c", L"d", L"e"};
    static const char *const shown_names[] = {"a", "b", "c", "d", "e"};
    uint64_t total = 0;

    (void)state;
    for (uint64_t round = 1; round <= 20; round++) {
        const size_t name = (size_t)(round % 5);
        const prfdata_instance queue = add_queue(names[name]);
        const prfdata_handle jobs = counting_resolve(publisher, JOBS_ID, &queue);
        const uint64_t before = shown(QUEUE_TITLE, shown_names[name], JOBS_AT);
        prfdata_exclusive alone = counting_resolve_exclusive(publisher, JOBS_ID, &queue);

        assert_int_equal(before, (uint64_t)prfdata_get(jobs));
        /* There are five names and four slots, so a name has lost its slot when it returns. */
        assert_int_equal(before, 0);
        prfdata_add(jobs, (int64_t)round);
        prfdata_exclusive_add(&alone, (int64_t)round);
        total += 2 * round;
        assert_int_equal(shown(QUEUE_TITLE, shown_names[name], JOBS_AT), 2 * round);
        assert_int_equal(prfdata_get(jobs), 2 * round);
        assert_int_equal(shown(QUEUE_TITLE, "_Total", JOBS_AT), total);
        prfdata_release_exclusive(&alone);
        assert_int_equal(prfdata_instance_remove(&queue), ERROR_SUCCESS);
    }
}

static void test_hot_name_that_returns_goes_on(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 5; i++) {
        const prfdata_instance queue = add_queue(L"mail");

        prfdata_add(counting_resolve(publisher, JOBS_ID, &queue), 4);
        assert_int_equal(shown(QUEUE_TITLE, "mail", JOBS_AT), 4 * i);
        assert_int_equal(prfdata_instance_remove(&queue), ERROR_SUCCESS);
    }
}

static void test_hot_counts_of_several_programs_are_added(void **state)
{
    const prfdata_instance mail = add_queue(L"mail");
    prfdata_publisher *first = publisher;

    (void)state;
    prfdata_add(counting_resolve(publisher, JOBS_ID, &mail), 30);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    {
        const prfdata_instance same = add_queue(L"mail");

        prfdata_add(counting_resolve(publisher, JOBS_ID, &same), 4);
    }
    assert_int_equal(shown(QUEUE_TITLE, "mail", JOBS_AT), 34);
    prfdata_close_and_unmap(first);
    assert_int_equal(shown(QUEUE_TITLE, "mail", JOBS_AT), 34);
    assert_int_equal(shown(QUEUE_TITLE, "_Total", JOBS_AT), 34);
}

/* ---- Versions of the map ---- */

/* A counter is hot in one version of the map only. The counts continue, in both directions. */
static void test_hot_or_not_the_counts_go_on(void **state)
{
    sample_map hot = sample;
    prfdata_instance mail = add_queue(L"mail");

    (void)state;
    prfdata_add(counting_resolve(publisher, JOBS_ID, &mail), 5);
    assert_int_equal(shown(QUEUE_TITLE, "mail", JOBS_AT), 5);
    sample_map_remove(&sample, JOBS + 1);
    prfdata_test_service_upgrade(&service, &sample.map);
    prfdata_close_and_unmap(publisher);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    mail = add_queue(L"mail");
    assert_non_null(counting_resolve(publisher, JOBS_ID, &mail).cell);
    prfdata_add(counting_resolve(publisher, JOBS_ID, &mail), 20);
    prfdata_provider_close(provider);
    provider = provided_open();
    assert_int_equal(shown(QUEUE_TITLE, "mail", JOBS_AT), 25);

    hot.map.entries = hot.entries;
    prfdata_test_service_upgrade(&service, &hot.map);
    prfdata_close_and_unmap(publisher);
    assert_int_equal(prfdata_open(&hot.map, &publisher), ERROR_SUCCESS);
    mail = add_queue(L"mail"); /* the dormant slot becomes live again, and still has 5 jobs */
    prfdata_add(counting_resolve(publisher, JOBS_ID, &mail), 100);
    prfdata_provider_close(provider);
    provider = provided_open();
    assert_int_equal(shown(QUEUE_TITLE, "mail", JOBS_AT), 125);
    assert_int_equal(shown(QUEUE_TITLE, "_Total", JOBS_AT), 125);
}

/* ---- Random sequences ---- */

#ifdef _WIN32 /* under Wine a Collect costs a hundred times as much */
enum { STEPS = 60 };
#else
enum { STEPS = 300 };
#endif
enum { PROGRAMS = 3, NAMES = 6, EXCLUSIVE = 4 };

/* A program that has instances of some names, each with a handle and some exclusive ones. */
typedef struct hot_program {
    prfdata_publisher *publisher;
    bool is_added[NAMES];
    prfdata_instance queues[NAMES];
    prfdata_handle jobs[NAMES];
    prfdata_exclusive alone[NAMES][EXCLUSIVE];
} hot_program;

static hot_program programs[PROGRAMS];
static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % limit;
}

static void start_program(hot_program *of)
{
    memset(of, 0, sizeof *of);
    assert_int_equal(prfdata_open(&sample.map, &of->publisher), ERROR_SUCCESS);
}

static void restart_program(hot_program *of)
{
    prfdata_close_and_unmap(of->publisher);
    start_program(of);
}

static void toggle_name(hot_program *of, uint32_t name)
{
    const wchar_t text[] = {(wchar_t)(L'a' + name), 0};

    if (of->is_added[name]) {
        for (uint32_t i = 0; i < EXCLUSIVE; i++)
            prfdata_release_exclusive(&of->alone[name][i]);
        assert_int_equal(prfdata_instance_remove(&of->queues[name]), ERROR_SUCCESS);
        of->is_added[name] = false;
        return;
    }
    if (prfdata_instance_add(of->publisher, QUEUE_ID, text, NULL, &of->queues[name]))
        return; /* no slot is free */
    of->is_added[name] = true;
    assert_int_equal(prfdata_resolve(of->publisher, JOBS_ID, &of->queues[name], &of->jobs[name]),
                     0);
    for (uint32_t i = 0; i < EXCLUSIVE; i++)
        assert_int_equal(prfdata_resolve_exclusive(of->publisher, JOBS_ID, &of->queues[name],
                                                   &of->alone[name][i]),
                         0);
}

static uint64_t count_somewhere(hot_program *of, uint32_t name)
{
    const uint32_t amount = 1 + random_below(1000);

    if (!of->is_added[name])
        return 0;
    if (random_below(2))
        prfdata_add(of->jobs[name], amount);
    else
        prfdata_exclusive_add(&of->alone[name][random_below(EXCLUSIVE)], amount);
    return amount;
}

static uint64_t sum_of_name(uint32_t name)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < PROGRAMS; i++)
        if (programs[i].is_added[name])
            sum += (uint64_t)prfdata_get(programs[i].jobs[name]);
    return sum;
}

/* Gets the jobs that a reader sees: of each name (0 if it is missing), and the total. */
static void look_at_jobs(uint64_t *jobs)
{
    collected taken;

    collected_take(&taken, provider, "9600 9608");
    for (uint32_t i = 0; i < NAMES; i++) {
        const char text[] = {(char)('a' + i), 0};

        jobs[i] = collected_has(&taken, QUEUE_TITLE, "", text)
                      ? collected_value(&taken, QUEUE_TITLE, "", text, JOBS_AT)
                      : 0;
    }
    jobs[NAMES] = collected_value(&taken, QUEUE_TITLE, "", "_Total", JOBS_AT);
    collected_free(&taken);
}

/* Programs begin, end, add names, count and remove names at random. The total must be the sum of
 * everything counted. An instance that is shown must show at least the sum of the programs that
 * have it, and must not fall while it is shown. */
static void test_hot_random_histories_are_added_up(void **state)
{
    uint64_t last[NAMES + 1] = {0};
    uint64_t now[NAMES + 1];
    uint64_t total = 0;

    (void)state;
    prfdata_close_and_unmap(publisher);
    for (uint32_t i = 0; i < PROGRAMS; i++)
        start_program(&programs[i]);
    random_state = 11;
    for (uint32_t step = 0; step < STEPS; step++) {
        hot_program *of = &programs[random_below(PROGRAMS)];
        const uint32_t name = random_below(NAMES);
        const uint32_t what = random_below(20);

        if (what < 3)
            toggle_name(of, name);
        else if (what == 3)
            restart_program(of);
        else
            total += count_somewhere(of, name);
        look_at_jobs(now);
        assert_int_equal(now[NAMES], total);
        for (uint32_t i = 0; i < NAMES; i++)
            assert_true(now[i] == 0 || (now[i] >= sum_of_name(i) && now[i] >= last[i]));
        memcpy(last, now, sizeof last);
    }
    for (uint32_t i = 0; i < PROGRAMS; i++)
        prfdata_close_and_unmap(programs[i].publisher);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_true(total > 0);
}

/* Runs two programs at random. `into` gets the values that a reader sees after each step. */
static void play_history(uint64_t (*into)[NAMES + 1])
{
    memset(programs, 0, sizeof programs);
    for (uint32_t i = 0; i < 2; i++)
        start_program(&programs[i]);
    random_state = 12;
    for (uint32_t step = 0; step < STEPS; step++) {
        hot_program *of = &programs[random_below(2)];
        const uint32_t name = random_below(NAMES);

        if (random_below(6) == 0)
            toggle_name(of, name);
        else
            (void)count_somewhere(of, name);
        look_at_jobs(into[step]);
    }
    for (uint32_t i = 0; i < 2; i++)
        prfdata_close_and_unmap(programs[i].publisher);
}

/* The same calls on a map without hot counters must give the same values. */
static void test_hot_shows_what_cells_would(void **state)
{
    static uint64_t hot[STEPS][NAMES + 1];
    static uint64_t cold[STEPS][NAMES + 1];

    (void)state;
    prfdata_close_and_unmap(publisher);
    play_history(hot);
    prfdata_provider_close(provider);
    prfdata_test_service_remove(&service);
    sample_map_remove(&sample, JOBS + 1);
    prfdata_test_service_make(&service, SERVICE, &sample.map, FIRST_COUNTER);
    provider = provided_open();
    play_history(cold);
    assert_memory_equal(hot, cold, sizeof hot);
    assert_true(hot[STEPS - 1][NAMES] > 0);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
}

/* ---- Threads that start and end ---- */

enum { WAVES = 125, AT_ONCE = 16, BUMPS = 100 };

static prfdata_instance hammered;
static uint64_t exclusive_count; /* number of exclusive handles that had a lane of their own */

static void count_for_a_moment(void *context)
{
    prfdata_handle jobs, busy;
    prfdata_exclusive alone;

    (void)context;
    prfdata_resolve(publisher, JOBS_ID, &hammered, &jobs);
    prfdata_resolve(publisher, BUSY_ID, NULL, &busy);
    prfdata_resolve_exclusive(publisher, JOBS_ID, &hammered, &alone);
    prfdata_add64_relaxed(&exclusive_count, prfdata_is_exclusive(&alone) ? 1 : 0);
    for (int i = 0; i < BUMPS; i++) {
        prfdata_increment(jobs);
        prfdata_exclusive_increment(&alone);
        prfdata_add(busy, 2);
    }
    prfdata_release_exclusive(&alone);
    prfdata_exclusive_increment(&alone); /* still counts, but with a locked instruction */
}

static void test_hot_threads_that_come_and_go_lose_nothing(void **state)
{
    (void)state;
    hammered = add_queue(L"mail");
    exclusive_count = 0;
    for (uint64_t i = 1; i <= WAVES; i++) {
        prfdata_test_threads_run(AT_ONCE, count_for_a_moment, NULL);
        if (i % 25 == 0)
            assert_int_equal(shown(QUEUE_TITLE, "mail", JOBS_AT), i * AT_ONCE * (2 * BUMPS + 1));
    }
    assert_int_equal(shown(WORKER_TITLE, NULL, BUSY_AT), 2ull * WAVES * AT_ONCE * BUMPS);
    /* There were 17 lanes for 16 threads at a time, so each exclusive handle got a lane. */
    assert_int_equal(exclusive_count, WAVES * AT_ONCE);
}

/* ---- Processes that are killed ---- */

enum { KILLS = 6, CHILD_THREADS = 4 };

static uint64_t child_is_ready;

static void count_until_killed(void *context)
{
    prfdata_handle jobs;
    prfdata_exclusive alone;

    (void)context;
    for (;;) {
        prfdata_resolve(publisher, JOBS_ID, &hammered, &jobs);
        prfdata_resolve_exclusive(publisher, JOBS_ID, &hammered, &alone);
        for (int i = 0; i < 1000; i++) {
            prfdata_increment(jobs);
            prfdata_exclusive_increment(&alone);
        }
        prfdata_release_exclusive(&alone);
        prfdata_add64_relaxed(&child_is_ready, 1);
        if (prfdata_load64_relaxed(&child_is_ready) == 2 * CHILD_THREADS)
            prfdata_test_process_say("counting");
    }
}

static int child_main(void)
{
    heat_sample();
    prfdata_test_service_join(&service, SERVICE);
    if (prfdata_open(&sample.map, &publisher) ||
        prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &hammered))
        return 1;
    prfdata_test_threads_run(CHILD_THREADS, count_until_killed, NULL);
    return 0;
}

/* Each process takes over the region of the killed one before it, and at the end this process takes
 * over the region. No count is lost, and all lanes are free again. */
static void test_hot_processes_that_are_killed_lose_nothing(void **state)
{
    static const char *const arguments[] = {"count", NULL};
    prfdata_exclusive alone[17];
    uint64_t before = 0;

    (void)state;
    prfdata_close_and_unmap(publisher);
    for (int i = 0; i < KILLS; i++) {
        prfdata_test_process *child = prfdata_test_process_start(arguments);
        uint64_t while_alive;

        prfdata_test_process_expect(child, "counting");
        while_alive = shown(QUEUE_TITLE, "mail", JOBS_AT);
        assert_true(while_alive >= before + 2ull * CHILD_THREADS * 2 * 1000);
        prfdata_test_process_kill(child);
        before = shown(QUEUE_TITLE, "_Total", JOBS_AT);
        assert_true(before >= while_alive);
    }
    assert_int_equal(prfdata_test_service_files(&service, NULL, 0), 1);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    hammered = add_queue(L"mail");
    assert_int_equal(shown(QUEUE_TITLE, "mail", JOBS_AT), before);
    for (int i = 0; i < 17; i++) {
        alone[i] = counting_resolve_exclusive(publisher, JOBS_ID, &hammered);
        assert_true(prfdata_is_exclusive(&alone[i]));
        prfdata_exclusive_increment(&alone[i]);
        prfdata_increment(counting_resolve(publisher, JOBS_ID, &hammered));
    }
    assert_int_equal(shown(QUEUE_TITLE, "mail", JOBS_AT), before + 34);
    assert_int_equal(shown(QUEUE_TITLE, "_Total", JOBS_AT), before + 34);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_hot_counter_shows_what_was_counted),
        TEST(test_hot_pair_shows_value_and_base),
        TEST(test_hot_counts_belong_to_their_name),
        TEST(test_hot_name_that_returns_goes_on),
        TEST(test_hot_counts_of_several_programs_are_added),
        TEST(test_hot_or_not_the_counts_go_on),
        TEST(test_hot_random_histories_are_added_up),
        TEST(test_hot_shows_what_cells_would),
        TEST(test_hot_threads_that_come_and_go_lose_nothing),
        TEST(test_hot_processes_that_are_killed_lose_nothing),
    };

    if (argc > 1 && strcmp(argv[1], "count") == 0)
        return child_main();
    return cmocka_run_group_tests_name("hot", tests, NULL, NULL);
}
