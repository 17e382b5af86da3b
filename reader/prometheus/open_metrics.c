/* SPDX-License-Identifier: MIT */
/*
 * Puts the text for a sample together: families in the order of the sample, the lines of their
 * instances, then metrics about the reader itself. The files metric_*.c make the parts.
 */
#include "prometheus/open_metrics.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "map/counter_types.h"
#include "paths/columns.h"
#include "prometheus/metric_families.h"
#include "prometheus/metric_head.h"
#include "prometheus/metric_labels.h"
#include "prometheus/metric_lines.h"
#include "prometheus/metric_number.h"
#include "prometheus/object_up.h"
#include "prometheus/series.h"

#define MAX_SERIES       100000u
#define MAX_SERIES_BYTES (64u << 20) /* limit for the size of all keys in the history */

struct prfdata_open_metrics {
    prfdata_open_metrics_options options;
    prfdata_metric_family_choice choice;
    bool *found; /* for each path, whether it has found something */
    prfdata_series *series;
    prfdata_metric_families families;
    prfdata_object_up objects;
    prfdata_metric_labels *labels; /* labels of the objects of the last sample, by their position */
    size_t labels_count;
    uint64_t last_label;
    uint32_t *shown; /* the shown instances of a metric, as positions in the `found` of the object;
                        kept for the next metric if the same paths ask for both metrics */
    size_t shown_capacity;
    bool *is_asked; /* for each position in the `found` of an object, whether `shown` has it; used
                       while `shown` is made, and all false afterwards */
    size_t asked_count;
    size_t asked_capacity;
};

