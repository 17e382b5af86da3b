/* SPDX-License-Identifier: MIT */
/*
 * Holds the contents of the live view in two tables (view/table.h). The list has a row for each
 * counter of each instance that the paths find. The other table shows one object, with only the
 * counters and instances that are in the list. top_keys.c handles keys, and top_frame.c draws the
 * view. The caller has the samples, the terminal and the clock:
 *
 *     prfdata_top_view_begin(&view, older, newer);
 *     prfdata_top_view_add(&view, &path);         // for every path
 *     prfdata_top_view_end(&view);
 *     prfdata_top_view_key(&view, key);           // for every key
 *
 * Use it from one thread at a time.
 */
#ifndef PRFDATA_READER_TOP_VIEW_H
#define PRFDATA_READER_TOP_VIEW_H

#include "os/terminal_keys.h"
#include "paths/resolver.h"
#include "view/table.h"

#define PRFDATA_TOP_HISTORY 60 /* values of each row */
#define PRFDATA_TOP_FILTER  64 /* UTF-16 code units of a text that the user types */

/* The cells of a row in the list. The list can be sorted by each of them. */
enum {
    PRFDATA_TOP_ORDER,  /* position of the row in the newest sample that had it */
    PRFDATA_TOP_VALUE,  /* value in that sample */
    PRFDATA_TOP_CHANGE, /* for a level: change per second since the previous sample */
    PRFDATA_TOP_CELLS
};

/* A row of the list: a counter of an instance. If counter_title is 0: a path that found nothing. */
typedef struct prfdata_top_row {
    prfdata_table_row base; /* its label is \Object(Label)\Counter */
    prfdata_text object;    /* parts of base.label */
    prfdata_text label;
    prfdata_text counter;
    bool has_instance;
    prfdata_unit unit;
    /* A change of its value is meaningful, unlike a change of a rate or a fraction. */
    bool is_level;
    uint64_t value_count;
    double sum;
    double minimum;
    double maximum;
    float history[PRFDATA_TOP_HISTORY]; /* ring buffer; NAN: no value */
} prfdata_top_row;

typedef struct prfdata_top_instance {
    prfdata_table_row base;
    prfdata_top_row *counter; /* the list's row for the selected column; NULL: none */
} prfdata_top_instance;

typedef enum prfdata_top_page {
    PRFDATA_TOP_PAGE_ROWS,
    PRFDATA_TOP_PAGE_DETAILS,
    PRFDATA_TOP_PAGE_HELP
} prfdata_top_page;

#define PRFDATA_TOP_NOTICE 300u /* bytes of a notice that are shown; the others are cut */

typedef struct prfdata_top_typed {
    uint16_t chars[PRFDATA_TOP_FILTER];
    uint32_t count;
} prfdata_top_typed;

typedef enum prfdata_top_editing {
    PRFDATA_TOP_COMMANDS,
    PRFDATA_TOP_EDITS_FILTER,
    PRFDATA_TOP_EDITS_THRESHOLD
} prfdata_top_editing;

typedef struct prfdata_top_view {
    /* The caller sets these fields. */
    prfdata_text computer; /* borrowed */
    uint16_t time[8];      /* local time of the newest sample, as in SYSTEMTIME */
    const char *notice;    /* UTF-8, whose last character may be incomplete; borrowed; shown
                              instead of the keys; NULL: none */
    bool is_recorded;      /* there will be no further samples */
    bool has_colours;

    /* The caller reads these fields. */
    bool is_over;
    bool is_paused;
    uint32_t interval_ms; /* time between samples; set by the caller, changed by the keys + and - */

    /* Only files of this folder use the remaining fields. */
    prfdata_table list;  /* rows are prfdata_top_row */
    prfdata_table table; /* table of one object; rows are prfdata_top_instance */
    bool is_table;       /* the table is shown, not the list */
    prfdata_cell_source source;
    uint16_t *path; /* buffer in which a row's path is made; owned */
    size_t path_capacity;
    uint32_t added_count; /* number of rows in this sample */
    uint32_t history_at;  /* position of the newest value */
    uint32_t status;      /* ERROR_NOT_ENOUGH_MEMORY if a row could not be added; otherwise
                             ERROR_SUCCESS */

    prfdata_top_typed filter;
    prfdata_top_typed threshold; /* the threshold of the selected counter, while it is edited */
    prfdata_thresholds thresholds;
    prfdata_top_editing editing;
    uint32_t limit;     /* show at most this many rows; 0: all */
    uint32_t cut_count; /* number of rows that the limit hides */
    bool has_levels;    /* any shown row of the list is a level */

    prfdata_text object;   /* name of the table's object; borrowed from a row of the list */
    uint32_t column;       /* selected column of the table */
    uint32_t first_column; /* number of columns left of the screen, without hidden columns */

    bool is_ascii; /* draw bars in ASCII even if the terminal can show more */
    prfdata_top_page page;
    /* Position of the selected row. The first row may be selected without having the focus. */
    uint32_t selected;
    uint32_t first;     /* row at the top of the screen */
    uint32_t page_rows; /* rows or lines that fit, at the last drawing; 0: not drawn yet */
    uint32_t line;      /* line of details or help at the top of the screen */
} prfdata_top_view;

