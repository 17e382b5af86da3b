/* SPDX-License-Identifier: MIT */
/*
 * Reads the system with RegQueryValueEx on HKEY_PERFORMANCE_DATA. The system calls the providers.
 * Windows only.
 */
#include "source/source.h"

#include <stdlib.h>

#include <windows.h>

#include "base/fnv.h"
#include "source/absent_object.h"
#include "source/retry.h"
#include "source/service_stamps.h"
#include "source/system_sample.h"
#include "source/system_titles.h"

typedef struct system_source {
    prfdata_source source;
    uint32_t capacity; /* capacity of the next buffer, in bytes (retry.h) */
} system_source;

static uint32_t take_system_sample(prfdata_source *source, const uint16_t *query, void **bytes,
                                   size_t *size)
{
    return prfdata_system_sample_take(HKEY_PERFORMANCE_DATA, query,
                                      &((system_source *)source)->capacity, bytes, size);
}

uint32_t prfdata_source_load_system_titles(prfdata_source *source, prfdata_titles *titles)
{
    uint32_t status;

    (void)source;
    prfdata_service_stamps_find();
    status = prfdata_system_titles_load(&prfdata_system_keys_here, &titles->english);
    /* Only a lack of memory is a failure, because systems with only one language have no list of
     * local names. */
    if (status != ERROR_NOT_ENOUGH_MEMORY &&
        prfdata_system_titles_load_local(&titles->local) == ERROR_NOT_ENOUGH_MEMORY)
        return ERROR_NOT_ENOUGH_MEMORY;
    return status;
}

uint32_t prfdata_source_load_system_helps(prfdata_source *source, prfdata_titles *titles)
{
    const uint32_t metrics =
        prfdata_system_titles_load_metrics(&prfdata_system_keys_here, &titles->metrics);
    const uint32_t helps =
        prfdata_system_titles_load_helps(&prfdata_system_keys_here, &titles->helps);

    (void)source;
    return metrics == ERROR_NOT_ENOUGH_MEMORY ? metrics : helps;
}

uint32_t prfdata_source_load_system_ids(prfdata_source *source, prfdata_titles *titles)
{
    (void)source;
    return prfdata_system_titles_load_ids(&prfdata_system_keys_here, titles);
}

uint64_t prfdata_source_system_titles_stamp(prfdata_source *source)
{
    const uint64_t database = prfdata_system_titles_stamp(&prfdata_system_keys_here);

    (void)source;
    return prfdata_service_stamps_add(
        prfdata_fnv_add(PRFDATA_FNV_START, &database, sizeof database));
}

uint32_t prfdata_source_load_system_objects(prfdata_source *source, prfdata_name_table *objects)
{
    (void)source;
    return prfdata_system_titles_load_objects(&prfdata_system_keys_here, objects);
}

uint32_t prfdata_source_find_system_service(prfdata_source *source, prfdata_text service,
                                            prfdata_source_titles *titles)
{
    (void)source;
    return prfdata_system_titles_find_service(&prfdata_system_keys_here, service, &titles->first,
                                              &titles->last);
}

bool prfdata_source_explain_system_absence(prfdata_source *source, prfdata_text object,
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
                                             .titles_stamp = prfdata_source_system_titles_stamp,
                                             .load_objects = prfdata_source_load_system_objects,
                                             .load_ids = prfdata_source_load_system_ids,
                                             .find_service = prfdata_source_find_system_service,
                                             .explain_absence =
                                                 prfdata_source_explain_system_absence,
                                             .close = close_system};
    system_source *made = calloc(1, sizeof *made);

    if (!made) {
        prfdata_messages_add_system(messages, prfdata_no_subject, ERROR_NOT_ENOUGH_MEMORY,
                                    "cannot read performance data");
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    made->source.messages = messages;
    made->source.kind = &kind;
    made->capacity = PRFDATA_RETRY_FIRST_CAPACITY;
    *source = &made->source;
    return ERROR_SUCCESS;
}
