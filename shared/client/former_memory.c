/* SPDX-License-Identifier: MIT */
/*
 * Copies private memory into a region, and moves the counts of old handles. If the process is
 * killed, the counts that were not moved are lost, and no count is counted twice.
 */
#include "client/former_memory.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"
#include "client/former_distribution.h"
#include "region/bracket.h"

static prfdata_region_header *header_at(uint8_t *bytes)
{
    return (prfdata_region_header *)(void *)bytes;
}

typedef struct prfdata_former_slot {
    const prfdata_model_object *object;
    const prfdata_region_section *section;
    uint32_t slot_index;
    /* while the slot was read, no thread was inside its bracket or the one around all instances */
    bool is_quiet;
} prfdata_former_slot;

/* `region` is NULL if the caller only reads. */
static prfdata_former_words distributions_of(const prfdata_former *former,
                                             const prfdata_former_slot *slot, uint8_t *region)
{
    prfdata_former_words words;

    words.object = slot->object;
    words.from = prfdata_region_distributions_at(former->bytes, slot->section, slot->slot_index);
    words.moved = prfdata_region_distributions_at(former->moved, slot->section, slot->slot_index);
    words.read = prfdata_region_distributions_at(former->read, slot->section, slot->slot_index);
    words.to =
        region ? prfdata_region_distributions_at(region, slot->section, slot->slot_index) : NULL;
    return words;
}

static size_t count_all_slots(const prfdata_region_layout *layout)
{
    size_t count = 0;

    for (uint32_t i = 0; i < layout->object_count; i++)
        count += layout->sections[i].slot_count;
    return count;
}

uint32_t prfdata_former_init(prfdata_former *former, const prfdata_region_layout *layout)
{
    former->moved = calloc(1, (size_t)layout->total_bytes);
    former->read = calloc(1, (size_t)layout->total_bytes);
    /* + 1, because calloc(0, ...) may return NULL */
    former->changed = calloc(count_all_slots(layout) + 1, sizeof *former->changed);
    if (!former->moved || !former->read || !former->changed) {
        prfdata_former_done(former);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    return ERROR_SUCCESS;
}

void prfdata_former_done(prfdata_former *former)
{
    free(former->moved);
    free(former->read);
    free(former->changed);
    former->moved = NULL;
    former->read = NULL;
    former->changed = NULL;
}

static void copy_slot(prfdata_former *former, const prfdata_region_section *section,
                      uint8_t *region, uint32_t slot_index)
{
    prfdata_region_slot *from = prfdata_region_slot_at(former->bytes, section, slot_index);
    prfdata_region_slot *to = prfdata_region_slot_at(region, section, slot_index);
    /* `left` is read first, so that it never exceeds `entered`. */
    uint64_t left = prfdata_load64_acquire(&from->left);

    prfdata_region_load(to, from, sizeof *to);
    to->left = left;
    prfdata_region_slot_at(former->moved, section, slot_index)->entered = to->entered;
    prfdata_region_slot_at(former->moved, section, slot_index)->left = to->left;
    prfdata_region_load(prfdata_region_name_at(region, section, slot_index),
                        prfdata_region_name_at(former->bytes, section, slot_index),
                        section->name_stride);
    prfdata_region_load(prfdata_region_baselines_at(region, section, slot_index),
                        prfdata_region_baselines_at(former->bytes, section, slot_index),
                        section->cell_stride);
}

/*
 * Returns the counter's cell, or its lane 0 if the counter is hot. Exclusive lanes are not used,
 * because they may belong to other handles by now.
 */
static uint64_t *word_in_region(uint8_t *region, const prfdata_region_section *section,
                                uint32_t slot_index, const prfdata_model_counter *counter)
{
    return counter->is_hot
               ? prfdata_region_lanes_at(region, section, slot_index, counter->hot_index)
               : prfdata_region_cells_at(region, section, slot_index) + counter->cell_index;
}

static void copy_cells(prfdata_former *former, const prfdata_model_object *object,
                       const prfdata_region_section *section, uint8_t *region, uint32_t slot_index)
{
    const prfdata_former_slot slot = {object, section, slot_index, false};
    uint64_t *moved = prfdata_region_cells_at(former->moved, section, slot_index);
    prfdata_former_words words;

    prfdata_region_load_cells(moved, former->bytes, object, section, slot_index);
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].cell_index != PRFDATA_NONE)
            *word_in_region(region, section, slot_index, &object->counters[i]) =
                moved[object->counters[i].cell_index];
    words = distributions_of(former, &slot, region);
    prfdata_former_distribution_copy(&words, section->distributions_stride);
}

