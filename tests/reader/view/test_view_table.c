/* SPDX-License-Identifier: MIT */
/* Tests the table: rows that come, go and are sorted. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "view/table.h"
#include "view_sample.h"

static const prfdata_number_style english = {'.', ','};

/* Return the labels of the visible rows, with blanks between them. */
static const char *labels_of(const prfdata_table *table)
{
    static char text[200];
    size_t used = 0;

    for (uint32_t i = 0; i < table->shown_count; i++) {
        uint16_t chars[40];
        const size_t count = prfdata_table_text(table, i, PRFDATA_TABLE_LABEL, english, chars, 40);

        if (i > 0)
            text[used++] = ' ';
        for (size_t k = 0; k < count; k++)
            text[used++] = (char)chars[k];
    }
    text[used] = 0;
    return text;
}

static bool shows(const prfdata_table *table, uint32_t row, uint32_t column, const char *expected)
{
    uint16_t chars[60];
    const size_t count = prfdata_table_text(table, row, column, english, chars, 60);

    return ascii_text_is((prfdata_text){chars, count}, expected);
}

/* Update the table from two samples. Returns whether its columns changed. */
static bool update_table(prfdata_table *table, prfdata_sample *older, prfdata_sample *newer)
{
    bool columns = false;

    assert_int_equal(prfdata_table_update(table, older, newer, true, &columns), ERROR_SUCCESS);
    return columns;
}

typedef struct table_scene {
    prfdata_titles titles;
    prfdata_table table;
    prfdata_sample *older;
    prfdata_sample *newer;
} table_scene;

static void begin_scene_table(table_scene *s)
{
    static const view_row before[] = {{"b", 3, 1000}, {"a", 1, 500}, {"idle", 0, 7}};
    static const view_row now[] = {{"b", 3, 3000}, {"a", 2, 600}, {"idle", 0, 7}};

    s->titles = view_titles();
    prfdata_table_init(&s->table, &s->titles);
    prfdata_table_choose(&s->table, QUEUE);
    s->older = view_sample(1, before, 3);
    s->newer = view_sample(2, now, 3);
    assert_true(update_table(&s->table, NULL, s->older));
    assert_false(update_table(&s->table, s->older, s->newer));
}

static void end_scene_table(table_scene *s)
{
    prfdata_table_free(&s->table);
    prfdata_sample_free(s->older);
    prfdata_sample_free(s->newer);
    prfdata_titles_free(&s->titles);
}

static void test_table_shows_instances_and_counters(void **state)
{
    table_scene s;

    (void)state;
    begin_scene_table(&s);
    assert_int_equal(s.table.column_count, 2);
    assert_true(ascii_text_is(s.table.columns[1].name, "Bytes/sec"));
    assert_int_equal(s.table.columns[1].unit, PRFDATA_NUMBER_BYTES_PER_SECOND);
    assert_string_equal(labels_of(&s.table), "a b idle");
    assert_true(shows(&s.table, 0, 0, "2") && shows(&s.table, 0, 1, "100.0"));
    assert_true(shows(&s.table, 1, 0, "3") && shows(&s.table, 1, 1, "2,000"));
    s.table.shows_raw = true;
    assert_true(shows(&s.table, 1, 1, "3,000"));
    assert_int_equal(prfdata_table_counter(&s.table, 0, 1), RATE);
    assert_true(shows(&s.table, 3, 0, "") && shows(&s.table, 0, 2, ""));
    end_scene_table(&s);
}

static void test_table_marks_what_changed_and_what_is_idle(void **state)
{
    table_scene s;

    (void)state;
    begin_scene_table(&s);
    assert_true(prfdata_table_cell_at(&s.table, 0, 0)->has_changed);  /* a: it was 1, and is 2 */
    assert_false(prfdata_table_cell_at(&s.table, 1, 0)->has_changed); /* b: it was and is 3 */
    assert_false(s.table.shown[0]->life.is_idle);
    assert_true(s.table.shown[2]->life.is_idle); /* its rate is 0 */
    s.table.hides_idle = true;
    assert_true(prfdata_table_arrange(&s.table));
    assert_string_equal(labels_of(&s.table), "a b");
    end_scene_table(&s);
}

