/* SPDX-License-Identifier: MIT */
/*
 * Gets colours, fonts and DPI from Windows. The user's choice for apps in the registry decides
 * about dark mode, which needs one undocumented name (prfdata_theme_apply_to_control()). Functions
 * that Windows 7 lacks are loaded at run time.
 */
#include "panes/theme.h"

#include <string.h>

#include <commctrl.h>

#include "os/late_call.h"

#define DARK_FRAME 20 /* DWMWA_USE_IMMERSIVE_DARK_MODE, in Windows 11 and late versions of 10 */

static bool forces_dark;

void prfdata_theme_force(bool is_dark)
{
    forces_dark = is_dark;
}

/* ---- Settings of the system ---- */

static bool user_wants_dark(void)
{
    DWORD light = 1;
    DWORD size = sizeof light;

    if (forces_dark)
        return true;
    if (RegGetValueW(HKEY_CURRENT_USER,
                     L"Software\\Microsoft\\Windows\\CurrentVersion\\Themes\\Personalize",
                     L"AppsUseLightTheme", RRF_RT_REG_DWORD, NULL, &light, &size) != ERROR_SUCCESS)
        return false;
    return light == 0;
}

static bool user_wants_contrast(void)
{
    HIGHCONTRASTW contrast = {.cbSize = sizeof contrast};

    return SystemParametersInfoW(SPI_GETHIGHCONTRAST, sizeof contrast, &contrast, 0) &&
           (contrast.dwFlags & HCF_HIGHCONTRASTON) != 0;
}

typedef UINT(WINAPI *get_window_dpi)(HWND window);

static uint32_t window_dpi(HWND window)
{
    HMODULE user = GetModuleHandleW(L"user32.dll");
    const FARPROC found = user ? GetProcAddress(user, "GetDpiForWindow") : NULL;
    get_window_dpi function = NULL;
    uint32_t dpi = 0;
    HDC screen;

    memcpy(&function, &found, sizeof function);
    if (function)
        dpi = function(window);
    if (dpi != 0)
        return dpi;
    screen = GetDC(NULL);
    dpi = (uint32_t)GetDeviceCaps(screen, LOGPIXELSX);
    ReleaseDC(NULL, screen);
    return dpi != 0 ? dpi : 96;
}

/* ---- Colours ---- */

/*
 * Returns whether a colour is dark. Red, green and blue have weights, because the eye does not see
 * them equally bright.
 */
static bool is_dark_colour(COLORREF colour)
{
    return 299 * GetRValue(colour) + 587 * GetGValue(colour) + 114 * GetBValue(colour) < 128000;
}

static void set_system_colours(prfdata_theme *theme)
{
    theme->face = GetSysColor(COLOR_BTNFACE);
    theme->back = GetSysColor(COLOR_WINDOW);
    theme->text = GetSysColor(COLOR_WINDOWTEXT);
    if (theme->is_contrast) {
        theme->faint = theme->text;
        theme->grid = GetSysColor(COLOR_GRAYTEXT);
        theme->mark = theme->beyond = theme->back;
        theme->limit = theme->text;
    } else if (is_dark_colour(theme->back)) { /* the user has chosen dark colours for the system */
        theme->faint = RGB(155, 155, 155);
        theme->grid = RGB(52, 52, 52);
        theme->mark = RGB(66, 56, 24);
        theme->beyond = RGB(110, 30, 30);
        theme->limit = RGB(255, 110, 100);
    } else {
        theme->faint = RGB(110, 110, 110);
        theme->grid = RGB(228, 228, 228);
        theme->mark = RGB(255, 244, 206);
        theme->beyond = RGB(255, 205, 200);
        theme->limit = RGB(196, 43, 28);
    }
    theme->edge = theme->grid; /* not used, because the system paints the controls */
    theme->lit = theme->face;
    theme->disabled = theme->faint;
    theme->chosen = GetSysColor(COLOR_HIGHLIGHT);
}

static void set_dark_colours(prfdata_theme *theme)
{
    theme->face = RGB(32, 32, 32);
    theme->back = RGB(25, 25, 25);
    theme->text = RGB(235, 235, 235);
    theme->faint = RGB(155, 155, 155);
    theme->grid = RGB(52, 52, 52);
    theme->mark = RGB(66, 56, 24);
    theme->beyond = RGB(110, 30, 30);
    theme->limit = RGB(255, 110, 100);
    theme->edge = RGB(70, 70, 70);
    theme->lit = RGB(62, 62, 62);
    theme->disabled = RGB(120, 120, 120);
    theme->chosen = RGB(0, 84, 153);
}

/*
 * Set twelve hues. Most neighbours also differ in lightness, for people who are colour-blind. On a
 * dark background the hues are lighter.
 */
static void set_line_colours(prfdata_theme *theme)
{
    /* Also true if the theme is not dark but the colours of the system are. */
    const bool is_on_dark = is_dark_colour(theme->back);
    static const COLORREF light[PRFDATA_THEME_LINES] = {
        RGB(0, 95, 184),  RGB(202, 80, 16),   RGB(16, 124, 16),  RGB(194, 57, 179),
        RGB(0, 131, 143), RGB(136, 23, 152),  RGB(152, 111, 11), RGB(196, 43, 28),
        RGB(73, 130, 5),  RGB(104, 118, 138), RGB(91, 95, 199),  RGB(116, 77, 57)};
    static const COLORREF dark[PRFDATA_THEME_LINES] = {
        RGB(96, 175, 255), RGB(255, 157, 90),  RGB(108, 203, 95),  RGB(239, 132, 225),
        RGB(77, 208, 220), RGB(197, 145, 255), RGB(252, 225, 100), RGB(255, 118, 108),
        RGB(176, 222, 92), RGB(170, 186, 208), RGB(150, 156, 255), RGB(214, 170, 145)};

    memcpy(theme->lines, is_on_dark ? dark : light, sizeof theme->lines);
}

