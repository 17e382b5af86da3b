/* SPDX-License-Identifier: MIT */
/*
 * A private copy of what one region holds at one moment: the reader steps of region-format.md.
 * Another program writes the bytes: each is fetched once, under the guard, and none is used as a
 * size or an offset. What several regions make together is merge.h's.
 */
#ifndef PRFDATA_SNAPSHOT_H
#define PRFDATA_SNAPSHOT_H

#include "base/hash_table.h"
#include "region/region.h"
#include "snapshot/result.h"
#include "system/os.h"

/*
 * How long a reader tries to meet a moment at which no thread is inside a bracket. Trying longer
 * does not help: threads that were preempted inside stay there for a whole time slice.
 */
#define PRFDATA_SNAPSHOT_REGION_WAIT_US 50   /* of one region */
#define PRFDATA_SNAPSHOT_ALL_WAIT_US    1000 /* of all regions, each time */

/* What one slot held. A slot without instance still counts in totals. */
typedef struct prfdata_snapshot_slot {
    uint32_t slot_index;
    uint32_t state; /* PRFDATA_SLOT_...; FREE: no instance (R11 to R14) */
    uint32_t identity;
    uint32_t parent_slot; /* PRFDATA_NONE: no parent */
    uint32_t parent_identity;
    int32_t unique_id;
    bool has_unique_id;
    bool has_baseline;
    bool is_kept;        /* for the summary that is being made */
    uint32_t name_chars; /* 1 up to the object's, if it has a name */
} prfdata_snapshot_slot;

typedef struct prfdata_snapshot_object {
    bool is_taken;  /* the query asked for it */
    uint32_t count; /* slots that were copied; 1 without instances */
    uint32_t room;  /* slots that there is memory for; of a summary or a projection: `count` */
    uint32_t name_stride;         /* elements */
    uint32_t cell_stride;         /* elements */
    prfdata_snapshot_slot *slots; /* in the order of slot_index */
    uint16_t *names;              /* cleaned */
    uint64_t *cells;
    uint64_t *baselines;   /* of slots with has_baseline only */
    uint64_t *other_cells; /* memory of cells that are not with the slots, or NULL */

    /* Of a region of an earlier map: what it was before it was brought into the shape of the shown
     * one, with the same slots. The windows of distributions are only there: in the other shape
     * they could take thousands of times the memory. NULL: they follow the other cells. */
    struct prfdata_snapshot_object *earlier;
    uint32_t *first_cells; /* of each distribution of the shown map, there, or PRFDATA_NONE */

    /* Of summaries; else NULL, false and empty. */
    uint64_t *sums; /* all counters of the object merged */
    bool is_ageing; /* something was recorded in the last minute */
    prfdata_hash_table slots_by_key;
} prfdata_snapshot_object;

typedef struct prfdata_snapshot {
    struct prfdata_mapping *mapping; /* whose it is; set by member.c, like the next four */
    uint32_t references;
    uint64_t region_id;
    bool is_live;             /* published from beginning to end, and its file has a writer */
    bool is_closed;           /* its writer lives, and closed it */
    bool is_late;             /* sums were shown without the region before */
    uint64_t dropped;         /* the header's */
    uint64_t head[8];         /* the first line of the header */
    uint64_t structure_after; /* the structure word when all was copied */
    bool was_at_rest;         /* that was even, and the same when copying began */
    bool has_brackets;        /* a thread has been inside one since the region got its writer */
    uint32_t torn_count; /* slots and regions that were copied while threads were inside brackets */
    uint32_t left_out;   /* of an earlier map: 1 + an object of the shown one for whose slots there
                            was no memory; 0: none */

    /* A summary is what a snapshot of a region without writer comes to: summary.h. */
    bool is_summary;
    bool lacks_slots; /* there was room for the sums only */
    bool is_ageing;   /* some object is */
    uint32_t time;    /* prfdata_distribution_time(); later the minute is another */
    uint64_t seed;    /* of the look-up by key: random, against names that collide */

    uint32_t object_count;
    prfdata_snapshot_object objects[1]; /* object_count of them */
} prfdata_snapshot;

