/* SPDX-License-Identifier: MIT */
/* Kills a publisher with kill -9 at every step of creation, take-over, adding, reviving, reusing
 * and removing. A child process does a fixed series of actions with a library that was compiled
 * with PRFDATA_CRASH_POINTS. The child reports what it has counted, and dies at the n-th step. n
 * increases until a child reaches the end. After each death, readers must see all counts up to the
 * last one, and the next process must be able to continue. Another child publishes late. Readers
 * must see the counts that it has already moved into the region, and no count twice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#include <prfdata/prfdata.h>

#include "base/crash_points.h"
#include "collect/provider.h"
#include "support/process.h"
#include "support/provider/perf_reader.h"
#include "support/service.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <signal.h>
#endif

PRFDATA_DEFINE_OBJECT(QUEUES, 100);
PRFDATA_DEFINE_COUNTER(DEPTH, 101);
PRFDATA_DEFINE_COUNTER(JOBS, 102);
PRFDATA_DEFINE_OBJECT(SERVER, 200);
PRFDATA_DEFINE_COUNTER(REQUESTS, 201);
PRFDATA_DEFINE_COUNTER(SESSIONS, 202);

#define QUEUE_MAP(map, service, capacity)                                                          \
    PRFDATA_MAP_BEGIN_AS(map)                                                                      \
    PRFDATA_MAP_OBJ(QUEUES, L"Kill Queues", L"Queues.", PERF_DETAIL_NOVICE, JOBS, capacity, 8)     \
    PRFDATA_MAP_TOTAL()                                                                            \
    PRFDATA_MAP_CTR(DEPTH, L"Depth", L"Depth.", PERF_DETAIL_NOVICE, 0,                             \
                    PERF_COUNTER_LARGE_RAWCOUNT)                                                   \
    PRFDATA_MAP_CTR(JOBS, L"Jobs/sec", L"Jobs.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)   \
    PRFDATA_MAP_OBJ(SERVER, L"Kill Server", L"Server.", PERF_DETAIL_NOVICE, REQUESTS,              \
                    PERF_NO_INSTANCES, 0)                                                          \
    PRFDATA_MAP_CTR(REQUESTS, L"Requests/sec", L"Requests.", PERF_DETAIL_NOVICE, 0,                \
                    PERF_COUNTER_BULK_COUNT)                                                       \
    PRFDATA_MAP_CTR(SESSIONS, L"Sessions", L"Sessions.", PERF_DETAIL_NOVICE, 0,                    \
                    PERF_COUNTER_LARGE_RAWCOUNT)                                                   \
    PRFDATA_MAP_END_AS(map, service)

QUEUE_MAP(roomy_map, "PrfDataKillRoomy", 3) /* a slot for every name */
QUEUE_MAP(tight_map, "PrfDataKillTight", 1) /* all names share one slot */

enum { FIRST_COUNTER = 9100, QUEUES_TITLE = FIRST_COUNTER, SERVER_TITLE = FIRST_COUNTER + 6 };
enum { DEPTH_POSITION = 0, JOBS_POSITION = 1, REQUESTS_POSITION = 0, SESSIONS_POSITION = 1 };
enum { NUM_INSTANCES = 40 }; /* offset in PERF_OBJECT_TYPE */
enum { NAMES = 3 };

static const wchar_t *const names[NAMES] = {L"ada", L"bob", L"cyd"};
static const char *const narrow_names[NAMES] = {"ada", "bob", "cyd"};

typedef struct counts {
    unsigned requests;
    unsigned jobs[NAMES];
} counts;

/* ---- The child ---- */

static counts counted;
static unsigned steps_left; /* steps until the child dies; 0: it does not die */

static void die(void)
{
#ifdef _WIN32
    TerminateProcess(GetCurrentProcess(), 9);
#else
    raise(SIGKILL);
#endif
}

static void say_counts(const char *word)
{
    char line[80];

    snprintf(line, sizeof line, "%s %u %u %u %u", word, counted.requests, counted.jobs[0],
             counted.jobs[1], counted.jobs[2]);
    prfdata_test_process_say(line);
}

void prfdata_crash_point(const char *step)
{
    if (steps_left > 0 && --steps_left == 0) {
        say_counts(step[0] ? "killed" : "");
        die();
    }
}

