/* SPDX-License-Identifier: MIT */
/*
 * Finds out whether the program runs under Wine, where loadperf is a stub and folders have no
 * access lists of their own. Windows only.
 */
#ifndef PRFDATA_WINE_H
#define PRFDATA_WINE_H

#include <stdbool.h>

/* Returns whether ntdll exports wine_get_version, which it does under Wine only. */
bool prfdata_wine_is_here(void);

#endif
