/* SPDX-License-Identifier: MIT */
/*
 * A sample from a computer whose language is not English, where names of the two languages overlap:
 * the English name of one counter is the local name of another. It also has paths into the sample
 * and the values that they mean, for the tests of everything that shows values.
 */
#ifndef PRFDATA_TESTS_LOCALIZED_SAMPLE_H
#define PRFDATA_TESTS_LOCALIZED_SAMPLE_H

#include "block/titles.h"
#include "paths/resolver.h"
#include "support/reader/wire.h"

/*
 * Write the block. Every counter is a raw count; its value is ten times its title index plus the
 * position of the instance, so that a value shows which cell was read.
 */
void localized_sample_write(wire *w);

/* Name its titles in both languages. */
void localized_sample_name(prfdata_titles *titles);

typedef struct localized_sample_path {
    const char *text;
    const char *values; /* ascending, with a blank after each; empty: the path finds nothing */
    prfdata_resolver_result result;
} localized_sample_path;

/* In the end one without text. */
extern const localized_sample_path localized_sample_paths[];

/* The request for a path; `chars` has room for its text and a NUL. */
prfdata_resolver_path localized_sample_request(const prfdata_titles *titles, const char *text,
                                               uint16_t *chars);

/* Write down numbers as `values` has them; sorts the numbers. */
void localized_sample_values(unsigned *numbers, size_t count, char *text, size_t size);

#endif
