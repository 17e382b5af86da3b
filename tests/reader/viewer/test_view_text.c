/* SPDX-License-Identifier: MIT */
/* Tests texts: details, CSV and the workspace, and how the command line is read. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>

#include "map/counter_types.h"
#include "reader/view/view_sample.h"
#include "support/sampled.h"
#include "text/words.h"
#include "view/cell.h"
#include "view/details.h"
#include "view/export.h"
#include "viewer/column_notes.h"
#include "viewer/view_options.h"
#include "viewer/workspace.h"

/* ---- Details ---- */

static const prfdata_number_style english = {'.', ','};
static const prfdata_number_style german = {',', '.'};

static void test_details_have_formula_with_numbers_samples_and_bytes(void **state)
{
    static const view_row before = {"a", 1, 500};
    static const view_row now = {"a", 2, 700};
    uint16_t chars[4];
    const prfdata_chart_key key = {QUEUE, RATE, ascii_text("a", chars)};
    prfdata_titles titles = view_titles();
    prfdata_sample *older = view_sample(1, &before, 1);
    prfdata_sample *newer = view_sample(3, &now, 1);
    prfdata_output output = {0};
    const char *text;

    (void)state;
    view_title(&titles.helps, RATE + 1, "How many bytes.");
    prfdata_details_put(&output, english, &key, &titles, older, newer);
    text = view_text_of(&output);
    assert_non_null(strstr(text, "How many bytes.\r\n"));
    assert_non_null(strstr(text, "Value      100 B/s\r\n"));
    assert_non_null(strstr(text, "PERF_COUNTER_BULK_COUNT (0x10410500)"));
    assert_non_null(strstr(text, "Formula    (N1 - N0) / ((D1 - D0) / F)\r\n"));
    assert_non_null(strstr(text, "Computed   (700 - 500) / ((3000 - 1000) / 1000)\r\n"));
    assert_non_null(strstr(text, "increase since the previous sample, per "
                                 "second\r\n"));
    assert_non_null(strstr(text, "CounterOffset            8\r\n"));
    assert_non_null(strstr(text, "BC 02 00 00 00 00 00 00    value of 8 bytes         700 = "));
    assert_non_null(strstr(text, "PERF_INSTANCE_DEFINITION\r\n"));
    prfdata_output_free(&output);
    prfdata_sample_free(older);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

static void test_details_have_the_value_in_the_users_form(void **state)
{
    static const view_row before = {"a", 1, 500};
    static const view_row now = {"a", 1234567, 701};
    uint16_t chars[4];
    prfdata_chart_key key = {QUEUE, RATE, ascii_text("a", chars)};
    prfdata_titles titles = view_titles();
    prfdata_sample *older = view_sample(1, &before, 1);
    prfdata_sample *newer = view_sample(3, &now, 1);
    prfdata_output output = {0};

    (void)state;
    prfdata_details_put(&output, german, &key, &titles, older, newer);
    assert_non_null(strstr(view_text_of(&output), "Value      100,5 B/s\r\n"));
    assert_non_null(strstr(output.bytes, "Computed   (701 - 500) / ((3000 - 1000) / 1000)\r\n"));
    prfdata_output_clear(&output);
    key.counter_title = DEPTH;
    prfdata_details_put(&output, german, &key, &titles, older, newer);
    assert_non_null(strstr(view_text_of(&output), "Value      1.234.567\r\n"));
    prfdata_output_free(&output);
    prfdata_sample_free(older);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

/* Return the number of characters of the line that begins with `label`. */
static size_t line_chars(const char *text, const char *label)
{
    const char *line = strstr(text, label);
    size_t chars = 0;

    assert_non_null(line);
    for (; *line != '\r'; line++)
        chars += ((unsigned char)*line & 0xC0) != 0x80;
    return chars;
}

static void test_details_have_straight_columns_in_any_language(void **state)
{
    static const view_row now = {"a", 2, 700};
    const char *words[PRFDATA_WORDS];
    uint16_t chars[4];
    const prfdata_chart_key key = {QUEUE, RATE, ascii_text("a", chars)};
    prfdata_titles titles = view_titles();
    prfdata_sample *newer = view_sample(3, &now, 1);
    prfdata_output output = {0};
    const char *text;

    (void)state;
    for (int i = 0; i < PRFDATA_WORDS; i++)
        words[i] = "\xC3\xB6"; /* a letter of two bytes */
    words[PRFDATA_WORD_RAW_VALUE] = "\xC3\xA4\xC3\xA4\xC3\xA4 der Reihe";
    prfdata_words_use(words);
    prfdata_details_put(&output, english, &key, &titles, newer, newer);
    prfdata_words_use(NULL);
    text = view_text_of(&output);
    assert_int_equal(line_chars(text, "N  \xC3\xA4"), line_chars(text, "D  PerfTime"));
    assert_non_null(strstr(text, "\xC3\xB6          (N1 - N0)"));
    prfdata_output_free(&output);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

static bool is_small(char letter)
{
    return letter >= 'a' && letter <= 'z';
}

/* Find a word that is not from the list of words. Returns NULL if the text has none. Names of
 * fields and types begin with a capital, so they do not count. The unit sec does not count
 * either. */
static const char *find_own_word(const char *text)
{
    for (const char *at = text; *at; at++) {
        const bool begins = at == text || at[-1] == ' ' || at[-1] == '(' || at[-1] == '\n';

        if (begins && is_small(at[0]) && is_small(at[1]) && strncmp(at, "sec", 3) != 0)
            return at;
    }
    return NULL;
}

/* Replace each word of the list by a star, so that no word in an output is from the list. */
static void use_stars(void)
{
    static const char *words[PRFDATA_WORDS];

    for (int i = 0; i < PRFDATA_WORDS; i++)
        words[i] = "*";
    prfdata_words_use(words);
}

static void test_details_have_no_word_of_their_own(void **state)
{
    static const view_row now = {"A", 2, 700};
    uint16_t chars[4];
    const prfdata_chart_key key = {QUEUE, RATE, ascii_text("A", chars)};
    const prfdata_chart_key solo = {SOLO, 0, {0}};
    prfdata_titles titles = view_titles();
    prfdata_sample *newer = view_sample(3, &now, 1);
    prfdata_output output = {0};

    (void)state;
    use_stars();
    prfdata_details_put(&output, english, &key, &titles, newer, newer);
    prfdata_details_put(&output, english, &key, &titles, NULL, newer);
    prfdata_details_put(&output, english, &key, &titles, NULL, NULL);
    prfdata_details_put_structure(&output, &key, &titles, newer);
    prfdata_details_put_structure(&output, &solo, &titles, newer);
    prfdata_words_use(NULL);
    assert_null(find_own_word(view_text_of(&output)));
    prfdata_output_free(&output);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

static void assert_note_has_no_own_word(uint32_t type)
{
    char text[256];

    if (prfdata_counter_formula_note(type, text, sizeof text))
        assert_null(find_own_word(text));
}

static void test_notes_reasons_and_damage_have_no_word_of_their_own(void **state)
{
    static const uint32_t statuses[] = {
        PRFDATA_STATUS_OK,
        PRFDATA_STATUS_NO_OBJECT,
        PRFDATA_STATUS_NO_COUNTER,
        PRFDATA_STATUS_NO_INSTANCE,
        PRFDATA_STATUS_ONE_SAMPLE,
        PRFDATA_STATUS_NO_DATA,
        PRFDATA_STATUS_NEGATIVE_VALUE,
        PRFDATA_STATUS_NEGATIVE_DENOMINATOR,
        PRFDATA_STATUS_NEGATIVE_TIMEBASE,
        PRFDATA_STATUS_INVALID_DATA,
        PRFDATA_STATUS_INVALID_ARGUMENT,
        PRFDATA_STATUS_NO_FORMULA,
        PRFDATA_STATUS_OUT_OF_RANGE,
        PRFDATA_STATUS_IS_TEXT,
        1,
    };
    static const prfdata_decode_error errors[] = {
        {1, "F", 1, 4, 4, false}, {1, "F", 1, 4, 8, true},          {1, "F", 1, 4, 8, false},
        {1, "F", 1, 8, 4, false}, {1, "F", 1, 4, INT64_MAX, false},
    };
    char text[256];

    (void)state;
    use_stars();
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        assert_string_equal(prfdata_cell_reason(statuses[i]), "*");
        assert_string_equal(prfdata_compute_status_text(statuses[i]), "*");
    }
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++)
        assert_note_has_no_own_word(prfdata_counter_types_at(i)->type);
    assert_note_has_no_own_word(0x40030503); /* this type and the next are only in WMI's list */
    assert_note_has_no_own_word(0x00012000);
    /* Try all sizes, types of numbers, kinds, subkinds and modifiers, with some displays. If
     * PRFDATA_TEST_ONE_OF is n, try one of n. */
    for (uint32_t i = 0; i < 0x100000 / sampled_one_of(); i++) {
        const uint32_t type = i * 40503 & 0xFFFFF; /* mixed, so that a part has all kinds */

        assert_note_has_no_own_word(type << 8 | (type & 7) << 28);
    }
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        prfdata_decode_error_text(&errors[i], text, sizeof text);
        assert_null(find_own_word(text));
    }
    prfdata_words_use(NULL);
}

static void test_details_say_why_there_is_no_value(void **state)
{
    const char *words[PRFDATA_WORDS];
    static const view_row now = {"a", 2, 700};
    uint16_t chars[4];
    prfdata_chart_key key = {QUEUE, RATE, ascii_text("a", chars)};
    prfdata_titles titles = view_titles();
    prfdata_sample *newer = view_sample(3, &now, 1);
    prfdata_output output = {0};

    (void)state;
    prfdata_details_put(&output, english, &key, &titles, NULL, newer);
    assert_non_null(strstr(view_text_of(&output), "Value      none: "));
    assert_null(strstr(output.bytes, "Numbers"));
    prfdata_output_clear(&output);
    key.label = ascii_text("b", chars);
    prfdata_details_put(&output, english, &key, &titles, NULL, newer);
    assert_non_null(
        strstr(view_text_of(&output), prfdata_compute_status_text(PRFDATA_STATUS_NO_INSTANCE)));
    prfdata_output_clear(&output);
    for (size_t i = 0; i < PRFDATA_WORDS; i++)
        words[i] = prfdata_words_get((prfdata_word)i);
    words[PRFDATA_WORD_NO_INSTANCE] = "weg";
    prfdata_words_use(words);
    prfdata_details_put(&output, english, &key, &titles, NULL, newer);
    prfdata_words_use(NULL);
    assert_non_null(strstr(view_text_of(&output), "none: weg\r\n"));
    prfdata_output_clear(&output);
    key.object_title = SOLO;
    prfdata_details_put(&output, english, &key, &titles, NULL, newer);
    assert_non_null(
        strstr(view_text_of(&output), prfdata_compute_status_text(PRFDATA_STATUS_NO_OBJECT)));
    prfdata_output_free(&output);
    prfdata_sample_free(newer);
    prfdata_titles_free(&titles);
}

/* ---- CSV ---- */

static void test_export_table_writes_what_is_shown(void **state)
{
    static const view_row before[] = {{"a\"b", 1, 0}, {"c", 2, 0}};
    static const view_row now[] = {{"a\"b", 1, 1500}, {"c", 2, 1}};
    prfdata_titles titles = view_titles();
    prfdata_sample *older = view_sample(1, before, 2);
    prfdata_sample *newer = view_sample(3, now, 2);
    prfdata_sample *gone = view_sample(4, now, 1);
    prfdata_output output = {0};
    prfdata_table table;
    bool columns;

    (void)state;
    prfdata_table_init(&table, &titles);
    prfdata_table_choose(&table, QUEUE);
    assert_int_equal(prfdata_table_update(&table, older, newer, true, &columns), ERROR_SUCCESS);
    prfdata_export_table(&output, &table, false);
    assert_string_equal(view_text_of(&output),
                        "\"Instance\",\"Depth\",\"Bytes/sec\"\r\n"
                        "\"a\"\"b\",\"1\",\"750\"\r\n\"c\",\"2\",\"0.5\"\r\n");
    prfdata_output_clear(&output);
    table.columns[0].is_hidden = true;
    table.shown[1]->is_selected = true;
    table.shows_raw = true;
    prfdata_export_table(&output, &table, true);
    assert_string_equal(view_text_of(&output), "\"Instance\",\"Bytes/sec\"\r\n\"c\",\"1\"\r\n");
    prfdata_output_clear(&output);
    assert_int_equal(prfdata_table_update(&table, newer, gone, true, &columns), ERROR_SUCCESS);
    /* The row of c has ended and stays only because it is selected. */
    prfdata_export_table(&output, &table, false);
    assert_string_equal(view_text_of(&output),
                        "\"Instance\",\"Bytes/sec\"\r\n\"a\"\"b\",\"1500\"\r\n");
    prfdata_output_free(&output);
    prfdata_table_free(&table);
    prfdata_sample_free(older);
    prfdata_sample_free(newer);
    prfdata_sample_free(gone);
    prfdata_titles_free(&titles);
}

static void test_export_chart_writes_pdh_csv(void **state)
{
    uint16_t chars[4];
    uint16_t path[20];
    const prfdata_chart_key key = {QUEUE, DEPTH, ascii_text("a", chars)};
    prfdata_output output = {0};
    prfdata_chart chart;
    uint32_t at;

    (void)state;
    prfdata_chart_init(&chart);
    assert_int_equal(prfdata_chart_add(&chart, &key, ascii_text("\\Queue(a)\\Depth", path),
                                       PRFDATA_NUMBER_NONE, 0, &at),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_chart_add_time(&chart, INT64_C(13443537045123)), ERROR_SUCCESS);
    prfdata_chart_miss(&chart, at, INT64_C(13443537045123), false);
    assert_int_equal(prfdata_chart_add_gap(&chart, 0), ERROR_SUCCESS); /* a gap is not a row */
    assert_int_equal(prfdata_chart_add_time(&chart, INT64_C(13443537046123)), ERROR_SUCCESS);
    chart.series[at]->values[2] = 1234567890.25;
    prfdata_export_chart(&output, &chart, ascii_text("PC", chars));
    assert_string_equal(view_text_of(&output),
                        "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\PC\\Queue(a)\\Depth\""
                        "\r\n\"01/04/2027 11:50:45.123\",\" \"\r\n"
                        "\"01/04/2027 11:50:46.123\",\"1234567890.25\"\r\n");
    prfdata_output_free(&output);
    prfdata_chart_free(&chart);
}

static void test_export_system_time_has_date_and_time(void **state)
{
    static const uint16_t wanted[8] = {2000, 2, 2, 29, 1, 2, 3, 4};
    uint16_t t[8];

    (void)state;
    prfdata_export_system_time(INT64_C(145790) * 86400000 + 3723004, t);
    assert_memory_equal(t, wanted, sizeof t);
    prfdata_export_system_time(INT64_MIN, t);
    assert_int_equal(t[0], 1601);
    prfdata_export_system_time(INT64_MAX, t);
    assert_int_equal(t[0], 30826);
}

/* ---- The workspace ---- */

static void test_workspace_another_text_is_refused(void **state)
{
    static const char *const others[] = {"",
                                         "# nothing",
                                         "int x;\n",
                                         "object = Queue\nand more\n",
                                         "\\Queue(a=b)\\x\n",
                                         "[queue]\nname = a\n",
                                         " = a\n"};
    prfdata_workspace workspace = {0};

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_int_equal(prfdata_workspace_read(&workspace, others[i], strlen(others[i])),
                         ERROR_INVALID_DATA);
        assert_int_equal(workspace.lines.count, 0);
    }
    assert_int_equal(prfdata_workspace_read(&workspace, "Hide-Idle=1", 11), ERROR_SUCCESS);
    assert_int_equal(prfdata_workspace_number(&workspace, "hide-idle", 0), 1);
    prfdata_workspace_free(&workspace);
}

