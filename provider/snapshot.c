/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of regions, in two guarded passes: the first counts the slots that were ever used, the
 * second copies them into memory that was allocated in between. A slot that comes into use after
 * the first pass is seen next time. All code that reads the view is in "The guarded part".
 */
#include "provider/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/names.h"

/* ---- The guarded part ---- */

struct reading {
    const prfdata_os_region *region;
    const prfdata_model *model;
    const prfdata_region_layout *layout;
    uint64_t boot;
    const bool *wanted;
    prfdata_snapshot *snapshot;
    uint32_t *used_counts; /* per object */
    prfdata_snapshot_budget *budget;
    bool is_valid;
};

/* Give a writer on another core time to leave its bracket. */
static void pause_briefly(void)
{
    for (int i = 0; i < 16; i++)
        prfdata_pause();
}

/* R2 to R6, R9 and R10 again; size and slot counts were checked when the region was attached. */
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
    const uint32_t ever_used = prfdata_region_used_count(bytes, section);
    uint32_t used = 0;

    for (uint32_t i = 0; i < ever_used; i++)
        if (prfdata_load32_relaxed(&prfdata_region_slot_at(bytes, section, i)->tag) != 0)
            used++;
    return used;
}

static void measure_region(void *context)
{
    struct reading *reading = context;
    prfdata_region_header header;

    prfdata_region_load(&header, reading->region->bytes, sizeof header);
    reading->is_valid = header_is_valid(&header, reading->model, reading->boot);
    reading->snapshot->epoch = header.epoch;
    reading->snapshot->dropped = header.dropped;
    reading->snapshot->is_published = header.state == PRFDATA_REGION_PUBLISHED;
    for (uint32_t i = 0; reading->is_valid && i < reading->layout->object_count; i++)
        if (reading->wanted[i])
            reading->used_counts[i] =
                reading->model->objects[i].has_instances
                    ? count_used(reading->region->bytes, &reading->layout->sections[i])
                    : 1;
}

/* Copy a slot's parts as they are now. Returns the tag, read first. */
static uint32_t copy_parts(uint8_t *bytes, const prfdata_region_section *section,
                           const prfdata_snapshot_object *object, uint32_t position,
                           uint32_t slot_index, prfdata_region_slot *copy)
{
    const prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);
    uint32_t tag = prfdata_load32_acquire(&slot->tag);

    prfdata_region_load(copy, slot, sizeof *copy);
    if (PRFDATA_SLOT_STATE(tag) >= PRFDATA_SLOT_LIVE) {
        prfdata_region_load(object->names + (size_t)position * object->name_stride,
                            prfdata_region_name_at(bytes, section, slot_index),
                            section->name_stride);
        if (copy->flags & PRFDATA_SLOT_HAS_BASELINE)
            prfdata_region_load(object->baselines + (size_t)position * object->cell_stride,
                                prfdata_region_baselines_at(bytes, section, slot_index),
                                section->cell_stride);
    }
    prfdata_region_load(object->cells + (size_t)position * object->cell_stride,
                        prfdata_region_cells_at(bytes, section, slot_index), section->cell_stride);
    return tag;
}

/* Whether to try again, which takes from the budget. `bytes` will have to be copied again. */
static bool may_retry(struct reading *reading, uint32_t tries, uint64_t bytes)
{
    prfdata_snapshot_budget *budget = reading->budget;

    if (tries >= PRFDATA_SNAPSHOT_TRIES || budget->tries == 0 || budget->bytes < bytes)
        return false;
    budget->tries--;
    budget->bytes -= bytes;
    pause_briefly();
    return true;
}

/* Reader step 2. Returns the tag that did not change meanwhile, or 0 (free) if it did (R14). */
static uint32_t copy_slot(struct reading *reading, const prfdata_region_section *section,
                          prfdata_snapshot_object *object, uint32_t position, uint32_t slot_index,
                          prfdata_region_slot *copy)
{
    uint8_t *bytes = reading->region->bytes;
    const prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);
    const uint64_t slot_bytes = sizeof *copy + section->name_stride + 2ull * section->cell_stride;
    prfdata_snapshot_slot *taken = &object->slots[position];
    uint32_t changes = 0;
    uint32_t tag = 0;
    bool same_tag = false;

    for (uint32_t tries = 1;; tries++) {
        uint64_t left = prfdata_load64_acquire(&slot->left);
        uint64_t entered = prfdata_load64_acquire(&slot->entered);

        if (entered != 0)
            reading->snapshot->uses_brackets = true;
        if (left != entered && may_retry(reading, tries, 0))
            continue;
        tag = copy_parts(bytes, section, object, position, slot_index, copy);
        prfdata_fence_acquire();
        same_tag = prfdata_load32_relaxed(&slot->tag) == tag;
        taken->is_whole = left == entered && prfdata_load64_relaxed(&slot->entered) == entered;
        if (!same_tag && ++changes < 2)
            continue;
        if (taken->is_whole || !same_tag || !may_retry(reading, tries, slot_bytes))
            break;
    }
    return same_tag ? tag : 0;
}

