/* SPDX-License-Identifier: MIT */
/*
 * Sets the interval at which the window reads, and shows it in the list above the table. Applies
 * the pause, and shows it on the button above the table.
 */
#include "prfview/interval.h"

#include <stdio.h>
#include <wchar.h>

uint32_t prfdata_interval_of_menu(uint32_t index)
{
    static const uint32_t intervals_ms[IDC_INTERVAL_COUNT] = {200,  500,   1000,  2000,
                                                              5000, 10000, 30000, 60000};

    return intervals_ms[index < IDC_INTERVAL_COUNT ? index : 2];
}

const wchar_t *prfdata_interval_text(prfdata_number_style style, uint32_t interval_ms,
                                     wchar_t text[PRFDATA_STRINGS_CHARS])
{
    wchar_t seconds[20];

    swprintf(seconds, 20, L"%g", interval_ms / 1000.0);
    return prfdata_strings_format(text, IDS_INTERVAL_ENTRY, prfdata_strings_decimal(style, seconds),
                                  NULL, NULL);
}

void prfdata_interval_set(prfdata_app *app, uint32_t interval_ms)
{
    HWND list = app->parts[PRFDATA_APP_INTERVAL];
    wchar_t text[PRFDATA_STRINGS_CHARS];
    uint32_t index = 0;

    while (index < IDC_INTERVAL_COUNT && prfdata_interval_of_menu(index) != interval_ms)
        index++;
    /* Remove the entry of an earlier interval that is not in the menu. */
    SendMessageW(list, CB_DELETESTRING, IDC_INTERVAL_COUNT, 0);
    if (index == IDC_INTERVAL_COUNT)
        SendMessageW(list, CB_ADDSTRING, 0,
                     (LPARAM)prfdata_interval_text(app->style, interval_ms, text));
    SendMessageW(list, CB_SETCURSEL, index, 0);
    prfdata_viewer_set_interval(&app->viewer, interval_ms);
    if (app->reading)
        prfdata_reading_set_interval(app->reading, interval_ms);
}

void prfdata_interval_apply_pause(const prfdata_app *app)
{
    if (app->reading)
        prfdata_reading_pause(app->reading, app->viewer.is_paused && !app->record);
}

void prfdata_interval_show_pause(const prfdata_app *app)
{
    SetWindowTextW(
        app->parts[PRFDATA_APP_PAUSE],
        prfdata_strings_get(app->viewer.is_paused ? IDS_CONTINUE_BUTTON : IDS_PAUSE_BUTTON));
}
