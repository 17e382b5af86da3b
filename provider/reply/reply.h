/* SPDX-License-Identifier: MIT */
/*
 * Declares the reply of a Collect: which objects are shown, how many bytes they take, and the
 * bytes. The reply is made from merged rows, which merge/ makes.
 */
#ifndef PRFDATA_REPLY_H
#define PRFDATA_REPLY_H

#include <string.h>

#include "merge/merge.h"
#include "region/distribution_values.h"
#include "reply/template.h"

/* How many bytes all objects take: a multiple of 8. */
uint64_t prfdata_reply_bytes(const prfdata_merge *merge);

/* How many bytes one object takes; 0 if it is not shown. */
uint64_t prfdata_reply_object_bytes(const prfdata_merge *merge, uint32_t object_index);

/*
 * Writes an object, except its time. Returns false if it is not shown or there is no room for it.
 */
bool prfdata_reply_put_object(const prfdata_merge *merge, uint32_t object_index,
                              prfdata_perf_block *block);

/* Writes values into an existing counter block. */
static inline void prfdata_reply_put_values(const prfdata_model_object *object,
                                            const uint64_t *values, uint8_t *block)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];
        uint8_t *value = block + counter->block_offset;

        /*
         * The sizes are constants, so compilers inline the copies. The short copy takes the low
         * half of the value, because values are little-endian.
         */
        if (counter->value_bytes == sizeof(uint64_t))
            memcpy(value, &values[counter->cell_index], sizeof(uint64_t));
        else if (counter->value_bytes == sizeof(uint32_t))
            memcpy(value, &values[counter->cell_index], sizeof(uint32_t));
    }
    if (object->distribution_count > 0)
        prfdata_distribution_values_put_sums(object, values, block);
}

#endif
