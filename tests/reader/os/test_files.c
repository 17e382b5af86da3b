/* SPDX-License-Identifier: MIT */
/* Tests the two ways in which programs write files: piece by piece, as logs are written, and as a
 * whole. If a file of any kind has the name already, both ways must do the same with this file and
 * change only its content. Each test of writing tries both ways. Other tests read a long file
 * and compare two files. */
#define _GNU_SOURCE /* xattr, mkfifo */

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>
#endif

#include <prfdata/error.h>

#include "os/files.h"
#include "support/reader/temporary_file.h"

typedef enum way { IN_PIECES, AS_A_WHOLE, WAYS } way;

static temporary_file target;

static uint32_t write_pieces(prfdata_text path, bool overwrite, const char *text)
{
    prfdata_stream stream;
    uint32_t status = prfdata_files_create(path, overwrite, &stream);

    if (status != ERROR_SUCCESS)
        return status;
    for (; status == ERROR_SUCCESS && *text; text++)
        status = prfdata_streams_write(stream, text, 1);
    assert_int_equal(prfdata_files_close(stream), ERROR_SUCCESS);
    return status;
}

static uint32_t put_at(way how, prfdata_text path, bool overwrite, const char *text)
{
    return how == IN_PIECES ? write_pieces(path, overwrite, text)
                            : prfdata_files_write(path, overwrite, text, strlen(text));
}

static uint32_t put(way how, bool overwrite, const char *text)
{
    return put_at(how, target.text, overwrite, text);
}

static void expect_content(const char *path, const char *wanted)
{
    char text[64] = "";
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_string_equal(text, wanted);
}

static void write_old(void)
{
    temporary_file_write(&target, "old content", 11);
}

static int set_up(void **state)
{
    (void)state;
    temporary_file_name(&target, "target");
    (void)remove(target.ascii);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    (void)remove(target.ascii);
    return 0;
}

/* ---- On every system ---- */

static void test_files_a_new_name_gets_a_file(void **state)
{
    (void)state;
    for (way how = 0; how < WAYS; how++) {
        for (int overwrite = 0; overwrite < 2; overwrite++) {
            assert_int_equal(put(how, overwrite, "new"), ERROR_SUCCESS);
            expect_content(target.ascii, "new");
            assert_int_equal(remove(target.ascii), 0);
        }
    }
}

static void test_files_one_that_exists_is_replaced_only_if_that_is_wanted(void **state)
{
    (void)state;
    for (way how = 0; how < WAYS; how++) {
        write_old();
        assert_int_equal(put(how, false, "new"), ERROR_FILE_EXISTS);
        expect_content(target.ascii, "old content");
        assert_int_equal(put(how, true, "new"), ERROR_SUCCESS);
        expect_content(target.ascii, "new");
    }
}

/* A file that is longer than the limit is mapped for a view, and refused for reading. */
static void test_files_a_long_file_is_mapped_or_refused(void **state)
{
    prfdata_files_view view;
    void *bytes = NULL;
    size_t size = 0;

    (void)state;
    write_old();
    assert_int_equal(prfdata_files_read(target.text, 10, &bytes, &size), ERROR_MORE_DATA);
    assert_int_equal(prfdata_files_read(target.text, 11, &bytes, &size), ERROR_SUCCESS);
    assert_string_equal(bytes, "old content");
    free(bytes);
    for (size_t limit = 10; limit < 12; limit++) {
        assert_int_equal(prfdata_files_view_open(target.text, limit, true, &view), ERROR_SUCCESS);
        assert_int_equal(view.is_mapped, limit == 10);
        assert_int_equal(view.size, 11);
        assert_memory_equal(view.bytes, "old content", 11);
        prfdata_files_view_close(&view);
    }
}

static void test_files_the_same_file_is_recognised(void **state)
{
    temporary_file other;

    (void)state;
    temporary_file_name(&other, "other");
    write_old();
    assert_true(prfdata_files_are_same(target.text, target.text));
    assert_false(prfdata_files_are_same(target.text, other.text));
    assert_false(prfdata_files_are_same(other.text, other.text)); /* it does not exist */
    temporary_file_write(&other, "old content", strlen("old content"));
    assert_false(prfdata_files_are_same(target.text, other.text));
    assert_int_equal(remove(other.ascii), 0);
}

