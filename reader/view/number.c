/* SPDX-License-Identifier: MIT */
/*
 * Combines digits, separators and units. snprintf() makes the digits in the C locale, and
 * copy_digits() adds the user's separators.
 */
#include "view/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A double holds all whole numbers below this one. Larger numbers are written short, because some
 * of their digits may be wrong. */
#define EXACT_BELOW 9007199254740992.0
/* Smaller numbers are written with an exponent, because their digits are mostly zeros. */
#define LEAST_PLAIN 0.00005
#define LEAST_SHORT 0.001 /* prfdata_number_short() writes an exponent below this limit */

/* Limits in seconds: times are shown in hours from LEAST_HOURS to MOST_HOURS, and in days from
 * there to MOST_DAYS. */
#define LEAST_HOURS 3600
#define MOST_HOURS  360000
#define MOST_DAYS   8.64e8

/* Bits of a counter type that say how to show the value (winperf.h). */
#define SIZE_MASK      0x00000300u
#define SIZE_LARGE     0x00000100u
#define SIZE_TYPE_MASK 0x00000C00u
#define NUMBER_MASK    0x00030000u /* PERF_NUMBER_HEX is 0 */

static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"}; /* powers of 1000 */

/* ---- Units ---- */

enum { DISPLAY_SHIFT = 28, DISPLAY_PER_SECOND = 1, DISPLAY_PERCENT = 2, DISPLAY_SECONDS = 3 };

static bool is_letter(uint16_t character)
{
    const uint16_t lower = character | 0x20;

    return (lower >= 'a' && lower <= 'z') || character >= 0x80;
}

/* Returns whether "bytes" is a word of the name; KBytes and megabytes are other units. */
static bool name_has_bytes(prfdata_text name)
{
    size_t begin = 0;

    for (size_t end = 0; end <= name.count; end++) {
        if (end < name.count && is_letter(name.chars[end]))
            continue;
        if (prfdata_text_equal_ascii(prfdata_text_part(name, begin, end), "bytes"))
            return true;
        begin = end + 1;
    }
    return false;
}

prfdata_unit prfdata_number_unit(uint32_t type, prfdata_text name)
{
    switch (type >> DISPLAY_SHIFT) {
    case DISPLAY_PERCENT:
        return PRFDATA_NUMBER_PERCENT;
    case DISPLAY_SECONDS:
        return PRFDATA_NUMBER_SECONDS;
    case DISPLAY_PER_SECOND:
        return name_has_bytes(name) ? PRFDATA_NUMBER_BYTES_PER_SECOND : PRFDATA_NUMBER_PER_SECOND;
    default:
        return name_has_bytes(name) ? PRFDATA_NUMBER_BYTES : PRFDATA_NUMBER_NONE;
    }
}

/* The sign of each unit. `base` is the second for a unit of time, and otherwise the unit itself.
 * `factor` is the size of the unit in its base. */
