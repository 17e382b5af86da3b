/* SPDX-License-Identifier: MIT */
#include "mapping.h"

#include <string.h>

#include "fuzz.h"
#include "map/map_bytes.h"
#include "map/model.h"

uint8_t *mapping_encode(const prfdata_map *map, size_t *size)
{
    prfdata_model *model;
    uint8_t *bytes;
    size_t needed = 0;

    FUZZ_CHECK(!prfdata_model_make(map, &model));
    FUZZ_CHECK(prfdata_map_bytes_encode(map, model->hash, NULL, 0, &needed) ==
               ERROR_INSUFFICIENT_BUFFER);
    FUZZ_CHECK(needed <= PRFDATA_MAX_MAP_BYTES && needed == prfdata_map_bytes_size(map));
    bytes = fuzz_memory(needed);
    FUZZ_CHECK(!prfdata_map_bytes_encode(map, model->hash, bytes, needed, size));
    FUZZ_CHECK(*size == needed);
    prfdata_model_free(model);
    return bytes;
}

static void check_hot_counters(const prfdata_model_object *object)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        FUZZ_CHECK((counter->hot_index != PRFDATA_NONE) == counter->is_hot);
        if (!counter->is_hot)
            continue;
        count++;
        FUZZ_CHECK(counter->merging == PRFDATA_MERGING_ACCUMULATE);
        FUZZ_CHECK(counter->hot_index < object->hot_count);
        FUZZ_CHECK(object->hot_cells[counter->hot_index] == counter->cell_index);
        FUZZ_CHECK(!counter->is_base || (counter->hot_index % 2 == 1 &&
                                         counter[-1].hot_index + 1 == counter->hot_index));
    }
    FUZZ_CHECK(count == object->hot_count);
}

/* Check that cells and bytes of the distributions follow each other, after the counters' cells. */
static void check_distributions(const prfdata_model_object *object)
{
    uint32_t cells = object->stored_count;
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < object->distribution_count; i++) {
        const prfdata_model_distribution *d = &object->distributions[i];

        FUZZ_CHECK(d->first_cell == cells && d->bytes_offset == bytes);
        FUZZ_CHECK(d->shape.bucket_count >= 1);
        cells += d->shape.bucket_count + 1;
        bytes += prfdata_distribution_bytes(&d->shape);
    }
    FUZZ_CHECK(cells == object->cell_count);
    FUZZ_CHECK(bytes == object->distributions_bytes && bytes % 64 == 0);
}

static void check_counters(const prfdata_model_object *object, uint32_t *titles)
{
    bool is_numbered[PRFDATA_MAX_COUNTERS] = {false};
    uint32_t cells = 0;
    uint32_t end = 4; /* where the values so far end */

    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        FUZZ_CHECK(counter->is_base == (counter->title_offset == PRFDATA_NONE));
        if (!counter->is_base)
            FUZZ_CHECK(counter->title_offset == 2 * (*titles)++);
        FUZZ_CHECK(!counter->has_base || object->counters[i + 1].is_base);
        FUZZ_CHECK((counter->cell_index == PRFDATA_NONE) == (counter->value_bytes == 0));
        if (counter->value_bytes == 0)
            continue;
        FUZZ_CHECK(counter->cell_index < object->stored_count);
        FUZZ_CHECK(!is_numbered[counter->cell_index]);
        FUZZ_CHECK(!counter->has_base || (counter[1].cell_index == counter->cell_index + 1 &&
                                          counter->cell_index % 8 != 7));
        is_numbered[counter->cell_index] = true;
        cells++;
        FUZZ_CHECK(counter->value_bytes == 4 || counter->value_bytes == 8);
        FUZZ_CHECK(counter->block_offset % counter->value_bytes == 0);
        FUZZ_CHECK(counter->block_offset >= end);
        end = counter->block_offset + counter->value_bytes;
    }
    check_hot_counters(object);
    FUZZ_CHECK(cells == object->stored_count);
    check_distributions(object);
    FUZZ_CHECK(end <= object->block_bytes && object->block_bytes % 8 == 0);
}

void mapping_check_model(const prfdata_map *map)
{
    prfdata_model *model;
    uint32_t titles = 0;

    FUZZ_CHECK(!prfdata_model_make(map, &model));
    FUZZ_CHECK(model->hash != 0);
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *object = &model->objects[i];

        FUZZ_CHECK(object->title_offset == 2 * titles++);
        FUZZ_CHECK(object->parent_index == PRFDATA_NONE || object->parent_index < i);
        FUZZ_CHECK(object->default_position < object->counter_count);
        FUZZ_CHECK(!object->counters[object->default_position].is_base);
        check_counters(object, &titles);
    }
    FUZZ_CHECK(titles == model->title_count);
    prfdata_model_free(model);
}