static void test_files_a_folder_is_refused(void **state)
{
    (void)state;
#ifdef _WIN32
    assert_true(CreateDirectoryA(target.ascii, NULL));
#else
    assert_int_equal(mkdir(target.ascii, 0700), 0);
#endif
    for (way how = 0; how < WAYS; how++) {
        assert_int_not_equal(put(how, true, "new"), ERROR_SUCCESS);
        assert_int_not_equal(put(how, false, "new"), ERROR_SUCCESS);
    }
#ifdef _WIN32
    assert_true(RemoveDirectoryA(target.ascii));
#else
    assert_int_equal(rmdir(target.ascii), 0);
#endif
}

static void test_files_a_folder_that_does_not_exist_is_not_made(void **state)
{
    temporary_file inside;

    (void)state;
    temporary_file_name(&inside, "target/inside");
    for (way how = 0; how < WAYS; how++)
        assert_int_not_equal(put_at(how, inside.text, true, "new"), ERROR_SUCCESS);
}

static void expect_device(const char *name)
{
    uint16_t chars[64];
    const prfdata_text path = ascii_text(name, chars);

    for (way how = 0; how < WAYS; how++) {
        assert_int_equal(put_at(how, path, false, "new"), ERROR_SUCCESS);
        assert_int_equal(put_at(how, path, true, "new"), ERROR_SUCCESS);
    }
}

#ifdef _WIN32
/* ---- On Windows ---- */

static void test_files_a_device_gets_the_content(void **state)
{
    (void)state;
    expect_device("NUL");
    expect_device("\\\\.\\NUL");
}

static void test_files_one_that_may_only_be_read_is_refused(void **state)
{
    (void)state;
    for (way how = 0; how < WAYS; how++) {
        write_old();
        assert_true(SetFileAttributesA(target.ascii, FILE_ATTRIBUTE_READONLY));
        assert_int_equal(put(how, true, "new"), ERROR_ACCESS_DENIED);
        expect_content(target.ascii, "old content");
        assert_int_equal(GetFileAttributesA(target.ascii) & FILE_ATTRIBUTE_READONLY,
                         FILE_ATTRIBUTE_READONLY);
        assert_true(SetFileAttributesA(target.ascii, FILE_ATTRIBUTE_NORMAL));
    }
}

static void test_files_attributes_stay(void **state)
{
    const DWORD kept = FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM;

    (void)state;
    for (way how = 0; how < WAYS; how++) {
        write_old();
        assert_true(SetFileAttributesA(target.ascii, kept));
        if ((GetFileAttributesA(target.ascii) & kept) != kept)
            skip(); /* Wine keeps no attributes on this disk */
        assert_int_equal(put(how, true, "new"), ERROR_SUCCESS);
        assert_int_equal(GetFileAttributesA(target.ascii) & kept, kept);
        expect_content(target.ascii, "new");
        assert_true(SetFileAttributesA(target.ascii, FILE_ATTRIBUTE_NORMAL));
    }
}

/* Returns the target's owner and access list, which the caller frees. */
static void *security_of_target(DWORD *size)
{
    const SECURITY_INFORMATION parts = OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION;
    void *security;

    (void)GetFileSecurityA(target.ascii, parts, NULL, 0, size);
    security = calloc(1, *size);
    assert_non_null(security);
    assert_true(GetFileSecurityA(target.ascii, parts, security, *size, size));
    return security;
}

/* Lets only the owner use the target: its access list is protected and has one entry. */
static void protect_target(void)
{
    DWORD size;
    PSECURITY_DESCRIPTOR old = security_of_target(&size);
    SECURITY_DESCRIPTOR made;
    BYTE list_bytes[256];
    ACL *list = (ACL *)(void *)list_bytes;
    BOOL is_default;
    PSID owner;

    assert_true(GetSecurityDescriptorOwner(old, &owner, &is_default));
    assert_true(InitializeAcl(list, sizeof list_bytes, ACL_REVISION));
    assert_true(AddAccessAllowedAce(list, ACL_REVISION, FILE_ALL_ACCESS, owner));
    assert_true(InitializeSecurityDescriptor(&made, SECURITY_DESCRIPTOR_REVISION));
    assert_true(SetSecurityDescriptorDacl(&made, TRUE, list, FALSE));
    assert_true(SetSecurityDescriptorControl(&made, SE_DACL_PROTECTED, SE_DACL_PROTECTED));
    assert_true(SetFileSecurityA(target.ascii, DACL_SECURITY_INFORMATION, &made));
    free(old);
}

static void test_files_access_lists_stay(void **state)
{
    (void)state;
    for (way how = 0; how < WAYS; how++) {
        DWORD usual_size, before_size, after_size;
        void *usual, *before, *after;

        (void)remove(target.ascii);
        write_old();
        usual = security_of_target(&usual_size);
        protect_target();
        before = security_of_target(&before_size);
        assert_false(before_size == usual_size && !memcmp(before, usual, usual_size));
        assert_int_equal(put(how, true, "new"), ERROR_SUCCESS);
        after = security_of_target(&after_size);
        assert_int_equal(after_size, before_size);
        assert_memory_equal(after, before, before_size);
        expect_content(target.ascii, "new");
        free(usual);
        free(before);
        free(after);
    }
}

