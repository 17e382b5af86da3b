/* SPDX-License-Identifier: MIT */
/* Tests how names that other programs chose are shown on a terminal. */
#include "support/test.h"

#include <string.h>

#include "text/terminal_line.h"

static void expect(const uint16_t *chars, size_t count, uint32_t width, bool is_unicode,
                   const char *expected, uint32_t left)
{
    prfdata_output output = {0};
    prfdata_terminal_line line = {&output, width, is_unicode};
    prfdata_text text = {chars, count};

    prfdata_terminal_line_put(&line, text);
    prfdata_output_put(&output, "", 1);
    assert_string_equal(output.bytes, expected);
    assert_int_equal(line.left, left);
    prfdata_output_free(&output);
}

static void expect_middle(const uint16_t *chars, size_t count, uint32_t width, bool is_unicode,
                          const char *expected)
{
    prfdata_output output = {0};
    prfdata_terminal_line line = {&output, 100, is_unicode};
    prfdata_text text = {chars, count};

    prfdata_terminal_line_put_middle(&line, text, width);
    prfdata_output_put(&output, "", 1);
    assert_string_equal(output.bytes, expected);
    assert_true(100 - line.left <= width);
    prfdata_output_free(&output);
}

static void test_terminal_line_text_is_cut_at_the_end_of_the_line(void **state)
{
    static const uint16_t text[] = {'a', 'b', 'c', 'd'};

    (void)state;
    expect(text, 4, 5, true, "abcd", 1);
    expect(text, 4, 4, true, "abcd", 0);
    expect(text, 4, 3, true, "abc", 0);
    expect(text, 4, 0, true, "", 0);
    expect(text, 0, 3, true, "", 3);
}

static void expect_lines(const char *bytes, const char *expected)
{
    prfdata_output output = {0};

    prfdata_terminal_line_put_lines(&output, bytes, strlen(bytes));
    prfdata_output_put(&output, "", 1);
    assert_string_equal(output.bytes, expected);
    prfdata_output_free(&output);
}

static void test_terminal_line_whole_lines_have_nothing_that_a_terminal_obeys(void **state)
{
    static const char from_right_to_left[] = {'a', '\xE2', '\x80', '\xAE', 'x', '\0'};

    (void)state;
    expect_lines("", "");
    expect_lines("a\tb\r\n\xC3\xA4\xE6\x97\xA5\xF0\x9F\x98\x80\n",
                 "a\tb\r\n\xC3\xA4\xE6\x97\xA5\xF0\x9F\x98\x80\n");
    expect_lines("\033]0;x\a", "\xEF\xBF\xBD]0;x\xEF\xBF\xBD");
    /* CSI as one 8-bit control character. */
    expect_lines("a\xC2\x9BH\x7F", "a\xEF\xBF\xBDH\xEF\xBF\xBD");
    expect_lines(from_right_to_left, "a\xEF\xBF\xBDx");
    expect_lines("a\xE2\x80", "a\xEF\xBF\xBD\xEF\xBF\xBD");   /* incomplete UTF-8 */
    expect_lines("\xC0\x9B[x", "\xEF\xBF\xBD\xEF\xBF\xBD[x"); /* ESC in an overlong form of UTF-8 */
}

static void test_terminal_line_wide_characters_have_width_two_and_are_never_halved(void **state)
{
    static const uint16_t text[] = {0x65E5, 0x672C, 'x', 0xD83D, 0xDE00};

    (void)state;
    expect(text, 5, 10, true, "\xE6\x97\xA5\xE6\x9C\xACx\xF0\x9F\x98\x80", 3);
    expect(text, 5, 3, true, "\xE6\x97\xA5", 1);
    expect(text, 5, 1, true, "", 1);
    expect(text, 5, 6, true, "\xE6\x97\xA5\xE6\x9C\xACx", 1);
}

static void test_terminal_line_what_is_replaced_has_width_one(void **state)
{
    (void)state;
    assert_int_equal(prfdata_terminal_line_width_of('a'), 1);
    assert_int_equal(prfdata_terminal_line_width_of(0x1B), 1);
    assert_int_equal(prfdata_terminal_line_width_of(0x115F),
                     1); /* an invisible character in a range of wide characters */
    assert_int_equal(prfdata_terminal_line_width_of(0x200D), 1);
    assert_int_equal(prfdata_terminal_line_width_of(0xFE0F), 0);
    assert_int_equal(prfdata_terminal_line_width_of(0x1100), 2);
    assert_int_equal(prfdata_terminal_line_width_of(0x3099), 0);
    assert_int_equal(prfdata_terminal_line_width_of(0x10FFFF), 1);
}

