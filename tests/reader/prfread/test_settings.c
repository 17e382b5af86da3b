/* SPDX-License-Identifier: MIT */
/* Tests settings files: how their text is read, and how they are used together with a command
 * line. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "os/files.h"
#include "prfread/command_line.h"
#include "prfread/format.h"
#include "support/reader/ascii_text.h"
#include "system/os.h"

/* ---- The text ---- */

typedef struct settings_reading {
    prfdata_lines lines;
    prfdata_settings settings;
    prfdata_text names[16];
    prfdata_options options;
    prfdata_settings_error error;
    uint32_t status;
} settings_reading;

static void read_text(settings_reading *r, const char *text)
{
    prfdata_lines_error error;

    memset(r, 0, sizeof *r);
    assert_int_equal(prfdata_lines_make(text, strlen(text), &r->lines, &error), ERROR_SUCCESS);
    assert_in_range(r->lines.count, 0, 16);
    prfdata_options_init(&r->options, r->names);
    r->status = prfdata_settings_read(&r->lines, &r->settings, &r->options, &r->error);
}

static void drop(settings_reading *r)
{
    prfdata_settings_free(&r->settings);
    prfdata_lines_free(&r->lines);
}

static void test_settings_options_with_values_below(void **state)
{
    settings_reading r;

    (void)state;
    read_text(&r, "[f]\r\ntsv\r\n\r\n[SI]\r\n1:00\r\n[sc]\r\n5\r\n[y]\r\n# no value\r\n"
                  "[o]\r\nC:\\-x.tsv\r\n[C]\r\n\\Memory\\Available Bytes\r\n\"\\A(*)\\B\"\r\n");
    assert_int_equal(r.status, ERROR_SUCCESS);
    assert_ptr_equal(r.options.format, &prfdata_format_tsv);
    assert_int_equal(r.options.interval_ms, 60000);
    assert_int_equal(r.options.sample_count, 5);
    assert_true(r.options.overwrite);
    assert_true(ascii_text_is(r.options.file, "C:\\-x.tsv"));
    assert_int_equal(r.options.name_count, 2);
    assert_true(ascii_text_is(r.options.names[0], "\\Memory\\Available Bytes"));
    assert_true(ascii_text_is(r.options.names[1], "\\A(*)\\B"));
    drop(&r);
}

static void test_settings_objects_of_a_list(void **state)
{
    settings_reading r;

    (void)state;
    read_text(&r, "[qx]\nMemory\nMy Queues\n");
    assert_int_equal(r.status, ERROR_SUCCESS);
    assert_int_equal(r.options.task, PRFDATA_TASK_LIST_INSTANCES);
    assert_int_equal(r.options.name_count, 2);
    assert_true(ascii_text_is(r.options.names[1], "My Queues"));
    drop(&r);
}

static void test_settings_options_without_values_take_nothing(void **state)
{
    settings_reading r;

    (void)state;
    read_text(&r, "[c]\n[y]\n[stats]\n[file]\na.blk\n[c]\n\\A\\B\n[c]\n\\C\\D\n[nocap]\n");
    assert_int_equal(r.status, ERROR_SUCCESS);
    assert_true(r.options.overwrite);
    assert_true(r.options.statistics);
    assert_true(r.options.uncapped);
    assert_int_equal(r.options.second_file.count, 0);
    assert_int_equal(r.options.name_count, 2);
    assert_true(ascii_text_is(r.options.names[0], "\\A\\B"));
    assert_true(ascii_text_is(r.options.names[1], "\\C\\D"));
    drop(&r);
}