static void test_table_first_sample_has_no_rates(void **state)
{
    table_scene s;

    (void)state;
    begin_scene_table(&s);
    assert_false(update_table(&s.table, NULL, s.newer));
    assert_true(shows(&s.table, 0, 1, "wait"));
    assert_int_equal(prfdata_table_cell_at(&s.table, 0, 1)->status, PRFDATA_STATUS_ONE_SAMPLE);
    end_scene_table(&s);
}

static void test_table_sorts_by_value_both_ways(void **state)
{
    table_scene s;

    (void)state;
    begin_scene_table(&s);
    s.table.sort_column = 1;
    assert_true(prfdata_table_arrange(&s.table));
    assert_string_equal(labels_of(&s.table), "idle a b");
    s.table.sorts_descending = true;
    assert_true(prfdata_table_arrange(&s.table));
    assert_string_equal(labels_of(&s.table), "b a idle");
    s.table.sort_column = PRFDATA_TABLE_LABEL;
    assert_true(prfdata_table_arrange(&s.table));
    assert_string_equal(labels_of(&s.table), "idle b a");
    end_scene_table(&s);
}

static void test_table_sorts_whole_numbers_that_doubles_cannot_tell(void **state)
{
    static const char *const names[] = {"above", "below"};
    prfdata_titles titles = view_titles();
    prfdata_sample *sample;
    prfdata_table table;
    size_t object;
    size_t values;
    wire w;

    (void)state;
    wire_begin(&w, 1);
    object = wire_object(&w, QUEUE, 1, 2, 0);
    wire_counter(&w, DEPTH, PERF_COUNTER_LARGE_RAWCOUNT, 8, 8);
    for (uint32_t i = 0; i < 2; i++) {
        wire_instance(&w, 0, 0, -1, names[i]);
        values = wire_values(&w);
        wire_put32(&w, 0);
        wire_put64(&w, (UINT64_C(1) << 53) + 1 - i);
        wire_values_end(&w, values);
    }
    wire_object_end(&w, object);
    wire_end(&w);
    sample = wire_sample(&w);
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    table.sort_column = 0;
    (void)update_table(&table, NULL, sample);
    assert_string_equal(labels_of(&table), "below above");
    prfdata_table_free(&table);
    prfdata_sample_free(sample);
    prfdata_titles_free(&titles);
}

/* Texts are sorted as texts. A damaged cell has no text. */
static void test_table_shows_and_sorts_texts(void **state)
{
    static const char *const names[] = {"first", "second", "damaged"};
    static const char *const texts[] = {"wait", "Busy", "wait"};
    prfdata_titles titles = view_titles();
    prfdata_sample *sample;
    prfdata_table table;
    size_t object;
    wire w;

    (void)state;
    wire_begin(&w, 1);
    object = wire_object(&w, QUEUE, 1, 3, 0);
    wire_counter(&w, DEPTH, PERF_COUNTER_TEXT, 10, 4);
    for (uint32_t i = 0; i < 3; i++) {
        size_t values;

        wire_instance(&w, 0, 0, -1, names[i]);
        values = wire_values(&w);
        for (size_t k = 0; i < 2 && k < 5; k++)
            wire_put16(&w, (uint16_t)texts[i][k]);
        wire_put16(&w, 0);
        wire_values_end(&w, values);
    }
    wire_object_end(&w, object);
    wire_end(&w);
    sample = wire_sample(&w);
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    table.sort_column = 0;
    (void)update_table(&table, NULL, sample);
    (void)update_table(&table, sample, sample);
    assert_string_equal(labels_of(&table), "second first damaged");
    assert_true(shows(&table, 0, 0, "Busy"));
    assert_true(shows(&table, 1, 0, "wait"));
    assert_true(shows(&table, 2, 0, "damaged"));
    assert_int_equal(prfdata_table_cell_at(&table, 2, 0)->status, PRFDATA_STATUS_INVALID_DATA);
    assert_true(table.shown[2]->life.is_idle);
    assert_false(table.shown[1]->life.is_idle);
    prfdata_table_free(&table);
    prfdata_sample_free(sample);
    prfdata_titles_free(&titles);
}

