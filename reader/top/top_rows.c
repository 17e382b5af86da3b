/* SPDX-License-Identifier: MIT */
/*
 * Manages the rows of the live view's list. A row is found by its titles and its path
 * (view/table.h).
 */
#include "top/top_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "compute/counter_formula.h"
#include "view/heading.h"

static size_t put_path_part(const prfdata_top_view *view, size_t at, const char *before,
                            prfdata_text part)
{
    for (; *before; before++)
        view->path[at++] = (unsigned char)*before;
    if (part.count > 0)
        memcpy(view->path + at, part.chars, part.count * sizeof *view->path);
    return at + part.count;
}

/*
 * Make the key of a row, valid until the next call. The part before the label is used again if the
 * previous row has the same counter. Returns false: no memory.
 */
static bool make_path_key(prfdata_top_view *view, prfdata_top_counter *counter, prfdata_text label,
                          prfdata_table_key *key)
{
    const size_t most = counter->object.count + label.count + counter->counter.count + 4;
    size_t count;

    if (most > view->path_capacity) {
        uint16_t *chars =
            prfdata_array_reserve(view->path, &view->path_capacity, most, sizeof *chars);

        if (!chars)
            return false;
        view->path = chars;
    }
    if (counter->head_chars == 0)
        counter->head_chars = put_path_part(view, 0, "\\", counter->object);
    count = counter->head_chars;
    if (counter->has_instance)
        count = put_path_part(view, count, "(", label);
    count = put_path_part(view, count, counter->has_instance ? ")\\" : "\\", counter->counter);
    *key = (prfdata_table_key){{view->path, count}, counter->object_title, counter->counter_title};
    return true;
}

static void set_path_parts(prfdata_top_row *row, const prfdata_top_counter *counter,
                           size_t label_chars)
{
    const prfdata_text path = row->base.label;
    const size_t object_end = 1 + counter->object.count;

    row->has_instance = counter->has_instance;
    row->object = prfdata_text_part(path, 1, object_end);
    if (row->has_instance)
        row->label = prfdata_text_part(path, object_end + 1, object_end + 1 + label_chars);
    row->counter = prfdata_text_part(path, path.count - counter->counter.count, path.count);
    for (uint32_t i = 0; i < PRFDATA_TOP_HISTORY; i++)
        row->history[i] = NAN;
}

/*
 * Find or add the row of a label, and give it the next place in the list. NULL: the row already has
 * a place in this sample, or there is no memory.
 */
static prfdata_top_row *row_of_label(prfdata_top_view *view, prfdata_top_counter *counter,
                                     prfdata_text label)
{
    const uint32_t count = view->list.row_count;
    prfdata_table_key key;
    prfdata_table_row *row =
        make_path_key(view, counter, label, &key) ? prfdata_table_row_of(&view->list, &key) : NULL;

    if (!row)
        view->status = ERROR_NOT_ENOUGH_MEMORY;
    else if (view->list.row_count > count)
        set_path_parts((prfdata_top_row *)row, counter, label.count);
    if (!row || row->life.is_present)
        return NULL;
    row->cells[PRFDATA_TOP_ORDER].has_raw = true;
    row->cells[PRFDATA_TOP_ORDER].value =
        (prfdata_compute_value){.is_whole = true, .whole = 2 * (int64_t)view->added_count++ + 1};
    return (prfdata_top_row *)row;
}

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

static bool is_level_formula(const prfdata_counter_formula *formula)
{
    return formula->kind == PRFDATA_COUNTER_NUMBER &&
           formula->numerator == PRFDATA_NUMERATOR_LEVEL &&
           formula->denominator == PRFDATA_DENOMINATOR_NONE;
}

/* Subtract whole levels exactly, even if doubles cannot distinguish them. */
static double growth_of_level(const prfdata_compute_value *older,
                              const prfdata_compute_value *newer)
{
    if (older->is_whole && newer->is_whole && (older->whole < 0) == (newer->whole < 0))
        return (double)(newer->whole - older->whole);
    return newer->number - older->number;
}

