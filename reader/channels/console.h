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
 * Write a text to standard output if that is a file or a pipe, otherwise to standard error if that
 * is one, otherwise to the console from which the program was started. Files and pipes get UTF-8.
 *
 * text  With \n at its end.
 *
 * Returns whether the text was written.
 */
bool prfdata_console_say(const wchar_t *text);

#endif
