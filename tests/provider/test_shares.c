/* SPDX-License-Identifier: MIT */
/* Tests two accounts that publish counters of the same service. Neither can hide what programs of
 * the other publish. The test needs processes with two user ids, so only root can run it. */
#define _GNU_SOURCE

#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "region/region.h"
#include "support/must.h"
#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided.h"
#include "support/sample_map.h"
#include "system/os_name.h"
#include "system/shares.h"

#define SERVICE "PrfDataTestShares"

enum { FIRST_COUNTER = 9700, QUEUE_TITLE = 9700 };
enum { QUEUE_ID = 100 };
enum { OURS = 4711, THEIRS = 4712 }; /* these user ids need no names */
enum { PROGRAMS = 5, MOST_CHILDREN = 16 };
/* write_early() numbers its files from here, so they look older than any region. */
enum { FIRST_NUMBER = 1 };

static sample_map sample;

/* ---- Programs ---- */

static pid_t children[MOST_CHILDREN];
static unsigned child_count;
static unsigned files_written; /* the largest argument of start_as(); no call writes more files */

/* Runs `work` in a process of this account. Waits for the result of `work`, and returns it. The
 * process lives until stop() or the end of the test. */
static char start_as(uid_t user, char (*work)(unsigned argument), unsigned argument)
{
    char said = 'x';
    int ends[2];
    pid_t child;

    files_written = argument > files_written ? argument : files_written;
    MUST(child_count < MOST_CHILDREN);
    MUST(pipe(ends) == 0);
    child = fork();
    MUST(child >= 0);
    if (child == 0) {
        MUST(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
        MUST(setgid(user) == 0 && setuid(user) == 0);
        said = work(argument);
        MUST(write(ends[1], &said, 1) == 1);
        close(ends[1]);
        close(ends[0]);
        for (;;)
            pause();
    }
    close(ends[1]);
    children[child_count++] = child;
    MUST(read(ends[0], &said, 1) == 1);
    close(ends[0]);
    return said;
}

static void stop(unsigned child)
{
    MUST(child < child_count);
    kill(children[child], SIGKILL);
    MUST(waitpid(children[child], NULL, 0) == children[child]);
    children[child] = children[--child_count];
}

/* Publishes `count` instances. Those of our account have the names a0, a1 and so on, those of the
 * other account b0, b1 and so on. */
static char publish_many(unsigned count)
{
    const wchar_t letter = geteuid() == OURS ? L'a' : L'b';
    prfdata_publisher *publisher;
    prfdata_instance instance;
    wchar_t name[16];

    if (prfdata_open(&sample.map, &publisher) != ERROR_SUCCESS)
        return '-';
    for (unsigned i = 0; i < count; i++) {
        swprintf(name, sizeof name / sizeof name[0], L"%lc%u", (wint_t)letter, i);
        if (prfdata_instance_add(publisher, QUEUE_ID, name, NULL, &instance) != ERROR_SUCCESS)
            return '-';
    }
    return '+';
}

/* Adds and removes `count` instances. Readers also copy the slots of removed instances. */
static bool add_and_remove(prfdata_publisher *publisher, unsigned count)
{
    prfdata_instance instance;
    wchar_t name[16];

    for (unsigned i = 0; i < count; i++) {
        swprintf(name, sizeof name / sizeof name[0], L"b%u", i);
        if (prfdata_instance_add(publisher, QUEUE_ID, name, NULL, &instance) != ERROR_SUCCESS)
            return false;
    }
    for (unsigned i = 0; i < count; i++) {
        swprintf(name, sizeof name / sizeof name[0], L"b%u", i);
        if (prfdata_instance_find(publisher, QUEUE_ID, name, NULL, &instance) != ERROR_SUCCESS ||
            prfdata_instance_remove(&instance) != ERROR_SUCCESS)
            return false;
    }
    return true;
}

/* Publishes the instance "b", then adds and removes `count` other instances. */
static char publish_after_many(unsigned count)
{
    prfdata_publisher *publisher;
    prfdata_instance instance;

    if (prfdata_open(&sample.map, &publisher) != ERROR_SUCCESS ||
        prfdata_instance_add(publisher, QUEUE_ID, L"b", NULL, &instance) != ERROR_SUCCESS)
        return '-';
    return add_and_remove(publisher, count) ? '+' : '-';
}

/* Publishes the instance p<number>, which shows() finds. Returns NULL on failure. */
static prfdata_publisher *open_numbered(unsigned number)
{
    prfdata_publisher *publisher;
    prfdata_instance instance;
    wchar_t name[16];

    swprintf(name, sizeof name / sizeof name[0], L"p%u", number);
    if (prfdata_open(&sample.map, &publisher) != ERROR_SUCCESS ||
        prfdata_instance_add(publisher, QUEUE_ID, name, NULL, &instance) != ERROR_SUCCESS)
        return NULL;
    return publisher;
}

static char publish(unsigned number)
{
    return open_numbered(number) ? '+' : '-';
}

enum { TALL_PROGRAM = 13700 };

static char publish_tall(unsigned number)
{
    prfdata_publisher *publisher = open_numbered(number);

    return publisher && add_and_remove(publisher, TALL_PROGRAM) ? '+' : '-';
}

/* ---- Files ---- */

static void file_path(uint64_t number, char *path, size_t size)
{
    prfdata_os_name name;

    prfdata_os_name_make(&name, prfdata_os_boot(), number);
    snprintf(path, size, "%s/%s", service.folder, name.text);
}

static void foreign_path(unsigned number, char *path, size_t size)
{
    snprintf(path, size, "%s/foreign-%u", service.folder, number);
}

static bool write_early(unsigned count, const void *bytes, size_t size)
{
    for (unsigned i = 0; i < count; i++) {
        char path[400];
        int file;

        file_path(FIRST_NUMBER + i, path, sizeof path);
        file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);
        if (file < 0 || write(file, bytes, size) != (ssize_t)size)
            return false;
        close(file);
    }
    return true;
}

