/* SPDX-License-Identifier: MIT */
/* Implements service.h for both systems. Only settings and a few file operations differ. On Linux,
 * child processes find the temporary root by an environment variable. */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "support/service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#endif

#include "map/maps.h"
#include "support/must.h"
#include "system/os_name.h"

const char *prfdata_test_region_name(uint64_t number)
{
    static prfdata_os_name names[8];
    static unsigned next;
    prfdata_os_name *name = &names[next++ % 8];

    prfdata_os_name_make(name, prfdata_os_boot(), number);
    return name->text;
}

static void join(char *path, size_t path_bytes, const char *folder, const char *name)
{
#ifdef _WIN32
    const char *separator = "\\";
#else
    const char *separator = "/";
#endif
    int chars = snprintf(path, path_bytes, "%s%s%s", folder, separator, name);

    MUST(chars > 0 && (size_t)chars < path_bytes);
}

#ifdef _WIN32

static void widen(const char *text, wchar_t *wide, size_t capacity)
{
    MUST(MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, (int)capacity) > 0);
}

static void narrow(const wchar_t *wide, char *text, size_t text_bytes)
{
    MUST(WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)text_bytes, NULL, NULL) > 0);
}

static HANDLE open_file(const char *path, DWORD access, DWORD share, DWORD disposition)
{
    wchar_t wide[520];

    widen(path, wide, 520);
    return CreateFileW(wide, access, share, NULL, disposition, 0, NULL);
}

static void wait_a_moment(void)
{
    Sleep(10);
}

static bool make_folder(const char *path)
{
    wchar_t wide[520];

    widen(path, wide, 520);
    return CreateDirectoryW(wide, NULL);
}

static void remove_folder(const char *path)
{
    wchar_t wide[520];

    widen(path, wide, 520);
    (void)RemoveDirectoryW(wide);
}

static bool remove_file(const char *path)
{
    wchar_t wide[520];

    widen(path, wide, 520);
    return DeleteFileW(wide) || RemoveDirectoryW(wide);
}

static size_t list_folder(const char *folder, prfdata_test_file *files, size_t capacity)
{
    char pattern[520];
    wchar_t wide[520];
    WIN32_FIND_DATAW entry;
    HANDLE find;
    size_t count = 0;

    join(pattern, sizeof(pattern), folder, "*");
    widen(pattern, wide, 520);
    find = FindFirstFileW(wide, &entry);
    if (find == INVALID_HANDLE_VALUE)
        return 0;
    do {
        if (wcscmp(entry.cFileName, L".") == 0 || wcscmp(entry.cFileName, L"..") == 0)
            continue;
        if (count < capacity) {
            narrow(entry.cFileName, files[count].name, sizeof(files[count].name));
            files[count].size = (uint64_t)entry.nFileSizeHigh << 32 | entry.nFileSizeLow;
        }
        count++;
    } while (FindNextFileW(find, &entry));
    FindClose(find);
    return count;
}

static void *read_whole_file(const char *path, size_t *size)
{
    HANDLE file = open_file(path, GENERIC_READ,
                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, OPEN_EXISTING);
    LARGE_INTEGER length;
    DWORD got;
    void *bytes;

    if (file == INVALID_HANDLE_VALUE)
        return NULL;
    MUST(GetFileSizeEx(file, &length) && length.QuadPart < 0x7FFFFFFF);
    bytes = malloc((size_t)length.QuadPart + 1);
    MUST(bytes != NULL);
    MUST(ReadFile(file, bytes, (DWORD)length.QuadPart, &got, NULL));
    CloseHandle(file);
    *size = got;
    return bytes;
}

static bool write_whole_file(const char *path, const void *bytes, size_t size)
{
    HANDLE file =
        open_file(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, CREATE_ALWAYS);
    DWORD written;

    if (file == INVALID_HANDLE_VALUE)
        return false;
    MUST(WriteFile(file, bytes, (DWORD)size, &written, NULL) && written == size);
    CloseHandle(file);
    return true;
}

static bool truncate_path(const char *path, uint64_t size)
{
    HANDLE file = open_file(path, GENERIC_WRITE,
                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, OPEN_EXISTING);
    LARGE_INTEGER end;
    bool done;

    if (file == INVALID_HANDLE_VALUE)
        return false;
    end.QuadPart = (LONGLONG)size;
    done = SetFilePointerEx(file, end, NULL, FILE_BEGIN) && SetEndOfFile(file);
    CloseHandle(file);
    return done;
}

/* ---- Settings ---- */

static void key_path(const char *service, const char *below, char *path, size_t path_bytes)
{
    int chars =
        snprintf(path, path_bytes, "SYSTEM\\CurrentControlSet\\Services\\%s%s", service, below);

    MUST(chars > 0 && (size_t)chars < path_bytes);
}

