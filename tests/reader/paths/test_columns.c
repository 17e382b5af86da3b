/* SPDX-License-Identifier: MIT */
/* Tests the way from bytes to printed lines: samples, columns, CSV and lists. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths/columns.h"
#include "paths/csv.h"
#include "paths/list.h"
#include "support/reader/ascii_text.h"
#include "support/reader/wire.h"
#include "support/reader/wire_sample.h"

/* ---- Helpers ---- */

static void name_titles(prfdata_name_table *table)
{
    static const struct {
        uint32_t index;
        const char *name;
    } names[] = {{100, "Jobs"},    {102, "Done/sec"}, {104, "Waiting"},
                 {106, "sec/Job"}, {200, "Steps"},    {202, "Level"},
                 {300, "Machine"}, {302, "Level"},    {304, "Not Listed"}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint16_t chars[32];

        assert_int_equal(
            prfdata_name_table_add(table, names[i].index, ascii_text(names[i].name, chars)), 0);
    }
}

/* Write Steps before Jobs, although Jobs has the parents of Steps. Two steps' parents are missing,
 * one step is a duplicate, and one has a number instead of a name. Then write an object without
 * instances, and one that has no name in the titles and no instances now. */
static void make_block(wire *w, uint64_t first)
{
    static const struct {
        uint32_t parent_title;
        uint32_t parent_position;
        int32_t unique_id;
        const char *name;
    } steps[] = {{100, 1, -1, "one"}, {100, 0, -1, "one"}, {100, 1, -1, "ONE"},
                 {0, 0, 5, NULL},     {900, 0, -1, "far"}, {100, 9, -1, "lost"}};
    size_t object;

    wire_begin(w, 4);
    object = wire_object(w, 200, 1, 6, 0);
    wire_counter(w, 202, 0x00010000, 4, 4);
    for (uint32_t i = 0; i < 6; i++) {
        wire_instance(w, steps[i].parent_title, steps[i].parent_position, steps[i].unique_id,
                      steps[i].name);
        wire_value32(w, 50 + i);
    }
    wire_object_end(w, object);

    wire_worked_example(w, first);

    object = wire_object(w, 300, 2, -1, 0);
    wire_counter(w, 302, 0x00010100, 8, 8);
    wire_counter(w, 304, 0x40000200, 0, 4); /* PERF_COUNTER_NODATA */
    wire_value64(w, (uint64_t)-7);
    wire_object_end(w, object);

    object = wire_object(w, 400, 1, 0, 0);
    wire_counter(w, 402, 0x00010000, 4, 4);
    wire_object_end(w, object);
    wire_end(w);
}

/* Add the columns of a path. Returns the status that says what was found. */
static uint32_t add_numbered(prfdata_columns *columns, const prfdata_sample *sample,
                             uint32_t number, const char *text)
{
    uint16_t chars[80];
    prfdata_resolver_path path = {.number = number};
    prfdata_path_error error;
    prfdata_resolver_result result;

    assert_true(prfdata_path_parse(ascii_text(text, chars), &path.path, &error));
    path.way = prfdata_titles_way_of(columns->titles, path.path.object);
    assert_int_equal(prfdata_columns_add(columns, &path, sample, &result), ERROR_SUCCESS);
    return prfdata_resolver_status(result);
}

static uint32_t add_path(prfdata_columns *columns, const prfdata_sample *sample, const char *text)
{
    return add_numbered(columns, sample, (uint32_t)columns->count, text);
}

static void expect_output(prfdata_output *output, const char *expected)
{
    prfdata_output_put(output, "", 1);
    assert_false(output->failed);
    assert_string_equal(output->bytes, expected);
    prfdata_output_clear(output);
}

typedef struct columns_fixture {
    wire w;
    prfdata_titles titles;
    uint16_t computer[3];
    prfdata_sample *sample;
    prfdata_columns columns;
    prfdata_output output;
} columns_fixture;

static int begin(void **state)
{
    columns_fixture *f = calloc(1, sizeof *f);

    assert_non_null(f);
    name_titles(&f->titles.english);
    prfdata_columns_init(&f->columns, &f->titles, ascii_text("PC", f->computer));
    make_block(&f->w, 10);
    f->sample = wire_sample(&f->w);
    *state = f;
    return 0;
}

static int end(void **state)
{
    columns_fixture *f = *state;

    prfdata_output_free(&f->output);
    prfdata_columns_free(&f->columns);
    prfdata_sample_free(f->sample);
    prfdata_titles_free(&f->titles);
    free(f);
    return 0;
}

