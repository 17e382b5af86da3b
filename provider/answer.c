/* SPDX-License-Identifier: MIT */
/*
 * Answers of which something is merged. Objects that are related (parent and child) are shown by
 * plans or merged together: rows of a child say which row its parent is. A plan that turns out not
 * to hold is replaced by merging, so the answer may be begun again, a few times. Knows neither the
 * layout of regions nor that of the reply.
 */
#include "provider/planned_answer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

/* Rounds in which some objects are shown by plans; in the next all are merged. */
#define PLANNED_ROUNDS 2

struct answer {
    prfdata_answering *asked;
    const prfdata_model *model;
    prfdata_regions *regions;
    prfdata_plans *plans;
    prfdata_region_set *set;
    bool owns_set;
    bool in_visit;
    prfdata_carry_visit visit; /* others reach it as long as this Collect is in it */
    uint8_t *aside;            /* the answer, for the caller's buffer; NULL: it is there */
    size_t aside_bytes;
    const prfdata_plan **planned;  /* per object: by which plan it is shown, or NULL */
    bool *merges;                  /* per object: it is wanted and merged */
    prfdata_merge_source *sources; /* one per region that could be read */
    prfdata_snapshot **snapshots;  /* of the sources */
    prfdata_attached **origins;    /* the same */
    uint32_t source_count;
    prfdata_merged *merged;
};

/* ---- Merging ---- */

static void notice_contents(const struct answer *answer, const prfdata_attached *attached,
                            const prfdata_merge_source *source)
{
    prfdata_events *events = answer->asked->events;

    if (source->snapshot->torn_count > 0)
        prfdata_events_notice(events, PRFDATA_EVENT_TORN, L"", 0);
    if (source->snapshot->dropped > 0 && source->is_live)
        prfdata_events_notice_ascii(events, PRFDATA_EVENT_PUBLISHER_FULL, attached->name.text, 0);
}

static void add_source(struct answer *answer, prfdata_attached *attached,
                       prfdata_snapshot *snapshot, bool has_writer)
{
    prfdata_merge_source *source = &answer->sources[answer->source_count];

    source->id = attached->id;
    source->snapshot = snapshot;
    source->is_live = snapshot->is_published && has_writer;
    source->is_late = attached->is_late;
    answer->snapshots[answer->source_count] = snapshot;
    answer->origins[answer->source_count++] = attached;
    answer->asked->counts.torn_copies += snapshot->torn_count;
    notice_contents(answer, attached, source);
}

/*
 * A region that cannot be read is left out. Exhausted memory ends the whole Collect: the totals
 * would fall if only some regions counted.
 */
static uint32_t take_snapshots(struct answer *answer)
{
    prfdata_snapshot_budget budget = prfdata_snapshot_full_budget();

    for (uint32_t i = 0; answer->set && i < answer->set->count; i++) {
        prfdata_attached *attached = answer->set->regions[i];
        const prfdata_projection *projection;
        prfdata_snapshot *snapshot;
        bool has_writer;
        uint32_t error;

        if (prfdata_load32_relaxed(&attached->is_broken) ||
            !prfdata_installation_shape_of(answer->asked->present->installation, attached,
                                           &projection))
            continue;
        error = prfdata_regions_snapshot(answer->regions, attached, projection, answer->merges,
                                         &budget, &has_writer, &snapshot);
        if (error == ERROR_NOT_ENOUGH_MEMORY)
            return error;
        if (error)
            answer->asked->counts.broken_regions++;
        else
            add_source(answer, attached, snapshot, has_writer);
    }
    answer->asked->counts.tries += budget.tries;
    return ERROR_SUCCESS;
}

static void drop_merge(struct answer *answer)
{
    prfdata_merge_free(answer->merged); /* before the snapshots, whose names it borrows */
    for (uint32_t i = 0; i < answer->source_count; i++)
        prfdata_attached_release(answer->origins[i], answer->snapshots[i]);
    free(answer->sources);
    free(answer->snapshots);
    free(answer->origins);
    answer->merged = NULL;
    answer->sources = NULL;
    answer->snapshots = NULL;
    answer->origins = NULL;
    answer->source_count = 0;
}

static void count_dropped(const struct answer *answer)
{
    for (uint32_t i = 0; i < answer->merged->object_count; i++) {
        const uint64_t dropped = answer->merged->objects[i].dropped;

        answer->asked->counts.dropped_instances += dropped;
        if (dropped > 0)
            prfdata_events_notice(answer->asked->events, PRFDATA_EVENT_TOO_LARGE,
                                  answer->model->objects[i].entry->name, 0);
    }
}