/* R12. */
static bool has_valid_name(const prfdata_model_object *model_object,
                           const prfdata_snapshot_slot *slot)
{
    if (slot->has_unique_id)
        return slot->unique_id != PERF_NO_UNIQUE_ID;
    return slot->name_chars >= 1 && slot->name_chars <= model_object->name_chars;
}

/* Keep the parts of the private copy that the merge needs. */
static void keep_slot(const prfdata_model_object *model_object, prfdata_snapshot_object *object,
                      uint32_t position, uint32_t slot_index, uint32_t tag,
                      const prfdata_region_slot *copy)
{
    prfdata_snapshot_slot *slot = &object->slots[position];

    slot->slot_index = slot_index;
    slot->state = PRFDATA_SLOT_STATE(tag);
    slot->identity = copy->identity;
    slot->parent_slot = copy->parent_slot;
    slot->parent_identity = copy->parent_identity;
    slot->unique_id = copy->unique_id;
    slot->has_unique_id = (copy->flags & PRFDATA_SLOT_HAS_UNIQUE_ID) != 0;
    slot->has_baseline = (copy->flags & PRFDATA_SLOT_HAS_BASELINE) != 0;
    slot->name_chars = slot->has_unique_id ? 0 : copy->name_chars;
    slot->row = PRFDATA_NONE;
    if (slot->state < PRFDATA_SLOT_LIVE || !has_valid_name(model_object, slot)) {
        slot->state = PRFDATA_SLOT_FREE;
        slot->has_baseline = false; /* not copied, perhaps */
    } else {
        prfdata_names_clean(object->names + (size_t)position * object->name_stride,
                            slot->name_chars);
    }
}

static void copy_instances(struct reading *reading, uint32_t object_index)
{
    const prfdata_region_section *section = &reading->layout->sections[object_index];
    prfdata_snapshot_object *object = &reading->snapshot->objects[object_index];
    uint32_t position = 0;

    for (uint32_t i = 0; i < section->slot_count && position < reading->used_counts[object_index];
         i++) {
        const prfdata_region_slot *slot =
            prfdata_region_slot_at(reading->region->bytes, section, i);
        prfdata_region_slot copy;
        uint32_t tag;

        if (prfdata_load32_relaxed(&slot->tag) == 0)
            continue;
        tag = copy_slot(reading, section, object, position, i, &copy);
        keep_slot(&reading->model->objects[object_index], object, position, i, tag, &copy);
        position++;
    }
    object->count = position;
}

static void copy_plain_or_instances(struct reading *reading, uint32_t object_index)
{
    const prfdata_region_section *section = &reading->layout->sections[object_index];
    prfdata_snapshot_object *object = &reading->snapshot->objects[object_index];

    if (reading->model->objects[object_index].has_instances) {
        copy_instances(reading, object_index);
        return;
    }
    prfdata_region_load(object->cells, prfdata_region_cells_at(reading->region->bytes, section, 0),
                        section->cell_stride);
    object->count = 1;
    object->slots[0].is_whole = true;
    object->slots[0].row = PRFDATA_NONE;
}

static void copy_objects(struct reading *reading)
{
    for (uint32_t i = 0; i < reading->layout->object_count; i++)
        if (reading->snapshot->objects[i].is_taken)
            copy_plain_or_instances(reading, i);
}

/* Reader steps 1 to 3. */
static void copy_region(void *context)
{
    struct reading *reading = context;
    const prfdata_region_header *header = (const void *)reading->region->bytes;

    for (uint32_t tries = 1;; tries++) {
        uint64_t left = prfdata_load64_acquire(&header->left);
        uint64_t entered = prfdata_load64_acquire(&header->entered);

        if (entered != 0)
            reading->snapshot->uses_brackets = true;
        if (left != entered && may_retry(reading, tries, 0))
            continue;
        copy_objects(reading);
        prfdata_fence_acquire();
        reading->snapshot->is_whole =
            left == entered && prfdata_load64_relaxed(&header->entered) == entered;
        if (reading->snapshot->is_whole || !may_retry(reading, tries, reading->layout->total_bytes))
            break;
    }
}

