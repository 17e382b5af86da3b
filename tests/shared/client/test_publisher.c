/* SPDX-License-Identifier: MIT */
/* Tests opening and closing publishers with real files. Other processes are this program again
 * (child_main). Every test begins with an installed service and an empty folder. */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <prfdata/prfdata.h>

#include "client/publisher.h"
#include "map/map_bytes.h"
#include "region/region.h"
#include "support/process.h"
#include "support/provider/counting.h"
#include "support/sample_map.h"
#include "support/service.h"
#include "support/threads.h"
#include "system/os_name.h"

#define SERVICE      "PrfDataTestPublisher"
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { ID_QUEUES = 100, ID_DEPTH, ID_JOBS, ID_WORKERS = 200, ID_BUSY, ID_CONSUMERS = 300 };

/* QUEUES_SLOTS is an offset in the file, after the header and three slot counts. JOBS_CELL is an
 * offset in the cells of a slot. docs/region-format.md describes the file. */
enum { QUEUES_SLOTS = 192, JOBS_CELL = 8 };

static prfdata_test_service service;
static sample_map sample;
static prfdata_publisher *opened[8]; /* these are unmapped when the test ends */

static void init_map(void)
{
    sample_map_init_as(&sample, SERVICE);
}

static int install(void **state)
{
    (void)state;
    memset(opened, 0, sizeof opened);
    init_map();
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(opened); i++)
        prfdata_close_and_unmap(opened[i]);
    prfdata_test_service_remove(&service);
    return 0;
}

static void forget(const prfdata_publisher *publisher)
{
    for (size_t i = 0; i < COUNT(opened); i++)
        if (opened[i] == publisher)
            opened[i] = NULL;
}

static prfdata_publisher *keep(prfdata_publisher *publisher)
{
    size_t i = 0;

    forget(publisher);
    while (opened[i])
        i++;
    opened[i] = publisher;
    return publisher;
}

static void unmap(prfdata_publisher *publisher)
{
    forget(publisher);
    prfdata_close_and_unmap(publisher);
}

static prfdata_publisher *open_for(uint32_t expected)
{
    prfdata_publisher *publisher = NULL;

    assert_int_equal(prfdata_open(&sample.map, &publisher), expected);
    assert_non_null(publisher);
    return keep(publisher);
}

static prfdata_publisher *open_with(uint32_t object_id, uint32_t max_instances)
{
    const prfdata_capacity capacity = {object_id, max_instances};
    prfdata_publisher *publisher = NULL;

    assert_int_equal(prfdata_open_with(&sample.map, &capacity, 1, &publisher), ERROR_SUCCESS);
    return keep(publisher);
}

/* ---- The files ---- */

static size_t file_count(void)
{
    return prfdata_test_service_files(&service, NULL, 0);
}

/* Return the content of the only file; free it with free(). */
static uint8_t *read_region(size_t *size)
{
    prfdata_test_file files[2];
    uint8_t *bytes;

    assert_int_equal(prfdata_test_service_files(&service, files, 2), 1);
    bytes = prfdata_test_service_read_file(&service, files[0].name, size);
    assert_non_null(bytes);
    return bytes;
}

static prfdata_region_header read_header(void)
{
    prfdata_region_header header;
    size_t size;
    uint8_t *bytes = read_region(&size);

    assert_true(size >= sizeof header);
    memcpy(&header, bytes, sizeof header);
    free(bytes);
    return header;
}

static prfdata_region_slot read_slot(uint32_t slot_index)
{
    prfdata_region_slot slot;
    size_t size;
    uint8_t *bytes = read_region(&size);

    memcpy(&slot, bytes + QUEUES_SLOTS + 64 * slot_index, sizeof slot);
    free(bytes);
    return slot;
}

/* ---- Counting ---- */

static int64_t get(prfdata_publisher *publisher, uint32_t counter_id, const prfdata_instance *which)
{
    prfdata_handle handle;

    assert_int_equal(prfdata_resolve(publisher, counter_id, which, &handle), ERROR_SUCCESS);
    return prfdata_get(handle);
}

static void bump(prfdata_publisher *publisher, uint32_t counter_id, const prfdata_instance *which,
                 int64_t amount)
{
    prfdata_handle handle;

    assert_int_equal(prfdata_resolve(publisher, counter_id, which, &handle), ERROR_SUCCESS);
    prfdata_add(handle, amount);
}

static void assert_counts_privately(prfdata_publisher *publisher)
{
    prfdata_instance mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);

    bump(publisher, ID_JOBS, &mail, 3);
    bump(publisher, ID_DEPTH, &mail, 2);
    bump(publisher, ID_BUSY, NULL, 4);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 3);
    assert_int_equal(get(publisher, ID_DEPTH, &mail), 2);
    assert_int_equal(get(publisher, ID_BUSY, NULL), 4);
    prfdata_begin(&mail);
    prfdata_end(&mail);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    mail = counting_add(publisher, ID_QUEUES, L"MAIL", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 3);
    assert_int_equal(get(publisher, ID_DEPTH, &mail), 0);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
}

/* ---- Other processes ---- */

/* Publish, report it, and run until the parent ends or kills this process. */
static int child_publish(void)
{
    prfdata_publisher *publisher;
    prfdata_instance mail, news;
    char line[16];

    if (prfdata_open(&sample.map, &publisher) != ERROR_SUCCESS)
        return 1;
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    news = counting_add(publisher, ID_QUEUES, L"news", NULL);
    bump(publisher, ID_JOBS, &mail, 7);
    bump(publisher, ID_DEPTH, &mail, 5);
    bump(publisher, ID_JOBS, &news, 11);
    bump(publisher, ID_BUSY, NULL, 3);
    prfdata_instance_remove(&news);
    prfdata_begin(&mail);
    prfdata_begin_all(publisher);
    prfdata_test_process_say("published");
    prfdata_test_process_hear(line, sizeof line);
    return 0;
}

#ifndef _WIN32
/* Try to publish under a limit of the system, and report the result. */
static int child_try(void)
{
    prfdata_publisher *publisher;
    char line[32];

    snprintf(line, sizeof line, "%u", (unsigned)prfdata_open(&sample.map, &publisher));
    if (!publisher)
        return 1;
    assert_counts_privately(publisher);
    prfdata_test_process_say(line);
    _exit(0); /* the leak detector cannot examine a process that has changed its account */
}

static int child_without_rights(void)
{
    if (geteuid() == 0 && seteuid(65534) != 0)
        return 1;
    return child_try();
}

static int child_on_full_disk(void)
{
    const struct rlimit limit = {1024, 1024};

    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    return child_try();
}
#endif

#ifndef _WIN32
/* Leave only `count` more files that this process may open. */
static void leave_descriptors(rlim_t count)
{
    struct rlimit limit;
    int lowest;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = 256;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    lowest = dup(0);
    assert_true(lowest >= 0);
    close(lowest);
    limit.rlim_cur = (rlim_t)lowest + count;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* Try to open with more and more file descriptors. After the first success, report the count of
 * mail's jobs. This count shows whether the file of the killed program was taken over. */
static int child_with_few_descriptors(void)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;
    char line[32];

    for (rlim_t count = 0; count < 8; count++) {
        leave_descriptors(count);
        if (prfdata_open(&sample.map, &publisher) == ERROR_SUCCESS)
            break;
        prfdata_close_and_unmap(publisher);
    }
    leave_descriptors(32); /* the leak detector needs some */
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    snprintf(line, sizeof line, "%d", (int)get(publisher, ID_JOBS, &mail));
    prfdata_test_process_say(line);
    prfdata_close_and_unmap(publisher);
    return 0;
}

