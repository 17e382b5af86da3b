/* SPDX-License-Identifier: MIT */
/*
 * Applies the carry to a merge: records the present contributors of rows and totals, and adds those
 * that are missing. A row continues an earlier record if one of its contributors belongs to that
 * record. carry_memory.c keeps the records and contributors.
 */
#include "merge/carry_memory.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"

/*
 * An object is crowded if its totals and its shown rows have more than FEW_CONTRIBUTORS missing
 * contributors, and if these contributors take more than MOST_MISSING_BYTES together. Missing
 * contributors are kept because they may return. In a crowded object they are forgotten sooner,
 * because a reader's memory is bounded, whatever programs do (docs/security-and-limits.md).
 */
#define FEW_CONTRIBUTORS   1024
#define MOST_MISSING_BYTES ((size_t)16 * 1024 * 1024)

/* The state while the carry is applied to one object of a merge. */
struct applying {
    prfdata_carry *carry;
    prfdata_carry_object *object;
    prfdata_merge *merge;
    prfdata_merge_object *merged;
    const prfdata_snapshot *snapshot; /* snapshot of the region that is being processed */
    uint32_t *row_records;            /* for each row its record, or PRFDATA_NONE */
    /* for each row the hash of its names, which is part of its contributors' keys */
    uint64_t *row_names;
    uint64_t *values; /* values of one contributor: stored_count words */
    /* a contributor has appeared or disappeared, or its region began or ceased to be summarised */
    bool has_changed;
    bool has_joined; /* two records turned out to belong to one row */
};

void prfdata_carry_init(prfdata_carry *carry)
{
    memset(carry, 0, sizeof *carry);
    carry->seed = prfdata_os_random();
    carry->recordings = 1;
}

void prfdata_carry_done(prfdata_carry *carry)
{
    prfdata_carry_memory_free(carry->objects, carry->object_count);
    carry->objects = NULL;
    carry->object_count = 0;
    carry->model = NULL;
}

bool prfdata_carry_has_model(prfdata_carry *carry, const prfdata_model *model)
{
    bool has_model;

    prfdata_os_lock_enter(&carry->lock);
    has_model = carry->model == model || prfdata_carry_memory_has_model(carry, model);
    prfdata_os_lock_leave(&carry->lock);
    return has_model;
}

void prfdata_carry_begin(prfdata_carry *carry, prfdata_merge *merge)
{
    prfdata_os_lock_enter(&carry->lock);
    merge->began = prfdata_load64_relaxed(&carry->recordings);
    merge->older = carry->running;
    carry->running = merge;
    prfdata_os_lock_leave(&carry->lock);
}

void prfdata_carry_end(prfdata_carry *carry, prfdata_merge *merge)
{
    prfdata_merge **link = &carry->running;

    prfdata_os_lock_enter(&carry->lock);
    while (*link != merge)
        link = &(*link)->older;
    *link = merge->older;
    prfdata_os_lock_leave(&carry->lock);
}

/*
 * Whether anything was recorded since `recordings` had the value `began`. The caller holds the
 * lock.
 */
static bool has_been_overtaken(const prfdata_carry *carry, uint64_t began)
{
    return prfdata_load64_relaxed(&carry->recordings) != began;
}

/* The caller holds the lock. */
static void note_recording(prfdata_carry *carry)
{
    prfdata_store64_relaxed(&carry->recordings, prfdata_load64_relaxed(&carry->recordings) + 1);
}

/*
 * Finds or adds a contributor, and marks it as present. Returns its position, or PRFDATA_NONE if
 * memory is exhausted.
 */
static uint32_t meet_contributor(struct applying *applying, const prfdata_carry_key *key,
                                 uint32_t record)
{
    const prfdata_snapshot *snapshot = applying->snapshot;
    prfdata_carry_object *object = applying->object;
    uint32_t position = prfdata_carry_memory_find(object, key);
    prfdata_carry_contributor *contributor;

    if (position == PRFDATA_NONE) {
        applying->has_changed = true;
        position = prfdata_carry_memory_add_contributor(object, key, record);
    }
    if (position == PRFDATA_NONE)
        return PRFDATA_NONE;
    contributor = &object->contributors[position];
    applying->has_changed |= prfdata_carry_memory_is_missing(contributor) ||
                             contributor->is_summary != snapshot->is_summary;
    contributor->is_summary = snapshot->is_summary;
    contributor->has_brackets |= snapshot->has_brackets;
    contributor->state = PRFDATA_CARRY_PRESENT;
    return position;
}

