/* SPDX-License-Identifier: MIT */
/*
 * Makes the value `Maps` of an installation: decides which maps are kept, and shortens the earlier
 * ones.
 */
#include "map/maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_bytes.h"
#include "map/title_numbers.h"

/* Whether an encoded map begins at `position`. */
static bool is_whole_map(prfdata_bytes value, size_t position, prfdata_maps_entry *entry)
{
    const uint32_t size = prfdata_bytes_get32(value, (uint64_t)position + 8);
    prfdata_model *model;

    if (prfdata_bytes_get32(value, position) != PRFDATA_MAP_BYTES_MAGIC ||
        !prfdata_bytes_have(value, position, size) ||
        prfdata_model_from_bytes(value.at + position, size, &model) != ERROR_SUCCESS)
        return false;
    *entry = (prfdata_maps_entry){value.at + position, size, model->hash};
    prfdata_model_free(model);
    return true;
}

void prfdata_maps_salvage(const void *bytes, size_t size, prfdata_maps *maps)
{
    const prfdata_bytes value = {bytes, size};
    prfdata_maps_entry entry;

    memset(maps, 0, sizeof *maps);
    for (size_t at = 0; at < size && maps->count < PRFDATA_MAX_MAPS; at++)
        if (is_whole_map(value, at, &entry) && !prfdata_maps_have(maps, entry.hash))
            maps->entries[maps->count++] = entry;
}

/* The maps of a new value, in memory of their own. */
typedef struct kept_maps {
    uint32_t count;
    void *bytes[PRFDATA_MAX_MAPS];
    size_t sizes[PRFDATA_MAX_MAPS];
    uint64_t hashes[PRFDATA_MAX_MAPS];
} kept_maps;

static bool is_kept(const kept_maps *kept, uint64_t hash)
{
    for (uint32_t i = 0; i < kept->count; i++)
        if (kept->hashes[i] == hash)
            return true;
    return false;
}

