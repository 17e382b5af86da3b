/* SPDX-License-Identifier: MIT */
/*
 * Removes one region file, whatever account created it, unless a program publishes in it. If the
 * file has to stay until the next restart, it is made void, so that readers no longer show it.
 * Windows only.
 */
#ifndef PRFDATA_REGION_REMOVAL_H
#define PRFDATA_REGION_REMOVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "windows/directory.h"

typedef enum prfdata_region_fate {
    PRFDATA_REGION_REMOVED,
    /* a reader maps it, so it was made void, and Windows deletes it at its next restart */
    PRFDATA_REGION_AT_RESTART,
    PRFDATA_REGION_UNDELETED, /* it was made void, but Windows could not be asked to delete it */
    PRFDATA_REGION_IN_USE     /* a program publishes in it, so it was left */
} prfdata_region_fate;

/*
 * If a region file has no writer, open it for exclusive writing, set its state to 0, and delete it,
 * now or at the next restart. Readers and writers ignore a file with state 0 (region-format.md,
 * R9). Links are not followed, and oplocks are not waited for. If the access list of the file
 * forbids writing, or the file has a second name (a hard link), nothing is written to the file
 * before it is deleted.
 *
 * name  The name of a region (os_name.h).
 * fate  Untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_SHARING_VIOLATION (a program that does not
 *         publish has the file open and does not share writing), or the system's error.
 */
uint32_t prfdata_region_removal_run(const prfdata_directory *directory, const wchar_t *name,
                                    prfdata_region_fate *fate);

/*
 * Find out which process publishes in a region.
 *
 * program  The path of the process's program, or "" if it cannot be found out; room for MAX_PATH.
 * is_said  Whether only the region names the process id. The owner of the region can write any
 *          number there.
 *
 * Returns the process id; 0 if it cannot be found out.
 */
uint32_t prfdata_region_removal_writer(const prfdata_directory *directory, const wchar_t *name,
                                       wchar_t *program, bool *is_said);

#endif
