/* SPDX-License-Identifier: MIT */
/* Tests Collect as perflib calls it. The sample map is at First Counter 9100 and First Help 9101.
 * Its objects are queues (9100) with Depth, Jobs, Job time and its base, and `_Total`; costly
 * workers (9108) with Busy; and consumers (9112), whose parents are queues, with Taken. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "support/encoded_map.h"
#include "support/golden.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided_sample.h"
#include "system/os.h"

#define SERVICE "PrfDataTestCollect"

enum { FIRST_COUNTER = 9100, QUEUE_TITLE = 9100, WORKER_TITLE = 9108, CONSUMER_TITLE = 9112 };
enum { DEPTH_AT, JOBS_AT, JOB_TIME_AT, JOB_TIME_BASE_AT, BUSY_AT = 0, TAKEN_AT = 0 };
enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID, JOB_TIME_ID, BASE_ID, WORKER_ID = 200, BUSY_ID };
enum { CONSUMER_ID = 300, TAKEN_ID };
enum { PERF_TIME_OFFSET = 48, PERF_TIME_BYTES = 16 };

const provided_sample_service provided_sample_is = {SERVICE, FIRST_COUNTER};
static prfdata_publisher *publisher;

static int install(void **state)
{
    publisher = NULL;
    return provided_sample_begin(state);
}

static int remove_collect(void **state)
{
    return provided_end_after(&publisher, state);
}

/* Publishes a queue, a consumer below it, a consumer without a parent, and a busy worker. */
static int publish(void **state)
{
    prfdata_instance mail, ann, bob;

    install(state);
    publisher = counting_open(&sample.map);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_instance_add(publisher, CONSUMER_ID, L"ann", &mail, &ann), 0);
    assert_int_equal(prfdata_instance_add(publisher, CONSUMER_ID, L"Zo\x00EB", NULL, &bob), 0);
    counting_count(publisher, DEPTH_ID, &mail, 5);
    counting_count(publisher, JOBS_ID, &mail, 0x1122334455);
    counting_count(publisher, JOB_TIME_ID, &mail, 1000);
    counting_count(publisher, BASE_ID, &mail, 3);
    counting_count(publisher, TAKEN_ID, &ann, 7);
    counting_count(publisher, TAKEN_ID, &bob, 9);
    counting_count(publisher, BUSY_ID, NULL, 2);
    return 0;
}

/* ---- The arguments that Collect writes ---- */

typedef struct collect_outcome {
    uint32_t status;
    ptrdiff_t moved;
    uint32_t bytes;
    uint32_t objects;
} collect_outcome;

static collect_outcome ask(prfdata_provider *whom, const char *text, unsigned char *buffer,
                           uint32_t capacity)
{
    uint16_t *query = text ? collected_query(text) : NULL;
    void *data = buffer;
    collect_outcome found;

    found.bytes = capacity;
    found.objects = 0xDDDDDDDD;
    found.status = prfdata_provider_collect(whom, query, &data, &found.bytes, &found.objects);
    found.moved = (unsigned char *)data - buffer;
    free(query);
    return found;
}

static void expect_nothing(prfdata_provider *whom, const char *text)
{
    unsigned char buffer[64];
    collect_outcome found = ask(whom, text, buffer, sizeof(buffer));

    assert_int_equal(found.status, ERROR_SUCCESS);
    assert_int_equal(found.moved, 0);
    assert_int_equal(found.bytes, 0);
    assert_int_equal(found.objects, 0);
}

static void test_collect_data_moves_the_pointer_and_counts_objects(void **state)
{
    unsigned char *buffer = malloc(65536);
    collect_outcome found = ask(provider, "Global", buffer, 65536);

    (void)state;
    assert_int_equal(found.status, ERROR_SUCCESS);
    assert_true(found.bytes > 0 && found.bytes % 8 == 0);
    assert_int_equal(found.moved, found.bytes);
    assert_int_equal(found.objects, 2);
    free(buffer);
}

static void test_collect_nothing_asked_for_leaves_the_pointer_and_sets_zeros(void **state)
{
    static const char *const queries[] = {
        "", " ", "nonsense", "Foreign", "Foreign host 9100", "Counter 009", "9102", "1", NULL};

    (void)state;
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
        expect_nothing(provider, queries[i]);
}

static void test_collect_without_provider_leaves_the_pointer_and_sets_zeros(void **state)
{
    (void)state;
    expect_nothing(NULL, "Global");
}

