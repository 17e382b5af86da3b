/* SPDX-License-Identifier: MIT */
/* Compares our numbers with those of the Windows SDK. Windows only. winperf_layout.cmake makes the
 * list of our numbers. */
#include <assert.h>
#include <stdint.h>

#include <windows.h>
#include <winperf.h>

#include <prfdata/error.h>
#include <prfdata/perf_types.h>

#include "map/counter_types.h"
#include "support/test.h"

#define PAIR(name, value)                                                                          \
    static_assert((uint32_t)(name) == (uint32_t)(value), #name " differs from the system's");
#include "winperf_pairs.inc"
#undef PAIR

static const char *const names[] = {
#define PAIR(name, value) #name,
#include "winperf_pairs.inc"
#undef PAIR
};

/* The compiler compares the numbers. This test checks that the list has some. */
static void test_winperf_layout_there_were_numbers_to_compare(void **state)
{
    (void)state;
    /* There are 4 levels, 2 special counts, 39 types and an alias, 2 answers about metadata, and at
     * least 20 errors. */
    assert_in_range(sizeof(names) / sizeof(names[0]), 68, 200);
}

static void test_winperf_layout_every_type_was_compared(void **state)
{
    (void)state;
    for (size_t i = 0; i < PRFDATA_COUNTER_TYPE_COUNT; i++) {
        const char *name = prfdata_counter_types_at(i)->name;
        int found = 0;

        for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++)
            found += strcmp(names[j] + 5, name) == 0 && strncmp(names[j], "PERF_", 5) == 0;
        assert_int_equal(found, 1);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_winperf_layout_there_were_numbers_to_compare),
        cmocka_unit_test(test_winperf_layout_every_type_was_compared),
    };

    return cmocka_run_group_tests_name("winperf_layout", tests, NULL, NULL);
}
