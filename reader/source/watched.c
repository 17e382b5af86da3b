/* SPDX-License-Identifier: MIT */
/* Reads each state that watched.h lists, and restores those that a number can restore. */
#include "source/watched.h"

#include <io.h>
#include <locale.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include "base/fnv.h"

#define TEXT_CHARS 512u

static uint64_t hash_watched_text(const wchar_t *text)
{
    return prfdata_fnv_add(PRFDATA_FNV_START, text, wcslen(text) * sizeof *text);
}

/* ---- The thread ---- */

/* Return a hash of the token with which the thread impersonates a user; 0: the thread impersonates
 * nobody. A copy of the token with the same rights has the same hash. */
static uint64_t read_token(void)
{
    TOKEN_STATISTICS is = {0};
    DWORD bytes = 0;
    HANDLE token;

    if (!OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token))
        return 0;
    (void)GetTokenInformation(token, TokenStatistics, &is, sizeof is, &bytes);
    CloseHandle(token);
    return prfdata_fnv_add(
        prfdata_fnv_add(PRFDATA_FNV_START, &is.AuthenticationId, sizeof is.AuthenticationId),
        (DWORD[]){(DWORD)is.ImpersonationLevel, is.GroupCount, is.PrivilegeCount},
        3 * sizeof(DWORD));
}

/* Returns 1 if this thread has initialised COM; an implicit initialisation by another thread does
 * not count. Returns 0 without ole32.dll. */
static uint64_t read_com(void)
{
    enum { IMPLICIT = 1 }; /* APTTYPEQUALIFIER_IMPLICIT_MTA: another thread initialised it */
    typedef HRESULT(WINAPI * get_apartment)(int *type, int *qualifier);
    HMODULE ole = GetModuleHandleW(L"ole32.dll");
    const FARPROC found = ole ? GetProcAddress(ole, "CoGetApartmentType") : NULL;
    get_apartment get;
    int type;
    int qualifier;

    memcpy(&get, &found, sizeof get);
    return get && get(&type, &qualifier) == S_OK && qualifier != IMPLICIT;
}

static uint64_t read_locale(void)
{
    return GetThreadLocale();
}

static void restore_locale(uint64_t value)
{
    SetThreadLocale((LCID)value);
}

/* No test covers this function, nor read_affinity(), because the machine that runs Wine may have
 * only one processor. */
static uint64_t read_thread_affinity(void)
{
    GROUP_AFFINITY affinity;

    memset(&affinity, 0, sizeof affinity);
    return GetThreadGroupAffinity(GetCurrentThread(), &affinity)
               ? prfdata_fnv_add(affinity.Group, &affinity.Mask, sizeof affinity.Mask)
               : 0;
}

/* Untested, because Wine 8 keeps no language per thread. */
static uint64_t read_language(void)
{
    return GetThreadUILanguage();
}

static void restore_language(uint64_t value)
{
    SetThreadUILanguage((LANGID)value);
}

static uint64_t read_fiber(void)
{
    return IsThreadAFiber() != FALSE;
}

static void restore_fiber(uint64_t value)
{
    if (!value)
        (void)ConvertFiberToThread();
}

#define AWAKE_STATES ((DWORD)(ES_SYSTEM_REQUIRED | ES_DISPLAY_REQUIRED | ES_AWAYMODE_REQUIRED))

static SRWLOCK awake_lock = SRWLOCK_INIT;

static void restore_awake(uint64_t value)
{
    (void)SetThreadExecutionState((DWORD)ES_CONTINUOUS | ((DWORD)value & AWAKE_STATES));
}

/* Return what the thread keeps awake: the system, the display. This state can only be read by
 * setting it. The lock is needed because in Wine all threads share one state. */
static uint64_t read_awake(void)
{
    DWORD state;

    AcquireSRWLockExclusive(&awake_lock);
    state = SetThreadExecutionState((DWORD)ES_CONTINUOUS) & AWAKE_STATES;
    restore_awake(state);
    ReleaseSRWLockExclusive(&awake_lock);
    return state;
}

/* Run the APCs that wait for this thread, and return 1 if there were any. Windows has no other way
 * to find them. */
