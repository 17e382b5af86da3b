/* SPDX-License-Identifier: MIT */
/* Installs versions of a map one after the other. A few edits make each valid map from the one
 * before. Registered maps must be found again. Two maps with the same hash must have the same
 * regions. A counter that continues must have the same id, meaning and place; every other change
 * must have a message.
 *
 * Input: one byte. If it is even, installations follow, each a number of edits and the edits. If it
 * is odd, the bytes of a value `Maps` follow, which are parsed. */
#include <string.h>

#include "fuzz.h"
#include "fuzz_map.h"
#include "map/map_change.h"
#include "map/map_hash.h"
#include "region/region.h"
#include "regions/versions.h"
#include "snapshot/projection.h"

enum { MAX_ENTRIES = 40, MAX_INSTALLATIONS = 12, MAX_CHANGES = 64 };

typedef struct edited {
    prfdata_map map;
    prfdata_map_entry entries[MAX_ENTRIES];
    char symbols[MAX_ENTRIES][8]; /* symbols of the entries that were added */
    wchar_t names[MAX_ENTRIES][8];
    uint32_t added;
} edited;

/* ---- Editing ---- */

static void begin_with_fuzz_map(edited *map)
{
    memset(map, 0, sizeof *map);
    map->map = fuzz_map;
    memcpy(map->entries, fuzz_map.entries, fuzz_map.entry_count * sizeof map->entries[0]);
    map->map.entries = map->entries;
}

static void insert_entry(edited *map, uint32_t at, const prfdata_map_entry *entry)
{
    if (map->map.entry_count == MAX_ENTRIES)
        return;
    memmove(&map->entries[at + 1], &map->entries[at], (map->map.entry_count - at) * sizeof *entry);
    map->entries[at] = *entry;
    map->map.entry_count++;
}

static void remove_entry(edited *map, uint32_t at)
{
    map->map.entry_count--;
    memmove(&map->entries[at], &map->entries[at + 1],
            (map->map.entry_count - at) * sizeof map->entries[0]);
}

/* Return a copy of the entry with its own texts and this id. */
static prfdata_map_entry copy_of(edited *map, uint32_t at, uint32_t id)
{
    prfdata_map_entry copy = map->entries[at];
    const uint32_t number = map->added++ % MAX_ENTRIES;
    const int chars = snprintf(map->symbols[number], 8, "n%u", (unsigned)map->added);

    for (int i = 0; i <= chars; i++)
        map->names[number][i] = (wchar_t)map->symbols[number][i];
    copy.symbol = map->symbols[number];
    copy.name = map->names[number];
    copy.id = id;
    return copy;
}

static void edit(edited *map, fuzz_input *input)
{
    static const uint32_t types[] = {
        PERF_COUNTER_COUNTER,        PERF_COUNTER_BULK_COUNT, PERF_COUNTER_RAWCOUNT,
        PERF_COUNTER_LARGE_RAWCOUNT, PERF_COUNTER_TIMER,      PERF_100NSEC_TIMER,
        PERF_ELAPSED_TIME,           PERF_COUNTER_NODATA,     PERF_AVERAGE_TIMER,
        PERF_AVERAGE_BULK,           PERF_AVERAGE_BASE,       PERF_PRECISION_SYSTEM_TIMER,
        PERF_LARGE_RAW_BASE,         PERF_RAW_FRACTION,       PERF_RAW_BASE,
        PERF_COUNTER_DELTA};
    const uint32_t at = fuzz_u8(input) % map->map.entry_count;
    prfdata_map_entry *entry = &map->entries[at];
    prfdata_map_entry other;

    switch (fuzz_u8(input) % 9) {
    case 0:
        entry->type = types[fuzz_u8(input) % 16];
        break;
    case 1:
        entry->id = fuzz_u8(input);
        break;
    case 2:
        entry->max_instances = (int32_t)(fuzz_u8(input) % 9) - 1;
        break;
    case 3:
        entry->max_name_chars = fuzz_u8(input);
        break;
    case 4:
        if (map->map.entry_count > 2)
            remove_entry(map, at);
        break;
    case 5:
        other = copy_of(map, at, 100u + fuzz_u8(input));
        insert_entry(map, fuzz_u8(input) % map->map.entry_count, &other);
        break;
    case 6:
        other = *entry;
        remove_entry(map, at);
        insert_entry(map, fuzz_u8(input) % (map->map.entry_count + 1), &other);
        break;
    case 7:
        entry->option = 1u << fuzz_u8(input) % 12;
        break;
    default:
        entry->default_counter = 100u + fuzz_u8(input);
    }
}

