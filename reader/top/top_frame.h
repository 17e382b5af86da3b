/* SPDX-License-Identifier: MIT */
/*
 * Draws the live view: one frame for a screen of a given size, as text with VT sequences. Every
 * line is placed by its number and erased after its text, so nothing of an older frame stays and
 * nothing flickers. The output is ASCII or UTF-8. Whatever the names contain, the output has no
 * control characters except those of these sequences:
 *
 *     ESC [ y ; 1 H          the line with this number, from 1
 *     ESC [ 0 m              plain; with ;1 bold, with ;4 underlined, with ;7 reversed;
 *                            only if view->has_colours: with ;31 red, with ;36 cyan
 *     ESC [ K                erase the rest of the line
 */
#ifndef PRFDATA_READER_TOP_FRAME_H
#define PRFDATA_READER_TOP_FRAME_H

#include "text/output.h"
#include "top/top_view.h"

/*
 * Put a frame.
 *
 * view        The view; its scroll positions are corrected to fit the size.
 * width       The width in cells. `width` and `height` are at least 1.
 * is_unicode  The terminal shows UTF-8; otherwise the output is ASCII.
 */
void prfdata_top_frame_put(prfdata_top_view *view, uint32_t width, uint32_t height, bool is_unicode,
                           prfdata_output *output);

#endif
