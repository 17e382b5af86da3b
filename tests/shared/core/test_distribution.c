/* SPDX-License-Identifier: MIT */
/* Tests distributions: buckets, windows, and what happens if a recorder, a copier and a reader meet
 * at any step. distribution.c and distribution_copy.c are compiled into this program with named
 * steps, at which the tests act. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/crash_points.h"
#include "counting/distribution.h"
#include "support/threads.h"

enum { LAST_BUCKET = 39, WINDOW = 41 };

/* The shape has 8 buckets per octave and values from 64 to 2,047, so it has 40 buckets. */
static prfdata_distribution_shape shape;
static uint64_t *words;

/* The action at a step. It happens once. */
static struct {
    const char *step;
    uint32_t skip; /* how many steps of this name are skipped first */
    void (*act)(void);
    uint32_t calls;
} at_step;

static jmp_buf killed;

void prfdata_crash_point(const char *step)
{
    void (*act)(void) = at_step.act;

    if (!act || strcmp(step, at_step.step) != 0)
        return;
    if (at_step.skip > 0) {
        at_step.skip--;
        return;
    }
    at_step.act = NULL;
    at_step.calls++;
    act();
}

static void act_at(const char *step, uint32_t skip, void (*act)(void))
{
    at_step.step = step;
    at_step.skip = skip;
    at_step.act = act;
    at_step.calls = 0;
}

/* The steps of making a copy. K3 comes once for each bucket. */
static const struct {
    const char *name;
    uint32_t skip;
} steps[] = {{"K1", 0},  {"K2", 0},         {"K3", 0}, {"K3", 17},
             {"K3", 39}, {"K4: before", 0}, {"K4", 0}, {"K5", 0}};

enum { STEPS = sizeof steps / sizeof steps[0] };

static int begin(void **state)
{
    (void)state;
    assert_true(prfdata_distribution_shape_make(64, 1023, 8, 60, &shape));
    assert_int_equal(shape.bucket_count, LAST_BUCKET + 1 - 8);
    assert_true(prfdata_distribution_shape_make(64, 2047, 8, 60, &shape));
    assert_int_equal(shape.bucket_count, LAST_BUCKET + 1);
    words = calloc(1, (size_t)prfdata_distribution_bytes(&shape));
    assert_non_null(words);
    at_step.act = NULL;
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(words);
    words = NULL;
    return 0;
}

static void record(uint32_t now, uint64_t value)
{
    prfdata_distribution_add(words, &shape, now, value);
}

static void record_times(uint32_t now, uint64_t value, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        record(now, value);
}

/* Return the number of values in the window at epoch `now`, and check their sum. */
static uint64_t window_of(uint32_t now, bool of_slot, uint64_t value)
{
    uint64_t window[WINDOW] = {0};
    uint64_t count;

    prfdata_distribution_load_window(words, &shape, now, of_slot, window);
    count = prfdata_distribution_window_count(window, LAST_BUCKET);
    assert_int_equal(window[prfdata_distribution_bucket(&shape, value)], count);
    assert_int_equal(window[WINDOW - 1], count * value);
    return count;
}

static uint64_t window_at(uint32_t now)
{
    return window_of(now, false, 100);
}

/* ---- Shape and buckets ---- */

static void check_bucket(const prfdata_distribution_shape *of, uint64_t value)
{
    const uint32_t bucket = prfdata_distribution_bucket(of, value);
    const uint64_t low = prfdata_distribution_low(of, bucket);
    const uint64_t high = prfdata_distribution_high(of, bucket);
    const uint64_t middle = prfdata_distribution_middle(of, bucket);

    assert_true(low <= value && value <= high);
    assert_true(low <= middle && middle <= high);
    assert_true((high - low + 1) / 2 <= low >> of->octave_bits || high == low);
    if (bucket > 0)
        assert_true(prfdata_distribution_high(of, bucket - 1) == low - 1);
}

