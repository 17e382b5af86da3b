/* SPDX-License-Identifier: MIT */
/* Tests the decoder of data blocks, with whole blocks and damaged ones. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "block/decode.h"
#include "support/reader/wire.h"

/* ---- Reading everything of a block ---- */

typedef struct totals {
    uint32_t opened;
    unsigned objects;
    unsigned counters;
    unsigned instances;
    unsigned values;
    unsigned damages;
    uint64_t sum; /* the sum of all values, so that each one is really read */
    prfdata_decode_error first;
} totals;

static void note(totals *t, const prfdata_decode_error *error)
{
    char text[256];

    prfdata_decode_error_text(error, text, sizeof text);
    assert_non_null(strstr(text, "byte "));
    if (t->damages++ == 0)
        t->first = *error;
}

static void walk_values(const prfdata_decode_object *object,
                        const prfdata_decode_instance *instance, totals *t)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_counter counter;
    prfdata_decode_error error;
    uint64_t value = 0;

    while (prfdata_decode_counter_next(object, &cursor, &counter) == ERROR_SUCCESS) {
        if (prfdata_decode_value(instance, &counter, &value, &error) == ERROR_SUCCESS) {
            t->values++;
            t->sum += value;
        } else {
            note(t, &error);
        }
    }
}

static void walk_instances(const prfdata_decode_object *object, totals *t)
{
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_instance instance;
    prfdata_decode_error error;
    uint32_t status;

    while ((status = prfdata_decode_instance_next(object, &cursor, &instance, &error)) !=
           ERROR_NO_MORE_ITEMS) {
        uint16_t *chars;

        if (status != ERROR_SUCCESS)
            note(t, &error);
        if (status == ERROR_INVALID_DATA)
            continue;
        t->instances++;
        chars = malloc((instance.name_bytes + 1) * sizeof *chars);
        assert_non_null(chars);
        assert_true(prfdata_decode_name(object, &instance, chars) <= instance.name_bytes);
        assert_true(status == ERROR_SUCCESS || instance.name_bytes == 0);
        free(chars);
        walk_values(object, &instance, t);
    }
}

static totals walk(const void *bytes, size_t size)
{
    totals t;
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_block block;
    prfdata_decode_object object;
    prfdata_decode_error error;
    uint16_t name[16];
    size_t count;
    uint32_t status;

    memset(&t, 0, sizeof t);
    t.opened = prfdata_decode_open(bytes, size, &block, &error);
    if (t.opened != ERROR_SUCCESS)
        note(&t, &error);
    if (t.opened == ERROR_INVALID_DATA)
        return t;
    if (prfdata_decode_computer(&block, name, 16, &count, &error) != ERROR_SUCCESS)
        note(&t, &error);

    while ((status = prfdata_decode_object_next(&block, &cursor, &object, &error)) !=
           ERROR_NO_MORE_ITEMS) {
        prfdata_decode_cursor counters = {0};
        prfdata_decode_counter counter;

        if (status != ERROR_SUCCESS)
            note(&t, &error);
        if (status == ERROR_INVALID_DATA)
            continue;
        t.objects++;
        while (prfdata_decode_counter_next(&object, &counters, &counter) == ERROR_SUCCESS)
            t.counters++;
        walk_instances(&object, &t);
    }
    return t;
}

/* ---- Blocks ---- */

static wire w;

static totals walk_wire(void)
{
    return walk(w.bytes, w.used);
}

static void make_worked_example(void)
{
    wire_begin(&w, 1);
    wire_worked_example(&w, 10);
    wire_end(&w);
}

