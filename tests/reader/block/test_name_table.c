/* SPDX-License-Identifier: MIT */
/* Tests the table of title names: where names come from, and how they are found. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/map.h>

#include "block/name_table.h"
#include "map/model.h"
#include "support/reader/ascii_text.h"
#include "support/reader/random.h"

/* Convert `size` bytes of ASCII, NULs included, to UTF-16 in an allocation of its own. */
static uint16_t *make(const char *ascii, size_t size)
{
    uint16_t *chars = malloc((size > 0 ? size : 1) * sizeof *chars);

    assert_non_null(chars);
    for (size_t i = 0; i < size; i++)
        chars[i] = (unsigned char)ascii[i];
    return chars;
}

static void add(prfdata_name_table *table, uint32_t index, const char *name)
{
    prfdata_text text;

    text.count = strlen(name);
    text.chars = make(name, text.count);
    assert_int_equal(prfdata_name_table_add(table, index, text), ERROR_SUCCESS);
    free((void *)(uintptr_t)text.chars);
}

static void add_list(prfdata_name_table *table, const char *list, size_t size)
{
    uint16_t *chars = make(list, size);

    assert_int_equal(prfdata_name_table_add_list(table, chars, size), ERROR_SUCCESS);
    free(chars);
}

static void test_name_table_first_name_wins(void **state)
{
    prfdata_name_table table = {0};

    (void)state;
    add(&table, 6, "six");
    add(&table, 2, "two");
    add(&table, 4, "four");
    add(&table, 4, "other");
    add(&table, 0, "none");
    add(&table, 8, "");
    assert_int_equal(table.count, 3);
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 2), "two"));
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 4), "four"));
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 6), "six"));
    for (uint32_t index = 0; index < 10; index++) {
        if (index != 2 && index != 4 && index != 6)
            assert_int_equal(prfdata_name_table_name(&table, index).count, 0);
    }
    prfdata_name_table_free(&table);
}

static void test_name_table_stays_sorted(void **state)
{
    prfdata_name_table table = {0};

    (void)state;
    for (uint32_t i = 0; i < 1000; i++)
        add(&table, 1 + i * 379 % 1000, "x");
    assert_int_equal(table.count, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(table.items[i].index, i + 1);
    prfdata_name_table_free(&table);
}

static void test_name_table_list_of_the_database_read(void **state)
{
    static const char list[] = "1\0"
                               "1847\0"
                               "2\0System\0"
                               "4\0Memory\0"
                               "6\0% Processor Time\0";
    prfdata_name_table table = {0};

    (void)state;
    add_list(&table, list, sizeof list);
    assert_int_equal(table.count, 4);
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 1), "1847"));
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 2), "System"));
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 6), "% Processor Time"));
    prfdata_name_table_free(&table);
}

static void test_name_table_damaged_lists_give_what_is_right(void **state)
{
    static const char bad_index[] = "x\0Bad\0"
                                    "4\0Memory\0";
    static const char huge_index[] = "4294967296\0Bad\0"
                                     "4\0Memory\0";
    static const char empty_name[] = "2\0\0"
                                     "4\0Memory\0";
    static const char ended[] = "4\0Memory\0\0"
                                "junk\0"
                                "6\0Behind the end\0";
    prfdata_name_table table = {0};

    (void)state;
    add_list(&table, bad_index, sizeof bad_index);
    assert_int_equal(table.count, 1);
    prfdata_name_table_free(&table);
    add_list(&table, huge_index, sizeof huge_index);
    assert_int_equal(table.count, 1);
    prfdata_name_table_free(&table);
    add_list(&table, empty_name, sizeof empty_name);
    assert_int_equal(table.count, 1);
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 4), "Memory"));
    prfdata_name_table_free(&table);
    add_list(&table, ended, sizeof ended);
    assert_int_equal(table.count, 1);
    prfdata_name_table_free(&table);
}

static void test_name_table_every_truncated_list_survived(void **state)
{
    static const char list[] = "2\0System\0"
                               "4\0Memory\0";

    (void)state;
    for (size_t size = 0; size <= sizeof list; size++) {
        prfdata_name_table table = {0};

        add_list(&table, list, size);
        assert_true(table.count <= 2);
        prfdata_name_table_free(&table);
    }
}

