/* SPDX-License-Identifier: MIT */
/*
 * Rows by a hash of titles and label, sorted and filtered into what is shown; and what each key
 * does to it. Knows nothing of drawing.
 */
#include "top/top_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "compute/counter_formula.h"
#include "core/array.h"
#include "core/names.h"

#define FASTEST_MS 100u
#define SLOWEST_MS 3600000u

void prfdata_top_view_init(prfdata_top_view *view)
{
    memset(view, 0, sizeof *view);
    view->interval_ms = 1000;
    view->filter_chars[0] = '*';
    view->filter_chars[1] = '*';
}

static void free_row(prfdata_top_row *row)
{
    free(row->chars);
    free(row);
}

void prfdata_top_view_free(prfdata_top_view *view)
{
    for (uint32_t i = 0; i < view->row_count; i++)
        free_row(view->rows[i]);
    free(view->rows);
    free(view->shown);
    prfdata_hash_table_free(&view->table);
    prfdata_top_view_init(view);
}

prfdata_text prfdata_top_view_filter(const prfdata_top_view *view)
{
    return (prfdata_text){view->filter_chars + 1, view->filter_count};
}

float prfdata_top_view_past(const prfdata_top_view *view, const prfdata_top_row *row, uint32_t age)
{
    return row->history[(view->history_at + PRFDATA_TOP_HISTORY - age) % PRFDATA_TOP_HISTORY];
}

/* ---- Rows ---- */

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

/* Fill the table after rows moved. It has room: there were more of them before. */
static void fill_row_table(prfdata_top_view *view)
{
    prfdata_hash_table_clear(&view->table);
    for (uint32_t i = 0; i < view->row_count; i++)
        (void)prfdata_hash_table_add(&view->table, hash_row(view->rows[i]), i);
}

static prfdata_top_row *find_view_row(const prfdata_top_view *view,
                                      const prfdata_top_reading *reading)
{
    const uint64_t hash =
        hash_row_key(reading->object_title, reading->counter_title, reading->label);
    const uint32_t position =
        prfdata_hash_table_find(&view->table, hash, is_row_of_reading, view->rows, reading);

    return position != PRFDATA_HASH_TABLE_NONE ? view->rows[position] : NULL;
}

/* Make room for one more row, on the screen too. */
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
    row->status = PRFDATA_STATUS_NO_DATA;
    for (uint32_t i = 0; i < PRFDATA_TOP_HISTORY; i++)
        row->history[i] = NAN;
    return row;
}

static prfdata_top_row *add_view_row(prfdata_top_view *view, const prfdata_top_reading *reading)
{
    prfdata_top_row *row;

    if (view->row_count == PRFDATA_TOP_MAX_ROWS) {
        view->left_out++;
        return NULL;
    }
    row = make_row(reading);
    if (row && append_row(view, row)) {
        row->number = ++view->next_number;
        return row;
    }
    if (row)
        free_row(row);
    view->status = ERROR_NOT_ENOUGH_MEMORY;
    return NULL;
}

/* ---- Values ---- */

/* A raw value with the sign that compute.c gives it: 4 bytes are unsigned, 8 are signed. */
static double number_of_raw(const prfdata_compute_raw *raw)
{
    return raw->value_bytes == 8 ? (double)(int64_t)raw->value : (double)(uint32_t)raw->value;
}

static double seconds_between(const prfdata_compute_raw *older, const prfdata_compute_raw *newer)
{
    if (newer->perf_freq > 0 && newer->perf_time > older->perf_time)
        return ((double)newer->perf_time - (double)older->perf_time) / (double)newer->perf_freq;
    if (newer->time_100ns > older->time_100ns)
        return ((double)newer->time_100ns - (double)older->time_100ns) /
               PRFDATA_COMPUTE_100NS_PER_SECOND;
    return 0;
}

/* Set the change since the last value. A level may fall; a count that falls has started again. */
static void set_row_change(prfdata_top_row *row, const prfdata_compute_raw *newer)
{
    const prfdata_compute_raw *older = &row->raw;
    double seconds = seconds_between(older, newer);
    bool is_level = prfdata_counter_formula_of(newer->type).numerator == PRFDATA_NUMERATOR_LEVEL;

    row->has_change = false;
    if (older->value_bytes == 0 || older->type != newer->type || seconds <= 0)
        return;
    row->change = (number_of_raw(newer) - number_of_raw(older)) / seconds;
    row->has_change = is_level || row->change >= 0;
}

static void set_row_text(prfdata_top_row *row, prfdata_text text)
{
    if (text.count > PRFDATA_TOP_TEXT)
        text.count = PRFDATA_TOP_TEXT;
    if (text.count > 0)
        memcpy(row->text_chars, text.chars, text.count * sizeof *row->text_chars);
    row->text.chars = row->text_chars;
    row->text.count = text.count;
}

