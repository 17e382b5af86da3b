/* SPDX-License-Identifier: MIT */
/* Knows Windows. */
#include "query.h"

#include <stdbool.h>
#include <stdlib.h>

#include <windows.h>

#define FIRST_CAPACITY (64u * 1024)
#define MAX_CAPACITY   (256u * 1024 * 1024)
#define FIRST_SLEEP_MS 10u
#define MAX_SLEEP_MS   5120u /* 10 + 20 + ... + 5120: ten seconds */

/* Somebody else holds the system's lock on performance data. */
static bool is_busy(LSTATUS status)
{
    return status == ERROR_BUSY || status == ERROR_NOT_READY || status == ERROR_LOCK_FAILED ||
           status == WAIT_TIMEOUT;
}

/* One attempt with a buffer of `capacity` bytes. */
static uint32_t ask(const wchar_t *text, uint32_t capacity, void **bytes, size_t *size)
{
    /* On ERROR_MORE_DATA the size means nothing: Windows leaves it undefined, Wine sets 0. */
    DWORD used = capacity;
    void *buffer = malloc(capacity);
    LSTATUS status;

    if (!buffer)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = RegQueryValueExW(HKEY_PERFORMANCE_DATA, text, NULL, NULL, buffer, &used);
    if (status == ERROR_SUCCESS && used > capacity)
        status = ERROR_INVALID_DATA;
    if (status != ERROR_SUCCESS) {
        free(buffer);
        return (uint32_t)status;
    }
    *bytes = buffer;
    *size = used;
    return ERROR_SUCCESS;
}

uint32_t prfdata_query_data(prfdata_query *query, const wchar_t *text, void **bytes, size_t *size)
{
    uint32_t capacity = query->capacity > 0 ? query->capacity : FIRST_CAPACITY;
    DWORD sleep_ms = FIRST_SLEEP_MS;

    for (;;) {
        uint32_t status = ask(text, capacity, bytes, size);

        if (status == ERROR_SUCCESS) {
            query->capacity = capacity;
            return ERROR_SUCCESS;
        }
        if (status == ERROR_MORE_DATA && capacity < MAX_CAPACITY) {
            capacity *= 2;
        } else if (is_busy((LSTATUS)status) && sleep_ms <= MAX_SLEEP_MS) {
            Sleep(sleep_ms);
            sleep_ms *= 2;
        } else {
            return status;
        }
    }
}

void prfdata_query_close(void)
{
    RegCloseKey(HKEY_PERFORMANCE_DATA);
}
