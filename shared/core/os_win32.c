/* SPDX-License-Identifier: MIT */
/*
 * os.h for Windows. Knows Win32 and a little of ntdll, because only NtCreateFile opens a file
 * relative to a folder and without waiting for an oplock. Does not know what a region holds.
 *
 * The code runs in programs that are not ours, on threads that may impersonate a client: it reads
 * no environment variables, changes no process state, and asks for the least access that does the
 * job. Handles are not inheritable.
 */
#include "core/os.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <winioctl.h>
#include <winternl.h>

#include <prfdata/map.h>

#include "core/os_listing.h"

/* RtlGenRandom of advapi32; its header cannot be included beside winternl.h everywhere. */
BOOLEAN NTAPI SystemFunction036(void *bytes, ULONG size);

/* Documented for drivers, exported to all: the only query of a folder with a pattern and a handle.
 * Not every winternl.h declares it. */
NTSTATUS NTAPI NtQueryDirectoryFile(HANDLE file, HANDLE event, PIO_APC_ROUTINE apc_routine,
                                    PVOID apc_context, PIO_STATUS_BLOCK result, PVOID bytes,
                                    ULONG size, FILE_INFORMATION_CLASS information,
                                    BOOLEAN is_single, PUNICODE_STRING pattern, BOOLEAN is_restart);

#define FILE_NAMES_INFORMATION_ ((FILE_INFORMATION_CLASS)12)

#define STATUS_OPLOCK_BREAK_IN_PROGRESS_ ((NTSTATUS)0x00000108L)
#define STATUS_NO_MORE_FILES_            ((NTSTATUS)0x80000006L)
#define STATUS_NO_SUCH_FILE_             ((NTSTATUS)0xC000000FL)
#define STATUS_DELETE_PENDING_           ((NTSTATUS)0xC0000056L)
#define STATUS_FILE_IS_A_DIRECTORY_      ((NTSTATUS)0xC00000BAL)
#define STATUS_NOT_A_DIRECTORY_          ((NTSTATUS)0xC0000103L)

#define OPLOCK_BREAK_IN_PROGRESS_ERROR 742u /* winerror.h of mingw lacks it */

/* Missing in older headers: the content is elsewhere and is fetched when it is read. */
#define RECALL_ON_OPEN        0x00040000u
#define RECALL_ON_DATA_ACCESS 0x00400000u

struct prfdata_os_directory {
    HANDLE file;
};

/* ---- Time, process, boot ---- */

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

    if (!SystemFunction036(&value, sizeof(value))) /* at least differ by process */
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

/* ---- Lock ---- */

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

/* ---- Whose account ---- */

static bool carries_token(void)
{
    HANDLE token;

    if (!OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token))
        return GetLastError() != ERROR_NO_TOKEN;
    CloseHandle(token);
    return true;
}

/* How long to wait for a new thread to begin. One that is made in DllMain begins only after it. */
#define BEGIN_MILLISECONDS 5000

enum { CALL_IS_WAITING, CALL_HAS_BEGUN, CALL_IS_GIVEN_UP };

/* Its address is in this module. */
static const char inside_module = 0;

/* Both threads have it until the state says whose it is: of a call that is given up the helper's.
 */
typedef struct helper_call {
    void (*call)(void *context);
    void *context;
    volatile LONG state;
    HANDLE done;
    HMODULE module; /* this one: it must not be unloaded before the helper has ended */
} helper_call;

static void free_helper_call(helper_call *helper)
{
    if (helper->done)
        CloseHandle(helper->done);
    free(helper);
}

static DWORD WINAPI run_helper_call(void *context)
{
    helper_call *helper = context;
    HMODULE module = helper->module;

    if (InterlockedCompareExchange(&helper->state, CALL_HAS_BEGUN, CALL_IS_WAITING) ==
        CALL_IS_WAITING) {
        helper->call(helper->context);
        SetEvent(helper->done); /* from here on it is the caller's */
    } else {
        free_helper_call(helper);
    }
    FreeLibraryAndExitThread(module, 0);
}

static helper_call *make_helper_call(void (*call)(void *context), void *context)
{
    helper_call *helper = calloc(1, sizeof *helper);

    if (!helper)
        return NULL;
    helper->call = call;
    helper->context = context;
    helper->state = CALL_IS_WAITING;
    helper->done = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (!helper->done ||
        !GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                            (const wchar_t *)(const void *)&inside_module, &helper->module)) {
        free_helper_call(helper);
        return NULL;
    }
    return helper;
}

