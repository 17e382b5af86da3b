/* SPDX-License-Identifier: MIT */
/*
 * A line of text for a terminal: how wide each character is, what is cut where there is no room,
 * and nothing that a terminal could obey. Names come from other programs; control characters,
 * escape sequences and marks that turn the direction of writing are shown as U+FFFD.
 *
 * Width counts positions of the screen: an ordinary letter has a width of 1, East Asian wide
 * characters and pictures have 2, combining marks 0. Blocks of characters decide, not a terminal's
 * own tables: a terminal may disagree about single characters, so do not place text by the width
 * of what stands before it in its line.
 *
 * names/names.h takes UTF-8 apart; the escapes of JSON are in paths/json.h.
 */
#ifndef PRFDATA_READER_TERMINAL_LINE_H
#define PRFDATA_READER_TERMINAL_LINE_H

#include "base/compiler.h"
#include "text/output.h"

/* A line being written. */
typedef struct prfdata_terminal_line {
    prfdata_output *output;
    uint32_t left;   /* the width that is still free */
    bool is_unicode; /* false: ASCII only, ? for everything else */
} prfdata_terminal_line;

/* The width of a character: 0, 1 or 2; 1 for one that is shown as U+FFFD. */
uint32_t prfdata_terminal_line_width_of(uint32_t code_point);

/* The width of a text as prfdata_terminal_line_put() shows it. */
uint32_t prfdata_terminal_line_width(prfdata_text text, bool is_unicode);

/*
 * How much of a text fits: returns how many of its chars, counted from its beginning, are no wider
 * than `width` together. The marks that belong to the last character are among them.
 */
size_t prfdata_terminal_line_fitting(prfdata_text text, uint32_t width, bool is_unicode);

/* Put text, cut at the end of the line. */
void prfdata_terminal_line_put(prfdata_terminal_line *line, prfdata_text text);

/* Put ASCII without control characters, cut at the end of the line. */
void prfdata_terminal_line_put_ascii(prfdata_terminal_line *line, const char *text);

/* Put ASCII as printf formats it: at most 255 characters, cut at the end of the line. */
void prfdata_terminal_line_format(prfdata_terminal_line *line, const char *format, ...)
    PRFDATA_PRINTF(2, 3);

/* Put `count` blanks, cut at the end of the line. */
void prfdata_terminal_line_put_blanks(prfdata_terminal_line *line, uint32_t count);

/* Put text; if it is wider than `width`, an ellipsis replaces its middle. */
void prfdata_terminal_line_put_middle(prfdata_terminal_line *line, prfdata_text text,
                                      uint32_t width);

/* Put a bar of width 1 for a level of 0 to 7. */
void prfdata_terminal_line_put_level(prfdata_terminal_line *line, unsigned level);

/*
 * Put whole lines of UTF-8 into an output, of any width: U+FFFD replaces what is not UTF-8 or what
 * the terminal could obey. TAB, CR and LF stay.
 */
void prfdata_terminal_line_put_lines(prfdata_output *output, const char *bytes, size_t size);

#endif