static void count_requests(prfdata_publisher *publisher)
{
    prfdata_handle requests;
    prfdata_handle sessions;

    prfdata_resolve(publisher, REQUESTS, NULL, &requests);
    prfdata_resolve(publisher, SESSIONS, NULL, &sessions);
    prfdata_increment(requests);
    prfdata_set(sessions, 50);
    counted.requests++;
}

static void count_jobs(prfdata_publisher *publisher, unsigned name, const prfdata_instance *queue)
{
    prfdata_handle jobs;
    prfdata_handle depth;

    prfdata_resolve(publisher, JOBS, queue, &jobs);
    prfdata_resolve(publisher, DEPTH, queue, &depth);
    prfdata_add(jobs, 10);
    prfdata_set(depth, 70);
    counted.jobs[name] += 10;
}

/* Add every name, count, remove it and add it again. Then do the same in a region that was closed
 * and reopened. */
static int child_main(const prfdata_map *map)
{
    prfdata_publisher *publisher;
    prfdata_instance queue;

    for (unsigned opening = 0; opening < 2; opening++) {
        if (prfdata_open(map, &publisher))
            return 2;
        count_requests(publisher);
        for (unsigned i = 0; i < 2 * NAMES; i++) {
            if (prfdata_instance_add(publisher, QUEUES, names[i % NAMES], NULL, &queue))
                return 3;
            count_jobs(publisher, i % NAMES, &queue);
            if (i != 2 * NAMES - 1) /* the last instance stays, so it is live at the take-over */
                prfdata_instance_remove(&queue);
        }
        prfdata_close(publisher);
    }
    say_counts("finished");
    return 0;
}

/* ---- A child that publishes late ---- */

/* Count through handles from before publishing, without looking up anything. */
static void count_late(prfdata_handle jobs, prfdata_handle requests)
{
    prfdata_add(jobs, 10);
    prfdata_increment(requests);
    counted.jobs[0] += 10;
    counted.requests++;
}

/* Note the jobs and the requests that readers must see from now on, even if the process is killed.
 * They are reported in place of the jobs of two other names. */
static void note_moved(void)
{
    counted.jobs[1] = counted.jobs[0];
    counted.jobs[2] = counted.requests;
}

/* Count in private memory, publish, and continue with the old handles. */
static int late_child_main(const prfdata_test_service *service, const prfdata_map *map)
{
    prfdata_publisher *publisher;
    prfdata_instance queue;
    prfdata_handle jobs, requests, depth;

    if (prfdata_open(map, &publisher) != ERROR_SERVICE_DISABLED)
        return 2;
    prfdata_instance_add(publisher, QUEUES, names[0], NULL, &queue);
    prfdata_resolve(publisher, JOBS, &queue, &jobs);
    prfdata_resolve(publisher, DEPTH, &queue, &depth);
    prfdata_resolve(publisher, REQUESTS, NULL, &requests);
    prfdata_set(depth, 70);
    prfdata_test_service_set_number(service, "Publish", 1);
    for (int i = 0; i < 3; i++) {
        count_late(jobs, requests);
        if (prfdata_retry(publisher))
            return 3;
        note_moved();
    }
    count_late(jobs, requests);
    prfdata_instance_remove(&queue);
    counted.jobs[1] = counted.jobs[0];
    count_late(jobs, requests);
    prfdata_close(publisher);
    note_moved();
    say_counts("finished");
    return 0;
}

/* ---- The parent ---- */

/* Run a child that dies at step `step`. Returns whether it reached its end. */
static bool run_child(const char *which, unsigned step, counts *total)
{
    char number[12];
    const char *arguments[] = {which, number, NULL};
    prfdata_test_process *child;
    counts made = {0};
    char line[80];
    char word[16];

    snprintf(number, sizeof number, "%u", step);
    child = prfdata_test_process_start(arguments);
    assert_true(prfdata_test_process_read_line(child, line, sizeof line));
    assert_int_equal(sscanf(line, "%15s %u %u %u %u", word, &made.requests, &made.jobs[0],
                            &made.jobs[1], &made.jobs[2]),
                     5);
    prfdata_test_process_wait(child);
    total->requests += made.requests;
    for (unsigned i = 0; i < NAMES; i++)
        total->jobs[i] += made.jobs[i];
    return !strcmp(word, "finished");
}

