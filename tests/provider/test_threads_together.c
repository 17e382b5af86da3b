/* SPDX-License-Identifier: MIT */
/* Runs everything at the same time: increments, brackets, instances that come and go, publishers
 * that open and close, region files that appear and are deleted, readers that share a provider, and
 * readers with their own. Nothing may be lost, and every reply must be valid. The preset linux-tsan
 * runs this with ThreadSanitizer. */
#include "support/test.h"

#include <stdbool.h>
#include <stdlib.h>

#include <prfdata/prfdata.h>

#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/one_view.h"
#include "support/provider/provided.h"
#include "support/provider/torn_copies.h"
#include "support/sample_map.h"
#include "support/threads.h"

#define SERVICE "PrfDataTestTogether"

enum { FIRST_COUNTER = 9200, QUEUE_TITLE = 9200, WORKER_TITLE = 9208, CONSUMER_TITLE = 9212 };
enum { JOBS_AT = 1, JOB_TIME_AT, JOB_TIME_BASE_AT, BUSY_AT = 0, TAKEN_AT = 0 };
enum { QUEUE_ID = 100, JOBS_ID = 102, JOB_TIME_ID, BUSY_ID = 201, CONSUMER_ID = 300, TAKEN_ID };

/* 24 names share 16 slots, so a slot gets several names one after the other. */
enum { NAMES = 24 };

enum { COLLECTS = 200, VISITS = 40, ROOM = 256 * 1024 };

static sample_map sample;
static wchar_t names[NAMES][4];

static struct {
    prfdata_publisher *publisher;
    prfdata_instance steady;
    uint64_t next_role;
    uint64_t writing; /* number of writers that have completed a round */
    uint64_t read;    /* number of readers that are done */
    uint64_t steady_jobs;
    uint64_t other_jobs;
    uint64_t operations;
    uint64_t failed;
    const char *failure;
    void *small_region;
    size_t small_bytes;
} run;

/* Records a failure, because threads must not assert. */
static void must(bool condition, const char *failure)
{
    uint64_t unset = 0;

    if (condition)
        return;
    while (unset == 0)
        if (prfdata_swap64_relaxed(&run.failed, &unset, 1)) {
            run.failure = failure;
            return;
        }
}

/* ---- Writers ---- */

static void bump(void)
{
    prfdata_handle jobs, busy;
    prfdata_pair time;

    must(!prfdata_resolve(run.publisher, JOBS_ID, &run.steady, &jobs), "no counter");
    must(!prfdata_resolve(run.publisher, BUSY_ID, NULL, &busy), "no gauge");
    must(!prfdata_resolve_pair(run.publisher, JOB_TIME_ID, &run.steady, &time), "no pair");
    for (int i = 0; i < 100; i++) {
        prfdata_increment(busy);
        prfdata_increment(jobs);
        prfdata_begin(&run.steady);
        prfdata_average_add(time, 1);
        prfdata_end(&run.steady);
        prfdata_decrement(busy);
    }
    prfdata_add64_relaxed(&run.steady_jobs, 100);
    prfdata_add64_relaxed(&run.operations, 100);
}

/* No other thread removes the instance, so no increment may be lost. */
static void churn(void)
{
    static uint64_t rounds;
    prfdata_instance queue, consumer;
    prfdata_handle jobs, taken;
    uint64_t round = prfdata_load64_relaxed(&rounds);

    prfdata_add64_relaxed(&rounds, 1);
    if (prfdata_instance_add(run.publisher, QUEUE_ID, names[round * 7 % NAMES], NULL, &queue))
        return; /* another thread has added this name */
    must(!prfdata_resolve(run.publisher, JOBS_ID, &queue, &jobs), "no counter of a new instance");
    prfdata_begin_all(run.publisher);
    prfdata_add(jobs, 3);
    prfdata_add64_relaxed(&run.other_jobs, 3);
    if (!prfdata_instance_add(run.publisher, CONSUMER_ID, L"child", &queue, &consumer)) {
        prfdata_resolve(run.publisher, TAKEN_ID, &consumer, &taken);
        prfdata_increment(taken);
        must(prfdata_instance_remove(&queue) != ERROR_SUCCESS, "a parent was removed");
        must(!prfdata_instance_remove(&consumer), "a child was not removed");
    }
    prfdata_end_all(run.publisher);
    must(!prfdata_instance_remove(&queue), "an instance was not removed");
}

