/* SPDX-License-Identifier: MIT */
/*
 * Searches for other folders in which programs of this service publish. Undoes a renaming of the
 * regions folder, or of the data folder above it. A program keeps its file open and does not notice
 * that the folder is moved or renamed, but readers no longer find the file. Anybody may create
 * folders next to the default data folder. So links are skipped, and so are folders that neither
 * Administrators nor SYSTEM own. Windows only.
 */
#include <stdlib.h>
#include <wchar.h>

#include <windows.h>

#include "diagnosis/region_look.h"
#include "doctor/doctor.h"
#include "region/region.h"
#include "service/site.h"
#include "system/os.h"
#include "windows/directory.h"

enum { MOST_MOVED = 16 };

/*
 * Returns whether a region proves that a program of this service publishes. Any account that may
 * write to the folder can create a file and keep it open. So an open file is a proof only if it is
 * a region of a registered map.
 */
static bool proves_program(const prfdata_region_look *look)
{
    return look->is_live &&
           (look->state == PRFDATA_REGION_LOOK_SHOWN || look->state == PRFDATA_REGION_LOOK_CLOSED);
}

/* Returns whether to continue. */
typedef bool look_visitor(void *context, const prfdata_region_look *look);

static void visit_live_regions(const prfdata_doctor *doctor, const wchar_t *path,
                               look_visitor *visit, void *context)
{
    prfdata_os_name *names = malloc(PRFDATA_MAX_REGIONS * sizeof *names);
    prfdata_os_directory *directory = NULL;
    const uint64_t boot = prfdata_os_boot();
    size_t count = 0;
    bool has_more, goes_on = true;

    if (!names || prfdata_os_directory_open_path(path, &directory) != ERROR_SUCCESS)
        goto done;
    (void)prfdata_os_directory_list(directory, boot, names, PRFDATA_MAX_REGIONS, &count, &has_more);
    for (size_t i = 0; goes_on && i < count; i++) {
        prfdata_region_look look;

        if (prfdata_region_look_at(directory, &names[i], doctor->models, doctor->model_count, boot,
                                   &look) == ERROR_SUCCESS &&
            proves_program(&look))
            goes_on = visit(context, &look);
    }
done:
    prfdata_os_directory_close(directory);
    free(names);
}

static bool note_live(void *context, const prfdata_region_look *look)
{
    bool *is_live = context;

    (void)look;
    *is_live = true;
    return false;
}

bool prfdata_doctor_moved_is_live(const prfdata_doctor *doctor, const wchar_t *folder)
{
    bool is_live = false;

    visit_live_regions(doctor, folder, note_live, &is_live);
    return is_live;
}

typedef struct moved_program {
    unsigned long process_id;
    wchar_t path[MAX_PATH]; /* the folder in which it publishes */
} moved_program;

typedef struct moved_search {
    prfdata_doctor *doctor;
    const wchar_t *expected[2]; /* the folders in which programs should publish */
    prfdata_directory parent;   /* the folder whose subfolders are examined */
    /* the name of the regions folder in each subfolder; NULL: examine the subfolders themselves */
    const wchar_t *below;
    const wchar_t *path; /* the folder that is being examined */
    moved_program found[MOST_MOVED];
    size_t count;
} moved_search;

static bool note_moved(void *context, const prfdata_region_look *look)
{
    moved_search *search = context;
    moved_program *program = &search->found[search->count++];

    program->process_id = (unsigned long)look->process_id;
    wcscpy(program->path, search->path);
    return search->count < MOST_MOVED;
}

static void examine_regions(moved_search *search, const prfdata_directory *folder)
{
    if (search->count >= MOST_MOVED || _wcsicmp(folder->path, search->expected[0]) == 0 ||
        _wcsicmp(folder->path, search->expected[1]) == 0)
        return;
    search->path = folder->path;
    visit_live_regions(search->doctor, folder->path, note_moved, search);
}

static void examine_folder(void *context, const wchar_t *name)
{
    moved_search *search = context;
    prfdata_directory folder = {0}, below = {0};

    if (prfdata_directory_open(&folder, &search->parent, name, 0) != ERROR_SUCCESS)
        return;
    if (!search->below)
        examine_regions(search, &folder);
    else if (prfdata_directory_open(&below, &folder, search->below, 0) == ERROR_SUCCESS)
        examine_regions(search, &below);
    prfdata_directory_close(&below);
    prfdata_directory_close(&folder);
}

/*
 * Examine each subfolder of `path` or, if `below` is not NULL, the folder with the name `below` in
 * each subfolder.
 */
static void examine_folders(moved_search *search, const wchar_t *path, const wchar_t *below)
{
    if (prfdata_directory_open_root(&search->parent, path) != ERROR_SUCCESS)
        return;
    search->below = below;
    (void)prfdata_directory_visit_folders(&search->parent, examine_folder, search);
    prfdata_directory_close(&search->parent);
}

static bool cut_folder_name(wchar_t *path)
{
    wchar_t *last = wcsrchr(path, L'\\');

    if (!last)
        return false;
    *last = 0;
    return true;
}

static void search_moved(moved_search *search, const wchar_t *regions)
{
    wchar_t parent[MAX_PATH];

    wcscpy(parent, regions);
    if (!cut_folder_name(parent))
        return;
    examine_folders(search, parent, NULL); /* in case the regions folder was renamed */
    if (cut_folder_name(parent))           /* in case the data folder was renamed */
        examine_folders(search, parent, search->doctor->key.service);
}

static bool is_missing(const wchar_t *path)
{
    if (GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES)
        return false;
    return GetLastError() == ERROR_FILE_NOT_FOUND || GetLastError() == ERROR_PATH_NOT_FOUND;
}

