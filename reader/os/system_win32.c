/* SPDX-License-Identifier: MIT */
/* GetComputerNameW and FormatMessageW. */
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

bool prfdata_system_is_computer(prfdata_text name)
{
    /* The names without "Physical" differ from them in a cluster only. */
    static const COMPUTER_NAME_FORMAT formats[] = {
        ComputerNameNetBIOS,
        ComputerNameDnsHostname,
        ComputerNameDnsFullyQualified,
        ComputerNamePhysicalNetBIOS,
        ComputerNamePhysicalDnsHostname,
        ComputerNamePhysicalDnsFullyQualified,
    };

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        wchar_t own[512]; /* a DNS name has 255 characters at most */
        DWORD count = sizeof own / sizeof own[0];

        if (GetComputerNameExW(formats[i], own, &count) &&
            prfdata_text_equal(name, (prfdata_text){(const uint16_t *)own, count}))
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
