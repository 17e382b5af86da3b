/* SPDX-License-Identifier: MIT */
/* Asks the system which processes have a file open. Windows only. */
#ifndef PRFDATA_FILE_USERS_H
#define PRFDATA_FILE_USERS_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

/*
 * Check which process has a file open.
 *
 * path        The full path of the file.
 * process_id  The process that has the file open, as far as it is known. It is replaced if the
 *             system says that this process has not, and that exactly one other process has.
 *
 * Returns whether the system says that `*process_id` has the file open. Otherwise the system did
 * not answer, or no other process or several have it open, and `*process_id` is unchanged.
 */
bool prfdata_file_users_check(const wchar_t *path, uint32_t *process_id);

#endif
