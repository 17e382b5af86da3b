/* SPDX-License-Identifier: MIT */
/* Tests what only Linux has: links, FIFOs, sparse files, files that shrink under a view. On file
 * systems without nameless files, regions are created in a second way. To test that way, this file
 * includes os_region_write_posix.c. */
#include "system/os_region_write_posix.c"

#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "support/os_folder.h"
#include "support/service.h"

#define SERVICE "PrfDataTestOsPosix"
#define SIZE    12288u

static const prfdata_os_name name = {"b0b0b0b0b0b0b0b0-00000000000000a1.region"};
static const prfdata_os_region none = PRFDATA_OS_REGION_NONE;

static int set_up(void **state)
{
    (void)state;
    os_folder_begin(SERVICE, &name);
    return 0;
}

static uint32_t attach(void)
{
    prfdata_os_region region = none;
    uint32_t status = prfdata_os_region_attach(folder, &name, SIZE, &region);

    prfdata_os_region_close(&region);
    return status;
}

static void assert_no_region(void)
{
    bool alive = true;

    assert_int_equal(os_folder_take(&name), ERROR_ACCESS_DENIED);
    assert_int_equal(attach(), ERROR_INVALID_DATA);
    assert_int_equal(prfdata_os_region_probe(folder, &name, NULL, &alive), ERROR_ACCESS_DENIED);
    assert_true(alive);
}

static void test_os_posix_nothing_is_installed_without_a_root(void **state)
{
    uint32_t value;
    prfdata_os_directory *directory;

    (void)state;
    prfdata_os_posix_set_root(NULL);
    assert_int_equal(prfdata_os_setting_number("a", "b", &value), ERROR_FILE_NOT_FOUND);
    assert_int_equal(prfdata_os_directory_open("a", &directory), ERROR_FILE_NOT_FOUND);
}

static void test_os_posix_root_is_copied(void **state)
{
    char root[520];
    uint32_t value = 0;

    (void)state;
    snprintf(root, sizeof(root), "%s", getenv("PRFDATA_TEST_ROOT"));
    prfdata_os_posix_set_root(root);
    memset(root, 'x', 10);
    prfdata_test_service_set_number(&service, "Number", 42);
    assert_int_equal(prfdata_os_setting_number(SERVICE, "Number", &value), ERROR_SUCCESS);
    assert_int_equal(value, 42);
}

static void test_os_posix_linked_regions_folder_is_refused(void **state)
{
    prfdata_os_directory *directory;
    char link_path[520];

    (void)state;
    prfdata_test_service_path(&service, "link", link_path, sizeof(link_path));
    assert_int_equal(symlink(service.folder, link_path), 0);
    prfdata_test_service_set_text(&service, "Regions", link_path);
    assert_int_equal(prfdata_os_directory_open(SERVICE, &directory), ERROR_INVALID_DATA);
}

static void test_os_posix_links_are_not_followed(void **state)
{
    prfdata_os_region region = none;
    static const prfdata_os_name other = {"b0b0b0b0b0b0b0b0-00000000000000b2.region"};

    (void)state;
    assert_int_equal(prfdata_os_region_create(folder, &other, SIZE, &region), ERROR_SUCCESS);
    prfdata_os_region_close(&region);
    assert_int_equal(symlink(other.text, region_path), 0);
    assert_no_region();
    assert_int_equal(prfdata_os_region_create(folder, &name, SIZE, &region), ERROR_FILE_EXISTS);
}

static void test_os_posix_fifo_is_refused_without_waiting(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(region_path, 0644), 0);
    assert_no_region();
}

