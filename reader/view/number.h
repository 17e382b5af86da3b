/* SPDX-License-Identifier: MIT */
/*
 * Writes numbers for people, and finds the unit of a counter, for the window and for a terminal.
 * The caller gives the user's separators; no locale is used.
 */
#ifndef PRFDATA_READER_NUMBER_H
#define PRFDATA_READER_NUMBER_H

#include "compute/compute.h"
#include "text/text.h"

#define PRFDATA_NUMBER_CHARS 48 /* enough for any number with its unit */

typedef struct prfdata_number_style {
    uint16_t decimal; /* a char such as '.' */
    uint16_t group;   /* between thousands; 0: none */
} prfdata_number_style;

typedef enum prfdata_unit {
    PRFDATA_NUMBER_NONE,
    PRFDATA_NUMBER_PERCENT,
    PRFDATA_NUMBER_PER_SECOND,
    PRFDATA_NUMBER_SECONDS,
    PRFDATA_NUMBER_BYTES,
    PRFDATA_NUMBER_BYTES_PER_SECOND,
    PRFDATA_NUMBER_MILLISECONDS, /* this and all following units come from a map, never from a
                                    type */
    PRFDATA_NUMBER_MICROSECONDS,
    PRFDATA_NUMBER_NANOSECONDS,
    PRFDATA_NUMBER_KIBIBYTES,
    PRFDATA_NUMBER_MEBIBYTES,
    PRFDATA_NUMBER_CELSIUS,
    PRFDATA_NUMBER_VOLTS,
    PRFDATA_NUMBER_AMPERES,
    PRFDATA_NUMBER_WATTS,
    PRFDATA_NUMBER_JOULES,
    PRFDATA_NUMBER_HERTZ,
    PRFDATA_NUMBER_METERS,
    PRFDATA_NUMBER_GRAMS,
    PRFDATA_NUMBER_COUNT
} prfdata_unit;

/*
 * Return the unit of a CounterType. No CounterType stands for bytes, so bytes are recognised by the
 * counter's English name.
 */
prfdata_unit prfdata_number_unit(uint32_t type, prfdata_text name);

/* Return the sign of a unit in ASCII, such as "us" or "%"; empty: it has none. Static storage. */
const char *prfdata_number_sign(prfdata_unit unit);

/* Return the number of seconds in a unit of time; 0 if it is not a unit of time. */
double prfdata_number_seconds(prfdata_unit unit);

/*
 * Write a value. A whole number has all of its digits. The form of any other number depends on its
 * size: an exponent if below 0.00005, two or three significant digits if below 1, two decimals if
 * below 100, one decimal if below 1000, otherwise no decimals. A number of 2^53 or more that is not
 * marked as whole is written short, because some of its digits may be wrong. Infinity and NaN write
 * nothing.
 *
 * chars  Gets at most PRFDATA_NUMBER_CHARS chars, no NUL.
 * Returns the number of chars.
 */
size_t prfdata_number_value(prfdata_compute_value value, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS]);

/* Return a number as a value, which is whole if the number is whole and its size is below 2^53. */
prfdata_compute_value prfdata_number_of(double number);

/*
 * Write a whole value with all of its digits, with the user's separators. Write any other value
 * with up to 15 digits, without separators of thousands.
 */
size_t prfdata_number_exact(prfdata_compute_value value, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS]);

/*
 * Write a whole value in hexadecimal, with an h, if values of this type are shown so. Otherwise
 * write nothing. A negative value is written with all of its 64 bits.
 */
size_t prfdata_number_hex(prfdata_compute_value value, uint32_t type,
                          uint16_t chars[PRFDATA_NUMBER_CHARS]);

/* Write the widest number that prfdata_number_hex() writes for a type; nothing if it writes none.
 * All digits are D, the widest digit in most fonts. */
size_t prfdata_number_widest_hex(uint32_t type, uint16_t chars[PRFDATA_NUMBER_CHARS]);

/*
 * Write a number of a chart's line, with its unit. A number of a hexadecimal counter is written in
 * hexadecimal, with ~ before it if it has more bits than a double holds. Nothing is written if the
 * number of a hexadecimal counter is below 0, above 2^64 or not whole. Most averages are not whole.
 *
 * type      The CounterType.
 * is_short  There is no room for all digits. Times and hexadecimal numbers do not become shorter.
 */
size_t prfdata_number_line(double number, uint32_t type, prfdata_unit unit, bool is_short,
                           prfdata_number_style style, uint16_t chars[PRFDATA_NUMBER_CHARS]);

bool prfdata_number_is_hex(uint32_t type);

/* Write an unsigned number with all of its digits, as prfdata_number_value() does. */
size_t prfdata_number_whole(uint64_t number, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS]);

/*
 * Put the unit, if there is one, after a number of `count` chars: "50%", "30/s" or, with a no-break
 * space, "100 B/s". Returns the number of chars of both.
 */
size_t prfdata_number_put_unit(uint16_t chars[PRFDATA_NUMBER_CHARS], size_t count,
                               prfdata_unit unit);

/*
 * Write a number with three significant digits, k, M, G, T, P or E, and its unit; a time below a
 * second in ms, us or ns. Use it if there is no room for all digits, because cut digits would look
 * like another number. Very small and very large numbers have two digits and an exponent.
 */
size_t prfdata_number_short(double number, prfdata_unit unit, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS]);

/*
 * Write a value with its unit, for places where nothing else shows the unit. Write it as
 * prfdata_number_value() does, or short if there is no room. Times below a second are in ms, us or
 * ns. Times from an hour to 10,000 days are h:mm:ss or in days, because nobody can read 194138 s.
 *
 * room  The room in chars. A number that is too long even without its unit is written anyway.
 */
size_t prfdata_number_fit(prfdata_compute_value value, prfdata_unit unit,
                          prfdata_number_style style, size_t room,
                          uint16_t chars[PRFDATA_NUMBER_CHARS]);

/*
 * Write the number at a grid line of a scale, short, with k, M, G, T, P or E and the unit: "200
 * kB/s". Times are in s, ms, us or ns.
 *
 * step  The step of the scale, above 0. The number gets as many decimals as distinguish it from its
 *       neighbours, and all numbers of a scale except 0 get the same letter.
 */
size_t prfdata_number_tick(double number, double step, prfdata_unit unit,
                           prfdata_number_style style, uint16_t chars[PRFDATA_NUMBER_CHARS]);

/* Write the number at a grid line of a scale of hexadecimal numbers, with all of its digits. */
size_t prfdata_number_hex_tick(double number, uint16_t chars[PRFDATA_NUMBER_CHARS]);

#endif
