/* SPDX-License-Identifier: MIT */
/* Tests the health of the service as readers see it. The regions are real. Their programs run, were
 * killed, or hang inside a bracket. Some regions cannot be read, and some are full. If times are
 * measured, the test sets the clock, and only listing the folder takes time. */
#define _GNU_SOURCE /* seteuid() */

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <prfdata/prfdata.h>

#include "map/model.h"
#include "support/process.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided.h"
#include "system/os.h"
#include "system/os_listing.h"

#define SERVICE "PrfDataTestHealth"

enum { FIRST_COUNTER = 9800, QUEUE_TITLE = 9800, HEALTH_TITLE = 9804 };

PRFDATA_DEFINE_OBJECT(QUEUES, 100);
PRFDATA_DEFINE_COUNTER(QUEUES_JOBS, 101);
PRFDATA_DEFINE_OBJECT(QUEUES_HEALTH, 900);

/* clang-format off */
#define QUEUES_OBJECT                                                                              \
    PRFDATA_MAP_OBJ(QUEUES, L"My Queues", L"Q.", PERF_DETAIL_NOVICE, QUEUES_JOBS, 8, 6)            \
        PRFDATA_MAP_TOTAL()                                                                        \
    PRFDATA_MAP_CTR(QUEUES_JOBS, L"Jobs", L"J.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)

PRFDATA_MAP_BEGIN_AS(map_with)
    QUEUES_OBJECT
    PRFDATA_MAP_HEALTH(QUEUES_HEALTH, L"My Queues", "my_queues")
PRFDATA_MAP_END_AS(map_with, SERVICE)

PRFDATA_MAP_BEGIN_AS(map_without)
    QUEUES_OBJECT
PRFDATA_MAP_END_AS(map_without, SERVICE)
/* clang-format on */

/* ---- The clock ---- */

static bool clock_stands;
static uint64_t ticks = 1;
static uint64_t ticks_of_listing;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint64_t __real_prfdata_os_ticks(void);
uint64_t __wrap_prfdata_os_ticks(void);
uint64_t __real_prfdata_os_ticks_per_second(void);
uint64_t __wrap_prfdata_os_ticks_per_second(void);
uint32_t __real_prfdata_os_directory_list_part(prfdata_os_directory *directory, uint64_t boot,
                                               uint64_t *position, prfdata_os_name *names,
                                               size_t capacity, size_t *count);
uint32_t __wrap_prfdata_os_directory_list_part(prfdata_os_directory *directory, uint64_t boot,
                                               uint64_t *position, prfdata_os_name *names,
                                               size_t capacity, size_t *count);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

uint64_t __wrap_prfdata_os_ticks(void)
{
    return clock_stands ? ticks : __real_prfdata_os_ticks();
}

uint64_t __wrap_prfdata_os_ticks_per_second(void)
{
    return clock_stands ? 3000000 : __real_prfdata_os_ticks_per_second();
}

uint32_t __wrap_prfdata_os_directory_list_part(prfdata_os_directory *directory, uint64_t boot,
                                               uint64_t *position, prfdata_os_name *names,
                                               size_t capacity, size_t *count)
{
    ticks += ticks_of_listing;
    return __real_prfdata_os_directory_list_part(directory, boot, position, names, capacity, count);
}

/* ---- The world ---- */

static int install(void **state)
{
    (void)state;
    clock_stands = false;
    ticks_of_listing = 0;
    provided_begin(&map_with, FIRST_COUNTER);
    return 0;
}

/* Installs the map as the only version. Files and folder stay. */
static void install_alone(const prfdata_map *map)
{
    prfdata_test_service_uninstall(&service);
    prfdata_test_service_install(&service, map, FIRST_COUNTER);
}

static prfdata_publisher *publish(const prfdata_map *map)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;
    prfdata_handle handle;

    assert_int_equal(prfdata_open(map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUES, L"mail", NULL, &mail), ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve(publisher, QUEUES_JOBS, &mail, &handle), ERROR_SUCCESS);
    prfdata_add(handle, 5);
    return publisher;
}

/* Collects and returns a number of the health. The counters are in the order of their numbers. */
static uint64_t health_by(prfdata_provider *whom, uint32_t number, const char *query)
{
    return collected_value_now(whom, query, HEALTH_TITLE, NULL, NULL, number - 1);
}

