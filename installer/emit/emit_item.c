/* SPDX-License-Identifier: MIT */
/*
 * Says what programs show of a counter of each type, and makes names that no two counters share.
 * metric/metric.h gives the metric itself. Portable.
 */
#include "emit/emit_item.h"

#include <string.h>

#include <prfdata/perf_types.h>

/*
 * The formats of PDH by type (Microsoft's "Counter Types"). A type that is missing here shows no
 * number.
 */
static const struct {
    uint32_t type;
    prfdata_emit_shape shape;
} shapes[] = {
    {PERF_COUNTER_RAWCOUNT, PRFDATA_EMIT_LEVEL},
    {PERF_COUNTER_LARGE_RAWCOUNT, PRFDATA_EMIT_LEVEL},
    {PERF_COUNTER_RAWCOUNT_HEX, PRFDATA_EMIT_LEVEL},
    {PERF_COUNTER_LARGE_RAWCOUNT_HEX, PRFDATA_EMIT_LEVEL},
    {PERF_COUNTER_COUNTER, PRFDATA_EMIT_RATE},
    {PERF_COUNTER_BULK_COUNT, PRFDATA_EMIT_RATE},
    {PERF_SAMPLE_COUNTER, PRFDATA_EMIT_RATE},
    {PERF_COUNTER_DELTA, PRFDATA_EMIT_CHANGE},
    {PERF_COUNTER_LARGE_DELTA, PRFDATA_EMIT_CHANGE},
    {PERF_COUNTER_QUEUELEN_TYPE, PRFDATA_EMIT_LENGTH},
    {PERF_COUNTER_LARGE_QUEUELEN_TYPE, PRFDATA_EMIT_LENGTH},
    {PERF_COUNTER_100NS_QUEUELEN_TYPE, PRFDATA_EMIT_LENGTH},
    {PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, PRFDATA_EMIT_LENGTH},
    {PERF_COUNTER_TIMER, PRFDATA_EMIT_PERCENT},
    {PERF_COUNTER_TIMER_INV, PRFDATA_EMIT_PERCENT},
    {PERF_COUNTER_MULTI_TIMER, PRFDATA_EMIT_PERCENT},
    {PERF_COUNTER_MULTI_TIMER_INV, PRFDATA_EMIT_PERCENT},
    {PERF_100NSEC_TIMER, PRFDATA_EMIT_PERCENT},
    {PERF_100NSEC_TIMER_INV, PRFDATA_EMIT_PERCENT},
    {PERF_100NSEC_MULTI_TIMER, PRFDATA_EMIT_PERCENT},
    {PERF_100NSEC_MULTI_TIMER_INV, PRFDATA_EMIT_PERCENT},
    {PERF_OBJ_TIME_TIMER, PRFDATA_EMIT_PERCENT},
    {PERF_PRECISION_SYSTEM_TIMER, PRFDATA_EMIT_PERCENT},
    {PERF_PRECISION_100NS_TIMER, PRFDATA_EMIT_PERCENT},
    {PERF_PRECISION_OBJECT_TIMER, PRFDATA_EMIT_PERCENT},
    {PERF_RAW_FRACTION, PRFDATA_EMIT_PERCENT},
    {PERF_LARGE_RAW_FRACTION, PRFDATA_EMIT_PERCENT},
    {PERF_SAMPLE_FRACTION, PRFDATA_EMIT_PERCENT},
    {PERF_AVERAGE_TIMER, PRFDATA_EMIT_AVERAGE},
    {PERF_AVERAGE_BULK, PRFDATA_EMIT_AVERAGE},
    {PERF_ELAPSED_TIME, PRFDATA_EMIT_AGE},
};

/* UCUM's spelling of the units that a map may declare (ucum.org). */
static const struct {
    const char *unit;
    const char *ucum;
} spellings[] = {
    {"", "1"},
    {"seconds", "s"},
    {"milliseconds", "ms"},
    {"microseconds", "us"},
    {"nanoseconds", "ns"},
    {"bytes", "By"},
    {"kibibytes", "KiBy"},
    {"mebibytes", "MiBy"},
    {"ratio", "1"},
    {"percent", "%"},
    {"celsius", "Cel"},
    {"volts", "V"},
    {"amperes", "A"},
    {"watts", "W"},
    {"joules", "J"},
    {"hertz", "Hz"},
    {"meters", "m"},
    {"grams", "g"},
};

enum { SPELLING_COUNT = sizeof spellings / sizeof spellings[0] };

static bool find_emit_shape(uint32_t type, prfdata_emit_shape *shape)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (shapes[i].type == type) {
            *shape = shapes[i].shape;
            return true;
        }
    }
    return false;
}

