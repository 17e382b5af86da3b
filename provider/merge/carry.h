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
 *
 * A plan holds what is carried as constants, so it ends where that changes. `carried_changes` of an
 * object grows
 *
 * - when a contributor comes or goes, or its region begins or ceases to be summarised;
 * - at each merge while a row has a record: plans show rows and do not record them, so a row that
 * has a record has no plan;
 * - when a plan records more of a region that others show as carried;
 * - when another map is shown.
 *
 * What a current contributor counts changes nothing of it: plans gather that.
 */
#ifndef PRFDATA_CARRY_H
#define PRFDATA_CARRY_H

#include "merge/merge.h"
#include "system/os.h"

typedef struct prfdata_carry {
    uint64_t seed;        /* of hashes of names: random, so that they cannot be chosen to collide */
    prfdata_os_lock lock; /* of what follows; never held across a system call that waits */
    const prfdata_model *model;           /* of the objects; NULL: none yet */
    uint64_t installation;                /* the number of the last one that was shown */
    uint64_t merge_count;                 /* that ever began */
    prfdata_merge *newest;                /* that runs; NULL: none */
    struct prfdata_carry_object *objects; /* the model's, then those that it lacks */
    uint32_t object_count;                /* of both */
    uint64_t shown_changes;               /* atomic: how often a Collect recorded what it shows */
    uint64_t carried_changes[PRFDATA_MAX_OBJECTS]; /* atomic, per object: see above */
} prfdata_carry;

void prfdata_carry_init(prfdata_carry *carry);
void prfdata_carry_done(prfdata_carry *carry);

/* Whether what is carried refers to a model. */
bool prfdata_carry_has_model(prfdata_carry *carry, const prfdata_model *model);

/* Around one merge: from before its first snapshot until after prfdata_carry_apply(). */
void prfdata_carry_begin(prfdata_carry *carry, prfdata_merge *merge);
void prfdata_carry_end(prfdata_carry *carry, prfdata_merge *merge);

/*
 * Add to the rows and totals of a merge what is carried, and record what they show.
 * `merge->newer_count` counts the contributors with brackets of which another Collect has shown a
 * newer copy: what is shown of them is raised to that, beside values that are as old as our copy.
 *
 * installation  The number of the one whose map is shown. Where it is later than the last one, what
 *               is carried goes on under the same ids, as far as they have the same meaning.
 * merge         Made. Its `unread` is sorted here; its model is borrowed until
 *               prfdata_carry_done().
 *
 * Returns PRFDATA_DONE, PRFDATA_STALE (a later installation was shown meanwhile) or
 *         PRFDATA_NO_MEMORY; on failure the merge must not be shown.
 */
prfdata_result prfdata_carry_apply(prfdata_carry *carry, uint64_t installation,
                                   prfdata_merge *merge);

/*
 * Record the sums of some regions as prfdata_carry_apply() does. No merge need have begun: what was
 * forgotten meanwhile is not found.
 *
 * shown_changes  Of the carry before anything was read.
 * regions        Their ids, `count` of them.
 * sums           Of each all cells of the object, one after the other. Raised to what was shown of
 *                them before.
 *
 * Returns PRFDATA_DONE or PRFDATA_STALE: another installation is shown now, a region has not been
 *         recorded before or is forgotten, or another Collect has shown newer counts of one that
 *         has brackets.
 */
prfdata_result prfdata_carry_record_sums(prfdata_carry *carry, uint64_t installation,
                                         uint64_t shown_changes, uint32_t object_index,
                                         const uint64_t *regions, uint32_t count, uint64_t *sums);

#endif