static uint64_t health(uint32_t number)
{
    return health_by(provider, number, "9804");
}

static uint64_t counted(uint32_t number)
{
    return prfdata_provider_number(provider, number);
}

/* ---- Programs ---- */

static int child_main(void)
{
    prfdata_publisher *publisher;
    char line[16];

    prfdata_test_service_join(&service, SERVICE);
    publisher = publish(&map_with);
    prfdata_test_process_say("ready");
    (void)prfdata_test_process_hear(line, sizeof line);
    prfdata_close_and_unmap(publisher);
    return 0;
}

static void test_health_counts_programs_that_live_and_that_were_killed(void **state)
{
    const char *arguments[] = {"publish", NULL};
    prfdata_test_process *child;
    prfdata_publisher *own;

    (void)state;
    assert_int_equal(health(PRFDATA_HEALTH_PUBLISHERS), 0);
    assert_int_equal(health(PRFDATA_HEALTH_ENDED), 0);
    own = publish(&map_with);
    child = prfdata_test_process_start(arguments);
    prfdata_test_process_expect(child, "ready");
    assert_int_equal(health(PRFDATA_HEALTH_PUBLISHERS), 2);
    assert_int_equal(health(PRFDATA_HEALTH_ENDED), 0);
    prfdata_test_process_kill(child);
    assert_int_equal(health(PRFDATA_HEALTH_PUBLISHERS), 1);
    assert_int_equal(health(PRFDATA_HEALTH_ENDED), 1);
    prfdata_close_and_unmap(own);
    assert_int_equal(health(PRFDATA_HEALTH_PUBLISHERS), 0);
    assert_int_equal(health(PRFDATA_HEALTH_ENDED), 2);
    assert_int_equal(health(PRFDATA_HEALTH_UNREADABLE), 0);
    assert_int_equal(health(PRFDATA_HEALTH_UNSHOWN), 0);
}

/* The program runs and keeps its file, but it publishes nothing. */
static void test_health_program_that_closed_its_counters_is_no_publisher(void **state)
{
    prfdata_publisher *own = publish(&map_with);

    (void)state;
    assert_int_equal(health(PRFDATA_HEALTH_PUBLISHERS), 1);
    prfdata_close(own);
    assert_int_equal(health(PRFDATA_HEALTH_PUBLISHERS), 0);
    assert_int_equal(health(PRFDATA_HEALTH_ENDED), 0);
    assert_int_equal(prfdata_open(&map_with, &own), ERROR_SUCCESS);
    assert_int_equal(health(PRFDATA_HEALTH_PUBLISHERS), 1);
    prfdata_close_and_unmap(own);
}

/*
 * A program has a version of the map that is no longer registered. One reader opens after that.
 * Another one opened while the version was registered.
 */
static void test_health_counts_programs_of_a_map_that_is_not_installed(void **state)
{
    prfdata_provider *other;
    prfdata_publisher *former;

    (void)state;
    install_alone(&map_without);
    former = publish(&map_without);
    prfdata_provider_close(provider);
    provider = provided_open();
    install_alone(&map_with);
    other = provided_open();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(health_by(other, PRFDATA_HEALTH_UNSHOWN, "9804"), 1);
        assert_int_equal(health_by(other, PRFDATA_HEALTH_PUBLISHERS, "9804"), 0);
        assert_int_equal(health(PRFDATA_HEALTH_UNSHOWN), 1);
        assert_int_equal(health(PRFDATA_HEALTH_PUBLISHERS), 0);
    }
    prfdata_close_and_unmap(former);
    assert_int_equal(health_by(other, PRFDATA_HEALTH_UNSHOWN, "9804"), 0);
    assert_int_equal(health(PRFDATA_HEALTH_UNSHOWN), 0);
    prfdata_provider_close(other);
}

/* ---- Readers ---- */

static void ask_in_vain(void)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};

    for (int i = 0; i < 32; i++) {
        unsigned char bytes[100];
        uint32_t size = sizeof bytes, objects;
        void *data = bytes;

        assert_int_equal(prfdata_provider_collect(provider, query, &data, &size, &objects),
                         ERROR_MORE_DATA);
    }
}

