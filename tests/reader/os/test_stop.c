/* SPDX-License-Identifier: MIT */
/* Tests which signals of the console end a program. The test calls the handler in place of the
 * system. Windows only. */
#include <windows.h>

#include "support/test.h"

#include "os/stop.h"
#include "support/import_table.h"

static PHANDLER_ROUTINE handler;
static DWORD session;
static unsigned waits;

static BOOL WINAPI keep_handler(PHANDLER_ROUTINE given, BOOL is_added)
{
    assert_true(is_added);
    handler = given;
    return TRUE;
}

static BOOL WINAPI give_session(DWORD process, DWORD *of_process)
{
    assert_int_equal(process, GetCurrentProcessId());
    *of_process = session;
    return TRUE;
}

/* Replaces the handler's wait. In a real process, the system ends the process during this wait. */
static void WINAPI count_wait(DWORD milliseconds)
{
    assert_int_equal(milliseconds, INFINITE);
    waits++;
}

#define REPLACE(name, own)                                                                         \
    (void)import_table_replace("kernel32.dll", name, (import_table_function)(void (*)(void))(own))

static int replace_functions(void **state)
{
    (void)state;
    REPLACE("SetConsoleCtrlHandler", keep_handler);
    REPLACE("ProcessIdToSessionId", give_session);
    REPLACE("Sleep", count_wait);
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    prfdata_stop_catch();
    waits = 0;
    return handler ? 0 : -1;
}

static bool is_stopped(void)
{
    return !prfdata_stop_wait_until(0);
}

/* A program of a service gets this signal when any user logs off. */
static void test_stop_logoff_of_a_user_does_not_end_a_service(void **state)
{
    (void)state;
    session = 0;
    assert_false(handler(CTRL_LOGOFF_EVENT));
    assert_false(is_stopped());
    assert_int_equal(waits, 0);
    assert_false(handler(CTRL_SHUTDOWN_EVENT));
    assert_true(is_stopped());
    assert_int_equal(waits, 1);
}

static void test_stop_logoff_ends_a_program_of_the_user(void **state)
{
    (void)state;
    session = 1;
    assert_false(handler(CTRL_LOGOFF_EVENT));
    assert_true(is_stopped());
    assert_int_equal(waits, 1);
}

static void test_stop_ctrl_c_ends_every_program(void **state)
{
    (void)state;
    for (session = 0; session < 2; session++) {
        prfdata_stop_catch();
        assert_true(handler(CTRL_C_EVENT));
        assert_true(is_stopped());
    }
    assert_int_equal(waits, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_stop_logoff_of_a_user_does_not_end_a_service, set_up),
        cmocka_unit_test_setup(test_stop_logoff_ends_a_program_of_the_user, set_up),
        cmocka_unit_test_setup(test_stop_ctrl_c_ends_every_program, set_up),
    };

    return cmocka_run_group_tests_name("stop", tests, replace_functions, NULL);
}
