/* SPDX-License-Identifier: MIT */
/*
 * Makes metrics from a map's counters. Names are declared, or made from the service and the symbol,
 * never from titles.
 */
#include "metric/metric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fnv.h"
#include "base/hash_table.h"
#include "base/utf8.h"
#include "names/names.h"

#define NO_FACTOR 1.0

/* The units that a map may declare, and their base units (prometheus.io/docs/practices/naming). */
static const struct {
    const char *name;
    const char *base;
    double factor;
} units[] = {
    {"", "", NO_FACTOR},
    {"seconds", "seconds", NO_FACTOR},
    {"milliseconds", "seconds", 1e-3},
    {"microseconds", "seconds", 1e-6},
    {"nanoseconds", "seconds", 1e-9},
    {"bytes", "bytes", NO_FACTOR},
    {"kibibytes", "bytes", 1024},
    {"mebibytes", "bytes", 1048576},
    {"ratio", "ratio", NO_FACTOR},
    {"percent", "ratio", 0.01},
    {"celsius", "celsius", NO_FACTOR},
    {"volts", "volts", NO_FACTOR},
    {"amperes", "amperes", NO_FACTOR},
    {"watts", "watts", NO_FACTOR},
    {"joules", "joules", NO_FACTOR},
    {"hertz", "hertz", NO_FACTOR},
    {"meters", "meters", NO_FACTOR},
    {"grams", "grams", NO_FACTOR},
};

enum { UNIT_COUNT = sizeof units / sizeof units[0] };

const char *prfdata_metric_unit_at(size_t index, const char **base, double *factor)
{
    if (index >= UNIT_COUNT)
        return NULL;
    if (base)
        *base = units[index].base;
    if (factor)
        *factor = units[index].factor;
    return units[index].name;
}

/* Whether a text of a map equals this ASCII text. The map's text may contain anything. */
static bool is_ascii_text(const wchar_t *wide, const char *ascii)
{
    while (*ascii != 0 && (uint32_t)*wide == (unsigned char)*ascii) {
        wide++;
        ascii++;
    }
    return *wide == 0 && *ascii == 0;
}

/* The row of a unit in `units`; UNIT_COUNT if there is none. */
static size_t find_unit(const wchar_t *unit)
{
    size_t row = 0;

    while (row < UNIT_COUNT && !is_ascii_text(unit, units[row].name))
        row++;
    return row;
}

/*
 * The unit of a counter that shows a statistic of a distribution, if the map declares no unit.
 * Times are recorded in 100 ns, but shown in microseconds. A count has no unit.
 *
 * shows  The option that names the statistic; NULL if the counter shows none.
 * unit   The PRFDATA_UNIT_... of the distribution.
 */
static const wchar_t *unit_of_distribution(const prfdata_map_entry *shows, uint32_t unit)
{
    if (!shows || shows->option == PRFDATA_OPTION_AT_MOST)
        return L"";
    switch (unit) {
    case PRFDATA_UNIT_100NS:
        return L"microseconds";
    case PRFDATA_UNIT_BYTES:
        return L"bytes";
    default:
        return L"";
    }
}

/* The row of the declared unit. If no unit is declared, the row of the distribution's unit. */
static size_t find_value_unit(const prfdata_map_entry *declared, const wchar_t *of_distribution)
{
    return find_unit(declared && declared->help[0] != 0 ? declared->help : of_distribution);
}

const char *prfdata_metric_value_unit(const prfdata_model_counter *counter)
{
    const size_t row =
        find_value_unit(counter->metric, unit_of_distribution(counter->shows, counter->shown_unit));

    return row < UNIT_COUNT ? units[row].name : "";
}

bool prfdata_metric_is_unit(const wchar_t *unit, uint32_t type)
{
    const prfdata_metric_part *part = prfdata_metric_part_first(type, false);
    const char *own = part ? prfdata_metric_part_unit(part) : "";

    if (own[0] != 0)
        return unit[0] == 0 || is_ascii_text(unit, own);
    return find_unit(unit) < UNIT_COUNT;
}

