/* SPDX-License-Identifier: MIT */
/* Tests forms of a reply that the contract allows but some readers do not handle: instances with
 * numbers, bases of averages, and instances without a parent in an object whose other instances
 * have one. It compares bytes, not the result of our decoder. It also tests that an object that
 * does not fit is left out. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "reply/reply.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided_sample.h"

#define SERVICE "PrfDataTestReply"

enum { FIRST_COUNTER = 9100, QUEUE_TITLE = 9100, CONSUMER_TITLE = 9112 };
enum { QUEUE_ID = 100, CONSUMER_ID = 300 };

/* Positions in PERF_INSTANCE_DEFINITION, in units of 4 bytes. */
enum { BYTE_LENGTH, PARENT_TITLE, PARENT_INSTANCE, UNIQUE_ID, NAME_OFFSET, NAME_LENGTH, NAME };

/* Offsets in PERF_COUNTER_DEFINITION. */
enum { COUNTER_SIZE = 32, COUNTER_OFFSET = 36 };

const provided_sample_service provided_sample_is = {SERVICE, FIRST_COUNTER};
static prfdata_publisher *publisher;

/* Installs the sample map with the test's changes, and opens a publisher. */
static void install(void)
{
    provided_begin(&sample.map, FIRST_COUNTER);
    publisher = counting_open(&sample.map);
}

static int uninstall(void **state)
{
    return provided_end_after(&publisher, state);
}

static void get_instance(const collected *taken, uint32_t title, uint32_t index, uint32_t *words,
                         size_t word_count)
{
    const size_t offset = perf_reader_instance(&taken->reply, title, index);

    assert_true(offset != SIZE_MAX);
    memcpy(words, taken->reply.bytes + offset, word_count * sizeof *words);
}

static void expect_parent(uint32_t title, uint32_t index, uint32_t parent_title,
                          int32_t parent_instance)
{
    uint32_t words[NAME];
    collected taken;

    collected_take(&taken, provider, "Global");
    get_instance(&taken, title, index, words, NAME);
    assert_int_equal(words[PARENT_TITLE], parent_title);
    assert_int_equal((int32_t)words[PARENT_INSTANCE], parent_instance);
    collected_free(&taken);
}

static void test_reply_a_number_has_an_empty_name_where_names_stand(void **state)
{
    uint32_t words[NAME + 2];
    prfdata_instance seven;
    collected taken;

    (void)state;
    install();
    assert_int_equal(prfdata_instance_add_id(publisher, QUEUE_ID, 7, NULL, &seven), 0);
    collected_take(&taken, provider, "Global");
    get_instance(&taken, QUEUE_TITLE, 0, words, NAME + 2);
    assert_int_equal(words[BYTE_LENGTH], 32);
    assert_int_equal(words[UNIQUE_ID], 7);
    assert_int_equal(words[NAME_OFFSET], 24);
    assert_int_equal(words[NAME_LENGTH], 0);
    assert_int_equal(words[NAME], 0);
    assert_int_equal(words[NAME + 1], 0);
    collected_free(&taken);
}

static void test_reply_8_bytes_at_an_averages_base_are_the_base(void **state)
{
    const prfdata_map_entry bulk = sample_map_counter(150, PERF_AVERAGE_BULK);
    const prfdata_map_entry base = sample_map_counter(151, PERF_AVERAGE_BASE);
    const prfdata_map_entry neighbour = sample_map_counter(152, PERF_COUNTER_RAWCOUNT);
    prfdata_instance mail;
    prfdata_handle handle;
    prfdata_pair pair;
    collected taken;
    size_t instance;
    uint64_t value;

    (void)state;
    sample_map_insert(&sample, DEPTH, &neighbour);
    sample_map_insert(&sample, DEPTH, &base);
    sample_map_insert(&sample, DEPTH, &bulk);
    install();
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_resolve_pair(publisher, 150, &mail, &pair), 0);
    prfdata_average_add(pair, 1000);
    assert_int_equal(prfdata_resolve(publisher, 152, &mail, &handle), 0);
    prfdata_set(handle, 0x1234567);
    collected_take(&taken, provider, "Global");
    assert_int_equal(perf_reader_counter_field(&taken.reply, QUEUE_TITLE, 0, COUNTER_OFFSET), 8);
    assert_int_equal(perf_reader_counter_field(&taken.reply, QUEUE_TITLE, 1, COUNTER_OFFSET), 16);
    assert_int_equal(perf_reader_counter_field(&taken.reply, QUEUE_TITLE, 1, COUNTER_SIZE), 4);
    instance = perf_reader_instance(&taken.reply, QUEUE_TITLE, 0);
    instance += taken.reply.bytes[instance]; /* goes to the counter block */
    memcpy(&value, taken.reply.bytes + instance + 8 + 8, sizeof value);
    assert_int_equal(value, 1);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", 2), 0x1234567);
    collected_free(&taken);
}

