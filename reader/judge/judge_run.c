/* SPDX-License-Identifier: MIT */
/* Counts what changes from reply to reply (judge_run.h). Of values it looks at fractions only. */
#include "judge/judge_run.h"

#include <stdlib.h>

#include <prfdata/perf_types.h>

#include "core/fnv.h"
#include "judge/judge_reply.h"
#include "judge/judged_pairs.h"

#define LEAST_RENAMED 9u /* pairs of replies, and those are all */
#define LEAST_MOVED   4u /* pairs of replies, and those are a quarter of all */
#define LEAST_ABOVE   3u /* pairs of replies in a row */

/* ---- Names ---- */

static uint32_t count_named(const prfdata_judged_object *o)
{
    uint32_t named = 0;

    for (uint32_t i = 0; i < o->instance_count; i++)
        named += o->instances[i].name.count > 0 && !prfdata_judged_is_total(&o->instances[i]);
    return named;
}

/* Whether one of the sorted keys has a name, but _Total, that is also among the others. */
static bool has_common_name(const prfdata_judged_key *a, uint32_t a_count,
                            const prfdata_judged_key *b, uint32_t b_count)
{
    uint32_t i = 0;
    uint32_t k = 0;

    while (i < a_count && k < b_count) {
        const int order = prfdata_judged_pairs_compare_names(&a[i], &b[k]);

        if (order == 0 && !prfdata_judged_is_total(a[i].of))
            return true;
        i += order <= 0;
        k += order > 0;
    }
    return false;
}

/* ---- Parents ---- */

/* Whether the key's name is there once among the sorted ones. */
static bool is_name_single(const prfdata_judged_key *keys, uint32_t count, uint32_t i)
{
    return (i == 0 || prfdata_judged_pairs_compare_names(&keys[i - 1], &keys[i]) != 0) &&
           (i + 1 == count || prfdata_judged_pairs_compare_names(&keys[i], &keys[i + 1]) != 0);
}

/* Whether a parent is still among the instances of its object. */
static bool is_parent_there(const prfdata_judged *j, const prfdata_judged_key *child)
{
    const prfdata_judged_object *o =
        prfdata_judged_find(j, child->of->definition.parent_object_title_index);

    for (uint32_t i = 0; o && i < o->instance_count; i++) {
        if (prfdata_text_equal(o->instances[i].name, child->parent->name))
            return true;
    }
    return false;
}

/* Whether a child, called as no other, has another parent now although its old one is there. */
static bool has_moved_child(const prfdata_judged *newer, const prfdata_judged_key *a,
                            uint32_t a_count, const prfdata_judged_key *b, uint32_t b_count)
{
    uint32_t i = 0;
    uint32_t k = 0;

    while (i < a_count && k < b_count) {
        const int order = prfdata_judged_pairs_compare_names(&a[i], &b[k]);

        if (order == 0 && a[i].parent && b[k].parent &&
            prfdata_judged_pairs_compare(&a[i], &b[k]) != 0 && is_name_single(a, a_count, i) &&
            is_name_single(b, b_count, k) && is_parent_there(newer, &a[i]))
            return true;
        i += order <= 0;
        k += order > 0;
    }
    return false;
}

/* ---- Fractions ---- */

/* Whether the raw fraction at `position` is above its base, by which readers divide it. */
static bool is_above_base(const prfdata_judged *j, const prfdata_judged_object *o,
                          uint32_t position, const prfdata_judged_instance *i)
{
    const uint32_t type = o->counters[position].definition.counter_type;
    uint64_t value;
    uint64_t base;

    return (type == PERF_RAW_FRACTION || type == PERF_LARGE_RAW_FRACTION) &&
           position + 1 < o->counter_count &&
           prfdata_judged_value(j, &o->counters[position], i, &value) &&
           prfdata_judged_value(j, &o->counters[position + 1], i, &base) && value > base;
}

static void note_above(void *context, const prfdata_judged_pair *pair)
{
    const prfdata_judged_object *o = pair->object;
    prfdata_judge_run *run = context;

    for (uint32_t i = 0; i < o->counter_count && i < PRFDATA_JUDGED_MAX_COMPARED; i++) {
        const uint32_t title = o->counters[i].definition.counter_name_title_index;
        const uint64_t hash =
            prfdata_fnv_add(prfdata_judged_pairs_hash(o, pair->is), &title, sizeof title);

        if (!is_above_base(pair->older, o, i, pair->was) ||
            !is_above_base(pair->newer, o, i, pair->is))
            continue;
        run->is_still_above = run->is_still_above || hash == run->above;
        if (run->next_above == 0) {
            run->next_above = hash;
            run->next_above_counter = title;
        }
    }
}