static bool is_metric_char(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/*
 * Copy a declared name; `name` has room for PRFDATA_MAX_METRIC_CHARS + 1. Returns false if the
 * declared name is too long, has a forbidden character, or does not begin with a letter.
 */
static bool copy_metric_name(const wchar_t *wide, char *name)
{
    size_t used = 0;

    for (; wide[used] != 0; used++) {
        if (used == PRFDATA_MAX_METRIC_CHARS || !is_metric_char((uint32_t)wide[used]))
            return false;
        name[used] = (char)wide[used];
    }
    name[used] = 0;
    return name[0] >= 'a' && name[0] <= 'z';
}

bool prfdata_metric_is_name(const wchar_t *name)
{
    char copy[PRFDATA_MAX_METRIC_CHARS + 1];
    const char *last;

    if (!copy_metric_name(name, copy) || strstr(copy, "__") || copy[strlen(copy) - 1] == '_' ||
        strncmp(copy, PRFDATA_METRIC_OWN_PREFIX, strlen(PRFDATA_METRIC_OWN_PREFIX)) == 0)
        return false;
    last = strrchr(copy, '_');
    return !prfdata_metric_words_is_reserved_end(last ? last + 1 : copy);
}

/* Everything from which a name is made. */
typedef struct metric_subject {
    const char *service;
    const char *symbol;
    const prfdata_map_entry *declared; /* NULL: the name is made from the symbol */
    const wchar_t *distribution_unit;  /* the result of unit_of_distribution() */
} metric_subject;

static void add_text_word(char *name, const char *word)
{
    const size_t used = strlen(name);

    if (word[0] != 0)
        snprintf(name + used, PRFDATA_METRIC_NAME_BYTES - used, "_%s", word);
}

/* Remove "_<unit>" from the end of the name, so that other words can be added before the unit. */
static void cut_metric_unit(char *name, const char *unit)
{
    const size_t size = strlen(name);
    const size_t unit_size = strlen(unit);

    if (unit_size > 0 && size > unit_size + 1 && name[size - unit_size - 1] == '_' &&
        strcmp(name + size - unit_size, unit) == 0)
        name[size - unit_size - 1] = 0;
}

static void make_declared_name(const metric_subject *subject, prfdata_metric *metric)
{
    metric->name[0] = 0;
    (void)copy_metric_name(subject->declared->name, metric->name);
    cut_metric_unit(metric->name, metric->unit);
    if (!prfdata_metric_part_is_first(metric->part))
        add_text_word(metric->name, metric->part->suffix);
    if (metric->is_overall)
        add_text_word(metric->name, "overall");
    add_text_word(metric->name, metric->unit);
}

/*
 * Whether the symbol begins with the words of the service and has more words. If so, the name does
 * not repeat the words of the service.
 */
static bool has_service_words(const prfdata_metric_words *symbol,
                              const prfdata_metric_words *service)
{
    for (size_t i = 0; i < service->count; i++) {
        if (!prfdata_metric_words_is(symbol, i, service->items[i]))
            return false;
    }
    return symbol->count > service->count;
}

/*
 * Adds "overall" only after the reserved words are marked, because a mark may depend on which word
 * is the last one. So the metrics of `_Total` and of the instances have the same marks.
 */
static void add_unit_and_overall(prfdata_metric_words *words, const prfdata_metric *metric)
{
    prfdata_metric_words_add(words, metric->unit);
    prfdata_metric_words_mark_reserved(words, metric->kind == PRFDATA_METRIC_COUNTER);
    if (!metric->is_overall)
        return;
    if (metric->unit[0] != 0)
        words->count--;
    prfdata_metric_words_add(words, "overall");
    prfdata_metric_words_add(words, metric->unit);
}

/*
 * Remove the last word if it is the metric's unit, or if it means microseconds and the metric's
 * factor is below 1.
 */
static void drop_unit_word(prfdata_metric_words *words, const prfdata_metric *metric)
{
    static const char *const micros[] = {"us", "usec", "usecs", "microseconds"};
    const size_t last = words->count - 1;
    bool is_unit = prfdata_metric_words_is(words, last, metric->unit);

    for (size_t i = 0; metric->factor < NO_FACTOR && i < sizeof micros / sizeof micros[0]; i++)
        is_unit = is_unit || prfdata_metric_words_is(words, last, micros[i]);
    if (words->count > 0 && is_unit)
        words->count--;
}

static void make_symbol_name(const metric_subject *subject, prfdata_metric *metric)
{
    prfdata_metric_words words;
    prfdata_metric_words symbol;

    words.count = 0;
    symbol.count = 0;
    prfdata_metric_words_split(&words, subject->service);
    prfdata_metric_words_split(&symbol, subject->symbol);
    if (has_service_words(&symbol, &words))
        words.count = 0;
    for (size_t i = 0; i < symbol.count; i++)
        prfdata_metric_words_add(&words, symbol.items[i]);
    if (metric->kind == PRFDATA_METRIC_COUNTER) {
        if (prfdata_metric_words_drop_rate(&words))
            prfdata_metric_words_add(&words, "accumulated");
        else if (words.count > 1 && prfdata_metric_words_is(&words, words.count - 1, "total"))
            words.count--; /* the names of a counter's samples end with "total" anyway */
    }
    prfdata_metric_words_add_once(&words, metric->part->suffix);
    drop_unit_word(&words, metric);
    add_unit_and_overall(&words, metric);
    prfdata_metric_words_write(&words, metric->name);
}

/*
 * Whether a metric has the unit that the map declares for the counter. Of a counter's metrics, only
 * the first one and the histogram have it.
 */
static bool takes_declared_unit(const prfdata_metric_part *part)
{
    return prfdata_metric_part_is_first(part) || part->source == PRFDATA_METRIC_BUCKETS;
}

static void set_metric_unit(const metric_subject *subject, prfdata_metric *metric)
{
    size_t row = UNIT_COUNT;

    metric->unit = prfdata_metric_part_unit(metric->part);
    metric->factor = NO_FACTOR;
    if (metric->unit[0] == 0 && takes_declared_unit(metric->part))
        row = find_value_unit(subject->declared, subject->distribution_unit);
    if (row < UNIT_COUNT) {
        metric->unit = units[row].base;
        metric->factor = units[row].factor;
    }
}

static void make_metric(const metric_subject *subject, const prfdata_metric_part *part,
                        bool overall, prfdata_metric *metric)
{
    memset(metric, 0, sizeof *metric);
    metric->part = part;
    metric->kind = prfdata_metric_part_kind(part);
    metric->is_declared = subject->declared != NULL;
    metric->is_overall = overall;
    set_metric_unit(subject, metric);
    if (subject->declared)
        make_declared_name(subject, metric);
    else
        make_symbol_name(subject, metric);
}

const prfdata_metric_part *prfdata_metric_part_of(const prfdata_model_counter *counter)
{
    return prfdata_metric_part_first(counter->entry->type,
                                     counter->merging == PRFDATA_MERGING_ACCUMULATE);
}

void prfdata_metric_make(const prfdata_model *model, const prfdata_model_counter *counter,
                         const prfdata_metric_part *part, bool overall, prfdata_metric *metric)
{
    const metric_subject subject = {model->map->service, counter->entry->symbol, counter->metric,
                                    unit_of_distribution(counter->shows, counter->shown_unit)};

    make_metric(&subject, part, overall, metric);
}

/*
 * Whether `_Total` needs its own metric (metric.h). `shows` is the counter's option that names a
 * distribution, or NULL.
 */
static bool needs_overall(uint32_t object_options, const prfdata_map_entry *shows,
                          const prfdata_metric_part *part)
{
    return (object_options & PRFDATA_OPTION_TOTAL) != 0 &&
           (prfdata_metric_part_kind(part) != PRFDATA_METRIC_GAUGE || shows ||
            part->source == PRFDATA_METRIC_FRACTION);
}

bool prfdata_metric_has_overall(const prfdata_model_object *object,
                                const prfdata_model_counter *counter,
                                const prfdata_metric_part *part)
{
    return needs_overall(object->options, counter->shows, part);
}

const char *prfdata_metric_sample_end(prfdata_metric_kind kind)
{
    return kind == PRFDATA_METRIC_COUNTER ? "_total" : "";
}

static bool is_of_distribution(const prfdata_model_counter *counter,
                               const prfdata_model_counter *sum, uint32_t option)
{
    return counter->shows && counter->shows->option == option && !counter->is_base &&
           counter->merging == PRFDATA_MERGING_ACCUMULATE && counter->shows->id == sum->shows->id;
}

const prfdata_model_counter *prfdata_metric_histogram_next(const prfdata_model_object *object,
                                                           const prfdata_model_counter *sum,
                                                           double factor, uint32_t *position,
                                                           double *bound)
{
    const prfdata_model_distribution *d = &object->distributions[sum->distribution_index];
    /* Divides, because 1039 / 1e7 prints as 0.0001039, but 1039 * 1e-7 prints with more digits. */
    const double divisor = (d->entry->unit == PRFDATA_UNIT_100NS ? 10 : 1) / factor;

    while (*position < object->counter_count) {
        const prfdata_model_counter *counter = &object->counters[(*position)++];
        uint32_t bucket;

        if (!is_of_distribution(counter, sum, PRFDATA_OPTION_AT_MOST))
            continue;
        bucket = prfdata_distribution_bucket(&d->shape, counter->shows->highest);
        /* Values beyond the range are in the last bucket, so that bucket has no bound. */
        *bound = bucket + 1 < d->shape.bucket_count
                     ? (double)prfdata_distribution_high(&d->shape, bucket) / divisor
                     : PRFDATA_METRIC_NO_BOUND;
        return counter;
    }
    return NULL;
}

/* The first counter that accumulates the sum of the distribution of `counter`, or NULL. */
static const prfdata_model_counter *first_sum(const prfdata_model_object *object,
                                              const prfdata_model_counter *counter)
{
    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (is_of_distribution(&object->counters[i], counter, PRFDATA_OPTION_SUM))
            return &object->counters[i];
    }
    return NULL;
}

