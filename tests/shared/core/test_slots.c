/* SPDX-License-Identifier: MIT */
/* Tests slots.c with a region that is not in a file: which slot a key gets. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "region/slots.h"
#include "support/sample_map.h"

enum { QUEUES_OBJECT, WORKERS_OBJECT, CONSUMERS_OBJECT };

static sample_map sample;
static prfdata_model *model;
static prfdata_region_layout *layout;
static uint8_t *bytes;
static prfdata_slots slots; /* the slots of QUEUES */
static uint64_t freed;

static void start(void)
{
    assert_int_equal(prfdata_slots_init(&slots, bytes, &model->objects[QUEUES_OBJECT],
                                        &layout->sections[QUEUES_OBJECT], 0, 1),
                     ERROR_SUCCESS);
}

static void make_region(int32_t slot_count)
{
    sample_map_init(&sample);
    sample.entries[QUEUES].max_instances = slot_count;
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(model, NULL, &layout), ERROR_SUCCESS);
    bytes = calloc(1, (size_t)layout->total_bytes);
    assert_non_null(bytes);
    prfdata_region_format(bytes, model, layout, 1, 1);
    freed = 0;
}

static int begin(void **state)
{
    (void)state;
    make_region(4);
    start();
    return 0;
}

static int end(void **state)
{
    (void)state;
    prfdata_slots_done(&slots);
    free(bytes);
    free(layout);
    prfdata_model_free(model);
    return 0;
}

/* Take over the region, as the next process of the account does. */
static void take_over(void)
{
    prfdata_slots_done(&slots);
    prfdata_region_take_over(bytes, model, layout, 2, &freed, false);
    start();
}

/* Make the key of an ASCII name. Its chars are valid until the call after the next one. */
static prfdata_region_key key_of_slots(const char *name)
{
    static uint16_t chars[2][40];
    static unsigned turn;
    prfdata_region_key key = {0};

    turn = !turn;
    for (; name[key.name_chars]; key.name_chars++)
        chars[turn][key.name_chars] = (uint16_t)(unsigned char)name[key.name_chars];
    key.name = chars[turn];
    key.parent_slot = PRFDATA_NONE;
    return key;
}

static prfdata_region_key key_of_number(int32_t unique_id)
{
    prfdata_region_key key = {0};

    key.unique_id = unique_id;
    key.parent_slot = PRFDATA_NONE;
    return key;
}

static uint32_t find(const char *name)
{
    prfdata_region_key key = key_of_slots(name);

    return prfdata_slots_find(&slots, &key);
}

static uint32_t add(const char *name)
{
    prfdata_region_key key = key_of_slots(name);

    return prfdata_slots_add(&slots, &key);
}

static void remove_name(const char *name)
{
    uint32_t slot_index = find(name);

    assert_int_not_equal(slot_index, PRFDATA_NONE);
    assert_true(prfdata_slots_is_live(&slots, slot_index));
    prfdata_slots_remove(&slots, slot_index, ++freed);
}

static prfdata_region_slot *slot_at(uint32_t slot_index)
{
    return prfdata_region_slot_at(bytes, &layout->sections[QUEUES_OBJECT], slot_index);
}

static uint64_t *cells_at(uint32_t slot_index)
{
    return prfdata_region_cells_at(bytes, &layout->sections[QUEUES_OBJECT], slot_index);
}

/* ---- Choosing a slot ---- */

static void test_slots_find_in_a_fresh_region_finds_nothing(void **state)
{
    (void)state;
    assert_int_equal(find("a"), PRFDATA_NONE);
}

static void test_slots_add_takes_the_lowest_free_slot(void **state)
{
    (void)state;
    assert_int_equal(add("a"), 0);
    assert_int_equal(add("b"), 1);
    assert_int_equal(add("c"), 2);
    assert_int_equal(add("d"), 3);
}

static void test_slots_add_to_a_full_region_gives_none(void **state)
{
    (void)state;
    add("a");
    add("b");
    add("c");
    add("d");
    assert_int_equal(add("e"), PRFDATA_NONE);
    assert_int_equal(find("e"), PRFDATA_NONE);
    assert_int_equal(find("d"), 3);
}

