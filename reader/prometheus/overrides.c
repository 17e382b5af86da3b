/* SPDX-License-Identifier: MIT */
/* Parses the file of -metrics. metric_families.c applies the names. */
#include "prometheus/overrides.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "prometheus/metric_name.h"

/* ---- Names ---- */

static bool is_override_letter(uint16_t unit)
{
    return (unit >= 'a' && unit <= 'z') || (unit >= 'A' && unit <= 'Z') || unit == '_';
}

/* Copy a name. Returns false if Prometheus does not allow it, if it is too long, or if it has a
 * colon, which is reserved for recording rules. */
static bool copy_override_name(prfdata_text text, char *name)
{
    if (text.count == 0 || text.count >= PRFDATA_OVERRIDE_BYTES ||
        !is_override_letter(text.chars[0]))
        return false;
    for (size_t i = 0; i < text.count; i++) {
        if (!is_override_letter(text.chars[i]) && (text.chars[i] < '0' || text.chars[i] > '9'))
            return false;
        name[i] = (char)text.chars[i];
    }
    name[text.count] = 0;
    return true;
}

static bool is_reserved_label(const char *label)
{
    static const char *const reserved[] = {"le", "quantile", "instance", "job", "parent"};

    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
        if (strcmp(label, reserved[i]) == 0)
            return true;
    }
    return strncmp(label, "__", 2) == 0;
}

/* Returns whether the name ends in a suffix that OpenMetrics appends to family names. */
static bool has_reserved_end(const char *name)
{
    const char *last = strrchr(name, '_');

    return last && prfdata_metric_words_is_reserved_end(last + 1);
}

static bool is_reserved_metric(const char *metric)
{
    return has_reserved_end(metric) ||
           strncmp(metric, PRFDATA_METRIC_OWN_PREFIX, strlen(PRFDATA_METRIC_OWN_PREFIX)) == 0;
}

/* Returns whether a user may not choose this unit. The name of a metric ends with its unit, so
 * suffixes that a name must not have are also reserved as units. */
static bool is_reserved_unit(const char *unit)
{
    return prfdata_metric_words_is_reserved_end(unit) || has_reserved_end(unit);
}

/* ---- Lines ---- */

static bool text_has_key(prfdata_text text, const char *key, prfdata_text *value)
{
    size_t size = strlen(key);

    if (text.count < size)
        return false;
    for (size_t i = 0; i < size; i++) {
        if (text.chars[i] != (unsigned char)key[i])
            return false;
    }
    *value = prfdata_text_part(text, size, text.count);
    return true;
}

/*
 * Read one key=value. Sets *known to whether the key is known. Returns a message if it is invalid,
 * otherwise NULL.
 */
static const char *take_override_word(prfdata_text word, prfdata_override *item, bool *known)
{
    prfdata_text value;

    *known = true;
    if (text_has_key(word, "metric=", &value)) {
        if (item->metric[0] != 0)
            return "metric= is there twice";
        if (!copy_override_name(value, item->metric))
            return "metric= takes at most 100 letters, digits and underlines, and no digit first";
        return is_reserved_metric(item->metric)
                   ? "metric= takes a name that does not begin with " PRFDATA_METRIC_OWN_PREFIX
                     ", and does not end with _total, _sum, _count or another suffix of Prometheus"
                   : NULL;
    }
    if (text_has_key(word, "unit=", &value)) {
        if (item->unit[0] != 0)
            return "unit= is there twice";
        if (!copy_override_name(value, item->unit))
            return "unit= takes at most 100 letters, digits and underlines, and no digit first";
        return is_reserved_unit(item->unit) ? "unit= takes a name that does not end with total, "
                                              "sum, count or another suffix "
                                              "of Prometheus"
                                            : NULL;
    }
    if (text_has_key(word, "label=", &value)) {
        if (item->label[0] != 0)
            return "label= is there twice";
        if (!copy_override_name(value, item->label))
            return "label= takes at most 100 letters, digits and underlines, and no digit first";
        return is_reserved_label(item->label)
                   ? "label= takes no name that Prometheus uses itself, and not parent"
                   : NULL;
    }
    *known = false;
    return NULL;
}

/* Parse a line from its end, because the path may contain blanks. Returns a message if it is
 * invalid, otherwise NULL. */
static const char *parse_override_line(prfdata_text text, const prfdata_titles *titles,
                                       prfdata_override *item)
{
    prfdata_path_error error;
    bool known = true;
    bool any = false;

    memset(item, 0, sizeof *item);
    while (known) {
        size_t begin = text.count;
        const char *reason;

        while (begin > 0 && text.chars[begin - 1] != ' ' && text.chars[begin - 1] != '\t')
            begin--;
        reason = take_override_word(prfdata_text_part(text, begin, text.count), item, &known);
        if (reason)
            return reason;
        any = any || known;
        if (known)
            text.count = begin;
        while (known && text.count > 0 &&
               (text.chars[text.count - 1] == ' ' || text.chars[text.count - 1] == '\t'))
            text.count--;
    }
    if (!any)
        return "metric=, unit= or label= is missing after the path";
    if (text.count >= 2 && text.chars[0] == '"' && text.chars[text.count - 1] == '"')
        text = prfdata_text_part(text, 1, text.count - 1);
    return prfdata_resolver_read(&item->path, text, titles, &error) ? NULL : error.reason;
}

uint32_t prfdata_overrides_make(const void *bytes, size_t size, const prfdata_titles *titles,
                                prfdata_overrides *overrides, prfdata_lines *lines,
                                prfdata_overrides_error *error)
{
    prfdata_lines_error lines_error = {0, NULL};
    prfdata_overrides made;
    uint32_t status;

    memset(&made, 0, sizeof made);
    memset(lines, 0, sizeof *lines);
    memset(error, 0, sizeof *error);
    status = prfdata_lines_make(bytes, size, &made.lines, &lines_error);
    error->line = lines_error.line;
    error->reason = lines_error.reason;
    if (status != ERROR_SUCCESS)
        return status;
    made.items = calloc(made.lines.count + 1, sizeof *made.items);
    if (!made.items) {
        prfdata_overrides_free(&made);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    for (; made.count < made.lines.count; made.count++) {
        const prfdata_line *line = &made.lines.items[made.count];
        prfdata_override *item = &made.items[made.count];

        error->reason = parse_override_line(prfdata_text_trimmed(line->text), titles, item);
        if (error->reason) {
            error->text = line->text;
            error->line = line->number;
            *lines = made.lines;
            free(made.items);
            return ERROR_INVALID_DATA;
        }
    }
    *overrides = made;
    return ERROR_SUCCESS;
}

void prfdata_overrides_free(prfdata_overrides *overrides)
{
    free(overrides->items);
    prfdata_lines_free(&overrides->lines);
    memset(overrides, 0, sizeof *overrides);
}
