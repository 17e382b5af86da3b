/* SPDX-License-Identifier: MIT */
/* Tests how numbers and scales are written for people. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "support/reader/ascii_text.h"
#include "view/number.h"
#include "view/scale.h"

static const prfdata_number_style english = {'.', ','};
static const prfdata_number_style german = {',', '.'};

#define assert_shown(count_, chars_, expected_)                                                    \
    assert_true(ascii_text_is((prfdata_text){(chars_), (count_)}, (expected_)))

static void test_number_value_groups_digits_of_whole_numbers(void **state)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    prfdata_compute_value value = {.is_whole = true, .whole = 1234567, .number = 1234567};

    (void)state;
    assert_shown(prfdata_number_value(value, english, chars), chars, "1,234,567");
    assert_shown(prfdata_number_value(value, german, chars), chars, "1.234.567");
    value.whole = -123;
    assert_shown(prfdata_number_value(value, english, chars), chars, "-123");
    value.whole = INT64_MIN;
    assert_shown(prfdata_number_value(value, english, chars), chars, "-9,223,372,036,854,775,808");
    assert_shown(prfdata_number_whole(UINT64_MAX, english, chars), chars,
                 "18,446,744,073,709,551,615");
}

static void test_number_value_keeps_digits_that_count(void **state)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
#define SHOWS(number_, text_)                                                                      \
    assert_shown(                                                                                  \
        prfdata_number_value((prfdata_compute_value){.number = (number_)}, english, chars), chars, \
        text_)
    SHOWS(0, "0");
    SHOWS(0.123, "0.123");
    SHOWS(0.0123, "0.0123");
    SHOWS(0.00061234, "0.000612");
    SHOWS(-0.00061234, "-0.000612");
    SHOWS(0.000099, "0.000099");
    SHOWS(2.5, "2.50");
    SHOWS(12.345, "12.35");
    SHOWS(123.45, "123.5");
    SHOWS(12345.6, "12,346");
    SHOWS(-12345.6, "-12,346");
    SHOWS(0.000012, "1.20e-05");
    SHOWS(1e300, "1.0e+282\xA0"
                 "E");
    SHOWS(INFINITY, "");
    SHOWS(NAN, "");
}

static void test_number_short_has_three_digits_and_a_letter(void **state)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
#define SHORT(number_, text_)                                                                      \
    assert_shown(prfdata_number_short((number_), PRFDATA_NUMBER_NONE, english, chars), chars, text_)
    SHORT(0, "0");
    SHORT(12, "12");
    SHORT(0.1234, "0.123");
    SHORT(999.4, "999");
    SHORT(7998912730.0, "8\xA0G");
    SHORT(-7928912730.0, "-7.93\xA0G");
    SHORT(999600, "1\xA0M");
    SHORT(1.5e19, "15\xA0"
                  "E");
    SHORT(1.5e40, "1.5e+22\xA0"
                  "E");
    SHORT(NAN, "");
    assert_shown(prfdata_number_short(1234, PRFDATA_NUMBER_NONE, german, chars), chars,
                 "1,23\xA0k");
}

/* A time that would round to 1000 of its unit is shown in the next larger unit. */
static void test_number_short_rounds_a_time_into_the_next_part(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } times[] = {{0.9994, "999\xA0ms"},    {0.9997, "1\xA0s"},     {-0.9995, "-1\xA0s"},
                 {0.0009994, "999\xA0us"}, {0.0009997, "1\xA0ms"}, {999.7e-9, "1\xA0us"},
                 {999.4, "999\xA0s"},      {999.7, "1\xA0ks"}};
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        assert_shown(prfdata_number_short(times[i].seconds, PRFDATA_NUMBER_SECONDS, english, chars),
                     chars, times[i].text);
}

/* In the list of lines, rates and percentages have decimals, even if they are whole. 0 has no
 * decimals. Whole numbers without a unit have no decimals. */
