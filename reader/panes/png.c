/* SPDX-License-Identifier: MIT */
/* Writes the chart or the histogram as a PNG with the Windows Imaging Component. */

#define COBJMACROS
#include "panes/png.h"

#include <objbase.h>
#include <wincodec.h>

#include "os/files.h"
#include "panes/back_buffer.h"
#include "panes/bands_draw.h"
#include "panes/chart_pane.h"
#include "panes/strings.h"

#define PICTURE_WIDTH  1280
#define PICTURE_HEIGHT 720 /* the least height of the chart */

static int32_t row_height(const prfdata_plot *plot)
{
    return plot->theme->text_height * 4 / 3;
}

static void draw_title(const prfdata_plot *plot, HDC dc)
{
    const prfdata_chart *chart = &plot->viewer->chart;
    wchar_t computer[100];
    wchar_t from[PRFDATA_MOMENT_CHARS];
    wchar_t to[PRFDATA_MOMENT_CHARS];
    wchar_t text[PRFDATA_STRINGS_CHARS];
    uint32_t first;
    const uint32_t count = prfdata_chart_range(chart, &first);

    if (count == 0)
        return;
    prfdata_strings_moment(chart->times_ms[first], from);
    prfdata_strings_moment(chart->times_ms[first + count - 1], to);
    prfdata_strings_format(text, IDS_PICTURE_TITLE,
                           prfdata_strings_text(plot->viewer->computer, computer, 100), from, to);
    SetTextColor(dc, plot->theme->text);
    prfdata_chart_draw_text(dc, row_height(plot), row_height(plot) / 4, text, TA_LEFT);
}

static void draw_number(const prfdata_plot *plot, HDC dc, int32_t x, int32_t y, double number,
                        const prfdata_chart_series *series)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    wchar_t text[PRFDATA_NUMBER_CHARS + 1];
    const size_t count =
        prfdata_number_line(number, series->type, series->unit, false, *plot->style, chars);

    prfdata_chart_draw_text(
        dc, x, y,
        prfdata_strings_text((prfdata_text){chars, count}, text, PRFDATA_NUMBER_CHARS + 1),
        TA_RIGHT);
}

static void draw_values(const prfdata_plot *plot, HDC dc, int32_t y)
{
    static const uint32_t headings[] = {IDS_LEGEND_LAST, IDS_LEGEND_LEAST, IDS_LEGEND_MEAN,
                                        IDS_LEGEND_MOST};
    const prfdata_chart *chart = &plot->viewer->chart;
    const int32_t height = row_height(plot);
    const int32_t width = height * 8;

    SetTextColor(dc, plot->theme->faint);
    for (int i = 0; i < 4; i++)
        prfdata_chart_draw_text(dc, PICTURE_WIDTH - height - (3 - i) * width, y,
                                prfdata_strings_get(headings[i]), TA_RIGHT);
    SetTextColor(dc, plot->theme->text);
    for (uint32_t at = 0; at < chart->series_count; at++) {
        const prfdata_chart_series *series = chart->series[at];
        const prfdata_chart_statistics all = prfdata_chart_statistics_of(chart, at);
        const double numbers[] = {all.last, all.least, all.mean, all.most};
        wchar_t path[400];
        RECT swatch;

        if (series->is_hidden)
            continue;
        y += height;
        swatch = (RECT){height, y + height / 3, height * 2, y + height / 2};
        prfdata_theme_fill(
            dc, &swatch,
            plot->theme->lines[prfdata_bands_draw_colour(chart, at) % PRFDATA_THEME_LINES]);
        prfdata_chart_draw_text(dc, height * 5 / 2, y,
                                prfdata_strings_text(series->path, path, 400), TA_LEFT);
        for (int i = 0; i < 4; i++)
            draw_number(plot, dc, PICTURE_WIDTH - height - (3 - i) * width, y, numbers[i], series);
    }
}

static int32_t values_height(const prfdata_plot *plot)
{
    int32_t rows = 2; /* the headings and an empty row */

    for (uint32_t at = 0; at < plot->viewer->chart.series_count; at++)
        rows += !plot->viewer->chart.series[at]->is_hidden;
    return rows * row_height(plot);
}

static HBITMAP make_chart(const prfdata_plot *plot, HDC screen, HDC memory, RECT *area)
{
    HBITMAP bitmap;

    *area = (RECT){0, 0, PICTURE_WIDTH, PICTURE_HEIGHT};
    area->bottom = prfdata_chart_pane_height(plot, memory, area);
    bitmap = prfdata_back_buffer_bitmap(screen, area->right, area->bottom);
    if (bitmap) {
        HGDIOBJ before = SelectObject(memory, bitmap);

        prfdata_chart_pane_draw(plot, memory, area);
        SelectObject(memory, before);
    }
    return bitmap;
}

static void draw_picture(const prfdata_plot *plot, HDC dc, HDC from, const RECT *chart,
                         const RECT *all)
{
    const int32_t top = row_height(plot) * 3 / 2;
    HGDIOBJ before = SelectObject(dc, plot->theme->font);

    prfdata_theme_fill(dc, all, plot->theme->back);
    SetBkMode(dc, TRANSPARENT);
    draw_title(plot, dc);
    BitBlt(dc, 0, top, chart->right, chart->bottom, from, 0, 0, SRCCOPY);
    draw_values(plot, dc, top + chart->bottom);
    SelectObject(dc, before);
}

static HBITMAP make_picture(const prfdata_plot *plot)
{
    HDC screen = GetDC(plot->window);
    HDC from = CreateCompatibleDC(screen);
    HDC to = CreateCompatibleDC(screen);
    RECT area;
    HBITMAP chart = make_chart(plot, screen, from, &area);
    RECT all = {0, 0, area.right, area.bottom + row_height(plot) * 3 / 2 + values_height(plot)};
    HBITMAP bitmap = chart ? prfdata_back_buffer_bitmap(screen, all.right, all.bottom) : NULL;

    if (bitmap) {
        HGDIOBJ before_from = SelectObject(from, chart);
        HGDIOBJ before_to = SelectObject(to, bitmap);

        draw_picture(plot, to, from, &area, &all);
        SelectObject(to, before_to);
        SelectObject(from, before_from);
    }
    if (chart)
        DeleteObject(chart);
    DeleteDC(to);
    DeleteDC(from);
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

/* Write the stream. An existing file is replaced by the whole picture, or stays unchanged. */
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