static unsigned all_jobs(const counts *total)
{
    return total->jobs[0] + total->jobs[1] + total->jobs[2];
}

typedef struct kill_reply {
    unsigned char bytes[4096];
    perf_reply read;
} kill_reply;

static void collect(prfdata_provider *provider, kill_reply *reply)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    uint32_t size = sizeof reply->bytes;
    void *data = reply->bytes;

    assert_int_equal(
        prfdata_provider_collect(provider, query, &data, &size, &reply->read.object_count),
        ERROR_SUCCESS);
    reply->read.bytes = reply->bytes;
    reply->read.size = size;
    assert_null(perf_reader_mistake(&reply->read));
    assert_int_equal(reply->read.object_count, 2);
}

static uint64_t value_of(const kill_reply *reply, uint32_t title, const char *instance,
                         uint32_t position)
{
    uint64_t value;

    assert_true(perf_reader_value(&reply->read, title, NULL, instance, position, &value));
    return value;
}

/* Expect what readers see if no process runs: totals up to the last count, but no gauges and no
 * instances. */
static void check_the_dead(prfdata_provider *provider, const counts *total)
{
    kill_reply reply;

    collect(provider, &reply);
    assert_int_equal(value_of(&reply, SERVER_TITLE, NULL, REQUESTS_POSITION), total->requests);
    assert_int_equal(value_of(&reply, SERVER_TITLE, NULL, SESSIONS_POSITION), 0);
    assert_int_equal(perf_reader_object_field(&reply.read, QUEUES_TITLE, NUM_INSTANCES), 1);
    assert_int_equal(value_of(&reply, QUEUES_TITLE, "_Total", JOBS_POSITION), all_jobs(total));
    assert_int_equal(value_of(&reply, QUEUES_TITLE, "_Total", DEPTH_POSITION), 0);
}

/* Take over the region. Every name has at most its counts, and has all of them if no other name
 * needed the slot. */
static void check_the_next(const prfdata_map *map, prfdata_provider *provider, bool keeps_all,
                           const counts *total)
{
    prfdata_publisher *publisher;
    prfdata_instance queue;
    kill_reply reply;

    assert_int_equal(prfdata_open(map, &publisher), ERROR_SUCCESS);
    for (unsigned i = 0; i < NAMES; i++) {
        uint64_t shown;

        assert_int_equal(prfdata_instance_add(publisher, QUEUES, names[i], NULL, &queue),
                         ERROR_SUCCESS);
        collect(provider, &reply);
        shown = value_of(&reply, QUEUES_TITLE, narrow_names[i], JOBS_POSITION);
        if (keeps_all)
            assert_int_equal(shown, total->jobs[i]);
        else
            assert_in_range(shown, 0, total->jobs[i]);
        assert_int_equal(value_of(&reply, QUEUES_TITLE, narrow_names[i], DEPTH_POSITION), 0);
        assert_int_equal(value_of(&reply, QUEUES_TITLE, "_Total", JOBS_POSITION), all_jobs(total));
        assert_int_equal(value_of(&reply, SERVER_TITLE, NULL, REQUESTS_POSITION), total->requests);
        assert_int_equal(value_of(&reply, SERVER_TITLE, NULL, SESSIONS_POSITION), 0);
        prfdata_instance_remove(&queue);
    }
    prfdata_close_and_unmap(publisher);
}

