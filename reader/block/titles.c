/* SPDX-License-Identifier: MIT */
/*
 * Chooses the table of names in which a text is looked up. Sources fill the tables; paths are made
 * of what is found here.
 */
#include "block/titles.h"

#include <stdio.h>

#include "core/model.h"

void prfdata_titles_free(prfdata_titles *titles)
{
    prfdata_name_table_free(&titles->english);
    prfdata_name_table_free(&titles->local);
    prfdata_name_table_free(&titles->helps);
    prfdata_metric_table_free(&titles->metrics);
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

/* The names of a way; NULL: an index needs none. */
static const prfdata_name_table *name_table_of(const prfdata_titles *titles, prfdata_titles_way way)
{
    if (way == PRFDATA_BY_INDEX)
        return NULL;
    return way == PRFDATA_BY_LOCAL ? &titles->local : &titles->english;
}

prfdata_titles_way prfdata_titles_way_of(const prfdata_titles *titles, prfdata_text text)
{
    for (unsigned way = 0; way < PRFDATA_BY_INDEX; way++) {
        size_t position = 0;
        uint32_t index;

        if (prfdata_titles_find(titles, (prfdata_titles_way)way, text, &position, &index))
            return (prfdata_titles_way)way;
    }
    return PRFDATA_BY_INDEX;
}

bool prfdata_titles_find(const prfdata_titles *titles, prfdata_titles_way way, prfdata_text text,
                         size_t *position, uint32_t *index)
{
    const prfdata_name_table *table = name_table_of(titles, way);

    if (table)
        return prfdata_name_table_find(table, text, position, index);
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
    return name.count > 0 && prfdata_text_matches(pattern, name);
}

bool prfdata_titles_is_unused(const prfdata_titles *titles, uint32_t index)
{
    return prfdata_text_equal_ascii(prfdata_name_table_name(&titles->english, index),
                                    PRFDATA_TITLE_UNUSED);
}

prfdata_text prfdata_titles_name(const prfdata_titles *titles, prfdata_titles_way way,
                                 uint32_t index)
{
    prfdata_text local = prfdata_name_table_name(&titles->local, index);
    prfdata_text english = prfdata_name_table_name(&titles->english, index);

    if (english.count == 0 || (way == PRFDATA_BY_LOCAL && local.count > 0))
        return local;
    return english;
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

prfdata_text prfdata_titles_name_or_index(const prfdata_titles *titles, uint32_t index,
                                          uint16_t digits[12])
{
    return prfdata_titles_name_in_way_or_index(titles, PRFDATA_BY_ENGLISH, index, digits);
}
