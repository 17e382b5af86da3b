/* SPDX-License-Identifier: MIT */
/*
 * Names the numbers of a service's health (PRFDATA_HEALTH_...) in map files. The C names are the
 * same words in upper case.
 */
#ifndef PRFDATA_HEALTH_WORD_H
#define PRFDATA_HEALTH_WORD_H

#include <stdint.h>

/* The word of PRFDATA_HEALTH_... `number`; NULL if there is no such number. */
const char *prfdata_health_word(uint32_t number);

#endif
