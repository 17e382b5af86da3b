/* SPDX-License-Identifier: MIT */
/* Gives the words that stand in map files for a service's health (PRFDATA_HEALTH_...). */
#ifndef PRFDATA_HEALTH_WORD_H
#define PRFDATA_HEALTH_WORD_H

#include <stdint.h>

/* The word of a PRFDATA_HEALTH_... number; NULL if there is no such number. */
const char *prfdata_health_word(uint32_t number);

#endif
