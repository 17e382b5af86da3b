/* SPDX-License-Identifier: MIT */
/*
 * Computes the shown value of a counter from raw values. block/sample.h fills in
 * prfdata_compute_raw from the bytes of a block, and counter_formula.h has the formulas.
 *
 * The result is either a valid number or a status that says why there is none. It is never infinity
 * or NaN, and never a huge rate caused by a restart or by the wrap of a 4-byte counter.
 */
#ifndef PRFDATA_READER_COMPUTE_H
#define PRFDATA_READER_COMPUTE_H

#include "compute/counter_formula.h"

/* PDH's status codes, which users find in Microsoft's documents. */
#define PRFDATA_STATUS_OK                   0x00000000u /* PDH_CSTATUS_VALID_DATA */
#define PRFDATA_STATUS_NO_INSTANCE          0x800007D1u /* PDH_CSTATUS_NO_INSTANCE */
#define PRFDATA_STATUS_NO_DATA              0x800007D5u /* PDH_NO_DATA */
#define PRFDATA_STATUS_NEGATIVE_DENOMINATOR 0x800007D6u /* PDH_CALC_NEGATIVE_DENOMINATOR */
#define PRFDATA_STATUS_NEGATIVE_TIMEBASE    0x800007D7u /* PDH_CALC_NEGATIVE_TIMEBASE */
#define PRFDATA_STATUS_NEGATIVE_VALUE       0x800007D8u /* PDH_CALC_NEGATIVE_VALUE */
#define PRFDATA_STATUS_NO_OBJECT            0xC0000BB8u /* PDH_CSTATUS_NO_OBJECT */
#define PRFDATA_STATUS_NO_COUNTER           0xC0000BB9u /* PDH_CSTATUS_NO_COUNTER */
#define PRFDATA_STATUS_INVALID_DATA         0xC0000BBAu /* PDH_CSTATUS_INVALID_DATA */
#define PRFDATA_STATUS_INVALID_ARGUMENT     0xC0000BBDu /* PDH_INVALID_ARGUMENT */
#define PRFDATA_STATUS_NO_FORMULA           0xC0000BBEu /* PDH_FUNCTION_NOT_FOUND */
#define PRFDATA_STATUS_OUT_OF_RANGE         0xC0000BC2u /* PDH_INSUFFICIENT_BUFFER */
#define PRFDATA_STATUS_ONE_SAMPLE           0xC0000BC6u /* PDH_INVALID_DATA */
#define PRFDATA_STATUS_IS_TEXT              0xC0000BD3u /* PDH_NOT_IMPLEMENTED: PDH has no texts */

#define PRFDATA_COMPUTE_100NS_PER_SECOND 10000000

/* The raw data of one counter in one sample. All times are from the same reply. */
typedef struct prfdata_compute_raw {
    uint32_t type;        /* CounterType */
    uint32_t value_bytes; /* 4 or 8; a value of 4 bytes is unsigned, a value of 8 bytes is signed */
    uint32_t base_bytes;  /* 4 or 8; 0: there is no base and no second value */
    uint32_t status;      /* PRFDATA_STATUS_OK, or why the values and times are not known */
    uint64_t value;
    uint64_t base;     /* base, or the second value of a multi timer */
    int64_t perf_time; /* time of the data block */
    int64_t perf_freq;
    int64_t time_100ns;
    int64_t object_time; /* time of the object */
    int64_t object_freq;
} prfdata_compute_raw;

typedef struct prfdata_compute_value {
    double number;
    int64_t whole;  /* 0 unless is_whole */
    double divisor; /* ticks or operations between the samples, if the formula divides by them;
                       otherwise 1. A mean of values with their divisors as weights equals the
                       formula applied to the first and the last sample */
    bool is_whole;  /* `whole` is the exact value, which a double may be unable to hold */
    bool is_bits;   /* `whole` has the bits of an unsigned number above INT64_MAX, from a
                       hexadecimal counter */
} prfdata_compute_value;

/*
 * Compute the value of a counter. The value is not capped: percentages may exceed 100, and the
 * value of an inverse timer is below 0 if the timer grew by more than the time that passed.
 *
 * older  The data of the previous sample, or NULL if there is none.
 * value  Set only on PRFDATA_STATUS_OK.
 *
 * Returns PRFDATA_STATUS_OK, newer->status if that is not PRFDATA_STATUS_OK,
 *    PRFDATA_STATUS_ONE_SAMPLE            the type needs `older`, which is NULL or has no value
 *    PRFDATA_STATUS_NEGATIVE_VALUE        the counter went backwards, or a start is in the future
 *    PRFDATA_STATUS_NEGATIVE_DENOMINATOR  no time passed, time or base went backwards, or the base
 *                                         is below 0
 *    PRFDATA_STATUS_NEGATIVE_TIMEBASE     the clock is missing, or its frequency is 0 or less
 *    PRFDATA_STATUS_NO_DATA               nothing happened: the base did not grow, or is 0
 *    PRFDATA_STATUS_INVALID_DATA          the type or a size changed, the base is missing, a size
 *                                         is neither 4 nor 8, or a floating-point number is not
 *                                         finite or not of 8 bytes
 *    PRFDATA_STATUS_IS_TEXT               a text, which prfdata_sample_text() reads
 *    PRFDATA_STATUS_NO_FORMULA            no number; prfdata_counter_formula_note() says why
 */
uint32_t prfdata_compute(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                         prfdata_compute_value *value);

/* The numbers of one instance in one sample. */
typedef struct prfdata_compute_count {
    uint64_t value;
    uint64_t base; /* base, or the second value of a multi timer */
} prfdata_compute_count;

/* Holds everything that the values of all instances have in common. It is computed once for a
 * counter and two samples. */
