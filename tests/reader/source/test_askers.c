/* SPDX-License-Identifier: MIT */
/* Tests which asker asks for which objects, and when. Providers answer at once, late, late only
 * together, never, or crash. */
#include "support/test.h"

#include <string.h>

#include <prfdata/error.h>

#include "source/askers.h"

enum { QUICK = 100, LATE = 200, LATER = 300, PARENT = 400, EVERY_MS = 1000 };

static const uint32_t three[] = {QUICK, LATE, LATER};

/* Returns whether an asker's question has these objects in this order. */
static bool asks(const prfdata_askers *askers, uint32_t asker, const uint32_t *titles, size_t count)
{
    const prfdata_title_set *asked = &askers->questions[asker].asked;

    return asked->count == count && memcmp(asked->items, titles, count * sizeof *titles) == 0;
}

static prfdata_askers_state state_of(const prfdata_askers *askers, uint32_t title)
{
    return prfdata_askers_find(askers, title)->state;
}

/* Let an asker ask, and answer its question after some time. */
static void answer(prfdata_askers *askers, uint32_t asker, uint64_t now_ms, uint64_t took_ms)
{
    assert_true(prfdata_askers_begin(askers, asker, now_ms, EVERY_MS, false));
    (void)prfdata_askers_end(askers, asker, now_ms + took_ms, EVERY_MS, ERROR_SUCCESS);
}

/* The interval of a minute was a mistake, so nobody should wait until it ends. */
static void test_askers_take_a_shorter_interval_at_once(void **state)
{
    prfdata_askers askers = {0};

    (void)state;
    assert_true(prfdata_askers_want(&askers, three, 2));
    assert_true(prfdata_askers_begin(&askers, 0, 1000, 60000, false));
    assert_true(prfdata_askers_end(&askers, 0, 2000, 60000, ERROR_TIMEOUT));
    assert_true(prfdata_askers_begin(&askers, 1, 2000, 60000, false));
    assert_true(prfdata_askers_end(&askers, 1, 2010, 60000, ERROR_SUCCESS));
    /* Asks for LATE, which is slow. */
    assert_true(prfdata_askers_begin(&askers, 1, 2010, 60000, false));
    assert_false(prfdata_askers_end(&askers, 1, 7010, 60000, ERROR_SUCCESS));
    prfdata_askers_set_interval(&askers, 8000, 200);
    assert_int_equal(prfdata_askers_wait_ms(&askers, 0, 8000, false), 200);
    assert_int_equal(prfdata_askers_wait_ms(&askers, 1, 8000, false), 200);
    /* A longer interval does not delay questions that are due. */
    prfdata_askers_set_interval(&askers, 8000, 60000);
    assert_int_equal(prfdata_askers_wait_ms(&askers, 0, 8000, false), 200);
    prfdata_askers_refresh(&askers);
    prfdata_askers_set_interval(&askers, 8000, 60000);
    assert_int_equal(prfdata_askers_wait_ms(&askers, 0, 8000, false), 0);
    prfdata_askers_free(&askers);
}

/* Return askers with three objects. The answer to the question for all three was late. */
static prfdata_askers parted_askers(void)
{
    prfdata_askers askers = {0};

    assert_true(prfdata_askers_want(&askers, three, 3));
    assert_true(prfdata_askers_begin(&askers, 0, 5000, EVERY_MS, false));
    assert_true(asks(&askers, 0, three, 3));
    assert_true(prfdata_askers_end(&askers, 0, 6000, EVERY_MS, ERROR_TIMEOUT));
    return askers;
}

