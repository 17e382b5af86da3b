/* SPDX-License-Identifier: MIT */
/*
 * Makes a metric's name from titles. Titles are split into words. The words of a rate are dropped,
 * a unit moves to the end, and words that have another meaning for Prometheus get an x before them
 * (metric/metric_words.h). The number of words is bounded, so nothing is allocated.
 */
#include "prometheus/metric_name.h"

#include <stdio.h>
#include <string.h>

#include "names/ascii.h"

enum {
    TITLE_WORD = 40,  /* longest word of a title; longer words are cut */
    EXTRA_WORDS = 3,  /* the suffix, "accumulated" for a rate, and the unit */
    BODY_BYTES = 190, /* all words except the extra ones */
    CHARS_LOOKED_AT = 4096
};

typedef prfdata_metric_words words;

static void add_index_word(words *list, uint32_t index)
{
    char word[32];

    snprintf(word, sizeof word, "title_%lu", (unsigned long)index);
    prfdata_metric_words_add(list, word);
}

/* ---- Units ---- */

/*
 * A unit in parentheses, as titles write it. GB is not in the list, because it is also a country.
 * Minutes and longer units are not in it, because "(days)" may mean anything.
 */
static const struct unit_spelling {
    const char *spelling;
    const char *base;
    double factor;
} unit_spellings[] = {
    {"s", "seconds", 1},
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
    {"bytes", "bytes", 1},
    {"Bytes", "bytes", 1},
    {"KB", "bytes", 1024},
    {"KBytes", "bytes", 1024},
    {"MB", "bytes", 1048576},
    {"MBytes", "bytes", 1048576},
    {"%", "ratio", 0.01},
};

/*
 * Returns whether the character is the micro sign or the Greek letter mu, which look the same.
 * The list of spellings has a u for both.
 */
static bool is_micro(uint16_t unit)
{
    return unit == 0x00B5 || unit == 0x03BC;
}

static bool is_spelled_at(prfdata_text title, size_t at, const char *spelling)
{
    size_t i = 0;

    for (; spelling[i] != 0; i++) {
        if (at + i >= title.count)
            return false;
        if (title.chars[at + i] != (unsigned char)spelling[i] &&
            !(i == 0 && spelling[i] == 'u' && is_micro(title.chars[at])))
            return false;
    }
    return at + i < title.count && title.chars[at + i] == ')';
}

/* Find a unit in parentheses, and set [*begin, *end) to its place. NULL: there is none. */
static const struct unit_spelling *find_unit_spelling(prfdata_text title, size_t *begin,
                                                      size_t *end)
{
    for (size_t i = 0; i < title.count; i++) {
        if (title.chars[i] != '(')
            continue;
        for (size_t u = 0; u < sizeof unit_spellings / sizeof unit_spellings[0]; u++) {
            if (!is_spelled_at(title, i + 1, unit_spellings[u].spelling))
                continue;
            *begin = i;
            *end = i + strlen(unit_spellings[u].spelling) + 2;
            return &unit_spellings[u];
        }
    }
    return NULL;
}

/* ---- Splitting a title into words ---- */

