/* SPDX-License-Identifier: MIT */
/* Tests the bytes of a region against docs/region-format.md: the layout, whose offsets are written
 * here again; each rule; and the bytes after every step of the writer. The files that have the
 * steps are compiled into this program with named steps, so that each step is checked before the
 * next. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#include "base/crash_points.h"
#include "region/region.h"
#include "support/golden.h"
#include "support/region_bytes.h"
#include "support/sample_map.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { QUEUES_OBJECT, WORKERS_OBJECT, CONSUMERS_OBJECT, OBJECTS };

enum { DEPTH_CELL, JOBS_CELL, JOB_TIME_CELL, JOB_TIME_BASE_CELL };

static const uint32_t slot_counts[OBJECTS] = {3, 1, 2};

/* The layout of the sample map with these slot counts, by the tables of docs/region-format.md. */
enum {
    STRUCTURE = 56,
    COUNTS = 128,
    QUEUES_SLOTS = 192,                   /* 3 counts of 8 bytes, rounded up */
    QUEUES_NAMES = QUEUES_SLOTS + 3 * 64, /* 40 chars: a stride of 80 */
    QUEUES_BASES = QUEUES_NAMES + 256,    /* 3 * 80, rounded up */
    QUEUES_CELLS = QUEUES_BASES + 3 * 64, /* 4 cells: a stride of 64 */
    WORKERS_CELLS = QUEUES_CELLS + 3 * 64,
    CONSUMERS_SLOTS = WORKERS_CELLS + 64,
    CONSUMERS_NAMES = CONSUMERS_SLOTS + 2 * 64, /* 20 chars: a stride of 40 */
    CONSUMERS_BASES = CONSUMERS_NAMES + 128,
    CONSUMERS_CELLS = CONSUMERS_BASES + 2 * 64,
    TOTAL = CONSUMERS_CELLS + 2 * 64
};

static const uint64_t boot = 0x1122334455667788;

static sample_map sample;

static uint8_t *allocate(uint64_t size)
{
    uint8_t *made = calloc(1, size ? (size_t)size : 1);

    assert_non_null(made);
    return made;
}

static const prfdata_model_object *object(uint32_t index)
{
    return &model->objects[index];
}

static const prfdata_region_section *section(uint32_t index)
{
    return &layout->sections[index];
}

static uint64_t word64(const uint8_t *from, uint64_t offset)
{
    uint64_t value;

    memcpy(&value, from + offset, sizeof value);
    return value;
}

static uint32_t word32(const uint8_t *from, uint64_t offset)
{
    uint32_t value;

    memcpy(&value, from + offset, sizeof value);
    return value;
}

static void put64(uint64_t offset, uint64_t value)
{
    memcpy(bytes + offset, &value, sizeof value);
}

static void put32(uint64_t offset, uint32_t value)
{
    memcpy(bytes + offset, &value, sizeof value);
}

/* ---- The writer's steps ---- */

enum { MAX_STEPS = 64 };

static struct {
    size_t count;
    const char *names[MAX_STEPS];
    uint8_t bytes[MAX_STEPS][TOTAL];
} steps;

/* Called at the steps of readers, which are not recorded. NULL: nothing is called. */
static void (*while_reading)(void);

void prfdata_crash_point(const char *step)
{
    if (strncmp(step, "R: ", 3) == 0) {
        if (while_reading)
            while_reading();
        return;
    }
    assert_true(steps.count < MAX_STEPS);
    steps.names[steps.count] = step;
    memcpy(steps.bytes[steps.count], bytes, TOTAL);
    steps.count++;
}

static const uint8_t *after(const char *step)
{
    for (size_t i = 0; i < steps.count; i++)
        if (strcmp(steps.names[i], step) == 0)
            return steps.bytes[i];
    fail_msg("no step %s", step);
    return NULL;
}

static void assert_steps(const char *const *expected, size_t count)
{
    for (size_t i = 0; i < count && i < steps.count; i++)
        assert_string_equal(steps.names[i], expected[i]);
    assert_int_equal(steps.count, count);
}

/* Expect that only `size` bytes at `offset` differ. The structure word, which has its own tests,
 * may differ, too. */
static void assert_only_changed(const uint8_t *before, const uint8_t *now, uint64_t offset,
                                uint64_t size)
{
    for (uint64_t i = 0; i < TOTAL; i++)
        if ((i < offset || i >= offset + size) && (i < STRUCTURE || i >= STRUCTURE + 8) &&
            before[i] != now[i])
            fail_msg("byte %u changed too", (unsigned)i);
}

static int begin(void **state)
{
    (void)state;
    sample_map_init(&sample);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(model, slot_counts, &layout), ERROR_SUCCESS);
    bytes = allocate(layout->total_bytes);
    assert_int_equal(layout->total_bytes, TOTAL);
    prfdata_region_format(bytes, model, layout, boot, 1000);
    steps.count = 0;
    return 0;
}

/* ---- Layout ---- */

static void assert_section(uint32_t index, uint64_t slots, uint64_t names, uint64_t baselines,
                           uint64_t cells, uint32_t name_stride)
{
    assert_int_equal(section(index)->slot_count, slot_counts[index]);
    assert_int_equal(section(index)->count_offset, COUNTS + 8 * index);
    assert_int_equal(section(index)->slots_offset, slots);
    assert_int_equal(section(index)->names_offset, names);
    assert_int_equal(section(index)->baselines_offset, baselines);
    assert_int_equal(section(index)->cells_offset, cells);
    assert_int_equal(section(index)->name_stride, name_stride);
    assert_int_equal(section(index)->cell_stride, 64);
}

static void test_region_layout_is_what_the_tables_say(void **state)
{
    (void)state;
    assert_int_equal(layout->object_count, OBJECTS);
    assert_section(QUEUES_OBJECT, QUEUES_SLOTS, QUEUES_NAMES, QUEUES_BASES, QUEUES_CELLS, 80);
    assert_section(WORKERS_OBJECT, WORKERS_CELLS, WORKERS_CELLS, WORKERS_CELLS, WORKERS_CELLS, 0);
    assert_section(CONSUMERS_OBJECT, CONSUMERS_SLOTS, CONSUMERS_NAMES, CONSUMERS_BASES,
                   CONSUMERS_CELLS, 40);
    assert_int_equal(layout->total_bytes, TOTAL);
}

/* Computes the tables again for one object that begins at 192. */
static uint64_t end_of_object(uint64_t slots, uint64_t name_chars, uint64_t cells)
{
    uint64_t name_stride = (2 * name_chars + 7) & ~7ull;
    uint64_t cell_stride = (8 * cells + 63) & ~63ull;

    return 192 + 64 * slots + ((name_stride * slots + 63) & ~63ull) + 2 * cell_stride * slots;
}

