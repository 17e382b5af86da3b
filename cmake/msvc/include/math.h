/* SPDX-License-Identifier: MIT */
/* Completes Wine's math.h with the macros that it lacks (source: C11, 7.12.14), and makes NAN like
 * that of the Windows SDK. Since version 10.0.26100, the SDK's NAN calls an in-line function in C,
 * so no static initializer may use NAN (C2099).
 * developercommunity.visualstudio.com/t/NAN-is-no-longer-compile-time-constant-i/10688907 */
#ifndef PRFDATA_OVERLAY_MATH_H
#define PRFDATA_OVERLAY_MATH_H

#include_next <math.h>

#ifndef isunordered
#define isunordered(x, y) __builtin_isunordered(x, y)
#endif

#ifndef __cplusplus
static __inline float prfdata_overlay_nan(void)
{
    return __builtin_nanf("");
}

#undef NAN
#define NAN prfdata_overlay_nan()
#endif

#endif
