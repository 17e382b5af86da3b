/* SPDX-License-Identifier: MIT */
/*
 * Interprets the bit fields of a CounterType, by <winperf.h> and Microsoft's documents. It does not
 * read values.
 */
#include "compute/counter_formula.h"

#include <inttypes.h>
#include <stdio.h>

#include <prfdata/perf_types.h>

#include "map/counter_types.h"
#include "text/words.h"

/* The fields of a CounterType, as <winperf.h> defines them. */
enum {
    SIZE_MASK = 0x00000300,
    SIZE_ZERO = 0x00000200,
    SIZE_VARIABLE = 0x00000300,
    TYPE_MASK = 0x00000C00,
    TYPE_NUMBER = 0x00000000,
    TYPE_COUNTER = 0x00000400,
    TYPE_TEXT = 0x00000800,
    SUBTYPE_SHIFT = 16,
    SUBTYPE_MASK = 0xF,
    CLOCK_SHIFT = 20,
    CLOCK_MASK = 0x3,
    DELTA = 0x00400000,
    DELTA_BASE = 0x00800000,
    INVERSE = 0x01000000,
    MULTI = 0x02000000,
    MODIFIERS = DELTA | DELTA_BASE | INVERSE | MULTI,
    /* Reserved bits. Bits 0 to 7, which only distinguish bases, are not among them. */
    RESERVED = 0x0C00F000,
    DISPLAY_SHIFT = 28
};

/*
 * PERF_DOUBLE_RAW, a type that WMI and version 2 providers have. perflib passes the type on to
 * readers. <winperf.h> lacks the type. In other types, bit 13 is reserved.
 */
#define DOUBLE_RAW 0x00012000u

enum { NUMBER_DECIMAL = 1, NUMBER_THOUSANDTH };
enum { TEXT_UNICODE, TEXT_ANSI };
enum {
    SUBTYPE_VALUE,
    SUBTYPE_RATE,
    SUBTYPE_FRACTION,
    SUBTYPE_BASE,
    SUBTYPE_ELAPSED,
    SUBTYPE_QUEUE_LENGTH,
    SUBTYPE_HISTOGRAM,
    SUBTYPE_PRECISION,
    SUBTYPE_COUNT
};
enum {
    DISPLAY_NO_SUFFIX,
    DISPLAY_PER_SECOND,
    DISPLAY_PERCENT,
    DISPLAY_SECONDS,
    DISPLAY_NO_SHOW,
    DISPLAY_HISTOGRAM = 8
};

#define ON(suffix) (1u << DISPLAY_##suffix)

/*
 * The modifiers and displays that a subtype may have; any other type is unknown. INVERSE and MULTI
 * modify only percentages. A type with NOSHOW may still be meant for people, as AVERAGE_BULK is.
 */
static const struct {
    uint32_t modifiers;
    uint32_t displays;
} allowed[SUBTYPE_COUNT] = {
    [SUBTYPE_VALUE] = {DELTA,
                       ON(NO_SUFFIX) | ON(PER_SECOND) | ON(PERCENT) | ON(SECONDS) | ON(NO_SHOW)},
    [SUBTYPE_RATE] = {DELTA | INVERSE | MULTI,
                      ON(NO_SUFFIX) | ON(PER_SECOND) | ON(PERCENT) | ON(NO_SHOW)},
    [SUBTYPE_FRACTION] = {DELTA | DELTA_BASE | INVERSE,
                          ON(NO_SUFFIX) | ON(PERCENT) | ON(SECONDS) | ON(NO_SHOW)},
    [SUBTYPE_ELAPSED] = {0, ON(NO_SUFFIX) | ON(SECONDS) | ON(NO_SHOW)},
    [SUBTYPE_QUEUE_LENGTH] = {DELTA, ON(NO_SUFFIX) | ON(NO_SHOW)},
    [SUBTYPE_PRECISION] = {DELTA | DELTA_BASE | INVERSE, ON(PERCENT)},
};

static const prfdata_formula_clock clocks[CLOCK_MASK + 1] = {
    PRFDATA_CLOCK_PERF, PRFDATA_CLOCK_100NS, PRFDATA_CLOCK_OBJECT, PRFDATA_CLOCK_NONE};

