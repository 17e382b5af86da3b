/* SPDX-License-Identifier: MIT */
/* Tests what a provider reports to the administrator, and that it reports each event once. Real
 * files and settings that are invalid cause the events, and Open or Collect notices them. */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <prfdata/prfdata.h>

#include "client/publisher.h"
#include "events/events.h"
#include "region/region.h"
#include "support/encoded_map.h"
#include "support/process.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided.h"
#include "support/provider/publisher_header.h"
#include "support/sample_map.h"
#include "support/threads.h"

#define SERVICE "PrfDataTestEvents"

enum { FIRST_COUNTER = 9300, QUEUE_TITLE = 9300, JOBS_AT = 1 };
enum { QUEUE_ID = 100, JOBS_ID = 102 };
enum { MOST_EVENTS = 64, ERRORS = 1, EVERYTHING = 2 };

static sample_map sample, other_sample;

/* ---- Reported events ---- */

static struct {
    prfdata_os_lock lock;
    uint32_t count;
    prfdata_event events[MOST_EVENTS];
} reported;

static void record(void *context, const char *its_service, const prfdata_event *event)
{
    assert_ptr_equal(context, &reported);
    assert_string_equal(its_service, SERVICE);
    prfdata_os_lock_enter(&reported.lock);
    assert_true(reported.count < MOST_EVENTS);
    reported.events[reported.count++] = *event;
    prfdata_os_lock_leave(&reported.lock);
}

static void expect_event(prfdata_event_id id, uint32_t severity, const char *detail, uint32_t code)
{
    char found[PRFDATA_EVENT_DETAIL_CHARS] = "";

    if (reported.count != 1)
        fail_msg("%u events instead of %u", (unsigned)reported.count, (unsigned)id);
    assert_int_equal(reported.events[0].id, id);
    assert_int_equal(reported.events[0].severity, severity);
    assert_int_equal(reported.events[0].code, code);
    for (size_t i = 0; reported.events[0].detail[i]; i++)
        found[i] = (char)reported.events[0].detail[i];
    assert_string_equal(found, detail);
}

static void expect_silence(void)
{
    if (reported.count > 0)
        fail_msg("event %u", (unsigned)reported.events[0].id);
}

/* ---- Set-up ---- */

static void forget(void)
{
    memset(&reported, 0, sizeof reported);
}

/* Opens a new provider, like another process. */
static void open_provider(uint32_t level)
{
    prfdata_provider_close(provider);
    forget();
    provider = provided_open();
    prfdata_provider_set_event_writer(provider, level, record, &reported);
}

static int install(void **state)
{
    (void)state;
    sample_map_init_as(&sample, SERVICE);
    sample_map_init_as(&other_sample, SERVICE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, FIRST_COUNTER);
    open_provider(EVERYTHING);
    expect_silence();
    return 0;
}

static prfdata_publisher *publish(const sample_map *map)
{
    prfdata_publisher *publisher;

    assert_int_equal(prfdata_open(&map->map, &publisher), ERROR_SUCCESS);
    assert_non_null(publisher->region.bytes);
    return publisher;
}

/* Starts a program with `other_sample`, then installs `sample`. */
static prfdata_publisher *publish_and_upgrade(void)
{
    prfdata_test_service mine = service;
    prfdata_publisher *publisher;
    unsigned char bytes[4096];
    size_t size;

    prfdata_test_service_remove(&mine);
    prfdata_test_service_make(&service, SERVICE, &other_sample.map, FIRST_COUNTER);
    publisher = publish(&other_sample);
    assert_int_equal(encode_maps(&sample.map, bytes, sizeof bytes, &size), 0);
    prfdata_test_service_set_bytes(&service, "Maps", bytes, size);
    open_provider(EVERYTHING);
    return publisher;
}

/* Collects several times, because the problem must not be reported again. */
static void collect_often(void)
{
    for (int i = 0; i < 4; i++) {
        collected taken;

        collected_take(&taken, provider, "Global");
        collected_free(&taken);
    }
}

