/* SPDX-License-Identifier: MIT */
/* Tests which values, bases, second values and texts a sample gives to the formulas. "Retrieving
 * Counter Data" and winperf.h say where they are. test_columns.c tests the labels of instances. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "block/sample.h"
#include "support/reader/wire.h"
#include "support/reader/wire_sample.h"
#include "support/sampled.h"

#define OK         PRFDATA_STATUS_OK
#define INVALID    PRFDATA_STATUS_INVALID_DATA
#define NO_FORMULA PRFDATA_STATUS_NO_FORMULA

#define DWORDS 6 /* 32-bit values in the counter block, after its ByteLength */

typedef struct definition {
    uint32_t type;
    uint32_t size;
    uint32_t offset;
} definition;

/* Make an object without instances that has these counters, with titles 102, 104, ..., and these
 * values. */
static prfdata_sample *sample_of(const definition *definitions, uint32_t count, uint32_t code_page,
                                 const uint32_t *dwords)
{
    wire w;
    size_t object;
    size_t values;

    wire_begin(&w, 1);
    object = wire_object(&w, 100, count, PERF_NO_INSTANCES, code_page);
    for (uint32_t i = 0; i < count; i++)
        wire_counter(&w, 102 + 2 * i, definitions[i].type, definitions[i].size,
                     definitions[i].offset);
    values = wire_values(&w);
    for (uint32_t i = 0; i < DWORDS; i++)
        wire_put32(&w, dwords[i]);
    wire_values_end(&w, values);
    wire_object_end(&w, object);
    wire_end(&w);
    return wire_sample(&w);
}

static uint32_t raw_at(const prfdata_sample *sample, uint32_t position, prfdata_compute_raw *raw)
{
    const prfdata_sample_object *object = &sample->objects[0];

    return prfdata_sample_raw(sample, object, &object->instances[0], position, raw);
}

/* ---- Numbers ---- */

static const uint32_t counting[DWORDS] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66};

typedef struct sample_row {
    const char *name;
    definition counter;
    definition next; /* the definition after `counter`; NOTHING: an invalid one, of size 77 */
    uint32_t status;
    uint64_t value;
    uint32_t base_bytes;
    uint64_t base;
} sample_row;

#define AT(type, size, offset)                                                                     \
    {                                                                                              \
        type, size, offset                                                                         \
    }

#define NOTHING AT(0, 77, 0)

#define ROW(name, counter, next, status, value, base_bytes, base)                                  \
    {                                                                                              \
        name, counter, next, status, value, base_bytes, base                                       \
    }

