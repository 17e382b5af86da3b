/* SPDX-License-Identifier: MIT */
/* Tests map_options.c: each option after an object with and without instances and after each
 * counter type, and each pair of options that may follow the same kind of entry. The expectations
 * are written here independently, from the documentation of the macros in map.h. */
#include <string.h>

#include "check/map_advice.h"
#include "map/counter_types.h"
#include "map/map_options.h"
#include "support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef enum place { COUNTER, OBJECT, OBJECT_WITH_INSTANCES } place;

/* The line that each macro makes, and where it may stand. */
static const struct expectation {
    prfdata_map_entry line[2]; /* the macros end with a comma */
    place place;
    /* For a place that is COUNTER: the ends of the names of the types that may have the option.
     * RAWCOUNT includes RAWCOUNT_HEX, except for options of SHOWN. "" means all types except bases
     * and types without a number. */
    const char *types[4];
} expected[] = {
    {{PRFDATA_MAP_ACCUMULATING()}, COUNTER, {"RAWCOUNT", "RAW_FRACTION"}},
    {{PRFDATA_MAP_MERGE_MAX()}, COUNTER, {"RAWCOUNT", NULL}},
    {{PRFDATA_MAP_TOTAL_MEAN()}, COUNTER, {"RAWCOUNT", NULL}},
    {{PRFDATA_MAP_HOT()}, COUNTER, {NULL, NULL}}, /* accumulates() decides the types */
    {{PRFDATA_MAP_METRIC("name", "")}, COUNTER, {"", NULL}},
    {{PRFDATA_MAP_PER_PROCESS()}, OBJECT_WITH_INSTANCES, {NULL, NULL}},
    {{PRFDATA_MAP_TOTAL()}, OBJECT_WITH_INSTANCES, {NULL, NULL}},
    {{PRFDATA_MAP_COSTLY()}, OBJECT, {NULL, NULL}},
    {{PRFDATA_MAP_PARENT(1)}, OBJECT_WITH_INSTANCES, {NULL, NULL}},
    {{PRFDATA_MAP_DISTRIBUTION(9, PRFDATA_UNIT_BYTES, 1, 100)}, OBJECT, {NULL, NULL}},
    {{PRFDATA_MAP_PERCENTILE(9, 9900)}, COUNTER, {"RAWCOUNT", NULL}},
    {{PRFDATA_MAP_MEAN(9)}, COUNTER, {"RAWCOUNT", "AVERAGE_BULK"}},
    {{PRFDATA_MAP_SUM(9)}, COUNTER, {"RAWCOUNT", "COUNTER_COUNTER", "BULK_COUNT", "DELTA"}},
    {{PRFDATA_MAP_AT_MOST(9, 5)}, COUNTER, {"RAWCOUNT", "COUNTER_COUNTER", "BULK_COUNT", "DELTA"}},
    {{PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_TORN)}, COUNTER, {"RAWCOUNT", NULL}},
};

/* Options that contradict each other. */
static const uint32_t either_or[][2] = {
    {PRFDATA_OPTION_ACCUMULATING, PRFDATA_OPTION_MERGE_MAX},
    {PRFDATA_OPTION_ACCUMULATING, PRFDATA_OPTION_TOTAL_MEAN},
    {PRFDATA_OPTION_ACCUMULATING, PRFDATA_OPTION_PERCENTILE},
    {PRFDATA_OPTION_ACCUMULATING, PRFDATA_OPTION_MEAN},
};

/* If a counter has an option of SHOWN, the provider computes it, and no program counts it. Such a
 * counter must not have another option of NOT_SHOWN. */
enum {
    SHOWN = PRFDATA_OPTION_PERCENTILE | PRFDATA_OPTION_MEAN | PRFDATA_OPTION_SUM |
            PRFDATA_OPTION_AT_MOST | PRFDATA_OPTION_HEALTH,
    NOT_SHOWN = SHOWN | PRFDATA_OPTION_MERGE_MAX | PRFDATA_OPTION_TOTAL_MEAN | PRFDATA_OPTION_HOT
};

enum { CAPACITY = 16 };

static prfdata_map_entry entries[CAPACITY];
static prfdata_map map;

static void add_line(const prfdata_map_entry *line)
{
    assert_in_range(map.entry_count, 0, CAPACITY - 1);
    entries[map.entry_count++] = *line;
}

static void add_object(uint32_t id, const wchar_t *name, int32_t max_instances)
{
    const prfdata_map_entry object[] = {
        PRFDATA_MAP_OBJ(id, name, L"Help.", PERF_DETAIL_NOVICE, 2, max_instances, 10)};

    add_line(object);
}

static void add_object_with_total(void)
{
    const prfdata_map_entry total[] = {PRFDATA_MAP_TOTAL()};

    add_object(3, L"Object", 4);
    add_line(total);
}

static void add_counter(uint32_t type)
{
    const prfdata_map_entry counter[] = {
        PRFDATA_MAP_CTR(2, L"Counter", L"Help.", PERF_DETAIL_NOVICE, 0, type)};

    add_line(counter);
}

