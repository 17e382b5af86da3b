/* SPDX-License-Identifier: MIT */
/* Asks how the file system of the kit's folder handles the calls that regions and DLLs depend on.
 * The calls of ntdll.dll are those in os_file_win32.c and os_directory_win32.c. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <winternl.h>

#include "system/os.h"

/* From wdm.h and ntifs.h; some winternl.h lack them. */
#define OPEN_OPTIONS      0x00000120u /* FILE_COMPLETE_IF_OPLOCKED, FILE_SYNCHRONOUS_IO_NONALERT */
#define SHARING_VIOLATION 0xC0000043u
#define BREAK_IN_PROGRESS 0x00000108u /* STATUS_OPLOCK_BREAK_IN_PROGRESS, a success with a handle */
#define NAMES_ONLY        12          /* FileNamesInformation */

/* FileDispositionInfoEx, and FILE_DISPOSITION_FLAG_DELETE with _POSIX_SEMANTICS
 * ("SetFileInformationByHandle function"). */
#define DISPOSITION_EX 21
#define POSIX_DELETE   3u

typedef NTSTATUS(NTAPI create_function)(HANDLE *file, ACCESS_MASK access,
                                        OBJECT_ATTRIBUTES *attributes, IO_STATUS_BLOCK *status,
                                        LARGE_INTEGER *allocation, ULONG file_attributes,
                                        ULONG sharing, ULONG disposition, ULONG options, void *ea,
                                        ULONG ea_length);
typedef NTSTATUS(NTAPI list_function)(HANDLE folder, HANDLE event, void *apc, void *context,
                                      IO_STATUS_BLOCK *status, void *names, ULONG bytes, int kind,
                                      BOOLEAN is_single, UNICODE_STRING *pattern,
                                      BOOLEAN is_restart);

typedef struct listed_name { /* FILE_NAMES_INFORMATION */
    ULONG next;
    ULONG index;
    ULONG bytes;
    wchar_t name[1];
} listed_name;

static FARPROC native(const char *name)
{
    return GetProcAddress(GetModuleHandleW(L"ntdll.dll"), name);
}

static void set_string(UNICODE_STRING *string, wchar_t *text)
{
    string->Buffer = text;
    string->Length = (USHORT)(wcslen(text) * sizeof *text);
    string->MaximumLength = string->Length;
}

static bool write_file(const wchar_t *path, const void *bytes, DWORD size)
{
    HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    DWORD written = 0;

    if (file == INVALID_HANDLE_VALUE)
        return false;
    WriteFile(file, bytes, size, &written, NULL);
    CloseHandle(file);
    return written == size;
}

/* ---- Scanners ---- */

typedef struct refusals {
    unsigned opens;
    unsigned refused;
    unsigned last_ms; /* from the first open to the last refused one; 0: none was refused */
} refusals;

static refusals open_for_seconds(wchar_t *path, unsigned milliseconds)
{
    wchar_t name[MAX_PATH + 32];
    ULONGLONG begin = GetTickCount64();
    OBJECT_ATTRIBUTES attributes;
    refusals seen = {0, 0, 0};
    IO_STATUS_BLOCK result;
    UNICODE_STRING string;
    union {
        FARPROC untyped;
        create_function *typed;
    } create;

    create.untyped = native("NtCreateFile");
    swprintf(name, MAX_PATH + 32, L"\\??\\%ls", path);
    set_string(&string, name);
    while (create.untyped && GetTickCount64() - begin < milliseconds) {
        NTSTATUS status;
        HANDLE file;

        InitializeObjectAttributes(&attributes, &string, OBJ_CASE_INSENSITIVE, NULL, NULL);
        status = create.typed(&file, FILE_READ_DATA | SYNCHRONIZE, &attributes, &result, NULL, 0,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, 1,
                              OPEN_OPTIONS, NULL, 0);
        seen.opens++;
        if (NT_SUCCESS(status))
            CloseHandle(file);
        if ((ULONG)status == SHARING_VIOLATION || (ULONG)status == BREAK_IN_PROGRESS) {
            seen.refused++;
            seen.last_ms = (unsigned)(GetTickCount64() - begin);
        }
        Sleep(1);
    }
    return seen;
}

