/* SPDX-License-Identifier: MIT */
/* What the C of docs/in-your-program.md takes for granted. */
#include <prfdata/map.h>

PRFDATA_DEFINE_OBJECT(QUEUES, 100);
