/* SPDX-License-Identifier: MIT */
/* Tests map_tree.c: which line belongs to which other line, in valid and invalid maps. Also tests
 * the check of a map when memory is exhausted. */
#include <stdbool.h>
#include <stdlib.h>

#include "check/map_check.h"
#include "support/sample_map.h"
#include "support/test.h"

static sample_map sample;
static prfdata_map_tree *tree;

#ifdef TEST_WITHOUT_MEMORY
/* __wrap_calloc(), with which the linker replaces calloc(), fails while this is set. */
static bool is_memory_exhausted;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    return is_memory_exhausted ? NULL : __real_calloc(count, size);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */
#endif

static int begin(void **state)
{
    (void)state;
    tree = NULL;
    sample_map_init(&sample);
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(tree);
    return 0;
}

static void nest(void)
{
    free(tree);
    assert_int_equal(prfdata_map_tree_make(&sample.map, &tree), ERROR_SUCCESS);
    assert_ptr_equal(tree->map, &sample.map);
}

static void assert_node(const prfdata_map_node *node, uint32_t index, uint32_t options)
{
    assert_int_equal(node->index, index);
    assert_ptr_equal(node->entry, &sample.entries[index]);
    assert_int_equal(node->options, options);
}

static void test_map_tree_nests_counters_and_options(void **state)
{
    (void)state;
    nest();
    assert_int_equal(tree->object_count, 3);
    assert_int_equal(tree->counter_count, 6);
    assert_node(&tree->objects[0], QUEUES, PRFDATA_OPTION_TOTAL);
    assert_node(&tree->objects[1], WORKERS, PRFDATA_OPTION_COSTLY);
    assert_node(&tree->objects[2], CONSUMERS, PRFDATA_OPTION_PARENT);
    assert_int_equal(tree->objects[0].counter_count, 4);
    assert_int_equal(tree->objects[1].counter_count, 1);
    assert_int_equal(tree->objects[2].counter_count, 1);
    assert_node(&tree->objects[0].counters[0], DEPTH, PRFDATA_OPTION_MERGE_MAX);
    assert_node(&tree->objects[0].counters[1], JOBS, 0);
    assert_node(&tree->objects[0].counters[2], JOB_TIME, 0);
    assert_node(&tree->objects[0].counters[3], JOB_TIME_BASE, 0);
    assert_node(&tree->objects[1].counters[0], BUSY, 0);
    assert_node(&tree->objects[2].counters[0], TAKEN, 0);
}

static void test_map_tree_has_the_parents_id(void **state)
{
    (void)state;
    nest();
    assert_int_equal(tree->objects[0].parent_id, 0);
    assert_int_equal(tree->objects[2].parent_id, sample.entries[CONSUMERS_PARENT].id);
    assert_int_equal(tree->objects[2].parent_id, sample.entries[QUEUES].id);
}

static void test_map_tree_base_follows_with_options_between(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, JOB_TIME_BASE, PRFDATA_OPTION_ACCUMULATING, 0);
    nest();
    assert_false(tree->objects[0].counters[1].has_base);
    assert_true(tree->objects[0].counters[2].has_base);
    assert_false(tree->objects[0].counters[3].has_base);
}

static void test_map_tree_line_between_parts_fraction_and_base(void **state)
{
    (void)state;
    sample_map_insert(&sample, JOB_TIME_BASE, &sample.entries[JOBS]);
    nest();
    assert_false(tree->objects[0].counters[2].has_base);
    sample.entries[JOB_TIME_BASE].kind = 99;
    nest();
    assert_int_equal(tree->objects[0].counter_count, 4);
    assert_false(tree->objects[0].counters[2].has_base);
}

static void test_map_tree_object_parts_fraction_and_base(void **state)
{
    const prfdata_map_entry object = sample.entries[WORKERS];

    (void)state;
    sample_map_insert(&sample, JOB_TIME_BASE, &object);
    nest();
    assert_int_equal(tree->objects[0].counter_count, 3);
    assert_false(tree->objects[0].counters[2].has_base);
    assert_int_equal(tree->objects[1].counter_count, 1);
}