/* Begin the map with an object that may be a parent. */
static int begin(void **state)
{
    (void)state;
    memset(&map, 0, sizeof map);
    map.entry_bytes = sizeof entries[0];
    map.entries = entries;
    map.service = "Service";
    add_object(1, L"Parent", 4);
    add_counter(PERF_COUNTER_BULK_COUNT);
    return 0;
}

/* Returns whether PRFDATA_MAP_RULE_OPTION refuses the line. The test ignores other rules, because
 * ids and symbols occur twice here and bases are missing. */
static bool is_refused(uint32_t index)
{
    prfdata_map_mistake mistakes[64];
    size_t count = prfdata_map_check(&map, mistakes, COUNT(mistakes));

    assert_in_range(count, 0, COUNT(mistakes));
    for (size_t i = 0; i < count; i++)
        if (mistakes[i].rule == PRFDATA_MAP_RULE_OPTION && mistakes[i].entry_index == index)
            return true;
    return false;
}

static bool is_refused_here(const struct expectation *option)
{
    add_line(option->line);
    return is_refused(map.entry_count - 1);
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    return end && length >= strlen(end) && !strncmp(text + length - strlen(end), end, strlen(end));
}

/* Returns whether counters of this type count something that only grows. */
static bool accumulates(const char *name)
{
    static const char *const others[] = {"RAWCOUNT", "_HEX",   "RAW_FRACTION",
                                         "_BASE",    "NODATA", "ELAPSED_TIME"};

    for (size_t i = 0; i < COUNT(others); i++)
        if (ends_with(name, strlen(name), others[i]))
            return false;
    return true;
}

static bool suits_type(const struct expectation *option, const char *name)
{
    size_t length = strlen(name);

    if (ends_with(name, length, "TEXT") || ends_with(name, length, "HISTOGRAM_TYPE"))
        return true; /* a type that no map may have is reported once, without its options */
    if (option->line->option == PRFDATA_OPTION_HOT)
        return accumulates(name);
    if (option->types[0] && !*option->types[0])
        return !ends_with(name, length, "_BASE") && !ends_with(name, length, "NODATA");
    if (ends_with(name, length, "_HEX") && !(option->line->option & SHOWN))
        length -= strlen("_HEX");
    for (size_t i = 0; i < COUNT(option->types); i++)
        if (ends_with(name, length, option->types[i]))
            return true;
    return false;
}

static bool contradict(uint32_t a, uint32_t b)
{
    for (size_t i = 0; i < COUNT(either_or); i++)
        if ((a == either_or[i][0] && b == either_or[i][1]) ||
            (b == either_or[i][0] && a == either_or[i][1]))
            return true;
    return ((a & SHOWN) && (b & NOT_SHOWN)) || ((b & SHOWN) && (a & NOT_SHOWN));
}

static void test_map_options_table_has_every_macro_once(void **state)
{
    uint32_t bits = 0;

    (void)state;
    assert_int_equal(prfdata_map_options_count(), COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        const prfdata_map_option *option = prfdata_map_options_find(expected[i].line->option);

        assert_non_null(option);
        assert_ptr_equal(option, prfdata_map_options_at(i));
        assert_string_equal(option->symbol, expected[i].line->symbol);
        assert_int_equal(option->bit & (option->bit - 1), 0); /* one bit */
        assert_int_equal(bits & option->bit, 0);
        if (!prfdata_map_advice(option->bit))
            fail_msg("map_advice.c does not say where %s belongs", option->symbol);
        bits |= option->bit;
    }
    assert_null(prfdata_map_advice(0));
    assert_null(prfdata_map_options_find(0));
    assert_null(prfdata_map_options_find(bits));
    assert_null(prfdata_map_options_find(0x40000000));
}

static void test_map_options_every_option_after_every_object(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        const place suited = expected[i].place;

        begin(NULL);
        add_object(3, L"Object", 4);
        assert_int_equal(is_refused_here(&expected[i]), suited == COUNTER);
        begin(NULL);
        add_object(3, L"Object", PERF_NO_INSTANCES);
        assert_int_equal(is_refused_here(&expected[i]), suited != OBJECT);
    }
}

static void test_map_options_every_option_after_every_counter_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        for (size_t k = 0; k < PRFDATA_COUNTER_TYPE_COUNT; k++) {
            const prfdata_counter_type *type = prfdata_counter_types_at(k);
            bool suits = expected[i].place == COUNTER && suits_type(&expected[i], type->name);

            begin(NULL);
            add_object_with_total();
            add_counter(type->type);
            if (is_refused_here(&expected[i]) == suits)
                fail_msg("%s after PERF_%s", expected[i].line->symbol, type->name);
        }
    }
}