static void publish_consumers(void)
{
    prfdata_instance mail, print, consumer;

    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"print", NULL, &print), 0);
    assert_int_equal(prfdata_instance_add(publisher, CONSUMER_ID, L"ann", &print, &consumer), 0);
    assert_int_equal(prfdata_instance_add(publisher, CONSUMER_ID, L"bob", NULL, &consumer), 0);
}

static void test_reply_an_instance_without_parent_is_no_child_of_the_first(void **state)
{
    (void)state;
    install();
    publish_consumers();
    expect_parent(CONSUMER_TITLE, 0, QUEUE_TITLE, 1);
    expect_parent(CONSUMER_TITLE, 1, 0, -1);
    expect_parent(QUEUE_TITLE, 0, 0, 0); /* queues have no parent object */
}

/* In Windows, the total of all threads is Thread(_Total/_Total). */
static void test_reply_total_is_a_child_of_the_parents_total(void **state)
{
    collected taken;

    (void)state;
    sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_TOTAL, 0);
    install();
    expect_parent(CONSUMER_TITLE, 0, QUEUE_TITLE, 0); /* only the totals exist */
    publish_consumers();
    expect_parent(CONSUMER_TITLE, 2, QUEUE_TITLE, 2);
    collected_take(&taken, provider, "9112");
    assert_true(collected_has(&taken, CONSUMER_TITLE, "_Total", "_Total"));
    collected_free(&taken);
}

static void test_reply_total_has_no_parent_where_parents_have_no_total(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, TAKEN, PRFDATA_OPTION_TOTAL, 0);
    sample_map_remove(&sample, QUEUES_TOTAL);
    install();
    publish_consumers();
    expect_parent(CONSUMER_TITLE, 2, 0, -1);
}

static void put_into(const prfdata_merge *merge, size_t capacity)
{
    unsigned char *bytes = malloc(capacity + (capacity == 0));
    prfdata_perf_block block;

    assert_non_null(bytes);
    prfdata_perf_block_init(&block, bytes, capacity);
    for (uint32_t i = 0; i < merge->model->object_count; i++) {
        const uint64_t needed = prfdata_reply_object_bytes(merge, i);
        const size_t before = block.used;
        const bool fits = needed <= capacity - before;

        assert_int_equal(prfdata_reply_put_object(merge, i, &block), fits);
        assert_int_equal(block.used, before + (fits ? needed : 0));
    }
    free(bytes);
}

static void test_reply_an_object_is_put_whole_or_not_at_all(void **state)
{
    static const bool wanted[PRFDATA_MAX_OBJECTS] = {true, true, true};
    prfdata_merge merge = {.wanted = wanted, .metadata = true};
    prfdata_perf_object_type **templates;
    prfdata_model *model;

    (void)state;
    sample_map_init(&sample);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    templates = prfdata_template_make(model, FIRST_COUNTER, FIRST_COUNTER + 1);
    assert_non_null(templates);
    merge.model = model;
    merge.templates = templates;
    for (size_t capacity = 0; capacity <= prfdata_reply_bytes(&merge) + 8; capacity++)
        put_into(&merge, capacity);
    free(templates);
    prfdata_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, provided_sample_init, uninstall)
        CASE(test_reply_a_number_has_an_empty_name_where_names_stand),
        CASE(test_reply_8_bytes_at_an_averages_base_are_the_base),
        CASE(test_reply_an_instance_without_parent_is_no_child_of_the_first),
        CASE(test_reply_total_is_a_child_of_the_parents_total),
        CASE(test_reply_total_has_no_parent_where_parents_have_no_total),
#undef CASE
        cmocka_unit_test(test_reply_an_object_is_put_whole_or_not_at_all),
    };

    return cmocka_run_group_tests_name("reply", tests, NULL, NULL);
}
