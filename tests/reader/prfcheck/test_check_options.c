/* SPDX-License-Identifier: MIT */
/* Tests prfcheck's command line. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prfcheck/check_options.h"
#include "support/reader/ascii_text.h"

#define MAX_ARGUMENTS 20

/* A command line in the form that wmain gets; each argument has its own allocation. */
typedef struct check_options_command {
    uint16_t *arguments[MAX_ARGUMENTS];
    size_t count;
    bool accepted;
    prfdata_check_options options;
    prfdata_arguments_error error;
} check_options_command;

static void parse(check_options_command *c, const char *line)
{
    memset(c, 0, sizeof *c);
    while (*line) {
        const size_t length = strcspn(line, " ");
        uint16_t *argument = malloc((length + 1) * sizeof *argument);

        assert_non_null(argument);
        for (size_t i = 0; i < length; i++)
            argument[i] = (unsigned char)line[i];
        argument[length] = 0;
        c->arguments[c->count++] = argument;
        line += length + (line[length] == ' ');
    }
    c->accepted = prfdata_check_options_parse(c->count, (const uint16_t *const *)c->arguments,
                                              &c->options, &c->error);
}

static void drop(check_options_command *c)
{
    ascii_drop(c->arguments, c->count);
}

static void test_check_options_service_alone(void **state)
{
    check_options_command c;

    (void)state;
    parse(&c, "MyService");
    assert_true(c.accepted);
    assert_true(ascii_text_is(c.options.service, "MyService"));
    assert_int_equal(c.options.dll.count, 0);
    assert_false(c.options.verbose || c.options.quick || c.options.help || c.options.is_worker ||
                 c.options.has_context);
    assert_int_equal(c.options.first + c.options.last + c.options.limit + c.options.seconds, 0);
    assert_int_equal(c.options.silence, 60);
    assert_int_equal(c.options.wait, 3);
    assert_int_equal(c.options.expect + c.options.again.count, 0);
    drop(&c);
}

static void test_check_options_all_of_a_dll(void **state)
{
    check_options_command c;

    (void)state;
    parse(&c, "-DLL my.dll /open O -collect C -close D -context T -first 2 -last 4 -quick -v");
    assert_true(c.accepted);
    assert_true(ascii_text_is(c.options.dll, "my.dll"));
    assert_true(ascii_text_is(c.options.open, "O"));
    assert_true(ascii_text_is(c.options.collect, "C"));
    assert_true(ascii_text_is(c.options.close, "D"));
    assert_true(ascii_text_is(c.options.context, "T"));
    assert_true(c.options.has_context && c.options.quick && c.options.verbose);
    assert_int_equal(c.options.first, 2);
    assert_int_equal(c.options.last, 4);
    drop(&c);

    parse(&c, "a -seconds 60 -limit 3 -silence 9 -only sizes -worker 120 -from 7 -wait 20");
    assert_true(c.accepted);
    assert_true(ascii_text_is(c.options.only, "sizes"));
    assert_int_equal(c.options.seconds, 60);
    assert_int_equal(c.options.limit, 3);
    assert_int_equal(c.options.silence, 9);
    assert_true(c.options.is_worker);
    assert_int_equal(c.options.pipe, 120);
    assert_int_equal(c.options.from, 7);
    assert_int_equal(c.options.wait, 20);
    drop(&c);

    /* prfcheck appends options when it starts its second process, so the last value counts. */
    parse(&c, "a -wait 20 -worker 120 -from 0 -expect 12 -wait 22 -again 0110");
    assert_true(c.accepted);
    assert_int_equal(c.options.wait, 22);
    assert_int_equal(c.options.expect, 12);
    assert_true(ascii_text_is(c.options.again, "0110"));
    drop(&c);

    parse(&c, "a -f junit -fail error -accept partial -accept @list -save there");
    assert_true(c.accepted && c.options.is_junit && !c.options.is_json && c.options.fails_error);
    assert_int_equal(c.options.accept_count, 2);
    assert_true(ascii_text_is(c.options.accept[1], "@list"));
    assert_true(ascii_text_is(c.options.save, "there"));
    drop(&c);

    /* Each provider gets an hour, and in addition the time of -seconds. */
    parse(&c, "a -seconds 60");
    assert_true(c.accepted && c.options.each == 3660);
    drop(&c);

    parse(&c, "a -wait 0"); /* 0 means not to wait */
    assert_true(c.accepted && c.options.wait == 0);
    drop(&c);
}