/* Make one object of every form that the documents allow: 8 objects. */
static void make_zoo(void)
{
    size_t object;

    wire_begin(&w, 8);
    wire_worked_example(&w, 10);

    object = wire_object(&w, 200, 1, -1, 0); /* no instances, but one counter block */
    wire_counter(&w, 202, 0x00010100, 8, 8);
    wire_value64(&w, 1000);
    wire_object_end(&w, object);

    object = wire_object(&w, 300, 1, 0, 0); /* has instances in general, but none now */
    wire_counter(&w, 302, 0x00010000, 4, 4);
    wire_object_end(&w, object);

    /* Like object 300, but a counter block without values follows, as Microsoft's sample AppMem
     * writes it. */
    object = wire_object(&w, 310, 1, 0, 0);
    wire_counter(&w, 312, 0x00010000, 4, 4);
    wire_put64(&w, 8);
    wire_object_end(&w, object);

    /* Children of the instances of object 100, with numbers instead of names. */
    object = wire_object(&w, 400, 1, 2, 0);
    wire_counter(&w, 402, 0x00010000, 4, 4);
    for (uint32_t i = 0; i < 2; i++) {
        wire_instance(&w, 100, i, 7 + (int32_t)i, NULL);
        wire_value32(&w, 2000 + i);
    }
    wire_object_end(&w, object);

    object = wire_object(&w, 500, 1, 1, 1252); /* names in a code page */
    wire_counter(&w, 502, 0x00010000, 4, 4);
    wire_ansi_instance(&w, "abc");
    wire_value32(&w, 300000);
    wire_object_end(&w, object);

    object = wire_object(&w, 600, 1, -2, 0); /* metadata of an object with instances */
    wire_counter(&w, 602, 0x00010000, 4, 4);
    wire_object_end(&w, object);

    object = wire_object(&w, 700, 1, -3, 0); /* metadata of an object without instances */
    wire_counter(&w, 702, 0x00010000, 4, 4);
    wire_object_end(&w, object);
    wire_end(&w);
}

static prfdata_decode_block block;
static prfdata_decode_object object;
static prfdata_decode_instance instance;
static prfdata_decode_cursor cursor;
static prfdata_decode_error error;

static void open_wire(void)
{
    assert_int_equal(prfdata_decode_open(w.bytes, w.used, &block, &error), ERROR_SUCCESS);
    memset(&cursor, 0, sizeof cursor);
}

/* Reads object n of the block, counted from 0, so that expect_next_instance() can read its
 * instances. */
static void look_at(unsigned n)
{
    open_wire();
    for (unsigned i = 0; i <= n; i++)
        assert_int_equal(prfdata_decode_object_next(&block, &cursor, &object, &error),
                         ERROR_SUCCESS);
    memset(&cursor, 0, sizeof cursor);
}

static void expect_next_instance(uint32_t status)
{
    assert_int_equal(prfdata_decode_instance_next(&object, &cursor, &instance, &error), status);
}

/* ---- Valid blocks ---- */

static void test_decode_header_every_field_read(void **state)
{
    uint16_t name[4];
    size_t count = 0;

    (void)state;
    make_worked_example();
    open_wire();
    assert_int_equal(block.header.total_byte_length, 96 + 376);
    assert_int_equal(block.header.header_length, 96);
    assert_int_equal(block.header.num_object_types, 1);
    assert_int_equal(block.header.default_object, -1);
    assert_int_equal(block.header.system_time[0], 2026);
    assert_int_equal(block.header.system_time[7], 824);
    assert_int_equal(block.header.perf_time, 50000000);
    assert_int_equal(block.header.perf_freq, 10000000);
    assert_int_equal(block.header.perf_time_100ns, 134300000000000000);
    assert_int_equal(prfdata_decode_computer(&block, name, 4, &count, &error), ERROR_SUCCESS);
    assert_int_equal(count, 2);
    assert_int_equal(name[0], 'P');
    assert_int_equal(name[1], 'C');
}

