/* SPDX-License-Identifier: MIT */
/* A value, a text or a status in ten cells, for the list and the table. */
#include "top/top_cell.h"

#include "view/number.h"

/* The status in at most ten characters. */
static const char *short_status(uint32_t status)
{
    switch (status) {
    case PRFDATA_STATUS_NO_OBJECT:
        return "no object";
    case PRFDATA_STATUS_NO_COUNTER:
        return "no counter";
    case PRFDATA_STATUS_NO_INSTANCE:
        return "none";
    case PRFDATA_STATUS_ONE_SAMPLE:
        return "wait";
    case PRFDATA_STATUS_NO_DATA:
        return "idle";
    case PRFDATA_STATUS_NEGATIVE_VALUE:
        return "restarted";
    case PRFDATA_STATUS_NEGATIVE_DENOMINATOR:
        return "no time";
    case PRFDATA_STATUS_NEGATIVE_TIMEBASE:
        return "no clock";
    case PRFDATA_STATUS_INVALID_DATA:
        return "damaged";
    case PRFDATA_STATUS_NO_FORMULA:
        return "no number";
    default:
        return "no value";
    }
}

void prfdata_top_cell_put(prfdata_top_painter *p, const prfdata_top_row *row)
{
    const prfdata_cell *cell = &row->base.cells[PRFDATA_TOP_VALUE];
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    size_t count;

    if (!row->base.life.is_present) {
        prfdata_top_painter_put_right(p, "gone", PRFDATA_TOP_CELL_CELLS);
        return;
    }
    if (cell->text.count > 0) {
        prfdata_terminal_line_put_blanks(&p->line, 1);
        prfdata_top_painter_put_left(p, cell->text, PRFDATA_TOP_CELL_CELLS);
        return;
    }
    if (cell->status != PRFDATA_STATUS_OK) {
        prfdata_top_painter_put_right(p, short_status(cell->status), PRFDATA_TOP_CELL_CELLS);
        return;
    }
    if (!prfdata_cell_has_value(cell)) { /* an empty text */
        prfdata_top_painter_put_right(p, "", PRFDATA_TOP_CELL_CELLS);
        return;
    }
    count = prfdata_number_hex(cell->value, cell->type, chars);
    if (count == 0 || count > PRFDATA_TOP_CELL_CELLS)
        count = prfdata_number_fit(cell->value, row->unit, prfdata_top_painter_style,
                                   PRFDATA_TOP_CELL_CELLS, chars);
    prfdata_top_painter_put_number(p, "", (prfdata_text){chars, count}, PRFDATA_TOP_CELL_CELLS);
}
