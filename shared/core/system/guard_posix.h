/* SPDX-License-Identifier: MIT */
/* Installs the signal handler with which prfdata_os_guarded() catches faults on Linux. */
#ifndef PRFDATA_GUARD_POSIX_H
#define PRFDATA_GUARD_POSIX_H

/*
 * Install and remove the handler. The handler stays installed at least until there were as many
 * closes as opens. Threads: any.
 */
void prfdata_guard_open(void);
void prfdata_guard_close(void);

#endif
