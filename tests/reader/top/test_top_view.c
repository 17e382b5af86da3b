/* SPDX-License-Identifier: MIT */
/* Tests the live view, from samples and keys to the screen. The screen is simulated. It knows the
 * control sequences that top_frame.h lists, and refuses all others. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/view/view_sample.h"
#include "support/sampled.h"
#include "text/terminal_line.h"
#include "top/top_frame.h"
#include "top/top_view.h"

#define MAX_WIDTH  300
#define MAX_HEIGHT 60

#define DOUBLE_RAW 0x00012000u /* as in counter_formula.c */

/* ---- A screen ---- */

typedef struct screen {
    uint32_t width;
    uint32_t height;
    char cells[MAX_HEIGHT][MAX_WIDTH][20]; /* "" is the right half of a wide character */
    bool reversed[MAX_HEIGHT];
    uint32_t x;
    uint32_t y;
    bool is_reversed;
    char colour; /* the current colour: 'r' red, 'c' cyan, ' ' plain */
    char colours[MAX_HEIGHT][MAX_WIDTH];
    char text[MAX_HEIGHT * (MAX_WIDTH * 20 + 1)]; /* all lines, without the blanks at their ends */
} screen;

static screen shown;
static prfdata_top_view view;

static void set_size(uint32_t width, uint32_t height)
{
    shown.width = width;
    shown.height = height;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            strcpy(shown.cells[y][x], "\1"); /* the content before the first frame */
    }
}

/* After a full line the cursor is still on the line's last character. */
static void erase_rest(void)
{
    for (uint32_t x = shown.x < shown.width ? shown.x : shown.width - 1; x < shown.width; x++)
        strcpy(shown.cells[shown.y][x], " ");
}

/* Carry out one control sequence. Returns its length. */
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
        static const char *const known[] = {"\033[0m",      "\033[0;1m",   "\033[0;4m",
                                            "\033[0;7m",    "\033[0;31m",  "\033[0;36m",
                                            "\033[0;7;31m", "\033[0;7;36m"};
        bool is_known = false;

        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            is_known = is_known || strcmp(sequence, known[i]) == 0;
        assert_true(is_known);
        shown.colour = strstr(sequence, "31") ? 'r' : strstr(sequence, "36") ? 'c' : ' ';
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

/* Show a character. It must not be beyond the end of the line. */
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
    shown.colours[shown.y][shown.x] = *bytes == ' ' ? ' ' : shown.colour;
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

/* Draw the view. It must draw or erase every cell. */
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

static const char *draw(void)
{
    return draw_in(80, 24, false);
}

static void expect_line(uint32_t y, const char *expected)
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

/* Expect this row on a screen of 80 cells. If no row is a level, the screen has no column for
 * changes, and `change` is NULL. */
static void expect_row(uint32_t y, const char *name, const char *value, const char *change,
                       const char *mean, const char *graph)
{
    char line[100];
    size_t length = change ? (size_t)snprintf(line, sizeof line, "%-38s %11s %9s %8s %10s", name,
                                              value, change, mean, graph)
                           : (size_t)snprintf(line, sizeof line, "%-48s %11s %8s %10s", name, value,
                                              mean, graph);

    while (length > 0 && line[length - 1] == ' ')
        length--;
    line[length] = 0;
    expect_line(y, line);
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

/* Expect that the line in reverse video begins like this. */
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

#define MAX_READINGS 128
#define MAX_NAMES    32
#define TEXT_BYTES   64

/* A counter of an instance. Without a label, the object has no instances. */
typedef struct reading {
    const char *object;
    char label[80];
    const char *counter;
    uint32_t type;
    uint64_t value;
    const char *text;
} reading;

static reading readings[MAX_READINGS]; /* the values of the next sample */
static unsigned reading_count;
static prfdata_titles titles;
static const char *names[MAX_NAMES]; /* names of the titles 100, 102, 104 and so on */
static prfdata_sample *older;
static prfdata_sample *newer;
static uint32_t second; /* seconds since the first sample; samples are a second apart */

static const uint16_t hostile[] = {0x1B,   '[',    '2',    'J',    0x9B,   '3',    '1',    'm',
                                   '\r',   '\n',   7,      0x202E, 0xD800, 0x65E5, 0x672C, 'e',
                                   0x0301, 0x0301, 0x0301, 0x0301, 0x7F,   0xD83D, 0xDE00};
static const prfdata_text hostile_text = {hostile, sizeof hostile / sizeof hostile[0]};

/* Return the title of a name, which is added if it is new. The name "hostile" contains commands for
 * a terminal. */
static uint32_t title_of(const char *name)
{
    uint16_t chars[100];
    prfdata_text text = ascii_text(name, chars);
    uint32_t title = 100;
    unsigned i = 0;

    for (; names[i] && strcmp(names[i], name) != 0; i++)
        title += 2;
    if (names[i])
        return title;
    assert_true(i + 1 < MAX_NAMES);
    names[i] = name;
    if (strcmp(name, "hostile") == 0) {
        text = hostile_text;
        assert_int_equal(prfdata_name_table_add(&titles.helps, title + 1, text), ERROR_SUCCESS);
    }
    assert_int_equal(prfdata_name_table_add(&titles.english, title, text), ERROR_SUCCESS);
    return title;
}

static void begin_view(void)
{
    reading_count = 0;
    second++;
}

static reading *add_to(const char *object, const char *label, const char *counter, uint32_t type,
                       uint64_t value)
{
    reading *added = &readings[reading_count++];

    assert_true(reading_count <= MAX_READINGS);
    *added = (reading){.object = object, .counter = counter, .type = type, .value = value};
    snprintf(added->label, sizeof added->label, "%s", label);
    return added;
}

static reading *add(const char *label, const char *counter, uint32_t type, uint64_t value)
{
    return add_to("Jobs", label, counter, type, value);
}

/* Return a counter's reading, or NULL if there is none. If `label` is NULL, any instance fits. */
static const reading *reading_of(const char *object, const char *counter, const char *label)
{
    for (unsigned i = 0; i < reading_count; i++) {
        if (strcmp(readings[i].object, object) == 0 && strcmp(readings[i].counter, counter) == 0 &&
            (!label || strcmp(readings[i].label, label) == 0))
            return &readings[i];
    }
    return NULL;
}

static void add_name(const char **list, uint32_t *count, const char *name)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (strcmp(list[i], name) == 0)
            return;
    }
    list[(*count)++] = name;
}

/* Put a counter's value, or 0 if the counter was not added. Only the last counter may be a text. */
static void put_reading(wire *w, const reading *r)
{
    if (!r || !r->text)
        wire_put64(w, r ? r->value : 0);
    for (unsigned i = 0; r && r->text && i < TEXT_BYTES / 2; i++)
        wire_put16(w, i < strlen(r->text) ? (unsigned char)r->text[i] : 0);
}

