/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a region: layout, validity, the writer's steps. Comments name the rules and steps of
 * region-format.md. Knows nothing of files, processes and look-up tables.
 */
#include "core/region.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "core/crash_points.h"
#include "core/names.h"
#include "core/shown.h"

static uint64_t round_up_bytes(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static prfdata_region_header *region_header(uint8_t *bytes)
{
    return (prfdata_region_header *)(void *)bytes;
}

/* ---- Layout ---- */

static uint64_t place_section(const prfdata_model_object *object, uint32_t slot_count,
                              uint64_t offset, prfdata_region_section *section)
{
    const uint64_t slots = object->has_instances ? slot_count : 0;
    uint64_t end;

    section->slot_count = slot_count;
    section->name_stride = (uint32_t)round_up_bytes(2ull * object->name_chars, 8);
    section->cell_stride =
        (uint32_t)round_up_bytes(8ull * object->stored_count, PRFDATA_REGION_LINE);
    section->slots_offset = offset;
    section->names_offset = section->slots_offset + sizeof(prfdata_region_slot) * slots;
    section->baselines_offset =
        section->names_offset + round_up_bytes(section->name_stride * slots, PRFDATA_REGION_LINE);
    section->cells_offset = section->baselines_offset + section->cell_stride * slots;
    end = section->cells_offset + (uint64_t)section->cell_stride * slot_count;
    section->lane_words = prfdata_lanes_words_per_slot(object->hot_count);
    section->lanes_offset = object->hot_count > 0 ? round_up_bytes(end, PRFDATA_LANES_STRIDE) : end;
    section->distributions_stride = object->distributions_bytes;
    section->distributions_offset =
        section->lanes_offset + prfdata_lanes_bytes(slot_count, section->lane_words);
    return section->distributions_offset + (uint64_t)section->distributions_stride * slot_count;
}

static bool slot_count_fits(const prfdata_model_object *object, uint32_t slot_count)
{
    return slot_count >= 1 && slot_count <= (object->has_instances ? PRFDATA_MAX_INSTANCES : 1) &&
           (uint64_t)slot_count * object->distributions_bytes <= PRFDATA_MAX_DISTRIBUTIONS_BYTES;
}

uint32_t prfdata_region_layout_make(const prfdata_model *model, const uint32_t *slot_counts,
                                    prfdata_region_layout **layout)
{
    prfdata_region_layout *made;
    uint64_t offset = sizeof(prfdata_region_header) +
                      round_up_bytes(sizeof(prfdata_region_count) * (uint64_t)model->object_count,
                                     PRFDATA_REGION_LINE);

    made = calloc(1, sizeof *made + model->object_count * sizeof made->sections[0]);
    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    made->object_count = model->object_count;
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *object = &model->objects[i];
        uint32_t slot_count = slot_counts ? slot_counts[i] : object->max_instances;

        if (!slot_count_fits(object, slot_count)) {
            free(made);
            return ERROR_INVALID_DATA;
        }
        made->sections[i].count_offset =
            sizeof(prfdata_region_header) + sizeof(prfdata_region_count) * (uint64_t)i;
        offset = place_section(object, slot_count, offset, &made->sections[i]);
    }
    made->total_bytes = offset;
    *layout = made;
    return ERROR_SUCCESS;
}

/* ---- Validity ---- */

static prfdata_region_verdict check_region_header(const prfdata_region_header *header,
                                                  const prfdata_model *model)
{
    if (header->magic != PRFDATA_REGION_MAGIC) /* R2 */
        return PRFDATA_REGION_UNFINISHED;
    if (header->major != PRFDATA_REGION_MAJOR || header->features != 0) /* R3, R4 */
        return PRFDATA_REGION_OTHER_VERSION;
    if (header->state == PRFDATA_REGION_BUILDING) /* R9, before all that need not be there yet */
        return PRFDATA_REGION_UNFINISHED;
    if (header->map_hash != model->hash) /* R5 */
        return PRFDATA_REGION_OTHER_MAP;
    if (header->object_count != model->object_count) /* R6 */
        return PRFDATA_REGION_DAMAGED;
    if (header->state > PRFDATA_REGION_CLOSED)
        return PRFDATA_REGION_DAMAGED;
    return PRFDATA_REGION_VALID;
}