bool prfdata_emit_item_make(const prfdata_model *model, const prfdata_model_object *object,
                            const prfdata_model_counter *counter, prfdata_emit_item *item)
{
    const prfdata_metric_part *part = prfdata_metric_part_of(counter);

    if (!part || !find_emit_shape(counter->entry->type, &item->shape))
        return false;
    item->model = model;
    item->object = object;
    item->counter = counter;
    item->value_unit = prfdata_metric_value_unit(counter);
    prfdata_metric_make(model, counter, part, false, &item->metric);
    if (item->shape == PRFDATA_EMIT_LEVEL && item->metric.kind == PRFDATA_METRIC_COUNTER)
        item->shape = PRFDATA_EMIT_COUNT;
    item->has_overall = prfdata_metric_has_overall(object, counter, part);
    if (item->has_overall)
        prfdata_metric_make(model, counter, part, true, &item->overall);
    return true;
}

void prfdata_emit_item_walk(const prfdata_model *model, const prfdata_model_object *object,
                            prfdata_emit_item_each *each, void *context)
{
    prfdata_emit_item item;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (prfdata_emit_item_make(model, object, &object->counters[i], &item))
            each(context, &item);
    }
}

static void walk_part(const prfdata_emit_item *item, const prfdata_metric_part *part,
                      prfdata_emit_item_each_metric *each, void *context)
{
    prfdata_metric metric;

    prfdata_metric_make(item->model, item->counter, part, false, &metric);
    each(context, item, &metric);
    if (!prfdata_metric_has_overall(item->object, item->counter, part))
        return;
    prfdata_metric_make(item->model, item->counter, part, true, &metric);
    each(context, item, &metric);
}

void prfdata_emit_item_walk_metrics(const prfdata_emit_item *item,
                                    prfdata_emit_item_each_metric *each, void *context)
{
    for (const prfdata_metric_part *part = item->metric.part; part;
         part = prfdata_metric_part_next(part)) {
        if (!part->on_request)
            walk_part(item, part, each, context);
    }
    if (prfdata_metric_has_histogram(item->object, item->counter))
        walk_part(item, prfdata_metric_part_histogram(), each, context);
}

bool prfdata_emit_item_any(const prfdata_model *model, const prfdata_model_object *object,
                           bool is_overall)
{
    prfdata_emit_item item;

    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (prfdata_emit_item_make(model, object, &object->counters[i], &item) &&
            (!is_overall || item.has_overall))
            return true;
    }
    return false;
}

const char *prfdata_emit_item_shape_word(prfdata_emit_shape shape)
{
    static const char *const words[PRFDATA_EMIT_SHAPE_COUNT] = {
        "", "", "per second", "change", "length", "percent", "average", "age"};

    return words[shape];
}

static void put_shape_end(prfdata_quoted_text *text, prfdata_emit_shape shape)
{
    const char *word = prfdata_emit_item_shape_word(shape);

    if (word[0] == 0)
        return;
    prfdata_quoted_text_put(text, ".");
    prfdata_quoted_text_put_replaced(text, word, " ", "_");
}

/*
 * Returns false if the item is no percentage. Otherwise, returns whether the suffix of the metric's
 * part was appended to the metric's name. It is not appended to a name that the map declares, or to
 * a symbol that ends with the suffix.
 */
static bool has_part_word(const prfdata_emit_item *item)
{
    const char *word = item->metric.part->suffix;
    const size_t word_chars = strlen(word);
    const char *symbol = item->counter->entry->symbol;
    const size_t symbol_chars = strlen(symbol);

    if (word_chars == 0 || item->metric.is_declared || item->shape != PRFDATA_EMIT_PERCENT)
        return false;
    for (size_t i = 0; i < word_chars && word_chars <= symbol_chars; i++) {
        if ((symbol[symbol_chars - word_chars + i] | 0x20) != word[i])
            return true;
    }
    return word_chars > symbol_chars;
}

/*
 * Put the metric's name without the suffix of its part and without its unit. The name ends with the
 * suffix, "overall" and the unit, so this function cuts all three, and then puts "overall" again.
 */
static void put_name_without_part(prfdata_quoted_text *text, const prfdata_emit_item *item,
                                  const prfdata_metric *metric)
{
    const char *const ends[] = {metric->unit, metric->is_overall ? "overall" : "",
                                item->metric.part->suffix};
    size_t bytes = strlen(metric->name);

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        bytes -= ends[i][0] ? strlen(ends[i]) + 1 : 0;
    prfdata_quoted_text_put_bytes(text, metric->name, bytes);
    prfdata_quoted_text_put(text, metric->is_overall ? "_overall" : "");
}

