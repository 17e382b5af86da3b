/* SPDX-License-Identifier: MIT */
/* Sends any text through the parser of counter paths, and matches accepted paths with any label. A
 * second parser, which begins at the end, must give the same verdict and the same parts. The parts
 * must lie within the text, and give the path again if they are put together. A second matcher,
 * which tries everything, must match the same labels.
 *
 * Input: one byte says how many of the following bytes are the path; the others are a label. A byte
 * below 0x80 is that character; a higher byte chooses one of `others`. */
#include <string.h>

#include "fuzz.h"
#include "names/names.h"
#include "paths/path.h"

enum { MAX_CHARS = 256 };

/* Letters with two cases, surrogates that may form pairs, and the lowest and highest unit. */
static const uint16_t others[] = {0x00C4, 0x00E4, 0xD801, 0xDC00, 0xDC28, 0x0130, 0xFFFF, 0};

/* Make the text in an allocation of exactly its size, so that the sanitizer watches both ends. */
static prfdata_text make(const uint8_t *bytes, size_t count)
{
    uint16_t *chars = fuzz_memory(count * sizeof *chars);

    for (size_t i = 0; i < count; i++)
        chars[i] = bytes[i] < 0x80 ? bytes[i] : others[bytes[i] % 8];
    return (prfdata_text){chars, count};
}

static void drop(prfdata_text text)
{
    free((void *)(uintptr_t)text.chars);
}

static bool is_same(const prfdata_path *a, const prfdata_path *b)
{
    return a->has_instance == b->has_instance && prfdata_text_is_same(a->computer, b->computer) &&
           prfdata_text_is_same(a->object, b->object) &&
           prfdata_text_is_same(a->instance, b->instance) &&
           prfdata_text_is_same(a->counter, b->counter);
}

/* ---- The other parser ---- */

static size_t find(prfdata_text text, size_t from, uint16_t unit)
{
    while (from < text.count && text.chars[from] != unit)
        from++;
    return from;
}

static prfdata_text without_zero(prfdata_text text)
{
    const size_t count = text.count;

    if (count >= 2 && text.chars[count - 2] == '#' && text.chars[count - 1] == '0')
        text.count -= 2;
    return text;
}

/* Parse from the end. A counter has no backslash, so the last backslash is before the counter. */
static bool parse_backwards(prfdata_text text, prfdata_path *path)
{
    size_t begin = 0;
    size_t last = text.count;
    size_t open;

    memset(path, 0, sizeof *path);
    if (text.count == 0 || text.chars[0] != '\\')
        return false;
    while (text.chars[last - 1] != '\\')
        last--;
    last--;
    path->counter = prfdata_text_part(text, last + 1, text.count);
    if (text.count > 1 && text.chars[1] == '\\') {
        begin = find(text, 2, '\\');
        if (begin == 2 || begin == text.count)
            return false;
        path->computer = prfdata_text_part(text, 2, begin);
    }
    if (last <= begin + 1 || path->counter.count == 0)
        return false;

    path->object = prfdata_text_part(text, begin + 1, last);
    open = find(path->object, 0, '(');
    if (open < path->object.count && find(path->object, 0, '\\') > open) {
        const size_t end = path->object.count - 1;

        if (path->object.chars[end] != ')' || end < open + 1)
            return false;
        path->has_instance = true;
        path->instance = without_zero(prfdata_text_part(path->object, open + 1, end));
        path->object.count = open;
    }
    return path->object.count > 0 && find(path->object, 0, '\\') == path->object.count;
}

/* ---- The other matcher ---- */

/* Decode to folded code points. Half of a surrogate pair stays as it is. */
static size_t decode(prfdata_text text, uint32_t *points)
{
    size_t count = 0;

    for (size_t i = 0; i < text.count; i++) {
        uint32_t point = text.chars[i];

        if (point >= 0xD800 && point < 0xDC00 && i + 1 < text.count &&
            text.chars[i + 1] >= 0xDC00 && text.chars[i + 1] < 0xE000)
            point = 0x10000 + ((point - 0xD800) << 10) + (text.chars[++i] - 0xDC00u);
        points[count++] = prfdata_names_fold(point);
    }
    return count;
}

/* row[t] says whether the pattern so far matches the first t points of the text. */
static bool fits(const uint32_t *pattern, size_t pattern_count, const uint32_t *text,
                 size_t text_count)
{
    bool row[MAX_CHARS + 1] = {true};

    for (size_t p = 0; p < pattern_count; p++) {
        bool before = row[0];

        row[0] = before && pattern[p] == '*';
        for (size_t t = 0; t < text_count; t++) {
            const bool diagonal = before;

            before = row[t + 1];
            row[t + 1] = pattern[p] == '*' ? before || row[t] : diagonal && pattern[p] == text[t];
        }
    }
    return row[text_count];
}