uint32_t prfdata_open_metrics_make(const prfdata_open_metrics_options *options,
                                   prfdata_open_metrics **metrics)
{
    prfdata_open_metrics *made = calloc(1, sizeof *made);

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    made->options = *options;
    made->choice.paths = options->paths;
    made->choice.path_count = options->path_count;
    made->choice.bad_path_count = options->bad_path_count;
    made->choice.with_parts = options->with_parts;
    made->choice.overrides = options->overrides;
    made->found = calloc(options->path_count + 1, sizeof *made->found);
    made->series = prfdata_series_make(options->max_series > 0 ? options->max_series : MAX_SERIES,
                                       MAX_SERIES_BYTES);
    if (!made->found || !made->series) {
        prfdata_open_metrics_free(made);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    *metrics = made;
    return ERROR_SUCCESS;
}

void prfdata_open_metrics_free(prfdata_open_metrics *metrics)
{
    if (!metrics)
        return;
    prfdata_metric_families_free(&metrics->families);
    prfdata_object_up_free(&metrics->objects);
    for (size_t i = 0; i < metrics->labels_count; i++)
        prfdata_metric_labels_free(&metrics->labels[i]);
    free(metrics->labels);
    free(metrics->shown);
    free(metrics->is_asked);
    free(metrics->found);
    prfdata_series_free(metrics->series);
    free(metrics);
}

bool prfdata_open_metrics_found(const prfdata_open_metrics *metrics, size_t path_index)
{
    return path_index < metrics->options.path_count && metrics->found[path_index];
}

const char *prfdata_open_metrics_content_type(prfdata_dialect dialect)
{
    return dialect == PRFDATA_DIALECT_OPEN_METRICS
               ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
               : "text/plain; version=0.0.4; charset=utf-8";
}

static void forget_found_paths(prfdata_open_metrics *metrics)
{
    memset(metrics->found, 0, metrics->options.path_count * sizeof *metrics->found);
}

/* ---- Putting a sample ---- */

typedef struct put_state {
    prfdata_open_metrics *metrics;
    const prfdata_sample *sample;
    const prfdata_titles *titles;
    prfdata_dialect dialect;
    prfdata_output *output;
    /* Item for which metrics->shown was last made, or NULL. */
    const prfdata_metric_family_item *shown_of;
    uint32_t shown_count;
    prfdata_metric_lines lines;
    uint64_t left_out;
} put_state;

/* Returns whether the instance is the overall `_Total`, whose counts are a separate metric. */
static bool is_overall_instance(const prfdata_sample *sample,
                                const prfdata_sample_instance *instance)
{
    const prfdata_text parent = prfdata_sample_parent(sample, instance);

    return prfdata_text_equal_ascii(instance->name, "_Total") &&
           (!parent.chars || prfdata_text_equal_ascii(parent, "_Total"));
}

/* Returns whether a path names one instance. A path of a service, or for all instances, does
 * not. */
static bool names_one_instance(const prfdata_path *path)
{
    return path->has_instance && !prfdata_text_has_wildcard(path->instance);
}

static void show_instance(put_state *s, uint32_t i)
{
    if (!s->metrics->is_asked[i])
        s->metrics->shown[s->shown_count++] = i;
    s->metrics->is_asked[i] = true;
}

/* Note that a path has found the instance at position `i`. Show the instance, unless it is a total
 * that the path does not name. For an overall metric, only the overall `_Total` counts. */
static void want_instance(put_state *s, const prfdata_metric_family_item *item,
                          const prfdata_sample_object *object, uint32_t path_index, uint32_t i)
{
    const prfdata_metric_labels *labels = s->lines.labels;

    if (item->is_overall && !is_overall_instance(s->sample, &object->instances[object->found[i]]))
        return;
    s->metrics->found[path_index] = true;
    if (item->is_overall || !labels->is_total[i] ||
        names_one_instance(&s->metrics->options.paths[path_index].path))
        show_instance(s, i);
}

static void want_instances_of_path(put_state *s, const prfdata_metric_family_item *item,
                                   const prfdata_sample_object *object, uint32_t path_index)
{
    const prfdata_resolver_path *path = &s->metrics->options.paths[path_index];
    uint32_t one;

    if (prfdata_resolver_names_one(path, object, &one)) {
        if (one != PRFDATA_RESOLVER_NO_POSITION)
            want_instance(s, item, object, path_index, one);
        return;
    }
    for (uint32_t i = 0; i < object->found_count; i++) {
        if (prfdata_resolver_wants_instance(path, object, &object->instances[object->found[i]]))
            want_instance(s, item, object, path_index, i);
    }
}

/* If there are no paths, show all instances except totals, because a sum over all instances would
 * count each value twice. For an overall metric, show only the overall `_Total`. */
static void want_all_instances(put_state *s, const prfdata_metric_family_item *item,
                               const prfdata_sample_object *object)
{
    for (uint32_t i = 0; i < object->found_count; i++) {
        if (item->is_overall ? is_overall_instance(s->sample, &object->instances[object->found[i]])
                             : !s->lines.labels->is_total[i])
            show_instance(s, i);
    }
}

static int compare_positions(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a;
    const uint32_t right = *(const uint32_t *)b;

    return (left > right) - (left < right);
}

/* Sort the shown instances, leave out duplicate labels, and clear is_asked. */
static void settle_shown(put_state *s)
{
    uint32_t *shown = s->metrics->shown;
    uint32_t count = 0;
    bool is_ordered = true;

    for (uint32_t i = 0; i < s->shown_count; i++) {
        s->metrics->is_asked[shown[i]] = false;
        is_ordered = is_ordered && (i == 0 || shown[i - 1] < shown[i]);
    }
    if (!is_ordered)
        qsort(shown, s->shown_count, sizeof *shown, compare_positions);
    for (uint32_t i = 0; i < s->shown_count; i++) {
        if (!s->lines.labels->is_duplicate[shown[i]])
            shown[count++] = shown[i];
    }
    s->shown_count = count;
}

/* Returns whether the same paths ask for both items, so that the same instances are shown. */
static bool have_same_instances(const prfdata_metric_family_item *a,
                                const prfdata_metric_family_item *b)
{
    if (a->object_position != b->object_position || a->is_overall != b->is_overall ||
        a->match_count != b->match_count)
        return false;
    for (size_t m = 0; m < a->match_count; m++) {
        if (a->matches[m].path_index != b->matches[m].path_index)
            return false;
    }
    return true;
}

static bool list_shown_instances(put_state *s, const prfdata_metric_family_item *item)
{
    const prfdata_sample_object *object = &s->sample->objects[item->object_position];
    const size_t room = (size_t)object->found_count + 1;
    uint32_t *shown =
        prfdata_array_reserve(s->metrics->shown, &s->metrics->shown_capacity, room, sizeof *shown);
    bool *asked = prfdata_array_reserve(s->metrics->is_asked, &s->metrics->asked_capacity, room,
                                        sizeof *asked);

    if (shown)
        s->metrics->shown = shown;
    if (asked)
        s->metrics->is_asked = asked;
    if (!shown || !asked)
        return false;
    for (; s->metrics->asked_count < room; s->metrics->asked_count++)
        asked[s->metrics->asked_count] = false;
    s->shown_of = item;
    s->shown_count = 0;
    if (s->metrics->options.path_count == 0)
        want_all_instances(s, item, object);
    for (size_t m = 0; m < item->match_count; m++)
        want_instances_of_path(s, item, object, item->matches[m].path_index);
    settle_shown(s);
    return true;
}

/*
 * Give each object of the sample the labels that were kept for its title, because its position may
 * have changed. Returns false: no memory.
 */
static bool move_labels(prfdata_open_metrics *metrics, const prfdata_sample *sample)
{
    prfdata_metric_labels *moved = calloc((size_t)sample->object_count + 1, sizeof *moved);
    prfdata_title_index by_title = {0};

    if (!moved || !prfdata_title_index_begin(&by_title, metrics->labels_count)) {
        free(moved);
        return false;
    }
    for (uint32_t i = 0; i < metrics->labels_count; i++)
        prfdata_title_index_add(&by_title, metrics->labels[i].object_title, i);
    prfdata_title_index_sort(&by_title);
    for (uint32_t o = 0; o < sample->object_count; o++) {
        const uint32_t title = sample->objects[o].wire.header.object_name_title_index;
        const uint32_t at = prfdata_title_index_find(&by_title, title);

        if (at != PRFDATA_TITLE_INDEX_NONE) {
            moved[o] = metrics->labels[at];
            memset(&metrics->labels[at], 0, sizeof metrics->labels[at]);
        }
        moved[o].object_title = title;
    }
    for (size_t i = 0; i < metrics->labels_count; i++)
        prfdata_metric_labels_free(&metrics->labels[i]);
    prfdata_title_index_free(&by_title);
    free(metrics->labels);
    metrics->labels = moved;
    metrics->labels_count = sample->object_count;
    return true;
}

/* Bring the labels into the order of the sample's objects. Returns false: no memory. */
static bool arrange_labels(prfdata_open_metrics *metrics, const prfdata_sample *sample)
{
    for (uint32_t o = 0; o < sample->object_count; o++) {
        if (o >= metrics->labels_count ||
            metrics->labels[o].object_title !=
                sample->objects[o].wire.header.object_name_title_index)
            return move_labels(metrics, sample);
    }
    return true;
}

static bool prepare_instances(put_state *s, const prfdata_metric_family_item *item)
{
    prfdata_metric_labels *labels;

    if (!s->shown_of || s->shown_of->object_position != item->object_position) {
        labels = &s->metrics->labels[item->object_position];
        if (!prfdata_metric_labels_follow(labels, s->sample,
                                          &s->sample->objects[item->object_position],
                                          &s->metrics->last_label))
            return false;
        s->lines.labels = labels;
    }
    return (s->shown_of && have_same_instances(s->shown_of, item)) || list_shown_instances(s, item);
}

/* Put a family with all of its instances; nothing if no instance has a value. */
static void put_family_lines(put_state *s, const prfdata_metric_family_item *item)
{
    const size_t before = s->output->used;
    size_t after_head;

    if (!prepare_instances(s, item)) {
        s->output->failed = true;
        return;
    }
    prfdata_metric_head_put(s->output, s->sample, s->titles, item, s->dialect);
    after_head = s->output->used;
    s->left_out += prfdata_metric_lines_put(&s->lines, item, s->metrics->shown, s->shown_count);
    if (s->output->used == after_head)
        s->output->used = before;
}

static void put_all_families(put_state *s)
{
    for (size_t i = 0; i < s->metrics->families.item_count && !s->output->failed; i++) {
        const prfdata_metric_family_item *this_one = &s->metrics->families.items[i];

        if (!this_one->is_wanted)
            continue;
        if (this_one->family && !this_one->family->is_taken)
            put_family_lines(s, this_one);
        else
            s->left_out++;
    }
}

/* ---- Metrics about the reader ---- */

/*
 * Put the label that distinguishes this reader from others. `before` and `after` are braces if the
 * line has no other label, otherwise "," and "".
 */
static void put_reader_label(const put_state *s, const char *before, const char *after)
{
    const prfdata_text reader = s->metrics->options.reader;

    if (reader.count == 0)
        return;
    prfdata_output_format(s->output, "%sreader=\"", before);
    prfdata_metric_labels_put_value(s->output, reader);
    prfdata_output_format(s->output, "\"%s", after);
}

static void put_own_metric(const put_state *s, const char *name, const char *unit, const char *help,
                           prfdata_metric_number value)
{
    prfdata_metric_head_begin(s->output, name, PRFDATA_METRIC_GAUGE, unit, s->dialect);
    prfdata_output_put_string(s->output, help);
    prfdata_output_put_string(s->output, "\n");
    prfdata_output_put_string(s->output, name);
    put_reader_label(s, "{", "}");
    prfdata_output_put_string(s->output, " ");
    prfdata_metric_number_put(s->output, value);
    prfdata_output_put_string(s->output, "\n");
}

static void put_build_info(const put_state *s)
{
    bool is_open = s->dialect == PRFDATA_DIALECT_OPEN_METRICS;
    const char *name =
        is_open ? PRFDATA_METRIC_OWN_PREFIX "build" : PRFDATA_METRIC_OWN_PREFIX "build_info";

    prfdata_output_format(s->output, "# TYPE %s %s\n", name, is_open ? "info" : "gauge");
    if (is_open)
        prfdata_output_format(s->output, "# UNIT %s \n", name);
    prfdata_output_format(s->output, "# HELP %s What reads the counters.\n", name);
    prfdata_output_format(s->output, PRFDATA_METRIC_OWN_PREFIX "build_info{version=\"%s\"",
                          s->metrics->options.version);
    put_reader_label(s, ",", "");
    prfdata_output_put_string(s->output, "} 1\n");
}

static void put_object_up(const put_state *s)
{
    const prfdata_open_metrics_options *options = &s->metrics->options;
    prfdata_object_up *objects = &s->metrics->objects;

    if (!prfdata_object_up_note(objects, options->asked, options->asked_count, s->titles,
                                s->sample))
        s->output->failed = true;
    if (objects->count == 0)
        return;
    prfdata_metric_head_begin(s->output, PRFDATA_METRIC_OWN_PREFIX "object_up",
                              PRFDATA_METRIC_GAUGE, "", s->dialect);
    prfdata_output_put_string(s->output, "Whether an object that is asked for is there: 1, or 0 if "
                                         "no provider shows it.\n");
    for (size_t i = 0; i < objects->count; i++) {
        prfdata_output_put_string(s->output, PRFDATA_METRIC_OWN_PREFIX "object_up{object=\"");
        prfdata_metric_labels_put_value(s->output, objects->entries[i].name);
        prfdata_output_put_string(s->output, "\"");
        put_reader_label(s, ",", "");
        prfdata_output_format(s->output, "} %d\n", objects->entries[i].is_there ? 1 : 0);
    }
}

static void put_own_metrics(const put_state *s, const prfdata_open_metrics_moment *moment)
{
    size_t not_found = s->metrics->options.bad_path_count;

    for (size_t i = 0; i < s->metrics->options.path_count; i++)
        not_found += s->metrics->found[i] ? 0 : 1;
    if (s->metrics->options.version)
        put_build_info(s);
    if (moment && moment->seconds)
        put_own_metric(s, PRFDATA_METRIC_OWN_PREFIX "scrape_duration_seconds", "seconds",
                       "How long the sample took.", prfdata_metric_number_real(*moment->seconds));
    put_object_up(s);
    put_own_metric(s, PRFDATA_METRIC_OWN_PREFIX "paths_not_found", "",
                   "Counter paths that found nothing.", prfdata_metric_number_whole(not_found));
    put_own_metric(s, PRFDATA_METRIC_OWN_PREFIX "providers_left_out", "",
                   "Providers that crashed, or did not answer in the time that the sample had.",
                   prfdata_metric_number_whole(moment ? moment->left_out : 0));
    put_own_metric(s, PRFDATA_METRIC_OWN_PREFIX "damaged_parts", "",
                   "Objects and instances in the providers' data that could not be read.",
                   prfdata_metric_number_whole(s->sample->damage_count));
    put_own_metric(s, PRFDATA_METRIC_OWN_PREFIX "values_left_out", "",
                   "Values that lie outside of their block, have nothing to divide by or no clock.",
                   prfdata_metric_number_whole(s->left_out));
    put_own_metric(s, PRFDATA_METRIC_OWN_PREFIX "series_untracked", "",
                   "Counters of instances beyond the limit, where a wrap looks like a restart.",
                   prfdata_metric_number_whole(s->lines.untracked));
    put_own_metric(
        s, PRFDATA_METRIC_OWN_PREFIX "title_changes", "",
        "How often installed counters or their names have changed since the start; metrics follow.",
        prfdata_metric_number_whole(s->metrics->options.title_changes));
}

void prfdata_open_metrics_put(prfdata_open_metrics *metrics, const prfdata_sample *sample,
                              const prfdata_titles *titles,
                              const prfdata_open_metrics_moment *moment, prfdata_dialect dialect,
                              prfdata_output *output)
{
    put_state s;

    memset(&s, 0, sizeof s);
    s.metrics = metrics;
    s.sample = sample;
    s.titles = titles;
    s.dialect = dialect;
    s.output = output;
    s.lines.sample = sample;
    s.lines.dialect = dialect;
    s.lines.series = metrics->series;
    s.lines.output = output;
    if (!prfdata_metric_families_collect(&metrics->families, sample, titles, &metrics->choice) ||
        !arrange_labels(metrics, sample)) {
        output->failed = true;
    } else {
        forget_found_paths(metrics);
        prfdata_series_begin(metrics->series, sample->block.header.perf_time_100ns);
        put_all_families(&s);
        put_own_metrics(&s, moment);
        if (dialect == PRFDATA_DIALECT_OPEN_METRICS)
            prfdata_output_put_string(output, "# EOF\n");
    }
    prfdata_metric_lines_free(&s.lines);
}

/* ---- Explanations ---- */

static void put_left_out_reason(prfdata_output *output, uint32_t type)
{
    const prfdata_counter_type *known = prfdata_counter_types_find(type);

    if (known)
        prfdata_output_format(output, "left out: PERF_%s is not a number\n", known->name);
    else
        prfdata_output_format(output, "left out: type 0x%08lX is unknown\n", (unsigned long)type);
}

/* Put a metric's kind and name, and a note: where the name comes from, and the factor for
 * values. */
static void explain_family(const prfdata_metric_family *family, prfdata_output *output)
{
    static const char *const origins[] = {[PRFDATA_METRIC_OF_TITLES] = "",
                                          [PRFDATA_METRIC_OF_SYMBOL] = "by its symbol",
                                          [PRFDATA_METRIC_DECLARED] = "declared",
                                          [PRFDATA_METRIC_OF_USER] = "as -metrics says"};
    const char *origin = origins[family->origin];
    char note[PRFDATA_METRIC_NOTE_BYTES];

    prfdata_output_format(output, "%s %s",
                          prfdata_metric_head_kind(prfdata_metric_part_kind(family->part)),
                          family->name);
    prfdata_metric_factor_note(family->factor, note);
    if (note[0] != 0) /* put the note without its full stop, and begin it with a small letter */
        prfdata_output_format(output, " (%s%sv%.*s)", origin, origin[0] != 0 ? "; " : "",
                              (int)strlen(note) - 2, note + 1);
    else if (origin[0] != 0)
        prfdata_output_format(output, " (%s)", origin);
}

static void explain_histogram_part(const prfdata_open_metrics *m,
                                   const prfdata_metric_family_item *item, prfdata_output *output)
{
    const prfdata_metric_family_item *histogram =
        prfdata_metric_families_histogram(m->families.items, m->families.item_count, item);

    prfdata_output_format(output, "in histogram %s",
                          histogram && histogram->family ? histogram->family->name : "");
}

static void explain_item(const prfdata_open_metrics *m, const prfdata_metric_family_item *item,
                         prfdata_output *output)
{
    if (item->is_in_histogram) {
        explain_histogram_part(m, item, output);
        return;
    }
    if (item->family && !item->family->is_taken)
        explain_family(item->family, output);
    else if (item->is_duplicate || item->family)
        prfdata_output_put_string(output, "left out: there are two with these titles");
    else
        prfdata_output_put_string(output, "left out: too many");
}

static void explain_counter(prfdata_open_metrics *m, const prfdata_sample *sample,
                            const prfdata_titles *titles, uint32_t object, uint32_t counter,
                            size_t *next, prfdata_output *output)
{
    const prfdata_sample_object *o = &sample->objects[object];
    const prfdata_decode_counter *c = &o->counters[counter];
    bool any = false;

    prfdata_output_put_string(output, "\\");
    prfdata_columns_put_title(output, &titles->english, o->wire.header.object_name_title_index);
    prfdata_output_put_string(output, o->has_instances ? "(*)\\" : "\\");
    prfdata_columns_put_title(output, &titles->english, c->definition.counter_name_title_index);
    prfdata_output_format(output,
                          " [%lu]: ", (unsigned long)c->definition.counter_name_title_index);
    for (; *next < m->families.item_count && m->families.items[*next].object_position == object &&
           m->families.items[*next].counter_position == counter;
         ++*next) {
        const prfdata_metric_family_item *i = &m->families.items[*next];

        if (!i->is_wanted && !i->is_in_histogram)
            continue;
        if (any)
            prfdata_output_put_string(output, ", ");
        any = true;
        explain_item(m, i, output);
    }
    if (any)
        prfdata_output_put_string(output, "\n");
    else if (prfdata_metric_part_first(c->definition.counter_type, false))
        prfdata_output_put_string(output, "not asked for\n");
    else
        put_left_out_reason(output, c->definition.counter_type);
}

void prfdata_open_metrics_explain(prfdata_open_metrics *metrics, const prfdata_sample *sample,
                                  const prfdata_titles *titles, prfdata_output *output)
{
    size_t next = 0;

    if (!prfdata_metric_families_collect(&metrics->families, sample, titles, &metrics->choice)) {
        output->failed = true;
        return;
    }
    forget_found_paths(metrics);
    for (size_t i = 0; i < metrics->families.matches.count; i++)
        metrics->found[metrics->families.matches.items[i].path_index] = true;
    for (uint32_t o = 0; o < sample->object_count; o++) {
        for (uint32_t c = 0; c < sample->objects[o].counter_count; c++) {
            const prfdata_decode_counter *counter = &sample->objects[o].counters[c];
            const prfdata_counter_type *type =
                prfdata_counter_types_find(counter->definition.counter_type);

            /*
             * Bases are explained with the counter before them. Counters without a title are not
             * shown to people.
             */
            if (counter->definition.counter_name_title_index != 0 &&
                !(type && (type->flags & PRFDATA_TYPE_BASE)))
                explain_counter(metrics, sample, titles, o, c, &next, output);
        }
    }
}
