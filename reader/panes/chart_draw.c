/* SPDX-License-Identifier: MIT */
/*
 * Draws the chart into a bitmap. view/stroke.c draws the lines of counters, with smooth edges; GDI
 * draws everything else. view/chart_layout.c computes the positions.
 */
#include "panes/chart_draw.h"

#include <stdio.h>
#include <wchar.h>

#include "panes/back_buffer.h"
#include "panes/bands_draw.h"
#include "panes/line_pen.h"
#include "panes/strings.h"
#include "view/bands.h"

#define MOST_COLUMNS 8000
#define LEAST_LINES  14 /* the smallest height of a window with a strip, in lines of text */
#define MOST_POINTS  16384
#define STRIP_BORDER 2 /* pixels from the strip's values to the outside of its frame */

void prfdata_chart_draw_text(HDC dc, int32_t x, int32_t y, const wchar_t *text, UINT align)
{
    SetTextAlign(dc, align);
    TextOutW(dc, x, y, text, (int)wcslen(text));
}

/* Write the time of a grid line. At midnight, write the day that begins instead. */
static const wchar_t *time_line_text(int64_t time_ms, wchar_t text[PRFDATA_MOMENT_CHARS],
                                     bool has_seconds)
{
    const SYSTEMTIME local = prfdata_strings_local_time(time_ms);

    if (local.wHour != 0 || local.wMinute != 0 || local.wSecond != 0)
        return prfdata_strings_time(time_ms, has_seconds, text);
    if (GetDateFormatEx(LOCALE_NAME_USER_DEFAULT, DATE_SHORTDATE, &local, NULL, text,
                        PRFDATA_MOMENT_CHARS, NULL) == 0)
        text[0] = 0;
    return text;
}

/* ---- The chart ---- */

static void draw_plot_line(HDC dc, int32_t x1, int32_t y1, int32_t x2, int32_t y2)
{
    MoveToEx(dc, x1, y1, NULL);
    LineTo(dc, x2, y2);
}

/* Return the width in pixels of the widest hexadecimal number that a line may have. 0: the line is
 * hidden, or has decimal numbers. */
static int32_t hex_width(HDC dc, const prfdata_chart_series *series)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const size_t count = series->is_hidden ? 0 : prfdata_number_widest_hex(series->type, chars);
    SIZE text = {0, 0};

    GetTextExtentPoint32W(dc, (const wchar_t *)chars, (int)count, &text);
    return text.cx;
}

prfdata_chart_size prfdata_chart_draw_size(const prfdata_plot *plot, HDC dc, const RECT *area)
{
    prfdata_chart_size size = {area->right - area->left,
                               area->bottom - area->top,
                               plot->theme->text_height,
                               0,
                               0,
                               plot->scroll};
    SIZE text;

    GetTextExtentPoint32W(dc, L"0,000 MB/s", 10, &text);
    size.label_width = text.cx;
    for (uint32_t i = 0; i < plot->viewer->chart.series_count; i++) {
        const int32_t width = hex_width(dc, plot->viewer->chart.series[i]);

        size.label_width = width > size.label_width ? width : size.label_width;
    }
    GetTextExtentPoint32W(dc, L"00:00:00 AM", 11, &text);
    size.time_width = text.cx;
    return size;
}

static void draw_value_lines(const prfdata_plot *plot, HDC dc, const prfdata_chart_layout *layout,
                             const prfdata_chart_pane *pane)
{
    const int32_t gap = plot->theme->text_height / 3;
    const uint32_t count = prfdata_scale_line_count(&pane->scale);

    SetTextColor(dc, plot->theme->faint);
    for (uint32_t i = 0; i < count && count <= 100; i++) {
        const double value = prfdata_scale_line(&pane->scale, i);
        const double step = pane->scale.is_log ? value : pane->scale.step;
        const int32_t y = prfdata_chart_layout_y(pane, value);
        uint16_t chars[PRFDATA_NUMBER_CHARS];
        wchar_t text[PRFDATA_NUMBER_CHARS + 1];
        const size_t length =
            pane->is_hex ? prfdata_number_hex_tick(value, chars)
                         : prfdata_number_tick(value, step, pane->unit, *plot->style, chars);

        draw_plot_line(dc, layout->left, y, layout->right, y);
        prfdata_chart_draw_text(
            dc, layout->left - gap, y - plot->theme->text_height / 2,
            prfdata_strings_text((prfdata_text){chars, length}, text, PRFDATA_NUMBER_CHARS + 1),
            TA_RIGHT);
    }
}

