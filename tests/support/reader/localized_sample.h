/* SPDX-License-Identifier: MIT */
/* Makes a sample from a computer whose language is not English. The names of both languages
 * overlap, because the English name of one counter is the local name of another. Also declares
 * paths into the sample, and the values that every program must show for these paths. */
#ifndef PRFDATA_TESTS_LOCALIZED_SAMPLE_H
#define PRFDATA_TESTS_LOCALIZED_SAMPLE_H

#include "block/titles.h"
#include "paths/resolver.h"
#include "support/reader/wire.h"

/* Write the block. Every counter is a raw count. Its value is ten times its title index plus the
 * position of the instance, so each value shows where it was read. */
void localized_sample_write(wire *w);

/* Name the block's titles in both languages. */
void localized_sample_name(prfdata_titles *titles);

typedef struct localized_sample_path {
    const char *text;
    const char *values; /* values in ascending order, with a blank after each; empty: no match */
    prfdata_resolver_result result;
} localized_sample_path;

/* The last element has no text. */
extern const localized_sample_path localized_sample_paths[];

/* Return the request for a path. `chars` has room for its text and a NUL. */
prfdata_resolver_path localized_sample_request(const prfdata_titles *titles, const char *text,
                                               uint16_t *chars);

/* Sort the numbers and write them in the form of `values`. */
void localized_sample_values(unsigned *numbers, size_t count, char *text, size_t size);

#endif
