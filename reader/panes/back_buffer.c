/* SPDX-License-Identifier: MIT */
/* Paints on a bitmap of the window's size, and copies it to the window at the end. */
#include "panes/back_buffer.h"

HBITMAP prfdata_back_buffer_bitmap(HDC dc, int32_t width, int32_t height)
{
    const BITMAPINFO info = {.bmiHeader = {.biSize = sizeof info.bmiHeader,
                                           .biWidth = width > 0 ? width : 1,
                                           .biHeight = height > 0 ? -height : -1,
                                           .biPlanes = 1,
                                           .biBitCount = 32}};
    void *pixels;

    return CreateDIBSection(dc, &info, DIB_RGB_COLORS, &pixels, NULL, 0);
}

bool prfdata_back_buffer_image(HDC dc, prfdata_stroke_image *image)
{
    DIBSECTION dib;

    if (GetObjectW(GetCurrentObject(dc, OBJ_BITMAP), sizeof dib, &dib) != sizeof dib)
        return false;
    GdiFlush(); /* wait until GDI has drawn everything that it was asked for */
    *image = (prfdata_stroke_image){dib.dsBm.bmBits, dib.dsBm.bmWidth, dib.dsBm.bmHeight};
    return true;
}

void prfdata_back_buffer_begin(prfdata_back_buffer *buffer, HWND window)
{
    buffer->screen = BeginPaint(window, &buffer->paint);
    buffer->dc = CreateCompatibleDC(buffer->screen);
    GetClientRect(window, &buffer->area);
    buffer->bitmap =
        prfdata_back_buffer_bitmap(buffer->screen, buffer->area.right, buffer->area.bottom);
    buffer->replaced = SelectObject(buffer->dc, buffer->bitmap);
}

void prfdata_back_buffer_end(prfdata_back_buffer *buffer, HWND window)
{
    BitBlt(buffer->screen, 0, 0, buffer->area.right, buffer->area.bottom, buffer->dc, 0, 0,
           SRCCOPY);
    SelectObject(buffer->dc, buffer->replaced);
    DeleteObject(buffer->bitmap);
    DeleteDC(buffer->dc);
    EndPaint(window, &buffer->paint);
}
