/* SPDX-License-Identifier: MIT */
/* The region files in a service's folder, recognized by their documented names. Windows only. */
#ifndef PRFDATA_REGION_FILES_H
#define PRFDATA_REGION_FILES_H

#include "report/report.h"
#include "windows/directory.h"

/* Whether the name is a region's, of any boot (os_name.h). */
bool prfdata_region_files_match(const wchar_t *name);

/* How many region files ended how. */
typedef struct prfdata_region_ends {
    size_t removed;
    size_t at_restart; /* void, and deleted by Windows at its next restart */
    size_t in_use;     /* programs publish in them */
    size_t failed;     /* a person has to delete them */
} prfdata_region_ends;

/*
 * Remove the region files, of all accounts and boots, that no program publishes in. Readers that
 * have one mapped do not show it any more, and Windows deletes it at its next restart. What is left
 * is reported, with the process that publishes in it.
 */
void prfdata_region_files_remove(const prfdata_directory *directory, const prfdata_report *report,
                                 prfdata_region_ends *ends);

/* Remove the region files of other boots that no program has open for writing. Best effort. */
void prfdata_region_files_sweep(const prfdata_directory *directory, const prfdata_report *report);

#endif