static void test_distribution_every_value_is_in_its_bucket(void **state)
{
    (void)state;
    for (uint32_t bits = 2; bits <= 5; bits++) {
        prfdata_distribution_shape all;

        assert_true(prfdata_distribution_shape_make(0, PRFDATA_DISTRIBUTION_MAX_VALUE, 1u << bits,
                                                    60, &all));
        for (uint64_t value = 0; value < 5000; value++)
            check_bucket(&all, value);
        for (uint32_t bit = 0; bit < 63; bit++) {
            check_bucket(&all, UINT64_C(1) << bit);
            check_bucket(&all, (UINT64_C(1) << bit) - 1);
            check_bucket(&all, (UINT64_C(3) << bit) >> 1);
        }
        check_bucket(&all, PRFDATA_DISTRIBUTION_MAX_VALUE);
        assert_true(prfdata_distribution_high(&all, all.bucket_count - 1) ==
                    PRFDATA_DISTRIBUTION_MAX_VALUE);
        assert_true(all.bucket_count <= PRFDATA_DISTRIBUTION_MAX_BUCKETS);
    }
}

static void test_distribution_values_beyond_the_range_count_as_its_ends(void **state)
{
    static const struct {
        uint64_t value;
        uint32_t bucket;
        uint64_t counts_as;
    } cases[] = {{0, 0, 70},
                 {69, 0, 70},
                 {70, 0, 70},
                 {71, 0, 71},
                 {72, 1, 72},
                 {1000, 31, 1000},
                 {2000, LAST_BUCKET, 2000},
                 {2001, LAST_BUCKET, 2000}, /* the last bucket also has what is beyond the range */
                 {1000000000000, LAST_BUCKET, 2000},
                 {UINT64_MAX, LAST_BUCKET, 2000}};

    (void)state;
    assert_true(prfdata_distribution_shape_make(70, 2000, 8, 60, &shape));
    assert_int_equal(shape.bucket_count, LAST_BUCKET + 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t *bucket = &words[PRFDATA_DISTRIBUTION_BUCKETS + cases[i].bucket];
        const uint64_t count = *bucket;
        const uint64_t sum = prfdata_distribution_sum(words);

        record(10, cases[i].value);
        assert_int_equal(*bucket, count + 1);
        assert_int_equal(prfdata_distribution_sum(words), sum + cases[i].counts_as);
    }
}

static void test_distribution_shape_refuses_what_makes_no_sense(void **state)
{
    static const struct {
        uint64_t lowest;
        uint64_t highest;
        uint32_t buckets;
        uint32_t window_s;
    } wrong[] = {{2, 1, 8, 60},        {1, PRFDATA_DISTRIBUTION_MAX_VALUE + 1, 8, 60},
                 {1, 2, 0, 60},        {1, 2, 2, 60},
                 {1, 2, 9, 60},        {1, 2, 64, 60},
                 {1, 2, 8, 0},         {1, 2, 8, PRFDATA_DISTRIBUTION_MAX_WINDOW_S + 1},
                 {1, 2, 8, UINT32_MAX}};
    const prfdata_distribution_shape before = shape;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(prfdata_distribution_shape_make(wrong[i].lowest, wrong[i].highest,
                                                     wrong[i].buckets, wrong[i].window_s, &shape));
        assert_memory_equal(&shape, &before, sizeof shape);
    }
    assert_true(prfdata_distribution_shape_make(5, 5, 8, 1, &shape));
    assert_int_equal(shape.bucket_count, 1);
}

