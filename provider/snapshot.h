/* SPDX-License-Identifier: MIT */
/*
 * A private copy of what one region holds at one moment: the reader steps of region-format.md.
 * Another program writes the bytes: each is fetched once, under the guard, and none is used as a
 * size or an offset. Knows nothing of other regions and of PERF structures.
 */
#ifndef PRFDATA_SNAPSHOT_H
#define PRFDATA_SNAPSHOT_H

#include "core/os.h"
#include "core/region.h"

/*
 * How often a reader tries again to read while no thread is inside a bracket. Even hostile writers
 * cannot make it take a second: a try pauses for less than a microsecond, and may copy.
 */
enum {
    PRFDATA_SNAPSHOT_TRIES = 100,       /* of one slot, and of a whole region */
    PRFDATA_SNAPSHOT_MORE_TRIES = 4096, /* of one region with all its slots, in one snapshot */
    PRFDATA_SNAPSHOT_ALL_TRIES = 65536  /* of all regions in one Collect */
};
#define PRFDATA_SNAPSHOT_RETRY_BYTES     (16u * 1024 * 1024) /* copied again, of one region */
#define PRFDATA_SNAPSHOT_ALL_RETRY_BYTES (64u * 1024 * 1024) /* of all in one Collect */

/* What remains of these limits. */
typedef struct prfdata_snapshot_budget {
    uint32_t tries;
    uint64_t bytes;
} prfdata_snapshot_budget;

/*
 * The share of one of `sharers` regions in what remains: the same for each, so that none can use up
 * what another needs, and at most what one region may have.
 */
prfdata_snapshot_budget prfdata_snapshot_share(const prfdata_snapshot_budget *all,
                                               uint32_t sharers);

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
    bool is_whole;       /* copied while no thread was inside a bracket */
    uint32_t name_chars; /* 1 up to the object's, if it has a name */
    uint32_t row;        /* for the merge; PRFDATA_NONE */
} prfdata_snapshot_slot;

typedef struct prfdata_snapshot_object {
    bool is_taken;                /* the query asked for it */
    uint32_t count;               /* slots that were ever used; 1 without instances */
    uint32_t name_stride;         /* elements */
    uint32_t cell_stride;         /* elements */
    prfdata_snapshot_slot *slots; /* in the order of slot_index */
    uint16_t *names;              /* cleaned */
    uint64_t *cells;
    uint64_t *baselines; /* of slots with has_baseline only */
} prfdata_snapshot_object;

typedef struct prfdata_snapshot {
    uint32_t references;                  /* counted by regions.c */
    uint64_t began, ended;                /* regions.c numbers both, per region */
    struct prfdata_snapshot *next_unused; /* for regions.c */
    uint32_t epoch;                       /* the header's */
    uint64_t dropped;                     /* the header's */
    bool is_published;                    /* the header's state is 1 */
    bool is_whole;       /* taken while no thread was inside a bracket around everything */
    bool is_stand_in;    /* not whole, and shows the last whole copy */
    bool uses_brackets;  /* a thread was ever inside one, of a slot or around everything */
    uint32_t torn_count; /* slots and regions shown as they were, for lack of a whole copy */
    uint32_t object_count;
    prfdata_snapshot_object objects[1]; /* object_count of them */
} prfdata_snapshot;

/*
 * Take a snapshot of a region that was valid when it was attached.
 *
 * wanted    One flag per object.
 * last      Per object the snapshot with its last whole copy, or NULL. Where the copy now is not
 *           whole, its slots stand in; or all of it, if it is the same for all wanted objects. A
 *           copy from before a take-over is not used.
 * budget    For trying again; what was spent is subtracted.
 * snapshot  On success the new snapshot, with references 1.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (the region is no longer valid), ERROR_GEN_FAILURE
 *         (its view faults) or ERROR_NOT_ENOUGH_MEMORY.
 * Owner:   the caller; prfdata_snapshot_free().
 */
uint32_t prfdata_snapshot_take(const prfdata_os_region *region, const prfdata_model *model,
                               const prfdata_region_layout *layout, uint64_t boot,
                               const bool *wanted, prfdata_snapshot *const *last,
                               prfdata_snapshot_budget *budget, prfdata_snapshot **snapshot);
void prfdata_snapshot_free(prfdata_snapshot *snapshot);

/* The slot of an object's snapshot with this index, or NULL if it was never used. */
prfdata_snapshot_slot *prfdata_snapshot_find(const prfdata_snapshot_object *object,
                                             uint32_t slot_index);

static inline const uint64_t *prfdata_snapshot_cells(const prfdata_snapshot_object *object,
                                                     const prfdata_snapshot_slot *slot)
{
    return object->cells + (size_t)(slot - object->slots) * object->cell_stride;
}

static inline const uint64_t *prfdata_snapshot_baselines(const prfdata_snapshot_object *object,
                                                         const prfdata_snapshot_slot *slot)
{
    return object->baselines + (size_t)(slot - object->slots) * object->cell_stride;
}

static inline const uint16_t *prfdata_snapshot_name(const prfdata_snapshot_object *object,
                                                    const prfdata_snapshot_slot *slot)
{
    return object->names + (size_t)(slot - object->slots) * object->name_stride;
}

#endif