/* ---- The installation ---- */

static void test_events_missing_values_are_told_by_name(void **state)
{
    static const char *const names[] = {"First Help", "First Counter", "Maps"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        prfdata_test_service_delete_value(&service, names[i]);
        open_provider(ERRORS);
        expect_event(PRFDATA_EVENT_VALUE_MISSING, PRFDATA_EVENT_ERROR, names[i],
                     ERROR_FILE_NOT_FOUND);
        collect_often();
        assert_int_equal(reported.count, 1);
    }
}

static void test_events_a_map_that_is_none_is_reported(void **state)
{
    (void)state;
    prfdata_test_service_set_bytes(&service, "Maps", "nonsense", 8);
    open_provider(ERRORS);
    collect_often();
    expect_event(PRFDATA_EVENT_MAP_INVALID, PRFDATA_EVENT_ERROR, "", ERROR_INVALID_DATA);
}

static void test_events_a_map_of_another_service_is_reported(void **state)
{
    prfdata_test_service mine = service;

    (void)state;
    prfdata_test_service_remove(&mine);
    sample.map.service = "Another";
    prfdata_test_service_make(&service, SERVICE, &sample.map, FIRST_COUNTER);
    open_provider(ERRORS);
    collect_often();
    expect_event(PRFDATA_EVENT_MAP_INVALID, PRFDATA_EVENT_ERROR, "", ERROR_INVALID_NAME);
}

static void expect_wrong_titles(uint32_t first_counter, uint32_t first_help)
{
    collected taken;

    prfdata_test_service_set_number(&service, "First Counter", first_counter);
    prfdata_test_service_set_number(&service, "First Help", first_help);
    open_provider(ERRORS);
    collected_take(&taken, provider, "Global");
    assert_int_equal(taken.reply.object_count, 0);
    collected_free(&taken);
    expect_event(PRFDATA_EVENT_TITLES_INVALID, PRFDATA_EVENT_ERROR, "", 0);
}

static void test_events_title_indexes_that_cannot_be_are_reported(void **state)
{
    (void)state;
    expect_wrong_titles(FIRST_COUNTER + 1, FIRST_COUNTER + 1);
    expect_wrong_titles(0, FIRST_COUNTER + 1);
    expect_wrong_titles(FIRST_COUNTER, FIRST_COUNTER);
    expect_wrong_titles(0xFFFFFFF8, FIRST_COUNTER + 1); /* the last titles would exceed 32 bits */
    expect_wrong_titles(FIRST_COUNTER, 0xFFFFFFF9);
}

static void test_events_a_missing_folder_is_reported(void **state)
{
    (void)state;
    prfdata_test_service_delete_value(&service, "Regions");
    open_provider(ERRORS);
    collect_often();
    expect_event(PRFDATA_EVENT_FOLDER_CLOSED, PRFDATA_EVENT_ERROR, "", ERROR_FILE_NOT_FOUND);
}

/* ---- Regions ---- */

static void test_events_healthy_regions_are_silent(void **state)
{
    prfdata_publisher *publisher = publish(&sample);

    (void)state;
    collect_often();
    prfdata_close_and_unmap(publisher);
    collect_often();
    publisher = publish(&sample);
    collect_often();
    prfdata_close_and_unmap(publisher);
    expect_silence();
}

static void test_events_a_region_of_another_map_is_told_while_its_program_runs(void **state)
{
    prfdata_publisher *publisher;

    (void)state;
    sample_map_remove(&other_sample, TAKEN);
    sample_map_remove(&other_sample, CONSUMERS_PARENT);
    sample_map_remove(&other_sample, CONSUMERS);
    publisher = publish_and_upgrade();
    collect_often();
    expect_event(PRFDATA_EVENT_REGION_MAP, PRFDATA_EVENT_WARNING, publisher->name.text, 0);
    prfdata_close_and_unmap(publisher);
    open_provider(EVERYTHING);
    collect_often();
    expect_silence();
}

