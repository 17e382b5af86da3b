/* SPDX-License-Identifier: MIT */
/* Tests map_bytes.c, map_hash.c and the check against docs/map-bytes.md: each rule, every
 * truncation and every changed byte. */
#include <stdlib.h>
#include <string.h>

#include "map/map_bytes.h"
#include "support/encoded_map.h"
#include "support/golden.h"
#include "support/sample_map.h"
#include "support/sampled.h"
#include "support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Offsets by docs/map-bytes.md. */
enum {
    MAGIC = 0,
    MAJOR = 4,
    MINOR = 6,
    TOTAL_BYTES = 8,
    ENTRY_COUNT = 12,
    HASH = 16,
    SERVICE = 24
};

static sample_map sample;
static unsigned char valid[4096];
static size_t valid_bytes;

static int begin(void **state)
{
    (void)state;
    sample_map_init(&sample);
    return encode_map(&sample.map, valid, sizeof(valid), &valid_bytes) == ERROR_SUCCESS ? 0 : -1;
}

/* Decode bytes in their own allocation, so that the sanitizer notices a read after their end. */
static uint32_t decode(const unsigned char *bytes, size_t size, prfdata_map **map)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);
    uint32_t status;

    assert_non_null(copy);
    memcpy(copy, bytes, size);
    status = decode_map(size > 0 ? copy : copy + 1, size, map);
    free(copy);
    return status;
}

static void assert_refused(uint32_t status)
{
    prfdata_map *const untouched = (prfdata_map *)&sample;
    prfdata_map *map = untouched;

    assert_int_equal(decode(valid, valid_bytes, &map), status);
    assert_ptr_equal(map, untouched);
}

static void put32(size_t offset, uint32_t number)
{
    for (size_t i = 0; i < 4; i++)
        valid[offset + i] = (unsigned char)(number >> (8 * i));
}

static void append(unsigned char byte)
{
    valid[valid_bytes++] = byte;
    put32(TOTAL_BYTES, (uint32_t)valid_bytes);
}

/* ---- Round trip and golden bytes ---- */

static void assert_equal_text(const wchar_t *a, const wchar_t *b)
{
    assert_true(a == b || wcscmp(a ? a : L"", b ? b : L"") == 0);
}

static void assert_equal_maps(const prfdata_map *a, const prfdata_map *b)
{
    assert_int_equal(a->entry_bytes, b->entry_bytes);
    assert_int_equal(a->entry_count, b->entry_count);
    assert_string_equal(a->service, b->service);
    for (uint32_t i = 0; i < a->entry_count; i++) {
        const prfdata_map_entry *left = &a->entries[i], *right = &b->entries[i];

        assert_int_equal(left->kind, right->kind);
        assert_int_equal(left->id, right->id);
        assert_string_equal(left->symbol, right->symbol);
        assert_equal_text(left->name, right->name);
        assert_equal_text(left->help, right->help);
        assert_int_equal(left->detail_level, right->detail_level);
        assert_int_equal(left->default_counter, right->default_counter);
        assert_int_equal(left->max_instances, right->max_instances);
        assert_int_equal(left->max_name_chars, right->max_name_chars);
        assert_int_equal(left->default_scale, right->default_scale);
        assert_int_equal(left->type, right->type);
        assert_int_equal(left->option, right->option);
    }
}

static void test_map_bytes_round_trip_gives_the_map_back(void **state)
{
    prfdata_map *map;

    (void)state;
    assert_int_equal(decode(valid, valid_bytes, &map), ERROR_SUCCESS);
    assert_equal_maps(map, &sample.map);
    free(map);
}