static void test_health_counts_buffers_that_are_always_too_small(void **state)
{
    prfdata_publisher *own = publish(&map_with);

    (void)state;
    for (uint64_t expected = 0; expected < 3; expected++) {
        assert_int_equal(health(PRFDATA_HEALTH_SHORT_BUFFER), expected);
        ask_in_vain();
    }
    /* Every 32 short buffers in a row add 1, even if no Collect in between succeeds. */
    for (uint64_t expected = 3; expected < 6; expected++) {
        assert_int_equal(prfdata_provider_number(provider, PRFDATA_HEALTH_SHORT_BUFFER), expected);
        ask_in_vain();
    }
    assert_int_equal(health(PRFDATA_HEALTH_NO_MEMORY), 0);
    prfdata_close_and_unmap(own);
}

/* ---- Files that cannot be read ---- */

#ifdef _WIN32
static HANDLE refusing;

/* Opens the file without sharing, as some programs do. */
static void refuse(const char *name)
{
    char path[520];

    prfdata_test_service_path(&service, name, path, sizeof path);
    refusing = CreateFileA(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(refusing != INVALID_HANDLE_VALUE);
}

static void refuse_no_more(const char *name)
{
    (void)name;
    CloseHandle(refusing);
}
#else
/* Removes all rights to the file. Root could still read it, so root switches to another account. */
static void refuse(const char *name)
{
    char path[520];

    prfdata_test_service_path(&service, name, path, sizeof path);
    assert_int_equal(chmod(path, 0), 0);
    if (geteuid() != 0)
        return;
    assert_int_equal(chmod(getenv("PRFDATA_TEST_ROOT"), 0755), 0);
    assert_int_equal(seteuid(65534), 0);
}

static void refuse_no_more(const char *name)
{
    char path[520];

    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    prfdata_test_service_path(&service, name, path, sizeof path);
    assert_int_equal(chmod(path, 0644), 0);
}
#endif

/* Totals are left out, but the health is shown. */
static void test_health_counts_files_that_cannot_be_read(void **state)
{
    prfdata_provider *other;
    prfdata_test_file file;
    collected taken;

    (void)state;
    prfdata_close_and_unmap(publish(&map_with));
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    refuse(file.name);
    other = provided_open();
    collected_take(&taken, other, "Global");
    assert_false(collected_has(&taken, QUEUE_TITLE, "", "_Total"));
    assert_int_equal(collected_value(&taken, HEALTH_TITLE, NULL, NULL, 2), 1);
    assert_int_equal(collected_value(&taken, HEALTH_TITLE, NULL, NULL, 1), 0);
    collected_free(&taken);
    refuse_no_more(file.name);
    assert_int_equal(health_by(other, PRFDATA_HEALTH_UNREADABLE, "Global"), 0);
    assert_int_equal(health_by(other, PRFDATA_HEALTH_ENDED, "Global"), 1);
    prfdata_provider_close(other);
}

static void test_health_counts_a_folder_that_cannot_be_read(void **state)
{
    char aside[sizeof service.folder + 8];

    (void)state;
    (void)snprintf(aside, sizeof aside, "%s.aside", service.folder);
    assert_int_equal(health(PRFDATA_HEALTH_UNREADABLE), 0);
    assert_int_equal(rename(service.folder, aside), 0);
    assert_int_equal(health(PRFDATA_HEALTH_UNREADABLE), 1);
    assert_int_equal(rename(aside, service.folder), 0);
    assert_int_equal(health(PRFDATA_HEALTH_UNREADABLE), 0);
}

/* ---- Dropped instances ---- */

static void test_health_counts_instances_that_had_no_room(void **state)
{
    static const prfdata_capacity one = {QUEUES, 1};
    prfdata_publisher *full, *roomy = publish(&map_with);
    prfdata_instance instance;

    (void)state;
    assert_int_equal(prfdata_open_with(&map_with, &one, 1, &full), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(full, QUEUES, L"a", NULL, &instance), ERROR_SUCCESS);
    assert_int_equal(health(PRFDATA_HEALTH_DROPPED), 0);
    assert_int_not_equal(prfdata_instance_add(full, QUEUES, L"b", NULL, &instance), 0);
    assert_int_not_equal(prfdata_instance_add(full, QUEUES, L"c", NULL, &instance), 0);
    assert_int_equal(health(PRFDATA_HEALTH_DROPPED), 2);
    assert_int_not_equal(prfdata_instance_add(roomy, QUEUES, L"too long", NULL, &instance), 0);
    assert_int_equal(health(PRFDATA_HEALTH_DROPPED), 3);
    prfdata_close_and_unmap(full);
    assert_int_equal(health(PRFDATA_HEALTH_DROPPED), 3);
    prfdata_close_and_unmap(roomy);
    assert_int_equal(health(PRFDATA_HEALTH_DROPPED), 3);
}

/* Windows keeps a file as long as any process has a view of it. */
#ifndef _WIN32
static void test_health_keeps_dropped_instances_of_a_file_that_is_deleted(void **state)
{
    prfdata_publisher *publisher = publish(&map_with);
    prfdata_provider *other;
    prfdata_instance instance;
    prfdata_test_file file;

    (void)state;
    assert_int_not_equal(prfdata_instance_add(publisher, QUEUES, L"too long", NULL, &instance), 0);
    prfdata_close_and_unmap(publisher);
    assert_int_equal(health(PRFDATA_HEALTH_DROPPED), 1);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    assert_true(prfdata_test_service_delete_file(&service, file.name));
    assert_int_equal(health(PRFDATA_HEALTH_DROPPED), 1);
    assert_int_equal(health(PRFDATA_HEALTH_ENDED), 0);
    other = provided_open();
    assert_int_equal(health_by(other, PRFDATA_HEALTH_DROPPED, "9804"), 0);
    prfdata_provider_close(other);
}
#endif

/* A Collect that a plan answers shows the numbers of the last refresh, not those of the time when
 * the plan was made. */
static void test_health_is_fresh_in_planned_collects(void **state)
{
    prfdata_publisher *publisher = publish(&map_with);
    prfdata_instance instance;

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(health_by(provider, PRFDATA_HEALTH_DROPPED, "Global"), 0);
    for (uint64_t i = 1; i < 4; i++) {
        const uint64_t planned = counted(PRFDATA_HEALTH_PLANS_USED);

        assert_int_not_equal(prfdata_instance_add(publisher, QUEUES, L"too long", NULL, &instance),
                             0);
        assert_int_equal(health(PRFDATA_HEALTH_DROPPED), i);
        assert_int_equal(counted(PRFDATA_HEALTH_PLANS_USED), planned + 1);
    }
    clock_stands = true;
    for (int i = 0; i < 4; i++)
        (void)health_by(provider, PRFDATA_HEALTH_COLLECT_US, "Global");
    for (uint64_t i = 0; i < 4; i++) {
        const uint64_t planned = counted(PRFDATA_HEALTH_PLANS_USED);

        assert_int_equal(health_by(provider, PRFDATA_HEALTH_COLLECT_US, "Global"), i);
        ticks_of_listing = 3 * (i + 1);
        assert_int_equal(health_by(provider, PRFDATA_HEALTH_DROPPED, "Global"), 3);
        assert_int_equal(counted(PRFDATA_HEALTH_PLANS_USED), planned + 2);
    }
    prfdata_close_and_unmap(publisher);
}

/* ---- Numbers that are this reader's own ---- */

/* A program stays inside a bracket, so each Collect shows a sample that may be torn. */
static void test_health_counts_torn_samples_of_this_reader(void **state)
{
    prfdata_publisher *publisher = publish(&map_with);
    prfdata_provider *other = provided_open();
    prfdata_instance news;
    uint64_t torn = 0;

    (void)state;
    assert_int_equal(prfdata_instance_add(publisher, QUEUES, L"news", NULL, &news), ERROR_SUCCESS);
    assert_int_equal(health_by(provider, PRFDATA_HEALTH_TORN, "Global"), 0);
    prfdata_begin(&news);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(health_by(provider, PRFDATA_HEALTH_TORN, "Global"), torn);
        assert_true(counted(PRFDATA_HEALTH_TORN) > torn);
        torn = counted(PRFDATA_HEALTH_TORN);
    }
    prfdata_end(&news);
    for (int i = 0; i < 3; i++)
        assert_int_equal(health_by(provider, PRFDATA_HEALTH_TORN, "Global"), torn);
    assert_int_equal(health_by(other, PRFDATA_HEALTH_TORN, "Global"), 0);
    prfdata_provider_close(other);
    prfdata_close_and_unmap(publisher);
}

