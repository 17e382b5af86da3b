/* SPDX-License-Identifier: MIT */
/*
 * The live view from readings and keys to what a screen shows. The screen is one of our own, which
 * knows the sequences that top_frame.h promises and refuses everything else.
 */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>
#include <prfdata/perf_types.h>

#include "text/terminal_line.h"
#include "top/top_frame.h"
#include "top/top_view.h"
#include "support/sampled.h"

#define MAX_WIDTH  300
#define MAX_HEIGHT 60

/* ---- A screen ---- */

typedef struct screen {
    uint32_t width;
    uint32_t height;
    char cells[MAX_HEIGHT][MAX_WIDTH][20]; /* "": the right half of a wide character */
    bool reversed[MAX_HEIGHT];
    uint32_t x;
    uint32_t y;
    bool is_reversed;
    char text[MAX_HEIGHT * (MAX_WIDTH * 20 + 1)]; /* all lines, without blanks at their ends */
} screen;

static screen shown;
static prfdata_top_view view; /* what every test draws */

static void set_size(uint32_t width, uint32_t height)
{
    shown.width = width;
    shown.height = height;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            strcpy(shown.cells[y][x], "\1"); /* what was there before */
    }
}

/* After a full line the cursor is still on the last character. */
static void erase_rest(void)
{
    for (uint32_t x = shown.x < shown.width ? shown.x : shown.width - 1; x < shown.width; x++)
        strcpy(shown.cells[shown.y][x], " ");
}

/* One sequence; returns its bytes. */
static size_t obey(const char *bytes, size_t size)
{
    char sequence[16];
    size_t length = 2;
    unsigned y = 0;
    char end = 0;

    while (length < size && (bytes[length] < 'A' || bytes[length] > 'z'))
        length++;
    length++;
    assert_true(length <= size && length < sizeof sequence);
    memcpy(sequence, bytes, length);
    sequence[length] = 0;
    if (strcmp(sequence, "\033[K") == 0) {
        erase_rest();
    } else if (sscanf(sequence, "\033[%u;1%c", &y, &end) == 2 && end == 'H') {
        assert_true(y >= 1 && y <= shown.height);
        shown.y = y - 1;
        shown.x = 0;
    } else {
        bool is_known = strcmp(sequence, "\033[0m") == 0 || strcmp(sequence, "\033[0;1m") == 0 ||
                        strcmp(sequence, "\033[0;4m") == 0 || strcmp(sequence, "\033[0;7m") == 0;

        assert_true(is_known);
        shown.is_reversed = sequence[3] == ';' && sequence[4] == '7';
        if (shown.is_reversed)
            shown.reversed[shown.y] = true;
    }
    return length;
}

static uint32_t code_point_of(const char *bytes, size_t *length)
{
    unsigned char first = (unsigned char)bytes[0];
    uint32_t point = first;

    *length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (*length > 1)
        point = first & (0xFFu >> (*length + 1));
    for (size_t i = 1; i < *length; i++)
        point = point << 6 | ((unsigned char)bytes[i] & 0x3Fu);
    return point;
}

/* Nothing may stand where the line is over. */
static size_t show_character(const char *bytes)
{
    size_t length;
    uint32_t point = code_point_of(bytes, &length);
    uint32_t cells = prfdata_terminal_line_width_of(point);

    assert_true(point >= 0x20 && (point < 0x7F || point >= 0xA0));
    if (cells == 0) {
        assert_true(shown.x > 0);
        strncat(shown.cells[shown.y][shown.x - 1], bytes, length);
        return length;
    }
    assert_true(shown.x + cells <= shown.width);
    memcpy(shown.cells[shown.y][shown.x], bytes, length);
    shown.cells[shown.y][shown.x][length] = 0;
    if (cells == 2)
        shown.cells[shown.y][shown.x + 1][0] = 0;
    shown.x += cells;
    return length;
}

static void join_lines(void)
{
    char *end = shown.text;

    for (uint32_t y = 0; y < shown.height; y++) {
        char *line = end;

        for (uint32_t x = 0; x < shown.width; x++) {
            size_t length = strlen(shown.cells[y][x]);

            memcpy(end, shown.cells[y][x], length);
            end += length;
        }
        while (end > line && end[-1] == ' ')
            end--;
        *end++ = '\n';
    }
    *end = 0;
}

/* Draw the view; every cell must be drawn or erased. */
static const char *draw_in(uint32_t width, uint32_t height, bool is_unicode)
{
    prfdata_output output = {0};

    set_size(width, height);
    memset(shown.reversed, 0, sizeof shown.reversed);
    prfdata_top_frame_put(&view, width, height, is_unicode, &output);
    assert_false(output.failed);
    for (size_t at = 0; at < output.used;) {
        if (!is_unicode)
            assert_true((unsigned char)output.bytes[at] < 0x7F);
        if (output.bytes[at] == 0x1B)
            at += obey(output.bytes + at, output.used - at);
        else
            at += show_character(output.bytes + at);
    }
    prfdata_output_free(&output);
    join_lines();
    assert_null(strchr(shown.text, 1));
    return shown.text;
}

static const char *draw_top_view(void)
{
    return draw_in(80, 24, false);
}

static void expect_line_top_view(uint32_t y, const char *expected)
{
    const char *line = shown.text;
    char copy[MAX_WIDTH * 20];
    size_t length;

    while (y-- > 0)
        line = strchr(line, '\n') + 1;
    length = (size_t)(strchr(line, '\n') - line);
    memcpy(copy, line, length);
    copy[length] = 0;
    assert_string_equal(copy, expected);
}

/*
 * A row on a screen of 80 cells. `change` NULL: no row
 * on the screen is a level, and there is no such column.
 */
static void expect_row_top_view(uint32_t y, const char *name, const char *value, const char *change,
                                const char *mean, const char *graph)
{
    char line[100];
    size_t length = change ? (size_t)snprintf(line, sizeof line, "%-39s %10s %9s %8s %10s", name,
                                              value, change, mean, graph)
                           : (size_t)snprintf(line, sizeof line, "%-49s %10s %8s %10s", name, value,
                                              mean, graph);

    while (length > 0 && line[length - 1] == ' ')
        length--;
    line[length] = 0;
    expect_line_top_view(y, line);
}

static void expect_shown(const char *part)
{
    if (!strstr(shown.text, part))
        fail_msg("not shown: %s\n%s", part, shown.text);
}

static void expect_hidden(const char *part)
{
    if (strstr(shown.text, part))
        fail_msg("shown: %s\n%s", part, shown.text);
}