static void test_map_bytes_round_trip_of_every_option_and_long_texts(void **state)
{
    wchar_t help[901];
    prfdata_map *map;

    (void)state;
    for (size_t i = 0; i < 900; i++)
        help[i] = 0x20AC; /* three bytes each: the longest possible help */
    help[900] = 0;
    sample.entries[QUEUES].name = L"\u00E4\u20AC\U00010437 a";
    sample.entries[DEPTH].help = help;
    sample_map_insert_option(&sample, QUEUES_TOTAL, PRFDATA_OPTION_PER_PROCESS, 0);
    sample.entries[QUEUES_TOTAL].symbol = "PRFDATA_MAP_PER_PROCESS";
    sample.entries[DEPTH_MAX + 1].option = PRFDATA_OPTION_ACCUMULATING;
    sample.entries[DEPTH_MAX + 1].symbol = "PRFDATA_MAP_ACCUMULATING";
    sample_map_insert_option(&sample, DEPTH_MAX + 1, PRFDATA_OPTION_METRIC, 0);
    sample.entries[DEPTH_MAX + 1].symbol = "PRFDATA_MAP_METRIC";
    sample.entries[DEPTH_MAX + 1].name = L"depth";
    sample.entries[DEPTH_MAX + 1].help = L"bytes";
    assert_int_equal(encode_map(&sample.map, valid, sizeof(valid), &valid_bytes), ERROR_SUCCESS);
    assert_int_equal(decode(valid, valid_bytes, &map), ERROR_SUCCESS);
    assert_equal_maps(map, &sample.map);
    free(map);
}

/* Almost all bytes are ASCII text, which needs the most wide characters for its size. */
static void test_map_bytes_decode_has_room_for_the_widest_texts(void **state)
{
    wchar_t help[901];
    prfdata_map *map;

    (void)state;
    for (size_t i = 0; i < 900; i++)
        help[i] = L'h';
    help[900] = 0;
    for (uint32_t i = 0; i < SAMPLE_ENTRIES; i++) {
        if (sample.entries[i].help)
            sample.entries[i].help = help;
    }
    {
        static unsigned char bytes[16384];
        size_t size;

        assert_int_equal(encode_map(&sample.map, bytes, sizeof(bytes), &size), ERROR_SUCCESS);
        assert_int_equal(decode(bytes, size, &map), ERROR_SUCCESS);
    }
    assert_equal_maps(map, &sample.map);
    free(map);
}

/* The map of the example in docs/map-bytes.md. */
static const prfdata_map_entry golden_entries[] = {
    {PRFDATA_ENTRY_OBJECT, 1, "Q", L"Jobs", L"All jobs.", PERF_DETAIL_NOVICE, 2, 4, 10, 0, 0, 0, 0,
     0, 0, 0, 0},
    {PRFDATA_ENTRY_OPTION, 0, "PRFDATA_MAP_TOTAL", NULL, NULL, 0, 0, 0, 0, 0, 0,
     PRFDATA_OPTION_TOTAL, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_COUNTER, 2, "D", L"Gr\u00F6\u00DFe/sec", L"Size.", PERF_DETAIL_ADVANCED, 0, 0, 0,
     -1, PERF_COUNTER_BULK_COUNT, 0, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_OPTION, 0, "PRFDATA_MAP_METRIC", L"size", L"bytes", 0, 0, 0, 0, 0, 0,
     PRFDATA_OPTION_METRIC, 0, 0, 0, 0, 0},
};
static const prfdata_map golden_map = {sizeof(prfdata_map_entry), COUNT(golden_entries),
                                       golden_entries, "Svc"};

static void test_map_bytes_golden_map_is_encoded_as_specified(void **state)
{
    unsigned char expected[256], bytes[256];
    size_t expected_bytes = golden_read("map_bytes.hex", expected, sizeof(expected));
    size_t size;

    (void)state;
    assert_int_equal(encode_map(&golden_map, bytes, sizeof(bytes), &size), ERROR_SUCCESS);
    assert_int_equal(size, expected_bytes);
    assert_memory_equal(bytes, expected, size);
}

static void test_map_bytes_golden_bytes_are_decoded_as_specified(void **state)
{
    unsigned char bytes[256];
    prfdata_map *map;

    (void)state;
    assert_int_equal(decode(bytes, golden_read("map_bytes.hex", bytes, sizeof(bytes)), &map),
                     ERROR_SUCCESS);
    assert_equal_maps(map, &golden_map);
    free(map);
}

