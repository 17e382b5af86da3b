/* SPDX-License-Identifier: MIT */
/*
 * The place where an option of a map belongs, for sentences about mistakes. No reader of maps needs
 * it.
 */
#ifndef PRFDATA_MAP_ADVICE_H
#define PRFDATA_MAP_ADVICE_H

#include <stdint.h>

/* A sentence without its full stop; NULL: there is no such option. */
const char *prfdata_map_advice(uint32_t option);

#endif
