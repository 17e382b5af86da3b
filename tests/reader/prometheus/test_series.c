/* SPDX-License-Identifier: MIT */
/* Tests the history of counts: wraps, restarts and limits. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "prometheus/series.h"

#define SECOND (int64_t)10000000
#define WRAP   ((uint64_t)1 << 32)

static int64_t now; /* time of the sample in seconds */

static bool update_of_key(prfdata_series *series, const char *label, size_t label_bytes,
                          const prfdata_series_raw *raw, prfdata_series_state *state)
{
    const prfdata_series_key key = {.counter = 1, .label = label, .label_bytes = label_bytes};

    return prfdata_series_update(series, &key, raw, state);
}

static prfdata_series_state update_series(prfdata_series *series, const char *key, uint64_t count,
                                          uint8_t bytes, uint64_t base, uint64_t start)
{
    prfdata_series_raw raw;
    prfdata_series_state state;

    memset(&raw, 0, sizeof raw);
    raw.counts[0] = count;
    raw.bytes[0] = bytes;
    raw.counts[1] = base;
    raw.bytes[1] = 4;
    raw.start = start;
    raw.start_100ns = (int64_t)start * SECOND;
    prfdata_series_begin(series, now * SECOND);
    (void)update_of_key(series, key, strlen(key), &raw, &state);
    return state;
}

static int set_up(void **state)
{
    now = 1000;
    *state = prfdata_series_make(100, 10000);
    return *state ? 0 : -1;
}

static int tear_down(void **state)
{
    prfdata_series_free(*state);
    return 0;
}

static void test_series_first_count_is_the_samples(void **state)
{
    prfdata_series_state s = update_series(*state, "k", 0xFFFFFFFF12345678, 4, 3, 0);

    assert_true(s.counts[0] == 0x12345678); /* only four bytes of the value count */
    assert_true(s.counts[1] == 3);
    assert_true(s.created_100ns == 0);
}

static void test_series_wraps_are_counted(void **state)
{
    (void)update_series(*state, "k", 0xFFFFFFFF, 4, 0, 0);
    for (uint64_t i = 1; i <= 3; i++) {
        assert_true(update_series(*state, "k", 5, 4, 0, 0).counts[0] == i * WRAP + 5);
        assert_true(update_series(*state, "k", 0x80000004, 4, 0, 0).counts[0] ==
                    i * WRAP + 0x80000004);
        assert_true(update_series(*state, "k", 0xFFFFFFFE, 4, 0, 0).counts[0] ==
                    i * WRAP + 0xFFFFFFFE);
    }
    assert_true(update_series(*state, "k", 0, 4, 0, 0).created_100ns == 0);
}

/* A decrease by half of the range is the limit between a wrap and a restart. */
static void test_series_falling_by_less_than_half_is_a_start(void **state)
{
    (void)update_series(*state, "a", 0x80000001, 4, 0, 0);
    assert_true(update_series(*state, "a", 0, 4, 0, 0).counts[0] == WRAP);
    (void)update_series(*state, "b", 0x80000000, 4, 0, 0);
    now += 10;
    assert_true(update_series(*state, "b", 0, 4, 0, 0).counts[0] == 0);
    assert_true(update_series(*state, "b", 0, 4, 0, 0).created_100ns == (now - 10) * SECOND);
}

static void test_series_64_bits_start_again_when_they_fall(void **state)
{
    (void)update_series(*state, "k", UINT64_MAX, 8, 0, 0);
    now += 5;
    assert_true(update_series(*state, "k", UINT64_MAX - 1, 8, 0, 0).counts[0] == UINT64_MAX - 1);
    now += 5;
    assert_true(update_series(*state, "k", UINT64_MAX, 8, 0, 0).created_100ns == 1000 * SECOND);
}

static void test_series_a_wrap_is_forgotten_at_a_start(void **state)
{
    (void)update_series(*state, "k", 0xFFFFFFFF, 4, 0, 0);
    (void)update_series(*state, "k", 10, 4, 0, 0);
    assert_true(update_series(*state, "k", 3, 4, 0, 0).counts[0] == 3);
}

static void test_series_sum_and_number_start_together(void **state)
{
    prfdata_series_state s;

    (void)update_series(*state, "k", 100, 8, 0xFFFFFFFF, 0);
    s = update_series(*state, "k", 101, 8, 1, 0);
    assert_true(s.counts[1] == WRAP + 1);
    s = update_series(*state, "k", 7, 8, 2, 0); /* the sum fell, so both counts restarted */
    assert_true(s.counts[0] == 7 && s.counts[1] == 2);
    assert_true(s.created_100ns == now * SECOND);
}

static void test_series_start_stamp_decides(void **state)
{
    prfdata_series_state s;

    /* The stamp is unchanged, so any decrease is a wrap. */
    (void)update_series(*state, "a", 1000, 4, 0, 500);
    assert_true(update_series(*state, "a", 3, 4, 0, 500).counts[0] == WRAP + 3);
    /* The stamp changed, so a decrease is not a wrap, and the stamp says when the counts began. */
    (void)update_series(*state, "b", 0xFFFFFFFF, 4, 0, 500);
    now += 10;
    s = update_series(*state, "b", 0, 4, 0, 1007);
    assert_true(s.counts[0] == 0 && s.created_100ns == 1007 * SECOND);
    /* The stamp changed but the counts did not fall, so they belong to several processes. */
    (void)update_series(*state, "c", 5, 4, 0, 500);
    s = update_series(*state, "c", 6, 4, 0, 1008);
    assert_true(s.counts[0] == 6 && s.created_100ns == 0);
    /* A stamp that is in the future or before the last sample is not used as the time of a
     * restart. */
    (void)update_series(*state, "d", 5, 4, 0, 500);
    now += 10;
    assert_true(update_series(*state, "d", 0, 4, 0, 5000).created_100ns == (now - 10) * SECOND);
    assert_true(update_series(*state, "d", 0, 4, 0, 400).start_100ns == 400 * SECOND);
}

