/* SPDX-License-Identifier: MIT */
/* Reads a whole file. Windows only. */
#include "mapfile/read_file.h"

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

uint32_t prfdata_read_file(const wchar_t *path, size_t most, void **bytes, size_t *size)
{
    uint32_t status;
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);

    if (file == INVALID_HANDLE_VALUE)
        return GetLastError();
    /*
     * The path may come from a file that another person wrote. It may name CON, which waits for
     * input, or a port.
     */
    status = GetFileType(file) == FILE_TYPE_CHAR ? ERROR_INVALID_DATA
                                                 : read_open_file(file, most, bytes, size);
    CloseHandle(file);
    return status;
}
