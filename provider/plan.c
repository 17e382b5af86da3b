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

/* ---- Memory ---- */

/* Parts whose elements have 8 bytes come first. Only counts, sources and words are cleared. */
prfdata_plan *prfdata_plan_allocate(const prfdata_plan_room *room)
{
    const size_t source_bytes = room->source_count * sizeof(prfdata_plan_source);
    const size_t row_bytes = room->row_count * sizeof(prfdata_plan_row);
    const size_t rest_bytes = room->rest_count * sizeof(prfdata_plan_rest);
    const size_t word_bytes = room->source_count * sizeof(uint64_t);
    const size_t cell_bytes = room->cell_count * sizeof(uint64_t);
    const size_t name_bytes = room->name_count * sizeof(uint64_t);
    const size_t tag_bytes = (room->tag_count * sizeof(uint32_t) + 7) / 8 * 8;
    prfdata_plan *made =
        malloc(sizeof *made + source_bytes + row_bytes + rest_bytes + 2 * word_bytes + cell_bytes +
               name_bytes + tag_bytes + room->image_bytes);

    if (!made)
        return NULL;
    memset(made, 0, sizeof *made + source_bytes);
    made->references = 1;
    made->sources = (void *)(made + 1);
    made->structures = (void *)((uint8_t *)made->sources + source_bytes);
    made->regions = made->structures + room->source_count;
    made->constants = made->regions + room->source_count;
    made->names = made->constants + room->cell_count;
    made->rows = (void *)(made->names + room->name_count);
    made->rests = (void *)((uint8_t *)made->rows + row_bytes);
    made->tags = (void *)((uint8_t *)made->rests + rest_bytes);
    made->image = (uint8_t *)made->tags + tag_bytes;
    memset(made->structures, 0, word_bytes);
    return made;
}

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

bool prfdata_plan_has_brackets(const prfdata_plan *plan)
{
    for (uint32_t i = 0; i < plan->source_count; i++)
        if (plan->sources[i].has_brackets)
            return true;
    return false;
}

bool prfdata_plan_is_carried(const prfdata_plan *plan, const prfdata_carry *carry)
{
    return prfdata_plan_knows_carried(plan, carry);
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
        if (sources[i].snapshot->is_summary) {
            signature = prfdata_fnv_add(signature, &sources[i].snapshot->is_ageing,
                                        sizeof sources[i].snapshot->is_ageing);
            continue;
        }
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

/*
 * Under the lock. Whether the object may have a plan that will hold: it was found so before, or it
 * was found before and its plan can be renewed. A reader that looks only once needs none.
 */
static bool notice_object(prfdata_plan_signs *signs, uint64_t signature, bool is_renewable)
{
    const uint64_t seen = signs->seen;

    if (signature == 0) /* nothing was learned; what was seen before may be there again */
        return false;
    signs->seen = signature;
    if (seen == signature)
        return signs->unfit != signature;
    return is_renewable && seen != 0 && signs->unfit != seen;
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
            is_worth_it |= notice_object(&plans->signs[i], signature,
                                         prfdata_plan_is_renewable(shape->model, i));
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

/* Put `renewed` in the place of `plan`, unless another one took that already. */
static void replace_plan(prfdata_plans *plans, uint64_t number, const prfdata_plan *plan,
                         prfdata_plan *renewed)
{
    prfdata_plan *dropped = renewed;

    prfdata_os_lock_enter(&plans->lock);
    if (plans->number == number && plans->plans[plan->object_index] == plan) {
        dropped = plans->plans[plan->object_index];
        plans->plans[plan->object_index] = renewed;
        note_change(plans);
    }
    prfdata_os_lock_leave(&plans->lock);
    release_plan(plans, dropped);
}

bool prfdata_plans_renew(prfdata_plans *plans, const prfdata_carry_shape *shape,
                         const prfdata_plan *plan)
{
    prfdata_plan *renewed = prfdata_plan_renew(plan);

    if (!renewed)
        return false;
    replace_plan(plans, shape->number, plan, renewed);
    return true;
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