static void test_workspace_is_read_as_it_was_written(void **state)
{
    prfdata_workspace written = {0};
    prfdata_workspace workspace = {0};
    prfdata_text value;
    uint16_t chars[40];

    (void)state;
    prfdata_workspace_put(&written, "series", ascii_text("\\Queue(a=b)\\x", chars));
    prfdata_workspace_put_number(&written, "left", -12);
    prfdata_workspace_put(&written, "series", ascii_text("two\r\nlines", chars));
    assert_int_equal(prfdata_workspace_read(&workspace, written.text.bytes, written.text.used),
                     ERROR_SUCCESS);
    assert_true(prfdata_workspace_get(&workspace, "SERIES", 0, &value));
    assert_true(ascii_text_is(value, "\\Queue(a=b)\\x"));
    assert_true(prfdata_workspace_get(&workspace, "series", 1, &value));
    assert_true(ascii_text_is(value, "two  lines"));
    assert_false(prfdata_workspace_get(&workspace, "series", 2, &value));
    assert_int_equal(prfdata_workspace_number(&workspace, "left", 7), -12);
    assert_int_equal(prfdata_workspace_number(&workspace, "series", 7), 7);
    assert_int_equal(prfdata_workspace_number(&workspace, "top", 7), 7);
    prfdata_workspace_free(&workspace);
    prfdata_workspace_free(&written);
}