/* An epoch has its declared length or is slightly longer. The machine's uptime does not matter. */
static void test_distribution_epochs_are_quarters_of_the_window(void **state)
{
    static const uint32_t windows_s[] = {1, 4, 10, 60, 61, 3600};

    (void)state;
    for (size_t i = 0; i < sizeof windows_s / sizeof windows_s[0]; i++) {
        const uint32_t times[] = {0, 1000000000, UINT32_MAX - 20000};

        assert_true(prfdata_distribution_shape_make(0, 1, 4, windows_s[i], &shape));
        for (size_t t = 0; t < sizeof times / sizeof times[0]; t++) {
            const uint32_t first = prfdata_distribution_epoch(&shape, times[t]);
            uint32_t last = first;
            uint32_t units = 0;

            for (uint32_t time = times[t]; prfdata_distribution_epoch(&shape, time) <= first + 4;
                 time++) {
                const uint32_t epoch = prfdata_distribution_epoch(&shape, time);

                assert_true(epoch == last || epoch == last + 1);
                last = epoch;
                units += epoch > first;
            }
            /* 4 whole epochs are at least a window. */
            assert_true(units * 256 >= windows_s[i] * 1000);
            assert_true(units * 256 <= windows_s[i] * 1000 + 4 * 256 + 256);
            assert_true(first >= 8);
        }
    }
}

/* ---- Statistics of a window ---- */

static void test_distribution_percentile_of_huge_counts_does_not_overflow(void **state)
{
    uint64_t window[WINDOW] = {0};

    (void)state;
    window[0] = UINT64_C(1) << 62;
    window[1] = UINT64_C(1) << 62;
    window[2] = UINT64_C(1) << 62;
    assert_int_equal(prfdata_distribution_percentile(window, &shape, 1), 67);
    assert_int_equal(prfdata_distribution_percentile(window, &shape, 5000), 75);
    assert_int_equal(prfdata_distribution_percentile(window, &shape, 9999), 83);
    assert_int_equal(prfdata_distribution_percentile(window, &shape, 10000), 83);
}

static void test_distribution_percentile_is_the_value_of_its_rank(void **state)
{
    uint64_t window[WINDOW] = {0};

    (void)state;
    assert_int_equal(prfdata_distribution_percentile(window, &shape, 9900), 0);
    assert_int_equal(prfdata_distribution_mean(window, &shape), 0);
    window[0] = 99;
    window[LAST_BUCKET] = 1;
    window[WINDOW - 1] = 199;
    assert_int_equal(prfdata_distribution_percentile(window, &shape, 1), 67);
    assert_int_equal(prfdata_distribution_percentile(window, &shape, 9900), 67);
    assert_int_equal(prfdata_distribution_percentile(window, &shape, 9901), 1983);
    assert_int_equal(prfdata_distribution_percentile(window, &shape, 10000), 1983);
    assert_int_equal(prfdata_distribution_mean(window, &shape), 2);
    assert_int_equal(prfdata_distribution_window_count(window, 0), 99);
}

/* ---- The window moves ---- */

static void test_distribution_window_has_four_epochs_and_the_present_one(void **state)
{
    (void)state;
    record(100, 100);
    for (uint32_t now = 100; now <= 104; now++)
        assert_int_equal(window_at(now), 1);
    assert_int_equal(window_at(105), 0);
    assert_int_equal(window_at(1000000), 0);
    assert_int_equal(prfdata_distribution_count(words, LAST_BUCKET), 1);
}

static void test_distribution_window_is_exact_after_every_history(void **state)
{
    enum { EPOCHS = 13 };

    (void)state;
    for (uint32_t history = 0; history < 1u << EPOCHS; history++) {
        uint64_t made[EPOCHS + 20] = {0};

        memset(words, 0, (size_t)prfdata_distribution_bytes(&shape));
        for (uint32_t e = 0; e < EPOCHS + 10; e++) {
            uint64_t expected = 0;

            made[e] = e < EPOCHS && (history >> e & 1) ? 1 + e : 0;
            record_times(50 + e, 100, (uint32_t)made[e]);
            for (uint32_t k = e >= 4 ? e - 4 : 0; k <= e; k++)
                expected += made[k];
            assert_int_equal(window_at(50 + e), expected);
        }
    }
}

