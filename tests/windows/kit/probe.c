/* SPDX-License-Identifier: MIT */
/* Implements the kit's provider. It records how it is called (trail.h). A value in its Performance
 * key names the answer that it gives (probe.h). Some answers are invalid. The provider is
 * registered only during the minutes of a run. It writes to a file that the kit has made in a
 * folder where only administrators can make files. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <sddl.h>
#include <winperf.h>

#include "providers/reply_room.h"

#include "probe.h"
#include "trail.h"

DWORD APIENTRY ProbeOpen(LPWSTR names);
DWORD APIENTRY ProbeCollect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects);
DWORD APIENTRY ProbeClose(void);

typedef enum probe_answer {
#define PROBE_ENUMERATOR(name) PROBE_##name,
    PROBE_ANSWERS(PROBE_ENUMERATOR)
#undef PROBE_ENUMERATOR
        PROBE_ANSWER_COUNT
} probe_answer;

typedef struct probe_reply {
    reply_room room;
    DWORD object;
    DWORD first; /* the object's title index */
} probe_reply;

static volatile LONG samples;

/* ---- The registry ---- */

static DWORD read_value(const wchar_t *name, DWORD type, void *value, DWORD bytes)
{
    HKEY key;
    LONG status;
    DWORD found;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, PROBE_PERFORMANCE, 0, KEY_QUERY_VALUE, &key) != 0)
        return 0;
    status = RegQueryValueExW(key, name, NULL, &found, value, &bytes);
    RegCloseKey(key);
    return status == ERROR_SUCCESS && found == type ? bytes : 0;
}

static void read_text(const wchar_t *name, wchar_t *text, DWORD chars)
{
    DWORD bytes = read_value(name, REG_SZ, text, (chars - 1) * (DWORD)sizeof *text);

    text[bytes / sizeof *text] = 0;
}

static DWORD read_number(const wchar_t *name, DWORD otherwise)
{
    DWORD number = otherwise;

    return read_value(name, REG_DWORD, &number, sizeof number) == sizeof number ? number
                                                                                : otherwise;
}

static probe_answer chosen_answer(void)
{
    static const wchar_t *const names[] = {
#define PROBE_NAME(name) L"" #name,
        PROBE_ANSWERS(PROBE_NAME)
#undef PROBE_NAME
    };
    wchar_t name[32];

    read_text(PROBE_VALUE_ANSWER, name, 32);
    for (int i = 0; i < PROBE_ANSWER_COUNT; i++) {
        if (wcscmp(names[i], name) == 0)
            return (probe_answer)i;
    }
    return PROBE_right;
}

/* ---- The trail ---- */

static uint64_t now_ticks(void)
{
    LARGE_INTEGER now;

    QueryPerformanceCounter(&now);
    return (uint64_t)now.QuadPart;
}

static HANDLE caller_token(bool *is_of_thread)
{
    HANDLE token;

    *is_of_thread = OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token) != 0;
    if (*is_of_thread || OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return token;
    return NULL;
}

/* Returns the type of the logon, which one of the token's groups names, or "no" if no group does
 * (learn.microsoft.com, "Well-known SIDs"). */
static const char *logon_type(HANDLE token)
{
    static const struct {
        const char *sid;
        const char *name;
    } types[] = {{"S-1-5-2", "network"},
                 {"S-1-5-3", "batch"},
                 {"S-1-5-4", "interactive"},
                 {"S-1-5-6", "service"}};
    PSID sid;

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        union {
            TOKEN_GROUPS groups;
            BYTE bytes[8192];
        } list;
        DWORD bytes;

        if (!GetTokenInformation(token, TokenGroups, &list, sizeof list, &bytes) ||
            !ConvertStringSidToSidA(types[i].sid, &sid))
            continue;
        for (DWORD j = 0; j < list.groups.GroupCount; j++) {
            if (EqualSid(list.groups.Groups[j].Sid, sid)) {
                LocalFree(sid);
                return types[i].name;
            }
        }
        LocalFree(sid);
    }
    return "no";
}

/* Appends " of the process" to the SID, or " of the thread" and the level of its token; then the
 * type of the logon. */
static void name_token(HANDLE token, bool is_of_thread, kit_call *call)
{
    static const char *const levels[] = {"anonymous", "identification", "impersonation",
                                         "delegation"};
    SECURITY_IMPERSONATION_LEVEL level = SecurityAnonymous;
    size_t used = strlen(call->account);
    DWORD bytes;

    if (is_of_thread)
        GetTokenInformation(token, TokenImpersonationLevel, &level, sizeof level, &bytes);
    snprintf(call->account + used, sizeof call->account - used, " of the %s%s, %s logon",
             is_of_thread ? "thread, " : "process", is_of_thread ? levels[level & 3] : "",
             logon_type(token));
}