static uint32_t wait_for_helper_call(helper_call *helper)
{
    if (WaitForSingleObject(helper->done, BEGIN_MILLISECONDS) != WAIT_OBJECT_0) {
        if (InterlockedCompareExchange(&helper->state, CALL_IS_GIVEN_UP, CALL_IS_WAITING) ==
            CALL_IS_WAITING)
            return ERROR_TIMEOUT;
        WaitForSingleObject(helper->done, INFINITE); /* it uses what is the caller's */
    }
    free_helper_call(helper);
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_call_as_process(void (*call)(void *context), void *context)
{
    helper_call *helper;
    HANDLE thread;

    if (!carries_token()) {
        call(context);
        return ERROR_SUCCESS;
    }
    helper = make_helper_call(call, context);
    if (!helper)
        return ERROR_NOT_ENOUGH_MEMORY;
    thread = CreateThread(NULL, 0, run_helper_call, helper, 0, NULL); /* without a token */
    if (!thread) {
        FreeLibrary(helper->module);
        free_helper_call(helper);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    CloseHandle(thread);
    return wait_for_helper_call(helper);
}

/* ---- Settings ---- */

/* Append ASCII text; false: too long. */
static bool append_to_path(wchar_t *text, size_t capacity, const char *more)
{
    size_t used = wcslen(text);

    for (; *more; more++) {
        if (used + 1 >= capacity)
            return false;
        text[used++] = (wchar_t)(unsigned char)*more;
    }
    text[used] = 0;
    return true;
}

static uint32_t open_settings(const char *service, HKEY *key)
{
    wchar_t path[64 + PRFDATA_MAX_SERVICE_CHARS] = L"SYSTEM\\CurrentControlSet\\Services\\";
    LSTATUS status;

    if (strchr(service, '\\') || !append_to_path(path, sizeof(path) / sizeof(path[0]), service) ||
        !append_to_path(path, sizeof(path) / sizeof(path[0]), "\\Performance"))
        return ERROR_FILE_NOT_FOUND;
    status = RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_QUERY_VALUE, key);
    return status == ERROR_PATH_NOT_FOUND ? ERROR_FILE_NOT_FOUND : (uint32_t)status;
}

/*
 * Read a value of one type.
 * Returns ERROR_INVALID_DATA if it has another type, ERROR_MORE_DATA if it does not fit; `*size`
 *         is the size then.
 */
static uint32_t query_setting(HKEY key, const char *name, DWORD type, void *bytes, DWORD *size)
{
    wchar_t wide_name[64] = L"";
    DWORD found_type = REG_NONE;
    LSTATUS status;

    if (!append_to_path(wide_name, sizeof(wide_name) / sizeof(wide_name[0]), name))
        return ERROR_FILE_NOT_FOUND;
    status = RegQueryValueExW(key, wide_name, NULL, &found_type, bytes, size);
    if ((status == ERROR_SUCCESS || status == ERROR_MORE_DATA) && found_type != type)
        return ERROR_INVALID_DATA;
    return (uint32_t)status;
}

uint32_t prfdata_os_setting_number(const char *service, const char *name, uint32_t *value)
{
    uint32_t number = 0;
    DWORD size = sizeof(number);
    HKEY key;
    uint32_t status = open_settings(service, &key);

    if (status != ERROR_SUCCESS)
        return status;
    status = query_setting(key, name, REG_DWORD, &number, &size);
    RegCloseKey(key);
    if (status == ERROR_MORE_DATA || (status == ERROR_SUCCESS && size != sizeof(number)))
        return ERROR_INVALID_DATA;
    if (status == ERROR_SUCCESS)
        *value = number;
    return status;
}

/* Returns ERROR_MORE_DATA if the value grew between the two queries: an installer wrote it. */
static uint32_t query_bytes(HKEY key, const char *name, DWORD type, size_t limit, void **bytes,
                            size_t *size)
{
    DWORD room = 0;
    void *content;
    uint32_t status = query_setting(key, name, type, NULL, &room);

    if (status != ERROR_SUCCESS)
        return status;
    if (room > limit)
        return ERROR_INVALID_DATA;
    content = malloc((size_t)room + 1); /* + 1: malloc(0) may return NULL */
    if (!content)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = query_setting(key, name, type, content, &room);
    if (status != ERROR_SUCCESS) {
        free(content);
        return status;
    }
    *bytes = content;
    *size = room;
    return ERROR_SUCCESS;
}

static uint32_t setting_of_type(const char *service, const char *name, DWORD type, size_t limit,
                                void **bytes, size_t *size)
{
    HKEY key;
    uint32_t status = open_settings(service, &key);

    if (status != ERROR_SUCCESS)
        return status;
    status = ERROR_MORE_DATA;
    for (int attempt = 0; attempt < 4 && status == ERROR_MORE_DATA; attempt++)
        status = query_bytes(key, name, type, limit, bytes, size);
    RegCloseKey(key);
    return status;
}

uint32_t prfdata_os_setting_bytes(const char *service, const char *name, size_t limit, void **bytes,
                                  size_t *size)
{
    return setting_of_type(service, name, REG_BINARY, limit, bytes, size);
}

uint32_t prfdata_os_setting_folder(const char *service, size_t limit, void **bytes, size_t *size)
{
    return setting_of_type(service, "Regions", REG_SZ, limit, bytes, size);
}

uint32_t prfdata_os_settings_stamp(const char *service, uint64_t *stamp)
{
    FILETIME written;
    HKEY key;
    uint32_t status = open_settings(service, &key);

    if (status != ERROR_SUCCESS)
        return status;
    status = (uint32_t)RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                        NULL, &written);
    RegCloseKey(key);
    if (status == ERROR_SUCCESS)
        *stamp = (uint64_t)written.dwHighDateTime << 32 | written.dwLowDateTime;
    return status;
}

