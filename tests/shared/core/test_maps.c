/* SPDX-License-Identifier: MIT */
/* Tests maps.c against docs/map-bytes.md, "The value Maps": each rule, and what an installation
 * keeps. */
#include <stdlib.h>
#include <string.h>

#include "map/map_bytes.h"
#include "map/maps.h"
#include "support/encoded_map.h"
#include "support/sample_map.h"
#include "support/test.h"

static sample_map sample;

/* The value that the last installation wrote. */
static void *value;
static size_t value_bytes;
static uint32_t dropped;

static int begin(void **state)
{
    (void)state;
    sample_map_init(&sample);
    value = NULL;
    value_bytes = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(value);
    return 0;
}

/* Make the value that an installation of the sample writes. Returns the map's hash. */
static uint64_t install(void)
{
    prfdata_model *model;
    void *made = NULL;
    size_t size = 0;
    uint64_t hash;

    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_maps_update(model, value, value_bytes, NULL, &made, &size, &dropped),
                     ERROR_SUCCESS);
    hash = model->hash;
    prfdata_model_free(model);
    free(value);
    value = made;
    value_bytes = size;
    return hash;
}

/* Install another version, in which TAKEN has the id 1000 + `number`. */
static uint64_t install_version(uint32_t number)
{
    sample.entries[TAKEN].id = 1000 + number;
    sample.entries[CONSUMERS].default_counter = 1000 + number;
    return install();
}

/* Parse a copy in its own allocation, so that the sanitizer notices a read after its end. */
static uint32_t parse(size_t size, prfdata_maps *maps)
{
    uint8_t *copy = malloc(size + 1);
    uint32_t error;

    assert_non_null(copy);
    memcpy(copy + 1, value, size);
    error = prfdata_maps_parse(copy + 1, size, maps);
    free(copy);
    return error;
}

static prfdata_maps parsed(void)
{
    prfdata_maps maps;

    assert_int_equal(prfdata_maps_parse(value, value_bytes, &maps), ERROR_SUCCESS);
    return maps;
}

static uint8_t *at(size_t offset)
{
    return (uint8_t *)value + offset;
}

static void assert_refused(uint32_t error)
{
    prfdata_maps maps;

    memset(&maps, 0x5A, sizeof maps);
    assert_int_equal(parse(value_bytes, &maps), error);
    assert_int_equal(maps.count, 0x5A5A5A5A); /* parsing has not changed `maps` */
}

static uint32_t decode_present(void)
{
    prfdata_model *model = NULL;
    uint8_t *copy = malloc(value_bytes);
    uint32_t error;

    assert_non_null(copy);
    memcpy(copy, value, value_bytes);
    error = prfdata_maps_current(copy, value_bytes, &model);
    prfdata_model_free(model);
    free(copy);
    return error;
}

static void lengthen(size_t count)
{
    uint8_t *longer = realloc(value, value_bytes + count);

    assert_non_null(longer);
    value = longer;
    memset(longer + value_bytes, 7, count);
    value_bytes += count;
    prfdata_bytes_put(longer + 8, value_bytes, 4);
}

/* ---- The value that an installation writes ---- */

static void test_maps_first_installation_has_the_map_with_its_texts(void **state)
{
    unsigned char bytes[4096];
    size_t size;
    prfdata_maps maps;

    (void)state;
    install();
    assert_int_equal(dropped, 0);
    maps = parsed();
    assert_int_equal(maps.count, 1);
    assert_int_equal(encode_map(&sample.map, bytes, sizeof bytes, &size), ERROR_SUCCESS);
    assert_int_equal(maps.entries[0].size, size);
    assert_memory_equal(maps.entries[0].bytes, bytes, size);
}

static void test_maps_earlier_ones_follow_the_newest_first(void **state)
{
    const uint64_t first = install();
    const uint64_t second = install_version(1);
    const uint64_t third = install_version(2);
    const prfdata_maps maps = parsed();

    (void)state;
    assert_int_equal(maps.count, 3);
    assert_true(maps.entries[0].hash == third);
    assert_true(maps.entries[1].hash == second);
    assert_true(maps.entries[2].hash == first);
    assert_true(prfdata_maps_have(&maps, first));
    assert_false(prfdata_maps_have(&maps, first + 1));
}

/* The structure of an earlier map is kept, so that its regions can be read. Its texts are dropped,
 * because they are most of its size. */
