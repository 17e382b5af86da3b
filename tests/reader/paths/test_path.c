/* SPDX-License-Identifier: MIT */
/* Tests the parser of counter paths, which instances a path means, and how texts are compared. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "paths/path.h"
#include "support/reader/ascii_text.h"

/* Convert ASCII to UTF-16 in its own allocation, so that the sanitizer notices a read after its
 * end. */
static prfdata_text make(const char *ascii)
{
    size_t count = strlen(ascii);
    uint16_t *chars = malloc((count > 0 ? count : 1) * sizeof *chars);

    assert_non_null(chars);
    for (size_t i = 0; i < count; i++)
        chars[i] = (unsigned char)ascii[i];
    return (prfdata_text){chars, count};
}

static void drop(prfdata_text text)
{
    free((void *)(uintptr_t)text.chars);
}

/* If `instance` is NULL, the path has no parentheses. */
static const struct {
    const char *path;
    const char *computer;
    const char *object;
    const char *instance;
    const char *counter;
} right[] = {
    {"\\Memory\\Commit Limit", "", "Memory", NULL, "Commit Limit"},
    {"\\\\PC\\Memory\\Commit Limit", "PC", "Memory", NULL, "Commit Limit"},
    {"\\Thread(Idle/0)\\ID Thread", "", "Thread", "Idle/0", "ID Thread"},
    {"\\Process(svchost#3)\\ID", "", "Process", "svchost#3", "ID"},
    {"\\Process(svchost#0)\\ID", "", "Process", "svchost", "ID"},
    {"\\Process(a#10)\\ID", "", "Process", "a#10", "ID"},
    {"\\Process(#0)\\ID", "", "Process", "", "ID"},
    {"\\P()\\X", "", "P", "", "X"},
    {"\\Process(*)\\*", "", "Process", "*", "*"},
    {"\\Process(Le*)\\ID", "", "Process", "Le*", "ID"},
    {"\\\\pc\\Thread(A/1#2)\\X/sec", "pc", "Thread", "A/1#2", "X/sec"},
    {"\\P(app (x86))\\ID", "", "P", "app (x86)", "ID"},
    {"\\P(C:\\dir(1)\\x)\\ID", "", "P", "C:\\dir(1)\\x", "ID"},
    {"\\.NET CLR Memory(a)\\# Bytes", "", ".NET CLR Memory", "a", "# Bytes"},
    {"\\Disk\\Rate (max)", "", "Disk", NULL, "Rate (max)"},
    {"\\Disk(0)\\Rate (max)", "", "Disk", "0", "Rate (max)"},
    {"\\100\\102", "", "100", NULL, "102"},
    {"\\P*(a)\\X", "", "P*", "a", "X"},
    {"\\*\\X", "", "*", NULL, "X"},
};

static void test_path_right_ones_taken_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        prfdata_text text = make(right[i].path);
        prfdata_path path;
        prfdata_path_error error;

        if (!prfdata_path_parse(text, &path, &error))
            fail_msg("%s: %u: %s", right[i].path, (unsigned)error.position, error.reason);
        if (!ascii_text_is(path.computer, right[i].computer) ||
            !ascii_text_is(path.object, right[i].object) ||
            path.has_instance != (right[i].instance != NULL) ||
            !ascii_text_is(path.instance, right[i].instance ? right[i].instance : "") ||
            !ascii_text_is(path.counter, right[i].counter))
            fail_msg("%s", right[i].path);
        drop(text);
    }
}

static const struct {
    const char *path;
    size_t position;
    const char *part_of_reason;
} wrong[] = {
    {"", 0, "begins with a backslash"},
    {"Memory\\X", 0, "begins with a backslash"},
    {"\\", 1, "object name is missing"},
    {"\\\\", 2, "computer name is missing"},
    {"\\\\\\Memory\\X", 2, "computer name is missing"},
    {"\\\\PC", 4, "after the computer"},
    {"\\\\PC\\", 5, "object name is missing"},
    {"\\\\PC\\\\X", 5, "object name is missing"},
    {"\\Memory", 7, "after the object"},
    {"\\Memory\\", 8, "counter name is missing"},
    {"\\(a)\\X", 1, "object name is missing"},
    {"\\P(a\\X", 2, "not closed"},
    {"\\P(a", 2, "not closed"},
    {"\\P(", 2, "not closed"},
    {"\\P(a)", 5, "after the parenthesis"},
    {"\\P(a)X", 2, "not closed"},
    {"\\P(a)\\", 6, "counter name is missing"},
    {"\\P\\X\\Y", 4, "no backslash"},
};

static void test_path_wrong_ones_refused_at_position(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        prfdata_text text = make(wrong[i].path);
        prfdata_path path;
        prfdata_path_error error = {0, ""};

        if (prfdata_path_parse(text, &path, &error))
            fail_msg("%s was accepted", wrong[i].path);
        if (error.position != wrong[i].position || !strstr(error.reason, wrong[i].part_of_reason))
            fail_msg("%s: %u: %s", wrong[i].path, (unsigned)error.position, error.reason);
        drop(text);
    }
}

/* Cuts a path at every char: each beginning is a path, or has an error within its length. */
static void test_path_every_beginning_survived(void **state)
{
    static const char whole[] = "\\\\PC\\Object (x)(Parent/Inst#0)\\Counter (y)";

    (void)state;
    for (size_t count = 0; count < sizeof whole; count++) {
        char part[sizeof whole];
        prfdata_text text;
        prfdata_path path;
        prfdata_path_error error;

        memcpy(part, whole, count);
        part[count] = 0;
        text = make(part);
        if (!prfdata_path_parse(text, &path, &error))
            assert_true(error.position <= count);
        drop(text);
    }
}

