/* SPDX-License-Identifier: MIT */
/* Checks the values of one reply. */
#ifndef PRFDATA_READER_VALIDATE_VALUE_H
#define PRFDATA_READER_VALIDATE_VALUE_H

#include "validate/validated.h"

/*
 * Check the values that can be checked in a single reply: the starts of elapsed times, the bases of
 * multi timers, and levels of 32 bits that seem to have fallen below 0.
 */
void prfdata_validate_value_check(prfdata_validated *j, const prfdata_validated_object *o);

#endif
