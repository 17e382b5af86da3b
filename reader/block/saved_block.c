/* SPDX-License-Identifier: MIT */
/* Writes and reads the content of a saved file: a block, then titles. */
#include "block/saved_block.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "base/bytes.h"
#include "text/words.h"

#define SIGNATURE_BYTES 8u
#define VERSION         1u

/* The header of the titles, described in saved_block.h. */
enum {
    VERSION_OFFSET = 8,
    NAMES_BYTES_OFFSET = 12,
    HELPS_BYTES_OFFSET = 16,
    ZERO_OFFSET = 20,
    HEADER_BYTES = 24
};

static const unsigned char signature[SIGNATURE_BYTES] = {'P', 'r', 'f', 'T', 'i', 't', 'l', 'e'};

/* ---- Writing ---- */

static void put_little16(prfdata_output *output, uint16_t value)
{
    const unsigned char bytes[] = {(unsigned char)value, (unsigned char)(value >> 8)};

    prfdata_output_put(output, bytes, sizeof bytes);
}

static void put_little32(prfdata_output *output, uint32_t value)
{
    put_little16(output, (uint16_t)value);
    put_little16(output, (uint16_t)(value >> 16));
}

static void put_title_list(prfdata_output *output, const prfdata_name_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const prfdata_name_table_entry *title = &table->items[i];
        char digits[12];

        snprintf(digits, sizeof digits, "%u", (unsigned)title->index);
        for (const char *at = digits; *at; at++)
            put_little16(output, (unsigned char)*at);
        put_little16(output, 0);
        for (size_t k = 0; k < title->name.count; k++)
            put_little16(output, title->name.chars[k]);
        put_little16(output, 0);
    }
    put_little16(output, 0);
}

static void put_saved_titles(prfdata_output *output, const prfdata_titles *titles)
{
    prfdata_output names = {0};
    prfdata_output helps = {0};

    put_title_list(&names, &titles->english);
    put_title_list(&helps, &titles->helps);
    prfdata_output_put(output, signature, sizeof signature);
    put_little32(output, VERSION);
    put_little32(output, (uint32_t)names.used);
    put_little32(output, (uint32_t)helps.used);
    put_little32(output, 0);
    prfdata_output_put(output, names.bytes, names.used);
    prfdata_output_put(output, helps.bytes, helps.used);
    output->failed = output->failed || names.failed || helps.failed;
    prfdata_output_free(&names);
    prfdata_output_free(&helps);
}

typedef struct kept_titles {
    prfdata_title_index names;
    prfdata_title_index helps;
} kept_titles;

/* Note an index. The same index may be noted many times; add_kept_titles() adds its text only
 * once. */
static bool keep_title(prfdata_title_index *kept, uint32_t index)
{
    uint64_t *items =
        prfdata_array_reserve(kept->items, &kept->capacity, kept->count + 1, sizeof *items);

    if (!items)
        return false;
    kept->items = items;
    prfdata_title_index_add(kept, index, 0);
    return true;
}

static bool add_kept_titles(prfdata_name_table *to, const prfdata_name_table *from,
                            prfdata_title_index *kept)
{
    bool is_done = true;

    prfdata_title_index_sort(kept);
    for (size_t i = 0; is_done && i < kept->count; i++) {
        const uint32_t index = (uint32_t)(kept->items[i] >> 32);

        is_done = prfdata_name_table_add(to, index, prfdata_name_table_name(from, index)) ==
                  ERROR_SUCCESS;
    }
    return is_done;
}

static bool keep_object_titles(kept_titles *to, const prfdata_sample_object *object)
{
    bool kept = keep_title(&to->names, object->wire.header.object_name_title_index) &&
                keep_title(&to->helps, object->wire.header.object_help_title_index);

    for (uint32_t i = 0; kept && i < object->counter_count; i++) {
        const prfdata_perf_counter_definition *counter = &object->counters[i].definition;

        kept = keep_title(&to->names, counter->counter_name_title_index) &&
               keep_title(&to->helps, counter->counter_help_title_index);
    }
    for (uint32_t i = 0; kept && i < object->instance_count; i++) {
        const prfdata_decode_instance *instance = &object->instances[i].wire;

        if (instance->has_definition)
            kept = keep_title(&to->names, instance->definition.parent_object_title_index);
    }
    return kept;
}