/* The line in reverse video begins so. */
static void expect_selected(const char *begin)
{
    unsigned count = 0;

    for (uint32_t y = 0; y < shown.height; y++) {
        if (!shown.reversed[y])
            continue;
        count++;
        for (size_t i = 0; begin[i]; i++)
            assert_int_equal(shown.cells[y][i][0], begin[i]);
    }
    assert_int_equal(count, 1);
}

/* ---- Samples ---- */

static uint16_t text_chars[20][200];
static unsigned text_next;

/* ASCII as UTF-16; the twentieth next call takes its room. */
static prfdata_text make_top_view(const char *ascii)
{
    uint16_t *chars = text_chars[text_next++ % 20];
    prfdata_text text = {chars, 0};

    for (; ascii[text.count]; text.count++)
        chars[text.count] = (unsigned char)ascii[text.count];
    return text;
}

/* A sample each second. */
static void begin_view(void)
{
    prfdata_top_view_begin(&view);
    view.time[4] = 12;
    view.time[5] = 34;
    view.time[6] = (uint16_t)view.table.updates;
}

static prfdata_top_reading reading_of(const char *label, const char *counter, uint32_t type,
                                      uint64_t value)
{
    prfdata_top_reading reading;
    uint32_t hash = 5;

    memset(&reading, 0, sizeof reading);
    for (size_t i = 0; counter[i]; i++)
        hash = hash * 33 + (unsigned char)counter[i];
    reading.object_title = 100;
    reading.counter_title = hash;
    reading.object = make_top_view("Jobs");
    reading.label = make_top_view(label);
    reading.has_instance = label[0] != 0;
    reading.counter = make_top_view(counter);
    reading.unit = prfdata_number_unit(type, reading.counter);
    reading.raw.type = type;
    reading.raw.value_bytes = (type & 0x300) == 0x100 ? 8 : 4;
    reading.raw.value = value;
    reading.raw.perf_freq = 1000;
    reading.raw.perf_time = 1000 * (int64_t)view.table.updates;
    reading.raw.time_100ns = 10000000 * (int64_t)view.table.updates;
    return reading;
}

static void add_top_view(const char *label, const char *counter, uint32_t type, uint64_t value)
{
    prfdata_top_reading reading = reading_of(label, counter, type, value);

    prfdata_top_view_add(&view, &reading);
}

static void end_view(void)
{
    assert_int_equal(prfdata_top_view_end(&view), ERROR_SUCCESS);
}

static void press_top_view(const char *keys)
{
    for (; *keys; keys++)
        assert_int_equal(prfdata_top_view_key(&view, (unsigned char)*keys), ERROR_SUCCESS);
}

static void press_key_top_view(uint32_t key)
{
    assert_int_equal(prfdata_top_view_key(&view, key), ERROR_SUCCESS);
}

static int set_up_top_view(void **state)
{
    (void)state;
    prfdata_top_view_init(&view);
    view.computer = (prfdata_text){(const uint16_t *)u"PC", 2};
    return 0;
}

static int tear_down_top_view(void **state)
{
    (void)state;
    prfdata_top_view_free(&view);
    return 0;
}

/* Levels of a: 30, b: 10, C: 20, none: 0 in the first sample; then b grows. */
static void add_levels(void)
{
    begin_view();
    add_top_view("a", "Level", PERF_COUNTER_RAWCOUNT, 30);
    add_top_view("b", "Level", PERF_COUNTER_RAWCOUNT, 10 * (uint64_t)view.table.updates);
    add_top_view("C", "Level", PERF_COUNTER_RAWCOUNT, 20);
    add_top_view("none", "Level", PERF_COUNTER_RAWCOUNT, 0);
    end_view();
}

static void add_many_top_view(unsigned count)
{
    begin_view();
    for (unsigned i = 0; i < count; i++) {
        char label[16];

        snprintf(label, sizeof label, "n%u", i);
        add_top_view(label, "Level", PERF_COUNTER_RAWCOUNT, i);
    }
    end_view();
}

/* ---- Values ---- */

static void test_top_view_shows_value_change_mean_and_history(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 4; i++) {
        begin_view();
        add_top_view("a", "Done/sec", PERF_COUNTER_BULK_COUNT, 1000 + 10 * i * i);
        add_top_view("a", "Level", PERF_COUNTER_RAWCOUNT, 100 - i * 10);
        end_view();
        draw_top_view();
        if (i == 0)
            expect_row_top_view(2, "\\Jobs(a)\\Done/sec", "wait", "", "", "");
    } /* of a rate there is no change: it is one */
    expect_line_top_view(0, "12:34:04 PC, every 1 s, 2 counters");
    expect_line_top_view(
        1, "Counter                                      Value  Change/s     Mean History");
    /* 10, 30, 50 a second; bars of 10, 30 and 50 fiftieths */
    expect_row_top_view(2, "\\Jobs(a)\\Done/sec", "50.00/s", "", "30", ".=#");
    expect_row_top_view(3, "\\Jobs(a)\\Level", "70", "-10", "85", "#**+");
    draw_in(80, 24, true);
    expect_shown(" 30        \xE2\x96\x82\xE2\x96\x85\xE2\x96\x88\n"); /* nothing before them */
}

static void test_top_view_chars_follow_the_type(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2; i++) {
        prfdata_top_reading reading;

        begin_view();
        reading = reading_of("", "% Busy", PERF_100NSEC_TIMER, 2500000 * i);
        prfdata_top_view_add(&view, &reading);
        reading = reading_of("", "% Full", PERF_RAW_FRACTION, 1);
        reading.raw.base = 4;
        reading.raw.base_bytes = 4;
        prfdata_top_view_add(&view, &reading);
        reading = reading_of("", "Up", PERF_ELAPSED_TIME, 1000);
        reading.raw.object_freq = 1000;
        reading.raw.object_time = 3000;
        prfdata_top_view_add(&view, &reading);
        add_top_view("", "Flags", PERF_COUNTER_RAWCOUNT_HEX, 0xBEEF);
        end_view();
    }
    draw_top_view();
    expect_row_top_view(2, "\\Jobs\\% Busy", "25.00%", "", "25", " #");
    expect_row_top_view(3, "\\Jobs\\% Full", "25.00%", "", "25", "##");
    expect_row_top_view(4, "\\Jobs\\Up", "2.00 s", "", "2 s", "##");
    expect_row_top_view(5, "\\Jobs\\Flags", "BEEFh", "0", "48879", "##");
}

static void test_top_view_percentages_are_capped_where_that_is_wanted(void **state)
{
    for (unsigned is_capped = 0; is_capped < 2; is_capped++) {
        view.is_capped = is_capped != 0;
        for (uint64_t i = 0; i < 2; i++) {
            begin_view();
            add_top_view("", "% Busy", PERF_100NSEC_TIMER, 25000000 * i);
            end_view();
        }
        draw_top_view();
        expect_row_top_view(2, "\\Jobs\\% Busy", is_capped ? "100.0%" : "250.0%", NULL,
                            is_capped ? "100" : "250", "#");
        tear_down_top_view(state);
        set_up_top_view(state);
    }
}

