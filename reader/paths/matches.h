/* SPDX-License-Identifier: MIT */
/*
 * Lists the matches of several paths in a sample. A match is a counter and a path that names the
 * counter. resolver.h decides what a path means.
 */
#ifndef PRFDATA_READER_MATCHES_H
#define PRFDATA_READER_MATCHES_H

#include "paths/resolver.h"

typedef struct prfdata_match {
    uint32_t object_position;  /* in sample->objects */
    uint32_t counter_position; /* in object->counters */
    uint32_t path_index;       /* the path's index among the caller's paths */
} prfdata_match;

/* {0} is empty. */
typedef struct prfdata_matches {
    prfdata_match *items;
    size_t count;
    size_t capacity;
} prfdata_matches;

void prfdata_matches_free(prfdata_matches *matches);

/* Forget the matches, but keep the memory. */
void prfdata_matches_clear(prfdata_matches *matches);

/*
 * Add the counters that a path names, even if their object lacks the instance that the path names.
 * Call prfdata_matches_sort() after the last path.
 *
 * Returns false if there is no memory.
 */
bool prfdata_matches_add(prfdata_matches *matches, const prfdata_resolver_path *path,
                         uint32_t path_index, const prfdata_titles *titles,
                         const prfdata_sample *sample);

/* Order the matches by object, counter and path. */
void prfdata_matches_sort(prfdata_matches *matches);

/*
 * Find the matches of one counter, in ascending order of their paths.
 *
 * count  Set to the number of matches, which may be 0.
 *
 * Returns the first match, which is valid until the next change; NULL if there is none.
 */
const prfdata_match *prfdata_matches_find(const prfdata_matches *matches, uint32_t object_position,
                                          uint32_t counter_position, size_t *count);

#endif
