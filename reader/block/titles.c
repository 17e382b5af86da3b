/* SPDX-License-Identifier: MIT */
/* Chooses the table of names in which to look up a text. The sources fill the tables. */
#include "block/titles.h"

#include <stdio.h>

#include "map/model.h"

void prfdata_titles_free(prfdata_titles *titles)
{
    prfdata_name_table_free(&titles->english);
    prfdata_name_table_free(&titles->local);
    prfdata_name_table_free(&titles->former);
    prfdata_name_table_free(&titles->helps);
    prfdata_metric_table_free(&titles->metrics);
    prfdata_title_ids_free(&titles->ids);
}

bool prfdata_titles_equal_names(const prfdata_titles *a, const prfdata_titles *b)
{
    return prfdata_name_table_equal(&a->english, &b->english) &&
           prfdata_name_table_equal(&a->local, &b->local);
}

bool prfdata_titles_equal_helps(const prfdata_titles *a, const prfdata_titles *b)
{
    return prfdata_name_table_equal(&a->helps, &b->helps) &&
           prfdata_metric_table_equal(&a->metrics, &b->metrics);
}

/* ---- Ways of naming ---- */

typedef enum titles_language { BY_NUMBER, IN_ENGLISH, IN_LOCAL } titles_language;

static const struct {
    titles_language language;
    prfdata_text_fit fit;
    prfdata_titles_way other; /* this way of naming, in the other language */
} titles_ways[PRFDATA_WAY_COUNT] = {
    [PRFDATA_BY_ENGLISH_LITERALLY] = {IN_ENGLISH, PRFDATA_TEXT_LITERALLY,
                                      PRFDATA_BY_LOCAL_LITERALLY},
    [PRFDATA_BY_ENGLISH] = {IN_ENGLISH, PRFDATA_TEXT_AS_PATTERN, PRFDATA_BY_LOCAL},
    [PRFDATA_BY_LOCAL_LITERALLY] = {IN_LOCAL, PRFDATA_TEXT_LITERALLY, PRFDATA_BY_ENGLISH_LITERALLY},
    [PRFDATA_BY_LOCAL] = {IN_LOCAL, PRFDATA_TEXT_AS_PATTERN, PRFDATA_BY_ENGLISH},
    [PRFDATA_BY_INDEX] = {BY_NUMBER, PRFDATA_TEXT_AS_PATTERN, PRFDATA_BY_INDEX},
    [PRFDATA_BY_ENGLISH_TRIMMED] = {IN_ENGLISH, PRFDATA_TEXT_TRIMMED, PRFDATA_BY_LOCAL_TRIMMED},
    [PRFDATA_BY_LOCAL_TRIMMED] = {IN_LOCAL, PRFDATA_TEXT_TRIMMED, PRFDATA_BY_ENGLISH_TRIMMED},
};

bool prfdata_titles_way_is_local(prfdata_titles_way way)
{
    return titles_ways[way].language == IN_LOCAL;
}

bool prfdata_titles_is_exact(prfdata_titles_way way, prfdata_text text)
{
    return titles_ways[way].fit != PRFDATA_TEXT_AS_PATTERN || !prfdata_text_has_wildcard(text);
}

prfdata_titles_way prfdata_titles_way_at(unsigned position, bool local_first)
{
    return local_first ? titles_ways[position].other : (prfdata_titles_way)position;
}

/* Return the table of the names that a way uses. NULL: the way takes the text as a title index, and
 * needs no names. */
static const prfdata_name_table *name_table_of(const prfdata_titles *titles, prfdata_titles_way way)
{
    if (titles_ways[way].language == BY_NUMBER)
        return NULL;
    return prfdata_titles_way_is_local(way) ? &titles->local : &titles->english;
}

prfdata_titles_way prfdata_titles_way_of(const prfdata_titles *titles, prfdata_text text)
{
    for (unsigned way = 0; way < PRFDATA_WAY_COUNT; way++) {
        size_t position = 0;
        uint32_t index;

        if (titles_ways[way].fit == PRFDATA_TEXT_LITERALLY && !prfdata_text_has_wildcard(text))
            continue; /* without a *, the next way finds the same titles */
        if (prfdata_titles_find(titles, (prfdata_titles_way)way, text, &position, &index))
            return (prfdata_titles_way)way;
    }
    return PRFDATA_BY_INDEX;
}