static void test_top_view_what_has_no_value_says_why(void **state)
{
    static const struct {
        uint32_t status;
        const char *text;
    } statuses[] = {
        {PRFDATA_STATUS_NO_OBJECT, "no object"},
        {PRFDATA_STATUS_NO_COUNTER, "no counter"},
        {PRFDATA_STATUS_NO_DATA, "idle"},
        {PRFDATA_STATUS_NEGATIVE_VALUE, "restarted"},
        {PRFDATA_STATUS_NEGATIVE_DENOMINATOR, "no time"},
        {PRFDATA_STATUS_NEGATIVE_TIMEBASE, "no clock"},
        {PRFDATA_STATUS_INVALID_DATA, "damaged"},
        {PRFDATA_STATUS_NO_FORMULA, "no number"},
        {0xC0000BBDu, "no value"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        prfdata_top_reading reading;
        char expected[80];

        begin_view();
        reading = reading_of("a", "Level", PERF_COUNTER_RAWCOUNT, 5);
        reading.raw.status = statuses[i].status;
        reading.raw.value_bytes = 0;
        prfdata_top_view_add(&view, &reading);
        end_view();
        draw_top_view();
        snprintf(expected, sizeof expected, "\\Jobs(a)\\Level %35s", statuses[i].text);
        expect_line_top_view(2, expected);
    }
}

static void test_top_view_a_restarted_counter_has_no_change(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2; i++) {
        begin_view();
        add_top_view("a", "Done/sec", PERF_COUNTER_BULK_COUNT, 500 - 500 * i);
        add_top_view("a", "Small/sec", PERF_COUNTER_COUNTER, i == 0 ? 0xFFFFFFF0u : 5);
        end_view();
    }
    draw_top_view();
    expect_row_top_view(2, "\\Jobs(a)\\Done/sec", "restarted", NULL, "", "");
    expect_row_top_view(3, "\\Jobs(a)\\Small/sec", "restarted", NULL, "", "");
}

static void test_top_view_who_comes_back_is_another(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        begin_view();
        if (i != 1)
            add_top_view("a", "Done/sec", PERF_COUNTER_BULK_COUNT, 1000 * (i + 1));
        end_view();
        draw_top_view();
        if (i == 1)
            expect_row_top_view(2, "\\Jobs(a)\\Done/sec", "gone", NULL, "", "");
        if (i == 2)
            expect_row_top_view(2, "\\Jobs(a)\\Done/sec", "wait", NULL, "", "");
    }
    expect_row_top_view(2, "\\Jobs(a)\\Done/sec", "1000/s", NULL, "1000", "#");
}

static void test_top_view_rows_that_are_gone_leave_after_a_while(void **state)
{
    (void)state;
    begin_view();
    add_top_view("a", "Level", PERF_COUNTER_RAWCOUNT, 5);
    add_top_view("b", "Level", PERF_COUNTER_RAWCOUNT, 5);
    end_view();
    for (unsigned i = 0; i < PRFDATA_TABLE_WHILE; i++) {
        draw_top_view();
        expect_shown("(a)");
        begin_view();
        add_top_view("b", "Level", PERF_COUNTER_RAWCOUNT, 6);
        end_view();
    }
    draw_top_view();
    expect_hidden("(a)");
    expect_shown("1 counters");
    begin_view();
    add_top_view("b", "Level", PERF_COUNTER_RAWCOUNT, 7);
    add_top_view("a", "Level", PERF_COUNTER_RAWCOUNT, 8);
    end_view();
    draw_top_view();
    expect_row_top_view(2, "\\Jobs(b)\\Level", "7", "+1", "6", "     +***#");
    expect_row_top_view(3, "\\Jobs(a)\\Level", "8", "", "8", "#");
}

static void test_top_view_others_stay_themselves_when_rows_leave(void **state)
{
    (void)state;
    add_many_top_view(50);
    for (unsigned i = 0; i <= PRFDATA_TOP_HISTORY; i++) {
        begin_view();
        add_top_view("n49", "Level", PERF_COUNTER_RAWCOUNT, 49);
        add_top_view("n7", "Level", PERF_COUNTER_RAWCOUNT, 7);
        end_view();
    }
    assert_int_equal(view.table.row_count, 2);
    draw_top_view();
    expect_row_top_view(2, "\\Jobs(n49)\\Level", "49", "0", "49", "##########");
    expect_row_top_view(3, "\\Jobs(n7)\\Level", "7", "0", "7", "##########");
    add_many_top_view(50); /* all are back */
    assert_int_equal(view.table.row_count, 50);
    draw_top_view();
    expect_row_top_view(2, "\\Jobs(n0)\\Level", "0", "", "0", "");
    expect_row_top_view(9, "\\Jobs(n7)\\Level", "7", "0", "7", "##########");
}

static void test_top_view_a_path_to_nothing_is_a_row_until_it_leads_somewhere(void **state)
{
    prfdata_top_reading nothing;
    (void)state;
    memset(&nothing, 0, sizeof nothing);
    nothing.object = make_top_view("Jobs");
    nothing.label = make_top_view("*");
    nothing.has_instance = true;
    nothing.counter = make_top_view("Level");
    nothing.raw.status = PRFDATA_STATUS_NO_INSTANCE;
    for (unsigned i = 0; i < 100; i++) {
        begin_view();
        prfdata_top_view_add(&view, &nothing);
        end_view();
    }
    draw_top_view();
    expect_row_top_view(2, "\\Jobs(*)\\Level", "none", NULL, "", "");
    expect_line_top_view(0, "12:34:100 PC, every 1 s, 1 counters");
    add_levels();
    draw_top_view();
    expect_hidden("none ");
    expect_hidden("(*)");
}

static void test_top_view_the_same_twice_is_one_row(void **state)
{
    (void)state;
    begin_view();
    add_top_view("a", "Level", PERF_COUNTER_RAWCOUNT, 1);
    add_top_view("A", "LEVEL", PERF_COUNTER_RAWCOUNT, 2);
    end_view();
    assert_int_equal(view.table.row_count, 2); /* other titles: LEVEL is another counter */
    begin_view();
    add_top_view("a", "Level", PERF_COUNTER_RAWCOUNT, 3);
    add_top_view("A", "Level", PERF_COUNTER_RAWCOUNT, 4);
    end_view();
    draw_top_view();
    expect_row_top_view(2, "\\Jobs(a)\\Level", "3", "+2", "2", ":#");
}

