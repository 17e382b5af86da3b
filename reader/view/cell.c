/* SPDX-License-Identifier: MIT */
/* Computes a counter of an instance from two samples. */
#include "view/cell.h"

#include <stdlib.h>

#include "text/words.h"
#include "view/number.h"

/* Bits of a counter type that say how long its value is (winperf.h). */
#define SIZE_MASK  0x00000300u
#define SIZE_LARGE 0x00000100u

void prfdata_cell_free(prfdata_cell *cell)
{
    prfdata_text_free(&cell->text);
    *cell = (prfdata_cell){0};
}

void prfdata_cell_clear(prfdata_cell *cell, uint32_t status)
{
    const uint32_t type = cell->type;

    prfdata_cell_free(cell);
    cell->type = type;
    cell->status = status;
}

static bool is_same_value(const prfdata_compute_value *a, const prfdata_compute_value *b)
{
    return a->is_whole == b->is_whole && a->whole == b->whole &&
           !(a->number < b->number || a->number > b->number);
}

void prfdata_cell_source_free(prfdata_cell_source *source)
{
    free(source->readers);
    source->readers = NULL;
    source->spare.is_made = false;
}

void prfdata_cell_go_to_object(prfdata_cell_source *source, const prfdata_sample_object *object)
{
    prfdata_cell_source_free(source);
    source->readers = calloc((size_t)object->counter_count + 1, sizeof *source->readers);
    source->object = object;
    source->older_object =
        source->older
            ? prfdata_sample_find_object(source->older, object->wire.header.object_name_title_index)
            : NULL;
}

/* The instance mostly has the same position in the older sample, so that position is tried
 * first. */
void prfdata_cell_go_to(prfdata_cell_source *source, const prfdata_sample_instance *instance)
{
    const prfdata_sample_object *older = source->older_object;
    const size_t at = (size_t)(instance - source->object->instances);

    source->instance = instance;
    source->older_instance =
        older ? prfdata_sample_find_instance_near(older, instance->label, at) : NULL;
    if (source->older_instance &&
        !prfdata_sample_has_same_owner(older, source->older_instance, source->object, instance))
        source->older_instance = NULL;
}

static bool has_counter_at(const prfdata_sample_object *object, uint32_t position, uint32_t title)
{
    return position < object->counter_count &&
           object->counters[position].definition.counter_name_title_index == title;
}

/*
 * Prepare reading a counter in both samples. If the older sample has another counter at the same
 * position, search that sample for the title. The types need not be compared, because
 * prfdata_compute_pair_make() compares them.
 */
static void make_reader(const prfdata_cell_source *source, uint32_t position,
                        prfdata_cell_reader *reader)
{
    const prfdata_sample_object *older = source->older_object;
    const uint32_t title = source->object->counters[position].definition.counter_name_title_index;
    uint32_t at = position;

    reader->is_made = true;
    prfdata_sample_reader_make(source->newer, source->object, position, &reader->newer);
    if (older && !has_counter_at(older, at, title)) {
        at = 0;
        while (at < older->counter_count && !has_counter_at(older, at, title))
            at++;
    }
    reader->has_older = older && at < older->counter_count;
    if (reader->has_older)
        prfdata_sample_reader_make(source->older, older, at, &reader->older);
    reader->has_older = reader->has_older && reader->older.raw.status == PRFDATA_STATUS_OK;
    prfdata_compute_pair_make(&reader->newer.formula, reader->has_older ? &reader->older.raw : NULL,
                              &reader->newer.raw, &reader->pair);
}

static const prfdata_cell_reader *reader_at(prfdata_cell_source *source, uint32_t position)
{
    prfdata_cell_reader *reader = source->readers ? &source->readers[position] : &source->spare;

    if (!reader->is_made || !source->readers)
        make_reader(source, position, reader);
    return reader;
}

const prfdata_counter_formula *prfdata_cell_formula(prfdata_cell_source *source, uint32_t position)
{
    return &reader_at(source, position)->newer.formula;
}

static uint32_t read_count(const prfdata_sample_reader *reader,
                           const prfdata_sample_instance *instance, prfdata_compute_count *count)
{
    prfdata_compute_raw raw;

    if (reader->raw.status == PRFDATA_STATUS_OK)
        return prfdata_sample_reader_count(reader, instance->wire.values,
                                           instance->wire.values_bytes, count);
    return prfdata_sample_reader_get(reader, instance, &raw); /* checks the place of a text */
}

static void set_number(prfdata_cell *cell, const prfdata_cell_source *source,
                       const prfdata_cell_reader *reader, const prfdata_compute_count *newer)
{
    prfdata_compute_count older;
    const bool has_older =
        source->older_instance && reader->has_older &&
        read_count(&reader->older, source->older_instance, &older) == PRFDATA_STATUS_OK;

    cell->has_raw = true;
    cell->raw = newer->value;
    cell->status =
        prfdata_compute_by(&reader->pair, has_older ? &older : NULL, newer, &cell->value);
    if (source->is_capped && cell->status == PRFDATA_STATUS_OK)
        prfdata_compute_cap_by(&reader->newer.formula, &cell->value);
}

static void set_text(prfdata_cell *cell, const prfdata_cell_source *source, uint32_t position)
{
    const prfdata_sample_instance *instance = source->instance;
    uint16_t *chars = malloc(((size_t)instance->wire.values_bytes + 1) * sizeof *chars);
    prfdata_text text = {0};

    cell->status = PRFDATA_STATUS_INVALID_DATA;
    if (chars)
        cell->status = prfdata_sample_text(source->object, instance, position, chars, &text);
    if (cell->status == PRFDATA_STATUS_OK)
        (void)prfdata_text_copy(text, &cell->text);
    free(chars);
}

