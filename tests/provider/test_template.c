/* SPDX-License-Identifier: MIT */
/* Tests the constant part of replies at the offsets of Microsoft's structures. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "reply/template.h"
#include "support/provider/perf_reader.h"
#include "support/sample_map.h"
#include "system/os.h"

enum { FIRST_COUNTER = 9100, FIRST_HELP = 9201, ROOM = 4096 };

static sample_map sample;
static prfdata_model *model;
static prfdata_perf_object_type **template;

static int make(void **state)
{
    (void)state;
    sample_map_init(&sample);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    template = prfdata_template_make(model, FIRST_COUNTER, FIRST_HELP);
    assert_non_null(template);
    return 0;
}

static int free_template(void **state)
{
    (void)state;
    free(template);
    prfdata_model_free(model);
    return 0;
}

static perf_reply put_all(prfdata_perf_block *block, void *bytes, size_t capacity)
{
    perf_reply reply;

    prfdata_perf_block_init(block, bytes, capacity);
    for (uint32_t i = 0; i < model->object_count; i++) {
        const uint32_t length = template[i] -> definition_length;
        const size_t offset = block->used;

        prfdata_template_put(template[i], length, -3, block);
        if (block->used == offset + length)
            prfdata_template_stamp(block->bytes + offset, 0x1122334455667788);
    }
    reply.bytes = bytes;
    reply.size = block->used;
    reply.object_count = model->object_count;
    return reply;
}

static void test_template_is_well_formed(void **state)
{
    static unsigned char bytes[ROOM];
    prfdata_perf_block block;
    perf_reply reply = put_all(&block, bytes, sizeof(bytes));
    const char *mistake = perf_reader_mistake(&reply);

    (void)state;
    if (mistake)
        fail_msg("%s", mistake);
    /* There are 3 objects of 64 bytes and 4 + 1 + 1 counters of 40 bytes. */
    assert_int_equal(block.used, 3 * 64 + 6 * 40);
}

static void test_template_titles_count_from_first_counter_and_first_help(void **state)
{
    static unsigned char bytes[ROOM];
    static const uint32_t objects[3] = {9100, 9108, 9112};
    static const uint32_t helps[3] = {9201, 9209, 9213};
    static const uint32_t counters[4] = {9102, 9104, 9106, 0};
    prfdata_perf_block block;
    perf_reply reply = put_all(&block, bytes, sizeof(bytes));

    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(perf_reader_object_field(&reply, objects[i], 20), helps[i]);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(perf_reader_counter_field(&reply, 9100, i, 4), counters[i]);
        assert_int_equal(perf_reader_counter_field(&reply, 9100, i, 12),
                         counters[i] ? counters[i] + 101 : 0);
    }
}

static void test_template_definitions_say_what_the_map_says(void **state)
{
    static unsigned char bytes[ROOM];
    prfdata_perf_block block;
    perf_reply reply = put_all(&block, bytes, sizeof(bytes));

    (void)state;
    assert_int_equal(perf_reader_object_field(&reply, 9100, 28), PERF_DETAIL_NOVICE);
    assert_int_equal(perf_reader_object_field(&reply, 9108, 28), PERF_DETAIL_EXPERT);
    assert_int_equal(perf_reader_object_field(&reply, 9112, 28), PERF_DETAIL_WIZARD);
    assert_int_equal(perf_reader_object_field(&reply, 9100, 32), 4);
    /* JOBS is the default counter. */
    assert_int_equal(perf_reader_object_field(&reply, 9100, 36), 1);
    assert_int_equal(perf_reader_object_field(&reply, 9112, 36), 0);
    assert_int_equal(perf_reader_counter_field(&reply, 9100, 0, 28), PERF_COUNTER_RAWCOUNT);
    assert_int_equal(perf_reader_counter_field(&reply, 9100, 0, 20), 1);
    assert_int_equal(perf_reader_counter_field(&reply, 9100, 2, 20), (uint32_t)-3);
    assert_int_equal(perf_reader_counter_field(&reply, 9100, 2, 24), PERF_DETAIL_ADVANCED);
    assert_int_equal(perf_reader_counter_field(&reply, 9100, 3, 28), PERF_AVERAGE_BASE);
}

static void test_template_gets_clock_length_and_instance_count(void **state)
{
    static unsigned char bytes[ROOM];
    prfdata_perf_block block;
    perf_reply reply = put_all(&block, bytes, sizeof(bytes));
    const uint64_t ticks_per_second = prfdata_os_ticks_per_second();

    (void)state;
    assert_int_equal(perf_reader_object_field(&reply, 9108, 0), 64 + 40);
    assert_int_equal(perf_reader_object_field(&reply, 9108, 40), (uint32_t)-3);
    assert_int_equal(perf_reader_object_field(&reply, 9108, 48), 0x55667788);
    assert_int_equal(perf_reader_object_field(&reply, 9108, 52), 0x11223344);
    assert_int_equal(perf_reader_object_field(&reply, 9108, 56), ticks_per_second & UINT32_MAX);
    assert_int_equal(perf_reader_object_field(&reply, 9108, 60), ticks_per_second >> 32);
}

static void test_template_never_writes_past_any_capacity(void **state)
{
    const size_t needed = 3 * 64 + 6 * 40;

    (void)state;
    for (size_t capacity = 1; capacity <= needed + 16; capacity++) {
        unsigned char *bytes = malloc(capacity);
        prfdata_perf_block block;

        assert_non_null(bytes);
        put_all(&block, bytes, capacity);
        assert_true(block.used <= capacity);
        assert_int_equal(block.used == needed, capacity >= needed);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_template_is_well_formed),
        cmocka_unit_test(test_template_titles_count_from_first_counter_and_first_help),
        cmocka_unit_test(test_template_definitions_say_what_the_map_says),
        cmocka_unit_test(test_template_gets_clock_length_and_instance_count),
        cmocka_unit_test(test_template_never_writes_past_any_capacity),
    };

    return cmocka_run_group_tests_name("template", tests, make, free_template);
}
