/* SPDX-License-Identifier: MIT */
/* Implements a provider that has exactly one fault: the one that its file name says
 * (faulty-<name>.dll; faults.h lists the names). With any other name, including those that faults.h
 * lists as lawful, it has none. In faulty-<name>+<number>.dll all titles are higher by the number.
 *
 *   LONE      no instances: a level, a rate, a fraction with its base
 *   PARENTS   instances "one" and "two": a rate
 *   CHILDREN  "x" below "one", "y" below "two": a level; a reply with CHILDREN has PARENTS, too */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <tlhelp32.h>
#include <winperf.h>

#include "base/compiler.h"
#include "faults.h"

#if defined(_M_IX86) || defined(_M_X64) || defined(__i386__) || defined(__x86_64__)
#include <intrin.h>
#define HAS_X86
#endif

#define LONE     first_title
#define PARENTS  (first_title + 8)
#define CHILDREN (first_title + 12)

#define OBJECT_TIMER    0x20610500u /* PERF_OBJ_TIME_TIMER */
#define ELAPSED_TIME    0x30240500u
#define PRECISION_TIMER 0x20570500u /* PERF_PRECISION_100NS_TIMER; PRECISION_STAMP is its base */
#define PRECISION_STAMP 0x40030500u
#define AVERAGE_BULK    0x40020500u
#define AVERAGE_BASE    0x40030402u
#define MULTI_TIMER     0x22410500u
#define MULTI_BASE      0x42030500u

enum { WANTS_LONE = 1, WANTS_PARENTS = 2, WANTS_CHILDREN = 4, WANTS_ALL = 7 };

typedef enum faulty_fault {
    FAULT_none,
#define FAULT_ENUMERATOR(name, rule, exit_code, scenario) FAULT_##name,
    FAULTS(FAULT_ENUMERATOR)
#undef FAULT_ENUMERATOR
#define LAWFUL_ENUMERATOR(name, scenario) FAULT_##name,
        LAWFUL(LAWFUL_ENUMERATOR) UNSEEN(LAWFUL_ENUMERATOR)
#undef LAWFUL_ENUMERATOR
} faulty_fault;

static faulty_fault this_fault;
static DWORD first_title = FAULTY_FIRST;
static bool is_late;      /* there are no objects at first */
static bool is_late_bare; /* there are no instances at first */
static volatile LONG opened;
static volatile LONG collects;
static volatile LONG inside;
static volatile LONG was_open;
static volatile LONG asked; /* for first_empty: number of Collects since Open */
static ULONGLONG opened_ms;
static ULONGLONG loaded_ms;
static bool is_bare; /* objects have no instances now */
/* the fault affects this process, because another process has the provider open */
static bool is_second;

BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, LPVOID reserved);
DWORD APIENTRY FaultyOpen(LPWSTR context);
__declspec(dllexport) DWORD APIENTRY
    FaultyCollect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects);
__declspec(dllexport) DWORD APIENTRY FaultyClose(void);

/* ---- The fault of this copy ---- */

static faulty_fault fault_of(const wchar_t *path)
{
    static const wchar_t *const names[] = {L"none",
#define FAULT_NAME(name, rule, exit_code, scenario) L"" #name,
                                           FAULTS(FAULT_NAME)
#undef FAULT_NAME
#define LAWFUL_NAME(name, scenario) L"" #name,
                                               LAWFUL(LAWFUL_NAME) UNSEEN(LAWFUL_NAME)
#undef LAWFUL_NAME
    };
    const wchar_t *name = wcsrchr(path, L'\\');
    const wchar_t prefix[] = L"faulty-";
    size_t length;

    name = name ? name + 1 : path;
    if (wcsncmp(name, prefix, wcslen(prefix)) != 0)
        return FAULT_none;
    name += wcslen(prefix);
    is_late = wcsncmp(name, L"late_", 5) == 0;
    is_late_bare = wcsncmp(name, L"bare_", 5) == 0 && wcsncmp(name, L"bare_twice", 10) != 0;
    if (is_late || is_late_bare)
        name += 5;
    length = wcscspn(name, L".+");
    if (name[length] == L'+')
        first_title += (DWORD)wcstoul(name + length + 1, NULL, 10);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (wcslen(names[i]) == length && wcsncmp(names[i], name, length) == 0)
            return (faulty_fault)i;
    }
    return FAULT_none;
}

static bool is(faulty_fault one)
{
    return this_fault == one;
}

static void crash(void)
{
    volatile int *volatile nowhere = NULL;

    *nowhere = 1;
}

/* Stops all other threads, so that none of them can watch this process, and waits forever. */
static void stop_other_threads(void)
{
    HANDLE list = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    THREADENTRY32 entry = {sizeof entry, 0, 0, 0, 0, 0, 0};

    for (BOOL any = Thread32First(list, &entry); any; any = Thread32Next(list, &entry))
        if (entry.th32OwnerProcessID == GetCurrentProcessId() &&
            entry.th32ThreadID != GetCurrentThreadId())
            SuspendThread(OpenThread(THREAD_SUSPEND_RESUME, FALSE, entry.th32ThreadID));
    Sleep(INFINITE);
}

/* ---- Faults that leave the process stuck although every call returns ---- */

static DWORD WINAPI lock_heap(void *argument)
{
    HeapLock(GetProcessHeap());
    SetEvent(argument);
    Sleep(INFINITE);
    return 0;
}

static volatile LONG is_staying; /* the next thread that begins stays in DllMain */
static HANDLE stays;             /* set by the thread that stays in DllMain */

static DWORD WINAPI stay_in_dll_main(void *argument)
{
    (void)argument;
    return 0;
}

static void start(LPTHREAD_START_ROUTINE routine, void *argument)
{
    HANDLE thread = CreateThread(NULL, 0, routine, argument, 0, NULL);

    if (thread)
        CloseHandle(thread);
}

static HANDLE make_event(void)
{
    return CreateEventW(NULL, TRUE, FALSE, NULL);
}

static void wait_if(faulty_fault hangs, faulty_fault is_slow)
{
    if (is(hangs))
        Sleep(INFINITE);
    if (is(is_slow))
        Sleep(FAULTY_SLOW_MS);
}

/* From the Collect with this number on, `settles` and `keeps_handles` no longer leak. This Collect
 * is in the last third of the 576 Collects that prfcheck makes first with -quick. */
#define SETTLED_COLLECTS 400
static LONG collect_count;

static void leak_view(void)
{
    HANDLE section = CreateFileMappingW(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, 0, 4096, NULL);

    (void)MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
    CloseHandle(section);
}

static DWORD WINAPI stay(void *argument)
{
    (void)argument;
    Sleep(INFINITE);
    return 0;
}

/* For closes_in_thread: number of the thread's Opens without a Close. */
static DWORD opens_slot = TLS_OUT_OF_INDEXES;
static DWORD thread_slot = TLS_OUT_OF_INDEXES; /* for leaks_with_threads and frees_block */

static void keep_for_thread(void)
{
    if (thread_slot != TLS_OUT_OF_INDEXES && !TlsGetValue(thread_slot))
        TlsSetValue(thread_slot, HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, 4000));
}

static bool global_atoms[0x10000 - MAXINTATOM]; /* atoms that exist until Close */

#define THREAD_PLACES 256

static DWORD places[THREAD_PLACES]; /* the thread that has each place; 0: none */
static SRWLOCK places_lock = SRWLOCK_INIT;

/* Gives the calling thread a place if it has none. Returns false if no place is free. With
 * places_for_living, the place becomes free when the thread ends. Otherwise it is never freed. */
static bool has_place(void)
{
    const size_t count = is(FAULT_places_for_living) ? THREAD_PLACES : 64;
    const DWORD self = GetCurrentThreadId();
    size_t i = 0;
    size_t free_one = count;

    AcquireSRWLockExclusive(&places_lock);
    while (i < count && places[i] != self) {
        if (places[i] == 0 && free_one == count)
            free_one = i;
        i++;
    }
    if (i == count && free_one < count)
        places[i = free_one] = self;
    ReleaseSRWLockExclusive(&places_lock);
    return i < count;
}

static void forget_place(void)
{
    AcquireSRWLockExclusive(&places_lock);
    for (size_t i = 0; i < THREAD_PLACES; i++) {
        if (places[i] == GetCurrentThreadId())
            places[i] = 0;
    }
    ReleaseSRWLockExclusive(&places_lock);
}

static void forget_thread(void)
{
    if (is(FAULT_frees_block) && thread_slot != TLS_OUT_OF_INDEXES)
        HeapFree(GetProcessHeap(), 0, TlsGetValue(thread_slot));
    if (is(FAULT_places_for_living))
        forget_place();
}

/* Adds an atom whose name is new. Close deletes the global atoms, because they would outlive the
 * process. */
static void add_atom(LONG number)
{
    wchar_t name[60];
    ATOM atom;

    swprintf(name, 60, L"prfdata-faulty-%lu-%ld", (unsigned long)GetCurrentProcessId(),
             (long)number);
    atom = is(FAULT_leaks_global_atoms) || is(FAULT_frees_global_atoms) ? GlobalAddAtomW(name)
                                                                        : AddAtomW(name);
    if (is(FAULT_frees_atoms))
        DeleteAtom(atom);
    if (is(FAULT_frees_global_atoms))
        GlobalDeleteAtom(atom);
    if (is(FAULT_leaks_global_atoms) && atom >= MAXINTATOM)
        global_atoms[atom - MAXINTATOM] = true;
}

static void delete_global_atoms(void)
{
    for (size_t i = 0; i < sizeof global_atoms / sizeof global_atoms[0]; i++) {
        if (global_atoms[i])
            GlobalDeleteAtom((ATOM)(MAXINTATOM + i));
        global_atoms[i] = false;
    }
}