static void test_table_rates_stay_with_instances_that_change_places(void **state)
{
    static const view_row then[] = {{"a", 1, 100}, {"b", 1, 1000}};
    static const view_row now[] = {{"b", 1, 1300}, {"a", 1, 150}};
    prfdata_sample *older = view_sample(1, then, 2);
    prfdata_sample *newer = view_sample(2, now, 2);
    prfdata_titles titles = view_titles();
    prfdata_table table;

    (void)state;
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    (void)update_table(&table, older, newer);
    assert_string_equal(labels_of(&table), "a b");
    assert_true(shows(&table, 0, 1, "50.00") && shows(&table, 1, 1, "300.0"));
    prfdata_sample_free(older);
    prfdata_sample_free(newer);
    prfdata_table_free(&table);
    prfdata_titles_free(&titles);
}

/* A row that becomes idle stays for two more samples. Then it is hidden until it has values
 * again. */
static void test_table_hides_what_is_idle_for_a_while(void **state)
{
    static const uint32_t bytes[] = {100, 100, 150, 150, 150, 150, 200};
    static const uint32_t counts[] = {0, 0, 1, 1, 1, 0, 1};
    prfdata_titles titles = view_titles();
    prfdata_sample *older = NULL;
    prfdata_table table;

    (void)state;
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    table.hides_idle = true;
    for (uint32_t i = 0; i < 7; i++) {
        const view_row row = {"a", 0, bytes[i]};
        prfdata_sample *newer = view_sample(i + 1, &row, 1);

        (void)update_table(&table, older, newer);
        assert_int_equal(table.shown_count, counts[i]);
        prfdata_sample_free(older);
        older = newer;
    }
    prfdata_sample_free(older);
    prfdata_table_free(&table);
    prfdata_titles_free(&titles);
}