static void test_number_line_has_one_notation_for_a_unit(void **state)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const uint32_t type = 0x00010000; /* a level */

    (void)state;
    assert_shown(prfdata_number_line(9, type, PRFDATA_NUMBER_PER_SECOND, false, english, chars),
                 chars, "9.00/s");
    assert_shown(prfdata_number_line(24.1, type, PRFDATA_NUMBER_PER_SECOND, false, english, chars),
                 chars, "24.10/s");
    assert_shown(prfdata_number_line(100, type, PRFDATA_NUMBER_PERCENT, false, english, chars),
                 chars, "100.0%");
    assert_shown(prfdata_number_line(0, type, PRFDATA_NUMBER_PERCENT, false, english, chars), chars,
                 "0%");
    assert_shown(prfdata_number_line(342, type, PRFDATA_NUMBER_NONE, false, english, chars), chars,
                 "342");
}

static void test_number_tick_is_short_and_has_its_unit(void **state)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    size_t count =
        prfdata_number_tick(200000, 50000, PRFDATA_NUMBER_BYTES_PER_SECOND, english, chars);

    (void)state;
    assert_int_equal(chars[3], 0x00A0);
    chars[3] = ' ';
    assert_shown(count, chars, "200 kB/s");
    /* All ticks of one scale have the same letter. */
    count = prfdata_number_tick(8000, 2000, PRFDATA_NUMBER_BYTES, english, chars);
    chars[1] = ' ';
    assert_shown(count, chars, "8 kB");
    count = prfdata_number_tick(12000, 2000, PRFDATA_NUMBER_BYTES, english, chars);
    chars[2] = ' ';
    assert_shown(count, chars, "12 kB");
    assert_shown(prfdata_number_tick(12000, 500, PRFDATA_NUMBER_NONE, english, chars), chars,
                 "12,000");
    assert_shown(prfdata_number_tick(50, 10, PRFDATA_NUMBER_PERCENT, english, chars), chars, "50%");
    assert_shown(prfdata_number_tick(0.25, 0.05, PRFDATA_NUMBER_NONE, german, chars), chars,
                 "0,25");
    assert_shown(prfdata_number_tick(0, 0.5, PRFDATA_NUMBER_NONE, english, chars), chars, "0");
    assert_shown(prfdata_number_tick(0, 1e15, PRFDATA_NUMBER_NONE, english, chars), chars, "0");
    assert_shown(prfdata_number_tick(-0.0, 1, PRFDATA_NUMBER_NONE, english, chars), chars, "0");
    assert_int_equal(prfdata_number_tick(NAN, 1, PRFDATA_NUMBER_NONE, english, chars), 0);
    assert_true(prfdata_number_tick(1e308, 1e307, PRFDATA_NUMBER_BYTES_PER_SECOND, english,
                                    chars) <= PRFDATA_NUMBER_CHARS);
}

/* A scale has the unit that the map gives the counter. Times are shown in seconds or parts of a
 * second, whatever they were counted in. If a unit cannot have a prefix, the letter for thousands
 * stands before it, as in "50 k KiB". */
static void test_number_tick_has_the_unit_of_the_map(void **state)
{
    static const struct {
        double number;
        double step;
        prfdata_unit unit;
        const char *text;
    } ticks[] = {{150000, 50000, PRFDATA_NUMBER_MICROSECONDS, "150\xA0ms"},
                 {2500, 500, PRFDATA_NUMBER_MICROSECONDS, "2,500\xA0us"},
                 {5000, 1000, PRFDATA_NUMBER_MILLISECONDS, "5\xA0s"},
                 {300, 100, PRFDATA_NUMBER_NANOSECONDS, "300\xA0ns"},
                 {500, 100, PRFDATA_NUMBER_KIBIBYTES, "500\xA0KiB"},
                 {50000, 10000, PRFDATA_NUMBER_KIBIBYTES, "50\xA0k\xA0KiB"},
                 {2000, 1000, PRFDATA_NUMBER_WATTS, "2\xA0kW"},
                 {21.5, 0.5, PRFDATA_NUMBER_CELSIUS,
                  "21.5\xA0"
                  "C"}};
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++)
        assert_shown(
            prfdata_number_tick(ticks[i].number, ticks[i].step, ticks[i].unit, english, chars),
            chars, ticks[i].text);
    assert_shown(prfdata_number_short(5000, PRFDATA_NUMBER_MILLISECONDS, english, chars), chars,
                 "5\xA0s");
}

