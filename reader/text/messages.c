/* SPDX-License-Identifier: MIT */
/* A list of messages. Knows neither who reads them nor the system's words for its errors. */
#include "text/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

#define TEXT_BYTES 1024

const prfdata_text prfdata_no_subject = {NULL, 0};

static void free_message(prfdata_message *message)
{
    free((void *)(uintptr_t)message->subject.chars);
    free(message->text);
}

static bool copy_subject(prfdata_text subject, prfdata_message *message)
{
    uint16_t *chars;

    if (subject.count == 0)
        return true;
    chars = malloc(subject.count * sizeof *chars);
    if (!chars)
        return false;
    memcpy(chars, subject.chars, subject.count * sizeof *chars);
    message->subject.chars = chars;
    message->subject.count = subject.count;
    return true;
}

static bool put_message(prfdata_messages *messages, const prfdata_message *like,
                        prfdata_text subject, va_list arguments)
{
    prfdata_message *items = prfdata_array_reserve(messages->items, &messages->capacity,
                                                   messages->count + 1, sizeof *items);
    prfdata_message made = *like;

    if (!items)
        return false;
    messages->items = items;
    made.text = malloc(TEXT_BYTES);
    if (!made.text || !copy_subject(subject, &made) ||
        vsnprintf(made.text, TEXT_BYTES, like->problem, arguments) < 0) {
        free_message(&made);
        return false;
    }
    messages->items[messages->count++] = made;
    return true;
}

void prfdata_messages_add(prfdata_messages *messages, prfdata_severity severity,
                          prfdata_text subject, const char *format, ...)
{
    const prfdata_message like = {.severity = severity, .problem = format};
    va_list arguments;

    if (!messages)
        return;
    va_start(arguments, format);
    if (!put_message(messages, &like, subject, arguments))
        messages->is_incomplete = true;
    va_end(arguments);
}

void prfdata_messages_add_system(prfdata_messages *messages, prfdata_text subject,
                                 uint32_t system_error, const char *format, ...)
{
    const prfdata_message like = {
        .severity = PRFDATA_SEVERITY_ERROR, .problem = format, .system_error = system_error};
    va_list arguments;

    if (!messages)
        return;
    va_start(arguments, format);
    if (!put_message(messages, &like, subject, arguments))
        messages->is_incomplete = true;
    va_end(arguments);
}

bool prfdata_messages_is_same(const prfdata_message *a, const prfdata_message *b)
{
    return a->severity == b->severity && strcmp(a->problem, b->problem) == 0 &&
           a->subject.count == b->subject.count &&
           (a->subject.count == 0 || memcmp(a->subject.chars, b->subject.chars,
                                            a->subject.count * sizeof *a->subject.chars) == 0);
}

void prfdata_messages_clear(prfdata_messages *messages)
{
    for (size_t i = 0; i < messages->count; i++)
        free_message(&messages->items[i]);
    messages->count = 0;
    messages->is_incomplete = false;
}

void prfdata_messages_free(prfdata_messages *messages)
{
    prfdata_messages_clear(messages);
    free(messages->items);
    memset(messages, 0, sizeof *messages);
}
