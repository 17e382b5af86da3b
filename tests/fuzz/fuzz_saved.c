/* SPDX-License-Identifier: MIT */
/* Sends two saved files of any bytes through everything that prfread does with such files. Lists,
 * dumps and saves the older file. Then computes values, rows and metrics from the newer file, or
 * from the older file if the newer one has no block. Titles must be in order, values must be
 * numbers, and rows must be complete. Expositions must be valid by a second implementation of their
 * grammar. Reading the file that was saved again must give the same block.
 *
 * Input: one byte of flags, the size of the older file (2 bytes), the length that valid headers
 * state (2 bytes), then the files. Bit 0 of the flags: the older file gets a valid header. Bit 1:
 * the newer file gets a valid header. Bit 2: there is no newer file. */
#include <float.h>
#include <string.h>

#include "block/dump.h"
#include "block/saved_block.h"
#include "exposition.h"
#include "fuzz.h"
#include "paths/columns.h"
#include "paths/csv.h"
#include "paths/json.h"
#include "paths/list.h"
#include "prometheus/open_metrics.h"
#include "support/reader/wire.h"

enum { OLDER_HEADER = 1, NEWER_HEADER = 2, ALONE = 4 };

typedef struct fuzzed_file {
    unsigned char *bytes;
    size_t size;
    prfdata_saved_block saved;
    prfdata_sample *sample; /* NULL: the file is not a saved block */
} fuzzed_file;

/* ---- One file ---- */

static void check_table(const prfdata_name_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        FUZZ_CHECK(table->items[i].index > (i > 0 ? table->items[i - 1].index : 0));
        FUZZ_CHECK(table->items[i].name.count > 0);
        for (size_t k = 0; k < table->items[i].name.count; k++)
            FUZZ_CHECK(table->items[i].name.chars[k] != 0);
    }
}

static void put_list(wire *w, const prfdata_name_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        char digits[12];

        snprintf(digits, sizeof digits, "%u", (unsigned)table->items[i].index);
        for (size_t k = 0; digits[k]; k++)
            wire_put16(w, (unsigned char)digits[k]);
        wire_put16(w, 0);
        for (size_t k = 0; k < table->items[i].name.count; k++)
            wire_put16(w, table->items[i].name.chars[k]);
        wire_put16(w, 0);
    }
    wire_put16(w, 0);
}

/* Check that `bytes` are the only encoding that saving these titles can produce. */
static void check_bytes(const prfdata_saved_block *saved, const unsigned char *bytes, size_t size)
{
    static wire w;
    size_t names;

    w.used = 0;
    wire_put32(&w, 0x54667250); /* PrfT */
    wire_put32(&w, 0x656C7469); /* itle */
    wire_put32(&w, 1);
    wire_put32(&w, 0);
    wire_put32(&w, 0);
    wire_put32(&w, 0);
    put_list(&w, &saved->titles.english);
    names = w.used - 24;
    put_list(&w, &saved->titles.helps);
    wire_patch32(&w, 12, (uint32_t)names);
    wire_patch32(&w, 16, (uint32_t)(w.used - 24 - names));
    FUZZ_CHECK(w.used == size && !memcmp(w.bytes, bytes, size));
}

static void check(const prfdata_saved_block *saved, const unsigned char *bytes, size_t size)
{
    const size_t rest_bytes = size - saved->block_bytes;

    FUZZ_CHECK(saved->block_bytes >= sizeof(prfdata_perf_data_block));
    FUZZ_CHECK(saved->block_bytes <= size);
    FUZZ_CHECK(!saved->mistake || *saved->mistake);
    FUZZ_CHECK(!saved->mistake || saved->block_bytes < size);
    FUZZ_CHECK(!saved->is_foreign || (saved->mistake && saved->titles.english.count == 0 &&
                                      saved->titles.helps.count == 0));
    check_table(&saved->titles.english);
    check_table(&saved->titles.helps);
    FUZZ_CHECK(saved->is_foreign == (memcmp(bytes + saved->block_bytes, "PrfTitle",
                                            rest_bytes < 8 ? rest_bytes : 8) != 0));
    if (!saved->mistake && rest_bytes > 0 &&
        rest_bytes < sizeof(wire) / 2) /* longer titles might not fit into a wire */
        check_bytes(saved, bytes + saved->block_bytes, rest_bytes);
}

