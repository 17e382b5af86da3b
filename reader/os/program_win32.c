/* SPDX-License-Identifier: MIT */
/* Begins and ends a program; wmain already has its arguments in UTF-16. */
#include "os/program.h"

#include <windows.h>

/*
 * Removes the current folder from the search path for DLLs (learn.microsoft.com, "SetDllDirectoryW
 * function"). The other folders stay, because providers of other vendors rely on them.
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
