/* SPDX-License-Identifier: MIT */
/*
 * The value `Maps`. Knows the frame around the encoded maps, and how an earlier map is kept; what
 * is in a map is map_bytes.c's.
 */
#include "core/maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/map_bytes.h"

enum { SIZE_FIELD_BYTES = 4, HASH_OFFSET = 16 };

/* ---- Reading ---- */

/* The map at `*position`, which moves behind it. Returns false if there is none. */
static bool parse_entry(prfdata_bytes value, size_t *position, prfdata_maps_entry *entry)
{
    size_t size;

    if (!prfdata_bytes_have(value, *position, SIZE_FIELD_BYTES))
        return false;
    size = (size_t)prfdata_bytes_get(value, *position, SIZE_FIELD_BYTES);
    *position += SIZE_FIELD_BYTES;
    if (size < PRFDATA_MAP_BYTES_HEADER || size > PRFDATA_MAX_MAP_BYTES ||
        !prfdata_bytes_have(value, *position, size))
        return false;
    entry->bytes = value.at + *position;
    entry->size = size;
    entry->hash = prfdata_bytes_get(value, *position + HASH_OFFSET, sizeof entry->hash);
    *position += size;
    return true;
}

static uint32_t check_maps_header(prfdata_bytes value, uint32_t *count)
{
    if (!prfdata_bytes_have(value, 0, PRFDATA_MAPS_HEADER) ||
        prfdata_bytes_get(value, 0, 4) != PRFDATA_MAPS_MAGIC)
        return ERROR_INVALID_DATA;
    if (prfdata_bytes_get(value, 4, 2) != PRFDATA_MAPS_MAJOR)
        return ERROR_REVISION_MISMATCH;
    *count = (uint32_t)prfdata_bytes_get(value, 12, 4);
    if (prfdata_bytes_get(value, 8, 4) != value.size || *count < 1 || *count > PRFDATA_MAX_MAPS)
        return ERROR_INVALID_DATA;
    return ERROR_SUCCESS;
}

uint32_t prfdata_maps_parse(const void *bytes, size_t size, prfdata_maps *maps)
{
    const prfdata_bytes value = {bytes, size};
    prfdata_maps parsed = {0};
    size_t position = PRFDATA_MAPS_HEADER;
    const uint32_t error = check_maps_header(value, &parsed.count);

    if (error)
        return error;
    for (uint32_t i = 0; i < parsed.count; i++)
        if (!parse_entry(value, &position, &parsed.entries[i]))
            return ERROR_INVALID_DATA;
    if (position != size && prfdata_bytes_get(value, 6, 2) <= PRFDATA_MAPS_MINOR)
        return ERROR_INVALID_DATA;
    *maps = parsed;
    return ERROR_SUCCESS;
}

uint32_t prfdata_maps_present(const void *bytes, size_t size, prfdata_model **model)
{
    prfdata_maps maps;
    const uint32_t error = prfdata_maps_parse(bytes, size, &maps);

    return error ? error
                 : prfdata_model_from_bytes(maps.entries[0].bytes, maps.entries[0].size, model);
}

bool prfdata_maps_have(const prfdata_maps *maps, uint64_t hash)
{
    for (uint32_t i = 0; i < maps->count; i++)
        if (maps->entries[i].hash == hash)
            return true;
    return false;
}

/* ---- Writing ---- */

/* The maps of a new value, in memory of their own. */
typedef struct kept_maps {
    uint32_t count;
    void *bytes[PRFDATA_MAX_MAPS];
    size_t sizes[PRFDATA_MAX_MAPS];
} kept_maps;

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
    kept->sizes[kept->count++] = size;
    return ERROR_SUCCESS;
}

/* `I` and the entry's position in the table: symbol and name of an entry that is kept. */
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

/* Names of metrics are texts, too: earlier maps are kept without them. */
static bool is_metric_option(const prfdata_map_entry *entry)
{
    return entry->kind == PRFDATA_ENTRY_OPTION && entry->option == PRFDATA_OPTION_METRIC;
}

/* A copy of the map with short texts, and memory for them in one allocation; NULL: no memory. */
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
 * Keep a map that was registered, without its texts. Returns ERROR_INVALID_DATA if it is damaged,
 * of a later format, or too large with these texts.
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

static uint32_t keep_earlier_maps(const prfdata_maps *former, uint64_t present_hash,
                                  kept_maps *kept, uint32_t *dropped)
{
    for (uint32_t i = 0; i < former->count; i++) {
        uint32_t error = ERROR_INVALID_DATA;

        if (former->entries[i].hash == present_hash)
            continue;
        if (kept->count < PRFDATA_MAX_MAPS)
            error = keep_earlier_map(&former->entries[i], kept);
        if (error == ERROR_NOT_ENOUGH_MEMORY)
            return error;
        *dropped += error != ERROR_SUCCESS;
    }
    return ERROR_SUCCESS;
}

static void put_maps_number(uint8_t *at, uint64_t number, unsigned byte_count)
{
    for (unsigned i = 0; i < byte_count; i++)
        at[i] = (uint8_t)(number >> (8 * i));
}

static uint32_t frame_maps(const kept_maps *kept, void **bytes, size_t *size)
{
    size_t total = PRFDATA_MAPS_HEADER;
    size_t position = PRFDATA_MAPS_HEADER;
    uint8_t *made;

    for (uint32_t i = 0; i < kept->count; i++)
        total += SIZE_FIELD_BYTES + kept->sizes[i];
    made = malloc(total);
    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    put_maps_number(made, PRFDATA_MAPS_MAGIC, 4);
    put_maps_number(made + 4, PRFDATA_MAPS_MAJOR, 2);
    put_maps_number(made + 6, PRFDATA_MAPS_MINOR, 2);
    put_maps_number(made + 8, total, 4);
    put_maps_number(made + 12, kept->count, 4);
    for (uint32_t i = 0; i < kept->count; i++) {
        put_maps_number(made + position, kept->sizes[i], SIZE_FIELD_BYTES);
        memcpy(made + position + SIZE_FIELD_BYTES, kept->bytes[i], kept->sizes[i]);
        position += SIZE_FIELD_BYTES + kept->sizes[i];
    }
    *bytes = made;
    *size = total;
    return ERROR_SUCCESS;
}

uint32_t prfdata_maps_update(const prfdata_model *model, const void *former, size_t former_bytes,
                             void **bytes, size_t *size, uint32_t *dropped)
{
    prfdata_maps before = {0};
    kept_maps kept = {0};
    uint32_t error;

    *dropped = 0;
    if (former && prfdata_maps_parse(former, former_bytes, &before))
        *dropped = 1;
    error = encode_kept_map(model->map, model->hash, &kept);
    if (!error)
        error = keep_earlier_maps(&before, model->hash, &kept, dropped);
    if (!error)
        error = frame_maps(&kept, bytes, size);
    for (uint32_t i = 0; i < kept.count; i++)
        free(kept.bytes[i]);
    return error;
}
