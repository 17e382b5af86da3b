/* SPDX-License-Identifier: MIT */
/* Shows the chart or the histogram in a window, and handles pointer, wheel and keys. */
#include "panes/chart_pane.h"

#include <windowsx.h>

#include "panes/back_buffer.h"
#include "panes/strings.h"

#define PLOT_CLASS L"PrfViewPlot"

void prfdata_chart_pane_draw(const prfdata_plot *plot, HDC dc, const RECT *area)
{
    HGDIOBJ before = SelectObject(dc, plot->theme->font);

    prfdata_theme_fill(dc, area, plot->theme->back);
    SetBkMode(dc, TRANSPARENT);
    if (plot->shows_histogram)
        prfdata_histogram_draw_all(plot, dc, area);
    else
        prfdata_chart_draw_all(plot, dc, area);
    SelectObject(dc, before);
}

static void paint_plot(prfdata_plot *plot, HWND window)
{
    prfdata_back_buffer buffer;
    prfdata_overview overview;
    RECT chart;

    prfdata_back_buffer_begin(&buffer, window);
    prfdata_chart_draw_divide(plot, &buffer.area, &chart, &overview);
    prfdata_theme_fill(buffer.dc, &buffer.area, plot->theme->back);
    prfdata_chart_pane_draw(plot, buffer.dc, &chart);
    prfdata_chart_draw_overview(plot, buffer.dc, &overview);
    if (GetFocus() == window) {
        SetTextColor(buffer.dc, plot->theme->text);
        SetBkColor(buffer.dc, plot->theme->back);
        DrawFocusRect(buffer.dc, &buffer.area);
    }
    prfdata_back_buffer_end(&buffer, window);
}

static prfdata_chart_size measure_plot(const prfdata_plot *plot, HDC dc, const RECT *area)
{
    HGDIOBJ before = SelectObject(dc, plot->theme->font);
    const prfdata_chart_size size = prfdata_chart_draw_size(plot, dc, area);

    SelectObject(dc, before);
    return size;
}

int32_t prfdata_chart_pane_height(const prfdata_plot *plot, HDC dc, const RECT *area)
{
    const prfdata_chart_size size = measure_plot(plot, dc, area);
    prfdata_chart_layout layout;

    if (plot->shows_histogram)
        return size.height;
    prfdata_chart_layout_make(&plot->viewer->chart, &size, &layout);
    return prfdata_chart_layout_height(&layout, &size);
}

static bool get_plot_layout(const prfdata_plot *plot, prfdata_chart_layout *layout)
{
    HWND window = plot->window;
    HDC dc = GetDC(window);
    prfdata_chart_size size;
    prfdata_overview overview;
    RECT area;
    RECT chart;

    GetClientRect(window, &area);
    prfdata_chart_draw_divide(plot, &area, &chart, &overview);
    size = measure_plot(plot, dc, &chart);
    ReleaseDC(window, dc);
    prfdata_chart_layout_make(&plot->viewer->chart, &size, layout);
    return plot->viewer->chart.count > 0 && !plot->shows_histogram;
}

static void set_chart_scroll(prfdata_plot *plot, int32_t scroll)
{
    plot->scroll = scroll;
    prfdata_chart_pane_update(plot);
}

/* Show the bar only if there is something to scroll. */
static void update_scroll_bar(prfdata_plot *plot)
{
    HWND window = plot->window;
    SCROLLINFO bar = {.cbSize = sizeof bar, .fMask = SIF_PAGE | SIF_POS | SIF_RANGE};
    prfdata_chart_layout layout;

    if (get_plot_layout(plot, &layout)) {
        plot->scroll = layout.scroll;
        bar.nMax = (int32_t)layout.pane_count * layout.pane_height - 1;
        bar.nPage = (UINT)layout.room;
        bar.nPos = layout.scroll;
    }
    SetScrollInfo(window, SB_VERT, &bar, TRUE);
}

static void scroll_panes(prfdata_plot *plot, WPARAM code)
{
    SCROLLINFO bar = {.cbSize = sizeof bar, .fMask = SIF_ALL};
    prfdata_chart_layout layout;

    if (!get_plot_layout(plot, &layout) || !GetScrollInfo(plot->window, SB_VERT, &bar))
        return;
    switch (LOWORD(code)) {
    case SB_LINEUP:
    case SB_LINEDOWN:
        set_chart_scroll(plot, layout.scroll +
                                   (LOWORD(code) == SB_LINEUP ? -1 : 1) * layout.pane_height / 2);
        break;
    case SB_PAGEUP:
    case SB_PAGEDOWN:
        set_chart_scroll(plot, layout.scroll + (LOWORD(code) == SB_PAGEUP ? -1 : 1) * layout.room);
        break;
    case SB_THUMBTRACK:
    case SB_THUMBPOSITION:
        set_chart_scroll(plot, bar.nTrackPos);
        break;
    default:
        break;
    }
}

