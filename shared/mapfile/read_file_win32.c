/* SPDX-License-Identifier: MIT */
/* Reads a whole file. Windows only. */
#include "mapfile/read_file.h"

#include <stdbool.h>
#include <stdlib.h>

#include <windows.h>

static uint32_t read_open_file(HANDLE file, size_t most, void **bytes, size_t *size)
{
    char *read = malloc(most + 1);
    DWORD got = 0;
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (!read)
        return status;
    status = ReadFile(file, read, (DWORD)most + 1, &got, NULL) ? ERROR_SUCCESS : GetLastError();
    if (!status && got > most)
        status = ERROR_FILE_TOO_LARGE;
    if (status) {
        free(read);
        return status;
    }
    *bytes = read;
    *size = got;
    return ERROR_SUCCESS;
}

static bool is_link(HANDLE file)
{
    BY_HANDLE_FILE_INFORMATION about;

    return !GetFileInformationByHandle(file, &about) ||
           about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT;
}

static uint32_t read_file(const wchar_t *path, DWORD flags, size_t most, void **bytes, size_t *size)
{
    uint32_t status;
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL | flags, NULL);

    if (file == INVALID_HANDLE_VALUE)
        return GetLastError();
    /* Devices are refused, because reading a port or CON would wait for input. */
    if (GetFileType(file) == FILE_TYPE_CHAR ||
        (flags & FILE_FLAG_OPEN_REPARSE_POINT && is_link(file)))
        status = ERROR_INVALID_DATA;
    else
        status = read_open_file(file, most, bytes, size);
    CloseHandle(file);
    return status;
}

uint32_t prfdata_read_file(const wchar_t *path, size_t most, void **bytes, size_t *size)
{
    return read_file(path, 0, most, bytes, size);
}

uint32_t prfdata_read_plain_file(const wchar_t *path, size_t most, void **bytes, size_t *size)
{
    return read_file(path, FILE_FLAG_OPEN_REPARSE_POINT, most, bytes, size);
}
