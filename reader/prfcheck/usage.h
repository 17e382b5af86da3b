/* SPDX-License-Identifier: MIT */
/* What this process has taken from the system. Knows Windows. */
#ifndef PRFDATA_READER_USAGE_H
#define PRFDATA_READER_USAGE_H

#include <stdint.h>

typedef struct prfdata_usage {
    uint64_t handles;
    uint64_t heap_bytes;    /* in use, in all heaps */
    uint64_t private_bytes; /* committed by the process alone */
    uint64_t views;         /* of sections, but those of programs and libraries */
    uint64_t slots;         /* of thread-local storage: all below the first free one */
} prfdata_usage;

/* Measure now. What cannot be measured is 0. Walks through all heaps: not for a busy process. */
prfdata_usage prfdata_usage_now(void);

#endif