/* A reader gets the time first. The epoch may end before the reader reads the words. */
static void test_distribution_window_is_right_for_a_reader_one_epoch_late(void **state)
{
    (void)state;
    for (uint32_t e = 100; e < 120; e++)
        record_times(e, 100, 10);
    assert_int_equal(window_at(118), 60); /* the sum over epochs 114 to 119 */
}

/* ---- Steps of one thread, interrupted by another ---- */

static uint64_t read_inside;

static void read_now(void)
{
    read_inside = window_at(110);
}

static void test_distribution_reader_at_every_step_of_a_copy(void **state)
{
    (void)state;
    for (size_t s = 0; s < STEPS; s++) {
        memset(words, 0, (size_t)prfdata_distribution_bytes(&shape));
        for (uint32_t e = 100; e < 110; e++)
            record_times(e, 100, e - 99);
        act_at(steps[s].name, steps[s].skip, read_now);
        record(110, 100);
        assert_int_equal(at_step.calls, 1);
        assert_int_equal(read_inside, 7 + 8 + 9 + 10); /* the sum over epochs 106 to 109 */
        assert_int_equal(window_at(110), 7 + 8 + 9 + 10 + 1);
    }
}

static void read_two_epochs_late(void)
{
    read_inside = window_at(110);
}

/* The copy that the reader needs is being overwritten, so the reader uses the next copy. */
static void test_distribution_reader_leaves_out_a_copy_that_is_being_made(void **state)
{
    (void)state;
    for (size_t s = 0; s < STEPS; s++) {
        memset(words, 0, (size_t)prfdata_distribution_bytes(&shape));
        for (uint32_t e = 100; e < 112; e++)
            record_times(e, 100, 10);
        act_at(steps[s].name, steps[s].skip, read_two_epochs_late);
        record(112, 100);
        assert_int_equal(at_step.calls, 1);
        assert_int_equal(read_inside, s == 0 ? 60 : 50);
    }
}

static void write_over_all_copies(void)
{
    for (uint32_t e = 112; e < 120; e++)
        record_times(e, 100, 2);
}

/* Buckets of one copy and the sum of another one do not belong together. */
static void test_distribution_reader_leaves_out_a_copy_that_changes_meanwhile(void **state)
{
    (void)state;
    for (uint32_t e = 100; e < 112; e++)
        record_times(e, 100, 10);
    act_at("L4", 0, write_over_all_copies);
    (void)window_at(111); /* also checks that buckets and sum belong together */
    assert_int_equal(at_step.calls, 1);
    assert_in_range(window_at(119), 8, 10);
}

static void record_now(void)
{
    record_times(110, 100, 5);
}

/* Other recorders do not wait for the copier, and none of their counts is lost. */
static void test_distribution_recorder_at_every_step_of_a_copy(void **state)
{
    (void)state;
    for (size_t s = 0; s < STEPS; s++) {
        uint64_t window[WINDOW] = {0};

        memset(words, 0, (size_t)prfdata_distribution_bytes(&shape));
        record_times(109, 100, 3);
        act_at(steps[s].name, steps[s].skip, record_now);
        record(110, 100);
        assert_int_equal(at_step.calls, 1);
        assert_int_equal(prfdata_distribution_count(words, LAST_BUCKET), 9);
        assert_int_equal(prfdata_distribution_sum(words), 900);
        assert_int_equal(window_at(110), 9);
        assert_int_equal(window_at(113), 9);
        prfdata_distribution_load_window(words, &shape, 114, false, window);
        /* A count that is made during the copying may or may not be in the copy. The same is true
         * of the sum. */
        assert_in_range(prfdata_distribution_window_count(window, LAST_BUCKET), 1, 6);
        assert_in_range(window[WINDOW - 1], 100, 600);
        assert_int_equal(window_at(115), 0);
    }
}

static void record_epochs_later(void)
{
    for (uint32_t e = 111; e <= 118; e++)
        record_times(e, 100, 4);
}

