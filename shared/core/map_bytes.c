/* SPDX-License-Identifier: MIT */
/*
 * The encoded map, as MAP-BYTES.md specifies it, and the hash of a map. All numbers are written
 * and read byte by byte: neither the host's byte order nor its alignment matters.
 */
#include "core/map_bytes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/map_entries.h"
#include "core/names.h"

/* ---- Writing ---- */

/* Never writes behind `capacity` and never stops counting: capacity 0 measures. */
typedef struct writer {
    unsigned char *bytes;
    uint64_t capacity;
    uint64_t used; /* 64 bits: a wrong map can name a long text often */
} writer;

static void put(writer *out, uint64_t number, unsigned byte_count)
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

    put(out, size, 2);
    if (size > 0 && out->used < out->capacity && size <= out->capacity - out->used)
        memcpy(out->bytes + out->used, text, size);
    out->used += size;
}

static void put_wide(writer *out, const wchar_t *text)
{
    size_t size = text ? prfdata_names_utf8_from_wide(text, NULL, 0) : 0;

    if (size == SIZE_MAX)
        size = 0;
    put(out, size, 2);
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
    put(out, entry->kind, 1);
    switch (entry->kind) {
    case PRFDATA_ENTRY_OBJECT:
        put(out, entry->id, 4);
        put(out, entry->detail_level, 4);
        put(out, entry->default_counter, 4);
        put(out, (uint32_t)entry->max_instances, 4);
        put(out, entry->max_name_chars, 4);
        put_texts(out, entry);
        return;
    case PRFDATA_ENTRY_COUNTER:
        put(out, entry->id, 4);
        put(out, entry->detail_level, 4);
        put(out, (uint32_t)entry->default_scale, 4);
        put(out, entry->type, 4);
        put_texts(out, entry);
        return;
    default:
        put(out, entry->option, 4);
        put(out, entry->id, 4);
    }
}

