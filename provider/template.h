/* SPDX-License-Identifier: MIT */
/*
 * The constant part of the reply: for every object its PERF_OBJECT_TYPE and counter definitions,
 * built once from the model and the titles' indexes. Collect copies them and fills in what changes.
 */
#ifndef PRFDATA_TEMPLATE_H
#define PRFDATA_TEMPLATE_H

#include "core/model.h"
#include "provider/perf_block.h"

typedef struct prfdata_template_object {
    uint8_t *bytes;
    size_t size; /* DefinitionLength */
} prfdata_template_object;

typedef struct prfdata_template {
    uint32_t first_counter;
    uint32_t first_help;
    uint32_t object_count;
    prfdata_template_object objects[1]; /* object_count of them */
} prfdata_template;

/*
 * Build the templates of all objects of `model`.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. Owner: the caller; free().
 */
uint32_t prfdata_template_make(const prfdata_model *model, uint32_t first_counter,
                               uint32_t first_help, prfdata_template **made);

/*
 * Put one object's definitions. TotalByteLength and NumInstances are patched by
 * prfdata_template_finish when they are known.
 *
 * perf_time, perf_freq  The object's clock: always filled, whether a type needs it or not.
 * Returns the offset of the object in the block.
 */
size_t prfdata_template_put(const prfdata_template *made, uint32_t object_index, int64_t perf_time,
                            int64_t perf_freq, prfdata_perf_block *block);

/* Replace an object's clock by that of the moment at which its values had been read. */
void prfdata_template_stamp(prfdata_perf_block *block, size_t object_offset, int64_t perf_time,
                            int64_t perf_freq);

void prfdata_template_finish(prfdata_perf_block *block, size_t object_offset,
                             int32_t instance_count);

#endif
