/* SPDX-License-Identifier: MIT */
/*
 * Draws lines, columns, values and bars of the live view. top_frame.c arranges the lines on the
 * screen.
 */
#include "top/top_painter.h"

#include <math.h>
#include <string.h>

void prfdata_top_painter_scroll(uint32_t *first, uint32_t selected, uint32_t count, uint32_t room)
{
    if (selected < *first)
        *first = selected;
    if (room > 0 && selected - *first >= room)
        *first = selected - room + 1;
    if (*first > 0 && count - *first < room)
        *first = count > room ? count - room : 0;
}

void prfdata_top_painter_begin(prfdata_top_painter *p, const char *attribute)
{
    prfdata_output_format(p->output, "\033[%u;1H\033[0%sm", (unsigned)p->y, attribute);
    p->attribute = attribute;
    p->line.output = p->output;
    p->line.left = p->width;
    p->line.is_unicode = p->is_unicode;
}

/* End the line, and erase the rest of the screen's line. Nothing is erased after a full line,
 * because erasing would remove the line's last character. */
void prfdata_top_painter_end(prfdata_top_painter *p)
{
    if (p->line.left > 0)
        prfdata_output_put_string(p->output, "\033[0m\033[K");
    p->y++;
}

void prfdata_top_painter_put_right(prfdata_top_painter *p, const char *text, uint32_t cells)
{
    uint32_t size = (uint32_t)strlen(text);

    if (cells == 0)
        return;
    prfdata_terminal_line_put_blanks(&p->line, 1 + (size < cells ? cells - size : 0));
    prfdata_terminal_line_put_ascii(&p->line, text);
}

static void put_digits(prfdata_top_painter *p, const char *sign, const uint16_t *chars,
                       size_t count, uint32_t cells)
{
    char text[PRFDATA_NUMBER_CHARS + 2] = "";
    size_t used = strlen(sign);

    memcpy(text, sign, used);
    for (size_t i = 0; i < count; i++)
        text[used++] = chars[i] == 0x00A0 ? ' ' : (char)chars[i];
    text[used] = 0;
    prfdata_top_painter_put_right(p, text, cells);
}

void prfdata_top_painter_put_number(prfdata_top_painter *p, const char *sign,
                                    prfdata_compute_value value, prfdata_unit unit, uint32_t cells)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const size_t room = cells > 0 ? cells - (*sign != 0) : 0;

    put_digits(p, sign, chars, prfdata_number_fit(value, unit, prfdata_top_view_style, room, chars),
               cells);
}

void prfdata_top_painter_put_left(prfdata_top_painter *p, prfdata_text text, uint32_t cells)
{
    uint32_t before = p->line.left;

    if (cells == 0)
        return;
    prfdata_terminal_line_put_middle(&p->line, text, cells);
    prfdata_terminal_line_put_blanks(&p->line, cells - (before - p->line.left));
}

/* The colours are from the terminal's palette, so that they suit its background. */
static const char *colour_of_cell(const prfdata_top_painter *p, const prfdata_table *table,
                                  const prfdata_table_row *row, uint32_t column)
{
    if (!p->view->has_colours || !row->life.is_present)
        return "";
    if (prfdata_table_is_beyond(table, row, column))
        return ";31";
    return row->cells[column].has_changed && !row->life.is_new && p->view->list.updates > 1 ? ";36"
                                                                                            : "";
}

static void put_cell_text(prfdata_top_painter *p, const prfdata_table_row *row,
                          const prfdata_cell *cell, prfdata_unit unit, uint32_t cells)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    size_t count;

    if (!row->life.is_present) {
        prfdata_top_painter_put_right(p, "removed", cells);
        return;
    }
    if (cell->text.count > 0) {
        prfdata_terminal_line_put_blanks(&p->line, 1);
        prfdata_top_painter_put_left(p, cell->text, cells);
        return;
    }
    if (cell->status != PRFDATA_STATUS_OK) {
        prfdata_top_painter_put_right(p, prfdata_cell_reason(cell->status), cells);
        return;
    }
    if (!prfdata_cell_has_value(cell)) { /* the cell may be an empty text */
        prfdata_top_painter_put_right(p, "", cells);
        return;
    }
    count = prfdata_number_hex(cell->value, cell->type, chars);
    /* A hexadecimal number that does not fit keeps only its last digits, after ~. */
    if (count > cells)
        put_digits(p, "~", chars + count - (cells - 1), cells - 1, cells);
    else if (count > 0)
        put_digits(p, "", chars, count, cells);
    else
        prfdata_top_painter_put_number(p, "", cell->value, unit, cells);
}

void prfdata_top_painter_put_cell(prfdata_top_painter *p, const prfdata_table *table,
                                  const prfdata_table_row *row, uint32_t column, prfdata_unit unit,
                                  uint32_t cells)
{
    const char *colour = colour_of_cell(p, table, row, column);

    if (*colour)
        prfdata_output_format(p->output, "\033[0%s%sm", p->attribute, colour);
    put_cell_text(p, row, &row->cells[column], unit, cells);
    if (*colour)
        prfdata_output_format(p->output, "\033[0%sm", p->attribute);
}

void prfdata_top_painter_put_graph(prfdata_top_painter *p, const prfdata_top_row *row,
                                   uint32_t cells)
{
    const bool is_unicode = p->line.is_unicode;
    double lowest = 0; /* doubles, because the difference of two floats may exceed FLT_MAX */
    double highest = 0;

    if (cells > PRFDATA_TOP_HISTORY)
        cells = PRFDATA_TOP_HISTORY;
    p->line.is_unicode = p->is_unicode && !p->view->is_ascii;
    for (uint32_t age = 0; age < cells; age++) {
        float value = prfdata_top_view_past(p->view, row, age);

        lowest = value < lowest ? value : lowest;
        highest = value > highest ? value : highest;
    }
    for (uint32_t age = cells; age-- > 0;) {
        float value = prfdata_top_view_past(p->view, row, age);

        if (isnan(value))
            prfdata_terminal_line_put_blanks(&p->line, 1);
        else if (highest <= lowest)
            prfdata_terminal_line_put_level(&p->line, 0);
        else
            prfdata_terminal_line_put_level(
                &p->line, (unsigned)((value - lowest) / (highest - lowest) * 7 + 0.5));
    }
    p->line.is_unicode = is_unicode;
}

void prfdata_top_painter_put_empty(prfdata_top_painter *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        prfdata_top_painter_begin(p, "");
        prfdata_top_painter_end(p);
    }
}
