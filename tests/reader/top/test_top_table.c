/* SPDX-License-Identifier: MIT */
/*
 * The table of the terminal and that of prfview's window say the same about the same samples: which
 * rows there are, for how long, in what order, with what numbers; and the same details.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "reader/view/view_sample.h"
#include "top/top_frame.h"
#include "top/top_rows.h"
#include "top/top_sample.h"
#include "view/details.h"
#include "view/table.h"

static const prfdata_number_style plain = {'.', 0};

/* Both, of the object Queue. */
typedef struct both {
    prfdata_titles titles;
    prfdata_table table;
    prfdata_top_view view;
    prfdata_sample *older;
    prfdata_sample *newer;
    uint32_t second;
} both;

static void press_both(both *b, const char *keys)
{
    for (; *keys; keys++)
        assert_int_equal(prfdata_top_view_key(&b->view, (unsigned char)*keys), ERROR_SUCCESS);
}

/* Sorted by name, as the window's begins. */
static void begin_both(both *b)
{
    memset(b, 0, sizeof *b);
    b->titles = view_titles();
    prfdata_table_init(&b->table, &b->titles);
    prfdata_table_choose(&b->table, QUEUE);
    prfdata_top_view_init(&b->view);
    b->view.titles = &b->titles;
    press_both(b, "ts");
}

static void end_both(both *b)
{
    prfdata_table_free(&b->table);
    prfdata_top_view_free(&b->view);
    prfdata_sample_free(b->older);
    prfdata_sample_free(b->newer);
    prfdata_titles_free(&b->titles);
}

static void add_to_terminal(both *b)
{
    prfdata_resolver_path asked = {0};
    prfdata_path_error error;
    uint16_t chars[20];

    assert_true(prfdata_path_parse(ascii_text("\\Queue(*)\\*", chars), &asked.path, &error));
    asked.way = prfdata_titles_way_of(&b->titles, asked.path.object);
    prfdata_top_view_begin(&b->view);
    prfdata_top_sample_add(&b->view, &asked, &b->titles, b->newer);
    assert_int_equal(prfdata_top_view_end(&b->view), ERROR_SUCCESS);
}

static void take_both(both *b, const view_row *rows, uint32_t count)
{
    bool columns;

    prfdata_sample_free(b->older);
    b->older = b->newer;
    b->newer = view_sample(++b->second, rows, count);
    b->view.older = b->older;
    b->view.newer = b->newer;
    assert_int_equal(prfdata_table_update(&b->table, b->older, b->newer, true, &columns),
                     ERROR_SUCCESS);
    add_to_terminal(b);
}

/* Put ASCII after another text, with a NUL. */
static void join_ascii(char *text, prfdata_text more)
{
    size_t used = strlen(text);

    for (size_t i = 0; i < more.count; i++)
        text[used++] = (char)more.chars[i];
    text[used] = 0;
}

/* The terminal's line of a label has what the window shows, or a word in the place of nothing. */
static void expect_in_line(const char *screen, const prfdata_table *table, uint32_t at)
{
    uint16_t chars[64];
    char text[80] = "m"; /* of the colour before it */
    const char *line;
    const char *end;

    join_ascii(text, table->shown[at]->label);
    strcat(text, " ");
    line = strstr(screen, text);
    assert_non_null(line);
    end = strchr(line, '\033');
    assert_non_null(end);
    if (!table->shown[at]->life.is_present) {
        assert_true(strstr(line, " gone") && strstr(line, " gone") < end);
        return;
    }
    for (uint32_t i = 0; i < table->column_count; i++) {
        const size_t count = prfdata_table_text(table, at, i, plain, chars, 64);

        if (count == 0)
            continue;
        strcpy(text, " ");
        join_ascii(text, (prfdata_text){chars, count});
        assert_true(strstr(line, text) && strstr(line, text) < end);
    }
}

static void expect_same(both *b)
{
    prfdata_output screen = {0};

    assert_int_equal(b->view.table.shown_count, b->table.shown_count);
    prfdata_top_frame_put(&b->view, 80, 24, false, &screen);
    prfdata_output_put(&screen, "", 1);
    assert_false(screen.failed);
    for (uint32_t i = 0; i < b->table.shown_count; i++) {
        const prfdata_table_row *window = b->table.shown[i];
        const prfdata_top_row *terminal = prfdata_top_rows_shown(&b->view, i);

        assert_true(prfdata_text_equal(window->label, terminal->label));
        assert_int_equal(window->life.is_present, terminal->base.life.is_present);
        assert_int_equal(window->life.is_new, terminal->base.life.is_new);
        expect_in_line(screen.bytes, &b->table, i);
    }
    prfdata_output_free(&screen);
}

