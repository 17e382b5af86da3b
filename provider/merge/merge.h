/* SPDX-License-Identifier: MIT */
/*
 * From the snapshots of all regions to the rows that readers see: same-named instances become one,
 * totals are summed (docs/architecture.md, decisions 5 and 6). reply.h writes them.
 */
#ifndef PRFDATA_MERGE_H
#define PRFDATA_MERGE_H

#include "base/hash_table.h"
#include "snapshot/snapshot.h"

/* One region's part in the merge. */
typedef struct prfdata_merge_region {
    uint64_t id;                /* of the region */
    prfdata_snapshot *snapshot; /* which is only read */
    bool is_live;               /* published, and its file has a writer */
    bool is_late;               /* sums were shown without it before */
} prfdata_merge_region;

typedef struct prfdata_merge_row {
    prfdata_region_key key; /* its name is borrowed from a snapshot, and its parent is a row of the
                               parent object, without identity */
    uint32_t slot_count;    /* slots that add to it */
} prfdata_merge_row;

/* A slot that adds to a row. */
typedef struct prfdata_merge_part {
    uint32_t region;
    uint32_t position; /* in the region's snapshot */
    uint32_t row;
} prfdata_merge_part;

typedef struct prfdata_merge_object {
    uint32_t row_count; /* instances in the order of emission, without `_Total`; 0 without them */
    prfdata_merge_row *rows;
    uint64_t *values; /* row_count times the object's cell_count; the allocation of all three */
    uint64_t *totals; /* the object's cells without instances, or of `_Total`; else unused */
    uint64_t *sums;   /* of each region, stored_count each, which make the totals; the same owner */
    prfdata_merge_part *parts; /* part_count of them */
    size_t part_count;
    size_t part_capacity;
    uint32_t **slot_rows; /* per region but summaries: the row of each slot, or PRFDATA_NONE */
    size_t bytes;         /* of all instances in a reply, their counter blocks included */
    uint32_t dropped;     /* live instances beyond the limits */
    uint64_t
        carried_changes; /* set by prfdata_carry_apply(): of its object, after this application */
    bool is_plain;       /* the same: nothing is carried for its rows */
    prfdata_hash_table rows_by_key;
} prfdata_merge_object;

typedef struct prfdata_merged {
    uint32_t newer_count; /* set by prfdata_carry_apply(): brought up beside what is older */
    uint32_t object_count;
    prfdata_merge_object objects[1]; /* object_count of them */
} prfdata_merged;

/*
 * For the rows of all objects together. Slots of regions of the shown map take more in their views,
 * which have this limit; those of an earlier map may be much smaller than rows.
 */
#define PRFDATA_MERGE_MAX_ROWS_BYTES ((SIZE_MAX > UINT32_MAX ? 1024ull : 256ull) * 1024 * 1024)

/*
 * Merge the wanted objects of all regions. The result borrows names from the snapshots.
 *
 * most_bytes  Of rows; instances for which it does not suffice are dropped.
 * seed    Of the look-up by name: random, so that names cannot be chosen to collide.
 *
 * Returns PRFDATA_DONE or PRFDATA_NO_MEMORY.
 * Owner:   the caller; prfdata_merge_free().
 */
prfdata_result prfdata_merge_make(const prfdata_model *model, const bool *wanted,
                                  const prfdata_merge_region *regions, uint32_t region_count,
                                  uint64_t most_bytes, uint64_t seed, prfdata_merged **merged);
void prfdata_merge_free(prfdata_merged *merged);

/* Bytes that an instance takes in a reply, its counter block included. A number: 0 chars. */
size_t prfdata_merge_instance_bytes(const prfdata_model_object *object, uint32_t name_chars);

/* Bytes that all instances of an object may take; what does not fit is dropped. */
size_t prfdata_merge_instances_room(const prfdata_model_object *object);

/* How many rows an object may have, however short their names are. */
uint32_t prfdata_merge_most_rows(const prfdata_model_object *object);

#endif
