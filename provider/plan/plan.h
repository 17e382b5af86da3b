/* SPDX-License-Identifier: MIT */
/*
 * The cache of merging: what a Collect of one object does as long as its regions are what they were
 * in a merge (docs/architecture.md, decision 13). It copies what was rendered then and gathers the
 * cells straight from the views, or says at once how large the reply is. Both ways give the same
 * bytes.
 *
 * - A plan is valid as long as the set of regions that was merged is the newest, nothing else is
 *   carried, and the first line of each live region's header, with the structure word in it, is
 *   what it was. None of these comes back: what is valid after all was read was valid meanwhile.
 * - Whoever keeps a plan keeps that set, into whose views the plan points, and the model.
 * - A plan does not change, and is counted under a lock of whoever keeps it.
 */
#ifndef PRFDATA_PLAN_H
#define PRFDATA_PLAN_H

#include "regions/regions.h"
#include "reply/reply.h"

typedef struct prfdata_plan prfdata_plan;

/* ---- Making ---- */

/* Whether an object of a merge, to which what is carried was added, can have a plan. */
bool prfdata_plan_fits(const prfdata_merge *merge, uint32_t object_index);

/*
 * Make the plan of an object that fits.
 *
 * reply         Of the merge, with all sums known.
 * all_regions   Of the service; borrowed by the plan.
 * generation    Of the set that was merged.
 * installation  The number of the one that the reply is of.
 * bytes         What was written of the object.
 *
 * Returns NULL if memory is exhausted.
 * Owner:   the caller, with one reference.
 */
prfdata_plan *prfdata_plan_make(const prfdata_reply *reply, prfdata_regions *all_regions,
                                uint64_t generation, uint64_t installation, uint32_t object_index,
                                const uint8_t *bytes);

/* References are counted under a lock of the caller's. */
void prfdata_plan_retain(prfdata_plan *plan);

/* Returns whether it was the last reference; then prfdata_plan_free() is to follow. */
bool prfdata_plan_drop(prfdata_plan *plan);
void prfdata_plan_free(prfdata_plan *plan);

/* ---- Using ---- */

/* Bytes that the object takes in the reply. */
size_t prfdata_plan_bytes(const prfdata_plan *plan);

/* Whether threads have been inside brackets of its regions. */
bool prfdata_plan_has_brackets(const prfdata_plan *plan);

/* Whether a plan is valid at this moment. */
bool prfdata_plan_is_valid(const prfdata_plan *plan);

/*
 * Add how often threads have entered brackets around all instances of its regions. While that does
 * not grow, all objects of a region are of one moment.
 *
 * Returns false if a region cannot be read.
 */
bool prfdata_plan_add_entered(const prfdata_plan *plan, uint64_t *entered);

/*
 * How often an answer tries to meet a moment at which no thread is inside a bracket; where that is
 * not enough, merging has its own time for it.
 */
#define PRFDATA_PLAN_TRIES 100

/*
 * Write one object, but for its time, if the plan is valid until all is read. What is shown is
 * recorded in the regions' carry.
 *
 * tries_left  Of the answer, PRFDATA_PLAN_TRIES at first; those that were made are subtracted.
 * at          Gets prfdata_plan_bytes() bytes; any alignment.
 *
 * Returns PRFDATA_DONE or PRFDATA_STALE: it is not valid, and what was written does not count.
 */
prfdata_result prfdata_plan_put(const prfdata_plan *plan, uint32_t *tries_left, uint8_t *at);

#endif
