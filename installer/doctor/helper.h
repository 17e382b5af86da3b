/* SPDX-License-Identifier: MIT */
/*
 * Questions that are asked in another process, because the answer may crash or hang it: an
 * installer program is started with a command that its help does not list. Windows only.
 *
 *     <program> -TryLoad DLL      whether a DLL can be loaded, with the exports of a provider
 *     <program> -TryRead INDEX    whether a reader of its bitness gets the object of this index
 *
 * The process ends with PRFDATA_HELPER_ANSWER and a Win32 code in the lower 16 bits.
 */
#ifndef PRFDATA_HELPER_H
#define PRFDATA_HELPER_H

#include <stdint.h>

#include <windows.h>

/* The customer bit of error codes: neither a crash nor another program ends like this. */
#define PRFDATA_HELPER_ANSWER 0x20000000u

/* Whole seconds, unless the options say otherwise: perflib itself gives a provider ten. */
#define PRFDATA_HELPER_TIMEOUT_MS 30000u

#define PRFDATA_HELPER_NAME_CHARS 256 /* file names have at most 255 chars */

/* ---- In the process that asks ---- */

/*
 * Start the program, wait for its end, and end it if that takes too long.
 *
 * command  "-TryLoad" or "-TryRead".
 * code     On ERROR_SUCCESS the Win32 code that it answered, or, if it crashed, the exception.
 *
 * Returns ERROR_SUCCESS, ERROR_TIMEOUT, ERROR_BAD_COMMAND (it is a program without these commands),
 *         or what the system said of starting it.
 */
uint32_t prfdata_helper_ask(const wchar_t *program, const wchar_t *command, const wchar_t *argument,
                            uint32_t timeout_ms, uint32_t *code);

/*
 * Make the name that people and messages call a program by: without folder and .exe.
 *
 * program  Its path, or what its command line begins with. NULL: it is called "installer".
 * name     Room for PRFDATA_HELPER_NAME_CHARS; what is longer is cut.
 */
void prfdata_helper_name(const wchar_t *program, wchar_t *name);

/* ---- In the other process ---- */

/* Load the DLL and look for its exports. Returns the exit code. */
int prfdata_helper_try_load(const wchar_t *dll);

/*
 * Ask for the object with this title index, in decimal digits. Returns the exit code, with
 * ERROR_NOT_FOUND where the answer lacks the object and ERROR_INVALID_DATA where it is malformed.
 */
int prfdata_helper_try_read(const wchar_t *index);

#endif
