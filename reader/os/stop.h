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
 * From now on, the request does not end the process, but prfdata_stop_wait_until() returns false.
 * When the console closes, and at logoff and shutdown, Windows still ends the process, but gives it
 * 5 seconds. A process that belongs to no user, because a service or a scheduled task has started
 * it, continues at logoff.
 *
 * Windows gives no notice of a logoff or a shutdown to a process that has loaded user32.dll or
 * gdi32.dll ("SetConsoleCtrlHandler function", learn.microsoft.com). Therefore prfread imports
 * neither of them, and no DLL that imports them. A provider in the process may still load one.
 */
void prfdata_stop_catch(void);

/*
 * Prepare for a request that only prfdata_stop_request() makes, without catching Ctrl+C and
 * signals. This function is for services, because the system tells a service's process about every
 * user's logoff, and the process must continue afterwards.
 */
void prfdata_stop_prepare(void);

/*
 * Make the request. Before this, one of the two functions above must have been called. Threads:
 * any.
 */
void prfdata_stop_request(void);

/*
 * Wait until prfdata_os_milliseconds() is `due_ms`; 0: do not wait. Returns true at that time, or
 * false as soon as the request was made. Threads: any.
 */
bool prfdata_stop_wait_until(uint64_t due_ms);

/*
 * Return a handle for waits that include other events. On Windows it is an event, which the request
 * sets; on other systems a descriptor, which can be read after the request. NULL or -1: there is
 * none.
 */
intptr_t prfdata_stop_handle(void);

#endif
