/* SPDX-License-Identifier: MIT */
/*
 * Handles the request to end a program: Ctrl+C, or a signal of the system. Implemented in
 * stop_win32.c and stop_posix.c.
 */
#ifndef PRFDATA_READER_STOP_H
#define PRFDATA_READER_STOP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * From now on the request no longer ends the process, but lets prfdata_stop_wait_until() return
 * false. When the console closes, and at logoff and shutdown, the system still ends the process,
 * but gives it 5 seconds.
 */
void prfdata_stop_catch(void);

/*
 * Begin without catching Ctrl+C and signals: only prfdata_stop_request() makes the request. For
 * services, whose processes are told about each logoff of any user and must continue.
 */
void prfdata_stop_prepare(void);

/*
 * Make the request. Before this, one of the two functions above must have been called. Threads:
 * any.
 */
void prfdata_stop_request(void);

/*
 * Wait until prfdata_os_milliseconds() is `due_ms`; 0: do not wait. After the request it returns
 * false at once. Threads: any.
 */
bool prfdata_stop_wait_until(uint64_t due_ms);

/*
 * Return a handle for waits that include other events. After the request, on Windows this event is
 * set; on other systems this descriptor can be read. NULL or -1: there is none.
 */
intptr_t prfdata_stop_handle(void);

#endif
