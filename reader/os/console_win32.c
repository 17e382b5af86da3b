/* SPDX-License-Identifier: MIT */
/* Knows Windows. */
#include "os/console.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include "core/names.h"
#include "core/os.h"

#define MOST_AT_ONCE   0x100000u /* bytes in a call */
#define MOST_ON_SCREEN 8192u     /* characters in a call: older consoles take no more than 64 KiB */

/* Set by Ctrl+C. */
static HANDLE stop_event;

static BOOL WINAPI on_control(DWORD control)
{
    SetEvent(stop_event);
    /* Rows are written whole, so the other reasons (logoff, ...) may end us at once. */
    return control == CTRL_C_EVENT || control == CTRL_BREAK_EVENT;
}

int prfdata_console_run(int argc, wchar_t **argv, prfdata_console_program program)
{
    return program(argc > 0 ? (size_t)argc - 1 : 0, (const uint16_t *const *)(argv + 1));
}

void prfdata_console_catch_stop(void)
{
    stop_event = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (stop_event)
        SetConsoleCtrlHandler(on_control, TRUE);
}

bool prfdata_console_wait_until(uint64_t due_ms)
{
    uint64_t now = prfdata_os_milliseconds();
    DWORD wait_ms = due_ms <= now ? 0 : (DWORD)(due_ms - now < INFINITE ? due_ms - now : INFINITE);

    if (!stop_event) {
        Sleep(wait_ms);
        return true;
    }
    return WaitForSingleObject(stop_event, wait_ms) == WAIT_TIMEOUT;
}

intptr_t prfdata_console_stop(void)
{
    return (intptr_t)stop_event;
}

/* ---- Files and streams ---- */

prfdata_console_file prfdata_console_out(void)
{
    return (intptr_t)GetStdHandle(STD_OUTPUT_HANDLE);
}

prfdata_console_file prfdata_console_err(void)
{
    return (intptr_t)GetStdHandle(STD_ERROR_HANDLE);
}

bool prfdata_console_is_terminal(prfdata_console_file file)
{
    DWORD mode;

    return GetConsoleMode((HANDLE)file, &mode) != 0;
}

/* A console takes UTF-16, whatever its code page. */
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

uint32_t prfdata_console_write(prfdata_console_file file, const void *bytes, size_t size)
{
    if (prfdata_console_is_terminal(file))
        return write_console((HANDLE)file, bytes, size);
    for (size_t at = 0; at < size;) {
        DWORD part = size - at < MOST_AT_ONCE ? (DWORD)(size - at) : MOST_AT_ONCE;
        DWORD written = 0;

        if (!WriteFile((HANDLE)file, (const char *)bytes + at, part, &written, NULL))
            return GetLastError();
        if (written == 0)
            return ERROR_DISK_FULL;
        at += written;
    }
    return ERROR_SUCCESS;
}

/* The path with a NUL behind it, for free(); NULL: no memory. */
static wchar_t *terminated(prfdata_text path)
{
    wchar_t *copy = malloc((path.count + 1) * sizeof *copy);

    if (!copy)
        return NULL;
    for (size_t i = 0; i < path.count; i++)
        copy[i] = path.chars[i];
    copy[path.count] = 0;
    return copy;
}

/* CreateFile; on ERROR_SUCCESS *file is open. */
static uint32_t open_path(prfdata_text path, DWORD access, DWORD disposition, HANDLE *file)
{
    wchar_t *name = terminated(path);
    uint32_t status = ERROR_SUCCESS;

    if (!name)
        return ERROR_NOT_ENOUGH_MEMORY;
    *file =
        CreateFileW(name, access, FILE_SHARE_READ, NULL, disposition, FILE_ATTRIBUTE_NORMAL, NULL);
    if (*file == INVALID_HANDLE_VALUE)
        status = GetLastError();
    free(name);
    return status;
}

