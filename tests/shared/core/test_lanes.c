/* SPDX-License-Identifier: MIT */
/* Tests lanes in a region against docs/region-format.md: the offset of each word, which this file
 * computes itself, and the value of a slot with hot counters after each step of the writer. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "region/region.h"
#include "support/region_bytes.h"
#include "support/sample_map.h"

enum { QUEUES_OBJECT, WORKERS_OBJECT, CONSUMERS_OBJECT, OBJECTS };
enum { DEPTH_CELL, JOBS_CELL, JOB_TIME_CELL, JOB_TIME_BASE_CELL };

/* The hot counters are the jobs, and a mean time with its base. The mean time has the number 0, its
 * base 1, and the jobs 2. Each slot has 4 words, because 3 is rounded up to an even number. */
enum { JOBS_HOT = 2, WORDS = 4, SLOTS = 9 };

/* By docs/region-format.md, a block has 16 words, and 33 lanes of 128 bytes. */
enum { LANES = 33, LANE_BYTES = 128, BLOCK_BYTES = 4224 };

static const uint32_t slot_counts[OBJECTS] = {SLOTS, 1, 2};
static const uint64_t boot = 0x1122334455667788;

static sample_map sample;

static const prfdata_model_object *queues(void)
{
    return &model->objects[QUEUES_OBJECT];
}

static const prfdata_region_section *section(void)
{
    return &layout->sections[QUEUES_OBJECT];
}

static int begin(void **state)
{
    (void)state;
    sample_map_init(&sample);
    sample_map_insert_option(&sample, JOB_TIME_BASE, PRFDATA_OPTION_HOT, 0);
    sample_map_insert_option(&sample, JOBS + 1, PRFDATA_OPTION_HOT, 0);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(model, slot_counts, &layout), ERROR_SUCCESS);
    bytes = calloc(1, (size_t)layout->total_bytes);
    assert_non_null(bytes);
    prfdata_region_format(bytes, model, layout, boot, 1000);
    return 0;
}

static uint64_t *word_at(uint64_t offset)
{
    return (uint64_t *)(void *)(bytes + offset);
}

/* Return the offset of a word by the rule of docs/region-format.md. */
static uint64_t offset_of(uint32_t slot, uint32_t hot, uint32_t lane)
{
    const uint32_t word = slot * WORDS + hot;

    return section()->lanes_offset + word / 16 * BLOCK_BYTES + lane * LANE_BYTES + word % 16 * 8;
}

static void add_to_lane(uint32_t slot, uint32_t hot, uint32_t lane, uint64_t amount)
{
    *word_at(offset_of(slot, hot, lane)) += amount;
}

static void assert_value(uint32_t slot, uint32_t cell, uint64_t value)
{
    uint64_t cells[8];

    assert_int_equal(section()->cell_stride, sizeof cells);
    prfdata_region_load_cells(cells, bytes, queues(), section(), slot);
    assert_int_equal(cells[cell], value);
}

static uint64_t baseline(uint32_t slot, uint32_t cell)
{
    return prfdata_region_baselines_at(bytes, section(), slot)[cell];
}

static uint32_t flags_of(uint32_t slot)
{
    return prfdata_region_slot_at(bytes, section(), slot)->flags;
}

static void assign_slot(uint32_t slot, uint16_t letter)
{
    const prfdata_region_key key = {&letter, 1, 0, PRFDATA_NONE, 0};

    prfdata_region_slot_assign(bytes, queues(), section(), slot, &key);
}

