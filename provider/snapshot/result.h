/* SPDX-License-Identifier: MIT */
/*
 * Declares how a step of a Collect ended. Win32 codes are used only at the edges: what perflib
 * receives, what system calls return, and what events report.
 *
 * PRFDATA_STALE means that a step has no usable answer. If the plans cannot answer the query
 * (planned_answer.c), provider.c merges. If the merge is stale, provider.c tries again. Each reason
 * below makes the first three attempts stale. From the fourth attempt on, only the last reason
 * does.
 *
 * - A program has taken over a region that had no writer. The fourth attempt reads the region as it
 *   is.
 * - A basis with another number became the newest while the merge read the regions.
 * - Another thread has shown newer counts of a program with brackets. The merge has raised these
 *   counts, but its other values of the program are older. The fourth attempt counts the program as
 *   torn.
 * - The installation was replaced. The carry may already belong to the newer installation.
 */
#ifndef PRFDATA_RESULT_H
#define PRFDATA_RESULT_H

typedef enum prfdata_result {
    PRFDATA_DONE,
    PRFDATA_NO_MEMORY,
    PRFDATA_NO_ROOM, /* in the caller's buffer */
    PRFDATA_STALE,   /* the head explains it */
    PRFDATA_FAULTED,
    PRFDATA_INVALID /* the region is no longer what it was when it was attached */
} prfdata_result;

#endif