static void test_askers_ask_for_all_together_at_each_interval(void **state)
{
    prfdata_askers askers = {0};

    (void)state;
    assert_int_equal(prfdata_askers_wait_ms(&askers, 0, 0, false), UINT32_MAX);
    assert_false(prfdata_askers_begin(&askers, 0, 0, EVERY_MS, false));
    assert_true(prfdata_askers_want(&askers, three, 3));
    assert_false(prfdata_askers_want(&askers, three, 3));
    assert_int_equal(prfdata_askers_wait_ms(&askers, 0, 7, true), 0);
    answer(&askers, 0, 7, 20);
    assert_int_equal(prfdata_askers_wait_ms(&askers, 0, 107, false), 900);
    assert_int_equal(prfdata_askers_wait_ms(&askers, 0, 107, true), UINT32_MAX);
    assert_false(prfdata_askers_begin(&askers, 0, 1006, EVERY_MS, false));
    assert_false(prfdata_askers_begin(&askers, 0, 1007, EVERY_MS, true));
    assert_true(prfdata_askers_begin(&askers, 0, 1007, EVERY_MS, false));
    assert_false(prfdata_askers_begin(&askers, 1, 5000, EVERY_MS, false));
    assert_int_equal(prfdata_askers_wait_ms(&askers, 1, 5000, false), UINT32_MAX);
    (void)prfdata_askers_end(&askers, 0, 1027, EVERY_MS, ERROR_SUCCESS);
    /* Fewer objects are wanted, and nothing is due earlier. */
    assert_true(prfdata_askers_want(&askers, three, 1));
    assert_false(prfdata_askers_begin(&askers, 0, 1028, EVERY_MS, true));
    assert_false(prfdata_askers_begin(&askers, 0, 2006, EVERY_MS, false));
    assert_true(prfdata_askers_begin(&askers, 0, 2007, EVERY_MS, false));
    assert_true(asks(&askers, 0, three, 1));
    prfdata_askers_free(&askers);
}

/* A new object is asked for at once. The others keep their times. */
static void test_askers_ask_at_once_for_new_objects_only(void **state)
{
    static const uint32_t both[] = {QUICK, LATER};
    prfdata_askers askers = {0};

    (void)state;
    assert_true(prfdata_askers_want(&askers, both, 1));
    answer(&askers, 0, 1000, 20);
    assert_true(prfdata_askers_want(&askers, both, 2));
    assert_int_equal(prfdata_askers_wait_ms(&askers, 0, 1300, true), 0);
    assert_true(prfdata_askers_begin(&askers, 0, 1300, EVERY_MS, true));
    assert_true(asks(&askers, 0, &both[1], 1));
    (void)prfdata_askers_end(&askers, 0, 1320, EVERY_MS, ERROR_SUCCESS);
    assert_int_equal(prfdata_askers_wait_ms(&askers, 0, 1500, false), 500);
    assert_true(prfdata_askers_begin(&askers, 0, 2000, EVERY_MS, false));
    assert_true(asks(&askers, 0, both, 2));
    (void)prfdata_askers_end(&askers, 0, 2020, EVERY_MS, ERROR_SUCCESS);
    prfdata_askers_free(&askers);
}

/* Objects come, answers take long or no time, and the user wants objects, all at random. No object
 * is asked for soon after it has answered. */
static void test_askers_ask_again_after_half_an_interval_at_least(void **state)
{
    prfdata_askers askers = {0};
    uint64_t answered_ms[3] = {0};
    uint64_t now_ms = 1000;
    uint32_t random = 3;
    uint32_t asked_count = 0;

    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        const prfdata_title_set *asked = &askers.questions[0].asked;

        random = random * 1664525 + 1013904223;
        now_ms += random >> 25;
        if (random >> 22 < 40)
            (void)prfdata_askers_want(&askers, three, random % 4);
        if (random >> 24 == 99)
            prfdata_askers_refresh(&askers);
        if (!prfdata_askers_begin(&askers, 0, now_ms, EVERY_MS, false))
            continue;
        asked_count++;
        for (uint32_t k = 0; k < 3; k++) {
            if (!prfdata_title_set_has(asked, three[k]))
                continue;
            if (prfdata_askers_find(&askers, three[k])->answered_ms != 0)
                assert_true(now_ms - answered_ms[k] >= EVERY_MS / 2);
            answered_ms[k] = now_ms + (random >> 10) % 900;
        }
        now_ms += (random >> 10) % 900;
        (void)prfdata_askers_end(&askers, 0, now_ms, EVERY_MS, ERROR_SUCCESS);
    }
    assert_true(asked_count > 500);
    prfdata_askers_free(&askers);
}