static void test_decode_worked_example_pieces_at_documented_offsets(void **state)
{
    static const uint64_t instance_offsets[] = {224, 296};
    static const uint64_t values_offsets[] = {256, 336};
    static const char *const names[] = {"ab", "longer"};

    (void)state;
    make_worked_example();
    look_at(0);
    assert_int_equal(object.offset, 96);
    assert_int_equal(object.header.total_byte_length, 376);
    assert_int_equal(object.header.definition_length, 224);
    assert_int_equal(object.header.object_name_title_index, 100);
    assert_int_equal(object.header.object_help_title_index, 101);
    assert_int_equal(object.header.detail_level, 100);
    assert_int_equal(object.header.perf_time, 1000);
    assert_int_equal(object.header.perf_freq, 10);

    for (unsigned i = 0; i < 2; i++) {
        uint16_t chars[16];
        prfdata_decode_cursor counters = {0};
        prfdata_decode_counter counter;
        const uint64_t expected[] = {10 + i, 20 + i, 30 + i, 40 + i};

        expect_next_instance(ERROR_SUCCESS);
        assert_true(instance.has_definition);
        assert_int_equal(instance.offset, 96 + instance_offsets[i]);
        assert_int_equal(instance.values_offset, 96 + values_offsets[i]);
        assert_int_equal(instance.values_bytes, 40);
        assert_int_equal(prfdata_decode_name(&object, &instance, chars), strlen(names[i]));
        for (size_t c = 0; c < strlen(names[i]); c++)
            assert_int_equal(chars[c], names[i][c]);
        for (unsigned c = 0; c < 4; c++) {
            uint64_t value = 0;

            assert_int_equal(prfdata_decode_counter_next(&object, &counters, &counter),
                             ERROR_SUCCESS);
            assert_int_equal(counter.offset, 96 + 64 + 40 * c);
            assert_int_equal(prfdata_decode_value(&instance, &counter, &value, &error),
                             ERROR_SUCCESS);
            assert_int_equal(value, expected[c]);
        }
        assert_int_equal(prfdata_decode_counter_next(&object, &counters, &counter),
                         ERROR_NO_MORE_ITEMS);
    }
    expect_next_instance(ERROR_NO_MORE_ITEMS);
}

static void test_decode_zoo_everything_found(void **state)
{
    totals t;

    (void)state;
    make_zoo();
    t = walk_wire();
    assert_int_equal(t.opened, ERROR_SUCCESS);
    assert_int_equal(t.damages, 0);
    assert_int_equal(t.objects, 8);
    assert_int_equal(t.counters, 4 + 7);
    assert_int_equal(t.instances, 2 + 1 + 2 + 1);
    assert_int_equal(t.sum, 10 + 20 + 30 + 40 + 11 + 21 + 31 + 41 + 1000 + 2000 + 2001 + 300000);
}

static void test_decode_object_without_instances_one_without_definition(void **state)
{
    (void)state;
    make_zoo();
    look_at(1);
    assert_int_equal(object.header.num_instances, -1);
    expect_next_instance(ERROR_SUCCESS);
    assert_false(instance.has_definition);
    assert_int_equal(instance.values_offset, object.offset + 104);
    assert_int_equal(prfdata_decode_name(&object, &instance, NULL), 0);
    expect_next_instance(ERROR_NO_MORE_ITEMS);
}

static void test_decode_objects_without_current_instances_have_none(void **state)
{
    static const struct {
        unsigned position;
        int32_t instance_count;
    } cases[] = {{2, 0}, {3, 0}, {6, -2}, {7, -3}};

    (void)state;
    make_zoo();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        look_at(cases[i].position);
        assert_int_equal(object.header.num_instances, cases[i].instance_count);
        expect_next_instance(ERROR_NO_MORE_ITEMS);
    }
}

static void test_decode_numbered_instances_keep_id_and_parent(void **state)
{
    (void)state;
    make_zoo();
    look_at(4);
    for (int i = 0; i < 2; i++) {
        expect_next_instance(ERROR_SUCCESS);
        assert_int_equal(instance.definition.unique_id, 7 + i);
        assert_int_equal(instance.definition.name_length, 0);
        assert_int_equal(instance.definition.parent_object_title_index, 100);
        assert_int_equal(instance.definition.parent_object_instance, i);
    }
}