/* An empty file may be a region that is being created, so it is reported only if it is still empty
 * at the next check. */
static void test_events_a_region_that_stays_empty_is_reported_at_the_second_look(void **state)
{
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;
    prfdata_os_directory *directory;
    prfdata_os_name name;

    (void)state;
    strcpy(name.text, prfdata_test_region_name(7));
    assert_true(prfdata_test_service_write_file(&service, name.text, "", 0));
    assert_int_equal(prfdata_os_directory_open(SERVICE, &directory), ERROR_SUCCESS);
    assert_int_equal(prfdata_os_region_take(directory, &name, &region), ERROR_SUCCESS);
    open_provider(EVERYTHING); /* Open makes the first check */
    expect_silence();
    collect_often();
    expect_event(PRFDATA_EVENT_REGION_UNUSABLE, PRFDATA_EVENT_WARNING, name.text, 0);
    prfdata_os_region_close(&region);
    prfdata_os_directory_close(directory);
    open_provider(EVERYTHING);
    collect_often();
    expect_silence();
}

static void test_events_a_region_of_another_version_is_reported(void **state)
{
    prfdata_publisher *publisher = publish(&sample);

    (void)state;
    publisher_header(publisher)->major = PRFDATA_REGION_MAJOR + 1;
    collect_often();
    expect_event(PRFDATA_EVENT_REGION_VERSION, PRFDATA_EVENT_WARNING, publisher->name.text, 0);
    prfdata_close_and_unmap(publisher);
}

static void test_events_a_damaged_region_is_told_once_for_all(void **state)
{
    prfdata_publisher *publishers[2];
    const char *first;

    (void)state;
    for (int i = 0; i < 2; i++) {
        publishers[i] = publish(&sample);
        publisher_header(publishers[i])->object_count++;
    }
    collect_often();
    first = publishers[0]->name.text;
    if (strcmp(publishers[1]->name.text, first) < 0)
        first = publishers[1]->name.text;
    expect_event(PRFDATA_EVENT_REGION_DAMAGED, PRFDATA_EVENT_WARNING, first, 0);
    for (int i = 0; i < 2; i++)
        prfdata_close_and_unmap(publishers[i]);
}

static void test_events_a_region_damaged_while_it_is_attached_is_reported(void **state)
{
    prfdata_publisher *publisher = publish(&sample);

    (void)state;
    collect_often();
    expect_silence();
    publisher_header(publisher)->object_count++;
    collect_often();
    expect_event(PRFDATA_EVENT_REGION_DAMAGED, PRFDATA_EVENT_WARNING, publisher->name.text, 0);
    prfdata_close_and_unmap(publisher);
}

static void test_events_a_region_that_is_being_made_is_silent(void **state)
{
    prfdata_publisher *publisher = publish(&sample);

    (void)state;
    publisher_header(publisher)->magic = 0;
    collect_often();
    publisher_header(publisher)->magic = PRFDATA_REGION_MAGIC;
    publisher_header(publisher)->state = PRFDATA_REGION_BUILDING;
    open_provider(EVERYTHING);
    collect_often();
    expect_silence();
    prfdata_close_and_unmap(publisher);
}

static void test_events_what_dead_programs_left_is_silent(void **state)
{
    prfdata_publisher *publisher = publish(&sample);
    size_t size;
    unsigned char *bytes;

    (void)state;
    bytes = prfdata_test_service_read_file(&service, publisher->name.text, &size);
    assert_non_null(bytes);
    assert_true(
        prfdata_test_service_write_file(&service, prfdata_test_region_name(1), bytes, size - 64));
    bytes[4]++; /* major */
    assert_true(
        prfdata_test_service_write_file(&service, prfdata_test_region_name(2), bytes, size));
    assert_true(prfdata_test_service_write_file(&service, prfdata_test_region_name(3), bytes, 0));
    collect_often();
    expect_silence();
    free(bytes);
    prfdata_close_and_unmap(publisher);
}