static void set_hover(prfdata_plot *plot, uint32_t hover)
{
    if (plot->hover == hover)
        return;
    plot->hover = hover;
    if (hover < plot->viewer->chart.count)
        plot->hover_ms = plot->viewer->chart.times_ms[hover];
    InvalidateRect(plot->window, NULL, FALSE);
    SendMessageW(GetParent(plot->window), WM_COMMAND,
                 MAKEWPARAM(GetDlgCtrlID(plot->window), PRFDATA_CHART_PANE_HOVERS),
                 (LPARAM)plot->window);
}

static void move_pointer(prfdata_plot *plot, HWND window, int32_t x)
{
    TRACKMOUSEEVENT track = {sizeof track, TME_LEAVE, window, 0};
    prfdata_chart_layout layout;

    TrackMouseEvent(&track);
    if (get_plot_layout(plot, &layout))
        set_hover(plot, prfdata_chart_nearest(&plot->viewer->chart,
                                              prfdata_chart_layout_time(&layout, x)));
}

static bool get_overview(const prfdata_plot *plot, prfdata_overview *overview)
{
    RECT area;
    RECT chart;

    GetClientRect(plot->window, &area);
    prfdata_chart_draw_divide(plot, &area, &chart, overview);
    return overview->right > overview->left;
}

static void drag_overview(prfdata_plot *plot, const prfdata_overview *overview, int32_t x)
{
    prfdata_overview_drag(&plot->viewer->chart, overview, plot->dragged, x, plot->grabbed_ms);
    prfdata_viewer_report(plot->viewer, PRFDATA_VIEWER_CHART);
}

/*
 * Take hold of the visible part, or of one of its ends. A click outside the visible part first
 * moves the visible part there. Returns false if the place is not in the overview.
 */
static bool hold_overview(prfdata_plot *plot, HWND window, int32_t x, int32_t y)
{
    prfdata_chart *chart = &plot->viewer->chart;
    prfdata_overview overview;

    if (!get_overview(plot, &overview) || y < overview.top)
        return false;
    SetFocus(window);
    plot->dragged = prfdata_overview_at(chart, &overview, x, prfdata_theme_pixels(plot->theme, 4));
    if (plot->dragged == PRFDATA_OVERVIEW_OUTSIDE) {
        drag_overview(plot, &overview, x);
        plot->dragged = PRFDATA_OVERVIEW_WINDOW;
    }
    plot->grabbed_ms = prfdata_overview_time(&overview, x) - prfdata_chart_begin_ms(chart);
    plot->is_dragging = true;
    SetCapture(window);
    return true;
}

static void click_plot(prfdata_plot *plot, HWND window, int32_t x)
{
    prfdata_chart_layout layout;

    SetFocus(window);
    if (!get_plot_layout(plot, &layout))
        return;
    set_hover(plot,
              prfdata_chart_nearest(&plot->viewer->chart, prfdata_chart_layout_time(&layout, x)));
    if (plot->hover < plot->viewer->chart.count)
        prfdata_viewer_look_at(plot->viewer, plot->viewer->chart.times_ms[plot->hover]);
}

static void turn_wheel(prfdata_plot *plot, WPARAM keys, LPARAM position)
{
    const bool is_in = GET_WHEEL_DELTA_WPARAM(keys) > 0;
    prfdata_chart_layout layout;
    POINT at = {GET_X_LPARAM(position), GET_Y_LPARAM(position)};

    ScreenToClient(plot->window, &at);
    if (!get_plot_layout(plot, &layout))
        return;
    if (GET_KEYSTATE_WPARAM(keys) & MK_SHIFT)
        prfdata_viewer_turn(plot->viewer, is_in ? -0.125 : 0.125);
    else
        prfdata_viewer_zoom_at(plot->viewer, is_in ? 0.8 : 1.25,
                               prfdata_chart_layout_time(&layout, at.x));
}

static void step_sample(prfdata_plot *plot, int32_t by)
{
    uint32_t at = plot->hover;

    if (plot->viewer->chart.count == 0)
        return;
    if (at >= plot->viewer->chart.count)
        at = prfdata_chart_nearest(&plot->viewer->chart,
                                   plot->viewer->looks_back
                                       ? plot->viewer->shown_ms
                                       : prfdata_chart_end_ms(&plot->viewer->chart));
    if (at >= plot->viewer->chart.count || (by < 0 && at == 0))
        return;
    at = (uint32_t)((int32_t)at + by);
    if (at >= plot->viewer->chart.count)
        return;
    set_hover(plot, at);
    prfdata_viewer_look_at(plot->viewer, plot->viewer->chart.times_ms[at]);
}