static void test_region_layout_of_every_slot_count_and_name_length_follows_the_tables(void **state)
{
    (void)state;
    sample.map.entry_count = WORKERS;
    for (uint32_t name_chars = 1; name_chars <= 255; name_chars += 2) {
        sample.entries[QUEUES].max_name_chars = name_chars;
        prfdata_model_free(model);
        assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
        for (uint32_t slots = 1; slots <= 16; slots++) {
            prfdata_region_layout *made;

            assert_int_equal(prfdata_region_layout_make(model, &slots, &made), ERROR_SUCCESS);
            assert_int_equal(made->total_bytes, end_of_object(slots, name_chars, 4));
            free(made);
        }
    }
}

static void test_region_layout_per_process_names_are_11_chars_longer(void **state)
{
    const uint32_t slots = 5;
    prfdata_region_layout *made;

    (void)state;
    sample.map.entry_count = WORKERS;
    sample.entries[QUEUES_TOTAL].option = PRFDATA_OPTION_PER_PROCESS;
    prfdata_model_free(model);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(model, &slots, &made), ERROR_SUCCESS);
    assert_int_equal(made->sections[0].name_stride, 104);
    assert_int_equal(made->total_bytes, end_of_object(slots, 51, 4));
    free(made);
}

static void test_region_layout_cell_stride_is_whole_cache_lines(void **state)
{
    (void)state;
    sample.map.entry_count = WORKERS;
    for (uint32_t counters = 1; counters <= 17; counters++) {
        const uint32_t slots = 3;
        prfdata_region_layout *made;

        if (counters > 4) {
            prfdata_map_entry more =
                sample_map_counter(1000 + counters, PERF_COUNTER_LARGE_RAWCOUNT);

            sample_map_append(&sample, more);
        }
        prfdata_model_free(model);
        assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
        assert_int_equal(prfdata_region_layout_make(model, &slots, &made), ERROR_SUCCESS);
        assert_int_equal(made->sections[0].cell_stride, counters <= 8    ? 64
                                                        : counters <= 16 ? 128
                                                                         : 192);
        assert_int_equal(made->total_bytes, end_of_object(slots, 40, counters < 4 ? 4 : counters));
        free(made);
    }
}

static void test_region_layout_without_slot_counts_has_the_maps_capacities(void **state)
{
    prfdata_region_layout *made;

    (void)state;
    assert_int_equal(prfdata_region_layout_make(model, NULL, &made), ERROR_SUCCESS);
    assert_int_equal(made->sections[QUEUES_OBJECT].slot_count, 16);
    assert_int_equal(made->sections[WORKERS_OBJECT].slot_count, 1);
    assert_int_equal(made->sections[CONSUMERS_OBJECT].slot_count, 8);
    free(made);
}

/* The limit is not the map's capacity, because another version with the same regions may have
 * larger capacities. */
static void test_region_layout_slot_counts_beyond_the_limit_are_refused(void **state)
{
    static const uint32_t wrong[][OBJECTS] = {{0, 1, 2},    {65536, 1, 2}, {UINT32_MAX, 1, 2},
                                              {3, 0, 2},    {3, 2, 2},     {3, 1, 0},
                                              {3, 1, 65536}};
    prfdata_region_layout *const before = (prfdata_region_layout *)&sample;
    prfdata_region_layout *made = before;

    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_int_equal(prfdata_region_layout_make(model, wrong[i], &made), ERROR_INVALID_DATA);
        assert_ptr_equal(made, before);
    }
}

/* ---- docs/region-format.md, "Valid if and only if" ---- */

/* Check a copy in an allocation of exactly its size, so that the sanitizer notices a read after its
 * end. */
static prfdata_region_verdict check(const uint8_t *from, uint64_t available, uint64_t size,
                                    uint64_t now)
{
    prfdata_region_layout *const untouched = (prfdata_region_layout *)&sample;
    prfdata_region_layout *found = untouched;
    prfdata_region_header header;
    prfdata_region_verdict verdict;
    uint8_t *copy = allocate(size);

    memcpy(copy, from, (size_t)(size < available ? size : available));
    verdict = prfdata_region_check(copy, size, model, now, &header, &found);
    if (verdict == PRFDATA_REGION_VALID || verdict == PRFDATA_REGION_OTHER_BOOT) {
        assert_memory_equal(&header, copy, sizeof header);
        assert_int_equal(found->total_bytes, size);
        free(found);
    } else {
        assert_ptr_equal(found, untouched);
    }
    free(copy);
    return verdict;
}

static prfdata_region_verdict verdict_of(void)
{
    return check(bytes, TOTAL, TOTAL, boot);
}

static void test_region_check_fresh_region_is_valid(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(), PRFDATA_REGION_VALID);
}

static void test_region_R1_too_short_for_header_and_slot_counts(void **state)
{
    (void)state;
    for (uint64_t size = 0; size < 128; size++)
        assert_int_equal(check(bytes, TOTAL, size, boot), PRFDATA_REGION_UNFINISHED);
    for (uint64_t size = 128; size < 128 + 8 * OBJECTS; size++)
        assert_int_equal(check(bytes, TOTAL, size, boot), PRFDATA_REGION_DAMAGED);
}

static void test_region_R2_other_magic(void **state)
{
    (void)state;
    put32(0, 0x52465251);
    assert_int_equal(verdict_of(), PRFDATA_REGION_UNFINISHED);
    put32(0, 0);
    assert_int_equal(verdict_of(), PRFDATA_REGION_UNFINISHED);
}

static void test_region_R3_other_major(void **state)
{
    (void)state;
    bytes[4] = 2;
    assert_int_equal(verdict_of(), PRFDATA_REGION_OTHER_VERSION);
    bytes[4] = 0;
    assert_int_equal(verdict_of(), PRFDATA_REGION_OTHER_VERSION);
}

static void test_region_R4_unknown_feature(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 32; bit++) {
        put32(8, 1u << bit);
        assert_int_equal(verdict_of(), PRFDATA_REGION_OTHER_VERSION);
    }
}

static void test_region_R5_other_map(void **state)
{
    (void)state;
    put64(16, model->hash + 1);
    assert_int_equal(verdict_of(), PRFDATA_REGION_OTHER_MAP);
}

static void test_region_R6_other_object_count(void **state)
{
    (void)state;
    put32(40, OBJECTS - 1);
    assert_int_equal(verdict_of(), PRFDATA_REGION_DAMAGED);
    put32(40, UINT32_MAX);
    assert_int_equal(verdict_of(), PRFDATA_REGION_DAMAGED);
}

static void test_region_R7_slot_count_beyond_the_limit(void **state)
{
    static const uint32_t wrong[OBJECTS][3] = {
        {0, 65536, UINT32_MAX}, {0, 2, UINT32_MAX}, {0, 65536, 1u << 31}};

    (void)state;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        for (size_t j = 0; j < COUNT(wrong[i]); j++) {
            put32(COUNTS + 8 * i, wrong[i][j]);
            assert_int_equal(verdict_of(), PRFDATA_REGION_DAMAGED);
        }
        put32(COUNTS + 8 * i, slot_counts[i]);
    }
    assert_int_equal(verdict_of(), PRFDATA_REGION_VALID);
}

