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

/*
 * Build the templates of all objects of `model`, with PerfFreq, whether a type needs it or not.
 *
 * Returns one per object, which its counter definitions follow, or NULL: no memory.
 * Owner:   the caller; free().
 */
prfdata_perf_object_type **prfdata_template_make(const prfdata_model *model, uint32_t first_counter,
                                                 uint32_t first_help);

/*
 * Put one object's definitions. PerfTime is filled in by prfdata_template_stamp(), when it is
 * known.
 *
 * total_bytes  What the object takes with all its instances.
 */
void prfdata_template_put(const prfdata_perf_object_type *object, uint32_t total_bytes,
                          int32_t instance_count, prfdata_perf_block *block);

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

#endif
