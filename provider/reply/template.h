/* SPDX-License-Identifier: MIT */
/*
 * The constant part of the reply: for every object its PERF_OBJECT_TYPE and counter definitions,
 * built once from the model and the titles' indexes. Collect copies them and fills in what changes.
 */
#ifndef PRFDATA_TEMPLATE_H
#define PRFDATA_TEMPLATE_H

#include <string.h>

#include "base/perf_wire.h"
#include "map/model.h"
#include "reply/perf_block.h"

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
 * Put one object's definitions, with PerfFreq, whether a type needs it or not. PerfTime is filled
 * in by prfdata_template_stamp(), TotalByteLength and NumInstances by prfdata_template_finish(),
 * when they are known.
 *
 * Returns the offset of the object in the block.
 */
size_t prfdata_template_put(const prfdata_template *made, uint32_t object_index,
                            prfdata_perf_block *block);

/*
 * Fill in the moment at which an object's values had been read.
 *
 * object     Its definitions, which were put and fit; any alignment.
 * perf_time  In ticks.
 */
static inline void prfdata_template_stamp(uint8_t *object, uint64_t perf_time)
{
    memcpy(object + offsetof(prfdata_perf_object_type, perf_time), &perf_time, sizeof perf_time);
}

void prfdata_template_finish(prfdata_perf_block *block, size_t object_offset,
                             int32_t instance_count);

#endif
