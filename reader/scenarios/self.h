/* SPDX-License-Identifier: MIT */
/* Starts this program once more, in another role. */
#ifndef PRFDATA_READER_SELF_H
#define PRFDATA_READER_SELF_H

#include <windows.h>

/*
 * Note the current directory, before a provider can change it: paths of the command line, and those
 * of the registry that are not full, start there for every process of this program.
 */
void prfdata_self_note_directory(void);

/*
 * Start this program, where it was started itself, with its own command line and `more` after it.
 *
 * inherited  The handles that it inherits, `count` of them, all inheritable; it has no standard
 *            handles then. 0: it inherits all that can be.
 *
 * Returns the process, to be closed; NULL: it could not be started, and *error says why.
 */
HANDLE prfdata_self_start(const wchar_t *more, HANDLE *inherited, size_t count, DWORD *error);

#endif
