/* SPDX-License-Identifier: MIT */
/*
 * Performs the reader steps of region-format.md. All code that reads a view for a snapshot is here,
 * or is called from here. A writer may change every byte meanwhile. Allocates nothing, because the
 * guard may end this code at any instruction.
 */
#include "snapshot/snapshot_copy.h"

#include <string.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"
#include "names/names.h"
#include "region/bracket.h"
#include "snapshot/distribution_windows.h"

/*
 * Returns whether to try again; if so, pauses first. `since` is the time of the last call from the
 * same loop, in ticks; 0 before the first call.
 */
static bool may_retry(prfdata_snapshot_reading *reading, uint64_t *since)
{
    const uint64_t now = prfdata_os_ticks();
    const uint64_t spent = *since == 0 ? 0 : now - *since;

    if (spent >= reading->wait_ticks) {
        reading->wait_ticks = 0;
        return false;
    }
    reading->wait_ticks -= spent;
    *since = now;
    reading->tries++;
    prfdata_bracket_wait();
    PRFDATA_CRASH_POINT("R: pause");
    return true;
}

/*
 * Checks the rules R2 to R6, R9 and R10 of region-format.md again. The size and the slot counts
 * were checked when the region was attached.
 */
static bool header_is_valid(const prfdata_region_header *header, const prfdata_model *model,
                            uint64_t boot)
{
    return header->magic == PRFDATA_REGION_MAGIC && header->major == PRFDATA_REGION_MAJOR &&
           header->features == 0 && header->map_hash == model->hash && header->boot == boot &&
           header->object_count == model->object_count &&
           header->state != PRFDATA_REGION_BUILDING && header->state <= PRFDATA_REGION_CLOSED;
}

static uint32_t count_used(uint8_t *bytes, const prfdata_region_section *section)
{
    const uint32_t used_count = prfdata_region_used_count(bytes, section);
    uint32_t used = 0;

    for (uint32_t i = 0; i < used_count; i++)
        if (prfdata_load32_relaxed(&prfdata_region_slot_at(bytes, section, i)->tag) != 0)
            used++;
    return used;
}

void prfdata_snapshot_copy_measure(void *context)
{
    prfdata_snapshot_reading *reading = context;
    prfdata_region_header header;

    header.structure = prfdata_load64_acquire(
        &((const prfdata_region_header *)(const void *)reading->view->bytes)->structure);
    prfdata_region_load(&header, reading->view->bytes, offsetof(prfdata_region_header, structure));
    PRFDATA_CRASH_POINT("R: header");
    memcpy(reading->snapshot->head, &header, sizeof reading->snapshot->head);
    reading->is_valid = header_is_valid(&header, reading->model, reading->boot);
    reading->snapshot->dropped = header.dropped;
    reading->snapshot->has_brackets = (header.hints & PRFDATA_REGION_HINT_BRACKETS) != 0;
    for (uint32_t i = 0; reading->is_valid && i < reading->layout->object_count; i++) {
        prfdata_snapshot_object *object = &reading->snapshot->objects[i];

        if (object->is_taken)
            object->count = reading->model->objects[i].has_instances
                                ? count_used(reading->view->bytes, &reading->layout->sections[i])
                                : 1;
    }
}

static void load_slot_cells(const prfdata_snapshot_reading *reading, uint32_t object_index,
                            uint32_t position, uint32_t slot_index, bool has_baselines)
{
    const prfdata_model_object *model_object = &reading->model->objects[object_index];
    const prfdata_region_section *section = &reading->layout->sections[object_index];
    const prfdata_snapshot_object *object = &reading->snapshot->objects[object_index];
    const size_t first = (size_t)position * object->cell_stride;

    prfdata_region_load_cells(object->cells + first, reading->view->bytes, model_object, section,
                              slot_index);
    if (model_object->distribution_count > 0)
        prfdata_distribution_windows_load(reading->view->bytes, model_object, section, slot_index,
                                          reading->time, object->cells + first,
                                          has_baselines ? object->baselines + first : NULL);
}

/*
 * Copies a slot's parts as they are now. Reads the identity first, then the tag, then everything
 * else, so the identity belongs to the copied name or to an earlier name. Returns the identity.
 */