bool prfdata_metric_has_histogram(const prfdata_model_object *object,
                                  const prfdata_model_counter *counter)
{
    bool has_count = false;
    bool has_bound = false;
    uint32_t position = 0;
    double bound;

    if (!counter->shows || first_sum(object, counter) != counter)
        return false;
    while (prfdata_metric_histogram_next(object, counter, NO_FACTOR, &position, &bound)) {
        has_count = has_count || bound < 0;
        has_bound = has_bound || bound >= 0;
    }
    return has_count && has_bound;
}

static double factor_of(const prfdata_model_counter *counter, const prfdata_metric_part *part)
{
    const metric_subject subject = {"", "", counter->metric,
                                    unit_of_distribution(counter->shows, counter->shown_unit)};
    prfdata_metric metric = {.part = part};

    set_metric_unit(&subject, &metric);
    return metric.factor;
}

const prfdata_model_counter *prfdata_metric_histogram_sum(const prfdata_model_object *object,
                                                          const prfdata_model_counter *counter)
{
    const prfdata_model_counter *sum;
    double wanted;
    double own;

    if (!counter->shows || counter->is_base || counter->merging != PRFDATA_MERGING_ACCUMULATE)
        return NULL;
    sum = first_sum(object, counter);
    if (!sum || !prfdata_metric_has_histogram(object, sum))
        return NULL;
    wanted = counter->shows->option == PRFDATA_OPTION_AT_MOST
                 ? NO_FACTOR
                 : factor_of(sum, prfdata_metric_part_histogram());
    own = factor_of(counter, prfdata_metric_part_of(counter));
    return own >= wanted && own <= wanted ? sum : NULL;
}

