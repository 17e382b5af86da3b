/* SPDX-License-Identifier: MIT */
/* Examines a region file once, as a reader does, and changes nothing. Portable. */
#include "diagnosis/region_look.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/array.h"
#include "map/map_change.h"
#include "region/region.h"

/*
 * No larger region is examined, because a provider reads at most this much of all regions together.
 */
#define MAX_REGION_BYTES (1024ull * 1024 * 1024)

typedef struct region_reading {
    const prfdata_os_region *view;
    const prfdata_model *model; /* NULL if no registered map has the region's hash */
    uint64_t boot;
    prfdata_region_header header;
    bool has_header;
    prfdata_region_verdict verdict;
    prfdata_region_layout *layout;
    prfdata_model *const *models; /* the first one may be NULL */
    uint32_t model_count;
    prfdata_region_look *look;
    /* The fields below are for read_region_rows(). */
    uint32_t object_index;              /* in the region's map */
    const prfdata_model_object *object; /* of the current map */
    prfdata_region_row *rows;
    size_t row_count;
} region_reading;

/*
 * Return the index of the object of `model` that has the id of `object`. PRFDATA_NONE if there is
 * none, or if `model` is NULL.
 */
static uint32_t index_of_same_object(const prfdata_model *model, const prfdata_model_object *object)
{
    for (uint32_t i = 0; model && i < model->object_count; i++) {
        if (model->objects[i].entry->id == object->entry->id)
            return i;
    }
    return PRFDATA_NONE;
}

/* Runs guarded against faults. */
static void read_region_header(void *context)
{
    region_reading *reading = context;

    reading->has_header =
        prfdata_region_load_header(reading->view->bytes, reading->view->size, &reading->header);
}

/*
 * Runs guarded against faults. A fault leaks no memory, because the layout is allocated after the
 * last access to the view.
 */
static void check_region_view(void *context)
{
    region_reading *reading = context;

    reading->verdict =
        prfdata_region_check_loaded(&reading->header, reading->view->bytes, reading->view->size,
                                    reading->model, reading->boot, &reading->layout);
}

static uint32_t count_live_slots(const prfdata_os_region *view,
                                 const prfdata_region_section *section)
{
    uint32_t used = prfdata_region_used_count(view->bytes, section);
    uint32_t live = 0;

    for (uint32_t i = 0; i < used; i++) {
        const prfdata_region_slot *slot = prfdata_region_slot_at(view->bytes, section, i);

        if (PRFDATA_SLOT_STATE(prfdata_load32_acquire(&slot->tag)) == PRFDATA_SLOT_LIVE)
            live++;
    }
    return live;
}

/* Runs guarded against faults. */
static void count_region_instances(void *context)
{
    region_reading *reading = context;

    for (uint32_t i = 0; i < reading->layout->object_count; i++) {
        const prfdata_model_object *object = &reading->model->objects[i];
        const uint32_t same = index_of_same_object(reading->models[0], object);
        uint32_t live;

        if (!object->has_instances)
            continue;
        live = count_live_slots(reading->view, &reading->layout->sections[i]);
        reading->look->instance_count += live;
        if (same != PRFDATA_NONE)
            reading->look->object_instances[same] += live;
    }
}

/* Add the bytes of the copies that readers make of the region. Runs guarded against faults. */
static void add_copies(void *context)
{
    region_reading *reading = context;
    const prfdata_model *current = reading->models[0];

    for (uint32_t i = 0; i < current->object_count; i++) {
        const prfdata_model_object *object = &current->objects[i];
        const prfdata_model_object *earlier =
            prfdata_map_change_earlier_object(reading->model, current, object);
        const prfdata_region_section *section;

        if (!earlier)
            continue;
        section = &reading->layout->sections[earlier - reading->model->objects];
        reading->look->copy_bytes += prfdata_region_copy_bytes(
            object, object->has_instances ? prfdata_region_used_count(reading->view->bytes, section)
                                          : section->slot_count);
        reading->look->most_copy_bytes += prfdata_region_copy_bytes(object, section->slot_count);
    }
}

bool prfdata_region_look_fits(const prfdata_model_object *object, uint64_t rows, uint64_t bytes)
{
    return rows <= PRFDATA_MAX_INSTANCES && bytes <= prfdata_model_rows_room(object);
}

static uint32_t name_chars_of(const region_reading *reading, uint32_t object_index,
                              const prfdata_region_slot *slot)
{
    const uint32_t most = reading->model->objects[object_index].name_chars;

    return slot->name_chars < most ? slot->name_chars : most;
}

/*
 * If the program changes the name meanwhile, the hash may be of neither the former nor the new
 * name. The number of rows is then inexact, which is harmless.
 */
