/* SPDX-License-Identifier: MIT */
/* Tests that counts in private memory are published later. Every test begins with an installed
 * service whose publishing is switched off, and with an empty folder. A provider shows what readers
 * see. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#endif

#include <prfdata/prfdata.h>

#include "client/publisher.h"
#include "client/retry.h"
#include "region/region.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided.h"
#include "support/provider/publisher_header.h"
#include "support/sampled.h"
#include "support/threads.h"
#include "system/os_watch.h"

PRFDATA_DEFINE_OBJECT(QUEUES, 100);
PRFDATA_DEFINE_COUNTER(DEPTH, 101);
PRFDATA_DEFINE_COUNTER(PEAK, 102);
PRFDATA_DEFINE_COUNTER(JOBS, 103);
PRFDATA_DEFINE_COUNTER(JOB_TIME, 104);
PRFDATA_DEFINE_COUNTER(JOB_TIME_BASE, 105);
PRFDATA_DEFINE_COUNTER(LOAD, 106);
PRFDATA_DEFINE_COUNTER(LOAD_STAMP, 107);
PRFDATA_DEFINE_COUNTER(STARTED, 108);
PRFDATA_DEFINE_OBJECT(SERVER, 200);
PRFDATA_DEFINE_COUNTER(REQUESTS, 201);
PRFDATA_DEFINE_COUNTER(SESSIONS, 202);
PRFDATA_DEFINE_OBJECT(CONSUMERS, 300);
PRFDATA_DEFINE_COUNTER(TAKEN, 301);
PRFDATA_DEFINE_OBJECT(WORKERS, 400);
PRFDATA_DEFINE_COUNTER(BEATS, 401);

#define SERVICE "PrfDataTestRetry"

PRFDATA_MAP_BEGIN_AS(retry_map)
PRFDATA_MAP_OBJ(QUEUES, L"Retry Queues", L"Queues.", PERF_DETAIL_NOVICE, JOBS, 8, 16)
PRFDATA_MAP_TOTAL()
PRFDATA_MAP_CTR(DEPTH, L"Depth", L"A sum.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_CTR(PEAK, L"Peak", L"A maximum.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_MERGE_MAX()
PRFDATA_MAP_CTR(JOBS, L"Jobs/sec", L"Jobs.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_CTR(JOB_TIME, L"Avg. sec/Job", L"Time.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_TIMER)
PRFDATA_MAP_CTR(JOB_TIME_BASE, L"Avg. sec/Job base", L"Base.", PERF_DETAIL_NOVICE, 0,
                PERF_AVERAGE_BASE)
PRFDATA_MAP_CTR(LOAD, L"% Load", L"Load.", PERF_DETAIL_NOVICE, 0, PERF_PRECISION_SYSTEM_TIMER)
PRFDATA_MAP_CTR(LOAD_STAMP, L"% Load base", L"Stamp.", PERF_DETAIL_NOVICE, 0, PERF_LARGE_RAW_BASE)
PRFDATA_MAP_CTR(STARTED, L"Uptime", L"Start.", PERF_DETAIL_NOVICE, 0, PERF_ELAPSED_TIME)
PRFDATA_MAP_OBJ(SERVER, L"Retry Server", L"Server.", PERF_DETAIL_NOVICE, REQUESTS,
                PERF_NO_INSTANCES, 0)
PRFDATA_MAP_CTR(REQUESTS, L"Requests/sec", L"Requests.", PERF_DETAIL_NOVICE, 0,
                PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_CTR(SESSIONS, L"Sessions", L"Sessions.", PERF_DETAIL_NOVICE, 0,
                PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_OBJ(CONSUMERS, L"Retry Consumers", L"Consumers.", PERF_DETAIL_NOVICE, TAKEN, 8, 16)
PRFDATA_MAP_PARENT(QUEUES)
PRFDATA_MAP_CTR(TAKEN, L"Taken/sec", L"Taken.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_OBJ(WORKERS, L"Retry Workers", L"Workers.", PERF_DETAIL_NOVICE, BEATS, 2, 16)
PRFDATA_MAP_PER_PROCESS()
PRFDATA_MAP_CTR(BEATS, L"Beats/sec", L"Beats.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END_AS(retry_map, SERVICE)

enum {
    FIRST_COUNTER = 9200,
    QUEUES_TITLE = FIRST_COUNTER,
    SERVER_TITLE = FIRST_COUNTER + 14,
    CONSUMERS_TITLE = FIRST_COUNTER + 20,
    WORKERS_TITLE = FIRST_COUNTER + 24
};
enum { DEPTH_AT, PEAK_AT, JOBS_AT, TIME_AT, TIME_BASE_AT, LOAD_AT, STAMP_AT, STARTED_AT };
enum { REQUESTS_AT, SESSIONS_AT };

static prfdata_publisher *publisher;
static prfdata_instance mail;
static collected shown;

/* ---- Around each test ---- */

static void switch_publishing(uint32_t is_on)
{
    prfdata_test_service_set_number(&service, "Publish", is_on);
}

static bool is_watched;

/* Open a publisher. It tries again by itself only if is_watched. */
static prfdata_publisher *open_for(uint32_t expected)
{
    prfdata_publisher *opened;

    assert_int_equal(prfdata_open(&retry_map, &opened), expected);
    assert_non_null(opened);
    if (!is_watched)
        prfdata_retry_end_watching(opened);
    return opened;
}

static prfdata_instance add(uint32_t object_id, const wchar_t *name, const prfdata_instance *parent)
{
    return counting_add(publisher, object_id, name, parent);
}

static int begin(void **state)
{
    (void)state;
    provided_begin(&retry_map, FIRST_COUNTER);
    switch_publishing(0);
    publisher = open_for(ERROR_SERVICE_DISABLED);
    mail = add(QUEUES, L"mail", NULL);
    return 0;
}

static int begin_watched(void **state)
{
    is_watched = true;
    return begin(state);
}

static int end(void **state)
{
    is_watched = false;
    prfdata_close_and_unmap(publisher);
    collected_free(&shown);
    memset(&shown, 0, sizeof shown);
    return provided_end(state);
}

/* ---- Short names ---- */

static prfdata_handle resolve(uint32_t counter_id, const prfdata_instance *instance)
{
    return counting_resolve(publisher, counter_id, instance);
}

static void count_retry(uint32_t counter_id, const prfdata_instance *instance, int64_t amount)
{
    prfdata_add(resolve(counter_id, instance), amount);
}

static size_t file_count(void)
{
    return prfdata_test_service_files(&service, NULL, 0);
}

static void look(void)
{
    collected_free(&shown);
    collected_take(&shown, provider, "Global");
}

static void expect_queue(const char *name, uint32_t position, uint64_t value)
{
    assert_int_equal(collected_value(&shown, QUEUES_TITLE, NULL, name, position), value);
}

static void expect_server(uint32_t position, uint64_t value)
{
    assert_int_equal(collected_value(&shown, SERVER_TITLE, NULL, NULL, position), value);
}

