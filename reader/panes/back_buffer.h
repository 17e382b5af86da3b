/* SPDX-License-Identifier: MIT */
/* Handles WM_PAINT without flicker: a window is painted on a bitmap and shown at once. */
#ifndef PRFDATA_READER_BACK_BUFFER_H
#define PRFDATA_READER_BACK_BUFFER_H

#include <stdint.h>

#include <windows.h>

#include "view/stroke.h"

typedef struct prfdata_back_buffer {
    HDC dc;    /* to paint on */
    RECT area; /* the window's client area, which is painted whole */
    HDC screen;
    HBITMAP bitmap;
    HGDIOBJ replaced;
    PAINTSTRUCT paint;
} prfdata_back_buffer;

/* Make a 32-bit bitmap of at least 1 x 1 pixels, which the caller deletes. NULL: no memory. */
HBITMAP prfdata_back_buffer_bitmap(HDC dc, int32_t width, int32_t height);

/*
 * Get the pixels of the bitmap that is selected into `dc`. Returns false if it is not a DIB
 * section; prfdata_back_buffer_bitmap() makes one.
 */
bool prfdata_back_buffer_image(HDC dc, prfdata_stroke_image *image);

/* Begin to paint a window, in its window procedure; prfdata_back_buffer_end() must follow. */
void prfdata_back_buffer_begin(prfdata_back_buffer *buffer, HWND window);

/* Show the painted bitmap. Before this, select the objects again that `dc` had at the beginning. */
void prfdata_back_buffer_end(prfdata_back_buffer *buffer, HWND window);

#endif