static void write_object(wire *w, const char *object)
{
    const char *counters[MAX_READINGS];
    const char *labels[MAX_READINGS] = {""};
    uint32_t counter_count = 0;
    uint32_t label_count = 0;
    size_t start;

    for (unsigned i = 0; i < reading_count; i++) {
        if (strcmp(readings[i].object, object) != 0)
            continue;
        add_name(counters, &counter_count, readings[i].counter);
        add_name(labels, &label_count, readings[i].label);
    }
    start = wire_object(w, title_of(object), counter_count,
                        labels[0][0] ? (int32_t)label_count : -1, 0);
    for (uint32_t i = 0; i < counter_count; i++) {
        const reading *r = reading_of(object, counters[i], NULL);
        const bool is_large = (r->type & 0x300) == 0x100 || r->type == DOUBLE_RAW;
        const uint32_t size = r->text ? TEXT_BYTES : is_large ? 8 : 4;

        wire_counter(w, title_of(r->counter), r->type, size, 8 + 8 * i);
    }
    for (uint32_t i = 0; i < label_count; i++) {
        size_t values;

        if (labels[0][0])
            wire_instance(w, 0, 0, -1, labels[i]);
        values = wire_values(w);
        wire_put32(w, 0);
        for (uint32_t k = 0; k < counter_count; k++)
            put_reading(w, reading_of(object, counters[k], labels[i]));
        wire_values_end(w, values);
    }
    wire_object_end(w, start);
}

static prfdata_sample *sample_of_readings(void)
{
    static wire w;
    const char *objects[MAX_READINGS];
    uint32_t count = 0;

    memset(&w, 0, sizeof w);
    for (unsigned i = 0; i < reading_count; i++)
        add_name(objects, &count, readings[i].object);
    wire_begin(&w, count);
    for (uint32_t i = 0; i < count; i++)
        write_object(&w, objects[i]);
    assert_true(w.used <= sizeof w.bytes);
    return view_end(&w, (uint64_t)second * 1000, (uint64_t)second * 10000000);
}

static void take_readings(void)
{
    prfdata_sample_free(older);
    older = newer;
    newer = sample_of_readings();
    prfdata_top_view_begin(&view, older, newer);
    view.time[4] = 12;
    view.time[5] = 34;
    view.time[6] = (uint16_t)second;
}

static void add_path(const char *text)
{
    prfdata_resolver_path asked = {0};
    prfdata_path_error error;
    uint16_t chars[200];

    assert_true(prfdata_path_parse(ascii_text(text, chars), &asked.path, &error));
    prfdata_top_view_add(&view, &asked);
}

static void add_everything(void)
{
    const prfdata_resolver_path all = {.path.counter = prfdata_path_star,
                                       .path.instance = prfdata_path_star,
                                       .path.has_instance = true,
                                       .wants_all_objects = true,
                                       .wants_whole_object = true};

    if (reading_count > 0)
        prfdata_top_view_add(&view, &all);
}

static void end_view(void)
{
    take_readings();
    add_everything();
    assert_int_equal(prfdata_top_view_end(&view), ERROR_SUCCESS);
}

/* Like end_view(), but only with the counters that a path names. */
static void end_view_with(const char *path)
{
    take_readings();
    add_path(path);
    assert_int_equal(prfdata_top_view_end(&view), ERROR_SUCCESS);
}

static void press(const char *keys)
{
    for (; *keys; keys++)
        assert_int_equal(prfdata_top_view_key(&view, (unsigned char)*keys), ERROR_SUCCESS);
}

static void press_key(uint32_t key)
{
    assert_int_equal(prfdata_top_view_key(&view, key), ERROR_SUCCESS);
}

static int set_up(void **state)
{
    (void)state;
    prfdata_top_view_init(&view, &titles, false);
    view.list.sort_column = PRFDATA_TOP_ORDER; /* otherwise the view begins sorted by name */
    view.computer = (prfdata_text){(const uint16_t *)u"PC", 2};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    prfdata_top_view_free(&view);
    prfdata_sample_free(older);
    prfdata_sample_free(newer);
    older = newer = NULL;
    second = 0;
    prfdata_titles_free(&titles);
    memset(&titles, 0, sizeof titles);
    memset(names, 0, sizeof names);
    return 0;
}

/* Take a sample of four instances. In the first sample, "a" is 30, "b" is 10, "C" is 20 and "none"
 * is 0. In each later sample, "b" is larger by 10. */
static void add_levels(void)
{
    begin_view();
    add("a", "Level", PERF_COUNTER_RAWCOUNT, 30);
    add("b", "Level", PERF_COUNTER_RAWCOUNT, 10 * (uint64_t)second);
    add("C", "Level", PERF_COUNTER_RAWCOUNT, 20);
    add("none", "Level", PERF_COUNTER_RAWCOUNT, 0);
    end_view();
}

static void add_many(unsigned count)
{
    begin_view();
    for (unsigned i = 0; i < count; i++) {
        char label[16];

        snprintf(label, sizeof label, "n%u", i);
        add(label, "Level", PERF_COUNTER_RAWCOUNT, i);
    }
    end_view();
}

/* ---- Values ---- */

static void test_top_view_shows_value_change_mean_and_history(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 4; i++) {
        begin_view();
        add("a", "Done/sec", PERF_COUNTER_BULK_COUNT, 1000 + 10 * i * i);
        add("a", "Level", PERF_COUNTER_RAWCOUNT, 100 - i * 10);
        end_view();
        draw();
        if (i == 0)
            expect_row(2, "\\Jobs(a)\\Done/sec", "wait", "", "", "");
    } /* a rate has no change per second, because it is itself per second */
    expect_line(0, "12:34:04 PC, every 1 s, 2 counters");
    expect_line(1, "Counter                                      Value  Change/s     Mean History");
    /* The rates are 10, 30 and 50 per second. The bars are 10, 30 and 50 fiftieths high. */
    expect_row(2, "\\Jobs(a)\\Done/sec", "50.00/s", "", "30", ".=#");
    expect_row(3, "\\Jobs(a)\\Level", "70", "-10", "85", "#**+");
    draw_in(80, 24, true);
    /* There are no bars for the time before the first rate. */
    expect_shown(" 30        \xE2\x96\x82\xE2\x96\x85\xE2\x96\x88\n");
}

static void test_top_view_history_has_a_gap_without_a_sample(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < PRFDATA_TOP_HISTORY + 3; i++) {
        begin_view();
        add("a", "Level", PERF_COUNTER_RAWCOUNT, i);
        end_view();
        if (i == PRFDATA_TOP_HISTORY + 1)
            prfdata_top_view_note_gap(&view);
    }
    for (uint32_t age = 0; age < 3; age++) {
        const float past =
            prfdata_top_view_past(&view, (const prfdata_top_row *)view.list.rows[0], age);

        assert_int_equal(isnan(past) != 0, age == 1);
    }
}

/* A graph keeps numbers as floats. 1e300 is too large for a float, but must be drawn as the highest
 * number. */
static void test_top_view_history_of_huge_numbers(void **state)
{
    static const double values[] = {1e10, 1e300, -1e300};

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        uint64_t bits;

        memcpy(&bits, &values[i], sizeof bits);
        begin_view();
        add("a", "Level", DOUBLE_RAW, bits);
        end_view();
        if (i == 1) {
            press("d");
            draw();
            expect_shown(" #\n"); /* compared with the second value, the first one is nearly 0 */
        }
    }
    draw();
    expect_shown("=#\n"); /* zero is in the middle, and the lowest bar is a blank */
}

static void test_top_view_chars_follow_the_type(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2; i++) {
        begin_view();
        add("", "% Busy", PERF_100NSEC_TIMER, 2500000 * i);
        add("", "% Full", PERF_RAW_FRACTION, 1);
        add("", "Base", PERF_RAW_BASE, 4);
        add("", "Up", PERF_ELAPSED_TIME, 980);
        add("", "Flags", PERF_COUNTER_RAWCOUNT_HEX, 0xBEEF);
        end_view();
    }
    draw();
    expect_row(2, "\\Jobs\\% Busy", "25.00%", "", "25", " #");
    expect_row(3, "\\Jobs\\% Full", "25.00%", "", "25", "##");
    expect_row(4, "\\Jobs\\Up", "2.00 s", "", "2 s", "##");
    expect_row(5, "\\Jobs\\Flags", "BEEFh", "0", "", "##");
}

