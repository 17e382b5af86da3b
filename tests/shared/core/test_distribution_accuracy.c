/* SPDX-License-Identifier: MIT */
/* Compares percentiles of distributions with those of the sorted values, for many shapes. All
 * numbers are made from integers, so every machine prints the same table. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "counting/distribution.h"
#include "support/page.h"

enum { VALUES = 100000 };

static uint64_t random_state;

static uint64_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static uint64_t below(uint64_t limit)
{
    return (next_random() >> 20) % limit;
}

/* ---- Shapes: times in units of 100 ns ---- */

static uint64_t one_value(void)
{
    return 777;
}

static uint64_t uniform(void)
{
    return 10 + below(9990);
}

static uint64_t bell(void)
{
    uint64_t sum = 0;

    for (int i = 0; i < 8; i++)
        sum += below(5000);
    return sum;
}

static uint64_t two_peaks(void)
{
    return below(100) < 95 ? 100 + below(20) : 1000000 + below(100000);
}

/* Each range of 3,000 has half as many values as the range below it. */
static uint64_t falling(void)
{
    const uint64_t random = next_random() | 1;
    uint64_t halvings = 0;

    while (random >> (63 - halvings) == 0)
        halvings++;
    return 3000 * halvings + below(3000);
}

/* One value in ten is at least 10 times the lowest one, and one in a hundred at least 100 times. */
static uint64_t heavy_tail(void)
{
    return 50 * (UINT64_C(1) << 32) / (1 + below(UINT64_C(1) << 32));
}

static uint64_t every_octave_alike(void)
{
    const uint64_t octave = below(27);

    return (UINT64_C(1) << octave) + below(UINT64_C(1) << octave);
}

static uint64_t squares(void)
{
    const uint64_t root = below(20000);

    return root * root;
}

static uint64_t whole_milliseconds(void)
{
    return 10000 * (1 + below(30));
}

/* One value in ten is far beyond the range. */
static uint64_t beyond(void)
{
    return below(10) == 0 ? UINT64_C(1) << 40 : 100 + below(100);
}

static const struct {
    const char *name;
    uint64_t (*make)(void);
} value_shapes[] = {
    {"one value", one_value},
    {"equal frequency", uniform},
    {"a bell curve", bell},
    {"two peaks", two_peaks},
    {"frequency that halves with every step", falling},
    {"a heavy tail", heavy_tail},
    {"equal frequency of octaves", every_octave_alike},
    {"squares", squares},
    {"whole milliseconds", whole_milliseconds},
    {"a tenth beyond the range", beyond},
};

static int value_order(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

/* Return the error in hundredths of a percent of the true value. A value beyond the range is shown
 * as the end of the range. */
static uint64_t error_of(uint64_t shown, uint64_t truth, uint64_t highest)
{
    const uint64_t expected = truth > highest ? highest : truth;
    const uint64_t difference = shown > expected ? shown - expected : expected - shown;

    return expected > 0 ? (difference * 10000 + expected - 1) / expected : difference;
}

enum { RANGE_HIGHEST = 1 << 30 };

/* Return the largest error of all percentiles from 0.01 % to 100 %. */
static uint64_t worst_error(const uint64_t *values, const uint64_t *sorted,
                            uint32_t buckets_per_octave)
{
    prfdata_distribution_shape shape;
    uint64_t *words;
    uint64_t *window;
    uint64_t worst = 0;

    assert_true(prfdata_distribution_shape_make(0, RANGE_HIGHEST, buckets_per_octave, 60, &shape));
    words = calloc(1, (size_t)prfdata_distribution_bytes(&shape));
    window = calloc(prfdata_distribution_window_words(&shape), sizeof *window);
    assert_non_null(words);
    assert_non_null(window);
    for (size_t i = 0; i < VALUES; i++)
        prfdata_distribution_add(words, &shape, 100, values[i]);
    assert_true(prfdata_distribution_load_window(words, &shape, 100, true, window));
    assert_int_equal(prfdata_distribution_window_count(window, shape.bucket_count - 1), VALUES);
    for (uint32_t share = 1; share <= 10000; share++) {
        const uint64_t rank = ((uint64_t)VALUES * share + 9999) / 10000;
        const uint64_t error = error_of(prfdata_distribution_percentile(window, &shape, share),
                                        sorted[rank - 1], RANGE_HIGHEST);

        worst = error > worst ? error : worst;
    }
    free(window);
    free(words);
    return worst;
}

static const uint32_t precisions[] = {4, 8, 16, 32};

enum { PRECISIONS = sizeof precisions / sizeof precisions[0] };

static void add_accuracy_row(page_text *rows, const char *name, const uint64_t *errors)
{
    page_add(rows, "| of %s |", name);
    for (size_t i = 0; i < PRECISIONS; i++)
        page_add(rows, " %u.%02u %% |", (unsigned)(errors[i] / 100), (unsigned)(errors[i] % 100));
    page_add(rows, "\n");
}

static void test_distribution_every_percentile_is_within_the_declared_precision(void **state)
{
    static uint64_t values[VALUES];
    static uint64_t sorted[VALUES];
    page_text rows = {0};

    (void)state;
    random_state = 88172645463325252;
    for (size_t s = 0; s < sizeof value_shapes / sizeof value_shapes[0]; s++) {
        uint64_t errors[PRECISIONS];

        for (size_t i = 0; i < VALUES; i++)
            values[i] = value_shapes[s].make();
        memcpy(sorted, values, sizeof sorted);
        qsort(sorted, VALUES, sizeof sorted[0], value_order);
        for (size_t p = 0; p < PRECISIONS; p++) {
            errors[p] = worst_error(values, sorted, precisions[p]);
            assert_true(errors[p] <=
                        /* The error is at most half a bucket. */
                        (5000 + precisions[p] - 1) / precisions[p]);
        }
        add_accuracy_row(&rows, value_shapes[s].name, errors);
    }
    add_accuracy_row(&rows, "any, at most", (const uint64_t[]){1250, 625, 313, 157});
    page_expect_rows("docs/distributions.md", "| of ", &rows);
    page_free(&rows);
}

static void test_distribution_bytes_of_an_instance_are_what_the_page_says(void **state)
{
    static const struct {
        const char *name;
        uint64_t lowest;
        uint64_t highest;
    } ranges[] = {
        {"1 µs to 100 s", 10, 1000000000},
        {"10 µs to 10 s", 100, 100000000},
        {"1 byte to 1 GB", 1, 1 << 30},
        {"every number up to 2^63 - 1", 0, PRFDATA_DISTRIBUTION_MAX_VALUE},
    };
    page_text rows = {0};

    (void)state;
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        page_add(&rows, "| for %s |", ranges[r].name);
        for (size_t p = 0; p < PRECISIONS; p++) {
            prfdata_distribution_shape shape;

            assert_true(prfdata_distribution_shape_make(ranges[r].lowest, ranges[r].highest,
                                                        precisions[p], 60, &shape));
            assert_true(shape.bucket_count <= PRFDATA_DISTRIBUTION_MAX_BUCKETS);
            page_add(&rows, " %u |", (unsigned)prfdata_distribution_bytes(&shape));
        }
        page_add(&rows, "\n");
    }
    page_expect_rows("docs/distributions.md", "| for ", &rows);
    page_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distribution_every_percentile_is_within_the_declared_precision),
        cmocka_unit_test(test_distribution_bytes_of_an_instance_are_what_the_page_says),
    };

    return cmocka_run_group_tests_name("distribution_accuracy", tests, NULL, NULL);
}
