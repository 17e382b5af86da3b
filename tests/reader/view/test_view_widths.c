/* SPDX-License-Identifier: MIT */
/* Tests the widths of the columns of legend and table, for windows of any width and DPI. */
#include "support/test.h"

#include "view/widths.h"

static int32_t all_of(prfdata_widths widths)
{
    return widths.name + widths.numbers * widths.number;
}

static void test_widths_of_the_legend_with_room_give_it_to_names(void **state)
{
    (void)state;
    assert_int_equal(prfdata_widths_legend(1000, 0, 96).number, 80);
    assert_int_equal(prfdata_widths_legend(1000, 0, 96).name, 600);
    assert_int_equal(prfdata_widths_legend(2000, 0, 192).number, 160);
    assert_int_equal(prfdata_widths_legend(2000, 0, 192).name, 1200);
}

/* The columns use all of the room, but not more, down to the smallest widths. */
static void test_widths_of_the_legend_fill_the_room_as_long_as_it_is_enough(void **state)
{
    static const uint32_t dpis[] = {96, 120, 144, 168, 192, 288};

    (void)state;
    for (size_t i = 0; i < sizeof dpis / sizeof dpis[0]; i++) {
        const int32_t least = all_of(prfdata_widths_legend(0, 0, dpis[i]));

        assert_int_equal(least, 188 * dpis[i] / 96); /* the widths of a name and a number */
        for (int32_t room = 0; room < 3000; room++)
            assert_int_equal(all_of(prfdata_widths_legend(room, 0, dpis[i])),
                             room > least ? room : least);
    }
}

static void test_widths_of_the_legend_without_room_take_it_from_numbers_first(void **state)
{
    (void)state;
    for (int32_t room = 572; room < 632; room++) {
        const prfdata_widths widths = prfdata_widths_legend(room, 0, 96);

        assert_in_range(widths.number, 68, 79);
        assert_in_range(widths.name, 232, 236);
        assert_int_equal(widths.numbers, PRFDATA_WIDTHS_LEGEND_NUMBERS);
    }
    assert_int_equal(prfdata_widths_legend(500, 0, 96).number, 68);
    assert_int_equal(prfdata_widths_legend(500, 0, 96).name, 160);
}

/* If there is no room for all columns of numbers, the legend has fewer columns. From 188 pixels on,
 * all columns that it has are visible. A window of 600 pixels has a legend of about 340 pixels. */
