/* SPDX-License-Identifier: MIT */
/* Encodes a map, and computes the size of the encoding. */
#include "map/map_bytes.h"

#include <string.h>

#include "map/map_options.h"
#include "names/names.h"

/* Writes at most `capacity` bytes, and counts all bytes. */
typedef struct writer {
    unsigned char *bytes;
    uint64_t capacity;
    uint64_t used; /* 64 bits, because the texts of an invalid map may exceed 4 GiB */
} writer;

static void encode_number(writer *out, uint64_t number, unsigned byte_count)
{
    for (unsigned i = 0; i < byte_count; i++) {
        if (out->used < out->capacity)
            out->bytes[out->used] = (unsigned char)(number >> (8 * i));
        out->used++;
    }
}

static void encode_ascii(writer *out, const char *text)
{
    size_t size = text ? strlen(text) : 0;

    encode_number(out, size, 2);
    if (size > 0 && out->used < out->capacity && size <= out->capacity - out->used)
        memcpy(out->bytes + out->used, text, size);
    out->used += size;
}

static void encode_wide(writer *out, const wchar_t *text)
{
    size_t size = text ? prfdata_names_utf8_from_wide(text, NULL, 0) : 0;

    if (size == SIZE_MAX)
        size = 0;
    encode_number(out, size, 2);
    if (size > 0 && out->used < out->capacity && size <= out->capacity - out->used)
        prfdata_names_utf8_from_wide(text, (char *)out->bytes + out->used, size);
    out->used += size;
}

static void encode_texts(writer *out, const prfdata_map_entry *entry)
{
    encode_ascii(out, entry->symbol);
    encode_wide(out, entry->name);
    encode_wide(out, entry->help);
}

static void encode_option(writer *out, const prfdata_map_entry *entry)
{
    const prfdata_map_option *option = prfdata_map_options_find(entry->option);

    encode_number(out, entry->option, 4);
    encode_number(out, entry->id, 4);
    if (option && option->has_texts) {
        encode_wide(out, entry->name);
        encode_wide(out, entry->help);
    }
    for (size_t i = 0; option && i < option->number_count; i++) {
        uint64_t number = 0;

        memcpy(&number, (const unsigned char *)entry + option->numbers[i].offset,
               option->numbers[i].byte_count); /* every supported processor is little-endian */
        encode_number(out, number, option->numbers[i].byte_count);
    }
}

static void encode_entry(writer *out, const prfdata_map_entry *entry)
{
    encode_number(out, entry->kind, 1);
    switch (entry->kind) {
    case PRFDATA_ENTRY_OBJECT:
        encode_number(out, entry->id, 4);
        encode_number(out, entry->detail_level, 4);
        encode_number(out, entry->default_counter, 4);
        encode_number(out, (uint32_t)entry->max_instances, 4);
        encode_number(out, entry->max_name_chars, 4);
        encode_texts(out, entry);
        return;
    case PRFDATA_ENTRY_COUNTER:
        encode_number(out, entry->id, 4);
        encode_number(out, entry->detail_level, 4);
        encode_number(out, (uint32_t)entry->default_scale, 4);
        encode_number(out, entry->type, 4);
        encode_texts(out, entry);
        return;
    default:
        encode_option(out, entry);
    }
}

static void encode_lines(writer *out, const prfdata_map *map, uint64_t total_bytes, uint64_t hash)
{
    encode_number(out, PRFDATA_MAP_BYTES_MAGIC, 4);
    encode_number(out, PRFDATA_MAP_BYTES_MAJOR, 2);
    encode_number(out, PRFDATA_MAP_BYTES_MINOR, 2);
    encode_number(out, total_bytes, 4);
    encode_number(out, map->entry_count, 4);
    encode_number(out, hash, 8);
    encode_ascii(out, map->service);
    for (uint32_t i = 0; i < map->entry_count; i++)
        encode_entry(out, &map->entries[i]);
}

uint64_t prfdata_map_bytes_size(const prfdata_map *map)
{
    writer out = {NULL, 0, 0};

    encode_lines(&out, map, 0, 0);
    return out.used;
}

uint32_t prfdata_map_bytes_encode(const prfdata_map *map, uint64_t hash, void *bytes,
                                  size_t capacity, size_t *size)
{
    writer out = {bytes, 0, 0};

    *size = (size_t)prfdata_map_bytes_size(map); /* fits, because the check has limited the size */
    if (capacity < *size)
        return ERROR_INSUFFICIENT_BUFFER;

    out.capacity = capacity;
    encode_lines(&out, map, *size, hash);
    return ERROR_SUCCESS;
}