static int read_until_reported(void)
{
    char line[64];

    prfdata_test_service_join(&service, SERVICE);
    open_provider(EVERYTHING);
    collect_often();
    prfdata_test_process_say("ready");
    while (prfdata_test_process_hear(line, sizeof line)) {
        collect_often();
        snprintf(line, sizeof line, "%u: %u", (unsigned)reported.count,
                 (unsigned)reported.events[0].id);
        prfdata_test_process_say(line);
    }
    prfdata_provider_close(provider);
    return 0;
}

/* Runs in another process, because cmocka replaces our fault handlers on Linux. Windows does not
 * truncate a mapped file. */
static void test_events_a_region_that_faults_is_reported(void **state)
{
    const char *arguments[] = {"read", NULL};
    prfdata_publisher *publisher = publish(&sample);
    prfdata_os_name name = publisher->name;
    prfdata_test_process *child;
    bool is_cut;

    (void)state;
    prfdata_close_and_unmap(publisher);
    child = prfdata_test_process_start(arguments);
    prfdata_test_process_expect(child, "ready");
    is_cut = prfdata_test_service_truncate_file(&service, name.text, 0);
    if (is_cut) {
        prfdata_test_process_tell(child, "go");
        prfdata_test_process_expect(child, "1: 1009");
    }
    assert_int_equal(prfdata_test_process_wait(child), 0);
}

#ifdef _WIN32
static void test_events_a_refused_region_is_reported(void **state)
{
    prfdata_publisher *publisher = publish(&sample);
    prfdata_os_name name = publisher->name;
    char path[520];
    HANDLE refusing;

    (void)state;
    prfdata_close_and_unmap(publisher);
    prfdata_test_service_path(&service, name.text, path, sizeof path);
    refusing = CreateFileA(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(refusing != INVALID_HANDLE_VALUE);
    collect_often();
    expect_event(PRFDATA_EVENT_REGION_DENIED, PRFDATA_EVENT_WARNING, name.text,
                 ERROR_SHARING_VIOLATION);
    CloseHandle(refusing);
}
#else
/* Removes all rights to the file. Root could still read it, so root switches to another account. */
static void test_events_a_refused_region_is_reported(void **state)
{
    prfdata_publisher *publisher = publish(&sample);
    prfdata_os_name name = publisher->name;
    char path[520];

    (void)state;
    prfdata_close_and_unmap(publisher);
    prfdata_test_service_path(&service, name.text, path, sizeof path);
    assert_int_equal(chmod(path, 0), 0);
    if (getuid() == 0) {
        assert_int_equal(chmod(getenv("PRFDATA_TEST_ROOT"), 0755), 0);
        assert_int_equal(seteuid(65534), 0);
    }
    collect_often();
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    expect_event(PRFDATA_EVENT_REGION_DENIED, PRFDATA_EVENT_WARNING, name.text,
                 ERROR_ACCESS_DENIED);
}
#endif

static void test_events_more_regions_than_the_limit_are_reported(void **state)
{
    prfdata_publisher *publisher = counting_open(&sample.map);
    prfdata_test_file file;

    (void)state;
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    for (unsigned i = 0; i < 1024; i++) {
        if (i == 1023) {
            collect_often();
            expect_silence();
        }
        assert_true(
            prfdata_test_service_copy_file(&service, file.name, prfdata_test_region_name(i)));
    }
    prfdata_close_and_unmap(publisher);
    collect_often();
    expect_event(PRFDATA_EVENT_TOO_MANY_REGIONS, PRFDATA_EVENT_WARNING, "1,024", 0);
}

/* ---- Instances ---- */

static void add_queue(prfdata_publisher *publisher, uint32_t number, uint32_t wanted)
{
    wchar_t name[16];
    prfdata_instance instance;

    swprintf(name, sizeof name / sizeof name[0], L"%06u", (unsigned)number);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, name, NULL, &instance), wanted);
}

