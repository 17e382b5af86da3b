/* SPDX-License-Identifier: MIT */
/*
 * Parses counter paths as people write them: \\Computer\Object(Parent/Instance#Index)\Counter.
 *
 * Real names contain characters that the grammar forbids: instances like "app (x86)" or "a/b",
 * counters like "# Bytes", objects like "DC Locator (DC)". In the grammar the object ends at the
 * first parenthesis or backslash, and the instance at the last ")\". This is one reading of a text.
 * If a text can also be split in other ways, it has other readings. The path's instance is compared
 * as a whole with the labels of instances (prfdata_sample_instance.label). resolver.h decides which
 * reading applies, and which titles the names mean.
 */
#ifndef PRFDATA_READER_PATH_H
#define PRFDATA_READER_PATH_H

#include "text/text.h"

/* The parts of a parsed path; they point into its text. */
typedef struct prfdata_path {
    prfdata_text computer; /* empty: not given */
    prfdata_text object;
    prfdata_text instance; /* without a final "#0", because "a#0" is the same instance as "a" */
    prfdata_text counter;
    bool has_instance; /* the path has parentheses for the instance */
    bool has_zero;     /* in the text, "#0" directly follows `instance` */
} prfdata_path;

/* The state of a search for the readings of a text. */
typedef struct prfdata_path_readings {
    prfdata_text text;
    prfdata_text computer;
    size_t object;      /* position of the object */
    size_t counter;     /* just after the last backslash that was not tried; 0: none is left */
    size_t parenthesis; /* next position to search for "(" */
    unsigned left;
} prfdata_path_readings;

extern const prfdata_text prfdata_path_star;

typedef struct prfdata_path_error {
    size_t position;    /* position of the invalid char, from 0; if something is missing at the end,
                           the length of the text */
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
 * Begin to list all readings of a path: each backslash may end the object or the instance, and each
 * parenthesis may begin the instance. Everything borrows from `text`.
 *
 * error  Set on failure: the text is no path at all.
 */
bool prfdata_path_begin_readings(prfdata_path_readings *readings, prfdata_text text,
                                 prfdata_path_error *error);

/*
 * Get the next reading. The shortest counters come first, and among these the shortest objects. The
 * first reading is that of the grammar, unless the grammar finds a mistake.
 *
 * Returns false if there is none left; there are at most 1,024.
 */
bool prfdata_path_next_reading(prfdata_path_readings *readings, prfdata_path *path);

/* Return the path's instance together with the "#0" after it; has_zero must be set. */
prfdata_text prfdata_path_instance_with_zero(const prfdata_path *path);

/*
 * Returns whether the path has an instance that matches this label. A * means any text. The
 * instance "a#0" matches the labels "a" and "a#0".
 */
bool prfdata_path_wants_instance(const prfdata_path *path, prfdata_text label);

#endif
