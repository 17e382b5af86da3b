/* SPDX-License-Identifier: MIT */
/* Tests the state of a list that shows a table: which rows are selected or have the focus, and
 * which cells must be painted. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "view/table_screen.h"

enum { BOTH = PRFDATA_TABLE_SELECTED | PRFDATA_TABLE_FOCUSED };

/* A table with rows that the test makes. Only the fields that the screen uses are set. */
typedef struct screen_scene {
    prfdata_table table;
    prfdata_table_screen screen;
    prfdata_table_row rows[8];
    prfdata_table_row *shown[8];
} screen_scene;

static void begin_screen(screen_scene *s, uint32_t count)
{
    memset(s, 0, sizeof *s);
    prfdata_table_screen_init(&s->screen);
    for (uint32_t i = 0; i < count; i++)
        s->shown[i] = &s->rows[i];
    s->table.shown = s->shown;
    s->table.shown_count = count;
    assert_true(prfdata_table_screen_resize(&s->screen, count));
}

static void select_row(prfdata_table_screen *screen, uint32_t row)
{
    prfdata_table_screen_change(screen, row, row, BOTH, BOTH);
}

static void test_screen_user_selects_and_the_table_follows(void **state)
{
    screen_scene s;

    (void)state;
    begin_screen(&s, 4);
    assert_int_equal(s.screen.focused, PRFDATA_TABLE_NOWHERE);
    select_row(&s.screen, 1);
    assert_int_equal(s.screen.focused, 1);
    prfdata_table_screen_keep(&s.screen, &s.table);
    assert_true(s.rows[1].is_selected && s.rows[1].is_focused);
    assert_false(s.rows[0].is_selected || s.rows[2].is_selected);
    /* The list view deselects all rows, then selects another row, in two messages. */
    prfdata_table_screen_change(&s.screen, 0, UINT32_MAX, PRFDATA_TABLE_SELECTED, 0);
    select_row(&s.screen, 3);
    prfdata_table_screen_keep(&s.screen, &s.table);
    assert_false(s.rows[1].is_selected || s.rows[1].is_focused);
    assert_true(s.rows[3].is_selected && s.rows[3].is_focused);
    assert_int_equal(s.screen.selected_count, 1);
    prfdata_table_screen_free(&s.screen);
}

static void test_screen_range_counts_each_row_once(void **state)
{
    screen_scene s;

    (void)state;
    begin_screen(&s, 5);
    prfdata_table_screen_change(&s.screen, 1, 3, PRFDATA_TABLE_SELECTED, PRFDATA_TABLE_SELECTED);
    prfdata_table_screen_change(&s.screen, 2, 90, PRFDATA_TABLE_SELECTED, PRFDATA_TABLE_SELECTED);
    assert_int_equal(s.screen.selected_count, 4);
    /* If a bit is not reported as changed, it keeps its value. */
    prfdata_table_screen_change(&s.screen, 0, 4, PRFDATA_TABLE_FOCUSED, PRFDATA_TABLE_SELECTED);
    assert_int_equal(s.screen.selected_count, 4);
    prfdata_table_screen_change(&s.screen, 3, 3, PRFDATA_TABLE_SELECTED, 0);
    assert_int_equal(s.screen.selected_count, 3);
    assert_int_equal(s.screen.states[3], 0);
    prfdata_table_screen_free(&s.screen);
}

static void test_screen_rows_move_and_only_what_differs_is_told(void **state)
{
    screen_scene s;
    uint32_t at = 0;

    (void)state;
    begin_screen(&s, 4);
    select_row(&s.screen, 1);
    prfdata_table_screen_keep(&s.screen, &s.table);
    assert_false(prfdata_table_screen_differs(&s.screen, &s.table, &at));
    s.shown[1] = &s.rows[3];
    s.shown[3] = &s.rows[1];
    at = 0;
    assert_true(prfdata_table_screen_differs(&s.screen, &s.table, &at));
    assert_int_equal(at, 1);
    assert_int_equal(prfdata_table_screen_wanted(&s.table, at), 0);
    prfdata_table_screen_change(&s.screen, at, at, BOTH, 0);
    assert_int_equal(s.screen.focused, PRFDATA_TABLE_NOWHERE);
    at++;
    assert_true(prfdata_table_screen_differs(&s.screen, &s.table, &at));
    assert_int_equal(at, 3);
    assert_int_equal(prfdata_table_screen_wanted(&s.table, at), BOTH);
    select_row(&s.screen, at);
    at = 0;
    assert_false(prfdata_table_screen_differs(&s.screen, &s.table, &at));
    prfdata_table_screen_free(&s.screen);
}