/* ---- Samples ---- */

static void test_sample_labels_tell_instances_apart(void **state)
{
    static const char *const labels[] = {"longer/one", "ab/one", "longer/ONE#1",
                                         "5",          "far",    "lost"};
    static const bool lack[] = {false, false, false, false, true, true};
    columns_fixture *f = *state;
    const prfdata_sample_object *steps = prfdata_sample_find_object(f->sample, 200);
    uint16_t chars[32];

    assert_non_null(steps);
    assert_int_equal(steps->instance_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        const prfdata_sample_instance *instance = &steps->instances[i];

        assert_true(prfdata_text_equal(instance->label, ascii_text(labels[i], chars)));
        assert_int_equal(instance->lacks_parent, lack[i]);
        assert_ptr_equal(prfdata_sample_find_instance(steps, ascii_text(labels[i], chars)),
                         instance);
    }
    assert_null(prfdata_sample_find_instance(steps, ascii_text("one", chars)));
    assert_null(prfdata_sample_find_instance(steps, ascii_text("ab/one#1", chars)));
}

static void test_sample_many_equal_names_numbered_in_order(void **state)
{
    wire w;
    size_t object;
    prfdata_sample *sample;

    (void)state;
    wire_begin(&w, 1);
    object = wire_object(&w, 100, 1, 12, 0);
    wire_counter(&w, 102, 0x00010000, 4, 4);
    for (uint32_t i = 0; i < 12; i++) {
        wire_instance(&w, 0, 0, -1, "x");
        wire_value32(&w, i);
    }
    wire_object_end(&w, object);
    wire_end(&w);
    sample = wire_sample(&w);
    for (uint32_t i = 0; i < 12; i++) {
        char label[8] = "x";
        uint16_t chars[8];
        const prfdata_sample_instance *instance;

        if (i > 0)
            snprintf(label, sizeof label, "X#%u", (unsigned)i);
        instance = prfdata_sample_find_instance(&sample->objects[0], ascii_text(label, chars));
        assert_ptr_equal(instance, &sample->objects[0].instances[i]);
    }
    prfdata_sample_free(sample);
}

static void test_sample_damaged_instance_keeps_its_position(void **state)
{
    wire w;
    size_t first;
    prfdata_sample *sample;
    prfdata_columns columns;
    const prfdata_titles titles = {.version = 0};
    const prfdata_sample_object *object;
    uint16_t chars[8];

    (void)state;
    prfdata_columns_init(&columns, &titles, ascii_text("PC", chars));
    wire_begin(&w, 1);
    first = 96 + 224;
    wire_worked_example(&w, 10);
    wire_end(&w);
    wire_patch32(&w, first + 20, 100); /* NameLength of "ab" */
    sample = wire_sample(&w);
    object = &sample->objects[0];
    assert_int_equal(sample->damage_count, 1);
    assert_int_equal(sample->damage.offset, first + 20);
    assert_int_equal(object->instance_count, 2);
    assert_int_equal(object->found_count, 1);
    assert_true(object->instances[0].damaged);
    assert_ptr_equal(prfdata_sample_find_instance(object, ascii_text("longer", chars)),
                     &object->instances[1]);
    assert_int_equal(add_path(&columns, sample, "\\100(*)\\104"), PRFDATA_STATUS_OK);
    assert_int_equal(columns.count, 1);
    prfdata_columns_free(&columns);
    prfdata_sample_free(sample);
}

static void test_sample_every_corrupt_byte_survived(void **state)
{
    static const unsigned char flips[] = {0x01, 0x04, 0x10, 0x80, 0xFF};
    columns_fixture *f = *state;

    for (size_t i = 0; i < f->w.used; i++) {
        for (size_t flip = 0; flip < sizeof flips; flip++) {
            wire w = f->w;
            prfdata_sample *sample;
            prfdata_columns columns;

            prfdata_columns_init(&columns, &f->titles, ascii_text("PC", f->computer));
            w.bytes[i] ^= flips[flip];
            sample = wire_sample(&w);
            (void)add_path(&columns, sample, "\\Steps(*)\\*");
            (void)add_path(&columns, sample, "\\Jobs(*)\\*");
            (void)add_path(&columns, sample, "\\Machine\\*");
            (void)prfdata_columns_compute(&columns, f->sample, sample, true);
            prfdata_columns_free(&columns);
            prfdata_sample_free(sample);
        }
    }
}

