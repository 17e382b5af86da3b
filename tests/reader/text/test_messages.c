/* SPDX-License-Identifier: MIT */
/* Tests messages of libraries: they are kept with subject and text, and compared by problem and
 * subject. */
#include <string.h>
#include <wchar.h>

#include "support/test.h"

#include "names/hidden.h"
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
    prfdata_messages_free(&messages);
    assert_int_equal(messages.count, 0);
}

/* A sink that counts messages and keeps the last one as a line. */
typedef struct listener {
    unsigned count;
    prfdata_output line;
} listener;

static void hear(void *context, const prfdata_message *message)
{
    static const uint16_t words[] = {'N', 'o', '.'};
    listener *heard = context;

    heard->count++;
    prfdata_output_clear(&heard->line);
    prfdata_messages_write(&heard->line, message, (prfdata_text){words, 3});
    prfdata_output_put(&heard->line, "", 1);
}

static void test_messages_go_to_the_sink_at_once_and_are_not_kept(void **state)
{
    listener heard = {0};
    prfdata_messages messages = {.sink = hear, .context = &heard};

    (void)state;
    prfdata_messages_add(&messages, PRFDATA_SEVERITY_WARNING, name, "byte %u", 7u);
    assert_int_equal(heard.count, 1);
    assert_string_equal(heard.line.bytes, "a.blk: byte 7");
    prfdata_messages_add_system(&messages, prfdata_no_subject, 5, "cannot start");
    assert_int_equal(heard.count, 2);
    assert_string_equal(heard.line.bytes, "cannot start: error 5 No.");
    assert_int_equal(messages.count, 0);
    prfdata_output_free(&heard.line);
    prfdata_messages_free(&messages);
}

static void test_messages_of_a_line_say_file_line_and_subject(void **state)
{
    static const uint16_t path_chars[] = {'\\', 'a'};
    static const char reason[] = "no path";
    const prfdata_message message = {.severity = PRFDATA_SEVERITY_ERROR,
                                     .file = name,
                                     .line = 3,
                                     .subject = {path_chars, 2},
                                     .problem = reason,
                                     .text = reason};
    prfdata_messages messages = {0};
    prfdata_message other = message;
    prfdata_output line = {0};

    (void)state;
    prfdata_messages_put(&messages, &message);
    assert_ptr_not_equal(messages.items[0].file.chars, name_chars);
    assert_ptr_not_equal(messages.items[0].text, reason);
    prfdata_messages_write(&line, &messages.items[0], prfdata_no_subject);
    prfdata_output_put(&line, "", 1);
    assert_string_equal(line.bytes, "a.blk: line 3: \\a: no path");
    assert_true(prfdata_messages_is_same(&messages.items[0], &message));
    assert_true(prfdata_messages_hash(&messages.items[0]) == prfdata_messages_hash(&message));
    other.line = 4;
    assert_false(prfdata_messages_is_same(&other, &message));
    assert_true(prfdata_messages_hash(&other) != prfdata_messages_hash(&message));
    other = message;
    other.file = prfdata_no_subject;
    assert_false(prfdata_messages_is_same(&other, &message));
    prfdata_output_free(&line);
    prfdata_messages_free(&messages);
}

/* A name that another program chose must not look like a different name. */
static void test_messages_show_what_cannot_be_seen(void **state)
{
    static const uint16_t chars[] = {'a', '\r', 0x202E, 'b', 0x200B, 0xD83D, 0xDE00, '\\', 0x1B};
    static const prfdata_text subject = {chars, sizeof chars / sizeof chars[0]};
    const prfdata_message message = {
        .subject = subject,
        .problem = "p",
        /* NOLINTNEXTLINE(misc-misleading-bidirectional): the test is about such a character */
        .text = "no \"x\ny\xE2\x80\xAE\""};
    prfdata_output output = {0};

    (void)state;
    prfdata_messages_write(&output, &message, prfdata_no_subject);
    prfdata_output_put(&output, "", 1);
    assert_string_equal(output.bytes,
                        "a\\r\\u202Eb\\u200B\xF0\x9F\x98\x80\\\\u001B: no \"x\\ny\\u202E\"");
    prfdata_output_free(&output);
}

static bool is_shown_as(uint32_t code_point)
{
    return prfdata_hidden_is(code_point) || prfdata_hidden_is_blank(code_point);
}

/*
 * All characters of Unicode 15 that are default ignorable (DerivedCoreProperties.txt), the
 * separators of lines and paragraphs, and all blanks (Zs, and the empty braille pattern) other than
 * the one of the keyboard.
 */
static void test_messages_show_every_character_without_a_picture(void **state)
{
    static const uint32_t ranges[][2] = {
        {0x00A0, 0x00A0},   {0x00AD, 0x00AD}, {0x034F, 0x034F},   {0x061C, 0x061C},
        {0x115F, 0x1160},   {0x1680, 0x1680}, {0x17B4, 0x17B5},   {0x180B, 0x180F},
        {0x2000, 0x200F},   {0x2028, 0x202F}, {0x205F, 0x206F},   {0x2800, 0x2800},
        {0x3000, 0x3000},   {0x3164, 0x3164}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
        {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
        {0xE0000, 0xE0FFF},
    };

    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        for (uint32_t c = ranges[i][0]; c <= ranges[i][1]; c++) {
            if (!is_shown_as(c))
                fail_msg("U+%04X", (unsigned)c);
        }
    }
    assert_false(is_shown_as(' ') || is_shown_as(0x301) || is_shown_as(0x4E00) ||
                 is_shown_as(0x1F600));
}

/* A no-break space, which web pages have, and a blank of another width look like the blank of the
 * keyboard. */
static void test_messages_show_unusual_blanks(void **state)
{
    static const uint16_t chars[] = {'a', 0x00A0};
    const prfdata_message message = {
        .subject = {chars, 2}, .problem = "p", .text = "did you mean \"a\xE3\x80\x80 b\""};
    prfdata_output output = {0};

    (void)state;
    prfdata_messages_write(&output, &message, prfdata_no_subject);
    prfdata_output_put(&output, "", 1);
    assert_string_equal(output.bytes, "a\\u00A0: did you mean \"a\\u3000 b\"");
    prfdata_output_free(&output);
}

static void test_messages_show_wide_texts(void **state)
{
    wchar_t shown[20];

    (void)state;
    prfdata_hidden_show(L"C:\\a\x200B"
                        L"b\r\n",
                        shown, 20);
    assert_int_equal(wcscmp(shown, L"C:\\a\\u200Bb\\r\\n"), 0);
    prfdata_hidden_show(L"abc\r", shown, 5);
    assert_int_equal(wcscmp(shown, L"abc"), 0); /* a cut must not leave half of \r */
    prfdata_hidden_show(L"", shown, 1);
    assert_int_equal(shown[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_show_what_cannot_be_seen),
        cmocka_unit_test(test_messages_show_every_character_without_a_picture),
        cmocka_unit_test(test_messages_show_unusual_blanks),
        cmocka_unit_test(test_messages_show_wide_texts),
        cmocka_unit_test(test_messages_keep_subject_text_and_error),
        cmocka_unit_test(test_messages_are_the_same_if_problem_and_subject_are),
        cmocka_unit_test(test_messages_that_are_not_wanted_are_dropped),
        cmocka_unit_test(test_messages_cut_what_is_too_long),
        cmocka_unit_test(test_messages_go_to_the_sink_at_once_and_are_not_kept),
        cmocka_unit_test(test_messages_of_a_line_say_file_line_and_subject),
    };

    return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
