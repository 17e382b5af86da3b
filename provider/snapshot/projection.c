/* SPDX-License-Identifier: MIT */
/*
 * Converts snapshots of regions with an earlier map to the shape of the current map. Slots, names
 * and hash tables are moved unchanged; cells are reordered.
 */
#include "snapshot/projection.h"

#include <stdlib.h>
#include <string.h>

#include "map/map_change.h"

/*
 * The limit for the cells and baselines of one object. A slot that was converted to the current map
 * may have thousands of times as many cells as in the region's file, and only the file's size
 * limits how many slots there are.
 */
#define MOST_CELLS_BYTES (256ull * 1024 * 1024)

/* ---- Making ---- */

/* Finds, in an earlier object, the distribution that continues as `to`. NULL: there is none. */
static const prfdata_model_distribution *earlier_distribution(const prfdata_model_object *from,
                                                              const prfdata_model_distribution *to)
{
    for (uint32_t i = 0; from && i < from->distribution_count; i++)
        if (from->distributions[i].entry->id == to->entry->id)
            return prfdata_map_change_distribution_goes_on(&from->distributions[i], to)
                       ? &from->distributions[i]
                       : NULL;
    return NULL;
}

/* For each window cell of `to`, finds the matching cell of `from`; PRFDATA_NONE: there is none. */
static void project_windows(const prfdata_model_object *from, const prfdata_model_object *to,
                            uint32_t *cells)
{
    for (uint32_t i = 0; i < to->distribution_count; i++) {
        const prfdata_model_distribution *shown = &to->distributions[i];
        const prfdata_model_distribution *earlier = earlier_distribution(from, shown);
        const size_t count = prfdata_distribution_window_words(&shown->shape);

        for (uint32_t c = 0; c < count; c++)
            cells[shown->first_cell + c] = earlier ? earlier->first_cell + c : PRFDATA_NONE;
    }
}

static void project_object(prfdata_projection *projection, uint32_t object_index)
{
    uint32_t *cells = projection->cells[object_index];
    const prfdata_model_object *to = &projection->to->objects[object_index];
    const prfdata_model_object *from =
        prfdata_map_change_earlier_object(projection->from, projection->to, to);

    projection->from_objects[object_index] =
        from ? (uint32_t)(from - projection->from->objects) : PRFDATA_NONE;
    for (uint32_t i = 0; i < to->counter_count; i++) {
        const prfdata_model_counter *counter =
            from ? prfdata_map_change_earlier_counter(from, &to->counters[i]) : NULL;

        if (to->counters[i].cell_index != PRFDATA_NONE)
            cells[to->counters[i].cell_index] = counter ? counter->cell_index : PRFDATA_NONE;
    }
    project_windows(from, to, cells);
}

prfdata_projection *prfdata_projection_make(const prfdata_model *from, const prfdata_model *to)
{
    prfdata_projection *made;
    size_t cell_count = 0;
    uint32_t *cells;

    for (uint32_t i = 0; i < to->object_count; i++)
        cell_count += to->objects[i].cell_count;
    made = malloc(sizeof *made + cell_count * sizeof *cells);
    if (!made)
        return NULL;
    made->from = from;
    made->to = to;
    made->from_hash = from->hash;
    made->number = 0;
    cells = (void *)(made + 1);
    for (uint32_t i = 0; i < to->object_count; i++) {
        made->cells[i] = cells;
        project_object(made, i);
        cells += to->objects[i].cell_count;
    }
    return made;
}

void prfdata_projection_free(prfdata_projection *projection)
{
    free(projection);
}

void prfdata_projection_wanted(const prfdata_projection *projection, const bool *wanted,
                               bool *from_wanted)
{
    memset(from_wanted, 0, projection->from->object_count * sizeof *from_wanted);
    for (uint32_t i = 0; i < projection->to->object_count; i++)
        if (wanted[i] && projection->from_objects[i] != PRFDATA_NONE)
            from_wanted[projection->from_objects[i]] = true;
}

/* ---- Applying ---- */

/*
 * Fills the counters' cells of one slot, or of sums. For each cell of `to`, copies the cell of
 * `from` whose index is in `cells`. If the index is PRFDATA_NONE, sets the initial value.
 */
static void project_counters(const uint32_t *cells, const prfdata_model_object *model_object,
                             const uint64_t *from, uint64_t *to)
{
    prfdata_cells_clear_counters(model_object, to);
    for (uint32_t i = 0; i < model_object->stored_count; i++)
        if (cells[i] != PRFDATA_NONE)
            to[i] = from[cells[i]];
}

