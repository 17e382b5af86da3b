/* SPDX-License-Identifier: MIT */
/* Tests that the kit receives all that a process prints while the kit reads. The process is this
 * program with an argument. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit.h"

/* So many lines that the process still prints while the kit reads. */
enum { LINES = 400000 };

typedef struct received_lines {
    int count;
    int wrong;
} received_lines;

static int print_lines(void)
{
    HANDLE output = GetStdHandle(STD_OUTPUT_HANDLE);

    for (int i = 0; i < LINES; i++) {
        char line[20];
        int chars = snprintf(line, sizeof line, "line %d\r\n", i);
        DWORD written;

        if (!WriteFile(output, line, (DWORD)chars, &written, NULL))
            return 1;
    }
    return 0;
}

static void take_line(void *context, const char *line)
{
    received_lines *received = context;
    char expected[20];

    snprintf(expected, sizeof expected, "line %d", received->count++);
    received->wrong += strcmp(line, expected) != 0;
}

static void test_kit_child_loses_no_line_while_it_is_read(void **state)
{
    received_lines received = {0, 0};
    wchar_t program[MAX_PATH];
    kit k;

    (void)state;
    memset(&k, 0, sizeof k);
    assert_in_range(GetModuleFileNameW(NULL, program, MAX_PATH), 1, MAX_PATH - 1);
    assert_int_equal(kit_follow(&k, 60, take_line, &received, L"\"%ls\" -Lines", program), 0);
    assert_int_equal(received.count, LINES);
    assert_int_equal(received.wrong, 0);
    CloseHandle(k.job);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kit_child_loses_no_line_while_it_is_read),
    };

    if (count == 2 && strcmp(arguments[1], "-Lines") == 0)
        return print_lines();
    return cmocka_run_group_tests_name("kit_child", tests, NULL, NULL);
}
