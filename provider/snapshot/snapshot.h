/* SPDX-License-Identifier: MIT */
/*
 * Declares the snapshot: a private copy of one region, made by the reader steps of
 * region-format.md. Another program may change the bytes at any moment. So they are copied under
 * the guard, and a number among them is checked or limited before it is used as a size or an index.
 * merge.h combines the snapshots of several regions.
 */
#ifndef PRFDATA_SNAPSHOT_H
#define PRFDATA_SNAPSHOT_H

#include "base/hash_table.h"
#include "region/region.h"
#include "snapshot/result.h"
#include "system/os.h"

/*
 * How long a reader waits for a moment with no thread inside a bracket. Waiting longer does not
 * help, because a thread that was preempted inside a bracket stays there for a whole time slice.
 */
#define PRFDATA_SNAPSHOT_REGION_WAIT_US 50   /* for one region */
#define PRFDATA_SNAPSHOT_ALL_WAIT_US    1000 /* for all regions of one attempt */

/* A copied slot. Totals include even a slot without an instance. */
typedef struct prfdata_snapshot_slot {
    uint32_t slot_index;
    /* PRFDATA_SLOT_...; PRFDATA_SLOT_FREE: it has no instance (R11 to R14). The only slot of an
     * object without instances is always PRFDATA_SLOT_LIVE. */
    uint32_t state;
    uint32_t identity;
    uint32_t parent_slot; /* PRFDATA_NONE: no parent */
    uint32_t parent_identity;
    int32_t unique_id;
    bool has_unique_id;
    bool has_baseline;
    bool is_in_summary;  /* it stays in the summary that is being made */
    uint32_t name_chars; /* 1 to the object's maximum, if it has a name */
} prfdata_snapshot_slot;

typedef struct prfdata_snapshot_object {
    bool is_taken;                /* the query asked for it, or a summary is being made */
    uint32_t count;               /* slots that were copied. An object without instances has 1 */
    uint32_t room;                /* for how many slots prfdata_snapshot_allocate() made room */
    uint32_t name_stride;         /* in UTF-16 units */
    uint32_t cell_stride;         /* in cells */
    prfdata_snapshot_slot *slots; /* sorted by slot_index */
    uint16_t *names;              /* invalid characters are replaced */
    uint64_t *cells;
    uint64_t *baselines;   /* only of slots with has_baseline */
    uint64_t *other_cells; /* owns cells that are allocated separately from the slots; or NULL */

    /* For a region of an earlier map: the object before it was converted to the current map, with
     * the same slots. Only `earlier` has the windows of distributions, because in the current shape
     * the windows could take thousands of times the memory. NULL: the windows follow the other
     * cells. */
    struct prfdata_snapshot_object *earlier;
    /* one per distribution of the current map: its first cell in `earlier`, or PRFDATA_NONE */
    uint32_t *first_cells;

    /* Only summaries use these fields. Otherwise they are NULL, false and empty. */
    uint64_t *sums; /* the cells of all slots combined */
    bool is_ageing; /* a window has values */
    prfdata_hash_table slots_by_key;
} prfdata_snapshot_object;

typedef struct prfdata_snapshot {
    /* These fields describe the region, up to `is_late`. member.c clears `is_live` and `is_closed`
     * if the system has not said that the file has a writer. */
    struct prfdata_mapping *mapping;
    const prfdata_os_account *account; /* the owner of its file; borrowed from the mapping */
    uint32_t references;
    uint64_t region_id;
    uint64_t since_ms; /* if it is live: when this reader first found its program running */
    bool is_live;      /* it was published throughout, and its file has a writer */
    bool is_closed;    /* its writer is alive and has closed the region */
    bool is_late;      /* totals were shown before the region could be read */
    uint64_t dropped;
    uint64_t head[8];         /* the first cache line of the header */
    uint64_t structure_after; /* the structure word after everything was copied */
    /* slots and state did not change while they were copied; false if the region does not maintain
     * the structure word */
    bool was_at_rest;
    bool has_brackets; /* a thread has been inside a bracket since the region got its writer */
    /* slots and regions that were copied while threads were inside brackets; plus 1 if the last
     * copy lacked room */
    uint32_t torn_count;
    /* 0, or 1 + the index of an object (in the current map) whose slots were left out because they
     * would have exceeded a limit of prfdata_projection_apply() */
    uint32_t left_out;

    /* A summary is the reduced snapshot of a region without a writer: summary.h. */
    bool is_summary;
    bool lacks_slots; /* there was room for the sums only */
    bool is_ageing;   /* a window of some object has values */
    /* prfdata_distribution_time() when the summary was made; if is_ageing, the summary is used only
     * at this time */
    uint32_t time;
    /* The seed of the hash table of keys. It is random, so that no one can choose names that
     * collide. */
    uint64_t seed;

    uint32_t object_count;
    prfdata_snapshot_object objects[1]; /* object_count of them */
} prfdata_snapshot;