/* ---- Properties that must hold ---- */

static bool same_section(const prfdata_region_section *a, const prfdata_region_section *b)
{
    return a->name_stride == b->name_stride && a->cell_stride == b->cell_stride &&
           a->slots_offset == b->slots_offset && a->cells_offset == b->cells_offset;
}

/* Check that two maps with the same hash have the same layout for the same numbers of slots. */
static void check_same_layout(const prfdata_model *a, const prfdata_model *b)
{
    uint32_t slots[PRFDATA_MAX_OBJECTS];
    prfdata_region_layout *of_a, *of_b;

    FUZZ_CHECK(a->object_count == b->object_count);
    for (uint32_t i = 0; i < a->object_count; i++)
        slots[i] = a->objects[i].has_instances ? 3 : 1;
    FUZZ_CHECK(!prfdata_region_layout_make(a, slots, &of_a));
    FUZZ_CHECK(!prfdata_region_layout_make(b, slots, &of_b));
    FUZZ_CHECK(of_a->total_bytes == of_b->total_bytes);
    for (uint32_t i = 0; i < a->object_count; i++)
        FUZZ_CHECK(same_section(&of_a->sections[i], &of_b->sections[i]));
    free(of_a);
    free(of_b);
}

static const prfdata_model_counter *counter_of_cell(const prfdata_model_object *object,
                                                    uint32_t cell)
{
    for (uint32_t i = 0; i < object->counter_count; i++)
        if (object->counters[i].cell_index == cell)
            return &object->counters[i];
    FUZZ_CHECK(false);
    return NULL;
}

static bool is_changed(uint32_t id, const prfdata_map_change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (changes[i].entry->id == id)
            return true;
    return false;
}

/* Check that a cell continues exactly if the other map has the id and nothing about it has
 * changed. */
static void check_cell(const prfdata_projection *projection, uint32_t object_index, uint32_t cell,
                       const prfdata_map_change *changes, size_t change_count)
{
    const uint32_t *cells = projection->cells[object_index];
    const prfdata_model_object *to = &projection->to->objects[object_index];
    const prfdata_model_counter *counter = counter_of_cell(to, cell);
    const prfdata_model_object *from_object;
    const prfdata_model_counter *from =
        prfdata_model_find_counter(projection->from, counter->entry->id, &from_object);
    const bool goes_on = from && from->cell_index != PRFDATA_NONE &&
                         from_object->entry->id == to->entry->id &&
                         !is_changed(to->entry->id, changes, change_count) &&
                         !is_changed(counter->entry->id, changes, change_count);

    if (!goes_on) {
        FUZZ_CHECK(projection->from_objects[object_index] == PRFDATA_NONE ||
                   cells[cell] == PRFDATA_NONE);
        return;
    }
    FUZZ_CHECK(&projection->from->objects[projection->from_objects[object_index]] == from_object);
    FUZZ_CHECK(cells[cell] == from->cell_index);
    FUZZ_CHECK(prfdata_map_hash_class(from) == prfdata_map_hash_class(counter));
    FUZZ_CHECK(from->ticks == counter->ticks);
}

/* Check for each distribution that its window either does not continue, or continues completely the
 * window of a distribution with the same id and shape. */
static void check_windows(const prfdata_projection *projection, uint32_t object_index)
{
    const uint32_t *cells = projection->cells[object_index];
    const prfdata_model_object *to = &projection->to->objects[object_index];

    for (uint32_t d = 0; d < to->distribution_count; d++) {
        const prfdata_model_distribution *of = &to->distributions[d];
        const uint32_t first = cells[of->first_cell];
        const prfdata_model_object *from_object;
        const prfdata_model_distribution *from = NULL;

        for (uint32_t c = 0; c <= of->shape.bucket_count; c++)
            FUZZ_CHECK(cells[of->first_cell + c] == (first == PRFDATA_NONE ? first : first + c));
        if (first == PRFDATA_NONE)
            continue;
        from_object = &projection->from->objects[projection->from_objects[object_index]];
        for (uint32_t i = 0; i < from_object->distribution_count; i++)
            if (from_object->distributions[i].first_cell == first)
                from = &from_object->distributions[i];
        FUZZ_CHECK(from && from->entry->id == of->entry->id);
        FUZZ_CHECK(!memcmp(&from->shape, &of->shape, sizeof of->shape));
    }
}

