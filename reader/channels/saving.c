/* SPDX-License-Identifier: MIT */
/* Writes a file, and reports why one could not be written or read. */
#include "channels/saving.h"

#include "os/files.h"
#include "panes/strings.h"

void prfdata_saving_report_text(HWND window, uint32_t id, const wchar_t *path,
                                const wchar_t *reason)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];

    MessageBoxW(window, prfdata_strings_format(text, id, path, reason, NULL),
                prfdata_strings_get(IDS_TITLE), MB_OK | MB_ICONWARNING);
}

void prfdata_saving_report(HWND window, uint32_t id, const wchar_t *path, uint32_t status)
{
    wchar_t words[300];

    prfdata_saving_report_text(window, id, path, prfdata_strings_system(status, words, 300));
}

void prfdata_saving_write(HWND window, prfdata_status_bar *bar, const wchar_t *path,
                          const prfdata_output *output)
{
    const uint32_t status = output->failed ? ERROR_NOT_ENOUGH_MEMORY
                                           : prfdata_files_write(prfdata_strings_borrow(path), true,
                                                                 output->bytes, output->used);
    wchar_t text[PRFDATA_STRINGS_CHARS];

    if (status != ERROR_SUCCESS)
        prfdata_saving_report(window, IDS_UNWRITABLE, path, status);
    else
        prfdata_status_bar_say(bar, prfdata_strings_format(text, IDS_SAVED, path, NULL, NULL));
}