static void test_region_R8_any_other_size(void **state)
{
    (void)state;
    for (uint64_t size = 128 + 8 * OBJECTS; size < TOTAL + 130; size++)
        assert_int_equal(check(bytes, TOTAL, size, boot),
                         size == TOTAL ? PRFDATA_REGION_VALID : PRFDATA_REGION_DAMAGED);
    put32(COUNTS, 2); /* this count is allowed, but then the file is longer than it must be */
    assert_int_equal(verdict_of(), PRFDATA_REGION_DAMAGED);
}

static void test_region_R9_state(void **state)
{
    (void)state;
    put32(32, 0);
    assert_int_equal(verdict_of(), PRFDATA_REGION_UNFINISHED);
    for (uint32_t valid = 1; valid <= 3; valid++) {
        put32(32, valid);
        assert_int_equal(verdict_of(), PRFDATA_REGION_VALID);
    }
    put32(32, 4);
    assert_int_equal(verdict_of(), PRFDATA_REGION_DAMAGED);
    put32(32, UINT32_MAX);
    assert_int_equal(verdict_of(), PRFDATA_REGION_DAMAGED);
}

/* While a region is being built, its other fields may still be missing. Without this rule, a reader
 * would report that the program has another map. */
static void test_region_R9_unfinished_is_of_no_map(void **state)
{
    (void)state;
    put32(32, PRFDATA_REGION_BUILDING);
    put64(16, 0);
    assert_int_equal(verdict_of(), PRFDATA_REGION_UNFINISHED);
    put64(16, model->hash);
    put32(40, 0);
    assert_int_equal(verdict_of(), PRFDATA_REGION_UNFINISHED);
    put32(8, 1); /* if the version is unknown, so is the meaning of the state */
    assert_int_equal(verdict_of(), PRFDATA_REGION_OTHER_VERSION);
}

static void publish_now(void)
{
    while_reading = NULL;
    prfdata_region_format(bytes, model, layout, boot, 77);
}

static void test_region_R9_published_while_the_header_is_read_is_unfinished(void **state)
{
    prfdata_region_header header;

    (void)state;
    memset(bytes, 0, TOTAL);
    while_reading = publish_now;
    assert_true(prfdata_region_load_header(bytes, TOTAL, &header));
    assert_null(while_reading);
    assert_int_equal(header.map_hash, model->hash);
    assert_int_equal(header.state, PRFDATA_REGION_BUILDING);
    assert_int_equal(verdict_of(), PRFDATA_REGION_VALID);
}

static void test_region_R10_other_boot(void **state)
{
    (void)state;
    assert_int_equal(check(bytes, TOTAL, TOTAL, boot + 1), PRFDATA_REGION_OTHER_BOOT);
    put64(24, 0);
    assert_int_equal(verdict_of(), PRFDATA_REGION_OTHER_BOOT);
}

static void test_region_R10_other_boot_is_the_last_thing_looked_at(void **state)
{
    (void)state;
    put32(40, OBJECTS + 1);
    assert_int_equal(check(bytes, TOTAL, TOTAL, boot + 1), PRFDATA_REGION_DAMAGED);
}

/* Returns whether this byte of a valid region may have another value. */
static bool may_vary(uint64_t offset)
{
    static const struct {
        uint64_t offset, size;
    } fields[] = {{6, 2},           {12, 4},          {36, 4},
                  {44, 4},          {48, 8},          {56, 8},
                  {64, 16},         {80, 48},         {COUNTS + 4, 4},
                  {COUNTS + 12, 4}, {COUNTS + 20, 4}, {COUNTS + 24, TOTAL - COUNTS - 24}};

    for (size_t i = 0; i < COUNT(fields); i++)
        if (offset >= fields[i].offset && offset < fields[i].offset + fields[i].size)
            return true;
    return false;
}

static void test_region_check_every_changed_bit_is_noticed_or_allowed(void **state)
{
    (void)state;
    for (uint64_t offset = 0; offset < TOTAL; offset++) {
        for (unsigned bit = 0; bit < 8; bit++) {
            prfdata_region_verdict verdict;

            /* One bit changes "published" to "being built", and another one to "closed". */
            if (offset == 32 && (bit == 0 || bit == 1))
                continue;
            bytes[offset] ^= (uint8_t)(1u << bit);
            verdict = verdict_of();
            if ((verdict == PRFDATA_REGION_VALID) != may_vary(offset))
                fail_msg("byte %u, bit %u: verdict %d", (unsigned)offset, bit, (int)verdict);
            bytes[offset] ^= (uint8_t)(1u << bit);
        }
    }
}

static void test_region_used_count_beyond_the_slots_means_all(void **state)
{
    (void)state;
    put32(COUNTS + 4, 2);
    assert_int_equal(prfdata_region_used_count(bytes, section(QUEUES_OBJECT)), 2);
    put32(COUNTS + 4, 4);
    assert_int_equal(prfdata_region_used_count(bytes, section(QUEUES_OBJECT)), 3);
    put32(COUNTS + 4, UINT32_MAX);
    assert_int_equal(prfdata_region_used_count(bytes, section(QUEUES_OBJECT)), 3);
}

/* ---- Creation ---- */

static void test_region_format_publishes_with_its_last_store(void **state)
{
    static const char *const expected[] = {"C1", "C2", "C3", "W2"};

    (void)state;
    memset(bytes, 0, TOTAL);
    prfdata_region_format(bytes, model, layout, boot, 77);
    assert_steps(expected, COUNT(expected));
    assert_int_equal(check(after("C1"), TOTAL, TOTAL, boot), PRFDATA_REGION_UNFINISHED);
    assert_int_equal(check(after("C2"), TOTAL, TOTAL, boot), PRFDATA_REGION_UNFINISHED);
    assert_int_equal(verdict_of(), PRFDATA_REGION_VALID);
    assert_only_changed(after("C2"), after("C3"), 32, 4);
    assert_only_changed(after("C3"), bytes, 0, 0);
    assert_int_equal(word64(after("C3"), STRUCTURE), 1);
    assert_int_equal(word64(bytes, STRUCTURE), 2);
}

static void test_region_format_writes_header_and_slot_counts_and_nothing_else(void **state)
{
    static const uint8_t zeros[TOTAL];

    (void)state;
    assert_memory_equal(bytes, "PRFR\1\0\0\0\0\0\0\0\0\0\0\0", 16);
    assert_int_equal(word64(bytes, 16), model->hash);
    assert_int_equal(word64(bytes, 24), boot);
    assert_int_equal(word32(bytes, 32), 1);
    assert_int_equal(word32(bytes, 36), 1);
    assert_int_equal(word32(bytes, 40), OBJECTS);
    assert_int_equal(word32(bytes, 44), 1000);
    assert_memory_equal(bytes + 48, zeros, 8);
    assert_int_equal(word64(bytes, STRUCTURE), 2);
    assert_memory_equal(bytes + 64, zeros, 64);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        assert_int_equal(word32(bytes, COUNTS + 8 * i), slot_counts[i]);
        assert_int_equal(word32(bytes, COUNTS + 8 * i + 4), 0);
    }
    assert_memory_equal(bytes + COUNTS + 8 * OBJECTS, zeros, TOTAL - COUNTS - 8 * OBJECTS);
}