static void set_value(const char *service, const char *name, DWORD type, const void *bytes,
                      size_t size)
{
    char path[200];
    HKEY key;

    key_path(service, "\\Performance", path, sizeof(path));
    MUST(RegCreateKeyExA(HKEY_LOCAL_MACHINE, path, 0, NULL, 0, KEY_SET_VALUE, NULL, &key, NULL) ==
         ERROR_SUCCESS);
    if (type == REG_SZ) {
        wchar_t wide_name[80];

        widen(name, wide_name, 80);
        MUST(RegSetValueExW(key, wide_name, 0, type, bytes, (DWORD)size) == ERROR_SUCCESS);
    } else {
        MUST(RegSetValueExA(key, name, 0, type, bytes, (DWORD)size) == ERROR_SUCCESS);
    }
    RegCloseKey(key);
}

void prfdata_test_service_set_number(const prfdata_test_service *service, const char *name,
                                     uint32_t value)
{
    set_value(service->name, name, REG_DWORD, &value, sizeof(value));
}

void prfdata_test_service_set_bytes(const prfdata_test_service *service, const char *name,
                                    const void *bytes, size_t size)
{
    set_value(service->name, name, REG_BINARY, bytes, size);
}

void prfdata_test_service_set_text(const prfdata_test_service *service, const char *name,
                                   const char *text)
{
    wchar_t wide[520];

    widen(text, wide, 520);
    set_value(service->name, name, REG_SZ, wide, (wcslen(wide) + 1) * sizeof(wchar_t));
}

void prfdata_test_service_delete_value(const prfdata_test_service *service, const char *name)
{
    char path[200];
    HKEY key;

    key_path(service->name, "\\Performance", path, sizeof(path));
    MUST(RegOpenKeyExA(HKEY_LOCAL_MACHINE, path, 0, KEY_SET_VALUE, &key) == ERROR_SUCCESS);
    MUST(RegDeleteValueA(key, name) == ERROR_SUCCESS);
    RegCloseKey(key);
}

static void remove_settings(const char *service)
{
    char path[200];
    wchar_t wide[200];

    key_path(service, "", path, sizeof(path));
    widen(path, wide, 200);
    (void)RegDeleteTreeW(HKEY_LOCAL_MACHINE, wide);
}

static void open_root(prfdata_test_service *service, const char *name)
{
    char mutex[120];

    MUST((size_t)snprintf(mutex, sizeof(mutex), "prfdata-test-%s", name) < sizeof(mutex));
    service->turn = CreateMutexA(NULL, FALSE, mutex);
    MUST(service->turn != NULL);
    MUST(WaitForSingleObject(service->turn, INFINITE) != WAIT_FAILED);
}

static void make_settings(const char *service)
{
    (void)service;
}

static void folder_of(const char *service, char *folder, size_t folder_bytes)
{
    wchar_t wide[MAX_PATH + 1];
    char temporary[MAX_PATH];
    int chars;

    MUST(GetTempPathW(MAX_PATH + 1, wide) > 0);
    narrow(wide, temporary, sizeof(temporary));
    chars = snprintf(folder, folder_bytes, "%sprfdata-test-%s", temporary, service);
    MUST(chars > 0 && (size_t)chars < folder_bytes);
}

static void close_root(prfdata_test_service *service)
{
    MUST(ReleaseMutex(service->turn));
    CloseHandle(service->turn);
}

#else

#define ROOT_VARIABLE "PRFDATA_TEST_ROOT"

static unsigned services_made;

static void wait_a_moment(void)
{
    const struct timespec ten_ms = {.tv_nsec = 10 * 1000 * 1000};

    (void)nanosleep(&ten_ms, NULL);
}

static bool make_folder(const char *path)
{
    return mkdir(path, 0755) == 0;
}

static void remove_folder(const char *path)
{
    (void)rmdir(path);
}

static bool remove_file(const char *path)
{
    return unlink(path) == 0 || rmdir(path) == 0;
}

