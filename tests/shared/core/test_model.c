/* SPDX-License-Identifier: MIT */
/* Tests model.c: everything that is derived from a map. */
#include <stdlib.h>
#include <string.h>

#include "map/map_bytes.h"
#include "map/model.h"
#include "support/encoded_map.h"
#include "support/sample_map.h"
#include "support/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static sample_map sample;
static prfdata_model *model;

static void derive(void)
{
    prfdata_model_free(model);
    model = NULL;
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
}

static int begin(void **state)
{
    (void)state;
    model = NULL;
    sample_map_init(&sample);
    return prfdata_model_make(&sample.map, &model) == ERROR_SUCCESS ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    prfdata_model_free(model);
    return 0;
}

/* Make an object whose counters have these types, and return its part of the model. */
static const prfdata_model_object *derive_types(const uint32_t *types, uint32_t count)
{
    prfdata_map_entry object;

    sample_map_init(&sample);
    object = sample.entries[WORKERS];
    sample.map.entry_count = 0;
    /* The first counter may be one that is not shown, so a plain counter at the end is the
     * default. */
    object.default_counter = 1000;
    sample_map_insert(&sample, 0, &object);
    for (uint32_t i = 0; i < count; i++) {
        prfdata_map_entry counter = sample_map_counter(i, types[i]);

        sample_map_insert(&sample, i + 1, &counter);
    }
    {
        prfdata_map_entry last = sample_map_counter(1000, PERF_COUNTER_COUNTER);

        sample_map_insert(&sample, count + 1, &last);
    }
    derive();
    return &model->objects[0];
}

/* ---- The model as a whole ---- */

static void test_model_wrong_map_is_refused(void **state)
{
    prfdata_model *untouched = model, *made = model;

    (void)state;
    sample.map.service = "";
    assert_int_equal(prfdata_model_make(&sample.map, &made), ERROR_INVALID_PARAMETER);
    assert_ptr_equal(made, untouched);
    assert_int_equal(prfdata_model_make(NULL, &made), ERROR_INVALID_PARAMETER);
}

static void test_model_points_into_the_map(void **state)
{
    (void)state;
    assert_ptr_equal(model->map, &sample.map);
    assert_true(model->hash == hash_map(&sample.map));
    assert_int_equal(model->object_count, 3);
    assert_ptr_equal(model->objects[1].entry, &sample.entries[WORKERS]);
    assert_int_equal(model->objects[0].counter_count, 4);
    assert_ptr_equal(model->objects[0].counters[1].entry, &sample.entries[JOBS]);
}

static void test_model_of_bytes_is_the_maps_and_outlives_them(void **state)
{
    unsigned char *bytes = malloc(4096);
    size_t size;
    prfdata_model *decoded;

    (void)state;
    assert_non_null(bytes);
    assert_int_equal(encode_map(&sample.map, bytes, 4096, &size), ERROR_SUCCESS);
    assert_int_equal(prfdata_model_from_bytes(bytes, size, &decoded), ERROR_SUCCESS);
    free(bytes);
    assert_true(decoded->hash == model->hash);
    assert_int_equal(decoded->title_count, model->title_count);
    assert_string_equal(decoded->objects[2].entry->symbol, "CONSUMERS");
    prfdata_model_free(decoded);
}

static void test_model_of_wrong_bytes_is_refused(void **state)
{
    prfdata_model *untouched = model, *made = model;

    (void)state;
    assert_int_equal(prfdata_model_from_bytes("wrong", 5, &made), ERROR_INVALID_DATA);
    assert_ptr_equal(made, untouched);
}

/* Encodes the sample map after `change`, with the hash of the unchanged map. */
static size_t encode_changed(void (*change)(void), unsigned char *bytes, size_t capacity)
{
    size_t size;

    sample_map_init(&sample);
    derive();
    change();
    assert_int_equal(prfdata_map_bytes_encode(&sample.map, model->hash, bytes, capacity, &size),
                     ERROR_SUCCESS);
    return size;
}

static void make_names_wrong(void)
{
    sample.entries[DEPTH].name = L"Jobs/(sec)";
    sample.entries[JOBS].help = L"";
    sample.entries[JOBS].symbol = "no identifier";
    sample.entries[WORKERS].detail_level = 7;
}

