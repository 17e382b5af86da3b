/* SPDX-License-Identifier: MIT */
/* Compares the names of instances that two processes get. Portable. */
#ifndef PRFDATA_READER_VALIDATE_NAMES_H
#define PRFDATA_READER_VALIDATE_NAMES_H

#include "validate/validate.h"

/* The name of an instance, except _Total. */
typedef struct prfdata_validate_name {
    uint64_t hash;  /* hash of the name, ignoring case */
    uint32_t title; /* title index of the object */
} prfdata_validate_name;

/* Write the first names of a reply. Returns how many, at most `most`. */
size_t prfdata_validate_names(const prfdata_validate_reply *reply, prfdata_validate_name *names,
                              size_t most);

/* Find an object that has names in the reply and names in `names`, but no name in both. Returns its
 * title index; 0: there is none. */
uint32_t prfdata_validate_names_other(const prfdata_validate_reply *reply,
                                      const prfdata_validate_name *names, size_t count);

#endif