static void retry(void)
{
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    look();
}

static void publish(void)
{
    switch_publishing(1);
    retry();
}

static void be_due(void)
{
    prfdata_store64_relaxed(&publisher->next_visit, 0);
}

/* ---- The first time ---- */

static void test_retry_not_installed_at_start_shows_all_after_installation(void **state)
{
    prfdata_instance worker = add(WORKERS, L"w", NULL);
    prfdata_instance child = add(CONSUMERS, L"child", &mail);
    prfdata_instance gone = add(QUEUES, L"gone", NULL);
    prfdata_instance number;
    char worker_name[32];

    (void)state;
    prfdata_test_service_uninstall(&service);
    assert_int_equal(prfdata_retry(publisher), ERROR_FILE_NOT_FOUND);
    assert_int_equal(prfdata_instance_add_id(publisher, QUEUES, 42, NULL, &number), ERROR_SUCCESS);
    count_retry(JOBS, &mail, 1000);
    count_retry(JOBS, &number, 42);
    count_retry(JOBS, &gone, 7);
    prfdata_instance_remove(&gone);
    prfdata_set(resolve(DEPTH, &mail), 5);
    prfdata_set(resolve(PEAK, &mail), 9);
    count_retry(JOB_TIME, &mail, 300);
    count_retry(JOB_TIME_BASE, &mail, 3);
    count_retry(LOAD, &mail, 400);
    prfdata_set(resolve(LOAD_STAMP, &mail), 4000);
    prfdata_set(resolve(STARTED, &mail), 77);
    count_retry(TAKEN, &child, 11);
    count_retry(BEATS, &worker, 12);
    count_retry(REQUESTS, NULL, 13);
    prfdata_set(resolve(SESSIONS, NULL), -2);
    prfdata_test_service_install(&service, &retry_map, FIRST_COUNTER);

    retry();
    assert_int_equal(file_count(), 1);
    expect_queue("mail", JOBS_AT, 1000);
    expect_queue("#42", JOBS_AT, 42);
    assert_false(collected_has(&shown, QUEUES_TITLE, NULL, "gone"));
    expect_queue("_Total", JOBS_AT, 1049);
    expect_queue("mail", DEPTH_AT, 5);
    expect_queue("mail", PEAK_AT, 9);
    expect_queue("mail", TIME_AT, 300);
    expect_queue("mail", TIME_BASE_AT, 3);
    expect_queue("mail", LOAD_AT, 400);
    expect_queue("mail", STAMP_AT, 4000);
    expect_queue("mail", STARTED_AT, 77);
    expect_server(REQUESTS_AT, 13);
    expect_server(SESSIONS_AT, (uint64_t)-2);
    assert_int_equal(collected_value(&shown, CONSUMERS_TITLE, "mail", "child", 0), 11);
    snprintf(worker_name, sizeof worker_name, "w_%u", (unsigned)prfdata_os_process_id());
    assert_int_equal(collected_value(&shown, WORKERS_TITLE, NULL, worker_name, 0), 12);

    gone = add(QUEUES, L"gone", NULL); /* this name had counts before */
    look();
    expect_queue("gone", JOBS_AT, 7);
    expect_queue("_Total", JOBS_AT, 1049);
}

