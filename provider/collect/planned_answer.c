/* SPDX-License-Identifier: MIT */
/*
 * The plans of all wanted objects, one after the other. Until when a plan is valid, and how its
 * object is written, is left to plan_gather.c; all else to answer.c.
 */
#include "collect/planned_answer.h"

#include <stdlib.h>
#include <string.h>

/*
 * What instances that are added during a Collect may take; more have no time to come. An answer
 * that grows when a plan fails must not have overwritten a buffer that is too small for it.
 */
#define ROOM_FOR_MORE 4096

/* The plans of all wanted objects, in their order. */
struct planned {
    const prfdata_plan *plans[PRFDATA_MAX_OBJECTS];
    uint8_t objects[PRFDATA_MAX_OBJECTS]; /* which they are of */
    uint32_t count;
    size_t bytes;
    bool has_brackets; /* several have: their objects are to be of one moment */
};

/* Returns false if a wanted object has no plan. */
static bool list_plans(const prfdata_asking *asked, struct planned *planned)
{
    const prfdata_basis *basis = asked->basis;
    const uint32_t object_count = basis->installation->shape.model->object_count;
    bool has_brackets = false;

    static_assert(PRFDATA_MAX_OBJECTS <= UINT8_MAX + 1, "an index has a byte");
    planned->count = 0;
    planned->bytes = 0;
    for (uint32_t i = 0; i < object_count; i++) {
        const prfdata_plan *plan = basis->plans[i];

        if (!asked->wanted[i])
            continue;
        if (!plan)
            return false;
        planned->plans[planned->count] = plan;
        planned->objects[planned->count++] = (uint8_t)i;
        planned->bytes += prfdata_plan_bytes(plan);
        has_brackets |= prfdata_plan_has_brackets(plan);
    }
    planned->has_brackets = has_brackets && planned->count > 1;
    return true;
}

/* The size is as planned: say that it is too much. */
static uint32_t refuse_room(const prfdata_asking *asked, const struct planned *planned)
{
    const prfdata_regions *regions = &asked->basis->installation->shared->regions;

    for (uint32_t i = 0; i < planned->count; i++)
        if (!prfdata_plan_is_valid(planned->plans[i], regions))
            return ERROR_NOT_FOUND;
    return ERROR_MORE_DATA;
}

static uint32_t put_plans(const prfdata_asking *asked, const struct planned *planned, uint8_t *at)
{
    const prfdata_installation *installation = asked->basis->installation;
    uint32_t tries_left = PRFDATA_PLAN_TRIES;
    uint32_t error = ERROR_SUCCESS;

    for (uint32_t i = 0; i < planned->count && !error; i++) {
        error = prfdata_plan_put(planned->plans[i], &installation->shape,
                                 &installation->shared->regions, &tries_left, at);
        at += prfdata_plan_bytes(planned->plans[i]);
    }
    return error;
}

static bool count_entered_brackets(const struct planned *planned, uint64_t *entered)
{
    *entered = 0;
    for (uint32_t i = 0; i < planned->count; i++)
        if (!prfdata_plan_add_entered(planned->plans[i], entered))
            return false;
    return true;
}

/* What a bracket is around that was entered meanwhile may be in one object only. */
static uint32_t put_of_one_moment(const prfdata_asking *asked, const struct planned *planned,
                                  uint8_t *at)
{
    uint64_t before;
    uint64_t after;
    uint32_t error;

    if (!planned->has_brackets)
        return put_plans(asked, planned, at);
    if (!count_entered_brackets(planned, &before))
        return ERROR_NOT_FOUND;
    error = put_plans(asked, planned, at);
    if (!error && (!count_entered_brackets(planned, &after) || after != before))
        return ERROR_NOT_FOUND;
    return error;
}

static void complete_objects(prfdata_asking *asked, const struct planned *planned, uint8_t *at)
{
    const uint64_t perf_time = prfdata_asking_stamp(asked);

    for (uint32_t i = 0; i < planned->count; i++) {
        prfdata_asking_complete(asked, planned->objects[i], perf_time, at);
        at += prfdata_plan_bytes(planned->plans[i]);
    }
}

/* Put all objects, which fit. Returns what prfdata_planned_answer_put() does. */
static uint32_t put_planned(prfdata_asking *asked, const struct planned *planned, uint8_t *at)
{
    const uint32_t error = put_of_one_moment(asked, planned, at);

    if (!error)
        complete_objects(asked, planned, at);
    return error;
}

/* The same where the caller's buffer is to stay as it was if a plan fails. */
static uint32_t put_planned_aside(prfdata_asking *asked, const struct planned *planned, uint8_t *at)
{
    uint8_t *aside = malloc(planned->bytes > 0 ? planned->bytes : 1);
    uint32_t error = ERROR_NOT_FOUND;

    if (aside)
        error = put_planned(asked, planned, aside);
    if (!error)
        memcpy(at, aside, planned->bytes);
    free(aside);
    return error;
}

uint32_t prfdata_planned_answer_put(prfdata_asking *asked, prfdata_perf_block *block,
                                    uint32_t *objects)
{
    struct planned planned;
    uint32_t error;

    if (!asked->uses_plans || asked->metadata || !list_plans(asked, &planned))
        return ERROR_NOT_FOUND;
    if (planned.bytes > block->capacity)
        return refuse_room(asked, &planned);
    error = (block->capacity - planned.bytes < ROOM_FOR_MORE ? put_planned_aside : put_planned)(
        asked, &planned, block->bytes);
    if (error)
        return error;
    block->used = planned.bytes;
    *objects = planned.count;
    return ERROR_SUCCESS;
}