/* 16 hexadecimal digits are whole on a wide screen, in the list and in the table. A narrow screen
 * shows that some are missing. */
static void test_top_view_hexadecimal_numbers_have_room(void **state)
{
    (void)state;
    begin_view();
    add("a", "Address", PERF_COUNTER_LARGE_RAWCOUNT_HEX, UINT64_MAX - 0xF);
    add("a", "Level", PERF_COUNTER_LARGE_RAWCOUNT, 123456789012345);
    end_view();
    draw_in(120, 40, false);
    expect_shown(" FFFFFFFFFFFFFFF0h ");
    expect_shown(" 123 T ");
    draw_in(200, 50, false);
    expect_shown(" FFFFFFFFFFFFFFF0h ");
    expect_shown(" 123,456,789,012,345 ");
    press("d");
    draw_in(80, 24, false);
    expect_shown("lowest ~FFFFFFFFFFFFFFFFh, highest ~FFFFFFFFFFFFFFFFh");
    expect_shown("Value      FFFFFFFFFFFFFFF0h");
    press("d");
    draw_in(80, 24, false);
    expect_shown(" ~FFFFFFFF0h ");
    press("t");
    draw_in(80, 24, false);
    expect_shown(" FFFFFFFFFFFFFFF0h");
    draw_in(40, 24, false);
    expect_shown(" ~FFFFFFFFFF0h");
    press("tm>=4096");
    press_key(PRFDATA_KEY_ENTER);
    press("m");
    draw_in(80, 24, false);
    expect_shown("threshold: >=1000h_");
}

static void test_top_view_percentages_are_capped_where_that_is_wanted(void **state)
{
    for (unsigned is_capped = 0; is_capped < 2; is_capped++) {
        prfdata_top_view_init(&view, &titles, is_capped != 0);
        for (uint64_t i = 0; i < 2; i++) {
            begin_view();
            add("", "% Busy", PERF_100NSEC_TIMER, 25000000 * i);
            end_view();
        }
        draw();
        expect_row(2, "\\Jobs\\% Busy", is_capped ? "100.0%" : "250.0%", NULL,
                   is_capped ? "100" : "250", "#");
        press("t");
        draw();
        expect_shown(is_capped ? " 100.0%" : " 250.0%");
        tear_down(state);
        set_up(state);
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
    char expected[80];

    (void)state;
    begin_view();
    add("a", "Done/sec", PERF_COUNTER_BULK_COUNT, 5);
    end_view();
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        prfdata_cell_clear(&view.list.rows[0]->cells[PRFDATA_TOP_VALUE], statuses[i].status);
        draw();
        snprintf(expected, sizeof expected, "\\Jobs(a)\\Done/sec %42s", statuses[i].text);
        expect_line(2, expected);
    }
}

static void test_top_view_who_comes_back_is_another(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        begin_view();
        if (i != 1)
            add("a", "Done/sec", PERF_COUNTER_BULK_COUNT, 1000 * (i + 1));
        end_view();
        draw();
        if (i == 1)
            expect_row(2, "\\Jobs(a)\\Done/sec", "removed", NULL, "", "");
        if (i == 2)
            expect_row(2, "\\Jobs(a)\\Done/sec", "wait", NULL, "", "");
    }
    expect_row(2, "\\Jobs(a)\\Done/sec", "1,000/s", NULL, "1,000", "#");
}

static void test_top_view_a_path_to_nothing_is_a_row_until_it_leads_somewhere(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10; i++) {
        begin_view();
        end_view_with("\\Jobs(*)\\Level");
    }
    draw();
    expect_row(2, "\\Jobs(*)\\Level", "no object", NULL, "", "");
    expect_line(0, "12:34:10 PC, every 1 s, 1 counter");
    add_levels();
    draw();
    expect_hidden("no object");
    expect_hidden("(*)");
}

static void test_top_view_the_same_twice_is_one_row(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 2; i++) {
        begin_view();
        add("a", "Level", PERF_COUNTER_RAWCOUNT, 1 + 2 * i);
        take_readings();
        add_path("\\Jobs(a)\\Level");
        add_path("\\jobs(*)\\LEVEL");
        assert_int_equal(prfdata_top_view_end(&view), ERROR_SUCCESS);
    }
    draw();
    expect_shown("1 counter");
    expect_row(2, "\\Jobs(a)\\Level", "3", "+2", "2", ":#");
}

static void test_top_view_texts_are_shown_as_they_are(void **state)
{
    (void)state;
    for (unsigned is_empty = 0; is_empty < 2; is_empty++) {
        begin_view();
        add("", "Under", PERF_COUNTER_RAWCOUNT, 0);
        add("", "State", PERF_COUNTER_TEXT, 0)->text = is_empty ? "" : "\033[2Jwaiting for a job";
        end_view();
        press(is_empty ? "" : "z");
        draw();
        expect_row(is_empty ? 3 : 2, "\\Jobs\\State", is_empty ? "" : "?[2Jw~a job",
                   is_empty ? "" : NULL, "", "");
        press(is_empty ? "" : "d");
        draw();
        if (!is_empty)
            expect_shown("Text       ?[2Jwaiting for a job");
        press(is_empty ? "" : "dz");
    }
    press("ss"); /* sort by value: rows with a number come first */
    for (unsigned is_reversed = 0; is_reversed < 2; is_reversed++) {
        draw();
        expect_row(2, "\\Jobs\\Under", "0", "0", "0", "");
        expect_row(3, "\\Jobs\\State", "", "", "", "");
        press("r");
    }
}

/* ---- Order and choice ---- */

static void expect_order(const char *labels)
{
    char expected[40];

    draw();
    assert_int_equal(view.list.shown_count, strlen(labels));
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
    for (unsigned i = 0; i < 4; i++)
        add_levels();
    begin_view(); /* C, whose last value was 20, has ended; the values are 40, 10, 20 and 0 */
    add("a", "Level", PERF_COUNTER_RAWCOUNT, 40);
    add("b", "Level", PERF_COUNTER_RAWCOUNT, 10);
    add("none", "Level", PERF_COUNTER_RAWCOUNT, 0);
    end_view();
    expect_order("abCn"); /* C keeps the place that it had in its last sample */
    press("r");
    expect_order("nCba");
    expect_shown(", reversed");
    press("s");
    expect_order("abCn");
    expect_line(0, "12:34:05 PC, every 1 s, 4 counters, sorted by name");
    press("r");
    expect_order("nCba");
    expect_shown(", sorted by name, reversed");
    press("s");
    expect_order("aCbn"); /* C is sorted by its last value */
    expect_line(0, "12:34:05 PC, every 1 s, 4 counters, sorted by value");
    press("r");
    expect_order("nbCa");
    press("s");
    expect_order("anbC"); /* the changes are +10, 0, -30, and none for the ended C */
    expect_shown(", sorted by change");
    press("s");
    expect_order("abCn");
    expect_line(0, "12:34:05 PC, every 1 s, 4 counters");
}

static void test_top_view_change_of_numbers_that_doubles_cannot_tell_is_exact(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        begin_view();
        add("b", "Level", PERF_COUNTER_LARGE_RAWCOUNT, (UINT64_C(1) << 53) + i);
        end_view();
    }
    draw();
    expect_row(2, "\\Jobs(b)\\Level", "9.01 P", "+1", "9.01 P", "##");
}

