/* SPDX-License-Identifier: MIT */
/*
 * How a step of a Collect ended. The system's codes stand at the provider's borders only: what
 * perflib gets, what the system said of a file or a value, and what events report.
 */
#ifndef PRFDATA_RESULT_H
#define PRFDATA_RESULT_H

typedef enum prfdata_result {
    PRFDATA_DONE,
    PRFDATA_NO_MEMORY,
    PRFDATA_NO_ROOM,       /* in the caller's buffer */
    PRFDATA_MERGE_INSTEAD, /* by plans it cannot be answered */
    PRFDATA_ASK_AGAIN,     /* what it began with has been replaced: a newer basis shows it */
    PRFDATA_FAULTED,       /* the view of the region */
    PRFDATA_INVALID        /* the region is no longer what it was when it was attached */
} prfdata_result;

#endif