static void test_number_tick_of_hexadecimal_numbers_has_all_digits(void **state)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
    assert_shown(prfdata_number_hex_tick(0, chars), chars, "0h");
    assert_shown(prfdata_number_hex_tick(48879, chars), chars, "BEEFh");
    assert_shown(prfdata_number_hex_tick(0x1p63, chars), chars, "8000000000000000h");
    assert_shown(prfdata_number_hex_tick(0x1p64, chars), chars, "10000000000000000h");
    assert_int_equal(prfdata_number_hex_tick(-1, chars), 0);
    assert_int_equal(prfdata_number_hex_tick(NAN, chars), 0);
}

/* A scale of times has parts of a second, but no thousands of seconds. */
static void test_number_tick_of_times_has_parts_of_a_second(void **state)
{
    static const struct {
        double number;
        double step;
        const char *text;
    } ticks[] = {{200000, 50000, "200,000\xA0s"},
                 {10, 2, "10\xA0s"},
                 {1, 0.2, "1,000\xA0ms"},
                 {0.005, 0.005, "5\xA0ms"},
                 {2e-6, 1e-6, "2\xA0us"},
                 {5e-8, 5e-9, "50\xA0ns"},
                 {0, 0.005, "0\xA0s"}};
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++)
        assert_shown(prfdata_number_tick(ticks[i].number, ticks[i].step, PRFDATA_NUMBER_SECONDS,
                                         english, chars),
                     chars, ticks[i].text);
}

/* The list of lines has the same form of times as the table and -top. */
static void test_number_line_has_times_that_one_can_read(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } lines[] = {{0, "0\xA0s"}, {0.0021, "2.10\xA0ms"}, {59.5, "59.50\xA0s"}, {194138, "53:55:38"}};
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
    for (size_t i = 0; i < 2 * sizeof lines / sizeof lines[0]; i++)
        assert_shown(prfdata_number_line(lines[i / 2].seconds, PERF_ELAPSED_TIME,
                                         PRFDATA_NUMBER_SECONDS, i % 2 != 0, english, chars),
                     chars, lines[i / 2].text);
}

/* Return the text with blanks in place of no-break spaces. */
static const char *fitted(prfdata_compute_value value, prfdata_unit unit, size_t room)
{
    static char text[PRFDATA_NUMBER_CHARS + 1];
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const size_t count =
        prfdata_number_fit(value, unit, (prfdata_number_style){'.', 0}, room, chars);

    for (size_t i = 0; i < count; i++)
        text[i] = chars[i] == 0x00A0 ? ' ' : (char)chars[i];
    text[count] = 0;
    return text;
}

