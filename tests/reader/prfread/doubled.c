/* SPDX-License-Identifier: MIT */
/*
 * Reads files with those modules that prfread cannot be made to run on Linux, or not without a
 * terminal: tests/scripts/doubling.py counts the instructions.
 *
 *     doubled workspace FILE     gets all lines of a workspace's chart
 *     doubled top A B            puts a screen of -top, of all objects of two saved samples
 *     doubled moved A B          finds the columns of A again in B, which has other title indexes
 *     doubled check A B          checks two replies, and the change from one to the other
 *     doubled rules FILE         writes the rules for Prometheus that belong to a map file
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/map_file.h>

#include "block/recording.h"
#include "emit/emit.h"
#include "paths/columns.h"
#include "support/must.h"
#include "top/top_frame.h"
#include "top/top_view.h"
#include "validate/validate.h"
#include "viewer/workspace.h"

#define MOST_BYTES (64u << 20)

/* A saved sample with its titles. */
typedef struct saved {
    void *bytes;
    prfdata_recording recording;
    prfdata_sample *sample;
} saved;

static void *read_bytes(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    char *bytes = malloc(MOST_BYTES);

    MUST(file && bytes);
    *size = fread(bytes, 1, MOST_BYTES, file);
    MUST(fclose(file) == 0);
    return bytes;
}

static void open_saved(const char *name, saved *made)
{
    prfdata_decode_error error;
    size_t size;
    void *copy;

    memset(made, 0, sizeof *made);
    made->bytes = read_bytes(name, &size);
    MUST(prfdata_recording_read(made->bytes, size, &made->recording, &error) == 0);
    size = made->recording.blocks[0].size;
    copy = calloc(1, size);
    MUST(copy);
    memcpy(copy, (char *)made->bytes + made->recording.blocks[0].offset, size);
    MUST(prfdata_sample_make(copy, size, &made->sample) == 0);
    prfdata_titles_index_names(&made->recording.titles);
}

static void close_saved(saved *made)
{
    prfdata_sample_free(made->sample);
    prfdata_recording_free(&made->recording);
    free(made->bytes);
}

/* ---- Kinds ---- */

static void get_workspace_lines(const char *const *names)
{
    prfdata_workspace workspace = {0};
    prfdata_text value;
    size_t lines = 0;
    size_t size;
    void *bytes = read_bytes(names[0], &size);

    MUST(prfdata_workspace_read(&workspace, bytes, size) == 0);
    while (prfdata_workspace_get(&workspace, "line", lines, &value))
        lines++;
    printf("%u lines\n", (unsigned)lines);
    prfdata_workspace_free(&workspace);
    free(bytes);
}

static void put_screens(const char *const *names)
{
    const prfdata_resolver_path all = {.path = {.counter = prfdata_path_star},
                                       .wants_all_objects = true,
                                       .wants_whole_object = true};
    prfdata_output output = {0};
    prfdata_top_view view;
    saved older, newer;

    open_saved(names[0], &older);
    open_saved(names[1], &newer);
    prfdata_top_view_init(&view, &older.recording.titles, false);
    for (int i = 0; i < 2; i++) {
        prfdata_output_clear(&output);
        prfdata_top_view_begin(&view, i > 0 ? older.sample : NULL,
                               i > 0 ? newer.sample : older.sample);
        prfdata_top_view_add(&view, &all);
        MUST(prfdata_top_view_end(&view) == 0);
        prfdata_top_frame_put(&view, 100, 40, true, &output);
    }
    MUST(prfdata_top_view_key(&view, 't') == 0); /* the table of the first object */
    prfdata_top_frame_put(&view, 100, 40, true, &output);
    printf("%u bytes\n", (unsigned)output.used);
    prfdata_output_free(&output);
    prfdata_top_view_free(&view);
    close_saved(&older);
    close_saved(&newer);
}

static void find_columns_again(const char *const *names)
{
    const prfdata_resolver_path all = {
        .path = {.instance = prfdata_path_star, .has_instance = true, .counter = prfdata_path_star},
        .wants_all_objects = true};
    prfdata_resolver_result result;
    prfdata_titles titles;
    prfdata_columns columns;
    saved older, newer;
    size_t known = 0;

    open_saved(names[0], &older);
    open_saved(names[1], &newer);
    titles = older.recording.titles;
    prfdata_columns_init(&columns, &titles, prfdata_path_star);
    MUST(prfdata_columns_add(&columns, &all, older.sample, &result) == 0);
    MUST(prfdata_columns_compute(&columns, NULL, older.sample, true) == 0);
    titles = newer.recording.titles;
    titles.version = 1;
    MUST(prfdata_columns_add(&columns, &all, newer.sample, &result) == 0);
    MUST(prfdata_columns_compute(&columns, older.sample, newer.sample, true) == 0);
    for (size_t i = 0; i < columns.count; i++)
        known += !columns.items[i].is_lost;
    printf("%u of %u columns\n", (unsigned)known, (unsigned)columns.count);
    prfdata_columns_free(&columns);
    close_saved(&older);
    close_saved(&newer);
}

/* Return what Collect wrote: everything after the head of the block. */
static prfdata_validate_reply reply_of(const saved *from)
{
    const prfdata_recording_block *block = &from->recording.blocks[0];
    const uint32_t head = from->sample->block.header.header_length;

    return (prfdata_validate_reply){(unsigned char *)from->bytes + block->offset + head,
                                    block->size - head,
                                    from->sample->block.header.num_object_types};
}

static void check_replies(const char *const *names)
{
    const prfdata_validate_titles titles = {0};
    prfdata_findings *findings = calloc(1, sizeof *findings);
    prfdata_validate_reply before, after;
    saved older, newer;

    MUST(findings);
    prfdata_findings_init(findings);
    open_saved(names[0], &older);
    open_saved(names[1], &newer);
    before = reply_of(&older);
    after = reply_of(&newer);
    MUST(prfdata_validate_structure(&before, &titles, false, findings) == 0);
    MUST(prfdata_validate_structure(&after, &titles, false, findings) == 0);
    MUST(prfdata_validate_change(&before, &after, NULL, findings) == 0);
    printf("%u findings\n", (unsigned)prfdata_findings_total(findings));
    free(findings);
    close_saved(&older);
    close_saved(&newer);
}

static void write_rules(const char *const *names)
{
    prfdata_quoted_text text;
    const prfdata_map *map;
    size_t size;
    void *bytes = read_bytes(names[0], &size);
    prfdata_map *read;

    MUST(prfdata_map_file_parse(bytes, size, NULL, NULL, &read) == 0);
    map = read;
    MUST(prfdata_emit(prfdata_emit_prometheus, &map, 1, "doubled", &text) == 0);
    printf("%u bytes\n", (unsigned)text.used);
    prfdata_quoted_text_free(&text);
    prfdata_map_file_free(read);
    free(bytes);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)(const char *const *names);
        int names;
    } kinds[] = {{"workspace", get_workspace_lines, 1},
                 {"top", put_screens, 2},
                 {"moved", find_columns_again, 2},
                 {"check", check_replies, 2},
                 {"rules", write_rules, 1}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (count == 2 + kinds[i].names && strcmp(arguments[1], kinds[i].name) == 0) {
            kinds[i].run((const char *const *)arguments + 2);
            return 0;
        }
    }
    fprintf(stderr, "usage: doubled KIND FILE...\n");
    return 2;
}
