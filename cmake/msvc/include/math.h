/* SPDX-License-Identifier: MIT */
/* Wine's math.h, and the macros that it lacks; source: C11, 7.12.14. */
#ifndef PRFDATA_OVERLAY_MATH_H
#define PRFDATA_OVERLAY_MATH_H

#include_next <math.h>

#ifndef isunordered
#define isunordered(x, y) __builtin_isunordered(x, y)
#endif

#endif