/* Our provider writes a number with an empty name: NameOffset is 24 and NameLength is 0. */
static void test_decode_number_with_an_empty_name_has_no_name(void **state)
{
    size_t made;

    (void)state;
    wire_begin(&w, 1);
    made = wire_object(&w, 100, 1, 2, 0);
    wire_counter(&w, 102, 0x00010000, 4, 4);
    for (int32_t number = 24; number < 26; number++) {
        wire_numbered_instance(&w, number);
        wire_value32(&w, 5);
    }
    wire_object_end(&w, made);
    wire_end(&w);
    look_at(0);
    for (int32_t number = 24; number < 26; number++) {
        expect_next_instance(ERROR_SUCCESS);
        assert_int_equal(instance.definition.unique_id, number);
        assert_int_equal(instance.name_bytes, 0);
        assert_int_equal(instance.values_bytes, 8);
    }
}

static void test_decode_code_page_name_converted(void **state)
{
    uint16_t chars[8];

    (void)state;
    make_zoo();
    look_at(5);
    expect_next_instance(ERROR_SUCCESS);
    assert_int_equal(instance.definition.name_length, 4);
    assert_int_equal(prfdata_decode_name(&object, &instance, chars), 3);
    assert_int_equal(chars[0], 'a');
    assert_int_equal(chars[2], 'c');
}

/* Bytes of a name that are not a character become characters of the private use area. */
static void test_decode_code_pages_convert_or_keep_bytes_apart(void **state)
{
    static const struct {
        uint32_t code_page;
        const char *name;
        uint16_t expected[8];
    } cases[] = {
        {1252, "\xE9\x80\x9F", {0xE9, 0x20AC, 0x0178}},
        {1252, "\x81\x8D\xA0\xFF", {0x81, 0x8D, 0xA0, 0xFF}},
        {28591, "\x80\xE9", {0x80, 0xE9}},
        {1251, "\xC4\xEE\xEC", {0x0414, 0x043E, 0x043C}},
        {1250, "\xB9\xE8", {0x0105, 0x010D}},
        {1258, "a\xEC", {'a', 0x0301}},
        {1258, "\xC2", {0xC2}}, /* iconv waits for an accent after this letter */
        {437, "\x81", {0xFC}},
        {850, "\x9B", {0xF8}},
        {932, "a\x82\xA0", {'a', 0x3042}},
        {932, "a\x82", {'a', 0xF082}}, /* the first half of a character */
        {936, "\xC4\xE3", {0x4F60}},
#ifndef _WIN32 /* Wine lacks this code page */
        {54936, "\x94\x39\xDA\x33", {0xD83D, 0xDCA9}},
#endif
        {65001, "\xC3\xA9", {0xE9}},
        {65001, "\xF0\x9F\x92\xA9", {0xD83D, 0xDCA9}},
        {65001, "\xE9t\xE9\xFF", {0xF0E9, 't', 0xF0E9, 0xF0FF}}, /* no byte except the t is UTF-8 */
        {20127, "a\xE9", {'a', 0xF0E9}},                         /* 0xE9 is not cut to 0x69, 'i' */
        {99999, "a\xE9\xE8", {'a', 0xF0E9, 0xF0E8}},
        {1200, NULL, {'a', 'b'}}, /* "ab" as UTF-16 */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint16_t *expected = cases[i].expected;
        uint16_t chars[8];
        size_t count = 0;
        size_t made;

        wire_begin(&w, 1);
        made = wire_object(&w, 500, 1, 1, cases[i].code_page);
        wire_counter(&w, 502, 0x00010000, 4, 4);
        if (!cases[i].name)
            wire_instance(&w, 0, 0, -1, "ab");
        else
            wire_ansi_instance(&w, cases[i].name);
        wire_value32(&w, 1);
        wire_object_end(&w, made);
        wire_end(&w);
        look_at(0);
        expect_next_instance(ERROR_SUCCESS);
        count = prfdata_decode_name(&object, &instance, chars);
        for (size_t c = 0; c < count; c++) {
            if (chars[c] != expected[c])
                fail_msg("code page %u: unit %u is %x, expected %x", (unsigned)cases[i].code_page,
                         (unsigned)c, (unsigned)chars[c], (unsigned)expected[c]);
        }
        assert_int_equal(expected[count], 0);
    }
}

