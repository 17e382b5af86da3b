/* SPDX-License-Identifier: MIT */
/* Implements the scene with the real registry and the real file system (under Wine in the prefix of
 * the tests), with its own service and data folder. Windows only. */
#include "support/test.h"

#include "support/contains.h"
#include "support/installer/install_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/model.h"
#include "support/linux_shell.h"
#include "titles/title_database.h"
#include "titles/title_text.h"
#include "windows/directory.h"

sample_map sample;
wchar_t data[MAX_PATH];
wchar_t regions[MAX_PATH];
wchar_t provider[MAX_PATH];
prfdata_install_options options;
size_t step_count[PRFDATA_STEP_UNDONE + 1];
wchar_t report[16384];

static void record(void *context, prfdata_step step, const wchar_t *text)
{
    size_t used = wcslen(report);

    (void)context;
    step_count[step]++;
    if (used + wcslen(text) + 2 < sizeof report / sizeof report[0]) {
        wcscat(report, text);
        wcscat(report, L"\n");
    }
}

void forget_report(void)
{
    memset(step_count, 0, sizeof step_count);
    report[0] = 0;
}

uint32_t install(void)
{
    forget_report();
    return prfdata_install(&sample.map, &options);
}

uint32_t uninstall(void)
{
    forget_report();
    return prfdata_uninstall(&sample.map, &options);
}

uint32_t repair(void)
{
    forget_report();
    return prfdata_repair(&sample.map, &options);
}

uint32_t reset(void)
{
    forget_report();
    return prfdata_reset(&sample.map, &options);
}

uint32_t status(void)
{
    forget_report();
    return prfdata_install_status(&sample.map, &options);
}

void assert_reported(const wchar_t *text)
{
    assert_contains_wide(report, text);
}

void assert_done(uint32_t answer)
{
    if (answer != ERROR_SUCCESS)
        fail_msg("%lu\n%ls", (unsigned long)answer, report);
}

/* ---- Files ---- */

bool file_is(const wchar_t *folder, const wchar_t *name, const void *bytes, size_t size)
{
    unsigned char *found = malloc(65536);
    wchar_t path[MAX_PATH];
    DWORD found_size = 0;
    bool same;
    HANDLE file;

    assert_non_null(found);
    path_in(path, folder, name);
    file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        free(found);
        return false;
    }
    assert_true(ReadFile(file, found, 65536, &found_size, NULL));
    CloseHandle(file);
    same = found_size == size && memcmp(found, bytes, size) == 0;
    free(found);
    return same;
}

void remove_tree(const wchar_t *folder)
{
    DWORD attributes = GetFileAttributesW(folder);
    WIN32_FIND_DATAW found;
    wchar_t path[MAX_PATH];
    HANDLE search;

    if (attributes == INVALID_FILE_ATTRIBUTES)
        return;
    if (!(attributes & FILE_ATTRIBUTE_DIRECTORY)) {
        SetFileAttributesW(folder, FILE_ATTRIBUTE_NORMAL); /* a read-only file cannot be deleted */
        DeleteFileW(folder);
        return;
    }
    if (attributes & FILE_ATTRIBUTE_REPARSE_POINT) {
        if (!RemoveDirectoryW(folder))
            DeleteFileW(folder);
        return;
    }
    path_in(path, folder, L"*");
    search = FindFirstFileW(path, &found);
    if (search != INVALID_HANDLE_VALUE) {
        do {
            if (wcscmp(found.cFileName, L".") != 0 && wcscmp(found.cFileName, L"..") != 0) {
                path_in(path, folder, found.cFileName);
                remove_tree(path);
            }
        } while (FindNextFileW(search, &found));
        FindClose(search);
    }
    RemoveDirectoryW(folder);
}

void make_link(const wchar_t *link, const wchar_t *goal)
{
    if (!linux_shell_run("ln -s \"$2\" \"$1\"", link, goal))
        assert_true(CreateSymbolicLinkW(link, goal, SYMBOLIC_LINK_FLAG_DIRECTORY));
}

/* Removes the link itself, because Wine's RemoveDirectory removes its target. */
void remove_link(const wchar_t *link)
{
    if (!linux_shell_run("rm \"$1\"", link, NULL))
        assert_true(RemoveDirectoryW(link));
}

/* Count the files in the folder of `provider` whose names begin like those of the DLL's copies. If
 * `is_removed`, remove these files. */
static size_t visit_dll_copies(bool is_removed)
{
    wchar_t path[MAX_PATH], folder[MAX_PATH];
    WIN32_FIND_DATAW found;
    size_t count = 0;
    HANDLE search;

    wcscpy(folder, provider);
    *wcsrchr(folder, L'\\') = 0;
    path_in(path, folder, WSERVICE L"Prf-*");
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return 0;
    do {
        count++;
        path_in(path, folder, found.cFileName);
        if (is_removed)
            DeleteFileW(path);
    } while (FindNextFileW(search, &found));
    FindClose(search);
    return count;
}

