/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of regions, in two guarded passes: the first counts the slots that were ever used, the
 * second copies them into memory that was allocated in between. A slot that comes into use after
 * the first pass is seen next time. All code that reads the view is in "The guarded part". What a
 * region without writer holds does not change: its summary is made once.
 */
#include "provider/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/crash_points.h"
#include "core/names.h"
#include "core/smaller.h"
#include "provider/cells.h"
#include "provider/recent.h"

/* ---- The guarded part ---- */

struct reading {
    const prfdata_os_region *region;
    const prfdata_model *model;
    const prfdata_region_layout *layout;
    uint64_t boot;
    const bool *wanted;
    bool has_writer;
    prfdata_snapshot *snapshot;
    uint32_t *used_counts; /* per object */
    prfdata_snapshot_budget *budget;
    uint64_t wait_ticks; /* that this region may still spend */
    bool is_valid;
};

/* Give a writer on another core time to leave its bracket. */
static void pause_briefly(void)
{
    for (int i = 0; i < 16; i++)
        prfdata_pause();
    PRFDATA_CRASH_POINT("R: pause");
}

/*
 * Whether to try again, after a pause. `since` is the tick of this loop's last call, 0 before the
 * first.
 */
static bool may_retry(struct reading *reading, uint64_t *since)
{
    const uint64_t now = prfdata_os_ticks();
    const uint64_t spent = *since == 0 ? 0 : now - *since;

    if (spent >= reading->wait_ticks) {
        reading->wait_ticks = 0;
        return false;
    }
    reading->wait_ticks -= spent;
    *since = now;
    reading->budget->tries++;
    pause_briefly();
    return true;
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

/* `used_count` gets what the region has. */
static uint32_t count_used(uint8_t *bytes, const prfdata_region_section *section,
                           uint32_t *used_count)
{
    uint32_t used = 0;

    *used_count = prfdata_region_used_count(bytes, section);
    for (uint32_t i = 0; i < *used_count; i++)
        if (prfdata_load32_relaxed(&prfdata_region_slot_at(bytes, section, i)->tag) != 0)
            used++;
    return used;
}

static void measure_region(void *context)
{
    struct reading *reading = context;
    prfdata_region_header header;

    header.structure = prfdata_load64_acquire(
        &((const prfdata_region_header *)(const void *)reading->region->bytes)->structure);
    prfdata_region_load(&header, reading->region->bytes,
                        offsetof(prfdata_region_header, structure));
    PRFDATA_CRASH_POINT("R: header");
    memcpy(reading->snapshot->head, &header, sizeof reading->snapshot->head);
    reading->is_valid = header_is_valid(&header, reading->model, reading->boot);
    reading->snapshot->dropped = header.dropped;
    reading->snapshot->is_published = header.state == PRFDATA_REGION_PUBLISHED;
    for (uint32_t i = 0; reading->is_valid && i < reading->layout->object_count; i++)
        if (reading->wanted[i])
            reading->used_counts[i] =
                reading->model->objects[i].has_instances
                    ? count_used(reading->region->bytes, &reading->layout->sections[i],
                                 &reading->snapshot->objects[i].used_count)
                    : 1;
}

/* What a slot was when its parts were copied. */
struct copied_slot {
    uint32_t identity; /* read before the tag: of this name, or of one before it */
    uint32_t tag;      /* read before the rest */
    prfdata_region_slot fields;
};

/* Cells, and what distributions make of them. */
static void load_slot_cells(const struct reading *reading, uint32_t object_index, uint32_t position,
                            uint32_t slot_index, bool has_baselines)
{
    const prfdata_model_object *model_object = &reading->model->objects[object_index];
    const prfdata_region_section *section = &reading->layout->sections[object_index];
    const prfdata_snapshot_object *object = &reading->snapshot->objects[object_index];
    const size_t first = (size_t)position * object->cell_stride;

    prfdata_region_load_cells(object->cells + first, reading->region->bytes, model_object, section,
                              slot_index);
    if (model_object->distribution_count > 0)
        prfdata_recent_load(reading->region->bytes, model_object, section, slot_index,
                            reading->budget->time, object->cells + first,
                            has_baselines ? object->baselines + first : NULL);
}

/* Copy a slot's parts as they are now. */
static void copy_parts(const struct reading *reading, uint32_t object_index, uint32_t position,
                       uint32_t slot_index, struct copied_slot *copy)
{
    const prfdata_region_section *section = &reading->layout->sections[object_index];
    const prfdata_snapshot_object *object = &reading->snapshot->objects[object_index];
    uint8_t *bytes = reading->region->bytes;
    const prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);

    copy->identity = prfdata_load32_acquire(&slot->identity);
    copy->tag = prfdata_load32_acquire(&slot->tag);
    PRFDATA_CRASH_POINT("R: slot tag");
    prfdata_region_load(&copy->fields, slot, sizeof copy->fields);
    PRFDATA_CRASH_POINT("R: slot fields");
    if (PRFDATA_SLOT_STATE(copy->tag) >= PRFDATA_SLOT_LIVE) {
        prfdata_region_load(object->names + (size_t)position * object->name_stride,
                            prfdata_region_name_at(bytes, section, slot_index),
                            section->name_stride);
        if (copy->fields.flags & PRFDATA_SLOT_HAS_BASELINE)
            prfdata_region_load(object->baselines + (size_t)position * object->cell_stride,
                                prfdata_region_baselines_at(bytes, section, slot_index),
                                section->cell_stride);
    }
    PRFDATA_CRASH_POINT("R: slot parts");
    load_slot_cells(reading, object_index, position, slot_index,
                    PRFDATA_SLOT_STATE(copy->tag) >= PRFDATA_SLOT_LIVE &&
                        (copy->fields.flags & PRFDATA_SLOT_HAS_BASELINE));
    PRFDATA_CRASH_POINT("R: slot cells");
}