static void test_number_fit_shortens_what_has_no_room(void **state)
{
    static const struct {
        double number;
        prfdata_unit unit;
        const char *text;
    } numbers[] = {
        {0, PRFDATA_NUMBER_NONE, "0"},
        {-0.0, PRFDATA_NUMBER_NONE, "0"},
        {9999999, PRFDATA_NUMBER_NONE, "9999999"},
        {9999999, PRFDATA_NUMBER_BYTES, "9999999 B"},
        {3162361, PRFDATA_NUMBER_BYTES_PER_SECOND, "3.16 MB/s"},
        {97574.37, PRFDATA_NUMBER_BYTES_PER_SECOND, "97574 B/s"},
        {97574.37, PRFDATA_NUMBER_PER_SECOND, "97574/s"},
        {12345678901.0, PRFDATA_NUMBER_NONE, "12.3 G"},
        {-7928912730.0, PRFDATA_NUMBER_BYTES_PER_SECOND, "-7.93 GB/s"},
        {1.0 / 3, PRFDATA_NUMBER_PERCENT, "0.333%"},
        {25, PRFDATA_NUMBER_PERCENT, "25%"},
        {0.001, PRFDATA_NUMBER_NONE, "0.00100"},
        {-0.00001234, PRFDATA_NUMBER_PER_SECOND, "-1.2e-05/s"},
        {18446744073709551615.0, PRFDATA_NUMBER_NONE, "18.4 E"},
        {1e30, PRFDATA_NUMBER_BYTES, "1.0e+12 EB"},
        /* The unit is left out rather than cut. */
        {1e30, PRFDATA_NUMBER_BYTES_PER_SECOND, "1.0e+12 E"},
        {INFINITY, PRFDATA_NUMBER_BYTES, ""},
        {8447, PRFDATA_NUMBER_MICROSECONDS, "8.45 ms"},
        {0, PRFDATA_NUMBER_MICROSECONDS, "0 s"},
        {2500000, PRFDATA_NUMBER_MICROSECONDS, "2.50 s"},
        {7, PRFDATA_NUMBER_NANOSECONDS, "7.00 ns"},
        {1250, PRFDATA_NUMBER_MILLISECONDS, "1.25 s"},
        {INFINITY, PRFDATA_NUMBER_MICROSECONDS, ""},
    };
    double number = 1e-9;

    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_string_equal(fitted(prfdata_number_of(numbers[i].number), numbers[i].unit, 10),
                            numbers[i].text);
    for (unsigned power = 0; power < 94; power++) { /* to 1e19 */
        assert_true(strlen(fitted(prfdata_number_of(number), PRFDATA_NUMBER_NONE, 8)) <= 8);
        assert_true(strlen(fitted(prfdata_number_of(-number), PRFDATA_NUMBER_NONE, 8)) <= 8);
        for (prfdata_unit unit = 0; unit < PRFDATA_NUMBER_COUNT; unit++) {
            const prfdata_compute_value value = {.number = -number};

            assert_true(strlen(fitted(value, unit, 10)) <= 10);
            assert_true(strtod(fitted(value, unit, 10), NULL) < 0 || number >= 3600);
        }
        number *= 2;
    }
}

/* Times below an hour are in seconds or parts of a second. Times from an hour on are in hours,
 * minutes and seconds. Times from 100 hours on are in days and hours. Times from 10000 days on are
 * in seconds again. */
