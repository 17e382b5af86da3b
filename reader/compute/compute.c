/* SPDX-License-Identifier: MIT */
/*
 * Applies the formula of a counter type to raw values, and formats the result. It reads no blocks,
 * titles or clocks, and leaves the analysis of types to counter_formula.c.
 */
#include "compute/compute.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

#include "text/words.h"

/* A number in a formula. Differences are never below 0; values of 8 bytes may be. */
typedef struct amount {
    double number;
    bool is_whole; /* `whole` is valid, and exact */
    int64_t whole;
} amount;

static amount amount_of(uint64_t number)
{
    bool fits = number <= INT64_MAX;

    return (amount){(double)number, fits, fits ? (int64_t)number : 0};
}

/*
 * Read a level as PDH does: 4 bytes as an unsigned number, 8 bytes as a signed one. PDH stores both
 * as LONGLONG.
 */
static amount level_amount(uint64_t value, uint32_t bytes)
{
    if (bytes == 8)
        return (amount){(double)(int64_t)value, true, (int64_t)value};
    return amount_of((uint32_t)value);
}

/* Returns PRFDATA_STATUS_INVALID_DATA for infinity, for NaN, and for a size other than 8 bytes. */
static uint32_t get_double_level(uint64_t value, uint32_t bytes, amount *level)
{
    double number;

    if (bytes != sizeof number)
        return PRFDATA_STATUS_INVALID_DATA;
    memcpy(&number, &value, sizeof number);
    *level = (amount){number, false, 0};
    return prfdata_compute_is_finite(number) ? PRFDATA_STATUS_OK : PRFDATA_STATUS_INVALID_DATA;
}

static bool is_value_size(uint32_t bytes)
{
    return bytes == 4 || bytes == 8;
}

/*
 * Returns PRFDATA_STATUS_NEGATIVE_VALUE if the count decreased, even if it has 4 bytes and may have
 * wrapped. The count may also have restarted, and one sample without a value is better than a rate
 * of four thousand million.
 */
static uint32_t get_growth(uint64_t older, uint64_t newer, uint32_t bytes, amount *difference)
{
    if (bytes == 4) {
        older = (uint32_t)older;
        newer = (uint32_t)newer;
    }
    if ((int64_t)newer < (int64_t)older)
        return PRFDATA_STATUS_NEGATIVE_VALUE;
    *difference = amount_of(newer - older);
    return PRFDATA_STATUS_OK;
}

typedef struct clock_reading {
    int64_t time;
    int64_t freq;
} clock_reading;

static clock_reading read_clock(const prfdata_compute_raw *raw, prfdata_formula_clock clock)
{
    switch (clock) {
    case PRFDATA_CLOCK_100NS:
        return (clock_reading){raw->time_100ns, PRFDATA_COMPUTE_100NS_PER_SECOND};
    case PRFDATA_CLOCK_OBJECT:
        return (clock_reading){raw->object_time, raw->object_freq};
    default:
        return (clock_reading){raw->perf_time, raw->perf_freq};
    }
}

/*
 * A start of 0 means that nothing has started, so the age is 0. A start below 0 is read as
 * unsigned, so it is far in the future, and there is no age.
 */
static uint32_t get_age(int64_t start, clock_reading clock, amount *difference)
{
    const int64_t now = clock.time;

    if (start != 0 && (now == 0 || clock.freq <= 0))
        return PRFDATA_STATUS_NEGATIVE_TIMEBASE; /* the clock is missing; the start may be valid */
    if (start < 0 || (start > now && start != 0))
        return PRFDATA_STATUS_NEGATIVE_VALUE;
    *difference = amount_of(start == 0 ? 0 : (uint64_t)now - (uint64_t)start);
    return PRFDATA_STATUS_OK;
}

int64_t prfdata_compute_time(const prfdata_compute_raw *raw, prfdata_formula_clock clock)
{
    return read_clock(raw, clock).time;
}

int64_t prfdata_compute_frequency(const prfdata_compute_raw *raw, prfdata_formula_clock clock)
{
    return read_clock(raw, clock).freq;
}

static uint32_t get_numerator(const prfdata_compute_pair *pair, const prfdata_compute_count *older,
                              const prfdata_compute_count *newer, amount *numerator)
{
    const uint32_t bytes = pair->newer->value_bytes;

    switch (pair->formula.numerator) {
    case PRFDATA_NUMERATOR_GROWTH:
        return get_growth(older->value, newer->value, bytes, numerator);
    case PRFDATA_NUMERATOR_ZERO:
        *numerator = amount_of(0);
        return PRFDATA_STATUS_OK;
    case PRFDATA_NUMERATOR_AGE:
        return get_age(level_amount(newer->value, bytes).whole,
                       read_clock(pair->newer, pair->formula.clock), numerator);
    default:
        if (pair->formula.is_double)
            return get_double_level(newer->value, bytes, numerator);
        *numerator = level_amount(newer->value, bytes);
        return PRFDATA_STATUS_OK;
    }
}