static void test_lanes_follow_the_cells_at_a_pair_of_lines(void **state)
{
    const uint64_t end_of_cells = section()->cells_offset + SLOTS * 64;

    (void)state;
    assert_int_equal(section()->lane_words, WORDS);
    assert_int_equal(section()->lanes_offset, (end_of_cells + 127) / 128 * 128);
    assert_int_equal(layout->sections[WORKERS_OBJECT].cells_offset,
                     section()->lanes_offset + 3 * BLOCK_BYTES); /* 36 words need 3 blocks */
    assert_int_equal(layout->sections[WORKERS_OBJECT].lane_words, 0);
    assert_int_equal(layout->sections[WORKERS_OBJECT].lanes_offset,
                     layout->sections[WORKERS_OBJECT].cells_offset + 64);
    assert_int_equal(layout->sections[CONSUMERS_OBJECT].slots_offset,
                     layout->sections[WORKERS_OBJECT].lanes_offset);
}

static void test_lanes_of_every_slot_count_begin_at_a_pair_of_lines(void **state)
{
    uint32_t unaligned = 0;

    (void)state;
    for (uint32_t slots = 1; slots <= 16; slots++) {
        const uint32_t counts[] = {slots, 1, 2};
        prfdata_region_layout *made;
        uint64_t end_of_cells;

        assert_int_equal(prfdata_region_layout_make(model, counts, &made), ERROR_SUCCESS);
        end_of_cells = made->sections[0].cells_offset + (uint64_t)slots * 64;
        unaligned += end_of_cells % 128 != 0;
        assert_int_equal(made->sections[0].lanes_offset % 128, 0);
        assert_in_range(made->sections[0].lanes_offset, end_of_cells, end_of_cells + 64);
        free(made);
    }
    assert_true(unaligned > 0);
}

static void test_lanes_lie_where_the_page_says(void **state)
{
    (void)state;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        for (uint32_t hot = 0; hot < 3; hot++)
            assert_int_equal((uint8_t *)prfdata_region_lanes_at(bytes, section(), slot, hot) -
                                 bytes,
                             offset_of(slot, hot, 0));
    assert_int_equal(PRFDATA_LANES, LANES);
    assert_int_equal(PRFDATA_LANES_STRIDE, LANE_BYTES);
}

/* A value and its base are on the same cache line and in the same block. */
static void test_lanes_of_a_pair_are_in_16_bytes(void **state)
{
    (void)state;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        assert_int_equal(offset_of(slot, 0, 0) % 16, 0);
        assert_int_equal(offset_of(slot, 1, 0), offset_of(slot, 0, 0) + 8);
    }
}

static void test_lanes_single_hot_counter_has_no_gaps(void **state)
{
    const uint32_t one_hot[] = {16, 1, 2};
    prfdata_region_layout *made;

    (void)state;
    sample_map_init(&sample);
    sample_map_insert_option(&sample, JOBS + 1, PRFDATA_OPTION_HOT, 0);
    prfdata_model_free(model);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(model, one_hot, &made), ERROR_SUCCESS);
    assert_int_equal(made->sections[0].lane_words, 1);
    assert_int_equal(made->sections[1].cells_offset - made->sections[0].lanes_offset, BLOCK_BYTES);
    free(made);
}

static void test_lanes_every_lane_of_every_word_counts_for_its_cell(void **state)
{
    static const uint32_t cells[] = {JOB_TIME_CELL, JOB_TIME_BASE_CELL, JOBS_CELL};

    (void)state;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        for (uint32_t hot = 0; hot < 3; hot++) {
            uint64_t sum = 0;

            for (uint32_t lane = 0; lane < LANES; lane++) {
                add_to_lane(slot, hot, lane, 1u << slot);
                sum += 1u << slot;
                assert_value(slot, cells[hot], sum);
            }
            prfdata_region_cells_at(bytes, section(), slot)[cells[hot]] = 1000;
            assert_value(slot, cells[hot], sum + 1000);
            assert_value(slot, DEPTH_CELL, 0);
        }
}

static void test_lanes_wrap_like_cells(void **state)
{
    (void)state;
    add_to_lane(0, JOBS_HOT, 0, UINT64_MAX);
    add_to_lane(0, JOBS_HOT, 32, 3);
    assert_value(0, JOBS_CELL, 2);
}

