/* SPDX-License-Identifier: MIT */
/* Gets names with GetComputerNameExW and error texts with FormatMessageW. */
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

bool prfdata_system_name(size_t index, uint16_t *chars, size_t capacity, size_t *count)
{
    /* The formats with and without "Physical" differ only in a cluster. */
    static const COMPUTER_NAME_FORMAT formats[] = {
        ComputerNameNetBIOS,
        ComputerNameDnsHostname,
        ComputerNameDnsFullyQualified,
        ComputerNamePhysicalNetBIOS,
        ComputerNamePhysicalDnsHostname,
        ComputerNamePhysicalDnsFullyQualified,
    };

    DWORD chars_there = (DWORD)capacity;

    *count = 0;
    if (index >= sizeof formats / sizeof formats[0])
        return false;
    if (GetComputerNameExW(formats[index], (wchar_t *)chars, &chars_there))
        *count = chars_there;
    return true;
}

bool prfdata_system_is_computer(prfdata_text name)
{
    uint16_t chars[512];
    size_t count;

    for (size_t i = 0; prfdata_system_name(i, chars, 512, &count); i++) {
        if (count > 0 && prfdata_text_equal(name, (prfdata_text){chars, count}))
            return true;
    }
    return false;
}

size_t prfdata_system_error_words(uint32_t status, uint16_t *chars, size_t capacity)
{
    DWORD count = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL,
                                 status, 0, (wchar_t *)chars, (DWORD)capacity, NULL);

    while (count > 0 && chars[count - 1] <= ' ')
        count--;
    return count;
}
