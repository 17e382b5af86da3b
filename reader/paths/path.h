/* SPDX-License-Identifier: MIT */
/*
 * Counter paths as people write them: \\Computer\Object(Parent/Instance#Index)\Counter.
 *
 * Real names contain what the grammar forbids: instances like "app (x86)" or "a/b", counters like
 * "# Bytes", objects like "DC Locator (DC)". In the grammar the object ends at the first
 * parenthesis or backslash and the instance at the last ")\"; other ways in which a text may be
 * taken apart are its other readings. The instance is compared as a whole with the label under
 * which it is shown (prfdata_sample_instance.label). resolver.h decides which reading a text has,
 * and which titles its names mean.
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

/* Where the search for the readings of a text is. */
typedef struct prfdata_path_readings {
    prfdata_text text;
    prfdata_text computer;
    size_t object;      /* where it begins */
    size_t counter;     /* after the last backslash that was not tried yet; 0: all were */
    size_t parenthesis; /* the next place to look for "(" */
    unsigned left;      /* readings that may still follow */
} prfdata_path_readings;

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
 * Begin to look for everything that a path may mean: each backslash may end the object or the
 * instance, and each parenthesis begin the instance. All borrows from `text`.
 *
 * error  Set on failure: the text is no path at all.
 */
bool prfdata_path_begin_readings(prfdata_path_readings *readings, prfdata_text text,
                                 prfdata_path_error *error);

/*
 * Go on to the next reading. The shortest counters come first, and then the shortest objects: what
 * the grammar says is the first, unless it finds a mistake.
 *
 * Returns false if there are no more; there are at most 1,024.
 */
bool prfdata_path_next_reading(prfdata_path_readings *readings, prfdata_path *path);

/* The path's instance with the "#0" that follows it; has_zero is set. */
prfdata_text prfdata_path_instance_with_zero(const prfdata_path *path);

/*
 * Whether the path asks for the instance with this label. "#0" at the end of the path's instance
 * means the first instance of that name; a name that itself ends in "#0" is also found.
 */
bool prfdata_path_wants_instance(const prfdata_path *path, prfdata_text label);

#endif
