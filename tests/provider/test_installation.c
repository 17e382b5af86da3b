/* SPDX-License-Identifier: MIT */
/* Tests a provider that is open while the counters are installed again, uninstalled or half
 * installed. Here each Collect checks the settings, so no test depends on how much time passes. */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <prfdata/atomic.h>
#include <prfdata/prfdata.h>

#include "collect/basis.h"
#include "support/encoded_map.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided.h"
#include "support/sample_map.h"
#include "support/threads.h"

#define SERVICE "PrfDataTestInstallation"

enum { FIRST_COUNTER = 9100, OTHER_COUNTER = 9300, OTHER_HELP = 10001, JOBS_AT = 1 };
enum { QUEUE_ID = 100, JOBS_ID = 102 };
enum { MAP_BYTES = 4096, MAJOR_OFFSET = 4, THREADS = 4, COLLECTS = 200 };

static sample_map sample;
static prfdata_publisher *publisher;
/* a second provider, which tests can examine */
static prfdata_provider second;

static int install(void **state)
{
    prfdata_instance mail;

    (void)state;
    sample_map_init_as(&sample, SERVICE);
    provided_begin(&sample.map, FIRST_COUNTER);
    publisher = counting_open(&sample.map);
    mail = counting_add(publisher, QUEUE_ID, L"mail", NULL);
    counting_count(publisher, JOBS_ID, &mail, 100);
    assert_true(prfdata_provider_state_init(&second, SERVICE));
    second.regions.refresh_ms = 0;
    return 0;
}

static int uninstall(void **state)
{
    prfdata_provider_state_done(&second);
    prfdata_close_and_unmap(publisher);
    return provided_end(state);
}

/* ---- Actions of an installer ---- */

static void set_titles(uint32_t first_counter)
{
    prfdata_test_service_set_number(&service, "First Counter", first_counter);
    prfdata_test_service_set_number(&service, "First Help", first_counter + 1);
}

/* Stores the current map of `sample`. `major` is the major version of its format;
 * PRFDATA_MAPS_MAJOR is the one that PrfData writes. */
static void set_map(unsigned char major)
{
    unsigned char bytes[MAP_BYTES];
    size_t size;

    assert_int_equal(encode_maps(&sample.map, bytes, sizeof bytes, &size), 0);
    bytes[MAJOR_OFFSET] = major;
    prfdata_test_service_set_bytes(&service, "Maps", bytes, size);
}

/* Adds an object as the first one. The other objects keep their titles, and the new titles follow
 * them. The publisher still has the former map. */
static void set_upgraded_map(void)
{
    const prfdata_map_entry object = sample_map_object(50, L"My News", 51, PERF_NO_INSTANCES, 0);
    const prfdata_map_entry counter = sample_map_counter(51, PERF_COUNTER_BULK_COUNT);

    sample_map_insert(&sample, 0, &counter);
    sample_map_insert(&sample, 0, &object);
    prfdata_test_service_upgrade(&service, &sample.map);
}

static void delete_values(void)
{
    prfdata_test_service_delete_value(&service, "First Counter");
    prfdata_test_service_delete_value(&service, "First Help");
}

/* ---- Shown values ---- */

static void expect_first_title(const char *query, uint32_t title)
{
    collected taken;

    collected_take(&taken, provider, query);
    assert_true(taken.reply.object_count > 0);
    assert_int_equal(perf_reader_object(&taken.reply, title), 0);
    collected_free(&taken);
}

static void expect_nothing(const char *query)
{
    collected taken;

    collected_take(&taken, provider, query);
    assert_int_equal(taken.reply.object_count, 0);
    collected_free(&taken);
}

static void expect_jobs(uint32_t queue_title, uint64_t jobs)
{
    collected taken;

    collected_take(&taken, provider, "Global");
    assert_int_equal(collected_value(&taken, queue_title, "", "mail", JOBS_AT), jobs);
    collected_free(&taken);
}