static uint32_t take_and_merge(struct answer *answer)
{
    const size_t count = answer->set ? answer->set->count : 0;
    uint32_t error;

    answer->sources = calloc(count + 1, sizeof *answer->sources);
    answer->snapshots = calloc(count + 1, sizeof(prfdata_snapshot *));
    answer->origins = calloc(count + 1, sizeof(prfdata_attached *));
    if (!answer->sources || !answer->snapshots || !answer->origins)
        return ERROR_NOT_ENOUGH_MEMORY;
    error = take_snapshots(answer);
    if (!error)
        error = prfdata_merge_make(answer->model, answer->merges, answer->sources,
                                   answer->source_count, answer->asked->seed, &answer->merged);
    if (!error)
        error = prfdata_carry_apply(&answer->regions->carry,
                                    &answer->asked->present->installation->shape, answer->merges,
                                    answer->sources, answer->source_count, answer->merged);
    if (!error)
        count_dropped(answer);
    return error;
}

/*
 * Regions exist and none may be read: sums would wrongly be shown as 0. Or some cannot be looked at
 * yet by a reader that has just begun.
 */
static bool sums_are_unknown(const struct answer *answer)
{
    const prfdata_region_set *set = answer->set;

    if (answer->asked->prepared->metadata)
        return false;
    return !set || (set->sums_wait_ms > 0 && prfdata_os_milliseconds() < set->sums_wait_ms) ||
           (answer->source_count == 0 && set->some_unknown);
}

static prfdata_reply describe_reply(const struct answer *answer)
{
    prfdata_reply reply;

    reply.model = answer->model;
    reply.template = answer->asked->present->installation->template;
    reply.wanted = answer->merges;
    reply.metadata = answer->asked->prepared->metadata;
    reply.sums_unknown = sums_are_unknown(answer);
    reply.merged = answer->merged;
    return reply;
}

/* ---- Plans ---- */

static void merge_instead(struct answer *answer, uint32_t object_index)
{
    answer->planned[object_index] = NULL;
    answer->merges[object_index] = answer->asked->prepared->wanted[object_index];
}

static void merge_all(struct answer *answer)
{
    for (uint32_t i = 0; i < answer->model->object_count; i++)
        merge_instead(answer, i);
}

/*
 * Without a set of its own, which no plan is of. Where brackets are used the objects are to be of
 * one moment: then all are merged.
 */
static void choose_plans(struct answer *answer)
{
    const bool is_possible =
        prfdata_planned_answer_is_possible(answer->asked, answer->set) && !answer->owns_set;
    bool has_brackets = false;

    for (uint32_t i = 0; i < answer->model->object_count; i++) {
        const prfdata_plan *plan = is_possible && answer->asked->prepared->wanted[i]
                                       ? answer->asked->present->plans[i]
                                       : NULL;

        merge_instead(answer, i);
        if (!plan || i == answer->asked->failed_object ||
            !prfdata_plan_is_carried(plan, &answer->regions->carry))
            continue;
        answer->planned[i] = plan;
        answer->merges[i] = false;
        has_brackets |= prfdata_plan_has_brackets(plan);
    }
    if (has_brackets)
        merge_all(answer);
}

static bool is_merged_object_related(const struct answer *answer, uint32_t object_index)
{
    const uint32_t parent = answer->model->objects[object_index].parent_index;

    return parent != PRFDATA_NONE && answer->asked->prepared->wanted[parent] &&
           answer->merges[parent] != answer->merges[object_index];
}

/* Objects whose parent or child is merged are merged, too. Returns whether any object is. */
static bool complete_merges(struct answer *answer)
{
    bool has_merges = false;
    bool has_changed = true;

    while (has_changed) {
        has_changed = false;
        for (uint32_t i = 0; i < answer->model->object_count; i++) {
            has_merges |= answer->merges[i];
            if (!answer->asked->prepared->wanted[i] || !is_merged_object_related(answer, i))
                continue;
            merge_instead(answer, i);
            merge_instead(answer, answer->model->objects[i].parent_index);
            has_changed = true;
        }
    }
    return has_merges;
}

/*
 * From here on nothing is forgotten that this Collect might have seen. A set that was replaced
 * before may have regions whose last values were folded already: only the present one will do.
 */
static void begin_visit(struct answer *answer)
{
    prfdata_carry_begin(&answer->regions->carry, &answer->visit);
    answer->in_visit = true;
    if (!answer->set || prfdata_regions_is_present(answer->regions, answer->set))
        return;
    answer->set = prfdata_regions_share(answer->regions);
    answer->owns_set = true;
}

/* ---- Learning ---- */

static bool is_worth_planning(const struct answer *answer, const prfdata_reply *reply)
{
    return answer->merged && !reply->sums_unknown &&
           prfdata_planned_answer_is_possible(answer->asked, answer->set) &&
           prfdata_plans_notice(answer->plans, &answer->asked->present->installation->shape,
                                answer->set, answer->sources, answer->source_count, answer->merges);
}

