/* SPDX-License-Identifier: MIT */
/*
 * Draws the chart and the histogram with GDI, into a bitmap that is then shown at once: nothing
 * flickers. Where things are is in view/chart_layout.c. Knows Windows.
 */
#include "prfview/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "view/bands.h"
#include "view/export.h"
#include "view/histogram.h"

#include <windowsx.h>

#define PLOT_CLASS  L"PrfViewPlot"
#define MOST_POINTS 16384

/* ---- Text ---- */

static void put_plot_text(HDC dc, int32_t x, int32_t y, const wchar_t *text, UINT align)
{
    SetTextAlign(dc, align);
    TextOutW(dc, x, y, text, (int)wcslen(text));
}

static const wchar_t *local_time_text(int64_t time_ms, wchar_t text[40], bool has_seconds)
{
    uint16_t utc[8];
    SYSTEMTIME from;
    SYSTEMTIME local;

    prfdata_export_system_time(time_ms, utc);
    from = (SYSTEMTIME){utc[0], utc[1], utc[2], utc[3], utc[4], utc[5], utc[6], utc[7]};
    if (!SystemTimeToTzSpecificLocalTime(NULL, &from, &local))
        local = from;
    if (GetTimeFormatEx(LOCALE_NAME_USER_DEFAULT, has_seconds ? 0 : TIME_NOSECONDS, &local, NULL,
                        text, 40) == 0)
        text[0] = 0;
    return text;
}

/* ---- The chart ---- */

static void fill_plot(HDC dc, const RECT *area, COLORREF colour)
{
    SetBkColor(dc, colour);
    ExtTextOutW(dc, 0, 0, ETO_OPAQUE, area, NULL, 0, NULL);
}

static void draw_plot_line(HDC dc, int32_t x1, int32_t y1, int32_t x2, int32_t y2)
{
    MoveToEx(dc, x1, y1, NULL);
    LineTo(dc, x2, y2);
}

static prfdata_chart_size plot_size(const prfdata_app *app, HDC dc, const RECT *area)
{
    prfdata_chart_size size = {area->right - area->left, area->bottom - area->top,
                               app->theme.text_height, 0, 0};
    SIZE text;

    GetTextExtentPoint32W(dc, L"0,000 MB/s", 10, &text);
    size.label_width = text.cx;
    GetTextExtentPoint32W(dc, L"00:00:00 AM", 11, &text);
    size.time_width = text.cx;
    return size;
}

static void draw_value_lines(const prfdata_app *app, HDC dc, const prfdata_chart_layout *layout,
                             const prfdata_chart_pane *pane)
{
    const int32_t gap = app->theme.text_height / 3;
    const int count = (int)((pane->scale.high - pane->scale.low) / pane->scale.step + 0.5);

    SetTextColor(dc, app->theme.faint);
    for (int i = 0; i <= count && count < 100; i++) {
        const double value = pane->scale.low + i * pane->scale.step;
        const int32_t y = prfdata_chart_layout_y(pane, value);
        uint16_t chars[PRFDATA_NUMBER_CHARS];
        wchar_t text[PRFDATA_NUMBER_CHARS + 1];
        const size_t length =
            prfdata_number_tick(value, pane->scale.step, pane->unit, app->style, chars);

        draw_plot_line(dc, layout->left, y, layout->right, y);
        put_plot_text(
            dc, layout->left - gap, y - app->theme.text_height / 2,
            prfdata_strings_text((prfdata_text){chars, length}, text, PRFDATA_NUMBER_CHARS + 1),
            TA_RIGHT);
    }
}

static void draw_time_lines(const prfdata_app *app, HDC dc, const prfdata_chart_layout *layout,
                            int32_t bottom)
{
    const int64_t step = layout->time_step_ms;
    int64_t at = layout->begin_ms / step * step;

    SetTextColor(dc, app->theme.faint);
    for (; at <= layout->end_ms; at += step) {
        const int32_t x = prfdata_chart_layout_x(layout, at);
        wchar_t text[40];

        if (at < layout->begin_ms)
            continue;
        for (uint32_t i = 0; i < layout->pane_count; i++)
            draw_plot_line(dc, x, layout->panes[i].top, x, layout->panes[i].bottom);
        put_plot_text(dc, x, bottom - app->theme.text_height * 5 / 4,
                      local_time_text(at, text, step % 60000 != 0), TA_CENTER);
    }
}