/* Put a percentage's name without ".percent", as short as possible. */
static void put_short_name(prfdata_quoted_text *text, const prfdata_emit_item *item, bool overall)
{
    const prfdata_metric *metric = overall ? &item->overall : &item->metric;

    if (has_part_word(item))
        put_name_without_part(text, item, metric);
    else
        prfdata_quoted_text_put(text, metric->name);
}

/* Returns whether another percentage of `object` has the same short name. */
static bool is_short_name_shared(const prfdata_emit_item *item, const prfdata_model_object *object,
                                 bool overall)
{
    bool is_shared = false;
    prfdata_emit_item other;

    for (uint32_t i = 0; i < object->counter_count && !is_shared; i++) {
        prfdata_quoted_text names[2] = {{0}, {0}};

        if (&object->counters[i] == item->counter ||
            !prfdata_emit_item_make(item->model, object, &object->counters[i], &other) ||
            other.shape != PRFDATA_EMIT_PERCENT || (overall && !other.has_overall))
            continue;
        put_short_name(&names[0], item, overall);
        put_short_name(&names[1], &other, overall);
        is_shared =
            strcmp(prfdata_quoted_text_get(&names[0]), prfdata_quoted_text_get(&names[1])) == 0;
        prfdata_quoted_text_free(&names[0]);
        prfdata_quoted_text_free(&names[1]);
    }
    return is_shared;
}

static bool may_have_short_name(const prfdata_emit_item *item, bool overall)
{
    if (!has_part_word(item))
        return false;
    for (uint32_t i = 0; i < item->model->object_count; i++) {
        if (is_short_name_shared(item, &item->model->objects[i], overall))
            return false;
    }
    return true;
}

void prfdata_emit_item_put_name(prfdata_quoted_text *text, const prfdata_emit_item *item,
                                bool overall)
{
    const prfdata_metric *metric = overall ? &item->overall : &item->metric;
    const bool is_scaled = metric->factor < 1 || metric->factor > 1;

    if (may_have_short_name(item, overall))
        put_short_name(text, item, overall);
    else
        prfdata_quoted_text_put(text, metric->name);
    put_shape_end(text, item->shape);
    /*
     * The Collector's receiver cannot multiply, so the value is not in the metric's unit. The name
     * ends with the unit of the value.
     */
    if (is_scaled && item->shape != PRFDATA_EMIT_PERCENT)
        prfdata_quoted_text_format(text, ".%s", item->value_unit);
}

static const char *ucum_of_unit(const char *unit)
{
    size_t i = 0;

    while (i < SPELLING_COUNT && strcmp(spellings[i].unit, unit) != 0)
        i++;
    return i < SPELLING_COUNT ? spellings[i].ucum : "1";
}

void prfdata_emit_item_put_unit(prfdata_quoted_text *text, const prfdata_emit_item *item)
{
    switch (item->shape) {
    case PRFDATA_EMIT_PERCENT:
        prfdata_quoted_text_put(text, "%");
        return;
    case PRFDATA_EMIT_AGE:
        prfdata_quoted_text_put(text, "s");
        return;
    case PRFDATA_EMIT_LENGTH:
        prfdata_quoted_text_put(text, "1");
        return;
    case PRFDATA_EMIT_AVERAGE:
        prfdata_quoted_text_put(text, item->counter->entry->type == PERF_AVERAGE_TIMER
                                          ? "s"
                                          : ucum_of_unit(item->value_unit));
        return;
    default:
        prfdata_quoted_text_put(text, ucum_of_unit(item->value_unit));
        if (item->shape == PRFDATA_EMIT_RATE)
            prfdata_quoted_text_put(text, "/s");
    }
}

void prfdata_emit_item_put_base(prfdata_quoted_text *text, const prfdata_metric *metric)
{
    const size_t unit_bytes = metric->unit[0] ? strlen(metric->unit) + 1 : 0;

    prfdata_quoted_text_put_bytes(text, metric->name, strlen(metric->name) - unit_bytes);
}

void prfdata_emit_item_put_words(prfdata_quoted_text *text, const char *service, const char *symbol)
{
    prfdata_metric_words words = {.count = 0};
    char name[PRFDATA_METRIC_NAME_BYTES];

    prfdata_metric_words_split(&words, service);
    prfdata_metric_words_split(&words, symbol);
    prfdata_metric_words_write(&words, name);
    prfdata_quoted_text_put(text, name);
}

void prfdata_emit_item_put_title(prfdata_quoted_text *text, const wchar_t *title)
{
    prfdata_quoted_text utf8 = {0};

    prfdata_quoted_text_put_wide(&utf8, title);
    prfdata_quoted_text_put_quoted(text, prfdata_quoted_text_get(&utf8));
    text->has_failed |= utf8.has_failed;
    prfdata_quoted_text_free(&utf8);
}