typedef struct prfdata_compute_pair {
    prfdata_counter_formula formula;
    const prfdata_compute_raw *older; /* borrowed */
    const prfdata_compute_raw *newer;
    uint32_t status;      /* why no instance has a value, or PRFDATA_STATUS_OK */
    uint32_t time_status; /* if is_quotient: PRFDATA_STATUS_OK, or what is wrong with the times */
    bool needs_older;
    bool is_same_base; /* the base had the same size in the older sample */
    bool is_quotient;  /* a value is its numerator times `above` divided by `below` */
    bool is_whole;     /* a value is its numerator */
    bool is_hex;
    double above;
    double below;
    double divisor; /* the divisor of each value, if is_quotient */
} prfdata_compute_pair;

/*
 * Begin to compute the values of a counter from two samples, whose data must stay until the last
 * value is computed. Value, base and status of the data are not used.
 *
 * older  NULL: there is no older sample.
 */
void prfdata_compute_pair_make(const prfdata_counter_formula *formula,
                               const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                               prfdata_compute_pair *pair);

/* Compute the value of one instance, and return what prfdata_compute() does. `older` NULL: the
 * older sample does not have the value. */
uint32_t prfdata_compute_by(const prfdata_compute_pair *pair, const prfdata_compute_count *older,
                            const prfdata_compute_count *newer, prfdata_compute_value *value);

/* Returns whether the values of a counter type are hexadecimal numbers, which are unsigned. */
bool prfdata_compute_is_hex(uint32_t type);

/*
 * Get 0 as the value of an interval without operations, as PerfMon, typeperf and .NET do. The
 * divisor of the value is 0, so that the interval does not count in an end-to-end mean.
 *
 * status  The result of prfdata_compute() for the counter.
 * value   Set if the function returns true.
 *
 * Returns whether the status means that there were no operations.
 */
bool prfdata_compute_idle(uint32_t type, uint32_t status, prfdata_compute_value *value);

/*
 * The format of a value: one of the first three, combined with any of the others. The numbers are
 * those of PDH.
 */
enum {
    PRFDATA_VALUE_LONG = 0x00000100, /* 32 bits, fraction cut off */
    PRFDATA_VALUE_DOUBLE = 0x00000200,
    PRFDATA_VALUE_LARGE = 0x00000400,    /* 64 bits, fraction cut off */
    PRFDATA_VALUE_NOSCALE = 0x00001000,  /* ignore the counter's scale */
    PRFDATA_VALUE_1000 = 0x00002000,     /* multiply by 1000, as the last step */
    PRFDATA_VALUE_NOCAP100 = 0x00008000, /* do not cap percentages at 100 */
    PRFDATA_VALUE_IDLE_ZERO = 0x00010000 /* for statistics: intervals without operations count as 0,
                                            see prfdata_compute_idle(); not in PDH */
};

/* The equivalent of PDH_FMT_COUNTERVALUE. */
typedef struct prfdata_compute_formatted {
    uint32_t status; /* PRFDATA_STATUS_OK: the number below is set; otherwise the number is 0 */
    union {
        int32_t as_long;
        int64_t as_large;
        double as_double;
    };
} prfdata_compute_formatted;

/*
 * Format a value in these steps:
 *   - cap the value (prfdata_compute_cap()), unless PRFDATA_VALUE_NOCAP100 is set
 *   - multiply by 10 to the power of the scale, unless PRFDATA_VALUE_NOSCALE is set
 *   - multiply by 1000, if PRFDATA_VALUE_1000 is set
 * LONG and LARGE cut off the fraction, as a cast does. If these steps do not change a hexadecimal
 * number above INT64_MAX, LARGE stores its bits, so as_large is below 0.
 *
 * type   The type of the counter, which says whether the value is a percentage.
 * flags  PRFDATA_VALUE_...
 * scale  -7 to 7, as in DefaultScale and PdhSetCounterScaleFactor.
 *
 * Returns PRFDATA_STATUS_OK, PRFDATA_STATUS_INVALID_ARGUMENT (flags or scale are invalid, or the
 * value is infinite or NaN) or PRFDATA_STATUS_OUT_OF_RANGE (the format cannot hold the result).
 * The status is also stored in formatted->status.
 */
uint32_t prfdata_compute_format(prfdata_compute_value value, uint32_t type, uint32_t flags,
                                int32_t scale, prfdata_compute_formatted *formatted);

/* Returns whether prfdata_compute_format() accepts these flags and this scale. */
bool prfdata_compute_takes_format(uint32_t flags, int32_t scale);

/*
 * Cap a percentage at 100. Raise the percentage of an inverse timer to at least 0; it may be below
 * 0 if a provider reads the timer and the clock at different moments. Other values stay unchanged.
 */
void prfdata_compute_cap(uint32_t type, prfdata_compute_value *value);
void prfdata_compute_cap_by(const prfdata_counter_formula *formula, prfdata_compute_value *value);

/* Return the time of a clock; if the formula has no clock, PerfTime. */
int64_t prfdata_compute_time(const prfdata_compute_raw *raw, prfdata_formula_clock clock);

/*
 * Return the clock's ticks per second; if the formula has no clock, PerfFreq. 0 or below if the
 * provider gives none.
 */
int64_t prfdata_compute_frequency(const prfdata_compute_raw *raw, prfdata_formula_clock clock);

/* Returns whether a number is neither infinite nor NaN. isfinite() is not used, because it causes a
 * warning with mingw. */
bool prfdata_compute_is_finite(double number);

/* Return PDH's name of the status, such as "PDH_CALC_NEGATIVE_VALUE". */
const char *prfdata_compute_status_name(uint32_t status);

/* Return the status in plain words, such as "the counter decreased". */
const char *prfdata_compute_status_text(uint32_t status);

#endif