/* Close and open again while only one more file can be opened, and report the result. */
static int child_reopen_with_one_descriptor(void)
{
    prfdata_publisher *first, *again;
    char line[64];
    uint32_t error;

    if (prfdata_open(&sample.map, &first) != ERROR_SUCCESS)
        return 1;
    prfdata_close(first);
    leave_descriptors(1);
    error = prfdata_open(&sample.map, &again);
    leave_descriptors(32); /* the leak detector needs some */
    snprintf(line, sizeof line, "%u, %s", (unsigned)error, first == again ? "the same" : "another");
    prfdata_test_process_say(line);
    prfdata_close_and_unmap(again);
    if (first != again)
        prfdata_close_and_unmap(first);
    return 0;
}
#endif

static int child_main(const char *what)
{
    init_map();
    prfdata_test_service_join(&service, SERVICE);
    if (strcmp(what, "publish") == 0)
        return child_publish();
#ifndef _WIN32
    if (strcmp(what, "without-rights") == 0)
        return child_without_rights();
    if (strcmp(what, "on-full-disk") == 0)
        return child_on_full_disk();
    if (strcmp(what, "with-few-descriptors") == 0)
        return child_with_few_descriptors();
    if (strcmp(what, "reopen-with-one-descriptor") == 0)
        return child_reopen_with_one_descriptor();
#endif
    return 1;
}

static prfdata_test_process *start(const char *what)
{
    const char *arguments[] = {what, NULL};

    return prfdata_test_process_start(arguments);
}

static prfdata_test_process *start_publishing(void)
{
    prfdata_test_process *child = start("publish");

    prfdata_test_process_expect(child, "published");
    return child;
}

static void publish_and_die(void)
{
    prfdata_test_process_kill(start_publishing());
}

/* ---- The result of open ---- */

static void test_publisher_open_publishes_one_region(void **state)
{
    prfdata_model *model;
    prfdata_region_layout *layout;
    prfdata_region_header header;
    size_t size;
    uint8_t *bytes;

    (void)state;
    open_for(ERROR_SUCCESS);
    bytes = read_region(&size);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_check(bytes, size, model, prfdata_os_boot(), &header, &layout),
                     PRFDATA_REGION_VALID);
    assert_int_equal(layout->sections[0].slot_count, 16);
    assert_int_equal(header.state, PRFDATA_REGION_PUBLISHED);
    assert_int_equal(header.epoch, 1);
    assert_int_equal(header.process_id, prfdata_os_process_id());
    free(layout);
    prfdata_model_free(model);
    free(bytes);
}

#ifndef _WIN32
static void test_publisher_that_a_forked_child_closes_stays_the_parents(void **state)
{
    prfdata_publisher *publisher = open_for(ERROR_SUCCESS);
    int exit_status = -1;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        prfdata_close(publisher);
        prfdata_close_and_unmap(publisher);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &exit_status, 0), child);
    assert_int_equal(exit_status, 0);
    assert_int_equal(((const prfdata_region_header *)(const void *)publisher->bytes)->state,
                     PRFDATA_REGION_PUBLISHED);
}
#endif

static void test_publisher_open_not_installed(void **state)
{
    (void)state;
    sample.map.service = "PrfDataTestNowhere";
    assert_counts_privately(open_for(ERROR_FILE_NOT_FOUND));
}

static void test_publisher_open_without_map_value_is_not_installed(void **state)
{
    (void)state;
    prfdata_test_service_delete_value(&service, "Maps");
    assert_counts_privately(open_for(ERROR_FILE_NOT_FOUND));
    assert_int_equal(file_count(), 0);
}

static void test_publisher_open_without_regions_value_is_not_installed(void **state)
{
    (void)state;
    prfdata_test_service_delete_value(&service, "Regions");
    assert_counts_privately(open_for(ERROR_FILE_NOT_FOUND));
}

static void test_publisher_open_folder_is_gone(void **state)
{
    char path[300];

    (void)state;
    prfdata_test_service_path(&service, "gone", path, sizeof path);
    prfdata_test_service_set_text(&service, "Regions", path);
    assert_counts_privately(open_for(ERROR_FILE_NOT_FOUND));
}

static void test_publisher_open_folder_is_no_absolute_path(void **state)
{
    (void)state;
    prfdata_test_service_set_text(&service, "Regions", "here");
    assert_counts_privately(open_for(ERROR_INVALID_DATA));
}

static void test_publisher_open_folder_is_a_file(void **state)
{
    char path[300];

    (void)state;
    assert_true(prfdata_test_service_write_file(&service, "file", "x", 1));
    prfdata_test_service_path(&service, "file", path, sizeof path);
    prfdata_test_service_set_text(&service, "Regions", path);
    assert_counts_privately(open_for(ERROR_INVALID_DATA));
}

static void test_publisher_open_folder_is_a_link(void **state)
{
    (void)state;
#ifdef _WIN32
    skip(); /* symbolic links need a privilege; the tests of os.h use junctions */
#else
    char path[300];

    prfdata_test_service_path(&service, "link", path, sizeof path);
    assert_int_equal(symlink(service.folder, path), 0);
    prfdata_test_service_set_text(&service, "Regions", path);
    assert_counts_privately(open_for(ERROR_INVALID_DATA));
    assert_int_equal(file_count(), 1);
#endif
}

static void test_publisher_open_switched_off(void **state)
{
    (void)state;
    prfdata_test_service_set_number(&service, "Publish", 0);
    assert_counts_privately(open_for(ERROR_SERVICE_DISABLED));
    assert_int_equal(file_count(), 0);
}

static void test_publisher_open_switched_on(void **state)
{
    (void)state;
    prfdata_test_service_set_number(&service, "Publish", 1);
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 1);
}

static void test_publisher_open_another_version_of_the_map_is_installed(void **state)
{
    (void)state;
    sample.entries[JOB_TIME].id = 999;
    assert_counts_privately(open_for(ERROR_REVISION_MISMATCH));
    assert_int_equal(file_count(), 0);
}

/* A program may start with the earlier version of the map after the upgrade. */
static void test_publisher_open_earlier_version_of_the_map_publishes(void **state)
{
    (void)state;
    sample.entries[JOB_TIME].id = 999;
    prfdata_test_service_upgrade(&service, &sample.map);
    open_for(ERROR_SUCCESS);
    sample.entries[JOB_TIME].id = 103;
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 2);
}

/* Another name or capacity does not make another version of a map. */
static void test_publisher_open_renamed_and_resized_map_publishes(void **state)
{
    (void)state;
    sample.entries[QUEUES].max_instances = 15;
    sample.entries[JOBS].name = L"Tasks/sec";
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 1);
}

static void test_publisher_open_installed_map_is_damaged(void **state)
{
    (void)state;
    prfdata_test_service_set_bytes(&service, "Maps", "PRFM", 4);
    assert_counts_privately(open_for(ERROR_REVISION_MISMATCH));
}

static void test_publisher_open_another_help_text_is_the_same_map(void **state)
{
    (void)state;
    sample.entries[JOBS].help = L"Corrected.";
    open_for(ERROR_SUCCESS);
}