static void test_maps_an_earlier_one_is_kept_without_its_texts(void **state)
{
    const prfdata_map_entry *entries;
    prfdata_model *model;
    prfdata_maps maps;

    (void)state;
    sample_map_insert_option(&sample, DEPTH_MAX, PRFDATA_OPTION_METRIC, 0);
    sample.entries[DEPTH_MAX].name = L"queue_depth";
    sample.entries[DEPTH_MAX].help = L"";
    install();
    sample_map_remove(&sample, DEPTH_MAX);
    sample.entries[QUEUES].help = L"Another help: another version of the texts only.";
    install_version(1);
    maps = parsed();
    assert_int_equal(prfdata_model_from_bytes(maps.entries[1].bytes, maps.entries[1].size, &model),
                     ERROR_SUCCESS);
    assert_true(model->hash == maps.entries[1].hash);
    entries = model->map->entries;
    assert_int_equal(model->map->entry_count, SAMPLE_ENTRIES);
    assert_string_equal(entries[JOBS].symbol, "I4");
    assert_int_equal(wcscmp(entries[JOBS].name, L"I4"), 0);
    assert_int_equal(wcscmp(entries[JOBS].help, L"-"), 0);
    assert_int_equal(entries[JOBS].id, 102);
    assert_int_equal(entries[JOBS].type, PERF_COUNTER_BULK_COUNT);
    assert_int_equal(entries[QUEUES].max_instances, 16);
    prfdata_model_free(model);
}

static void test_maps_ten_alternations_make_two(void **state)
{
    uint64_t hashes[2] = {0, 0};
    size_t size = 0;

    (void)state;
    for (uint32_t i = 0; i < 10; i++) {
        hashes[i % 2] = install_version(i % 2);
        assert_int_equal(dropped, 0);
        if (i >= 2 && i % 2 == 0) {
            if (size)
                assert_int_equal(value_bytes, size);
            size = value_bytes;
        }
    }
    assert_int_equal(parsed().count, 2);
    assert_true(parsed().entries[0].hash == hashes[1]);
    assert_true(parsed().entries[1].hash == hashes[0]);
}

/* Other names and capacities do not make another version, so the former map is not kept. */
static void test_maps_same_hash_replaces_the_map(void **state)
{
    prfdata_model *model;

    (void)state;
    install();
    sample.entries[JOBS].name = L"Tasks/sec";
    sample.entries[QUEUES].max_instances = 3000;
    install();
    assert_int_equal(parsed().count, 1);
    assert_int_equal(prfdata_maps_current(value, value_bytes, &model), ERROR_SUCCESS);
    assert_int_equal(wcscmp(model->map->entries[JOBS].name, L"Tasks/sec"), 0);
    prfdata_model_free(model);
}

static void test_maps_an_earlier_one_that_occurs_twice_is_kept_once(void **state)
{
    uint64_t hashes[2];
    prfdata_maps maps;

    (void)state;
    hashes[0] = install_version(1);
    install_version(2);
    install_version(3);
    maps = parsed();
    assert_int_equal(maps.entries[1].size, maps.entries[2].size);
    memcpy(at((size_t)((const uint8_t *)maps.entries[1].bytes - (const uint8_t *)value)),
           maps.entries[2].bytes, maps.entries[2].size);
    hashes[1] = install_version(4);
    assert_int_equal(dropped, 0);
    assert_int_equal(parsed().count, 3);
    assert_true(parsed().entries[0].hash == hashes[1]);
    assert_true(parsed().entries[2].hash == hashes[0]);
}

static void test_maps_a_tenth_drops_the_oldest_and_says_so(void **state)
{
    uint64_t hashes[12];

    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        hashes[i] = install_version(i);
        assert_int_equal(dropped, i >= PRFDATA_MAX_MAPS);
    }
    assert_int_equal(parsed().count, PRFDATA_MAX_MAPS);
    for (uint32_t i = 0; i < PRFDATA_MAX_MAPS; i++)
        assert_true(parsed().entries[i].hash == hashes[11 - i]);
}

static void test_maps_senseless_former_value_counts_as_dropped(void **state)
{
    (void)state;
    install();
    memset(value, 0x50, value_bytes);
    install_version(1);
    assert_int_equal(dropped, 1);
    assert_int_equal(parsed().count, 1);
}

/* Damages every third byte, one at a time. Every map that does not contain the damaged byte is
 * kept. */
