/* SPDX-License-Identifier: MIT */
/*
 * Examines the regions folder, and the title files in the data folder. The regions folder must be
 * reachable, must not be a link, and must have the rights that -Install gave it. doctor_regions.c
 * examines the region files. Windows only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <windows.h>
#include <sddl.h>

#include "doctor/doctor.h"
#include "service/registered.h"
#include "service/site.h"
#include "titles/title_file.h"
#include "windows/access_list.h"
#include "windows/access_text.h"
#include "windows/system_text.h"
#include "windows/wine.h"

enum { WORDS_CHARS = 512 };

static void report_unusable_folder(prfdata_doctor *doctor, const wchar_t *path,
                                   const wchar_t *usual, uint32_t status)
{
    wchar_t words[WORDS_CHARS];

    prfdata_system_text(status, path, words, WORDS_CHARS);
    switch (status) {
    case ERROR_FILE_NOT_FOUND:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_MISSING, path,
                                      path);
        break;
    case ERROR_DIRECTORY:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_LINK, path, path);
        break;
    case ERROR_INVALID_OWNER:
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_OWNER, path, path);
        break;
    default:
        if (_wcsicmp(path, usual) == 0)
            prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_LOCKED, path,
                                          words);
        else
            prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_CLOSED, usual,
                                          words);
        break;
    }
}

/* Find the default regions folder; "" if it is not known. */
static void find_usual_folder(const prfdata_doctor *doctor, wchar_t *path)
{
    path[0] = 0;
    if (prfdata_directory_program_data(path) == ERROR_SUCCESS &&
        wcslen(path) + wcslen(doctor->key.service) + 10 < MAX_PATH)
        (void)swprintf(path + wcslen(path), MAX_PATH - wcslen(path), L"\\PrfData\\%ls",
                       doctor->key.service);
}

/*
 * Report if programs publish in the default folder although the value Regions names another one,
 * which readers open. Returns whether programs publish only in the default folder. In that case the
 * state of the folder that Regions names does not matter.
 */
static bool report_live_elsewhere(prfdata_doctor *doctor, const wchar_t *path, const wchar_t *usual)
{
    if (!usual[0] || _wcsicmp(path, usual) == 0 ||
        !prfdata_doctor_moved_is_live_and_own(doctor, usual))
        return false;
    if (prfdata_doctor_moved_is_live(doctor, path)) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_TWO, NULL, path,
                                      usual);
        return false;
    }
    prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_ELSEWHERE, NULL, path,
                                  usual);
    return true;
}

/* Returns whether the folder is named after the service, as -Install names it. */
static bool is_of_the_service(const prfdata_doctor *doctor, const wchar_t *path)
{
    const wchar_t *last = wcsrchr(path, L'\\');

    return last && _wcsicmp(last + 1, doctor->key.service) == 0;
}

static void compare_rights(prfdata_doctor *doctor, const prfdata_directory *folder,
                           const wchar_t *writers)
{
    wchar_t sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    wchar_t text[WORDS_CHARS];
    PSECURITY_DESCRIPTOR wanted = NULL;
    PSECURITY_DESCRIPTOR present = NULL;

    if (prfdata_access_list_regions_sddl(writers, sddl) != ERROR_SUCCESS ||
        !ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1, &wanted, NULL))
        return;
    if (prfdata_access_list_read(folder->handle, DACL_SECURITY_INFORMATION, &present) ==
            ERROR_SUCCESS &&
        prfdata_access_text_differ(wanted, present, text, WORDS_CHARS))
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_RIGHTS,
                                      folder->path, text);
    free(present);
    LocalFree(wanted);
}

static void examine_rights(prfdata_doctor *doctor, const prfdata_directory *folder)
{
    wchar_t text[WORDS_CHARS];

    prfdata_access_text_writers(folder->handle, text, WORDS_CHARS);
    prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_WRITERS, L"%ls", text);
    if (prfdata_wine_is_here()) /* Wine reads another access list than the one that was written */
        return;
    if (prfdata_service_key_text(&doctor->key, PRFDATA_VALUE_WRITERS, text, WORDS_CHARS))
        compare_rights(doctor, folder, text);
}

/*
 * If no map can be read, the correct content of a title file is not known, so only its existence is
 * checked. If this account may not read a file, or the file is in use, that is not a finding.
 */
static void examine_title_file(prfdata_doctor *doctor, const prfdata_directory *data,
                               const wchar_t *extension)
{
    wchar_t path[2 * MAX_PATH];
    uint32_t status = ERROR_SUCCESS;

    (void)swprintf(path, 2 * MAX_PATH, L"%ls\\%ls%ls", data->path, doctor->key.service, extension);
    if (GetFileAttributesW(path) == INVALID_FILE_ATTRIBUTES)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_TITLE_FILE_MISSING, path,
                                      path);
    else if (doctor->installed)
        status =
            prfdata_title_file_compare(data, doctor->key.service, extension, doctor->installed);
    if (status == ERROR_NOT_ENOUGH_MEMORY)
        doctor->diagnosis.has_failed = true;
    else if (status && status != ERROR_ACCESS_DENIED && status != ERROR_SHARING_VIOLATION)
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_TITLE_FILE_WRONG, path,
                                      path);
}

void prfdata_doctor_folder_examine(prfdata_doctor *doctor)
{
    prfdata_site site = {0};
    wchar_t path[MAX_PATH], usual[MAX_PATH];
    bool is_elsewhere, is_renamed;
    uint32_t status;

    find_usual_folder(doctor, usual);
    if (!prfdata_service_key_text(&doctor->key, L"Regions", path, MAX_PATH) || !path[0]) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_UNNAMED, NULL);
        return;
    }
    prfdata_diagnosis_add_fact(&doctor->diagnosis, PRFDATA_FACT_FOLDER, L"%ls", path);
    is_elsewhere = report_live_elsewhere(doctor, path, usual);
    is_renamed = prfdata_doctor_moved_examine(doctor, path, usual,
                                              !is_elsewhere && is_of_the_service(doctor, path));
    if (is_elsewhere || is_renamed)
        return;
    if (!is_of_the_service(doctor, path)) {
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_FOREIGN, usual,
                                      path);
        return;
    }
    status = prfdata_site_open(&site, NULL, path, doctor->key.service);
    if (status) {
        report_unusable_folder(doctor, path, usual, status);
    } else {
        doctor->folder_is_right = true;
        examine_rights(doctor, &site.regions);
        examine_title_file(doctor, &site.data, L".ini");
        examine_title_file(doctor, &site.data, L".h");
    }
    prfdata_site_close(&site);
}
