/* SPDX-License-Identifier: MIT */
/* Writing a file, and saying why one could not be written or read. */
#include "prfview/app.h"

#include <stdio.h>
#include <wchar.h>

#include "os/files.h"

void prfdata_saving_report_text(const prfdata_app *app, uint32_t id, const wchar_t *path,
                                const wchar_t *reason)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];

    MessageBoxW(app->window, prfdata_strings_format(text, id, path, reason, NULL),
                prfdata_strings_get(IDS_TITLE), MB_OK | MB_ICONWARNING);
}

void prfdata_saving_report(const prfdata_app *app, uint32_t id, const wchar_t *path,
                           uint32_t status)
{
    wchar_t words[300];

    prfdata_saving_report_text(app, id, path, prfdata_strings_system(status, words, 300));
}

void prfdata_saving_write(prfdata_app *app, const wchar_t *path, const prfdata_output *output)
{
    const uint32_t status = output->failed ? ERROR_NOT_ENOUGH_MEMORY
                                           : prfdata_files_write(prfdata_strings_borrow(path), true,
                                                                 output->bytes, output->used);
    wchar_t text[PRFDATA_STRINGS_CHARS];

    if (status != ERROR_SUCCESS)
        prfdata_saving_report(app, IDS_UNWRITABLE, path, status);
    else
        prfdata_status_bar_say(&app->status,
                               prfdata_strings_format(text, IDS_SAVED, path, NULL, NULL));
}
