/* SPDX-License-Identifier: MIT */
/* Tests reading numbers from bytes: little-endian, at any address, and never outside of the
 * memory. */
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

#include "base/bytes.h"

static void test_bytes_are_little_endian_at_any_address(void **state)
{
    static const unsigned char text[] = {0, 1, 2, 3, 4, 5, 6, 7, 0x88};
    const prfdata_bytes bytes = {text, sizeof text};

    (void)state;
    assert_int_equal(prfdata_bytes_get16(bytes, 1), 0x0201);
    assert_int_equal(prfdata_bytes_get32(bytes, 1), 0x04030201);
    assert_true(prfdata_bytes_get64(bytes, 1) == 0x8807060504030201u);
    assert_int_equal(prfdata_bytes_get(bytes, 2, 3), 0x040302);
}

/* Each size has its own allocation, so that the sanitizer notices one byte too many. */
static void test_bytes_outside_are_zero_and_never_read(void **state)
{
    (void)state;
    for (size_t size = 0; size <= 9; size++) {
        unsigned char *memory = malloc(size + !size);
        const prfdata_bytes bytes = {memory, size};

        assert_non_null(memory);
        memset(memory, 0xFF, size);
        for (uint64_t offset = 0; offset <= 10; offset++) {
            const bool fits = offset + 8 <= size;

            assert_int_equal(prfdata_bytes_have(bytes, offset, 8), fits);
            assert_true(prfdata_bytes_get64(bytes, offset) == (fits ? UINT64_MAX : 0));
        }
        free(memory);
    }
}

static void test_bytes_have_no_offset_whose_end_wraps(void **state)
{
    static const unsigned char text[16] = {0};
    const prfdata_bytes bytes = {text, sizeof text};

    (void)state;
    assert_true(prfdata_bytes_have(bytes, 16, 0));
    assert_false(prfdata_bytes_have(bytes, 17, 0));
    assert_false(prfdata_bytes_have(bytes, UINT64_MAX, 2));
    assert_false(prfdata_bytes_have(bytes, 2, UINT64_MAX));
    assert_int_equal(prfdata_bytes_get32(bytes, UINT64_MAX - 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_are_little_endian_at_any_address),
        cmocka_unit_test(test_bytes_outside_are_zero_and_never_read),
        cmocka_unit_test(test_bytes_have_no_offset_whose_end_wraps),
    };

    return cmocka_run_group_tests_name("bytes", tests, NULL, NULL);
}