static const sample_row rows[] = {
    ROW("DWORD", AT(PERF_COUNTER_RAWCOUNT, 4, 8), NOTHING, OK, 0x22, 0, 0),
    ROW("LARGE", AT(PERF_COUNTER_BULK_COUNT, 8, 8), NOTHING, OK, 0x3300000022, 0, 0),
    ROW("misaligned", AT(PERF_COUNTER_RAWCOUNT, 4, 9), NOTHING, OK, 0x33000000, 0, 0),
    ROW("LARGE where the type says DWORD", AT(PERF_AVERAGE_TIMER, 8, 8),
        AT(PERF_AVERAGE_BASE, 4, 16), OK, 0x3300000022, 4, 0x44),
    ROW("base", AT(PERF_AVERAGE_BULK, 8, 8), AT(PERF_AVERAGE_BASE, 4, 16), OK, 0x3300000022, 4,
        0x44),
    ROW("base in front of its counter", AT(PERF_RAW_FRACTION, 4, 12), AT(PERF_RAW_BASE, 4, 4), OK,
        0x33, 4, 0x11),
    ROW("LARGE base", AT(PERF_PRECISION_SYSTEM_TIMER, 8, 8), AT(PERF_PRECISION_TIMESTAMP, 8, 16),
        OK, 0x3300000022, 8, 0x5500000044),
    ROW("base of WMI's number", AT(PERF_LARGE_RAW_FRACTION, 8, 8), AT(0x40030503, 8, 16), OK,
        0x3300000022, 8, 0x5500000044),
    ROW("a precision timer is no base", AT(PERF_RAW_FRACTION, 4, 4),
        AT(PERF_PRECISION_SYSTEM_TIMER, 8, 8), OK, 0x11, 0, 0),
    ROW("no base", AT(PERF_RAW_FRACTION, 4, 4), NOTHING, OK, 0x11, 0, 0),
    ROW("base outside of the block", AT(PERF_RAW_FRACTION, 4, 4), AT(PERF_RAW_BASE, 4, 29), INVALID,
        0, 0, 0),
    ROW("base of 2 bytes", AT(PERF_RAW_FRACTION, 4, 4), AT(PERF_RAW_BASE, 2, 8), INVALID, 0, 0, 0),
    ROW("a base without a fraction", AT(PERF_COUNTER_RAWCOUNT, 4, 4), AT(PERF_RAW_BASE, 4, 29), OK,
        0x11, 0, 0),

    ROW("multi timer with its base of 8 bytes", AT(PERF_COUNTER_MULTI_TIMER, 8, 8),
        AT(PERF_COUNTER_MULTI_BASE, 8, 16), OK, 0x3300000022, 8, 0x5500000044),
    ROW("multi timer with its base of 4 bytes elsewhere", AT(PERF_COUNTER_MULTI_TIMER, 8, 8),
        AT(PERF_COUNTER_MULTI_BASE, 4, 4), OK, 0x3300000022, 4, 0x11),
    ROW("multi timer alone", AT(PERF_100NSEC_MULTI_TIMER_INV, 8, 8), NOTHING, OK, 0x3300000022, 4,
        0x44),
    ROW("multi timer before another counter", AT(PERF_COUNTER_MULTI_TIMER_INV, 8, 8),
        AT(PERF_COUNTER_RAWCOUNT, 4, 4), OK, 0x3300000022, 4, 0x44),
    ROW("multi timer at the end of its block", AT(PERF_COUNTER_MULTI_TIMER, 8, 24), NOTHING,
        INVALID, 0, 0, 0),

    ROW("outside of the block", AT(PERF_COUNTER_RAWCOUNT, 4, 29), NOTHING, INVALID, 0, 0, 0),
    ROW("on ByteLength", AT(PERF_COUNTER_RAWCOUNT, 4, 3), NOTHING, INVALID, 0, 0, 0),
    ROW("number of 0 bytes", AT(PERF_COUNTER_RAWCOUNT, 0, 8), NOTHING, INVALID, 0, 0, 0),
    ROW("number of 2 bytes", AT(PERF_COUNTER_RAWCOUNT, 2, 8), NOTHING, INVALID, 0, 0, 0),
    ROW("unknown type", AT(0x10510500, 8, 8), NOTHING, OK, 0x3300000022, 0, 0),
    ROW("always zero, nowhere", AT(0x00000C00, 0, 0), NOTHING, OK, 0, 0, 0),
    ROW("label", AT(PERF_COUNTER_NODATA, 0, 0), NOTHING, NO_FORMULA, 0, 0, 0),
    ROW("histogram", AT(PERF_COUNTER_HISTOGRAM_TYPE, 4, 4), NOTHING, NO_FORMULA, 0, 0, 0),
    ROW("base alone", AT(PERF_RAW_BASE, 4, 4), NOTHING, NO_FORMULA, 0, 0, 0),
    ROW("unknown bits", AT(0x12345678, 4, 4), NOTHING, NO_FORMULA, 0, 0, 0),
    ROW("text", AT(PERF_COUNTER_TEXT, 8, 8), NOTHING, PRFDATA_STATUS_IS_TEXT, 0, 0, 0),
};

