/* SPDX-License-Identifier: MIT */
/* Tests the regions of a service as a source. The service has the map of support/sample_map.h. If
 * no titles are installed, the indexes begin at 2, otherwise at First Counter. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "block/sample.h"
#include "client/publisher.h"
#include "paths/columns.h"
#include "region/region.h"
#include "source/source.h"
#include "support/provider/sample_service.h"
#include "support/reader/ascii_text.h"
#include "system/os.h"
#ifdef _WIN32
#include "support/program_run.h"
#endif

#define SERVICE "PrfDataTestSource"

enum { FIRST_COUNTER = 9300, QUEUE_ID = 100, DEPTH_ID = 101, JOBS_ID = 102 };

const char sample_service_name[] = SERVICE;
const uint32_t sample_service_first_counter = FIRST_COUNTER;

static void install(uint32_t first_counter)
{
    sample_map_init_as(&sample, SERVICE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, first_counter);
}

static int install_without_titles(void **state)
{
    (void)state;
    install(0);
    return 0;
}

static int install_with_titles(void **state)
{
    (void)state;
    install(FIRST_COUNTER);
    return 0;
}

/* Open a publisher with the queue "mail". The queue has the depth 5 and has done 7 jobs. */
static prfdata_publisher *publish(void)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;
    prfdata_handle handle;

    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_resolve(publisher, DEPTH_ID, &mail, &handle), 0);
    prfdata_set(handle, 5);
    assert_int_equal(prfdata_resolve(publisher, JOBS_ID, &mail, &handle), 0);
    prfdata_add(handle, 7);
    return publisher;
}

static uint32_t open_source(const char *name, prfdata_source **source)
{
    static uint16_t chars[128];

    return prfdata_source_open_regions(ascii_text(name, chars), NULL, source);
}

/* Take a sample with a new source, because an open source uses the same regions for up to a
 * second. */
static prfdata_sample *take_source_regions(const char *query, bool *is_damaged)
{
    prfdata_source *source = NULL;
    prfdata_sample *taken = NULL;
    uint16_t chars[64];
    void *bytes = NULL;
    size_t size = 0;

    chars[ascii_text(query, chars).count] = 0;
    assert_int_equal(open_source(SERVICE, &source), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_take(source, chars, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(prfdata_sample_make(bytes, size, &taken), ERROR_SUCCESS);
    assert_int_equal(taken->damage_count, 0);
    assert_false(source->kind->is_recorded);
    if (is_damaged)
        *is_damaged = source->is_damaged;
    else
        assert_false(source->is_damaged);
    prfdata_source_close(source);
    return taken;
}

/* Get the value of the counter at this position. Returns false if there is no such instance. */
static bool value_of(const prfdata_sample *taken, uint32_t title, const char *instance,
                     uint32_t position, uint64_t *value)
{
    const prfdata_sample_object *object = prfdata_sample_find_object(taken, title);
    const prfdata_sample_instance *found;
    prfdata_compute_raw raw;
    uint16_t chars[32];

    assert_non_null(object);
    found = prfdata_sample_find_instance(object, ascii_text(instance, chars));
    if (!found)
        return false;
    assert_int_equal(prfdata_sample_raw(taken, object, found, position, &raw), PRFDATA_STATUS_OK);
    *value = raw.value;
    return true;
}

static void assert_value(const prfdata_sample *taken, uint32_t title, const char *instance,
                         uint32_t position, uint64_t expected)
{
    uint64_t value = 0;

    assert_true(value_of(taken, title, instance, position, &value));
    assert_int_equal(value, expected);
}

static void assert_name(const prfdata_name_table *table, uint32_t index, const char *name)
{
    uint16_t chars[64];

    assert_true(prfdata_text_equal(prfdata_name_table_name(table, index), ascii_text(name, chars)));
}

/* ---- Values ---- */

static void test_source_regions_without_titles_gives_values_of_living(void **state)
{
    prfdata_publisher *publisher = publish();
    prfdata_sample *taken = take_source_regions("Global", NULL);

    (void)state;
    assert_value(taken, 2, "mail", 0, 5);
    assert_value(taken, 2, "mail", 1, 7);
    assert_value(taken, 2, "_Total", 1, 7);
    prfdata_sample_free(taken);
    prfdata_close_and_unmap(publisher);
}

static void test_source_regions_of_ended_programs_keep_what_accumulates(void **state)
{
    prfdata_sample *taken;
    uint64_t value;

    (void)state;
    prfdata_close_and_unmap(publish());
    taken = take_source_regions("Global", NULL);
    assert_false(value_of(taken, 2, "mail", 0, &value));
    assert_value(taken, 2, "_Total", 0, 0);
    assert_value(taken, 2, "_Total", 1, 7);
    prfdata_sample_free(taken);
}

static void test_source_regions_with_titles_has_their_indexes(void **state)
{
    prfdata_publisher *publisher = publish();
    prfdata_sample *taken = take_source_regions("9300", NULL);

    (void)state;
    assert_int_equal(taken->object_count, 1);
    assert_value(taken, FIRST_COUNTER, "mail", 0, 5);
    prfdata_sample_free(taken);
    prfdata_close_and_unmap(publisher);
}

static void test_source_regions_answer_larger_than_first_buffer(void **state)
{
    prfdata_publisher *publisher;
    prfdata_sample *taken;

    (void)state;
    sample.entries[QUEUES].max_instances = 2000;
    prfdata_test_service_remove(&service);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    for (unsigned i = 0; i < 2000; i++) {
        wchar_t name[] = {L'q', (wchar_t)(L'a' + i / 100), (wchar_t)(L'a' + i / 10 % 10),
                          (wchar_t)(L'a' + i % 10), 0};
        prfdata_instance instance;

        assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, name, NULL, &instance), 0);
    }
    taken = take_source_regions("2", NULL);
    assert_true(taken->size > 64 * 1024);
    assert_int_equal(prfdata_sample_find_object(taken, 2)->instance_count, 2001);
    prfdata_sample_free(taken);
    prfdata_close_and_unmap(publisher);
}

