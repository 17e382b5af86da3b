/* SPDX-License-Identifier: MIT */
/*
 * A shell of the system that Wine runs on, for what Wine cannot do, such as symbolic links, and for
 * what it must not notice. Windows only.
 */
#ifndef PRFDATA_TEST_LINUX_SHELL_H
#define PRFDATA_TEST_LINUX_SHELL_H

#include <stdbool.h>
#include <wchar.h>

/*
 * Run a script, and return when it has ended.
 *
 * path    "$1" of the script, in that system's spelling. Beside it is room for a file.
 * second  "$2", or NULL.
 *
 * Returns whether this is Wine; where it is not, nothing was done.
 */
bool linux_shell_run(const char *script, const wchar_t *path, const wchar_t *second);

#endif
