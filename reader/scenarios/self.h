/* SPDX-License-Identifier: MIT */
/* Starts this program once more, in another role. */
#ifndef PRFDATA_READER_SELF_H
#define PRFDATA_READER_SELF_H

#include <windows.h>

/*
 * Start this program with its own command line and `more` after it.
 *
 * inherited  The handles that it inherits, `count` of them, all inheritable; it has no standard
 *            handles then. 0: it inherits all that can be.
 *
 * Returns the process, to be closed; NULL: it could not be started, and *error says why.
 */
HANDLE prfdata_self_start(const wchar_t *more, HANDLE *inherited, size_t count, DWORD *error);

#endif
