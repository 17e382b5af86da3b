/* SPDX-License-Identifier: MIT */
/* Tests texts: patterns, the order of numbers, UTF-8, the removal of blanks at both ends, and
 * copies, which end with NUL. */
#include "support/test.h"

#include <stdlib.h>

#include "support/reader/ascii_text.h"
#include "text/text.h"

static void test_text_copy_replaces_what_was_there(void **state)
{
    uint16_t chars[8];
    prfdata_text copy = {0};

    (void)state;
    assert_true(prfdata_text_copy(ascii_text("abc", chars), &copy));
    assert_true(ascii_text_is(copy, "abc"));
    assert_int_equal(copy.chars[3], 0);
    assert_true(prfdata_text_copy((prfdata_text){0}, &copy));
    assert_int_equal(copy.count, 0);
    assert_int_equal(copy.chars[0], 0);
    prfdata_text_free(&copy);
    assert_null(copy.chars);
}

static void test_text_pattern_is_for_what_holds_the_text(void **state)
{
    uint16_t chars[8];
    uint16_t other[8];
    prfdata_text pattern = {0};

    (void)state;
    assert_true(prfdata_text_copy_as_pattern(ascii_text("b*d", chars), &pattern));
    assert_true(ascii_text_is(pattern, "*b*d*"));
    assert_true(prfdata_text_matches(pattern, ascii_text("xBcdx", other)));
    assert_true(prfdata_text_copy_as_pattern((prfdata_text){0}, &pattern));
    assert_null(pattern.chars);
}

static void test_text_compare_naturally_orders_numbers_by_value(void **state)
{
    static const char *const ordered[] = {"",
                                          "00",
                                          "0x",
                                          "1",
                                          "Row",
                                          "row 02",
                                          "row 2",
                                          "row 2 a",
                                          "row 10",
                                          "row 10b",
                                          "row 010c",
                                          "row 99999999999999999998",
                                          "row 99999999999999999999",
                                          "row 100000000000000000000",
                                          "rows",
                                          "x2y10",
                                          "x10y2"};
    const size_t count = sizeof ordered / sizeof ordered[0];

    (void)state;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            uint16_t left[40];
            uint16_t right[40];
            const int order = prfdata_text_compare_naturally(ascii_text(ordered[i], left),
                                                             ascii_text(ordered[k], right));

            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
    }
}

static void test_text_from_utf8_has_what_fits_and_is_valid(void **state)
{
    static const char utf8[] = "a\xC3\xA4\xFF\xF0\x9F\x98\x80z";
    static const uint16_t expected[] = {'a', 0xE4, 0xD83D, 0xDE00, 'z'};
    uint16_t chars[8];

    (void)state;
    assert_int_equal(prfdata_text_from_utf8(utf8, sizeof utf8 - 1, chars, 8), 5);
    assert_memory_equal(chars, expected, sizeof expected);
    /* A surrogate pair is not split. */
    assert_int_equal(prfdata_text_from_utf8(utf8, sizeof utf8 - 1, chars, 3), 2);
    assert_int_equal(prfdata_text_from_utf8(utf8, 0, chars, 8), 0);
}

static void test_text_to_utf8_is_cut_before_a_character(void **state)
{
    static const uint16_t chars[] = {'a', 0xE4, 0x20AC, 0xD83D, 0xDE00, 0xDC00, 'z'};
    static const struct {
        size_t capacity;
        const char *expected;
    } cuts[] = {
        {15, "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\xEF\xBF\xBDz"},
        {14, "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\xEF\xBF\xBD"},
        {13, "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"},
        {10, "a\xC3\xA4\xE2\x82\xAC"},
        {6, "a\xC3\xA4"},
        {3, "a"},
        {1, ""},
    };
    const prfdata_text text = {chars, sizeof chars / sizeof chars[0]};

    (void)state;
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        char *bytes = malloc(cuts[i].capacity); /* the sanitizer notices a write after the end */

        assert_non_null(bytes);
        prfdata_text_to_utf8(text, bytes, cuts[i].capacity);
        assert_string_equal(bytes, cuts[i].expected);
        free(bytes);
    }
}

static void test_text_trimmed_has_no_blanks_at_its_ends(void **state)
{
    static const char *const texts[][2] = {{"", ""}, {" \t", ""}, {"a", "a"}, {"\ta b ", "a b"}};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint16_t chars[8];

        assert_true(
            ascii_text_is(prfdata_text_trimmed(ascii_text(texts[i][0], chars)), texts[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_copy_replaces_what_was_there),
        cmocka_unit_test(test_text_pattern_is_for_what_holds_the_text),
        cmocka_unit_test(test_text_compare_naturally_orders_numbers_by_value),
        cmocka_unit_test(test_text_from_utf8_has_what_fits_and_is_valid),
        cmocka_unit_test(test_text_to_utf8_is_cut_before_a_character),
        cmocka_unit_test(test_text_trimmed_has_no_blanks_at_its_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
