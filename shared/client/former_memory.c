/* SPDX-License-Identifier: MIT */
/*
 * Copies private memory into a region and moves over what old handles count. A process that is
 * killed loses at most what was not moved; nothing is ever counted twice, because what was moved is
 * remembered in private memory only. Does not know why there was no region before.
 */
#include "client/former_memory.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/crash_points.h"

static prfdata_region_header *header_at(uint8_t *bytes)
{
    return (prfdata_region_header *)(void *)bytes;
}

/* ---- Storage ---- */

static uint32_t most_cells(const prfdata_model *model)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < model->object_count; i++)
        if (model->objects[i].cell_count > most)
            most = model->objects[i].cell_count;
    return most;
}

uint32_t prfdata_former_init(prfdata_former *former, const prfdata_model *model,
                             const prfdata_region_layout *layout, uint8_t *bytes)
{
    former->moved = calloc(1, (size_t)layout->total_bytes);
    former->values = calloc(most_cells(model) + 1u, sizeof *former->values); /* + 1: never 0 */
    if (!former->moved || !former->values) {
        prfdata_former_done(former);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    former->bytes = bytes;
    return ERROR_SUCCESS;
}

void prfdata_former_done(prfdata_former *former)
{
    free(former->moved);
    free(former->values);
    memset(former, 0, sizeof *former);
}

/* ---- Copying ---- */

static void copy_slot(prfdata_former *former, const prfdata_region_section *section,
                      uint8_t *region, uint32_t slot_index)
{
    prfdata_region_slot *from = prfdata_region_slot_at(former->bytes, section, slot_index);
    prfdata_region_slot *to = prfdata_region_slot_at(region, section, slot_index);
    uint64_t left = prfdata_load64_acquire(&from->left); /* first: never more than entered */

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

static void copy_cells(prfdata_former *former, const prfdata_region_section *section,
                       uint8_t *region, uint32_t slot_index)
{
    uint64_t *moved = prfdata_region_cells_at(former->moved, section, slot_index);

    prfdata_region_load(moved, prfdata_region_cells_at(former->bytes, section, slot_index),
                        section->cell_stride);
    memcpy(prfdata_region_cells_at(region, section, slot_index), moved, section->cell_stride);
}

static uint32_t used_slots(const prfdata_model_object *object,
                           const prfdata_region_section *section, const uint8_t *bytes)
{
    return object->has_instances ? prfdata_region_used_count(bytes, section) : 1;
}

void prfdata_former_copy(prfdata_former *former, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_region_section *section = &layout->sections[i];
        const uint32_t used_count = used_slots(&model->objects[i], section, former->bytes);

        for (uint32_t j = 0; j < used_count; j++) {
            if (model->objects[i].has_instances)
                copy_slot(former, section, region, j);
            copy_cells(former, section, region, j);
        }
        if (model->objects[i].has_instances)
            ((prfdata_region_count *)(void *)(region + section->count_offset))->used_count =
                used_count;
    }
    PRFDATA_CRASH_POINT("copied");
}

/* ---- Brackets ---- */

/* `entered` and `left` of a slot or of the header. */
typedef struct bracket {
    uint64_t *entered;
    uint64_t *left;
} bracket;

static bracket slot_bracket(uint8_t *bytes, const prfdata_region_section *section,
                            uint32_t slot_index)
{
    prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);
    const bracket found = {&slot->entered, &slot->left};

    return found;
}

static bracket header_bracket(uint8_t *bytes)
{
    const bracket found = {&header_at(bytes)->entered, &header_at(bytes)->left};

    return found;
}

/* A thread that entered in private memory leaves in the region, or the other way round. */
static void move_bracket(bracket from, bracket moved, bracket to)
{
    const uint64_t left = prfdata_load64_acquire(from.left); /* first: never more than entered */
    const uint64_t entered = prfdata_load64_relaxed(from.entered);

    if (entered != *moved.entered)
        prfdata_add64_relaxed(to.entered, entered - *moved.entered);
    if (left != *moved.left)
        prfdata_add64_release(to.left, left - *moved.left);
    *moved.entered = entered;
    *moved.left = left;
}

static bool is_empty(bracket inside, uint64_t *entered)
{
    const uint64_t left = prfdata_load64_acquire(inside.left);

    *entered = prfdata_load64_acquire(inside.entered);
    return *entered == left;
}

/* ---- Moving ---- */

/* Raise the cell to `value`, by one order or the other. */
static void raise_cell(uint64_t *cell, uint64_t value, bool is_signed)
{
    uint64_t seen = prfdata_load64_relaxed(cell);

    while ((is_signed ? (int64_t)seen < (int64_t)value : seen < value) &&
           !prfdata_swap64_relaxed(cell, &seen, value)) {
    }
}

