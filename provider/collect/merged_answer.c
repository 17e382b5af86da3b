/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of all regions are merged, what is carried is added, and the reply is written. Others
 * may replace the set meanwhile: what counts was read while it was the newest.
 */
#include "collect/merged_answer.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"
#include "collect/learning.h"

struct answer {
    prfdata_collect_request *request;
    const prfdata_model *model;
    prfdata_regions *all_regions;
    prfdata_region_set *set;       /* the newest when the merge began; NULL: none */
    prfdata_merge_region *regions; /* one per region that could be read */
    prfdata_member **members;      /* whose these are */
    uint32_t region_count;
    uint64_t *unread; /* ids of the regions of which not all could be read, unread_count of them */
    uint32_t unread_count;
    prfdata_merged *merged; /* NULL for definitions only */
};

/* ---- Merging ---- */

static void notice_contents(const struct answer *answer, const prfdata_mapping *mapping,
                            const prfdata_merge_region *region)
{
    prfdata_events *events = answer->request->events;

    if (region->snapshot->torn_count > 0)
        prfdata_events_notice(events, PRFDATA_EVENT_TORN, L"", 0);
    if (region->snapshot->left_out > 0)
        prfdata_events_notice(events, PRFDATA_EVENT_EARLIER_LEFT_OUT,
                              answer->model->objects[region->snapshot->left_out - 1].entry->name,
                              0);
    if (region->snapshot->dropped > 0 && region->is_live)
        prfdata_events_notice_ascii(events, PRFDATA_EVENT_PUBLISHER_FULL, mapping->name.text, 0);
}

/* It stays, and what is carried of it must not be taken for what is left of it. */
static void add_unread(struct answer *answer, const prfdata_member *member)
{
    answer->unread[answer->unread_count++] = member->mapping->id;
}

static void add_region(struct answer *answer, prfdata_member *member, prfdata_snapshot *snapshot)
{
    prfdata_merge_region *region = &answer->regions[answer->region_count];

    region->id = member->mapping->id;
    region->snapshot = snapshot;
    region->is_live = snapshot->is_published && member->writer == PRFDATA_MAPPING_WRITER_LIVES;
    region->is_late = member->mapping->is_late;
    answer->members[answer->region_count++] = member;
    if (snapshot->lacks_slots || snapshot->left_out > 0)
        add_unread(answer, member);
    answer->request->counts.torn_copies += snapshot->torn_count;
    notice_contents(answer, member->mapping, region);
}

/* Whether a region can be shown by this installation. `projection`: gets how. */
static bool is_showable(const struct answer *answer, const prfdata_mapping *mapping,
                        const prfdata_projection **projection)
{
    return !prfdata_load32_relaxed(&mapping->is_broken) &&
           prfdata_installation_shape_of(answer->request->basis->installation, mapping, projection);
}

/*
 * Add a region's snapshot, or leave it out where it cannot be read; what it had shown is carried.
 * Exhausted memory ends the whole Collect: the totals would fall if only some regions counted. So
 * does a region that was taken over since the set was made, unless it was just asked again.
 */
static prfdata_result take_snapshot(struct answer *answer, prfdata_member *member,
                                    prfdata_snapshot_budget *budget)
{
    const prfdata_projection *projection;
    prfdata_snapshot *snapshot;
    prfdata_result result;

    if (!is_showable(answer, member->mapping, &projection)) {
        add_unread(answer, member);
        return PRFDATA_DONE;
    }
    result =
        prfdata_regions_snapshot(answer->all_regions, member, projection, answer->request->wanted,
                                 answer->request->may_ask_again, budget, &snapshot);
    if (result == PRFDATA_DONE) {
        add_region(answer, member, snapshot);
        return PRFDATA_DONE;
    }
    if (result == PRFDATA_ASK_AGAIN)
        return result;
    add_unread(answer, member);
    answer->request->counts.broken_regions +=
        result == PRFDATA_FAULTED || result == PRFDATA_INVALID;
    return result == PRFDATA_NO_MEMORY ? result : PRFDATA_DONE;
}