/* ---- Titles ---- */

static void test_source_regions_names_come_from_the_map(void **state)
{
    prfdata_titles titles = {0};
    prfdata_source *source = NULL;

    (void)state;
    assert_int_equal(open_source(SERVICE, &source), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_load_titles(source, &titles), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_load_helps(source, &titles), ERROR_SUCCESS);
    assert_name(&titles.english, 2, "My Queues");
    assert_name(&titles.english, 4, "Depth");
    assert_name(&titles.helps, 3, "The queues of my service.");
    prfdata_titles_free(&titles);
    prfdata_source_close(source);
}

/* ---- Damage ---- */

static void test_source_regions_unknown_or_impossible_service_refused(void **state)
{
    prfdata_source *source = NULL;
    char longest[100];

    (void)state;
    assert_int_equal(open_source("PrfDataTestNoSuch", &source), ERROR_FILE_NOT_FOUND);
    assert_int_equal(open_source("..\\Tcpip", &source), ERROR_FILE_NOT_FOUND);
    assert_int_equal(open_source("../" SERVICE, &source), ERROR_FILE_NOT_FOUND);
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    assert_int_equal(open_source(longest, &source), ERROR_FILE_NOT_FOUND);
    assert_null(source);
}

static void test_source_regions_without_map_refused(void **state)
{
    prfdata_source *source = NULL;

    (void)state;
    prfdata_test_service_delete_value(&service, "Maps");
    assert_int_equal(open_source(SERVICE, &source), ERROR_FILE_NOT_FOUND);
    assert_null(source);
}

static void test_source_regions_damaged_map_refused(void **state)
{
    prfdata_source *source = NULL;

    (void)state;
    prfdata_test_service_set_bytes(&service, "Maps", "no map", 6);
    assert_int_equal(open_source(SERVICE, &source), ERROR_INVALID_DATA);
    assert_null(source);
}

static void test_source_regions_map_of_another_service_refused(void **state)
{
    prfdata_source *source = NULL;

    (void)state;
    sample.map.service = "PrfDataTestOther";
    prfdata_test_service_remove(&service);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    assert_int_equal(open_source(SERVICE, &source), ERROR_INVALID_NAME);
    assert_null(source);
}

static void test_source_regions_without_folder_refused(void **state)
{
    prfdata_source *source = NULL;

    (void)state;
    prfdata_test_service_set_text(&service, "Regions", "relative");
    assert_int_equal(open_source(SERVICE, &source), ERROR_INVALID_DATA);
    prfdata_test_service_delete_value(&service, "Regions");
    assert_int_equal(open_source(SERVICE, &source), ERROR_FILE_NOT_FOUND);
    assert_null(source);
}

static void test_source_regions_damaged_region_left_out_and_reported(void **state)
{
    prfdata_publisher *publisher = publish();
    prfdata_publisher *damaged = publish();
    prfdata_sample *taken;
    bool is_damaged = false;

    (void)state;
    ((prfdata_region_header *)(void *)damaged->region.bytes)->object_count++;
    taken = take_source_regions("Global", &is_damaged);
    assert_true(is_damaged);
    assert_value(taken, 2, "mail", 0, 5);
    assert_value(taken, 2, "mail", 1, 7);
    prfdata_sample_free(taken);
    prfdata_close_and_unmap(damaged);
    prfdata_close_and_unmap(publisher);
}

/* When titles are loaded again, the source checks whether the installation has changed. If it has
 * not changed, the source keeps its provider, and does not report the same damage again. */
