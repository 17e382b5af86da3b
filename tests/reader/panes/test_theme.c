/* SPDX-License-Identifier: MIT */
/* Tests that the system's metrics, such as the width of a scroll bar, are those for the DPI of the
 * window's screen. Windows only. */
#include "support/test.h"

#include "panes/theme.h"
#include "support/import_table.h"

static FARPROC(WINAPI *get_procedure)(HMODULE module, LPCSTR name);
static bool is_old_system;

static FARPROC WINAPI find_procedure(HMODULE module, LPCSTR name)
{
    return is_old_system ? NULL : get_procedure(module, name);
}

static void test_theme_metrics_are_those_of_the_screen(void **state)
{
    prfdata_theme theme = {.dpi = 96};
    int32_t usual;

    (void)state;
    get_procedure = (FARPROC(WINAPI *)(HMODULE, LPCSTR))(void (*)(void))import_table_replace(
        "kernel32.dll", "GetProcAddress", (import_table_function)(void (*)(void))find_procedure);
    usual = prfdata_theme_metric(&theme, SM_CXVSCROLL);
    assert_in_range(usual, 10, 40);
    theme.dpi = 192;
    assert_int_equal(prfdata_theme_metric(&theme, SM_CXVSCROLL), 2 * usual);
    is_old_system = true; /* an old system has one DPI for all screens */
    assert_int_equal(prfdata_theme_metric(&theme, SM_CXVSCROLL), GetSystemMetrics(SM_CXVSCROLL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_theme_metrics_are_those_of_the_screen),
    };

    return cmocka_run_group_tests_name("theme", tests, NULL, NULL);
}