static prfdata_result take_snapshots(struct answer *answer)
{
    prfdata_snapshot_budget budget = prfdata_snapshot_full_budget();
    prfdata_result result = PRFDATA_DONE;

    for (uint32_t i = 0; answer->set && i < answer->set->count && result == PRFDATA_DONE; i++)
        result = take_snapshot(answer, answer->set->members[i], &budget);
    answer->request->counts.tries += budget.tries;
    if (result == PRFDATA_DONE && answer->set && answer->request->may_ask_again &&
        !prfdata_regions_is_current(answer->all_regions, answer->set))
        return PRFDATA_ASK_AGAIN; /* what was read may be newer than what the newest knows */
    return result;
}

static void drop_merge(const struct answer *answer)
{
    prfdata_merge_free(answer->merged); /* before the snapshots, whose names it borrows */
    for (uint32_t i = 0; i < answer->region_count; i++)
        prfdata_member_release(answer->members[i], answer->regions[i].snapshot);
    free(answer->regions);
    free(answer->members);
    free(answer->unread);
}

static void count_dropped(const struct answer *answer)
{
    for (uint32_t i = 0; i < answer->merged->object_count; i++) {
        const uint64_t dropped = answer->merged->objects[i].dropped;

        answer->request->counts.dropped_instances += dropped;
        if (dropped > 0)
            prfdata_events_notice(answer->request->events, PRFDATA_EVENT_TOO_LARGE,
                                  answer->model->objects[i].entry->name, 0);
    }
}

/* Room for what is read of the set. */
static bool make_room(struct answer *answer)
{
    const size_t count = answer->set ? answer->set->count : 0;

    answer->regions = calloc(count + 1, sizeof *answer->regions);
    answer->members = calloc(count + 1, sizeof(prfdata_member *));
    answer->unread = calloc(count + 1, sizeof *answer->unread);
    return answer->regions && answer->members && answer->unread;
}

/*
 * What another thread has shown meanwhile is shown as well, and beside it stands what is older: of
 * a pair that is changed inside brackets half would be shown.
 */
static prfdata_result check_newer(const struct answer *answer)
{
    const uint32_t newer_count = answer->merged->newer_count;

    if (newer_count == 0)
        return PRFDATA_DONE;
    if (answer->request->may_ask_again)
        return PRFDATA_ASK_AGAIN;
    answer->request->counts.torn_copies += newer_count;
    prfdata_events_notice(answer->request->events, PRFDATA_EVENT_TORN, L"", 0);
    return PRFDATA_DONE;
}

static prfdata_result apply_carry(const struct answer *answer, const prfdata_carry_visit *visit)
{
    const prfdata_carry_read read = {
        .visit = visit,
        .regions = answer->regions,
        .region_count = answer->region_count,
        .unread = answer->unread,
        .unread_count = answer->unread_count,
        .has_more = answer->set && answer->set->has_more,
    };
    const prfdata_result result = prfdata_carry_apply(
        &answer->all_regions->carry, &answer->request->basis->installation->shape,
        answer->request->wanted, &read, answer->merged);
    return result == PRFDATA_DONE ? check_newer(answer) : result;
}

static prfdata_result take_and_merge(struct answer *answer, const prfdata_carry_visit *visit)
{
    prfdata_result result;

    if (!make_room(answer))
        return PRFDATA_NO_MEMORY;
    result = take_snapshots(answer);
    if (result == PRFDATA_DONE)
        result = prfdata_merge_make(answer->model, answer->request->wanted, answer->regions,
                                    answer->region_count, PRFDATA_MERGE_MAX_ROWS_BYTES,
                                    answer->request->seed, &answer->merged);
    PRFDATA_CRASH_POINT("R: merged");
    if (result == PRFDATA_DONE)
        result = apply_carry(answer, visit);
    if (result == PRFDATA_DONE)
        count_dropped(answer);
    return result;
}

/*
 * Regions exist and none may be read: sums would wrongly be shown as 0. Or some cannot be looked at
 * yet by a reader that has just begun.
 */