void prfdata_cell_set(prfdata_cell *cell, prfdata_cell_source *source, uint32_t position)
{
    const prfdata_cell_reader *reader = reader_at(source, position);
    const bool had_raw = cell->has_raw;
    const uint32_t status = cell->status;
    const prfdata_compute_value value = cell->value;
    prfdata_compute_count newer;

    if (cell->text.chars)
        prfdata_text_free(&cell->text);
    *cell = (prfdata_cell){.status = read_count(&reader->newer, source->instance, &newer),
                           .type = reader->newer.raw.type};
    if (cell->status == PRFDATA_STATUS_OK)
        set_number(cell, source, reader, &newer);
    else if (cell->status == PRFDATA_STATUS_IS_TEXT)
        set_text(cell, source, position);
    cell->has_changed =
        had_raw && cell->has_raw && status == cell->status && !is_same_value(&value, &cell->value);
}

bool prfdata_cell_has_value(const prfdata_cell *cell)
{
    return cell->has_raw && cell->status == PRFDATA_STATUS_OK;
}

prfdata_compute_value prfdata_cell_raw(const prfdata_cell *cell)
{
    const bool is_signed =
        (cell->type & SIZE_MASK) == SIZE_LARGE &&
        prfdata_counter_formula_of(cell->type).numerator == PRFDATA_NUMERATOR_LEVEL &&
        !prfdata_number_is_hex(cell->type);

    return (prfdata_compute_value){.number =
                                       is_signed ? (double)(int64_t)cell->raw : (double)cell->raw,
                                   .is_whole = true,
                                   .whole = (int64_t)cell->raw,
                                   .is_bits = !is_signed && (int64_t)cell->raw < 0};
}

bool prfdata_cell_is_idle(const prfdata_cell *cell)
{
    return cell->text.count == 0 && (cell->status != PRFDATA_STATUS_OK ||
                                     !(cell->value.number < 0 || cell->value.number > 0));
}

const char *prfdata_cell_reason(uint32_t status)
{
    switch (status) {
    case PRFDATA_STATUS_NO_OBJECT:
        return prfdata_words_get(PRFDATA_WORD_CELL_NO_OBJECT);
    case PRFDATA_STATUS_NO_COUNTER:
        return prfdata_words_get(PRFDATA_WORD_CELL_NO_COUNTER);
    case PRFDATA_STATUS_NO_INSTANCE:
        return prfdata_words_get(PRFDATA_WORD_CELL_NO_INSTANCE);
    case PRFDATA_STATUS_ONE_SAMPLE:
        return prfdata_words_get(PRFDATA_WORD_CELL_ONE_SAMPLE);
    case PRFDATA_STATUS_NO_DATA:
        return prfdata_words_get(PRFDATA_WORD_CELL_NO_DATA);
    case PRFDATA_STATUS_NEGATIVE_VALUE:
        return prfdata_words_get(PRFDATA_WORD_CELL_NEGATIVE_VALUE);
    case PRFDATA_STATUS_NEGATIVE_DENOMINATOR:
        return prfdata_words_get(PRFDATA_WORD_CELL_NEGATIVE_DENOMINATOR);
    case PRFDATA_STATUS_NEGATIVE_TIMEBASE:
        return prfdata_words_get(PRFDATA_WORD_CELL_NEGATIVE_TIMEBASE);
    case PRFDATA_STATUS_INVALID_DATA:
        return prfdata_words_get(PRFDATA_WORD_CELL_INVALID_DATA);
    case PRFDATA_STATUS_NO_FORMULA:
        return prfdata_words_get(PRFDATA_WORD_CELL_NO_FORMULA);
    default:
        return prfdata_words_get(PRFDATA_WORD_CELL_OTHER);
    }
}

int prfdata_cell_compare_values(const prfdata_compute_value *a, const prfdata_compute_value *b,
                                bool is_descending)
{
    int order;

    if (!a || !b)
        return (a == NULL) - (b == NULL);
    if (a->is_bits != b->is_bits)
        order = (int)a->is_bits - (int)b->is_bits;
    else if (a->is_whole && b->is_whole)
        order = (a->whole > b->whole) - (a->whole < b->whole);
    else
        order = (a->number > b->number) - (a->number < b->number);
    return is_descending ? -order : order;
}

static bool has_what_is_compared(const prfdata_cell *cell, bool by_raw)
{
    return cell && (by_raw ? cell->has_raw : cell->status == PRFDATA_STATUS_OK);
}

int prfdata_cell_compare(const prfdata_cell *a, const prfdata_cell *b, bool by_raw,
                         bool is_descending)
{
    const bool has_a = has_what_is_compared(a, by_raw);
    const bool has_b = has_what_is_compared(b, by_raw);
    int order;

    if (!has_a || !has_b)
        return (int)has_b - (int)has_a;
    if (a->has_raw != b->has_raw)
        return (int)b->has_raw - (int)a->has_raw;
    if (a->has_raw) {
        const prfdata_compute_value of_a = by_raw ? prfdata_cell_raw(a) : a->value;
        const prfdata_compute_value of_b = by_raw ? prfdata_cell_raw(b) : b->value;

        return prfdata_cell_compare_values(&of_a, &of_b, is_descending);
    }
    order = prfdata_text_compare(a->text, b->text);
    return is_descending ? -order : order;
}
