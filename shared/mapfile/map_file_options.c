/* SPDX-License-Identifier: MIT */
/*
 * Reads options in a map file. Their keys are the names of the macros of <prfdata/map.h> without
 * PRFDATA_MAP_.
 */
#include "mapfile/map_builder.h"

#include "map/map_options.h"
#include "region/health_word.h"

const prfdata_map_option *prfdata_map_file_options_find(prfdata_map_text word)
{
    const size_t prefix_size = sizeof "PRFDATA_MAP_" - 1;

    for (size_t i = 0; i < prfdata_map_options_count(); i++)
        if (prfdata_map_lines_is(word, prfdata_map_options_at(i)->symbol + prefix_size))
            return prfdata_map_options_at(i);
    return NULL;
}

/* The value is the metric's name and, after a blank, its unit. */
static void add_metric(prfdata_map_builder *builder, const prfdata_map_line *line,
                       prfdata_map_entry *entry)
{
    prfdata_map_text name, unit;

    (void)prfdata_map_lines_split(line->value, ' ', &name, &unit);
    entry->name = prfdata_map_builder_keep_wide(builder, name);
    entry->help = prfdata_map_builder_keep_wide(builder, unit);
    if (!entry->name || !entry->help)
        prfdata_map_builder_report(
            builder, line->number,
            "metric= is invalid; it must be a name of ASCII characters and, after a blank, a "
            "unit.");
}

/*
 * Takes the next number; returns `otherwise` if no word is left. Sets `*is_right` to false if the
 * word is not a number up to `most`.
 */
static uint64_t take_number(prfdata_map_text *rest, uint64_t most, uint64_t otherwise,
                            bool *is_right)
{
    prfdata_map_text word;
    uint64_t number = 0;

    if (rest->size == 0)
        return otherwise;
    (void)prfdata_map_lines_split(*rest, ' ', &word, rest);
    *is_right &= prfdata_map_lines_unsigned(word, most, &number);
    return number;
}

static uint32_t take_number32(prfdata_map_text *rest, uint32_t otherwise, bool *is_right)
{
    return (uint32_t)take_number(rest, UINT32_MAX, otherwise, is_right);
}

static uint32_t take_unit(prfdata_map_text *rest, bool *is_right)
{
    prfdata_map_text word;

    (void)prfdata_map_lines_split(*rest, ' ', &word, rest);
    if (prfdata_map_lines_is(word, "100ns"))
        return PRFDATA_UNIT_100NS;
    if (prfdata_map_lines_is(word, "bytes"))
        return PRFDATA_UNIT_BYTES;
    *is_right &= prfdata_map_lines_is(word, "number");
    return PRFDATA_UNIT_NUMBER;
}

/* The value: id, unit, lowest and highest value, and optionally buckets per octave and window. */
static void add_distribution(prfdata_map_builder *builder, const prfdata_map_line *line,
                             prfdata_map_entry *entry)
{
    prfdata_map_text rest = line->value;
    bool is_right = true;

    entry->id = take_number32(&rest, 0, &is_right);
    entry->unit = take_unit(&rest, &is_right);
    entry->lowest = take_number(&rest, UINT64_MAX, 1, &is_right);
    /* A missing highest value becomes 0, which prfdata_map_check() refuses. */
    entry->highest = take_number(&rest, UINT64_MAX, 0, &is_right);
    entry->buckets_per_octave = take_number32(&rest, 8, &is_right);
    entry->window_s = take_number32(&rest, 60, &is_right);
    if (!is_right || rest.size > 0)
        prfdata_map_builder_report(
            builder, line->number,
            "distribution= is invalid; it must be an id, the unit (100ns, bytes or number), "
            "the lowest and the highest value and, if need be, buckets per octave and seconds, "
            "with blanks between them.");
}

/* The value: the distribution's id and, for some options, another number. */
static void add_shown(prfdata_map_builder *builder, const prfdata_map_line *line,
                      const prfdata_map_option *option, prfdata_map_entry *entry)
{
    const bool has_argument = option->number_count > 0;
    prfdata_map_text rest = line->value;
    bool is_right = true;
    char key[PRFDATA_MAP_SHOWN_BYTES + 8];

    entry->id = take_number32(&rest, 0, &is_right);
    if (has_argument)
        entry->highest = take_number(
            &rest, UINT64_MAX, entry->option == PRFDATA_OPTION_AT_MOST ? UINT64_MAX : 0, &is_right);
    if (!is_right || rest.size > 0)
        prfdata_map_builder_report(builder, line->number,
                                   "%s= is invalid; it must be the id of a distribution%s.",
                                   prfdata_map_builder_quote(line->key, key),
                                   has_argument ? " and, after a blank, a number" : "");
}

/* The value: the word of a health number, from PRFDATA_HEALTH_NUMBERS. */
static void add_health(prfdata_map_builder *builder, const prfdata_map_line *line,
                       prfdata_map_entry *entry)
{
#define WORD(id, symbol, metric, name, number, word, ...) ", " word
    static const char words[] = PRFDATA_HEALTH_NUMBERS(WORD, 0, 0, 0);
#undef WORD
    char value[PRFDATA_MAP_SHOWN_BYTES + 8];

    for (uint32_t i = 1; i <= PRFDATA_HEALTH_LAST; i++)
        if (prfdata_map_lines_is(line->value, prfdata_health_word(i)))
            entry->id = i;
    if (entry->id == 0)
        prfdata_map_builder_report(builder, line->number,
                                   "health_of=%s is invalid; it must be one of: %s.",
                                   prfdata_map_builder_quote(line->value, value), words + 2);
}

void prfdata_map_file_options_add(prfdata_map_builder *builder, const prfdata_map_line *line,
                                  const prfdata_map_option *option)
{
    const bool is_switch = !option->names_parent && !option->needs_metric && !option->shows &&
                           !option->names_health && !option->may_repeat;
    char key[PRFDATA_MAP_SHOWN_BYTES + 8], value[PRFDATA_MAP_SHOWN_BYTES + 8];
    prfdata_map_entry *entry;

    if (is_switch && prfdata_map_lines_is(line->value, "no"))
        return;
    if (is_switch && !prfdata_map_lines_is(line->value, "yes")) {
        prfdata_map_builder_report(builder, line->number, "%s=%s is invalid; it must be yes or no.",
                                   prfdata_map_builder_quote(line->key, key),
                                   prfdata_map_builder_quote(line->value, value));
        return;
    }
    entry = prfdata_map_builder_add(builder, PRFDATA_ENTRY_OPTION, option->symbol);
    entry->option = option->bit;
    if (option->names_parent)
        prfdata_map_builder_refer(builder, entry, line->value);
    if (option->needs_metric)
        add_metric(builder, line, entry);
    if (option->bit == PRFDATA_OPTION_DISTRIBUTION)
        add_distribution(builder, line, entry);
    if (option->shows)
        add_shown(builder, line, option, entry);
    if (option->names_health)
        add_health(builder, line, entry);
}
