/* SPDX-License-Identifier: MIT */
/* The region files in a service's folder, recognized by their documented names. Windows only. */
#ifndef PRFDATA_REGION_FILES_H
#define PRFDATA_REGION_FILES_H

#include "installer/directory.h"
#include "installer/report.h"

/* Whether the name is a region's, of any boot (os_name.h). */
bool prfdata_region_files_match(const wchar_t *name);

/* Count the region files in the folder. */
size_t prfdata_region_files_count(const prfdata_directory *directory);

/* Remove the region files. Those in use stay and are reported. */
void prfdata_region_files_remove(const prfdata_directory *directory, const prfdata_report *report);

/* Remove the region files of other boots that no program has open for writing. Best effort. */
void prfdata_region_files_sweep(const prfdata_directory *directory, const prfdata_report *report);

#endif
