/* SPDX-License-Identifier: MIT */
/*
 * Gives lanes to exclusive handles, and frees the lanes. The list of the taken lanes is in the
 * memory of this process, so a killed process leaves no lane taken. The application promises that
 * only one thread at a time uses a handle.
 */
#include <stdlib.h>
#include <string.h>

#include "client/counter.h"

static size_t count_hot_words(const prfdata_region_layout *layout, uint32_t object_count)
{
    size_t count = 0;

    for (uint32_t i = 0; i < object_count; i++)
        count += (size_t)layout->sections[i].slot_count * layout->sections[i].lane_words;
    return count;
}

/*
 * Returns the bits that say which exclusive lanes of a hot counter are taken in one slot; NULL if
 * memory is exhausted. `word` is the number of the counter's word in the object's lanes
 * (region-format.md, "Lanes"). The caller holds the publisher's lock.
 */
static uint32_t *taken_lanes_of(prfdata_publisher *publisher, uint32_t object_index, uint32_t word)
{
    const prfdata_region_layout *layout = publisher->layout;

    if (!publisher->taken_lanes)
        /* + 1, because calloc(0, ...) may return NULL. */
        publisher->taken_lanes = calloc(count_hot_words(layout, layout->object_count) + 1,
                                        sizeof *publisher->taken_lanes);
    if (!publisher->taken_lanes)
        return NULL;
    return publisher->taken_lanes + count_hot_words(layout, object_index) + word;
}

/*
 * Takes a free lane and returns its number; PRFDATA_NONE if no lane is free or `taken` is NULL.
 * Lanes of different counters may share a cache line if they have the same number. So the search
 * begins at a number that depends on the thread.
 */
static uint32_t take_lane(uint32_t *taken)
{
    const uint32_t first = prfdata_lane_thread();

    for (uint32_t i = 0; taken && i < PRFDATA_LANES_EXCLUSIVE; i++) {
        const uint32_t lane = (first + i) % PRFDATA_LANES_EXCLUSIVE;

        if (*taken & 1u << lane)
            continue;
        *taken |= 1u << lane;
        return PRFDATA_LANES_STRIPED + lane;
    }
    return PRFDATA_NONE;
}

static void take_lane_of_counter(prfdata_publisher *publisher, const prfdata_counter_place *place,
                                 prfdata_exclusive *handle)
{
    const uint32_t lane_words = publisher->layout->sections[place->object_index].lane_words;
    uint32_t lane;

    if (!place->counter->is_hot)
        return;
    lane = take_lane(taken_lanes_of(publisher, place->object_index,
                                    lane_words * place->slot_index + place->counter->hot_index));
    if (lane != PRFDATA_NONE)
        handle->lane = handle->lanes + (size_t)lane * PRFDATA_LANES_BLOCK_WORDS;
}

uint32_t prfdata_resolve_exclusive(prfdata_publisher *publisher, uint32_t counter_id,
                                   const prfdata_instance *instance, prfdata_exclusive *handle)
{
    prfdata_counter_place place;
    prfdata_handle shared;
    uint32_t error;

    memset(handle, 0, sizeof *handle);
    error = prfdata_counter_find(publisher, counter_id, instance, &place);
    if (error)
        return error;
    prfdata_os_lock_enter(&publisher->lock);
    shared = prfdata_counter_handle(publisher, &place);
    handle->cell = shared.cell;
    handle->lanes = shared.lanes;
    take_lane_of_counter(publisher, &place, handle);
    prfdata_os_lock_leave(&publisher->lock);
    return ERROR_SUCCESS;
}

/* `offset` is the number of bytes from the beginning of the publisher's memory to the lane. */
static void free_lane(prfdata_publisher *publisher, uint64_t offset)
{
    const prfdata_region_section *section = publisher->layout->sections;
    uint32_t object_index = 0;
    uint32_t lane;
    uint64_t word;
    uint32_t *taken;

    while (object_index + 1 < publisher->layout->object_count &&
           offset >= section[object_index + 1].slots_offset)
        object_index++;
    offset -= section[object_index].lanes_offset;
    lane = (uint32_t)(offset % PRFDATA_LANES_BLOCK_BYTES / PRFDATA_LANES_STRIDE);
    word = offset / PRFDATA_LANES_BLOCK_BYTES * PRFDATA_LANES_BLOCK_WORDS +
           offset % PRFDATA_LANES_STRIDE / sizeof(uint64_t);
    taken = taken_lanes_of(publisher, object_index, (uint32_t)word);
    if (taken)
        *taken &= ~(1u << (lane - PRFDATA_LANES_STRIPED));
}

void prfdata_release_exclusive(prfdata_exclusive *handle)
{
    prfdata_publisher *publisher;
    uint64_t offset;

    if (!handle || !handle->lane)
        return;
    prfdata_publisher_enter_all();
    publisher = prfdata_publisher_find_word(handle->lane, &offset);
    if (publisher) {
        prfdata_os_lock_enter(&publisher->lock);
        free_lane(publisher, offset);
        prfdata_os_lock_leave(&publisher->lock);
    }
    prfdata_publisher_leave_all();
    handle->lane = NULL;
}
