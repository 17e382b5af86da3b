/* SPDX-License-Identifier: MIT */
/* Tests how text files are split into lines. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "support/reader/ascii_text.h"
#include "text/lines.h"

/* Split bytes in an allocation of exactly this size, so that the sanitizer notices a read after its
 * end. */
static uint32_t make(const void *bytes, size_t size, prfdata_lines *lines,
                     prfdata_lines_error *error)
{
    void *exact = malloc(size > 0 ? size : 1);
    uint32_t status;

    assert_non_null(exact);
    if (size > 0)
        memcpy(exact, bytes, size);
    memset(lines, 0, sizeof *lines);
    status = prfdata_lines_make(exact, size, lines, error);
    free(exact);
    return status;
}

static bool is(const prfdata_line *line, uint32_t number, const char *ascii)
{
    return line->number == number && ascii_text_is(line->text, ascii) &&
           line->text.chars[line->text.count] == 0;
}

static void test_lines_trimmed_and_numbered_without_comments(void **state)
{
    static const char text[] = "\\A\\B\n"
                               "\n"
                               " \t\\C(d e)\\F \r\n"
                               "# a comment\n"
                               "  ; another\r\n"
                               "\"\\G\\H\"\n"
                               "\"\n"
                               "\"\"\n"
                               "\"\\I(\"j\")\\K\"\r\n"
                               "last";
    prfdata_lines lines;
    prfdata_lines_error error;

    (void)state;
    assert_int_equal(make(text, sizeof text - 1, &lines, &error), ERROR_SUCCESS);
    assert_int_equal(lines.count, 6);
    assert_true(is(&lines.items[0], 1, "\\A\\B"));
    assert_true(is(&lines.items[1], 3, "\\C(d e)\\F ")); /* the blank belongs to the title */
    assert_true(is(&lines.items[2], 6, "\\G\\H"));
    assert_true(is(&lines.items[3], 7, "\""));
    assert_true(is(&lines.items[4], 9, "\\I(\"j\")\\K"));
    assert_true(is(&lines.items[5], 10, "last"));
    prfdata_lines_free(&lines);
}

static void test_lines_encodings_give_the_same_text(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
    } files[] = {
        {"\xC3\xA4\xF0\x9F\x98\x80\nb", 8},
        {"\xEF\xBB\xBF\xC3\xA4\xF0\x9F\x98\x80\r\nb\r\n", 14},
        {"\xFF\xFE\xE4\0\x3D\xD8\x00\xDE\r\0\n\0b\0", 14},
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        static const uint16_t expected[] = {0xE4, 0xD83D, 0xDE00};
        prfdata_lines lines;
        prfdata_lines_error error;

        assert_int_equal(make(files[i].bytes, files[i].size, &lines, &error), ERROR_SUCCESS);
        assert_int_equal(lines.count, 2);
        assert_int_equal(lines.items[0].text.count, 3);
        assert_memory_equal(lines.items[0].text.chars, expected, sizeof expected);
        assert_true(is(&lines.items[1], 2, "b"));
        prfdata_lines_free(&lines);
    }
}

static void test_lines_nothing_in_a_file(void **state)
{
    static const char *const files[] = {"",        "\n",           "\r\n\r\n",
                                        " \n#\n;", "\xEF\xBB\xBF", "\xFF\xFE"};

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        prfdata_lines lines;
        prfdata_lines_error error;

        assert_int_equal(make(files[i], strlen(files[i]), &lines, &error), ERROR_SUCCESS);
        assert_int_equal(lines.count, 0);
        prfdata_lines_free(&lines);
    }
}

static void test_lines_damage_named_with_its_line(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        uint32_t line;
        const char *part_of_reason;
    } files[] = {
        {"a\nb\xE4\nc", 7, 2, "not UTF-8"},
        {"a\nb\nc\xC3", 6, 3, "not UTF-8"},
        {"\xFF\xFE\x61\0\x62", 5, 0, "half a character"},
        {"\xFE\xFF\0a", 4, 0, "big-endian"},
        {"\xFF\xFE\x61\0\n\0\0\0b\0", 10, 2, "NUL"},
        {"a\n\0", 3, 2, "not UTF-8"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        prfdata_lines lines;
        prfdata_lines_error error = {77, ""};

        assert_int_equal(make(files[i].bytes, files[i].size, &lines, &error), ERROR_INVALID_DATA);
        if (error.line != files[i].line || !strstr(error.reason, files[i].part_of_reason))
            fail_msg("file %u: line %u: %s", (unsigned)i, (unsigned)error.line, error.reason);
        assert_null(lines.items);
    }
}

static void test_lines_every_beginning_survived(void **state)
{
    static const char files[2][24] = {"\xEF\xBB\xBF\\\xC3\xA4\r\n\"b\"\n#\xF0\x9F\x98\x80\n;c",
                                      "\xFF\xFE\\\0\xE4\0\r\0\n\0\"\0b\0\"\0\n\0"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (size_t size = 0; size < sizeof files[0]; size++) {
            prfdata_lines lines;
            prfdata_lines_error error;

            if (make(files[i], size, &lines, &error) == ERROR_SUCCESS)
                assert_in_range(lines.count, 0, 4);
            prfdata_lines_free(&lines);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_trimmed_and_numbered_without_comments),
        cmocka_unit_test(test_lines_encodings_give_the_same_text),
        cmocka_unit_test(test_lines_nothing_in_a_file),
        cmocka_unit_test(test_lines_damage_named_with_its_line),
        cmocka_unit_test(test_lines_every_beginning_survived),
    };

    return cmocka_run_group_tests_name("lines", tests, NULL, NULL);
}
