/* SPDX-License-Identifier: MIT */
/* Divides the processor time of a check among its scenarios. If a scenario needs less than its
 * share, more time is left for the scenarios after it. Portable; the caller gives the time. */
#ifndef PRFDATA_READER_ALLOWANCE_H
#define PRFDATA_READER_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct prfdata_allowance {
    uint64_t total_ms;    /* time of all scenarios together */
    uint32_t shares_left; /* number of shares of the scenarios that have not begun */
    uint64_t end_ms;      /* time when the current scenario has used up its share */
} prfdata_allowance;

/* Begin a scenario that may take this many shares. `now_ms` is the time that all scenarios have
 * taken so far. */
void prfdata_allowance_begin(prfdata_allowance *allowance, uint32_t shares, uint64_t now_ms);

/* Return the time that the current scenario may still take; 0: it should end soon. */
uint64_t prfdata_allowance_left_ms(const prfdata_allowance *allowance, uint64_t now_ms);

/* Returns whether no scenario has any time left. */
bool prfdata_allowance_is_spent(const prfdata_allowance *allowance, uint64_t now_ms);

#endif
