/* SPDX-License-Identifier: MIT */
/* Asks until the answer is a number of lines, or the user cancels. */
#include "prfview/most_lines_dialog.h"

#include <stdio.h>
#include <wchar.h>

#include "prfview/changes.h"
#include "prfview/name_dialog.h"

#define NUMBER_CHARS 4

/* Returns 0 if the text is not a number of lines that a chart can have. */
static uint32_t number_of(const wchar_t *text)
{
    wchar_t *end = NULL;
    const unsigned long number = wcstoul(text, &end, 10);

    return end != text && *end == 0 && text[0] != '-' && number <= PRFDATA_CHART_SERIES
               ? (uint32_t)number
               : 0;
}

void prfdata_most_lines_dialog_run(prfdata_app *app)
{
    const uint32_t before = app->viewer.most_lines;
    wchar_t text[NUMBER_CHARS];

    swprintf(text, NUMBER_CHARS, L"%lu",
             (unsigned long)(before > 0 ? before : PRFDATA_CHART_SERIES));
    while (prfdata_name_dialog_ask(app->window, &app->theme, IDS_MOST_LINES_TITLE,
                                   prfdata_strings_get(IDS_MOST_LINES_LABEL), text, NUMBER_CHARS)) {
        if (number_of(text) > 0) {
            prfdata_viewer_set_most_lines(&app->viewer, number_of(text));
            prfdata_changes_show_status(app);
            return;
        }
        MessageBoxW(app->window, prfdata_strings_get(IDS_MOST_LINES_WRONG),
                    prfdata_strings_get(IDS_TITLE), MB_OK | MB_ICONWARNING);
    }
}