static void test_maps_of_a_damaged_value_each_whole_one_is_kept(void **state)
{
    uint8_t *good;
    size_t size;
    prfdata_maps maps;

    (void)state;
    install();
    install_version(1);
    install_version(2);
    maps = parsed();
    size = value_bytes;
    good = malloc(size);
    assert_non_null(good);
    memcpy(good, value, size);
    for (size_t i = 0; i < size; i += 3) {
        prfdata_maps salvaged;

        *at(i) ^= 0xA5;
        prfdata_maps_salvage(value, value_bytes, &salvaged);
        for (uint32_t m = 0; m < maps.count; m++) {
            const size_t from = (size_t)(maps.entries[m].bytes - (const uint8_t *)value);

            if (i < from || i >= from + maps.entries[m].size)
                assert_true(prfdata_maps_have(&salvaged, maps.entries[m].hash));
        }
        assert_in_range(salvaged.count, 2, 3);
        memcpy(value, good, size);
    }
    *at(0) ^= 1;
    install_version(3);
    assert_int_equal(dropped, 0);
    assert_int_equal(parsed().count, 4);
    free(good);
}

static void test_maps_damaged_earlier_map_counts_as_dropped(void **state)
{
    (void)state;
    install();
    *at(PRFDATA_MAPS_HEADER + 4 + 16) ^= 1; /* the map's hash */
    install_version(1);
    assert_int_equal(dropped, 1);
    assert_int_equal(parsed().count, 1);
}

/* The map has almost the greatest size that is allowed. If it became an earlier map, texts such as
 * `I100` would replace its texts of three characters. It would then be too large. */
static void test_maps_earlier_map_that_grows_too_large_is_dropped(void **state)
{
    static char symbols[2400][4];
    static wchar_t names[2400][4];

    (void)state;
    sample_map_remove(&sample, TAKEN); /* leaves only the first two objects */
    sample_map_remove(&sample, CONSUMERS_PARENT);
    sample_map_remove(&sample, CONSUMERS);
    for (uint32_t i = 0, objects = 0; prfdata_map_bytes_size(&sample.map) < 65400; i++) {
        static const char digits[] = "abcdefghijklmnopqrstuvwxyz";
        prfdata_map_entry counter = sample_map_counter(100000 + i, PERF_COUNTER_BULK_COUNT);

        for (uint32_t k = 0, rest = i; k < 3; k++, rest /= 26) {
            symbols[i][k] = digits[rest % 26];
            names[i][k] = (wchar_t)digits[rest % 26];
        }
        counter.symbol = symbols[i];
        counter.name = names[i];
        counter.help = L"x";
        if (i % 900 == 0) {
            prfdata_map_entry object = counter;

            object.kind = PRFDATA_ENTRY_OBJECT;
            object.id = 200000 + objects++;
            object.type = 0;
            object.max_instances = PERF_NO_INSTANCES;
            object.default_counter = 100001 + i;
            sample_map_insert(&sample, sample.map.entry_count, &object);
        } else {
            sample_map_insert(&sample, sample.map.entry_count, &counter);
        }
    }
    install();
    sample_map_init(&sample);
    install();
    assert_int_equal(dropped, 1);
    assert_int_equal(parsed().count, 1);
}

/* ---- docs/map-bytes.md, rules V1 to V7 ---- */

static void test_maps_every_truncation_is_refused(void **state)
{
    prfdata_maps maps;

    (void)state;
    install();
    install_version(1);
    for (size_t size = 0; size < value_bytes; size++)
        assert_int_equal(parse(size, &maps), ERROR_INVALID_DATA);
    assert_int_equal(parse(value_bytes, &maps), ERROR_SUCCESS);
}

static void test_maps_rule_v1_magic(void **state)
{
    (void)state;
    install();
    *at(3) ^= 0x20;
    assert_refused(ERROR_INVALID_DATA);
}

static void test_maps_rule_v2_other_format(void **state)
{
    (void)state;
    install();
    *at(4) = 3;
    assert_refused(ERROR_REVISION_MISMATCH);
    *at(4) = 1; /* major 1 had no numbers of titles */
    assert_refused(ERROR_REVISION_MISMATCH);
}