static prfdata_counter_formula formula_without_number(prfdata_counter_kind kind)
{
    return (prfdata_counter_formula){.kind = kind};
}

static prfdata_counter_formula formula_of_number(uint32_t type)
{
    uint32_t subtype = type >> SUBTYPE_SHIFT & SUBTYPE_MASK;
    prfdata_counter_formula formula = {.kind = PRFDATA_COUNTER_NUMBER};

    if (subtype > NUMBER_THOUSANDTH || (type & MODIFIERS & ~(uint32_t)DELTA))
        return formula_without_number(PRFDATA_COUNTER_UNKNOWN);
    formula.numerator = type & DELTA ? PRFDATA_NUMERATOR_GROWTH : PRFDATA_NUMERATOR_LEVEL;
    formula.is_thousandth = subtype == NUMBER_THOUSANDTH;
    return formula;
}

/* A fraction is a percentage, or otherwise an average over the operations between the samples. */
static void set_fraction_formula(prfdata_counter_formula *formula, uint32_t type,
                                 prfdata_formula_clock clock, uint32_t display)
{
    formula->denominator = PRFDATA_DENOMINATOR_BASE_GROWTH;
    if (display == DISPLAY_PERCENT) {
        if (!(type & DELTA_BASE))
            formula->denominator = PRFDATA_DENOMINATOR_BASE;
        return;
    }
    /* Use the growth even without the DELTA bits, because both averages of <winperf.h> lack these
     * bits. */
    formula->numerator = PRFDATA_NUMERATOR_GROWTH;
    formula->is_ticks = display == DISPLAY_SECONDS;
    if (formula->is_ticks)
        formula->clock = clock;
}

static prfdata_counter_formula formula_of_counter(uint32_t type)
{
    uint32_t subtype = type >> SUBTYPE_SHIFT & SUBTYPE_MASK;
    uint32_t display = type >> DISPLAY_SHIFT;
    prfdata_formula_clock clock = clocks[type >> CLOCK_SHIFT & CLOCK_MASK];
    prfdata_counter_formula formula = {.kind = PRFDATA_COUNTER_NUMBER};

    if (subtype == SUBTYPE_BASE)
        return formula_without_number(PRFDATA_COUNTER_BASE);
    if (subtype == SUBTYPE_HISTOGRAM)
        return formula_without_number(PRFDATA_COUNTER_HISTOGRAM);
    if (subtype >= SUBTYPE_COUNT || clock == PRFDATA_CLOCK_NONE ||
        (type & MODIFIERS & ~allowed[subtype].modifiers) ||
        !(1u << display & allowed[subtype].displays) ||
        ((type & (INVERSE | MULTI)) && display != DISPLAY_PERCENT))
        return formula_without_number(PRFDATA_COUNTER_UNKNOWN);

    formula.numerator = type & DELTA ? PRFDATA_NUMERATOR_GROWTH : PRFDATA_NUMERATOR_LEVEL;
    formula.is_ratio = display == DISPLAY_PERCENT && subtype != SUBTYPE_VALUE;
    formula.is_inverse = (type & INVERSE) != 0;
    formula.is_multi = (type & MULTI) != 0;
    switch (subtype) {
    case SUBTYPE_RATE:
        formula.clock = clock;
        formula.denominator =
            formula.is_ratio ? PRFDATA_DENOMINATOR_TICKS : PRFDATA_DENOMINATOR_SECONDS;
        break;
    case SUBTYPE_FRACTION:
        set_fraction_formula(&formula, type, clock, display);
        break;
    case SUBTYPE_ELAPSED:
        formula.clock = clock;
        formula.numerator = PRFDATA_NUMERATOR_AGE;
        formula.is_ticks = true;
        break;
    case SUBTYPE_QUEUE_LENGTH:
        formula.clock = clock;
        formula.denominator = PRFDATA_DENOMINATOR_TICKS;
        break;
    case SUBTYPE_PRECISION: /* the base is the time stamp, whatever the clock is */
        formula.denominator = PRFDATA_DENOMINATOR_BASE_GROWTH;
        break;
    default: /* SUBTYPE_VALUE */
        break;
    }
    return formula;
}