static void leak(LONG number)
{
    keep_for_thread();
    if (is(FAULT_leaks_memory) || (is(FAULT_settles) && number < SETTLED_COLLECTS))
        HeapAlloc(GetProcessHeap(), 0, 100);
    if (is(FAULT_leaks_arenas) && number % 64 == 0)
        VirtualAlloc(NULL, 65536, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (is(FAULT_leaks_addresses))
        VirtualAlloc(NULL, 65536, MEM_RESERVE, PAGE_NOACCESS);
    if ((is(FAULT_leaks_few_handles) && number % 10 == 0) ||
        (is(FAULT_keeps_handles) && number < SETTLED_COLLECTS))
        CreateEventW(NULL, TRUE, FALSE, NULL);
    if (is(FAULT_leaks_atoms) || is(FAULT_frees_atoms) || is(FAULT_leaks_global_atoms) ||
        is(FAULT_frees_global_atoms))
        add_atom(number);
    if (is(FAULT_leaks_threads) && number % 10 == 0)
        CloseHandle(CreateThread(NULL, 0, stay, NULL, 0, NULL));
}

static DWORD path_hash;

static void hash_path(const wchar_t *path)
{
    while (*path)
        path_hash = path_hash * 31 + *path++;
}

/* Makes the name of a kernel object that only this copy of the DLL uses. Other copies may run at
 * the same time, even with the same fault. */
static void name_shared(wchar_t *name, const wchar_t *suffix)
{
    swprintf(name, 40, L"Local\\prfdata-faulty-%08lX%ls", (unsigned long)path_hash, suffix);
}

static bool is_event_there(const wchar_t *suffix)
{
    wchar_t name[40];
    HANDLE event;

    name_shared(name, suffix);
    event = OpenEventW(SYNCHRONIZE, FALSE, name);
    if (event)
        CloseHandle(event);
    return event != NULL;
}

static bool
    is_first_load; /* with delays_at_first, this process loads the library for the first time */

/* Puts the id of this process into an environment variable, which a second process inherits.
 * Returns the id that was there before, or 0 if there was none. */
static DWORD exchange_process_id(const wchar_t *name)
{
    wchar_t before[16] = L"";
    wchar_t self[16];

    GetEnvironmentVariableW(name, before, 16);
    swprintf(self, 16, L"%lu", (unsigned long)GetCurrentProcessId());
    SetEnvironmentVariableW(name, self);
    return (DWORD)wcstoul(before, NULL, 10);
}

static void note_load(void)
{
    is_first_load = exchange_process_id(L"PRFDATA_FAULTY_LOADED") != GetCurrentProcessId();
}

/* Does what the fault makes DllMain do when the process ends. */
static void suffer_exit(void)
{
    if (opened == 0)
        return;
    if (is(FAULT_exit_hangs))
        Sleep(INFINITE);
    if (is(FAULT_exit_slow))
        Sleep(200);
    if (is(FAULT_exit_ends))
        TerminateProcess(GetCurrentProcess(), 77);
}

/* cppcheck-suppress constParameter; Windows declares this type */
BOOL WINAPI DllMain(HINSTANCE module, DWORD reason, LPVOID reserved)
{
    wchar_t path[MAX_PATH];
    DWORD count;

    if (reason == DLL_PROCESS_DETACH && !reserved) {
        if (is(FAULT_crashes_in_unload))
            crash();
        if (is(FAULT_hangs_in_unload))
            Sleep(INFINITE);
    }
    if (reason == DLL_PROCESS_DETACH && reserved)
        suffer_exit();
    if (reason == DLL_THREAD_DETACH)
        forget_thread();
    if (reason == DLL_THREAD_ATTACH &&
        (is(FAULT_delays_threads) || is(FAULT_delays_little) || is_first_load))
        Sleep(is(FAULT_delays_little) ? 2 : 60);
    if (reason == DLL_THREAD_ATTACH && InterlockedExchange(&is_staying, 0) != 0) {
        SetEvent(stays);
        Sleep(INFINITE);
    }
    if (reason == DLL_PROCESS_DETACH && thread_slot != TLS_OUT_OF_INDEXES)
        TlsFree(thread_slot);
    if (reason == DLL_PROCESS_DETACH && opens_slot != TLS_OUT_OF_INDEXES)
        TlsFree(opens_slot);
    if (reason != DLL_PROCESS_ATTACH)
        return TRUE;
    loaded_ms = GetTickCount64();
    count = GetModuleFileNameW(module, path, MAX_PATH);
    if (count > 0 && count < MAX_PATH) {
        this_fault = fault_of(path);
        hash_path(path);
    }
    /* Keeps the DLL loaded. With stays_loaded, this is the fault. With the other two faults, a
     * thread may still run code of the DLL after Close. */
    if (is(FAULT_stays_loaded) || is(FAULT_leaks_threads) || is(FAULT_writes_late))
        GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, (const wchar_t *)&this_fault,
                           &module);
    if (is(FAULT_delays_at_first))
        note_load();
    if (is(FAULT_leaks_with_threads) || is(FAULT_frees_block))
        thread_slot = TlsAlloc();
    if (is(FAULT_leaks_views))
        leak_view();
    if (is(FAULT_leaks_slots))
        (void)TlsAlloc();
    if (is(FAULT_crashes_in_load))
        crash();
    if (is(FAULT_hangs_in_load))
        Sleep(INFINITE);
    return !is(FAULT_does_not_load) && !(is(FAULT_second_does_not_load) && is_event_there(L""));
}

/* ---- Writing a reply ---- */

typedef struct faulty_reply {
    unsigned char bytes[2048];
    DWORD used;
    DWORD objects;
    DWORD object; /* where the last object begins */
    LONG number;  /* number of the call, from 1 */
    bool is_metadata;
    bool is_cut;   /* the second child is left out */
    bool is_zero;  /* the rates of PARENTS are 0 */
    bool is_away;  /* the second parent and its child are missing */
    bool is_short; /* LONE has only one counter */
    LONG since;    /* number of Collects since the second parent returned */
} faulty_reply;

static DWORD put(faulty_reply *r, const void *bytes, DWORD size)
{
    DWORD offset = r->used;

    memcpy(r->bytes + offset, bytes, size);
    r->used += size;
    return offset;
}

static DWORD put32(faulty_reply *r, DWORD value)
{
    return put(r, &value, sizeof value);
}

static void put64(faulty_reply *r, ULONGLONG value)
{
    put(r, &value, sizeof value);
}

static void patch_faulty(faulty_reply *r, DWORD offset, DWORD value)
{
    memcpy(r->bytes + offset, &value, sizeof value);
}

static void begin_object(faulty_reply *r, DWORD title, DWORD counters, LONG instances)
{
    PERF_OBJECT_TYPE object;

    memset(&object, 0, sizeof object);
    object.DefinitionLength = (DWORD)(sizeof object + counters * sizeof(PERF_COUNTER_DEFINITION));
    object.HeaderLength = sizeof object;
    object.ObjectNameTitleIndex = title;
    object.ObjectHelpTitleIndex = title + 1;
    object.DetailLevel = PERF_DETAIL_NOVICE;
    object.NumCounters = counters;
    object.NumInstances = instances;
    if (r->is_metadata) /* PERF_METADATA_NO_INSTANCES, _MULTIPLE_INSTANCES */
        object.NumInstances = instances == PERF_NO_INSTANCES ? -3 : -2;
    QueryPerformanceCounter(&object.PerfTime);
    QueryPerformanceFrequency(&object.PerfFreq);
    if (is(FAULT_clock_backwards))
        object.PerfTime.QuadPart = 1000000 - r->number;
    if (is(FAULT_clock_stands) || is(FAULT_clock_unused))
        object.PerfTime.QuadPart = 1000000;
    if (is(FAULT_clock_other))
        object.PerfTime.QuadPart = GetTickCount();
    if (is(FAULT_frequency_changes) || is(FAULT_frequency_unused))
        object.PerfFreq.QuadPart += r->number % 2;
    if (is(FAULT_frequency_unused))
        object.PerfTime.QuadPart = 0;
    if (is(FAULT_header_length))
        object.HeaderLength += 8;
    if (is(FAULT_definition_length))
        object.DefinitionLength += 8;
    if (is(FAULT_title_outside) && title == LONE)
        object.ObjectNameTitleIndex = FAULTY_LAST + 2;
    if (title == LONE)
        object.DefaultCounter = is(FAULT_default_beyond) ? 4
                                : is(FAULT_default_base) ? 3
                                : is(FAULT_default_last) ? 2
                                                         : 0;
    if (is(FAULT_instance_count) && instances > 0)
        object.NumInstances++;
    r->object = put(r, &object, sizeof object);
    r->objects++;
}

static void end_object(faulty_reply *r)
{
    if (is(FAULT_instance_walk))
        put64(r, 0);
    patch_faulty(r, r->object, r->used - r->object);
    if (is(FAULT_object_length))
        patch_faulty(r, r->object, r->used - r->object - 8);
}

static void counter(faulty_reply *r, DWORD title, DWORD type, DWORD size, DWORD offset)
{
    PERF_COUNTER_DEFINITION definition;

    memset(&definition, 0, sizeof definition);
    definition.ByteLength = sizeof definition;
    definition.CounterNameTitleIndex = title;
    definition.CounterHelpTitleIndex = title ? title + 1 : 0;
    definition.DetailLevel = PERF_DETAIL_NOVICE;
    definition.CounterType = type;
    definition.CounterSize = size;
    definition.CounterOffset = offset;
    if (is(FAULT_detail_above) && title == LONE + 2)
        definition.DetailLevel = PERF_DETAIL_WIZARD + 1;
    if ((is(FAULT_scale_beyond) || is(FAULT_scale_most)) && title == LONE + 2)
        definition.DefaultScale = is(FAULT_scale_beyond) ? 8 : 7;
    if (is(FAULT_help_of_another) && title == LONE + 2)
        definition.CounterHelpTitleIndex += 2;
    if (is(FAULT_title_odd))
        definition.CounterNameTitleIndex |= 1;
    if (is(FAULT_counter_length))
        definition.ByteLength = 36;
    if (is(FAULT_definitions_change))
        definition.DefaultScale = r->number % 2;
    put(r, &definition, sizeof definition);
}

/* Puts a name in 8-bit characters into the room of a UTF-16 name. */
static void put_ansi(faulty_reply *r, const wchar_t *name)
{
    char narrow[32] = "";

    for (size_t i = 0; name[i]; i++)
        narrow[i] = (char)name[i];
    put(r, narrow, (DWORD)((wcslen(name) + 1) * sizeof *name));
}

