/* SPDX-License-Identifier: MIT */
/*
 * Finds the unit of the shown values. A metric only has its base unit and the factor that leads to
 * it.
 */
#include "view/heading.h"

#include <string.h>

#include "metric/metric.h"

/* Return the sign of a unit, if people know it; other units are words. */
static const char *sign_of(const char *unit)
{
    static const struct {
        const char *unit;
        const char *sign;
    } signs[] = {{"seconds", "s"},      {"milliseconds", "ms"}, {"microseconds", "us"},
                 {"nanoseconds", "ns"}, {"ratio", ""},          {"percent", "%"}};

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (strcmp(signs[i].unit, unit) == 0)
            return signs[i].sign;
    }
    return unit;
}

/*
 * Return the unit of the counter's own values, which the metric's factor converts to the metric's
 * unit.
 */
static const char *unit_of_metric(const prfdata_metric *metric)
{
    const char *base;
    const char *name;
    double factor;

    for (size_t i = 0; (name = prfdata_metric_unit_at(i, &base, &factor)) != NULL; i++) {
        if (factor == metric->factor && strcmp(base, metric->unit) == 0)
            return sign_of(name);
    }
    return metric->factor == 1 ? sign_of(metric->unit) : "";
}

static bool holds(prfdata_text name, const char *part)
{
    const size_t count = strlen(part);

    for (size_t i = 0; i + count <= name.count; i++) {
        if (prfdata_text_equal_ascii(prfdata_text_part(name, i, i + count), part))
            return true;
    }
    return false;
}

/*
 * Return the unit that the type implies; empty if the name already says it, as most names of
 * Windows' counters do.
 */
static const char *unit_of_type(prfdata_unit unit, prfdata_text name)
{
    switch (unit) {
    case PRFDATA_NUMBER_PERCENT:
        return holds(name, "%") || holds(name, "percent") ? "" : "%";
    case PRFDATA_NUMBER_SECONDS:
        return holds(name, "sec") ? "" : "s";
    case PRFDATA_NUMBER_PER_SECOND:
        return holds(name, "/s") || holds(name, "per sec") ? "" : "/s";
    default:
        return "";
    }
}

/* Finds the unit. The map's unit applies only to values that are shown as they were counted. */
const char *prfdata_heading_unit(const prfdata_titles *titles, uint32_t object_title,
                                 const prfdata_table_column *column, bool is_raw)
{
    size_t count = 0;
    const prfdata_metric_table_entry *entry = prfdata_metric_table_find(
        &titles->metrics, object_title, column->counter_title, column->type, column->name, &count);
    const char *unit;

    if (column->counter_title == 0)
        return "";
    if (!entry || column->unit != PRFDATA_NUMBER_NONE)
        return is_raw ? "" : unit_of_type(column->unit, column->name);
    unit = unit_of_metric(&entry->metric);
    return holds(column->name, unit) ? "" : unit;
}

prfdata_unit prfdata_heading_number_unit(const prfdata_titles *titles, uint32_t object_title,
                                         uint32_t counter_title, uint32_t type, prfdata_text name)
{
    static const struct {
        double factor; /* to seconds */
        prfdata_unit unit;
    } times[] = {{1, PRFDATA_NUMBER_SECONDS},
                 {1e-3, PRFDATA_NUMBER_MILLISECONDS},
                 {1e-6, PRFDATA_NUMBER_MICROSECONDS},
                 {1e-9, PRFDATA_NUMBER_NANOSECONDS}};
    const prfdata_unit unit = prfdata_number_unit(type, name);
    size_t count = 0;
    const prfdata_metric_table_entry *entry = prfdata_metric_table_find(
        &titles->metrics, object_title, counter_title, type, name, &count);

    if (unit != PRFDATA_NUMBER_NONE || !entry || strcmp(entry->metric.unit, "seconds") != 0)
        return unit;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        if (times[i].factor == entry->metric.factor)
            return times[i].unit;
    }
    return unit;
}
