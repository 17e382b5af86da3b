/* SPDX-License-Identifier: MIT */
/*
 * Implements the layout, the validity check and the loading of a region. Comments name the rules of
 * region-format.md. The writer's steps are in region_write.c and region_slots.c, which readers do
 * not link.
 */
#include "region/region.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"

static uint64_t round_up_bytes(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static uint64_t place_section(const prfdata_model_object *object, uint32_t slot_count,
                              uint64_t offset, prfdata_region_section *section)
{
    const uint64_t slots = object->has_instances ? slot_count : 0;
    uint64_t end;

    section->slot_count = slot_count;
    section->name_stride = (uint32_t)round_up_bytes(2ull * object->name_chars, 8);
    section->cell_stride =
        (uint32_t)round_up_bytes(8ull * object->stored_count, PRFDATA_REGION_LINE);
    section->slots_offset = offset;
    section->names_offset = section->slots_offset + sizeof(prfdata_region_slot) * slots;
    section->baselines_offset =
        section->names_offset + round_up_bytes(section->name_stride * slots, PRFDATA_REGION_LINE);
    section->cells_offset = section->baselines_offset + section->cell_stride * slots;
    end = section->cells_offset + (uint64_t)section->cell_stride * slot_count;
    section->lane_words = prfdata_lanes_words_per_slot(object->hot_count);
    section->lanes_offset = object->hot_count > 0 ? round_up_bytes(end, PRFDATA_LANES_STRIDE) : end;
    section->distributions_stride = object->distributions_bytes;
    section->distributions_offset =
        section->lanes_offset + prfdata_lanes_bytes(slot_count, section->lane_words);
    return section->distributions_offset + (uint64_t)section->distributions_stride * slot_count;
}

static bool slot_count_fits(const prfdata_model_object *object, uint32_t slot_count)
{
    return slot_count >= 1 && slot_count <= (object->has_instances ? PRFDATA_MAX_INSTANCES : 1) &&
           (uint64_t)slot_count * object->distributions_bytes <= PRFDATA_MAX_DISTRIBUTIONS_BYTES;
}

uint32_t prfdata_region_layout_make(const prfdata_model *model, const uint32_t *slot_counts,
                                    prfdata_region_layout **layout)
{
    prfdata_region_layout *made;
    uint64_t offset = sizeof(prfdata_region_header) +
                      round_up_bytes(sizeof(prfdata_region_count) * (uint64_t)model->object_count,
                                     PRFDATA_REGION_LINE);

    made = calloc(1, sizeof *made + model->object_count * sizeof made->sections[0]);
    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    made->object_count = model->object_count;
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *object = &model->objects[i];
        uint32_t slot_count = slot_counts ? slot_counts[i] : object->max_instances;

        if (!slot_count_fits(object, slot_count)) {
            free(made);
            return ERROR_INVALID_DATA;
        }
        made->sections[i].count_offset =
            sizeof(prfdata_region_header) + sizeof(prfdata_region_count) * (uint64_t)i;
        offset = place_section(object, slot_count, offset, &made->sections[i]);
    }
    made->total_bytes = offset;
    *layout = made;
    return ERROR_SUCCESS;
}

static prfdata_region_verdict check_region_header(const prfdata_region_header *header,
                                                  const prfdata_model *model)
{
    if (header->magic != PRFDATA_REGION_MAGIC) /* R2 */
        return PRFDATA_REGION_UNFINISHED;
    if (header->major != PRFDATA_REGION_MAJOR || header->features != 0) /* R3, R4 */
        return PRFDATA_REGION_OTHER_VERSION;
    /* R9: checked before the fields that a program may not have written yet. */
    if (header->state == PRFDATA_REGION_BUILDING)
        return PRFDATA_REGION_UNFINISHED;
    if (header->map_hash != model->hash) /* R5 */
        return PRFDATA_REGION_OTHER_MAP;
    if (header->object_count != model->object_count) /* R6 */
        return PRFDATA_REGION_DAMAGED;
    if (header->state > PRFDATA_REGION_CLOSED)
        return PRFDATA_REGION_DAMAGED;
    return PRFDATA_REGION_VALID;
}