static void exceed_instances(void)
{
    sample.entries[WORKERS].max_instances = PRFDATA_MAX_INSTANCES + 1;
}

static void have_no_instance(void)
{
    sample.entries[WORKERS].max_instances = 0;
}

static void name_no_default_counter(void)
{
    sample.entries[WORKERS].default_counter = 99999;
}

static void scale_too_far(void)
{
    sample.entries[JOBS].default_scale = 8;
}

static void say_total_twice(void)
{
    sample_map_insert_option(&sample, WORKERS + 1, PRFDATA_OPTION_TOTAL, 0);
    sample_map_insert_option(&sample, WORKERS + 1, PRFDATA_OPTION_TOTAL, 0);
}

/* The hash does not cover these limits, so prfdata_model_read() must check them. */
static void test_model_read_looks_at_no_names_but_at_limits(void **state)
{
    static void (*const limits[])(void) = {exceed_instances, have_no_instance,
                                           name_no_default_counter, scale_too_far, say_total_twice};
    static unsigned char bytes[4096];
    prfdata_model *read = NULL;
    size_t size = encode_changed(make_names_wrong, bytes, sizeof bytes);

    (void)state;
    assert_int_equal(prfdata_model_from_bytes(bytes, size, &read), ERROR_INVALID_DATA);
    assert_int_equal(prfdata_model_read(bytes, size, &read), ERROR_SUCCESS);
    assert_true(read->hash == model->hash);
    assert_int_equal(read->object_count, model->object_count);
    prfdata_model_free(read);
    for (size_t i = 0; i < COUNT(limits); i++) {
        size = encode_changed(limits[i], bytes, sizeof bytes);
        assert_int_equal(prfdata_model_read(bytes, size, &read), ERROR_INVALID_DATA);
    }
}

static void test_model_free_takes_null(void **state)
{
    (void)state;
    prfdata_model_free(NULL);
}

/* ---- Titles ---- */

static void test_model_titles_are_even_in_table_order_without_bases(void **state)
{
    (void)state;
    assert_int_equal(model->objects[0].title_offset, 0);
    assert_int_equal(model->objects[0].counters[0].title_offset, 2);
    assert_int_equal(model->objects[0].counters[1].title_offset, 4);
    assert_int_equal(model->objects[0].counters[2].title_offset, 6);
    assert_int_equal(model->objects[0].counters[3].title_offset,
                     PRFDATA_NONE); /* a base has no title */
    assert_int_equal(model->objects[1].title_offset, 8);
    assert_int_equal(model->objects[1].counters[0].title_offset, 10);
    assert_int_equal(model->objects[2].title_offset, 12);
    assert_int_equal(model->objects[2].counters[0].title_offset, 14);
    assert_int_equal(model->title_count, 8);
}

static void test_model_nodata_has_a_title_and_no_cell(void **state)
{
    static const uint32_t types[] = {PERF_COUNTER_NODATA, PERF_COUNTER_COUNTER,
                                     PERF_COUNTER_NODATA};
    const prfdata_model_object *object = derive_types(types, COUNT(types));

    (void)state;
    assert_int_equal(object->counters[0].title_offset, 2);
    assert_int_equal(object->counters[0].cell_index, PRFDATA_NONE);
    assert_int_equal(object->counters[0].value_bytes, 0);
    assert_int_equal(object->counters[0].block_offset, 4);
    assert_int_equal(object->counters[1].cell_index, 0);
    assert_int_equal(object->counters[1].block_offset, 4);
    assert_int_equal(object->counters[2].block_offset, 4);
    assert_int_equal(object->cell_count, 2);
    assert_int_equal(object->block_bytes, 16);
}

/* ---- The counter block ---- */

static void assert_places(const uint32_t *types, uint32_t count, const uint32_t *offsets,
                          const uint32_t *sizes, uint32_t block_bytes)
{
    const prfdata_model_object *object = derive_types(types, count);

    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(object->counters[i].block_offset, offsets[i]);
        assert_int_equal(object->counters[i].value_bytes, sizes[i]);
    }
    assert_int_equal(object->block_bytes, block_bytes);
}

