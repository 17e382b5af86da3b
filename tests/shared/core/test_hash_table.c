/* SPDX-License-Identifier: MIT */
/* Tests that the hash table finds elements that were added, even with equal hashes, and no
 * others. */
#include "support/test.h"

#include "base/hash_table.h"

static bool is_key(const void *elements, uint32_t position, const void *key)
{
    return ((const uint64_t *)elements)[position] == *(const uint64_t *)key;
}

static uint32_t find(const prfdata_hash_table *table, uint64_t hash, const uint64_t *elements,
                     uint64_t key)
{
    return prfdata_hash_table_find(table, hash, is_key, elements, &key);
}

static void test_hash_table_empty_finds_nothing(void **state)
{
    prfdata_hash_table table = {0};

    (void)state;
    assert_int_equal(find(&table, 0, NULL, 0), PRFDATA_HASH_TABLE_NONE);
    prfdata_hash_table_clear(&table);
    prfdata_hash_table_free(&table);
}

static void test_hash_table_finds_what_was_added_and_nothing_else(void **state)
{
    static uint64_t elements[5000];
    prfdata_hash_table table = {0};

    (void)state;
    for (uint32_t i = 0; i < 5000; i++) {
        elements[i] = i * 0x9E3779B97F4A7C15u;
        assert_true(prfdata_hash_table_add(&table, elements[i], i));
    }
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(find(&table, elements[i], elements, elements[i]), i);
    assert_int_equal(find(&table, 7, elements, 7), PRFDATA_HASH_TABLE_NONE);
    prfdata_hash_table_clear(&table);
    assert_int_equal(find(&table, elements[1], elements, elements[1]), PRFDATA_HASH_TABLE_NONE);
    prfdata_hash_table_free(&table);
}

/* Some hashes differ only in their upper half, and some are equal. */
static void test_hash_table_tells_equal_hashes_apart_by_their_keys(void **state)
{
    uint64_t elements[100];
    prfdata_hash_table table = {0};

    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        elements[i] = (uint64_t)i << 32;
        assert_true(prfdata_hash_table_add(&table, i % 2 == 0 ? 5 : elements[i], i));
    }
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(find(&table, i % 2 == 0 ? 5 : elements[i], elements, elements[i]), i);
    prfdata_hash_table_free(&table);
}

static void test_hash_table_with_room_reserved_does_not_allocate(void **state)
{
    uint64_t elements[300];
    prfdata_hash_table table = {0};
    const prfdata_hash_table_slot *slots;

    (void)state;
    assert_true(prfdata_hash_table_reserve(&table, 300));
    slots = table.slots;
    for (uint32_t i = 0; i < 300; i++) {
        elements[i] = i;
        assert_true(prfdata_hash_table_add(&table, i, i));
    }
    assert_ptr_equal(table.slots, slots);
    assert_int_equal(find(&table, 299, elements, 299), 299);
    prfdata_hash_table_free(&table);
}

/* The hash of each element belongs to the last slot or to the first one, so searches wrap at the
 * end. */
static void test_hash_table_finds_or_adds_with_one_probe(void **state)
{
    enum { COUNT = 16 };
    uint64_t elements[COUNT];
    prfdata_hash_table table = {0};

    (void)state;
    assert_true(prfdata_hash_table_reserve(&table, COUNT));
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint64_t hash = i < COUNT / 2 ? table.slot_count - 1 : 0;

        elements[i] = i;
        assert_int_equal(
            prfdata_hash_table_find_or_add(&table, hash, is_key, elements, &elements[i], i), i);
        assert_int_equal(table.count, i + 1);
        for (uint32_t k = 0; k <= i; k++) {
            const uint64_t other = k < COUNT / 2 ? table.slot_count - 1 : 0;

            assert_int_equal(prfdata_hash_table_find_or_add(&table, other, is_key, elements,
                                                            &elements[k], i + 1),
                             k);
            assert_int_equal(find(&table, other, elements, k), k);
        }
        assert_int_equal(table.count, i + 1);
    }
    prfdata_hash_table_free(&table);
}

static void test_hash_table_refuses_what_it_cannot_hold(void **state)
{
    uint64_t element = 1;
    prfdata_hash_table table = {0};

    (void)state;
    assert_true(prfdata_hash_table_add(&table, 1, 0));
    assert_false(prfdata_hash_table_add(&table, 2, PRFDATA_HASH_TABLE_NONE));
    assert_false(prfdata_hash_table_reserve(&table, SIZE_MAX));
    assert_int_equal(find(&table, 1, &element, 1), 0);
    prfdata_hash_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash_table_empty_finds_nothing),
        cmocka_unit_test(test_hash_table_finds_what_was_added_and_nothing_else),
        cmocka_unit_test(test_hash_table_tells_equal_hashes_apart_by_their_keys),
        cmocka_unit_test(test_hash_table_with_room_reserved_does_not_allocate),
        cmocka_unit_test(test_hash_table_finds_or_adds_with_one_probe),
        cmocka_unit_test(test_hash_table_refuses_what_it_cannot_hold),
    };

    return cmocka_run_group_tests_name("hash_table", tests, NULL, NULL);
}
