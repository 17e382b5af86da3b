/* SPDX-License-Identifier: MIT */
/* Removes the region files in a service's folder. Windows only. */
#ifndef PRFDATA_REGION_FILES_H
#define PRFDATA_REGION_FILES_H

#include "report/report.h"
#include "windows/directory.h"

/* Returns whether the name is that of a region, of any boot (os_name.h). */
bool prfdata_region_files_match(const wchar_t *name);

typedef struct prfdata_region_ends {
    size_t removed;
    size_t at_restart; /* readers ignore them, and Windows deletes them at its next restart */
    size_t in_use;     /* programs publish in them */
    size_t failed;     /* they could not be removed, and Windows will not delete them */
} prfdata_region_ends;

/*
 * Remove the region files, of all accounts and boots, in which no program publishes. Files that
 * were removed and files that stay are reported, and counted in `ends`.
 *
 * ends  {0} at first.
 */
void prfdata_region_files_remove(const prfdata_directory *directory, const prfdata_report *report,
                                 prfdata_region_ends *ends);

/*
 * Remove the region files from before the last restart. Files that cannot be removed are left. If
 * the current boot is not known, all files are left.
 */
void prfdata_region_files_sweep(const prfdata_directory *directory, const prfdata_report *report);

#endif
