/* SPDX-License-Identifier: MIT */
/*
 * The state of the processor that a function must leave as it found it, by the calling convention;
 * 0 where a processor has no such thing. Knows Windows' compilers.
 */
#ifndef PRFDATA_READER_PROCESSOR_H
#define PRFDATA_READER_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

typedef struct prfdata_processor_state {
    uint32_t x87; /* control word */
    uint32_t sse; /* MXCSR without its flags of what happened; on ARM64 what _controlfp() says */
} prfdata_processor_state;

/* The calling thread's state. */
prfdata_processor_state prfdata_processor_get(void);

/*
 * Clear the direction flag, without which string instructions run backwards: to be called at once
 * after a function that may have left it set.
 *
 * Returns whether it was set.
 */
bool prfdata_processor_clear_direction(void);

#endif
