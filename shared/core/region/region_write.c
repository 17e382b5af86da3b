/* SPDX-License-Identifier: MIT */
/*
 * Implements the writer's steps for a whole region: format, hide, take over. Comments name the
 * steps of region-format.md.
 */
#include <string.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"
#include "region/region_parts.h"

void prfdata_region_store(void *shared_bytes, const void *private_bytes, size_t size)
{
    const unsigned char *from = private_bytes;
    uint64_t *to = shared_bytes;

    for (size_t i = 0; i < size / sizeof *to; i++) {
        uint64_t word;

        memcpy(&word, from + i * sizeof word, sizeof word);
        prfdata_store64_relaxed(&to[i], word);
    }
}

prfdata_region_verdict prfdata_region_check(const uint8_t *bytes, uint64_t size,
                                            const prfdata_model *model, uint64_t boot,
                                            prfdata_region_header *header,
                                            prfdata_region_layout **layout)
{
    return prfdata_region_load_header(bytes, size, header)
               ? prfdata_region_check_loaded(header, bytes, size, model, boot, layout)
               : PRFDATA_REGION_UNFINISHED; /* R1 */
}

static void set_region_state(uint8_t *bytes, uint32_t state)
{
    prfdata_store32_release(&prfdata_region_header_of(bytes)->state, state);
}

/* Sets bit 0 instead of adding 1, because a killed process may have left the word odd. */
void prfdata_region_begin_change(uint8_t *bytes)
{
    uint64_t *structure = &prfdata_region_header_of(bytes)->structure;

    prfdata_store64_relaxed(structure, prfdata_load64_relaxed(structure) | 1);
    prfdata_fence_release(); /* no reader may see a later store under the old word */
    PRFDATA_CRASH_POINT("W1");
}

void prfdata_region_end_change(uint8_t *bytes)
{
    uint64_t *structure = &prfdata_region_header_of(bytes)->structure;

    prfdata_store64_release(structure, (prfdata_load64_relaxed(structure) | 1) + 1);
    PRFDATA_CRASH_POINT("W2");
}

void prfdata_region_format(uint8_t *bytes, const prfdata_model *model,
                           const prfdata_region_layout *layout, uint64_t boot, uint32_t process_id)
{
    prfdata_region_header header = {0};
    prfdata_region_count *counts = (prfdata_region_count *)(void *)(bytes + sizeof header);

    PRFDATA_CRASH_POINT("C1");
    for (uint32_t i = 0; i < layout->object_count; i++)
        prfdata_store32_relaxed(&counts[i].slot_count, layout->sections[i].slot_count);
    header.magic = PRFDATA_REGION_MAGIC;
    header.major = PRFDATA_REGION_MAJOR;
    header.minor = PRFDATA_REGION_MINOR;
    header.map_hash = model->hash;
    header.boot = boot;
    header.state = PRFDATA_REGION_BUILDING;
    header.epoch = 1;
    header.object_count = model->object_count;
    header.process_id = process_id;
    header.structure = 1;
    /* Keeps these three fields, which client/attach.c may already have copied into the region. */
    header.hints = prfdata_region_header_of(bytes)->hints;
    header.entered = prfdata_region_header_of(bytes)->entered;
    header.left = prfdata_region_header_of(bytes)->left;
    prfdata_region_store(bytes, &header, sizeof header);
    PRFDATA_CRASH_POINT("C2");
    set_region_state(bytes, PRFDATA_REGION_PUBLISHED);
    PRFDATA_CRASH_POINT("C3");
    prfdata_region_end_change(bytes);
}

void prfdata_region_hide(uint8_t *bytes)
{
    prfdata_region_begin_change(bytes);
    set_region_state(bytes, PRFDATA_REGION_CLOSED);
    PRFDATA_CRASH_POINT("closed");
    prfdata_region_end_change(bytes);
}

void prfdata_region_reset_gauges(const prfdata_model_object *object, uint64_t *cells)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        if (prfdata_merging_is_gauge(counter->merging))
            prfdata_store64_relaxed(&cells[counter->cell_index], 0);
    }
}

void prfdata_region_set_slot_state(prfdata_region_slot *slot, uint32_t generation, uint32_t state)
{
    prfdata_store32_release(&slot->tag, PRFDATA_SLOT_TAG(generation, state));
}

/*
 * Hides a slot. If `keeps_name` is set, a live or dormant slot is dormant afterwards, because its
 * name may be added again. In all other cases the slot is free afterwards.
 */
