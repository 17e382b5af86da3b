/* SPDX-License-Identifier: MIT */
/* Tests the set of attached regions: regions that appear and disappear are noticed, regions that
 * are refused are not shown as zero, and any number of threads and processes may use the set. */
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
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <prfdata/atomic.h>
#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "regions/folder_check.h"
#include "regions/refresh.h"
#include "support/process.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/one_version.h"
#include "support/provider/provided_sample.h"
#include "support/provider/region_opening.h"
#include "support/provider/torn_copies.h"
#include "support/threads.h"

#define SERVICE "PrfDataTestRegions"

enum { FIRST_COUNTER = 9100, QUEUE_TITLE = 9100, WORKER_TITLE = 9108, CONSUMER_TITLE = 9112 };
enum { DEPTH_AT, JOBS_AT, JOB_TIME_AT, BUSY_AT = 0 };
enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID, JOB_TIME_ID, BUSY_ID = 201, CONSUMER_ID = 300, TAKEN_ID };

const provided_sample_service provided_sample_is = {SERVICE, FIRST_COUNTER};

static void init_map(void)
{
    sample_map_init_as(&sample, SERVICE);
}

/* The regions of a provider without the other parts of a provider. */
static prfdata_regions regions;
static prfdata_events events;
static prfdata_health health;
static prfdata_model *model;

/* The newest set, and the others that a test still uses. */
static struct held_set {
    prfdata_region_set *set;
    int users;
} held[8];
static struct held_set *newest;

static void give_up(struct held_set *one)
{
    if (one && --one->users == 0) {
        prfdata_regions_release(&regions, one->set);
        one->set = NULL;
    }
}

/* Makes the next set from the newest one, as a refresh does. */
static prfdata_region_set *take_set(void)
{
    struct held_set *made = held;

    while (made->users > 0)
        made++;
    assert_true(made < held + sizeof held / sizeof held[0]);
    made->set = prfdata_folder_check(&regions, one_version(model), newest ? newest->set : NULL);
    assert_non_null(made->set);
    prfdata_regions_hold(&regions, made->set);
    made->users = 2;
    give_up(newest);
    newest = made;
    return made->set;
}

static void give_set(const prfdata_region_set *set)
{
    struct held_set *one = held;

    while (one->set != set)
        one++;
    give_up(one);
}

static int begin_looking(void **state)
{
    provided_sample_begin(state);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    prfdata_regions_init(&regions, SERVICE, &events, &health);
    return 0;
}

static int end_looking(void **state)
{
    give_up(newest);
    newest = NULL;
    prfdata_model_free(model);
    return provided_end(state);
}

/* Takes a snapshot of the first region; `is_last_attempt` is as in member.h. */
static prfdata_result take_snapshot(const prfdata_region_set *set, bool is_last_attempt,
                                    prfdata_snapshot **snapshot)
{
    const bool wanted[PRFDATA_MAX_OBJECTS] = {true, true, true};
    prfdata_snapshot_reading reading = prfdata_snapshot_new_reading();

    return prfdata_member_snapshot(&set->members[0], NULL, wanted, is_last_attempt, &reading,
                                   snapshot);
}

static prfdata_publisher *publish(int64_t jobs)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;
    prfdata_handle handle;

    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    prfdata_resolve(publisher, JOBS_ID, &mail, &handle);
    prfdata_add(handle, jobs);
    prfdata_resolve(publisher, BUSY_ID, NULL, &handle);
    prfdata_add(handle, 1);
    return publisher;
}

static void find_only_region(prfdata_test_file *file)
{
    assert_int_equal(prfdata_test_service_files(&service, file, 1), 1);
}

/* Copies the only region to a second file, whose name sorts first. */
static void copy_only_region(void)
{
    prfdata_test_file file;

    find_only_region(&file);
    assert_true(prfdata_test_service_copy_file(&service, file.name, prfdata_test_region_name(1)));
}

static uint64_t total_jobs(prfdata_provider *whom)
{
    return collected_value_now(whom, "Global", QUEUE_TITLE, "", "_Total", JOBS_AT);
}

static uint64_t broken_regions(void)
{
    return prfdata_provider_number(provider, PRFDATA_HEALTH_BROKEN);
}

/* ---- Regions that appear and disappear ---- */

static void test_regions_that_appear_are_noticed(void **state)
{
    prfdata_publisher *a, *b;

    (void)state;
    assert_int_equal(total_jobs(provider), 0);
    a = publish(5);
    assert_int_equal(total_jobs(provider), 5);
    b = publish(7);
    assert_int_equal(total_jobs(provider), 12);
    prfdata_close_and_unmap(a);
    prfdata_close_and_unmap(b);
}

/* Windows keeps a file as long as any process has a view of it. */
#ifndef _WIN32
static void test_regions_that_disappear_are_noticed(void **state)
{
    (void)state;
    prfdata_close_and_unmap(publish(5));
    assert_int_equal(total_jobs(provider), 5);
    copy_only_region();
    assert_int_equal(total_jobs(provider), 10);
    assert_true(prfdata_test_service_delete_file(&service, prfdata_test_region_name(1)));
    assert_int_equal(total_jobs(provider), 10); /* in this reader no sum falls */
    prfdata_provider_close(provider);
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    assert_int_equal(total_jobs(provider), 5);
}
#endif

static void test_regions_are_not_looked_for_before_the_time_has_come(void **state)
{
    prfdata_publisher *a;

    (void)state;
    prfdata_provider_set_refresh(provider, UINT32_MAX);
    a = publish(5);
    assert_int_equal(total_jobs(provider), 0);
    prfdata_provider_set_refresh(provider, 0);
    assert_int_equal(total_jobs(provider), 5);
    prfdata_close_and_unmap(a);
}

