/* SPDX-License-Identifier: MIT */
/* The things that this process has taken from the system. */
#ifndef PRFDATA_READER_USAGE_H
#define PRFDATA_READER_USAGE_H

#include "scenarios/growth.h"

/* Measure now. What cannot be measured is 0. Walks through all heaps: not for a busy process. */
prfdata_growth_usage prfdata_usage_now(void);

#endif