/* Three objects were late together, but only two of them are slow. Each of these delays only
 * itself. */
static void test_askers_slow_objects_delay_only_themselves(void **state)
{
    prfdata_askers askers = parted_askers();

    (void)state;
    for (uint32_t asker = 1; asker <= 3; asker++)
        assert_true(prfdata_askers_begin(&askers, asker, 6000, EVERY_MS, false));
    assert_false(prfdata_askers_begin(&askers, 4, 6000, EVERY_MS, false));
    assert_true(prfdata_askers_end(&askers, 1, 6010, EVERY_MS, ERROR_SUCCESS));
    assert_int_equal(state_of(&askers, QUICK), PRFDATA_ASKERS_TOGETHER);
    /* Too early, because QUICK has just answered. */
    assert_false(prfdata_askers_begin(&askers, 0, 6509, EVERY_MS, false));
    answer(&askers, 0, 6510, 5);
    answer(&askers, 0, 7510, 5);
    assert_true(asks(&askers, 0, three, 1));
    assert_false(prfdata_askers_end(&askers, 2, 11000, EVERY_MS, ERROR_SUCCESS));
    assert_false(prfdata_askers_end(&askers, 3, 12000, EVERY_MS, ERROR_SUCCESS));
    assert_int_equal(prfdata_askers_find(&askers, LATE)->took_ms, 5000);
    assert_int_equal(prfdata_askers_find(&askers, LATER)->took_ms, 6000);
    /* A slow object gets time before the next question. */
    assert_int_equal(prfdata_askers_wait_ms(&askers, 1, 11000, false), 1000);
    assert_true(prfdata_askers_begin(&askers, 1, 12000, EVERY_MS, false));
    assert_true(asks(&askers, 1, &three[1], 1));
    prfdata_askers_free(&askers);
}

/* The time in which a process starts does not count for its provider, up to a limit. */
static void test_askers_do_not_blame_the_beginning_of_a_process(void **state)
{
    prfdata_askers askers = parted_askers();

    (void)state;
    assert_true(prfdata_askers_begin(&askers, 1, 6000, EVERY_MS, false));
    askers.questions[1].is_first = true;
    (void)prfdata_askers_end(&askers, 1, 8000, EVERY_MS, ERROR_SUCCESS);
    assert_false(prfdata_askers_find(&askers, QUICK)->is_slow);
    assert_true(prfdata_askers_begin(&askers, 2, 8000, EVERY_MS, false));
    askers.questions[2].is_first = true;
    (void)prfdata_askers_end(&askers, 2, 12000, EVERY_MS, ERROR_SUCCESS);
    assert_true(prfdata_askers_find(&askers, LATE)->is_slow);
    answer(&askers, 1, 12000, 2000); /* this process was running already */
    assert_true(prfdata_askers_find(&askers, LATER)->is_slow);
    prfdata_askers_free(&askers);
}

static void test_askers_take_back_an_object_that_is_in_time_again(void **state)
{
    prfdata_askers askers = parted_askers();

    (void)state;
    answer(&askers, 1, 6000, 10); /* these two objects are fast by themselves */
    answer(&askers, 1, 6100, 10);
    assert_int_equal(state_of(&askers, LATE), PRFDATA_ASKERS_TOGETHER);
    answer(&askers, 1, 6200, 4000);
    answer(&askers, 1, 20000, 10);
    answer(&askers, 1, 30000, 10);
    assert_int_equal(state_of(&askers, LATER), PRFDATA_ASKERS_ALONE);
    answer(&askers, 1, 40000, 10);
    assert_int_equal(state_of(&askers, LATER), PRFDATA_ASKERS_TOGETHER);
    prfdata_askers_free(&askers);
}