/* Store `value` if the cell holds `former`; else somebody changed it, and the larger one stays. */
static void replace_cell(uint64_t *cell, uint64_t former, uint64_t value, bool is_signed)
{
    uint64_t seen = former;

    while (seen == former && !prfdata_swap64_relaxed(cell, &seen, value)) {
        /* it fails without reason on some processors */
    }
    if (seen != former)
        raise_cell(cell, value, is_signed);
}

static void move_cell(prfdata_merge merge, uint64_t *cell, uint64_t *moved, uint64_t value)
{
    switch (merge) {
    case PRFDATA_MERGE_MAX:
        replace_cell(cell, *moved, value, true);
        break;
    case PRFDATA_MERGE_OLDEST_START: /* a later start is the later call */
        replace_cell(cell, *moved, value, false);
        break;
    case PRFDATA_MERGE_NEWEST:
        raise_cell(cell, value, false);
        break;
    default:
        prfdata_add64_relaxed(cell, value - *moved);
        break;
    }
    *moved = value;
}

/* Read the cells; returns whether any differs from what was moved. */
static bool read_values(const prfdata_former *former, uint32_t cell_count, const uint64_t *cells,
                        const uint64_t *moved)
{
    bool differs = false;

    for (uint32_t i = 0; i < cell_count; i++) {
        former->values[i] = prfdata_load64_relaxed(&cells[i]);
        differs |= former->values[i] != moved[i];
    }
    return differs;
}

static void move_values(const prfdata_former *former, const prfdata_model_object *object,
                        uint64_t *cells, uint64_t *moved)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const uint32_t cell = object->counters[i].cell_index;

        if (cell == PRFDATA_NONE || former->values[cell] == moved[cell])
            continue;
        move_cell(object->counters[i].merge, &cells[cell], &moved[cell], former->values[cell]);
        PRFDATA_CRASH_POINT("moved");
    }
}

/* `own`: the bracket of what is moved; `all`: that around everything. Both in the region. */
static void move_cells(prfdata_former *former, const prfdata_model_object *object,
                       const prfdata_region_section *section, uint8_t *region, uint32_t slot_index,
                       bracket own, bool is_last)
{
    const bracket all = header_bracket(region);
    uint64_t *moved = prfdata_region_cells_at(former->moved, section, slot_index);
    uint64_t entered[2], again[2];
    const bool is_entered = !is_empty(own, &entered[0]);
    bool is_quiet = is_empty(all, &entered[1]) && !is_entered;

    if (!read_values(former, object->cell_count,
                     prfdata_region_cells_at(former->bytes, section, slot_index), moved))
        return;
    prfdata_fence_acquire(); /* the values are read before the entries are read again */
    (void)is_empty(own, &again[0]);
    (void)is_empty(all, &again[1]);
    is_quiet = is_quiet && entered[0] == again[0] && entered[1] == again[1];
    if (!is_quiet && !is_last) {
        former->is_overdue = true;
        return;
    }
    prfdata_add64_relaxed(own.entered, 1);
    prfdata_fence(); /* no value may be seen before the entry */
    move_values(former, object, prfdata_region_cells_at(region, section, slot_index), moved);
    prfdata_add64_release(own.left, 1);
}

void prfdata_former_move_slot(prfdata_former *former, const prfdata_model_object *object,
                              const prfdata_region_section *section, uint8_t *region,
                              uint32_t slot_index, bool is_last)
{
    bracket own;

    if (!former->bytes)
        return;
    own = slot_bracket(region, section, slot_index);
    move_bracket(slot_bracket(former->bytes, section, slot_index),
                 slot_bracket(former->moved, section, slot_index), own);
    move_cells(former, object, section, region, slot_index, own, is_last);
}

void prfdata_former_move(prfdata_former *former, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region, bool is_last)
{
    const bool moves_all = is_last || former->is_overdue; /* no value is kept back for long */

    if (!former->bytes)
        return;
    former->is_overdue = false;
    move_bracket(header_bracket(former->bytes), header_bracket(former->moved),
                 header_bracket(region));
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *object = &model->objects[i];
        const prfdata_region_section *section = &layout->sections[i];
        const uint32_t used_count = used_slots(object, section, former->bytes);

        if (!object->has_instances)
            move_cells(former, object, section, region, 0, header_bracket(region), moves_all);
        for (uint32_t j = 0; object->has_instances && j < used_count; j++)
            prfdata_former_move_slot(former, object, section, region, j, moves_all);
    }
}

/* ---- Gauges that begin again ---- */

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
        if (!prfdata_region_is_gauge(object->counters[i].merge))
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
