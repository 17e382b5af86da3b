/* SPDX-License-Identifier: MIT */
/*
 * Sets access lists of files, and makes tokens with fewer rights than the test has. Windows only.
 */
#ifndef PRFDATA_TEST_RIGHTS_H
#define PRFDATA_TEST_RIGHTS_H

#include <wchar.h>

#include <windows.h>

/* Give a file or folder an access list; owned by administrators, under Wine by the user. */
void rights_set_access(const wchar_t *path, const wchar_t *sddl);

/* A token of this process without its administrators' group; CloseHandle(). */
HANDLE rights_token_without_administrators(TOKEN_TYPE type);

#endif