prfdata_counter_formula prfdata_counter_formula_of(uint32_t type)
{
    uint32_t display = type >> DISPLAY_SHIFT;
    prfdata_counter_formula formula;

    if (type == DOUBLE_RAW)
        return (prfdata_counter_formula){.kind = PRFDATA_COUNTER_NUMBER,
                                         .numerator = PRFDATA_NUMERATOR_LEVEL,
                                         .is_double = true};
    if (display == DISPLAY_HISTOGRAM)
        return formula_without_number(PRFDATA_COUNTER_HISTOGRAM);
    if (display > DISPLAY_NO_SHOW || (type & RESERVED))
        return formula_without_number(PRFDATA_COUNTER_UNKNOWN);
    if ((type & SIZE_MASK) == SIZE_ZERO)
        return formula_without_number(PRFDATA_COUNTER_NO_DATA);
    if ((type & TYPE_MASK) == TYPE_TEXT) {
        uint32_t subtype = type >> SUBTYPE_SHIFT & SUBTYPE_MASK;

        formula = formula_without_number(subtype > TEXT_ANSI ? PRFDATA_COUNTER_UNKNOWN
                                                             : PRFDATA_COUNTER_TEXT);
        formula.is_text_ansi = subtype == TEXT_ANSI;
        return formula;
    }
    if ((type & SIZE_MASK) == SIZE_VARIABLE)
        return formula_without_number(PRFDATA_COUNTER_UNKNOWN);

    if ((type & TYPE_MASK) == TYPE_NUMBER)
        formula = formula_of_number(type);
    else if ((type & TYPE_MASK) == TYPE_COUNTER)
        formula = formula_of_counter(type);
    else /* PERF_TYPE_ZERO: "displays a zero" */
        formula = formula_without_number(PRFDATA_COUNTER_NUMBER);
    formula.is_percent = formula.kind == PRFDATA_COUNTER_NUMBER && display == DISPLAY_PERCENT;
    return formula;
}

bool prfdata_counter_formula_needs_base(const prfdata_counter_formula *formula)
{
    return formula->is_multi || formula->denominator == PRFDATA_DENOMINATOR_BASE ||
           formula->denominator == PRFDATA_DENOMINATOR_BASE_GROWTH;
}

bool prfdata_counter_formula_needs_two_samples(const prfdata_counter_formula *formula)
{
    return formula->numerator == PRFDATA_NUMERATOR_GROWTH ||
           formula->denominator == PRFDATA_DENOMINATOR_TICKS ||
           formula->denominator == PRFDATA_DENOMINATOR_SECONDS ||
           formula->denominator == PRFDATA_DENOMINATOR_BASE_GROWTH;
}

/* ---- In words ---- */

static const char *const numerators[] = {
    [PRFDATA_NUMERATOR_ZERO] = "0",
    [PRFDATA_NUMERATOR_LEVEL] = "N1",
    [PRFDATA_NUMERATOR_GROWTH] = "(N1 - N0)",
    [PRFDATA_NUMERATOR_AGE] = "(D1 - N1)",
};

static const char *const denominators[] = {
    [PRFDATA_DENOMINATOR_NONE] = "",
    [PRFDATA_DENOMINATOR_TICKS] = " / (D1 - D0)",
    [PRFDATA_DENOMINATOR_SECONDS] = " / ((D1 - D0) / F)",
    [PRFDATA_DENOMINATOR_BASE] = " / B1",
    [PRFDATA_DENOMINATOR_BASE_GROWTH] = " / (B1 - B0)",
};

void prfdata_counter_formula_text(const prfdata_counter_formula *formula, char *text,
                                  size_t capacity)
{
    const char *inverse = !formula->is_inverse ? "" : formula->is_multi ? "(B1 - " : "(1 - ";

    if (formula->kind != PRFDATA_COUNTER_NUMBER) {
        *text = '\0';
        return;
    }
    (void)snprintf(text, capacity, "%s%s%s%s%s%s%s%s", formula->is_ratio ? "100 * " : "", inverse,
                   numerators[formula->numerator], formula->is_ticks ? " / F" : "",
                   denominators[formula->denominator],
                   formula->is_multi && !formula->is_inverse ? " / B1" : "",
                   formula->is_inverse ? ")" : "", formula->is_thousandth ? " / 1000" : "");
}

