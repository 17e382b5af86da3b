/* SPDX-License-Identifier: MIT */
/*
 * The private memory of a publisher that publishes by now: handles that were resolved before point
 * into it for as long as the process lasts. Its region is a copy of it, slot for slot, so every
 * word has the same offset in both; what was counted since is moved over as differences. Knows
 * nothing of files and locks: the caller makes one call at a time, while threads bump.
 */
#ifndef PRFDATA_FORMER_MEMORY_H
#define PRFDATA_FORMER_MEMORY_H

#include "region/region.h"

/* Zeroed: there is none, and every call does nothing. */
typedef struct prfdata_former {
    uint8_t *bytes;  /* the private memory */
    uint8_t *moved;  /* as large: what the region got of each cell, entry and leaving */
    uint8_t *read;   /* as large: cells that are being moved */
    bool is_overdue; /* something stayed, because a thread was inside a bracket */
    uint32_t changed_count;
    struct prfdata_former_slot *changed; /* room for every slot: those that are being moved */
} prfdata_former;

/*
 * Make room for moving `bytes`, which have `layout`.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. Owner: the caller; prfdata_former_done().
 */
uint32_t prfdata_former_init(prfdata_former *former, const prfdata_region_layout *layout,
                             uint8_t *bytes);
void prfdata_former_done(prfdata_former *former);

/* Copy all but the header into a region of zeros, which is to be published afterwards. */
void prfdata_former_copy(prfdata_former *former, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region);

/*
 * Move what was counted since the last time. Sums grow by the difference. A gauge that merges by
 * maximum, and a start stamp, get the value, unless handles into the region changed it as well:
 * then the larger one. Stamps of precision timers are raised.
 *
 * is_last  Move all. Else what is inside a bracket stays until the next call, so that readers see
 *          updates together that belong together.
 */
void prfdata_former_move(prfdata_former *former, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region, bool is_last);

/* Move all of one slot. */
void prfdata_former_move_slot(prfdata_former *former, const prfdata_model_object *object,
                              const prfdata_region_section *section, uint8_t *region,
                              uint32_t slot_index);

/* The gauges of a slot begin with 0, as those in the region do when it gets a name, or again. */
void prfdata_former_reset_slot(prfdata_former *former, const prfdata_model_object *object,
                               const prfdata_region_section *section, uint32_t slot_index);
void prfdata_former_reset(prfdata_former *former, const prfdata_model *model,
                          const prfdata_region_layout *layout);

#endif