/* `block_bytes` includes the plain counter of 4 bytes that derive_types() appends. */
static void test_model_values_lie_at_multiples_of_their_size(void **state)
{
    static const uint32_t types[] = {PERF_COUNTER_COUNTER,        PERF_COUNTER_BULK_COUNT,
                                     PERF_COUNTER_RAWCOUNT,       PERF_COUNTER_DELTA,
                                     PERF_COUNTER_LARGE_RAWCOUNT, PERF_COUNTER_RAWCOUNT_HEX,
                                     PERF_COUNTER_LARGE_DELTA};
    static const uint32_t offsets[] = {4, 8, 16, 20, 24, 32, 40};
    static const uint32_t sizes[] = {4, 8, 4, 4, 8, 4, 8};

    (void)state;
    assert_places(types, COUNT(types), offsets, sizes, 56);
}

static void test_model_first_8_byte_value_lies_at_8(void **state)
{
    static const uint32_t types[] = {PERF_COUNTER_BULK_COUNT, PERF_COUNTER_COUNTER};
    static const uint32_t offsets[] = {8, 16};
    static const uint32_t sizes[] = {8, 4};

    (void)state;
    assert_places(types, COUNT(types), offsets, sizes, 24);
}

static void test_model_multi_base_lies_directly_after_its_value(void **state)
{
    static const uint32_t types[] = {PERF_COUNTER_COUNTER,         PERF_COUNTER_COUNTER,
                                     PERF_COUNTER_MULTI_TIMER,     PERF_COUNTER_MULTI_BASE,
                                     PERF_100NSEC_MULTI_TIMER_INV, PERF_COUNTER_MULTI_BASE};
    static const uint32_t offsets[] = {4, 8, 16, 24, 32, 40};
    static const uint32_t sizes[] = {4, 4, 8, 8, 8, 8};

    (void)state;
    assert_places(types, COUNT(types), offsets, sizes, 56);
}

/* Readers load 8 bytes of an AVERAGE_TIMER, although its type says 4 bytes. */
static void test_model_average_timer_has_8_bytes_and_its_base_4(void **state)
{
    static const uint32_t types[] = {PERF_COUNTER_COUNTER, PERF_AVERAGE_TIMER, PERF_AVERAGE_BASE,
                                     PERF_COUNTER_BULK_COUNT};
    static const uint32_t offsets[] = {4, 8, 16, 24};
    static const uint32_t sizes[] = {4, 8, 4, 8};

    (void)state;
    assert_places(types, COUNT(types), offsets, sizes, 40);
}

/* Some readers load 8 bytes for the base of an average, so the next value is 8 bytes further. */
static void test_model_average_base_has_room_for_8_bytes(void **state)
{
    static const uint32_t types[] = {PERF_AVERAGE_BULK,  PERF_AVERAGE_BASE, PERF_COUNTER_RAWCOUNT,
                                     PERF_AVERAGE_TIMER, PERF_AVERAGE_BASE, PERF_COUNTER_RAWCOUNT};
    static const uint32_t offsets[] = {8, 16, 24, 32, 40, 48};
    static const uint32_t sizes[] = {8, 4, 4, 8, 4, 4};

    (void)state;
    assert_places(types, COUNT(types), offsets, sizes, 56);
}

static void test_model_bases_of_4_byte_fractions_have_4_bytes(void **state)
{
    static const uint32_t types[] = {PERF_SAMPLE_FRACTION, PERF_SAMPLE_BASE, PERF_RAW_FRACTION,
                                     PERF_RAW_BASE, PERF_COUNTER_RAWCOUNT};
    static const uint32_t offsets[] = {4, 8, 12, 16, 20};
    static const uint32_t sizes[] = {4, 4, 4, 4, 4};

    (void)state;
    assert_places(types, COUNT(types), offsets, sizes, 32);
}

/* A block with the counters of the worked example (tests/support/reader/wire.h) has 36 bytes, and
 * is padded to 40. */
