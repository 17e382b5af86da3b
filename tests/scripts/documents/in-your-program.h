/* SPDX-License-Identifier: MIT */
/* Declares what the C code of docs/in-your-program.md takes for granted. */
#include <prfdata/map.h>

PRFDATA_DEFINE_OBJECT(QUEUES, 100);
