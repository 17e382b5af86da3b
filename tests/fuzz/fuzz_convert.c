/* SPDX-License-Identifier: MIT */
/* Converts any two files as an .ini for lodctr and its symbol file. The lines for the user must be
 * complete UTF-8 without control characters. The map file must be UTF-8. After its question marks
 * are filled in, it must have as many mistakes as the conversion has reported for its lines.
 *
 * Input: the size of the .ini (2 bytes), the .ini, and then the symbol file. */
#include <stdio.h>
#include <string.h>

#include <prfdata/map_file.h>

#include "convert/convert.h"
#include "fuzz.h"
#include "names/names.h"

static const char map_name[] = "made.prfmap";

typedef struct conversion_lines {
    uint32_t lines;
    uint32_t map_mistakes; /* lines about a line of the map file */
} conversion_lines;

static void check_utf8(const char *text, size_t size, bool is_one_line)
{
    for (size_t at = 0; at < size;) {
        const uint32_t c = prfdata_names_next_utf8(text, size, &at);

        FUZZ_CHECK(c != PRFDATA_NAMES_NO_CHARACTER);
        FUZZ_CHECK((c >= ' ' && c != 0x7F && !(c >= 0x80 && c < 0xA0)) ||
                   (!is_one_line && c == '\n'));
    }
}

static void hear(void *context, bool is_mistake, const char *line)
{
    const size_t name_size = sizeof map_name - 1;
    conversion_lines *what = context;
    unsigned number;

    FUZZ_CHECK(is_mistake && strlen(line) < PRFDATA_CHECK_LINE_BYTES);
    check_utf8(line, strlen(line), true);
    what->lines++;
    if (strncmp(line, map_name, name_size) == 0 && sscanf(line + name_size, ":%u:", &number) == 1)
        what->map_mistakes++;
}

static void count_mistake(void *context, uint32_t line, const char *text)
{
    (void)text;
    *(uint32_t *)context += line > 0;
}

/* Replace each "type=?" by a type, and empty each line "instances=?". */
static char *fill_in(const char *text, size_t size, size_t *filled_size)
{
    static const char open[] = "type=?\n", type[] = "type=PERF_COUNTER_RAWCOUNT\n";
    static const char instances[] = "instances=?\n";
    char *filled = fuzz_memory(5 * size + 1);
    char *to = filled;
    size_t at = 0;

    while (at < size) {
        const char *end = memchr(text + at, '\n', size - at);
        const size_t line = (size_t)(end - (text + at)) + 1;

        FUZZ_CHECK(end != NULL);
        if (line == sizeof open - 1 && !memcmp(text + at, open, line)) {
            memcpy(to, type, sizeof type - 1);
            to += sizeof type - 1;
        } else if (line == sizeof instances - 1 && !memcmp(text + at, instances, line)) {
            *to++ = '\n';
        } else {
            memcpy(to, text + at, line);
            to += line;
        }
        at += line;
    }
    *filled_size = (size_t)(to - filled);
    return filled;
}

static void check_converted(const prfdata_quoted_text *text, const conversion_lines *what)
{
    uint32_t mistakes = 0;
    prfdata_map *map = NULL;
    char *filled;
    size_t size;

    FUZZ_CHECK(!text->has_failed && what->lines > 0);
    check_utf8(text->bytes, text->used, false);
    filled = fill_in(text->bytes, text->used, &size);
    (void)prfdata_map_file_parse(filled, size, count_mistake, &mistakes, &map);
    FUZZ_CHECK(mistakes == what->map_mistakes);
    prfdata_map_file_free(map);
    free(filled);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_input input = {bytes, size};
    const size_t wanted = fuzz_u16(&input);
    const size_t ini_size = wanted < input.size ? wanted : input.size;
    void *ini = fuzz_copy(input.bytes, ini_size);
    void *header = fuzz_copy(input.bytes + ini_size, input.size - ini_size);
    const prfdata_convert_source source = {.program = "fuzz",
                                           .ini_name = "a.ini",
                                           .ini = ini,
                                           .ini_size = ini_size,
                                           .header_name = "a.h",
                                           .header = header,
                                           .header_size = input.size - ini_size,
                                           .map_name = map_name};
    prfdata_quoted_text text = {0};
    conversion_lines what = {0};
    const uint32_t status = prfdata_convert(&source, hear, &what, &text);

    FUZZ_CHECK(status == ERROR_SUCCESS || status == ERROR_INVALID_DATA);
    if (status == ERROR_SUCCESS)
        check_converted(&text, &what);
    else
        FUZZ_CHECK(what.lines > 0);
    prfdata_quoted_text_free(&text);
    free(ini);
    free(header);
    return 0;
}