static void test_top_view_texts_are_shown_as_they_are(void **state)
{
    prfdata_top_reading reading;
    (void)state;
    begin_view();
    reading = reading_of("", "State", PERF_COUNTER_TEXT, 0);
    reading.raw.status = PRFDATA_STATUS_IS_TEXT;
    reading.text = make_top_view("\033[2Jwaiting for a job");
    prfdata_top_view_add(&view, &reading);
    end_view();
    draw_top_view();
    expect_row_top_view(2, "\\Jobs\\State", "?[2Jw~ job", NULL, "", "");
    press_top_view("zd");
    draw_top_view();
    expect_hidden("No counter");
    expect_shown("Text       ?[2Jwaiting for a job");
    press_top_view("dz");
    begin_view(); /* it is empty now, and what has a number comes first */
    reading.text.count = 0;
    prfdata_top_view_add(&view, &reading);
    add_top_view("", "Under", PERF_COUNTER_RAWCOUNT, 0);
    end_view();
    press_top_view("ss");
    for (unsigned is_reversed = 0; is_reversed < 2; is_reversed++) {
        draw_top_view();
        expect_row_top_view(2, "\\Jobs\\Under", "0", "", "0", "");
        expect_row_top_view(3, "\\Jobs\\State", "", "", "", "");
        press_top_view("r");
    }
}

/* ---- Order and choice ---- */

static void expect_order(const char *labels)
{
    char expected[40];

    draw_top_view();
    assert_int_equal(view.table.shown_count, strlen(labels));
    for (uint32_t i = 0; labels[i]; i++) {
        snprintf(expected, sizeof expected, labels[i] == 'n' ? "\\Jobs(none)" : "\\Jobs(%c)",
                 labels[i]);
        for (size_t x = 0; expected[x]; x++)
            assert_int_equal(shown.cells[2 + i][x][0], expected[x]);
    }
}

static void test_top_view_sorts_and_reverses(void **state)
{
    (void)state;
    add_levels();
    add_levels();
    add_levels();
    add_levels();
    begin_view(); /* C, which was 20, is gone: 40, 10, 20, 0 */
    add_top_view("a", "Level", PERF_COUNTER_RAWCOUNT, 40);
    add_top_view("b", "Level", PERF_COUNTER_RAWCOUNT, 10);
    add_top_view("none", "Level", PERF_COUNTER_RAWCOUNT, 0);
    end_view();
    expect_order("abCn"); /* as it was when it was seen last */
    press_top_view("r");
    expect_order("nCba");
    press_top_view("rs");
    expect_order("abCn");
    expect_shown(", by name");
    press_top_view("r");
    expect_order("nCba");
    expect_shown(", by name, reversed");
    press_top_view("rs");
    expect_order("aCbn"); /* in its place */
    expect_shown(", by value");
    press_top_view("r");
    expect_order("nbCa");
    press_top_view("rs");
    expect_order("anbC"); /* +10, 0, -30, none */
    expect_shown(", by change");
    press_top_view("s");
    expect_order("abCn");
}

/* As the window has them: two numbers that one double stands for, too, and their change. */
static void test_top_view_sorts_whole_numbers_that_doubles_cannot_tell(void **state)
{
    const uint64_t large = UINT64_C(1) << 53;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        begin_view();
        add_top_view("a", "Level", PERF_COUNTER_LARGE_RAWCOUNT, large);
        add_top_view("b", "Level", PERF_COUNTER_LARGE_RAWCOUNT, large + i);
        end_view();
    }
    press_top_view("ss");
    expect_order("ba");
    press_top_view("r");
    expect_order("ab");
    draw_top_view();
    expect_row_top_view(3, "\\Jobs(b)\\Level", "9.01 P", "+1", "9.01 P", "##");
}

static void test_top_view_filter_is_live_and_ignores_case(void **state)
{
    (void)state;
    add_levels();
    press_top_view("/(c");
    expect_order("C");
    expect_shown("1 of 4 counters, with \"(c\"");
    expect_line_top_view(23, "/(c_  Enter keeps the filter, Esc clears it");
    press_top_view("q"); /* a letter like any other here */
    assert_false(view.is_over);
    draw_top_view();
    expect_line_top_view(2, "No counter fits: Esc clears the filter, z shows idle ones.");
    press_key_top_view(PRFDATA_KEY_BACKSPACE);
    expect_order("C");
    press_key_top_view(PRFDATA_KEY_ENTER);
    draw_top_view();
    expect_hidden("Enter keeps");
    expect_order("C");
    add_levels(); /* and with new samples */
    expect_order("C");
    press_key_top_view(PRFDATA_KEY_ESCAPE);
    expect_order("abCn");
    press_top_view("/JOBS(*n");
    expect_order("n");
    press_key_top_view(PRFDATA_KEY_ESCAPE);
    expect_order("abCn");
    draw_top_view();
    expect_hidden("Enter keeps");
}

static void test_top_view_filter_takes_any_character_and_no_more_than_its_room(void **state)
{
    static const uint32_t keys[] = {0xE4, 0x1F600, PRFDATA_KEY_UP, 0x1B5B, 0x9B, 7, 0xD800};
    (void)state;
    add_levels();
    press_top_view("/");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        press_key_top_view(keys[i]);
    assert_int_equal(view.filter_count, 4);
    draw_in(80, 24, true);
    expect_line_top_view(
        23, "/\xC3\xA4\xF0\x9F\x98\x80\xE1\xAD\x9B_  Enter keeps the filter, Esc clears "
            "it");
    press_key_top_view(PRFDATA_KEY_BACKSPACE);
    press_key_top_view(PRFDATA_KEY_BACKSPACE); /* both halves */
    assert_int_equal(view.filter_count, 1);
    for (unsigned i = 0; i < 100; i++)
        press_key_top_view(i % 2 == 0 ? 'x' : 0x1F600);
    assert_true(view.filter_count <= PRFDATA_TOP_FILTER);
    draw_in(20, 5, true);
    expect_shown("_");
    for (unsigned i = 0; i < 100; i++)
        press_key_top_view(PRFDATA_KEY_BACKSPACE);
    expect_order("abCn");
}

static void test_top_view_idle_rows_hide_while_nothing_happens(void **state)
{
    (void)state;
    add_levels();
    press_top_view("z");
    expect_order("abC");
    expect_shown("without idle");
    begin_view();
    add_top_view("none", "Level", PERF_COUNTER_RAWCOUNT, 1);
    end_view();
    assert_int_equal(view.table.shown_count, 4);
    for (unsigned i = 0; i + 1 < PRFDATA_TABLE_WHILE; i++) {
        begin_view();
        add_top_view("none", "Level", PERF_COUNTER_RAWCOUNT, 0);
        end_view();
    }
    expect_order("n"); /* a short while ago it was 1 */
    begin_view();
    add_top_view("none", "Level", PERF_COUNTER_RAWCOUNT, 0);
    end_view();
    expect_order("");
    press_top_view("z");
    expect_order("n");
}