static void test_collect_no_room_is_more_data_with_nothing_else(void **state)
{
    static const char *const queries[] = {"Global", "Costly", "MetadataGlobal", "9100", "9112"};

    (void)state;
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
        for (uint32_t capacity = 0; capacity <= 96; capacity += 96) {
            unsigned char buffer[96];
            collect_outcome found = ask(provider, queries[i], buffer, capacity);

            assert_int_equal(found.status, ERROR_MORE_DATA);
            assert_int_equal(found.moved, 0);
            assert_int_equal(found.bytes, 0);
            assert_int_equal(found.objects, 0);
        }
}

/* ---- Every size, every address ---- */

static uint32_t needed_bytes(const char *query)
{
    collected taken;
    uint32_t needed;

    collected_take(&taken, provider, query);
    needed = (uint32_t)taken.reply.size;
    collected_free(&taken);
    return needed;
}

static void expect_outcome(collect_outcome found, uint32_t capacity, uint32_t needed)
{
    const bool fits = capacity >= needed;

    assert_int_equal(found.status, fits ? ERROR_SUCCESS : ERROR_MORE_DATA);
    assert_int_equal(found.moved, fits ? needed : 0);
    assert_int_equal(found.bytes, fits ? needed : 0);
    assert_int_equal(found.objects, fits ? 2 : 0);
}

/* Each reply is in its own allocation, so that the sanitizer notices the first byte outside of
 * it. */
static void test_collect_every_capacity_suffices_or_is_more_data(void **state)
{
    const uint32_t needed = needed_bytes("Global");

    (void)state;
    for (uint32_t capacity = 0; capacity <= needed + 16; capacity++) {
        unsigned char *buffer = malloc(capacity + (capacity == 0));

        expect_outcome(ask(provider, "Global", buffer, capacity), capacity, needed);
        free(buffer);
    }
}

/* A kilobyte before and after the buffer is checked, like perflib's guard pages. If the reply does
 * not fit, nothing is written. */
static void test_collect_every_capacity_touches_no_byte_outside(void **state)
{
    enum { GUARD = 1024, PATTERN = 0xA5 };
    const uint32_t needed = needed_bytes("Global");
    const size_t room = GUARD + needed + 16 + GUARD;
    unsigned char *buffer = malloc(room);

    (void)state;
    for (uint32_t capacity = 0; capacity <= needed + 16; capacity++) {
        const size_t written = capacity >= needed ? needed : 0;

        memset(buffer, PATTERN, room);
        expect_outcome(ask(provider, "Global", buffer + GUARD, capacity), capacity, needed);
        for (size_t i = 0; i < room; i++)
            if ((i < GUARD || i >= GUARD + written) && buffer[i] != PATTERN)
                fail_msg("capacity %u: byte %d", (unsigned)capacity, (int)i - GUARD);
    }
    free(buffer);
}

static void without_clock(unsigned char *bytes, size_t size)
{
    for (size_t offset = 0; offset < size;) {
        uint32_t total;

        memcpy(&total, bytes + offset, sizeof(total));
        memset(bytes + offset + PERF_TIME_OFFSET, 0, PERF_TIME_BYTES);
        offset += total;
    }
}

static void test_collect_writes_the_same_at_any_address(void **state)
{
    const uint32_t needed = needed_bytes("Global");
    unsigned char *first = malloc(needed);

    (void)state;
    expect_outcome(ask(provider, "Global", first, needed), needed, needed);
    without_clock(first, needed);
    for (size_t offset = 1; offset < 8; offset++) {
        unsigned char *buffer = malloc(offset + needed);

        memset(buffer, 0x5A, offset);
        expect_outcome(ask(provider, "Global", buffer + offset, needed), needed, needed);
        for (size_t i = 0; i < offset; i++)
            assert_int_equal(buffer[i], 0x5A);
        without_clock(buffer + offset, needed);
        assert_memory_equal(buffer + offset, first, needed);
        free(buffer);
    }
    free(first);
}

static void test_collect_golden_block(void **state)
{
    static unsigned char expected[4096];
    const size_t size = golden_read("reply.hex", expected, sizeof(expected));
    collected taken;

    (void)state;
    collected_take(&taken, provider, "Global");
    without_clock(taken.memory, taken.reply.size);
    for (size_t i = 0; i < size && i < taken.reply.size; i++)
        if (taken.memory[i] != expected[i])
            fail_msg("byte %u is %02x, not %02x", (unsigned)i, taken.memory[i], expected[i]);
    assert_int_equal(taken.reply.size, size);
    collected_free(&taken);
}

