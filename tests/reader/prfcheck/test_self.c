/* SPDX-License-Identifier: MIT */
/* Tests which error prfcheck reports if it cannot start a process of its own program. Windows
 * only. */
#include "support/test.h"

#include "scenarios/self.h"
#include "support/import_table.h"

static BOOL WINAPI fail_update(LPPROC_THREAD_ATTRIBUTE_LIST list, DWORD flags, DWORD_PTR attribute,
                               PVOID value, SIZE_T size, PVOID previous, PSIZE_T returned)
{
    (void)list;
    (void)flags;
    (void)attribute;
    (void)value;
    (void)size;
    (void)previous;
    (void)returned;
    SetLastError(ERROR_NO_SYSTEM_RESOURCES);
    return FALSE;
}

static void test_self_without_a_list_of_handles_has_the_systems_error(void **state)
{
    HANDLE inherited = GetCurrentProcess();
    DWORD error = ERROR_SUCCESS;

    (void)state;
    /* Without this replacement, each new process would run this test and start the next process. */
    assert_non_null(import_table_replace_in(GetModuleHandleW(NULL), "kernel32.dll",
                                            "UpdateProcThreadAttribute",
                                            (import_table_function)fail_update));
    assert_null(prfdata_self_start(L"", &inherited, 1, &error));
    assert_int_equal(error, ERROR_NO_SYSTEM_RESOURCES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_self_without_a_list_of_handles_has_the_systems_error),
    };

    return cmocka_run_group_tests_name("self", tests, NULL, NULL);
}
