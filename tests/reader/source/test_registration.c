/* SPDX-License-Identifier: MIT */
/* Tests what the values of a Performance key mean, and the time limit in Perflib's key. The test
 * registers a service for a moment. */
#include "support/test.h"

#include <string.h>
#include <wchar.h>

#include <prfdata/error.h>

#include "source/registration.h"
#include "support/reader/ascii_text.h"

#define SERVICE     L"PrfDataTestRegistration"
#define SERVICE_KEY L"SYSTEM\\CurrentControlSet\\Services\\" SERVICE
#define PERFORMANCE SERVICE_KEY L"\\Performance"

static void set_number(const wchar_t *name, DWORD number)
{
    assert_int_equal(
        RegSetKeyValueW(HKEY_LOCAL_MACHINE, PERFORMANCE, name, REG_DWORD, &number, sizeof number),
        ERROR_SUCCESS);
}

static void set_text(const wchar_t *name, const wchar_t *text)
{
    assert_int_equal(RegSetKeyValueW(HKEY_LOCAL_MACHINE, PERFORMANCE, name, REG_SZ, text,
                                     (DWORD)((wcslen(text) + 1) * sizeof *text)),
                     ERROR_SUCCESS);
}

static int register_service(void **state)
{
    (void)state;
    set_text(L"Library", L"C:\\prfdata-is-not-there.dll");
    set_text(L"Open", L"Open");
    set_text(L"Collect", L"Collect");
    set_text(L"Close", L"Close");
    return 0;
}

static int remove_service(void **state)
{
    (void)state;
    (void)RegDeleteTreeW(HKEY_LOCAL_MACHINE, SERVICE_KEY);
    return 0;
}

static void read_service(prfdata_registration *registration)
{
    const char *what;

    assert_int_equal(prfdata_registration_read(prfdata_text_from_chars((const uint16_t *)SERVICE),
                                               registration, &what),
                     ERROR_SUCCESS);
}

/* ---- Disable Performance Counters ---- */

static void test_registration_is_disabled_for_the_readers_that_the_value_names(void **state)
{
    static const struct {
        DWORD value;
        bool is_for_32;
        bool is_for_64;
    } rows[] = {
        {0, false, false}, {1, true, true}, {2, true, false}, {4, false, true}, {6, true, true}};
    prfdata_registration registration;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_number(L"Disable Performance Counters", rows[i].value);
        read_service(&registration);
        assert_int_equal(registration.is_disabled,
                         sizeof(void *) == 8 ? rows[i].is_for_64 : rows[i].is_for_32);
        assert_int_equal(registration.is_disabled_for_others,
                         sizeof(void *) == 8 ? rows[i].is_for_32 : rows[i].is_for_64);
    }
}

/* ---- Limits ---- */

#define PERFLIB   L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"
#define WAIT_TIME L"OpenProcedureWaitTime"

static void set_wait_time(DWORD milliseconds)
{
    assert_int_equal(RegSetKeyValueW(HKEY_LOCAL_MACHINE, PERFLIB, WAIT_TIME, REG_DWORD,
                                     &milliseconds, sizeof milliseconds),
                     ERROR_SUCCESS);
}

static int remove_wait_time(void **state)
{
    (void)state;
    (void)RegDeleteKeyValueW(HKEY_LOCAL_MACHINE, PERFLIB, WAIT_TIME);
    return 0;
}

static void expect_limits(uint32_t open_ms, uint32_t collect_ms)
{
    prfdata_registration registration;

    read_service(&registration);
    assert_int_equal(registration.open_limit_ms, open_ms);
    assert_int_equal(registration.collect_limit_ms, collect_ms);
}

/* A limit of the service replaces the limit of Perflib's key, which replaces the default of 10
 * seconds. The test begins without a value in Perflib's key, as Windows does. */
static void test_registration_limits_have_the_default_of_perflib(void **state)
{
    prfdata_registration of_dll;
    uint16_t chars[8];

    (void)state;
    expect_limits(10000, 10000);
    set_wait_time(25000);
    expect_limits(25000, 25000);
    prfdata_registration_of_dll(ascii_text("any.dll", chars), &of_dll);
    assert_int_equal(of_dll.open_limit_ms, 25000);
    assert_int_equal(of_dll.collect_limit_ms, 25000);
    set_number(L"Open Timeout", 3000);
    expect_limits(3000, 25000);
    set_number(L"Collect Timeout", 4000);
    expect_limits(3000, 4000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_registration_limits_have_the_default_of_perflib,
                                  remove_wait_time),
        cmocka_unit_test(test_registration_is_disabled_for_the_readers_that_the_value_names),
    };

    return cmocka_run_group_tests_name("registration", tests, register_service, remove_service);
}
