/* SPDX-License-Identifier: MIT */
/* Tests how an argument is quoted for a command line, and for cmd. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#include <shellapi.h>
#endif

#include "names/names.h"
#include "support/reader/ascii_text.h"
#include "text/arguments.h"

#define MAX_CHARS 32

/* A letter, and characters that matter for quoting. The test uses them in every order. */
static const char alphabet[] = "a \"\\\t%";

/* Read one argument of the line by the documented rules ("Parsing C command-line arguments"). 2n
 * backslashes before a quote are n backslashes, and the quote opens or closes. 2n + 1 are n
 * backslashes and a literal quote. Other backslashes are literal. Returns where the next argument
 * begins. */
static const char *read_argument(const char *line, char *argument)
{
    bool is_quoted = false;

    for (;; line++) {
        size_t backslashes = strspn(line, "\\");

        if (line[backslashes] == '"') {
            for (size_t i = 0; i < backslashes / 2; i++)
                *argument++ = '\\';
            line += backslashes;
            if (backslashes % 2)
                *argument++ = '"';
            else
                is_quoted = !is_quoted;
            continue;
        }
        if (*line == 0 || (!is_quoted && (*line == ' ' || *line == '\t')))
            break;
        *argument++ = *line;
    }
    *argument = 0;
    return line + (*line != 0);
}

static void expect_argument_comes_back(const char *ascii)
{
    prfdata_output line = {0};
    uint16_t chars[MAX_CHARS];
    char read[4 * MAX_CHARS];
    const char *rest;
    size_t count = strlen(ascii);

    for (size_t i = 0; i < count; i++)
        chars[i] = (unsigned char)ascii[i];
    prfdata_output_put_string(&line, "program ");
    prfdata_arguments_put_quoted(&line, (prfdata_text){chars, count});
    prfdata_output_put_string(&line, " last");
    prfdata_output_put(&line, "", 1);
    assert_false(line.failed);

    rest = read_argument(line.bytes + strlen("program "), read);
    assert_string_equal(read, ascii);
    assert_string_equal(rest, "last");
#ifdef _WIN32
    {
        wchar_t *wide = calloc(line.used, sizeof *wide);
        wchar_t **arguments;
        int argument_count = 0;

        assert_non_null(wide);
        assert_true(prfdata_names_wide_from_utf8(line.bytes, line.used - 1, wide) != SIZE_MAX);
        arguments = CommandLineToArgvW(wide, &argument_count);
        assert_int_equal(argument_count, 3);
        assert_int_equal(wcslen(arguments[1]), count);
        assert_memory_equal(arguments[1], chars, count * sizeof *chars);
        LocalFree(arguments);
        free(wide);
    }
#endif
    prfdata_output_free(&line);
}

static void test_arguments_quoted_come_back_whatever_they_have(void **state)
{
    const size_t letters = sizeof alphabet - 1;
    size_t total = 1;

    (void)state;
    for (size_t length = 0; length <= 5; length++, total *= letters) {
        for (size_t number = 0; number < total; number++) {
            char ascii[8];
            size_t rest = number;

            for (size_t i = 0; i < length; i++, rest /= letters)
                ascii[i] = alphabet[rest % letters];
            ascii[length] = 0;
            expect_argument_comes_back(ascii);
        }
    }
    expect_argument_comes_back("\\RAS Port(*)\\*");
    expect_argument_comes_back("C:\\my folder\\");
}

static void test_arguments_plain_stay_plain_and_empty_ones_are_quoted(void **state)
{
    static const uint16_t chars[] = {'*', ':', '9', '1', '8', '2'};
    prfdata_output line = {0};

    (void)state;
    prfdata_arguments_put_quoted(&line, (prfdata_text){chars, 6});
    assert_int_equal(line.used, 6);
    assert_memory_equal(line.bytes, "*:9182", 6);
    prfdata_output_clear(&line);
    prfdata_arguments_put_quoted(&line, (prfdata_text){chars, 0});
    assert_int_equal(line.used, 2);
    assert_memory_equal(line.bytes, "\"\"", 2);
    prfdata_output_free(&line);
}

/* Read a line as cmd does if it is pasted at its prompt. A quote begins or ends quoting, and
 * outside of quotes a caret protects the next character. Fail at a character that would end the
 * command or begin a variable. */
static void pass_through_cmd(const char *line, char *passed)
{
    bool is_quoted = false;
    size_t percents = 0;

    for (; *line; line++) {
        if (!is_quoted && *line == '^') {
            assert_int_not_equal(line[1], 0);
            *passed++ = *++line;
            percents = 0; /* a caret between two percent signs prevents a variable */
            continue;
        }
        if (*line == '"')
            is_quoted = !is_quoted;
        assert_true(is_quoted || !strchr("&|<>", *line));
        assert_false(*line == '\n' || *line == '\r');
        percents += *line == '%';
        assert_true(percents < 2);
        *passed++ = *line;
    }
    *passed = 0;
}

static void test_arguments_for_cmd_are_one_argument(void **state)
{
    static const char *const texts[] = {
        "\\Process(*)\\% Processor Time",
        "\\O(a\" & calc & \")\\C",
        "\\O(%PATH%)\\C",
        "\\O(a^b|c)\\C",
        "\\O(\"^&%a%\\\")\\C",
        "plain",
        "",
        "\\O(a&b)\\C\\",
        "\"",
        "\\\"",
        "%a%b%c%\"",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint16_t chars[100];
        const prfdata_text text = {chars,
                                   prfdata_text_from_utf8(texts[i], strlen(texts[i]), chars, 100)};
        prfdata_output line = {0};
        char passed[200];
        char argument[200];

        prfdata_arguments_put_for_cmd(&line, text);
        prfdata_output_put(&line, "", 1);
        pass_through_cmd(line.bytes, passed);
        assert_int_equal(*read_argument(passed, argument), 0);
        assert_string_equal(argument, texts[i]);
        prfdata_output_free(&line);
    }
}

