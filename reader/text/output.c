/* SPDX-License-Identifier: MIT */
/* Collects text in memory until a program writes it. */
#include "text/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "names/names.h"
#include "text/decimal.h"

#define MOST_UTF8_BYTES 3u /* largest size of a char; a surrogate pair takes 4 */

void prfdata_output_init(prfdata_output *output)
{
    memset(output, 0, sizeof *output);
}

void prfdata_output_free(prfdata_output *output)
{
    free(output->bytes);
    prfdata_output_init(output);
}

void prfdata_output_clear(prfdata_output *output)
{
    output->used = 0;
    output->failed = false;
}

char *prfdata_output_grow(prfdata_output *output, size_t size)
{
    char *bytes = NULL;

    if (!output->failed && size <= SIZE_MAX - output->used)
        bytes = prfdata_array_reserve(output->bytes, &output->capacity, output->used + size, 1);
    if (!bytes) {
        output->failed = true;
        return NULL;
    }
    output->bytes = bytes;
    return bytes + output->used;
}

void prfdata_output_put_string(prfdata_output *output, const char *string)
{
    prfdata_output_put(output, string, strlen(string));
}

void prfdata_output_put_text(prfdata_output *output, prfdata_text text)
{
    const size_t most = text.count * MOST_UTF8_BYTES;
    char *room = text.count <= SIZE_MAX / MOST_UTF8_BYTES ? prfdata_output_room(output, most)
                                                          : prfdata_output_grow(output, SIZE_MAX);
    size_t ascii = 0;

    if (!room || text.count == 0)
        return;
    for (; ascii < text.count && text.chars[ascii] < 0x80; ascii++)
        room[ascii] = (char)text.chars[ascii];
    output->used += ascii;
    if (ascii < text.count)
        output->used += prfdata_names_utf8_from_utf16(text.chars + ascii, text.count - ascii,
                                                      room + ascii, most - ascii);
}

void prfdata_output_format(prfdata_output *output, const char *format, ...)
{
    char text[512];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        output->failed = true;
        return;
    }
    prfdata_output_put(output, text,
                       (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void prfdata_output_put_unsigned(prfdata_output *output, uint64_t number)
{
    char *room = prfdata_output_room(output, PRFDATA_DECIMAL_BYTES);

    if (room)
        output->used += prfdata_decimal_put_unsigned(room, number);
}

void prfdata_output_put_signed(prfdata_output *output, int64_t number)
{
    char *room = prfdata_output_room(output, PRFDATA_DECIMAL_BYTES);

    if (room)
        output->used += prfdata_decimal_put_signed(room, number);
}

void prfdata_output_put_fixed(prfdata_output *output, double number, unsigned decimals)
{
    char *room = prfdata_output_room(output, PRFDATA_DECIMAL_BYTES);
    const size_t size = room ? prfdata_decimal_put_fixed(room, number, decimals) : 0;

    output->used += size;
    if (size == 0)
        prfdata_output_format(output, "%.*f", (int)decimals, number);
}

/* Put a number that decimal.h leaves to printf. */
static void put_rare_double(prfdata_output *output, double number)
{
    char text[40];

    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    prfdata_output_put_string(output, text);
}

void prfdata_output_put_double(prfdata_output *output, double number)
{
    char *room = prfdata_output_room(output, PRFDATA_DECIMAL_BYTES);
    const size_t size = room ? prfdata_decimal_put_shortest(room, number) : 0;

    output->used += size;
    if (size == 0)
        put_rare_double(output, number);
}
