/* SPDX-License-Identifier: MIT */
/*
 * What goes on of contributors that are gone: in one reader an accumulating counter of an instance
 * that it shows, and every sum, never falls (docs/architecture.md, decision 13).
 *
 * A contributor is a slot under one identity, or for the sums a region. What it adds only grows,
 * and never returns once it is gone. Several threads may Collect at once, and the slower one may
 * have the older copies, or the newer. At all times, under the lock:
 *
 * - A row shows what its contributors add now, and what those that it had before added last.
 * - The most that was shown of a contributor is remembered, and less is never shown.
 * - Nothing is forgotten that a Collect which is still running might have seen.
 * - A row that never had more than one contributor has no record: while it is shown, that is there.
 */
#ifndef PRFDATA_CARRY_H
#define PRFDATA_CARRY_H

#include "merge/merge.h"
#include "system/os.h"

/* One running Collect. */
typedef struct prfdata_carry_visit {
    uint64_t number;                   /* in the order of beginning, from 1 */
    uint64_t shown_changes;            /* of the carry when it began */
    struct prfdata_carry_visit *older; /* that runs */
} prfdata_carry_visit;

/* What is shown: a map. */
typedef struct prfdata_carry_shape {
    uint64_t number; /* counted from 1 since this reader began */
    const prfdata_model *model;
} prfdata_carry_shape;

typedef struct prfdata_carry {
    uint64_t seed;        /* of hashes of names: random, so that they cannot be chosen to collide */
    prfdata_os_lock lock; /* of what follows; never held across a system call that waits */
    prfdata_carry_shape shape;            /* of the objects; {0}: none yet */
    uint64_t visit_count;                 /* that ever began */
    prfdata_carry_visit *newest;          /* that runs; NULL: none */
    struct prfdata_carry_object *objects; /* the model's */
    uint64_t shown_changes;               /* atomic: how often a Collect recorded what it shows */
    /* Atomic, per object: how often what is carried changed. */
    uint64_t carried_changes[PRFDATA_MAX_OBJECTS];
} prfdata_carry;

/* What a Collect has read of its set of regions. */
typedef struct prfdata_carry_read {
    const prfdata_carry_visit *visit;
    const prfdata_merge_region *regions; /* region_count of them, which were merged */
    uint32_t region_count;
    uint64_t *unread; /* ids of the regions of which not all could be read: they stay */
    uint32_t unread_count;
    bool has_more; /* regions may be there that were not read, whatever their ids */
} prfdata_carry_read;

/* What a Collect shows of some regions without merging. */
typedef struct prfdata_carry_sums {
    uint64_t shown_changes; /* of the carry before anything was read */
    uint32_t object_index;
    bool has_brackets;       /* some of the regions have */
    const uint64_t *regions; /* their ids, `count` of them */
    uint32_t count;
    uint64_t *sums;  /* one after the other; brought up to what was shown of them before */
    uint64_t *shown; /* the total in which they are; gets what they have gained */
} prfdata_carry_sums;

void prfdata_carry_init(prfdata_carry *carry);
void prfdata_carry_done(prfdata_carry *carry);

/* Around one Collect: from before its first snapshot until after prfdata_carry_apply(). */
void prfdata_carry_begin(prfdata_carry *carry, prfdata_carry_visit *visit);
void prfdata_carry_end(prfdata_carry *carry, prfdata_carry_visit *visit);

/*
 * Add to the rows and totals of the wanted objects what is carried, and record what they show.
 * `merged->newer_count` counts the contributors with brackets of which another Collect has shown a
 * newer copy: what is shown of them is raised to that, beside values that are as old as our copy.
 *
 * read   Its `unread` is sorted.
 * shape  Of `merged`. Where it is later than the last one, what is carried goes on under the same
 *        ids, as far as they have the same meaning. Its model is borrowed until
 *        prfdata_carry_done().
 *
 * Returns PRFDATA_DONE, PRFDATA_ASK_AGAIN (a later shape was shown meanwhile) or
 *         PRFDATA_NO_MEMORY; on failure `merged` must not be shown.
 */
prfdata_result prfdata_carry_apply(prfdata_carry *carry, const prfdata_carry_shape *shape,
                                   const bool *wanted, const prfdata_carry_read *read,
                                   prfdata_merged *merged);

/*
 * Record sums as prfdata_carry_apply() does. No visit is needed: what was forgotten meanwhile is
 * not found.
 *
 * Returns PRFDATA_DONE, PRFDATA_ASK_AGAIN (another shape is shown now) or PRFDATA_MERGE_INSTEAD: a
 *         region has not been recorded before, or is forgotten; or another Collect has shown newer
 *         of them, and there are brackets.
 */
prfdata_result prfdata_carry_record_sums(prfdata_carry *carry, const prfdata_carry_shape *shape,
                                         const prfdata_carry_sums *sums);

#endif