/* ---- Moving ---- */

static void test_top_view_keys_scroll_through_all_rows(void **state)
{
    (void)state;
    add_many_top_view(100);
    draw_top_view(); /* 20 rows, and how many more there are */
    expect_line_top_view(22, "80 more below");
    expect_selected("\\Jobs(n0)");
    press_key_top_view(PRFDATA_KEY_UP);
    draw_top_view();
    expect_selected("\\Jobs(n0)");
    for (unsigned i = 0; i < 21; i++)
        press_key_top_view(PRFDATA_KEY_DOWN);
    draw_top_view();
    expect_selected("\\Jobs(n21)");
    expect_hidden("(n1)");
    expect_shown("(n2)");
    expect_line_top_view(22, "2 more above, 78 more below");
    press_key_top_view(PRFDATA_KEY_PAGE_DOWN);
    draw_top_view();
    expect_selected("\\Jobs(n41)");
    press_key_top_view(PRFDATA_KEY_PAGE_UP);
    press_key_top_view(PRFDATA_KEY_UP);
    draw_top_view();
    expect_selected("\\Jobs(n20)");
    press_key_top_view(PRFDATA_KEY_END);
    draw_top_view();
    expect_selected("\\Jobs(n99)");
    expect_row_top_view(21, "\\Jobs(n99)\\Level", "99", "", "99", "#");
    expect_line_top_view(22, "80 more above");
    press_key_top_view(PRFDATA_KEY_DOWN);
    press_key_top_view(PRFDATA_KEY_PAGE_DOWN);
    draw_top_view();
    expect_selected("\\Jobs(n99)");
    press_key_top_view(PRFDATA_KEY_HOME);
    draw_top_view();
    expect_selected("\\Jobs(n0)");
}

static void test_top_view_selection_stays_with_its_row(void **state)
{
    (void)state;
    add_levels();
    draw_top_view();
    press_key_top_view(PRFDATA_KEY_DOWN);
    draw_top_view();
    expect_selected("\\Jobs(b)");
    press_top_view("ss"); /* a, C, b, none */
    draw_top_view();
    expect_selected("\\Jobs(b)");
    for (unsigned i = 0; i < 4; i++)
        add_levels(); /* b is 50 and first now */
    draw_top_view();
    expect_selected("\\Jobs(b)");
    expect_order("baCn");
    press_top_view("/none"); /* it hides: the selection is on what is there */
    draw_top_view();
    expect_selected("\\Jobs(none)");
}

static void test_top_view_selection_at_the_top_stays_at_the_top(void **state)
{
    (void)state;
    add_levels();
    press_top_view("ss");
    for (unsigned i = 0; i < 4; i++)
        add_levels();
    expect_order("baCn");
    expect_selected("\\Jobs(b)");
}

static void test_top_view_follows_the_size_of_the_screen(void **state)
{
    (void)state;
    add_many_top_view(100);
    draw_top_view();
    press_key_top_view(PRFDATA_KEY_END);
    draw_in(80, 10, false);
    expect_selected("\\Jobs(n99)");
    draw_in(80, 50, false);
    expect_selected("\\Jobs(n99)");
    expect_row_top_view(2, "\\Jobs(n54)\\Level", "54", "", "54", "#");
}

static void test_top_view_other_keys_do_what_help_says(void **state)
{
    (void)state;
    add_levels();
    press_top_view(" ");
    assert_true(view.is_paused);
    draw_top_view();
    expect_shown("PC, paused, 4 counters");
    press_top_view(" ");
    assert_false(view.is_paused);
    press_top_view("+");
    assert_int_equal(view.interval_ms, 2000);
    press_top_view("---");
    assert_int_equal(view.interval_ms, 200);
    draw_top_view();
    expect_shown("every 0.200 s");
    press_top_view("-----");
    assert_int_equal(view.interval_ms, 100);
    press_top_view("++++++++++++++++++++");
    assert_int_equal(view.interval_ms, 3600000);
    view.interval_ms = 30; /* -si 0.03 */
    press_top_view("-");
    assert_int_equal(view.interval_ms, 30);
    press_top_view("+");
    assert_int_equal(view.interval_ms, 100);
    draw_in(80, 24, true);
    expect_shown("\xE2\x96\x88");
    press_top_view("a");
    draw_in(80, 24, true);
    expect_hidden("\xE2\x96\x88");
    press_top_view("h");
    draw_top_view();
    expect_shown("quits; so does Ctrl+C");
    press_top_view("h");
    draw_top_view();
    expect_hidden("quits; so does Ctrl+C");
    press_key_top_view(PRFDATA_KEY_OTHER);
    assert_false(view.is_over);
    press_top_view("q");
    assert_true(view.is_over);
    view.is_over = false;
    press_top_view("/");
    press_key_top_view(PRFDATA_KEY_CTRL_C);
    assert_true(view.is_over);
}

/* ---- Tables ---- */

static void add_to(const char *object, uint32_t title, const char *label, const char *counter,
                   uint32_t type, uint64_t value)
{
    prfdata_top_reading reading = reading_of(label, counter, type, value);

    reading.object = make_top_view(object);
    reading.object_title = title;
    prfdata_top_view_add(&view, &reading);
}

/* Jobs with instances a, b and C, the last without Errors; Machine without instances. */
static void add_table(void)
{
    static const char *const labels[] = {"a", "b", "C"};
    const uint64_t n = view.table.updates;

    begin_view();
    for (uint64_t i = 0; i < 3; i++)
        add_top_view(labels[i], "Bytes Received/sec", PERF_COUNTER_BULK_COUNT, 100 * (3 - i) * n);
    for (uint64_t i = 0; i < 3; i++)
        add_top_view(labels[i], "Waiting", PERF_COUNTER_RAWCOUNT, 10 * i);
    for (uint64_t i = 0; i < 2; i++)
        add_top_view(labels[i], "Errors", PERF_COUNTER_RAWCOUNT, 5 + i);
    add_to("Machine", 200, "", "Level", PERF_COUNTER_RAWCOUNT, 7);
    end_view();
}

