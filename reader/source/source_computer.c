/* SPDX-License-Identifier: MIT */
/*
 * Reads another computer through RegConnectRegistry, with the same keys as this computer. The
 * Remote Registry service of that computer answers, and reads the performance data there with the
 * account that asks. Windows only.
 */
#include "source/source.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include "source/retry.h"
#include "source/slow_call.h"
#include "source/system_sample.h"
#include "source/system_titles.h"

enum { NAME_CHARS = 256 }; /* computer name, with two backslashes and a NUL */

typedef struct computer_source {
    prfdata_source source;
    prfdata_system_keys keys;
    uint32_t capacity;
    prfdata_slow_call call;
    wchar_t name[NAME_CHARS]; /* with backslashes */
} computer_source;

static uint32_t take_computer_sample(prfdata_source *source, const uint16_t *query, void **bytes,
                                     size_t *size)
{
    computer_source *s = (computer_source *)source;
    uint32_t status;

    prfdata_slow_call_begin(&s->call);
    status = prfdata_system_sample_take(s->keys.data, query, &s->capacity, bytes, size);
    prfdata_slow_call_end(&s->call);
    return status;
}

/* Load only the English titles. The other computer's titles of the "current language" would have
 * the language of the account that runs Remote Registry there, not that of the user. */
static uint32_t load_computer_titles(prfdata_source *source, prfdata_titles *titles)
{
    computer_source *s = (computer_source *)source;
    uint32_t status;

    prfdata_slow_call_begin(&s->call);
    status = prfdata_system_titles_load(&s->keys, &titles->english);
    prfdata_slow_call_end(&s->call);
    return status;
}

static uint32_t load_computer_helps(prfdata_source *source, prfdata_titles *titles)
{
    const prfdata_system_keys *keys = &((computer_source *)source)->keys;
    const uint32_t metrics = prfdata_system_titles_load_metrics(keys, &titles->metrics);
    const uint32_t helps = prfdata_system_titles_load_helps(keys, &titles->helps);

    return metrics == ERROR_NOT_ENOUGH_MEMORY ? metrics : helps;
}

static uint64_t stamp_computer_titles(prfdata_source *source)
{
    return prfdata_system_titles_stamp(&((computer_source *)source)->keys);
}

/* No object is known if the computer refuses HKEY_LOCAL_MACHINE, where the maps are. */
static uint32_t load_computer_objects(prfdata_source *source, prfdata_name_table *objects)
{
    const prfdata_system_keys *keys = &((computer_source *)source)->keys;

    return keys->machine ? prfdata_system_titles_load_objects(keys, objects) : ERROR_SUCCESS;
}

static uint32_t find_computer_service(prfdata_source *source, prfdata_text service,
                                      prfdata_source_titles *titles)
{
    return prfdata_system_titles_find_service(&((computer_source *)source)->keys, service,
                                              &titles->first, &titles->last);
}

static size_t name_computer(prfdata_source *source, uint16_t *chars, size_t capacity)
{
    const wchar_t *name = ((computer_source *)source)->name + 2;
    size_t count = 0;

    for (; count < capacity && name[count]; count++)
        chars[count] = name[count];
    return count;
}

static void close_computer(prfdata_source *source)
{
    computer_source *s = (computer_source *)source;

    RegCloseKey(s->keys.data); /* lets the service on the other computer close all providers */
    if (s->keys.machine)
        RegCloseKey(s->keys.machine);
    free(s);
}

/* Return the name without backslashes. */
static prfdata_text name_of_computer(const computer_source *s)
{
    return prfdata_text_from_chars((const uint16_t *)s->name + 2);
}

static uint32_t connect_computer(computer_source *s)
{
    uint32_t status = (uint32_t)RegConnectRegistryW(s->name, HKEY_PERFORMANCE_DATA, &s->keys.data);

    if (status != ERROR_SUCCESS)
        return status;
    status = (uint32_t)RegConnectRegistryW(s->name, HKEY_LOCAL_MACHINE, &s->keys.machine);
    /* Continue, because the computer's counters can be read although its services cannot. */
    if (status == ERROR_ACCESS_DENIED) {
        s->keys.machine = NULL;
        return ERROR_SUCCESS;
    }
    if (status != ERROR_SUCCESS)
        RegCloseKey(s->keys.data);
    return status;
}

uint32_t prfdata_source_open_computer(prfdata_text computer, prfdata_messages *messages,
                                      prfdata_source **source)
{
    static const prfdata_source_kind kind = {.take = take_computer_sample,
                                             .load_titles = load_computer_titles,
                                             .load_helps = load_computer_helps,
                                             .titles_stamp = stamp_computer_titles,
                                             .load_objects = load_computer_objects,
                                             .find_service = find_computer_service,
                                             .computer = name_computer,
                                             .close = close_computer};
    computer_source *made = calloc(1, sizeof *made);
    uint32_t status = made ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;

    if (made && computer.count + 3 > NAME_CHARS)
        status = ERROR_BAD_NETPATH;
    if (status == ERROR_SUCCESS) {
        wcscpy(made->name, L"\\\\");
        memcpy(made->name + 2, computer.chars, computer.count * sizeof *computer.chars);
        made->call = (prfdata_slow_call){.messages = messages, .subject = name_of_computer(made)};
        prfdata_slow_call_begin(&made->call);
        status = connect_computer(made);
        prfdata_slow_call_end(&made->call);
    }
    if (status != ERROR_SUCCESS) {
        free(made);
        prfdata_messages_add_system(messages, computer, status,
                                    "cannot connect to this computer's service Remote Registry");
        return status;
    }
    made->source.messages = messages;
    made->source.kind = &kind;
    made->capacity = PRFDATA_RETRY_FIRST_CAPACITY;
    *source = &made->source;
    return ERROR_SUCCESS;
}
