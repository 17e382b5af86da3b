/* SPDX-License-Identifier: MIT */
/*
 * Implements the writer's steps for one slot: assign, revive, retire. Comments name the steps of
 * region-format.md. slots.c decides which slot an instance gets.
 */
#include <string.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"
#include "region/distribution_values.h"
#include "region/region_parts.h"

static uint32_t next_generation(const prfdata_region_slot *slot)
{
    uint32_t generation = PRFDATA_SLOT_GENERATION(prfdata_load32_relaxed(&slot->tag)) + 1;

    /* The generation has 30 bits, and wraps. */
    return PRFDATA_SLOT_GENERATION(PRFDATA_SLOT_TAG(generation, 0));
}

static void raise_used_count(uint8_t *bytes, const prfdata_region_section *section,
                             uint32_t slot_index)
{
    prfdata_region_count *count = (prfdata_region_count *)(void *)(bytes + section->count_offset);

    if (slot_index >= prfdata_load32_relaxed(&count->used_count))
        prfdata_store32_release(&count->used_count, slot_index + 1);
    PRFDATA_CRASH_POINT("A0");
}

/* A1. Returns the new generation. */
static uint32_t begin_building(prfdata_region_slot *slot)
{
    uint32_t generation = next_generation(slot);

    prfdata_store32_relaxed(&slot->tag, PRFDATA_SLOT_TAG(generation, PRFDATA_SLOT_BUILDING));
    prfdata_fence_release(); /* no reader may see a later store under the old tag */
    PRFDATA_CRASH_POINT("A1");
    return generation;
}

static uint64_t load_counted(uint8_t *bytes, const prfdata_model_object *object,
                             const prfdata_region_section *section, uint32_t slot_index,
                             const prfdata_model_counter *counter)
{
    const uint64_t *cells = prfdata_region_cells_at(bytes, section, slot_index);
    const prfdata_model_distribution *distribution;
    uint64_t value = prfdata_load64_relaxed(&cells[counter->cell_index]);

    if (counter->shows) {
        distribution = &object->distributions[counter->distribution_index];
        return prfdata_distribution_values_total(
            counter, distribution,
            prfdata_region_distribution_at(bytes, section, slot_index, distribution));
    }
    if (counter->is_hot)
        value += prfdata_lanes_sum(
            prfdata_region_lanes_at(bytes, section, slot_index, counter->hot_index));
    return value;
}

/* B1. Returns whether any of the slot's distributions had records. */
static bool start_distributions(uint8_t *bytes, const prfdata_model_object *object,
                                const prfdata_region_section *section, uint32_t slot_index)
{
    const uint32_t time = object->distribution_count > 0 ? prfdata_distribution_time() : 0;
    uint64_t any = 0;

    for (uint32_t i = 0; i < object->distribution_count; i++) {
        const prfdata_model_distribution *distribution = &object->distributions[i];
        uint64_t *words = prfdata_region_distribution_at(bytes, section, slot_index, distribution);

        any |= prfdata_distribution_count(words, distribution->shape.bucket_count - 1);
        prfdata_distribution_start(words, &distribution->shape,
                                   prfdata_distribution_epoch(&distribution->shape, time));
    }
    return any != 0;
}

/* Records the present counts as baselines. Returns whether any baseline is not 0. */
static bool record_baselines(uint8_t *bytes, const prfdata_model_object *object,
                             const prfdata_region_section *section, uint32_t slot_index)
{
    uint64_t *baselines = prfdata_region_baselines_at(bytes, section, slot_index);
    uint64_t any = 0;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        if (counter->merging == PRFDATA_MERGING_ACCUMULATE) {
            uint64_t value = load_counted(bytes, object, section, slot_index, counter);

            prfdata_store64_relaxed(&baselines[counter->cell_index], value);
            any |= value;
        }
    }
    return any != 0;
}

static void store_name(uint8_t *bytes, const prfdata_region_section *section, uint32_t slot_index,
                       const prfdata_region_key *key)
{
    uint64_t *to = prfdata_region_name_at(bytes, section, slot_index);

    for (uint32_t i = 0; i < key->name_chars; i += 4) {
        uint16_t chars[4] = {0};
        uint32_t count = key->name_chars - i < 4 ? key->name_chars - i : 4;

        memcpy(chars, key->name + i, count * sizeof chars[0]);
        prfdata_region_store(&to[i / 4], chars, sizeof chars);
    }
}

uint32_t prfdata_region_slot_assign(uint8_t *bytes, const prfdata_model_object *object,
                                    const prfdata_region_section *section, uint32_t slot_index,
                                    const prfdata_region_key *key)
{
    prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);
    uint32_t flags = key->name ? 0 : PRFDATA_SLOT_HAS_UNIQUE_ID;
    uint32_t generation;
    bool has_baseline;

    prfdata_region_begin_change(bytes);
    raise_used_count(bytes, section, slot_index);
    generation = begin_building(slot);
    prfdata_store32_relaxed(&slot->identity, prfdata_load32_relaxed(&slot->identity) + 1);
    PRFDATA_CRASH_POINT("A2: identity");
    prfdata_region_reset_gauges(object, prfdata_region_cells_at(bytes, section, slot_index));
    PRFDATA_CRASH_POINT("A2: gauges");
    has_baseline = record_baselines(bytes, object, section, slot_index);
    if (start_distributions(bytes, object, section, slot_index) || has_baseline)
        flags |= PRFDATA_SLOT_HAS_BASELINE;
    PRFDATA_CRASH_POINT("A2: baselines");
    prfdata_store32_relaxed(&slot->flags, flags);
    prfdata_store32_relaxed(&slot->parent_slot, key->parent_slot);
    prfdata_store32_relaxed(&slot->parent_identity, key->parent_identity);
    prfdata_store32_relaxed((uint32_t *)&slot->unique_id, (uint32_t)key->unique_id);
    prfdata_store32_relaxed(&slot->name_chars, key->name ? key->name_chars : 0);
    if (key->name)
        store_name(bytes, section, slot_index, key);
    PRFDATA_CRASH_POINT("A2: name");
    prfdata_region_set_slot_state(slot, generation, PRFDATA_SLOT_LIVE);
    PRFDATA_CRASH_POINT("A3");
    prfdata_region_end_change(bytes);
    return generation;
}

uint32_t prfdata_region_slot_revive(uint8_t *bytes, const prfdata_model_object *object,
                                    const prfdata_region_section *section, uint32_t slot_index)
{
    prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);
    uint32_t generation = next_generation(slot);

    prfdata_region_begin_change(bytes);
    prfdata_region_reset_gauges(object, prfdata_region_cells_at(bytes, section, slot_index));
    PRFDATA_CRASH_POINT("V1");
    prfdata_region_set_slot_state(slot, generation, PRFDATA_SLOT_LIVE);
    PRFDATA_CRASH_POINT("V2");
    prfdata_region_end_change(bytes);
    return generation;
}

void prfdata_region_slot_retire(uint8_t *bytes, const prfdata_region_section *section,
                                uint32_t slot_index, uint64_t freed)
{
    prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);

    prfdata_region_begin_change(bytes);
    prfdata_store64_relaxed(&slot->freed, freed);
    PRFDATA_CRASH_POINT("D1");
    prfdata_region_set_slot_state(slot, PRFDATA_SLOT_GENERATION(prfdata_load32_relaxed(&slot->tag)),
                                  PRFDATA_SLOT_DORMANT);
    PRFDATA_CRASH_POINT("D2");
    prfdata_region_end_change(bytes);
}
