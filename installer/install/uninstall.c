/* SPDX-License-Identifier: MIT */
/*
 * Uninstalls a service. First it removes the titles and then the map, so that readers show nothing
 * and programs that start do not publish. The files and the keys follow. The Performance key is
 * last, because as long as it exists, an uninstallation that was killed can be repeated. Files in
 * use are reported and left. Windows only.
 */
#include <prfdata/install.h>

#include <stdlib.h>
#include <wchar.h>

#include "service/dll_copy.h"
#include "service/event_source.h"
#include "service/provider_dll.h"
#include "service/region_files.h"
#include "service/registered.h"
#include "service/site.h"
#include "titles/former_titles.h"
#include "titles/title_database.h"
#include "titles/title_range.h"

typedef struct removal {
    prfdata_report report;
    const prfdata_map *map;
    prfdata_install_options options;
    prfdata_service_key key;
    prfdata_registered before;
    prfdata_site site;
    bool found;  /* something was installed */
    size_t left; /* the number of things that the next uninstallation must remove */
} removal;

static uint32_t open_registered_key(removal *work)
{
    uint32_t status = prfdata_service_key_open(&work->key, work->map->service, true);

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
    status = prfdata_registered_read(&work->before, &work->key);
    return status ? prfdata_report_error(&work->report, status, L"Performance key") : ERROR_SUCCESS;
}

static bool is_own_map(const removal *work)
{
    prfdata_model *model = NULL;
    void *bytes = NULL;
    size_t size = 0;
    bool same = false;

    if (prfdata_model_make(work->map, &model) == 0 &&
        prfdata_prepared_encode_map(model, &bytes, &size) == 0)
        same = prfdata_registered_is_map(&work->before, bytes, size);
    free(bytes);
    prfdata_model_free(model);
    return same;
}

/*
 * Returns whether the registration stays because its map is of another version. With -Any it does
 * not stay. A registration without a map, or with a damaged one, serves no reader, so it may be
 * removed.
 */
static bool is_of_another_version(const removal *work)
{
    const bool has_map = work->before.model || work->before.map_status == ERROR_REVISION_MISMATCH;

    return work->key.performance && has_map && !work->options.any && !is_own_map(work);
}

/*
 * Remove the copies in the folder of this program's DLL, except `keep`. If `keep` is "", also
 * remove the copies in the folder of the registered DLL.
 */
static void remove_dll_copies(removal *work, const wchar_t *keep)
{
    wchar_t own[MAX_PATH];
    size_t removed = 0;

    if (!keep[0])
        removed =
            prfdata_dll_copy_sweep(work->key.service, work->before.dll, keep, true, &work->report);
    prfdata_registered_complete(&work->before, &work->options);
    if (prfdata_provider_dll_path(work->map, &work->options, own) == 0)
        removed += prfdata_dll_copy_sweep(work->key.service, own, keep, true, &work->report);
    if (removed > 0)
        work->found = true;
}

/*
 * Leave the registration of another version. This is not a failure, because a setup program may
 * install the new version of a product before it uninstalls the earlier one.
 */
static uint32_t leave_registration(removal *work)
{
    wchar_t text[PRFDATA_REPORT_CHARS];

    remove_dll_copies(work, work->before.dll);
    prfdata_registered_text(&work->before, text);
    prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                        L"Left: another version of the map is registered (%ls). Its own installer "
                        L"removes it, or -Uninstall -Any",
                        text);
    return ERROR_SUCCESS;
}

static uint32_t remove_titles(removal *work)
{
    uint32_t status;

    if (!work->key.performance || !prfdata_title_database_is_loaded(&work->key))
        return ERROR_SUCCESS;
    prfdata_former_titles_remember(&work->key, &work->before.values, work->before.model);
    if (prfdata_title_range_correct(&work->key, work->before.model) ==
        PRFDATA_TITLE_RANGE_FORGOTTEN) {
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Titles left: First Counter and the numbers next to it do not belong "
                            L"to the titles of this service");
        return ERROR_SUCCESS;
    }
    status = prfdata_title_database_unload(&work->key);
    if (status)
        return prfdata_report_error(&work->report, status, L"Titles cannot be unloaded");
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Titles unloaded");
    return ERROR_SUCCESS;
}

/*
 * Removes the value Maps. After this no program begins to publish, so no region is created while
 * the regions are removed.
 */
static uint32_t remove_map(removal *work)
{
    uint32_t status;

    if (!work->key.performance || work->before.map_status == ERROR_FILE_NOT_FOUND)
        return ERROR_SUCCESS;
    status = prfdata_service_key_delete(&work->key, PRFDATA_VALUE_MAPS);
    if (status)
        return prfdata_report_error(&work->report, status, L"The maps cannot be removed");
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Maps removed");
    return ERROR_SUCCESS;
}

static void remove_source(removal *work)
{
    wchar_t name[PRFDATA_EVENT_SOURCE_CHARS];
    uint32_t status = prfdata_event_source_remove(work->key.service);

    prfdata_event_source_name(work->key.service, name);
    if (!status) {
        work->found = true;
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Event source removed: %ls", name);
    } else if (status != ERROR_FILE_NOT_FOUND) {
        prfdata_report_left(&work->report, status, L"Event source left: %ls", name);
    }
}

/*
 * Removes Linkage and the event source. Both keys have markers of their own, so they are found even
 * without the Performance key.
 */