static void test_number_fit_has_times_in_units_that_one_can_read(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } times[] = {
        {0, "0 s"},
        {1.43e-6, "1.43 us"},
        {1.43e-7, "143.0 ns"},
        {0.0021, "2.10 ms"},
        {0.99994, "999.9 ms"},
        {0.99996, "1.000 s"},
        {0.0009999, "999.9 us"},
        {0.00099996, "1.000 ms"},
        {-0.5, "-500.0 ms"},
        {59.5, "59.50 s"},
        {3599.9, "3600 s"},
        {3600, "1:00:00"},
        {-194138, "-53:55:38"},
        {359999, "99:59:59"},
        {360000, "4d 04h"},
        {8.63e8, "9988d 10h"},
        {1e12, "1 Ts"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        assert_string_equal(fitted(prfdata_number_of(times[i].seconds), PRFDATA_NUMBER_SECONDS, 10),
                            times[i].text);
}

static void test_number_hex_is_what_the_type_says(void **state)
{
    const prfdata_compute_value value = {.is_whole = true, .whole = 0xBEEF, .number = 0xBEEF};
    const prfdata_compute_value negative = {.is_whole = true, .whole = -1, .number = -1};
    const prfdata_compute_value large = {.is_whole = true, .whole = INT64_MAX, .number = 9.2e18};
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
    assert_shown(prfdata_number_hex(value, PERF_COUNTER_RAWCOUNT_HEX, chars), chars, "BEEFh");
    assert_shown(prfdata_number_hex(large, PERF_COUNTER_LARGE_RAWCOUNT_HEX, chars), chars,
                 "7FFFFFFFFFFFFFFFh");
    assert_shown(prfdata_number_hex(negative, PERF_COUNTER_LARGE_RAWCOUNT_HEX, chars), chars,
                 "FFFFFFFFFFFFFFFFh");
    assert_int_equal(prfdata_number_hex(prfdata_number_of(0.5), PERF_COUNTER_RAWCOUNT_HEX, chars),
                     0);
    assert_int_equal(prfdata_number_hex(value, PERF_COUNTER_RAWCOUNT, chars), 0);
    assert_int_equal(prfdata_number_hex(value, PERF_COUNTER_BULK_COUNT, chars), 0);
}

/* A number with 16 digits is written in full if its last digit is known and there is room.
 * Otherwise it is shortened with a letter. It never has an exponent. */
static void test_number_large_has_digits_that_are_known(void **state)
{
    const prfdata_compute_value whole = {
        .is_whole = true, .whole = 9007199254740993, .number = 9007199254740993.0};
    const double known = 9007199254740991.0;
    const double unknown = 9007199254740992.0;
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
    assert_shown(prfdata_number_value(whole, english, chars), chars, "9,007,199,254,740,993");
    assert_shown(prfdata_number_fit(whole, PRFDATA_NUMBER_NONE, english, 21, chars), chars,
                 "9,007,199,254,740,993");
    assert_shown(prfdata_number_fit(whole, PRFDATA_NUMBER_NONE, english, 20, chars), chars,
                 "9.01\xA0P");
    assert_shown(prfdata_number_value(prfdata_number_of(known), english, chars), chars,
                 "9,007,199,254,740,991");
    assert_shown(
        prfdata_number_fit(prfdata_number_of(known), PRFDATA_NUMBER_NONE, english, 21, chars),
        chars, "9,007,199,254,740,991");
    assert_shown(prfdata_number_line(known, PERF_COUNTER_LARGE_RAWCOUNT, PRFDATA_NUMBER_NONE, false,
                                     english, chars),
                 chars, "9,007,199,254,740,991");
    assert_shown(prfdata_number_value(prfdata_number_of(unknown), english, chars), chars,
                 "9.01\xA0P");
    assert_shown(
        prfdata_number_fit(prfdata_number_of(unknown), PRFDATA_NUMBER_NONE, english, 40, chars),
        chars, "9.01\xA0P");
    assert_shown(prfdata_number_line(unknown, PERF_COUNTER_LARGE_RAWCOUNT, PRFDATA_NUMBER_BYTES,
                                     false, english, chars),
                 chars, "9.01\xA0PB");
    assert_shown(prfdata_number_line(-unknown, PERF_COUNTER_BULK_COUNT,
                                     PRFDATA_NUMBER_BYTES_PER_SECOND, false, english, chars),
                 chars, "-9.01\xA0PB/s");
}

/* The widest hexadecimal number of a type has all digits of the type. Each digit is D, the widest
 * one in most fonts. Other types have no such number. */
static void test_number_widest_hex_is_as_wide_as_any(void **state)
{
    static const struct {
        uint32_t type;
        const char *widest;
    } types[] = {{PERF_COUNTER_RAWCOUNT_HEX, "DDDDDDDDh"},
                 {PERF_COUNTER_LARGE_RAWCOUNT_HEX, "DDDDDDDDDDDDDDDDh"},
                 {PERF_COUNTER_LARGE_RAWCOUNT, ""},
                 {PERF_COUNTER_BULK_COUNT, ""}};
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        assert_shown(prfdata_number_widest_hex(types[i].type, chars), chars, types[i].widest);
}

static void test_number_exact_has_all_digits_to_be_copied(void **state)
{
    const prfdata_compute_value whole = {.is_whole = true, .whole = INT64_MAX, .number = 9.2e18};
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
    assert_shown(prfdata_number_exact(whole, (prfdata_number_style){'.', 0}, chars), chars,
                 "9223372036854775807");
    assert_shown(prfdata_number_exact(prfdata_number_of(12345.678), german, chars), chars,
                 "12345,678");
    assert_true(prfdata_number_of(-9e14).is_whole);
    assert_int_equal(prfdata_number_of(-9e14).whole, -INT64_C(900000000000000));
    assert_false(prfdata_number_of(0.5).is_whole);
    assert_false(prfdata_number_of(1e300).is_whole);
    assert_false(prfdata_number_of(NAN).is_whole);
}

static void test_number_unit_follows_from_type_and_name(void **state)
{
    uint16_t chars[40];
    const prfdata_text bytes = ascii_text("Sent BYTES", chars);
    const prfdata_text none = {0};

    (void)state;
    assert_int_equal(prfdata_number_unit(0x10410500, none), PRFDATA_NUMBER_PER_SECOND);
    assert_int_equal(prfdata_number_unit(0x10410500, bytes), PRFDATA_NUMBER_BYTES_PER_SECOND);
    assert_int_equal(prfdata_number_unit(0x00010100, bytes), PRFDATA_NUMBER_BYTES);
    assert_int_equal(prfdata_number_unit(0x00010000, none), PRFDATA_NUMBER_NONE);
    assert_int_equal(prfdata_number_unit(0x20510500, bytes), PRFDATA_NUMBER_PERCENT);
    assert_int_equal(prfdata_number_unit(0x30240500, none), PRFDATA_NUMBER_SECONDS);
}

static void test_number_unit_follows_in_one_form(void **state)
{
    static const struct {
        prfdata_unit unit;
        const char *exact;
        const char *shortened;
    } forms[] = {
        {PRFDATA_NUMBER_NONE, "1234", "1.23\xA0k"},
        {PRFDATA_NUMBER_PERCENT, "1234%", "1.23\xA0k%"},
        {PRFDATA_NUMBER_PER_SECOND, "1234/s", "1.23\xA0k/s"},
        {PRFDATA_NUMBER_SECONDS, "1234\xA0s", "1.23\xA0ks"},
        {PRFDATA_NUMBER_BYTES,
         "1234\xA0"
         "B",
         "1.23\xA0kB"},
        {PRFDATA_NUMBER_BYTES_PER_SECOND,
         "1234\xA0"
         "B/s",
         "1.23\xA0kB/s"},
        {PRFDATA_NUMBER_MILLISECONDS, "1234\xA0ms", "1.23\xA0s"},
        {PRFDATA_NUMBER_MICROSECONDS, "1234\xA0us", "1.23\xA0ms"},
        {PRFDATA_NUMBER_NANOSECONDS, "1234\xA0ns", "1.23\xA0us"},
        {PRFDATA_NUMBER_KIBIBYTES, "1234\xA0KiB", "1.23\xA0k\xA0KiB"},
        {PRFDATA_NUMBER_MEBIBYTES, "1234\xA0MiB", "1.23\xA0k\xA0MiB"},
        {PRFDATA_NUMBER_CELSIUS,
         "1234\xA0"
         "C",
         "1.23\xA0kC"},
        {PRFDATA_NUMBER_VOLTS, "1234\xA0V", "1.23\xA0kV"},
        {PRFDATA_NUMBER_AMPERES,
         "1234\xA0"
         "A",
         "1.23\xA0kA"},
        {PRFDATA_NUMBER_WATTS, "1234\xA0W", "1.23\xA0kW"},
        {PRFDATA_NUMBER_JOULES, "1234\xA0J", "1.23\xA0kJ"},
        {PRFDATA_NUMBER_HERTZ, "1234\xA0Hz", "1.23\xA0kHz"},
        {PRFDATA_NUMBER_METERS, "1234\xA0m", "1.23\xA0km"},
        {PRFDATA_NUMBER_GRAMS, "1234\xA0g", "1.23\xA0kg"},
    };
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    (void)state;
    assert_int_equal(sizeof forms / sizeof forms[0], PRFDATA_NUMBER_COUNT);
    for (size_t i = 0; i < PRFDATA_NUMBER_COUNT; i++) {
        const size_t digits =
            prfdata_number_exact(prfdata_number_of(1234), (prfdata_number_style){'.', 0}, chars);

        assert_shown(prfdata_number_put_unit(chars, digits, forms[i].unit), chars, forms[i].exact);
        assert_shown(prfdata_number_short(1234, forms[i].unit, english, chars), chars,
                     forms[i].shortened);
        assert_int_equal(prfdata_number_put_unit(chars, 0, forms[i].unit), 0);
    }
}

/* "Available KBytes" has no unit, because it does not count single bytes. */
static void test_number_unit_of_bytes_has_that_word(void **state)
{
    static const struct {
        const char *name;
        prfdata_unit unit;
    } names[] = {
        {"Available Bytes", PRFDATA_NUMBER_BYTES},  {"bytes", PRFDATA_NUMBER_BYTES},
        {"% Bytes/sec", PRFDATA_NUMBER_BYTES},      {"Bytes in use", PRFDATA_NUMBER_BYTES},
        {"Available KBytes", PRFDATA_NUMBER_NONE},  {"Available MBytes", PRFDATA_NUMBER_NONE},
        {"Total Megabytes/s", PRFDATA_NUMBER_NONE}, {"Bytestreams", PRFDATA_NUMBER_NONE},
        {"Byte order", PRFDATA_NUMBER_NONE},        {"", PRFDATA_NUMBER_NONE}};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint16_t chars[40];

        assert_int_equal(prfdata_number_unit(0x00010100, ascii_text(names[i].name, chars)),
                         names[i].unit);
    }
}