static void instance(faulty_reply *r, DWORD parent, DWORD position, const wchar_t *name)
{
    static const unsigned char zeros[8];
    PERF_INSTANCE_DEFINITION definition;
    DWORD begin = r->used;
    DWORD name_bytes = (DWORD)((wcslen(name) + 1) * sizeof *name);

    memset(&definition, 0, sizeof definition);
    definition.ParentObjectTitleIndex = parent;
    definition.ParentObjectInstance = position;
    definition.UniqueID = PERF_NO_UNIQUE_ID;
    definition.NameOffset = sizeof definition;
    definition.NameLength = name_bytes;
    if (is(FAULT_name_without_nul))
        definition.NameLength -= (DWORD)sizeof *name;
    if (is(FAULT_name_too_long))
        definition.NameLength += 100;
    if (is(FAULT_name_with_padding))
        definition.NameLength = (name_bytes + 7) / 8 * 8;
    if (is(FAULT_name_and_number) && parent == 0)
        definition.UniqueID = (LONG)position + 1;
    if (is(FAULT_nameless))
        definition.NameLength = 0;
    if (name[0] == 0) {
        definition.UniqueID = 1;
        definition.NameOffset = definition.NameLength = 0;
    }
    put(r, &definition, sizeof definition);
    if (is(FAULT_names_ansi))
        put_ansi(r, name);
    else
        put(r, name, name_bytes);
    put(r, zeros, (8 - r->used % 8) % 8);
    patch_faulty(r, begin, is(FAULT_instance_length) ? 16 : r->used - begin);
}

static DWORD rate(const faulty_reply *r)
{
    if (is(FAULT_wraps_at_31))
        return (0x7FFFFFF8u + (DWORD)r->number) & 0x7FFFFFFFu;
    return is(FAULT_value_backwards) ? 1000000u - (DWORD)r->number : (DWORD)r->number;
}

/* Returns the time since 1601 in UTC. The unit is 100 ns, or with some faults 1 ms or 1 s. */
static ULONGLONG stamp(void)
{
    ULARGE_INTEGER number;
    FILETIME now;

    GetSystemTimeAsFileTime(&now);
    number.LowPart = now.dwLowDateTime;
    number.HighPart = now.dwHighDateTime;
    if (is(FAULT_stamp_seconds))
        return number.QuadPart / 10000000;
    return is(FAULT_stamp_other) ? number.QuadPart / 10000 : number.QuadPart;
}

static bool is_average(void)
{
    return is(FAULT_average_stands) || is(FAULT_average_grows) || is(FAULT_average_idle);
}

/* Returns the type of LONE's second counter. With some faults the type or the value is wrong. */
static DWORD second_type(void)
{
    if (is(FAULT_timer_beyond) || is(FAULT_timer_busy))
        return PERF_100NSEC_TIMER;
    if (is(FAULT_clock_stands) || is(FAULT_clock_other) || is(FAULT_frequency_changes))
        return OBJECT_TIMER;
    if (is(FAULT_elapsed_filetime) || is(FAULT_elapses) || is(FAULT_elapsed_grows) ||
        is(FAULT_elapsed_milliseconds) || is(FAULT_starts_again))
        return ELAPSED_TIME;
    if (is(FAULT_multi_base_none) || is(FAULT_multi_timer))
        return MULTI_TIMER;
    if (is_average())
        return AVERAGE_BULK;
    return is(FAULT_stamp_other) || is(FAULT_stamp_seconds) || is(FAULT_stamped)
               ? PRECISION_TIMER
               : PERF_COUNTER_BULK_COUNT;
}

/* Returns the value that the performance counter had at the first call of this function. */
static ULONGLONG since_load(void)
{
    static LARGE_INTEGER first;

    if (first.QuadPart == 0)
        QueryPerformanceCounter(&first);
    return (ULONGLONG)first.QuadPart;
}

static ULONGLONG second_value(const faulty_reply *r)
{
    LARGE_INTEGER now;

    if (is(FAULT_elapsed_filetime))
        return stamp();
    if (is(FAULT_timer_beyond) || is(FAULT_timer_busy))
        return GetTickCount64() * 10000 * (is(FAULT_timer_beyond) ? 100 : 8);
    if (is(FAULT_average_idle))
        return 7;
    if (is(FAULT_wraps_32_of_64))
        return (DWORD)(0xFFFFFFF8u + (DWORD)r->number);
    if (is(FAULT_torn_value) && r->number % 16 == 0)
        return rate(r) + ((ULONGLONG)1 << 32);
    QueryPerformanceCounter(&now);
    if (is(FAULT_elapsed_grows))
        return since_load() > (ULONGLONG)now.QuadPart ? 1 : (ULONGLONG)now.QuadPart - since_load();
    if (is(FAULT_elapsed_milliseconds))
        return GetTickCount64() - loaded_ms + 1;
    if (is(FAULT_starts_again))
        return (ULONGLONG)now.QuadPart;
    if (is(FAULT_elapses))
        return r->number % 2 ? (ULONGLONG)now.QuadPart : 0;
    return rate(r);
}

static bool is_sampled(void)
{
    return is(FAULT_hits_outgrow) || is(FAULT_hits_all) || is(FAULT_hits_outgrow_slowly) ||
           is(FAULT_hits_ahead);
}

static void put_fraction(faulty_reply *r)
{
    const DWORD number = (DWORD)r->number;
    DWORD value = is(FAULT_fraction_full) ? 4 : is(FAULT_fraction_above) ? 5 : 1;
    DWORD base = 4;

    if (is_sampled())
        value = base = (is(FAULT_hits_all) ? 1000 : 100) * number;
    if (is(FAULT_hits_outgrow))
        value = 1000 * number;
    if (is(FAULT_hits_outgrow_slowly))
        value += base / 10;
    if (is(FAULT_hits_ahead))
        value += number % 3;
    put32(r, value);
    put32(r, base);
}

/* Puts the base of LONE's second counter, in 8 bytes. */
static void put_second_base(faulty_reply *r)
{
    if (second_type() == MULTI_TIMER)
        put64(r, is(FAULT_multi_timer));
    else if (is_average())
        put64(r, is(FAULT_average_grows) ? rate(r) : 7);
    else
        put64(r, stamp());
}

/* Returns how much time has passed since the previous call of this function. */
static DWORD milliseconds_since_read(void)
{
    static volatile LONG last_ms;
    const LONG now_ms = (LONG)GetTickCount();

    return (DWORD)(now_ms - InterlockedExchange(&last_ms, now_ms));
}

static void put_short_lone(faulty_reply *r)
{
    begin_object(r, LONE, 1, PERF_NO_INSTANCES);
    counter(r, LONE + 2, PERF_COUNTER_RAWCOUNT, 4, 4);
    put32(r, 8);
    put32(r, 42);
    end_object(r);
}

static void put_lone(faulty_reply *r)
{
    const bool is_longer = is(FAULT_length_no_multiple) || is(FAULT_object_misaligned);
    const bool base_first = is(FAULT_base_first);
    const bool is_multi = second_type() == MULTI_TIMER;
    const bool has_base = second_type() == PRECISION_TIMER || is_multi || is_average();

    begin_object(r, LONE, has_base ? 5 : 4, PERF_NO_INSTANCES);
    counter(r, LONE + 2, PERF_COUNTER_RAWCOUNT, 4, is(FAULT_counter_in_length) ? 0 : 4);
    counter(r, LONE + 4, second_type(), is(FAULT_counter_size) ? 4 : 8,
            is(FAULT_counter_misaligned) ? 12
            : is(FAULT_counter_outside)  ? 32
                                         : 8);
    if (has_base)
        counter(r, 0,
                is_average() ? AVERAGE_BASE
                : is_multi   ? MULTI_BASE
                             : PRECISION_STAMP,
                is_average() ? 4 : 8, is_multi ? 16 : 24);
    if (base_first)
        counter(r, 0, PERF_RAW_BASE, 4, 20);
    counter(r, LONE + 6, is_sampled() ? PERF_SAMPLE_FRACTION : PERF_RAW_FRACTION, 4,
            is(FAULT_counter_overlap) ? 12
            : is_multi                ? 24
                                      : 16);
    if (!base_first)
        counter(r, is(FAULT_base_missing) ? LONE + 6 : 0,
                is(FAULT_base_missing) ? PERF_COUNTER_RAWCOUNT_HEX
                : is_sampled()         ? PERF_SAMPLE_BASE
                                       : PERF_RAW_BASE,
                4, is_multi ? 28 : 20);
    if (r->is_metadata) {
        end_object(r);
        return;
    }
    put32(r, is(FAULT_block_length) ? 2 : is_longer ? 28 : has_base ? 32 : 24);
    put32(r, is(FAULT_resets_on_read)   ? milliseconds_since_read()
             : is(FAULT_level_negative) ? (DWORD)-2
             : is(FAULT_level_most)     ? 0xFFFE0000u
                                        : 42);
    put64(r, second_value(r));
    if (is_multi) /* the base directly follows the value */
        put_second_base(r);
    put_fraction(r);
    if (has_base && !is_multi)
        put_second_base(r);
    if (is_longer)
        put32(r, 0);
    end_object(r);
}

/* Returns whether the instances of PARENTS are in reverse order in this reply. */
static bool is_swapped(const faulty_reply *r)
{
    return (is(FAULT_parents_swap) || is(FAULT_parents_shuffle)) && r->number % 2 == 0;
}

static DWORD second_rate(const faulty_reply *r)
{
    return is(FAULT_restarts) ? (DWORD)r->since : 2 * rate(r);
}

static void put_parent(faulty_reply *r, const wchar_t *name, DWORD value)
{
    instance(r, is(FAULT_parent_of_itself) ? PARENTS : 0, 0, name);
    put32(r, 8);
    put32(r, r->is_zero ? 0 : value);
}

static void put_parents(faulty_reply *r)
{
    const bool has_new_name = is(FAULT_names_change) || is(FAULT_one_name_changes);
    wchar_t first[16] = L"one";
    wchar_t second[16] = L"two";

    if (has_new_name)
        swprintf(second, 16, L"two %ld", (long)r->number);
    if (is(FAULT_names_change))
        swprintf(first, 16, L"one %ld", (long)r->number);
    if (is(FAULT_names_hold_process))
        swprintf(first, 16, L"one %lu", (unsigned long)GetCurrentProcessId());
    if (is(FAULT_names_hold_process) || is(FAULT_name_holds_process))
        swprintf(second, 16, L"two %lu", (unsigned long)GetCurrentProcessId());
    if (is(FAULT_name_twice))
        wcscpy(second, L"ONE");
    if (is(FAULT_name_forbidden))
        wcscpy(second, L"t/w");
    if (is(FAULT_name_blank))
        wcscpy(second, L"two ");
    if (is(FAULT_names_mixed) || is(FAULT_total_named))
        second[0] = 0;
    if (is(FAULT_total_named))
        wcscpy(first, L"_Total");
    if (is(FAULT_name_turned))
        wcscpy(second, L"t\x202Ewo");
    if (is(FAULT_name_foreign))
        wcscpy(second, L"tw\x00F6 \xD83D\xDE00");
    if (is(FAULT_blank_inside))
        wcscpy(second, L"t wo");
    begin_object(r, PARENTS, 1, is_bare ? 0 : r->is_away ? 1 : 2);
    counter(r, PARENTS + 2, PERF_COUNTER_COUNTER, 4, 4);
    if (is_bare) {
        end_object(r);
        return;
    }
    if (!r->is_metadata && is_swapped(r))
        put_parent(r, second, second_rate(r));
    if (!r->is_metadata)
        put_parent(r, first, rate(r));
    if (!r->is_metadata && !is_swapped(r) && !r->is_away)
        put_parent(r, second, second_rate(r));
    end_object(r);
}