static void test_top_view_table_has_a_row_for_each_instance(void **state)
{
    (void)state;
    add_table();
    add_table();
    press_top_view("t");
    draw_in(60, 10, false);
    expect_line_top_view(0, "12:34:02 PC, every 1 s, 3 instances");
    expect_line_top_view(1, "Jobs                           Bytes");
    expect_line_top_view(2, "                         Recei~d/sec     Waiting      Errors");
    expect_line_top_view(3, "a                          300.0 B/s           0           5");
    expect_line_top_view(4, "b                          200.0 B/s          10           6");
    expect_line_top_view(5, "C                          100.0 B/s          20");
    expect_line_top_view(6, "");
    expect_line_top_view(9, "q quit  t list  o object  < > column  s sort  n top  / filte");
    press_top_view("t");
    draw_top_view();
    expect_shown("9 counters");
}

/* Rows are sorted by the selected column, and stay selected when it changes. */
static void test_top_view_table_is_sorted_by_the_selected_column(void **state)
{
    (void)state;
    add_table();
    add_table();
    press_top_view("tss");
    draw_in(60, 10, false);
    expect_line_top_view(0, "12:34:02 PC, every 1 s, 3 instances, by Bytes Received/sec");
    expect_line_top_view(3, "a                          300.0 B/s           0           5");
    press_key_top_view(PRFDATA_KEY_DOWN);
    press_top_view(">");
    draw_in(60, 10, false);
    expect_line_top_view(0, "12:34:02 PC, every 1 s, 3 instances, by Waiting");
    expect_line_top_view(3, "C                          100.0 B/s          20");
    expect_line_top_view(5, "a                          300.0 B/s           0           5");
    assert_true(shown.reversed[4]); /* b, in the middle still */
    press_key_top_view(PRFDATA_KEY_RIGHT);
    press_key_top_view(PRFDATA_KEY_RIGHT); /* there is no fourth */
    draw_in(60, 10, false);
    expect_line_top_view(0, "12:34:02 PC, every 1 s, 3 instances, by Errors");
    expect_line_top_view(3, "b                          200.0 B/s          10           6");
    expect_line_top_view(5, "C                          100.0 B/s          20"); /* it has none */
    press_top_view("r");
    draw_in(60, 10, false);
    expect_line_top_view(3, "a                          300.0 B/s           0           5");
    expect_line_top_view(5, "C                          100.0 B/s          20");
    press_top_view("d"); /* who is at the top stays there */
    draw_in(60, 10, false);
    expect_line_top_view(1, "Path       \\Jobs(a)\\Errors");
}

/* The window's order: _Total above all others, then values, then labels. */
static void test_top_view_table_has_the_order_of_the_windows(void **state)
{
    static const char *const labels[] = {"B", "a long one", "_Total", "a"};
    static const uint64_t values[] = {5, 5, 1, 5};

    (void)state;
    begin_view();
    for (unsigned i = 0; i < 4; i++)
        add_top_view(labels[i], "Level", PERF_COUNTER_RAWCOUNT, values[i]);
    end_view();
    press_top_view("t");
    draw_in(60, 10, false); /* as given */
    expect_line_top_view(3, "B                                                  5");
    for (unsigned by_value = 0; by_value < 2; by_value++) {
        press_top_view("s");
        draw_in(60, 10, false);
        expect_line_top_view(3, "_Total                                             1");
        expect_line_top_view(4, "a                                                  5");
        expect_line_top_view(5, "a long one                                         5");
        expect_line_top_view(6, "B                                                  5");
    }
    press_top_view("t"); /* in a list it is one of many */
    draw_in(60, 10, false);
    expect_shown("by value");
    assert_non_null(strstr(shown.text, "_Total"));
    assert_true(strstr(shown.text, "_Total") > strstr(shown.text, "(B)"));
}

/* Wherever the order of another column has its instance. */
static void test_top_view_table_selection_goes_with_its_instance(void **state)
{
    (void)state;
    add_table();
    add_table();
    press_top_view("tss");
    draw_in(60, 10, false);
    press_key_top_view(PRFDATA_KEY_DOWN);
    press_key_top_view(PRFDATA_KEY_DOWN);
    draw_in(60, 10, false);
    expect_line_top_view(5, "C                          100.0 B/s          20");
    assert_true(shown.reversed[5]);
    press_top_view(">");
    draw_in(60, 10, false);
    expect_line_top_view(3, "C                          100.0 B/s          20");
    assert_true(shown.reversed[3]);
}

/* One object at a time; of one without instances the counters are listed. */
static void test_top_view_table_goes_from_object_to_object(void **state)
{
    (void)state;
    add_table();
    press_top_view("to");
    draw_top_view();
    expect_line_top_view(0, "12:34:01 PC, every 1 s, 1 counters of Machine");
    expect_row_top_view(2, "\\Machine\\Level", "7", "", "7", "#");
    press_key_top_view('\t');
    draw_top_view();
    expect_shown("3 instances");
    begin_view(); /* the object has gone, in time */
    add_to("Machine", 200, "", "Level", PERF_COUNTER_RAWCOUNT, 7);
    end_view();
    for (unsigned i = 0; i < PRFDATA_TOP_HISTORY; i++) {
        draw_top_view();
        begin_view();
        add_to("Machine", 200, "", "Level", PERF_COUNTER_RAWCOUNT, 7);
        end_view();
    }
    draw_top_view();
    expect_shown("1 counters of Machine");
}

/* The filter and z choose among instances and counters. */
static void test_top_view_table_shows_what_the_filter_leaves(void **state)
{
    (void)state;
    add_table();
    add_table();
    press_top_view("t/(b)\r");
    draw_in(60, 10, false);
    expect_shown("1 instances");
    expect_line_top_view(3, "b                          200.0 B/s          10           6");
    press_top_view("/");
    press_key_top_view(PRFDATA_KEY_ESCAPE);
    press_top_view("/waiting\r");
    draw_in(60, 10, false);
    expect_line_top_view(2, "                                             Waiting");
    expect_shown("3 instances");
    press_top_view("z"); /* of a it is 0 */
    draw_in(60, 10, false);
    expect_shown("2 instances");
    press_top_view("/x\r");
    draw_in(60, 10, false);
    expect_shown("No counter fits");
}

/* As many columns as fit, and the selected one among them. */
static void test_top_view_table_scrolls_through_columns(void **state)
{
    (void)state;
    begin_view();
    for (unsigned i = 0; i < 9; i++) {
        char counter[16];

        snprintf(counter, sizeof counter, "Counter %u", i);
        add_top_view("a", counter, PERF_COUNTER_RAWCOUNT, i);
    }
    end_view();
    press_top_view("t");
    draw_in(80, 6, false);
    expect_line_top_view(
        2, "columns 1-5 of 9       Counter 0   Counter 1   Counter 2   Counter 3   Counter 4");
    press_top_view(">>>>>"); /* the first that is not on the screen */
    draw_in(80, 6, false);
    expect_shown("columns 2-6 of 9");
    press_top_view(">>");
    draw_in(80, 6, false);
    expect_line_top_view(
        2, "columns 4-8 of 9       Counter 3   Counter 4   Counter 5   Counter 6   Counter 7");
    expect_line_top_view(
        3, "a                              3           4           5           6           7");
    press_top_view("<<<<<<<<<");
    draw_in(80, 6, false);
    expect_shown("columns 1-5 of 9");
    draw_in(200, 6, false);
    expect_shown("Counter 8");
    expect_hidden("columns");
    for (uint32_t width = 1; width < 60; width++) {
        for (uint32_t height = 1; height < 8; height++)
            draw_in(width, height, width % 2);
    }
}