/* ---- Scales ---- */

static void assert_scale(double least, double most, uint32_t steps, double low, double high,
                         double step)
{
    const prfdata_scale scale = prfdata_scale_make(least, most, steps, false);

    assert_true(fabs(scale.low - low) < 1e-9 * fabs(high) + 1e-12);
    assert_true(fabs(scale.high - high) < 1e-9 * fabs(high) + 1e-12);
    assert_true(fabs(scale.step - step) < 1e-9 * step);
}

static void test_scale_has_steps_of_1_2_5(void **state)
{
    (void)state;
    assert_scale(0, 7, 5, 0, 8, 2);
    assert_scale(3, 100, 5, 0, 100, 20);
    assert_scale(0, 101, 5, 0, 150, 50);
    assert_scale(0, 0.034, 4, 0, 0.04, 0.01);
    assert_scale(1, 4.2e9, 5, 0, 5e9, 1e9);
    assert_scale(-3, 12, 4, -5, 15, 5);
    assert_scale(-30, -10, 4, -30, 0, 10);
    assert_scale(NAN, NAN, 4, 0, 1, 0.5);
    assert_scale(0, 0, 1, 0, 1, 1);
}

/* Any values give an axis that can be drawn. The axis includes all values below 1e300. */
static void test_scale_holds_any_values(void **state)
{
    static const double values[] = {0, 1e-320, 1e-200, 1e-9, 0.3, 1, 9.99, 1e6, 1e100, 1e308};

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            for (uint32_t steps = 1; steps <= 10; steps++) {
                const prfdata_scale scale = prfdata_scale_make(-values[i], values[k], steps, false);

                assert_true(scale.step > 0 && scale.high > scale.low);
                assert_true(scale.high - scale.low < 1e302);
                assert_true((scale.high - scale.low) / scale.step < steps + 1.5);
                if (values[k] < 1e300 && values[i] < 1e300) {
                    const double little = (scale.high - scale.low) * 1e-8;

                    assert_true(scale.high + little >= values[k]);
                    assert_true(scale.low - little <= -values[i]);
                }
            }
        }
    }
}

