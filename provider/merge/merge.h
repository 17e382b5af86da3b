/* SPDX-License-Identifier: MIT */
/*
 * From the snapshots of all regions to the rows that readers see: same-named instances become one,
 * totals are summed (docs/architecture.md, decisions 5 and 6). reply.h writes them.
 */
#ifndef PRFDATA_MERGE_H
#define PRFDATA_MERGE_H

#include "base/hash_table.h"
#include "snapshot/snapshot.h"

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
    const prfdata_model_object *model_object;
    uint32_t index;     /* of the object in the model */
    uint32_t row_limit; /* rows that there is memory for */
    size_t bytes_limit; /* of `bytes` */
    uint32_t row_count; /* instances in the order of emission, without `_Total`; 0 without them */
    prfdata_merge_row *rows;
    uint64_t *values; /* row_count times the object's cell_count; the allocation of all four */
    uint64_t *totals; /* the object's cells without instances, or of `_Total`; else unused */
    uint64_t *sums;   /* of each region, stored_count each, which make the totals; the same owner */
    prfdata_merge_part *parts; /* part_count of them */
    size_t part_count;
    size_t part_capacity;
    uint32_t **slot_rows; /* per region but summaries: the row of each slot, or PRFDATA_NONE */
    size_t bytes;         /* of all instances in a reply, their counter blocks included */
    uint32_t too_many;    /* live instances beyond the limits */
    prfdata_hash_table rows_by_key;
    /* Set by prfdata_carry_apply(): */
    uint64_t carried_changes; /* of the object, after this application */
    bool has_records;         /* of rows that have, or had, several contributors */
} prfdata_merge_object;

/* What one Collect has read of its set of regions, and what is shown of it. */
typedef struct prfdata_merge {
    const prfdata_model *model; /* of the shown map */
    const bool *wanted;         /* of its objects */
    uint64_t seed; /* of the look-up by name: random, so that names cannot be chosen to collide */
    uint64_t rows_bytes_left;     /* that rows may still take; beyond that instances are dropped */
    prfdata_snapshot **snapshots; /* region_count of them, in the shape of the model; only read */
    uint32_t region_count;
    uint32_t unread_count;
    uint64_t *unread; /* ids of the regions of which not all could be read: they stay */
    prfdata_merge_object *objects; /* of the model; NULL: not merged */
    uint32_t newer_count;          /* set by prfdata_carry_apply(): see there */
    /* The carry's, from prfdata_carry_begin() to prfdata_carry_end(): */
    uint64_t number;             /* in the order of beginning, from 1 */
    uint64_t shown_changes;      /* of the carry when it began */
    struct prfdata_merge *older; /* that runs */
} prfdata_merge;

/*
 * For the rows of all objects together. Slots of regions of the shown map take more in their views,
 * which have this limit; those of an earlier map may be much smaller than rows.
 */
#define PRFDATA_MERGE_MOST_ROWS_BYTES (256ull * 1024 * 1024)

/*
 * Merge the wanted objects of all regions, into `objects`, which borrow names from the snapshots.
 *
 * merge  With all that is before `objects`; zeroed from there.
 *
 * Returns PRFDATA_DONE or PRFDATA_NO_MEMORY.
 */
prfdata_result prfdata_merge_make(prfdata_merge *merge);

/* Free `objects`, also after a failure, or where nothing was merged. */
void prfdata_merge_free(prfdata_merge *merge);

/* Whether an object has totals: those of all instances, or its only values. */
static inline bool prfdata_merge_has_totals(const prfdata_model_object *object)
{
    return !object->has_instances || (object->options & PRFDATA_OPTION_TOTAL);
}

/* Bytes that an instance takes in a reply, its counter block included. A number: 0 chars. */
size_t prfdata_merge_instance_bytes(const prfdata_model_object *object, uint32_t name_chars);

/* Bytes that all instances of an object may take; what does not fit is dropped. */
size_t prfdata_merge_instances_room(const prfdata_model_object *object);

/* How many rows an object may have, however short their names are. */
uint32_t prfdata_merge_most_rows(const prfdata_model_object *object);

#endif
