/* SPDX-License-Identifier: MIT */
/* Fills the parts of the status bar, and computes their widths. */
#include "panes/status_bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <commctrl.h>

#include "panes/dark_controls.h"
#include "panes/strings.h"
#include "system/os.h"

void prfdata_status_bar_create(prfdata_status_bar *bar, HWND parent)
{
    bar->window = CreateWindowExW(
        0, STATUSCLASSNAMEW, L"", WS_CHILD | WS_VISIBLE | SBARS_SIZEGRIP | SBARS_TOOLTIPS, 0, 0, 0,
        0, parent, NULL, (HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE), NULL);
    prfdata_dark_controls_begin(bar->window, PRFDATA_DARK_STATUS, bar->theme);
}

static void describe_sample(const prfdata_status_bar *bar, bool is_live, wchar_t text[200])
{
    const prfdata_sample *shown = prfdata_viewer_shown(bar->viewer);
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
    swprintf(ms, 40, L"%.1f", (double)bar->read_us / 1000);
    prfdata_strings_copy(text,
                         prfdata_strings_format(whole, is_live ? IDS_STATUS_READ : IDS_STATUS_SIZE,
                                                bytes, prfdata_strings_decimal(*bar->style, ms),
                                                NULL),
                         200);
}

/* Return the time since the last sample if it is longer than two intervals. Otherwise, and while
 * the viewer is paused, return 0. */
static uint32_t age_ms(const prfdata_status_bar *bar)
{
    const uint64_t age = bar->taken_ms > 0 && !bar->viewer->is_paused
                             ? prfdata_os_milliseconds() - bar->taken_ms
                             : 0;

    return age > 2 * (uint64_t)bar->viewer->interval_ms ? (uint32_t)age : 0;
}

/* Put the earliest time that both the timeline and the chart still have. Put its day, too, unless
 * it is the day of the newest sample. */
static void put_oldest(const prfdata_status_bar *bar, wchar_t moment[PRFDATA_MOMENT_CHARS])
{
    const prfdata_timeline *timeline = &bar->viewer->timeline;
    const prfdata_chart *chart = &bar->viewer->chart;
    const int64_t sample_ms = timeline->entries[0].time_ms;
    const int64_t oldest_ms =
        chart->count > 0 && chart->times_ms[0] > sample_ms ? chart->times_ms[0] : sample_ms;

    if (prfdata_strings_is_same_day(oldest_ms, timeline->entries[timeline->count - 1].time_ms))
        prfdata_strings_time(oldest_ms, true, moment);
    else
        prfdata_strings_moment(oldest_ms, moment);
}

static void describe_state(const prfdata_status_bar *bar, bool is_live, uint32_t waits_ms,
                           const wchar_t *waits_for, wchar_t text[200])
{
    const uint32_t old_ms = age_ms(bar);
    wchar_t whole[PRFDATA_STRINGS_CHARS];
    wchar_t seconds[20];
    wchar_t moment[PRFDATA_MOMENT_CHARS] = L"";
    uint32_t id = IDS_STATUS_LIVE;

    if (bar->viewer->timeline.count > 0)
        prfdata_strings_moment(bar->viewer->shown_ms, moment);
    if (waits_ms >= 2000)
        swprintf(seconds, 20, L"%lu", (unsigned long)(waits_ms / 1000));
    else
        swprintf(seconds, 20, old_ms < 9950 ? L"%.1f" : L"%.0f", old_ms / 1000.0);
    if (bar->viewer->looks_back)
        id = is_live ? IDS_STATUS_PAST : IDS_STATUS_PAST_FILE;
    else if (!is_live && bar->viewer->timeline.count == 0)
        id = 0;
    else if (!is_live)
        id = IDS_STATUS_FILE;
    else if (waits_ms >= 2000)
        id = IDS_STATUS_WAITING;
    else if (!bar->viewer->has_titles)
        id = IDS_READING;
    else if (bar->viewer->is_paused)
        id = IDS_STATUS_PAUSED;
    else if (old_ms > 0)
        id = IDS_STATUS_OLD;
    else if (bar->viewer->timeline.count > 1)
        id = IDS_STATUS_KEPT;
    if (id == IDS_STATUS_KEPT)
        put_oldest(bar, moment);
    text[0] = 0;
    if (id == 0) /* there are neither live samples nor samples of a file */
        return;
    prfdata_strings_copy(text,
                         prfdata_strings_format(whole, id,
                                                prfdata_strings_decimal(*bar->style, seconds),
                                                moment, waits_for),
                         200);
}

