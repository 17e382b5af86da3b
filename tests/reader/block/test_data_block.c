/* SPDX-License-Identifier: MIT */
/* Tests that blocks of one computer can be joined. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "block/data_block.h"
#include "block/sample.h"
#include "support/reader/wire.h"

static void put_block(wire *w, const uint32_t *titles, uint32_t count)
{
    wire_begin(w, count);
    for (uint32_t i = 0; i < count; i++) {
        const size_t object = wire_object(w, titles[i], 1, -1, 0);

        wire_counter(w, titles[i] + 2, 0x00010000, 4, 4);
        wire_value32(w, titles[i]);
        wire_object_end(w, object);
    }
    wire_end(w);
}

static uint32_t add_block(prfdata_data_blocks *blocks, const wire *w, size_t size)
{
    void *copy = malloc(size + 1);

    assert_non_null(copy);
    memcpy(copy, w->bytes, size);
    return prfdata_data_blocks_add(blocks, copy, size);
}

static void assert_has_objects(prfdata_data_blocks *blocks, const uint32_t *titles, uint32_t count)
{
    prfdata_sample *sample = NULL;
    size_t size;
    void *bytes = prfdata_data_blocks_take(blocks, &size);

    assert_null(blocks->bytes);
    assert_int_equal(prfdata_sample_make(bytes, size, &sample), ERROR_SUCCESS);
    assert_int_equal(sample->damage_count, 0);
    assert_int_equal(sample->object_count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(sample->objects[i].wire.header.object_name_title_index, titles[i]);
    prfdata_sample_free(sample);
}

static void test_data_block_gets_the_objects_that_it_lacks(void **state)
{
    static const uint32_t first[] = {100, 200};
    static const uint32_t more[] = {300, 200, 400};
    static const uint32_t all[] = {100, 200, 300, 400};
    static wire a;
    static wire b;
    prfdata_data_blocks blocks = {0};

    (void)state;
    put_block(&a, first, 2);
    put_block(&b, more, 3);
    assert_int_equal(add_block(&blocks, &a, a.used), ERROR_SUCCESS);
    assert_int_equal(add_block(&blocks, &b, b.used), ERROR_SUCCESS);
    assert_int_equal(add_block(&blocks, &a, a.used), ERROR_SUCCESS);
    assert_has_objects(&blocks, all, 4);
}

static void test_data_block_without_objects_is_added_to(void **state)
{
    static const uint32_t more[] = {300};
    static wire a;
    static wire b;
    prfdata_data_blocks blocks = {0};

    (void)state;
    put_block(&a, more, 0);
    put_block(&b, more, 1);
    assert_int_equal(add_block(&blocks, &a, a.used), ERROR_SUCCESS);
    assert_int_equal(add_block(&blocks, &a, a.used), ERROR_SUCCESS);
    assert_int_equal(add_block(&blocks, &b, b.used), ERROR_SUCCESS);
    assert_has_objects(&blocks, more, 1);
}

/* Damage in the appended block is also found in the joined block. Bytes that are not a block are
 * refused. */
static void test_data_block_keeps_damage_and_refuses_nonsense(void **state)
{
    static const uint32_t first[] = {100};
    static const uint32_t more[] = {300, 400};
    static wire a;
    static wire b;
    prfdata_data_blocks blocks = {0};
    prfdata_sample *sample = NULL;
    size_t size = 0;
    void *bytes;

    (void)state;
    put_block(&a, first, 1);
    put_block(&b, more, 2);
    wire_patch32(&b, 96, 1u << 20); /* the length of the first object */
    assert_int_equal(add_block(&blocks, &a, a.used), ERROR_SUCCESS);
    for (size_t cut = 0; cut < b.used; cut += 40)
        assert_int_equal(add_block(&blocks, &b, cut), ERROR_INVALID_DATA);
    assert_int_equal(blocks.size, a.used);
    assert_int_equal(add_block(&blocks, &b, b.used), ERROR_SUCCESS);
    assert_int_equal(blocks.size, a.used + b.used - 96);
    bytes = prfdata_data_blocks_take(&blocks, &size);
    assert_int_equal(prfdata_sample_make(bytes, size, &sample), ERROR_SUCCESS);
    assert_true(sample->damage_count > 0);
    assert_int_equal(sample->objects[0].wire.header.object_name_title_index, 100);
    prfdata_sample_free(sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data_block_gets_the_objects_that_it_lacks),
        cmocka_unit_test(test_data_block_without_objects_is_added_to),
        cmocka_unit_test(test_data_block_keeps_damage_and_refuses_nonsense),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