static const struct {
    const char *sign;
    prfdata_unit base;
    double factor;
} units[PRFDATA_NUMBER_COUNT] = {
    [PRFDATA_NUMBER_NONE] = {"", PRFDATA_NUMBER_NONE, 1},
    [PRFDATA_NUMBER_PERCENT] = {"%", PRFDATA_NUMBER_PERCENT, 1},
    [PRFDATA_NUMBER_PER_SECOND] = {"/s", PRFDATA_NUMBER_PER_SECOND, 1},
    [PRFDATA_NUMBER_SECONDS] = {"s", PRFDATA_NUMBER_SECONDS, 1},
    [PRFDATA_NUMBER_BYTES] = {"B", PRFDATA_NUMBER_BYTES, 1},
    [PRFDATA_NUMBER_BYTES_PER_SECOND] = {"B/s", PRFDATA_NUMBER_BYTES_PER_SECOND, 1},
    [PRFDATA_NUMBER_MILLISECONDS] = {"ms", PRFDATA_NUMBER_SECONDS, 1e-3},
    [PRFDATA_NUMBER_MICROSECONDS] = {"us", PRFDATA_NUMBER_SECONDS, 1e-6},
    [PRFDATA_NUMBER_NANOSECONDS] = {"ns", PRFDATA_NUMBER_SECONDS, 1e-9},
    [PRFDATA_NUMBER_KIBIBYTES] = {"KiB", PRFDATA_NUMBER_KIBIBYTES, 1},
    [PRFDATA_NUMBER_MEBIBYTES] = {"MiB", PRFDATA_NUMBER_MEBIBYTES, 1},
    [PRFDATA_NUMBER_CELSIUS] = {"C", PRFDATA_NUMBER_CELSIUS, 1},
    [PRFDATA_NUMBER_VOLTS] = {"V", PRFDATA_NUMBER_VOLTS, 1},
    [PRFDATA_NUMBER_AMPERES] = {"A", PRFDATA_NUMBER_AMPERES, 1},
    [PRFDATA_NUMBER_WATTS] = {"W", PRFDATA_NUMBER_WATTS, 1},
    [PRFDATA_NUMBER_JOULES] = {"J", PRFDATA_NUMBER_JOULES, 1},
    [PRFDATA_NUMBER_HERTZ] = {"Hz", PRFDATA_NUMBER_HERTZ, 1},
    [PRFDATA_NUMBER_METERS] = {"m", PRFDATA_NUMBER_METERS, 1},
    [PRFDATA_NUMBER_GRAMS] = {"g", PRFDATA_NUMBER_GRAMS, 1},
};

const char *prfdata_number_sign(prfdata_unit unit)
{
    return units[unit].sign;
}

double prfdata_number_seconds(prfdata_unit unit)
{
    return units[unit].base == PRFDATA_NUMBER_SECONDS ? units[unit].factor : 0;
}

/* Convert a time to seconds. Other numbers keep their unit. */
static double in_base_unit(double number, prfdata_unit *unit)
{
    const double factor = units[*unit].factor;

    *unit = units[*unit].base;
    return number * factor;
}

/* Returns whether the unit follows its number without a blank, as in "50%". */
static bool is_close_unit(prfdata_unit unit)
{
    return unit == PRFDATA_NUMBER_NONE || unit == PRFDATA_NUMBER_PERCENT ||
           unit == PRFDATA_NUMBER_PER_SECOND;
}

/* ---- Digits ---- */

static size_t copy_digits(const char *digits, prfdata_number_style style, uint16_t *chars)
{
    const char *point = strpbrk(digits, ".e");
    const size_t length = strlen(digits);
    const size_t whole = point ? (size_t)(point - digits) : length;
    const size_t sign = *digits == '-' ? 1 : 0;
    size_t count = 0;

    for (size_t i = 0; i < length && count + 2 < PRFDATA_NUMBER_CHARS; i++) {
        if (style.group && i > sign && i < whole && (whole - i) % 3 == 0 && whole - sign > 3)
            chars[count++] = style.group;
        chars[count++] = digits[i] == '.' ? style.decimal : (unsigned char)digits[i];
    }
    return count;
}

/*
 * Return the number of decimals. A number below 1 keeps two or three significant digits, because
 * rounding a disk's 0.0006 s to 0.001 s would be wrong.
 */
static int decimals_of(double size)
{
    int decimals = 3;

    if (size >= 1000)
        return 0;
    if (size >= 100)
        return 1;
    if (size >= 1)
        return 2;
    while (size < 0.1 && decimals < 6) {
        size *= 10;
        decimals++;
    }
    return decimals;
}

size_t prfdata_number_whole(uint64_t number, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    char digits[32];

    snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    return copy_digits(digits, style, chars);
}

