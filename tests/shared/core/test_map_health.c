/* SPDX-License-Identifier: MIT */
/* Tests the service's health in maps: the table and its page, the macro, the check and its message,
 * the encoding, and the model. */
#include "support/test.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map_bytes.h"
#include "map/map_change.h"
#include "map/model.h"
#include "region/health_word.h"
#include "support/page.h"

enum { QUEUE = 1, JOBS, HEALTH = 50, OTHER = 90, OTHER_TORN };
enum { QUEUE_AT, JOBS_AT, HEALTH_AT, PUBLISHERS_AT, SHOWS_PUBLISHERS_AT, CAPACITY = 70 };

static prfdata_map_entry lines[CAPACITY];
static prfdata_map map;

static void add_lines(const prfdata_map_entry *added, uint32_t count)
{
    assert_in_range(map.entry_count + count, 1, CAPACITY);
    memcpy(lines + map.entry_count, added, count * sizeof *added);
    map.entry_count += count;
}

static int begin(void **state)
{
    /* clang-format off */
    static const prfdata_map_entry all[] = {
        PRFDATA_MAP_OBJ(QUEUE, L"Queues", L"Q.", PERF_DETAIL_NOVICE, JOBS, 4, 20)
        PRFDATA_MAP_CTR(JOBS, L"Jobs", L"J.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_HEALTH(HEALTH, L"My Queues", "my_queues")
    };
    /* clang-format on */

    (void)state;
    memset(&map, 0, sizeof map);
    map.entry_bytes = sizeof lines[0];
    map.entries = lines;
    map.service = "Svc";
    add_lines(all, sizeof all / sizeof all[0]);
    return 0;
}

static void assert_right(void)
{
    prfdata_map_mistake mistake;
    char text[600];

    if (prfdata_map_check(&map, &mistake, 1) == 0)
        return;
    prfdata_map_mistake_text(&mistake, text, sizeof text);
    fail_msg("%s", text);
}

/* Asserts that the only mistake is PRFDATA_MAP_RULE_HEALTH at `line`. */
static void assert_health_mistake(uint32_t line)
{
    prfdata_map_mistake mistakes[4];
    char text[600];

    assert_int_equal(prfdata_map_check(&map, mistakes, 4), 1);
    assert_int_equal(mistakes[0].rule, PRFDATA_MAP_RULE_HEALTH);
    assert_int_equal(mistakes[0].entry_index, line);
    assert_true(prfdata_map_mistake_text(mistakes, text, sizeof text) < sizeof text);
    assert_non_null(strstr(text, "PRFDATA_MAP_HEALTH declares it"));
}

static const struct number {
    const char *name;
    uint32_t number;
    const char *word;
    const wchar_t *title;
    bool grows;
    bool is_of_reader;
    const wchar_t *help;
    const char *alert;
    const char *limit;
    const char *hold;
} numbers[] = {
#define KIND_GROWS    true
#define KIND_VARIES   false
#define WHOSE_READER  true
#define WHOSE_SERVICE false
#define ROW(id, symbol, metric, name, number, word, title, ending, unit, kind, whose, help, alert, \
            limit, hold, summary, advice)                                                          \
    {#name, number, word, title, KIND_##kind, WHOSE_##whose, help, alert, limit, hold},
    PRFDATA_HEALTH_NUMBERS(ROW, 0, 0, 0)
#undef ROW
};

static void test_map_health_table_has_no_gaps(void **state)
{
    (void)state;
    assert_true(PRFDATA_HEALTH_LAST <= PRFDATA_HEALTH_RESERVED);
    for (uint32_t i = 0; i < PRFDATA_HEALTH_LAST; i++) {
        assert_int_equal(numbers[i].number, i + 1);
        assert_string_equal(prfdata_health_word(i + 1), numbers[i].word);
        assert_int_equal(strlen(numbers[i].word), strlen(numbers[i].name));
        for (size_t c = 0; numbers[i].name[c]; c++)
            assert_int_equal(numbers[i].word[c], tolower((unsigned char)numbers[i].name[c]));
    }
    assert_null(prfdata_health_word(0));
    assert_null(prfdata_health_word(PRFDATA_HEALTH_LAST + 1));
}

/* The values of some counters differ between reading processes, and their help texts say so. */
static void test_map_health_help_says_what_is_of_one_reader(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PRFDATA_HEALTH_LAST; i++)
        if ((wcsstr(numbers[i].help, L"this reading process") != NULL) != numbers[i].is_of_reader)
            fail_msg("the help of %s must have \"this reading process\" exactly if it is of READER",
                     numbers[i].name);
}

static void test_map_health_page_lists_every_number(void **state)
{
    page_text rows = {0};

    (void)state;
    for (uint32_t i = 0; i < PRFDATA_HEALTH_LAST; i++)
        page_add(&rows, "| *%ls* | `%s` | %ls | %s | %s | %s: `%s%s` for %s |\n", numbers[i].title,
                 numbers[i].word, numbers[i].help, numbers[i].is_of_reader ? "reader" : "service",
                 numbers[i].grows ? "only grows" : "present value", numbers[i].alert,
                 numbers[i].grows ? "increase " : "", numbers[i].limit, numbers[i].hold);
    page_expect_rows("docs/events.md", "| *", &rows);
    page_free(&rows);
}

