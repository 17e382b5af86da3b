/* SPDX-License-Identifier: MIT */
/* Reads and compares conditions, and keeps the thresholds of counters. */
#include "view/threshold.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "view/scale.h"

#define MOST_NUMBER_CHARS 60

/* Numbers whose size is from LEAST_NUMBER to MOST_NUMBER are written in at most MOST_NUMBER_CHARS
 * chars. */
#define LEAST_NUMBER  1e-35
#define MOST_NUMBER   1e50
#define MOST_DECIMALS 50

/* ---- Conditions ---- */

/* Return the factor of a letter after a number; 0 if the letter has no meaning. */
static double factor_of(uint16_t letter)
{
    static const char letters[] = "kMGTP";
    double factor = 1000;

    for (size_t i = 0; letters[i]; i++) {
        if (letter == (unsigned char)letters[i])
            return factor;
        factor *= 1000;
    }
    return 0;
}

/* Read a hexadecimal number as the tables write it, such as BEEFh. Returns false if the text is not
 * one. */
static bool read_hex_number(prfdata_text text, double *number)
{
    const size_t count = text.count > 0 ? text.count - 1 : 0;

    *number = 0;
    if (count == 0 || (text.chars[count] | 0x20) != 'h')
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint16_t letter = text.chars[i] | 0x20;

        if (text.chars[i] >= '0' && text.chars[i] <= '9')
            *number = *number * 16 + (text.chars[i] - '0');
        else if (letter >= 'a' && letter <= 'f')
            *number = *number * 16 + (letter - 'a' + 10);
        else
            return false;
    }
    return true;
}

/* Read a number in one of the forms that prfdata_condition_take() accepts. Returns false if the
 * text is not one. */
static bool read_number(prfdata_text text, prfdata_number_style style, double *number)
{
    char digits[MOST_NUMBER_CHARS + 1];
    size_t used = 0;
    bool has_digit = false;
    double factor = 1;
    char *end;

    text = prfdata_text_trimmed(text);
    if (read_hex_number(text, number))
        return true;
    if (text.count > 1 && text.chars[text.count - 1] == '%')
        text = prfdata_text_trimmed(prfdata_text_part(text, 0, text.count - 1));
    if (text.count > 1 && factor_of(text.chars[text.count - 1]) > 0) {
        factor = factor_of(text.chars[text.count - 1]);
        text = prfdata_text_trimmed(prfdata_text_part(text, 0, text.count - 1));
    }
    if (text.count > MOST_NUMBER_CHARS)
        return false;
    for (size_t i = 0; i < text.count; i++) {
        const uint16_t letter = text.chars[i];

        if (letter >= '0' && letter <= '9')
            has_digit = true;
        else if (style.group != 0 && letter == style.group && has_digit)
            continue;
        else if (letter != style.decimal && !(letter == '-' && i == 0))
            return false;
        digits[used++] = letter == style.decimal ? '.' : (char)letter;
    }
    digits[used] = 0;
    *number = strtod(digits, &end) * factor; /* the programs keep the locale "C" */
    return has_digit && *end == 0;
}

/* Returns whether a condition with this number can be read again after it was written. */
static bool can_be_written(double number)
{
    const double size = fabs(number);

    return size == 0 || (size >= LEAST_NUMBER && size < MOST_NUMBER);
}

static prfdata_comparison read_comparison(prfdata_text text, size_t *at)
{
    const bool is_above = text.chars[*at] == '>';
    const bool has_equal = *at + 1 < text.count && text.chars[*at + 1] == '=';

    if (!is_above && text.chars[*at] != '<')
        return PRFDATA_COMPARISON_NONE;
    *at += has_equal ? 2 : 1;
    if (is_above)
        return has_equal ? PRFDATA_COMPARISON_AT_LEAST : PRFDATA_COMPARISON_ABOVE;
    return has_equal ? PRFDATA_COMPARISON_AT_MOST : PRFDATA_COMPARISON_BELOW;
}

bool prfdata_condition_take(prfdata_text *text, prfdata_number_style style,
                            prfdata_condition *condition)
{
    size_t at = text->count;
    size_t begin;

    *condition = (prfdata_condition){PRFDATA_COMPARISON_NONE, 0};
    while (at > 0 && text->chars[at - 1] != '>' && text->chars[at - 1] != '<')
        at--;
    if (at == 0)
        return false;
    begin = --at;
    condition->comparison = read_comparison(*text, &at);
    if (!read_number(prfdata_text_part(*text, at, text->count), style, &condition->number) ||
        !can_be_written(condition->number)) {
        *condition = (prfdata_condition){PRFDATA_COMPARISON_NONE, 0};
        return false;
    }
    *text = prfdata_text_trimmed(prfdata_text_part(*text, 0, begin));
    return true;
}

