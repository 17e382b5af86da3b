/* SPDX-License-Identifier: MIT */
/*
 * Declares the carry: what a reader remembers of contributors, including those that no longer
 * exist. In one reader and one lineage, accumulating counters of totals and of shown instances do
 * not fall, with one exception (docs/architecture.md, decision 13).
 *
 * A contributor of a row is a slot under one identity; a contributor of the totals is a region.
 * What a contributor adds to an accumulating counter only grows. A contributor that a merge did not
 * find is missing, and may return (carry_memory.h). Several threads may Collect at the same time,
 * and one thread may have older copies than another. The carry guarantees, under its lock:
 *
 * - A row shows what its present contributors add now, plus what its former contributors added
 *   last.
 * - The carry remembers the highest value shown of each contributor, and never shows less.
 * - Nothing is forgotten that a running Collect may have seen.
 * - A row gets a record when a merge first finds several contributors of it. Until then it needs
 *   none, because it is shown only while its single contributor is present.
 *
 * The carry's clock is the number of recordings. A merge begins at a time of this clock, and a
 * contributor is missing since a time of this clock. Comparing the two times tells whether a
 * running Collect may have seen the contributor.
 *
 * A plan holds carried values as constants, so it becomes invalid when they change. Each object has
 * a version of its carried values. The version grows
 *
 * - when a contributor appears or disappears, or its region begins or ceases to be summarised;
 * - at each merge while a row has a record, because plans do not record what rows show;
 * - when a plan records a higher value of a region that is missing;
 * - when another map becomes current, or the installation begins another lineage.
 *
 * The version does not grow when a present contributor counts, because plans read its values
 * directly.
 */
#ifndef PRFDATA_CARRY_H
#define PRFDATA_CARRY_H

#include "merge/merge.h"
#include "system/os.h"

typedef struct prfdata_carry {
    /* The seed of the hashes of names. It is random, so that no one can choose names that
     * collide. */
    uint64_t seed;
    /* Atomic: the number of the newest basis, set by collect/basis.c. It is here because plans with
     * another number are invalid, and a plan knows the carry but not the bases. */
    uint64_t newest_basis;
    /*
     * Protects the fields below. Memory is allocated and names are hashed while a thread holds the
     * lock, but no thread holds it across a system call that waits.
     */
    prfdata_os_lock lock;
    const prfdata_model *model; /* model of `objects`; NULL: there are none yet */
    uint64_t installation;      /* the number of the newest installation that was shown */
    /* lineage of that installation; with another lineage the carry begins empty */
    uint64_t lineage;
    prfdata_merge *running; /* newest of the running merges; NULL: none */
    /* the objects of the model, then earlier maps' objects that the model lacks */
    struct prfdata_carry_object *objects;
    uint32_t object_count;
    /* atomic: how often a Collect recorded what it showed; begins with 1 */
    uint64_t recordings;
    /* atomic: the version of each object's carried values; the head explains it */
    uint64_t carried_version[PRFDATA_MAX_OBJECTS];
} prfdata_carry;

void prfdata_carry_init(prfdata_carry *carry);
void prfdata_carry_done(prfdata_carry *carry);

/* Whether the carry refers to a model. */
bool prfdata_carry_has_model(prfdata_carry *carry, const prfdata_model *model);

/* Call these around one merge: before its first snapshot, and after prfdata_carry_apply(). */
void prfdata_carry_begin(prfdata_carry *carry, prfdata_merge *merge);
void prfdata_carry_end(prfdata_carry *carry, prfdata_merge *merge);

/*
 * Adds carried values to the rows and totals of a merge, and records what they show. If another
 * Collect has already shown newer values of a contributor, raises the contributor's values to them.
 * Counts the raised contributors with brackets in `merge->newer_count`, because only some of the
 * values that change together in a bracket may have been raised.
 *
 * installation  The number of the installation whose map is current.
 * lineage       The lineage of this installation (collect/basis.h). If it has changed since the
 *               last merge, everything is forgotten.
 * merge         A finished merge. This function sorts its `unread`. The carry refers to its model
 *               as long as prfdata_carry_has_model() says so.
 *
 * Returns PRFDATA_DONE, PRFDATA_STALE (another thread has shown a newer installation) or
 *         PRFDATA_NO_MEMORY. On failure the merge must not be shown.
 */
prfdata_result prfdata_carry_apply(prfdata_carry *carry, uint64_t installation, uint64_t lineage,
                                   prfdata_merge *merge);

/*
 * Records the sums of some regions, as prfdata_carry_apply() does, but without a merge.
 *
 * began          The carry's `recordings` before any value was read.
 * regions        The ids of `count` regions.
 * sums           For each region stored_count cells, one region after another. Raised to the
 *                highest values shown before.
 *
 * Returns PRFDATA_DONE or PRFDATA_STALE: another installation is current, a region was never
 * recorded or was forgotten, or another Collect has shown newer values of a region with brackets.
 */
prfdata_result prfdata_carry_record_sums(prfdata_carry *carry, uint64_t installation,
                                         uint64_t began, uint32_t object_index,
                                         const uint64_t *regions, uint32_t count, uint64_t *sums);

#endif