/*
 * Records what a present contributor shows, and raises its values to what was shown of it before,
 * because another thread may have had a newer copy. Raises `shown`, the values of the row or the
 * totals, as prfdata_cells_raise_shown() says.
 * Returns the contributor's position, or PRFDATA_NONE if memory is exhausted.
 */
static uint32_t record_contributor(struct applying *applying, const prfdata_carry_key *key,
                                   uint32_t record, uint64_t *values, uint64_t *shown)
{
    const prfdata_carry_object *object = applying->object;
    const uint32_t position = meet_contributor(applying, key, record);
    uint64_t *lasting;

    if (position == PRFDATA_NONE)
        return PRFDATA_NONE;
    lasting = prfdata_carry_memory_contributor_values(object, position);
    (void)prfdata_cells_record(object->model_object, values, lasting);
    if (prfdata_cells_raise_shown(object->model_object, lasting, values, shown) &&
        object->contributors[position].has_brackets &&
        has_been_overtaken(applying->carry, applying->merge->began))
        applying->merge->newer_count++;
    return position;
}

/*
 * Sets the baselines of those counters of a region that are added to the totals for the first time.
 * If totals were shown before without the region (`is_late`), a baseline is what the region has
 * counted until now. Otherwise it is 0. The carried totals are permanently reduced by the
 * baselines, modulo 2^64, because earlier counts must not appear in totals suddenly
 * (docs/security-and-limits.md).
 */
static void begin_sums(const struct applying *applying, uint32_t position, const uint64_t *sums)
{
    const prfdata_model_object *model_object = applying->object->model_object;
    uint64_t *baselines = prfdata_carry_memory_contributor_baselines(applying->object, position);
    uint64_t *carried = prfdata_carry_memory_record_values(applying->object, PRFDATA_CARRY_TOTALS);

    for (uint32_t i = 0; i < model_object->counter_count; i++) {
        const uint32_t c = model_object->counters[i].cell_index;

        if (model_object->counters[i].merging != PRFDATA_MERGING_ACCUMULATE ||
            baselines[c] != PRFDATA_CARRY_NO_BASELINE)
            continue;
        baselines[c] = applying->snapshot->is_late ? sums[c] : 0;
        carried[c] -= baselines[c];
    }
    applying->object->contributors[position].has_begun = true;
}

static bool record_sums(struct applying *applying)
{
    prfdata_carry_object *object = applying->object;

    for (uint32_t i = 0; i < applying->merge->region_count; i++) {
        const prfdata_snapshot *snapshot = applying->merge->snapshots[i];
        const prfdata_carry_key key = {snapshot->region_id, 0, PRFDATA_NONE, 0};
        uint64_t *sums = applying->merged->sums + (size_t)i * object->model_object->stored_count;
        uint32_t position;

        applying->snapshot = snapshot;
        position = record_contributor(applying, &key, PRFDATA_CARRY_TOTALS, sums,
                                      applying->merged->totals);
        if (position == PRFDATA_NONE)
            return false;
        if (!object->contributors[position].has_begun)
            begin_sums(applying, position, sums);
    }
    return true;
}

/* Calls `call` for every slot that adds to a row. Returns false as soon as a call returns false. */
static bool for_each_slot(struct applying *applying,
                          bool (*call)(struct applying *applying,
                                       const prfdata_snapshot_object *copied,
                                       const prfdata_snapshot_slot *slot,
                                       const prfdata_carry_key *key, uint32_t row))
{
    for (size_t i = 0; i < applying->merged->part_count; i++) {
        const prfdata_merge_part *part = &applying->merged->parts[i];
        const prfdata_snapshot *snapshot = applying->merge->snapshots[part->region];
        const prfdata_snapshot_object *copied = &snapshot->objects[applying->merged->index];
        const prfdata_snapshot_slot *slot = &copied->slots[part->position];
        const prfdata_carry_key key = {snapshot->region_id, applying->row_names[part->row],
                                       slot->slot_index, slot->identity};

        applying->snapshot = snapshot;
        if (!call(applying, copied, slot, &key, part->row))
            return false;
    }
    return true;
}

