/* SPDX-License-Identifier: MIT */
/* The instances of two replies, matched by their names: positions change, names do not. */
#ifndef PRFDATA_READER_JUDGED_PAIRS_H
#define PRFDATA_READER_JUDGED_PAIRS_H

#include "judge/judged.h"

/* By what an instance is found again. */
typedef struct prfdata_judged_key {
    const prfdata_judged_instance *of;
    const prfdata_judged_instance *parent; /* NULL: none */
} prfdata_judged_key;

/* Order by parent and name, or by name alone, ignoring case; for qsort(). */
int prfdata_judged_pairs_compare(const void *left, const void *right);
int prfdata_judged_pairs_compare_names(const void *left, const void *right);

/* A number that is the same for the same instance of this object, in any reply. */
uint64_t prfdata_judged_pairs_hash(const prfdata_judged_object *o,
                                   const prfdata_judged_instance *instance);

/* The keys of all instances, sorted by `compare`; for free(). NULL: no memory. */
prfdata_judged_key *prfdata_judged_pairs_keys(prfdata_judged *j, const prfdata_judged_object *o,
                                              int (*compare)(const void *, const void *));

/* An instance of an object that both replies have. */
typedef struct prfdata_judged_pair {
    const prfdata_judged *older;
    const prfdata_judged *newer;
    const prfdata_judged_object *object; /* the newer one */
    const prfdata_judged_instance *was;
    const prfdata_judged_instance *is;
} prfdata_judged_pair;

typedef void prfdata_judged_visit(void *context, const prfdata_judged_pair *pair);

/*
 * Visit the instances that are in both replies; what is there twice in either is left out.
 * gone  NULL, or visits those that the newer reply lacks: pair->is is NULL.
 */
void prfdata_judged_pairs_visit(prfdata_judged *older, prfdata_judged *newer,
                                const prfdata_judged_object *was, const prfdata_judged_object *is,
                                prfdata_judged_visit *visit, prfdata_judged_visit *gone,
                                void *context);

#endif