/* ---- Several arguments ---- */

/* If the text begins with the name of a variable of cmd, return the end of the name. `value` gets
 * the variable's value. Otherwise return NULL. */
static const char *find_variable(const char *text, const char **value)
{
    static const struct {
        const char *name;
        const char *value;
    } variables[] = {{"PATH", "C:\\Windows;C:\\R&D"},
                     {"CMDCMDLINE", "\"C:\\Windows\\system32\\cmd.exe\" "}};

    for (size_t i = 0; i < 2; i++) {
        const size_t length = strlen(variables[i].name);

        *value = variables[i].value;
        if (strncmp(text, variables[i].name, length) == 0 &&
            (text[length] == '%' || text[length] == ':'))
            return text + length;
    }
    return NULL;
}

/* Append the value of a variable, with each `from` replaced. */
static void append_replaced(char *line, const char *value, const char *from, size_t from_size,
                            const char *to, size_t to_size)
{
    while (*value) {
        if (from_size > 0 && strncmp(value, from, from_size) == 0) {
            strncat(line, to, to_size);
            value += from_size;
        } else {
            strncat(line, value++, 1);
        }
    }
}

/* Expand variables as cmd does before it looks at quotes and carets: %NAME% and %NAME:from=to%. At
 * cmd's prompt, undefined variables stay as they are. */
static void expand_variables(const char *line, char *expanded)
{
    expanded[0] = 0;
    while (*line) {
        const char *value = NULL;
        const char *after = *line == '%' ? find_variable(line + 1, &value) : NULL;
        const char *end = after ? strchr(after, '%') : NULL;
        const char *equals = end && *after == ':' ? strchr(after, '=') : NULL;

        if (!end || (*after == ':' && (!equals || equals > end))) {
            strncat(expanded, line++, 1);
            continue;
        }
        if (equals)
            append_replaced(expanded, value, after + 1, (size_t)(equals - after - 1), equals + 1,
                            (size_t)(end - equals - 1));
        else
            strcat(expanded, value);
        line = end + 1;
    }
}

static const char *find_second_command(const char *line)
{
    bool is_quoted = false;

    for (; *line; line++) {
        if (!is_quoted && *line == '^' && line[1])
            line++;
        else if (*line == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && strchr("&|<>", *line))
            return line;
    }
    return NULL;
}

/* No variable may begin in one name of a command and end in a later name, because the variable's
 * value could end the quotes around the names. */
static void test_arguments_for_cmd_are_one_command_together(void **state)
{
    static const char *const texts[][3] = {
        {"\\O(i%CMDCMDLINE:x=)\\C", "\\O(\")\\C", "\\O(j%& calc &)\\C"},
        {"\\O(i%PATH:x=)\\C", "\\O(a)\\C", "\\O(j%k)\\C"},
        {"\\O(50%)\\C", "\\PATH%", "\\O(& calc &)\\C"},
        {"%", "PATH% & calc &", "\"& calc &"},
        {"\\O(a)\\% CPU", "\\O(b)\\% Idle", "\\O(& calc &)\\C"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char expanded[2000];
        prfdata_output line = {0};

        for (size_t k = 0; k < 3; k++) {
            uint16_t chars[100];
            const size_t count =
                prfdata_text_from_utf8(texts[i][k], strlen(texts[i][k]), chars, 100);

            prfdata_output_put(&line, " ", 1);
            prfdata_arguments_put_for_cmd(&line, (prfdata_text){chars, count});
        }
        prfdata_output_put(&line, "", 1);
        expand_variables(line.bytes, expanded);
        if (find_second_command(expanded))
            fail_msg("%s becomes %s", line.bytes, expanded);
        prfdata_output_free(&line);
    }
}

/* A percent sign that begins no variable stays as it is. So paths of Windows' counters are readable
 * and can also be pasted into other programs. */
static void test_arguments_for_cmd_leave_percentages_plain(void **state)
{
    static const char text[] = "\\Processor(*)\\% Processor Time";
    uint16_t chars[100];
    prfdata_output line = {0};

    (void)state;
    prfdata_arguments_put_for_cmd(&line, ascii_text(text, chars));
    prfdata_output_put(&line, "", 1);
    assert_string_equal(line.bytes, "\"\\Processor(*)\\% Processor Time\"");
    prfdata_output_free(&line);
}

/* A line end would begin a second command. */
static void test_arguments_for_cmd_have_no_control_characters(void **state)
{
    static const uint16_t chars[] = {'a', '\r', '\n', 'c', '\t', 0x1B, 'd'};
    prfdata_output line = {0};

    (void)state;
    prfdata_arguments_put_for_cmd(&line, (prfdata_text){chars, 7});
    prfdata_output_put(&line, "", 1);
    assert_string_equal(line.bytes, "\"a**c**d\"");
    prfdata_output_free(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments_for_cmd_are_one_argument),
        cmocka_unit_test(test_arguments_for_cmd_are_one_command_together),
        cmocka_unit_test(test_arguments_for_cmd_leave_percentages_plain),
        cmocka_unit_test(test_arguments_for_cmd_have_no_control_characters),
        cmocka_unit_test(test_arguments_quoted_come_back_whatever_they_have),
        cmocka_unit_test(test_arguments_plain_stay_plain_and_empty_ones_are_quoted),
    };

    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
