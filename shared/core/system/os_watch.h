/* SPDX-License-Identifier: MIT */
/*
 * Calls a function of the client library when an installer has changed the settings of a service,
 * or after a given time. So a program that was started before its counters were installed learns of
 * the installation. A thread of the system makes the call, because the client library has no thread
 * of its own.
 */
#ifndef PRFDATA_OS_WATCH_H
#define PRFDATA_OS_WATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct prfdata_os_watch prfdata_os_watch;

/* `is_late` says that the time has passed and no setting has changed. */
typedef void prfdata_os_watch_call(uintptr_t id, bool is_late);

#define PRFDATA_OS_WATCH_FOREVER 0xFFFFFFFFu

/*
 * Make a watch that is not set. The caller must hold no lock that `call` or DllMain takes, because
 * this function may wait for the loader.
 *
 * call  The same for all watches of a process. It gets `id` instead of a pointer, because it may
 *       run after the watch has ended. It must check under a lock whether `id` is still in use.
 *
 * Returns NULL if memory is exhausted, or if the system has no watches.
 * Owner: the caller; prfdata_os_watch_end().
 */
prfdata_os_watch *prfdata_os_watch_make(prfdata_os_watch_call *call, uintptr_t id);

/*
 * Set a watch to make one call: after the next change, or after `milliseconds`
 * (PRFDATA_OS_WATCH_FOREVER: only after a change). There are two kinds of changes:
 *
 * - A value under Services\<service>\Performance is changed.
 * - A key directly under Services, Services\<service> or Services\<service>\Performance is made or
 *   deleted.
 *
 * If the watch was set before, a change before this call may cause one call too many. On Windows 7,
 * or if this account may not read the key Services, the watch makes no call, not even after
 * `milliseconds`. `watch` may be NULL.
 *
 * Threads: one at a time for each watch, without a token of a client. The function does not wait.
 */
void prfdata_os_watch_settings(prfdata_os_watch *watch, const char *service_name,
                               uint32_t milliseconds);

/*
 * Set a watch to make one call after `milliseconds`. NULL is allowed. Threads: as for
 * prfdata_os_watch_settings().
 */
void prfdata_os_watch_clock(prfdata_os_watch *watch, uint32_t milliseconds);

/*
 * End a watch and free it, without waiting for a call that has begun. DllMain may call this. The
 * caller must hold no lock that `call` takes, because this function may wait for the loader. If a
 * call has begun, the module stays loaded until the call has returned. NULL is allowed.
 */
void prfdata_os_watch_end(prfdata_os_watch *watch);

#endif