static void test_model_block_is_padded_to_8(void **state)
{
    static const uint32_t types[] = {PERF_COUNTER_BULK_COUNT, PERF_COUNTER_RAWCOUNT,
                                     PERF_AVERAGE_TIMER, PERF_AVERAGE_BASE};
    static const uint32_t offsets[] = {8, 16, 24, 32};
    static const uint32_t sizes[] = {8, 4, 8, 4};

    (void)state;
    assert_places(types, COUNT(types), offsets, sizes, 48);
    sample.map.entry_count--; /* without the counter that derive_types() appends */
    sample.entries[0].default_counter = 0;
    derive();
    assert_int_equal(model->objects[0].block_bytes, 40);
}

static void test_model_cells_are_counted_in_order(void **state)
{
    static const uint32_t types[] = {PERF_COUNTER_COUNTER, PERF_COUNTER_NODATA, PERF_RAW_FRACTION,
                                     PERF_RAW_BASE, PERF_COUNTER_BULK_COUNT};
    static const uint32_t cells[] = {0, PRFDATA_NONE, 1, 2, 3};
    const prfdata_model_object *object = derive_types(types, COUNT(types));

    (void)state;
    for (size_t i = 0; i < COUNT(types); i++)
        assert_int_equal(object->counters[i].cell_index, cells[i]);
    assert_int_equal(object->cell_count, 5);
}

/* If a pair would be on two cache lines, all pairs of the object get the first cells. */
static void test_model_pairs_on_two_lines_come_first(void **state)
{
    uint32_t types[] = {PERF_COUNTER_COUNTER, PERF_AVERAGE_BULK,    PERF_AVERAGE_BASE,
                        PERF_COUNTER_NODATA,  PERF_COUNTER_COUNTER, PERF_COUNTER_COUNTER,
                        PERF_COUNTER_COUNTER, PERF_COUNTER_COUNTER, PERF_SAMPLE_FRACTION,
                        PERF_SAMPLE_BASE,     PERF_COUNTER_COUNTER};
    static const uint32_t cells[] = {4, 0, 1, PRFDATA_NONE, 5, 6, 7, 8, 2, 3, 9};
    const prfdata_model_object *object = derive_types(types, COUNT(types));

    (void)state;
    for (size_t i = 0; i < COUNT(types); i++)
        assert_int_equal(object->counters[i].cell_index, cells[i]);
    assert_int_equal(object->cell_count, 11);
    types[0] = PERF_COUNTER_NODATA;
    object = derive_types(types, COUNT(types));
    for (uint32_t i = 1, cell = 0; i < COUNT(types); i++)
        if (i != 3)
            assert_int_equal(object->counters[i].cell_index, cell++);
}

/* ---- Hot counters ---- */

/* Pairs come first, each value directly before its base. A MULTI timer's base is not a sum, so it
 * is not hot. */
static void test_model_hot_pairs_come_first(void **state)
{
    static const uint32_t types[] = {PERF_COUNTER_BULK_COUNT, PERF_COUNTER_MULTI_TIMER,
                                     PERF_COUNTER_MULTI_BASE, PERF_COUNTER_DELTA,
                                     PERF_AVERAGE_BULK,       PERF_AVERAGE_BASE};
    static const uint32_t hot[] = {2, 3, PRFDATA_NONE, PRFDATA_NONE, 0, 1};
    static const uint32_t cells[] = {4, 5, 0, 1};
    const prfdata_model_object *object;

    (void)state;
    (void)derive_types(types, COUNT(types));
    sample_map_insert_option(&sample, 6, PRFDATA_OPTION_HOT, 0);
    sample_map_insert_option(&sample, 3, PRFDATA_OPTION_HOT, 0);
    sample_map_insert_option(&sample, 2, PRFDATA_OPTION_HOT, 0);
    derive();
    object = &model->objects[0];
    assert_int_equal(object->hot_count, COUNT(cells));
    for (size_t i = 0; i < COUNT(types); i++) {
        assert_int_equal(object->counters[i].hot_index, hot[i]);
        assert_int_equal(object->counters[i].is_hot, hot[i] != PRFDATA_NONE);
    }
    for (size_t i = 0; i < COUNT(cells); i++)
        assert_int_equal(object->hot_cells[i], cells[i]);
}