static void check_sentences(const prfdata_map_change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[600];
        const size_t size = prfdata_map_change_text(&changes[i], text, sizeof text);

        FUZZ_CHECK(size > 20 && size < sizeof text && strlen(text) == size);
        FUZZ_CHECK(strstr(text, " now "));
    }
}

static void compare(const prfdata_model *from, const prfdata_model *to)
{
    prfdata_map_change changes[MAX_CHANGES];
    const size_t count = prfdata_map_change_find(from, to, changes, MAX_CHANGES);
    prfdata_projection *projection = prfdata_projection_make(from, to);

    FUZZ_CHECK(projection && count <= MAX_CHANGES);
    check_sentences(changes, count);
    for (uint32_t i = 0; i < to->object_count; i++) {
        check_windows(projection, i);
        for (uint32_t c = 0; c < to->objects[i].cell_count; c++) {
            if (c < to->objects[i].stored_count)
                check_cell(projection, i, c, changes, count);
            if (from->hash == to->hash)
                FUZZ_CHECK(projection->cells[i][c] == c);
        }
        if (from->hash == to->hash)
            FUZZ_CHECK(projection->from_objects[i] == i);
    }
    if (from->hash == to->hash) {
        FUZZ_CHECK(count == 0);
        check_same_layout(from, to);
    }
    prfdata_projection_free(projection);
}

/* ---- Installing ---- */

typedef struct installed {
    void *value;
    size_t size;
    uint64_t hashes[MAX_INSTALLATIONS]; /* the newest one first, each once */
    uint32_t count;
    prfdata_versions versions;
} installed;

static void remember_hash(installed *in, uint64_t hash)
{
    uint32_t at = 0;

    while (at < in->count && in->hashes[at] != hash)
        at++;
    if (at == in->count)
        in->count++;
    memmove(in->hashes + 1, in->hashes, at * sizeof hash);
    in->hashes[0] = hash;
}

static void check_registered(installed *in)
{
    prfdata_versions registered;

    FUZZ_CHECK(!prfdata_versions_meet(&in->versions, "FUZZ", in->value, in->size, &registered));
    FUZZ_CHECK(registered.count == (in->count < PRFDATA_MAX_MAPS ? in->count : PRFDATA_MAX_MAPS));
    for (uint32_t i = 0; i < registered.count; i++) {
        FUZZ_CHECK(registered.items[i]->model->hash == in->hashes[i]);
        FUZZ_CHECK(prfdata_versions_find(&registered, in->hashes[i]) == registered.items[i]);
        for (uint32_t k = 0; k < registered.count; k++)
            compare(registered.items[k]->model, registered.items[i]->model);
    }
    free(registered.items);
}

static void install_map(installed *in, const prfdata_map *map)
{
    prfdata_model *model;
    uint32_t dropped;
    void *value;
    size_t size;

    if (prfdata_model_make(map, &model))
        return; /* the edits made the map invalid */
    FUZZ_CHECK(!prfdata_maps_update(model, in->value, in->size, NULL, &value, &size, &dropped));
    remember_hash(in, model->hash);
    FUZZ_CHECK(dropped == (in->count > PRFDATA_MAX_MAPS));
    if (in->count > PRFDATA_MAX_MAPS)
        in->count = PRFDATA_MAX_MAPS;
    free(in->value);
    in->value = value;
    in->size = size;
    prfdata_model_free(model);
    check_registered(in);
}

static void play_installations(fuzz_input *input)
{
    static edited map;
    installed in = {0};

    begin_with_fuzz_map(&map);
    install_map(&in, &map.map);
    for (uint32_t i = 1; i < MAX_INSTALLATIONS && input->size > 0; i++) {
        for (uint32_t edits = fuzz_u8(input) % 4; edits > 0; edits--)
            edit(&map, input);
        install_map(&in, &map.map);
    }
    free(in.value);
    prfdata_versions_done(&in.versions);
}

/* ---- Any bytes ---- */

static void take_apart(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = fuzz_memory(size);
    prfdata_versions versions = {0};
    prfdata_versions registered = {0};
    uint32_t error;

    if (size > 0)
        memcpy(exact, bytes, size);
    error = prfdata_versions_meet(&versions, "Fuzz", exact, size, &registered);
    for (uint32_t i = 0; !error && i < registered.count; i++)
        compare(registered.items[i]->model, registered.items[0]->model);
    free(registered.items);
    prfdata_versions_done(&versions);
    free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_input input = {bytes, size};

    if (fuzz_u8(&input) % 2)
        take_apart(input.bytes, input.size);
    else
        play_installations(&input);
    return 0;
}