/*
 * Moves the contributors of merged records to the surviving records. Makes one pass for all
 * records, because a hostile writer controls how many there are.
 */
static void move_joined_contributors(prfdata_carry_object *object)
{
    for (size_t i = 0; i < object->contributor_count; i++) {
        const uint32_t moves_to = object->records[object->contributors[i].record].moves_to;

        if (moves_to != PRFDATA_NONE)
            object->contributors[i].record = moves_to;
    }
    for (size_t i = 0; i < object->record_count; i++)
        object->records[i].moves_to = PRFDATA_NONE;
}

/*
 * Merges two records of the same row. Each was made by a Collect that did not see the contributors
 * of the other record.
 */
static void join_records(prfdata_carry_object *object, uint32_t record, uint32_t other)
{
    prfdata_carry_memory_add(object, prfdata_carry_memory_record_values(object, other),
                             prfdata_carry_memory_record_values(object, record));
    memset(prfdata_carry_memory_record_values(object, other), 0,
           object->word_count * sizeof(uint64_t));
    object->records[other].moves_to = record;
}

static bool find_row_record(struct applying *applying, const prfdata_snapshot_object *copied,
                            const prfdata_snapshot_slot *slot, const prfdata_carry_key *key,
                            uint32_t row)
{
    prfdata_carry_object *object = applying->object;
    const uint32_t position = prfdata_carry_memory_find(object, key);
    uint32_t record;

    (void)copied;
    (void)slot;
    if (position == PRFDATA_NONE)
        return true;
    record = object->contributors[position].record;
    if (applying->row_records[row] == PRFDATA_NONE) {
        applying->row_records[row] = record;
        object->records[record].row = row;
    } else if (applying->row_records[row] != record) {
        join_records(object, applying->row_records[row], record);
        applying->has_joined = true;
    }
    return true;
}

/* `baselines` is NULL if all of them are 0. */
static void note_baselines(const prfdata_carry_object *object, uint32_t position,
                           const uint64_t *baselines)
{
    const size_t bytes = object->model_object->stored_count * sizeof *baselines;
    uint64_t *kept = prfdata_carry_memory_contributor_baselines(object, position);

    if (baselines)
        memcpy(kept, baselines, bytes);
    else
        memset(kept, 0, bytes);
}

static bool record_row_contributor(struct applying *applying, const prfdata_snapshot_object *copied,
                                   const prfdata_snapshot_slot *slot, const prfdata_carry_key *key,
                                   uint32_t row)
{
    const uint64_t *baselines = prfdata_snapshot_baselines(copied, slot);
    prfdata_carry_object *object = applying->object;
    uint32_t *record = &applying->row_records[row];
    uint32_t position;

    if (*record == PRFDATA_NONE) {
        if (applying->merged->row_parts[row] < 2)
            return true;
        *record = prfdata_carry_memory_add_record(object);
        if (*record == PRFDATA_NONE)
            return false;
        object->records[*record].row = row;
    }
    prfdata_cells_clear_counters(object->model_object, applying->values);
    prfdata_cells_add_counters(object->model_object, prfdata_snapshot_cells(copied, slot),
                               baselines, false, applying->values);
    position = record_contributor(applying, key, *record, applying->values,
                                  applying->merged->values +
                                      (size_t)row * object->model_object->cell_count);
    if (position == PRFDATA_NONE)
        return false;
    if (!applying->snapshot
             ->is_summary) /* a summary has no baselines, so the known baselines are kept */
        note_baselines(object, position, baselines);
    return true;
}

static bool record_all_rows(struct applying *applying)
{
    for (uint32_t i = 0; i < applying->merged->row_count; i++) {
        applying->row_records[i] = PRFDATA_NONE;
        applying->row_names[i] = prfdata_merge_hash_names(applying->merge, applying->merged->index,
                                                          &applying->merged->rows[i]);
    }
    applying->has_joined = false;
    (void)for_each_slot(applying, find_row_record);
    if (applying->has_joined)
        move_joined_contributors(applying->object);
    return for_each_slot(applying, record_row_contributor);
}

static bool has_row_records(const prfdata_carry_object *object)
{
    return object->record_count > PRFDATA_CARRY_TOTALS + 1;
}

