/* SPDX-License-Identifier: MIT */
/*
 * Titles are split into words; units and words with a meaning of their own are converted, dropped
 * or joined with their neighbours; what is left makes the name. Words are bounded, so nothing is
 * allocated.
 */
#include "prometheus/metric_name.h"

#include <stdio.h>
#include <string.h>

enum {
    TITLE_WORD = 40,  /* of a word of a title; the rest is cut */
    EXTRA_WORDS = 3,  /* index, suffix, unit */
    BODY_BYTES = 200, /* of all words but suffix, index and unit */
    CHARS_LOOKED_AT = 4096
};

typedef prfdata_metric_words words;

static void add_number_word(words *list, const char *prefix, uint32_t number)
{
    char word[32];

    snprintf(word, sizeof word, "%s%lu", prefix, (unsigned long)number);
    prfdata_metric_words_add(list, word);
}

/* ---- From a title to words ---- */

/* The word that a character stands for; NULL: it only separates words. */
static const char *word_of_character(uint16_t unit)
{
    switch (unit) {
    case '%':
        return "%";
    case '/':
        return "per";
    case '+':
        return "plus";
    case '&':
        return "and";
    default:
        return NULL;
    }
}

static bool is_name_digit(char c)
{
    return c >= '0' && c <= '9';
}

/*
 * Split a title. ASCII letters and digits make words, in lower case. "# of" is left out, and an
 * apostrophe does not separate: "object's" is one word.
 */
static void split_title(prfdata_text title, words *list)
{
    char word[TITLE_WORD + 1];
    size_t used = 0;
    bool after_number_sign = false;

    list->count = 0;
    if (title.count > CHARS_LOOKED_AT)
        title.count = CHARS_LOOKED_AT;
    for (size_t i = 0; i <= title.count; i++) {
        uint16_t unit = i < title.count ? title.chars[i] : ' ';
        char c = unit >= 'A' && unit <= 'Z' ? (char)(unit + ('a' - 'A')) : (char)(unit & 0x7F);

        if (unit < 0x80 && ((c >= 'a' && c <= 'z') || is_name_digit(c))) {
            if (used < TITLE_WORD)
                word[used++] = c;
            continue;
        }
        if (unit == '\'' || unit == 0x2019)
            continue;
        word[used] = 0;
        if (used > 0 && !(after_number_sign && strcmp(word, "of") == 0))
            prfdata_metric_words_add(list, word);
        if (used > 0)
            after_number_sign = false;
        used = 0;
        if (unit == '#')
            after_number_sign = true;
        if (word_of_character(unit))
            prfdata_metric_words_add(list, word_of_character(unit));
    }
}

/* ---- Units ---- */

static const struct {
    const char *word;
    const char *base;
    double factor;
} units[] = {
    {"bytes", "bytes", 1},
    {"byte", "bytes", 1},
    {"kb", "bytes", 1024},
    {"kbyte", "bytes", 1024},
    {"kbytes", "bytes", 1024},
    {"kilobytes", "bytes", 1024},
    {"kibibytes", "bytes", 1024},
    {"mb", "bytes", 1048576},
    {"mbyte", "bytes", 1048576},
    {"mbytes", "bytes", 1048576},
    {"megabytes", "bytes", 1048576},
    {"mebibytes", "bytes", 1048576},
    {"gb", "bytes", 1073741824},
    {"gbytes", "bytes", 1073741824},
    {"gigabytes", "bytes", 1073741824},
    {"gibibytes", "bytes", 1073741824},
    {"tb", "bytes", 1099511627776},
    {"terabytes", "bytes", 1099511627776},
    {"sec", "seconds", 1},
    {"secs", "seconds", 1},
    {"seconds", "seconds", 1},
    {"ms", "seconds", 1e-3},
    {"msec", "seconds", 1e-3},
    {"msecs", "seconds", 1e-3},
    {"milliseconds", "seconds", 1e-3},
    {"us", "seconds", 1e-6},
    {"usec", "seconds", 1e-6},
    {"microseconds", "seconds", 1e-6},
    {"ns", "seconds", 1e-9},
    {"nsec", "seconds", 1e-9},
    {"nanoseconds", "seconds", 1e-9},
    {"minutes", "seconds", 60},
    {"hours", "seconds", 3600},
    {"days", "seconds", 86400},
    {"%", "ratio", 0.01},
    {"percent", "ratio", 0.01},
    {"percentage", "ratio", 0.01},
};

#define UNIT_COUNT (sizeof units / sizeof units[0])

/*
 * The row of a word that is a unit; UNIT_COUNT if it is not. After a number it is not: "2 MB" is a
 * size that something is compared with, not what is counted.
 */
static size_t unit_of_word(const words *list, size_t position)
{
    size_t row = 0;

    if (position > 0 && is_name_digit(list->items[position - 1][0]))
        return UNIT_COUNT;
    while (row < UNIT_COUNT && strcmp(units[row].word, list->items[position]) != 0)
        row++;
    return row;
}

