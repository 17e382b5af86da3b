/* SPDX-License-Identifier: MIT */
/*
 * Makes a line of text for a terminal: measures the width of each character, cuts the line if there
 * is no room, and replaces everything that a terminal could obey. Names come from other programs,
 * so U+FFFD, or ? in ASCII, replaces control characters and marks that change the direction of
 * writing.
 *
 * Width counts columns of the screen: an ordinary letter has a width of 1, East Asian wide
 * characters and pictures have 2, combining marks 0. A terminal's own tables may differ for some
 * characters, so the position of a text must not depend on the width of the text before it in its
 * line.
 */
#ifndef PRFDATA_READER_TERMINAL_LINE_H
#define PRFDATA_READER_TERMINAL_LINE_H

#include "base/compiler.h"
#include "text/output.h"

typedef struct prfdata_terminal_line {
    prfdata_output *output;
    uint32_t left;   /* width that is still free */
    bool is_unicode; /* false: write only ASCII, with ? for everything else */
} prfdata_terminal_line;

/* Return the width of a character: 0, 1 or 2; 1 if it is shown as U+FFFD. */
uint32_t prfdata_terminal_line_width_of(uint32_t code_point);

/* Return the width of a text as prfdata_terminal_line_put() shows it. */
uint32_t prfdata_terminal_line_width(prfdata_text text, bool is_unicode);

/*
 * Return how many chars of a text, counted from its beginning, are together no wider than `width`.
 * The marks of the last character are included.
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
 * Put whole lines of UTF-8, of any width, into an output. U+FFFD replaces invalid UTF-8 and
 * everything that the terminal could obey. TAB, CR and LF stay.
 */
void prfdata_terminal_line_put_lines(prfdata_output *output, const char *bytes, size_t size);

#endif
