/* SPDX-License-Identifier: MIT */
/* Sorts the instances of two replies, and walks along both (validated_pairs.h). */
#include "validate/validated_pairs.h"

#include <stdlib.h>

#include "base/fnv.h"

int prfdata_validated_pairs_compare_names(const void *left, const void *right)
{
    const prfdata_validated_key *a = left;
    const prfdata_validated_key *b = right;
    const int order =
        prfdata_validated_order(a->of->definition.unique_id, b->of->definition.unique_id);

    return order != 0 ? order : prfdata_validated_order_names(a->of, b->of);
}

static int compare_parents(const prfdata_validated_instance *a, const prfdata_validated_instance *b)
{
    int order;

    if (!a || !b)
        return prfdata_validated_order(a != NULL, b != NULL);
    order = prfdata_validated_order(a->definition.unique_id, b->definition.unique_id);
    return order != 0 ? order : prfdata_validated_order_names(a, b);
}

int prfdata_validated_pairs_compare(const void *left, const void *right)
{
    const prfdata_validated_key *a = left;
    const prfdata_validated_key *b = right;
    int order = prfdata_validated_order(a->of->definition.parent_object_title_index,
                                        b->of->definition.parent_object_title_index);

    if (order == 0)
        order = compare_parents(a->parent, b->parent);
    return order != 0 ? order : prfdata_validated_pairs_compare_names(a, b);
}

prfdata_validated_key *prfdata_validated_pairs_keys(prfdata_validated *j,
                                                    const prfdata_validated_object *o,
                                                    int (*compare)(const void *, const void *))
{
    prfdata_validated_key *keys = prfdata_validated_array(j, o->instance_count, sizeof *keys);

    if (!keys)
        return NULL;
    for (uint32_t i = 0; i < o->instance_count; i++) {
        const prfdata_perf_instance_definition *d = &o->instances[i].definition;
        const prfdata_validated_object *parent = NULL;

        if (d->parent_object_title_index != 0)
            parent = prfdata_validated_find(j, d->parent_object_title_index);
        keys[i].of = &o->instances[i];
        if (parent && d->parent_object_instance < parent->instance_count)
            keys[i].parent = &parent->instances[d->parent_object_instance];
    }
    qsort(keys, o->instance_count, sizeof *keys, compare);
    return keys;
}

static uint32_t count_equal_keys(const prfdata_validated_key *keys, uint32_t count, uint32_t i)
{
    uint32_t equal = 1;

    while (i + equal < count && prfdata_validated_pairs_compare(&keys[i], &keys[i + equal]) == 0)
        equal++;
    return equal;
}

static void visit_gone(const prfdata_validated_pair *here, const prfdata_validated_key *key,
                       prfdata_validated_visit *gone, void *context)
{
    prfdata_validated_pair pair = *here;

    pair.was = key->of;
    if (gone)
        gone(context, &pair);
}

/*
 * Returns a hash of the object, the UniqueID and the name. The hash leaves out the parent's name,
 * so an instance with the same name and another parent has the same hash.
 */
uint64_t prfdata_validated_pairs_hash(const prfdata_validated_object *o,
                                      const prfdata_validated_instance *instance)
{
    uint64_t hash = PRFDATA_FNV_START;

    hash = prfdata_fnv_add(hash, &o->header.object_name_title_index, sizeof(uint32_t));
    hash = prfdata_fnv_add(hash, &instance->definition.unique_id, sizeof(uint32_t));
    return prfdata_fnv_add(hash, instance->name.chars,
                           instance->name.count * sizeof *instance->name.chars);
}

void prfdata_validated_pairs_visit(prfdata_validated *older, prfdata_validated *newer,
                                   const prfdata_validated_object *was,
                                   const prfdata_validated_object *is,
                                   prfdata_validated_visit *visit, prfdata_validated_visit *gone,
                                   void *context)
{
    prfdata_validated_key *before =
        prfdata_validated_pairs_keys(older, was, prfdata_validated_pairs_compare);
    prfdata_validated_key *after =
        prfdata_validated_pairs_keys(newer, is, prfdata_validated_pairs_compare);
    const prfdata_validated_pair here = {older, newer, is, NULL, NULL};
    uint32_t i = 0;
    uint32_t k = 0;

    while (before && after && i < was->instance_count && k < is->instance_count) {
        const int order = prfdata_validated_pairs_compare(&before[i], &after[k]);
        const uint32_t equal_before = count_equal_keys(before, was->instance_count, i);
        const uint32_t equal_after = count_equal_keys(after, is->instance_count, k);

        if (order == 0 && equal_before == 1 && equal_after == 1) {
            const prfdata_validated_pair pair = {older, newer, is, before[i].of, after[k].of};

            visit(context, &pair);
        }
        if (order < 0)
            visit_gone(&here, &before[i], gone, context);
        if (order <= 0)
            i += equal_before;
        if (order >= 0)
            k += equal_after;
    }
    for (; before && after && i < was->instance_count; i++)
        visit_gone(&here, &before[i], gone, context);
    free(before);
    free(after);
}
