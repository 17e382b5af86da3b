/* SPDX-License-Identifier: MIT */
/* Tests that the map of Richter's article (figures 14 and 15, unchanged) compiles with our headers,
 * has the fields that the article gives it, and has one hash in C and C++. In C++ a second map has
 * every option. */
#include <string.h>

#include <prfdata/prfdata.h>

#include "map/map_options.h"
#include "support/encoded_map.h"
#include "support/test.h"

static uint32_t count_kind(uint32_t kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < prfdata_default_map.entry_count; i++)
        count += prfdata_default_map.entries[i].kind == kind;
    return count;
}

static void test_prfdata_h_articles_map_is_right(void **state)
{
    (void)state;
    assert_int_equal(prfdata_map_check(&prfdata_default_map, NULL, 0), 0);
    assert_string_equal(prfdata_default_map.service, "HWInputMon");
    assert_int_equal(count_kind(PRFDATA_ENTRY_OBJECT), 2);
    assert_int_equal(count_kind(PRFDATA_ENTRY_COUNTER), 6);
    assert_int_equal(prfdata_default_map.entry_count, 8);
}

/* Compares the seven arguments of an object with the article. The next test compares the six of a
 * counter. */
static void test_prfdata_h_articles_object_has_its_fields(void **state)
{
    const prfdata_map_entry *clicks = &prfdata_default_map.entries[5];

    (void)state;
    assert_int_equal(clicks->kind, PRFDATA_ENTRY_OBJECT);
    assert_int_equal(clicks->id, 200);
    assert_string_equal(clicks->symbol, "PRFOBJ_MOUSECLCKS");
    assert_int_equal(wcscmp(clicks->name, L"Mouse Clicks"), 0);
    assert_int_equal(wcsncmp(clicks->help, L"The Mouse Clicks object", 23), 0);
    assert_int_equal(clicks->detail_level, PERF_DETAIL_NOVICE);
    assert_int_equal(clicks->default_counter, 201);
    assert_int_equal(clicks->max_instances, 4);
    assert_int_equal(clicks->max_name_chars, 10);
    assert_int_equal(prfdata_default_map.entries[0].max_instances, PERF_NO_INSTANCES);
}

static void test_prfdata_h_articles_counter_has_its_fields(void **state)
{
    const prfdata_map_entry *keys = &prfdata_default_map.entries[2];

    (void)state;
    assert_int_equal(keys->kind, PRFDATA_ENTRY_COUNTER);
    assert_int_equal(keys->id, 102);
    assert_string_equal(keys->symbol, "HWINPUT_KEYSPERSEC");
    assert_int_equal(wcscmp(keys->name, L"Keystrokes/sec"), 0);
    assert_int_equal(wcscmp(keys->help, L"The number of down and up keystrokes per second"), 0);
    assert_int_equal(keys->detail_level, PERF_DETAIL_NOVICE);
    assert_int_equal(keys->default_scale, 0);
    assert_int_equal(keys->type, PERF_COUNTER_COUNTER);
}

/* The map is the same in both languages and on all systems. */
static void test_prfdata_h_articles_map_has_one_hash(void **state)
{
    (void)state;
    assert_true(hash_map(&prfdata_default_map) == 0xA5D79A9275DBD59Bu);
}

#ifdef PRFDATA_TEST_CPP
/* Defined in prfdata_h_public.cpp. */
PRFDATA_DECLARE_MAP(cpp_map);

static bool cpp_map_has_option(uint32_t bit)
{
    for (uint32_t i = 0; i < cpp_map.entry_count; i++) {
        if (cpp_map.entries[i].option == bit)
            return true;
    }
    return false;
}

static void test_prfdata_h_every_option_makes_a_right_map_in_cpp(void **state)
{
    (void)state;
    assert_int_equal(prfdata_map_check(&cpp_map, NULL, 0), 0);
    for (size_t i = 0; i < prfdata_map_options_count(); i++) {
        const prfdata_map_option *option = prfdata_map_options_at(i);

        if (!cpp_map_has_option(option->bit))
            fail_msg("prfdata_h_public.cpp has no %s", option->symbol);
    }
}
#endif

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prfdata_h_articles_map_is_right),
        cmocka_unit_test(test_prfdata_h_articles_object_has_its_fields),
        cmocka_unit_test(test_prfdata_h_articles_counter_has_its_fields),
        cmocka_unit_test(test_prfdata_h_articles_map_has_one_hash),
#ifdef PRFDATA_TEST_CPP
        cmocka_unit_test(test_prfdata_h_every_option_makes_a_right_map_in_cpp),
#endif
    };

    return cmocka_run_group_tests_name("prfdata_h", tests, NULL, NULL);
}
