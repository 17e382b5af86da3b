/* SPDX-License-Identifier: MIT */
/* Tests what is reported about a slow call, and when. Windows only. */
#include "support/test.h"

#include <string.h>

#include "source/slow_call.h"
#include "support/reader/ascii_text.h"

enum { MOST_PAUSES = 2000, PAUSE_MS = 10 };

static void wait_for_report(const prfdata_slow_call *call)
{
    const volatile bool *is_reported = &call->is_reported;

    for (int i = 0; i < MOST_PAUSES && !*is_reported; i++)
        Sleep(PAUSE_MS);
    assert_true(*is_reported);
}

static void test_slow_call_is_reported_once_while_it_takes(void **state)
{
    prfdata_messages messages = {0};
    uint16_t chars[8];
    prfdata_slow_call call = {.messages = &messages, .subject = ascii_text("server", chars)};

    (void)state;
    prfdata_slow_call_limit_ms = 0;
    prfdata_slow_call_begin(&call);
    wait_for_report(&call);
    prfdata_slow_call_end(&call);
    assert_int_equal(messages.count, 1);
    assert_int_equal(messages.items[0].severity, PRFDATA_SEVERITY_HINT);
    assert_string_equal(messages.items[0].text, "Waiting: server has not answered for 0 seconds");
    prfdata_slow_call_begin(&call);
    assert_null(call.timer);
    prfdata_slow_call_end(&call);
    assert_int_equal(messages.count, 1);
    prfdata_messages_free(&messages);
}

static void test_slow_call_that_ends_in_time_is_none(void **state)
{
    prfdata_messages messages = {0};
    uint16_t chars[8];
    prfdata_slow_call call = {.messages = &messages, .subject = ascii_text("server", chars)};

    (void)state;
    prfdata_slow_call_limit_ms = 600000;
    prfdata_slow_call_begin(&call);
    assert_non_null(call.timer);
    prfdata_slow_call_end(&call);
    assert_null(call.timer);
    assert_false(call.is_reported);
    assert_int_equal(messages.count, 0);
    call.messages = NULL;
    prfdata_slow_call_begin(&call);
    assert_null(call.timer);
    prfdata_slow_call_end(&call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_call_is_reported_once_while_it_takes),
        cmocka_unit_test(test_slow_call_that_ends_in_time_is_none),
    };

    return cmocka_run_group_tests_name("slow_call", tests, NULL, NULL);
}