static void remove_links(removal *work)
{
    uint32_t status = prfdata_service_key_unlink(&work->key);

    if (!status)
        work->found = true;
    else if (status != ERROR_FILE_NOT_FOUND)
        prfdata_report_left(&work->report, status,
                            L"Linkage left, because another program uses it");
    remove_source(work);
}

static uint32_t remove_performance_key(removal *work)
{
    uint32_t status;

    if (!work->key.performance) {
        prfdata_service_key_remove_remains(&work->key);
        return ERROR_SUCCESS;
    }
    status = prfdata_service_key_remove(&work->key);
    if (status)
        return prfdata_report_error(&work->report, status, L"Performance key cannot be removed");
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                        L"Key removed: HKLM\\SYSTEM\\CurrentControlSet\\Services\\%ls\\Performance",
                        work->key.service);
    return ERROR_SUCCESS;
}

static void count_file(void *context, const wchar_t *name)
{
    size_t *count = context;

    (void)name;
    (*count)++;
}

/*
 * Removes the folder if it is empty. `at_restart` is the number of files in it that Windows deletes
 * at its next restart.
 */
static void remove_regions_folder(removal *work, size_t at_restart)
{
    prfdata_directory *folder = &work->site.regions;
    size_t files = 0;
    wchar_t path[MAX_PATH];
    uint32_t status;

    wcscpy(path, folder->path);
    prfdata_directory_visit_files(folder, count_file, &files);
    status = prfdata_directory_remove(folder);
    if (!status) {
        work->found = true;
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Folder removed: %ls", path);
    } else if (at_restart > 0 && files == at_restart) {
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Folder left: %ls; it will be empty after the next restart", path);
    } else {
        work->left++;
        prfdata_report_left(&work->report, status, L"Folder left: %ls", path);
    }
}

static void remove_regions(removal *work)
{
    prfdata_region_ends ends = {0};

    prfdata_region_files_remove(&work->site.regions, &work->report, &ends);
    work->left += ends.in_use + ends.failed;
    remove_regions_folder(work, ends.at_restart);
}

static void remove_title_file(removal *work, const wchar_t *extension, bool is_own)
{
    wchar_t name[PRFDATA_TITLE_FILE_NAME_CHARS];
    uint32_t status;

    prfdata_title_file_name(work->key.service, extension, name);
    if (!is_own) {
        prfdata_report_line(&work->report, PRFDATA_STEP_LEFT,
                            L"Left: %ls\\%ls, which was not written by PrfData",
                            work->site.data.path, name);
        return;
    }
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

/*
 * If the Performance key is there, an installation wrote the files. Otherwise only the files show
 * who wrote them.
 */
static void remove_title_files(removal *work)
{
    const prfdata_directory *folder = &work->site.data;
    const bool is_known = work->key.performance;
    const bool is_own_ini =
        is_known || prfdata_title_file_is_own(folder, work->key.service, L".ini");
    const bool is_own_header =
        is_known || prfdata_title_file_is_own(folder, work->key.service, L".h");

    remove_title_file(work, L".ini", is_own_ini);
    remove_title_file(work, L".h", is_own_header);
}

/* The folder stays as long as other services have files in it. */
static void remove_data_folder(removal *work)
{
    wchar_t path[MAX_PATH];

    wcscpy(path, work->site.data.path);
    if (prfdata_directory_remove(&work->site.data) == ERROR_SUCCESS)
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"Folder removed: %ls", path);
}

static void remove_files(removal *work)
{
    uint32_t status = prfdata_site_open(&work->site, work->options.data_path, work->before.regions,
                                        work->key.service);

    if (status && status != ERROR_FILE_NOT_FOUND) {
        work->left++;
        prfdata_report_left(&work->report, status,
                            L"Folders left, because they were changed after they were created");
    }
    if (work->site.regions.handle)
        remove_regions(work);
    if (work->site.data.handle) {
        remove_title_files(work);
        remove_data_folder(work);
    }
}

static uint32_t remove_all(removal *work)
{
    uint32_t status = remove_titles(work);

    if (!status)
        status = remove_map(work);
    if (status)
        return status;
    remove_files(work);
    remove_links(work);
    remove_dll_copies(work, L"");
    status = remove_performance_key(work);
    if (status)
        return status;
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

static uint32_t uninstall_in_turn(removal *work)
{
    HANDLE turn;
    uint32_t status = prfdata_site_enter(&work->report, &turn);

    if (status)
        return status;
    status = open_registered_key(work);
    if (!status)
        status = is_of_another_version(work) ? leave_registration(work) : remove_all(work);
    prfdata_site_close(&work->site);
    prfdata_registered_free(&work->before);
    prfdata_service_key_close(&work->key);
    prfdata_site_leave(turn);
    return status;
}

uint32_t prfdata_uninstall(const prfdata_map *map, const prfdata_install_options *options)
{
    removal *work = calloc(1, sizeof *work);
    uint32_t status;

    if (!work)
        return ERROR_NOT_ENOUGH_MEMORY;
    work->map = map;
    if (options)
        work->options = *options;
    work->report.step = work->options.step;
    work->report.context = work->options.context;
    status = prfdata_site_check_service(map, &work->report);
    if (!status)
        status = prfdata_site_check_elevation(&work->report);
    if (!status)
        status = uninstall_in_turn(work);
    free(work);
    return status;
}