static bool record_rows(struct applying *applying)
{
    const size_t row_count = applying->merged->row_count;
    bool is_recorded = false;

    if (!has_row_records(applying->object) && applying->merged->part_count == row_count)
        return true; /* no row has a record, and each has only one contributor */
    applying->row_records = malloc(row_count * sizeof *applying->row_records + 1);
    applying->row_names = malloc(row_count * sizeof *applying->row_names + 1);
    if (applying->row_records && applying->row_names)
        is_recorded = record_all_rows(applying);
    free(applying->row_records);
    free(applying->row_names);
    return is_recorded;
}

/* The values in the merge to which a record adds, or NULL if the record is not shown. */
static uint64_t *shown_values(const struct applying *applying, size_t record)
{
    const prfdata_model_object *object = applying->object->model_object;
    const uint32_t row = applying->object->records[record].row;

    if (record == PRFDATA_CARRY_TOTALS)
        return prfdata_merge_has_totals(object) ? applying->merged->totals : NULL;
    return row == PRFDATA_NONE ? NULL : applying->merged->values + (size_t)row * object->cell_count;
}

static int id_order(const void *a, const void *b)
{
    const uint64_t *first = a;
    const uint64_t *second = b;

    return (*first > *second) - (*first < *second);
}

/* Whether the region of a contributor is in the set, but this merge did not read it completely. */
static bool is_unread(const prfdata_merge *merge, const prfdata_carry_contributor *contributor)
{
    return merge->unread_count > 0 &&
           bsearch(&contributor->key.region, merge->unread, merge->unread_count,
                   sizeof merge->unread[0], id_order);
}

static int snapshot_order(const void *region, const void *snapshot)
{
    return id_order(region, &(*(const prfdata_snapshot *const *)snapshot)->region_id);
}

static const prfdata_snapshot_slot *find_slot(const struct applying *applying,
                                              const prfdata_carry_key *key,
                                              const prfdata_snapshot_object **copied)
{
    const prfdata_merge *merge = applying->merge;
    prfdata_snapshot *const *found =
        key->slot == PRFDATA_NONE
            ? NULL
            : bsearch(&key->region, merge->snapshots, merge->region_count,
                      /* sorted by id, because a set is sorted by name, and names contain ids */
                      sizeof merge->snapshots[0], snapshot_order);

    if (!found)
        return NULL;
    *copied = &(*found)->objects[applying->merged->index];
    return prfdata_snapshot_find(*copied, key->slot);
}

/*
 * Raises the contributor's accumulating values to its final count, which is what the slot counted
 * under the contributor's name. `next_baselines` are the slot's cells at the moment when the slot
 * got its next name.
 */
static void take_final_count(const prfdata_carry_object *object, size_t position,
                             const uint64_t *next_baselines)
{
    const prfdata_model_object *model_object = object->model_object;
    const uint64_t *baselines = prfdata_carry_memory_contributor_baselines(object, position);
    uint64_t *lasting = prfdata_carry_memory_contributor_values(object, position);

    for (uint32_t i = 0; i < model_object->counter_count; i++) {
        const uint32_t c = model_object->counters[i].cell_index;

        if (model_object->counters[i].merging == PRFDATA_MERGING_ACCUMULATE &&
            next_baselines[c] >= baselines[c] && next_baselines[c] - baselines[c] > lasting[c])
            lasting[c] = next_baselines[c] - baselines[c];
    }
}

/*
 * Whether the slot of a missing contributor has a later name by now. If the later name is the next
 * one and has baselines, raises the contributor's values to its final count.
 */
static bool has_next_name(const struct applying *applying, size_t position)
{
    const prfdata_carry_contributor *contributor = &applying->object->contributors[position];
    const prfdata_snapshot_object *copied;
    const prfdata_snapshot_slot *slot = find_slot(applying, &contributor->key, &copied);
    const uint64_t *next_baselines;

    if (!slot || slot->state < PRFDATA_SLOT_LIVE ||
        /* the copy may be older than the contributor */
        (int32_t)(slot->identity - contributor->key.identity) <= 0)
        return false;
    next_baselines = prfdata_snapshot_baselines(copied, slot);
    if (next_baselines && slot->identity == contributor->key.identity + 1)
        take_final_count(applying->object, position, next_baselines);
    return true;
}