static void test_map_health_macro_makes_an_object_with_every_number(void **state)
{
    const prfdata_model_object *object;
    prfdata_model *model;

    (void)state;
    assert_right();
    assert_int_equal(prfdata_model_make(&map, &model), ERROR_SUCCESS);
    assert_int_equal(model->health_index, 1);
    object = &model->objects[1];
    assert_true(!wcscmp(object->entry->name, L"My Queues Health"));
    assert_string_equal(object->entry->symbol, "HEALTH");
    assert_false(object->has_instances);
    assert_int_equal(object->counter_count, PRFDATA_HEALTH_LAST);
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];

        assert_int_equal(counter->entry->id, HEALTH + i + 1);
        assert_int_equal(counter->health, i + 1);
        assert_int_equal(counter->merging == PRFDATA_MERGING_ACCUMULATE, numbers[i].grows);
        assert_memory_equal(counter->entry->symbol, "HEALTH_", 7);
    }
    assert_string_equal(object->counters[PRFDATA_HEALTH_UNSHOWN - 1].entry->symbol,
                        "HEALTH_UNSHOWN");
    assert_int_equal(model->objects[0].counters[0].health, 0);
    prfdata_model_free(model);
}

static void test_map_health_without_it_no_object_is_one(void **state)
{
    prfdata_model *model;

    (void)state;
    map.entry_count = HEALTH_AT;
    assert_int_equal(prfdata_model_make(&map, &model), ERROR_SUCCESS);
    assert_int_equal(model->health_index, PRFDATA_NONE);
    prfdata_model_free(model);
}

static void test_map_health_number_is_one_of_those_there_are(void **state)
{
    prfdata_map_mistake mistake;
    char text[600];

    (void)state;
    for (uint32_t i = 1; i <= PRFDATA_HEALTH_LAST; i++) {
        lines[SHOWS_PUBLISHERS_AT].id = i;
        assert_right();
    }
    lines[SHOWS_PUBLISHERS_AT].id = PRFDATA_HEALTH_RESERVED + 1;
    assert_health_mistake(SHOWS_PUBLISHERS_AT);
    lines[SHOWS_PUBLISHERS_AT].id = PRFDATA_HEALTH_LAST + 1;
    assert_int_equal(prfdata_map_check(&map, &mistake, 1), 1);
    assert_true(prfdata_map_mistake_text(&mistake, text, sizeof text) < sizeof text);
    assert_non_null(strstr(text, "the number 10 belongs to a later version of PrfData"));
    lines[SHOWS_PUBLISHERS_AT].id = 0;
    assert_health_mistake(SHOWS_PUBLISHERS_AT);
}

static void test_map_health_object_has_no_instances(void **state)
{
    (void)state;
    lines[HEALTH_AT].max_instances = 4;
    lines[HEALTH_AT].max_name_chars = 9;
    assert_health_mistake(HEALTH_AT);
}