static void test_sample_raw_takes_value_and_base_from_their_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const sample_row *r = &rows[i];
        const definition definitions[] = {r->counter, r->next};
        prfdata_sample *sample = sample_of(definitions, r->next.size == 77 ? 1 : 2, 0, counting);
        prfdata_compute_raw raw;
        uint32_t status = raw_at(sample, 0, &raw);

        if (status != r->status || raw.status != status || raw.value != r->value ||
            raw.base_bytes != r->base_bytes || raw.base != r->base || raw.type != r->counter.type)
            fail_msg("%s: %s, value %llx, base of %u bytes %llx", r->name,
                     prfdata_compute_status_name(status), (unsigned long long)raw.value,
                     (unsigned)raw.base_bytes, (unsigned long long)raw.base);
        assert_int_equal(sample->damage_count > 0, status == PRFDATA_STATUS_INVALID_DATA);
        prfdata_sample_free(sample);
    }
}

static void test_sample_raw_takes_all_clocks(void **state)
{
    static const definition definitions[] = {{PERF_COUNTER_RAWCOUNT, 4, 4}};
    prfdata_sample *sample = sample_of(definitions, 1, 0, counting);
    prfdata_compute_raw raw;

    (void)state;
    assert_int_equal(raw_at(sample, 0, &raw), OK);
    assert_int_equal(raw.value_bytes, 4);
    assert_int_equal(raw.perf_time, 50000000);
    assert_int_equal(raw.perf_freq, 10000000);
    assert_int_equal(raw.time_100ns, 134300000000000000);
    assert_int_equal(raw.object_time, 1000);
    assert_int_equal(raw.object_freq, 10);
    prfdata_sample_free(sample);
}

/* ---- Texts ---- */

