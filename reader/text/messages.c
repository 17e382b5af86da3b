/* SPDX-License-Identifier: MIT */
/* Keeps messages in a list, or passes each to a function at once. */
#include "text/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fnv.h"
#include "names/hidden.h"
#include "names/names.h"

#define TEXT_BYTES 1024

const prfdata_text prfdata_no_subject = {NULL, 0};

/* ---- Adding ---- */

static void free_message(prfdata_message *message)
{
    free((void *)(uintptr_t)message->file.chars);
    free((void *)(uintptr_t)message->subject.chars);
    free((void *)(uintptr_t)message->text);
}

/* Copy a text, which may be empty. Returns false: no memory. */
static bool copy_message_text(prfdata_text *to, prfdata_text from)
{
    *to = prfdata_no_subject;
    return from.count == 0 || prfdata_text_copy(from, to);
}

static bool keep_message(prfdata_messages *messages, const prfdata_message *message)
{
    const size_t text_bytes = strlen(message->text) + 1;
    prfdata_message *items = prfdata_array_reserve(messages->items, &messages->capacity,
                                                   messages->count + 1, sizeof *items);
    prfdata_message made = *message;
    char *text;

    if (!items)
        return false;
    messages->items = items;
    made.subject = prfdata_no_subject;
    made.text = text = malloc(text_bytes);
    if (!copy_message_text(&made.file, message->file) ||
        !copy_message_text(&made.subject, message->subject) || !text) {
        free_message(&made);
        return false;
    }
    memcpy(text, message->text, text_bytes);
    messages->items[messages->count++] = made;
    return true;
}

void prfdata_messages_put(prfdata_messages *messages, const prfdata_message *message)
{
    if (!messages)
        return;
    if (messages->sink)
        messages->sink(messages->context, message);
    else if (!keep_message(messages, message))
        messages->is_incomplete = true;
}

void prfdata_messages_forget(prfdata_messages *messages)
{
    if (messages && messages->forget)
        messages->forget(messages->context);
}

/* Put a message whose text is made from its problem and these arguments. */
static void put_formatted_message(prfdata_messages *messages, prfdata_message message,
                                  va_list arguments)
{
    char text[TEXT_BYTES];

    if (vsnprintf(text, sizeof text, message.problem, arguments) < 0)
        return;
    message.text = text;
    prfdata_messages_put(messages, &message);
}

void prfdata_messages_add(prfdata_messages *messages, prfdata_severity severity,
                          prfdata_text subject, const char *format, ...)
{
    const prfdata_message message = {.severity = severity, .subject = subject, .problem = format};
    va_list arguments;

    va_start(arguments, format);
    put_formatted_message(messages, message, arguments);
    va_end(arguments);
}

void prfdata_messages_add_system(prfdata_messages *messages, prfdata_text subject,
                                 uint32_t system_error, const char *format, ...)
{
    const prfdata_message message = {.severity = PRFDATA_SEVERITY_ERROR,
                                     .subject = subject,
                                     .problem = format,
                                     .system_error = system_error};
    va_list arguments;

    va_start(arguments, format);
    put_formatted_message(messages, message, arguments);
    va_end(arguments);
}

void prfdata_messages_put_line(prfdata_messages *messages, prfdata_text file, uint32_t line,
                               prfdata_text subject, const char *problem)
{
    prfdata_messages_put(messages, &(prfdata_message){.severity = PRFDATA_SEVERITY_ERROR,
                                                      .file = file,
                                                      .line = line,
                                                      .subject = subject,
                                                      .problem = problem,
                                                      .text = problem});
}

/* ---- Comparing ---- */

bool prfdata_messages_is_same(const prfdata_message *a, const prfdata_message *b)
{
    return a->severity == b->severity && a->line == b->line &&
           strcmp(a->problem, b->problem) == 0 && prfdata_text_is_same(a->file, b->file) &&
           prfdata_text_is_same(a->subject, b->subject);
}

uint64_t prfdata_messages_hash(const prfdata_message *message)
{
    uint64_t hash = PRFDATA_FNV_START + (uint64_t)message->severity;

    hash = prfdata_fnv_add(hash, &message->line, sizeof message->line);
    hash = prfdata_fnv_add(hash, message->problem, strlen(message->problem));
    hash = prfdata_fnv_add(hash, message->file.chars, message->file.count * sizeof(uint16_t));
    return prfdata_fnv_add(hash, message->subject.chars, message->subject.count * sizeof(uint16_t));
}

/* ---- Showing ---- */

/* Put UTF-8 that may contain names which other programs chose. Invisible characters and unusual
 * blanks are made visible. */
static void put_shown(prfdata_output *output, const char *bytes, size_t size)
{
    size_t begin = 0;

    for (size_t at = 0; at < size;) {
        const size_t from = at;
        const uint32_t code_point = prfdata_names_next_utf8(bytes, size, &at);
        char ascii[PRFDATA_HIDDEN_CHARS];

        if (code_point != PRFDATA_NAMES_NO_CHARACTER && !prfdata_hidden_is(code_point) &&
            !prfdata_hidden_is_blank(code_point))
            continue;
        prfdata_output_put(output, bytes + begin, from - begin);
        begin = at;
        if (code_point == PRFDATA_NAMES_NO_CHARACTER)
            prfdata_output_put_string(output, "\xEF\xBF\xBD");
        else
            prfdata_output_put(output, ascii, prfdata_hidden_escape(code_point, ascii));
    }
    prfdata_output_put(output, bytes + begin, size - begin);
}

void prfdata_messages_put_shown(prfdata_output *output, prfdata_text text)
{
    prfdata_output utf8 = {0};

    prfdata_output_put_text(&utf8, text);
    put_shown(output, utf8.bytes, utf8.used);
    output->failed = output->failed || utf8.failed;
    prfdata_output_free(&utf8);
}

void prfdata_messages_write(prfdata_output *output, const prfdata_message *message,
                            prfdata_text words)
{
    if (message->file.count > 0) {
        prfdata_messages_put_shown(output, message->file);
        prfdata_output_put_string(output, ": ");
    }
    if (message->line > 0)
        prfdata_output_format(output, "line %u: ", (unsigned)message->line);
    if (message->subject.count > 0) {
        prfdata_messages_put_shown(output, message->subject);
        prfdata_output_put_string(output, ": ");
    }
    put_shown(output, message->text, strlen(message->text));
    if (message->system_error != 0) {
        prfdata_output_format(output, ": error %u", (unsigned)message->system_error);
        if (words.count > 0)
            prfdata_output_put_string(output, " ");
        prfdata_output_put_text(output, words);
    }
}

void prfdata_messages_free(prfdata_messages *messages)
{
    for (size_t i = 0; i < messages->count; i++)
        free_message(&messages->items[i]);
    free(messages->items);
    memset(messages, 0, sizeof *messages);
}