static HPEN series_pen(const prfdata_app *app, uint32_t position)
{
    const uint32_t colour = prfdata_bands_draw_colour(app, position);
    const LOGBRUSH brush = {BS_SOLID, app->theme.lines[colour % PRFDATA_THEME_LINES], 0};
    const DWORD style = colour / PRFDATA_THEME_LINES % 2 ? PS_DASH : PS_SOLID;
    const int32_t width =
        prfdata_theme_pixels(&app->theme, app->chart.series[position]->is_wide ? 4 : 2);

    return ExtCreatePen(PS_GEOMETRIC | style, (DWORD)(width > 0 ? width : 1), &brush, 0, NULL);
}

/* A line's points, with gaps between its parts. A part of one point is a dot. */
static void draw_series(const prfdata_app *app, HDC dc, const prfdata_chart_layout *layout,
                        uint32_t position)
{
    static prfdata_chart_point points[MOST_POINTS];
    static POINT part[MOST_POINTS];
    const size_t count =
        prfdata_chart_layout_line(&app->chart, layout, position, points, MOST_POINTS);
    HPEN pen = series_pen(app, position);
    HGDIOBJ before = SelectObject(dc, pen);
    int length = 0;

    for (size_t i = 0; i < count; i++) {
        part[length++] = (POINT){points[i].x, points[i].y};
        if (i + 1 < count && !points[i + 1].begins)
            continue;
        if (length == 1)
            part[length++] = part[0];
        Polyline(dc, part, length);
        length = 0;
    }
    SelectObject(dc, before);
    DeleteObject(pen);
}

/* Put a name at the top of a pane. Returns where the next one goes; 0: there is no more room. */
static int32_t draw_pane_name(const prfdata_app *app, HDC dc, int32_t x, int32_t y, int32_t right,
                              const wchar_t *text, COLORREF colour)
{
    SIZE size;

    GetTextExtentPoint32W(dc, text, (int)wcslen(text), &size);
    if (x + size.cx > right) {
        SetTextColor(dc, app->theme.faint);
        put_plot_text(dc, x, y, L"\u2026", TA_LEFT);
        return 0;
    }
    SetTextColor(dc, colour);
    put_plot_text(dc, x, y, text, TA_LEFT);
    return x + size.cx + app->theme.text_height;
}

/*
 * The names of what a pane shows stand at its top, in the lines' colours: no need to look
 * elsewhere. What they have in common is said once, as are percentiles that are bands.
 */
static void draw_pane_names(const prfdata_app *app, HDC dc, const prfdata_chart_layout *layout,
                            uint32_t pane)
{
    const int32_t y = layout->panes[pane].top - app->theme.text_height * 4 / 3;
    prfdata_text object;
    prfdata_text counter;
    wchar_t text[200];
    wchar_t name[200];
    int32_t x = layout->left;
    const bool is_common =
        prfdata_chart_layout_common(&app->chart, layout, pane, &object, &counter);

    if (is_common) {
        swprintf(text, 200, L"%ls \u2013 %ls", prfdata_strings_text(object, name, 90),
                 prfdata_strings_text(counter, name + 100, 90));
        x = draw_pane_name(app, dc, x, y, layout->right, text, app->theme.text);
    }
    for (uint32_t i = 0; x != 0 && i < app->chart.series_count; i++) {
        const prfdata_series *series = app->chart.series[i];

        if (prfdata_chart_layout_pane(layout, series) != pane ||
            prfdata_bands_lower(&app->chart, i) != PRFDATA_CHART_SERIES)
            continue;
        prfdata_strings_text(is_common ? series->key.label : series->path, text, 200);
        prfdata_bands_draw_name(app, i, text, 200);
        x = draw_pane_name(
            app, dc, x, y, layout->right, text,
            app->theme.lines[prfdata_bands_draw_colour(app, i) % PRFDATA_THEME_LINES]);
    }
}