static uint32_t used_slots(const prfdata_model_object *object,
                           const prfdata_region_section *section, const uint8_t *bytes)
{
    return object->has_instances ? prfdata_region_used_count(bytes, section) : 1;
}

static void copy_objects(prfdata_former *former, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_region_section *section = &layout->sections[i];
        const uint32_t used_count = used_slots(&model->objects[i], section, former->bytes);

        for (uint32_t j = 0; j < used_count; j++) {
            if (model->objects[i].has_instances)
                copy_slot(former, section, region, j);
            copy_cells(former, &model->objects[i], section, region, j);
        }
        if (model->objects[i].has_instances)
            ((prfdata_region_count *)(void *)(region + section->count_offset))->used_count =
                used_count;
    }
}

static prfdata_former_bracket slot_bracket(uint8_t *bytes, const prfdata_region_section *section,
                                           uint32_t slot_index)
{
    prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);
    const prfdata_former_bracket found = {&slot->entered, &slot->left};

    return found;
}

static prfdata_former_bracket header_bracket(uint8_t *bytes)
{
    const prfdata_former_bracket found = {&header_at(bytes)->entered, &header_at(bytes)->left};

    return found;
}

/*
 * Adds the new entries and exits of a bracket in private memory to those in the region. A thread
 * may enter in private memory and leave in the region. So only the sums in the region tell whether
 * a thread is inside.
 */
static void move_bracket(prfdata_former_bracket from, prfdata_former_bracket moved,
                         prfdata_former_bracket to)
{
    /* `left` is read first, so that it never exceeds `entered`. */
    const uint64_t left = prfdata_load64_acquire(from.left);
    const uint64_t entered = prfdata_load64_relaxed(from.entered);

    if (entered != *moved.entered)
        prfdata_add64_relaxed(to.entered, entered - *moved.entered);
    if (left != *moved.left)
        prfdata_add64_release(to.left, left - *moved.left);
    *moved.entered = entered;
    *moved.left = left;
}

/* Sets the hint that threads use brackets. Without the hint, readers may ignore brackets. */
static void announce_brackets(uint8_t *region)
{
    uint32_t *hints = &header_at(region)->hints;

    prfdata_store32_relaxed(hints, prfdata_load32_relaxed(hints) | PRFDATA_REGION_HINT_BRACKETS);
}

static bool has_brackets(uint8_t *bytes)
{
    return (prfdata_load32_relaxed(&header_at(bytes)->hints) & PRFDATA_REGION_HINT_BRACKETS) != 0;
}

/*
 * Enters the region's bracket around all instances. Called before a move that may move only a part
 * of an update. Until release(), readers treat the region as torn.
 */
static void hold(prfdata_former *former, uint8_t *region)
{
    if (former->is_held)
        return;
    former->is_held = true;
    announce_brackets(region);
    prfdata_add64_relaxed(header_bracket(region).entered, 1);
    prfdata_fence(); /* no reader may see a value before the entry */
}

static void release(prfdata_former *former, uint8_t *region)
{
    if (!former->is_held)
        return;
    prfdata_add64_release(header_bracket(region).left, 1);
    former->is_held = false;
}

static void raise_cell(uint64_t *cell, uint64_t value, bool is_signed)
{
    uint64_t seen = prfdata_load64_relaxed(cell);

    while ((is_signed ? (int64_t)seen < (int64_t)value : seen < value) &&
           !prfdata_swap64_relaxed(cell, &seen, value)) {
    }
}

/*
 * Store `value` if the region's cell still holds `moved_before`. Otherwise a thread that counts in
 * the region has changed the cell, and the cell keeps the larger of the two values.
 */
