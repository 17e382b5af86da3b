/* SPDX-License-Identifier: MIT */
/* Finds out whether the program runs under Wine. Windows only. */
#include "windows/wine.h"

#include <windows.h>

bool prfdata_wine_is_here(void)
{
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");

    return ntdll && GetProcAddress(ntdll, "wine_get_version");
}
