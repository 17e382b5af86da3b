/* SPDX-License-Identifier: MIT */
/* The chart as a PNG, by the Windows Imaging Component. Knows Windows. */

#define COBJMACROS
#include "prfview/app.h"

#include <objbase.h>
#include <wincodec.h>

#define PICTURE_WIDTH  1280
#define PICTURE_HEIGHT 720

/* The chart in a bitmap of its own; NULL: no memory. */
static HBITMAP make_picture(prfdata_app *app)
{
    const RECT area = {0, 0, PICTURE_WIDTH, PICTURE_HEIGHT};
    HDC screen = GetDC(app->window);
    HDC memory = CreateCompatibleDC(screen);
    HBITMAP bitmap = CreateCompatibleBitmap(screen, PICTURE_WIDTH, PICTURE_HEIGHT);

    if (bitmap) {
        HGDIOBJ before = SelectObject(memory, bitmap);

        prfdata_chart_pane_draw(app, memory, &area);
        SelectObject(memory, before);
    }
    DeleteDC(memory);
    ReleaseDC(app->window, screen);
    return bitmap;
}

static HRESULT write_frame(IWICImagingFactory *factory, IWICBitmapEncoder *encoder, HBITMAP picture)
{
    IWICBitmapFrameEncode *frame = NULL;
    IWICBitmap *bitmap = NULL;
    HRESULT result = IWICImagingFactory_CreateBitmapFromHBITMAP(factory, picture, NULL,
                                                                WICBitmapIgnoreAlpha, &bitmap);

    if (SUCCEEDED(result))
        result = IWICBitmapEncoder_CreateNewFrame(encoder, &frame, NULL);
    if (SUCCEEDED(result))
        result = IWICBitmapFrameEncode_Initialize(frame, NULL);
    if (SUCCEEDED(result))
        result = IWICBitmapFrameEncode_SetSize(frame, PICTURE_WIDTH, PICTURE_HEIGHT);
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

static HRESULT write_picture(IWICImagingFactory *factory, HBITMAP picture, const wchar_t *path)
{
    IWICBitmapEncoder *encoder = NULL;
    IWICStream *stream = NULL;
    HRESULT result = IWICImagingFactory_CreateStream(factory, &stream);

    if (SUCCEEDED(result))
        result = IWICStream_InitializeFromFilename(stream, path, GENERIC_WRITE);
    if (SUCCEEDED(result))
        result =
            IWICImagingFactory_CreateEncoder(factory, &GUID_ContainerFormatPng, NULL, &encoder);
    if (SUCCEEDED(result))
        result = IWICBitmapEncoder_Initialize(encoder, (IStream *)stream, WICBitmapEncoderNoCache);
    if (SUCCEEDED(result))
        result = write_frame(factory, encoder, picture);
    if (SUCCEEDED(result))
        result = IWICBitmapEncoder_Commit(encoder);
    if (encoder)
        IWICBitmapEncoder_Release(encoder);
    if (stream)
        IWICStream_Release(stream);
    return result;
}

uint32_t prfdata_png_write(prfdata_app *app, const wchar_t *path)
{
    IWICImagingFactory *factory = NULL;
    HBITMAP picture = make_picture(app);
    HRESULT result = CoCreateInstance(&CLSID_WICImagingFactory, NULL, CLSCTX_INPROC_SERVER,
                                      &IID_IWICImagingFactory, (void **)&factory);

    if (!picture)
        result = E_OUTOFMEMORY;
    if (SUCCEEDED(result))
        result = write_picture(factory, picture, path);
    if (factory)
        IWICImagingFactory_Release(factory);
    if (picture)
        DeleteObject(picture);
    return SUCCEEDED(result)
               ? ERROR_SUCCESS
               : (HRESULT_FACILITY(result) == FACILITY_WIN32 ? (uint32_t)HRESULT_CODE(result)
                                                             : (uint32_t)result);
}