static void test_slots_find_ignores_case_and_nothing_else(void **state)
{
    (void)state;
    add("Name");
    assert_int_equal(find("nAME"), 0);
    assert_int_equal(find("Nam"), PRFDATA_NONE);
    assert_int_equal(find("Name "), PRFDATA_NONE);
}

static void test_slots_remove_leaves_the_name_findable_and_dormant(void **state)
{
    (void)state;
    add("a");
    remove_name("a");
    assert_int_equal(find("a"), 0);
    assert_false(prfdata_slots_is_live(&slots, 0));
}

static void test_slots_add_of_a_dormant_name_revives_it(void **state)
{
    uint32_t generation;

    (void)state;
    add("a");
    add("b");
    cells_at(0)[1] = 7;
    remove_name("a");
    generation = prfdata_slots_generation(&slots, 0);
    assert_int_equal(add("A"), 0);
    assert_true(prfdata_slots_is_live(&slots, 0));
    assert_int_equal(prfdata_slots_generation(&slots, 0), generation + 1);
    assert_int_equal(slot_at(0)->identity, 1);
    /* There is no baseline, because all counts in the slot belong to this name. */
    assert_int_equal(slot_at(0)->flags, 0);
}

static void test_slots_add_prefers_a_free_slot_to_a_dormant_one(void **state)
{
    (void)state;
    add("a");
    remove_name("a");
    assert_int_equal(add("b"), 1);
    assert_int_equal(find("a"), 0);
}

static void test_slots_add_uses_the_oldest_dormant_slot_again(void **state)
{
    (void)state;
    add("a");
    add("b");
    add("c");
    add("d");
    remove_name("c");
    remove_name("a");
    remove_name("d");
    assert_int_equal(add("e"), 2);
    assert_int_equal(find("c"), PRFDATA_NONE);
    assert_int_equal(add("f"), 0);
    assert_int_equal(add("g"), 3);
    assert_int_equal(add("h"), PRFDATA_NONE);
}

static void test_slots_revived_slot_is_the_youngest_when_it_is_removed_again(void **state)
{
    (void)state;
    add("a");
    add("b");
    add("c");
    add("d");
    remove_name("a");
    remove_name("b");
    remove_name("c");
    add("b"); /* takes b from the middle of the list */
    remove_name("b");
    assert_int_equal(add("x"), 0);
    assert_int_equal(add("y"), 2);
    assert_int_equal(add("z"), 1);
}

static void test_slots_used_again_counts_from_its_baseline(void **state)
{
    (void)state;
    add("a");
    add("b");
    add("c");
    add("d");
    cells_at(1)[0] = 5;
    cells_at(1)[1] = 7;
    remove_name("b");
    assert_int_equal(add("e"), 1);
    assert_int_equal(cells_at(1)[0], 0);
    assert_int_equal(cells_at(1)[1], 7);
    assert_int_equal(prfdata_region_baselines_at(bytes, &layout->sections[QUEUES_OBJECT], 1)[1], 7);
    assert_int_equal(slot_at(1)->flags, PRFDATA_SLOT_HAS_BASELINE);
    assert_int_equal(slot_at(1)->identity, 2);
}

static void test_slots_numbers_and_names_are_different_keys(void **state)
{
    prfdata_region_key one = key_of_number(1);
    prfdata_region_key minus_two = key_of_number(-2);

    (void)state;
    assert_int_equal(add("1"), 0);
    assert_int_equal(prfdata_slots_find(&slots, &one), PRFDATA_NONE);
    assert_int_equal(prfdata_slots_add(&slots, &one), 1);
    assert_int_equal(prfdata_slots_add(&slots, &minus_two), 2);
    assert_int_equal(prfdata_slots_find(&slots, &one), 1);
    assert_int_equal(prfdata_slots_find(&slots, &minus_two), 2);
    assert_int_equal(find("1"), 0);
}

static void test_slots_numbers_that_look_like_letters_do_not_fold(void **state)
{
    prfdata_region_key lower = key_of_number('a');
    prfdata_region_key upper = key_of_number('A');

    (void)state;
    assert_int_equal(prfdata_slots_add(&slots, &lower), 0);
    assert_int_equal(prfdata_slots_find(&slots, &upper), PRFDATA_NONE);
}

