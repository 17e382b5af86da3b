/* SPDX-License-Identifier: MIT */
/*
 * Finds the unit of the shown values. A map's unit comes from the counter's metric
 * (metric/metric.h), which has only a base unit and the factor that converts to the base unit.
 */
#include "view/heading.h"

#include <string.h>

#include "metric/metric.h"

/* The units that a map may declare, except ratio, which has no sign. */
static const struct {
    const char *name;
    prfdata_unit unit;
} map_units[] = {{"seconds", PRFDATA_NUMBER_SECONDS},
                 {"milliseconds", PRFDATA_NUMBER_MILLISECONDS},
                 {"microseconds", PRFDATA_NUMBER_MICROSECONDS},
                 {"nanoseconds", PRFDATA_NUMBER_NANOSECONDS},
                 {"bytes", PRFDATA_NUMBER_BYTES},
                 {"kibibytes", PRFDATA_NUMBER_KIBIBYTES},
                 {"mebibytes", PRFDATA_NUMBER_MEBIBYTES},
                 {"percent", PRFDATA_NUMBER_PERCENT},
                 {"celsius", PRFDATA_NUMBER_CELSIUS},
                 {"volts", PRFDATA_NUMBER_VOLTS},
                 {"amperes", PRFDATA_NUMBER_AMPERES},
                 {"watts", PRFDATA_NUMBER_WATTS},
                 {"joules", PRFDATA_NUMBER_JOULES},
                 {"hertz", PRFDATA_NUMBER_HERTZ},
                 {"meters", PRFDATA_NUMBER_METERS},
                 {"grams", PRFDATA_NUMBER_GRAMS}};

enum { MAP_UNITS = sizeof map_units / sizeof map_units[0] };

static prfdata_unit unit_of_name(const char *name)
{
    for (size_t i = 0; i < MAP_UNITS; i++) {
        if (strcmp(map_units[i].name, name) == 0)
            return map_units[i].unit;
    }
    return PRFDATA_NUMBER_NONE;
}

/* Return the unit that the map declares for the counter's values. The base unit and the factor of
 * the counter's metric determine it. */
static prfdata_unit unit_of_metric(const prfdata_metric *metric)
{
    const char *base;
    const char *name;
    double factor;

    for (size_t i = 0; (name = prfdata_metric_unit_at(i, &base, &factor)) != NULL; i++) {
        if (factor == metric->factor && strcmp(base, metric->unit) == 0)
            return unit_of_name(name);
    }
    return PRFDATA_NUMBER_NONE;
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

/* Return the unit that the type implies; empty if the name already says it. */
static const char *unit_of_type(prfdata_unit unit, prfdata_text name)
{
    switch (unit) {
    case PRFDATA_NUMBER_PERCENT:
        return holds(name, "%") || holds(name, "percent") ? "" : "%";
    case PRFDATA_NUMBER_SECONDS:
        return holds(name, "sec") ? "" : "s";
    case PRFDATA_NUMBER_PER_SECOND:
    case PRFDATA_NUMBER_BYTES_PER_SECOND:
        return holds(name, "/s") || holds(name, "per sec") ? "" : prfdata_number_sign(unit);
    default:
        return "";
    }
}

static bool is_letter_of_word(uint16_t letter)
{
    return (letter | 0x20) >= 'a' && (letter | 0x20) <= 'z';
}

/* Returns whether a name contains `word` as a whole word. */
static bool has_word(prfdata_text name, const char *word)
{
    const size_t count = strlen(word);

    for (size_t i = 0; count > 0 && i + count <= name.count; i++) {
        if (prfdata_text_equal_ascii(prfdata_text_part(name, i, i + count), word) &&
            (i == 0 || !is_letter_of_word(name.chars[i - 1])) &&
            (i + count == name.count || !is_letter_of_word(name.chars[i + count])))
            return true;
    }
    return false;
}

/* Returns whether a counter's name contains the name or the sign of the unit, as a whole word. */
static bool says_unit(prfdata_text name, prfdata_unit unit)
{
    for (size_t i = 0; i < MAP_UNITS; i++) {
        if (map_units[i].unit == unit && has_word(name, map_units[i].name))
            return true;
    }
    return has_word(name, prfdata_number_sign(unit));
}

const char *prfdata_heading_unit(const prfdata_table_column *column, bool is_raw)
{
    const prfdata_unit of_type = prfdata_number_unit(column->type, (prfdata_text){NULL, 0});

    if (column->counter_title == 0)
        return "";
    if (of_type != PRFDATA_NUMBER_NONE)
        return is_raw ? "" : unit_of_type(column->unit, column->name);
    return says_unit(column->name, column->unit) ? "" : prfdata_number_sign(column->unit);
}

prfdata_unit prfdata_heading_number_unit(const prfdata_titles *titles, uint32_t object_title,
                                         uint32_t counter_title, uint32_t type, prfdata_text name)
{
    const prfdata_unit unit = prfdata_number_unit(type, name);
    size_t count = 0;
    const prfdata_metric_table_entry *entry = prfdata_metric_table_find(
        &titles->metrics, object_title, counter_title, type, name, &count);
    const prfdata_unit of_map = entry ? unit_of_metric(&entry->metric) : PRFDATA_NUMBER_NONE;

    /* Bytes are not a unit of a type, so the map's unit has precedence over them. */
    if (unit != PRFDATA_NUMBER_NONE && unit != PRFDATA_NUMBER_BYTES)
        return unit;
    return of_map != PRFDATA_NUMBER_NONE ? of_map : unit;
}