static void kill_at_every_step(const char *which, const prfdata_map *map, bool keeps_all)
{
    prfdata_test_service service;
    prfdata_test_file files[2];
    prfdata_provider *provider;
    counts total = {0};
    unsigned step = 0;
    bool finished;

    prfdata_test_service_make(&service, map->service, map, FIRST_COUNTER);
    assert_int_equal(prfdata_provider_open(map->service, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    do {
        finished = run_child(which, ++step, &total);
        check_the_dead(provider, &total);
        if (step % 2 == 0) /* in every other step the next child takes over instead */
            check_the_next(map, provider, keeps_all, &total);
        assert_true(prfdata_test_service_files(&service, files, 2) <= 1);
    } while (!finished);
    check_the_next(map, provider, keeps_all, &total);
    assert_true(step > 40); /* fails if the library has no steps */
    prfdata_provider_close(provider);
    prfdata_test_service_remove(&service);
}

static void test_kill_at_every_step_loses_no_count(void **state)
{
    (void)state;
    kill_at_every_step("roomy", &roomy_map, true);
}

static void test_kill_at_every_step_of_reuse_counts_nothing_under_a_foreign_name(void **state)
{
    (void)state;
    kill_at_every_step("tight", &tight_map, false);
}

/* A process that dies while it creates its file leaves nothing that readers see. The next process
 * leaves only its own file. */
static void test_kill_during_creation_leaves_nothing(void **state)
{
    prfdata_test_service service;
    prfdata_test_file files[4];

    (void)state;
    for (unsigned step = 1; step <= 2; step++) { /* steps C1 and C2, before the file is published */
        prfdata_provider *provider;
        counts total = {0};

        prfdata_test_service_make(&service, roomy_map.service, &roomy_map, FIRST_COUNTER);
        assert_int_equal(prfdata_provider_open(roomy_map.service, &provider), ERROR_SUCCESS);
        prfdata_provider_set_refresh(provider, 0);
        assert_false(run_child("roomy", step, &total));
        assert_int_equal(total.requests, 0);
        check_the_dead(provider, &total);
        check_the_next(&roomy_map, provider, true, &total);
        assert_int_equal(prfdata_test_service_files(&service, files, 4), 1);
        prfdata_provider_close(provider);
        prfdata_test_service_remove(&service);
    }
}

/* Expect at least the counts that were moved, and at most all counts. */
static void check_the_late(prfdata_provider *provider, const counts *total)
{
    kill_reply reply;

    collect(provider, &reply);
    assert_in_range(value_of(&reply, QUEUES_TITLE, "_Total", JOBS_POSITION), total->jobs[1],
                    total->jobs[0]);
    assert_in_range(value_of(&reply, SERVER_TITLE, NULL, REQUESTS_POSITION), total->jobs[2],
                    total->requests);
    assert_int_equal(value_of(&reply, QUEUES_TITLE, "_Total", DEPTH_POSITION), 0);
    assert_int_equal(perf_reader_object_field(&reply.read, QUEUES_TITLE, NUM_INSTANCES), 1);
}

static void
test_kill_while_publishing_late_loses_what_is_not_moved_and_doubles_nothing(void **state)
{
    prfdata_test_service service;
    bool finished = false;
    unsigned moved_steps = 0;

    (void)state;
    for (unsigned step = 1; !finished; step++) {
        prfdata_provider *provider;
        counts total = {0};

        prfdata_test_service_make(&service, roomy_map.service, &roomy_map, FIRST_COUNTER);
        prfdata_test_service_set_number(&service, "Publish", 0);
        assert_int_equal(prfdata_provider_open(roomy_map.service, &provider), ERROR_SUCCESS);
        prfdata_provider_set_refresh(provider, 0);
        finished = run_child("late", step, &total);
        check_the_late(provider, &total);
        moved_steps += total.jobs[1] > 0;
        if (finished)
            assert_int_equal(total.jobs[1], 50);
        prfdata_provider_close(provider);
        prfdata_test_service_remove(&service);
    }
    assert_true(moved_steps > 10); /* fails if the library has no steps */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kill_during_creation_leaves_nothing),
        cmocka_unit_test(test_kill_at_every_step_loses_no_count),
        cmocka_unit_test(test_kill_at_every_step_of_reuse_counts_nothing_under_a_foreign_name),
        cmocka_unit_test(
            test_kill_while_publishing_late_loses_what_is_not_moved_and_doubles_nothing),
    };
    prfdata_test_service service;

    if (argc == 3) {
        const prfdata_map *map = !strcmp(argv[1], "tight") ? &tight_map : &roomy_map;

        prfdata_test_service_join(&service, map->service);
        steps_left = (unsigned)strtoul(argv[2], NULL, 10);
        return strcmp(argv[1], "late") ? child_main(map) : late_child_main(&service, map);
    }
    return cmocka_run_group_tests_name("kill", tests, NULL, NULL);
}