prfdata_snapshot_budget prfdata_snapshot_share(const prfdata_snapshot_budget *all, uint32_t sharers)
{
    prfdata_snapshot_budget share = {all->tries / sharers, all->bytes / sharers};

    if (share.tries > PRFDATA_SNAPSHOT_MORE_TRIES)
        share.tries = PRFDATA_SNAPSHOT_MORE_TRIES;
    if (share.bytes > PRFDATA_SNAPSHOT_RETRY_BYTES)
        share.bytes = PRFDATA_SNAPSHOT_RETRY_BYTES;
    return share;
}

/* ---- Memory ---- */

static prfdata_snapshot *make_snapshot(uint32_t object_count)
{
    prfdata_snapshot *snapshot =
        calloc(1, sizeof *snapshot + object_count * sizeof snapshot->objects[0]);

    if (snapshot) {
        snapshot->references = 1;
        snapshot->object_count = object_count;
    }
    return snapshot;
}

/* Slots, cells, baselines and names of one object in one allocation. */
static bool allocate_object(prfdata_snapshot_object *object, const prfdata_region_section *section,
                            bool has_instances, uint32_t used_count)
{
    const uint64_t cell_bytes = (uint64_t)section->cell_stride * used_count;
    const uint64_t slot_bytes = (sizeof *object->slots * (uint64_t)used_count + 7) / 8 * 8;
    const uint64_t name_bytes = (uint64_t)section->name_stride * used_count;
    const uint64_t size = cell_bytes + slot_bytes + (has_instances ? cell_bytes + name_bytes : 0);
    uint8_t *memory;

    if (size > SIZE_MAX - 1)
        return false;
    memory = malloc((size_t)size + 1);
    if (!memory)
        return false;
    object->is_taken = true;
    object->cell_stride = section->cell_stride / (uint32_t)sizeof(uint64_t);
    object->name_stride = section->name_stride / (uint32_t)sizeof(uint16_t);
    object->slots = (void *)memory;
    object->cells = (void *)(memory + slot_bytes);
    object->baselines = (void *)(memory + slot_bytes + cell_bytes);
    object->names = (void *)(memory + slot_bytes + 2 * cell_bytes);
    memset(object->slots, 0, (size_t)slot_bytes);
    return true;
}

static bool allocate_objects(const struct reading *reading)
{
    for (uint32_t i = 0; i < reading->layout->object_count; i++)
        if (reading->wanted[i] &&
            !allocate_object(&reading->snapshot->objects[i], &reading->layout->sections[i],
                             reading->model->objects[i].has_instances, reading->used_counts[i]))
            return false;
    return true;
}

void prfdata_snapshot_free(prfdata_snapshot *snapshot)
{
    if (!snapshot)
        return;
    for (uint32_t i = 0; i < snapshot->object_count; i++)
        free(snapshot->objects[i].slots);
    free(snapshot);
}

/* ---- Where no whole copy could be had ---- */

static bool slot_stands_in(const prfdata_snapshot_slot *last, const prfdata_snapshot_slot *slot)
{
    return last && last->is_whole && last->state != PRFDATA_SLOT_FREE &&
           last->identity == slot->identity;
}

static void replace_values(prfdata_snapshot_object *object, prfdata_snapshot_slot *slot,
                           const prfdata_snapshot_object *last_object,
                           const prfdata_snapshot_slot *last)
{
    const size_t position = (size_t)(slot - object->slots);
    const size_t bytes = object->cell_stride * sizeof *object->cells;

    memcpy(object->cells + position * object->cell_stride,
           prfdata_snapshot_cells(last_object, last), bytes);
    if (last->has_baseline)
        memcpy(object->baselines + position * object->cell_stride,
               prfdata_snapshot_baselines(last_object, last), bytes);
    slot->has_baseline = last->has_baseline;
    slot->is_whole = true;
}

static uint32_t mend_object(prfdata_snapshot_object *object,
                            const prfdata_snapshot_object *last_object)
{
    uint32_t torn = 0;

    for (uint32_t i = 0; i < object->count; i++) {
        prfdata_snapshot_slot *slot = &object->slots[i];
        const prfdata_snapshot_slot *last;

        if (slot->is_whole)
            continue;
        last = last_object ? prfdata_snapshot_find(last_object, slot->slot_index) : NULL;
        if (slot_stands_in(last, slot))
            replace_values(object, slot, last_object, last);
        else
            torn++;
    }
    return torn;
}