static void test_slots_parent_is_part_of_the_key(void **state)
{
    prfdata_region_key key = key_of_slots("a");
    prfdata_region_key other = key;

    (void)state;
    key.parent_slot = 2;
    key.parent_identity = 5;
    assert_int_equal(prfdata_slots_add(&slots, &key), 0);
    assert_int_equal(prfdata_slots_find(&slots, &key), 0);
    assert_int_equal(prfdata_slots_find(&slots, &other), PRFDATA_NONE);
    /* Enough keys that some are in the same bucket as the first one. */
    for (uint32_t i = 6; i < 200; i++) {
        other.parent_slot = i;
        other.parent_identity = 5;
        assert_int_equal(prfdata_slots_find(&slots, &other), PRFDATA_NONE);
        other.parent_slot = 2;
        other.parent_identity = i; /* another name has the parent's slot now */
        assert_int_equal(prfdata_slots_find(&slots, &other), PRFDATA_NONE);
    }
}

static void test_slots_without_a_parent_the_parents_identity_means_nothing(void **state)
{
    (void)state;
    add("a");
    slot_at(0)->parent_identity = 9;
    take_over();
    assert_int_equal(find("a"), 0);
}

/* ---- Many ---- */

static prfdata_region_key key_of_index(uint32_t index, uint16_t *chars)
{
    prfdata_region_key key = {0};

    for (uint32_t i = 0; i < 5; i++, index /= 10)
        chars[i] = (uint16_t)('0' + index % 10);
    key.name = chars;
    key.name_chars = 5;
    key.parent_slot = PRFDATA_NONE;
    return key;
}

enum { MANY = 10000 };

static int begin_many(void **state)
{
    (void)state;
    make_region(MANY);
    start();
    return 0;
}

static void add_many(uint32_t first)
{
    uint16_t chars[5];

    for (uint32_t i = 0; i < MANY; i++) {
        prfdata_region_key key = key_of_index(first + i, chars);

        assert_int_equal(prfdata_slots_add(&slots, &key), i);
    }
}

static void test_slots_ten_thousand_are_each_found_removed_and_used_again(void **state)
{
    uint16_t chars[5];

    (void)state;
    add_many(0);
    for (uint32_t i = 0; i < MANY; i++) {
        prfdata_region_key key = key_of_index(i, chars);

        assert_int_equal(prfdata_slots_find(&slots, &key), i);
    }
    for (uint32_t i = 0; i < MANY; i++)
        prfdata_slots_remove(&slots, i, ++freed);
    add_many(MANY); /* other names get the oldest dormant slots first, which here are the lowest */
    for (uint32_t i = 0; i < MANY; i++) {
        prfdata_region_key key = key_of_index(i, chars);

        assert_int_equal(prfdata_slots_find(&slots, &key), PRFDATA_NONE);
    }
}

/* ---- Compared with a list that is searched completely ---- */

enum { NAMES = 12, SLOTS = 4 };

typedef struct plain_slot {
    int name; /* -1: free */
    bool live;
    uint64_t freed;
} plain_slot;

/* Choose a slot by docs/region-format.md, "Adding an instance". */
static uint32_t choose(const plain_slot *plain, int name)
{
    uint32_t oldest = PRFDATA_NONE;

    for (uint32_t i = 0; i < SLOTS; i++)
        if (plain[i].name == name)
            return i;
    for (uint32_t i = 0; i < SLOTS; i++)
        if (plain[i].name == -1)
            return i;
    for (uint32_t i = 0; i < SLOTS; i++)
        if (!plain[i].live && (oldest == PRFDATA_NONE || plain[i].freed < plain[oldest].freed))
            oldest = i;
    return oldest;
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void add_or_remove(plain_slot *plain, int name)
{
    uint32_t chosen = choose(plain, name);
    const char text[] = {(char)('a' + name), 0};

    if (chosen != PRFDATA_NONE && plain[chosen].name == name && plain[chosen].live) {
        remove_name(text);
        plain[chosen].live = false;
        plain[chosen].freed = freed;
        return;
    }
    assert_int_equal(add(text), chosen);
    if (chosen != PRFDATA_NONE) {
        plain[chosen].name = name;
        plain[chosen].live = true;
    }
}

static void sleep_all(plain_slot *plain)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        if (plain[i].live) {
            plain[i].live = false;
            plain[i].freed = ++freed;
        }
}