/* A thread stops while it makes a copy. Meanwhile other threads count for eight epochs, and in
 * epoch 116 they write another copy to the same place. When the stopped thread continues, it must
 * not damage the copies or the word that has the epoch. */
static void test_distribution_copier_that_was_stopped_gives_up(void **state)
{
    (void)state;
    for (size_t s = 0; s < STEPS; s++) {
        memset(words, 0, (size_t)prfdata_distribution_bytes(&shape));
        record_times(109, 100, 7);
        act_at(steps[s].name, steps[s].skip, record_epochs_later);
        record(110, 100);
        assert_int_equal(at_step.calls, 1);
        assert_int_equal(prfdata_distribution_count(words, LAST_BUCKET), 7 + 1 + 8 * 4);
        for (uint32_t now = 118; now <= 122; now++)
            /* The value of the stopped thread counts in epoch 118. */
            assert_int_equal(window_at(now), 4 * (123 - now) + 1);
        assert_int_equal(words[PRFDATA_DISTRIBUTION_EPOCH], UINT64_C(118) << 32);
    }
}

static void take_the_epoch(void)
{
    record(110, 100);
}

static void test_distribution_two_copiers_make_one_copy(void **state)
{
    (void)state;
    record_times(109, 100, 2);
    act_at("K1", 0, take_the_epoch);
    record(110, 100);
    assert_int_equal(at_step.calls, 1);
    assert_int_equal(window_at(110), 4);
    /* Each thread has recorded a value in epoch 110. The window of epoch 114 begins with the copy,
     * so it lacks the value that was recorded before the copy was made. */
    assert_int_equal(window_at(114), 1 + 1 - 1);
}

/* ---- Killed ---- */

static void die(void)
{
    longjmp(killed, 1);
}

static void kill_at(size_t step, uint32_t now)
{
    act_at(steps[step].name, steps[step].skip, die);
    if (!setjmp(killed))
        record(now, 100);
    assert_int_equal(at_step.calls, 1);
}

/* The killed thread's value is lost, but no other. A window may be an epoch too long. */
static void test_distribution_killed_at_every_step_in_every_epoch(void **state)
{
    (void)state;
    for (size_t s = 0; s < STEPS; s++) {
        for (uint32_t victim = 101; victim < 112; victim++) {
            memset(words, 0, (size_t)prfdata_distribution_bytes(&shape));
            for (uint32_t e = 100; e < 125; e++) {
                const uint64_t least = e < 104 ? (e - 99) * 10 : 50;

                if (e == victim)
                    kill_at(s, e);
                record_times(e, 100, 10);
                assert_true(window_at(e) >= least);
                assert_true(window_at(e) <= least + 10);
            }
            assert_int_equal(prfdata_distribution_count(words, LAST_BUCKET), 250);
        }
    }
}

/* If a program was killed while it made the copy of an epoch, the next program makes that copy. */
static void test_distribution_take_over_finishes_the_copy(void **state)
{
    (void)state;
    for (size_t s = 0; s < STEPS; s++) {
        memset(words, 0, (size_t)prfdata_distribution_bytes(&shape));
        for (uint32_t e = 100; e < 110; e++)
            record_times(e, 100, 10);
        kill_at(s, 110);
        prfdata_distribution_finish_copy(words, &shape);
        assert_int_equal(words[PRFDATA_DISTRIBUTION_EPOCH], UINT64_C(110) << 32);
        record_times(110, 100, 10);
        for (uint32_t e = 111; e < 120; e++) {
            record_times(e, 100, 10);
            assert_int_equal(window_at(e), 50);
        }
    }
    act_at("K2", 0, die); /* no copy was being made, so nothing is copied */
    prfdata_distribution_finish_copy(words, &shape);
    assert_int_equal(at_step.calls, 0);
    at_step.act = NULL;
}

