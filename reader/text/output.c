/* SPDX-License-Identifier: MIT */
#include "text/output.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/names.h"

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

/* Room for `size` more bytes, or NULL. */
static char *reserve(prfdata_output *output, size_t size)
{
    size_t capacity = output->capacity;
    char *bytes;

    if (output->failed || size > SIZE_MAX / 4 - output->used) {
        output->failed = true;
        return NULL;
    }
    if (output->used + size > capacity || !output->bytes) {
        while (capacity < output->used + size || capacity == 0)
            capacity = capacity * 2 + 256;
        bytes = realloc(output->bytes, capacity);
        if (!bytes) {
            output->failed = true;
            return NULL;
        }
        output->bytes = bytes;
        output->capacity = capacity;
    }
    return output->bytes + output->used;
}

void prfdata_output_put(prfdata_output *output, const void *bytes, size_t size)
{
    char *room = reserve(output, size);

    if (!room || size == 0)
        return;
    memcpy(room, bytes, size);
    output->used += size;
}

void prfdata_output_put_string(prfdata_output *output, const char *string)
{
    prfdata_output_put(output, string, strlen(string));
}

void prfdata_output_put_text(prfdata_output *output, prfdata_text text)
{
    size_t size =
        text.count > 0 ? prfdata_names_utf8_from_utf16(text.chars, text.count, NULL, 0) : 0;
    char *room = reserve(output, size);

    if (!room || size == 0)
        return;
    output->used += prfdata_names_utf8_from_utf16(text.chars, text.count, room, size);
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
