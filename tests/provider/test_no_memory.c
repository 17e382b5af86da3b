/* SPDX-License-Identifier: MIT */
/* Makes each allocation of client and provider fail once. Nothing may be lost, shown as zero or
 * left locked, and Collect keeps its contract. The linker replaces the system's functions by those
 * below (--wrap). */
#include "support/test.h"

#include <stdlib.h>

#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "support/provider/collecting.h"
#include "support/provider/sample_service.h"

#define SERVICE "PrfDataTestNoMemory"

enum { FIRST_COUNTER = 9100, QUEUE_TITLE = 9100, WORKER_TITLE = 9108, CONSUMER_TITLE = 9112 };
enum { JOBS_AT = 1, BUSY_AT = 0 };
enum { QUEUE_ID = 100, JOBS_ID = 102, BUSY_ID = 201, CONSUMER_ID = 300 };
enum { JOBS_COUNTED = 5, BUSY_NOW = 7, ROOM = 65536 };

const char sample_service_name[] = SERVICE;
const uint32_t sample_service_first_counter = FIRST_COUNTER;
/* 1: the next allocation fails; 2: the one after it, and so on. 0: none fails, or one has
 * failed. */
static long failing;
static uint32_t started = 1; /* number of programs that have counted */
static uint32_t running = 1; /* number of these that still run */

/* Stops making allocations fail. Returns whether one failed since `failing` was set. */
static bool has_failed_meanwhile(void)
{
    bool has_failed = failing == 0;

    failing = 0;
    return has_failed;
}

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

static bool fails_now(void)
{
    return failing > 0 && --failing == 0;
}

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails_now() ? NULL : __real_realloc(memory, size);
}

/* Adds a queue and a consumer below it. Counts in the queue inside a bracket, and then in the
 * object without instances outside of it. */
static void count_job(prfdata_publisher *publisher)
{
    prfdata_instance mail, child;
    prfdata_handle handle;

    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_instance_add(publisher, CONSUMER_ID, L"child", &mail, &child), 0);
    assert_int_equal(prfdata_resolve(publisher, JOBS_ID, &mail, &handle), 0);
    prfdata_begin(&mail);
    prfdata_add(handle, JOBS_COUNTED);
    prfdata_end(&mail);
    assert_int_equal(prfdata_resolve(publisher, BUSY_ID, NULL, &handle), 0);
    prfdata_add(handle, BUSY_NOW);
}

static prfdata_publisher *publish(void)
{
    prfdata_publisher *publisher;

    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    count_job(publisher);
    return publisher;
}

/* Asserts that the gauge and the total are correct if the reply has them. Returns whether the reply
 * has all objects and the instance "mail". */
static bool check(unsigned char *bytes, uint32_t size, uint32_t objects)
{
    perf_reply reply = {bytes, size, objects};
    uint64_t value;

    assert_null(perf_reader_mistake(&reply));
    if (perf_reader_object(&reply, WORKER_TITLE) != SIZE_MAX) {
        assert_true(perf_reader_value(&reply, WORKER_TITLE, "", NULL, BUSY_AT, &value));
        assert_int_equal(value, running * BUSY_NOW);
    }
    if (perf_reader_value(&reply, QUEUE_TITLE, "", "_Total", JOBS_AT, &value))
        assert_int_equal(value, started * JOBS_COUNTED);
    return objects == 3 && perf_reader_value(&reply, QUEUE_TITLE, "", "mail", JOBS_AT, &value);
}

/* Collects, and checks what must always be true. Returns whether the reply has everything. */
static bool collect_into(prfdata_provider *provider, uint32_t room, bool *has_failed)
{
    static const uint16_t query[] = {'9', '1', '0', '0', ' ', '9', '1', '0',
                                     '8', ' ', '9', '1', '1', '2', 0};
    static unsigned char bytes[ROOM];
    void *data = bytes;
    uint32_t size = room, objects = 0xDDDDDDDD, status;

    status = prfdata_provider_collect(provider, query, &data, &size, &objects);
    *has_failed = has_failed_meanwhile();
    assert_true(status == ERROR_SUCCESS || (room < ROOM && status == ERROR_MORE_DATA));
    assert_ptr_equal(data, bytes + size);
    assert_int_equal(size == 0, objects == 0);
    return status == ERROR_SUCCESS && check(bytes, size, objects);
}

