/* SPDX-License-Identifier: MIT */
/* Tests the special cases of JSON. test_watch.c tests whole samples, and the test watch_json reads
 * them with another parser. */
#include "support/test.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths/json.h"

static void expect_part(prfdata_output *output, const char *part)
{
    prfdata_output_put(output, "", 1);
    assert_false(output->failed);
    if (!strstr(output->bytes, part))
        fail_msg("%s lacks %s", output->bytes, part);
    prfdata_output_clear(output);
}

static void test_json_strings_escaped(void **state)
{
    static const char text[] = "a\"b\\c/\x01\x1F\x7F\t\xC3\xA4\xF0\x9F\x98\x80 ";
    prfdata_output output = {NULL, 0, 0, false};

    (void)state;
    prfdata_json_put_string(&output, text, sizeof text); /* including the NUL */
    prfdata_output_put(&output, "", 1);
    assert_string_equal(output.bytes, "\"a\\\"b\\\\c/\\u0001\\u001f\\u007f\\u0009\xC3\xA4"
                                      "\xF0\x9F\x98\x80 \\u0000\"");
    prfdata_output_clear(&output);
    prfdata_json_put_string(&output, "", 0);
    prfdata_output_put(&output, "", 1);
    assert_string_equal(output.bytes, "\"\"");
    prfdata_output_free(&output);
}

static void test_json_times_as_filetime(void **state)
{
    static const struct {
        uint16_t time[8]; /* year, month, day of week, day, ... */
        const char *text;
    } cases[] = {
        {{1601, 1, 1, 1, 0, 0, 0, 0},
         "{\"Timestamp\":\"1601-01-01T00:00:00.000Z\",\"Timestamp100NSec\":0,"},
        {{1970, 1, 4, 1, 0, 0, 0, 0},
         "{\"Timestamp\":\"1970-01-01T00:00:00.000Z\",\"Timestamp100NSec\":116444736000000000,"},
        {{2000, 2, 2, 29, 23, 59, 59, 999},
         "{\"Timestamp\":\"2000-02-29T23:59:59.999Z\",\"Timestamp100NSec\":125963423999990000,"},
        {{2000, 3, 3, 1, 0, 0, 0, 0},
         "{\"Timestamp\":\"2000-03-01T00:00:00.000Z\",\"Timestamp100NSec\":125963424000000000,"},
        {{2100, 3, 1, 1, 0, 0, 0, 1},
         "{\"Timestamp\":\"2100-03-01T00:00:00.001Z\",\"Timestamp100NSec\":157520160000010000,"},
        {{2024, 12, 2, 31, 12, 30, 15, 7},
         "{\"Timestamp\":\"2024-12-31T12:30:15.007Z\",\"Timestamp100NSec\":133801218150070000,"},
        {{9999, 12, 5, 31, 23, 59, 59, 999},
         "{\"Timestamp\":\"9999-12-31T23:59:59.999Z\",\"Timestamp100NSec\":2650467743999990000,"},
        {{1600, 12, 0, 31, 0, 0, 0, 0}, "{\"Timestamp\":null,\"Timestamp100NSec\":null,"},
        {{2024, 0, 0, 1, 0, 0, 0, 0}, "{\"Timestamp\":null,"},
        {{2024, 13, 0, 1, 0, 0, 0, 0}, "{\"Timestamp\":null,"},
        {{2024, 1, 0, 0, 0, 0, 0, 0}, "{\"Timestamp\":null,"},
        {{2024, 1, 0, 32, 0, 0, 0, 0}, "{\"Timestamp\":null,"},
        {{2026, 2, 0, 29, 0, 0, 0, 0}, "{\"Timestamp\":null,"},
        {{2024, 1, 0, 1, 24, 0, 0, 0}, "{\"Timestamp\":null,"},
        {{2024, 1, 0, 1, 0, 60, 0, 0}, "{\"Timestamp\":null,"},
        {{2024, 1, 0, 1, 0, 0, 60, 0}, "{\"Timestamp\":null,"},
        {{2024, 1, 0, 1, 0, 0, 0, 1000}, "{\"Timestamp\":null,"},
    };
    const prfdata_columns none = {0};
    prfdata_output output = {NULL, 0, 0, false};
    prfdata_json_heads heads = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_json_put_sample(&output, &none, &heads, cases[i].time, NULL);
        expect_part(&output, cases[i].text);
    }
    prfdata_json_put_sample(&output, &none, &heads, NULL, NULL);
    expect_part(&output, "{\"Timestamp\":null,\"Timestamp100NSec\":null,\"CounterSamples\":[]}\n");
    prfdata_json_heads_free(&heads);
    prfdata_output_free(&output);
}

