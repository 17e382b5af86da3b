/* SPDX-License-Identifier: MIT */
/* Tests the kit's provider: an answer is what probe.h says. The test calls the DLL itself, because
 * Wine's PDH does not read providers. Windows only. */
#include "support/test.h"

#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#include "probe.h"

typedef DWORD(APIENTRY collect_function)(LPWSTR query, LPVOID *data, LPDWORD bytes,
                                         LPDWORD objects);

typedef struct probe_dll {
    HMODULE library;
    HKEY key;
    union {
        FARPROC untyped;
        collect_function *typed;
    } collect;
} probe_dll;

static int load_probe(void **state)
{
    static probe_dll probe;

    probe.library = LoadLibraryW(L"prfdata-kit-probe.dll");
    assert_non_null(probe.library);
    probe.collect.untyped = GetProcAddress(probe.library, "ProbeCollect");
    assert_non_null(probe.collect.untyped);
    assert_int_equal(RegCreateKeyExW(HKEY_LOCAL_MACHINE, PROBE_PERFORMANCE, 0, NULL, 0,
                                     KEY_ALL_ACCESS, NULL, &probe.key, NULL),
                     ERROR_SUCCESS);
    *state = &probe;
    return 0;
}

static int unload_probe(void **state)
{
    probe_dll *probe = *state;

    RegCloseKey(probe->key);
    RegDeleteKeyW(HKEY_LOCAL_MACHINE, PROBE_PERFORMANCE);
    RegDeleteKeyW(HKEY_LOCAL_MACHINE, PROBE_KEY);
    FreeLibrary(probe->library);
    return 0;
}

static void choose_answer(const probe_dll *probe, const wchar_t *answer, DWORD number)
{
    assert_int_equal(RegSetValueExW(probe->key, PROBE_VALUE_ANSWER, 0, REG_SZ, (const BYTE *)answer,
                                    (DWORD)((wcslen(answer) + 1) * sizeof *answer)),
                     ERROR_SUCCESS);
    assert_int_equal(RegSetValueExW(probe->key, PROBE_VALUE_NUMBER, 0, REG_DWORD,
                                    (const BYTE *)&number, sizeof number),
                     ERROR_SUCCESS);
}

/* Asks for the object, which has one counter of four bytes. Returns the counter's value. */
static DWORD collected_value(const probe_dll *probe)
{
    wchar_t query[16];
    BYTE reply[1024];
    PERF_OBJECT_TYPE object;
    void *data = reply;
    DWORD bytes = sizeof reply, objects = 0, value;

    swprintf(query, 16, L"%u", (unsigned)PROBE_FIRST);
    assert_int_equal(probe->collect.typed(query, &data, &bytes, &objects), ERROR_SUCCESS);
    assert_int_equal(objects, 1);
    memcpy(&object, reply, sizeof object);
    assert_int_equal(object.NumCounters, 1);
    assert_int_equal(bytes, object.DefinitionLength + 8);
    memcpy(&value, reply + object.DefinitionLength + 4, sizeof value);
    return value;
}

static void test_kit_probe_wrap_wraps_at_the_number_and_not_because_it_is_asked(void **state)
{
    const probe_dll *probe = *state;

    choose_answer(probe, L"wrap", 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(collected_value(probe), 0xFFFFFF00);
    choose_answer(probe, L"wrap", 512);
    for (int i = 0; i < 3; i++)
        assert_int_equal(collected_value(probe), 0x100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kit_probe_wrap_wraps_at_the_number_and_not_because_it_is_asked),
    };

    return cmocka_run_group_tests_name("kit_probe", tests, load_probe, unload_probe);
}