static void test_publisher_open_no_rights(void **state)
{
    (void)state;
#ifdef _WIN32
    skip(); /* needs a second account */
#else
    char root[300];
    prfdata_test_process *child;

    assert_true((size_t)snprintf(root, sizeof root, "%s/..", service.folder) < sizeof root);
    assert_int_equal(chmod(root, 0755), 0);
    assert_int_equal(chmod(service.folder, 0555), 0);
    child = start("without-rights");
    prfdata_test_process_expect(child, "5");
    assert_int_equal(prfdata_test_process_wait(child), 0);
    assert_int_equal(chmod(service.folder, 0755), 0);
    assert_int_equal(file_count(), 0);
#endif
}

static void test_publisher_open_disk_is_full(void **state)
{
    (void)state;
#ifdef _WIN32
    skip(); /* needs a disk of its own */
#else
    prfdata_test_process *child = start("on-full-disk");

    prfdata_test_process_expect(child, "112");
    assert_int_equal(prfdata_test_process_wait(child), 0);
    assert_int_equal(file_count(), 0);
#endif
}

static void test_publisher_open_wrong_map_gives_no_publisher(void **state)
{
    prfdata_publisher *publisher = (prfdata_publisher *)&sample;

    (void)state;
    sample.entries[QUEUES].max_instances = 0;
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_INVALID_PARAMETER);
    assert_null(publisher);
    publisher = (prfdata_publisher *)&sample;
    assert_int_equal(prfdata_open(NULL, &publisher), ERROR_INVALID_PARAMETER);
    assert_null(publisher);
}

static void test_publisher_null_is_accepted_everywhere(void **state)
{
    prfdata_instance instance;
    prfdata_handle handle;
    prfdata_pair pair;

    (void)state;
    assert_int_equal(prfdata_instance_add(NULL, ID_QUEUES, L"a", NULL, &instance),
                     ERROR_INVALID_HANDLE);
    assert_int_equal(prfdata_instance_add_id(NULL, ID_QUEUES, 1, NULL, &instance),
                     ERROR_INVALID_HANDLE);
    assert_int_equal(prfdata_instance_find(NULL, ID_QUEUES, L"a", NULL, &instance),
                     ERROR_INVALID_HANDLE);
    assert_int_equal(prfdata_instance_find_id(NULL, ID_QUEUES, 1, NULL, &instance),
                     ERROR_INVALID_HANDLE);
    assert_int_equal(prfdata_resolve(NULL, ID_JOBS, &instance, &handle), ERROR_INVALID_HANDLE);
    assert_int_equal(prfdata_resolve_pair(NULL, ID_JOBS, NULL, &pair), ERROR_INVALID_HANDLE);
    prfdata_increment(handle);
    prfdata_average_add(pair, 1);
    prfdata_begin_all(NULL);
    prfdata_end_all(NULL);
    assert_int_equal(prfdata_dropped(NULL), 0);
    prfdata_close(NULL);
    prfdata_close_and_unmap(NULL);
}

static void fill_folder_with_later_versions(size_t count)
{
    prfdata_region_header header = {0};

    header.magic = PRFDATA_REGION_MAGIC;
    header.major = PRFDATA_REGION_MAJOR + 1;
    for (size_t i = 0; i < count; i++) {
        assert_true(prfdata_test_service_write_file(&service, prfdata_test_region_name(i), &header,
                                                    sizeof header));
    }
}

static void test_publisher_open_is_refused_where_readers_see_1024_regions(void **state)
{
    (void)state;
    fill_folder_with_later_versions(1023);
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 1024);
    assert_counts_privately(open_for(ERROR_NOT_ENOUGH_QUOTA));
    assert_int_equal(file_count(), 1024);
}

/* ---- Capacities ---- */

static void test_publisher_open_with_capacity_makes_a_smaller_region(void **state)
{
    size_t size;
    uint8_t *bytes;
    prfdata_instance instance;
    prfdata_publisher *publisher = open_with(ID_QUEUES, 2);

    (void)state;
    bytes = read_region(&size);
    assert_int_equal(((const uint32_t *)(const void *)(bytes + 128))[0], 2);
    /* The other objects have the map's capacity. It is 8 for CONSUMERS. */
    assert_int_equal(((const uint32_t *)(const void *)(bytes + 128))[4], 8);
    free(bytes);
    counting_add(publisher, ID_QUEUES, L"a", NULL);
    counting_add(publisher, ID_QUEUES, L"b", NULL);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"c", NULL, &instance),
                     ERROR_NOT_ENOUGH_QUOTA);
}

static void test_publisher_open_with_wrong_capacity_gives_no_publisher(void **state)
{
    static const prfdata_capacity wrong[] = {
        {ID_QUEUES, 0}, {ID_QUEUES, 17}, {ID_WORKERS, 1}, {ID_JOBS, 1}, {999, 1}};

    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        prfdata_publisher *publisher = (prfdata_publisher *)&sample;

        assert_int_equal(prfdata_open_with(&sample.map, &wrong[i], 1, &publisher),
                         ERROR_INVALID_PARAMETER);
        assert_null(publisher);
    }
    assert_int_equal(file_count(), 0);
}

static void test_publisher_open_leaves_a_dead_region_that_is_too_small(void **state)
{
    (void)state;
    unmap(open_with(ID_QUEUES, 2));
    open_with(ID_QUEUES, 3);
    assert_int_equal(file_count(), 2); /* the counts of the small region are still in the totals */
    open_with(ID_QUEUES, 2);
    assert_int_equal(file_count(), 2);
}

static void test_publisher_open_takes_a_larger_dead_region(void **state)
{
    (void)state;
    unmap(open_with(ID_QUEUES, 10));
    open_with(ID_QUEUES, 2);
    assert_int_equal(file_count(), 1);
    assert_int_equal(read_header().epoch, 2);
}

/* ---- Taking over ---- */

static void test_publisher_take_over_after_a_kill_shows_nothing_and_keeps_totals(void **state)
{
    prfdata_publisher *publisher;
    prfdata_region_header header;
    prfdata_instance instance;

    (void)state;
    publish_and_die();
    assert_int_equal(read_header().state, PRFDATA_REGION_PUBLISHED);
    publisher = open_for(ERROR_SUCCESS);
    header = read_header();
    assert_int_equal(header.epoch, 2);
    assert_int_equal(header.process_id, prfdata_os_process_id());
    assert_int_equal(header.state, PRFDATA_REGION_PUBLISHED);
    assert_int_equal(header.entered, header.left);
    assert_int_equal(read_slot(0).entered, read_slot(0).left);
    assert_int_equal(get(publisher, ID_BUSY, NULL), 0);
    assert_int_equal(prfdata_instance_find(publisher, ID_QUEUES, L"mail", NULL, &instance),
                     ERROR_NOT_FOUND);
}

static void test_publisher_take_over_names_come_back_with_their_counts(void **state)
{
    prfdata_publisher *publisher;
    prfdata_instance mail, news, other;

    (void)state;
    publish_and_die();
    publisher = open_for(ERROR_SUCCESS);
    other = counting_add(publisher, ID_QUEUES, L"other", NULL);
    mail = counting_add(publisher, ID_QUEUES, L"MAIL", NULL);
    news = counting_add(publisher, ID_QUEUES, L"news", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &other), 0);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 7);
    assert_int_equal(get(publisher, ID_DEPTH, &mail), 0);
    assert_int_equal(get(publisher, ID_JOBS, &news), 11);
}

static void test_publisher_take_over_one_after_the_other_is_one_file(void **state)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;

    (void)state;
    for (int i = 0; i < 5; i++)
        publish_and_die();
    publisher = open_for(ERROR_SUCCESS);
    assert_int_equal(read_header().epoch, 6);
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 5 * 7);
}

