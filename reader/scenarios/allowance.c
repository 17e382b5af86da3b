/* SPDX-License-Identifier: MIT */
/* Divides the processor's time among the scenarios (allowance.h). */
#include "scenarios/allowance.h"

static uint64_t time_between(uint64_t from_ms, uint64_t to_ms)
{
    return to_ms > from_ms ? to_ms - from_ms : 0;
}

void prfdata_allowance_begin(prfdata_allowance *allowance, uint32_t shares, uint64_t now_ms)
{
    const uint64_t left_ms = time_between(now_ms, allowance->total_ms);

    if (shares >= allowance->shares_left) {
        allowance->end_ms = now_ms + left_ms;
        allowance->shares_left = 0;
        return;
    }
    allowance->end_ms = now_ms + left_ms * shares / allowance->shares_left;
    allowance->shares_left -= shares;
}

uint64_t prfdata_allowance_left_ms(const prfdata_allowance *allowance, uint64_t now_ms)
{
    return time_between(now_ms, allowance->end_ms);
}

bool prfdata_allowance_is_spent(const prfdata_allowance *allowance, uint64_t now_ms)
{
    return now_ms >= allowance->total_ms;
}
