/* SPDX-License-Identifier: MIT */
/* Tests which provider is asked for which objects. The test registers two services for a moment. */
#include "support/test.h"

#include <wchar.h>

#include <prfdata/error.h>

#include "source/providers.h"
#include "support/reader/ascii_text.h"

#include <windows.h>

#define SERVICES L"SYSTEM\\CurrentControlSet\\Services\\"
#define RANGE    L"PrfDataTestRange"
#define LISTED   L"PrfDataTestListed"

static void set_text(HKEY key, const wchar_t *name, const wchar_t *text)
{
    const DWORD size = (DWORD)((wcslen(text) + 1) * sizeof *text);

    assert_int_equal(RegSetValueExW(key, name, 0, REG_SZ, (const BYTE *)text, size), ERROR_SUCCESS);
}

static void set_number(HKEY key, const wchar_t *name, DWORD number)
{
    assert_int_equal(RegSetValueExW(key, name, 0, REG_DWORD, (const BYTE *)&number, sizeof number),
                     ERROR_SUCCESS);
}

static void register_service(const wchar_t *service, DWORD first, DWORD last, const wchar_t *list)
{
    wchar_t path[200];
    HKEY key;

    swprintf(path, 200, SERVICES L"%ls\\Performance", service);
    assert_int_equal(
        RegCreateKeyExW(HKEY_LOCAL_MACHINE, path, 0, NULL, 0, KEY_ALL_ACCESS, NULL, &key, NULL),
        ERROR_SUCCESS);
    set_text(key, L"Library", L"C:\\prfdata-is-not-there.dll");
    set_text(key, L"Open", L"Open");
    set_text(key, L"Collect", L"Collect");
    set_text(key, L"Close", L"Close");
    if (first > 0) {
        set_number(key, L"First Counter", first);
        set_number(key, L"Last Counter", last);
    }
    if (list)
        set_text(key, L"Object List", list);
    RegCloseKey(key);
}

static int remove_services(void **state)
{
    (void)state;
    (void)RegDeleteTreeW(HKEY_LOCAL_MACHINE, SERVICES RANGE);
    (void)RegDeleteTreeW(HKEY_LOCAL_MACHINE, SERVICES LISTED);
    return 0;
}

static bool asks_for(const prfdata_title_set *asked, const uint32_t *titles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!prfdata_title_set_has(asked, titles[i]))
            return false;
    }
    return asked->count == count;
}

/* A service is asked for its list of objects, or for its range of titles if it has no list. The
 * question for the system's own objects comes last. */
static void test_providers_are_asked_for_their_own_objects(void **state)
{
    static const uint32_t range[] = {90000, 90002, 90004};
    static const uint32_t list[] = {230, 700};
    prfdata_providers providers = {0};
    prfdata_name_table titles = {0};
    prfdata_title_set asked = {0};
    wchar_t name[PRFDATA_PROVIDERS_CHARS];
    unsigned found = 0;
    bool has_own = false;
    uint16_t chars[8];

    (void)state;
    register_service(RANGE, 90000, 90004, NULL);
    register_service(LISTED, 0, 0, L"230  x 700");
    assert_int_equal(prfdata_name_table_add(&titles, 2, ascii_text("System", chars)),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_add(&titles, 90000, ascii_text("Other", chars)),
                     ERROR_SUCCESS);
    while (prfdata_providers_next(&providers, &titles, name, &asked)) {
        assert_false(has_own); /* nothing follows the question for the system's objects */
        if (wcscmp(name, RANGE) == 0 && asks_for(&asked, range, 3))
            found |= 1;
        if (wcscmp(name, LISTED) == 0 && asks_for(&asked, list, 2))
            found |= 2;
        if (name[0] == 0) {
            has_own = true;
            assert_true(prfdata_title_set_has(&asked, 2));
            assert_false(prfdata_title_set_has(&asked, 90000));
        }
    }
    assert_int_equal(found, 3);
    assert_true(has_own);
    prfdata_title_set_free(&asked);
    prfdata_name_table_free(&titles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_providers_are_asked_for_their_own_objects, remove_services),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