static void set_status_part(const prfdata_status_bar *bar, WPARAM part, const wchar_t *text)
{
    wchar_t before[PRFDATA_STATUS_CHARS];

    before[0] = 0;
    if (SendMessageW(bar->window, SB_GETTEXTLENGTHW, part, 0) < PRFDATA_STATUS_CHARS)
        SendMessageW(bar->window, SB_GETTEXTW, part, (LPARAM)before);
    if (wcscmp(before, text) != 0)
        SendMessageW(bar->window, SB_SETTEXTW, part, (LPARAM)text);
}

/* Show the notices, and a tip that shows them whole if they are cut. */
static void show_notices(const prfdata_status_bar *bar)
{
    prfdata_output output = {0};
    wchar_t before[PRFDATA_STRINGS_CHARS];
    wchar_t *text;

    prfdata_notices_put(&bar->notices, prfdata_os_milliseconds(), &output);
    text = output.failed ? NULL : prfdata_strings_wide(output.bytes, output.used);
    prfdata_output_free(&output);
    before[0] = 0;
    if (text && SendMessageW(bar->window, SB_GETTEXTLENGTHW, 0, 0) < PRFDATA_STRINGS_CHARS)
        SendMessageW(bar->window, SB_GETTEXTW, 0, (LPARAM)before);
    if (text && wcscmp(before, text) != 0) {
        SendMessageW(bar->window, SB_SETTEXTW, SB_SIMPLEID, (LPARAM)text);
        SendMessageW(bar->window, SB_SETTEXTW, 0, (LPARAM)text);
        SendMessageW(bar->window, SB_SETTIPTEXTW, 0, (LPARAM)text);
    }
    free(text);
}

void prfdata_status_bar_say(prfdata_status_bar *bar, const wchar_t *text)
{
    prfdata_notices_say(&bar->notices, prfdata_strings_borrow(text), prfdata_os_milliseconds());
    show_notices(bar);
}

void prfdata_status_bar_set(prfdata_status_bar *bar, prfdata_notices_state state,
                            const wchar_t *text)
{
    prfdata_notices_set(&bar->notices, state, prfdata_strings_borrow(text));
}

static int32_t status_text_width(const prfdata_status_bar *bar, const wchar_t *text)
{
    HDC dc = GetDC(bar->window);
    HGDIOBJ before = SelectObject(dc, bar->theme->font);
    SIZE size = {0, 0};

    GetTextExtentPoint32W(dc, text, (int)wcslen(text), &size);
    SelectObject(dc, before);
    ReleaseDC(bar->window, dc);
    return size.cx + bar->theme->text_height * 3 / 2;
}

/* Return the width of a part. The part grows with its text. It shrinks only if the text needs less
 * than half of it, because the part would otherwise move with every digit. */
static int32_t status_part_width(const prfdata_status_bar *bar, int32_t before, const wchar_t *text)
{
    const int32_t least = prfdata_theme_pixels(bar->theme, 120);
    const int32_t width = status_text_width(bar, text);

    if (width > before || width < before / 2)
        return width > least ? width : least;
    return before > least ? before : least;
}

void prfdata_status_bar_note_sample(prfdata_status_bar *bar, uint64_t took_us)
{
    if (took_us > 0)
        bar->read_us = took_us;
    bar->taken_ms = prfdata_os_milliseconds();
}

void prfdata_status_bar_forget_samples(prfdata_status_bar *bar)
{
    bar->taken_ms = 0;
}

void prfdata_status_bar_update(prfdata_status_bar *bar, bool is_live, uint32_t waits_ms,
                               const wchar_t *waits_for)
{
    RECT area;
    wchar_t state[200];
    wchar_t sample[200];
    int right[3];
    int before[3] = {0, 0, 0};

    GetClientRect(bar->window, &area);
    describe_state(bar, is_live, waits_ms, waits_for, state);
    describe_sample(bar, is_live, sample);
    bar->widths[0] = status_part_width(bar, bar->widths[0], state);
    bar->widths[1] = status_part_width(bar, bar->widths[1], sample);
    /* At the right end, leave room for the size grip. */
    right[1] = area.right - bar->widths[1] - bar->theme->text_height;
    right[0] = right[1] - bar->widths[0];
    right[2] = -1;
    SendMessageW(bar->window, SB_GETPARTS, 3, (LPARAM)before);
    if (memcmp(before, right, sizeof right) != 0)
        SendMessageW(bar->window, SB_SETPARTS, 3, (LPARAM)right);
    show_notices(bar);
    set_status_part(bar, 1, state);
    set_status_part(bar, 2, sample);
}