static void test_table_has_its_total_first(void **state)
{
    static const view_row now[] = {{"Z", 9, 9}, {"a", 2, 600}, {"_Total", 5, 609}, {"0", 1, 1}};
    prfdata_sample *newer = view_sample(2, now, 4);
    prfdata_titles titles = view_titles();
    prfdata_table table;

    (void)state;
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    (void)update_table(&table, NULL, newer);
    assert_string_equal(labels_of(&table), "_Total 0 a Z");
    table.sort_column = 0;
    table.sorts_descending = true;
    assert_true(prfdata_table_arrange(&table));
    assert_string_equal(labels_of(&table), "_Total Z a 0");
    /* All instances came with the object, so none counts as new. */
    assert_false(table.shown[1]->life.is_new);
    prfdata_table_free(&table);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

/* If the table shows an earlier time, instances that began later have no numbers. No row counts as
 * new. */
static void test_table_of_another_time_has_no_numbers_of_this(void **state)
{
    static const view_row then[] = {{"a", 0, 100}, {"long gone", 5, 5}};
    prfdata_sample *past = view_sample(1, then, 2);
    bool columns;
    table_scene s;

    (void)state;
    begin_scene_table(&s);
    s.table.shown[1]->is_selected = true; /* selects b */
    assert_int_equal(prfdata_table_update(&s.table, NULL, past, false, &columns), ERROR_SUCCESS);
    assert_string_equal(labels_of(&s.table), "a b long gone");
    assert_true(shows(&s.table, 0, 0, "0") && s.table.shown[0]->life.is_idle);
    assert_true(shows(&s.table, 1, 0, "") && !s.table.shown[1]->life.is_present);
    s.table.shows_raw = true;
    assert_true(shows(&s.table, 1, 0, ""));
    assert_false(s.table.shown[2]->life.is_new);
    assert_int_equal(s.table.present_count, 2);
    assert_int_equal(s.table.shown_present_count, 2);
    /* From here on the table follows the samples again. */
    assert_false(update_table(&s.table, past, s.newer));
    assert_string_equal(labels_of(&s.table), "a b idle long gone");
    assert_false(s.table.shown[0]->life.is_new);
    assert_true(s.table.shown[2]->life.is_new);
    /* The row of the ended instance stays for some samples. */
    assert_true(shows(&s.table, 3, 0, "5"));
    assert_int_equal(prfdata_table_update(&s.table, NULL, NULL, false, &columns), ERROR_SUCCESS);
    assert_string_equal(labels_of(&s.table), "b");
    assert_true(shows(&s.table, 0, 0, "") && !s.table.is_present);
    prfdata_sample_free(past);
    end_scene_table(&s);
}

static void test_table_sorts_rows_without_value_last(void **state)
{
    static const view_row now[] = {{"new", 9, 9}, {"a", 2, 600}};
    prfdata_sample *newer = view_sample(2, now, 2);
    table_scene s;

    (void)state;
    begin_scene_table(&s);
    s.table.sort_column = 1;
    for (int i = 0; i < 3; i++) /* until rows of ended instances are removed */
        (void)update_table(&s.table, s.older, newer);
    assert_string_equal(labels_of(&s.table), "a new");
    s.table.sorts_descending = true;
    assert_true(prfdata_table_arrange(&s.table));
    assert_string_equal(labels_of(&s.table), "a new");
    prfdata_sample_free(newer);
    end_scene_table(&s);
}

static void test_table_filters_labels(void **state)
{
    uint16_t chars[10];
    table_scene s;

    (void)state;
    begin_scene_table(&s);
    assert_true(prfdata_table_set_filter(&s.table, ascii_text("DL", chars)));
    assert_true(prfdata_table_arrange(&s.table));
    assert_string_equal(labels_of(&s.table), "idle");
    assert_true(prfdata_table_set_filter(&s.table, (prfdata_text){0}));
    assert_true(prfdata_table_arrange(&s.table));
    assert_int_equal(s.table.shown_count, 3);
    end_scene_table(&s);
}

/* An instance keeps its row while it exists. A selected row stays after that. */
static void test_table_rows_survive_instances_that_come_and_go(void **state)
{
    static const view_row now[] = {{"aa", 9, 9}, {"b", 4, 4000}};
    prfdata_sample *newer = view_sample(3, now, 2);
    prfdata_table_row *b;
    table_scene s;

    (void)state;
    begin_scene_table(&s);
    b = s.table.shown[1];
    s.table.shown[0]->is_selected = true;
    (void)update_table(&s.table, s.newer, newer);
    assert_string_equal(labels_of(&s.table), "a aa b idle");
    assert_ptr_equal(s.table.shown[2], b);
    assert_true(s.table.shown[1]->life.is_new && !b->life.is_new);
    assert_false(s.table.shown[0]->life.is_present || s.table.shown[3]->life.is_present);
    (void)update_table(&s.table, s.newer, newer);
    assert_int_equal(s.table.shown_count, 4); /* the ended "idle" is still there */
    (void)update_table(&s.table, s.newer, newer);
    assert_string_equal(labels_of(&s.table), "a aa b");
    s.table.shown[0]->is_selected = false;
    (void)update_table(&s.table, s.newer, newer);
    assert_string_equal(labels_of(&s.table), "aa b");
    assert_false(s.table.shown[0]->life.is_new);
    for (int i = 0; i < 3; i++)
        (void)update_table(&s.table, newer, s.newer);
    assert_string_equal(labels_of(&s.table), "a b idle");
    assert_ptr_equal(s.table.shown[1], b);
    prfdata_sample_free(newer);
    end_scene_table(&s);
}

static void test_table_of_an_object_without_instances_has_counters_as_rows(void **state)
{
    prfdata_titles titles = view_titles();
    prfdata_sample *sample;
    prfdata_table table;
    size_t object;
    wire w;

    (void)state;
    wire_begin(&w, 1);
    object = wire_object(&w, SOLO, 3, -1, 0);
    wire_counter(&w, RATE, PERF_COUNTER_BULK_COUNT, 8, 8);
    wire_counter(&w, DEPTH, PERF_COUNTER_RAWCOUNT, 4, 4);
    wire_counter(&w, 998, PERF_COUNTER_RAWCOUNT_HEX, 4, 4); /* this title has no name */
    view_values(&w, 11, 22);
    wire_object_end(&w, object);
    wire_end(&w);
    sample = wire_sample(&w);
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, SOLO);
    assert_true(update_table(&table, NULL, sample));
    assert_false(update_table(&table, sample, sample));
    assert_string_equal(labels_of(&table), "998 Bytes/sec Depth");
    assert_true(shows(&table, 0, 0, "Bh"));
    assert_true(shows(&table, 2, 0, "11"));
    assert_int_equal(prfdata_table_counter(&table, 2, 0), DEPTH);
    prfdata_table_choose(&table, QUEUE); /* the sample does not have this object */
    (void)update_table(&table, NULL, sample);
    assert_false(table.is_present);
    assert_int_equal(table.shown_count, 0);
    prfdata_table_free(&table);
    prfdata_sample_free(sample);
    prfdata_titles_free(&titles);
}