static void test_map_tree_counters_before_any_object_are_of_none(void **state)
{
    const prfdata_map_entry counter = sample.entries[JOBS];

    (void)state;
    sample_map_insert(&sample, QUEUES, &counter);
    nest();
    assert_int_equal(tree->counter_count, 7);
    assert_node(&tree->counters[0], 0, 0);
    assert_ptr_equal(tree->objects[0].counters, &tree->counters[1]);
    assert_int_equal(tree->objects[0].counter_count, 4);
}

static void test_map_tree_options_of_nothing_are_dropped(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, JOB_TIME, PRFDATA_OPTION_ACCUMULATING, 0);
    sample_map_insert(&sample, JOB_TIME, &sample.entries[JOBS]);
    sample.entries[JOB_TIME].kind = 99; /* now the option belongs to an unknown line */
    sample_map_insert_option(&sample, 0, PRFDATA_OPTION_PER_PROCESS, 0);
    nest();
    assert_int_equal(tree->objects[0].options, PRFDATA_OPTION_TOTAL);
    assert_int_equal(tree->objects[0].counters[1].options, 0);
}

static void test_map_tree_name_chars_have_room_for_the_process(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, QUEUES_TOTAL, PRFDATA_OPTION_PER_PROCESS, 0);
    nest();
    assert_int_equal(prfdata_map_tree_name_chars(&tree->objects[0]),
                     sample.entries[QUEUES].max_name_chars + 11);
    assert_int_equal(prfdata_map_tree_name_chars(&tree->objects[1]), 0);
    sample.entries[QUEUES].max_name_chars = UINT32_MAX;
    assert_true(prfdata_map_tree_name_chars(&tree->objects[0]) == 0x10000000Aull);
}

static void test_map_tree_of_no_lines_is_empty(void **state)
{
    (void)state;
    sample.map.entry_count = 0;
    nest();
    assert_int_equal(tree->object_count, 0);
    assert_int_equal(tree->counter_count, 0);
}

static void test_map_tree_only_right_maps_are_checked_and_nested(void **state)
{
    (void)state;
    sample.map.service = "";
    assert_int_equal(prfdata_map_check_nest(&sample.map, &tree), ERROR_INVALID_PARAMETER);
    assert_null(tree);
    assert_int_equal(prfdata_map_check_nest(NULL, &tree), ERROR_INVALID_PARAMETER);
    sample_map_init(&sample);
    assert_int_equal(prfdata_map_check_nest(&sample.map, &tree), ERROR_SUCCESS);
    assert_int_equal(tree->object_count, 3);
}

#ifdef TEST_WITHOUT_MEMORY
static void test_map_tree_check_without_memory_says_so(void **state)
{
    prfdata_map_mistake mistake;
    uint32_t status;
    size_t count;

    (void)state;
    is_memory_exhausted = true;
    count = prfdata_map_check(&sample.map, &mistake, 1);
    status = prfdata_map_check_nest(&sample.map, &tree);
    is_memory_exhausted = false;
    assert_int_equal(status, ERROR_NOT_ENOUGH_MEMORY);
    assert_int_equal(count, 1);
    assert_int_equal(mistake.rule, PRFDATA_MAP_RULE_NO_MEMORY);
    assert_int_equal(mistake.entry_index, sample.map.entry_count);
    assert_null(tree);
}
#endif

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_map_tree_nests_counters_and_options),
        TEST(test_map_tree_has_the_parents_id),
        TEST(test_map_tree_base_follows_with_options_between),
        TEST(test_map_tree_line_between_parts_fraction_and_base),
        TEST(test_map_tree_object_parts_fraction_and_base),
        TEST(test_map_tree_counters_before_any_object_are_of_none),
        TEST(test_map_tree_options_of_nothing_are_dropped),
        TEST(test_map_tree_name_chars_have_room_for_the_process),
        TEST(test_map_tree_of_no_lines_is_empty),
        TEST(test_map_tree_only_right_maps_are_checked_and_nested),
#ifdef TEST_WITHOUT_MEMORY
        TEST(test_map_tree_check_without_memory_says_so),
#endif
    };

    return cmocka_run_group_tests_name("map_tree", tests, NULL, NULL);
}