static void put_child(faulty_reply *r, DWORD parent, DWORD position, const wchar_t *name,
                      ULONGLONG value)
{
    instance(r, parent, position, name);
    put32(r, 16);
    put32(r, 0);
    put64(r, value);
}

static void put_children(faulty_reply *r)
{
    const bool is_alone = r->is_cut || is(FAULT_total_alone) || r->is_away;
    const DWORD follows =
        is_swapped(r) && !is(FAULT_parents_shuffle); /* x stays below "one" with parents_swap */

    begin_object(r, CHILDREN, 1, is_bare ? 0 : is_alone ? 1 : 2);
    counter(r, CHILDREN + 2, PERF_COUNTER_LARGE_RAWCOUNT, 8, 8);
    if (r->is_metadata || is_bare) {
        end_object(r);
        return;
    }
    if (is(FAULT_total_alone))
        put_child(r, 0, 0, L"_Total", 0);
    else
        put_child(r, PARENTS, follows, L"x", is(FAULT_large_level_negative) ? (ULONGLONG)-2 : 7);
    if (!is_alone)
        put_child(r, PARENTS, is(FAULT_parent_missing) ? 7 : 1 - follows, L"y", 8);
    end_object(r);
}

/* ---- Understanding the query ---- */

static unsigned wanted_by_number(ULONGLONG number)
{
    if (number == LONE)
        return WANTS_LONE;
    if (number == PARENTS)
        return is(FAULT_brings_others) ? WANTS_PARENTS | WANTS_LONE : WANTS_PARENTS;
    if (number == CHILDREN)
        return is(FAULT_parent_left_out) ? WANTS_CHILDREN : WANTS_CHILDREN | WANTS_PARENTS;
    return 0;
}

static bool read_number(const wchar_t *word, size_t length, ULONGLONG *number)
{
    *number = 0;
    for (size_t i = is(FAULT_number_with_sign) && word[0] == L'+'; i < length; i++) {
        if (is(FAULT_number_with_letter) && i > 0 && word[i] == L'x')
            break;
        if (word[i] < L'0' || word[i] > L'9')
            return false;
        if (*number < 100000000000u || is(FAULT_number_wraps))
            *number = *number * 10 + (ULONGLONG)(word[i] - L'0');
        if (is(FAULT_number_wraps))
            *number = (DWORD)*number;
    }
    return length > 0;
}

/* Copies a number of the query, without checking whether the copy has room for all digits. */
static void copy_digits(const wchar_t *word, size_t length)
{
    wchar_t *copy = VirtualAlloc(NULL, 4096, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);

    if (copy) {
        for (size_t i = 0; i < length; i++)
            ((volatile wchar_t *)copy)[i] = word[i];
        VirtualFree(copy, 0, MEM_RELEASE);
    }
}

static bool has_text(const wchar_t *query, DWORD title)
{
    wchar_t text[16];

    swprintf(text, 16, L"%lu", (unsigned long)title);
    return wcsstr(query, text) != NULL;
}

static unsigned wanted_by_list(const wchar_t *query)
{
    wchar_t cut[1001] = {0};
    unsigned wanted = 0;

    if (is(FAULT_cuts_query))
        query = wcsncpy(cut, query, 1000);
    if (is(FAULT_matches_substring))
        return (has_text(query, LONE) ? WANTS_LONE : 0u) |
               (has_text(query, PARENTS) ? WANTS_PARENTS : 0u) |
               (has_text(query, CHILDREN) ? WANTS_CHILDREN | WANTS_PARENTS : 0u);
    while (*query) {
        const size_t length = wcscspn(query, L" \t");
        ULONGLONG number;

        if (is(FAULT_long_number))
            copy_digits(query, length);
        if (read_number(query, length, &number))
            wanted |= is(FAULT_ignores_index) ? WANTS_ALL : wanted_by_number(number);
        if (is(FAULT_lists_first))
            break;
        query += length;
        query += wcsspn(query, L" \t");
    }
    return wanted;
}

static bool begins(const wchar_t *query, const wchar_t *word)
{
    return _wcsnicmp(query, word, wcslen(word)) == 0;
}

static bool is_global(const wchar_t *query)
{
    if (is(FAULT_case_matters))
        return wcscmp(query, L"Global") == 0;
    return _wcsicmp(query, L"Global") == 0 ||
           (_wcsicmp(query, L"OLD_Global") == 0 && !is(FAULT_lacks_old));
}

static bool is_metadata(const wchar_t *query)
{
    return (is(FAULT_metadata_lacks) || is(FAULT_describes_itself)) && query &&
           (_wcsicmp(query, L"MetadataGlobal") == 0 || _wcsicmp(query, L"OLD_MetadataGlobal") == 0);
}

static unsigned wanted_by(const wchar_t *query)
{
    if (!query && is(FAULT_crashes_at_null))
        crash();
    if (!query)
        return 0;
    if (is(FAULT_answers_empty) && !*query)
        return WANTS_ALL;
    if (is(FAULT_answers_blank) && wcscmp(query, L" ") == 0)
        return WANTS_ALL;
    if (is_metadata(query))
        return is(FAULT_metadata_lacks) ? WANTS_LONE | WANTS_PARENTS : WANTS_ALL;
    if (is(FAULT_answers_foreign) && begins(query, L"Foreign"))
        return wanted_by_list(query) ? WANTS_ALL : 0;
    if (begins(query, L"Foreign"))
        return 0;
    if (is_global(query) || (is(FAULT_answers_costly) && begins(query, L"Costly")) ||
        (is(FAULT_answers_metadata) && begins(query, L"Metadata")))
        return WANTS_ALL;
    if (is(FAULT_answers_unknown) && wcscmp(query, L"nonsense") == 0)
        return WANTS_ALL;
    return is(FAULT_lacks_index) ? 0 : wanted_by_list(query);
}

/* ---- Open, Collect, Close ---- */

static LONG CALLBACK look_away(EXCEPTION_POINTERS *exception)
{
    (void)exception;
    return EXCEPTION_CONTINUE_SEARCH;
}

static LONG WINAPI give_up(EXCEPTION_POINTERS *exception)
{
    (void)exception;
    return EXCEPTION_EXECUTE_HANDLER;
}

/* Reads one char after the two NULs at the end. */
static void read_behind(const wchar_t *context)
{
    while (*context)
        context += wcslen(context) + 1;
    (void)((const volatile wchar_t *)context)[1];
}

/* Ends the text after its first char, as wcstok() does at a separator. */
static void split(wchar_t *text)
{
    if (text[0])
        text[1] = 0;
}

static void split_copy(const wchar_t *text)
{
    wchar_t copy[16] = L"";

    split(wcsncpy(copy, text, 15));
}

/* ---- The thread of Open, and arguments of earlier calls ---- */

static DWORD opener;         /* the thread of the first Open */
static HANDLE opener_thread; /* handle of that thread, if the fault needs it to live */
static LPWSTR kept_text;     /* the last query, or the argument of Open */
static unsigned char *kept_buffer;

static void note_opener(void)
{
    if (is(FAULT_closes_in_thread)) {
        if (opens_slot == TLS_OUT_OF_INDEXES)
            opens_slot = TlsAlloc();
        TlsSetValue(opens_slot, (char *)TlsGetValue(opens_slot) + 1);
    }
    if (opened > 0)
        return;
    opener = GetCurrentThreadId();
    if (is(FAULT_opener_must_live))
        opener_thread = OpenThread(SYNCHRONIZE, FALSE, opener);
}

/* Returns whether this thread may close the provider. */
static bool forget_opener(void)
{
    if (is(FAULT_closes_in_thread)) {
        if (opens_slot == TLS_OUT_OF_INDEXES || !TlsGetValue(opens_slot))
            return false;
        TlsSetValue(opens_slot, (char *)TlsGetValue(opens_slot) - 1);
    }
    if (opened == 1 && opener_thread) {
        CloseHandle(opener_thread);
        opener_thread = NULL;
    }
    return true;
}

/* Returns whether the provider can no longer work, because it needs the thread of Open. */
static bool has_lost_opener(void)
{
    return (is(FAULT_opener_only) && GetCurrentThreadId() != opener) ||
           (is(FAULT_opener_must_live) && opener_thread &&
            WaitForSingleObject(opener_thread, 0) == WAIT_OBJECT_0);
}

static void CALLBACK never_return(void *value)
{
    (void)value;
    Sleep(INFINITE);
}

/* Ends or suspends the thread of Open, while it does not use the heap. */
static void stop_opener(void)
{
    HANDLE thread = OpenThread(THREAD_SUSPEND_RESUME | THREAD_TERMINATE, FALSE, opener);

    HeapLock(GetProcessHeap());
    if (is(FAULT_stuck_killed)) {
        TerminateThread(thread, 0);
        return; /* leaves the heap as if the ended thread had been allocating */
    }
    SuspendThread(thread);
    HeapUnlock(GetProcessHeap());
}

/* Leaves the process stuck, if that is the fault. Does so once, in the first Collect that does not
 * come from the thread of Open. During that Collect the reader's first thread only waits, so the
 * machine's speed does not change which threads stop. */
static void leave_stuck(void)
{
    static volatile LONG is_left;

    if (opener == 0 || GetCurrentThreadId() == opener || InterlockedExchange(&is_left, 1) != 0)
        return;
    if (is(FAULT_stuck_heap)) {
        HANDLE is_locked = make_event();

        start(lock_heap, is_locked);
        WaitForSingleObject(is_locked, INFINITE);
    }
    if (is(FAULT_stuck_loader)) {
        stays = make_event();
        InterlockedExchange(&is_staying, 1);
        start(stay_in_dll_main, NULL);
        WaitForSingleObject(stays, INFINITE);
    }
    if (is(FAULT_stuck_ending)) /* the system calls never_return when the thread ends */
        FlsSetValue(FlsAlloc(never_return), (void *)1);
    if (is(FAULT_stuck_thread) || is(FAULT_stuck_killed))
        stop_opener();
}

