/* SPDX-License-Identifier: MIT */
/*
 * The encoded map, as MAP-BYTES.md specifies it: the lines of the table in their order. All numbers
 * are written and read byte by byte: neither the host's byte order nor its alignment matters. Knows
 * the shape of the bytes, not what makes a map right; that is map_check.c's.
 */
#include "core/map_bytes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/map_options.h"
#include "core/names.h"

/* ---- Writing ---- */

/* Never writes behind `capacity` and never stops counting: capacity 0 measures. */
typedef struct writer {
    unsigned char *bytes;
    uint64_t capacity;
    uint64_t used; /* 64 bits: a wrong map can name a long text often */
} writer;

static void put_number(writer *out, uint64_t number, unsigned byte_count)
{
    for (unsigned i = 0; i < byte_count; i++) {
        if (out->used < out->capacity)
            out->bytes[out->used] = (unsigned char)(number >> (8 * i));
        out->used++;
    }
}

static void put_ascii(writer *out, const char *text)
{
    size_t size = text ? strlen(text) : 0;

    put_number(out, size, 2);
    if (size > 0 && out->used < out->capacity && size <= out->capacity - out->used)
        memcpy(out->bytes + out->used, text, size);
    out->used += size;
}

static void put_wide(writer *out, const wchar_t *text)
{
    size_t size = text ? prfdata_names_utf8_from_wide(text, NULL, 0) : 0;

    if (size == SIZE_MAX)
        size = 0;
    put_number(out, size, 2);
    if (size > 0 && out->used < out->capacity && size <= out->capacity - out->used)
        prfdata_names_utf8_from_wide(text, (char *)out->bytes + out->used, size);
    out->used += size;
}

static void put_texts(writer *out, const prfdata_map_entry *entry)
{
    put_ascii(out, entry->symbol);
    put_wide(out, entry->name);
    put_wide(out, entry->help);
}

static void put_entry(writer *out, const prfdata_map_entry *entry)
{
    put_number(out, entry->kind, 1);
    switch (entry->kind) {
    case PRFDATA_ENTRY_OBJECT:
        put_number(out, entry->id, 4);
        put_number(out, entry->detail_level, 4);
        put_number(out, entry->default_counter, 4);
        put_number(out, (uint32_t)entry->max_instances, 4);
        put_number(out, entry->max_name_chars, 4);
        put_texts(out, entry);
        return;
    case PRFDATA_ENTRY_COUNTER:
        put_number(out, entry->id, 4);
        put_number(out, entry->detail_level, 4);
        put_number(out, (uint32_t)entry->default_scale, 4);
        put_number(out, entry->type, 4);
        put_texts(out, entry);
        return;
    default:
        put_number(out, entry->option, 4);
        put_number(out, entry->id, 4);
    }
}

static void put_map(writer *out, const prfdata_map *map, uint64_t total_bytes, uint64_t hash)
{
    put_number(out, PRFDATA_MAP_BYTES_MAGIC, 4);
    put_number(out, PRFDATA_MAP_BYTES_MAJOR, 2);
    put_number(out, PRFDATA_MAP_BYTES_MINOR, 2);
    put_number(out, total_bytes, 4);
    put_number(out, map->entry_count, 4);
    put_number(out, hash, 8);
    put_ascii(out, map->service);
    for (uint32_t i = 0; i < map->entry_count; i++)
        put_entry(out, &map->entries[i]);
}

uint64_t prfdata_map_bytes_size(const prfdata_map *map)
{
    writer out = {NULL, 0, 0};

    put_map(&out, map, 0, 0);
    return out.used;
}

uint32_t prfdata_map_bytes_encode(const prfdata_map *map, uint64_t hash, void *bytes,
                                  size_t capacity, size_t *size)
{
    writer out = {bytes, 0, 0};

    *size = (size_t)prfdata_map_bytes_size(map); /* the check has bounded it */
    if (capacity < *size)
        return ERROR_INSUFFICIENT_BUFFER;

    out.capacity = capacity;
    put_map(&out, map, *size, hash);
    return ERROR_SUCCESS;
}

/* ---- Reading ---- */

/* After a mistake `failed` is set, everything read is 0 and `position` stands still. */
typedef struct reader {
    prfdata_bytes bytes;
    size_t position;
    bool failed;
    wchar_t *wide; /* where the next name or help goes; room for `bytes.size` elements in all */
    char *ascii;   /* where the next symbol goes; likewise */
} reader;

static const unsigned char *take_bytes(reader *in, size_t size)
{
    if (in->failed || !prfdata_bytes_have(in->bytes, in->position, size)) {
        in->failed = true;
        return NULL;
    }
    in->position += size;
    return in->bytes.at + in->position - size;
}

static uint64_t take_number(reader *in, unsigned byte_count)
{
    size_t position = in->position;

    return take_bytes(in, byte_count) ? prfdata_bytes_get(in->bytes, position, byte_count) : 0;
}

static uint32_t take32(reader *in)
{
    return (uint32_t)take_number(in, 4);
}