/* Structures may be longer than we know, because later versions may add fields. */
static void test_decode_longer_headers_are_skipped(void **state)
{
    size_t made;
    totals t;

    (void)state;
    wire_begin(&w, 1);
    made = wire_object(&w, 100, 1, -1, 0);
    wire_put64(&w, 0x1111111111111111u);
    wire_patch32(&w, made + 8, 72);
    wire_counter(&w, 102, 0x00010000, 4, 4);
    wire_patch32(&w, made + 72, 48);
    wire_put64(&w, 0x2222222222222222u);
    wire_patch32(&w, made + 4, 72 + 48);
    wire_value32(&w, 5);
    wire_object_end(&w, made);
    wire_end(&w);
    t = walk_wire();
    assert_int_equal(t.damages, 0);
    assert_int_equal(t.values, 1);
    assert_int_equal(t.sum, 5);
}

static void test_decode_misaligned_block_reads_the_same(void **state)
{
    unsigned char *moved;

    (void)state;
    make_zoo();
    for (size_t shift = 1; shift < 8; shift++) {
        totals t;

        moved = malloc(w.used + shift);
        assert_non_null(moved);
        memcpy(moved + shift, w.bytes, w.used);
        t = walk(moved + shift, w.used);
        assert_int_equal(t.damages, 0);
        assert_int_equal(t.sum, walk_wire().sum);
        free(moved);
    }
}

/* ---- Invalid blocks ---- */

static void test_decode_every_truncation_says_so(void **state)
{
    (void)state;
    make_zoo();
    for (size_t size = 0; size < w.used; size++) {
        unsigned char *cut = malloc(size > 0 ? size : 1);
        totals t;

        assert_non_null(cut);
        memcpy(cut, w.bytes, size);
        t = walk(cut, size);
        assert_true(t.damages > 0);
        assert_int_equal(t.opened, size < 96 ? ERROR_INVALID_DATA : ERROR_MORE_DATA);
        free(cut);
    }
}

/* The block states a smaller size than it has. */
static void test_decode_every_claimed_truncation_says_so(void **state)
{
    (void)state;
    make_zoo();
    for (uint32_t size = 0; size < (uint32_t)w.used; size++) {
        wire_patch32(&w, 20, size);
        assert_true(walk_wire().damages > 0);
    }
}

static void test_decode_truncation_shows_whole_objects_before(void **state)
{
    size_t second_ends = 96 + 376 + 104 + 16;
    totals t;

    (void)state;
    make_zoo();
    t = walk(w.bytes, second_ends + 10);
    assert_int_equal(t.opened, ERROR_MORE_DATA);
    assert_int_equal(t.objects, 2);
    assert_int_equal(t.instances, 3);
}

/* Changes every byte in twelve ways. Nothing outside of the block is read (the sanitizers watch),
 * and every walk ends. */
static void test_decode_every_corrupt_byte_survived(void **state)
{
    static const unsigned char flips[] = {0x01, 0x02, 0x04, 0x08, 0x10, 0x20,
                                          0x40, 0x80, 0xFF, 0x7F, 0xFE, 0x55};
    unsigned char *copy;

    (void)state;
    make_zoo();
    copy = malloc(w.used);
    assert_non_null(copy);
    memcpy(copy, w.bytes, w.used);
    for (size_t i = 0; i < w.used; i++) {
        for (size_t f = 0; f < sizeof flips; f++) {
            totals t;

            copy[i] = w.bytes[i] ^ flips[f];
            t = walk(copy, w.used);
            assert_true(t.objects <= 8);
            assert_true(t.instances <= w.used / 4);
        }
        copy[i] = w.bytes[i];
    }
    assert_int_equal(walk(copy, w.used).damages, 0);
    free(copy);
}