/*
 * Whether the slot only went to sleep or awoke while it was copied: its name, parent and baselines
 * are what they were, since another name raises the identity after the tag says "building".
 */
static bool keeps_identity(const prfdata_region_slot *slot, const struct copied_slot *copy,
                           uint32_t tag)
{
    return PRFDATA_SLOT_STATE(copy->tag) >= PRFDATA_SLOT_LIVE &&
           PRFDATA_SLOT_STATE(tag) >= PRFDATA_SLOT_LIVE &&
           prfdata_load32_relaxed(&slot->identity) == copy->identity;
}

/* Whether a thread is inside a bracket. `left` was read before `entered`. */
static bool is_inside(const struct reading *reading, uint64_t left, uint64_t entered)
{
    return reading->has_writer && left != entered;
}

/*
 * Reader step 2. Returns the slot's tag, or 0 (free) if it got another name meanwhile (R14). Where
 * it only went to sleep or awoke, the first tag: the gauges may be those of that time.
 */
static uint32_t copy_slot(struct reading *reading, uint32_t object_index, uint32_t position,
                          uint32_t slot_index, struct copied_slot *copy)
{
    const prfdata_region_slot *slot = prfdata_region_slot_at(
        reading->region->bytes, &reading->layout->sections[object_index], slot_index);
    uint32_t changes = 0;
    uint64_t since = 0;

    for (;;) {
        const uint64_t left = prfdata_load64_acquire(&slot->left);
        const uint64_t entered = prfdata_load64_acquire(&slot->entered);
        bool is_whole;
        uint32_t tag;

        if (is_inside(reading, left, entered) && may_retry(reading, &since))
            continue;
        copy_parts(reading, object_index, position, slot_index, copy);
        prfdata_fence_acquire();
        tag = prfdata_load32_acquire(&slot->tag);
        if (tag != copy->tag && ++changes < 2)
            continue;
        is_whole = !is_inside(reading, left, entered) &&
                   !is_inside(reading, entered, prfdata_load64_relaxed(&slot->entered));
        if (!is_whole && may_retry(reading, &since))
            continue;
        reading->snapshot->torn_count += !is_whole;
        return tag == copy->tag || keeps_identity(slot, copy, tag) ? copy->tag : 0;
    }
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
    slot->tag = tag;
    slot->state = PRFDATA_SLOT_STATE(tag);
    slot->identity = copy->identity;
    slot->parent_slot = copy->parent_slot;
    slot->parent_identity = copy->parent_identity;
    slot->unique_id = copy->unique_id;
    slot->has_unique_id = (copy->flags & PRFDATA_SLOT_HAS_UNIQUE_ID) != 0;
    slot->has_baseline = (copy->flags & PRFDATA_SLOT_HAS_BASELINE) != 0;
    slot->name_chars = slot->has_unique_id ? 0 : copy->name_chars;
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

    /* Not beyond what was looked at first: plans have room for the tags of so many slots. */
    for (uint32_t i = 0; i < object->used_count && position < reading->used_counts[object_index];
         i++) {
        const prfdata_region_slot *slot =
            prfdata_region_slot_at(reading->region->bytes, section, i);
        struct copied_slot copy;
        uint32_t tag;

        if (prfdata_load32_relaxed(&slot->tag) == 0)
            continue;
        tag = copy_slot(reading, object_index, position, i, &copy);
        keep_slot(&reading->model->objects[object_index], object, position, i, tag, &copy.fields);
        position++;
    }
    object->count = position;
}

