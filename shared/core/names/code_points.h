/* SPDX-License-Identifier: MIT */
/* Looks for a character in a table of Unicode's code points. */
#ifndef PRFDATA_CODE_POINTS_H
#define PRFDATA_CODE_POINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct prfdata_code_points {
    uint32_t first;
    uint32_t last;
} prfdata_code_points;

/* Whether a code point is in one of the ranges, which ascend. */
bool prfdata_code_points_have(const prfdata_code_points *ranges, size_t count, uint32_t code_point);

#define PRFDATA_CODE_POINTS_HAVE(ranges, code_point)                                               \
    prfdata_code_points_have(ranges, sizeof(ranges) / sizeof(ranges)[0], code_point)

#endif
