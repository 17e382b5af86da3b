/* SPDX-License-Identifier: MIT */
/* docs/security-and-limits.md has the limits of map.h. */
#include "support/test.h"

#include <stdio.h>

#include <prfdata/map.h>

#include "support/page.h"

/* Digits in groups of three. */
static void add_number(page_text *row, unsigned number)
{
    if (number >= 1000) {
        add_number(row, number / 1000);
        page_add(row, ",%03u", number % 1000);
    } else {
        page_add(row, "%u", number);
    }
}

static void test_limits_page_lists_every_limit_of_a_map(void **state)
{
    static const struct {
        const char *name;
        unsigned value;
        const char *unit;
        const char *what;
    } limits[] = {
#define LIMIT(name) "PRFDATA_MAX_" #name, PRFDATA_MAX_##name
        {LIMIT(OBJECTS), " objects", "a map"},
        {LIMIT(COUNTERS), " counters", "an object"},
        {LIMIT(INSTANCES), " instances", "an object"},
        {LIMIT(NAME_CHARS), " characters", "the name of an object or counter"},
        {LIMIT(HELP_CHARS), " characters", "a help text"},
        {LIMIT(INSTANCE_NAME_CHARS), " characters", "the name of an instance"},
        {LIMIT(SERVICE_CHARS), " characters", "the name of the service"},
        {LIMIT(SYMBOL_CHARS), " characters", "a symbol"},
        {LIMIT(MAP_BYTES), " bytes", "a map in the registry"},
        {LIMIT(OBJECT_BYTES), " bytes", "an object in a reply, with all instances"},
    };
    page_text rows = {0};

    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        page_add(&rows, "| `%s` | ", limits[i].name);
        add_number(&rows, limits[i].value);
        page_add(&rows, "%s | %s |\n", limits[i].unit, limits[i].what);
    }
    page_expect_rows("docs/security-and-limits.md", "| `", &rows);
    page_free(&rows);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_page_lists_every_limit_of_a_map),
    };

    return cmocka_run_group_tests_name("limits_page", tests, NULL, NULL);
}
