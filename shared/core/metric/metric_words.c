/* SPDX-License-Identifier: MIT */
/*
 * Handles the words of a metric's name, and lists the words that Prometheus does not accept there.
 */
#include "metric/metric_words.h"

#include <stdio.h>
#include <string.h>

#include "names/ascii.h"

static bool is_one_of_words(const char *word, const char *const *set, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (word[0] == set[i][0] && strcmp(word, set[i]) == 0)
            return true;
    }
    return false;
}

#define IS_ONE_OF(word, set) is_one_of_words(word, set, sizeof(set) / sizeof(set)[0])

void prfdata_metric_words_add(prfdata_metric_words *list, const char *word)
{
    if (list->count < PRFDATA_METRIC_WORD_COUNT && word[0] != 0)
        snprintf(list->items[list->count++], PRFDATA_METRIC_WORD_BYTES, "%.*s",
                 PRFDATA_METRIC_WORD_BYTES - 1, word);
}

bool prfdata_metric_words_is(const prfdata_metric_words *list, size_t position, const char *word)
{
    return position < list->count && strcmp(list->items[position], word) == 0;
}

void prfdata_metric_words_add_once(prfdata_metric_words *list, const char *word)
{
    if (list->count == 0 || !prfdata_metric_words_is(list, list->count - 1, word))
        prfdata_metric_words_add(list, word);
}

void prfdata_metric_words_drop(prfdata_metric_words *list, size_t position)
{
    list->count--;
    memmove(list->items[position], list->items[position + 1],
            (list->count - position) * sizeof list->items[0]);
}

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

void prfdata_metric_words_split(prfdata_metric_words *list, const char *text)
{
    char word[PRFDATA_METRIC_WORD_BYTES];
    size_t used = 0;

    for (;; text++) {
        const char c = (char)prfdata_ascii_lower(*text);

        if (is_word_char(c)) {
            if (used < sizeof word - 1)
                word[used++] = c;
            continue;
        }
        word[used] = 0;
        prfdata_metric_words_add(list, word);
        used = 0;
        if (*text == 0)
            return;
    }
}

static bool is_second(const prfdata_metric_words *list, size_t position)
{
    static const char *const seconds[] = {"s", "sec", "second", "seconds"};

    return position < list->count && IS_ONE_OF(list->items[position], seconds);
}

/* Cuts "persec" or "persecond" off the last word. Returns whether it did. */
static bool cut_rate_of_last_word(prfdata_metric_words *list)
{
    static const char *const ends[] = {"persec", "persecond"};
    char *word = list->count > 0 ? list->items[list->count - 1] : NULL;

    for (size_t i = 0; word && i < sizeof ends / sizeof ends[0]; i++) {
        const size_t size = strlen(word);
        const size_t end = strlen(ends[i]);

        if (size < end || strcmp(word + size - end, ends[i]) != 0 ||
            (size == end && list->count == 1))
            continue;
        word[size - end] = 0;
        if (size == end)
            list->count--;
        return true;
    }
    return false;
}

bool prfdata_metric_words_drop_rate(prfdata_metric_words *list)
{
    bool any = false;

    for (size_t i = 0; i + 1 < list->count;) {
        if (!prfdata_metric_words_is(list, i, "per") || !is_second(list, i + 1)) {
            i++;
            continue;
        }
        prfdata_metric_words_drop(list, i);
        prfdata_metric_words_drop(list, i);
        any = true;
    }
    return any || cut_rate_of_last_word(list);
}

static bool word_has_prefix(const char *word, const char *prefix)
{
    return word[0] == prefix[0] && strncmp(word, prefix, strlen(prefix)) == 0;
}

/*
 * Whether `promtool check metrics` rejects this unit anywhere in a name, because it is not a base
 * unit.
 */
static bool is_foreign_unit(const char *word)
{
    static const char *const others[] = {"minutes", "hours",    "days",  "weeks", "fahrenheit",
                                         "rankine", "inches",   "yards", "miles", "bits",
                                         "pounds",  "calories", "ounces"};
    static const char *const prefixes[] = {
        "pico", "nano", "micro", "milli", "centi", "deci", "deca", "hecto", "kilo", "kibi",
        "mega", "mibi", "mebi",  "giga",  "gibi",  "tera", "tebi", "peta",  "pebi"};
    static const char *const bases[] = {"amperes", "bytes",   "bits",    "celsius", "grams",
                                        "joules",  "kelvin",  "kelvins", "meters",  "metres",
                                        "moles",   "seconds", "volts"};

    if (IS_ONE_OF(word, others))
        return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (word_has_prefix(word, prefixes[i]) && IS_ONE_OF(word + strlen(prefixes[i]), bases))
            return true;
    }
    return false;
}

/* Whether promtool rejects the word if it is not the first word of a name. */
static bool is_reserved_inside(const char *word)
{
    static const char *const set[] = {"s",  "ms", "us",      "ns",    "sec",     "b",
                                      "kb", "mb", "gb",      "tb",    "pb",      "m",
                                      "h",  "d",  "counter", "gauge", "summary", "histogram"};

    return IS_ONE_OF(word, set) || is_foreign_unit(word);
}

bool prfdata_metric_words_is_reserved_end(const char *word)
{
    static const char *const set[] = {"total",   "count", "sum",    "bucket",
                                      "created", "info",  "gcount", "gsum"};

    return IS_ONE_OF(word, set);
}

static bool is_reserved_word(const prfdata_metric_words *list, size_t position, bool is_count)
{
    static const char *const ends_of_counts[] = {"total", "created"};
    const char *word = list->items[position];

    /* PCP's pmdaopenmetrics takes a gauge for a counter if the name has a word like "total". */
    if (!is_count && prfdata_metric_words_is_reserved_end(word))
        return true;
    if (position == 0)
        return is_foreign_unit(word);
    if (is_count && position + 1 == list->count && IS_ONE_OF(word, ends_of_counts))
        return true;
    return is_reserved_inside(word);
}

void prfdata_metric_words_mark_reserved(prfdata_metric_words *list, bool is_count)
{
    for (size_t i = 0; i < list->count; i++) {
        /* The x fits, because reserved words are short. */
        if (is_reserved_word(list, i, is_count)) {
            memmove(list->items[i] + 1, list->items[i], strlen(list->items[i]) + 1);
            list->items[i][0] = 'x';
        }
    }
}

void prfdata_metric_words_write(const prfdata_metric_words *list, char *name)
{
    size_t used = 0;

    name[0] = 0;
    if (list->count > 0 && list->items[0][0] >= '0' && list->items[0][0] <= '9')
        name[used++] = '_'; /* a name must not begin with a digit */
    for (size_t i = 0; i < list->count; i++) {
        const int wanted = snprintf(name + used, PRFDATA_METRIC_NAME_BYTES - used, "%s%s",
                                    i > 0 ? "_" : "", list->items[i]);

        if (wanted < 0 || (size_t)wanted >= PRFDATA_METRIC_NAME_BYTES - used) {
            name[used] = 0; /* words that do not fit are left out */
            return;
        }
        used += (size_t)wanted;
    }
}