static void test_events_a_full_publisher_is_told_while_its_program_runs(void **state)
{
    prfdata_publisher *publisher = publish(&sample);
    const uint32_t room = (uint32_t)sample.entries[QUEUES].max_instances;

    (void)state;
    for (uint32_t i = 0; i < room; i++)
        add_queue(publisher, i, ERROR_SUCCESS);
    collect_often();
    expect_silence();
    add_queue(publisher, room, ERROR_NOT_ENOUGH_QUOTA);
    collect_often();
    expect_event(PRFDATA_EVENT_PUBLISHER_FULL, PRFDATA_EVENT_WARNING, publisher->name.text, 0);
    prfdata_close_and_unmap(publisher);
    open_provider(EVERYTHING);
    collect_often();
    expect_silence();
}

static void test_events_of_a_program_of_an_earlier_map_are_told(void **state)
{
    const prfdata_map_entry object = sample_map_object(50, L"My News", 51, PERF_NO_INSTANCES, 0);
    const prfdata_map_entry counter = sample_map_counter(51, PERF_COUNTER_BULK_COUNT);
    const uint32_t room = (uint32_t)sample.entries[QUEUES].max_instances;
    prfdata_publisher *publisher = publish(&sample);
    prfdata_instance mail;

    (void)state;
    sample_map_insert(&other_sample, 0, &counter);
    sample_map_insert(&other_sample, 0, &object);
    prfdata_test_service_upgrade(&service, &other_sample.map);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    open_provider(EVERYTHING);
    prfdata_begin(&mail);
    collect_often();
    expect_event(PRFDATA_EVENT_TORN, PRFDATA_EVENT_INFORMATION, "", 0);
    prfdata_end(&mail);
    for (uint32_t i = 1; i < room; i++)
        add_queue(publisher, i, ERROR_SUCCESS);
    add_queue(publisher, room, ERROR_NOT_ENOUGH_QUOTA);
    open_provider(EVERYTHING);
    collect_often();
    expect_event(PRFDATA_EVENT_PUBLISHER_FULL, PRFDATA_EVENT_WARNING, publisher->name.text, 0);
    prfdata_close_and_unmap(publisher);
}

static void test_events_too_many_instances_are_told_with_their_object(void **state)
{
    enum { EACH = 33000, SHOWN_MOST = 65535 };
    prfdata_publisher *publishers[2];
    prfdata_test_service mine = service;
    static unsigned char reply[32 * 1024 * 1024];
    uint16_t *query = collected_query("Global");

    (void)state;
    prfdata_test_service_remove(&mine);
    sample.entries[QUEUES].max_instances = EACH;
    sample.entries[QUEUES].name = L"Qu\u00E9ues";
    prfdata_test_service_make(&service, SERVICE, &sample.map, FIRST_COUNTER);
    for (uint32_t i = 0; i < 2; i++) {
        publishers[i] = publish(&sample);
        for (uint32_t k = 0; k < EACH; k++)
            add_queue(publishers[i], i * EACH + k, ERROR_SUCCESS);
    }
    open_provider(ERRORS);
    for (int i = 0; i < 2; i++) {
        void *data = reply;
        uint32_t bytes = sizeof reply, objects = 0;

        assert_int_equal(prfdata_provider_collect(provider, query, &data, &bytes, &objects), 0);
        assert_int_not_equal(objects, 0);
    }
    assert_int_equal(reported.count, 1);
    assert_int_equal(reported.events[0].id, PRFDATA_EVENT_TOO_LARGE);
    assert_int_equal(wcscmp(reported.events[0].detail, L"Qu\u00E9ues"), 0);
    free(query);
    for (int i = 0; i < 2; i++)
        prfdata_close_and_unmap(publishers[i]);
}