/* Returns the current installation of `second`, or NULL if there is none. Keeps no reference. */
static const prfdata_installation *look(void)
{
    prfdata_basis *basis = prfdata_basis_acquire(&second);
    const prfdata_installation *installation = basis ? basis->installation : NULL;

    prfdata_basis_release(&second, basis);
    return installation;
}

static uint32_t reported_count;

static void count_event(void *context, const char *its_service, const prfdata_event *event)
{
    (void)context;
    (void)its_service;
    /* PRFDATA_EVENT_FOLDER_CLOSED is about the folder, so it does not count. */
    reported_count += event->id != PRFDATA_EVENT_FOLDER_CLOSED;
}

static void expect_events(uint32_t count)
{
    reported_count = 0;
    prfdata_events_set_writer(&second.events, 1, count_event, NULL);
    prfdata_events_report(&second.events, SERVICE);
    assert_int_equal(reported_count, count);
}

/* ---- Installed again ---- */

static void test_installation_other_titles_are_seen(void **state)
{
    (void)state;
    expect_first_title("Global", FIRST_COUNTER);
    set_titles(OTHER_COUNTER);
    expect_first_title("Global", OTHER_COUNTER);
    expect_nothing("9100");
    expect_jobs(OTHER_COUNTER, 100);
}

static void test_installation_an_upgraded_map_is_seen(void **state)
{
    (void)state;
    expect_first_title("Global", FIRST_COUNTER);
    expect_nothing("9116"); /* the title after the last one */
    delete_values();
    set_upgraded_map();
    set_titles(FIRST_COUNTER);
    expect_first_title("9116", FIRST_COUNTER + 16);
}

/* Version 2 runs for a while. It does not change the files of version 1. */
static void test_installation_a_downgrade_shows_what_was_counted_before(void **state)
{
    static sample_map first;
    collected taken;

    (void)state;
    first = sample;
    first.map.entries = first.entries;
    prfdata_close_and_unmap(publisher);
    set_upgraded_map();
    expect_first_title("Global", FIRST_COUNTER + 16);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    prfdata_close_and_unmap(publisher);
    sample = first;
    sample.map.entries = sample.entries;
    prfdata_test_service_upgrade(&service, &sample.map);
    collected_take(&taken, provider, "Global");
    assert_int_equal(collected_value(&taken, FIRST_COUNTER, "", "_Total", JOBS_AT), 100);
    collected_free(&taken);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
}

static void test_installation_uninstalled_shows_nothing_and_installed_again_all(void **state)
{
    (void)state;
    expect_first_title("Global", FIRST_COUNTER);
    prfdata_test_service_uninstall(&service);
    expect_nothing("Global");
    prfdata_test_service_install(&service, &sample.map, OTHER_COUNTER);
    expect_first_title("Global", OTHER_COUNTER);
}

/* The regions stay in memory, because values must not fall. */
static void test_installation_of_the_same_map_and_folder_keeps_the_regions(void **state)
{
    const prfdata_installation *before = look();
    uint64_t lineage;
    prfdata_basis *running = prfdata_basis_acquire(&second);

    (void)state;
    assert_non_null(before);
    lineage = before->lineage;
    sample.entries[QUEUES].help = L"Another help.";
    set_map(PRFDATA_MAPS_MAJOR);
    set_titles(OTHER_COUNTER);
    assert_ptr_not_equal(look(), before);
    assert_int_equal(look()->lineage, lineage);
    assert_int_equal(running->installation->templates[0]->object_name_title_index,
                     FIRST_COUNTER); /* this Collect is still running with the old titles */
    prfdata_basis_release(&second, running);
    assert_int_equal(look()->lineage, lineage);
}

static void test_installation_of_another_map_keeps_the_regions(void **state)
{
    const uint64_t lineage = look()->lineage;

    (void)state;
    set_upgraded_map();
    assert_int_equal(look()->lineage, lineage);
    /* The installer changes this value to reset counts. */
    prfdata_test_service_set_number(&service, "Resets", 1);
    assert_int_not_equal(look()->lineage, lineage);
}

