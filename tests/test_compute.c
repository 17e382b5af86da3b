/* SPDX-License-Identifier: MIT */
/*
 * The formulas against numbers worked out by hand from Microsoft's descriptions of the types
 * ("Calculating Counter Values", the comments of winperf.h, "WMI Performance Counter Types").
 */
#include "test.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "compute.h"

#define TWO32 4294967296u

/* Both samples of one counter. Time stamps are in ticks of their own frequency. */
typedef struct sample {
    uint64_t value;
    uint64_t base;
    int64_t time; /* of the clock that the type uses; the others stand still */
    int64_t freq; /* of PerfTime and of the object */
} sample;

typedef struct row {
    const char *name;
    uint32_t type;
    uint32_t value_bytes;
    uint32_t base_bytes;
    sample older;
    sample newer;
    uint32_t status;
    double expected;
    const char *source;
} row;

#define WANT_NEGATIVE    PRFDATA_STATUS_NEGATIVE_VALUE
#define WANT_DENOMINATOR PRFDATA_STATUS_NEGATIVE_DENOMINATOR
#define WANT_TIMEBASE    PRFDATA_STATUS_NEGATIVE_TIMEBASE
#define WANT_NO_DATA     PRFDATA_STATUS_NO_DATA
#define WANT_INVALID     PRFDATA_STATUS_INVALID_DATA
#define WANT_NOT_YET     PRFDATA_STATUS_NOT_YET