static void test_retry_that_fails_changes_nothing(void **state)
{
    prfdata_handle jobs = resolve(JOBS, &mail);

    (void)state;
    prfdata_add(jobs, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(prfdata_retry(publisher), ERROR_SERVICE_DISABLED);
    assert_int_equal(file_count(), 0);
    assert_ptr_equal(resolve(JOBS, &mail).cell, jobs.cell);
    publish();
    expect_queue("mail", JOBS_AT, 3);
}

static void test_retry_of_nothing_is_refused(void **state)
{
    (void)state;
    assert_int_equal(prfdata_retry(NULL), ERROR_INVALID_HANDLE);
    prfdata_close(publisher);
    assert_int_equal(prfdata_retry(publisher), ERROR_INVALID_HANDLE);
}

static void test_retry_of_what_publishes_leaves_it_alone(void **state)
{
    prfdata_publisher *other;
    uint8_t *bytes;

    (void)state;
    switch_publishing(1);
    other = open_for(ERROR_SUCCESS);
    bytes = other->bytes;
    assert_int_equal(prfdata_retry(other), ERROR_SUCCESS);
    assert_ptr_equal(other->bytes, bytes);
    assert_null(other->former.bytes);
    prfdata_close_and_unmap(other);
}

/* The region of an ended program stays. Readers add its counts to those of the new program, in
 * totals and for each name. */
static void test_retry_beside_a_dead_region_adds_to_its_counts(void **state)
{
    prfdata_publisher *dead, *private_one = publisher;
    prfdata_instance instance;

    (void)state;
    switch_publishing(1);
    dead = open_for(ERROR_SUCCESS);
    publisher = dead;
    instance = add(QUEUES, L"mail", NULL);
    count_retry(JOBS, &instance, 100);
    prfdata_close_and_unmap(dead);
    publisher = private_one;
    count_retry(JOBS, &mail, 1);
    look();
    expect_queue("_Total", JOBS_AT, 100);
    retry();
    assert_int_equal(file_count(), 2);
    expect_queue("mail", JOBS_AT, 101);
    expect_queue("_Total", JOBS_AT, 101);
}

static void test_retry_keeps_capacity_and_dropped_instances(void **state)
{
    const prfdata_capacity capacity = {QUEUES, 1};
    prfdata_publisher *tight;
    prfdata_instance instance;

    (void)state;
    assert_int_equal(prfdata_open_with(&retry_map, &capacity, 1, &tight), ERROR_SERVICE_DISABLED);
    prfdata_instance_add(tight, QUEUES, L"one", NULL, &instance);
    prfdata_instance_add(tight, QUEUES, L"two", NULL, &instance);
    assert_int_equal(prfdata_dropped(tight), 1);
    switch_publishing(1);
    assert_int_equal(prfdata_retry(tight), ERROR_SUCCESS);
    assert_int_equal(prfdata_dropped(tight), 1);
    assert_int_equal(prfdata_instance_add(tight, QUEUES, L"two", NULL, &instance),
                     ERROR_NOT_ENOUGH_QUOTA);
    assert_int_equal(prfdata_dropped(tight), 2);
    prfdata_close_and_unmap(tight);
}

static void test_retry_a_slot_that_was_used_before_shows_its_last_name_only(void **state)
{
    const prfdata_capacity capacity = {QUEUES, 1};
    prfdata_publisher *former = publisher;
    prfdata_handle jobs;

    (void)state;
    assert_int_equal(prfdata_open_with(&retry_map, &capacity, 1, &publisher),
                     ERROR_SERVICE_DISABLED);
    mail = add(QUEUES, L"first", NULL);
    count_retry(JOBS, &mail, 5);
    prfdata_instance_remove(&mail);
    mail = add(QUEUES, L"second", NULL);
    jobs = resolve(JOBS, &mail);
    prfdata_add(jobs, 2);
    publish();
    expect_queue("second", JOBS_AT, 2);
    expect_queue("_Total", JOBS_AT, 7);
    prfdata_raise(jobs, 3);
    retry();
    expect_queue("second", JOBS_AT, 3);
    prfdata_close_and_unmap(publisher);
    publisher = former;
}

/* ---- Handles from before publishing ---- */

static void test_retry_old_handles_are_moved_and_new_ones_count_in_place(void **state)
{
    prfdata_handle old_jobs = resolve(JOBS, &mail), new_jobs;
    prfdata_handle old_requests = resolve(REQUESTS, NULL);

    (void)state;
    prfdata_add(old_jobs, 1);
    publish();
    new_jobs = resolve(JOBS, &mail);
    prfdata_add(old_jobs, 10);
    prfdata_add(old_requests, 20);
    prfdata_add(new_jobs, 100);
    look();
    expect_queue("mail", JOBS_AT, 101);
    expect_server(REQUESTS_AT, 0);
    for (int i = 0; i < 3; i++) { /* moving once is enough, and moving again must not count twice */
        retry();
        expect_queue("mail", JOBS_AT, 111);
        expect_queue("_Total", JOBS_AT, 111);
        expect_server(REQUESTS_AT, 20);
    }
    assert_int_equal(prfdata_get(old_jobs), 11);
    assert_int_equal(prfdata_get(new_jobs), 111);
}

static void test_retry_gauges_follow_old_handles_up_and_down(void **state)
{
    prfdata_handle depth = resolve(DEPTH, &mail), peak = resolve(PEAK, &mail);
    prfdata_handle started = resolve(STARTED, &mail), sessions = resolve(SESSIONS, NULL);

    (void)state;
    publish();
    for (int64_t value = 9; value >= -3; value -= 6) { /* the values 9, 3 and -3 */
        prfdata_set(depth, value);
        prfdata_set(peak, value);
        prfdata_set(sessions, value);
        prfdata_set(started, value + 100);
        retry();
        expect_queue("mail", DEPTH_AT, (uint64_t)value);
        expect_queue("mail", PEAK_AT, (uint64_t)value);
        expect_queue("mail", STARTED_AT, (uint64_t)value + 100);
        expect_server(SESSIONS_AT, (uint64_t)value);
    }
    prfdata_elapsed_stop(started);
    retry();
    expect_queue("mail", STARTED_AT, 0);
}

static void test_retry_handles_of_both_kinds_meet_in_one_gauge(void **state)
{
    prfdata_handle depth = resolve(DEPTH, &mail), peak = resolve(PEAK, &mail);
    prfdata_handle started = resolve(STARTED, &mail), stamp = resolve(LOAD_STAMP, &mail);

    (void)state;
    publish();
    prfdata_add(depth, 5); /* the old handle raises it, the new one lowers it */
    prfdata_subtract(resolve(DEPTH, &mail), 2);
    prfdata_set(peak, -8); /* the maximum is the larger value, with its sign */
    prfdata_set(resolve(PEAK, &mail), -5);
    prfdata_set(started, 50); /* the later start time counts */
    prfdata_set(resolve(STARTED, &mail), 40);
    prfdata_raise(stamp, 70); /* the newer time stamp counts */
    prfdata_raise(resolve(LOAD_STAMP, &mail), 60);
    retry();
    expect_queue("mail", DEPTH_AT, 3);
    expect_queue("mail", PEAK_AT, (uint64_t)-5);
    expect_queue("mail", STARTED_AT, 50);
    expect_queue("mail", STAMP_AT, 70);
    prfdata_set(resolve(PEAK, &mail), 6);
    prfdata_set(peak, 7);
    prfdata_set(resolve(STARTED, &mail), 90);
    prfdata_set(started, 80);
    prfdata_raise(resolve(LOAD_STAMP, &mail), 90);
    prfdata_raise(stamp, 80);
    retry();
    expect_queue("mail", PEAK_AT, 7);
    expect_queue("mail", STARTED_AT, 90);
    expect_queue("mail", STAMP_AT, 90);
}

/* ---- Instances from before publishing ---- */

static void test_retry_old_instances_stay_valid(void **state)
{
    prfdata_instance parent = add(QUEUES, L"parent", NULL), child = add(CONSUMERS, L"c", &parent);
    prfdata_instance removed = add(QUEUES, L"removed", NULL), found;
    prfdata_handle handle;

    (void)state;
    prfdata_instance_remove(&removed);
    publish();
    assert_int_equal(prfdata_instance_find(publisher, CONSUMERS, L"c", &parent, &found),
                     ERROR_SUCCESS);
    assert_ptr_equal(found.publisher,
                     child.publisher); /* bytes are not compared, because some are padding */
    assert_int_equal(found.object_index, child.object_index);
    assert_int_equal(found.slot_index, child.slot_index);
    assert_int_equal(found.generation, child.generation);
    assert_int_equal(prfdata_instance_remove(&parent), ERROR_DEPENDENT_RESOURCE_EXISTS);
    assert_int_equal(prfdata_instance_remove(&child), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&parent), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&removed), ERROR_NOT_FOUND);
    assert_int_equal(prfdata_resolve(publisher, JOBS, &removed, &handle), ERROR_NOT_FOUND);
    look();
    assert_false(collected_has(&shown, QUEUES_TITLE, NULL, "parent"));
    assert_true(collected_has(&shown, QUEUES_TITLE, NULL, "mail"));
}

static void test_retry_removing_moves_what_the_instance_counted(void **state)
{
    prfdata_handle jobs = resolve(JOBS, &mail), depth = resolve(DEPTH, &mail);

    (void)state;
    publish();
    prfdata_add(jobs, 6);
    prfdata_set(depth, 4);
    prfdata_instance_remove(&mail);
    look();
    expect_queue("_Total", JOBS_AT, 6);
    mail = add(QUEUES, L"mail", NULL);
    prfdata_add(jobs, 1);
    retry();
    expect_queue("mail", JOBS_AT, 7);
    expect_queue("mail", DEPTH_AT, 0); /* the gauge of the new instance begins with 0 */
    prfdata_set(depth, 4);             /* the same value as before, set through the same handle */
    retry();
    expect_queue("mail", DEPTH_AT, 4);
}

static void test_retry_a_slot_that_is_used_again_counts_for_the_new_name_only(void **state)
{
    wchar_t name[2] = {L'a', 0};
    prfdata_instance next = {0};

    (void)state;
    count_retry(JOBS, &mail, 5);
    publish();
    prfdata_instance_remove(&mail);
    for (int i = 0; i < 8; i++, name[0]++) /* as many names as there are slots */
        next = add(QUEUES, name, NULL);
    assert_int_equal(next.slot_index, mail.slot_index);
    count_retry(JOBS, &next, 1);
    retry();
    expect_queue("h", JOBS_AT, 1);
    expect_queue("_Total", JOBS_AT, 6);
}

/* ---- Brackets ---- */

