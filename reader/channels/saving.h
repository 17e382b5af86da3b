/* SPDX-License-Identifier: MIT */
/* Writes files, and reports why a file could not be written or read. Call these functions only from
 * the window's thread. */
#ifndef PRFDATA_READER_SAVING_H
#define PRFDATA_READER_SAVING_H

#include "panes/status_bar.h"
#include "text/output.h"

/* Report why a file could not be read or written. `id` is IDS_UNREADABLE or IDS_UNWRITABLE. */
void prfdata_saving_report(HWND window, uint32_t id, const wchar_t *path, uint32_t status);
/* Do what prfdata_saving_report() does, with the reason as text. */
void prfdata_saving_report_text(HWND window, uint32_t id, const wchar_t *path,
                                const wchar_t *reason);

/* Write a file. Say in the status bar that it was written, or report why it was not. */
void prfdata_saving_write(HWND window, prfdata_status_bar *bar, const wchar_t *path,
                          const prfdata_output *output);

#endif
