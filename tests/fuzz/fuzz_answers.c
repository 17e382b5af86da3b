/* SPDX-License-Identifier: MIT */
/* Reads any bytes as the answers of child processes. The answers are either samples, which are
 * joined, or title lists. Everything that is read must lie in the bytes. Joining must leave out the
 * objects that earlier answers have. A second reading of a title list must find the same titles.
 *
 * Input: one byte, of which bit 0 says that the answers are title lists; then the answers, each
 * with its header. */
#include <string.h>

#include <prfdata/error.h>

#include "base/perf_wire.h"
#include "block/data_block.h"
#include "block/name_table.h"
#include "block/sample.h"
#include "fuzz.h"
#include "source/child_answer.h"

/* Returns the number that a text of at most ten digits states, or 0 if the text is not a number or
 * the number exceeds 32 bits. */
static uint64_t number_of(const uint16_t *chars, size_t count)
{
    uint64_t number = 0;

    for (size_t i = 0; i < count; i++) {
        if (chars[i] < '0' || chars[i] > '9' || count > 10)
            return 0;
        number = number * 10 + (chars[i] - '0');
    }
    return number <= UINT32_MAX ? number : 0;
}

static size_t text_end(const uint16_t *chars, size_t count, size_t at)
{
    while (at < count && chars[at] != 0)
        at++;
    return at;
}

/* Reads the list again, and finds the first name of this index. Returns false if there is none. */
static bool find_name(const uint16_t *chars, size_t count, uint32_t index, prfdata_text *name)
{
    for (size_t at = 0; at < count;) {
        const size_t number_end = text_end(chars, count, at);
        const size_t name_at = number_end < count ? number_end + 1 : count;
        const size_t name_end = text_end(chars, count, name_at);

        if (number_end == at)
            return false;
        *name = (prfdata_text){chars + name_at, name_end - name_at};
        if (name->count > 0 && number_of(chars + at, number_end - at) == index)
            return true;
        at = name_end + 1;
    }
    return false;
}

static void check_titles(const void *bytes, size_t size)
{
    const size_t count = size / sizeof(uint16_t);
    const uint16_t *chars = bytes;
    prfdata_name_table table = {0};
    size_t found = 0;

    FUZZ_CHECK(prfdata_name_table_add_list(&table, chars, count) == ERROR_SUCCESS);
    for (size_t i = 0; i < table.count; i++) {
        prfdata_text name;

        FUZZ_CHECK(table.items[i].index > 0);
        FUZZ_CHECK(i == 0 || table.items[i - 1].index < table.items[i].index);
        FUZZ_CHECK(find_name(chars, count, table.items[i].index, &name));
        FUZZ_CHECK(name.count == table.items[i].name.count);
        FUZZ_CHECK(!memcmp(name.chars, table.items[i].name.chars, 2 * name.count));
    }
    for (size_t at = 0; at < count;) {
        const size_t number_end = text_end(chars, count, at);
        const size_t name_at = number_end < count ? number_end + 1 : count;
        const size_t name_end = text_end(chars, count, name_at);
        const uint64_t index = number_of(chars + at, number_end - at);

        if (number_end == at)
            break;
        if (index > 0 && name_end > name_at)
            found += prfdata_name_table_name(&table, (uint32_t)index).count > 0;
        at = name_end + 1;
    }
    FUZZ_CHECK(found >= table.count);
    prfdata_name_table_free(&table);
}

/* Returns the size of the whole object at this offset, or 0 if there is none. Gets its title. */
static size_t object_at(const unsigned char *bytes, size_t end, size_t at, uint32_t *title)
{
    prfdata_perf_object_type object;

    if (end - at < sizeof object)
        return 0;
    memcpy(&object, bytes + at, sizeof object);
    *title = object.object_name_title_index;
    return object.total_byte_length >= sizeof object && object.total_byte_length <= end - at
               ? object.total_byte_length
               : 0;
}

/* The titles of all whole objects in the answers so far. */
static struct {
    uint32_t titles[64];
    size_t count;
} known;

static bool is_known(uint32_t title)
{
    for (size_t i = 0; i < known.count; i++)
        if (known.titles[i] == title)
            return true;
    return false;
}