static void test_publisher_take_over_not_from_a_living_process(void **state)
{
    prfdata_test_process *child = start_publishing();

    (void)state;
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 2);
    assert_int_equal(prfdata_test_process_wait(child), 0);
    open_for(ERROR_SUCCESS); /* now it takes over the region of the process that has ended */
    assert_int_equal(file_count(), 2);
}

static void test_publisher_several_at_once_are_as_many_files(void **state)
{
    prfdata_publisher *publishers[5];

    (void)state;
    for (size_t round = 0; round < 3; round++) {
        for (size_t i = 0; i < 5; i++) {
            publishers[i] = open_for(ERROR_SUCCESS);
            for (size_t j = 0; j < i; j++)
                assert_ptr_not_equal(publishers[i], publishers[j]);
        }
        assert_int_equal(file_count(), 5);
        for (size_t i = 0; i < 5; i++)
            prfdata_close(publishers[i]);
    }
}

static void test_publisher_two_in_one_process_count_apart(void **state)
{
    prfdata_publisher *one = open_for(ERROR_SUCCESS);
    prfdata_publisher *other = open_for(ERROR_SUCCESS);
    prfdata_instance mail_of_one = counting_add(one, ID_QUEUES, L"mail", NULL);
    prfdata_instance mail_of_other = counting_add(other, ID_QUEUES, L"mail", NULL);

    (void)state;
    bump(one, ID_JOBS, &mail_of_one, 1);
    bump(other, ID_JOBS, &mail_of_other, 2);
    assert_int_equal(get(one, ID_JOBS, &mail_of_one), 1);
    assert_int_equal(get(other, ID_JOBS, &mail_of_other), 2);
}

/* ---- Threads that impersonate ---- */

#ifdef _WIN32
/* The anonymous account can neither write to the folder nor read it. */
static void test_publisher_open_while_impersonating_is_the_processs(void **state)
{
    prfdata_publisher *publisher = NULL;
    prfdata_instance mail;
    uint32_t error;
    BOOL is_anonymous = ImpersonateAnonymousToken(GetCurrentThread());

    (void)state;
    if (!is_anonymous)
        assert_true(ImpersonateSelf(SecurityImpersonation));
    error = prfdata_open(&sample.map, &publisher);
    assert_true(RevertToSelf());
    keep(publisher);
    assert_int_equal(error, ERROR_SUCCESS);
    assert_int_equal(file_count(), 1);
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    bump(publisher, ID_JOBS, &mail, 7);
    unmap(publisher);
    /* This call takes over the region, because the file belongs to this account. */
    publisher = open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 1);
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 7);
}
#endif

/* ---- The time of the last restart is unknown ---- */

#ifdef _WIN32
#define SERVICE_KEY                                                                                \
    L"SYSTEM\\CurrentControlSet\\Services\\"                                                       \
    L"PrfDataTestPublisher"
#define OTHER_ROOT L"Software\\PrfDataTestPublisher"

/* Runs with a registry that has only the service's key, so HARDWARE\DESCRIPTION is missing. */
static void test_publisher_open_boot_cannot_be_asked(void **state)
{
    prfdata_publisher *publisher = NULL;
    HKEY root, from, to;
    uint32_t error;

    (void)state;
    publish_and_die();
    assert_int_equal(RegCreateKeyW(HKEY_CURRENT_USER, OTHER_ROOT, &root), ERROR_SUCCESS);
    assert_int_equal(RegCreateKeyW(root, SERVICE_KEY, &to), ERROR_SUCCESS);
    assert_int_equal(RegOpenKeyExW(HKEY_LOCAL_MACHINE, SERVICE_KEY, 0, KEY_READ, &from),
                     ERROR_SUCCESS);
    assert_int_equal(RegCopyTreeW(from, NULL, to), ERROR_SUCCESS);
    RegCloseKey(from);
    RegCloseKey(to);
    assert_int_equal(RegOverridePredefKey(HKEY_LOCAL_MACHINE, root), ERROR_SUCCESS);
    error = prfdata_open(&sample.map, &publisher);
    keep(publisher);
    assert_int_equal(error, ERROR_NOT_READY);
    assert_counts_privately(publisher);
    assert_int_equal(read_header().epoch, 1);
    unmap(publisher); /* otherwise it would publish as soon as the time is known */
    assert_int_equal(RegOverridePredefKey(HKEY_LOCAL_MACHINE, NULL), ERROR_SUCCESS);
    RegCloseKey(root);
    RegDeleteTreeW(HKEY_CURRENT_USER, OTHER_ROOT);
    open_for(ERROR_SUCCESS);
    assert_int_equal(read_header().epoch, 2);
}
#else
static bool boot_is_secret;

/* Call the system's function, or fail if the test asks for it. */
/* The parameters' names differ from the header's, which are reserved. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int open64(const char *path, int flags, ...)
{
    va_list rest;
    int mode;

    va_start(rest, flags);
    mode = va_arg(rest, int);
    va_end(rest);
    if (boot_is_secret && strstr(path, "/boot_id")) {
        errno = EMFILE;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static void test_publisher_open_boot_cannot_be_asked(void **state)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;

    (void)state;
    publish_and_die();
    boot_is_secret = true;
    publisher = open_for(ERROR_NOT_READY);
    boot_is_secret = false;
    assert_counts_privately(publisher);
    assert_int_equal(read_header().epoch, 1);
    publisher = open_for(ERROR_SUCCESS);
    assert_int_equal(read_header().epoch, 2);
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 7);
}

/* With a certain number of file descriptors, everything can be opened except the file that tells
 * when the system was started. */
static void test_publisher_open_too_few_descriptors_lose_no_counts(void **state)
{
    prfdata_test_process *child;

    (void)state;
    publish_and_die();
    child = start("with-few-descriptors");
    prfdata_test_process_expect(child, "7");
    assert_int_equal(prfdata_test_process_wait(child), 0);
    assert_int_equal(file_count(), 1);
}

static void test_publisher_reopen_with_one_descriptor_keeps_the_region(void **state)
{
    prfdata_test_process *child;

    (void)state;
    child = start("reopen-with-one-descriptor");
    prfdata_test_process_expect(child, "0, the same");
    assert_int_equal(prfdata_test_process_wait(child), 0);
    assert_int_equal(file_count(), 1);
}
#endif

/* ---- Files that cannot simply be taken over ---- */

#define FILE_NAME prfdata_test_region_name(0xaa)

/* Make a used and closed region the only file. Its byte at offset is XORed with change, and growth
 * is added to its size. */
static void plant_region(uint32_t queues, uint64_t offset, uint8_t change, int64_t growth)
{
    prfdata_test_file file;
    uint8_t *bytes, *larger;
    size_t size;
    prfdata_publisher *publisher = open_with(ID_QUEUES, queues);
    prfdata_instance mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);

    bump(publisher, ID_JOBS, &mail, 7);
    unmap(publisher);
    bytes = read_region(&size);
    larger = calloc(1, size + 64);
    assert_non_null(larger);
    memcpy(larger, bytes, size);
    larger[offset] ^= change;
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    assert_true(prfdata_test_service_delete_file(&service, file.name));
    assert_true(prfdata_test_service_write_file(&service, FILE_NAME, larger,
                                                (size_t)((int64_t)size + growth)));
    free(bytes);
    free(larger);
}

/* Expect `count` files; planted_is_there says whether FILE_NAME is one of them. */
static void assert_files(bool planted_is_there, size_t count)
{
    prfdata_test_file files[4];
    bool found = false;

    assert_int_equal(prfdata_test_service_files(&service, files, COUNT(files)), count);
    for (size_t i = 0; i < count; i++)
        found |= strcmp(files[i].name, FILE_NAME) == 0;
    assert_int_equal(found, planted_is_there);
}