/* ---- Adding an instance ---- */

static prfdata_region_key name_key(const uint16_t *name, uint32_t name_chars)
{
    prfdata_region_key key = {0};

    key.name = name;
    key.name_chars = name_chars;
    key.parent_slot = PRFDATA_NONE;
    return key;
}

static prfdata_region_key number_key(int32_t unique_id)
{
    prfdata_region_key key = name_key(NULL, 0);

    key.unique_id = unique_id;
    return key;
}

static const uint16_t abcde[] = {'a', 'b', 'c', 'd', 'e'};

/* The offsets of slot 1 of QUEUES, and of the slot's name, bases and cells. */
enum {
    SLOT = QUEUES_SLOTS + 64,
    NAME = QUEUES_NAMES + 80,
    BASES = QUEUES_BASES + 64,
    CELLS = QUEUES_CELLS + 64
};

static void use_slot_before(void)
{
    put32(SLOT, 9 << 2 | PRFDATA_SLOT_DORMANT);
    put32(SLOT + 4, PRFDATA_SLOT_HAS_UNIQUE_ID);
    put32(SLOT + 8, 5);  /* identity */
    put32(SLOT + 12, 1); /* parent */
    put32(SLOT + 16, 8);
    put32(SLOT + 20, 4711);
    put64(SLOT + 32, 3); /* freed */
    put64(SLOT + 40, 6); /* entered */
    put64(SLOT + 48, 6); /* left */
    memset(bytes + NAME, 0xEE, 80);
    put64(CELLS + 8 * DEPTH_CELL, 100);
    put64(CELLS + 8 * JOBS_CELL, 200);
    put64(CELLS + 8 * JOB_TIME_CELL, 300);
    put64(CELLS + 8 * JOB_TIME_BASE_CELL, 400);
    put64(BASES + 8 * JOBS_CELL, 150);
}

/* The hash distinguishes nearly all keys. This comparison must distinguish all of them. */
static void test_region_keys_are_equal_in_name_and_parent_or_not_at_all(void **state)
{
    const uint16_t abc[] = {'a', 'b', 'c'};
    const uint16_t upper[] = {'A', 'B', 'C'};
    prfdata_region_key key = name_key(abc, 3);
    prfdata_region_key other = name_key(upper, 3);

    (void)state;
    other.parent_identity = 4; /* ignored, because the key has no parent */
    assert_true(prfdata_region_keys_equal(&key, &other));
    other = number_key(7);
    assert_false(prfdata_region_keys_equal(&key, &other));
    key = number_key(7);
    assert_true(prfdata_region_keys_equal(&key, &other));
    other.unique_id = 8;
    assert_false(prfdata_region_keys_equal(&key, &other));
    key = name_key(abc, 3);
    key.parent_slot = 2;
    key.parent_identity = 5;
    other = key;
    assert_true(prfdata_region_keys_equal(&key, &other));
    other.parent_identity = 6; /* another name has the parent's slot now */
    assert_false(prfdata_region_keys_equal(&key, &other));
    other = key;
    other.parent_slot = 3;
    assert_false(prfdata_region_keys_equal(&key, &other));
    other = key;
    other.name_chars = 2;
    assert_false(prfdata_region_keys_equal(&key, &other));
}

static uint32_t assign(const prfdata_region_key *key)
{
    return prfdata_region_slot_assign(bytes, object(QUEUES_OBJECT), section(QUEUES_OBJECT), 1, key);
}

static void test_region_assign_takes_its_steps_in_order(void **state)
{
    static const char *const expected[] = {
        "W1", "A0", "A1", "A2: identity", "A2: gauges", "A2: baselines", "A2: name", "A3", "W2"};
    prfdata_region_key key = name_key(abcde, 5);

    (void)state;
    use_slot_before();
    assert_int_equal(assign(&key), 10);
    assert_steps(expected, COUNT(expected));
}

static void test_region_assign_A0_counts_the_slot_as_used_before_anything_else(void **state)
{
    prfdata_region_key key = name_key(abcde, 5);
    uint8_t before[TOTAL];

    (void)state;
    use_slot_before();
    memcpy(before, bytes, TOTAL);
    assign(&key);
    assert_int_equal(word32(after("A0"), COUNTS + 4), 2);
    assert_only_changed(before, after("A0"), COUNTS + 4, 4);
}

static void test_region_assign_A0_never_lowers_the_used_count(void **state)
{
    prfdata_region_key key = name_key(abcde, 5);

    (void)state;
    put32(COUNTS + 4, 3);
    assign(&key);
    assert_int_equal(word32(bytes, COUNTS + 4), 3);
}

static void test_region_assign_A1_building_under_the_next_generation(void **state)
{
    prfdata_region_key key = name_key(abcde, 5);

    (void)state;
    use_slot_before();
    assign(&key);
    assert_int_equal(word32(after("A1"), SLOT), 10 << 2 | PRFDATA_SLOT_BUILDING);
    assert_only_changed(after("A0"), after("A1"), SLOT, 4);
    for (size_t i = 2; i + 2 < steps.count; i++) /* from step A1 until the name is written */
        assert_int_equal(PRFDATA_SLOT_STATE(word32(steps.bytes[i], SLOT)), PRFDATA_SLOT_BUILDING);
}

static void test_region_assign_A2_identity_gauges_baselines_then_the_name(void **state)
{
    prfdata_region_key key = name_key(abcde, 5);

    (void)state;
    use_slot_before();
    assign(&key);
    assert_int_equal(word32(after("A2: identity"), SLOT + 8), 6);
    assert_only_changed(after("A1"), after("A2: identity"), SLOT + 8, 4);
    assert_int_equal(word64(after("A2: gauges"), CELLS + 8 * DEPTH_CELL), 0);
    assert_only_changed(after("A2: identity"), after("A2: gauges"), CELLS, 8);
    assert_int_equal(word64(after("A2: baselines"), BASES + 8 * DEPTH_CELL), 0);
    assert_int_equal(word64(after("A2: baselines"), BASES + 8 * JOBS_CELL), 200);
    assert_int_equal(word64(after("A2: baselines"), BASES + 8 * JOB_TIME_CELL), 300);
    assert_int_equal(word64(after("A2: baselines"), BASES + 8 * JOB_TIME_BASE_CELL), 400);
    assert_only_changed(after("A2: gauges"), after("A2: baselines"), BASES, 32);
}