static void test_screen_rows_that_go_take_their_state_along(void **state)
{
    screen_scene s;

    (void)state;
    begin_screen(&s, 6);
    prfdata_table_screen_change(&s.screen, 0, 5, PRFDATA_TABLE_SELECTED, PRFDATA_TABLE_SELECTED);
    select_row(&s.screen, 4);
    assert_true(prfdata_table_screen_resize(&s.screen, 2));
    assert_int_equal(s.screen.selected_count, 2);
    assert_int_equal(s.screen.focused, PRFDATA_TABLE_NOWHERE);
    assert_true(prfdata_table_screen_resize(&s.screen, 6));
    assert_int_equal(s.screen.selected_count, 2);
    assert_int_equal(s.screen.states[4], 0);
    prfdata_table_screen_free(&s.screen);
    assert_true(prfdata_table_screen_resize(&s.screen, 1));
    assert_int_equal(s.screen.focused, PRFDATA_TABLE_NOWHERE);
    prfdata_table_screen_free(&s.screen);
}

/* Return the first visible row after a move. There are rows 0 to 7, and three are visible from
 * `top` on. Row `focus` has the focus and moves to `to`. */
static uint32_t top_after_move(uint32_t top, uint32_t focus, uint32_t to, bool follows)
{
    screen_scene s;
    uint32_t wanted;

    begin_screen(&s, 8);
    if (focus < 8) {
        select_row(&s.screen, focus);
        prfdata_table_screen_keep(&s.screen, &s.table);
        s.shown[focus] = &s.rows[to];
        s.shown[to] = &s.rows[focus];
    }
    wanted = prfdata_table_screen_top(&s.screen, &s.table, top, 3, follows);
    prfdata_table_screen_free(&s.screen);
    return wanted;
}

static void test_screen_top_stays_unless_the_selected_row_is_followed(void **state)
{
    (void)state;
    assert_int_equal(top_after_move(0, 0, 6, false), 0);
    assert_int_equal(top_after_move(2, 3, 7, false), 2);
    assert_int_equal(top_after_move(0, 8, 0, true), 0); /* no row has the focus */
    assert_int_equal(top_after_move(0, 0, 4, true), 4);
    assert_int_equal(top_after_move(2, 3, 5, true), 4); /* 5 is the second visible row, as 3 was */
    assert_int_equal(top_after_move(2, 4, 1, true), 0);
    assert_int_equal(top_after_move(0, 0, 7, true), 5); /* the last row is at the bottom */
    assert_int_equal(top_after_move(2, 1, 7, true), 2); /* the row with the focus was not visible */
    assert_int_equal(top_after_move(2, 5, 0, true), 2);
}

/* ---- Painted cells ---- */

static bool shows_text(prfdata_table_screen *screen, uint32_t row, uint32_t column,
                       const char *text, uint32_t look)
{
    uint16_t chars[20];
    prfdata_text wide = {chars, strlen(text)};

    for (size_t i = 0; i < wide.count; i++)
        chars[i] = (uint16_t)text[i];
    return prfdata_table_screen_show(screen, row, column, prfdata_table_screen_mark(wide, look));
}

static void test_screen_cell_is_painted_when_it_changes(void **state)
{
    prfdata_table_screen screen;

    (void)state;
    prfdata_table_screen_init(&screen);
    assert_true(prfdata_table_screen_see(&screen, (prfdata_table_part){0, 3, 2}));
    assert_true(shows_text(&screen, 1, 1, "42", 0));
    assert_false(shows_text(&screen, 1, 1, "42", 0));
    assert_true(shows_text(&screen, 1, 0, "42", 0));
    assert_true(shows_text(&screen, 1, 1, "43", 0));
    assert_true(shows_text(&screen, 1, 1, "43", 1)); /* another background */
    assert_false(shows_text(&screen, 1, 1, "43", 1));
    /* An empty cell differs from a cell whose content is not known. */
    assert_true(shows_text(&screen, 0, 0, "", 0));
    assert_false(shows_text(&screen, 0, 0, "", 0));
    prfdata_table_screen_forget(&screen);
    assert_true(prfdata_table_screen_see(&screen, (prfdata_table_part){0, 3, 2}));
    assert_true(shows_text(&screen, 1, 1, "43", 1));
    prfdata_table_screen_free(&screen);
}

