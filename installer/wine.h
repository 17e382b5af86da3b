/* SPDX-License-Identifier: MIT */
/*
 * The one question that decides between Windows and Wine: under Wine loadperf is a stub and
 * folders have no access lists of their own. Windows only.
 */
#ifndef PRFDATA_WINE_H
#define PRFDATA_WINE_H

#include <stdbool.h>

/* Whether ntdll exports wine_get_version. */
bool prfdata_wine_is_here(void);

#endif