static void test_sample_every_truncation_survived(void **state)
{
    columns_fixture *f = *state;

    for (size_t size = 1; size < f->w.used; size++) {
        prfdata_sample *sample = NULL;
        void *bytes = malloc(size);

        assert_non_null(bytes);
        memcpy(bytes, f->w.bytes, size);
        assert_int_equal(prfdata_sample_make(bytes, size, &sample), ERROR_SUCCESS);
        assert_true(sample->damage_count > 0);
        prfdata_sample_free(sample);
    }
}

/* ---- Columns and CSV ---- */

static void test_columns_wildcards_expand_counter_by_counter(void **state)
{
    columns_fixture *f = *state;

    assert_int_equal(add_path(&f->columns, f->sample, "\\jobs(*)\\*"), PRFDATA_STATUS_OK);
    prfdata_csv_put_header(&f->output, &f->columns, PRFDATA_CSV_COMMA, (prfdata_text){NULL, 0}, 0);
    expect_output(&f->output, "\"(PDH-CSV 4.0)\""
                              ",\"\\\\PC\\Jobs(ab)\\Done/sec\",\"\\\\PC\\Jobs(longer)\\Done/sec\""
                              ",\"\\\\PC\\Jobs(ab)\\Waiting\",\"\\\\PC\\Jobs(longer)\\Waiting\""
                              ",\"\\\\PC\\Jobs(ab)\\sec/Job\",\"\\\\PC\\Jobs(longer)\\sec/Job\""
                              "\r\n");
}

static void test_columns_reason_for_finding_nothing(void **state)
{
    static const struct {
        const char *path;
        uint32_t status;
    } cases[] = {
        {"\\Nonsense\\Level", PRFDATA_STATUS_NO_OBJECT},
        {"\\Jobs(ab)\\Level", PRFDATA_STATUS_NO_COUNTER},
        {"\\Jobs(cd)\\Waiting", PRFDATA_STATUS_NO_INSTANCE},
        {"\\Jobs\\Waiting", PRFDATA_STATUS_NO_INSTANCE},
        {"\\Machine(*)\\Level", PRFDATA_STATUS_NO_INSTANCE},
        {"\\Machine\\Not Listed", PRFDATA_STATUS_NO_COUNTER},
        {"\\400(*)\\402", PRFDATA_STATUS_NO_INSTANCE},
        {"\\Machine\\level", PRFDATA_STATUS_OK},
        {"\\300\\302", PRFDATA_STATUS_OK},
        {"\\Steps(longer/one)\\Level", PRFDATA_STATUS_OK},
    };
    columns_fixture *f = *state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t before = f->columns.count;
        uint32_t status = add_path(&f->columns, f->sample, cases[i].path);

        if (status != cases[i].status ||
            f->columns.count - before != (status == PRFDATA_STATUS_OK ? 1 : 0))
            fail_msg("%s: %s", cases[i].path, prfdata_compute_status_name(status));
    }
}

/* Times are 5 s apart at 10 MHz. The values are those of wire_worked_example. */
static void test_columns_row_from_two_samples(void **state)
{
    static const uint16_t time[8] = {2026, 9, 2, 22, 21, 42, 32, 824};
    columns_fixture *f = *state;
    prfdata_sample *newer;
    wire w;

    make_block(&w, 10 + 500);
    wire_patch32(&w, 56, 50000000 + 50000000);
    newer = wire_sample(&w);
    (void)add_path(&f->columns, f->sample, "\\Jobs(ab)\\Done/sec");
    (void)add_path(&f->columns, f->sample, "\\Jobs(longer)\\Waiting");
    (void)add_path(&f->columns, f->sample, "\\Jobs(ab)\\sec/Job");
    (void)add_path(&f->columns, f->sample, "\\Machine\\Level");
    assert_int_equal(prfdata_columns_compute(&f->columns, f->sample, newer, true), ERROR_SUCCESS);
    prfdata_csv_put_row(&f->output, &f->columns, PRFDATA_CSV_COMMA, time, "-1");
    expect_output(&f->output, "\"09/22/2026 21:42:32.824\",\"100.000000\",\"21.000000\",\"-1\","
                              "\"-7.000000\"\r\n");
    assert_int_equal(f->columns.items[2].status, PRFDATA_STATUS_NO_DATA);

    assert_int_equal(prfdata_columns_compute(&f->columns, NULL, newer, true), ERROR_SUCCESS);
    prfdata_csv_put_row(&f->output, &f->columns, PRFDATA_CSV_COMMA, time, " ");
    expect_output(&f->output,
                  "\"09/22/2026 21:42:32.824\",\" \",\"21.000000\",\" \",\"-7.000000\"\r\n");
    assert_int_equal(f->columns.items[0].status, PRFDATA_STATUS_ONE_SAMPLE);
    prfdata_sample_free(newer);
}

