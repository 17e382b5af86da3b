/* SPDX-License-Identifier: MIT */
/*
 * What Collect writes: which objects are shown, how many bytes they take, and the bytes. Knows the
 * merged rows, not where they come from.
 */
#ifndef PRFDATA_REPLY_H
#define PRFDATA_REPLY_H

#include <string.h>

#include "merge/merge.h"
#include "region/shown.h"
#include "reply/template.h"

typedef struct prfdata_reply {
    const prfdata_merge *merge; /* what is shown of the wanted objects; for metadata not made */
    prfdata_perf_object_type *const *templates; /* of the model's objects */
    bool metadata;                              /* definitions only */
    bool sums_unknown; /* regions exist and none may be read: sums would wrongly be shown as 0 */
} prfdata_reply;

/* Bytes of all objects: a multiple of 8. */
uint64_t prfdata_reply_bytes(const prfdata_reply *reply);

/* Of one object; 0 if it is not shown. */
uint64_t prfdata_reply_object_bytes(const prfdata_reply *reply, uint32_t object_index);

/* Put an object, but for its time. Returns whether it is shown, and there is room for it. */
bool prfdata_reply_put_object(const prfdata_reply *reply, uint32_t object_index,
                              prfdata_perf_block *block);

/* Put values into a counter block that is there already. */
static inline void prfdata_reply_put_values(const prfdata_model_object *object,
                                            const uint64_t *values, uint8_t *block)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];
        uint8_t *value = block + counter->block_offset;

        /* Sizes that the compiler knows; little-endian: the low bytes come first. */
        if (counter->value_bytes == sizeof(uint64_t))
            memcpy(value, &values[counter->cell_index], sizeof(uint64_t));
        else if (counter->value_bytes == sizeof(uint32_t))
            memcpy(value, &values[counter->cell_index], sizeof(uint32_t));
    }
    if (object->distribution_count > 0)
        prfdata_shown_put_sums(object, values, block);
}

#endif