void prfdata_saved_block_put(prfdata_output *output, const prfdata_sample *sample,
                             const prfdata_titles *titles)
{
    const uint32_t total = sample->block.header.total_byte_length;

    if (total < sizeof(prfdata_perf_data_block) || total > sample->size) {
        prfdata_output_put(output, sample->bytes, sample->size);
        return;
    }
    prfdata_output_put(output, sample->bytes, total);
    prfdata_saved_block_put_titles(output, sample, titles);
}

void prfdata_saved_block_put_titles(prfdata_output *output, const prfdata_sample *sample,
                                    const prfdata_titles *titles)
{
    kept_titles indexes = {0};
    prfdata_titles kept = {0};
    bool enough_memory = true;

    for (uint32_t i = 0; enough_memory && i < sample->object_count; i++)
        enough_memory = keep_object_titles(&indexes, &sample->objects[i]);
    if (enough_memory && add_kept_titles(&kept.english, &titles->english, &indexes.names) &&
        add_kept_titles(&kept.helps, &titles->helps, &indexes.helps))
        put_saved_titles(output, &kept);
    else
        output->failed = true;
    prfdata_title_index_free(&indexes.names);
    prfdata_title_index_free(&indexes.helps);
    prfdata_titles_free(&kept);
}

/* ---- Reading ---- */

/* Return the text at *position; false: its NUL is missing. */
static bool next_saved_text(const uint16_t *chars, size_t count, size_t *position,
                            prfdata_text *text)
{
    text->chars = chars + *position;
    text->count = 0;
    while (*position < count && chars[*position] != 0) {
        text->count++;
        ++*position;
    }
    return (*position)++ < count;
}

static uint32_t read_title_chars(const uint16_t *chars, size_t count, prfdata_name_table *table,
                                 const char **mistake)
{
    size_t position = 0;
    uint32_t last = 0;

    for (;;) {
        prfdata_text number;
        prfdata_text name;
        uint32_t index;

        *mistake = prfdata_words_get(PRFDATA_WORD_FILE_TITLES_CUT);
        if (!next_saved_text(chars, count, &position, &number))
            return ERROR_SUCCESS;
        if (number.count == 0)
            break;
        *mistake = prfdata_words_get(PRFDATA_WORD_FILE_TITLES_ORDER);
        if (!prfdata_text_number(number, &index) || number.chars[0] == '0' || index <= last)
            return ERROR_SUCCESS;
        *mistake = prfdata_words_get(PRFDATA_WORD_FILE_TITLES_CUT);
        if (!next_saved_text(chars, count, &position, &name))
            return ERROR_SUCCESS;
        *mistake = prfdata_words_get(PRFDATA_WORD_FILE_TITLES_EMPTY);
        if (name.count == 0)
            return ERROR_SUCCESS;
        if (prfdata_name_table_append(table, index, name) != ERROR_SUCCESS)
            return ERROR_NOT_ENOUGH_MEMORY;
        last = index;
    }
    *mistake = position == count ? NULL : prfdata_words_get(PRFDATA_WORD_FILE_TITLES_MORE);
    return ERROR_SUCCESS;
}

/* Add the texts of a list to the table. The caller settles the table, because a recording has many
 * lists, and it is enough to sort the table after the last one. */
static uint32_t read_saved_list(prfdata_bytes list, prfdata_name_table *table, const char **mistake)
{
    const size_t count = list.size / 2;
    uint16_t *chars = malloc(count * sizeof *chars + 1);
    uint32_t status;

    if (!chars)
        return ERROR_NOT_ENOUGH_MEMORY;
    for (size_t i = 0; i < count; i++)
        chars[i] = prfdata_bytes_get16(list, 2 * i);
    status = read_title_chars(chars, count, table, mistake);
    if (!*mistake && list.size % 2 != 0)
        *mistake = prfdata_words_get(PRFDATA_WORD_FILE_TITLES_ODD);
    free(chars);
    return status;
}

static bool has_titles_signature(prfdata_bytes titles)
{
    return memcmp(titles.at, signature,
                  titles.size < SIGNATURE_BYTES ? titles.size : SIGNATURE_BYTES) == 0;
}