static void put_to_sleep(prfdata_region_slot *slot, bool keeps_name, uint64_t *freed)
{
    const uint32_t tag = prfdata_load32_relaxed(&slot->tag);
    const uint32_t state = PRFDATA_SLOT_STATE(tag);

    if (state == PRFDATA_SLOT_FREE || (state == PRFDATA_SLOT_DORMANT && keeps_name))
        return;
    if (state == PRFDATA_SLOT_LIVE && keeps_name) {
        prfdata_store64_relaxed(&slot->freed, ++*freed);
        PRFDATA_CRASH_POINT("T2: freed");
        prfdata_region_set_slot_state(slot, PRFDATA_SLOT_GENERATION(tag), PRFDATA_SLOT_DORMANT);
        PRFDATA_CRASH_POINT("T2: dormant");
        return;
    }
    prfdata_region_set_slot_state(slot, PRFDATA_SLOT_GENERATION(tag), PRFDATA_SLOT_FREE);
    PRFDATA_CRASH_POINT("T2: free");
}

/* K6: finishes the copies that the ended process was making. */
static void finish_copies(uint8_t *bytes, const prfdata_model_object *object,
                          const prfdata_region_section *section, uint32_t slot_index)
{
    for (uint32_t i = 0; i < object->distribution_count; i++)
        prfdata_distribution_finish_copy(
            prfdata_region_distribution_at(bytes, section, slot_index, &object->distributions[i]),
            &object->distributions[i].shape);
}

static void take_over_object(uint8_t *bytes, const prfdata_model_object *object,
                             const prfdata_region_section *section, bool is_own, uint64_t *freed)
{
    /*
     * Only the process itself keeps names that contain its process id. A later process may get the
     * same id, and must not show the counts of the earlier process.
     */
    const bool keeps_names = is_own || !(object->options & PRFDATA_OPTION_PER_PROCESS);

    for (uint32_t i = 0; i < section->slot_count; i++) {
        if (object->has_instances)
            put_to_sleep(prfdata_region_slot_at(bytes, section, i), keeps_names, freed);
        prfdata_region_reset_gauges(object, prfdata_region_cells_at(bytes, section, i));
        if (!is_own)
            finish_copies(bytes, object, section, i);
    }
}

/*
 * Raises `left` instead of lowering `entered`. A reader compares `entered` before and after its
 * copy, and a lowered number could reach its old value again in a new bracket.
 */
static void close_bracket(const uint64_t *entered, uint64_t *left)
{
    prfdata_store64_relaxed(left, prfdata_load64_relaxed(entered));
}

/*
 * Closes the brackets that the ended process left open, and clears PRFDATA_REGION_HINT_BRACKETS.
 */
static void close_brackets(uint8_t *bytes, const prfdata_model *model,
                           const prfdata_region_layout *layout)
{
    for (uint32_t i = 0; i < layout->object_count; i++) {
        const prfdata_region_section *section = &layout->sections[i];

        for (uint32_t j = 0; model->objects[i].has_instances && j < section->slot_count; j++) {
            prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, j);

            close_bracket(&slot->entered, &slot->left);
        }
    }
    close_bracket(&prfdata_region_header_of(bytes)->entered,
                  &prfdata_region_header_of(bytes)->left);
    prfdata_store32_relaxed(&prfdata_region_header_of(bytes)->hints,
                            prfdata_load32_relaxed(&prfdata_region_header_of(bytes)->hints) &
                                ~(uint32_t)PRFDATA_REGION_HINT_BRACKETS);
}

void prfdata_region_take_over(uint8_t *bytes, const prfdata_model *model,
                              const prfdata_region_layout *layout, uint32_t process_id,
                              uint64_t *freed, bool is_own)
{
    prfdata_region_header *header = prfdata_region_header_of(bytes);

    prfdata_region_begin_change(bytes);
    set_region_state(bytes, PRFDATA_REGION_TAKEN_OVER);
    prfdata_fence(); /* no reader may see a later step and still treat the region as live */
    PRFDATA_CRASH_POINT("T1");
    for (uint32_t i = 0; i < layout->object_count; i++) {
        take_over_object(bytes, &model->objects[i], &layout->sections[i], is_own, freed);
        PRFDATA_CRASH_POINT("T2: object");
    }
    if (!is_own)
        close_brackets(bytes, model, layout);
    PRFDATA_CRASH_POINT("T3");
    prfdata_store64_relaxed(
        &header->dropped_before,
        prfdata_load64_relaxed(is_own ? &header->dropped_before : &header->dropped));
    prfdata_store32_relaxed(&header->process_id, process_id);
    prfdata_store32_relaxed(&header->epoch, prfdata_load32_relaxed(&header->epoch) + 1);
    PRFDATA_CRASH_POINT("T4");
    set_region_state(bytes, PRFDATA_REGION_PUBLISHED);
    PRFDATA_CRASH_POINT("T5");
    prfdata_region_end_change(bytes);
}