static void open_file(fuzzed_file *f)
{
    prfdata_decode_error error;
    uint32_t status = prfdata_saved_block_read(f->bytes, f->size, &f->saved, &error);
    unsigned char *block;

    FUZZ_CHECK(status == ERROR_SUCCESS || status == ERROR_INVALID_DATA);
    if (status) {
        FUZZ_CHECK(error.field && *error.field);
        return;
    }
    check(&f->saved, f->bytes, f->size);
    block = fuzz_memory(f->saved.block_bytes);
    memcpy(block, f->bytes, f->saved.block_bytes);
    FUZZ_CHECK(prfdata_sample_make(block, f->saved.block_bytes, &f->sample) == ERROR_SUCCESS);
}

static void close_file(fuzzed_file *f)
{
    if (f->sample)
        prfdata_titles_free(&f->saved.titles);
    prfdata_sample_free(f->sample);
    free(f->bytes);
}

static void check_subset(const prfdata_name_table *some, const prfdata_name_table *all)
{
    for (size_t i = 0; i < some->count; i++) {
        prfdata_text name = prfdata_name_table_name(all, some->items[i].index);

        FUZZ_CHECK(name.count == some->items[i].name.count);
        FUZZ_CHECK(!memcmp(name.chars, some->items[i].name.chars, name.count * sizeof *name.chars));
    }
}

static void check_kept(const prfdata_name_table *copy, const prfdata_name_table *original,
                       uint32_t index)
{
    FUZZ_CHECK(prfdata_name_table_name(copy, index).count ==
               prfdata_name_table_name(original, index).count);
}

/* Check that everything that the block names still has its title. */
static void check_titles(const fuzzed_file *copy, const fuzzed_file *original)
{
    const prfdata_titles *kept = &copy->saved.titles;
    const prfdata_titles *all = &original->saved.titles;

    for (uint32_t o = 0; o < original->sample->object_count; o++) {
        const prfdata_sample_object *object = &original->sample->objects[o];

        check_kept(&kept->english, &all->english, object->wire.header.object_name_title_index);
        check_kept(&kept->helps, &all->helps, object->wire.header.object_help_title_index);
        for (uint32_t i = 0; i < object->counter_count; i++) {
            check_kept(&kept->english, &all->english,
                       object->counters[i].definition.counter_name_title_index);
            check_kept(&kept->helps, &all->helps,
                       object->counters[i].definition.counter_help_title_index);
        }
        for (uint32_t i = 0; i < object->instance_count; i++) {
            if (object->instances[i].wire.has_definition)
                check_kept(&kept->english, &all->english,
                           object->instances[i].wire.definition.parent_object_title_index);
        }
    }
}

static bool is_whole(const fuzzed_file *f)
{
    return f->sample->block.header.total_byte_length <= f->sample->size;
}

/* Save the file again. Reading the new file must give the same block and no other titles. Saving
 * what was read must give the same bytes. */
static void save_again(const fuzzed_file *f)
{
    prfdata_output once = {0};
    prfdata_output twice = {0};
    fuzzed_file copy = {0};

    prfdata_saved_block_put(&once, f->sample, &f->saved.titles);
    FUZZ_CHECK(!once.failed);
    copy.bytes = fuzz_memory(once.used);
    copy.size = once.used;
    memcpy(copy.bytes, once.bytes, once.used);
    open_file(&copy);
    FUZZ_CHECK(copy.sample != NULL && !copy.saved.mistake);
    FUZZ_CHECK(copy.saved.block_bytes == f->saved.block_bytes);
    FUZZ_CHECK(!memcmp(copy.bytes, f->bytes, copy.saved.block_bytes));
    FUZZ_CHECK(copy.sample->damage_count == f->sample->damage_count);
    check_subset(&copy.saved.titles.english, &f->saved.titles.english);
    check_subset(&copy.saved.titles.helps, &f->saved.titles.helps);
    if (is_whole(f))
        check_titles(&copy, f);
    prfdata_saved_block_put(&twice, copy.sample, &copy.saved.titles);
    FUZZ_CHECK(twice.used == once.used && !memcmp(twice.bytes, once.bytes, once.used));
    prfdata_output_free(&once);
    prfdata_output_free(&twice);
    close_file(&copy);
}