size_t count_dll_copies(void)
{
    return visit_dll_copies(false);
}

static void *read_whole(const wchar_t *path, DWORD *size)
{
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, 0, NULL);
    void *bytes;

    if (file == INVALID_HANDLE_VALUE)
        fail_msg("%ls cannot be read", path);
    *size = GetFileSize(file, NULL);
    bytes = malloc(*size);
    assert_non_null(bytes);
    assert_true(ReadFile(file, bytes, *size, size, NULL));
    CloseHandle(file);
    return bytes;
}

const wchar_t *registered_copy(const wchar_t *dll)
{
    static wchar_t copy[MAX_PATH];
    const size_t folder_chars = (size_t)(wcsrchr(dll, L'\\') - dll) + 1;
    DWORD copy_size = sizeof copy, dll_size;
    const wchar_t *name;
    void *bytes[2];

    assert_int_equal(RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Library", RRF_RT_REG_SZ, NULL,
                                  copy, &copy_size),
                     0);
    name = copy + folder_chars;
    assert_int_equal(_wcsnicmp(copy, dll, folder_chars), 0);
    assert_int_equal(wcsncmp(name, WSERVICE L"Prf-", wcslen(WSERVICE L"Prf-")), 0);
    assert_int_equal(wcslen(name), wcslen(WSERVICE L"Prf-0123456789abcdef.dll"));
    bytes[0] = read_whole(copy, &copy_size);
    bytes[1] = read_whole(dll, &dll_size);
    assert_int_equal(copy_size, dll_size);
    assert_memory_equal(bytes[0], bytes[1], dll_size);
    free(bytes[0]);
    free(bytes[1]);
    return copy;
}

/* ---- The registry ---- */

HKEY make_key(const wchar_t *path, DWORD flags)
{
    HKEY key;

    assert_int_equal(
        RegCreateKeyExW(HKEY_LOCAL_MACHINE, path, 0, NULL, flags, KEY_ALL_ACCESS, NULL, &key, NULL),
        0);
    return key;
}

void set_text(const wchar_t *path, const wchar_t *name, const wchar_t *text)
{
    HKEY key = make_key(path, 0);

    assert_int_equal(RegSetValueExW(key, name, 0, REG_SZ, (const BYTE *)text,
                                    (DWORD)((wcslen(text) + 1) * sizeof *text)),
                     0);
    RegCloseKey(key);
}

void set_number(const wchar_t *path, const wchar_t *name, DWORD number)
{
    HKEY key = make_key(path, 0);

    assert_int_equal(RegSetValueExW(key, name, 0, REG_DWORD, (const BYTE *)&number, sizeof number),
                     0);
    RegCloseKey(key);
}

void delete_value(const wchar_t *path, const wchar_t *name)
{
    HKEY key = make_key(path, 0);

    assert_int_equal(RegDeleteValueW(key, name), 0);
    RegCloseKey(key);
}

DWORD number_of(const wchar_t *path, const wchar_t *name)
{
    DWORD number = 0;
    DWORD size = sizeof number;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, path, name, RRF_RT_REG_DWORD, NULL, &number, &size) != 0)
        return 0;
    return number;
}

bool text_is(const wchar_t *path, const wchar_t *name, const wchar_t *text)
{
    wchar_t found[MAX_PATH];
    DWORD size = sizeof found;

    return RegGetValueW(HKEY_LOCAL_MACHINE, path, name,
                        RRF_RT_REG_SZ | RRF_RT_REG_EXPAND_SZ | RRF_NOEXPAND, NULL, found,
                        &size) == 0 &&
           wcscmp(found, text) == 0;
}

/* Append everything in and below the key: the keys, and the name, type, size and a hash of each
 * value. */
static void dump_key(const wchar_t *path, wchar_t *text, size_t capacity)
{
    HKEY key;
    wchar_t name[256];
    static BYTE value[65536];

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_READ, &key) != 0)
        return;
    wcscat(text, path);
    for (DWORD i = 0;; i++) {
        DWORD chars = 256, size = sizeof value, type;
        uint32_t sum = 0;

        if (RegEnumValueW(key, i, name, &chars, NULL, &type, value, &size) != 0)
            break;
        for (DWORD k = 0; k < size; k++)
            sum = sum * 31 + value[k];
        assert_true(wcslen(text) + 400 < capacity);
        (void)swprintf(text + wcslen(text), capacity - wcslen(text), L"\n  %ls %lu %lu %08lx", name,
                       (unsigned long)type, (unsigned long)size, (unsigned long)sum);
    }
    wcscat(text, L"\n");
    for (DWORD i = 0;; i++) {
        wchar_t below[512];
        DWORD chars = 256;

        if (RegEnumKeyExW(key, i, name, &chars, NULL, NULL, NULL, NULL) != 0)
            break;
        (void)swprintf(below, 512, L"%ls\\%ls", path, name);
        dump_key(below, text, capacity);
    }
    RegCloseKey(key);
}