static void test_regions_of_other_names_sizes_and_maps_are_ignored(void **state)
{
    static const char *const names[] = {"0123456789abcdef.region", "notes.txt",
                                        /* from before the last restart, whatever the header says */
                                        "0123456789abcdef-0123456789abcdef.region",
                                        "0000000000000000-0123456789abcdef.region"};
    prfdata_test_file file;
    unsigned char *bytes;
    size_t size;

    (void)state;
    prfdata_close_and_unmap(publish(5));
    find_only_region(&file);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_true(prfdata_test_service_copy_file(&service, file.name, names[i]));
    bytes = prfdata_test_service_read_file(&service, file.name, &size);
    assert_non_null(bytes);
    bytes = realloc(bytes, size + 64);
    assert_non_null(bytes);
    memset(bytes + size, 0, 64);
    assert_true(
        prfdata_test_service_write_file(&service, prfdata_test_region_name(1), bytes, size + 64));
    assert_true(
        prfdata_test_service_write_file(&service, prfdata_test_region_name(2), bytes, size - 64));
    assert_true(prfdata_test_service_write_file(&service, prfdata_test_region_name(3), bytes, 64));
    assert_true(prfdata_test_service_write_file(&service, prfdata_test_region_name(4), bytes, 0));
    bytes[16] ^= 1; /* map_hash */
    assert_true(
        prfdata_test_service_write_file(&service, prfdata_test_region_name(5), bytes, size));
    bytes[16] ^= 1;
    bytes[24] ^= 1; /* boot */
    assert_true(
        prfdata_test_service_write_file(&service, prfdata_test_region_name(6), bytes, size));
    bytes[24] ^= 1;
    assert_int_equal(total_jobs(provider), 5);
    assert_true(
        prfdata_test_service_write_file(&service, prfdata_test_region_name(7), bytes, size));
    assert_int_equal(total_jobs(provider), 10);
    free(bytes);
}

static void test_regions_that_are_taken_over_go_on(void **state)
{
    prfdata_publisher *a;
    collected taken;

    (void)state;
    for (uint64_t i = 1; i <= 3; i++) {
        a = publish(5);
        collected_take(&taken, provider, "9100 9108");
        assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", JOBS_AT), 5 * i);
        assert_int_equal(collected_value(&taken, WORKER_TITLE, NULL, NULL, BUSY_AT), 1);
        collected_free(&taken);
        prfdata_close_and_unmap(a);
        assert_int_equal(total_jobs(provider), 5 * i);
    }
    assert_int_equal(prfdata_test_service_files(&service, NULL, 0), 1);
    assert_int_equal(broken_regions(), 0);
}

/* ---- Regions that cannot be opened ---- */

#ifdef _WIN32
static HANDLE refusing;

/* Opens the file without sharing, as some programs do. */
static bool refuse(const char *name)
{
    char path[520];

    prfdata_test_service_path(&service, name, path, sizeof(path));
    refusing = CreateFileA(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
    return refusing != INVALID_HANDLE_VALUE;
}

static void refuse_no_more(const char *name)
{
    (void)name;
    CloseHandle(refusing);
}
#else
/* Removes all rights to the file. Root could still read it, so root switches to another account. */
static bool refuse(const char *name)
{
    char path[520];

    prfdata_test_service_path(&service, name, path, sizeof(path));
    if (chmod(path, 0) != 0)
        return false;
    if (geteuid() != 0)
        return true;
    if (chmod(getenv("PRFDATA_TEST_ROOT"), 0755) != 0)
        return false;
    return seteuid(65534) == 0;
}

static void refuse_no_more(const char *name)
{
    char path[520];

    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    prfdata_test_service_path(&service, name, path, sizeof(path));
    assert_int_equal(chmod(path, 0644), 0);
}
#endif

static void test_regions_that_all_are_refused_leave_no_zeros(void **state)
{
    prfdata_test_file file;
    prfdata_provider *other;
    collected taken;

    (void)state;
    prfdata_close_and_unmap(publish(5));
    find_only_region(&file);
    assert_true(refuse(file.name));
    other = provided_open();
    collected_take(&taken, other, "9100 9108 9112");
    assert_int_equal(perf_reader_object(&taken.reply, WORKER_TITLE), SIZE_MAX);
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 0);
    assert_int_equal(collected_instances(&taken, CONSUMER_TITLE), 0);
    collected_free(&taken);
    collected_take(&taken, other, "9108");
    assert_int_equal(taken.reply.size, 0);
    collected_free(&taken);
    collected_take(&taken, other, "MetadataCostly");
    assert_int_equal(collected_instances(&taken, WORKER_TITLE), -3);
    collected_free(&taken);
    refuse_no_more(file.name);
    assert_int_equal(total_jobs(other), 5);
    prfdata_provider_close(other);
}

#ifndef _WIN32
static bool boot_is_secret;

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
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* The reader's thread may have the token of a client that cannot find out when Windows started. */
static void test_regions_are_found_by_the_boot_as_soon_as_it_is_told(void **state)
{
    prfdata_publisher *publisher = publish(5);
    prfdata_provider *other;
    collected taken;

    (void)state;
    boot_is_secret = true;
    other = provided_open();
    /* An object of unknown values is left out, and not shown as zero. */
    collected_take(&taken, other, "9108");
    boot_is_secret = false;
    assert_int_equal(taken.reply.size, 0);
    collected_free(&taken);
    assert_int_equal(total_jobs(other), 5);
    prfdata_provider_close(other);
    prfdata_close_and_unmap(publisher);
}

/* These errors are temporary and not caused by the file: too many open files, no memory, a disk
 * error. */
static void test_regions_that_cannot_be_opened_now_leave_no_zeros(void **state)
{
    static const int errors[] = {EMFILE, ENOMEM, EIO};

    (void)state;
    prfdata_close_and_unmap(publish(5));
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        prfdata_provider *other;
        collected taken;

        region_opening_error = errors[i];
        other = provided_open();
        collected_take(&taken, other, "9100 9108");
        region_opening_error = 0;
        assert_int_equal(perf_reader_object(&taken.reply, WORKER_TITLE), SIZE_MAX);
        assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 0);
        collected_free(&taken);
        assert_int_equal(total_jobs(other), 5);
        prfdata_provider_close(other);
    }
}

static void test_regions_that_cannot_be_probed_now_stay_alive(void **state)
{
    prfdata_publisher *publisher = publish(5);
    collected taken;

    (void)state;
    assert_int_equal(total_jobs(provider), 5);
    region_opening_error = EMFILE;
    collected_take(&taken, provider, "Global");
    region_opening_error = 0;
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", JOBS_AT), 5);
    collected_free(&taken);
    prfdata_close_and_unmap(publisher);
}

/* A new writer takes over the region of an ended program. A reader that knows the region cannot ask
 * whether it has a writer. */