static void look_at_kept(LPWSTR query)
{
    if ((is(FAULT_keeps_query) || is(FAULT_keeps_context)) && kept_text)
        (void)*(volatile wchar_t *)kept_text;
    if (is(FAULT_keeps_query))
        kept_text = query;
}

static DWORD WINAPI write_late(void *buffer)
{
    Sleep(20);
    ((volatile unsigned char *)buffer)[228] ^= 0x01;
    return 0;
}

static void write_where_no_more(unsigned char *to)
{
    if (is(FAULT_writes_old_buffer) && kept_buffer)
        kept_buffer[228] ^= 0x01;
    kept_buffer = to;
    if (is(FAULT_writes_late)) {
        HANDLE thread = CreateThread(NULL, 0, write_late, to, 0, NULL);

        if (thread)
            CloseHandle(thread);
    }
}

/* Takes longer with each call, because the number of steps grows with the square of `number`. Each
 * step needs the result of the step before it, so the time of a step hardly depends on other
 * threads of the same core. Compilers cannot join two steps into one. */
static void slow_down(LONG number)
{
    static volatile ULONG result; /* keeps the compiler from removing the loop */
    const LONG64 steps = (LONG64)number * number / 64;
    ULONG bits = result | 1;

    for (LONG64 i = 0; i < steps; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 17;
        bits ^= bits << 5;
    }
    result = bits;
}

/* ---- Two processes ---- */

static HANDLE shared; /* the mutex, event or semaphore that the fault needs */
static HANDLE known;  /* shows the first process that there is a second one */

/* Returns whether the two processes share an event. The event exists while either process has the
 * provider open. The first process sets the event in Close. With ends_beside_crash, the second
 * process also sets it before it crashes. */
static bool shares_event(void)
{
    return is(FAULT_bare_twice) ||
           (this_fault >= FAULT_second_refused && this_fault <= FAULT_second_crashes);
}

/* Does what the fault makes the second process do in Open. */
static void suffer(void)
{
    wchar_t name[40];

    if (is(FAULT_ends_beside_crash))
        SetEvent(shared);
    if (is(FAULT_second_crashes) || is(FAULT_ends_beside_crash))
        crash();
    if (is(FAULT_second_ends))
        ExitProcess(0);
    if (is(FAULT_second_silent))
        stop_other_threads();
    name_shared(name, L"-second");
    if (is(FAULT_first_lacks))
        known = CreateEventW(NULL, TRUE, FALSE, name);
}

/* ---- A process that ends without Close ---- */

static HANDLE user;       /* a mutex that the second process has from Open to Close */
static bool is_abandoned; /* a process ended while it had the mutex */

static void note_user(void)
{
    wchar_t name[40];

    if (!is(FAULT_leaves_without_data) && !is(FAULT_heeds_abandoned))
        return;
    name_shared(name, L"-user");
    user = CreateMutexW(NULL, FALSE, name);
    if (GetLastError() == ERROR_ALREADY_EXISTS)
        WaitForSingleObject(user, 0);
}

static void forget_user(void)
{
    if (user) {
        ReleaseMutex(user);
        CloseHandle(user);
    }
    user = NULL;
}

static bool is_user_gone(void)
{
    const DWORD found = user ? WaitForSingleObject(user, 0) : WAIT_TIMEOUT;

    if (found != WAIT_TIMEOUT)
        ReleaseMutex(user);
    is_abandoned = is_abandoned || found == WAIT_ABANDONED;
    return is_abandoned && is(FAULT_leaves_without_data);
}

/* Returns how many Opens this process has made, plus those that its parent process made before it
 * started this process. */
static ULONG count_opens(void)
{
    const wchar_t name[] = L"PRFDATA_FAULTY_OPENS";
    wchar_t number[20] = L"";
    ULONG opens;

    GetEnvironmentVariableW(name, number, 20);
    opens = wcstoul(number, NULL, 10) + 1;
    swprintf(number, 20, L"%lu", (unsigned long)opens);
    SetEnvironmentVariableW(name, number);
    return opens;
}

/* Makes a handle that child processes inherit, except if this process lists the handles to inherit.
 * Returns an error if this process inherited such a handle from its parent process. */
static DWORD look_for_inherited(void)
{
    const wchar_t name[] = L"PRFDATA_FAULTY_SEMAPHORE";
    SECURITY_ATTRIBUTES inheritable = {sizeof inheritable, NULL, TRUE};
    wchar_t number[20] = L"";
    HANDLE old;

    GetEnvironmentVariableW(name, number, 20);
    old = (HANDLE)(ULONG_PTR)wcstoul(number, NULL, 10);
    if (!shared)
        shared = CreateSemaphoreW(&inheritable, 0, 100, NULL);
    swprintf(number, 20, L"%lu", (unsigned long)(ULONG_PTR)shared);
    SetEnvironmentVariableW(name, number);
    return old && old != shared && ReleaseSemaphore(old, 1, NULL) ? ERROR_INVALID_HANDLE
                                                                  : ERROR_SUCCESS;
}

/* Sleeps in the first Open of a process, except in the first process. */
static void open_late(void)
{
    const DWORD opened_by = exchange_process_id(L"PRFDATA_FAULTY_OPENED");

    if (opened_by != 0 && opened_by != GetCurrentProcessId())
        Sleep(FAULTY_OPEN_MS);
}

/* Returns the result of Open. */
static DWORD meet_other_process(void)
{
    ULONG opens = 0;
    wchar_t name[40];

    name_shared(name, L"");
    if (is(FAULT_bare_twice))
        /* In the first Open of a second process, `opens` is the number of the first process's
         * Opens. */
        opens = count_opens() - 1;
    if (is(FAULT_second_waits) || is(FAULT_shares)) {
        shared = CreateMutexW(NULL, FALSE, name);
        if (is(FAULT_second_waits))
            WaitForSingleObject(shared, INFINITE);
        return ERROR_SUCCESS;
    }
    if (!shares_event())
        return ERROR_SUCCESS;
    shared = CreateEventW(NULL, TRUE, FALSE, name);
    is_second = GetLastError() == ERROR_ALREADY_EXISTS;
    is_bare = is_second && (is(FAULT_second_no_instances) || (is(FAULT_bare_twice) && opens <= 2));
    if (is_second)
        suffer();
    if (!is_second || !is(FAULT_second_refused))
        return ERROR_SUCCESS;
    CloseHandle(shared);
    shared = NULL;
    return ERROR_ALREADY_EXISTS;
}

static void part_from_other_process(void)
{
    if (is(FAULT_second_waits))
        ReleaseMutex(shared);
    if (is_second && is(FAULT_second_waits_in_close))
        WaitForSingleObject(shared, INFINITE);
    if (is(FAULT_ends_beside_crash) && WaitForSingleObject(shared, 0) == WAIT_OBJECT_0)
        ExitProcess(0); /* the second process has crashed */
    if (shares_event() && !is_second)
        SetEvent(shared);
    if (known)
        CloseHandle(known);
    if (shared)
        CloseHandle(shared);
    shared = known = NULL;
}

/* ---- A reader that impersonates ---- */

static bool was_client; /* the thread that opened was impersonating */

/* Returns the identity that the calling thread has taken, or NULL. The caller closes it. */
static HANDLE open_identity(void)
{
    HANDLE token = NULL;

    return OpenThreadToken(GetCurrentThread(), TOKEN_QUERY | TOKEN_IMPERSONATE, TRUE, &token)
               ? token
               : NULL;
}

static bool is_impersonating(void)
{
    HANDLE token = open_identity();

    if (token)
        CloseHandle(token);
    return token != NULL;
}

/* ---- A thread and a DLL from the first Open to the last Close ---- */

static HANDLE worker;
static volatile LONG works;
static HMODULE helper;

static DWORD WINAPI work(void *unused)
{
    (void)unused;
    while (InterlockedCompareExchange(&works, 0, 0)) {
        const ULONGLONG begun_ms = GetTickCount64();

        while (is(FAULT_works_a_little) && GetTickCount64() - begun_ms < 2)
            ;
        if (is(FAULT_works_a_little))
            Sleep(28);
    }
    return 0;
}

/* Loads a copy of this library. The name of the copy selects the same fault, which has no effect,
 * because nobody calls the functions of the copy. */
static HMODULE load_helper(void)
{
    wchar_t path[MAX_PATH];
    wchar_t copy[MAX_PATH + 12];
    HMODULE self = NULL;

    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                           GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                       (const wchar_t *)&this_fault, &self);
    GetModuleFileNameW(self, path, MAX_PATH);
    swprintf(copy, MAX_PATH + 12, L"%ls.helper.dll", path);
    CopyFileW(path, copy, FALSE);
    return LoadLibraryW(copy);
}

static DLL_DIRECTORY_COOKIE directory;

static void begin_work(void)
{
    if (opened > 0)
        return;
    if (is(FAULT_sets_directories))
        SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    if (is(FAULT_adds_directory))
        directory = AddDllDirectory(L"C:\\");
    was_client = is_impersonating();
    if (is(FAULT_spins) || is(FAULT_works_a_little)) {
        InterlockedExchange(&works, 1);
        worker = CreateThread(NULL, 0, work, NULL, 0, NULL);
    }
    if (is(FAULT_keeps_helper) || is(FAULT_frees_helper))
        helper = load_helper();
}

static void end_work(void)
{
    if (opened != 1)
        return;
    InterlockedExchange(&works, 0);
    if (worker) {
        WaitForSingleObject(worker, INFINITE);
        CloseHandle(worker);
    }
    worker = NULL;
    if (helper && is(FAULT_frees_helper))
        FreeLibrary(helper);
    if (is(FAULT_adds_directory))
        RemoveDllDirectory(directory);
    delete_global_atoms();
}

/* ---- Open and Close ---- */