static void test_maps_rule_v3_sizes_and_counts(void **state)
{
    (void)state;
    install();
    *at(8) ^= 1;
    assert_refused(ERROR_INVALID_DATA);
    *at(8) ^= 1;
    *at(12) = 0;
    assert_refused(ERROR_INVALID_DATA);
    *at(12) = 2; /* there is only one map */
    assert_refused(ERROR_INVALID_DATA);
    *at(12) = PRFDATA_MAX_MAPS + 1;
    assert_refused(ERROR_INVALID_DATA);
    *at(15) = 1;
    assert_refused(ERROR_INVALID_DATA);
}

static void test_maps_rule_v4_map_beyond_the_end_or_too_short(void **state)
{
    (void)state;
    install();
    *at(PRFDATA_MAPS_HEADER) += 1;
    assert_int_equal(decode_present(), ERROR_INVALID_DATA);
    *at(PRFDATA_MAPS_HEADER + 3) = 0xFF;
    assert_refused(ERROR_INVALID_DATA);
    memset(at(PRFDATA_MAPS_HEADER), 0, 4);
    *at(PRFDATA_MAPS_HEADER) = 23;
    assert_refused(ERROR_INVALID_DATA);
}

static void test_maps_rule_v5_more_follows_only_in_a_later_minor(void **state)
{
    (void)state;
    install();
    assert_int_equal(decode_present(), ERROR_SUCCESS);
    lengthen(1);
    assert_int_equal(decode_present(), ERROR_INVALID_DATA);
    *at(6) = 1;
    assert_int_equal(decode_present(), ERROR_SUCCESS);
    /* Cuts the last number, so the value has fewer numbers than it states. */
    value_bytes -= 2;
    prfdata_bytes_put(at(8), value_bytes, 4);
    assert_int_equal(decode_present(), ERROR_INVALID_DATA);
}

/* The sample has eight titles. Their numbers are at the end. */
static void test_maps_rule_v6_as_many_numbers_as_titles_at_least(void **state)
{
    (void)state;
    install();
    assert_int_equal(parsed().numbers.size, 4 + 8 * 4);
    for (uint32_t count = 0; count < 8; count++) {
        prfdata_bytes_put(at(value_bytes - 36), count, 4);
        assert_int_equal(decode_present(), ERROR_INVALID_DATA);
    }
    prfdata_bytes_put(at(value_bytes - 36), PRFDATA_MAX_TITLE_NUMBERS + 1, 4);
    lengthen((PRFDATA_MAX_TITLE_NUMBERS + 1 - 8) * PRFDATA_MAPS_UNUSED_BYTES);
    assert_int_equal(decode_present(), ERROR_INVALID_DATA);
}

static void test_maps_rule_v7_each_title_has_a_number_of_its_own(void **state)
{
    (void)state;
    install();
    *at(value_bytes - 4) = 8; /* only 0 to 7 are valid */
    assert_int_equal(decode_present(), ERROR_INVALID_DATA);
    *at(value_bytes - 4) = 6; /* another title has this number */
    assert_int_equal(decode_present(), ERROR_INVALID_DATA);
    *at(value_bytes - 4) = 7;
    assert_int_equal(decode_present(), ERROR_SUCCESS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_maps_first_installation_has_the_map_with_its_texts),
        TEST(test_maps_earlier_ones_follow_the_newest_first),
        TEST(test_maps_an_earlier_one_is_kept_without_its_texts),
        TEST(test_maps_ten_alternations_make_two),
        TEST(test_maps_same_hash_replaces_the_map),
        TEST(test_maps_an_earlier_one_that_occurs_twice_is_kept_once),
        TEST(test_maps_a_tenth_drops_the_oldest_and_says_so),
        TEST(test_maps_senseless_former_value_counts_as_dropped),
        TEST(test_maps_of_a_damaged_value_each_whole_one_is_kept),
        TEST(test_maps_damaged_earlier_map_counts_as_dropped),
        TEST(test_maps_earlier_map_that_grows_too_large_is_dropped),
        TEST(test_maps_every_truncation_is_refused),
        TEST(test_maps_rule_v1_magic),
        TEST(test_maps_rule_v2_other_format),
        TEST(test_maps_rule_v3_sizes_and_counts),
        TEST(test_maps_rule_v4_map_beyond_the_end_or_too_short),
        TEST(test_maps_rule_v5_more_follows_only_in_a_later_minor),
        TEST(test_maps_rule_v6_as_many_numbers_as_titles_at_least),
        TEST(test_maps_rule_v7_each_title_has_a_number_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
