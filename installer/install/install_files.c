/* SPDX-License-Identifier: MIT */
/*
 * Implements the steps of an installation that create folders and files: the data folder, the
 * regions folder, the copy of the DLL, the title files. install_registry.c writes the registry.
 * Windows only.
 */
#include "install/installing.h"

#include <stdlib.h>
#include <wchar.h>

#include "windows/access_list.h"
#include "windows/plain_file.h"
#include "windows/protection.h"

/*
 * If others could change the folder before it was protected, they may have created files in it, and
 * may still have handles to it. A new access list removes neither the files nor the handles, so
 * such a folder is refused.
 */
static uint32_t check_data_folder(const prfdata_installing *work)
{
    const prfdata_directory *folder = &work->site.data;
    PSECURITY_DESCRIPTOR security = NULL;
    prfdata_weakness weakness = {0};
    wchar_t text[2 * MAX_PATH];
    uint32_t status = prfdata_access_list_read(
        folder->handle, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &security);

    if (status)
        return prfdata_report_error(&work->report, status, L"Cannot find out who can change %ls",
                                    folder->path);
    prfdata_protection_examine(security, PRFDATA_PROTECTED_FOLDER, false, &weakness);
    free(security);
    if (weakness.kind == PRFDATA_WEAKNESS_NONE)
        return ERROR_SUCCESS;
    wcscpy(weakness.path, folder->path);
    prfdata_protection_text(&weakness, text, 2 * MAX_PATH);
    prfdata_report_line(
        &work->report, PRFDATA_STEP_FAILED,
        L"Not a folder of PrfData: %ls. Other programs may have created files in it, and may have "
        L"it open. Find out what it is, rename or remove it, and install again",
        text);
    return ERROR_ACCESS_DENIED;
}

static uint32_t make_folder(prfdata_installing *work, prfdata_directory *folder,
                            const prfdata_directory *parent, const wchar_t *name,
                            const wchar_t *sddl)
{
    bool is_protected = false;
    uint32_t status = prfdata_directory_make(folder, parent, name, sddl);

    if (!status && !folder->created && folder == &work->site.data) {
        status = check_data_folder(work);
        if (status)
            return status;
    }
    if (!status && !folder->created)
        status = prfdata_directory_protect(folder, sddl, &is_protected);
    if (status)
        return prfdata_site_report_folder(&work->report, status, parent->path, name);
    if (folder->created || is_protected) {
        work->changed = true;
        prfdata_report_line(&work->report, PRFDATA_STEP_DONE,
                            folder->created ? L"Folder created: %ls" : L"Folder protected: %ls",
                            folder->path);
    } else {
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"Folder unchanged: %ls",
                            folder->path);
    }
    return ERROR_SUCCESS;
}

static void undo_folder(prfdata_installing *work, prfdata_directory *folder)
{
    wchar_t path[MAX_PATH];

    wcscpy(path, folder->path);
    if (prfdata_directory_undo(folder))
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"Folder as before: %ls", path);
}

static uint32_t make_data_folder(prfdata_installing *work)
{
    wchar_t name[MAX_PATH];
    uint32_t status = prfdata_site_open_root(&work->site, work->options.data_path, name);

    if (status)
        return prfdata_report_error(&work->report, status,
                                    L"The place of the data folder cannot be opened");
    if (work->options.data_path)
        status = prfdata_prepared_check_place(
            &work->wanted, work->site.root.path, PRFDATA_PROTECTED_UPPER,
            L"the folders above the data folder",
            L"Other users could replace the regions folder. Choose a place where only "
            L"administrators can rename and delete",
            &work->report);
    if (status)
        return status;
    return make_folder(work, &work->site.data, &work->site.root, name,
                       prfdata_access_list_data_sddl());
}

static void undo_data_folder(prfdata_installing *work)
{
    undo_folder(work, &work->site.data);
}

const prfdata_install_step prfdata_install_data_folder = {make_data_folder, undo_data_folder};

static uint32_t make_regions_folder(prfdata_installing *work)
{
    return make_folder(work, &work->site.regions, &work->site.data, work->key.service,
                       work->wanted.regions_sddl);
}

static void undo_regions_folder(prfdata_installing *work)
{
    undo_folder(work, &work->site.regions);
}

