/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "support/scanner.h"

#include <stdbool.h>
#include <string.h>

#include <windows.h>
#include <winternl.h>

#include "support/import_table.h"

#ifndef FILE_COMPLETE_IF_OPLOCKED
#define FILE_COMPLETE_IF_OPLOCKED 0x100
#endif
#define SHARING_VIOLATION ((NTSTATUS)0xC0000043L)

enum { MAX_FILES = 1024, NAME_CHARS = 300 };

typedef NTSTATUS(NTAPI *create_file_function)(PHANDLE, ACCESS_MASK, POBJECT_ATTRIBUTES,
                                              PIO_STATUS_BLOCK, PLARGE_INTEGER, ULONG, ULONG, ULONG,
                                              ULONG, PVOID, ULONG);

static create_file_function real_create_file;
static struct {
    SRWLOCK lock;
    uint32_t scan_ms;
    const wchar_t *ending;
    unsigned count;
    unsigned opens;
    unsigned refusals;
    struct {
        wchar_t name[NAME_CHARS];
        ULONGLONG since_ms;
    } files[MAX_FILES];
} scanner = {.lock = SRWLOCK_INIT};

static bool ends_with(const wchar_t *text, const wchar_t *end)
{
    const size_t text_chars = wcslen(text), end_chars = wcslen(end);

    return text_chars >= end_chars && _wcsicmp(text + text_chars - end_chars, end) == 0;
}

/* Return the time when the scan of a file began. The caller has the lock. */
static ULONGLONG scanned_since(const wchar_t *name)
{
    unsigned i = 0;

    while (i < scanner.count && wcscmp(scanner.files[i].name, name) != 0)
        i++;
    assert_true(i < MAX_FILES);
    if (i == scanner.count) {
        wcscpy(scanner.files[i].name, name);
        scanner.files[i].since_ms = GetTickCount64();
        scanner.count++;
    }
    return scanner.files[i].since_ms;
}

static bool is_scanned(const UNICODE_STRING *text)
{
    wchar_t name[NAME_CHARS] = L"";
    bool refuses = false;

    assert_true(text->Length / sizeof(wchar_t) < NAME_CHARS);
    memcpy(name, text->Buffer, text->Length);
    AcquireSRWLockExclusive(&scanner.lock);
    scanner.opens++;
    if (scanner.scan_ms > 0 && ends_with(name, scanner.ending))
        refuses = GetTickCount64() - scanned_since(name) < scanner.scan_ms;
    scanner.refusals += refuses ? 1 : 0;
    ReleaseSRWLockExclusive(&scanner.lock);
    return refuses;
}

static NTSTATUS NTAPI create_file(PHANDLE file, ACCESS_MASK access, POBJECT_ATTRIBUTES attributes,
                                  PIO_STATUS_BLOCK result, PLARGE_INTEGER size, ULONG flags,
                                  ULONG share, ULONG disposition, ULONG options, PVOID extended,
                                  ULONG extended_size)
{
    if (disposition != FILE_CREATE) {
        if (!(options & FILE_COMPLETE_IF_OPLOCKED))
            fail_msg("%.*ls: this open may wait for an oplock",
                     (int)(attributes->ObjectName->Length / sizeof(wchar_t)),
                     attributes->ObjectName->Buffer);
        if ((access & ~(ACCESS_MASK)(FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES | SYNCHRONIZE)) &&
            is_scanned(attributes->ObjectName))
            return SHARING_VIOLATION;
    }
    return real_create_file(file, access, attributes, result, size, flags, share, disposition,
                            options, extended, extended_size);
}

void scanner_scan(uint32_t milliseconds, const wchar_t *ending)
{
    if (!real_create_file)
        real_create_file = (create_file_function)(void (*)(void))import_table_replace(
            "ntdll.dll", "NtCreateFile", (import_table_function)(void (*)(void))create_file);
    AcquireSRWLockExclusive(&scanner.lock);
    scanner.scan_ms = milliseconds;
    scanner.ending = ending;
    scanner.count = scanner.opens = scanner.refusals = 0;
    ReleaseSRWLockExclusive(&scanner.lock);
}

unsigned scanner_opens(void)
{
    return scanner.opens;
}

unsigned scanner_refusals(void)
{
    return scanner.refusals;
}

static volatile LONG now_ms, last_ms;

static ULONGLONG WINAPI tell_time(void)
{
    return (ULONGLONG)now_ms;
}

static void WINAPI sleep_by_clock(DWORD milliseconds)
{
    InterlockedExchangeAdd(&now_ms, (LONG)milliseconds);
    SleepEx(milliseconds, FALSE); /* other processes need real time */
}

void scanner_begin_clock(void)
{
    now_ms = last_ms = 1000000;
    import_table_replace("kernel32.dll", "GetTickCount64",
                         (import_table_function)(void (*)(void))tell_time);
    import_table_replace("kernel32.dll", "Sleep",
                         (import_table_function)(void (*)(void))sleep_by_clock);
}

uint32_t scanner_slept_ms(void)
{
    const LONG slept_ms = now_ms - last_ms;

    last_ms = now_ms;
    return (uint32_t)slept_ms;
}