static void finish_and_die_at(size_t step)
{
    act_at(steps[step].name, steps[step].skip, die);
    if (!setjmp(killed))
        prfdata_distribution_finish_copy(words, &shape);
    assert_int_equal(at_step.calls, 1);
}

static void test_distribution_take_over_killed_at_every_step(void **state)
{
    (void)state;
    for (size_t s = 1; s < STEPS; s++) {
        memset(words, 0, (size_t)prfdata_distribution_bytes(&shape));
        record_times(109, 100, 10);
        kill_at(0, 110);
        finish_and_die_at(s);
        prfdata_distribution_finish_copy(words, &shape);
        record_times(110, 100, 3);
        assert_int_equal(window_at(110), 13);
        assert_int_equal(window_at(114), 3);
    }
}

/* ---- Reuse ---- */

static void test_distribution_start_leaves_the_former_counts_to_totals(void **state)
{
    (void)state;
    for (uint32_t reused = 100; reused < 106; reused++) {
        for (uint32_t before = 0; before < 2; before++) {
            memset(words, 0, (size_t)prfdata_distribution_bytes(&shape));
            for (uint32_t e = 95; e < reused; e++)
                record_times(e, 100, 10);
            record_times(reused, 100, 10 * before);
            prfdata_distribution_start(words, &shape, reused);
            assert_int_equal(window_at(reused), 0);
            assert_int_equal(window_of(reused, true, 100),
                             10 * before + 10 * (reused > 98 ? 4 : reused - 95));
            record_times(reused, 100, 3);
            for (uint32_t now = reused; now < reused + 5; now++) {
                assert_int_equal(window_at(now), 3);
                assert_int_equal(window_of(now, true, 100),
                                 3 + 10 * before + 10 * (4 - (now - reused)));
            }
            assert_int_equal(window_at(reused + 5), 0);
            assert_int_equal(window_of(reused + 5, true, 100), 0);
        }
    }
}

static void test_distribution_reused_slot_goes_on_counting_windows(void **state)
{
    (void)state;
    record_times(99, 100, 1000);
    prfdata_distribution_start(words, &shape, 100);
    for (uint32_t e = 100; e < 130; e++) {
        record_times(e, 100, 10);
        assert_int_equal(window_at(e), e < 104 ? (e - 99) * 10 : 50);
    }
}

/* The copy of a bucket has 32 bits. The window is still correct if a bucket exceeds them. */
static void test_distribution_buckets_beyond_32_bits(void **state)
{
    const uint32_t bucket = prfdata_distribution_bucket(&shape, 100);

    (void)state;
    for (uint32_t e = 100; e < 120; e++) {
        words[PRFDATA_DISTRIBUTION_BUCKETS + bucket] += 999999999;
        words[PRFDATA_DISTRIBUTION_SUM] += 99999999900;
        record(e, 100);
        if (e > 105) {
            uint64_t window[WINDOW] = {0};

            assert_true(prfdata_distribution_load_window(words, &shape, e, false, window));
            assert_true(window[bucket] <= UINT32_MAX);
            assert_int_equal(window[bucket], 4000000001);
        }
    }
}

/* ---- Bytes from other programs ---- */

static uint64_t next_noise(uint64_t *noise)
{
    *noise ^= *noise << 13;
    *noise ^= *noise >> 7;
    *noise ^= *noise << 17;
    return *noise;
}

/* Arbitrary bytes from another program only make the numbers of its own service wrong. The
 * sanitizers notice any access outside of the memory. */
