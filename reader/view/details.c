/* SPDX-License-Identifier: MIT */
/* Writes down one counter. The bytes of its structures are in details_bytes.c. */
#include "view/details.h"

#include <string.h>

#include "core/counter_types.h"
#include "view/details_bytes.h"

/* Where the counter is in both samples. */
typedef struct described {
    const prfdata_series_key *key;
    const prfdata_titles *titles;
    const prfdata_sample *sample;
    const prfdata_sample_object *object;
    const prfdata_sample_instance *instance;
    const prfdata_decode_counter *counter;
    uint32_t position; /* of the counter */
    bool has_older;
    prfdata_compute_raw older;
    prfdata_compute_raw newer;
    uint32_t status; /* PRFDATA_STATUS_OK: all of the above is known */
} described;

/* ---- Finding ---- */

static const prfdata_decode_counter *find_described_counter(const prfdata_sample_object *object,
                                                            uint32_t title, uint32_t *position)
{
    for (*position = 0; *position < object->counter_count; ++*position) {
        if (object->counters[*position].definition.counter_name_title_index == title)
            return &object->counters[*position];
    }
    return NULL;
}

static described describe_in(const prfdata_series_key *key, const prfdata_sample *sample)
{
    described d = {.key = key, .sample = sample, .status = PRFDATA_STATUS_NO_OBJECT};

    d.object = sample ? prfdata_sample_find_object(sample, key->object_title) : NULL;
    if (!d.object)
        return d;
    d.status = PRFDATA_STATUS_NO_COUNTER;
    d.counter = find_described_counter(d.object, key->counter_title, &d.position);
    if (!d.counter)
        return d;
    d.status = PRFDATA_STATUS_NO_INSTANCE;
    d.instance = prfdata_sample_find_instance(d.object, key->label);
    if (!d.instance)
        return d;
    d.status = prfdata_sample_raw(sample, d.object, d.instance, d.position, &d.newer);
    return d;
}

/* ---- Lines ---- */

void prfdata_details_put_path(prfdata_output *output, const prfdata_series_key *key,
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
    prfdata_output_put_string(output, "\\");
    if (counter.count > 0)
        prfdata_output_put_text(output, counter);
    else
        prfdata_output_format(output, "%u", (unsigned)key->counter_title);
}

static void put_help(prfdata_output *output, const described *d)
{
    const prfdata_text help =
        prfdata_name_table_name(&d->titles->helps, d->counter->definition.counter_help_title_index);

    if (help.count == 0)
        return;
    prfdata_output_put_text(output, help);
    prfdata_output_put_string(output, "\r\n\r\n");
}

static void put_type(prfdata_output *output, uint32_t type)
{
    const prfdata_counter_type *known = prfdata_counter_types_find(type);
    char note[256];

    prfdata_output_format(output, "Type      %s%s (0x%08X)\r\n", known ? "PERF_" : "not predefined",
                          known ? known->name : "", (unsigned)type);
    if (prfdata_counter_formula_note(type, note, sizeof note))
        prfdata_output_format(output, "          %s\r\n", note);
}

static const char *numerator_words(const prfdata_counter_formula *formula)
{
    static const char *const words[] = {
        [PRFDATA_NUMERATOR_ZERO] = "always 0",
        [PRFDATA_NUMERATOR_LEVEL] = "the value as it is",
        [PRFDATA_NUMERATOR_GROWTH] = "how much the value grew since the sample before",
        [PRFDATA_NUMERATOR_AGE] = "the time since the start that the value holds",
    };

    return words[formula->numerator];
}

static const char *denominator_words(const prfdata_counter_formula *formula)
{
    static const char *const words[] = {
        [PRFDATA_DENOMINATOR_NONE] = "",
        [PRFDATA_DENOMINATOR_TICKS] = ", divided by the time that passed",
        [PRFDATA_DENOMINATOR_SECONDS] = ", divided by the seconds that passed",
        [PRFDATA_DENOMINATOR_BASE] = ", divided by its base",
        [PRFDATA_DENOMINATOR_BASE_GROWTH] = ", divided by how much its base grew",
    };

    return words[formula->denominator];
}

static void put_words(prfdata_output *output, const prfdata_counter_formula *formula)
{
    prfdata_output_format(output, "In words  %s%s%s%s%s%s%s\r\n", numerator_words(formula),
                          formula->is_ticks ? ", in seconds" : "", denominator_words(formula),
                          formula->is_multi ? ", of several components" : "",
                          formula->is_inverse ? ", and what is left of the whole" : "",
                          formula->is_ratio ? ", in percent" : "",
                          formula->is_thousandth ? ", in thousandths" : "");
}

/* ---- The formula with its numbers ---- */