static void test_column_notes_are_read_as_they_were_written(void **state)
{
    static const char broken[] =
        "column = 1 2 \\Queue\\x\r\ncolumn = 1 2 0\r\ncolumn = a 2 0 \\Q\\x"
        "\r\ncolumn = 9 99999 7 \\Queue\\wide\r\n";
    uint16_t chars[40];
    prfdata_column_notes notes = {0};
    prfdata_column_notes again = {0};
    prfdata_workspace written = {0};
    prfdata_workspace workspace = {0};
    const prfdata_column_note *found;

    (void)state;
    prfdata_column_notes_set(
        &notes, &(prfdata_column_note){ascii_text("\\Queue\\100% of it", chars), 3, 50, true});
    prfdata_column_notes_set(
        &notes, &(prfdata_column_note){ascii_text("\\Queue\\*", chars), 0, 200, false});
    prfdata_column_notes_set(
        &notes, &(prfdata_column_note){ascii_text("\\queue\\100% OF IT", chars), 2, 60, true});
    assert_int_equal(notes.count, 2);
    prfdata_column_notes_put(&notes, &written);
    prfdata_output_put_string(&written.text, broken);
    assert_int_equal(prfdata_workspace_read(&workspace, written.text.bytes, written.text.used),
                     ERROR_SUCCESS);
    prfdata_column_notes_read(&again, &workspace);
    assert_int_equal(again.count, 3);
    found = prfdata_column_notes_find(&again, ascii_text("\\Queue\\100% of it", chars));
    assert_true(found && found->position == 2 && found->width == 60 && found->is_hidden);
    found = prfdata_column_notes_find(&again, ascii_text("\\Queue\\*", chars));
    assert_true(found && found->position == 0 && found->width == 200 && !found->is_hidden);
    found = prfdata_column_notes_find(&again, ascii_text("\\Queue\\wide", chars));
    assert_true(found && found->width == PRFDATA_COLUMN_NOTES_MOST_WIDTH);
    assert_null(prfdata_column_notes_find(&again, ascii_text("\\Queue\\x", chars)));
    prfdata_workspace_free(&workspace);
    prfdata_workspace_free(&written);
    prfdata_column_notes_free(&notes);
    prfdata_column_notes_free(&again);
}