static uint64_t run_waiting_calls(void)
{
    return SleepEx(0, TRUE) == WAIT_IO_COMPLETION;
}

/* ---- The process ---- */

static uint64_t read_directory(void)
{
    wchar_t text[TEXT_CHARS];
    const DWORD chars = GetCurrentDirectoryW(TEXT_CHARS, text);

    return chars == 0 || chars >= TEXT_CHARS ? chars : hash_watched_text(text);
}

static uint64_t read_priority_class(void)
{
    return GetPriorityClass(GetCurrentProcess());
}

static void restore_priority_class(uint64_t value)
{
    SetPriorityClass(GetCurrentProcess(), (DWORD)value);
}

static uint64_t read_affinity(void)
{
    DWORD_PTR process = 0;
    DWORD_PTR machine = 0;

    return GetProcessAffinityMask(GetCurrentProcess(), &process, &machine) ? process : 0;
}

static void restore_affinity(uint64_t value)
{
    SetProcessAffinityMask(GetCurrentProcess(), (DWORD_PTR)value);
}

static uint64_t read_privileges(void)
{
    DWORD room[512]; /* enough, because there are about 40 privileges */
    DWORD bytes = 0;
    HANDLE token;

    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return 0;
    if (!GetTokenInformation(token, TokenPrivileges, room, sizeof room, &bytes))
        bytes = 0;
    CloseHandle(token);
    return prfdata_fnv_add(PRFDATA_FNV_START, room, bytes);
}

static uint64_t read_library_folder(void)
{
    wchar_t text[TEXT_CHARS];
    const DWORD chars = GetDllDirectoryW(TEXT_CHARS, text);

    return chars == 0 || chars >= TEXT_CHARS ? chars : hash_watched_text(text);
}

/*
 * Return the environment that the process had at the first call of this function. Only variables of
 * this environment are watched, because a variable that a provider adds disturbs no other code.
 */
static const wchar_t *first_environment(void)
{
    static void *volatile kept;
    wchar_t *now;

    if (kept)
        return kept;
    now = GetEnvironmentStringsW();
    if (now && InterlockedCompareExchangePointer(&kept, now, NULL) != NULL)
        FreeEnvironmentStringsW(now);
    return kept;
}

/*
 * Return the hash of the variable's current value. A variable that no longer exists counts as
 * empty. If the value is too long, return its length.
 */
static uint64_t hash_variable(const wchar_t *line, size_t name_chars)
{
    static const wchar_t nothing[] = L"";
    wchar_t name[TEXT_CHARS];
    wchar_t value[8 * TEXT_CHARS];
    DWORD chars;

    if (name_chars == 0 || name_chars >= TEXT_CHARS) /* "=C:=C:\folder" is not a variable */
        return 0;
    memcpy(name, line, name_chars * sizeof *name);
    name[name_chars] = 0;
    chars = GetEnvironmentVariableW(name, value, 8 * TEXT_CHARS);
    return chars >= 8 * TEXT_CHARS ? chars : hash_watched_text(chars > 0 ? value : nothing);
}

static uint64_t read_environment(void)
{
    const wchar_t *line = first_environment();
    uint64_t hash = PRFDATA_FNV_START;

    for (; line && line[0]; line += wcslen(line) + 1) {
        const uint64_t value = hash_variable(line, wcscspn(line, L"="));

        hash = prfdata_fnv_add(hash, &value, sizeof value);
    }
    return hash;
}

static uint64_t read_standard_handles(void)
{
    const HANDLE handles[] = {GetStdHandle(STD_INPUT_HANDLE), GetStdHandle(STD_OUTPUT_HANDLE),
                              GetStdHandle(STD_ERROR_HANDLE)};

    return prfdata_fnv_add(PRFDATA_FNV_START, handles, sizeof handles);
}

static HANDLE output; /* the watched output file; NULL: not watched */