/* A version is forgotten if it is not registered, no mapping uses it, and nothing is carried for
 * it. */
static void test_installation_keeps_a_bounded_number_of_versions(void **state)
{
    sample_map later;

    (void)state;
    for (uint32_t i = 0; i < 40; i++) {
        sample_map_init_as(&later, SERVICE);
        sample_map_append(&later, sample_map_object(1000 + 2 * i, L"My Later", 1001 + 2 * i,
                                                    PERF_NO_INSTANCES, 0));
        sample_map_append(&later, sample_map_counter(1001 + 2 * i, PERF_COUNTER_BULK_COUNT));
        prfdata_test_service_upgrade(&service, &later.map);
        assert_non_null(look());
        if (i % 3 == 0)
            expect_first_title("Global", FIRST_COUNTER);
    }
    /* The registered versions, and a few that are mapped or carried. */
    assert_in_range(second.versions.count, 9, 9 + 4);
}

static void test_installation_in_another_folder_has_its_own_regions(void **state)
{
    const uint64_t lineage = look()->lineage;
    prfdata_basis *running = prfdata_basis_acquire(&second);

    (void)state;
    prfdata_test_service_set_text(&service, "Regions", "/somewhere/else");
    assert_int_not_equal(look()->lineage, lineage);
    prfdata_basis_release(&second, running);
}

/* Windows also writes values into this key. */
static void test_installation_other_values_in_the_key_change_nothing(void **state)
{
    const prfdata_installation *before = look();

    (void)state;
    prfdata_test_service_set_number(&service, "Disable Performance Counters", 0);
    assert_ptr_equal(look(), before);
    prfdata_test_service_set_text(&service, "PerfIniFile", "x.ini");
    assert_ptr_equal(look(), before);
}

#ifndef _WIN32
static void value_path(const char *name, char *path, size_t path_bytes)
{
    const int chars =
        snprintf(path, path_bytes, "%s/%s/%s", getenv("PRFDATA_TEST_ROOT"), SERVICE, name);

    assert_in_range(chars, 1, path_bytes - 1);
}

/* Writes a number of the same length into the same file, and restores the file's time. The stamp
 * stays, because no file is made or renamed. */
static void set_number_unseen(const char *name, uint32_t value)
{
    char path[520];
    struct stat before;
    struct timespec times[2];
    uint64_t stamp = 0, stamp_before = 0;
    FILE *file;

    value_path(name, path, sizeof path);
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(prfdata_os_settings_stamp(SERVICE, &stamp_before), ERROR_SUCCESS);
    file = fopen(path, "r+");
    assert_non_null(file);
    assert_true(fprintf(file, "%u\n", (unsigned)value) > 0);
    assert_int_equal(fclose(file), 0);
    times[0] = before.st_atim;
    times[1] = before.st_mtim;
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(prfdata_os_settings_stamp(SERVICE, &stamp), ERROR_SUCCESS);
    assert_int_equal(stamp, stamp_before);
}

/* Last write times change only once per tick. A change within a tick is seen by the next check. */
static void test_installation_a_change_within_one_tick_is_seen(void **state)
{
    (void)state;
    assert_non_null(look());
    prfdata_test_service_set_number(&service, "Other", 1);
    assert_int_equal(look()->templates[0]->object_name_title_index, FIRST_COUNTER);
    set_number_unseen("First Counter", OTHER_COUNTER);
    assert_int_equal(look()->templates[0]->object_name_title_index, OTHER_COUNTER);
}

