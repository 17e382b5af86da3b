/* SPDX-License-Identifier: MIT */
/*
 * Sets access lists of files, and makes tokens with fewer rights than the test has. Windows only.
 */
#ifndef PRFDATA_TEST_RIGHTS_H
#define PRFDATA_TEST_RIGHTS_H

#include <wchar.h>

#include <windows.h>

/* Give a file or folder the access list and the owner of `sddl`. Under Wine the owner stays. */
void rights_set_access(const wchar_t *path, const wchar_t *sddl);

/* Return a token of this process without its administrators' group. Close it with CloseHandle(). */
HANDLE rights_token_without_administrators(TOKEN_TYPE type);

#endif
