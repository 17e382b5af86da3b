/* SPDX-License-Identifier: MIT */
/* The titles of a service that occur in its replies, as names of objects or counters. Portable. */
#ifndef PRFDATA_READER_VALIDATE_TITLES_H
#define PRFDATA_READER_VALIDATE_TITLES_H

#include "validate/validate.h"

#define PRFDATA_VALIDATE_TITLES_MAX 8192u /* of a service; those after them are not looked for */

/* Even titles from `first` on. Set first and count; all else zeros: none was seen. */
typedef struct prfdata_validate_titles_seen {
    uint32_t first;
    uint32_t count;
    bool is_seen[PRFDATA_VALIDATE_TITLES_MAX];
} prfdata_validate_titles_seen;

/* Take what a reply has. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. */
uint32_t prfdata_validate_titles_add(prfdata_validate_titles_seen *seen,
                                     const prfdata_validate_reply *reply);

/* Check what was seen in the end: a few titles may be unused, and what is small says nothing. */
void prfdata_validate_titles_end(const prfdata_validate_titles_seen *seen,
                                 prfdata_findings *findings);

#endif