/* After a change, checks read the values again until the clock must have ticked. */
static void test_installation_is_read_until_the_clock_has_moved_on(void **state)
{
    (void)state;
    assert_non_null(look());
    prfdata_test_service_set_number(&service, "Other", 1);
    (void)look();
    second.basis->changed_ms = prfdata_os_milliseconds();
    assert_int_equal(look()->templates[0]->object_name_title_index, FIRST_COUNTER);
    set_number_unseen("First Counter", OTHER_COUNTER);
    assert_int_equal(look()->templates[0]->object_name_title_index, OTHER_COUNTER);
    for (int i = 0; i < 3; i++) { /* as if the change were long ago */
        second.basis->changed_ms = 1;
        (void)look();
    }
    assert_false(second.basis->must_read);
}

/* Called after First Help was read and before Regions is read. The installer acts at this
 * moment. */
static void (*between_values)(void);
static uint32_t regions_error; /* the error of reading Regions; ERROR_SUCCESS: it is really read */

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint32_t __real_prfdata_os_setting_folder(const char *its_service, size_t limit, void **bytes,
                                          size_t *size);
uint32_t __wrap_prfdata_os_setting_folder(const char *its_service, size_t limit, void **bytes,
                                          size_t *size);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

uint32_t __wrap_prfdata_os_setting_folder(const char *its_service, size_t limit, void **bytes,
                                          size_t *size)
{
    if (between_values)
        between_values();
    between_values = NULL;
    if (regions_error)
        return regions_error;
    return __real_prfdata_os_setting_folder(its_service, limit, bytes, size);
}

static void write_the_other_help(void)
{
    prfdata_test_service_set_number(&service, "First Help", OTHER_HELP);
}

static void test_installation_values_of_two_moments_are_not_shown(void **state)
{
    (void)state;
    assert_non_null(look());
    prfdata_test_service_set_number(&service, "First Counter", OTHER_COUNTER);
    between_values = write_the_other_help;
    assert_int_equal(look()->templates[0]->object_name_title_index, FIRST_COUNTER);
    assert_int_equal(look()->templates[0]->object_name_title_index, OTHER_COUNTER);
    assert_int_equal(look()->templates[0]->object_help_title_index, OTHER_HELP);
}

/* ---- A thread that is suspended during its check ---- */

/* Acts as if the last check were long ago. */
static void be_late(void)
{
    prfdata_store64_relaxed(&second.regions.refreshed_ms, 1);
}

static void test_installation_is_looked_for_beside_a_thread_that_was_stopped(void **state)
{
    const prfdata_installation *found;

    (void)state;
    second.regions.refresh_ms = 3600000;
    assert_non_null(look());
    prfdata_os_lock_enter(&second.regions.refreshing);
    set_titles(OTHER_COUNTER);
    found = look();
    assert_int_equal(found->templates[0]->object_name_title_index,
                     FIRST_COUNTER); /* no check is due, so the change is not seen */
    second.regions.refresh_ms = 0;
    be_late();
    found = look();
    assert_int_equal(found->templates[0]->object_name_title_index, OTHER_COUNTER);
    set_titles(FIRST_COUNTER);
    found = look();
    assert_int_equal(found->templates[0]->object_name_title_index,
                     OTHER_COUNTER); /* a check is due, but not overdue yet */
    prfdata_os_lock_leave(&second.regions.refreshing);
    assert_int_equal(look()->templates[0]->object_name_title_index, FIRST_COUNTER);
}

/* A killed thread holds the lock permanently. Other threads then refresh, but only if a refresh is
 * overdue or prfdata_refresh_expire() was called. */
static void test_installation_a_thread_that_was_killed_does_not_make_every_call_look(void **state)
{
    const prfdata_basis *before;
    const prfdata_basis *after;

    (void)state;
    second.regions.refresh_ms = 3600000;
    assert_non_null(look());
    prfdata_os_lock_enter(&second.regions.refreshing);
    prfdata_refresh_expire(&second.regions);
    before = second.basis;
    assert_non_null(look());
    after = second.basis;
    assert_ptr_not_equal(after, before); /* each refresh replaces the basis */
    for (int i = 0; i < 2; i++) {
        assert_non_null(look());
        assert_ptr_equal(second.basis, after);
    }
    prfdata_os_lock_leave(&second.regions.refreshing);
}

