/* SPDX-License-Identifier: MIT */
/*
 * What prfread needs of the system that it runs on: console_win32.c and console_posix.c. Text that
 * goes out is UTF-8, paths and arguments come as UTF-16.
 */
#ifndef PRFDATA_READER_CONSOLE_H
#define PRFDATA_READER_CONSOLE_H

#include <wchar.h>

#include "text/text.h"

/* ---- The program ---- */

/* What a program does with the arguments behind its name. Returns the exit code. */
typedef int (*prfdata_console_program)(size_t count, const uint16_t *const *arguments);

/* For main(): run the program with its arguments in UTF-16. Returns the exit code. */
#ifdef _WIN32
int prfdata_console_run(int argc, wchar_t **argv, prfdata_console_program program);
#else
int prfdata_console_run(int argc, char **argv, prfdata_console_program program);
#endif

/* End the process at once: nothing is flushed or released. */
void prfdata_console_end_process(int exit_code);

/* From now on Ctrl+C and a request to end stop the program by prfdata_console_wait_until(). */
void prfdata_console_catch_stop(void);

/*
 * Wait until prfdata_os_milliseconds() says `due_ms`. Returns false, at once, if somebody stopped
 * the program. Threads: any.
 */
bool prfdata_console_wait_until(uint64_t due_ms);

/*
 * What to wait for when one waits for other things, too: on Windows an event that is set, elsewhere
 * a descriptor that can be read, as soon as somebody stopped the program. NULL or -1: there is
 * none.
 */
intptr_t prfdata_console_stop(void);

/* ---- Files and streams ---- */

typedef intptr_t prfdata_console_file;

prfdata_console_file prfdata_console_out(void); /* standard output */
prfdata_console_file prfdata_console_err(void); /* standard error */

/* Whether a person sees what is written there. */
bool prfdata_console_is_terminal(prfdata_console_file file);

/*
 * Write UTF-8, all of it.
 * Returns ERROR_SUCCESS or the system's error.
 */
uint32_t prfdata_console_write(prfdata_console_file file, const void *bytes, size_t size);

/*
 * Create a file, for others to read while it grows.
 *
 * overwrite  Empty the file if it exists; else that is ERROR_FILE_EXISTS.
 * Returns ERROR_SUCCESS or the system's error.
 */
uint32_t prfdata_console_create(prfdata_text path, bool overwrite, prfdata_console_file *file);

/* Close a created file. Returns ERROR_SUCCESS or the system's error: data may be lost then. */
uint32_t prfdata_console_close(prfdata_console_file file);

/*
 * Read a whole file.
 *
 * limit  More bytes are ERROR_MORE_DATA.
 * bytes  On success its bytes and a NUL behind them, which `size` does not count; for free().
 * Returns ERROR_SUCCESS, ERROR_MORE_DATA, ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_console_read_file(prfdata_text path, size_t limit, void **bytes, size_t *size);

/*
 * Write a whole file, or none: on failure what was there before is there still.
 *
 * overwrite  Replace the file if it exists; else that is ERROR_FILE_EXISTS.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_console_write_file(prfdata_text path, bool overwrite, const void *bytes,
                                    size_t size);

/* ---- The computer ---- */

/* Its name; at most `capacity` chars are stored. Returns how many, 0 if it has none. */
size_t prfdata_console_computer(uint16_t *chars, size_t capacity);

/* The system's words for one of its errors, in UTF-16 without NUL. Returns how many chars. */
size_t prfdata_console_error_words(uint32_t status, uint16_t *chars, size_t capacity);

/*
 * A time of day here, as SYSTEMTIME's eight numbers.
 * utc  The time that is meant; NULL, or one that is no time: now.
 */
void prfdata_console_local_time(const uint16_t utc[8], uint16_t local[8]);

/*
 * The time now, in UTC.
 * utc  Set to SYSTEMTIME's eight numbers.
 * Returns FILETIME: units of 100 ns since 1601.
 */
int64_t prfdata_console_utc(uint16_t utc[8]);

/* The name of the time zone in this season, and how many minutes it is behind UTC. */
size_t prfdata_console_time_zone(uint16_t *chars, size_t capacity, int32_t *bias_minutes);

#endif
