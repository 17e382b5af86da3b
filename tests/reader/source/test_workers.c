/* SPDX-License-Identifier: MIT */
/* Tests which worker asks for which objects, and when. Providers answer at once, late, never, or
 * late only if they are asked together. Some crash. */
#include "support/test.h"

#include <string.h>

#include <prfdata/error.h>

#include "source/workers.h"

enum { QUICK = 100, LATE = 200, LATER = 300, PARENT = 400, EVERY_MS = 1000 };

static const uint32_t three[] = {QUICK, LATE, LATER};

static bool asks(const prfdata_workers *workers, uint32_t worker, const uint32_t *titles,
                 size_t count)
{
    const prfdata_title_set *asked = &workers->questions[worker].asked;

    return asked->count == count && memcmp(asked->items, titles, count * sizeof *titles) == 0;
}

static prfdata_workers_state state_of(const prfdata_workers *workers, uint32_t title)
{
    return prfdata_workers_find(workers, title)->state;
}

/* Let a worker ask, and answer its question after some time. */
static void answer(prfdata_workers *workers, uint32_t worker, uint64_t now_ms, uint64_t took_ms)
{
    assert_true(prfdata_workers_begin(workers, worker, now_ms, EVERY_MS, false));
    (void)prfdata_workers_end(workers, worker, now_ms + took_ms, EVERY_MS, ERROR_SUCCESS);
}

/* A user chose an interval of a minute by mistake. After a shorter interval was chosen, nobody
 * should wait until that minute ends. */
static void test_workers_take_a_shorter_interval_at_once(void **state)
{
    prfdata_workers workers = {0};

    (void)state;
    assert_true(prfdata_workers_want(&workers, three, 2));
    assert_true(prfdata_workers_begin(&workers, 0, 1000, 60000, false));
    assert_true(prfdata_workers_end(&workers, 0, 2000, 60000, ERROR_TIMEOUT));
    assert_true(prfdata_workers_begin(&workers, 1, 2000, 60000, false));
    assert_true(prfdata_workers_end(&workers, 1, 2010, 60000, ERROR_SUCCESS));
    /* This question is for LATE, which is slow. */
    assert_true(prfdata_workers_begin(&workers, 1, 2010, 60000, false));
    assert_false(prfdata_workers_end(&workers, 1, 7010, 60000, ERROR_SUCCESS));
    prfdata_workers_set_interval(&workers, 8000, 200);
    assert_int_equal(prfdata_workers_wait_ms(&workers, 0, 8000, false), 200);
    assert_int_equal(prfdata_workers_wait_ms(&workers, 1, 8000, false), 200);
    /* A longer interval does not delay questions that are due. */
    prfdata_workers_set_interval(&workers, 8000, 60000);
    assert_int_equal(prfdata_workers_wait_ms(&workers, 0, 8000, false), 200);
    prfdata_workers_refresh(&workers);
    prfdata_workers_set_interval(&workers, 8000, 60000);
    assert_int_equal(prfdata_workers_wait_ms(&workers, 0, 8000, false), 0);
    prfdata_workers_free(&workers);
}

/* Return workers with three objects. The answer to the question for all three was late. */
static prfdata_workers parted_workers(void)
{
    prfdata_workers workers = {0};

    assert_true(prfdata_workers_want(&workers, three, 3));
    assert_true(prfdata_workers_begin(&workers, 0, 5000, EVERY_MS, false));
    assert_true(asks(&workers, 0, three, 3));
    assert_true(prfdata_workers_end(&workers, 0, 6000, EVERY_MS, ERROR_TIMEOUT));
    return workers;
}