/* ---- Opening files ---- */

/* No link is followed, and no oplock is waited for: a planted one would hang every reader. */
#define OPEN_PLAINLY                                                                               \
    (FILE_OPEN_REPARSE_POINT | FILE_COMPLETE_IF_OPLOCKED | FILE_SYNCHRONOUS_IO_NONALERT)

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

typedef struct opening {
    ACCESS_MASK access;
    ULONG share;
    ULONG disposition;
    ULONG options;
} opening;

static uint32_t status_of_ntstatus(NTSTATUS status)
{
    uint32_t error;

    switch (status) {
    case STATUS_DELETE_PENDING_: /* as good as gone */
        return ERROR_FILE_NOT_FOUND;
    case STATUS_FILE_IS_A_DIRECTORY_:
    case STATUS_NOT_A_DIRECTORY_:
        return ERROR_INVALID_DATA;
    default:
        break;
    }
    error = RtlNtStatusToDosError(status);
    if (error == ERROR_PATH_NOT_FOUND)
        return ERROR_FILE_NOT_FOUND;
    return error == ERROR_ALREADY_EXISTS ? ERROR_FILE_EXISTS : error;
}

/* Open `name`: relative to a folder, or (folder NULL) a path of the object manager. */
static uint32_t open_object(HANDLE folder, wchar_t *name, const opening *how, HANDLE *file)
{
    UNICODE_STRING text;
    OBJECT_ATTRIBUTES attributes;
    IO_STATUS_BLOCK result;
    HANDLE opened;
    NTSTATUS status;

    text.Buffer = name;
    text.Length = (USHORT)(wcslen(name) * sizeof(wchar_t));
    text.MaximumLength = text.Length;
    InitializeObjectAttributes(&attributes, &text, OBJ_CASE_INSENSITIVE, folder, NULL);
    status = NtCreateFile(&opened, how->access | SYNCHRONIZE, &attributes, &result, NULL,
                          FILE_ATTRIBUTE_NORMAL, how->share, how->disposition,
                          how->options | OPEN_PLAINLY, NULL, 0);
    if (status < 0)
        return status_of_ntstatus(status);
    if (status == STATUS_OPLOCK_BREAK_IN_PROGRESS_) { /* a success, but the next call may wait */
        CloseHandle(opened);
        return OPLOCK_BREAK_IN_PROGRESS_ERROR;
    }
    *file = opened;
    return ERROR_SUCCESS;
}

static uint32_t open_region(prfdata_os_directory *directory, const prfdata_os_name *name,
                            const opening *how, HANDLE *file)
{
    wchar_t wide[PRFDATA_OS_NAME_BYTES] = L"";

    if (!prfdata_os_name_is_valid(name) || !append_to_path(wide, PRFDATA_OS_NAME_BYTES, name->text))
        return ERROR_INVALID_PARAMETER;
    return open_object(directory->file, wide, how, file);
}

static uint32_t attributes_of(HANDLE file, DWORD *attributes)
{
    FILE_BASIC_INFO about;

    if (!GetFileInformationByHandleEx(file, FileBasicInfo, &about, sizeof(about)))
        return GetLastError();
    *attributes = about.FileAttributes;
    return ERROR_SUCCESS;
}

/* ERROR_INVALID_DATA: not a plain file. Asks the handle, because a folder's listing may be stale.
 */
static uint32_t check_plain(HANDLE file, uint64_t *size)
{
    static const DWORD strange = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE |
                                 FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_SPARSE_FILE |
                                 FILE_ATTRIBUTE_COMPRESSED | FILE_ATTRIBUTE_ENCRYPTED |
                                 FILE_ATTRIBUTE_OFFLINE | RECALL_ON_OPEN | RECALL_ON_DATA_ACCESS;
    LARGE_INTEGER bytes;
    DWORD attributes = 0;
    uint32_t status = attributes_of(file, &attributes);

    if (status != ERROR_SUCCESS)
        return status;
    if (attributes & strange)
        return ERROR_INVALID_DATA;
    if (!GetFileSizeEx(file, &bytes))
        return GetLastError();
    *size = (uint64_t)bytes.QuadPart;
    return ERROR_SUCCESS;
}

/* ---- The regions folder ---- */

#define REGIONS_CHARS 1024 /* far more than any path that the installer writes */

