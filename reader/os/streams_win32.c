/* SPDX-License-Identifier: MIT */
/* Writes to the handles of the process: a console gets UTF-16, files and pipes get UTF-8. */
#include "os/streams.h"

#include <stdlib.h>

#include <windows.h>

#include "names/names.h"

#define MOST_AT_ONCE   0x100000u /* bytes in a call */
#define MOST_ON_SCREEN 8192u     /* characters in a call: older consoles take only 64 KiB */

prfdata_stream prfdata_streams_in(void)
{
    return (intptr_t)GetStdHandle(STD_INPUT_HANDLE);
}

prfdata_stream prfdata_streams_out(void)
{
    return (intptr_t)GetStdHandle(STD_OUTPUT_HANDLE);
}

prfdata_stream prfdata_streams_err(void)
{
    return (intptr_t)GetStdHandle(STD_ERROR_HANDLE);
}

bool prfdata_streams_is_terminal(prfdata_stream stream)
{
    DWORD mode;

    return GetConsoleMode((HANDLE)stream, &mode) != 0;
}

/* Write to a console, which shows UTF-16, whatever its code page is. */
static uint32_t write_console(HANDLE console, const char *bytes, size_t size)
{
    wchar_t *text = malloc((size + 1) * sizeof *text);
    uint32_t status = ERROR_SUCCESS;
    size_t count;

    if (!text)
        return ERROR_NOT_ENOUGH_MEMORY;
    count = prfdata_names_wide_from_utf8(bytes, size, text);
    if (count == SIZE_MAX)
        status = ERROR_INVALID_DATA;
    for (size_t at = 0; status == ERROR_SUCCESS && at < count;) {
        DWORD part = count - at < MOST_ON_SCREEN ? (DWORD)(count - at) : MOST_ON_SCREEN;
        DWORD written = 0;

        if (!WriteConsoleW(console, text + at, part, &written, NULL) || written == 0)
            status = GetLastError();
        at += written;
    }
    free(text);
    return status;
}

uint32_t prfdata_streams_write(prfdata_stream stream, const void *bytes, size_t size)
{
    if (prfdata_streams_is_terminal(stream))
        return write_console((HANDLE)stream, bytes, size);
    for (size_t at = 0; at < size;) {
        DWORD part = size - at < MOST_AT_ONCE ? (DWORD)(size - at) : MOST_AT_ONCE;
        DWORD written = 0;

        if (!WriteFile((HANDLE)stream, (const char *)bytes + at, part, &written, NULL))
            return GetLastError();
        if (written == 0)
            return ERROR_DISK_FULL;
        at += written;
    }
    return ERROR_SUCCESS;
}