/* Time always passes between two samples, so 0 is an error. */
static uint32_t get_passed_time(const prfdata_compute_pair *pair, amount *passed)
{
    const prfdata_formula_clock clock = pair->formula.clock;

    if (get_growth((uint64_t)read_clock(pair->older, clock).time,
                   (uint64_t)read_clock(pair->newer, clock).time, 8, passed) != PRFDATA_STATUS_OK ||
        passed->number == 0)
        return PRFDATA_STATUS_NEGATIVE_DENOMINATOR;
    return PRFDATA_STATUS_OK;
}

/* Compute the divisor, which is above 0 on PRFDATA_STATUS_OK; 1 if the formula has none. */
static uint32_t get_divisor(const prfdata_compute_pair *pair, const prfdata_compute_count *older,
                            const prfdata_compute_count *newer, amount *divisor)
{
    const uint32_t backwards = PRFDATA_STATUS_NEGATIVE_DENOMINATOR;
    const uint32_t bytes = pair->newer->base_bytes;

    switch (pair->formula.denominator) {
    case PRFDATA_DENOMINATOR_TICKS:
    case PRFDATA_DENOMINATOR_SECONDS:
        return get_passed_time(pair, divisor);
    case PRFDATA_DENOMINATOR_BASE:
        *divisor = level_amount(newer->base, bytes);
        break;
    case PRFDATA_DENOMINATOR_BASE_GROWTH:
        if (!older || !pair->is_same_base)
            return PRFDATA_STATUS_INVALID_DATA;
        if (get_growth(older->base, newer->base, bytes, divisor) != PRFDATA_STATUS_OK)
            return backwards;
        break;
    default:
        *divisor = amount_of(1);
        break;
    }
    if (divisor->number < 0)
        return backwards;
    return divisor->number == 0 ? PRFDATA_STATUS_NO_DATA : PRFDATA_STATUS_OK;
}

static uint32_t get_components(const prfdata_compute_pair *pair, const prfdata_compute_count *newer,
                               double *components)
{
    *components =
        pair->formula.is_multi ? level_amount(newer->base, pair->newer->base_bytes).number : 1;
    if (*components < 0)
        return PRFDATA_STATUS_NEGATIVE_DENOMINATOR;
    return *components == 0 ? PRFDATA_STATUS_NO_DATA : PRFDATA_STATUS_OK;
}

static uint32_t get_frequency(const prfdata_compute_pair *pair, double *frequency)
{
    const prfdata_counter_formula *formula = &pair->formula;
    bool has_frequency = formula->is_ticks || formula->denominator == PRFDATA_DENOMINATOR_SECONDS;

    *frequency = has_frequency ? (double)read_clock(pair->newer, formula->clock).freq : 1;
    return *frequency > 0 ? PRFDATA_STATUS_OK : PRFDATA_STATUS_NEGATIVE_TIMEBASE;
}

/*
 * Uses doubles, because 100 * N may not fit 64 bits. Divides once, after all multiplications, so
 * that 29 of 100 are exactly 29 percent.
 */
static uint32_t apply_formula(const prfdata_compute_pair *pair, const prfdata_compute_count *older,
                              const prfdata_compute_count *newer, double above,
                              prfdata_compute_value *value)
{
    const prfdata_counter_formula *formula = &pair->formula;
    amount divisor = {0};
    double components = 1;
    double frequency = 1;
    double below;
    uint32_t status = get_divisor(pair, older, newer, &divisor);

    if (status == PRFDATA_STATUS_OK)
        status = get_components(pair, newer, &components);
    if (status == PRFDATA_STATUS_OK)
        status = get_frequency(pair, &frequency);
    if (status != PRFDATA_STATUS_OK)
        return status;

    below = divisor.number;
    if (formula->is_inverse)
        above = components * below - above;
    else
        below *= components;
    if (formula->is_ratio)
        above *= 100;
    if (formula->is_thousandth)
        below *= 1000;
    if (formula->is_ticks)
        below *= frequency;
    else
        above *= frequency;
    value->number = above / below;
    value->divisor = formula->denominator == PRFDATA_DENOMINATOR_BASE ? 1 : divisor.number;
    return PRFDATA_STATUS_OK;
}

