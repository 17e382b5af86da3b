/* SPDX-License-Identifier: MIT */
/* Replaces a macro min(), which would evaluate one of its arguments twice. */
#ifndef PRFDATA_SMALLER_H
#define PRFDATA_SMALLER_H

#include <stdint.h>

static inline uint64_t prfdata_smaller_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