/* ---- Sizes ---- */

typedef int(WINAPI *get_metrics_for_dpi)(int index, UINT dpi);

/*
 * Uses GetSystemMetricsForDpi() if the system has it, because GetSystemMetrics() returns sizes for
 * the DPI that the system had when the user logged on (learn.microsoft.com, "GetSystemMetricsForDpi
 * function"). Older systems have no other sizes.
 */
int32_t prfdata_theme_metric(const prfdata_theme *theme, int index)
{
    HMODULE user = GetModuleHandleW(L"user32.dll");
    const FARPROC found = user ? GetProcAddress(user, "GetSystemMetricsForDpi") : NULL;
    get_metrics_for_dpi function = NULL;

    memcpy(&function, &found, sizeof function);
    return function ? function(index, theme->dpi) : GetSystemMetrics(index);
}

/* ---- Fonts ---- */

typedef BOOL(WINAPI *get_parameters_for_dpi)(UINT action, UINT size, PVOID data, UINT flags,
                                             UINT dpi);

/* Get the font of messages for a DPI; on older systems for the system's DPI. */
static LOGFONTW message_font(uint32_t dpi)
{
    HMODULE user = GetModuleHandleW(L"user32.dll");
    const FARPROC found = user ? GetProcAddress(user, "SystemParametersInfoForDpi") : NULL;
    get_parameters_for_dpi function = NULL;
    NONCLIENTMETRICSW metrics = {.cbSize = sizeof metrics};

    memcpy(&function, &found, sizeof function);
    if (!function || !function(SPI_GETNONCLIENTMETRICS, sizeof metrics, &metrics, 0, dpi))
        (void)SystemParametersInfoW(SPI_GETNONCLIENTMETRICS, sizeof metrics, &metrics, 0);
    return metrics.lfMessageFont;
}

static void make_fonts(prfdata_theme *theme, HWND window)
{
    LOGFONTW font = message_font(theme->dpi);
    TEXTMETRICW metrics;
    HDC dc = GetDC(window);
    HGDIOBJ before;

    theme->font = CreateFontIndirectW(&font);
    font.lfWeight = FW_SEMIBOLD;
    theme->bold = CreateFontIndirectW(&font);
    theme->fixed = CreateFontW(font.lfHeight, 0, 0, 0, FW_NORMAL, FALSE, FALSE, FALSE,
                               DEFAULT_CHARSET, OUT_DEFAULT_PRECIS, CLIP_DEFAULT_PRECIS,
                               CLEARTYPE_QUALITY, FIXED_PITCH | FF_MODERN, L"Consolas");
    before = SelectObject(dc, theme->font);
    GetTextMetricsW(dc, &metrics);
    theme->text_height = metrics.tmHeight;
    SelectObject(dc, before);
    ReleaseDC(window, dc);
}

/* ---- The theme ---- */

void prfdata_theme_free(prfdata_theme *theme)
{
    HGDIOBJ objects[] = {theme->face_brush, theme->back_brush, theme->font, theme->bold,
                         theme->fixed};

    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        if (objects[i])
            DeleteObject(objects[i]);
    }
    memset(theme, 0, sizeof *theme);
}

void prfdata_theme_update(prfdata_theme *theme, HWND window, uint32_t dpi)
{
    prfdata_theme_free(theme);
    theme->dpi = dpi ? dpi : window_dpi(window);
    theme->is_contrast = user_wants_contrast();
    theme->is_dark = !theme->is_contrast && user_wants_dark();
    if (theme->is_dark)
        set_dark_colours(theme);
    else
        set_system_colours(theme);
    set_line_colours(theme);
    theme->face_brush = CreateSolidBrush(theme->face);
    theme->back_brush = CreateSolidBrush(theme->back);
    make_fonts(theme, window);
}

void prfdata_theme_fill(HDC dc, const RECT *area, COLORREF colour)
{
    SetBkColor(dc, colour);
    ExtTextOutW(dc, 0, 0, ETO_OPAQUE, area, NULL, 0, NULL);
}

int32_t prfdata_theme_pixels(const prfdata_theme *theme, int32_t pixels)
{
    return MulDiv(pixels, (int)theme->dpi, 96);
}

void prfdata_theme_apply(const prfdata_theme *theme, HWND window)
{
    BOOL is_dark = theme->is_dark;

    (void)prfdata_late_call_dwm_set_window_attribute(window, DARK_FRAME, &is_dark, sizeof is_dark);
}

/*
 * Gives a control the dark or the light theme. SetWindowTheme() is documented, but the name of the
 * dark theme is not. Windows' own programs use the name, and a system that does not know the name
 * uses its default theme (https://github.com/microsoft/terminal/issues/277).
 */
void prfdata_theme_apply_to_control(const prfdata_theme *theme, HWND control)
{
    (void)prfdata_late_call_set_window_theme(control, theme->is_dark ? L"DarkMode_Explorer" : NULL,
                                             NULL);
}

void prfdata_theme_apply_to_list(const prfdata_theme *theme, HWND list)
{
    SendMessageW(list, LVM_SETBKCOLOR, 0, (LPARAM)theme->back);
    SendMessageW(list, LVM_SETTEXTBKCOLOR, 0, (LPARAM)theme->back);
    SendMessageW(list, LVM_SETTEXTCOLOR, 0, (LPARAM)theme->text);
    prfdata_theme_apply_to_control(theme, list);
}