/* ---- Many values ---- */

/* Bits of a counter type (winperf.h); PERF_TYPE_NUMBER and PERF_NUMBER_HEX are 0. */
#define TYPE_AND_NUMBER_MASK 0x00030C00u

bool prfdata_compute_is_hex(uint32_t type)
{
    return (type & TYPE_AND_NUMBER_MASK) == 0;
}

/* Return why no value can be computed, or PRFDATA_STATUS_OK. Whether the older sample lacks the
 * value is not checked here. */
static uint32_t pair_status(const prfdata_compute_pair *pair)
{
    const prfdata_counter_formula *formula = &pair->formula;
    const prfdata_compute_raw *newer = pair->newer;

    if (formula->kind == PRFDATA_COUNTER_TEXT)
        return PRFDATA_STATUS_IS_TEXT;
    if (formula->kind != PRFDATA_COUNTER_NUMBER)
        return PRFDATA_STATUS_NO_FORMULA;
    if (pair->needs_older && pair->older &&
        (pair->older->type != newer->type || pair->older->value_bytes != newer->value_bytes))
        return PRFDATA_STATUS_INVALID_DATA;
    if (prfdata_counter_formula_needs_base(formula) && !is_value_size(newer->base_bytes))
        return PRFDATA_STATUS_INVALID_DATA;
    if (formula->numerator != PRFDATA_NUMERATOR_ZERO && !is_value_size(newer->value_bytes))
        return PRFDATA_STATUS_INVALID_DATA;
    return PRFDATA_STATUS_OK;
}

/* If the factor and the divisor of a numerator depend only on times, compute both once. The values
 * equal those of apply_formula(), because the order of rounding is the same. */
static void make_quotient(prfdata_compute_pair *pair)
{
    const prfdata_counter_formula *formula = &pair->formula;
    amount divisor = {0};
    double frequency = 1;

    pair->is_quotient = !formula->is_inverse && !formula->is_multi &&
                        formula->denominator != PRFDATA_DENOMINATOR_BASE &&
                        formula->denominator != PRFDATA_DENOMINATOR_BASE_GROWTH &&
                        !(formula->is_ratio && formula->denominator == PRFDATA_DENOMINATOR_SECONDS);
    if (!pair->is_quotient || (pair->needs_older && !pair->older))
        return;
    pair->time_status = get_divisor(pair, NULL, NULL, &divisor);
    if (pair->time_status == PRFDATA_STATUS_OK)
        pair->time_status = get_frequency(pair, &frequency);
    pair->divisor = divisor.number;
    pair->below = divisor.number * (formula->is_thousandth ? 1000 : 1);
    pair->above = formula->is_ratio ? 100 : 1;
    if (formula->is_ticks)
        pair->below *= frequency;
    else
        pair->above *= frequency;
}

void prfdata_compute_pair_make(const prfdata_counter_formula *formula,
                               const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                               prfdata_compute_pair *pair)
{
    *pair = (prfdata_compute_pair){.formula = *formula, .older = older, .newer = newer};
    pair->needs_older = prfdata_counter_formula_needs_two_samples(formula);
    pair->is_same_base = older && older->base_bytes == newer->base_bytes;
    pair->is_whole = formula->denominator == PRFDATA_DENOMINATOR_NONE && !formula->is_ticks &&
                     !formula->is_thousandth;
    pair->is_hex = prfdata_compute_is_hex(newer->type);
    pair->status = pair_status(pair);
    if (pair->status == PRFDATA_STATUS_OK)
        make_quotient(pair);
}

uint32_t prfdata_compute_by(const prfdata_compute_pair *pair, const prfdata_compute_count *older,
                            const prfdata_compute_count *newer, prfdata_compute_value *value)
{
    amount numerator;
    uint32_t status;

    if (pair->needs_older && !older)
        return PRFDATA_STATUS_ONE_SAMPLE;
    if (pair->status != PRFDATA_STATUS_OK)
        return pair->status;
    status = get_numerator(pair, older, newer, &numerator);
    if (status != PRFDATA_STATUS_OK)
        return status;
    if (pair->is_quotient) {
        if (pair->time_status != PRFDATA_STATUS_OK)
            return pair->time_status;
        value->number = numerator.number * pair->above / pair->below;
        value->divisor = pair->divisor;
    } else {
        status = apply_formula(pair, older, newer, numerator.number, value);
        if (status != PRFDATA_STATUS_OK)
            return status;
    }
    value->is_whole = pair->is_whole && numerator.is_whole;
    value->whole = value->is_whole ? numerator.whole : 0;
    /* A hexadecimal value is a pattern of bits, such as an address, and is never below 0. */
    value->is_bits = pair->is_hex && value->whole < 0;
    if (value->is_bits)
        value->number = (double)(uint64_t)value->whole;
    return PRFDATA_STATUS_OK;
}

