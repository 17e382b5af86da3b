/* SPDX-License-Identifier: MIT */
/*
 * Declares how a step of a Collect ended. Win32 codes are used only at the edges: what perflib
 * receives, what system calls return, and what events report.
 *
 * PRFDATA_STALE means that a step worked on something that has been replaced since, so its answer
 * does not count. provider.c decides what follows: if plans are stale, it merges; if a merge is
 * stale, it uses a newer basis. Only the last attempt accepts stale data. A merge may be stale for
 * the reasons on the left; the last attempt then acts as the right side says:
 *
 *   a region without a writer has been taken over since     it reads the region as it is
 *   the set of regions was replaced while it was read       it does not check that
 *   another thread has shown newer counts of a program with
 *       brackets, whose other values here are older         it counts them as torn
 *   the installation was replaced                           it is stale anyway, because the carry
 *                                                           may already belong to the newer one
 */
#ifndef PRFDATA_RESULT_H
#define PRFDATA_RESULT_H

typedef enum prfdata_result {
    PRFDATA_DONE,
    PRFDATA_NO_MEMORY,
    PRFDATA_NO_ROOM, /* in the caller's buffer */
    PRFDATA_STALE,   /* the head explains it */
    PRFDATA_FAULTED, /* the view of the region faulted */
    PRFDATA_INVALID  /* the region is no longer what it was when it was attached */
} prfdata_result;

#endif
