/* SPDX-License-Identifier: MIT */
/* Writing a file, and saying why one could not be written or read. Only the window's thread calls.
 */
#ifndef PRFDATA_READER_SAVING_H
#define PRFDATA_READER_SAVING_H

#include "panes/status_bar.h"
#include "text/output.h"

/* Say why a file could not be read or written: IDS_UNREADABLE or IDS_UNWRITABLE. */
void prfdata_saving_report(HWND window, uint32_t id, const wchar_t *path, uint32_t status);
/* The same with the reason in words. */
void prfdata_saving_report_text(HWND window, uint32_t id, const wchar_t *path,
                                const wchar_t *reason);

/* Write a file, and say so. */
void prfdata_saving_write(HWND window, prfdata_status_bar *bar, const wchar_t *path,
                          const prfdata_output *output);

#endif
