/* SPDX-License-Identifier: MIT */
/*
 * Declares the merge, which turns the snapshots of all regions into the rows that readers see.
 * Instances with the same name become one row, and the values of all regions are combined into
 * totals (docs/architecture.md, decisions 5 and 6). reply.h writes the rows.
 */
#ifndef PRFDATA_MERGE_H
#define PRFDATA_MERGE_H

#include "base/hash_table.h"
#include "base/perf_wire.h"
#include "snapshot/snapshot.h"

/* A slot that adds to a row. */
typedef struct prfdata_merge_part {
    uint32_t region;
    uint32_t position; /* position of the slot in the region's snapshot */
    uint32_t row;
} prfdata_merge_part;

typedef struct prfdata_merge_object {
    const prfdata_model_object *model_object;
    uint32_t index;
    uint32_t row_limit; /* how many rows there is memory for */
    size_t bytes_limit;
    /* number of rows, without `_Total`; 0 if the object has no instances */
    uint32_t row_count;
    /* The keys of the rows, in the order of the reply. The name in a key is borrowed from a
     * snapshot. `parent_slot` of a key is the parent's row in the parent object, or PRFDATA_NONE,
     * and `parent_identity` is 0. */
    prfdata_region_key *rows;
    uint32_t *row_parts; /* how many slots add to each row */
    /* row_count * cell_count values; owns the allocation of totals, sums, rows and row_parts */
    uint64_t *values;
    /* the cells of `_Total`, or of an object without instances; otherwise unused */
    uint64_t *totals;
    uint64_t *sums; /* stored_count cells per region, which are added up in the totals */
    prfdata_merge_part *parts;
    size_t part_count;
    size_t part_capacity;
    /* for each region except summaries: the row of each slot, or PRFDATA_NONE */
    uint32_t **slot_rows;
    size_t bytes;      /* size of all instances in a reply, including their counter blocks */
    uint32_t too_many; /* live instances beyond the limits */
    /* If several accounts compete for the rows: the account whose instances would need the most
     * room. NULL: it is not known, or accounts do not compete. Borrowed from a snapshot. */
    const prfdata_os_account *largest_account;
    prfdata_hash_table rows_by_key;
    /* Set by prfdata_carry_apply(): */
    uint64_t carried_version; /* the carry's `carried_version` for this object */
    bool has_records;         /* the carry has records of rows, in addition to that of the totals */
} prfdata_merge_object;

/* The merge of one Collect: what the query wants, the snapshots, and the rows made from them. */
typedef struct prfdata_merge {
    const prfdata_model *model;                 /* model of the current map */
    const bool *wanted;                         /* one flag per object of the model */
    prfdata_perf_object_type *const *templates; /* one per object of the model */
    bool metadata;                              /* only definitions are wanted, nothing is merged */
    bool totals_unknown;                        /* totals would be wrong, so they are left out */
    /* the seed of the hashes of names: `seed` of the carry */
    uint64_t seed;
    /* Bytes that rows may still take; instances beyond that are left out. */
    uint64_t rows_bytes_left;
    /* one per region, in the shape of the model; constant, because threads share summaries */
    prfdata_snapshot **snapshots;
    uint32_t region_count;
    uint32_t unread_count;
    /* ids of the regions that were not read completely */
    uint64_t *unread;
    prfdata_merge_object *objects; /* one per object of the model; NULL: not merged */
    uint32_t newer_count;          /* set by prfdata_carry_apply(), which describes it */
    /* Used by the carry, from prfdata_carry_begin() to prfdata_carry_end(): */
    uint64_t began;              /* the carry's `recordings` when this merge began */
    struct prfdata_merge *older; /* the next older merge that is still running */
} prfdata_merge;

/* The limit for the rows of all objects together. */
#define PRFDATA_MERGE_MOST_ROWS_BYTES (256ull * 1024 * 1024)

/*
 * Merges the wanted objects of all regions into `objects`, which borrow names from the snapshots.
 *
 * merge  The caller has set the fields above `objects`, except `totals_unknown`. `objects` and
 *        `newer_count` are zero.
 *
 * Returns PRFDATA_DONE or PRFDATA_NO_MEMORY.
 */
prfdata_result prfdata_merge_make(prfdata_merge *merge);

/* Frees `objects`, even after a failure or if nothing was merged. */
void prfdata_merge_free(prfdata_merge *merge);

/*
 * Returns a hash of the names of a row and its parents. The numbers of rows have no effect, so the
 * same names have the same hash in each merge with the same seed.
 *
 * row  The key of the row. The row need not exist, but its parent's row must.
 */
uint64_t prfdata_merge_hash_names(const prfdata_merge *merge, uint32_t object_index,
                                  const prfdata_region_key *row);

/* Whether an object has totals: `_Total`, or the values of an object without instances. */
static inline bool prfdata_merge_has_totals(const prfdata_model_object *object)
{
    return !object->has_instances || (object->options & PRFDATA_OPTION_TOTAL);
}

#endif
