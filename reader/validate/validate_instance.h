/* SPDX-License-Identifier: MIT */
/* Read and check the instances of an object, or its one counter block. */
#ifndef PRFDATA_READER_VALIDATE_INSTANCE_H
#define PRFDATA_READER_VALIDATE_INSTANCE_H

#include "validate/validated.h"

/*
 * Read what follows the object's definitions as far as its lengths are right. Checks the lengths,
 * the number of instances and their names.
 *
 * o  After prfdata_validate_counter_read().
 */
void prfdata_validate_instance_read(prfdata_validated *j, prfdata_validated_object *o);

/*
 * Check the instances that were read: whether their blocks hold all values, their parents, and
 * names that are there twice.
 *
 * j  With all objects read and sorted.
 */
void prfdata_validate_instance_check(prfdata_validated *j, const prfdata_validated_object *o);

#endif
