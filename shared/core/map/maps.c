/* SPDX-License-Identifier: MIT */
/* Reads the value `Maps`: the frame around the encoded maps, and the numbers of titles. */
#include "map/maps.h"

#include <stdlib.h>

#include "map/map_bytes.h"

enum { SIZE_FIELD_BYTES = 4, HASH_OFFSET = 16 };

/* Reads the map at `*position` and moves the position past it. Returns false if there is none. */
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
    parsed.numbers = (prfdata_bytes){value.at + position, size - position};
    parsed.minor = prfdata_bytes_get16(value, 6);
    *maps = parsed;
    return ERROR_SUCCESS;
}

/* Whether the bytes hold a number for each title, and an entry for each number without a title. */
static bool has_right_size(const prfdata_maps *maps, uint32_t title_count, uint64_t number_count)
{
    const uint64_t needed =
        4 + 4 * (uint64_t)title_count + PRFDATA_MAPS_UNUSED_BYTES * (number_count - title_count);

    return number_count >= title_count && number_count <= PRFDATA_MAX_TITLE_NUMBERS &&
           (maps->numbers.size == needed ||
            (maps->numbers.size > needed && maps->minor > PRFDATA_MAPS_MINOR));
}

/*
 * Reads the numbers of the titles. Returns false if one is too large or occurs twice. `seen` has
 * one element for each number, all 0.
 */
static bool read_numbers(const prfdata_maps *maps, uint32_t title_count, uint32_t number_count,
                         uint32_t *numbers, uint8_t *seen)
{
    for (uint32_t i = 0; i < title_count; i++) {
        numbers[i] = prfdata_bytes_get32(maps->numbers, 4 + 4 * (uint64_t)i);
        if (numbers[i] >= number_count || seen[numbers[i]]++ != 0)
            return false;
    }
    return true;
}

uint32_t prfdata_maps_number_titles(const prfdata_maps *maps, prfdata_model *model)
{
    const uint32_t number_count = prfdata_bytes_get32(maps->numbers, 0);
    uint32_t error = ERROR_INVALID_DATA;
    uint32_t *numbers;

    if (!has_right_size(maps, model->title_count, number_count))
        return ERROR_INVALID_DATA;
    numbers = calloc(1, model->title_count * sizeof *numbers + number_count);
    if (!numbers)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (read_numbers(maps, model->title_count, number_count, numbers,
                     (uint8_t *)(numbers + model->title_count))) {
        prfdata_model_set_numbers(model, numbers, number_count);
        error = ERROR_SUCCESS;
    }
    free(numbers);
    return error;
}

uint32_t prfdata_maps_decode_current(const prfdata_maps *maps, prfdata_maps_decode *decode,
                                     prfdata_model **model)
{
    prfdata_model *made;
    uint32_t error = decode(maps->entries[0].bytes, maps->entries[0].size, &made);

    if (error)
        return error;
    error = prfdata_maps_number_titles(maps, made);
    if (error)
        prfdata_model_free(made);
    else
        *model = made;
    return error;
}