static void test_model_time_stamp_is_never_hot(void **state)
{
    (void)state;
    sample.entries[JOB_TIME].type = PERF_PRECISION_100NS_TIMER;
    sample.entries[JOB_TIME_BASE].type = PERF_LARGE_RAW_BASE;
    sample_map_insert_option(&sample, JOB_TIME_BASE, PRFDATA_OPTION_HOT, 0);
    derive();
    assert_int_equal(model->objects[0].hot_count, 1);
    assert_true(model->objects[0].counters[2].is_hot);
    assert_false(model->objects[0].counters[3].is_hot);
}

static void test_model_without_the_option_nothing_is_hot(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < model->object_count; i++) {
        assert_int_equal(model->objects[i].hot_count, 0);
        assert_int_equal(model->objects[i].counters[0].hot_index, PRFDATA_NONE);
    }
}

/* ---- Types, by their documentation and not by our table ---- */

static const struct {
    uint32_t type;
    uint32_t base; /* PRFDATA_NONE: none */
    uint32_t bytes;
    prfdata_merging merging;
    prfdata_ticks ticks;
    prfdata_merging base_merge;
    prfdata_ticks base_ticks;
} expected[] = {
#define M(merge) PRFDATA_MERGING_##merge
#define T(ticks) PRFDATA_TICKS_##ticks
#define NO_BASE  M(NOTHING), T(NONE)
    {0x00010000, PRFDATA_NONE, 4, M(SUM), T(NONE), NO_BASE},
    {0x00010100, PRFDATA_NONE, 8, M(SUM), T(NONE), NO_BASE},
    {0x00000000, PRFDATA_NONE, 4, M(SUM), T(NONE), NO_BASE},
    {0x00000100, PRFDATA_NONE, 8, M(SUM), T(NONE), NO_BASE},
    {0x00400400, PRFDATA_NONE, 4, M(ACCUMULATE), T(NONE), NO_BASE},
    {0x00400500, PRFDATA_NONE, 8, M(ACCUMULATE), T(NONE), NO_BASE},
    {0x10410400, PRFDATA_NONE, 4, M(ACCUMULATE), T(NONE), NO_BASE},
    {0x10410500, PRFDATA_NONE, 8, M(ACCUMULATE), T(NONE), NO_BASE},
    {0x00410400, PRFDATA_NONE, 4, M(ACCUMULATE), T(NONE), NO_BASE},
    {0x00410400, 0x40030401, 4, M(ACCUMULATE), T(NONE), M(ACCUMULATE), T(NONE)},
    {0x00450400, PRFDATA_NONE, 4, M(ACCUMULATE), T(PERF), NO_BASE},
    {0x00450500, PRFDATA_NONE, 8, M(ACCUMULATE), T(PERF), NO_BASE},
    {0x00550500, PRFDATA_NONE, 8, M(ACCUMULATE), T(100NS), NO_BASE},
    {0x00650500, PRFDATA_NONE, 8, M(ACCUMULATE), T(PERF), NO_BASE},
    {0x20410500, PRFDATA_NONE, 8, M(ACCUMULATE), T(PERF), NO_BASE},
    {0x21410500, PRFDATA_NONE, 8, M(ACCUMULATE), T(PERF), NO_BASE},
    {0x20510500, PRFDATA_NONE, 8, M(ACCUMULATE), T(100NS), NO_BASE},
    {0x21510500, PRFDATA_NONE, 8, M(ACCUMULATE), T(100NS), NO_BASE},
    {0x20610500, PRFDATA_NONE, 8, M(ACCUMULATE), T(PERF), NO_BASE},
    {0x22410500, 0x42030500, 8, M(ACCUMULATE), T(PERF), M(SUM), T(NONE)},
    {0x23410500, 0x42030500, 8, M(ACCUMULATE), T(PERF), M(SUM), T(NONE)},
    {0x22510500, 0x42030500, 8, M(ACCUMULATE), T(100NS), M(SUM), T(NONE)},
    {0x23510500, 0x42030500, 8, M(ACCUMULATE), T(100NS), M(SUM), T(NONE)},
    {0x20C20400, 0x40030401, 4, M(ACCUMULATE), T(NONE), M(ACCUMULATE), T(NONE)},
    {0x20020400, 0x40030403, 4, M(SUM), T(NONE), M(SUM), T(NONE)},
    {0x20020500, 0x40030500, 8, M(SUM), T(NONE), M(SUM), T(NONE)},
    {0x30020400, 0x40030402, 8, M(ACCUMULATE), T(PERF), M(ACCUMULATE), T(NONE)},
    {0x40020500, 0x40030402, 8, M(ACCUMULATE), T(NONE), M(ACCUMULATE), T(NONE)},
    {0x20470500, 0x40030500, 8, M(ACCUMULATE), T(PERF), M(NEWEST), T(PERF)},
    {0x20570500, 0x40030500, 8, M(ACCUMULATE), T(100NS), M(NEWEST), T(100NS)},
    {0x20670500, 0x40030500, 8, M(ACCUMULATE), T(PERF), M(NEWEST), T(PERF)},
    {0x30240500, PRFDATA_NONE, 8, M(OLDEST_START), T(PERF), NO_BASE},
    {0x40000200, PRFDATA_NONE, 0, M(NOTHING), T(NONE), NO_BASE},
};

