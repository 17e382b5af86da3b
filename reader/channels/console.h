/* SPDX-License-Identifier: MIT */
/*
 * Writes prfview's answers to the command line: to standard output or the error stream if these are
 * files or pipes, otherwise to the console in which the user typed the command. A window program
 * has no console of its own.
 */
#ifndef PRFDATA_READER_CONSOLE_H
#define PRFDATA_READER_CONSOLE_H

#include <stdbool.h>
#include <wchar.h>

/*
 * Write a text in UTF-8 to standard output or, if that is not a file or a pipe, to standard error.
 * If neither is a file or a pipe, write the text to the console from which the program was started.
 *
 * text  With \n at its end.
 *
 * Returns whether the text was written.
 */
bool prfdata_console_say(const wchar_t *text);

#endif