static void note_titles(const unsigned char *answer, size_t answer_size)
{
    prfdata_perf_data_block header;
    uint32_t title;
    size_t size;

    if (answer_size < sizeof header)
        return;
    memcpy(&header, answer, sizeof header);
    if (header.header_length < sizeof header || header.header_length > header.total_byte_length ||
        header.total_byte_length > answer_size)
        return;
    for (size_t at = header.header_length;
         (size = object_at(answer, header.total_byte_length, at, &title)) > 0; at += size) {
        FUZZ_CHECK(known.count < sizeof known.titles / sizeof known.titles[0]);
        known.titles[known.count++] = title;
    }
}

/* Checks what the joined block consists of: the first block, then those whole objects of the answer
 * that earlier answers lack, then the rest of the answer. */
static void check_joined(const unsigned char *joined, size_t joined_size,
                         const unsigned char *first, const unsigned char *answer)
{
    prfdata_perf_data_block header;
    uint32_t title;
    size_t at, end, size;
    size_t used;

    memcpy(&header, first, sizeof header);
    used = header.total_byte_length;
    memcpy(&header, answer, sizeof header);
    at = header.header_length;
    end = header.total_byte_length;
    for (; (size = object_at(answer, end, at, &title)) > 0; at += size) {
        if (is_known(title))
            continue;
        FUZZ_CHECK(joined_size - used >= size && !memcmp(joined + used, answer + at, size));
        used += size;
    }
    FUZZ_CHECK(joined_size - used == end - at && !memcmp(joined + used, answer + at, end - at));
    memcpy(&header, joined, sizeof header);
    FUZZ_CHECK(header.total_byte_length == joined_size);
}

static void take_sample(prfdata_data_blocks *all, const void *bytes, size_t size)
{
    const size_t before = all->size;
    void *first = all->bytes ? fuzz_copy(all->bytes, before) : NULL;
    const uint32_t status = prfdata_data_blocks_add(all, fuzz_copy(bytes, size), size);

    if (!first)
        FUZZ_CHECK(status == ERROR_SUCCESS && all->size == size);
    else if (status == ERROR_SUCCESS)
        check_joined(all->bytes, all->size, first, bytes);
    else
        FUZZ_CHECK(all->size == before && !memcmp(all->bytes, first, before));
    if (status == ERROR_SUCCESS)
        note_titles(bytes, size);
    free(first);
}

static void check_samples(prfdata_data_blocks *all)
{
    prfdata_sample *sample = NULL;
    size_t size;
    void *bytes = prfdata_data_blocks_take(all, &size);
    void *exact = fuzz_copy(bytes, size);

    free(bytes);
    FUZZ_CHECK(prfdata_sample_make(exact, size, &sample) == ERROR_SUCCESS);
    for (uint32_t i = 0; i < sample->object_count; i++)
        FUZZ_CHECK(sample->objects[i].found_count <= sample->objects[i].instance_count);
    prfdata_sample_free(sample);
}

static bool take_answer(fuzz_input *input, bool is_list, prfdata_data_blocks *all)
{
    prfdata_child_answer_header header;
    prfdata_child_answer_kind kind;
    void *exact;

    header.status = fuzz_u32(input);
    header.size = fuzz_u32(input);
    kind = prfdata_child_answer_judge(&header);
    if (kind == PRFDATA_CHILD_ANSWER_HAS_PATH)
        FUZZ_CHECK(header.size < 2 * PRFDATA_CHILD_ANSWER_PATH_CHARS);
    if (kind != PRFDATA_CHILD_ANSWER_HAS_BYTES)
        return kind == PRFDATA_CHILD_ANSWER_HAS_STATUS;
    if (header.size > input->size)
        return false; /* the process ended before the answer was complete */
    exact = fuzz_copy(input->bytes, header.size);
    input->bytes += header.size;
    input->size -= header.size;
    if (is_list)
        check_titles(exact, header.size);
    else
        take_sample(all, exact, header.size);
    free(exact);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_input input = {bytes, size};
    const bool is_list = fuzz_u8(&input) & 1;
    prfdata_data_blocks all = {0};
    bool goes_on = true;

    known.count = 0;
    while (input.size > 0 && goes_on)
        goes_on = take_answer(&input, is_list, &all);
    if (all.bytes)
        check_samples(&all);
    return 0;
}