static void draw_thresholds(const prfdata_plot *plot, HDC dc, const prfdata_chart_layout *layout,
                            uint32_t pane)
{
    HPEN pen = CreatePen(PS_SOLID, prfdata_theme_pixels(plot->theme, 1), plot->theme->limit);
    HGDIOBJ before = SelectObject(dc, pen);

    for (uint32_t i = 0; i < plot->viewer->chart.series_count; i++) {
        const prfdata_chart_series *series = plot->viewer->chart.series[i];
        int32_t y;

        if (series->threshold.comparison == PRFDATA_COMPARISON_NONE ||
            prfdata_chart_layout_pane(layout, series) != pane)
            continue;
        y = prfdata_chart_layout_y(&layout->panes[pane], series->threshold.number);
        draw_plot_line(dc, layout->left, y, layout->right, y);
    }
    SelectObject(dc, before);
    DeleteObject(pen);
}

static RECT time_label_area(const prfdata_plot *plot, HDC dc, const RECT *area, int32_t x,
                            const wchar_t *text)
{
    const prfdata_chart_size size = prfdata_chart_draw_size(plot, dc, area);
    SIZE extent;
    int32_t left;

    GetTextExtentPoint32W(dc, text, (int)wcslen(text), &extent);
    left = prfdata_chart_layout_label_x(&size, x, extent.cx) - extent.cx / 2;
    return (RECT){left, area->bottom - plot->theme->text_height * 5 / 4, left + extent.cx,
                  area->bottom - plot->theme->text_height / 4};
}

/* Get the label of the sample under the pointer. Returns false if the chart shows no such
 * sample. */
static bool hover_label_area(const prfdata_plot *plot, HDC dc, const prfdata_chart_layout *layout,
                             const RECT *area, RECT *taken, wchar_t text[PRFDATA_MOMENT_CHARS])
{
    int32_t x;

    if (plot->hover >= plot->viewer->chart.count)
        return false;
    x = prfdata_chart_layout_x(layout, plot->viewer->chart.times_ms[plot->hover]);
    if (x < layout->left || x > layout->right)
        return false;
    *taken = time_label_area(
        plot, dc, area, x,
        prfdata_strings_time(plot->viewer->chart.times_ms[plot->hover], true, text));
    return true;
}

static void draw_time_label(const prfdata_plot *plot, HDC dc, const prfdata_chart_layout *layout,
                            const RECT *area, int64_t time_ms)
{
    wchar_t text[PRFDATA_MOMENT_CHARS];
    wchar_t hover_text[PRFDATA_MOMENT_CHARS];
    RECT place;
    RECT taken;
    RECT both;

    time_line_text(time_ms, text, layout->time_step_ms % 60000 != 0);
    place = time_label_area(plot, dc, area, prfdata_chart_layout_x(layout, time_ms), text);
    if (hover_label_area(plot, dc, layout, area, &taken, hover_text)) {
        InflateRect(&taken, plot->theme->text_height / 2, 0);
        if (IntersectRect(&both, &place, &taken))
            return;
    }
    prfdata_chart_draw_text(dc, place.left, place.top, text, TA_LEFT);
}

/* Return by how many ms local time is ahead of UTC at a given time. */
static int64_t ahead_of_utc(int64_t time_ms)
{
    const SYSTEMTIME local = prfdata_strings_local_time(time_ms);
    FILETIME file = {0, 0};

    if (!SystemTimeToFileTime(&local, &file))
        return 0;
    return (int64_t)(((uint64_t)file.dwHighDateTime << 32 | file.dwLowDateTime) / 10000) - time_ms;
}

/* Return the first time that has a grid line. Grid lines are at round local times. */
static int64_t first_time_line(const prfdata_chart_layout *layout)
{
    const int64_t ahead = ahead_of_utc(layout->begin_ms);
    const int64_t step = layout->time_step_ms;
    const int64_t at = (layout->begin_ms + ahead) / step * step - ahead;

    return at < layout->begin_ms ? at + step : at;
}