static void test_decode_every_huge_field_survived(void **state)
{
    static const uint32_t huge[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFF8};
    wire corrupt;

    (void)state;
    make_zoo();
    for (size_t i = 0; i + 4 <= w.used; i += 4) {
        for (size_t v = 0; v < sizeof huge / sizeof huge[0]; v++) {
            unsigned char *copy = malloc(w.used);

            assert_non_null(copy);
            corrupt = w;
            wire_patch32(&corrupt, i, huge[v]);
            memcpy(copy, corrupt.bytes, w.used);
            (void)walk(copy, w.used);
            free(copy);
        }
    }
}

/* A change to a valid block, the offset at which the decoder must report the damage, and how many
 * objects and instances it must still find. */
typedef struct decode_change {
    const char *name;
    size_t offset;
    uint32_t value;
    uint64_t reported_at;
    unsigned objects;
    unsigned instances;
} decode_change;

#define ZOO   96         /* offset of the first object, which is the worked example */
#define ZOO_2 (96 + 376) /* offset of the second object */

static const decode_change changes[] = {
    {"Signature", 0, 0x00450051, 0, 0, 0},
    {"LittleEndian", 8, 0, 8, 0, 0},
    {"Version", 12, 2, 12, 0, 0},
    {"HeaderLength too small", 24, 87, 24, 0, 0},
    {"HeaderLength too large", 24, 0x7FFFFFFF, 24, 0, 0},
    {"SystemNameLength", 80, 0xFFFFFFFF, 80, 8, 6},
    {"SystemNameOffset", 84, 0xFFFFFFFF, 84, 8, 6},
    {"object's TotalByteLength too small", ZOO, 63, ZOO, 0, 0},
    {"object's TotalByteLength too large", ZOO, 0x7FFFFFF8, ZOO, 0, 0},
    {"second object's TotalByteLength", ZOO_2, 0, ZOO_2, 1, 2},
    {"DefinitionLength below HeaderLength", ZOO + 4, 63, ZOO + 4, 7, 4},
    {"DefinitionLength above TotalByteLength", ZOO + 4, 377, ZOO + 4, 7, 4},
    {"object's HeaderLength too small", ZOO + 8, 63, ZOO + 8, 7, 4},
    {"object's HeaderLength too large", ZOO + 8, 0xFFFFFFFF, ZOO + 8, 7, 4},
    {"NumCounters", ZOO + 32, 5, ZOO + 32, 8, 6},
    {"NumCounters huge", ZOO + 32, 0xFFFFFFFF, ZOO + 32, 8, 6},
    {"NumInstances unknown", ZOO + 40, 0xFFFFFFFC, ZOO + 40, 7, 4},
    {"NumInstances one too many", ZOO + 40, 3, ZOO + 376, 8, 6},
    {"NumInstances huge", ZOO + 40, 0x7FFFFFFF, ZOO + 376, 8, 6},
    {"definition too short", ZOO + 64, 39, ZOO + 64, 8, 6},
    {"definition too long", ZOO + 64, 161, ZOO + 64, 8, 6},
    {"definition eats the next", ZOO + 64, 80, ZOO + 184 + 40, 8, 6},
    {"CounterSize", ZOO + 64 + 32, 5, ZOO + 64 + 32, 8, 6},
    {"CounterOffset inside ByteLength", ZOO + 64 + 36, 3, ZOO + 64 + 36, 8, 6},
    {"CounterOffset at the end", ZOO + 64 + 36, 33, ZOO + 64 + 36, 8, 6},
    {"CounterOffset huge", ZOO + 64 + 36, 0xFFFFFFFC, ZOO + 64 + 36, 8, 6},
    {"instance too short", ZOO + 224, 23, ZOO + 224, 8, 4},
    {"instance too long", ZOO + 224, 153, ZOO + 224, 8, 4},
    {"NameOffset", ZOO + 224 + 16, 27, ZOO + 224 + 16, 8, 6},
    {"NameOffset inside the structure", ZOO + 224 + 16, 23, ZOO + 224 + 16, 8, 6},
    {"NameLength", ZOO + 224 + 20, 9, ZOO + 224 + 20, 8, 6},
    {"NameLength huge", ZOO + 224 + 20, 0xFFFFFFFF, ZOO + 224 + 20, 8, 6},
    {"counter block too short", ZOO + 256, 3, ZOO + 256, 8, 4},
    {"counter block too long", ZOO + 256, 121, ZOO + 256, 8, 4},
};