static void test_regions_taken_over_that_cannot_be_probed_count_on(void **state)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;
    collected taken;

    (void)state;
    prfdata_close_and_unmap(publish(5));
    assert_int_equal(total_jobs(provider), 5);
    publisher = counting_open(&sample.map); /* takes over the region */
    mail = counting_add(publisher, QUEUE_ID, L"mail", NULL);
    region_opening_error = EMFILE;
    for (uint64_t jobs = 6; jobs < 8; jobs++) {
        counting_count(publisher, JOBS_ID, &mail, 1);
        collected_take(&taken, provider, "Global");
        assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "_Total", JOBS_AT), jobs);
        /* only the total is shown, because nobody knows whether the region has a writer */
        assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 1);
        collected_free(&taken);
    }
    region_opening_error = 0;
    collected_take(&taken, provider, "Global");
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", JOBS_AT), 7);
    collected_free(&taken);
    prfdata_close_and_unmap(publisher);
}
#endif

static void test_regions_that_are_refused_later_stay_attached(void **state)
{
    prfdata_test_file file;

    (void)state;
    prfdata_close_and_unmap(publish(5));
    assert_int_equal(total_jobs(provider), 5);
    find_only_region(&file);
    assert_true(refuse(file.name));
    assert_int_equal(total_jobs(provider), 5);
    refuse_no_more(file.name);
}

/* ---- Regions that cannot be checked ---- */

/* Opens a reader that could not read a file at its start, and takes its first reply. Repeats that
 * if the machine was so slow that the grace period had passed. */
static prfdata_provider *open_while_refused(collected *taken)
{
    for (;;) {
        const uint64_t began_ms = prfdata_os_milliseconds();
        prfdata_provider *opened;

        assert_true(refuse(prfdata_test_region_name(1)));
        assert_int_equal(prfdata_provider_open(SERVICE, &opened), ERROR_SUCCESS);
        refuse_no_more(prfdata_test_region_name(1));
        prfdata_provider_set_refresh(opened, UINT32_MAX); /* no second check follows */
        collected_take(taken, opened, "9100 9108");
        if (prfdata_os_milliseconds() - began_ms < 2900)
            return opened;
        collected_free(taken);
        prfdata_provider_close(opened);
    }
}

/* If a file is refused when a reader begins, the reader shows instances but no sums during the
 * grace period. Then it continues without the file. When it can read the file, sums continue from
 * the values that they had. */
static void test_regions_that_are_refused_hold_sums_up_for_a_while_only(void **state)
{
    prfdata_publisher *alive = publish(7);
    prfdata_provider *other;
    prfdata_handle handle;
    collected taken;

    (void)state;
    copy_only_region();
    other = open_while_refused(&taken);
    assert_true(collected_has(&taken, QUEUE_TITLE, "", "mail"));
    assert_false(collected_has(&taken, QUEUE_TITLE, "", "_Total"));
    assert_int_equal(perf_reader_object(&taken.reply, WORKER_TITLE), SIZE_MAX);
    collected_free(&taken);
    prfdata_provider_set_refresh(other, 0);
    /* During the grace period, no sum was shown without the file, so all its counts are added. */
    assert_int_equal(total_jobs(other), 14);
    prfdata_provider_close(other);

    assert_true(refuse(prfdata_test_region_name(1)));
    other = provided_open(); /* with a refresh of 0 ms it has no grace period */
    assert_int_equal(total_jobs(other), 7);
    refuse_no_more(prfdata_test_region_name(1));
    for (int i = 0; i < 3; i++)
        assert_int_equal(total_jobs(other), 7); /* the 7 jobs of the file stay left out */
    prfdata_resolve(alive, BUSY_ID, NULL, &handle);
    prfdata_add(handle, 1);
    assert_int_equal(total_jobs(other), 7);
    assert_int_equal(total_jobs(provider), 14);
    prfdata_provider_close(other);
    prfdata_close_and_unmap(alive);
}

/* The reader subtracts what the file had counted when it could first be read. Everything counted
 * later is shown. */
static void test_regions_that_could_not_be_looked_at_count_from_then_on(void **state)
{
    prfdata_publisher *alive = publish(7), *taker;
    prfdata_provider *other;
    prfdata_test_file file;

    (void)state;
    copy_only_region();
    assert_true(refuse(prfdata_test_region_name(1)));
    other = provided_open();
    assert_int_equal(total_jobs(other), 7); /* the counts of the other region */
    refuse_no_more(prfdata_test_region_name(1));
    assert_int_equal(total_jobs(other), 7);
    taker = publish(2); /* takes over the copy */
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 2);
    assert_int_equal(total_jobs(other), 9);
    assert_int_equal(total_jobs(provider), 16);
    prfdata_provider_close(other);
    prfdata_close_and_unmap(alive);
    prfdata_close_and_unmap(taker);
}

#ifndef _WIN32 /* Wine searches the whole folder for each new name */
/* If there are too many files, a region may lose its place and get it back several times. It is
 * counted only once. */
static void test_regions_that_are_pushed_out_are_not_counted_twice(void **state)
{
    prfdata_publisher *pushed = publish(5);

    (void)state;
    /* Without plans, each Collect looks for missing contributors. */
    prfdata_provider_set_plans(provider, false);
    assert_int_equal(total_jobs(provider), 5);
    for (unsigned i = 0; i < PRFDATA_MAX_REGIONS; i++)
        assert_true(prfdata_test_service_write_file(&service, prfdata_test_region_name(i), "", 0));
    for (int i = 0; i < 70; i++)
        assert_int_equal(total_jobs(provider), 5);
    for (unsigned i = 0; i < PRFDATA_MAX_REGIONS; i++)
        assert_true(prfdata_test_service_delete_file(&service, prfdata_test_region_name(i)));
    assert_int_equal(total_jobs(provider), 5);
    prfdata_close_and_unmap(pushed);
}
#endif

/* ---- Regions without a writer ---- */

static bool shows_mail(prfdata_provider *whom)
{
    return collected_has_now(whom, "Global", QUEUE_TITLE, "", "mail");
}

/* A program is stopped right after it has opened the file, or during its take-over. */
static void test_regions_of_the_dead_show_no_ghosts_until_a_take_over_is_complete(void **state)
{
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;
    prfdata_os_directory *directory;
    prfdata_region_header *header;
    prfdata_test_file file;
    prfdata_os_name name;

    (void)state;
    prfdata_close_and_unmap(
        publish(5)); /* the region is closed now, and its slot "mail" is still live */
    assert_int_equal(total_jobs(provider), 5);
    assert_false(shows_mail(provider));
    find_only_region(&file);
    strcpy(name.text, file.name);
    assert_int_equal(prfdata_os_directory_open(SERVICE, &directory), ERROR_SUCCESS);
    assert_int_equal(prfdata_os_region_take(directory, &name, &region), ERROR_SUCCESS);
    header = (prfdata_region_header *)(void *)region.bytes;
    header->state = PRFDATA_REGION_PUBLISHED; /* a killed process leaves it like this */
    prfdata_region_slot_at(region.bytes, &(prfdata_region_section){.slots_offset = 192}, 0)->tag =
        PRFDATA_SLOT_TAG(1, PRFDATA_SLOT_LIVE);
    assert_false(shows_mail(provider)); /* the file has an owner, which has not done step W1 */
    header->structure |= 1;
    assert_false(shows_mail(provider)); /* the owner has done W1, but not T1 */
    header->structure++;
    assert_true(shows_mail(provider)); /* the owner has done W2 */
    prfdata_os_region_close(&region);
    assert_false(shows_mail(provider));
    prfdata_os_directory_close(directory);
}

