/* SPDX-License-Identifier: MIT */
/* Takes a recording apart, and appends to one, in memory. */
#include "block/recording.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "base/bytes.h"

#define SIGNATURE_BYTES 8u
#define VERSION         1u

enum { VERSION_OFFSET = 8, SIZE_OFFSET = 12, HEADER_BYTES = 16 };

static const unsigned char block_signature[SIGNATURE_BYTES] = {'P', 'r', 'f', 'B',
                                                               'l', 'o', 'c', 'k'};

/* ---- Writing ---- */

static void put_recorded32(prfdata_output *output, uint32_t value)
{
    unsigned char bytes[4];

    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
    prfdata_output_put(output, bytes, sizeof bytes);
}

void prfdata_recording_put(prfdata_output *output, const prfdata_sample *sample)
{
    const uint32_t total = sample->block.header.total_byte_length;

    if (total < sizeof(prfdata_perf_data_block) || total > sample->size)
        return;
    prfdata_output_put(output, block_signature, sizeof block_signature);
    put_recorded32(output, VERSION);
    put_recorded32(output, total);
    prfdata_output_put(output, sample->bytes, total);
}

/* ---- Reading ---- */

static bool add_recorded_block(prfdata_recording *recording, size_t offset, size_t size)
{
    prfdata_recording_block *blocks = prfdata_array_reserve(recording->blocks, &recording->capacity,
                                                            recording->count + 1, sizeof *blocks);

    if (!blocks)
        return false;
    recording->blocks = blocks;
    recording->blocks[recording->count++] = (prfdata_recording_block){offset, size};
    return true;
}

static void set_mistake(prfdata_recording *recording, size_t offset, const char *mistake)
{
    recording->mistake = mistake;
    recording->mistake_offset = offset;
}

/* Read the sample at *offset, and move past it; a mistake ends the recording. */
static uint32_t read_recorded_block(prfdata_bytes bytes, size_t *offset,
                                    prfdata_recording *recording)
{
    const prfdata_bytes part = {bytes.at + *offset, bytes.size - *offset};
    uint32_t size;

    if (part.size < HEADER_BYTES) {
        set_mistake(recording, *offset, "a sample of the recording is cut short");
        return ERROR_SUCCESS;
    }
    size = prfdata_bytes_get32(part, SIZE_OFFSET);
    if (prfdata_bytes_get32(part, VERSION_OFFSET) != VERSION)
        set_mistake(recording, *offset,
                    "a sample of the recording has a later version: read the file with a later "
                    "program");
    else if (size > part.size - HEADER_BYTES)
        set_mistake(recording, *offset, "a sample of the recording is cut short");
    else if (!add_recorded_block(recording, *offset + HEADER_BYTES, size))
        return ERROR_NOT_ENOUGH_MEMORY;
    *offset += HEADER_BYTES + (size_t)size;
    return ERROR_SUCCESS;
}

static uint32_t read_recorded_titles(prfdata_bytes bytes, size_t *offset,
                                     prfdata_recording *recording)
{
    prfdata_saved_block more = {.titles = recording->titles};
    const uint32_t status =
        prfdata_saved_block_read_titles(bytes.at + *offset, bytes.size - *offset, &more);

    recording->titles = more.titles;
    if (more.mistake)
        set_mistake(recording, *offset,
                    more.is_foreign ? "the recording is followed by bytes that are none of it"
                                    : more.mistake);
    *offset += more.end;
    return status;
}

static bool is_block_at(prfdata_bytes bytes, size_t offset)
{
    const size_t left = bytes.size - offset;

    return memcmp(bytes.at + offset, block_signature,
                  left < SIGNATURE_BYTES ? left : SIGNATURE_BYTES) == 0;
}

/* All parts from `offset` on. */
static uint32_t read_parts(prfdata_bytes bytes, size_t offset, prfdata_recording *recording)
{
    uint32_t status = ERROR_SUCCESS;

    while (status == ERROR_SUCCESS && !recording->mistake && offset < bytes.size)
        status = is_block_at(bytes, offset) ? read_recorded_block(bytes, &offset, recording)
                                            : read_recorded_titles(bytes, &offset, recording);
    return status;
}

uint32_t prfdata_recording_read(const void *bytes, size_t size, prfdata_recording *recording,
                                prfdata_decode_error *error)
{
    prfdata_recording made = {0};
    prfdata_saved_block first = {0};
    uint32_t status = prfdata_saved_block_read(bytes, size, &first, error);

    if (status != ERROR_SUCCESS)
        return status;
    made.titles = first.titles;
    made.is_foreign = first.is_foreign;
    if (first.mistake)
        set_mistake(&made, first.block_bytes, first.mistake);
    status = add_recorded_block(&made, 0, first.block_bytes)
                 ? read_parts((prfdata_bytes){bytes, size}, first.end, &made)
                 : ERROR_NOT_ENOUGH_MEMORY;
    if (status != ERROR_SUCCESS) {
        prfdata_recording_free(&made);
        return status;
    }
    *recording = made;
    return ERROR_SUCCESS;
}

void prfdata_recording_free(prfdata_recording *recording)
{
    prfdata_titles_free(&recording->titles);
    free(recording->blocks);
    memset(recording, 0, sizeof *recording);
}