static void name_account(HANDLE token, kit_call *call)
{
    union {
        TOKEN_USER user;
        BYTE bytes[512];
    } user;
    DWORD bytes;
    char *sid;

    strcpy(call->account, "unknown");
    if (!token || !GetTokenInformation(token, TokenUser, &user, sizeof user, &bytes))
        return;
    if (ConvertSidToStringSidA(user.user.User.Sid, &sid)) {
        snprintf(call->account, sizeof call->account, "%s", sid);
        LocalFree(sid);
    }
}

static uint32_t has_create_global(HANDLE token)
{
    PRIVILEGE_SET set = {1, PRIVILEGE_SET_ALL_NECESSARY, {{{0, 0}, 0}}};
    BOOL has = FALSE;

    if (!token || !LookupPrivilegeValueW(NULL, L"SeCreateGlobalPrivilege", &set.Privilege[0].Luid))
        return 0;
    return PrivilegeCheck(token, &set, &has) && has;
}

static void name_program(kit_call *call)
{
    wchar_t path[MAX_PATH] = L"";
    const wchar_t *name;

    GetModuleFileNameW(NULL, path, MAX_PATH - 1);
    name = wcsrchr(path, L'\\');
    if (!WideCharToMultiByte(CP_UTF8, 0, name ? name + 1 : path, -1, call->program,
                             sizeof call->program, NULL, NULL) ||
        call->program[0] == 0)
        strcpy(call->program, "unknown");
}

/* Copies a text. If `has_many`, it is a REG_MULTI_SZ, whose strings are joined by line ends. */
static void copy_call_text(const wchar_t *text, bool has_many, kit_call *call)
{
    size_t used = 0;

    call->is_null = text == NULL;
    while (text && *text && used + 2 < sizeof call->text) {
        int bytes = WideCharToMultiByte(CP_UTF8, 0, text, -1, call->text + used,
                                        (int)(sizeof call->text - used - 1), NULL, NULL);

        if (bytes == 0) { /* the text is too long */
            strcpy(call->text, "(long)");
            return;
        }
        used += (size_t)bytes - 1;
        text += wcslen(text) + 1;
        if (!has_many || !*text)
            break;
        call->text[used++] = '\n';
        call->text[used] = 0;
    }
}

static void write_trail(const char *line, size_t length)
{
    wchar_t path[MAX_PATH];
    DWORD written;
    HANDLE file;

    read_text(PROBE_VALUE_TRAIL, path, MAX_PATH);
    if (!path[0])
        return;
    /* Opens only the file that the kit made. Each call of WriteFile appends all of its bytes
     * together. */
    file = CreateFileW(path, FILE_APPEND_DATA | SYNCHRONIZE,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return;
    WriteFile(file, line, (DWORD)length, &written, NULL);
    CloseHandle(file);
}

static void note_call(kit_call *call)
{
    bool is_of_thread;
    HANDLE token = caller_token(&is_of_thread);
    DWORD session = 0;
    char line[4096];

    call->end = now_ticks();
    call->process = GetCurrentProcessId();
    call->thread = GetCurrentThreadId();
    ProcessIdToSessionId(call->process, &session);
    call->session = session;
    name_account(token, call);
    if (token)
        name_token(token, is_of_thread, call);
    call->has_global = has_create_global(token);
    name_program(call);
    if (token)
        CloseHandle(token);
    write_trail(line, kit_trail_line(call, line, sizeof line));
}

/* ---- The reply ---- */

static void put_number(probe_reply *r, DWORD value)
{
    reply_room_put(&r->room, &value, sizeof value);
}

static void put_large_number(probe_reply *r, LONGLONG value)
{
    reply_room_put(&r->room, &value, sizeof value);
}

static void put_object(probe_reply *r, DWORD counters, LONG instances)
{
    PERF_OBJECT_TYPE object;
    LARGE_INTEGER frequency, now;

    memset(&object, 0, sizeof object);
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&now);
    object.DefinitionLength = (DWORD)(sizeof object + counters * sizeof(PERF_COUNTER_DEFINITION));
    object.HeaderLength = sizeof object;
    object.ObjectNameTitleIndex = r->first;
    object.ObjectHelpTitleIndex = r->first + 1;
    object.DetailLevel = PERF_DETAIL_NOVICE;
    object.NumCounters = counters;
    object.NumInstances = instances;
    object.PerfTime = now;
    object.PerfFreq = frequency;
    r->object = reply_room_put(&r->room, &object, sizeof object);
}