/* Replace the first unit of the title by its base unit; "%" goes, for a ratio at the end. */
static void convert_unit(words *list, prfdata_metric_kind kind, prfdata_metric_name *name)
{
    for (size_t i = 0; i < list->count && !prfdata_metric_words_is(list, i, "per"); i++) {
        size_t row = unit_of_word(list, i);

        if (row == UNIT_COUNT)
            continue;
        if (strcmp(units[row].base, "ratio") == 0) {
            if (kind == PRFDATA_METRIC_COUNTER)
                continue;
            name->unit = "ratio";
            prfdata_metric_words_drop(list, i);
        } else {
            snprintf(list->items[i], PRFDATA_METRIC_WORD_BYTES, "%s", units[row].base);
        }
        name->factor = units[row].factor;
        return;
    }
}

/* Drop the title's own unit, since the type says what it is: "sec/Read" leaves "read". */
static void drop_units(words *list, const char *unit)
{
    for (size_t i = 0; i < list->count && !prfdata_metric_words_is(list, i, "per");) {
        size_t row = unit_of_word(list, i);

        if (row == UNIT_COUNT ||
            (strcmp(units[row].base, unit) != 0 && strcmp(units[row].base, "ratio") != 0)) {
            i++;
            continue;
        }
        prfdata_metric_words_drop(list, i);
        if (prfdata_metric_words_is(list, i, "per"))
            prfdata_metric_words_drop(list, i);
    }
    if (list->count > 0 && strcmp(list->items[list->count - 1], unit) == 0)
        prfdata_metric_words_drop(list, list->count - 1);
}

/* ---- The name ---- */

/* Spell the percent signs that are no unit. */
static void spell_percent(words *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (prfdata_metric_words_is(list, i, "%"))
            snprintf(list->items[i], PRFDATA_METRIC_WORD_BYTES, "percent");
    }
}

static void rename_seconds(words *list)
{
    for (size_t i = 1; i < list->count; i++) {
        if (prfdata_metric_words_is(list, i - 1, "per") &&
            (prfdata_metric_words_is(list, i, "sec") || prfdata_metric_words_is(list, i, "s")))
            snprintf(list->items[i], PRFDATA_METRIC_WORD_BYTES, "second");
    }
}

static void words_of_counter(const prfdata_metric_titles *titles, words *list,
                             prfdata_metric_name *name)
{
    split_title(titles->counter, list);
    if (titles->kind == PRFDATA_METRIC_COUNTER) {
        (void)prfdata_metric_words_drop_rate(list);
        while (list->count > 1 && prfdata_metric_words_is(list, list->count - 1, "total"))
            prfdata_metric_words_drop(list, list->count - 1);
    }
    switch (titles->unit) {
    case PRFDATA_METRIC_UNIT_SECONDS:
        drop_units(list, "seconds");
        name->unit = "seconds";
        if (list->count > 1 && strcmp(titles->suffix, "start_time") == 0 &&
            prfdata_metric_words_is(list, list->count - 2, "elapsed") &&
            prfdata_metric_words_is(list, list->count - 1, "time"))
            list->count -= 2;
        break;
    case PRFDATA_METRIC_UNIT_RATIO:
        drop_units(list, "ratio");
        name->unit = "ratio";
        break;
    case PRFDATA_METRIC_UNIT_NONE:
        drop_units(list, "ratio");
        break;
    default:
        convert_unit(list, titles->kind, name);
        break;
    }
    rename_seconds(list);
    spell_percent(list);
    if (list->count == 0 && (titles->suffix[0] == 0 || titles->counter.count == 0))
        add_number_word(list, "title_", titles->counter_index);
}

/* Append the words of `more`, as far as they fit. */
static void append_words(words *list, const words *more, size_t *body_bytes)
{
    for (size_t i = 0; i < more->count; i++) {
        size_t size = strlen(more->items[i]) + 1;

        if (*body_bytes + size > BODY_BYTES ||
            list->count + EXTRA_WORDS >= PRFDATA_METRIC_WORD_COUNT)
            return;
        *body_bytes += size;
        prfdata_metric_words_add(list, more->items[i]);
    }
}

/* The base unit that is this word, in static storage; NULL: it is not one. */
static const char *unit_word(const char *word)
{
    static const char *const bases[] = {"bytes", "seconds", "ratio"};

    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
        if (strcmp(word, bases[i]) == 0)
            return bases[i];
    }
    return NULL;
}

void prfdata_metric_name_make(const prfdata_metric_titles *titles, prfdata_metric_name *name)
{
    words object;
    words counter;
    words all;
    size_t body_bytes = 0;

    memset(name, 0, sizeof *name);
    name->factor = 1;
    split_title(titles->object, &object);
    spell_percent(&object);
    if (object.count == 0)
        add_number_word(&object, "title_", titles->object_index);
    words_of_counter(titles, &counter, name);

    all.count = 0;
    append_words(&all, &object, &body_bytes);
    append_words(&all, &counter, &body_bytes);
    if (titles->number > 0)
        add_number_word(&all, "", titles->number);
    if (titles->suffix[0] != 0)
        prfdata_metric_words_add(&all, titles->suffix);
    if (name->unit)
        prfdata_metric_words_add(&all, name->unit);
    prfdata_metric_words_join_reserved(&all);
    name->unit = unit_word(all.items[all.count - 1]);

    prfdata_metric_words_write(&all, name->text);
}
