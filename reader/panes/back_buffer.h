/* SPDX-License-Identifier: MIT */
/* WM_PAINT without flicker: a window is painted aside and shown at once. */
#ifndef PRFDATA_READER_BACK_BUFFER_H
#define PRFDATA_READER_BACK_BUFFER_H

#include <stdint.h>

#include <windows.h>

#include "view/stroke.h"

typedef struct prfdata_back_buffer {
    HDC dc;    /* to paint on */
    RECT area; /* of the window's client area */
    HDC screen;
    HBITMAP bitmap;
    HGDIOBJ replaced;
    PAINTSTRUCT paint;
} prfdata_back_buffer;

/* A bitmap to paint on, whose pixels a program can reach. NULL: no memory. */
HBITMAP prfdata_back_buffer_bitmap(HDC dc, int32_t width, int32_t height);

/* The pixels of such a bitmap, that is painted on. Returns false if it is another one. */
bool prfdata_back_buffer_image(HDC dc, prfdata_stroke_image *image);

/* Begin to paint a window, in its procedure. prfdata_back_buffer_end() is to follow. */
void prfdata_back_buffer_begin(prfdata_back_buffer *buffer, HWND window);

/* Show what was painted. The objects that `dc` had at the beginning are to be selected again. */
void prfdata_back_buffer_end(prfdata_back_buffer *buffer, HWND window);

#endif
