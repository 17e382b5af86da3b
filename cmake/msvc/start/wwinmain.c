/* SPDX-License-Identifier: MIT */
/* Implements the entry of programs with windows, wWinMain(). */
#include "start.h"

#include <windows.h>

int WINAPI wWinMain(HINSTANCE instance, HINSTANCE previous, LPWSTR arguments, int show);

int wWinMainCRTStartup(void)
{
    STARTUPINFOW info;

    _set_app_type(START_WINDOWS);
    _configure_wide_argv(START_UNEXPANDED_ARGUMENTS);
    _initialize_wide_environment();
    GetStartupInfoW(&info);
    exit(wWinMain(GetModuleHandleW(NULL), NULL, _get_wide_winmain_command_line(),
                  info.dwFlags & STARTF_USESHOWWINDOW ? info.wShowWindow : SW_SHOWDEFAULT));
}
