/* SPDX-License-Identifier: MIT */
/*
 * The article writes <Windows.h>, which a case-sensitive file system does not find. Never in the
 * include path on Windows, where this file would include itself.
 */
#ifdef _WIN32
#include <windows.h>
#endif
