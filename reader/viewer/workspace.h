/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes what the window remembers: names and their values in a text file, "name =
 * value", in UTF-8. A name may stand more than once: its values are a list. Names that are not
 * known are kept. Knows neither files nor what the names mean.
 */
#ifndef PRFDATA_READER_WORKSPACE_H
#define PRFDATA_READER_WORKSPACE_H

#include "text/lines.h"
#include "text/output.h"

/* {0} is empty. */
/* A line of it. */
typedef struct prfdata_workspace_setting {
    prfdata_text name;
    prfdata_text value;
    size_t line;
} prfdata_workspace_setting;

typedef struct prfdata_workspace {
    prfdata_lines lines;                 /* of what was read */
    prfdata_workspace_setting *settings; /* the same, by name; as many */
    prfdata_output text;                 /* what is written */
} prfdata_workspace;

/*
 * Read a file's content.
 *
 * workspace  {0} before; set on success.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (a line is something else, or there is none) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_workspace_read(prfdata_workspace *workspace, const void *bytes, size_t size);

/* Release everything; {0} is left. */
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

/* The same as a number of -2147483647 to 2147483647; what is none of these is `other`. */
int32_t prfdata_workspace_number(const prfdata_workspace *workspace, const char *name,
                                 int32_t other);

/* Take the number at the beginning of a value, which then begins after it. Returns false: none. */
bool prfdata_workspace_take_number(prfdata_text *value, uint32_t *number);

/* Append a value, to be written; a line end in it would be another value, and is a blank. */
void prfdata_workspace_put(prfdata_workspace *workspace, const char *name, prfdata_text value);
/* The same with something in ASCII before it. */
void prfdata_workspace_put_prefixed(prfdata_workspace *workspace, const char *name,
                                    const char *prefix, prfdata_text value);
void prfdata_workspace_put_number(prfdata_workspace *workspace, const char *name, int32_t number);

#endif
