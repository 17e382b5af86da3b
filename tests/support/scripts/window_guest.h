/* SPDX-License-Identifier: MIT */
/* Shares numbers between window-driver.exe and the DLL that it hooks into prfview's process. */
#ifndef PRFDATA_TEST_WINDOW_GUEST_H
#define PRFDATA_TEST_WINDOW_GUEST_H

#include <windows.h>

#define WINDOW_GUEST_FILE       L"window-guest.dll"
#define WINDOW_GUEST_SECTION    L"PrfDataWindowGuest"
#define WINDOW_GUEST_ENTER      (WM_APP + 900) /* sent when the hook is set */
#define WINDOW_GUEST_DECIMAL    (WM_APP + 901) /* the user chooses WPARAM as decimal separator */
#define WINDOW_GUEST_FIRST_PART 1000
#define WINDOW_GUEST_PARTS      10

typedef struct window_guest_counts {
    DWORD revealed; /* how often a hidden list got WM_SETREDRAW with FALSE */
    DWORD coloured; /* a bit for each part that got WM_SYSCOLORCHANGE */
    DWORD fonts;    /* how often a window got a font, as it does with each new theme */
} window_guest_counts;

LRESULT CALLBACK window_guest_see(int code, WPARAM wparam, LPARAM lparam);

#endif
