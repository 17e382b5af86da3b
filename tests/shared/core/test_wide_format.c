/* SPDX-License-Identifier: MIT */
/* Tests that a formatted wide text is whole, or "" with -1, for arrays of every size. */
#include "support/test.h"

#include <stdlib.h>

#include "base/wide_format.h"

static void test_wide_format_writes_the_whole_text_or_nothing(void **state)
{
    static const wchar_t whole[] = L"C:\\Folder\\MyService.ini";
    const size_t chars = wcslen(whole);

    (void)state;
    for (size_t capacity = 1; capacity < chars + 4; capacity++) {
        wchar_t *text = malloc(capacity * sizeof *text);
        const int result = prfdata_wide_format(text, capacity, L"%ls\\%hs.%lc%ls", L"C:\\Folder",
                                               "MyService", L'i', L"ni");

        assert_int_equal(result, capacity > chars ? (int)chars : -1);
        assert_true(wcscmp(text, capacity > chars ? whole : L"") == 0);
        free(text);
    }
}

static void test_wide_format_without_room_writes_nothing(void **state)
{
    wchar_t text = L'a';

    (void)state;
    assert_int_equal(prfdata_wide_format(&text, 0, L"%u", 1u), -1);
    assert_int_equal(text, L'a');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wide_format_writes_the_whole_text_or_nothing),
        cmocka_unit_test(test_wide_format_without_room_writes_nothing),
    };

    return cmocka_run_group_tests_name("wide_format", tests, NULL, NULL);
}
