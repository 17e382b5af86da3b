/* SPDX-License-Identifier: MIT */
/* WM_PAINT without flicker: a window is painted aside and shown at once. */
#ifndef PRFDATA_READER_BACK_BUFFER_H
#define PRFDATA_READER_BACK_BUFFER_H

#include <stdint.h>

#include <windows.h>

typedef struct prfdata_back_buffer {
    HDC dc;    /* to paint on */
    RECT area; /* of the window's client area */
    HDC screen;
    HBITMAP bitmap;
    HGDIOBJ replaced;
    PAINTSTRUCT paint;
} prfdata_back_buffer;

/* A bitmap to paint on, whose pixels a program can reach (GetObject(), DIBSECTION): 0x00RRGGBB,
 * from the top. NULL: no memory. */
HBITMAP prfdata_back_buffer_bitmap(HDC dc, int32_t width, int32_t height);

/* Begin to paint a window, in its procedure. prfdata_back_buffer_end() is to follow. */
void prfdata_back_buffer_begin(prfdata_back_buffer *buffer, HWND window);

/* Show what was painted. The objects that `dc` had at the beginning are to be selected again. */
void prfdata_back_buffer_end(prfdata_back_buffer *buffer, HWND window);

#endif