static void test_workers_ask_for_all_together_at_each_interval(void **state)
{
    prfdata_workers workers = {0};

    (void)state;
    assert_int_equal(prfdata_workers_wait_ms(&workers, 0, 0, false), UINT32_MAX);
    assert_false(prfdata_workers_begin(&workers, 0, 0, EVERY_MS, false));
    assert_true(prfdata_workers_want(&workers, three, 3));
    assert_false(prfdata_workers_want(&workers, three, 3));
    assert_int_equal(prfdata_workers_wait_ms(&workers, 0, 7, true), 0);
    answer(&workers, 0, 7, 20);
    assert_int_equal(prfdata_workers_wait_ms(&workers, 0, 107, false), 900);
    assert_int_equal(prfdata_workers_wait_ms(&workers, 0, 107, true), UINT32_MAX);
    assert_false(prfdata_workers_begin(&workers, 0, 1006, EVERY_MS, false));
    assert_false(prfdata_workers_begin(&workers, 0, 1007, EVERY_MS, true));
    assert_true(prfdata_workers_begin(&workers, 0, 1007, EVERY_MS, false));
    assert_false(prfdata_workers_begin(&workers, 1, 5000, EVERY_MS, false));
    assert_int_equal(prfdata_workers_wait_ms(&workers, 1, 5000, false), UINT32_MAX);
    (void)prfdata_workers_end(&workers, 0, 1027, EVERY_MS, ERROR_SUCCESS);
    /* Fewer objects are wanted now. Nothing becomes due earlier. */
    assert_true(prfdata_workers_want(&workers, three, 1));
    assert_false(prfdata_workers_begin(&workers, 0, 1028, EVERY_MS, true));
    assert_false(prfdata_workers_begin(&workers, 0, 2006, EVERY_MS, false));
    assert_true(prfdata_workers_begin(&workers, 0, 2007, EVERY_MS, false));
    assert_true(asks(&workers, 0, three, 1));
    prfdata_workers_free(&workers);
}

static void test_workers_ask_at_once_for_new_objects_only(void **state)
{
    static const uint32_t both[] = {QUICK, LATER};
    prfdata_workers workers = {0};

    (void)state;
    assert_true(prfdata_workers_want(&workers, both, 1));
    answer(&workers, 0, 1000, 20);
    assert_true(prfdata_workers_want(&workers, both, 2));
    assert_int_equal(prfdata_workers_wait_ms(&workers, 0, 1300, true), 0);
    assert_true(prfdata_workers_begin(&workers, 0, 1300, EVERY_MS, true));
    assert_true(asks(&workers, 0, &both[1], 1));
    (void)prfdata_workers_end(&workers, 0, 1320, EVERY_MS, ERROR_SUCCESS);
    assert_int_equal(prfdata_workers_wait_ms(&workers, 0, 1500, false), 500);
    assert_true(prfdata_workers_begin(&workers, 0, 2000, EVERY_MS, false));
    assert_true(asks(&workers, 0, both, 2));
    (void)prfdata_workers_end(&workers, 0, 2020, EVERY_MS, ERROR_SUCCESS);
    prfdata_workers_free(&workers);
}

/* Objects come, answers take long or no time, and the user wants objects, all at random. */
static void test_workers_ask_again_after_half_an_interval_at_least(void **state)
{
    prfdata_workers workers = {0};
    uint64_t answered_ms[3] = {0};
    uint64_t now_ms = 1000;
    uint32_t random = 3;
    uint32_t asked_count = 0;

    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        const prfdata_title_set *asked = &workers.questions[0].asked;

        random = random * 1664525 + 1013904223;
        now_ms += random >> 25;
        if (random >> 22 < 40)
            (void)prfdata_workers_want(&workers, three, random % 4);
        if (random >> 24 == 99)
            prfdata_workers_refresh(&workers);
        if (!prfdata_workers_begin(&workers, 0, now_ms, EVERY_MS, false))
            continue;
        asked_count++;
        for (uint32_t k = 0; k < 3; k++) {
            if (!prfdata_title_set_has(asked, three[k]))
                continue;
            if (prfdata_workers_find(&workers, three[k])->answered_ms != 0)
                assert_true(now_ms - answered_ms[k] >= EVERY_MS / 2);
            answered_ms[k] = now_ms + (random >> 10) % 900;
        }
        now_ms += (random >> 10) % 900;
        (void)prfdata_workers_end(&workers, 0, now_ms, EVERY_MS, ERROR_SUCCESS);
    }
    assert_true(asked_count > 500);
    prfdata_workers_free(&workers);
}

/* Three objects were late together, but only two of them are slow. Each slow object delays only
 * itself. */
