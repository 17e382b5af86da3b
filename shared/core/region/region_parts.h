/* SPDX-License-Identifier: MIT */
/* Declares what region_write.c and region_slots.c share. */
#ifndef PRFDATA_REGION_PARTS_H
#define PRFDATA_REGION_PARTS_H

#include "region/region.h"

static inline prfdata_region_header *prfdata_region_header_of(uint8_t *bytes)
{
    return (prfdata_region_header *)(void *)bytes;
}

/* Store `size` bytes, a multiple of 8, word by word. */
void prfdata_region_store(void *shared_bytes, const void *private_bytes, size_t size);

/* W1 and W2 */
void prfdata_region_begin_change(uint8_t *bytes);
void prfdata_region_end_change(uint8_t *bytes);

void prfdata_region_reset_gauges(const prfdata_model_object *object, uint64_t *cells);

void prfdata_region_set_slot_state(prfdata_region_slot *slot, uint32_t generation, uint32_t state);

#endif
