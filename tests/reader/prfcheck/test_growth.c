/* SPDX-License-Identifier: MIT */
/* Tests what counts as growth: each kind on both sides of its limit, and growth that stops. Also
 * tests how many steps are made in the given time, and what counts as slower. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/growth.h"

#define STEPS 100u

/* For each kind the smallest growth that counts, and the rule that it breaks. */
static const struct {
    prfdata_growth_kind kind;
    uint64_t least;
    prfdata_rule rule;
    const char *text;
} limits[] = {
    {PRFDATA_GROWTH_HANDLES, 4, PRFDATA_RULE_HANDLE_LEAK, "100 times Collect left 4 handles"},
    {PRFDATA_GROWTH_THREADS, 4, PRFDATA_RULE_THREAD_LEAK, "100 times Collect left 4 threads"},
    {PRFDATA_GROWTH_DRAWING, 4, PRFDATA_RULE_GUI_LEAK, "100 times Collect left 4 GDI objects"},
    {PRFDATA_GROWTH_WINDOWS, 4, PRFDATA_RULE_GUI_LEAK, "100 times Collect left 4 USER objects"},
    {PRFDATA_GROWTH_VIEWS, 4, PRFDATA_RULE_VIEW_LEAK, "100 times Collect left 4 mapped views"},
    {PRFDATA_GROWTH_SLOTS, 4, PRFDATA_RULE_TLS_LEAK, "100 times Collect left 4 slots"},
    {PRFDATA_GROWTH_ATOMS, 4, PRFDATA_RULE_ATOM_LEAK, "100 times Collect left 4 atoms"},
    {PRFDATA_GROWTH_HEAPS, 800, PRFDATA_RULE_MEMORY_LEAK,
     "100 times Collect left 800 bytes in the heaps"},
    {PRFDATA_GROWTH_MEMORY, 65536, PRFDATA_RULE_MEMORY_LEAK,
     "100 times Collect left 65536 bytes of memory"},
    {PRFDATA_GROWTH_ADDRESS, 131072, PRFDATA_RULE_MEMORY_LEAK,
     "100 times Collect left 131072 bytes of address space"},
};

enum { LIMITS = sizeof limits / sizeof limits[0] };

/* Check one kind that first grows by `first`, then by `second`. The other kinds do not grow. */
static void validate_one(prfdata_growth_kind kind, uint64_t first, uint64_t second,
                         prfdata_findings *findings)
{
    prfdata_growth_usage at[PRFDATA_GROWTH_MOMENTS];

    for (int i = 0; i < PRFDATA_GROWTH_KINDS; i++)
        at[0].of[i] = at[1].of[i] = at[2].of[i] = 1000000;
    at[1].of[kind] += first;
    at[2].of[kind] += first + second;
    prfdata_findings_init(findings);
    prfdata_growth_validate(at, STEPS, "Collect", findings);
    assert_int_equal(prfdata_growth_is_doubtful(at, STEPS), prfdata_findings_total(findings) > 0);
}

static void test_growth_by_the_least_found(void **state)
{
    prfdata_findings findings;

    (void)state;
    assert_int_equal(LIMITS, PRFDATA_GROWTH_KINDS);
    for (size_t i = 0; i < LIMITS; i++) {
        validate_one(limits[i].kind, limits[i].least, limits[i].least, &findings);
        assert_int_equal(prfdata_findings_total(&findings), 1);
        assert_int_equal(findings.items[0].rule, limits[i].rule);
        assert_string_equal(findings.items[0].text, limits[i].text);
    }
}

static void test_growth_by_less_or_once_passes(void **state)
{
    prfdata_findings findings;

    (void)state;
    for (size_t i = 0; i < LIMITS; i++) {
        const uint64_t least = limits[i].least;

        validate_one(limits[i].kind, least - 1, least - 1, &findings);
        assert_int_equal(prfdata_findings_total(&findings), 0);
        validate_one(limits[i].kind, 1000 * least, least - 1, &findings);
        assert_int_equal(prfdata_findings_total(&findings), 0);
        validate_one(limits[i].kind, least - 1, 1000 * least, &findings);
        assert_int_equal(prfdata_findings_total(&findings), 0);
    }
}

/* Heaps are made of memory, so a leak in a heap is only one finding. */
static void test_growth_of_heaps_and_memory_is_one_finding(void **state)
{
    prfdata_growth_usage at[PRFDATA_GROWTH_MOMENTS];
    prfdata_findings findings;

    (void)state;
    memset(at, 0, sizeof at);
    for (uint64_t i = 0; i < PRFDATA_GROWTH_MOMENTS; i++)
        at[i].of[PRFDATA_GROWTH_HEAPS] = at[i].of[PRFDATA_GROWTH_MEMORY] = i << 20;
    prfdata_findings_init(&findings);
    prfdata_growth_validate(at, STEPS, "Collect", &findings);
    assert_int_equal(prfdata_findings_total(&findings), 1);
    assert_string_equal(findings.items[0].text,
                        "100 times Collect left 1048576 bytes in the heaps");
}

/* Return how many of at most 500 steps fit into 10 seconds if the first steps take these times. */
static uint32_t steps_of(const uint64_t *took_ms, uint32_t *tried)
{
    prfdata_growth_pace pace = {10000, 500, 0, 0};
    size_t i = 0;

    while (prfdata_growth_pace_add(&pace, took_ms[i]))
        i++;
    assert_int_equal(pace.tried, i + 1);
    *tried = pace.tried;
    return prfdata_growth_pace_steps(&pace);
}

/* One step that was slow because the system was busy does not decide the number of steps. */
static void test_growth_of_slow_steps_the_shortest_counts(void **state)
{
    static const struct {
        uint64_t took_ms[6];
        uint32_t tried;
        uint32_t steps;
    } paces[] = {
        {{0}, 1, 500},
        {{20}, 1, 500}, /* the first step is fast enough */
        {{120, 3}, 2, 500},
        {{120, 76, 42, 21, 20}, 5, 500},
        /* At most five steps are tried, and the fastest one counts. */
        {{120, 76, 42, 50, 60, 1}, 5, 238},
        {{400, 100, 100, 100, 100}, 5, 100},
        {{401}, 1, 24},
        {{100, 401}, 2, 100},
        {{10001}, 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof paces / sizeof paces[0]; i++) {
        uint32_t tried;

        assert_int_equal(steps_of(paces[i].took_ms, &tried), paces[i].steps);
        assert_int_equal(tried, paces[i].tried);
    }
}

static void test_growth_slower_is_by_a_fifth_and_by_50_ms(void **state)
{
    (void)state;
    assert_true(prfdata_growth_is_slower(1000, 1200));
    assert_false(prfdata_growth_is_slower(1000, 1199));
    assert_true(prfdata_growth_is_slower(2, 52));
    /* The clock ticks every 16 ms, so this difference means little. */
    assert_false(prfdata_growth_is_slower(2, 51));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growth_by_the_least_found),
        cmocka_unit_test(test_growth_by_less_or_once_passes),
        cmocka_unit_test(test_growth_of_heaps_and_memory_is_one_finding),
        cmocka_unit_test(test_growth_of_slow_steps_the_shortest_counts),
        cmocka_unit_test(test_growth_slower_is_by_a_fifth_and_by_50_ms),
    };

    return cmocka_run_group_tests_name("growth", tests, NULL, NULL);
}
