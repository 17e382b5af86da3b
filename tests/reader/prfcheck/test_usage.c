/* SPDX-License-Identifier: MIT */
/* Tests what prfcheck measures of its own process. */
#include "support/test.h"

#include <windows.h>

#include "scenarios/usage.h"

/* A provider may create a heap in each Collect and never destroy it. */
static void test_usage_measures_more_than_64_heaps(void **state)
{
    enum { HEAPS = 100, BYTES = 10000 };
    HANDLE heaps[HEAPS];
    prfdata_growth_usage before;
    prfdata_growth_usage after;

    (void)state;
    for (int i = 0; i < HEAPS; i++) {
        heaps[i] = HeapCreate(0, 0, 0);
        assert_non_null(heaps[i]);
    }
    before = prfdata_usage_now();
    for (int i = 0; i < HEAPS; i++)
        assert_non_null(HeapAlloc(heaps[i], 0, BYTES));
    after = prfdata_usage_now();
    assert_in_range(after.of[PRFDATA_GROWTH_HEAPS] - before.of[PRFDATA_GROWTH_HEAPS], HEAPS * BYTES,
                    2 * HEAPS * BYTES);
    for (int i = 0; i < HEAPS; i++)
        assert_true(HeapDestroy(heaps[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usage_measures_more_than_64_heaps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