/* A line at a time, from the top of all panes to the bottom. */
static void draw_moment(HDC dc, const prfdata_chart_layout *layout, int64_t time_ms,
                        COLORREF colour, int style)
{
    const int32_t x = prfdata_chart_layout_x(layout, time_ms);
    HPEN pen;
    HGDIOBJ before;

    if (x < layout->left || x > layout->right)
        return;
    pen = CreatePen(style, 1, colour);
    before = SelectObject(dc, pen);
    draw_plot_line(dc, x, layout->panes[0].top, x, layout->panes[layout->pane_count - 1].bottom);
    SelectObject(dc, before);
    DeleteObject(pen);
}

static void draw_moments(const prfdata_app *app, HDC dc, const prfdata_chart_layout *layout,
                         int32_t bottom)
{
    wchar_t text[40];
    int64_t at;

    if (app->looks_back)
        draw_moment(dc, layout, app->shown_ms, app->theme.text, PS_SOLID);
    if (app->hover >= app->chart.count)
        return;
    at = app->chart.times_ms[app->hover];
    draw_moment(dc, layout, at, app->theme.faint, PS_DOT);
    SetTextColor(dc, app->theme.text);
    SetBkMode(dc, OPAQUE);
    SetBkColor(dc, app->theme.back);
    put_plot_text(dc, prfdata_chart_layout_x(layout, at), bottom - app->theme.text_height * 5 / 4,
                  local_time_text(at, text, true), TA_CENTER);
    SetBkMode(dc, TRANSPARENT);
}

static void draw_empty(const prfdata_app *app, HDC dc, const RECT *area, uint32_t id)
{
    RECT text = *area;

    InflateRect(&text, -app->theme.text_height * 2, -app->theme.text_height * 2);
    SetTextColor(dc, app->theme.faint);
    SetTextAlign(dc, TA_LEFT);
    DrawTextW(dc, prfdata_strings_get(id), -1, &text, DT_CENTER | DT_WORDBREAK);
}

static void draw_chart(const prfdata_app *app, HDC dc, const RECT *area)
{
    const prfdata_chart_size size = plot_size(app, dc, area);
    prfdata_chart_layout layout;
    HPEN grid;
    HGDIOBJ before;

    if (app->chart.series_count == 0) {
        draw_empty(app, dc, area, IDS_CHART_EMPTY);
        return;
    }
    grid = CreatePen(PS_SOLID, 1, app->theme.grid);
    before = SelectObject(dc, grid);
    prfdata_chart_layout_make(&app->chart, &size, &layout);
    prfdata_bands_draw_all(app, dc, &layout);
    draw_time_lines(app, dc, &layout, area->bottom);
    for (uint32_t i = 0; i < layout.pane_count; i++)
        draw_value_lines(app, dc, &layout, &layout.panes[i]);
    SelectObject(dc, before);
    DeleteObject(grid);
    for (uint32_t i = 0; i < layout.pane_count; i++)
        draw_pane_names(app, dc, &layout, i);
    IntersectClipRect(dc, layout.left, area->top, layout.right + 1, area->bottom);
    for (uint32_t i = 0; i < app->chart.series_count; i++)
        draw_series(app, dc, &layout, i);
    SelectClipRgn(dc, NULL);
    draw_moments(app, dc, &layout, area->bottom);
}

/* ---- The histogram ---- */

static int32_t bar_width(const prfdata_histogram *histogram, const RECT *bars)
{
    return (bars->right - bars->left) /
           (int32_t)(histogram->bin_count > 0 ? histogram->bin_count : 1);
}

