/* SPDX-License-Identifier: MIT */
/*
 * Finds and removes the region files of a service. Programs of ordinary users may write into the
 * folder, so a file whose name is not that of a region is never touched. Windows only.
 */
#include "service/region_files.h"

#include <wchar.h>

#include "service/region_removal.h"
#include "system/os_name.h"

/* Reads the name of a region. Returns false if `wide` is not one. */
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

typedef struct region_removal {
    const prfdata_directory *directory;
    const prfdata_report *report;
    prfdata_region_ends *ends;
    size_t undeleted;
} region_removal;

static void report_region_in_use(const region_removal *work, const wchar_t *name)
{
    wchar_t program[MAX_PATH];
    bool is_said;
    uint32_t process_id = prfdata_region_removal_writer(work->directory, name, program, &is_said);

    if (process_id)
        prfdata_report_line(work->report, PRFDATA_STEP_LEFT,
                            L"Region left: %ls\\%ls: %lsprocess %lu%ls%ls publishes in it",
                            work->directory->path, name,
                            is_said ? L"a program that says it is " : L"",
                            (unsigned long)process_id, program[0] ? L", " : L"", program);
    else
        prfdata_report_line(work->report, PRFDATA_STEP_LEFT,
                            L"Region left: %ls\\%ls: a program has it open for writing",
                            work->directory->path, name);
}

static void remove_region(void *context, const wchar_t *name)
{
    region_removal *work = context;
    prfdata_region_fate fate;
    uint32_t status;

    if (!prfdata_region_files_match(name))
        return;
    status = prfdata_region_removal_run(work->directory, name, &fate);
    if (status == ERROR_FILE_NOT_FOUND)
        return;
    if (status) {
        work->ends->failed++;
        prfdata_report_left(work->report, status, L"Region left: %ls\\%ls", work->directory->path,
                            name);
        return;
    }
    work->ends->removed += fate == PRFDATA_REGION_REMOVED;
    work->ends->at_restart += fate == PRFDATA_REGION_AT_RESTART;
    work->ends->in_use += fate == PRFDATA_REGION_IN_USE;
    work->undeleted += fate == PRFDATA_REGION_UNDELETED;
    if (fate == PRFDATA_REGION_IN_USE)
        report_region_in_use(work, name);
}

void prfdata_region_files_remove(const prfdata_directory *directory, const prfdata_report *report,
                                 prfdata_region_ends *ends)
{
    region_removal work = {directory, report, ends, 0};

    prfdata_directory_visit_files(directory, remove_region, &work);
    if (ends->removed > 0)
        prfdata_report_line(report, PRFDATA_STEP_DONE, L"Regions removed: %lu",
                            (unsigned long)ends->removed);
    if (ends->at_restart > 0)
        prfdata_report_line(report, PRFDATA_STEP_LEFT,
                            L"Regions that readers have open: %lu; they are no longer shown, and "
                            L"Windows deletes them at its next start",
                            (unsigned long)ends->at_restart);
    if (work.undeleted > 0)
        prfdata_report_line(report, PRFDATA_STEP_LEFT,
                            L"Regions that readers have open: %lu; they are no longer shown; "
                            L"delete them when the readers have ended",
                            (unsigned long)work.undeleted);
    ends->failed += work.undeleted;
}

typedef struct region_sweep {
    const prfdata_directory *directory;
    uint64_t boot;
    size_t removed;
} region_sweep;

static void remove_region_of_other_boot(void *context, const wchar_t *name)
{
    region_sweep *work = context;
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
    region_sweep work = {directory, prfdata_os_boot(), 0};

    if (work.boot == 0) /* the current boot is not known, so any file may be of this boot */
        return;
    prfdata_directory_visit_files(directory, remove_region_of_other_boot, &work);
    if (work.removed > 0)
        prfdata_report_line(report, PRFDATA_STEP_DONE,
                            L"Regions from before the last restart removed: %lu",
                            (unsigned long)work.removed);
}
