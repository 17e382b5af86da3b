/* SPDX-License-Identifier: MIT */
/*
 * Keeps an object as a table: instances are rows, counters are columns. If an object never has
 * instances, its counters are rows instead, because one row of thirty columns is unreadable. Rows
 * keep their state in the window (selected, focused) while instances come and go and the order
 * changes.
 *
 * The live view of a terminal has a second table: a list of counters of any objects. Its labels are
 * the paths of the counters. The live view fills the rows of that list itself, with the functions
 * from prfdata_table_begin() to prfdata_table_follow(). Use a table from one thread at a time.
 */
#ifndef PRFDATA_READER_TABLE_H
#define PRFDATA_READER_TABLE_H

#include "base/hash_table.h"
#include "block/titles.h"
#include "view/cell.h"
#include "view/number.h"
#include "view/threshold.h"

/*
 * Used as a column number for the labels of the rows. The label of a row is its instance or, if the
 * object has no instances, its counter.
 */
#define PRFDATA_TABLE_LABEL UINT32_MAX
/*
 * For this many samples a row counts as new. A row becomes idle if its numbers were 0 in this many
 * samples, and is removed when this many samples lack it.
 */
#define PRFDATA_TABLE_WHILE 3

/* The life of a row. `came` and `busy` are numbers of samples, as prfdata_table.updates counts them
 * from 1. */
typedef struct prfdata_table_life {
    bool is_present; /* in the newest sample */
    bool is_new;     /* the row first appeared in one of the last PRFDATA_TABLE_WHILE samples, and
                        not in the first sample of the table */
    bool is_idle;    /* in the last PRFDATA_TABLE_WHILE samples every number was 0, or missing */
    uint32_t came;   /* sample in which the row first appeared; 0: not known */
    uint32_t busy;   /* newest sample in which any number was not 0; 0: none */
    uint32_t left;   /* number of samples for which the row has been missing */
} prfdata_table_life;

typedef struct prfdata_table_row {
    prfdata_text label;          /* owned */
    uint32_t object_title;       /* only in rows of the live view's list; otherwise 0 */
    uint32_t counter_title;      /* only in rows of that list, and if the object has no instances;
                                    otherwise 0 */
    uint32_t type;               /* only if the object has no instances */
    prfdata_condition threshold; /* threshold of the row's counter, if it has one */
    prfdata_text help; /* help of the row's counter, if it has one; borrowed from the titles */
    prfdata_cell *cells;
    /*
     * A row whose instance has ended stays for some samples, and after that only while it is
     * selected or focused. The row keeps its last numbers as long as each shown sample follows
     * the one before.
     */
    prfdata_table_life life;
    uint32_t turn;  /* position in the newest sample that had the row */
    uint32_t place; /* place in the list of shown rows, from 1; 0: the row was not shown */
    bool is_total;  /* the row is _Total, which is shown above all others */
    bool is_damaged;
    bool is_selected; /* set by the window */
    bool is_focused;  /* set by the window; at most one row */
    bool is_hidden;   /* set by the owner: not shown unless selected or focused */
} prfdata_table_row;

typedef struct prfdata_table_column {
    uint32_t counter_title; /* 0: shows the values of an object without instances */
    uint32_t type;
    prfdata_unit unit;
    prfdata_text name;           /* borrowed from the titles; empty: it has none */
    prfdata_text help;           /* borrowed from the titles */
    prfdata_condition threshold; /* {0}: the counter has none */
    bool is_hidden;              /* the table does not show it */
} prfdata_table_column;

typedef struct prfdata_table {
    uint32_t object_title; /* 0: none is shown */
    bool has_instances;
    bool is_present; /* the newest sample has the object */
    uint32_t column_count;
    prfdata_table_column *columns;
    size_t row_bytes; /* size of a row and of the owner's data after the row; in a new row, that
                         data is 0 */
    uint32_t row_count;
    uint32_t present_count;
    uint32_t present_totals; /* number of present rows that are _Total, which is not an instance */
    size_t row_capacity;
    prfdata_table_row **rows;  /* unordered; owned */
    prfdata_hash_table lookup; /* index of positions in `rows` */
    prfdata_table_row **turns; /* rows in the order of the newest sample */
    size_t turn_count;
    size_t turn_capacity;
    prfdata_table_row **before; /* rows in the order of the sample before */
    size_t before_count;
    size_t before_capacity;
    size_t expected;  /* position in `before` of the row that probably comes next */
    uint32_t updates; /* number of samples that had the object */
    uint32_t shown_count;
    uint32_t shown_present_count;
    uint32_t shown_totals; /* number of shown and present rows that are _Total */
    size_t shown_capacity;
    prfdata_table_row **shown; /* the shown rows, in the order of the screen */
    size_t spare_capacity;
    prfdata_table_row **spare; /* for sorting */

    /* The caller sets the next fields and then calls prfdata_table_arrange(). */
    uint32_t sort_column; /* PRFDATA_TABLE_LABEL: by label */
    bool sorts_descending;
    bool shows_raw;
    bool hides_idle;
    bool is_capped;               /* caps percentages, from the next update on: see cell.h */
    const prfdata_titles *titles; /* borrowed */
    const prfdata_thresholds *thresholds; /* borrowed; NULL: none */
    prfdata_text filter;                  /* pattern for labels; owned; empty: none */
    prfdata_condition condition; /* show only rows that meet this condition, and selected and
                                    focused ones; {0}: no condition */
    uint32_t condition_column;   /* the column whose value must meet `condition` */
} prfdata_table;