/* Notes on types about which Microsoft's documents disagree, or which the formula does not fully
 * describe. */
static const struct {
    uint32_t type;
    prfdata_word word;
} remarks[] = {
    {PERF_COUNTER_MULTI_TIMER, PRFDATA_WORD_NOTE_TICKS},
    {PERF_COUNTER_MULTI_TIMER_INV, PRFDATA_WORD_NOTE_ONE_COMPONENT},
    {PERF_100NSEC_MULTI_TIMER, PRFDATA_WORD_NOTE_ALL_COMPONENTS},
    {PERF_100NSEC_MULTI_TIMER_INV, PRFDATA_WORD_NOTE_ONE_COMPONENT},
    {PERF_COUNTER_100NS_QUEUELEN_TYPE, PRFDATA_WORD_NOTE_LENGTH},
    {PERF_SAMPLE_COUNTER, PRFDATA_WORD_NOTE_SAMPLES},
    {DOUBLE_RAW, PRFDATA_WORD_NOTE_DOUBLE},
    {0x40030503, PRFDATA_WORD_NOTE_LARGE_BASE},
};

/* The note on each kind; PRFDATA_WORDS: there is nothing to say. */
static const prfdata_word kinds[] = {
    [PRFDATA_COUNTER_UNKNOWN] = PRFDATA_WORD_NOTE_UNKNOWN,
    [PRFDATA_COUNTER_NUMBER] = PRFDATA_WORDS,
    [PRFDATA_COUNTER_TEXT] = PRFDATA_WORD_NOTE_TEXT,
    [PRFDATA_COUNTER_NO_DATA] = PRFDATA_WORD_NOTE_NO_DATA,
    [PRFDATA_COUNTER_HISTOGRAM] = PRFDATA_WORD_NOTE_HISTOGRAM,
    [PRFDATA_COUNTER_BASE] = PRFDATA_WORD_NOTE_BASE,
};

static const prfdata_word clock_words[] = {
    [PRFDATA_CLOCK_NONE] = PRFDATA_WORDS,
    [PRFDATA_CLOCK_PERF] = PRFDATA_WORD_NOTE_CLOCK_PERF,
    [PRFDATA_CLOCK_100NS] = PRFDATA_WORD_NOTE_CLOCK_100NS,
    [PRFDATA_CLOCK_OBJECT] = PRFDATA_WORD_NOTE_CLOCK_OBJECT,
};

static prfdata_word type_remark(uint32_t type)
{
    for (size_t i = 0; i < sizeof remarks / sizeof remarks[0]; i++) {
        if (remarks[i].type == type)
            return remarks[i].word;
    }
    return PRFDATA_WORDS;
}

static const char *note_word(prfdata_word word)
{
    return word == PRFDATA_WORDS ? "" : prfdata_words_get(word);
}

bool prfdata_counter_formula_note(uint32_t type, char *text, size_t capacity)
{
    const prfdata_counter_type *known = prfdata_counter_types_find(type);
    const prfdata_counter_formula formula = prfdata_counter_formula_of(type);
    prfdata_word remark = type_remark(type);
    char name[96];
    char terms[80];

    *text = '\0';
    if (known && formula.kind == PRFDATA_COUNTER_NUMBER && remark == PRFDATA_WORDS)
        return false;
    prfdata_counter_formula_text(&formula, terms, sizeof terms);
    if (remark == PRFDATA_WORDS)
        remark = kinds[formula.kind];
    if (known)
        (void)snprintf(name, sizeof name, "PERF_%s", known->name);
    else
        (void)snprintf(name, sizeof name, "%s0x%08" PRIX32 "%s", note_word(PRFDATA_WORD_NOTE_TYPE),
                       type, note_word(PRFDATA_WORD_NOTE_NOT_PREDEFINED));
    (void)snprintf(text, capacity, "%s: %s%s%s%s%s", name, terms,
                   *terms && !known ? note_word(PRFDATA_WORD_NOTE_BY_BITS) : "",
                   *terms && !known ? note_word(clock_words[formula.clock]) : "",
                   *terms && remark != PRFDATA_WORDS ? "; " : "", note_word(remark));
    return true;
}