static void test_name_table_all_titles_of_a_name_found(void **state)
{
    static const uint16_t name[] = {'l', 'e', 'v', 'e', 'l'};
    const prfdata_text text = {name, 5};
    prfdata_name_table table = {0};
    size_t position = 0;
    uint32_t index = 0;

    (void)state;
    add(&table, 10, "Level");
    add(&table, 12, "Levels");
    add(&table, 14, "LEVEL");
    assert_true(prfdata_name_table_find(&table, text, PRFDATA_TEXT_AS_PATTERN, &position, &index));
    assert_int_equal(index, 10);
    assert_true(prfdata_name_table_find(&table, text, PRFDATA_TEXT_AS_PATTERN, &position, &index));
    assert_int_equal(index, 14);
    assert_false(prfdata_name_table_find(&table, text, PRFDATA_TEXT_AS_PATTERN, &position, &index));
    prfdata_name_table_free(&table);
}

PRFDATA_DEFINE_OBJECT(QUEUES, 1);
PRFDATA_DEFINE_COUNTER(DEPTH, 2);
PRFDATA_DEFINE_COUNTER(HITS, 3);
PRFDATA_DEFINE_COUNTER(HITS_BASE, 4);
PRFDATA_DEFINE_OBJECT(CACHE, 5);
PRFDATA_DEFINE_COUNTER(CACHE_SIZE, 6);

PRFDATA_MAP_BEGIN_AS(named_map)
PRFDATA_MAP_OBJ(QUEUES, L"My Queues", L"Help.", PERF_DETAIL_NOVICE, DEPTH, 4, 20)
PRFDATA_MAP_CTR(DEPTH, L"Depth", L"What waits now.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
PRFDATA_MAP_CTR(HITS, L"% Hits", L"Help.", PERF_DETAIL_NOVICE, 0, PERF_SAMPLE_FRACTION)
PRFDATA_MAP_CTR(HITS_BASE, L"% Hits Base", L"Help.", PERF_DETAIL_NOVICE, 0, PERF_SAMPLE_BASE)
PRFDATA_MAP_OBJ(CACHE, L"My Cache", L"Help.", PERF_DETAIL_NOVICE, CACHE_SIZE, PERF_NO_INSTANCES, 0)
PRFDATA_MAP_CTR(CACHE_SIZE, L"Size \u00E4", L"Help.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
PRFDATA_MAP_END_AS(named_map, "Named")

/* Base counters have no index, so the map gives them no name. */
static void test_name_table_map_names_what_the_database_lacks(void **state)
{
    prfdata_name_table table = {0};
    prfdata_model *model = NULL;
    prfdata_text name;

    (void)state;
    add(&table, 1002, "Tiefe");
    assert_int_equal(prfdata_model_make(&named_map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_append_model(&table, model, 1000), ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_settle(&table), ERROR_SUCCESS);
    prfdata_model_free(model);
    assert_int_equal(table.count, 5);
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 1000), "My Queues"));
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 1002), "Tiefe"));
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 1004), "% Hits"));
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 1006), "My Cache"));
    name = prfdata_name_table_name(&table, 1008);
    assert_int_equal(name.count, 6);
    assert_int_equal(name.chars[5], 0xE4);
    prfdata_name_table_free(&table);
}

static void test_name_table_map_gives_its_objects(void **state)
{
    prfdata_name_table table = {0};
    prfdata_model *model = NULL;

    (void)state;
    assert_int_equal(prfdata_model_make(&named_map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_append_model_objects(&table, model, 1000), ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_settle(&table), ERROR_SUCCESS);
    prfdata_model_free(model);
    assert_int_equal(table.count, 2);
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 1000), "My Queues"));
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 1006), "My Cache"));
    prfdata_name_table_free(&table);
}

/* Reads a help text of the greatest length that the rules allow. */
static void test_name_table_map_gives_its_helps(void **state)
{
    static wchar_t longest[PRFDATA_MAX_HELP_CHARS + 1];
    prfdata_map_entry entries[16];
    prfdata_map map = named_map;
    prfdata_name_table table = {0};
    prfdata_model *model = NULL;

    (void)state;
    assert_in_range(map.entry_count, 1, 16);
    memcpy(entries, map.entries, map.entry_count * sizeof entries[0]);
    for (size_t i = 0; i < PRFDATA_MAX_HELP_CHARS; i++)
        longest[i] = L'x';
    for (uint32_t i = 0; i < map.entry_count; i++) {
        if (entries[i].id == CACHE_SIZE)
            entries[i].help = longest;
    }
    map.entries = entries;
    assert_int_equal(prfdata_model_make(&map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_append_model_helps(&table, model, 1001), ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_settle(&table), ERROR_SUCCESS);
    prfdata_model_free(model);
    assert_int_equal(table.count, 5);
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 1001), "Help."));
    assert_true(ascii_text_is(prfdata_name_table_name(&table, 1003), "What waits now."));
    assert_int_equal(prfdata_name_table_name(&table, 1009).count, PRFDATA_MAX_HELP_CHARS);
    prfdata_name_table_free(&table);
}