DWORD APIENTRY FaultyOpen(LPWSTR context)
{
    if (is(FAULT_reads_behind_context) && context)
        read_behind(context);
    if (is(FAULT_writes_context) && context)
        split(context);
    if (is(FAULT_splits_copy) && context)
        split_copy(context);
    if (is(FAULT_open_changes_filter))
        SetUnhandledExceptionFilter(give_up);
    if (is(FAULT_opens_slowly))
        Sleep(FAULTY_OPEN_MS);
    if (is(FAULT_opens_late))
        open_late();
    if (is(FAULT_leaves_handler))
        AddVectoredExceptionHandler(TRUE, look_away);
    if (is(FAULT_crashes_in_open))
        crash();
    wait_if(FAULT_hangs_in_open, FAULT_slow_in_open);
    if (is(FAULT_open_fails))
        return ERROR_FILE_NOT_FOUND;
    if (is(FAULT_inheritable) && look_for_inherited() != ERROR_SUCCESS)
        return ERROR_INVALID_HANDLE;
    if (meet_other_process() != ERROR_SUCCESS)
        return ERROR_ALREADY_EXISTS;
    if (is(FAULT_leaks_handles))
        CreateEventW(NULL, TRUE, FALSE, NULL);
    note_opener();
    note_user();
    begin_work();
    if (is(FAULT_keeps_context))
        kept_text = context;
    if (is(FAULT_leaks_in_second_open) && opened > 0)
        CreateEventW(NULL, TRUE, FALSE, NULL);
    if (InterlockedIncrement(&opened) == 1) {
        if (was_open && is(FAULT_reopens_late))
            is_late = true;
        opened_ms = GetTickCount64();
        InterlockedExchange(&asked, 0);
    }
    was_open = 1;
    return ERROR_SUCCESS;
}

static volatile LONG is_held;

static DWORD WINAPI release_later(void *module)
{
    Sleep(1000);
    InterlockedExchange(&is_held, 0);
    FreeLibraryAndExitThread(module, 0);
}

static void hold_for_a_second(void)
{
    HMODULE module;
    HANDLE thread;

    if (InterlockedExchange(&is_held, 1) != 0)
        return;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, (const wchar_t *)&this_fault,
                       &module);
    thread = CreateThread(NULL, 0, release_later, module, 0, NULL);
    if (thread)
        CloseHandle(thread);
}

/* This thread ends after 2 s. Close does not wait for it. */
static DWORD WINAPI end_later(void *module)
{
    Sleep(2000);
    FreeLibraryAndExitThread(module, 0);
}

static void start_thread_that_ends_later(void)
{
    HMODULE module;
    HANDLE thread;

    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, (const wchar_t *)&this_fault,
                       &module);
    thread = CreateThread(NULL, 0, end_later, module, 0, NULL);
    if (thread)
        CloseHandle(thread);
}

DWORD APIENTRY FaultyClose(void)
{
    if (is(FAULT_threads_end_later))
        start_thread_that_ends_later();
    if (is(FAULT_goes_later))
        hold_for_a_second();
    if (is(FAULT_crashes_in_close))
        crash();
    if ((is(FAULT_refuses_when_closed) && opened == 0) || !forget_opener())
        return ERROR_INVALID_HANDLE;
    wait_if(FAULT_hangs_in_close, FAULT_slow_in_close);
    part_from_other_process();
    forget_user();
    end_work();
    if (is(FAULT_open_not_counted))
        InterlockedExchange(&opened, 0);
    else if (opened > 0 || is(FAULT_counts_surplus_close))
        InterlockedDecrement(&opened);
    return is(FAULT_close_fails) ? ERROR_INVALID_HANDLE : ERROR_SUCCESS;
}

static DWORD first_thread; /* the thread of the first Collect */

/* Removes an instance at every eighth call of one thread, which is not first_thread. At that
 * thread's next call the instance is back and begins with 0. */
static void restart(faulty_reply *r)
{
    static volatile LONG base;
    static volatile LONG seer;
    static volatile LONG is_gone;
    static LONG calls; /* calls of the thread `seer` */
    const LONG self = (LONG)GetCurrentThreadId();

    if (self != (LONG)first_thread)
        InterlockedCompareExchange(&seer, self, 0);
    if (self == seer) {
        calls++;
        if (calls % 8 == 7)
            InterlockedExchange(&base, r->number);
        InterlockedExchange(&is_gone, calls % 8 == 6); /* prfcheck asks for Global in this call */
    }
    r->is_away = is_gone != 0;
    r->since = r->number > base ? r->number - base : 0;
}

static void make_reply(faulty_reply *r, unsigned wanted, bool metadata, bool cut)
{
    memset(r, 0, sizeof *r);
    r->number = InterlockedIncrement(&collects);
    r->is_metadata = metadata;
    r->is_cut = cut;
    r->is_away = (is(FAULT_comes_and_goes) && r->number % 16 < 4) ||
                 (is(FAULT_alternates) && r->number % 2) ||
                 (is(FAULT_alternates_by_index) && r->number % 2 == 0) ||
                 (is(FAULT_alternates_in_three) && r->number % 3) ||
                 (is(FAULT_fewer_instances_by_index) && wanted != WANTS_ALL);
    r->is_short = is(FAULT_fewer_counters_by_index) && wanted == WANTS_LONE;
    if (is(FAULT_stale_by_index) && wanted != WANTS_ALL)
        r->number = 1;
    if (is(FAULT_restarts))
        restart(r);
    r->is_zero =
        (is(FAULT_zero_for_client) && is_impersonating()) ||
        ((is(FAULT_zero_by_index) || (is(FAULT_zero_now_and_then) && r->number % 16 < 14)) &&
         wanted != WANTS_ALL);
    /* LONE, which has padding, comes last, so that only the end of the reply is misaligned. */
    if (is(FAULT_length_no_multiple)) {
        if (wanted & WANTS_PARENTS)
            put_parents(r);
        if (wanted & WANTS_CHILDREN)
            put_children(r);
        if (wanted & WANTS_LONE)
            put_lone(r);
        return;
    }
    if (wanted & WANTS_LONE && r->is_short)
        put_short_lone(r);
    else if (wanted & WANTS_LONE)
        put_lone(r);
    if ((wanted & WANTS_LONE) && is(FAULT_object_twice))
        put_lone(r);
    if (wanted & WANTS_PARENTS)
        put_parents(r);
    if (wanted & WANTS_CHILDREN)
        put_children(r);
}

static DWORD WINAPI crash_in_thread(void *argument)
{
    (void)argument;
    crash();
    return 0;
}

/* Waits, hangs, crashes in a thread or ends the process, if that is the fault. */
static void go_away(void)
{
    wait_if(FAULT_hangs_in_collect, FAULT_slow_in_collect);
    if (is(FAULT_silent))
        stop_other_threads();
    if (is(FAULT_fails_fast)) /* like a stack protector, without calling any handler */
        TerminateProcess(GetCurrentProcess(), 0xC0000409);
    if (is(FAULT_crashes_in_thread)) {
        HANDLE thread = CreateThread(NULL, 0, crash_in_thread, NULL, 0, NULL);

        WaitForSingleObject(thread, INFINITE);
        CloseHandle(thread);
    }
}

static void initialise_com(bool is_balanced)
{
    typedef HRESULT(WINAPI * initialise)(void *reserved, DWORD model);
    typedef void(WINAPI * uninitialise)(void);
    HMODULE ole = LoadLibraryW(L"ole32.dll");
    const FARPROC first = GetProcAddress(ole, "CoInitializeEx");
    const FARPROC last = GetProcAddress(ole, "CoUninitialize");
    initialise begin;
    uninitialise end;

    memcpy(&begin, &first, sizeof begin);
    memcpy(&end, &last, sizeof end);
    (void)begin(NULL, 0);
    if (is_balanced)
        end();
}

static void change_modes(bool is_balanced)
{
    const bool of_thread = is(FAULT_changes_thread_mode);
    DWORD thread_mode = GetThreadErrorMode();
    const UINT mode = GetErrorMode();

    if (of_thread || is_balanced)
        SetThreadErrorMode(thread_mode ^ SEM_NOOPENFILEERRORBOX, NULL);
    if (!of_thread)
        SetErrorMode(mode ^ SEM_FAILCRITICALERRORS);
    if (is_balanced) {
        SetThreadErrorMode(thread_mode, NULL);
        SetErrorMode(mode);
    }
}

/* Changes the setting that the fault names. If is_balanced, changes all settings of this function
 * and restores them, except an environment variable that nobody reads. */
static void change_surroundings(bool is_balanced)
{
    static wchar_t path[8192]; /* the PATH before the change */
    static SRWLOCK lock = SRWLOCK_INIT;
    HANDLE output = GetStdHandle(STD_OUTPUT_HANDLE);
    const LCID locale = GetThreadLocale();

    AcquireSRWLockExclusive(&lock);
    if (path[0] == 0 && GetEnvironmentVariableW(L"PATH", path, 8192) >= 8192)
        path[0] = 0;
    if (is_balanced || is(FAULT_changes_locale))
        SetThreadLocale(locale == 0x407 ? 0x409 : 0x407);
    if (is_balanced || is(FAULT_changes_class))
        SetPriorityClass(GetCurrentProcess(), BELOW_NORMAL_PRIORITY_CLASS);
    if (is_balanced || is(FAULT_changes_folder))
        SetDllDirectoryW(L"C:\\");
    if (is_balanced || is(FAULT_changes_path))
        SetEnvironmentVariableW(L"PATH", L"C:\\");
    if (is_balanced)
        SetEnvironmentVariableW(L"PRFDATA_FAULTY", L"nobody looks at it");
    if (is_balanced || is(FAULT_changes_output))
        SetStdHandle(STD_OUTPUT_HANDLE, NULL);
    if (is_balanced) {
        SetThreadLocale(locale);
        SetPriorityClass(GetCurrentProcess(), NORMAL_PRIORITY_CLASS);
        SetDllDirectoryW(NULL);
        SetEnvironmentVariableW(L"PATH", path);
        SetStdHandle(STD_OUTPUT_HANDLE, output);
    }
    ReleaseSRWLockExclusive(&lock);
}

static void change_privilege(bool is_balanced)
{
    TOKEN_PRIVILEGES privileges = {1, {{{0, 0}, SE_PRIVILEGE_ENABLED}}};
    TOKEN_PRIVILEGES before;
    DWORD bytes = 0;
    HANDLE token;

    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &token))
        return;
    if (LookupPrivilegeValueW(NULL, L"SeBackupPrivilege", &privileges.Privileges[0].Luid) &&
        AdjustTokenPrivileges(token, FALSE, &privileges, sizeof before, &before, &bytes) &&
        is_balanced && before.PrivilegeCount == 1)
        AdjustTokenPrivileges(token, FALSE, &before, 0, NULL, NULL);
    CloseHandle(token);
}

