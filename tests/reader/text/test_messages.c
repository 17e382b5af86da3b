/* SPDX-License-Identifier: MIT */
/* Messages of libraries: kept with subject and text, compared by problem and subject. */
#include <string.h>

#include "support/test.h"

#include "text/messages.h"

static const uint16_t name_chars[] = {'a', '.', 'b', 'l', 'k'};
static const prfdata_text name = {name_chars, 5};

static void test_messages_keep_subject_text_and_error(void **state)
{
    prfdata_messages messages = {0};

    (void)state;
    prfdata_messages_add(&messages, PRFDATA_SEVERITY_WARNING, name, "byte %u: %s", 7u, "damaged");
    prfdata_messages_add_system(&messages, prfdata_no_subject, 5, "cannot read %s", "it");
    assert_int_equal(messages.count, 2);
    assert_int_equal(messages.items[0].severity, PRFDATA_SEVERITY_WARNING);
    assert_string_equal(messages.items[0].text, "byte 7: damaged");
    assert_int_equal(messages.items[0].system_error, 0);
    assert_ptr_not_equal(messages.items[0].subject.chars, name_chars);
    assert_true(prfdata_text_equal(messages.items[0].subject, name));
    assert_int_equal(messages.items[1].severity, PRFDATA_SEVERITY_ERROR);
    assert_string_equal(messages.items[1].text, "cannot read it");
    assert_int_equal(messages.items[1].system_error, 5);
    assert_int_equal(messages.items[1].subject.count, 0);
    prfdata_messages_free(&messages);
}

static void test_messages_are_the_same_if_problem_and_subject_are(void **state)
{
    prfdata_messages messages = {0};

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        prfdata_messages_add(&messages, PRFDATA_SEVERITY_ERROR, name, "damaged in %u places", i);
    prfdata_messages_add(&messages, PRFDATA_SEVERITY_ERROR, prfdata_no_subject,
                         "damaged in %u places", 1u);
    prfdata_messages_add(&messages, PRFDATA_SEVERITY_ERROR, name, "is damaged in %u places", 1u);
    assert_true(prfdata_messages_is_same(&messages.items[0], &messages.items[1]));
    assert_false(prfdata_messages_is_same(&messages.items[0], &messages.items[2]));
    assert_false(prfdata_messages_is_same(&messages.items[0], &messages.items[3]));
    prfdata_messages_free(&messages);
}

static void test_messages_that_are_not_wanted_are_dropped(void **state)
{
    (void)state;
    prfdata_messages_add(NULL, PRFDATA_SEVERITY_ERROR, name, "nothing");
    prfdata_messages_add_system(NULL, name, 5, "nothing");
}

static void test_messages_cut_what_is_too_long(void **state)
{
    static char text[3000];
    prfdata_messages messages = {0};

    (void)state;
    memset(text, 'x', sizeof text - 1);
    prfdata_messages_add(&messages, PRFDATA_SEVERITY_NOTE, name, "%s", text);
    assert_int_equal(strlen(messages.items[0].text), 1023);
    prfdata_messages_clear(&messages);
    assert_int_equal(messages.count, 0);
    prfdata_messages_free(&messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_keep_subject_text_and_error),
        cmocka_unit_test(test_messages_are_the_same_if_problem_and_subject_are),
        cmocka_unit_test(test_messages_that_are_not_wanted_are_dropped),
        cmocka_unit_test(test_messages_cut_what_is_too_long),
    };

    return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