static void test_column_notes_keep_no_more_than_the_most(void **state)
{
    prfdata_column_notes notes = {0};

    (void)state;
    for (uint32_t i = 0; i < PRFDATA_COLUMN_NOTES_MOST + 5; i++) {
        char name[20];
        uint16_t chars[20];

        (void)snprintf(name, sizeof name, "\\o\\%u", (unsigned)i);
        prfdata_column_notes_set(&notes,
                                 &(prfdata_column_note){ascii_text(name, chars), i, 1, false});
    }
    assert_int_equal(notes.count, PRFDATA_COLUMN_NOTES_MOST);
    prfdata_column_notes_free(&notes);
}

static void test_column_notes_order_is_that_of_positions(void **state)
{
    static const uint32_t positions[] = {2, 0, 7, 0, 1};
    static const int expected[] = {1, 3, 4, 0, 2};
    int order[5];

    (void)state;
    prfdata_column_notes_order(positions, 5, order);
    assert_memory_equal(order, expected, sizeof order);
}

/* ---- The command line ---- */

static bool parse_text(const char *const *words, size_t count, prfdata_view_options *options,
                       prfdata_arguments_error *error)
{
    static uint16_t chars[80][40];
    const uint16_t *items[80];

    for (size_t i = 0; i < count; i++) {
        (void)ascii_text(words[i], chars[i]);
        items[i] = chars[i];
    }
    return prfdata_view_options_parse(count, items, options, error);
}

