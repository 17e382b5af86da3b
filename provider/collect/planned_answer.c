/* SPDX-License-Identifier: MIT */
/*
 * Answers a query from plans, one object after another. plan_put.c decides whether a plan is still
 * valid and writes the object. If any plan fails, merged_answer.c answers instead.
 */
#include "collect/planned_answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/smaller.h"

/* Returns NULL if the object is not wanted. All wanted objects have plans: see measure_plans(). */
static inline const prfdata_plan *wanted_plan(const prfdata_collect_request *request,
                                              uint32_t object_index)
{
    return request->wanted[object_index] ? request->basis->plans[object_index] : NULL;
}

static inline uint32_t object_count_of(const prfdata_collect_request *request)
{
    return request->basis->installation->model->object_count;
}

/* Returns false if a wanted object has no plan. */
static bool measure_plans(prfdata_collect_request *request, size_t *bytes)
{
    prfdata_plan *const *plans = request->basis->plans;
    const uint32_t object_count = object_count_of(request);
    uint32_t wanted_count = 0;
    size_t sum = 0;

    for (uint32_t i = 0; i < object_count; i++) {
        if (!request->wanted[i])
            continue;
        if (!plans[i])
            return false;
        wanted_count++;
        sum += prfdata_plan_bytes(plans[i]);
    }
    request->object_count = wanted_count;
    *bytes = sum;
    return true;
}

/*
 * Call it if the buffer is too small for the planned answer. Returns PRFDATA_STALE if a plan is no
 * longer valid, because the size of the answer may have changed; otherwise PRFDATA_NO_ROOM.
 */
PRFDATA_NOINLINE static prfdata_result refuse_room(const prfdata_collect_request *request)
{
    for (uint32_t i = 0; i < object_count_of(request); i++) {
        const prfdata_plan *plan = wanted_plan(request, i);

        if (plan && !prfdata_plan_is_valid(plan))
            return PRFDATA_STALE;
    }
    return PRFDATA_NO_ROOM;
}

static inline prfdata_result put_plans(const prfdata_collect_request *request, uint8_t *at)
{
    const uint32_t object_count = object_count_of(request);
    uint32_t tries_left = PRFDATA_PLAN_TRIES;

    for (uint32_t i = 0; i < object_count; i++) {
        const prfdata_plan *plan = wanted_plan(request, i);
        prfdata_result result;

        if (!plan)
            continue;
        result = prfdata_plan_put(plan, &tries_left, at);
        if (result != PRFDATA_DONE)
            return result;
        at += prfdata_plan_bytes(plan);
    }
    return PRFDATA_DONE;
}

/* Whether several objects are wanted and programs may change them together, inside brackets. */
static bool needs_one_moment(const prfdata_collect_request *request)
{
    const uint32_t object_count = request->object_count > 1 ? object_count_of(request) : 0;

    for (uint32_t i = 0; i < object_count; i++) {
        const prfdata_plan *plan = wanted_plan(request, i);

        if (plan && prfdata_plan_has_brackets(plan))
            return true;
    }
    return false;
}

static bool count_entered_brackets(const prfdata_collect_request *request, uint64_t *entered)
{
    for (uint32_t i = 0; i < object_count_of(request); i++) {
        const prfdata_plan *plan = wanted_plan(request, i);

        if (plan && !prfdata_plan_add_entered(plan, entered))
            return false;
    }
    return true;
}

/*
 * Writes the objects. Returns PRFDATA_STALE if a thread entered a bracket meanwhile, because the
 * change inside the bracket may be in one object and not in another.
 */
PRFDATA_NOINLINE static prfdata_result put_of_one_moment(const prfdata_collect_request *request,
                                                         uint8_t *at)
{
    uint64_t before = 0;
    uint64_t after = 0;
    prfdata_result result;

    if (!count_entered_brackets(request, &before))
        return PRFDATA_STALE;
    result = put_plans(request, at);
    if (result == PRFDATA_DONE && (!count_entered_brackets(request, &after) || after != before))
        return PRFDATA_STALE;
    return result;
}

static inline void complete_objects(prfdata_collect_request *request, uint8_t *at)
{
    const uint32_t object_count = object_count_of(request);
    const uint64_t perf_time = prfdata_request_stamp(request);

    for (uint32_t i = 0; i < object_count; i++) {
        if (!request->wanted[i])
            continue;
        prfdata_request_complete(request, i, perf_time, at);
        at += prfdata_plan_bytes(request->basis->plans[i]);
    }
}

/* The buffer must have room for all objects. Returns PRFDATA_DONE or PRFDATA_STALE. */
static inline prfdata_result put_by_plans(prfdata_collect_request *request, uint8_t *at)
{
    const prfdata_result result =
        needs_one_moment(request) ? put_of_one_moment(request, at) : put_plans(request, at);

    if (result == PRFDATA_DONE)
        complete_objects(request, at);
    return result;
}

/*
 * Does what put_by_plans() does, but in a separate buffer, so that the caller's buffer stays
 * unchanged if a plan fails.
 */
PRFDATA_NOINLINE static prfdata_result put_by_plans_aside(prfdata_collect_request *request,
                                                          size_t bytes, uint8_t *at)
{
    uint8_t *aside = malloc(bytes > 0 ? bytes : 1);
    prfdata_result result = PRFDATA_STALE;

    if (aside)
        result = put_by_plans(request, aside);
    if (result == PRFDATA_DONE)
        memcpy(at, aside, bytes);
    free(aside);
    return result;
}

/*
 * Returns how much room the buffer must have, in addition to the answer, for the answer to be
 * written in place. A plan may fail after a part of the answer was written. A merge then answers
 * the query, and the merged answer may be larger. If the merged answer does not fit, the buffer
 * must be unchanged (docs/architecture.md, decision 8).
 *
 * The room is at least 4 KiB plus the counters of one more instance of each object. Programs are
 * unlikely to add more during one Collect. These counters take less than a quarter of the answer,
 * because a counter takes at most 8 bytes in an instance, but 40 bytes in its definition.
 */
static inline uint64_t room_to_write_in_place(const prfdata_collect_request *request, size_t bytes)
{
    const uint64_t widest = 8ull * PRFDATA_MAX_COUNTERS;

    return 4096 + prfdata_smaller_of(bytes / 4, request->object_count * widest);
}

prfdata_result prfdata_planned_answer_put(prfdata_collect_request *request)
{
    prfdata_perf_block *block = &request->block;
    prfdata_result result;
    size_t bytes;

    if (!request->provider->uses_plans || request->metadata || !measure_plans(request, &bytes))
        return PRFDATA_STALE;
    if (bytes > block->capacity)
        return refuse_room(request);
    if (block->capacity - bytes < room_to_write_in_place(request, bytes))
        result = put_by_plans_aside(request, bytes, block->bytes);
    else
        result = put_by_plans(request, block->bytes);
    if (result == PRFDATA_DONE)
        block->used = bytes;
    return result;
}
