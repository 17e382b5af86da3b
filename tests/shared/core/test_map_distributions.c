/* SPDX-License-Identifier: MIT */
/* Tests distributions in maps: the check and its messages, the encoding, the hash, the model, and
 * which counts continue in another version. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "map/map_bytes.h"
#include "map/map_change.h"
#include "map/map_hash.h"
#include "map/model.h"

enum { PORT_ID = 1, TIME_ID, P50_ID, COUNT_ID, MEAN_ID, BASE_ID, SIZE_ID };
enum { OTHER_ID = 50, OTHER_P50_ID, OTHER_TIME_ID };
enum { OBJECT, TIME, P50, SHOWS_P50, COUNT, SHOWS_COUNT, MEAN, SHOWS_MEAN, BASE, LINES };

static prfdata_map_entry lines[LINES + 40];
static prfdata_map map;

static int begin(void **state)
{
    static const prfdata_map_entry all[LINES] = {
        PRFDATA_MAP_OBJ(PORT_ID, L"Ports", L"P.", PERF_DETAIL_NOVICE, P50_ID, 100, 20)
            PRFDATA_MAP_DISTRIBUTION(TIME_ID, PRFDATA_UNIT_100NS, 10, 1000000000)
                PRFDATA_MAP_CTR(P50_ID, L"p50", L"p.", PERF_DETAIL_NOVICE, 0,
                                PERF_COUNTER_LARGE_RAWCOUNT) PRFDATA_MAP_PERCENTILE(TIME_ID, 5000)
                    PRFDATA_MAP_CTR(COUNT_ID, L"count", L"c.", PERF_DETAIL_NOVICE, 0,
                                    PERF_COUNTER_BULK_COUNT) PRFDATA_MAP_COUNT(TIME_ID)
                        PRFDATA_MAP_CTR(MEAN_ID, L"mean", L"m.", PERF_DETAIL_NOVICE, 0,
                                        PERF_AVERAGE_BULK) PRFDATA_MAP_MEAN(TIME_ID)
                            PRFDATA_MAP_CTR(BASE_ID, L"base", L"b.", PERF_DETAIL_NOVICE, 0,
                                            PERF_AVERAGE_BASE)};

    (void)state;
    memcpy(lines, all, sizeof all);
    map.entry_bytes = sizeof lines[0];
    map.entry_count = LINES;
    map.entries = lines;
    map.service = "Svc";
    return 0;
}

static void insert(uint32_t index, const prfdata_map_entry *line)
{
    memmove(lines + index + 1, lines + index, (map.entry_count - index) * sizeof lines[0]);
    lines[index] = *line;
    map.entry_count++;
}

static const prfdata_map_entry size_line[] = {
    PRFDATA_MAP_DISTRIBUTION_WITH(SIZE_ID, PRFDATA_UNIT_BYTES, 1, 1 << 20, 4, 10)};

static void assert_mistake(prfdata_map_rule rule, uint32_t line, const char *part)
{
    prfdata_map_mistake mistakes[4];
    char text[600];

    assert_int_equal(prfdata_map_check(&map, mistakes, 4), 1);
    assert_int_equal(mistakes[0].rule, rule);
    assert_int_equal(mistakes[0].entry_index, line);
    prfdata_map_mistake_text(&mistakes[0], text, sizeof text);
    if (!strstr(text, part))
        fail_msg("%s", text);
}

static void assert_right(void)
{
    assert_int_equal(prfdata_map_check(&map, NULL, 0), 0);
}

static void test_map_distributions_declaration_must_be_right(void **state)
{
    static const struct {
        uint64_t lowest;
        uint64_t highest;
        uint32_t unit;
        uint32_t buckets;
        uint32_t window_s;
        bool is_right;
    } tries[] = {
        {10, 1000000000, PRFDATA_UNIT_100NS, 8, 60, true},
        {0, 0, PRFDATA_UNIT_NUMBER, 32, 1, true},
        {0, INT64_MAX, PRFDATA_UNIT_BYTES, 4, 3600, true},
        {0, (uint64_t)INT64_MAX + 1, PRFDATA_UNIT_BYTES, 4, 3600, false},
        {UINT64_MAX, UINT64_MAX, PRFDATA_UNIT_BYTES, 4, 3600, false},
        {11, 10, PRFDATA_UNIT_NUMBER, 8, 60, false},
        {1, 2, 0, 8, 60, false},
        {1, 2, 4, 8, 60, false},
        {1, 2, PRFDATA_UNIT_NUMBER, 0, 60, false},
        {1, 2, PRFDATA_UNIT_NUMBER, 12, 60, false},
        {1, 2, PRFDATA_UNIT_NUMBER, 8, 0, false},
        {1, 2, PRFDATA_UNIT_NUMBER, 8, 3601, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        lines[TIME].lowest = tries[i].lowest;
        lines[TIME].highest = tries[i].highest;
        lines[TIME].unit = tries[i].unit;
        lines[TIME].buckets_per_octave = tries[i].buckets;
        lines[TIME].window_s = tries[i].window_s;
        if (tries[i].is_right)
            assert_right();
        else
            assert_mistake(
                PRFDATA_MAP_RULE_DISTRIBUTION, TIME,
                "at most 9223372036854775807; the buckets per octave must be 4, 8, 16 or 32");
    }
}

static void test_map_distributions_an_object_has_sixteen_at_most(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PRFDATA_MAX_DISTRIBUTIONS - 1; i++) {
        prfdata_map_entry line = size_line[0];

        line.id = 100 + i;
        insert(TIME + 1, &line);
        assert_right();
    }
    insert(TIME, size_line);
    assert_mistake(PRFDATA_MAP_RULE_DISTRIBUTION, TIME + PRFDATA_MAX_DISTRIBUTIONS,
                   "at most 16 distributions");
}

/* An instance needs 8,000 bytes; the limit is 16 MiB. */
static void test_map_distributions_memory_is_bounded(void **state)
{
    (void)state;
    lines[OBJECT].max_instances = PRFDATA_MAX_DISTRIBUTIONS_BYTES / 8000;
    assert_right();
    lines[OBJECT].max_instances++;
    assert_mistake(PRFDATA_MAP_RULE_DISTRIBUTION_BYTES, TIME, "16 MiB in a region, this one 8000");
    lines[OBJECT].max_instances = 1600;
    assert_right();
    insert(TIME + 1, size_line);
    assert_mistake(PRFDATA_MAP_RULE_DISTRIBUTION_BYTES, TIME + 1, "for each instance");
}

