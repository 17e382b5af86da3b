/* SPDX-License-Identifier: MIT */
/* Makes the example of docs/reading-by-hand.md (samples/ras/rates.c) a function. The test supplies
 * the titles, replaces Sleep(), and captures the output. Windows only. */
#ifndef PRFDATA_TESTS_RAS_RATES_H
#define PRFDATA_TESTS_RAS_RATES_H

#include "raw_reader.h"

int ras_rates(void);

/* Functions that the test defines; they replace raw_titles_read(), Sleep() and printf(). */
DWORD ras_rates_titles(raw_titles *titles);
void ras_rates_sleep(DWORD milliseconds);
int ras_rates_print(const char *format, ...);

#endif