static void copy_plain_or_instances(struct reading *reading, uint32_t object_index)
{
    prfdata_snapshot_object *object = &reading->snapshot->objects[object_index];

    if (reading->model->objects[object_index].has_instances) {
        copy_instances(reading, object_index);
        return;
    }
    load_slot_cells(reading, object_index, 0, 0, false);
    object->count = 1;
}

/*
 * Children before their parents, which come first in the map: a child that is copied live had a
 * live parent then. The other way round a parent could be copied asleep and its child awake.
 */
static void copy_objects(struct reading *reading)
{
    for (uint32_t i = reading->layout->object_count; i-- > 0;)
        if (reading->snapshot->objects[i].is_taken) {
            copy_plain_or_instances(reading, i);
            PRFDATA_CRASH_POINT("R: object");
        }
}

static bool is_still_steady(const prfdata_snapshot *snapshot, const prfdata_region_header *header)
{
    prfdata_region_header before;

    memcpy(&before, snapshot->head, sizeof snapshot->head);
    return prfdata_region_is_steady(before.structure) &&
           prfdata_load64_relaxed(&header->structure) == before.structure;
}

/* Reader steps 1 to 3. */
static void copy_region(void *context)
{
    struct reading *reading = context;
    const prfdata_region_header *header = (const void *)reading->region->bytes;
    uint64_t since = 0;

    for (;;) {
        const uint64_t left = prfdata_load64_acquire(&header->left);
        const uint64_t entered = prfdata_load64_acquire(&header->entered);
        bool is_whole;

        if (is_inside(reading, left, entered) && may_retry(reading, &since))
            continue;
        reading->snapshot->torn_count = 0;
        copy_objects(reading);
        prfdata_fence_acquire();
        is_whole = !is_inside(reading, left, entered) &&
                   !is_inside(reading, entered, prfdata_load64_relaxed(&header->entered));
        if (!is_whole && may_retry(reading, &since))
            continue;
        reading->snapshot->torn_count += !is_whole;
        reading->snapshot->is_steady = is_still_steady(reading->snapshot, header);
        return;
    }
}

/* As much as regions of the present map may take themselves. */
#define MOST_OTHER_BYTES ((SIZE_MAX > UINT32_MAX ? 1024ull : 256ull) * 1024 * 1024)