static void test_files_the_time_of_creation_stays(void **state)
{
    const FILETIME wanted = {0xD53E8000u, 0x019DB1DEu}; /* 1970 */

    (void)state;
    for (way how = 0; how < WAYS; how++) {
        WIN32_FILE_ATTRIBUTE_DATA before, after;
        HANDLE file;

        write_old();
        file = CreateFileA(target.ascii, FILE_WRITE_ATTRIBUTES, 0, NULL, OPEN_EXISTING, 0, NULL);
        assert_true(file != INVALID_HANDLE_VALUE);
        assert_true(SetFileTime(file, &wanted, NULL, NULL));
        CloseHandle(file);
        assert_true(GetFileAttributesExA(target.ascii, GetFileExInfoStandard, &before));
        if (memcmp(&before.ftCreationTime, &wanted, sizeof wanted) != 0)
            skip(); /* Wine cannot set the time of creation on Linux's disks */
        assert_int_equal(put(how, true, "new"), ERROR_SUCCESS);
        assert_true(GetFileAttributesExA(target.ascii, GetFileExInfoStandard, &after));
        assert_memory_equal(&after.ftCreationTime, &wanted, sizeof wanted);
    }
}

static void test_files_other_names_stay(void **state)
{
    char other[320];

    (void)state;
    snprintf(other, sizeof other, "%s-too", target.ascii);
    for (way how = 0; how < WAYS; how++) {
        write_old();
        assert_true(CreateHardLinkA(other, target.ascii, NULL));
        assert_int_equal(put(how, true, "new"), ERROR_SUCCESS);
        expect_content(target.ascii, "new");
        expect_content(other, "new");
        assert_true(DeleteFileA(other));
    }
}

/* Under Wine, a stream is a file with a colon in its name. */
static void test_files_a_stream_is_written_in_its_file(void **state)
{
    temporary_file stream;

    (void)state;
    temporary_file_name(&stream, "target:stream");
    write_old();
    for (way how = 0; how < WAYS; how++) {
        uint32_t status = put_at(how, stream.text, false, "new");

        if (status == ERROR_INVALID_NAME)
            skip(); /* the disk has no streams */
        assert_int_equal(status, ERROR_SUCCESS);
        assert_int_equal(put_at(how, stream.text, false, "newer"), ERROR_FILE_EXISTS);
        assert_int_equal(put_at(how, stream.text, true, "newest"), ERROR_SUCCESS);
        expect_content(stream.ascii, "newest");
        expect_content(target.ascii, "old content");
        assert_true(DeleteFileA(stream.ascii));
    }
}

static void test_files_streams_stay(void **state)
{
    temporary_file stream;

    (void)state;
    temporary_file_name(&stream, "target:stream");
    for (way how = 0; how < WAYS; how++) {
        FILE *file;

        write_old();
        file = fopen(stream.ascii, "wb");
        if (!file)
            skip(); /* the disk has no streams */
        fputs("beside", file);
        fclose(file);
        assert_int_equal(put(how, true, "new"), ERROR_SUCCESS);
        expect_content(target.ascii, "new");
        expect_content(stream.ascii, "beside");
        (void)DeleteFileA(stream.ascii);
    }
}

static void test_files_a_pipe_gets_the_content(void **state)
{
    char name[80];
    uint16_t chars[80];
    prfdata_text path;

    (void)state;
    snprintf(name, sizeof name, "\\\\.\\pipe\\prfdata-test-files-%lu",
             (unsigned long)GetCurrentProcessId());
    path = ascii_text(name, chars);
    for (int i = 0; i < 2 * WAYS; i++) {
        HANDLE pipe = CreateNamedPipeA(name, PIPE_ACCESS_INBOUND, PIPE_TYPE_BYTE | PIPE_NOWAIT, 1,
                                       0, 4096, 0, NULL);
        char got[16] = "";
        DWORD count = 0;

        assert_true(pipe != INVALID_HANDLE_VALUE);
        (void)ConnectNamedPipe(pipe, NULL);
        assert_int_equal(put_at((way)(i % WAYS), path, i < WAYS, "new"), ERROR_SUCCESS);
        for (DWORD part = 0; count < 3; count += part)
            assert_true(ReadFile(pipe, got + count, (DWORD)(sizeof got - 1 - count), &part, NULL));
        assert_string_equal(got, "new");
        CloseHandle(pipe);
    }
}

