/* SPDX-License-Identifier: MIT */
/* Finds the name that a person may have meant. */
#ifndef PRFDATA_READER_SIMILAR_H
#define PRFDATA_READER_SIMILAR_H

#include "text/text.h"

/* A search for the most similar name. Start with {0} and set `written`. */
typedef struct prfdata_similar {
    prfdata_text written;
    prfdata_text best; /* borrowed; empty: no name is similar */
    size_t changes;    /* number of changes from `written` to `best` */
} prfdata_similar;

/*
 * Consider a name. A change inserts, removes or replaces a character, or swaps two neighbours; case
 * is ignored. A name is similar if the number of changes is at most a third of its length (rounded
 * up), and the length is at most 96. The best name is the similar name with the fewest changes, or
 * the first of several such names.
 */
void prfdata_similar_consider(prfdata_similar *similar, prfdata_text name);

#endif
