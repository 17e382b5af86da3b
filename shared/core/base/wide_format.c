/* SPDX-License-Identifier: MIT */
/* Calls vswprintf(), whose results differ from one C library to another if a text does not fit. */
#include "base/wide_format.h"

#include <stdarg.h>
#include <stdio.h>

int prfdata_wide_format(wchar_t *text, size_t capacity, const wchar_t *format, ...)
{
    va_list arguments;
    int chars;

    if (capacity == 0)
        return -1;
    va_start(arguments, format);
    chars = vswprintf(text, capacity, format, arguments);
    va_end(arguments);
    if (chars >= 0 && (size_t)chars < capacity)
        return chars;
    text[0] = 0;
    return -1;
}
