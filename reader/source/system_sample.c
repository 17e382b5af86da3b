/* SPDX-License-Identifier: MIT */
/* Takes samples with RegQueryValueEx. Repeats the call while the sample does not fit or the system
 * is busy (retry.h). Windows only. */
#include "source/system_sample.h"

#include <stdlib.h>

#include <prfdata/error.h>

#include "source/retry.h"

typedef struct system_question {
    HKEY data;
    const uint16_t *query;
    void **bytes;
    size_t *size;
} system_question;

static uint32_t ask_system(void *context, uint32_t capacity)
{
    const system_question *q = context;
    /*
     * `used` is ignored after ERROR_MORE_DATA, because Windows leaves it undefined and Wine sets it
     * to 0.
     */
    DWORD used = capacity;
    void *buffer = malloc(capacity);
    uint32_t status;

    if (!buffer)
        return ERROR_NOT_ENOUGH_MEMORY;
    status =
        (uint32_t)RegQueryValueExW(q->data, (const wchar_t *)q->query, NULL, NULL, buffer, &used);
    if (status == ERROR_SUCCESS && used > capacity)
        status = ERROR_INVALID_DATA;
    if (status != ERROR_SUCCESS) {
        free(buffer);
        return status;
    }
    *q->bytes = buffer;
    *q->size = used;
    return ERROR_SUCCESS;
}

static void wait_for_system(void *context, uint32_t milliseconds)
{
    (void)context;
    Sleep(milliseconds);
}

uint32_t prfdata_system_sample_take(HKEY data, const uint16_t *query, uint32_t *capacity,
                                    void **bytes, size_t *size)
{
    system_question q = {data, query, bytes, size};
    const prfdata_retry_calls retry = {ask_system, wait_for_system, &q};

    return prfdata_retry_ask(&retry, capacity);
}
