/* SPDX-License-Identifier: MIT */
/*
 * Counts what changes from reply to reply (validate_run.h). It checks no values except fractions.
 */
#include "validate/validate_run.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "base/fnv.h"
#include "validate/validate_reply.h"
#include "validate/validated_pairs.h"

/* A finding needs at least this many pairs of replies, and all pairs must show the mistake. */
#define LEAST_RENAMED 9u
/* A finding needs at least this many pairs of replies that show the mistake. They must also be at
 * least a quarter of all pairs, rounded down. */
#define LEAST_MOVED 4u
#define LEAST_ABOVE 3u /* fewest pairs of replies in a row for a finding */

/*
 * A finding needs at least this many pairs in which hits grow faster than samples, without a pair
 * between them in which hits grow slower. Hits may be ahead of samples by the operations in
 * progress. The probability that this lead grows twelve times in a row by chance is below 10^-9.
 */
#define LEAST_OUTGROWN 12u

/* Return the entry of an object or a counter; if it has none, a free entry; NULL: there is no
 * room. */
static prfdata_validate_shown *find_shown(prfdata_validate_shown *list, uint32_t object,
                                          uint32_t counter)
{
    for (size_t i = 0; i < PRFDATA_VALIDATE_RUN_SHOWN; i++) {
        if (list[i].object == 0) {
            list[i].object = object;
            list[i].counter = counter;
        }
        if (list[i].object == object && list[i].counter == counter)
            return &list[i];
    }
    return NULL;
}

/* ---- Names ---- */

static uint32_t count_named(const prfdata_validated_object *o)
{
    uint32_t named = 0;

    for (uint32_t i = 0; i < o->instance_count; i++)
        named += o->instances[i].name.count > 0 && !prfdata_validated_is_total(&o->instances[i]);
    return named;
}

/* Returns whether both sorted lists have a key with the same UniqueID and name. Ignores _Total. */
static bool has_common_name(const prfdata_validated_key *a, uint32_t a_count,
                            const prfdata_validated_key *b, uint32_t b_count)
{
    uint32_t i = 0;
    uint32_t k = 0;

    while (i < a_count && k < b_count) {
        const int order = prfdata_validated_pairs_compare_names(&a[i], &b[k]);

        if (order == 0 && !prfdata_validated_is_total(a[i].of))
            return true;
        i += order <= 0;
        k += order > 0;
    }
    return false;
}

/* ---- Parents ---- */

static bool is_name_single(const prfdata_validated_key *keys, uint32_t count, uint32_t i)
{
    return (i == 0 || prfdata_validated_pairs_compare_names(&keys[i - 1], &keys[i]) != 0) &&
           (i + 1 == count || prfdata_validated_pairs_compare_names(&keys[i], &keys[i + 1]) != 0);
}

/* Returns whether a parent is still among the instances of its object. */
static bool is_parent_there(const prfdata_validated *j, const prfdata_validated_key *child)
{
    const prfdata_validated_object *o =
        prfdata_validated_find(j, child->of->definition.parent_object_title_index);

    for (uint32_t i = 0; o && i < o->instance_count; i++) {
        if (prfdata_text_equal(o->instances[i].name, child->parent->name))
            return true;
    }
    return false;
}

/* Returns whether a child has another parent now, although its old parent still exists. Checks only
 * children whose names occur once in each of the two lists of keys. */
static bool has_moved_child(const prfdata_validated *newer, const prfdata_validated_key *a,
                            uint32_t a_count, const prfdata_validated_key *b, uint32_t b_count)
{
    uint32_t i = 0;
    uint32_t k = 0;

    while (i < a_count && k < b_count) {
        const int order = prfdata_validated_pairs_compare_names(&a[i], &b[k]);

        if (order == 0 && a[i].parent && b[k].parent &&
            prfdata_validated_pairs_compare(&a[i], &b[k]) != 0 && is_name_single(a, a_count, i) &&
            is_name_single(b, b_count, k) && is_parent_there(newer, &a[i]))
            return true;
        i += order <= 0;
        k += order > 0;
    }
    return false;
}

/* ---- Fractions ---- */

/* A fraction compared with its base: the values of a raw fraction, or the growth of hits and
 * samples. */
typedef enum standing {
    STANDING_NONE, /* the counter is not a fraction */
    STANDING_BELOW,
    STANDING_SAME, /* hits and samples grew equally, so the pair shows nothing */
    STANDING_ABOVE
} standing;

static bool is_raw_fraction(uint32_t type)
{
    return type == PERF_RAW_FRACTION || type == PERF_LARGE_RAW_FRACTION;
}

