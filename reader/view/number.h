/* SPDX-License-Identifier: MIT */
/*
 * Numbers as a person reads them, and the unit that a counter is in: in the window, and on a
 * terminal. Knows the user's separators from the caller, and no locale.
 */
#ifndef PRFDATA_READER_NUMBER_H
#define PRFDATA_READER_NUMBER_H

#include "compute/compute.h"
#include "text/text.h"

#define PRFDATA_NUMBER_CHARS 48 /* what any number needs, with its unit */

/* How the user writes numbers. */
typedef struct prfdata_number_style {
    uint16_t decimal; /* a char such as '.' */
    uint16_t group;   /* between thousands; 0: nothing */
} prfdata_number_style;

/* What a counter's value is in. Series of one unit share a scale. */
typedef enum prfdata_unit {
    PRFDATA_NUMBER_NONE,
    PRFDATA_NUMBER_PERCENT,
    PRFDATA_NUMBER_PER_SECOND,
    PRFDATA_NUMBER_SECONDS,
    PRFDATA_NUMBER_BYTES,
    PRFDATA_NUMBER_BYTES_PER_SECOND,
    PRFDATA_NUMBER_MILLISECONDS, /* these three as a map says, never by a type */
    PRFDATA_NUMBER_MICROSECONDS,
    PRFDATA_NUMBER_NANOSECONDS,
    PRFDATA_NUMBER_COUNT
} prfdata_unit;

/* The unit that a CounterType shows; bytes, which no type has, by the counter's English name. */
prfdata_unit prfdata_number_unit(uint32_t type, prfdata_text name);

/* How many seconds one of a unit of time is; 0: it is no time. */
double prfdata_number_seconds(prfdata_unit unit);

/*
 * Write a value: a whole one with all of its digits, another with two or three that count. Infinity
 * and NaN give nothing.
 *
 * chars  Gets at most PRFDATA_NUMBER_CHARS chars, no NUL.
 * Returns the number of chars.
 */
size_t prfdata_number_value(prfdata_compute_value value, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS]);

/* A number as a value: a whole one if it is one that a double holds with all of its digits. */
prfdata_compute_value prfdata_number_of(double number);

/* Write a value with as many digits as it has, up to 15 unless it is whole: for details. */
size_t prfdata_number_exact(prfdata_compute_value value, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS]);

/*
 * Write a whole value in hexadecimal with an h, if its type says so; else nothing. One of 8 bytes
 * below 0 has all of its bits.
 */
size_t prfdata_number_hex(prfdata_compute_value value, uint32_t type,
                          uint16_t chars[PRFDATA_NUMBER_CHARS]);

/*
 * Write a number of a line of a chart, with its unit. That of a hexadecimal counter is never
 * written in decimal; if it has more bits than a double holds, ~ is before it; what is not whole,
 * such as a mean, gives nothing.
 *
 * type      The CounterType.
 * is_short  For where all digits have no room.
 */
size_t prfdata_number_line(double number, uint32_t type, prfdata_unit unit, bool is_short,
                           prfdata_number_style style, uint16_t chars[PRFDATA_NUMBER_CHARS]);

/* Whether a CounterType is shown in hexadecimal. */
bool prfdata_number_is_hex(uint32_t type);

/* Write an unsigned number with all of its digits, as prfdata_number_value() does. */
size_t prfdata_number_whole(uint64_t number, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS]);

/*
 * Put the unit after a number of `count` chars, if there is one: "50%" and "30/s", "100 B/s" with a
 * blank that does not break. Returns the number of chars of both.
 */
size_t prfdata_number_put_unit(uint16_t chars[PRFDATA_NUMBER_CHARS], size_t count,
                               prfdata_unit unit);

/*
 * Write a number with three digits that count, k, M, G, T, P or E, and its unit: for where all of
 * its digits have no room, of which some would be another number. Very small and very large ones
 * have two digits and an exponent.
 */
size_t prfdata_number_short(double number, prfdata_unit unit, prfdata_number_style style,
                            uint16_t chars[PRFDATA_NUMBER_CHARS]);

/*
 * Write a value with its unit, for where nothing else says it: with all of its digits as
 * prfdata_number_value() has them, or short if they have no room. Times are in ms, us or ns below a
 * second, from an hour on h:mm:ss or in days: 194138 s is nothing that one can read.
 *
 * room  Of chars. A number that has none even without its unit is not cut.
 */
size_t prfdata_number_fit(prfdata_compute_value value, prfdata_unit unit,
                          prfdata_number_style style, size_t room,
                          uint16_t chars[PRFDATA_NUMBER_CHARS]);

/*
 * Write the number at a line of a scale, short, with k, M, G, T, P or E and the unit: "200 kB/s".
 *
 * step  Of the scale, above 0: the number gets as many decimals as tell it from its neighbours, and
 *       all numbers of a scale get the same letter.
 */
size_t prfdata_number_tick(double number, double step, prfdata_unit unit,
                           prfdata_number_style style, uint16_t chars[PRFDATA_NUMBER_CHARS]);

#endif