static void test_events_torn_copies_are_told_at_the_second_level_only(void **state)
{
    prfdata_publisher *publisher = publish(&sample);
    prfdata_instance mail;

    (void)state;
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    open_provider(ERRORS);
    prfdata_begin(&mail);
    collect_often();
    expect_silence();
    open_provider(EVERYTHING);
    collect_often();
    expect_event(PRFDATA_EVENT_TORN, PRFDATA_EVENT_INFORMATION, "", 0);
    prfdata_end(&mail);
    prfdata_close_and_unmap(publisher);
}

/* ---- Levels, locks, threads ---- */

/* Readers usually begin with a buffer that is too small. A reader that never has a large enough one
 * is reported. */
static void test_events_a_buffer_that_is_always_too_small_is_reported(void **state)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    prfdata_publisher *publisher = publish(&sample);
    unsigned char bytes[65536];

    (void)state;
    for (int try = 1; try <= 32 + 20; try++) {
        const bool is_enough = try == 20;
        uint32_t size = is_enough ? sizeof bytes : 100;
        uint32_t objects;
        void *data = bytes;

        expect_silence();
        assert_int_equal(prfdata_provider_collect(provider, query, &data, &size, &objects),
                         is_enough ? ERROR_SUCCESS : ERROR_MORE_DATA);
    }
    expect_event(PRFDATA_EVENT_SHORT_BUFFER, PRFDATA_EVENT_WARNING, "", 0);
    prfdata_close_and_unmap(publisher);
}

static void test_events_level_0_is_silent(void **state)
{
    prfdata_publisher *publisher = publish(&sample);

    (void)state;
    publisher_header(publisher)->object_count++;
    open_provider(0);
    collect_often();
    prfdata_test_service_delete_value(&service, "Maps");
    open_provider(0);
    collect_often();
    expect_silence();
    prfdata_close_and_unmap(publisher);
}

static void test_events_level_1_of_a_thousand_is_a_whole_level(void **state)
{
    prfdata_events events = {0};

    (void)state;
    prfdata_events_set_writer(&events, ERRORS, record, &reported);
    assert_true(prfdata_events_wants(&events, PRFDATA_EVENT_VALUE_MISSING));
    assert_true(prfdata_events_wants(&events, PRFDATA_EVENT_PUBLISHER_FULL));
    assert_false(prfdata_events_wants(&events, PRFDATA_EVENT_TORN));
}

static void test_events_what_happened_before_there_is_a_writer_is_told_then(void **state)
{
    prfdata_events events = {0};

    (void)state;
    prfdata_events_notice_ascii(&events, PRFDATA_EVENT_VALUE_MISSING, "first", 5);
    prfdata_events_notice_ascii(&events, PRFDATA_EVENT_VALUE_MISSING, "second", 6);
    prfdata_events_report(&events, SERVICE);
    expect_silence();
    prfdata_events_set_writer(&events, ERRORS, record, &reported);
    prfdata_events_report(&events, SERVICE);
    prfdata_events_report(&events, SERVICE);
    expect_event(PRFDATA_EVENT_VALUE_MISSING, PRFDATA_EVENT_ERROR, "first", 5);
}

static void test_events_details_are_cut_where_they_are_too_long(void **state)
{
    prfdata_events events = {0};
    char text[2 * PRFDATA_EVENT_DETAIL_CHARS] = {0};

    (void)state;
    memset(text, 'x', sizeof text - 1);
    prfdata_events_set_writer(&events, ERRORS, record, &reported);
    prfdata_events_notice_ascii(&events, PRFDATA_EVENT_VALUE_MISSING, text, 0);
    prfdata_events_report(&events, SERVICE);
    assert_int_equal(reported.count, 1);
    assert_int_equal(wcslen(reported.events[0].detail), PRFDATA_EVENT_DETAIL_CHARS - 1);
}

static uint64_t jobs_seen_inside;