static uint32_t encode_kept_map(const prfdata_map *map, uint64_t hash, kept_maps *kept)
{
    size_t size = 0;
    void *bytes;

    (void)prfdata_map_bytes_encode(map, hash, NULL, 0, &size);
    bytes = malloc(size);
    if (!bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    (void)prfdata_map_bytes_encode(map, hash, bytes, size, &size);
    kept->bytes[kept->count] = bytes;
    kept->hashes[kept->count] = hash;
    kept->sizes[kept->count++] = size;
    return ERROR_SUCCESS;
}

/* The short symbol and name of an object or counter: `I` and its position in the table. */
typedef struct short_text {
    char symbol[12];
    wchar_t name[12];
} short_text;

static void make_short_text(uint32_t position, short_text *text)
{
    const int length = snprintf(text->symbol, sizeof text->symbol, "I%u", (unsigned)position);

    for (int i = 0; i <= length; i++)
        text->name[i] = (wchar_t)text->symbol[i];
}

/* Names of metrics are texts, too, so earlier maps are kept without them. */
static bool is_metric_option(const prfdata_map_entry *entry)
{
    return entry->kind == PRFDATA_ENTRY_OPTION && entry->option == PRFDATA_OPTION_METRIC;
}

/* Copies the map with short texts, in one allocation; NULL if memory is exhausted. */
static prfdata_map *make_short_map(const prfdata_map *map)
{
    const size_t entries_bytes = map->entry_count * sizeof(prfdata_map_entry);
    prfdata_map *made =
        malloc(sizeof *made + entries_bytes + map->entry_count * sizeof(short_text));
    prfdata_map_entry *entries;
    short_text *texts;

    if (!made)
        return NULL;
    entries = (prfdata_map_entry *)(made + 1);
    texts = (short_text *)((unsigned char *)entries + entries_bytes);
    *made = *map;
    made->entries = entries;
    made->entry_count = 0;
    for (uint32_t i = 0; i < map->entry_count; i++) {
        const uint32_t position = made->entry_count;

        if (is_metric_option(&map->entries[i]))
            continue;
        entries[position] = map->entries[i];
        made->entry_count++;
        if (entries[position].kind == PRFDATA_ENTRY_OPTION)
            continue;
        make_short_text(position, &texts[position]);
        entries[position].symbol = texts[position].symbol;
        entries[position].name = texts[position].name;
        entries[position].help = L"-";
    }
    return made;
}

/*
 * Keep a registered map with short texts instead of its own. Returns ERROR_INVALID_DATA if the map
 * is damaged, has a later format, or is too large with the short texts.
 */
static uint32_t keep_earlier_map(const prfdata_maps_entry *entry, kept_maps *kept)
{
    prfdata_model *model;
    prfdata_map *map;
    uint32_t error = prfdata_model_from_bytes(entry->bytes, entry->size, &model);

    if (error)
        return error == ERROR_NOT_ENOUGH_MEMORY ? error : ERROR_INVALID_DATA;
    map = make_short_map(model->map);
    if (!map)
        error = ERROR_NOT_ENOUGH_MEMORY;
    else if (prfdata_map_bytes_size(map) > PRFDATA_MAX_MAP_BYTES)
        error = ERROR_INVALID_DATA;
    else
        error = encode_kept_map(map, entry->hash, kept);
    free(map);
    prfdata_model_free(model);
    return error;
}

/* `kept` has the current map already. */
static uint32_t keep_earlier_maps(const prfdata_maps *former, kept_maps *kept, uint32_t *dropped)
{
    for (uint32_t i = 0; i < former->count; i++) {
        uint32_t error = ERROR_INVALID_DATA;

        if (is_kept(kept, former->entries[i].hash))
            continue;
        if (kept->count < PRFDATA_MAX_MAPS)
            error = keep_earlier_map(&former->entries[i], kept);
        if (error == ERROR_NOT_ENOUGH_MEMORY)
            return error;
        *dropped += error != ERROR_SUCCESS;
    }
    return ERROR_SUCCESS;
}

static uint32_t frame_maps(const kept_maps *kept, const prfdata_title_numbers *numbers,
                           const prfdata_model *model, void **bytes, size_t *size)
{
    size_t total = PRFDATA_MAPS_HEADER + prfdata_title_numbers_bytes(numbers, model);
    size_t position = PRFDATA_MAPS_HEADER;
    uint8_t *made;

    for (uint32_t i = 0; i < kept->count; i++)
        total += 4 + kept->sizes[i];
    made = malloc(total);
    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    prfdata_bytes_put(made, PRFDATA_MAPS_MAGIC, 4);
    prfdata_bytes_put(made + 4, PRFDATA_MAPS_MAJOR, 2);
    prfdata_bytes_put(made + 6, PRFDATA_MAPS_MINOR, 2);
    prfdata_bytes_put(made + 8, total, 4);
    prfdata_bytes_put(made + 12, kept->count, 4);
    for (uint32_t i = 0; i < kept->count; i++) {
        prfdata_bytes_put(made + position, kept->sizes[i], 4);
        memcpy(made + position + 4, kept->bytes[i], kept->sizes[i]);
        position += 4 + kept->sizes[i];
    }
    prfdata_title_numbers_put(numbers, model, made + position);
    *bytes = made;
    *size = total;
    return ERROR_SUCCESS;
}

static uint32_t number_and_frame(prfdata_model *model, const kept_maps *kept,
                                 prfdata_title_numbers *numbers, void **bytes, size_t *size)
{
    const uint32_t error = prfdata_title_numbers_assign(numbers, model);

    return error ? error : frame_maps(kept, numbers, model, bytes, size);
}

uint32_t prfdata_maps_update(prfdata_model *model, const void *former, size_t former_bytes,
                             prfdata_title_numbers *numbers, void **bytes, size_t *size,
                             uint32_t *dropped)
{
    prfdata_title_numbers own = {0};
    prfdata_maps before = {0};
    kept_maps kept = {0};
    bool is_damaged = false;
    uint32_t error;

    *dropped = 0;
    if (former && prfdata_maps_parse(former, former_bytes, &before)) {
        prfdata_maps_salvage(former, former_bytes, &before);
        *dropped = before.count == 0;
        is_damaged = true; /* so the numbers of its titles cannot be read */
    }
    error = encode_kept_map(model->map, model->hash, &kept);
    if (!error)
        error = keep_earlier_maps(&before, &kept, dropped);
    if (!error && !numbers && before.count > 0 && !is_damaged &&
        prfdata_title_numbers_read(&own, &before) == ERROR_NOT_ENOUGH_MEMORY)
        error = ERROR_NOT_ENOUGH_MEMORY;
    if (!error)
        error = number_and_frame(model, &kept, numbers ? numbers : &own, bytes, size);
    prfdata_title_numbers_free(&own);
    for (uint32_t i = 0; i < kept.count; i++)
        free(kept.bytes[i]);
    return error;
}
