/* SPDX-License-Identifier: MIT */
/*
 * Declares plans. A plan is a cached merge of one object (docs/architecture.md, decision 13). While
 * the plan is valid, a Collect copies the rendered parts of an earlier reply and reads the cells
 * directly from the views. A merge would write the same bytes.
 *
 * - A plan is valid while three things are unchanged: the number of the newest basis; the version
 *   of the object's carried values; and the first cache line in the header of each region that may
 *   change. This line contains the structure word. None of the three returns to an earlier value.
 *   So if a plan is valid after all values were read, it was valid during the whole reading.
 * - The owner of a plan must keep the basis, because the plan points to the basis's model and
 *   views.
 * - A plan is immutable. References to it are counted under a lock of the owner.
 */
#ifndef PRFDATA_PLAN_H
#define PRFDATA_PLAN_H

#include "merge/carry.h"
#include "regions/mapping.h"
#include "reply/reply.h"

typedef struct prfdata_plan prfdata_plan;

/*
 * Whether an object of a merge can have a plan. The carried values must already be in the merge.
 */
bool prfdata_plan_is_possible(const prfdata_merge *merge, uint32_t object_index);

/*
 * Makes the plan of an object that can have one.
 *
 * merge         A merge with all totals known. Its reply has been written.
 * carry         The service's carry; must outlive the plan.
 * number        The number of the basis that was merged.
 * installation  The number of the basis's installation.
 * object_index  The object's index in the model.
 * bytes         The bytes that were written for the object.
 *
 * Returns NULL if memory is exhausted.
 * Owner: the caller, with one reference.
 */
prfdata_plan *prfdata_plan_make(const prfdata_merge *merge, prfdata_carry *carry, uint64_t number,
                                uint64_t installation, uint32_t object_index, const uint8_t *bytes);

/* The caller holds the lock that protects the references. */
void prfdata_plan_retain(prfdata_plan *plan);

/*
 * Returns whether this was the last reference. If it was, call prfdata_plan_free(), without the
 * lock.
 */
bool prfdata_plan_drop(prfdata_plan *plan);
void prfdata_plan_free(prfdata_plan *plan);

/* The bytes that the object takes in the reply. */
size_t prfdata_plan_bytes(const prfdata_plan *plan);

/* Whether threads have been inside brackets in the plan's regions. */
bool prfdata_plan_has_brackets(const prfdata_plan *plan);

bool prfdata_plan_is_valid(const prfdata_plan *plan);

/*
 * For each region of the plan, adds to `*entered` how often threads have entered brackets around
 * all instances. prfdata_plan_put() succeeds only if no thread is inside. So if the sum does not
 * grow while several objects are written, the objects are consistent with each other.
 *
 * Returns false if a region cannot be read.
 */
bool prfdata_plan_add_entered(const prfdata_plan *plan, uint64_t *entered);

/*
 * How often one answer may fail to find a moment with no thread inside a bracket. After that, a
 * merge answers the query.
 */
#define PRFDATA_PLAN_TRIES 100

/*
 * Writes one object, except its time. Records in the carry what each region adds to the totals.
 *
 * tries_left  How many tries the answer has left; PRFDATA_PLAN_TRIES at first. Reduced by each try
 *             that fails.
 * at          Gets prfdata_plan_bytes() bytes; any alignment.
 *
 * Returns PRFDATA_STALE if the plan is no longer valid, a region cannot be read, no tries are left,
 * or memory is exhausted. Also returns PRFDATA_STALE if prfdata_carry_record_sums() does. Otherwise
 * returns PRFDATA_DONE. After PRFDATA_STALE, ignore what was written.
 */
prfdata_result prfdata_plan_put(const prfdata_plan *plan, uint32_t *tries_left, uint8_t *at);

#endif