/* raw  The raw value of the column's counter; NULL: all of its fields are 0. */
static void put_value(prfdata_output *output, prfdata_column *column,
                      const prfdata_compute_raw *raw)
{
    prfdata_columns_counter counter = {0};
    prfdata_columns_object object = {.counters = &counter, .counter_count = 1};
    const prfdata_columns columns = {
        .items = column, .count = 1, .objects = &object, .object_count = 1};
    prfdata_json_heads heads = {0};

    if (raw)
        counter.raw = *raw;
    prfdata_json_put_sample(output, &columns, &heads, NULL, NULL);
    prfdata_json_heads_free(&heads);
}

static void test_json_numbers_exact(void **state)
{
    static const struct {
        prfdata_compute_value value;
        const char *text;
    } cases[] = {
        {{.number = 0.1}, "\"CookedValue\":0.1,"},
        {{.number = DBL_MAX}, "\"CookedValue\":1.7976931348623157e+308,"},
        {{.number = -DBL_MIN}, "\"CookedValue\":-2.2250738585072014e-308,"},
        {{.number = -1.0}, "\"CookedValue\":-1,"},
        {{.number = 1, .is_whole = true, .whole = INT64_MAX},
         "\"CookedValue\":9223372036854775807,"},
        {{.number = 1, .is_whole = true, .whole = INT64_MIN},
         "\"CookedValue\":-9223372036854775808,"},
    };
    prfdata_output output = {NULL, 0, 0, false};
    char heading[] = "\\\\PC\\A\\B";
    prfdata_column column = {.heading = heading, .status = PRFDATA_STATUS_OK};
    const prfdata_compute_raw raw = {.value_bytes = 8};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        column.value = cases[i].value;
        put_value(&output, &column, &raw);
        expect_part(&output, cases[i].text);
    }
    prfdata_output_free(&output);
}

enum { LONG_COLUMNS = 1000 };

typedef struct taken {
    prfdata_output text;
    size_t count;
} taken;

static void take_piece(void *context, prfdata_output *output)
{
    taken *t = context;

    assert_in_range(output->used, PRFDATA_OUTPUT_PIECE_BYTES, PRFDATA_OUTPUT_PIECE_BYTES + 1000);
    prfdata_output_put(&t->text, output->bytes, output->used);
    t->count++;
    prfdata_output_clear(output);
}

/* A sample is written in pieces with remembered texts of numbers, and as a whole without them. Both
 * have the same bytes. */
static void test_json_pieces_make_the_whole(void **state)
{
    char heading[] = "\\\\PC\\A\\B";
    static prfdata_column items[LONG_COLUMNS];
    static prfdata_decimal_texts texts;
    prfdata_columns_counter counter = {.raw = {.value_bytes = 8}};
    prfdata_columns_object object = {.counters = &counter, .counter_count = 1};
    prfdata_columns columns = {
        .items = items, .count = LONG_COLUMNS, .objects = &object, .object_count = 1};
    taken pieces = {0};
    const prfdata_output_taker taker = {take_piece, &pieces};
    prfdata_output whole = {0};
    prfdata_output rest = {0};
    prfdata_json_heads heads = {0};

    (void)state;
    for (size_t i = 0; i < LONG_COLUMNS; i++) {
        items[i] = (prfdata_column){.heading = heading, .status = PRFDATA_STATUS_OK};
        items[i].value.number = (double)(i % 100) / 7;
    }
    prfdata_json_put_sample(&whole, &columns, &heads, NULL, NULL);
    columns.texts = &texts;
    prfdata_json_put_sample(&rest, &columns, &heads, NULL, &taker);
    assert_in_range(pieces.count, 2, LONG_COLUMNS);
    prfdata_output_put(&pieces.text, rest.bytes, rest.used);
    assert_int_equal(pieces.text.used, whole.used);
    assert_memory_equal(pieces.text.bytes, whole.bytes, whole.used);
    prfdata_json_heads_free(&heads);
    prfdata_output_free(&pieces.text);
    prfdata_output_free(&whole);
    prfdata_output_free(&rest);
}

