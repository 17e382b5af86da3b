/* SPDX-License-Identifier: MIT */
/* Tests arrays that grow: the elements keep their values, an array of 1,000 elements has room for
 * less than 2,048, and a failed call changes nothing. */
#include <stdlib.h>

#include "support/test.h"

#include "base/array.h"

static void test_array_keeps_every_element_while_it_grows(void **state)
{
    size_t capacity = 0;
    uint32_t *items = NULL;

    (void)state;
    for (uint32_t count = 0; count < 1000; count++) {
        uint32_t *grown = prfdata_array_reserve(items, &capacity, count + 1, sizeof *grown);

        assert_non_null(grown);
        items = grown;
        assert_true(capacity > count);
        items[count] = count * 3;
    }
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(items[i], i * 3);
    assert_true(capacity < 2048);
    free(items);
}

static void test_array_with_enough_room_stays_where_it_is(void **state)
{
    size_t capacity = 0;
    char *items = prfdata_array_reserve(NULL, &capacity, 5, 1);
    const size_t first = capacity;

    (void)state;
    assert_non_null(items);
    assert_ptr_equal(prfdata_array_reserve(items, &capacity, first, 1), items);
    assert_int_equal(capacity, first);
    free(items);
}

static void test_array_larger_than_memory_is_refused_and_stays_as_it_was(void **state)
{
    size_t capacity = 0;
    uint64_t *items = prfdata_array_reserve(NULL, &capacity, 1, sizeof *items);
    const size_t first = capacity;

    (void)state;
    assert_non_null(items);
    items[0] = 42;
    assert_null(prfdata_array_reserve(items, &capacity, SIZE_MAX / 8 + 1, sizeof *items));
    assert_null(prfdata_array_reserve(items, &capacity, SIZE_MAX, sizeof *items));
    assert_int_equal(capacity, first);
    assert_int_equal(items[0], 42);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_array_keeps_every_element_while_it_grows),
        cmocka_unit_test(test_array_with_enough_room_stays_where_it_is),
        cmocka_unit_test(test_array_larger_than_memory_is_refused_and_stays_as_it_was),
    };

    return cmocka_run_group_tests_name("array", tests, NULL, NULL);
}