/* ---- Names ---- */

void prfdata_titles_index_names(prfdata_titles *titles)
{
    prfdata_name_table_index_names(&titles->english);
    prfdata_name_table_index_names(&titles->local);
}

bool prfdata_titles_find(const prfdata_titles *titles, prfdata_titles_way way, prfdata_text text,
                         size_t *position, uint32_t *index)
{
    const prfdata_name_table *table = name_table_of(titles, way);

    if (table)
        return prfdata_name_table_find(table, text, titles_ways[way].fit, position, index);
    if (*position > 0 || !prfdata_text_number(text, index))
        return false;
    ++*position;
    return true;
}

bool prfdata_titles_match(const prfdata_titles *titles, prfdata_titles_way way,
                          prfdata_text pattern, uint32_t index)
{
    const prfdata_name_table *table = name_table_of(titles, way);
    uint32_t number = 0;
    prfdata_text name;

    if (!table)
        return prfdata_text_number(pattern, &number) && number == index;
    name = prfdata_name_table_name(table, index);
    return name.count > 0 && prfdata_text_fits(pattern, name, titles_ways[way].fit);
}

bool prfdata_titles_is_unused(const prfdata_titles *titles, uint32_t index)
{
    return prfdata_text_equal_ascii(prfdata_name_table_name(&titles->english, index),
                                    PRFDATA_TITLE_UNUSED);
}

static void keep_former_names(prfdata_titles *titles, const prfdata_name_table *names)
{
    for (size_t i = 0; i < names->count; i++) {
        const prfdata_name_table_entry *entry = &names->items[i];

        if (prfdata_name_table_name(&titles->english, entry->index).count == 0 &&
            prfdata_name_table_name(&titles->local, entry->index).count == 0)
            (void)prfdata_name_table_append(&titles->former, entry->index, entry->name);
    }
}

void prfdata_titles_keep_former(prfdata_titles *titles, const prfdata_titles *before)
{
    /* English names first, because the first name of an index stays. */
    keep_former_names(titles, &before->english);
    keep_former_names(titles, &before->local);
    keep_former_names(titles, &before->former);
    if (prfdata_name_table_settle(&titles->former) != ERROR_SUCCESS)
        prfdata_name_table_free(&titles->former);
}

static prfdata_text name_of_title(const prfdata_titles *titles, prfdata_titles_way way,
                                  uint32_t index)
{
    prfdata_text local = prfdata_name_table_name(&titles->local, index);
    prfdata_text english = prfdata_name_table_name(&titles->english, index);

    if (english.count == 0 || (prfdata_titles_way_is_local(way) && local.count > 0))
        english = local;
    return english.count > 0 ? english : prfdata_name_table_name(&titles->former, index);
}

prfdata_text prfdata_titles_name(const prfdata_titles *titles, prfdata_titles_way way,
                                 uint32_t index)
{
    const prfdata_text name = name_of_title(titles, way, index);

    return prfdata_text_is_star(name) ? (prfdata_text){NULL, 0} : name;
}

prfdata_text prfdata_titles_name_in_way_or_index(const prfdata_titles *titles,
                                                 prfdata_titles_way way, uint32_t index,
                                                 uint16_t digits[12])
{
    prfdata_text name = prfdata_titles_name(titles, way, index);
    char ascii[12];

    if (name.count > 0)
        return name;
    name.count = (size_t)snprintf(ascii, sizeof ascii, "%u", (unsigned)index);
    for (size_t i = 0; i < name.count; i++)
        digits[i] = (unsigned char)ascii[i];
    name.chars = digits;
    return name;
}

void prfdata_titles_put_name_in_way(prfdata_output *output, const prfdata_titles *titles,
                                    prfdata_titles_way way, uint32_t index)
{
    uint16_t digits[12];

    prfdata_output_put_text(output,
                            prfdata_titles_name_in_way_or_index(titles, way, index, digits));
}

prfdata_text prfdata_titles_name_or_index(const prfdata_titles *titles, uint32_t index,
                                          uint16_t digits[12])
{
    return prfdata_titles_name_in_way_or_index(titles, PRFDATA_BY_ENGLISH, index, digits);
}