double prfdata_metric_histogram_bound(const prfdata_model_object *object,
                                      const prfdata_model_counter *counter, double factor)
{
    uint32_t position = (uint32_t)(counter - object->counters);
    double bound = PRFDATA_METRIC_NO_BOUND;

    (void)prfdata_metric_histogram_next(object, counter, factor, &position, &bound);
    return bound;
}

/* Write the fewest digits that strtod() reads as the same double, such as "1.048576e+06". */
static void write_scientific_bound(double bound, char *text, size_t capacity)
{
    for (int digits = 0; digits <= 16; digits++) {
        (void)snprintf(text, capacity, "%.*e", digits, bound);
        if (strtod(text, NULL) >= bound && strtod(text, NULL) <= bound)
            return;
    }
}

void prfdata_metric_write_bound(double bound, char text[PRFDATA_METRIC_BOUND_BYTES])
{
    const char *end;
    long exponent;

    if (bound < 0) {
        (void)snprintf(text, PRFDATA_METRIC_BOUND_BYTES, "+Inf");
        return;
    }
    write_scientific_bound(bound, text, PRFDATA_METRIC_BOUND_BYTES);
    end = strchr(text, 'e');
    exponent = end ? strtol(end + 1, NULL, 10) : 0;
    if (end && exponent >= -4 && exponent < 6) {
        const int digits = end - text > 2 ? (int)(end - text) - 2 : 0;
        const int decimals = digits > exponent ? digits - (int)exponent : 0;

        (void)snprintf(text, PRFDATA_METRIC_BOUND_BYTES, decimals > 0 ? "%.*f" : "%.*f.0", decimals,
                       bound);
    }
}

