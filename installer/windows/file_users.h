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
 * process_id  The process that probably has the file open. If the system names exactly one process,
 *             `*process_id` becomes that process.
 *
 * Returns whether the system says that `*process_id` has the file open. If the result is false,
 * `*process_id` is unchanged.
 */
bool prfdata_file_users_check(const wchar_t *path, uint32_t *process_id);

#endif
