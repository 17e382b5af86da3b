/* SPDX-License-Identifier: MIT */
/* Begins and ends a program, in program_win32.c and program_posix.c. */
#ifndef PRFDATA_READER_PROGRAM_H
#define PRFDATA_READER_PROGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* Runs a program with the arguments after its name, in UTF-16. Returns the exit code. */
typedef int (*prfdata_program)(size_t count, const uint16_t *const *arguments);

/* The program did not run, because there was no memory for the arguments, or one is not UTF-8. */
#define PRFDATA_PROGRAM_NOT_RUN (-1)

/*
 * For main(): run the program with its arguments in UTF-16. Returns the exit code, or
 * PRFDATA_PROGRAM_NOT_RUN.
 */
#ifdef _WIN32
int prfdata_program_run(int argc, wchar_t **argv, prfdata_program program);

/* Load no DLL from the current folder from now on. prfdata_program_run() calls this. */
void prfdata_program_keep_dlls_out(void);
#else
int prfdata_program_run(int argc, char **argv, prfdata_program program);
#endif

/* End the process at once, without flushing or releasing anything. */
void prfdata_program_end(int exit_code);

#endif