static void check_lines(const prfdata_output *output, const char *end)
{
    const size_t length = strlen(end);

    FUZZ_CHECK(!output->failed);
    FUZZ_CHECK(output->used == 0 || (output->used >= length &&
                                     !memcmp(output->bytes + output->used - length, end, length)));
}

static void inspect(const fuzzed_file *f)
{
    prfdata_output output = {0};

    for (uint32_t i = 0; i < f->sample->object_count; i++) {
        prfdata_list_put(&output, &f->sample->objects[i], &f->saved.titles.english, true);
        prfdata_list_put(&output, &f->sample->objects[i], &f->saved.titles.english, false);
    }
    check_lines(&output, "\r\n");
    prfdata_output_clear(&output);
    (void)prfdata_dump_put(&output, f->sample->bytes, f->sample->size, &f->saved.titles.english);
    check_lines(&output, "\n");
    prfdata_output_free(&output);
}

/* ---- Values ---- */

/* Add all counters of an object, named in every possible way. */
static void add_columns(prfdata_columns *columns, const prfdata_sample *sample,
                        const prfdata_sample_object *object)
{
    const uint32_t title = object->wire.header.object_name_title_index;
    static const uint16_t star[] = {'*'};
    uint16_t chars[12];
    char digits[12];
    prfdata_resolver_path asked = {0};
    prfdata_resolver_result result;

    snprintf(digits, sizeof digits, "%u", (unsigned)title);
    for (size_t i = 0; i < sizeof digits; i++)
        chars[i] = (unsigned char)digits[i];
    asked.path.counter.chars = star;
    asked.path.counter.count = 1;
    asked.path.instance = asked.path.counter;
    asked.path.has_instance = object->has_instances;
    for (unsigned way = 0; way < PRFDATA_WAY_COUNT; way++) {
        asked.number = way;
        asked.way = (prfdata_titles_way)way;
        asked.path.object = prfdata_titles_name(columns->titles, asked.way, title);
        if (asked.way == PRFDATA_BY_INDEX)
            asked.path.object = prfdata_text_from_chars(chars);
        FUZZ_CHECK(prfdata_columns_add(columns, &asked, sample, &result) == ERROR_SUCCESS);
    }
}

static void check_values(const prfdata_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        const prfdata_column *column = &columns->items[i];

        if (column->status == PRFDATA_STATUS_OK && !column->is_text)
            FUZZ_CHECK(column->value.number >= -DBL_MAX && column->value.number <= DBL_MAX);
        FUZZ_CHECK(*prfdata_compute_status_text(column->status));
    }
}

static void put_rows(const prfdata_columns *columns, const prfdata_sample *sample)
{
    static const prfdata_text zone = {NULL, 0};
    const uint16_t time[8] = {2000, 1, 0, 1, 0, 0, 0, 0};
    prfdata_json_heads heads = {0};
    prfdata_output output = {0};

    prfdata_csv_put_header(&output, columns, PRFDATA_CSV_COMMA, zone, 0);
    check_lines(&output, "\"\r\n");
    prfdata_csv_put_row(&output, columns, PRFDATA_CSV_COMMA, time, "-1");
    check_lines(&output, "\"\r\n");
    prfdata_output_clear(&output);
    prfdata_json_put_sample(&output, columns, &heads, sample->block.header.system_time, NULL);
    prfdata_json_heads_free(&heads);
    check_lines(&output, "\n");
    prfdata_output_free(&output);
}