/* A text's two bytes of size leave room for its NUL: `size` elements hold them all. */
static const char *take_ascii(reader *in)
{
    size_t size = (size_t)take_number(in, 2);
    const unsigned char *bytes = take_bytes(in, size);
    char *text = in->ascii;

    if (!bytes || memchr(bytes, 0, size)) {
        in->failed = true;
        return "";
    }
    memcpy(text, bytes, size);
    text[size] = 0;
    in->ascii += size + 1;
    return text;
}

static const wchar_t *take_wide(reader *in)
{
    size_t size = (size_t)take_number(in, 2);
    const unsigned char *bytes = take_bytes(in, size);
    wchar_t *text = in->wide;
    size_t length =
        bytes ? prfdata_names_wide_from_utf8((const char *)bytes, size, text) : SIZE_MAX;

    if (length == SIZE_MAX) {
        in->failed = true;
        return L"";
    }
    in->wide += length + 1;
    return text;
}

static void take_texts(reader *in, prfdata_map_entry *entry)
{
    entry->symbol = take_ascii(in);
    entry->name = take_wide(in);
    entry->help = take_wide(in);
}

static const char *option_symbol(uint32_t bit)
{
    const prfdata_map_option *option = prfdata_map_options_find(bit);

    return option ? option->symbol : ""; /* the check refuses it */
}

static void take_entry(reader *in, prfdata_map_entry *entry)
{
    entry->kind = (uint32_t)take_number(in, 1);
    switch (entry->kind) {
    case PRFDATA_ENTRY_OBJECT:
        entry->id = take32(in);
        entry->detail_level = take32(in);
        entry->default_counter = take32(in);
        entry->max_instances = (int32_t)take32(in);
        entry->max_name_chars = take32(in);
        take_texts(in, entry);
        return;
    case PRFDATA_ENTRY_COUNTER:
        entry->id = take32(in);
        entry->detail_level = take32(in);
        entry->default_scale = (int32_t)take32(in);
        entry->type = take32(in);
        take_texts(in, entry);
        return;
    case PRFDATA_ENTRY_OPTION:
        entry->option = take32(in);
        entry->id = take32(in);
        entry->symbol = option_symbol(entry->option);
        return;
    default:
        in->failed = true;
    }
}

typedef struct map_header {
    uint32_t magic;
    uint32_t major;
    uint32_t minor;
    uint32_t total_bytes;
    uint32_t entry_count;
    uint64_t hash;
} map_header;

static uint32_t take_header(reader *in, map_header *head)
{
    head->magic = take32(in);
    head->major = (uint32_t)take_number(in, 2);
    head->minor = (uint32_t)take_number(in, 2);
    head->total_bytes = take32(in);
    head->entry_count = take32(in);
    head->hash = take_number(in, 8);

    if (in->failed || head->magic != PRFDATA_MAP_BYTES_MAGIC)
        return ERROR_INVALID_DATA;
    if (head->major != PRFDATA_MAP_BYTES_MAJOR)
        return ERROR_REVISION_MISMATCH;
    if (head->total_bytes != in->bytes.size || in->bytes.size > PRFDATA_MAX_MAP_BYTES ||
        head->entry_count > (in->bytes.size - in->position) / PRFDATA_MAP_BYTES_LEAST_ENTRY)
        return ERROR_INVALID_DATA;
    return ERROR_SUCCESS;
}

/* The map, its entries, names and helps, symbols: in falling alignment, in one allocation. */
static prfdata_map *allocate_map(reader *in, uint32_t entry_count)
{
    size_t entries_bytes = entry_count * sizeof(prfdata_map_entry);
    size_t wide_bytes = in->bytes.size * sizeof(wchar_t);
    prfdata_map *map = calloc(1, sizeof(*map) + entries_bytes + wide_bytes + in->bytes.size);

    if (!map)
        return NULL;
    map->entry_bytes = sizeof(prfdata_map_entry);
    map->entry_count = entry_count;
    map->entries = (prfdata_map_entry *)(map + 1);
    in->wide = (wchar_t *)((unsigned char *)(map + 1) + entries_bytes);
    in->ascii = (char *)in->wide + wide_bytes;
    return map;
}

static bool take_map(reader *in, const map_header *head, prfdata_map *map)
{
    prfdata_map_entry *entries = (prfdata_map_entry *)(map + 1);

    map->service = take_ascii(in);
    for (uint32_t i = 0; i < head->entry_count && !in->failed; i++)
        take_entry(in, &entries[i]);
    if (in->failed)
        return false;
    /* What a later minor added stands behind everything that we know. */
    return in->position == in->bytes.size || head->minor > PRFDATA_MAP_BYTES_MINOR;
}

uint32_t prfdata_map_bytes_decode(const void *bytes, size_t size, prfdata_map **map, uint64_t *hash)
{
    reader in = {{bytes, size}, 0, false, NULL, NULL};
    map_header head;
    prfdata_map *decoded;
    uint32_t status = take_header(&in, &head);

    if (status != ERROR_SUCCESS)
        return status;
    decoded = allocate_map(&in, head.entry_count);
    if (!decoded)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!take_map(&in, &head, decoded)) {
        free(decoded);
        return ERROR_INVALID_DATA;
    }
    *map = decoded;
    *hash = head.hash;
    return ERROR_SUCCESS;
}