static void test_scale_time_steps_are_those_of_clocks(void **state)
{
    (void)state;
    assert_int_equal(prfdata_scale_time_step(120000, 6), 30000);
    assert_int_equal(prfdata_scale_time_step(120000, 8), 15000);
    assert_int_equal(prfdata_scale_time_step(3600000, 6), 600000);
    assert_int_equal(prfdata_scale_time_step(10000, 100), 1000);
    assert_int_equal(prfdata_scale_time_step(INT64_C(86400000) * 365, 5) % 86400000, 0);
}

static void test_scale_of_hexadecimal_numbers_has_powers_of_two(void **state)
{
    prfdata_scale scale = prfdata_scale_make(0, 48879, 5, true);

    (void)state;
    assert_true(scale.low == 0 && scale.high == 0xC000 && scale.step == 0x4000);
    scale = prfdata_scale_make(0, 1, 5, true);
    assert_true(scale.low == 0 && scale.high == 1 && scale.step == 1);
    scale = prfdata_scale_make(NAN, NAN, 5, true);
    assert_true(scale.high == 1 && scale.step == 1);
    scale = prfdata_scale_make(0, 0x1p64, 4, true);
    assert_true(scale.high == 0x1p64 && scale.step == 0x1p62);
    scale = prfdata_scale_make_log(3, 48879, 5, true);
    assert_true(scale.low == 1 && scale.high == 0x10000 && scale.step == 16);
    scale = prfdata_scale_make_log((double)NAN, NAN, 5, true);
    assert_true(scale.low == 1 && scale.high == 16);
}