size_t prfdata_number_value(prfdata_compute_value value, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    const double size = fabs(value.number);
    char digits[40];

    if (!prfdata_compute_is_finite(value.number))
        return 0;
    if (value.is_whole)
        snprintf(digits, sizeof digits, "%lld", (long long)value.whole);
    else if (size == 0)
        snprintf(digits, sizeof digits, "0");
    else if (size >= EXACT_BELOW)
        return prfdata_number_short(value.number, PRFDATA_NUMBER_NONE, style, chars);
    else if (size < LEAST_PLAIN)
        snprintf(digits, sizeof digits, "%.2e", value.number);
    else
        snprintf(digits, sizeof digits, "%.*f", decimals_of(size), value.number);
    return copy_digits(digits, style, chars);
}

prfdata_compute_value prfdata_number_of(double number)
{
    const bool is_whole = fabs(number) < EXACT_BELOW && number == (double)(int64_t)number;

    return (prfdata_compute_value){
        .number = number, .is_whole = is_whole, .whole = is_whole ? (int64_t)number : 0};
}

size_t prfdata_number_exact(prfdata_compute_value value, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    char digits[40];

    if (value.is_whole || !prfdata_compute_is_finite(value.number))
        return prfdata_number_value(value, style, chars);
    snprintf(digits, sizeof digits, "%.15g", value.number);
    style.group = 0; /* no separators, so that the digits can be copied */
    return copy_digits(digits, style, chars);
}

bool prfdata_number_is_hex(uint32_t type)
{
    return (type & (SIZE_TYPE_MASK | NUMBER_MASK)) == 0;
}

size_t prfdata_number_hex(prfdata_compute_value value, uint32_t type,
                          uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    const prfdata_number_style plain = {'.', 0};
    char digits[40];

    if (!prfdata_number_is_hex(type) || !value.is_whole)
        return 0;
    snprintf(digits, sizeof digits, "%llXh", (unsigned long long)value.whole);
    return copy_digits(digits, plain, chars);
}

size_t prfdata_number_widest_hex(uint32_t type, uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    const bool is_large = (type & SIZE_MASK) == SIZE_LARGE;
    const uint64_t widest = is_large ? UINT64_C(0xDDDDDDDDDDDDDDDD) : UINT64_C(0xDDDDDDDD);
    const prfdata_compute_value value = {.is_whole = true, .whole = (int64_t)widest};

    return prfdata_number_hex(value, type, chars);
}

/* ---- Short ---- */

/* The least numbers that round to 1000: with three digits, and with one decimal. */
#define THOUSAND_SHORT   999.5
#define THOUSAND_DECIMAL 999.95

/*
 * Convert a time below a second to ns, us or ms, and return the prefix. A time that would be
 * written as 1000 of a unit gets the next larger unit. `thousand` is THOUSAND_SHORT or
 * THOUSAND_DECIMAL.
 */
static const char *part_of_second(double *seconds, double thousand)
{
    static const struct {
        double factor;
        const char *prefix;
    } parts[] = {{1e9, "n"}, {1e6, "u"}, {1e3, "m"}};

    for (size_t i = 0; *seconds != 0 && i < sizeof parts / sizeof parts[0]; i++) {
        if (fabs(*seconds) * parts[i].factor < thousand) {
            *seconds *= parts[i].factor;
            return parts[i].prefix;
        }
    }
    return "";
}

static size_t put_prefix_and_unit(uint16_t *chars, size_t count, const char *prefix,
                                  prfdata_unit unit)
{
    const char *sign = units[unit].sign;
    /* "5 k KiB", because kKiB would be no unit. */
    const bool is_prefixed =
        *prefix && (unit == PRFDATA_NUMBER_KIBIBYTES || unit == PRFDATA_NUMBER_MEBIBYTES);

    if ((*prefix || !is_close_unit(unit)) && count < PRFDATA_NUMBER_CHARS)
        chars[count++] = 0x00A0; /* no-break space */
    while (*prefix && count < PRFDATA_NUMBER_CHARS)
        chars[count++] = (unsigned char)*prefix++;
    if (is_prefixed && count < PRFDATA_NUMBER_CHARS)
        chars[count++] = 0x00A0;
    while (*sign && count < PRFDATA_NUMBER_CHARS)
        chars[count++] = (unsigned char)*sign++;
    return count;
}

