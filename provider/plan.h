/* SPDX-License-Identifier: MIT */
/*
 * What a Collect of one object does as long as no slot changes: copy what was rendered once, gather
 * the cells straight from the views, or say at once how large the reply is (docs/architecture.md,
 * decision 13). Everything that a plan relies on is checked by the structure words around each
 * gather. Where a few slots have changed the plan is renewed; where that is not possible, or
 * anything does not fit, the caller merges snapshots instead. All ways give the same bytes.
 */
#ifndef PRFDATA_PLAN_H
#define PRFDATA_PLAN_H

#include "provider/carry.h"
#include "provider/regions.h"
#include "provider/reply.h"

typedef struct prfdata_plan prfdata_plan;

/* What merges of an object were made from, as hashes. */
typedef struct prfdata_plan_signs {
    uint64_t seen;  /* the last one; 0: no plan sees how it changes */
    uint64_t unfit; /* the last one that cannot have a plan */
} prfdata_plan_signs;

/* The plans of a service, one per object. Zeroed memory has none. */
typedef struct prfdata_plans {
    prfdata_os_lock lock; /* of what follows, and of references to plans */
    uint64_t number;      /* of the installation that they are of */
    uint64_t changes;     /* atomic: how often a plan was made or dropped */
    uint32_t object_count;
    prfdata_plan **plans;      /* per object; NULL: none */
    prfdata_plan_signs *signs; /* per object */
} prfdata_plans;

void prfdata_plans_done(prfdata_plans *plans);

/* ---- Using ---- */

/*
 * Get all plans that were made of this installation and set.
 *
 * acquired  One per object of the shape's model; NULL where there is none.
 * Returns prfdata_plans_changes() of that moment. Give them back with prfdata_plans_release().
 */
uint64_t prfdata_plans_acquire(prfdata_plans *plans, const prfdata_carry_shape *shape,
                               const prfdata_region_set *set, prfdata_plan **acquired);
void prfdata_plans_release(prfdata_plans *plans, prfdata_plan **acquired, uint32_t count);

/* A number that grows with every plan that is made or dropped. */
uint64_t prfdata_plans_changes(const prfdata_plans *plans);

/* Bytes that the object takes in the reply. */
size_t prfdata_plan_bytes(const prfdata_plan *plan);

/* Whether what is carried is what the plan knows. */
bool prfdata_plan_is_carried(const prfdata_plan *plan, const prfdata_carry *carry);

/* Whether the regions are as planned at this moment. */
bool prfdata_plan_is_steady(const prfdata_plan *plan);

/* Whether threads have been inside brackets of its regions. */
bool prfdata_plan_has_brackets(const prfdata_plan *plan);

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
 * Write one object, but for its time.
 *
 * shape       Of the installation.
 * carry       Of the same regions.
 * tries_left  Of the answer, PRFDATA_PLAN_TRIES at first; those that were made are subtracted.
 * at          Gets prfdata_plan_bytes() bytes; any alignment.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_FOUND (a region is not as planned; what was written does not
 *         count) or ERROR_REVISION_MISMATCH (see prfdata_carry_apply()).
 */
uint32_t prfdata_plan_put(const prfdata_plan *plan, const prfdata_carry_shape *shape,
                          prfdata_carry *carry, uint32_t *tries_left, uint8_t *at);

/*
 * Renew a plan that no longer holds because some slots have changed: what costs as much as there
 * were changes, and copying the plan.
 *
 * Returns whether there is a newer one now. Not where nothing has changed, or where the object has
 * to be merged.
 */
bool prfdata_plans_renew(prfdata_plans *plans, const prfdata_carry_shape *shape,
                         const prfdata_plan *plan);

/* ---- Learning ---- */

/*
 * Notice what a merge was made from. Returns whether plans should be made of it: some wanted object
 * was found as the merge before it had found it, or can have its plan renewed, and may have one.
 */
bool prfdata_plans_notice(prfdata_plans *plans, const prfdata_carry_shape *shape,
                          const prfdata_region_set *set, const prfdata_merge_source *sources,
                          uint32_t source_count, const bool *wanted);

/*
 * Make the plan of an object of a merge, if it can have one. Best effort.
 *
 * sources, origins  Those that were merged and carried, and their regions.
 * reply             What was written from it; the object's bytes are at `bytes`. All sums are
 * known.
 */
void prfdata_plans_make(prfdata_plans *plans, const prfdata_carry_shape *shape,
                        const prfdata_region_set *set, const prfdata_merge_source *sources,
                        prfdata_attached *const *origins, uint32_t source_count,
                        const prfdata_reply *reply, uint32_t object_index, const uint8_t *bytes);

#endif