static void set_row_cells(prfdata_top_view *view, prfdata_top_row *row, uint32_t position)
{
    prfdata_cell *cell = &row->base.cells[PRFDATA_TOP_VALUE];
    prfdata_cell *change = &row->base.cells[PRFDATA_TOP_CHANGE];
    const bool had_value = view->source.older_instance && prfdata_cell_has_value(cell);
    const uint32_t type = cell->type;
    const prfdata_compute_value before = cell->value;
    double seconds = 0;

    prfdata_cell_set(cell, &view->source, position);
    row->is_level = is_level_formula(prfdata_cell_formula(&view->source, position));
    if (row->is_level && had_value && prfdata_cell_has_value(cell) && type == cell->type)
        seconds = seconds_between(&view->source);
    change->has_raw = seconds > 0;
    if (change->has_raw)
        change->value = prfdata_number_of(growth_of_level(&before, &cell->value) / seconds);
}

/* Return the number as a float. The largest float stands for numbers beyond it, because graphs
 * compute with differences, and infinity has none. */
static float float_of(double number)
{
    return number > FLT_MAX ? FLT_MAX : number < -FLT_MAX ? -FLT_MAX : (float)number;
}

static void count_row_value(prfdata_top_view *view, prfdata_top_row *row)
{
    const prfdata_cell *cell = &row->base.cells[PRFDATA_TOP_VALUE];
    const double number = cell->value.number;

    row->history[view->history_at] = NAN;
    if (!prfdata_cell_has_value(cell))
        return;
    row->history[view->history_at] = float_of(number);
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

void prfdata_top_rows_begin(prfdata_top_view *view, const prfdata_resolver *match,
                            prfdata_top_counter *counter)
{
    const prfdata_titles *titles = match->titles;
    const prfdata_perf_counter_definition *definition =
        &match->object->counters[match->counter_position].definition;
    const uint32_t title = definition->counter_name_title_index;

    *counter = (prfdata_top_counter){
        .object_title = match->object->wire.header.object_name_title_index,
        .counter_title = title,
        .help = prfdata_name_table_name(&titles->helps, definition->counter_help_title_index),
        .unit = prfdata_heading_number_unit(
            titles, match->object->wire.header.object_name_title_index, title,
            definition->counter_type, prfdata_titles_name(titles, PRFDATA_BY_ENGLISH, title)),
        .has_instance = match->object->has_instances,
        .threshold = prfdata_thresholds_find(
            &view->thresholds,
            prfdata_titles_name(titles, PRFDATA_BY_ENGLISH,
                                match->object->wire.header.object_name_title_index),
            prfdata_titles_name(titles, PRFDATA_BY_ENGLISH, title))};
    counter->object = prfdata_titles_name_in_way_or_index(
        titles, match->path->way, counter->object_title, counter->object_digits);
    counter->counter =
        prfdata_titles_name_in_way_or_index(titles, match->way, title, counter->counter_digits);
    if (view->source.object != match->object)
        prfdata_cell_go_to_object(&view->source, match->object);
}

void prfdata_top_rows_add(prfdata_top_view *view, const prfdata_resolver *match,
                          prfdata_top_counter *counter)
{
    const prfdata_text none = {NULL, 0};
    prfdata_top_row *row =
        row_of_label(view, counter, counter->has_instance ? match->instance->label : none);

    if (!row)
        return;
    row->unit = counter->unit;
    row->base.help = counter->help;
    row->base.threshold = counter->threshold;
    prfdata_cell_go_to(&view->source, match->instance);
    set_row_cells(view, row, match->counter_position);
    show_row(view, row);
}

void prfdata_top_rows_add_nothing(prfdata_top_view *view, const prfdata_resolver *match)
{
    const prfdata_path *path = &match->path->path;
    prfdata_top_counter counter = {
        .object = path->object, .counter = path->counter, .has_instance = path->has_instance};
    prfdata_top_row *row = row_of_label(view, &counter, path->instance);

    if (!row)
        return;
    prfdata_cell_clear(&row->base.cells[PRFDATA_TOP_VALUE], prfdata_resolver_status(match->result));
    show_row(view, row);
}

void prfdata_top_rows_miss(const prfdata_top_view *view, prfdata_top_row *row)
{
    /* The order of a present row is odd. The even order sorts the missing row before the row that
     * has its place now. */
    row->base.cells[PRFDATA_TOP_ORDER].value.whole &= ~INT64_C(1);
    row->base.cells[PRFDATA_TOP_CHANGE].has_raw = false;
    row->history[view->history_at] = NAN;
    /* If the row says that its path has no match, remove the row at once, because there is a match
     * now. */
    if (row->base.counter_title == 0)
        row->base.life.left = PRFDATA_TABLE_WHILE;
}
