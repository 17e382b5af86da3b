/* SPDX-License-Identifier: MIT */
/* Starts this program once more, in another role. */
#ifndef PRFDATA_READER_SELF_H
#define PRFDATA_READER_SELF_H

#include <windows.h>

/*
 * Start this program with its own command line and `more` after it; it inherits handles.
 * Returns the process, to be closed; NULL: it could not be started, and *error says why.
 */
HANDLE prfdata_self_start(const wchar_t *more, DWORD *error);

#endif