/*
 * Whether `phrase` stands at `chars`, ignoring case, and no letter or digit follows. `phrase` is in
 * lower case.
 */
static bool is_phrase_at(const uint16_t *chars, size_t count, const char *phrase)
{
    size_t i = 0;

    for (; phrase[i] != 0; i++) {
        if (i == count || (chars[i] | (chars[i] >= 'A' && chars[i] <= 'Z' ? 0x20 : 0)) != phrase[i])
            return false;
    }
    return i == count || !is_metric_char(chars[i] | 0x20u);
}

/* The length of the words for a rate at `chars`, such as "per second"; 0 if there are none. */
static size_t rate_phrase_chars(const uint16_t *chars, size_t count)
{
    static const char *const phrases[] = {
        " per second", " per sec", " each second", " every second", "/second", "/sec", "/s"};

    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
        if (is_phrase_at(chars, count, phrases[i]))
            return strlen(phrases[i]);
    }
    return 0;
}

size_t prfdata_metric_help_without_rate(uint16_t *chars, size_t count)
{
    size_t used = 0;

    for (size_t i = 0; i < count;) {
        const size_t rate = rate_phrase_chars(chars + i, count - i);

        if (rate == 0)
            chars[used++] = chars[i++];
        i += rate;
    }
    return used;
}

bool prfdata_metric_counts_rate(prfdata_metric_kind kind)
{
    return kind == PRFDATA_METRIC_COUNTER || kind == PRFDATA_METRIC_HISTOGRAM;
}

void prfdata_metric_factor_note(double factor, char *text)
{
    text[0] = 0;
    if (factor < NO_FACTOR || factor > NO_FACTOR)
        snprintf(text, PRFDATA_METRIC_NOTE_BYTES, "Values times %.10g.", factor);
}

static size_t append_help_sentence(char *text, size_t used, const char *sentence)
{
    const size_t size = strlen(sentence);

    if (size == 0)
        return used;
    if (used > 0)
        text[used++] = ' ';
    memcpy(text + used, sentence, size + 1);
    return used + size;
}

const char *prfdata_metric_overall_note(const prfdata_metric_part *part)
{
    const bool is_of_the_living = part->source == PRFDATA_METRIC_FRACTION && !part->is_accumulating;

    return is_of_the_living ? "Of all instances." : "Of all instances, ended ones too.";
}

