/* SPDX-License-Identifier: MIT */
/*
 * The plans of all wanted objects, one after the other. Until when a plan is valid, and how its
 * object is written, is left to plan_put.c; all else to merged_answer.c.
 */
#include "collect/planned_answer.h"

#include <stdlib.h>
#include <string.h>

#include "core/compiler.h"

/*
 * What instances that are added during a Collect may take; more have no time to come. An answer
 * that grows when a plan fails must not have overwritten a buffer that is too small for it.
 */
#define ROOM_FOR_MORE 4096

/* The plans of all wanted objects, in their order. */
struct planned {
    const prfdata_plan *plans[PRFDATA_MAX_OBJECTS];
    uint32_t offsets[PRFDATA_MAX_OBJECTS]; /* of their objects, in an answer that fits */
    uint8_t objects[PRFDATA_MAX_OBJECTS];  /* which they are of */
    uint32_t count;
    size_t bytes;
};

/* Returns false if a wanted object has no plan. */
static bool list_plans(const prfdata_asking *asked, struct planned *planned)
{
    const prfdata_basis *basis = asked->basis;
    const uint32_t object_count = basis->installation->shape.model->object_count;
    uint32_t count = 0;
    size_t bytes = 0;

    static_assert(PRFDATA_MAX_OBJECTS <= UINT8_MAX + 1, "an index has a byte");
    for (uint32_t i = 0; i < object_count; i++) {
        const prfdata_plan *plan = basis->plans[i];

        if (!asked->wanted[i])
            continue;
        if (!plan)
            return false;
        planned->plans[count] = plan;
        planned->offsets[count] = (uint32_t)bytes;
        planned->objects[count++] = (uint8_t)i;
        bytes += prfdata_plan_bytes(plan);
    }
    planned->count = count;
    planned->bytes = bytes;
    return true;
}

/* The size is as planned: say that it is too much. */
PRFDATA_NOINLINE static uint32_t refuse_room(const struct planned *planned)
{
    for (uint32_t i = 0; i < planned->count; i++)
        if (!prfdata_plan_is_valid(planned->plans[i]))
            return ERROR_NOT_FOUND;
    return ERROR_MORE_DATA;
}

static inline uint32_t put_plans(const struct planned *planned, uint8_t *at)
{
    uint32_t tries_left = PRFDATA_PLAN_TRIES;

    for (uint32_t i = 0; i < planned->count; i++) {
        const uint32_t error =
            prfdata_plan_put(planned->plans[i], &tries_left, at + planned->offsets[i]);

        if (error)
            return error;
    }
    return ERROR_SUCCESS;
}

/* Whether the objects are to be of one moment, which matters where there are several. */
static bool needs_one_moment(const struct planned *planned)
{
    for (uint32_t i = 0; i < planned->count && planned->count > 1; i++)
        if (prfdata_plan_has_brackets(planned->plans[i]))
            return true;
    return false;
}

static bool count_entered_brackets(const struct planned *planned, uint64_t *entered)
{
    for (uint32_t i = 0; i < planned->count; i++)
        if (!prfdata_plan_add_entered(planned->plans[i], entered))
            return false;
    return true;
}

/* What a bracket is around that was entered meanwhile may be in one object only. */
PRFDATA_NOINLINE static uint32_t put_of_one_moment(const struct planned *planned, uint8_t *at)
{
    uint64_t before = 0;
    uint64_t after = 0;
    uint32_t error;

    if (!count_entered_brackets(planned, &before))
        return ERROR_NOT_FOUND;
    error = put_plans(planned, at);
    if (!error && (!count_entered_brackets(planned, &after) || after != before))
        return ERROR_NOT_FOUND;
    return error;
}

static void complete_objects(prfdata_asking *asked, const struct planned *planned, uint8_t *at)
{
    const uint64_t perf_time = prfdata_asking_stamp(asked);

    for (uint32_t i = 0; i < planned->count; i++)
        prfdata_asking_complete(asked, planned->objects[i], perf_time, at + planned->offsets[i]);
}

/* Put all objects, which fit. Returns what prfdata_planned_answer_put() does. */
static inline uint32_t put_planned(prfdata_asking *asked, const struct planned *planned,
                                   uint8_t *at)
{
    const uint32_t error =
        needs_one_moment(planned) ? put_of_one_moment(planned, at) : put_plans(planned, at);

    if (!error)
        complete_objects(asked, planned, at);
    return error;
}

/* The same where the caller's buffer is to stay as it was if a plan fails. */
PRFDATA_NOINLINE static uint32_t put_planned_aside(prfdata_asking *asked,
                                                   const struct planned *planned, uint8_t *at)
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

uint32_t prfdata_planned_answer_put(prfdata_asking *asked)
{
    prfdata_perf_block *block = &asked->block;
    struct planned planned;
    uint32_t error;

    if (!asked->uses_plans || asked->metadata || !list_plans(asked, &planned))
        return ERROR_NOT_FOUND;
    if (planned.bytes > block->capacity)
        return refuse_room(&planned);
    if (block->capacity - planned.bytes < ROOM_FOR_MORE)
        error = put_planned_aside(asked, &planned, block->bytes);
    else
        error = put_planned(asked, &planned, block->bytes);
    if (error)
        return error;
    block->used = planned.bytes;
    asked->object_count = planned.count;
    return ERROR_SUCCESS;
}
