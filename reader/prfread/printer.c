/* SPDX-License-Identifier: MIT */
/* Prints messages, and remembers the errors and warnings that were printed. */
#include "prfread/printer.h"

#include <string.h>

#include "os/streams.h"
#include "os/system.h"

#ifdef _WIN32
#define LINE_END "\r\n"
#else
#define LINE_END "\n"
#endif

static bool is_same_message(const void *elements, uint32_t position, const void *key)
{
    return prfdata_messages_is_same((const prfdata_message *)elements + position, key);
}

/*
 * Returns whether the message was printed before, and remembers it. If there is no memory, the
 * message is printed once more.
 */
static bool was_printed(prfdata_printer *printer, const prfdata_message *message)
{
    prfdata_messages *printed = &printer->printed;
    const uint64_t hash = prfdata_messages_hash(message);
    const size_t count = printed->count;

    if (prfdata_hash_table_find(&printer->table, hash, is_same_message, printed->items, message) !=
        PRFDATA_HASH_TABLE_NONE)
        return true;
    prfdata_messages_put(printed, message);
    if (printed->count > count)
        (void)prfdata_hash_table_add(&printer->table, hash, (uint32_t)count);
    return false;
}

static void show_on_standard_error(const prfdata_message *message, prfdata_output *line)
{
    static const char *const labels[] = {"Error: ", "Warning: ", "Note: ", ""};
    prfdata_output whole;

    prfdata_output_init(&whole);
    prfdata_output_put_string(&whole, labels[message->severity]);
    prfdata_output_put(&whole, line->bytes, line->used);
    prfdata_output_put_string(&whole, LINE_END);
    (void)prfdata_streams_write_lines(prfdata_streams_err(), &whole);
    prfdata_output_free(&whole);
}

static void print_message(void *context, const prfdata_message *message)
{
    const prfdata_printer *printer = context;
    uint16_t chars[256];
    prfdata_text words = {chars, 0};
    prfdata_output line;

    if (message->severity <= PRFDATA_SEVERITY_WARNING && was_printed(context, message))
        return;
    if (message->system_error != 0)
        words.count = prfdata_system_error_words(message->system_error, chars, 256);
    prfdata_output_init(&line);
    prfdata_messages_write(&line, message, words);
    printer->show(message, &line);
    prfdata_output_free(&line);
}

static void forget_printed(void *context)
{
    prfdata_printer *printer = context;

    prfdata_messages_free(&printer->printed);
    prfdata_hash_table_free(&printer->table);
}

void prfdata_printer_init(prfdata_printer *printer, prfdata_printer_show *show)
{
    memset(printer, 0, sizeof *printer);
    printer->show = show ? show : show_on_standard_error;
    printer->messages.sink = print_message;
    printer->messages.forget = forget_printed;
    printer->messages.context = printer;
}

void prfdata_printer_free(prfdata_printer *printer)
{
    forget_printed(printer);
    memset(printer, 0, sizeof *printer);
}
