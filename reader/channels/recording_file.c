/* SPDX-License-Identifier: MIT */
/* Maps a file into memory, so that a file of several GiB needs no memory for parts that are not
 * shown. */
#include "channels/recording_file.h"

#include <string.h>

#include <windows.h>

static uint32_t map_file(prfdata_recording_file *file, HANDLE handle)
{
    LARGE_INTEGER size;
    HANDLE section;

    if (!GetFileSizeEx(handle, &size))
        return GetLastError();
    if ((uint64_t)size.QuadPart > SIZE_MAX / 2)
        return ERROR_NOT_ENOUGH_MEMORY;
    file->size = (size_t)size.QuadPart;
    if (file->size == 0)
        return ERROR_SUCCESS;
    section = CreateFileMappingW(handle, NULL, PAGE_READONLY, 0, 0, NULL);
    if (!section)
        return GetLastError();
    file->mapping = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
    CloseHandle(section); /* the view keeps the section open */
    return file->mapping ? ERROR_SUCCESS : GetLastError();
}

uint32_t prfdata_recording_file_open(prfdata_recording_file *file, const wchar_t *path,
                                     prfdata_decode_error *error)
{
    HANDLE handle = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    uint32_t status;

    memset(file, 0, sizeof *file);
    if (handle == INVALID_HANDLE_VALUE)
        return GetLastError();
    status = map_file(file, handle);
    CloseHandle(handle);
    if (status == ERROR_SUCCESS)
        status = prfdata_recording_read(file->mapping ? file->mapping : "", file->size,
                                        &file->recording, error);
    if (status != ERROR_SUCCESS)
        prfdata_recording_file_close(file);
    return status;
}

void prfdata_recording_file_close(prfdata_recording_file *file)
{
    prfdata_recording_free(&file->recording);
    if (file->mapping)
        UnmapViewOfFile(file->mapping);
    memset(file, 0, sizeof *file);
}