/* Compute as -file does: the titles are those of the older file, if there is one. */
static void compute(const fuzzed_file *older, const fuzzed_file *newer)
{
    const prfdata_sample *sample = newer->sample;
    prfdata_columns columns;
    uint16_t chars[64];
    prfdata_text computer = {chars, 0};
    prfdata_decode_error error;

    (void)prfdata_decode_computer(&sample->block, chars, 64, &computer.count, &error);
    FUZZ_CHECK(computer.count <= 64);
    prfdata_columns_init(&columns, &(older ? older : newer)->saved.titles, computer);
    for (uint32_t i = 0; i < sample->object_count; i++)
        add_columns(&columns, sample, &sample->objects[i]);
    FUZZ_CHECK(prfdata_columns_compute(&columns, older ? older->sample : NULL, sample, true) ==
               ERROR_SUCCESS);
    check_values(&columns);
    put_rows(&columns, sample);
    prfdata_columns_free(&columns);
}

/* ---- Metrics ---- */

static void expose_in(prfdata_open_metrics *metrics, const fuzzed_file *f, prfdata_dialect dialect)
{
    prfdata_output output = {0};

    prfdata_open_metrics_put(metrics, f->sample, &f->saved.titles, NULL, dialect, &output);
    FUZZ_CHECK(!output.failed);
    fuzz_check_exposition(output.bytes, output.used, dialect == PRFDATA_DIALECT_OPEN_METRICS);
    prfdata_output_free(&output);
}

/* Make one scrape after the other, as -serve does. */
static void expose(const fuzzed_file *older, const fuzzed_file *newer)
{
    const prfdata_open_metrics_options options = {.version = "1", .with_parts = true};
    prfdata_open_metrics *metrics;
    prfdata_output output = {0};

    FUZZ_CHECK(prfdata_open_metrics_make(&options, &metrics) == ERROR_SUCCESS);
    if (older)
        expose_in(metrics, older, PRFDATA_DIALECT_OPEN_METRICS);
    expose_in(metrics, newer, PRFDATA_DIALECT_OPEN_METRICS);
    expose_in(metrics, newer, PRFDATA_DIALECT_PROMETHEUS);
    prfdata_open_metrics_explain(metrics, newer->sample, &newer->saved.titles, &output);
    check_lines(&output, "\n");
    prfdata_output_free(&output);
    prfdata_open_metrics_free(metrics);
}

/* ---- The input ---- */

static void put32(unsigned char *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

/* Take the next `size` bytes. If `has_header`, give them a valid header, so that most inputs pass
 * the file's first checks. */
static void take_file(fuzz_input *input, size_t size, bool has_header, uint16_t block_bytes,
                      fuzzed_file *f)
{
    static const unsigned char signature[] = {'P', 0, 'E', 0, 'R', 0, 'F', 0};

    f->size = size;
    f->bytes = fuzz_memory(size);
    if (size > 0)
        memcpy(f->bytes, input->bytes, size);
    input->bytes += size;
    input->size -= size;
    if (!has_header || size < sizeof(prfdata_perf_data_block))
        return;
    memcpy(f->bytes, signature, sizeof signature);
    put32(f->bytes + 8, 1);
    put32(f->bytes + 12, 1);
    put32(f->bytes + 20, block_bytes);
}

static void use(const fuzzed_file *older, const fuzzed_file *newer)
{
    compute(older, newer);
    expose(older, newer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_input input = {bytes, size};
    const uint8_t flags = fuzz_u8(&input);
    size_t older_bytes = fuzz_u16(&input);
    const uint16_t block_bytes = fuzz_u16(&input);
    fuzzed_file older = {0};
    fuzzed_file newer = {0};

    if (older_bytes > input.size || (flags & ALONE))
        older_bytes = input.size;
    take_file(&input, older_bytes, flags & OLDER_HEADER, block_bytes, &older);
    take_file(&input, input.size, flags & NEWER_HEADER, block_bytes, &newer);
    open_file(&older);
    if (!(flags & ALONE))
        open_file(&newer);
    if (older.sample) {
        save_again(&older);
        inspect(&older);
    }
    if (newer.sample)
        use(older.sample ? &older : NULL, &newer);
    else if (older.sample)
        use(NULL, &older);
    close_file(&older);
    close_file(&newer);
    return 0;
}