/* Returns whether the raw fraction is above its base, which is the next counter. */
static bool is_above_base(const prfdata_validated *j, const prfdata_validated_counter *c,
                          const prfdata_validated_instance *i)
{
    uint64_t value;
    uint64_t base;

    return prfdata_validated_value(j, c, i, &value) &&
           prfdata_validated_value(j, c + 1, i, &base) && value > base;
}

/*
 * Return the growth of a counter of 4 bytes; below 0: it has no value, or it went backwards, which
 * another rule checks.
 */
static int32_t growth_of(const prfdata_validated_pair *pair, const prfdata_validated_counter *c)
{
    uint64_t then = 0;
    uint64_t now = 0;

    if (!prfdata_validated_value(pair->older, c, pair->was, &then) ||
        !prfdata_validated_value(pair->newer, c, pair->is, &now))
        return -1;
    return (int32_t)(uint32_t)(now - then);
}

static standing compare_growth(const prfdata_validated_pair *pair,
                               const prfdata_validated_counter *c)
{
    const int32_t hits = growth_of(pair, c);
    const int32_t samples = growth_of(pair, c + 1);

    if (hits < 0 || samples < 0 || hits < samples)
        return STANDING_BELOW;
    return hits > samples ? STANDING_ABOVE : STANDING_SAME;
}

static standing find_standing(const prfdata_validated_pair *pair, uint32_t position)
{
    const prfdata_validated_counter *c = &pair->object->counters[position];
    const uint32_t type = c->definition.counter_type;

    if (position + 1 >= pair->object->counter_count)
        return STANDING_NONE;
    if (type == PERF_SAMPLE_FRACTION)
        return compare_growth(pair, c);
    if (!is_raw_fraction(type))
        return STANDING_NONE;
    return is_above_base(pair->older, c, pair->was) && is_above_base(pair->newer, c, pair->is)
               ? STANDING_ABOVE
               : STANDING_BELOW;
}

/*
 * Return the entry of this fraction. If it has none and `may_begin` is set, return a free entry.
 * Otherwise return NULL.
 */
static prfdata_validate_above *find_above(prfdata_validate_run *run, uint64_t hash, bool may_begin)
{
    prfdata_validate_above *empty = NULL;

    for (size_t i = 0; i < PRFDATA_VALIDATE_RUN_ABOVE; i++) {
        if (run->above[i].of == hash)
            return &run->above[i];
        if (run->above[i].of == 0 && !empty)
            empty = &run->above[i];
    }
    return may_begin ? empty : NULL;
}

static void note_most(prfdata_validate_run *run, const prfdata_validate_above *above,
                      const prfdata_validated_object *o, const prfdata_validated_counter *c)
{
    const bool is_level = is_raw_fraction(c->definition.counter_type);
    prfdata_validate_shown *shown;

    if (above->pairs < (is_level ? LEAST_ABOVE : LEAST_OUTGROWN))
        return;
    shown = find_shown(is_level ? run->level : run->outgrown, o->header.object_name_title_index,
                       c->definition.counter_name_title_index);
    if (shown && above->pairs > shown->pairs)
        shown->pairs = above->pairs;
}

static void note_above(void *context, const prfdata_validated_pair *pair)
{
    const prfdata_validated_object *o = pair->object;
    prfdata_validate_run *run = context;

    for (uint32_t i = 0; i < o->counter_count && i < PRFDATA_VALIDATED_MAX_COMPARED; i++) {
        const standing is = find_standing(pair, i);
        prfdata_validate_above *above;
        uint64_t hash;

        if (is < STANDING_SAME)
            continue;
        hash = prfdata_fnv_add(prfdata_validated_pairs_hash(o, pair->is), &i, sizeof i);
        above = find_above(run, hash, is == STANDING_ABOVE);
        if (!above)
            continue;
        above->of = hash;
        above->is_here = true;
        above->pairs += is == STANDING_ABOVE;
        note_most(run, above, o, &o->counters[i]);
    }
}

static bool has_fraction(const prfdata_validated_object *o)
{
    for (uint32_t i = 0; i < o->counter_count; i++) {
        const uint32_t type = o->counters[i].definition.counter_type;

        if (is_raw_fraction(type) || type == PERF_SAMPLE_FRACTION)
            return true;
    }
    return false;
}

/* Stop following fractions that no longer exist, that are no longer above their base, or whose hits
 * grew slower than their samples. */
static void forget_below(prfdata_validate_run *run)
{
    for (size_t i = 0; i < PRFDATA_VALIDATE_RUN_ABOVE; i++) {
        if (!run->above[i].is_here)
            memset(&run->above[i], 0, sizeof run->above[i]);
        run->above[i].is_here = false;
    }
}

/* ---- The run ---- */

static void count_title(prfdata_validate_shown *list, uint32_t title)
{
    prfdata_validate_shown *shown = find_shown(list, title, 0);

    if (shown)
        shown->pairs++;
}

