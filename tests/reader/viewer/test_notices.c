/* SPDX-License-Identifier: MIT */
/* Tests when messages end: a notice after some time, the message about a state when the state
 * ends. */
#include "support/test.h"

#include "support/reader/ascii_text.h"
#include "viewer/notices.h"

static void expect_notices(const prfdata_notices *notices, uint64_t now_ms, const char *expected)
{
    prfdata_output output = {0};

    prfdata_notices_put(notices, now_ms, &output);
    prfdata_output_put(&output, "", 1);
    assert_false(output.failed);
    assert_string_equal(output.bytes, expected);
    prfdata_output_free(&output);
}

static void set_notice(prfdata_notices *notices, prfdata_notices_state state, const char *text)
{
    uint16_t chars[80];

    prfdata_notices_set(notices, state, ascii_text(text, chars));
}

static void test_notices_a_notice_ends_after_its_time(void **state)
{
    prfdata_notices notices = {0};
    uint16_t chars[80];

    (void)state;
    expect_notices(&notices, 5, "");
    prfdata_notices_say(&notices, ascii_text("saved", chars), 1000);
    expect_notices(&notices, 1000, "saved");
    expect_notices(&notices, 999 + PRFDATA_NOTICES_MS, "saved");
    expect_notices(&notices, 1000 + PRFDATA_NOTICES_MS, "");
    prfdata_notices_say(&notices, ascii_text("saved", chars), 50000);
    prfdata_notices_say(&notices, (prfdata_text){0}, 50001);
    expect_notices(&notices, 50001, "");
    prfdata_notices_free(&notices);
}

static void test_notices_a_state_is_said_as_long_as_it_is_so(void **state)
{
    prfdata_notices notices = {0};
    uint16_t chars[80];

    (void)state;
    set_notice(&notices, PRFDATA_NOTICES_RECORDING, "Recording to a");
    expect_notices(&notices, 1000000, "Recording to a");
    set_notice(&notices, PRFDATA_NOTICES_SILENT, "Queue crashed");
    expect_notices(&notices, 2000000, "Recording to a \xE2\x80\x93 Queue crashed");
    prfdata_notices_say(&notices, ascii_text("copied", chars), 2000000);
    expect_notices(&notices, 2000001, "copied");
    set_notice(&notices, PRFDATA_NOTICES_RECORDING, "");
    expect_notices(&notices, 2000000 + PRFDATA_NOTICES_MS, "Queue crashed");
    set_notice(&notices, PRFDATA_NOTICES_SILENT, "");
    expect_notices(&notices, 2000000 + PRFDATA_NOTICES_MS, "");
    prfdata_notices_free(&notices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notices_a_notice_ends_after_its_time),
        cmocka_unit_test(test_notices_a_state_is_said_as_long_as_it_is_so),
    };

    return cmocka_run_group_tests_name("notices", tests, NULL, NULL);
}