/* R7 and R8. Owns nothing while it reads, because a reader's guard may end it there. */
static prfdata_region_verdict check_region_size(const uint8_t *bytes, uint64_t size,
                                                const prfdata_model *model,
                                                prfdata_region_layout **layout)
{
    const size_t table_bytes = sizeof(prfdata_region_count) * model->object_count;
    prfdata_region_count counts[PRFDATA_MAX_OBJECTS];
    uint32_t slot_counts[PRFDATA_MAX_OBJECTS];
    prfdata_region_layout *made;
    uint32_t error;

    if (size - sizeof(prfdata_region_header) < table_bytes || table_bytes > sizeof counts)
        return PRFDATA_REGION_DAMAGED;
    prfdata_region_load(counts, bytes + sizeof(prfdata_region_header), table_bytes);
    for (uint32_t i = 0; i < model->object_count; i++)
        slot_counts[i] = counts[i].slot_count;
    error = prfdata_region_layout_make(model, slot_counts, &made);
    if (error)
        return error == ERROR_INVALID_DATA ? PRFDATA_REGION_DAMAGED : PRFDATA_REGION_NO_MEMORY;
    if (made->total_bytes != size) {
        free(made);
        return PRFDATA_REGION_DAMAGED;
    }
    *layout = made;
    return PRFDATA_REGION_VALID;
}

bool prfdata_region_load_header(const uint8_t *bytes, uint64_t size, prfdata_region_header *header)
{
    uint32_t state;

    if (size < sizeof *header)
        return false;
    state = prfdata_load32_acquire(&((const prfdata_region_header *)(const void *)bytes)->state);
    PRFDATA_CRASH_POINT("R: state");
    prfdata_region_load(header, bytes, sizeof *header);
    header->state = state;
    return true;
}

prfdata_region_verdict prfdata_region_check_loaded(const prfdata_region_header *header,
                                                   const uint8_t *bytes, uint64_t size,
                                                   const prfdata_model *model, uint64_t boot,
                                                   prfdata_region_layout **layout)
{
    prfdata_region_verdict verdict = check_region_header(header, model);

    if (verdict == PRFDATA_REGION_VALID)
        verdict = check_region_size(bytes, size, model, layout);
    if (verdict == PRFDATA_REGION_VALID && header->boot != boot) /* R10 */
        verdict = PRFDATA_REGION_OTHER_BOOT;
    return verdict;
}

prfdata_region_verdict prfdata_region_check(const uint8_t *bytes, uint64_t size,
                                            const prfdata_model *model, uint64_t boot,
                                            prfdata_region_header *header,
                                            prfdata_region_layout **layout)
{
    return prfdata_region_load_header(bytes, size, header)
               ? prfdata_region_check_loaded(header, bytes, size, model, boot, layout)
               : PRFDATA_REGION_UNFINISHED; /* R1 */
}

/* ---- Access ---- */

void prfdata_region_load(void *private_bytes, const void *shared_bytes, size_t size)
{
    const uint64_t *from = shared_bytes;
    unsigned char *to = private_bytes;

    for (size_t i = 0; i < size / sizeof *from; i++) {
        uint64_t word = prfdata_load64_relaxed(&from[i]);

        memcpy(to + i * sizeof word, &word, sizeof word);
    }
}

/* Lane by lane: so a counter and its base are read of one thread at one time. */
static void add_lanes(uint64_t *cells, uint8_t *bytes, const prfdata_model_object *object,
                      const prfdata_region_section *section, uint32_t slot_index)
{
    for (uint32_t lane = 0; lane < PRFDATA_LANES; lane++)
        for (uint32_t i = 0; i < object->hot_count; i++)
            cells[object->hot_cells[i]] +=
                prfdata_load64_relaxed(prfdata_region_lanes_at(bytes, section, slot_index, i) +
                                       (size_t)lane * PRFDATA_LANES_BLOCK_WORDS);
}

void prfdata_region_load_cells(uint64_t *cells, uint8_t *bytes, const prfdata_model_object *object,
                               const prfdata_region_section *section, uint32_t slot_index)
{
    prfdata_region_load(cells, prfdata_region_cells_at(bytes, section, slot_index),
                        section->cell_stride);
    if (object->hot_count > 0)
        add_lanes(cells, bytes, object, section, slot_index);
}