uint32_t prfdata_compute(const prfdata_compute_raw *older, const prfdata_compute_raw *newer,
                         prfdata_compute_value *value)
{
    const prfdata_counter_formula formula = prfdata_counter_formula_of(newer->type);
    const bool has_older = older && older->status == PRFDATA_STATUS_OK;
    const prfdata_compute_count now = {newer->value, newer->base};
    prfdata_compute_count then = {0};
    prfdata_compute_pair pair;

    if (newer->status != PRFDATA_STATUS_OK)
        return newer->status;
    if (has_older)
        then = (prfdata_compute_count){older->value, older->base};
    prfdata_compute_pair_make(&formula, has_older ? older : NULL, newer, &pair);
    return prfdata_compute_by(&pair, has_older ? &then : NULL, &now, value);
}

bool prfdata_compute_idle(uint32_t type, uint32_t status, prfdata_compute_value *value)
{
    prfdata_counter_formula formula;

    if (status != PRFDATA_STATUS_NO_DATA)
        return false;
    formula = prfdata_counter_formula_of(type);
    if (formula.kind != PRFDATA_COUNTER_NUMBER ||
        formula.denominator != PRFDATA_DENOMINATOR_BASE_GROWTH)
        return false;
    *value = (prfdata_compute_value){.number = 0};
    return true;
}

/* ---- Formats ---- */

#define SCALE_MOST 7

bool prfdata_compute_takes_format(uint32_t flags, int32_t scale)
{
    const uint32_t kinds = PRFDATA_VALUE_LONG | PRFDATA_VALUE_DOUBLE | PRFDATA_VALUE_LARGE;
    const uint32_t others = PRFDATA_VALUE_NOSCALE | PRFDATA_VALUE_1000 | PRFDATA_VALUE_NOCAP100 |
                            PRFDATA_VALUE_IDLE_ZERO;
    const uint32_t kind = flags & kinds;

    return kind != 0 && (kind & (kind - 1)) == 0 && (flags & ~(kinds | others)) == 0 &&
           scale >= -SCALE_MOST && scale <= SCALE_MOST;
}

void prfdata_compute_cap_by(const prfdata_counter_formula *formula, prfdata_compute_value *value)
{
    if (!formula->is_percent)
        return;
    if (value->number > 100)
        *value = (prfdata_compute_value){.number = 100, .divisor = value->divisor};
    else if (value->number < 0 && formula->is_inverse)
        *value = (prfdata_compute_value){.number = 0, .divisor = value->divisor};
}

void prfdata_compute_cap(uint32_t type, prfdata_compute_value *value)
{
    const prfdata_counter_formula formula = prfdata_counter_formula_of(type);

    prfdata_compute_cap_by(&formula, value);
}

/* Returns a number times 10^scale. Divides by a power of ten if the scale is negative, because the
 * power is exact in a double and its inverse is not. */
static double scaled_number(double number, int32_t scale)
{
    double power = 1;

    for (int32_t i = 0; i != scale; i += scale < 0 ? -1 : 1)
        power *= 10;
    return scale < 0 ? number / power : number * power;
}

static uint32_t format_long(double number, prfdata_compute_formatted *formatted)
{
    if (!(number > -2147483649.0 && number < 2147483648.0))
        return PRFDATA_STATUS_OUT_OF_RANGE;
    formatted->as_long = (int32_t)number;
    return PRFDATA_STATUS_OK;
}

static uint32_t format_large(prfdata_compute_value value, prfdata_compute_formatted *formatted)
{
    const double limit = 9223372036854775808.0; /* 2 to the power of 63 */

    if (value.is_whole) {
        formatted->as_large = value.whole;
        return PRFDATA_STATUS_OK;
    }
    if (!(value.number >= -limit && value.number < limit))
        return PRFDATA_STATUS_OUT_OF_RANGE;
    formatted->as_large = (int64_t)value.number;
    return PRFDATA_STATUS_OK;
}

bool prfdata_compute_is_finite(double number)
{
    return number >= -DBL_MAX && number <= DBL_MAX;
}