static uint32_t copy_parts(const prfdata_snapshot_reading *reading, uint32_t object_index,
                           uint32_t position, uint32_t slot_index, prfdata_region_slot *copy)
{
    const prfdata_region_section *section = &reading->layout->sections[object_index];
    const prfdata_snapshot_object *object = &reading->snapshot->objects[object_index];
    uint8_t *bytes = reading->view->bytes;
    const prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);
    const uint32_t identity = prfdata_load32_acquire(&slot->identity);
    const uint32_t tag = prfdata_load32_acquire(&slot->tag);

    PRFDATA_CRASH_POINT("R: slot tag");
    prfdata_region_load(copy, slot, sizeof *copy);
    copy->tag = tag;
    PRFDATA_CRASH_POINT("R: slot fields");
    if (PRFDATA_SLOT_STATE(tag) >= PRFDATA_SLOT_LIVE) {
        prfdata_region_load(object->names + (size_t)position * object->name_stride,
                            prfdata_region_name_at(bytes, section, slot_index),
                            section->name_stride);
        if (copy->flags & PRFDATA_SLOT_HAS_BASELINE)
            prfdata_region_load(object->baselines + (size_t)position * object->cell_stride,
                                prfdata_region_baselines_at(bytes, section, slot_index),
                                section->cell_stride);
    }
    PRFDATA_CRASH_POINT("R: slot parts");
    load_slot_cells(reading, object_index, position, slot_index,
                    PRFDATA_SLOT_STATE(tag) >= PRFDATA_SLOT_LIVE &&
                        (copy->flags & PRFDATA_SLOT_HAS_BASELINE));
    PRFDATA_CRASH_POINT("R: slot cells");
    return identity;
}

/*
 * Whether the slot only became dormant or live while it was copied. Then its name, parent and
 * baselines are unchanged, because a new name raises the identity after the tag says "building".
 *
 * identity  The slot's identity, read first.
 * before    The tag, read next, before the rest of the slot.
 * after     The tag, read after the rest of the slot.
 */
static bool keeps_identity(const prfdata_region_slot *slot, uint32_t identity, uint32_t before,
                           uint32_t after)
{
    return PRFDATA_SLOT_STATE(before) >= PRFDATA_SLOT_LIVE &&
           PRFDATA_SLOT_STATE(after) >= PRFDATA_SLOT_LIVE &&
           prfdata_load32_relaxed(&slot->identity) == identity;
}

/*
 * Performs reader step 2. The copy's tag becomes 0 (free) if the slot got another name meanwhile
 * (R14). If the slot only became dormant or live, the copy keeps the first tag, because the gauges
 * may belong to that state.
 */
static void copy_slot(prfdata_snapshot_reading *reading, uint32_t object_index, uint32_t position,
                      uint32_t slot_index, prfdata_region_slot *copy)
{
    const prfdata_region_slot *slot = prfdata_region_slot_at(
        reading->view->bytes, &reading->layout->sections[object_index], slot_index);
    uint32_t changes = 0;
    uint64_t since = 0;

    for (;;) {
        uint64_t entered;
        const bool is_empty = prfdata_bracket_begin(&slot->entered, &slot->left, &entered);
        uint32_t identity;
        bool is_whole;
        uint32_t tag;

        if (!is_empty && reading->has_writer && may_retry(reading, &since))
            continue;
        identity = copy_parts(reading, object_index, position, slot_index, copy);
        prfdata_fence_acquire();
        tag = prfdata_load32_acquire(&slot->tag);
        if (tag != copy->tag && ++changes < 2)
            continue;
        is_whole =
            !reading->has_writer || (is_empty && prfdata_bracket_end(&slot->entered, entered));
        if (!is_whole && may_retry(reading, &since))
            continue;
        reading->snapshot->torn_count += !is_whole;
        if (tag != copy->tag && !keeps_identity(slot, identity, copy->tag, tag))
            copy->tag = 0;
        return;
    }
}

/* Checks the name or number of a slot (rule R12 of region-format.md). */
static bool has_valid_name(const prfdata_model_object *model_object,
                           const prfdata_snapshot_slot *slot)
{
    if (slot->has_unique_id)
        return slot->unique_id != PERF_NO_UNIQUE_ID;
    return slot->name_chars >= 1 && slot->name_chars <= model_object->name_chars;
}

static void keep_slot(const prfdata_model_object *model_object, prfdata_snapshot_object *object,
                      uint32_t position, uint32_t slot_index, const prfdata_region_slot *copy)
{
    prfdata_snapshot_slot *slot = &object->slots[position];

    slot->slot_index = slot_index;
    slot->state = PRFDATA_SLOT_STATE(copy->tag);
    slot->identity = copy->identity;
    slot->parent_slot = copy->parent_slot;
    slot->parent_identity = copy->parent_identity;
    slot->unique_id = copy->unique_id;
    slot->has_unique_id = (copy->flags & PRFDATA_SLOT_HAS_UNIQUE_ID) != 0;
    slot->has_baseline = (copy->flags & PRFDATA_SLOT_HAS_BASELINE) != 0;
    slot->name_chars = slot->has_unique_id ? 0 : copy->name_chars;
    if (slot->state < PRFDATA_SLOT_LIVE || !has_valid_name(model_object, slot)) {
        slot->state = PRFDATA_SLOT_FREE;
        slot->has_baseline = false; /* the baseline may not have been copied */
    } else {
        prfdata_names_clean(object->names + (size_t)position * object->name_stride,
                            slot->name_chars);
    }
}

