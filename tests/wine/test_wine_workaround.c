/* SPDX-License-Identifier: MIT */
/* Tests that with the workaround, objects under Wine are where the header says, and the size that a
 * query needs is exact. The tests read a second, independent provider by the real registry call. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>
#include <winperf.h>

#include "one_object.h"

#define SERVICE      L"System\\CurrentControlSet\\Services\\PrfDataOneObject"
#define OBJECT_BYTES (sizeof(PERF_OBJECT_TYPE) + sizeof(PERF_COUNTER_BLOCK) + sizeof(DWORD))

static void path_beside_this_program(const wchar_t *name, wchar_t *path, size_t path_chars)
{
    DWORD length = GetModuleFileNameW(NULL, path, (DWORD)path_chars);

    assert_in_range(length, 1, path_chars - 1);
    *(wcsrchr(path, L'\\') + 1) = 0;
    assert_true(wcslen(path) + wcslen(name) < path_chars);
    wcscat(path, name);
}

static void set_text(HKEY key, const wchar_t *name, const wchar_t *text)
{
    DWORD bytes = (DWORD)((wcslen(text) + 1) * sizeof(wchar_t));

    assert_int_equal(RegSetValueExW(key, name, 0, REG_SZ, (const BYTE *)text, bytes), 0);
}

static int register_one_object(void **state)
{
    wchar_t library[MAX_PATH];
    HKEY key;

    (void)state;
    path_beside_this_program(L"prfdata-one-object.dll", library, MAX_PATH);
    if (RegCreateKeyExW(HKEY_LOCAL_MACHINE, SERVICE L"\\Performance", 0, NULL, 0, KEY_WRITE, NULL,
                        &key, NULL) != ERROR_SUCCESS)
        return -1;
    set_text(key, L"Library", library);
    set_text(key, L"Open", L"OneObjectOpen");
    set_text(key, L"Collect", L"OneObjectCollect");
    set_text(key, L"Close", L"OneObjectClose");
    RegCloseKey(key);
    return 0;
}

static int unregister_one_object(void **state)
{
    (void)state;
    RegCloseKey(HKEY_PERFORMANCE_DATA);
    return RegDeleteTreeW(HKEY_LOCAL_MACHINE, SERVICE) == ERROR_SUCCESS ? 0 : -1;
}

static LSTATUS query(void *buffer, DWORD *bytes)
{
    return RegQueryValueExW(HKEY_PERFORMANCE_DATA, ONE_OBJECT_QUERY, NULL, NULL, buffer, bytes);
}

/* Return `bytes` bytes directly before an inaccessible page. Release `*allocation` with
 * VirtualFree(). */
static unsigned char *before_guard_page(size_t bytes, void **allocation)
{
    size_t page = 4096, pages = (bytes + page - 1) / page;
    unsigned char *start = VirtualAlloc(NULL, (pages + 1) * page, MEM_RESERVE, PAGE_NOACCESS);

    assert_non_null(start);
    assert_non_null(VirtualAlloc(start, pages * page, MEM_COMMIT, PAGE_READWRITE));
    *allocation = start;
    return start + pages * page - bytes;
}

static void test_wine_workaround_object_lies_at_header_length(void **state)
{
    static unsigned char buffer[65536];
    const PERF_DATA_BLOCK *header = (const PERF_DATA_BLOCK *)(void *)buffer;
    const PERF_OBJECT_TYPE *object;
    DWORD bytes = sizeof(buffer);

    (void)state;
    assert_int_equal(query(buffer, &bytes), ERROR_SUCCESS);
    assert_int_equal(header->NumObjectTypes, 1);
    object = (const PERF_OBJECT_TYPE *)(const void *)(buffer + header->HeaderLength);
    assert_int_equal(object->ObjectNameTitleIndex, ONE_OBJECT_INDEX);
    assert_int_equal(object->TotalByteLength, OBJECT_BYTES);
    assert_int_equal(header->TotalByteLength, header->HeaderLength + OBJECT_BYTES);
    assert_int_equal(bytes, header->TotalByteLength);
}

