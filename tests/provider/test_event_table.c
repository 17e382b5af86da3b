/* SPDX-License-Identifier: MIT */
/* Tests that messages.mc and docs/events.md have the events of event_table.h. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "events/events.h"
#include "support/page.h"

static const struct event {
    const char *name;
    unsigned number;
    const char *severity; /* the severity's name in messages.mc */
    uint32_t value;
    const char *detail;
    const char *statement;
    const char *advice;
} events[] = {
#define TYPE_ERROR       "Error"
#define TYPE_WARNING     "Warning"
#define TYPE_INFORMATION "Informational"
#define ROW(name, number, severity, detail, statement, advice)                                     \
    {#name, number, TYPE_##severity, PRFDATA_EVENT_##severity, detail, statement, advice},
    PRFDATA_EVENTS(ROW)
#undef ROW
};

#define EVENT_COUNT (sizeof events / sizeof events[0])

/* The names that messages.mc has for the severities 0 to 3. */
static const char *const messages_severities[] = {"Success", "Informational", "Warning", "Error"};

static void test_event_table_numbers_rise_within_their_levels(void **state)
{
    (void)state;
    assert_true(EVENT_COUNT > PRFDATA_EVENT_COUNT);
    for (size_t i = 0; i < EVENT_COUNT; i++) {
        /* Events of a provider come first. The last three digits of a number are above 100 only for
         * events of programs. */
        assert_int_equal(events[i].number % PRFDATA_EVENT_LEVEL_UNIT > 100,
                         i >= PRFDATA_EVENT_COUNT);
        if (i > 0 && i != PRFDATA_EVENT_COUNT)
            assert_true(events[i].number > events[i - 1].number);
        assert_string_equal(events[i].severity, messages_severities[events[i].value]);
        /* Level 1 has errors and warnings, level 2 has information. */
        assert_int_equal(events[i].number / PRFDATA_EVENT_LEVEL_UNIT,
                         events[i].value == PRFDATA_EVENT_INFORMATION ? 2 : 1);
    }
}

static void test_event_table_every_text_names_the_service_and_its_detail(void **state)
{
    (void)state;
    for (size_t i = 0; i < EVENT_COUNT; i++) {
        assert_non_null(strstr(events[i].statement, "%1"));
        assert_int_equal(strstr(events[i].statement, "%2") != NULL, events[i].detail[0] != 0);
        assert_null(strchr(events[i].advice, '%'));
        assert_int_equal(events[i].advice[strlen(events[i].advice) - 1], '.');
    }
}

/* Users think that Shut down ends Windows. With Fast Startup, Windows continues the same session
 * later (learn.microsoft.com, "System power states"). */
static void test_event_table_advice_says_what_no_restart_is(void **state)
{
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < EVENT_COUNT; i++) {
        const char *advice = events[i].advice;

        if (!strstr(advice, "Windows restarts") && !strstr(advice, "restart of Windows"))
            continue;
        assert_non_null(strstr(advice, "Shut down with Fast Startup"));
        count++;
    }
    assert_int_equal(count, 2);
}

static void test_event_table_messages_mc_is_made_of_it(void **state)
{
    page_text text = {0};

    (void)state;
    page_add(&text, ";/* SPDX-License-Identifier: MIT\n"
                    "; *\n"
                    "; * Holds the texts of the events, which every provider DLL contains. They\n"
                    "; * repeat event_table.h, and the test event_table compares the two. %%1 is\n"
                    "; * the service, %%2 the detail, %%3 a Win32 code.\n"
                    "; */\n"
                    "\n"
                    "MessageIdTypedef=DWORD\n"
                    "SeverityNames=(Success=0x0 Informational=0x1 Warning=0x2 Error=0x3)\n"
                    "FacilityNames=(PrfData=0x0)\n"
                    "LanguageNames=(English=0x409:messages_en)\n");
    for (size_t i = 0; i < EVENT_COUNT; i++)
        page_add(&text,
                 "\nMessageId=%u\nSeverity=%s\nFacility=PrfData\n"
                 "SymbolicName=PRFDATA_MESSAGE_%s\nLanguage=English\n%s %s\n.\n",
                 events[i].number, events[i].severity, events[i].name, events[i].statement,
                 events[i].advice);
    page_expect_file("provider/messages.mc", &text);
    page_free(&text);
}

/* Adds the statement in the form of a page, with words for the inserts. */
static void add_statement(page_text *row, const struct event *event)
{
    for (const char *c = event->statement; *c; c++) {
        if (*c != '%') {
            page_add(row, "%c", *c);
            continue;
        }
        c++;
        page_add(row, "*%s*", *c == '1' ? "service" : *c == '2' ? event->detail : "code");
    }
}

static void test_event_table_page_lists_every_event(void **state)
{
    page_text rows = {0};

    (void)state;
    for (size_t i = 0; i < EVENT_COUNT; i++) {
        page_add(&rows, "| `%u` | %u | %s | ", events[i].number,
                 events[i].number / PRFDATA_EVENT_LEVEL_UNIT,
                 events[i].value == PRFDATA_EVENT_INFORMATION ? "Information" : events[i].severity);
        add_statement(&rows, &events[i]);
        page_add(&rows, " | %s |\n", events[i].advice);
    }
    page_expect_rows("docs/events.md", "| `", &rows);
    page_free(&rows);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_table_numbers_rise_within_their_levels),
        cmocka_unit_test(test_event_table_every_text_names_the_service_and_its_detail),
        cmocka_unit_test(test_event_table_advice_says_what_no_restart_is),
        cmocka_unit_test(test_event_table_messages_mc_is_made_of_it),
        cmocka_unit_test(test_event_table_page_lists_every_event),
    };

    return cmocka_run_group_tests_name("event_table", tests, NULL, NULL);
}
