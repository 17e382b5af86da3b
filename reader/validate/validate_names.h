/* SPDX-License-Identifier: MIT */
/* Compares the names of instances that two processes get. Portable. */
#ifndef PRFDATA_READER_VALIDATE_NAMES_H
#define PRFDATA_READER_VALIDATE_NAMES_H

#include "validate/validate.h"

/* A name of an instance, but _Total. */
typedef struct prfdata_validate_name {
    uint64_t hash;  /* of the name, ignoring case */
    uint32_t title; /* of the object */
} prfdata_validate_name;

/* Write the first names of a reply. Returns how many, at most `most`. */
size_t prfdata_validate_names(const prfdata_validate_reply *reply, prfdata_validate_name *names,
                              size_t most);

/*
 * Find an object that has names in the reply, and others among `names`, but none in both.
 * Returns its title index; 0: there is none.
 */
uint32_t prfdata_validate_names_other(const prfdata_validate_reply *reply,
                                      const prfdata_validate_name *names, size_t count);

#endif
