/* SPDX-License-Identifier: MIT */
/* Reads the lines of a map file: sections, and their contents. */
#include "mapfile/map_builder.h"

#include "map/map_options.h"

static void read_pair_line(prfdata_map_builder *builder, const prfdata_map_line *line)
{
    const prfdata_map_option *option = prfdata_map_file_options_find(line->key);
    char shown[PRFDATA_MAP_SHOWN_BYTES + 8];

    if (builder->section == 0)
        return; /* the mistake in the section's own line was reported already */
    if (prfdata_map_file_keys_read(builder, line))
        return;
    if (option && builder->target && builder->target->kind == option->kind)
        prfdata_map_file_options_add(builder, line, option);
    else
        prfdata_map_builder_report(builder, line->number,
                                   "The key %s does not belong in this section.",
                                   prfdata_map_builder_quote(line->key, shown));
}

void prfdata_map_file_sections_end(prfdata_map_builder *builder)
{
    prfdata_map_file_keys_end(builder);
    if (builder->section == PRFDATA_SECTION_OBJECT && builder->target->max_name_chars != 0 &&
        builder->target->max_instances == PERF_NO_INSTANCES)
        prfdata_map_builder_report(builder, builder->section_line,
                                   "This object has name_chars=, but no instances=.");
}

static unsigned section_of(prfdata_map_text word)
{
    if (prfdata_map_lines_is(word, "info"))
        return PRFDATA_SECTION_INFO;
    if (prfdata_map_lines_is(word, "object"))
        return PRFDATA_SECTION_OBJECT;
    return prfdata_map_lines_is(word, "counter") ? PRFDATA_SECTION_COUNTER : 0;
}

/* If `section` is 0, the keys that follow are ignored. */
static void begin_section_of_kind(prfdata_map_builder *builder, unsigned section)
{
    prfdata_map_file_sections_end(builder);
    builder->section = section;
    builder->section_line = builder->line;
    builder->target = NULL;
    builder->seen = 0;
}

static void begin_section(prfdata_map_builder *builder, const prfdata_map_line *line)
{
    char shown[PRFDATA_MAP_SHOWN_BYTES + 8];

    begin_section_of_kind(builder, section_of(line->key));
    switch (builder->section) {
    case PRFDATA_SECTION_INFO:
        if (builder->has_info)
            prfdata_map_builder_report(builder, line->number, "[info] occurs twice.");
        builder->has_info = true;
        return;
    case PRFDATA_SECTION_OBJECT:
        prfdata_map_builder_add_object(builder,
                                       prfdata_map_builder_keep_ascii(builder, line->value));
        return;
    case PRFDATA_SECTION_COUNTER:
        prfdata_map_builder_add_counter(builder,
                                        prfdata_map_builder_keep_ascii(builder, line->value));
        return;
    default:
        prfdata_map_builder_report(builder, line->number,
                                   "There is no section %s; there are [info], [object SYMBOL] and "
                                   "[counter SYMBOL].",
                                   prfdata_map_builder_quote(line->key, shown));
    }
}

static void refuse_section(prfdata_map_builder *builder)
{
    begin_section_of_kind(builder, 0);
    builder->has_info = true; /* this section may be [info], so do not report [info] as missing */
    prfdata_map_builder_report(
        builder, builder->line,
        "A section such as [info] ends with ], and nothing may follow it on its line.");
}

void prfdata_map_file_sections_line(prfdata_map_builder *builder, const prfdata_map_line *line)
{
    builder->line = line->number;
    if (line->kind == PRFDATA_MAP_LINE_NEITHER)
        prfdata_map_builder_report(
            builder, line->number,
            "This is neither a section nor key=value nor a comment (; or # in front).");
    else if (line->kind == PRFDATA_MAP_LINE_SECTION)
        begin_section(builder, line);
    else if (line->kind == PRFDATA_MAP_LINE_WRONG_SECTION)
        refuse_section(builder);
    else if (line->kind == PRFDATA_MAP_LINE_PAIR && builder->section_line == 0)
        prfdata_map_builder_report(builder, line->number,
                                   "A section such as [info] has to come first.");
    else if (line->kind == PRFDATA_MAP_LINE_PAIR)
        read_pair_line(builder, line);
}
