/* SPDX-License-Identifier: MIT */
/*
 * The console in which the user typed prfview's command line: a window program has no console of
 * its own.
 */
#ifndef PRFDATA_READER_CONSOLE_H
#define PRFDATA_READER_CONSOLE_H

#include <stdbool.h>
#include <wchar.h>

/*
 * Say something there: to standard output or else standard error, if it is a file or a pipe, in
 * UTF-8; or else in the console that the program was started from.
 *
 * text  With \n at its end.
 *
 * Returns whether there is such a place.
 */
bool prfdata_console_say(const wchar_t *text);

#endif