static void draw_bar(const prfdata_app *app, HDC dc, const prfdata_histogram *histogram,
                     uint32_t bin, const RECT *bars)
{
    const int32_t width = bar_width(histogram, bars);
    const int32_t height = bars->bottom - bars->top - app->theme.text_height;
    RECT bar = *bars;
    wchar_t text[20];

    bar.left = bars->left + (int32_t)bin * width + 1;
    bar.right = bar.left + width - 1;
    bar.top = bars->bottom - MulDiv((int)histogram->bins[bin], height, (int)histogram->most);
    if (histogram->bins[bin] == 0)
        return;
    fill_plot(dc, &bar, GetDCPenColor(dc));
    swprintf(text, 20, L"%lu", (unsigned long)histogram->bins[bin]);
    SetBkMode(dc, TRANSPARENT);
    SetTextColor(dc, app->theme.faint);
    put_plot_text(dc, (bar.left + bar.right) / 2, bar.top - app->theme.text_height, text,
                  TA_CENTER);
}

static void draw_bin_borders(const prfdata_app *app, HDC dc, const prfdata_histogram *histogram,
                             prfdata_unit unit, const RECT *bars)
{
    const int32_t width = bar_width(histogram, bars);
    const int32_t every = app->theme.text_height * 6 / (width > 0 ? width : 1) + 1;

    SetTextColor(dc, app->theme.faint);
    for (uint32_t i = 0; i <= histogram->bin_count; i += (uint32_t)every) {
        uint16_t chars[PRFDATA_NUMBER_CHARS];
        wchar_t text[PRFDATA_NUMBER_CHARS + 1];
        const size_t count = prfdata_number_tick(histogram->low + i * histogram->step,
                                                 histogram->step, unit, app->style, chars);

        put_plot_text(
            dc, bars->left + (int32_t)i * width, bars->bottom + app->theme.text_height / 4,
            prfdata_strings_text((prfdata_text){chars, count}, text, PRFDATA_NUMBER_CHARS + 1),
            TA_CENTER);
    }
}

static void draw_histogram(const prfdata_app *app, HDC dc, const RECT *area)
{
    uint32_t at = prfdata_legend_pane_selected(app);
    prfdata_histogram histogram;
    RECT bars = *area;
    wchar_t path[300];
    wchar_t count[20];

    if (at == PRFDATA_CHART_SERIES)
        at = 0;
    if (app->chart.series_count == 0) {
        draw_empty(app, dc, area, IDS_HISTOGRAM_EMPTY);
        return;
    }
    prfdata_histogram_make(&app->chart, at, &histogram);
    swprintf(count, 20, L"%lu", (unsigned long)histogram.count);
    SetTextColor(dc, app->theme.text);
    put_plot_text(dc, app->theme.text_height * 2, app->theme.text_height / 2,
                  prfdata_strings_format(
                      IDS_HISTOGRAM_TITLE,
                      prfdata_strings_text(app->chart.series[at]->path, path, 300), count, NULL),
                  TA_LEFT);
    if (histogram.count == 0 || histogram.bin_count == 0 || histogram.most == 0)
        return;
    InflateRect(&bars, -app->theme.text_height * 3, -app->theme.text_height * 2);
    SetDCPenColor(dc, app->theme.lines[prfdata_bands_draw_colour(app, at) % PRFDATA_THEME_LINES]);
    for (uint32_t i = 0; i < histogram.bin_count; i++)
        draw_bar(app, dc, &histogram, i, &bars);
    draw_bin_borders(app, dc, &histogram, app->chart.series[at]->unit, &bars);
}

/* ---- The window ---- */

void prfdata_chart_pane_draw(prfdata_app *app, HDC dc, const RECT *area)
{
    HGDIOBJ before = SelectObject(dc, app->theme.font);

    fill_plot(dc, area, app->theme.back);
    SetBkMode(dc, TRANSPARENT);
    if (app->page == PRFDATA_APP_HISTOGRAM)
        draw_histogram(app, dc, area);
    else
        draw_chart(app, dc, area);
    SelectObject(dc, before);
}

