/* SPDX-License-Identifier: MIT */
/* Tests unloading prfdata.dll while its publisher watches for an installation. The test calls
 * prfdata_close_and_unmap(), then FreeLibrary(), while another thread changes the watched keys. A
 * late notice must not call unloaded code, and nothing may keep the DLL loaded. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include <prfdata/atomic.h>
#include <prfdata/prfdata.h>

#include "support/sample_map.h"
#include "support/service.h"

#define SERVICE "PrfDataTestUnloadWatch"

/* If closing did not end the watch, the process would crash at one of the first loads. */
enum { LOADS = 40, GONE_WITHIN_MS = 10000 };

static sample_map sample;
static prfdata_test_service service;
static wchar_t library[MAX_PATH];
static uint64_t is_over;

typedef uint32_t open_call(const prfdata_map *map, prfdata_publisher **publisher);
typedef void close_call(prfdata_publisher *publisher);

static DWORD WINAPI change_keys(void *context)
{
    (void)context;
    while (!prfdata_load64_relaxed(&is_over)) {
        prfdata_test_service_install(&service, &sample.map, 0);
        prfdata_test_service_uninstall(&service);
    }
    return 0;
}

static void find_function(HMODULE module, const char *name, void *function)
{
    const FARPROC found = GetProcAddress(module, name);

    assert_non_null(found);
    memcpy(function, &found, sizeof found);
}

/* A notice that is running keeps the DLL loaded until the notice has returned. */
static void expect_unloaded(void)
{
    for (DWORD waited = 0; GetModuleHandleW(library); waited++) {
        assert_in_range(waited, 0, GONE_WITHIN_MS);
        Sleep(1);
    }
}

static void test_library_unloaded_while_it_watches_leaves_nothing_behind(void **state)
{
    HANDLE changer = CreateThread(NULL, 0, change_keys, NULL, 0, NULL);

    (void)state;
    assert_non_null(changer);
    for (uint32_t i = 0; i < LOADS; i++) {
        const HMODULE module = LoadLibraryW(library);
        prfdata_publisher *publisher = NULL;
        open_call *open;
        close_call *close_and_unmap;

        assert_non_null(module);
        find_function(module, "prfdata_open", &open);
        find_function(module, "prfdata_close_and_unmap", &close_and_unmap);
        open(&sample.map, &publisher);
        assert_non_null(publisher);
        Sleep(i % 4);
        close_and_unmap(publisher);
        assert_true(FreeLibrary(module));
        expect_unloaded();
    }
    prfdata_store64_relaxed(&is_over, 1);
    assert_int_equal(WaitForSingleObject(changer, INFINITE), WAIT_OBJECT_0);
    CloseHandle(changer);
}

static int begin(void **state)
{
    wchar_t *name;

    (void)state;
    sample_map_init_as(&sample, SERVICE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    prfdata_test_service_uninstall(&service);
    GetModuleFileNameW(NULL, library, MAX_PATH);
    name = wcsrchr(library, L'\\') + 1;
    (void)swprintf(name, (size_t)(library + MAX_PATH - name), L"prfdata.dll");
    return 0;
}

static int end(void **state)
{
    (void)state;
    return prfdata_test_service_end(&service);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_library_unloaded_while_it_watches_leaves_nothing_behind, begin, end),
    };

    return cmocka_run_group_tests_name("library_unload", tests, NULL, NULL);
}
