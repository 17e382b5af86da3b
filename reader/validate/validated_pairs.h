/* SPDX-License-Identifier: MIT */
/* The instances of two replies, matched by their names: positions change, names do not. */
#ifndef PRFDATA_READER_VALIDATED_PAIRS_H
#define PRFDATA_READER_VALIDATED_PAIRS_H

#include "validate/validated.h"

/* By what an instance is found again. */
typedef struct prfdata_validated_key {
    const prfdata_validated_instance *of;
    const prfdata_validated_instance *parent; /* NULL: none */
} prfdata_validated_key;

/* Order by parent and name, or by name alone, ignoring case; for qsort(). */
int prfdata_validated_pairs_compare(const void *left, const void *right);
int prfdata_validated_pairs_compare_names(const void *left, const void *right);

/* A number that is the same for the same instance of this object, in any reply. */
uint64_t prfdata_validated_pairs_hash(const prfdata_validated_object *o,
                                      const prfdata_validated_instance *instance);

/* The keys of all instances, sorted by `compare`; for free(). NULL: no memory. */
prfdata_validated_key *prfdata_validated_pairs_keys(prfdata_validated *j,
                                                    const prfdata_validated_object *o,
                                                    int (*compare)(const void *, const void *));

/* An instance of an object that both replies have. */
typedef struct prfdata_validated_pair {
    const prfdata_validated *older;
    const prfdata_validated *newer;
    const prfdata_validated_object *object; /* the newer one */
    const prfdata_validated_instance *was;
    const prfdata_validated_instance *is;
} prfdata_validated_pair;

typedef void prfdata_validated_visit(void *context, const prfdata_validated_pair *pair);

/*
 * Visit the instances that are in both replies; what is there twice in either is left out.
 * gone  NULL, or visits those that the newer reply lacks: pair->is is NULL.
 */
void prfdata_validated_pairs_visit(prfdata_validated *older, prfdata_validated *newer,
                                   const prfdata_validated_object *was,
                                   const prfdata_validated_object *is,
                                   prfdata_validated_visit *visit, prfdata_validated_visit *gone,
                                   void *context);

#endif
