/* SPDX-License-Identifier: MIT */
/*
 * Counts every key and mouse event of the desktop with low-level hooks. The hooks check only the
 * kind of an event, never which key it was or where the pointer is.
 */
#ifndef HWINPUT_HOOKS_H
#define HWINPUT_HOOKS_H

#include <stdint.h>

/*
 * Start counting, on a separate thread. Returns ERROR_SUCCESS once both hooks are set; otherwise
 * the system's error code, with both hooks removed and the thread ended.
 */
uint32_t hooks_start(void);

/* Stop counting. When this function has returned, no hook runs. */
void hooks_stop(void);

#endif
