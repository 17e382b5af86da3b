/* SPDX-License-Identifier: MIT */
/*
 * Reads the names that the user gives to metrics, from the lines of a file such as
 *
 *     \My Queues(*)\Depth metric=queue_depth label=queue
 *     \My Queues(*)\Size unit=bytes
 *
 * metric=  the name of the family, without _total. Further metrics of the same counter get this
 *          name and one or two more words.
 * unit=    the unit of the values, which are not converted; the name ends with it. Times stay in
 *          seconds, and fractions stay ratios.
 * label=   the name of the label that contains the instance's name; without this word, the name of
 *          the label is `name`
 *
 * If several lines name a counter, the first one applies. Instances in the paths are ignored.
 */
#ifndef PRFDATA_READER_OVERRIDES_H
#define PRFDATA_READER_OVERRIDES_H

#include <prfdata/map.h>

#include "paths/resolver.h"
#include "text/lines.h"

#define PRFDATA_OVERRIDE_BYTES (PRFDATA_MAX_METRIC_CHARS + 1) /* size of a name, with the NUL */

typedef struct prfdata_override {
    prfdata_resolver_path path;
    char metric[PRFDATA_OVERRIDE_BYTES]; /* this, `label` and `unit` are empty if they were not
                                            given */
    char unit[PRFDATA_OVERRIDE_BYTES];
    char label[PRFDATA_OVERRIDE_BYTES];
} prfdata_override;

typedef struct prfdata_overrides {
    prfdata_override *items;
    size_t count;
    prfdata_lines lines; /* the items borrow from these */
} prfdata_overrides;

typedef struct prfdata_overrides_error {
    prfdata_text text;  /* the invalid line; may be empty, even if `line` is set */
    uint32_t line;      /* number of the invalid line; 0: the whole file is invalid */
    const char *reason; /* static storage */
} prfdata_overrides_error;

/*
 * Parse the bytes of a file.
 *
 * titles     The names that paths may use; borrowed during the call.
 * overrides  On success the content; release with prfdata_overrides_free(). Untouched on failure.
 * error      Set on ERROR_INVALID_DATA; its text is valid until prfdata_lines_free(lines).
 * lines      Set to the lines of the file if one of them is invalid; otherwise {0}.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_overrides_make(const void *bytes, size_t size, const prfdata_titles *titles,
                                prfdata_overrides *overrides, prfdata_lines *lines,
                                prfdata_overrides_error *error);

/* Release everything; {0} is allowed. */
void prfdata_overrides_free(prfdata_overrides *overrides);

#endif