static void test_region_assign_A3_live_with_everything_written(void **state)
{
    prfdata_region_key key = name_key(abcde, 5);

    (void)state;
    use_slot_before();
    key.parent_slot = 0;
    key.parent_identity = 17;
    assign(&key);
    assert_int_equal(word32(bytes, SLOT), 10 << 2 | PRFDATA_SLOT_LIVE);
    assert_only_changed(after("A2: name"), bytes, SLOT, 4);
    assert_int_equal(word32(bytes, SLOT + 4), PRFDATA_SLOT_HAS_BASELINE);
    assert_int_equal(word32(bytes, SLOT + 12), 0);
    assert_int_equal(word32(bytes, SLOT + 16), 17);
    assert_int_equal(word32(bytes, SLOT + 20), 0);
    assert_int_equal(word32(bytes, SLOT + 24), 5);
    assert_memory_equal(bytes + NAME, abcde, sizeof abcde);
    /* Threads may still be inside a bracket, so both numbers stay. */
    assert_int_equal(word64(bytes, SLOT + 40), 6);
    assert_int_equal(word64(bytes, SLOT + 48), 6);
}

static void test_region_assign_accumulating_cells_are_never_reset(void **state)
{
    prfdata_region_key key = name_key(abcde, 5);

    (void)state;
    use_slot_before();
    assign(&key);
    assert_int_equal(word64(bytes, CELLS + 8 * JOBS_CELL), 200);
    assert_int_equal(word64(bytes, CELLS + 8 * JOB_TIME_CELL), 300);
    assert_int_equal(word64(bytes, CELLS + 8 * JOB_TIME_BASE_CELL), 400);
}

static void test_region_assign_unused_slot_has_no_baseline(void **state)
{
    prfdata_region_key key = name_key(abcde, 5);

    (void)state;
    assert_int_equal(assign(&key), 1);
    assert_int_equal(word32(bytes, SLOT + 4), 0);
    assert_int_equal(word32(bytes, SLOT + 8), 1);
    assert_int_equal(word32(bytes, SLOT + 12), UINT32_MAX);
}

static void test_region_assign_every_single_baseline_sets_the_flag(void **state)
{
    prfdata_region_key key = name_key(abcde, 5);

    (void)state;
    for (uint64_t cell = JOBS_CELL; cell <= JOB_TIME_BASE_CELL; cell++) {
        memset(bytes + CELLS, 0, 64);
        put64(CELLS + 8 * cell, 1ull << 63);
        assign(&key);
        assert_int_equal(word32(bytes, SLOT + 4), PRFDATA_SLOT_HAS_BASELINE);
        assert_int_equal(word64(bytes, BASES + 8 * cell), 1ull << 63);
        steps.count = 0;
    }
}

static void test_region_assign_number_instead_of_a_name(void **state)
{
    prfdata_region_key key = number_key(-2);

    (void)state;
    memset(bytes + NAME, 0xEE, 80);
    assign(&key);
    assert_int_equal(word32(bytes, SLOT + 4), PRFDATA_SLOT_HAS_UNIQUE_ID);
    assert_int_equal((int32_t)word32(bytes, SLOT + 20), -2);
    assert_int_equal(word32(bytes, SLOT + 24), 0);
    assert_int_equal(bytes[NAME], 0xEE);
}

static void test_region_assign_name_of_every_length_stays_in_its_place(void **state)
{
    uint16_t name[40];

    (void)state;
    for (uint32_t chars = 1; chars <= 40; chars++) {
        uint16_t *exact = malloc(chars * sizeof *exact);
        prfdata_region_key key = name_key(exact, chars);

        assert_non_null(exact);
        for (uint32_t i = 0; i < chars; i++)
            exact[i] = name[i] = (uint16_t)(0x4100 + i);
        memset(bytes + QUEUES_NAMES, 0xEE, 240);
        assign(&key);
        steps.count = 0;
        free(exact);
        assert_memory_equal(bytes + NAME, name, chars * sizeof name[0]);
        for (uint64_t i = 0; i < 80; i++) {
            assert_int_equal(bytes[QUEUES_NAMES + i], 0xEE);
            assert_int_equal(bytes[QUEUES_NAMES + 160 + i], 0xEE);
        }
    }
}

static void test_region_assign_generation_wraps_at_30_bits(void **state)
{
    prfdata_region_key key = name_key(abcde, 5);

    (void)state;
    put32(SLOT, 0x3FFFFFFFu << 2 | PRFDATA_SLOT_DORMANT);
    assert_int_equal(assign(&key), 0);
    assert_int_equal(word32(bytes, SLOT), PRFDATA_SLOT_LIVE);
}

/* ---- Reviving and removing ---- */

static void test_region_revive_keeps_name_identity_baseline_and_counts(void **state)
{
    static const char *const expected[] = {"W1", "V1", "V2", "W2"};
    uint8_t before[TOTAL];

    (void)state;
    use_slot_before();
    memcpy(before, bytes, TOTAL);
    assert_int_equal(
        prfdata_region_slot_revive(bytes, object(QUEUES_OBJECT), section(QUEUES_OBJECT), 1), 10);
    assert_steps(expected, COUNT(expected));
    assert_int_equal(word64(after("V1"), CELLS + 8 * DEPTH_CELL), 0);
    assert_only_changed(before, after("V1"), CELLS, 8);
    assert_int_equal(word32(after("V1"), SLOT), 9 << 2 | PRFDATA_SLOT_DORMANT);
    assert_int_equal(word32(bytes, SLOT), 10 << 2 | PRFDATA_SLOT_LIVE);
    assert_only_changed(after("V1"), bytes, SLOT, 4);
}

static void test_region_retire_writes_its_age_and_then_becomes_dormant(void **state)
{
    static const char *const expected[] = {"W1", "D1", "D2", "W2"};
    uint8_t before[TOTAL];

    (void)state;
    use_slot_before();
    put32(SLOT, 9 << 2 | PRFDATA_SLOT_LIVE);
    memcpy(before, bytes, TOTAL);
    prfdata_region_slot_retire(bytes, section(QUEUES_OBJECT), 1, 88);
    assert_steps(expected, COUNT(expected));
    assert_int_equal(word64(after("D1"), SLOT + 32), 88);
    assert_only_changed(before, after("D1"), SLOT + 32, 8);
    assert_int_equal(word32(bytes, SLOT), 9 << 2 | PRFDATA_SLOT_DORMANT);
    assert_only_changed(after("D1"), bytes, SLOT, 4);
}

/* ---- Take-over ---- */

/* Make a live, a building and a dormant slot, with open brackets, and with values in gauges and
 * accumulating cells. */