static void test_map_bytes_specification_shows_the_golden_bytes(void **state)
{
    char *golden = golden_text("tests/golden/map_bytes.hex");
    char *page = golden_text("docs/map-bytes.md");

    (void)state;
    assert_non_null(strstr(page, golden));
    free(golden);
    free(page);
}

/* ---- Encoding ---- */

static void test_map_bytes_encode_any_capacity_writes_all_or_nothing(void **state)
{
    (void)state;
    for (size_t capacity = 0; capacity <= valid_bytes + 1; capacity++) {
        unsigned char *bytes = malloc(capacity + (capacity == 0));
        size_t size = 0;
        uint32_t status;

        assert_non_null(bytes);
        memset(bytes, 0xEE, capacity);
        status = encode_map(&sample.map, capacity > 0 ? bytes : NULL, capacity, &size);
        assert_int_equal(size, valid_bytes);
        if (capacity < valid_bytes) {
            assert_int_equal(status, ERROR_INSUFFICIENT_BUFFER);
            for (size_t i = 0; i < capacity; i++)
                assert_int_equal(bytes[i], 0xEE);
        } else {
            assert_int_equal(status, ERROR_SUCCESS);
            assert_memory_equal(bytes, valid, valid_bytes);
        }
        free(bytes);
    }
}

static void test_map_bytes_encode_wrong_map_leaves_size_alone(void **state)
{
    size_t size = 77;

    (void)state;
    sample.map.service = "";
    assert_int_equal(encode_map(&sample.map, valid, sizeof(valid), &size), ERROR_INVALID_PARAMETER);
    assert_int_equal(size, 77);
    assert_int_equal(encode_map(NULL, valid, sizeof(valid), &size), ERROR_INVALID_PARAMETER);
}

/* ---- The rules of map-bytes.md ---- */

static void test_map_bytes_rule_m1_header_is_complete(void **state)
{
    (void)state;
    for (valid_bytes = 0; valid_bytes < SERVICE; valid_bytes++)
        assert_refused(ERROR_INVALID_DATA);
    assert_int_equal(decode_map(NULL, 0, NULL), ERROR_INVALID_DATA);
}

static void test_map_bytes_rule_m2_magic(void **state)
{
    (void)state;
    valid[MAGIC] ^= 1;
    valid[MAJOR] = 2; /* bytes of another kind have no version */
    assert_refused(ERROR_INVALID_DATA);
}

static void test_map_bytes_rule_m3_another_major_is_a_later_format(void **state)
{
    prfdata_map *map;

    (void)state;
    for (uint8_t major = 1; major <= PRFDATA_MAP_BYTES_MAJOR;
         major++) { /* an earlier major version is valid, too */
        valid[MAJOR] = major;
        assert_int_equal(decode_map(valid, valid_bytes, &map), ERROR_SUCCESS);
        free(map);
    }
    valid[MAJOR] = PRFDATA_MAP_BYTES_MAJOR + 1;
    valid[TOTAL_BYTES] ^= 1; /* the sizes of another version are unknown */
    assert_refused(ERROR_REVISION_MISMATCH);
    valid[MAJOR] = 0;
    assert_refused(ERROR_REVISION_MISMATCH);
    valid[MAJOR] = 1;
    valid[MAJOR + 1] = 1;
    assert_refused(ERROR_REVISION_MISMATCH);
}

static void test_map_bytes_rule_m4_total_bytes_are_all_bytes(void **state)
{
    (void)state;
    put32(TOTAL_BYTES, (uint32_t)valid_bytes - 1);
    assert_refused(ERROR_INVALID_DATA);
    put32(TOTAL_BYTES, (uint32_t)valid_bytes + 1);
    assert_refused(ERROR_INVALID_DATA);
}