void prfdata_watched_begin_output(void)
{
    wchar_t folder[MAX_PATH];
    wchar_t path[MAX_PATH];
    HANDLE file;
    int copy;

    if (GetTempPathW(MAX_PATH, folder) == 0 || !GetTempFileNameW(folder, L"prf", 0, path))
        return;
    file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE | DELETE,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, CREATE_ALWAYS,
                       FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (file == INVALID_HANDLE_VALUE) {
        DeleteFileW(path);
        return;
    }
    SetStdHandle(STD_OUTPUT_HANDLE, file);
    /* Let the C library write to the file too, because providers may share it with this program. */
    copy = _open_osfhandle((intptr_t)file, 0);
    if (copy >= 0)
        (void)_dup2(copy, 1);
    output = file;
}

/* Read the file's size. Output that is still in a C library's buffer does not count yet. */
static uint64_t read_output(void)
{
    LARGE_INTEGER size;

    return output && GetFileSizeEx(output, &size) ? (uint64_t)size.QuadPart : 0;
}

/* Read the locale of the C library that this program and the provider may share. */
static uint64_t read_c_locale(void)
{
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): this call looks for changes that other threads make */
    const char *name = setlocale(LC_ALL, NULL);

    return name ? prfdata_fnv_add(PRFDATA_FNV_START, name, strlen(name)) : 0;
}

/* ---- The table ---- */

static const struct {
    const char *name;
    uint64_t (*read)(void);
    void (*restore)(uint64_t value); /* NULL: the number is not enough to restore the state */
} table[PRFDATA_WATCHED_COUNT] = {
    [PRFDATA_WATCHED_TOKEN] = {"whom the thread impersonates", read_token, NULL},
    [PRFDATA_WATCHED_COM] = {"whether COM is initialised on the thread", read_com, NULL},
    [PRFDATA_WATCHED_LOCALE] = {"the thread's locale", read_locale, restore_locale},
    [PRFDATA_WATCHED_THREAD_AFFINITY] = {"the thread's affinity", read_thread_affinity, NULL},
    [PRFDATA_WATCHED_LANGUAGE] = {"the thread's language", read_language, restore_language},
    [PRFDATA_WATCHED_FIBER] = {"whether the thread is a fiber", read_fiber, restore_fiber},
    [PRFDATA_WATCHED_AWAKE] = {"what the thread keeps awake", read_awake, restore_awake},
    [PRFDATA_WATCHED_WAITING_CALLS] = {"the calls that wait for the thread (APCs)",
                                       run_waiting_calls, NULL},
    [PRFDATA_WATCHED_DIRECTORY] = {"the current directory", read_directory, NULL},
    [PRFDATA_WATCHED_PRIORITY_CLASS] = {"the priority class", read_priority_class,
                                        restore_priority_class},
    [PRFDATA_WATCHED_AFFINITY] = {"the process's affinity", read_affinity, restore_affinity},
    [PRFDATA_WATCHED_PRIVILEGES] = {"the enabled privileges", read_privileges, NULL},
    [PRFDATA_WATCHED_LIBRARY_FOLDER] = {"the folder of SetDllDirectory", read_library_folder, NULL},
    [PRFDATA_WATCHED_ENVIRONMENT] = {"an environment variable", read_environment, NULL},
    [PRFDATA_WATCHED_STANDARD_HANDLES] = {"a standard handle", read_standard_handles, NULL},
    [PRFDATA_WATCHED_OUTPUT] = {"what is in standard output", read_output, NULL},
    [PRFDATA_WATCHED_C_LOCALE] = {"the C library's locale", read_c_locale, NULL},
};

const char *prfdata_watched_name(prfdata_watched watched)
{
    return table[watched].name;
}

bool prfdata_watched_is_of_thread(prfdata_watched watched)
{
    return watched <= PRFDATA_WATCHED_WAITING_CALLS;
}

void prfdata_watched_read(prfdata_watched_values *values)
{
    for (int i = 0; i < PRFDATA_WATCHED_COUNT; i++)
        values->of[i] = table[i].read();
}

void prfdata_watched_restore(const prfdata_watched_values *before,
                             const prfdata_watched_values *after)
{
    for (int i = 0; i < PRFDATA_WATCHED_COUNT; i++) {
        if (table[i].restore && before->of[i] != after->of[i])
            table[i].restore(before->of[i]);
    }
}