static prfdata_bytes part_of(prfdata_bytes bytes, size_t offset, size_t limit)
{
    const size_t left = bytes.size - offset;

    return (prfdata_bytes){bytes.at + offset, left < limit ? left : limit};
}

/* Returns whether the bytes after the titles look like the next part of a recording. If they are
 * anything else, the titles have a mistake. */
static bool is_next_part(prfdata_bytes rest)
{
    return rest.size >= 3 && memcmp(rest.at, signature, 3) == 0;
}

static uint32_t read_saved_titles(prfdata_bytes titles, prfdata_saved_block *saved)
{
    const uint32_t names_bytes = prfdata_bytes_get32(titles, NAMES_BYTES_OFFSET);
    const uint32_t helps_bytes = prfdata_bytes_get32(titles, HELPS_BYTES_OFFSET);
    const char *mistakes[2] = {NULL, NULL};
    prfdata_bytes names;
    prfdata_bytes helps;
    uint32_t status;

    if (!has_titles_signature(titles)) {
        saved->is_foreign = true;
        saved->mistake = prfdata_words_get(PRFDATA_WORD_FILE_NO_TITLES);
        return ERROR_SUCCESS;
    }
    saved->mistake = prfdata_words_get(PRFDATA_WORD_FILE_TITLES_CUT);
    if (titles.size < HEADER_BYTES)
        return ERROR_SUCCESS;
    if (prfdata_bytes_get32(titles, VERSION_OFFSET) != VERSION) {
        saved->mistake = prfdata_words_get(PRFDATA_WORD_FILE_TITLES_LATER);
        return ERROR_SUCCESS;
    }
    /* Unless a further part of a recording follows, all bytes after the names are help texts. */
    names = part_of(titles, HEADER_BYTES, names_bytes);
    helps = part_of(titles, HEADER_BYTES + names.size, helps_bytes);
    if (!is_next_part(part_of(titles, HEADER_BYTES + names.size + helps.size, SIZE_MAX)))
        helps = part_of(titles, HEADER_BYTES + names.size, SIZE_MAX);
    saved->end = HEADER_BYTES + names.size + helps.size;
    status = read_saved_list(names, &saved->titles.english, &mistakes[0]);
    if (status == ERROR_SUCCESS)
        status = read_saved_list(helps, &saved->titles.helps, &mistakes[1]);
    if (mistakes[0])
        saved->mistake = mistakes[0];
    else if (mistakes[1])
        saved->mistake = mistakes[1];
    else if (helps_bytes != helps.size || prfdata_bytes_get32(titles, ZERO_OFFSET) != 0)
        saved->mistake = prfdata_words_get(PRFDATA_WORD_FILE_TITLES_HEADER);
    else
        saved->mistake = NULL;
    return status;
}

uint32_t prfdata_saved_block_read_titles(const void *bytes, size_t size, prfdata_saved_block *saved)
{
    saved->end = size;
    saved->mistake = NULL;
    return read_saved_titles((prfdata_bytes){bytes, size}, saved);
}

uint32_t prfdata_saved_block_settle_titles(prfdata_titles *titles)
{
    const uint32_t status = prfdata_name_table_settle(&titles->english);

    return status == ERROR_SUCCESS ? prfdata_name_table_settle(&titles->helps) : status;
}

uint32_t prfdata_saved_block_read(const void *bytes, size_t size, prfdata_saved_block *saved,
                                  prfdata_decode_error *error)
{
    prfdata_saved_block made = {0};
    prfdata_decode_block block;
    uint32_t status = prfdata_decode_open(bytes, size, &block, error);

    if (status == ERROR_INVALID_DATA)
        return status;
    made.block_bytes = (size_t)block.size;
    made.end = made.block_bytes;
    status = ERROR_SUCCESS;
    if (made.block_bytes < size) {
        status = prfdata_saved_block_read_titles((const unsigned char *)bytes + made.block_bytes,
                                                 size - made.block_bytes, &made);
        made.end += made.block_bytes;
    }
    if (status == ERROR_SUCCESS)
        status = prfdata_saved_block_settle_titles(&made.titles);
    if (status != ERROR_SUCCESS) {
        prfdata_titles_free(&made.titles);
        return status;
    }
    *saved = made;
    return ERROR_SUCCESS;
}