/* Three objects that take 400 ms each are not repeatedly asked for together in vain. */
static void test_askers_leave_apart_what_is_late_together(void **state)
{
    prfdata_askers askers = parted_askers();

    (void)state;
    for (uint64_t i = 0; i < 12; i++)
        answer(&askers, 1, 100000 + i * 10000, 400);
    assert_int_equal(state_of(&askers, QUICK), PRFDATA_ASKERS_TOGETHER);
    assert_int_equal(state_of(&askers, LATE), PRFDATA_ASKERS_ALONE);
    assert_int_equal(state_of(&askers, LATER), PRFDATA_ASKERS_ALONE);
    prfdata_askers_free(&askers);
}

static void test_askers_leave_out_what_hangs_or_crashes_until_refreshed(void **state)
{
    prfdata_askers askers = parted_askers();

    (void)state;
    for (uint32_t asker = 1; asker <= 3; asker++)
        assert_true(prfdata_askers_begin(&askers, asker, 6000, EVERY_MS, false));
    assert_true(prfdata_askers_end(&askers, 1, 6010, EVERY_MS, ERROR_SUCCESS));
    assert_true(prfdata_askers_end(&askers, 2, 16000, EVERY_MS, ERROR_TIMEOUT));
    assert_true(prfdata_askers_end(&askers, 3, 6020, EVERY_MS, ERROR_BROKEN_PIPE));
    assert_int_equal(state_of(&askers, LATE), PRFDATA_ASKERS_SILENT);
    assert_int_equal(state_of(&askers, LATER), PRFDATA_ASKERS_SILENT);
    assert_false(prfdata_askers_begin(&askers, 1, 900000, EVERY_MS, false));
    answer(&askers, 0, 900000, 5);
    assert_true(asks(&askers, 0, three, 1));
    prfdata_askers_refresh(&askers);
    assert_true(prfdata_askers_begin(&askers, 0, 900010, EVERY_MS, true));
    assert_true(prfdata_askers_begin(&askers, 1, 900010, EVERY_MS, true));
    assert_true(asks(&askers, 1, &three[1], 1));
    prfdata_askers_free(&askers);
}

static void test_askers_ask_again_for_one_that_was_silent(void **state)
{
    prfdata_askers askers = parted_askers();

    (void)state;
    for (uint32_t asker = 1; asker <= 3; asker++)
        assert_true(prfdata_askers_begin(&askers, asker, 6000, EVERY_MS, false));
    for (uint32_t asker = 1; asker <= 3; asker++)
        assert_true(prfdata_askers_end(&askers, asker, 16000, EVERY_MS, ERROR_TIMEOUT));
    prfdata_askers_ask_again(&askers, LATER);
    prfdata_askers_ask_again(&askers, PARENT); /* PARENT is not wanted */
    assert_int_equal(state_of(&askers, LATER), PRFDATA_ASKERS_ALONE);
    assert_int_equal(state_of(&askers, LATE), PRFDATA_ASKERS_SILENT);
    assert_true(prfdata_askers_begin(&askers, 1, 16000, EVERY_MS, true));
    assert_true(asks(&askers, 1, &three[2], 1));
    (void)prfdata_askers_end(&askers, 1, 16010, EVERY_MS, ERROR_SUCCESS);
    prfdata_askers_ask_again(&askers, LATER); /* LATER was not silent, so nothing changes */
    assert_int_equal(state_of(&askers, LATER), PRFDATA_ASKERS_TOGETHER);
    prfdata_askers_free(&askers);
}