/* A later minor version may have more bytes, but not more than 64 KiB. */
static void test_map_bytes_rule_m5_at_most_64_kib(void **state)
{
    unsigned char *bytes = calloc(1, 65537);
    prfdata_map *map;

    (void)state;
    assert_non_null(bytes);
    put32(TOTAL_BYTES, 65536);
    valid[MINOR] = 1;
    memcpy(bytes, valid, valid_bytes);
    assert_int_equal(decode(bytes, 65536, &map), ERROR_SUCCESS);
    free(map);
    bytes[TOTAL_BYTES]++;
    assert_int_equal(decode(bytes, 65537, &map), ERROR_INVALID_DATA);
    free(bytes);
}

static void test_map_bytes_rule_m6_entries_end_with_the_bytes(void **state)
{
    (void)state;
    append(0);
    assert_refused(ERROR_INVALID_DATA);
}

static void test_map_bytes_rule_m6_later_minor_may_append(void **state)
{
    prfdata_map *map;

    (void)state;
    append(1);
    append(2);
    valid[MINOR] = 1;
    assert_int_equal(decode(valid, valid_bytes, &map), ERROR_SUCCESS);
    assert_equal_maps(map, &sample.map);
    free(map);
    valid[MINOR] = 0xFF;
    valid[MINOR + 1] = 0xFF;
    assert_int_equal(decode(valid, valid_bytes, &map), ERROR_SUCCESS);
    free(map);
}

static void test_map_bytes_rule_m7_entry_count_is_that_of_the_bytes(void **state)
{
    static const uint32_t counts[] = {0, SAMPLE_ENTRIES - 1, SAMPLE_ENTRIES + 1, 0x10000,
                                      UINT32_MAX};

    (void)state;
    for (size_t i = 0; i < COUNT(counts); i++) {
        put32(ENTRY_COUNT, counts[i]);
        assert_refused(ERROR_INVALID_DATA);
    }
}

/* The first entry begins with its kind, after the service "MyService". */
static void test_map_bytes_rule_m8_unknown_kind_is_refused(void **state)
{
    size_t first = SERVICE + 2 + 9;

    (void)state;
    assert_int_equal(valid[first], PRFDATA_ENTRY_OBJECT);
    valid[first] = 4;
    assert_refused(ERROR_INVALID_DATA);
    valid[first] = 0;
    assert_refused(ERROR_INVALID_DATA);
}

static void test_map_bytes_rule_m9_text_sizes_stay_inside(void **state)
{
    (void)state;
    valid[SERVICE] = 0xFF;
    valid[SERVICE + 1] = 0xFF;
    assert_refused(ERROR_INVALID_DATA);
}

static size_t find(const char *text)
{
    for (size_t i = 0; i + strlen(text) <= valid_bytes; i++) {
        if (memcmp(valid + i, text, strlen(text)) == 0)
            return i;
    }
    fail_msg("%s is not there", text);
    return 0;
}

static void test_map_bytes_rule_m10_texts_are_utf8_without_nul(void **state)
{
    static const char *const texts[] = {"MyService", "QUEUES", "My Queues", "The queues"};

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        size_t place;

        begin(NULL);
        place = find(texts[i]);
        valid[place + 2] = 0;
        assert_refused(ERROR_INVALID_DATA);
        valid[place + 2] = 0xFF;
        assert_refused(ERROR_INVALID_DATA);
    }
}

static void test_map_bytes_rule_m11_map_is_right(void **state)
{
    (void)state;
    valid[find("MyService")] = '-';
    assert_refused(ERROR_INVALID_DATA);
    begin(NULL);
    valid[find("Jobs that wait") + 3] = '\n'; /* help texts are not in the hash */
    assert_refused(ERROR_INVALID_DATA);
}

static void test_map_bytes_rule_m12_hash_is_the_maps(void **state)
{
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        valid[HASH + i] ^= 0x10;
        assert_refused(ERROR_INVALID_DATA);
        valid[HASH + i] ^= 0x10;
    }
    valid[find("My Queues")] = 'm'; /* names are not in the hash */
    {
        prfdata_map *map;

        assert_int_equal(decode(valid, valid_bytes, &map), ERROR_SUCCESS);
        free(map);
    }
}