static void test_files_one_that_a_program_holds_is_left_alone(void **state)
{
    (void)state;
    for (way how = 0; how < WAYS; how++) {
        HANDLE holder;

        write_old();
        holder = CreateFileA(target.ascii, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
        assert_true(holder != INVALID_HANDLE_VALUE);
        assert_int_not_equal(put(how, true, "new"), ERROR_SUCCESS);
        CloseHandle(holder);
        expect_content(target.ascii, "old content");
    }
}
#else
/* ---- On Linux ---- */

static void test_files_a_device_gets_the_content(void **state)
{
    (void)state;
    expect_device("/dev/null");
}

static void test_files_one_that_may_only_be_read_is_refused(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip(); /* root may write to any file */
    for (way how = 0; how < WAYS; how++) {
        write_old();
        assert_int_equal(chmod(target.ascii, 0444), 0);
        assert_int_equal(put(how, true, "new"), ERROR_ACCESS_DENIED);
        expect_content(target.ascii, "old content");
        assert_int_equal(chmod(target.ascii, 0600), 0);
    }
}

static void test_files_rights_owner_and_attributes_stay(void **state)
{
    (void)state;
    for (way how = 0; how < WAYS; how++) {
        struct stat before, after;
        char value[8];
        bool has_attribute;

        write_old();
        assert_int_equal(chmod(target.ascii, 0646), 0);
        if (geteuid() == 0)
            assert_int_equal(chown(target.ascii, 4711, 4712), 0);
        has_attribute = setxattr(target.ascii, "user.prfdata", "kept", 4, 0) == 0;
        assert_int_equal(stat(target.ascii, &before), 0);
        assert_int_equal(put(how, true, "new"), ERROR_SUCCESS);
        assert_int_equal(stat(target.ascii, &after), 0);
        assert_int_equal(after.st_mode, before.st_mode);
        assert_int_equal(after.st_uid, before.st_uid);
        assert_int_equal(after.st_gid, before.st_gid);
        if (has_attribute)
            assert_int_equal(getxattr(target.ascii, "user.prfdata", value, sizeof value), 4);
        expect_content(target.ascii, "new");
    }
}

static void test_files_other_names_and_links_stay(void **state)
{
    char other[320], leading[320];
    struct stat found;

    (void)state;
    snprintf(other, sizeof other, "%s-too", target.ascii);
    snprintf(leading, sizeof leading, "%s-link", target.ascii);
    for (way how = 0; how < WAYS; how++) {
        uint16_t chars[320];

        write_old();
        assert_int_equal(link(target.ascii, other), 0);
        assert_int_equal(symlink(target.ascii, leading), 0);
        assert_int_equal(put_at(how, ascii_text(leading, chars), true, "new"), ERROR_SUCCESS);
        expect_content(target.ascii, "new");
        expect_content(other, "new");
        assert_int_equal(lstat(leading, &found), 0);
        assert_true(S_ISLNK(found.st_mode));
        assert_int_equal(unlink(other), 0);
        assert_int_equal(unlink(leading), 0);
    }
}

/* Return to the rights of the test, which may be those of root. */
static void end_few_rights(const char *folder)
{
    assert_int_equal(seteuid(getuid()), 0);
    assert_int_equal(chmod(folder, 0700), 0);
}

/* The user may write the file, but may not make another one next to it. */
static void test_files_one_in_a_folder_without_rights_is_written(void **state)
{
    temporary_file folder, file;

    (void)state;
    temporary_file_name(&folder, "folder");
    temporary_file_name(&file, "folder/file");
    assert_int_equal(mkdir(folder.ascii, 0700), 0);
    for (way how = 0; how < WAYS; how++) {
        uint32_t status, of_new;

        temporary_file_write(&file, "old content", strlen("old content"));
        assert_int_equal(chmod(file.ascii, 0666), 0);
        assert_int_equal(chmod(folder.ascii, 0555), 0);
        if (getuid() == 0 && seteuid(65534) != 0) {
            end_few_rights(folder.ascii);
            skip();
        }
        status = put_at(how, file.text, true, "new");
        of_new = put_at(how, file.text, false, "new");
        end_few_rights(folder.ascii);
        assert_int_equal(status, ERROR_SUCCESS);
        assert_int_equal(of_new, ERROR_FILE_EXISTS);
        expect_content(file.ascii, "new");
    }
    assert_int_equal(remove(file.ascii), 0);
    assert_int_equal(rmdir(folder.ascii), 0);
}

/* The name is as long as possible, so a temporary file cannot have a longer name. */
static void test_files_the_longest_name_is_possible(void **state)
{
    temporary_file file;
    char *end;

    (void)state;
    temporary_file_name(&file, "long");
    end = strrchr(file.ascii, '/') + 1 + 255;
    assert_true((size_t)(end - file.ascii) < sizeof file.ascii);
    memset(file.ascii + strlen(file.ascii), 'x', (size_t)(end - file.ascii) - strlen(file.ascii));
    *end = 0;
    file.text = ascii_text(file.ascii, file.chars);
    for (way how = 0; how < WAYS; how++) {
        assert_int_equal(put_at(how, file.text, false, "new"), ERROR_SUCCESS);
        expect_content(file.ascii, "new");
        assert_int_equal(put_at(how, file.text, true, "newer"), ERROR_SUCCESS);
        expect_content(file.ascii, "newer");
        assert_int_equal(remove(file.ascii), 0);
        assert_int_equal(put_at(how, file.text, true, "newest"), ERROR_SUCCESS);
        expect_content(file.ascii, "newest");
        assert_int_equal(remove(file.ascii), 0);
    }
}

static void test_files_a_link_that_leads_nowhere_is_refused(void **state)
{
    (void)state;
    for (way how = 0; how < WAYS; how++) {
        char nowhere[320];
        struct stat found;

        snprintf(nowhere, sizeof nowhere, "%s-nowhere", target.ascii);
        assert_int_equal(symlink(nowhere, target.ascii), 0);
        assert_int_equal(put(how, false, "new"), ERROR_FILE_EXISTS);
        assert_int_equal(put(how, true, "new"), ERROR_FILE_NOT_FOUND);
        assert_int_not_equal(lstat(nowhere, &found), 0);
        assert_int_equal(unlink(target.ascii), 0);
    }
}

static void test_files_a_pipe_gets_the_content(void **state)
{
    char got[16];
    int pipe;

    (void)state;
    assert_int_equal(mkfifo(target.ascii, 0600), 0);
    pipe = open(target.ascii, O_RDWR); /* the pipe has a reader, so writers need not wait for one */
    assert_true(pipe >= 0);
    for (int i = 0; i < 2 * WAYS; i++) {
        size_t count = 0;

        assert_int_equal(put((way)(i % WAYS), i < WAYS, "new"), ERROR_SUCCESS);
        while (count < 3) {
            const ssize_t part = read(pipe, got + count, sizeof got - count);

            assert_true(part > 0);
            count += (size_t)part;
        }
        assert_memory_equal(got, "new", 3);
    }
    close(pipe);
}

static void test_files_a_socket_is_refused(void **state)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct stat found;
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);

    (void)state;
    assert_in_range(strlen(target.ascii), 1, sizeof name.sun_path - 1);
    memcpy(name.sun_path, target.ascii, strlen(target.ascii) + 1);
    assert_int_equal(bind(listener, (struct sockaddr *)&name, sizeof name), 0);
    for (way how = 0; how < WAYS; how++)
        assert_int_not_equal(put(how, true, "new"), ERROR_SUCCESS);
    assert_int_equal(lstat(target.ascii, &found), 0);
    assert_true(S_ISSOCK(found.st_mode));
    close(listener);
}
#endif

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_files_a_new_name_gets_a_file),
        TEST(test_files_one_that_exists_is_replaced_only_if_that_is_wanted),
        TEST(test_files_a_long_file_is_mapped_or_refused),
        TEST(test_files_the_same_file_is_recognised),
        TEST(test_files_a_folder_is_refused),
        TEST(test_files_a_folder_that_does_not_exist_is_not_made),
        TEST(test_files_a_device_gets_the_content),
        TEST(test_files_one_that_may_only_be_read_is_refused),
        TEST(test_files_a_pipe_gets_the_content),
#ifdef _WIN32
        TEST(test_files_attributes_stay),
        TEST(test_files_access_lists_stay),
        TEST(test_files_the_time_of_creation_stays),
        TEST(test_files_other_names_stay),
        TEST(test_files_a_stream_is_written_in_its_file),
        TEST(test_files_streams_stay),
        TEST(test_files_one_that_a_program_holds_is_left_alone),
#else
        TEST(test_files_rights_owner_and_attributes_stay),
        TEST(test_files_other_names_and_links_stay),
        TEST(test_files_one_in_a_folder_without_rights_is_written),
        TEST(test_files_the_longest_name_is_possible),
        TEST(test_files_a_link_that_leads_nowhere_is_refused),
        TEST(test_files_a_socket_is_refused),
#endif
    };

    return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
