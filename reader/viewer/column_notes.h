/* SPDX-License-Identifier: MIT */
/*
 * Remembers the user's changes to columns: their position and width, and whether they are hidden.
 * Columns are identified by the paths of their counters, so that a workspace can store the notes.
 */
#ifndef PRFDATA_READER_COLUMN_NOTES_H
#define PRFDATA_READER_COLUMN_NOTES_H

#include "viewer/workspace.h"

#define PRFDATA_COLUMN_NOTES_MOST       2000u
#define PRFDATA_COLUMN_NOTES_MOST_WIDTH 4000u

typedef struct prfdata_column_note {
    prfdata_text path; /* \Object\Counter; owned */
    uint32_t position; /* from 0, the leftmost */
    uint32_t width;    /* in pixels at 96 DPI; 0: not chosen by the user */
    bool is_hidden;
} prfdata_column_note;

/* {0} is empty. */
typedef struct prfdata_column_notes {
    prfdata_column_note *items;
    size_t count;
    size_t capacity;
} prfdata_column_notes;

/*
 * Note a column, in place of an earlier note of its path. If there are too many notes, or no
 * memory, nothing is noted.
 *
 * note  Its path is copied, its width limited.
 */
void prfdata_column_notes_set(prfdata_column_notes *notes, const prfdata_column_note *note);

/* Return the note of a path, or NULL; valid until the next note is set. */
const prfdata_column_note *prfdata_column_notes_find(const prfdata_column_notes *notes,
                                                     prfdata_text path);

/* Write all notes to a workspace, or read the notes from a workspace. The lines of the workspace
 * are "column = <position> <width> <hidden> <path>". */
void prfdata_column_notes_put(const prfdata_column_notes *notes, prfdata_workspace *workspace);
void prfdata_column_notes_read(prfdata_column_notes *notes, const prfdata_workspace *workspace);

/*
 * Compute the order of columns from their positions.
 *
 * positions  The positions of `count` columns; columns of equal position keep their order.
 * order      Gets the columns from the left.
 */
void prfdata_column_notes_order(const uint32_t *positions, uint32_t count, int *order);

/* Release everything and leave {0}. */
void prfdata_column_notes_free(prfdata_column_notes *notes);

#endif