/* The lists of a recording have different orders. If a title occurs twice, its first name is
 * kept. */
static void test_name_table_settles_names_of_any_order(void **state)
{
    static const uint32_t indexes[] = {9, 3, 7, 3, 9, 1, 0};
    prfdata_name_table table = {0};
    uint16_t chars[] = {'a', 0};

    (void)state;
    for (size_t i = 0; i < sizeof indexes / sizeof indexes[0]; i++, chars[0]++)
        assert_int_equal(
            prfdata_name_table_append(&table, indexes[i], prfdata_text_from_chars(chars)),
            ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_settle(&table), ERROR_SUCCESS);
    assert_int_equal(table.count, 4);
    for (size_t i = 1; i < table.count; i++)
        assert_true(table.items[i - 1].index < table.items[i].index);
    assert_int_equal(prfdata_name_table_name(&table, 9).chars[0], 'a');
    assert_int_equal(prfdata_name_table_name(&table, 3).chars[0], 'b');
    assert_int_equal(prfdata_name_table_name(&table, 1).chars[0], 'f');
    assert_int_equal(prfdata_name_table_add(&table, 5, prfdata_text_from_chars(chars)),
                     ERROR_SUCCESS);
    assert_int_equal(table.items[2].index, 5);
    assert_int_equal(prfdata_name_table_settle(&table), ERROR_SUCCESS);
    assert_int_equal(table.count, 5);
    prfdata_name_table_free(&table);
}

/* Make a short name of letters in both cases, blanks and stars. Many of these names are equal. */
static prfdata_text random_name(uint32_t *seed, uint16_t chars[4])
{
    static const uint16_t letters[] = {'a', 'A', 'b', ' ', '*'};
    const size_t count = 1 + random_next(seed) % 4;

    for (size_t i = 0; i < count; i++)
        chars[i] = letters[random_next(seed) % 5];
    return (prfdata_text){chars, count};
}

static void test_name_table_index_of_names_finds_the_same_titles(void **state)
{
    prfdata_name_table table = {0};
    uint32_t seed = 44;
    unsigned found = 0;

    (void)state;
    for (unsigned run = 0; run < 2000; run++) {
        const prfdata_text_fit fit = (prfdata_text_fit)(run % 3);
        prfdata_name_table slow;
        uint16_t chars[4];
        size_t position = 0;
        size_t slow_position = 0;
        uint32_t index = 0;
        uint32_t slow_index = 0;
        prfdata_text name;
        bool is_found;

        if (run < 200) {
            name = random_name(&seed, chars);
            assert_int_equal(prfdata_name_table_add(&table, 1 + run * 379 % 200, name), 0);
            /* The index is dropped, because it would lack the new name. */
            assert_int_equal(table.by_name.count, 0);
            prfdata_name_table_index_names(&table);
        }
        assert_int_equal(table.by_name.count, table.count);
        slow = table;
        slow.by_name.count = 0;
        name = random_name(&seed, chars);
        do {
            is_found = prfdata_name_table_find(&table, name, fit, &position, &index);
            assert_int_equal(
                is_found, prfdata_name_table_find(&slow, name, fit, &slow_position, &slow_index));
            if (is_found)
                assert_int_equal(index, slow_index);
            found += is_found;
        } while (is_found);
    }
    assert_true(found > 10000);
    prfdata_name_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name_table_settles_names_of_any_order),
        cmocka_unit_test(test_name_table_first_name_wins),
        cmocka_unit_test(test_name_table_stays_sorted),
        cmocka_unit_test(test_name_table_list_of_the_database_read),
        cmocka_unit_test(test_name_table_damaged_lists_give_what_is_right),
        cmocka_unit_test(test_name_table_every_truncated_list_survived),
        cmocka_unit_test(test_name_table_all_titles_of_a_name_found),
        cmocka_unit_test(test_name_table_map_names_what_the_database_lacks),
        cmocka_unit_test(test_name_table_map_gives_its_objects),
        cmocka_unit_test(test_name_table_map_gives_its_helps),
        cmocka_unit_test(test_name_table_index_of_names_finds_the_same_titles),
    };

    return cmocka_run_group_tests_name("name_table", tests, NULL, NULL);
}