static void set_row_value(const prfdata_top_view *view, prfdata_top_row *row,
                          const prfdata_top_reading *reading)
{
    const prfdata_compute_raw *older = row->raw.value_bytes > 0 ? &row->raw : NULL;

    row->status = reading->status;
    if (row->status == PRFDATA_STATUS_OK) {
        row->status = prfdata_compute(older, &reading->raw, &row->value);
        if (row->status == PRFDATA_STATUS_OK && view->is_capped)
            prfdata_compute_cap(reading->raw.type, &row->value);
        set_row_change(row, &reading->raw);
        row->raw = reading->raw;
    } else {
        row->has_change = false;
        row->raw.type = reading->raw.type;
        row->raw.value_bytes = 0; /* the next value has none before it to compute from */
    }
    set_row_text(row, reading->text);
}

static void count_row_value(prfdata_top_view *view, prfdata_top_row *row)
{
    double number = row->value.number;

    row->history[view->history_at] = NAN;
    if (row->status != PRFDATA_STATUS_OK)
        return;
    row->history[view->history_at] = (float)number;
    if (row->value_count == 0 || number < row->minimum)
        row->minimum = number;
    if (row->value_count == 0 || number > row->maximum)
        row->maximum = number;
    row->sum += number;
    row->value_count++;
}

/* ---- What is shown ---- */

static bool is_idle_row(const prfdata_top_row *row)
{
    for (uint32_t i = 0; i < PRFDATA_TOP_HISTORY; i++) {
        if (!isnan(row->history[i]) && row->history[i] != 0)
            return false;
    }
    return true;
}

static bool is_shown_row(const prfdata_top_view *view, const prfdata_top_row *row)
{
    prfdata_text pattern = {view->filter_chars, view->filter_count + 2};

    if (view->hides_idle && row->text.count == 0 && is_idle_row(row))
        return false;
    return view->filter_count == 0 || prfdata_text_matches(pattern, row->path);
}

static int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

/* Compare numbers that may be missing. Rows without one come last, in both directions. */
static int compare_optional_numbers(bool has_a, double a, bool has_b, double b, bool is_reversed)
{
    if (!has_a || !has_b)
        return (int)has_b - (int)has_a;
    return is_reversed ? compare_doubles(a, b) : compare_doubles(b, a);
}

