/* SPDX-License-Identifier: MIT */
/* Measures what this process has taken from the system. */
#ifndef PRFDATA_READER_USAGE_H
#define PRFDATA_READER_USAGE_H

#include "scenarios/growth.h"

/* An amount that cannot be measured is 0. The function walks through all heaps, so do not call it
 * in a busy process. */
prfdata_growth_usage prfdata_usage_now(void);

#endif