/* The state of taking one Collect's snapshots, one region after another. */
typedef struct prfdata_snapshot_reading {
    uint64_t region_ticks; /* the longest wait for one region, in ticks of prfdata_os_ticks() */
    uint64_t ticks;        /* how long the reader may still wait for all regions */
    uint64_t tries;        /* how many tries were made beyond the first of each slot and region */
    uint32_t time;        /* prfdata_distribution_time(), at which the windows of all regions end */
    uint64_t other_bytes; /* bytes that slots of regions of earlier maps may still take */

    /* The region that is being read. It was valid when it was attached. */
    const prfdata_os_region *view;
    const prfdata_model *model;
    const prfdata_region_layout *layout;
    uint64_t boot;
    bool has_writer; /* false: no thread can be inside a bracket, whatever the region says */

    /* Set by prfdata_snapshot_take() for each region. */
    prfdata_snapshot *snapshot;
    uint64_t wait_ticks; /* how long the reader may still wait for this region */
    bool is_valid;       /* the header was checked again and is valid */
    /* some slots were left out because memory was allocated for fewer; they may contain half of an
     * update that was made inside a bracket */
    bool lacks_room;
} prfdata_snapshot_reading;

prfdata_snapshot_reading prfdata_snapshot_new_reading(void);

/*
 * Takes a snapshot of the region that is being read.
 *
 * reading   Its `ticks` are reduced by the time that retries took.
 * wanted    One flag per object; NULL: all.
 * snapshot  On success gets the new snapshot, with one reference.
 *
 * Returns PRFDATA_DONE, PRFDATA_INVALID, PRFDATA_FAULTED or PRFDATA_NO_MEMORY.
 * Owner: the caller; prfdata_snapshot_free().
 */
prfdata_result prfdata_snapshot_take(prfdata_snapshot_reading *reading, const bool *wanted,
                                     prfdata_snapshot **snapshot);
void prfdata_snapshot_free(prfdata_snapshot *snapshot);

/* Makes an empty snapshot with one reference. Returns NULL if memory is exhausted. */
prfdata_snapshot *prfdata_snapshot_make(uint32_t object_count);

/*
 * The bytes that one slot takes in an object's copy. A summary has no baselines, because they are
 * already subtracted from its cells.
 */
uint64_t prfdata_snapshot_slot_bytes(const prfdata_model_object *model_object,
                                     const prfdata_region_section *section, bool is_summary);

/*
 * Allocates all parts of an object, for `count` slots, as one block, which `slots` owns. Returns
 * false if memory is exhausted.
 */
bool prfdata_snapshot_allocate(prfdata_snapshot_object *object,
                               const prfdata_model_object *model_object,
                               const prfdata_region_section *section, uint32_t count,
                               bool is_summary);

/* The copied slot with this index, or NULL if the slot was not copied. */
prfdata_snapshot_slot *prfdata_snapshot_find(const prfdata_snapshot_object *object,
                                             uint32_t slot_index);

/* Returns the structure word as it was before the copying began. */
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

/* Whether the slot is live, so its gauges are added. */
static inline bool prfdata_snapshot_slot_is_live(const prfdata_snapshot *snapshot,
                                                 const prfdata_snapshot_slot *slot)
{
    return snapshot->is_live && slot->state == PRFDATA_SLOT_LIVE;
}

/* NULL: all baselines are 0. */
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

/* The key by which a slot with an instance is found. It borrows the slot's name. */
static inline prfdata_region_key prfdata_snapshot_key_of(const prfdata_snapshot_object *object,
                                                         const prfdata_snapshot_slot *slot)
{
    return (prfdata_region_key){slot->has_unique_id ? NULL : prfdata_snapshot_name(object, slot),
                                slot->name_chars, slot->unique_id, slot->parent_slot,
                                slot->parent_identity};
}

#endif
