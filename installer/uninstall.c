/* SPDX-License-Identifier: MIT */
/*
 * Windows only. Titles are removed first, then keys, then files, so that readers lose the service
 * before publishers do. If titles or keys cannot be removed, the uninstallation stops. Files that
 * are in use are reported and left.
 */
#include <prfdata/install.h>

#include <stdlib.h>
#include <wchar.h>

#include "installer/event_source.h"
#include "installer/provider_dll.h"
#include "installer/region_files.h"
#include "installer/report.h"
#include "installer/service_key.h"
#include "installer/site.h"
#include "installer/title_database.h"
#include "installer/title_file.h"

typedef struct removal {
    prfdata_report report;
    prfdata_service_key key;
    prfdata_site site;
    wchar_t dll[MAX_PATH];
    wchar_t regions[MAX_PATH]; /* as registered, or "" */
    bool found;                /* something was installed */
    size_t left;               /* files and folders that could not be removed */
} removal;

static uint32_t open_registered_key(removal *work, const char *service)
{
    uint32_t status = prfdata_service_key_open(&work->key, service, true);

    if (status)
        return prfdata_report_error(&work->report, status, L"Service key");
    if (!work->key.performance)
        return ERROR_SUCCESS;
    if (!work->key.ours)
        return prfdata_report_not_ours(&work->report, work->key.service);
    if (!prfdata_service_key_is_removable(&work->key)) {
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED,
                            L"Services\\%ls\\Performance has subkeys that another program created",
                            work->key.service);
        return ERROR_DIR_NOT_EMPTY;
    }
    work->found = true;
    prfdata_service_key_text(&work->key, L"Library", work->dll, MAX_PATH);
    prfdata_service_key_text(&work->key, L"Regions", work->regions, MAX_PATH);
    return ERROR_SUCCESS;
}

static uint32_t remove_titles(removal *work)
{
    uint32_t status;

    if (!prfdata_title_database_is_loaded(&work->key))
        return ERROR_SUCCESS;
    status = prfdata_title_database_unload(&work->key);
    if (status)
        return prfdata_report_error(&work->report, status, L"Titles cannot be unloaded");
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Titles unloaded");
    return ERROR_SUCCESS;
}

static void remove_source(removal *work)
{
    wchar_t name[PRFDATA_EVENT_SOURCE_CHARS];
    uint32_t status = prfdata_event_source_remove(work->key.service);

    prfdata_event_source_name(work->key.service, name);
    if (!status)
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Event source removed: %ls", name);
    else if (status != ERROR_FILE_NOT_FOUND)
        prfdata_report_left(&work->report, status, L"Event source left: %ls", name);
}

static uint32_t remove_keys(removal *work)
{
    uint32_t status = prfdata_service_key_unlink(&work->key);

    if (status)
        prfdata_report_left(&work->report, status, L"Linkage left, because others use it");
    remove_source(work);
    status = prfdata_service_key_remove(&work->key);
    if (status)
        return prfdata_report_error(&work->report, status, L"Performance key cannot be removed");
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                        L"Key removed: HKLM\\SYSTEM\\CurrentControlSet\\Services\\%ls\\Performance",
                        work->key.service);
    return ERROR_SUCCESS;
}

static uint32_t unregister(removal *work)
{
    uint32_t status;

    if (!work->key.performance)
        return ERROR_SUCCESS;
    status = remove_titles(work);
    if (!status)
        status = remove_keys(work);
    if (!status && work->dll[0] && prfdata_provider_dll_in_use(work->dll)) {
        work->left++;
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"In use: %ls; it stays loaded until its readers end", work->dll);
    }
    return status;
}

/* ---- Files ---- */

static void remove_folder(removal *work, prfdata_directory *folder)
{
    wchar_t path[MAX_PATH];
    uint32_t status;

    wcscpy(path, folder->path);
    status = prfdata_directory_remove(folder);
    if (status) {
        work->left++;
        prfdata_report_left(&work->report, status, L"Folder left: %ls", path);
        return;
    }
    work->found = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Folder removed: %ls", path);
}

static void remove_title_file(removal *work, const wchar_t *extension)
{
    wchar_t name[PRFDATA_TITLE_FILE_NAME_CHARS];
    uint32_t status;

    prfdata_title_file_name(work->key.service, extension, name);
    status = prfdata_directory_remove_file(&work->site.data, name);
    if (status == ERROR_FILE_NOT_FOUND)
        return;
    if (status) {
        work->left++;
        prfdata_report_left(&work->report, status, L"Title file left: %ls\\%ls",
                            work->site.data.path, name);
        return;
    }
    work->found = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Title file removed: %ls\\%ls",
                        work->site.data.path, name);
}

/* The folder stays as long as other services have files in it. */
static void remove_data_folder(removal *work)
{
    wchar_t path[MAX_PATH];

    wcscpy(path, work->site.data.path);
    if (prfdata_directory_remove(&work->site.data) == ERROR_SUCCESS)
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Folder removed: %ls", path);
}

static void remove_files(removal *work, const wchar_t *data_path)
{
    uint32_t status = prfdata_site_open(&work->site, data_path, work->regions, work->key.service);

    if (status && status != ERROR_FILE_NOT_FOUND) {
        work->left++;
        prfdata_report_left(&work->report, status,
                            L"Folders left, because they are not as they were created");
    }
    if (work->site.regions.handle) {
        prfdata_region_files_remove(&work->site.regions, &work->report);
        remove_folder(work, &work->site.regions);
    }
    if (work->site.data.handle) {
        remove_title_file(work, L".ini");
        remove_title_file(work, L".h");
        remove_data_folder(work);
    }
}

/* ---- The whole ---- */

static uint32_t remove_installation(removal *work, const prfdata_map *map, const wchar_t *data_path)
{
    uint32_t status;

    if (!prfdata_site_has_service(map)) {
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED,
                            L"The map's service name is not valid");
        return ERROR_INVALID_PARAMETER;
    }
    if (!prfdata_site_is_elevated()) {
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED, L"This needs an elevated prompt");
        return ERROR_ACCESS_DENIED;
    }
    status = open_registered_key(work, map->service);
    if (!status)
        status = unregister(work);
    if (status)
        return status;
    remove_files(work, data_path);
    if (work->left > 0) {
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Uninstalled; uninstall again when what was left is no longer in use");
        return ERROR_SHARING_VIOLATION;
    }
    if (!work->found) {
        prfdata_report_line(&work->report, PRFDATA_STEP_FAILED, L"Not installed");
        return ERROR_FILE_NOT_FOUND;
    }
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Uninstalled");
    return ERROR_SUCCESS;
}

uint32_t prfdata_uninstall(const prfdata_map *map, const prfdata_install_options *options)
{
    removal *work = calloc(1, sizeof *work);
    HANDLE turn;
    uint32_t status;

    if (!work)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (options) {
        work->report.step = options->step;
        work->report.context = options->context;
    }
    turn = prfdata_site_enter();
    status = remove_installation(work, map, options ? options->data_path : NULL);
    prfdata_site_close(&work->site);
    prfdata_service_key_close(&work->key);
    prfdata_site_leave(turn);
    free(work);
    return status;
}