static void test_settings_mistakes_named_with_their_line(void **state)
{
    static const struct {
        const char *text;
        uint32_t line;
        const char *argument;
        const char *part_of_reason;
    } cases[] = {
        {"\\A\\B\n", 1, "\\A\\B", "in brackets comes first"},
        {"[c]\n\\A\\B\n\nMemory\n", 4, "Memory", "begins with a backslash"},
        {"[c]\n-y\n", 2, "-y", "begins with a backslash"},
        {"[y]\n[nonsense]\n", 2, "[nonsense]", "no such option"},
        {"[si]\n5\n7\n", 3, "7", "takes no more values"},
        {"[y]\nyes\n", 2, "yes", "takes no more values"},
        {"\n[si]\nsoon\n", 3, "soon", "-si takes"},
        {"[c]\n\\A\\B\n[si]\n", 3, "[si]", "value is missing"},
        {"[a very long name of an option]\n", 1, "[a very long name of an option]", "no such"},
        {"[q]\n[qx]\n", 2, "[qx]", "only one"},
        {"[o]\n[c]\n\\A\\B\n\\C\\D\n", 1, "[o]", "value is missing"},
        {"[sc]\n1\n[o]\n[y]\n[c]\n\\A\\B\n", 3, "[o]", "value is missing"},
        {"[file]\n[c]\n\\A\\B\n", 1, "[file]", "value is missing"},
        {"[]\n", 1, "[]", "in brackets"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        settings_reading r;

        read_text(&r, cases[i].text);
        assert_int_equal(r.status, ERROR_INVALID_DATA);
        if (r.error.line != cases[i].line ||
            !ascii_text_is(r.error.option.argument, cases[i].argument) ||
            !strstr(r.error.option.reason, cases[i].part_of_reason))
            fail_msg("%s: line %u: %s", cases[i].text, (unsigned)r.error.line,
                     r.error.option.reason);
        drop(&r);
    }
}

/* ---- With a command line ---- */

static char file_path[300];

static void write_file(const char *text)
{
    uint16_t chars[300];
    prfdata_text path = {chars, strlen(file_path)};

    for (size_t i = 0; i < path.count; i++)
        chars[i] = (unsigned char)file_path[i];
    assert_int_equal(prfdata_files_write(path, true, text, strlen(text)), ERROR_SUCCESS);
}

/* A command line of -config and these arguments, with one blank between them. Each argument has its
 * own allocation. */
typedef struct settings_command {
    uint16_t *arguments[16];
    size_t count;
    prfdata_command_line line;
    uint32_t status;
} settings_command;

static void add(settings_command *c, const char *text, size_t length)
{
    uint16_t *argument = malloc((length + 1) * sizeof *argument);

    assert_non_null(argument);
    for (size_t i = 0; i < length; i++)
        argument[i] = (unsigned char)text[i];
    argument[length] = 0;
    c->arguments[c->count++] = argument;
}

static void run(settings_command *c, const char *text)
{
    memset(c, 0, sizeof *c);
    add(c, "-config", 7);
    add(c, file_path, strlen(file_path));
    while (*text) {
        size_t length = strcspn(text, " ");

        add(c, text, length);
        text += length + (text[length] == ' ');
    }
    c->status =
        prfdata_command_line_read(&c->line, c->count, (const uint16_t *const *)c->arguments, NULL);
}

static void end_command(settings_command *c)
{
    prfdata_command_line_free(&c->line);
    while (c->count > 0)
        free(c->arguments[--c->count]);
}

static void test_settings_command_line_wins_and_paths_add_up(void **state)
{
    settings_command c;

    (void)state;
    write_file("[si]\n30\n[sc]\n4\n[f]\nTSV\n[file]\na.blk\nb.blk\n[c]\n\\A\\B\n");
    run(&c, "\\C\\D -f json -regions Service");
    assert_int_equal(c.status, ERROR_SUCCESS);
    assert_int_equal(c.line.options.interval_ms, 30000);
    assert_int_equal(c.line.options.sample_count, 4);
    assert_ptr_equal(c.line.options.format, &prfdata_format_json);
    assert_int_equal(c.line.options.source, PRFDATA_SOURCE_REGIONS);
    assert_true(ascii_text_is(c.line.options.source_name, "Service"));
    assert_int_equal(c.line.options.second_file.count, 0);
    assert_int_equal(c.line.options.name_count, 2);
    assert_true(ascii_text_is(c.line.options.names[0], "\\A\\B"));
    assert_true(ascii_text_is(c.line.options.names[1], "\\C\\D"));
    end_command(&c);

    run(&c, "-q");
    assert_int_equal(c.status, ERROR_INVALID_PARAMETER); /* -q does not allow [si] */
    end_command(&c);
}

static void test_settings_wrong_files_refused(void **state)
{
    settings_command c;

    (void)state;
    write_file("[config]\nother\n[c]\n\\A\\B\n");
    run(&c, "");
    assert_int_equal(c.status, ERROR_INVALID_PARAMETER);
    end_command(&c);
    write_file("[c]\n\\A(\xE4)\\B\n");
    run(&c, "");
    assert_int_equal(c.status, ERROR_INVALID_PARAMETER);
    end_command(&c);
    write_file("[y]\n");
    run(&c, "");
    assert_int_equal(c.status, ERROR_INVALID_PARAMETER); /* a counter path is missing */
    end_command(&c);
    remove(file_path);
    run(&c, "\\A\\B");
    assert_int_equal(c.status, ERROR_FILE_NOT_FOUND);
    end_command(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_options_with_values_below),
        cmocka_unit_test(test_settings_objects_of_a_list),
        cmocka_unit_test(test_settings_options_without_values_take_nothing),
        cmocka_unit_test(test_settings_mistakes_named_with_their_line),
        cmocka_unit_test(test_settings_command_line_wins_and_paths_add_up),
        cmocka_unit_test(test_settings_wrong_files_refused),
    };
    const char *folder = getenv("TEMP");

    snprintf(file_path, sizeof file_path, "%s/prfread-settings-%u", folder ? folder : "/tmp",
             (unsigned)prfdata_os_process_id());
    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