/* After this many reads of the stamp, another thread checks. 0: no other thread does. */
static uint32_t stamps_until_act;
static void look_beside(void);

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint32_t __real_prfdata_os_settings_stamp(const char *its_service, uint64_t *stamp);
uint32_t __wrap_prfdata_os_settings_stamp(const char *its_service, uint64_t *stamp);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

uint32_t __wrap_prfdata_os_settings_stamp(const char *its_service, uint64_t *stamp)
{
    const uint32_t error = __real_prfdata_os_settings_stamp(its_service, stamp);

    if (stamps_until_act > 0 && --stamps_until_act == 0)
        look_beside();
    return error;
}

static void look_beside(void)
{
    set_titles(OTHER_COUNTER);
    be_late();
    assert_int_equal(look()->templates[0]->object_name_title_index, OTHER_COUNTER);
}

/* The slow thread continues after another thread has checked. The slow thread's values are older,
 * so they must not be shown. */
static void test_installation_that_a_slow_thread_found_is_not_shown(void **state)
{
    (void)state;
    assert_non_null(look());
    prfdata_test_service_set_number(&service, "Other", 1);
    stamps_until_act = 2; /* the stamp is read before and after the values */
    assert_int_equal(look()->templates[0]->object_name_title_index, OTHER_COUNTER);
    assert_int_equal(second.carry.newest_basis, 2);
    assert_int_equal(look()->templates[0]->object_name_title_index, OTHER_COUNTER);
    assert_int_equal(second.carry.newest_basis, 2);
}

/* Runs look() as an account that cannot read everything; root could. */
static const prfdata_installation *look_as_another(void)
{
    const uid_t account = geteuid();
    const prfdata_installation *found;

    if (account == 0)
        assert_int_equal(seteuid(65534), 0);
    found = look();
    assert_int_equal(seteuid(account), 0);
    return found;
}

/* The reader's thread may have the token of a client that is not allowed to read the key. */
static void test_installation_a_denied_look_is_no_news(void **state)
{
    const prfdata_installation *before = look();
    char path[520];

    (void)state;
    value_path("", path, sizeof path);
    assert_int_equal(chmod(path, 0), 0);
    assert_ptr_equal(look_as_another(), before);
    assert_int_equal(chmod(path, 0755), 0);
    assert_int_equal(chmod(getenv("PRFDATA_TEST_ROOT"), 0755), 0);
    value_path("Maps", path, sizeof path); /* this account can read the key, but not the value */
    prfdata_test_service_set_number(&service, "Other", 1);
    assert_int_equal(chmod(path, 0), 0);
    assert_ptr_equal(look_as_another(), before);
    assert_int_equal(chmod(path, 0644), 0);
    assert_ptr_equal(look(), before);
    expect_events(0);
}

static const prfdata_installation *look_with_regions_error(uint32_t error)
{
    const prfdata_installation *found;

    prfdata_test_service_set_number(&service, "Other", error); /* so that the values are read */
    regions_error = error;
    found = look();
    regions_error = ERROR_SUCCESS;
    return found;
}

static void test_installation_regions_that_cannot_be_read_now_is_no_news(void **state)
{
    const prfdata_installation *before;

    (void)state;
    assert_null(look_with_regions_error(ERROR_NOT_ENOUGH_MEMORY)); /* nothing is known yet */
    before = look();
    assert_non_null(before);
    assert_ptr_equal(look_with_regions_error(ERROR_NOT_ENOUGH_MEMORY), before);
    assert_ptr_equal(look_with_regions_error(ERROR_ACCESS_DENIED), before);
    assert_null(look_with_regions_error(ERROR_INVALID_DATA)); /* an installer may be writing it */
    assert_ptr_equal(look(), before);
}
#endif

/* ---- Half installed ---- */