prfdata_snapshot_budget prfdata_snapshot_full_budget(void)
{
    const uint64_t ticks_per_second = prfdata_os_ticks_per_second();
    prfdata_snapshot_budget budget = {0};

    budget.region_ticks = ticks_per_second * PRFDATA_SNAPSHOT_REGION_WAIT_US / 1000000;
    budget.ticks = ticks_per_second * PRFDATA_SNAPSHOT_ALL_WAIT_US / 1000000;
    budget.time = prfdata_distribution_time();
    budget.other_bytes = MOST_OTHER_BYTES;
    return budget;
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

/* The parts of an object's copy that need memory, in bytes. */
struct object_room {
    uint64_t slots;
    uint64_t cells;
    uint64_t baselines;
    uint64_t names;
};

/* Elements of a slot's cells: whole cache lines of the region, and what is made of them. */
static uint32_t cells_of_slot(const prfdata_model_object *model_object,
                              const prfdata_region_section *section)
{
    const uint32_t loaded = section->cell_stride / (uint32_t)sizeof(uint64_t);

    return loaded > model_object->cell_count ? loaded : model_object->cell_count;
}

static struct object_room measure_room(const prfdata_model_object *model_object,
                                       const prfdata_region_section *section, uint32_t used_count)
{
    struct object_room room = {0};

    room.slots = (sizeof(prfdata_snapshot_slot) * (uint64_t)used_count + 7) / 8 * 8;
    room.cells = (uint64_t)cells_of_slot(model_object, section) * sizeof(uint64_t) * used_count;
    if (model_object->has_instances) {
        room.baselines = room.cells;
        room.names = (uint64_t)section->name_stride * used_count;
    }
    return room;
}

/* All parts of one object in one allocation, which `slots` owns; `sums` of a summary among them. */
static bool allocate_object(prfdata_snapshot_object *object,
                            const prfdata_model_object *model_object,
                            const prfdata_region_section *section, const struct object_room *room,
                            bool has_sums)
{
    const uint32_t cell_stride = cells_of_slot(model_object, section);
    const uint64_t sums_bytes = has_sums ? cell_stride * sizeof(uint64_t) : 0;
    const uint64_t size = room->slots + room->cells + room->baselines + room->names + sums_bytes;
    uint8_t *memory;

    if (size > SIZE_MAX - 1)
        return false;
    memory = malloc((size_t)size + 1);
    if (!memory)
        return false;
    object->is_taken = true;
    object->cell_stride = cell_stride;
    object->name_stride = section->name_stride / (uint32_t)sizeof(uint16_t);
    object->slots = (void *)memory;
    memset(object->slots, 0, (size_t)room->slots);
    memory += room->slots;
    if (has_sums)
        object->sums = (void *)memory;
    memory += sums_bytes;
    object->cells = (void *)memory;
    object->baselines = (void *)(memory + room->cells);
    object->names = (void *)(memory + room->cells + room->baselines);
    return true;
}

static bool allocate_objects(const struct reading *reading)
{
    for (uint32_t i = 0; i < reading->layout->object_count; i++) {
        const struct object_room room = measure_room(
            &reading->model->objects[i], &reading->layout->sections[i], reading->used_counts[i]);

        if (reading->wanted[i] &&
            !allocate_object(&reading->snapshot->objects[i], &reading->model->objects[i],
                             &reading->layout->sections[i], &room, false))
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

/* Spend the budget on copying, guarded. */
static bool copy_within_budget(struct reading *reading)
{
    const uint64_t may_spend =
        prfdata_smaller_of(reading->budget->region_ticks, reading->budget->ticks);
    bool is_copied;

    reading->wait_ticks = may_spend;
    is_copied = prfdata_os_guarded(reading->region, copy_region, reading);
    reading->budget->ticks -= may_spend - reading->wait_ticks;
    return is_copied;
}

uint32_t prfdata_snapshot_take(const prfdata_os_region *region, const prfdata_model *model,
                               const prfdata_region_layout *layout, uint64_t boot,
                               const bool *wanted, bool has_writer, prfdata_snapshot_budget *budget,
                               prfdata_snapshot **snapshot)
{
    struct reading reading = {0};
    uint32_t error = ERROR_NOT_ENOUGH_MEMORY;

    reading.region = region;
    reading.model = model;
    reading.layout = layout;
    reading.boot = boot;
    reading.wanted = wanted;
    reading.has_writer = has_writer;
    reading.budget = budget;
    reading.snapshot = prfdata_snapshot_make(model->object_count);
    reading.used_counts = calloc(model->object_count + 1u, sizeof *reading.used_counts);
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
    error = copy_within_budget(&reading) ? ERROR_SUCCESS : ERROR_GEN_FAILURE;

done:
    free(reading.used_counts);
    if (error)
        prfdata_snapshot_free(reading.snapshot);
    else
        *snapshot = reading.snapshot;
    return error;
}

/* ---- Summaries ---- */

static void mark_parent(prfdata_snapshot *whole, const prfdata_model_object *model_object,
                        const prfdata_snapshot_slot *slot)
{
    prfdata_snapshot_slot *parent;

    if (slot->parent_slot == PRFDATA_NONE || model_object->parent_index == PRFDATA_NONE)
        return;
    parent = prfdata_snapshot_find(&whole->objects[model_object->parent_index], slot->parent_slot);
    if (parent && parent->state >= PRFDATA_SLOT_LIVE)
        parent->is_kept = true;
}

/* Mark the slots of one object, and their parents; its own children were marked before. */
static uint32_t mark_kept_slots(prfdata_snapshot *whole, const prfdata_model *model,
                                uint32_t object_index)
{
    const prfdata_cells cells = prfdata_cells_of(&model->objects[object_index]);
    prfdata_snapshot_object *object = &whole->objects[object_index];
    uint32_t kept = 0;

    for (uint32_t i = 0; cells.object->has_instances && i < object->count; i++) {
        prfdata_snapshot_slot *slot = &object->slots[i];

        if (slot->state < PRFDATA_SLOT_LIVE)
            continue;
        if (prfdata_cells_last(&cells, prfdata_snapshot_cells(object, slot),
                               prfdata_snapshot_baselines(object, slot)))
            slot->is_kept = true;
        if (!slot->is_kept)
            continue;
        mark_parent(whole, cells.object, slot);
        kept++;
    }
    return kept;
}

/* Without baselines: a kept slot's cells are what it adds to an instance. */
static struct object_room measure_summary_room(const prfdata_model_object *model_object,
                                               const prfdata_region_section *section, uint32_t kept)
{
    struct object_room room = measure_room(model_object, section, kept);

    room.baselines = 0;
    return room;
}

static void keep_summary_slot(const prfdata_cells *cells, const prfdata_snapshot_object *whole,
                              const prfdata_snapshot_slot *slot, prfdata_snapshot_object *object)
{
    const size_t position = object->count++;

    object->slots[position] = *slot;
    object->slots[position].has_baseline = false;
    prfdata_cells_clear(cells, object->cells + position * object->cell_stride);
    prfdata_cells_add(cells, prfdata_snapshot_cells(whole, slot),
                      prfdata_snapshot_baselines(whole, slot), false,
                      object->cells + position * object->cell_stride);
    memcpy(object->names + position * object->name_stride, prfdata_snapshot_name(whole, slot),
           object->name_stride * sizeof *object->names);
}

static prfdata_region_key key_of_slot(const prfdata_snapshot_object *object,
                                      const prfdata_snapshot_slot *slot)
{
    prfdata_region_key key;

    key.name = slot->has_unique_id ? NULL : prfdata_snapshot_name(object, slot);
    key.name_chars = slot->name_chars;
    key.unique_id = slot->unique_id;
    key.parent_slot = slot->parent_slot;
    key.parent_identity = slot->parent_identity;
    return key;
}

/* Of a snapshot object's slots, for the hash table. */
static bool has_region_key(const void *object, uint32_t position, const void *key)
{
    const prfdata_snapshot_object *copied = object;
    const prfdata_region_key other = key_of_slot(copied, &copied->slots[position]);

    return prfdata_region_keys_equal(key, &other);
}

/* Returns false if memory is exhausted. */
static bool index_summary_object(uint64_t seed, prfdata_snapshot_object *object)
{
    if (!prfdata_hash_table_reserve(&object->slots_by_key, object->count))
        return false;
    for (uint32_t i = 0; i < object->count; i++) {
        const prfdata_region_key key = key_of_slot(object, &object->slots[i]);

        (void)prfdata_hash_table_add(&object->slots_by_key, prfdata_region_key_hash(&key, seed), i);
    }
    return true;
}

static void fill_summary_object(const prfdata_model_object *model_object,
                                const prfdata_snapshot_object *whole, bool keeps_slots,
                                prfdata_snapshot_object *object)
{
    const prfdata_cells cells = prfdata_cells_of(model_object);

    prfdata_cells_clear(&cells, object->sums);
    for (uint32_t i = 0; i < whole->count; i++) {
        const prfdata_snapshot_slot *slot = &whole->slots[i];

        prfdata_cells_add(&cells, prfdata_snapshot_cells(whole, slot), NULL, false, object->sums);
        if (keeps_slots && slot->is_kept)
            keep_summary_slot(&cells, whole, slot, object);
    }
}

/* Returns NULL if memory is exhausted. */
static prfdata_snapshot *make_summary(prfdata_snapshot *whole, const prfdata_model *model,
                                      const prfdata_region_layout *layout, uint64_t seed,
                                      uint64_t max_bytes, uint64_t *bytes)
{
    struct object_room rooms[PRFDATA_MAX_OBJECTS];
    prfdata_snapshot *summary = prfdata_snapshot_make(model->object_count);

    *bytes = 0;
    for (uint32_t i = model->object_count; summary && i-- > 0;) {
        rooms[i] = measure_summary_room(&model->objects[i], &layout->sections[i],
                                        mark_kept_slots(whole, model, i));
        *bytes += rooms[i].slots + rooms[i].cells + rooms[i].names;
    }
    if (summary) {
        summary->seed = seed;
        summary->is_summary = true;
    }
    for (uint32_t i = 0; summary && i < model->object_count; i++) {
        const bool keeps_slots = *bytes <= max_bytes;
        const struct object_room none = {0};
        prfdata_snapshot_object *object = &summary->objects[i];
        bool is_made = allocate_object(object, &model->objects[i], &layout->sections[i],
                                       keeps_slots ? &rooms[i] : &none, true);

        if (is_made) {
            fill_summary_object(&model->objects[i], &whole->objects[i], keeps_slots, object);
            summary->is_ageing |= prfdata_recent_any(&model->objects[i], object->sums);
            is_made = index_summary_object(seed, object);
        }
        if (!is_made) {
            prfdata_snapshot_free(summary);
            return NULL;
        }
    }
    if (*bytes > max_bytes)
        *bytes = 0;
    return summary;
}

uint32_t prfdata_snapshot_summarise(const prfdata_os_region *region, const prfdata_model *model,
                                    const prfdata_region_layout *layout, uint64_t boot,
                                    uint64_t seed, uint32_t time, uint64_t max_bytes,
                                    uint64_t *bytes, prfdata_snapshot **summary)
{
    prfdata_snapshot_budget budget = {0};
    bool wanted[PRFDATA_MAX_OBJECTS];
    prfdata_snapshot *whole;
    uint32_t error;

    for (uint32_t i = 0; i < model->object_count; i++)
        wanted[i] = true;
    budget.time = time;
    error = prfdata_snapshot_take(region, model, layout, boot, wanted, false, &budget, &whole);
    if (error)
        return error;
    *summary = make_summary(whole, model, layout, seed, max_bytes, bytes);
    if (*summary)
        (*summary)->time = time;
    prfdata_snapshot_free(whole);
    return *summary ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

/* ---- Looking into snapshots ---- */

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

const prfdata_snapshot_slot *prfdata_snapshot_find_key(const prfdata_snapshot *summary,
                                                       uint32_t object_index,
                                                       const prfdata_region_key *key)
{
    const prfdata_snapshot_object *object = &summary->objects[object_index];
    const uint32_t position =
        prfdata_hash_table_find(&object->slots_by_key, prfdata_region_key_hash(key, summary->seed),
                                has_region_key, object, key);

    return position == PRFDATA_HASH_TABLE_NONE ? NULL : &object->slots[position];
}