static void test_sample_text_read_as_its_type_says(void **state)
{
    /* As UTF-16: "Hi", NUL, 'x', two NULs, then "HiHi" up to the end of the block. */
    static const uint32_t utf16[DWORDS] = {0, 0x00690048, 0x00780000, 0, 0x00690048, 0x00690048};
    static const uint32_t ansi[DWORDS] = {0, 0x20296948, 0x78003A2D, 0, 0x69486948, 0x69486948};
    static const struct {
        const char *name;
        definition counter;
        uint32_t code_page;
        const uint32_t *dwords;
        uint32_t status;
        const char *expected;
    } cases[] = {
        {"up to NUL", {PERF_COUNTER_TEXT, 8, 8}, 0, utf16, OK, "Hi"},
        {"whatever names are in", {PERF_COUNTER_TEXT, 8, 8}, 1252, utf16, OK, "Hi"},
        {"up to its end", {PERF_COUNTER_TEXT, 2, 8}, 0, utf16, OK, "H"},
        {"half a unit", {PERF_COUNTER_TEXT, 3, 8}, 0, utf16, OK, "H"},
        {"without NUL", {PERF_COUNTER_TEXT, 8, 20}, 0, utf16, OK, "HiHi"},
        {"nothing", {PERF_COUNTER_TEXT, 0, 8}, 0, utf16, OK, ""},
        {"NUL at once", {PERF_COUNTER_TEXT, 4, 16}, 0, utf16, OK, ""},
        {"code page", {0x00010B00, 8, 8}, 1252, ansi, OK, "Hi) -:"},
        {"code page, to its end", {0x00010B00, 3, 8}, 1252, ansi, OK, "Hi)"},
        {"code page, without NUL", {0x00010B00, 8, 20}, 1252, ansi, OK, "HiHiHiHi"},
        {"no code page: ASCII", {0x00010B00, 2, 8}, 0, ansi, OK, "Hi"},
        {"beyond the block", {PERF_COUNTER_TEXT, 13, 20}, 0, utf16, INVALID, ""},
        {"far beyond", {PERF_COUNTER_TEXT, 0xFFFFFFFF, 8}, 0, utf16, INVALID, ""},
        {"far away", {PERF_COUNTER_TEXT, 8, 0xFFFFFFF8}, 0, utf16, INVALID, ""},
        {"on ByteLength", {PERF_COUNTER_TEXT, 8, 2}, 0, utf16, INVALID, ""},
        {"a number", {PERF_COUNTER_RAWCOUNT, 4, 8}, 0, utf16, PRFDATA_STATUS_INVALID_ARGUMENT, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        prfdata_sample *sample =
            sample_of(&cases[i].counter, 1, cases[i].code_page, cases[i].dwords);
        const prfdata_sample_object *object = &sample->objects[0];
        const prfdata_sample_instance *instance = &object->instances[0];
        uint16_t *chars = malloc(instance->wire.values_bytes * sizeof *chars);
        prfdata_text text = {NULL, 0};
        uint32_t status;

        assert_non_null(chars);
        assert_int_equal(instance->wire.values_bytes, 32);
        status = prfdata_sample_text(object, instance, 0, chars, &text);
        if (status != cases[i].status || text.count != strlen(cases[i].expected))
            fail_msg("%s: %s, %u chars", cases[i].name, prfdata_compute_status_name(status),
                     (unsigned)text.count);
        assert_int_equal(sample->damage_count > 0, status == PRFDATA_STATUS_INVALID_DATA);
        for (size_t c = 0; c < text.count; c++)
            assert_int_equal(text.chars[c], cases[i].expected[c]);
        free(chars);
        prfdata_sample_free(sample);
    }
}

/* ---- Counters that are shown to people ---- */

static void test_sample_shows_what_is_for_people(void **state)
{
    static const struct {
        uint32_t type;
        bool shown;
    } cases[] = {
        {PERF_COUNTER_RAWCOUNT, true},
        {PERF_AVERAGE_BULK, true}, /* despite PERF_DISPLAY_NOSHOW */
        {0x40020400, true},
        {PERF_COUNTER_TEXT, true},
        {PERF_PRECISION_SYSTEM_TIMER, true},
        {PERF_COUNTER_HISTOGRAM_TYPE, true},
        {0x12345678, true},
        {PERF_COUNTER_NODATA, false},
        {PERF_SAMPLE_BASE, false},
        {PERF_RAW_BASE, false},
        {PERF_LARGE_RAW_BASE, false},
        {PERF_AVERAGE_BASE, false},
        {PERF_COUNTER_MULTI_BASE, false},
        {0x40030503, false},
    };
    prfdata_decode_counter counter;

    (void)state;
    memset(&counter, 0, sizeof counter);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        counter.definition.counter_type = cases[i].type;
        counter.definition.counter_name_title_index = 2;
        if (prfdata_sample_shows(&counter) != cases[i].shown)
            fail_msg("%08x", (unsigned)cases[i].type);
        counter.definition.counter_name_title_index = 0;
        assert_false(prfdata_sample_shows(&counter));
    }
}

/* ---- Labels of instances ---- */