size_t prfdata_number_put_unit(uint16_t chars[PRFDATA_NUMBER_CHARS], size_t count,
                               prfdata_unit unit)
{
    return count > 0 ? put_prefix_and_unit(chars, count, "", unit) : 0;
}

size_t prfdata_number_short(double number, prfdata_unit unit, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    double size;
    size_t prefix = 0;
    const char *part;
    char digits[40];

    if (!prfdata_compute_is_finite(number))
        return 0;
    number = in_base_unit(number, &unit);
    part = unit == PRFDATA_NUMBER_SECONDS ? part_of_second(&number, THOUSAND_SHORT) : "";
    size = fabs(number);
    while (!*part && prefix + 1 < sizeof prefixes / sizeof prefixes[0] && size >= THOUSAND_SHORT) {
        size /= 1000;
        prefix++;
    }
    snprintf(digits, sizeof digits,
             size >= THOUSAND_SHORT || (size > 0 && size < LEAST_SHORT) ? "%.1e" : "%.3g",
             number < 0 ? -size : size);
    return put_prefix_and_unit(chars, copy_digits(digits, style, chars),
                               *part ? part : prefixes[prefix], unit);
}

/* 2^64, to which a double rounds the largest number of 8 bytes. */
#define BITS_BELOW 18446744073709551616.0

static size_t put_hex_line(double number, uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    const prfdata_number_style plain = {'.', 0};
    char digits[40];

    if (!(number >= 0 && number <= BITS_BELOW) || floor(number) < number)
        return 0;
    snprintf(digits, sizeof digits, "%s%llXh", number < EXACT_BELOW ? "" : "~",
             number < BITS_BELOW ? (unsigned long long)number : (unsigned long long)UINT64_MAX);
    return copy_digits(digits, plain, chars);
}

/*
 * Return the value to write for a number of a line. Rates and percentages get decimals even if they
 * are whole, because they are computed: 9.00/s next to 24.10/s.
 */
static prfdata_compute_value value_of_line(double number, prfdata_unit unit)
{
    if (number != 0 && (unit == PRFDATA_NUMBER_PERCENT || unit == PRFDATA_NUMBER_PER_SECOND ||
                        unit == PRFDATA_NUMBER_BYTES_PER_SECOND))
        return (prfdata_compute_value){.number = number};
    return prfdata_number_of(number);
}

size_t prfdata_number_line(double number, uint32_t type, prfdata_unit unit, bool is_short,
                           prfdata_number_style style, uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    if (!prfdata_compute_is_finite(number))
        return 0;
    if (prfdata_number_is_hex(type))
        return put_hex_line(number, chars);
    number = in_base_unit(number, &unit);
    if (unit == PRFDATA_NUMBER_SECONDS) /* the form of a time does not depend on is_short */
        return prfdata_number_fit(prfdata_number_of(number), unit, style, PRFDATA_NUMBER_CHARS,
                                  chars);
    if (is_short || fabs(number) >= EXACT_BELOW)
        return prfdata_number_short(number, unit, style, chars);
    return prfdata_number_put_unit(
        chars, prfdata_number_value(value_of_line(number, unit), style, chars), unit);
}

/* ---- With units ---- */