static void test_publisher_valid_region_under_any_name_is_taken_over(void **state)
{
    (void)state;
    plant_region(16, 0, 0, 0);
    open_for(ERROR_SUCCESS);
    assert_files(true, 1);
    assert_int_equal(read_header().epoch, 2);
}

/* The file's name has this boot's number, but its header has another one. The file is not ours, so
 * it must not be formatted. */
static void test_publisher_header_of_another_boot_is_left_alone(void **state)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;

    (void)state;
    plant_region(16, 24, 1, 0);
    publisher = open_for(ERROR_SUCCESS);
    assert_files(true, 2);
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 0);
}

static void plant_files_of_another_boot(uint64_t boot, unsigned count)
{
    prfdata_os_name name;

    for (unsigned i = 0; i < count; i++) {
        prfdata_os_name_make(&name, boot, i);
        assert_true(prfdata_test_service_write_file(&service, name.text, "old", 3));
    }
}

/* Files from other boots are deleted, even if the other boot seems to be later, as it does after
 * the clock was set back. */
static void test_publisher_files_of_other_boots_are_deleted(void **state)
{
    (void)state;
    plant_files_of_another_boot(prfdata_os_boot() - 1, 20);
    plant_files_of_another_boot(prfdata_os_boot() + 1, 20);
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 1);
}

static void test_publisher_deletes_64_files_of_other_boots_at_each_open(void **state)
{
    (void)state;
    plant_files_of_another_boot(7, 100);
    prfdata_close(open_for(ERROR_SUCCESS));
    assert_int_equal(file_count(), 36 + 1);
    open_for(ERROR_SUCCESS); /* uses the closed publisher again, and deletes nothing */
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 2);
}

/* More than 1,024 files are from before the last restart. They do not count towards the limit,
 * although one opening deletes only 64 of them. */
static void test_publisher_files_of_other_boots_do_not_count_among_the_1024(void **state)
{
    (void)state;
    plant_files_of_another_boot(7, 1100);
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 1100 - 64 + 1);
}

static void test_publisher_file_of_another_boot_with_an_owner_is_left_alone(void **state)
{
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;
    prfdata_os_directory *folder;
    prfdata_os_name name;

    (void)state;
    prfdata_os_name_make(&name, 7, 1);
    assert_int_equal(prfdata_os_directory_open(SERVICE, &folder), ERROR_SUCCESS);
    assert_int_equal(prfdata_os_region_create(folder, &name, 4096, &region), ERROR_SUCCESS);
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 2);
    prfdata_os_region_delete(folder, &name, &region);
    prfdata_os_directory_close(folder);
}

static void test_publisher_unfinished_region_is_deleted(void **state)
{
    (void)state;
    plant_region(16, 32, PRFDATA_REGION_CLOSED, 0); /* the state becomes 0 */
    open_for(ERROR_SUCCESS);
    assert_files(false, 1);
}

static void test_publisher_region_without_magic_is_deleted(void **state)
{
    (void)state;
    plant_region(16, 0, 1, 0);
    open_for(ERROR_SUCCESS);
    assert_files(false, 1);
}

static void test_publisher_unfinished_region_of_another_map_is_deleted(void **state)
{
    prfdata_region_header header = {0};

    (void)state;
    header.magic = PRFDATA_REGION_MAGIC;
    header.major = PRFDATA_REGION_MAJOR;
    header.map_hash = 1;
    assert_true(prfdata_test_service_write_file(&service, FILE_NAME, &header, sizeof header));
    open_for(ERROR_SUCCESS);
    assert_files(false, 1);
}

/* A region of another version of the map stays, because readers still show its counts. */
static void test_publisher_region_of_another_map_is_left_alone(void **state)
{
    (void)state;
    plant_region(16, 16, 1, 0);
    open_for(ERROR_SUCCESS);
    assert_files(true, 2);
}

static void test_publisher_region_of_wrong_size_is_left_alone(void **state)
{
    (void)state;
    plant_region(16, 0, 0, -64);
    open_for(ERROR_SUCCESS);
    assert_files(true, 2);
}

static void test_publisher_region_with_wrong_slot_count_is_left_alone(void **state)
{
    (void)state;
    plant_region(16, 128, 0x40, 0);
    open_for(ERROR_SUCCESS);
    assert_files(true, 2);
}

static void test_publisher_file_of_any_short_length_is_deleted(void **state)
{
    static const size_t sizes[] = {0, 1, 127, 128, 160};
    static const uint8_t junk[160] = {'P', 'R', 'F', 'R', 1};

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        assert_true(prfdata_test_service_write_file(&service, FILE_NAME, junk, sizes[i]));
        unmap(open_for(ERROR_SUCCESS));
        assert_files(false, 1);
    }
}

static void test_publisher_region_of_a_later_version_is_left_alone(void **state)
{
    (void)state;
    plant_region(16, 4, 3, 0);
    open_for(ERROR_SUCCESS);
    assert_files(true, 2);
}

static void test_publisher_region_with_a_later_feature_is_left_alone(void **state)
{
    (void)state;
    plant_region(16, 8, 1, 0);
    open_for(ERROR_SUCCESS);
    assert_files(true, 2);
}

static void test_publisher_files_with_other_names_are_never_touched(void **state)
{
    static const char *const names[] = {"readme.txt", "0123456789ABCDEF.region",
                                        "0123456789abcdef.region.bak", "0123456789abcde.region",
                                        "00123456789abcdef.region"};

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        assert_true(prfdata_test_service_write_file(&service, names[i], "mine", 4));
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), COUNT(names) + 1);
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t size;
        void *bytes = prfdata_test_service_read_file(&service, names[i], &size);

        assert_non_null(bytes);
        assert_int_equal(size, 4);
        assert_memory_equal(bytes, "mine", 4);
        free(bytes);
    }
}

static void test_publisher_region_of_another_account_is_left_alone(void **state)
{
    (void)state;
#ifdef _WIN32
    skip(); /* needs a second account */
#else
    char path[300];

    if (geteuid() != 0)
        skip();
    plant_region(16, 0, 0, 0);
    prfdata_test_service_path(&service, FILE_NAME, path, sizeof path);
    assert_int_equal(chown(path, 65534, 65534), 0);
    open_for(ERROR_SUCCESS);
    assert_files(true, 2);
    assert_int_equal(chown(path, 0, 0), 0);
#endif
}

/* ---- Closing and opening again ---- */

static void test_publisher_close_hides_the_region_and_refuses_instances(void **state)
{
    prfdata_publisher *publisher = open_for(ERROR_SUCCESS);
    prfdata_instance mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    prfdata_instance instance;
    prfdata_handle handle;

    (void)state;
    prfdata_close(publisher);
    assert_int_equal(read_header().state, PRFDATA_REGION_CLOSED);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"a", NULL, &instance),
                     ERROR_INVALID_HANDLE);
    assert_int_equal(prfdata_instance_find(publisher, ID_QUEUES, L"mail", NULL, &instance),
                     ERROR_INVALID_HANDLE);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_NOT_FOUND);
    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, &mail, &handle), ERROR_INVALID_HANDLE);
    assert_null(handle.cell);
    assert_int_equal(prfdata_resolve(publisher, ID_BUSY, NULL, &handle), ERROR_INVALID_HANDLE);
    assert_int_equal(read_header().state, PRFDATA_REGION_CLOSED);
}

