/* SPDX-License-Identifier: MIT */
/* Tests that all forms of output show the same values for a path, in every language of names. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "paths/columns.h"
#include "paths/json.h"
#include "prometheus/open_metrics.h"
#include "support/reader/ascii_text.h"
#include "support/reader/localized_sample.h"
#include "support/reader/wire_sample.h"
#include "top/top_view.h"

#define MAX_VALUES   16
#define VALUES_BYTES 128
#define PATH_CHARS   64

typedef struct agreement_fixture {
    wire w;
    prfdata_titles titles;
    prfdata_sample *sample;
} agreement_fixture;

/* Writes down the values that a reader shows for the path. */
typedef void reader_values(const agreement_fixture *f, const char *path, char *values);

static void show_columns(const agreement_fixture *f, const char *path, char *values)
{
    uint16_t chars[PATH_CHARS];
    uint16_t computer[3];
    const prfdata_resolver_path asked = localized_sample_request(&f->titles, path, chars);
    unsigned numbers[MAX_VALUES];
    prfdata_columns columns;
    prfdata_resolver_result result;

    prfdata_columns_init(&columns, &f->titles, ascii_text("PC", computer));
    assert_int_equal(prfdata_columns_add(&columns, &asked, f->sample, &result), ERROR_SUCCESS);
    assert_int_equal(prfdata_columns_compute(&columns, NULL, f->sample, true), ERROR_SUCCESS);
    assert_true(columns.count <= MAX_VALUES);
    assert_int_equal(result == PRFDATA_RESOLVER_FOUND, columns.count > 0);
    for (size_t i = 0; i < columns.count; i++)
        numbers[i] = (unsigned)columns.items[i].value.whole;
    localized_sample_values(numbers, columns.count, values, VALUES_BYTES);
    prfdata_columns_free(&columns);
}

/* Read the numbers of an exposition's lines. Lines about prfread itself do not count. */
static size_t read_exposition(char *text, unsigned *numbers)
{
    size_t count = 0;

    while (*text) {
        char *line = text;

        text += strcspn(text, "\n");
        if (*text)
            *text++ = '\0';
        if (line[0] == '#' || strncmp(line, "prfread_", 8) == 0)
            continue;
        assert_true(count < MAX_VALUES);
        numbers[count++] = (unsigned)strtoul(strrchr(line, ' ') + 1, NULL, 10);
    }
    return count;
}

static void show_exposition(const agreement_fixture *f, const char *path, prfdata_dialect dialect,
                            char *values)
{
    uint16_t chars[PATH_CHARS];
    const prfdata_resolver_path asked = localized_sample_request(&f->titles, path, chars);
    const prfdata_open_metrics_options options = {.paths = &asked, .path_count = 1};
    prfdata_output output = {0};
    prfdata_open_metrics *metrics;
    unsigned numbers[MAX_VALUES];
    size_t count;

    assert_int_equal(prfdata_open_metrics_make(&options, &metrics), ERROR_SUCCESS);
    prfdata_open_metrics_put(metrics, f->sample, &f->titles, NULL, dialect, &output);
    prfdata_output_put(&output, "", 1);
    assert_false(output.failed);
    count = read_exposition(output.bytes, numbers);
    assert_int_equal(prfdata_open_metrics_found(metrics, 0), count > 0);
    localized_sample_values(numbers, count, values, VALUES_BYTES);
    prfdata_output_free(&output);
    prfdata_open_metrics_free(metrics);
}

static void show_open_metrics(const agreement_fixture *f, const char *path, char *values)
{
    show_exposition(f, path, PRFDATA_DIALECT_OPEN_METRICS, values);
}

static void show_prometheus(const agreement_fixture *f, const char *path, char *values)
{
    show_exposition(f, path, PRFDATA_DIALECT_PROMETHEUS, values);
}

static void show_json(const agreement_fixture *f, const char *path, char *values)
{
    static const char key[] = "\"CookedValue\":";
    uint16_t chars[PATH_CHARS];
    uint16_t computer[3];
    const prfdata_resolver_path asked = localized_sample_request(&f->titles, path, chars);
    unsigned numbers[MAX_VALUES];
    prfdata_output output = {0};
    prfdata_columns columns;
    prfdata_json_heads heads = {0};
    prfdata_resolver_result result;
    size_t count = 0;

    prfdata_columns_init(&columns, &f->titles, ascii_text("PC", computer));
    assert_int_equal(prfdata_columns_add(&columns, &asked, f->sample, &result), ERROR_SUCCESS);
    assert_int_equal(prfdata_columns_compute(&columns, NULL, f->sample, true), ERROR_SUCCESS);
    prfdata_json_put_sample(&output, &columns, &heads, NULL, NULL);
    prfdata_json_heads_free(&heads);
    prfdata_output_put(&output, "", 1);
    assert_false(output.failed);
    for (const char *at = strstr(output.bytes, key); at; at = strstr(at + 1, key)) {
        assert_true(count < MAX_VALUES);
        numbers[count++] = (unsigned)strtoul(at + sizeof key - 1, NULL, 10);
    }
    localized_sample_values(numbers, count, values, VALUES_BYTES);
    prfdata_output_free(&output);
    prfdata_columns_free(&columns);
}

/* Get the values from the live view. If there are none, one row gives the reason. */
static void show_top(const agreement_fixture *f, const char *path, char *values)
{
    uint16_t chars[PATH_CHARS];
    const prfdata_resolver_path asked = localized_sample_request(&f->titles, path, chars);
    unsigned numbers[MAX_VALUES];
    prfdata_top_view view;
    size_t count = 0;

    prfdata_top_view_init(&view, &f->titles, false);
    prfdata_top_view_begin(&view, NULL, f->sample);
    prfdata_top_view_add(&view, &asked);
    assert_int_equal(prfdata_top_view_end(&view), ERROR_SUCCESS);
    for (uint32_t i = 0; i < view.list.row_count; i++) {
        const prfdata_cell *cell = &view.list.rows[i]->cells[PRFDATA_TOP_VALUE];

        assert_true(count < MAX_VALUES);
        if (cell->status == PRFDATA_STATUS_OK)
            numbers[count++] = (unsigned)cell->value.whole;
    }
    assert_int_equal(view.list.row_count, count > 0 ? count : 1);
    localized_sample_values(numbers, count, values, VALUES_BYTES);
    prfdata_top_view_free(&view);
}

static void test_agreement_every_reader_shows_what_the_path_means(void **state)
{
    static const struct {
        const char *name;
        reader_values *show;
    } readers[] = {
        {"columns", show_columns},          {"JSON", show_json},
        {"OpenMetrics", show_open_metrics}, {"Prometheus", show_prometheus},
        {"the live view", show_top},
    };
    agreement_fixture f;

    (void)state;
    memset(&f, 0, sizeof f);
    localized_sample_write(&f.w);
    localized_sample_name(&f.titles);
    f.sample = wire_sample(&f.w);
    for (const localized_sample_path *p = localized_sample_paths; p->text; p++) {
        for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
            char values[VALUES_BYTES];

            readers[i].show(&f, p->text, values);
            if (strcmp(values, p->values) != 0)
                fail_msg("%s of %s: \"%s\" instead of \"%s\"", readers[i].name, p->text, values,
                         p->values);
        }
    }
    prfdata_sample_free(f.sample);
    prfdata_titles_free(&f.titles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement_every_reader_shows_what_the_path_means),
    };

    return cmocka_run_group_tests_name("agreement", tests, NULL, NULL);
}