static bool collect(prfdata_provider *provider, bool *has_failed)
{
    return collect_into(provider, ROOM, has_failed);
}

static uint64_t without_memory; /* number of Collects that did not show everything */
static bool was_told;

static void note_event(void *context, const char *its_service, const prfdata_event *event)
{
    (void)context;
    (void)its_service;
    was_told |= event->id == PRFDATA_EVENT_NO_MEMORY;
}

/* Lets one allocation after the other fail until none is left. Returns how many failed. */
static long collect_while_memory_fails(bool uses_plans)
{
    prfdata_provider *provider;
    bool has_failed = true;
    uint64_t counted;
    long count = 0;

    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    prfdata_provider_set_plans(provider, uses_plans);
    was_told = false;
    without_memory = 0;
    prfdata_provider_set_event_writer(provider, 2, note_event, NULL);
    while (has_failed) {
        bool whole, ignored;

        failing = count + 1;
        whole = collect(provider, &has_failed);
        count += has_failed;
        assert_true(whole || has_failed);
        without_memory += !whole;
        assert_true(collect(provider, &ignored)); /* the next Collect shows everything again */
    }
    /* Failures before the first check of the folder are not counted. */
    counted = prfdata_provider_number(provider, PRFDATA_HEALTH_NO_MEMORY);
    assert_true(was_told ? counted > 0 && counted <= without_memory : counted == 0);
    prfdata_provider_close(provider);
    assert_true(was_told || uses_plans); /* a failure that only prevents a plan is not told */
    return count;
}

/* With plans fewer allocations can fail, because a Collect by plan needs fewer than a merge. */
static void test_no_memory_in_collect_is_an_empty_reply(void **state)
{
    prfdata_publisher *publisher = publish();
    long by_plans;

    (void)state;
    by_plans = collect_while_memory_fails(true);
    assert_true(by_plans > 0);
    assert_true(collect_while_memory_fails(false) > by_plans);
    prfdata_close_and_unmap(publisher);
}

/* Makes the allocation of this number fail in each of a reader's first four Collects. The first two
 * have a buffer that is too small. Returns whether an allocation failed. */
static bool begin_with_failure(long number)
{
    static const uint32_t rooms[] = {512, 512, ROOM, ROOM};
    prfdata_provider *provider;
    bool any_failed = false;
    bool has_failed;

    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
        bool whole;

        failing = number;
        whole = collect_into(provider, rooms[i], &has_failed);
        assert_true(has_failed || whole == (rooms[i] == ROOM));
        any_failed |= has_failed;
    }
    assert_true(collect(provider, &has_failed));
    prfdata_provider_close(provider);
    return any_failed;
}

/* Programs that run at the same time have common rows, which the reader must remember. */
static void test_no_memory_when_a_reader_begins_loses_nothing(void **state)
{
    prfdata_publisher *ended = publish();
    prfdata_publisher *others[2] = {NULL, NULL};

    (void)state;
    for (long number = 1; begin_with_failure(number); number++)
        ;
    for (started = 1; started < 3; started++)
        others[started - 1] = publish();
    running = 2;
    prfdata_close_and_unmap(ended);
    for (long number = 1; begin_with_failure(number); number++)
        ;
    for (int i = 0; i < 2; i++)
        prfdata_close_and_unmap(others[i]);
    started = running = 1;
}

/* The upgrade adds a counter at the end of the map, so all titles stay the same. */
static void test_no_memory_when_the_map_was_upgraded_loses_nothing(void **state)
{
    const prfdata_map_entry more = sample_map_counter(399, PERF_COUNTER_BULK_COUNT);
    static sample_map second;
    prfdata_publisher *ended = publish();
    prfdata_publisher *publisher = publish();
    prfdata_provider *provider;
    bool has_failed = true;
    bool ignored;
    long number;

    (void)state;
    second = sample;
    second.map.entries = second.entries;
    sample_map_append(&second, more);
    prfdata_close_and_unmap(ended);
    started = 2;
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    for (number = 1; has_failed; number++) {
        has_failed = false;
        for (int is_back = 0; is_back < 2; is_back++) {
            bool whole, fails;

            assert_true(collect(provider, &ignored));
            prfdata_test_service_upgrade(&service, is_back ? &sample.map : &second.map);
            failing = number;
            whole = collect(provider, &fails);
            assert_true(whole || fails);
            assert_true(collect(provider, &ignored)); /* the next Collect shows everything again */
            has_failed |= fails;
        }
    }
    assert_true(number > 20);
    prfdata_provider_close(provider);
    prfdata_close_and_unmap(publisher);
    started = 1;
}