/* ---- Hostile bytes ---- */

static void test_map_bytes_every_truncation_is_refused(void **state)
{
    size_t whole = valid_bytes;

    (void)state;
    for (valid_bytes = 0; valid_bytes < whole; valid_bytes++)
        assert_refused(ERROR_INVALID_DATA);
}

/* The header states the shorter size, so only reading the entries can notice the truncation. */
static void test_map_bytes_every_honest_truncation_is_refused(void **state)
{
    size_t whole = valid_bytes;

    (void)state;
    for (size_t size = SERVICE; size < whole; size++) {
        begin(NULL);
        valid_bytes = size;
        put32(TOTAL_BYTES, (uint32_t)size);
        assert_refused(ERROR_INVALID_DATA);
    }
}

/* Decode the bytes. An accepted map must be valid. Unless the bytes are of a later minor version,
 * the map must be encoded to the same bytes, with the same hash. */
static void decode_and_validate(const unsigned char *bytes, size_t size, unsigned *accepted)
{
    prfdata_map *map;
    unsigned char again[4096];
    size_t again_bytes;

    if (decode(bytes, size, &map) != ERROR_SUCCESS)
        return;
    ++*accepted;
    assert_int_equal(prfdata_map_check(map, NULL, 0), 0);
    assert_int_equal(encode_map(map, again, sizeof(again), &again_bytes), ERROR_SUCCESS);
    if (bytes[MINOR] == 0 && bytes[MINOR + 1] == 0) {
        assert_int_equal(again_bytes, size);
        assert_memory_equal(again, bytes, size);
    }
    free(map);
}

static void test_map_bytes_every_changed_byte_is_refused_or_right(void **state)
{
    const unsigned one_of = sampled_one_of();
    unsigned accepted = 0;

    (void)state;
    for (size_t i = 0; i < valid_bytes; i++) {
        for (unsigned change = 1 + (unsigned)i % one_of; change < 256; change += one_of) {
            valid[i] ^= (unsigned char)change;
            decode_and_validate(valid, valid_bytes, &accepted);
            valid[i] ^= (unsigned char)change;
        }
    }
    /* Changes of names, help texts, scales and detail levels are accepted. */
    assert_in_range(accepted, 1, 100000);
}

static void test_map_bytes_random_changes_are_survived(void **state)
{
    unsigned char original[sizeof(valid)];
    uint32_t seed = 1;
    unsigned accepted = 0;

    (void)state;
    memcpy(original, valid, sizeof(original));
    for (unsigned round = 0; round < 20000 / sampled_one_of(); round++) {
        for (unsigned i = 0; i < 1 + round % 4; i++) {
            seed = seed * 1664525u + 1013904223u;
            valid[(seed >> 8) % valid_bytes] = (unsigned char)(seed >> 24);
        }
        decode_and_validate(valid, valid_bytes, &accepted);
        if (round % 16 == 15)
            memcpy(valid, original, sizeof(valid));
    }
}

/* ---- The hash ---- */

static uint64_t hash(void)
{
    assert_int_equal(prfdata_map_check(&sample.map, NULL, 0), 0);
    return hash_map(&sample.map);
}

static uint64_t right_hash(void)
{
    sample_map_init(&sample);
    return hash();
}

/* Put `value` into a field of an entry. If `changes` is 1, the hash must then differ from that of
 * the valid map. If it is 0, the hash must stay the same. */
#define ASSERT_HASH(changes, entry, field, value)                                                  \
    do {                                                                                           \
        uint64_t right = right_hash();                                                             \
        sample.entries[entry].field = (value);                                                     \
        assert_int_equal(hash() != right, (changes));                                              \
    } while (0)