static void test_top_view_filter_is_live_and_ignores_case(void **state)
{
    (void)state;
    add_levels();
    press("/(c");
    expect_order("C");
    expect_shown("1 of 4 counters, filter \"(c\"");
    expect_line(23, "/(c_  Enter keeps the filter, Esc clears it");
    press("q"); /* in a filter, q is a letter like any other */
    assert_false(view.is_over);
    draw();
    expect_line(2, "No counter fits: Esc clears the filter, z shows idle ones.");
    press_key(PRFDATA_KEY_BACKSPACE);
    expect_order("C");
    press_key(PRFDATA_KEY_ENTER);
    draw();
    expect_hidden("Enter keeps");
    expect_order("C");
    add_levels(); /* the filter also applies to new samples */
    expect_order("C");
    press_key(PRFDATA_KEY_ESCAPE);
    expect_order("abCn");
    press("/JOBS(*n");
    expect_order("n");
    press_key(PRFDATA_KEY_ESCAPE);
    expect_order("abCn");
    draw();
    expect_hidden("Enter keeps");
}

static void test_top_view_filter_takes_any_character_and_no_more_than_its_room(void **state)
{
    static const uint32_t keys[] = {0xE4, 0x1F600, PRFDATA_KEY_UP, 0x1B5B, 0x9B, 7, 0xD800};
    (void)state;
    add_levels();
    press("/");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        press_key(keys[i]);
    assert_int_equal(view.filter.count, 4);
    draw_in(80, 24, true);
    expect_line(23, "/\xC3\xA4\xF0\x9F\x98\x80\xE1\xAD\x9B_  Enter keeps the filter, Esc clears "
                    "it");
    press_key(PRFDATA_KEY_BACKSPACE);
    press_key(PRFDATA_KEY_BACKSPACE); /* removes both halves of a surrogate pair */
    assert_int_equal(view.filter.count, 1);
    for (unsigned i = 0; i < 100; i++)
        press_key(i % 2 == 0 ? 'x' : 0x1F600);
    assert_true(view.filter.count <= PRFDATA_TOP_FILTER);
    draw_in(20, 5, true);
    expect_shown("_");
    for (unsigned i = 0; i < 100; i++)
        press_key(PRFDATA_KEY_BACKSPACE);
    expect_order("abCn");
}

static void test_top_view_idle_rows_hide(void **state)
{
    (void)state;
    add_levels();
    press("z");
    expect_order("abC");
    expect_shown("without idle");
    press("z");
    expect_order("abCn");
}

/* ---- Moving ---- */

static void test_top_view_keys_scroll_through_all_rows(void **state)
{
    (void)state;
    add_many(100);
    draw(); /* shows 20 rows, and says how many more there are */
    expect_line(22, "80 more below");
    expect_selected("\\Jobs(n0)");
    press_key(PRFDATA_KEY_UP);
    draw();
    expect_selected("\\Jobs(n0)");
    for (unsigned i = 0; i < 21; i++)
        press_key(PRFDATA_KEY_DOWN);
    draw();
    expect_selected("\\Jobs(n21)");
    expect_hidden("(n1)");
    expect_shown("(n2)");
    expect_line(22, "2 more above, 78 more below");
    press_key(PRFDATA_KEY_PAGE_DOWN);
    draw();
    expect_selected("\\Jobs(n41)");
    press_key(PRFDATA_KEY_PAGE_UP);
    press_key(PRFDATA_KEY_UP);
    draw();
    expect_selected("\\Jobs(n20)");
    press_key(PRFDATA_KEY_END);
    draw();
    expect_selected("\\Jobs(n99)");
    expect_row(21, "\\Jobs(n99)\\Level", "99", "", "99", "#");
    expect_line(22, "80 more above");
    press_key(PRFDATA_KEY_DOWN);
    press_key(PRFDATA_KEY_PAGE_DOWN);
    draw();
    expect_selected("\\Jobs(n99)");
    press_key(PRFDATA_KEY_HOME);
    draw();
    expect_selected("\\Jobs(n0)");
}

static void test_top_view_selection_stays_with_its_row(void **state)
{
    (void)state;
    add_levels();
    draw();
    press_key(PRFDATA_KEY_DOWN);
    draw();
    expect_selected("\\Jobs(b)");
    press("ss"); /* the order is now a, C, b, none */
    draw();
    expect_selected("\\Jobs(b)");
    for (unsigned i = 0; i < 4; i++)
        add_levels(); /* b is 50 now, so it is first */
    draw();
    expect_selected("\\Jobs(b)");
    expect_order("baCn");
    press("/none"); /* the filter hides the selected row, so the first visible one is selected */
    draw();
    expect_selected("\\Jobs(none)");
}

static void test_top_view_selection_at_the_top_stays_at_the_top(void **state)
{
    (void)state;
    add_levels();
    press("ss");
    for (unsigned i = 0; i < 4; i++)
        add_levels();
    expect_order("baCn");
    expect_selected("\\Jobs(b)");
}

static void test_top_view_follows_the_size_of_the_screen(void **state)
{
    (void)state;
    add_many(100);
    draw();
    press_key(PRFDATA_KEY_END);
    draw_in(80, 10, false);
    expect_selected("\\Jobs(n99)");
    draw_in(80, 50, false);
    expect_selected("\\Jobs(n99)");
    expect_row(2, "\\Jobs(n54)\\Level", "54", "", "54", "#");
}

static void test_top_view_other_keys_do_what_help_says(void **state)
{
    (void)state;
    add_levels();
    press(" ");
    assert_true(view.is_paused);
    draw();
    expect_shown("PC, paused, 4 counters");
    press(" ");
    assert_false(view.is_paused);
    press("+");
    assert_int_equal(view.interval_ms, 2000);
    press("---");
    assert_int_equal(view.interval_ms, 200);
    draw();
    expect_shown("every 0.200 s");
    press("-----");
    assert_int_equal(view.interval_ms, 100);
    press("++++++++++++++++++++");
    assert_int_equal(view.interval_ms, 3600000);
    view.interval_ms = 30; /* -si 0.03 */
    press("-");
    assert_int_equal(view.interval_ms, 30);
    press("+");
    assert_int_equal(view.interval_ms, 100);
    draw_in(80, 24, true);
    expect_shown("\xE2\x96\x88");
    press("a");
    draw_in(80, 24, true);
    expect_hidden("\xE2\x96\x88");
    press("h");
    draw();
    expect_shown("quit (also Ctrl+C)");
    press("h");
    draw();
    expect_hidden("quit (also Ctrl+C)");
    press_key(PRFDATA_KEY_OTHER);
    assert_false(view.is_over);
    press("q");
    assert_true(view.is_over);
    view.is_over = false;
    press("/");
    press_key(PRFDATA_KEY_CTRL_C);
    assert_true(view.is_over);
}

/* ---- Tables ---- */

/* Take a sample of Jobs with instances a, b and C, and of Machine without instances. */
static void add_table(void)
{
    static const char *const labels[] = {"a", "b", "C"};

    begin_view();
    for (uint64_t i = 0; i < 3; i++)
        add(labels[i], "Bytes Received/sec", PERF_COUNTER_BULK_COUNT, 100 * (3 - i) * second);
    for (uint64_t i = 0; i < 3; i++)
        add(labels[i], "Waiting", PERF_COUNTER_RAWCOUNT, 10 * i);
    for (uint64_t i = 0; i < 2; i++)
        add(labels[i], "Errors", PERF_COUNTER_RAWCOUNT, 5 + i);
    add_to("Machine", "", "Level", PERF_COUNTER_RAWCOUNT, 7);
    end_view();
}

