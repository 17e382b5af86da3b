/* SPDX-License-Identifier: MIT */
/*
 * Chooses the name of a metric: the name that the user gave; otherwise the map's name; otherwise a
 * name made from titles.
 */
#include "prometheus/metric_family_name.h"

#include <stdio.h>
#include <string.h>

#include "base/fnv.h"

static uint32_t hash_title(uint32_t hash, prfdata_text title, uint32_t index)
{
    uint64_t all =
        prfdata_fnv_add(PRFDATA_FNV_START ^ hash, title.chars, title.count * sizeof *title.chars);

    if (title.count == 0)
        all = prfdata_fnv_add(all, &index, sizeof index);
    return (uint32_t)(all ^ all >> 32);
}

/*
 * Hash the properties that distinguish counters of the same name. If a title has no English name,
 * hash its index. Otherwise, the hash is the same on every computer.
 */
static uint32_t tag_of_titles(const prfdata_metric_titles *titles, bool has_instances)
{
    const uint32_t object = hash_title(titles->part->type + (has_instances ? 1 : 0), titles->object,
                                       titles->object_index);

    return hash_title(object, titles->counter, titles->counter_index);
}

static void begin_metric_titles(const prfdata_titles *titles,
                                const prfdata_metric_family_item *item,
                                prfdata_metric_titles *wanted)
{
    memset(wanted, 0, sizeof *wanted);
    wanted->object = prfdata_name_table_name(&titles->english, item->object_title);
    wanted->object_index = item->object_title;
    wanted->counter = prfdata_name_table_name(&titles->english, item->counter_title);
    wanted->counter_index = item->counter_title;
    wanted->part = item->part;
}

static prfdata_metric_origin name_family_of_map(const prfdata_metric_titles *wanted,
                                                const prfdata_metric_family_item *item,
                                                prfdata_metric_name *name)
{
    const prfdata_metric *declared = item->declared;

    if (!declared) {
        prfdata_metric_name_make(wanted, name);
        return PRFDATA_METRIC_OF_TITLES;
    }
    memcpy(name->text, declared->name, sizeof name->text);
    name->unit = declared->unit;
    name->factor = declared->factor;
    return declared->is_declared ? PRFDATA_METRIC_DECLARED : PRFDATA_METRIC_OF_SYMBOL;
}

/* Returns whether the name's last word is `unit`; *begin is the position of the underscore before
 * it. */
static bool ends_with_unit(const char *name, const char *unit, size_t *begin)
{
    size_t size = strlen(name);
    size_t unit_size = strlen(unit);

    *begin = size - unit_size - 1;
    return size > unit_size + 1 && name[*begin] == '_' && strcmp(name + *begin + 1, unit) == 0;
}

/*
 * Returns whether the type determines the unit. Times are in seconds, and fractions are ratios.
 */
static bool part_has_own_unit(const prfdata_metric_part *part)
{
    return prfdata_metric_part_unit(part)[0] != 0;
}

static void append_name_word(prfdata_metric_name *name, const char *word)
{
    const size_t used = strlen(name->text);

    if (word[0] != 0)
        snprintf(name->text + used, sizeof name->text - used, "_%s", word);
}

/* Use the user's name. If the metric is in no map, drop the unit that its title suggested. */
static void override_metric(const prfdata_override *override,
                            const prfdata_metric_family_item *item, prfdata_metric_name *name)
{
    const char *unit = item->declared ? name->unit : prfdata_metric_part_unit(item->part);

    snprintf(name->text, sizeof name->text, "%s", override->metric);
    if (!prfdata_metric_part_is_first(item->part))
        append_name_word(name, item->part->suffix);
    append_name_word(name, item->is_overall ? "overall" : "");
    name->unit = unit;
    if (!item->declared)
        name->factor = 1;
}

/* Use the user's unit; values are not converted. */
static void override_unit(const prfdata_override *override, prfdata_metric_name *name)
{
    size_t begin;

    if (override->metric[0] == 0 && name->unit[0] != 0 &&
        ends_with_unit(name->text, name->unit, &begin))
        name->text[begin] = 0;
    name->factor = 1;
    name->unit = override->unit;
    if (!ends_with_unit(name->text, name->unit, &begin))
        append_name_word(name, name->unit);
}

static void override_family_name(const prfdata_override *override,
                                 const prfdata_metric_family_item *item, prfdata_metric_name *name)
{
    size_t begin;

    if (override->metric[0] != 0)
        override_metric(override, item, name);
    if (override->unit[0] != 0 && !part_has_own_unit(item->part))
        override_unit(override, name);
    if (!ends_with_unit(name->text, name->unit, &begin))
        name->unit = "";
}

prfdata_metric_origin prfdata_metric_family_name_make(const prfdata_titles *titles,
                                                      const prfdata_metric_family_item *item,
                                                      const prfdata_override *override,
                                                      prfdata_metric_name *name,
                                                      uint32_t *titles_tag)
{
    prfdata_metric_titles wanted;
    prfdata_metric_origin origin;

    begin_metric_titles(titles, item, &wanted);
    origin = name_family_of_map(&wanted, item, name);
    *titles_tag = tag_of_titles(&wanted, item->has_instances);
    if (!override || (override->metric[0] == 0 && override->unit[0] == 0))
        return origin;
    override_family_name(override, item, name);
    return PRFDATA_METRIC_OF_USER;
}

void prfdata_metric_family_name_mark(prfdata_metric_name *name, uint32_t titles_tag)
{
    char word[16];
    size_t begin;

    if (name->unit[0] != 0 && ends_with_unit(name->text, name->unit, &begin))
        name->text[begin] = 0;
    snprintf(word, sizeof word, "x%08lx", (unsigned long)titles_tag);
    append_name_word(name, word);
    append_name_word(name, name->unit);
}
