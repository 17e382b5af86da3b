/* SPDX-License-Identifier: MIT */
/* Takes samples and shows them (reading.h). */
#include "reading.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "support/must.h"

#define UTC_OF_2026    134116992000000000 /* the beginning of 2026 as a FILETIME */
#define UTC_PER_SECOND 10000000

enum { WIDTH = 120, HEIGHT = 40 };

static const uint16_t row_time[8] = {2026, 1, 0, 1, 0, 0, 0, 0};

static void free_known(bench_known *known)
{
    free(known->text);
    free(known->part_bytes);
    free(known->numbers);
    memset(known, 0, sizeof *known);
}

void bench_reading_open(bench_reading *reading, bench_scene *scene)
{
    static const prfdata_open_metrics_options options = {.version = "bench"};
    uint16_t service[sizeof scene->service.name];
    prfdata_source *source;
    size_t i = 0;

    do
        service[i] = (unsigned char)scene->service.name[i];
    while (service[i++] != 0);
    memset(reading, 0, sizeof *reading);
    reading->scene = scene;
    MUST(prfdata_source_open_regions(prfdata_text_from_chars(service), &reading->messages,
                                     &source) == 0);
    prfdata_session_open(&reading->session, source, &reading->messages);
    MUST(prfdata_requests_make_default(&reading->session, &reading->requests) == 0);
    prfdata_columns_init(&reading->columns, &reading->session.titles, reading->session.computer);
    MUST(prfdata_open_metrics_make(&options, &reading->metrics) == 0);
    prfdata_top_view_init(&reading->view, &reading->session.titles, false);
    bench_reading_next(reading);
    bench_reading_next(reading);
}

void bench_reading_close(bench_reading *reading)
{
    prfdata_top_view_free(&reading->view);
    prfdata_open_metrics_free(reading->metrics);
    prfdata_columns_free(&reading->columns);
    prfdata_json_heads_free(&reading->heads);
    prfdata_sample_free(reading->older);
    prfdata_sample_free(reading->newer);
    prfdata_requests_free(&reading->requests);
    prfdata_session_close(&reading->session);
    prfdata_messages_free(&reading->messages);
    prfdata_output_free(&reading->output);
    prfdata_output_free(&reading->bare);
    free_known(&reading->known);
}

/* Let cells grow by different amounts, which change each time. */
static void count_in_cells(bench_reading *reading)
{
    const uint32_t counters = reading->scene->shape.counters;

    reading->sample_number++;
    for (uint32_t row = 0; row < reading->scene->row_count; row++) {
        for (uint32_t i = 0; i < counters; i++)
            reading->scene->rows[row][i] +=
                (row * 31 + i * 7) % 1000 * reading->sample_number % 977;
    }
}

/* Return the ticks of a clock from the start to the sample `number`. Samples are slightly more than
 * a second apart. */
static int64_t ticks_until(uint64_t number, int64_t frequency)
{
    return (int64_t)number * (frequency + frequency / 1371);
}

/* Set times with which all rates are the same in every run, and are not whole numbers. */
static void set_time(prfdata_sample *sample, uint64_t number)
{
    prfdata_perf_data_block *header = &sample->block.header;

    header->perf_time = ticks_until(number, header->perf_freq);
    header->perf_time_100ns = UTC_OF_2026 + ticks_until(number, UTC_PER_SECOND);
    for (uint32_t i = 0; i < sample->object_count; i++) {
        prfdata_perf_object_type *object = &sample->objects[i].wire.header;

        object->perf_time = ticks_until(number, object->perf_freq);
    }
}

void bench_reading_next(void *context)
{
    bench_reading *reading = context;

    count_in_cells(reading);
    prfdata_sample_free(reading->older);
    reading->older = reading->newer;
    reading->newer = NULL;
    MUST(prfdata_requests_take(&reading->session, &reading->requests, &reading->newer) == 0);
    set_time(reading->newer, reading->sample_number);
}

void bench_reading_change(void *context)
{
    bench_reading *reading = context;

    for (uint32_t i = 0; i < BENCH_PASSING; i++) {
        wchar_t name[32];

        if (reading->come >= BENCH_PASSING)
            MUST(prfdata_instance_remove(&reading->passing[i]) == 0);
        swprintf(name, sizeof name / sizeof name[0], L"passing %llu",
                 (unsigned long long)reading->come++);
        MUST(prfdata_instance_add(reading->scene->publishers[0], BENCH_OBJECT, name, NULL,
                                  &reading->passing[i]) == 0);
    }
    bench_reading_next(reading);
}