static void test_top_view_table_has_a_row_for_each_instance(void **state)
{
    (void)state;
    add_table();
    add_table();
    press("t");
    draw_in(60, 10, false);
    expect_line(0, "12:34:02 PC, every 1 s, 3 instances, sorted by name");
    expect_line(1, "Jobs                         Bytes");
    expect_line(2, "                      Received/sec      Waiting       Errors");
    expect_line(3, "a                        300.0 B/s            0            5");
    expect_line(4, "b                        200.0 B/s           10            6");
    expect_line(5, "C                        100.0 B/s           20            0");
    expect_line(6, "");
    expect_line(9, "q quit  t list  o object  < > column  s sort  n top  h help");
    draw_in(100, 10, false);
    expect_line(5, "C                                           100.0 B/s           20"
                   "            0                    #");
    press(">"); /* the history is that of the selected column */
    draw_in(100, 10, false);
    expect_line(5, "C                                           100.0 B/s           20"
                   "            0                   ##");
    press("t");
    draw();
    expect_shown("10 counters");
}

/* If another column is selected, the selected row stays. */
static void test_top_view_table_is_sorted_by_the_selected_column(void **state)
{
    (void)state;
    add_table();
    add_table();
    press("ts");
    draw_in(60, 10, false);
    expect_line(0, "12:34:02 PC, every 1 s, 3 instances, sorted by Bytes Receive");
    expect_line(3, "a                        300.0 B/s            0            5");
    press_key(PRFDATA_KEY_DOWN);
    press_key(PRFDATA_KEY_DOWN);
    press(">");
    draw_in(60, 10, false);
    expect_line(0, "12:34:02 PC, every 1 s, 3 instances, sorted by Waiting");
    expect_line(3, "C                        100.0 B/s           20            0");
    expect_line(5, "a                        300.0 B/s            0            5");
    assert_true(shown.reversed[3]); /* C is selected; it was the last row before */
    press_key(PRFDATA_KEY_RIGHT);
    press_key(PRFDATA_KEY_RIGHT); /* there is no fourth column */
    draw_in(60, 10, false);
    expect_line(0, "12:34:02 PC, every 1 s, 3 instances, sorted by Errors");
    expect_line(3, "b                        200.0 B/s           10            6");
    press("r");
    press_key(PRFDATA_KEY_HOME);
    press_key(PRFDATA_KEY_DOWN);
    press("d");
    draw_in(60, 10, false);
    expect_line(0, "12:34:02 PC, every 1 s, 3 instances, sorted by Errors, rever");
    expect_line(1, "Path       \\Jobs(a)\\Errors");
    press("ds<<<<");
    draw_in(60, 10, false);
    expect_line(0, "12:34:02 PC, every 1 s, 3 instances, sorted by name");
    press("d");
    draw_in(60, 10, false);
    expect_line(1, "Path       \\Jobs(a)\\Bytes Received/sec");
}

/* The table shows only counters that the paths name, because only these have a history. */
static void test_top_view_table_shows_what_was_asked_for(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        begin_view();
        add("b", "Errors", PERF_COUNTER_RAWCOUNT, 5);
        add("a", "Waiting", PERF_COUNTER_RAWCOUNT, 3 + i);
        add("c", "Level", PERF_COUNTER_RAWCOUNT, 4);
        end_view_with("\\Jobs(a)\\WAITING");
    }
    press("t");
    draw_in(60, 10, false);
    expect_shown("1 instance");
    expect_line(2, "                                             Waiting");
    expect_line(3, "a                                                  4");
    press("<>"); /* there is no other column */
    draw_in(60, 10, false);
    expect_line(2, "                                             Waiting");
    press("d");
    draw_in(60, 10, false);
    expect_line(1, "Path       \\Jobs(a)\\Waiting");
}

/* The table shows one object at a time. If it has no instances, its counters are rows. */
static void test_top_view_table_goes_from_object_to_object(void **state)
{
    (void)state;
    add_table();
    press("to");
    draw_in(60, 10, false);
    expect_line(0, "12:34:01 PC, every 1 s, 1 counter, sorted by name");
    expect_line(1, "Machine");
    expect_line(2, "                                               Value");
    expect_line(3, "Level                                              7");
    press("s");
    draw_in(60, 10, false);
    expect_line(0, "12:34:01 PC, every 1 s, 1 counter, sorted by value");
    press_key('\t');
    draw();
    expect_shown("3 instances, sorted by Bytes Receive");
    for (unsigned i = 0; i < PRFDATA_TABLE_WHILE; i++) {
        begin_view(); /* the object is gone, and disappears after some samples */
        add_to("Machine", "", "Level", PERF_COUNTER_RAWCOUNT, 7);
        end_view();
        draw_in(60, 10, false);
        expect_line(1,
                    i + 1 < PRFDATA_TABLE_WHILE ? "Jobs                         Bytes" : "Machine");
    }
    expect_shown("1 counter, sorted by value");
}

/* The selected row stays after its instance has ended, in the table and in the list. Its details
 * still have its statistics. */
static void test_top_view_selected_row_stays_when_it_is_gone(void **state)
{
    for (unsigned is_table = 0; is_table < 2; is_table++) {
        add_levels();
        add_levels();
        press(is_table ? "t" : "");
        press_key(PRFDATA_KEY_DOWN);
        for (unsigned i = 0; i < 5; i++) {
            begin_view();
            add("C", "Level", PERF_COUNTER_RAWCOUNT, 20);
            end_view();
        }
        draw_in(60, 10, false);
        if (is_table)
            expect_line(3, "b                                            removed");
        else
            expect_line(3, "\\Jobs(b)\\Level                    removed                 15");
        press("d");
        draw_in(60, 10, false);
        expect_line(2, "Values     lowest 10, mean 15, highest 20");
        press("d");
        press_key(PRFDATA_KEY_UP);
        begin_view();
        add("C", "Level", PERF_COUNTER_RAWCOUNT, 20);
        end_view();
        draw_in(60, 10, false);
        expect_hidden("removed");
        tear_down(state);
        set_up(state);
    }
}

static void test_top_view_table_shows_what_the_filter_leaves(void **state)
{
    (void)state;
    add_table();
    add_table();
    press("t/(b)\r");
    draw_in(60, 10, false);
    expect_shown("1 instance");
    expect_line(3, "b                        200.0 B/s           10            6");
    press("/");
    press_key(PRFDATA_KEY_ESCAPE);
    press("/waiting\r");
    draw_in(60, 10, false);
    expect_line(2, "                                             Waiting");
    expect_shown("3 instances");
    press("z"); /* the value of a is 0 */
    draw_in(60, 10, false);
    expect_shown("2 instances");
    press("/x\r");
    draw_in(60, 10, false);
    expect_shown("No counter fits");
}