/* ---- Queries ---- */

static void expect_titles(const char *query, const char *expected)
{
    char titles[128] = "";
    size_t used = 0, offset = 0;
    collected taken;

    collected_take(&taken, provider, query);
    for (uint32_t i = 0; i < taken.reply.object_count; i++) {
        uint32_t words[4];

        memcpy(words, taken.reply.bytes + offset, sizeof(words));
        used += (size_t)snprintf(titles + used, sizeof(titles) - used, "%s%u", i > 0 ? " " : "",
                                 (unsigned)words[3]);
        offset += words[0];
    }
    collected_free(&taken);
    assert_string_equal(titles, expected);
}

static void test_collect_global_is_all_but_costly_objects(void **state)
{
    (void)state;
    expect_titles("Global", "9100 9112");
    expect_titles("OLD_Global", "9100 9112");
}

static void test_collect_costly_objects_come_by_costly_or_by_number(void **state)
{
    collected taken;

    (void)state;
    expect_titles("Costly", "9108");
    expect_titles("9108", "9108");
    expect_titles("9108 9100 9108", "9100 9108");
    collected_take(&taken, provider, "Costly");
    assert_int_equal(collected_value(&taken, WORKER_TITLE, NULL, NULL, BUSY_AT), 2);
    collected_free(&taken);
}

static void test_collect_parents_come_with_their_children(void **state)
{
    collected taken;

    (void)state;
    expect_titles("9112", "9100 9112");
    collected_take(&taken, provider, "9112");
    assert_int_equal(collected_value(&taken, CONSUMER_TITLE, "mail", "ann", TAKEN_AT), 7);
    collected_free(&taken);
}

static void test_collect_metadata_has_definitions_only(void **state)
{
    collected taken;

    (void)state;
    expect_titles("MetadataGlobal", "9100 9112");
    expect_titles("MetadataCostly", "9108");
    collected_take(&taken, provider, "MetadataGlobal");
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), -2);
    assert_int_equal(collected_instances(&taken, CONSUMER_TITLE), -2);
    assert_int_equal(taken.reply.size, 2 * 64 + 5 * 40);
    collected_free(&taken);
    collected_take(&taken, provider, "OLD_MetadataCostly");
    assert_int_equal(collected_instances(&taken, WORKER_TITLE), -3);
    assert_int_equal(taken.reply.size, 64 + 40);
    collected_free(&taken);
}

static void test_collect_titles_count_from_first_counter_and_first_help(void **state)
{
    collected taken;
    prfdata_provider *other;

    (void)state;
    prfdata_test_service_set_number(&service, "First Counter", 7000);
    prfdata_test_service_set_number(&service, "First Help", 8001);
    assert_int_equal(prfdata_provider_open(SERVICE, &other), ERROR_SUCCESS);
    collected_take(&taken, other, "7008 7012");
    assert_int_equal(taken.reply.object_count, 3);
    assert_int_equal(perf_reader_object_field(&taken.reply, 7008, 20), 8009);
    assert_int_equal(perf_reader_counter_field(&taken.reply, 7012, 0, 4), 7014);
    assert_int_equal(perf_reader_counter_field(&taken.reply, 7012, 0, 12), 8015);
    collected_free(&taken);
    prfdata_provider_close(other);
}

static void test_collect_objects_carry_the_performance_clock(void **state)
{
    const uint64_t before = prfdata_os_ticks();
    collected taken;
    uint64_t clock[2];

    (void)state;
    collected_take(&taken, provider, "Global Costly");
    for (uint32_t title = QUEUE_TITLE; title <= CONSUMER_TITLE;
         title += CONSUMER_TITLE - QUEUE_TITLE) {
        memcpy(clock,
               taken.reply.bytes + perf_reader_object(&taken.reply, title) + PERF_TIME_OFFSET,
               sizeof(clock));
        assert_in_range(clock[0], before, prfdata_os_ticks());
        assert_int_equal(clock[1], prfdata_os_ticks_per_second());
    }
    collected_free(&taken);
}

/* ---- No program runs, or nothing is installed ---- */