static void change_fiber(bool is_balanced)
{
    if (IsThreadAFiber())
        return;
    (void)ConvertThreadToFiber(NULL);
    if (is_balanced)
        (void)ConvertFiberToThread();
}

static void keep_awake(bool is_balanced)
{
    const DWORD before = SetThreadExecutionState(ES_CONTINUOUS | ES_SYSTEM_REQUIRED);

    if (is_balanced)
        SetThreadExecutionState(before | ES_CONTINUOUS);
}

static void change_more(void)
{
    static SRWLOCK lock = SRWLOCK_INIT;
    const bool is_balanced = is(FAULT_restores);

    AcquireSRWLockExclusive(&lock);
    if (is_balanced || is(FAULT_leaves_fiber))
        change_fiber(is_balanced);
    if (is_balanced || is(FAULT_keeps_awake))
        keep_awake(is_balanced);
    if (is_balanced || is(FAULT_leaves_privilege))
        change_privilege(is_balanced);
    ReleaseSRWLockExclusive(&lock);
}

static bool changes_surroundings(void)
{
    return is(FAULT_restores) || is(FAULT_changes_locale) || is(FAULT_changes_class) ||
           is(FAULT_changes_folder) || is(FAULT_changes_path) || is(FAULT_changes_output);
}

static void close_handles(void)
{
    HANDLE event = CreateEventW(NULL, TRUE, FALSE, NULL);

    CloseHandle(event);
    CloseHandle(NULL);
    CloseHandle(INVALID_HANDLE_VALUE);
    if (is(FAULT_closes_twice))
        CloseHandle(event); /* cppcheck-suppress doubleFree; this is the fault */
}

static unsigned use_stack(unsigned times);
static unsigned (*volatile use_more)(unsigned times) = use_stack; /* never inlined */

/* Uses 40 KB of stack in each of `times` nested calls. Returns a number that depends on these
 * bytes, so that the compiler must keep them until the return. */
static unsigned use_stack(unsigned times)
{
    volatile unsigned char bytes[40 * 1024];

    for (size_t i = 0; i < sizeof bytes; i += 512)
        bytes[i] = (unsigned char)times;
    return times > 1 ? use_more(times - 1) + bytes[512] : bytes[0];
}

static void write_output(void)
{
    static const char text[] = "collected\r\n";
    DWORD written;

    (void)WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), text, sizeof text - 1, &written, NULL);
}

static void CALLBACK do_nothing(ULONG_PTR unused)
{
    (void)unused;
}

static bool make_temporary_path(wchar_t path[MAX_PATH])
{
    wchar_t folder[MAX_PATH];

    return GetTempPathW(MAX_PATH, folder) > 0 && GetTempFileNameW(folder, L"prf", 0, path) > 0;
}

static void write_file(void)
{
    wchar_t path[MAX_PATH];
    DWORD written;
    HANDLE file;

    if (!make_temporary_path(path))
        return;
    file =
        CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_FLAG_DELETE_ON_CLOSE, NULL);
    (void)WriteFile(file, path, 2, &written, NULL);
    CloseHandle(file);
}

static void write_by_c_library(void)
{
    wchar_t path[MAX_PATH];
    FILE *file;

    if (!make_temporary_path(path))
        return;
    file = _wfopen(path, L"wb");
    if (file) {
        (void)fputs("collected", file);
        (void)fclose(file);
    }
    DeleteFileW(path);
}

static void write_pipe(void)
{
    char byte = 'a';
    HANDLE reader;
    HANDLE writer;
    DWORD count;

    if (!CreatePipe(&reader, &writer, NULL, 0))
        return;
    (void)WriteFile(writer, &byte, 1, &count, NULL);
    (void)ReadFile(reader, &byte, 1, &count, NULL);
    CloseHandle(reader);
    CloseHandle(writer);
}

static void report_event(void)
{
    const wchar_t *text = L"collected";
    HANDLE log = RegisterEventSourceW(NULL, L"prfdata-faulty");

    (void)ReportEventW(log, EVENTLOG_INFORMATION_TYPE, 0, 1, NULL, 1, 0, &text, NULL);
    if (log)
        DeregisterEventSource(log);
}

static void write_registry(void)
{
    static const wchar_t path[] = L"Software\\prfdata-faulty";
    const DWORD number = 1;
    HKEY key;

    if (RegCreateKeyExW(HKEY_CURRENT_USER, path, 0, NULL, REG_OPTION_VOLATILE, KEY_SET_VALUE, NULL,
                        &key, NULL) != ERROR_SUCCESS)
        return;
    RegSetValueExW(key, L"Collects", 0, REG_DWORD, (const BYTE *)&number, sizeof number);
    RegCloseKey(key);
    RegDeleteKeyW(HKEY_CURRENT_USER, path);
}

static void start_process(void)
{
    wchar_t command[] = L"prfdata-is-not-there.exe";
    STARTUPINFOW startup = {.cb = sizeof startup};
    PROCESS_INFORMATION made;

    if (CreateProcessW(NULL, command, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &made)) {
        CloseHandle(made.hThread);
        CloseHandle(made.hProcess);
    }
}

static void have_effects(void)
{
    static volatile LONG calls;
    const LONG number = InterlockedIncrement(&calls);
    DWORD bytes = 0;

    if (is(FAULT_leaves_apc) || is(FAULT_runs_apc))
        QueueUserAPC(do_nothing, GetCurrentThread(), 0);
    if (is(FAULT_runs_apc))
        (void)SleepEx(0, TRUE);
    if (is(FAULT_writes_file) || (is(FAULT_writes_pipe) && number == 1))
        write_file();
    if (is(FAULT_writes_pipe))
        write_pipe();
    if (is(FAULT_writes_by_c_library))
        write_by_c_library();
    if (is(FAULT_reports_event))
        report_event();
    if (is(FAULT_writes_registry) || (is(FAULT_effects_once) && number == 1))
        write_registry();
    if (is(FAULT_starts_process) || (is(FAULT_effects_once) && number == 1))
        start_process();
    if (is(FAULT_debug_text) || (is(FAULT_effects_once) && number == 1))
        OutputDebugStringW(L"collected");
    if (is(FAULT_asks_performance))
        (void)RegQueryValueExW(HKEY_PERFORMANCE_DATA, L"nonsense", NULL, NULL, NULL, &bytes);
}

/* Has the effect of the fault, for instance a changed error mode or a written file. With
 * `restores`, makes many changes and undoes each of them. */
static void leave_behind(void)
{
    have_effects();
    if (is(FAULT_leaves_com) || is(FAULT_restores))
        initialise_com(is(FAULT_restores));
    if (is(FAULT_changes_error_mode) || is(FAULT_changes_thread_mode) || is(FAULT_restores))
        change_modes(is(FAULT_restores));
    change_more();
    if (is(FAULT_writes_output))
        write_output();
    if (changes_surroundings())
        change_surroundings(is(FAULT_restores));
    if (is(FAULT_closes_twice) || is(FAULT_closes_once))
        close_handles();
    if (is(FAULT_uses_stack) || is(FAULT_uses_some_stack))
        (void)use_more(is(FAULT_uses_stack) ? 2 : 1);
}

static void take_time(void)
{
    static volatile LONG calls;
    const LONG number = InterlockedIncrement(&calls);

    if (number == 1)
        first_thread = GetCurrentThreadId();
    if ((is(FAULT_takes_long) && number <= 3) || (is(FAULT_long_once) && number == 1) ||
        (is(FAULT_crashes_after_long) && number == 1) ||
        (is(FAULT_long_seldom) && number % 50 == 25 && number < 150))
        Sleep(FAULTY_LONG_MS);
    else if (is(FAULT_crashes_after_long))
        crash();
    if (is(FAULT_waits_in_threads) && GetCurrentThreadId() != first_thread)
        Sleep(FAULTY_WAIT_MS);
}

/* Does the part of the fault that comes before the reply is written. */
static void go_wrong(LPWSTR query)
{
    if (is(FAULT_crashes_in_collect) || (is(FAULT_crashes_when_closed) && opened == 0))
        crash();
    if (is(FAULT_crashes_after_close) && was_open && opened == 0)
        crash();
    go_away();
    if (is(FAULT_ends_process) && query && wcscmp(query, L"MetadataCostly") == 0)
        ExitProcess(77);
    if (is(FAULT_reads_behind_query) && query)
        (void)((volatile wchar_t *)query)[wcslen(query) + 1];
    if (is(FAULT_writes_query) && query && query[0] >= L'a')
        query[0] = (wchar_t)(query[0] - 32);
    if (is(FAULT_changes_priority))
        SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_BELOW_NORMAL);
    if (is(FAULT_changes_directory))
        SetCurrentDirectoryW(L"C:\\");
    if (is(FAULT_changes_filter))
        SetUnhandledExceptionFilter(give_up);
    take_time();
    leave_behind();
    look_at_kept(query);
    leak(InterlockedIncrement(&collect_count));
    leave_stuck();
    if (is(FAULT_gets_slower))
        slow_down(collect_count);
}

#ifdef HAS_X86
/* Set the control words of x87 and SSE to values that compilers do not expect. */
PRFDATA_TARGET_FXSR static void change_floating(void)
{
    unsigned char area[512 + 16];
    unsigned char *state = area + 16 - ((ULONG_PTR)area & 15);

    _fxsave(state);
    if (is(FAULT_changes_x87))
        state[1] ^= 0x0C; /* rounding */
    if (is(FAULT_changes_sse))
        state[25] ^= 0x60; /* rounding */
    _fxrstor(state);
}

static void change_processor(void)
{
    if (is(FAULT_changes_x87) || is(FAULT_changes_sse))
        change_floating();
    if (is(FAULT_changes_direction))
        __writeeflags(__readeflags() | 0x400);
}
#else
static void change_processor(void)
{
}
#endif

/* Returns whether another thread is in this function. Each call stays for 1 ms, so that calls of
 * several threads overlap. */
static bool is_disturbed(void)
{
    bool disturbed = InterlockedIncrement(&inside) > 1;

    Sleep(1);
    InterlockedDecrement(&inside);
    return disturbed;
}

static DWORD refuse(const faulty_reply *r, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    if (is(FAULT_size_over)) {
        *bytes = r->used;
        *objects = r->objects;
        *data = (unsigned char *)*data + r->used;
        return ERROR_SUCCESS;
    }
    if (is(FAULT_leaks_when_refused))
        HeapAlloc(GetProcessHeap(), 0, 100);
    if (is(FAULT_success_without_room)) {
        *bytes = *objects = 0;
        return ERROR_SUCCESS;
    }
    if (is(FAULT_more_writes))
        memcpy(*data, r->bytes, *bytes);
    *bytes = is(FAULT_more_outputs) ? r->used : 0;
    *objects = 0;
    return ERROR_MORE_DATA;
}