static void test_publisher_close_keeps_the_file_owned(void **state)
{
    (void)state;
    prfdata_close(open_for(ERROR_SUCCESS));
    prfdata_test_process_kill(start_publishing());
    assert_int_equal(file_count(), 2);
}

static void test_publisher_open_again_uses_the_same_file_and_publisher(void **state)
{
    prfdata_publisher *first = open_for(ERROR_SUCCESS);
    prfdata_instance mail = counting_add(first, ID_QUEUES, L"mail", NULL);

    (void)state;
    bump(first, ID_JOBS, &mail, 7);
    bump(first, ID_DEPTH, &mail, 5);
    bump(first, ID_BUSY, NULL, 3);
    prfdata_close(first);
    assert_ptr_equal(open_for(ERROR_SUCCESS), first);
    assert_int_equal(file_count(), 1);
    assert_int_equal(read_header().epoch, 2);
    assert_int_equal(get(first, ID_BUSY, NULL), 0);
    mail = counting_add(first, ID_QUEUES, L"mail", NULL);
    assert_int_equal(get(first, ID_JOBS, &mail), 7);
    assert_int_equal(get(first, ID_DEPTH, &mail), 0);
}

static void test_publisher_old_instances_and_handles_are_harmless(void **state)
{
    prfdata_publisher *publisher = open_for(ERROR_SUCCESS);
    prfdata_instance mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    prfdata_instance again;
    prfdata_handle jobs, handle;

    (void)state;
    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, &mail, &jobs), ERROR_SUCCESS);
    prfdata_close(publisher);
    prfdata_increment(jobs);
    prfdata_begin(&mail);
    prfdata_end(&mail);
    open_for(ERROR_SUCCESS);
    prfdata_increment(jobs);
    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, &mail, &handle), ERROR_NOT_FOUND);
    again = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_NOT_FOUND);
    assert_int_equal(get(publisher, ID_JOBS, &again), 2);
}

static void test_publisher_bumps_after_close_do_what_the_header_says(void **state)
{
    prfdata_publisher *publisher = open_for(ERROR_SUCCESS);
    prfdata_instance mail = counting_add(publisher, ID_QUEUES, L"mail", NULL),
                     news = counting_add(publisher, ID_QUEUES, L"news", NULL), other;
    prfdata_handle depth, jobs, news_jobs;

    (void)state;
    assert_int_equal(prfdata_resolve(publisher, ID_DEPTH, &mail, &depth), ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, &mail, &jobs), ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, &news, &news_jobs), ERROR_SUCCESS);
    prfdata_set(depth, 3);
    prfdata_close(publisher);
    prfdata_increment(jobs);  /* counts */
    prfdata_increment(depth); /* the next open forgets this count */
    open_for(ERROR_SUCCESS);
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 1);
    assert_int_equal(get(publisher, ID_DEPTH, &mail), 0);
    /* The old handle counts in the new gauge, which began with 0. */
    prfdata_decrement(depth);
    assert_int_equal(get(publisher, ID_DEPTH, &mail), -1);
    prfdata_set(depth, 0);
    assert_int_equal(get(publisher, ID_DEPTH, &mail), 0);
    /* No instance has the name "news" now, so this count is only in totals. An instance that gets
     * this name again has the count, too. */
    prfdata_increment(news_jobs);
    other = counting_add(publisher, ID_QUEUES, L"other", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &other), 0);
    news = counting_add(publisher, ID_QUEUES, L"news", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &news), 1);
}

static void test_publisher_brackets_across_close_and_open_stay_even(void **state)
{
    prfdata_publisher *publisher = open_for(ERROR_SUCCESS);
    prfdata_instance mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);

    (void)state;
    prfdata_begin(&mail);
    prfdata_begin_all(publisher);
    prfdata_close(publisher);
    open_for(ERROR_SUCCESS);
    prfdata_end_all(publisher);
    prfdata_end(&mail);
    assert_int_equal(read_header().entered, read_header().left);
    assert_int_equal(read_slot(0).entered, read_slot(0).left);
}

static void test_publisher_ages_of_removed_names_go_on_behind_a_take_over(void **state)
{
    prfdata_publisher *publisher = open_with(ID_QUEUES, 2);
    prfdata_instance first = counting_add(publisher, ID_QUEUES, L"first", NULL);
    prfdata_instance second = counting_add(publisher, ID_QUEUES, L"second", NULL);

    (void)state;
    bump(publisher, ID_JOBS, &second, 7);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(prfdata_instance_remove(&first), ERROR_SUCCESS);
        first = counting_add(publisher, ID_QUEUES, L"first", NULL);
    }
    assert_int_equal(prfdata_instance_remove(&first), ERROR_SUCCESS);
    prfdata_close(publisher); /* the second instance becomes dormant after the first */
    assert_ptr_equal(open_with(ID_QUEUES, 2), publisher);
    counting_add(publisher, ID_QUEUES, L"third", NULL);
    second = counting_add(publisher, ID_QUEUES, L"second", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &second), 7);
}

static void test_publisher_private_memory_is_used_again_too(void **state)
{
    prfdata_publisher *first;
    prfdata_instance mail;

    (void)state;
    prfdata_test_service_set_number(&service, "Publish", 0);
    first = open_for(ERROR_SERVICE_DISABLED);
    mail = counting_add(first, ID_QUEUES, L"mail", NULL);
    bump(first, ID_JOBS, &mail, 7);
    prfdata_close(first);
    assert_ptr_equal(open_for(ERROR_SERVICE_DISABLED), first);
    mail = counting_add(first, ID_QUEUES, L"mail", NULL);
    assert_int_equal(get(first, ID_JOBS, &mail), 7);
    prfdata_close(first);
    prfdata_test_service_set_number(&service, "Publish", 1);
    assert_ptr_equal(open_for(ERROR_SUCCESS), first); /* now the publisher has a region */
    assert_int_equal(file_count(), 1);
    mail = counting_add(first, ID_QUEUES, L"mail", NULL);
    assert_int_equal(get(first, ID_JOBS, &mail), 7);
}

static void test_publisher_switched_off_between_hides_what_was_published(void **state)
{
    prfdata_publisher *published = open_for(ERROR_SUCCESS);

    (void)state;
    prfdata_close(published);
    prfdata_test_service_set_number(&service, "Publish", 0);
    assert_ptr_not_equal(open_for(ERROR_SERVICE_DISABLED), published);
    assert_int_equal(read_header().state, PRFDATA_REGION_CLOSED);
}

static void test_publisher_parked_one_that_is_too_small_is_not_used(void **state)
{
    prfdata_publisher *tight = open_with(ID_QUEUES, 2);

    (void)state;
    prfdata_close(tight);
    assert_ptr_not_equal(open_for(ERROR_SUCCESS), tight);
    assert_ptr_equal(open_with(ID_QUEUES, 1), tight);
}

/* The service is installed again in another folder. The closed publisher still has its file in the
 * old folder, where no reader looks. */
