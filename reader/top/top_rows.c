/* SPDX-License-Identifier: MIT */
/* A row is found by a hash of its titles and its label; names tell the rest. */
#include "top/top_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "core/array.h"
#include "core/names.h"
#include "view/table.h"

void prfdata_top_rows_free(prfdata_top_row *row)
{
    prfdata_cell_free(&row->cell);
    free(row->chars);
    free(row);
}

static uint64_t hash_row_key(uint32_t object_title, uint32_t counter_title, prfdata_text label)
{
    return prfdata_names_hash(label.chars, label.count,
                              (uint64_t)object_title << 32 | counter_title);
}

static uint64_t hash_row(const prfdata_top_row *row)
{
    return hash_row_key(row->object_title, row->counter_title, row->label);
}

/* Whether the row at this position is that of the reading `key`. */
static bool is_row_of_reading(const void *elements, uint32_t position, const void *key)
{
    const prfdata_top_row *row = ((prfdata_top_row *const *)elements)[position];
    const prfdata_top_reading *reading = key;

    return row->object_title == reading->object_title &&
           row->counter_title == reading->counter_title &&
           row->has_instance == reading->has_instance &&
           prfdata_text_equal(row->label, reading->label) &&
           prfdata_text_equal(row->object, reading->object) &&
           prfdata_text_equal(row->counter, reading->counter);
}

/* The table has room: there were more of them before. */
void prfdata_top_rows_index(prfdata_top_view *view)
{
    prfdata_hash_table_clear(&view->table);
    for (uint32_t i = 0; i < view->row_count; i++)
        (void)prfdata_hash_table_add(&view->table, hash_row(view->rows[i]), i);
}

prfdata_top_row *prfdata_top_rows_find(const prfdata_top_view *view,
                                       const prfdata_top_reading *reading)
{
    const uint64_t hash =
        hash_row_key(reading->object_title, reading->counter_title, reading->label);
    const uint32_t position =
        prfdata_hash_table_find(&view->table, hash, is_row_of_reading, view->rows, reading);

    return position != PRFDATA_HASH_TABLE_NONE ? view->rows[position] : NULL;
}

prfdata_top_row *prfdata_top_rows_cell(const prfdata_top_view *view, const prfdata_top_row *row,
                                       const prfdata_top_column *column)
{
    const prfdata_top_reading reading = {.object_title = row->object_title,
                                         .counter_title = column->counter_title,
                                         .object = row->object,
                                         .label = row->label,
                                         .counter = column->counter,
                                         .has_instance = row->has_instance};

    return prfdata_top_rows_find(view, &reading);
}

/* Make room for one more row, also on the screen. */
static bool reserve_row(prfdata_top_view *view)
{
    const size_t needed = (size_t)view->row_count + 1;
    prfdata_top_row **rows =
        prfdata_array_reserve(view->rows, &view->row_capacity, needed, sizeof(prfdata_top_row *));
    prfdata_top_row **shown;

    if (!rows)
        return false;
    view->rows = rows;
    shown = prfdata_array_reserve(view->shown, &view->shown_capacity, needed,
                                  sizeof(prfdata_top_row *));
    if (!shown)
        return false;
    view->shown = shown;
    return true;
}

/* Put a row at the end, and own it. */
static bool append_row(prfdata_top_view *view, prfdata_top_row *row)
{
    if (!reserve_row(view) || !prfdata_hash_table_add(&view->table, hash_row(row), view->row_count))
        return false;
    view->rows[view->row_count++] = row;
    return true;
}

static prfdata_text put_path_part(prfdata_top_row *row, const char *before, prfdata_text part)
{
    prfdata_text copy;

    for (; *before; before++)
        row->chars[row->path.count++] = (unsigned char)*before;
    copy.chars = row->chars + row->path.count;
    copy.count = part.count;
    if (part.count > 0)
        memcpy(row->chars + row->path.count, part.chars, part.count * sizeof *row->chars);
    row->path.count += part.count;
    return copy;
}

static prfdata_top_row *make_row(const prfdata_top_reading *reading)
{
    size_t chars = reading->object.count + reading->label.count + reading->counter.count + 4;
    prfdata_top_row *row = calloc(1, sizeof *row);

    if (!row)
        return NULL;
    row->chars = malloc(chars * sizeof *row->chars);
    if (!row->chars) {
        free(row);
        return NULL;
    }
    row->path.chars = row->chars;
    row->object_title = reading->object_title;
    row->counter_title = reading->counter_title;
    row->has_instance = reading->has_instance;
    row->object = put_path_part(row, "\\", reading->object);
    if (reading->has_instance)
        row->label = put_path_part(row, "(", reading->label);
    row->counter = put_path_part(row, reading->has_instance ? ")\\" : "\\", reading->counter);
    row->is_total = row->has_instance && prfdata_table_is_total(row->label);
    for (uint32_t i = 0; i < PRFDATA_TOP_HISTORY; i++)
        row->history[i] = NAN;
    return row;
}

prfdata_top_row *prfdata_top_rows_add(prfdata_top_view *view, const prfdata_top_reading *reading)
{
    prfdata_top_row *row;

    if (view->row_count == PRFDATA_TOP_MAX_ROWS) {
        view->left_out++;
        return NULL;
    }
    row = make_row(reading);
    if (row && append_row(view, row)) {
        row->number = ++view->next_number;
        row->life.came = view->sample_count;
        return row;
    }
    if (row)
        prfdata_top_rows_free(row);
    view->status = ERROR_NOT_ENOUGH_MEMORY;
    return NULL;
}