/* Fails if an event says that the map is invalid, because installing it again would not help. */
static void refuse_blame_of_the_map(void *context, const char *service_name,
                                    const prfdata_event *event)
{
    (void)context;
    (void)service_name;
    assert_int_not_equal(event->id, PRFDATA_EVENT_MAP_INVALID);
}

static void test_no_memory_at_the_first_look_shows_no_zeros(void **state)
{
    prfdata_publisher *publisher = publish();
    bool has_failed = true;

    (void)state;
    for (long number = 1; has_failed; number++) {
        prfdata_provider *provider;
        bool ignored;
        uint32_t error;

        failing = number;
        error = prfdata_provider_open(SERVICE, &provider);
        has_failed = has_failed_meanwhile();
        if (error) {
            assert_int_equal(error, ERROR_NOT_ENOUGH_MEMORY);
            assert_true(has_failed);
            continue;
        }
        prfdata_provider_set_event_writer(provider, 1, refuse_blame_of_the_map, NULL);
        /* Open has just checked the folder, so this Collect does not check it. */
        assert_true(collect(provider, &ignored) || has_failed);
        prfdata_provider_set_refresh(provider, 0);
        assert_true(collect(provider, &ignored));
        prfdata_provider_close(provider);
    }
    prfdata_close_and_unmap(publisher);
}

static void test_no_memory_in_open_counts_privately_or_not_at_all(void **state)
{
    bool has_failed = true;

    for (long number = 1; has_failed; number++) {
        prfdata_publisher *publisher;
        uint32_t error;

        failing = number;
        error = prfdata_open(&sample.map, &publisher);
        has_failed = has_failed_meanwhile();
        assert_int_equal(error, has_failed ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS);
        if (publisher)
            count_job(publisher);
        prfdata_close_and_unmap(publisher);
        sample_service_end(state); /* removes the region, which the next program would take over */
        sample_service_begin(state);
    }
}

/* Opens a publisher that counts in private memory, and lets one allocation of prfdata_retry() fail.
 * The next retry shows the count. Returns whether an allocation failed. */
static bool retry_with_failure(long number)
{
    prfdata_publisher *publisher;
    prfdata_provider *provider;
    bool has_failed, ignored;
    uint32_t error;

    prfdata_test_service_set_number(&service, "Publish", 0);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SERVICE_DISABLED);
    count_job(publisher);
    prfdata_test_service_set_number(&service, "Publish", 1);
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    failing = number;
    error = prfdata_retry(publisher);
    has_failed = has_failed_meanwhile();
    assert_true(error == ERROR_SUCCESS || (has_failed && error == ERROR_NOT_ENOUGH_MEMORY));
    assert_int_equal(prfdata_test_service_files(&service, NULL, 0), error == ERROR_SUCCESS);
    assert_int_equal(prfdata_status(publisher, NULL, 0), error);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    assert_true(collect(provider, &ignored));
    prfdata_provider_close(provider);
    prfdata_close_and_unmap(publisher);
    return has_failed;
}

static void test_no_memory_in_retry_counts_on_and_is_made_up_for(void **state)
{
    long number = 1;

    /* a new service each time, so that totals begin with 0 */
    while (retry_with_failure(number)) {
        number++;
        sample_service_end(state);
        sample_service_begin(state);
    }
    assert_true(number > 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, sample_service_begin, sample_service_end)
        CASE(test_no_memory_in_collect_is_an_empty_reply),
        CASE(test_no_memory_when_a_reader_begins_loses_nothing),
        CASE(test_no_memory_when_the_map_was_upgraded_loses_nothing),
        CASE(test_no_memory_at_the_first_look_shows_no_zeros),
        CASE(test_no_memory_in_open_counts_privately_or_not_at_all),
        CASE(test_no_memory_in_retry_counts_on_and_is_made_up_for),
#undef CASE
    };

    return cmocka_run_group_tests_name("no_memory", tests, NULL, NULL);
}