static void store_region_words(void *shared_bytes, const void *private_bytes, size_t size)
{
    const unsigned char *from = private_bytes;
    uint64_t *to = shared_bytes;

    for (size_t i = 0; i < size / sizeof *to; i++) {
        uint64_t word;

        memcpy(&word, from + i * sizeof word, sizeof word);
        prfdata_store64_relaxed(&to[i], word);
    }
}

/* ---- Writer: the structure word ---- */

static void set_region_state(uint8_t *bytes, uint32_t state)
{
    prfdata_store32_release(&region_header(bytes)->state, state);
}

/* No addition: the word is odd already where a process was killed in the middle of a change. */
static void begin_structure_change(uint8_t *bytes)
{
    uint64_t *structure = &region_header(bytes)->structure;

    prfdata_store64_relaxed(structure, prfdata_load64_relaxed(structure) | 1);
    prfdata_fence_release(); /* no later store may be seen under the old word */
    PRFDATA_CRASH_POINT("W1");
}

static void end_structure_change(uint8_t *bytes)
{
    uint64_t *structure = &region_header(bytes)->structure;

    prfdata_store64_release(structure, (prfdata_load64_relaxed(structure) | 1) + 1);
    PRFDATA_CRASH_POINT("W2");
}

/* ---- Writer: creation ---- */

void prfdata_region_format(uint8_t *bytes, const prfdata_model *model,
                           const prfdata_region_layout *layout, uint64_t boot, uint32_t process_id)
{
    prfdata_region_header header = {0};
    prfdata_region_count *counts = (prfdata_region_count *)(void *)(bytes + sizeof header);

    PRFDATA_CRASH_POINT("C1");
    for (uint32_t i = 0; i < layout->object_count; i++)
        prfdata_store32_relaxed(&counts[i].slot_count, layout->sections[i].slot_count);
    header.magic = PRFDATA_REGION_MAGIC;
    header.major = PRFDATA_REGION_MAJOR;
    header.minor = PRFDATA_REGION_MINOR;
    header.map_hash = model->hash;
    header.boot = boot;
    header.state = PRFDATA_REGION_BUILDING;
    header.epoch = 1;
    header.object_count = model->object_count;
    header.process_id = process_id;
    header.structure = 1;
    store_region_words(bytes, &header, sizeof header);
    PRFDATA_CRASH_POINT("C2");
    set_region_state(bytes, PRFDATA_REGION_PUBLISHED);
    PRFDATA_CRASH_POINT("C3");
    end_structure_change(bytes);
}

void prfdata_region_hide(uint8_t *bytes)
{
    begin_structure_change(bytes);
    set_region_state(bytes, PRFDATA_REGION_CLOSED);
    PRFDATA_CRASH_POINT("closed");
    end_structure_change(bytes);
}

/* ---- Writer: take-over ---- */

static void reset_gauges(const prfdata_model_object *object, uint64_t *cells)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        if (prfdata_region_is_gauge(counter->merge))
            prfdata_store64_relaxed(&cells[counter->cell_index], 0);
    }
}

static void set_slot_state(prfdata_region_slot *slot, uint32_t generation, uint32_t state)
{
    prfdata_store32_release(&slot->tag, PRFDATA_SLOT_TAG(generation, state));
}

/* `keeps_name`: the name may come back. Else the slot becomes free. */
static void put_to_sleep(prfdata_region_slot *slot, bool keeps_name, uint64_t *freed)
{
    const uint32_t tag = prfdata_load32_relaxed(&slot->tag);
    const uint32_t state = PRFDATA_SLOT_STATE(tag);

    if (state == PRFDATA_SLOT_FREE || (state == PRFDATA_SLOT_DORMANT && keeps_name))
        return;
    if (state == PRFDATA_SLOT_LIVE && keeps_name) {
        prfdata_store64_relaxed(&slot->freed, ++*freed);
        PRFDATA_CRASH_POINT("T2: freed");
        set_slot_state(slot, PRFDATA_SLOT_GENERATION(tag), PRFDATA_SLOT_DORMANT);
        PRFDATA_CRASH_POINT("T2: dormant");
        return;
    }
    set_slot_state(slot, PRFDATA_SLOT_GENERATION(tag), PRFDATA_SLOT_FREE);
    PRFDATA_CRASH_POINT("T2: free");
}