static void test_screen_scrolled_rows_that_stay_are_known(void **state)
{
    prfdata_table_screen screen;

    (void)state;
    prfdata_table_screen_init(&screen);
    assert_true(prfdata_table_screen_see(&screen, (prfdata_table_part){10, 3, 2}));
    for (uint32_t row = 10; row < 13; row++)
        assert_true(shows_text(&screen, row, 1, row == 12 ? "twelve" : "other", 0));
    assert_true(prfdata_table_screen_see(&screen, (prfdata_table_part){12, 3, 2}));
    assert_false(shows_text(&screen, 12, 1, "twelve", 0));
    assert_true(shows_text(&screen, 13, 1, "other", 0));
    /* Scroll back by one row. */
    assert_true(prfdata_table_screen_see(&screen, (prfdata_table_part){11, 3, 2}));
    assert_false(shows_text(&screen, 12, 1, "twelve", 0));
    assert_false(shows_text(&screen, 13, 1, "other", 0));
    assert_true(shows_text(&screen, 11, 1, "other", 0));
    /* Nothing is known about other columns. */
    assert_true(prfdata_table_screen_see(&screen, (prfdata_table_part){11, 3, 3}));
    assert_true(shows_text(&screen, 12, 1, "twelve", 0));
    /* The content of an invisible cell is not remembered. */
    assert_true(shows_text(&screen, 14, 1, "x", 0));
    assert_true(shows_text(&screen, 14, 1, "x", 0));
    assert_true(shows_text(&screen, 10, 1, "x", 0));
    assert_true(shows_text(&screen, 12, 3, "x", 0));
    assert_true(shows_text(&screen, 12, 3, "x", 0));
    (void)prfdata_table_screen_show(&screen, 12, 1, PRFDATA_TABLE_UNKNOWN);
    assert_true(shows_text(&screen, 12, 1, "twelve", 0));
    prfdata_table_screen_free(&screen);
}

/* ---- At random, compared with a list that keeps everything ---- */

static uint32_t random_below(uint32_t *random, uint32_t limit)
{
    *random = *random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*random * limit >> 32);
}

/* A simple list view: each row is selected or not, and one row has the focus. */
typedef struct plain_list {
    uint32_t count;
    bool selected[40];
    int focused;
} plain_list;

static void change_plain(plain_list *list, uint32_t first, uint32_t last, bool is_selected)
{
    for (uint32_t i = first; i <= last && i < list->count; i++)
        list->selected[i] = is_selected;
}

static void assert_same(const prfdata_table_screen *screen, const plain_list *list)
{
    uint32_t selected = 0;

    assert_int_equal(screen->row_count, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const bool is_focused = list->focused == (int)i;

        selected += list->selected[i];
        assert_int_equal(screen->states[i], (list->selected[i] ? PRFDATA_TABLE_SELECTED : 0) |
                                                (is_focused ? PRFDATA_TABLE_FOCUSED : 0));
    }
    assert_int_equal(screen->selected_count, selected);
    assert_int_equal(screen->focused,
                     list->focused < 0 ? (int64_t)PRFDATA_TABLE_NOWHERE : (int64_t)list->focused);
}

static void test_screen_random_changes_leave_what_a_list_has(void **state)
{
    prfdata_table_screen screen;
    plain_list list = {.focused = -1};
    uint32_t random = 7;

    (void)state;
    prfdata_table_screen_init(&screen);
    for (unsigned i = 0; i < 20000; i++) {
        const uint32_t first = random_below(&random, 40);
        const uint32_t last = first + random_below(&random, 10);
        const bool is_selected = random_below(&random, 2) != 0;

        switch (random_below(&random, 4)) {
        case 0:
            list.count = first;
            for (uint32_t k = first; k < 40; k++)
                list.selected[k] = false;
            if (list.focused >= (int)first)
                list.focused = -1;
            assert_true(prfdata_table_screen_resize(&screen, first));
            break;
        case 1:
            if (first < list.count)
                list.focused = (int)first;
            prfdata_table_screen_change(&screen, first, first, PRFDATA_TABLE_FOCUSED,
                                        PRFDATA_TABLE_FOCUSED);
            break;
        case 2:
            if (list.focused == (int)first)
                list.focused = -1;
            prfdata_table_screen_change(&screen, first, first, PRFDATA_TABLE_FOCUSED, 0);
            break;
        default:
            change_plain(&list, first, last, is_selected);
            prfdata_table_screen_change(&screen, first, last, PRFDATA_TABLE_SELECTED,
                                        is_selected ? PRFDATA_TABLE_SELECTED : 0);
        }
        assert_same(&screen, &list);
    }
    prfdata_table_screen_free(&screen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_screen_user_selects_and_the_table_follows),
        cmocka_unit_test(test_screen_range_counts_each_row_once),
        cmocka_unit_test(test_screen_rows_move_and_only_what_differs_is_told),
        cmocka_unit_test(test_screen_rows_that_go_take_their_state_along),
        cmocka_unit_test(test_screen_top_stays_unless_the_selected_row_is_followed),
        cmocka_unit_test(test_screen_cell_is_painted_when_it_changes),
        cmocka_unit_test(test_screen_scrolled_rows_that_stay_are_known),
        cmocka_unit_test(test_screen_random_changes_leave_what_a_list_has),
    };

    return cmocka_run_group_tests_name("view_table_screen", tests, NULL, NULL);
}
