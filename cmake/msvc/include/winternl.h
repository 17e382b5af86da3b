/* SPDX-License-Identifier: MIT */
/*
 * Wine's winternl.h without what the Windows SDK's does not declare and os_directory_win32.c therefore
 * declares itself; source: "winternl.h header" on learn.microsoft.com, the list of its functions.
 */
#ifndef PRFDATA_OVERLAY_WINTERNL_H
#define PRFDATA_OVERLAY_WINTERNL_H

#define NtQueryDirectoryFile prfdata_overlay_query_directory_file
#include_next <winternl.h>
#undef NtQueryDirectoryFile

#endif