static void
test_wine_workaround_exact_buffer_suffices_and_shorter_ones_are_never_overrun(void **state)
{
    static unsigned char big[65536];
    DWORD needed = sizeof(big);

    (void)state;
    assert_int_equal(query(big, &needed), ERROR_SUCCESS);
    /* `needed` is a multiple of 8. The other capacities are, too, so that the buffer is aligned. */
    for (DWORD capacity = needed - 160; capacity <= needed; capacity += 8) {
        void *allocation;
        unsigned char *buffer = before_guard_page(capacity, &allocation);
        DWORD bytes = capacity;
        LSTATUS status = query(buffer, &bytes);

        assert_int_equal(status, capacity < needed ? ERROR_MORE_DATA : ERROR_SUCCESS);
        VirtualFree(allocation, 0, MEM_RELEASE);
    }
}

static PM_COLLECT_PROC *load_workaround(HMODULE *module)
{
    wchar_t path[MAX_PATH];
    PM_COLLECT_PROC *collect;

    path_beside_this_program(L"prfdata-wine-workaround.dll", path, MAX_PATH);
    *module = LoadLibraryW(path);
    assert_non_null(*module);
    collect =
        (PM_COLLECT_PROC *)(void (*)(void))GetProcAddress(*module, "PrfDataWineWorkaroundCollect");
    assert_non_null(collect);
    return collect;
}

static void make_header(unsigned char *at, DWORD header_bytes)
{
    PERF_DATA_BLOCK header;

    memset(&header, 0, sizeof(header));
    memcpy(header.Signature, L"PERF", sizeof(header.Signature));
    header.LittleEndian = 1;
    header.HeaderLength = header_bytes;
    header.SystemNameOffset = sizeof(header);
    memcpy(at, &header, sizeof(header));
}

/* Calls the workaround with a pointer `distance` bytes after `start`. Returns how far it moved the
 * pointer. */
static ptrdiff_t work_around(unsigned char *start, size_t distance)
{
    HMODULE module;
    PM_COLLECT_PROC *collect = load_workaround(&module);
    wchar_t global[] = L"Global";
    void *data = start + distance;
    DWORD bytes = 1000, objects = 77;

    assert_int_equal(collect(global, &data, &bytes, &objects), ERROR_SUCCESS);
    assert_int_equal(bytes, 0);
    assert_int_equal(objects, 0);
    FreeLibrary(module);
    return (unsigned char *)data - (start + distance);
}

static void test_wine_workaround_moves_only_a_pointer_too_far_behind_a_header(void **state)
{
    unsigned char bytes[512];
    DWORD header_bytes = sizeof(PERF_DATA_BLOCK) + 16;

    (void)state;
    memset(bytes, 0, sizeof(bytes));
    make_header(bytes, header_bytes);
    for (size_t distance = header_bytes; distance <= header_bytes + 2 * sizeof(PERF_DATA_BLOCK);
         distance += 8) {
        ptrdiff_t expected = distance == header_bytes + sizeof(PERF_DATA_BLOCK)
                                 ? -(ptrdiff_t)sizeof(PERF_DATA_BLOCK)
                                 : 0;

        assert_int_equal(work_around(bytes, distance), expected);
    }

    /* The pointer is directly after a valid header, and another header is below that one. */
    make_header(bytes + sizeof(PERF_DATA_BLOCK), header_bytes);
    assert_int_equal(work_around(bytes, header_bytes + sizeof(PERF_DATA_BLOCK)), 0);
    memset(bytes + sizeof(PERF_DATA_BLOCK), 0, sizeof(PERF_DATA_BLOCK));

    bytes[0] = 'p';
    assert_int_equal(work_around(bytes, header_bytes + sizeof(PERF_DATA_BLOCK)), 0);
}

static void test_wine_workaround_leaves_a_pointer_alone_that_has_nothing_below(void **state)
{
    unsigned char *start = VirtualAlloc(NULL, 8192, MEM_RESERVE, PAGE_NOACCESS);

    (void)state;
    assert_non_null(start);
    assert_non_null(VirtualAlloc(start + 4096, 4096, MEM_COMMIT, PAGE_READWRITE));
    for (size_t distance = 0; distance <= 256; distance += 8)
        assert_int_equal(work_around(start + 4096, distance), 0);
    VirtualFree(start, 0, MEM_RELEASE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wine_workaround_object_lies_at_header_length),
        cmocka_unit_test(
            test_wine_workaround_exact_buffer_suffices_and_shorter_ones_are_never_overrun),
        cmocka_unit_test(test_wine_workaround_moves_only_a_pointer_too_far_behind_a_header),
        cmocka_unit_test(test_wine_workaround_leaves_a_pointer_alone_that_has_nothing_below),
    };

    return cmocka_run_group_tests_name("wine_workaround", tests, register_one_object,
                                       unregister_one_object);
}
