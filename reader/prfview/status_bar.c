/* SPDX-License-Identifier: MIT */
/* The status bar: what was said last, where the samples come from, and what the newest one cost. */
#include "prfview/app.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "core/os.h"

void prfdata_status_bar_say(prfdata_app *app, const wchar_t *text)
{
    SendMessageW(app->status, SB_SETTEXTW, SB_SIMPLEID, (LPARAM)text);
    SendMessageW(app->status, SB_SETTEXTW, 0, (LPARAM)text);
    SendMessageW(app->status, SB_SETTIPTEXTW, 0, (LPARAM)text); /* shown if the text is cut */
}

static void describe_sample(prfdata_app *app, wchar_t text[200])
{
    const prfdata_sample *shown = prfdata_viewer_shown(&app->viewer);
    const size_t size = shown ? shown->size : 0;
    wchar_t whole[PRFDATA_STRINGS_CHARS];
    wchar_t bytes[40];
    wchar_t ms[40];

    text[0] = 0;
    if (!shown)
        return;
    if (size < 10240)
        swprintf(bytes, 40, L"%lu B", (unsigned long)size);
    else
        swprintf(bytes, 40, L"%lu KiB", (unsigned long)(size / 1024));
    swprintf(ms, 40, L"%.1f", (double)app->read_us / 1000);
    prfdata_strings_copy(
        text,
        prfdata_strings_format(whole, app->reading ? IDS_STATUS_READ : IDS_STATUS_SIZE, bytes,
                               prfdata_strings_decimal(app->style, ms), NULL),
        200);
}

/* For how long there was no new sample, if it is longer than people expect; 0: it is not. */
static uint32_t age_ms(const prfdata_app *app)
{
    const uint64_t age =
        app->taken_ms > 0 && !app->viewer.is_paused ? prfdata_os_milliseconds() - app->taken_ms : 0;

    return age > 2 * (uint64_t)app->interval_ms ? (uint32_t)age : 0;
}

static void describe_state(const prfdata_app *app, wchar_t text[200])
{
    const uint32_t waits_ms = app->reading ? prfdata_reading_waits_ms(app->reading) : 0;
    const uint32_t old_ms = age_ms(app);
    wchar_t whole[PRFDATA_STRINGS_CHARS];
    wchar_t seconds[20];
    wchar_t moment[PRFDATA_MOMENT_CHARS] = L"";
    uint32_t id = IDS_STATUS_LIVE;

    if (app->viewer.timeline.count > 0)
        prfdata_strings_moment(app->viewer.shown_ms, moment);
    if (waits_ms >= 2000)
        swprintf(seconds, 20, L"%lu", (unsigned long)(waits_ms / 1000));
    else
        swprintf(seconds, 20, old_ms < 9950 ? L"%.1f" : L"%.0f", old_ms / 1000.0);
    if (app->viewer.looks_back)
        id = IDS_STATUS_PAST;
    else if (!app->reading)
        id = IDS_STATUS_FILE;
    else if (waits_ms >= 2000)
        id = IDS_STATUS_WAITING;
    else if (!app->viewer.has_titles)
        id = IDS_READING;
    else if (app->viewer.is_paused)
        id = IDS_STATUS_PAUSED;
    else if (old_ms > 0)
        id = IDS_STATUS_OLD;
    prfdata_strings_copy(text,
                         prfdata_strings_format(
                             whole, id, prfdata_strings_decimal(app->style, seconds), moment, NULL),
                         200);
}

static void set_status_part(const prfdata_app *app, WPARAM part, const wchar_t *text)
{
    wchar_t before[PRFDATA_STATUS_CHARS];

    before[0] = 0;
    if (SendMessageW(app->status, SB_GETTEXTLENGTHW, part, 0) < PRFDATA_STATUS_CHARS)
        SendMessageW(app->status, SB_GETTEXTW, part, (LPARAM)before);
    if (wcscmp(before, text) != 0)
        SendMessageW(app->status, SB_SETTEXTW, part, (LPARAM)text);
}

static int32_t status_text_width(const prfdata_app *app, const wchar_t *text)
{
    HDC dc = GetDC(app->status);
    HGDIOBJ before = SelectObject(dc, app->theme.font);
    SIZE size = {0, 0};

    GetTextExtentPoint32W(dc, text, (int)wcslen(text), &size);
    SelectObject(dc, before);
    ReleaseDC(app->status, dc);
    return size.cx + app->theme.text_height * 3 / 2;
}

/* A part grows with its text, and does not shrink at once: it would jump with every digit. */
static int32_t status_part_width(const prfdata_app *app, int32_t before, const wchar_t *text)
{
    const int32_t least = prfdata_theme_pixels(&app->theme, 120);
    const int32_t width = status_text_width(app, text);

    if (width > before || width < before / 2)
        return width > least ? width : least;
    return before > least ? before : least;
}

void prfdata_status_bar_update(prfdata_app *app)
{
    RECT area;
    wchar_t state[200];
    wchar_t sample[200];
    int right[3];
    int before[3] = {0, 0, 0};

    GetClientRect(app->status, &area);
    describe_state(app, state);
    describe_sample(app, sample);
    app->status_widths[0] = status_part_width(app, app->status_widths[0], state);
    app->status_widths[1] = status_part_width(app, app->status_widths[1], sample);
    right[1] = area.right - app->status_widths[1] - app->theme.text_height; /* the size grip */
    right[0] = right[1] - app->status_widths[0];
    right[2] = -1;
    SendMessageW(app->status, SB_GETPARTS, 3, (LPARAM)before);
    if (memcmp(before, right, sizeof right) != 0)
        SendMessageW(app->status, SB_SETPARTS, 3, (LPARAM)right);
    set_status_part(app, 1, state);
    set_status_part(app, 2, sample);
}