static prfdata_sample *sample_of_names(const char *const *names, uint32_t count)
{
    wire w;
    size_t object;

    wire_begin(&w, 1);
    object = wire_object(&w, 100, 1, (int32_t)count, 0);
    wire_counter(&w, 102, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (uint32_t i = 0; i < count; i++) {
        wire_instance(&w, 0, 0, -1, names[i]);
        wire_value32(&w, i);
    }
    wire_object_end(&w, object);
    wire_end(&w);
    return wire_sample(&w);
}

static void test_sample_numbers_duplicates_around_names_with_numbers(void **state)
{
    static const char *const names[] = {"x", "x", "X#1", "x", "x#3", "x#1", "x", "y"};
    static const char *const labels[] = {"x", "x#2", "X#1", "x#4", "x#3", "x#1#1", "x#5", "y"};
    prfdata_sample *sample = sample_of_names(names, 8);
    const prfdata_sample_object *object = &sample->objects[0];

    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        const prfdata_text *label = &object->instances[i].label;

        assert_int_equal(label->count, strlen(labels[i]));
        for (size_t c = 0; c < label->count; c++)
            assert_int_equal(label->chars[c], labels[i][c]);
        assert_ptr_equal(prfdata_sample_find_instance(object, *label), &object->instances[i]);
    }
    prfdata_sample_free(sample);
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Make names that are similar or equal. They may differ only in upper and lower case, or in half of
 * a surrogate pair. One name may be _Total, and the others may begin nearly like it. */
static prfdata_sample *sample_of_random_names(uint32_t *random, uint32_t count)
{
    static const uint16_t units[] = {'a',    'A',    'b',    '#',    '1',    0xE9,   0xC9,
                                     0xFF21, 0xFF41, 0xD800, 0xD801, 0xDC00, 0xDC01, 0xE000};
    static const uint16_t like_total[] = {'_', 't', 'O', 't'};
    static const char letters[] = "aaaaaaaaaaaa";
    const uint32_t common = next_random(random) % 4;
    const uint32_t total = next_random(random) % (2 * count);
    const bool is_like_total = next_random(random) % 4 == 0;
    uint16_t prefix[4];
    size_t object;
    wire w;

    for (uint32_t i = 0; i < common; i++)
        prefix[i] = is_like_total ? like_total[i] : units[next_random(random) % 14];
    wire_begin(&w, 1);
    object = wire_object(&w, 100, 1, (int32_t)count, 0);
    wire_counter(&w, 102, PERF_COUNTER_RAWCOUNT, 4, 4);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t chars = common + 1 + next_random(random) % 6;
        unsigned char *name;

        if (i == total) {
            (void)wire_instance(&w, 0, 0, -1, next_random(random) % 2 == 0 ? "_Total" : "_TOTAL");
            wire_value32(&w, i);
            continue;
        }
        name = w.bytes + wire_instance(&w, 0, 0, -1, letters + sizeof letters - 1 - chars) + 24;

        for (uint32_t c = 0; c < chars; c++) {
            const uint16_t unit = c < common ? prefix[c] : units[next_random(random) % 14];

            name[2 * c] = (unsigned char)unit;
            name[2 * c + 1] = (unsigned char)(unit >> 8);
        }
        wire_value32(&w, i);
    }
    wire_object_end(&w, object);
    wire_end(&w);
    return wire_sample(&w);
}

static void test_sample_order_is_that_of_comparing_whole_labels(void **state)
{
    uint32_t random = 2463534242u;

    (void)state;
    for (uint32_t seed = 0; seed < 1000 / sampled_one_of(); seed++) {
        prfdata_sample *sample = sample_of_random_names(&random, 1 + seed % 60);
        const prfdata_sample_object *object = &sample->objects[0];

        assert_int_equal(object->found_count, 1 + seed % 60);
        for (uint32_t i = 0; i < object->found_count; i++) {
            const prfdata_sample_instance *instance = &object->instances[object->found[i]];

            assert_ptr_equal(prfdata_sample_find_instance(object, instance->label), instance);
            if (i > 0)
                assert_true(prfdata_text_compare(object->instances[object->found[i - 1]].label,
                                                 instance->label) < 0);
        }
        prfdata_sample_free(sample);
    }
}

