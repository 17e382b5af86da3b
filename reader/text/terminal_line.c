/* SPDX-License-Identifier: MIT */
/*
 * Shows text of other programs on a terminal. The widths of characters come from tables of ranges
 * of Unicode, which are the same for all systems, terminals and languages.
 */
#include "text/terminal_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "names/code_points.h"
#include "names/hidden.h"
#include "names/names.h"

#define MAX_MARKS   3 /* most marks on one character */
#define REPLACEMENT 0xFFFDu

/* Combining marks, joined to the character before them. */
static const prfdata_code_points marks[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x06D6, 0x06DC}, {0x06DF, 0x06E4}, {0x06EA, 0x06ED}, {0x0711, 0x0711}, {0x0730, 0x074A},
    {0x0900, 0x0902}, {0x093A, 0x093A}, {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D},
    {0x0951, 0x0957}, {0x09BC, 0x09BC}, {0x09C1, 0x09C4}, {0x09CD, 0x09CD}, {0x0BC0, 0x0BC0},
    {0x0BCD, 0x0BCD}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0x302A, 0x302D}, {0x3099, 0x309A}, {0xFE00, 0xFE0F},
    {0xFE20, 0xFE2F},
};

static const prfdata_code_points wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x2614, 0x2615},   {0x26A1, 0x26A1},   {0x2705, 0x2705},   {0x274C, 0x274C},
    {0x2753, 0x2757},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F900, 0x1F9FF}, {0x20000, 0x2FFFD}, {0x30000, 0x3FFFD},
};

/* Returns whether the character must be replaced. A mark stays, even if it is invisible. */
static bool is_replaced(uint32_t code_point)
{
    return prfdata_hidden_is(code_point) && !PRFDATA_CODE_POINTS_HAVE(marks, code_point);
}

uint32_t prfdata_terminal_line_width_of(uint32_t code_point)
{
    if (PRFDATA_CODE_POINTS_HAVE(marks, code_point))
        return 0;
    if (prfdata_hidden_is(code_point))
        return 1;
    return PRFDATA_CODE_POINTS_HAVE(wide, code_point) ? 2 : 1;
}

typedef struct walker {
    prfdata_text text;
    bool is_unicode;
    size_t at;
    /* The current character: */
    size_t begin;
    uint32_t code_point; /* after replacing what must not be shown */
    uint32_t width;
    unsigned mark_count; /* marks since the last character that is not a mark */
    bool is_left_out;    /* there are too many marks */
} walker;

static bool next_character(walker *w)
{
    if (w->at >= w->text.count)
        return false;
    w->begin = w->at;
    w->code_point = prfdata_text_next(w->text, &w->at);
    w->width = prfdata_terminal_line_width_of(w->code_point);
    w->is_left_out = false;
    if (!w->is_unicode && (w->code_point < ' ' || w->code_point > '~')) {
        w->code_point = '?';
        w->width = 1;
    } else if (is_replaced(w->code_point) || (w->width == 0 && w->begin == 0)) {
        w->code_point = REPLACEMENT; /* also replaces a mark at the beginning of the text */
        w->width = 1;
    }
    if (w->width > 0)
        w->mark_count = 0;
    else
        w->is_left_out = ++w->mark_count > MAX_MARKS;
    return true;
}

static walker walker_of(prfdata_text text, bool is_unicode)
{
    walker w;

    memset(&w, 0, sizeof w);
    w.text = text;
    w.is_unicode = is_unicode;
    return w;
}

uint32_t prfdata_terminal_line_width(prfdata_text text, bool is_unicode)
{
    walker w = walker_of(text, is_unicode);
    uint32_t width = 0;

    while (next_character(&w))
        width += w.width;
    return width;
}

size_t prfdata_terminal_line_fitting(prfdata_text text, uint32_t width, bool is_unicode)
{
    walker w = walker_of(text, is_unicode);

    while (next_character(&w)) {
        if (w.width > width)
            return w.begin;
        width -= w.width;
    }
    return text.count;
}

