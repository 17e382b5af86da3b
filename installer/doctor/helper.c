/* SPDX-License-Identifier: MIT */
/*
 * Implements both processes of helper.h: the parent, which asks, and the child, which tries.
 * Windows only.
 */
#include "doctor/helper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#include <prfdata/error.h>

#include "base/wide_format.h"
#include "service/provider_dll.h"

/* ---- In the parent ---- */

static uint32_t wait_for_answer(HANDLE process, uint32_t timeout_ms, uint32_t *code)
{
    DWORD ended = 0;

    if (WaitForSingleObject(process, timeout_ms) != WAIT_OBJECT_0) {
        TerminateProcess(process, ERROR_TIMEOUT);
        /* Wait at most a second, because a child that hangs in the kernel cannot be ended. */
        WaitForSingleObject(process, 1000);
        return ERROR_TIMEOUT;
    }
    if (!GetExitCodeProcess(process, &ended))
        return GetLastError();
    if (ended < 0x10000u)
        return ERROR_BAD_COMMAND; /* the program does not know the command */
    *code = (ended & 0xFFFF0000u) == PRFDATA_HELPER_ANSWER ? ended & 0xFFFFu : ended;
    return ERROR_SUCCESS;
}

uint32_t prfdata_helper_ask(const wchar_t *program, const wchar_t *command, const wchar_t *argument,
                            uint32_t timeout_ms, uint32_t *code)
{
    wchar_t line[3 * MAX_PATH];
    STARTUPINFOW startup;
    PROCESS_INFORMATION process;
    uint32_t status;

    if (prfdata_wide_format(line, sizeof line / sizeof line[0], L"\"%ls\" %ls \"%ls\"", program,
                            command, argument) < 0)
        return ERROR_FILENAME_EXCED_RANGE;
    memset(&startup, 0, sizeof startup);
    startup.cb = sizeof startup;
    if (!CreateProcessW(program, line, NULL, NULL, FALSE, CREATE_NO_WINDOW, NULL, NULL, &startup,
                        &process))
        return GetLastError();
    CloseHandle(process.hThread);
    status = wait_for_answer(process.hProcess, timeout_ms, code);
    CloseHandle(process.hProcess);
    return status;
}

void prfdata_helper_name(const wchar_t *program, wchar_t *name)
{
    const wchar_t *base = program ? program : L"installer";
    size_t chars;

    for (const wchar_t *at = base; *at; at++) {
        if (wcschr(L"\\/:", *at))
            base = at + 1;
    }
    chars = wcslen(base);
    if (chars > 4 && _wcsicmp(base + chars - 4, L".exe") == 0)
        chars -= 4;
    if (chars >= PRFDATA_HELPER_NAME_CHARS)
        chars = PRFDATA_HELPER_NAME_CHARS - 1;
    wmemcpy(name, base, chars);
    name[chars] = 0;
}

/* ---- In the child ---- */

static int answer_with(uint32_t code)
{
    return (int)(PRFDATA_HELPER_ANSWER | (code & 0xFFFFu));
}

static LONG WINAPI end_by_exception(EXCEPTION_POINTERS *exception)
{
    TerminateProcess(GetCurrentProcess(), exception->ExceptionRecord->ExceptionCode);
    return EXCEPTION_EXECUTE_HANDLER;
}

/* Lets a crash end this process immediately, without a window for a user and without a debugger. */
static void hide_crashes(void)
{
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    SetUnhandledExceptionFilter(end_by_exception);
}

int prfdata_helper_try_load(const wchar_t *dll)
{
    uint32_t code = ERROR_SUCCESS;
    HMODULE module;

    hide_crashes();
    module = LoadLibraryExW(dll, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    if (!module)
        return answer_with(GetLastError());
    for (size_t i = 0; i < PRFDATA_PROVIDER_EXPORTS && !code; i++) {
        if (!GetProcAddress(module, prfdata_provider_dll_exports[i]))
            code = ERROR_PROC_NOT_FOUND;
    }
    FreeLibrary(module);
    return answer_with(code);
}

#define FIRST_REPLY_BYTES (64u * 1024)
#define MOST_REPLY_BYTES  (64u * 1024 * 1024)

/*
 * Ask as readers do. After ERROR_MORE_DATA, the size that RegQueryValueExW() returns is undefined,
 * so the room is doubled.
 */
static uint32_t ask_perflib(const wchar_t *query, BYTE **reply, DWORD *size)
{
    uint32_t status = ERROR_MORE_DATA;

    for (DWORD room = FIRST_REPLY_BYTES; room <= MOST_REPLY_BYTES; room *= 2) {
        BYTE *bytes = calloc(1, room); /* zeros, because Wine leaves a gap before the objects */
        DWORD used = room;

        if (!bytes)
            return ERROR_NOT_ENOUGH_MEMORY;
        status = (uint32_t)RegQueryValueExW(HKEY_PERFORMANCE_DATA, query, NULL, NULL, bytes, &used);
        if (status == ERROR_SUCCESS) {
            *reply = bytes;
            *size = used < room ? used : room;
            return ERROR_SUCCESS;
        }
        free(bytes);
        if (status != ERROR_MORE_DATA)
            return status;
    }
    return status;
}

/* Another provider may have written invalid data, so no length is trusted. */
static uint32_t find_object_in(const BYTE *reply, DWORD size, DWORD index)
{
    PERF_DATA_BLOCK head;
    uint64_t at;

    if (size < sizeof head)
        return ERROR_INVALID_DATA;
    memcpy(&head, reply, sizeof head);
    if (wmemcmp(head.Signature, L"PERF", 4) != 0 || head.HeaderLength < sizeof head)
        return ERROR_INVALID_DATA;
    at = head.HeaderLength;
    for (DWORD i = 0; i < head.NumObjectTypes; i++) {
        PERF_OBJECT_TYPE object;

        if (at + sizeof object > size)
            return ERROR_INVALID_DATA;
        memcpy(&object, reply + at, sizeof object);
        if (object.ObjectNameTitleIndex == index)
            return ERROR_SUCCESS;
        if (object.TotalByteLength < sizeof object)
            return ERROR_INVALID_DATA;
        at += object.TotalByteLength;
    }
    return ERROR_NOT_FOUND;
}

int prfdata_helper_try_read(const wchar_t *index)
{
    BYTE *reply = NULL;
    DWORD size = 0;
    uint32_t code;

    hide_crashes();
    code = ask_perflib(index, &reply, &size);
    if (!code)
        code = find_object_in(reply, size, (DWORD)wcstoul(index, NULL, 10));
    free(reply);
    RegCloseKey(HKEY_PERFORMANCE_DATA);
    return answer_with(code);
}
