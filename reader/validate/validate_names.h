/* SPDX-License-Identifier: MIT */
/* Compares the names of instances that two processes get. Portable. */
#ifndef PRFDATA_READER_VALIDATE_NAMES_H
#define PRFDATA_READER_VALIDATE_NAMES_H

#include "validate/validate.h"

/* The name of an instance, except _Total. */
typedef struct prfdata_validate_name {
    uint64_t hash;   /* hash of the name, ignoring case */
    uint64_t around; /* hash of the name without the id of the process that got it; 0: the name does
                        not contain this id */
    uint32_t title;  /* title index of the object */
} prfdata_validate_name;

/* Write the first names of a reply that a process got. `process` is the id of that process. Returns
 * how many, at most `most`. */
size_t prfdata_validate_names(const prfdata_validate_reply *reply, uint32_t process,
                              prfdata_validate_name *names, size_t most);

/* Find an object that has names in the reply and names in `names`, but no name in both. Returns its
 * title index; 0: there is none. */
uint32_t prfdata_validate_names_other(const prfdata_validate_reply *reply,
                                      const prfdata_validate_name *names, size_t count);

/* Find an object that gives each reader an instance name with the reader's own process id. `names`
 * are the names that another process got. The reply has a name with the id `process`. In `names`,
 * this name occurs only with another id. An object that lists processes is not found, because each
 * reader gets the names with both ids. Returns the object's title index; 0: there is none. */
uint32_t prfdata_validate_names_numbered(const prfdata_validate_reply *reply, uint32_t process,
                                         const prfdata_validate_name *names, size_t count);

#endif
