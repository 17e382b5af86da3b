/* SPDX-License-Identifier: MIT */
/*
 * The contents of the live view, over two tables of the window (view/table.h): a list with a row
 * for each counter of each instance that paths lead to, and a table of one object, which has of
 * that what the list shows. Keys are in top_keys.c, and top_frame.c draws it. Samples, the terminal
 * and the clock are the caller's:
 *
 *     prfdata_top_view_begin(&view, older, newer);
 *     prfdata_top_view_add(&view, &path);         // for every path
 *     prfdata_top_view_end(&view);
 *     prfdata_top_view_key(&view, key);           // for every key
 *
 * One thread at a time.
 */
#ifndef PRFDATA_READER_TOP_VIEW_H
#define PRFDATA_READER_TOP_VIEW_H

#include "os/terminal_keys.h"
#include "paths/resolver.h"
#include "view/table.h"

#define PRFDATA_TOP_HISTORY 60 /* values of each row */
#define PRFDATA_TOP_FILTER  64 /* UTF-16 code units */

enum {                     /* cells of the list, by which it can be sorted */
       PRFDATA_TOP_ORDER,  /* its place in the newest sample that had it */
       PRFDATA_TOP_VALUE,  /* in that sample */
       PRFDATA_TOP_CHANGE, /* of a level, per second, since the previous sample */
       PRFDATA_TOP_CELLS
};

/* Of the list: a counter of an instance, or a path that led to none, without a counter_title. */
typedef struct prfdata_top_row {
    prfdata_table_row base; /* its label is \Object(Label)\Counter */
    prfdata_text object;    /* parts of that */
    prfdata_text label;
    prfdata_text counter;
    bool has_instance;
    prfdata_unit unit;
    bool is_level; /* its change means something: of a count the value is the change */
    uint64_t value_count;
    double sum;
    double minimum;
    double maximum;
    float history[PRFDATA_TOP_HISTORY]; /* NAN: no value; a ring */
} prfdata_top_row;

/* Of the table. */
typedef struct prfdata_top_instance {
    prfdata_table_row base;
    prfdata_top_row *counter; /* the list's row of the selected column; NULL: there is none */
} prfdata_top_instance;

typedef enum prfdata_top_page { /* what fills the screen */
                                PRFDATA_TOP_PAGE_ROWS,
                                PRFDATA_TOP_PAGE_DETAILS,
                                PRFDATA_TOP_PAGE_HELP
} prfdata_top_page;

typedef struct prfdata_top_view {
    /* For the caller to set: */
    prfdata_text computer; /* borrowed */
    uint16_t time[8];      /* of the newest sample, as in SYSTEMTIME */
    const char *notice;    /* ASCII; borrowed; shown instead of the keys; NULL: nothing */
    bool is_recorded;      /* there will be no further sample */

    /* For the caller to read: */
    bool is_over; /* the user quits */
    bool is_paused;
    uint32_t interval_ms; /* between samples; set it at the start; + and - change it */

    /* The rest is for the files of this folder. */
    prfdata_table list;  /* of prfdata_top_row */
    prfdata_table table; /* of prfdata_top_instance, of one object */
    bool is_table;       /* that is what is shown */
    prfdata_cell_source source;
    uint16_t *path; /* room for one, to find its row; owned */
    size_t path_capacity;
    uint32_t added_count; /* rows of this sample */
    uint32_t history_at;  /* where the newest value stands */
    uint32_t status;      /* ERROR_SUCCESS; ERROR_NOT_ENOUGH_MEMORY while adding */

    uint16_t filter_chars[PRFDATA_TOP_FILTER]; /* as the user typed it */
    uint32_t filter_count;
    bool is_editing;    /* keys are typed into the filter */
    uint32_t limit;     /* so many rows, the first ones, are shown; 0: all */
    uint32_t cut_count; /* of what would be shown without the limit */
    bool has_levels;    /* any row of the list that is shown is one */

    prfdata_text object;   /* the table's; borrowed from a row until rows change */
    uint32_t column;       /* of the table, the selected one */
    uint32_t first_column; /* of those that are not hidden, at the left of the screen */

    bool is_ascii; /* draw bars in ASCII even on a terminal with more */
    prfdata_top_page page;
    uint32_t selected;  /* position of the row with the focus; 0: none has it, and what is first
                           is selected */
    uint32_t first;     /* the row at the top of the screen */
    uint32_t page_rows; /* how many fit, as drawn last; 0: not drawn yet */
    uint32_t line;      /* of details or help, at the top of the screen */
} prfdata_top_view;

/* Begin with nothing. titles: borrowed; NULL for a view that gets no samples. */
void prfdata_top_view_init(prfdata_top_view *view, const prfdata_titles *titles, bool is_capped);

/* Release everything but what is borrowed; the view is as after prfdata_top_view_init(). */
void prfdata_top_view_free(prfdata_top_view *view);

/* Forget all rows: titles mean something else. What the user has chosen stays. */
void prfdata_top_view_forget_rows(prfdata_top_view *view);

/*
 * Begin a new sample. Both are borrowed until the next one is begun, or rows are forgotten.
 * older  The sample before; NULL: there is none.
 */
void prfdata_top_view_begin(prfdata_top_view *view, const prfdata_sample *older,
                            const prfdata_sample *newer);

/*
 * Add what a path means in the sample, with names in the language in which the path has them. If
 * that is nothing, a row says why. What is there already is ignored.
 */
void prfdata_top_view_add(prfdata_top_view *view, const prfdata_resolver_path *path);

/*
 * End the sample: rows that were not added are missing in it.
 * Returns ERROR_SUCCESS, or ERROR_NOT_ENOUGH_MEMORY: new counters are not shown.
 */
uint32_t prfdata_top_view_end(prfdata_top_view *view);

/*
 * Handle a key: a code point or PRFDATA_KEY_...
 * Returns ERROR_SUCCESS, or ERROR_NOT_ENOUGH_MEMORY: the rows keep their order.
 */
uint32_t prfdata_top_view_key(prfdata_top_view *view, uint32_t key);

/* ---- For the files of this folder ---- */

/* What is shown: the list, or the table. */
prfdata_table *prfdata_top_view_shown(prfdata_top_view *view);

/* Whether that is sorted by values, or by changes: the highest come first. */
bool prfdata_top_view_is_by_value(const prfdata_top_view *view);

/* Show what was chosen in the tables, and the selection where its row is now. */
uint32_t prfdata_top_view_arrange(prfdata_top_view *view);

/* Select a position of what is shown, or the last one. */
void prfdata_top_view_select(prfdata_top_view *view, uint32_t position);

/* The list's row that is selected; in the table, that of the selected column. NULL: none. */
prfdata_top_row *prfdata_top_view_counter(prfdata_top_view *view);

/* A row's value `age` samples ago, below PRFDATA_TOP_HISTORY; NAN if there is none. */
float prfdata_top_view_past(const prfdata_top_view *view, const prfdata_top_row *row, uint32_t age);

/* Choose the table's object: the next one, after the last the first. */
void prfdata_top_view_next_object(prfdata_top_view *view);

/* Select the next column (1) or the one before (-1) that is shown, if there is one. */
void prfdata_top_view_move_column(prfdata_top_view *view, int step);

#endif
