/* SPDX-License-Identifier: MIT */
/*
 * Runs modules with files as input. On Linux, prfread uses some of these modules only on a
 * terminal, and does not use the others. tests/scripts/doubling.py counts the instructions.
 *
 *     doubled workspace FILE     gets all lines of a workspace's chart
 *     doubled top A B            draws screens of -top with all objects of two saved samples
 *     doubled moved A B          finds the columns of A again in B, which has other title indexes
 *     doubled check A B          checks two replies, and the change from one to the other
 *     doubled rules FILE         writes the rules for Prometheus that belong to a map file
 *     doubled convert INI        makes a map file from an .ini file for lodctr, and checks the map
 *     doubled languages FILE N   writes and reads the titles of a map file in N languages
 *     doubled services FILE N    loads the titles, metrics and ids of N services with this map file
 *     doubled providers A N      joins N copies of A as the answers of N providers, and schedules
 *                                questions for N objects
 *     doubled regions FILE N     collects three times from N programs, which another process runs
 *                                (doubled publish FILE N)
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/map_file.h>
#include <prfdata/prfdata.h>

#include "block/data_block.h"
#include "block/recording.h"
#include "collect/provider.h"
#include "convert/convert.h"
#include "emit/emit.h"
#include "paths/columns.h"
#include "source/workers.h"
#include "support/must.h"
#include "support/process.h"
#include "support/service.h"
#include "titles/title_text.h"
#include "top/top_frame.h"
#include "top/top_view.h"
#include "validate/validate.h"
#include "viewer/workspace.h"

#define MOST_BYTES (64u << 20)

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

static prfdata_map *read_map(const char *name)
{
    prfdata_map *map;
    size_t size;
    void *bytes = read_bytes(name, &size);

    MUST(prfdata_map_file_parse(bytes, size, NULL, NULL, &map) == 0);
    free(bytes);
    return map;
}

static void write_rules(const char *const *names)
{
    prfdata_quoted_text text;
    prfdata_map *read = read_map(names[0]);
    const prfdata_map *map = read;

    MUST(prfdata_emit(prfdata_emit_prometheus, &map, 1, "doubled", &text, NULL) == 0);
    printf("%u bytes\n", (unsigned)text.used);
    prfdata_quoted_text_free(&text);
    prfdata_map_file_free(read);
}

static void ignore_line(void *context, bool is_mistake, const char *line)
{
    (void)context;
    (void)is_mistake;
    (void)line;
}

static void convert_titles(const char *const *names)
{
    prfdata_quoted_text text = {0};
    wchar_t path[256];

    MUST(swprintf(path, 256, L"%hs", names[0]) > 0);
    MUST(prfdata_convert_file(path, "doubled", NULL, ignore_line, NULL, &text) == 0);
    printf("%u bytes\n", (unsigned)text.used);
    prfdata_quoted_text_free(&text);
}

static void use_languages(const char *const *names)
{
    const unsigned count = (unsigned)strtoul(names[1], NULL, 10);
    prfdata_map *map = read_map(names[0]);
    prfdata_title_languages languages = {0};
    prfdata_title_languages read;
    prfdata_model *model;
    void *ini, *header;
    size_t ini_size, header_size;

    for (unsigned i = 0; i < count; i++) {
        wchar_t id[4];

        swprintf(id, 4, L"%03X", 0x100 + i);
        prfdata_title_languages_add(&languages, id);
    }
    MUST(languages.count == count);
    MUST(prfdata_model_make(map, &model) == 0);
    MUST(prfdata_title_text_ini(model, &languages, &ini, &ini_size) == 0);
    MUST(prfdata_title_text_header(model, &header, &header_size) == 0);
    MUST(prfdata_title_text_is_own_header(header, header_size, ini, ini_size));
    prfdata_title_text_languages(ini, ini_size, &read);
    MUST(read.count == count);
    printf("%u bytes\n", (unsigned)ini_size);
    free(ini);
    free(header);
    prfdata_model_free(model);
    prfdata_map_file_free(map);
}

/* The services come in the reverse order of their indexes, as the registry may list them. */
static void load_services(const char *const *names)
{
    const uint32_t count = (uint32_t)strtoul(names[1], NULL, 10);
    prfdata_map *map = read_map(names[0]);
    prfdata_titles titles = {0};
    prfdata_model *model;

    MUST(prfdata_model_make(map, &model) == 0);
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t first = 2 + 2 * i * model->number_count;

        MUST(prfdata_name_table_append_model(&titles.english, model, first) == 0);
        MUST(prfdata_name_table_append_model_helps(&titles.helps, model, first + 1) == 0);
        MUST(prfdata_metric_table_append_model(&titles.metrics, model, first) == 0);
    }
    MUST(prfdata_name_table_settle(&titles.english) == 0);
    MUST(prfdata_name_table_settle(&titles.helps) == 0);
    prfdata_metric_table_settle(&titles.metrics);
    for (uint32_t i = 0; i < count; i++)
        MUST(prfdata_title_ids_add_model(&titles.ids, prfdata_path_star, model,
                                         2 + 2 * i * model->number_count, &titles.english) == 0);
    prfdata_titles_index_names(&titles);
    printf("%u titles, %u metrics, %u ids\n", (unsigned)titles.english.count,
           (unsigned)titles.metrics.count, (unsigned)titles.ids.count);
    prfdata_titles_free(&titles);
    prfdata_model_free(model);
    prfdata_map_file_free(map);
}

