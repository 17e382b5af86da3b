/* SPDX-License-Identifier: MIT */
/*
 * Tests that every rule of rules.h is broken by a provider of tests/providers/faults.h, or is named
 * in one of the tests of tests_by_hand. tests/providers/README.md must list these providers and
 * tests for each rule, and the lawful providers of each scenario.
 */
#include "support/test.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "providers/faults.h"
#include "support/golden.h"
#include "support/page.h"
#include "validate/rules.h"

typedef struct faulty_row {
    const char *name;
    const char *rule;
    const char *scenario;
} faulty_row;

static const faulty_row faulty_rows[] = {
#define FAULTY_ROW(name, rule, exit_code, scenario) {#name, rule, scenario},
    FAULTS(FAULTY_ROW)
#undef FAULTY_ROW
};

static const faulty_row lawful_rows[] = {
#define LAWFUL_ROW(name, scenario) {#name, NULL, scenario},
    LAWFUL(LAWFUL_ROW)
#undef LAWFUL_ROW
};

enum {
    FAULTY_ROWS = sizeof faulty_rows / sizeof faulty_rows[0],
    LAWFUL_ROWS = sizeof lawful_rows / sizeof lawful_rows[0]
};

/* The tests that may name a rule. They are searched in this order. */
static const char *const tests_by_hand[] = {"test_validate", "test_validate_value",
                                            "test_growth",   "test_prfcheck_rules",
                                            "test_prfcheck", "test_prfcheck_faults"};

enum { TESTS_BY_HAND = sizeof tests_by_hand / sizeof tests_by_hand[0] };

/* Returns whether a test's code has the rule's name in one of these forms: as a string of its own;
 * as prfcheck prints it, "error size-over: "; or at the end of a printed line, before \n. */
static bool says_rule(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        if (at > text && strchr(" \"", at[-1]) && at[length] && strchr(",:\\\"", at[length]))
            return true;
    }
    return false;
}

/* Returns whether the text names the rule: "RULE(SIZE_OVER)" in a table, "PRFDATA_RULE_SIZE_OVER"
 * in code, "size-over" in output. */
static bool names_rule(const char *text, const char *name)
{
    char upper[64];
    char in_table[80];
    char in_code[80];
    size_t length = 0;

    for (; length < sizeof upper - 1 && name[length]; length++)
        upper[length] = name[length] == '-' ? '_' : (char)toupper((unsigned char)name[length]);
    upper[length] = '\0';
    (void)snprintf(in_table, sizeof in_table, "RULE(%s)", upper);
    (void)snprintf(in_code, sizeof in_code, "PRFDATA_RULE_%s", upper);
    return strstr(text, in_table) || strstr(text, in_code) || says_rule(text, name);
}

static const char *find_test_by_hand(char *const *texts, const char *name)
{
    for (size_t i = 0; i < TESTS_BY_HAND; i++) {
        if (names_rule(texts[i], name))
            return tests_by_hand[i];
    }
    return NULL;
}

static size_t add_faulty_of_rule(page_text *rows, const char *name)
{
    size_t count = 0;

    for (size_t i = 0; i < FAULTY_ROWS; i++) {
        if (strcmp(faulty_rows[i].rule, name) == 0)
            page_add(rows, "%s%s", count++ > 0 ? ", " : "", faulty_rows[i].name);
    }
    return count;
}

static void test_rules_table_shows_each_rule_by_something(void **state)
{
    char *texts[TESTS_BY_HAND];
    page_text rows = {0};

    (void)state;
    for (size_t i = 0; i < TESTS_BY_HAND; i++) {
        char path[80];

        (void)snprintf(path, sizeof path, "tests/reader/prfcheck/%s.c", tests_by_hand[i]);
        texts[i] = golden_text(path);
    }
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        const char *name = prfdata_rules_about((prfdata_rule)i)->name;
        const char *by_hand = find_test_by_hand(texts, name);

        page_add(&rows, "| `%s` | ", name);
        if (add_faulty_of_rule(&rows, name) == 0 && !by_hand)
            fail_msg("no provider and no test shows %s", name);
        page_add(&rows, " | %s |\n", by_hand ? by_hand : "");
    }
    page_expect_rows("tests/providers/README.md", "| `", &rows);
    page_free(&rows);
    for (size_t i = 0; i < TESTS_BY_HAND; i++)
        free(texts[i]);
}

static bool is_rule(const char *name)
{
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        if (strcmp(prfdata_rules_about((prfdata_rule)i)->name, name) == 0)
            return true;
    }
    return false;
}

static void test_rules_table_faults_break_rules_that_there_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < FAULTY_ROWS; i++) {
        if (!is_rule(faulty_rows[i].rule))
            fail_msg("%s breaks %s, which is no rule", faulty_rows[i].name, faulty_rows[i].rule);
    }
}

/* Returns whether the row belongs to the scenario; "opens -quick" belongs to "opens". */
static bool is_of_scenario(const faulty_row *row, const char *scenario)
{
    const size_t length = strcspn(row->scenario, " ");

    return length == strlen(scenario) && strncmp(row->scenario, scenario, length) == 0;
}

/* tests/providers/README.md lists, for each scenario, the providers that come close to a fault but
 * break no rule. The provider without faults runs in all scenarios and is listed as "none". */
static void test_rules_table_has_lawful_ones_of_each_scenario(void **state)
{
    page_text rows = {0};

    (void)state;
    for (size_t i = 0; i < FAULTY_ROWS; i++) {
        const char *scenario = faulty_rows[i].scenario;
        bool is_first = true;

        for (size_t k = 0; k < i; k++)
            is_first = is_first && strcmp(faulty_rows[k].scenario, scenario) != 0;
        if (!is_first)
            continue;
        page_add(&rows, "| scenario %s | none", scenario);
        for (size_t k = 0; k < LAWFUL_ROWS; k++) {
            if (is_of_scenario(&lawful_rows[k], scenario))
                page_add(&rows, ", %s", lawful_rows[k].name);
        }
        page_add(&rows, " |\n");
    }
    page_expect_rows("tests/providers/README.md", "| scenario ", &rows);
    page_free(&rows);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_table_shows_each_rule_by_something),
        cmocka_unit_test(test_rules_table_faults_break_rules_that_there_are),
        cmocka_unit_test(test_rules_table_has_lawful_ones_of_each_scenario),
    };

    return cmocka_run_group_tests_name("rules_table", tests, NULL, NULL);
}