static void test_series_other_sizes_are_other_counts(void **state)
{
    (void)update_series(*state, "k", 0xFFFFFFFF, 4, 0, 0);
    (void)update_series(*state, "k", 1, 4, 0, 0);
    assert_true(update_series(*state, "k", 9, 8, 0, 0).counts[0] == 9);
}

static void test_series_keys_are_kept_apart(void **state)
{
    prfdata_series *series = *state;
    char key[8];

    for (unsigned i = 0; i < 90; i++) {
        snprintf(key, sizeof key, "%u", i);
        (void)update_series(series, key, 0xFFFFFFF0 + i / 10, 4, 0, 0);
    }
    for (unsigned i = 0; i < 90; i++) {
        snprintf(key, sizeof key, "%u", i);
        assert_true(update_series(series, key, i, 4, 0, 0).counts[0] == WRAP + i);
    }
    assert_int_equal(prfdata_series_count(series), 90);
}

static void test_series_gone_for_ten_minutes_are_forgotten(void **state)
{
    prfdata_series *series = *state;

    (void)update_series(series, "k", 0xFFFFFFFF, 4, 0, 0);
    now += 600;
    (void)update_series(series, "other", 0, 4, 0, 0);
    assert_int_equal(prfdata_series_count(series), 2);
    now += 1;
    (void)update_series(series, "other", 0, 4, 0, 0);
    assert_int_equal(prfdata_series_count(series), 1);
    assert_true(update_series(series, "k", 1, 4, 0, 0).counts[0] == 1);
}

static void test_series_clock_set_back_starts_the_time_to_forget_again(void **state)
{
    prfdata_series *series = *state;

    (void)update_series(series, "k", 0xFFFFFFFF, 4, 0, 0);
    (void)update_series(series, "l", 0xFFFFFFFF, 4, 0, 0);
    now -= 900;
    (void)update_series(series, "other", 0, 4, 0, 0);
    now += 600;
    assert_true(update_series(series, "k", 1, 4, 0, 0).counts[0] == WRAP + 1);
    assert_int_equal(prfdata_series_count(series), 3);
    now += 1;
    (void)update_series(series, "k", 1, 4, 0, 0);
    assert_int_equal(prfdata_series_count(series), 1);
}

static void test_series_beyond_the_limit_are_not_remembered(void **state)
{
    prfdata_series *series = *state;
    prfdata_series_raw raw;
    prfdata_series_state s;
    char key[16];

    for (unsigned i = 0; i < 100; i++) {
        snprintf(key, sizeof key, "%u", i);
        (void)update_series(series, key, 5, 4, 0, 0);
    }
    memset(&raw, 0, sizeof raw);
    raw.counts[0] = 7;
    raw.bytes[0] = 4;
    assert_false(update_of_key(series, "more", 4, &raw, &s));
    assert_true(s.counts[0] == 7);
    assert_int_equal(prfdata_series_count(series), 100);

    /* Series that are missing in two samples make room for others. */
    for (unsigned sample = 0; sample < 2; sample++) {
        now++;
        for (unsigned i = 0; i < 50; i++) {
            snprintf(key, sizeof key, "%u", i);
            (void)update_series(series, key, 5, 4, 0, 0);
        }
    }
    assert_true(update_of_key(series, "more", 4, &raw, &s));
    assert_int_equal(prfdata_series_count(series), 51);
}

static void test_series_keys_have_a_limit_too(void **state)
{
    static char key[10001];
    prfdata_series_raw raw;
    prfdata_series_state s;

    memset(key, 'x', sizeof key);
    memset(&raw, 0, sizeof raw);
    assert_false(update_of_key(*state, key, sizeof key - 8, &raw, &s));
    assert_true(update_of_key(*state, key, sizeof key - 9, &raw, &s));
    assert_false(update_of_key(*state, key, 1, &raw, &s));
}

int main(void)
{
#define SERIES_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        SERIES_TEST(test_series_first_count_is_the_samples),
        SERIES_TEST(test_series_wraps_are_counted),
        SERIES_TEST(test_series_falling_by_less_than_half_is_a_start),
        SERIES_TEST(test_series_64_bits_start_again_when_they_fall),
        SERIES_TEST(test_series_a_wrap_is_forgotten_at_a_start),
        SERIES_TEST(test_series_sum_and_number_start_together),
        SERIES_TEST(test_series_start_stamp_decides),
        SERIES_TEST(test_series_other_sizes_are_other_counts),
        SERIES_TEST(test_series_keys_are_kept_apart),
        SERIES_TEST(test_series_gone_for_ten_minutes_are_forgotten),
        SERIES_TEST(test_series_clock_set_back_starts_the_time_to_forget_again),
        SERIES_TEST(test_series_beyond_the_limit_are_not_remembered),
        SERIES_TEST(test_series_keys_have_a_limit_too),
    };

    return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
