/* SPDX-License-Identifier: MIT */
/*
 * Implements os.h for Windows: time, process, boot and the lock. The other os_..._win32.c files
 * implement the accounts, the settings, the regions folder and the regions.
 *
 * The code runs in other people's programs, on threads that may impersonate a client. Therefore it
 * reads no environment variables, changes no state of the process, and asks for the least access
 * that it needs. Handles are not inheritable.
 */
#include "system/os_win32.h"

#include <assert.h>

/* RtlGenRandom of advapi32. Some compilers cannot include its header next to winternl.h. */
BOOLEAN NTAPI SystemFunction036(void *bytes, ULONG size);

uint64_t prfdata_os_ticks(void)
{
    LARGE_INTEGER ticks;

    QueryPerformanceCounter(&ticks);
    return (uint64_t)ticks.QuadPart;
}

uint64_t prfdata_os_ticks_per_second(void)
{
    LARGE_INTEGER ticks;

    QueryPerformanceFrequency(&ticks);
    return (uint64_t)ticks.QuadPart;
}

uint64_t prfdata_os_milliseconds(void)
{
    return GetTickCount64();
}

void prfdata_os_sleep(uint32_t milliseconds)
{
    Sleep(milliseconds);
}

uint32_t prfdata_os_process_id(void)
{
    return GetCurrentProcessId();
}

uint64_t prfdata_os_random(void)
{
    uint64_t value;

    /* If there is no random number, the value at least differs from process to process. */
    if (!SystemFunction036(&value, sizeof(value)))
        value = (uint64_t)GetCurrentProcessId() << 40 ^ prfdata_os_ticks();
    return value;
}

uint64_t prfdata_os_boot(void)
{
    FILETIME made;
    uint64_t boot = 0;
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION", 0, KEY_QUERY_VALUE, &key) !=
        ERROR_SUCCESS)
        return 0;
    if (RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &made) ==
        ERROR_SUCCESS)
        boot = (uint64_t)made.dwHighDateTime << 32 | made.dwLowDateTime;
    RegCloseKey(key);
    return boot;
}

static_assert(sizeof(SRWLOCK) == sizeof(void *), "os.h keeps an SRWLOCK in a pointer");

/* Zero is SRWLOCK_INIT. */
static SRWLOCK *srw_lock(prfdata_os_lock *lock)
{
    return (SRWLOCK *)(void *)&lock->word;
}

void prfdata_os_lock_enter(prfdata_os_lock *lock)
{
    AcquireSRWLockExclusive(srw_lock(lock));
}

bool prfdata_os_lock_try(prfdata_os_lock *lock)
{
    return TryAcquireSRWLockExclusive(srw_lock(lock)) != 0;
}

void prfdata_os_lock_leave(prfdata_os_lock *lock)
{
    ReleaseSRWLockExclusive(srw_lock(lock));
}

bool prfdata_os_carries_token(void)
{
    HANDLE token;

    if (!OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token))
        return GetLastError() != ERROR_NO_TOKEN;
    CloseHandle(token);
    return true;
}
