/* SPDX-License-Identifier: MIT */
/* Examines a region file once, as a reader does, and changes nothing. Portable. */
#include "diagnosis/region_look.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "region/region.h"

/* The largest region of a map, because a provider has this limit for all regions together. */
#define MAX_REGION_BYTES (1024ull * 1024 * 1024)

typedef struct region_reading {
    const prfdata_os_region *view;
    const prfdata_model *model; /* NULL if no registered map has its hash */
    uint64_t boot;
    prfdata_region_header header;
    bool has_header;
    prfdata_region_verdict verdict;
    prfdata_region_layout *layout;
    uint64_t instance_count;
} region_reading;

/* Runs guarded against faults. */
static void read_region_header(void *context)
{
    region_reading *reading = context;

    reading->has_header =
        prfdata_region_load_header(reading->view->bytes, reading->view->size, &reading->header);
}

/* prfdata_os_guarded() calls it. The layout is allocated after the last access to the view. */
static void check_region_view(void *context)
{
    region_reading *reading = context;

    reading->verdict =
        prfdata_region_check_loaded(&reading->header, reading->view->bytes, reading->view->size,
                                    reading->model, reading->boot, &reading->layout);
}

static uint64_t count_live_slots(const prfdata_os_region *view,
                                 const prfdata_region_section *section)
{
    uint32_t used = prfdata_region_used_count(view->bytes, section);
    uint64_t live = 0;

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
        if (reading->model->objects[i].has_instances)
            reading->instance_count +=
                count_live_slots(reading->view, &reading->layout->sections[i]);
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
        if (models[i]->hash != hash)
            continue;
        *version = i == 0 ? PRFDATA_MAP_PRESENT : PRFDATA_MAP_EARLIER;
        return models[i];
    }
    *version = PRFDATA_MAP_UNKNOWN;
    return NULL;
}

static void read_region(region_reading *reading, prfdata_model *const *models, uint32_t model_count,
                        prfdata_region_look *look)
{
    if (!prfdata_os_guarded(reading->view, read_region_header, reading))
        reading->has_header = false;
    reading->model = model_of(models, model_count, reading->header.map_hash, &look->version);
    if (reading->has_header && reading->model &&
        !prfdata_os_guarded(reading->view, check_region_view, reading))
        reading->verdict = PRFDATA_REGION_DAMAGED;
    look->state = validate_region(reading);
    if (reading->layout && !prfdata_os_guarded(reading->view, count_region_instances, reading))
        look->state = PRFDATA_REGION_LOOK_DAMAGED;
}

uint32_t prfdata_region_look_at(prfdata_os_directory *directory, const prfdata_os_name *name,
                                prfdata_model *const *models, uint32_t model_count, uint64_t boot,
                                prfdata_region_look *look)
{
    prfdata_os_region view = PRFDATA_OS_REGION_NONE;
    region_reading reading = {0};
    uint32_t status = prfdata_os_region_attach(directory, name, MAX_REGION_BYTES, &view);

    memset(look, 0, sizeof *look);
    look->version = PRFDATA_MAP_UNKNOWN;
    /* The file is empty or not a plain one: a program may be about to fill it. */
    if (status == ERROR_INVALID_DATA)
        look->state = PRFDATA_REGION_LOOK_UNFINISHED;
    else if (status)
        return status;
    status = prfdata_os_region_probe(directory, name, view.bytes ? &view : NULL, &look->is_live);
    if (status || !view.bytes)
        goto close_view;
    reading.view = &view;
    reading.boot = boot;
    read_region(&reading, models, model_count, look);
    look->map_hash = reading.header.map_hash;
    look->process_id = reading.header.process_id;
    look->object_count = reading.header.object_count;
    look->instance_count = reading.instance_count;
    look->dropped = prfdata_region_own_dropped(&reading.header);
    look->bytes = view.size;
    free(reading.layout);
close_view:
    prfdata_os_region_close(&view);
    return status;
}
