/* SPDX-License-Identifier: MIT */
/*
 * Declares the memory of the carry. carry.c decides which remembered values are shown. Everything
 * is protected by the lock in prfdata_carry.
 *
 * Values are stored as vectors of `word_count` words. The first words are the cells of the object's
 * counters, in the shape of the current map. The other words are the cells of counters that only
 * earlier maps had. Only counters that prfdata_cells_record() records have values other than 0.
 */
#ifndef PRFDATA_CARRY_MEMORY_H
#define PRFDATA_CARRY_MEMORY_H

#include "base/hash_table.h"
#include "merge/carry.h"
#include "snapshot/cells.h"

/* The position of the record of the totals. */
enum { PRFDATA_CARRY_TOTALS = 0 };

/*
 * Identifies a contributor. The name is a part of the key, so that a writer that changes a slot's
 * name but not its identity can falsify only its own values.
 */
typedef struct prfdata_carry_key {
    uint64_t region;
    uint64_t name; /* a hash of the names of the row and its parents; 0: the region's sums */
    uint32_t slot; /* PRFDATA_NONE: the region's sums */
    uint32_t identity;
} prfdata_carry_key;

/*
 * The states of a contributor. carry.c changes them. prfdata_carry_memory_forget() removes a
 * contributor that is gone, and adds its values to its record:
 *
 *   present <---> missing ---> gone ---> forgotten
 *
 * A missing contributor is gone if its slot has a later name. In a crowded object, it is also gone
 * if a later Collect does not find it. It stays missing if its region is in the set of that Collect
 * but was not read completely. If a slower Collect with older copies finds a contributor that is
 * gone, the contributor is present again.
 */
typedef enum prfdata_carry_state {
    PRFDATA_CARRY_PRESENT,
    /* it was present, and the current call of prfdata_carry_apply() has not found it yet */
    PRFDATA_CARRY_UNSEEN,
    PRFDATA_CARRY_MISSING,
    PRFDATA_CARRY_GONE /* it is forgotten as soon as no running Collect can have seen it */
} prfdata_carry_state;

/* Stands for an unknown baseline. No value is larger, so nothing counts above such a baseline. */
#define PRFDATA_CARRY_NO_BASELINE UINT64_MAX

typedef struct prfdata_carry_contributor {
    prfdata_carry_key key;
    uint32_t record;
    prfdata_carry_state state;
    bool has_brackets; /* its region had brackets in some merge that found it */
    bool is_summary;   /* its region is summarised, so plans contain its values as constants */
    /* only for a region's sums: all accumulating counters of the current map have baselines */
    bool has_begun;
    /* if it is missing or gone: the carry's `recordings` when it last became missing */
    uint64_t missing_since;
} prfdata_carry_contributor;

typedef struct prfdata_carry_record {
    /* Its row in the merge to which the carry is applied. PRFDATA_NONE: it is not shown there, or
     * is the record of the totals. */
    uint32_t row;
    /* The record to which its contributors move; PRFDATA_NONE: they stay. */
    uint32_t moves_to;
    bool is_kept; /* set and used by prfdata_carry_memory_forget() */
} prfdata_carry_record;

typedef struct prfdata_carry_object {
    const prfdata_model *model; /* the model that contains `model_object` */
    const prfdata_model_object *model_object;
    /* Number of words of a vector: the object's stored_count plus absent_count. */
    uint32_t word_count;
    uint32_t absent_count;
    /*
     * The absent_count counters that the current map lacks and a later map may have again.
     * absent[i] is the counter of word stored_count + i. Borrowed from the models of the maps that
     * had these counters.
     */
    const prfdata_model_counter **absent;
    bool is_crowded;               /* missing contributors take too much memory */
    prfdata_carry_record *records; /* record_count of them; the first is the record of the totals */
    size_t record_count;
    size_t record_capacity;
    /* One vector per record: the sum of its forgotten contributors. For the totals, the baselines
     * of all regions are subtracted from the sum, modulo 2^64. */
    uint64_t *record_values;
    size_t record_values_capacity;
    prfdata_carry_contributor *contributors; /* contributor_count of them */
    size_t contributor_count;
    size_t contributor_capacity;
    /* one vector per contributor: the highest values shown, or its final count if that is higher */
    uint64_t *contributor_values;
    size_t contributor_values_capacity;
    /*
     * One vector per contributor. Of a slot: the part of each cell that was counted under earlier
     * names of the slot. Of a region: the part of each sum that the totals leave out.
     * PRFDATA_CARRY_NO_BASELINE: not known.
     */
    uint64_t *contributor_baselines;
    size_t contributor_baselines_capacity;
    prfdata_hash_table contributors_by_key;
} prfdata_carry_object;

static inline uint64_t *prfdata_carry_memory_contributor_values(const prfdata_carry_object *object,
                                                                size_t position)
{
    return object->contributor_values + position * object->word_count;
}

static inline uint64_t *
prfdata_carry_memory_contributor_baselines(const prfdata_carry_object *object, size_t position)
{
    return object->contributor_baselines + position * object->word_count;
}

static inline uint64_t *prfdata_carry_memory_record_values(const prfdata_carry_object *object,
                                                           size_t position)
{
    return object->record_values + position * object->word_count;
}

/* Whether a contributor is missing or gone. */
static inline bool prfdata_carry_memory_is_missing(const prfdata_carry_contributor *contributor)
{
    return contributor->state == PRFDATA_CARRY_MISSING || contributor->state == PRFDATA_CARRY_GONE;
}

/* Returns the position of a contributor, or PRFDATA_NONE. */
uint32_t prfdata_carry_memory_find(const prfdata_carry_object *object,
                                   const prfdata_carry_key *key);

/*
 * Return the new position, or PRFDATA_NONE if memory is exhausted. Pointers to values become
 * invalid.
 */
uint32_t prfdata_carry_memory_add_record(prfdata_carry_object *object);
uint32_t prfdata_carry_memory_add_contributor(prfdata_carry_object *object,
                                              const prfdata_carry_key *key, uint32_t record);

/* Adds one vector to another, including the counters that the current map lacks. */
void prfdata_carry_memory_add(const prfdata_carry_object *object, const uint64_t *from,
                              uint64_t *to);

/*
 * Forgets contributors that are gone, unless a running Collect may have seen them. Also forgets the
 * record of a row that is not shown, together with its contributors. Keeps such a record if one of
 * its contributors is present, or if a running Collect may have seen one.
 */
void prfdata_carry_memory_forget(const prfdata_carry *carry, prfdata_carry_object *object);

/*
 * Converts the carry to the shape of another map's model. Objects and counters that the new map
 * lacks are kept for a later map.
 *
 * model  The carry refers to it, and to those earlier models whose objects or counters it keeps, as
 *        long as prfdata_carry_has_model() says so.
 *
 * Returns PRFDATA_DONE, or PRFDATA_NO_MEMORY, in which case nothing has changed.
 */
prfdata_result prfdata_carry_memory_reshape(prfdata_carry *carry, const prfdata_model *model);

/* Whether an object or an absent counter belongs to a model. */
bool prfdata_carry_memory_has_model(const prfdata_carry *carry, const prfdata_model *model);

/* Frees `count` objects. `objects` may be NULL. */
void prfdata_carry_memory_free(prfdata_carry_object *objects, uint32_t count);

#endif