static int compare_row_orders(const prfdata_top_row *a, const prfdata_top_row *b)
{
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_rows(const prfdata_top_view *view, const prfdata_top_row *a,
                        const prfdata_top_row *b)
{
    int result;

    switch (view->sort) {
    case PRFDATA_TOP_SORT_NAME:
        result = prfdata_text_compare(a->path, b->path);
        result = view->is_reversed ? -result : result;
        break;
    case PRFDATA_TOP_SORT_VALUE:
        result = compare_optional_numbers(a->status == PRFDATA_STATUS_OK, a->value.number,
                                          b->status == PRFDATA_STATUS_OK, b->value.number,
                                          view->is_reversed);
        break;
    case PRFDATA_TOP_SORT_CHANGE:
        result = compare_optional_numbers(a->has_change, a->change, b->has_change, b->change,
                                          view->is_reversed);
        break;
    default:
        return view->is_reversed ? -compare_row_orders(a, b) : compare_row_orders(a, b);
    }
    return result != 0 ? result : compare_row_orders(a, b);
}

/*
 * Sort rows[0 .. count); `room` has space for as many. The order depends on the view, which qsort()
 * cannot pass to its comparison.
 */
static void merge_sort_rows(const prfdata_top_view *view, prfdata_top_row **rows,
                            prfdata_top_row **room, uint32_t count)
{
    uint32_t half = count / 2;
    uint32_t left = 0;
    uint32_t right = half;

    if (count < 2)
        return;
    merge_sort_rows(view, rows, room, half);
    merge_sort_rows(view, rows + half, room, count - half);
    memcpy(room, rows, count * sizeof(prfdata_top_row *));
    for (uint32_t i = 0; i < count; i++) {
        bool takes_left =
            right == count || (left < half && compare_rows(view, room[left], room[right]) <= 0);

        rows[i] = takes_left ? room[left++] : room[right++];
    }
}

/* Select the same row as before if it is shown, else the same position. */
static void keep_selected_row(prfdata_top_view *view)
{
    if (view->selected > 0) {
        for (uint32_t i = 0; i < view->shown_count; i++) {
            if (view->shown[i]->number == view->selected_number) {
                view->selected = i;
                return;
            }
        }
    }
    if (view->selected >= view->shown_count)
        view->selected = view->shown_count > 0 ? view->shown_count - 1 : 0;
    view->selected_number =
        view->shown_count > 0 ? view->shown[view->selected]->number : view->selected_number;
}

static uint32_t arrange_rows(prfdata_top_view *view)
{
    prfdata_top_row **room = malloc(((size_t)view->row_count + 1) * sizeof(prfdata_top_row *));

    if (!room)
        return ERROR_NOT_ENOUGH_MEMORY;
    view->shown_count = 0;
    for (uint32_t i = 0; i < view->row_count; i++) {
        if (is_shown_row(view, view->rows[i]))
            view->shown[view->shown_count++] = view->rows[i];
    }
    merge_sort_rows(view, view->shown, room, view->shown_count);
    free(room);
    keep_selected_row(view);
    return ERROR_SUCCESS;
}

/* ---- Samples ---- */

void prfdata_top_view_begin(prfdata_top_view *view)
{
    view->added_count = 0;
    view->left_out = 0;
    view->status = ERROR_SUCCESS;
    view->sample_count++;
    view->history_at = (view->history_at + 1) % PRFDATA_TOP_HISTORY;
    for (uint32_t i = 0; i < view->row_count; i++)
        view->rows[i]->is_present = false;
}

void prfdata_top_view_add(prfdata_top_view *view, const prfdata_top_reading *reading)
{
    prfdata_top_row *row = find_view_row(view, reading);

    if (!row)
        row = add_view_row(view, reading);
    if (!row || row->is_present)
        return;
    row->is_present = true;
    row->absent_count = 0;
    row->order = view->added_count++;
    row->help = reading->help;
    set_row_value(view, row, reading);
    count_row_value(view, row);
}

static void mark_row_missing(prfdata_top_view *view, prfdata_top_row *row)
{
    row->absent_count++;
    row->status = PRFDATA_STATUS_NO_INSTANCE;
    row->has_change = false;
    row->raw.value_bytes = 0; /* a later instance of this name is another one */
    row->text.count = 0;
    row->history[view->history_at] = NAN;
}

/*
 * Whether a row that is not in the sample goes. A row for a path without a match goes at once,
 * since the path has matches now; others may come back.
 */
static bool is_row_over(const prfdata_top_row *row)
{
    return row->absent_count >= (row->counter_title == 0 ? 1 : PRFDATA_TOP_HISTORY);
}

uint32_t prfdata_top_view_end(prfdata_top_view *view)
{
    uint32_t kept = 0;
    uint32_t status;

    for (uint32_t i = 0; i < view->row_count; i++) {
        prfdata_top_row *row = view->rows[i];

        if (!row->is_present)
            mark_row_missing(view, row);
        if (!is_row_over(row)) {
            view->rows[kept++] = row;
            continue;
        }
        if (view->described == row) {
            view->described = NULL;
            view->page = PRFDATA_TOP_PAGE_ROWS;
        }
        free_row(row);
    }
    if (kept < view->row_count) {
        view->row_count = kept;
        view->shown_count = 0;
        fill_row_table(view);
    }
    status = arrange_rows(view);
    return view->status != ERROR_SUCCESS ? view->status : status;
}

/* ---- Keys ---- */

static void select_row(prfdata_top_view *view, uint32_t position)
{
    if (view->shown_count == 0)
        return;
    view->selected = position < view->shown_count ? position : view->shown_count - 1;
    view->selected_number = view->shown[view->selected]->number;
}

/* Move a position as a key says. Returns false if the key does not move. */
static bool move_position(uint32_t key, uint32_t page, uint32_t *position)
{
    if (page == 0)
        page = 1;
    switch (key) {
    case PRFDATA_KEY_UP:
        *position -= *position > 0;
        return true;
    case PRFDATA_KEY_DOWN:
        ++*position;
        return true;
    case PRFDATA_KEY_PAGE_UP:
        *position -= *position < page ? *position : page;
        return true;
    case PRFDATA_KEY_PAGE_DOWN:
        *position += page;
        return true;
    case PRFDATA_KEY_HOME:
        *position = 0;
        return true;
    case PRFDATA_KEY_END:
        *position = UINT32_MAX / 2; /* corrected where the number of lines is known */
        return true;
    default:
        return false;
    }
}

static uint32_t set_filter_length(prfdata_top_view *view, uint32_t count)
{
    view->filter_count = count;
    view->filter_chars[count + 1] = '*';
    return arrange_rows(view);
}

static bool is_second_of_pair(uint16_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

static uint32_t type_into_filter(prfdata_top_view *view, uint32_t key)
{
    uint32_t count = view->filter_count;
    uint16_t *end = view->filter_chars + 1 + count;

    if (key < ' ' || (key >= 0x7F && key <= 0x9F) || (key >= 0xD800 && key <= 0xDFFF) ||
        key > 0x10FFFF)
        return ERROR_SUCCESS;
    if (key < 0x10000 && count < PRFDATA_TOP_FILTER) {
        *end = (uint16_t)key;
        return set_filter_length(view, count + 1);
    }
    if (key >= 0x10000 && count + 1 < PRFDATA_TOP_FILTER) {
        end[0] = (uint16_t)(0xD800 + ((key - 0x10000) >> 10));
        end[1] = (uint16_t)(0xDC00 + (key & 0x3FF));
        return set_filter_length(view, count + 2);
    }
    return ERROR_SUCCESS;
}

static uint32_t edit_filter(prfdata_top_view *view, uint32_t key)
{
    uint32_t count = view->filter_count;

    switch (key) {
    case PRFDATA_KEY_ENTER:
        view->is_editing = false;
        return ERROR_SUCCESS;
    case PRFDATA_KEY_ESCAPE:
        view->is_editing = false;
        return set_filter_length(view, 0);
    case PRFDATA_KEY_BACKSPACE:
    case 0x7F:
        if (count == 0)
            return ERROR_SUCCESS;
        return set_filter_length(
            view, count - (is_second_of_pair(view->filter_chars[count]) && count > 1 ? 2 : 1));
    default:
        return type_into_filter(view, key);
    }
}

/* The next longer or shorter interval of a fixed list; -si takes any other, too. */
static uint32_t next_interval(uint32_t now_ms, bool is_longer)
{
    static const uint32_t paces[] = {FASTEST_MS, 200,   500,   1000,   2000,   5000,      10000,
                                     20000,      30000, 60000, 120000, 300000, SLOWEST_MS};
    const size_t count = sizeof paces / sizeof paces[0];

    for (size_t i = 0; i < count; i++) {
        uint32_t pace = is_longer ? paces[i] : paces[count - 1 - i];

        if (is_longer ? pace > now_ms : pace < now_ms)
            return pace;
    }
    return now_ms;
}

static void open_view_page(prfdata_top_view *view, prfdata_top_page page)
{
    if (page == PRFDATA_TOP_PAGE_DETAILS) {
        if (view->shown_count == 0)
            return;
        view->described = view->shown[view->selected];
    }
    view->page = page;
    view->line = 0;
}

/* Handle a key on a page of text. */
static void press_on_page(prfdata_top_view *view, uint32_t key)
{
    switch (key) {
    case PRFDATA_KEY_ESCAPE:
    case PRFDATA_KEY_ENTER:
    case PRFDATA_KEY_BACKSPACE:
    case 'd':
    case 'D':
    case 'h':
    case 'H':
    case '?':
        view->page = PRFDATA_TOP_PAGE_ROWS;
        view->described = NULL;
        break;
    default:
        (void)move_position(key, view->page_rows, &view->line);
        break;
    }
}

static uint32_t press_in_rows(prfdata_top_view *view, uint32_t key)
{
    uint32_t position = view->selected;

    switch (key) {
    case PRFDATA_KEY_ESCAPE:
        return set_filter_length(view, 0);
    case '/':
        view->is_editing = true;
        return ERROR_SUCCESS;
    case 's':
    case 'S':
        view->sort = (prfdata_top_sort)((view->sort + 1) % PRFDATA_TOP_SORT_COUNT);
        return arrange_rows(view);
    case 'r':
    case 'R':
        view->is_reversed = !view->is_reversed;
        return arrange_rows(view);
    case 'z':
    case 'Z':
        view->hides_idle = !view->hides_idle;
        return arrange_rows(view);
    case 'd':
    case 'D':
    case PRFDATA_KEY_ENTER:
        open_view_page(view, PRFDATA_TOP_PAGE_DETAILS);
        return ERROR_SUCCESS;
    case 'h':
    case 'H':
    case '?':
        open_view_page(view, PRFDATA_TOP_PAGE_HELP);
        return ERROR_SUCCESS;
    default:
        if (move_position(key, view->page_rows, &position))
            select_row(view, position);
        return ERROR_SUCCESS;
    }
}

uint32_t prfdata_top_view_key(prfdata_top_view *view, uint32_t key)
{
    if (key == PRFDATA_KEY_CTRL_C) {
        view->is_over = true;
        return ERROR_SUCCESS;
    }
    if (view->is_editing)
        return edit_filter(view, key);
    switch (key) {
    case 'q':
    case 'Q':
        view->is_over = true;
        return ERROR_SUCCESS;
    case ' ':
        view->is_paused = !view->is_paused;
        return ERROR_SUCCESS;
    case '+':
        view->interval_ms = next_interval(view->interval_ms, true);
        return ERROR_SUCCESS;
    case '-':
        view->interval_ms = next_interval(view->interval_ms, false);
        return ERROR_SUCCESS;
    case 'a':
    case 'A':
        view->is_ascii = !view->is_ascii;
        return ERROR_SUCCESS;
    default:
        break;
    }
    if (view->page == PRFDATA_TOP_PAGE_ROWS)
        return press_in_rows(view, key);
    press_on_page(view, key);
    return ERROR_SUCCESS;
}
