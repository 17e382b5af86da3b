/* SPDX-License-Identifier: MIT */
/* Tests what prfcheck prints while it works. On a terminal, this is one line that changes.
 * Elsewhere, lines are printed only if the work takes long. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "prfcheck/progress.h"

static void expect_output(prfdata_output *output, const char *text)
{
    prfdata_output_put(output, "", 1);
    assert_false(output->failed);
    assert_string_equal(output->bytes, text);
    prfdata_output_clear(output);
}

static void test_progress_elsewhere_only_what_takes_long_once(void **state)
{
    prfdata_progress progress = {0};
    prfdata_output output = {0};

    (void)state;
    prfdata_progress_go_on(&progress, 99999, &output);
    prfdata_progress_begin(&progress, "sizes", 3, 40, 1000, &output);
    prfdata_progress_go_on(&progress, 1000, &output);
    prfdata_progress_go_on(&progress, 1000 + PRFDATA_PROGRESS_LONG_MS - 1, &output);
    prfdata_progress_hide(&progress, &output);
    expect_output(&output, "");
    prfdata_progress_go_on(&progress, 1000 + PRFDATA_PROGRESS_LONG_MS, &output);
    expect_output(&output, "prfcheck: sizes takes longer than 5 seconds\r\n");
    prfdata_progress_go_on(&progress, 99999, &output);
    expect_output(&output, "");

    prfdata_progress_end(&progress, 1000 + 12345, &output);
    expect_output(&output, "prfcheck: sizes took 12 seconds\r\n");
    prfdata_progress_end(&progress, 99999, &output);
    prfdata_progress_begin(&progress, "loads", 4, 40, 90000, &output);
    prfdata_progress_end(&progress, 90000 + PRFDATA_PROGRESS_LONG_MS - 1, &output);
    expect_output(&output, "");

    prfdata_progress_begin(&progress, "loads", 4, 40, 100000, &output);
    prfdata_progress_go_on(&progress, 100000, &output);
    expect_output(&output, "");
    prfdata_progress_go_on(&progress, 106000, &output);
    expect_output(&output, "prfcheck: loads takes longer than 5 seconds\r\n");
    prfdata_output_free(&output);
}

/* A service may have a long name of characters with two bytes each. */
static void test_progress_cuts_the_subject_at_a_character(void **state)
{
    static const char blank[] = "\r                                                            \r";
    char subject[121] = "";
    prfdata_progress progress = {.is_terminal = true, .subject = subject};
    prfdata_output output = {0};
    char line[200];

    (void)state;
    for (size_t i = 0; i < 120; i += 2)
        memcpy(subject + i, "\xC3\xA4", 3);
    prfdata_progress_begin(&progress, "sizes", 3, 40, 1000, &output);
    (void)snprintf(line, sizeof line, "%s%.24s: 4 of 40: sizes", blank, subject);
    expect_output(&output, line);
    subject[0] = 'a';
    for (size_t i = 1; i < 119; i += 2) /* now the characters begin at odd offsets */
        memcpy(subject + i, "\xC3\xA4", 3);
    progress.is_terminal = false;
    prfdata_progress_go_on(&progress, 1000 + PRFDATA_PROGRESS_LONG_MS, &output);
    (void)snprintf(line, sizeof line, "prfcheck: %.99s: sizes takes longer than 5 seconds\r\n",
                   subject);
    expect_output(&output, line);
    prfdata_output_free(&output);
}

/* Each line overwrites the one before. The last one is erased before something else is printed. */
static void test_progress_on_a_terminal_one_line_that_changes(void **state)
{
    static const char blank[] = "\r                                                            \r";
    prfdata_progress progress = {.is_terminal = true};
    prfdata_output output = {0};
    char line[200];

    (void)state;
    prfdata_progress_hide(&progress, &output);
    expect_output(&output, "");
    prfdata_progress_begin(&progress, "page-before", 9, 10, 0, &output);
    (void)snprintf(line, sizeof line, "%s10 of 10: page-before", blank);
    expect_output(&output, line);
    prfdata_progress_go_on(&progress, 99999, &output);
    expect_output(&output, "");
    prfdata_progress_hide(&progress, &output);
    expect_output(&output, blank);
    prfdata_progress_hide(&progress, &output);
    expect_output(&output, "");
    prfdata_progress_begin(&progress, "page-before", 9, 10, 0, &output);
    prfdata_output_clear(&output);
    prfdata_progress_end(&progress, 7000, &output);
    (void)snprintf(line, sizeof line, "%sprfcheck: page-before took 7 seconds\r\n", blank);
    expect_output(&output, line);
    prfdata_output_free(&output);
}

/* If many providers are checked, each line names the provider, as far as it fits. */
static void test_progress_of_one_of_many_says_which(void **state)
{
    static const char blank[] = "\r                                                            \r";
    prfdata_progress progress = {.is_terminal = true,
                                 .subject = "A service with a name of 36 characters"};
    prfdata_output output = {0};
    char line[200];

    (void)state;
    prfdata_progress_begin(&progress, "page-before", 9, 10, 0, &output);
    (void)snprintf(line, sizeof line, "%sA service with a name of : 10 of 10: page-before", blank);
    expect_output(&output, line);
    progress = (prfdata_progress){.subject = "MyService"};
    prfdata_progress_begin(&progress, "sizes", 3, 40, 0, &output);
    prfdata_progress_go_on(&progress, PRFDATA_PROGRESS_LONG_MS, &output);
    expect_output(&output, "prfcheck: MyService: sizes takes longer than 5 seconds\r\n");
    prfdata_progress_end(&progress, 6000, &output);
    expect_output(&output, "prfcheck: MyService: sizes took 6 seconds\r\n");
    prfdata_output_free(&output);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_progress_elsewhere_only_what_takes_long_once),
        cmocka_unit_test(test_progress_on_a_terminal_one_line_that_changes),
        cmocka_unit_test(test_progress_of_one_of_many_says_which),
        cmocka_unit_test(test_progress_cuts_the_subject_at_a_character),
    };

    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
