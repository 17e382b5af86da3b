/* SPDX-License-Identifier: MIT */
/*
 * What a person wants metrics to be called: the lines of a file, such as
 *
 *     \My Queues(*)\Depth metric=queue_depth label=queue
 *     \My Queues(*)\Size unit=bytes
 *
 * metric=  the name of the family, without _total; of several, the first: the others get a word
 *          more
 * unit=    what the values are counted in; they stay as they are, and the name ends with it; times
 *          stay seconds, and fractions ratios
 * label=   what the label of the instance is called, instead of `name`
 *
 * The first line that names a counter counts; instances in the paths mean nothing. Knows no files.
 */
#ifndef PRFDATA_READER_OVERRIDES_H
#define PRFDATA_READER_OVERRIDES_H

#include "text/lines.h"
#include "paths/resolver.h"

#define PRFDATA_OVERRIDE_BYTES 100 /* of a name, with the NUL */

typedef struct prfdata_override {
    prfdata_resolver_path path;          /* its instance means nothing */
    char metric[PRFDATA_OVERRIDE_BYTES]; /* empty: not said; so are the others */
    char unit[PRFDATA_OVERRIDE_BYTES];
    char label[PRFDATA_OVERRIDE_BYTES];
} prfdata_override;

typedef struct prfdata_overrides {
    prfdata_override *items;
    size_t count;
    prfdata_lines lines; /* which the items borrow */
} prfdata_overrides;

typedef struct prfdata_overrides_error {
    prfdata_text text;  /* the wrong line; empty: the file as a whole */
    uint32_t line;      /* its number */
    const char *reason; /* static storage */
} prfdata_overrides_error;

/*
 * Understand the bytes of a file.
 *
 * titles     What names the paths may take; borrowed during the call.
 * overrides  On success what it says; prfdata_overrides_free(). Untouched on failure.
 * error      Set on ERROR_INVALID_DATA; its text is valid until prfdata_lines_free(lines).
 * lines      The lines of a file that is wrong; {0} else.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_overrides_make(const void *bytes, size_t size, const prfdata_titles *titles,
                                prfdata_overrides *overrides, prfdata_lines *lines,
                                prfdata_overrides_error *error);

/* Release everything; {0} is allowed. */
void prfdata_overrides_free(prfdata_overrides *overrides);

#endif