static const row rows[] = {
    /* one sample */
    {"raw", PERF_COUNTER_RAWCOUNT, 4, 0, {0}, {42, 0, 0, 0}, 0, 42, "winperf.h: display as is"},
    {"raw max", PERF_COUNTER_RAWCOUNT, 4, 0, {0}, {0xFFFFFFFF, 0, 0, 0}, 0, 4294967295.0, "DWORD"},
    {"large raw",
     PERF_COUNTER_LARGE_RAWCOUNT,
     8,
     0,
     {0},
     {TWO32 * 4ull, 0, 0, 0},
     0,
     17179869184.0,
     "winperf.h"},
    {"large raw below zero",
     PERF_COUNTER_LARGE_RAWCOUNT,
     8,
     0,
     {0},
     {(uint64_t)-3, 0, 0, 0},
     0,
     -3,
     "PDH_RAW_COUNTER.FirstValue is LONGLONG"},
    {"raw hex", PERF_COUNTER_RAWCOUNT_HEX, 4, 0, {0}, {0xABCD, 0, 0, 0}, 0, 43981, "winperf.h"},
    {"large raw hex",
     PERF_COUNTER_LARGE_RAWCOUNT_HEX,
     8,
     0,
     {0},
     {0x1FFFFFFFF, 0, 0, 0},
     0,
     8589934591.0,
     "winperf.h"},
    {"raw ignores the past",
     PERF_COUNTER_RAWCOUNT,
     4,
     0,
     {50, 0, 9, 0},
     {42, 0, 3, 0},
     0,
     42,
     "a level may fall"},
    {"fraction", PERF_RAW_FRACTION, 4, 4, {0}, {50, 200, 0, 0}, 0, 25, "100*N/B"},
    {"fraction above one", PERF_RAW_FRACTION, 4, 4, {0}, {300, 200, 0, 0}, 0, 150, "100*N/B"},
    {"fraction of large DWORDs",
     PERF_RAW_FRACTION,
     4,
     4,
     {0},
     {0x80000000, 0xFFFFFFFE, 0, 0},
     0,
     100.0 * 2147483648.0 / 4294967294.0,
     "100*N does not fit a DWORD"},
    {"fraction of nothing",
     PERF_RAW_FRACTION,
     4,
     4,
     {0},
     {5, 0, 0, 0},
     WANT_NO_DATA,
     0,
     "zero base"},
    {"nothing of nothing",
     PERF_RAW_FRACTION,
     4,
     4,
     {0},
     {0, 0, 0, 0},
     WANT_NO_DATA,
     0,
     "zero base"},
    {"fraction without base", PERF_RAW_FRACTION, 4, 0, {0}, {5, 7, 0, 0}, WANT_INVALID, 0, "RCD"},
    {"large fraction, 100*N overflows",
     PERF_LARGE_RAW_FRACTION,
     8,
     8,
     {0},
     {0x2000000000000000, 0x4000000000000000, 0, 0},
     0,
     50,
     "perflib-v1.md 6.7: 50 %, not 2 %"},
    {"large fraction, base below zero",
     PERF_LARGE_RAW_FRACTION,
     8,
     8,
     {0},
     {1, (uint64_t)-4, 0, 0},
     WANT_DENOMINATOR,
     0,
     "CPI"},
    {"elapsed", PERF_ELAPSED_TIME, 8, 0, {0}, {1000, 0, 1250, 100}, 0, 2.5, "(D-N)/F"},
    {"elapsed, not started", PERF_ELAPSED_TIME, 8, 0, {0}, {0, 0, 1250, 100}, 0, 0, "NET"},
    {"elapsed, starts later",
     PERF_ELAPSED_TIME,
     8,
     0,
     {0},
     {1251, 0, 1250, 100},
     WANT_NEGATIVE,
     0,
     "perflib-v1.md 6.7"},
    {"elapsed, no clock", PERF_ELAPSED_TIME, 8, 0, {0}, {1, 0, 1250, 0}, WANT_TIMEBASE, 0, "CPI"},

    /* deltas */
    {"delta", PERF_COUNTER_DELTA, 4, 0, {10, 0, 0, 0}, {17, 0, 0, 0}, 0, 7, "N1-N0"},
    {"delta zero", PERF_COUNTER_DELTA, 4, 0, {10, 0, 0, 0}, {10, 0, 0, 0}, 0, 0, "N1-N0"},
    {"delta backwards",
     PERF_COUNTER_DELTA,
     4,
     0,
     {10, 0, 0, 0},
     {9, 0, 0, 0},
     WANT_NEGATIVE,
     0,
     "winperf.h: negative not allowed"},
    {"delta wrapped",
     PERF_COUNTER_DELTA,
     4,
     0,
     {0xFFFFFFFF, 0, 0, 0},
     {1, 0, 0, 0},
     WANT_NEGATIVE,
     0,
     "a reset must not look like a rate"},
    {"large delta",
     PERF_COUNTER_LARGE_DELTA,
     8,
     0,
     {TWO32, 0, 0, 0},
     {TWO32 * 3ull, 0, 0, 0},
     0,
     8589934592.0,
     "N1-N0"},
    {"large delta across zero",
     PERF_COUNTER_LARGE_DELTA,
     8,
     0,
     {(uint64_t)-5, 0, 0, 0},
     {3, 0, 0, 0},
     0,
     8,
     "LONGLONG"},
    {"large delta backwards",
     PERF_COUNTER_LARGE_DELTA,
     8,
     0,
     {5, 0, 0, 0},
     {4, 0, 0, 0},
     WANT_NEGATIVE,
     0,
     "CPI"},
    {"large delta over the whole range",
     PERF_COUNTER_LARGE_DELTA,
     8,
     0,
     {0x8000000000000000, 0, 0, 0},
     {0x7FFFFFFFFFFFFFFF, 0, 0, 0},
     0,
     18446744073709551615.0,
     "a difference is unsigned"},

    /* rates */
    {"rate",
     PERF_COUNTER_COUNTER,
     4,
     0,
     {100, 0, 1000, 10},
     {150, 0, 1020, 10},
     0,
     25,
     "(N1-N0)/((D1-D0)/F)"},
    {"rate in half a second",
     PERF_COUNTER_BULK_COUNT,
     8,
     0,
     {0, 0, 0, 1000},
     {7, 0, 500, 1000},
     0,
     14,
     "seconds are not cut"},
    {"rate of nothing",
     PERF_COUNTER_BULK_COUNT,
     8,
     0,
     {7, 0, 0, 10},
     {7, 0, 10, 10},
     0,
     0,
     "formula"},
    {"rate beyond 32 bits",
     PERF_COUNTER_BULK_COUNT,
     8,
     0,
     {0, 0, 0, 1},
     {TWO32 * 8ull, 0, 1, 1},
     0,
     34359738368.0,
     "formula"},
    {"sample counter",
     PERF_SAMPLE_COUNTER,
     4,
     4,
     {1, 1, 0, 10},
     {31, 9, 20, 10},
     0,
     15,
     "winperf.h: by time"},
    {"rate backwards",
     PERF_COUNTER_COUNTER,
     4,
     0,
     {5, 0, 0, 10},
     {4, 0, 10, 10},
     WANT_NEGATIVE,
     0,
     "CPI"},
    {"rate, huge step back",
     PERF_COUNTER_COUNTER,
     4,
     0,
     {3000000000u, 0, 0, 10},
     {10, 0, 10, 10},
     WANT_NEGATIVE,
     0,
     "perflib-v1.md 6.7: reset"},
    {"bulk backwards",
     PERF_COUNTER_BULK_COUNT,
     8,
     0,
     {5, 0, 0, 10},
     {4, 0, 10, 10},
     WANT_NEGATIVE,
     0,
     "CPI"},
    {"rate in no time",
     PERF_COUNTER_COUNTER,
     4,
     0,
     {4, 0, 10, 10},
     {5, 0, 10, 10},
     WANT_DENOMINATOR,
     0,
     "open_model_zoo"},
    {"rate, time backwards",
     PERF_COUNTER_COUNTER,
     4,
     0,
     {4, 0, 10, 10},
     {5, 0, 9, 10},
     WANT_DENOMINATOR,
     0,
     "CPI"},
    {"rate, no frequency",
     PERF_COUNTER_COUNTER,
     4,
     0,
     {4, 0, 0, 0},
     {5, 0, 10, 0},
     WANT_TIMEBASE,
     0,
     "CPI"},
    {"rate, negative frequency",
     PERF_COUNTER_COUNTER,
     4,
     0,
     {4, 0, 0, -1},
     {5, 0, 10, -1},
     WANT_TIMEBASE,
     0,
     "CPI"},

    /* timers */
    {"timer",
     PERF_COUNTER_TIMER,
     8,
     0,
     {0, 0, 1000, 10},
     {250, 0, 2000, 10},
     0,
     25,
     "100*(N1-N0)/(D1-D0)"},
    {"timer over 100",
     PERF_COUNTER_TIMER,
     8,
     0,
     {0, 0, 0, 10},
     {30, 0, 10, 10},
     0,
     300,
     "PDH_FMT_NOCAP100"},
    {"timer, 100*N overflows",
     PERF_COUNTER_TIMER,
     8,
     0,
     {0, 0, 0, 10},
     {0x2000000000000000, 0, 0x4000000000000000, 10},
     0,
     50,
     "perflib-v1.md 6.7"},
    {"timer needs no frequency",
     PERF_COUNTER_TIMER,
     8,
     0,
     {0, 0, 0, 0},
     {5, 0, 10, 0},
     0,
     50,
     "formula"},
    {"timer backwards",
     PERF_COUNTER_TIMER,
     8,
     0,
     {9, 0, 0, 10},
     {5, 0, 10, 10},
     WANT_NEGATIVE,
     0,
     "CPI"},
    {"timer in no time",
     PERF_COUNTER_TIMER,
     8,
     0,
     {4, 0, 9, 10},
     {5, 0, 9, 10},
     WANT_DENOMINATOR,
     0,
     "CPI"},
    {"100 ns timer",
     PERF_100NSEC_TIMER,
     8,
     0,
     {0, 0, 0, 0},
     {5000000, 0, 10000000, 0},
     0,
     50,
     "100*(N1-N0)/(D1-D0)"},
    {"100 ns timer, time backwards",
     PERF_100NSEC_TIMER,
     8,
     0,
     {0, 0, 10, 0},
     {5, 0, 0, 0},
     WANT_DENOMINATOR,
     0,
     "CPI"},

    /* with bases */
    {"sample fraction",
     PERF_SAMPLE_FRACTION,
     4,
     4,
     {10, 100, 0, 0},
     {40, 220, 0, 0},
     0,
     25,
     "100*(N1-N0)/(B1-B0)"},
    {"sample fraction, no samples",
     PERF_SAMPLE_FRACTION,
     4,
     4,
     {10, 100, 0, 0},
     {10, 100, 0, 0},
     WANT_NO_DATA,
     0,
     "winperf.h: check the base"},
    {"sample fraction, base backwards",
     PERF_SAMPLE_FRACTION,
     4,
     4,
     {10, 100, 0, 0},
     {11, 99, 0, 0},
     WANT_DENOMINATOR,
     0,
     "CPI"},
    {"sample fraction backwards",
     PERF_SAMPLE_FRACTION,
     4,
     4,
     {10, 100, 0, 0},
     {9, 101, 0, 0},
     WANT_NEGATIVE,
     0,
     "CPI"},
    {"average",
     PERF_AVERAGE_BULK,
     8,
     4,
     {1000, 10, 0, 0},
     {9000, 14, 0, 0},
     0,
     2000,
     "(N1-N0)/(B1-B0)"},
    {"average of none",
     PERF_AVERAGE_BULK,
     8,
     4,
     {1000, 10, 0, 0},
     {1000, 10, 0, 0},
     WANT_NO_DATA,
     0,
     "zero base"},
    {"average, base gone",
     PERF_AVERAGE_BULK,
     8,
     0,
     {1000, 10, 0, 0},
     {9000, 14, 0, 0},
     WANT_INVALID,
     0,
     "RCD"},
    {"average time",
     PERF_AVERAGE_TIMER,
     8,
     4,
     {1000, 10, 0, 100},
     {2000, 14, 0, 100},
     0,
     2.5,
     "((N1-N0)/F)/(B1-B0)"},
    {"average time of 4 bytes",
     PERF_AVERAGE_TIMER,
     4,
     4,
     {1000, 10, 0, 100},
     {2000, 14, 0, 100},
     0,
     2.5,
     "perflib-v1.md 6.4"},
    {"average time, no frequency",
     PERF_AVERAGE_TIMER,
     8,
     4,
     {0, 0, 0, 0},
     {9, 1, 0, 0},
     WANT_TIMEBASE,
     0,
     "CPI"},
    {"average time of none",
     PERF_AVERAGE_TIMER,
     8,
     4,
     {0, 3, 0, 10},
     {9, 3, 0, 10},
     WANT_NO_DATA,
     0,
     "zero base"},
    {"average time, base backwards",
     PERF_AVERAGE_TIMER,
     8,
     4,
     {0, 3, 0, 10},
     {9, 2, 0, 10},
     WANT_DENOMINATOR,
     0,
     "CPI"},

    /* for later */
    {"inverse timer",
     PERF_COUNTER_TIMER_INV,
     8,
     0,
     {0, 0, 0, 1},
     {1, 0, 2, 1},
     WANT_NOT_YET,
     0,
     ""},
    {"multi timer",
     PERF_COUNTER_MULTI_TIMER,
     8,
     4,
     {0, 0, 0, 1},
     {1, 1, 2, 1},
     WANT_NOT_YET,
     0,
     ""},
    {"queue length",
     PERF_COUNTER_LARGE_QUEUELEN_TYPE,
     8,
     0,
     {0, 0, 0, 1},
     {1, 0, 2, 1},
     WANT_NOT_YET,
     0,
     ""},
    {"object timer", PERF_OBJ_TIME_TIMER, 8, 0, {0, 0, 0, 1}, {1, 0, 2, 1}, WANT_NOT_YET, 0, ""},
    {"precision timer",
     PERF_PRECISION_SYSTEM_TIMER,
     8,
     8,
     {0, 0, 0, 1},
     {1, 9, 2, 1},
     WANT_NOT_YET,
     0,
     ""},
    {"a type of nobody", 0x12345678, 4, 0, {0}, {1, 0, 0, 0}, WANT_NOT_YET, 0, ""},
};

