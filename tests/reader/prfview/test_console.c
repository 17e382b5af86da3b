/* SPDX-License-Identifier: MIT */
/* Tests that a text for the console is whole in the file that is standard output. Windows only. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#include <windows.h>

#include "channels/console.h"

enum { LONG_CHARS = 5000 };

static void test_console_a_long_text_is_whole_in_a_file(void **state)
{
    static wchar_t text[LONG_CHARS + 1];
    static char bytes[2 * LONG_CHARS];
    wchar_t folder[MAX_PATH];
    wchar_t path[MAX_PATH];
    HANDLE output = GetStdHandle(STD_OUTPUT_HANDLE);
    DWORD size;
    HANDLE file;

    (void)state;
    assert_in_range(GetTempPathW(MAX_PATH, folder), 1, MAX_PATH - 1);
    assert_int_not_equal(GetTempFileNameW(folder, L"prf", 0, path), 0);
    file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
                       FILE_FLAG_DELETE_ON_CLOSE, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    for (size_t i = 0; i < LONG_CHARS - 1; i++)
        text[i] = L'a';
    text[0] = 0x00E4;
    text[LONG_CHARS - 1] = L'\n';
    assert_true(SetStdHandle(STD_OUTPUT_HANDLE, file));
    assert_true(prfdata_console_say(text));
    assert_int_equal(SetFilePointer(file, 0, NULL, FILE_BEGIN), 0);
    assert_true(ReadFile(file, bytes, sizeof bytes, &size, NULL));
    assert_true(SetStdHandle(STD_OUTPUT_HANDLE, output));
    CloseHandle(file);
    assert_int_equal(size, LONG_CHARS + 1);
    assert_memory_equal(bytes,
                        "\xC3\xA4"
                        "a",
                        3);
    assert_int_equal(bytes[LONG_CHARS], '\n');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_console_a_long_text_is_whole_in_a_file),
    };

    return cmocka_run_group_tests_name("console", tests, NULL, NULL);
}