static void test_decode_damage_reported_where_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const decode_change *c = &changes[i];
        totals t;

        make_zoo();
        wire_patch32(&w, c->offset, c->value);
        t = walk_wire();
        if (t.damages == 0 || t.first.offset != c->reported_at || t.objects != c->objects ||
            t.instances != c->instances)
            fail_msg("%s: %u damages, first at %u (expected %u), %u objects (%u), %u instances "
                     "(%u)",
                     c->name, t.damages, (unsigned)t.first.offset, (unsigned)c->reported_at,
                     t.objects, c->objects, t.instances, c->instances);
    }
}

static void test_decode_damaged_definition_leaves_those_before_it(void **state)
{
    static const uint32_t lengths[] = {0, 39, 0xFFFFFFFF};

    (void)state;
    for (uint32_t c = 0; c < 4; c++) {
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            totals t;

            make_worked_example();
            wire_patch32(&w, ZOO + 64 + 40 * (size_t)c, lengths[i]);
            t = walk_wire();
            assert_int_equal(t.damages, 1);
            assert_int_equal(t.objects, 1);
            assert_int_equal(t.counters, c);
            assert_int_equal(t.instances, 2);
            assert_int_equal(t.values, 2 * c);
        }
    }
}

static void test_decode_unreadable_object_leaves_output_alone(void **state)
{
    prfdata_decode_object untouched;

    (void)state;
    make_worked_example();
    wire_patch32(&w, ZOO + 4, 63); /* DefinitionLength */
    open_wire();
    memset(&object, 0x5A, sizeof object);
    untouched = object;
    assert_int_equal(prfdata_decode_object_next(&block, &cursor, &object, &error),
                     ERROR_INVALID_DATA);
    assert_memory_equal(&object, &untouched, sizeof object);
}

static totals walk_exactly(void)
{
    unsigned char *copy = malloc(w.used);
    totals t;

    assert_non_null(copy);
    memcpy(copy, w.bytes, w.used);
    t = walk(copy, w.used);
    free(copy);
    return t;
}

static void test_decode_computer_name_across_the_end_refused(void **state)
{
    totals t;

    (void)state;
    make_worked_example();
    wire_patch32(&w, 84, (uint32_t)w.used - 4); /* the name has 6 bytes, and 4 are left */
    t = walk_exactly();
    assert_int_equal(t.damages, 1);
    assert_int_equal(t.first.offset, 84);
}

/* The bytes after the definitions are too few for the next structure: fewer than 24 for an
 * instance, or fewer than 4 for the counter block of an object without instances. */
static void test_decode_remainders_too_short_for_structures_refused(void **state)
{
    (void)state;
    for (size_t rest = 1; rest < 24; rest++) {
        for (int32_t instances = -1; instances <= 1; instances += 2) {
            size_t made;
            totals t;

            wire_begin(&w, 1);
            made = wire_object(&w, 100, 0, instances, 0);
            for (size_t i = 0; i < rest; i++)
                w.bytes[w.used++] = i == 0 ? (unsigned char)rest : 0;
            wire_object_end(&w, made);
            wire_end(&w);
            t = walk_exactly();
            assert_int_equal(t.damages, instances == 1 || rest < 4 ? 1 : 0);
            if (t.damages > 0)
                assert_int_equal(t.first.offset, 96 + 64);
        }
    }
}