/* Returns whether any instance except _Total has the same position, name and UniqueID as before.
 * If so, not all names are new. */
static bool has_name_in_place(const prfdata_validated_object *was,
                              const prfdata_validated_object *is)
{
    for (uint32_t i = 0; i < was->instance_count && i < is->instance_count; i++) {
        const prfdata_validated_instance *at = &was->instances[i];

        if (at->name.count > 0 && prfdata_validated_order_names(at, &is->instances[i]) == 0 &&
            at->definition.unique_id == is->instances[i].definition.unique_id &&
            !prfdata_validated_is_total(at))
            return true;
    }
    return false;
}

static bool has_parents(const prfdata_validated_object *o)
{
    for (uint32_t i = 0; i < o->instance_count; i++) {
        if (o->instances[i].definition.parent_object_title_index != 0)
            return true;
    }
    return false;
}

static void compare_names(prfdata_validate_run *run, prfdata_validated *older,
                          prfdata_validated *newer, const prfdata_validated_object *was,
                          const prfdata_validated_object *is)
{
    const uint32_t title = is->header.object_name_title_index;
    prfdata_validated_key *a =
        prfdata_validated_pairs_keys(older, was, prfdata_validated_pairs_compare_names);
    prfdata_validated_key *b =
        prfdata_validated_pairs_keys(newer, is, prfdata_validated_pairs_compare_names);

    if (a && b && count_named(was) > 0 && count_named(is) > 0 &&
        !has_common_name(a, was->instance_count, b, is->instance_count))
        count_title(run->renamed, title);
    if (a && b && has_moved_child(newer, a, was->instance_count, b, is->instance_count))
        count_title(run->moved, title);
    free(a);
    free(b);
}

uint32_t prfdata_validate_run_add(prfdata_validate_run *run, const prfdata_validate_reply *older,
                                  const prfdata_validate_reply *newer)
{
    prfdata_validated was;
    prfdata_validated is;

    prfdata_validate_reply_read(&was, older, NULL, false, NULL);
    prfdata_validate_reply_read(&is, newer, NULL, false, NULL);
    run->pairs++;
    for (uint32_t i = 0; i < is.object_count; i++) {
        const prfdata_validated_object *same =
            prfdata_validated_find(&was, is.objects[i].header.object_name_title_index);

        if (same && (has_parents(&is.objects[i]) || !has_name_in_place(same, &is.objects[i])))
            compare_names(run, &was, &is, same, &is.objects[i]);
        if (same && has_fraction(same) && has_fraction(&is.objects[i]) &&
            same->header.definition_length == is.objects[i].header.definition_length)
            prfdata_validated_pairs_visit(&was, &is, same, &is.objects[i], note_above, NULL, run);
    }
    forget_below(run);
    prfdata_validated_free(&was);
    prfdata_validated_free(&is);
    return was.is_out_of_memory || is.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}

static void end_shown(const prfdata_validate_shown *list, uint32_t least, prfdata_rule rule,
                      const char *text, prfdata_findings *findings)
{
    for (size_t i = 0; i < PRFDATA_VALIDATE_RUN_SHOWN; i++) {
        if (list[i].object != 0 && list[i].pairs >= least)
            prfdata_findings_add_about(findings, rule, list[i].object, list[i].counter,
                                       "%s in %u replies in a row", text,
                                       (unsigned)list[i].pairs + 1);
    }
}

void prfdata_validate_run_end(const prfdata_validate_run *run, prfdata_findings *findings)
{
    const uint32_t quarter = run->pairs / 4 > LEAST_MOVED ? run->pairs / 4 : LEAST_MOVED;
    const uint32_t all = run->pairs > LEAST_RENAMED ? run->pairs : LEAST_RENAMED;

    for (size_t i = 0; i < PRFDATA_VALIDATE_RUN_SHOWN; i++) {
        const prfdata_validate_shown *moved = &run->moved[i];

        if (moved->object != 0 && moved->pairs >= quarter)
            prfdata_findings_add_about(
                findings, PRFDATA_RULE_PARENT_CHANGED, moved->object, 0,
                "an instance had another parent than before in %u of %u replies",
                (unsigned)moved->pairs, (unsigned)run->pairs + 1);
    }
    end_shown(run->renamed, all, PRFDATA_RULE_NAMES_NEW, "no instance kept its name", findings);
    end_shown(run->level, LEAST_ABOVE, PRFDATA_RULE_FRACTION_ABOVE, "the value was above its base",
              findings);
    end_shown(run->outgrown, LEAST_OUTGROWN, PRFDATA_RULE_FRACTION_ABOVE,
              "the hits grew by more than the samples", findings);
}
