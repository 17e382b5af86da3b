/* SPDX-License-Identifier: MIT */
/* One counter in one sample. Which rows have cells is table.c's, and the terminal's. */
#include "view/cell.h"

#include <stdlib.h>

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

void prfdata_cell_set(prfdata_cell *cell, const prfdata_compute_raw *older,
                      const prfdata_compute_raw *newer, prfdata_text text)
{
    const prfdata_cell before = *cell;

    prfdata_text_free(&cell->text);
    *cell = (prfdata_cell){.status = newer->status, .type = newer->type};
    cell->has_raw = newer->status == PRFDATA_STATUS_OK;
    if (cell->has_raw) {
        cell->raw = newer->value;
        cell->status = prfdata_compute(older, newer, &cell->value);
    } else if (newer->status == PRFDATA_STATUS_IS_TEXT) {
        cell->status = text.chars ? PRFDATA_STATUS_OK : PRFDATA_STATUS_INVALID_DATA;
        (void)prfdata_text_copy(text, &cell->text);
    }
    cell->has_changed = before.has_raw && cell->has_raw && before.status == cell->status &&
                        !is_same_value(&before.value, &cell->value);
}

void prfdata_cell_read_text(const prfdata_sample_object *object,
                            const prfdata_sample_instance *instance, uint32_t position,
                            prfdata_text *text)
{
    uint16_t *chars = malloc(((size_t)instance->wire.values_bytes + 1) * sizeof *chars);

    *text = (prfdata_text){0};
    if (!chars || prfdata_sample_text(object, instance, position, chars, text) != PRFDATA_STATUS_OK)
        free(chars);
    else
        text->chars = chars;
}

bool prfdata_cell_has_value(const prfdata_cell *cell)
{
    return cell->has_raw && cell->status == PRFDATA_STATUS_OK;
}

bool prfdata_cell_is_idle(const prfdata_cell *cell)
{
    return cell->text.count == 0 && (cell->status != PRFDATA_STATUS_OK ||
                                     !(cell->value.number < 0 || cell->value.number > 0));
}

int prfdata_cell_compare_values(const prfdata_compute_value *a, const prfdata_compute_value *b,
                                bool is_descending)
{
    int order;

    if (!a || !b)
        return (a == NULL) - (b == NULL);
    if (a->is_whole && b->is_whole)
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
    if (a->has_raw && !by_raw)
        return prfdata_cell_compare_values(&a->value, &b->value, is_descending);
    if (a->has_raw)
        order = (a->raw > b->raw) - (a->raw < b->raw);
    else
        order = prfdata_text_compare(a->text, b->text);
    return is_descending ? -order : order;
}