/* The limit for a parent's name is 1,024 chars, like PDH_MAX_INSTANCE_NAME. */
static void test_sample_label_takes_so_much_of_a_parent_and_no_more(void **state)
{
    static const size_t lengths[] = {1, 1023, 1024, 1025, 1100};

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t taken = lengths[i] < 1024 ? lengths[i] : 1024;
        wire w;
        size_t object;
        prfdata_sample *sample;
        const prfdata_sample_instance *child;
        char name[1101];

        memset(name, 'p', lengths[i]);
        name[lengths[i]] = '\0';
        wire_begin(&w, 2);
        for (uint32_t title = 100; title <= 200; title += 100) {
            object = wire_object(&w, title, 1, 1, 0);
            wire_counter(&w, title + 2, PERF_COUNTER_RAWCOUNT, 4, 4);
            wire_instance(&w, title - 100, 0, -1, title == 100 ? name : "c");
            wire_value32(&w, 1);
            wire_object_end(&w, object);
        }
        wire_end(&w);
        sample = wire_sample(&w);
        assert_int_equal(sample->objects[0].instances[0].label.count, lengths[i]);
        child = &sample->objects[1].instances[0];
        assert_false(child->lacks_parent);
        assert_int_equal(child->label.count, taken + 2);
        assert_int_equal(child->label.chars[taken - 1], 'p');
        assert_int_equal(child->label.chars[taken], '/');
        assert_int_equal(child->label.chars[taken + 1], 'c');
        prfdata_sample_free(sample);
    }
}

/* The names are in an unknown code page, but each instance is still found by its own name. */
static void test_sample_instances_of_unknown_code_pages_stay_apart(void **state)
{
    static const char *const names[] = {"caf\xE9", "caf\xE8", "caf\xE9\x80"};
    prfdata_sample *sample;
    size_t object;
    wire w;

    (void)state;
    wire_begin(&w, 1);
    object = wire_object(&w, 100, 1, 3, 99999);
    wire_counter(&w, 102, 0x00010000, 4, 4);
    for (uint32_t i = 0; i < 3; i++) {
        wire_ansi_instance(&w, names[i]);
        wire_value32(&w, 10 + i);
    }
    wire_object_end(&w, object);
    wire_end(&w);
    sample = wire_sample(&w);
    for (uint32_t i = 0; i < 3; i++) {
        const prfdata_sample_object *found = &sample->objects[0];

        assert_ptr_equal(prfdata_sample_find_instance(found, found->instances[i].name),
                         &found->instances[i]);
    }
    prfdata_sample_free(sample);
}

/* ---- Damage ---- */

static void test_sample_keeps_what_is_whole_of_a_damaged_object(void **state)
{
    wire w;
    prfdata_sample *sample;
    const prfdata_sample_object *object;
    prfdata_compute_raw raw;

    (void)state;
    wire_begin(&w, 2);
    wire_worked_example(&w, 10);
    wire_worked_example(&w, 30);
    wire_end(&w);
    wire_patch32(&w, 96 + 64 + 2 * 40, 7); /* ByteLength of the third definition */
    sample = wire_sample(&w);
    assert_int_equal(sample->damage_count, 1);
    assert_int_equal(sample->damage.offset, 96 + 64 + 2 * 40);
    assert_int_equal(sample->object_count, 2);
    object = &sample->objects[0];
    assert_int_equal(object->counter_count, 2);
    assert_int_equal(object->found_count, 2);
    assert_int_equal(prfdata_sample_raw(sample, object, &object->instances[1], 1, &raw), OK);
    assert_int_equal(raw.value, 21);
    prfdata_sample_free(sample);
}

/* Damaged bases count as damage, too. The same damaged value of several instances counts once. */
static void test_sample_values_outside_of_their_block_are_damage(void **state)
{
    static const struct {
        unsigned counter; /* the counter of the worked example whose CounterOffset or CounterSize is
                             changed */
        size_t field;
        uint32_t value;
        uint32_t status; /* status of AVERAGE_TIMER, the third counter */
    } cases[] = {
        {0, 36, 0, OK},    /* the value would be the block's own ByteLength */
        {1, 36, 1000, OK}, /* the value is after the end of the block */
        {2, 36, 0xFFFFFFFF, PRFDATA_STATUS_INVALID_DATA},
        {3, 36, 0x7FFFFFF8, PRFDATA_STATUS_INVALID_DATA}, /* AVERAGE_TIMER's base */
        {0, 32, 5, OK},                                   /* no number has five bytes */
    };
    prfdata_compute_raw raw;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t at = 96 + 64 + cases[i].counter * 40 + cases[i].field;
        prfdata_sample *sample;
        wire w;

        wire_begin(&w, 1);
        wire_worked_example(&w, 10);
        wire_end(&w);
        wire_patch32(&w, at, cases[i].value);
        sample = wire_sample(&w);
        assert_int_equal(sample->damage_count, 1);
        assert_int_equal(sample->damage.offset, at);
        assert_int_equal(sample->objects[0].found_count, 2);
        assert_int_equal(prfdata_sample_raw(sample, &sample->objects[0],
                                            &sample->objects[0].instances[1], 2, &raw),
                         cases[i].status);
        prfdata_sample_free(sample);
    }
}