static void copy_instances(prfdata_snapshot_reading *reading, uint32_t object_index)
{
    const prfdata_region_section *section = &reading->layout->sections[object_index];
    prfdata_snapshot_object *object = &reading->snapshot->objects[object_index];
    const uint32_t used_count = prfdata_region_used_count(reading->view->bytes, section);
    uint32_t position = 0;

    for (uint32_t i = 0; i < used_count; i++) {
        const prfdata_region_slot *slot = prfdata_region_slot_at(reading->view->bytes, section, i);
        prfdata_region_slot copy;

        if (prfdata_load32_relaxed(&slot->tag) == 0)
            continue;
        if (position == object->room) {
            reading->lacks_room = true;
            break;
        }
        copy_slot(reading, object_index, position, i, &copy);
        keep_slot(&reading->model->objects[object_index], object, position, i, &copy);
        position++;
    }
    object->count = position;
}

static void copy_plain_or_instances(prfdata_snapshot_reading *reading, uint32_t object_index)
{
    prfdata_snapshot_object *object = &reading->snapshot->objects[object_index];

    if (reading->model->objects[object_index].has_instances) {
        copy_instances(reading, object_index);
        return;
    }
    load_slot_cells(reading, object_index, 0, 0, false);
    object->slots[0].state = PRFDATA_SLOT_LIVE;
    object->count = 1;
}

/*
 * Copies children before their parents, which come first in the map. In the other order, a parent
 * and its child could be added after the parent's object was copied, and the child would be copied
 * without its parent.
 */
static void copy_objects(prfdata_snapshot_reading *reading)
{
    for (uint32_t i = reading->layout->object_count; i-- > 0;)
        if (reading->snapshot->objects[i].is_taken) {
            copy_plain_or_instances(reading, i);
            PRFDATA_CRASH_POINT("R: object");
        }
}

/*
 * Whether the region was published throughout. A take-over changes the state before it hides
 * instances and resets gauges, and increments the epoch before it sets the state to "published"
 * again. Without this check, a copy could have some gauges from before the reset and others from
 * after it.
 */
static bool is_still_published(const prfdata_snapshot *snapshot,
                               const prfdata_region_header *header)
{
    prfdata_region_header before;

    memcpy(&before, snapshot->head, sizeof snapshot->head);
    return before.state == PRFDATA_REGION_PUBLISHED &&
           prfdata_load32_acquire(&header->state) == PRFDATA_REGION_PUBLISHED &&
           prfdata_load32_relaxed(&header->epoch) == before.epoch;
}

static void note_header(prfdata_snapshot *snapshot, const prfdata_region_header *header)
{
    snapshot->has_brackets |=
        (prfdata_load32_relaxed(&header->hints) & PRFDATA_REGION_HINT_BRACKETS) != 0;
    snapshot->is_live = is_still_published(snapshot, header);
    snapshot->is_closed = prfdata_load32_relaxed(&header->state) == PRFDATA_REGION_CLOSED;
    snapshot->structure_after = prfdata_load64_relaxed(&header->structure);
    snapshot->was_at_rest = prfdata_region_is_at_rest(snapshot->structure_after) &&
                            snapshot->structure_after == prfdata_snapshot_structure(snapshot);
}

void prfdata_snapshot_copy_region(void *context)
{
    prfdata_snapshot_reading *reading = context;
    const prfdata_region_header *header = (const void *)reading->view->bytes;
    uint64_t since = 0;

    for (;;) {
        uint64_t entered;
        const bool is_empty = prfdata_bracket_begin(&header->entered, &header->left, &entered);
        bool is_whole;

        if (!is_empty && reading->has_writer && may_retry(reading, &since))
            continue;
        reading->snapshot->torn_count = 0;
        reading->lacks_room = false;
        copy_objects(reading);
        prfdata_fence_acquire();
        is_whole =
            !reading->has_writer || (is_empty && prfdata_bracket_end(&header->entered, entered));
        if (!is_whole && may_retry(reading, &since))
            continue;
        reading->snapshot->torn_count += !is_whole;
        note_header(reading->snapshot, header);
        /*
         * A slot that was left out can hold half of an update only if a thread has ever entered a
         * bracket around all instances. The header's `entered` shows this. The hint
         * PRFDATA_REGION_HINT_BRACKETS does not, because it is cleared at each take-over.
         */
        reading->lacks_room &= reading->has_writer && entered != 0;
        return;
    }
}
