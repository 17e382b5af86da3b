/* SPDX-License-Identifier: MIT */
/* Reads the processor's control words and flags. */
#include "source/processor.h"

#include "base/compiler.h"

#if defined(_M_IX86) || defined(_M_X64) || defined(__i386__) || defined(__x86_64__)

#include <intrin.h>

#define AREA_BYTES     512u /* size of FXSAVE's area, which must be 16-byte aligned */
#define AREA_X87       0u   /* offset of FCW in FXSAVE's area */
#define AREA_SSE       24u  /* offset of MXCSR in FXSAVE's area */
#define SSE_FLAGS      0x3Fu
#define DIRECTION_FLAG 0x400u

PRFDATA_TARGET_FXSR prfdata_processor_state prfdata_processor_get(void)
{
    unsigned char bytes[AREA_BYTES + 16];
    unsigned char *area = bytes + 16 - (uintptr_t)bytes % 16;
    prfdata_processor_state state;

    _fxsave(area);
    state.x87 = area[AREA_X87] | (uint32_t)area[AREA_X87 + 1] << 8;
    state.sse = (area[AREA_SSE] | (uint32_t)area[AREA_SSE + 1] << 8) & ~SSE_FLAGS;
    return state;
}

bool prfdata_processor_clear_direction(void)
{
    const uintptr_t flags = __readeflags();

    if (!(flags & DIRECTION_FLAG))
        return false;
    __writeeflags(flags & ~(uintptr_t)DIRECTION_FLAG);
    return true;
}

#else

#include <float.h>

prfdata_processor_state prfdata_processor_get(void)
{
    const prfdata_processor_state state = {0, _controlfp(0, 0)};

    return state;
}

bool prfdata_processor_clear_direction(void)
{
    return false;
}

#endif