static void open_and_close(void)
{
    static uint64_t rounds;
    prfdata_publisher *publisher;
    prfdata_instance queue;
    prfdata_handle jobs;

    must(!prfdata_open(&sample.map, &publisher), "no publisher");
    must(!prfdata_instance_add(publisher, QUEUE_ID, L"coming", NULL, &queue), "no instance");
    must(!prfdata_resolve(publisher, JOBS_ID, &queue, &jobs), "no counter after opening");
    prfdata_increment(jobs);
    prfdata_add64_relaxed(&run.other_jobs, 1);
    prfdata_add64_relaxed(&rounds, 1);
    if (prfdata_load64_relaxed(&rounds) % 3 == 0)
        prfdata_close(publisher);
    else
        prfdata_close_and_unmap(publisher);
}

/* Writes the file of a small region, then deletes it. The deletion loses no count, because the
 * region is too small for another program to take over. Each file has a new name, because a reader
 * may regard a file that changes again and again as an unreadable region. */
static void appear_and_vanish(void)
{
    static uint64_t number;
    static bool is_there; /* Windows does not delete a file that a reader has mapped */
    const char *name = prfdata_test_region_name(is_there ? number : ++number);

    if (!is_there)
        is_there =
            prfdata_test_service_write_file(&service, name, run.small_region, run.small_bytes);
    if (is_there)
        is_there = !prfdata_test_service_delete_file(&service, name);
}

/* ---- Readers ---- */

static bool take(prfdata_provider *whom, unsigned char *bytes, perf_reply *reply)
{
    static const uint16_t all[] = {'9', '2', '0', '0', ' ', '9', '2', '0',
                                   '8', ' ', '9', '2', '1', '2', 0};
    uint32_t size = ROOM, objects;
    const char *mistake;
    void *data = bytes;

    must(!prfdata_provider_collect(whom, all, &data, &size, &objects), "Collect did not succeed");
    reply->bytes = bytes;
    reply->size = size;
    reply->object_count = objects;
    mistake = perf_reader_mistake(reply);
    must(!mistake, mistake);
    must(objects == 3, "an object is missing");
    return !mistake;
}

static uint64_t value_of(const perf_reply *reply, const char *instance, uint32_t position)
{
    uint64_t value = 0;

    must(perf_reader_value(reply, QUEUE_TITLE, "", instance, position, &value),
         "a value is missing");
    return value;
}

static void read_once(prfdata_provider *whom, unsigned char *bytes, uint64_t *last)
{
    const uint64_t torn = torn_copies(whom);
    uint64_t total, time, operations;
    perf_reply reply;

    if (!take(whom, bytes, &reply))
        return;
    total = value_of(&reply, "_Total", JOBS_AT);
    must(total >= *last, "a total went backwards");
    *last = total;
    time = value_of(&reply, "steady", JOB_TIME_AT);
    operations = value_of(&reply, "steady", JOB_TIME_BASE_AT);
    must((uint32_t)time == (uint32_t)operations || torn_copies(whom) != torn,
         "a torn pair was shown, and not counted");
}

static void read_on(unsigned char *bytes)
{
    uint64_t last = 0;

    for (int i = 0; i < COLLECTS; i++)
        read_once(provider, bytes, &last);
}

static void visit(unsigned char *bytes)
{
    uint64_t last = 0;

    for (int i = 0; i < VISITS; i++) {
        prfdata_provider *own;

        must(!prfdata_provider_open(SERVICE, &own), "no provider");
        read_once(own, bytes, &last);
        prfdata_provider_close(own);
    }
}

/* ---- Writers and readers together ---- */

static void (*const writers[])(void) = {
    bump, bump, churn, churn, open_and_close, open_and_close, appear_and_vanish};
static void (*const readers[])(unsigned char *bytes) = {read_on, read_on, visit};

enum {
    WRITERS = sizeof(writers) / sizeof(writers[0]),
    READERS = sizeof(readers) / sizeof(readers[0])
};

