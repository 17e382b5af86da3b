/* SPDX-License-Identifier: MIT */
/*
 * Derives the formula of a CounterType from its bit fields. This covers all predefined types with a
 * value, and types that are not predefined. compute.c applies the formula.
 *
 * N is the value, B the base or second value, D the time, and F the ticks of D per second. N1, B1
 * and D1 are from the newer sample. N0, B0 and D0 are from the older sample.
 */
#ifndef PRFDATA_READER_COUNTER_FORMULA_H
#define PRFDATA_READER_COUNTER_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum prfdata_counter_kind {
    PRFDATA_COUNTER_UNKNOWN,   /* no document defines its bits */
    PRFDATA_COUNTER_NUMBER,    /* has a formula */
    PRFDATA_COUNTER_TEXT,      /* UTF-16, or bytes of the object's code page */
    PRFDATA_COUNTER_NO_DATA,   /* has a title and no value */
    PRFDATA_COUNTER_HISTOGRAM, /* begins or ends a histogram */
    PRFDATA_COUNTER_BASE       /* belongs to the counter before it */
} prfdata_counter_kind;

typedef enum prfdata_formula_numerator {
    PRFDATA_NUMERATOR_ZERO,   /* 0, whatever the value is */
    PRFDATA_NUMERATOR_LEVEL,  /* N1 */
    PRFDATA_NUMERATOR_GROWTH, /* N1 - N0 */
    PRFDATA_NUMERATOR_AGE     /* D1 - N1; 0 if N1 is 0, because then nothing has started */
} prfdata_formula_numerator;

typedef enum prfdata_formula_denominator {
    PRFDATA_DENOMINATOR_NONE,
    PRFDATA_DENOMINATOR_TICKS,      /* D1 - D0 */
    PRFDATA_DENOMINATOR_SECONDS,    /* (D1 - D0) / F */
    PRFDATA_DENOMINATOR_BASE,       /* B1 */
    PRFDATA_DENOMINATOR_BASE_GROWTH /* B1 - B0 */
} prfdata_formula_denominator;

typedef enum prfdata_formula_clock {
    PRFDATA_CLOCK_NONE,
    PRFDATA_CLOCK_PERF,  /* PerfTime and PerfFreq of the data block */
    PRFDATA_CLOCK_100NS, /* PerfTime100nSec */
    PRFDATA_CLOCK_OBJECT /* PerfTime and PerfFreq of the object */
} prfdata_formula_clock;

typedef struct prfdata_counter_formula {
    prfdata_counter_kind kind; /* if not a number, all other fields except is_text_ansi are 0 */
    prfdata_formula_numerator numerator;
    prfdata_formula_denominator denominator;
    prfdata_formula_clock clock;
    bool is_ticks;      /* the numerator is divided by F */
    bool is_multi;      /* the value has B1 components: divide by B1, unless is_inverse */
    bool is_inverse;    /* subtract from 1; if is_multi, subtract from B1 */
    bool is_percent;    /* shown with a "%" */
    bool is_ratio;      /* multiply by 100 */
    bool is_thousandth; /* divide by 1000 */
    bool is_double;     /* N1 is a floating-point number of 8 bytes */
    bool is_text_ansi;  /* a text in the object's code page */
} prfdata_counter_formula;

prfdata_counter_formula prfdata_counter_formula_of(uint32_t type);

/* Returns whether the formula uses the base that follows the counter, or a second value. */
bool prfdata_counter_formula_needs_base(const prfdata_counter_formula *formula);

/* Returns whether the formula also uses the previous sample. */
bool prfdata_counter_formula_needs_two_samples(const prfdata_counter_formula *formula);

/*
 * Write the formula of a number as text, such as "100 * (N1 - N0) / (D1 - D0)"; an empty text if
 * the kind is not a number.
 *
 * text  Gets at most `capacity` bytes with the NUL; 80 are enough.
 */
void prfdata_counter_formula_text(const prfdata_counter_formula *formula, char *text,
                                  size_t capacity);

/*
 * Write what users need to know about the value of a type, such as
 *   - how the bits were read, if the type is not predefined
 *   - how documents differ from the formula
 *   - why there is no number
 *
 * text  Gets at most `capacity` bytes with the NUL, without a full stop; 200 are enough.
 *
 * Returns false, and an empty text, if there is nothing to say.
 */
bool prfdata_counter_formula_note(uint32_t type, char *text, size_t capacity);

#endif
