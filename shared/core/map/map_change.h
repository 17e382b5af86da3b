/* SPDX-License-Identifier: MIT */
/*
 * Compares two versions of a map. A count continues if the object continues, and if the counter's
 * id and meaning are the same (docs/architecture.md, decision 14). An object continues if its
 * parent is the same, and if it has instances in both versions or in neither. Two counters have the
 * same meaning if all of these are true:
 * - Their cells have the same class (map_hash.h).
 * - They have the same clock and the same health number.
 * - Both are bases, or neither is a base.
 * - If they are bases, their fractions have the same class and the same clock.
 * - If they accumulate, both show the same statistic of the same distribution in the same unit, or
 *   neither shows a distribution.
 */
#ifndef PRFDATA_MAP_CHANGE_H
#define PRFDATA_MAP_CHANGE_H

#include "map/model.h"

typedef enum prfdata_map_change_kind {
    PRFDATA_MAP_CHANGE_KIND,      /* an id has another kind: object, counter or distribution */
    PRFDATA_MAP_CHANGE_MOVED,     /* a counter is in another object */
    PRFDATA_MAP_CHANGE_INSTANCES, /* an object got or lost its instances */
    PRFDATA_MAP_CHANGE_PARENT,
    PRFDATA_MAP_CHANGE_CLASS, /* a counter's cell has another class */
    PRFDATA_MAP_CHANGE_CLOCK,
    PRFDATA_MAP_CHANGE_SHOWN,  /* a counter shows another distribution, statistic or unit */
    PRFDATA_MAP_CHANGE_HEALTH, /* a counter shows another health number (0: none) */
    /* a base has a fraction of another class or clock, or a counter is a base in one map only */
    PRFDATA_MAP_CHANGE_FRACTION
} prfdata_map_change_kind;

/* Stands for a missing parent, because a parent's id may be 0. */
#define PRFDATA_MAP_CHANGE_NO_PARENT UINT64_MAX

/* An id whose meaning changes. */
typedef struct prfdata_map_change {
    prfdata_map_change_kind kind;
    const prfdata_map_entry *entry; /* entry of the later map: symbol, id, name */
    /*
     * The old and the new meaning. What the numbers are depends on `kind`:
     * - KIND: PRFDATA_ENTRY_...; a distribution has PRFDATA_ENTRY_OPTION.
     * - MOVED: the id of the counter's object.
     * - INSTANCES: 1 if the object has instances, otherwise 0.
     * - PARENT: the id of the parent, or PRFDATA_MAP_CHANGE_NO_PARENT.
     * - CLASS: a prfdata_cell_class.
     * - CLOCK: a prfdata_ticks.
     * - SHOWN: the id of the shown distribution; 0 if the counter shows none.
     * - HEALTH: the shown PRFDATA_HEALTH_...; 0 if the counter shows none.
     * - FRACTION: the type of the base's fraction; 0 if the counter is no base.
     */
    uint64_t from;
    uint64_t to;
} prfdata_map_change;

/*
 * Whether an object has another meaning in the later map. If so, `change` gets the first
 * difference. The field `entry` is not set.
 */
bool prfdata_map_change_of_object(const prfdata_model *earlier, const prfdata_model_object *from,
                                  const prfdata_model *later, const prfdata_model_object *to,
                                  prfdata_map_change *change);

/*
 * Whether a counter has another meaning in the later map. If so, `change` gets the first
 * difference. The field `entry` is not set. Returns false if the counter has no cell in one of the
 * maps.
 */
bool prfdata_map_change_of_counter(const prfdata_model_counter *from,
                                   const prfdata_model_counter *to, prfdata_map_change *change);

/*
 * Find every id that has another meaning in the later map.
 *
 * changes  Gets the first `capacity` changes, object by object in the order of the later map: the
 *          object, its counters, its distributions. They borrow from the later map. May be NULL if
 *          capacity is 0.
 *
 * Returns the number of changes, which may exceed `capacity`.
 */
size_t prfdata_map_change_find(const prfdata_model *earlier, const prfdata_model *later,
                               prfdata_map_change *changes, size_t capacity);

/*
 * Describe a change in one sentence without its full stop: the id, its old meaning and its new one.
 * UTF-8.
 *
 * text  Gets at most `capacity` bytes with the NUL.
 * Returns the length in bytes of the whole sentence, without the NUL.
 */
size_t prfdata_map_change_text(const prfdata_map_change *change, char *text, size_t capacity);

/* The object of an earlier map that continues as `object` of a later one, or NULL. */
const prfdata_model_object *prfdata_map_change_earlier_object(const prfdata_model *earlier,
                                                              const prfdata_model *later,
                                                              const prfdata_model_object *object);

/*
 * The counter of an earlier map that continues as `counter` of a later one, or NULL.
 *
 * earlier_object  prfdata_map_change_earlier_object() of the counter's object.
 */
const prfdata_model_counter *
prfdata_map_change_earlier_counter(const prfdata_model_object *earlier_object,
                                   const prfdata_model_counter *counter);

/* Whether the count of the counter `from` continues in the counter `to`. */
bool prfdata_map_change_counter_goes_on(const prfdata_model_counter *from,
                                        const prfdata_model_counter *to);

/*
 * Whether two distributions with the same id have the same unit, buckets and window. If they do,
 * the records of `from` continue in `to`.
 */
bool prfdata_map_change_distribution_goes_on(const prfdata_model_distribution *from,
                                             const prfdata_model_distribution *to);

#endif
