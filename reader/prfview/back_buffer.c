/* SPDX-License-Identifier: MIT */
/* Paints on a bitmap of the window's size, which is copied in the end. */
#include "prfview/back_buffer.h"

void prfdata_back_buffer_begin(prfdata_back_buffer *buffer, HWND window)
{
    buffer->screen = BeginPaint(window, &buffer->paint);
    buffer->dc = CreateCompatibleDC(buffer->screen);
    GetClientRect(window, &buffer->area);
    buffer->bitmap =
        CreateCompatibleBitmap(buffer->screen, buffer->area.right > 0 ? buffer->area.right : 1,
                               buffer->area.bottom > 0 ? buffer->area.bottom : 1);
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
