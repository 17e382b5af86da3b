/* SPDX-License-Identifier: MIT */
/* Tests that docs/choosing-a-counter-type.md says of every counter type what the code does with
 * it. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "compute/counter_formula.h"
#include "map/counter_types.h"
#include "metric/metric_part.h"
#include "prometheus/metric_head.h"
#include "support/page.h"

static const char *const merges[] = {
    [PRFDATA_MERGING_NOTHING] = "",
    [PRFDATA_MERGING_ACCUMULATE] = "sum, accumulates",
    [PRFDATA_MERGING_SUM] = "sum of the living",
    [PRFDATA_MERGING_MAX] = "largest of the living",
    [PRFDATA_MERGING_NEWEST] = "newest",
    [PRFDATA_MERGING_OLDEST_START] = "oldest start of the living",
};

/* Returns whether the base merges as one of the counter types that need this base. Only
 * COUNTER_MULTI_BASE does not. */
static bool merges_as_its_counter(const prfdata_counter_type *base)
{
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_at(i);

        if (type->base_type == base->type && type->merging == base->merging)
            return true;
    }
    return false;
}

static void add_merge(page_text *row, const prfdata_counter_type *type)
{
    if (type->flags & PRFDATA_TYPE_NOT_YET)
        page_add(row, "not in a map");
    else if (type->flags & PRFDATA_TYPE_SINGLE_INVERSE)
        page_add(row, "only with `PRFDATA_MAP_PER_PROCESS`");
    else if ((type->flags & PRFDATA_TYPE_BASE) && merges_as_its_counter(type))
        page_add(row, "as its counter");
    else
        page_add(row, "%s", merges[type->merging]);
}

static void add_formula(page_text *row, const prfdata_counter_type *type)
{
    const prfdata_counter_formula formula = prfdata_counter_formula_of(type->type);
    char text[80];

    prfdata_counter_formula_text(&formula, text, sizeof text);
    if (formula.kind == PRFDATA_COUNTER_NUMBER)
        page_add(row, "`%s`", text);
}

/* Add the kind of a metric and the end of its name in the text format: the part, the unit, and
 * `_total` if the metric is a counter. */
static void add_part(page_text *row, const prfdata_metric_part *part)
{
    const prfdata_metric_kind kind = prfdata_metric_part_kind(part);
    const char *suffix = part->suffix;
    const char *unit = prfdata_metric_part_unit(part);
    const char *total = kind == PRFDATA_METRIC_COUNTER ? "_total" : "";

    page_add(row, "%s", prfdata_metric_head_kind(kind));
    if (suffix[0] || unit[0] || total[0])
        page_add(row, " `%s%s%s%s%s`", suffix[0] ? "_" : "", suffix, unit[0] ? "_" : "", unit,
                 total);
}

static void add_metrics(page_text *row, const prfdata_counter_type *type)
{
    const char *between = "";

    for (const prfdata_metric_part *part = prfdata_metric_part_first(type->type, false); part;
         part = prfdata_metric_part_next(part)) {
        if (part->on_request)
            continue;
        page_add(row, "%s", between);
        add_part(row, part);
        between = ", ";
    }
}

static void test_counter_types_page_lists_every_type(void **state)
{
    page_text rows = {0};

    (void)state;
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const prfdata_counter_type *type = prfdata_counter_types_at(i);
        const prfdata_counter_type *base = prfdata_counter_types_find(type->base_type);
        const bool has_base =
            (type->flags & (PRFDATA_TYPE_NEEDS_BASE | PRFDATA_TYPE_MAY_HAVE_BASE)) != 0;

        page_add(&rows, "| `%s` | %u | ", type->name, (unsigned)type->value_bytes);
        if (has_base)
            page_add(&rows, "`%s`%s", base->name,
                     type->flags & PRFDATA_TYPE_MAY_HAVE_BASE ? ", or none" : "");
        page_add(&rows, " | ");
        add_formula(&rows, type);
        page_add(&rows, " | ");
        add_merge(&rows, type);
        page_add(&rows, " | ");
        add_metrics(&rows, type);
        page_add(&rows, " |\n");
    }
    page_expect_rows("docs/choosing-a-counter-type.md", "| `", &rows);
    page_free(&rows);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counter_types_page_lists_every_type),
    };

    return cmocka_run_group_tests_name("counter_types_page", tests, NULL, NULL);
}