static void test_map_health_object_has_no_other_counters(void **state)
{
    static const prfdata_map_entry other[] = {PRFDATA_MAP_CTR(
        OTHER, L"Other", L"O.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)};

    (void)state;
    add_lines(other, 1);
    assert_health_mistake(HEALTH_AT);
}

static void test_map_health_is_shown_by_one_object(void **state)
{
    /* clang-format off */
    static const prfdata_map_entry other[] = {
        PRFDATA_MAP_OBJ(OTHER, L"Other", L"O.", PERF_DETAIL_NOVICE, OTHER_TORN, PERF_NO_INSTANCES, 0)
        PRFDATA_MAP_CTR(OTHER_TORN, L"Torn", L"T.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
            PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_TORN)};
    /* clang-format on */
    const uint32_t line = map.entry_count;

    (void)state;
    add_lines(other, 3);
    assert_health_mistake(line);
    map.entry_count = HEALTH_AT;
    add_lines(other, 3);
    assert_right();
}

static void test_map_health_is_encoded_and_decoded(void **state)
{
    prfdata_model *model, *decoded;
    unsigned char bytes[8192];
    size_t size;

    (void)state;
    assert_int_equal(prfdata_model_make(&map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_map_bytes_encode(&map, model->hash, bytes, sizeof bytes, &size), 0);
    assert_int_equal(prfdata_model_from_bytes(bytes, size, &decoded), ERROR_SUCCESS);
    assert_int_equal(decoded->health_index, 1);
    for (uint32_t i = 0; i < PRFDATA_HEALTH_LAST; i++)
        assert_int_equal(decoded->objects[1].counters[i].health, i + 1);
    prfdata_model_free(decoded);
    prfdata_model_free(model);
}

/* The map belongs to a later version of PrfData, and has a health number that this version does not
 * know. prfdata_map_check() refuses such a number, but decoding accepts it. */
static void test_map_health_number_of_a_later_version_is_decoded(void **state)
{
    prfdata_model *model, *decoded;
    unsigned char bytes[8192];
    size_t size;

    (void)state;
    assert_int_equal(prfdata_model_make(&map, &model), ERROR_SUCCESS);
    lines[SHOWS_PUBLISHERS_AT].id = PRFDATA_HEALTH_RESERVED;
    assert_int_equal(prfdata_map_bytes_encode(&map, model->hash, bytes, sizeof bytes, &size), 0);
    /* Neither a provider nor an installer takes the map for a damaged one. */
    assert_int_equal(prfdata_model_read(bytes, size, &decoded), ERROR_SUCCESS);
    assert_int_equal(decoded->objects[1].counters[0].health, PRFDATA_HEALTH_RESERVED);
    prfdata_model_free(decoded);
    assert_int_equal(prfdata_model_from_bytes(bytes, size, &decoded), ERROR_SUCCESS);
    assert_int_equal(decoded->objects[1].counters[0].health, PRFDATA_HEALTH_RESERVED);
    prfdata_model_free(decoded);
    lines[SHOWS_PUBLISHERS_AT].id = 0;
    assert_int_equal(prfdata_map_bytes_encode(&map, model->hash, bytes, sizeof bytes, &size), 0);
    assert_int_equal(prfdata_model_read(bytes, size, &decoded), ERROR_INVALID_DATA);
    assert_int_equal(prfdata_model_from_bytes(bytes, size, &decoded), ERROR_INVALID_DATA);
    prfdata_model_free(model);
}

/* Return the message about the only change, or "" if there is none. */
static const char *change_between(const prfdata_map *earlier, const prfdata_map *later)
{
    static char text[300];
    prfdata_model *from, *to;
    prfdata_map_change change;
    size_t count;

    assert_int_equal(prfdata_model_make(earlier, &from), ERROR_SUCCESS);
    assert_int_equal(prfdata_model_make(later, &to), ERROR_SUCCESS);
    count = prfdata_map_change_find(from, to, &change, 1);
    text[0] = 0;
    if (count > 0) {
        assert_int_equal(count, 1);
        assert_true(prfdata_map_change_text(&change, text, sizeof text) < sizeof text);
    }
    prfdata_model_free(from);
    prfdata_model_free(to);
    return text;
}

static void test_map_health_number_of_an_id_is_its_meaning(void **state)
{
    /* clang-format off */
    static const prfdata_map_entry plain[] = {
        PRFDATA_MAP_OBJ(OTHER, L"Other", L"O.", PERF_DETAIL_NOVICE, OTHER_TORN, PERF_NO_INSTANCES, 0)
        PRFDATA_MAP_CTR(OTHER_TORN, L"T", L"T.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
            PRFDATA_MAP_HEALTH_OF(PRFDATA_HEALTH_ENDED)};
    /* clang-format on */
    prfdata_map earlier;
    prfdata_map later;
    prfdata_map_entry other_lines[3];

    (void)state;
    memcpy(other_lines, plain, sizeof plain);
    other_lines[2].id = PRFDATA_HEALTH_UNSHOWN;
    earlier = map;
    earlier.entries = plain;
    earlier.entry_count = 3;
    later = earlier;
    later.entries = other_lines;
    assert_non_null(strstr(change_between(&earlier, &later), "now shows something else of"));
    later.entry_count = 2;
    assert_non_null(strstr(change_between(&earlier, &later), "now is counted by programs"));
    assert_non_null(strstr(change_between(&later, &earlier), "now shows the service's health"));
    assert_string_equal(change_between(&earlier, &earlier), "");
    later = map; /* one map has the object, the other has not */
    later.entry_count = HEALTH_AT;
    assert_string_equal(change_between(&map, &later), "");
    assert_string_equal(change_between(&later, &map), "");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_map_health_table_has_no_gaps),
        cmocka_unit_test(test_map_health_help_says_what_is_of_one_reader),
        cmocka_unit_test(test_map_health_page_lists_every_number),
        cmocka_unit_test_setup(test_map_health_number_of_a_later_version_is_decoded, begin),
        cmocka_unit_test_setup(test_map_health_macro_makes_an_object_with_every_number, begin),
        cmocka_unit_test_setup(test_map_health_without_it_no_object_is_one, begin),
        cmocka_unit_test_setup(test_map_health_number_is_one_of_those_there_are, begin),
        cmocka_unit_test_setup(test_map_health_object_has_no_instances, begin),
        cmocka_unit_test_setup(test_map_health_object_has_no_other_counters, begin),
        cmocka_unit_test_setup(test_map_health_is_shown_by_one_object, begin),
        cmocka_unit_test_setup(test_map_health_is_encoded_and_decoded, begin),
        cmocka_unit_test_setup(test_map_health_number_of_an_id_is_its_meaning, begin),
    };

    return cmocka_run_group_tests_name("map_health", tests, NULL, NULL);
}