size_t prfdata_metric_help(const prfdata_model_counter *counter, const prfdata_metric *metric,
                           char *text, size_t capacity)
{
    uint16_t chars[PRFDATA_MAX_HELP_CHARS + 1];
    char all[3 * (PRFDATA_MAX_HELP_CHARS + 1) + 2 * PRFDATA_METRIC_NOTE_BYTES];
    char note[PRFDATA_METRIC_NOTE_BYTES];
    size_t count =
        prfdata_names_utf16_from_wide(counter->entry->help, chars, PRFDATA_MAX_HELP_CHARS);
    size_t used;
    size_t shown;

    if (count > PRFDATA_MAX_HELP_CHARS)
        count = 0; /* never in a checked map */
    if (prfdata_metric_counts_rate(metric->kind))
        count = prfdata_metric_help_without_rate(chars, count);
    if (count > 0 && chars[count - 1] != '.' && chars[count - 1] != '!' && chars[count - 1] != '?')
        chars[count++] = '.';
    used = prfdata_names_utf8_from_utf16(chars, count, all, sizeof all);
    if (metric->is_overall)
        used = append_help_sentence(all, used, prfdata_metric_overall_note(metric->part));
    prfdata_metric_factor_note(metric->factor, note);
    used = append_help_sentence(all, used, note);
    all[used] = 0;

    if (capacity > 0) {
        shown = prfdata_utf8_fit(all, used, capacity - 1);
        memcpy(text, all, shown);
        text[shown] = 0;
    }
    return used;
}

/* A metric of a counter in a map's tree. */
typedef struct clash_name {
    uint32_t counter; /* its position in tree->counters */
    const prfdata_metric_part *part;
    bool overall;
} clash_name;

typedef struct clash_search {
    const prfdata_map_tree *tree;
    clash_name *names;
    size_t count;
    size_t capacity;
    prfdata_hash_table table; /* finds positions in `names` */
} clash_search;

/*
 * The unit of the distribution that a counter shows, if the distribution is declared before the
 * counter; otherwise 0.
 */
static uint32_t shown_unit_of_node(const prfdata_map_tree *tree, const prfdata_map_node *counter)
{
    const prfdata_map_entry *entries = tree->map->entries;
    uint32_t line = counter->shows ? counter->index : 0;

    while (line > 0 && (entries[line].option != PRFDATA_OPTION_DISTRIBUTION ||
                        entries[line].id != counter->shows->id))
        line--;
    return entries[line].unit; /* line 0 declares an object, so its unit is 0 */
}

static void make_tree_metric(const prfdata_map_tree *tree, const clash_name *of,
                             prfdata_metric *metric)
{
    const prfdata_map_node *counter = &tree->counters[of->counter];
    const metric_subject subject = {
        tree->map->service ? tree->map->service : "", counter->entry->symbol, counter->metric,
        unit_of_distribution(counter->shows, shown_unit_of_node(tree, counter))};

    make_metric(&subject, of->part, of->overall, metric);
}

static bool has_clash_name(const void *elements, uint32_t position, const void *key)
{
    const clash_search *search = elements;
    prfdata_metric metric;

    make_tree_metric(search->tree, &search->names[position], &metric);
    return strcmp(metric.name, key) == 0;
}

/*
 * Whether names can be made for the counter: it has a type and a symbol, and its
 * PRFDATA_MAP_METRIC, if it has one, is valid.
 */
static bool can_be_named(const prfdata_map_node *counter)
{
    const prfdata_map_entry *metric = counter->metric;

    if (!counter->type || !counter->entry->symbol)
        return false;
    return !metric || (metric->name && metric->help && prfdata_metric_is_name(metric->name) &&
                       prfdata_metric_is_unit(metric->help, counter->entry->type));
}

/*
 * Whether two counters have the same symbol, ignoring case, and neither has a declared name. Such
 * counters are not reported here, because another rule reports equal symbols.
 */