static const prfdata_region_slot *mail_slot(void)
{
    return prfdata_publisher_slot(&mail);
}

static void test_retry_between_begin_and_end_leaves_no_thread_inside(void **state)
{
    (void)state;
    prfdata_begin(&mail);
    prfdata_begin_all(publisher);
    publish();
    assert_int_equal(mail_slot()->entered - mail_slot()->left, 1);
    /* The header counts this thread as inside a bracket. It also counts the pending move of counts,
     * because this move may have moved half of a pair. */
    assert_int_equal(publisher_header(publisher)->entered - publisher_header(publisher)->left, 2);
    assert_int_equal(publisher_header(publisher)->hints, PRFDATA_REGION_HINT_BRACKETS);
    prfdata_end(&mail);
    prfdata_end_all(publisher);
    assert_int_equal(mail_slot()->entered, mail_slot()->left);
    assert_int_equal(publisher_header(publisher)->entered, publisher_header(publisher)->left);
}

/* A thread begins a bracket in the private memory after the publisher has got a region. */
static void test_retry_a_thread_that_enters_in_former_memory_is_counted(void **state)
{
    prfdata_region_slot *former = (prfdata_region_slot *)mail_slot();
    prfdata_region_header *former_header = publisher_header(publisher);

    (void)state;
    publish();
    assert_int_equal(publisher_header(publisher)->hints, 0);
    former_header->hints |= PRFDATA_REGION_HINT_BRACKETS;
    former->entered++;
    former_header->entered++;
    retry();
    assert_int_equal(publisher_header(publisher)->hints, PRFDATA_REGION_HINT_BRACKETS);
    prfdata_end(&mail);
    prfdata_end_all(publisher);
    retry();
    assert_int_equal(mail_slot()->entered, mail_slot()->left);
    assert_int_equal(publisher_header(publisher)->entered, publisher_header(publisher)->left);
}

/* Collect. Returns whether the provider counted a torn region. */
static bool look_is_torn(void)
{
    const uint64_t before = prfdata_provider_number(provider, PRFDATA_HEALTH_TORN);

    look();
    return prfdata_provider_number(provider, PRFDATA_HEALTH_TORN) != before;
}

static void expect_bracket_waits(void (*enter)(void), void (*leave)(void))
{
    prfdata_handle jobs = resolve(JOBS, &mail), requests = resolve(REQUESTS, NULL);

    enter();
    prfdata_add(jobs, 1);
    prfdata_add(requests, 1);
    assert_int_equal(prfdata_get(resolve(JOBS, &mail)),
                     prfdata_get(jobs)); /* a new handle is private, too */
    publish();
    assert_true(look_is_torn()); /* the region may have half of a pair */
    leave();
    assert_false(look_is_torn());
    enter();
    prfdata_add(jobs, 1);
    retry();
    expect_queue("mail", JOBS_AT, 1);
    retry(); /* the second attempt moves the value although the bracket is open */
    expect_queue("mail", JOBS_AT, 2);
    prfdata_add(jobs, 1);
    retry(); /* now the region has half of a pair */
    expect_queue("mail", JOBS_AT, 3);
    prfdata_add(requests, 1);
    leave();
    assert_false(look_is_torn()); /* the end of the bracket has moved the other half */
    expect_queue("mail", JOBS_AT, 3);
    expect_server(REQUESTS_AT, 2);
    enter();
    prfdata_add(jobs, 1);
    retry();
    expect_queue("mail", JOBS_AT, 3); /* the count is not moved inside the bracket */
    leave();
    look(); /* the application has called nothing in between */
    expect_queue("mail", JOBS_AT, 4);
    assert_int_equal(publisher_header(publisher)->entered, publisher_header(publisher)->left);
}

static void enter_mail(void)
{
    prfdata_begin(&mail);
}

static void leave_mail(void)
{
    prfdata_end(&mail);
}

static void enter_all(void)
{
    prfdata_begin_all(publisher);
}

static void leave_all(void)
{
    prfdata_end_all(publisher);
}

static void test_retry_inside_a_bracket_moves_later(void **state)
{
    (void)state;
    expect_bracket_waits(enter_mail, leave_mail);
}

static void test_retry_inside_a_bracket_around_everything_moves_later(void **state)
{
    (void)state;
    expect_bracket_waits(enter_all, leave_all);
}

/* Removing an instance moves the counts of the instance. It must move all other counts, too,
 * because otherwise the region would have half of a pair. */
static void test_retry_removing_moves_the_whole_pair(void **state)
{
    prfdata_handle jobs = resolve(JOBS, &mail), requests = resolve(REQUESTS, NULL);

    (void)state;
    publish();
    enter_all();
    prfdata_add(jobs, 1);
    prfdata_add(requests, 1);
    leave_all();
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    assert_false(look_is_torn());
    expect_queue("_Total", JOBS_AT, 1);
    expect_server(REQUESTS_AT, 1);
}

static void test_retry_removing_inside_a_bracket_is_torn_until_its_end(void **state)
{
    prfdata_handle jobs = resolve(JOBS, &mail), requests = resolve(REQUESTS, NULL);

    (void)state;
    publish();
    enter_all();
    prfdata_add(jobs, 1);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    prfdata_add(requests, 1);
    assert_true(look_is_torn());
    leave_all();
    assert_false(look_is_torn());
    expect_queue("_Total", JOBS_AT, 1);
    expect_server(REQUESTS_AT, 1);
}

/* If a move of counts is requested during a bracket, it waits for the end of this bracket, not of
 * another one. */
static void test_retry_the_end_of_another_bracket_moves_no_half(void **state)
{
    prfdata_instance post = add(QUEUES, L"post", NULL);
    prfdata_handle jobs = resolve(JOBS, &mail), base = resolve(JOB_TIME, &mail);

    (void)state;
    publish();
    prfdata_begin(&mail);
    prfdata_add(jobs, 1);
    retry();
    expect_queue("mail", JOBS_AT, 0);
    prfdata_begin(&post);
    prfdata_end(&post);
    look();
    expect_queue("mail", JOBS_AT, 0);
    retry(); /* the wait was long enough, so half of the pair is moved */
    assert_true(look_is_torn());
    prfdata_add(base, 1);
    prfdata_begin(&post);
    prfdata_end(&post);
    assert_true(look_is_torn());
    prfdata_end(&mail);
    assert_false(look_is_torn());
    expect_queue("mail", JOBS_AT, 1);
    expect_queue("mail", TIME_AT, 1);
}

/* ---- When the next attempt is due ---- */

/* ERROR_TIMEOUT means that a new thread did not begin in time. Another attempt would wait for
 * seconds again, which no counting call may take. */
