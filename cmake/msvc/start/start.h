/* SPDX-License-Identifier: MIT */
/* Declares the set-up of the C runtime, which ucrtbase.dll exports, for the start-up functions. */
#ifndef PRFDATA_START_H
#define PRFDATA_START_H

#include <stdlib.h>
#include <wchar.h>

#pragma comment(lib, "ucrt.lib")
#pragma comment(lib, "ntdll.lib") /* has __C_specific_handler, which __try needs */

#ifdef _DLL /* with /MD, programs by Visual Studio import memcpy from VCRUNTIME140.dll */
#pragma comment(lib, "vcruntime.lib")
#pragma comment(linker, "/include:__imp___vcrt_GetModuleHandleW")
#endif

/* From corecrt_startup.h; the arguments are values of _crt_app_type and _crt_argv_mode. */
void __cdecl _set_app_type(int type);
int __cdecl _configure_narrow_argv(int mode);
int __cdecl _configure_wide_argv(int mode);
int __cdecl _initialize_narrow_environment(void);
int __cdecl _initialize_wide_environment(void);
wchar_t *__cdecl _get_wide_winmain_command_line(void);

enum { START_CONSOLE = 1, START_WINDOWS = 2, START_UNEXPANDED_ARGUMENTS = 1 };

#endif