static void learn_plan(const struct answer *answer, const prfdata_reply *reply,
                       uint32_t object_index, const uint8_t *bytes)
{
    prfdata_plans_make(answer->plans, &answer->asked->present->installation->shape, answer->set,
                       answer->sources, answer->origins, answer->source_count, reply, object_index,
                       bytes);
}

/* Readers try again with more room, in small steps: from now on by plan. */
static void learn_without_room(const struct answer *answer, const prfdata_reply *reply)
{
    const size_t bytes = (size_t)prfdata_reply_bytes(reply);
    uint8_t *aside = malloc(bytes + 1);
    prfdata_perf_block block;

    if (!aside)
        return;
    prfdata_perf_block_init(&block, aside, bytes);
    for (uint32_t i = 0; i < answer->model->object_count; i++) {
        const size_t offset = block.used;

        if (prfdata_reply_put_object(reply, i, &block))
            learn_plan(answer, reply, i, aside + offset);
    }
    free(aside);
}

static void learn_from_block(const struct answer *answer, const prfdata_reply *reply,
                             const uint8_t *bytes)
{
    for (uint32_t i = 0; i < answer->model->object_count; i++) {
        if (answer->planned[i])
            bytes += prfdata_plan_bytes(answer->planned[i]);
        if (!answer->merges[i])
            continue;
        learn_plan(answer, reply, i, bytes);
        bytes += prfdata_reply_object_bytes(reply, i);
    }
}

/* ---- Writing ---- */

static uint64_t measure_answer(const struct answer *answer, const prfdata_reply *reply)
{
    uint64_t bytes = prfdata_reply_bytes(reply);

    for (uint32_t i = 0; i < answer->model->object_count; i++)
        if (answer->planned[i])
            bytes += prfdata_plan_bytes(answer->planned[i]);
    return bytes;
}

/* Put the object of a plan, which fits. Returns what prfdata_plan_put() does. */
static uint32_t put_planned(struct answer *answer, uint32_t object_index, prfdata_perf_block *block)
{
    const prfdata_plan *plan = answer->planned[object_index];
    const uint32_t error = prfdata_plan_put(plan, &answer->asked->present->installation->shape,
                                            &answer->regions->carry, &answer->asked->tries_left,
                                            block->bytes + block->used);

    block->used += prfdata_plan_bytes(plan);
    if (error == ERROR_NOT_FOUND)
        merge_instead(answer, object_index);
    return error;
}

/* After all values were read: a start that is younger than the time would be centuries ago. */
static void stamp_objects(const struct answer *answer, const prfdata_reply *reply,
                          prfdata_perf_block *block)
{
    const uint64_t perf_time = prfdata_planned_answer_stamp(answer->asked);
    size_t offset = 0;

    for (uint32_t i = 0; i < answer->model->object_count; i++) {
        const size_t bytes = answer->planned[i] ? prfdata_plan_bytes(answer->planned[i])
                                                : (size_t)prfdata_reply_object_bytes(reply, i);

        if (bytes > 0)
            prfdata_template_stamp(block->bytes + offset, perf_time);
        if (bytes > 0 && i == answer->model->health_index)
            prfdata_planned_answer_put_health(answer->asked, block, offset);
        offset += bytes;
    }
}

/* Put all objects, which fit. Returns what prfdata_plan_put() does. */
static uint32_t put_objects(struct answer *answer, const prfdata_reply *reply,
                            prfdata_perf_block *block, uint32_t *objects)
{
    uint32_t error = ERROR_SUCCESS;

    *objects = 0;
    for (uint32_t i = 0; i < answer->model->object_count && !error; i++) {
        if (answer->planned[i])
            error = put_planned(answer, i, block);
        else if (!prfdata_reply_put_object(reply, i, block))
            continue;
        ++*objects;
    }
    if (!error)
        stamp_objects(answer, reply, block);
    return error;
}

/*
 * Put them aside first. While a Collect is in its visit the caller's buffer is not written: it may
 * fault, the caller may handle that, and others would go on reaching the visit on a dead stack. And
 * where there is hardly more room than they take, an answer that grew meanwhile would not fit; with
 * ERROR_MORE_DATA the caller's buffer is to stay as it was.
 */
static uint32_t put_objects_aside(struct answer *answer, const prfdata_reply *reply, size_t bytes,
                                  uint32_t *objects)
{
    prfdata_perf_block copy;
    uint32_t error;

    answer->aside = malloc(bytes + 1);
    if (!answer->aside)
        return ERROR_NOT_ENOUGH_MEMORY;
    prfdata_perf_block_init(&copy, answer->aside, bytes);
    error = put_objects(answer, reply, &copy, objects);
    answer->aside_bytes = copy.used;
    if (error) {
        free(answer->aside);
        answer->aside = NULL;
    }
    return error;
}

