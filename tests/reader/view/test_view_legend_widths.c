/* SPDX-License-Identifier: MIT */
/* The columns of a legend, in windows of any width and DPI. */
#include "support/test.h"

#include "view/legend_widths.h"

static int32_t all_of(prfdata_legend_widths widths)
{
    return widths.name + PRFDATA_LEGEND_NUMBERS * widths.number;
}

static void test_legend_widths_with_room_give_it_to_names(void **state)
{
    (void)state;
    assert_int_equal(prfdata_legend_widths_share(1000, 96).number, 80);
    assert_int_equal(prfdata_legend_widths_share(1000, 96).name, 600);
    assert_int_equal(prfdata_legend_widths_share(2000, 192).number, 160);
    assert_int_equal(prfdata_legend_widths_share(2000, 192).name, 1200);
}

/* No room is left over, and none is wanted that is not there, down to what both need. */
static void test_legend_widths_fill_the_room_as_long_as_it_is_enough(void **state)
{
    static const uint32_t dpis[] = {96, 120, 144, 168, 192, 288};

    (void)state;
    for (size_t i = 0; i < sizeof dpis / sizeof dpis[0]; i++) {
        const int32_t least = all_of(prfdata_legend_widths_share(0, dpis[i]));

        assert_int_equal(least, 460 * dpis[i] / 96);
        for (int32_t room = 0; room < 3000; room++)
            assert_int_equal(all_of(prfdata_legend_widths_share(room, dpis[i])),
                             room > least ? room : least);
    }
}

static void test_legend_widths_without_room_take_it_from_numbers_first(void **state)
{
    (void)state;
    for (int32_t room = 540; room < 600; room++) {
        const prfdata_legend_widths widths = prfdata_legend_widths_share(room, 96);

        assert_in_range(widths.number, 68, 79);
        assert_in_range(widths.name, 200, 204);
    }
    assert_int_equal(prfdata_legend_widths_share(500, 96).number, 68);
    assert_int_equal(prfdata_legend_widths_share(500, 96).name, 160);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legend_widths_with_room_give_it_to_names),
        cmocka_unit_test(test_legend_widths_fill_the_room_as_long_as_it_is_enough),
        cmocka_unit_test(test_legend_widths_without_room_take_it_from_numbers_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
