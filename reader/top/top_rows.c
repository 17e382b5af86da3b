/* SPDX-License-Identifier: MIT */
/* A row is found by its titles and its path, as a row of any table is (view/table.h). */
#include "top/top_rows.h"

#include <math.h>
#include <string.h>

#include <prfdata/error.h>

#include "compute/counter_formula.h"
#include "core/array.h"

/* What makes a row, with room for numbers in the place of names. */
typedef struct row_names {
    uint32_t object_title;
    uint32_t counter_title;
    prfdata_text object;
    prfdata_text label;
    prfdata_text counter;
    bool has_instance;
    uint16_t object_digits[12];
    uint16_t counter_digits[12];
} row_names;

/* ---- Rows ---- */

static void put_path_part(const prfdata_top_view *view, prfdata_text *path, const char *before,
                          prfdata_text part)
{
    for (; *before; before++)
        view->path[path->count++] = (unsigned char)*before;
    if (part.count > 0)
        memcpy(view->path + path->count, part.chars, part.count * sizeof *view->path);
    path->count += part.count;
}

/* The key of a row, until the next one's. Returns false: no memory. */
static bool make_path_key(prfdata_top_view *view, const row_names *names, prfdata_table_key *key)
{
    const size_t most = names->object.count + names->label.count + names->counter.count + 4;
    uint16_t *chars = prfdata_array_reserve(view->path, &view->path_capacity, most, sizeof *chars);

    if (!chars)
        return false;
    view->path = chars;
    *key = (prfdata_table_key){{chars, 0}, names->object_title, names->counter_title};
    put_path_part(view, &key->label, "\\", names->object);
    if (names->has_instance)
        put_path_part(view, &key->label, "(", names->label);
    put_path_part(view, &key->label, names->has_instance ? ")\\" : "\\", names->counter);
    return true;
}

static void set_path_parts(prfdata_top_row *row, const row_names *names)
{
    const prfdata_text path = row->base.label;
    const size_t object_end = 1 + names->object.count;

    row->has_instance = names->has_instance;
    row->object = prfdata_text_part(path, 1, object_end);
    if (row->has_instance)
        row->label = prfdata_text_part(path, object_end + 1, object_end + 1 + names->label.count);
    row->counter = prfdata_text_part(path, path.count - names->counter.count, path.count);
    for (uint32_t i = 0; i < PRFDATA_TOP_HISTORY; i++)
        row->history[i] = NAN;
}

/* The row, old or new, for its next place. NULL: it has one, or there is no room. */
static prfdata_top_row *row_of_names(prfdata_top_view *view, const row_names *names)
{
    const uint32_t count = view->list.row_count;
    prfdata_table_key key;
    prfdata_table_row *row =
        make_path_key(view, names, &key) ? prfdata_table_row_of(&view->list, &key) : NULL;

    if (!row)
        view->status = ERROR_NOT_ENOUGH_MEMORY;
    else if (view->list.row_count > count)
        set_path_parts((prfdata_top_row *)row, names);
    if (!row || row->life.is_present)
        return NULL;
    row->cells[PRFDATA_TOP_ORDER].has_raw = true;
    row->cells[PRFDATA_TOP_ORDER].value =
        (prfdata_compute_value){.is_whole = true, .whole = 2 * (int64_t)view->added_count++ + 1};
    return (prfdata_top_row *)row;
}

/* ---- Values ---- */

static double seconds_between(const prfdata_cell_source *source)
{
    const prfdata_perf_data_block *older = &source->older->block.header;
    const prfdata_perf_data_block *newer = &source->newer->block.header;

    if (newer->perf_freq > 0 && newer->perf_time > older->perf_time)
        return ((double)newer->perf_time - (double)older->perf_time) / (double)newer->perf_freq;
    if (newer->perf_time_100ns > older->perf_time_100ns)
        return ((double)newer->perf_time_100ns - (double)older->perf_time_100ns) /
               PRFDATA_COMPUTE_100NS_PER_SECOND;
    return 0;
}

/* Of a fraction or a timer the raw value means nothing by itself. */
static bool is_level_type(uint32_t type)
{
    const prfdata_counter_formula formula = prfdata_counter_formula_of(type);

    return formula.kind == PRFDATA_COUNTER_NUMBER && formula.numerator == PRFDATA_NUMERATOR_LEVEL &&
           formula.denominator == PRFDATA_DENOMINATOR_NONE;
}