static void test_installation_with_a_value_missing_shows_nothing_until_it_is_back(void **state)
{
    static const char *const names[] = {"First Counter", "First Help", "Maps", "Regions"};
    const prfdata_installation *before = look();

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        prfdata_test_service_delete_value(&service, names[i]);
        assert_null(look());
        expect_nothing("Global");
        set_titles(FIRST_COUNTER);
        set_map(PRFDATA_MAPS_MAJOR);
        prfdata_test_service_set_text(&service, "Regions", service.folder);
        /* The same installation, not a new one with equal values. */
        assert_ptr_equal(look(), before);
        expect_jobs(FIRST_COUNTER, 100);
    }
    expect_events(0);
}

static void test_installation_with_wrong_values_shows_nothing_until_they_are_right(void **state)
{
    const uint64_t lineage = look()->lineage;

    (void)state;
    set_titles(FIRST_COUNTER + 1);
    assert_null(look());
    set_titles(OTHER_COUNTER);
    assert_int_equal(look()->lineage, lineage);
    prfdata_test_service_set_bytes(&service, "Maps", "nonsense", 8);
    assert_null(look());
    set_map(PRFDATA_MAPS_MAJOR);
    assert_int_equal(look()->lineage, lineage);
    expect_events(0);
}

static void test_installation_that_stays_half_is_dropped_and_reported(void **state)
{
    (void)state;
    assert_non_null(look());
    delete_values();
    assert_null(look());
    assert_non_null(second.basis);
    second.basis->hidden_ms -= PRFDATA_INSTALLATION_KEEP_MS; /* acts as if that time had passed */
    assert_null(look());
    assert_null(second.basis);
    expect_events(0);
    assert_null(look());
    expect_events(1);
    set_titles(OTHER_COUNTER);
    assert_int_equal(look()->templates[0]->object_name_title_index, OTHER_COUNTER);
}

/* A reader still uses the old provider after a version of PrfData with a later format of maps was
 * installed. */
static void test_installation_a_later_format_leaves_what_is_known(void **state)
{
    const prfdata_installation *before = look();

    (void)state;
    set_map(PRFDATA_MAPS_MAJOR + 1);
    assert_ptr_equal(look(), before);
    expect_events(1);
    expect_jobs(FIRST_COUNTER, 100);
    set_titles(OTHER_COUNTER); /* nobody knows which titles the later format has */
    assert_null(look());
    expect_nothing("Global");
}

/* ---- While others collect ---- */

static struct {
    uint64_t next_role;
    uint64_t done;
    uint64_t failed;
    uint64_t answers;
} run;

/* Returns whether all objects of a reply belong to one installation. Threads must not assert. */
static bool is_one_installation(const perf_reply *reply)
{
    size_t offset = 0;
    uint32_t first = 0;

    for (uint32_t i = 0; i < reply->object_count; i++) {
        uint32_t words[4];

        memcpy(words, reply->bytes + offset, sizeof words);
        if (i > 0 && words[3] / OTHER_COUNTER != first / OTHER_COUNTER)
            return false;
        first = words[3];
        offset += words[0];
    }
    return true;
}

