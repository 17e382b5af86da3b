/* SPDX-License-Identifier: MIT */
/*
 * Writes a block header as perflib does, with this computer's name and clocks, and appends the
 * objects of one block to another. Of objects, it reads only title indexes and lengths.
 */
#include "block/data_block.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "base/perf_wire.h"
#include "os/clock.h"
#include "os/system.h"
#include "system/os.h"

#define COMPUTER_CHARS 256u

/* The structure is copied as it is in memory, because this program runs only on little-endian
 * systems, and a block is little-endian too. */
static void put_block_header(unsigned char *at, size_t total, size_t header_bytes,
                             uint32_t object_count, size_t name_chars)
{
    static const uint16_t signature[4] = {'P', 'E', 'R', 'F'};
    prfdata_perf_data_block header;

    memset(&header, 0, sizeof header);
    memcpy(header.signature, signature, sizeof signature);
    header.little_endian = 1;
    header.version = PRFDATA_PERF_VERSION;
    header.revision = PRFDATA_PERF_REVISION;
    header.total_byte_length = (uint32_t)total;
    header.header_length = (uint32_t)header_bytes;
    header.num_object_types = object_count;
    header.default_object = -1;
    header.perf_time_100ns = prfdata_clock_utc(header.system_time);
    header.perf_time = (int64_t)prfdata_os_ticks();
    header.perf_freq = (int64_t)prfdata_os_ticks_per_second();
    header.system_name_length = (uint32_t)((name_chars + 1) * sizeof(uint16_t));
    header.system_name_offset = sizeof header;
    memcpy(at, &header, sizeof header);
}

uint32_t prfdata_data_block_make(const void *objects, size_t objects_bytes, uint32_t object_count,
                                 void **bytes, size_t *size)
{
    uint16_t name[COMPUTER_CHARS];
    const size_t name_chars = prfdata_system_computer(name, COMPUTER_CHARS);
    const size_t header_bytes = /* including the name, its NUL and padding */
        (sizeof(prfdata_perf_data_block) + (name_chars + 1) * sizeof *name + 7) / 8 * 8;
    unsigned char *made;

    if (objects_bytes > UINT32_MAX - header_bytes)
        return ERROR_INVALID_DATA;
    made = calloc(1, header_bytes + objects_bytes);
    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    put_block_header(made, header_bytes + objects_bytes, header_bytes, object_count, name_chars);
    memcpy(made + sizeof(prfdata_perf_data_block), name, name_chars * sizeof *name);
    if (objects_bytes > 0)
        memcpy(made + header_bytes, objects, objects_bytes);
    *bytes = made;
    *size = header_bytes + objects_bytes;
    return ERROR_SUCCESS;
}

/* ---- Appending one block to another ---- */

typedef struct block_place {
    const unsigned char *bytes;
    size_t at;
    size_t end;
} block_place;

/* Read the header and find the first object. Returns false if a length in the header is invalid. */
static bool find_first_object(const void *bytes, size_t size, prfdata_perf_data_block *header,
                              block_place *place)
{
    if (size < sizeof *header)
        return false;
    memcpy(header, bytes, sizeof *header);
    *place = (block_place){bytes, header->header_length, header->total_byte_length};
    return place->at >= sizeof *header && place->at <= place->end && place->end <= size;
}

/* Return the size of the object at this position; 0 if no complete object is there. */
static size_t object_bytes(const block_place *place, prfdata_perf_object_type *object)
{
    if (place->end - place->at < sizeof *object)
        return 0;
    memcpy(object, place->bytes + place->at, sizeof *object);
    return object->total_byte_length >= sizeof *object &&
                   object->total_byte_length <= place->end - place->at
               ? object->total_byte_length
               : 0;
}

static bool add_object_titles(block_place place, prfdata_title_set *titles)
{
    prfdata_perf_object_type object;

    for (size_t bytes; (bytes = object_bytes(&place, &object)) > 0; place.at += bytes) {
        if (!prfdata_title_set_add(titles, object.object_name_title_index))
            return false;
    }
    return true;
}

static uint32_t begin_data_blocks(prfdata_data_blocks *blocks, void *bytes, size_t size)
{
    prfdata_perf_data_block header;
    block_place place;

    *blocks = (prfdata_data_blocks){.bytes = bytes, .size = size, .capacity = size};
    if (!find_first_object(bytes, size, &header, &place) ||
        add_object_titles(place, &blocks->titles))
        return ERROR_SUCCESS;
    prfdata_data_blocks_free(blocks);
    return ERROR_NOT_ENOUGH_MEMORY;
}

/*
 * Append the objects of a block, from `from` on, after the first `used` bytes of the joined block.
 * Leave out objects whose titles earlier blocks had. Append a damaged rest unchanged.
 *
 * count  Number of the block's objects. Decreased by 1 for each object that is left out.
 * Returns the number of bytes that are used afterwards.
 */
static size_t append_objects(prfdata_data_blocks *blocks, block_place from, size_t used,
                             uint32_t *count)
{
    prfdata_perf_object_type object;

    for (size_t bytes; (bytes = object_bytes(&from, &object)) > 0; from.at += bytes) {
        if (prfdata_title_set_has(&blocks->titles, object.object_name_title_index)) {
            --*count;
            continue;
        }
        memcpy(blocks->bytes + used, from.bytes + from.at, bytes);
        used += bytes;
    }
    memcpy(blocks->bytes + used, from.bytes + from.at, from.end - from.at);
    return used + (from.end - from.at);
}

static uint32_t append_data_block(prfdata_data_blocks *blocks, const void *more, size_t more_size)
{
    prfdata_perf_data_block header;
    prfdata_perf_data_block more_header;
    block_place first;
    block_place from;
    unsigned char *bytes;
    size_t used;

    if (!find_first_object(blocks->bytes, blocks->size, &header, &first) ||
        !find_first_object(more, more_size, &more_header, &from) ||
        from.end - from.at > UINT32_MAX - first.end)
        return ERROR_INVALID_DATA;
    bytes = prfdata_array_reserve(blocks->bytes, &blocks->capacity,
                                  first.end + (from.end - from.at), 1);
    if (!bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    blocks->bytes = bytes;
    used = append_objects(blocks, from, first.end, &more_header.num_object_types);
    if (!add_object_titles(from, &blocks->titles))
        return ERROR_NOT_ENOUGH_MEMORY;
    header.num_object_types += more_header.num_object_types;
    header.total_byte_length = (uint32_t)used;
    memcpy(bytes, &header, sizeof header);
    blocks->size = used;
    return ERROR_SUCCESS;
}

uint32_t prfdata_data_blocks_add(prfdata_data_blocks *blocks, void *bytes, size_t size)
{
    uint32_t status;

    if (!blocks->bytes)
        return begin_data_blocks(blocks, bytes, size);
    status = append_data_block(blocks, bytes, size);
    free(bytes);
    return status;
}

void *prfdata_data_blocks_take(prfdata_data_blocks *blocks, size_t *size)
{
    void *bytes = blocks->bytes;

    *size = blocks->size;
    blocks->bytes = NULL;
    prfdata_data_blocks_free(blocks);
    return bytes;
}

void prfdata_data_blocks_free(prfdata_data_blocks *blocks)
{
    free(blocks->bytes);
    prfdata_title_set_free(&blocks->titles);
    memset(blocks, 0, sizeof *blocks);
}