static void fill(void)
{
    static const uint32_t queue_tags[] = {
        4 << 2 | PRFDATA_SLOT_LIVE, 5 << 2 | PRFDATA_SLOT_BUILDING, 6 << 2 | PRFDATA_SLOT_DORMANT};

    for (uint64_t i = 0; i < 3; i++) {
        put32(QUEUES_SLOTS + 64 * i, queue_tags[i]);
        put64(QUEUES_SLOTS + 64 * i + 40, 9);
        put64(QUEUES_SLOTS + 64 * i + 48, 8);
        for (uint64_t j = 0; j < 4; j++) {
            put64(QUEUES_CELLS + 64 * i + 8 * j, 1000 * i + 10 * j + 1);
            put64(QUEUES_BASES + 64 * i + 8 * j, j == DEPTH_CELL ? 0 : j);
        }
    }
    put64(QUEUES_SLOTS + 128 + 32, 7); /* freed */
    put64(WORKERS_CELLS, 55);
    put32(CONSUMERS_SLOTS + 64, 1 << 2 | PRFDATA_SLOT_LIVE);
    put64(CONSUMERS_CELLS + 64, 66);
    put64(48, 3);  /* dropped */
    put64(64, 12); /* entered */
    put64(72, 11); /* left */
    put32(36, 41); /* epoch */
}

static void take_over(void)
{
    uint64_t freed = 7;

    prfdata_region_take_over(bytes, model, layout, 2000, &freed, false);
    assert_int_equal(freed, 9);
}

static void test_region_take_over_takes_its_steps_in_order(void **state)
{
    static const char *const expected[] = {"W1",          "T1",         "T2: freed",  "T2: dormant",
                                           "T2: free",    "T2: object", "T2: object", "T2: freed",
                                           "T2: dormant", "T2: object", "T3",         "T4",
                                           "T5",          "W2"};

    (void)state;
    fill();
    take_over();
    assert_steps(expected, COUNT(expected));
}

static void test_region_take_over_is_no_live_region_until_it_is_done(void **state)
{
    (void)state;
    fill();
    take_over();
    for (size_t i = 1; i + 2 < steps.count; i++) /* from step T1 to T4 */
        assert_int_equal(word32(steps.bytes[i], 32), PRFDATA_REGION_TAKEN_OVER);
    assert_int_equal(word32(bytes, 32), PRFDATA_REGION_PUBLISHED);
    assert_only_changed(after("T4"), bytes, 32, 4);
}

static void test_region_take_over_puts_every_slot_to_sleep(void **state)
{
    (void)state;
    fill();
    take_over();
    assert_int_equal(word32(bytes, QUEUES_SLOTS), 4 << 2 | PRFDATA_SLOT_DORMANT);
    assert_int_equal(word32(bytes, QUEUES_SLOTS + 64), 5 << 2 | PRFDATA_SLOT_FREE);
    assert_int_equal(word32(bytes, QUEUES_SLOTS + 128), 6 << 2 | PRFDATA_SLOT_DORMANT);
    assert_int_equal(word32(bytes, CONSUMERS_SLOTS), PRFDATA_SLOT_FREE);
    assert_int_equal(word32(bytes, CONSUMERS_SLOTS + 64), 1 << 2 | PRFDATA_SLOT_DORMANT);
}

static void test_region_take_over_writes_the_age_before_the_tag(void **state)
{
    (void)state;
    fill();
    take_over();
    assert_int_equal(word64(after("T2: freed"), QUEUES_SLOTS + 32), 8);
    assert_int_equal(word32(after("T2: freed"), QUEUES_SLOTS), 4 << 2 | PRFDATA_SLOT_LIVE);
    assert_int_equal(word64(bytes, QUEUES_SLOTS + 128 + 32),
                     7); /* not changed, because the slot was dormant before */
    assert_int_equal(word64(bytes, CONSUMERS_SLOTS + 64 + 32), 9);
}

static void test_region_take_over_resets_gauges_and_nothing_that_accumulates(void **state)
{
    (void)state;
    fill();
    take_over();
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(word64(bytes, QUEUES_CELLS + 64 * i + 8 * DEPTH_CELL), 0);
        for (uint64_t j = JOBS_CELL; j <= JOB_TIME_BASE_CELL; j++) {
            assert_int_equal(word64(bytes, QUEUES_CELLS + 64 * i + 8 * j), 1000 * i + 10 * j + 1);
            assert_int_equal(word64(bytes, QUEUES_BASES + 64 * i + 8 * j), j);
        }
    }
    assert_int_equal(word64(bytes, WORKERS_CELLS), 0);
    assert_int_equal(word64(bytes, CONSUMERS_CELLS + 64), 66);
}

/* No step changes `entered`. If it became smaller, a reader that had read it could later see the
 * same number again and conclude that no thread had entered meanwhile. */
static void test_region_take_over_of_a_dead_process_closes_its_brackets(void **state)
{
    (void)state;
    fill();
    take_over();
    for (size_t step = 0; step < steps.count; step++) {
        for (uint64_t i = 0; i < 3; i++)
            assert_int_equal(word64(steps.bytes[step], QUEUES_SLOTS + 64 * i + 40), 9);
        assert_int_equal(word64(steps.bytes[step], 64), 12);
    }
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(word64(bytes, QUEUES_SLOTS + 64 * i + 48), 9);
    assert_int_equal(word64(bytes, 72), 12);
}

/* A thread inside a bracket will leave it. If the take-over had closed the bracket, it would be
 * left twice. */
static void test_region_take_over_of_its_own_leaves_brackets_alone(void **state)
{
    uint64_t freed = 7;

    (void)state;
    fill();
    prfdata_region_take_over(bytes, model, layout, 2000, &freed, true);
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(word64(bytes, QUEUES_SLOTS + 64 * i + 40), 9);
        assert_int_equal(word64(bytes, QUEUES_SLOTS + 64 * i + 48), 8);
    }
    assert_int_equal(word64(bytes, 64), 12);
    assert_int_equal(word64(bytes, 72), 11);
}

static void test_region_take_over_counts_epochs_and_names_the_process(void **state)
{
    (void)state;
    fill();
    take_over();
    assert_int_equal(word32(bytes, 36), 42);
    assert_int_equal(word32(bytes, 44), 2000);
    assert_int_equal(word64(bytes, 48), 3); /* dropped */
    assert_int_equal(word64(bytes, 24), boot);
}

static void forget_ages_and_epoch(uint8_t *region)
{
    memset(region + STRUCTURE, 0, 8);
    memset(region + 36, 0, 4);
    for (uint64_t i = 0; i < 3; i++)
        memset(region + QUEUES_SLOTS + 64 * i + 32, 0, 8);
    for (uint64_t i = 0; i < 2; i++)
        memset(region + CONSUMERS_SLOTS + 64 * i + 32, 0, 8);
}

static void test_region_take_over_may_begin_again_after_every_step(void **state)
{
    static uint8_t killed[MAX_STEPS][TOTAL];
    uint8_t expected[TOTAL];
    size_t count;

    (void)state;
    fill();
    take_over();
    count = steps.count;
    memcpy(killed, steps.bytes, sizeof killed);
    memcpy(expected, bytes, TOTAL);
    forget_ages_and_epoch(expected);
    for (size_t i = 0; i < count; i++) {
        uint64_t freed = 9;

        steps.count = 0;
        memcpy(bytes, killed[i], TOTAL);
        prfdata_region_take_over(bytes, model, layout, 2000, &freed, false);
        assert_int_equal(word32(bytes, 36), word32(killed[i], 36) + 1);
        forget_ages_and_epoch(bytes);
        assert_memory_equal(bytes, expected, TOTAL);
    }
}