static char write_empty_files(unsigned count)
{
    return write_early(count, "", 0) ? '+' : '-';
}

/* Writes files that begin like a region but are incomplete. */
static char write_unfinished_files(unsigned count)
{
    prfdata_region_header header = {0};

    header.magic = PRFDATA_REGION_MAGIC;
    header.major = PRFDATA_REGION_MAJOR;
    header.boot = prfdata_os_boot();
    return write_early(count, &header, sizeof header) ? '+' : '-';
}

/* Copies the account's own region. The copies are valid regions of an ended program. */
static char copy_own_region(unsigned count)
{
    prfdata_publisher *publisher;
    prfdata_test_file files[64];
    unsigned char *bytes = NULL;
    char path[400];
    size_t size = 0, found;

    if (prfdata_open(&sample.map, &publisher) != ERROR_SUCCESS)
        return '-';
    found = prfdata_test_service_files(&service, files, 64);
    for (size_t i = 0; i < found && i < 64; i++) {
        struct stat about;

        prfdata_test_service_path(&service, files[i].name, path, sizeof path);
        if (stat(path, &about) == 0 && about.st_uid == geteuid())
            bytes = prfdata_test_service_read_file(&service, files[i].name, &size);
    }
    return bytes && write_early(count, bytes, size) ? '+' : '-';
}

static char write_foreign_names(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char path[400];
        int file;

        foreign_path(i, path, sizeof path);
        file = open(path, O_CREAT | O_WRONLY, 0644);
        if (file < 0)
            return '-';
        close(file);
    }
    return '+';
}

/* ---- Events ---- */

static struct {
    bool of_rows;
    bool of_copies;
    unsigned of_shares;
    char account[PRFDATA_EVENT_DETAIL_CHARS]; /* of the last event about shares */
} noticed;

static void note_event(void *context, const char *of, const prfdata_event *event)
{
    (void)context;
    (void)of;
    noticed.of_rows |= event->id == PRFDATA_EVENT_TOO_LARGE;
    noticed.of_copies |= event->id == PRFDATA_EVENT_EARLIER_LEFT_OUT;
    if (event->id != PRFDATA_EVENT_SHARE_USED_UP)
        return;
    noticed.of_shares++;
    for (size_t i = 0; i + 1 < sizeof noticed.account && event->detail[i]; i++)
        noticed.account[i] = (char)event->detail[i];
}

static void expect_share_of(uid_t user)
{
    char text[16];

    snprintf(text, sizeof text, "%u", (unsigned)user);
    assert_int_equal(noticed.of_shares, 1);
    assert_string_equal(noticed.account, text);
}

/* ---- Set-up ---- */