uint32_t prfdata_console_create(prfdata_text path, bool overwrite, prfdata_console_file *file)
{
    HANDLE handle = INVALID_HANDLE_VALUE;
    uint32_t status =
        open_path(path, GENERIC_WRITE, overwrite ? CREATE_ALWAYS : CREATE_NEW, &handle);

    if (status == ERROR_SUCCESS)
        *file = (intptr_t)handle;
    return status;
}

uint32_t prfdata_console_close(prfdata_console_file file)
{
    return CloseHandle((HANDLE)file) ? ERROR_SUCCESS : GetLastError();
}

static uint32_t read_to_end(HANDLE file, char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        DWORD part = size - at < MOST_AT_ONCE ? (DWORD)(size - at) : MOST_AT_ONCE;
        DWORD got = 0;

        if (!ReadFile(file, bytes + at, part, &got, NULL))
            return GetLastError();
        if (got == 0)
            return ERROR_HANDLE_EOF;
        at += got;
    }
    bytes[size] = 0;
    return ERROR_SUCCESS;
}

uint32_t prfdata_console_read_file(prfdata_text path, size_t limit, void **bytes, size_t *size)
{
    LARGE_INTEGER length;
    char *content = NULL;
    HANDLE file;
    uint32_t status = open_path(path, GENERIC_READ, OPEN_EXISTING, &file);

    if (status != ERROR_SUCCESS)
        return status;
    if (!GetFileSizeEx(file, &length))
        status = GetLastError();
    else if ((uint64_t)length.QuadPart > limit)
        status = ERROR_MORE_DATA;
    else if (!(content = malloc((size_t)length.QuadPart + 1)))
        status = ERROR_NOT_ENOUGH_MEMORY;
    else
        status = read_to_end(file, content, (size_t)length.QuadPart);
    CloseHandle(file);
    if (status != ERROR_SUCCESS) {
        free(content);
        return status;
    }
    *bytes = content;
    *size = (size_t)length.QuadPart;
    return ERROR_SUCCESS;
}

static uint32_t write_and_close(HANDLE file, const void *bytes, size_t size)
{
    uint32_t status = prfdata_console_write((intptr_t)file, bytes, size);

    if (!CloseHandle(file) && status == ERROR_SUCCESS)
        status = GetLastError();
    return status;
}

static uint32_t write_new(const wchar_t *name, const void *bytes, size_t size)
{
    HANDLE file =
        CreateFileW(name, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);

    return file == INVALID_HANDLE_VALUE ? GetLastError() : write_and_close(file, bytes, size);
}

/* NUL, a pipe and so on, which nothing can replace; INVALID_HANDLE_VALUE: the name is none. */
static HANDLE open_device(const wchar_t *name)
{
    HANDLE file = CreateFileW(name, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);

    if (file != INVALID_HANDLE_VALUE && GetFileType(file) == FILE_TYPE_DISK) {
        CloseHandle(file);
        file = INVALID_HANDLE_VALUE;
    }
    return file;
}

/* Beside the file and then in its place: `name` is the old file or the new one, never a half. */
static uint32_t replace(const wchar_t *name, const void *bytes, size_t size)
{
    const size_t capacity = wcslen(name) + 32;
    wchar_t *temporary = malloc(capacity * sizeof *temporary);
    uint32_t status;

    if (!temporary)
        return ERROR_NOT_ENOUGH_MEMORY;
    swprintf(temporary, capacity, L"%ls.%lu.tmp", name, GetCurrentProcessId());
    status = write_new(temporary, bytes, size);
    if (status == ERROR_SUCCESS && !MoveFileExW(temporary, name, MOVEFILE_REPLACE_EXISTING))
        status = GetLastError();
    if (status != ERROR_SUCCESS && status != ERROR_FILE_EXISTS)
        DeleteFileW(temporary);
    free(temporary);
    return status;
}

