/* SPDX-License-Identifier: MIT */
/* Tests when samples are due, with a clock that the test sets. */
#include "support/test.h"

#include "source/pace.h"

enum { BEGIN_MS = 5000, INTERVAL_MS = 1000 };

static uint64_t now_ms;
static prfdata_pace pace;

/* Wait until the next sample is due, and take it `late_ms` after that. Returns when it was
 * taken. */
static uint64_t take_late(uint64_t late_ms)
{
    if (now_ms < pace.due_ms)
        now_ms = pace.due_ms;
    now_ms += late_ms;
    prfdata_pace_took(&pace, now_ms);
    return now_ms;
}

static int begin(void **state)
{
    (void)state;
    now_ms = BEGIN_MS;
    prfdata_pace_begin(&pace, now_ms, INTERVAL_MS);
    return 0;
}

/* The system wakes the program some ticks late each time. An hour still has 3,600 samples. */
static void test_pace_small_delays_do_not_add_up(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 3600; i++) {
        const uint64_t at = take_late(i % 4 * 16);

        assert_in_range(at, BEGIN_MS + i * INTERVAL_MS, BEGIN_MS + i * INTERVAL_MS + 48);
    }
}

static void test_pace_late_sample_moves_those_after_it(void **state)
{
    uint64_t late;

    (void)state;
    assert_int_equal(take_late(0), BEGIN_MS + INTERVAL_MS);
    late = take_late(640);
    assert_in_range(take_late(0) - late, INTERVAL_MS - 20, INTERVAL_MS);
}

/* One sample in four is late by up to one and a half intervals. */
static void test_pace_busy_machine_keeps_the_interval(void **state)
{
    uint64_t before = now_ms;
    uint32_t random = 1;

    (void)state;
    for (uint32_t i = 0; i < 10000; i++) {
        uint64_t at;

        random = random * 1664525 + 1013904223;
        at = take_late(random >> 30 == 0 ? (random >> 8) % 1500 : (random >> 8) % 20);
        assert_true(at - before >= INTERVAL_MS * 6 / 10);
        before = at;
    }
}

static void test_pace_slow_source_keeps_the_interval(void **state)
{
    uint64_t before = take_late(300);

    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        const uint64_t at = take_late(300);

        assert_int_equal(at - before, INTERVAL_MS);
        before = at;
    }
}

/* When a source becomes slow, its samples count as late at first. Later the same delay counts as
 * normal. */
static void test_pace_becomes_used_to_a_slow_source(void **state)
{
    uint64_t before;

    (void)state;
    (void)take_late(0);
    for (uint32_t i = 0; i < 80; i++)
        before = take_late(300);
    assert_int_equal(take_late(300) - before, INTERVAL_MS);
}

static void test_pace_longer_than_the_interval_is_not_made_up_for(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 200; i++)
        (void)take_late(5 * INTERVAL_MS); /* this delay becomes the normal one */
    /* The next sample is due after half an interval. If it is taken in time, the one after it is
     * due a whole interval later. */
    assert_int_equal(pace.due_ms, now_ms + INTERVAL_MS / 2);
    (void)take_late(0);
    assert_int_equal(pace.due_ms, now_ms + INTERVAL_MS);
}

/* Samples take long or no time, at random. */
static void test_pace_samples_are_at_least_half_an_interval_apart(void **state)
{
    uint32_t random = 7;

    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        const uint64_t before = now_ms;
        uint64_t at;

        random = random * 1664525 + 1013904223;
        at = take_late((random >> 28) < 8 ? (random >> 8) % 20 : (random >> 8) % 3000);
        assert_true(i == 0 || at - before >= INTERVAL_MS / 2);
    }
}

static void test_pace_knows_that_the_computer_slept(void **state)
{
    (void)state;
    take_late(0);
    assert_false(prfdata_pace_has_slept(&pace, pace.due_ms - 500));
    assert_false(
        prfdata_pace_has_slept(&pace, pace.due_ms + 4000)); /* five seconds since the last sample */
    assert_true(prfdata_pace_has_slept(&pace, pace.due_ms + 4001));
    prfdata_pace_begin(&pace, now_ms, 60000);
    assert_false(prfdata_pace_has_slept(&pace, now_ms + 150000)); /* two and a half intervals */
    assert_true(prfdata_pace_has_slept(&pace, now_ms + 150001));
    assert_false(prfdata_pace_is_hole(1000000, 0)); /* 0 means that the interval is not known */
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_pace_small_delays_do_not_add_up),
        TEST(test_pace_late_sample_moves_those_after_it),
        TEST(test_pace_busy_machine_keeps_the_interval),
        TEST(test_pace_slow_source_keeps_the_interval),
        TEST(test_pace_becomes_used_to_a_slow_source),
        TEST(test_pace_longer_than_the_interval_is_not_made_up_for),
        TEST(test_pace_samples_are_at_least_half_an_interval_apart),
        TEST(test_pace_knows_that_the_computer_slept),
    };

    return cmocka_run_group_tests_name("pace", tests, NULL, NULL);
}