/* The highest only, and how many there are besides. */
static void test_top_view_top_n_by_value(void **state)
{
    (void)state;
    add_many_top_view(100);
    press_top_view("n");
    draw_top_view();
    expect_line_top_view(0, "12:34:01 PC, every 1 s, top 10 of 100 counters, by value");
    expect_row_top_view(2, "\\Jobs(n99)\\Level", "99", "", "99", "#");
    expect_row_top_view(11, "\\Jobs(n90)\\Level", "90", "", "90", "#");
    expect_line_top_view(12, "90 more, not among the first 10");
    press_top_view("nn");
    draw_top_view();
    expect_shown("top 50 of 100 counters");
    expect_line_top_view(22, "30 more below");
    press_key_top_view(PRFDATA_KEY_END);
    draw_top_view();
    expect_line_top_view(22, "30 more above; 50 more, not among the first 50");
    press_top_view("nn");
    draw_top_view();
    expect_shown(", 100 counters");
    press_top_view("t");
    press_top_view("n");
    draw_top_view();
    expect_shown("top 10 of 100 instances, by Level");
}

/* ---- Details ---- */

static void test_top_view_details_show_everything_about_a_counter(void **state)
{
    prfdata_text help =
        make_top_view("Jobs that were done, a second, by all threads of this instance "
                      "together, the failed ones included.");

    (void)state;
    for (uint64_t i = 0; i < 3; i++) {
        prfdata_top_reading reading;

        begin_view();
        reading = reading_of("a", "Done/sec", PERF_COUNTER_BULK_COUNT, 1000 + 10 * i * i);
        reading.counter_title = 102;
        reading.help = help;
        prfdata_top_view_add(&view, &reading);
        end_view();
    }
    press_top_view("d");
    draw_top_view();
    expect_line_top_view(1, "Path       \\Jobs(a)\\Done/sec");
    expect_line_top_view(2, "Values     lowest 10, mean 20, highest 30");
    expect_line_top_view(3, "           2 of 3 samples");
    expect_line_top_view(4,
                         "History                                                              :#");
    expect_line_top_view(5, "");
    press_key_top_view(PRFDATA_KEY_ESCAPE);
    draw_top_view();
    expect_selected("\\Jobs(a)");
    press_key_top_view(PRFDATA_KEY_ENTER);
    draw_top_view();
    for (unsigned i = 0; i < PRFDATA_TOP_HISTORY; i++) {
        begin_view();
        end_view();
    }
    draw_top_view(); /* while it is read, it stays */
    expect_line_top_view(2, "Values     lowest 10, mean 20, highest 30");
    press_key_top_view(PRFDATA_KEY_ESCAPE);
    begin_view();
    end_view();
    draw_top_view();
    expect_line_top_view(2, "No counters.");
    press_top_view("d");
    draw_top_view();
    expect_line_top_view(2, "No counters.");
}

/* After an upgrade all rows are new ones, and the described row has gone with the others. */
static void test_top_view_details_end_when_rows_are_forgotten(void **state)
{
    (void)state;
    add_levels();
    press_top_view("d");
    draw_top_view();
    expect_shown("Path ");
    prfdata_top_view_forget_rows(&view);
    assert_null(view.described);
    add_levels();
    draw_top_view();
    expect_hidden("Path ");
    expect_order("abCn");
}

static void test_top_view_pages_of_text_scroll(void **state)
{
    (void)state;
    add_levels();
    press_top_view("?");
    draw_in(40, 6, false); /* 4 lines of text */
    expect_line_top_view(1, "q          quits; so does Ctrl+C");
    press_key_top_view(PRFDATA_KEY_DOWN);
    draw_in(40, 6, false);
    expect_line_top_view(1, "up down    and Page Up, Page Down, Home,");
    press_key_top_view(PRFDATA_KEY_END);
    draw_in(40, 6, false);
    expect_line_top_view(4, "none       the path leads to nothing now");
    press_key_top_view(PRFDATA_KEY_UP);
    draw_in(40, 6, false);
    expect_line_top_view(4, "           selected");
    press_key_top_view(PRFDATA_KEY_HOME);
    draw_in(40, 6, false);
    expect_line_top_view(1, "q          quits; so does Ctrl+C");
}

/* ---- Names and sizes ---- */

static void test_top_view_long_names_keep_their_instance(void **state)
{
    (void)state;
    begin_view();
    add_top_view("a rather long instance", "Level", PERF_COUNTER_RAWCOUNT, 1);
    add_top_view("short", "A counter whose name goes on and on and on", PERF_COUNTER_RAWCOUNT, 2);
    add_top_view("an instance whose name alone is longer than the whole column is",
                 "A counter whose name goes on and on and on", PERF_COUNTER_RAWCOUNT, 3);
    add_top_view("", "A counter without instances whose name goes on and on and on",
                 PERF_COUNTER_RAWCOUNT, 4);
    end_view();
    draw_top_view();
    expect_row_top_view(2, "\\Jobs(a rather long instance)\\Level", "1", "", "1", "#");
    expect_row_top_view(3, "\\Jobs(short)\\A counter who~nd on and on", "2", "", "2", "#");
    expect_row_top_view(4, "\\J~s(an instance wh~hole column is)\\A~n", "3", "", "3", "#");
    expect_row_top_view(5, "\\Jobs\\A counter withou~on and on and on", "4", "", "4", "#");
}

static const uint16_t hostile[] = {0x1B,   '[',    '2',    'J',    0x9B,   '3',    '1',    'm',
                                   '\r',   '\n',   7,      0x202E, 0xD800, 0x65E5, 0x672C, 'e',
                                   0x0301, 0x0301, 0x0301, 0x0301, 0,      0x7F,   0xD83D, 0xDE00};

static void add_hostile(void)
{
    prfdata_text name = {hostile, sizeof hostile / sizeof hostile[0]};
    prfdata_top_reading reading;

    begin_view();
    reading = reading_of("x", "Level", PERF_COUNTER_RAWCOUNT, 1);
    reading.label = name;
    reading.object = name;
    reading.counter = name;
    reading.help = name;
    prfdata_top_view_add(&view, &reading);
    add_top_view("b", "Level", PERF_COUNTER_RAWCOUNT, 1);
    end_view();
}

