/* SPDX-License-Identifier: MIT */
/*
 * The processor's time that a check may take, shared among its scenarios: what one does not use is
 * for those that follow. Portable; the clock is given.
 */
#ifndef PRFDATA_READER_ALLOWANCE_H
#define PRFDATA_READER_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct prfdata_allowance {
    uint64_t total_ms;    /* for all scenarios */
    uint32_t shares_left; /* number of scenarios that have not begun */
    uint64_t end_ms;      /* when the share of the one that runs is used up */
} prfdata_allowance;

/* A scenario begins that may take so many of the shares; `now_ms` is what all have taken so far. */
void prfdata_allowance_begin(prfdata_allowance *allowance, uint32_t shares, uint64_t now_ms);

/* The time that the scenario that runs may still take; 0: it should come to an end. */
uint64_t prfdata_allowance_left_ms(const prfdata_allowance *allowance, uint64_t now_ms);

/* Whether nothing is left for any scenario. */
bool prfdata_allowance_is_spent(const prfdata_allowance *allowance, uint64_t now_ms);

#endif