static void draw_time_lines(HDC dc, const prfdata_chart_layout *layout)
{
    int64_t at = first_time_line(layout);

    for (; at <= layout->end_ms; at += layout->time_step_ms) {
        const int32_t x = prfdata_chart_layout_x(layout, at);

        for (uint32_t i = 0; i < layout->pane_count; i++)
            draw_plot_line(dc, x, layout->panes[i].top, x, layout->panes[i].bottom);
    }
}

static void draw_time_labels(const prfdata_plot *plot, HDC dc, const prfdata_chart_layout *layout,
                             const RECT *area)
{
    int64_t at = first_time_line(layout);

    SetTextColor(dc, plot->theme->faint);
    for (; at <= layout->end_ms; at += layout->time_step_ms)
        draw_time_label(plot, dc, layout, area, at);
}

static void draw_series(const prfdata_plot *plot, HDC dc, const prfdata_chart_layout *layout,
                        const RECT *area)
{
    static prfdata_chart_point points[MOST_POINTS];
    const prfdata_stroke_area part = {layout->left, area->top, layout->right + 1,
                                      area->top + layout->room};
    prfdata_stroke_image image;
    prfdata_stroke stroke;

    if (!prfdata_back_buffer_image(dc, &image) || !prfdata_stroke_begin(&stroke, &image, &part))
        return;
    for (uint32_t i = 0; i < plot->viewer->chart.series_count; i++) {
        const prfdata_stroke_pen pen =
            prfdata_line_pen_of(plot->theme, prfdata_bands_draw_colour(&plot->viewer->chart, i),
                                plot->viewer->chart.series[i]->is_wide);
        const size_t count =
            prfdata_chart_layout_line(&plot->viewer->chart, layout, i, points, MOST_POINTS);

        prfdata_stroke_draw(&stroke, points, count, &pen);
    }
    prfdata_stroke_end(&stroke);
}

/* Put a name at the top of a pane, or an ellipsis if the name has no room. Returns where the next
 * name begins; 0: there is no more room. */
static int32_t draw_pane_name(const prfdata_plot *plot, HDC dc, int32_t x, int32_t y, int32_t right,
                              const wchar_t *text, const COLORREF *swatch)
{
    const int32_t height = plot->theme->text_height;
    const int32_t before = swatch ? height : 0;
    SIZE size;

    GetTextExtentPoint32W(dc, text, (int)wcslen(text), &size);
    if (x + before + size.cx > right) {
        SetTextColor(dc, plot->theme->faint);
        prfdata_chart_draw_text(dc, x < right ? x : right, y, L"\u2026", TA_LEFT);
        return 0;
    }
    if (swatch) {
        const RECT area = {x, y + height / 2 - height / 8, x + height * 3 / 4,
                           y + height / 2 + height / 8 + 1};

        prfdata_theme_fill(dc, &area, *swatch);
    }
    SetTextColor(dc, plot->theme->text);
    prfdata_chart_draw_text(dc, x + before, y, text, TA_LEFT);
    return x + before + size.cx + height;
}

/*
 * Put the names of a pane's lines at its top, next to their colours. The common part of the names
 * is written once. Percentiles that are drawn as bands have one name together.
 */
