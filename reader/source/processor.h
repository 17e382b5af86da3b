/* SPDX-License-Identifier: MIT */
/*
 * Reads the processor state that a function must preserve by the calling convention. Windows only.
 */
#ifndef PRFDATA_READER_PROCESSOR_H
#define PRFDATA_READER_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct prfdata_processor_state {
    uint32_t x87; /* control word; 0 on ARM64 */
    uint32_t sse; /* MXCSR without its status flags; on ARM64 the value of _controlfp() */
} prfdata_processor_state;

/* Read the calling thread's state. */
prfdata_processor_state prfdata_processor_get(void);

/*
 * Clear the direction flag; while it is set, string instructions run backwards. Returns whether it
 * was set. Call this directly after a function that may have left it set.
 */
bool prfdata_processor_clear_direction(void);

#endif
