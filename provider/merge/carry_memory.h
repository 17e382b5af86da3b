/* SPDX-License-Identifier: MIT */
/*
 * Keeps what a reader remembers of contributors, for carry.c, which decides what of it is shown.
 * All functions are called under the lock of the prfdata_carry.
 *
 * Values are vectors of `word_count` words: first the cells of the object's counters, in the shape
 * of the current map, then those of counters that earlier maps had and the current one lacks. Only
 * counters that outlive their contributor have other values than 0.
 */
#ifndef PRFDATA_CARRY_MEMORY_H
#define PRFDATA_CARRY_MEMORY_H

#include "base/hash_table.h"
#include "merge/carry.h"
#include "snapshot/cells.h"

/* The record of the sums: the first one. */
enum { PRFDATA_CARRY_SUMS = 0 };

/* A writer that changes a name under its identity makes another contributor, and spoils only its
 * own. */
typedef struct prfdata_carry_key {
    uint64_t region;
    uint64_t name; /* a hash of the names of the row and its parents; 0: the sums of the region */
    uint32_t slot; /* PRFDATA_NONE: the same */
    uint32_t identity;
} prfdata_carry_key;

typedef struct prfdata_carry_contributor {
    prfdata_carry_key key;
    uint32_t record;
    bool has_brackets;     /* threads were inside some when it was recorded, or before */
    bool is_summary;       /* plans have it as a constant */
    bool is_seen;          /* by the application that runs, or by the last one */
    bool is_gone;          /* it is missing, and will not come back */
    bool knows_baselines;  /* the slot's, in the current shape */
    uint64_t missed_merge; /* last merge that had begun when it was first missed; 0: it is there */
} prfdata_carry_contributor;

typedef struct prfdata_carry_record {
    uint32_t row;    /* of the current application; PRFDATA_NONE: it does not show it */
    uint32_t joined; /* while rows look for their records: into which it goes; else PRFDATA_NONE */
    uint64_t
        absent_merge; /* last merge that had begun when it was first not shown; 0: it is shown */
} prfdata_carry_record;

/* A counter that the current map lacks. A later map may have it again. */
typedef struct prfdata_carry_kept {
    const prfdata_model_object *object; /* of the map that had it */
    const prfdata_model_counter *counter;
} prfdata_carry_kept;

typedef struct prfdata_carry_object {
    const prfdata_model *model; /* of `model_object` */
    const prfdata_model_object *model_object;
    uint32_t word_count; /* of a vector: the object's stored_count, and kept_count */
    uint32_t kept_count;
    prfdata_carry_kept *kept;      /* in the order of the words */
    bool is_crowded;               /* missing contributors take too much memory */
    prfdata_carry_record *records; /* record_count of them; the first is that of the sums */
    size_t record_count;
    size_t record_capacity;
    uint64_t *record_values; /* a vector per record: of contributors that are forgotten */
    size_t record_values_capacity;
    prfdata_carry_contributor *contributors; /* contributor_count of them */
    size_t contributor_count;
    size_t contributor_capacity;
    uint64_t *contributor_values; /* two vectors each: the most that was shown, and baselines */
    size_t contributor_values_capacity;
    prfdata_hash_table contributors_by_key;
} prfdata_carry_object;

static inline uint64_t *prfdata_carry_memory_contributor_values(const prfdata_carry_object *object,
                                                                size_t position)
{
    return object->contributor_values + 2 * position * object->word_count;
}

/* Of the slot under this name: what its cells had when it got the name. */
static inline uint64_t *
prfdata_carry_memory_contributor_baselines(const prfdata_carry_object *object, size_t position)
{
    return prfdata_carry_memory_contributor_values(object, position) + object->word_count;
}

static inline uint64_t *prfdata_carry_memory_record_values(const prfdata_carry_object *object,
                                                           size_t position)
{
    return object->record_values + position * object->word_count;
}

/* Returns the position of a contributor, or PRFDATA_NONE. */
uint32_t prfdata_carry_memory_find(const prfdata_carry_object *object,
                                   const prfdata_carry_key *key);

/* Return the new position, or PRFDATA_NONE: no memory. Pointers to values are invalid then. */
uint32_t prfdata_carry_memory_add_record(prfdata_carry_object *object);
uint32_t prfdata_carry_memory_add_contributor(prfdata_carry_object *object,
                                              const prfdata_carry_key *key, uint32_t record);

/* Add a vector to another one, also what the current map lacks. */
void prfdata_carry_memory_add(const prfdata_carry_object *object, const uint64_t *from,
                              uint64_t *to);

/* Note which records are not shown, and forget what no running Collect can have seen. */
void prfdata_carry_memory_forget(const prfdata_carry *carry, prfdata_carry_object *object);

/*
 * Bring what is carried into the shape of another map's model. Objects and counters that this map
 * lacks are kept for a later one.
 *
 * model  Borrowed, as the models before it are, until prfdata_carry_done().
 *
 * Returns PRFDATA_DONE or PRFDATA_NO_MEMORY; then nothing has changed.
 */
prfdata_result prfdata_carry_memory_reshape(prfdata_carry *carry, const prfdata_model *model);

/* Whether an object, or a counter that is kept, is of a model. */
bool prfdata_carry_memory_has_model(const prfdata_carry *carry, const prfdata_model *model);

/* `objects`: `count` of them, or NULL. */
void prfdata_carry_memory_free(prfdata_carry_object *objects, uint32_t count);

#endif
