/* SPDX-License-Identifier: MIT */
/* Tests which new title corresponds to each old title after an installation, and that older blocks
 * are read with the new titles. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>
#include <prfdata/perf_types.h>

#include "block/title_moves.h"
#include "support/reader/ascii_text.h"
#include "support/reader/wire_sample.h"

typedef struct named {
    uint32_t index;
    const char *name;
} named;

static prfdata_titles titles_of(const named *names, size_t count)
{
    prfdata_titles titles = {0};

    for (size_t i = 0; i < count; i++) {
        uint16_t chars[40];

        assert_int_equal(prfdata_name_table_add(&titles.english, names[i].index,
                                                ascii_text(names[i].name, chars)),
                         ERROR_SUCCESS);
    }
    return titles;
}

#define TITLES(...)                                                                                \
    titles_of((const named[]){__VA_ARGS__}, sizeof((named[]){__VA_ARGS__}) / sizeof(named))

static void add_id(prfdata_titles *titles, uint32_t index, uint64_t key)
{
    assert_int_equal(prfdata_title_ids_add(&titles->ids, index, key), ERROR_SUCCESS);
}

static prfdata_title_moves moves_of(const prfdata_titles *before, prfdata_titles *now)
{
    prfdata_title_moves moves;

    assert_int_equal(prfdata_title_moves_find(&moves, before, now), ERROR_SUCCESS);
    return moves;
}

static void test_title_moves_leave_what_stays(void **state)
{
    prfdata_titles before = TITLES({2, "System"}, {4, "Memory"}, {300, "Shop"}, {302, "Depth"});
    prfdata_titles now = TITLES({2, "System"}, {4, "Memory"}, {300, "Shop"}, {302, "Depth"},
                                {304, "Other"}, {306, "Depth"});
    prfdata_title_moves moves = moves_of(&before, &now);

    (void)state;
    assert_int_equal(prfdata_title_moves_to(&moves, 2), 2);
    assert_int_equal(prfdata_title_moves_to(&moves, 300), 300);
    assert_int_equal(prfdata_title_moves_to(&moves, 302), 302);
    assert_int_equal(prfdata_title_moves_to(&moves, 500), 500); /* 500 belongs to no product */
    /* 304 belonged to no product before the installation. */
    assert_true(prfdata_title_is_gone(prfdata_title_moves_to(&moves, 304)));
    assert_int_equal(now.former.count, 0);
    prfdata_title_moves_free(&moves);
    prfdata_titles_free(&before);
    prfdata_titles_free(&now);
}

/* A name that several products share belongs to the product whose title precedes it. */
static void test_title_moves_follow_the_title_before(void **state)
{
    prfdata_titles before =
        TITLES({300, "Shop"}, {302, "Errors"}, {304, "Depth"}, {306, "Bank"}, {308, "Errors"});
    prfdata_titles now =
        TITLES({300, "Bank"}, {302, "Errors"}, {304, "Shop"}, {306, "Errors"}, {308, "Depth"});
    prfdata_title_moves moves = moves_of(&before, &now);

    (void)state;
    assert_int_equal(prfdata_title_moves_to(&moves, 300), 304);
    assert_int_equal(prfdata_title_moves_to(&moves, 302), 306);
    assert_int_equal(prfdata_title_moves_to(&moves, 304), 308);
    assert_int_equal(prfdata_title_moves_to(&moves, 306), 300);
    assert_int_equal(prfdata_title_moves_to(&moves, 308), 302);
    prfdata_title_moves_free(&moves);
    prfdata_titles_free(&before);
    prfdata_titles_free(&now);
}

static void test_title_moves_take_no_name_of_another_product(void **state)
{
    prfdata_titles before = TITLES({2, "System"}, {300, "Shop"}, {302, "Errors"}, {304, "Depth"});
    prfdata_titles now = TITLES({2, "System"}, {400, "Bank"}, {402, "Errors"}, {404, "Rate"});
    prfdata_title_moves moves = moves_of(&before, &now);

    (void)state;
    for (uint32_t index = 300; index <= 304; index += 2)
        assert_true(prfdata_title_is_gone(prfdata_title_moves_to(&moves, index)));
    prfdata_title_moves_free(&moves);
    prfdata_titles_free(&before);
    prfdata_titles_free(&now);
}

/* Removed titles get indexes of their own. If two products are removed one after the other, all of
 * these indexes differ. */
static void test_title_moves_give_no_index_twice(void **state)
{
    prfdata_titles both = TITLES({2000, "Shop"}, {2002, "Depth"}, {4000, "Bank"}, {4002, "Rate"});
    prfdata_titles bank = TITLES({4000, "Bank"}, {4002, "Rate"});
    prfdata_titles none = TITLES({2, "System"});
    prfdata_title_moves moves = moves_of(&both, &bank);
    uint32_t gone = prfdata_title_moves_to(&moves, 2000);

    (void)state;
    prfdata_title_moves_free(&moves);
    moves = moves_of(&bank, &none);
    assert_int_equal(prfdata_title_moves_to(&moves, gone), gone);
    assert_true(prfdata_title_is_gone(prfdata_title_moves_to(&moves, 4000)));
    assert_true(prfdata_title_moves_to(&moves, 4000) != gone);
    prfdata_title_moves_free(&moves);
    prfdata_titles_free(&both);
    prfdata_titles_free(&bank);
    prfdata_titles_free(&none);
}

/* A counter that keeps its id is the same counter, whatever its name. Its old name may belong to
 * another counter now. */