/* ---- The structure word ---- */

static void assign_abcde(void)
{
    prfdata_region_key key = name_key(abcde, 5);

    assign(&key);
}

static void revive_slot(void)
{
    prfdata_region_slot_revive(bytes, object(QUEUES_OBJECT), section(QUEUES_OBJECT), 1);
}

static void retire_slot(void)
{
    prfdata_region_slot_retire(bytes, section(QUEUES_OBJECT), 1, 88);
}

static void hide_region(void)
{
    prfdata_region_hide(bytes);
}

static void (*const changes[])(void) = {assign_abcde, revive_slot, retire_slot, hide_region,
                                        take_over};

static void test_region_structure_word_is_odd_during_every_change(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(changes); i++) {
        uint64_t before;

        fill();
        before = word64(bytes, STRUCTURE);
        assert_int_equal(before % 2, 0);
        steps.count = 0;
        changes[i]();
        assert_true(steps.count >= 2);
        for (size_t j = 0; j + 1 < steps.count; j++)
            assert_int_equal(word64(steps.bytes[j], STRUCTURE), before + 1);
        assert_int_equal(word64(bytes, STRUCTURE), before + 2);
    }
}

/* Nothing else has changed yet when the word becomes odd, and nothing changes after it becomes
 * even. */
static void test_region_structure_word_changes_first_and_last(void **state)
{
    uint8_t before[TOTAL];

    (void)state;
    for (size_t i = 0; i < COUNT(changes); i++) {
        fill();
        memcpy(before, bytes, TOTAL);
        steps.count = 0;
        changes[i]();
        assert_only_changed(before, after("W1"), 0, 0);
        assert_only_changed(steps.bytes[steps.count - 2], bytes, 0, 0);
    }
}

static void test_region_structure_word_of_a_killed_change_stays_odd_until_the_next_is_done(void **s)
{
    static uint8_t killed[MAX_STEPS][TOTAL];

    (void)s;
    for (size_t i = 0; i < COUNT(changes); i++) {
        size_t count;

        fill();
        steps.count = 0;
        changes[i]();
        count = steps.count;
        memcpy(killed, steps.bytes, sizeof killed);
        for (size_t j = 0; j + 1 < count; j++) {
            const uint64_t left = word64(killed[j], STRUCTURE);

            memcpy(bytes, killed[j], TOTAL);
            steps.count = 0;
            prfdata_region_take_over(bytes, model, layout, 2000, &(uint64_t){9}, false);
            for (size_t k = 0; k + 1 < steps.count; k++)
                assert_int_equal(word64(steps.bytes[k], STRUCTURE), left);
            assert_int_equal(word64(bytes, STRUCTURE), left + 1);
        }
    }
}

/* ---- Cells that are gauges ---- */

static void test_region_gauges_are_what_is_shown_of_live_regions_only(void **state)
{
    (void)state;
    assert_true(prfdata_merging_is_gauge(PRFDATA_MERGING_SUM));
    assert_true(prfdata_merging_is_gauge(PRFDATA_MERGING_MAX));
    assert_true(prfdata_merging_is_gauge(PRFDATA_MERGING_OLDEST_START));
    assert_false(prfdata_merging_is_gauge(PRFDATA_MERGING_ACCUMULATE));
    assert_false(prfdata_merging_is_gauge(PRFDATA_MERGING_NEWEST));
    assert_false(prfdata_merging_is_gauge(PRFDATA_MERGING_NOTHING));
}

/* Time stamps of precision timers have no baseline, and nothing resets them. */
static void test_region_assign_and_take_over_keep_time_stamps(void **state)
{
    prfdata_region_key key = name_key(abcde, 5);
    uint64_t freed = 0;

    (void)state;
    sample.entries[JOB_TIME].type = PERF_PRECISION_SYSTEM_TIMER;
    sample.entries[JOB_TIME_BASE].type = PERF_LARGE_RAW_BASE;
    region_bytes_end(NULL);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(model, slot_counts, &layout), ERROR_SUCCESS);
    bytes = allocate(layout->total_bytes);
    prfdata_region_format(bytes, model, layout, boot, 1000);
    put64(CELLS + 8 * JOB_TIME_CELL, 300);
    put64(CELLS + 8 * JOB_TIME_BASE_CELL, 400);
    assign(&key);
    prfdata_region_take_over(bytes, model, layout, 2000, &freed, false);
    assert_int_equal(word64(bytes, CELLS + 8 * JOB_TIME_BASE_CELL), 400);
    assert_int_equal(word64(bytes, BASES + 8 * JOB_TIME_BASE_CELL), 0);
    assert_int_equal(word64(bytes, BASES + 8 * JOB_TIME_CELL), 300);
}

/* ---- The worked example ---- */