static void test_columns_follow_their_instance(void **state)
{
    columns_fixture *f = *state;
    prfdata_sample *newer;
    wire w;
    size_t object;

    (void)add_path(&f->columns, f->sample, "\\Jobs(*)\\Waiting");
    (void)add_path(&f->columns, f->sample, "\\Machine\\Level");
    wire_begin(&w, 1);
    object = wire_object(&w, 100, 1, 2, 0);
    wire_counter(&w, 104, 0x00010000, 4, 4);
    for (uint32_t i = 0; i < 2; i++) {
        wire_instance(&w, 0, 0, -1, i == 0 ? "new" : "AB");
        wire_value32(&w, 70 + i);
    }
    wire_object_end(&w, object);
    wire_end(&w);
    newer = wire_sample(&w);
    assert_int_equal(prfdata_columns_compute(&f->columns, f->sample, newer, true), ERROR_SUCCESS);
    assert_int_equal(f->columns.items[0].status, PRFDATA_STATUS_OK);
    assert_true(f->columns.items[0].value.number == 71);
    assert_int_equal(f->columns.items[1].status, PRFDATA_STATUS_NO_INSTANCE);
    assert_int_equal(f->columns.items[2].status, PRFDATA_STATUS_NO_OBJECT);
    prfdata_sample_free(newer);
}

/* The second of three samples lacks the object. If that sample was not asked for the object
 * (`elsewhere`), the rate continues across the sample. Otherwise the rate begins anew. */
static void test_columns_continue_if_asked_elsewhere(void **state)
{
    columns_fixture *f = *state;

    (void)add_path(&f->columns, f->sample, "\\Jobs(ab)\\Done/sec");
    for (unsigned is_elsewhere = 0; is_elsewhere < 2; is_elsewhere++) {
        prfdata_sample *between;
        prfdata_sample *newer;
        wire w;

        wire_begin(&w, 0);
        wire_end(&w);
        between = wire_sample(&w);
        if (is_elsewhere) {
            assert_true(prfdata_title_index_begin(&between->elsewhere, 1));
            prfdata_title_index_add(&between->elsewhere, 100, 0);
            prfdata_title_index_sort(&between->elsewhere);
        }
        make_block(&w, 10 + 500);
        wire_patch32(&w, 56, 50000000 + 50000000);
        newer = wire_sample(&w);
        assert_int_equal(prfdata_columns_compute(&f->columns, NULL, f->sample, true), 0);
        assert_int_equal(prfdata_columns_compute(&f->columns, f->sample, between, true), 0);
        assert_int_equal(f->columns.items[0].status, PRFDATA_STATUS_NO_OBJECT);
        assert_int_equal(prfdata_columns_compute(&f->columns, between, newer, true), 0);
        assert_int_equal(f->columns.items[0].status,
                         is_elsewhere ? PRFDATA_STATUS_OK : PRFDATA_STATUS_ONE_SAMPLE);
        if (is_elsewhere)
            assert_true(f->columns.items[0].value.number == 100);
        prfdata_sample_free(between);
        prfdata_sample_free(newer);
    }
}

static void test_columns_header_of_files_has_time_zone(void **state)
{
    columns_fixture *f = *state;
    uint16_t zone[32];

    (void)add_path(&f->columns, f->sample, "\\Machine\\Level");
    prfdata_csv_put_header(&f->output, &f->columns, PRFDATA_CSV_COMMA,
                           ascii_text("Romance Standard Time", zone), -60);
    expect_output(&f->output, "\"(PDH-CSV 4.0) (Romance Standard "
                              "Time)(-60)\",\"\\\\PC\\Machine\\Level\"\r\n");
}

static void test_columns_quotes_in_names_doubled(void **state)
{
    columns_fixture *f = *state;
    wire w;
    size_t object;
    prfdata_sample *sample;

    wire_begin(&w, 1);
    object = wire_object(&w, 100, 1, 1, 0);
    wire_counter(&w, 104, 0x00010000, 4, 4);
    wire_instance(&w, 0, 0, -1, "a\"b");
    wire_value32(&w, 1);
    wire_object_end(&w, object);
    wire_end(&w);
    sample = wire_sample(&w);
    (void)add_path(&f->columns, sample, "\\Jobs(*)\\Waiting");
    prfdata_csv_put_header(&f->output, &f->columns, PRFDATA_CSV_COMMA, (prfdata_text){NULL, 0}, 0);
    expect_output(&f->output, "\"(PDH-CSV 4.0)\",\"\\\\PC\\Jobs(a\"\"b)\\Waiting\"\r\n");
    prfdata_sample_free(sample);
}

