/* SPDX-License-Identifier: MIT */
/*
 * Stands between this program and NtCreateFile, as a file-scanning filter would: it must not delay
 * an open with FILE_COMPLETE_IF_OPLOCKED, so it answers with a sharing violation while it scans the
 * file (windows-driver-docs, ifs/irp-mj-create.md). It scans each file once, from the first open
 * on. An open of a file or folder that exists without the flag could hang for ever: that fails the
 * test. Windows only.
 */
#ifndef PRFDATA_TEST_SCANNER_H
#define PRFDATA_TEST_SCANNER_H

#include <stdint.h>
#include <wchar.h>

/*
 * From now on, every file whose name ends with `ending` is scanned for `milliseconds`; 0: none is.
 * What was scanned before is forgotten.
 */
void scanner_scan(uint32_t milliseconds, const wchar_t *ending);

/* How many opens of existing files there were since scanner_scan(), and how many it refused. */
unsigned scanner_opens(void);
unsigned scanner_refusals(void);

#endif