/* The table shows as many columns as fit, and the selected one is among them. */
static void test_top_view_table_scrolls_through_columns(void **state)
{
    static const char *const counters[] = {"Counter 0", "Counter 1", "Counter 2",
                                           "Counter 3", "Counter 4", "Counter 5",
                                           "Counter 6", "Counter 7", "Counter 8"};

    (void)state;
    begin_view();
    for (unsigned i = 0; i < 9; i++) {
        add("a", counters[i], PERF_COUNTER_RAWCOUNT, i);
    }
    end_view();
    press("t");
    draw_in(80, 6, false);
    expect_line(2,
                "columns 1-5 of 9       Counter 0   Counter 1   Counter 2   Counter 3   Counter 4");
    press(">>>>>"); /* selects the first column that is not on the screen */
    draw_in(80, 6, false);
    expect_shown("columns 2-6 of 9");
    press(">>");
    draw_in(80, 6, false);
    expect_line(2,
                "columns 4-8 of 9       Counter 3   Counter 4   Counter 5   Counter 6   Counter 7");
    expect_line(3,
                "a                              3           4           5           6           7");
    press("<<<<<<<<<");
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

static void test_top_view_top_n_by_value(void **state)
{
    (void)state;
    add_many(100);
    press("n");
    draw();
    expect_line(0, "12:34:01 PC, every 1 s, top 10 of 100 counters, sorted by value");
    expect_row(2, "\\Jobs(n99)\\Level", "99", "", "99", "#");
    expect_row(11, "\\Jobs(n90)\\Level", "90", "", "90", "#");
    expect_line(12, "90 not shown (top 10)");
    press("nn");
    draw();
    expect_shown("top 50 of 100 counters");
    expect_line(22, "30 more below");
    press_key(PRFDATA_KEY_END);
    draw();
    expect_line(22, "30 more above; 50 not shown (top 50)");
    press("nn");
    draw();
    expect_shown(", 100 counters");
    press("t");
    press("n");
    draw();
    expect_shown("top 10 of 100 instances, sorted by Level");
    press("tss"); /* the rows are now in the order in which the paths were given */
    press_key(PRFDATA_KEY_DOWN);
    press("ss"); /* the selected row stays, as the last of the ten rows */
    draw();
    expect_selected("\\Jobs(n1)");
    expect_row(11, "\\Jobs(n1)\\Level", "1", "", "1", "#");
}

/* ---- Details ---- */

static void test_top_view_details_show_everything_about_a_counter(void **state)
{
    (void)state;
    view_title(&titles.helps, title_of("Done/sec") + 1,
               "Jobs that were done, a second, by all threads of this instance together.");
    for (uint64_t i = 0; i < 3; i++) {
        begin_view();
        add("a", "Done/sec", PERF_COUNTER_BULK_COUNT, 1000 + 10 * i * i);
        end_view();
    }
    press("d");
    draw();
    expect_line(1, "Path       \\Jobs(a)\\Done/sec");
    expect_line(2, "Values     lowest 10, mean 20, highest 30");
    expect_line(3, "           2 of 3 samples");
    expect_line(4, "History                                                              :#");
    expect_line(5, "");
    expect_line(6, "Jobs that were done, a second, by all threads of this instance together.");
    expect_shown("Computed   (1040 - 1010) / ((3000 - 2000) / 1000)");
    draw_in(40, 24, false);
    expect_shown("Jobs that were done, a second, by all\nthreads of this instance together.");
    expect_shown("Type       PERF_COUNTER_BULK_COUNT\n           (0x");
    press_key(PRFDATA_KEY_ESCAPE);
    draw();
    expect_selected("\\Jobs(a)");
    press_key(PRFDATA_KEY_ENTER);
    for (unsigned i = 0; i < 5; i++) {
        begin_view();
        end_view();
    }
    draw(); /* the details stay while the user reads them */
    expect_line(2, "Values     lowest 10, mean 20, highest 30");
    press_key(PRFDATA_KEY_ESCAPE);
    begin_view();
    end_view();
    press("d");
    draw();
    expect_line(2, "No counters.");
}

/* An upgrade replaces all rows, so the row that the details describe is gone, too. */
static void test_top_view_details_end_when_rows_are_forgotten(void **state)
{
    (void)state;
    add_levels();
    press("d");
    draw();
    expect_shown("Path ");
    prfdata_top_view_forget_rows(&view);
    add_levels();
    draw();
    expect_hidden("Path ");
    expect_order("abCn");
}

/* The counter whose threshold the user types may have another row after an upgrade, or none. */
static void test_top_view_threshold_is_not_set_for_another_row(void **state)
{
    (void)state;
    add_levels();
    press_key(PRFDATA_KEY_DOWN);
    press("m>=25");
    draw();
    expect_shown("threshold: >=25_");
    prfdata_top_view_forget_rows(&view);
    add_levels();
    draw();
    expect_hidden("threshold:");
    press_key(PRFDATA_KEY_ENTER); /* opens the details of the first row */
    assert_int_equal(view.thresholds.count, 0);
}

static void test_top_view_pages_of_text_scroll(void **state)
{
    (void)state;
    add_levels();
    press("?");
    draw_in(40, 6, false); /* this leaves 4 lines for the text */
    expect_line(1, "q          quit (also Ctrl+C)");
    press_key(PRFDATA_KEY_DOWN);
    draw_in(40, 6, false);
    expect_line(1, "up down    move; so do Page Up, Page");
    press_key(PRFDATA_KEY_END);
    draw_in(40, 6, false);
    expect_line(4, "           right now");
    press_key(PRFDATA_KEY_UP);
    draw_in(40, 6, false);
    expect_line(4, "none       the path matches nothing");
    press_key(PRFDATA_KEY_HOME);
    draw_in(40, 6, false);
    expect_line(1, "q          quit (also Ctrl+C)");
}

/* ---- Thresholds and colours ---- */

/* Return the colours of the coloured letters of a line, one char for each letter. */
static const char *colours_of(uint32_t y)
{
    static char found[MAX_WIDTH + 1];
    size_t used = 0;

    for (uint32_t x = 0; x < shown.width; x++) {
        if (shown.colours[y][x] == 'r' || shown.colours[y][x] == 'c')
            found[used++] = shown.colours[y][x];
    }
    found[used] = 0;
    return found;
}

static void draw_colours(void)
{
    memset(shown.colours, ' ', sizeof shown.colours);
    draw();
}

/* A value that meets the condition of its counter is red, and a value that changed is cyan. Without
 * colours, no value is marked. */
static void test_top_view_threshold_marks_values(void **state)
{
    (void)state;
    add_levels(); /* a 30, b 10, C 20, none 0 */
    press("m>=25");
    draw();
    expect_shown("threshold: >=25_");
    press("x");
    press_key(PRFDATA_KEY_ENTER); /* >=25x is no condition */
    draw();
    expect_shown("threshold: >=25x_");
    press_key(PRFDATA_KEY_BACKSPACE);
    press_key(PRFDATA_KEY_ENTER);
    draw_colours();
    assert_string_equal(colours_of(2), "");
    view.has_colours = true;
    draw_colours();
    assert_string_equal(colours_of(2), "rr");
    assert_string_equal(colours_of(3), "");
    assert_string_equal(colours_of(4), "");
    add_levels(); /* b has changed */
    draw_colours();
    assert_string_equal(colours_of(2), "rr");
    assert_true(colours_of(3)[0] == 'c');
    press("t");
    draw_colours();
    assert_string_equal(colours_of(3), "rr"); /* a, in the table */
    press("tm");
    draw();
    expect_shown("threshold: >=25_");
    for (int i = 0; i < 4; i++)
        press_key(PRFDATA_KEY_BACKSPACE);
    press_key(PRFDATA_KEY_ENTER);
    draw_colours();
    assert_string_equal(colours_of(2), "");
}

static void test_top_view_filter_takes_a_condition(void **state)
{
    (void)state;
    add_levels();
    press("/>15");
    draw();
    expect_order("aC");
    press_key(PRFDATA_KEY_ESCAPE);
    press("/(a)>15");
    draw();
    expect_order("a");
    press_key(PRFDATA_KEY_ESCAPE);
    draw();
    expect_order("abCn");
}

/* At first, counters are sorted by name, and numbers in names by their value: 2 before 10. */
static void test_top_view_begins_sorted_by_name(void **state)
{
    (void)state;
    prfdata_top_view_free(&view);
    prfdata_top_view_init(&view, &titles, false);
    view.computer = (prfdata_text){(const uint16_t *)u"PC", 2};
    begin_view();
    add("row 10", "Level", PERF_COUNTER_RAWCOUNT, 1);
    add("row 2", "Level", PERF_COUNTER_RAWCOUNT, 2);
    end_view();
    draw();
    expect_line(0, "12:34:01 PC, every 1 s, 2 counters, sorted by name");
    expect_row(2, "\\Jobs(row 2)\\Level", "2", "", "2", "#");
    expect_row(3, "\\Jobs(row 10)\\Level", "1", "", "1", "#");
}

/* If two short lines would cut a heading, it gets three lines or a wider column. Headings that
 * still look the same are numbered. */
static void test_top_view_no_two_headings_look_the_same(void **state)
{
    (void)state;
    begin_view();
    add("a", "Average Time of Finished Requests", PERF_COUNTER_RAWCOUNT, 1);
    add("a", "Averagetimeofqueued1stkindofrequests", PERF_COUNTER_RAWCOUNT, 1);
    add("a", "Averagetimeofqueued2ndkindofrequests", PERF_COUNTER_RAWCOUNT, 1);
    end_view();
    press("t");
    draw_in(60, 24, false);
    expect_shown(" Average Time\n");
    expect_shown(" of Finished\n");
    expect_shown("#2");
    expect_shown("#3");
    draw_in(160, 24, false);
    expect_shown(" Average Time of");
}

/* ---- Names and sizes ---- */

static void test_top_view_long_names_keep_their_instance(void **state)
{
    static const char on_and_on[] = "A counter whose name goes on and on and on";
    static const char alone[] = "A counter without instances whose name goes on and on and on";
    static const char longer[] = "an instance whose name alone is longer than the whole column is";

    (void)state;
    begin_view();
    add("a rather long instance", "Level", PERF_COUNTER_RAWCOUNT, 1);
    add("short", on_and_on, PERF_COUNTER_RAWCOUNT, 2);
    add(longer, on_and_on, PERF_COUNTER_RAWCOUNT, 3);
    add_to("Work", "", alone, PERF_COUNTER_RAWCOUNT, 4);
    take_readings();
    add_path("\\Jobs(a rather*)\\Level");
    add_path("\\Jobs(short)\\A*");
    add_path("\\Jobs(an*)\\A*");
    add_path("\\Work\\A*");
    assert_int_equal(prfdata_top_view_end(&view), ERROR_SUCCESS);
    draw();
    expect_row(2, "\\Jobs(a rather long instance)\\Level", "1", "", "1", "#");
    expect_row(3, "\\Jobs(short)\\A counter wh~nd on and on", "2", "", "2", "#");
    expect_row(4, "\\J~s(an instance wh~ole column is)\\A~n", "3", "", "3", "#");
    expect_row(5, "\\Work\\A counter withou~n and on and on", "4", "", "4", "#");
}

static void add_hostile(void)
{
    begin_view();
    add_to("hostile", "\033[2J\r\n", "hostile", PERF_COUNTER_RAWCOUNT, 1);
    add_to("hostile", "b", "hostile", PERF_COUNTER_RAWCOUNT, 1);
    end_view();
}

static void test_top_view_names_cannot_command_the_terminal(void **state)
{
    (void)state;
    view.computer = hostile_text;
    add_hostile();
    for (unsigned is_unicode = 0; is_unicode < 2; is_unicode++) {
        /* The simulated screen refuses everything that is not part of a frame. */
        draw_in(200, 24, is_unicode != 0);
        expect_shown(is_unicode ? "\xEF\xBF\xBD[2J\xEF\xBF\xBD"
                                  "31m"
                                : "?[2J?31m???");
        press("d");
        draw_in(200, 24, is_unicode != 0);
        expect_shown(is_unicode ? "\xEF\xBF\xBD[2J\xEF\xBF\xBD"
                                  "31m"
                                : "?[2J?31m???");
        press("d");
    }
}

/* ---- At random ---- */

static uint32_t anything_state;

/* Return a number below `count`. Each run gets the same numbers. */
static uint32_t anything(uint32_t count)
{
    anything_state = anything_state * 1664525u + 1013904223u;
    return (anything_state >> 8) % count;
}

static void add_any_object(const char *object, uint32_t instances)
{
    static const char *const counters[] = {"Waiting", "Bytes/sec", "Level", "hostile"};
    char label[16] = "";

    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t i = 0; i < instances && c != anything(8); i++) {
            if (instances > 1)
                snprintf(label, sizeof label, "%c%u", (char)('a' + anything(3)),
                         (unsigned)anything(4));
            add_to(object, label, counters[c],
                   c == 1 ? PERF_COUNTER_BULK_COUNT : PERF_COUNTER_RAWCOUNT, anything(5) * second);
        }
    }
}