/*
 * Updates the state of a contributor if the current call of prfdata_carry_apply() has not found it.
 */
static void miss_contributor(struct applying *applying, size_t position)
{
    prfdata_carry_contributor *contributor = &applying->object->contributors[position];

    switch (contributor->state) {
    case PRFDATA_CARRY_UNSEEN:
        contributor->state = PRFDATA_CARRY_MISSING;
        contributor->missing_since = prfdata_load64_relaxed(&applying->carry->recordings);
        applying->has_changed = true;
        break;
    case PRFDATA_CARRY_MISSING:
        if (applying->object->is_crowded && !is_unread(applying->merge, contributor))
            contributor->state = PRFDATA_CARRY_GONE;
        break;
    case PRFDATA_CARRY_PRESENT:
    case PRFDATA_CARRY_GONE:
        break;
    }
    if (contributor->state == PRFDATA_CARRY_MISSING && has_next_name(applying, position))
        contributor->state = PRFDATA_CARRY_GONE;
}

/*
 * Adds to the shown values what the missing contributors showed last, and what the records hold of
 * forgotten contributors. Also updates the states of the contributors that were not found, and
 * is_crowded.
 */
static void add_missing_contributors(struct applying *applying)
{
    prfdata_carry_object *object = applying->object;
    size_t missing = 0;

    for (size_t i = 0; i < object->contributor_count; i++) {
        const prfdata_carry_contributor *contributor = &object->contributors[i];
        uint64_t *shown = shown_values(applying, contributor->record);

        miss_contributor(applying, i);
        if (!shown || !prfdata_carry_memory_is_missing(contributor))
            continue;
        missing += contributor->state == PRFDATA_CARRY_MISSING;
        prfdata_cells_add_counters(object->model_object,
                                   prfdata_carry_memory_contributor_values(object, i), NULL, false,
                                   shown);
    }
    object->is_crowded =
        missing > FEW_CONTRIBUTORS &&
        missing > MOST_MISSING_BYTES / (sizeof(prfdata_carry_contributor) +
                                        2 * (size_t)object->word_count * sizeof(uint64_t));
    for (size_t i = 0; i < object->record_count; i++) {
        uint64_t *shown = shown_values(applying, i);

        if (shown)
            prfdata_cells_add_counters(object->model_object,
                                       prfdata_carry_memory_record_values(object, i), NULL, false,
                                       shown);
    }
}

/* The caller holds the lock. */
static void renew_carried_version(prfdata_carry *carry, uint32_t object_index)
{
    prfdata_store64_relaxed(&carry->carried_version[object_index],
                            prfdata_load64_relaxed(&carry->carried_version[object_index]) + 1);
}

/* Returns false if memory is exhausted. */
static bool apply_contributors(struct applying *applying)
{
    prfdata_carry_object *object = applying->object;

    if (object->record_count == 0 && prfdata_carry_memory_add_record(object) == PRFDATA_NONE)
        return false;
    for (size_t i = 0; i < object->record_count; i++)
        object->records[i].row = PRFDATA_NONE;
    for (size_t i = 0; i < object->contributor_count; i++)
        if (object->contributors[i].state == PRFDATA_CARRY_PRESENT)
            object->contributors[i].state = PRFDATA_CARRY_UNSEEN;
    if (prfdata_merge_has_totals(object->model_object) && !record_sums(applying))
        return false;
    if (!record_rows(applying))
        return false;
    PRFDATA_CRASH_POINT("carry: recorded");
    add_missing_contributors(applying);
    prfdata_carry_memory_forget(applying->carry, object);
    return true;
}

/*
 * Applies the carry to one object. If carried values may have changed, increments their version
 * (carry.h).
 */
static bool apply_to_object(struct applying *applying)
{
    const prfdata_carry_object *object = applying->object;
    const bool had_records = has_row_records(object);
    bool is_applied;

    applying->has_changed = false;
    is_applied = apply_contributors(applying);
    applying->merged->has_records = has_row_records(object);
    if (applying->has_changed || had_records || applying->merged->has_records)
        renew_carried_version(applying->carry, applying->merged->index);
    applying->merged->carried_version =
        prfdata_load64_relaxed(&applying->carry->carried_version[applying->merged->index]);
    return is_applied;
}