static uint32_t base_bytes(uint32_t base)
{
    return base == PERF_LARGE_RAW_BASE || base == PERF_COUNTER_MULTI_BASE ? 8 : 4;
}

static void test_model_each_type_merges_as_specified(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expected); i++) {
        uint32_t types[] = {expected[i].type, expected[i].base};
        uint32_t count = expected[i].base != PRFDATA_NONE ? 2 : 1;
        const prfdata_model_counter *counters;

        if (types[0] == PERF_COUNTER_TIMER_INV || types[0] == PERF_100NSEC_TIMER_INV)
            continue; /* the next test tests these */
        counters = derive_types(types, count)->counters;
        assert_int_equal(counters[0].value_bytes, expected[i].bytes);
        assert_int_equal(counters[0].merging, expected[i].merging);
        assert_int_equal(counters[0].ticks, expected[i].ticks);
        assert_int_equal(counters[0].has_base, count == 2);
        assert_false(counters[0].is_base);
        if (count == 1)
            continue;
        assert_true(counters[1].is_base);
        assert_false(counters[1].has_base);
        assert_int_equal(counters[1].value_bytes, base_bytes(types[1]));
        assert_int_equal(counters[1].merging, expected[i].base_merge);
        assert_int_equal(counters[1].ticks, expected[i].base_ticks);
    }
}

static void test_model_single_inverse_types_merge_as_specified(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_PER_PROCESS, 0);
    for (size_t i = 0; i < COUNT(expected); i++) {
        if (expected[i].type != PERF_COUNTER_TIMER_INV &&
            expected[i].type != PERF_100NSEC_TIMER_INV)
            continue;
        sample.entries[TAKEN + 1].type = expected[i].type;
        derive();
        assert_int_equal(model->objects[2].counters[0].value_bytes, expected[i].bytes);
        assert_int_equal(model->objects[2].counters[0].merging, expected[i].merging);
        assert_int_equal(model->objects[2].counters[0].ticks, expected[i].ticks);
    }
}

/* The type RAWCOUNT_HEX is 0, and 0 also stands for "no base". */
static void test_model_type_0_is_no_base(void **state)
{
    static const uint32_t types[] = {PERF_COUNTER_COUNTER, PERF_COUNTER_RAWCOUNT_HEX};
    const prfdata_model_object *object = derive_types(types, COUNT(types));

    (void)state;
    assert_false(object->counters[0].has_base);
    assert_false(object->counters[1].is_base);
}

/* ---- Options ---- */

static void test_model_options_decide_the_merging_of_levels(void **state)
{
    (void)state;
    assert_int_equal(model->objects[0].counters[0].merging, PRFDATA_MERGING_MAX);
    assert_int_equal(model->objects[0].counters[0].options, PRFDATA_OPTION_MERGE_MAX);
    sample.entries[DEPTH_MAX].option = PRFDATA_OPTION_ACCUMULATING;
    derive();
    assert_int_equal(model->objects[0].counters[0].merging, PRFDATA_MERGING_ACCUMULATE);
}

