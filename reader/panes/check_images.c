/* SPDX-License-Identifier: MIT */
/* The tick is a line as those of the chart. */
#include "panes/check_images.h"

#include <commctrl.h>

#include "panes/back_buffer.h"
#include "view/stroke.h"

#define NOTHING RGB(255, 0, 255) /* around the box: what is below shows through */

static void fill_box(HDC dc, const RECT *box, COLORREF colour)
{
    SetBkColor(dc, colour);
    ExtTextOutW(dc, 0, 0, ETO_OPAQUE, box, NULL, 0, NULL);
}

static void draw_tick(const prfdata_theme *theme, HBITMAP bitmap, int32_t size)
{
    const prfdata_chart_point points[] = {{size * 3 / 10, size * 5 / 10, true},
                                          {size * 4 / 10, size * 7 / 10, false},
                                          {size * 7 / 10, size * 3 / 10, false}};
    const prfdata_stroke_pen pen = {(uint32_t)GetRValue(theme->text) << 16 |
                                        (uint32_t)GetGValue(theme->text) << 8 |
                                        GetBValue(theme->text),
                                    1.5 * theme->dpi / 96, PRFDATA_STROKE_SOLID};
    const prfdata_stroke_area area = {0, 0, size, size};
    prfdata_stroke_image image;
    prfdata_stroke stroke;
    DIBSECTION dib;

    if (GetObjectW(bitmap, sizeof dib, &dib) != sizeof dib)
        return;
    GdiFlush(); /* what GDI has drawn until now is below */
    image = (prfdata_stroke_image){dib.dsBm.bmBits, dib.dsBm.bmWidth, dib.dsBm.bmHeight};
    if (!prfdata_stroke_begin(&stroke, &image, &area))
        return;
    prfdata_stroke_draw(&stroke, points, 3, &pen);
    prfdata_stroke_end(&stroke);
}

static void add_check_image(const prfdata_theme *theme, HIMAGELIST images, int32_t size,
                            bool is_checked)
{
    const int32_t edge = prfdata_theme_pixels(theme, 1);
    RECT box = {0, 0, size, size};
    HDC screen = GetDC(NULL);
    HDC dc = CreateCompatibleDC(screen);
    HBITMAP bitmap = prfdata_back_buffer_bitmap(screen, size, size);
    HGDIOBJ before = SelectObject(dc, bitmap);

    fill_box(dc, &box, NOTHING);
    InflateRect(&box, -edge, -edge);
    fill_box(dc, &box, theme->faint);
    InflateRect(&box, -edge, -edge);
    fill_box(dc, &box, theme->back);
    if (is_checked)
        draw_tick(theme, bitmap, size);
    SelectObject(dc, before);
    (void)ImageList_AddMasked(images, bitmap, NOTHING);
    DeleteObject(bitmap);
    DeleteDC(dc);
    ReleaseDC(NULL, screen);
}

void prfdata_check_images_apply(const prfdata_theme *theme, HWND list)
{
    const int32_t size = theme->text_height;
    HIMAGELIST images = ImageList_Create(size, size, ILC_COLOR24 | ILC_MASK, 2, 0);
    HIMAGELIST before;

    if (!images)
        return;
    add_check_image(theme, images, size, false);
    add_check_image(theme, images, size, true);
    before = ListView_SetImageList(list, images, LVSIL_STATE);
    if (before)
        ImageList_Destroy(before);
}
