/* SPDX-License-Identifier: MIT */
/*
 * The plans of all wanted objects, one after the other. Until when a plan is valid, and how its
 * object is written, is left to plan_put.c; all else to merged_answer.c.
 */
#include "collect/planned_answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

/*
 * What instances that are added during a Collect may take; more have no time to come. An answer
 * that grows when a plan fails must not have overwritten a buffer that is too small for it.
 */
#define ROOM_FOR_MORE 4096

/* The plans of all wanted objects, in their order. */
struct plan_list {
    const prfdata_plan *plans[PRFDATA_MAX_OBJECTS];
    uint32_t offsets[PRFDATA_MAX_OBJECTS]; /* of their objects, in an answer that fits */
    uint8_t objects[PRFDATA_MAX_OBJECTS];  /* which they are of */
    uint32_t count;
    size_t bytes;
};

/* Returns false if a wanted object has no plan. */
static bool list_plans(const prfdata_collect_request *request, struct plan_list *list)
{
    const prfdata_basis *basis = request->basis;
    const uint32_t object_count = basis->installation->shape.model->object_count;
    uint32_t count = 0;
    size_t bytes = 0;

    static_assert(PRFDATA_MAX_OBJECTS <= UINT8_MAX + 1, "an index has a byte");
    for (uint32_t i = 0; i < object_count; i++) {
        const prfdata_plan *plan = basis->plans[i];

        if (!request->wanted[i])
            continue;
        if (!plan)
            return false;
        list->plans[count] = plan;
        list->offsets[count] = (uint32_t)bytes;
        list->objects[count++] = (uint8_t)i;
        bytes += prfdata_plan_bytes(plan);
    }
    list->count = count;
    list->bytes = bytes;
    return true;
}

/* The answer has the size that the plans say: that is too much. */
PRFDATA_NOINLINE static prfdata_result refuse_room(const struct plan_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!prfdata_plan_is_valid(list->plans[i]))
            return PRFDATA_MERGE_INSTEAD;
    return PRFDATA_NO_ROOM;
}

static inline prfdata_result put_plans(const struct plan_list *list, uint8_t *at)
{
    uint32_t tries_left = PRFDATA_PLAN_TRIES;

    for (uint32_t i = 0; i < list->count; i++) {
        const prfdata_result result =
            prfdata_plan_put(list->plans[i], &tries_left, at + list->offsets[i]);

        if (result != PRFDATA_DONE)
            return result;
    }
    return PRFDATA_DONE;
}

/* Whether the objects are to be of one moment, which matters where there are several. */
static bool needs_one_moment(const struct plan_list *list)
{
    for (uint32_t i = 0; i < list->count && list->count > 1; i++)
        if (prfdata_plan_has_brackets(list->plans[i]))
            return true;
    return false;
}

static bool count_entered_brackets(const struct plan_list *list, uint64_t *entered)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!prfdata_plan_add_entered(list->plans[i], entered))
            return false;
    return true;
}

/* What a bracket is around that was entered meanwhile may be in one object only. */
PRFDATA_NOINLINE static prfdata_result put_of_one_moment(const struct plan_list *list, uint8_t *at)
{
    uint64_t before = 0;
    uint64_t after = 0;
    prfdata_result result;

    if (!count_entered_brackets(list, &before))
        return PRFDATA_MERGE_INSTEAD;
    result = put_plans(list, at);
    if (result == PRFDATA_DONE && (!count_entered_brackets(list, &after) || after != before))
        return PRFDATA_MERGE_INSTEAD;
    return result;
}

static void complete_objects(prfdata_collect_request *request, const struct plan_list *list,
                             uint8_t *at)
{
    const uint64_t perf_time = prfdata_request_stamp(request);

    for (uint32_t i = 0; i < list->count; i++)
        prfdata_request_complete(request, list->objects[i], perf_time, at + list->offsets[i]);
}

/* Put all objects, which fit. Returns what prfdata_planned_answer_put() does. */
static inline prfdata_result put_by_plans(prfdata_collect_request *request,
                                          const struct plan_list *list, uint8_t *at)
{
    const prfdata_result result =
        needs_one_moment(list) ? put_of_one_moment(list, at) : put_plans(list, at);

    if (result == PRFDATA_DONE)
        complete_objects(request, list, at);
    return result;
}

/* The same where the caller's buffer is to stay as it was if a plan fails. */
PRFDATA_NOINLINE static prfdata_result put_by_plans_aside(prfdata_collect_request *request,
                                                          const struct plan_list *list, uint8_t *at)
{
    uint8_t *aside = malloc(list->bytes > 0 ? list->bytes : 1);
    prfdata_result result = PRFDATA_MERGE_INSTEAD;

    if (aside)
        result = put_by_plans(request, list, aside);
    if (result == PRFDATA_DONE)
        memcpy(at, aside, list->bytes);
    free(aside);
    return result;
}

prfdata_result prfdata_planned_answer_put(prfdata_collect_request *request)
{
    prfdata_perf_block *block = &request->block;
    struct plan_list list;
    prfdata_result result;

    if (!request->uses_plans || request->metadata || !list_plans(request, &list))
        return PRFDATA_MERGE_INSTEAD;
    if (list.bytes > block->capacity)
        return refuse_room(&list);
    if (block->capacity - list.bytes < ROOM_FOR_MORE)
        result = put_by_plans_aside(request, &list, block->bytes);
    else
        result = put_by_plans(request, &list, block->bytes);
    if (result != PRFDATA_DONE)
        return result;
    block->used = list.bytes;
    request->object_count = list.count;
    return PRFDATA_DONE;
}