static void ask_scanner(kit *k)
{
    wchar_t dll[MAX_PATH + 32], region[MAX_PATH + 32];
    static BYTE bytes[65536];
    refusals of_dll, of_region;

    swprintf(dll, MAX_PATH + 32, L"%ls\\scanned.dll", k->data);
    swprintf(region, MAX_PATH + 32, L"%ls\\scanned.bin", k->data);
    if (!CopyFileW(k->probe, dll, FALSE)) {
        kit_answer(&k->answers, KIT_Q_scanner, KIT_FAILED, "no file: error %lu",
                   (unsigned long)GetLastError());
        return;
    }
    of_dll = open_for_seconds(dll, 2000);
    memset(bytes, 7, sizeof bytes);
    write_file(region, bytes, sizeof bytes);
    of_region = open_for_seconds(region, 2000);
    kit_answer(&k->answers, KIT_Q_scanner, of_dll.opens && of_region.opens ? KIT_TEXT : KIT_FAILED,
               "DLL: %u of %u refused, the last after %u ms; 64 KB: %u of %u, after %u ms",
               of_dll.refused, of_dll.opens, of_dll.last_ms, of_region.refused, of_region.opens,
               of_region.last_ms);
    DeleteFileW(dll);
    DeleteFileW(region);
}

/* ---- Deleting and replacing ---- */

static DWORD delete_as_posix(const wchar_t *path)
{
    DWORD flags = POSIX_DELETE, status = ERROR_SUCCESS;
    HANDLE file = CreateFileW(path, DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                              NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);

    if (file == INVALID_HANDLE_VALUE)
        return GetLastError();
    if (!SetFileInformationByHandle(file, (FILE_INFO_BY_HANDLE_CLASS)DISPOSITION_EX, &flags,
                                    sizeof flags))
        status = GetLastError();
    CloseHandle(file);
    return status;
}

static void answer_deleted(kit *k, kit_question_id question, const wchar_t *path)
{
    const DWORD status = delete_as_posix(path);
    const bool is_there = GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;

    kit_answer_if(&k->answers, question, status == ERROR_SUCCESS && !is_there,
                  "error %lu, the name is %s", (unsigned long)status, is_there ? "there" : "free");
}

static void ask_posix_view(kit *k)
{
    wchar_t path[MAX_PATH + 32];
    HANDLE file, section = NULL;
    const void *view = NULL;

    swprintf(path, MAX_PATH + 32, L"%ls\\mapped.bin", k->data);
    CopyFileW(k->probe, path, FALSE);
    file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                       NULL, OPEN_EXISTING, 0, NULL);
    if (file != INVALID_HANDLE_VALUE) {
        section = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
        CloseHandle(file);
    }
    if (section) {
        view = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
        CloseHandle(section);
    }
    if (view) {
        answer_deleted(k, KIT_Q_posix_view, path);
        UnmapViewOfFile(view);
    } else {
        kit_answer(&k->answers, KIT_Q_posix_view, KIT_FAILED, "no file could be mapped");
    }
    DeleteFileW(path);
}

static void ask_posix_dll(kit *k)
{
    wchar_t path[MAX_PATH + 32];
    HMODULE module;

    swprintf(path, MAX_PATH + 32, L"%ls\\loaded.dll", k->data);
    CopyFileW(k->probe, path, FALSE);
    module = LoadLibraryW(path);
    if (module) {
        answer_deleted(k, KIT_Q_posix_dll, path);
        FreeLibrary(module);
    } else {
        kit_answer(&k->answers, KIT_Q_posix_dll, KIT_FAILED, "no DLL could be loaded: error %lu",
                   (unsigned long)GetLastError());
    }
    DeleteFileW(path);
}

