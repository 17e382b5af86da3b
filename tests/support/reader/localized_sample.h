/* SPDX-License-Identifier: MIT */
/*
 * Makes a sample from a computer whose language is not English and where names of the two languages
 * overlap: the English name of one counter is the local name of another one. It also has paths into
 * the sample and their values, for the tests of everything that shows values.
 */
#ifndef PRFDATA_TESTS_LOCALIZED_SAMPLE_H
#define PRFDATA_TESTS_LOCALIZED_SAMPLE_H

#include "block/titles.h"
#include "paths/resolver.h"
#include "support/reader/wire.h"

/*
 * Write the block. Every counter is a raw count; its value is ten times its title index plus the
 * position of the instance, so that a value shows from which cell it was read.
 */
void localized_sample_write(wire *w);

/* Name its titles in both languages. */
void localized_sample_name(prfdata_titles *titles);

typedef struct localized_sample_path {
    const char *text;
    const char *values; /* ascending, with a blank after each; empty: no match */
    prfdata_resolver_result result;
} localized_sample_path;

/* The last element has no text. */
extern const localized_sample_path localized_sample_paths[];

/* The request for a path; `chars` has room for its text and a NUL. */
prfdata_resolver_path localized_sample_request(const prfdata_titles *titles, const char *text,
                                               uint16_t *chars);

/* Write numbers in the form of `values`; sorts the numbers. */
void localized_sample_values(unsigned *numbers, size_t count, char *text, size_t size);

#endif