static void test_workers_slow_objects_delay_only_themselves(void **state)
{
    prfdata_workers workers = parted_workers();

    (void)state;
    for (uint32_t worker = 1; worker <= 3; worker++)
        assert_true(prfdata_workers_begin(&workers, worker, 6000, EVERY_MS, false));
    assert_false(prfdata_workers_begin(&workers, 4, 6000, EVERY_MS, false));
    assert_true(prfdata_workers_end(&workers, 1, 6010, EVERY_MS, ERROR_SUCCESS));
    assert_int_equal(state_of(&workers, QUICK), PRFDATA_WORKERS_TOGETHER);
    /* Too early, because QUICK has just answered. */
    assert_false(prfdata_workers_begin(&workers, 0, 6509, EVERY_MS, false));
    answer(&workers, 0, 6510, 5);
    answer(&workers, 0, 7510, 5);
    assert_true(asks(&workers, 0, three, 1));
    assert_false(prfdata_workers_end(&workers, 2, 11000, EVERY_MS, ERROR_SUCCESS));
    assert_false(prfdata_workers_end(&workers, 3, 12000, EVERY_MS, ERROR_SUCCESS));
    assert_int_equal(prfdata_workers_find(&workers, LATE)->took_ms, 5000);
    assert_int_equal(prfdata_workers_find(&workers, LATER)->took_ms, 6000);
    /* The slow object LATE is not asked for again at once. */
    assert_int_equal(prfdata_workers_wait_ms(&workers, 1, 11000, false), 1000);
    assert_true(prfdata_workers_begin(&workers, 1, 12000, EVERY_MS, false));
    assert_true(asks(&workers, 1, &three[1], 1));
    prfdata_workers_free(&workers);
}

/* The first answer of a process may take longer, up to a limit, because the process has to
 * start. */
static void test_workers_do_not_blame_the_beginning_of_a_process(void **state)
{
    prfdata_workers workers = parted_workers();

    (void)state;
    assert_true(prfdata_workers_begin(&workers, 1, 6000, EVERY_MS, false));
    workers.questions[1].is_first = true;
    (void)prfdata_workers_end(&workers, 1, 8000, EVERY_MS, ERROR_SUCCESS);
    assert_false(prfdata_workers_find(&workers, QUICK)->is_slow);
    assert_true(prfdata_workers_begin(&workers, 2, 8000, EVERY_MS, false));
    workers.questions[2].is_first = true;
    (void)prfdata_workers_end(&workers, 2, 12000, EVERY_MS, ERROR_SUCCESS);
    assert_true(prfdata_workers_find(&workers, LATE)->is_slow);
    answer(&workers, 1, 12000, 2000); /* this process was running already */
    assert_true(prfdata_workers_find(&workers, LATER)->is_slow);
    prfdata_workers_free(&workers);
}

static void test_workers_take_back_an_object_that_is_in_time_again(void **state)
{
    prfdata_workers workers = parted_workers();

    (void)state;
    answer(&workers, 1, 6000, 10); /* these two objects are fast by themselves */
    answer(&workers, 1, 6100, 10);
    assert_int_equal(state_of(&workers, LATE), PRFDATA_WORKERS_TOGETHER);
    answer(&workers, 1, 6200, 4000);
    answer(&workers, 1, 20000, 10);
    answer(&workers, 1, 30000, 10);
    assert_int_equal(state_of(&workers, LATER), PRFDATA_WORKERS_ALONE);
    answer(&workers, 1, 40000, 10);
    assert_int_equal(state_of(&workers, LATER), PRFDATA_WORKERS_TOGETHER);
    prfdata_workers_free(&workers);
}

/* Each of the three objects takes 400 ms. Two of them would take 800 ms together, which is more
 * than MOST_TOGETHER in workers.c. So only one returns to the objects that are asked for
 * together. */
static void test_workers_leave_apart_what_is_late_together(void **state)
{
    prfdata_workers workers = parted_workers();

    (void)state;
    for (uint64_t i = 0; i < 12; i++)
        answer(&workers, 1, 100000 + i * 10000, 400);
    assert_int_equal(state_of(&workers, QUICK), PRFDATA_WORKERS_TOGETHER);
    assert_int_equal(state_of(&workers, LATE), PRFDATA_WORKERS_ALONE);
    assert_int_equal(state_of(&workers, LATER), PRFDATA_WORKERS_ALONE);
    prfdata_workers_free(&workers);
}