static DWORD replace(const wchar_t *from, const wchar_t *to)
{
    const DWORD name_bytes = (DWORD)(wcslen(to) * sizeof *to);
    const DWORD bytes = (DWORD)sizeof(FILE_RENAME_INFO) + name_bytes;
    FILE_RENAME_INFO *rename;
    DWORD status = ERROR_SUCCESS;
    HANDLE file = CreateFileW(from, DELETE, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, 0, NULL);

    if (file == INVALID_HANDLE_VALUE)
        return GetLastError();
    rename = calloc(1, bytes);
    if (!rename) {
        CloseHandle(file);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    rename->ReplaceIfExists = TRUE;
    rename->FileNameLength = name_bytes;
    memcpy(rename->FileName, to, name_bytes);
    if (!SetFileInformationByHandle(file, FileRenameInfo, rename, bytes))
        status = GetLastError();
    CloseHandle(file);
    free(rename);
    return status;
}

static void ask_replace(kit *k)
{
    wchar_t from[MAX_PATH + 32], to[MAX_PATH + 32];
    HANDLE open;

    swprintf(from, MAX_PATH + 32, L"%ls\\from.txt", k->data);
    swprintf(to, MAX_PATH + 32, L"%ls\\to.txt", k->data);
    if (!write_file(from, "new", 3) || !write_file(to, "old", 3)) {
        kit_answer_rest(&k->answers, KIT_Q_replace_read_only, KIT_Q_replace_open, KIT_FAILED,
                        "no file could be made");
        return;
    }
    SetFileAttributesW(to, FILE_ATTRIBUTE_READONLY);
    kit_answer(&k->answers, KIT_Q_replace_read_only, KIT_TEXT, "error %lu",
               (unsigned long)replace(from, to));
    SetFileAttributesW(to, FILE_ATTRIBUTE_NORMAL);
    write_file(from, "new", 3);
    open = CreateFileW(to, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                       NULL, OPEN_EXISTING, 0, NULL);
    kit_answer(&k->answers, KIT_Q_replace_open, KIT_TEXT, "error %lu",
               (unsigned long)replace(from, to));
    if (open != INVALID_HANDLE_VALUE)
        CloseHandle(open);
    DeleteFileW(from);
    DeleteFileW(to);
}

/* ---- Patterns ---- */

static void add_names(const void *bytes, char *seen, size_t capacity)
{
    const listed_name *name = bytes;

    for (;;) {
        const size_t used = strlen(seen);

        snprintf(seen + used, capacity - used, "%.*ls ", (int)(name->bytes / sizeof(wchar_t)),
                 name->name);
        if (name->next == 0)
            return;
        name = (const listed_name *)(const void *)((const BYTE *)name + name->next);
    }
}

static void list_by_pattern(const kit *k, wchar_t *pattern, char *seen, size_t capacity)
{
    static union {
        listed_name first;
        BYTE bytes[4096];
    } names;
    HANDLE folder = CreateFileW(k->data, FILE_LIST_DIRECTORY | SYNCHRONIZE,
                                FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    IO_STATUS_BLOCK result;
    UNICODE_STRING string;
    union {
        FARPROC untyped;
        list_function *typed;
    } list;

    seen[0] = 0;
    list.untyped = native("NtQueryDirectoryFile");
    set_string(&string, pattern);
    if (folder == INVALID_HANDLE_VALUE || !list.untyped)
        return;
    while (list.typed(folder, NULL, NULL, NULL, &result, &names, sizeof names, NAMES_ONLY, FALSE,
                      &string, FALSE) == 0)
        add_names(&names, seen, capacity);
    CloseHandle(folder);
}

static void ask_pattern(kit *k)
{
    static const wchar_t *const names[] = {
        L"0123456789abcdef-0123456789abcde5.region", L"0123456789abcdef-0123456789abcde6.region",
        L"0123456789abcdef-0123456789abcd5.region", L"0123456789abcdee-0123456789abcde5.region"};
    wchar_t pattern[] = L"0123456789abcdef-???????????????5.region", path[2 * MAX_PATH];
    char seen[400];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", k->data, names[i]);
        write_file(path, "x", 1);
    }
    list_by_pattern(k, pattern, seen, sizeof seen);
    kit_answer_if(&k->answers, KIT_Q_name_pattern,
                  strcmp(seen, "0123456789abcdef-0123456789abcde5.region ") == 0, "%s", seen);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", k->data, names[i]);
        DeleteFileW(path);
    }
}

/* ---- The guard ---- */

typedef struct faulting_read {
    const volatile uint8_t *bytes;
    volatile unsigned sum;
    bool is_done;
} faulting_read;

static void read_view(void *context)
{
    faulting_read *read = context;

    read->sum += read->bytes[0];
    read->is_done = true;
}

/* Asks whether prfdata_os_guarded() survives reading a page that cannot be accessed, such as a page
 * of a truncated file. Then the page can be accessed, and must be read. */
static void ask_guard(kit *k)
{
    enum { PAGE = 4096, TIMES = 1000 };
    prfdata_os_region view = PRFDATA_OS_REGION_NONE;
    faulting_read read = {NULL, 0, false};
    unsigned caught = 0;
    DWORD former;
    bool is_read;

    view.bytes = VirtualAlloc(NULL, PAGE, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
    view.size = PAGE;
    if (!view.bytes) {
        kit_answer(&k->answers, KIT_Q_guard, KIT_FAILED, "no memory");
        return;
    }
    read.bytes = view.bytes;
    for (int i = 0; i < TIMES; i++)
        caught += !prfdata_os_guarded(&view, read_view, &read) && !read.is_done;
    VirtualProtect(view.bytes, PAGE, PAGE_READONLY, &former);
    is_read = prfdata_os_guarded(&view, read_view, &read) && read.is_done;
    kit_answer_if(&k->answers, KIT_Q_guard, caught == TIMES && is_read,
                  "%u of %d faults caught in a program of %u bits, then the page is %s", caught,
                  TIMES, (unsigned)sizeof(void *) * 8, is_read ? "read" : "not read");
    VirtualFree(view.bytes, 0, MEM_RELEASE);
}

void kit_ask_files(kit *k)
{
    ask_scanner(k);
    ask_posix_view(k);
    ask_posix_dll(k);
    ask_replace(k);
    ask_pattern(k);
    ask_guard(k);
}