static bool put_term(prfdata_output *output, const char *term, const described *d,
                     prfdata_formula_clock clock)
{
    const prfdata_compute_raw *raw = term[1] == '0' ? &d->older : &d->newer;

    if (term[0] == 'F') {
        prfdata_output_format(output, "%lld",
                              (long long)prfdata_compute_frequency(&d->newer, clock));
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

/* The formula's text with a number in the place of each term. */
static void put_numbers(prfdata_output *output, const described *d,
                        const prfdata_counter_formula *formula)
{
    char text[96];

    prfdata_counter_formula_text(formula, text, sizeof text);
    prfdata_output_put_string(output, "Numbers   ");
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
    const uint32_t status = prfdata_compute(d->has_older ? &d->older : NULL, &d->newer, &value);
    const prfdata_text name =
        prfdata_titles_name(d->titles, PRFDATA_BY_ENGLISH, d->key->counter_title);
    const char *sign = prfdata_number_unit_sign(prfdata_number_unit(d->newer.type, name));

    if (status != PRFDATA_STATUS_OK)
        prfdata_output_format(output, "Value     none: %s (%s)\r\n",
                              prfdata_compute_status_text(status),
                              prfdata_compute_status_name(status));
    else if (value.is_whole)
        prfdata_output_format(output, "Value     %lld %s\r\n", (long long)value.whole, sign);
    else
        prfdata_output_format(output, "Value     %.9g %s\r\n", value.number, sign);
}

static void put_formula(prfdata_output *output, const described *d)
{
    const prfdata_counter_formula formula = prfdata_counter_formula_of(d->newer.type);
    char text[96];

    if (formula.kind != PRFDATA_COUNTER_NUMBER)
        return;
    prfdata_counter_formula_text(&formula, text, sizeof text);
    put_words(output, &formula);
    prfdata_output_format(output, "Formula   %s\r\n", text);
    if (d->has_older || !prfdata_counter_formula_needs_two_samples(&formula))
        put_numbers(output, d, &formula);
}

static void put_raw_row(prfdata_output *output, const described *d, const char *name,
                        uint64_t newer, uint64_t older)
{
    prfdata_output_format(output, "%-34s%22llu", name, (unsigned long long)newer);
    if (d->has_older)
        prfdata_output_format(output, "%22llu", (unsigned long long)older);
    prfdata_output_put_string(output, "\r\n");
}

static void put_raw_samples(prfdata_output *output, const described *d)
{
    const prfdata_compute_raw *n = &d->newer;
    const prfdata_compute_raw *o = &d->older;

    prfdata_output_format(output, "\r\n%-34s%22s%s\r\n", "Raw samples", "this one",
                          d->has_older ? "        the one before" : "");
    put_raw_row(output, d, "N  value", n->value, o->value);
    if (n->base_bytes > 0)
        put_raw_row(output, d, "B  base or second value", n->base, o->base);
    put_raw_row(output, d, "D  PerfTime", (uint64_t)n->perf_time, (uint64_t)o->perf_time);
    put_raw_row(output, d, "F  PerfFreq", (uint64_t)n->perf_freq, (uint64_t)o->perf_freq);
    put_raw_row(output, d, "D  PerfTime100nSec", (uint64_t)n->time_100ns, (uint64_t)o->time_100ns);
    put_raw_row(output, d, "D  the object's PerfTime", (uint64_t)n->object_time,
                (uint64_t)o->object_time);
    put_raw_row(output, d, "F  the object's PerfFreq", (uint64_t)n->object_freq,
                (uint64_t)o->object_freq);
}

void prfdata_details_put(prfdata_output *output, const prfdata_series_key *key,
                         const prfdata_titles *titles, const prfdata_sample *older,
                         const prfdata_sample *newer)
{
    described before = describe_in(key, older);
    described d = describe_in(key, newer);

    d.titles = titles;
    d.older = before.newer;
    d.has_older = before.status == PRFDATA_STATUS_OK;
    prfdata_details_put_path(output, key, titles, key->label.count > 0);
    prfdata_output_put_string(output, "\r\n\r\n");
    if (d.counter)
        put_help(output, &d);
    if (d.status == PRFDATA_STATUS_OK)
        put_value(output, &d);
    else
        prfdata_output_format(output, "Value     none: %s\r\n",
                              prfdata_compute_status_text(d.status));
    if (d.counter)
        put_type(output, d.counter->definition.counter_type);
    if (d.status == PRFDATA_STATUS_OK) {
        put_formula(output, &d);
        put_raw_samples(output, &d);
    }
    if (d.counter)
        prfdata_details_put_definition(output, d.sample, d.counter);
    if (d.counter && d.instance)
        prfdata_details_put_values(output, d.sample, d.instance, d.counter);
}