static int install_with(int32_t max_instances)
{
    char root[400];

    sample_map_init_as(&sample, SERVICE);
    sample.entries[0].max_instances = max_instances;
    provided_begin(&sample.map, FIRST_COUNTER);
    snprintf(root, sizeof root, "%s", service.folder);
    MUST(chmod(root, 01777) == 0);
    *strrchr(root, '/') = 0;
    MUST(chmod(root, 0755) == 0);
    prfdata_provider_set_event_writer(provider, 3, note_event, NULL);
    memset(&noticed, 0, sizeof noticed);
    return 0;
}

static int install(void **state)
{
    (void)state;
    return install_with(16);
}

static int install_large(void **state)
{
    (void)state;
    return install_with(PRFDATA_MAX_INSTANCES);
}

static int uninstall(void **state)
{
    char path[400];

    while (child_count > 0)
        stop(child_count - 1);
    /* Deletes these files, because provided_end() would read the whole folder for each of them. */
    for (unsigned i = 0; i < files_written; i++) {
        file_path(FIRST_NUMBER + i, path, sizeof path);
        (void)unlink(path);
        foreign_path(i, path, sizeof path);
        (void)unlink(path);
    }
    files_written = 0;
    return provided_end(state);
}

static void run_programs(void)
{
    for (unsigned i = 0; i < PROGRAMS; i++)
        assert_int_equal(start_as(OURS, publish, i), '+');
    assert_int_equal(collected_instances_now(provider, "Global", QUEUE_TITLE), PROGRAMS + 1);
}

static bool shows(prfdata_provider *whom, unsigned number)
{
    char name[16];

    snprintf(name, sizeof name, "p%u", number);
    return collected_has_now(whom, "Global", QUEUE_TITLE, "", name);
}

static void expect_programs(prfdata_provider *whom, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!shows(whom, i))
            fail_msg("program %u is not shown", i);
}

/* The old reader still shows all programs. A new reader shows them after a few refreshes. Both
 * readers also show a program that starts now. */
static void expect_nothing_displaced(void)
{
    prfdata_provider *late = provided_open();

    for (int i = 0; i < 3; i++)
        expect_programs(provider, PROGRAMS);
    for (int i = 0; i < 6; i++)
        (void)shows(late, 0);
    expect_programs(late, PROGRAMS);
    assert_int_equal(start_as(OURS, publish, PROGRAMS), '+');
    for (int i = 0; i < 6; i++)
        (void)shows(provider, 0);
    expect_programs(provider, PROGRAMS + 1);
    expect_programs(late, PROGRAMS + 1);
    prfdata_provider_close(late);
}

static void displace(char (*work)(unsigned argument), unsigned count)
{
    if (geteuid() != 0)
        skip();
    run_programs();
    assert_int_equal(start_as(THEIRS, work, count), '+');
    expect_nothing_displaced();
}

/* ---- Files of another account ---- */

static void test_shares_early_empty_files_displace_nothing(void **state)
{
    (void)state;
    displace(write_empty_files, 1024);
}

static void test_shares_as_many_empty_files_as_are_listed_displace_nothing(void **state)
{
    (void)state;
    displace(write_empty_files, 16384);
}

/* There are more files than a refresh lists, so the folder is read in parts. */
static void test_shares_more_empty_files_than_are_listed_displace_nothing(void **state)
{
    (void)state;
    displace(write_empty_files, 20000);
}

static void test_shares_early_unfinished_files_displace_nothing(void **state)
{
    (void)state;
    displace(write_unfinished_files, 3000);
}

static void test_shares_early_regions_displace_nothing(void **state)
{
    (void)state;
    displace(copy_own_region, 1100);
}

/* A file whose name is not that of a region needs no place. A refresh reads at most 20,480
 * names. */
static void test_shares_foreign_names_displace_nothing(void **state)
{
    (void)state;
    displace(write_foreign_names, 70000);
}

/* ---- Programs of one account ---- */

/* If no other account publishes, one account has all places. Its empty files take none. */
static void test_shares_of_one_account_alone_are_all_places(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(start_as(OURS, write_empty_files, 1100), '+');
    run_programs();
    assert_int_equal(start_as(OURS, copy_own_region, 1010), '+');
    expect_programs(provider, PROGRAMS);
}

/* ---- Instances ---- */

/* Returns how many instances named by this letter are shown. A binary search finds the number,
 * because the shown ones have the lowest numbers. */