static void paint_plot(prfdata_app *app, HWND window)
{
    PAINTSTRUCT paint;
    HDC dc = BeginPaint(window, &paint);
    HDC memory = CreateCompatibleDC(dc);
    RECT area;
    HBITMAP bitmap;
    HGDIOBJ before;

    GetClientRect(window, &area);
    bitmap = CreateCompatibleBitmap(dc, area.right > 0 ? area.right : 1,
                                    area.bottom > 0 ? area.bottom : 1);
    before = SelectObject(memory, bitmap);
    prfdata_chart_pane_draw(app, memory, &area);
    if (GetFocus() == window) {
        SetTextColor(memory, app->theme.text);
        SetBkColor(memory, app->theme.back);
        DrawFocusRect(memory, &area);
    }
    BitBlt(dc, 0, 0, area.right, area.bottom, memory, 0, 0, SRCCOPY);
    SelectObject(memory, before);
    DeleteObject(bitmap);
    DeleteDC(memory);
    EndPaint(window, &paint);
}

static bool get_plot_layout(const prfdata_app *app, prfdata_chart_layout *layout)
{
    HWND window = app->parts[PRFDATA_APP_PLOT];
    HDC dc = GetDC(window);
    HGDIOBJ before = SelectObject(dc, app->theme.font);
    prfdata_chart_size size;
    RECT area;

    GetClientRect(window, &area);
    size = plot_size(app, dc, &area);
    SelectObject(dc, before);
    ReleaseDC(window, dc);
    prfdata_chart_layout_make(&app->chart, &size, layout);
    return app->chart.count > 0 && app->page == PRFDATA_APP_CHART;
}

static void set_hover(prfdata_app *app, uint32_t hover)
{
    if (app->hover == hover)
        return;
    app->hover = hover;
    InvalidateRect(app->parts[PRFDATA_APP_PLOT], NULL, FALSE);
    prfdata_legend_pane_update(app);
}

static void move_pointer(prfdata_app *app, HWND window, int32_t x)
{
    TRACKMOUSEEVENT track = {sizeof track, TME_LEAVE, window, 0};
    prfdata_chart_layout layout;

    TrackMouseEvent(&track);
    if (get_plot_layout(app, &layout))
        set_hover(app, prfdata_chart_nearest(&app->chart, prfdata_chart_layout_time(&layout, x)));
}

/* A click goes to a time: the table shows what it was then. */
static void click_plot(prfdata_app *app, HWND window, int32_t x)
{
    prfdata_chart_layout layout;

    SetFocus(window);
    if (!get_plot_layout(app, &layout))
        return;
    set_hover(app, prfdata_chart_nearest(&app->chart, prfdata_chart_layout_time(&layout, x)));
    if (app->hover < app->chart.count)
        prfdata_samples_look_at(app, app->chart.times_ms[app->hover]);
}

static void turn_wheel(prfdata_app *app, WPARAM keys, LPARAM position)
{
    const bool is_in = GET_WHEEL_DELTA_WPARAM(keys) > 0;
    prfdata_chart_layout layout;
    POINT at = {GET_X_LPARAM(position), GET_Y_LPARAM(position)};

    ScreenToClient(app->parts[PRFDATA_APP_PLOT], &at);
    if (!get_plot_layout(app, &layout))
        return;
    if (GET_KEYSTATE_WPARAM(keys) & MK_SHIFT)
        prfdata_chart_scroll(&app->chart, (is_in ? -1 : 1) * app->chart.span_ms / 8);
    else
        prfdata_chart_zoom(&app->chart, is_in ? 0.8 : 1.25,
                           prfdata_chart_layout_time(&layout, at.x));
    prfdata_chart_pane_update(app);
}