static void test_decode_too_many_objects_claimed_found_ones_shown(void **state)
{
    totals t;

    (void)state;
    make_zoo();
    wire_patch32(&w, 28, 9);
    t = walk_wire();
    assert_int_equal(t.objects, 8);
    assert_int_equal(t.damages, 1);
    assert_int_equal(t.first.offset, w.used);
}

static void test_decode_error_text_names_byte_field_and_bounds(void **state)
{
    totals t;
    char text[128];

    (void)state;
    make_zoo();
    wire_patch32(&w, ZOO + 4, 12);
    t = walk_wire();
    prfdata_decode_error_text(&t.first, text, sizeof text);
    assert_string_equal(text,
                        "byte 100: PERF_OBJECT_TYPE.DefinitionLength is 12, allowed is 64 to 376");

    make_zoo();
    wire_patch32(&w, ZOO + 64 + 32, 5);
    t = walk_wire();
    prfdata_decode_error_text(&t.first, text, sizeof text);
    assert_string_equal(text, "byte 192: PERF_COUNTER_DEFINITION.CounterSize is 5, must be 4 or 8");

    t = walk((const unsigned char[5]){0}, 5);
    prfdata_decode_error_text(&t.first, text, sizeof text);
    assert_string_equal(text, "byte 0: bytes left for a PERF_DATA_BLOCK is 5, must be at least 88");
}

static void test_decode_error_text_never_exceeds_capacity(void **state)
{
    const prfdata_decode_error capped = {
        .offset = 100, .field = "PERF_OBJECT_TYPE.NumCounters", .value = 7, .most = 3};

    (void)state;
    for (size_t capacity = 1; capacity < 80; capacity++) {
        char *text = malloc(capacity);

        assert_non_null(text);
        prfdata_decode_error_text(&capped, text, capacity);
        assert_true(strlen(text) < capacity);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode_header_every_field_read),
        cmocka_unit_test(test_decode_worked_example_pieces_at_documented_offsets),
        cmocka_unit_test(test_decode_zoo_everything_found),
        cmocka_unit_test(test_decode_object_without_instances_one_without_definition),
        cmocka_unit_test(test_decode_objects_without_current_instances_have_none),
        cmocka_unit_test(test_decode_numbered_instances_keep_id_and_parent),
        cmocka_unit_test(test_decode_number_with_an_empty_name_has_no_name),
        cmocka_unit_test(test_decode_code_page_name_converted),
        cmocka_unit_test(test_decode_code_pages_convert_or_keep_bytes_apart),
        cmocka_unit_test(test_decode_longer_headers_are_skipped),
        cmocka_unit_test(test_decode_misaligned_block_reads_the_same),
        cmocka_unit_test(test_decode_every_truncation_says_so),
        cmocka_unit_test(test_decode_every_claimed_truncation_says_so),
        cmocka_unit_test(test_decode_truncation_shows_whole_objects_before),
        cmocka_unit_test(test_decode_every_corrupt_byte_survived),
        cmocka_unit_test(test_decode_every_huge_field_survived),
        cmocka_unit_test(test_decode_damage_reported_where_it_is),
        cmocka_unit_test(test_decode_damaged_definition_leaves_those_before_it),
        cmocka_unit_test(test_decode_unreadable_object_leaves_output_alone),
        cmocka_unit_test(test_decode_computer_name_across_the_end_refused),
        cmocka_unit_test(test_decode_remainders_too_short_for_structures_refused),
        cmocka_unit_test(test_decode_too_many_objects_claimed_found_ones_shown),
        cmocka_unit_test(test_decode_error_text_names_byte_field_and_bounds),
        cmocka_unit_test(test_decode_error_text_never_exceeds_capacity),
    };

    return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
