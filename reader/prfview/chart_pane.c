/* SPDX-License-Identifier: MIT */
/*
 * The window of the chart and the histogram: shows a bitmap that was drawn as a whole, so that
 * nothing flickers, and knows what pointer, wheel and keys do in it.
 */
#include "prfview/app.h"
#include "prfview/back_buffer.h"

#include <windowsx.h>

#define PLOT_CLASS L"PrfViewPlot"

void prfdata_chart_pane_draw(prfdata_app *app, HDC dc, const RECT *area)
{
    HGDIOBJ before = SelectObject(dc, app->theme.font);

    prfdata_chart_draw_ground(dc, area, app->theme.back);
    SetBkMode(dc, TRANSPARENT);
    if (app->page == PRFDATA_APP_HISTOGRAM)
        prfdata_histogram_draw_all(app, dc, area);
    else
        prfdata_chart_draw_all(app, dc, area);
    SelectObject(dc, before);
}

static void paint_plot(prfdata_app *app, HWND window)
{
    prfdata_back_buffer buffer;

    prfdata_back_buffer_begin(&buffer, window);
    prfdata_chart_pane_draw(app, buffer.dc, &buffer.area);
    if (GetFocus() == window) {
        SetTextColor(buffer.dc, app->theme.text);
        SetBkColor(buffer.dc, app->theme.back);
        DrawFocusRect(buffer.dc, &buffer.area);
    }
    prfdata_back_buffer_end(&buffer, window);
}

static prfdata_chart_size measure_plot(const prfdata_app *app, HDC dc, const RECT *area)
{
    HGDIOBJ before = SelectObject(dc, app->theme.font);
    const prfdata_chart_size size = prfdata_chart_draw_size(app, dc, area);

    SelectObject(dc, before);
    return size;
}

int32_t prfdata_chart_pane_height(const prfdata_app *app, HDC dc, const RECT *area)
{
    const prfdata_chart_size size = measure_plot(app, dc, area);
    prfdata_chart_layout layout;

    if (app->page != PRFDATA_APP_CHART)
        return size.height;
    prfdata_chart_layout_make(&app->viewer.chart, &size, &layout);
    return prfdata_chart_layout_height(&layout, &size);
}

static bool get_plot_layout(const prfdata_app *app, prfdata_chart_layout *layout)
{
    HWND window = app->parts[PRFDATA_APP_PLOT];
    HDC dc = GetDC(window);
    prfdata_chart_size size;
    RECT area;

    GetClientRect(window, &area);
    size = measure_plot(app, dc, &area);
    ReleaseDC(window, dc);
    prfdata_chart_layout_make(&app->viewer.chart, &size, layout);
    return app->viewer.chart.count > 0 && app->page == PRFDATA_APP_CHART;
}

/* ---- The scroll bar, for panes that have no room ---- */

static void set_chart_scroll(prfdata_app *app, int32_t scroll)
{
    app->chart_scroll = scroll;
    prfdata_chart_pane_update(app);
}

/* The bar is there if there is something to scroll, and then the chart is narrower, not lower. */
static void update_scroll_bar(prfdata_app *app)
{
    HWND window = app->parts[PRFDATA_APP_PLOT];
    SCROLLINFO bar = {.cbSize = sizeof bar, .fMask = SIF_PAGE | SIF_POS | SIF_RANGE};
    prfdata_chart_layout layout;

    if (get_plot_layout(app, &layout)) {
        app->chart_scroll = layout.scroll;
        bar.nMax = (int32_t)layout.pane_count * layout.pane_height - 1;
        bar.nPage = (UINT)layout.room;
        bar.nPos = layout.scroll;
    }
    SetScrollInfo(window, SB_VERT, &bar, TRUE);
}

static void scroll_panes(prfdata_app *app, WPARAM code)
{
    SCROLLINFO bar = {.cbSize = sizeof bar, .fMask = SIF_ALL};
    prfdata_chart_layout layout;

    if (!get_plot_layout(app, &layout) ||
        !GetScrollInfo(app->parts[PRFDATA_APP_PLOT], SB_VERT, &bar))
        return;
    switch (LOWORD(code)) {
    case SB_LINEUP:
    case SB_LINEDOWN:
        set_chart_scroll(app, layout.scroll +
                                  (LOWORD(code) == SB_LINEUP ? -1 : 1) * layout.pane_height / 2);
        break;
    case SB_PAGEUP:
    case SB_PAGEDOWN:
        set_chart_scroll(app, layout.scroll + (LOWORD(code) == SB_PAGEUP ? -1 : 1) * layout.room);
        break;
    case SB_THUMBTRACK:
    case SB_THUMBPOSITION:
        set_chart_scroll(app, bar.nTrackPos);
        break;
    default:
        break;
    }
}