/* From sample to sample with the arrow keys. */
static void step_sample(prfdata_app *app, int32_t by)
{
    uint32_t at = app->hover;

    if (app->chart.count == 0)
        return;
    if (at >= app->chart.count)
        at = prfdata_chart_nearest(
            &app->chart, app->looks_back ? app->shown_ms : prfdata_chart_end_ms(&app->chart));
    if (at >= app->chart.count || (by < 0 && at == 0))
        return;
    at = (uint32_t)((int32_t)at + by);
    if (at >= app->chart.count)
        return;
    set_hover(app, at);
    prfdata_samples_look_at(app, app->chart.times_ms[at]);
}

static bool press_plot_key(prfdata_app *app, WPARAM key)
{
    switch (key) {
    case VK_LEFT:
        step_sample(app, -1);
        return true;
    case VK_RIGHT:
        step_sample(app, 1);
        return true;
    case VK_PRIOR:
        prfdata_commands_run(app, IDC_BACK);
        return true;
    case VK_NEXT:
        prfdata_commands_run(app, IDC_FORWARD);
        return true;
    case VK_END:
        prfdata_commands_run(app, IDC_NEWEST);
        return true;
    case VK_ADD:
    case VK_OEM_PLUS:
        prfdata_commands_run(app, IDC_ZOOM_IN);
        return true;
    case VK_SUBTRACT:
    case VK_OEM_MINUS:
        prfdata_commands_run(app, IDC_ZOOM_OUT);
        return true;
    default:
        return false;
    }
}

static LRESULT CALLBACK plot_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    prfdata_app *app = (prfdata_app *)GetWindowLongPtrW(window, GWLP_USERDATA);

    if (!app)
        return DefWindowProcW(window, message, wparam, lparam);
    switch (message) {
    case WM_PAINT:
        paint_plot(app, window);
        return 0;
    case WM_ERASEBKGND:
        return 1;
    case WM_MOUSEMOVE:
        move_pointer(app, window, GET_X_LPARAM(lparam));
        return 0;
    case WM_MOUSELEAVE:
        set_hover(app, UINT32_MAX);
        return 0;
    case WM_LBUTTONDOWN:
        click_plot(app, window, GET_X_LPARAM(lparam));
        return 0;
    case WM_MOUSEWHEEL:
        turn_wheel(app, wparam, lparam);
        return 0;
    case WM_GETDLGCODE:
        return DLGC_WANTARROWS;
    case WM_KEYDOWN:
        return press_plot_key(app, wparam) ? 0 : DefWindowProcW(window, message, wparam, lparam);
    case WM_SETFOCUS:
    case WM_KILLFOCUS:
        InvalidateRect(window, NULL, FALSE);
        return 0;
    default:
        return DefWindowProcW(window, message, wparam, lparam);
    }
}

bool prfdata_chart_pane_register(const prfdata_app *app)
{
    const WNDCLASSEXW plot = {.cbSize = sizeof plot,
                              .style = CS_HREDRAW | CS_VREDRAW,
                              .lpfnWndProc = plot_procedure,
                              .hInstance = app->instance,
                              .hCursor = LoadCursorW(NULL, (LPCWSTR)IDC_CROSS),
                              .lpszClassName = PLOT_CLASS};

    return RegisterClassExW(&plot) != 0;
}

void prfdata_chart_pane_create(prfdata_app *app)
{
    HWND window =
        CreateWindowExW(0, PLOT_CLASS, prfdata_strings_get(IDS_CHART_LABEL),
                        WS_CHILD | WS_VISIBLE | WS_TABSTOP | WS_BORDER, 0, 0, 0, 0, app->window,
                        (HMENU)(uintptr_t)(PRFDATA_APP_PLOT + IDC_FIRST_PART), app->instance, NULL);

    app->parts[PRFDATA_APP_PLOT] = window;
    app->hover = UINT32_MAX;
    if (window)
        SetWindowLongPtrW(window, GWLP_USERDATA, (LONG_PTR)app);
}

void prfdata_chart_pane_update(prfdata_app *app)
{
    if (app->page == PRFDATA_APP_DETAILS)
        return;
    InvalidateRect(app->parts[PRFDATA_APP_PLOT], NULL, FALSE);
    prfdata_legend_pane_update(app);
}