static void test_model_base_follows_its_fraction(void **state)
{
    static const uint32_t fractions[] = {PERF_RAW_FRACTION, PERF_LARGE_RAW_FRACTION};
    static const uint32_t bases[] = {PERF_RAW_BASE, PERF_LARGE_RAW_BASE};

    (void)state;
    sample_map_insert_option(&sample, JOB_TIME_BASE, PRFDATA_OPTION_ACCUMULATING, 0);
    for (size_t i = 0; i < COUNT(bases); i++) {
        sample.entries[JOB_TIME].type = fractions[i];
        sample.entries[JOB_TIME_BASE + 1].type = bases[i];
        derive();
        assert_int_equal(model->objects[0].counters[2].merging, PRFDATA_MERGING_ACCUMULATE);
        assert_int_equal(model->objects[0].counters[3].merging, PRFDATA_MERGING_ACCUMULATE);
        assert_int_equal(model->objects[0].counters[3].options, PRFDATA_OPTION_ACCUMULATING);
        assert_true(model->objects[0].counters[2].has_base);
    }
}

static void test_model_object_has_its_options(void **state)
{
    (void)state;
    assert_int_equal(model->objects[0].options, PRFDATA_OPTION_TOTAL);
    assert_int_equal(model->objects[1].options, PRFDATA_OPTION_COSTLY);
    assert_int_equal(model->objects[2].options, PRFDATA_OPTION_PARENT);
}

static void test_model_parent_is_the_models_object(void **state)
{
    (void)state;
    assert_int_equal(model->objects[0].parent_index, PRFDATA_NONE);
    assert_int_equal(model->objects[1].parent_index, PRFDATA_NONE);
    assert_int_equal(model->objects[2].parent_index, 0);
    /* Now the parent is an earlier object that is not the first one. */
    sample.entries[WORKERS].max_instances = 2;
    sample.entries[WORKERS].max_name_chars = 5;
    sample.entries[WORKERS_COSTLY].option = PRFDATA_OPTION_TOTAL;
    sample.entries[CONSUMERS_PARENT].id = 200;
    derive();
    assert_int_equal(model->objects[2].parent_index, 1);
}

/* ---- Objects ---- */

static void test_model_instances_and_names(void **state)
{
    (void)state;
    assert_true(model->objects[0].has_instances);
    assert_int_equal(model->objects[0].max_instances, 16);
    assert_int_equal(model->objects[0].name_chars, 40);
    assert_false(model->objects[1].has_instances);
    assert_int_equal(model->objects[1].max_instances, 1);
    assert_int_equal(model->objects[1].name_chars, 0);
}

static void test_model_name_per_process_has_room_for_the_id(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, QUEUES_TOTAL, PRFDATA_OPTION_PER_PROCESS, 0);
    derive();
    assert_int_equal(model->objects[0].name_chars, 51);
    assert_int_equal(model->objects[0].options, PRFDATA_OPTION_PER_PROCESS | PRFDATA_OPTION_TOTAL);
}

static void test_model_detail_level_is_the_least_of_shown_counters(void **state)
{
    (void)state;
    assert_int_equal(model->objects[0].detail_level, PERF_DETAIL_NOVICE);
    assert_int_equal(model->objects[2].detail_level, PERF_DETAIL_WIZARD);
    sample.entries[DEPTH].detail_level = PERF_DETAIL_EXPERT;
    sample.entries[JOBS].detail_level = PERF_DETAIL_WIZARD;
    sample.entries[JOB_TIME_BASE].detail_level = PERF_DETAIL_NOVICE; /* a base is not shown */
    derive();
    assert_int_equal(model->objects[0].detail_level, PERF_DETAIL_ADVANCED);
}

static void test_model_default_position_is_the_default_counters(void **state)
{
    (void)state;
    assert_int_equal(model->objects[0].default_position, 1);
    sample.entries[QUEUES].default_counter = 103;
    derive();
    assert_int_equal(model->objects[0].default_position, 2);
}