/* Whole levels are taken apart exactly, also those that doubles cannot tell. */
static double growth_of_level(const prfdata_compute_value *older,
                              const prfdata_compute_value *newer)
{
    if (older->is_whole && newer->is_whole && (older->whole < 0) == (newer->whole < 0))
        return (double)(newer->whole - older->whole);
    return newer->number - older->number;
}

static void set_row_cells(const prfdata_top_view *view, prfdata_top_row *row, uint32_t position)
{
    prfdata_cell *cell = &row->base.cells[PRFDATA_TOP_VALUE];
    prfdata_cell *change = &row->base.cells[PRFDATA_TOP_CHANGE];
    const bool had_value = view->source.older_instance && prfdata_cell_has_value(cell);
    const uint32_t type = cell->type;
    const prfdata_compute_value before = cell->value;
    double seconds = 0;

    prfdata_cell_set(cell, &view->source, position);
    row->is_level = is_level_type(cell->type);
    if (row->is_level && had_value && prfdata_cell_has_value(cell) && type == cell->type)
        seconds = seconds_between(&view->source);
    change->has_raw = seconds > 0;
    if (change->has_raw)
        change->value = prfdata_number_of(growth_of_level(&before, &cell->value) / seconds);
}

static void count_row_value(prfdata_top_view *view, prfdata_top_row *row)
{
    const prfdata_cell *cell = &row->base.cells[PRFDATA_TOP_VALUE];
    const double number = cell->value.number;

    row->history[view->history_at] = NAN;
    if (!prfdata_cell_has_value(cell))
        return;
    row->history[view->history_at] = (float)number;
    if (row->value_count == 0 || number < row->minimum)
        row->minimum = number;
    if (row->value_count == 0 || number > row->maximum)
        row->maximum = number;
    row->sum += number;
    row->value_count++;
}

static void show_row(prfdata_top_view *view, prfdata_top_row *row)
{
    prfdata_table_show(&view->list, &row->base,
                       prfdata_cell_is_idle(&row->base.cells[PRFDATA_TOP_VALUE]));
    count_row_value(view, row);
}

/* ---- Samples ---- */

static void add_counter(prfdata_top_view *view, const prfdata_resolver *match)
{
    const prfdata_titles *titles = match->titles;
    const prfdata_perf_counter_definition *counter =
        &match->object->counters[match->counter_position].definition;
    const uint32_t title = counter->counter_name_title_index;
    prfdata_top_row *row;
    row_names names = {.object_title = match->object->wire.header.object_name_title_index,
                       .counter_title = title,
                       .has_instance = match->object->has_instances};

    names.object = prfdata_titles_name_in_way_or_index(titles, match->path->way, names.object_title,
                                                       names.object_digits);
    names.counter =
        prfdata_titles_name_in_way_or_index(titles, match->way, title, names.counter_digits);
    if (names.has_instance)
        names.label = match->instance->label;
    row = row_of_names(view, &names);
    if (!row)
        return;
    row->unit = prfdata_number_unit(counter->counter_type,
                                    prfdata_titles_name(titles, PRFDATA_BY_ENGLISH, title));
    row->base.help = prfdata_name_table_name(&titles->helps, counter->counter_help_title_index);
    if (view->source.object != match->object)
        prfdata_cell_go_to_object(&view->source, match->object);
    prfdata_cell_go_to(&view->source, match->instance);
    set_row_cells(view, row, match->counter_position);
    show_row(view, row);
}

static void add_nothing(prfdata_top_view *view, const prfdata_resolver *match)
{
    const prfdata_path *path = &match->path->path;
    const row_names names = {.object = path->object,
                             .counter = path->counter,
                             .label = path->instance,
                             .has_instance = path->has_instance};
    prfdata_top_row *row = row_of_names(view, &names);

    if (!row)
        return;
    prfdata_cell_clear(&row->base.cells[PRFDATA_TOP_VALUE], prfdata_resolver_status(match->result));
    show_row(view, row);
}

void prfdata_top_rows_add(prfdata_top_view *view, const prfdata_resolver *match)
{
    if (match->object)
        add_counter(view, match);
    else
        add_nothing(view, match);
}

/* One for a path without a match goes at once, since the path has matches now. */
void prfdata_top_rows_miss(const prfdata_top_view *view, prfdata_top_row *row)
{
    row->base.cells[PRFDATA_TOP_ORDER].value.whole &= ~INT64_C(1); /* above who has its place now */
    row->base.cells[PRFDATA_TOP_CHANGE].has_raw = false;
    row->history[view->history_at] = NAN;
    if (row->base.counter_title == 0)
        row->base.life.left = PRFDATA_TABLE_WHILE;
}
