/* SPDX-License-Identifier: MIT */
/*
 * Findings that only many replies in a row show: names that never stay, children that change their
 * parents all the time, fractions that stay above their base, hits that outgrow their samples again
 * and again. Once means nothing, because value and base are not read at one moment: so it is
 * counted how often that happens. Portable.
 */
#ifndef PRFDATA_READER_VALIDATE_RUN_H
#define PRFDATA_READER_VALIDATE_RUN_H

#include "validate/validate.h"

/* So many fractions are followed at once. */
#define PRFDATA_VALIDATE_RUN_ABOVE 16

/* A fraction that is above its base, or whose hits outgrow its samples, since some pairs. */
typedef struct prfdata_validate_above {
    uint64_t of;    /* its hash; 0: none */
    uint32_t pairs; /* in a row */
    bool is_here;   /* in the pair that is looked at, and not below */
} prfdata_validate_above;

#define PRFDATA_VALIDATE_RUN_SHOWN                                                                 \
    16 /* objects or counters that show a mistake; no more are kept */

/* An object or counter that shows a mistake. */
typedef struct prfdata_validate_shown {
    uint32_t object;  /* title index; 0: none */
    uint32_t counter; /* title index; 0: it is about the object */
    uint32_t pairs;   /* of replies that show it; of fractions: the most in a row */
} prfdata_validate_shown;

typedef prfdata_validate_shown prfdata_validate_shown_list[PRFDATA_VALIDATE_RUN_SHOWN];

/* All zeros: nothing was seen. */
typedef struct prfdata_validate_run {
    uint32_t pairs;                      /* of replies that follow one another */
    prfdata_validate_shown_list renamed; /* objects that had new names only */
    prfdata_validate_shown_list moved;   /* objects of which a child had another parent */
    prfdata_validate_above above[PRFDATA_VALIDATE_RUN_ABOVE];
    prfdata_validate_shown_list level;    /* fractions that were above their base */
    prfdata_validate_shown_list outgrown; /* hits that outgrew their samples */
} prfdata_validate_run;

/* Take one more pair. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. */
uint32_t prfdata_validate_run_add(prfdata_validate_run *run, const prfdata_validate_reply *older,
                                  const prfdata_validate_reply *newer);

/* Check the counts of all replies that were added, and report findings. */
void prfdata_validate_run_end(const prfdata_validate_run *run, prfdata_findings *findings);

#endif