/* Return the word for a special character; NULL: it only separates words. */
static const char *word_of_character(uint16_t unit)
{
    switch (unit) {
    case '%':
        return "percent";
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

static char lower_title_char(uint16_t unit)
{
    unit = (uint16_t)prfdata_ascii_lower(unit);
    return (unit >= 'a' && unit <= 'z') || (unit >= '0' && unit <= '9') ? (char)unit : 0;
}

/*
 * Append the words of a title: ASCII letters and digits, in lower case, and the words for %, /, +
 * and &. "# of" is left out, and an apostrophe does not separate words: "object's" is one word.
 */
static void split_title(prfdata_text title, words *list)
{
    char word[TITLE_WORD + 1];
    size_t used = 0;
    bool after_number_sign = false;

    for (size_t i = 0; i <= title.count; i++) {
        const uint16_t unit = i < title.count ? title.chars[i] : ' ';
        const char c = lower_title_char(unit);

        if (c != 0) {
            if (used < TITLE_WORD)
                word[used++] = c;
            continue;
        }
        if (unit == '\'' || unit == 0x2019)
            continue;
        word[used] = 0;
        if (used > 0 && !(after_number_sign && strcmp(word, "of") == 0))
            prfdata_metric_words_add(list, word);
        if (used > 0 || unit == '#')
            after_number_sign = unit == '#';
        used = 0;
        if (word_of_character(unit))
            prfdata_metric_words_add(list, word_of_character(unit));
    }
}

static bool is_percent_sign(prfdata_text title, size_t at)
{
    return at < title.count && title.chars[at] == '%';
}

/* If a title begins with "% " or ends with " %", remove the percent sign. Returns whether one was
 * removed. */
static bool cut_percent_sign(prfdata_text *title)
{
    const size_t last = title->count - 1; /* wraps if the title is empty, and is then not used */

    if (title->count > 1 && is_percent_sign(*title, 0) && title->chars[1] == ' ') {
        *title = prfdata_text_part(*title, 1, title->count);
        return true;
    }
    if (title->count > 1 && is_percent_sign(*title, last) && title->chars[last - 1] == ' ') {
        title->count--;
        return true;
    }
    return false;
}

/* ---- The words of a counter ---- */

typedef struct counter_words {
    words list;
    const char *unit;
    double factor;
    bool is_rate;
} counter_words;

static void use_unit(counter_words *counter, const char *unit, double factor)
{
    counter->unit = unit;
    counter->factor = factor;
}

static bool is_second_word(const words *list, size_t position)
{
    return prfdata_metric_words_is(list, position, "sec") ||
           prfdata_metric_words_is(list, position, "secs") ||
           prfdata_metric_words_is(list, position, "seconds");
}

/*
 * If the type says that the value is a time, drop the words that say so: "Avg. Disk sec/Read"
 * becomes "avg disk read".
 */
static void drop_second_words(words *list)
{
    for (size_t i = 0; i + 1 < list->count; i++) {
        if (!is_second_word(list, i) || !prfdata_metric_words_is(list, i + 1, "per"))
            continue;
        prfdata_metric_words_drop(list, i);
        prfdata_metric_words_drop(list, i);
    }
    if (list->count > 0 && is_second_word(list, list->count - 1))
        list->count--;
}

/* Drop "Elapsed Time", because the metric is the start time. */
static void drop_elapsed_time(words *list)
{
    if (list->count > 1 && prfdata_metric_words_is(list, list->count - 2, "elapsed") &&
        prfdata_metric_words_is(list, list->count - 1, "time"))
        list->count -= 2;
}

/* Returns whether the last word is "Bytes" with a capital B, as in "Bytes/sec" (the words of the
 * rate are already dropped) and "Available Bytes". */
static bool ends_in_bytes(prfdata_text title, const words *list)
{
    static const char bytes[] = "Bytes";
    size_t end = title.count;

    if (!prfdata_metric_words_is(list, list->count - 1, "bytes"))
        return false;
    for (; end >= sizeof bytes - 1; end--) {
        size_t i = 0;

        while (bytes[i] != 0 && title.chars[end - (sizeof bytes - 1) + i] == (uint8_t)bytes[i])
            i++;
        if (bytes[i] == 0)
            return true;
    }
    return false;
}

static void drop_rate_and_total(const prfdata_metric_titles *titles, counter_words *counter)
{
    words *list = &counter->list;

    if (prfdata_metric_part_kind(titles->part) != PRFDATA_METRIC_COUNTER)
        return;
    counter->is_rate = prfdata_metric_words_drop_rate(list);
    while (list->count > 1 && prfdata_metric_words_is(list, list->count - 1, "total"))
        list->count--;
}

/* Returns whether a percent sign in the title means a ratio. It does not for a metric that is a
 * counter. */
static bool takes_ratio(const prfdata_metric_titles *titles)
{
    return prfdata_metric_part_kind(titles->part) != PRFDATA_METRIC_COUNTER;
}

static void choose_unit(const prfdata_metric_titles *titles, const struct unit_spelling *spelled,
                        bool has_percent, prfdata_text title, counter_words *counter)
{
    const char *own = prfdata_metric_part_unit(titles->part);
    words *list = &counter->list;

    if (own[0] != 0) {
        use_unit(counter, own, 1);
        if (strcmp(own, "seconds") == 0)
            drop_second_words(list);
        else if (list->count > 0 && prfdata_metric_words_is(list, list->count - 1, own))
            list->count--;
    } else if (titles->part->suffix[0] != 0) {
        return; /* a metric with a suffix, such as "samples", does not have the title's unit */
    } else if (spelled) {
        use_unit(counter, spelled->base, spelled->factor);
    } else if (has_percent) {
        use_unit(counter, "ratio", 0.01);
    } else if (list->count > 0 && ends_in_bytes(title, list)) {
        use_unit(counter, "bytes", 1);
        list->count--;
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

static void words_of_counter(const prfdata_metric_titles *titles, counter_words *counter)
{
    prfdata_text title = titles->counter;
    const struct unit_spelling *spelled;
    bool has_percent;
    size_t begin = 0;
    size_t end = 0;

    memset(counter, 0, sizeof *counter);
    use_unit(counter, "", 1);
    if (title.count > CHARS_LOOKED_AT)
        title.count = CHARS_LOOKED_AT;
    spelled = find_unit_spelling(title, &begin, &end);
    if (spelled && strcmp(spelled->base, "ratio") == 0 && !takes_ratio(titles))
        spelled = NULL;
    has_percent = (takes_ratio(titles) || prfdata_metric_part_unit(titles->part)[0] != 0 ||
                   titles->part->suffix[0] != 0) &&
                  cut_percent_sign(&title);
    if (spelled) {
        /* `begin` and `end` are positions in the whole title. If a percent sign was cut from its
         * beginning, the positions in `title` are smaller. */
        const size_t cut = (size_t)(title.chars - titles->counter.chars);

        split_title(prfdata_text_part(title, 0, begin - cut), &counter->list);
        split_title(prfdata_text_part(title, end - cut, title.count), &counter->list);
    } else {
        split_title(title, &counter->list);
    }
    drop_rate_and_total(titles, counter);
    choose_unit(titles, spelled, has_percent, title, counter);
    if (titles->part->source == PRFDATA_METRIC_START)
        drop_elapsed_time(&counter->list);
    rename_seconds(&counter->list);
    if (counter->list.count == 0 &&
        (titles->counter.count == 0 ||
         (counter->unit[0] == 0 && !counter->is_rate && titles->part->suffix[0] == 0)))
        add_index_word(&counter->list, titles->counter_index);
}

/* ---- The name ---- */

static void append_words(words *list, const words *more, size_t *body_bytes)
{
    for (size_t i = 0; i < more->count; i++) {
        size_t size = strlen(more->items[i]) + 1;

        if (*body_bytes + size > BODY_BYTES ||
            list->count + EXTRA_WORDS >= PRFDATA_METRIC_WORD_COUNT)
            return;
        prfdata_metric_words_add(list, more->items[i]);
        *body_bytes += size;
    }
}

/* Change a name that begins with the prefix of the metrics about the reader itself. */
static void avoid_own_prefix(char *name)
{
    if (strncmp(name, PRFDATA_METRIC_OWN_PREFIX, strlen(PRFDATA_METRIC_OWN_PREFIX)) != 0)
        return;
    memmove(name + 1, name, PRFDATA_METRIC_NAME_BYTES - 2);
    name[0] = 'x';
}

void prfdata_metric_name_make(const prfdata_metric_titles *titles, prfdata_metric_name *name)
{
    prfdata_text object_title = titles->object;
    counter_words counter;
    words object;
    words all;
    size_t body_bytes = 0;

    if (object_title.count > CHARS_LOOKED_AT)
        object_title.count = CHARS_LOOKED_AT;
    object.count = 0;
    split_title(object_title, &object);
    if (object.count == 0)
        add_index_word(&object, titles->object_index);
    words_of_counter(titles, &counter);

    all.count = 0;
    append_words(&all, &object, &body_bytes);
    append_words(&all, &counter.list, &body_bytes);
    prfdata_metric_words_add_once(&all, titles->part->suffix);
    prfdata_metric_words_add(&all, counter.is_rate ? "accumulated" : "");
    prfdata_metric_words_add(&all, counter.unit);
    prfdata_metric_words_mark_reserved(&all, prfdata_metric_part_kind(titles->part) ==
                                                 PRFDATA_METRIC_COUNTER);
    prfdata_metric_words_write(&all, name->text);
    avoid_own_prefix(name->text);
    name->factor = counter.factor;
    name->unit = counter.unit;
    if (!prfdata_metric_words_is(&all, all.count - 1, counter.unit))
        name->unit = "";
}
