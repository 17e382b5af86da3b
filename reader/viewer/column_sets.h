/* SPDX-License-Identifier: MIT */
/*
 * Keeps sets of columns with names: which columns of an object are shown, and in which order. A
 * set may have columns of several objects. Widths are not part of a set.
 */
#ifndef PRFDATA_READER_COLUMN_SETS_H
#define PRFDATA_READER_COLUMN_SETS_H

#include "viewer/workspace.h"

#define PRFDATA_COLUMN_SETS_MOST 2000u /* limit for the columns of all sets together */

typedef struct prfdata_column_set_item {
    prfdata_text name; /* name of the set; owned; contains no | */
    prfdata_text path; /* \Object\Counter; owned */
    uint32_t position; /* from 0, the leftmost */
    bool is_hidden;
} prfdata_column_set_item;

/* {0} is empty. */
typedef struct prfdata_column_sets {
    prfdata_column_set_item *items;
    size_t count;
    size_t capacity;
} prfdata_column_sets;

/*
 * Copy a column into a set, in place of the set's column of the same path. Nothing changes if there
 * are too many columns, no memory, or a name that is empty or contains a |.
 */
void prfdata_column_sets_put(prfdata_column_sets *sets, const prfdata_column_set_item *item);

/* Return a column of a set; NULL: the set has no column of this path. Borrowed until sets
 * change. */
const prfdata_column_set_item *prfdata_column_sets_find(const prfdata_column_sets *sets,
                                                        prfdata_text name, prfdata_text path);

/* Return the name of a set. Sets are counted from 0, in the order of their first columns. Empty:
 * there is no further set. Borrowed until sets change. */
prfdata_text prfdata_column_sets_name(const prfdata_column_sets *sets, size_t at);

void prfdata_column_sets_remove(prfdata_column_sets *sets, prfdata_text name);

/* Write all sets to a workspace, or replace all sets by those of a workspace. The lines of the
 * workspace are "column-set = <position> <hidden> <name>|<path>". */
void prfdata_column_sets_write(const prfdata_column_sets *sets, prfdata_workspace *workspace);
void prfdata_column_sets_read(prfdata_column_sets *sets, const prfdata_workspace *workspace);

/* Release everything and leave {0}. */
void prfdata_column_sets_free(prfdata_column_sets *sets);

#endif