static uint64_t hash_slot(const region_reading *reading, uint32_t object_index, uint32_t slot_index,
                          uint64_t seed)
{
    const prfdata_region_section *section = &reading->layout->sections[object_index];
    const prfdata_region_slot *slot =
        prfdata_region_slot_at(reading->view->bytes, section, slot_index);
    const prfdata_region_key key = {
        .name = slot->name_chars > 0
                    ? prfdata_region_name_at(reading->view->bytes, section, slot_index)
                    : NULL,
        .name_chars = name_chars_of(reading, object_index, slot),
        .unique_id = slot->unique_id,
        .parent_slot = PRFDATA_NONE};

    return prfdata_region_key_hash(&key, seed);
}

static prfdata_region_row read_row(const region_reading *reading, uint32_t slot_index,
                                   const prfdata_region_slot *slot)
{
    const uint32_t index = reading->object_index;
    const uint32_t parent = reading->model->objects[index].parent_index;
    const uint64_t seed =
        parent != PRFDATA_NONE && slot->parent_slot < reading->layout->sections[parent].slot_count
            ? hash_slot(reading, parent, slot->parent_slot, 0)
            : 0;

    return (prfdata_region_row){
        hash_slot(reading, index, slot_index, seed),
        (uint32_t)prfdata_model_row_bytes(reading->object, name_chars_of(reading, index, slot))};
}

/* Runs guarded against faults. `rows` has room for all slots. */
static void read_region_rows(void *context)
{
    region_reading *reading = context;
    const prfdata_region_section *section = &reading->layout->sections[reading->object_index];
    const uint32_t used = prfdata_region_used_count(reading->view->bytes, section);

    for (uint32_t i = 0; i < used; i++) {
        const prfdata_region_slot *slot = prfdata_region_slot_at(reading->view->bytes, section, i);

        if (PRFDATA_SLOT_STATE(prfdata_load32_acquire(&slot->tag)) == PRFDATA_SLOT_LIVE)
            reading->rows[reading->row_count++] = read_row(reading, i, slot);
    }
}

static prfdata_region_look_state state_of_header(const prfdata_region_header *header)
{
    switch (header->state) {
    case PRFDATA_REGION_PUBLISHED:
        return PRFDATA_REGION_LOOK_SHOWN;
    case PRFDATA_REGION_CLOSED:
        return PRFDATA_REGION_LOOK_CLOSED;
    default:
        return PRFDATA_REGION_LOOK_UNFINISHED;
    }
}

static prfdata_region_look_state validate_region(const region_reading *reading)
{
    if (!reading->has_header || reading->header.magic == 0 ||
        reading->header.state == PRFDATA_REGION_BUILDING)
        return PRFDATA_REGION_LOOK_UNFINISHED;
    if (reading->header.magic == PRFDATA_REGION_MAGIC &&
        reading->header.major != PRFDATA_REGION_MAJOR)
        return PRFDATA_REGION_LOOK_OTHER_FORMAT;
    if (!reading->model)
        return PRFDATA_REGION_LOOK_UNKNOWN_MAP;
    switch (reading->verdict) {
    case PRFDATA_REGION_VALID:
        return state_of_header(&reading->header);
    case PRFDATA_REGION_UNFINISHED:
        return PRFDATA_REGION_LOOK_UNFINISHED;
    case PRFDATA_REGION_OTHER_VERSION:
        return PRFDATA_REGION_LOOK_OTHER_FORMAT;
    case PRFDATA_REGION_OTHER_MAP:
        return PRFDATA_REGION_LOOK_UNKNOWN_MAP;
    default:
        return PRFDATA_REGION_LOOK_DAMAGED;
    }
}

static const prfdata_model *model_of(prfdata_model *const *models, uint32_t model_count,
                                     uint64_t hash, prfdata_map_version *version)
{
    for (uint32_t i = 0; i < model_count; i++) {
        if (!models[i] || models[i]->hash != hash)
            continue;
        *version = i == 0 ? PRFDATA_MAP_PRESENT : PRFDATA_MAP_EARLIER;
        return models[i];
    }
    *version = PRFDATA_MAP_UNKNOWN;
    return NULL;
}

static void read_region(region_reading *reading)
{
    prfdata_region_look *look = reading->look;

    if (!prfdata_os_guarded(reading->view, read_region_header, reading))
        reading->has_header = false;
    reading->model =
        model_of(reading->models, reading->model_count, reading->header.map_hash, &look->version);
    if (reading->has_header && reading->model &&
        !prfdata_os_guarded(reading->view, check_region_view, reading))
        reading->verdict = PRFDATA_REGION_DAMAGED;
    look->state = validate_region(reading);
    if (reading->layout && !prfdata_os_guarded(reading->view, count_region_instances, reading))
        look->state = PRFDATA_REGION_LOOK_DAMAGED;
    if (reading->layout && look->version == PRFDATA_MAP_EARLIER && reading->models[0] &&
        !prfdata_os_guarded(reading->view, add_copies, reading))
        look->state = PRFDATA_REGION_LOOK_DAMAGED;
}

