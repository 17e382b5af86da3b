/* SPDX-License-Identifier: MIT */
/* Adds the parts of the Windows SDK that Wine's windows.h lacks, for clang in MSVC mode. A comment
 * at each part names its source, a page on learn.microsoft.com. */
#ifndef PRFDATA_OVERLAY_WINDOWS_H
#define PRFDATA_OVERLAY_WINDOWS_H

#ifndef RC_INVOKED

/* Hides two declarations of Wine's headers. In winnt.h, the definition of
 * _InterlockedCompareExchange128() is an error, because clang has this function as an intrinsic
 * (ARM64) or declares it differently (C++). None of our code calls it. In wincon.h, an argument of
 * SetConsoleCursorInfo() lacks a const. */
#include <intrin.h>
#define _InterlockedCompareExchange128 prfdata_overlay_compare_exchange128
#define SetConsoleCursorInfo           prfdata_overlay_set_console_cursor_info
#include_next <windows.h>
#undef _InterlockedCompareExchange128
#undef SetConsoleCursorInfo

/* "SECURITY_INFORMATION": constants for DACLs and SACLs that inherit, or do not inherit. */
#ifndef UNPROTECTED_DACL_SECURITY_INFORMATION
#define UNPROTECTED_SACL_SECURITY_INFORMATION 0x10000000
#define UNPROTECTED_DACL_SECURITY_INFORMATION 0x20000000
#define PROTECTED_SACL_SECURITY_INFORMATION   0x40000000
#define PROTECTED_DACL_SECURITY_INFORMATION   0x80000000
#endif

/* "CreateNamedPipeW function (namedpipeapi.h)", dwPipeMode. */
#ifndef PIPE_REJECT_REMOTE_CLIENTS
#define PIPE_REJECT_REMOTE_CLIENTS 0x00000008
#endif

/* "SetThreadExecutionState function (winbase.h)". */
#ifndef ES_AWAYMODE_REQUIRED
#define ES_AWAYMODE_REQUIRED 0x00000040
#endif

/* "InterlockedExchange64 function (winnt.h)". */
#ifndef InterlockedExchange64
#define InterlockedExchange64 _InterlockedExchange64
#endif

/*
 * "PreFetchCacheLine macro (winnt.h)". The SDK uses another intrinsic for each processor; clang's
 * built-in function exists for all.
 */
#ifndef PreFetchCacheLine
#define PF_TEMPORAL_LEVEL_1               1
#define PreFetchCacheLine(level, address) __builtin_prefetch(address)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "GetProcessHandleCount function (processthreadsapi.h)". */
WINBASEAPI BOOL WINAPI GetProcessHandleCount(HANDLE, PDWORD);

/* "GetThreadGroupAffinity function (processtopologyapi.h)". */
WINBASEAPI BOOL WINAPI GetThreadGroupAffinity(HANDLE, GROUP_AFFINITY *);

/* "ImpersonateAnonymousToken function (securitybaseapi.h)". */
WINADVAPI BOOL WINAPI ImpersonateAnonymousToken(HANDLE);

/* "IsThreadAFiber function (winbase.h)". */
WINBASEAPI BOOL WINAPI IsThreadAFiber(VOID);

/* "SetConsoleCursorInfo function". */
WINBASEAPI BOOL WINAPI SetConsoleCursorInfo(HANDLE, const CONSOLE_CURSOR_INFO *);

/* "InitializeThreadpoolEnvironment function (winbase.h)". This function and the next two are inline
 * in the Windows SDK. Version 1 of the structure has no priority. */
static __inline VOID InitializeThreadpoolEnvironment(TP_CALLBACK_ENVIRON *environment)
{
    ZeroMemory(environment, sizeof *environment);
    environment->Version = 1;
}

static __inline VOID SetThreadpoolCallbackLibrary(TP_CALLBACK_ENVIRON *environment, PVOID module)
{
    environment->RaceDll = module;
}

static __inline VOID DestroyThreadpoolEnvironment(TP_CALLBACK_ENVIRON *environment)
{
    (void)environment;
}

#ifdef __cplusplus
}
#endif

#else
#include_next <windows.h>
#endif

#endif
