/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "support/installer/killed_call.h"

#include <string.h>

#include <windows.h>
#include <winternl.h>

#include "support/import_table.h"

static int calls_left;
static unsigned end_code;

static void end_before_call(void)
{
    if (--calls_left == 0)
        TerminateProcess(GetCurrentProcess(), end_code);
}

/* The system's functions, which the replacements call. killed_call_begin() sets them. */
static LSTATUS(WINAPI *real_set_value)(HKEY, LPCWSTR, DWORD, DWORD, const BYTE *, DWORD);
static LSTATUS(WINAPI *real_create_key)(HKEY, LPCWSTR, DWORD, LPWSTR, DWORD, REGSAM,
                                        LPSECURITY_ATTRIBUTES, PHKEY, LPDWORD);
static LSTATUS(WINAPI *real_delete_key)(HKEY, LPCWSTR);
static LSTATUS(WINAPI *real_delete_key_in_view)(HKEY, LPCWSTR, REGSAM, DWORD);
static LSTATUS(WINAPI *real_delete_value)(HKEY, LPCWSTR);
static BOOL(WINAPI *real_write)(HANDLE, LPCVOID, DWORD, LPDWORD, LPOVERLAPPED);
static BOOL(WINAPI *real_make_folder)(LPCWSTR, LPSECURITY_ATTRIBUTES);
static BOOL(WINAPI *real_set_file)(HANDLE, FILE_INFO_BY_HANDLE_CLASS, LPVOID, DWORD);
static BOOL(WINAPI *real_move_file)(LPCWSTR, LPCWSTR, DWORD);
static BOOL(WINAPI *real_set_security)(HANDLE, SECURITY_INFORMATION, PSECURITY_DESCRIPTOR);
static NTSTATUS(NTAPI *real_create_file)(PHANDLE, ACCESS_MASK, POBJECT_ATTRIBUTES, PIO_STATUS_BLOCK,
                                         PLARGE_INTEGER, ULONG, ULONG, ULONG, ULONG, PVOID, ULONG);

static LSTATUS WINAPI set_value(HKEY key, LPCWSTR name, DWORD reserved, DWORD type,
                                const BYTE *bytes, DWORD size)
{
    end_before_call();
    return real_set_value(key, name, reserved, type, bytes, size);
}

static LSTATUS WINAPI create_key(HKEY key, LPCWSTR path, DWORD reserved, LPWSTR kind, DWORD options,
                                 REGSAM access, LPSECURITY_ATTRIBUTES security, PHKEY opened,
                                 LPDWORD disposition)
{
    end_before_call();
    return real_create_key(key, path, reserved, kind, options, access, security, opened,
                           disposition);
}

static LSTATUS WINAPI delete_key_of(HKEY key, LPCWSTR path)
{
    end_before_call();
    return real_delete_key(key, path);
}

static LSTATUS WINAPI delete_key_in_view(HKEY key, LPCWSTR path, REGSAM view, DWORD reserved)
{
    end_before_call();
    return real_delete_key_in_view(key, path, view, reserved);
}

static LSTATUS WINAPI delete_value_of(HKEY key, LPCWSTR name)
{
    end_before_call();
    return real_delete_value(key, name);
}

static BOOL WINAPI write_bytes(HANDLE file, LPCVOID bytes, DWORD size, LPDWORD written,
                               LPOVERLAPPED overlapped)
{
    end_before_call();
    return real_write(file, bytes, size, written, overlapped);
}

static BOOL WINAPI make_folder(LPCWSTR path, LPSECURITY_ATTRIBUTES security)
{
    end_before_call();
    return real_make_folder(path, security);
}

/* This call counts, because it deletes and renames files. */
static BOOL WINAPI set_file(HANDLE file, FILE_INFO_BY_HANDLE_CLASS kind, LPVOID info, DWORD size)
{
    end_before_call();
    return real_set_file(file, kind, info, size);
}

static BOOL WINAPI move_file(LPCWSTR path, LPCWSTR name, DWORD flags)
{
    end_before_call();
    return real_move_file(path, name, flags);
}

static BOOL WINAPI set_security(HANDLE object, SECURITY_INFORMATION parts,
                                PSECURITY_DESCRIPTOR security)
{
    end_before_call();
    return real_set_security(object, parts, security);
}

/* Opening a file that exists changes nothing, so it does not count. */
static NTSTATUS NTAPI create_file(PHANDLE file, ACCESS_MASK access, POBJECT_ATTRIBUTES object,
                                  PIO_STATUS_BLOCK result, PLARGE_INTEGER size, ULONG attributes,
                                  ULONG share, ULONG disposition, ULONG options, PVOID extended,
                                  ULONG extended_size)
{
    if (disposition != FILE_OPEN)
        end_before_call();
    return real_create_file(file, access, object, result, size, attributes, share, disposition,
                            options, extended, extended_size);
}

#define REPLACE(dll, name, own, real)                                                              \
    do {                                                                                           \
        const import_table_function found =                                                        \
            import_table_replace(dll, name, (import_table_function)(own));                         \
                                                                                                   \
        memcpy(&(real), &found, sizeof found);                                                     \
    } while (0)

void killed_call_begin(int call, unsigned code)
{
    calls_left = call;
    end_code = code;
    REPLACE("advapi32.dll", "RegSetValueExW", set_value, real_set_value);
    REPLACE("advapi32.dll", "RegCreateKeyExW", create_key, real_create_key);
    REPLACE("advapi32.dll", "RegDeleteKeyW", delete_key_of, real_delete_key);
    REPLACE("advapi32.dll", "RegDeleteKeyExW", delete_key_in_view, real_delete_key_in_view);
    REPLACE("advapi32.dll", "RegDeleteValueW", delete_value_of, real_delete_value);
    REPLACE("kernel32.dll", "WriteFile", write_bytes, real_write);
    REPLACE("kernel32.dll", "CreateDirectoryW", make_folder, real_make_folder);
    REPLACE("kernel32.dll", "SetFileInformationByHandle", set_file, real_set_file);
    REPLACE("kernel32.dll", "MoveFileExW", move_file, real_move_file);
    REPLACE("advapi32.dll", "SetKernelObjectSecurity", set_security, real_set_security);
    REPLACE("ntdll.dll", "NtCreateFile", create_file, real_create_file);
}