static void test_terminal_line_marks_have_no_width_and_few_are_kept(void **state)
{
    static const uint16_t text[] = {'e', 0x0301, 'x'};
    static const uint16_t many[] = {'e', 0x0301, 0x0302, 0x0303, 0x0304, 0x0305, 'x'};
    static const uint16_t alone[] = {0x0301, 'x'};

    (void)state;
    expect(text, 3, 2, true, "e\xCC\x81x", 0);
    expect(text, 3, 1, true, "e\xCC\x81", 0);
    expect(many, 7, 2, true, "e\xCC\x81\xCC\x82\xCC\x83x", 0);
    expect(alone, 2, 9, true, "\xEF\xBF\xBDx", 7);
}

static void test_terminal_line_nothing_that_a_terminal_obeys_comes_out(void **state)
{
    (void)state;
    for (uint32_t unit = 0; unit <= 0xFFFF; unit++) {
        uint16_t chars[3] = {'a', (uint16_t)unit, 'b'};
        prfdata_output output = {0};
        prfdata_terminal_line line = {&output, 10, true};
        bool is_control = unit < 0x20 || (unit >= 0x7F && unit < 0xA0);
        bool is_surrogate = unit >= 0xD800 && unit <= 0xDFFF;
        bool turns = unit == 0x061C || unit == 0x200E || unit == 0x200F ||
                     (unit >= 0x2028 && unit <= 0x202E) || (unit >= 0x2066 && unit <= 0x2069);

        prfdata_terminal_line_put(&line, (prfdata_text){chars, 3});
        assert_false(output.failed);
        for (size_t i = 0; i < output.used; i++)
            assert_true((unsigned char)output.bytes[i] >= 0x20 && output.bytes[i] != 0x7F);
        if (is_control || is_surrogate || turns) {
            assert_int_equal(output.used, 5);
            assert_memory_equal(output.bytes,
                                "a\xEF\xBF\xBD"
                                "b",
                                5);
            assert_int_equal(line.left, 7);
        }
        prfdata_output_free(&output);
    }
}

static void test_terminal_line_without_unicode_everything_is_ascii(void **state)
{
    static const uint16_t text[] = {'a', 0x65E5, 0x0301, 0xD83D, 0xDE00, 0x1B, 'b'};

    (void)state;
    expect(text, 7, 9, false, "a????b", 3);
}

static void test_terminal_line_too_long_text_loses_its_middle(void **state)
{
    static const uint16_t text[] = {'0', '1', '2', '3', '4', '5', '6', '7'};
    static const uint16_t wide[] = {0x65E5, 0x672C, 0x65E5, 0x672C};
    static const uint16_t marked[] = {'a', 'b', 'c', 'e', 0x0301};

    (void)state;
    expect_middle(text, 8, 8, true, "01234567");
    expect_middle(text, 8, 7, true,
                  "012\xE2\x80\xA6"
                  "567");
    expect_middle(text, 8, 6, true,
                  "012\xE2\x80\xA6"
                  "67");
    expect_middle(text, 8, 6, false, "012~67");
    expect_middle(text, 8, 2, true, "0\xE2\x80\xA6");
    expect_middle(text, 8, 1, true, "\xE2\x80\xA6");
    expect_middle(text, 8, 0, true, "");
    expect_middle(wide, 4, 7, true, "\xE6\x97\xA5\xE2\x80\xA6\xE6\x9C\xAC");
    expect_middle(wide, 4, 3, true, "\xE2\x80\xA6");
    expect_middle(marked, 5, 3, true,
                  "a\xE2\x80\xA6"
                  "e\xCC\x81");
}

static void test_terminal_line_levels_are_bars_in_both_encodings(void **state)
{
    prfdata_output output = {0};
    prfdata_terminal_line line = {&output, 16, true};

    (void)state;
    for (unsigned level = 0; level < 8; level++)
        prfdata_terminal_line_put_level(&line, level);
    line.is_unicode = false;
    for (unsigned level = 0; level < 9; level++)
        prfdata_terminal_line_put_level(&line, level % 8);
    prfdata_output_put(&output, "", 1);
    assert_string_equal(output.bytes,
                        "\xE2\x96\x81\xE2\x96\x82\xE2\x96\x83\xE2\x96\x84\xE2\x96\x85\xE2\x96\x86"
                        "\xE2\x96\x87\xE2\x96\x88 .:-=+*#");
    prfdata_output_free(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terminal_line_text_is_cut_at_the_end_of_the_line),
        cmocka_unit_test(test_terminal_line_whole_lines_have_nothing_that_a_terminal_obeys),
        cmocka_unit_test(test_terminal_line_wide_characters_have_width_two_and_are_never_halved),
        cmocka_unit_test(test_terminal_line_what_is_replaced_has_width_one),
        cmocka_unit_test(test_terminal_line_marks_have_no_width_and_few_are_kept),
        cmocka_unit_test(test_terminal_line_nothing_that_a_terminal_obeys_comes_out),
        cmocka_unit_test(test_terminal_line_without_unicode_everything_is_ascii),
        cmocka_unit_test(test_terminal_line_too_long_text_loses_its_middle),
        cmocka_unit_test(test_terminal_line_levels_are_bars_in_both_encodings),
    };

    return cmocka_run_group_tests_name("terminal_line", tests, NULL, NULL);
}