static void collect_while_it_changes(void)
{
    static const uint16_t global[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    unsigned char *buffer = malloc(65536);

    while (prfdata_load64_relaxed(&run.done) == 0) {
        void *data = buffer;
        uint32_t bytes = 65536;
        perf_reply reply = {buffer, 0, 0};

        if (prfdata_provider_collect(provider, global, &data, &bytes, &reply.object_count))
            prfdata_add64_relaxed(&run.failed, 1);
        reply.size = bytes;
        if (perf_reader_mistake(&reply) || !is_one_installation(&reply))
            prfdata_add64_relaxed(&run.failed, 1);
        if (reply.object_count > 0)
            prfdata_add64_relaxed(&run.answers, 1);
    }
    free(buffer);
}

static void install_again_and_again(void)
{
    for (uint32_t i = 0; i < COLLECTS || prfdata_load64_relaxed(&run.answers) == 0; i++) {
        delete_values();
        if (i % 5 == 0) {
            prfdata_test_service_delete_value(&service, "Maps");
            set_map(PRFDATA_MAPS_MAJOR);
        }
        set_titles(i % 2 ? FIRST_COUNTER : OTHER_COUNTER);
        if (i >= COLLECTS)
            /* Without a pause, readers might see changes only at the same point of a Collect. */
            prfdata_os_sleep(1);
    }
    set_titles(FIRST_COUNTER); /* the last round may have set others */
    prfdata_store64_relaxed(&run.done, 1);
}

static void play_role(void *context)
{
    uint64_t role = 0;

    (void)context;
    while (!prfdata_swap64_relaxed(&run.next_role, &role, role + 1)) {
    }
    if (role == 0)
        install_again_and_again();
    else
        collect_while_it_changes();
}

static void test_installation_threads_collect_while_it_changes(void **state)
{
    (void)state;
    memset(&run, 0, sizeof run);
    prfdata_test_threads_run(THREADS, play_role, NULL);
    assert_int_equal(run.failed, 0);
    assert_true(run.answers > 0);
    expect_jobs(FIRST_COUNTER, 100);
}

/* An administrator may set the limit to 256 to 1,024 MiB at any time. In a 32-bit reader, the limit
 * stays 256 MiB. */
static void test_installation_value_raises_the_limit_of_regions(void **state)
{
    static const struct {
        uint32_t value;
        uint64_t mib;
    } rows[] = {{0, 256}, {1, 256}, {512, 512}, {1024, 1024}, {4000000000u, 1024}};

    (void)state;
    assert_non_null(look());
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const prfdata_installation *installation;
        const uint64_t wanted = SIZE_MAX > UINT32_MAX ? rows[i].mib : 256;

        prfdata_test_service_set_number(&service, "Regions MiB", rows[i].value);
        second.basis->must_read = true;
        installation = look();
        assert_non_null(installation);
        assert_int_equal(second.regions.max_views_bytes, wanted << 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, install, uninstall)
        CASE(test_installation_value_raises_the_limit_of_regions),
        CASE(test_installation_other_titles_are_seen),
        CASE(test_installation_an_upgraded_map_is_seen),
        CASE(test_installation_a_downgrade_shows_what_was_counted_before),
        CASE(test_installation_uninstalled_shows_nothing_and_installed_again_all),
        CASE(test_installation_of_the_same_map_and_folder_keeps_the_regions),
        CASE(test_installation_of_another_map_keeps_the_regions),
        CASE(test_installation_keeps_a_bounded_number_of_versions),
        CASE(test_installation_in_another_folder_has_its_own_regions),
        CASE(test_installation_other_values_in_the_key_change_nothing),
#ifndef _WIN32
        CASE(test_installation_a_change_within_one_tick_is_seen),
        CASE(test_installation_is_read_until_the_clock_has_moved_on),
        CASE(test_installation_values_of_two_moments_are_not_shown),
        CASE(test_installation_is_looked_for_beside_a_thread_that_was_stopped),
        CASE(test_installation_a_thread_that_was_killed_does_not_make_every_call_look),
        CASE(test_installation_that_a_slow_thread_found_is_not_shown),
        CASE(test_installation_a_denied_look_is_no_news),
        CASE(test_installation_regions_that_cannot_be_read_now_is_no_news),
#endif
        CASE(test_installation_with_a_value_missing_shows_nothing_until_it_is_back),
        CASE(test_installation_with_wrong_values_shows_nothing_until_they_are_right),
        CASE(test_installation_that_stays_half_is_dropped_and_reported),
        CASE(test_installation_a_later_format_leaves_what_is_known),
        CASE(test_installation_threads_collect_while_it_changes),
#undef CASE
    };

    return cmocka_run_group_tests_name("installation", tests, NULL, NULL);
}