static void put_map(writer *out, const prfdata_map *map, uint64_t total_bytes, uint64_t hash)
{
    put(out, PRFDATA_MAP_BYTES_MAGIC, 4);
    put(out, PRFDATA_MAP_BYTES_MAJOR, 2);
    put(out, PRFDATA_MAP_BYTES_MINOR, 2);
    put(out, total_bytes, 4);
    put(out, map->entry_count, 4);
    put(out, hash, 8);
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

uint32_t prfdata_map_bytes_encode(const prfdata_map *map, void *bytes, size_t capacity,
                                  size_t *size)
{
    writer out = {bytes, 0, 0};

    if (prfdata_map_check(map, NULL, 0) > 0)
        return ERROR_INVALID_PARAMETER;

    *size = (size_t)prfdata_map_bytes_size(map); /* the check has bounded it */
    if (capacity < *size)
        return ERROR_INSUFFICIENT_BUFFER;

    out.capacity = capacity;
    put_map(&out, map, *size, prfdata_map_hash(map));
    return ERROR_SUCCESS;
}

/* ---- Reading ---- */

/* After a mistake `failed` is set, everything read is 0 and `position` stands still. */
typedef struct reader {
    const unsigned char *bytes;
    size_t size;
    size_t position;
    bool failed;
    wchar_t *wide; /* where the next name or help goes; room for `size` elements in all */
    char *ascii;   /* where the next symbol goes; likewise */
} reader;

static const unsigned char *take_bytes(reader *in, size_t size)
{
    if (in->failed || size > in->size - in->position) {
        in->failed = true;
        return NULL;
    }
    in->position += size;
    return in->bytes + in->position - size;
}

static uint64_t take(reader *in, unsigned byte_count)
{
    const unsigned char *bytes = take_bytes(in, byte_count);
    uint64_t number = 0;

    for (unsigned i = 0; bytes && i < byte_count; i++)
        number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

static uint32_t take32(reader *in)
{
    return (uint32_t)take(in, 4);
}

/* A text's two bytes of size leave room for its NUL: `size` elements hold them all. */
static const char *take_ascii(reader *in)
{
    size_t size = (size_t)take(in, 2);
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
    size_t size = (size_t)take(in, 2);
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

static const char *option_symbol(uint32_t option)
{
    switch (option) {
    case PRFDATA_OPTION_ACCUMULATING:
        return "PRFDATA_MAP_ACCUMULATING";
    case PRFDATA_OPTION_MERGE_MAX:
        return "PRFDATA_MAP_MERGE_MAX";
    case PRFDATA_OPTION_PER_PROCESS:
        return "PRFDATA_MAP_PER_PROCESS";
    case PRFDATA_OPTION_TOTAL:
        return "PRFDATA_MAP_TOTAL";
    case PRFDATA_OPTION_COSTLY:
        return "PRFDATA_MAP_COSTLY";
    case PRFDATA_OPTION_PARENT:
        return "PRFDATA_MAP_PARENT";
    default:
        return ""; /* the check refuses it */
    }
}

static void take_entry(reader *in, prfdata_map_entry *entry)
{
    entry->kind = (uint32_t)take(in, 1);
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

typedef struct header {
    uint32_t magic;
    uint32_t major;
    uint32_t minor;
    uint32_t total_bytes;
    uint32_t entry_count;
    uint64_t hash;
} header;

static uint32_t take_header(reader *in, header *head)
{
    head->magic = take32(in);
    head->major = (uint32_t)take(in, 2);
    head->minor = (uint32_t)take(in, 2);
    head->total_bytes = take32(in);
    head->entry_count = take32(in);
    head->hash = take(in, 8);

    if (in->failed || head->magic != PRFDATA_MAP_BYTES_MAGIC)
        return ERROR_INVALID_DATA;
    if (head->major != PRFDATA_MAP_BYTES_MAJOR)
        return ERROR_REVISION_MISMATCH;
    if (head->total_bytes != in->size || in->size > PRFDATA_MAX_MAP_BYTES ||
        head->entry_count > (in->size - in->position) / PRFDATA_MAP_BYTES_LEAST_ENTRY)
        return ERROR_INVALID_DATA;
    return ERROR_SUCCESS;
}

/* The map, its entries, names and helps, symbols: in falling alignment, in one allocation. */
static prfdata_map *allocate(reader *in, uint32_t entry_count)
{
    size_t entries_bytes = entry_count * sizeof(prfdata_map_entry);
    size_t wide_bytes = in->size * sizeof(wchar_t);
    prfdata_map *map = calloc(1, sizeof(*map) + entries_bytes + wide_bytes + in->size);

    if (!map)
        return NULL;
    map->entry_bytes = sizeof(prfdata_map_entry);
    map->entry_count = entry_count;
    map->entries = (prfdata_map_entry *)(map + 1);
    in->wide = (wchar_t *)((unsigned char *)(map + 1) + entries_bytes);
    in->ascii = (char *)in->wide + wide_bytes;
    return map;
}

static bool take_map(reader *in, const header *head, prfdata_map *map)
{
    prfdata_map_entry *entries = (prfdata_map_entry *)(map + 1);

    map->service = take_ascii(in);
    for (uint32_t i = 0; i < head->entry_count && !in->failed; i++)
        take_entry(in, &entries[i]);
    if (in->failed)
        return false;
    /* What a later minor added stands behind everything that we know. */
    if (in->position != in->size && head->minor <= PRFDATA_MAP_BYTES_MINOR)
        return false;
    return prfdata_map_check(map, NULL, 0) == 0 && prfdata_map_hash(map) == head->hash;
}

uint32_t prfdata_map_bytes_decode(const void *bytes, size_t size, prfdata_map **map)
{
    reader in = {bytes, size, 0, false, NULL, NULL};
    header head;
    prfdata_map *decoded;
    uint32_t status = take_header(&in, &head);

    if (status != ERROR_SUCCESS)
        return status;
    decoded = allocate(&in, head.entry_count);
    if (!decoded)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!take_map(&in, &head, decoded)) {
        free(decoded);
        return ERROR_INVALID_DATA;
    }
    *map = decoded;
    return ERROR_SUCCESS;
}

/* ---- The hash ---- */

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    unsigned char bytes[4];

    for (unsigned i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    return hash_bytes(hash, bytes, sizeof(bytes));
}

static uint64_t hash_name(uint64_t hash, const wchar_t *name)
{
    char bytes[3 * PRFDATA_MAX_NAME_CHARS]; /* a UTF-16 char takes 3 bytes at most */
    size_t size = prfdata_names_utf8_from_wide(name, bytes, sizeof(bytes));

    if (size > sizeof(bytes))
        size = 0; /* the check refuses such a name */
    hash = hash_number(hash, size);
    return hash_bytes(hash, bytes, size);
}

static uint64_t hash_entry(uint64_t hash, const prfdata_map *map, uint32_t index)
{
    const prfdata_map_entry *entry = &map->entries[index];
    uint32_t parent_id = 0;
    uint32_t options = prfdata_map_entries_options(map, index, &parent_id);

    hash = hash_number(hash, entry->kind);
    hash = hash_number(hash, entry->id);
    hash = hash_number(hash, options);
    if (entry->kind == PRFDATA_ENTRY_OBJECT) {
        hash = hash_number(hash, (uint32_t)entry->max_instances);
        hash = hash_number(hash, prfdata_map_entries_name_chars(map, index));
        hash = hash_number(hash, parent_id);
    } else {
        hash = hash_number(hash, entry->type);
    }
    return hash_name(hash, entry->name);
}

uint64_t prfdata_map_hash(const prfdata_map *map)
{
    uint64_t hash = 0xCBF29CE484222325u;
    size_t service_bytes = strlen(map->service);

    hash = hash_number(hash, service_bytes);
    hash = hash_bytes(hash, map->service, service_bytes);
    for (uint32_t i = 0; i < map->entry_count; i++) {
        if (map->entries[i].kind != PRFDATA_ENTRY_OPTION)
            hash = hash_entry(hash, map, i);
    }
    return hash != 0 ? hash : 1; /* 0 means "no map" elsewhere */
}
