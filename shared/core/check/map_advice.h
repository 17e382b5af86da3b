/* SPDX-License-Identifier: MIT */
/* Says where each map option belongs, for error messages. */
#ifndef PRFDATA_MAP_ADVICE_H
#define PRFDATA_MAP_ADVICE_H

#include <stdint.h>

/* Get a sentence without its full stop: where the option belongs. NULL for an unknown option. */
const char *prfdata_map_advice(uint32_t option);

#endif
