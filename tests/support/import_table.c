/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "support/import_table.h"

#include <stdbool.h>

#include <windows.h>

static void put_entry(IMAGE_THUNK_DATA *entry, import_table_function own)
{
    DWORD protection;

    assert_true(VirtualProtect(entry, sizeof *entry, PAGE_READWRITE, &protection));
    entry->u1.Function = (ULONG_PTR)own;
    assert_true(VirtualProtect(entry, sizeof *entry, protection, &protection));
}

import_table_function import_table_replace_in(void *module, const char *dll, const char *name,
                                              import_table_function own)
{
    unsigned char *const base = module;
    const IMAGE_DOS_HEADER *dos = (const void *)base;
    const IMAGE_NT_HEADERS *nt = (const void *)(base + dos->e_lfanew);
    const DWORD imports =
        nt->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT].VirtualAddress;
    const import_table_function real =
        (import_table_function)GetProcAddress(GetModuleHandleA(dll), name);
    bool is_replaced = false;

    assert_true(real != NULL && imports != 0);
    for (const IMAGE_IMPORT_DESCRIPTOR *from = (const void *)(base + imports); from->Name; from++) {
        IMAGE_THUNK_DATA *entry = (void *)(base + from->FirstThunk);

        for (; entry->u1.Function != 0; entry++) {
            if (entry->u1.Function != (ULONG_PTR)real)
                continue;
            put_entry(entry, own);
            is_replaced = true;
        }
    }
    return is_replaced ? real : NULL;
}

import_table_function import_table_replace(const char *dll, const char *name,
                                           import_table_function own)
{
    /* Ask for the address before the table changes, because the test may replace GetProcAddress
     * itself. */
    const import_table_function real =
        (import_table_function)GetProcAddress(GetModuleHandleA(dll), name);

    (void)import_table_replace_in(GetModuleHandleW(NULL), dll, name, own);
    return real;
}
