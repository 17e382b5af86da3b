/* SPDX-License-Identifier: MIT */
/* The chart as a PNG, by the Windows Imaging Component. */

#define COBJMACROS
#include "panes/png.h"

#include <objbase.h>
#include <wincodec.h>

#include "os/files.h"
#include "panes/back_buffer.h"
#include "panes/chart_pane.h"
#include "panes/strings.h"

#define PICTURE_WIDTH  1280
#define PICTURE_HEIGHT 720 /* at least: all panes are in the picture */

/* The chart in a bitmap of its own; NULL: no memory. */
static HBITMAP make_picture(const prfdata_plot *plot)
{
    RECT area = {0, 0, PICTURE_WIDTH, PICTURE_HEIGHT};
    HDC screen = GetDC(plot->window);
    HDC memory = CreateCompatibleDC(screen);
    HBITMAP bitmap;

    area.bottom = prfdata_chart_pane_height(plot, memory, &area);
    bitmap = prfdata_back_buffer_bitmap(screen, area.right, area.bottom);
    if (bitmap) {
        HGDIOBJ before = SelectObject(memory, bitmap);

        prfdata_chart_pane_draw(plot, memory, &area);
        SelectObject(memory, before);
    }
    DeleteDC(memory);
    ReleaseDC(plot->window, screen);
    return bitmap;
}

static HRESULT write_frame(IWICImagingFactory *factory, IWICBitmapEncoder *encoder, HBITMAP picture)
{
    IWICBitmapFrameEncode *frame = NULL;
    IWICBitmap *bitmap = NULL;
    UINT width = 0;
    UINT height = 0;
    HRESULT result = IWICImagingFactory_CreateBitmapFromHBITMAP(factory, picture, NULL,
                                                                WICBitmapIgnoreAlpha, &bitmap);

    if (SUCCEEDED(result))
        result = IWICBitmap_GetSize(bitmap, &width, &height);
    if (SUCCEEDED(result))
        result = IWICBitmapEncoder_CreateNewFrame(encoder, &frame, NULL);
    if (SUCCEEDED(result))
        result = IWICBitmapFrameEncode_Initialize(frame, NULL);
    if (SUCCEEDED(result))
        result = IWICBitmapFrameEncode_SetSize(frame, width, height);
    if (SUCCEEDED(result))
        result = IWICBitmapFrameEncode_WriteSource(frame, (IWICBitmapSource *)bitmap, NULL);
    if (SUCCEEDED(result))
        result = IWICBitmapFrameEncode_Commit(frame);
    if (frame)
        IWICBitmapFrameEncode_Release(frame);
    if (bitmap)
        IWICBitmap_Release(bitmap);
    return result;
}

/* Encode the picture into a stream in memory. */
static HRESULT encode_picture(IWICImagingFactory *factory, HBITMAP picture, IStream *stream)
{
    IWICBitmapEncoder *encoder = NULL;
    HRESULT result =
        IWICImagingFactory_CreateEncoder(factory, &GUID_ContainerFormatPng, NULL, &encoder);

    if (SUCCEEDED(result))
        result = IWICBitmapEncoder_Initialize(encoder, stream, WICBitmapEncoderNoCache);
    if (SUCCEEDED(result))
        result = write_frame(factory, encoder, picture);
    if (SUCCEEDED(result))
        result = IWICBitmapEncoder_Commit(encoder);
    if (encoder)
        IWICBitmapEncoder_Release(encoder);
    return result;
}

/* A file is replaced by a whole picture, or stays as it was. */
static uint32_t write_stream(IStream *stream, const wchar_t *path)
{
    HGLOBAL memory = NULL;
    STATSTG about = {0};
    const void *bytes;
    uint32_t status;

    if (FAILED(GetHGlobalFromStream(stream, &memory)) ||
        FAILED(IStream_Stat(stream, &about, STATFLAG_NONAME)))
        return ERROR_NOT_ENOUGH_MEMORY;
    bytes = GlobalLock(memory);
    if (!bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = prfdata_files_write(prfdata_strings_borrow(path), true, bytes,
                                 (size_t)about.cbSize.QuadPart);
    GlobalUnlock(memory);
    return status;
}

static uint32_t status_of_result(HRESULT result)
{
    if (SUCCEEDED(result))
        return ERROR_SUCCESS;
    return HRESULT_FACILITY(result) == FACILITY_WIN32 ? (uint32_t)HRESULT_CODE(result)
                                                      : (uint32_t)result;
}

uint32_t prfdata_png_write(const prfdata_plot *plot, const wchar_t *path)
{
    IWICImagingFactory *factory = NULL;
    IStream *stream = NULL;
    HBITMAP picture = make_picture(plot);
    HRESULT result = CoCreateInstance(&CLSID_WICImagingFactory, NULL, CLSCTX_INPROC_SERVER,
                                      &IID_IWICImagingFactory, (void **)&factory);
    uint32_t status;

    if (!picture)
        result = E_OUTOFMEMORY;
    if (SUCCEEDED(result))
        result = CreateStreamOnHGlobal(NULL, TRUE, &stream);
    if (SUCCEEDED(result))
        result = encode_picture(factory, picture, stream);
    status = SUCCEEDED(result) ? write_stream(stream, path) : status_of_result(result);
    if (stream)
        IStream_Release(stream);
    if (factory)
        IWICImagingFactory_Release(factory);
    if (picture)
        DeleteObject(picture);
    return status;
}
