/* SPDX-License-Identifier: MIT */
/*
 * An object as a table: instances are rows, counters are columns. An object that never has
 * instances has its counters as rows instead: one row of thirty columns is not readable. Rows keep
 * what the window knows of them (selected, focused) while instances come and go and the order
 * changes.
 *
 * The live view of a terminal has such a table, and as a list another one of counters of any
 * objects, with their paths as labels. It fills the rows of that itself, from prfdata_table_begin()
 * to prfdata_table_follow(), and its columns are its own. One thread at a time.
 */
#ifndef PRFDATA_READER_TABLE_H
#define PRFDATA_READER_TABLE_H

#include "base/hash_table.h"
#include "block/titles.h"
#include "view/cell.h"
#include "view/number.h"

#define PRFDATA_TABLE_LABEL UINT32_MAX /* instead of a column: the instance, or the counter */
#define PRFDATA_TABLE_WHILE 3          /* samples: a row is new, stays when gone, is not idle yet */

/* Of a row among samples, which have numbers from 1. */
typedef struct prfdata_table_life {
    bool is_present; /* in the newest sample */
    bool is_new;     /* it came a short while ago, not with the first sample */
    bool is_idle;    /* for a short while every number was 0, or there was none */
    uint32_t came;   /* with which sample; 0: nobody knows */
    uint32_t busy;   /* the newest sample in which there was another number; 0: none */
    uint32_t left;   /* in how many samples it has been missing since */
} prfdata_table_life;

typedef struct prfdata_table_row {
    prfdata_text label;     /* owned */
    uint32_t object_title;  /* of the live view's rows; else 0 */
    uint32_t counter_title; /* of these, and of an object without instances; else 0 */
    uint32_t type;          /* of an object without instances */
    prfdata_text help;      /* of what has a counter; borrowed from the titles */
    prfdata_cell *cells;
    prfdata_table_life life; /* one that is gone stays a while with the numbers that it had, or
                              while it is selected, without them at another time */
    uint32_t turn;           /* its position in the order of the newest sample that had it */
    bool is_total;           /* _Total: it stands above all others */
    bool is_damaged;
    bool is_selected; /* the window's */
    bool is_focused;  /* the same; one row at most */
    bool is_hidden;   /* its owner's: not shown unless it is selected or focused */
} prfdata_table_row;

typedef struct prfdata_table_column {
    uint32_t counter_title; /* 0: the values of an object without instances */
    uint32_t type;
    prfdata_unit unit;
    prfdata_text name; /* borrowed from the titles; empty: it has none */
    prfdata_text help; /* the same */
    bool is_hidden;    /* the window's */
} prfdata_table_column;

typedef struct prfdata_table {
    uint32_t object_title; /* 0: none is shown */
    bool has_instances;
    bool is_present; /* the newest sample has the object */
    uint32_t column_count;
    prfdata_table_column *columns;
    size_t row_bytes; /* of a row and what its owner has behind it, which begins as 0 */
    uint32_t row_count;
    uint32_t present_count;  /* of them */
    uint32_t present_totals; /* of these: _Total, which is no instance of its own */
    size_t row_capacity;
    prfdata_table_row **rows;  /* in no order; owned */
    prfdata_hash_table lookup; /* of positions in `rows` */
    prfdata_table_row **turns; /* rows in the order of the newest sample */
    size_t turn_count;
    size_t turn_capacity;
    prfdata_table_row **before; /* the same of the sample before */
    size_t before_count;
    size_t before_capacity;
    size_t expected;  /* in that the row that comes next, it seems */
    uint32_t updates; /* that had the object */
    uint32_t shown_count;
    uint32_t shown_present_count; /* of them */
    uint32_t shown_totals;        /* of these */
    size_t shown_capacity;
    prfdata_table_row **shown; /* of these, in the order of the screen */
    size_t spare_capacity;
    prfdata_table_row **spare; /* for sorting */

    /* For the caller to set; then prfdata_table_arrange(). */
    uint32_t sort_column; /* PRFDATA_TABLE_LABEL: by label */
    bool sorts_descending;
    bool shows_raw;
    bool hides_idle;
    bool is_capped;               /* of percentages, from the next update on: cell.h */
    const prfdata_titles *titles; /* borrowed */
    prfdata_text filter;          /* a pattern for labels; owned; empty: none */
} prfdata_table;

