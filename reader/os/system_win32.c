/* SPDX-License-Identifier: MIT */
/* GetComputerNameW and FormatMessageW. Knows Windows. */
#include "os/system.h"

#include <windows.h>

size_t prfdata_system_computer(uint16_t *chars, size_t capacity)
{
    wchar_t name[MAX_COMPUTERNAME_LENGTH + 1];
    DWORD name_chars = MAX_COMPUTERNAME_LENGTH + 1;
    size_t count = 0;

    if (!GetComputerNameW(name, &name_chars))
        return 0;
    for (; count < name_chars && count < capacity; count++)
        chars[count] = name[count];
    return count;
}

size_t prfdata_system_error_words(uint32_t status, uint16_t *chars, size_t capacity)
{
    DWORD count = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                                 status, 0, (wchar_t *)chars, (DWORD)capacity, NULL);

    while (count > 0 && chars[count - 1] <= ' ')
        count--;
    return count;
}