static void test_workers_leave_out_what_hangs_or_crashes_until_refreshed(void **state)
{
    prfdata_workers workers = parted_workers();

    (void)state;
    for (uint32_t worker = 1; worker <= 3; worker++)
        assert_true(prfdata_workers_begin(&workers, worker, 6000, EVERY_MS, false));
    assert_true(prfdata_workers_end(&workers, 1, 6010, EVERY_MS, ERROR_SUCCESS));
    assert_true(prfdata_workers_end(&workers, 2, 16000, EVERY_MS, ERROR_TIMEOUT));
    assert_true(prfdata_workers_end(&workers, 3, 6020, EVERY_MS, ERROR_BROKEN_PIPE));
    assert_int_equal(state_of(&workers, LATE), PRFDATA_WORKERS_SILENT);
    assert_int_equal(state_of(&workers, LATER), PRFDATA_WORKERS_SILENT);
    assert_false(prfdata_workers_begin(&workers, 1, 900000, EVERY_MS, false));
    answer(&workers, 0, 900000, 5);
    assert_true(asks(&workers, 0, three, 1));
    prfdata_workers_refresh(&workers);
    assert_true(prfdata_workers_begin(&workers, 0, 900010, EVERY_MS, true));
    assert_true(prfdata_workers_begin(&workers, 1, 900010, EVERY_MS, true));
    assert_true(asks(&workers, 1, &three[1], 1));
    prfdata_workers_free(&workers);
}

static void test_workers_ask_again_for_one_that_was_silent(void **state)
{
    prfdata_workers workers = parted_workers();

    (void)state;
    for (uint32_t worker = 1; worker <= 3; worker++)
        assert_true(prfdata_workers_begin(&workers, worker, 6000, EVERY_MS, false));
    for (uint32_t worker = 1; worker <= 3; worker++)
        assert_true(prfdata_workers_end(&workers, worker, 16000, EVERY_MS, ERROR_TIMEOUT));
    prfdata_workers_ask_again(&workers, LATER);
    prfdata_workers_ask_again(&workers, PARENT); /* PARENT is not wanted */
    assert_int_equal(state_of(&workers, LATER), PRFDATA_WORKERS_ALONE);
    assert_int_equal(state_of(&workers, LATE), PRFDATA_WORKERS_SILENT);
    assert_true(prfdata_workers_begin(&workers, 1, 16000, EVERY_MS, true));
    assert_true(asks(&workers, 1, &three[2], 1));
    (void)prfdata_workers_end(&workers, 1, 16010, EVERY_MS, ERROR_SUCCESS);
    prfdata_workers_ask_again(&workers, LATER); /* LATER was not silent, so nothing changes */
    assert_int_equal(state_of(&workers, LATER), PRFDATA_WORKERS_TOGETHER);
    prfdata_workers_free(&workers);
}

/* If a question for one object ends with a crash, the object becomes silent without a second
 * question. If a question for several objects ends with a crash, each of them is then asked for by
 * itself. */
static void test_workers_of_one_object_need_no_second_crash(void **state)
{
    prfdata_workers workers = {0};

    (void)state;
    assert_true(prfdata_workers_want(&workers, three, 1));
    assert_true(prfdata_workers_begin(&workers, 0, 1, EVERY_MS, false));
    assert_true(prfdata_workers_end(&workers, 0, 2, EVERY_MS, ERROR_BROKEN_PIPE));
    assert_int_equal(state_of(&workers, QUICK), PRFDATA_WORKERS_SILENT);
    prfdata_workers_refresh(&workers);
    assert_int_equal(state_of(&workers, QUICK), PRFDATA_WORKERS_ALONE);
    assert_true(prfdata_workers_begin(&workers, 1, 3, EVERY_MS, false));
    assert_true(prfdata_workers_end(&workers, 1, 4, EVERY_MS, ERROR_BROKEN_PIPE));
    assert_int_equal(state_of(&workers, QUICK), PRFDATA_WORKERS_SILENT);
    prfdata_workers_free(&workers);

    assert_true(prfdata_workers_want(&workers, three, 2));
    assert_true(prfdata_workers_begin(&workers, 0, 1, EVERY_MS, false));
    assert_true(prfdata_workers_end(&workers, 0, 2, EVERY_MS, ERROR_BROKEN_PIPE));
    assert_int_equal(state_of(&workers, QUICK), PRFDATA_WORKERS_ALONE);
    assert_int_equal(state_of(&workers, LATE), PRFDATA_WORKERS_ALONE);
    prfdata_workers_free(&workers);
}