static prfdata_compute_raw raw_of(const row *r, const sample *s)
{
    prfdata_compute_raw raw = {
        .type = r->type, .value_bytes = r->value_bytes, .base_bytes = r->base_bytes};

    raw.value = s->value;
    raw.base = s->base;
    if (r->type == PERF_100NSEC_TIMER)
        raw.time_100ns = s->time;
    else if (r->type == PERF_ELAPSED_TIME)
        raw.object_time = s->time;
    else
        raw.perf_time = s->time;
    raw.perf_freq = s->freq;
    raw.object_freq = s->freq;
    return raw;
}

static void test_compute_every_row_as_documented(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row *r = &rows[i];
        prfdata_compute_raw older = raw_of(r, &r->older);
        prfdata_compute_raw newer = raw_of(r, &r->newer);
        double value = -77;
        double expected = r->status == PRFDATA_STATUS_OK ? r->expected : -77;
        uint32_t status = prfdata_compute(&older, &newer, &value);

        if (status != r->status || !(fabs(value - expected) <= fabs(expected) * 1e-12))
            fail_msg("%s: %s, %g; expected %s, %g (%s)", r->name,
                     prfdata_compute_status_name(status), value,
                     prfdata_compute_status_name(r->status), expected, r->source);
    }
}

/* A type that needs two samples says so; the others do not care. */
static void test_compute_first_sample_alone(void **state)
{
    static const uint32_t alone[] = {PERF_COUNTER_RAWCOUNT,     PERF_COUNTER_LARGE_RAWCOUNT,
                                     PERF_COUNTER_RAWCOUNT_HEX, PERF_COUNTER_LARGE_RAWCOUNT_HEX,
                                     PERF_RAW_FRACTION,         PERF_LARGE_RAW_FRACTION,
                                     PERF_ELAPSED_TIME};
    static const uint32_t pairs[] = {PERF_COUNTER_DELTA,   PERF_COUNTER_LARGE_DELTA,
                                     PERF_COUNTER_COUNTER, PERF_COUNTER_BULK_COUNT,
                                     PERF_SAMPLE_COUNTER,  PERF_COUNTER_TIMER,
                                     PERF_100NSEC_TIMER,   PERF_SAMPLE_FRACTION,
                                     PERF_AVERAGE_BULK,    PERF_AVERAGE_TIMER};
    prfdata_compute_raw raw = {.value_bytes = 8,
                               .base_bytes = 8,
                               .value = 1,
                               .base = 1,
                               .perf_time = 2,
                               .perf_freq = 1,
                               .object_time = 2,
                               .object_freq = 1};
    double value = -77;

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        raw.type = pairs[i];
        assert_int_equal(prfdata_compute(NULL, &raw, &value), PRFDATA_STATUS_ONE_SAMPLE);
        assert_true(value == -77);
    }
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        raw.type = alone[i];
        assert_int_equal(prfdata_compute(NULL, &raw, &value), PRFDATA_STATUS_OK);
    }
}

