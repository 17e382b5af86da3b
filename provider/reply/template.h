/* SPDX-License-Identifier: MIT */
/*
 * Declares the constant part of the reply: each object's PERF_OBJECT_TYPE and counter definitions,
 * made once from the model and the title indexes.
 */
#ifndef PRFDATA_TEMPLATE_H
#define PRFDATA_TEMPLATE_H

#include <string.h>

#include "base/perf_wire.h"
#include "map/model.h"
#include "reply/perf_block.h"

/*
 * Returns one template per object of `model`, each followed by its counter definitions, or NULL if
 * memory is exhausted.
 * Owner: the caller; free().
 */
prfdata_perf_object_type **prfdata_template_make(const prfdata_model *model, uint32_t first_counter,
                                                 uint32_t first_help);

/*
 * Writes one object's definitions. prfdata_template_stamp() fills in PerfTime later, when it is
 * known.
 *
 * total_bytes  The size of the object with all its instances.
 */
void prfdata_template_put(const prfdata_perf_object_type *object, uint32_t total_bytes,
                          int32_t instance_count, prfdata_perf_block *block);

/*
 * Fills in an object's PerfTime.
 *
 * object     The object's definitions, which have been written; any alignment.
 * perf_time  In ticks of prfdata_os_ticks(); taken after all values were read.
 */
static inline void prfdata_template_stamp(uint8_t *object, uint64_t perf_time)
{
    memcpy(object + offsetof(prfdata_perf_object_type, perf_time), &perf_time, sizeof perf_time);
}

#endif