static void take_any_sample(void)
{
    static const char *const paths[] = {"\\Jobs(*)\\W*", "\\Jobs(b*)\\Level", "\\Work(a*)\\*",
                                        "\\Machine\\*", "\\Nothing\\*"};

    begin_view();
    if (anything(4) > 0)
        add_any_object("Jobs", 12);
    if (anything(4) > 0)
        add_any_object("hostile", 3);
    if (anything(4) > 0)
        add_any_object("Machine", 1);
    if (anything(4) > 0)
        add_any_object("Work", 9);
    take_readings();
    if (anything(2) > 0)
        add_everything();
    add_path(paths[anything(5)]);
    assert_int_equal(prfdata_top_view_end(&view), ERROR_SUCCESS);
}

/* Expect that at most one row has the focus. If the selected row is not the first one, it must have
 * the focus. */
static void expect_one_focus(void)
{
    const prfdata_table *table = prfdata_top_view_shown(&view);
    uint32_t count = 0;

    for (uint32_t i = 0; i < table->row_count; i++)
        count += table->rows[i]->is_focused;
    assert_true(count <= 1);
    if (view.selected > 0)
        assert_true(view.selected < table->shown_count && table->shown[view.selected]->is_focused);
}

/* Draws after random samples, keys and sizes. The simulated screen accepts only a frame of its
 * size. */
