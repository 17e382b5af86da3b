/* SPDX-License-Identifier: MIT */
/*
 * Draws the images of the legend. The ticks and the samples of lines are drawn like the lines of
 * the chart.
 */
#include "panes/legend_images.h"

#include <commctrl.h>

#include "panes/back_buffer.h"
#include "panes/line_pen.h"
#include "view/chart.h"

#define NOTHING     RGB(255, 0, 255) /* the transparent colour around the box */
#define PIECE_WIDTH 32 /* pixels at 96 DPI; enough for the longest pattern of dashes */

typedef struct image_strip {
    HDC dc;
    HBITMAP bitmap;
    HGDIOBJ before;
} image_strip;

static void fill_box(HDC dc, const RECT *box, COLORREF colour)
{
    SetBkColor(dc, colour);
    ExtTextOutW(dc, 0, 0, ETO_OPAQUE, box, NULL, 0, NULL);
}

static void begin_strip(image_strip *strip, int32_t width, int32_t height, COLORREF ground)
{
    const RECT area = {0, 0, width, height};
    HDC screen = GetDC(NULL);

    strip->dc = CreateCompatibleDC(screen);
    strip->bitmap = prfdata_back_buffer_bitmap(screen, width, height);
    strip->before = SelectObject(strip->dc, strip->bitmap);
    ReleaseDC(NULL, screen);
    fill_box(strip->dc, &area, ground);
}

static void end_strip(image_strip *strip)
{
    SelectObject(strip->dc, strip->before);
    DeleteObject(strip->bitmap);
    DeleteDC(strip->dc);
}

static void draw_in_strip(const image_strip *strip, const prfdata_stroke_area *area,
                          const prfdata_chart_point *points, size_t count,
                          const prfdata_stroke_pen *pen)
{
    prfdata_stroke_image image;
    prfdata_stroke stroke;

    if (!prfdata_back_buffer_image(strip->dc, &image) ||
        !prfdata_stroke_begin(&stroke, &image, area))
        return;
    prfdata_stroke_draw(&stroke, points, count, pen);
    prfdata_stroke_end(&stroke);
}

static void draw_tick(const prfdata_theme *theme, const image_strip *strip, int32_t size)
{
    const prfdata_chart_point points[] = {{size * 3 / 10, size * 5 / 10, true, false},
                                          {size * 4 / 10, size * 7 / 10, false, false},
                                          {size * 7 / 10, size * 3 / 10, false, false}};
    const prfdata_stroke_pen pen = {prfdata_line_pen_colour(theme->text), 1.5 * theme->dpi / 96,
                                    PRFDATA_STROKE_SOLID};
    const prfdata_stroke_area area = {0, 0, size, size};

    draw_in_strip(strip, &area, points, 3, &pen);
}

static void add_check_image(const prfdata_theme *theme, HIMAGELIST images, int32_t size,
                            bool is_checked)
{
    const int32_t edge = prfdata_theme_pixels(theme, 1);
    RECT box = {0, 0, size, size};
    image_strip strip;

    begin_strip(&strip, size, size, NOTHING);
    InflateRect(&box, -edge, -edge);
    fill_box(strip.dc, &box, theme->faint);
    InflateRect(&box, -edge, -edge);
    fill_box(strip.dc, &box, theme->back);
    if (is_checked)
        draw_tick(theme, &strip, size);
    SelectObject(strip.dc, strip.before); /* the bitmap can be read only when it is not selected */
    (void)ImageList_AddMasked(images, strip.bitmap, NOTHING);
    end_strip(&strip);
}

/*
 * Draw the samples of lines on the background of the chart, even in a selected row, because the
 * colours of lines are chosen for that background.
 */
static void add_line_images(const prfdata_theme *theme, HIMAGELIST images, int32_t width,
                            int32_t height)
{
    const int32_t gap = prfdata_theme_pixels(theme, 4);
    image_strip strip;

    begin_strip(&strip, width * PRFDATA_CHART_SERIES, height, theme->back);
    for (int32_t i = 0; i < PRFDATA_CHART_SERIES; i++) {
        const prfdata_chart_point points[] = {{i * width + gap, height / 2, true, false},
                                              {(i + 1) * width - gap, height / 2, false, false}};
        const prfdata_stroke_area area = {i * width, 0, (i + 1) * width, height};
        const prfdata_stroke_pen pen = prfdata_line_pen_of(theme, (uint32_t)i, false);

        draw_in_strip(&strip, &area, points, 2, &pen);
    }
    SelectObject(strip.dc, strip.before);
    (void)ImageList_Add(images, strip.bitmap, NULL);
    end_strip(&strip);
}

static void replace_images(HWND list, HIMAGELIST images, int kind)
{
    HIMAGELIST before = ListView_SetImageList(list, images, kind);

    if (before)
        ImageList_Destroy(before);
}

void prfdata_legend_images_apply(const prfdata_theme *theme, HWND list)
{
    const int32_t size = theme->text_height;
    const int32_t width = prfdata_theme_pixels(theme, PIECE_WIDTH);
    HIMAGELIST checks = ImageList_Create(size, size, ILC_COLOR24 | ILC_MASK, 2, 0);
    HIMAGELIST lines = ImageList_Create(width, size, ILC_COLOR24, PRFDATA_CHART_SERIES, 0);

    if (checks) {
        add_check_image(theme, checks, size, false);
        add_check_image(theme, checks, size, true);
        replace_images(list, checks, LVSIL_STATE);
    }
    if (lines) {
        add_line_images(theme, lines, width, size);
        replace_images(list, lines, LVSIL_SMALL);
    }
}
