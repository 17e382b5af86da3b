/* SPDX-License-Identifier: MIT */
/*
 * Windows only. Programs of ordinary users may write into this folder, so files with other names
 * are never touched. What is in a region is not looked at.
 */
#include "installer/region_files.h"

#include <wchar.h>

#include "core/os_name.h"

typedef struct region_removal {
    const prfdata_directory *directory;
    const prfdata_report *report;
    uint64_t boot; /* sweeping: the present one */
    size_t removed;
} region_removal;

/* Returns whether it is a region's. */
static bool read_region_name(const wchar_t *wide, prfdata_os_name *name)
{
    if (wcslen(wide) != PRFDATA_OS_NAME_CHARS)
        return false;
    for (size_t i = 0; i <= PRFDATA_OS_NAME_CHARS; i++)
        name->text[i] = wide[i] < 0x80 ? (char)wide[i] : '?';
    return prfdata_os_name_is_valid(name);
}

bool prfdata_region_files_match(const wchar_t *name)
{
    prfdata_os_name region;

    return read_region_name(name, &region);
}

static void count_region(void *context, const wchar_t *name)
{
    size_t *found = context;

    if (prfdata_region_files_match(name))
        (*found)++;
}

size_t prfdata_region_files_count(const prfdata_directory *directory)
{
    size_t found = 0;

    prfdata_directory_visit_files(directory, count_region, &found);
    return found;
}

static void remove_region(void *context, const wchar_t *name)
{
    region_removal *work = context;
    uint32_t status;

    if (!prfdata_region_files_match(name))
        return;
    status = prfdata_directory_remove_file(work->directory, name);
    if (status == ERROR_SUCCESS) {
        work->removed++;
    } else if (status != ERROR_FILE_NOT_FOUND) {
        prfdata_report_left(work->report, status, L"Region left: %ls\\%ls", work->directory->path,
                            name);
    }
}

void prfdata_region_files_remove(const prfdata_directory *directory, const prfdata_report *report)
{
    region_removal work = {directory, report, 0, 0};

    prfdata_directory_visit_files(directory, remove_region, &work);
    if (work.removed > 0)
        prfdata_report_line(report, PRFDATA_STEP_DONE, L"Regions removed: %lu",
                            (unsigned long)work.removed);
}

static void remove_region_of_other_boot(void *context, const wchar_t *name)
{
    region_removal *work = context;
    prfdata_os_name region, present;

    if (!read_region_name(name, &region))
        return;
    prfdata_os_name_make(&present, work->boot, 0);
    if (memcmp(region.text, present.text, PRFDATA_OS_NAME_PREFIX_CHARS) != 0 &&
        prfdata_directory_remove_file(work->directory, name) == ERROR_SUCCESS)
        work->removed++;
}

void prfdata_region_files_sweep(const prfdata_directory *directory, const prfdata_report *report)
{
    region_removal work = {directory, report, prfdata_os_boot(), 0};

    if (work.boot == 0) /* it cannot be asked: any file may be of it */
        return;
    prfdata_directory_visit_files(directory, remove_region_of_other_boot, &work);
    if (work.removed > 0)
        prfdata_report_line(report, PRFDATA_STEP_DONE, L"Regions of other boots removed: %lu",
                            (unsigned long)work.removed);
}