/* A drive, a colon, then names each after one backslash; nothing that would be normalised. */
static bool is_plain_path(const wchar_t *path)
{
    if (!((path[0] >= L'A' && path[0] <= L'Z') || (path[0] >= L'a' && path[0] <= L'z')) ||
        path[1] != L':' || path[2] != L'\\')
        return false;
    for (const wchar_t *rest = path + 2; *rest; rest++) {
        if (*rest == L'/' || *rest == L':')
            return false;
        if (*rest == L'\\' && (rest[1] == L'\\' || rest[1] == L'.'))
            return false;
    }
    return true;
}

/* Read the folder's path and append it to `path`. */
static uint32_t append_regions_path(const char *service, wchar_t *path, size_t capacity)
{
    size_t used = wcslen(path);
    wchar_t *text = path + used;
    DWORD size = (DWORD)((capacity - used - 1) * sizeof(wchar_t));
    size_t chars;
    HKEY key;
    uint32_t status = open_settings(service, &key);

    if (status != ERROR_SUCCESS)
        return status;
    status = query_setting(key, "Regions", REG_SZ, text, &size);
    RegCloseKey(key);
    if (status != ERROR_SUCCESS)
        return status == ERROR_MORE_DATA ? ERROR_INVALID_DATA : status;

    chars = size / sizeof(wchar_t);
    text[chars] = 0; /* values may lack it */
    if (chars > 0 && text[chars - 1] == 0)
        chars--;
    if (wcslen(text) != chars || !is_plain_path(text))
        return ERROR_INVALID_DATA;
    if (chars > 3 && text[chars - 1] == L'\\')
        text[chars - 1] = 0;
    return ERROR_SUCCESS;
}

