/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "reply/perf_block.h"

enum { SAMPLE_BYTES = 24, MAX_CAPACITY = 40 };

static const unsigned char sample_bytes[SAMPLE_BYTES] = {
    'a', 'b', 'c', 'D', 'E', 0, 0, 0, 'f', 'g', 'h', 'i',
    'j', 'k', 'l', 'm', 0,   0, 0, 0, 'z', 0,   0,   0,
};

/* Put, put nothing, skip, put, skip, patch. */
static void write_sample(prfdata_perf_block *block)
{
    assert_int_equal(prfdata_perf_block_put(block, "abcde", 5), 0);
    assert_int_equal(prfdata_perf_block_put(block, NULL, 0), 5);
    assert_int_equal(prfdata_perf_block_skip(block, 3), 5);
    assert_int_equal(prfdata_perf_block_put(block, "fghijklm", 8), 8);
    assert_int_equal(prfdata_perf_block_skip(block, 0), 16);
    assert_int_equal(prfdata_perf_block_skip(block, 8), 16);
    prfdata_perf_block_patch(block, 3, "DE", 2);
    prfdata_perf_block_patch(block, 20, "z", 1);
}

static void test_perf_block_never_writes_past_any_capacity(void **state)
{
    (void)state;
    for (size_t capacity = 0; capacity <= MAX_CAPACITY; capacity++) {
        unsigned char *bytes = malloc(capacity + (capacity == 0));
        prfdata_perf_block block;

        assert_non_null(bytes);
        prfdata_perf_block_init(&block, capacity > 0 ? bytes : NULL, capacity);
        write_sample(&block);
        assert_int_equal(block.used, SAMPLE_BYTES);
        assert_int_equal(prfdata_perf_block_fits(&block), capacity >= SAMPLE_BYTES);
        if (prfdata_perf_block_fits(&block))
            assert_memory_equal(bytes, sample_bytes, SAMPLE_BYTES);
        free(bytes);
    }
}

static void test_perf_block_writes_at_any_address(void **state)
{
    unsigned char *bytes = malloc(SAMPLE_BYTES + 7);

    (void)state;
    assert_non_null(bytes);
    for (size_t offset = 0; offset < 8; offset++) {
        prfdata_perf_block block;

        memset(bytes, 0xDD, SAMPLE_BYTES + 7);
        prfdata_perf_block_init(&block, bytes + offset, SAMPLE_BYTES);
        write_sample(&block);
        assert_memory_equal(bytes + offset, sample_bytes, SAMPLE_BYTES);
        for (size_t i = 0; i < offset; i++)
            assert_int_equal(bytes[i], 0xDD);
        for (size_t i = offset + SAMPLE_BYTES; i < SAMPLE_BYTES + 7; i++)
            assert_int_equal(bytes[i], 0xDD);
    }
    free(bytes);
}

static void test_perf_block_too_much_to_count_does_not_fit(void **state)
{
    unsigned char bytes[16];
    prfdata_perf_block block;

    (void)state;
    prfdata_perf_block_init(&block, bytes, sizeof(bytes));
    prfdata_perf_block_skip(&block, SIZE_MAX - 4);
    prfdata_perf_block_skip(&block, 8);
    assert_int_equal(block.used, SIZE_MAX);
    prfdata_perf_block_put(&block, bytes, sizeof(bytes));
    assert_int_equal(block.used, SIZE_MAX);
    assert_false(prfdata_perf_block_fits(&block));
}

static void test_perf_block_patch_outside_has_no_effect(void **state)
{
    unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const unsigned char before[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    prfdata_perf_block block;

    (void)state;
    prfdata_perf_block_init(&block, bytes, 4);
    prfdata_perf_block_patch(&block, 3, "xy", 2);
    prfdata_perf_block_patch(&block, 4, "x", 1);
    prfdata_perf_block_patch(&block, SIZE_MAX, "x", 1);
    prfdata_perf_block_patch(&block, 0, before, SIZE_MAX);
    assert_memory_equal(bytes, before, sizeof(bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perf_block_never_writes_past_any_capacity),
        cmocka_unit_test(test_perf_block_writes_at_any_address),
        cmocka_unit_test(test_perf_block_too_much_to_count_does_not_fit),
        cmocka_unit_test(test_perf_block_patch_outside_has_no_effect),
    };

    return cmocka_run_group_tests_name("perf_block", tests, NULL, NULL);
}
