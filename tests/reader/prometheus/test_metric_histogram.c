/* SPDX-License-Identifier: MIT */
/* Tests histograms for Prometheus. tests/scripts/57-prometheus.sh gives the golden file to Python's
 * OpenMetrics parser and to promtool. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "metric/metric.h"
#include "prometheus/metric_head.h"
#include "prometheus/metric_histogram.h"
#include "support/golden.h"

static void expect_bound(double bound, const char *expected)
{
    char text[PRFDATA_METRIC_BOUND_BYTES];

    prfdata_metric_write_bound(bound, text);
    assert_string_equal(text, expected);
}

/* Bounds have the form that Go's strconv prints and Python's parser of OpenMetrics requires. */
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
    expect_bound(0.30000000000000004, "0.30000000000000004");
    expect_bound(PRFDATA_METRIC_NO_BOUND, "+Inf");
}

static void put(prfdata_output *output, const prfdata_metric_histogram *histogram,
                prfdata_dialect dialect)
{
    prfdata_metric_head_begin(output, histogram->name, PRFDATA_METRIC_HISTOGRAM, "seconds",
                              dialect);
    prfdata_output_put_string(output, "How long a job waits.\n");
    prfdata_metric_histogram_put(output, histogram);
}

static void test_metric_histogram_has_all_lines(void **state)
{
    static const char *const paths[] = {"tests/golden/histogram.om", "tests/golden/histogram.prom"};
    static const prfdata_metric_bucket buckets[] = {
        {7e-06, 7}, {1.5e-05, 15}, {3.1e-05, 31}, {-1, 100}};
    prfdata_metric_histogram histogram = {"wait_seconds", "name", "", buckets, 4, {0}};

    (void)state;
    histogram.sum = prfdata_metric_number_scaled(prfdata_metric_number_whole(5050), 1e-6);
    for (int dialect = 0; dialect < PRFDATA_DIALECT_COUNT; dialect++) {
        prfdata_output output;
        char *expected = golden_text(paths[dialect]);

        prfdata_output_init(&output);
        histogram.name = "wait_seconds";
        histogram.label = "=\"mail\",parent=\"a\"}";
        put(&output, &histogram, (prfdata_dialect)dialect);
        histogram.name = "other_wait_seconds";
        histogram.label = "";
        put(&output, &histogram, (prfdata_dialect)dialect);
        if (dialect == PRFDATA_DIALECT_OPEN_METRICS)
            prfdata_output_put_string(&output, "# EOF\n");
        prfdata_output_put(&output, "", 1);
        assert_string_equal(output.bytes, expected);
        prfdata_output_free(&output);
        free(expected);
    }
}

/* Counters are read one after the other, so a later bucket may have a smaller count. The printed
 * counts never fall. */
static void test_metric_histogram_counts_never_fall(void **state)
{
    static const prfdata_metric_bucket buckets[] = {{1, 5}, {2, 4}, {3, 6}, {-1, 5}};
    const prfdata_metric_histogram histogram = {"h", "name", "", buckets, 4, {true, false, 9, 0}};
    prfdata_output output;

    (void)state;
    prfdata_output_init(&output);
    prfdata_metric_histogram_put(&output, &histogram);
    prfdata_output_put(&output, "", 1);
    assert_string_equal(output.bytes, "h_bucket{le=\"1.0\"} 5\nh_bucket{le=\"2.0\"} 5\n"
                                      "h_bucket{le=\"3.0\"} 6\nh_bucket{le=\"+Inf\"} 6\n"
                                      "h_sum 9\nh_count 6\n");
    prfdata_output_free(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metric_histogram_bounds_are_canonical),
        cmocka_unit_test(test_metric_histogram_has_all_lines),
        cmocka_unit_test(test_metric_histogram_counts_never_fall),
    };

    return cmocka_run_group_tests_name("metric_histogram", tests, NULL, NULL);
}