/* Begin with no object, sorted by label. */
void prfdata_table_init(prfdata_table *table, const prfdata_titles *titles);

/* Forget all rows. */
void prfdata_table_clear(prfdata_table *table);

/* Release everything; the table is as after prfdata_table_init(). */
void prfdata_table_free(prfdata_table *table);

/* Show another object; 0: none. The table is empty until the next update. */
void prfdata_table_choose(prfdata_table *table, uint32_t object_title);

/*
 * Show the object as a sample has it.
 *
 * older    The sample before; NULL: there is none, and rates have no value.
 * newer    NULL: there is none at the time that is looked at, and no row is present.
 * is_next  It follows the one that was shown: what went between the two stays a while, and what
 *          came is new. Else it is of any other time, and nothing goes or comes.
 * columns  Set to whether the columns are others than before.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY: some rows are missing.
 */
uint32_t prfdata_table_update(prfdata_table *table, const prfdata_sample *older,
                              const prfdata_sample *newer, bool is_next, bool *columns);

/* What makes a row another one. */
typedef struct prfdata_table_key {
    prfdata_text label;
    uint32_t object_title;
    uint32_t counter_title;
} prfdata_table_key;

/* Begin to fill the table by hand: no row is present. */
void prfdata_table_begin(prfdata_table *table);

/* The row of a key; NULL: there is none. */
prfdata_table_row *prfdata_table_find(const prfdata_table *table, const prfdata_table_key *key);

/*
 * The same, but add it, and take its turn in the sample: mostly rows come in the order of the
 * sample before, and then the label is compared only. NULL: no memory.
 */
prfdata_table_row *prfdata_table_row_of(prfdata_table *table, const prfdata_table_key *key);

/* Note that the sample has the row, and whether all that it has there is 0 or nothing. */
void prfdata_table_show(const prfdata_table *table, prfdata_table_row *row, bool is_zero);

/*
 * Take rows away that are gone for a while, but not those that the user has selected. What is shown
 * is over: prfdata_table_arrange() is to follow.
 *
 * Returns false: no memory, and rows are not found again.
 */
bool prfdata_table_follow(prfdata_table *table, bool is_next);

/*
 * Show only rows whose label holds a text; empty: all.
 * Returns false: no memory.
 */
bool prfdata_table_set_filter(prfdata_table *table, prfdata_text text);

/* Sort and choose what is shown again. Returns false: no memory, nothing changed. */
bool prfdata_table_arrange(prfdata_table *table);

/*
 * Select the row of a label and no other, and give it the focus; prfdata_table_arrange() is to
 * follow. Returns false if there is none: nothing changed.
 */
bool prfdata_table_select(prfdata_table *table, prfdata_text label);

/* Whether a cell of row `at` of those shown has no value, and its text says why. */
bool prfdata_table_has_reason(const prfdata_table *table, uint32_t at, uint32_t column);

/*
 * The text of a cell of row `at` of those shown; if there is no value, why.
 *
 * column  PRFDATA_TABLE_LABEL: the label.
 * chars   Gets at most `capacity` chars, no NUL.
 * Returns how many.
 */
size_t prfdata_table_text(const prfdata_table *table, uint32_t at, uint32_t column,
                          prfdata_number_style style, uint16_t *chars, size_t capacity);

/* The same, but with a number in its short form; nothing if it is no number. */
size_t prfdata_table_short(const prfdata_table *table, uint32_t at, uint32_t column,
                           prfdata_number_style style, uint16_t chars[PRFDATA_NUMBER_CHARS]);

/* The cell, or NULL for PRFDATA_TABLE_LABEL and what is not there. */
const prfdata_cell *prfdata_table_cell_at(const prfdata_table *table, uint32_t at, uint32_t column);

/* The counter that a cell shows, 0 for none: its column's or its row's. */
uint32_t prfdata_table_counter(const prfdata_table *table, uint32_t at, uint32_t column);

#endif