/* Begin without an object, sorted by label. */
void prfdata_table_init(prfdata_table *table, const prfdata_titles *titles);

void prfdata_table_clear(prfdata_table *table);

/* Release everything, and set the table as prfdata_table_init() does. */
void prfdata_table_free(prfdata_table *table);

/* Show another object, sorted by label; 0: none. The table is empty until the next update. */
void prfdata_table_choose(prfdata_table *table, uint32_t object_title);

/*
 * Show the object's values in a sample.
 *
 * older    The sample before; NULL: there is none, so rates have no value.
 * newer    The sample; NULL: there is none at the chosen time, and no row is present.
 * is_next  true: the sample follows the one that was shown before. Added rows are new. Missing rows
 *          stay for some samples.
 *          false: the sample is from any other time. Added rows are not new. Missing rows stay only
 *          if they are selected or focused.
 * columns  Set to whether the columns have changed.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY: some rows are missing.
 */
uint32_t prfdata_table_update(prfdata_table *table, const prfdata_sample *older,
                              const prfdata_sample *newer, bool is_next, bool *columns);

typedef struct prfdata_table_key {
    prfdata_text label;
    uint32_t object_title;
    uint32_t counter_title;
} prfdata_table_key;

/* Begin to fill the table without prfdata_table_update(): no row is present now. */
void prfdata_table_begin(prfdata_table *table);

/* Return the row of a key; NULL: there is none. */
prfdata_table_row *prfdata_table_find(const prfdata_table *table, const prfdata_table_key *key);

/* Find or add the row of a key, at the next position of the sample. NULL: no memory. */
prfdata_table_row *prfdata_table_row_of(prfdata_table *table, const prfdata_table_key *key);

/* Note that the sample has the row, and whether all its values are 0 or missing. */
void prfdata_table_show(const prfdata_table *table, prfdata_table_row *row, bool is_zero);

/*
 * Remove rows that have been missing for some samples. If is_next is false, remove all rows that
 * are missing in this sample. Selected and focused rows stay. After a removal, no row counts as
 * shown, so call prfdata_table_arrange() next.
 *
 * Returns false: no memory, and rows cannot be found again.
 */
bool prfdata_table_follow(prfdata_table *table, bool is_next);

/*
 * Show only rows whose label contains a text, in which * stands for any characters; empty: all.
 * Applies from the next prfdata_table_arrange() on. Selected and focused rows are always shown.
 * Returns false: no memory.
 */
bool prfdata_table_set_filter(prfdata_table *table, prfdata_text text);

/* Apply table->thresholds after they have changed. */
void prfdata_table_apply_thresholds(prfdata_table *table);

/* Returns whether a cell of a row has a value that is beyond the threshold of its counter. */
bool prfdata_table_is_beyond(const prfdata_table *table, const prfdata_table_row *row,
                             uint32_t column);

/* Choose and sort the shown rows again. Returns false: no memory, nothing changed. */
bool prfdata_table_arrange(prfdata_table *table);

/*
 * Select only the row of an instance, and give it the focus. Call prfdata_table_arrange()
 * afterwards. Returns false, and changes nothing, if there is no such row.
 */
bool prfdata_table_select(prfdata_table *table, prfdata_text label);

/* Returns whether a cell of shown row `at` has no value, so that its text is the reason. */
bool prfdata_table_has_reason(const prfdata_table *table, uint32_t at, uint32_t column);

/*
 * Get the text of a cell of shown row `at`; if a present row has no value, the reason.
 *
 * column  PRFDATA_TABLE_LABEL: the label.
 * chars   Gets at most `capacity` chars, no NUL.
 * Returns how many.
 */
size_t prfdata_table_text(const prfdata_table *table, uint32_t at, uint32_t column,
                          prfdata_number_style style, uint16_t *chars, size_t capacity);

/*
 * Get the number that prfdata_table_text() gets, but in its short form; nothing if the cell has no
 * number, or shows it in hexadecimal.
 */
size_t prfdata_table_short(const prfdata_table *table, uint32_t at, uint32_t column,
                           prfdata_number_style style, uint16_t chars[PRFDATA_NUMBER_CHARS]);

/* Return the cell; NULL for PRFDATA_TABLE_LABEL and for cells that do not exist. */
const prfdata_cell *prfdata_table_cell_at(const prfdata_table *table, uint32_t at, uint32_t column);

/*
 * Return the title of a cell's counter, which is the counter of its column or of its row; 0: none.
 */
uint32_t prfdata_table_counter(const prfdata_table *table, uint32_t at, uint32_t column);

#endif
