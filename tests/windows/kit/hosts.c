/* SPDX-License-Identifier: MIT */
/* Ends programs that still have the kit's DLLs loaded long after their query: WMI's provider host
 * and perfhost. Windows starts these again when it needs them. No other program is ended. */
#include "kit.h"

#include <wchar.h>

#include <tlhelp32.h>

/* "CreateToolhelp32Snapshot function". Some tlhelp32.h lack it. */
#ifndef TH32CS_SNAPMODULE32
#define TH32CS_SNAPMODULE32 0x00000010
#endif

static bool is_host(const wchar_t *program)
{
    return _wcsicmp(program, L"WmiPrvSE.exe") == 0 || _wcsicmp(program, L"perfhost.exe") == 0;
}

/* Enables the privilege without which processes of other accounts cannot be examined. */
static void enable_debug_privilege(void)
{
    TOKEN_PRIVILEGES privileges = {1, {{{0, 0}, SE_PRIVILEGE_ENABLED}}};
    HANDLE token;

    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &token))
        return;
    if (LookupPrivilegeValueW(NULL, L"SeDebugPrivilege", &privileges.Privileges[0].Luid))
        AdjustTokenPrivileges(token, FALSE, &privileges, 0, NULL, NULL);
    CloseHandle(token);
}

/* While the process loads or unloads DLLs, the call may fail with ERROR_BAD_LENGTH and must be
 * repeated ("CreateToolhelp32Snapshot function"). There is a limit, so that the kit always ends. */
static HANDLE list_modules(DWORD process)
{
    enum { TRIES = 100 }; /* at least a second */
    HANDLE modules = INVALID_HANDLE_VALUE;

    for (int i = 0; i < TRIES; i++) {
        modules = CreateToolhelp32Snapshot(TH32CS_SNAPMODULE | TH32CS_SNAPMODULE32, process);
        if (modules != INVALID_HANDLE_VALUE || GetLastError() != ERROR_BAD_LENGTH)
            break;
        Sleep(10);
    }
    return modules;
}

static bool has_kit_module(DWORD process)
{
    HANDLE modules = list_modules(process);
    MODULEENTRY32W module;
    bool is_found = false;

    if (modules == INVALID_HANDLE_VALUE)
        return false;
    module.dwSize = sizeof module;
    for (BOOL has = Module32FirstW(modules, &module); has && !is_found;
         has = Module32NextW(modules, &module))
        is_found = _wcsnicmp(module.szModule, L"PrfDataKit", 10) == 0 ||
                   _wcsnicmp(module.szModule, L"prfdata-kit", 11) == 0;
    CloseHandle(modules);
    return is_found;
}

unsigned kit_end_hosts(void)
{
    HANDLE processes = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    PROCESSENTRY32W process;
    unsigned ended = 0;

    if (processes == INVALID_HANDLE_VALUE)
        return 0;
    enable_debug_privilege();
    process.dwSize = sizeof process;
    for (BOOL has = Process32FirstW(processes, &process); has;
         has = Process32NextW(processes, &process)) {
        if (is_host(process.szExeFile) && has_kit_module(process.th32ProcessID)) {
            kit_kill(OpenProcess(PROCESS_TERMINATE | SYNCHRONIZE, FALSE, process.th32ProcessID));
            ended++;
        }
    }
    CloseHandle(processes);
    return ended;
}