static void test_map_bytes_hash_has_what_regions_depend_on(void **state)
{
    (void)state;
    ASSERT_HASH(1, CONSUMERS, id, 999);
    ASSERT_HASH(1, DEPTH, id, 999);
    ASSERT_HASH(1, JOB_TIME_BASE, id, 999);
    ASSERT_HASH(1, QUEUES, max_name_chars, 41);
    ASSERT_HASH(1, JOBS, type, PERF_COUNTER_RAWCOUNT); /* a gauge */
    ASSERT_HASH(1, JOBS, type, PERF_COUNTER_TIMER);    /* another clock */
    ASSERT_HASH(1, JOBS, type, PERF_ELAPSED_TIME);     /* its value is a time stamp */
    ASSERT_HASH(1, QUEUES_TOTAL, option, PRFDATA_OPTION_PER_PROCESS);
    ASSERT_HASH(1, DEPTH_MAX, option, PRFDATA_OPTION_ACCUMULATING);
}

/* A hot counter has lanes besides its cell, so each hot counter changes the hash. */
static void test_map_bytes_hash_has_what_is_hot(void **state)
{
    const uint64_t cold = right_hash();
    uint64_t hot;

    (void)state;
    sample_map_insert_option(&sample, JOBS + 1, PRFDATA_OPTION_HOT, 0);
    hot = hash();
    assert_true(hot != cold);
    sample_map_init(&sample);
    sample_map_insert_option(&sample, JOB_TIME_BASE, PRFDATA_OPTION_HOT, 0);
    assert_true(hash() != cold);
    assert_true(hash() != hot);
}

static void test_map_bytes_hash_has_the_service(void **state)
{
    uint64_t right = right_hash();

    (void)state;
    sample.map.service = "Myservice";
    assert_true(hash() != right);
}

static void test_map_bytes_hash_has_whether_there_are_instances(void **state)
{
    uint64_t without;

    (void)state;
    sample.entries[WORKERS].max_name_chars = 9;
    without = hash();
    sample.entries[WORKERS].max_instances = 1;
    assert_true(hash() != without);
}

static void test_map_bytes_hash_has_not_what_only_readers_see(void **state)
{
    (void)state;
    ASSERT_HASH(0, QUEUES, help, L"x");
    ASSERT_HASH(0, DEPTH, help, L"x");
    ASSERT_HASH(0, QUEUES, detail_level, PERF_DETAIL_WIZARD);
    ASSERT_HASH(0, DEPTH, detail_level, PERF_DETAIL_WIZARD);
    ASSERT_HASH(0, DEPTH, default_scale, 2);
    ASSERT_HASH(0, QUEUES, default_counter, 101);
    ASSERT_HASH(0, QUEUES, symbol, "x");
    ASSERT_HASH(0, DEPTH, symbol, "x");
    ASSERT_HASH(0, DEPTH_MAX, symbol, "x");
    ASSERT_HASH(0, WORKERS, max_name_chars, 7); /* this object has no instances */
    ASSERT_HASH(0, QUEUES, name, L"My queues");
    ASSERT_HASH(0, DEPTH, name, L"depth");
    ASSERT_HASH(0, JOB_TIME_BASE, name, L"x");
    ASSERT_HASH(0, QUEUES, max_instances, 17);
    /* The value has 4 bytes in a reply instead of 8, but it is the same in a region. */
    ASSERT_HASH(0, JOBS, type, PERF_COUNTER_COUNTER);
    ASSERT_HASH(0, DEPTH_MAX, option, PRFDATA_OPTION_TOTAL_MEAN); /* replaces MERGE_MAX */
}

static void test_map_bytes_hash_has_parents_and_options(void **state)
{
    uint64_t before = right_hash(), other_parent;

    (void)state;
    sample_map_remove(&sample, CONSUMERS_PARENT);
    assert_true(hash() != before);
    sample_map_init(&sample);
    sample.entries[WORKERS].max_instances = 4;
    sample.entries[WORKERS].max_name_chars = 4;
    sample.entries[WORKERS_COSTLY].option = PRFDATA_OPTION_TOTAL;
    other_parent = hash();
    sample.entries[CONSUMERS_PARENT].id = 200;
    assert_true(hash() != other_parent);
    sample_map_init(&sample);
    sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_PER_PROCESS, 0);
    assert_true(hash() != before);
}

