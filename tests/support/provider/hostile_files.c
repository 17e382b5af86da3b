/* SPDX-License-Identifier: MIT */
/* Implements hostile_files.h for both systems. Windows refuses to cut a file that is mapped. Under
 * Wine, a Linux shell cuts the file without Wine's knowledge. */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "support/provider/hostile_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#include <winioctl.h>

#include "support/linux_shell.h"
#else
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#endif

enum { PATH_BYTES = 520, SHAKES = 300 };

static void path_of(const prfdata_test_service *service, const char *name, char *path)
{
    prfdata_test_service_path(service, name, path, PATH_BYTES);
}

#ifdef _WIN32

bool hostile_make_folder(const prfdata_test_service *service, const char *name)
{
    char path[PATH_BYTES];

    path_of(service, name, path);
    return CreateDirectoryA(path, NULL);
}

bool hostile_make_link(const prfdata_test_service *service, const char *target, const char *name)
{
    char path[PATH_BYTES];

    path_of(service, name, path);
    /* Wine reports success but makes no link. */
    return CreateSymbolicLinkA(path, target, 0) != 0 &&
           GetFileAttributesA(path) != INVALID_FILE_ATTRIBUTES;
}

bool hostile_make_hard_link(const prfdata_test_service *service, const char *target,
                            const char *name)
{
    char old_path[PATH_BYTES], path[PATH_BYTES];

    path_of(service, target, old_path);
    path_of(service, name, path);
    return CreateHardLinkA(path, old_path, NULL);
}

bool hostile_make_fifo(const prfdata_test_service *service, const char *name)
{
    (void)service;
    (void)name;
    return false;
}

bool hostile_make_socket(const prfdata_test_service *service, const char *name)
{
    (void)service;
    (void)name;
    return false;
}

/* Windows makes a hole only in a file that has the mark of a sparse file. Under Wine no file gets
 * this mark. Without this mark, the function returns false if `size` is below 4 GiB. */
bool hostile_make_sparse(const prfdata_test_service *service, const char *name, uint64_t size)
{
    char path[PATH_BYTES];
    LARGE_INTEGER end;
    DWORD returned;
    HANDLE file;
    bool made;

    path_of(service, name, path);
    file = CreateFileA(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_ALWAYS, 0, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    end.QuadPart = (LONGLONG)size;
    (void)DeviceIoControl(file, FSCTL_SET_SPARSE, NULL, 0, NULL, 0, &returned, NULL);
    made = (size > UINT32_MAX || (GetFileAttributesA(path) & FILE_ATTRIBUTE_SPARSE_FILE)) &&
           SetFilePointerEx(file, end, NULL, FILE_BEGIN) && SetEndOfFile(file);
    CloseHandle(file);
    if (!made)
        DeleteFileA(path);
    return made;
}

bool hostile_rename(const prfdata_test_service *service, const char *from, const char *to)
{
    char old_path[PATH_BYTES], path[PATH_BYTES];

    path_of(service, from, old_path);
    path_of(service, to, path);
    return MoveFileExA(old_path, path, MOVEFILE_REPLACE_EXISTING);
}

static HANDLE refusing;

bool hostile_refuse(const prfdata_test_service *service, const char *name)
{
    char path[PATH_BYTES];

    path_of(service, name, path);
    refusing = CreateFileA(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
    return refusing != INVALID_HANDLE_VALUE;
}

void hostile_refuse_no_more(const prfdata_test_service *service, const char *name)
{
    (void)service;
    (void)name;
    CloseHandle(refusing);
}

bool hostile_shake_size(const prfdata_test_service *service, const char *name)
{
    char path[PATH_BYTES], script[400];
    wchar_t wide[PATH_BYTES];

    path_of(service, name, path);
    snprintf(script, sizeof script,
             "cp \"$1\" \"$1.whole\"; i=0; while [ $i -lt %d ]; do i=$((i+1)); : >\"$1\"; "
             "truncate --size=64M \"$1\"; cat \"$1.whole\" >\"$1\"; done",
             SHAKES);
    return MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, PATH_BYTES) > 0 &&
           linux_shell_run(script, wide, NULL);
}

#else

bool hostile_make_folder(const prfdata_test_service *service, const char *name)
{
    char path[PATH_BYTES];

    path_of(service, name, path);
    return mkdir(path, 0755) == 0;
}

bool hostile_make_link(const prfdata_test_service *service, const char *target, const char *name)
{
    char path[PATH_BYTES];

    path_of(service, name, path);
    return symlink(target, path) == 0;
}

bool hostile_make_hard_link(const prfdata_test_service *service, const char *target,
                            const char *name)
{
    char old_path[PATH_BYTES], path[PATH_BYTES];

    path_of(service, target, old_path);
    path_of(service, name, path);
    return link(old_path, path) == 0;
}

bool hostile_make_fifo(const prfdata_test_service *service, const char *name)
{
    char path[PATH_BYTES];

    path_of(service, name, path);
    return mkfifo(path, 0644) == 0;
}

bool hostile_make_socket(const prfdata_test_service *service, const char *name)
{
    struct sockaddr_un address;
    char path[PATH_BYTES];
    bool made;
    int end;

    path_of(service, name, path);
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    strcpy(address.sun_path, path);
    end = socket(AF_UNIX, SOCK_STREAM, 0);
    made = bind(end, (const struct sockaddr *)&address, sizeof address) == 0;
    close(end);
    return made;
}

bool hostile_make_sparse(const prfdata_test_service *service, const char *name, uint64_t size)
{
    char path[PATH_BYTES];
    bool made;
    int file;

    path_of(service, name, path);
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0)
        return false;
    made = ftruncate(file, (off_t)size) == 0;
    close(file);
    if (!made)
        unlink(path);
    return made;
}

bool hostile_rename(const prfdata_test_service *service, const char *from, const char *to)
{
    char old_path[PATH_BYTES], path[PATH_BYTES];

    path_of(service, from, old_path);
    path_of(service, to, path);
    return rename(old_path, path) == 0;
}

/* Remove all rights to the file. Root could still read it, so root switches to another account. */
bool hostile_refuse(const prfdata_test_service *service, const char *name)
{
    char path[PATH_BYTES];

    path_of(service, name, path);
    if (chmod(path, 0) != 0)
        return false;
    if (geteuid() != 0)
        return true;
    return chmod(getenv("PRFDATA_TEST_ROOT"), 0755) == 0 && seteuid(65534) == 0;
}

void hostile_refuse_no_more(const prfdata_test_service *service, const char *name)
{
    char path[PATH_BYTES];

    path_of(service, name, path);
    if (getuid() == 0 && seteuid(0) != 0)
        _Exit(3);
    (void)chmod(path, 0644);
}

static void write_again(int file, const void *bytes, size_t size)
{
    if (pwrite(file, bytes, size, 0) != (ssize_t)size)
        _Exit(3);
}

bool hostile_shake_size(const prfdata_test_service *service, const char *name)
{
    char path[PATH_BYTES];
    size_t size;
    void *whole = prfdata_test_service_read_file(service, name, &size);
    bool shaken = whole != NULL;
    int file;

    path_of(service, name, path);
    file = open(path, O_RDWR | O_CLOEXEC);
    for (int i = 0; i < SHAKES && shaken; i++) {
        shaken = ftruncate(file, i % 2 ? 0 : 4096) == 0 && ftruncate(file, 64 << 20) == 0 &&
                 ftruncate(file, (off_t)size) == 0;
        write_again(file, whole, size);
    }
    close(file);
    free(whole);
    return shaken;
}

#endif