/* Columns of one counter share the text after the numbers, unless they have different statuses. */
static void test_json_columns_of_one_counter(void **state)
{
    char heading[] = "\\\\PC\\A\\B";
    prfdata_column items[] = {
        {.heading = heading, .status = PRFDATA_STATUS_OK, .is_known = true},
        {.heading = heading, .status = PRFDATA_STATUS_NEGATIVE_VALUE, .is_known = true},
        {.heading = heading, .status = PRFDATA_STATUS_OK, .is_known = true}};
    static const char *const wanted[] = {"PDH_CSTATUS_VALID_DATA", "PDH_CALC_NEGATIVE_VALUE",
                                         "PDH_CSTATUS_VALID_DATA"};
    prfdata_columns_counter counter = {.raw = {.value_bytes = 8}};
    prfdata_columns_object object = {.counters = &counter, .counter_count = 1};
    const prfdata_columns columns = {
        .items = items, .count = 3, .objects = &object, .object_count = 1};
    prfdata_output output = {0};
    prfdata_json_heads heads = {0};
    const char *at;

    (void)state;
    prfdata_json_put_sample(&output, &columns, &heads, NULL, NULL);
    prfdata_output_put(&output, "", 1);
    at = output.bytes;
    for (size_t i = 0; i < 3; i++) {
        at = strstr(at, "\"Status\"");
        assert_non_null(at);
        at = strstr(at, "Name\":\"") + strlen("Name\":\"");
        assert_memory_equal(at, wanted[i], strlen(wanted[i]));
    }
    prfdata_json_heads_free(&heads);
    prfdata_output_free(&output);
}

/* The raw members of the JSON have the values that PDH_RAW_COUNTER has for the type. The second
 * value is a time, a base or 0. */
