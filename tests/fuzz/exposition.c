/* SPDX-License-Identifier: MIT */
#include "exposition.h"

#include <float.h>
#include <string.h>

#include "fuzz.h"

typedef struct span {
    const char *bytes;
    size_t size;
} span;

typedef struct fuzzed_exposition {
    bool is_open_metrics;
    span family; /* the name of the current family, from its TYPE line */
    span kind;
    bool has_help;
    bool has_unit;
    bool has_sample;
    span *families;
    size_t family_count;
    span *series; /* name and labels of each series */
    size_t series_count;
} fuzzed_exposition;

static bool is_span(span a, const char *text)
{
    return a.size == strlen(text) && !memcmp(a.bytes, text, a.size);
}

static bool take(span *rest, const char *text)
{
    const size_t size = strlen(text);

    if (rest->size < size || memcmp(rest->bytes, text, size) != 0)
        return false;
    rest->bytes += size;
    rest->size -= size;
    return true;
}

/* Take bytes as long as each is one of these characters. */
static span take_all(span *rest, const char *characters)
{
    span taken = {rest->bytes, 0};

    while (taken.size < rest->size && rest->bytes[taken.size] != '\0' &&
           strchr(characters, rest->bytes[taken.size]))
        taken.size++;
    rest->bytes += taken.size;
    rest->size -= taken.size;
    return taken;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS  "0123456789"

static span take_name(span *rest, const char *characters)
{
    span name;

    FUZZ_CHECK(rest->size > 0 && !strchr(DIGITS, *rest->bytes));
    name = take_all(rest, characters);
    FUZZ_CHECK(name.size > 0);
    return name;
}

/* Return the number of bytes of a character that is not ASCII. Overlong forms, surrogates and
 * numbers above U+10FFFF are invalid. */
static size_t character_size(const unsigned char *at, size_t size)
{
    const size_t wanted = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    unsigned long code = at[0] & (0x7Fu >> wanted);

    FUZZ_CHECK(at[0] >= 0xC2 && at[0] <= 0xF4 && wanted <= size);
    for (size_t i = 1; i < wanted; i++) {
        FUZZ_CHECK((at[i] & 0xC0) == 0x80);
        code = code << 6 | (at[i] & 0x3Fu);
    }
    FUZZ_CHECK(wanted != 3 || (code >= 0x800 && (code < 0xD800 || code > 0xDFFF)));
    FUZZ_CHECK(wanted != 4 || (code >= 0x10000 && code <= 0x10FFFF));
    return wanted;
}

/* Take text up to `end`, or to the end of the line. After a backslash, only the characters of
 * `escaped` are allowed. */
static void take_text(span *rest, char end, const char *escaped)
{
    while (rest->size > 0 && (end == '\0' || *rest->bytes != end)) {
        const unsigned char first = (unsigned char)*rest->bytes;
        size_t used = 1;

        if (first == '\\') {
            FUZZ_CHECK(rest->size > 1 && rest->bytes[1] && strchr(escaped, rest->bytes[1]));
            used = 2;
        } else if (first >= 0x80) {
            used = character_size((const unsigned char *)rest->bytes, rest->size);
        } else {
            FUZZ_CHECK(first >= ' ' && first != 0x7F);
        }
        rest->bytes += used;
        rest->size -= used;
    }
}

/* For Prometheus a label with an empty value is the same as no label, so two series that differ
 * only in this label would be equal. Only the label `name` may have an empty value. */
static void take_labels(span *rest)
{
    span names[8];
    size_t count = 0;

    do {
        FUZZ_CHECK(count < sizeof names / sizeof names[0]);
        names[count] = take_name(rest, LETTERS DIGITS);
        for (size_t i = 0; i < count; i++)
            FUZZ_CHECK(names[i].size != names[count].size ||
                       memcmp(names[i].bytes, names[count].bytes, names[i].size) != 0);
        FUZZ_CHECK(take(rest, "=\""));
        FUZZ_CHECK(is_span(names[count], "name") || (rest->size > 0 && *rest->bytes != '"'));
        take_text(rest, '"', "\\\"n");
        FUZZ_CHECK(take(rest, "\""));
        count++;
    } while (take(rest, ","));
    FUZZ_CHECK(take(rest, "}"));
}

static void take_number(span *rest)
{
    char digits[64];
    char *end;
    double number;

    FUZZ_CHECK(rest->size > 0 && rest->size < sizeof digits);
    FUZZ_CHECK(strchr("-+." DIGITS, *rest->bytes));
    memcpy(digits, rest->bytes, rest->size);
    digits[rest->size] = '\0';
    number = strtod(digits, &end);
    FUZZ_CHECK(*end == '\0' && number >= -DBL_MAX && number <= DBL_MAX);
    rest->size = 0;
}

static int compare(const void *a, const void *b)
{
    const span *left = a;
    const span *right = b;
    const int order =
        memcmp(left->bytes, right->bytes, left->size < right->size ? left->size : right->size);

    return order ? order : (left->size > right->size) - (left->size < right->size);
}

static void add(span **list, size_t *count, span item)
{
    if ((*count & (*count - 1)) == 0) { /* the array is full when the number is a power of two */
        *list = realloc(*list, (*count ? 2 * *count : 1) * sizeof **list);
        FUZZ_CHECK(*list != NULL);
    }
    (*list)[(*count)++] = item;
}

static void check_once(span *list, size_t count)
{
    if (count > 1)
        qsort(list, count, sizeof *list, compare);
    for (size_t i = 1; i < count; i++)
        FUZZ_CHECK(compare(&list[i - 1], &list[i]) != 0);
}

/* Check "# TYPE name kind" and similar lines. TYPE is the first line of its family. */
static void check_comment(fuzzed_exposition *e, span line)
{
    static const char *const kinds[] = {"gauge", "counter", "summary", "info"};
    const bool is_type = take(&line, "TYPE ");
    const bool is_help = !is_type && take(&line, "HELP ");
    const bool is_unit = !is_type && !is_help && e->is_open_metrics && take(&line, "UNIT ");
    span name;
    bool is_known = false;

    FUZZ_CHECK(is_type || is_help || is_unit);
    name = take_name(&line, LETTERS DIGITS ":");
    FUZZ_CHECK(take(&line, " "));
    if (is_type) {
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            is_known = is_known || is_span(line, kinds[i]);
        FUZZ_CHECK(is_known);
        e->family = name;
        e->kind = line;
        e->has_help = e->has_unit = e->has_sample = false;
        add(&e->families, &e->family_count, name);
        return;
    }
    FUZZ_CHECK(!e->has_sample && compare(&name, &e->family) == 0);
    FUZZ_CHECK(is_help ? !e->has_help : !e->has_unit);
    e->has_help |= is_help;
    e->has_unit |= is_unit;
    if (is_unit) /* the unit is empty, or the name ends with the unit */
        FUZZ_CHECK(line.size == 0 ||
                   (name.size > line.size + 1 && name.bytes[name.size - line.size - 1] == '_' &&
                    !memcmp(name.bytes + name.size - line.size, line.bytes, line.size)));
    else
        take_text(&line, '\0', e->is_open_metrics ? "\\\"n" : "\\n");
}

static bool is_suffix(const fuzzed_exposition *e, span suffix)
{
    if (is_span(e->kind, "summary"))
        return is_span(suffix, "_sum") || is_span(suffix, "_count") ||
               (e->is_open_metrics && is_span(suffix, "_created"));
    if (e->is_open_metrics && is_span(e->kind, "counter"))
        return is_span(suffix, "_total") || is_span(suffix, "_created");
    if (is_span(e->kind, "info"))
        return is_span(suffix, "_info");
    return suffix.size == 0;
}

static void check_sample(fuzzed_exposition *e, span line)
{
    span series = line;
    const span name = take_name(&line, LETTERS DIGITS ":");
    span suffix = name;

    FUZZ_CHECK(e->family.size > 0 && name.size >= e->family.size);
    FUZZ_CHECK(!memcmp(name.bytes, e->family.bytes, e->family.size));
    suffix.bytes += e->family.size;
    suffix.size -= e->family.size;
    FUZZ_CHECK(is_suffix(e, suffix));
    if (take(&line, "{"))
        take_labels(&line);
    series.size -= line.size;
    FUZZ_CHECK(take(&line, " "));
    take_number(&line);
    add(&e->series, &e->series_count, series);
    e->has_sample = true;
}

void fuzz_check_exposition(const char *bytes, size_t size, bool is_open_metrics)
{
    fuzzed_exposition e = {.is_open_metrics = is_open_metrics};
    span rest = {bytes, size};
    bool ended = false;

    while (rest.size > 0) {
        const char *end = memchr(rest.bytes, '\n', rest.size);
        span line = {rest.bytes, 0};

        FUZZ_CHECK(end != NULL && !ended);
        line.size = (size_t)(end - rest.bytes);
        rest.bytes += line.size + 1;
        rest.size -= line.size + 1;
        ended = is_open_metrics && is_span(line, "# EOF");
        if (ended)
            continue;
        if (take(&line, "# "))
            check_comment(&e, line);
        else
            check_sample(&e, line);
    }
    FUZZ_CHECK(ended == is_open_metrics);
    check_once(e.families, e.family_count);
    check_once(e.series, e.series_count);
    free(e.families);
    free(e.series);
}
