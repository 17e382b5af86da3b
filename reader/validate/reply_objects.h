/* SPDX-License-Identifier: MIT */
/* Declares the set of a reply's objects, by their title indexes. Portable. */
#ifndef PRFDATA_READER_REPLY_OBJECTS_H
#define PRFDATA_READER_REPLY_OBJECTS_H

#include "validate/validate.h"

#define PRFDATA_REPLY_OBJECTS_MAX 1024u

typedef struct prfdata_reply_objects {
    uint32_t items[PRFDATA_REPLY_OBJECTS_MAX];
    /* The parents that prfdata_validate_next_object() finds. */
    uint32_t parents[PRFDATA_REPLY_OBJECTS_MAX];
    uint32_t ends[PRFDATA_REPLY_OBJECTS_MAX];
    int32_t instances[PRFDATA_REPLY_OBJECTS_MAX]; /* NumInstances */
    uint32_t counters[PRFDATA_REPLY_OBJECTS_MAX]; /* NumCounters */
    size_t count;
} prfdata_reply_objects;

/* Read the objects of a reply, as far as their lengths are valid and the set has room. */
void prfdata_reply_objects_read(const prfdata_validate_reply *reply, prfdata_reply_objects *set);

bool prfdata_reply_objects_has(const prfdata_reply_objects *set, uint32_t title);

/* Return the first title of `some` that `all` lacks; 0: none. */
uint32_t prfdata_reply_objects_first_missing(const prfdata_reply_objects *some,
                                             const prfdata_reply_objects *all);

/* Return the first title of `few` that has more instances in `many`; 0: none. */
uint32_t prfdata_reply_objects_first_cut(const prfdata_reply_objects *few,
                                         const prfdata_reply_objects *many);

/* Return the first title of `all` that `some` lacks, or that has instances only in `all`; 0:
 * none. */
uint32_t prfdata_reply_objects_first_empty(const prfdata_reply_objects *some,
                                           const prfdata_reply_objects *all);

/* Return the first title that is in `before` and `after` but not in `between`; 0: none. A title
 * also counts if it has instances in `before` and `after` but none in `between`. */
uint32_t prfdata_reply_objects_first_lost(const prfdata_reply_objects *before,
                                          const prfdata_reply_objects *between,
                                          const prfdata_reply_objects *after);

/* Return the extent of a set, which is a sum: the number of its objects, plus the number of their
 * counters (at most 1024 of each object), plus the number of their instances (at most two of each
 * object, because instances come and go). */
uint32_t prfdata_reply_objects_extent(const prfdata_reply_objects *set);

/* Returns whether one of the objects may have instances but has none now. */
bool prfdata_reply_objects_lack_instances(const prfdata_reply_objects *set);

/* Add the objects of `set` to `seen`, as far as there is room. For an object that `seen` has
 * already, the larger numbers of instances and counters stay. Does not set parents and ends. */
void prfdata_reply_objects_add(prfdata_reply_objects *seen, const prfdata_reply_objects *set);

bool prfdata_reply_objects_are_same(const prfdata_reply_objects *a, const prfdata_reply_objects *b);

#endif
