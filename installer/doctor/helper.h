/* SPDX-License-Identifier: MIT */
/*
 * Runs checks in a child process, because they may crash or hang. The child is an installer
 * program, started with a command that its help does not list. Windows only.
 *
 *     <program> -TryLoad DLL      whether a DLL can be loaded and has the exports of a provider
 *     <program> -TryRead INDEX    whether a reader of its bitness gets the object of this index
 *
 * The process exits with PRFDATA_HELPER_ANSWER and a Win32 code in the lower 16 bits.
 */
#ifndef PRFDATA_HELPER_H
#define PRFDATA_HELPER_H

#include <stdint.h>

#include <windows.h>

/*
 * Sets the customer bit of error codes, so that the exit code differs from the exit codes of a
 * crash and of other programs.
 */
#define PRFDATA_HELPER_ANSWER 0x20000000u

/* The timeout, unless the options set another. Perflib itself gives a provider ten seconds. */
#define PRFDATA_HELPER_TIMEOUT_MS 30000u

#define PRFDATA_HELPER_NAME_CHARS 256 /* file names have at most 255 chars */

/* ---- In the parent ---- */

/*
 * Start the program and wait until it ends. After the timeout, end it.
 *
 * command  "-TryLoad" or "-TryRead".
 * code     On ERROR_SUCCESS the Win32 code that the program answered, or the exception if the
 *          program crashed.
 *
 * Returns ERROR_SUCCESS, ERROR_TIMEOUT, ERROR_BAD_COMMAND (the program does not know the command),
 *         ERROR_FILENAME_EXCED_RANGE (the command line is too long), or the system's error.
 */
uint32_t prfdata_helper_ask(const wchar_t *program, const wchar_t *command, const wchar_t *argument,
                            uint32_t timeout_ms, uint32_t *code);

/*
 * Make the name by which people and messages call a program: its file name without .exe.
 *
 * program  Its path, or the first word of its command line. If NULL, the name is "installer".
 * name     Room for PRFDATA_HELPER_NAME_CHARS; a longer name is cut.
 */
void prfdata_helper_name(const wchar_t *program, wchar_t *name);

/* ---- In the child ---- */

/* Load the DLL and look for its exports. Returns the exit code. */
int prfdata_helper_try_load(const wchar_t *dll);

/*
 * Ask for the object with this title index, in decimal digits. Returns the exit code, with
 * ERROR_NOT_FOUND if the reply lacks the object, or ERROR_INVALID_DATA if the reply is malformed.
 */
int prfdata_helper_try_read(const wchar_t *index);

#endif