void bench_reading_decode(void *context, uint64_t times)
{
    bench_reading *reading = context;

    for (uint64_t i = 0; i < times; i++) {
        prfdata_sample *sample;

        MUST(prfdata_requests_take(&reading->session, &reading->requests, &sample) == 0);
        prfdata_sample_free(sample);
    }
}

static void compute_columns(bench_reading *reading)
{
    prfdata_output_clear(&reading->output);
    MUST(prfdata_requests_add_columns(&reading->session, &reading->requests, reading->newer,
                                      &reading->columns) == 0);
    MUST(prfdata_columns_compute(&reading->columns, reading->older, reading->newer, true) == 0);
}

void bench_reading_row(void *context, uint64_t times)
{
    bench_reading *reading = context;

    for (uint64_t i = 0; i < times; i++) {
        compute_columns(reading);
        prfdata_csv_put_row(&reading->output, &reading->columns, PRFDATA_CSV_COMMA, row_time, "-1");
    }
}

/* Take a piece of text and forget it, because the time of writing it is not measured. */
static void forget_piece(void *context, prfdata_output *output)
{
    (void)context;
    prfdata_output_clear(output);
}

static const prfdata_output_taker forgetful = {forget_piece, NULL};

void bench_reading_json(void *context, uint64_t times)
{
    bench_reading *reading = context;

    for (uint64_t i = 0; i < times; i++) {
        compute_columns(reading);
        prfdata_json_put_sample(&reading->output, &reading->columns, &reading->heads, row_time,
                                reading->is_whole ? NULL : &forgetful);
    }
}

void bench_reading_screen(void *context, uint64_t times)
{
    bench_reading *reading = context;

    for (uint64_t i = 0; i < times; i++) {
        prfdata_output_clear(&reading->output);
        prfdata_top_view_begin(&reading->view, reading->older, reading->newer);
        for (size_t j = 0; j < reading->requests.count; j++)
            prfdata_top_view_add(&reading->view, &reading->requests.items[j].path);
        MUST(prfdata_top_view_end(&reading->view) == 0);
        prfdata_top_frame_put(&reading->view, WIDTH, HEIGHT, true, &reading->output);
    }
}

void bench_reading_exposition(void *context, uint64_t times)
{
    bench_reading *reading = context;

    for (uint64_t i = 0; i < times; i++) {
        prfdata_output_clear(&reading->output);
        prfdata_open_metrics_put(reading->metrics, reading->newer, &reading->session.titles, NULL,
                                 PRFDATA_DIALECT_PROMETHEUS, &reading->output);
    }
}

/* The form in which a text shows its numbers. */
typedef struct known_form {
    const char *before[2]; /* a number follows one of these; NULL: none */
    char after;            /* the number ends before this character */
    void (*put)(prfdata_output *output, double number);
    bool is_in_pieces;
} known_form;

static void put_fixed(prfdata_output *output, double number)
{
    prfdata_output_put_fixed(output, number, 6);
}

static void put_whole(prfdata_output *output, double number)
{
    prfdata_output_put_unsigned(output, (uint64_t)number);
}

static const known_form csv_form = {{"\"", NULL}, '"', put_fixed, false};
static const known_form exposition_form = {{" ", NULL}, '\n', put_whole, false};
static const known_form json_form = {
    {"\"CookedValue\":", "\"RawValue\":"}, ',', prfdata_output_put_double, true};

/*
 * Find the number at the start of these bytes. Returns false if they do not start with a number in
 * this form. Digits of a name, such as 000007, are no number.
 */
static bool know_number(bench_reading *reading, const char *bytes, const known_form *form,
                        double *number, size_t *size)
{
    char *end;

    if (*bytes < '0' || *bytes > '9')
        return false;
    *number = strtod(bytes, &end);
    *size = (size_t)(end - bytes);
    prfdata_output_clear(&reading->bare);
    form->put(&reading->bare, *number);
    return *end == form->after && reading->bare.used == *size &&
           memcmp(reading->bare.bytes, bytes, *size) == 0;
}

static bool ends_with(const char *text, size_t size, const char *end)
{
    const size_t length = end ? strlen(end) : 0;

    return length > 0 && size >= length && memcmp(text + size - length, end, length) == 0;
}