/* The order of the two options does not matter. */
static void test_map_options_hot_gauge_needs_accumulating(void **state)
{
    const prfdata_map_entry hot[] = {PRFDATA_MAP_HOT()};
    const prfdata_map_entry accumulating[] = {PRFDATA_MAP_ACCUMULATING()};

    (void)state;
    for (int order = 0; order < 2; order++) {
        begin(NULL);
        add_object(3, L"Object", 4);
        add_counter(PERF_COUNTER_LARGE_RAWCOUNT);
        add_line(order == 0 ? hot : accumulating);
        assert_int_equal(is_refused(map.entry_count - 1), order == 0);
        add_line(order == 0 ? accumulating : hot);
        assert_false(is_refused(map.entry_count - 2));
        assert_false(is_refused(map.entry_count - 1));
    }
}

static void test_map_options_a_mean_of_totals_needs_a_total(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        if (expected[i].place != COUNTER)
            continue;
        begin(NULL);
        add_object(3, L"Object", 4);
        add_counter(PERF_COUNTER_LARGE_RAWCOUNT);
        assert_int_equal(is_refused_here(&expected[i]),
                         expected[i].line->option == PRFDATA_OPTION_TOTAL_MEAN ||
                             expected[i].line->option == PRFDATA_OPTION_HOT);
    }
}

static void test_map_options_every_option_beside_every_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        for (size_t k = 0; k < COUNT(expected); k++) {
            const uint32_t first = expected[i].line->option;
            const uint32_t second = expected[k].line->option;
            const bool is_cold =
                second == PRFDATA_OPTION_HOT && first != PRFDATA_OPTION_ACCUMULATING;

            if ((expected[i].place == COUNTER) != (expected[k].place == COUNTER))
                continue;
            begin(NULL);
            if (expected[i].place == COUNTER) {
                add_object_with_total();
                add_counter(PERF_COUNTER_LARGE_RAWCOUNT);
            } else {
                add_object(3, L"Object", 4);
            }
            add_line(expected[i].line);
            if (is_refused_here(&expected[k]) !=
                ((first == second && first != PRFDATA_OPTION_DISTRIBUTION) ||
                 contradict(first, second) || is_cold))
                fail_msg("%s beside %s", expected[k].line->symbol, expected[i].line->symbol);
        }
    }
}

static void test_map_options_advice_is_the_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        const prfdata_map_option *option = prfdata_map_options_at(i);
        prfdata_map_mistake mistake;
        char text[512];
        const char *advice = prfdata_map_advice(option->bit);
        size_t advice_chars = strlen(advice);

        begin(NULL);
        map.entry_count = 0;
        add_line(expected[i].line); /* adds the option before any object */
        assert_int_equal(prfdata_map_check(&map, &mistake, 1) > 0, 1);
        assert_int_equal(mistake.rule, PRFDATA_MAP_RULE_OPTION);
        prfdata_map_mistake_text(&mistake, text, sizeof text);
        assert_memory_equal(text, option->symbol, strlen(option->symbol));
        assert_true(strlen(text) == strlen(option->symbol) + 2 + advice_chars + 1);
        assert_memory_equal(text + strlen(option->symbol) + 2, advice, advice_chars);
    }
}

/* Returns whether a text has this word. `PRFDATA_MAP_TOTAL` is no word of
 * `PRFDATA_MAP_TOTAL_MEAN`. */
static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (text = strstr(text, word); text; text = strstr(text + length, word))
        if (text[length] != '_')
            return true;
    return false;
}

/* After "without", the advice about an option lists the options that the table excludes. Options in
 * `others` are not listed, because their own advice says what they exclude. */
static void test_map_options_advice_names_what_the_table_excludes(void **state)
{
    const uint32_t others = PRFDATA_MAP_OPTIONS_SHOWN | PRFDATA_OPTION_HEALTH;

    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        const prfdata_map_option *option = prfdata_map_options_at(i);
        const char *without = strstr(prfdata_map_advice(option->bit), " without ");

        if (without && strstr(without, "other options"))
            continue;
        for (size_t k = 0; k < COUNT(expected); k++) {
            const prfdata_map_option *other = prfdata_map_options_at(k);
            const bool is_named = without && has_word(without, other->symbol);

            if (is_named != ((option->excludes & ~others & other->bit) != 0))
                fail_msg("map_advice.c: %s without %s", option->symbol, other->symbol);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_map_options_table_has_every_macro_once, begin),
        cmocka_unit_test_setup(test_map_options_every_option_after_every_object, begin),
        cmocka_unit_test_setup(test_map_options_every_option_after_every_counter_type, begin),
        cmocka_unit_test_setup(test_map_options_hot_gauge_needs_accumulating, begin),
        cmocka_unit_test_setup(test_map_options_a_mean_of_totals_needs_a_total, begin),
        cmocka_unit_test_setup(test_map_options_every_option_beside_every_other, begin),
        cmocka_unit_test_setup(test_map_options_advice_is_the_sentence, begin),
        cmocka_unit_test(test_map_options_advice_names_what_the_table_excludes),
    };

    return cmocka_run_group_tests_name("map_options", tests, NULL, NULL);
}