uint64_t prfdata_projection_bytes(const prfdata_projection *projection,
                                  const prfdata_snapshot *snapshot)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < projection->to->object_count; i++)
        if (projection->from_objects[i] != PRFDATA_NONE)
            bytes += prfdata_region_copy_bytes(
                &projection->to->objects[i], snapshot->objects[projection->from_objects[i]].count);
    return bytes;
}

uint64_t prfdata_projection_most_bytes(const prfdata_projection *projection,
                                       const prfdata_region_layout *layout)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < projection->to->object_count; i++)
        if (projection->from_objects[i] != PRFDATA_NONE)
            bytes +=
                prfdata_region_copy_bytes(&projection->to->objects[i],
                                          layout->sections[projection->from_objects[i]].slot_count);
    return bytes;
}

/*
 * Converts an object to the shape of the current map. The caller has moved the object from the old
 * snapshot to the new one. Everything new is in one allocation, which `other_cells` owns. If the
 * region's map lacks the object, the object is empty.
 */
static prfdata_result project_object_cells(const uint32_t *cells,
                                           const prfdata_model_object *model_object,
                                           bool is_summary, prfdata_snapshot_object *object)
{
    const prfdata_snapshot_object from = *object;
    const size_t stride = model_object->stored_count;
    const size_t slots_bytes = (size_t)prfdata_region_copy_bytes(model_object, object->count);
    uint64_t *sums;

    object->other_cells = malloc(slots_bytes + stride * sizeof *sums + sizeof from +
                                 model_object->distribution_count * sizeof *object->first_cells);
    if (!object->other_cells)
        return PRFDATA_NO_MEMORY;
    object->cell_stride = (uint32_t)stride;
    object->cells = object->other_cells;
    object->baselines = object->cells + object->count * stride;
    for (uint32_t i = 0; i < object->count; i++) {
        project_counters(cells, model_object, from.cells + (size_t)i * from.cell_stride,
                         object->cells + i * stride);
        if (object->slots[i].has_baseline)
            project_counters(cells, model_object, from.baselines + (size_t)i * from.cell_stride,
                             object->baselines + i * stride);
    }
    sums = object->cells + slots_bytes / sizeof *sums;
    if (is_summary)
        project_counters(cells, model_object, from.sums, sums);
    object->sums = is_summary ? sums : NULL;
    object->earlier = (void *)(sums + stride);
    *object->earlier = from;
    object->first_cells = (void *)(object->earlier + 1);
    for (uint32_t i = 0; i < model_object->distribution_count; i++)
        object->first_cells[i] = cells[model_object->distributions[i].first_cell];
    return PRFDATA_DONE;
}

/*
 * Takes `bytes` from `*room`. Returns false if there is not enough, or if one object would take too
 * much.
 */
static bool take_room(uint64_t bytes, uint64_t *room)
{
    if (bytes > MOST_CELLS_BYTES || bytes > *room)
        return false;
    *room -= bytes;
    return true;
}

static prfdata_result fill_projected(const prfdata_projection *projection, prfdata_snapshot *from,
                                     uint64_t *room, prfdata_snapshot *to)
{
    prfdata_result result = PRFDATA_DONE;

    for (uint32_t i = 0; i < to->object_count && result == PRFDATA_DONE; i++) {
        const uint32_t from_object = projection->from_objects[i];
        const prfdata_model_object *model_object = &projection->to->objects[i];

        if (from_object != PRFDATA_NONE) {
            prfdata_snapshot_object *object = &from->objects[from_object];

            if (!take_room(prfdata_region_copy_bytes(model_object, object->count), room)) {
                to->left_out = i + 1;
                continue;
            }
            to->objects[i] = *object;
            memset(object, 0, sizeof *object);
        }
        result = project_object_cells(projection->cells[i], model_object, from->is_summary,
                                      &to->objects[i]);
    }
    return result;
}

prfdata_result prfdata_projection_apply(const prfdata_projection *projection, uint64_t *room,
                                        prfdata_snapshot **snapshot)
{
    prfdata_snapshot *from = *snapshot;
    prfdata_snapshot *to = prfdata_snapshot_make(projection->to->object_count);
    prfdata_result result = PRFDATA_NO_MEMORY;

    if (to) {
        memcpy(to, from, offsetof(prfdata_snapshot, objects)); /* everything except the objects */
        to->object_count = projection->to->object_count;
        result = fill_projected(projection, from, room, to);
    }
    if (result != PRFDATA_DONE) {
        prfdata_snapshot_free(to);
        to = NULL;
    }
    prfdata_snapshot_free(from);
    *snapshot = to;
    return result;
}