/* The program inside a bracket has an earlier version of the map. */
static void test_health_counts_torn_samples_of_an_earlier_map(void **state)
{
    prfdata_publisher *publisher;
    prfdata_instance news;

    (void)state;
    prfdata_provider_close(provider);
    install_alone(&map_without);
    publisher = publish(&map_without);
    prfdata_test_service_upgrade(&service, &map_with);
    provider = provided_open();
    assert_int_equal(prfdata_instance_add(publisher, QUEUES, L"news", NULL, &news), ERROR_SUCCESS);
    prfdata_begin(&news);
    assert_int_equal(health_by(provider, PRFDATA_HEALTH_TORN, "Global"), 0);
    assert_true(counted(PRFDATA_HEALTH_TORN) > 0);
    assert_int_equal(health_by(provider, PRFDATA_HEALTH_TORN, "Global"), 1);
    prfdata_end(&news);
    prfdata_close_and_unmap(publisher);
}

/* The time is measured for any query. A Collect whose reply does not fit leaves the time
 * unchanged. */
static void test_health_has_the_time_of_the_last_collect(void **state)
{
    uint16_t *query = collected_query("9804");
    unsigned char byte;
    void *data = &byte;
    uint32_t size = 1;
    uint32_t objects;
    collected taken;

    (void)state;
    clock_stands = true;
    assert_int_equal(health(PRFDATA_HEALTH_COLLECT_US), 0);
    ticks_of_listing = 3 * 7000;
    assert_int_equal(health(PRFDATA_HEALTH_COLLECT_US), 0);
    assert_int_equal(health(PRFDATA_HEALTH_COLLECT_US), 7000);
    ticks_of_listing = 3ull * 100000000000000; /* three years */
    collected_take(&taken, provider, "9800");
    collected_free(&taken);
    ticks_of_listing = 0;
    assert_int_equal(prfdata_provider_collect(provider, query, &data, &size, &objects),
                     ERROR_MORE_DATA);
    assert_int_equal(health(PRFDATA_HEALTH_COLLECT_US), 100000000000000);
    assert_int_equal(health(PRFDATA_HEALTH_COLLECT_US), 0);
    free(query);
}