static void test_map_distributions_ids_are_unique(void **state)
{
    (void)state;
    lines[TIME].id = lines[SHOWS_P50].id = lines[SHOWS_COUNT].id = lines[SHOWS_MEAN].id = P50_ID;
    assert_mistake(PRFDATA_MAP_RULE_DUPLICATE_ID, P50, "id");
    begin(NULL);
    lines[TIME].id = lines[SHOWS_P50].id = lines[SHOWS_COUNT].id = lines[SHOWS_MEAN].id = PORT_ID;
    assert_mistake(PRFDATA_MAP_RULE_DUPLICATE_ID, TIME, "id");
    begin(NULL);
    insert(TIME, &lines[TIME]);
    assert_mistake(PRFDATA_MAP_RULE_DUPLICATE_ID, TIME + 1, "id");
}

static void test_map_distributions_counters_show_one_of_their_object(void **state)
{
    static const prfdata_map_entry other[] = {
        PRFDATA_MAP_OBJ(OTHER_ID, L"Other", L"O.", PERF_DETAIL_NOVICE, OTHER_P50_ID,
                        PERF_NO_INSTANCES, 0)
            PRFDATA_MAP_DISTRIBUTION(OTHER_TIME_ID, PRFDATA_UNIT_NUMBER, 1, 9) PRFDATA_MAP_CTR(
                OTHER_P50_ID, L"o", L"o.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
                PRFDATA_MAP_PERCENTILE(OTHER_TIME_ID, 5000)};

    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        insert(map.entry_count, &other[i]);
    assert_right();
    lines[SHOWS_P50].id = OTHER_TIME_ID;
    assert_mistake(PRFDATA_MAP_RULE_SHOWN, SHOWS_P50, "the distribution 52 must be declared");
    lines[SHOWS_P50].id = 4711;
    assert_mistake(PRFDATA_MAP_RULE_SHOWN, SHOWS_P50, "4711");
}

static void test_map_distributions_share_of_a_percentile_is_checked(void **state)
{
    (void)state;
    for (uint64_t share = 0; share <= 10001; share += 10001) {
        lines[SHOWS_P50].highest = share;
        assert_mistake(PRFDATA_MAP_RULE_SHOWN, SHOWS_P50, "1 to 10,000");
    }
    lines[SHOWS_P50].highest = 10000;
    assert_right();
    lines[SHOWS_P50].highest = 1;
    assert_right();
}

static prfdata_model *make_model(void)
{
    prfdata_model *model;

    assert_int_equal(prfdata_model_make(&map, &model), ERROR_SUCCESS);
    return model;
}

static void test_map_distributions_model_places_them_after_the_counters(void **state)
{
    const prfdata_model_object *object;
    const prfdata_model_object *found;
    prfdata_model *model;

    (void)state;
    insert(TIME + 1, size_line);
    model = make_model();
    object = &model->objects[0];
    assert_int_equal(object->distribution_count, 2);
    assert_int_equal(object->stored_count, 4);
    assert_int_equal(object->distributions[0].first_cell, 4);
    assert_int_equal(object->distributions[0].bytes_offset, 0);
    assert_int_equal(object->distributions[1].first_cell,
                     4 + object->distributions[0].shape.bucket_count + 1);
    assert_int_equal(object->distributions[1].bytes_offset, 8000);
    assert_int_equal(object->cell_count, object->distributions[1].first_cell +
                                             object->distributions[1].shape.bucket_count + 1);
    assert_int_equal(object->distributions_bytes % 64, 0);
    for (uint32_t i = 0; i < object->counter_count; i++) {
        assert_non_null(object->counters[i].shows);
        assert_int_equal(object->counters[i].distribution_index, 0);
    }
    assert_int_equal(object->counters[0].merging, PRFDATA_MERGING_SUM);
    assert_int_equal(object->counters[1].merging, PRFDATA_MERGING_ACCUMULATE);
    assert_ptr_equal(prfdata_model_find_distribution(model, SIZE_ID, &found),
                     &object->distributions[1]);
    assert_ptr_equal(found, object);
    assert_null(prfdata_model_find_distribution(model, P50_ID, &found));
    prfdata_model_free(model);
}

static void test_map_distributions_are_encoded_and_decoded(void **state)
{
    static unsigned char bytes[4096], again[4096];
    prfdata_model *model;
    prfdata_map *back;
    size_t again_size;
    uint64_t hash;
    size_t size;

    (void)state;
    insert(TIME + 1, size_line);
    lines[TIME].highest = 0x123456789ABCDEF;
    lines[SHOWS_COUNT + 1].highest = 0xFEDCBA987654321;
    model = make_model();
    assert_int_equal(prfdata_map_bytes_encode(&map, model->hash, bytes, sizeof bytes, &size),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_map_bytes_decode(bytes, size, &back, &hash), ERROR_SUCCESS);
    assert_true(hash == model->hash);
    assert_int_equal(back->entries[TIME].id, TIME_ID);
    assert_int_equal(back->entries[TIME].lowest, 10);
    assert_true(back->entries[TIME].highest == 0x123456789ABCDEF);
    assert_int_equal(back->entries[TIME].unit, PRFDATA_UNIT_100NS);
    assert_int_equal(back->entries[TIME + 1].buckets_per_octave, 4);
    assert_int_equal(back->entries[TIME + 1].window_s, 10);
    assert_int_equal(back->entries[SHOWS_P50 + 1].highest, 5000);
    assert_true(back->entries[SHOWS_COUNT + 1].highest == 0xFEDCBA987654321);
    assert_int_equal(prfdata_map_bytes_encode(back, hash, again, sizeof again, &again_size),
                     ERROR_SUCCESS);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    for (size_t cut = 0; cut < size; cut++) {
        prfdata_map *none;

        assert_int_equal(prfdata_map_bytes_decode(bytes, cut, &none, &hash), ERROR_INVALID_DATA);
    }
    free(back);
    prfdata_model_free(model);
}

static uint64_t hash_now(void)
{
    prfdata_model *model = make_model();
    const uint64_t hash = model->hash;

    prfdata_model_free(model);
    return hash;
}

/* The hash includes everything that changes the bytes of a region or the meaning of a baseline. */
static void test_map_distributions_hash_covers_what_regions_depend_on(void **state)
{
    const uint64_t before = hash_now();

    (void)state;
#define CHANGES(change)                                                                            \
    do {                                                                                           \
        begin(NULL);                                                                               \
        change;                                                                                    \
        assert_true(hash_now() != before);                                                         \
    } while (0)
    CHANGES(lines[TIME].highest *= 4);
    CHANGES(lines[TIME].lowest *= 4);
    /* The number of buckets stays, but their limits change. */
    CHANGES((lines[TIME].lowest *= 2, lines[TIME].highest *= 2));
    CHANGES(lines[TIME].buckets_per_octave = 16);
    CHANGES(lines[TIME].window_s = 30);
    CHANGES(lines[TIME].unit = PRFDATA_UNIT_NUMBER);
    CHANGES(lines[TIME].id = lines[SHOWS_P50].id = lines[SHOWS_COUNT].id = lines[SHOWS_MEAN].id =
                50);
    CHANGES(lines[SHOWS_COUNT].highest = 5000);
    CHANGES(lines[SHOWS_COUNT].option = PRFDATA_OPTION_SUM);
    CHANGES(insert(TIME + 1, size_line));
    begin(NULL);
    lines[SHOWS_P50].highest = 9900; /* the same regions can show another percentile */
    assert_true(hash_now() == before);
    lines[TIME].highest++; /* the new limit is in the same bucket */
    assert_true(hash_now() == before);
}

static void test_map_distributions_go_on_if_their_buckets_do(void **state)
{
    prfdata_model *from = make_model();
    prfdata_model *to = make_model();
    const prfdata_model_distribution *former = &from->objects[0].distributions[0];
    prfdata_model_distribution other = to->objects[0].distributions[0];
    prfdata_map_entry unit = *other.entry;

    (void)state;
    assert_true(prfdata_map_change_distribution_goes_on(former, &other));
    other.shape.bucket_count++;
    assert_false(prfdata_map_change_distribution_goes_on(former, &other));
    other.shape.bucket_count--;
    other.shape.epoch_factor++;
    assert_false(prfdata_map_change_distribution_goes_on(former, &other));
    other.shape.epoch_factor--;
    other.shape.first_bucket++;
    assert_false(prfdata_map_change_distribution_goes_on(former, &other));
    other.shape.first_bucket--;
    other.shape.octave_bits++;
    assert_false(prfdata_map_change_distribution_goes_on(former, &other));
    other.shape.octave_bits--;
    unit.unit = PRFDATA_UNIT_BYTES;
    other.entry = &unit;
    assert_false(prfdata_map_change_distribution_goes_on(former, &other));
    prfdata_model_free(from);
    prfdata_model_free(to);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_map_distributions_declaration_must_be_right),
        TEST(test_map_distributions_an_object_has_sixteen_at_most),
        TEST(test_map_distributions_memory_is_bounded),
        TEST(test_map_distributions_ids_are_unique),
        TEST(test_map_distributions_counters_show_one_of_their_object),
        TEST(test_map_distributions_share_of_a_percentile_is_checked),
        TEST(test_map_distributions_model_places_them_after_the_counters),
        TEST(test_map_distributions_are_encoded_and_decoded),
        TEST(test_map_distributions_hash_covers_what_regions_depend_on),
        TEST(test_map_distributions_go_on_if_their_buckets_do),
    };

    return cmocka_run_group_tests_name("map_distributions", tests, NULL, NULL);
}
