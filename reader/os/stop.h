/* SPDX-License-Identifier: MIT */
/*
 * Takes the request to end a program: Ctrl+C, or what the system sends. stop_win32.c and
 * stop_posix.c.
 */
#ifndef PRFDATA_READER_STOP_H
#define PRFDATA_READER_STOP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * From now on the request does not end the process, but prfdata_stop_wait_until(). When the console
 * closes, and at logoff and shutdown, the system still ends the process, but gives it 5 seconds.
 */
void prfdata_stop_catch(void);

/*
 * Begin without Ctrl+C and its like: only prfdata_stop_request() makes the request. For services,
 * whose processes are informed of each logoff of any user and go on.
 */
void prfdata_stop_prepare(void);

/*
 * Make the request. One of the two above was called.
 * Threads: any.
 */
void prfdata_stop_request(void);

/*
 * Wait until prfdata_os_milliseconds() is `due_ms`; 0: do not wait. Returns false, at once, after
 * the request.
 * Threads: any.
 */
bool prfdata_stop_wait_until(uint64_t due_ms);

/*
 * For waits that include other events: on Windows an event that is set, elsewhere a descriptor that
 * can be read, after the request. NULL or -1: there is none.
 */
intptr_t prfdata_stop_handle(void);

#endif
