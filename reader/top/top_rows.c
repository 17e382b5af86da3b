/* SPDX-License-Identifier: MIT */
/* A row is found by its titles and its path, as a row of any table is (view/table.h). */
#include "top/top_rows.h"

#include <math.h>
#include <string.h>

#include <prfdata/error.h>

#include "core/array.h"

static void put_path_part(const prfdata_top_view *view, prfdata_text *path, const char *before,
                          prfdata_text part)
{
    for (; *before; before++)
        view->path[path->count++] = (unsigned char)*before;
    if (part.count > 0)
        memcpy(view->path + path->count, part.chars, part.count * sizeof *view->path);
    path->count += part.count;
}

/* The key of a reading, until the next one's. Returns false: no memory. */
static bool make_path_key(prfdata_top_view *view, const prfdata_top_reading *reading,
                          prfdata_table_key *key)
{
    const size_t most = reading->object.count + reading->label.count + reading->counter.count + 4;
    uint16_t *chars = prfdata_array_reserve(view->path, &view->path_capacity, most, sizeof *chars);

    if (!chars)
        return false;
    view->path = chars;
    *key = (prfdata_table_key){{chars, 0}, reading->object_title, reading->counter_title};
    put_path_part(view, &key->label, "\\", reading->object);
    if (reading->has_instance)
        put_path_part(view, &key->label, "(", reading->label);
    put_path_part(view, &key->label, reading->has_instance ? ")\\" : "\\", reading->counter);
    return true;
}

static void set_path_parts(prfdata_top_row *row, const prfdata_top_reading *reading)
{
    const prfdata_text path = row->base.label;
    const size_t object_end = 1 + reading->object.count;

    row->has_instance = reading->has_instance;
    row->object = prfdata_text_part(path, 1, object_end);
    if (row->has_instance)
        row->label = prfdata_text_part(path, object_end + 1, object_end + 1 + reading->label.count);
    row->counter = prfdata_text_part(path, path.count - reading->counter.count, path.count);
    for (uint32_t i = 0; i < PRFDATA_TOP_HISTORY; i++)
        row->history[i] = NAN;
}

prfdata_top_row *prfdata_top_rows_of(prfdata_top_view *view, const prfdata_top_reading *reading)
{
    const uint32_t count = view->table.row_count;
    prfdata_table_row *row = NULL;
    prfdata_table_key key;

    if (make_path_key(view, reading, &key)) {
        row = prfdata_table_find(&view->table, &key);
        if (!row && count == PRFDATA_TOP_MAX_ROWS) {
            view->left_out++;
            return NULL;
        }
        if (!row)
            row = prfdata_table_row_of(&view->table, &key);
    }
    if (!row)
        view->status = ERROR_NOT_ENOUGH_MEMORY;
    else if (view->table.row_count > count)
        set_path_parts((prfdata_top_row *)row, reading);
    return (prfdata_top_row *)row;
}

prfdata_top_row *prfdata_top_rows_shown(const prfdata_top_view *view, uint32_t at)
{
    return (prfdata_top_row *)view->table.shown[at];
}

prfdata_top_row *prfdata_top_rows_cell(prfdata_top_view *view, const prfdata_top_row *row,
                                       const prfdata_top_column *column)
{
    const prfdata_top_reading reading = {.object_title = row->base.object_title,
                                         .counter_title = column->counter_title,
                                         .object = row->object,
                                         .label = row->label,
                                         .counter = column->counter,
                                         .has_instance = row->has_instance};
    prfdata_table_key key;

    return make_path_key(view, &reading, &key)
               ? (prfdata_top_row *)prfdata_table_find(&view->table, &key)
               : NULL;
}