static void put_definition(probe_reply *r, DWORD symbol, DWORD type, DWORD size, DWORD offset,
                           LONG scale)
{
    PERF_COUNTER_DEFINITION counter;

    memset(&counter, 0, sizeof counter);
    counter.ByteLength = sizeof counter;
    counter.CounterNameTitleIndex = symbol ? r->first + symbol : 0;
    counter.CounterHelpTitleIndex = symbol ? r->first + symbol + 1 : 0;
    counter.DefaultScale = scale;
    counter.DetailLevel = PERF_DETAIL_NOVICE;
    counter.CounterType = type;
    counter.CounterSize = size;
    counter.CounterOffset = offset;
    reply_room_put(&r->room, &counter, sizeof counter);
}

/* Puts an instance, and its counter block with a level. For an empty name it puts a NUL, but
 * NameLength is 0. If `name` is NULL, the instance has no name. */
static void put_instance(probe_reply *r, const wchar_t *name, LONG unique_id, DWORD level)
{
    static const BYTE zeros[8];
    PERF_INSTANCE_DEFINITION instance;
    DWORD offset, name_bytes = 0;

    memset(&instance, 0, sizeof instance);
    instance.UniqueID = unique_id;
    if (name) {
        instance.NameOffset = sizeof instance;
        name_bytes = (DWORD)((wcslen(name) + 1) * sizeof *name);
        instance.NameLength = *name ? name_bytes : 0;
    }
    offset = reply_room_put(&r->room, &instance, sizeof instance);
    reply_room_put(&r->room, name ? (const void *)name : zeros, name_bytes);
    reply_room_put(&r->room, zeros, (8 - r->room.used % 8) % 8);
    reply_room_patch(&r->room, offset, r->room.used - offset);
    put_number(r, 8);
    put_number(r, level);
}

static void put_levels(probe_reply *r)
{
    put_object(r, 3, PERF_NO_INSTANCES);
    put_definition(r, 2, PERF_COUNTER_RAWCOUNT, 4, 4, 0);
    put_definition(r, 4, PERF_COUNTER_RAWCOUNT, 4, 8, 0);
    put_definition(r, 6, PERF_COUNTER_RAWCOUNT, 4, 12, 2);
    put_number(r, 16);
    put_number(r, 42);
    put_number(r, 500);
    put_number(r, 500);
}

static void put_named(probe_reply *r, const wchar_t *const *names, LONG count)
{
    put_object(r, 1, count);
    put_definition(r, 2, PERF_COUNTER_RAWCOUNT, 4, 4, 0);
    for (LONG i = 0; i < count; i++)
        put_instance(r, names[i], PERF_NO_UNIQUE_ID, (DWORD)i);
}

static void put_unique_ids(probe_reply *r, const wchar_t *name)
{
    put_object(r, 1, 2);
    put_definition(r, 2, PERF_COUNTER_RAWCOUNT, 4, 4, 0);
    put_instance(r, name, 7, 7);
    put_instance(r, name, 8, 8);
}

static void put_many(probe_reply *r, DWORD bytes)
{
    /* An instance has 24 bytes for its name, and 8 for its counter block. */
    DWORD each = sizeof(PERF_INSTANCE_DEFINITION) + 24 + 8;
    DWORD count = bytes / each;
    wchar_t name[12];

    put_object(r, 1, (LONG)count);
    put_definition(r, 2, PERF_COUNTER_RAWCOUNT, 4, 4, 0);
    for (DWORD i = 0; i < count; i++) {
        swprintf(name, 12, L"n%010u", (unsigned)i);
        put_instance(r, name, PERF_NO_UNIQUE_ID, i);
    }
}

static void put_zero_block(probe_reply *r)
{
    static const BYTE zeros[8];

    put_object(r, 1, 0);
    put_definition(r, 2, PERF_COUNTER_RAWCOUNT, 4, 4, 0);
    reply_room_put(&r->room, zeros, sizeof zeros);
}

static void put_fraction(probe_reply *r)
{
    put_object(r, 2, PERF_NO_INSTANCES);
    put_definition(r, 2, PERF_RAW_FRACTION, 4, 4, 0);
    put_definition(r, 0, PERF_RAW_BASE, 4, 8, 0);
    put_number(r, 16);
    put_number(r, 1);
    put_number(r, 4);
    put_number(r, 0);
}