static void write_until_read(void (*round)(void))
{
    round();
    prfdata_add64_release(&run.writing, 1);
    while (prfdata_load64_acquire(&run.read) < READERS)
        round();
}

static void read_while_written(void (*read)(unsigned char *bytes))
{
    unsigned char *bytes = malloc(ROOM);

    while (prfdata_load64_acquire(&run.writing) < WRITERS)
        prfdata_pause();
    read(bytes);
    free(bytes);
    prfdata_add64_release(&run.read, 1);
}

static void play_role(void *context)
{
    uint64_t role = 0;

    (void)context;
    while (!prfdata_swap64_relaxed(&run.next_role, &role, role + 1)) {
    }
    if (role < WRITERS)
        write_until_read(writers[role]);
    else
        read_while_written(readers[role - WRITERS]);
}

/* Opens again the publishers that were closed but stayed mapped, and unmaps them, because Windows
 * does not delete a mapped file. */
static void unmap_closed(void)
{
    prfdata_publisher *publishers[WRITERS];

    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(prfdata_open(&sample.map, &publishers[i]), ERROR_SUCCESS);
    for (int i = 0; i < WRITERS; i++)
        prfdata_close_and_unmap(publishers[i]);
}

static void make_small_region(void)
{
    const prfdata_capacity one[] = {{QUEUE_ID, 1}, {CONSUMER_ID, 1}};
    prfdata_publisher *publisher;
    prfdata_test_file file;

    assert_int_equal(prfdata_open_with(&sample.map, one, 2, &publisher), ERROR_SUCCESS);
    prfdata_close_and_unmap(publisher);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    run.small_region = prfdata_test_service_read_file(&service, file.name, &run.small_bytes);
    assert_non_null(run.small_region);
    assert_true(prfdata_test_service_delete_file(&service, file.name));
}

static void test_threads_together_lose_nothing_and_show_nothing_wrong(void **state)
{
    collected taken;

    (void)state;
    make_small_region();
    assert_int_equal(prfdata_open(&sample.map, &run.publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(run.publisher, QUEUE_ID, L"steady", NULL, &run.steady),
                     0);
    /* Makes the first set of regions. A thread that collects while another thread refreshes the set
     * uses the former set, which must not be empty. */
    collected_take(&taken, provider, "9200");
    collected_free(&taken);
    prfdata_test_threads_run(WRITERS + READERS, play_role, NULL);
    if (run.failure)
        fail_msg("%s", run.failure);

    collected_take(&taken, provider, "9200 9208 9212");
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "steady", JOBS_AT), run.steady_jobs);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "_Total", JOBS_AT),
                     run.steady_jobs + run.other_jobs);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "steady", JOB_TIME_AT),
                     run.operations);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "steady", JOB_TIME_BASE_AT),
                     (uint32_t)run.operations);
    assert_int_equal(collected_value(&taken, WORKER_TITLE, NULL, NULL, BUSY_AT), 0);
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 2);
    assert_int_equal(collected_instances(&taken, CONSUMER_TITLE), 0);
    collected_free(&taken);
#ifndef _WIN32
    assert_true(prfdata_test_one_view_shared() > 0);
#endif
    assert_int_equal(prfdata_provider_number(provider, PRFDATA_HEALTH_BROKEN), 0);
    assert_int_equal(prfdata_provider_number(provider, PRFDATA_HEALTH_TOO_MANY), 0);
    assert_int_equal(prfdata_dropped(run.publisher), 0);
    prfdata_close_and_unmap(run.publisher);
    unmap_closed();
}

static int install(void **state)
{
    (void)state;
    sample_map_init_as(&sample, SERVICE);
    for (int i = 0; i < NAMES; i++) {
        names[i][0] = L'q';
        names[i][1] = (wchar_t)(L'a' + i);
    }
    provided_begin(&sample.map, FIRST_COUNTER);
    return 0;
}

static int uninstall(void **state)
{
    free(run.small_region);
    return provided_end(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_threads_together_lose_nothing_and_show_nothing_wrong,
                                        install, uninstall),
    };

    return cmocka_run_group_tests_name("threads_together", tests, NULL, NULL);
}