static void replace_cell(uint64_t *cell, uint64_t moved_before, uint64_t value, bool is_signed)
{
    uint64_t seen = moved_before;

    while (seen == moved_before && !prfdata_swap64_relaxed(cell, &seen, value)) {
        /* the exchange may fail spuriously on some processors */
    }
    if (seen != moved_before)
        raise_cell(cell, value, is_signed);
}

static void move_cell(prfdata_merging merging, uint64_t *cell, uint64_t *moved, uint64_t value)
{
    switch (merging) {
    case PRFDATA_MERGING_MAX:
        replace_cell(cell, *moved, value, true);
        break;
    case PRFDATA_MERGING_OLDEST_START:
        /* A later start has a larger stamp, and replaces an earlier start of this instance. */
        replace_cell(cell, *moved, value, false);
        break;
    case PRFDATA_MERGING_NEWEST:
        raise_cell(cell, value, false);
        break;
    case PRFDATA_MERGING_ACCUMULATE:
    case PRFDATA_MERGING_SUM:
        prfdata_add64_relaxed(cell, value - *moved);
        break;
    case PRFDATA_MERGING_NOTHING:
        break;
    }
    *moved = value;
}

static void move_values(const prfdata_former *former, const prfdata_former_slot *changed,
                        uint8_t *region)
{
    const prfdata_model_object *object = changed->object;
    const prfdata_former_words words = distributions_of(former, changed, region);
    const uint64_t *read =
        prfdata_region_cells_at(former->read, changed->section, changed->slot_index);
    uint64_t *moved = prfdata_region_cells_at(former->moved, changed->section, changed->slot_index);

    for (uint32_t i = 0; i < object->counter_count; i++) {
        const uint32_t cell = object->counters[i].cell_index;

        if (cell == PRFDATA_NONE || read[cell] == moved[cell])
            continue;
        move_cell(
            object->counters[i].merging,
            word_in_region(region, changed->section, changed->slot_index, &object->counters[i]),
            &moved[cell], read[cell]);
        PRFDATA_CRASH_POINT("moved");
    }
    prfdata_former_distribution_move(&words);
}

/* Move the values that were read, so that readers see them together. */
static void move_changed(prfdata_former *former, uint8_t *region)
{
    const prfdata_former_bracket all = header_bracket(region);

    if (former->changed_count == 0)
        return;
    prfdata_add64_relaxed(all.entered, 1);
    prfdata_fence(); /* no reader may see a value before the entry */
    for (uint32_t i = 0; i < former->changed_count; i++)
        move_values(former, &former->changed[i], region);
    prfdata_add64_release(all.left, 1);
    former->changed_count = 0;
}

/* How often one move waits at most for threads inside brackets: about 50 us in all. */
enum { MOST_WAITS = 64 };

typedef struct former_reading {
    prfdata_former *former;
    uint8_t *region;
    uint32_t waits_left;
    bool is_quiet; /* false: the move gave up waiting for a thread inside a bracket */
} former_reading;

/*
 * Whether no thread is inside the bracket. `held` is the number of entries (0 or 1) that only hold
 * the region and belong to no thread. `entered` gets the number of all entries.
 */
static bool is_empty(prfdata_former_bracket inside, uint64_t held, uint64_t *entered)
{
    const uint64_t left = prfdata_load64_acquire(inside.left) + held;

    *entered = prfdata_load64_acquire(inside.entered);
    return *entered == left;
}

/* Whether no thread is inside, and none has entered since is_empty() set `entered`. */
static bool is_still_empty(prfdata_former_bracket inside, uint64_t held, uint64_t entered)
{
    uint64_t now;

    prfdata_fence_acquire(); /* all values are read before the bracket is checked again */
    return is_empty(inside, held, &now) && now == entered;
}

/*
 * Pauses once, so that the threads inside a bracket may leave it, and takes `waits` from what is
 * left of the waits. Returns false, without a pause, if fewer are left.
 */
static bool wait_for(former_reading *work, prfdata_former_bracket inside, uint32_t waits)
{
    if (work->waits_left < waits) {
        work->is_quiet = false;
        work->former->blocker = inside;
        return false;
    }
    work->waits_left -= waits;
    prfdata_bracket_wait();
    return true;
}