/* A slot has one baseline for each cell: the sum of the cell and its lanes. */
static void test_lanes_count_in_the_baseline_of_the_next_name(void **state)
{
    (void)state;
    assign_slot(2, 'a');
    assert_int_equal(flags_of(2) & PRFDATA_SLOT_HAS_BASELINE, 0);
    for (uint32_t lane = 0; lane < LANES; lane++)
        add_to_lane(2, JOBS_HOT, lane, lane);
    add_to_lane(2, 1, 32, 7);
    prfdata_region_cells_at(bytes, section(), 2)[JOBS_CELL] = 5;
    prfdata_region_slot_retire(bytes, section(), 2, 1);
    assign_slot(2, 'b');
    assert_int_equal(flags_of(2) & PRFDATA_SLOT_HAS_BASELINE, PRFDATA_SLOT_HAS_BASELINE);
    assert_int_equal(baseline(2, JOBS_CELL), 5 + 32 * 33 / 2);
    assert_int_equal(baseline(2, JOB_TIME_BASE_CELL), 7);
    assert_int_equal(baseline(2, JOB_TIME_CELL), 0);
    assert_value(2, JOBS_CELL, 5 + 32 * 33 / 2);
}

static void test_lanes_each_makes_a_baseline(void **state)
{
    (void)state;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        region_bytes_end(NULL);
        begin(NULL);
        add_to_lane(0, JOBS_HOT, lane, 1);
        assign_slot(0, 'a');
        assert_int_equal(flags_of(0) & PRFDATA_SLOT_HAS_BASELINE, PRFDATA_SLOT_HAS_BASELINE);
        assert_int_equal(baseline(0, JOBS_CELL), 1);
    }
}

static void test_lanes_are_never_reset(void **state)
{
    uint64_t size = 3 * BLOCK_BYTES;
    uint8_t *before = malloc((size_t)size);
    uint64_t freed = 1;

    (void)state;
    assert_non_null(before);
    for (uint64_t i = 0; i < size; i += 8)
        *word_at(section()->lanes_offset + i) = i + 1;
    memcpy(before, bytes + section()->lanes_offset, (size_t)size);
    assign_slot(0, 'a');
    prfdata_region_slot_retire(bytes, section(), 0, freed);
    prfdata_region_slot_revive(bytes, queues(), section(), 0);
    prfdata_region_take_over(bytes, model, layout, 2000, &freed, false);
    assign_slot(0, 'b');
    prfdata_region_hide(bytes);
    assert_memory_equal(before, bytes + section()->lanes_offset, (size_t)size);
    free(before);
}

static void test_lanes_are_part_of_the_files_size(void **state)
{
    prfdata_region_header header;
    prfdata_region_layout *found = NULL;

    (void)state;
    assert_int_equal(prfdata_region_check(bytes, layout->total_bytes, model, boot, &header, &found),
                     PRFDATA_REGION_VALID);
    assert_int_equal(found->sections[0].lanes_offset, section()->lanes_offset);
    free(found);
    assert_int_equal(prfdata_region_check(bytes, layout->total_bytes - BLOCK_BYTES, model, boot,
                                          &header, &found),
                     PRFDATA_REGION_DAMAGED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, region_bytes_end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_lanes_follow_the_cells_at_a_pair_of_lines),
        TEST(test_lanes_of_every_slot_count_begin_at_a_pair_of_lines),
        TEST(test_lanes_lie_where_the_page_says),
        TEST(test_lanes_of_a_pair_are_in_16_bytes),
        TEST(test_lanes_single_hot_counter_has_no_gaps),
        TEST(test_lanes_every_lane_of_every_word_counts_for_its_cell),
        TEST(test_lanes_wrap_like_cells),
        TEST(test_lanes_count_in_the_baseline_of_the_next_name),
        TEST(test_lanes_each_makes_a_baseline),
        TEST(test_lanes_are_never_reset),
        TEST(test_lanes_are_part_of_the_files_size),
    };

    return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