/* Lets the scheduler of prfview's questions decide which objects to ask for, and answers all
 * questions. */
static void ask_workers(uint32_t count)
{
    uint32_t *titles = calloc(count, sizeof *titles);
    prfdata_workers workers = {0};

    MUST(titles);
    for (uint32_t i = 0; i < count; i++)
        titles[i] = 2 + 2 * (count - i);
    for (uint32_t round = 0; round < 4; round++) {
        const uint64_t now_ms = 1000 + 5000 * (uint64_t)round;

        (void)prfdata_workers_want(&workers, titles, round == 2 ? count / 2 : count);
        MUST(prfdata_workers_begin(&workers, 0, now_ms, 1000, false));
        (void)prfdata_workers_end(&workers, 0, now_ms + 10, 1000, 0);
    }
    prfdata_workers_free(&workers);
    free(titles);
}

static void ask_providers(const char *const *names)
{
    const uint32_t count = (uint32_t)strtoul(names[1], NULL, 10);
    prfdata_data_blocks blocks = {0};
    prfdata_perf_data_block header;
    prfdata_sample *sample;
    size_t size;
    char *answer = read_bytes(names[0], &size);
    void *bytes;

    memcpy(&header, answer, sizeof header);
    for (uint32_t i = 0; i < count; i++) {
        char *copy = calloc(1, header.total_byte_length);
        const uint32_t title = 2 + 2 * (count - i);

        MUST(copy);
        memcpy(copy, answer, header.total_byte_length);
        memcpy(copy + header.header_length +
                   offsetof(prfdata_perf_object_type, object_name_title_index),
               &title, sizeof title);
        MUST(prfdata_data_blocks_add(&blocks, copy, header.total_byte_length) == 0);
    }
    bytes = prfdata_data_blocks_take(&blocks, &size);
    MUST(prfdata_sample_make(bytes, size, &sample) == 0);
    printf("%u objects\n", (unsigned)sample->object_count);
    prfdata_sample_free(sample);
    free(answer);
    ask_workers(count);
}

/* ---- Regions ---- */

/* Publishes as N programs do, until the other process has read enough. */
static void publish(const char *const *names)
{
    const uint32_t count = (uint32_t)strtoul(names[1], NULL, 10);
    prfdata_map *map = read_map(names[0]);
    prfdata_test_service service;
    char line[16];

    prfdata_test_service_join(&service, map->service);
    for (uint32_t i = 0; i < count; i++) {
        prfdata_publisher *publisher;
        prfdata_instance instance;
        wchar_t name[16];

        MUST(prfdata_open(map, &publisher) == ERROR_SUCCESS);
        (void)swprintf(name, 16, L"program %u", (unsigned)i);
        MUST(prfdata_instance_add(publisher, map->entries[0].id, name, NULL, &instance) ==
             ERROR_SUCCESS);
    }
    prfdata_test_process_say("published");
    (void)prfdata_test_process_hear(line, sizeof line);
}

static void collect(prfdata_provider *provider, void *reply, uint32_t capacity)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    uint32_t size = capacity, objects;
    void *at = reply;

    MUST(prfdata_provider_collect(provider, query, &at, &size, &objects) == ERROR_SUCCESS);
    printf("%u objects, %u bytes\n", (unsigned)objects, (unsigned)size);
}

/* Each Collect looks into the folder again, as in a reader that collects once a second. */
static void read_regions(const char *const *names)
{
    const uint32_t capacity = 16u << 20;
    const char *const publishing[] = {"publish", names[0], names[1], NULL};
    prfdata_map *map = read_map(names[0]);
    prfdata_test_service service;
    prfdata_test_process *programs;
    prfdata_provider *provider;
    void *reply = calloc(1, capacity);

    MUST(reply);
    prfdata_test_service_make(&service, map->service, map, 2000);
    programs = prfdata_test_process_start(publishing);
    prfdata_test_process_expect(programs, "published");
    MUST(prfdata_provider_open(map->service, &provider) == ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    for (int i = 0; i < 3; i++)
        collect(provider, reply, capacity);
    prfdata_provider_close(provider);
    prfdata_test_process_kill(programs);
    prfdata_test_service_remove(&service);
    prfdata_map_file_free(map);
    free(reply);
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
                 {"rules", write_rules, 1},
                 {"convert", convert_titles, 1},
                 {"languages", use_languages, 2},
                 {"services", load_services, 2},
                 {"providers", ask_providers, 2},
                 {"regions", read_regions, 2},
                 {"publish", publish, 2}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (count == 2 + kinds[i].names && strcmp(arguments[1], kinds[i].name) == 0) {
            kinds[i].run((const char *const *)arguments + 2);
            return 0;
        }
    }
    fprintf(stderr, "usage: doubled KIND FILE...\n");
    return 2;
}