/* a and _Total always, b until the fourth sample, c from the third on; d works in the second. */
static void take_story(both *b)
{
    const uint32_t n = b->second + 1;
    view_row rows[6] = {{"a", 5, n * 100}, {"_Total", 6, n * 400}};
    uint32_t count = 2;

    if (n < 4)
        rows[count++] = (view_row){"b", 9, n * 300};
    if (n >= 3)
        rows[count++] = (view_row){"c", 7, 50};
    rows[count++] = (view_row){"d", 0, n < 2 ? 10 : 20};
    rows[count++] = (view_row){"e", 0, 4};
    take_both(b, rows, count);
}

/* Take all of the story, with so many rows on the screen each time. */
static void expect_story(both *b, const char *keys, const uint32_t counts[8])
{
    press_both(b, keys);
    for (size_t i = 0; i < 8; i++) {
        take_story(b);
        assert_int_equal(b->table.shown_count, counts[i]);
        expect_same(b);
    }
    end_both(b);
}

static void test_top_table_has_the_rows_of_the_windows(void **state)
{
    static const uint32_t counts[] = {5, 5, 6, 6, 6, 5, 5, 5};
    both b;

    (void)state;
    begin_both(&b);
    expect_story(&b, "", counts);
}

/* By Depth, the highest first; b keeps its place while it is gone. */
static void test_top_table_has_the_windows_order_of_values(void **state)
{
    both b;

    (void)state;
    begin_both(&b);
    press_both(&b, "s");
    for (size_t i = 0; i < 8; i++) {
        take_story(&b);
        b.table.sort_column = 0;
        b.table.sorts_descending = true;
        assert_true(prfdata_table_arrange(&b.table));
        expect_same(&b);
        assert_int_equal(ascii_text_is(b.table.shown[1]->label, "b"), i < 5);
    }
    end_both(&b);
}

/* d is shown in the second sample, in which it works, and two more; e never. */
static void test_top_table_hides_what_is_idle_in_the_windows(void **state)
{
    static const uint32_t counts[] = {3, 4, 5, 5, 4, 3, 3, 3};
    both b;

    (void)state;
    begin_both(&b);
    b.table.hides_idle = true;
    expect_story(&b, "z", counts);
}

/* One that the user has selected stays, in both. */
static void test_top_table_keeps_the_selected_row_as_the_windows(void **state)
{
    uint16_t chars[2];
    both b;

    (void)state;
    begin_both(&b);
    take_story(&b);
    assert_int_equal(prfdata_top_view_key(&b.view, PRFDATA_KEY_DOWN), ERROR_SUCCESS);
    assert_int_equal(prfdata_top_view_key(&b.view, PRFDATA_KEY_DOWN), ERROR_SUCCESS);
    assert_true(prfdata_table_select(&b.table, ascii_text("b", chars)));
    for (size_t i = 0; i < 9; i++)
        take_story(&b);
    assert_int_equal(b.table.shown_count, 6);
    assert_false(b.table.shown[2]->life.is_present);
    expect_same(&b);
    end_both(&b);
}

/* The page has all lines of the window's details. */
static void test_top_table_details_are_those_of_the_window(void **state)
{
    uint16_t chars[2];
    const prfdata_chart_key key = {QUEUE, RATE, ascii_text("b", chars)};
    prfdata_output details = {0};
    prfdata_output screen = {0};
    both b;

    (void)state;
    begin_both(&b);
    view_title(&b.titles.helps, RATE + 1, "How many bytes.");
    take_story(&b);
    take_story(&b);
    assert_int_equal(prfdata_top_view_key(&b.view, PRFDATA_KEY_DOWN), ERROR_SUCCESS);
    assert_int_equal(prfdata_top_view_key(&b.view, PRFDATA_KEY_DOWN), ERROR_SUCCESS);
    press_both(&b, ">d");
    prfdata_top_frame_put(&b.view, 200, 100, false, &screen);
    prfdata_output_put(&screen, "", 1);
    prfdata_details_put(&details, prfdata_details_words_english, plain, &key, &b.titles, b.older,
                        b.newer);
    prfdata_output_put(&details, "", 1);
    assert_false(screen.failed || details.failed);
    assert_non_null(strstr(screen.bytes, "Path       \\Queue(b)\\Bytes/sec"));
    assert_non_null(strstr(screen.bytes, "Numbers    (600 - 300) / ((2000 - 1000) / 1000)"));
    for (char *line = details.bytes; *line;) { /* each line of the one is in the other */
        char *end = line + strcspn(line, "\r\n");
        const bool is_last = *end == '\0';

        *end = '\0';
        assert_non_null(strstr(screen.bytes, line));
        line = is_last ? end : end + 1;
    }
    prfdata_output_free(&screen);
    prfdata_output_free(&details);
    end_both(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top_table_has_the_rows_of_the_windows),
        cmocka_unit_test(test_top_table_has_the_windows_order_of_values),
        cmocka_unit_test(test_top_table_hides_what_is_idle_in_the_windows),
        cmocka_unit_test(test_top_table_keeps_the_selected_row_as_the_windows),
        cmocka_unit_test(test_top_table_details_are_those_of_the_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
