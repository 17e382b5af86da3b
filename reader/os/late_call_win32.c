/* SPDX-License-Identifier: MIT */
/*
 * Finds each function when it is first called, and keeps its address. Only the window's thread
 * calls this file, so it needs no lock.
 */
#include "os/late_call.h"

static FARPROC find_function(const wchar_t *dll, const char *name)
{
    HMODULE module = LoadLibraryExW(dll, NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);

    return module ? GetProcAddress(module, name) : NULL; /* the DLL stays until the program ends */
}

BOOL prfdata_late_call_dwm_set_window_attribute(HWND window, DWORD attribute, const void *value,
                                                DWORD value_bytes)
{
    static union {
        FARPROC untyped;
        HRESULT(WINAPI *typed)(HWND, DWORD, const void *, DWORD);
    } function;

    if (!function.untyped)
        function.untyped = find_function(L"dwmapi.dll", "DwmSetWindowAttribute");
    return function.untyped && SUCCEEDED(function.typed(window, attribute, value, value_bytes));
}

BOOL prfdata_late_call_set_window_theme(HWND window, const wchar_t *app, const wchar_t *ids)
{
    static union {
        FARPROC untyped;
        HRESULT(WINAPI *typed)(HWND, const wchar_t *, const wchar_t *);
    } function;

    if (!function.untyped)
        function.untyped = find_function(L"uxtheme.dll", "SetWindowTheme");
    return function.untyped && SUCCEEDED(function.typed(window, app, ids));
}

BOOL prfdata_late_call_alpha_blend(HDC to, const RECT *area, HDC from, int from_width,
                                   int from_height, BLENDFUNCTION blend)
{
    static union {
        FARPROC untyped;
        BOOL(WINAPI *typed)(HDC, int, int, int, int, HDC, int, int, int, int, BLENDFUNCTION);
    } function;

    if (!function.untyped)
        function.untyped = find_function(L"msimg32.dll", "AlphaBlend");
    return function.untyped &&
           function.typed(to, area->left, area->top, area->right - area->left,
                          area->bottom - area->top, from, 0, 0, from_width, from_height, blend);
}
