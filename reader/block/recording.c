/* SPDX-License-Identifier: MIT */
/* Reads a recording in memory part by part, and appends samples to a recording. */
#include "block/recording.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "base/bytes.h"
#include "text/words.h"

#define SIGNATURE_BYTES 8u
#define VERSION         1u

enum { VERSION_OFFSET = 8, SIZE_OFFSET = 12, HEADER_BYTES = 16 };
enum { TOTAL_OFFSET = 20 }; /* PERF_DATA_BLOCK.TotalByteLength */
/* The most objects in each list of a note; a longer list makes the note unreadable. */
enum { MOST_NOTED = 256 };
enum { ELSEWHERE_OFFSET = 12, FAILED_OFFSET = 16, NOTE_BYTES = 20 };

static const unsigned char block_signature[SIGNATURE_BYTES] = {'P', 'r', 'f', 'B',
                                                               'l', 'o', 'c', 'k'};

static const unsigned char note_signature[SIGNATURE_BYTES] = {'P', 'r', 'f', 'A',
                                                              's', 'k', 'e', 'd'};

/* ---- Writing ---- */

static void put_recorded32(prfdata_output *output, uint32_t value)
{
    unsigned char bytes[4];

    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
    prfdata_output_put(output, bytes, sizeof bytes);
}

static void put_titles_of_note(prfdata_output *output, const prfdata_title_set *titles)
{
    for (size_t i = 0; i < titles->count; i++)
        put_recorded32(output, titles->items[i]);
}

static void put_note(prfdata_output *output, const prfdata_recording_note *note)
{
    prfdata_output_put(output, note_signature, sizeof note_signature);
    put_recorded32(output, VERSION);
    put_recorded32(output, (uint32_t)note->elsewhere.count);
    put_recorded32(output, (uint32_t)note->failed.count);
    put_titles_of_note(output, &note->elsewhere);
    put_titles_of_note(output, &note->failed);
}

void prfdata_recording_put(prfdata_output *output, const prfdata_sample *sample,
                           const prfdata_recording_note *note)
{
    const uint32_t total = sample->block.header.total_byte_length;
    const size_t note_bytes =
        note ? NOTE_BYTES + 4 * (note->elsewhere.count + note->failed.count) : 0;

    if (total < sizeof(prfdata_perf_data_block) || total > sample->size)
        return;
    prfdata_output_put(output, block_signature, sizeof block_signature);
    put_recorded32(output, VERSION);
    put_recorded32(output, total + (uint32_t)note_bytes);
    prfdata_output_put(output, sample->bytes, total);
    if (note)
        put_note(output, note);
}

/* ---- Notes ---- */

void prfdata_recording_note_free(prfdata_recording_note *note)
{
    prfdata_title_set_free(&note->elsewhere);
    prfdata_title_set_free(&note->failed);
}

/* Return how many bytes of a part are its block. A note may follow; other bytes that follow count
 * as part of the block. */
static size_t block_bytes_of_part(prfdata_bytes part)
{
    const uint32_t total =
        part.size >= TOTAL_OFFSET + 4 ? prfdata_bytes_get32(part, TOTAL_OFFSET) : 0;

    if (total < sizeof(prfdata_perf_data_block) || total > part.size ||
        part.size - total < NOTE_BYTES ||
        memcmp(part.at + total, note_signature, SIGNATURE_BYTES) != 0)
        return part.size;
    return total;
}

static bool get_titles_of_note(prfdata_bytes note, size_t offset, uint32_t count,
                               prfdata_title_set *titles)
{
    uint32_t *items;

    if (count == 0)
        return true;
    items = prfdata_array_reserve(titles->items, &titles->capacity, count, sizeof *items);
    if (!items)
        return false;
    titles->items = items;
    for (uint32_t i = 0; i < count; i++)
        items[titles->count++] = prfdata_bytes_get32(note, offset + (size_t)4 * i);
    return true;
}

bool prfdata_recording_get_note(const void *bytes, const prfdata_recording_block *block,
                                prfdata_recording_note *note)
{
    const prfdata_bytes from = {(const unsigned char *)bytes + block->offset + block->size,
                                block->note_size};
    uint32_t elsewhere;
    uint32_t failed;

    if (from.size < NOTE_BYTES || prfdata_bytes_get32(from, VERSION_OFFSET) != VERSION)
        return false;
    elsewhere = prfdata_bytes_get32(from, ELSEWHERE_OFFSET);
    failed = prfdata_bytes_get32(from, FAILED_OFFSET);
    if (elsewhere > MOST_NOTED || failed > MOST_NOTED ||
        (size_t)elsewhere + failed > (from.size - NOTE_BYTES) / 4)
        return false;
    return get_titles_of_note(from, NOTE_BYTES, elsewhere, &note->elsewhere) &&
           get_titles_of_note(from, NOTE_BYTES + (size_t)4 * elsewhere, failed, &note->failed);
}

/* ---- Reading ---- */

static bool add_recorded_block(prfdata_recording *recording, size_t offset, size_t size,
                               size_t note_size)
{
    prfdata_recording_block *blocks = prfdata_array_reserve(recording->blocks, &recording->capacity,
                                                            recording->count + 1, sizeof *blocks);

    if (!blocks)
        return false;
    recording->blocks = blocks;
    recording->blocks[recording->count++] = (prfdata_recording_block){offset, size, note_size};
    return true;
}

static void set_mistake(prfdata_recording *recording, size_t offset, const char *mistake)
{
    recording->mistake = mistake;
    recording->mistake_offset = offset;
}

/* Read the sample at *offset, and move past it. A mistake ends the recording. */
static uint32_t read_recorded_block(prfdata_bytes bytes, size_t *offset,
                                    prfdata_recording *recording)
{
    const prfdata_bytes part = {bytes.at + *offset, bytes.size - *offset};
    uint32_t size;
    size_t block_size;

    if (part.size < HEADER_BYTES) {
        set_mistake(recording, *offset, prfdata_words_get(PRFDATA_WORD_FILE_SAMPLE_CUT));
        return ERROR_SUCCESS;
    }
    size = prfdata_bytes_get32(part, SIZE_OFFSET);
    if (prfdata_bytes_get32(part, VERSION_OFFSET) != VERSION)
        set_mistake(recording, *offset, prfdata_words_get(PRFDATA_WORD_FILE_SAMPLE_LATER));
    else if (size > part.size - HEADER_BYTES)
        set_mistake(recording, *offset, prfdata_words_get(PRFDATA_WORD_FILE_SAMPLE_CUT));
    if (recording->mistake) {
        *offset += HEADER_BYTES + (size_t)size;
        return ERROR_SUCCESS;
    }
    block_size = block_bytes_of_part((prfdata_bytes){part.at + HEADER_BYTES, size});
    if (!add_recorded_block(recording, *offset + HEADER_BYTES, block_size, size - block_size))
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
                    more.is_foreign ? prfdata_words_get(PRFDATA_WORD_FILE_FOREIGN) : more.mistake);
    *offset += more.end;
    return status;
}

static bool is_block_at(prfdata_bytes bytes, size_t offset)
{
    const size_t left = bytes.size - offset;

    return memcmp(bytes.at + offset, block_signature,
                  left < SIGNATURE_BYTES ? left : SIGNATURE_BYTES) == 0;
}

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
    status = add_recorded_block(&made, 0, first.block_bytes, 0)
                 ? read_parts((prfdata_bytes){bytes, size}, first.end, &made)
                 : ERROR_NOT_ENOUGH_MEMORY;
    if (status == ERROR_SUCCESS)
        status = prfdata_saved_block_settle_titles(&made.titles);
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
