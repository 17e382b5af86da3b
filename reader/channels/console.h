/* SPDX-License-Identifier: MIT */
/*
 * Writes to the console in which the user typed prfview's command line, because a window program
 * has no console of its own.
 */
#ifndef PRFDATA_READER_CONSOLE_H
#define PRFDATA_READER_CONSOLE_H

#include <stdbool.h>
#include <wchar.h>

/*
 * Write a text to the first of standard output and standard error that is a file or a pipe, in
 * UTF-8. If neither is, write it to the console from which the program was started.
 *
 * text  With \n at its end.
 *
 * Returns whether the text was written.
 */
bool prfdata_console_say(const wchar_t *text);

#endif