/* Returns whether a cell or a distribution differs from what was moved. */
static bool read_cells(const prfdata_former *former, const prfdata_former_slot *slot)
{
    const uint64_t *moved = prfdata_region_cells_at(former->moved, slot->section, slot->slot_index);
    uint64_t *read = prfdata_region_cells_at(former->read, slot->section, slot->slot_index);
    const prfdata_former_words words = distributions_of(former, slot, NULL);
    uint64_t difference = 0;

    prfdata_region_load_cells(read, former->bytes, slot->object, slot->section, slot->slot_index);
    for (uint32_t i = 0; i < slot->object->stored_count; i++)
        difference |= read[i] ^ moved[i];
    return prfdata_former_distribution_read(&words) || difference != 0;
}

/*
 * Read a slot, if possible while no thread is inside its bracket. Returns whether the slot has
 * changed.
 */
static bool read_slot(former_reading *work, prfdata_former_slot *slot)
{
    const prfdata_former *former = work->former;
    prfdata_former_bracket own;
    bool has_changed;
    uint64_t entered;

    slot->is_quiet = true;
    if (!slot->object->has_instances) /* the slot has no bracket of its own */
        return read_cells(former, slot);
    own = slot_bracket(work->region, slot->section, slot->slot_index);
    do {
        move_bracket(slot_bracket(former->bytes, slot->section, slot->slot_index),
                     slot_bracket(former->moved, slot->section, slot->slot_index), own);
        slot->is_quiet = is_empty(own, 0, &entered);
        has_changed = read_cells(former, slot);
        slot->is_quiet = slot->is_quiet && is_still_empty(own, 0, entered);
        /*
         * An unchanged slot has nothing to move. A thread inside its bracket matters only while the
         * region is held, because a move releases the region only if no thread is inside a bracket.
         */
    } while (!slot->is_quiet && (has_changed || former->is_held) && wait_for(work, own, 1));
    return has_changed;
}

static void read_slots(former_reading *work, const prfdata_model *model,
                       const prfdata_region_layout *layout)
{
    prfdata_former *former = work->former;

    former->changed_count = 0;
    for (uint32_t i = 0; i < model->object_count; i++) {
        prfdata_former_slot slot = {&model->objects[i], &layout->sections[i], 0, false};
        const uint32_t used_count = used_slots(slot.object, slot.section, former->bytes);

        for (; slot.slot_index < used_count; slot.slot_index++)
            if (read_slot(work, &slot))
                former->changed[former->changed_count++] = slot;
    }
}

static void move_all_bracket(const former_reading *work)
{
    move_bracket(header_bracket(work->former->bytes), header_bracket(work->former->moved),
                 header_bracket(work->region));
}

/* Read all slots, if possible while no thread is inside the bracket around all instances. */
static void read_all(former_reading *work, const prfdata_model *model,
                     const prfdata_region_layout *layout)
{
    prfdata_former *former = work->former;
    const prfdata_former_bracket all = header_bracket(work->region);
    uint64_t entered;
    bool is_quiet;

    do {
        work->is_quiet = true;
        move_all_bracket(work);
        while (!(is_quiet = is_empty(all, former->is_held, &entered)) && wait_for(work, all, 1))
            move_all_bracket(work);
        read_slots(work, model, layout);
        is_quiet = is_quiet && is_still_empty(all, former->is_held, entered);
        /* This wait counts as MOST_WAITS / 4 waits, because all slots are read again afterwards,
         * which takes longer than a wait. */
    } while (!is_quiet && (former->changed_count > 0 || former->is_held) &&
             wait_for(work, all, MOST_WAITS / 4));
    for (uint32_t i = 0; i < former->changed_count && !is_quiet; i++)
        former->changed[i].is_quiet = false;
    if (has_brackets(former->bytes))
        /* The hint is read after the counts of entries into brackets. A thread sets the hint in
         * private memory before it enters a bracket, so the hint is set if an entry was moved. */
        announce_brackets(work->region);
}

/*
 * Removes from `changed` the slots that are not quiet. Perhaps only half of an update was read from
 * these slots. Returns whether any slot was removed.
 */
