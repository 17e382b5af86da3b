/* SPDX-License-Identifier: MIT */
/*
 * Keeps the private memory of a publisher after the publisher got a region. Old handles (those that
 * the program looked up before) still point into this memory. The region is a copy of the private
 * memory, slot for slot, so every word has the same offset in both. What old handles count later is
 * moved to the region as differences. The caller makes one call at a time; meanwhile other threads
 * continue to count.
 */
#ifndef PRFDATA_FORMER_MEMORY_H
#define PRFDATA_FORMER_MEMORY_H

#include "region/region.h"

/* The words of a slot's bracket, or of the header's bracket, which is around all instances. */
typedef struct prfdata_former_bracket {
    uint64_t *entered;
    uint64_t *left;
} prfdata_former_bracket;

/* While `bytes` is NULL, moves and resets do nothing. */
typedef struct prfdata_former {
    uint8_t *bytes;  /* the private memory; NULL until it is copied */
    uint8_t *moved;  /* as large as `bytes`: what was already moved to the region */
    uint8_t *read;   /* as large as `bytes`: what the current move has read */
    bool is_overdue; /* some values were held back, because a thread was inside a bracket */
    /* the region may hold half of an update; its header says that a thread is inside a bracket */
    bool is_held;
    /*
     * Atomic. Set during a move, and afterwards if `is_overdue` or `is_held`. While it is set, a
     * thread that leaves a bracket tries to finish the move.
     */
    uint32_t waits;
    /* The last move waited in vain for this bracket of the region; valid if `waits` is set. */
    prfdata_former_bracket blocker;
    uint32_t changed_count;
    struct prfdata_former_slot *changed; /* the slots that are being moved; room for all slots */
} prfdata_former;

/*
 * Allocate memory for moving private memory that has `layout`.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. Owner: the caller; prfdata_former_done().
 */
uint32_t prfdata_former_init(prfdata_former *former, const prfdata_region_layout *layout);
void prfdata_former_done(prfdata_former *former);

/*
 * Copy the private memory `bytes` into a region of zeros, which the caller then publishes. Of the
 * header, only what it says about brackets is copied. If a thread is inside a bracket, the region's
 * header says that too, until a move has moved the counts of that thread.
 */
void prfdata_former_copy(prfdata_former *former, uint8_t *bytes, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region);

typedef enum prfdata_former_moving {
    /*
     * Hold back counts of threads inside brackets. If the last call held any back, move everything.
     */
    PRFDATA_FORMER_MOVE,
    /* Hold back counts of threads inside brackets, even if the last call held some back. */
    PRFDATA_FORMER_MOVE_WHOLE,
    /* Hold nothing back. */
    PRFDATA_FORMER_MOVE_ALL
} prfdata_former_moving;

/*
 * Move what was counted since the last call. Readers see the updates of one bracket together
 * (docs/architecture.md, decision 12). If a call has moved only a part of these updates, the
 * region's header says that a thread is inside a bracket, and readers treat the region as torn.
 * This ends when a later call has moved the rest. Until then (`is_held`), no call holds counts
 * back, whatever `moving` is.
 */
void prfdata_former_move(prfdata_former *former, const prfdata_model *model,
                         const prfdata_region_layout *layout, uint8_t *region,
                         prfdata_former_moving moving);

/*
 * Move counts again if no thread is inside `blocker` now. Called when a thread has left a bracket;
 * only needed if `waits` is set.
 */
void prfdata_former_leave(prfdata_former *former, const prfdata_model *model,
                          const prfdata_region_layout *layout, uint8_t *region);

/*
 * Move all counts of one slot. If threads have used brackets, move all counts of the private
 * memory.
 */
void prfdata_former_move_slot(prfdata_former *former, const prfdata_model *model,
                              const prfdata_region_layout *layout, uint8_t *region,
                              uint32_t object_index, uint32_t slot_index);

/*
 * Set the gauges of one slot, or of all used slots, to 0 in the private memory, because the gauges
 * of the region restart at 0.
 */
void prfdata_former_reset_slot(prfdata_former *former, const prfdata_model_object *object,
                               const prfdata_region_section *section, uint32_t slot_index);
void prfdata_former_reset(prfdata_former *former, const prfdata_model *model,
                          const prfdata_region_layout *layout);

#endif