static bool press_plot_key(prfdata_plot *plot, WPARAM key)
{
    switch (key) {
    case VK_LEFT:
        step_sample(plot, -1);
        return true;
    case VK_RIGHT:
        step_sample(plot, 1);
        return true;
    case VK_UP:
        scroll_panes(plot, SB_LINEUP);
        return true;
    case VK_DOWN:
        scroll_panes(plot, SB_LINEDOWN);
        return true;
    case VK_PRIOR:
        SendMessageW(GetParent(plot->window), WM_COMMAND, IDC_BACK, 0);
        return true;
    case VK_NEXT:
        SendMessageW(GetParent(plot->window), WM_COMMAND, IDC_FORWARD, 0);
        return true;
    case VK_END:
        SendMessageW(GetParent(plot->window), WM_COMMAND, IDC_NEWEST, 0);
        return true;
    case VK_ADD:
    case VK_OEM_PLUS:
        SendMessageW(GetParent(plot->window), WM_COMMAND, IDC_ZOOM_IN, 0);
        return true;
    case VK_SUBTRACT:
    case VK_OEM_MINUS:
        SendMessageW(GetParent(plot->window), WM_COMMAND, IDC_ZOOM_OUT, 0);
        return true;
    default:
        return false;
    }
}

static LRESULT CALLBACK plot_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    prfdata_plot *plot = (prfdata_plot *)GetWindowLongPtrW(window, GWLP_USERDATA);
    prfdata_overview overview;

    if (!plot)
        return DefWindowProcW(window, message, wparam, lparam);
    switch (message) {
    case WM_PAINT:
        paint_plot(plot, window);
        return 0;
    case WM_ERASEBKGND:
        return 1;
    case WM_MOUSEMOVE:
        if (plot->is_dragging && get_overview(plot, &overview))
            drag_overview(plot, &overview, GET_X_LPARAM(lparam));
        else if (!get_overview(plot, &overview) || GET_Y_LPARAM(lparam) < overview.top)
            move_pointer(plot, window, GET_X_LPARAM(lparam));
        else
            set_hover(plot, UINT32_MAX);
        return 0;
    case WM_LBUTTONUP:
        if (plot->is_dragging)
            ReleaseCapture();
        return 0;
    case WM_CAPTURECHANGED:
        if (plot->is_dragging)
            prfdata_viewer_note_span(plot->viewer);
        plot->is_dragging = false;
        return 0;
    case WM_MOUSELEAVE:
        set_hover(plot, UINT32_MAX);
        return 0;
    case WM_LBUTTONDOWN:
        if (!hold_overview(plot, window, GET_X_LPARAM(lparam), GET_Y_LPARAM(lparam)))
            click_plot(plot, window, GET_X_LPARAM(lparam));
        return 0;
    case WM_MOUSEWHEEL:
        turn_wheel(plot, wparam, lparam);
        return 0;
    case WM_VSCROLL:
        scroll_panes(plot, wparam);
        return 0;
    case WM_SIZE:
        update_scroll_bar(plot);
        return 0;
    case WM_GETDLGCODE:
        return DLGC_WANTARROWS;
    case WM_KEYDOWN:
        return press_plot_key(plot, wparam) ? 0 : DefWindowProcW(window, message, wparam, lparam);
    case WM_SETFOCUS:
    case WM_KILLFOCUS:
        InvalidateRect(window, NULL, FALSE);
        return 0;
    default:
        return DefWindowProcW(window, message, wparam, lparam);
    }
}

bool prfdata_chart_pane_register(HINSTANCE instance)
{
    const WNDCLASSEXW plot = {.cbSize = sizeof plot,
                              .style = CS_HREDRAW | CS_VREDRAW,
                              .lpfnWndProc = plot_procedure,
                              .hInstance = instance,
                              .hCursor = LoadCursorW(NULL, (LPCWSTR)IDC_CROSS),
                              .lpszClassName = PLOT_CLASS};

    return RegisterClassExW(&plot) != 0;
}

void prfdata_chart_pane_create(prfdata_plot *plot, HWND parent, uint32_t id)
{
    plot->window = CreateWindowExW(0, PLOT_CLASS, prfdata_strings_get(IDS_CHART_LABEL),
                                   WS_CHILD | WS_VISIBLE | WS_TABSTOP | WS_BORDER | WS_VSCROLL, 0,
                                   0, 0, 0, parent, (HMENU)(uintptr_t)id,
                                   (HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE), NULL);
    plot->hover = UINT32_MAX;
    if (plot->window)
        SetWindowLongPtrW(plot->window, GWLP_USERDATA, (LONG_PTR)plot);
}

void prfdata_chart_pane_follow(prfdata_plot *plot)
{
    if (plot->hover != UINT32_MAX)
        plot->hover = prfdata_chart_at(&plot->viewer->chart, plot->hover_ms);
}

void prfdata_chart_pane_update(prfdata_plot *plot)
{
    if (!(GetWindowLongPtrW(plot->window, GWL_STYLE) & WS_VISIBLE))
        return;
    update_scroll_bar(plot);
    InvalidateRect(plot->window, NULL, FALSE);
}