/* A logarithmic axis has decades. If there are many, not every decade has a line. Values of 0 and
 * below are at the bottom. */
static void test_scale_is_logarithmic_from_the_least_above_zero(void **state)
{
    prfdata_scale scale = prfdata_scale_make_log(0.03, 4500, 10, false);

    (void)state;
    assert_true(scale.is_log && scale.low == 0.01 && scale.high == 10000 && scale.step == 10);
    assert_int_equal(prfdata_scale_line_count(&scale), 7);
    assert_true(prfdata_scale_line(&scale, 3) > 9.99 && prfdata_scale_line(&scale, 3) < 10.01);
    assert_true(prfdata_scale_part(&scale, 10) > 0.499 && prfdata_scale_part(&scale, 10) < 0.501);
    assert_true(prfdata_scale_part(&scale, 0) == 0 && prfdata_scale_part(&scale, -5) == 0);
    assert_true(prfdata_scale_part(&scale, 1e9) == 1);
    scale = prfdata_scale_make_log(0.03, 4500, 3, false);
    assert_true(scale.low == 0.01 && scale.high == 10000 && scale.step == 100);
    assert_int_equal(prfdata_scale_line_count(&scale), 4);
    scale = prfdata_scale_make_log(100, 100, 5, false);
    assert_true(scale.low == 100 && scale.high == 1000);
    scale = prfdata_scale_make_log(1e-40, 1e10, 20, false);
    assert_true(scale.high == 1e10 && scale.low > 0.9e-5 && scale.low < 1.1e-5);
    scale = prfdata_scale_make_log((double)NAN, 0, 5, false);
    assert_true(scale.low == 1 && scale.high == 10);
    scale = prfdata_scale_make(0, 100, 5, false);
    assert_int_equal(prfdata_scale_line_count(&scale), 6);
    assert_true(prfdata_scale_line(&scale, 2) == 40 && prfdata_scale_part(&scale, 25) == 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_value_groups_digits_of_whole_numbers),
        cmocka_unit_test(test_number_value_keeps_digits_that_count),
        cmocka_unit_test(test_number_short_has_three_digits_and_a_letter),
        cmocka_unit_test(test_number_short_rounds_a_time_into_the_next_part),
        cmocka_unit_test(test_number_fit_shortens_what_has_no_room),
        cmocka_unit_test(test_number_fit_has_times_in_units_that_one_can_read),
        cmocka_unit_test(test_number_hex_is_what_the_type_says),
        cmocka_unit_test(test_number_large_has_digits_that_are_known),
        cmocka_unit_test(test_number_widest_hex_is_as_wide_as_any),
        cmocka_unit_test(test_number_exact_has_all_digits_to_be_copied),
        cmocka_unit_test(test_number_line_has_one_notation_for_a_unit),
        cmocka_unit_test(test_number_tick_is_short_and_has_its_unit),
        cmocka_unit_test(test_number_tick_of_times_has_parts_of_a_second),
        cmocka_unit_test(test_number_tick_has_the_unit_of_the_map),
        cmocka_unit_test(test_number_tick_of_hexadecimal_numbers_has_all_digits),
        cmocka_unit_test(test_scale_of_hexadecimal_numbers_has_powers_of_two),
        cmocka_unit_test(test_number_line_has_times_that_one_can_read),
        cmocka_unit_test(test_number_unit_follows_from_type_and_name),
        cmocka_unit_test(test_number_unit_follows_in_one_form),
        cmocka_unit_test(test_number_unit_of_bytes_has_that_word),
        cmocka_unit_test(test_scale_has_steps_of_1_2_5),
        cmocka_unit_test(test_scale_holds_any_values),
        cmocka_unit_test(test_scale_time_steps_are_those_of_clocks),
        cmocka_unit_test(test_scale_is_logarithmic_from_the_least_above_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
