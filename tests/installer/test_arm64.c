/* SPDX-License-Identifier: MIT */
/* Tests the installer for x64 on Windows for ARM64, and for 32 bits on 64-bit Windows. The test
 * replaces IsWow64Process2 and IsWow64Process (learn.microsoft.com, functions of these names).
 * Windows only. */
#include <windows.h>

#include "support/test.h"

#include <string.h>

#include "service/provider_dll.h"
#include "support/import_table.h"
#include "support/installer/install_scene.h"
#include "windows/pe_file.h"

static FARPROC(WINAPI *get_procedure)(HMODULE, LPCSTR);

static BOOL WINAPI is_emulated_on_arm64(HANDLE process, USHORT *process_machine, USHORT *native)
{
    (void)process;
    /* IMAGE_FILE_MACHINE_UNKNOWN, because a program for x64 is not a WOW64 process. */
    *process_machine = 0;
    *native = PRFDATA_PE_MACHINE_ARM64;
    return TRUE;
}

static bool is_wow64; /* whether this program looks like a 32-bit one on 64-bit Windows */

static BOOL WINAPI is_wow64_process(HANDLE process, BOOL *answer)
{
    (void)process;
    *answer = is_wow64;
    return TRUE;
}

/* Stands in for GetProcAddress. It finds the test's IsWow64Process2. While is_wow64 is set, it does
 * not find the function by which the installer recognizes Wine. Wine has one title list for both
 * bitnesses, so the installer refuses nothing there. */
static FARPROC WINAPI find_procedure(HMODULE module, LPCSTR name)
{
    if (is_wow64 && (uintptr_t)name > 0xFFFF && strcmp(name, "wine_get_version") == 0)
        return NULL;
    return (uintptr_t)name > 0xFFFF && strcmp(name, "IsWow64Process2") == 0
               ? (FARPROC)(void (*)(void))is_emulated_on_arm64
               : get_procedure(module, name);
}

static int set_up_arm64(void **state)
{
    if (!get_procedure)
        get_procedure = (FARPROC(WINAPI *)(HMODULE, LPCSTR))(void (*)(void))import_table_replace(
            "kernel32.dll", "GetProcAddress",
            (import_table_function)(void (*)(void))find_procedure);
    (void)import_table_replace("kernel32.dll", "IsWow64Process",
                               (import_table_function)(void (*)(void))is_wow64_process);
    return set_up(state);
}

static void test_wow64_install_refuses_before_it_changes_anything(void **state)
{
    (void)state;
    is_wow64 = true;
    assert_unchanged_by(install, ERROR_EXE_MACHINE_TYPE_MISMATCH);
    assert_reported(L"Run the 64-bit installer");
    is_wow64 = false;
    assert_nothing_left();
    assert_done(install());
    is_wow64 = true;
    assert_unchanged_by(install, ERROR_EXE_MACHINE_TYPE_MISMATCH);
    is_wow64 = false;
    assert_done(uninstall());
}

static void test_arm64_has_readers_of_three_kinds(void **state)
{
    (void)state;
    assert_int_equal(prfdata_provider_dll_machine(PRFDATA_ARCH_NATIVE), PRFDATA_PE_MACHINE_ARM64);
    assert_true(prfdata_provider_dll_machine_fits(PRFDATA_PE_MACHINE_ARM64, PRFDATA_ARCH_NATIVE));
    assert_true(prfdata_provider_dll_machine_fits(PRFDATA_PE_MACHINE_X64, PRFDATA_ARCH_NATIVE));
    assert_false(prfdata_provider_dll_machine_fits(PRFDATA_PE_MACHINE_X86, PRFDATA_ARCH_NATIVE));
    assert_true(prfdata_provider_dll_machine_fits(PRFDATA_PE_MACHINE_X86, PRFDATA_ARCH_X86));
    assert_false(prfdata_provider_dll_machine_fits(PRFDATA_PE_MACHINE_X64, PRFDATA_ARCH_X86));
}

static void test_arm64_registers_the_dll_for_x64_if_there_is_no_other(void **state)
{
    (void)state;
    options.provider_path = NULL;
    assert_done(install());
    assert_reported(L"Prf.dll (x64)\n");
    (void)status();
    assert_reported(L"x64: x64 readers, which run under emulation, see the counters; arm64 "
                    L"readers, such as PerfMon and WMI, and 32-bit readers do not");
    assert_null(wcsstr(report, L"no reader of this system can load it"));
    options.provider_path = NULL;
    assert_done(uninstall());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_arm64, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_arm64_has_readers_of_three_kinds),
        TEST(test_wow64_install_refuses_before_it_changes_anything),
        TEST(test_arm64_registers_the_dll_for_x64_if_there_is_no_other),
    };

    return cmocka_run_group_tests_name("arm64", tests, NULL, NULL);
}
