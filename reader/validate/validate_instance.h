/* SPDX-License-Identifier: MIT */
/* Reads and checks the instances of an object, or its only counter block. */
#ifndef PRFDATA_READER_VALIDATE_INSTANCE_H
#define PRFDATA_READER_VALIDATE_INSTANCE_H

#include "validate/validated.h"

/*
 * Read everything after the object's definitions as far as its lengths are valid. Checks the
 * lengths, the number of instances and their names.
 *
 * o  The object, after prfdata_validate_counter_read().
 */
void prfdata_validate_instance_read(prfdata_validated *j, prfdata_validated_object *o);

/*
 * Check the instances that were read. Their blocks must contain all values, and their parents must
 * exist. Instances of one parent must have different names, and must not mix names with UniqueIDs.
 *
 * j  The reply, with all objects read and sorted.
 */
void prfdata_validate_instance_check(prfdata_validated *j, const prfdata_validated_object *o);

#endif
