/* SPDX-License-Identifier: MIT */
/* Runs a data collector set with logman, with which administrators record counters. The files of
 * the set are in the kit's folder. */
#include "kit.h"

#include <wchar.h>

enum { COLLECT_MS = 4000 };

/* Reads the log file, or nothing if there is none. Windows completes the name of the file. */
static void read_log(const kit *k, char *output, size_t capacity)
{
    wchar_t path[2 * MAX_PATH];
    WIN32_FIND_DATAW found;
    DWORD bytes = 0;
    HANDLE search, file;

    output[0] = 0;
    swprintf(path, 2 * MAX_PATH, L"%ls\\collected*.csv", k->data);
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    FindClose(search);
    swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", k->data, found.cFileName);
    file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                       NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return;
    if (!ReadFile(file, output, (DWORD)capacity - 1, &bytes, NULL))
        bytes = 0;
    output[bytes] = 0;
    CloseHandle(file);
    DeleteFileW(path); /* so that the next set begins with a new file */
}

int kit_run_collector(kit *k, char *output, size_t capacity, const wchar_t *path)
{
    wchar_t logman[MAX_PATH];
    char said[400];
    int exit_code;

    output[0] = 0;
    if (!kit_find_tool(L"logman.exe", logman))
        return KIT_RUN_ABSENT;
    exit_code = kit_run(k, 60, output, capacity,
                        L"\"%ls\" create counter PrfDataKit -c \"%ls\" -si 1 -f csv -o "
                        L"\"%ls\\collected\" -ow",
                        logman, path, k->data);
    if (exit_code == 0)
        exit_code = kit_run(k, 60, output, capacity, L"\"%ls\" start PrfDataKit", logman);
    if (exit_code == 0)
        Sleep(COLLECT_MS);
    kit_run(k, 60, said, sizeof said, L"\"%ls\" stop PrfDataKit", logman);
    kit_run(k, 60, said, sizeof said, L"\"%ls\" delete PrfDataKit", logman);
    if (exit_code == 0)
        read_log(k, output, capacity);
    return exit_code;
}
