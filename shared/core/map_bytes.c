/* SPDX-License-Identifier: MIT */
/*
 * The encoded map, as map-bytes.md specifies it: the lines of the table in their order. All numbers
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

/* Of an option that is not known the check says so. */
static bool option_has_texts(uint32_t bit)
{
    const prfdata_map_option *option = prfdata_map_options_find(bit);

    return option && option->has_texts;
}

/* ---- Writing ---- */

/* Never writes past `capacity` and never stops counting: capacity 0 measures. */
typedef struct writer {
    unsigned char *bytes;
    uint64_t capacity;
    uint64_t used; /* 64 bits: a wrong map can name a long text often */
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

/* What some options have besides: map-bytes.md. */
static void encode_option(writer *out, const prfdata_map_entry *entry)
{
    encode_number(out, entry->option, 4);
    encode_number(out, entry->id, 4);
    if (option_has_texts(entry->option)) {
        encode_wide(out, entry->name);
        encode_wide(out, entry->help);
    }
    if (entry->option == PRFDATA_OPTION_DISTRIBUTION) {
        encode_number(out, entry->lowest, 8);
        encode_number(out, entry->highest, 8);
        encode_number(out, entry->unit, 4);
        encode_number(out, entry->buckets_per_octave, 4);
        encode_number(out, entry->window_s, 4);
    } else if (entry->option == PRFDATA_OPTION_PERCENTILE ||
               entry->option == PRFDATA_OPTION_AT_MOST) {
        encode_number(out, entry->highest, 8);
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

    *size = (size_t)prfdata_map_bytes_size(map); /* the check has bounded it */
    if (capacity < *size)
        return ERROR_INSUFFICIENT_BUFFER;

    out.capacity = capacity;
    encode_lines(&out, map, *size, hash);
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

static const unsigned char *decode_bytes(reader *in, size_t size)
{
    if (in->failed || !prfdata_bytes_have(in->bytes, in->position, size)) {
        in->failed = true;
        return NULL;
    }
    in->position += size;
    return in->bytes.at + in->position - size;
}

static uint64_t decode_number(reader *in, unsigned byte_count)
{
    size_t position = in->position;

    return decode_bytes(in, byte_count) ? prfdata_bytes_get(in->bytes, position, byte_count) : 0;
}

static uint32_t decode_number32(reader *in)
{
    return (uint32_t)decode_number(in, 4);
}

/* A text's two bytes of size leave room for its NUL: `size` elements hold them all. */
static const char *decode_ascii(reader *in)
{
    size_t size = (size_t)decode_number(in, 2);
    const unsigned char *bytes = decode_bytes(in, size);
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

static const wchar_t *decode_wide(reader *in)
{
    size_t size = (size_t)decode_number(in, 2);
    const unsigned char *bytes = decode_bytes(in, size);
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

static void decode_texts(reader *in, prfdata_map_entry *entry)
{
    entry->symbol = decode_ascii(in);
    entry->name = decode_wide(in);
    entry->help = decode_wide(in);
}

static const char *option_symbol(uint32_t bit)
{
    const prfdata_map_option *option = prfdata_map_options_find(bit);

    return option ? option->symbol : ""; /* the check refuses it */
}

static void decode_option(reader *in, prfdata_map_entry *entry)
{
    entry->option = decode_number32(in);
    entry->id = decode_number32(in);
    entry->symbol = option_symbol(entry->option);
    if (option_has_texts(entry->option)) {
        entry->name = decode_wide(in);
        entry->help = decode_wide(in);
    }
    if (entry->option == PRFDATA_OPTION_DISTRIBUTION) {
        entry->lowest = decode_number(in, 8);
        entry->highest = decode_number(in, 8);
        entry->unit = decode_number32(in);
        entry->buckets_per_octave = decode_number32(in);
        entry->window_s = decode_number32(in);
    } else if (entry->option == PRFDATA_OPTION_PERCENTILE ||
               entry->option == PRFDATA_OPTION_AT_MOST) {
        entry->highest = decode_number(in, 8);
    }
}

static void decode_entry(reader *in, prfdata_map_entry *entry)
{
    entry->kind = (uint32_t)decode_number(in, 1);
    switch (entry->kind) {
    case PRFDATA_ENTRY_OBJECT:
        entry->id = decode_number32(in);
        entry->detail_level = decode_number32(in);
        entry->default_counter = decode_number32(in);
        entry->max_instances = (int32_t)decode_number32(in);
        entry->max_name_chars = decode_number32(in);
        decode_texts(in, entry);
        return;
    case PRFDATA_ENTRY_COUNTER:
        entry->id = decode_number32(in);
        entry->detail_level = decode_number32(in);
        entry->default_scale = (int32_t)decode_number32(in);
        entry->type = decode_number32(in);
        decode_texts(in, entry);
        return;
    case PRFDATA_ENTRY_OPTION:
        decode_option(in, entry);
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

static uint32_t decode_header(reader *in, map_header *head)
{
    head->magic = decode_number32(in);
    head->major = (uint32_t)decode_number(in, 2);
    head->minor = (uint32_t)decode_number(in, 2);
    head->total_bytes = decode_number32(in);
    head->entry_count = decode_number32(in);
    head->hash = decode_number(in, 8);

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

static bool decode_map(reader *in, const map_header *head, prfdata_map *map)
{
    prfdata_map_entry *entries = (prfdata_map_entry *)(map + 1);

    map->service = decode_ascii(in);
    for (uint32_t i = 0; i < head->entry_count && !in->failed; i++)
        decode_entry(in, &entries[i]);
    if (in->failed)
        return false;
    /* A later minor version may have added something after all that is known here. */
    return in->position == in->bytes.size || head->minor > PRFDATA_MAP_BYTES_MINOR;
}

uint32_t prfdata_map_bytes_decode(const void *bytes, size_t size, prfdata_map **map, uint64_t *hash)
{
    reader in = {{bytes, size}, 0, false, NULL, NULL};
    map_header head;
    prfdata_map *decoded;
    uint32_t status = decode_header(&in, &head);

    if (status != ERROR_SUCCESS)
        return status;
    decoded = allocate_map(&in, head.entry_count);
    if (!decoded)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!decode_map(&in, &head, decoded)) {
        free(decoded);
        return ERROR_INVALID_DATA;
    }
    *map = decoded;
    *hash = head.hash;
    return ERROR_SUCCESS;
}
