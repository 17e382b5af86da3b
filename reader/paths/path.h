/* SPDX-License-Identifier: MIT */
/*
 * Counter paths as people write them: \\Computer\Object(Parent/Instance#Index)\Counter.
 *
 * Real names contain what the grammar forbids: instances like "app (x86)" or "a/b", counters like
 * "# Bytes". So the object ends at the first parenthesis or backslash and the instance at the last
 * ")\". The text between them is compared as a whole with the label under which an instance is
 * shown (prfdata_sample_instance.label). Which titles the names mean is in resolver.h.
 */
#ifndef PRFDATA_READER_PATH_H
#define PRFDATA_READER_PATH_H

#include "text/text.h"

/* Parts of the text that was parsed. */
typedef struct prfdata_path {
    prfdata_text computer; /* empty: not given */
    prfdata_text object;
    prfdata_text instance; /* without a final "#0", which means the same */
    prfdata_text counter;
    bool has_instance; /* there are parentheses */
    bool has_zero;     /* "#0" follows `instance` directly in the text */
} prfdata_path;

/* The text "*". */
extern const prfdata_text prfdata_path_star;

typedef struct prfdata_path_error {
    size_t position;    /* of the wrong char, from 0; the text's length: something is missing */
    const char *reason; /* such as "the parenthesis is not closed"; static storage */
} prfdata_path_error;

/*
 * Parse a path. Object, instance and counter may contain *.
 *
 * path   Set on success; borrows from `text`.
 * error  Set on failure.
 */
bool prfdata_path_parse(prfdata_text text, prfdata_path *path, prfdata_path_error *error);

/*
 * Whether the path asks for the instance with this label. "#0" at the end of the path's instance
 * means the first instance of that name; a name that itself ends in "#0" is also found.
 */
bool prfdata_path_wants_instance(const prfdata_path *path, prfdata_text label);

#endif
