/* SPDX-License-Identifier: MIT */
/*
 * What a Collect of one object does as long as no slot changes: copy what was rendered once, gather
 * the cells straight from the views, or say at once how large the reply is (docs/architecture.md,
 * decision 13). Everything that a plan relies on is checked by the structure words around each
 * gather; when one has moved, or anything does not fit, the caller merges snapshots instead, and
 * both ways give the same bytes.
 */
#ifndef PRFDATA_PLAN_H
#define PRFDATA_PLAN_H

#include "provider/carry.h"
#include "provider/regions.h"
#include "provider/reply.h"

struct prfdata_plan;

/* What merges of an object were made from, as hashes. */
typedef struct prfdata_plan_signs {
    uint64_t seen;  /* the last one; 0: no plan sees how it changes */
    uint64_t unfit; /* the last one that cannot have a plan */
} prfdata_plan_signs;

/* The plans of a service, one per object. Zeroed memory has none. */
typedef struct prfdata_plans {
    prfdata_os_lock lock; /* of what follows */
    uint64_t number;      /* of the installation that they are of */
    uint32_t object_count;
    struct prfdata_plan **plans; /* per object; NULL: none */
    prfdata_plan_signs *signs;   /* per object */
} prfdata_plans;

void prfdata_plans_done(prfdata_plans *plans);

/*
 * Write the wanted objects by their plans.
 *
 * shape  Of the installation.
 * set    The present one. `carry`: of the same regions; a visit of this Collect has begun.
 * block  Gets the reply.
 *
 * Returns ERROR_SUCCESS, ERROR_MORE_DATA (the reply does not fit, nothing was written),
 *         ERROR_NOT_FOUND (not all have a valid plan; what was written does not count) or
 *         ERROR_REVISION_MISMATCH (see prfdata_carry_apply()).
 */
uint32_t prfdata_plans_write(prfdata_plans *plans, const prfdata_carry_shape *shape,
                             const prfdata_template *template, const prfdata_region_set *set,
                             prfdata_carry *carry, const bool *wanted, prfdata_perf_block *block,
                             uint32_t *object_count);

/*
 * Notice what a merge was made from. Returns whether plans should be made of it: some wanted object
 * was found as the merge before it had found it, and may have a plan.
 */
bool prfdata_plans_notice(prfdata_plans *plans, const prfdata_carry_shape *shape,
                          const prfdata_region_set *set, const prfdata_merge_source *sources,
                          uint32_t source_count, const bool *wanted);

/*
 * Make plans of a merge, for the wanted objects that can have one. Best effort.
 *
 * sources, origins  Those that were merged and carried, and their regions.
 * reply             What was written from it, at `bytes`; all sums are known.
 */
void prfdata_plans_make(prfdata_plans *plans, const prfdata_carry_shape *shape,
                        const prfdata_region_set *set, const prfdata_merge_source *sources,
                        prfdata_attached *const *origins, uint32_t source_count,
                        const prfdata_reply *reply, const uint8_t *bytes);

#endif