/* Replace an object that is not whole by a copy of its last whole one. */
static bool replace_object(prfdata_snapshot_object *object, const prfdata_snapshot_object *last,
                           const prfdata_region_section *section, bool has_instances)
{
    prfdata_snapshot_object copy = {0};

    if (!allocate_object(&copy, section, has_instances, last->count))
        return false;
    copy.count = last->count;
    memcpy(copy.slots, last->slots, last->count * sizeof *last->slots);
    memcpy(copy.cells, last->cells, last->count * last->cell_stride * sizeof *last->cells);
    if (has_instances) {
        memcpy(copy.baselines, last->baselines,
               last->count * last->cell_stride * sizeof *last->baselines);
        memcpy(copy.names, last->names, last->count * last->name_stride * sizeof *last->names);
    }
    for (uint32_t i = 0; i < copy.count; i++)
        copy.slots[i].row = PRFDATA_NONE;
    free(object->slots);
    *object = copy;
    return true;
}

/* The last whole copy of object `i`, unless the region was taken over since. */
static const prfdata_snapshot *last_whole_copy(const prfdata_snapshot *snapshot,
                                               prfdata_snapshot *const *last, uint32_t i)
{
    return last[i] && last[i]->epoch == snapshot->epoch ? last[i] : NULL;
}

/* Show the last whole copies instead, if they were taken at one moment. */
static bool replace_all(const struct reading *reading, prfdata_snapshot *const *last)
{
    prfdata_snapshot *snapshot = reading->snapshot;
    const prfdata_snapshot *whole = NULL;

    for (uint32_t i = 0; i < snapshot->object_count; i++) {
        if (!snapshot->objects[i].is_taken)
            continue;
        if (!last_whole_copy(snapshot, last, i) || (whole && last[i] != whole))
            return false;
        whole = last[i];
    }
    for (uint32_t i = 0; whole && i < snapshot->object_count; i++)
        if (snapshot->objects[i].is_taken &&
            !replace_object(&snapshot->objects[i], &whole->objects[i],
                            &reading->layout->sections[i],
                            reading->model->objects[i].has_instances))
            return false;
    return whole != NULL;
}

static void mend_snapshot(const struct reading *reading, prfdata_snapshot *const *last)
{
    prfdata_snapshot *snapshot = reading->snapshot;

    if (!snapshot->is_whole) {
        snapshot->is_stand_in = replace_all(reading, last);
        snapshot->torn_count += !snapshot->is_stand_in;
    }
    for (uint32_t i = 0; i < snapshot->object_count; i++) {
        /* A slot that is torn in a whole copy stays torn. */
        const prfdata_snapshot *whole =
            snapshot->is_stand_in ? NULL : last_whole_copy(snapshot, last, i);

        if (snapshot->objects[i].is_taken)
            snapshot->torn_count +=
                mend_object(&snapshot->objects[i], whole ? &whole->objects[i] : NULL);
    }
}

/* ---- Taking a snapshot ---- */

uint32_t prfdata_snapshot_take(const prfdata_os_region *region, const prfdata_model *model,
                               const prfdata_region_layout *layout, uint64_t boot,
                               const bool *wanted, prfdata_snapshot *const *last,
                               prfdata_snapshot_budget *budget, prfdata_snapshot **snapshot)
{
    struct reading reading = {0};
    uint32_t error = ERROR_NOT_ENOUGH_MEMORY;

    reading.region = region;
    reading.model = model;
    reading.layout = layout;
    reading.boot = boot;
    reading.wanted = wanted;
    reading.budget = budget;
    reading.snapshot = make_snapshot(model->object_count);
    reading.used_counts = calloc(model->object_count, sizeof *reading.used_counts);
    if (!reading.snapshot || !reading.used_counts)
        goto done;
    error = ERROR_GEN_FAILURE;
    if (!prfdata_os_guarded(region, measure_region, &reading))
        goto done;
    error = ERROR_INVALID_DATA;
    if (!reading.is_valid)
        goto done;
    error = ERROR_NOT_ENOUGH_MEMORY;
    if (!allocate_objects(&reading))
        goto done;
    error = ERROR_GEN_FAILURE;
    if (!prfdata_os_guarded(region, copy_region, &reading))
        goto done;
    error = ERROR_SUCCESS;
    mend_snapshot(&reading, last);

done:
    free(reading.used_counts);
    if (error)
        prfdata_snapshot_free(reading.snapshot);
    else
        *snapshot = reading.snapshot;
    return error;
}

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
