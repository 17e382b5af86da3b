/* SPDX-License-Identifier: MIT */
/*
 * What sources had contributed when they went: in one reader an accumulating counter of an instance
 * that it shows, and every sum, never falls (docs/architecture.md, decision 13).
 *
 * A source is a slot under one identity, or for the sums a region. What it contributes only grows,
 * and never returns once it is gone. So a row shows what its present sources contribute, and what
 * those that it had before contributed last. Rows with a single source need no memory: as long as
 * they are shown, their source is there.
 *
 * Several threads may Collect at once, and the slower one may have the older copies, or the newer.
 * What is shown is recorded as the maximum per source, and is never less than that; nothing is
 * forgotten that a Collect which is still running might have seen.
 */
#ifndef PRFDATA_CARRY_H
#define PRFDATA_CARRY_H

#include "core/os.h"
#include "merge/merge.h"

/* One running Collect. */
typedef struct prfdata_carry_visit {
    uint64_t number; /* in the order of beginning, from 1 */
    struct prfdata_carry_visit *older;
    struct prfdata_carry_visit *newer;
} prfdata_carry_visit;

/* What is shown: a map, and the how-manieth since this reader began. */
typedef struct prfdata_carry_shape {
    uint64_t number;
    const prfdata_model *model;
} prfdata_carry_shape;

typedef struct prfdata_carry {
    uint64_t seed;        /* of hashes of names: random, so that they cannot be chosen to collide */
    prfdata_os_lock lock; /* of what follows; never held across a system call that waits */
    prfdata_carry_shape shape; /* of the objects; {0}: none yet */
    uint64_t visit_count;      /* that ever began */
    prfdata_carry_visit *oldest;
    prfdata_carry_visit *newest;
    struct prfdata_carry_object *objects; /* the model's */
    uint64_t raised[PRFDATA_MAX_OBJECTS]; /* atomic, per object: moves when what is carried does */
} prfdata_carry;

void prfdata_carry_init(prfdata_carry *carry);
void prfdata_carry_done(prfdata_carry *carry);

/* Around one Collect: from before its first snapshot until after prfdata_carry_apply(). */
void prfdata_carry_begin(prfdata_carry *carry, prfdata_carry_visit *visit);
void prfdata_carry_end(prfdata_carry *carry, prfdata_carry_visit *visit);

/*
 * Add to the rows and totals of the wanted objects what is carried, and record what they show.
 *
 * shape    Of `merged`. Where it is later than the last one, what is carried goes on under the same
 *          ids, as far as they have the same meaning. Its model is borrowed until
 *          prfdata_carry_done().
 * sources  Those that were merged.
 *
 * Returns ERROR_SUCCESS, ERROR_REVISION_MISMATCH (a later shape was shown meanwhile) or
 *         ERROR_NOT_ENOUGH_MEMORY; on failure `merged` must not be shown.
 */
uint32_t prfdata_carry_apply(prfdata_carry *carry, const prfdata_carry_shape *shape,
                             const bool *wanted, const prfdata_merge_source *sources,
                             uint32_t source_count, prfdata_merged *merged);

/*
 * Record the sums of some regions that were shown without merging, as prfdata_carry_apply() does.
 * No visit is needed: what was forgotten meanwhile is not found.
 *
 * regions  Their ids, `count` of them.
 * sums     One after the other; brought up to what was shown of them before.
 * shown    The total in which they are; gets what they have gained.
 *
 * Returns ERROR_SUCCESS, ERROR_REVISION_MISMATCH (another shape is shown now) or ERROR_NOT_FOUND
 *         (a region has not been recorded before, or is forgotten).
 */
uint32_t prfdata_carry_record_sums(prfdata_carry *carry, const prfdata_carry_shape *shape,
                                   uint32_t object_index, const uint64_t *regions, uint32_t count,
                                   uint64_t *sums, uint64_t *shown);

#endif