/* Regions do not have values that the provider computes. */
static void test_map_bytes_hash_has_no_mean_of_totals(void **state)
{
    const uint64_t before = right_hash();

    (void)state;
    sample_map_insert_option(&sample, DEPTH_MAX, PRFDATA_OPTION_TOTAL_MEAN, 0);
    assert_true(hash() == before);
}

/* The order of two options of an object does not change the hash, but the order of two counters
 * does. */
static void test_map_bytes_hash_has_the_order_of_counters_only(void **state)
{
    prfdata_map_entry moved;
    uint64_t before;

    (void)state;
    sample_map_insert_option(&sample, CONSUMERS_PARENT, PRFDATA_OPTION_COSTLY, 0);
    before = hash();
    sample_map_init(&sample);
    sample_map_insert_option(&sample, CONSUMERS_PARENT + 1, PRFDATA_OPTION_COSTLY, 0);
    assert_true(hash() == before);

    sample_map_init(&sample);
    before = hash();
    moved = sample.entries[JOBS];
    sample_map_remove(&sample, JOBS);
    sample_map_insert(&sample, WORKERS - 1, &moved);
    assert_true(hash() != before);
}

/* If the hash changed, every installed map would count as another version. */
static void test_map_bytes_hash_never_changes(void **state)
{
    (void)state;
    assert_true(hash_map(&golden_map) == 0xB99EDF2EBD927482u);
}

#define TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_map_bytes_round_trip_gives_the_map_back),
        TEST(test_map_bytes_round_trip_of_every_option_and_long_texts),
        TEST(test_map_bytes_decode_has_room_for_the_widest_texts),
        TEST(test_map_bytes_golden_map_is_encoded_as_specified),
        TEST(test_map_bytes_golden_bytes_are_decoded_as_specified),
        TEST(test_map_bytes_specification_shows_the_golden_bytes),
        TEST(test_map_bytes_encode_any_capacity_writes_all_or_nothing),
        TEST(test_map_bytes_encode_wrong_map_leaves_size_alone),
        TEST(test_map_bytes_rule_m1_header_is_complete),
        TEST(test_map_bytes_rule_m2_magic),
        TEST(test_map_bytes_rule_m3_another_major_is_a_later_format),
        TEST(test_map_bytes_rule_m4_total_bytes_are_all_bytes),
        TEST(test_map_bytes_rule_m5_at_most_64_kib),
        TEST(test_map_bytes_rule_m6_entries_end_with_the_bytes),
        TEST(test_map_bytes_rule_m6_later_minor_may_append),
        TEST(test_map_bytes_rule_m7_entry_count_is_that_of_the_bytes),
        TEST(test_map_bytes_rule_m8_unknown_kind_is_refused),
        TEST(test_map_bytes_rule_m9_text_sizes_stay_inside),
        TEST(test_map_bytes_rule_m10_texts_are_utf8_without_nul),
        TEST(test_map_bytes_rule_m11_map_is_right),
        TEST(test_map_bytes_rule_m12_hash_is_the_maps),
        TEST(test_map_bytes_every_truncation_is_refused),
        TEST(test_map_bytes_every_honest_truncation_is_refused),
        TEST(test_map_bytes_every_changed_byte_is_refused_or_right),
        TEST(test_map_bytes_random_changes_are_survived),
        TEST(test_map_bytes_hash_has_what_regions_depend_on),
        TEST(test_map_bytes_hash_has_what_is_hot),
        TEST(test_map_bytes_hash_has_the_service),
        TEST(test_map_bytes_hash_has_whether_there_are_instances),
        TEST(test_map_bytes_hash_has_not_what_only_readers_see),
        TEST(test_map_bytes_hash_has_parents_and_options),
        TEST(test_map_bytes_hash_has_no_mean_of_totals),
        TEST(test_map_bytes_hash_has_the_order_of_counters_only),
        TEST(test_map_bytes_hash_never_changes),
    };

    return cmocka_run_group_tests_name("map_bytes", tests, NULL, NULL);
}
