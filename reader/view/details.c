/* SPDX-License-Identifier: MIT */
/* Describes one counter as text. block/dump.h writes its structures. */
#include "view/details.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "block/dump.h"
#include "map/counter_types.h"
#include "text/words.h"
#include "view/heading.h"

typedef struct described {
    prfdata_number_style style;
    const prfdata_chart_key *key;
    const prfdata_titles *titles;
    prfdata_chart_place older; /* its status says whether the older sample has a value */
    prfdata_chart_place newer;
} described;

static bool has_older(const described *d)
{
    return d->older.status == PRFDATA_STATUS_OK;
}

void prfdata_details_put_path(prfdata_output *output, const prfdata_chart_key *key,
                              const prfdata_titles *titles, bool has_instances)
{
    const prfdata_text object = prfdata_titles_name(titles, PRFDATA_BY_ENGLISH, key->object_title);
    const prfdata_text counter =
        prfdata_titles_name(titles, PRFDATA_BY_ENGLISH, key->counter_title);

    prfdata_output_put_string(output, "\\");
    if (object.count > 0)
        prfdata_output_put_text(output, object);
    else
        prfdata_output_format(output, "%u", (unsigned)key->object_title);
    if (has_instances) {
        prfdata_output_put_string(output, "(");
        prfdata_output_put_text(output, key->label);
        prfdata_output_put_string(output, ")");
    }
    if (key->counter_title == 0)
        return;
    prfdata_output_put_string(output, "\\");
    if (counter.count > 0)
        prfdata_output_put_text(output, counter);
    else
        prfdata_output_format(output, "%u", (unsigned)key->counter_title);
}

static void put_blanks(prfdata_output *output, int count)
{
    for (; count > 0; count--)
        prfdata_output_put_string(output, " ");
}

static void put_padded(prfdata_output *output, const char *text, int width)
{
    prfdata_output_put_string(output, text);
    put_blanks(output, width - (int)prfdata_utf8_count(text));
}

static void put_right(prfdata_output *output, const char *text, int width)
{
    put_blanks(output, width - (int)prfdata_utf8_count(text));
    prfdata_output_put_string(output, text);
}

static void put_label(prfdata_output *output, prfdata_word word)
{
    put_padded(output, prfdata_words_get(word), 11);
}

static void put_help(prfdata_output *output, const described *d)
{
    const prfdata_text help = prfdata_name_table_name(
        &d->titles->helps, d->newer.counter->definition.counter_help_title_index);

    if (help.count == 0)
        return;
    prfdata_output_put_text(output, help);
    prfdata_output_put_string(output, "\r\n\r\n");
}

static void put_type(prfdata_output *output, uint32_t type)
{
    const prfdata_counter_type *known = prfdata_counter_types_find(type);
    char note[256];

    put_label(output, PRFDATA_WORD_TYPE);
    prfdata_output_format(output, "%s%s (0x%08X)\r\n",
                          known ? "PERF_" : prfdata_words_get(PRFDATA_WORD_NOT_PREDEFINED),
                          known ? known->name : "", (unsigned)type);
    if (prfdata_counter_formula_note(type, note, sizeof note))
        prfdata_output_format(output, "           %s\r\n", note);
}

static prfdata_word numerator_word(const prfdata_counter_formula *formula)
{
    static const prfdata_word words[] = {
        [PRFDATA_NUMERATOR_ZERO] = PRFDATA_WORD_ALWAYS_ZERO,
        [PRFDATA_NUMERATOR_LEVEL] = PRFDATA_WORD_LEVEL,
        [PRFDATA_NUMERATOR_GROWTH] = PRFDATA_WORD_GROWTH,
        [PRFDATA_NUMERATOR_AGE] = PRFDATA_WORD_AGE,
    };

    return words[formula->numerator];
}

static prfdata_word denominator_word(const prfdata_counter_formula *formula)
{
    static const prfdata_word words[] = {
        [PRFDATA_DENOMINATOR_NONE] = PRFDATA_WORDS,
        [PRFDATA_DENOMINATOR_TICKS] = PRFDATA_WORD_BY_TIME,
        [PRFDATA_DENOMINATOR_SECONDS] = PRFDATA_WORD_BY_SECONDS,
        [PRFDATA_DENOMINATOR_BASE] = PRFDATA_WORD_BY_BASE,
        [PRFDATA_DENOMINATOR_BASE_GROWTH] = PRFDATA_WORD_BY_BASE_GROWTH,
    };

    return words[formula->denominator];
}

static void put_word_if(prfdata_output *output, bool applies, prfdata_word word)
{
    if (applies)
        prfdata_output_put_string(output, prfdata_words_get(word));
}