const wchar_t *dump_service(void)
{
    static wchar_t text[2][16384];
    static int which;

    which = !which;
    text[which][0] = 0;
    dump_key(KEY, text[which], 16384);
    return text[which];
}

void assert_same_text(const wchar_t *a, const wchar_t *b)
{
    if (wcscmp(a, b) != 0)
        fail_msg("%ls\n--- is not ---\n%ls", a, b);
}

/* ---- Every test ---- */

int scene_init(void **state)
{
    wchar_t program[MAX_PATH];

    (void)state;
    sample_map_init(&sample);
    sample.map.service = SERVICE;
    assert_int_equal(prfdata_directory_program_data(data), ERROR_SUCCESS);
    wcscat(data, L"\\PrfData install test");
    path_in(regions, data, WSERVICE);
    GetModuleFileNameW(NULL, program, MAX_PATH);
    *wcsrchr(program, L'\\') = 0;
    path_in(provider, program, L"empty-provider.dll");
    memset(&options, 0, sizeof options);
    options.data_path = data;
    options.provider_path = provider;
    options.protection = PRFDATA_PROTECTION_WARN; /* others may write to the build folder */
    options.arch = sizeof(void *) == 4 ? PRFDATA_ARCH_X86 : PRFDATA_ARCH_NATIVE;
    options.step = record;
    return 0;
}

/* Remove the numbers of titles that -Uninstall remembers until the next restart. */
static void forget_numbers(void)
{
    RegDeleteKeyExW(HKEY_LOCAL_MACHINE, REMEMBERED, KEY_WOW64_64KEY, 0);
}

static void clear_scene(void)
{
    forget_numbers();
    RegDeleteTreeW(HKEY_LOCAL_MACHINE, KEY);
    RegDeleteKeyW(HKEY_LOCAL_MACHINE, KEY);
    RegDeleteKeyW(HKEY_LOCAL_MACHINE, SOURCE);
    remove_tree(data);
    visit_dll_copies(true);
}

int set_up(void **state)
{
    scene_init(state);
    clear_scene();
    return 0;
}

int tear_down(void **state)
{
    (void)state;
    options.any = true;
    uninstall();
    forget_numbers();
    RegDeleteTreeW(HKEY_LOCAL_MACHINE, KEY);
    RegDeleteKeyW(HKEY_LOCAL_MACHINE, KEY);
    RegDeleteKeyW(HKEY_LOCAL_MACHINE, SOURCE);
    remove_tree(data);
    visit_dll_copies(true);
    return 0;
}

void assert_nothing_left(void)
{
    assert_false(has_key(KEY));
    assert_false(has_key(SOURCE));
    assert_false(exists(data));
    assert_int_equal(count_dll_copies(), 0);
}

prfdata_model *registered_model(void)
{
    static unsigned char bytes[65536];
    DWORD size = sizeof bytes;
    prfdata_model *model = NULL;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Maps", RRF_RT_REG_BINARY, NULL, bytes, &size) !=
            0 ||
        prfdata_maps_current(bytes, size, &model) != 0)
        return NULL;
    return model;
}

void assert_installed(void)
{
    prfdata_title_languages languages;
    prfdata_model *model = NULL;
    void *text = NULL;
    size_t size = 0;
    DWORD first = number_of(PERFKEY, L"First Counter");

    assert_done(status());
    prfdata_title_database_languages(&languages);
    model = registered_model(); /* status() has already compared the map */
    assert_non_null(model);
    assert_true(first > 0 && first % 2 == 0);
    assert_int_equal(number_of(PERFKEY, L"Last Counter"), first + 2 * (model->number_count - 1));
    assert_int_equal(number_of(PERFKEY, L"First Help"), first + 1);
    assert_int_equal(number_of(PERFKEY, L"Last Help"), first + 1 + 2 * (model->number_count - 1));
    assert_int_equal(prfdata_title_text_ini(model, &languages, &text, &size), ERROR_SUCCESS);
    assert_true(file_is(data, WSERVICE L".ini", text, size));
    free(text);
    assert_int_equal(prfdata_title_text_header(model, &text, &size), ERROR_SUCCESS);
    assert_true(file_is(data, WSERVICE L".h", text, size));
    free(text);
    prfdata_model_free(model);
}

void assert_unchanged_by(uint32_t call(void), uint32_t wanted)
{
    const wchar_t *before = dump_service();
    uint32_t answer = call();

    if (answer != wanted)
        fail_msg("%lu instead of %lu\n%ls", (unsigned long)answer, (unsigned long)wanted, report);
    assert_true(step_count[PRFDATA_STEP_FAILED] > 0);
    assert_same_text(dump_service(), before);
}