static void test_widths_of_the_legend_leave_out_numbers_before_it_scrolls(void **state)
{
    static const struct {
        int32_t room;
        int32_t numbers;
    } steps[] = {{460, 5}, {459, 4}, {392, 4}, {391, 3}, {324, 3}, {323, 2},
                 {256, 2}, {255, 1}, {188, 1}, {100, 1}, {0, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const prfdata_widths widths = prfdata_widths_legend(steps[i].room, 0, 96);

        assert_int_equal(widths.numbers, steps[i].numbers);
        assert_in_range(widths.number, 68, 80);
        assert_in_range(widths.name, 120, 232);
        assert_true(all_of(widths) <= steps[i].room || steps[i].room < 188);
    }
    assert_int_equal(prfdata_widths_legend(459 * 2, 0, 192).numbers, 4);
}

/* The table has about 300 pixels in a window of 600. Two values are visible next to the names. */
static void test_widths_of_the_table_leave_room_for_two_numbers(void **state)
{
    static const uint32_t dpis[] = {96, 120, 144, 168, 192, 288};

    (void)state;
    for (size_t i = 0; i < sizeof dpis / sizeof dpis[0]; i++) {
        const int32_t dpi = (int32_t)dpis[i];

        for (int32_t room = 244 * dpi / 96 + 1; room < 3000; room++) {
            const prfdata_widths widths = prfdata_widths_table(room, 30, true, dpis[i]);

            assert_true(widths.name + 2 * widths.number <= room);
            assert_in_range(widths.number, 72 * dpi / 96, 110 * dpi / 96 + 1);
            assert_in_range(widths.name, 100 * dpi / 96, 200 * dpi / 96);
        }
    }
}

/* Names get no more room than is useful. Names of counters get more than names of instances. */
static void test_widths_of_the_table_are_the_usual_ones_with_room(void **state)
{
    (void)state;
    assert_int_equal(prfdata_widths_table(870, 5, true, 96).name, 200);
    assert_int_equal(prfdata_widths_table(870, 5, true, 96).number, 110);
    assert_int_equal(prfdata_widths_table(870, 1, true, 96).number, 110);
    assert_int_equal(prfdata_widths_table(870, 1, false, 96).name, 300);
    assert_int_equal(prfdata_widths_table(1740, 5, true, 192).name, 400);
}

static void test_widths_of_the_table_without_room_take_it_from_numbers_first(void **state)
{
    (void)state;
    assert_int_equal(prfdata_widths_table(380, 5, true, 96).number, 110);
    assert_int_equal(prfdata_widths_table(380, 5, true, 96).name, 160);
    assert_int_equal(prfdata_widths_table(327, 5, true, 96).number,
                     88); /* room for all of "% Busy Time" */
    assert_int_equal(prfdata_widths_table(327, 5, true, 96).name, 151);
    assert_int_equal(prfdata_widths_table(280, 5, true, 96).number, 72);
    assert_int_equal(prfdata_widths_table(280, 5, true, 96).name, 136);
    assert_int_equal(prfdata_widths_table(0, 5, true, 96).name, 100);
    assert_int_equal(prfdata_widths_table(250, 1, true, 96).number, 100);
    assert_int_equal(prfdata_widths_table(300, 1, false, 96).number, 72);
    assert_int_equal(prfdata_widths_table(300, 1, false, 96).name, 228);
}

/* If some columns of numbers fit, but not all, only whole columns are visible. The column of names
 * gets the room that is left, and becomes at most twice as wide. */
static void test_widths_of_the_table_show_whole_columns(void **state)
{
    static const int32_t columns[] = {110, 110, 134, 110, 90, 0, 110};
    const uint32_t count = sizeof columns / sizeof columns[0];

    (void)state;
    for (int32_t room = 0; room < 1200; room++) {
        const int32_t name = prfdata_widths_table(room, count, true, 96).name;
        const int32_t whole = prfdata_widths_whole(room, name, columns, count);
        int32_t end = whole;
        uint32_t seen = 0;

        while (seen < count && end + columns[seen] <= room)
            end += columns[seen++];
        assert_in_range(whole, name, 2 * name);
        if (seen > 0 && seen < count)
            assert_int_equal(end, room);
        else
            assert_int_equal(whole, name);
    }
    /* The table of a window of 800 pixels. With 200 pixels for names, only a part of the third
     * column would be visible. */
    assert_int_equal(prfdata_widths_whole(467, 200, columns, count), 247);
    assert_int_equal(prfdata_widths_whole(467, 200, columns, 2), 200);
    assert_int_equal(prfdata_widths_whole(467, 200, columns, 0), 200);
}

/* Numbers that cannot be shortened have the width that they need, at any DPI. */
static void test_widths_of_the_legend_are_enough_for_long_numbers(void **state)
{
    static const uint32_t dpis[] = {96, 120, 144, 168, 192, 288};

    (void)state;
    for (size_t i = 0; i < sizeof dpis / sizeof dpis[0]; i++) {
        const int32_t widest = (int32_t)(131 * dpis[i] / 96);

        for (int32_t room = 0; room < 3000; room++) {
            const prfdata_widths widths = prfdata_widths_legend(room, widest, dpis[i]);

            assert_true(widths.number >= widest);
            assert_true(widths.numbers == 1 || all_of(widths) <= room);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths_of_the_legend_with_room_give_it_to_names),
        cmocka_unit_test(test_widths_of_the_legend_fill_the_room_as_long_as_it_is_enough),
        cmocka_unit_test(test_widths_of_the_legend_without_room_take_it_from_numbers_first),
        cmocka_unit_test(test_widths_of_the_legend_leave_out_numbers_before_it_scrolls),
        cmocka_unit_test(test_widths_of_the_table_leave_room_for_two_numbers),
        cmocka_unit_test(test_widths_of_the_table_are_the_usual_ones_with_room),
        cmocka_unit_test(test_widths_of_the_table_without_room_take_it_from_numbers_first),
        cmocka_unit_test(test_widths_of_the_table_show_whole_columns),
        cmocka_unit_test(test_widths_of_the_legend_are_enough_for_long_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
