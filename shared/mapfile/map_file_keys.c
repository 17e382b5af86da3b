/* SPDX-License-Identifier: MIT */
/* Reads the keys of the sections of a map file, except options. */
#include "mapfile/map_builder.h"

#include "map/counter_types.h"

#define DEFAULT_NAME_CHARS 64

/*
 * Each function in the table `keys` stores the value of one key. It returns NULL, or, if the value
 * is invalid, a description of the valid values.
 */

static const char *set_service(prfdata_map_builder *builder, prfdata_map_text value)
{
    builder->map->service = prfdata_map_builder_keep_ascii(builder, value);
    return NULL;
}

static const char *set_id(prfdata_map_builder *builder, prfdata_map_text value)
{
    int64_t number;

    if (!prfdata_map_lines_number(value, 0, UINT32_MAX, &number))
        return "a number from 0 to 4294967295";
    builder->target->id = (uint32_t)number;
    return NULL;
}

static const char *set_name(prfdata_map_builder *builder, prfdata_map_text value)
{
    builder->target->name = prfdata_map_builder_keep_wide(builder, value);
    return builder->target->name ? NULL : "text in UTF-8; save the file in that encoding";
}

static const char *set_help(prfdata_map_builder *builder, prfdata_map_text value)
{
    builder->target->help = prfdata_map_builder_keep_wide(builder, value);
    return builder->target->help ? NULL : "text in UTF-8; save the file in that encoding";
}

static const char *set_detail(prfdata_map_builder *builder, prfdata_map_text value)
{
    static const char *const words[] = {"novice", "advanced", "expert", "wizard"};

    for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (prfdata_map_lines_is(value, words[i])) {
            builder->target->detail_level = PERF_DETAIL_NOVICE * (i + 1);
            return NULL;
        }
    return "novice, advanced, expert or wizard";
}

static const char *set_default(prfdata_map_builder *builder, prfdata_map_text value)
{
    prfdata_map_builder_refer(builder, builder->target, value);
    return NULL;
}

static const char *set_instances(prfdata_map_builder *builder, prfdata_map_text value)
{
    int64_t number;

    if (!prfdata_map_lines_number(value, 1, PRFDATA_MAX_INSTANCES, &number))
        return "a number from 1 to 65535; leave the key out for an object without instances";
    builder->target->max_instances = (int32_t)number;
    if (builder->target->max_name_chars == 0)
        builder->target->max_name_chars = DEFAULT_NAME_CHARS;
    return NULL;
}

static const char *set_name_chars(prfdata_map_builder *builder, prfdata_map_text value)
{
    int64_t number;

    if (!prfdata_map_lines_number(value, 1, PRFDATA_MAX_INSTANCE_NAME_CHARS, &number))
        return "a number from 1 to 255";
    builder->target->max_name_chars = (uint32_t)number;
    return NULL;
}

static const char *set_scale(prfdata_map_builder *builder, prfdata_map_text value)
{
    int64_t number;

    if (!prfdata_map_lines_number(value, -7, 7, &number))
        return "a power of ten, from -7 to 7";
    builder->target->default_scale = (int32_t)number;
    return NULL;
}

static const char *set_type(prfdata_map_builder *builder, prfdata_map_text value)
{
    static const char prefix[] = "PERF_";
    prfdata_map_text name = value;

    if (name.size > sizeof prefix - 1) {
        name.size = sizeof prefix - 1;
        if (prfdata_map_lines_is(name, prefix)) {
            name.at += sizeof prefix - 1;
            name.size = value.size - (sizeof prefix - 1);
        } else {
            name.size = value.size;
        }
    }
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++)
        if (prfdata_map_lines_is(name, prfdata_counter_types_at(i)->name)) {
            builder->target->type = prfdata_counter_types_at(i)->type;
            return NULL;
        }
    return "the name of one of Windows' counter types, such as PERF_COUNTER_BULK_COUNT";
}

typedef struct map_key {
    const char *word;
    unsigned sections; /* the sections in which the key is valid */
    bool is_required;
    const char *(*set)(prfdata_map_builder *builder, prfdata_map_text value);
} map_key;

static const map_key keys[] = {
    {"drivername", PRFDATA_SECTION_INFO, true, set_service},
    {"id", PRFDATA_SECTION_OBJECT | PRFDATA_SECTION_COUNTER, true, set_id},
    {"name", PRFDATA_SECTION_OBJECT | PRFDATA_SECTION_COUNTER, true, set_name},
    {"help", PRFDATA_SECTION_OBJECT | PRFDATA_SECTION_COUNTER, true, set_help},
    {"detail", PRFDATA_SECTION_OBJECT | PRFDATA_SECTION_COUNTER, false, set_detail},
    {"default", PRFDATA_SECTION_OBJECT, false, set_default},
    {"instances", PRFDATA_SECTION_OBJECT, false, set_instances},
    {"name_chars", PRFDATA_SECTION_OBJECT, false, set_name_chars},
    {"type", PRFDATA_SECTION_COUNTER, true, set_type},
    {"scale", PRFDATA_SECTION_COUNTER, false, set_scale},
};

enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static void set_key(prfdata_map_builder *builder, const prfdata_map_line *line, uint32_t index)
{
    char shown[PRFDATA_MAP_SHOWN_BYTES + 8];
    const char *expected;

    if (builder->seen & 1u << index) {
        prfdata_map_builder_report(builder, line->number, "%s= occurs twice in this section.",
                                   keys[index].word);
        return;
    }
    builder->seen |= 1u << index;
    expected = keys[index].set(builder, line->value);
    if (expected)
        prfdata_map_builder_report(builder, line->number, "%s=%s is invalid; it must be %s.",
                                   keys[index].word, prfdata_map_builder_quote(line->value, shown),
                                   expected);
}

bool prfdata_map_file_keys_read(prfdata_map_builder *builder, const prfdata_map_line *line)
{
    for (uint32_t i = 0; i < KEY_COUNT; i++)
        if ((keys[i].sections & builder->section) &&
            prfdata_map_lines_is(line->key, keys[i].word)) {
            set_key(builder, line, i);
            return true;
        }
    return false;
}

void prfdata_map_file_keys_end(prfdata_map_builder *builder)
{
    for (uint32_t i = 0; i < KEY_COUNT; i++)
        if (keys[i].is_required && (keys[i].sections & builder->section) &&
            !(builder->seen & 1u << i))
            prfdata_map_builder_report(builder, builder->section_line, "This section lacks %s=.",
                                       keys[i].word);
}
