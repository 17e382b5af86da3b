/* SPDX-License-Identifier: MIT */
/* Tests the buffer of a reply: nothing is written past its capacity. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "reply/perf_block.h"

enum { SAMPLE_BYTES = 24, MAX_CAPACITY = 40 };

static const unsigned char sample_bytes[SAMPLE_BYTES] = {
    'a', 'b', 'c', 'd', 'e', 0, 0, 0, 'f', 'g', 'h', 'i',
    'j', 'k', 'l', 'm', 0,   0, 0, 0, 'z', 0,   0,   0,
};

/* The offset at which each piece of the sample ends. */
static const size_t ends[] = {0, 5, 8, 16, 24};

static void write_sample(prfdata_perf_block *block)
{
    uint8_t *skipped;

    prfdata_perf_block_put(block, "abcde", 5);
    prfdata_perf_block_put(block, NULL, 0);
    prfdata_perf_block_skip(block, 3);
    prfdata_perf_block_put(block, "fghijklm", 8);
    prfdata_perf_block_skip(block, 0);
    skipped = prfdata_perf_block_skip(block, 8);
    if (skipped)
        skipped[4] = 'z';
}

/* Returns the size of all pieces before the first one that does not fit. */
static size_t bytes_that_fit(size_t capacity)
{
    size_t bytes = 0;

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (ends[i] <= capacity)
            bytes = ends[i];
    return bytes;
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
        assert_int_equal(block.used, bytes_that_fit(capacity));
        assert_memory_equal(bytes, sample_bytes, block.used);
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
    prfdata_perf_block_put(&block, "abcd", 4);
    assert_null(prfdata_perf_block_skip(&block, SIZE_MAX - 3)); /* adding 4 would overflow */
    assert_int_equal(block.used, 4);
    prfdata_perf_block_init(&block, bytes, sizeof(bytes));
    prfdata_perf_block_put(&block, bytes, SIZE_MAX);
    assert_int_equal(block.used, 0);
}

static void test_perf_block_nothing_follows_what_did_not_fit(void **state)
{
    unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const unsigned char after[8] = {'a', 'b', 3, 4, 5, 6, 7, 8};
    prfdata_perf_block block;

    (void)state;
    prfdata_perf_block_init(&block, bytes, sizeof(bytes));
    prfdata_perf_block_put(&block, "ab", 2);
    prfdata_perf_block_put(&block, "0123456", 7);
    prfdata_perf_block_put(&block, "c", 1);
    assert_null(prfdata_perf_block_skip(&block, 1));
    assert_int_equal(block.used, 2);
    assert_memory_equal(bytes, after, sizeof(bytes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perf_block_never_writes_past_any_capacity),
        cmocka_unit_test(test_perf_block_writes_at_any_address),
        cmocka_unit_test(test_perf_block_too_much_to_count_does_not_fit),
        cmocka_unit_test(test_perf_block_nothing_follows_what_did_not_fit),
    };

    return cmocka_run_group_tests_name("perf_block", tests, NULL, NULL);
}