static void test_retry_after_a_timeout_is_never_due(void **state)
{
    static const uint32_t others[] = {ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_ACCESS_DENIED,
                                      ERROR_DISK_FULL};
    const uint64_t now = prfdata_os_milliseconds();

    (void)state;
    assert_true(publisher->private_memory);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        prfdata_retry_schedule(publisher, others[i]);
        assert_false(prfdata_publisher_is_due(publisher, now));
        assert_true(prfdata_publisher_is_due(publisher, now + 3600000));
    }
    prfdata_retry_schedule(publisher, ERROR_TIMEOUT);
    assert_false(prfdata_publisher_is_due(publisher, UINT64_MAX - 1));
}

/* ---- Accounts ---- */

#ifdef _WIN32
/* The region belongs to the process's account, even if the thread has no right to write to the
 * folder. */
static void test_retry_while_impersonating_is_the_processs(void **state)
{
    uint32_t error;
    BOOL is_anonymous;

    (void)state;
    count_retry(JOBS, &mail, 3);
    switch_publishing(1);
    is_anonymous = ImpersonateAnonymousToken(GetCurrentThread());
    if (!is_anonymous)
        assert_true(ImpersonateSelf(SecurityImpersonation));
    error = prfdata_retry(publisher);
    assert_true(RevertToSelf());
    assert_int_equal(error, ERROR_SUCCESS);
    assert_int_equal(file_count(), 1);
    look();
    expect_queue("mail", JOBS_AT, 3);
}
#endif

/* ---- Closing and opening ---- */

static void test_retry_closing_moves_what_old_handles_counted(void **state)
{
    prfdata_handle jobs = resolve(JOBS, &mail);

    (void)state;
    publish();
    prfdata_begin(&mail); /* closing does not wait until this bracket ends */
    prfdata_add(jobs, 8);
    prfdata_close(publisher);
    prfdata_end(&mail);
    look();
    expect_queue("_Total", JOBS_AT, 8);
    assert_ptr_equal(open_for(ERROR_SUCCESS), publisher);
    mail = add(QUEUES, L"mail", NULL);
    prfdata_add(jobs, 1);
    retry();
    expect_queue("mail", JOBS_AT, 9);
}

static void test_retry_opening_again_begins_gauges_with_0(void **state)
{
    prfdata_handle depth = resolve(DEPTH, &mail), sessions = resolve(SESSIONS, NULL);

    (void)state;
    publish();
    prfdata_set(depth, 3);
    prfdata_set(sessions, 3);
    prfdata_close(publisher);
    open_for(ERROR_SUCCESS);
    mail = add(QUEUES, L"mail", NULL);
    retry();
    expect_queue("mail", DEPTH_AT, 0);
    expect_server(SESSIONS_AT, 0);
    prfdata_set(depth, 3);
    prfdata_set(sessions, 3);
    retry();
    expect_queue("mail", DEPTH_AT, 3);
    expect_server(SESSIONS_AT, 3);
}

static void test_retry_unmapping_leaves_the_totals(void **state)
{
    prfdata_handle jobs = resolve(JOBS, &mail);

    (void)state;
    publish();
    prfdata_add(jobs, 8);
    prfdata_close_and_unmap(publisher);
    publisher = NULL;
    look();
    expect_queue("_Total", JOBS_AT, 8);
}

static void test_retry_closing_is_the_last_attempt(void **state)
{
    (void)state;
    count_retry(JOBS, &mail, 8);
    switch_publishing(1);
    prfdata_close_and_unmap(publisher); /* publishes although no attempt is due */
    publisher = NULL;
    look();
    expect_queue("_Total", JOBS_AT, 8);
    assert_int_equal(collected_instances(&shown, QUEUES_TITLE), 1);
}

static void test_retry_opening_publishes_what_a_closed_one_counted(void **state)
{
    (void)state;
    count_retry(JOBS, &mail, 4);
    prfdata_close(publisher);
    switch_publishing(1);
    assert_ptr_equal(open_for(ERROR_SUCCESS), publisher);
    look();
    assert_false(collected_has(&shown, QUEUES_TITLE, NULL, "mail"));
    expect_queue("_Total", JOBS_AT, 4);
    mail = add(QUEUES, L"mail", NULL);
    look();
    expect_queue("mail", JOBS_AT, 4);
}

/* ---- Publishing during other calls ---- */

static void call_add(void)
{
    static wchar_t name[2] = {L'a', 0};

    add(QUEUES, name, NULL);
    name[0]++;
}

static void call_find(void)
{
    prfdata_instance found;

    assert_int_equal(prfdata_instance_find(publisher, QUEUES, L"mail", NULL, &found),
                     ERROR_SUCCESS);
}

static void call_remove(void)
{
    prfdata_instance_remove(&mail);
}

static void call_resolve(void)
{
    resolve(JOBS, &mail);
}

static void call_resolve_pair(void)
{
    prfdata_pair pair;

    assert_int_equal(prfdata_resolve_pair(publisher, JOB_TIME, &mail, &pair), ERROR_SUCCESS);
}

static void call_open(void)
{
    prfdata_publisher *other = open_for(ERROR_SUCCESS);

    prfdata_close_and_unmap(other);
}

static void call_close(void)
{
    prfdata_close(publisher);
}

static void expect_tries_when_due(void (*call)(void))
{
    prfdata_handle jobs = resolve(JOBS, &mail);

    prfdata_add(jobs, 2);
    switch_publishing(1);
    if (call != call_open && call != call_close) {
        call();
        /* Nothing happened, because the last attempt was a moment ago. */
        assert_int_equal(file_count(), 0);
        if (call == call_remove)
            mail = add(QUEUES, L"mail", NULL);
    }
    be_due();
    call();
    look();
    expect_queue("_Total", JOBS_AT, 2);
    prfdata_add(jobs, 2);
    be_due();
    if (call == call_close)
        open_for(ERROR_SUCCESS);
    else
        call_open();
    look();
    expect_queue("_Total", JOBS_AT, 4);
}

static void test_retry_by_the_way_of_add(void **state)
{
    (void)state;
    expect_tries_when_due(call_add);
}

static void test_retry_by_the_way_of_find(void **state)
{
    (void)state;
    expect_tries_when_due(call_find);
}

static void test_retry_by_the_way_of_remove(void **state)
{
    (void)state;
    expect_tries_when_due(call_remove);
}

static void test_retry_by_the_way_of_resolve(void **state)
{
    (void)state;
    expect_tries_when_due(call_resolve);
}

static void test_retry_by_the_way_of_resolve_pair(void **state)
{
    (void)state;
    expect_tries_when_due(call_resolve_pair);
}

static void test_retry_by_the_way_of_open(void **state)
{
    (void)state;
    expect_tries_when_due(call_open);
}

static void test_retry_by_the_way_of_close(void **state)
{
    (void)state;
    expect_tries_when_due(call_close);
}

