/* SPDX-License-Identifier: MIT */
/* Tests prfread's command line. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "prfread/format.h"
#include "prfread/options.h"
#include "support/reader/ascii_text.h"

#define MAX_ARGUMENTS 16

/* A command line in the form that wmain gets. Each argument has its own allocation. */
typedef struct options_command {
    uint16_t *arguments[MAX_ARGUMENTS];
    prfdata_text names[MAX_ARGUMENTS];
    size_t count;
    bool accepted;
    prfdata_options options;
    prfdata_arguments_error error;
} options_command;

/* Parse arguments that are separated by one blank; '' is an empty argument. */
static void parse(options_command *c, const char *line)
{
    memset(c, 0, sizeof *c);
    while (*line) {
        size_t length = strcspn(line, " ");
        size_t chars = strncmp(line, "''", length) == 0 && length == 2 ? 0 : length;
        uint16_t *argument = malloc((chars + 1) * sizeof *argument);

        assert_non_null(argument);
        for (size_t i = 0; i < chars; i++)
            argument[i] = (unsigned char)line[i];
        argument[chars] = 0;
        c->arguments[c->count++] = argument;
        line += length + (line[length] == ' ');
    }
    prfdata_options_init(&c->options, c->names);
    c->accepted = prfdata_options_read(&c->options, c->count, (const uint16_t *const *)c->arguments,
                                       &c->error) &&
                  prfdata_options_check(&c->options, &c->error);
}

static void drop(options_command *c)
{
    ascii_drop(c->arguments, c->count);
}

static void test_options_paths_alone_are_watched_each_second(void **state)
{
    options_command c;

    (void)state;
    parse(&c, "\\a\\b \\c(*)\\d");
    assert_true(c.accepted);
    assert_int_equal(c.options.task, PRFDATA_TASK_WATCH);
    assert_int_equal(c.options.interval_ms, 1000);
    assert_int_equal(c.options.sample_count, 0);
    assert_int_equal(c.options.file.count, 0);
    assert_false(c.options.overwrite);
    assert_int_equal(c.options.name_count, 2);
    assert_true(ascii_text_is(c.options.names[0], "\\a\\b"));
    assert_true(ascii_text_is(c.options.names[1], "\\c(*)\\d"));
    drop(&c);
}

/* A path without a computer means the local computer. So paths choose another computer only if all
 * of them name it. */
