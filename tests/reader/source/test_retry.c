/* SPDX-License-Identifier: MIT */
/* Tests how a question is repeated: with how much room, for how long, and when it is given up. */
#include "support/test.h"

#include <stddef.h>

#include <prfdata/error.h>

#include "source/retry.h"

enum { KB = 1024, NOT_READY = 21, LOCK_FAILED = 167, BUSY = 170, TIMED_OUT = 258 };

/* A source that is busy for some attempts and then needs a buffer of `needs` bytes. */
typedef struct asked {
    uint32_t busy_status;
    unsigned busy_times; /* how many more attempts find it busy */
    uint32_t needs;
    unsigned attempts;
    unsigned waits;
    uint32_t waited_ms;
    uint32_t last_wait_ms;
} asked;

static uint32_t ask_retry(void *context, uint32_t capacity)
{
    asked *a = context;

    a->attempts++;
    if (a->busy_times > 0) {
        a->busy_times--;
        return a->busy_status;
    }
    return capacity < a->needs ? ERROR_MORE_DATA : ERROR_SUCCESS;
}

static void pass_time(void *context, uint32_t milliseconds)
{
    asked *a = context;

    a->waits++;
    a->waited_ms += milliseconds;
    a->last_wait_ms = milliseconds;
}

static uint32_t run(asked *a, uint32_t *capacity)
{
    const prfdata_retry_calls retry = {ask_retry, pass_time, a};

    return prfdata_retry_ask(&retry, capacity);
}

static void test_retry_room_doubles_until_it_suffices_and_stays(void **state)
{
    uint32_t capacity = PRFDATA_RETRY_FIRST_CAPACITY;
    asked a = {.needs = 300 * KB};

    (void)state;
    assert_int_equal(run(&a, &capacity), ERROR_SUCCESS);
    assert_int_equal(capacity, 512 * KB);
    assert_int_equal(a.attempts, 4);
    assert_int_equal(a.waits, 0);
    assert_int_equal(run(&a, &capacity), ERROR_SUCCESS);
    assert_int_equal(a.attempts, 5);
    assert_int_equal(capacity, 512 * KB);
}

static void test_retry_room_ends_at_256_mib(void **state)
{
    uint32_t capacity = PRFDATA_RETRY_FIRST_CAPACITY;
    asked a = {.needs = PRFDATA_RETRY_MAX_CAPACITY};

    (void)state;
    assert_int_equal(run(&a, &capacity), ERROR_SUCCESS);
    assert_int_equal(capacity, PRFDATA_RETRY_MAX_CAPACITY);
    a.needs++;
    assert_int_equal(run(&a, &capacity), ERROR_MORE_DATA);
    assert_int_equal(capacity, PRFDATA_RETRY_MAX_CAPACITY);
}

static void test_retry_busy_answers_are_asked_again_later(void **state)
{
    static const uint32_t busy[] = {BUSY, NOT_READY, LOCK_FAILED, TIMED_OUT};

    (void)state;
    for (size_t i = 0; i < sizeof busy / sizeof busy[0]; i++) {
        uint32_t capacity = PRFDATA_RETRY_FIRST_CAPACITY;
        asked a = {.busy_status = busy[i], .busy_times = 3, .needs = 100 * KB};

        assert_int_equal(run(&a, &capacity), ERROR_SUCCESS);
        assert_int_equal(capacity, 128 * KB);
        assert_int_equal(a.waits, 3);
        assert_int_equal(a.waited_ms, 10 + 20 + 40);
    }
}

static void test_retry_busy_for_ten_seconds_is_the_answer(void **state)
{
    uint32_t capacity = PRFDATA_RETRY_FIRST_CAPACITY;
    asked a = {.busy_status = BUSY, .busy_times = 1000};

    (void)state;
    assert_int_equal(run(&a, &capacity), BUSY);
    assert_int_equal(a.waited_ms, 10230);
    assert_int_equal(a.last_wait_ms, 5120);
}

static void test_retry_without_waiting_busy_is_the_answer(void **state)
{
    uint32_t capacity = PRFDATA_RETRY_FIRST_CAPACITY;
    asked a = {.busy_status = BUSY, .busy_times = 1};
    const prfdata_retry_calls retry = {ask_retry, NULL, &a};

    (void)state;
    assert_int_equal(prfdata_retry_ask(&retry, &capacity), BUSY);
    assert_int_equal(a.attempts, 1);
}

static void test_retry_other_errors_are_answers(void **state)
{
    uint32_t capacity = PRFDATA_RETRY_FIRST_CAPACITY;
    asked a = {.busy_status = ERROR_ACCESS_DENIED, .busy_times = 1};

    (void)state;
    assert_int_equal(run(&a, &capacity), ERROR_ACCESS_DENIED);
    assert_int_equal(a.attempts, 1);
    assert_int_equal(a.waits, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_retry_room_doubles_until_it_suffices_and_stays),
        cmocka_unit_test(test_retry_room_ends_at_256_mib),
        cmocka_unit_test(test_retry_busy_answers_are_asked_again_later),
        cmocka_unit_test(test_retry_busy_for_ten_seconds_is_the_answer),
        cmocka_unit_test(test_retry_without_waiting_busy_is_the_answer),
        cmocka_unit_test(test_retry_other_errors_are_answers),
    };

    return cmocka_run_group_tests_name("retry", tests, NULL, NULL);
}