static uint32_t format_value(prfdata_compute_value value, uint32_t type, uint32_t flags,
                             int32_t scale, prfdata_compute_formatted *formatted)
{
    const double before = value.number;

    if (!prfdata_compute_takes_format(flags, scale) || !prfdata_compute_is_finite(value.number))
        return PRFDATA_STATUS_INVALID_ARGUMENT;
    if (!(flags & PRFDATA_VALUE_NOCAP100))
        prfdata_compute_cap(type, &value);
    if (!(flags & PRFDATA_VALUE_NOSCALE))
        value.number = scaled_number(value.number, scale);
    if (flags & PRFDATA_VALUE_1000)
        value.number *= 1000;
    if (value.number != before)
        value.is_whole = false;

    if (flags & PRFDATA_VALUE_LONG)
        return format_long(value.number, formatted);
    if (flags & PRFDATA_VALUE_LARGE)
        return format_large(value, formatted);
    formatted->as_double = value.number;
    return prfdata_compute_is_finite(value.number) ? PRFDATA_STATUS_OK
                                                   : PRFDATA_STATUS_OUT_OF_RANGE;
}

uint32_t prfdata_compute_format(prfdata_compute_value value, uint32_t type, uint32_t flags,
                                int32_t scale, prfdata_compute_formatted *formatted)
{
    formatted->as_large = 0; /* as_large is the widest member of the union, so all bytes become 0 */
    formatted->status = format_value(value, type, flags, scale, formatted);
    if (formatted->status != PRFDATA_STATUS_OK)
        formatted->as_large = 0;
    return formatted->status;
}

/* ---- Statuses ---- */

typedef struct status_words {
    uint32_t status;
    const char *name;
    prfdata_word word;
} status_words;

static const status_words statuses[] = {
    {PRFDATA_STATUS_OK, "PDH_CSTATUS_VALID_DATA", PRFDATA_WORD_VALID},
    {PRFDATA_STATUS_NO_INSTANCE, "PDH_CSTATUS_NO_INSTANCE", PRFDATA_WORD_NO_INSTANCE},
    {PRFDATA_STATUS_NO_DATA, "PDH_NO_DATA", PRFDATA_WORD_NO_DATA},
    {PRFDATA_STATUS_NEGATIVE_DENOMINATOR, "PDH_CALC_NEGATIVE_DENOMINATOR",
     PRFDATA_WORD_NEGATIVE_DENOMINATOR},
    {PRFDATA_STATUS_NEGATIVE_TIMEBASE, "PDH_CALC_NEGATIVE_TIMEBASE",
     PRFDATA_WORD_NEGATIVE_TIMEBASE},
    {PRFDATA_STATUS_NEGATIVE_VALUE, "PDH_CALC_NEGATIVE_VALUE", PRFDATA_WORD_NEGATIVE_VALUE},
    {PRFDATA_STATUS_NO_OBJECT, "PDH_CSTATUS_NO_OBJECT", PRFDATA_WORD_NO_OBJECT},
    {PRFDATA_STATUS_NO_COUNTER, "PDH_CSTATUS_NO_COUNTER", PRFDATA_WORD_NO_COUNTER},
    {PRFDATA_STATUS_INVALID_DATA, "PDH_CSTATUS_INVALID_DATA", PRFDATA_WORD_INVALID_DATA},
    {PRFDATA_STATUS_INVALID_ARGUMENT, "PDH_INVALID_ARGUMENT", PRFDATA_WORD_INVALID_ARGUMENT},
    {PRFDATA_STATUS_NO_FORMULA, "PDH_FUNCTION_NOT_FOUND", PRFDATA_WORD_NO_FORMULA},
    {PRFDATA_STATUS_OUT_OF_RANGE, "PDH_INSUFFICIENT_BUFFER", PRFDATA_WORD_OUT_OF_RANGE},
    {PRFDATA_STATUS_ONE_SAMPLE, "PDH_INVALID_DATA", PRFDATA_WORD_ONE_SAMPLE},
    {PRFDATA_STATUS_IS_TEXT, "PDH_NOT_IMPLEMENTED", PRFDATA_WORD_TEXT},
};

static const status_words *status_words_of(uint32_t status)
{
    static const status_words unknown = {0, "unknown status", PRFDATA_WORD_UNKNOWN_STATUS};

    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].status == status)
            return &statuses[i];
    }
    return &unknown;
}

const char *prfdata_compute_status_name(uint32_t status)
{
    return status_words_of(status)->name;
}

const char *prfdata_compute_status_text(uint32_t status)
{
    return prfdata_words_get(status_words_of(status)->word);
}
