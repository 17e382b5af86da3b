/* SPDX-License-Identifier: MIT */
/* Histograms for Prometheus: 57-prometheus.sh gives the golden file to parser and promtool. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "prometheus/metric_head.h"
#include "prometheus/metric_histogram.h"
#include "support/golden.h"

static void expect_bound(double bound, const char *expected)
{
    prfdata_output output;

    prfdata_output_init(&output);
    prfdata_metric_histogram_put_bound(&output, bound);
    prfdata_output_put(&output, "", 1);
    assert_string_equal(output.bytes, expected);
    prfdata_output_free(&output);
}

/* What Go's strconv and Python's parser of OpenMetrics print and want. */
static void test_metric_histogram_bounds_are_canonical(void **state)
{
    (void)state;
    expect_bound(0, "0.0");
    expect_bound(1, "1.0");
    expect_bound(10, "10.0");
    expect_bound(0.5, "0.5");
    expect_bound(0.001023, "0.001023");
    expect_bound(0.0001, "0.0001");
    expect_bound(1e-05, "1e-05");
    expect_bound(1.5e-06, "1.5e-06");
    expect_bound(123456.5, "123456.5");
    expect_bound(999999, "999999.0");
    expect_bound(1e6, "1e+06");
    expect_bound(1048576, "1.048576e+06");
    expect_bound(0.1 + 0.2, "0.30000000000000004");
}

/* Values of 1 to 100, each once, in microseconds. */
static void fill(const prfdata_distribution_shape *shape, uint64_t *counts)
{
    for (uint64_t value = 1; value <= 100; value++) {
        counts[prfdata_distribution_bucket(shape, value)]++;
        counts[shape->bucket_count] += value;
    }
}

static void put(prfdata_output *output, const prfdata_metric_histogram *histogram,
                prfdata_dialect dialect)
{
    prfdata_metric_head_begin(output, histogram->name, PRFDATA_METRIC_HISTOGRAM, "seconds",
                              dialect);
    prfdata_output_put_string(output, "How long a job waits.\n");
    prfdata_metric_histogram_put(output, histogram);
}

static void test_metric_histogram_counts_are_cumulative(void **state)
{
    static const char *const paths[] = {"tests/golden/histogram.om", "tests/golden/histogram.prom"};
    prfdata_distribution_shape shape;
    prfdata_metric_histogram histogram = {"wait_seconds", "name", "", &shape, NULL, 1e-6};
    uint64_t *counts;

    (void)state;
    assert_true(prfdata_distribution_shape_make(1, 63, 8, 60, &shape));
    counts = calloc(shape.bucket_count + 1, sizeof *counts);
    assert_non_null(counts);
    fill(&shape, counts);
    histogram.counts = counts;
    for (int dialect = 0; dialect < PRFDATA_DIALECT_COUNT; dialect++) {
        prfdata_output output;
        char *expected = golden_text(paths[dialect]);

        prfdata_output_init(&output);
        histogram.label = "=\"mail\",parent=\"a\"}";
        put(&output, &histogram, (prfdata_dialect)dialect);
        histogram.name = "other_wait_seconds";
        histogram.label = "";
        put(&output, &histogram, (prfdata_dialect)dialect);
        histogram.name = "wait_seconds";
        if (dialect == PRFDATA_DIALECT_OPEN_METRICS)
            prfdata_output_put_string(&output, "# EOF\n");
        prfdata_output_put(&output, "", 1);
        assert_string_equal(output.bytes, expected);
        prfdata_output_free(&output);
        free(expected);
    }
    free(counts);
}

/* No value is in a bucket whose bound it exceeds, whatever the shape. */
static void test_metric_histogram_bounds_hold_their_values(void **state)
{
    static const uint32_t per_octave[] = {4, 8, 16, 32};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        for (uint64_t value = 1; value < 5000; value += 7) {
            prfdata_distribution_shape shape;
            prfdata_metric_histogram histogram = {"h", "name", "", &shape, NULL, 1};
            prfdata_output output;
            uint64_t *counts;
            double least = 0;

            assert_true(prfdata_distribution_shape_make(3, 2000, per_octave[i], 60, &shape));
            counts = calloc(shape.bucket_count + 1, sizeof *counts);
            assert_non_null(counts);
            counts[prfdata_distribution_bucket(&shape, value)] = 1;
            counts[shape.bucket_count] = value;
            histogram.counts = counts;
            prfdata_output_init(&output);
            prfdata_metric_histogram_put(&output, &histogram);
            prfdata_output_put(&output, "", 1);
            for (const char *at = output.bytes; (at = strstr(at, "le=\"")) != NULL; at += 4) {
                const char *end = strchr(at + 4, '"');

                if (strncmp(at, "le=\"+Inf", 8) == 0) {
                    assert_memory_equal(end, "\"} 1\n", 5);
                    break;
                }
                assert_true(strtod(at + 4, NULL) > least);
                least = strtod(at + 4, NULL);
                assert_int_equal(end[3] == '1', (double)value <= least);
            }
            prfdata_output_free(&output);
            free(counts);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metric_histogram_bounds_are_canonical),
        cmocka_unit_test(test_metric_histogram_counts_are_cumulative),
        cmocka_unit_test(test_metric_histogram_bounds_hold_their_values),
    };

    return cmocka_run_group_tests_name("metric_histogram", tests, NULL, NULL);
}