/* K6: the copies that the process that ended was making. */
static void finish_copies(uint8_t *bytes, const prfdata_model_object *object,
                          const prfdata_region_section *section, uint32_t slot_index)
{
    for (uint32_t i = 0; i < object->distribution_count; i++)
        prfdata_distribution_finish_copy(
            prfdata_region_distribution_at(bytes, section, slot_index, &object->distributions[i]),
            &object->distributions[i].shape);
}

static void take_over_object(uint8_t *bytes, const prfdata_model_object *object,
                             const prfdata_region_section *section, bool is_own, uint64_t *freed)
{
    /* Another process may get the process id that is in a name, and is not to show its counts. */
    const bool keeps_names = is_own || !(object->options & PRFDATA_OPTION_PER_PROCESS);

    for (uint32_t i = 0; i < section->slot_count; i++) {
        if (object->has_instances)
            put_to_sleep(prfdata_region_slot_at(bytes, section, i), keeps_names, freed);
        reset_gauges(object, prfdata_region_cells_at(bytes, section, i));
        if (!is_own)
            finish_copies(bytes, object, section, i);
    }
}

static void forget_bracket(uint64_t *entered, uint64_t *left)
{
    prfdata_store64_relaxed(entered, 0);
    prfdata_store64_relaxed(left, 0);
}

/* Threads that were inside a bracket when their process ended will never leave it. */
static void forget_brackets(uint8_t *bytes, const prfdata_model *model,
                            const prfdata_region_layout *layout)
{
    for (uint32_t i = 0; i < layout->object_count; i++) {
        const prfdata_region_section *section = &layout->sections[i];

        for (uint32_t j = 0; model->objects[i].has_instances && j < section->slot_count; j++) {
            prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, j);

            forget_bracket(&slot->entered, &slot->left);
        }
    }
    forget_bracket(&region_header(bytes)->entered, &region_header(bytes)->left);
    prfdata_store32_relaxed(&region_header(bytes)->hints,
                            prfdata_load32_relaxed(&region_header(bytes)->hints) &
                                ~(uint32_t)PRFDATA_REGION_HINT_BRACKETS);
}

void prfdata_region_take_over(uint8_t *bytes, const prfdata_model *model,
                              const prfdata_region_layout *layout, uint32_t process_id,
                              uint64_t *freed, bool is_own)
{
    prfdata_region_header *header = region_header(bytes);

    begin_structure_change(bytes);
    set_region_state(bytes, PRFDATA_REGION_TAKEN_OVER);
    prfdata_fence(); /* no reader may see a later step and still take the region for live */
    PRFDATA_CRASH_POINT("T1");
    for (uint32_t i = 0; i < layout->object_count; i++) {
        take_over_object(bytes, &model->objects[i], &layout->sections[i], is_own, freed);
        PRFDATA_CRASH_POINT("T2: object");
    }
    if (!is_own)
        forget_brackets(bytes, model, layout);
    PRFDATA_CRASH_POINT("T3");
    prfdata_store32_relaxed(&header->process_id, process_id);
    prfdata_store32_relaxed(&header->epoch, prfdata_load32_relaxed(&header->epoch) + 1);
    PRFDATA_CRASH_POINT("T4");
    set_region_state(bytes, PRFDATA_REGION_PUBLISHED);
    PRFDATA_CRASH_POINT("T5");
    end_structure_change(bytes);
}

/* ---- Keys ---- */

uint64_t prfdata_region_key_hash(const prfdata_region_key *key, uint64_t seed)
{
    const uint64_t parent = key->parent_slot == PRFDATA_NONE
                                ? 0
                                : ((uint64_t)key->parent_slot << 32 | key->parent_identity) + 1;
    const uint16_t number[2] = {(uint16_t)key->unique_id,
                                (uint16_t)((uint32_t)key->unique_id >> 16)};

    return key->name ? prfdata_names_hash(key->name, key->name_chars, seed ^ parent)
                     : prfdata_names_hash(number, 2, seed ^ parent ^ 1);
}

static bool same_parent(const prfdata_region_key *a, const prfdata_region_key *b)
{
    return a->parent_slot == b->parent_slot &&
           (a->parent_slot == PRFDATA_NONE || a->parent_identity == b->parent_identity);
}