/* Returns the offset of the 4 bytes that stay unwritten: in the first value of LONE, or in the
 * padding of the first child. Returns 0 if all bytes are written. */
static DWORD unwritten_offset(const faulty_reply *r)
{
    if (is(FAULT_leaves_value) && r->objects == 3)
        return 228;
    return is(FAULT_leaves_padding) && r->objects == 3 ? 572 : 0;
}

static void copy_reply(const faulty_reply *r, unsigned char *to)
{
    const DWORD left = unwritten_offset(r);

    memcpy(to, r->bytes, left);
    if (left > 0)
        memcpy(to + left + 4, r->bytes + left + 4, r->used - left - 4);
    else
        memcpy(to, r->bytes, r->used);
}

static void write_reply(const faulty_reply *r, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    unsigned char *to = *data;
    unsigned char *after = to + *bytes;
    static volatile LONG replies;
    const LONG number = InterlockedIncrement(&replies);

    if (is(FAULT_cuts_pointer))
        to = (unsigned char *)(ULONG_PTR)(DWORD)(ULONG_PTR)to;
    if (is(FAULT_needs_alignment))
        to = (unsigned char *)(((ULONG_PTR)to + 7) & ~(ULONG_PTR)7);
    if (r->used > 0)
        write_where_no_more(to);
    copy_reply(r, to);
    if (is(FAULT_exact_ends_after) && r->used > 0)
        memset(to + r->used, 0, 8);
    if (is(FAULT_reads_before))
        (void)*(volatile unsigned char *)(to - 1);
    if (is(FAULT_writes_before) && r->used > 0)
        to[-1] = 0;
    if (is(FAULT_writes_far_before) && r->used > 0 && ((ULONG_PTR)to & 0xFFF) >= 1024)
        to[-1024] ^= 0xFF;
    if (is(FAULT_writes_after) && r->used > 0)
        *after = 0;
    if (is(FAULT_writes_far_after) && r->used > 0 && ((ULONG_PTR)after & 0xFFF) != 0)
        after[1023] ^= 0xFF;
    if (is(FAULT_writes_beyond_guard) && number % 50 == 0)
        after[2000] ^= 0xFF;
    if (is(FAULT_scratches))
        memset(to + r->used, 0x5A, (size_t)(after - to) - r->used);
    if (is(FAULT_reads_after))
        (void)*(volatile unsigned char *)after;
    *data = (unsigned char *)*data + r->used;
    *bytes = r->used;
    *objects = r->objects;
    if (is(FAULT_pointer_stays))
        *data = (unsigned char *)*data - r->used;
    if (is(FAULT_pointer_beyond) && r->used > 0)
        *data = (unsigned char *)*data + 0x100000;
    if (is(FAULT_size_beyond) && r->used > 0)
        *bytes = 0x100000;
    if (is(FAULT_size_short) && r->used > 0)
        *bytes -= 8;
    if (is(FAULT_null_for_nothing) && r->used == 0)
        *data = NULL;
    if (is(FAULT_object_count))
        ++*objects;
}

static void make_cached_reply(faulty_reply *r, const wchar_t *query, unsigned wanted)
{
    static SRWLOCK lock = SRWLOCK_INIT;
    static ULONGLONG made_ms;
    static faulty_reply kept;

    AcquireSRWLockExclusive(&lock);
    if (_wcsicmp(query, L"Global") != 0) {
        make_reply(r, wanted, false, false);
    } else {
        if (made_ms == 0 || GetTickCount64() - made_ms > 50) {
            make_reply(&kept, wanted, false, false);
            made_ms = GetTickCount64();
        }
        *r = kept;
    }
    ReleaseSRWLockExclusive(&lock);
}

static void make_any_reply(faulty_reply *r, LPWSTR query, unsigned wanted, DWORD capacity)
{
    if (is(FAULT_caches) && wanted != 0) {
        make_cached_reply(r, query, wanted);
        return;
    }
    make_reply(r, wanted, is_metadata(query), false);
    if (is(FAULT_partial) && capacity < r->used)
        make_reply(r, wanted & WANTS_LONE, false, false);
    if (is(FAULT_cuts_instances) && capacity < r->used)
        make_reply(r, wanted, false, true);
    if (is(FAULT_not_thread_safe) && is_disturbed() && r->used > 0)
        patch_faulty(r, 0, r->used + 8);
    if (is(FAULT_empty_beside_others) && is_disturbed())
        make_reply(r, 0, false, false);
}

/* Answers calls without Open, which perflib never makes. Returns whether it has answered. */
static bool answer_when_closed(LPDWORD bytes, DWORD *status)
{
    if (opened > 0 || !(is(FAULT_refuses_when_closed) || is(FAULT_nonsense_when_closed)))
        return false;
    if (is(FAULT_nonsense_when_closed))
        *bytes = 13;
    *status = is(FAULT_refuses_when_closed) ? ERROR_NOT_READY : ERROR_SUCCESS;
    return true;
}

/* A pause is a time of at least 200 ms without a Collect (900 ms with forgets_in_second). With
 * forgets_in_pause and forgets_in_second, returns true after a pause. With slow_after_pause, waits
 * 100 ms after a pause. */
static bool was_pausing(void)
{
    const LONG64 least_ms = is(FAULT_forgets_in_second) ? 900 : 200;
    static volatile LONG64 last_ms;
    const LONG64 now_ms = (LONG64)GetTickCount64();
    const LONG64 then_ms = InterlockedExchange64(&last_ms, now_ms);
    const bool is_pause = then_ms != 0 && now_ms - then_ms >= least_ms;

    if (is_pause && is(FAULT_slow_after_pause))
        Sleep(100);
    return is_pause && (is(FAULT_forgets_in_pause) || is(FAULT_forgets_in_second));
}

/* Returns whether the reply is empty, because the provider has no data yet or no longer. */
static bool is_early(void)
{
    return was_pausing() || is_user_gone() ||
           (is(FAULT_first_empty) && InterlockedIncrement(&asked) == 1) ||
           (is(FAULT_first_later) && GetTickCount64() - opened_ms < 200) ||
           (is(FAULT_stops_after_many) && collect_count > 200) || has_lost_opener() ||
           (is_late && GetTickCount64() - opened_ms < FAULTY_LATE_MS);
}

static void revert_and_return(void)
{
    HANDLE token = open_identity();

    RevertToSelf();
    if (token) {
        SetThreadToken(NULL, token);
        CloseHandle(token);
    }
}

static DWORD room_of_all(void)
{
    faulty_reply all;

    make_reply(&all, WANTS_ALL, false, false);
    return all.used;
}

/* Returns `bytes`, the size of the caller's buffer. With some faults the returned size is wrong. */
static DWORD room_of(DWORD bytes)
{
    if (is(FAULT_room_rounded))
        return (bytes + 7) / 8 * 8;
    if (is(FAULT_room_16_bits))
        return bytes & 0xFFFF;
    return is(FAULT_room_above_megabyte) && bytes > 1024 * 1024 ? 0 : bytes;
}

static DWORD collect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    unsigned wanted;
    DWORD status;
    faulty_reply r;

    go_wrong(query);
    if (is_late_bare)
        is_bare = GetTickCount64() - opened_ms < FAULTY_LATE_MS;
    if (answer_when_closed(bytes, &status))
        return status;
    if (is(FAULT_shares) && WaitForSingleObject(shared, INFINITE) == WAIT_OBJECT_0) {
        Sleep(20);
        ReleaseMutex(shared);
    }
    wanted = opened > 0 && !is(FAULT_answers_nothing) && !is_early() ? wanted_by(query) : 0;
    if (wanted == 0 && is(FAULT_leaks_for_foreign))
        HeapAlloc(GetProcessHeap(), 0, 100);
    if (((is(FAULT_places_for_threads) || is(FAULT_places_for_living)) && !has_place()) ||
        (is(FAULT_needs_identity) && is_impersonating()) ||
        (is(FAULT_needs_identity_in_open) && was_client))
        wanted = 0;
    if (is(FAULT_drops_identity))
        RevertToSelf();
    if (is(FAULT_swaps_identity) && is_impersonating())
        (void)ImpersonateSelf(SecurityIdentification); /* a lower level than the reader has */
    if (is(FAULT_reverts_and_returns))
        revert_and_return();
    if (is_second && is(FAULT_second_collect_fails))
        return ERROR_INVALID_DATA;
    if (is_second && is(FAULT_second_unusable)) {
        *bytes += 8;
        return ERROR_SUCCESS;
    }
    if (is_second && is(FAULT_second_waits_in_collect))
        WaitForSingleObject(shared, INFINITE);
    if ((is_second && is(FAULT_second_empty)) ||
        (!is_second && is(FAULT_first_lacks) && is_event_there(L"-second")))
        wanted = 0;
    if (wanted == 0 && is(FAULT_other_status)) {
        *bytes = 0;
        *objects = 0;
        return ERROR_INVALID_PARAMETER;
    }
    make_any_reply(&r, query, wanted, *bytes);
    if (is(FAULT_more_by_index) && wanted != 0 && *bytes < room_of_all())
        return refuse(&r, data, bytes, objects);
    if (room_of(*bytes) < r.used + (is(FAULT_more_needless) ? 64 : 0) ||
        (is(FAULT_exact_refused) && *bytes == r.used) || (is(FAULT_more_always) && r.used > 0) ||
        (is(FAULT_size_first) && *bytes < 64))
        return refuse(&r, data, bytes, objects);
    write_reply(&r, data, bytes, objects);
    return ERROR_SUCCESS;
}

DWORD APIENTRY FaultyCollect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    static const ULONGLONG none = 0;
    DWORD number;
    DWORD status = collect(query, data, bytes, objects);

    number = is(FAULT_writes_wide_bytes) ? *bytes : *objects;
    if (is(FAULT_writes_wide_bytes))
        memcpy(bytes, &none, sizeof none);
    if (is(FAULT_writes_wide_objects))
        memcpy(objects, &none, sizeof none);
    if (is(FAULT_writes_wide_bytes))
        *bytes = number;
    if (is(FAULT_writes_wide_objects))
        *objects = number;
    change_processor();
    return status;
}