static void test_slots_any_sequence_chooses_as_the_specification_says(void **state)
{
    plain_slot plain[SLOTS] = {{-1, false, 0}, {-1, false, 0}, {-1, false, 0}, {-1, false, 0}};
    uint32_t seed = 1;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        if (next_random(&seed) % 50 == 0) {
            uint64_t before = freed;

            take_over();
            freed = before;
            sleep_all(plain);
        }
        add_or_remove(plain, (int)(next_random(&seed) % NAMES));
    }
}

/* ---- After a take-over, and with invalid bytes ---- */

static void test_slots_take_over_knows_dormant_names_and_their_ages(void **state)
{
    (void)state;
    add("a");
    add("b");
    add("c");
    remove_name("b");
    take_over(); /* now a and c become dormant, after b */
    assert_int_equal(find("A"), 0);
    assert_false(prfdata_slots_is_live(&slots, 0));
    assert_int_equal(add("x"), 3); /* x gets the free slot */
    assert_int_equal(add("y"), 1); /* y gets b's slot */
    assert_int_equal(add("c"), 2);
    assert_int_equal(add("z"), 0);
}

/* Expect that a dormant slot with an invalid key is used like a free one. */
static void assert_used_as_free(uint32_t slot_index)
{
    take_over();
    assert_int_equal(find("b"), PRFDATA_NONE);
    assert_int_equal(add("new"), slot_index);
    assert_int_equal(find("new"), slot_index);
    assert_int_equal(add("other"), 3);
}

static void add_three(void)
{
    add("a");
    add("b");
    add("c");
}

static void test_slots_R12_name_without_chars_is_used_as_free(void **state)
{
    (void)state;
    add_three();
    slot_at(1)->name_chars = 0;
    assert_used_as_free(1);
}

static void test_slots_R12_name_longer_than_the_map_allows_is_used_as_free(void **state)
{
    (void)state;
    add_three();
    slot_at(1)->name_chars = 41;
    assert_used_as_free(1);
}

static void test_slots_R12_name_of_huge_length_is_used_as_free(void **state)
{
    (void)state;
    add_three();
    slot_at(1)->name_chars = UINT32_MAX;
    assert_used_as_free(1);
}

static void test_slots_R12_number_needs_no_name(void **state)
{
    prfdata_region_key number = key_of_number(9);

    (void)state;
    prfdata_slots_add(&slots, &number);
    slot_at(0)->name_chars = UINT32_MAX;
    take_over();
    assert_int_equal(prfdata_slots_find(&slots, &number), 0);
}

static void test_slots_R13_parent_where_the_map_has_none_is_used_as_free(void **state)
{
    (void)state;
    add_three();
    slot_at(1)->parent_slot = 0;
    assert_used_as_free(1);
}

static void test_slots_R13_parent_beyond_the_parents_slots_is_used_as_free(void **state)
{
    prfdata_region_key key = key_of_slots("x");
    const prfdata_region_section *section = &layout->sections[CONSUMERS_OBJECT];
    prfdata_slots children;

    (void)state;
    for (uint32_t parent_slot = 3; parent_slot <= 4; parent_slot++) {
        prfdata_region_slot *slot = prfdata_region_slot_at(bytes, section, 0);

        key.parent_slot = parent_slot;
        key.parent_identity = 1;
        prfdata_region_slot_assign(bytes, &model->objects[CONSUMERS_OBJECT], section, 0, &key);
        prfdata_region_slot_retire(bytes, section, 0, 1);
        assert_int_equal(prfdata_slots_init(&children, bytes, &model->objects[CONSUMERS_OBJECT],
                                            section, layout->sections[QUEUES_OBJECT].slot_count, 1),
                         ERROR_SUCCESS);
        assert_int_equal(prfdata_slots_find(&children, &key), parent_slot == 3 ? 0 : PRFDATA_NONE);
        assert_int_equal(slot->parent_slot, parent_slot);
        prfdata_slots_done(&children);
    }
}

static void test_slots_two_dormant_slots_of_one_name_are_both_of_use(void **state)
{
    (void)state;
    add_three();
    ((uint16_t *)prfdata_region_name_at(bytes, &layout->sections[QUEUES_OBJECT], 1))[0] = 'A';
    take_over();
    assert_int_not_equal(add("a"), PRFDATA_NONE);
    assert_int_equal(add("x"), 3);
    assert_int_not_equal(add("y"), PRFDATA_NONE);
    assert_int_not_equal(add("z"), PRFDATA_NONE);
    assert_int_equal(add("full"), PRFDATA_NONE);
    remove_name("x");
    remove_name("y");
    remove_name("z");
    remove_name("a");
}