static const prfdata_map_entry golden_entries[] = {
    {PRFDATA_ENTRY_OBJECT, 1, "Q", L"Jobs", L"All jobs.", PERF_DETAIL_NOVICE, 2, 4, 10, 0, 0, 0, 0,
     0, 0, 0, 0},
    {PRFDATA_ENTRY_COUNTER, 2, "D", L"Waiting", L"Jobs that wait.", PERF_DETAIL_NOVICE, 0, 0, 0, 0,
     PERF_COUNTER_RAWCOUNT, 0, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_COUNTER, 3, "E", L"Done/sec", L"Jobs done.", PERF_DETAIL_NOVICE, 0, 0, 0, 0,
     PERF_COUNTER_BULK_COUNT, 0, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_OBJECT, 4, "W", L"Workers", L"All workers.", PERF_DETAIL_NOVICE, 5,
     PERF_NO_INSTANCES, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {PRFDATA_ENTRY_COUNTER, 5, "B", L"Busy", L"Workers with a job.", PERF_DETAIL_NOVICE, 0, 0, 0, 0,
     PERF_COUNTER_LARGE_RAWCOUNT, 0, 0, 0, 0, 0, 0},
};
static const prfdata_map golden_map = {sizeof(prfdata_map_entry), COUNT(golden_entries),
                                       golden_entries, "Svc"};

enum { GOLDEN_TOTAL = 128 + 64 + 2 * 64 + 64 + 2 * 64 + 2 * 64 + 64 };

static const prfdata_model_object *golden_object(const prfdata_model *golden, uint32_t index)
{
    return &golden->objects[index];
}

/* Play the example of docs/region-format.md. */
static void play_example(uint8_t *region, const prfdata_model *golden,
                         const prfdata_region_layout *places)
{
    static const uint16_t mail[] = {'M', 0xE4, 'i', 'l'};
    static const uint16_t old[] = {'o', 'l', 'd'};
    const prfdata_model_object *jobs = golden_object(golden, 0);
    const prfdata_region_section *in_jobs = &places->sections[0];
    uint64_t *mails = prfdata_region_cells_at(region, in_jobs, 0);
    uint64_t *second = prfdata_region_cells_at(region, in_jobs, 1);
    prfdata_region_key named_mail = name_key(mail, COUNT(mail));
    prfdata_region_key named_old = name_key(old, COUNT(old));
    prfdata_region_key number = number_key(42);
    uint64_t freed = 1;

    prfdata_region_format(region, golden, places, boot, 1000);
    prfdata_region_slot_assign(region, jobs, in_jobs, 0, &named_mail);
    prfdata_store64_relaxed(&mails[0], 5);
    prfdata_add64_relaxed(&mails[1], 7);
    prfdata_region_slot_assign(region, jobs, in_jobs, 1, &named_old);
    prfdata_add64_relaxed(&second[1], 3);
    prfdata_region_slot_retire(region, in_jobs, 1, freed);
    prfdata_region_take_over(region, golden, places, 2000, &freed, false);
    prfdata_region_slot_revive(region, jobs, in_jobs, 0);
    prfdata_store64_relaxed(&mails[0], 2);
    prfdata_add64_relaxed(&mails[1], 1);
    prfdata_region_slot_assign(region, jobs, in_jobs, 1, &number);
    prfdata_add64_relaxed(&second[1], 2);
    prfdata_store64_relaxed(prfdata_region_cells_at(region, &places->sections[1], 0), 4);
}

static uint8_t *make_example(void)
{
    static const uint32_t counts[] = {2, 1};
    prfdata_model *golden;
    prfdata_region_layout *places;
    uint8_t *region = allocate(TOTAL); /* each step copies this many bytes */

    free(bytes);
    bytes = region;
    assert_int_equal(prfdata_model_make(&golden_map, &golden), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(golden, counts, &places), ERROR_SUCCESS);
    assert_int_equal(places->total_bytes, GOLDEN_TOTAL);
    play_example(region, golden, places);
    free(places);
    prfdata_model_free(golden);
    return region;
}

static void test_region_golden_region_is_written_as_specified(void **state)
{
    unsigned char expected[GOLDEN_TOTAL + 1];
    const uint8_t *region = make_example();

    (void)state;
    assert_int_equal(golden_read("region.hex", expected, sizeof expected), GOLDEN_TOTAL);
    assert_memory_equal(region, expected, GOLDEN_TOTAL);
}

static void test_region_golden_bytes_are_a_valid_region(void **state)
{
    unsigned char expected[GOLDEN_TOTAL];
    size_t size = golden_read("region.hex", expected, sizeof expected);

    (void)state;
    prfdata_model_free(model);
    assert_int_equal(prfdata_model_make(&golden_map, &model), ERROR_SUCCESS);
    assert_int_equal(check(expected, size, size, boot), PRFDATA_REGION_VALID);
}

static void test_region_specification_shows_the_golden_bytes(void **state)
{
    char *golden = golden_text("tests/golden/region.hex");
    char *page = golden_text("docs/region-format.md");

    (void)state;
    assert_non_null(strstr(page, golden));
    free(golden);
    free(page);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, region_bytes_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_region_layout_is_what_the_tables_say),
        TEST(test_region_layout_of_every_slot_count_and_name_length_follows_the_tables),
        TEST(test_region_layout_per_process_names_are_11_chars_longer),
        TEST(test_region_layout_cell_stride_is_whole_cache_lines),
        TEST(test_region_layout_without_slot_counts_has_the_maps_capacities),
        TEST(test_region_layout_slot_counts_beyond_the_limit_are_refused),
        TEST(test_region_check_fresh_region_is_valid),
        TEST(test_region_R1_too_short_for_header_and_slot_counts),
        TEST(test_region_R2_other_magic),
        TEST(test_region_R3_other_major),
        TEST(test_region_R4_unknown_feature),
        TEST(test_region_R5_other_map),
        TEST(test_region_R6_other_object_count),
        TEST(test_region_R7_slot_count_beyond_the_limit),
        TEST(test_region_R8_any_other_size),
        TEST(test_region_R9_state),
        TEST(test_region_R9_unfinished_is_of_no_map),
        TEST(test_region_R9_published_while_the_header_is_read_is_unfinished),
        TEST(test_region_R10_other_boot),
        TEST(test_region_R10_other_boot_is_the_last_thing_looked_at),
        TEST(test_region_check_every_changed_bit_is_noticed_or_allowed),
        TEST(test_region_used_count_beyond_the_slots_means_all),
        TEST(test_region_format_publishes_with_its_last_store),
        TEST(test_region_format_writes_header_and_slot_counts_and_nothing_else),
        TEST(test_region_assign_takes_its_steps_in_order),
        TEST(test_region_assign_A0_counts_the_slot_as_used_before_anything_else),
        TEST(test_region_assign_A0_never_lowers_the_used_count),
        TEST(test_region_assign_A1_building_under_the_next_generation),
        TEST(test_region_assign_A2_identity_gauges_baselines_then_the_name),
        TEST(test_region_assign_A3_live_with_everything_written),
        TEST(test_region_assign_accumulating_cells_are_never_reset),
        TEST(test_region_assign_unused_slot_has_no_baseline),
        TEST(test_region_assign_every_single_baseline_sets_the_flag),
        TEST(test_region_assign_number_instead_of_a_name),
        TEST(test_region_assign_name_of_every_length_stays_in_its_place),
        TEST(test_region_assign_generation_wraps_at_30_bits),
        TEST(test_region_revive_keeps_name_identity_baseline_and_counts),
        TEST(test_region_retire_writes_its_age_and_then_becomes_dormant),
        TEST(test_region_take_over_takes_its_steps_in_order),
        TEST(test_region_take_over_is_no_live_region_until_it_is_done),
        TEST(test_region_take_over_puts_every_slot_to_sleep),
        TEST(test_region_take_over_writes_the_age_before_the_tag),
        TEST(test_region_take_over_resets_gauges_and_nothing_that_accumulates),
        TEST(test_region_take_over_of_a_dead_process_closes_its_brackets),
        TEST(test_region_take_over_of_its_own_leaves_brackets_alone),
        TEST(test_region_take_over_counts_epochs_and_names_the_process),
        TEST(test_region_take_over_may_begin_again_after_every_step),
        TEST(test_region_structure_word_is_odd_during_every_change),
        TEST(test_region_structure_word_changes_first_and_last),
        TEST(test_region_structure_word_of_a_killed_change_stays_odd_until_the_next_is_done),
        TEST(test_region_gauges_are_what_is_shown_of_live_regions_only),
        TEST(test_region_assign_and_take_over_keep_time_stamps),
        TEST(test_region_keys_are_equal_in_name_and_parent_or_not_at_all),
        TEST(test_region_golden_region_is_written_as_specified),
        TEST(test_region_golden_bytes_are_a_valid_region),
        TEST(test_region_specification_shows_the_golden_bytes),
    };

    return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
