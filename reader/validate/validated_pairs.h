/* SPDX-License-Identifier: MIT */
/* Matches the instances of two replies by the names and UniqueIDs of instance and parent, because
 * these stay when positions change. */
#ifndef PRFDATA_READER_VALIDATED_PAIRS_H
#define PRFDATA_READER_VALIDATED_PAIRS_H

#include "validate/validated.h"

typedef struct prfdata_validated_key {
    const prfdata_validated_instance *of;
    const prfdata_validated_instance *parent; /* NULL: none */
} prfdata_validated_key;

/* Compare two keys for qsort(), ignoring case. The first function compares the parents, then the
 * UniqueIDs, then the names. The second function ignores the parents. */
int prfdata_validated_pairs_compare(const void *left, const void *right);
int prfdata_validated_pairs_compare_names(const void *left, const void *right);

/* Return a number by which an instance of this object is recognised in another reply, if its name
 * has the same case there. */
uint64_t prfdata_validated_pairs_hash(const prfdata_validated_object *o,
                                      const prfdata_validated_instance *instance);

/* Return the keys of all instances of the object, sorted by `compare`; release with free(). NULL:
 * no memory. */
prfdata_validated_key *prfdata_validated_pairs_keys(prfdata_validated *j,
                                                    const prfdata_validated_object *o,
                                                    int (*compare)(const void *, const void *));

/* An instance in two replies, both of which have its object. `is` is NULL if the newer reply lacks
 * the instance. */
typedef struct prfdata_validated_pair {
    const prfdata_validated *older;
    const prfdata_validated *newer;
    const prfdata_validated_object *object; /* of the newer reply */
    const prfdata_validated_instance *was;
    const prfdata_validated_instance *is;
} prfdata_validated_pair;

typedef void prfdata_validated_visit(void *context, const prfdata_validated_pair *pair);

/*
 * Visit the instances that are in both replies. If one of the replies has several instances with
 * the same key, these are not visited. Unless `gone` is NULL, it is called for the instances that
 * the newer reply lacks. Of several such instances with the same key, it may be called for only
 * one. The pair that `gone` gets has NULL as `is`.
 */
void prfdata_validated_pairs_visit(prfdata_validated *older, prfdata_validated *newer,
                                   const prfdata_validated_object *was,
                                   const prfdata_validated_object *is,
                                   prfdata_validated_visit *visit, prfdata_validated_visit *gone,
                                   void *context);

#endif
