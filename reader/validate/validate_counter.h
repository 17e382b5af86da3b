/* SPDX-License-Identifier: MIT */
/* Reads and checks the counter definitions of an object. */
#ifndef PRFDATA_READER_VALIDATE_COUNTER_H
#define PRFDATA_READER_VALIDATE_COUNTER_H

#include "validate/validated.h"

/*
 * Read the definitions as far as their lengths are valid, and find the beginning of the object's
 * contents. Checks the lengths.
 */
void prfdata_validate_counter_read(prfdata_validated *j, prfdata_validated_object *o);

/* Check the definitions that were read: each by itself, with its base, and compared with the
 * others. */
void prfdata_validate_counter_check(prfdata_validated *j, const prfdata_validated_object *o);

/* Returns whether the counter is the base of another counter. Readers do not list bases. */
bool prfdata_validate_counter_is_base(const prfdata_validated_counter *c);

#endif