/* Attach the region, and reset `look`. If the file is unsuitable, `view` has no bytes. */
static uint32_t open_region(prfdata_os_directory *directory, const prfdata_os_name *name,
                            prfdata_os_region *view, prfdata_region_look *look)
{
    const uint32_t status = prfdata_os_region_attach(directory, name, MAX_REGION_BYTES, view);

    memset(look, 0, sizeof *look);
    look->version = PRFDATA_MAP_UNKNOWN;
    if (status != ERROR_INVALID_DATA)
        return status;
    /*
     * The file is empty, not a plain one, or larger than MAX_REGION_BYTES. A program may be about
     * to fill an empty file.
     */
    look->state = PRFDATA_REGION_LOOK_UNFINISHED;
    return ERROR_SUCCESS;
}

uint32_t prfdata_region_look_at(prfdata_os_directory *directory, const prfdata_os_name *name,
                                prfdata_model *const *models, uint32_t model_count, uint64_t boot,
                                prfdata_region_look *look)
{
    prfdata_os_region view = PRFDATA_OS_REGION_NONE;
    region_reading reading = {
        .view = &view, .boot = boot, .models = models, .model_count = model_count, .look = look};
    uint32_t status = open_region(directory, name, &view, look);

    if (status)
        return status;
    status = prfdata_os_region_probe(directory, name, view.bytes ? &view : NULL, &look->is_live);
    if (!status && view.bytes) {
        read_region(&reading);
        look->map_hash = reading.header.map_hash;
        look->process_id = reading.header.process_id;
        look->object_count = reading.header.object_count;
        look->dropped = prfdata_region_own_dropped(&reading.header);
        look->bytes = view.size;
        free(reading.layout);
    }
    prfdata_os_region_close(&view);
    return status;
}

static uint32_t add_rows(region_reading *reading, uint32_t object_index, prfdata_region_rows *rows)
{
    const prfdata_model_object *object = &reading->models[0]->objects[object_index];
    prfdata_region_row *items;

    reading->object_index = index_of_same_object(reading->model, object);
    if (reading->object_index == PRFDATA_NONE)
        return ERROR_SUCCESS;
    items = prfdata_array_reserve(
        rows->items, &rows->capacity,
        rows->count + reading->layout->sections[reading->object_index].slot_count, sizeof *items);
    if (!items)
        return ERROR_NOT_ENOUGH_MEMORY;
    rows->items = items;
    reading->object = object;
    reading->rows = items + rows->count;
    if (prfdata_os_guarded(reading->view, read_region_rows, reading))
        rows->count += reading->row_count;
    return ERROR_SUCCESS;
}

uint32_t prfdata_region_look_add_rows(prfdata_os_directory *directory, const prfdata_os_name *name,
                                      prfdata_model *const *models, uint32_t model_count,
                                      uint64_t boot, uint32_t object_index,
                                      prfdata_region_rows *rows)
{
    prfdata_os_region view = PRFDATA_OS_REGION_NONE;
    prfdata_region_look look;
    region_reading reading = {
        .view = &view, .boot = boot, .models = models, .model_count = model_count, .look = &look};
    uint32_t status = open_region(directory, name, &view, &look);

    if (status)
        return status;
    status = prfdata_os_region_probe(directory, name, view.bytes ? &view : NULL, &look.is_live);
    if (!status && look.is_live && view.bytes)
        read_region(&reading);
    if (reading.layout && look.state == PRFDATA_REGION_LOOK_SHOWN)
        status = add_rows(&reading, object_index, rows);
    free(reading.layout);
    prfdata_os_region_close(&view);
    return status;
}

static int row_order(const void *a, const void *b)
{
    const prfdata_region_row *one = a, *other = b;

    return one->name_hash < other->name_hash ? -1 : one->name_hash > other->name_hash;
}

void prfdata_region_look_merge_rows(prfdata_region_rows *rows)
{
    size_t kept = 0;

    if (rows->count > 0)
        qsort(rows->items, rows->count, sizeof *rows->items, row_order);
    for (size_t i = 0; i < rows->count; i++) {
        if (kept == 0 || rows->items[kept - 1].name_hash != rows->items[i].name_hash)
            rows->items[kept++] = rows->items[i];
    }
    rows->count = kept;
}
