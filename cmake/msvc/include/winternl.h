/* SPDX-License-Identifier: MIT */
/* Includes Wine's winternl.h, but hides NtQueryDirectoryFile. The Windows SDK's winternl.h does not
 * declare this function, so os_directory_win32.c declares it itself. Source: the list of functions
 * in "winternl.h header" on learn.microsoft.com. */
#ifndef PRFDATA_OVERLAY_WINTERNL_H
#define PRFDATA_OVERLAY_WINTERNL_H

#define NtQueryDirectoryFile prfdata_overlay_query_directory_file
#include_next <winternl.h>
#undef NtQueryDirectoryFile

#endif