static void test_publisher_closed_before_a_new_installation_is_not_used(void **state)
{
    prfdata_test_service elsewhere;
    prfdata_publisher *old = open_for(ERROR_SUCCESS);
    prfdata_instance mail = counting_add(old, ID_QUEUES, L"mail", NULL);
    prfdata_handle jobs;

    (void)state;
    assert_int_equal(prfdata_resolve(old, ID_JOBS, &mail, &jobs), ERROR_SUCCESS);
    prfdata_close(old);
    prfdata_test_service_make(&elsewhere, SERVICE "Elsewhere", NULL, 0);
    prfdata_test_service_set_text(&service, "Regions", elsewhere.folder);
    assert_ptr_not_equal(open_for(ERROR_SUCCESS), old);
    assert_int_equal(prfdata_test_service_files(&elsewhere, NULL, 0), 1);
    assert_int_equal(file_count(), 1);
    prfdata_increment(jobs);
    prfdata_begin(&mail);
    prfdata_end(&mail);
    for (size_t i = 0; i < COUNT(opened); i++) {
        prfdata_close_and_unmap(opened[i]);
        opened[i] = NULL;
    }
    prfdata_test_service_remove(&elsewhere);
}

static void test_publisher_whose_file_was_deleted_is_not_used(void **state)
{
    prfdata_publisher *old = open_for(ERROR_SUCCESS);
    prfdata_test_file file;

    (void)state;
    prfdata_close(old);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    if (!prfdata_test_service_delete_file(&service, file.name))
        skip(); /* Windows does not delete a file that has an owner */
    assert_ptr_not_equal(open_for(ERROR_SUCCESS), old);
    assert_int_equal(file_count(), 1);
    assert_int_equal(read_header().epoch, 1);
}

static void test_publisher_close_and_unmap_gives_the_file_up(void **state)
{
    prfdata_publisher *publisher = open_for(ERROR_SUCCESS);
    prfdata_instance mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    prfdata_test_process *child;

    (void)state;
    bump(publisher, ID_JOBS, &mail, 1);
    unmap(publisher);
    assert_int_equal(read_header().state, PRFDATA_REGION_CLOSED);
    child = start_publishing();
    assert_int_equal(file_count(), 1);
    assert_int_equal(read_header().epoch, 2);
    assert_int_equal(prfdata_test_process_wait(child), 0);
    publisher = open_for(ERROR_SUCCESS);
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 8);
}

static void test_publisher_close_and_unmap_leaves_the_others(void **state)
{
    prfdata_publisher *publishers[3];

    (void)state;
    for (size_t i = 0; i < 3; i++)
        publishers[i] = open_for(ERROR_SUCCESS);
    unmap(publishers[1]);
    prfdata_close(publishers[2]);
    assert_ptr_equal(open_for(ERROR_SUCCESS), publishers[2]);
    prfdata_close(publishers[0]);
    assert_ptr_equal(open_for(ERROR_SUCCESS), publishers[0]);
}

static void test_publisher_close_and_unmap_of_a_closed_one(void **state)
{
    prfdata_publisher *publisher = open_for(ERROR_SUCCESS);

    (void)state;
    prfdata_close(publisher);
    unmap(publisher);
    open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 1);
    assert_int_equal(read_header().epoch, 2);
}

/* ---- Instances per process ---- */

static int install_per_process(void **state)
{
    (void)state;
    memset(opened, 0, sizeof opened);
    init_map();
    sample.entries[QUEUES_TOTAL].option = PRFDATA_OPTION_PER_PROCESS;
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    return 0;
}

/* Return the sum of the jobs in the first `slots` slots of the only file. */
static uint64_t sum_of_file(uint32_t slots)
{
    prfdata_model *model;
    prfdata_region_layout *layout;
    size_t size;
    uint8_t *bytes = read_region(&size);
    uint64_t sum = 0;

    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(model, NULL, &layout), ERROR_SUCCESS);
    assert_int_equal(size, layout->total_bytes);
    for (uint32_t i = 0; i < slots; i++)
        sum += prfdata_region_cells_at(bytes, &layout->sections[0], i)[JOBS_CELL / 8];
    free(layout);
    prfdata_model_free(model);
    free(bytes);
    return sum;
}

/* The process that takes over the region has, by chance, the process id of the ended process. Here
 * this process plays both processes. */
static void test_publisher_per_process_name_of_an_ended_process_does_not_come_back(void **state)
{
    prfdata_publisher *publisher = open_for(ERROR_SUCCESS);
    prfdata_instance mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    prfdata_instance news = counting_add(publisher, ID_QUEUES, L"news", NULL);

    (void)state;
    bump(publisher, ID_JOBS, &mail, 7);
    bump(publisher, ID_JOBS, &news, 11);
    assert_int_equal(prfdata_instance_remove(&news), ERROR_SUCCESS);
    unmap(publisher);
    publisher = open_for(ERROR_SUCCESS);
    assert_int_equal(file_count(), 1);
    assert_int_equal(PRFDATA_SLOT_STATE(read_slot(0).tag), PRFDATA_SLOT_FREE);
    assert_int_equal(PRFDATA_SLOT_STATE(read_slot(1).tag), PRFDATA_SLOT_FREE);
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    news = counting_add(publisher, ID_QUEUES, L"news", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 0);
    assert_int_equal(get(publisher, ID_JOBS, &news), 0);
    assert_int_equal(sum_of_file(2), 7 + 11); /* totals continue */
}

static void test_publisher_per_process_name_comes_back_in_its_process(void **state)
{
    prfdata_publisher *publisher = open_for(ERROR_SUCCESS);
    prfdata_instance mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);

    (void)state;
    bump(publisher, ID_JOBS, &mail, 7);
    prfdata_close(publisher);
    publisher = open_for(ERROR_SUCCESS);
    mail = counting_add(publisher, ID_QUEUES, L"mail", NULL);
    assert_int_equal(get(publisher, ID_JOBS, &mail), 7);
}

/* ---- Dropped instances ---- */

static void test_publisher_dropped_counts_what_did_not_fit(void **state)
{
    prfdata_publisher *publisher = open_with(ID_QUEUES, 1);
    prfdata_instance instance;

    (void)state;
    assert_int_equal(prfdata_dropped(publisher), 0);
    counting_add(publisher, ID_QUEUES, L"a", NULL);
    for (uint64_t i = 1; i <= 3; i++) {
        assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"b", NULL, &instance),
                         ERROR_NOT_ENOUGH_QUOTA);
        assert_int_equal(prfdata_dropped(publisher), i);
        assert_int_equal(read_header().dropped, i);
    }
}

/* The number in the file only grows, because readers show it. prfdata_dropped() returns only the
 * number that this program has dropped. */
static void test_publisher_dropped_is_that_of_its_program(void **state)
{
    prfdata_publisher *publisher = open_with(ID_QUEUES, 1);
    prfdata_instance instance;

    (void)state;
    counting_add(publisher, ID_QUEUES, L"a", NULL);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"b", NULL, &instance),
                     ERROR_NOT_ENOUGH_QUOTA);
    prfdata_close(publisher);
    publisher = open_with(ID_QUEUES, 1); /* belongs to the same program */
    assert_int_equal(prfdata_dropped(publisher), 1);
    forget(publisher);
    /* Unmap, as if the program had ended, so that the next publisher takes over the file. */
    prfdata_close_and_unmap(publisher);
    publisher = open_with(ID_QUEUES, 1);
    assert_int_equal(read_header().dropped, 1);
    assert_int_equal(prfdata_dropped(publisher), 0);
    counting_add(publisher, ID_QUEUES, L"a", NULL);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"b", NULL, &instance),
                     ERROR_NOT_ENOUGH_QUOTA);
    assert_int_equal(prfdata_dropped(publisher), 1);
    assert_int_equal(read_header().dropped, 2);
}

/* ---- Threads ---- */

enum { THREADS = 4, ROUNDS = 100 };

