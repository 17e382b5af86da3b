/* SPDX-License-Identifier: MIT */
/* Begins and ends a program; wmain already has its arguments in UTF-16. */
#include "os/program.h"

#include <windows.h>

/*
 * Leaves only the current folder out of the search path, because this program loads providers of
 * other vendors, which rely on the other folders of the path (learn.microsoft.com,
 * "SetDllDirectoryW function").
 */
void prfdata_program_keep_dlls_out(void)
{
    (void)SetDllDirectoryW(L"");
}

int prfdata_program_run(int argc, wchar_t **argv, prfdata_program program)
{
    prfdata_program_keep_dlls_out();
    return program(argc > 0 ? (size_t)argc - 1 : 0, (const uint16_t *const *)(argv + 1));
}

void prfdata_program_end(int exit_code)
{
    (void)TerminateProcess(GetCurrentProcess(), (UINT)exit_code);
}