static bool apply_to_wanted(struct applying *applying)
{
    const prfdata_merge *merge = applying->merge;

    for (uint32_t i = 0; i < merge->model->object_count; i++) {
        applying->object = &applying->carry->objects[i];
        applying->merged = &merge->objects[i];
        if (merge->wanted[i] && !apply_to_object(applying))
            return false;
    }
    return true;
}

/* The caller holds the lock. */
static prfdata_result apply_to_objects(prfdata_carry *carry, prfdata_merge *merge)
{
    struct applying applying = {0};
    bool is_applied;

    applying.carry = carry;
    applying.merge = merge;
    applying.values = malloc(PRFDATA_MAX_COUNTERS * sizeof *applying.values);
    merge->newer_count = 0;
    is_applied = applying.values && apply_to_wanted(&applying);
    note_recording(carry);
    free(applying.values);
    return is_applied ? PRFDATA_DONE : PRFDATA_NO_MEMORY;
}

/*
 * Switches the carry to a newer installation, or refuses an older one. A new map invalidates all
 * plans, because their objects belong to the former map. The caller holds the lock.
 */
static prfdata_result follow_installation(prfdata_carry *carry, uint64_t installation,
                                          uint64_t lineage, const prfdata_model *model)
{
    prfdata_result result = PRFDATA_DONE;

    if (carry->objects && installation < carry->installation)
        return PRFDATA_STALE;
    if (lineage != carry->lineage)
        prfdata_carry_done(carry); /* counts were reset, or the folder has changed */
    carry->lineage = lineage;
    if (!carry->objects || model != carry->model) {
        result = prfdata_carry_memory_reshape(carry, model);
        for (uint32_t i = 0; i < model->object_count && result == PRFDATA_DONE; i++)
            renew_carried_version(carry, i);
    }
    if (result == PRFDATA_DONE)
        carry->installation = installation;
    return result;
}

prfdata_result prfdata_carry_apply(prfdata_carry *carry, uint64_t installation, uint64_t lineage,
                                   prfdata_merge *merge)
{
    prfdata_result result;

    qsort(merge->unread, merge->unread_count, sizeof merge->unread[0], id_order);
    prfdata_os_lock_enter(&carry->lock);
    result = follow_installation(carry, installation, lineage, merge->model);
    if (result == PRFDATA_DONE)
        result = apply_to_objects(carry, merge);
    prfdata_os_lock_leave(&carry->lock);
    return result;
}

/* The caller holds the lock. */
static prfdata_result record_region_sums(prfdata_carry *carry, uint64_t began,
                                         uint32_t object_index, uint64_t region, uint64_t *sums)
{
    const prfdata_carry_key key = {region, 0, PRFDATA_NONE, 0};
    const prfdata_carry_object *object = &carry->objects[object_index];
    const uint32_t position = prfdata_carry_memory_find(object, &key);
    const prfdata_carry_contributor *contributor;
    uint64_t *lasting;

    if (position == PRFDATA_NONE)
        return PRFDATA_STALE;
    contributor = &object->contributors[position];
    lasting = prfdata_carry_memory_contributor_values(object, position);
    if (prfdata_cells_record(object->model_object, sums, lasting)) {
        note_recording(carry);
        if (prfdata_carry_memory_is_missing(contributor)) /* other threads show it as carried */
            renew_carried_version(carry, object_index);
    }
    if (prfdata_cells_raise_shown(object->model_object, lasting, sums, sums) &&
        contributor->has_brackets && has_been_overtaken(carry, began))
        return PRFDATA_STALE;
    return PRFDATA_DONE;
}

prfdata_result prfdata_carry_record_sums(prfdata_carry *carry, uint64_t installation,
                                         uint64_t began, uint32_t object_index,
                                         const uint64_t *regions, uint32_t count, uint64_t *sums)
{
    prfdata_result result = PRFDATA_STALE;

    prfdata_os_lock_enter(&carry->lock);
    if (carry->objects && carry->installation == installation)
        result = PRFDATA_DONE;
    for (uint32_t i = 0; i < count && result == PRFDATA_DONE; i++)
        result = record_region_sums(
            carry, began, object_index, regions[i],
            sums + (size_t)i * carry->objects[object_index].model_object->stored_count);
    prfdata_os_lock_leave(&carry->lock);
    return result;
}