static void test_regions_of_the_dead_are_summarised_once(void **state)
{
    prfdata_snapshot *first, *second;
    prfdata_publisher *publisher;
    prfdata_region_set *set;

    (void)state;
    prfdata_close_and_unmap(publish(5));
    regions.refresh_ms = 0;
    for (int life = 0; life < 2; life++) {
        set = take_set();
        assert_int_equal(take_snapshot(set, false, &first), 0);
        give_set(set);
        set = take_set();
        assert_int_equal(take_snapshot(set, false, &second), 0);
        assert_int_equal(set->members[0].writer, PRFDATA_MAPPING_WRITER_NONE);
        assert_ptr_equal(first, second);
        assert_int_equal(second->objects[0].sums[JOBS_AT], life == 0 ? 5 : 8);
        assert_int_equal(second->objects[0].count, 1);
        prfdata_mapping_release_snapshot(first);
        prfdata_mapping_release_snapshot(second);
        give_set(set);
        assert_true(regions.summaries_bytes > 0);
        publisher = publish(3); /* takes over the region */
        set = take_set();
        assert_int_equal(set->count, 1);
        assert_int_equal(regions.summaries_bytes, 0); /* the summary is freed */
        give_set(set);
        prfdata_close_and_unmap(publisher);
    }
}

static void test_regions_of_the_dead_keep_their_sums_without_room_for_slots(void **state)
{
    prfdata_snapshot *summary;
    prfdata_region_set *set;

    (void)state;
    prfdata_close_and_unmap(publish(5));
    regions.summaries_bytes = PRFDATA_MEMBER_MAX_SUMMARY_BYTES;
    set = take_set();
    assert_int_equal(take_snapshot(set, false, &summary), 0);
    assert_int_equal(summary->objects[0].count, 0);
    assert_int_equal(summary->objects[0].sums[JOBS_AT], 5);
    prfdata_mapping_release_snapshot(summary);
    give_set(set);
}

/* ---- Processes ---- */

static void publish_until_told(void)
{
    prfdata_publisher *publisher = publish(100);
    char line[16];

    prfdata_test_process_say("ready");
    prfdata_test_process_hear(line, sizeof(line));
    prfdata_close_and_unmap(publisher);
}

/* Answers every line with the total and the number of broken regions. The views stay open. */
static void read_until_told(void)
{
    char line[64];

    prfdata_provider_open(SERVICE, &provider);
    prfdata_provider_set_refresh(provider, UINT32_MAX);
    while (prfdata_test_process_hear(line, sizeof(line))) {
        const unsigned long total = (unsigned long)total_jobs(provider);

        snprintf(line, sizeof(line), "%lu, %lu broken", total, (unsigned long)broken_regions());
        prfdata_test_process_say(line);
    }
    prfdata_provider_close(provider);
}

static int child_main(const char *role)
{
    prfdata_test_service_join(&service, SERVICE);
    init_map();
    if (strcmp(role, "publish") == 0)
        publish_until_told();
    else
        read_until_told();
    return 0;
}

/* The file is truncated while a reader has a view of it. Its pages fault, the region is never
 * attached again, and its counts stay. Runs in another process, because cmocka replaces our fault
 * handlers on Linux. */
static void test_regions_that_fault_are_dropped_and_counted(void **state)
{
    const char *arguments[] = {"read", NULL};
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;
    prfdata_os_directory *directory;
    prfdata_test_process *child;
    prfdata_os_name name;

    (void)state;
    prfdata_close_and_unmap(publish(5));
    copy_only_region();
    assert_int_equal(prfdata_os_directory_open(SERVICE, &directory), ERROR_SUCCESS);
    strcpy(name.text, prfdata_test_region_name(1));
    assert_int_equal(prfdata_os_region_take(directory, &name, &region), ERROR_SUCCESS);
    child = prfdata_test_process_start(arguments);
    prfdata_test_process_tell(child, "go");
    prfdata_test_process_expect(child, "10, 0 broken");
    if (prfdata_test_service_truncate_file(&service, prfdata_test_region_name(1), 0)) {
        prfdata_test_process_tell(child, "go");
        prfdata_test_process_expect(child, "10, 1 broken");
        prfdata_test_process_tell(child, "go");
        prfdata_test_process_expect(child, "10, 1 broken");
    } /* If the call fails, this is Windows, which does not truncate a mapped file. */
    assert_int_equal(prfdata_test_process_wait(child), 0);
    prfdata_os_region_close(&region);
    prfdata_os_directory_close(directory);
}

static void test_regions_of_two_processes_merge_and_a_killed_one_leaves_totals(void **state)
{
    const char *arguments[] = {"publish", NULL};
    prfdata_publisher *own = publish(5);
    prfdata_test_process *child = prfdata_test_process_start(arguments);
    collected taken;

    (void)state;
    prfdata_test_process_expect(child, "ready");
    collected_take(&taken, provider, "9100 9108");
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 2);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", JOBS_AT), 105);
    assert_int_equal(collected_value(&taken, WORKER_TITLE, NULL, NULL, BUSY_AT), 2);
    collected_free(&taken);
    prfdata_test_process_kill(child);
    collected_take(&taken, provider, "9100 9108");
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "mail", JOBS_AT), 105);
    assert_int_equal(collected_value(&taken, WORKER_TITLE, NULL, NULL, BUSY_AT), 1);
    collected_free(&taken);
    prfdata_close_and_unmap(own);
    collected_take(&taken, provider, "9100 9108");
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), 1);
    assert_int_equal(collected_value(&taken, QUEUE_TITLE, "", "_Total", JOBS_AT), 105);
    assert_int_equal(collected_value(&taken, WORKER_TITLE, NULL, NULL, BUSY_AT), 0);
    collected_free(&taken);
}

