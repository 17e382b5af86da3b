/* SPDX-License-Identifier: MIT */
/* Tests that a text for an event loses its insertion codes, and keeps its other percent signs. */
#include "support/test.h"

#include <wchar.h>

#include "system/event_text.h"

static void expect(const wchar_t *text, const wchar_t *wanted)
{
    wchar_t chars[64];

    wcscpy(chars, text);
    prfdata_event_text_protect(chars);
    if (wcscmp(chars, wanted) != 0)
        fail_msg("%ls became %ls", text, chars);
}

static void test_event_text_has_no_insertion_codes(void **state)
{
    (void)state;
    expect(L"50%1", L"50\xFF05"
                    L"1");
    expect(L"C:\\a%9\\%0.exe", L"C:\\a\xFF05"
                               L"9\\\xFF05"
                               L"0.exe");
    expect(L"%%1", L"\xFF05\xFF05"
                   L"1");
    expect(L"%%%", L"\xFF05\xFF05%");
    expect(L"%{S-1-5-18}", L"\xFF05{S-1-5-18}");
    expect(L"http://[fe80::1%4]:9182/", L"http://[fe80::1\xFF05"
                                        L"4]:9182/");
}

static void test_event_text_keeps_other_percent_signs(void **state)
{
    (void)state;
    expect(L"", L"");
    expect(L"\\Queues(*)\\% busy", L"\\Queues(*)\\% busy");
    expect(L"100%", L"100%");
    expect(L"100%!", L"100%!");
    expect(L"%TEMP%\\a", L"%TEMP%\\a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_text_has_no_insertion_codes),
        cmocka_unit_test(test_event_text_keeps_other_percent_signs),
    };

    return cmocka_run_group_tests_name("event_text", tests, NULL, NULL);
}
