/* SPDX-License-Identifier: MIT */
/*
 * Keeping plans, and noticing when they can be made. Knows of what a merge was made from, not what
 * a plan does.
 */
#include "provider/plan_parts.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/fnv.h"

/* ---- Keeping ---- */

static void release_plan(prfdata_plans *plans, prfdata_plan *plan)
{
    bool is_last;

    if (!plan)
        return;
    prfdata_os_lock_enter(&plans->lock);
    is_last = --plan->references == 0;
    prfdata_os_lock_leave(&plans->lock);
    if (is_last)
        free(plan); /* with all its parts */
}

void prfdata_plans_done(prfdata_plans *plans)
{
    for (uint32_t i = 0; i < plans->object_count; i++)
        release_plan(plans, plans->plans[i]);
    free(plans->plans);
    free(plans->signs);
    plans->plans = NULL;
    plans->signs = NULL;
    plans->object_count = 0;
}

uint64_t prfdata_plans_acquire(prfdata_plans *plans, const prfdata_carry_shape *shape,
                               const prfdata_region_set *set, prfdata_plan **acquired)
{
    uint64_t changes;

    memset(acquired, 0, shape->model->object_count * sizeof(prfdata_plan *));
    prfdata_os_lock_enter(&plans->lock);
    changes = plans->changes;
    for (uint32_t i = 0; plans->number == shape->number && i < plans->object_count; i++) {
        prfdata_plan *plan = plans->plans[i];

        if (!plan || plan->generation != set->generation)
            continue;
        plan->references++;
        acquired[i] = plan;
    }
    prfdata_os_lock_leave(&plans->lock);
    return changes;
}

void prfdata_plans_release(prfdata_plans *plans, prfdata_plan **acquired, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        release_plan(plans, acquired[i]);
}

uint64_t prfdata_plans_changes(const prfdata_plans *plans)
{
    return prfdata_load64_relaxed(&plans->changes);
}

size_t prfdata_plan_bytes(const prfdata_plan *plan)
{
    return plan->bytes;
}

uint32_t prfdata_plan_object_index(const prfdata_plan *plan)
{
    return plan->object_index;
}

bool prfdata_plan_has_brackets(const prfdata_plan *plan)
{
    for (uint32_t i = 0; i < plan->source_count; i++)
        if (plan->sources[i].has_brackets)
            return true;
    return false;
}

bool prfdata_plan_is_carried(const prfdata_plan *plan, const prfdata_carry *carry)
{
    return plan->raised == prfdata_load64_relaxed(&carry->raised[plan->object_index]);
}

/* ---- Learning ---- */

/*
 * A number of what the sources were: the same as before if nothing changed. 0: some source changes
 * in a way that no plan sees.
 */
static uint64_t signature_of(const prfdata_region_set *set, const prfdata_merge_source *sources,
                             uint32_t source_count)
{
    uint64_t signature =
        prfdata_fnv_add(PRFDATA_FNV_START, &set->generation, sizeof set->generation);

    for (uint32_t i = 0; i < source_count; i++) {
        if (sources[i].is_late)
            return 0;
        if (sources[i].snapshot->is_summary)
            continue;
        if (!sources[i].snapshot->is_steady || sources[i].snapshot->torn_count > 0)
            return 0;
        signature = prfdata_fnv_add(signature, &sources[i].snapshot->head[PRFDATA_PLAN_STRUCTURE],
                                    sizeof sources[i].snapshot->head[0]);
    }
    return signature | 1;
}

/* Whether every region of the set that may be shown is among the sources. */
static bool has_all_regions(const prfdata_region_set *set, uint32_t source_count)
{
    uint32_t broken = 0;

    for (uint32_t i = 0; i < set->count; i++)
        broken += prfdata_load32_relaxed(&set->regions[i]->is_broken) != 0;
    return source_count + broken == set->count;
}

static bool has_shape(prfdata_plans *plans, uint64_t number)
{
    bool has;

    prfdata_os_lock_enter(&plans->lock);
    has = plans->number >= number;
    prfdata_os_lock_leave(&plans->lock);
    return has;
}

/* Under the lock. */
static void note_change(prfdata_plans *plans)
{
    prfdata_store64_relaxed(&plans->changes, plans->changes + 1);
}

/* Make room for the plans of an installation. Returns false if memory is exhausted. */
static bool begin_shape(prfdata_plans *plans, const prfdata_carry_shape *shape)
{
    const uint32_t count = shape->model->object_count;
    prfdata_plans made = {0};
    prfdata_plans former = {0};
    bool is_new;

    made.plans = calloc(count, sizeof *made.plans);
    made.signs = calloc(count, sizeof *made.signs);
    if (!made.plans || !made.signs) {
        free(made.plans);
        free(made.signs);
        return false;
    }
    made.object_count = count;
    prfdata_os_lock_enter(&plans->lock);
    is_new = plans->number < shape->number;
    if (is_new) {
        former = *plans;
        plans->plans = made.plans;
        plans->signs = made.signs;
        plans->object_count = count;
        plans->number = shape->number;
        note_change(plans);
    } else {
        former = made;
    }
    prfdata_os_lock_leave(&plans->lock);
    for (uint32_t i = 0; is_new && i < former.object_count; i++)
        release_plan(plans, former.plans[i]);
    free(former.plans);
    free(former.signs);
    return true;
}

/* Under the lock. Whether the object was found so before, and may have a plan. */
static bool notice_object(prfdata_plan_signs *signs, uint64_t signature)
{
    const bool was_seen = signs->seen == signature && signs->unfit != signature;

    if (signature == 0) /* nothing was learned; what was seen before may be there again */
        return false;
    signs->seen = signature;
    return was_seen;
}

bool prfdata_plans_notice(prfdata_plans *plans, const prfdata_carry_shape *shape,
                          const prfdata_region_set *set, const prfdata_merge_source *sources,
                          uint32_t source_count, const bool *wanted)
{
    const uint64_t signature =
        has_all_regions(set, source_count) ? signature_of(set, sources, source_count) : 0;
    bool is_worth_it = false;

    if (!has_shape(plans, shape->number) && !begin_shape(plans, shape))
        return false;
    prfdata_os_lock_enter(&plans->lock);
    for (uint32_t i = 0; plans->number == shape->number && i < shape->model->object_count; i++)
        if (wanted[i])
            is_worth_it |= notice_object(&plans->signs[i], signature);
    prfdata_os_lock_leave(&plans->lock);
    return is_worth_it;
}

/* `plan`: NULL if the object cannot have one, or memory is exhausted. */
static void keep_plan(prfdata_plans *plans, uint64_t number, uint32_t object_index,
                      prfdata_plan *plan)
{
    prfdata_plan *dropped = plan;

    prfdata_os_lock_enter(&plans->lock);
    if (plans->number == number) {
        dropped = plans->plans[object_index];
        plans->plans[object_index] = plan;
        if (plan != dropped)
            note_change(plans);
        if (!plan)
            plans->signs[object_index].unfit = plans->signs[object_index].seen;
    }
    prfdata_os_lock_leave(&plans->lock);
    release_plan(plans, dropped);
}

void prfdata_plans_make(prfdata_plans *plans, const prfdata_carry_shape *shape,
                        const prfdata_region_set *set, const prfdata_merge_source *sources,
                        prfdata_attached *const *origins, uint32_t source_count,
                        const prfdata_reply *reply, uint32_t object_index, const uint8_t *bytes)
{
    keep_plan(
        plans, shape->number, object_index,
        prfdata_plan_make(shape, set, sources, origins, source_count, reply, object_index, bytes));
}
