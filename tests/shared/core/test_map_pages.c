/* SPDX-License-Identifier: MIT */
/* Tests that the pages about maps state the limits of map.h and have its table of options. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_options.h"
#include "support/golden.h"
#include "support/page.h"

/* Add a number with its digits in groups of three. */
static void add_number(page_text *row, unsigned number)
{
    if (number >= 1000) {
        add_number(row, number / 1000);
        page_add(row, ",%03u", number % 1000);
    } else {
        page_add(row, "%u", number);
    }
}

static void test_map_pages_list_every_limit(void **state)
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
        {LIMIT(METRIC_CHARS), " characters", "the name of a metric"},
        {LIMIT(INSTANCE_NAME_CHARS), " characters", "the name of an instance"},
        {LIMIT(SERVICE_CHARS), " characters", "the name of the service"},
        {LIMIT(SYMBOL_CHARS), " characters", "a symbol"},
        {LIMIT(MAP_BYTES), " bytes", "a map in the registry"},
        {LIMIT(LANES_BYTES), " bytes", "all hot counters of a map in a region"},
        {LIMIT(DISTRIBUTIONS), " distributions", "an object"},
        {LIMIT(DISTRIBUTIONS_BYTES), " bytes",
         "the distributions of an object's instances in a region"},
        {LIMIT(OBJECT_BYTES), " bytes", "an object in a reply, with all instances"},
    };
    page_text rows = {0};

    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        page_add(&rows, "| `%s` | ", limits[i].name);
        add_number(&rows, limits[i].value);
        page_add(&rows, "%s | %s |\n", limits[i].unit, limits[i].what);
    }
    page_expect_rows("docs/security-and-limits.md", "| `PRFDATA_MAX_", &rows);
    page_free(&rows);
}

static void test_map_pages_list_every_option(void **state)
{
    char *page = golden_text("docs/choosing-a-counter-type.md");
    page_text rows = {0};

    (void)state;
    for (size_t i = 0; i < prfdata_map_options_count(); i++) {
        const prfdata_map_option *option = prfdata_map_options_at(i);

        page_add(&rows, "| `0x%X` | `%s` | %s%s%s |\n", (unsigned)option->bit, option->symbol,
                 option->kind == PRFDATA_ENTRY_OBJECT ? "object" : "counter",
                 option->needs_instances ? " with instances" : "",
                 option->needs_accumulating ? " that accumulates" : "");
        if (!strstr(page, option->symbol))
            fail_msg("docs/choosing-a-counter-type.md does not say what %s is for", option->symbol);
    }
    page_expect_rows("docs/map-bytes.md", "| `0x", &rows);
    page_free(&rows);
    free(page);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_pages_list_every_limit),
        cmocka_unit_test(test_map_pages_list_every_option),
    };

    return cmocka_run_group_tests_name("map_pages", tests, NULL, NULL);
}