extern const prfdata_number_style prfdata_top_view_style;

/* Begin without rows. titles: borrowed; NULL if the view gets no samples. */
void prfdata_top_view_init(prfdata_top_view *view, const prfdata_titles *titles, bool is_capped);

/* Release everything except what is borrowed, and set the view as prfdata_top_view_init() does. */
void prfdata_top_view_free(prfdata_top_view *view);

/* Forget all rows. Call this if titles have got other meanings. The user's choices stay, except
 * those of an object, a row and a column. */
void prfdata_top_view_forget_rows(prfdata_top_view *view);

/*
 * Begin a new sample. Both samples are borrowed until the next sample begins or the rows are
 * forgotten.
 * older  The previous sample; NULL: there is none.
 */
void prfdata_top_view_begin(prfdata_top_view *view, const prfdata_sample *older,
                            const prfdata_sample *newer);

/* Note that there was no sample where one was expected, so that the graphs have a gap there. */
void prfdata_top_view_note_gap(prfdata_top_view *view);

/*
 * Add a row for everything that a path finds in the sample, with names in the language of the path.
 * If the path finds nothing, add a row that says why. Rows that were already added are ignored.
 */
void prfdata_top_view_add(prfdata_top_view *view, const prfdata_resolver_path *path);

/*
 * End the sample. Rows that were not added count as missing in it. Returns ERROR_SUCCESS, or
 * ERROR_NOT_ENOUGH_MEMORY: some counters are not shown.
 */
uint32_t prfdata_top_view_end(prfdata_top_view *view);

/*
 * Handle a key: a code point or PRFDATA_KEY_...
 * Returns ERROR_SUCCESS, or ERROR_NOT_ENOUGH_MEMORY: the rows keep their order.
 */
uint32_t prfdata_top_view_key(prfdata_top_view *view, uint32_t key);

/* ---- For the files of this folder ---- */

/* Return the shown table: the list, or the table of an object. */
prfdata_table *prfdata_top_view_shown(prfdata_top_view *view);

/* Returns whether the shown table is sorted by values or by changes, in either direction. */
bool prfdata_top_view_is_by_value(const prfdata_top_view *view);

/* Choose and sort the rows to show in the tables, and find the selected row again. Returns
 * ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. */
uint32_t prfdata_top_view_arrange(prfdata_top_view *view);

/* Select a position of the shown table. A position beyond the last one selects the last one. */
void prfdata_top_view_select(prfdata_top_view *view, uint32_t position);

/* Return the selected row of the list; in the table, the list's row for the selected column. NULL:
 * none. */
prfdata_top_row *prfdata_top_view_counter(prfdata_top_view *view);

/* Return or set the threshold of a counter, which applies to all its instances; {0}: none. */
prfdata_condition prfdata_top_view_threshold(const prfdata_top_view *view, uint32_t object_title,
                                             uint32_t counter_title);
void prfdata_top_view_set_threshold(prfdata_top_view *view, uint32_t object_title,
                                    uint32_t counter_title, prfdata_condition condition);

/* Return the value that a row had `age` samples and gaps ago; NAN if there is none. `age` is below
 * PRFDATA_TOP_HISTORY. */
float prfdata_top_view_past(const prfdata_top_view *view, const prfdata_top_row *row, uint32_t age);

/* Choose the next object for the table; the first follows the last. */
void prfdata_top_view_next_object(prfdata_top_view *view);

/* Select the next (1) or previous (-1) visible column, if there is one. */
void prfdata_top_view_move_column(prfdata_top_view *view, int step);

#endif