static void test_source_regions_that_are_as_before_are_not_opened_again(void **state)
{
    static const uint16_t global[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    prfdata_publisher *damaged = publish();
    prfdata_messages messages = {0};
    prfdata_source *source = NULL;
    uint16_t chars[32];
    size_t reported = 0;

    (void)state;
    ((prfdata_region_header *)(void *)damaged->region.bytes)->object_count++;
    assert_int_equal(prfdata_source_open_regions(ascii_text(SERVICE, chars), &messages, &source),
                     ERROR_SUCCESS);
    for (int i = 0; i < 3; i++) {
        prfdata_titles titles = {0};
        void *bytes = NULL;
        size_t size = 0;

        assert_int_equal(prfdata_source_load_titles(source, &titles), ERROR_SUCCESS);
        prfdata_titles_free(&titles);
        assert_int_equal(prfdata_source_take(source, global, &bytes, &size), ERROR_SUCCESS);
        free(bytes);
        if (i == 0)
            reported = messages.count;
        assert_true(reported > 0);
        assert_int_equal(messages.count, reported);
    }
    prfdata_source_close(source);
    prfdata_messages_free(&messages);
    prfdata_close_and_unmap(damaged);
}

/* ---- The program ---- */

#ifdef _WIN32
static void test_source_regions_in_prfread_by_name(void **state)
{
    prfdata_publisher *publisher = publish();

    (void)state;
    PROGRAM_RUN_EXPECT("prfread",
                       "-regions " SERVICE " -sc 1 -si 0.05 \"\\My Queues(mail)\\Depth\"", 0,
                       "\\My Queues(mail)\\Depth\"\r\n", "\"5.000000\"\r\n");
    PROGRAM_RUN_EXPECT("prfread", "-regions " SERVICE " -q", 0, "\\My Queues(*)\\Jobs/sec\r\n",
                       "\\My Consumers(*)\\Jobs taken/sec\r\n");
    prfdata_close_and_unmap(publisher);
}

static void test_source_regions_in_prfread_says_what_is_missing(void **state)
{
    (void)state;
    PROGRAM_RUN_EXPECT("prfread", "-regions PrfDataTestNoSuch -q", 4,
                       "no service of this name has counters");
    prfdata_test_service_delete_value(&service, "Maps");
    PROGRAM_RUN_EXPECT("prfread", "-regions " SERVICE " -q", 4, "the service has no value Maps");
    prfdata_test_service_set_bytes(&service, "Maps", "no map", 6);
    PROGRAM_RUN_EXPECT("prfread", "-regions " SERVICE " -q", 5, "its value Maps is damaged");
}
#endif

static prfdata_text title_of(prfdata_source *source, uint32_t index, prfdata_titles *titles)
{
    prfdata_titles_free(titles);
    assert_int_equal(prfdata_source_load_titles(source, titles), ERROR_SUCCESS);
    return prfdata_name_table_name(&titles->english, index);
}

/* A source that is open while another version is installed gets the new names and shows the new
 * counters. */
static void test_source_regions_follow_an_upgrade(void **state)
{
    const prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);
    prfdata_publisher *publisher = publish();
    prfdata_source *source = NULL;
    prfdata_titles titles = {0};
    uint64_t stamp;

    (void)state;
    assert_int_equal(open_source(SERVICE, &source), ERROR_SUCCESS);
    stamp = prfdata_source_titles_stamp(source);
    assert_true(ascii_text_is(title_of(source, FIRST_COUNTER + 4, &titles), "Jobs/sec"));
    assert_int_equal(title_of(source, FIRST_COUNTER + 16, &titles).count, 0);
    sample_map_insert(&sample, DEPTH, &counter);
    prfdata_test_service_upgrade(&service, &sample.map);
    assert_true(prfdata_source_titles_stamp(source) != stamp);
    assert_true(ascii_text_is(title_of(source, FIRST_COUNTER + 4, &titles), "Jobs/sec"));
    assert_true(ascii_text_is(title_of(source, FIRST_COUNTER + 16, &titles), "c900"));
    prfdata_titles_free(&titles);
    prfdata_source_close(source);
    prfdata_close_and_unmap(publisher);
}

#define TEST(name, setup) cmocka_unit_test_setup_teardown(name, setup, sample_service_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_source_regions_without_titles_gives_values_of_living, install_without_titles),
        TEST(test_source_regions_of_ended_programs_keep_what_accumulates, install_without_titles),
        TEST(test_source_regions_with_titles_has_their_indexes, install_with_titles),
        TEST(test_source_regions_follow_an_upgrade, install_with_titles),
        TEST(test_source_regions_answer_larger_than_first_buffer, install_without_titles),
        TEST(test_source_regions_names_come_from_the_map, install_without_titles),
        TEST(test_source_regions_unknown_or_impossible_service_refused, install_without_titles),
        TEST(test_source_regions_without_map_refused, install_without_titles),
        TEST(test_source_regions_damaged_map_refused, install_without_titles),
        TEST(test_source_regions_map_of_another_service_refused, install_without_titles),
        TEST(test_source_regions_without_folder_refused, install_without_titles),
        TEST(test_source_regions_damaged_region_left_out_and_reported, install_without_titles),
        TEST(test_source_regions_that_are_as_before_are_not_opened_again, install_without_titles),
#ifdef _WIN32
        TEST(test_source_regions_in_prfread_by_name, install_without_titles),
        TEST(test_source_regions_in_prfread_says_what_is_missing, install_without_titles),
#endif
    };

    return cmocka_run_group_tests_name("source_regions", tests, NULL, NULL);
}