static void test_os_posix_socket_is_refused(void **state)
{
    struct sockaddr_un address;
    int file = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)state;
    memset(&address, 0, sizeof(address));
    address.sun_family = AF_UNIX;
    assert_true(strlen(region_path) < sizeof(address.sun_path));
    memcpy(address.sun_path, region_path, strlen(region_path));
    assert_int_equal(bind(file, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_no_region();
    close(file);
}

static void test_os_posix_sparse_file_is_refused(void **state)
{
    bool alive = true;
    int file = open(region_path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

    (void)state;
    assert_int_equal(ftruncate(file, SIZE), 0);
    close(file);
    assert_int_equal(os_folder_take(&name), ERROR_ACCESS_DENIED);
    assert_int_equal(attach(), ERROR_INVALID_DATA);
    assert_int_equal(prfdata_os_region_probe(folder, &name, NULL, &alive), ERROR_SUCCESS);
    assert_false(alive);
}

static void test_os_posix_take_refuses_files_of_other_accounts(void **state)
{
    prfdata_os_region region = none;

    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(prfdata_os_region_create(folder, &name, SIZE, &region), ERROR_SUCCESS);
    prfdata_os_region_close(&region);
    assert_int_equal(os_folder_take(&name), ERROR_SUCCESS);
    assert_int_equal(chown(region_path, 65534, 65534), 0);
    assert_int_equal(os_folder_take(&name), ERROR_ACCESS_DENIED);
    assert_int_equal(attach(), ERROR_SUCCESS);
}

static void test_os_posix_created_files_are_allocated_and_readable_for_all(void **state)
{
    prfdata_os_region region = none;
    struct stat about;
    mode_t mask = umask(077);

    (void)state;
    assert_int_equal(prfdata_os_region_create(folder, &name, SIZE, &region), ERROR_SUCCESS);
    umask(mask);
    assert_int_equal(stat(region_path, &about), 0);
    assert_true(about.st_blocks * 512 >= SIZE);
    assert_int_equal(about.st_mode & 0777, 0644);
    prfdata_os_region_close(&region);
}

static void test_os_posix_create_without_nameless_files_is_the_same(void **state)
{
    static const unsigned char zeros[SIZE];
    prfdata_os_region region = none, other = none;
    prfdata_test_file file;

    (void)state;
    assert_int_equal(create_renamed(folder->file, name.text, SIZE, &region), ERROR_SUCCESS);
    assert_memory_equal(region.bytes, zeros, SIZE);
    assert_int_equal(os_folder_take(&name), ERROR_SHARING_VIOLATION);
    assert_int_equal(create_renamed(folder->file, name.text, SIZE, &other), ERROR_FILE_EXISTS);
    assert_null(other.bytes);
    /* No draft of the file is left. */
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    assert_string_equal(file.name, name.text);
    prfdata_os_region_close(&region);
    assert_int_equal(os_folder_take(&name), ERROR_SUCCESS);
}

static void test_os_posix_failed_create_without_nameless_files_leaves_nothing(void **state)
{
    prfdata_os_region region = none;

    (void)state;
    assert_int_equal(create_renamed(folder->file, name.text, (uint64_t)1 << 55, &region),
                     ERROR_DISK_FULL);
    assert_int_equal(prfdata_test_service_files(&service, NULL, 0), 0);
}

/* The owner deleted the file after it was opened here. Readers would not see this region. */
static void test_os_posix_a_deleted_file_is_not_taken(void **state)
{
    prfdata_os_region region = none;
    struct stat about;
    int file;

    (void)state;
    assert_int_equal(prfdata_os_region_create(folder, &name, SIZE, &region), ERROR_SUCCESS);
    file = open(region_path, O_RDWR | O_CLOEXEC);
    prfdata_os_region_delete(folder, &name, &region);
    assert_int_equal(lock_own_file(file, false, &about), ERROR_FILE_NOT_FOUND);
    close(file);
}

static void test_os_posix_delete_leaves_a_file_that_took_the_name(void **state)
{
    prfdata_os_region region = none;

    (void)state;
    assert_int_equal(prfdata_os_region_create(folder, &name, SIZE, &region), ERROR_SUCCESS);
    assert_true(prfdata_test_service_delete_file(&service, name.text));
    assert_true(prfdata_test_service_write_file(&service, name.text, "x", 1));
    prfdata_os_region_delete(folder, &name, &region);
    assert_int_equal(prfdata_test_service_files(&service, NULL, 0), 1);
}

static void test_os_posix_truncated_file_is_caught(void **state)
{
    prfdata_os_region region = none, view = none;

    (void)state;
    assert_int_equal(prfdata_os_region_create(folder, &name, SIZE, &region), ERROR_SUCCESS);
    assert_int_equal(prfdata_os_region_attach(folder, &name, SIZE, &view), ERROR_SUCCESS);
    assert_true(prfdata_os_guarded(&view, os_folder_read_last, &view));
    assert_true(prfdata_test_service_truncate_file(&service, name.text, 4096));
    assert_false(prfdata_os_guarded(&view, os_folder_read_last, &view));
    assert_false(prfdata_os_guarded(&view, os_folder_read_last, &view));
    assert_true(prfdata_test_service_truncate_file(&service, name.text, SIZE));
    assert_true(prfdata_os_guarded(&view, os_folder_read_last, &view));
    prfdata_os_region_close(&view);
    prfdata_os_region_close(&region);
}

#define INSTALLED(test) cmocka_unit_test_setup_teardown(test, set_up, os_folder_end)

/* Other accounts left these files before the last restart. */
static void test_os_posix_root_removes_files_of_other_accounts(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_true(prfdata_test_service_write_file(&service, name.text, "old", 3));
    assert_int_equal(chown(region_path, 65534, 65534), 0);
    assert_int_equal(prfdata_os_region_remove(folder, &name), ERROR_SUCCESS);
    assert_int_equal(access(region_path, F_OK), -1);
}

/* In a child that fork() made, locks that the parent's threads hold are free. In the parent, these
 * locks stay locked. */
static void test_os_posix_forked_child_takes_the_locks_of_its_parent(void **state)
{
    prfdata_os_lock lock = {0}, other = {0};
    int status = 0;
    pid_t child;

    (void)state;
    prfdata_os_lock_enter(&lock);
    child = fork();
    if (child == 0) {
        alarm(20); /* ends the child if it waits for ever */
        prfdata_os_lock_enter(&lock);
        if (prfdata_os_lock_try(&lock) || !prfdata_os_lock_try(&other))
            _exit(1);
        prfdata_os_lock_leave(&lock);
        _exit(prfdata_os_lock_try(&lock) ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_false(prfdata_os_lock_try(&lock));
    prfdata_os_lock_leave(&lock);
    assert_true(prfdata_os_lock_try(&lock));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_os_posix_nothing_is_installed_without_a_root),
        INSTALLED(test_os_posix_root_is_copied),
        INSTALLED(test_os_posix_linked_regions_folder_is_refused),
        INSTALLED(test_os_posix_links_are_not_followed),
        INSTALLED(test_os_posix_fifo_is_refused_without_waiting),
        INSTALLED(test_os_posix_socket_is_refused),
        INSTALLED(test_os_posix_sparse_file_is_refused),
        INSTALLED(test_os_posix_take_refuses_files_of_other_accounts),
        INSTALLED(test_os_posix_root_removes_files_of_other_accounts),
        INSTALLED(test_os_posix_created_files_are_allocated_and_readable_for_all),
        INSTALLED(test_os_posix_create_without_nameless_files_is_the_same),
        INSTALLED(test_os_posix_failed_create_without_nameless_files_leaves_nothing),
        INSTALLED(test_os_posix_a_deleted_file_is_not_taken),
        INSTALLED(test_os_posix_delete_leaves_a_file_that_took_the_name),
        INSTALLED(test_os_posix_truncated_file_is_caught),
        cmocka_unit_test(test_os_posix_forked_child_takes_the_locks_of_its_parent),
    };

    return cmocka_run_group_tests_name("os_posix", tests, NULL, NULL);
}