static void test_collect_objects_are_listed_while_no_application_runs(void **state)
{
    collected taken;

    (void)state;
    collected_take(&taken, provider, "9100 9108 9112");
    assert_int_equal(collected_instances(&taken, WORKER_TITLE), -1);
    assert_int_equal(collected_value(&taken, WORKER_TITLE, NULL, NULL, BUSY_AT), 0);
    assert_int_equal(collected_instances(&taken, CONSUMER_TITLE), 0);
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 1);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "_Total", i), 0);
    collected_free(&taken);
}

static void test_collect_a_service_installed_later_is_noticed(void **state)
{
    static sample_map later;
    prfdata_test_service its_service;
    prfdata_provider *its_provider;
    collected taken;

    (void)state;
    sample_map_init_as(&later, "PrfDataTestLater");
    assert_int_equal(prfdata_provider_open("PrfDataTestLater", &its_provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(its_provider, 600000); /* so the next Collects check nothing */
    prfdata_test_service_make(&its_service, "PrfDataTestLater", &later.map, FIRST_COUNTER);
    expect_nothing(its_provider, "Global");
    prfdata_test_service_remove(&its_service);
    prfdata_provider_set_refresh(its_provider, 0);
    expect_nothing(its_provider, "Global");
    prfdata_test_service_make(&its_service, "PrfDataTestLater", NULL, FIRST_COUNTER);
    expect_nothing(its_provider, "Global");
    prfdata_test_service_remove(&its_service);
    prfdata_test_service_make(&its_service, "PrfDataTestLater", &later.map, 0);
    expect_nothing(its_provider, "Global");
    prfdata_test_service_set_number(&its_service, "First Counter", 500);
    expect_nothing(its_provider, "Global");
    prfdata_test_service_set_number(&its_service, "First Help", 501);
    collected_take(&taken, its_provider, "Global");
    assert_int_equal(taken.reply.object_count, 2);
    assert_true(perf_reader_object(&taken.reply, 500) != SIZE_MAX);
    collected_free(&taken);
    prfdata_provider_close(its_provider);
    prfdata_test_service_remove(&its_service);
}

static void test_collect_a_map_that_is_wrong_or_another_services_is_none(void **state)
{
    static const unsigned char nonsense[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const char *const services[] = {"PrfDataTestCollec", "PrfDataTestCollect2", "Other"};
    prfdata_provider *other;

    (void)state;
    for (size_t i = 0; i < sizeof(services) / sizeof(services[0]); i++) {
        prfdata_test_service its_service;

        prfdata_test_service_make(&its_service, services[i], &sample.map, FIRST_COUNTER);
        assert_int_equal(prfdata_provider_open(services[i], &other), ERROR_SUCCESS);
        expect_nothing(other, "Global");
        prfdata_provider_close(other);
        prfdata_test_service_remove(&its_service);
    }
    prfdata_test_service_set_bytes(&service, "Maps", nonsense, sizeof(nonsense));
    assert_int_equal(prfdata_provider_open(SERVICE, &other), ERROR_SUCCESS);
    expect_nothing(other, "Global");
    prfdata_provider_close(other);
}

/* ---- Limits ---- */

typedef struct big {
    prfdata_map map;
    prfdata_map_entry entries[1024];
} big;

static void make_big_map(big *made, const char *name, uint32_t counters, int32_t instances)
{
    made->map.entry_bytes = sizeof(prfdata_map_entry);
    made->map.entry_count = counters + 1;
    made->map.entries = made->entries;
    made->map.service = name;
    made->entries[0] = sample_map_object(5000, L"Big", 1, instances, 8);
    for (uint32_t i = 1; i <= counters; i++)
        made->entries[i] = sample_map_counter(i, PERF_COUNTER_LARGE_RAWCOUNT);
}

static void add_many(prfdata_publisher *to, char prefix, uint32_t instances)
{
    for (uint32_t i = 0; i < instances; i++) {
        wchar_t name[9] = {0};
        char digits[16];
        prfdata_instance instance;

        snprintf(digits, sizeof(digits), "%c%05u", prefix, (unsigned)i % 100000);
        for (size_t j = 0; j < 6; j++)
            name[j] = (wchar_t)digits[j];
        assert_int_equal(prfdata_instance_add(to, 5000, name, NULL, &instance), 0);
    }
}

/* Collects three times, so that there are plans. Returns how many instances the last reply has. */
static uint32_t shown_by_plans(prfdata_provider *of, unsigned char *buffer, size_t room)
{
    perf_reply reply = {buffer, 0, 0};

    for (int i = 0; i < 3; i++) {
        const collect_outcome found = ask(of, "Global", buffer, (uint32_t)room);

        assert_int_equal(found.status, ERROR_SUCCESS);
        reply.size = found.bytes;
        reply.object_count = found.objects;
    }
    assert_null(perf_reader_mistake(&reply));
    return perf_reader_object_field(&reply, 600, 40);
}

static uint64_t dropped_by(const prfdata_provider *whom)
{
    return prfdata_provider_number(whom, PRFDATA_HEALTH_TOO_MANY);
}

/* Publishes one instance less than `most`, in two publishers, then adds more instances one by
 * one. */
static void expect_dropped_beside_plans(uint32_t counters, uint32_t most, size_t most_bytes)
{
    static big map;
    prfdata_test_service its_service;
    prfdata_provider *its_provider;
    prfdata_publisher *publishers[2];
    unsigned char *buffer = malloc(most_bytes);

    make_big_map(&map, "PrfDataTestBig", counters, (int32_t)(most / 2 + 8));
    prfdata_test_service_make(&its_service, "PrfDataTestBig", &map.map, 600);
    for (int i = 0; i < 2; i++)
        assert_int_equal(prfdata_open(&map.map, &publishers[i]), ERROR_SUCCESS);
    add_many(publishers[0], 'a', most / 2);
    add_many(publishers[1], 'b', most - most / 2 - 1);
    assert_int_equal(prfdata_provider_open("PrfDataTestBig", &its_provider), ERROR_SUCCESS);
    assert_int_equal(shown_by_plans(its_provider, buffer, most_bytes), most - 1);
    add_many(publishers[0], 'c', 1);
    assert_int_equal(shown_by_plans(its_provider, buffer, most_bytes), most);
    assert_int_equal(dropped_by(its_provider), 0);
    add_many(publishers[0], 'd', 1);
    assert_int_equal(shown_by_plans(its_provider, buffer, most_bytes), most);
    assert_int_equal(dropped_by(its_provider), 3); /* one in each of the three merges */
    prfdata_provider_close(its_provider);
    for (int i = 0; i < 2; i++)
        prfdata_close_and_unmap(publishers[i]);
    prfdata_test_service_remove(&its_service);
    free(buffer);
}

/* Publishes `each` instances in each of two publishers. The reply has as many as the limits allow,
 * and the others are counted as dropped. */
static void expect_dropped(uint32_t counters, uint32_t each, uint32_t shown, size_t most_bytes)
{
    static big map;
    prfdata_test_service its_service;
    prfdata_provider *its_provider;
    prfdata_publisher *publishers[2];
    unsigned char *buffer = malloc(most_bytes);
    perf_reply reply = {buffer, 0, 0};
    collect_outcome found;

    make_big_map(&map, "PrfDataTestBig", counters, (int32_t)each);
    prfdata_test_service_make(&its_service, "PrfDataTestBig", &map.map, 600);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(prfdata_open(&map.map, &publishers[i]), ERROR_SUCCESS);
        add_many(publishers[i], i == 0 ? 'a' : 'b', each);
    }
    assert_int_equal(prfdata_provider_open("PrfDataTestBig", &its_provider), ERROR_SUCCESS);
    found = ask(its_provider, "Global", buffer, (uint32_t)most_bytes);
    assert_int_equal(found.status, ERROR_SUCCESS);
    reply.size = found.bytes;
    reply.object_count = found.objects;
    assert_null(perf_reader_mistake(&reply));
    assert_int_equal(perf_reader_object_field(&reply, 600, 40), shown);
    assert_int_equal(dropped_by(its_provider), 2 * each - shown);
    prfdata_provider_close(its_provider);
    for (int i = 0; i < 2; i++)
        prfdata_close_and_unmap(publishers[i]);
    prfdata_test_service_remove(&its_service);
    free(buffer);
}

static void test_collect_at_most_65535_instances_of_an_object_the_rest_counts(void **state)
{
    (void)state;
    expect_dropped(1, 33000, 65535, 8 * 1024 * 1024);
    expect_dropped_beside_plans(1, 65535, 8 * 1024 * 1024);
}

/* An instance whose name has 6 chars needs 24 + 14 bytes, padded to 40. */
static void test_collect_at_most_32_mib_of_an_object_the_rest_counts(void **state)
{
    const uint32_t instance = 40 + 8 + 8 * 1000;
    /* Room for a _Total is always kept. */
    const uint32_t definitions = 64 + 40 * 1000, total = instance;
    const uint32_t shown = (32u * 1024 * 1024 - definitions - total) / instance;

    (void)state;
    expect_dropped(1000, 2100, shown, 32 * 1024 * 1024);
    expect_dropped_beside_plans(1000, shown, 32 * 1024 * 1024);
}

/* If the caller gives the map, neither Maps nor First Counter nor First Help is read. */
static void test_collect_with_a_given_map_has_its_indexes(void **state)
{
    prfdata_provider *given = NULL;
    unsigned char map[4096];
    size_t size = 0;
    collected taken;

    (void)state;
    assert_int_equal(encode_maps(&sample.map, map, sizeof map, &size), 0);
    prfdata_test_service_delete_value(&service, "Maps");
    prfdata_test_service_delete_value(&service, "First Counter");
    prfdata_test_service_delete_value(&service, "First Help");
    assert_int_equal(prfdata_provider_open_maps(SERVICE, map, size, 2, 1003, &given), 0);
    memset(map, 0, sizeof map); /* the provider must have copied it */
    collected_take(&taken, given, "2");
    assert_int_equal(taken.reply.object_count, 1);
    assert_int_equal(collected_value(&taken, 2, "", "mail", DEPTH_AT), 5);
    assert_int_equal(perf_reader_object_field(&taken.reply, 2, 20), 1003); /* the help index */
    collected_free(&taken);
    prfdata_provider_close(given);
}

static void test_collect_given_map_must_be_right_and_of_the_service(void **state)
{
    prfdata_provider *given = NULL;
    unsigned char map[4096];
    size_t size = 0;

    (void)state;
    sample.map.service = "PrfDataTestOther";
    assert_int_equal(encode_maps(&sample.map, map, sizeof map, &size), 0);
    assert_int_equal(prfdata_provider_open_maps(SERVICE, map, size, 2, 3, &given),
                     ERROR_INVALID_NAME);
    assert_int_equal(prfdata_provider_open_maps("PrfDataTestOther", map, size - 1, 2, 3, &given),
                     ERROR_INVALID_DATA);
    assert_int_equal(prfdata_provider_open_maps("PrfDataTestOther", map, size, 3, 3, &given),
                     ERROR_INVALID_PARAMETER);
    assert_null(given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name)      cmocka_unit_test_setup_teardown(name, install, remove_collect)
#define PUBLISHED(name) cmocka_unit_test_setup_teardown(name, publish, remove_collect)
        PUBLISHED(test_collect_data_moves_the_pointer_and_counts_objects),
        CASE(test_collect_nothing_asked_for_leaves_the_pointer_and_sets_zeros),
        CASE(test_collect_without_provider_leaves_the_pointer_and_sets_zeros),
        PUBLISHED(test_collect_no_room_is_more_data_with_nothing_else),
        PUBLISHED(test_collect_every_capacity_suffices_or_is_more_data),
        PUBLISHED(test_collect_every_capacity_touches_no_byte_outside),
        PUBLISHED(test_collect_writes_the_same_at_any_address),
        PUBLISHED(test_collect_golden_block),
        CASE(test_collect_global_is_all_but_costly_objects),
        PUBLISHED(test_collect_costly_objects_come_by_costly_or_by_number),
        PUBLISHED(test_collect_parents_come_with_their_children),
        PUBLISHED(test_collect_metadata_has_definitions_only),
        CASE(test_collect_titles_count_from_first_counter_and_first_help),
        CASE(test_collect_objects_carry_the_performance_clock),
        CASE(test_collect_objects_are_listed_while_no_application_runs),
        CASE(test_collect_a_service_installed_later_is_noticed),
        CASE(test_collect_a_map_that_is_wrong_or_another_services_is_none),
        CASE(test_collect_at_most_65535_instances_of_an_object_the_rest_counts),
        CASE(test_collect_at_most_32_mib_of_an_object_the_rest_counts),
        PUBLISHED(test_collect_with_a_given_map_has_its_indexes),
        CASE(test_collect_given_map_must_be_right_and_of_the_service),
#undef CASE
#undef PUBLISHED
    };

    return cmocka_run_group_tests_name("collect", tests, NULL, NULL);
}