static uint32_t write_file(const wchar_t *name, bool overwrite, const void *bytes, size_t size)
{
    /* An empty file takes the name: nobody else can, until it is replaced. */
    uint32_t status = write_new(name, "", 0);

    if (status == ERROR_SUCCESS) {
        status = replace(name, bytes, size);
        if (status != ERROR_SUCCESS)
            DeleteFileW(name);
    } else if (status == ERROR_FILE_EXISTS && overwrite) {
        status = replace(name, bytes, size);
    }
    return status;
}

uint32_t prfdata_console_write_file(prfdata_text path, bool overwrite, const void *bytes,
                                    size_t size)
{
    wchar_t *name = terminated(path);
    HANDLE device;
    uint32_t status;

    if (!name)
        return ERROR_NOT_ENOUGH_MEMORY;
    device = overwrite ? open_device(name) : INVALID_HANDLE_VALUE;
    if (device != INVALID_HANDLE_VALUE)
        status = write_and_close(device, bytes, size);
    else
        status = write_file(name, overwrite, bytes, size);
    free(name);
    return status;
}

/* ---- The computer ---- */

size_t prfdata_console_computer(uint16_t *chars, size_t capacity)
{
    wchar_t name[MAX_COMPUTERNAME_LENGTH + 1];
    DWORD name_chars = MAX_COMPUTERNAME_LENGTH + 1;
    size_t count = 0;

    if (!GetComputerNameW(name, &name_chars))
        return 0;
    for (; count < name_chars && count < capacity; count++)
        chars[count] = name[count];
    return count;
}

size_t prfdata_console_error_words(uint32_t status, uint16_t *chars, size_t capacity)
{
    DWORD count = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                                 status, 0, (wchar_t *)chars, (DWORD)capacity, NULL);

    while (count > 0 && chars[count - 1] <= ' ')
        count--;
    return count;
}

static void store_time(const SYSTEMTIME *time, uint16_t numbers[8])
{
    numbers[0] = time->wYear;
    numbers[1] = time->wMonth;
    numbers[2] = time->wDayOfWeek;
    numbers[3] = time->wDay;
    numbers[4] = time->wHour;
    numbers[5] = time->wMinute;
    numbers[6] = time->wSecond;
    numbers[7] = time->wMilliseconds;
}

void prfdata_console_local_time(const uint16_t utc[8], uint16_t local[8])
{
    SYSTEMTIME meant;
    SYSTEMTIME here;

    GetLocalTime(&here);
    if (utc) {
        meant.wYear = utc[0];
        meant.wMonth = utc[1];
        meant.wDayOfWeek = utc[2];
        meant.wDay = utc[3];
        meant.wHour = utc[4];
        meant.wMinute = utc[5];
        meant.wSecond = utc[6];
        meant.wMilliseconds = utc[7];
        if (!SystemTimeToTzSpecificLocalTime(NULL, &meant, &here))
            GetLocalTime(&here);
    }
    store_time(&here, local);
}

int64_t prfdata_console_utc(uint16_t utc[8])
{
    FILETIME now;
    SYSTEMTIME time;

    GetSystemTimeAsFileTime(&now);
    if (!FileTimeToSystemTime(&now, &time))
        memset(&time, 0, sizeof time);
    store_time(&time, utc);
    return (int64_t)((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime);
}

size_t prfdata_console_time_zone(uint16_t *chars, size_t capacity, int32_t *bias_minutes)
{
    TIME_ZONE_INFORMATION zone;
    bool daylight = GetTimeZoneInformation(&zone) == TIME_ZONE_ID_DAYLIGHT;
    const wchar_t *name = daylight ? zone.DaylightName : zone.StandardName;
    size_t count = 0;

    *bias_minutes = (int32_t)(zone.Bias + (daylight ? zone.DaylightBias : zone.StandardBias));
    for (; count < 32 && count < capacity && name[count] != 0; count++)
        chars[count] = name[count];
    return count;
}

void prfdata_console_end_process(int exit_code)
{
    (void)TerminateProcess(GetCurrentProcess(), (UINT)exit_code);
}