/*
 * Checks R1 (slot counts), R7 and R8. Owns no memory while it reads the region, because nobody
 * would free the memory if a fault ended the read.
 */
static prfdata_region_verdict check_region_size(const uint8_t *bytes, uint64_t size,
                                                const prfdata_model *model,
                                                prfdata_region_layout **layout)
{
    const size_t table_bytes = sizeof(prfdata_region_count) * model->object_count;
    prfdata_region_count counts[PRFDATA_MAX_OBJECTS];
    uint32_t slot_counts[PRFDATA_MAX_OBJECTS];
    prfdata_region_layout *made;
    uint32_t error;

    if (size - sizeof(prfdata_region_header) < table_bytes || table_bytes > sizeof counts)
        return PRFDATA_REGION_DAMAGED;
    prfdata_region_load(counts, bytes + sizeof(prfdata_region_header), table_bytes);
    for (uint32_t i = 0; i < model->object_count; i++)
        slot_counts[i] = counts[i].slot_count;
    error = prfdata_region_layout_make(model, slot_counts, &made);
    if (error)
        return error == ERROR_INVALID_DATA ? PRFDATA_REGION_DAMAGED : PRFDATA_REGION_NO_MEMORY;
    if (made->total_bytes != size) {
        free(made);
        return PRFDATA_REGION_DAMAGED;
    }
    *layout = made;
    return PRFDATA_REGION_VALID;
}

bool prfdata_region_load_header(const uint8_t *bytes, uint64_t size, prfdata_region_header *header)
{
    uint32_t state;

    if (size < sizeof *header)
        return false;
    state = prfdata_load32_acquire(&((const prfdata_region_header *)(const void *)bytes)->state);
    PRFDATA_CRASH_POINT("R: state");
    prfdata_region_load(header, bytes, sizeof *header);
    header->state = state;
    return true;
}

prfdata_region_verdict prfdata_region_check_loaded(const prfdata_region_header *header,
                                                   const uint8_t *bytes, uint64_t size,
                                                   const prfdata_model *model, uint64_t boot,
                                                   prfdata_region_layout **layout)
{
    prfdata_region_verdict verdict = check_region_header(header, model);

    if (verdict == PRFDATA_REGION_VALID)
        verdict = check_region_size(bytes, size, model, layout);
    if (verdict == PRFDATA_REGION_VALID && header->boot != boot) /* R10 */
        verdict = PRFDATA_REGION_OTHER_BOOT;
    return verdict;
}

void prfdata_region_load(void *private_bytes, const void *shared_bytes, size_t size)
{
    const uint64_t *from = shared_bytes;
    unsigned char *to = private_bytes;

    for (size_t i = 0; i < size / sizeof *from; i++) {
        uint64_t word = prfdata_load64_relaxed(&from[i]);

        memcpy(to + i * sizeof word, &word, sizeof word);
    }
}

/* Adds lane by lane, so that a counter and its base are loaded at nearly the same time. */
static void add_lanes(uint64_t *cells, uint8_t *bytes, const prfdata_model_object *object,
                      const prfdata_region_section *section, uint32_t slot_index)
{
    for (uint32_t lane = 0; lane < PRFDATA_LANES; lane++)
        for (uint32_t i = 0; i < object->hot_count; i++)
            cells[object->hot_cells[i]] +=
                prfdata_load64_relaxed(prfdata_region_lanes_at(bytes, section, slot_index, i) +
                                       (size_t)lane * PRFDATA_LANES_BLOCK_WORDS);
}

void prfdata_region_load_cells(uint64_t *cells, uint8_t *bytes, const prfdata_model_object *object,
                               const prfdata_region_section *section, uint32_t slot_index)
{
    prfdata_region_load(cells, prfdata_region_cells_at(bytes, section, slot_index),
                        section->cell_stride);
    if (object->hot_count > 0)
        add_lanes(cells, bytes, object, section, slot_index);
}