static void put_meaning(prfdata_output *output, const prfdata_counter_formula *formula)
{
    const prfdata_word denominator = denominator_word(formula);

    put_label(output, PRFDATA_WORD_MEANING);
    prfdata_output_put_string(output, prfdata_words_get(numerator_word(formula)));
    put_word_if(output, formula->is_ticks, PRFDATA_WORD_IN_SECONDS);
    put_word_if(output, denominator != PRFDATA_WORDS, denominator);
    put_word_if(output, formula->is_multi, PRFDATA_WORD_OF_SEVERAL);
    put_word_if(output, formula->is_inverse, PRFDATA_WORD_REST_OF_WHOLE);
    put_word_if(output, formula->is_ratio, PRFDATA_WORD_IN_PERCENT);
    put_word_if(output, formula->is_thousandth, PRFDATA_WORD_IN_THOUSANDTHS);
    prfdata_output_put_string(output, "\r\n");
}

static bool put_term(prfdata_output *output, const char *term, const described *d,
                     prfdata_formula_clock clock)
{
    const prfdata_compute_raw *raw = term[1] == '0' ? &d->older.raw : &d->newer.raw;

    if (term[0] == 'F') {
        prfdata_output_format(output, "%lld",
                              (long long)prfdata_compute_frequency(&d->newer.raw, clock));
        return true;
    }
    if (term[1] != '0' && term[1] != '1')
        return false;
    if (term[0] == 'D')
        prfdata_output_format(output, "%lld", (long long)prfdata_compute_time(raw, clock));
    else if (term[0] == 'N' || term[0] == 'B')
        prfdata_output_format(output, "%llu",
                              (unsigned long long)(term[0] == 'N' ? raw->value : raw->base));
    else
        return false;
    return true;
}

/* Put the formula's text with a number instead of each term. */
static void put_numbers(prfdata_output *output, const described *d,
                        const prfdata_counter_formula *formula)
{
    char text[96];

    prfdata_counter_formula_text(formula, text, sizeof text);
    put_label(output, PRFDATA_WORD_NUMBERS);
    for (const char *at = text; *at; at++) {
        if (put_term(output, at, d, formula->clock))
            at += *at == 'F' ? 0 : 1;
        else
            prfdata_output_put(output, at, 1);
    }
    prfdata_output_put_string(output, "\r\n");
}

static void put_value(prfdata_output *output, const described *d)
{
    prfdata_compute_value value = {0};
    const uint32_t status =
        prfdata_compute(has_older(d) ? &d->older.raw : NULL, &d->newer.raw, &value);
    const prfdata_text name =
        prfdata_titles_name(d->titles, PRFDATA_BY_ENGLISH, d->key->counter_title);
    const prfdata_unit unit = prfdata_heading_number_unit(
        d->titles, d->key->object_title, d->key->counter_title, d->newer.raw.type, name);
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    size_t digits;
    size_t count;

    put_label(output, PRFDATA_WORD_VALUE);
    if (status != PRFDATA_STATUS_OK) {
        prfdata_output_format(output, "%s: %s (%s)\r\n", prfdata_words_get(PRFDATA_WORD_NO_VALUE),
                              prfdata_compute_status_text(status),
                              prfdata_compute_status_name(status));
        return;
    }
    digits = prfdata_number_hex(value, d->newer.raw.type, chars);
    if (digits == 0)
        digits = prfdata_number_exact(value, d->style, chars);
    count = prfdata_number_put_unit(chars, digits, unit);
    if (digits < count && chars[digits] == 0x00A0)
        /* Put a plain blank instead of a no-break space, because people copy the digits. */
        chars[digits] = ' ';
    prfdata_output_put_text(output, (prfdata_text){chars, count});
    prfdata_output_put_string(output, "\r\n");
}

static void put_no_value(prfdata_output *output, const described *d)
{
    put_label(output, PRFDATA_WORD_VALUE);
    prfdata_output_format(output, "%s: %s\r\n", prfdata_words_get(PRFDATA_WORD_NO_VALUE),
                          prfdata_compute_status_text(d->newer.status));
}

static void put_formula(prfdata_output *output, const described *d)
{
    const prfdata_counter_formula formula = prfdata_counter_formula_of(d->newer.raw.type);
    char text[96];

    if (formula.kind != PRFDATA_COUNTER_NUMBER)
        return;
    prfdata_counter_formula_text(&formula, text, sizeof text);
    put_meaning(output, &formula);
    put_label(output, PRFDATA_WORD_FORMULA);
    prfdata_output_format(output, "%s\r\n", text);
    if (has_older(d) || !prfdata_counter_formula_needs_two_samples(&formula))
        put_numbers(output, d, &formula);
}

/* Put a row of raw values. `term` is their name in the formula, with blanks, such as "N  ". */
static void put_raw_row(prfdata_output *output, const described *d, const char *term,
                        const char *name, uint64_t newer, uint64_t older)
{
    prfdata_output_put_string(output, term);
    put_padded(output, name, 31);
    prfdata_output_format(output, "%22llu", (unsigned long long)newer);
    if (has_older(d))
        prfdata_output_format(output, "%22llu", (unsigned long long)older);
    prfdata_output_put_string(output, "\r\n");
}

