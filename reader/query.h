/* SPDX-License-Identifier: MIT */
/*
 * Ask the system for performance data: RegQueryValueEx on HKEY_PERFORMANCE_DATA. Every other
 * program of the computer that reads performance data asks in the same way. Windows only.
 */
#ifndef PRFDATA_READER_QUERY_H
#define PRFDATA_READER_QUERY_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* What to ask next time; {0} at first. */
typedef struct prfdata_query {
    uint32_t capacity; /* bytes that the last reply needed at most */
} prfdata_query;

/*
 * Ask and wait for the reply.
 *
 * text   "Global", or title indexes in decimal with blanks between them.
 * bytes  On success the reply; untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY, ERROR_MORE_DATA (over 256 MiB),
 *         ERROR_INVALID_DATA (the system says that it wrote more than there was room), or the
 *         system's error. While the system is busy it is asked again for about ten seconds.
 * Owner:  the caller; release with free().
 * Threads: one at a time for one prfdata_query.
 */
uint32_t prfdata_query_data(prfdata_query *query, const wchar_t *text, void **bytes, size_t *size);

/* Let the system close all providers. Call it after the last query. */
void prfdata_query_close(void);

#endif
