/* SPDX-License-Identifier: MIT */
/* Records which titles of a service occur in its replies as names of objects or counters.
 * Portable. */
#ifndef PRFDATA_READER_VALIDATE_TITLES_H
#define PRFDATA_READER_VALIDATE_TITLES_H

#include "validate/validate.h"

#define PRFDATA_VALIDATE_TITLES_MAX 8192u /* at most this many titles are marked */

/*
 * Marks which titles were seen. Help texts have the odd indexes, so only every second index from
 * `first` on is marked. Begin with zeros, and set `first` and `count`.
 */
typedef struct prfdata_validate_titles_seen {
    uint32_t first;
    uint32_t count;
    bool is_seen[PRFDATA_VALIDATE_TITLES_MAX];
} prfdata_validate_titles_seen;

/* Add the titles of a reply. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. */
uint32_t prfdata_validate_titles_add(prfdata_validate_titles_seen *seen,
                                     const prfdata_validate_reply *reply);

/* Check the titles after all replies were added. There is a finding if at least 32 titles are
 * unused and these are more than two thirds of all titles. */
void prfdata_validate_titles_end(const prfdata_validate_titles_seen *seen,
                                 prfdata_findings *findings);

#endif
