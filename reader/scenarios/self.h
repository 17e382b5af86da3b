/* SPDX-License-Identifier: MIT */
/* Starts this program again in another role. */
#ifndef PRFDATA_READER_SELF_H
#define PRFDATA_READER_SELF_H

#include <windows.h>

/* Note the current folder before a provider can change it. In every process of this program,
 * relative paths in the command line and in the registry begin in this folder. */
void prfdata_self_note_directory(void);

/*
 * Start this program in its original folder, with its own command line and `more` after it.
 *
 * inherited  `count` inheritable handles that the process inherits; it then has no standard
 *            handles. If `count` is 0, it inherits all inheritable handles.
 *
 * Returns the process, which the caller closes; NULL: it could not be started, and *error says
 * why.
 */
HANDLE prfdata_self_start(const wchar_t *more, HANDLE *inherited, size_t count, DWORD *error);

#endif