static void draw_pane_names(const prfdata_plot *plot, HDC dc, const prfdata_chart_layout *layout,
                            uint32_t pane)
{
    const int32_t y = layout->panes[pane].top - plot->theme->text_height * 4 / 3;
    prfdata_text object;
    prfdata_text counter;
    wchar_t text[200];
    wchar_t name[200];
    int32_t x = layout->left;
    const bool is_whole = y >= 0 && y + plot->theme->text_height <= layout->room;
    const bool is_common =
        prfdata_chart_layout_common(&plot->viewer->chart, layout, pane, &object, &counter);

    if (!is_whole)
        return; /* half of a name would be useless */
    if (is_common) {
        swprintf(text, 200, L"%ls \u2013 %ls", prfdata_strings_text(object, name, 90),
                 prfdata_strings_text(counter, name + 100, 90));
        x = draw_pane_name(plot, dc, x, y, layout->right, text, NULL);
    }
    for (uint32_t i = 0; x != 0 && i < plot->viewer->chart.series_count; i++) {
        const prfdata_chart_series *series = plot->viewer->chart.series[i];

        if (prfdata_chart_layout_pane(layout, series) != pane ||
            prfdata_bands_lower(&plot->viewer->chart, i) != PRFDATA_CHART_SERIES)
            continue;
        prfdata_strings_text(is_common ? series->key.label : series->path, text, 200);
        prfdata_bands_draw_name(&plot->viewer->chart, i, text, 200);
        x = draw_pane_name(plot, dc, x, y, layout->right, text,
                           &plot->theme->lines[prfdata_bands_draw_colour(&plot->viewer->chart, i) %
                                               PRFDATA_THEME_LINES]);
    }
}

static void draw_moment(HDC dc, const prfdata_chart_layout *layout, int64_t time_ms,
                        COLORREF colour, int style)
{
    const int32_t x = prfdata_chart_layout_x(layout, time_ms);
    int32_t top;
    int32_t bottom;
    HPEN pen;
    HGDIOBJ before;

    if (x < layout->left || x > layout->right)
        return;
    pen = CreatePen(style, 1, colour);
    before = SelectObject(dc, pen);
    prfdata_chart_layout_moment(layout, &top, &bottom);
    draw_plot_line(dc, x, top, x, bottom);
    SelectObject(dc, before);
    DeleteObject(pen);
}

static void draw_moments(const prfdata_plot *plot, HDC dc, const prfdata_chart_layout *layout,
                         const RECT *area)
{
    wchar_t text[PRFDATA_MOMENT_CHARS];
    RECT label;

    if (plot->viewer->looks_back)
        draw_moment(dc, layout, plot->viewer->shown_ms, plot->theme->text, PS_SOLID);
    if (!hover_label_area(plot, dc, layout, area, &label, text))
        return;
    draw_moment(dc, layout, plot->viewer->chart.times_ms[plot->hover], plot->theme->faint, PS_DOT);
    SetTextColor(dc, plot->theme->text);
    prfdata_chart_draw_text(dc, label.left, label.top, text, TA_LEFT);
}

void prfdata_chart_draw_empty(const prfdata_plot *plot, HDC dc, const RECT *area, uint32_t id)
{
    RECT text = *area;
    RECT place;
    const wchar_t *words;

    InflateRect(&text, -plot->theme->text_height * 2, 0);
    SetTextColor(dc, plot->theme->faint);
    SetTextAlign(dc, TA_LEFT);
    place = text;
    words = prfdata_strings_get(id);
    DrawTextW(dc, words, -1, &place, DT_CENTER | DT_WORDBREAK | DT_CALCRECT);
    if (place.bottom < text.bottom)
        text.top += (text.bottom - place.bottom) / 2;
    DrawTextW(dc, words, -1, &text, DT_CENTER | DT_WORDBREAK);
}

/* Draw the panes, but only inside the chart. Scrolled panes must cover neither what is above the
 * chart nor the times below it. */
static void draw_panes(const prfdata_plot *plot, HDC dc, const prfdata_chart_layout *layout,
                       const RECT *area)
{
    /* With high contrast the grid has a strong colour of the system, so it is dotted. */
    HPEN grid = CreatePen(plot->theme->is_contrast ? PS_DOT : PS_SOLID, 1, plot->theme->grid);
    const int saved = SaveDC(dc);

    IntersectClipRect(dc, area->left, area->top, area->right, area->top + layout->room);
    SelectObject(dc, grid);
    prfdata_bands_draw_all(&plot->viewer->chart, plot->theme, dc, layout);
    draw_time_lines(dc, layout);
    for (uint32_t i = 0; i < layout->pane_count; i++)
        draw_value_lines(plot, dc, layout, &layout->panes[i]);
    for (uint32_t i = 0; i < layout->pane_count; i++) {
        draw_thresholds(plot, dc, layout, i);
        draw_pane_names(plot, dc, layout, i);
    }
    RestoreDC(dc, saved);
    draw_series(plot, dc, layout, area);
    DeleteObject(grid);
}