static void test_title_moves_go_by_ids_first(void **state)
{
    prfdata_titles before = TITLES({300, "Shop"}, {302, "Depth"}, {304, "Size"});
    prfdata_titles now = TITLES({300, "Store"}, {302, "Length"}, {304, "Size"}, {306, "Depth"});
    prfdata_title_moves moves;

    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        add_id(&before, 300 + 2 * i, 10 + i);
    for (uint32_t i = 0; i < 4; i++)
        add_id(&now, 306 - 2 * i, 13 - i);
    moves = moves_of(&before, &now);
    assert_int_equal(moves.count, 1);
    assert_true(prfdata_title_is_gone(prfdata_title_moves_to(&moves, 306)));
    prfdata_title_moves_free(&moves);
    prfdata_titles_free(&before);
    prfdata_titles_free(&now);
}

/* A removed counter keeps its name and its id. It may return at another index. */
static void test_title_moves_keep_what_is_gone_until_it_is_back(void **state)
{
    prfdata_titles before = TITLES({300, "Shop"}, {302, "Errors"}, {304, "Depth"});
    prfdata_titles without = TITLES({300, "Bank"}, {302, "Errors"});
    prfdata_titles still = TITLES({300, "Bank"}, {302, "Errors"}, {304, "Rate"});
    prfdata_titles back = TITLES({400, "Shop"}, {402, "Errors"}, {404, "Length"});
    prfdata_title_moves moves;
    uint32_t gone[3];

    (void)state;
    add_id(&before, 304, 7);
    add_id(&back, 404, 7);
    moves = moves_of(&before, &without);
    for (uint32_t i = 0; i < 3; i++) {
        gone[i] = prfdata_title_moves_to(&moves, 300 + 2 * i);
        assert_true(prfdata_title_is_gone(gone[i]) || i == 1);
    }
    prfdata_title_moves_free(&moves);
    assert_true(ascii_text_is(prfdata_name_table_name(&without.former, gone[0]), "Shop"));
    moves = moves_of(&without, &still);
    assert_int_equal(prfdata_title_moves_to(&moves, gone[0]), gone[0]);
    assert_true(prfdata_title_moves_to(&moves, 304) != gone[2]);
    prfdata_title_moves_free(&moves);
    moves = moves_of(&still, &back);
    assert_int_equal(prfdata_title_moves_to(&moves, gone[0]), 400);
    assert_int_equal(prfdata_title_moves_to(&moves, gone[2]), 404);
    prfdata_title_moves_free(&moves);
    prfdata_titles_free(&before);
    prfdata_titles_free(&without);
    prfdata_titles_free(&still);
    prfdata_titles_free(&back);
}

/* The titles of objects, counters and the parents of instances move. Help texts move with their
 * names. */
static void test_title_moves_write_a_block(void **state)
{
    const prfdata_title_move items[] = {{300, 400}, {302, 402}, {310, 410}};
    const prfdata_title_moves moves = {(prfdata_title_move *)(uintptr_t)items, 3, 3};
    static wire w;
    prfdata_sample *before;
    prfdata_sample *sample;
    const prfdata_sample_object *object;
    size_t start;
    size_t values;
    void *bytes;

    (void)state;
    wire_begin(&w, 1);
    start = wire_object(&w, 300, 2, 1, 0);
    wire_counter(&w, 302, PERF_COUNTER_RAWCOUNT, 4, 4);
    wire_counter(&w, 304, PERF_COUNTER_RAWCOUNT, 4, 8);
    wire_instance(&w, 310, 0, -1, "a");
    values = wire_values(&w);
    wire_put32(&w, 7);
    wire_put32(&w, 8);
    wire_values_end(&w, values);
    wire_object_end(&w, start);
    wire_end(&w);
    before = wire_sample(&w);
    /* The moves are applied to the block truncated to every length, and last to the whole block. */
    for (size_t size = 0; size <= before->size; size++) {
        bytes = malloc(before->size);
        assert_non_null(bytes);
        memcpy(bytes, before->bytes, size);
        prfdata_title_moves_apply(&moves, bytes, size);
        if (size < before->size)
            free(bytes);
    }
    assert_int_equal(prfdata_sample_make(bytes, before->size, &sample), ERROR_SUCCESS);
    assert_int_equal(sample->damage_count, 0);
    assert_null(prfdata_sample_find_object(sample, 300));
    object = prfdata_sample_find_object(sample, 400);
    assert_non_null(object);
    assert_int_equal(object->counters[0].definition.counter_name_title_index, 402);
    assert_int_equal(object->counters[1].definition.counter_name_title_index, 304);
    assert_int_equal(object->instances[0].wire.definition.parent_object_title_index, 410);
    assert_int_equal(object->wire.header.object_help_title_index,
                     before->objects[0].wire.header.object_help_title_index == 0
                         ? 0
                         : before->objects[0].wire.header.object_help_title_index + 100);
    prfdata_sample_free(before);
    prfdata_sample_free(sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_title_moves_leave_what_stays),
        cmocka_unit_test(test_title_moves_follow_the_title_before),
        cmocka_unit_test(test_title_moves_take_no_name_of_another_product),
        cmocka_unit_test(test_title_moves_give_no_index_twice),
        cmocka_unit_test(test_title_moves_go_by_ids_first),
        cmocka_unit_test(test_title_moves_keep_what_is_gone_until_it_is_back),
        cmocka_unit_test(test_title_moves_write_a_block),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
