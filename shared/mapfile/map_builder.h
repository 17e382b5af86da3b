/* SPDX-License-Identifier: MIT */
/*
 * Collects a map from a map file, line by line. map_file.c shares the builder with
 * map_file_sections.c, map_file_keys.c and map_file_options.c, which read the lines.
 */
#ifndef PRFDATA_MAP_BUILDER_H
#define PRFDATA_MAP_BUILDER_H

#include <prfdata/map_file.h>

#include "base/compiler.h"
#include "mapfile/map_lines.h"

/* The kinds of sections are bits, so that a key can be valid in several kinds of sections. */
enum { PRFDATA_SECTION_INFO = 1, PRFDATA_SECTION_OBJECT = 2, PRFDATA_SECTION_COUNTER = 4 };

enum { PRFDATA_MAP_MISTAKE_BYTES = 512, PRFDATA_MAP_SHOWN_BYTES = 60 };

/* The builder's notes about an entry, kept until the map is complete. */
typedef struct prfdata_map_note {
    uint32_t line;
    uint32_t reference_line;    /* line of the reference below; 0: there is none */
    prfdata_map_text reference; /* the symbol of the default counter or the parent */
} prfdata_map_note;

typedef struct prfdata_map_builder {
    prfdata_map *map;
    prfdata_map_entry *entries; /* the entries of `map` */
    prfdata_map_note *notes;    /* one per entry */
    uint32_t count;
    wchar_t *wide; /* the place of the next name or help */
    char *ascii;   /* the place of the next symbol */

    unsigned section; /* PRFDATA_SECTION_...; 0: before the first section, or in an unknown one */
    uint32_t section_line;
    prfdata_map_entry *target; /* the object or counter of the section; NULL in other sections */
    unsigned seen;             /* one bit for each key that was read in the section */
    bool has_info;

    uint32_t line;
    uint32_t mistake_count;
    prfdata_map_file_mistake *report;
    void *context;
} prfdata_map_builder;

/* Report a mistake in a line; line 0: in the file as a whole. */
void prfdata_map_builder_report(prfdata_map_builder *builder, uint32_t line, const char *format,
                                ...) PRFDATA_PRINTF(3, 4);

/*
 * Write a text of the file for a message: in quotes, cut if long, with `?` in place of control
 * characters and of bytes that are not UTF-8.
 * shown  Memory for PRFDATA_MAP_SHOWN_BYTES + 8 bytes; returned.
 */
const char *prfdata_map_builder_quote(prfdata_map_text text, char *shown);

const char *prfdata_map_builder_keep_ascii(prfdata_map_builder *builder, prfdata_map_text text);

/* Store a text of the file as wide text. Returns NULL if `text` is not valid UTF-8. */
const wchar_t *prfdata_map_builder_keep_wide(prfdata_map_builder *builder, prfdata_map_text text);

/* Add an entry. There is room for one entry per line of the file, and a line adds at most one. */
prfdata_map_entry *prfdata_map_builder_add(prfdata_map_builder *builder, uint32_t kind,
                                           const char *symbol);

void prfdata_map_builder_add_object(prfdata_map_builder *builder, const char *symbol);
void prfdata_map_builder_add_counter(prfdata_map_builder *builder, const char *symbol);

/*
 * Record that an entry refers to another entry by its symbol. The file may define that entry later.
 */
void prfdata_map_builder_refer(prfdata_map_builder *builder, const prfdata_map_entry *entry,
                               prfdata_map_text symbol);

/* Read a key of the current section. Returns false if the section has no such key. */
bool prfdata_map_file_keys_read(prfdata_map_builder *builder, const prfdata_map_line *line);

/* Report the required keys that the current section lacks. */
void prfdata_map_file_keys_end(prfdata_map_builder *builder);

struct prfdata_map_option;

/* Find the option that the word names. Returns NULL if there is none. */
const struct prfdata_map_option *prfdata_map_file_options_find(prfdata_map_text word);

/* Read an option of the current section's object or counter. */
void prfdata_map_file_options_add(prfdata_map_builder *builder, const prfdata_map_line *line,
                                  const struct prfdata_map_option *option);

/* Read a line of any kind. */
void prfdata_map_file_sections_line(prfdata_map_builder *builder, const prfdata_map_line *line);

/* End the current section, and report what it lacks. */
void prfdata_map_file_sections_end(prfdata_map_builder *builder);

#endif