void prfdata_chart_draw_all(const prfdata_plot *plot, HDC dc, const RECT *area)
{
    const prfdata_chart_size size = prfdata_chart_draw_size(plot, dc, area);
    prfdata_chart_layout layout;

    if (plot->viewer->chart.series_count == 0) {
        prfdata_chart_draw_empty(plot, dc, area, IDS_CHART_EMPTY);
        return;
    }
    prfdata_chart_layout_make(&plot->viewer->chart, &size, &layout);
    draw_panes(plot, dc, &layout, area);
    draw_time_labels(plot, dc, &layout, area);
    draw_moments(plot, dc, &layout, area);
}

/* ---- The strip of all samples ---- */

void prfdata_chart_draw_divide(const prfdata_plot *plot, const RECT *area, RECT *chart,
                               prfdata_overview *overview)
{
    const int32_t text = plot->theme->text_height;

    *chart = *area;
    *overview = (prfdata_overview){.left = area->left + text / 2,
                                   .right = area->right - text,
                                   .top = area->bottom - text * 2,
                                   .bottom = area->bottom - text / 2};
    if (plot->shows_histogram || area->bottom - area->top < LEAST_LINES * text ||
        !prfdata_overview_make(&plot->viewer->chart, overview))
        *overview = (prfdata_overview){0};
    else
        chart->bottom = overview->top - text / 4;
}

/* Return the position of the line that the strip shows: the selected line if it is visible,
 * otherwise the first visible one. PRFDATA_CHART_SERIES: no line is visible. */
static uint32_t line_of_overview(const prfdata_chart *chart)
{
    uint32_t first = PRFDATA_CHART_SERIES;

    for (uint32_t i = 0; i < chart->series_count; i++) {
        if (chart->series[i]->is_hidden)
            continue;
        if (chart->series[i]->is_wide)
            return i;
        first = first == PRFDATA_CHART_SERIES ? i : first;
    }
    return first;
}

static void draw_columns(const prfdata_plot *plot, HDC dc, const prfdata_overview *overview)
{
    static prfdata_overview_column columns[MOST_COLUMNS];
    const uint32_t line = line_of_overview(&plot->viewer->chart);
    uint32_t count;
    COLORREF colour;

    if (line == PRFDATA_CHART_SERIES)
        return;
    count = prfdata_overview_columns(&plot->viewer->chart, overview, line, columns, MOST_COLUMNS);
    colour = plot->theme->is_contrast
                 ? plot->theme->text
                 : plot->theme->lines[prfdata_bands_draw_colour(&plot->viewer->chart, line) %
                                      PRFDATA_THEME_LINES];
    for (uint32_t i = 0; i < count; i++) {
        const RECT bar = {overview->left + (int32_t)i, columns[i].high,
                          overview->left + (int32_t)i + 1, columns[i].low + 1};

        if (!columns[i].is_empty)
            prfdata_theme_fill(dc, &bar, colour);
    }
}

void prfdata_chart_draw_overview(const prfdata_plot *plot, HDC dc, const prfdata_overview *overview)
{
    const prfdata_chart *chart = &plot->viewer->chart;
    const RECT whole = {overview->left - STRIP_BORDER, overview->top - STRIP_BORDER,
                        overview->right + 1 + STRIP_BORDER, overview->bottom + 1 + STRIP_BORDER};
    RECT window = whole;

    if (overview->right <= overview->left)
        return;
    window.left = prfdata_overview_x(overview, prfdata_chart_begin_ms(chart)) - STRIP_BORDER;
    window.right = prfdata_overview_x(overview, prfdata_chart_end_ms(chart)) + 1 + STRIP_BORDER;
    prfdata_theme_fill(dc, &whole, plot->theme->face);
    prfdata_theme_fill(dc, &window, plot->theme->back);
    draw_columns(plot, dc, overview);
    SetDCBrushColor(dc, plot->theme->grid);
    FrameRect(dc, &whole, (HBRUSH)GetStockObject(DC_BRUSH));
    SetDCBrushColor(dc, plot->theme->faint);
    FrameRect(dc, &window, (HBRUSH)GetStockObject(DC_BRUSH));
}