/* Make a sample whose counters are in this order. A reply may reorder counters or lack some. */
static prfdata_sample *sample_with_counters(const uint32_t *titles, uint32_t count)
{
    static wire w;
    size_t object;
    size_t values;

    memset(&w, 0, sizeof w);
    wire_begin(&w, 1);
    object = wire_object(&w, QUEUE, count, 1, 0);
    for (uint32_t i = 0; i < count; i++)
        wire_counter(&w, titles[i], PERF_COUNTER_RAWCOUNT, 4, 4 + 4 * i);
    wire_instance(&w, 0, 0, -1, "a");
    values = wire_values(&w);
    for (uint32_t i = 0; i < count; i++)
        wire_put32(&w, titles[i]);
    wire_values_end(&w, values);
    wire_object_end(&w, object);
    wire_end(&w);
    return wire_sample(&w);
}

static void test_table_sorts_by_the_same_counter_in_other_columns(void **state)
{
    static const uint32_t first[] = {DEPTH, RATE};
    static const uint32_t then[] = {HELP, DEPTH, RATE};
    static const uint32_t without[] = {HELP, RATE};
    prfdata_titles titles = view_titles();
    prfdata_table table;
    prfdata_sample *samples[3] = {sample_with_counters(first, 2), sample_with_counters(then, 3),
                                  sample_with_counters(without, 2)};

    (void)state;
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    assert_true(update_table(&table, NULL, samples[0]));
    table.sort_column = 0;
    table.sorts_descending = true;
    assert_true(update_table(&table, NULL, samples[1]));
    assert_int_equal(table.sort_column, 1);
    assert_true(table.sorts_descending);
    assert_true(update_table(&table, NULL, samples[2]));
    assert_int_equal(table.sort_column, PRFDATA_TABLE_LABEL);
    assert_false(table.sorts_descending); /* sorted from A on, as at the beginning */
    for (size_t i = 0; i < 3; i++)
        prfdata_sample_free(samples[i]);
    prfdata_table_free(&table);
    prfdata_titles_free(&titles);
}

static void test_table_sorts_many_rows(void **state)
{
    static char names[90][8];
    view_row rows[90];
    prfdata_titles titles = view_titles();
    prfdata_sample *sample;
    prfdata_table table;

    (void)state;
    for (uint32_t i = 0; i < 90; i++) {
        snprintf(names[i], sizeof names[i], "n%02u", (unsigned)(i * 37 % 90));
        rows[i] = (view_row){names[i], i * 61 % 17, 0};
    }
    sample = view_sample(1, rows, 90);
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    table.sort_column = 0;
    (void)update_table(&table, NULL, sample);
    assert_int_equal(table.shown_count, 90);
    for (uint32_t i = 1; i < 90; i++) {
        const prfdata_table_row *a = table.shown[i - 1];
        const prfdata_table_row *b = table.shown[i];

        assert_true(
            a->cells[0].raw < b->cells[0].raw ||
            (a->cells[0].raw == b->cells[0].raw && prfdata_text_compare(a->label, b->label) < 0));
    }
    prfdata_table_free(&table);
    prfdata_sample_free(sample);
    prfdata_titles_free(&titles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_shows_instances_and_counters),
        cmocka_unit_test(test_table_marks_what_changed_and_what_is_idle),
        cmocka_unit_test(test_table_first_sample_has_no_rates),
        cmocka_unit_test(test_table_sorts_by_value_both_ways),
        cmocka_unit_test(test_table_sorts_whole_numbers_that_doubles_cannot_tell),
        cmocka_unit_test(test_table_of_another_time_has_no_numbers_of_this),
        cmocka_unit_test(test_table_shows_and_sorts_texts),
        cmocka_unit_test(test_table_rates_stay_with_instances_that_change_places),
        cmocka_unit_test(test_table_hides_what_is_idle_for_a_while),
        cmocka_unit_test(test_table_has_its_total_first),
        cmocka_unit_test(test_table_sorts_rows_without_value_last),
        cmocka_unit_test(test_table_filters_labels),
        cmocka_unit_test(test_table_rows_survive_instances_that_come_and_go),
        cmocka_unit_test(test_table_of_an_object_without_instances_has_counters_as_rows),
        cmocka_unit_test(test_table_sorts_by_the_same_counter_in_other_columns),
        cmocka_unit_test(test_table_sorts_many_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
