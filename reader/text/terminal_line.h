/* SPDX-License-Identifier: MIT */
/*
 * Text in the cells of a terminal's line: how many each character takes, what is cut where there
 * is no room, and nothing that a terminal could obey. Names come from other programs; control
 * characters, escape sequences and marks that turn the direction of writing are shown as U+FFFD.
 *
 * Widths follow blocks of characters: East Asian wide ones and pictures take two cells, combining
 * marks none, everything else one. A terminal may disagree about single characters; whoever places
 * lines must not rely on what stands before.
 */
#ifndef PRFDATA_READER_TERMINAL_LINE_H
#define PRFDATA_READER_TERMINAL_LINE_H

#include "text/output.h"

/* A line being written. */
typedef struct prfdata_terminal_line {
    prfdata_output *output;
    uint32_t left;   /* free cells */
    bool is_unicode; /* false: ASCII only, ? for everything else */
} prfdata_terminal_line;

/* The cells that a character takes: 0, 1 or 2; 1 for one that is shown as U+FFFD. */
uint32_t prfdata_terminal_line_width_of(uint32_t code_point);

/* The cells that a text takes. */
uint32_t prfdata_terminal_line_width(prfdata_text text, bool is_unicode);

/* How many chars of `text` fit into `cells` cells, with the marks that belong to the last. */
size_t prfdata_terminal_line_fitting(prfdata_text text, uint32_t cells, bool is_unicode);

/* Put text, cut at the end of the line. */
void prfdata_terminal_line_put(prfdata_terminal_line *line, prfdata_text text);

/* Put ASCII without control characters, cut at the end of the line. */
void prfdata_terminal_line_put_ascii(prfdata_terminal_line *line, const char *text);

/* The same for a printf of at most 255 characters. */
void prfdata_terminal_line_format(prfdata_terminal_line *line, const char *format, ...);

/* Put `count` blanks, cut at the end of the line. */
void prfdata_terminal_line_put_blanks(prfdata_terminal_line *line, uint32_t count);

/* Put text, shortened in its middle if it takes more than `cells` cells. */
void prfdata_terminal_line_put_middle(prfdata_terminal_line *line, prfdata_text text,
                                      uint32_t cells);

/*
 * Put whole lines, of any width, for a terminal: UTF-8 as it is, but with U+FFFD for what the
 * terminal could obey. TAB, CR and LF stay.
 */
void prfdata_terminal_line_put_lines(prfdata_output *output, const char *bytes, size_t size);

/* A level of 0 to 7 as a bar of one cell. */
void prfdata_terminal_line_put_level(prfdata_terminal_line *line, unsigned level);

#endif