static bool sums_are_unknown(const struct answer *answer)
{
    const prfdata_region_set *set = answer->set;

    if (answer->request->metadata)
        return false;
    return !set || (set->sums_wait_ms > 0 && prfdata_os_milliseconds() < set->sums_wait_ms) ||
           (answer->region_count == 0 && set->some_unknown);
}

static prfdata_reply describe_reply(const struct answer *answer)
{
    prfdata_reply reply;

    reply.model = answer->model;
    reply.template = answer->request->basis->installation->template;
    reply.wanted = answer->request->wanted;
    reply.metadata = answer->request->metadata;
    reply.sums_unknown = sums_are_unknown(answer);
    reply.merged = answer->merged;
    return reply;
}

/*
 * In a visit, so that nothing is forgotten that this Collect might have seen. A set that was
 * replaced before may have regions whose last values were folded already: so it is the newest.
 */
static prfdata_result merge_in_visit(struct answer *answer)
{
    prfdata_carry_visit visit;
    prfdata_result result;

    prfdata_carry_begin(&answer->all_regions->carry, &visit);
    answer->set = prfdata_regions_share(answer->all_regions);
    result = take_and_merge(answer, &visit);
    prfdata_carry_end(&answer->all_regions->carry, &visit);
    return result;
}

/* ---- Writing ---- */

/* Put all objects, which fit. */
static void put_objects(const struct answer *answer, const prfdata_reply *reply)
{
    prfdata_perf_block *block = &answer->request->block;
    /* After all values were read: a start that is younger than the time would be centuries ago. */
    const uint64_t perf_time = prfdata_request_stamp(answer->request);

    for (uint32_t i = 0; i < answer->model->object_count; i++) {
        const size_t offset = block->used;

        if (!prfdata_reply_put_object(reply, i, block))
            continue;
        prfdata_request_complete(answer->request, i, perf_time, block->bytes + offset);
        answer->request->object_count++;
    }
}

/* From now on, a region that could not be looked at counts as one that sums were shown without. */
static void remember_shown_sums(const struct answer *answer)
{
    prfdata_store64_relaxed(&answer->all_regions->sums_shown_ms, prfdata_os_milliseconds());
}

/* `bytes`: what was put; NULL: there was no room. */
static void learn_from(const struct answer *answer, const prfdata_reply *reply,
                       const uint8_t *bytes)
{
    const prfdata_plan_input input = {&answer->request->basis->installation->shape,
                                      answer->all_regions,
                                      answer->set,
                                      answer->regions,
                                      answer->members,
                                      answer->region_count,
                                      reply};

    if (answer->unread_count == 0 && prfdata_learning_may(answer->request, &input))
        prfdata_learning_learn(answer->request, &input, bytes);
}

/*
 * The caller's buffer is written when nothing of ours waits for it: it may fault, and the caller
 * may handle that.
 */
static prfdata_result put_answer(const struct answer *answer)
{
    const prfdata_reply reply = describe_reply(answer);
    const uint8_t *bytes = answer->request->block.bytes;

    if (prfdata_reply_bytes(&reply) > answer->request->block.capacity) {
        learn_from(answer, &reply, NULL);
        return PRFDATA_NO_ROOM;
    }
    put_objects(answer, &reply);
    learn_from(answer, &reply, bytes);
    if (answer->merged && !reply.sums_unknown)
        remember_shown_sums(answer);
    return PRFDATA_DONE;
}

prfdata_result prfdata_merged_answer_put(prfdata_collect_request *request)
{
    struct answer answer = {0};
    prfdata_result result = PRFDATA_DONE;

    answer.request = request;
    answer.model = request->basis->installation->shape.model;
    answer.all_regions = request->basis->installation->regions;
    if (!request->metadata)
        result = merge_in_visit(&answer);
    if (result == PRFDATA_DONE)
        result = put_answer(&answer);
    drop_merge(&answer);
    prfdata_regions_release(answer.all_regions, answer.set);
    return result;
}