/* The counter block of one instance is too short for the second counter, a text. */
static void test_sample_one_short_block_is_damage(void **state)
{
    prfdata_sample *sample;
    wire w;

    (void)state;
    wire_begin(&w, 1);
    {
        const size_t object = wire_object(&w, 100, 2, 3, 0);

        wire_counter(&w, 102, 0x00010000, 4, 4);
        wire_counter(&w, 104, 0x00010B00, 4, 8);
        for (uint32_t i = 0; i < 3; i++) {
            size_t values;

            wire_instance(&w, 0, 0, -1, "x");
            values = wire_values(&w);
            wire_put32(&w, i);
            if (i != 1)
                wire_put64(&w, 'x');
            wire_values_end(&w, values);
        }
        wire_object_end(&w, object);
    }
    wire_end(&w);
    sample = wire_sample(&w);
    assert_int_equal(sample->damage_count, 1);
    assert_int_equal(sample->objects[0].found_count, 3);
    prfdata_sample_free(sample);
}

/* ---- From the bytes of two samples to a number ---- */

static void test_sample_two_samples_of_a_multi_timer_give_its_value(void **state)
{
    static const definition definitions[] = {{PERF_100NSEC_MULTI_TIMER, 8, 8},
                                             {PERF_COUNTER_MULTI_BASE, 4, 16}};
    static const uint32_t before[DWORDS] = {0, 1000, 0, 4, 0, 0};
    static const uint32_t after[DWORDS] = {0, 4000, 0, 2, 0, 0};
    prfdata_sample *older = sample_of(definitions, 2, 0, before);
    prfdata_sample *newer = sample_of(definitions, 2, 0, after);
    prfdata_compute_raw raws[2];
    prfdata_compute_value value = {0};

    (void)state;
    older->block.header.perf_time_100ns -= 1000;
    assert_int_equal(raw_at(older, 0, &raws[0]), OK);
    assert_int_equal(raw_at(newer, 0, &raws[1]), OK);
    assert_int_equal(prfdata_compute(&raws[0], &raws[1], &value), OK);
    assert_true(value.number == 150);
    prfdata_sample_free(older);
    prfdata_sample_free(newer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample_raw_takes_value_and_base_from_their_places),
        cmocka_unit_test(test_sample_raw_takes_all_clocks),
        cmocka_unit_test(test_sample_text_read_as_its_type_says),
        cmocka_unit_test(test_sample_shows_what_is_for_people),
        cmocka_unit_test(test_sample_numbers_duplicates_around_names_with_numbers),
        cmocka_unit_test(test_sample_order_is_that_of_comparing_whole_labels),
        cmocka_unit_test(test_sample_label_takes_so_much_of_a_parent_and_no_more),
        cmocka_unit_test(test_sample_keeps_what_is_whole_of_a_damaged_object),
        cmocka_unit_test(test_sample_instances_of_unknown_code_pages_stay_apart),
        cmocka_unit_test(test_sample_values_outside_of_their_block_are_damage),
        cmocka_unit_test(test_sample_one_short_block_is_damage),
        cmocka_unit_test(test_sample_two_samples_of_a_multi_timer_give_its_value),
    };

    return cmocka_run_group_tests_name("sample", tests, NULL, NULL);
}