/* Only one object is asked for. In one case it crashes at once, in the other it is late first. */
static void test_askers_of_one_object_need_no_second_crash(void **state)
{
    prfdata_askers askers = {0};

    (void)state;
    assert_true(prfdata_askers_want(&askers, three, 1));
    assert_true(prfdata_askers_begin(&askers, 0, 1, EVERY_MS, false));
    assert_true(prfdata_askers_end(&askers, 0, 2, EVERY_MS, ERROR_BROKEN_PIPE));
    assert_int_equal(state_of(&askers, QUICK), PRFDATA_ASKERS_SILENT);
    prfdata_askers_refresh(&askers);
    assert_int_equal(state_of(&askers, QUICK), PRFDATA_ASKERS_ALONE);
    prfdata_askers_free(&askers);
}

/* Objects that samples name as parents are asked for with their children, until they do not
 * answer. */
static void test_askers_keep_parents_while_they_answer(void **state)
{
    prfdata_askers askers = {0};

    (void)state;
    assert_true(prfdata_askers_want(&askers, three, 1));
    assert_true(prfdata_askers_begin(&askers, 0, 1, EVERY_MS, false));
    assert_true(askers.questions[0].takes_parents);
    assert_true(prfdata_title_set_add(&askers.questions[0].asked, PARENT));
    assert_false(prfdata_askers_end(&askers, 0, 2, EVERY_MS, ERROR_SUCCESS));
    assert_true(prfdata_askers_begin(&askers, 0, 5000, EVERY_MS, false));
    assert_int_equal(askers.questions[0].asked.count, 2);
    assert_true(prfdata_askers_end(&askers, 0, 6000, EVERY_MS, ERROR_TIMEOUT));
    assert_true(prfdata_askers_begin(&askers, 1, 6000, EVERY_MS, false));
    assert_true(prfdata_title_set_add(&askers.questions[1].asked, PARENT));
    assert_false(prfdata_askers_end(&askers, 1, 16000, EVERY_MS, ERROR_TIMEOUT));
    assert_true(prfdata_askers_begin(&askers, 1, 16000, EVERY_MS, false));
    assert_false(askers.questions[1].takes_parents);
    assert_true(asks(&askers, 1, three, 1));
    assert_true(prfdata_askers_end(&askers, 1, 16010, EVERY_MS, ERROR_SUCCESS));
    assert_true(prfdata_askers_begin(&askers, 0, 17000, EVERY_MS, false));
    assert_false(askers.questions[0].takes_parents);
    prfdata_askers_free(&askers);
}

/* An object is no longer wanted while a question for it is still open. */
static void test_askers_forget_an_object_that_is_asked_for(void **state)
{
    prfdata_askers askers = parted_askers();

    (void)state;
    assert_true(prfdata_askers_begin(&askers, 1, 6000, EVERY_MS, false));
    assert_true(prfdata_askers_want(&askers, &three[1], 1));
    assert_false(prfdata_askers_end(&askers, 1, 6010, EVERY_MS, ERROR_SUCCESS));
    assert_null(prfdata_askers_find(&askers, QUICK));
    prfdata_askers_free(&askers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_askers_ask_for_all_together_at_each_interval),
        cmocka_unit_test(test_askers_ask_at_once_for_new_objects_only),
        cmocka_unit_test(test_askers_ask_again_after_half_an_interval_at_least),
        cmocka_unit_test(test_askers_take_a_shorter_interval_at_once),
        cmocka_unit_test(test_askers_slow_objects_delay_only_themselves),
        cmocka_unit_test(test_askers_do_not_blame_the_beginning_of_a_process),
        cmocka_unit_test(test_askers_take_back_an_object_that_is_in_time_again),
        cmocka_unit_test(test_askers_leave_apart_what_is_late_together),
        cmocka_unit_test(test_askers_leave_out_what_hangs_or_crashes_until_refreshed),
        cmocka_unit_test(test_askers_ask_again_for_one_that_was_silent),
        cmocka_unit_test(test_askers_of_one_object_need_no_second_crash),
        cmocka_unit_test(test_askers_keep_parents_while_they_answer),
        cmocka_unit_test(test_askers_forget_an_object_that_is_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
