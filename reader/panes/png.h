/* SPDX-License-Identifier: MIT */
/* Writes a picture of the chart or the histogram. Call it only from the window's thread. */
#ifndef PRFDATA_READER_PNG_H
#define PRFDATA_READER_PNG_H

#include "panes/chart_draw.h"

/* Write the chart, or the histogram if that is shown, as a PNG with a title and the values of the
 * lines. Returns ERROR_SUCCESS, a Windows error or an HRESULT. */
uint32_t prfdata_png_write(const prfdata_plot *plot, const wchar_t *path);

#endif
