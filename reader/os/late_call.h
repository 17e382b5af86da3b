/* SPDX-License-Identifier: MIT */
/*
 * Calls functions of DLLs that are not "known DLLs" (learn.microsoft.com, "Dynamic-link library
 * search order"). Windows searches for an imported DLL in the program's folder first, and if this
 * is a download folder, an attacker may have put a DLL there. So these functions load the DLLs from
 * the system's folder, at the first call.
 */
#ifndef PRFDATA_LATE_CALL_H
#define PRFDATA_LATE_CALL_H

#include <windows.h>

/* DwmSetWindowAttribute() of dwmapi.dll. Returns false if the system lacks the function, or if it
 * fails. */
BOOL prfdata_late_call_dwm_set_window_attribute(HWND window, DWORD attribute, const void *value,
                                                DWORD value_bytes);

/* SetWindowTheme() of uxtheme.dll. Returns false if the system lacks the function, or if it
 * fails. */
BOOL prfdata_late_call_set_window_theme(HWND window, const wchar_t *app, const wchar_t *ids);

/* AlphaBlend() of msimg32.dll. Returns false if the system lacks the function, or if it fails. */
BOOL prfdata_late_call_alpha_blend(HDC to, const RECT *area, HDC from, int from_width,
                                   int from_height, BLENDFUNCTION blend);

#endif