static void test_options_take_files_interval_and_names(void **state)
{
    static const char *const words[] = {"-file",  "a.prf", "b.prf", "/SI",  "0.25",
                                        "\\x(*)", "Queue", "-w",    "w.txt"};
    static const char *const reader[] = {"-provider-process", "12", "4294967295"};
    static const char *const one_file[] = {"-file", "a.prf", "\\x\\y"};
    prfdata_view_options options;
    prfdata_arguments_error error;

    (void)state;
    assert_true(parse_text(words, 9, &options, &error));
    assert_true(ascii_text_is(options.file, "a.prf") && ascii_text_is(options.newer, "b.prf"));
    assert_int_equal(options.interval_ms, 250);
    assert_int_equal(options.name_count, 2);
    assert_true(ascii_text_is(options.names[1], "Queue"));
    assert_true(ascii_text_is(options.workspace, "w.txt"));
    assert_true(parse_text(one_file, 3, &options, &error));
    assert_int_equal(options.newer.count, 0);
    assert_int_equal(options.name_count, 1);
    assert_false(options.is_reader);
    assert_true(parse_text(reader, 3, &options, &error));
    assert_true(options.is_reader);
    assert_int_equal(options.reader_handles[0], 12);
    assert_int_equal(options.reader_handles[1], UINT32_MAX);
}

