/* SPDX-License-Identifier: MIT */
/* Fetches the system's texts of errors. Windows only. */
#include "windows/system_text.h"

#include <stdio.h>

#include <windows.h>

enum { INSERTS = 9 }; /* %1 to %9; the system's texts use fewer */

void prfdata_system_text(uint32_t code, const wchar_t *inserted, wchar_t *text, size_t capacity)
{
    wchar_t words[512] = L"";
    DWORD_PTR inserts[INSERTS];
    DWORD length;

    for (int i = 0; i < INSERTS; i++)
        inserts[i] = (DWORD_PTR)(inserted ? inserted : L"it");
    length = FormatMessageW(
        FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_ARGUMENT_ARRAY | FORMAT_MESSAGE_MAX_WIDTH_MASK,
        NULL, code, 0, words, sizeof words / sizeof words[0], (va_list *)(void *)inserts);
    while (length > 0 && (words[length - 1] == L' ' || words[length - 1] == L'.'))
        words[--length] = 0;
    text[0] = 0;
    (void)swprintf(text, capacity, code > 0xFFFF ? L"%ls%ls(0x%08lX)" : L"%ls%ls(%lu)", words,
                   length ? L" " : L"", (unsigned long)code);
    text[capacity - 1] = 0;
}
