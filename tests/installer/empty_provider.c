/* SPDX-License-Identifier: MIT */
/* Implements a provider that shows nothing, for tests of the installer. The .def files list its
 * exports. */
#include <windows.h>

DWORD WINAPI PrfDataOpen(LPWSTR service);
DWORD WINAPI PrfDataCollect(LPWSTR query, LPVOID *data, LPDWORD size, LPDWORD objects);
DWORD WINAPI PrfDataClose(void);

DWORD WINAPI PrfDataOpen(LPWSTR service)
{
    (void)service;
    return ERROR_SUCCESS;
}

DWORD WINAPI PrfDataCollect(LPWSTR query, LPVOID *data, LPDWORD size, LPDWORD objects)
{
    (void)query;
    (void)data;
    *size = 0;
    *objects = 0;
    return ERROR_SUCCESS;
}

DWORD WINAPI PrfDataClose(void)
{
    return ERROR_SUCCESS;
}