static void test_top_view_any_samples_keys_and_sizes_give_frames(void **state)
{
    static const uint32_t keys[] = {'t',
                                    't',
                                    'o',
                                    '\t',
                                    's',
                                    's',
                                    'r',
                                    'n',
                                    'z',
                                    'd',
                                    'd',
                                    '<',
                                    '>',
                                    '/',
                                    'a',
                                    'b',
                                    '(',
                                    'W',
                                    'h',
                                    PRFDATA_KEY_ESCAPE,
                                    PRFDATA_KEY_ENTER,
                                    PRFDATA_KEY_BACKSPACE,
                                    PRFDATA_KEY_UP,
                                    PRFDATA_KEY_DOWN,
                                    PRFDATA_KEY_DOWN,
                                    PRFDATA_KEY_PAGE_UP,
                                    PRFDATA_KEY_PAGE_DOWN,
                                    PRFDATA_KEY_HOME,
                                    PRFDATA_KEY_END,
                                    PRFDATA_KEY_LEFT,
                                    PRFDATA_KEY_RIGHT};

    for (uint32_t scene = 0; scene < 100; scene += sampled_one_of()) {
        anything_state = scene;
        for (uint32_t i = 0; i < 100; i++) {
            if (anything(3) == 0)
                take_any_sample();
            if (anything(100) == 0)
                prfdata_top_view_forget_rows(&view);
            press_key(keys[anything(sizeof keys / sizeof keys[0])]);
            press_key(keys[anything(sizeof keys / sizeof keys[0])]);
            draw_in(1 + anything(180), 1 + anything(30), anything(2) > 0);
            expect_one_focus();
        }
        tear_down(state);
        set_up(state);
    }
}

/* Whatever the width is, the last line shows whole keys only, and always the key for help. */
static void test_top_view_cuts_no_key_of_the_last_line(void **state)
{
    static const char all[] =
        "  q quit  t table  / filter  m mark  s sort  n top  z idle  d details  h help";

    (void)state;
    add_levels();
    for (uint32_t width = 10; width <= 200; width++) {
        const char *foot;
        char keys[sizeof all + 2] = "  ";
        char *end;

        draw_in(width, 6, false);
        foot = shown.text;
        for (uint32_t y = 0; y < 5; y++)
            foot = strchr(foot, '\n') + 1;
        assert_true(strlen(foot) < sizeof all);
        strcat(keys, foot);
        end = strstr(keys, "  h help\n");
        assert_non_null(end);
        *end = 0;
        assert_memory_equal(keys, all, strlen(keys));           /* the first keys, in their order */
        assert_true(strncmp(all + strlen(keys), "  ", 2) == 0); /* none is cut */
        assert_true(width < 79 || strlen(keys) == sizeof all - strlen("  h help") - 1);
    }
}

static void test_top_view_narrow_screens_keep_name_and_value(void **state)
{
    (void)state;
    add_levels();
    add_levels();
    draw_in(60, 24, false);
    expect_line(1, "Counter                             Value  Change/s     Mean");
    draw_in(50, 24, false);
    expect_line(1, "Counter                            Value  Change/s");
    draw_in(30, 24, false);
    expect_line(2, "\\Jobs(a)\\Level              30");
    draw_in(12, 24, false);
    expect_line(2, "\\J~s(a)\\Le~l");
    draw_in(11, 24, false);
    expect_line(2, "\\Jobs~Level");
    draw_in(1, 1, false);
    expect_line(0, "~");
    draw_in(160, 24, false);
    expect_shown(" Description");
}

static void test_top_view_without_counters_says_so(void **state)
{
    (void)state;
    draw();
    expect_line(2, "No counters.");
    press("dsrz");
    press_key(PRFDATA_KEY_DOWN);
    press_key(PRFDATA_KEY_END);
    begin_view();
    end_view();
    draw();
    expect_line(2, "No counters.");
}

static void test_top_view_recorded_samples_and_notices_are_reported(void **state)
{
    (void)state;
    add_levels();
    view.is_recorded = true;
    view.notice = "a provider's data is damaged";
    draw();
    expect_line(0, "12:34:01 PC, recorded, 4 counters");
    expect_line(23, "a provider's data is damaged");
}

/* A notice has names of other programs. It is cut at a character, so that the frame stays UTF-8.
 * Windows' console gets UTF-16, and a frame that is not UTF-8 cannot be converted. */
static void test_top_view_a_notice_is_cut_at_a_character(void **state)
{
    (void)state;
    add_levels();
    view.notice = "Gr\xC3\xB6\xC3\x9F"
                  "e: \xE6\x97\xA5\xE6\x9C\xAC";
    draw_in(20, 24, true);
    expect_line(23, view.notice);
    draw_in(10, 24, true);
    expect_line(23, "Gr\xC3\xB6\xC3\x9F"
                    "e: \xE6\x97\xA5");
    draw_in(3, 24, true);
    expect_line(23, "Gr\xC3\xB6");
    draw_in(20, 24, false);
    expect_line(23, "Gr??e: ??");
    /* The notice ends in the middle of a character. */
    view.notice = "Gr\xC3\xB6\xC3";
    draw_in(20, 24, true);
    expect_line(23, "Gr\xC3\xB6");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_top_view_shows_value_change_mean_and_history),
        TEST(test_top_view_history_has_a_gap_without_a_sample),
        TEST(test_top_view_history_of_huge_numbers),
        TEST(test_top_view_chars_follow_the_type),
        TEST(test_top_view_hexadecimal_numbers_have_room),
        TEST(test_top_view_percentages_are_capped_where_that_is_wanted),
        TEST(test_top_view_what_has_no_value_says_why),
        TEST(test_top_view_who_comes_back_is_another),
        TEST(test_top_view_a_path_to_nothing_is_a_row_until_it_leads_somewhere),
        TEST(test_top_view_the_same_twice_is_one_row),
        TEST(test_top_view_texts_are_shown_as_they_are),
        TEST(test_top_view_sorts_and_reverses),
        TEST(test_top_view_change_of_numbers_that_doubles_cannot_tell_is_exact),
        TEST(test_top_view_filter_is_live_and_ignores_case),
        TEST(test_top_view_filter_takes_any_character_and_no_more_than_its_room),
        TEST(test_top_view_idle_rows_hide),
        TEST(test_top_view_keys_scroll_through_all_rows),
        TEST(test_top_view_selection_stays_with_its_row),
        TEST(test_top_view_selection_at_the_top_stays_at_the_top),
        TEST(test_top_view_follows_the_size_of_the_screen),
        TEST(test_top_view_other_keys_do_what_help_says),
        TEST(test_top_view_table_has_a_row_for_each_instance),
        TEST(test_top_view_table_is_sorted_by_the_selected_column),
        TEST(test_top_view_table_shows_what_was_asked_for),
        TEST(test_top_view_selected_row_stays_when_it_is_gone),
        TEST(test_top_view_table_goes_from_object_to_object),
        TEST(test_top_view_table_shows_what_the_filter_leaves),
        TEST(test_top_view_table_scrolls_through_columns),
        TEST(test_top_view_top_n_by_value),
        TEST(test_top_view_details_show_everything_about_a_counter),
        TEST(test_top_view_details_end_when_rows_are_forgotten),
        TEST(test_top_view_threshold_is_not_set_for_another_row),
        TEST(test_top_view_pages_of_text_scroll),
        TEST(test_top_view_threshold_marks_values),
        TEST(test_top_view_filter_takes_a_condition),
        TEST(test_top_view_begins_sorted_by_name),
        TEST(test_top_view_no_two_headings_look_the_same),
        TEST(test_top_view_long_names_keep_their_instance),
        TEST(test_top_view_names_cannot_command_the_terminal),
        TEST(test_top_view_any_samples_keys_and_sizes_give_frames),
        TEST(test_top_view_cuts_no_key_of_the_last_line),
        TEST(test_top_view_narrow_screens_keep_name_and_value),
        TEST(test_top_view_without_counters_says_so),
        TEST(test_top_view_recorded_samples_and_notices_are_reported),
        TEST(test_top_view_a_notice_is_cut_at_a_character),
    };

    return cmocka_run_group_tests_name("top_view", tests, NULL, NULL);
}