static void test_top_view_names_cannot_command_the_terminal(void **state)
{
    (void)state;
    view.computer = (prfdata_text){hostile, sizeof hostile / sizeof hostile[0]};
    add_hostile();
    for (unsigned is_unicode = 0; is_unicode < 2; is_unicode++) {
        draw_in(200, 24, is_unicode != 0); /* the screen refuses what is no frame */
        expect_shown(is_unicode ? "\xEF\xBF\xBD[2J\xEF\xBF\xBD"
                                  "31m"
                                : "?[2J?31m???");
        press_top_view("d");
        draw_in(200, 24, is_unicode != 0);
        expect_shown(is_unicode ? "\xEF\xBF\xBD[2J\xEF\xBF\xBD"
                                  "31m"
                                : "?[2J?31m???");
        press_top_view("d");
    }
}

static void test_top_view_fits_every_size(void **state)
{
    static const char *const pages[] = {"", "d", "h", "/", "xyz", "z"};

    for (unsigned what = 0; what < 3; what++) {
        switch (what) {
        case 0:
            begin_view();
            end_view();
            break;
        case 1:
            add_hostile();
            add_levels();
            break;
        default:
            add_many_top_view(100);
        }
        for (size_t page = 0; page < sizeof pages / sizeof pages[0]; page++) {
            press_top_view(pages[page]);
            for (uint32_t width = 1; width <= 180; width += sampled_one_of()) {
                uint32_t height = width <= 30 ? width : 1 + width % 30;
                draw_in(width, height, false);
                draw_in(width, height, true);
            }
            draw_in(1, 1, true);
            draw_in(300, 60, true);
            draw_in(1, 60, true);
            draw_in(300, 1, true);
            press_key_top_view(PRFDATA_KEY_ESCAPE);
        }
        tear_down_top_view(state);
        set_up_top_view(state);
    }
}

static void test_top_view_narrow_screens_keep_name_and_value(void **state)
{
    (void)state;
    add_levels();
    add_levels();
    draw_in(60, 24, false);
    expect_line_top_view(1, "Counter                             Value  Change/s     Mean");
    draw_in(50, 24, false);
    expect_line_top_view(1, "Counter                            Value  Change/s");
    draw_in(30, 24, false);
    expect_line_top_view(2, "\\Jobs(a)\\Level              30");
    draw_in(12, 24, false);
    expect_line_top_view(2, "\\J~s(a)\\Le~l");
    draw_in(11, 24, false);
    expect_line_top_view(2, "\\Jobs~Level");
    draw_in(1, 1, false);
    expect_line_top_view(0, "~");
    draw_in(160, 24, false);
    expect_shown(" Description");
}

static void test_top_view_without_counters_says_so(void **state)
{
    (void)state;
    draw_top_view();
    expect_line_top_view(2, "No counters.");
    press_top_view("dsrz");
    press_key_top_view(PRFDATA_KEY_DOWN);
    press_key_top_view(PRFDATA_KEY_END);
    begin_view();
    end_view();
    draw_top_view();
    expect_line_top_view(2, "No counters.");
}

static void test_top_view_recorded_samples_and_notices_are_reported(void **state)
{
    (void)state;
    add_levels();
    view.is_recorded = true;
    view.notice = "a provider's data is damaged";
    draw_top_view();
    expect_line_top_view(0, "12:34:01 PC, recorded, 4 counters");
    expect_line_top_view(23, "a provider's data is damaged");
}

static void test_top_view_holds_no_more_rows_than_it_promises(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        add_many_top_view(PRFDATA_TOP_MAX_ROWS + 7);
        assert_int_equal(view.table.row_count, PRFDATA_TOP_MAX_ROWS);
        draw_top_view();
        expect_shown("131072 counters (7 left out)");
    }
    press_top_view("ss");
    draw_top_view();
    expect_selected("\\Jobs(n131071)");
    press_top_view("/131071");
    draw_top_view();
    expect_shown("1 of 131072 counters");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_top_view, tear_down_top_view)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_top_view_shows_value_change_mean_and_history),
        TEST(test_top_view_chars_follow_the_type),
        TEST(test_top_view_percentages_are_capped_where_that_is_wanted),
        TEST(test_top_view_what_has_no_value_says_why),
        TEST(test_top_view_a_restarted_counter_has_no_change),
        TEST(test_top_view_who_comes_back_is_another),
        TEST(test_top_view_rows_that_are_gone_leave_after_a_while),
        TEST(test_top_view_others_stay_themselves_when_rows_leave),
        TEST(test_top_view_a_path_to_nothing_is_a_row_until_it_leads_somewhere),
        TEST(test_top_view_the_same_twice_is_one_row),
        TEST(test_top_view_texts_are_shown_as_they_are),
        TEST(test_top_view_sorts_and_reverses),
        TEST(test_top_view_sorts_whole_numbers_that_doubles_cannot_tell),
        TEST(test_top_view_filter_is_live_and_ignores_case),
        TEST(test_top_view_filter_takes_any_character_and_no_more_than_its_room),
        TEST(test_top_view_idle_rows_hide_while_nothing_happens),
        TEST(test_top_view_keys_scroll_through_all_rows),
        TEST(test_top_view_selection_stays_with_its_row),
        TEST(test_top_view_selection_at_the_top_stays_at_the_top),
        TEST(test_top_view_follows_the_size_of_the_screen),
        TEST(test_top_view_other_keys_do_what_help_says),
        TEST(test_top_view_table_has_a_row_for_each_instance),
        TEST(test_top_view_table_is_sorted_by_the_selected_column),
        TEST(test_top_view_table_has_the_order_of_the_windows),
        TEST(test_top_view_table_selection_goes_with_its_instance),
        TEST(test_top_view_table_goes_from_object_to_object),
        TEST(test_top_view_table_shows_what_the_filter_leaves),
        TEST(test_top_view_table_scrolls_through_columns),
        TEST(test_top_view_top_n_by_value),
        TEST(test_top_view_details_show_everything_about_a_counter),
        TEST(test_top_view_details_end_when_rows_are_forgotten),
        TEST(test_top_view_pages_of_text_scroll),
        TEST(test_top_view_long_names_keep_their_instance),
        TEST(test_top_view_names_cannot_command_the_terminal),
        TEST(test_top_view_fits_every_size),
        TEST(test_top_view_narrow_screens_keep_name_and_value),
        TEST(test_top_view_without_counters_says_so),
        TEST(test_top_view_recorded_samples_and_notices_are_reported),
        TEST(test_top_view_holds_no_more_rows_than_it_promises),
    };

    return cmocka_run_group_tests_name("top_view", tests, NULL, NULL);
}