/* ---- Lists ---- */

static void test_list_with_stars_or_instances(void **state)
{
    columns_fixture *f = *state;

    for (uint32_t i = 0; i < f->sample->object_count; i++)
        prfdata_list_put(&f->output, &f->sample->objects[i], &f->titles.english, false);
    expect_output(&f->output, "\\Steps(*)\\Level\r\n"
                              "\\Jobs(*)\\Done/sec\r\n"
                              "\\Jobs(*)\\Waiting\r\n"
                              "\\Jobs(*)\\sec/Job\r\n"
                              "\\Machine\\Level\r\n"
                              "\\400(*)\\402\r\n");
    for (uint32_t i = 0; i < f->sample->object_count; i++)
        prfdata_list_put(&f->output, &f->sample->objects[i], &f->titles.english, true);
    expect_output(&f->output, "\\Steps(longer/one)\\Level\r\n"
                              "\\Steps(ab/one)\\Level\r\n"
                              "\\Steps(longer/ONE#1)\\Level\r\n"
                              "\\Steps(5)\\Level\r\n"
                              "\\Steps(far)\\Level\r\n"
                              "\\Steps(lost)\\Level\r\n"
                              "\\Jobs(ab)\\Done/sec\r\n"
                              "\\Jobs(longer)\\Done/sec\r\n"
                              "\\Jobs(ab)\\Waiting\r\n"
                              "\\Jobs(longer)\\Waiting\r\n"
                              "\\Jobs(ab)\\sec/Job\r\n"
                              "\\Jobs(longer)\\sec/Job\r\n"
                              "\\Machine\\Level\r\n"
                              "\\400(*)\\402\r\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

/* A name that a spreadsheet would compute gets an apostrophe. If apostrophes already precede the
 * formula, the name gets another one, so that a reader of the file can undo the change. */
static void test_csv_texts_are_no_formulas(void **state)
{
    static const char *const rows[][2] = {{"=1+1", "\"'=1+1\""},
                                          {"+a", "\"'+a\""},
                                          {"-a", "\"'-a\""},
                                          {"@a", "\"'@a\""},
                                          {"\ta", "\"'\ta\""},
                                          {"'=a", "\"''=a\""},
                                          {"a=1", "\"a=1\""},
                                          {"'a", "\"'a\""},
                                          {"", "\"\""},
                                          {"  =1", "\"'  =1\""},
                                          {"  a", "\"  a\""},
                                          {"' =1", "\"'' =1\""},
                                          {"\xC2\xA0=1", "\"'\xC2\xA0=1\""},
                                          {"\xE2\x80\x8B=1", "\"'\xE2\x80\x8B=1\""},
                                          {"\x01@a", "\"'\x01@a\""},
                                          {"\xEF\xBC\x9D"
                                           "1",
                                           "\"'\xEF\xBC\x9D"
                                           "1\""},
                                          {"\xF0\x9F\x98\x80=1", "\"\xF0\x9F\x98\x80=1\""}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint16_t chars[20];
        prfdata_output output = {0};

        prfdata_csv_put_text(
            &output, (prfdata_text){
                         chars, prfdata_text_from_utf8(rows[i][0], strlen(rows[i][0]), chars, 20)});
        prfdata_output_put(&output, "", 1);
        assert_string_equal(output.bytes, rows[i][1]);
        prfdata_output_free(&output);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv_texts_are_no_formulas),
        TEST(test_sample_labels_tell_instances_apart),
        TEST(test_sample_many_equal_names_numbered_in_order),
        TEST(test_sample_damaged_instance_keeps_its_position),
        TEST(test_sample_every_corrupt_byte_survived),
        TEST(test_sample_every_truncation_survived),
        TEST(test_columns_wildcards_expand_counter_by_counter),
        TEST(test_columns_reason_for_finding_nothing),
        TEST(test_columns_row_from_two_samples),
        TEST(test_columns_follow_their_instance),
        TEST(test_columns_continue_if_asked_elsewhere),
        TEST(test_columns_header_of_files_has_time_zone),
        TEST(test_columns_quotes_in_names_doubled),
        TEST(test_list_with_stars_or_instances),
    };

    return cmocka_run_group_tests_name("columns", tests, NULL, NULL);
}
