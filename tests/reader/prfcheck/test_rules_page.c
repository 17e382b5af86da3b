/* SPDX-License-Identifier: MIT */
/* Tests that docs/prfcheck.md has every rule of rules.h. */
#include "support/test.h"

#include <stdio.h>

#include "support/page.h"
#include "validate/rules.h"

static void test_rules_page_lists_every_rule(void **state)
{
    page_text rows = {0};

    (void)state;
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        const prfdata_rule_about *about = prfdata_rules_about((prfdata_rule)i);

        page_add(&rows, "| `%s` | %s | ", about->name,
                 prfdata_rules_severity_name(about->severity));
        if (about->event != 0)
            page_add(&rows, "%u", (unsigned)about->event);
        page_add(&rows, " | %s |\n", about->sentence);
    }
    page_expect_rows("docs/prfcheck.md", "| `", &rows);
    page_free(&rows);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules_page_lists_every_rule),
    };

    return cmocka_run_group_tests_name("rules_page", tests, NULL, NULL);
}
