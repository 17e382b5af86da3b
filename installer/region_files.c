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
    size_t removed;
} region_removal;

bool prfdata_region_files_match(const wchar_t *name)
{
    char text[PRFDATA_OS_NAME_BYTES];
    size_t chars = wcslen(name);

    if (chars != PRFDATA_OS_NAME_CHARS)
        return false;
    for (size_t i = 0; i < chars; i++)
        text[i] = name[i] < 0x80 ? (char)name[i] : '?';
    return prfdata_os_name_matches(text, chars);
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
    region_removal work = {directory, report, 0};

    prfdata_directory_visit_files(directory, remove_region, &work);
    if (work.removed > 0)
        prfdata_report_line(report, PRFDATA_STEP_DONE, L"Regions removed: %lu",
                            (unsigned long)work.removed);
}
