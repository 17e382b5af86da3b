/* SPDX-License-Identifier: MIT */
/* Finds mistakes that only many replies in a row show: names that never stay, children that change
 * their parents in many replies, fractions that stay above their base, hits that grow faster than
 * their samples again and again. Occurrences are counted, because a single one means nothing: for
 * example, value and base are not read at the same moment. Portable. */
#ifndef PRFDATA_READER_VALIDATE_RUN_H
#define PRFDATA_READER_VALIDATE_RUN_H

#include "validate/validate.h"

#define PRFDATA_VALIDATE_RUN_ABOVE 16

/* A fraction that has been above its base, or whose hits have grown faster than its samples, in one
 * or more pairs of replies in a row. A pair in which hits and samples grew equally does not end the
 * row. */
typedef struct prfdata_validate_above {
    uint64_t of;    /* hash of the fraction; 0: the entry is free */
    uint32_t pairs; /* number of pairs in a row */
    bool is_here;   /* in the current pair the fraction is above its base, or its hits did not grow
                       slower than its samples */
} prfdata_validate_above;

#define PRFDATA_VALIDATE_RUN_SHOWN 16 /* entries in a list of mistakes */

/* An object or counter with a mistake. */
typedef struct prfdata_validate_shown {
    uint32_t object;  /* title index; 0: none */
    uint32_t counter; /* title index; 0: the mistake is about the object */
    uint32_t pairs;   /* number of pairs that show the mistake; for fractions, the most in a row */
} prfdata_validate_shown;

typedef prfdata_validate_shown prfdata_validate_shown_list[PRFDATA_VALIDATE_RUN_SHOWN];

/* All zeros: no reply was seen. */
typedef struct prfdata_validate_run {
    uint32_t pairs;                      /* number of pairs of successive replies */
    prfdata_validate_shown_list renamed; /* objects that had only new names */
    prfdata_validate_shown_list moved;   /* objects in which a child had another parent */
    prfdata_validate_above above[PRFDATA_VALIDATE_RUN_ABOVE];
    prfdata_validate_shown_list level;    /* fractions that were above their base */
    prfdata_validate_shown_list outgrown; /* hits that grew faster than their samples */
} prfdata_validate_run;

/* Add one more pair. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. */
uint32_t prfdata_validate_run_add(prfdata_validate_run *run, const prfdata_validate_reply *older,
                                  const prfdata_validate_reply *newer);

/* Report the objects and counters for which enough of the added pairs have shown a mistake. */
void prfdata_validate_run_end(const prfdata_validate_run *run, prfdata_findings *findings);

#endif
