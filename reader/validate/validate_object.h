/* SPDX-License-Identifier: MIT */
/* Checks the header of an object. */
#ifndef PRFDATA_READER_VALIDATE_OBJECT_H
#define PRFDATA_READER_VALIDATE_OBJECT_H

#include "validate/validated.h"

/*
 * Check the fields of the header that describe the object itself. The header's lengths, except
 * HeaderLength, were checked when the object was read.
 *
 * o  The object, with its counters read.
 */
void prfdata_validate_object_check(prfdata_validated *j, const prfdata_validated_object *o);

/* Return the first counter type of the object that uses the object's clock, PerfTime; 0: none. */
uint32_t prfdata_validate_object_timer_type(const prfdata_validated_object *o);

#endif