/* Split a text at its numbers. */
static void know(bench_reading *reading, const known_form *form)
{
    const char *const bytes = reading->output.bytes;
    const size_t size = reading->output.used;
    bench_known *known = &reading->known;
    size_t part = 0;

    free_known(known);
    known->text = malloc(size);
    known->part_bytes = calloc(size, sizeof *known->part_bytes);
    known->numbers = calloc(size, sizeof *known->numbers);
    MUST(known->text && known->part_bytes && known->numbers);
    for (size_t i = 0; i < size; i++) {
        double number;
        size_t digits;

        known->text[known->text_bytes++] = bytes[i];
        part++;
        if (i + 1 == size ||
            !(ends_with(bytes, i + 1, form->before[0]) ||
              ends_with(bytes, i + 1, form->before[1])) ||
            !know_number(reading, bytes + i + 1, form, &number, &digits))
            continue;
        known->numbers[known->count] = number;
        known->part_bytes[known->count++] = (uint32_t)part;
        part = 0;
        i += digits;
    }
}

static void put_known(bench_reading *reading, const known_form *form)
{
    const bench_known *known = &reading->known;
    const char *text = known->text;
    const prfdata_output_taker *taker =
        form->is_in_pieces && !reading->is_whole ? &forgetful : NULL;

    prfdata_output_clear(&reading->bare);
    for (size_t i = 0; i < known->count; i++) {
        prfdata_output_put(&reading->bare, text, known->part_bytes[i]);
        text += known->part_bytes[i];
        form->put(&reading->bare, known->numbers[i]);
        prfdata_output_pass(&reading->bare, taker);
    }
    prfdata_output_put(&reading->bare, text, known->text_bytes - (size_t)(text - known->text));
}

static void check_bare(const bench_reading *reading)
{
    MUST(reading->bare.used == reading->output.used);
    MUST(memcmp(reading->bare.bytes, reading->output.bytes, reading->bare.used) == 0);
}

/*
 * Show a sample, then take the next one. This makes the state of a reader that continues: its
 * caches are warm and it remembers the last sample, but it has not seen the new numbers yet.
 */
static void make_ready(bench_reading *reading, void (*run)(void *context, uint64_t times))
{
    bench_reading_next(reading);
    run(reading, 1);
    bench_reading_next(reading);
}

void bench_reading_before_row(void *context)
{
    make_ready(context, bench_reading_row);
}

void bench_reading_before_json(void *context)
{
    make_ready(context, bench_reading_json);
}

void bench_reading_before_screen(void *context)
{
    make_ready(context, bench_reading_screen);
}

void bench_reading_before_exposition(void *context)
{
    make_ready(context, bench_reading_exposition);
}

void bench_reading_before_changed_row(void *context)
{
    bench_reading *reading = context;

    bench_reading_change(reading);
    /* Make the columns anew, because those of removed instances would accumulate. */
    prfdata_columns_free(&reading->columns);
    bench_reading_row(reading, 1);
    bench_reading_change(reading);
}

void bench_reading_before_changed_exposition(void *context)
{
    bench_reading *reading = context;

    bench_reading_change(reading);
    bench_reading_exposition(reading, 1);
    bench_reading_change(reading);
}

/* Let the reader show a sample, and check that the floor writes the same bytes. Then let the reader
 * show the next sample as text, and split the text at its numbers. */
static void know_next(bench_reading *reading, const known_form *form,
                      void (*run)(void *context, uint64_t times), size_t least_numbers)
{
    reading->is_whole = true;
    make_ready(reading, run);
    know(reading, form);
    MUST(reading->known.count >= least_numbers);
    put_known(reading, form);
    check_bare(reading);
    run(reading, 1);
    know(reading, form);
    reading->is_whole = false;
}

void bench_reading_know_row(void *context)
{
    bench_reading *reading = context;

    know_next(reading, &csv_form, bench_reading_row, reading->columns.count - 1);
}

void bench_reading_bare_row(void *context, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        put_known(context, &csv_form);
}

void bench_reading_know_json(void *context)
{
    bench_reading *reading = context;

    know_next(reading, &json_form, bench_reading_json, 2 * reading->columns.count);
}

void bench_reading_bare_json(void *context, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        put_known(context, &json_form);
}

void bench_reading_know_exposition(void *context)
{
    bench_reading *reading = context;

    know_next(reading, &exposition_form, bench_reading_exposition, reading->columns.count);
}

void bench_reading_bare_exposition(void *context, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        put_known(context, &exposition_form);
}