static bool are_of_one_symbol(const prfdata_map_node *a, const prfdata_map_node *b)
{
    const char *left = a->entry->symbol;
    const char *right = b->entry->symbol;

    if (a->metric || b->metric)
        return false;
    while (*left != 0 && (*left | (*left >= 'A' && *left <= 'Z' ? 0x20 : 0)) ==
                             (*right | (*right >= 'A' && *right <= 'Z' ? 0x20 : 0))) {
        left++;
        right++;
    }
    return *left == 0 && *right == 0;
}

/* Add a name, or find the counter that has it. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY. */
static uint32_t add_clash_name(clash_search *search, const clash_name *name, uint32_t *clash)
{
    prfdata_metric metric;
    clash_name *names;
    uint64_t hash;
    uint32_t found;

    make_tree_metric(search->tree, name, &metric);
    hash = prfdata_fnv_add(PRFDATA_FNV_START, metric.name, strlen(metric.name));
    found = prfdata_hash_table_find(&search->table, hash, has_clash_name, search, metric.name);
    if (found != PRFDATA_HASH_TABLE_NONE) {
        const prfdata_map_node *counters = search->tree->counters;
        const uint32_t other = search->names[found].counter;

        if (other != name->counter &&
            !are_of_one_symbol(&counters[other], &counters[name->counter]))
            *clash = other;
        return ERROR_SUCCESS;
    }
    names =
        prfdata_array_reserve(search->names, &search->capacity, search->count + 1, sizeof *names);
    if (!names)
        return ERROR_NOT_ENOUGH_MEMORY;
    search->names = names;
    if (!prfdata_hash_table_add(&search->table, hash, (uint32_t)search->count))
        return ERROR_NOT_ENOUGH_MEMORY;
    names[search->count++] = *name;
    return ERROR_SUCCESS;
}

static uint32_t add_names_of_part(clash_search *search, const prfdata_map_node *object,
                                  clash_name *name, uint32_t *clash)
{
    const prfdata_map_entry *shows = search->tree->counters[name->counter].shows;
    uint32_t status;

    name->overall = false;
    status = add_clash_name(search, name, clash);
    if (status != ERROR_SUCCESS || !needs_overall(object->options, shows, name->part))
        return status;
    name->overall = true;
    return add_clash_name(search, name, clash);
}

static uint32_t add_names_of_counter(clash_search *search, const prfdata_map_node *object,
                                     const prfdata_map_node *counter, uint32_t *clash)
{
    const bool accumulates = (counter->options & PRFDATA_OPTION_ACCUMULATING) != 0;
    clash_name name = {(uint32_t)(counter - search->tree->counters), NULL, false};
    uint32_t status = ERROR_SUCCESS;

    if (!can_be_named(counter))
        return ERROR_SUCCESS;
    for (name.part = prfdata_metric_part_first(counter->entry->type, accumulates);
         name.part && status == ERROR_SUCCESS; name.part = prfdata_metric_part_next(name.part))
        status = add_names_of_part(search, object, &name, clash);
    if (status != ERROR_SUCCESS || !counter->shows || counter->shows->option != PRFDATA_OPTION_SUM)
        return status;
    name.part = prfdata_metric_part_histogram();
    return add_names_of_part(search, object, &name, clash);
}

uint32_t prfdata_metric_find_clashes(const prfdata_map_tree *tree, uint32_t *clashes)
{
    clash_search search = {tree, NULL, 0, 0, {0}};
    uint32_t status = ERROR_SUCCESS;

    for (uint32_t i = 0; i < tree->counter_count; i++)
        clashes[i] = PRFDATA_NONE;
    for (uint32_t o = 0; o < tree->object_count && status == ERROR_SUCCESS; o++) {
        const prfdata_map_node *object = &tree->objects[o];

        for (uint32_t c = 0; c < object->counter_count && status == ERROR_SUCCESS; c++)
            status = add_names_of_counter(&search, object, &object->counters[c],
                                          &clashes[object->counters + c - tree->counters]);
    }
    prfdata_hash_table_free(&search.table);
    free(search.names);
    return status;
}
