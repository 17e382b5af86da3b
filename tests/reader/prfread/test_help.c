/* SPDX-License-Identifier: MIT */
/* Tests that each help text fits a screen, and that prfread understands its examples. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prfread/format.h"
#include "prfread/help.h"
#include "prfread/options.h"
#include "support/console.h"
#include "support/reader/ascii_text.h"

#define MAX_ARGUMENTS 16

/* Return the help on a topic, valid until the next call; NULL: there is none. */
static const char *text_of(const char *topic)
{
    static char text[4096];
    prfdata_output output = {0};
    uint16_t chars[32];
    bool is_there = prfdata_help_put(&output, ascii_text(topic, chars));

    assert_false(output.failed);
    assert_true(output.used < sizeof text);
    if (is_there)
        memcpy(text, output.bytes, output.used);
    text[output.used] = 0;
    prfdata_output_free(&output);
    return is_there ? text : NULL;
}

static void test_help_each_topic_fits_a_screen(void **state)
{
    const char *topic;

    (void)state;
    for (size_t i = 0; (topic = prfdata_help_topic(i)) != NULL; i++) {
        const char *text = text_of(topic);
        unsigned lines = 0;

        assert_non_null(text);
        assert_fits_console(text);
        while (*text) {
            size_t length = strcspn(text, "\n");

            assert_int_equal(text[length], '\n');
            text += length + 1;
            lines++;
        }
        assert_in_range(lines, 5, 24);
    }
}

static void test_help_overview_names_all_topics(void **state)
{
    const char *overview = text_of("");
    const char *topic;

    (void)state;
    for (size_t i = 1; (topic = prfdata_help_topic(i)) != NULL; i++) {
        char line[64];

        snprintf(line, sizeof line, "\n  prfread -? %s ", topic);
        if (!strstr(overview, line))
            fail_msg("the overview lacks %s", topic);
    }
    assert_non_null(text_of("PATHS"));
    assert_null(text_of("path"));
}

/* Split an example into words. The example ends at two blanks, a bar, a comma or the line's end. */
static size_t split(const char *line, uint16_t chars[][80])
{
    size_t count = 0;

    for (;;) {
        char word[80];
        size_t length = 0;

        if (*line == '"') {
            length = strcspn(line + 1, "\"");
            memcpy(word, line + 1, length);
            line += length + 2;
        } else {
            length = strcspn(line, " \n,");
            memcpy(word, line, length);
            line += length;
        }
        word[length] = 0;
        assert_in_range(count, 0, MAX_ARGUMENTS - 1);
        (void)ascii_text(word, chars[count++]);
        if (line[0] != ' ' || line[1] == ' ' || line[1] == '|')
            return count;
        line++;
    }
}

static void check_example(const char *line)
{
    uint16_t chars[MAX_ARGUMENTS][80];
    const uint16_t *arguments[MAX_ARGUMENTS];
    prfdata_text names[MAX_ARGUMENTS];
    prfdata_options options;
    prfdata_arguments_error error;
    size_t count = split(line, chars);

    for (size_t i = 0; i < count; i++)
        arguments[i] = chars[i];
    prfdata_options_init(&options, names);
    if (!prfdata_options_read(&options, count, arguments, &error))
        fail_msg("%.40s: %s", line, error.reason);
    if (options.config_file.count == 0 && !prfdata_options_check(&options, &error))
        fail_msg("%.40s: %s", line, error.reason);
}

static void test_help_examples_are_understood(void **state)
{
    static const char begin[] = "  prfread ";
    const char *topic;
    unsigned examples = 0;

    (void)state;
    for (size_t i = 0; (topic = prfdata_help_topic(i)) != NULL; i++) {
        const char *text = text_of(topic);

        assert_true(i == 0 || strncmp(text, begin, sizeof begin - 1) == 0);
        for (const char *at = text; (at = strstr(at, begin)) != NULL; at++) {
            check_example(at + sizeof begin - 1);
            examples++;
        }
    }
    assert_in_range(examples, 20, 60);
}

static void test_help_lists_every_format(void **state)
{
    const prfdata_format *format;

    (void)state;
    for (size_t i = 0; (format = prfdata_format_at(i)) != NULL; i++) {
        char line[32];

        snprintf(line, sizeof line, "\n%-10s", format->name);
        if (!strstr(text_of("formats"), line))
            fail_msg("the formats lack %s", format->name);
        snprintf(line, sizeof line, " %s", format->name);
        if (!strstr(strstr(text_of("options"), "  -f format"), line))
            fail_msg("-f lacks %s", format->name);
    }
}

/* Returns whether a text has the option as a whole word: "-s" is not a part of "-save". */
static bool has_option(const char *text, const char *option)
{
    const size_t length = strlen(option);

    for (const char *at = text; (at = strstr(at, option)) != NULL; at++) {
        if ((at == text || strchr(" (\n", at[-1])) && strchr(" ,.;:)\n", at[length]))
            return true;
    }
    return false;
}

static bool is_in_any_topic(const char *option)
{
    const char *topic;

    for (size_t i = 0; (topic = prfdata_help_topic(i)) != NULL; i++) {
        if (has_option(text_of(topic), option))
            return true;
    }
    return false;
}

/* -? has other names, which the help leaves out. */
static bool is_other_name_of_help(const char *name)
{
    return !strcmp(name, "h") || !strcmp(name, "help") || !strcmp(name, "-help");
}

static void test_help_knows_every_option(void **state)
{
    const char *name;
    size_t count = 0;

    (void)state;
    for (; (name = prfdata_options_name_at(count)) != NULL; count++) {
        char option[16];

        snprintf(option, sizeof option, "-%s", name);
        if (!is_other_name_of_help(name) && !is_in_any_topic(option))
            fail_msg("%s", option);
    }
    assert_in_range(count, 35, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_each_topic_fits_a_screen),
        cmocka_unit_test(test_help_overview_names_all_topics),
        cmocka_unit_test(test_help_examples_are_understood),
        cmocka_unit_test(test_help_lists_every_format),
        cmocka_unit_test(test_help_knows_every_option),
    };

    return cmocka_run_group_tests_name("help", tests, NULL, NULL);
}