static unsigned count_shown(const collected *taken, char letter)
{
    unsigned shown = 0, absent = PRFDATA_MAX_INSTANCES;
    char name[16];

    while (absent - shown > 1) {
        const unsigned middle = shown + (absent - shown) / 2;

        snprintf(name, sizeof name, "%c%u", letter, middle - 1);
        if (collected_has(taken, QUEUE_TITLE, "", name))
            shown = middle;
        else
            absent = middle;
    }
    return shown;
}

static void take(collected *taken)
{
    collected_free(taken);
    collected_take(taken, provider, "Global");
}

enum { ALL = PRFDATA_MAX_INSTANCES };

/* The other account has instances for all rows, and had them first. */
static void test_shares_of_rows_leave_room_for_few_instances(void **state)
{
    collected taken = {0};

    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(start_as(THEIRS, publish_many, ALL), '+');
    assert_int_equal(collected_instances_now(provider, "Global", QUEUE_TITLE), ALL + 1);
    assert_false(noticed.of_rows);
    for (unsigned i = 0; i < PROGRAMS; i++)
        assert_int_equal(start_as(OURS, publish, i), '+');
    take(&taken);
    for (unsigned i = 0; i < PROGRAMS; i++)
        assert_true(shows(provider, i));
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), ALL + 1);
    collected_free(&taken);
    assert_true(noticed.of_rows);
    expect_share_of(THEIRS);
}

/* Both accounts have instances for more than half of the rows, so each of them gets half. */
static void test_shares_of_rows_are_equal(void **state)
{
    collected taken = {0};

    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(start_as(THEIRS, publish_many, ALL), '+');
    assert_int_equal(start_as(OURS, publish_many, 40000), '+');
    take(&taken);
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), ALL + 1);
    assert_in_range(count_shown(&taken, 'a'), ALL / 2, ALL / 2 + 1);
    collected_free(&taken);
}

/* Instances that a reader has shown stay when their account publishes more. */
static void test_shares_of_rows_of_one_account_alone_are_all_rows(void **state)
{
    collected taken = {0};

    (void)state;
    if (geteuid() != 0)
        skip();
    for (unsigned i = 0; i < PROGRAMS; i++)
        assert_int_equal(start_as(OURS, publish, i), '+');
    expect_programs(provider, PROGRAMS);
    assert_int_equal(start_as(OURS, publish_many, ALL), '+');
    take(&taken);
    assert_int_equal(collected_instances(&taken, QUEUE_TITLE), ALL + 1);
    collected_free(&taken);
    expect_programs(provider, PROGRAMS);
    assert_true(noticed.of_rows);
    assert_int_equal(noticed.of_shares, 0);
}

/* The program that starts last takes over the oldest file of its account, and has enough instances
 * for all rows. */
static void test_shares_of_rows_are_kept_when_an_older_file_is_taken_over(void **state)
{
    prfdata_test_file files[MOST_CHILDREN];

    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(start_as(OURS, publish, PROGRAMS), '+');
    for (unsigned i = 0; i < PROGRAMS; i++)
        assert_int_equal(start_as(OURS, publish, i), '+');
    expect_programs(provider, PROGRAMS + 1);
    stop(0);
    expect_programs(provider, PROGRAMS);
    assert_int_equal(start_as(OURS, publish_many, ALL), '+');
    assert_int_equal(prfdata_test_service_files(&service, files, MOST_CHILDREN), PROGRAMS + 1);
    expect_programs(provider, PROGRAMS);
    assert_true(noticed.of_rows);
}

/* ---- Shares ---- */

static void want(prfdata_shares *shares, uint8_t account, uint64_t amount)
{
    static prfdata_os_account accounts[3];

    accounts[account].bytes[0] = account;
    prfdata_shares_want(shares, &accounts[account], amount);
}

static void expect_left(const prfdata_shares *shares, uint8_t account, uint64_t left)
{
    const prfdata_os_account wanted = {.bytes = {account}};

    assert_int_equal(*prfdata_shares_left(shares, &wanted), left);
}

static void test_shares_an_account_gets_what_others_do_not_want(void **state)
{
    prfdata_shares shares;

    (void)state;
    assert_true(prfdata_shares_init(&shares, 3));
    want(&shares, 0, 60);
    want(&shares, 1, 40);
    want(&shares, 2, 10);
    want(&shares, 0, 40); /* another region of the same account */
    assert_true(prfdata_shares_divide(&shares, 100));
    expect_left(&shares, 0, 50);
    expect_left(&shares, 1, 40);
    expect_left(&shares, 2, 10);
    assert_int_equal(prfdata_shares_largest(&shares)->bytes[0], 0);
    assert_false(prfdata_shares_divide(&shares, 150));
    expect_left(&shares, 0, 100);
    prfdata_shares_free(&shares);
}

