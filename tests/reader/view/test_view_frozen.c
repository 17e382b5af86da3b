/* SPDX-License-Identifier: MIT */
/* Tests the first column of a table, which stays when the table is scrolled sideways. */
#include "support/test.h"

#include "view/frozen.h"

/* Return the state of a table whose first column has 150 pixels, in a window of 400 pixels. */
static prfdata_frozen frozen_at(int32_t scroll)
{
    return (prfdata_frozen){scroll, 150, 400};
}

static void test_frozen_is_nowhere_while_nothing_is_scrolled(void **state)
{
    const prfdata_frozen place = frozen_at(0);

    (void)state;
    assert_int_equal(prfdata_frozen_width(&place), 0);
    assert_false(prfdata_frozen_covers(&place, 0));
}

static void test_frozen_covers_its_whole_width_at_any_scroll(void **state)
{
    (void)state;
    for (int32_t scroll = 1; scroll < 2000; scroll++) {
        const prfdata_frozen place = frozen_at(scroll);

        assert_int_equal(prfdata_frozen_width(&place), 150);
        assert_true(prfdata_frozen_covers(&place, 0));
        assert_true(prfdata_frozen_covers(&place, 149));
        assert_false(prfdata_frozen_covers(&place, 150));
    }
}

/* A first column that is wider than half of the window scrolls like other columns until it covers
 * half of the window. Then it stays. */
static void test_frozen_wide_column_leaves_half_of_the_window(void **state)
{
    (void)state;
    for (int32_t scroll = 1; scroll < 2000; scroll++) {
        const prfdata_frozen place = {scroll, 350, 400};

        assert_int_equal(prfdata_frozen_width(&place), scroll < 150 ? 350 - scroll : 200);
    }
}

/* However far the table is scrolled, a revealed column is completely visible to the right of the
 * first column, if it fits into that space. */
static void test_frozen_reveal_shows_a_whole_cell(void **state)
{
    (void)state;
    for (int32_t column = 100; column <= 350; column += 25) {
        for (int32_t scroll = 0; scroll <= 1000; scroll += 7) {
            for (int32_t at = 0; at < 12; at++) {
                prfdata_frozen place = {scroll, column, 400};
                const int32_t left = column + at * 100 - scroll;
                const int32_t by = prfdata_frozen_reveal(&place, left, left + 100);

                place.scroll += by;
                assert_true(place.scroll >= 0);
                assert_true(left - by >= prfdata_frozen_width(&place));
                assert_true(left + 100 - by <= 400 || place.scroll == 0);
            }
        }
    }
}

static void test_frozen_reveal_leaves_what_is_seen(void **state)
{
    const prfdata_frozen place = frozen_at(120);

    (void)state;
    assert_int_equal(prfdata_frozen_reveal(&place, 150, 250), 0);
    assert_int_equal(prfdata_frozen_reveal(&place, 300, 400), 0);
    assert_int_equal(prfdata_frozen_reveal(&place, 301, 401), 1);
    assert_int_equal(prfdata_frozen_reveal(&place, 149, 249), -1);
}

static void test_frozen_reveal_shows_the_beginning_of_a_wide_cell(void **state)
{
    const prfdata_frozen place = frozen_at(120);

    (void)state;
    assert_int_equal(prfdata_frozen_reveal(&place, 200, 800), 50);
    assert_int_equal(prfdata_frozen_reveal(&place, 100, 800), -50);
}

/* To show the second column, the table scrolls back to its beginning and no farther. */
static void test_frozen_reveal_goes_back_to_the_beginning_only(void **state)
{
    const prfdata_frozen place = frozen_at(30);
    const prfdata_frozen wide = {30, 350, 400};

    (void)state;
    assert_int_equal(prfdata_frozen_reveal(&place, 120, 220), -30);
    assert_int_equal(prfdata_frozen_reveal(&wide, 120, 220), -30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frozen_is_nowhere_while_nothing_is_scrolled),
        cmocka_unit_test(test_frozen_covers_its_whole_width_at_any_scroll),
        cmocka_unit_test(test_frozen_wide_column_leaves_half_of_the_window),
        cmocka_unit_test(test_frozen_reveal_shows_a_whole_cell),
        cmocka_unit_test(test_frozen_reveal_leaves_what_is_seen),
        cmocka_unit_test(test_frozen_reveal_shows_the_beginning_of_a_wide_cell),
        cmocka_unit_test(test_frozen_reveal_goes_back_to_the_beginning_only),
    };

    return cmocka_run_group_tests_name("view_frozen", tests, NULL, NULL);
}
