/* SPDX-License-Identifier: MIT */
/*
 * The example of reading-by-hand.md (samples/ras/rates.c), as a function: a test gives it titles,
 * does something instead of sleeping, and gets what it prints. Windows only.
 */
#ifndef PRFDATA_TESTS_RAS_RATES_H
#define PRFDATA_TESTS_RAS_RATES_H

#include "raw_reader.h"

/* Its main(). */
int ras_rates(void);

/* What the test defines; they stand in for raw_titles_read(), Sleep() and printf(). */
DWORD ras_rates_titles(raw_titles *titles);
void ras_rates_sleep(DWORD milliseconds);
int ras_rates_print(const char *format, ...);

#endif