/* The provider was reinstalled between two samples. */
static void test_compute_changed_type_or_size_is_invalid(void **state)
{
    prfdata_compute_raw older = {.type = PERF_COUNTER_COUNTER, .value_bytes = 4, .perf_time = 0};
    prfdata_compute_raw newer = {
        .type = PERF_COUNTER_COUNTER, .value_bytes = 4, .perf_time = 1, .perf_freq = 1};
    double value;

    (void)state;
    assert_int_equal(prfdata_compute(&older, &newer, &value), PRFDATA_STATUS_OK);
    older.value_bytes = 8;
    assert_int_equal(prfdata_compute(&older, &newer, &value), PRFDATA_STATUS_INVALID_DATA);
    older.value_bytes = 4;
    older.type = PERF_COUNTER_DELTA;
    assert_int_equal(prfdata_compute(&older, &newer, &value), PRFDATA_STATUS_INVALID_DATA);
    newer.value_bytes = 2;
    assert_int_equal(prfdata_compute(&older, &newer, &value), PRFDATA_STATUS_INVALID_DATA);
}

/* Whatever a provider writes, a result is finite. */
static void test_compute_extremes_never_give_infinity_or_nan(void **state)
{
    static const uint64_t values[] = {
        0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF};
    static const uint32_t types[] = {
        PERF_COUNTER_DELTA,      PERF_COUNTER_LARGE_DELTA,   PERF_COUNTER_COUNTER,
        PERF_COUNTER_BULK_COUNT, PERF_COUNTER_TIMER,         PERF_100NSEC_TIMER,
        PERF_SAMPLE_FRACTION,    PERF_AVERAGE_BULK,          PERF_AVERAGE_TIMER,
        PERF_RAW_FRACTION,       PERF_LARGE_RAW_FRACTION,    PERF_ELAPSED_TIME,
        PERF_COUNTER_RAWCOUNT,   PERF_COUNTER_LARGE_RAWCOUNT};
    const size_t n = sizeof values / sizeof values[0];

    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        for (size_t code = 0; code < n * n * n * n * 2; code++) {
            size_t rest = code;
            prfdata_compute_raw older = {.type = types[t], .value_bytes = 4};
            prfdata_compute_raw newer;
            double value = 0;

            if (rest % 2 != 0)
                older.value_bytes = 8;
            older.base_bytes = older.value_bytes;
            rest /= 2;
            newer = older;
            older.value = values[rest % n];
            newer.value = values[rest / n % n];
            older.base = values[rest / n / n % n];
            older.perf_time = older.time_100ns = (int64_t)older.base;
            newer.base = values[rest / n / n / n];
            newer.perf_time = newer.time_100ns = newer.object_time = (int64_t)newer.base;
            newer.perf_freq = newer.object_freq = (int64_t)newer.value;
            (void)prfdata_compute(&older, &newer, &value);
            assert_true(value >= -DBL_MAX && value <= DBL_MAX);
        }
    }
}

static void test_compute_status_named_in_pdh_spelling(void **state)
{
    (void)state;
    assert_string_equal(prfdata_compute_status_name(0x800007D8), "PDH_CALC_NEGATIVE_VALUE");
    assert_string_equal(prfdata_compute_status_name(0xC0000BC6), "PDH_INVALID_DATA");
    assert_string_equal(prfdata_compute_status_text(PRFDATA_STATUS_NOT_YET), "not computed yet");
    assert_string_equal(prfdata_compute_status_text(1234), "unknown status");
    assert_string_equal(prfdata_compute_status_name(1234), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compute_every_row_as_documented),
        cmocka_unit_test(test_compute_first_sample_alone),
        cmocka_unit_test(test_compute_changed_type_or_size_is_invalid),
        cmocka_unit_test(test_compute_extremes_never_give_infinity_or_nan),
        cmocka_unit_test(test_compute_status_named_in_pdh_spelling),
    };

    return cmocka_run_group_tests_name("compute", tests, NULL, NULL);
}
