/* SPDX-License-Identifier: MIT */
/*
 * Takes snapshots of regions in two guarded passes. The first pass counts the slots that were ever
 * used; the second copies them into memory that is allocated in between. A slot that is first used
 * after the first pass may be left out. If threads have entered brackets around all instances, such
 * a slot may contain half of an update whose other half was copied. Then both passes are repeated
 * with more memory, up to three times in all. snapshot_copy.c reads the views.
 */
#include "snapshot/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/smaller.h"
#include "snapshot/cells.h"
#include "snapshot/distribution_windows.h"
#include "snapshot/snapshot_copy.h"

prfdata_snapshot_reading prfdata_snapshot_new_reading(void)
{
    const uint64_t ticks_per_second = prfdata_os_ticks_per_second();
    prfdata_snapshot_reading reading = {0};

    reading.region_ticks = ticks_per_second * PRFDATA_SNAPSHOT_REGION_WAIT_US / 1000000;
    reading.ticks = ticks_per_second * PRFDATA_SNAPSHOT_ALL_WAIT_US / 1000000;
    reading.time = prfdata_distribution_time();
    reading.other_bytes = PRFDATA_MAX_COPIES_BYTES;
    return reading;
}

/* ---- Memory ---- */

prfdata_snapshot *prfdata_snapshot_make(uint32_t object_count)
{
    prfdata_snapshot *snapshot =
        calloc(1, sizeof *snapshot + object_count * sizeof snapshot->objects[0]);

    if (snapshot) {
        snapshot->references = 1;
        snapshot->object_count = object_count;
    }
    return snapshot;
}

/*
 * How many cells a copied slot has room for: the cells of the counters and of the windows, and at
 * least the whole cache lines that are loaded from the region.
 */
static uint32_t cells_of_slot(const prfdata_model_object *model_object,
                              const prfdata_region_section *section)
{
    const uint32_t loaded = section->cell_stride / (uint32_t)sizeof(uint64_t);

    return loaded > model_object->cell_count ? loaded : model_object->cell_count;
}

uint64_t prfdata_snapshot_slot_bytes(const prfdata_model_object *model_object,
                                     const prfdata_region_section *section, bool is_summary)
{
    const uint32_t parts = model_object->has_instances && !is_summary ? 2 : 1;

    static_assert(sizeof(prfdata_snapshot_slot) % sizeof(uint64_t) == 0, "names and cells follow");
    return sizeof(prfdata_snapshot_slot) + section->name_stride +
           (uint64_t)parts * cells_of_slot(model_object, section) * sizeof(uint64_t);
}

bool prfdata_snapshot_allocate(prfdata_snapshot_object *object,
                               const prfdata_model_object *model_object,
                               const prfdata_region_section *section, uint32_t count,
                               bool is_summary)
{
    const uint32_t cell_stride = cells_of_slot(model_object, section);
    const uint64_t size = prfdata_snapshot_slot_bytes(model_object, section, is_summary) * count +
                          (is_summary ? cell_stride * sizeof(uint64_t) : 0);

    if (size > SIZE_MAX - 1)
        return false;
    object->slots = malloc((size_t)size + 1);
    if (!object->slots)
        return false;
    object->is_taken = true;
    object->room = count;
    object->cell_stride = cell_stride;
    object->name_stride = section->name_stride / (uint32_t)sizeof(uint16_t);
    memset(object->slots, 0, count * sizeof *object->slots);
    object->names = (void *)(object->slots + count);
    object->cells = (void *)((uint8_t *)object->names + (size_t)section->name_stride * count);
    if (is_summary)
        object->sums = object->cells + (size_t)cell_stride * count;
    else
        object->baselines = object->cells + (size_t)cell_stride * count;
    return true;
}

/*
 * Returns for how many slots to allocate memory. Usually, this is the number that the first pass
 * has counted. If the program uses brackets, or the memory was not enough before, it is more,
 * because slots may come into use meanwhile.
 */
