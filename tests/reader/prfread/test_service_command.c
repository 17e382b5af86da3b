/* SPDX-License-Identifier: MIT */
/* Tests the command line that prfread registers for its service. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "prfread/format.h"
#include "prfread/service_command.h"
#include "support/reader/ascii_text.h"

#define MAX_ARGUMENTS 12
#define MAX_CHARS     80

typedef struct service_command_fixture {
    uint16_t chars[MAX_ARGUMENTS][MAX_CHARS];
    const uint16_t *arguments[MAX_ARGUMENTS];
    prfdata_text names[MAX_ARGUMENTS];
    size_t count;
    prfdata_options options;
    prfdata_messages messages;
    prfdata_output line;
    bool is_put;
} service_command_fixture;

/* Complete a path as Windows does in the folder C:\now, which has only the files here.dll and
 * planted. */
static bool complete_path(prfdata_text file, bool must_exist, prfdata_output *path)
{
    uint16_t chars[MAX_CHARS];
    const bool is_complete = file.count > 2 && file.chars[1] == ':';
    prfdata_text whole;

    if (must_exist && !ascii_text_is(file, "here.dll") && !ascii_text_is(file, "planted"))
        return false;
    whole = ascii_text(is_complete ? "" : "C:\\now\\", chars);
    memcpy(chars + whole.count, file.chars, file.count * sizeof *chars);
    whole.count += file.count;
    prfdata_arguments_put_quoted(path, whole);
    return true;
}

static void put(service_command_fixture *f, const char *const *arguments, const char *settings_file)
{
    static uint16_t settings[MAX_CHARS];
    prfdata_arguments_error error = {{NULL, 0}, NULL};
    uint16_t program[MAX_CHARS];

    memset(f, 0, sizeof *f);
    for (; arguments[f->count]; f->count++) {
        ascii_text(arguments[f->count], f->chars[f->count]);
        f->arguments[f->count] = f->chars[f->count];
    }
    prfdata_options_init(&f->options, f->names);
    assert_true(prfdata_options_read(&f->options, f->count, f->arguments, &error));
    if (settings_file)
        f->options.counter_file = ascii_text(settings_file, settings);
    assert_true(prfdata_options_check(&f->options, &error));
    f->is_put = prfdata_service_command_put(
        &f->line, ascii_text("C:\\Program Files\\p.exe", program), f->count, f->arguments,
        &f->options, complete_path, &f->messages);
    prfdata_output_put(&f->line, "", 1);
}

static void release(service_command_fixture *f)
{
    prfdata_output_free(&f->line);
    prfdata_messages_free(&f->messages);
}

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void expect_line(const char *const *arguments, const char *line)
{
    service_command_fixture f;

    put(&f, arguments, NULL);
    assert_true(f.is_put);
    assert_string_equal(f.line.bytes, line);
    release(&f);
}

static void test_service_command_has_the_arguments_without_its_own(void **state)
{
    (void)state;
    expect_line(ARGUMENTS("-service", "install", "-serve", "*:9182", "\\My Queues(*)\\% \"x\""),
                "\"C:\\Program Files\\p.exe\" -service run -serve *:9182 "
                "\"\\My Queues(*)\\% \\\"x\\\"\"");
    expect_line(ARGUMENTS("-parts", "/Serve", "9182", "/SERVICE", "Install"),
                "\"C:\\Program Files\\p.exe\" -service run -parts /Serve 9182");
}

static void test_service_command_has_complete_paths_of_files(void **state)
{
    (void)state;
    expect_line(ARGUMENTS("-service", "install", "-serve", "1", "-cf", "a b.txt", "-metrics", "m",
                          "-config", "D:\\c.txt", "-file", "x\\s.blk"),
                "\"C:\\Program Files\\p.exe\" -service run -serve 1 -cf \"C:\\now\\a b.txt\" "
                "-metrics C:\\now\\m -config D:\\c.txt -file C:\\now\\x\\s.blk");
}

static void test_service_command_knows_files_of_dlls_from_services(void **state)
{
    (void)state;
    expect_line(ARGUMENTS("-service", "install", "-serve", "1", "-dll", "here.dll"),
                "\"C:\\Program Files\\p.exe\" -service run -serve 1 -dll C:\\now\\here.dll");
    expect_line(ARGUMENTS("-service", "install", "-serve", "1", "-dll", "MyService"),
                "\"C:\\Program Files\\p.exe\" -service run -serve 1 -dll MyService");
    expect_line(ARGUMENTS("-service", "install", "-serve", "1", "-dll", "planted"),
                "\"C:\\Program Files\\p.exe\" -service run -serve 1 -dll planted");
    expect_line(ARGUMENTS("-service", "install", "-serve", "1", "-regions", "here.dll"),
                "\"C:\\Program Files\\p.exe\" -service run -serve 1 -regions here.dll");
}