/* An object is asked for together with the objects of its parents. If there is no answer, the
 * object is later asked for without them. */
static void test_workers_keep_parents_while_they_answer(void **state)
{
    prfdata_workers workers = {0};

    (void)state;
    assert_true(prfdata_workers_want(&workers, three, 1));
    assert_true(prfdata_workers_begin(&workers, 0, 1, EVERY_MS, false));
    assert_true(workers.questions[0].takes_parents);
    assert_true(prfdata_title_set_add(&workers.questions[0].asked, PARENT));
    assert_false(prfdata_workers_end(&workers, 0, 2, EVERY_MS, ERROR_SUCCESS));
    assert_true(prfdata_workers_begin(&workers, 0, 5000, EVERY_MS, false));
    assert_int_equal(workers.questions[0].asked.count, 2);
    assert_true(prfdata_workers_end(&workers, 0, 6000, EVERY_MS, ERROR_TIMEOUT));
    assert_true(prfdata_workers_begin(&workers, 1, 6000, EVERY_MS, false));
    assert_true(prfdata_title_set_add(&workers.questions[1].asked, PARENT));
    assert_false(prfdata_workers_end(&workers, 1, 16000, EVERY_MS, ERROR_TIMEOUT));
    assert_true(prfdata_workers_begin(&workers, 1, 16000, EVERY_MS, false));
    assert_false(workers.questions[1].takes_parents);
    assert_true(asks(&workers, 1, three, 1));
    assert_true(prfdata_workers_end(&workers, 1, 16010, EVERY_MS, ERROR_SUCCESS));
    assert_true(prfdata_workers_begin(&workers, 0, 17000, EVERY_MS, false));
    assert_false(workers.questions[0].takes_parents);
    prfdata_workers_free(&workers);
}

/* An object is no longer wanted while a question for it is still open. */
static void test_workers_forget_an_object_that_is_asked_for(void **state)
{
    prfdata_workers workers = parted_workers();

    (void)state;
    assert_true(prfdata_workers_begin(&workers, 1, 6000, EVERY_MS, false));
    assert_true(prfdata_workers_want(&workers, &three[1], 1));
    assert_false(prfdata_workers_end(&workers, 1, 6010, EVERY_MS, ERROR_SUCCESS));
    assert_null(prfdata_workers_find(&workers, QUICK));
    prfdata_workers_free(&workers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workers_ask_for_all_together_at_each_interval),
        cmocka_unit_test(test_workers_ask_at_once_for_new_objects_only),
        cmocka_unit_test(test_workers_ask_again_after_half_an_interval_at_least),
        cmocka_unit_test(test_workers_take_a_shorter_interval_at_once),
        cmocka_unit_test(test_workers_slow_objects_delay_only_themselves),
        cmocka_unit_test(test_workers_do_not_blame_the_beginning_of_a_process),
        cmocka_unit_test(test_workers_take_back_an_object_that_is_in_time_again),
        cmocka_unit_test(test_workers_leave_apart_what_is_late_together),
        cmocka_unit_test(test_workers_leave_out_what_hangs_or_crashes_until_refreshed),
        cmocka_unit_test(test_workers_ask_again_for_one_that_was_silent),
        cmocka_unit_test(test_workers_of_one_object_need_no_second_crash),
        cmocka_unit_test(test_workers_keep_parents_while_they_answer),
        cmocka_unit_test(test_workers_forget_an_object_that_is_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