static uint32_t room_for(const prfdata_snapshot_reading *reading, uint32_t object_index)
{
    const uint32_t count = reading->snapshot->objects[object_index].count;
    const uint32_t more = count / 16 + 16;
    const uint32_t most = reading->layout->sections[object_index].slot_count;

    if (!(reading->snapshot->has_brackets || reading->lacks_room) ||
        !reading->model->objects[object_index].has_instances)
        return count;
    return more < most - count ? count + more : most;
}

static bool allocate_objects(const prfdata_snapshot_reading *reading)
{
    for (uint32_t i = 0; i < reading->layout->object_count; i++) {
        prfdata_snapshot_object *object = &reading->snapshot->objects[i];

        free(object->slots); /* slots of an earlier try, whose memory was not enough */
        object->slots = NULL;
        if (object->is_taken &&
            !prfdata_snapshot_allocate(object, &reading->model->objects[i],
                                       &reading->layout->sections[i], room_for(reading, i), false))
            return false;
    }
    return true;
}

void prfdata_snapshot_free(prfdata_snapshot *snapshot)
{
    if (!snapshot)
        return;
    for (uint32_t i = 0; i < snapshot->object_count; i++) {
        free(snapshot->objects[i].slots);
        free(snapshot->objects[i].other_cells);
        prfdata_hash_table_free(&snapshot->objects[i].slots_by_key);
    }
    free(snapshot);
}

/* ---- Taking a snapshot ---- */

static bool begin_snapshot(prfdata_snapshot_reading *reading, const bool *wanted)
{
    reading->is_valid = false;
    reading->snapshot = prfdata_snapshot_make(reading->model->object_count);
    for (uint32_t i = 0; reading->snapshot && i < reading->model->object_count; i++)
        reading->snapshot->objects[i].is_taken = !wanted || wanted[i];
    return reading->snapshot != NULL;
}

static prfdata_result measure_and_copy(prfdata_snapshot_reading *reading)
{
    if (!prfdata_os_guarded(reading->view, prfdata_snapshot_copy_measure, reading))
        return PRFDATA_FAULTED;
    if (!reading->is_valid)
        return PRFDATA_INVALID;
    if (!allocate_objects(reading))
        return PRFDATA_NO_MEMORY;
    return prfdata_os_guarded(reading->view, prfdata_snapshot_copy_region, reading)
               ? PRFDATA_DONE
               : PRFDATA_FAULTED;
}

/*
 * Measures and copies a region, at most three times, until `lacks_room` is false. If `lacks_room`
 * stays true, the last copy counts as torn.
 */
static prfdata_result fill_snapshot(prfdata_snapshot_reading *reading)
{
    enum { MOST_PASSES = 3 };
    const uint64_t may_spend = prfdata_smaller_of(reading->region_ticks, reading->ticks);
    prfdata_result result = PRFDATA_DONE;

    reading->wait_ticks = may_spend;
    reading->lacks_room = false;
    for (int pass = 0; pass == 0 || (pass < MOST_PASSES && reading->lacks_room); pass++) {
        result = measure_and_copy(reading);
        if (result != PRFDATA_DONE)
            break;
    }
    reading->snapshot->torn_count += reading->lacks_room;
    reading->ticks -= may_spend - reading->wait_ticks;
    return result;
}

prfdata_result prfdata_snapshot_take(prfdata_snapshot_reading *reading, const bool *wanted,
                                     prfdata_snapshot **snapshot)
{
    prfdata_result result;

    if (!begin_snapshot(reading, wanted))
        return PRFDATA_NO_MEMORY;
    result = fill_snapshot(reading);
    if (result != PRFDATA_DONE)
        prfdata_snapshot_free(reading->snapshot);
    else
        *snapshot = reading->snapshot;
    return result;
}

/* ---- Searching snapshots ---- */

prfdata_snapshot_slot *prfdata_snapshot_find(const prfdata_snapshot_object *object,
                                             uint32_t slot_index)
{
    uint32_t low = 0;
    uint32_t high = object->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (object->slots[middle].slot_index < slot_index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < object->count && object->slots[low].slot_index == slot_index ? &object->slots[low]
                                                                              : NULL;
}
