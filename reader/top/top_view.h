/* SPDX-License-Identifier: MIT */
/*
 * The live view of counters: what is known of each (value, change, mean, history), which of them
 * are shown in what order, and what keys do. top_frame.c draws it. Samples, the terminal and the
 * clock are the caller's:
 *
 *     prfdata_top_view_begin(&view);
 *     prfdata_top_view_add(&view, &reading);      // for every counter of a sample
 *     prfdata_top_view_end(&view);
 *     prfdata_top_view_key(&view, key);           // for every key
 *
 * A row is found again by titles and path. One whose counter is missing in a sample says so, in its
 * place, and goes after a while (view/table.h). One thread at a time.
 */
#ifndef PRFDATA_READER_TOP_VIEW_H
#define PRFDATA_READER_TOP_VIEW_H

#include "block/sample.h"
#include "block/titles.h"
#include "compute/compute.h"
#include "os/terminal_keys.h"
#include "text/text.h"
#include "view/table.h"

#define PRFDATA_TOP_HISTORY  60     /* values of each row */
#define PRFDATA_TOP_MAX_ROWS 131072 /* about 120 MiB; more are counted but not shown */
#define PRFDATA_TOP_FILTER   64     /* UTF-16 code units */

/* A counter of one instance in one sample, or a path that led to none. */
typedef struct prfdata_top_reading {
    uint32_t object_title; /* with counter_title 0: the names below had no match */
    uint32_t counter_title;
    prfdata_text object; /* names; copied */
    prfdata_text label;  /* of the instance */
    prfdata_text counter;
    bool has_instance;
    prfdata_unit unit;
    prfdata_text help; /* borrowed for as long as the view lives; empty: there is none */
    prfdata_text text; /* of a text counter; copied */
    prfdata_compute_raw raw;
} prfdata_top_reading;

enum {                     /* cells of a row, by which it can be sorted */
       PRFDATA_TOP_ORDER,  /* its place in the newest sample that had it */
       PRFDATA_TOP_VALUE,  /* in that sample */
       PRFDATA_TOP_CHANGE, /* of a level, per second, since the previous sample */
       PRFDATA_TOP_CELLS
};

typedef struct prfdata_top_row {
    prfdata_table_row base; /* its label is \Object(Label)\Counter */
    prfdata_text object;    /* parts of that */
    prfdata_text label;
    prfdata_text counter;
    bool has_instance;
    prfdata_unit unit;

    prfdata_compute_raw raw; /* in the newest sample, to compute from; no bytes: none */
    bool is_level;           /* its change means something: of a count the value is the change */
    uint64_t value_count;
    double sum;
    double minimum;
    double maximum;
    float history[PRFDATA_TOP_HISTORY]; /* NAN: no value; a ring */

    uint64_t mark; /* of the newest arrangement that looked at it */
} prfdata_top_row;

typedef enum prfdata_top_sort {
    PRFDATA_TOP_SORT_GIVEN, /* in the order of the paths and the sample */
    PRFDATA_TOP_SORT_NAME,
    PRFDATA_TOP_SORT_VALUE, /* the highest first, those without a value at the end */
    PRFDATA_TOP_SORT_CHANGE,
    PRFDATA_TOP_SORT_COUNT
} prfdata_top_sort;

typedef enum prfdata_top_page { /* what fills the screen */
                                PRFDATA_TOP_PAGE_ROWS,
                                PRFDATA_TOP_PAGE_DETAILS,
                                PRFDATA_TOP_PAGE_HELP
} prfdata_top_page;

/* A counter that is a column of the table. */
typedef struct prfdata_top_column {
    uint32_t counter_title;
    prfdata_text counter; /* borrowed from a row, until rows change */
    int64_t order;        /* in the newest sample that had it */
} prfdata_top_column;

typedef struct prfdata_top_view {
    /* For the caller to set: */
    prfdata_text computer;        /* borrowed */
    uint16_t time[8];             /* of the newest sample, as in SYSTEMTIME */
    const char *notice;           /* ASCII; borrowed; shown instead of the keys; NULL: nothing */
    bool is_recorded;             /* there will be no further sample */
    bool is_capped;               /* percentages above 100 become 100, as PDH has it */
    const prfdata_titles *titles; /* of the two samples; borrowed, as they are */
    const prfdata_sample *older;  /* NULL: there is none */
    const prfdata_sample *newer;  /* NULL: details have the rows' values only */

    /* For the caller to read: */
    bool is_over; /* the user quits */
    bool is_paused;
    uint32_t interval_ms; /* between samples; set it at the start; + and - change it */

    /* The rest is for this file and top_frame.c. */
    prfdata_table table; /* of prfdata_top_row */
    uint16_t *path;      /* room for one, to find its row; owned */
    size_t path_capacity;
    uint32_t added_count; /* readings of this sample */
    uint32_t left_out;    /* of these, those that found no free row */
    uint32_t history_at;  /* where the newest value stands */
    uint32_t status;      /* ERROR_SUCCESS; ERROR_NOT_ENOUGH_MEMORY while adding */

    uint16_t filter_chars[PRFDATA_TOP_FILTER]; /* as the user typed it */
    uint32_t filter_count;
    bool is_editing; /* keys are typed into the filter */
    prfdata_top_sort sort;
    bool is_reversed;
    uint32_t limit;     /* so many rows, the first ones, are shown; 0: all */
    uint32_t cut_count; /* of what would be shown without the limit */
    bool has_levels;    /* any row that is shown is one */

    /* The table: one object at a time, with a row for each instance, which stands for all of it. */
    bool is_table;
    bool is_grid;          /* the table's object has instances; else its counters are listed */
    uint32_t table_object; /* title; 0: none yet */
    prfdata_text table_name;
    prfdata_top_column *columns; /* in the order of the sample; owned */
    size_t column_count;
    size_t column_capacity;
    uint32_t column;       /* the selected one: rows are sorted by it */
    uint32_t column_title; /* its counter */
    uint32_t first_column; /* at the left of the screen */
    uint64_t mark;         /* of the newest arrangement */

    bool is_ascii; /* draw bars in ASCII even on a terminal with more */
    prfdata_top_page page;
    prfdata_top_row *selected_row; /* NULL: none */
    uint32_t selected;             /* its position on the screen; 0 stays 0, others follow it */
    uint32_t first;                /* the row at the top of the screen */
    uint32_t page_rows;            /* how many fit, as drawn last; 0: not drawn yet */
    uint32_t line;                 /* of details or help, at the top of the screen */
    prfdata_top_row *described;    /* on the page of details */
} prfdata_top_view;

/* Begin with nothing. */
void prfdata_top_view_init(prfdata_top_view *view);

/* Release everything but what is borrowed; the view is as after prfdata_top_view_init(). */
void prfdata_top_view_free(prfdata_top_view *view);

/* Forget all rows: titles mean something else. What the user has chosen stays. */
void prfdata_top_view_forget_rows(prfdata_top_view *view);

/* Begin a new sample. */
void prfdata_top_view_begin(prfdata_top_view *view);

/* Add a counter of the sample. A second one with the same titles and path is ignored. */
void prfdata_top_view_add(prfdata_top_view *view, const prfdata_top_reading *reading);

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

/* A row's value `age` samples ago, below PRFDATA_TOP_HISTORY; NAN if there is none. */
float prfdata_top_view_past(const prfdata_top_view *view, const prfdata_top_row *row, uint32_t age);

#endif