/* ---- Queries and versions ---- */

static void test_health_metadata_is_its_definitions(void **state)
{
    static unsigned char bytes[8192];
    uint16_t *query = collected_query("MetadataGlobal");
    uint32_t size = sizeof bytes;
    void *data = bytes;
    uint32_t objects;
    collected taken;

    (void)state;
    collected_take(&taken, provider, "MetadataGlobal");
    assert_int_equal(collected_instances(&taken, HEALTH_TITLE), -3);
    collected_free(&taken);
    memset(bytes, 0xA5, sizeof bytes);
    assert_int_equal(prfdata_provider_collect(provider, query, &data, &size, &objects), 0);
    assert_in_range(size, 1, sizeof bytes - 1);
    for (uint32_t i = size; i < sizeof bytes; i++)
        assert_int_equal(bytes[i], 0xA5);
    free(query);
    collected_take(&taken, provider, "9804");
    assert_int_equal(collected_instances(&taken, HEALTH_TITLE), -1);
    collected_free(&taken);
}

/* A map with the health is an upgrade of one without it, and vice versa. Counts stay. */
static void test_health_comes_and_goes_with_a_version_of_the_map(void **state)
{
    prfdata_publisher *former, *later;
    collected taken;

    (void)state;
    prfdata_provider_close(provider);
    install_alone(&map_without);
    former = publish(&map_without);
    provider = provided_open();
    collected_take(&taken, provider, "Global");
    assert_int_equal(perf_reader_object(&taken.reply, HEALTH_TITLE), SIZE_MAX);
    collected_free(&taken);
    prfdata_test_service_upgrade(&service, &map_with);
    later = publish(&map_with);
    collected_take(&taken, provider, "Global");
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", 0), 10);
    collected_free(&taken);
    assert_int_equal(health(PRFDATA_HEALTH_PUBLISHERS), 2);
    assert_int_equal(health(PRFDATA_HEALTH_UNSHOWN), 0);
    prfdata_test_service_upgrade(&service, &map_without);
    collected_take(&taken, provider, "Global");
    assert_int_equal(perf_reader_object(&taken.reply, HEALTH_TITLE), SIZE_MAX);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", 0), 10);
    collected_free(&taken);
    prfdata_close_and_unmap(former);
    prfdata_close_and_unmap(later);
}