/* How one Collect takes its snapshots, of one region after the other. */
typedef struct prfdata_snapshot_reading {
    uint64_t region_ticks; /* to spend on one region, in ticks of prfdata_os_ticks() */
    uint64_t ticks;        /* what remains for all regions */
    uint64_t tries;        /* that were made, beyond the first of each slot and region */
    uint32_t time;         /* prfdata_distribution_time(): windows of all regions end in it */
    uint64_t other_bytes;  /* that slots of regions of earlier maps may still take together */

    /* The region that is read now: it was valid when it was attached. */
    const prfdata_os_region *view;
    const prfdata_model *model; /* of its map */
    const prfdata_region_layout *layout;
    uint64_t boot;
    bool has_writer; /* else no thread can be inside a bracket, whatever the region says */

    /* Of prfdata_snapshot_take(), which sets them for each region. */
    prfdata_snapshot *snapshot;
    uint64_t wait_ticks; /* that this region may still spend */
    bool is_valid;       /* the header still is that of the region */
    bool lacks_room;     /* half of a pair may be in a slot for which there was no memory */
} prfdata_snapshot_reading;

/* The reading of one Collect, which has no region yet. */
prfdata_snapshot_reading prfdata_snapshot_new_reading(void);

/*
 * Take a snapshot of the region that is read now.
 *
 * reading   What was spent on trying again is subtracted: nothing if there is no writer.
 * wanted    One flag per object; NULL: all.
 * snapshot  On success the new snapshot, with references 1.
 *
 * Returns PRFDATA_DONE, PRFDATA_INVALID, PRFDATA_FAULTED or PRFDATA_NO_MEMORY.
 * Owner:   the caller; prfdata_snapshot_free().
 */
prfdata_result prfdata_snapshot_take(prfdata_snapshot_reading *reading, const bool *wanted,
                                     prfdata_snapshot **snapshot);
void prfdata_snapshot_free(prfdata_snapshot *snapshot);

/* An empty snapshot with references 1; NULL if memory is exhausted. */
prfdata_snapshot *prfdata_snapshot_make(uint32_t object_count);

/*
 * Bytes that one slot takes in an object's copy. In a summary it has no baselines: its cells are
 * what it adds to an instance.
 */
uint64_t prfdata_snapshot_slot_bytes(const prfdata_model_object *model_object,
                                     const prfdata_region_section *section, bool is_summary);

/*
 * Give an object room for `count` slots: all its parts in one allocation, which `slots` owns.
 * Returns false if memory is exhausted.
 */
bool prfdata_snapshot_allocate(prfdata_snapshot_object *object,
                               const prfdata_model_object *model_object,
                               const prfdata_region_section *section, uint32_t count,
                               bool is_summary);

/* The slot of an object's snapshot with this index, or NULL if it was never used. */
prfdata_snapshot_slot *prfdata_snapshot_find(const prfdata_snapshot_object *object,
                                             uint32_t slot_index);

/* The structure word before anything was copied. */
static inline uint64_t prfdata_snapshot_structure(const prfdata_snapshot *snapshot)
{
    static_assert(offsetof(prfdata_region_header, structure) ==
                      sizeof snapshot->head - sizeof snapshot->head[0],
                  "region-format.md: structure");
    return snapshot->head[sizeof snapshot->head / sizeof snapshot->head[0] - 1];
}

static inline const uint64_t *prfdata_snapshot_cells(const prfdata_snapshot_object *object,
                                                     const prfdata_snapshot_slot *slot)
{
    return object->cells + (size_t)(slot - object->slots) * object->cell_stride;
}

/* NULL: all are 0. */
static inline const uint64_t *prfdata_snapshot_baselines(const prfdata_snapshot_object *object,
                                                         const prfdata_snapshot_slot *slot)
{
    return slot->has_baseline
               ? object->baselines + (size_t)(slot - object->slots) * object->cell_stride
               : NULL;
}

static inline const uint16_t *prfdata_snapshot_name(const prfdata_snapshot_object *object,
                                                    const prfdata_snapshot_slot *slot)
{
    return object->names + (size_t)(slot - object->slots) * object->name_stride;
}

/* What a slot with an instance is found by; the name is borrowed. */
static inline prfdata_region_key prfdata_snapshot_key_of(const prfdata_snapshot_object *object,
                                                         const prfdata_snapshot_slot *slot)
{
    return (prfdata_region_key){slot->has_unique_id ? NULL : prfdata_snapshot_name(object, slot),
                                slot->name_chars, slot->unique_id, slot->parent_slot,
                                slot->parent_identity};
}

#endif
