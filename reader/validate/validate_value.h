/* SPDX-License-Identifier: MIT */
/* Checks the values of one reply. */
#ifndef PRFDATA_READER_VALIDATE_VALUE_H
#define PRFDATA_READER_VALIDATE_VALUE_H

#include "validate/validated.h"

/* Check values that one reply alone can show to be wrong: the starts of elapsed times. */
void prfdata_validate_value_check(prfdata_validated *j, const prfdata_validated_object *o);

#endif
