/* SPDX-License-Identifier: MIT */
/* Reads any bytes as a map file. A mistake must have a complete message in UTF-8. Without mistakes
 * the map must be valid, and writing and reading it must give the same map.
 *
 * Input: the file. */
#include <string.h>

#include <prfdata/map_file.h>

#include "fuzz.h"
#include "map/map_bytes.h"
#include "names/names.h"

static void check_mistake(void *context, uint32_t line, const char *text)
{
    const size_t size = strlen(text);
    uint32_t *count = context;

    (void)line;
    ++*count;
    FUZZ_CHECK(size >= 15 && !strchr(text, '\n'));
    for (size_t position = 0; position < size;)
        FUZZ_CHECK(prfdata_names_next_utf8(text, size, &position) != PRFDATA_NAMES_NO_CHARACTER);
}

static void *encode(const prfdata_map *map, size_t *size)
{
    void *bytes = fuzz_memory((size_t)prfdata_map_bytes_size(map));

    FUZZ_CHECK(!prfdata_map_bytes_encode(map, 0, bytes, (size_t)prfdata_map_bytes_size(map), size));
    return bytes;
}

static void check_map(const prfdata_map *map)
{
    const size_t size = prfdata_map_file_write(map, PRFDATA_MAP_FILE_TEXT, NULL, 0);
    char *text = fuzz_memory(size + 1);
    prfdata_map *back = NULL;
    size_t encoded_size, back_size;
    void *encoded = encode(map, &encoded_size), *back_encoded;

    FUZZ_CHECK(prfdata_map_check(map, NULL, 0) == 0);
    FUZZ_CHECK(prfdata_map_file_write(map, PRFDATA_MAP_FILE_C, NULL, 0) > 0);
    FUZZ_CHECK(prfdata_map_file_write(map, PRFDATA_MAP_FILE_TEXT, text, size + 1) == size);
    FUZZ_CHECK(!prfdata_map_file_parse(text, size, NULL, NULL, &back));
    back_encoded = encode(back, &back_size);
    FUZZ_CHECK(back_size == encoded_size && !memcmp(encoded, back_encoded, back_size));
    prfdata_map_file_free(back);
    free(encoded);
    free(back_encoded);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    /* Memory of exactly the file's size, so that the sanitizer notices a read after its end. */
    void *copy = fuzz_memory(size);
    prfdata_map *map = NULL;
    uint32_t count = 0;

    if (size > 0)
        memcpy(copy, bytes, size);
    if (prfdata_map_file_parse(copy, size, check_mistake, &count, &map)) {
        FUZZ_CHECK(count > 0 && !map);
    } else {
        FUZZ_CHECK(count == 0);
        check_map(map);
        prfdata_map_file_free(map);
    }
    free(copy);
    return 0;
}