static void put_raw_samples(prfdata_output *output, const described *d)
{
    const prfdata_compute_raw *n = &d->newer.raw;
    const prfdata_compute_raw *o = &d->older.raw;

    prfdata_output_put_string(output, "\r\n");
    put_padded(output, prfdata_words_get(PRFDATA_WORD_RAW_SAMPLES), 34);
    put_right(output, prfdata_words_get(PRFDATA_WORD_THIS_SAMPLE), 22);
    if (has_older(d))
        put_right(output, prfdata_words_get(PRFDATA_WORD_SAMPLE_BEFORE), 22);
    prfdata_output_put_string(output, "\r\n");
    put_raw_row(output, d, "N  ", prfdata_words_get(PRFDATA_WORD_RAW_VALUE), n->value, o->value);
    if (n->base_bytes > 0)
        put_raw_row(output, d, "B  ", prfdata_words_get(PRFDATA_WORD_RAW_BASE), n->base, o->base);
    put_raw_row(output, d, "D  ", "PerfTime", (uint64_t)n->perf_time, (uint64_t)o->perf_time);
    put_raw_row(output, d, "F  ", "PerfFreq", (uint64_t)n->perf_freq, (uint64_t)o->perf_freq);
    put_raw_row(output, d, "D  ", "PerfTime100nSec", (uint64_t)n->time_100ns,
                (uint64_t)o->time_100ns);
    put_raw_row(output, d, "D  ", prfdata_words_get(PRFDATA_WORD_OBJECT_TIME),
                (uint64_t)n->object_time, (uint64_t)o->object_time);
    put_raw_row(output, d, "F  ", prfdata_words_get(PRFDATA_WORD_OBJECT_FREQUENCY),
                (uint64_t)n->object_freq, (uint64_t)o->object_freq);
}

void prfdata_details_put(prfdata_output *output, prfdata_number_style style,
                         const prfdata_chart_key *key, const prfdata_titles *titles,
                         const prfdata_sample *older, const prfdata_sample *newer)
{
    described d = {style, key, titles, prfdata_chart_find_in(key, older),
                   prfdata_chart_find_in(key, newer)};

    if (has_older(&d) && d.newer.status == PRFDATA_STATUS_OK &&
        !prfdata_sample_has_same_owner(d.older.object, d.older.instance, d.newer.object,
                                       d.newer.instance))
        d.older.status = PRFDATA_STATUS_NO_DATA;
    if (d.newer.counter)
        put_help(output, &d);
    if (d.newer.status == PRFDATA_STATUS_OK)
        put_value(output, &d);
    else
        put_no_value(output, &d);
    if (d.newer.counter)
        put_type(output, d.newer.counter->definition.counter_type);
    if (d.newer.status == PRFDATA_STATUS_OK) {
        put_formula(output, &d);
        put_raw_samples(output, &d);
    }
    if (!d.newer.counter)
        return;
    prfdata_output_put_string(output, "\r\n");
    prfdata_dump_put_counter(output, &d.newer.object->wire, d.newer.counter, &titles->english);
    if (d.newer.instance)
        prfdata_dump_put_instance(output, &d.newer.object->wire, &d.newer.instance->wire,
                                  &titles->english);
}

static void put_object(prfdata_output *output, const prfdata_sample_object *object,
                       const prfdata_titles *titles)
{
    const prfdata_text help =
        prfdata_name_table_name(&titles->helps, object->wire.header.object_help_title_index);

    if (help.count > 0) {
        prfdata_output_put_text(output, help);
        prfdata_output_put_string(output, "\r\n\r\n");
    }
    prfdata_dump_put_object(output, &object->wire, &titles->english);
}

void prfdata_details_put_structure(prfdata_output *output, const prfdata_chart_key *key,
                                   const prfdata_titles *titles, const prfdata_sample *sample)
{
    const prfdata_sample_object *object =
        sample ? prfdata_sample_find_object(sample, key->object_title) : NULL;
    const prfdata_sample_instance *instance =
        object ? prfdata_sample_find_instance(object, key->label) : NULL;

    prfdata_details_put_path(output, key, titles, key->label.count > 0);
    prfdata_output_put_string(output, instance && key->label.count > 0 ? "\r\n" : "\r\n\r\n");
    if (!object)
        prfdata_output_put_string(output, prfdata_words_get(PRFDATA_WORD_NO_OBJECT));
    else if (key->label.count == 0)
        put_object(output, object, titles);
    else if (!instance)
        prfdata_output_put_string(output, prfdata_words_get(PRFDATA_WORD_NO_INSTANCE));
    if (instance)
        prfdata_dump_put_instance(output, &object->wire, &instance->wire, &titles->english);
}