/* Whether the plans give the size of now; those that do not are merged. */
static bool is_size_known(struct answer *answer)
{
    bool is_known = true;

    for (uint32_t i = 0; i < answer->model->object_count; i++)
        if (answer->planned[i] && !prfdata_plan_is_steady(answer->planned[i])) {
            merge_instead(answer, i);
            is_known = false;
        }
    return is_known;
}

static bool has_plans(const struct answer *answer)
{
    for (uint32_t i = 0; i < answer->model->object_count; i++)
        if (answer->planned[i])
            return true;
    return false;
}

/* From now on, a region that could not be looked at counts as one that sums were shown without. */
static void remember_shown_sums(const struct answer *answer)
{
    prfdata_store64_relaxed(&answer->regions->sums_shown_ms, prfdata_os_milliseconds());
}

/* Put all objects, if they fit. Returns ERROR_NOT_FOUND if other objects are to be merged now. */
static uint32_t put_answer(struct answer *answer, prfdata_perf_block *block, uint32_t *objects)
{
    const prfdata_reply reply = describe_reply(answer);
    const uint64_t bytes = measure_answer(answer, &reply);
    uint32_t error;

    if (bytes > block->capacity) {
        if (!is_size_known(answer))
            return ERROR_NOT_FOUND;
        if (is_worth_planning(answer, &reply))
            learn_without_room(answer, &reply);
        return ERROR_MORE_DATA;
    }
    if (answer->in_visit ||
        (block->capacity - bytes < PRFDATA_PLANNED_ANSWER_ROOM && has_plans(answer)))
        error = put_objects_aside(answer, &reply, (size_t)bytes, objects);
    else
        error = put_objects(answer, &reply, block, objects);
    if (error)
        return error;
    assert((answer->aside ? answer->aside_bytes : block->used) == bytes);
    answer->asked->counts.mixed = answer->merged && has_plans(answer);
    if (is_worth_planning(answer, &reply))
        learn_from_block(answer, &reply, answer->aside ? answer->aside : block->bytes);
    if (answer->in_visit && !reply.sums_unknown)
        remember_shown_sums(answer);
    return ERROR_SUCCESS;
}

/* One round, with the plans that are left. Returns what put_answer() does. */
static uint32_t try_answer(struct answer *answer, prfdata_perf_block *block, uint32_t *objects)
{
    uint32_t error = ERROR_SUCCESS;

    answer->asked->counts.torn_copies = 0; /* of a round that is not shown */
    answer->asked->counts.dropped_instances = 0;
    if (complete_merges(answer) && !answer->asked->prepared->metadata) {
        if (!answer->in_visit)
            begin_visit(answer);
        if (answer->owns_set) /* plans are not of this set */
            merge_all(answer);
        error = take_and_merge(answer);
    }
    if (!error)
        error = put_answer(answer, block, objects);
    answer->asked->is_all_planned = !answer->merged && !answer->asked->prepared->metadata;
    drop_merge(answer);
    return error;
}

static void end_answer(struct answer *answer)
{
    if (answer->in_visit)
        prfdata_carry_end(&answer->regions->carry, &answer->visit);
    if (answer->owns_set)
        prfdata_regions_release(answer->regions, answer->set);
}

static uint32_t put_in_rounds(struct answer *answer, prfdata_perf_block *block, uint32_t *objects)
{
    const prfdata_plan *planned[PRFDATA_MAX_OBJECTS];
    bool merges[PRFDATA_MAX_OBJECTS];
    uint32_t error = ERROR_NOT_FOUND;

    answer->planned = planned;
    answer->merges = merges;
    choose_plans(answer);
    for (uint32_t round = 0; error == ERROR_NOT_FOUND; round++) {
        if (round == PLANNED_ROUNDS)
            merge_all(answer);
        block->used = 0;
        error = try_answer(answer, block, objects);
    }
    answer->planned = NULL;
    answer->merges = NULL;
    return error;
}

uint32_t prfdata_answer_put_merged(prfdata_answering *asked, prfdata_perf_block *block,
                                   uint32_t *objects)
{
    struct answer answer = {0};
    uint32_t error;

    if (asked->may_renew && prfdata_planned_answer_renew(asked))
        return ERROR_NOT_FOUND;
    answer.asked = asked;
    answer.model = asked->present->installation->shape.model;
    answer.regions = &asked->present->installation->shared->regions;
    answer.plans = &asked->present->installation->shared->plans;
    answer.set = asked->present->set;
    error = put_in_rounds(&answer, block, objects);
    end_answer(&answer);
    if (answer.aside)
        prfdata_perf_block_put(block, answer.aside, answer.aside_bytes);
    free(answer.aside);
    return error;
}
