/* SPDX-License-Identifier: MIT */
/* Runs a shell of the system on which Wine runs. It does what Wine cannot do, such as making
 * symbolic links, or what Wine must not notice. Windows only. */
#ifndef PRFDATA_TEST_LINUX_SHELL_H
#define PRFDATA_TEST_LINUX_SHELL_H

#include <stdbool.h>
#include <wchar.h>

/* Run a script, and return when it has ended.
 *
 * path    Converted to a Linux path, it becomes "$1" of the script. The call makes a file next to
 *         `path` and deletes that file before it returns.
 * second  Becomes "$2" of the script in the same way; NULL: there is no "$2".
 *
 * Returns whether this is Wine. Without Wine the call does nothing. */
bool linux_shell_run(const char *script, const wchar_t *path, const wchar_t *second);

#endif
