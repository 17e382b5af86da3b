/* SPDX-License-Identifier: MIT */
/*
 * Sets the counts of ended programs to zero. It removes the regions of these programs, and then
 * makes providers forget the counts that they carry for removed regions. Running programs keep
 * their counts, because only a program itself writes its region. Windows only.
 */
#include <prfdata/install.h>

#include <stdlib.h>

#include "service/region_files.h"
#include "service/site.h"
#include "titles/service_key.h"

typedef struct resetting {
    prfdata_report report;
    const prfdata_map *map;
    prfdata_service_key key;
    prfdata_site site;
} resetting;

static uint32_t open_installed_key(resetting *work)
{
    uint32_t status = prfdata_service_key_open(&work->key, work->map->service, true);

    if (status)
        return prfdata_report_error(&work->report, status, L"Service key");
    if (!work->key.performance) {
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED, L"Not installed");
        return ERROR_FILE_NOT_FOUND;
    }
    return work->key.ours ? ERROR_SUCCESS
                          : prfdata_report_not_ours(&work->report, work->key.service);
}

static uint32_t open_regions_folder(resetting *work)
{
    wchar_t path[MAX_PATH];
    uint32_t status;

    prfdata_service_key_text(&work->key, L"Regions", path, MAX_PATH);
    if (!path[0]) {
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED,
                            L"No regions folder is registered. Run -Install");
        return ERROR_INVALID_DATA;
    }
    status = prfdata_site_open(&work->site, NULL, path, work->key.service);
    return status ? prfdata_report_error(&work->report, status, L"Folder %ls", path)
                  : ERROR_SUCCESS;
}

/*
 * Increments the value Resets. When it changes, providers forget the counts that they carry for
 * deleted regions. So it is incremented after the regions were removed.
 */
static uint32_t count_reset(resetting *work)
{
    DWORD resets = 0;
    uint32_t status;

    if (!prfdata_service_key_number(&work->key, PRFDATA_VALUE_RESETS, &resets))
        resets = 0;
    resets++;
    status = prfdata_service_key_set(&work->key, PRFDATA_VALUE_RESETS, REG_DWORD, &resets,
                                     sizeof resets);
    return status ? prfdata_report_error(&work->report, status, L"Value %ls", PRFDATA_VALUE_RESETS)
                  : ERROR_SUCCESS;
}

static uint32_t reset_regions(resetting *work)
{
    prfdata_region_ends ends = {0};
    uint32_t status;

    prfdata_region_files_remove(&work->site.regions, &work->report, &ends);
    status = count_reset(work);
    if (status)
        return status;
    if (ends.in_use > 0)
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Programs that run keep what they counted: regions %lu. If these "
                            L"counts must be zero too, end the programs and reset again",
                            (unsigned long)ends.in_use);
    if (ends.failed > 0) {
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED,
                            L"Not all counts of ended programs are zero");
        return ERROR_SHARING_VIOLATION;
    }
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                        L"Reset: the counts of ended programs are zero. Readers see this as a "
                        L"restart, so the next rate is wrong or missing once");
    return ERROR_SUCCESS;
}

static uint32_t reset_in_turn(resetting *work)
{
    HANDLE turn;
    uint32_t status = prfdata_site_enter(&work->report, &turn);

    if (status)
        return status;
    status = open_installed_key(work);
    if (!status)
        status = open_regions_folder(work);
    if (!status)
        status = reset_regions(work);
    if (!status)
        prfdata_service_key_touch(&work->key);
    prfdata_site_close(&work->site);
    prfdata_service_key_close(&work->key);
    prfdata_site_leave(turn);
    return status;
}

uint32_t prfdata_reset(const prfdata_map *map, const prfdata_install_options *options)
{
    resetting *work = calloc(1, sizeof *work);
    uint32_t status;

    if (!work)
        return ERROR_NOT_ENOUGH_MEMORY;
    work->map = map;
    if (options) {
        work->report.step = options->step;
        work->report.context = options->context;
    }
    status = prfdata_site_check_service(map, &work->report);
    if (!status)
        status = prfdata_site_check_elevation(&work->report);
    if (!status)
        status = reset_in_turn(work);
    free(work);
    return status;
}