/* ---- Limits ---- */

static uint32_t attached_within(uint32_t how_many)
{
    const uint32_t event = prfdata_events_index(PRFDATA_EVENT_TOO_MANY_REGIONS);
    const wchar_t *detail = events.events[event].detail;
    prfdata_test_file file;
    prfdata_regions bounded;
    prfdata_region_set *set;
    uint32_t count;

    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 3);
    memset(&events, 0, sizeof events);
    prfdata_regions_init(&bounded, SERVICE, &events, &health);
    assert_true(bounded.max_views_bytes >= 256u << 20);
    bounded.max_views_bytes = (how_many + 1) * file.size - 1;
    set = prfdata_folder_check(&bounded, one_version(model), NULL);
    assert_non_null(set);
    prfdata_regions_hold(&bounded, set);
    count = set->count;
    assert_true(set->some_unknown == (count < 3));
    prfdata_regions_release(&bounded, set);
    /* The event names the limit, which an administrator can raise. */
    assert_int_equal(wcscmp(detail, count < 3 ? L"0 MiB of" : L""), 0);
    return count;
}

static void test_regions_that_together_are_too_large_are_left_out(void **state)
{
    prfdata_publisher *own[3] = {publish(1), publish(2), publish(3)};

    (void)state;
    for (uint32_t fit = 0; fit <= 3; fit++)
        assert_int_equal(attached_within(fit), fit);
    for (size_t i = 0; i < 3; i++)
        prfdata_close_and_unmap(own[i]);
}

/* A region that was shown keeps its place, even if a new region's name sorts first. */
static void test_regions_that_are_attached_keep_their_place_before_new_ones(void **state)
{
    prfdata_publisher *own[2] = {publish(1), publish(2)};
    prfdata_region_set *first, *second;
    prfdata_test_file file;

    (void)state;
    regions.refresh_ms = 0;
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 2);
    regions.max_views_bytes = 2 * file.size;
    first = take_set();
    assert_int_equal(first->count, 2);
    assert_true(prfdata_test_service_copy_file(&service, file.name, prfdata_test_region_name(1)));
    assert_true(strcmp(prfdata_test_region_name(1), file.name) < 0);
    second = take_set();
    assert_int_equal(second->count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_ptr_equal(first->members[i].mapping, second->members[i].mapping);
    give_set(first);
    give_set(second);
    for (size_t i = 0; i < 2; i++)
        prfdata_close_and_unmap(own[i]);
}

/* A thread that works with a set always sees the same state of a region, even if another thread
 * finds out something new meanwhile. */
static void test_regions_what_is_known_stays_as_it_was_in_a_set(void **state)
{
    prfdata_publisher *publisher = publish(5);
    prfdata_region_set *lives, *ended, *again;

    (void)state;
    regions.refresh_ms = 0;
    lives = take_set();
    prfdata_close_and_unmap(publisher);
    ended = take_set();
    publisher = publish(1);
    again = take_set();
    assert_int_equal(lives->members[0].writer, PRFDATA_MAPPING_WRITER_LIVES);
    assert_int_equal(ended->members[0].writer, PRFDATA_MAPPING_WRITER_NONE);
    assert_int_equal(again->members[0].writer, PRFDATA_MAPPING_WRITER_LIVES);
    assert_ptr_equal(lives->members[0].mapping, ended->members[0].mapping);
    assert_ptr_equal(lives->members[0].mapping, again->members[0].mapping);
    assert_false(prfdata_regions_same(lives, ended) || prfdata_regions_same(ended, again));
    give_set(lives);
    give_set(ended);
    give_set(again);
    prfdata_close_and_unmap(publisher);
}

/* ---- Other threads that act at certain moments ---- */

#ifndef _WIN32
static struct {
    bool breaks;    /* after each answer, another thread finds the region broken */
    uint64_t freed; /* accessed atomically, because other threads count as well */
    bool moves;     /* the structure word changes before each read of a region */
    uint64_t asked; /* accessed atomically */
    uint32_t read;
    /* How many more times the structure word changes when a region is asked for its writer. */
    uint32_t moves_when_probed;
} meanwhile;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
void __real_prfdata_mapping_free(prfdata_mapping *mapping);
void __wrap_prfdata_mapping_free(prfdata_mapping *mapping);
void __wrap_prfdata_mapping_free(prfdata_mapping *mapping)
{
    prfdata_add64_relaxed(&meanwhile.freed, 1);
    __real_prfdata_mapping_free(mapping);
}

prfdata_mapping_writer __real_prfdata_mapping_ask(prfdata_mapping_look *look,
                                                  prfdata_mapping *mapping, bool was_owned);
prfdata_mapping_writer __wrap_prfdata_mapping_ask(prfdata_mapping_look *look,
                                                  prfdata_mapping *mapping, bool was_owned);