const prfdata_install_step prfdata_install_regions_folder = {make_regions_folder,
                                                             undo_regions_folder};

/*
 * Check who can change the copy of the DLL. The copy inherits its access list, and a folder can
 * give more rights to its files than to itself. The folders above the copy were examined together
 * with the DLL.
 */
static uint32_t check_copy(const prfdata_installing *work)
{
    const wchar_t *copy = work->wanted.dll_copy;
    prfdata_weakness weakness;
    uint32_t status = prfdata_protection_check(copy, PRFDATA_PROTECTED_FILE, &weakness);

    if (status)
        return prfdata_report_error(&work->report, status, L"Cannot find out who can change %ls",
                                    copy);
    if (weakness.kind == PRFDATA_WEAKNESS_NONE || _wcsicmp(weakness.path, copy) != 0)
        return ERROR_SUCCESS;
    return prfdata_prepared_check_place(
        &work->wanted, copy, PRFDATA_PROTECTED_FILE, L"the copy of the DLL",
        L"Windows loads it into privileged programs. Correct the rights that files inherit from "
        L"its folder, delete the copy, and install again",
        &work->report);
}

static uint32_t copy_dll(prfdata_installing *work)
{
    const prfdata_prepared *wanted = &work->wanted;
    uint32_t status = prfdata_dll_copy_make(wanted->dll_copy, wanted->dll_bytes, wanted->dll_size,
                                            &work->dll_change);

    if (status)
        return prfdata_report_error(&work->report, status, L"The copy %ls cannot be written",
                                    wanted->dll_copy);
    status = check_copy(work);
    if (status)
        return status;
    if (work->dll_change == PRFDATA_DLL_COPY_SAME) {
        prfdata_report_line(&work->report, PRFDATA_STEP_SAME, L"DLL unchanged: %ls",
                            wanted->dll_copy);
        return ERROR_SUCCESS;
    }
    work->changed = true;
    prfdata_report_line(&work->report, PRFDATA_STEP_DONE, L"DLL copied: %ls", wanted->dll_copy);
    return ERROR_SUCCESS;
}

/*
 * Remove the copy if this installation made it. A copy that was repaired may be the registered one,
 * so it stays.
 */
static void undo_dll_copy(prfdata_installing *work)
{
    uint32_t status;

    if (work->dll_change != PRFDATA_DLL_COPY_MADE)
        return;
    status = prfdata_plain_file_remove(work->wanted.dll_copy);
    if (status && status != ERROR_FILE_NOT_FOUND)
        prfdata_report_left(&work->report, status, L"DLL left: %ls", work->wanted.dll_copy);
    else
        prfdata_report_line(&work->report, PRFDATA_STEP_UNDONE, L"DLL removed: %ls",
                            work->wanted.dll_copy);
}

const prfdata_install_step prfdata_install_dll_copy = {copy_dll, undo_dll_copy};

/*
 * Returns whether an earlier installation wrote title files in this folder. If so, the files belong
 * to PrfData, whatever their content is now.
 */
static bool are_title_files_known(const prfdata_installing *work)
{
    return work->key.ours && (work->before.regions[0] == 0 ||
                              _wcsicmp(work->before.regions, work->site.regions.path) == 0);
}

static uint32_t write_title_files(prfdata_installing *work)
{
    uint32_t status = ERROR_SUCCESS;

    if (!are_title_files_known(work))
        status = prfdata_title_file_check_own(
            work->wanted.files, &work->site.data, work->key.service,
            L"Move it to another place, or choose another folder for the data", &work->report);
    for (int i = 0; i < PRFDATA_TITLE_FILES && !status; i++) {
        prfdata_title_file *file = &work->wanted.files[i];

        status = prfdata_title_file_write(file, &work->site.data, work->key.service, &work->report);
        if (file->is_written)
            work->changed = true;
    }
    return status;
}

static void undo_title_files(prfdata_installing *work)
{
    for (int i = PRFDATA_TITLE_FILES - 1; i >= 0; i--)
        prfdata_title_file_undo(&work->wanted.files[i], &work->site.data, work->key.service,
                                &work->report);
}

const prfdata_install_step prfdata_install_title_files = {write_title_files, undo_title_files};