/* ---- Copies of an earlier version ---- */

enum { MORE_COUNTERS = 600, FIRST_MORE_ID = 5000 };

/* Installs a version in which each queue has many more counters. The copies of two programs with
 * TALL_PROGRAM instances each then take 265 MB. All copies together may take 268 MB. */
static void upgrade(void)
{
    static sample_map tall;

    tall = sample;
    tall.map.entries = tall.entries;
    for (uint32_t i = 0; i < MORE_COUNTERS; i++) {
        const prfdata_map_entry counter =
            sample_map_counter(FIRST_MORE_ID + i, PERF_COUNTER_BULK_COUNT);

        sample_map_insert(&tall, 2, &counter);
    }
    tall.entries[0].max_instances = 16;
    prfdata_test_service_upgrade(&service, &tall.map);
}

static void test_shares_of_copies_leave_room_for_few_instances(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(start_as(THEIRS, publish_after_many, TALL_PROGRAM), '+');
    assert_int_equal(start_as(THEIRS, publish_after_many, TALL_PROGRAM), '+');
    assert_int_equal(start_as(OURS, publish_many, 500), '+');
    upgrade();
    assert_true(collected_has_now(provider, "Global", QUEUE_TITLE, "", "a0"));
    assert_true(collected_has_now(provider, "Global", QUEUE_TITLE, "", "b"));
    assert_true(noticed.of_copies);
    expect_share_of(THEIRS);
}

static void test_shares_of_copies_of_one_account_alone_are_all_memory(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(start_as(THEIRS, publish_after_many, TALL_PROGRAM), '+');
    assert_int_equal(start_as(THEIRS, publish_after_many, TALL_PROGRAM), '+');
    upgrade();
    assert_true(collected_has_now(provider, "Global", QUEUE_TITLE, "", "b"));
    assert_false(noticed.of_copies);
    assert_int_equal(noticed.of_shares, 0);
}

/* There is memory for two of three tall programs. The third one takes over the file of a program
 * that ended, so its file is older than those of the others. */
static void test_shares_of_copies_are_kept_when_an_older_file_is_taken_over(void **state)
{
    prfdata_test_file files[MOST_CHILDREN];

    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(start_as(OURS, publish, 3), '+');
    assert_int_equal(start_as(OURS, publish_tall, 0), '+');
    assert_int_equal(start_as(OURS, publish_tall, 1), '+');
    upgrade();
    assert_true(shows(provider, 3));
    expect_programs(provider, 2);
    stop(0);
    assert_false(shows(provider, 3));
    assert_int_equal(start_as(OURS, publish_tall, 2), '+');
    assert_int_equal(prfdata_test_service_files(&service, files, MOST_CHILDREN), 3);
    expect_programs(provider, 2);
    assert_false(shows(provider, 2));
    assert_true(noticed.of_copies);
    assert_int_equal(noticed.of_shares, 0);
}

#define TEST(name)       cmocka_unit_test_setup_teardown(name, install, uninstall)
#define TEST_LARGE(name) cmocka_unit_test_setup_teardown(name, install_large, uninstall)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_shares_early_empty_files_displace_nothing),
        TEST(test_shares_as_many_empty_files_as_are_listed_displace_nothing),
        TEST(test_shares_more_empty_files_than_are_listed_displace_nothing),
        TEST(test_shares_early_unfinished_files_displace_nothing),
        TEST(test_shares_early_regions_displace_nothing),
        TEST(test_shares_foreign_names_displace_nothing),
        TEST(test_shares_of_one_account_alone_are_all_places),
        TEST_LARGE(test_shares_of_rows_leave_room_for_few_instances),
        TEST_LARGE(test_shares_of_rows_are_equal),
        TEST_LARGE(test_shares_of_rows_of_one_account_alone_are_all_rows),
        TEST_LARGE(test_shares_of_rows_are_kept_when_an_older_file_is_taken_over),
        cmocka_unit_test(test_shares_an_account_gets_what_others_do_not_want),
        TEST_LARGE(test_shares_of_copies_leave_room_for_few_instances),
        TEST_LARGE(test_shares_of_copies_of_one_account_alone_are_all_memory),
        TEST_LARGE(test_shares_of_copies_are_kept_when_an_older_file_is_taken_over),
    };

    return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}