static void test_service_command_refuses_relative_files_of_settings(void **state)
{
    service_command_fixture f;

    (void)state;
    put(&f, ARGUMENTS("-service", "install", "-serve", "1"), "paths.txt");
    assert_false(f.is_put);
    assert_int_equal(f.messages.count, 1);
    assert_true(ascii_text_is(f.messages.items[0].subject, "paths.txt"));
    release(&f);
    put(&f, ARGUMENTS("-service", "install", "-serve", "1"), "C:\\paths.txt");
    assert_true(f.is_put);
    assert_int_equal(f.messages.count, 0);
    release(&f);
}

/* The service starts in another folder, perhaps on another drive, where a relative path would mean
 * another file. So a settings file names a DLL by its whole path or by the name of its service. */
static void test_service_command_takes_a_dll_of_settings_by_name_or_whole_path(void **state)
{
    static const struct {
        const char *dll;
        bool is_put;
    } cases[] = {{"MyService", true}, {"C:\\x.dll", true},       {"x.dll", false},
                 {"x\\x.dll", false}, {"\\Users\\x.dll", false}, {"../x.dll", false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint16_t settings[MAX_CHARS];
        uint16_t program[MAX_CHARS];
        service_command_fixture f;

        put(&f, ARGUMENTS("-service", "install", "-serve", "1", "-dll", "MyService"), NULL);
        f.line.used = 0;
        /* A settings file gave the name, so it is in no argument. */
        f.options.source_name = ascii_text(cases[i].dll, settings);
        assert_int_equal(prfdata_service_command_put(
                             &f.line, ascii_text("C:\\Program Files\\p.exe", program), f.count,
                             f.arguments, &f.options, complete_path, &f.messages),
                         cases[i].is_put);
        assert_int_equal(f.messages.count, cases[i].is_put ? 0 : 1);
        release(&f);
    }
}

static void test_service_command_knows_when_it_is_run(void **state)
{
    static const struct {
        const char *arguments[3];
        size_t count;
        bool is_run;
    } cases[] = {
        {{"-service", "run", "-serve"}, 3, true},
        {{"/Service", "RUN"}, 2, true},
        {{"-service", "install"}, 2, false},
        {{"-serve", "-service", "run"}, 3, false},
        {{"service", "run"}, 2, false},
        {{"-service"}, 1, false},
        {{NULL}, 0, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint16_t chars[3][MAX_CHARS];
        const uint16_t *arguments[3];

        for (size_t a = 0; a < cases[i].count; a++)
            arguments[a] = ascii_text(cases[i].arguments[a], chars[a]).chars;
        assert_int_equal(prfdata_service_command_is_run(cases[i].count, arguments),
                         cases[i].is_run);
    }
}

static void test_service_command_recognises_its_own_lines(void **state)
{
    static const struct {
        const char *line;
        bool is_ours;
    } cases[] = {
        {"\"C:\\a b\\prfread.exe\" -service run -serve 1", true},
        {"\"C:\\prfread.exe\" -service run", true},
        {"\"C:\\prfread.exe\" -service ru", false},
        {"\"C:\\prfread.exe\"", false},
        {"\"C:\\prfread.exe", false},
        {"C:\\prfread.exe -service run", false},
        {"C:\\prfread.exe\" -service run", false},
        {"\"C:\\other.exe\" -watch", false},
        {"\"", false},
        {"", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t count = strlen(cases[i].line);
        /* The sanitizer notices a read after the end of this allocation. */
        uint16_t *chars = malloc((count + 1) * sizeof *chars);

        assert_non_null(chars);
        ascii_text(cases[i].line, chars);
        assert_int_equal(prfdata_service_command_is_ours((prfdata_text){chars, count}),
                         cases[i].is_ours);
        free(chars);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_service_command_has_the_arguments_without_its_own),
        cmocka_unit_test(test_service_command_has_complete_paths_of_files),
        cmocka_unit_test(test_service_command_knows_files_of_dlls_from_services),
        cmocka_unit_test(test_service_command_refuses_relative_files_of_settings),
        cmocka_unit_test(test_service_command_takes_a_dll_of_settings_by_name_or_whole_path),
        cmocka_unit_test(test_service_command_knows_when_it_is_run),
        cmocka_unit_test(test_service_command_recognises_its_own_lines),
    };

    return cmocka_run_group_tests_name("service_command", tests, NULL, NULL);
}
