/* SPDX-License-Identifier: MIT */
/* Tests sorting arrays of all lengths up to a few runs, each in memory of exactly its size. */
#include "support/test.h"

#include <stdlib.h>

#include "base/merge_sort.h"

typedef struct item {
    int key;
    int place; /* the item's position before sorting */
} item;

static int compare_keys(const void *left, const void *right, const void *context)
{
    const item *a = left;
    const item *b = right;
    const int sign = *(const int *)context;

    return sign * ((a->key > b->key) - (a->key < b->key));
}

static void sort_of(size_t count, int sign, unsigned keys)
{
    item *items = malloc(count * sizeof *items + 1);
    item *room = malloc(count * sizeof *room + 1);

    assert_true(items && room);
    for (size_t i = 0; i < count; i++)
        items[i] = (item){(int)(i * 2654435761u / 7 % keys), (int)i};
    prfdata_merge_sort(items, room, count, sizeof *items, compare_keys, &sign);
    for (size_t i = 1; i < count; i++) {
        assert_true(sign * items[i - 1].key <= sign * items[i].key);
        if (items[i - 1].key == items[i].key)
            assert_true(items[i - 1].place < items[i].place);
    }
    free(items);
    free(room);
}

static void test_merge_sort_orders_and_is_stable(void **state)
{
    (void)state;
    for (size_t count = 0; count < 70; count++) {
        sort_of(count, 1, 5);
        sort_of(count, -1, 5);
        sort_of(count, 1, 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge_sort_orders_and_is_stable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
