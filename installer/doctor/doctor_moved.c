/* SPDX-License-Identifier: MIT */
/*
 * Windows only. Other folders in which programs of this service publish. A program has its file
 * open and notices nothing when the folder is moved or renamed; no reader looks there any more.
 */
#include <stdio.h>
#include <wchar.h>

#include <windows.h>

#include "core/os.h"
#include "core/region.h"
#include "doctor/doctor.h"

enum { PATH_CHARS = 2 * MAX_PATH, MOST_MOVED = 16 };

/* ---- The files of a folder ---- */

/* Whether the file has a writer, which shares reading only. */
static bool is_written(const wchar_t *path)
{
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);

    if (file == INVALID_HANDLE_VALUE)
        return GetLastError() == ERROR_SHARING_VIOLATION;
    CloseHandle(file);
    return false;
}

/* The next region of this boot that a program publishes in. `search` is NULL at first. */
static bool find_next_live(const wchar_t *folder, HANDLE *search, wchar_t *path)
{
    WIN32_FIND_DATAW found;
    bool is_there;

    if (*search) {
        is_there = FindNextFileW(*search, &found);
    } else {
        (void)swprintf(path, PATH_CHARS, L"%ls\\%016llx-*.region", folder,
                       (unsigned long long)prfdata_os_boot());
        *search = FindFirstFileW(path, &found);
        is_there = *search != INVALID_HANDLE_VALUE;
    }
    for (; is_there; is_there = FindNextFileW(*search, &found)) {
        if (swprintf(path, PATH_CHARS, L"%ls\\%ls", folder, found.cFileName) > 0 &&
            is_written(path))
            return true;
    }
    return false;
}

static void end_search(HANDLE search)
{
    if (search && search != INVALID_HANDLE_VALUE)
        FindClose(search);
}

bool prfdata_doctor_moved_is_live(const wchar_t *folder)
{
    wchar_t path[PATH_CHARS];
    HANDLE search = NULL;
    const bool is_live = find_next_live(folder, &search, path);

    end_search(search);
    return is_live;
}

/* ---- Whose they are ---- */

static bool read_file_header(const wchar_t *path, prfdata_region_header *header)
{
    uint64_t bytes[sizeof *header / sizeof(uint64_t) + 1];
    DWORD size = 0;
    HANDLE file =
        CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, 0, NULL);

    if (file == INVALID_HANDLE_VALUE)
        return false;
    if (!ReadFile(file, bytes, sizeof *header, &size, NULL))
        size = 0;
    CloseHandle(file);
    return prfdata_region_load_header((const uint8_t *)bytes, size, header) &&
           header->magic == PRFDATA_REGION_MAGIC;
}

/* Whether the map is one that is registered for this service. */
static bool has_registered_map(const prfdata_doctor *doctor, const prfdata_region_header *header)
{
    for (uint32_t i = 0; i < doctor->model_count; i++) {
        if (doctor->models[i]->hash == header->map_hash)
            return true;
    }
    return false;
}

static void examine_moved_folder(prfdata_doctor *doctor, const wchar_t *folder, size_t *count)
{
    wchar_t path[PATH_CHARS];
    prfdata_region_header header;
    HANDLE search = NULL;

    while (*count < MOST_MOVED && find_next_live(folder, &search, path)) {
        if (!read_file_header(path, &header) || !has_registered_map(doctor, &header))
            continue;
        prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_FOLDER_MOVED, NULL,
                                      (unsigned long)header.process_id, folder);
        (*count)++;
    }
    end_search(search);
}

/* ---- Where they may be ---- */

/* Every folder `parent`\*, or `parent`\*\`below`, but for the two where programs should be. */
static void examine_folders(prfdata_doctor *doctor, const wchar_t *parent, const wchar_t *below,
                            const wchar_t *const *others, size_t *count)
{
    wchar_t path[PATH_CHARS];
    WIN32_FIND_DATAW found;
    HANDLE search;

    (void)swprintf(path, PATH_CHARS, L"%ls\\*", parent);
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        if (!(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) || found.cFileName[0] == L'.')
            continue;
        if (swprintf(path, PATH_CHARS, L"%ls\\%ls%ls%ls", parent, found.cFileName,
                     below[0] ? L"\\" : L"", below) > 0 &&
            _wcsicmp(path, others[0]) != 0 && _wcsicmp(path, others[1]) != 0)
            examine_moved_folder(doctor, path, count);
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

static bool cut_folder_name(wchar_t *path)
{
    wchar_t *last = wcsrchr(path, L'\\');

    if (!last)
        return false;
    *last = 0;
    return true;
}

void prfdata_doctor_moved_examine(prfdata_doctor *doctor, const wchar_t *regions,
                                  const wchar_t *usual)
{
    const wchar_t *const others[] = {regions, usual};
    wchar_t parent[MAX_PATH];
    size_t count = 0;

    wcscpy(parent, regions);
    if (!cut_folder_name(parent))
        return;
    examine_folders(doctor, parent, L"", others, &count); /* it was renamed */
    if (cut_folder_name(parent))
        examine_folders(doctor, parent, doctor->key.service, others, &count); /* or the one above */
}