bool prfdata_condition_holds(const prfdata_condition *condition, double number)
{
    if (prfdata_scale_is_missing(number))
        return false;
    switch (condition->comparison) {
    case PRFDATA_COMPARISON_ABOVE:
        return number > condition->number;
    case PRFDATA_COMPARISON_AT_LEAST:
        return number >= condition->number;
    case PRFDATA_COMPARISON_BELOW:
        return number < condition->number;
    case PRFDATA_COMPARISON_AT_MOST:
        return number <= condition->number;
    default:
        return false;
    }
}

/* Return how many decimals include all significant digits of a number. */
static int decimals_of(double size)
{
    int decimals = 15;

    while (size < 0.1 && decimals < MOST_DECIMALS) {
        size *= 10;
        decimals++;
    }
    return decimals;
}

/* Write a number without an exponent, because nobody types exponents. */
static void put_decimal(double value, prfdata_output *output)
{
    char number[400];

    (void)snprintf(number, sizeof number, "%.*f", decimals_of(fabs(value)), value);
    for (size_t end = strlen(number) - 1; number[end] == '0'; end--)
        number[end] = 0;
    if (number[strlen(number) - 1] == '.')
        number[strlen(number) - 1] = 0;
    prfdata_output_put_string(output, number);
}

/* 2^64. UINT64_MAX becomes this number when it is stored as a double. */
#define BITS_BELOW 18446744073709551616.0

/* Write a number in hexadecimal. Returns false if no hexadecimal counter can have this value. */
static bool put_hex(double value, prfdata_output *output)
{
    if (!(value >= 0 && value <= BITS_BELOW) || floor(value) < value)
        return false;
    prfdata_output_format(output, "%llXh",
                          value < BITS_BELOW ? (unsigned long long)value
                                             : (unsigned long long)UINT64_MAX);
    return true;
}

void prfdata_condition_put(const prfdata_condition *condition, bool is_hex, prfdata_output *output)
{
    static const char *const signs[] = {"", ">", ">=", "<", "<="};

    if (condition->comparison == PRFDATA_COMPARISON_NONE)
        return;
    prfdata_output_put_string(output, signs[condition->comparison]);
    if (!is_hex || !put_hex(condition->number, output))
        put_decimal(condition->number, output);
}

/* ---- Thresholds ---- */

static prfdata_threshold *find_threshold(const prfdata_thresholds *thresholds, prfdata_text object,
                                         prfdata_text counter)
{
    for (size_t i = 0; thresholds && i < thresholds->count; i++) {
        if (prfdata_text_equal(thresholds->items[i].object, object) &&
            prfdata_text_equal(thresholds->items[i].counter, counter))
            return &thresholds->items[i];
    }
    return NULL;
}

static void free_threshold(prfdata_threshold *threshold)
{
    prfdata_text_free(&threshold->object);
    prfdata_text_free(&threshold->counter);
}

static void add_threshold(prfdata_thresholds *thresholds, prfdata_text object, prfdata_text counter,
                          prfdata_condition condition)
{
    prfdata_threshold added = {{NULL, 0}, {NULL, 0}, condition};
    prfdata_threshold *items;

    if (thresholds->count == PRFDATA_THRESHOLDS_MOST)
        return;
    items = prfdata_array_reserve(thresholds->items, &thresholds->capacity, thresholds->count + 1,
                                  sizeof *items);
    if (!items)
        return;
    thresholds->items = items;
    if (!prfdata_text_copy(object, &added.object) || !prfdata_text_copy(counter, &added.counter)) {
        free_threshold(&added);
        return;
    }
    items[thresholds->count++] = added;
}

void prfdata_thresholds_set(prfdata_thresholds *thresholds, prfdata_text object,
                            prfdata_text counter, prfdata_condition condition)
{
    prfdata_threshold *found = find_threshold(thresholds, object, counter);

    if (condition.comparison == PRFDATA_COMPARISON_NONE) {
        if (!found)
            return;
        free_threshold(found);
        *found = thresholds->items[--thresholds->count];
    } else if (found) {
        found->condition = condition;
    } else {
        add_threshold(thresholds, object, counter, condition);
    }
}

prfdata_condition prfdata_thresholds_find(const prfdata_thresholds *thresholds, prfdata_text object,
                                          prfdata_text counter)
{
    const prfdata_threshold *found = find_threshold(thresholds, object, counter);

    return found ? found->condition : (prfdata_condition){PRFDATA_COMPARISON_NONE, 0};
}

void prfdata_thresholds_free(prfdata_thresholds *thresholds)
{
    for (size_t i = 0; i < thresholds->count; i++)
        free_threshold(&thresholds->items[i]);
    free(thresholds->items);
    memset(thresholds, 0, sizeof *thresholds);
}