static size_t list_folder(const char *folder, prfdata_test_file *files, size_t capacity)
{
    const struct dirent *entry;
    struct stat about;
    char path[520];
    size_t count = 0;
    DIR *stream = opendir(folder);

    if (!stream)
        return 0;
    while ((entry = readdir(stream)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (count < capacity) {
            join(path, sizeof(path), folder, entry->d_name);
            MUST(lstat(path, &about) == 0);
            MUST(strlen(entry->d_name) < sizeof(files[count].name));
            strcpy(files[count].name, entry->d_name);
            files[count].size = (uint64_t)about.st_size;
        }
        count++;
    }
    closedir(stream);
    return count;
}

static void *read_whole_file(const char *path, size_t *size)
{
    struct stat about;
    void *bytes;
    ssize_t got;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return NULL;
    MUST(fstat(file, &about) == 0);
    bytes = malloc((size_t)about.st_size + 1);
    MUST(bytes != NULL);
    got = read(file, bytes, (size_t)about.st_size);
    MUST(got >= 0);
    close(file);
    *size = (size_t)got;
    return bytes;
}

static bool write_whole_file(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

    if (file < 0)
        return false;
    /* The product treats a file with fewer blocks (st_blocks) than bytes as one with holes. Some
     * file systems count a block only when it is on the disk, unless posix_fallocate() has reserved
     * it. */
    MUST(size == 0 || posix_fallocate(file, 0, (off_t)size) == 0);
    MUST(write(file, bytes, size) == (ssize_t)size);
    close(file);
    return true;
}

static bool truncate_path(const char *path, uint64_t size)
{
    return truncate(path, (off_t)size) == 0;
}

/* ---- Settings ---- */

static void setting_path(const char *service, const char *name, char *path, size_t path_bytes)
{
    char folder[520];

    join(folder, sizeof(folder), getenv(ROOT_VARIABLE), service);
    if (name)
        join(path, path_bytes, folder, name);
    else
        MUST((size_t)snprintf(path, path_bytes, "%s", folder) < path_bytes);
}

static void set_value(const char *service, const char *name, const void *bytes, size_t size)
{
    char path[520], new_path[sizeof(path) + 40];

    setting_path(service, name, path, sizeof(path));
    snprintf(new_path, sizeof(new_path), "%s.%d.%lx", path, (int)getpid(),
             (unsigned long)pthread_self());
    MUST(write_whole_file(new_path, bytes, size));
    /* Rename the complete file, so that a reader never sees half of a value. */
    MUST(rename(new_path, path) == 0);
}

void prfdata_test_service_set_number(const prfdata_test_service *service, const char *name,
                                     uint32_t value)
{
    char text[16];

    snprintf(text, sizeof(text), "%lu\n", (unsigned long)value);
    set_value(service->name, name, text, strlen(text));
}

void prfdata_test_service_set_bytes(const prfdata_test_service *service, const char *name,
                                    const void *bytes, size_t size)
{
    set_value(service->name, name, bytes, size);
}

void prfdata_test_service_set_text(const prfdata_test_service *service, const char *name,
                                   const char *text)
{
    set_value(service->name, name, text, strlen(text));
}

void prfdata_test_service_delete_value(const prfdata_test_service *service, const char *name)
{
    char path[520];

    setting_path(service->name, name, path, sizeof(path));
    MUST(unlink(path) == 0);
}

static void remove_settings(const char *service)
{
    prfdata_test_file values[64];
    char folder[520], path[520];
    size_t count;

    setting_path(service, NULL, folder, sizeof(folder));
    count = list_folder(folder, values, 64);
    for (size_t i = 0; i < count && i < 64; i++) {
        setting_path(service, values[i].name, path, sizeof(path));
        MUST(remove_file(path));
    }
    remove_folder(folder);
}

static void open_root(prfdata_test_service *service, const char *name)
{
    const char *temporary = getenv("TMPDIR");
    char root[200];

    (void)name;
    service->turn = NULL;
    if (services_made++ > 0)
        return;
    (void)umask(022); /* tests also read the files with another account */
    join(root, sizeof(root), temporary ? temporary : "/tmp", "prfdata-services.XXXXXX");
    MUST(mkdtemp(root) != NULL);
    MUST(setenv(ROOT_VARIABLE, root, 1) == 0);
    prfdata_os_posix_set_root(root);
}

static void make_settings(const char *service)
{
    char path[520];

    setting_path(service, NULL, path, sizeof(path));
    MUST(make_folder(path));
}

static void folder_of(const char *service, char *folder, size_t folder_bytes)
{
    char name[96];

    snprintf(name, sizeof(name), "%s.regions", service);
    join(folder, folder_bytes, getenv(ROOT_VARIABLE), name);
}

static void close_root(prfdata_test_service *service)
{
    (void)service;
    if (--services_made > 0)
        return;
    remove_folder(getenv(ROOT_VARIABLE));
    prfdata_os_posix_set_root(NULL);
    MUST(unsetenv(ROOT_VARIABLE) == 0);
}

#endif

/* ---- The service ---- */

static void name_service(prfdata_test_service *service, const char *name)
{
    MUST(strlen(name) < sizeof(service->name));
    strcpy(service->name, name);
    folder_of(name, service->folder, sizeof(service->folder));
}

/* Write the value `Maps`. `former` is the registered value, or NULL. */
static void set_maps(const prfdata_test_service *service, const prfdata_map *map,
                     const void *former, size_t former_bytes)
{
    prfdata_model *model;
    uint32_t dropped;
    size_t size;
    void *bytes;

    MUST(prfdata_model_make(map, &model) == ERROR_SUCCESS);
    MUST(prfdata_maps_update(model, former, former_bytes, NULL, &bytes, &size, &dropped) ==
         ERROR_SUCCESS);
    prfdata_model_free(model);
    prfdata_test_service_set_bytes(service, "Maps", bytes, size);
    free(bytes);
}

void prfdata_test_service_upgrade(const prfdata_test_service *service, const prfdata_map *map)
{
    void *former;
    size_t former_bytes;

    MUST(prfdata_os_setting_bytes(service->name, "Maps", PRFDATA_MAX_MAPS_BYTES, &former,
                                  &former_bytes) == ERROR_SUCCESS);
    set_maps(service, map, former, former_bytes);
    free(former);
}

/* Deletes all files of the service's folder. The reader of another test may be examining any
 * service now, so this function tries again while such a reader has a file open. */
static void empty_folder(const prfdata_test_service *service)
{
    enum { AT_ONCE = 64 };
    prfdata_test_file files[AT_ONCE];
    size_t count;
    int refused = 0;

    while ((count = prfdata_test_service_files(service, files, AT_ONCE)) > 0) {
        size_t deleted = 0;

        for (size_t i = 0; i < count && i < AT_ONCE; i++)
            deleted += prfdata_test_service_delete_file(service, files[i].name);
        if (deleted > 0)
            continue;
        MUST(refused++ < 3000);
        wait_a_moment();
    }
}

void prfdata_test_service_make(prfdata_test_service *service, const char *name,
                               const prfdata_map *map, uint32_t first_counter)
{
    open_root(service, name);
    name_service(service, name);
    empty_folder(service);
    remove_folder(service->folder);
    remove_settings(name);

    MUST(make_folder(service->folder));
    prfdata_test_service_install(service, map, first_counter);
}

void prfdata_test_service_install(const prfdata_test_service *service, const prfdata_map *map,
                                  uint32_t first_counter)
{
    make_settings(service->name);
    prfdata_test_service_set_text(service, "Regions", service->folder);
    if (map)
        set_maps(service, map, NULL, 0);
    if (first_counter > 0) {
        prfdata_test_service_set_number(service, "First Counter", first_counter);
        prfdata_test_service_set_number(service, "First Help", first_counter + 1);
    }
}

void prfdata_test_service_uninstall(const prfdata_test_service *service)
{
    remove_settings(service->name);
}

void prfdata_test_service_join(prfdata_test_service *service, const char *name)
{
#ifndef _WIN32
    MUST(getenv(ROOT_VARIABLE) != NULL);
    prfdata_os_posix_set_root(getenv(ROOT_VARIABLE));
#endif
    name_service(service, name);
}

void prfdata_test_service_remove(prfdata_test_service *service)
{
    empty_folder(service);
    remove_folder(service->folder);
    remove_settings(service->name);
    close_root(service);
}

static int compare_files(const void *a, const void *b)
{
    return strcmp(((const prfdata_test_file *)a)->name, ((const prfdata_test_file *)b)->name);
}

size_t prfdata_test_service_files(const prfdata_test_service *service, prfdata_test_file *files,
                                  size_t capacity)
{
    size_t count = list_folder(service->folder, files, capacity);
    size_t stored = count < capacity ? count : capacity;

    if (stored > 1)
        qsort(files, stored, sizeof(files[0]), compare_files);
    return count;
}

void prfdata_test_service_path(const prfdata_test_service *service, const char *file_name,
                               char *path, size_t path_bytes)
{
    join(path, path_bytes, service->folder, file_name);
}

void *prfdata_test_service_read_file(const prfdata_test_service *service, const char *file_name,
                                     size_t *size)
{
    char path[520];

    join(path, sizeof(path), service->folder, file_name);
    return read_whole_file(path, size);
}

bool prfdata_test_service_write_file(const prfdata_test_service *service, const char *file_name,
                                     const void *bytes, size_t size)
{
    char path[520];

    join(path, sizeof(path), service->folder, file_name);
    return write_whole_file(path, bytes, size);
}

bool prfdata_test_service_copy_file(const prfdata_test_service *service, const char *from,
                                    const char *to)
{
    size_t size;
    void *bytes = prfdata_test_service_read_file(service, from, &size);
    bool done = bytes && prfdata_test_service_write_file(service, to, bytes, size);

    free(bytes);
    return done;
}

bool prfdata_test_service_truncate_file(const prfdata_test_service *service, const char *file_name,
                                        uint64_t size)
{
    char path[520];

    join(path, sizeof(path), service->folder, file_name);
    return truncate_path(path, size);
}

bool prfdata_test_service_delete_file(const prfdata_test_service *service, const char *file_name)
{
    char path[520];

    join(path, sizeof(path), service->folder, file_name);
    return remove_file(path);
}

int prfdata_test_service_end(prfdata_test_service *service)
{
    prfdata_test_service_remove(service);
    return 0;
}
