/* SPDX-License-Identifier: MIT */
/* Finds the name that a person may have meant. */
#ifndef PRFDATA_READER_SIMILAR_H
#define PRFDATA_READER_SIMILAR_H

#include "text/text.h"

/* {0} at first, but for `written`. */
typedef struct prfdata_similar {
    prfdata_text written;
    prfdata_text best; /* borrowed; empty: nothing is like it */
    size_t changes;    /* from one to the other */
} prfdata_similar;

/*
 * Consider a name. It is like what was written if a third of its characters, at most, are inserted,
 * left out, changed or swapped with the next; case is nothing. Of the names that are, the first
 * with the fewest changes is the best.
 */
void prfdata_similar_consider(prfdata_similar *similar, prfdata_text name);

#endif
