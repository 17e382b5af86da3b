/* SPDX-License-Identifier: MIT */
/* Finds the display names of accounts, and the owners of files. Windows only. */
#ifndef PRFDATA_ACCOUNT_H
#define PRFDATA_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

#include <windows.h>

enum { PRFDATA_ACCOUNT_CHARS = 192 };

/*
 * Find the name of an account, such as "PC\user" or "SYSTEM". If the system does not know the
 * account, its SID is the name.
 *
 * name  Room for PRFDATA_ACCOUNT_CHARS; a longer name is cut.
 */
void prfdata_account_name(PSID sid, wchar_t *name);

/* Name the account of this process; "?" if it cannot be read. */
void prfdata_account_own_name(wchar_t *name);

/* Name the owner of a file, without following a link; "?" if the owner cannot be read. */
void prfdata_account_file_owner(const wchar_t *path, wchar_t *name);

/*
 * Returns whether a process may have created a file: whether the owner of the file is the user or
 * the default owner of the process. Returns false if the system does not tell these owners.
 */
bool prfdata_account_may_have_made(DWORD process_id, const wchar_t *path);

#endif
