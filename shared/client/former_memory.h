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

/* `entered` and `left` of a slot or of the header. */
typedef struct prfdata_former_bracket {
    uint64_t *entered;
    uint64_t *left;
} prfdata_former_bracket;

/* Zeroed: there is none, and every call does nothing. */
typedef struct prfdata_former {
    uint8_t *bytes;  /* the private memory; NULL until it was copied */
    uint8_t *moved;  /* as large: what the region got of each cell, entry and leaving */
    uint8_t *read;   /* as large: cells that are being moved */
    bool is_overdue; /* something was kept back, because a thread was inside a bracket */
    bool is_held;    /* the region has a half of an update, and says that a thread is inside */
    uint32_t waits;  /* atomic: one of these two; the end of a bracket may finish the move */
    prfdata_former_bracket blocker; /* of the region: whose end that is; set if a move waits */
    uint32_t changed_count;
    struct prfdata_former_slot *changed; /* room for every slot: those that are being moved */
} prfdata_former;

/*
 * Make room for moving private memory that has `layout`.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. Owner: the caller; prfdata_former_done().
 */
uint32_t prfdata_former_init(prfdata_former *former, const prfdata_region_layout *layout);
void prfdata_former_done(prfdata_former *former);

/*
 * Copy all of `bytes`, the private memory, except its header into a region of zeros, which the
 * caller then publishes. If a thread is inside a bracket, the region's header says so until a move
 * has moved what the thread counts.
 */
void prfdata_former_copy(prfdata_former *former, uint8_t *bytes, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region);

typedef enum prfdata_former_moving {
    /* Keep back what is inside a bracket; what the call before kept back is moved as it is. */
    PRFDATA_FORMER_MOVE,
    /* Keep it back, however long. */
    PRFDATA_FORMER_MOVE_WHOLE,
    /* Keep nothing back. */
    PRFDATA_FORMER_MOVE_ALL
} prfdata_former_moving;

/*
 * Move what was counted since the last call. Sums grow by the difference. A gauge that merges by
 * maximum, and a start stamp, get the value, unless handles into the region changed it as well:
 * then the larger one. Stamps of precision timers are raised.
 *
 * Readers see updates together that belong together (decision 12), or count the region as torn:
 * when a part of a bracket was moved, the region says that a thread is inside until the rest is.
 */
void prfdata_former_move(prfdata_former *former, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region,
                         prfdata_former_moving moving);

/* A thread left a bracket: finish the move that waited for it. Worth a call if `waits` is set. */
void prfdata_former_leave(prfdata_former *former, const prfdata_model *model,
                          const prfdata_region_layout *layout, uint8_t *region);

/* Move all of one slot, and with it what was counted in the same brackets. */
void prfdata_former_move_slot(prfdata_former *former, const prfdata_model *model,
                              const prfdata_region_layout *layout, uint8_t *region,
                              uint32_t object_index, uint32_t slot_index);

/* The gauges of a slot begin with 0, as those in the region do when it gets a name, or again. */
void prfdata_former_reset_slot(prfdata_former *former, const prfdata_model_object *object,
                               const prfdata_region_section *section, uint32_t slot_index);
void prfdata_former_reset(prfdata_former *former, const prfdata_model *model,
                          const prfdata_region_layout *layout);

#endif
