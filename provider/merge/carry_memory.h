/* SPDX-License-Identifier: MIT */
/*
 * What a reader remembers of contributors. For carry.c, which knows what of it is shown. All under
 * the lock of the prfdata_carry.
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
    bool has_brackets;         /* threads were inside some when it was recorded, or before */
    bool is_summary;           /* plans have it as a constant */
    uint32_t times_missed;     /* in a row; not counted while its region is there */
    uint64_t seen_application; /* number of the application that saw it last */
    uint64_t missed_merge; /* last merge that had begun when it was first missed; 0: it is there */
} prfdata_carry_contributor;

typedef struct prfdata_carry_record {
    uint32_t row;    /* of the current application; PRFDATA_NONE: it does not show it */
    uint32_t joined; /* while rows look for their records: into which it goes; else PRFDATA_NONE */
    uint64_t
        absent_merge; /* last merge that had begun when it was first not shown; 0: it is shown */
} prfdata_carry_record;

typedef struct prfdata_carry_object {
    const prfdata_model_object *model_object;
    uint64_t applications;
    bool is_crowded;               /* more contributors are missing than are there */
    prfdata_carry_record *records; /* record_count of them; the first is that of the sums */
    size_t record_count;
    size_t record_capacity;
    uint64_t *record_values; /* stored_count per record: of contributors that were folded */
    size_t record_values_capacity;
    prfdata_carry_contributor *contributors; /* contributor_count of them */
    size_t contributor_count;
    size_t contributor_capacity;
    uint64_t *contributor_values; /* stored_count per contributor: the most that was shown of it */
    size_t contributor_values_capacity;
    prfdata_hash_table contributors_by_key;
} prfdata_carry_object;

static inline uint64_t *prfdata_carry_memory_contributor_values(const prfdata_carry_object *object,
                                                                size_t position)
{
    return object->contributor_values + position * object->model_object->stored_count;
}

static inline uint64_t *prfdata_carry_memory_record_values(const prfdata_carry_object *object,
                                                           size_t position)
{
    return object->record_values + position * object->model_object->stored_count;
}

/* Returns the position of a contributor, or PRFDATA_NONE. */
uint32_t prfdata_carry_memory_find(const prfdata_carry_object *object,
                                   const prfdata_carry_key *key);

/* Return the new position, or PRFDATA_NONE: no memory. Pointers to values are invalid then. */
uint32_t prfdata_carry_memory_add_record(prfdata_carry_object *object);
uint32_t prfdata_carry_memory_add_contributor(prfdata_carry_object *object,
                                              const prfdata_carry_key *key, uint32_t record);

/* Note which records are not shown, and forget what no running Collect can have seen. */
void prfdata_carry_memory_forget(const prfdata_carry *carry, prfdata_carry_object *object);

/*
 * Bring what is carried into the shape of another map's model, which is borrowed.
 *
 * Returns PRFDATA_DONE or PRFDATA_NO_MEMORY; then nothing has changed.
 */
prfdata_result prfdata_carry_memory_reshape(prfdata_carry *carry, const prfdata_model *model);

/* `objects`: `count` of them, or NULL. */
void prfdata_carry_memory_free(prfdata_carry_object *objects, uint32_t count);

#endif