static bool is_empty(const wchar_t *folder)
{
    wchar_t pattern[MAX_PATH + 2];
    WIN32_FIND_DATAW found;
    bool is_empty = true;
    HANDLE search;

    (void)swprintf(pattern, MAX_PATH + 2, L"%ls\\*", folder);
    search = FindFirstFileW(pattern, &found);
    if (search == INVALID_HANDLE_VALUE)
        return false;
    do {
        is_empty = wcscmp(found.cFileName, L".") == 0 || wcscmp(found.cFileName, L"..") == 0;
    } while (is_empty && FindNextFileW(search, &found));
    FindClose(search);
    return is_empty;
}

/*
 * Returns whether another folder can get this path. It can if nothing has the path, or if it is
 * the path of an empty folder that -Install could have created.
 */
static bool is_free(const prfdata_doctor *doctor, const wchar_t *path)
{
    prfdata_site site = {0};
    const bool is_own = prfdata_doctor_own_open(doctor, path, &site);

    prfdata_site_close(&site);
    return is_own ? is_empty(path) : is_missing(path);
}

/*
 * Returns whether the folder can be renamed back. It can if its former path is free, all programs
 * that were found publish in one folder, and -Install could have created that folder.
 */
static bool can_move_back(const moved_search *search)
{
    prfdata_site site = {0};
    bool is_own;

    if (search->count == 0 || !is_free(search->doctor, search->expected[0]))
        return false;
    for (size_t i = 1; i < search->count; i++) {
        if (_wcsicmp(search->found[i].path, search->found[0].path) != 0)
            return false;
    }
    is_own = prfdata_doctor_own_open(search->doctor, search->found[0].path, &site);
    prfdata_site_close(&site);
    return is_own;
}

static void report_moved(const moved_search *search)
{
    for (size_t i = 0; i < search->count; i++)
        prfdata_diagnosis_add_finding(&search->doctor->diagnosis, PRFDATA_FINDING_FOLDER_MOVED,
                                      NULL, search->found[i].process_id, search->found[i].path);
}

bool prfdata_doctor_moved_examine(prfdata_doctor *doctor, const wchar_t *regions,
                                  const wchar_t *usual, bool may_move_back)
{
    moved_search *search = calloc(1, sizeof *search);
    bool is_renamed;

    if (!search) {
        doctor->diagnosis.has_failed = true;
        return false;
    }
    search->doctor = doctor;
    search->expected[0] = regions;
    search->expected[1] = usual;
    search_moved(search, regions);
    is_renamed = may_move_back && can_move_back(search);
    if (is_renamed) {
        wcscpy(doctor->moved, search->found[0].path);
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_RENAMED, NULL,
                                      regions, doctor->moved, search->found[0].process_id);
    } else {
        report_moved(search);
    }
    free(search);
    return is_renamed;
}

/*
 * `from` and `to` are paths of the regions folder. If the data folder above it was renamed instead,
 * cut the last name from both, so that they are paths of the data folder.
 */
static void choose_renamed(wchar_t *from, wchar_t *to)
{
    wchar_t parent[MAX_PATH];

    wcscpy(parent, to);
    if (!cut_folder_name(parent) || !is_missing(parent))
        return;
    (void)cut_folder_name(from);
    (void)cut_folder_name(to);
}

bool prfdata_doctor_moved_is_live_and_own(const prfdata_doctor *doctor, const wchar_t *path)
{
    prfdata_site site = {0};
    const bool is_live =
        prfdata_doctor_own_open(doctor, path, &site) && prfdata_doctor_moved_is_live(doctor, path);

    prfdata_site_close(&site);
    return is_live;
}

/*
 * Rename the folder `to`, if it exists, to `aside`. A program may begin to publish in the folder
 * just before it is renamed. So the function checks afterwards that the folder is still empty. If
 * not, it renames the folder back. If `to` does not exist, `aside` becomes "", so that the caller
 * does not remove another user's folder with the name `aside`.
 */
static uint32_t put_aside(const wchar_t *to, wchar_t *aside)
{
    if (is_missing(to)) {
        aside[0] = 0;
        return ERROR_SUCCESS;
    }
    if (!MoveFileW(to, aside))
        return GetLastError();
    if (is_empty(aside))
        return ERROR_SUCCESS;
    (void)MoveFileW(aside, to);
    return ERROR_DIR_NOT_EMPTY;
}

/*
 * The folder is checked before and after it is renamed. In between, only administrators could
 * replace it, because nobody else may rename or delete it.
 */
uint32_t prfdata_doctor_moved_back(prfdata_doctor *doctor)
{
    wchar_t regions[MAX_PATH], from[MAX_PATH], to[MAX_PATH], aside[MAX_PATH + 8];
    uint32_t status;

    if (!doctor->moved[0] || !prfdata_service_key_text(&doctor->key, L"Regions", regions, MAX_PATH))
        return ERROR_FILE_NOT_FOUND;
    if (!prfdata_doctor_moved_is_live_and_own(doctor, doctor->moved))
        return ERROR_INVALID_OWNER;
    wcscpy(from, doctor->moved);
    wcscpy(to, regions);
    choose_renamed(from, to);
    (void)swprintf(aside, MAX_PATH + 8, L"%ls.empty", to);
    status = put_aside(to, aside);
    if (status)
        return status;
    if (!MoveFileW(from, to)) { /* replaces nothing */
        status = GetLastError();
    } else if (!prfdata_doctor_moved_is_live_and_own(doctor, regions)) {
        (void)MoveFileW(to, from);
        status = ERROR_INVALID_OWNER;
    }
    if (aside[0] && status)
        (void)MoveFileW(aside, to);
    else if (aside[0])
        (void)RemoveDirectoryW(aside);
    return status;
}
