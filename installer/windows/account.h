/* SPDX-License-Identifier: MIT */
/* The names of accounts, for people, and whose a file is. Windows only. */
#ifndef PRFDATA_ACCOUNT_H
#define PRFDATA_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

#include <windows.h>

enum { PRFDATA_ACCOUNT_CHARS = 192 };

/*
 * Name an account, such as "PC\user" or "SYSTEM"; where the system does not know it, its SID.
 *
 * name  Room for PRFDATA_ACCOUNT_CHARS; what does not fit is cut.
 */
void prfdata_account_name(PSID sid, wchar_t *name);

/* Name the account of this process. */
void prfdata_account_own_name(wchar_t *name);

/* Name the owner of a file, which is opened without following links; "?" if it cannot be asked. */
void prfdata_account_file_owner(const wchar_t *path, wchar_t *name);

/*
 * Whether a process may have made a file: the file's owner is the owner of what it makes, or its
 * user. False where that cannot be asked.
 */
bool prfdata_account_may_have_made(DWORD process_id, const wchar_t *path);

#endif
