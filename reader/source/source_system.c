/* SPDX-License-Identifier: MIT */
/*
 * The system as a source: RegQueryValueEx on HKEY_PERFORMANCE_DATA. Every other program of the
 * computer that reads performance data asks in the same way. Knows Windows, and no provider.
 */
#include "source/source.h"

#include <stdlib.h>

#include <windows.h>

#include "source/absent_object.h"
#include "source/retry.h"
#include "source/system_titles.h"

typedef struct system_source {
    prfdata_source source;
    uint32_t capacity; /* bytes that the last reply needed at most */
} system_source;

typedef struct question {
    const uint16_t *query;
    void **bytes;
    size_t *size;
} question;

/* One attempt. */
static uint32_t ask_system(void *context, uint32_t capacity)
{
    const question *q = context;
    /* Not used after ERROR_MORE_DATA: Windows leaves it undefined, Wine sets 0. */
    DWORD used = capacity;
    void *buffer = malloc(capacity);
    uint32_t status;

    if (!buffer)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = (uint32_t)RegQueryValueExW(HKEY_PERFORMANCE_DATA, (const wchar_t *)q->query, NULL,
                                        NULL, buffer, &used);
    if (status == ERROR_SUCCESS && used > capacity)
        status =
            ERROR_INVALID_DATA; /* the system claims to have written more than there was room for */
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

static uint32_t take_system_sample(prfdata_source *source, const uint16_t *query, void **bytes,
                                   size_t *size)
{
    question q = {query, bytes, size};
    const prfdata_retry retry = {ask_system, wait_for_system, &q};

    return prfdata_retry_ask(&retry, &((system_source *)source)->capacity);
}

uint32_t prfdata_source_load_system_titles(prfdata_source *source, prfdata_titles *titles)
{
    uint32_t status = prfdata_system_titles_load(&titles->english);

    (void)source;
    /* Systems without another language have no such list. */
    if (status != ERROR_NOT_ENOUGH_MEMORY &&
        prfdata_system_titles_load_local(&titles->local) == ERROR_NOT_ENOUGH_MEMORY)
        return ERROR_NOT_ENOUGH_MEMORY;
    return status;
}

uint32_t prfdata_source_load_system_helps(prfdata_source *source, prfdata_titles *titles)
{
    const uint32_t metrics = prfdata_system_titles_load_metrics(&titles->metrics);
    const uint32_t helps = prfdata_system_titles_load_helps(&titles->helps);

    (void)source;
    return metrics == ERROR_NOT_ENOUGH_MEMORY ? metrics : helps;
}

static uint32_t load_system_objects(prfdata_source *source, prfdata_name_table *objects)
{
    (void)source;
    return prfdata_system_titles_load_objects(objects);
}

uint32_t prfdata_source_find_system_service(prfdata_source *source, prfdata_text service,
                                            prfdata_source_titles *titles)
{
    (void)source;
    return prfdata_system_titles_find_service(service, &titles->first, &titles->last);
}

static bool explain_system_absence(prfdata_source *source, prfdata_text object,
                                   prfdata_output *output)
{
    (void)source;
    return prfdata_absent_object_explain(object, output);
}

static void close_system(prfdata_source *source)
{
    RegCloseKey(HKEY_PERFORMANCE_DATA); /* lets the system close all providers */
    free(source);
}

uint32_t prfdata_source_open_system(prfdata_messages *messages, prfdata_source **source)
{
    static const prfdata_source_kind kind = {.take = take_system_sample,
                                             .load_titles = prfdata_source_load_system_titles,
                                             .load_helps = prfdata_source_load_system_helps,
                                             .load_objects = load_system_objects,
                                             .find_service = prfdata_source_find_system_service,
                                             .explain_absence = explain_system_absence,
                                             .close = close_system};
    system_source *made = malloc(sizeof *made);

    if (!made) {
        prfdata_messages_add_system(messages, prfdata_no_subject, ERROR_NOT_ENOUGH_MEMORY,
                                    "cannot read performance data");
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    made->source.messages = messages;
    made->source.kind = &kind;
    made->source.is_damaged = false;
    made->capacity = PRFDATA_RETRY_FIRST_CAPACITY;
    *source = &made->source;
    return ERROR_SUCCESS;
}