static void test_slots_any_bytes_in_the_slots_do_no_harm(void **state)
{
    uint32_t seed = 7;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        uint8_t *from = (uint8_t *)slot_at(0);

        for (size_t i = 0; i < 4 * 64; i++)
            if (next_random(&seed) % 3 == 0)
                from[i] = (uint8_t)next_random(&seed);
        /* Random lengths are almost always invalid, so set some that are mostly valid. */
        for (uint32_t i = 0; i < 4; i++)
            if (next_random(&seed) % 2 == 0)
                slot_at(i)->name_chars = next_random(&seed) % 42;
        freed = 0;
        take_over();
        for (int i = 0; i < 8; i++) {
            const char name[] = {(char)('a' + next_random(&seed) % 6), 0};
            uint32_t found = find(name);

            if (found != PRFDATA_NONE && prfdata_slots_is_live(&slots, found))
                prfdata_slots_remove(&slots, found, ++freed);
            else
                assert_true(add(name) < 4 || found == PRFDATA_NONE);
        }
    }
}

/* Another program changes the region. It may still have a view of the region, because Windows
 * cannot revoke views. */
static void test_slots_bytes_that_change_under_the_writer_do_no_harm(void **state)
{
    uint32_t seed = 11;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        const char name[] = {(char)('a' + next_random(&seed) % 6), 0};
        uint32_t found = find(name);

        assert_true(found < 4 || found == PRFDATA_NONE);
        if (found != PRFDATA_NONE && prfdata_slots_is_live(&slots, found))
            prfdata_slots_remove(&slots, found, ++freed);
        else
            assert_true(add(name) < 4 || found == PRFDATA_NONE);
        ((uint8_t *)slot_at(0))[next_random(&seed) % (4 * 64)] = (uint8_t)next_random(&seed);
        if (next_random(&seed) % 4 == 0)
            slot_at(next_random(&seed) % 4)->name_chars = next_random(&seed) << 8;
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_slots_find_in_a_fresh_region_finds_nothing),
        TEST(test_slots_add_takes_the_lowest_free_slot),
        TEST(test_slots_add_to_a_full_region_gives_none),
        TEST(test_slots_find_ignores_case_and_nothing_else),
        TEST(test_slots_remove_leaves_the_name_findable_and_dormant),
        TEST(test_slots_add_of_a_dormant_name_revives_it),
        TEST(test_slots_add_prefers_a_free_slot_to_a_dormant_one),
        TEST(test_slots_add_uses_the_oldest_dormant_slot_again),
        TEST(test_slots_revived_slot_is_the_youngest_when_it_is_removed_again),
        TEST(test_slots_used_again_counts_from_its_baseline),
        TEST(test_slots_numbers_and_names_are_different_keys),
        TEST(test_slots_numbers_that_look_like_letters_do_not_fold),
        TEST(test_slots_parent_is_part_of_the_key),
        TEST(test_slots_without_a_parent_the_parents_identity_means_nothing),
        cmocka_unit_test_setup_teardown(
            test_slots_ten_thousand_are_each_found_removed_and_used_again, begin_many, end),
        TEST(test_slots_any_sequence_chooses_as_the_specification_says),
        TEST(test_slots_take_over_knows_dormant_names_and_their_ages),
        TEST(test_slots_R12_name_without_chars_is_used_as_free),
        TEST(test_slots_R12_name_longer_than_the_map_allows_is_used_as_free),
        TEST(test_slots_R12_name_of_huge_length_is_used_as_free),
        TEST(test_slots_R12_number_needs_no_name),
        TEST(test_slots_R13_parent_where_the_map_has_none_is_used_as_free),
        TEST(test_slots_R13_parent_beyond_the_parents_slots_is_used_as_free),
        TEST(test_slots_two_dormant_slots_of_one_name_are_both_of_use),
        TEST(test_slots_any_bytes_in_the_slots_do_no_harm),
        TEST(test_slots_bytes_that_change_under_the_writer_do_no_harm),
    };

    return cmocka_run_group_tests_name("slots", tests, NULL, NULL);
}