static uint32_t check_real_directory(HANDLE file)
{
    DWORD attributes = 0;
    uint32_t status = attributes_of(file, &attributes);

    if (status != ERROR_SUCCESS)
        return status;
    if (!(attributes & FILE_ATTRIBUTE_DIRECTORY) || (attributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return ERROR_INVALID_DATA;
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_directory_open(const char *service, prfdata_os_directory **directory)
{
    static const opening how = {FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES, SHARE_ALL, FILE_OPEN,
                                FILE_DIRECTORY_FILE};
    wchar_t path[REGIONS_CHARS] = L"\\??\\";
    prfdata_os_directory *opened;
    uint32_t status;

    /* A client that this thread impersonates may have drive letters of its own in \??\. */
    if (carries_token())
        wcscpy(path, L"\\GLOBAL??\\");
    status = append_regions_path(service, path, REGIONS_CHARS);

    if (status != ERROR_SUCCESS)
        return status;
    opened = calloc(1, sizeof(*opened));
    if (!opened)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = open_object(NULL, path, &how, &opened->file);
    if (status != ERROR_SUCCESS)
        goto free_directory;
    status = check_real_directory(opened->file);
    if (status != ERROR_SUCCESS)
        goto close_file;
    *directory = opened;
    return ERROR_SUCCESS;
close_file:
    CloseHandle(opened->file);
free_directory:
    free(opened);
    return status;
}

void prfdata_os_directory_close(prfdata_os_directory *directory)
{
    if (!directory)
        return;
    CloseHandle(directory->file);
    free(directory);
}

/* FILE_NAMES_INFORMATION, which not every winternl.h has. */
typedef struct folder_entry {
    ULONG next_offset;
    ULONG index;
    ULONG name_bytes;
    WCHAR name[1];
} folder_entry;

static void look_at_entry(prfdata_os_listing *listing, const folder_entry *entry, bool *over)
{
    size_t chars = entry->name_bytes / sizeof(wchar_t);
    size_t kept = chars < PRFDATA_OS_NAME_CHARS ? chars : PRFDATA_OS_NAME_CHARS;
    char text[PRFDATA_OS_NAME_BYTES] = "";

    for (size_t i = 0; i < kept; i++)
        text[i] = entry->name[i] < 0x80 ? (char)entry->name[i] : '?';
    if (chars > kept)
        text[kept - 1] = '?'; /* too long for a region's name, but counted as looked at */
    *over = !prfdata_os_listing_look(listing, text, kept);
}

static uint32_t list_entries(HANDLE file, wchar_t *pattern, prfdata_os_listing *listing)
{
    union {
        folder_entry entry;
        unsigned char bytes[8192];
    } buffer;
    UNICODE_STRING text = {(USHORT)(wcslen(pattern) * sizeof(wchar_t)), 0, pattern};
    bool over = false;

    text.MaximumLength = text.Length;
    while (!over) {
        size_t offset = 0;
        const folder_entry *entry;
        IO_STATUS_BLOCK result;
        NTSTATUS status =
            NtQueryDirectoryFile(file, NULL, NULL, NULL, &result, &buffer, sizeof(buffer),
                                 FILE_NAMES_INFORMATION_, FALSE, &text, FALSE);

        if (status == STATUS_NO_MORE_FILES_ || status == STATUS_NO_SUCH_FILE_)
            return ERROR_SUCCESS;
        if (status < 0)
            return status_of_ntstatus(status);
        do {
            entry = (const folder_entry *)(const void *)(buffer.bytes + offset);
            look_at_entry(listing, entry, &over);
            offset += entry->next_offset;
        } while (!over && entry->next_offset != 0);
    }
    return ERROR_SUCCESS;
}

/* `pattern`: the system leaves out what does not match, so that it costs nothing here. */
static uint32_t list_matching(const prfdata_os_directory *directory, wchar_t *pattern,
                              prfdata_os_listing *listing)
{
    static const opening how = {FILE_LIST_DIRECTORY, SHARE_ALL, FILE_OPEN, FILE_DIRECTORY_FILE};
    wchar_t same[] = L"";
    HANDLE file = NULL;
    uint32_t status;

    /* Opened again, because the position in the listing belongs to the handle. */
    status = open_object(directory->file, same, &how, &file);
    if (status != ERROR_SUCCESS)
        return status;
    status = list_entries(file, pattern, listing);
    CloseHandle(file);
    return status;
}

/* Question marks in place of the digits from `first` to before `end`. */
static void mask_digits(wchar_t *pattern, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (pattern[i] != L'-')
            pattern[i] = L'?';
}

static uint32_t list_pattern_names(const prfdata_os_directory *directory,
                                   prfdata_os_listing *listing, size_t *count, bool *more)
{
    wchar_t pattern[PRFDATA_OS_NAME_BYTES] = L"";
    uint32_t status;

    append_to_path(pattern, PRFDATA_OS_NAME_BYTES, listing->first.text);
    mask_digits(pattern, listing->is_of_others ? 0 : PRFDATA_OS_NAME_PREFIX_CHARS,
                PRFDATA_OS_NAME_PREFIX_CHARS + 16);
    status = list_matching(directory, pattern, listing);
    if (status == ERROR_SUCCESS)
        prfdata_os_listing_finish(listing, count, more);
    return status;
}

uint32_t prfdata_os_directory_list(prfdata_os_directory *directory, uint64_t boot,
                                   prfdata_os_name *names, size_t capacity, size_t *count,
                                   bool *more)
{
    prfdata_os_listing listing;

    prfdata_os_listing_init(&listing, boot, false, names, capacity);
    return list_pattern_names(directory, &listing, count, more);
}

uint32_t prfdata_os_directory_list_others(prfdata_os_directory *directory, uint64_t boot,
                                          prfdata_os_name *names, size_t capacity, size_t *count,
                                          bool *more)
{
    prfdata_os_listing listing;

    prfdata_os_listing_init(&listing, boot, true, names, capacity);
    return list_pattern_names(directory, &listing, count, more);
}

/* ---- Where a file really is, and whose it is ---- */

#define FINAL_CHARS (2 * REGIONS_CHARS) /* short names may have become long ones */

static bool get_final_path(HANDLE file, wchar_t *path)
{
    DWORD chars =
        GetFinalPathNameByHandleW(file, path, FINAL_CHARS, VOLUME_NAME_NT | FILE_NAME_OPENED);

    return chars > 0 && chars < FINAL_CHARS;
}

static bool equal_ignoring_case(const wchar_t *a, const wchar_t *b, size_t chars)
{
    return CompareStringOrdinal(a, (int)chars, b, (int)chars, TRUE) == CSTR_EQUAL;
}

static bool is_virtual_store(const wchar_t *path)
{
    static const wchar_t part[] = L"\\AppData\\Local\\VirtualStore\\";
    size_t part_chars = sizeof(part) / sizeof(part[0]) - 1, path_chars = wcslen(path);

    for (size_t i = 0; i + part_chars <= path_chars; i++) {
        if (equal_ignoring_case(path + i, part, part_chars))
            return true;
    }
    return false;
}

/*
 * Whether the file is where it was asked for. Windows silently redirects old 32-bit programs,
 * which have no manifest, to a folder of the user's; no reader would look there.
 */
static bool is_inside(const prfdata_os_directory *directory, HANDLE file,
                      const prfdata_os_name *name)
{
    wchar_t expected[FINAL_CHARS], found[FINAL_CHARS];
    size_t chars;

    if (!get_final_path(directory->file, expected) || !get_final_path(file, found))
        return false;
    chars = wcslen(expected);
    if (chars > 0 && expected[chars - 1] != L'\\' && !append_to_path(expected, FINAL_CHARS, "\\"))
        return false;
    if (!append_to_path(expected, FINAL_CHARS, name->text))
        return false;
    chars = wcslen(expected);
    return wcslen(found) == chars && equal_ignoring_case(found, expected, chars) &&
           !is_virtual_store(found);
}

typedef union sid_buffer {
    TOKEN_USER user;
    TOKEN_OWNER owner;
    SECURITY_DESCRIPTOR_RELATIVE descriptor;
    unsigned char bytes[sizeof(TOKEN_USER) + sizeof(SECURITY_DESCRIPTOR) + SECURITY_MAX_SID_SIZE];
} sid_buffer;

static HANDLE open_token(void)
{
    HANDLE token = NULL;

    if (!OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token) &&
        GetLastError() == ERROR_NO_TOKEN)
        (void)OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token);
    return token;
}

/* Elevated administrators' files belong to the group: the token's default owner. */
static bool is_token_owner(HANDLE token, PSID owner)
{
    sid_buffer buffer;
    DWORD size;

    if (GetTokenInformation(token, TokenUser, &buffer, sizeof(buffer), &size) &&
        EqualSid(owner, buffer.user.User.Sid))
        return true;
    return GetTokenInformation(token, TokenOwner, &buffer, sizeof(buffer), &size) &&
           EqualSid(owner, buffer.owner.Owner);
}

static bool is_own_account_file(HANDLE file)
{
    sid_buffer buffer;
    PSID owner = NULL;
    BOOL defaulted;
    DWORD size;
    HANDLE token;
    bool ours;

    if (!GetKernelObjectSecurity(file, OWNER_SECURITY_INFORMATION, &buffer, sizeof(buffer),
                                 &size) ||
        !GetSecurityDescriptorOwner(&buffer, &owner, &defaulted) || !owner)
        return false;
    token = open_token();
    if (!token)
        return false;
    ours = is_token_owner(token, owner);
    CloseHandle(token);
    return ours;
}

/* ---- Region files and their views ---- */

/* Sharing reading only: the program that has it open like this is the owner. */
#define OWNER_ACCESS                                                                               \
    (FILE_READ_DATA | FILE_WRITE_DATA | FILE_READ_ATTRIBUTES | READ_CONTROL | DELETE)

/* `size` is the whole file's: the caller has just asked. */
static uint32_t map_section(HANDLE file, uint64_t size, bool writable, uint8_t **bytes)
{
    HANDLE section;
    uint8_t *view;
    uint32_t status = ERROR_SUCCESS;

    if (size > SIZE_MAX)
        return ERROR_NOT_ENOUGH_MEMORY;
    section = CreateFileMappingW(file, NULL, writable ? PAGE_READWRITE : PAGE_READONLY,
                                 (DWORD)(size >> 32), (DWORD)size, NULL);
    if (!section)
        return GetLastError();
    view = MapViewOfFile(section, writable ? FILE_MAP_READ | FILE_MAP_WRITE : FILE_MAP_READ, 0, 0,
                         (SIZE_T)size);
    if (view)
        *bytes = view;
    else
        status = GetLastError();
    CloseHandle(section); /* the view, if there is one, keeps the section alive */
    return status;
}

static uint32_t mark_deleted(HANDLE file)
{
    FILE_DISPOSITION_INFO disposition = {TRUE};

    return SetFileInformationByHandle(file, FileDispositionInfo, &disposition, sizeof(disposition))
               ? ERROR_SUCCESS
               : GetLastError();
}

/* Files made in a compressed folder are compressed: allocated only as they are written. */
static void uncompress(HANDLE file)
{
    USHORT format = COMPRESSION_FORMAT_NONE;
    DWORD attributes = 0, returned;

    if (attributes_of(file, &attributes) == ERROR_SUCCESS &&
        (attributes & FILE_ATTRIBUTE_COMPRESSED))
        (void)DeviceIoControl(file, FSCTL_SET_COMPRESSION, &format, sizeof(format), NULL, 0,
                              &returned, NULL);
}

static uint32_t write_zeros(HANDLE file, uint64_t size)
{
    static unsigned char zeros[65536]; /* not const: as constants they are bytes of each program */
    DWORD written;

    while (size > 0) {
        DWORD part = size < sizeof(zeros) ? (DWORD)size : (DWORD)sizeof(zeros);

        if (!WriteFile(file, zeros, part, &written, NULL))
            return GetLastError();
        if (written == 0)
            return ERROR_DISK_FULL;
        size -= written;
    }
    return ERROR_SUCCESS;
}

/* NTFS allocates with the size. Where the system did not, the zeros are written. */
static uint32_t allocate_file_bytes(HANDLE file, uint64_t size)
{
    FILE_END_OF_FILE_INFO end;
    FILE_STANDARD_INFO about;

    if (size > INT64_MAX)
        return ERROR_DISK_FULL;
    end.EndOfFile.QuadPart = (LONGLONG)size;
    if (!SetFileInformationByHandle(file, FileEndOfFileInfo, &end, sizeof(end)) ||
        !GetFileInformationByHandleEx(file, FileStandardInfo, &about, sizeof(about)))
        return GetLastError();
    return about.AllocationSize.QuadPart < (LONGLONG)size ? write_zeros(file, size) : ERROR_SUCCESS;
}

static uint32_t fill_new(const prfdata_os_directory *directory, const prfdata_os_name *name,
                         HANDLE file, uint64_t size, uint8_t **bytes)
{
    uint64_t present;
    uint32_t status;

    if (!is_inside(directory, file, name))
        return ERROR_ACCESS_DENIED;
    uncompress(file);
    status = check_plain(file, &present);
    if (status != ERROR_SUCCESS)
        return status;
    status = allocate_file_bytes(file, size);
    if (status != ERROR_SUCCESS)
        return status;
    return map_section(file, size, true, bytes);
}

uint32_t prfdata_os_region_create(prfdata_os_directory *directory, const prfdata_os_name *name,
                                  uint64_t size, prfdata_os_region *region)
{
    static const opening how = {OWNER_ACCESS, FILE_SHARE_READ, FILE_CREATE,
                                FILE_NON_DIRECTORY_FILE};
    uint8_t *bytes = NULL;
    HANDLE file;
    uint32_t status;

    if (size == 0)
        return ERROR_INVALID_PARAMETER;
    status = open_region(directory, name, &how, &file);
    if (status != ERROR_SUCCESS)
        return status;
    status = fill_new(directory, name, file, size, &bytes);
    if (status != ERROR_SUCCESS) {
        (void)mark_deleted(file);
        CloseHandle(file);
        return status;
    }
    region->bytes = bytes;
    region->size = size;
    region->owner = (intptr_t)file;
    return ERROR_SUCCESS;
}

static uint32_t check_takeable(const prfdata_os_directory *directory, const prfdata_os_name *name,
                               HANDLE file, uint64_t *size)
{
    uint32_t status = check_plain(file, size);

    if (status == ERROR_INVALID_DATA)
        return ERROR_ACCESS_DENIED;
    if (status != ERROR_SUCCESS)
        return status;
    return is_own_account_file(file) && is_inside(directory, file, name) ? ERROR_SUCCESS
                                                                         : ERROR_ACCESS_DENIED;
}

/* The errors of opening a region file for deleting or taking over. */
static uint32_t status_of_owning(uint32_t status)
{
    switch (status) {
    case OPLOCK_BREAK_IN_PROGRESS_ERROR:
        return ERROR_SHARING_VIOLATION;
    case ERROR_INVALID_DATA: /* not a plain file */
        return ERROR_ACCESS_DENIED;
    default:
        return status;
    }
}

uint32_t prfdata_os_region_take(prfdata_os_directory *directory, const prfdata_os_name *name,
                                prfdata_os_region *region)
{
    static const opening how = {OWNER_ACCESS, FILE_SHARE_READ, FILE_OPEN, FILE_NON_DIRECTORY_FILE};
    uint8_t *bytes = NULL;
    uint64_t size = 0;
    HANDLE file;
    uint32_t status = status_of_owning(open_region(directory, name, &how, &file));

    if (status != ERROR_SUCCESS)
        return status;
    status = check_takeable(directory, name, file, &size);
    if (status == ERROR_SUCCESS && size > 0)
        status = map_section(file, size, true, &bytes);
    if (status != ERROR_SUCCESS) {
        CloseHandle(file);
        return status;
    }
    region->bytes = bytes;
    region->size = size;
    region->owner = (intptr_t)file;
    return ERROR_SUCCESS;
}

/* The access list says who may delete it. An owner does not share deleting. */
uint32_t prfdata_os_region_remove(prfdata_os_directory *directory, const prfdata_os_name *name)
{
    static const opening how = {DELETE | FILE_READ_ATTRIBUTES, FILE_SHARE_READ, FILE_OPEN,
                                FILE_NON_DIRECTORY_FILE};
    uint64_t size;
    HANDLE file;
    uint32_t status = status_of_owning(open_region(directory, name, &how, &file));

    if (status != ERROR_SUCCESS)
        return status;
    status = status_of_owning(check_plain(file, &size));
    if (status == ERROR_SUCCESS && mark_deleted(file) != ERROR_SUCCESS)
        status = ERROR_SHARING_VIOLATION; /* a reader has a view */
    CloseHandle(file);
    return status;
}

void prfdata_os_region_delete(prfdata_os_directory *directory, const prfdata_os_name *name,
                              prfdata_os_region *region)
{
    (void)directory;
    (void)name;
    if (region->bytes) { /* first: a mapped file cannot be deleted */
        UnmapViewOfFile(region->bytes);
        region->bytes = NULL;
    }
    if (region->owner != -1)
        (void)mark_deleted((HANDLE)region->owner);
    prfdata_os_region_close(region);
}

void prfdata_os_region_close(prfdata_os_region *region)
{
    static const prfdata_os_region none = PRFDATA_OS_REGION_NONE;

    if (region->bytes)
        UnmapViewOfFile(region->bytes);
    if (region->owner != -1)
        CloseHandle((HANDLE)region->owner);
    *region = none;
}

/*
 * Zero where the system does not provide one: then all files of a volume count as the same. The
 * 64 bits of Windows 7 are too few on ReFS.
 */
static prfdata_os_file_id read_file_id(HANDLE file)
{
    const FILE_INFO_BY_HANDLE_CLASS id_info = (FILE_INFO_BY_HANDLE_CLASS)18; /* FileIdInfo */
    BY_HANDLE_FILE_INFORMATION about;
    prfdata_os_file_id id;

    static_assert(sizeof(id) == 24, "FILE_ID_INFO: volume and 128 bits");
    memset(&id, 0, sizeof(id));
    if (!GetFileInformationByHandleEx(file, id_info, &id, sizeof(id)) &&
        GetFileInformationByHandle(file, &about)) {
        id.volume = about.dwVolumeSerialNumber;
        id.file[0] = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow;
    }
    return id;
}

static bool is_file_of(HANDLE file, const prfdata_os_region *view)
{
    prfdata_os_file_id id = read_file_id(file);

    return memcmp(&id, &view->file_id, sizeof(id)) == 0;
}

uint32_t prfdata_os_region_attach(prfdata_os_directory *directory, const prfdata_os_name *name,
                                  uint64_t limit, prfdata_os_region *region)
{
    static const opening how = {FILE_READ_DATA | FILE_READ_ATTRIBUTES, SHARE_ALL, FILE_OPEN,
                                FILE_NON_DIRECTORY_FILE};
    uint8_t *bytes = NULL;
    uint64_t size = 0;
    HANDLE file;
    uint32_t status = open_region(directory, name, &how, &file);

    if (status != ERROR_SUCCESS)
        return status;
    status = check_plain(file, &size);
    if (status == ERROR_SUCCESS && (size == 0 || size > limit))
        status = ERROR_INVALID_DATA;
    if (status == ERROR_SUCCESS)
        status = map_section(file, size, false, &bytes);
    if (status == ERROR_SUCCESS) {
        region->bytes = bytes;
        region->size = size;
        region->owner = -1;
        region->file_id = read_file_id(file);
    }
    CloseHandle(file);
    return status;
}

/* Whether another file has the name now. False where not even the attributes may be read. */
static bool is_name_replaced(prfdata_os_directory *directory, const prfdata_os_name *name,
                             const prfdata_os_region *view)
{
    static const opening how = {FILE_READ_ATTRIBUTES, SHARE_ALL, FILE_OPEN, 0};
    bool replaced;
    HANDLE file;

    if (open_region(directory, name, &how, &file) != ERROR_SUCCESS)
        return false;
    replaced = !is_file_of(file, view);
    CloseHandle(file);
    return replaced;
}

/*
 * Another program has the file open and refuses us: an owner, or a reader that refuses every other
 * one. An open that shares everything shows which: an owner, who shares reading, lets it in.
 */
static uint32_t probe_refused(prfdata_os_directory *directory, const prfdata_os_name *name,
                              const prfdata_os_region *view, bool *alive)
{
    static const opening how = {FILE_READ_DATA | FILE_READ_ATTRIBUTES, SHARE_ALL, FILE_OPEN,
                                FILE_NON_DIRECTORY_FILE};
    HANDLE file;
    uint32_t status = open_region(directory, name, &how, &file);

    if (status != ERROR_SUCCESS)
        return status;
    if (view && !is_file_of(file, view))
        status = ERROR_FILE_NOT_FOUND;
    else
        *alive = true;
    CloseHandle(file);
    return status;
}

static uint32_t probe_sharing(prfdata_os_directory *directory, const prfdata_os_name *name,
                              const prfdata_os_region *view, bool *alive)
{
    static const opening how = {FILE_READ_DATA | FILE_READ_ATTRIBUTES,
                                FILE_SHARE_READ | FILE_SHARE_DELETE, FILE_OPEN,
                                FILE_NON_DIRECTORY_FILE};
    uint64_t size;
    HANDLE file;
    uint32_t status = open_region(directory, name, &how, &file);

    if (status == ERROR_SHARING_VIOLATION)
        return probe_refused(directory, name, view, alive);
    if (status == ERROR_SUCCESS) {
        status = check_plain(file, &size);
        if (view && !is_file_of(file, view))
            status = ERROR_FILE_NOT_FOUND;
        CloseHandle(file);
    }
    if (status == ERROR_INVALID_DATA)
        return ERROR_ACCESS_DENIED;
    if (status == ERROR_SUCCESS)
        *alive = false;
    return status;
}

uint32_t prfdata_os_region_probe(prfdata_os_directory *directory, const prfdata_os_name *name,
                                 const prfdata_os_region *view, bool *alive)
{
    uint32_t status = probe_sharing(directory, name, view, alive);

    if (status != ERROR_SUCCESS && view && is_name_replaced(directory, name, view))
        return ERROR_FILE_NOT_FOUND;
    return status;
}