static size_t put_hours(double number, prfdata_number_style style,
                        uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    const uint64_t seconds = (uint64_t)fabs(number);
    const char *sign = number < 0 ? "-" : "";
    char text[40];

    if (seconds < MOST_HOURS)
        snprintf(text, sizeof text, "%s%u:%02u:%02u", sign, (unsigned)(seconds / 3600),
                 (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
    else
        snprintf(text, sizeof text, "%s%ud %02uh", sign, (unsigned)(seconds / 86400),
                 (unsigned)(seconds / 3600 % 24));
    style.group = 0;
    return copy_digits(text, style, chars);
}

size_t prfdata_number_fit(prfdata_compute_value value, prfdata_unit unit,
                          prfdata_number_style style, size_t room,
                          uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    const bool is_time = prfdata_number_seconds(unit) > 0;
    double size;
    prfdata_compute_value shown;
    const char *prefix;
    size_t count;

    if (!prfdata_compute_is_finite(value.number))
        return 0;
    if (units[unit].base != unit)
        value = prfdata_number_of(in_base_unit(value.number, &unit));
    size = fabs(value.number);
    shown = value;
    prefix = is_time ? part_of_second(&shown.number, THOUSAND_DECIMAL) : "";
    if (is_time && size >= LEAST_HOURS && size < MOST_DAYS)
        return put_hours(value.number, style, chars);
    if (*prefix)
        shown.is_whole = false;
    count = put_prefix_and_unit(chars, prfdata_number_value(shown, style, chars), prefix, unit);
    if (count <= room && (shown.is_whole || size < EXACT_BELOW))
        return count;
    count = prfdata_number_short(value.number, unit, style, chars);
    if (count <= room)
        return count;
    return prfdata_number_short(value.number, PRFDATA_NUMBER_NONE, style, chars);
}

/* ---- Scales ---- */

/* Return how many decimals distinguish multiples of a step; steps are 1, 2 or 5 times a power of
 * ten. */
static int decimals_of_step(double step)
{
    int decimals = 0;

    while (decimals < 9 && step < 0.9999999) {
        step *= 10;
        decimals++;
    }
    return decimals;
}

/* Choose the letter for the numbers of a scale, and set *divisor to the number that the letter
 * stands for. Times get m, u or n, but no k, because nobody uses thousands of seconds. */
static const char *prefix_of_step(double step, prfdata_unit unit, double *divisor)
{
    static const char *const parts[] = {"", "m", "u", "n"};
    const bool is_time = unit == PRFDATA_NUMBER_SECONDS;
    size_t at = 0;

    *divisor = 1;
    while (is_time && at + 1 < sizeof parts / sizeof parts[0] && step / *divisor < 0.9999999) {
        *divisor /= 1000;
        at++;
    }
    while (!is_time && at + 1 < sizeof prefixes / sizeof prefixes[0] && step / *divisor >= 1000) {
        *divisor *= 1000;
        at++;
    }
    return is_time ? parts[at] : prefixes[at];
}

size_t prfdata_number_tick(double number, double step, prfdata_unit unit,
                           prfdata_number_style style, uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    const double factor = units[unit].factor;
    double largest;
    const char *prefix;
    double divisor;
    char digits[40];

    if (!prfdata_compute_is_finite(number) || !(step > 0))
        return 0;
    number = in_base_unit(number, &unit);
    step *= factor;
    largest = fabs(number);
    prefix = prefix_of_step(step, unit, &divisor);
    if (largest / divisor >= 1e7)
        snprintf(digits, sizeof digits, "%.2e", number / divisor);
    else
        snprintf(digits, sizeof digits, "%.*f", decimals_of_step(step / divisor),
                 number / divisor + 0.0);
    /* 0 needs no letter for thousands or millions. */
    if (strspn(digits, "-0.") == strlen(digits)) {
        snprintf(digits, sizeof digits, "0");
        prefix = "";
    }
    return put_prefix_and_unit(chars, copy_digits(digits, style, chars), prefix, unit);
}

size_t prfdata_number_hex_tick(double number, uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    const prfdata_number_style plain = {'.', 0};
    char digits[40];

    if (!(number >= 0 && number <= BITS_BELOW))
        return 0;
    if (number < BITS_BELOW)
        snprintf(digits, sizeof digits, "%llXh", (unsigned long long)number);
    else /* 2^64, the end of a scale of 64-bit numbers, has 65 bits */
        snprintf(digits, sizeof digits, "10000000000000000h");
    return copy_digits(digits, plain, chars);
}