static void set_hover(prfdata_app *app, uint32_t hover)
{
    if (app->hover == hover)
        return;
    app->hover = hover;
    InvalidateRect(app->parts[PRFDATA_APP_PLOT], NULL, FALSE);
    prfdata_legend_pane_update(&app->legend, app->hover, app->interval_ms);
}

static void move_pointer(prfdata_app *app, HWND window, int32_t x)
{
    TRACKMOUSEEVENT track = {sizeof track, TME_LEAVE, window, 0};
    prfdata_chart_layout layout;

    TrackMouseEvent(&track);
    if (get_plot_layout(app, &layout))
        set_hover(app,
                  prfdata_chart_nearest(&app->viewer.chart, prfdata_chart_layout_time(&layout, x)));
}

/* A click chooses a time: the table shows the values of then. */
static void click_plot(prfdata_app *app, HWND window, int32_t x)
{
    prfdata_chart_layout layout;

    SetFocus(window);
    if (!get_plot_layout(app, &layout))
        return;
    set_hover(app,
              prfdata_chart_nearest(&app->viewer.chart, prfdata_chart_layout_time(&layout, x)));
    if (app->hover < app->viewer.chart.count)
        prfdata_viewer_look_at(&app->viewer, app->viewer.chart.times_ms[app->hover]);
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
        prfdata_chart_scroll(&app->viewer.chart, (is_in ? -1 : 1) * app->viewer.chart.span_ms / 8);
    else
        prfdata_chart_zoom(&app->viewer.chart, is_in ? 0.8 : 1.25,
                           prfdata_chart_layout_time(&layout, at.x));
    prfdata_chart_pane_update(app);
}

/* From sample to sample with the arrow keys. */
static void step_sample(prfdata_app *app, int32_t by)
{
    uint32_t at = app->hover;

    if (app->viewer.chart.count == 0)
        return;
    if (at >= app->viewer.chart.count)
        at = prfdata_chart_nearest(
            &app->viewer.chart, app->viewer.looks_back ? app->viewer.shown_ms
                                                       : prfdata_chart_end_ms(&app->viewer.chart));
    if (at >= app->viewer.chart.count || (by < 0 && at == 0))
        return;
    at = (uint32_t)((int32_t)at + by);
    if (at >= app->viewer.chart.count)
        return;
    set_hover(app, at);
    prfdata_viewer_look_at(&app->viewer, app->viewer.chart.times_ms[at]);
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
    case VK_UP:
        scroll_panes(app, SB_LINEUP);
        return true;
    case VK_DOWN:
        scroll_panes(app, SB_LINEDOWN);
        return true;
    case VK_PRIOR:
        SendMessageW(app->window, WM_COMMAND, IDC_BACK, 0);
        return true;
    case VK_NEXT:
        SendMessageW(app->window, WM_COMMAND, IDC_FORWARD, 0);
        return true;
    case VK_END:
        SendMessageW(app->window, WM_COMMAND, IDC_NEWEST, 0);
        return true;
    case VK_ADD:
    case VK_OEM_PLUS:
        SendMessageW(app->window, WM_COMMAND, IDC_ZOOM_IN, 0);
        return true;
    case VK_SUBTRACT:
    case VK_OEM_MINUS:
        SendMessageW(app->window, WM_COMMAND, IDC_ZOOM_OUT, 0);
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
    case WM_VSCROLL:
        scroll_panes(app, wparam);
        return 0;
    case WM_SIZE:
        update_scroll_bar(app);
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
    HWND window = CreateWindowExW(
        0, PLOT_CLASS, prfdata_strings_get(IDS_CHART_LABEL),
        WS_CHILD | WS_VISIBLE | WS_TABSTOP | WS_BORDER | WS_VSCROLL, 0, 0, 0, 0, app->window,
        (HMENU)(uintptr_t)(PRFDATA_APP_PLOT + IDC_FIRST_PART), app->instance, NULL);

    app->parts[PRFDATA_APP_PLOT] = window;
    app->hover = UINT32_MAX;
    if (window)
        SetWindowLongPtrW(window, GWLP_USERDATA, (LONG_PTR)app);
}

void prfdata_chart_pane_update(prfdata_app *app)
{
    prfdata_legend_pane_update(&app->legend, app->hover,
                               app->interval_ms); /* commands apply to its rows on every page */
    if (app->page == PRFDATA_APP_DETAILS)
        return;
    update_scroll_bar(app);
    InvalidateRect(app->parts[PRFDATA_APP_PLOT], NULL, FALSE);
}