/* The function that writes events may call the provider, because no lock is held. */
static void ask(void *context, const char *its_service, const prfdata_event *event)
{
    prfdata_publisher *publisher = publish(&sample);
    prfdata_instance mail;
    prfdata_handle jobs;
    collected taken;

    record(context, its_service, event);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    prfdata_resolve(publisher, JOBS_ID, &mail, &jobs);
    prfdata_add(jobs, 7);
    collected_take(&taken, provider, "Global");
    jobs_seen_inside = collected_value(&taken, QUEUE_TITLE, "", "mail", JOBS_AT);
    collected_free(&taken);
    prfdata_close_and_unmap(publisher);
}

static void test_events_are_told_while_no_lock_is_held(void **state)
{
    prfdata_publisher *publisher = publish(&sample);

    (void)state;
    publisher_header(publisher)->object_count++;
    prfdata_provider_set_event_writer(provider, EVERYTHING, ask, &reported);
    collect_often();
    expect_event(PRFDATA_EVENT_REGION_DAMAGED, PRFDATA_EVENT_WARNING, publisher->name.text, 0);
    assert_int_equal(jobs_seen_inside, 7);
    prfdata_close_and_unmap(publisher);
}

static void notice_and_tell(void *context)
{
    prfdata_events *events = context;

    for (int i = 0; i < 3; i++) {
        prfdata_events_notice_ascii(events, PRFDATA_EVENT_REGION_DAMAGED, "some", 0);
        prfdata_events_notice_ascii(events, PRFDATA_EVENT_TORN, "", 0);
        prfdata_events_report(events, SERVICE);
    }
}

static void test_events_threads_tell_each_condition_once(void **state)
{
    (void)state;
    for (int round = 0; round < 500; round++) {
        prfdata_events events = {0};

        forget();
        prfdata_events_set_writer(&events, EVERYTHING, record, &reported);
        prfdata_test_threads_run(4, notice_and_tell, &events);
        assert_int_equal(reported.count, 2);
        assert_int_not_equal(reported.events[0].id, reported.events[1].id);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, install, provided_end)
        CASE(test_events_missing_values_are_told_by_name),
        CASE(test_events_a_map_that_is_none_is_reported),
        CASE(test_events_a_map_of_another_service_is_reported),
        CASE(test_events_title_indexes_that_cannot_be_are_reported),
        CASE(test_events_a_missing_folder_is_reported),
        CASE(test_events_healthy_regions_are_silent),
        CASE(test_events_a_region_of_another_map_is_told_while_its_program_runs),
        CASE(test_events_a_region_that_stays_empty_is_reported_at_the_second_look),
        CASE(test_events_a_region_of_another_version_is_reported),
        CASE(test_events_a_damaged_region_is_told_once_for_all),
        CASE(test_events_a_region_damaged_while_it_is_attached_is_reported),
        CASE(test_events_a_region_that_is_being_made_is_silent),
        CASE(test_events_what_dead_programs_left_is_silent),
        CASE(test_events_a_region_that_faults_is_reported),
        CASE(test_events_a_refused_region_is_reported),
        CASE(test_events_more_regions_than_the_limit_are_reported),
        CASE(test_events_a_full_publisher_is_told_while_its_program_runs),
        CASE(test_events_of_a_program_of_an_earlier_map_are_told),
        CASE(test_events_too_many_instances_are_told_with_their_object),
        CASE(test_events_torn_copies_are_told_at_the_second_level_only),
        CASE(test_events_a_buffer_that_is_always_too_small_is_reported),
        CASE(test_events_level_0_is_silent),
        CASE(test_events_level_1_of_a_thousand_is_a_whole_level),
        CASE(test_events_what_happened_before_there_is_a_writer_is_told_then),
        CASE(test_events_details_are_cut_where_they_are_too_long),
        CASE(test_events_are_told_while_no_lock_is_held),
        CASE(test_events_threads_tell_each_condition_once),
#undef CASE
    };

    (void)argv;
    if (argc > 1)
        return read_until_reported();
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