bool prfdata_region_keys_equal(const prfdata_region_key *a, const prfdata_region_key *b)
{
    if (!same_parent(a, b) || !a->name != !b->name)
        return false;
    if (!a->name)
        return a->unique_id == b->unique_id;
    return prfdata_names_equal(a->name, a->name_chars, b->name, b->name_chars);
}

/* ---- Writer: slots ---- */

static uint32_t next_generation(const prfdata_region_slot *slot)
{
    uint32_t generation = PRFDATA_SLOT_GENERATION(prfdata_load32_relaxed(&slot->tag)) + 1;

    return PRFDATA_SLOT_GENERATION(PRFDATA_SLOT_TAG(generation, 0)); /* wraps at 30 bits */
}

/* A0. */
static void raise_used_count(uint8_t *bytes, const prfdata_region_section *section,
                             uint32_t slot_index)
{
    prfdata_region_count *count = (prfdata_region_count *)(void *)(bytes + section->count_offset);

    if (slot_index >= prfdata_load32_relaxed(&count->used_count))
        prfdata_store32_release(&count->used_count, slot_index + 1);
    PRFDATA_CRASH_POINT("A0");
}

/* A1. Returns the generation that is being built. */
static uint32_t begin_building(prfdata_region_slot *slot)
{
    uint32_t generation = next_generation(slot);

    prfdata_store32_relaxed(&slot->tag, PRFDATA_SLOT_TAG(generation, PRFDATA_SLOT_BUILDING));
    prfdata_fence_release(); /* no later store may be seen under the old tag */
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
        return prfdata_shown_total(
            counter, distribution,
            prfdata_region_distribution_at(bytes, section, slot_index, distribution));
    }
    if (counter->is_hot)
        value += prfdata_lanes_sum(
            prfdata_region_lanes_at(bytes, section, slot_index, counter->hot_index));
    return value;
}

/* B1. Returns whether any of the slot's distributions holds something. */
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

/* Record as baselines what the accumulating cells and lanes hold. Returns whether any is not 0. */
static bool record_baselines(uint8_t *bytes, const prfdata_model_object *object,
                             const prfdata_region_section *section, uint32_t slot_index)
{
    uint64_t *baselines = prfdata_region_baselines_at(bytes, section, slot_index);
    uint64_t any = 0;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        if (counter->merge == PRFDATA_MERGE_ACCUMULATE) {
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
        store_region_words(&to[i / 4], chars, sizeof chars);
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

    begin_structure_change(bytes);
    raise_used_count(bytes, section, slot_index);
    generation = begin_building(slot);
    prfdata_store32_relaxed(&slot->identity, prfdata_load32_relaxed(&slot->identity) + 1);
    PRFDATA_CRASH_POINT("A2: identity");
    reset_gauges(object, prfdata_region_cells_at(bytes, section, slot_index));
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
    set_slot_state(slot, generation, PRFDATA_SLOT_LIVE);
    PRFDATA_CRASH_POINT("A3");
    end_structure_change(bytes);
    return generation;
}

uint32_t prfdata_region_slot_revive(uint8_t *bytes, const prfdata_model_object *object,
                                    const prfdata_region_section *section, uint32_t slot_index)
{
    prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);
    uint32_t generation = next_generation(slot);

    begin_structure_change(bytes);
    reset_gauges(object, prfdata_region_cells_at(bytes, section, slot_index));
    PRFDATA_CRASH_POINT("V1");
    set_slot_state(slot, generation, PRFDATA_SLOT_LIVE);
    PRFDATA_CRASH_POINT("V2");
    end_structure_change(bytes);
    return generation;
}

void prfdata_region_slot_retire(uint8_t *bytes, const prfdata_region_section *section,
                                uint32_t slot_index, uint64_t freed)
{
    prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, slot_index);

    begin_structure_change(bytes);
    prfdata_store64_relaxed(&slot->freed, freed);
    PRFDATA_CRASH_POINT("D1");
    set_slot_state(slot, PRFDATA_SLOT_GENERATION(prfdata_load32_relaxed(&slot->tag)),
                   PRFDATA_SLOT_DORMANT);
    PRFDATA_CRASH_POINT("D2");
    end_structure_change(bytes);
}