static void test_path_instance_wanted_ignoring_case(void **state)
{
    static const struct {
        const char *pattern;
        const char *label;
        bool wanted;
    } cases[] = {
        {"*", "anything", true},
        {"*", "Parent/name#2", true},
        {"a", "A", true},
        {"a", "a#1", false},
        {"a", "ab", false},
        {"a#1", "A#1", true},
        {"le*", "Left", true},
        {"le*", "left/x", true},
        {"Le*", "Alef", false},
        {"*ft", "left", true},
        {"*e*t", "left", true},
        {"*e*x", "left", false},
        {"a*b*c", "aXbYbZc", true},
        {"a*b*c", "aXbYbZ", false},
        {"**", "x", true},
        {"x*", "x", true},
        {"parent/x", "Parent/X", true},
        {"x", "Parent/x", false},
        {"*/x", "Parent/x", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_text pattern = make(cases[i].pattern);
        prfdata_text label = make(cases[i].label);
        prfdata_path path = {{0}, {0}, pattern, {0}, true, false};

        if (prfdata_path_wants_instance(&path, label) != cases[i].wanted)
            fail_msg("%s, %s", cases[i].pattern, cases[i].label);
        path.has_instance = false;
        assert_false(prfdata_path_wants_instance(&path, label));
        drop(pattern);
        drop(label);
    }
}

/* Lists print names such as x#0, so these must be valid in paths. */
static void test_path_finds_names_that_end_in_zero(void **state)
{
    prfdata_text text = make("\\P(x#0)\\ID");
    prfdata_text named = make("X#0");
    prfdata_text first = make("x");
    prfdata_text other = make("x#01");
    prfdata_path path;
    prfdata_path_error error;

    (void)state;
    assert_true(prfdata_path_parse(text, &path, &error));
    assert_true(prfdata_path_wants_instance(&path, named));
    assert_true(prfdata_path_wants_instance(&path, first));
    assert_false(prfdata_path_wants_instance(&path, other));
    drop(text);
    text = make("\\P(x)\\ID");
    assert_true(prfdata_path_parse(text, &path, &error));
    assert_false(prfdata_path_wants_instance(&path, named));
    drop(text);
    drop(named);
    drop(first);
    drop(other);
}

static void test_text_order_ignores_case_beyond_ascii(void **state)
{
    static const uint16_t upper[] = {0x00C4, 0xD801, 0xDC00}; /* A umlaut, Deseret long I */
    static const uint16_t lower[] = {0x00E4, 0xD801, 0xDC28};
    static const uint16_t lone[] = {0x00E4, 0xD801};

    (void)state;
    assert_int_equal(prfdata_text_compare((prfdata_text){upper, 3}, (prfdata_text){lower, 3}), 0);
    assert_int_not_equal(prfdata_text_compare((prfdata_text){upper, 3}, (prfdata_text){lone, 2}),
                         0);
    assert_true(prfdata_text_compare((prfdata_text){upper, 1}, (prfdata_text){upper, 3}) < 0);
    assert_true(prfdata_text_compare((prfdata_text){upper, 3}, (prfdata_text){upper, 1}) > 0);
    assert_true(prfdata_text_equal((prfdata_text){NULL, 0}, (prfdata_text){upper, 0}));
}

static void test_text_equals_ascii_as_a_whole_ignoring_case(void **state)
{
    static const struct {
        const char *text;
        const char *ascii;
        bool equal;
    } cases[] = {
        {"", "", true},          {"", "a", false},       {"a", "", false},
        {"Help", "hELP", true},  {"help", "hel", false}, {"hel", "help", false},
        {"help", "heap", false}, {"\xE4", "a", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_text text = make(cases[i].text);

        if (prfdata_text_equal_ascii(text, cases[i].ascii) != cases[i].equal)
            fail_msg("\"%s\" and \"%s\"", cases[i].text, cases[i].ascii);
        drop(text);
    }
}

static void test_text_number_all_digits_in_32_bits(void **state)
{
    static const struct {
        const char *text;
        bool is_number;
        uint32_t number;
    } cases[] = {{"0", true, 0},           {"4294967295", true, 4294967295u},
                 {"4294967296", false, 0}, {"99999999999", false, 0},
                 {"", false, 0},           {"12x", false, 0},
                 {"-1", false, 0},         {" 1", false, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_text text = make(cases[i].text);
        uint32_t number = 77;

        assert_int_equal(prfdata_text_number(text, &number), cases[i].is_number);
        assert_int_equal(number, cases[i].is_number ? cases[i].number : 77);
        drop(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path_right_ones_taken_apart),
        cmocka_unit_test(test_path_wrong_ones_refused_at_position),
        cmocka_unit_test(test_path_every_beginning_survived),
        cmocka_unit_test(test_path_instance_wanted_ignoring_case),
        cmocka_unit_test(test_path_finds_names_that_end_in_zero),
        cmocka_unit_test(test_text_order_ignores_case_beyond_ascii),
        cmocka_unit_test(test_text_equals_ascii_as_a_whole_ignoring_case),
        cmocka_unit_test(test_text_number_all_digits_in_32_bits),
    };

    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
