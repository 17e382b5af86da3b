/* SPDX-License-Identifier: MIT */
/*
 * The low-level keyboard and mouse hooks: they see every key and mouse event of the desktop and
 * count it. They look at the kind of an event only, never at the key or the place.
 */
#ifndef HWINPUT_HOOKS_H
#define HWINPUT_HOOKS_H

#include <stdint.h>

/*
 * Start counting, on a thread of its own. Returns ERROR_SUCCESS when both hooks are in place, else
 * the system's error, and nothing is left behind.
 */
uint32_t hooks_start(void);

/* Stop counting; when it returns, no hook runs any more. */
void hooks_stop(void);

#endif