static bool has_fraction(const prfdata_judged_object *o)
{
    for (uint32_t i = 0; i < o->counter_count; i++) {
        const uint32_t type = o->counters[i].definition.counter_type;

        if (type == PERF_RAW_FRACTION || type == PERF_LARGE_RAW_FRACTION)
            return true;
    }
    return false;
}

/* One fraction is followed for as long as it is above its base, then the next one. */
static void count_above(prfdata_judge_run *run)
{
    if (!run->is_still_above) {
        run->above = run->next_above;
        run->above_counter = run->next_above_counter;
        run->above_pairs = 0;
    }
    if (run->above != 0 && ++run->above_pairs > run->most_above_pairs) {
        run->most_above_pairs = run->above_pairs;
        run->most_above_counter = run->above_counter;
    }
    run->is_still_above = false;
    run->next_above = 0;
}

/* ---- The run ---- */

/* Count for the first object that shows it, and for no other. */
static void count_title(uint32_t title, uint32_t *counted_title, uint32_t *pairs)
{
    if (*counted_title == 0)
        *counted_title = title;
    *pairs += *counted_title == title;
}

static void compare_names(prfdata_judge_run *run, prfdata_judged *older, prfdata_judged *newer,
                          const prfdata_judged_object *was, const prfdata_judged_object *is)
{
    const uint32_t title = is->header.object_name_title_index;
    prfdata_judged_key *a =
        prfdata_judged_pairs_keys(older, was, prfdata_judged_pairs_compare_names);
    prfdata_judged_key *b =
        prfdata_judged_pairs_keys(newer, is, prfdata_judged_pairs_compare_names);

    if (a && b && count_named(was) > 0 && count_named(is) > 0 &&
        !has_common_name(a, was->instance_count, b, is->instance_count))
        count_title(title, &run->renamed_title, &run->renamed_pairs);
    if (a && b && has_moved_child(newer, a, was->instance_count, b, is->instance_count))
        count_title(title, &run->moved_title, &run->moved_pairs);
    free(a);
    free(b);
}

uint32_t prfdata_judge_run_add(prfdata_judge_run *run, const prfdata_judge_reply *older,
                               const prfdata_judge_reply *newer)
{
    prfdata_judged was;
    prfdata_judged is;

    prfdata_judge_reply_read(&was, older, NULL, false, NULL);
    prfdata_judge_reply_read(&is, newer, NULL, false, NULL);
    run->pairs++;
    for (uint32_t i = 0; i < is.object_count; i++) {
        const prfdata_judged_object *same =
            prfdata_judged_find(&was, is.objects[i].header.object_name_title_index);

        if (same)
            compare_names(run, &was, &is, same, &is.objects[i]);
        if (same && has_fraction(same) && has_fraction(&is.objects[i]) &&
            same->header.definition_length == is.objects[i].header.definition_length)
            prfdata_judged_pairs_visit(&was, &is, same, &is.objects[i], note_above, NULL, run);
    }
    count_above(run);
    prfdata_judged_free(&was);
    prfdata_judged_free(&is);
    return was.is_out_of_memory || is.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}

void prfdata_judge_run_end(const prfdata_judge_run *run, prfdata_findings *findings)
{
    if (run->renamed_pairs >= LEAST_RENAMED && run->renamed_pairs == run->pairs)
        prfdata_findings_add(findings, PRFDATA_RULE_NAMES_NEW, PRFDATA_NO_OFFSET,
                             "the instances of object %u had other names in each of %u replies",
                             (unsigned)run->renamed_title, (unsigned)run->pairs + 1);
    if (run->moved_pairs >= LEAST_MOVED && run->moved_pairs >= run->pairs / 4)
        prfdata_findings_add(findings, PRFDATA_RULE_PARENT_CHANGED, PRFDATA_NO_OFFSET,
                             "an instance of object %u had another parent in %u of %u replies",
                             (unsigned)run->moved_title, (unsigned)run->moved_pairs,
                             (unsigned)run->pairs + 1);
    if (run->most_above_pairs >= LEAST_ABOVE)
        prfdata_findings_add(findings, PRFDATA_RULE_FRACTION_ABOVE, PRFDATA_NO_OFFSET,
                             "counter %u was more than its base in %u replies in a row",
                             (unsigned)run->most_above_counter,
                             (unsigned)run->most_above_pairs + 1);
}