/* A closed publisher is published, too. It shows no instances, but its counts are in the totals. */
static void test_retry_by_the_way_publishes_closed_ones_too(void **state)
{
    const prfdata_capacity capacity = {QUEUES, 1}; /* too small to be used again by the next open */
    prfdata_publisher *other, *former = publisher;

    (void)state;
    assert_int_equal(prfdata_open_with(&retry_map, &capacity, 1, &publisher),
                     ERROR_SERVICE_DISABLED);
    mail = add(QUEUES, L"mail", NULL);
    count_retry(JOBS, &mail, 2);
    prfdata_set(resolve(DEPTH, &mail), 2);
    prfdata_set(resolve(SESSIONS, NULL), 2);
    prfdata_close(publisher);
    switch_publishing(1);
    be_due();
    other = open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 2);
    assert_int_equal(publisher_header(publisher)->state, PRFDATA_REGION_CLOSED);
    assert_int_equal(prfdata_status(publisher, NULL, 0), ERROR_INVALID_HANDLE);
    look();
    expect_queue("_Total", JOBS_AT, 2);
    expect_queue("_Total", DEPTH_AT, 0);
    expect_server(SESSIONS_AT, 0);
    assert_int_equal(collected_instances(&shown, QUEUES_TITLE), 1);
    prfdata_close_and_unmap(other);
    prfdata_close_and_unmap(publisher);
    publisher = former;
}

/* ---- Publishing without a call of the application ---- */

#ifdef _WIN32

enum { MANY = 20, LONGEST_WAIT = 60000 };

/* Wait until the system's thread meets the condition. Returns false if that takes longer than
 * LONGEST_WAIT milliseconds. */
static bool comes(bool (*condition)(void))
{
    const uint64_t begun = prfdata_os_milliseconds();

    while (!condition())
        if (prfdata_os_milliseconds() - begun > LONGEST_WAIT)
            return false;
        else
            prfdata_os_sleep(10);
    return true;
}

static bool is_shown(void)
{
    return prfdata_status(publisher, NULL, 0) == ERROR_SUCCESS;
}

static uint64_t wanted_jobs;

static bool has_wanted_jobs(void)
{
    look();
    return collected_value(&shown, QUEUES_TITLE, NULL, "mail", JOBS_AT) == wanted_jobs;
}

static void test_retry_installation_is_noticed_and_old_handles_go_on(void **state)
{
    prfdata_handle jobs;

    (void)state;
    prfdata_close_and_unmap(publisher);
    prfdata_test_service_uninstall(&service); /* when the watch begins, there is no key */
    publisher = open_for(ERROR_FILE_NOT_FOUND);
    mail = add(QUEUES, L"mail", NULL);
    jobs = resolve(JOBS, &mail);
    prfdata_add(jobs, 5);
    prfdata_test_service_install(&service, &retry_map, FIRST_COUNTER);
    assert_true(comes(is_shown));
    for (wanted_jobs = 5; wanted_jobs < 20; wanted_jobs += 5) {
        assert_true(comes(has_wanted_jobs));
        prfdata_add(jobs, 5);
    }
    assert_int_equal(file_count(), 1);
}

static void test_retry_switching_on_is_noticed(void **state)
{
    (void)state;
    switch_publishing(1);
    assert_true(comes(is_shown));
}

static void test_retry_keys_that_come_and_go_are_noticed(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        prfdata_test_service_uninstall(&service);
        prfdata_os_sleep(20);
        prfdata_test_service_install(&service, &retry_map, FIRST_COUNTER);
        switch_publishing(0);
        prfdata_os_sleep(20);
    }
    switch_publishing(1);
    assert_true(comes(is_shown));
}

static void test_retry_many_publishers_notice_one_installation(void **state)
{
    prfdata_publisher *many[MANY], *former = publisher;

    (void)state;
    for (size_t i = 0; i < MANY; i++)
        many[i] = open_for(ERROR_SERVICE_DISABLED);
    switch_publishing(1);
    for (size_t i = 0; i < MANY; i++) {
        publisher = many[i];
        assert_true(comes(is_shown));
    }
    publisher = former;
    assert_true(comes(is_shown));
    assert_int_equal(file_count(), MANY + 1);
    for (size_t i = 0; i < MANY; i++)
        prfdata_close_and_unmap(many[i]);
}

/* A notice for a freed publisher may arrive while other publishers open. The notice must not use
 * the memory of the freed publisher. */
static void test_retry_closing_ends_watching(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        prfdata_publisher *other = open_for(ERROR_SERVICE_DISABLED);

        prfdata_test_service_set_number(&service, "Other", i);
        if (i % 2)
            prfdata_close(other);
        prfdata_close_and_unmap(other);
    }
    prfdata_close(publisher);
    switch_publishing(1);
    prfdata_os_sleep(200);
    assert_int_equal(file_count(), 0);
    assert_int_equal(prfdata_status(publisher, NULL, 0), ERROR_INVALID_HANDLE);
}

#else

/* Replaces the watch of Linux, which notices nothing, by one that the tests trigger. */
static struct {
    prfdata_os_watch_call *call;
    uintptr_t id;
    const char *set_for; /* "settings" or "clock" */
    uint32_t milliseconds;
} newest; /* the watch of the newest publisher */
static uint32_t ended_count;
static bool is_installer_late; /* the installer switches publishing on between attempt and watch */

prfdata_os_watch *prfdata_os_watch_make(prfdata_os_watch_call *call, uintptr_t id)
{
    newest.call = call;
    newest.id = id;
    newest.set_for = "nothing";
    return is_watched ? (prfdata_os_watch *)&newest : NULL;
}

void prfdata_os_watch_settings(prfdata_os_watch *watch, const char *service_name,
                               uint32_t milliseconds)
{
    assert_ptr_equal(watch, &newest);
    assert_string_equal(service_name, SERVICE);
    if (is_installer_late)
        switch_publishing(1);
    newest.set_for = "settings";
    newest.milliseconds = milliseconds;
}

/* cppcheck-suppress constParameter; os.h declares this type */
void prfdata_os_watch_clock(prfdata_os_watch *watch, uint32_t milliseconds)
{
    if (!watch)
        return;
    newest.set_for = "clock";
    newest.milliseconds = milliseconds;
}

/* cppcheck-suppress constParameter; os.h declares this type */
void prfdata_os_watch_end(prfdata_os_watch *watch)
{
    ended_count += watch != NULL;
}

static void expect_watch(const char *set_for, uint32_t milliseconds)
{
    assert_string_equal(newest.set_for, set_for);
    assert_int_equal(newest.milliseconds, milliseconds);
}

static uint64_t jobs_shown(void)
{
    look();
    return collected_value(&shown, QUEUES_TITLE, NULL, "mail", JOBS_AT);
}

/* After publishing is switched on, the watch gives the publisher a region. From then on, each tick
 * of the clock moves what old handles have counted. */
static void test_retry_watch_publishes_and_then_moves_counts(void **state)
{
    const prfdata_handle jobs = resolve(JOBS, &mail);

    (void)state;
    expect_watch("settings", PRFDATA_OS_WATCH_FOREVER);
    prfdata_add(jobs, 5);
    switch_publishing(1);
    newest.call(newest.id, false);
    expect_watch("clock", 1000);
    assert_int_equal(prfdata_status(publisher, NULL, 0), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(), 5);
    prfdata_add(jobs, 7);
    assert_int_equal(jobs_shown(), 5);
    newest.call(newest.id, true);
    expect_watch("clock", 1000);
    assert_int_equal(jobs_shown(), 12);
    assert_int_equal(file_count(), 1);
}