static void test_distribution_reader_survives_any_bytes(void **state)
{
    const size_t count = (size_t)prfdata_distribution_bytes(&shape) / 8;
    uint64_t noise = 88172645463325252;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint64_t window[WINDOW] = {0};

        for (size_t i = 0; i < count; i++)
            words[i] = next_noise(&noise) >> (next_noise(&noise) % 64);
        words[PRFDATA_DISTRIBUTION_EPOCH] = (uint64_t)(96 + round % 10) << 32 | (round & 1);
        prfdata_distribution_load_window(words, &shape, 100, round & 2, window);
        for (uint32_t i = 0; i <= LAST_BUCKET; i++)
            assert_true(window[i] <= UINT32_MAX);
        prfdata_distribution_percentile(window, &shape, 9900);
        prfdata_distribution_mean(window, &shape);
        if (round % 10 == 0)
            record(100, 100);
        prfdata_distribution_finish_copy(words, &shape);
    }
}

/* ---- Threads ---- */

enum { THREADS = 4, EACH = 30000 };

static uint32_t present; /* the current epoch; it may go back, which recorders ignore */
static uint64_t readings;

static void record_and_read(void *context)
{
    (void)context;
    for (uint32_t i = 0; i < EACH; i++) {
        const uint32_t now = prfdata_load32_relaxed(&present);

        prfdata_distribution_add(words, &shape, now, 100);
        if (i % 50 == 0)
            prfdata_store32_relaxed(&present, now + 1);
        if (i % 20 == 0) {
            uint64_t window[WINDOW] = {0};
            uint64_t count;

            prfdata_distribution_load_window(words, &shape, prfdata_load32_relaxed(&present), false,
                                             window);
            count = prfdata_distribution_window_count(window, LAST_BUCKET);
            assert_true(count <= THREADS * EACH); /* not a negative number */
            assert_true(window[WINDOW - 1] <= THREADS * EACH * UINT64_C(100));
            prfdata_add64_relaxed(&readings, 1);
        }
    }
}

static void test_distribution_threads_lose_nothing(void **state)
{
    (void)state;
    present = 100;
    prfdata_test_threads_run(THREADS, record_and_read, NULL);
    assert_int_equal(prfdata_distribution_count(words, LAST_BUCKET), THREADS * EACH);
    assert_int_equal(prfdata_distribution_sum(words), UINT64_C(100) * THREADS * EACH);
    assert_int_equal(readings, THREADS * EACH / 20);
    assert_int_equal(window_at((uint32_t)(words[PRFDATA_DISTRIBUTION_EPOCH] >> 32) + 5), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_distribution_every_value_is_in_its_bucket),
        TEST(test_distribution_values_beyond_the_range_count_as_its_ends),
        TEST(test_distribution_shape_refuses_what_makes_no_sense),
        TEST(test_distribution_epochs_are_quarters_of_the_window),
        TEST(test_distribution_percentile_of_huge_counts_does_not_overflow),
        TEST(test_distribution_percentile_is_the_value_of_its_rank),
        TEST(test_distribution_window_has_four_epochs_and_the_present_one),
        TEST(test_distribution_window_is_exact_after_every_history),
        TEST(test_distribution_window_is_right_for_a_reader_one_epoch_late),
        TEST(test_distribution_reader_at_every_step_of_a_copy),
        TEST(test_distribution_reader_leaves_out_a_copy_that_is_being_made),
        TEST(test_distribution_reader_leaves_out_a_copy_that_changes_meanwhile),
        TEST(test_distribution_recorder_at_every_step_of_a_copy),
        TEST(test_distribution_copier_that_was_stopped_gives_up),
        TEST(test_distribution_two_copiers_make_one_copy),
        TEST(test_distribution_killed_at_every_step_in_every_epoch),
        TEST(test_distribution_take_over_finishes_the_copy),
        TEST(test_distribution_take_over_killed_at_every_step),
        TEST(test_distribution_start_leaves_the_former_counts_to_totals),
        TEST(test_distribution_reused_slot_goes_on_counting_windows),
        TEST(test_distribution_buckets_beyond_32_bits),
        TEST(test_distribution_reader_survives_any_bytes),
        TEST(test_distribution_threads_lose_nothing),
    };

    return cmocka_run_group_tests_name("distribution", tests, NULL, NULL);
}