static void test_json_raw_values_by_type(void **state)
{
    static const struct {
        prfdata_compute_raw raw;
        const char *text;
        const char *time_base;
    } cases[] = {
        /* RAWCOUNT: 4 bytes are unsigned; no second value */
        {{.type = 0x00010000, .value_bytes = 4, .value = UINT32_MAX},
         "\"RawValue\":4294967295,\"SecondValue\":0,\"MultipleCount\":1,",
         "\"TimeBase\":11}"},
        /* LARGE_RAWCOUNT: 8 bytes are signed */
        {{.type = 0x00010100, .value_bytes = 8, .value = (uint64_t)-2},
         "\"RawValue\":-2,\"SecondValue\":0,\"MultipleCount\":1,",
         "\"TimeBase\":11}"},
        /* LARGE_RAWCOUNT_HEX: 8 bytes are unsigned, as in the computed value */
        {{.type = 0x00000100, .value_bytes = 8, .value = (uint64_t)-2},
         "\"RawValue\":18446744073709551614,\"SecondValue\":0,\"MultipleCount\":1,",
         "\"TimeBase\":11}"},
        /* BULK_COUNT: a count is not signed */
        {{.type = 0x10410500, .value_bytes = 8, .value = (uint64_t)INT64_MAX + 5},
         "\"RawValue\":9223372036854775812,\"SecondValue\":101,\"MultipleCount\":1,",
         "\"TimeBase\":11}"},
        /* BULK_COUNT: the second value is PerfTime */
        {{.type = 0x10410500, .value_bytes = 8, .value = 5},
         "\"RawValue\":5,\"SecondValue\":101,\"MultipleCount\":1,",
         "\"TimeBase\":11}"},
        /* 100NSEC_TIMER: the second value is PerfTime100nSec */
        {{.type = 0x20510500, .value_bytes = 8, .value = 5},
         "\"RawValue\":5,\"SecondValue\":102,\"MultipleCount\":1,",
         "\"TimeBase\":10000000}"},
        /* OBJ_TIME_TIMER: the second value is the object's time */
        {{.type = 0x20610500, .value_bytes = 8, .value = 5},
         "\"RawValue\":5,\"SecondValue\":103,\"MultipleCount\":1,",
         "\"TimeBase\":13}"},
        /* RAW_FRACTION: the second value is the base */
        {{.type = 0x20020400, .value_bytes = 4, .value = 5, .base_bytes = 4, .base = 7},
         "\"RawValue\":5,\"SecondValue\":7,\"MultipleCount\":1,",
         "\"TimeBase\":11}"},
        /* MULTI_TIMER: the second value is PerfTime; the base, a number of components, is
         * MultipleCount */
        {{.type = 0x22410500, .value_bytes = 8, .value = 5, .base_bytes = 4, .base = 7},
         "\"RawValue\":5,\"SecondValue\":101,\"MultipleCount\":7,",
         "\"TimeBase\":11}"},
    };
    prfdata_output output = {NULL, 0, 0, false};
    char heading[] = "\\\\PC\\A\\B";

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_column column = {.heading = heading,
                                 .status = PRFDATA_STATUS_ONE_SAMPLE,
                                 .is_known = true,
                                 .type = cases[i].raw.type,
                                 .raw = {cases[i].raw.value, cases[i].raw.base}};
        prfdata_compute_raw raw = cases[i].raw;

        raw.perf_time = 101;
        raw.perf_freq = 11;
        raw.time_100ns = 102;
        raw.object_time = 103;
        raw.object_freq = 13;
        put_value(&output, &column, &raw);
        expect_part(&output, cases[i].text);
        put_value(&output, &column, &raw);
        expect_part(&output, cases[i].time_base);
    }
    prfdata_output_free(&output);
}

static void test_json_what_is_not_known_is_null(void **state)
{
    prfdata_output output = {NULL, 0, 0, false};
    char heading[] = "\\\\PC\\A\\B";
    prfdata_column column = {
        .heading = heading, .status = PRFDATA_STATUS_NO_DATA, .raw_status = PRFDATA_STATUS_NO_DATA};
    const prfdata_columns columns = {.items = &column, .count = 1};
    const prfdata_statistics statistics = {.skipped_count = 3};

    (void)state;
    put_value(&output, &column, NULL);
    expect_part(&output,
                "{\"Path\":\"\\\\\\\\PC\\\\A\\\\B\",\"InstanceName\":null,\"CookedValue\":null,"
                "\"RawValue\":null,\"SecondValue\":null,\"MultipleCount\":null,"
                "\"CounterType\":null,\"Timestamp\":null,\"Timestamp100NSec\":null,"
                "\"Status\":{\"Code\":2147485653,\"Name\":\"PDH_NO_DATA\"},"
                "\"DefaultScale\":null,\"TimeBase\":null}]}\n");
    prfdata_json_put_statistics(&output, &columns, &statistics);
    expect_part(&output, "{\"Statistics\":[{\"Path\":\"\\\\\\\\PC\\\\A\\\\B\",\"Values\":0,"
                         "\"Skipped\":3,\"Minimum\":null,\"Maximum\":null,\"Mean\":null,"
                         "\"TimeWeightedMean\":null,\"EndToEndMean\":null}]}\n");
    prfdata_output_free(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_strings_escaped),
        cmocka_unit_test(test_json_times_as_filetime),
        cmocka_unit_test(test_json_numbers_exact),
        cmocka_unit_test(test_json_pieces_make_the_whole),
        cmocka_unit_test(test_json_columns_of_one_counter),
        cmocka_unit_test(test_json_raw_values_by_type),
        cmocka_unit_test(test_json_what_is_not_known_is_null),
    };

    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