/* A value may look like an option. */
static void test_check_options_values_are_taken_as_they_are(void **state)
{
    check_options_command c;

    (void)state;
    parse(&c, "-dll /tmp/my.dll -context -v");
    assert_true(c.accepted);
    assert_true(ascii_text_is(c.options.dll, "/tmp/my.dll"));
    assert_true(ascii_text_is(c.options.context, "-v"));
    assert_false(c.options.verbose);
    drop(&c);
}

static void test_check_options_wrong_ones_are_named(void **state)
{
    static const char *const wrong[][2] = {
        {"", ""},
        {"-v", ""},
        {"a b", "b"},
        {"a -dll b", "a"},
        {"a -close b", "a"},
        {"a -first", "-first"},
        {"a -first 1x", "1x"},
        {"a -first 4 -last 2", ""},
        {"a -first 4", ""},
        {"a -last 4", ""},
        {"a -first 3 -last 8", "-first"},
        {"a -first 2 -last 7", "-last"},
        {"a -first 0 -last 8", "-first"},
        {"a -limit 0", "-limit"},
        {"a -each 0", "-each"},
        {"a -silence 0", "-silence"},
        {"a -seconds 0", "-seconds"},
        {"a -seconds 86401", "-seconds"},
        {"a -v -f json", ""},
        {"a -v -f junit", ""},
        {"a -f xml", "xml"},
        {"a -fail note", "note"},
        {"a -accept nonsense", "nonsense"},
        {"a -accept partial:x", "partial:x"},
        {"a -nonsense", "-nonsense"},
        {"a -", "-"},
    };
    check_options_command c;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        parse(&c, wrong[i][0]);
        assert_false(c.accepted);
        assert_non_null(c.error.reason);
        assert_true(ascii_text_is(c.error.argument, wrong[i][1]));
        drop(&c);
    }
}

static void test_check_options_help_needs_nothing_else(void **state)
{
    static const char *const lines[] = {"-?", "/?", "-h", "--help"};
    check_options_command c;

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        parse(&c, lines[i]);
        assert_true(c.accepted && c.options.help);
        drop(&c);
    }
    parse(&c, "-version");
    assert_true(c.accepted && c.options.version);
    drop(&c);
}

static void test_check_options_all_takes_no_provider(void **state)
{
    static const char *const of_one[] = {"MyService", "-dll a.dll", "-open a",  "-collect a",
                                         "-close a",  "-context a", "-first 2", "-last 4"};
    check_options_command c;

    (void)state;
    parse(&c, "-all");
    assert_true(c.accepted && c.options.all && c.options.quick && !c.options.is_json);
    assert_int_equal(c.options.each, 300);
    drop(&c);
    parse(&c, "-all -each 20 -f json");
    assert_true(c.accepted && c.options.is_json);
    assert_int_equal(c.options.each, 20);
    drop(&c);
    /* Options that prfcheck gives to its own second process. */
    parse(&c, "-all -worker 8 -from 3 -for MyService");
    assert_true(c.accepted && ascii_text_is(c.options.service, "MyService"));
    drop(&c);
    for (size_t i = 0; i < sizeof of_one / sizeof of_one[0]; i++) {
        char line[40];

        (void)snprintf(line, sizeof line, "-all %s", of_one[i]);
        parse(&c, line);
        assert_false(c.accepted);
        assert_non_null(strstr(c.error.reason, "-all is all services"));
        drop(&c);
    }
    parse(&c, "MyService -f XML");
    assert_false(c.accepted);
    drop(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_options_service_alone),
        cmocka_unit_test(test_check_options_all_takes_no_provider),
        cmocka_unit_test(test_check_options_all_of_a_dll),
        cmocka_unit_test(test_check_options_values_are_taken_as_they_are),
        cmocka_unit_test(test_check_options_wrong_ones_are_named),
        cmocka_unit_test(test_check_options_help_needs_nothing_else),
    };

    return cmocka_run_group_tests_name("check_options", tests, NULL, NULL);
}
