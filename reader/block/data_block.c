/* SPDX-License-Identifier: MIT */
/*
 * Writes the header that perflib writes, with this computer's name and clocks. Does not look into
 * the objects that follow it.
 */
#include "block/data_block.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "os/clock.h"
#include "os/system.h"
#include "core/os.h"
#include "core/perf_wire.h"

#define COMPUTER_CHARS 256u

/* All systems that this runs on are little-endian, as the block is. */
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
    const size_t header_bytes = /* with the name, its NUL and padding */
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