static void open_bump_close(void *context)
{
    (void)context;
    for (int i = 0; i < ROUNDS; i++) {
        prfdata_publisher *publisher;
        prfdata_instance mail;
        prfdata_handle jobs;

        prfdata_open(&sample.map, &publisher);
        prfdata_instance_add(publisher, ID_QUEUES, L"mail", NULL, &mail);
        prfdata_resolve(publisher, ID_JOBS, &mail, &jobs);
        prfdata_increment(jobs);
        if (i % 2 == 0)
            prfdata_close_and_unmap(publisher);
        else
            prfdata_close(publisher);
    }
}

/* Return the sum of the jobs in all files. */
static uint64_t sum_of_jobs(void)
{
    prfdata_test_file files[2 * THREADS];
    size_t count = prfdata_test_service_files(&service, files, COUNT(files));
    prfdata_model *model;
    prfdata_region_layout *layout;
    uint64_t sum = 0;

    assert_in_range(count, 1, THREADS);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(model, NULL, &layout), ERROR_SUCCESS);
    for (size_t i = 0; i < count; i++) {
        size_t size;
        uint8_t *bytes = prfdata_test_service_read_file(&service, files[i].name, &size);

        assert_non_null(bytes);
        assert_int_equal(size, layout->total_bytes);
        for (uint32_t j = 0; j < 16; j++)
            sum += prfdata_region_cells_at(bytes, &layout->sections[0], j)[JOBS_CELL / 8];
        free(bytes);
    }
    free(layout);
    prfdata_model_free(model);
    return sum;
}

static void test_publisher_threads_that_open_and_unmap_lose_no_count(void **state)
{
    (void)state;
    prfdata_test_threads_run(THREADS, open_bump_close, NULL);
    assert_int_equal(sum_of_jobs(), THREADS * ROUNDS);
    /* Let uninstall() unmap the closed publishers, so that it can delete their files. */
    for (size_t i = 0; i < THREADS; i++)
        open_for(ERROR_SUCCESS);
}

#define TEST(name)             cmocka_unit_test_setup_teardown(name, install, uninstall)
#define PER_PROCESS_TEST(name) cmocka_unit_test_setup_teardown(name, install_per_process, uninstall)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_publisher_open_publishes_one_region),
#ifndef _WIN32
        TEST(test_publisher_that_a_forked_child_closes_stays_the_parents),
#endif
        TEST(test_publisher_open_not_installed),
        TEST(test_publisher_open_without_map_value_is_not_installed),
        TEST(test_publisher_open_without_regions_value_is_not_installed),
        TEST(test_publisher_open_folder_is_gone),
        TEST(test_publisher_open_folder_is_no_absolute_path),
        TEST(test_publisher_open_folder_is_a_file),
        TEST(test_publisher_open_folder_is_a_link),
        TEST(test_publisher_open_switched_off),
        TEST(test_publisher_open_switched_on),
        TEST(test_publisher_open_another_version_of_the_map_is_installed),
        TEST(test_publisher_open_earlier_version_of_the_map_publishes),
        TEST(test_publisher_open_renamed_and_resized_map_publishes),
        TEST(test_publisher_open_installed_map_is_damaged),
        TEST(test_publisher_open_another_help_text_is_the_same_map),
        TEST(test_publisher_open_no_rights),
        TEST(test_publisher_open_disk_is_full),
        TEST(test_publisher_open_wrong_map_gives_no_publisher),
        TEST(test_publisher_null_is_accepted_everywhere),
        TEST(test_publisher_open_is_refused_where_readers_see_1024_regions),
        TEST(test_publisher_open_with_capacity_makes_a_smaller_region),
        TEST(test_publisher_open_with_wrong_capacity_gives_no_publisher),
        TEST(test_publisher_open_leaves_a_dead_region_that_is_too_small),
        TEST(test_publisher_open_takes_a_larger_dead_region),
        TEST(test_publisher_take_over_after_a_kill_shows_nothing_and_keeps_totals),
        TEST(test_publisher_take_over_names_come_back_with_their_counts),
        TEST(test_publisher_take_over_one_after_the_other_is_one_file),
        TEST(test_publisher_take_over_not_from_a_living_process),
        TEST(test_publisher_several_at_once_are_as_many_files),
        TEST(test_publisher_two_in_one_process_count_apart),
#ifdef _WIN32
        TEST(test_publisher_open_while_impersonating_is_the_processs),
        TEST(test_publisher_open_boot_cannot_be_asked),
#endif
#ifndef _WIN32
        TEST(test_publisher_open_boot_cannot_be_asked),
        TEST(test_publisher_open_too_few_descriptors_lose_no_counts),
        TEST(test_publisher_reopen_with_one_descriptor_keeps_the_region),
#endif
        TEST(test_publisher_valid_region_under_any_name_is_taken_over),
        TEST(test_publisher_header_of_another_boot_is_left_alone),
        TEST(test_publisher_files_of_other_boots_are_deleted),
        TEST(test_publisher_deletes_64_files_of_other_boots_at_each_open),
        TEST(test_publisher_files_of_other_boots_do_not_count_among_the_1024),
        TEST(test_publisher_file_of_another_boot_with_an_owner_is_left_alone),
        TEST(test_publisher_unfinished_region_is_deleted),
        TEST(test_publisher_region_without_magic_is_deleted),
        TEST(test_publisher_unfinished_region_of_another_map_is_deleted),
        TEST(test_publisher_region_of_another_map_is_left_alone),
        TEST(test_publisher_region_of_wrong_size_is_left_alone),
        TEST(test_publisher_region_with_wrong_slot_count_is_left_alone),
        TEST(test_publisher_file_of_any_short_length_is_deleted),
        TEST(test_publisher_region_of_a_later_version_is_left_alone),
        TEST(test_publisher_region_with_a_later_feature_is_left_alone),
        TEST(test_publisher_files_with_other_names_are_never_touched),
        TEST(test_publisher_region_of_another_account_is_left_alone),
        TEST(test_publisher_close_hides_the_region_and_refuses_instances),
        TEST(test_publisher_close_keeps_the_file_owned),
        TEST(test_publisher_open_again_uses_the_same_file_and_publisher),
        TEST(test_publisher_old_instances_and_handles_are_harmless),
        TEST(test_publisher_bumps_after_close_do_what_the_header_says),
        TEST(test_publisher_brackets_across_close_and_open_stay_even),
        TEST(test_publisher_ages_of_removed_names_go_on_behind_a_take_over),
        TEST(test_publisher_private_memory_is_used_again_too),
        TEST(test_publisher_switched_off_between_hides_what_was_published),
        TEST(test_publisher_parked_one_that_is_too_small_is_not_used),
        TEST(test_publisher_closed_before_a_new_installation_is_not_used),
        TEST(test_publisher_whose_file_was_deleted_is_not_used),
        TEST(test_publisher_close_and_unmap_gives_the_file_up),
        TEST(test_publisher_close_and_unmap_leaves_the_others),
        TEST(test_publisher_close_and_unmap_of_a_closed_one),
        PER_PROCESS_TEST(test_publisher_per_process_name_of_an_ended_process_does_not_come_back),
        PER_PROCESS_TEST(test_publisher_per_process_name_comes_back_in_its_process),
        TEST(test_publisher_dropped_counts_what_did_not_fit),
        TEST(test_publisher_dropped_is_that_of_its_program),
        TEST(test_publisher_threads_that_open_and_unmap_lose_no_count),
    };

    if (argc > 1)
        return child_main(argv[1]);
    return cmocka_run_group_tests_name("publisher", tests, NULL, NULL);
}
