/* SPDX-License-Identifier: MIT */
/* Compares the query parser with a second parser, which first splits the text into words of narrow
 * characters and compares numbers as strings.
 *
 * Input: the first title index (4 bytes), then the string, one byte per unit. A byte of 0x80 or
 * more is the high byte of a unit, and its low byte follows. */
#include <string.h>

#include "collect/query.h"
#include "fuzz.h"
#include "fuzz_map.h"

enum { MAX_CHARS = 512, MAX_WORDS = MAX_CHARS / 2 + 1 };

typedef struct query_words {
    char text[MAX_WORDS][MAX_CHARS + 1]; /* lower case; '?': a character that is not ASCII */
    size_t count;
} query_words;

/* ---- The second parser ---- */

static char narrow(uint16_t unit)
{
    if (unit >= 'A' && unit <= 'Z')
        return (char)(unit + 32);
    return unit < 0x80 ? (char)unit : '?';
}

static void split(const uint16_t *text, query_words *list)
{
    size_t length = 0;

    list->count = 0;
    for (;; text++) {
        bool is_blank = *text == 0 || strchr(" \t\n\v\f\r", *text < 0x80 ? (int)*text : 'x');

        if (!is_blank) {
            list->text[list->count][length++] = narrow(*text);
        } else if (length > 0) {
            list->text[list->count++][length] = 0;
            length = 0;
        }
        if (*text == 0)
            return;
    }
}

static bool digits_only(const char *word)
{
    return *word && strspn(word, "0123456789") == strlen(word);
}

static void want(bool *wanted, const prfdata_model *model, const char *word, uint32_t first_counter)
{
    while (word[0] == '0' && word[1])
        word++;
    for (uint32_t i = 0; i < model->object_count; i++) {
        uint32_t title = first_counter + model->objects[i].title_offset;
        char spelled[16];

        snprintf(spelled, sizeof spelled, "%u", (unsigned)title);
        /* UINT32_MAX is not the index of a title. */
        if (!strcmp(spelled, word) && title != UINT32_MAX)
            wanted[i] = true;
    }
}

static void add_parents(bool *wanted)
{
    if (wanted[3])
        wanted[1] = true;
    if (wanted[1])
        wanted[0] = true;
}

/* Compute which objects of fuzz_map the query wants. */
static void expect(const query_words *list, const prfdata_model *model, uint32_t first_counter,
                   bool *wanted, bool *metadata)
{
    const char *first = list->count ? list->text[0] : "";

    if (!strncmp(first, "old_", 4))
        first += 4;
    *metadata = !strcmp(first, "metadataglobal") || !strcmp(first, "metadatacostly");
    if (!strcmp(first, "global") || !strcmp(first, "metadataglobal"))
        wanted[0] = wanted[1] = wanted[2] = true;
    if (!strcmp(first, "costly") || !strcmp(first, "metadatacostly"))
        wanted[3] = true;
    if (digits_only(first)) {
        want(wanted, model, first, first_counter);
        for (size_t i = 1; i < list->count; i++)
            want(wanted, model, list->text[i], first_counter);
    }
    if (!*metadata)
        add_parents(wanted);
}

static uint16_t *make_text(fuzz_input *input)
{
    const size_t limit = input->size < MAX_CHARS ? input->size : MAX_CHARS;
    uint16_t *chars = fuzz_memory((limit + 1) * sizeof *chars);
    uint16_t *exact;
    size_t count = 0;

    while (input->size > 0 && count < limit) {
        uint8_t byte = fuzz_u8(input);

        chars[count++] = (uint16_t)(byte < 0x80 ? byte : (byte & 0x7F) << 8 | fuzz_u8(input));
    }
    chars[count] = 0;
    exact = fuzz_memory((count + 1) * sizeof *exact);
    memcpy(exact, chars, (count + 1) * sizeof *exact);
    free(chars);
    return exact;
}

static const prfdata_model *the_model(void)
{
    static prfdata_model *model;

    if (!model)
        FUZZ_CHECK(!prfdata_model_make(&fuzz_map, &model));
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const prfdata_model *model = the_model();
    fuzz_input input = {bytes, size};
    uint32_t first_counter = fuzz_u32(&input);
    uint16_t *text = make_text(&input);
    bool *wanted = fuzz_memory(FUZZ_OBJECTS * sizeof *wanted);
    bool expected[FUZZ_OBJECTS] = {false};
    bool metadata, expected_metadata, any, expected_any = false;
    static query_words list;

    any = prfdata_query_parse(text, model, first_counter, wanted, &metadata);
    split(text, &list);
    expect(&list, model, first_counter, expected, &expected_metadata);
    for (uint32_t i = 0; i < FUZZ_OBJECTS; i++)
        expected_any |= expected[i];
    FUZZ_CHECK(!memcmp(wanted, expected, sizeof expected));
    FUZZ_CHECK(metadata == expected_metadata);
    FUZZ_CHECK(any == expected_any);
    free(wanted);
    free(text);
    return 0;
}
