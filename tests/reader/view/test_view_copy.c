/* SPDX-License-Identifier: MIT */
/* Tests what the clipboard gets: fields with tabs between them, as they are shown. */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "view/copy.h"
#include "view_sample.h"

static const prfdata_number_style german = {',', '.'};

/* Return a text that lives as long as the program. */
static prfdata_text words_of(const char *text)
{
    static uint16_t chars[20][20];
    static size_t used;

    assert_true(used < 20 && strlen(text) <= 20);
    return ascii_text(text, chars[used++]);
}

static prfdata_copy_words all_words(void)
{
    static prfdata_copy_words words;

    if (words.instance.count == 0)
        words = (prfdata_copy_words){.instance = words_of("Instanz"),
                                     .counter = words_of("Indikator"),
                                     .value = words_of("Wert"),
                                     .help = words_of("Bedeutung"),
                                     .line = words_of("Linie"),
                                     .last = words_of("Neu"),
                                     .least = words_of("Min"),
                                     .mean = words_of("Mittel"),
                                     .most = words_of("Max")};
    return words;
}

/* Numbers have the user's form and all digits, and a missing number is shown as its reason. A tab
 * in a name does not begin a field. */
static void test_view_copy_table_is_what_is_shown(void **state)
{
    static const view_row before[] = {{"a\tb", 1234567, 0}, {"c", 2, 5}};
    static const view_row now[] = {{"a\tb", 1234567, 1500}, {"c", 2, 1}};
    const prfdata_copy_words words = all_words();
    prfdata_titles titles = view_titles();
    prfdata_sample *older = view_sample(1, before, 2);
    prfdata_sample *newer = view_sample(3, now, 2);
    prfdata_output output = {0};
    prfdata_table table;
    bool columns;

    (void)state;
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    assert_int_equal(prfdata_table_update(&table, older, newer, true, &columns), ERROR_SUCCESS);
    prfdata_copy_table(&output, &table, &words, german, false);
    assert_string_equal(view_text_of(&output), "Instanz\tDepth\tBytes/sec\r\n"
                                               "a b\t1.234.567\t750,0\r\n"
                                               "c\t2\trestarted\r\n");
    prfdata_output_free(&output);
    table.columns[0].is_hidden = true;
    table.shown[1]->is_selected = true;
    table.shows_raw = true;
    prfdata_copy_table(&output, &table, &words, german, true);
    assert_string_equal(view_text_of(&output), "Instanz\tBytes/sec\r\nc\t1\r\n");
    prfdata_output_free(&output);
    prfdata_table_free(&table);
    prfdata_sample_free(older);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

/* A heading has the unit of the values below it, unless the counter's name says the unit. The raw
 * values of a rate are counts, so their heading has no unit. */
static void test_view_copy_headings_have_units(void **state)
{
    static const view_row before[] = {{"a", 1, 0}};
    static const view_row now[] = {{"a", 1, 1500}};
    const prfdata_copy_words words = all_words();
    prfdata_titles titles = {0};
    prfdata_sample *older = view_sample(1, before, 1);
    prfdata_sample *newer = view_sample(3, now, 1);
    prfdata_output output = {0};
    prfdata_table table;
    bool columns;

    (void)state;
    view_title(&titles.english, QUEUE, "Queue");
    view_title(&titles.english, DEPTH, "Depth");
    view_title(&titles.english, RATE, "Orders");
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    assert_int_equal(prfdata_table_update(&table, older, newer, true, &columns), ERROR_SUCCESS);
    prfdata_copy_table(&output, &table, &words, german, false);
    assert_string_equal(view_text_of(&output), "Instanz\tDepth\tOrders (/s)\r\na\t1\t750,0\r\n");
    prfdata_output_free(&output);
    table.shows_raw = true;
    prfdata_copy_table(&output, &table, &words, german, false);
    assert_string_equal(view_text_of(&output), "Instanz\tDepth\tOrders\r\na\t1\t1.500\r\n");
    prfdata_output_free(&output);
    prfdata_table_free(&table);
    prfdata_sample_free(older);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

/* A spreadsheet treats pasted text as if it was typed, so a name must not look like a formula.
 * Negative numbers stay numbers. */
static void test_view_copy_names_are_no_formulas(void **state)
{
    static const view_row now[] = {{"=cmd|' /C calc'!A0", 1, 0}, {" +1", 2, 5}, {"\t@x", 3, 5}};
    const prfdata_copy_words words = all_words();
    prfdata_titles titles = view_titles();
    prfdata_sample *newer = view_sample(1, now, 3);
    prfdata_output output = {0};
    prfdata_table table;
    bool columns;

    (void)state;
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    assert_int_equal(prfdata_table_update(&table, NULL, newer, true, &columns), ERROR_SUCCESS);
    table.columns[1].is_hidden = true;
    prfdata_copy_table(&output, &table, &words, german, false);
    assert_string_equal(view_text_of(&output), "Instanz\tDepth\r\n"
                                               "' @x\t3\r\n"
                                               "' +1\t2\r\n"
                                               "'=cmd|' /C calc'!A0\t1\r\n");
    prfdata_output_free(&output);
    prfdata_table_free(&table);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

/* If a field begins with a quotation mark, a spreadsheet takes everything up to the next quotation
 * mark as one field, even other fields and rows. So such a name is put in quotation marks. Other
 * quotation marks have no meaning. */
static void test_view_copy_names_with_quotation_marks(void **state)
{
    static const view_row now[] = {{"\"", 1, 0}, {"\"a\"\tb", 2, 5}, {"c \"d\"", 3, 5}};
    const prfdata_copy_words words = all_words();
    prfdata_titles titles = view_titles();
    prfdata_sample *newer = view_sample(1, now, 3);
    prfdata_output output = {0};
    prfdata_table table;
    bool columns;

    (void)state;
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    assert_int_equal(prfdata_table_update(&table, NULL, newer, true, &columns), ERROR_SUCCESS);
    table.columns[1].is_hidden = true;
    prfdata_copy_table(&output, &table, &words, german, false);
    assert_string_equal(view_text_of(&output), "Instanz\tDepth\r\n"
                                               "\"\"\"\"\t1\r\n"
                                               "\"\"\"a\"\" b\"\t2\r\n"
                                               "c \"d\"\t3\r\n");
    prfdata_output_free(&output);
    prfdata_table_free(&table);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

static void test_view_copy_lines_have_path_and_statistics(void **state)
{
    static const double values[] = {1.5, 2.5, 1000};
    const prfdata_copy_words words = all_words();
    const prfdata_chart_key first = {QUEUE, RATE, words_of("a")};
    const prfdata_chart_key second = {QUEUE, DEPTH, words_of("a")};
    prfdata_output output = {0};
    prfdata_chart chart;
    uint32_t at;

    (void)state;
    prfdata_chart_init(&chart);
    assert_int_equal(prfdata_chart_add(&chart, &first, words_of("\\Queue(a)\\Rate"),
                                       PRFDATA_NUMBER_PER_SECOND, 0, &at),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_chart_add(&chart, &second, words_of("\\Queue(a)\\Depth"),
                                       PRFDATA_NUMBER_NONE, 1, &at),
                     ERROR_SUCCESS);
    chart.series[1]->is_hidden = true;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(prfdata_chart_add_time(&chart, 1000 * (i + 1)), ERROR_SUCCESS);
        chart.series[0]->values[i] = values[i];
    }
    prfdata_copy_lines(&output, &chart, &words, german);
    assert_string_equal(view_text_of(&output),
                        "Linie\tNeu\tMin\tMittel\tMax\r\n"
                        "\\Queue(a)\\Rate\t1.000/s\t1,50/s\t334,7/s\t1.000/s\r\n");
    prfdata_output_free(&output);
    chart.series[0]->values[2] = (double)NAN;
    prfdata_copy_lines(&output, &chart, &words, german);
    assert_string_equal(view_text_of(&output), "Linie\tNeu\tMin\tMittel\tMax\r\n"
                                               "\\Queue(a)\\Rate\t\t1,50/s\t2,00/s\t2,50/s\r\n");
    prfdata_output_free(&output);
    prfdata_chart_free(&chart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view_copy_table_is_what_is_shown),
        cmocka_unit_test(test_view_copy_headings_have_units),
        cmocka_unit_test(test_view_copy_names_are_no_formulas),
        cmocka_unit_test(test_view_copy_names_with_quotation_marks),
        cmocka_unit_test(test_view_copy_lines_have_path_and_statistics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
