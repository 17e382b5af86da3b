/* SPDX-License-Identifier: MIT */
/* Decodes the bytes of a map. */
#include "map/map_bytes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "map/map_options.h"
#include "names/names.h"

/* Reads bytes in order. After a mistake `failed` is set; numbers are then 0, and texts empty. */
typedef struct reader {
    prfdata_bytes bytes;
    size_t position;
    bool failed;
    wchar_t *wide; /* the place of the next name or help; room for `bytes.size` elements in all */
    char *ascii;   /* the place of the next symbol or service name; room for `bytes.size` bytes */
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

/*
 * Decodes a text. All decoded texts together fit into `bytes.size` elements, because each text
 * gains a NUL, but loses the two bytes of its encoded size.
 */
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

static void decode_option(reader *in, prfdata_map_entry *entry)
{
    const prfdata_map_option *option;

    entry->option = decode_number32(in);
    entry->id = decode_number32(in);
    entry->symbol = "";
    option = prfdata_map_options_find(entry->option);
    if (!option)
        return; /* the check of the map will refuse the unknown option */
    entry->symbol = option->symbol;
    if (option->has_texts) {
        entry->name = decode_wide(in);
        entry->help = decode_wide(in);
    }
    for (size_t i = 0; i < option->number_count; i++) {
        const uint64_t number = decode_number(in, option->numbers[i].byte_count);

        memcpy((unsigned char *)entry + option->numbers[i].offset, &number,
               option->numbers[i].byte_count); /* every supported processor is little-endian */
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
    if (head->major == 0 || head->major > PRFDATA_MAP_BYTES_MAJOR)
        return ERROR_REVISION_MISMATCH;
    if (head->total_bytes != in->bytes.size || in->bytes.size > PRFDATA_MAX_MAP_BYTES ||
        head->entry_count > (in->bytes.size - in->position) / PRFDATA_MAP_BYTES_LEAST_ENTRY)
        return ERROR_INVALID_DATA;
    return ERROR_SUCCESS;
}

/*
 * Allocates the map, its entries, its names and helps, and its symbols as one block. The parts with
 * the largest alignment come first.
 */
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
    /* A later minor version may have added something after the parts that are known here. */
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
