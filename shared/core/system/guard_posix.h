/* SPDX-License-Identifier: MIT */
/* Installs the handler of signals with which prfdata_os_guarded catches faults on Linux. */
#ifndef PRFDATA_GUARD_POSIX_H
#define PRFDATA_GUARD_POSIX_H

/*
 * Install and remove the handler. Calls are counted, because os_region_posix.c calls
 * prfdata_guard_open() for every view that it attaches.
 *
 * Threads: any.
 */
void prfdata_guard_open(void);
void prfdata_guard_close(void);

#endif
