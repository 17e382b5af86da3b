/* SPDX-License-Identifier: MIT */
/*
 * Remembers which lines of the chart the user has hidden, moved to a pane of their own, or given a
 * logarithmic scale or another colour. Lines are identified by their paths, so that a workspace can
 * store the notes, and so that lines look the same when they return.
 */
#ifndef PRFDATA_READER_LINE_NOTES_H
#define PRFDATA_READER_LINE_NOTES_H

#include "viewer/workspace.h"

#define PRFDATA_LINE_NOTES_MOST 500u

typedef struct prfdata_line_note {
    prfdata_text path; /* \Object(Label)\Counter; owned */
    bool is_hidden;
    bool is_apart;
    bool is_log;
    uint32_t colour;
} prfdata_line_note;

/* {0} is empty. */
typedef struct prfdata_line_notes {
    prfdata_line_note *items;
    size_t count;
    size_t capacity;
} prfdata_line_notes;

/*
 * Note a line, in place of an earlier note of its path. If there are too many notes, or no memory,
 * nothing is noted.
 *
 * note  Its path is copied.
 */
void prfdata_line_notes_set(prfdata_line_notes *notes, const prfdata_line_note *note);

/* Return the note of a path, or NULL; valid until the next note is set or forgotten. */
const prfdata_line_note *prfdata_line_notes_find(const prfdata_line_notes *notes,
                                                 prfdata_text path);

void prfdata_line_notes_forget(prfdata_line_notes *notes, prfdata_text path);

/* Write all notes to a workspace, or read the notes from a workspace. The lines of the workspace
 * are "line = <hidden> <apart> <log> <colour> <path>". */
void prfdata_line_notes_put(const prfdata_line_notes *notes, prfdata_workspace *workspace);
void prfdata_line_notes_read(prfdata_line_notes *notes, const prfdata_workspace *workspace);

/* Release everything and leave {0}. */
void prfdata_line_notes_free(prfdata_line_notes *notes);

#endif