/* The sample has 8 titles, so the last name's title is 14 after the first one. */
static void test_model_titles_fit_where_names_are_even_and_helps_odd(void **state)
{
    (void)state;
    assert_true(prfdata_model_titles_fit(model, 2, 3));
    assert_true(prfdata_model_titles_fit(model, 2, 1));
    assert_true(prfdata_model_titles_fit(model, 0xFFFFFFFE - 2 * (model->title_count - 1),
                                         0xFFFFFFFF - 2 * (model->title_count - 1)));
    assert_false(prfdata_model_titles_fit(model, 0, 3));
    assert_false(prfdata_model_titles_fit(model, 3, 3));
    assert_false(prfdata_model_titles_fit(model, 2, 0));
    assert_false(prfdata_model_titles_fit(model, 2, 4));
    assert_false(prfdata_model_titles_fit(model, 0xFFFFFFFE, 3));
    assert_false(prfdata_model_titles_fit(model, 2, 0xFFFFFFFF));
    assert_false(prfdata_model_titles_fit(model, 0xFFFFFFFE - 2 * (model->title_count - 2), 3));
}

/* ---- Finding ---- */

static void test_model_find_object_by_id(void **state)
{
    (void)state;
    assert_ptr_equal(prfdata_model_find_object(model, 200), &model->objects[1]);
    assert_null(prfdata_model_find_object(model, 101)); /* a counter */
    assert_null(prfdata_model_find_object(model, 0));
}

static void test_model_find_counter_by_id_gives_its_object(void **state)
{
    const prfdata_model_object *object = NULL;

    (void)state;
    assert_ptr_equal(prfdata_model_find_counter(model, 104, &object),
                     &model->objects[0].counters[3]);
    assert_ptr_equal(object, &model->objects[0]);
    assert_ptr_equal(prfdata_model_find_counter(model, 301, NULL), &model->objects[2].counters[0]);
    object = NULL;
    assert_null(prfdata_model_find_counter(model, 300, &object)); /* an object */
    assert_null(object);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_model_wrong_map_is_refused),
        TEST(test_model_points_into_the_map),
        TEST(test_model_of_bytes_is_the_maps_and_outlives_them),
        TEST(test_model_of_wrong_bytes_is_refused),
        TEST(test_model_read_looks_at_no_names_but_at_limits),
        TEST(test_model_free_takes_null),
        TEST(test_model_titles_are_even_in_table_order_without_bases),
        TEST(test_model_nodata_has_a_title_and_no_cell),
        TEST(test_model_values_lie_at_multiples_of_their_size),
        TEST(test_model_first_8_byte_value_lies_at_8),
        TEST(test_model_multi_base_lies_directly_after_its_value),
        TEST(test_model_average_timer_has_8_bytes_and_its_base_4),
        TEST(test_model_average_base_has_room_for_8_bytes),
        TEST(test_model_bases_of_4_byte_fractions_have_4_bytes),
        TEST(test_model_block_is_padded_to_8),
        TEST(test_model_cells_are_counted_in_order),
        TEST(test_model_pairs_on_two_lines_come_first),
        TEST(test_model_hot_pairs_come_first),
        TEST(test_model_time_stamp_is_never_hot),
        TEST(test_model_without_the_option_nothing_is_hot),
        TEST(test_model_each_type_merges_as_specified),
        TEST(test_model_single_inverse_types_merge_as_specified),
        TEST(test_model_type_0_is_no_base),
        TEST(test_model_options_decide_the_merging_of_levels),
        TEST(test_model_base_follows_its_fraction),
        TEST(test_model_object_has_its_options),
        TEST(test_model_parent_is_the_models_object),
        TEST(test_model_instances_and_names),
        TEST(test_model_name_per_process_has_room_for_the_id),
        TEST(test_model_detail_level_is_the_least_of_shown_counters),
        TEST(test_model_default_position_is_the_default_counters),
        TEST(test_model_titles_fit_where_names_are_even_and_helps_odd),
        TEST(test_model_find_object_by_id),
        TEST(test_model_find_counter_by_id_gives_its_object),
    };

    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
