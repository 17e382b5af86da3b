/* SPDX-License-Identifier: MIT */
/*
 * How a step of a Collect ended. The system's codes stand at the provider's borders only: what
 * perflib gets, what the system said of a file or a value, and what events report.
 *
 * Why a step may ask for a newer basis (PRFDATA_ASK_AGAIN), and what it does where it may not:
 *
 *     a region without a writer has been taken over since           reads it as it is
 *     the set of regions was replaced while it was read             does not look whether it was
 *     another thread has shown newer counts, of a program with
 *     brackets, beside which ours are older                         counts them as torn
 *     another thread has shown a later installation                 asks all the same: what is
 *                                                                   carried is of that one
 */
#ifndef PRFDATA_RESULT_H
#define PRFDATA_RESULT_H

typedef enum prfdata_result {
    PRFDATA_DONE,
    PRFDATA_NO_MEMORY,
    PRFDATA_NO_ROOM,       /* in the caller's buffer */
    PRFDATA_MERGE_INSTEAD, /* by plans it cannot be answered */
    PRFDATA_ASK_AGAIN,     /* what it began with is out of date: a newer basis shows it */
    PRFDATA_FAULTED,       /* the view of the region */
    PRFDATA_INVALID        /* the region is no longer what it was when it was attached */
} prfdata_result;

#endif
