/* SPDX-License-Identifier: MIT */
/* Tests distributions in a region: where they are, how many may be there, and the steps of a
 * writer. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "region/region.h"
#include "support/region_bytes.h"

enum { PORT_ID = 1, TIME_ID, P50_ID, COUNT_ID, SIZE_ID };

PRFDATA_MAP_BEGIN_AS(ports_map)
PRFDATA_MAP_OBJ(PORT_ID, L"Ports", L"P.", PERF_DETAIL_NOVICE, P50_ID, 1000, 20)
PRFDATA_MAP_DISTRIBUTION(TIME_ID, PRFDATA_UNIT_100NS, 10, 1000000000)
PRFDATA_MAP_DISTRIBUTION(SIZE_ID, PRFDATA_UNIT_BYTES, 1, 100)
PRFDATA_MAP_CTR(P50_ID, L"p50", L"p.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_PERCENTILE(TIME_ID, 5000)
PRFDATA_MAP_CTR(COUNT_ID, L"n", L"n.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_COUNT(TIME_ID)
PRFDATA_MAP_END_AS(ports_map, "Svc")

static uint64_t freed;

static int begin(void **state)
{
    const uint32_t slot_count = 3;

    (void)state;
    assert_int_equal(prfdata_model_make(&ports_map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(model, &slot_count, &layout), ERROR_SUCCESS);
    bytes = calloc(1, (size_t)layout->total_bytes);
    assert_non_null(bytes);
    prfdata_region_format(bytes, model, layout, 1, 1);
    freed = 0;
    return 0;
}

static const prfdata_model_distribution *declared(uint32_t index)
{
    return &model->objects[0].distributions[index];
}

static uint64_t *words_of(uint32_t slot, uint32_t index)
{
    return prfdata_region_distribution_at(bytes, &layout->sections[0], slot, declared(index));
}

static void assign(uint32_t slot, const char *name)
{
    uint16_t chars[8];
    prfdata_region_key key = {chars, (uint32_t)strlen(name), 0, PRFDATA_NONE, 0};

    for (uint32_t i = 0; i < key.name_chars; i++)
        chars[i] = (uint16_t)name[i];
    prfdata_region_slot_assign(bytes, &model->objects[0], &layout->sections[0], slot, &key);
}

static void test_region_distributions_lie_after_the_cells(void **state)
{
    const prfdata_region_section *section = &layout->sections[0];
    const uint64_t stride = prfdata_distribution_bytes(&declared(0)->shape) +
                            prfdata_distribution_bytes(&declared(1)->shape);

    (void)state;
    assert_int_equal(section->distributions_offset,
                     section->cells_offset + 3ull * section->cell_stride);
    /* There are two cells, because windows are not stored in cells. */
    assert_int_equal(section->cell_stride, 64);
    assert_int_equal(section->distributions_stride, stride);
    assert_int_equal(layout->total_bytes, section->distributions_offset + 3 * stride);
    assert_ptr_equal(words_of(2, 1), bytes + section->distributions_offset + 2 * stride +
                                         prfdata_distribution_bytes(&declared(0)->shape));
}

static void test_region_distributions_R7_bounds_their_memory(void **state)
{
    uint32_t slot_count = PRFDATA_MAX_DISTRIBUTIONS_BYTES / model->objects[0].distributions_bytes;
    prfdata_region_layout *made;

    (void)state;
    assert_int_equal(prfdata_region_layout_make(model, &slot_count, &made), ERROR_SUCCESS);
    free(made);
    slot_count++;
    assert_int_equal(prfdata_region_layout_make(model, &slot_count, &made), ERROR_INVALID_DATA);
}

static void test_region_distributions_A2_keeps_what_the_slot_counted(void **state)
{
    const uint64_t *baselines;

    (void)state;
    assign(1, "a");
    baselines = prfdata_region_baselines_at(bytes, &layout->sections[0], 1);
    assert_int_equal(baselines[1], 0);
    assert_int_equal(prfdata_region_slot_at(bytes, &layout->sections[0], 1)->flags, 0);
    /* No counter shows this value. */
    prfdata_distribution_add(words_of(1, 1), &declared(1)->shape, 100, 7);
    prfdata_region_slot_retire(bytes, &layout->sections[0], 1, ++freed);
    assign(1, "b");
    assert_int_equal(prfdata_region_slot_at(bytes, &layout->sections[0], 1)->flags,
                     PRFDATA_SLOT_HAS_BASELINE);
    assert_int_equal(baselines[1], 0);
    for (int i = 0; i < 5; i++)
        prfdata_distribution_add(words_of(1, 0), &declared(0)->shape, 100, 700);
    prfdata_region_slot_retire(bytes, &layout->sections[0], 1, ++freed);
    assign(1, "c");
    assert_int_equal(baselines[1], 5);
    assert_int_equal(
        prfdata_distribution_count(words_of(1, 0), declared(0)->shape.bucket_count - 1), 5);
}

static void test_region_distributions_take_over_finishes_a_dead_process_copies(void **state)
{
    const uint64_t busy = (uint64_t)100 << 32 | 1;

    (void)state;
    for (int is_own = 0; is_own < 2; is_own++) {
        words_of(2, 1)[PRFDATA_DISTRIBUTION_EPOCH] = busy;
        prfdata_region_take_over(bytes, model, layout, 2, &freed, is_own == 1);
        assert_int_equal(words_of(2, 1)[PRFDATA_DISTRIBUTION_EPOCH], busy - !is_own);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, region_bytes_end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_region_distributions_lie_after_the_cells),
        TEST(test_region_distributions_R7_bounds_their_memory),
        TEST(test_region_distributions_A2_keeps_what_the_slot_counted),
        TEST(test_region_distributions_take_over_finishes_a_dead_process_copies),
    };

    return cmocka_run_group_tests_name("region_distributions", tests, NULL, NULL);
}