/* After a change of the settings, the publisher tries to open again, and once more after a second
 * without a change. Then it waits only for the next change. */
static void test_retry_watch_waits_until_the_settings_settle(void **state)
{
    (void)state;
    newest.call(newest.id, false);
    expect_watch("settings", 1000);
    newest.call(newest.id, true);
    expect_watch("settings", PRFDATA_OS_WATCH_FOREVER);
    assert_int_equal(prfdata_status(publisher, NULL, 0), ERROR_SERVICE_DISABLED);
}

static void test_retry_watch_begins_before_the_last_attempt(void **state)
{
    prfdata_publisher *other;

    (void)state;
    is_installer_late = true;
    other = open_for(ERROR_SUCCESS);
    is_installer_late = false;
    expect_watch("clock", 1000);
    assert_int_equal(file_count(), 1);
    prfdata_close_and_unmap(other);
}

/* A notice for a closed publisher does nothing, even if the publisher has been opened again. */
static void test_retry_watch_of_a_closed_publisher_finds_nothing(void **state)
{
    const uintptr_t id = newest.id;

    (void)state;
    ended_count = 0;
    prfdata_close(publisher);
    assert_int_equal(ended_count, 1);
    assert_ptr_equal(open_for(ERROR_SERVICE_DISABLED), publisher);
    switch_publishing(1);
    newest.call(id, false);
    assert_int_equal(file_count(), 0);
    expect_watch("settings", PRFDATA_OS_WATCH_FOREVER);
    newest.call(newest.id, false);
    assert_int_equal(file_count(), 1);
}

#endif

/* ---- Compared with a simple model ---- */

enum { NAMES = 6, HANDLES = 24, HISTORIES = 150, STEPS = 250 };

static uint64_t random_state;

static uint32_t pick(uint32_t count_of)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % count_of;
}

typedef struct model_name {
    bool is_live;
    int64_t jobs, depth, peak;
    prfdata_instance instance;
} model_name;

typedef struct model_handle {
    uint32_t name; /* index of the name; NAMES: the handle is not in use */
    prfdata_handle jobs, depth, peak;
} model_handle;

static model_name model_names[NAMES];
static model_handle model_handles[HANDLES];
static int64_t model_jobs, model_requests;
static prfdata_handle model_server[2];
static bool is_published;
static prfdata_capacity model_capacity;

static const wchar_t *name_of(uint32_t name)
{
    static wchar_t text[2];

    text[0] = (wchar_t)(L'a' + name);
    return text;
}

static void begin_gauges(model_name *name)
{
    name->depth = 0;
    name->peak = 0;
}

static void change_instance(void)
{
    model_name *name = &model_names[pick(NAMES)];

    if (!name->is_live) {
        if (prfdata_instance_add(publisher, QUEUES, name_of((uint32_t)(name - model_names)), NULL,
                                 &name->instance))
            return; /* no slot is free */
        begin_gauges(name);
    } else {
        assert_int_equal(prfdata_instance_remove(&name->instance), ERROR_SUCCESS);
    }
    name->is_live = !name->is_live;
}

static void resolve_again(void)
{
    model_handle *handle = &model_handles[pick(HANDLES)];
    const uint32_t name = pick(NAMES);

    model_server[pick(2)] = resolve(REQUESTS, NULL);
    if (!model_names[name].is_live)
        return;
    handle->name = name;
    handle->jobs = resolve(JOBS, &model_names[name].instance);
    handle->depth = resolve(DEPTH, &model_names[name].instance);
    handle->peak = resolve(PEAK, &model_names[name].instance);
}

static void bump_through_a_handle(void)
{
    const model_handle *handle = &model_handles[pick(HANDLES)];
    const int64_t amount = pick(100);
    model_name *name;

    prfdata_add(model_server[pick(2)], amount);
    model_requests += amount;
    if (handle->name == NAMES)
        return;
    name = &model_names[handle->name];
    prfdata_add(handle->jobs, amount);
    name->jobs += amount;
    model_jobs += amount;
    prfdata_add(handle->depth, amount - 50);
    name->depth += amount - 50;
    prfdata_raise(handle->peak, amount);
    if (amount > name->peak)
        name->peak = amount;
}

static void close_and_open(void)
{
    prfdata_publisher *const former = publisher;

    prfdata_close(publisher);
    assert_int_equal(prfdata_open_with(&retry_map, &model_capacity, 1, &publisher),
                     is_published ? ERROR_SUCCESS : ERROR_SERVICE_DISABLED);
    assert_ptr_equal(publisher, former);
    for (uint32_t i = 0; i < NAMES; i++) {
        model_names[i].is_live = false;
        begin_gauges(&model_names[i]);
    }
}

static void compare_with_model(bool names_keep_slots)
{
    retry();
    expect_server(REQUESTS_AT, (uint64_t)model_requests);
    expect_queue("_Total", JOBS_AT, (uint64_t)model_jobs);
    for (uint32_t i = 0; i < NAMES; i++) {
        const char name[2] = {(char)('a' + i), 0};

        assert_int_equal(collected_has(&shown, QUEUES_TITLE, NULL, name), model_names[i].is_live);
        if (!model_names[i].is_live || !names_keep_slots)
            continue;
        expect_queue(name, JOBS_AT, (uint64_t)model_names[i].jobs);
        expect_queue(name, DEPTH_AT, (uint64_t)model_names[i].depth);
        expect_queue(name, PEAK_AT, (uint64_t)model_names[i].peak);
    }
}

static void take_a_step(bool names_keep_slots)
{
    const uint32_t step = pick(100);

    if (step < 50)
        bump_through_a_handle();
    else if (step < 70)
        change_instance();
    else if (step < 88)
        resolve_again();
    else if (step < 94)
        be_due();
    else if (step < 96)
        close_and_open();
    else if (is_published)
        compare_with_model(names_keep_slots);
}

static void run_history(uint64_t seed, uint32_t capacity)
{
    const uint32_t attached_after = (uint32_t)(seed % STEPS);

    random_state = seed;
    model_capacity.object_id = QUEUES;
    model_capacity.max_instances = capacity;
    is_published = false;
    model_jobs = model_requests = 0;
    memset(model_names, 0, sizeof model_names);
    for (uint32_t i = 0; i < HANDLES; i++)
        model_handles[i].name = NAMES;
    switch_publishing(0);
    assert_int_equal(prfdata_open_with(&retry_map, &model_capacity, 1, &publisher),
                     ERROR_SERVICE_DISABLED);
    model_server[0] = model_server[1] = resolve(REQUESTS, NULL);
    for (uint32_t i = 0; i < STEPS; i++) {
        if (i == attached_after) {
            switch_publishing(1);
            is_published = true;
            if (pick(2))
                compare_with_model(capacity >= NAMES);
        }
        take_a_step(capacity >= NAMES);
    }
    compare_with_model(capacity >= NAMES);
    prfdata_close_and_unmap(publisher);
}