/* The value does not depend on how often readers have asked, because PDH may also ask while it adds
 * the counter. */
static void put_wrapping(probe_reply *r, DWORD number)
{
    put_object(r, 1, PERF_NO_INSTANCES);
    put_definition(r, 2, PERF_COUNTER_COUNTER, 4, 4, 0);
    put_number(r, 8);
    put_number(r, 0xFFFFFF00u + number);
}

static void put_average(probe_reply *r)
{
    LARGE_INTEGER frequency;

    QueryPerformanceFrequency(&frequency);
    put_object(r, 2, PERF_NO_INSTANCES);
    put_definition(r, 2, PERF_AVERAGE_TIMER, 8, 8, 0);
    put_definition(r, 0, PERF_AVERAGE_BASE, 4, 16, 0);
    put_number(r, 24);
    put_number(r, 0);
    put_large_number(r, (LONGLONG)samples * (frequency.QuadPart + 0x100000000LL));
    put_number(r, (DWORD)samples);
    put_number(r, 0);
}

static void put_reply(probe_reply *r, probe_answer answer, DWORD number)
{
    static const wchar_t *const odd[] = {L"a\\b", L"a/b", L"a(b)", L"a#1", L"a*b"};
    static const wchar_t *const totals[] = {L"_Total", L"b", L"a"};

    switch (answer) {
    case PROBE_zero_block:
        put_zero_block(r);
        break;
    case PROBE_large:
        put_many(r, number);
        break;
    case PROBE_odd_names:
        put_named(r, odd, 5);
        break;
    case PROBE_unique_ids:
        put_unique_ids(r, NULL);
        break;
    case PROBE_numbered:
        put_unique_ids(r, L"");
        break;
    case PROBE_fraction:
        put_fraction(r);
        break;
    case PROBE_total:
        put_named(r, totals, 3);
        break;
    case PROBE_wrap:
        put_wrapping(r, number);
        break;
    case PROBE_average:
        put_average(r);
        break;
    default:
        put_levels(r);
        break;
    }
    if (answer == PROBE_unaligned)
        put_number(r, 0);
    reply_room_patch(&r->room, r->object, r->room.used + (answer == PROBE_lengths ? 64 : 0));
}

/* Returns whether the reader asks for the object. Other readers must not see its invalid
 * replies. */
static bool is_asked_for(const wchar_t *query, DWORD first)
{
    wchar_t number[16];
    const wchar_t *at = query;

    swprintf(number, 16, L"%u", (unsigned)first);
    while (at && (at = wcsstr(at, number)) != NULL) {
        const wchar_t *end = at + wcslen(number);

        if ((at == query || at[-1] == L' ') && (*end == 0 || *end == L' '))
            return true;
        at = end;
    }
    return false;
}

/* ---- The exported functions ---- */

DWORD APIENTRY ProbeOpen(LPWSTR names)
{
    kit_call call = {.name = "Open", .begin = now_ticks()};

    call.status = chosen_answer() == PROBE_open_fails ? ERROR_ACCESS_DENIED : ERROR_SUCCESS;
    copy_call_text(names, true, &call);
    note_call(&call);
    return call.status;
}

DWORD APIENTRY ProbeCollect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    kit_call call = {.name = "Collect", .begin = now_ticks(), .size = *bytes};
    probe_reply r = {{*data, *bytes, 0}, 0, read_number(L"First Counter", PROBE_FIRST)};
    DWORD number = read_number(PROBE_VALUE_NUMBER, 0);
    probe_answer answer = chosen_answer();

    if (is_asked_for(query, r.first)) {
        InterlockedIncrement(&samples);
        if (answer == PROBE_slow)
            Sleep(number);
        put_reply(&r, answer, number);
    }
    call.status = r.room.used > r.room.capacity ? ERROR_MORE_DATA : ERROR_SUCCESS;
    copy_call_text(query, false, &call);
    note_call(&call);
    *bytes = call.status == ERROR_SUCCESS ? r.room.used : 0;
    *objects = *bytes > 0 ? 1 : 0;
    if (*bytes > 0)
        *data = r.room.bytes + r.room.used + (answer == PROBE_pointer ? 8 : 0);
    return call.status;
}

DWORD APIENTRY ProbeClose(void)
{
    kit_call call = {.name = "Close", .begin = now_ticks(), .is_null = true};

    note_call(&call);
    return ERROR_SUCCESS;
}