static void put_line_character(prfdata_terminal_line *line, const walker *w)
{
    if (w->is_left_out)
        return;
    if (w->code_point == REPLACEMENT)
        prfdata_output_put_string(line->output, "\xEF\xBF\xBD");
    else if (w->code_point == '?')
        prfdata_output_put_string(line->output, "?");
    else
        prfdata_output_put_text(line->output, prfdata_text_part(w->text, w->begin, w->at));
    line->left -= w->width;
}

void prfdata_terminal_line_put(prfdata_terminal_line *line, prfdata_text text)
{
    walker w = walker_of(text, line->is_unicode);

    while (next_character(&w)) {
        if (w.width > line->left)
            return;
        put_line_character(line, &w);
    }
}

void prfdata_terminal_line_put_ascii(prfdata_terminal_line *line, const char *text)
{
    size_t size = strlen(text);

    if (size > line->left)
        size = line->left;
    prfdata_output_put(line->output, text, size);
    line->left -= (uint32_t)size;
}

void prfdata_terminal_line_format(prfdata_terminal_line *line, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0)
        text[0] = 0;
    va_end(arguments);
    prfdata_terminal_line_put_ascii(line, text);
}

void prfdata_terminal_line_put_blanks(prfdata_terminal_line *line, uint32_t count)
{
    if (count > line->left)
        count = line->left;
    for (uint32_t i = 0; i < count; i++)
        prfdata_output_put_string(line->output, " ");
    line->left -= count;
}

/* Return the first position from which the rest of the text is no wider than `width`. */
static size_t text_tail_begin(prfdata_text text, uint32_t width, bool is_unicode)
{
    uint32_t rest = prfdata_terminal_line_width(text, is_unicode);
    walker w = walker_of(text, is_unicode);

    while (next_character(&w)) {
        if (rest <= width && w.width > 0)
            return w.begin;
        rest -= w.width;
    }
    return text.count;
}

void prfdata_terminal_line_put_middle(prfdata_terminal_line *line, prfdata_text text,
                                      uint32_t width)
{
    uint32_t head_width;
    size_t head;
    size_t tail;

    if (width > line->left)
        width = line->left;
    if (prfdata_terminal_line_width(text, line->is_unicode) <= width) {
        prfdata_terminal_line_put(line, text);
        return;
    }
    if (width == 0)
        return;
    head_width = width / 2;
    head = prfdata_terminal_line_fitting(text, head_width, line->is_unicode);
    tail = text_tail_begin(text, width - 1 - head_width, line->is_unicode);
    prfdata_terminal_line_put(line, prfdata_text_part(text, 0, head));
    prfdata_output_put(line->output, line->is_unicode ? "\xE2\x80\xA6" : "~",
                       line->is_unicode ? 3 : 1);
    line->left--;
    prfdata_terminal_line_put(line, prfdata_text_part(text, tail, text.count));
}

void prfdata_terminal_line_put_level(prfdata_terminal_line *line, unsigned level)
{
    static const char ascii[] = " .:-=+*#";

    if (line->left == 0)
        return;
    line->left--;
    if (line->is_unicode)
        prfdata_output_format(line->output, "\xE2\x96%c", (int)(0x81 + (level & 7)));
    else
        prfdata_output_put(line->output, &ascii[level & 7], 1);
}

void prfdata_terminal_line_put_lines(prfdata_output *output, const char *bytes, size_t size)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    size_t kept = 0; /* begin of the bytes that are not put yet */

    for (size_t at = 0; at < size;) {
        const size_t begin = at;
        const uint32_t code_point = prfdata_names_next_utf8(bytes, size, &at);
        const bool is_layout = code_point == '\t' || code_point == '\r' || code_point == '\n';

        if (!is_layout && (code_point == PRFDATA_NAMES_NO_CHARACTER || is_replaced(code_point))) {
            prfdata_output_put(output, bytes + kept, begin - kept);
            prfdata_output_put(output, replacement, sizeof replacement - 1);
            kept = at;
        }
    }
    if (kept < size)
        prfdata_output_put(output, bytes + kept, size - kept);
}