prfdata_mapping_writer __wrap_prfdata_mapping_ask(prfdata_mapping_look *look,
                                                  prfdata_mapping *mapping, bool was_owned)
{
    const prfdata_mapping_writer answer = __real_prfdata_mapping_ask(look, mapping, was_owned);

    prfdata_add64_relaxed(&meanwhile.asked, 1);
    if (meanwhile.breaks)
        prfdata_store32_relaxed(&mapping->is_broken, 1);
    return answer;
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

/* Changes the structure word, like a program that has not locked the file. */
static void move_structure_word_of(const char *name)
{
    const off_t offset = (off_t)offsetof(prfdata_region_header, structure);
    uint64_t structure;
    char path[512];
    int opened;

    prfdata_test_service_path(&service, name, path, sizeof path);
    opened = open(path, O_RDWR);
    assert_int_equal(pread(opened, &structure, sizeof structure, offset), sizeof structure);
    structure += 2;
    assert_int_equal(pwrite(opened, &structure, sizeof structure, offset), sizeof structure);
    close(opened);
}

static void move_structure_word(void)
{
    prfdata_test_file file;

    find_only_region(&file);
    move_structure_word_of(file.name);
}

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint32_t __real_prfdata_os_region_probe(prfdata_os_directory *directory,
                                        const prfdata_os_name *name,
                                        const prfdata_os_region *mapped, bool *alive);
uint32_t __wrap_prfdata_os_region_probe(prfdata_os_directory *directory,
                                        const prfdata_os_name *name,
                                        const prfdata_os_region *mapped, bool *alive);
uint32_t __wrap_prfdata_os_region_probe(prfdata_os_directory *directory,
                                        const prfdata_os_name *name,
                                        const prfdata_os_region *mapped, bool *alive)
{
    if (meanwhile.moves_when_probed > 0) { /* only one thread uses this */
        meanwhile.moves_when_probed--;
        move_structure_word();
    }
    return __real_prfdata_os_region_probe(directory, name, mapped, alive);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

/* Programs start and end while a region is asked for its writer. If this happens three times, the
 * fourth answer is used. If it happens a fourth time, the writer is unknown. */
static void test_regions_that_move_while_they_are_asked_are_asked_four_times(void **state)
{
    prfdata_mapping_look look = {0};
    prfdata_region_set *set;

    (void)state;
    prfdata_close_and_unmap(publish(5));
    set = take_set();
    assert_int_equal(prfdata_os_directory_open(SERVICE, &look.directory), ERROR_SUCCESS);
    memset(&meanwhile, 0, sizeof meanwhile);
    meanwhile.moves_when_probed = 3;
    assert_int_equal(prfdata_mapping_ask(&look, set->members[0].mapping, false),
                     PRFDATA_MAPPING_WRITER_NONE);
    assert_int_equal(look.header.structure, set->members[0].structure + 3 * 2);
    meanwhile.moves_when_probed = 4;
    assert_int_equal(prfdata_mapping_ask(&look, set->members[0].mapping, false),
                     PRFDATA_MAPPING_WRITER_UNKNOWN);
    assert_int_equal(meanwhile.moves_when_probed, 0);
    prfdata_os_directory_close(look.directory);
    give_set(set);
}

/* A region makes a refresh due at most once in refresh_ms. If a refresh is due because of another
 * region, the refresh asks for the writers of both regions. */
static void test_regions_that_move_beside_one_that_is_asked_are_asked_with_it(void **state)
{
    const bool wanted[PRFDATA_MAX_OBJECTS] = {true, true, true};
    prfdata_publisher *first = publish(5), *second = publish(5);
    prfdata_snapshot_reading reading = prfdata_snapshot_new_reading();
    prfdata_snapshot *taken;
    prfdata_region_set *set;

    (void)state;
    regions.refresh_ms = 3600000;
    prfdata_close_and_unmap(first);
    prfdata_close_and_unmap(second);
    memset(&meanwhile, 0, sizeof meanwhile);
    set = take_set();
    assert_int_equal(set->count, 2);
    regions.refreshed_ms = prfdata_refresh_now_ms();
    move_structure_word_of(set->members[1].mapping->name.text);
    assert_int_equal(
        prfdata_member_snapshot(&set->members[1], NULL, wanted, false, &reading, &taken),
        PRFDATA_STALE);
    give_set(set);
    set = take_set();
    for (uint32_t i = 0; i < 2; i++)
        move_structure_word_of(set->members[i].mapping->name.text);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(
            prfdata_member_snapshot(&set->members[i], NULL, wanted, false, &reading, &taken),
            PRFDATA_STALE);
    give_set(set);
}

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
prfdata_result __real_prfdata_member_snapshot(const prfdata_member *member,
                                              const prfdata_projection *projection,
                                              const bool *wanted, bool is_last_attempt,
                                              prfdata_snapshot_reading *reading,
                                              prfdata_snapshot **snapshot);
prfdata_result __wrap_prfdata_member_snapshot(const prfdata_member *member,
                                              const prfdata_projection *projection,
                                              const bool *wanted, bool is_last_attempt,
                                              prfdata_snapshot_reading *reading,
                                              prfdata_snapshot **snapshot);
prfdata_result __wrap_prfdata_member_snapshot(const prfdata_member *member,
                                              const prfdata_projection *projection,
                                              const bool *wanted, bool is_last_attempt,
                                              prfdata_snapshot_reading *reading,
                                              prfdata_snapshot **snapshot)
{
    if (meanwhile.moves) { /* only one thread uses this */
        meanwhile.read++;
        move_structure_word();
    }
    return __real_prfdata_member_snapshot(member, projection, wanted, is_last_attempt, reading,
                                          snapshot);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

/* Programs start and end all the time. Their counts are shown, even to a reader that has just
 * begun. The region is asked for its writer once, and only one of ten Collects copies it twice. */
static void test_regions_without_writer_that_move_are_asked_once(void **state)
{
    prfdata_provider *reader;

    (void)state;
    prfdata_close_and_unmap(publish(5));
    reader = provided_open();
    prfdata_provider_set_refresh(reader, 3600000);
    memset(&meanwhile, 0, sizeof meanwhile);
    meanwhile.moves = true;
    for (int i = 0; i < 10; i++) {
        move_structure_word(); /* this makes plans invalid, too */
        assert_int_equal(total_jobs(reader), 5);
    }
    assert_int_equal(meanwhile.asked, 1);
    assert_int_equal(meanwhile.read, 10 + 1);
    meanwhile.moves = false;
    prfdata_provider_set_refresh(reader, 0);
    assert_int_equal(total_jobs(reader), 5);
    prfdata_provider_close(reader);
}

/* A mapping is released together with the last set that refers to it, whatever the sets knew about
 * its writer. */
static void test_regions_go_with_the_last_set_that_has_them(void **state)
{
    prfdata_publisher *publisher = publish(5);
    prfdata_region_set *lives, *ended;
    prfdata_test_file file;

    (void)state;
    regions.refresh_ms = 0;
    lives = take_set();
    prfdata_close_and_unmap(publisher);
    ended = take_set();
    assert_false(prfdata_regions_same(lives, ended));
    find_only_region(&file);
    assert_true(prfdata_test_service_delete_file(&service, file.name));
    give_set(take_set());
    memset(&meanwhile, 0, sizeof meanwhile);
    give_set(lives);
    assert_int_equal(meanwhile.freed, 0);
    give_set(ended);
    assert_int_equal(meanwhile.freed, 1);
}

/* A region that breaks while it is asked for its writer is left out, and its mapping is
 * released. */
static void test_regions_that_break_while_they_are_asked_are_not_kept(void **state)
{
    prfdata_publisher *publisher = publish(5);
    prfdata_region_set *set;

    (void)state;
    regions.refresh_ms = 0;
    give_set(take_set());
    prfdata_close_and_unmap(publisher);
    memset(&meanwhile, 0, sizeof meanwhile);
    meanwhile.breaks = true;
    set = take_set();
    meanwhile.breaks = false;
    assert_int_equal(set->count, 0);
    assert_int_equal(meanwhile.freed, 1);
    give_set(set);
}
#endif

/* The grace period begins once. Otherwise totals would never appear while a file cannot be read. */
static void test_regions_grace_begins_with_the_first_set(void **state)
{
    prfdata_region_set *first, *second;

    (void)state;
    first = take_set();
    prfdata_os_sleep(40); /* longer than a tick of any clock */
    second = take_set();
    assert_ptr_not_equal(second, first);
    assert_true(prfdata_regions_same(first, second));
    assert_int_equal(second->began_ms, first->began_ms);
    give_set(first);
    give_set(second);
}

/* The grace period is three seconds, as docs/security-and-limits.md says. */
static void test_regions_grace_is_of_three_refreshes(void **state)
{
    prfdata_publisher *alive = publish(7);
    prfdata_region_set *set;

    (void)state;
    copy_only_region();
    assert_true(refuse(prfdata_test_region_name(1)));
    set = take_set();
    refuse_no_more(prfdata_test_region_name(1));
    assert_true(set->some_unknown);
    assert_int_equal(set->totals_wait_ms - set->began_ms, 3 * 1000);
    give_set(set);
    prfdata_close_and_unmap(alive);
}

static uint64_t bytes_of_summary(const prfdata_region_set *set)
{
    prfdata_snapshot *taken;

    assert_int_equal(take_snapshot(set, false, &taken), PRFDATA_DONE);
    prfdata_mapping_release_snapshot(taken);
    return set->members[0].mapping->summary_bytes;
}

/* regions.summaries_bytes includes the summaries of all objects. */
static void test_regions_of_the_dead_count_the_memory_of_each_object(void **state)
{
    prfdata_publisher *publisher = publish(5);
    prfdata_instance mail, reader;
    prfdata_handle taken;
    prfdata_region_set *set;
    uint64_t before;

    (void)state;
    regions.refresh_ms = 0;
    prfdata_close_and_unmap(publisher);
    set = take_set();
    before = bytes_of_summary(set);
    give_set(set);
    publisher = publish(5);
    assert_int_equal(prfdata_instance_find(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_instance_add(publisher, CONSUMER_ID, L"reader", &mail, &reader), 0);
    assert_int_equal(prfdata_resolve(publisher, TAKEN_ID, &reader, &taken), 0);
    prfdata_increment(taken);
    prfdata_close_and_unmap(publisher);
    set = take_set();
    assert_true(before > 0);
    assert_true(bytes_of_summary(set) > before);
    assert_int_equal(regions.summaries_bytes, set->members[0].mapping->summary_bytes);
    give_set(set);
}

/* Counts that a new writer adds do not belong to the summary of the ended program. So the region
 * must first be asked for its writer again. At its last attempt, a Collect reads the region as it
 * is. */
static void test_regions_of_the_dead_are_not_summarised_after_a_take_over(void **state)
{
    prfdata_snapshot *taken;
    prfdata_publisher *publisher;
    prfdata_region_set *set;

    (void)state;
    prfdata_close_and_unmap(publish(5));
    set = take_set();
    publisher = publish(3);
    assert_int_equal(take_snapshot(set, false, &taken), PRFDATA_STALE);
    assert_int_equal(take_snapshot(set, true, &taken), PRFDATA_DONE);
    assert_false(taken->is_summary);
    assert_int_equal(prfdata_snapshot_cells(&taken->objects[0], taken->objects[0].slots)[JOBS_AT],
                     8);
    prfdata_mapping_release_snapshot(taken);
    assert_int_equal(set->members[0].mapping->is_broken, 0);
    give_set(set);
    prfdata_close_and_unmap(publisher);
}

/* ---- Threads ---- */

enum { COLLECTS = 500, ROOM = 65536 };

static struct {
    uint32_t is_writing;
    uint32_t stop;
    uint32_t failed;
    char failure[200];
} run;

static void fail_thread(const char *text)
{
    uint64_t nothing = 0;
    static uint64_t first;

    if (prfdata_swap64_relaxed(&first, &nothing, 1))
        snprintf(run.failure, sizeof(run.failure), "%s", text);
    prfdata_store32_release(&run.failed, 1);
}

static uint32_t take_role(void)
{
    static uint64_t roles;
    uint64_t seen = prfdata_load64_relaxed(&roles);

    while (!prfdata_swap64_relaxed(&roles, &seen, seen + 1)) {
    }
    return (uint32_t)seen;
}

/* Collects without assertions. Returns whether the reply is valid. */
static bool take(const uint16_t *query, unsigned char *bytes, perf_reply *reply)
{
    uint32_t size = ROOM, objects;
    void *data = bytes;
    const char *mistake;

    if (prfdata_provider_collect(provider, query, &data, &size, &objects) != ERROR_SUCCESS) {
        fail_thread("Collect did not succeed");
        return false;
    }
    reply->bytes = bytes;
    reply->size = size;
    reply->object_count = objects;
    mistake = perf_reader_mistake(reply);
    if (mistake)
        fail_thread(mistake);
    return !mistake;
}

/* A pair of counters changes only inside brackets. If it is shown torn, it must be counted as torn.
 * It must never fall. */
static void check_pairs(void *context)
{
    static const uint16_t global[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    unsigned char *bytes = malloc(ROOM);
    uint64_t last = 0;

    (void)context;
    for (int i = 0; i < COLLECTS; i++) {
        const uint64_t torn = torn_copies(provider);
        uint64_t a = 0, b = 0;
        perf_reply reply;

        if (!take(global, bytes, &reply))
            break;
        if (!perf_reader_value(&reply, QUEUE_TITLE, "", "pair", JOBS_AT, &a) ||
            !perf_reader_value(&reply, QUEUE_TITLE, "", "pair", JOB_TIME_AT, &b))
            fail_thread("the instance is gone");
        if (a != b && torn_copies(provider) == torn)
            fail_thread("a torn pair was shown, and not counted");
        if (a < last)
            fail_thread("a counter went backwards");
        last = a;
    }
    free(bytes);
}

static void write_pairs(void)
{
    prfdata_publisher *publisher;
    prfdata_instance pair;
    prfdata_handle a, b;

    prfdata_open(&sample.map, &publisher);
    prfdata_instance_add(publisher, QUEUE_ID, L"pair", NULL, &pair);
    prfdata_resolve(publisher, JOBS_ID, &pair, &a);
    prfdata_resolve(publisher, JOB_TIME_ID, &pair, &b);
    while (!prfdata_load32_acquire(&run.stop)) {
        prfdata_begin(&pair);
        prfdata_increment(a);
        prfdata_increment(b);
        prfdata_end(&pair);
        prfdata_store32_release(&run.is_writing, 1);
    }
    prfdata_close_and_unmap(publisher);
}

static prfdata_publisher *pair_publisher;

static void bracket_role(void *context)
{
    (void)context;
    if (take_role() % 2 == 0) {
        while (!prfdata_load32_acquire(&run.is_writing))
            prfdata_pause();
        check_pairs(NULL);
        prfdata_store32_release(&run.stop, 1);
    } else {
        write_pairs();
    }
}

static void wait_for_pair(void)
{
    prfdata_instance pair;

    assert_int_equal(prfdata_open(&sample.map, &pair_publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(pair_publisher, QUEUE_ID, L"pair", NULL, &pair), 0);
}

static void start_run(void)
{
    memset(&run, 0, sizeof(run));
}

static void end_run(void)
{
    if (run.failed)
        fail_msg("%s", run.failure);
}

/* A second publisher also has the instance "pair" all the time, with counts of 0. */
static void test_regions_pair_in_brackets_is_never_shown_torn(void **state)
{
    (void)state;
    start_run();
    wait_for_pair();
    prfdata_test_threads_run(2, bracket_role, NULL);
    prfdata_close_and_unmap(pair_publisher);
    end_run();
}

static void open_and_close(void)
{
    prfdata_publisher *publisher;

    for (int i = 0; !prfdata_load32_acquire(&run.stop); i++) {
        prfdata_instance queue, again;
        prfdata_handle handle;

        prfdata_open(&sample.map, &publisher);
        prfdata_instance_add(publisher, QUEUE_ID, L"coming", NULL, &queue);
        prfdata_resolve(publisher, JOBS_ID, &queue, &handle);
        prfdata_add(handle, 1);
        prfdata_instance_add(publisher, QUEUE_ID, i % 2 ? L"odd" : L"even", NULL, &again);
        prfdata_instance_remove(&again);
        if (i % 3 == 0)
            prfdata_close(publisher);
        else
            prfdata_close_and_unmap(publisher);
    }
    /* The region of the last closed publisher still has an owner, so Windows would not delete its
     * file. */
    prfdata_open(&sample.map, &publisher);
    prfdata_close_and_unmap(publisher);
}

static void collect_all(void)
{
    static const uint16_t all[] = {'9', '1', '0', '0', ' ', '9', '1', '0',
                                   '8', ' ', '9', '1', '1', '2', 0};
    unsigned char *bytes = malloc(ROOM);
    uint64_t last = 0, total = 0;
    perf_reply reply;

    for (int i = 0; i < COLLECTS; i++) {
        if (!take(all, bytes, &reply))
            break;
        if (perf_reader_value(&reply, QUEUE_TITLE, "", "_Total", JOBS_AT, &total)) {
            if (total < last)
                fail_thread("a total went backwards");
            last = total;
        }
    }
    free(bytes);
}

static void stress_role(void *context)
{
    uint32_t role = take_role() % 4;

    (void)context;
    if (role < 2) {
        open_and_close();
    } else {
        collect_all();
        prfdata_store32_release(&run.stop, 1);
    }
}

static void test_regions_threads_collect_while_publishers_come_and_go(void **state)
{
    collected taken;

    (void)state;
    start_run();
    prfdata_test_threads_run(4, stress_role, NULL);
    end_run();
    collected_take(&taken, provider, "9100 9108 9112");
    collected_free(&taken);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
#define CASE(name)     cmocka_unit_test_setup_teardown(name, provided_sample_begin, provided_end)
#define OF_A_SET(name) cmocka_unit_test_setup_teardown(name, begin_looking, end_looking)
        CASE(test_regions_that_appear_are_noticed),
#ifndef _WIN32
        CASE(test_regions_that_disappear_are_noticed),
#endif
        CASE(test_regions_are_not_looked_for_before_the_time_has_come),
        CASE(test_regions_of_other_names_sizes_and_maps_are_ignored),
        CASE(test_regions_that_are_taken_over_go_on),
        CASE(test_regions_that_fault_are_dropped_and_counted),
        CASE(test_regions_that_all_are_refused_leave_no_zeros),
#ifndef _WIN32
        CASE(test_regions_are_found_by_the_boot_as_soon_as_it_is_told),
        CASE(test_regions_that_cannot_be_opened_now_leave_no_zeros),
        CASE(test_regions_that_cannot_be_probed_now_stay_alive),
        CASE(test_regions_taken_over_that_cannot_be_probed_count_on),
#endif
        CASE(test_regions_that_are_refused_later_stay_attached),
        CASE(test_regions_of_two_processes_merge_and_a_killed_one_leaves_totals),
        CASE(test_regions_that_are_refused_hold_sums_up_for_a_while_only),
        CASE(test_regions_that_could_not_be_looked_at_count_from_then_on),
        CASE(test_regions_of_the_dead_show_no_ghosts_until_a_take_over_is_complete),
        OF_A_SET(test_regions_of_the_dead_are_summarised_once),
        OF_A_SET(test_regions_of_the_dead_keep_their_sums_without_room_for_slots),
        OF_A_SET(test_regions_that_together_are_too_large_are_left_out),
        OF_A_SET(test_regions_that_are_attached_keep_their_place_before_new_ones),
        OF_A_SET(test_regions_what_is_known_stays_as_it_was_in_a_set),
#ifndef _WIN32
        CASE(test_regions_without_writer_that_move_are_asked_once),
        OF_A_SET(test_regions_go_with_the_last_set_that_has_them),
        OF_A_SET(test_regions_that_break_while_they_are_asked_are_not_kept),
        OF_A_SET(test_regions_that_move_while_they_are_asked_are_asked_four_times),
        OF_A_SET(test_regions_that_move_beside_one_that_is_asked_are_asked_with_it),
        CASE(test_regions_that_are_pushed_out_are_not_counted_twice),
#endif
        OF_A_SET(test_regions_grace_begins_with_the_first_set),
        OF_A_SET(test_regions_grace_is_of_three_refreshes),
        OF_A_SET(test_regions_of_the_dead_count_the_memory_of_each_object),
        OF_A_SET(test_regions_of_the_dead_are_not_summarised_after_a_take_over),
        CASE(test_regions_pair_in_brackets_is_never_shown_torn),
        CASE(test_regions_threads_collect_while_publishers_come_and_go),
#undef CASE
#undef OF_A_SET
    };

    if (argc > 1)
        return child_main(argv[1]);
    return cmocka_run_group_tests_name("regions", tests, NULL, NULL);
}