static void check_match(prfdata_text pattern, prfdata_text text)
{
    uint32_t a[MAX_CHARS], b[MAX_CHARS];
    const size_t a_count = decode(pattern, a);
    const size_t b_count = decode(text, b);
    const bool is_equal = a_count == b_count && memcmp(a, b, a_count * sizeof *a) == 0;
    const int order = prfdata_text_compare(pattern, text);

    FUZZ_CHECK(prfdata_text_matches(pattern, text) == fits(a, a_count, b, b_count));
    FUZZ_CHECK(prfdata_text_equal(pattern, text) == is_equal);
    FUZZ_CHECK((order == 0) == is_equal);
    FUZZ_CHECK((order < 0) == (prfdata_text_compare(text, pattern) > 0));
}

static void check_inside(prfdata_text text, prfdata_text part)
{
    if (part.count == 0)
        return;
    FUZZ_CHECK(part.chars >= text.chars && part.count <= text.count);
    FUZZ_CHECK((size_t)(part.chars - text.chars) <= text.count - part.count);
}

/* Put the parts together again, with "#0" after the instance or without it. If the result is the
 * text, add 1 to *same_text. With "#0", parsing the result must give the same parts. */
static void check_together(prfdata_text text, const prfdata_path *path, bool with_zero,
                           unsigned *same_text)
{
    uint16_t *chars = fuzz_memory((text.count + 2) * sizeof *chars);
    prfdata_path again;
    prfdata_path_error error;
    size_t used = 0;

    if (path->computer.count > 0) {
        chars[used++] = '\\';
        chars[used++] = '\\';
        used = prfdata_text_append(chars, used, path->computer);
    }
    chars[used++] = '\\';
    used = prfdata_text_append(chars, used, path->object);
    if (path->has_instance) {
        chars[used++] = '(';
        used = prfdata_text_append(chars, used, path->instance);
        if (with_zero) {
            chars[used++] = '#';
            chars[used++] = '0';
        }
        chars[used++] = ')';
    }
    chars[used++] = '\\';
    used = prfdata_text_append(chars, used, path->counter);
    *same_text += prfdata_text_is_same(text, (prfdata_text){chars, used});
    if (with_zero) {
        FUZZ_CHECK(prfdata_path_parse((prfdata_text){chars, used}, &again, &error));
        FUZZ_CHECK(is_same(path, &again));
    }
    free(chars);
}

/* Check that the first reading is `first`, and that the parts of each reading lie within the
 * text. */
static void check_readings(prfdata_text text, const prfdata_path *first)
{
    prfdata_path_readings readings;
    prfdata_path_error error;
    prfdata_path path;
    unsigned count = 0;

    FUZZ_CHECK(prfdata_path_begin_readings(&readings, text, &error));
    for (; prfdata_path_next_reading(&readings, &path); count++) {
        FUZZ_CHECK(count > 0 || is_same(&path, first));
        FUZZ_CHECK(path.object.count > 0 && path.counter.count > 0);
        check_inside(text, path.object);
        check_inside(text, path.instance);
        FUZZ_CHECK(path.counter.chars + path.counter.count == text.chars + text.count);
    }
    FUZZ_CHECK(count > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    prfdata_path path;
    prfdata_path other;
    prfdata_path_error error = {SIZE_MAX, NULL};
    prfdata_text text;
    prfdata_text label;
    size_t count;

    if (size < 1 || size > MAX_CHARS)
        return 0;
    count = bytes[0] < size ? bytes[0] : size - 1;
    text = make(bytes + 1, count);
    label = make(bytes + 1 + count, size - 1 - count);

    if (prfdata_path_parse(text, &path, &error)) {
        unsigned same_text = 0;

        FUZZ_CHECK(parse_backwards(text, &other) && is_same(&path, &other));
        check_inside(text, path.computer);
        check_inside(text, path.object);
        check_inside(text, path.instance);
        check_inside(text, path.counter);
        if (path.has_instance)
            check_together(text, &path, true, &same_text);
        check_together(text, &path, false, &same_text);
        FUZZ_CHECK(same_text == 1);
        check_match(path.instance, label);
        check_match(path.counter, label);
        FUZZ_CHECK(prfdata_path_wants_instance(&path, label) ==
                   (path.has_instance &&
                    (prfdata_text_matches(path.instance, label) ||
                     (path.has_zero &&
                      prfdata_text_matches(prfdata_path_instance_with_zero(&path), label)))));
        check_readings(text, &path);
    } else {
        FUZZ_CHECK(!parse_backwards(text, &other));
        FUZZ_CHECK(error.position <= text.count && error.reason && *error.reason);
        check_match(text, label);
    }
    drop(label);
    drop(text);
    return 0;
}
