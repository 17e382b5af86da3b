/* SPDX-License-Identifier: MIT */
/* Stands between this program and NtCreateFile, like a filter that scans files. Such a filter must
 * not delay an open with FILE_COMPLETE_IF_OPLOCKED, so it answers with a sharing violation while it
 * scans the file (windows-driver-docs, ifs/irp-mj-create.md). It scans each file once, from the
 * first open on. If this program opens an existing file or folder without the flag, the test fails,
 * because the open could hang. Windows only. */
#ifndef PRFDATA_TEST_SCANNER_H
#define PRFDATA_TEST_SCANNER_H

#include <stdint.h>
#include <wchar.h>

/* From now on, scan every file whose name ends with `ending` for `milliseconds`; 0: scan none.
 * Earlier scans are forgotten. */
void scanner_scan(uint32_t milliseconds, const wchar_t *ending);

/* Return how many opens there were since scanner_scan(), and how many of them were refused. Calls
 * that create a new file, or that access only attributes, do not count. */
unsigned scanner_opens(void);
unsigned scanner_refusals(void);

/* Give this program and its scans a clock by which time passes only while the program sleeps, so
 * that a busy computer changes nothing. */
void scanner_begin_clock(void);

/* Return for how many milliseconds the program has slept since the previous call, or since
 * scanner_begin_clock(). */
uint32_t scanner_slept_ms(void);

#endif
