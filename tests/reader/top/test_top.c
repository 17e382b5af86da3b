/* SPDX-License-Identifier: MIT */
/* Tests after which delays -top has a gap, with a given clock and a stand-in for the terminal. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "os/terminal.h"
#include "support/reader/ascii_text.h"
#include "support/reader/wire.h"
#include "top/top.h"
#include "top/top_view.h"

enum { SAMPLES = 6, INTERVAL_MS = 1000 };

static uint64_t clock_ms;
static uint32_t late_ms[SAMPLES];
static uint32_t taken;
static bool has_gap[SAMPLES]; /* there is a gap before the sample */

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint64_t __wrap_prfdata_os_milliseconds(void);
uint32_t __wrap_prfdata_terminal_open(void);
void __wrap_prfdata_terminal_close(void);
void __wrap_prfdata_terminal_size(uint32_t *width, uint32_t *height);
uint32_t __wrap_prfdata_terminal_draw(const char *frame, size_t size);
prfdata_terminal_event __wrap_prfdata_terminal_wait(uint64_t due_ms, uint32_t *key);
void __real_prfdata_top_view_note_gap(prfdata_top_view *view);
void __wrap_prfdata_top_view_note_gap(prfdata_top_view *view);

uint64_t __wrap_prfdata_os_milliseconds(void)
{
    return clock_ms;
}

uint32_t __wrap_prfdata_terminal_open(void)
{
    return ERROR_SUCCESS;
}

void __wrap_prfdata_terminal_close(void)
{
}

void __wrap_prfdata_terminal_size(uint32_t *width, uint32_t *height)
{
    *width = 80;
    *height = 24;
}

uint32_t __wrap_prfdata_terminal_draw(const char *frame, size_t size)
{
    (void)frame;
    (void)size;
    return ERROR_SUCCESS;
}

/* No key is pressed. */
prfdata_terminal_event __wrap_prfdata_terminal_wait(uint64_t due_ms, uint32_t *key)
{
    (void)key;
    clock_ms = due_ms + late_ms[taken];
    return PRFDATA_TERMINAL_DUE;
}

void __wrap_prfdata_top_view_note_gap(prfdata_top_view *view)
{
    has_gap[taken] = true;
    __real_prfdata_top_view_note_gap(view);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

static uint32_t take_level(prfdata_source *source, const uint16_t *query, void **bytes,
                           size_t *size)
{
    size_t object;
    wire w;

    (void)source;
    (void)query;
    assert_true(taken < SAMPLES);
    taken++;
    memset(&w, 0, sizeof w);
    wire_begin(&w, 1);
    object = wire_object(&w, 100, 1, -1, 0);
    wire_counter(&w, 102, 0x00010100, 8, 8);
    wire_value64(&w, taken);
    wire_object_end(&w, object);
    wire_end(&w);
    *bytes = malloc(w.used);
    assert_non_null(*bytes);
    memcpy(*bytes, w.bytes, w.used);
    *size = w.used;
    return ERROR_SUCCESS;
}

static uint32_t load_level_titles(prfdata_source *source, prfdata_titles *titles)
{
    uint16_t chars[8];

    (void)source;
    (void)prfdata_name_table_add(&titles->english, 100, ascii_text("Jobs", chars));
    return prfdata_name_table_add(&titles->english, 102, ascii_text("Level", chars));
}

static uint32_t load_no_helps(prfdata_source *source, prfdata_titles *titles)
{
    (void)source;
    (void)titles;
    return ERROR_SUCCESS;
}

static void close_level(prfdata_source *source)
{
    (void)source;
}

static void run_top(void)
{
    static const prfdata_source_kind kind = {.take = take_level,
                                             .load_titles = load_level_titles,
                                             .load_helps = load_no_helps,
                                             .close = close_level};
    const prfdata_top_parameters parameters = {.interval_ms = INTERVAL_MS,
                                               .sample_count = SAMPLES - 1};
    prfdata_source source = {.kind = &kind};
    prfdata_messages messages = {0};
    uint16_t chars[16];
    const prfdata_text path = ascii_text("\\Jobs\\Level", chars);
    const prfdata_requests_texts texts = {.names = &path, .name_count = 1};
    prfdata_requests requests;
    prfdata_session session;

    taken = 0;
    memset(has_gap, 0, sizeof has_gap);
    prfdata_session_open(&session, &source, &messages);
    assert_int_equal(prfdata_requests_make(&session, &texts, &requests), ERROR_SUCCESS);
    assert_int_equal(prfdata_top_run(&session, &requests, &parameters), ERROR_SUCCESS);
    assert_int_equal(taken, SAMPLES);
    assert_int_equal(messages.count, 0);
    prfdata_requests_free(&requests);
    prfdata_session_close(&session);
    prfdata_messages_free(&messages);
}

/* The computer sleeps before the fourth sample. A sample that is a little late is no gap. */
static void test_top_has_a_gap_where_the_computer_slept(void **state)
{
    (void)state;
    memset(late_ms, 0, sizeof late_ms);
    late_ms[1] = INTERVAL_MS;
    late_ms[3] = 300000;
    run_top();
    for (uint32_t i = 0; i < SAMPLES; i++)
        assert_int_equal(has_gap[i], i == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top_has_a_gap_where_the_computer_slept),
    };

    return cmocka_run_group_tests_name("top", tests, NULL, NULL);
}