/* Each history has its own service, so that totals begin with 0. */
static void run_histories(uint32_t capacity)
{
    prfdata_close_and_unmap(publisher);
    for (uint64_t seed = 1; seed <= HISTORIES / sampled_one_of(); seed++) {
        provided_end(NULL);
        provided_begin(&retry_map, FIRST_COUNTER);
        run_history(seed, capacity);
    }
    publisher = NULL;
}

static void test_retry_random_histories_agree_with_a_plain_model(void **state)
{
    (void)state;
    run_histories(8);
}

static void test_retry_random_histories_in_few_slots_keep_the_totals(void **state)
{
    (void)state;
    run_histories(2);
}

/* ---- Threads ---- */

enum { THREADS = 4, ROUNDS = 2048, ATTACHMENTS = 16 };

static uint64_t next_thread;
static uint64_t added_jobs;
static prfdata_handle jobs_from_before;

static void count_in_an_instance(const wchar_t *name)
{
    prfdata_instance own;
    prfdata_handle jobs;

    if (prfdata_instance_add(publisher, QUEUES, name, NULL, &own))
        return; /* another thread has added the name */
    assert_int_equal(prfdata_resolve(publisher, JOBS, &own, &jobs), ERROR_SUCCESS);
    prfdata_increment(jobs);
    prfdata_add64_relaxed(&added_jobs, 1);
    prfdata_instance_remove(&own);
}

static void bump_while_it_moves(void *context)
{
    const wchar_t name[2] = {(wchar_t)(L'a' + prfdata_load64_relaxed(&next_thread) % THREADS), 0};
    prfdata_handle jobs = PRFDATA_HANDLE_INIT;

    (void)context;
    prfdata_add64_relaxed(&next_thread, 1);
    for (int i = 0; i < ROUNDS; i++) {
        prfdata_begin(&mail);
        prfdata_increment(jobs_from_before);
        prfdata_end(&mail);
        if (i % 64 == 0) {
            assert_int_equal(prfdata_resolve(publisher, JOBS, &mail, &jobs), ERROR_SUCCESS);
            be_due();
        }
        prfdata_increment(jobs);
        if (i % 8 == 0)
            count_in_an_instance(name);
        if (i == ROUNDS / 4)
            switch_publishing(1);
        if (i % 512 == 0)
            (void)prfdata_retry(publisher);
    }
}

static void test_retry_threads_that_bump_meanwhile_lose_no_count(void **state)
{
    (void)state;
    added_jobs = 0;
    for (uint64_t attachment = 1; attachment <= ATTACHMENTS; attachment++) {
        jobs_from_before = resolve(JOBS, &mail);
        prfdata_test_threads_run(THREADS, bump_while_it_moves, NULL);
        retry();
        expect_queue("mail", JOBS_AT, attachment * 2 * THREADS * ROUNDS);
        expect_queue("_Total", JOBS_AT, attachment * 2 * THREADS * ROUNDS + added_jobs);
        assert_int_equal(mail_slot()->entered, mail_slot()->left);
        prfdata_close_and_unmap(publisher);
        switch_publishing(0);
        publisher = open_for(ERROR_SERVICE_DISABLED);
        mail = add(QUEUES, L"mail", NULL);
    }
}

#define TEST(name)    cmocka_unit_test_setup_teardown(name, begin, end)
#define WATCHED(name) cmocka_unit_test_setup_teardown(name, begin_watched, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_retry_not_installed_at_start_shows_all_after_installation),
        TEST(test_retry_that_fails_changes_nothing),
        TEST(test_retry_of_nothing_is_refused),
        TEST(test_retry_of_what_publishes_leaves_it_alone),
        TEST(test_retry_beside_a_dead_region_adds_to_its_counts),
        TEST(test_retry_keeps_capacity_and_dropped_instances),
        TEST(test_retry_a_slot_that_was_used_before_shows_its_last_name_only),
        TEST(test_retry_old_handles_are_moved_and_new_ones_count_in_place),
        TEST(test_retry_gauges_follow_old_handles_up_and_down),
        TEST(test_retry_handles_of_both_kinds_meet_in_one_gauge),
        TEST(test_retry_old_instances_stay_valid),
        TEST(test_retry_removing_moves_what_the_instance_counted),
        TEST(test_retry_a_slot_that_is_used_again_counts_for_the_new_name_only),
        TEST(test_retry_between_begin_and_end_leaves_no_thread_inside),
        TEST(test_retry_a_thread_that_enters_in_former_memory_is_counted),
        TEST(test_retry_inside_a_bracket_moves_later),
        TEST(test_retry_inside_a_bracket_around_everything_moves_later),
        TEST(test_retry_removing_moves_the_whole_pair),
        TEST(test_retry_removing_inside_a_bracket_is_torn_until_its_end),
        TEST(test_retry_the_end_of_another_bracket_moves_no_half),
        TEST(test_retry_after_a_timeout_is_never_due),
#ifdef _WIN32
        TEST(test_retry_while_impersonating_is_the_processs),
#endif
        TEST(test_retry_closing_moves_what_old_handles_counted),
        TEST(test_retry_opening_again_begins_gauges_with_0),
        TEST(test_retry_unmapping_leaves_the_totals),
        TEST(test_retry_closing_is_the_last_attempt),
        TEST(test_retry_opening_publishes_what_a_closed_one_counted),
        TEST(test_retry_by_the_way_of_add),
        TEST(test_retry_by_the_way_of_find),
        TEST(test_retry_by_the_way_of_remove),
        TEST(test_retry_by_the_way_of_resolve),
        TEST(test_retry_by_the_way_of_resolve_pair),
        TEST(test_retry_by_the_way_of_open),
        TEST(test_retry_by_the_way_of_close),
        TEST(test_retry_by_the_way_publishes_closed_ones_too),
#ifdef _WIN32
        WATCHED(test_retry_installation_is_noticed_and_old_handles_go_on),
        WATCHED(test_retry_switching_on_is_noticed),
        WATCHED(test_retry_keys_that_come_and_go_are_noticed),
        WATCHED(test_retry_many_publishers_notice_one_installation),
        WATCHED(test_retry_closing_ends_watching),
#else
        WATCHED(test_retry_watch_publishes_and_then_moves_counts),
        WATCHED(test_retry_watch_waits_until_the_settings_settle),
        WATCHED(test_retry_watch_begins_before_the_last_attempt),
        WATCHED(test_retry_watch_of_a_closed_publisher_finds_nothing),
#endif
        TEST(test_retry_random_histories_agree_with_a_plain_model),
        TEST(test_retry_random_histories_in_few_slots_keep_the_totals),
        TEST(test_retry_threads_that_bump_meanwhile_lose_no_count),
    };

    return cmocka_run_group_tests_name("retry", tests, NULL, NULL);
}
