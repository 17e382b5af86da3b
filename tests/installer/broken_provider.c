/* SPDX-License-Identifier: MIT */
/* Implements providers that hang or crash, for the tests of -Status. With BROKEN_LOAD the DLL hangs
 * when it is loaded, with BROKEN_COLLECT it hangs in Collect, and with BROKEN_CRASH it crashes in
 * Collect. */
#include <windows.h>

DWORD WINAPI PrfDataOpen(LPWSTR service);
DWORD WINAPI PrfDataCollect(LPWSTR query, LPVOID *data, LPDWORD size, LPDWORD objects);
DWORD WINAPI PrfDataClose(void);
BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, LPVOID reserved);

BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, LPVOID reserved)
{
    (void)module;
    (void)reserved;
#ifdef BROKEN_LOAD
    if (reason == DLL_PROCESS_ATTACH)
        Sleep(INFINITE);
#else
    (void)reason;
#endif
    return TRUE;
}

DWORD WINAPI PrfDataOpen(LPWSTR service)
{
    (void)service;
    return ERROR_SUCCESS;
}

DWORD WINAPI PrfDataCollect(LPWSTR query, LPVOID *data, LPDWORD size, LPDWORD objects)
{
    (void)query;
    (void)data;
#ifdef BROKEN_COLLECT
    Sleep(INFINITE);
#endif
#ifdef BROKEN_CRASH
    RaiseException(0xC0000005, EXCEPTION_NONCONTINUABLE, 0, NULL);
#endif
    *size = 0;
    *objects = 0;
    return ERROR_SUCCESS;
}

DWORD WINAPI PrfDataClose(void)
{
    return ERROR_SUCCESS;
}
