/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes the settings that the window remembers. They are lines "name = value" of a text
 * file in UTF-8. A name may occur several times; its values then form a list. The callers read and
 * write the files, and interpret the names; a name that they do not know has no effect.
 */
#ifndef PRFDATA_READER_WORKSPACE_H
#define PRFDATA_READER_WORKSPACE_H

#include "text/lines.h"
#include "text/output.h"

/* A line of the file. */
typedef struct prfdata_workspace_setting {
    prfdata_text name;
    prfdata_text value;
    size_t line;
} prfdata_workspace_setting;

/* {0} is empty. */
typedef struct prfdata_workspace {
    prfdata_lines lines;                 /* the lines that were read */
    prfdata_workspace_setting *settings; /* the same lines, sorted by name */
    prfdata_output text;                 /* the text to write */
} prfdata_workspace;

/*
 * Read a file's content.
 *
 * workspace  {0} before; set on success.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, or ERROR_INVALID_DATA: the file is larger than
 * PRFDATA_LINES_MAX_BYTES, prfdata_lines_make() refuses its text, it has no lines, or a line is not
 * "name = value".
 */
uint32_t prfdata_workspace_read(prfdata_workspace *workspace, const void *bytes, size_t size);

/* Release everything and leave {0}. */
void prfdata_workspace_free(prfdata_workspace *workspace);

/*
 * Get the value of a name that was read.
 *
 * at     Which of its values, from 0.
 * value  Set on success; borrowed.
 *
 * Returns false if there is none.
 */
bool prfdata_workspace_get(const prfdata_workspace *workspace, const char *name, size_t at,
                           prfdata_text *value);

/*
 * Get a value as a number of -2147483647 to 2147483647; if it is not a number, or there is none,
 * return `other`.
 */
int32_t prfdata_workspace_number(const prfdata_workspace *workspace, const char *name,
                                 int32_t other);

/* Take the number at the beginning of a value, and remove it from the value. Returns false: there
 * is none. */
bool prfdata_workspace_take_number(prfdata_text *value, uint32_t *number);

/* Append a value to write. Control chars in it, such as line ends, become blanks. */
void prfdata_workspace_put(prfdata_workspace *workspace, const char *name, prfdata_text value);
/* Do what prfdata_workspace_put() does, with ASCII text before the value. */
void prfdata_workspace_put_prefixed(prfdata_workspace *workspace, const char *name,
                                    const char *prefix, prfdata_text value);
void prfdata_workspace_put_number(prfdata_workspace *workspace, const char *name, int32_t number);

#endif
