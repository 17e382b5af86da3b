/* SPDX-License-Identifier: MIT */
/*
 * Asks the Restart Manager which processes have a file open. Windows documents no other way to find
 * that out ("Restart Manager", learn.microsoft.com). Windows only.
 */
#include "windows/file_users.h"

#include <windows.h>

#include <restartmanager.h>

/* If more processes have the file open, none is named. */
enum { MOST_USERS = 64 };

typedef union manager_functions {
    FARPROC untyped[4];
    struct {
        DWORD(WINAPI *start)(DWORD *session, DWORD flags, wchar_t *key);
        DWORD(WINAPI *add)
        (DWORD session, UINT files, LPCWSTR *paths, UINT processes, RM_UNIQUE_PROCESS *ids,
         UINT services, LPCWSTR *names);
        DWORD(WINAPI *list)
        (DWORD session, UINT *needed, UINT *count, RM_PROCESS_INFO *users, DWORD *reasons);
        DWORD(WINAPI *end)(DWORD session);
    } call;
} manager_functions;

/* Returns the DLL, for FreeLibrary(), or NULL. */
static HMODULE load_manager(manager_functions *manager)
{
    static const char *const names[] = {"RmStartSession", "RmRegisterResources", "RmGetList",
                                        "RmEndSession"};
    HMODULE dll = LoadLibraryExW(L"rstrtmgr.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);

    for (size_t i = 0; dll && i < sizeof names / sizeof names[0]; i++) {
        manager->untyped[i] = GetProcAddress(dll, names[i]);
        if (!manager->untyped[i]) {
            FreeLibrary(dll);
            return NULL;
        }
    }
    return dll;
}

/* Returns the number of users. 0 also means that the system did not answer. */
static UINT list_users(const manager_functions *manager, const wchar_t *path,
                       RM_PROCESS_INFO *users)
{
    wchar_t key[CCH_RM_SESSION_KEY + 1] = L"";
    UINT needed = 0, count = MOST_USERS;
    DWORD reasons = 0, session;

    if (manager->call.start(&session, 0, key) != ERROR_SUCCESS)
        return 0;
    if (manager->call.add(session, 1, &path, 0, NULL, 0, NULL) != ERROR_SUCCESS ||
        manager->call.list(session, &needed, &count, users, &reasons) != ERROR_SUCCESS)
        count = 0;
    (void)manager->call.end(session);
    return count;
}

bool prfdata_file_users_check(const wchar_t *path, uint32_t *process_id)
{
    RM_PROCESS_INFO users[MOST_USERS];
    manager_functions manager;
    HMODULE dll = load_manager(&manager);
    UINT count = dll ? list_users(&manager, path, users) : 0;

    if (dll)
        FreeLibrary(dll);
    for (UINT i = 0; i < count; i++) {
        if (users[i].Process.dwProcessId == *process_id)
            return true;
    }
    if (count == 1)
        *process_id = users[0].Process.dwProcessId;
    return count == 1;
}
