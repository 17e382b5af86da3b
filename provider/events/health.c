/* SPDX-License-Identifier: MIT */
/* Keeps the health numbers of a service. The code that knows a number sets it or adds to it. */
#include "events/health.h"

#include <string.h>

void prfdata_health_want(prfdata_health *health, const prfdata_model *model)
{
    const uint32_t is_wanted = model->health_index != PRFDATA_NONE;

    if (prfdata_load32_relaxed(&health->is_wanted) != is_wanted)
        prfdata_store32_relaxed(&health->is_wanted, is_wanted);
}

void prfdata_health_set(prfdata_health *health, uint32_t number, uint64_t value)
{
    prfdata_store64_relaxed(&health->numbers[number], value);
}

void prfdata_health_raise(prfdata_health *health, uint32_t number, uint64_t value)
{
    uint64_t before = prfdata_load64_relaxed(&health->numbers[number]);

    while (before < value && !prfdata_swap64_relaxed(&health->numbers[number], &before, value)) {
    }
}

/* Returns 0 for a number that only a newer version knows. */
static uint64_t load_number(const prfdata_health *health, uint32_t number)
{
    return number <= PRFDATA_HEALTH_LAST ? prfdata_load64_relaxed(&health->numbers[number]) : 0;
}

void prfdata_health_put(const prfdata_health *health, const prfdata_model_object *object,
                        uint8_t *at)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];
        const uint64_t value = load_number(health, counter->health);

        /* the low bytes come first, because every supported processor is little-endian */
        memcpy(at + counter->block_offset, &value, counter->value_bytes);
    }
}