/* The computer is that of -s, or the one that all paths name. A file has its own computer. */
static void test_options_name_the_computer(void **state)
{
    static const char *const given[] = {"-s", "\\\\PC.example", "\\\\OTHER\\x\\y"};
    static const char *const paths[] = {"\\\\PC\\x\\y", "\\\\pc\\x(a)\\z"};
    static const char *const mixed[] = {"\\\\PC\\x\\y", "\\\\OTHER\\x\\y"};
    static const char *const some[] = {"\\\\PC\\x\\y", "\\x\\z"};
    static const char *const reader[] = {"-provider-process", "1", "2", "-s", "PC"};
    static const char *const with_file[] = {"-file", "a.prf", "-s", "PC"};
    static const char *const wrong[] = {"-s", "a\"b"};
    static const char *const nothing[] = {"-s", "\\\\"};
    prfdata_view_options options;
    prfdata_arguments_error error;

    (void)state;
    assert_true(parse_text(given, 3, &options, &error));
    assert_true(ascii_text_is(prfdata_view_options_computer(&options), "PC.example"));
    assert_true(parse_text(paths, 2, &options, &error));
    assert_true(ascii_text_is(prfdata_view_options_computer(&options), "pc"));
    options.file = options.names[0];
    assert_int_equal(prfdata_view_options_computer(&options).count, 0);
    assert_true(parse_text(mixed, 2, &options, &error));
    assert_int_equal(prfdata_view_options_computer(&options).count, 0);
    assert_true(parse_text(some, 2, &options, &error));
    assert_int_equal(prfdata_view_options_computer(&options).count, 0);
    assert_true(parse_text(reader, 5, &options, &error));
    assert_true(options.is_reader && ascii_text_is(options.computer, "PC"));
    assert_false(parse_text(with_file, 4, &options, &error));
    assert_false(parse_text(wrong, 2, &options, &error));
    assert_false(parse_text(nothing, 2, &options, &error));
}

static void test_options_refuse_what_is_wrong(void **state)
{
    static const char *const wrong[][2] = {{"-nope", ""}, {"-si", "0.1"}, {"-si", "61"},
                                           {"-si", "1s"}, {"-si", ""},    {"-si", "1.2345"},
                                           {"-si", ".5"}};
    static const char *const alone[] = {"-file"};
    static const char *const one_handle[] = {"-provider-process", "12"};
    static const char *const no_handle[] = {"-provider-process", "12", "x"};
    prfdata_view_options options;
    prfdata_arguments_error error;

    (void)state;
    assert_false(parse_text(one_handle, 2, &options, &error));
    assert_false(parse_text(no_handle, 3, &options, &error));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        error.reason = NULL;
        assert_false(parse_text(wrong[i], 2, &options, &error));
        assert_non_null(error.reason);
    }
    assert_false(parse_text(alone, 1, &options, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_details_have_formula_with_numbers_samples_and_bytes),
        cmocka_unit_test(test_details_have_straight_columns_in_any_language),
        cmocka_unit_test(test_details_have_the_value_in_the_users_form),
        cmocka_unit_test(test_details_have_no_word_of_their_own),
        cmocka_unit_test(test_notes_reasons_and_damage_have_no_word_of_their_own),
        cmocka_unit_test(test_details_say_why_there_is_no_value),
        cmocka_unit_test(test_export_table_writes_what_is_shown),
        cmocka_unit_test(test_export_chart_writes_pdh_csv),
        cmocka_unit_test(test_export_system_time_has_date_and_time),
        cmocka_unit_test(test_workspace_another_text_is_refused),
        cmocka_unit_test(test_workspace_is_read_as_it_was_written),
        cmocka_unit_test(test_column_notes_are_read_as_they_were_written),
        cmocka_unit_test(test_column_notes_keep_no_more_than_the_most),
        cmocka_unit_test(test_column_notes_order_is_that_of_positions),
        cmocka_unit_test(test_options_take_files_interval_and_names),
        cmocka_unit_test(test_options_name_the_computer),
        cmocka_unit_test(test_options_refuse_what_is_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