static void test_options_say_which_computer_is_read(void **state)
{
    static const struct {
        const char *line;
        const char *computer;
    } cases[] = {
        {"\\a\\b", ""},
        {"-s far \\a\\b", "far"},
        {"\\\\far\\a\\b", "far"},
        {"\\\\far\\a\\b \\\\FAR\\c", "FAR"},
        {"\\\\far\\a\\b \\c\\d", ""},
        {"\\a\\b \\\\far\\c\\d", ""},
        {"\\\\far\\a\\b \\\\near\\c\\d", ""},
        {"\\\\far\\a\\b -cf paths.txt", ""},
        {"-s far -cf paths.txt", "far"},
        {"\\\\ \\\\", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options_command c;

        parse(&c, cases[i].line);
        assert_true(c.accepted);
        if (!ascii_text_is(prfdata_options_computer(&c.options), cases[i].computer))
            fail_msg("%s: not \"%s\"", cases[i].line, cases[i].computer);
        drop(&c);
    }
}

/* -c is followed by a path, as in relog. More paths may follow. */
static void test_options_c_is_a_path(void **state)
{
    options_command c;

    (void)state;
    parse(&c, "-c \\a\\b \\c\\d -s pc /C \\e\\f");
    assert_true(c.accepted);
    assert_int_equal(c.options.name_count, 3);
    assert_true(ascii_text_is(c.options.names[0], "\\a\\b"));
    assert_true(ascii_text_is(c.options.names[1], "\\c\\d"));
    assert_true(ascii_text_is(c.options.names[2], "\\e\\f"));
    assert_true(ascii_text_is(c.options.computer, "pc"));
    drop(&c);
}

static void test_options_all_of_them_in_any_order_and_case(void **state)
{
    options_command c;

    (void)state;
    parse(&c, "/SC 7 \\a\\b -Si 2 -o x.csv /Y");
    assert_true(c.accepted);
    assert_int_equal(c.options.limit_ms, 10000);
    assert_int_equal(c.options.sample_count, 7);
    assert_int_equal(c.options.interval_ms, 2000);
    assert_true(ascii_text_is(c.options.file, "x.csv"));
    assert_true(c.options.overwrite);
    assert_int_equal(c.options.name_count, 1);
    drop(&c);
    parse(&c, "-serve 9182 -Limit 1:30.5");
    assert_true(c.accepted);
    assert_int_equal(c.options.limit_ms, 90500);
    drop(&c);
}

static void test_options_tasks_take_objects(void **state)
{
    static const struct {
        const char *line;
        prfdata_options_task task;
        size_t name_count;
    } cases[] = {
        {"-q", PRFDATA_TASK_LIST, 0},
        {"/Q Memory", PRFDATA_TASK_LIST, 1},
        {"-qx", PRFDATA_TASK_LIST_INSTANCES, 0},
        {"A -QX B", PRFDATA_TASK_LIST_INSTANCES, 2},
        {"-dump", PRFDATA_TASK_DUMP, 0},
        {"-dump A B", PRFDATA_TASK_DUMP, 2},
        {"-?", PRFDATA_TASK_HELP, 0},
        {"-version", PRFDATA_TASK_VERSION, 0},
        {"/?", PRFDATA_TASK_HELP, 0},
        {"--help", PRFDATA_TASK_HELP, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options_command c;

        parse(&c, cases[i].line);
        assert_true(c.accepted);
        assert_int_equal(c.options.task, cases[i].task);
        assert_int_equal(c.options.name_count, cases[i].name_count);
        drop(&c);
    }
}

static void test_options_interval_in_all_forms(void **state)
{
    static const struct {
        const char *text;
        uint32_t interval_ms; /* 0: refused */
    } cases[] = {
        {"1", 1000},        {"90", 90000},
        {"1:30", 90000},    {"01:00:05", 3605000},
        {"0.5", 500},       {"0.05", 50},
        {"1:0.001", 60001}, {"2147483", 2147483000},
        {"0", 0},           {"0:0:0", 0},
        {"0.000", 0},       {"1:2:3:4", 0},
        {"-1", 0},          {"x", 0},
        {"1.", 0},          {".5", 0},
        {"1:", 0},          {":1", 0},
        {"0.0001", 0},      {"2147484", 0},
        {"4294968", 0},     {"4294967295:0", 0},
        {"99999999999", 0}, {"1.5.5", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[64] = "\\a\\b -si ";
        options_command c;

        strcat(line, cases[i].text);
        parse(&c, line);
        if (c.accepted != (cases[i].interval_ms > 0) ||
            (c.accepted && c.options.interval_ms != cases[i].interval_ms))
            fail_msg("%s: %u", cases[i].text, (unsigned)c.options.interval_ms);
        if (!c.accepted)
            assert_true(ascii_text_is(c.error.argument, cases[i].text));
        drop(&c);
    }
}

typedef struct refusal {
    const char *line;
    const char *argument;
    const char *part_of_reason;
} refusal;

static void expect_refusal(const refusal *expected)
{
    options_command c;

    parse(&c, expected->line);
    if (c.accepted || !ascii_text_is(c.error.argument, expected->argument) ||
        !strstr(c.error.reason, expected->part_of_reason))
        fail_msg("%s: %s", expected->line, c.accepted ? "accepted" : c.error.reason);
    drop(&c);
}

static void test_options_wrong_ones_refused_by_name(void **state)
{
    static const refusal cases[] = {
        {"", "", "counter path is missing"},
        {"-y", "", "counter path is missing"},
        {"\\a\\b -x", "-x", "no such option"},
        {"\\a\\b -", "-", "no such option"},
        {"\\a\\b -s", "-s", "a value is missing"},
        {"-c", "-c", "a value is missing"},
        {"-c ''", "-c", "a value is missing"},
        {"\\a\\b -sifoo", "-sifoo", "no such option"},
        {"\\a\\b -averylongoption", "-averylongoption", "no such option"},
        {"\\a\\b -si", "-si", "value is missing"},
        {"\\a\\b -sc", "-sc", "value is missing"},
        {"\\a\\b -o", "-o", "value is missing"},
        {"\\a\\b -o ''", "-o", "value is missing"},
        {"\\a\\b -sc 0", "0", "at least 1"},
        {"\\a\\b -limit", "-limit", "value is missing"},
        {"\\a\\b -limit 0", "0", "-limit takes [[hh:]mm:]ss above 0"},
        {"\\a\\b -sc -3", "-3", "at least 1"},
        {"\\a\\b -sc many", "many", "at least 1"},
        {"-q -qx", "-qx", "only one"},
        {"-dump -q", "-q", "only one"},
        {"\\a\\b -f XML", "XML", "-f takes one of" PRFDATA_FORMAT_NAMES},
        {"\\a\\b -f", "-f", "value is missing"},
        {"\\a\\b -cf", "-cf", "value is missing"},
        {"\\a\\b -config", "-config", "value is missing"},
        {"-serve 9182 -service", "-service", "value is missing"},
        {"-serve 9182 -service begin", "begin", "takes install or remove"},
        {"-service install", "", "needs -serve"},
        {"-service install \\a\\b", "", "needs -serve"},
        {"-service run -q", "", "needs -serve"},
        {"-service remove -serve 9182", "", "no other arguments"},
        {"-service remove \\a\\b", "", "no other arguments"},
        {"\\a\\b -file a -dll b", "-dll", "only one of"},
        {"\\a\\b -file a -file b", "-file", "only one of"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_refusal(&cases[i]);
}

static void test_options_what_does_not_go_together_is_refused(void **state)
{
    static const refusal cases[] = {
        {"-q -si 5", "-si", "with -q, -qx or -dump"},
        {"-qx /SC 5", "/SC", "with -q, -qx or -dump"},
        {"-dump -f csv", "-f", "with -q, -qx or -dump"},
        {"-q -cf x", "-cf", "with -q, -qx or -dump"},
        {"-stats -q", "-stats", "with -q, -qx or -dump"},
        {"-q -nocap", "-nocap", "with -q, -qx or -dump"},
        {"-q -zero", "-zero", "with -q, -qx or -dump"},
        {"-top -zero", "-zero", "with -top"},
        {"\\a\\b -zero -f om", "-zero", "with a format for Prometheus"},
        {"-save x -o y", "-o", "with -save"},
        {"-save x -cf y", "-cf", "with -save"},
        {"-top \\a\\b -o y", "-o", "with -top"},
        {"-top \\a\\b -stats", "-stats", "with -top"},
        {"-serve 9182 \\a\\b -sc 1", "-sc", "with -serve"},
        {"-serve 9182 \\a\\b -o x", "-o", "with -serve"},
        {"-serve 9182 \\a\\b -f JSON", "-f", "with -serve only OM and PROM"},
        {"-serve 9182 -f CSV", "-f", "with -serve only OM and PROM"},
        {"\\a\\b -file x -si 5", "-si", "with -file"},
        {"\\a\\b -sc 5 -file x y", "-sc", "with -file"},
        {"\\a\\b -limit 5 -file x", "-limit", "with -dll, -regions or -file"},
        {"-s other.example \\a\\b -limit 5", "-limit", "for another computer"},
        {"\\\\other.example\\a\\b -limit 5", "-limit", "for another computer"},
        {"-dll x -q -limit 5", "-limit", "with -dll, -regions or -file"},
        {"-serve \\a\\b", "\\a\\b", "-serve takes"},
        {"-serve 70000", "70000", "-serve takes"},
        {"-serve name.example:80 \\a\\b", "name.example:80", "-serve takes"},
        {"-q -file x y", "y", "only values"},
        {"-serve 9182 -file x y", "y", "only values"},
        {"\\a\\b -f OM -file x y", "y", "only values"},
        {"\\a\\b -file x y -f PROM", "y", "only values"},
        {"\\a\\b -open F", "-open", "needs -dll"},
        {"\\a\\b -host a", "-host", "needs -serve"},
        {"-serve 1 -host a:80", "a:80", "-host takes names without ports"},
        {"-serve 1 -host ,a", ",a", "-host takes names without ports"},
        {"-serve 1 -host a,", "a,", "-host takes names without ports"},
        {"\\a\\b -regions x -collect F", "-collect", "needs -dll"},
        {"\\a\\b -file x -close F", "-close", "needs -dll"},
        {"\\a\\b -f OM -stats", "-stats", "with a format for Prometheus"},
        {"\\a\\b -nocap -f prom", "-nocap", "with a format for Prometheus"},
        {"\\a\\b -parts", "-parts", "needs -serve, -explain or a format"},
        {"\\a\\b -reader a", "-reader", "needs -serve, -explain or a format"},
        {"-explain -sc 2", "-sc", "with -explain"},
        {"-explain -serve 9182", "-serve", "only one of"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect_refusal(&cases[i]);
}

static void test_options_what_goes_together_is_taken(void **state)
{
    static const char *const lines[] = {
        "-q -o list.txt -y",
        "-q -file x",
        "-dump -dll x -open A -collect B -close C",
        "-save x -y -regions s",
        "-save x -si 5 -sc 3",
        "-top \\a\\b -si 2 -sc 5 -nocap",
        "-serve 9182 \\a\\b -f OM",
        "-serve 9182 -parts",
        "-serve [::1]:0",
        "-serve *:9182 \\a\\b",
        "-service install -serve *:9182 \\a\\b",
        "-serve 9182 -parts /Service RUN",
        "-service remove",
        "\\a\\b -f PROM -parts -o x -y -si 15",
        "-explain",
        "-explain \\a\\b -cf x -parts -o x",
        "-cf x",
        "\\a\\b -f JSON -stats -nocap -zero -o x -y -sc 1 -si 3 -regions s",
        "\\a\\b -file x y -stats",
        "-? -si 5",
    };

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        options_command c;

        parse(&c, lines[i]);
        if (!c.accepted)
            fail_msg("%s: %s", lines[i], c.error.reason);
        drop(&c);
    }
}

static void test_options_formats_in_any_case(void **state)
{
    static const struct {
        const char *line;
        const prfdata_format *format;
    } cases[] = {
        {"\\a\\b", &prfdata_format_csv},
        {"\\a\\b -f csv", &prfdata_format_csv},
        {"\\a\\b -f TSV", &prfdata_format_tsv},
        {"\\a\\b /F Json", &prfdata_format_json},
        {"\\a\\b -f om", &prfdata_format_om},
        {"\\a\\b -f PROM", &prfdata_format_prom},
        {"\\a\\b -f TSV -f CSV", &prfdata_format_csv},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options_command c;

        parse(&c, cases[i].line);
        assert_true(c.accepted);
        assert_ptr_equal(c.options.format, cases[i].format);
        drop(&c);
    }
}

static void test_options_files_one_or_two(void **state)
{
    static const struct {
        const char *line;
        const char *first;
        const char *second;
        size_t name_count;
    } cases[] = {
        {"\\a\\b -file x", "x", "", 1},    {"-file x \\a\\b", "x", "", 1},
        {"-file x y \\a\\b", "x", "y", 1}, {"-file x -stats \\a\\b", "x", "", 1},
        {"-top -file x y z", "x", "y", 1}, {"-file /tmp/x /tmp/y \\a\\b", "/tmp/x", "/tmp/y", 1},
        {"-file /x /q", "/x", "", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options_command c;

        parse(&c, cases[i].line);
        assert_true(c.accepted);
        assert_int_equal(c.options.source, PRFDATA_SOURCE_FILES);
        assert_true(ascii_text_is(c.options.source_name, cases[i].first));
        assert_true(ascii_text_is(c.options.second_file, cases[i].second));
        assert_int_equal(c.options.name_count, cases[i].name_count);
        drop(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_paths_alone_are_watched_each_second),
        cmocka_unit_test(test_options_say_which_computer_is_read),
        cmocka_unit_test(test_options_c_is_a_path),
        cmocka_unit_test(test_options_all_of_them_in_any_order_and_case),
        cmocka_unit_test(test_options_tasks_take_objects),
        cmocka_unit_test(test_options_interval_in_all_forms),
        cmocka_unit_test(test_options_wrong_ones_refused_by_name),
        cmocka_unit_test(test_options_what_does_not_go_together_is_refused),
        cmocka_unit_test(test_options_what_goes_together_is_taken),
        cmocka_unit_test(test_options_formats_in_any_case),
        cmocka_unit_test(test_options_files_one_or_two),
    };

    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
