/* SPDX-License-Identifier: MIT */
/*
 * The short way of a Collect: no allocation, and no lock but that of the sums. Knows nothing of
 * merging.
 */
#include "provider/planned_answer.h"

#include <string.h>

#include "provider/plan_parts.h"

/* Of an older set a sum could be smaller than one that another Collect has just shown by merging.
 */
bool prfdata_planned_answer_is_possible(const prfdata_answering *asked,
                                        const prfdata_region_set *set)
{
    return asked->uses_plans && !asked->prepared->metadata && set && !set->some_unknown &&
           prfdata_regions_is_present(&asked->present->installation->shared->regions, set);
}

/* Whether all objects have plans of the newest set. They are of one that has no unknown files. */
static bool has_plans(const prfdata_answering *asked)
{
    const prfdata_present *present = asked->present;

    return asked->prepared->count > 0 && asked->uses_plans &&
           prfdata_regions_is_present(&present->installation->shared->regions, present->set);
}

/* Note the object whose plan does not hold. */
static uint32_t note_failed_plan(prfdata_answering *asked, const prfdata_plan *plan)
{
    asked->failed_object = plan->object_index;
    return ERROR_NOT_FOUND;
}

/* The size is as planned: say that it is too much. */
static uint32_t refuse_room(prfdata_answering *asked)
{
    const prfdata_prepared *prepared = asked->prepared;
    const prfdata_carry *carry = &asked->present->installation->shared->regions.carry;

    for (uint32_t i = 0; i < prepared->count; i++)
        if (!prfdata_plan_knows_carried(prepared->plans[i], carry))
            return ERROR_NOT_FOUND;
    for (uint32_t i = 0; i < prepared->count; i++)
        if (!prfdata_plan_is_steady(prepared->plans[i]))
            return note_failed_plan(asked, prepared->plans[i]);
    asked->is_all_planned = true;
    return ERROR_MORE_DATA;
}

uint64_t prfdata_planned_answer_stamp(prfdata_answering *asked)
{
    asked->stamp = prfdata_os_ticks();
    return asked->stamp;
}

void prfdata_planned_answer_put_health(const prfdata_answering *asked, prfdata_perf_block *block,
                                       size_t offset)
{
    const prfdata_installation *installation = asked->present->installation;
    const uint32_t index = installation->shape.model->health_index;
    const size_t definitions = installation->template->objects[index].size;

    if (!asked->prepared->metadata)
        prfdata_health_put(installation->shared->regions.health,
                           &installation->shape.model->objects[index],
                           block->bytes + offset + definitions);
}

static void stamp_plans(prfdata_answering *asked, prfdata_perf_block *block)
{
    const prfdata_prepared *prepared = asked->prepared;
    const uint64_t perf_time = prfdata_planned_answer_stamp(asked);
    const prfdata_plan *const *next = prepared->plans;
    const prfdata_plan *const *const end = next + prepared->count;

    for (uint8_t *at = block->bytes; next < end; at += (*next++)->bytes)
        prfdata_template_stamp(at, perf_time);
    if (prepared->has_health)
        prfdata_planned_answer_put_health(asked, block, prepared->health_offset);
}

/* Put all objects. Returns what put_planned() does. */
static inline uint32_t put_all_plans(prfdata_answering *asked, uint8_t *at)
{
    const prfdata_installation *installation = asked->present->installation;
    prfdata_carry *carry = &installation->shared->regions.carry;
    const prfdata_plan *const *next = asked->prepared->plans;
    const prfdata_plan *const *const end = next + asked->prepared->count;

    for (; next < end; at += (*next++)->bytes) {
        uint32_t error;

        if (!prfdata_plan_knows_carried(*next, carry))
            return ERROR_NOT_FOUND;
        error = prfdata_plan_put(*next, &installation->shape, carry, &asked->tries_left, at);
        if (error == ERROR_NOT_FOUND)
            return note_failed_plan(asked, *next);
        if (error)
            return error;
    }
    return ERROR_SUCCESS;
}

static bool count_entered_brackets(const prfdata_prepared *prepared, uint64_t *entered)
{
    *entered = 0;
    for (uint32_t i = 0; i < prepared->count; i++)
        if (!prfdata_plan_add_entered(prepared->plans[i], entered))
            return false;
    return true;
}

/*
 * Put the answer, if all wanted objects have plans and they hold.
 *
 * Returns ERROR_NOT_FOUND (something has to be merged; what was written does not count), or what
 *         prfdata_answer_put() does.
 */
static uint32_t put_planned(prfdata_answering *asked, prfdata_perf_block *block, uint32_t *objects)
{
    const prfdata_prepared *prepared = asked->prepared;
    uint64_t before = 0;
    uint64_t after = 0;
    uint32_t error;

    if (!has_plans(asked))
        return ERROR_NOT_FOUND;
    if (prepared->bytes > block->capacity)
        return refuse_room(asked);
    if (block->capacity - prepared->bytes < PRFDATA_PLANNED_ANSWER_ROOM)
        return ERROR_NOT_FOUND;
    if (prepared->has_brackets && !count_entered_brackets(prepared, &before))
        return ERROR_NOT_FOUND;
    error = put_all_plans(asked, block->bytes);
    if (error)
        return error;
    /* What a bracket is around that was entered meanwhile may be in one object only. */
    if (prepared->has_brackets && (!count_entered_brackets(prepared, &after) || after != before))
        return ERROR_NOT_FOUND;
    block->used = prepared->bytes;
    stamp_plans(asked, block);
    *objects = prepared->count;
    asked->is_all_planned = true;
    return ERROR_SUCCESS;
}

uint32_t prfdata_answer_put(prfdata_answering *asked, prfdata_perf_block *block, uint32_t *objects)
{
    uint32_t error;

    asked->is_all_planned = false;
    asked->failed_object = PRFDATA_NONE;
    asked->tries_left = PRFDATA_PLAN_TRIES;
    error = put_planned(asked, block, objects);
    if (asked->is_all_planned)
        return error;
    memset(&asked->counts, 0, sizeof asked->counts);
    return error == ERROR_NOT_FOUND ? prfdata_answer_put_merged(asked, block, objects) : error;
}

bool prfdata_planned_answer_renew(prfdata_answering *asked)
{
    const prfdata_present *present = asked->present;
    const prfdata_installation *installation = present->installation;
    prfdata_shared_regions *shared = installation->shared;

    if (!prfdata_planned_answer_is_possible(asked, present->set))
        return false;
    for (uint32_t i = 0; i < installation->shape.model->object_count; i++)
        if (asked->prepared->wanted[i] && present->plans[i] &&
            prfdata_plan_is_carried(present->plans[i], &shared->regions.carry) &&
            prfdata_plans_renew(&shared->plans, &installation->shape, present->plans[i]))
            asked->counts.renewed++;
    return asked->counts.renewed > 0;
}