/* The map belongs to a later version of PrfData than the provider. */
static void test_health_shows_0_for_a_number_that_it_does_not_know(void **state)
{
    static prfdata_health known;
    uint8_t block[512] = {0};
    prfdata_model *model;
    const prfdata_model_object *object;
    prfdata_model_counter later;
    prfdata_model_object changed;

    (void)state;
    assert_int_equal(prfdata_model_make(&map_with, &model), ERROR_SUCCESS);
    object = &model->objects[model->health_index];
    later = object->counters[0];
    changed = *object;
    changed.counters = &later;
    changed.counter_count = 1;
    assert_in_range(object->counter_count, 2, 15);
    for (uint32_t i = 0; i < PRFDATA_HEALTH_COUNT; i++)
        prfdata_health_set(&known, i, 7);
    for (uint32_t number = PRFDATA_HEALTH_LAST + 1; number <= 70000; number += 999) {
        uint64_t value = 9;

        later.health = number;
        memcpy(block + later.block_offset, &value, sizeof value);
        prfdata_health_put(&known, &changed, block);
        memcpy(&value, block + later.block_offset, sizeof value);
        assert_int_equal(value, 0);
        prfdata_health_put(&known, object, block);
        memcpy(&value, block + object->counters[1].block_offset, sizeof value);
        assert_int_equal(value, 7);
    }
    prfdata_model_free(model);
}

static void test_health_counters_are_counted_by_no_program(void **state)
{
    prfdata_publisher *publisher = publish(&map_with);
    prfdata_handle handle;
    prfdata_pair pair;

    (void)state;
    for (uint32_t i = 1; i <= PRFDATA_HEALTH_LAST; i++) {
        assert_int_equal(prfdata_resolve(publisher, QUEUES_HEALTH + i, NULL, &handle),
                         ERROR_NOT_SUPPORTED);
        assert_null(handle.cell);
        assert_int_equal(prfdata_resolve_pair(publisher, QUEUES_HEALTH + i, NULL, &pair),
                         ERROR_NOT_SUPPORTED);
    }
    prfdata_close_and_unmap(publisher);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_health_shows_0_for_a_number_that_it_does_not_know),
        cmocka_unit_test_setup_teardown(test_health_counts_buffers_that_are_always_too_small,
                                        install, provided_end),
        cmocka_unit_test_setup_teardown(test_health_counts_programs_that_live_and_that_were_killed,
                                        install, provided_end),
        cmocka_unit_test_setup_teardown(
            test_health_program_that_closed_its_counters_is_no_publisher, install, provided_end),
        cmocka_unit_test_setup_teardown(test_health_counts_programs_of_a_map_that_is_not_installed,
                                        install, provided_end),
        cmocka_unit_test_setup_teardown(test_health_counts_files_that_cannot_be_read, install,
                                        provided_end),
        cmocka_unit_test_setup_teardown(test_health_counts_a_folder_that_cannot_be_read, install,
                                        provided_end),
        cmocka_unit_test_setup_teardown(test_health_counts_instances_that_had_no_room, install,
                                        provided_end),
#ifndef _WIN32
        cmocka_unit_test_setup_teardown(
            test_health_keeps_dropped_instances_of_a_file_that_is_deleted, install, provided_end),
#endif
        cmocka_unit_test_setup_teardown(test_health_is_fresh_in_planned_collects, install,
                                        provided_end),
        cmocka_unit_test_setup_teardown(test_health_counts_torn_samples_of_this_reader, install,
                                        provided_end),
        cmocka_unit_test_setup_teardown(test_health_counts_torn_samples_of_an_earlier_map, install,
                                        provided_end),
        cmocka_unit_test_setup_teardown(test_health_has_the_time_of_the_last_collect, install,
                                        provided_end),
        cmocka_unit_test_setup_teardown(test_health_metadata_is_its_definitions, install,
                                        provided_end),
        cmocka_unit_test_setup_teardown(test_health_comes_and_goes_with_a_version_of_the_map,
                                        install, provided_end),
        cmocka_unit_test_setup_teardown(test_health_counters_are_counted_by_no_program, install,
                                        provided_end),
    };

    (void)argv;
    if (argc > 1)
        return child_main();
    return cmocka_run_group_tests_name("health", tests, NULL, NULL);
}
