/* SPDX-License-Identifier: MIT */
/* Compares the keys of lines, and cuts their paths. */
#include "view/line_names.h"

#include <string.h>

static bool has_label_at(prfdata_text path, size_t at, prfdata_text label)
{
    const size_t end = at + 1 + label.count;

    return end + 1 < path.count && path.chars[at] == '(' && path.chars[end] == ')' &&
           path.chars[end + 1] == '\\' &&
           prfdata_text_equal(prfdata_text_part(path, at + 1, end), label);
}

/* Searches for the label, because an object's name may also contain parentheses. */
bool prfdata_line_names_split(const prfdata_chart_series *series, prfdata_line_names_parts *parts)
{
    const prfdata_text path = series->path;
    const prfdata_text label = series->key.label;

    for (size_t at = 1; at < path.count; at++) {
        const bool has_label = has_label_at(path, at, label);
        const size_t end = has_label ? at + 2 + label.count : at; /* backslash before the counter */

        if (!has_label && (label.count > 0 || path.chars[at] != '\\'))
            continue;
        parts->object = prfdata_text_part(path, 1, at);
        parts->label = label;
        parts->counter = prfdata_text_part(path, end + 1, path.count);
        return true;
    }
    return false;
}

prfdata_line_names prfdata_line_names_find(const prfdata_chart *chart)
{
    prfdata_line_names common = {true, true, true};
    prfdata_line_names_parts parts;

    for (uint32_t i = 0; i < chart->series_count; i++) {
        const prfdata_chart_key *first = &chart->series[0]->key;
        const prfdata_chart_key *key = &chart->series[i]->key;

        common.has_object = common.has_object && key->object_title == first->object_title &&
                            prfdata_line_names_split(chart->series[i], &parts);
        common.has_label = common.has_label && prfdata_text_equal(key->label, first->label);
        common.has_counter = common.has_counter && key->counter_title == first->counter_title;
    }
    if (chart->series_count < 2 || !common.has_object)
        return (prfdata_line_names){false, false, false};
    return common;
}

typedef struct name_buffer {
    uint16_t *chars;
    size_t count;
    size_t capacity;
} name_buffer;

static void append_text(name_buffer *buffer, prfdata_text text)
{
    const size_t room = buffer->capacity - buffer->count;
    const size_t count = text.count < room ? text.count : room;

    if (count > 0)
        memcpy(buffer->chars + buffer->count, text.chars, count * sizeof *text.chars);
    buffer->count += count;
}

static void append_char(name_buffer *buffer, uint16_t c)
{
    append_text(buffer, (prfdata_text){&c, 1});
}

size_t prfdata_line_names_put(const prfdata_chart *chart, const prfdata_line_names *common,
                              uint32_t position, uint16_t *chars, size_t capacity)
{
    name_buffer buffer = {chars, 0, capacity};
    prfdata_line_names_parts parts;

    if (!common->has_object || !prfdata_line_names_split(chart->series[position], &parts)) {
        append_text(&buffer, chart->series[position]->path);
    } else if (common->has_label) {
        append_text(&buffer, parts.counter);
    } else if (common->has_counter) {
        append_text(&buffer, parts.label);
    } else {
        append_char(&buffer, '(');
        append_text(&buffer, parts.label);
        append_char(&buffer, ')');
        append_char(&buffer, '\\');
        append_text(&buffer, parts.counter);
    }
    return buffer.count;
}

size_t prfdata_line_names_put_pattern(const prfdata_chart *chart, const prfdata_line_names *common,
                                      uint16_t *chars, size_t capacity)
{
    static const uint16_t any = '*';
    const prfdata_text all = {&any, 1};
    name_buffer buffer = {chars, 0, capacity};
    prfdata_line_names_parts parts;

    if (!common->has_object || !prfdata_line_names_split(chart->series[0], &parts))
        return 0;
    append_char(&buffer, '\\');
    append_text(&buffer, parts.object);
    if (!common->has_label || parts.label.count > 0) {
        append_char(&buffer, '(');
        append_text(&buffer, common->has_label ? parts.label : all);
        append_char(&buffer, ')');
    }
    append_char(&buffer, '\\');
    append_text(&buffer, common->has_counter ? parts.counter : all);
    return buffer.count;
}