static bool keep_halves_back(prfdata_former *former)
{
    uint32_t kept = 0;
    bool has_halves;

    for (uint32_t i = 0; i < former->changed_count; i++)
        if (former->changed[i].is_quiet)
            former->changed[kept++] = former->changed[i];
    has_halves = kept < former->changed_count;
    former->changed_count = kept;
    return has_halves;
}

static bool has_halves(const prfdata_former *former)
{
    for (uint32_t i = 0; i < former->changed_count; i++)
        if (!former->changed[i].is_quiet)
            return true;
    return false;
}

void prfdata_former_move(prfdata_former *former, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region,
                         prfdata_former_moving moving)
{
    former_reading work = {former, region, MOST_WAITS, true};
    /* true: hold no values back, even if they may be half of an update */
    bool moves_halves;

    if (!former->bytes)
        return;
    moves_halves = former->is_held || moving == PRFDATA_FORMER_MOVE_ALL ||
                   (moving == PRFDATA_FORMER_MOVE && former->is_overdue);
    prfdata_store32_relaxed(&former->waits, 1); /* seen by threads that leave a bracket later */
    read_all(&work, model, layout);
    if (moves_halves && has_halves(former))
        hold(former, region);
    former->is_overdue = !moves_halves && keep_halves_back(former);
    move_changed(former, region);
    if (work.is_quiet)
        release(former, region);
    prfdata_store32_relaxed(&former->waits, former->is_overdue || former->is_held);
}

void prfdata_former_move_slot(prfdata_former *former, const prfdata_model *model,
                              const prfdata_region_layout *layout, uint8_t *region,
                              uint32_t object_index, uint32_t slot_index)
{
    prfdata_former_slot slot = {&model->objects[object_index], &layout->sections[object_index],
                                slot_index, true};

    if (!former->bytes)
        return;
    if (has_brackets(region) || has_brackets(former->bytes)) {
        prfdata_former_move(former, model, layout, region, PRFDATA_FORMER_MOVE_ALL);
        return;
    }
    if (read_cells(former, &slot))
        former->changed[former->changed_count++] = slot;
    move_changed(former, region);
}

void prfdata_former_leave(prfdata_former *former, const prfdata_model *model,
                          const prfdata_region_layout *layout, uint8_t *region)
{
    const bool is_all = former->blocker.left == header_bracket(region).left;
    uint64_t entered;

    if (prfdata_load32_relaxed(&former->waits) &&
        is_empty(former->blocker, is_all && former->is_held, &entered))
        prfdata_former_move(former, model, layout, region, PRFDATA_FORMER_MOVE_WHOLE);
}

/* The region begins as held, because the copy may contain half of an update. */
void prfdata_former_copy(prfdata_former *former, uint8_t *bytes, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region)
{
    former->bytes = bytes;
    former->is_held = true;
    header_at(region)->entered = 1;
    copy_objects(former, model, layout, region);
    PRFDATA_CRASH_POINT("copied");
    prfdata_former_move(former, model, layout, region, PRFDATA_FORMER_MOVE);
    if (former->is_held)
        announce_brackets(region);
}

void prfdata_former_reset_slot(prfdata_former *former, const prfdata_model_object *object,
                               const prfdata_region_section *section, uint32_t slot_index)
{
    uint64_t *cells;
    uint64_t *moved;

    if (!former->bytes)
        return;
    cells = prfdata_region_cells_at(former->bytes, section, slot_index);
    moved = prfdata_region_cells_at(former->moved, section, slot_index);
    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (!prfdata_merging_is_gauge(object->counters[i].merging))
            continue;
        prfdata_store64_relaxed(&cells[object->counters[i].cell_index], 0);
        moved[object->counters[i].cell_index] = 0;
    }
}

void prfdata_former_reset(prfdata_former *former, const prfdata_model *model,
                          const prfdata_region_layout *layout)
{
    if (!former->bytes)
        return;
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_region_section *section = &layout->sections[i];
        const uint32_t used_count = used_slots(&model->objects[i], section, former->bytes);

        for (uint32_t j = 0; j < used_count; j++)
            prfdata_former_reset_slot(former, &model->objects[i], section, j);
    }
}
