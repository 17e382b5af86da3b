/* SPDX-License-Identifier: MIT */
/* Tests the provider DLL of a service as perflib uses it: its exports and imports, Open, Collect,
 * Close and unloading in every order, and the way through the registry. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>
#include <winperf.h>

#include <prfdata/prfdata.h>

#include "support/installer/places.h"
#include "support/process.h"
#include "support/provider/perf_reader.h"
#include "support/sample_map.h"
#include "support/service.h"
#include "support/threads.h"

#define SERVICE       "PrfDataTestProvider"
#define SERVICE_WIDE  L"PrfDataTestProvider"
#define OTHER         "PrfDataTestProviderTwo"
#define OTHER_WIDE    L"PrfDataTestProviderTwo"
#define PROVIDER_FILE SERVICE_WIDE L"Prf.dll"

enum { FIRST_COUNTER = 56100, OTHER_FIRST_COUNTER = 57100, ROOM = 65536 };
enum { QUEUE_ID = 100, JOBS_ID = 102, JOBS_AT = 1 };

static struct {
    HMODULE module;
    PM_OPEN_PROC *open;
    PM_COLLECT_PROC *collect;
    PM_CLOSE_PROC *close;
} dll;

static sample_map sample, other_sample;
static prfdata_test_service service, other_service;
static prfdata_publisher *publisher;
static wchar_t library[MAX_PATH];

/* ---- Set-up ---- */

static FARPROC function_named(const char *name)
{
    FARPROC found = GetProcAddress(dll.module, name);

    assert_non_null(found);
    return found;
}

static void load(void)
{
    dll.module = LoadLibraryW(library);
    assert_non_null(dll.module);
    dll.open = (PM_OPEN_PROC *)(void (*)(void))function_named("PrfDataOpen");
    dll.collect = (PM_COLLECT_PROC *)(void (*)(void))function_named("PrfDataCollect");
    dll.close = (PM_CLOSE_PROC *)(void (*)(void))function_named("PrfDataClose");
}

static prfdata_publisher *publish(const prfdata_map *map, int64_t jobs)
{
    prfdata_publisher *opened;
    prfdata_instance mail;
    prfdata_handle handle;

    assert_int_equal(prfdata_open(map, &opened), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(opened, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_resolve(opened, JOBS_ID, &mail, &handle), ERROR_SUCCESS);
    prfdata_add(handle, jobs);
    return opened;
}

static void init_maps(void)
{
    sample_map_init_as(&sample, SERVICE);
    sample_map_init_as(&other_sample, OTHER);
}

static int install(void **state)
{
    (void)state;
    init_maps();
    path_beside(library, PROVIDER_FILE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, FIRST_COUNTER);
    publisher = publish(&sample.map, 5);
    load();
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    dll.close(); /* has no effect, except that after a failure it frees what Open made */
    dll.close();
    assert_true(FreeLibrary(dll.module));
    prfdata_close_and_unmap(publisher);
    prfdata_test_service_remove(&service);
    return 0;
}

/* ---- Collecting ---- */

/* Returns the jobs of "mail" of the service whose First Counter is `title`, or -1 if the reply is
 * empty. */
static long jobs_shown(uint32_t title)
{
    static unsigned char bytes[ROOM];
    wchar_t query[16];
    void *data = bytes;
    DWORD size = ROOM, objects = 0xDDDDDDDD;
    perf_reply reply;
    uint64_t value;

    swprintf(query, 16, L"%u", (unsigned)title);
    assert_int_equal(dll.collect(query, &data, &size, &objects), ERROR_SUCCESS);
    assert_ptr_equal(data, bytes + size);
    if (objects == 0) {
        assert_int_equal(size, 0);
        return -1;
    }
    reply.bytes = bytes;
    reply.size = size;
    reply.object_count = objects;
    assert_null(perf_reader_mistake(&reply));
    assert_true(perf_reader_value(&reply, title, "", "mail", JOBS_AT, &value));
    return (long)value;
}

/* ---- The DLL file ---- */

static const void *directory_of(DWORD index)
{
    const unsigned char *base = (const unsigned char *)dll.module;
    const IMAGE_DOS_HEADER *dos = (const void *)base;
    const IMAGE_NT_HEADERS *headers = (const void *)(base + dos->e_lfanew);
    DWORD address = headers->OptionalHeader.DataDirectory[index].VirtualAddress;

    return address ? base + address : NULL;
}

static void test_provider_exports_three_undecorated_names(void **state)
{
    static const char *const names[] = {"PrfDataClose", "PrfDataCollect", "PrfDataOpen"};
    const unsigned char *base = (const unsigned char *)dll.module;
    const IMAGE_EXPORT_DIRECTORY *exports = directory_of(IMAGE_DIRECTORY_ENTRY_EXPORT);
    const DWORD *addresses;
    unsigned function_count = 0;

    (void)state;
    assert_non_null(exports);
    assert_int_equal(exports->NumberOfNames, 3);
    addresses = (const void *)(base + exports->AddressOfFunctions);
    for (DWORD i = 0; i < exports->NumberOfFunctions; i++)
        function_count += addresses[i] != 0; /* lld leaves ordinal 0 empty */
    assert_int_equal(function_count, 3);
    addresses = (const void *)(base + exports->AddressOfNames);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal((const char *)base + addresses[i], names[i]);
}

static void test_provider_imports_windows_own_modules_only(void **state)
{
    static const char *const allowed[] = {
        "KERNEL32.dll",
        "ADVAPI32.dll",
        "ntdll.dll",
#if defined(_MSC_VER) && defined(__clang__)
        "ucrtbase.dll" /* in the preset windows-msvc */
#else
        "msvcrt.dll"
#endif
    };
    const unsigned char *base = (const unsigned char *)dll.module;
    const IMAGE_IMPORT_DESCRIPTOR *imports = directory_of(IMAGE_DIRECTORY_ENTRY_IMPORT);

    (void)state;
    assert_non_null(imports);
    assert_null(directory_of(IMAGE_DIRECTORY_ENTRY_DELAY_IMPORT));
    for (; imports->Name != 0; imports++) {
        const char *name = (const char *)base + imports->Name;
        bool is_allowed = false;

        for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
            is_allowed = is_allowed || _stricmp(name, allowed[i]) == 0;
        if (!is_allowed)
            fail_msg("imports %s", name);
    }
}

/* ---- Open, Collect, Close ---- */

static void test_provider_shows_what_is_published(void **state)
{
    (void)state;
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(FIRST_COUNTER), 5);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
}

static void test_provider_open_takes_its_own_name_where_the_context_is_no_service(void **state)
{
    static const wchar_t *const contexts[] = {
        NULL,
        L"",
        SERVICE_WIDE,
        L"PRFDATATESTPROVIDER",
        L"\\Device\\Tcpip_{4D36E972-E325-11CE-BFC1-08002BE10318}",
        L"Tcpip",
        L"NoSuchService",
        L"..\\" SERVICE_WIDE,
        L"Sv\x00E9rvice",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(contexts) / sizeof(contexts[0]); i++) {
        wchar_t context[128] = {0}; /* a REG_MULTI_SZ ends with two NULs */

        if (contexts[i])
            wcscpy(context, contexts[i]);
        assert_int_equal(dll.open(contexts[i] ? context : NULL), ERROR_SUCCESS);
        assert_int_equal(jobs_shown(FIRST_COUNTER), 5);
        assert_int_equal(dll.close(), ERROR_SUCCESS);
    }
}

static void test_provider_open_survives_a_context_of_any_length(void **state)
{
    enum { UNITS = 100000 };
    wchar_t *context = malloc((UNITS + 2) * sizeof(*context));

    (void)state;
    assert_non_null(context);
    for (size_t i = 0; i < UNITS; i++)
        context[i] = L'x';
    context[UNITS] = context[UNITS + 1] = 0;
    assert_int_equal(dll.open(context), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(FIRST_COUNTER), 5);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    free(context);
}

/* The installer registers a copy of the DLL. The name of the copy ends with 16 digits of a hash. */
static void test_provider_takes_the_service_from_the_name_of_a_copy(void **state)
{
    static const struct {
        const wchar_t *file;
        bool is_service;
    } names[] = {
        {SERVICE_WIDE L"Prf-0123456789abcdef.dll", true},
        {SERVICE_WIDE L"prf-0123456789ABCDEF.DLL", true},
        {SERVICE_WIDE L"Prf-0123456789abcde.dll", false},
        {SERVICE_WIDE L"Prf-0123456789abcdef0.dll", false},
        {SERVICE_WIDE L"Prf-0123456789abcdeg.dll", false},
        {SERVICE_WIDE L"Prf_0123456789abcdef.dll", false},
        {SERVICE_WIDE L"-0123456789abcdef.dll", false},
    };
    wchar_t original[MAX_PATH];

    (void)state;
    assert_true(FreeLibrary(dll.module));
    wcscpy(original, library);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        wcscpy(wcsrchr(library, L'\\') + 1, names[i].file);
        assert_true(CopyFileW(original, library, FALSE));
        load();
        assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
        assert_int_equal(jobs_shown(FIRST_COUNTER), names[i].is_service ? 5 : -1);
        assert_int_equal(dll.close(), ERROR_SUCCESS);
        assert_true(FreeLibrary(dll.module));
        assert_true(DeleteFileW(library));
    }
    wcscpy(library, original);
    load();
}

static void test_provider_serves_the_service_that_the_context_names(void **state)
{
    wchar_t context[64] = OTHER_WIDE;
    prfdata_publisher *other;

    (void)state;
    prfdata_test_service_make(&other_service, OTHER, &other_sample.map, OTHER_FIRST_COUNTER);
    other = publish(&other_sample.map, 77);
    assert_int_equal(dll.open(context), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(OTHER_FIRST_COUNTER), 77);
    assert_int_equal(jobs_shown(FIRST_COUNTER), -1);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    prfdata_close_and_unmap(other);
    prfdata_test_service_remove(&other_service);
}

static void test_provider_collect_without_open_is_empty(void **state)
{
    (void)state;
    assert_int_equal(jobs_shown(FIRST_COUNTER), -1);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(FIRST_COUNTER), -1);
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(FIRST_COUNTER), 5);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(FIRST_COUNTER), -1);
}

static void test_provider_stays_until_it_was_closed_as_often_as_opened(void **state)
{
    (void)state;
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(FIRST_COUNTER), 5);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(FIRST_COUNTER), -1);
}

static void test_provider_collect_sets_all_outputs_whatever_the_query(void **state)
{
    static const wchar_t *const queries[] = {NULL, L"", L"nonsense", L"Foreign host", L"1"};

    (void)state;
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        unsigned char bytes[8];
        void *data = bytes;
        DWORD size = sizeof(bytes), objects = 0xDDDDDDDD;
        wchar_t query[32] = {0};

        if (queries[i])
            wcscpy(query, queries[i]);
        assert_int_equal(dll.collect(queries[i] ? query : NULL, &data, &size, &objects), 0);
        assert_ptr_equal(data, bytes);
        assert_int_equal(size, 0);
        assert_int_equal(objects, 0);
    }
    assert_int_equal(dll.close(), ERROR_SUCCESS);
}

static void test_provider_short_buffer_is_more_data(void **state)
{
    unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const unsigned char before[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    wchar_t query[] = L"Global";
    void *data = bytes;
    DWORD size = sizeof(bytes), objects = 0xDDDDDDDD;

    (void)state;
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    assert_int_equal(dll.collect(query, &data, &size, &objects), ERROR_MORE_DATA);
    assert_ptr_equal(data, bytes);
    assert_int_equal(size, 0);
    assert_int_equal(objects, 0);
    assert_memory_equal(bytes, before, sizeof(bytes));
    assert_int_equal(dll.close(), ERROR_SUCCESS);
}

/* ---- Unloading ---- */

static LONG CALLBACK go_on(EXCEPTION_POINTERS *fault)
{
    return fault->ExceptionRecord->ExceptionCode == 0xE0000001 ? EXCEPTION_CONTINUE_EXECUTION
                                                               : EXCEPTION_CONTINUE_SEARCH;
}

/* If the unloaded DLL had left a handler, this would fault. */
static void raise_an_exception(void)
{
    void *handler = AddVectoredExceptionHandler(FALSE, go_on);

    assert_non_null(handler);
    RaiseException(0xE0000001, 0, 0, NULL);
    RemoveVectoredExceptionHandler(handler);
}

static void test_provider_loads_and_unloads_any_number_of_times(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
        assert_int_equal(jobs_shown(FIRST_COUNTER), 5);
        assert_int_equal(dll.close(), ERROR_SUCCESS);
        assert_true(FreeLibrary(dll.module));
        assert_null(GetModuleHandleW(library));
        raise_an_exception();
        load();
    }
}

/* Runs in a child process, because what Open made stays until the process ends. */
static int unload_without_close(void)
{
    path_beside(library, PROVIDER_FILE);
    for (int i = 0; i < 3; i++) {
        load();
        if (dll.open(NULL) || jobs_shown(FIRST_COUNTER) != 5 || !FreeLibrary(dll.module) ||
            GetModuleHandleW(library))
            return 1;
        raise_an_exception();
    }
    return 0;
}

static void test_provider_unloaded_without_close_is_gone(void **state)
{
    const char *arguments[] = {"unload", NULL};

    (void)state;
    assert_int_equal(prfdata_test_process_wait(prfdata_test_process_start(arguments)), 0);
}

/* ---- Close while a Collect runs ---- */

/* A call that waits until it may continue. It is a Collect whose buffer or out-parameters cannot be
 * written until then, or an Open whose argument cannot be read until then. */
static struct {
    HANDLE thread;
    HANDLE has_begun;
    HANDLE may_go_on;
    void *handler;
    unsigned char *page; /* protected until the call may continue */
    unsigned char *buffer;
    DWORD *outputs;
    DWORD status;
    perf_reply reply;
} slow;

static LONG CALLBACK hold_collect(EXCEPTION_POINTERS *fault)
{
    const EXCEPTION_RECORD *record = fault->ExceptionRecord;
    DWORD old;

    if (record->ExceptionCode != EXCEPTION_ACCESS_VIOLATION ||
        record->ExceptionInformation[1] - (ULONG_PTR)slow.page >= ROOM)
        return EXCEPTION_CONTINUE_SEARCH;
    SetEvent(slow.has_begun);
    WaitForSingleObject(slow.may_go_on, INFINITE);
    VirtualProtect(slow.page, ROOM, PAGE_READWRITE, &old);
    return EXCEPTION_CONTINUE_EXECUTION;
}

static DWORD WINAPI collect_slowly(void *unused)
{
    wchar_t query[] = L"Global";
    void *data = slow.buffer;

    (void)unused;
    slow.status = dll.collect(query, &data, &slow.outputs[0], &slow.outputs[1]);
    slow.reply.bytes = slow.buffer;
    slow.reply.size = slow.outputs[0];
    slow.reply.object_count = slow.outputs[1];
    return 0;
}

static DWORD WINAPI open_slowly(void *unused)
{
    (void)unused;
    slow.status = dll.open((LPWSTR)(void *)slow.page);
    return 0;
}

/* Gives slow.page this protection, and starts the call on a thread. Returns when the call accesses
 * slow.page. The call then waits. */
static void begin_slow_call(LPTHREAD_START_ROUTINE call, DWORD protection)
{
    DWORD old;

    slow.has_begun = CreateEventW(NULL, TRUE, FALSE, NULL);
    slow.may_go_on = CreateEventW(NULL, TRUE, FALSE, NULL);
    slow.handler = AddVectoredExceptionHandler(TRUE, hold_collect);
    assert_true(slow.has_begun && slow.may_go_on && slow.handler);
    assert_true(VirtualProtect(slow.page, ROOM, protection, &old));
    slow.thread = CreateThread(NULL, 0, call, NULL, 0, NULL);
    assert_non_null(slow.thread);
    assert_int_equal(WaitForSingleObject(slow.has_begun, INFINITE), WAIT_OBJECT_0);
}

static unsigned char *slow_memory(void)
{
    unsigned char *memory = VirtualAlloc(NULL, ROOM, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);

    assert_non_null(memory);
    return memory;
}

static void make_slow_memory(void)
{
    slow.buffer = slow_memory();
    slow.outputs = (DWORD *)(void *)slow_memory();
    slow.outputs[0] = ROOM;
}

static void begin_slow_collect(void)
{
    make_slow_memory();
    slow.page = slow.buffer;
    begin_slow_call(collect_slowly, PAGE_NOACCESS);
}

static void end_slow_call(void)
{
    SetEvent(slow.may_go_on);
    assert_int_equal(WaitForSingleObject(slow.thread, INFINITE), WAIT_OBJECT_0);
    RemoveVectoredExceptionHandler(slow.handler);
    assert_int_equal(slow.status, ERROR_SUCCESS);
    CloseHandle(slow.thread);
    CloseHandle(slow.has_begun);
    CloseHandle(slow.may_go_on);
}

/* Lets the Collect continue. Its reply must be valid, whatever has happened meanwhile. */
static void end_slow_collect(void)
{
    uint64_t value = 0;

    end_slow_call();
    assert_null(perf_reader_mistake(&slow.reply));
    assert_true(perf_reader_value(&slow.reply, FIRST_COUNTER, "", "mail", JOBS_AT, &value));
    assert_int_equal(value, 5);
    VirtualFree(slow.buffer, 0, MEM_RELEASE);
    VirtualFree(slow.outputs, 0, MEM_RELEASE);
}

/* Waits until the module is gone, and loads it again. The test has unloaded it, and a thread of the
 * DLL releases the last reference. */
static void expect_module_to_go(void)
{
    for (int i = 0; GetModuleHandleW(library) && i < 12000; i++) /* 2 minutes */
        Sleep(10);
    assert_null(GetModuleHandleW(library));
    raise_an_exception();
    load();
}

static void test_provider_closed_during_a_collect_is_not_pinned(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
        begin_slow_collect();
        /* More calls of Close than of Open change nothing. */
        for (int closes = 0; closes <= i; closes++)
            assert_int_equal(dll.close(), ERROR_SUCCESS);
        end_slow_collect();
        assert_int_equal(jobs_shown(FIRST_COUNTER), -1);
        assert_true(FreeLibrary(dll.module));
        expect_module_to_go();
    }
}

static void test_provider_unloaded_during_a_collect_stays_until_it_returns(void **state)
{
    (void)state;
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    begin_slow_collect();
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    assert_true(FreeLibrary(dll.module));
    Sleep(1500);
    assert_non_null(GetModuleHandleW(library));
    end_slow_collect();
    expect_module_to_go();
}

/* The Collect is stopped when it writes its size. The DLL's code is needed until the Collect has
 * returned. */
static void test_provider_unloaded_in_the_tail_of_a_collect_stays_until_it_returns(void **state)
{
    (void)state;
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    make_slow_memory();
    slow.page = (unsigned char *)(void *)slow.outputs;
    begin_slow_call(collect_slowly, PAGE_READONLY);
    Sleep(1500); /* longer than RETURN_MS, in which a finished Collect returns */
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    assert_true(FreeLibrary(dll.module));
    assert_non_null(GetModuleHandleW(library));
    end_slow_collect();
    expect_module_to_go();
}

/* ---- A Close during the last instructions of a Collect ---- */

/* Returns the address of the DLL's pointer to a function that it imports. */
static FARPROC *import_of(const char *function)
{
    unsigned char *base = (unsigned char *)dll.module;
    const IMAGE_IMPORT_DESCRIPTOR *imports = directory_of(IMAGE_DIRECTORY_ENTRY_IMPORT);

    assert_non_null(imports);
    for (; imports->Name != 0; imports++) {
        const ULONG_PTR *names = (const void *)(base + imports->OriginalFirstThunk);
        FARPROC *addresses = (void *)(base + imports->FirstThunk);

        for (; *names != 0; names++, addresses++)
            if (!IMAGE_SNAP_BY_ORDINAL(*names) &&
                strcmp((const char *)base + *names + sizeof(WORD), function) == 0)
                return addresses;
    }
    fail_msg("%s is not imported", function);
    return NULL;
}

/* Makes the DLL call another function in place of the imported one. */
static void exchange_import(const char *function, FARPROC other)
{
    FARPROC *address = import_of(function);
    DWORD old;

    assert_true(VirtualProtect(address, sizeof *address, PAGE_READWRITE, &old));
    *address = other;
    assert_true(VirtualProtect(address, sizeof *address, old, &old));
}

/* A function that waits when it is called for the first time. */
struct held_call {
    HANDLE is_reached;
    HANDLE may_go_on;
    LONG count;
};

static struct held_call looking_for_module, unmapping;

static void make_held_call(struct held_call *call)
{
    memset(call, 0, sizeof *call);
    call->is_reached = CreateEventW(NULL, TRUE, FALSE, NULL);
    call->may_go_on = CreateEventW(NULL, TRUE, FALSE, NULL);
    assert_true(call->is_reached && call->may_go_on);
}

static void stand_still(struct held_call *call)
{
    if (InterlockedIncrement(&call->count) > 1)
        return;
    SetEvent(call->is_reached);
    WaitForSingleObject(call->may_go_on, INFINITE);
}

static void wait_for_call(const struct held_call *call)
{
    assert_int_equal(WaitForSingleObject(call->is_reached, INFINITE), WAIT_OBJECT_0);
}

static BOOL WINAPI look_for_module_slowly(DWORD flags, const WCHAR *name, HMODULE *module)
{
    stand_still(&looking_for_module);
    return GetModuleHandleExW(flags, name, module);
}

static BOOL WINAPI unmap_slowly(const void *address)
{
    stand_still(&unmapping);
    return UnmapViewOfFile(address);
}

static DWORD WINAPI close_slowly(void *unused)
{
    (void)unused;
    return dll.close();
}

/* Close sees the running Collect and takes a reference to the module. Then the Collect ends the
 * provider, which takes long, and the DLL's code is needed all the time. */
static void test_provider_unloaded_while_a_collect_frees_it_stays_until_it_returns(void **state)
{
    HANDLE closing;

    (void)state;
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    begin_slow_collect();
    make_held_call(&looking_for_module);
    make_held_call(&unmapping);
    exchange_import("GetModuleHandleExW", (FARPROC)(void (*)(void))look_for_module_slowly);
    exchange_import("UnmapViewOfFile", (FARPROC)(void (*)(void))unmap_slowly);
    closing = CreateThread(NULL, 0, close_slowly, NULL, 0, NULL);
    assert_non_null(closing);
    wait_for_call(&looking_for_module);
    SetEvent(slow.may_go_on);
    wait_for_call(&unmapping);
    SetEvent(looking_for_module.may_go_on);
    assert_int_equal(WaitForSingleObject(closing, INFINITE), WAIT_OBJECT_0);
    CloseHandle(closing);
    assert_true(FreeLibrary(dll.module));
    Sleep(1500); /* longer than RETURN_MS, in which a finished Collect returns */
    assert_non_null(GetModuleHandleW(library));
    SetEvent(unmapping.may_go_on);
    end_slow_collect();
    expect_module_to_go();
}

/* The last instructions of the other thread's Collect may not have run yet. */
static void test_provider_closed_after_a_collect_of_another_thread_stays_for_a_while(void **state)
{
    (void)state;
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    begin_slow_collect();
    end_slow_collect();
    assert_int_equal(jobs_shown(FIRST_COUNTER), 5); /* this thread's own Collect was the last one */
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    assert_true(FreeLibrary(dll.module));
    assert_non_null(GetModuleHandleW(library));
    expect_module_to_go();
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(FIRST_COUNTER), 5);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    /* cppcheck-suppress doubleFree; Open took a second reference */
    assert_true(FreeLibrary(dll.module));
    /* Only this thread called Collect, and its call has returned, so nothing keeps the module. */
    assert_null(GetModuleHandleW(library));
    load();
}

/* Close comes while Open runs. The DLL frees the provider that Open makes. */
static void test_provider_closed_during_an_open_is_closed(void **state)
{
    (void)state;
    slow.page = slow_memory();
    begin_slow_call(open_slowly, PAGE_NOACCESS);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    end_slow_call();
    VirtualFree(slow.page, 0, MEM_RELEASE);
    assert_int_equal(jobs_shown(FIRST_COUNTER), -1);
}

static void test_provider_opened_again_during_a_collect_goes_on(void **state)
{
    (void)state;
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    begin_slow_collect();
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    assert_int_equal(dll.open(NULL), ERROR_SUCCESS);
    end_slow_collect();
    assert_int_equal(jobs_shown(FIRST_COUNTER), 5);
    assert_int_equal(dll.close(), ERROR_SUCCESS);
    assert_int_equal(jobs_shown(FIRST_COUNTER), -1);
    assert_true(FreeLibrary(dll.module));
    expect_module_to_go();
}

/* ---- Threads ---- */

static LONG failures;

static void use(void *context)
{
    (void)context;
    for (int i = 0; i < 50; i++) {
        unsigned char *bytes = malloc(ROOM);
        wchar_t query[] = L"Global";
        void *data = bytes;
        DWORD size = ROOM, objects = 0;
        perf_reply reply;

        if (dll.open(NULL) || dll.collect(query, &data, &size, &objects) || dll.close())
            InterlockedIncrement(&failures);
        reply.bytes = bytes;
        reply.size = size;
        reply.object_count = objects;
        if (perf_reader_mistake(&reply))
            InterlockedIncrement(&failures);
        free(bytes);
    }
}

static void test_provider_threads_open_collect_and_close_at_once(void **state)
{
    (void)state;
    prfdata_test_threads_run(4, use, NULL);
    assert_int_equal(failures, 0);
    assert_int_equal(jobs_shown(FIRST_COUNTER), -1);
}

/* In the second 50 rounds, every other Close is superfluous, and may come during Collects of other
 * threads. */
static void use_provider_carelessly(void *context)
{
    use(context);
    for (int i = 0; i < 50; i++) {
        unsigned char *bytes = malloc(ROOM);
        wchar_t query[] = L"Global";
        void *data = bytes;
        DWORD size = ROOM, objects = 0;

        if (dll.open(NULL) || dll.collect(query, &data, &size, &objects) || dll.close() ||
            dll.close())
            InterlockedIncrement(&failures);
        free(bytes);
    }
}

static void test_provider_closed_too_often_by_threads_is_not_pinned(void **state)
{
    (void)state;
    prfdata_test_threads_run(4, use_provider_carelessly, NULL);
    assert_int_equal(failures, 0);
    assert_int_equal(jobs_shown(FIRST_COUNTER), -1);
    assert_true(FreeLibrary(dll.module));
    expect_module_to_go();
}

/* ---- Through perflib ---- */

static void register_provider(void)
{
    char path[MAX_PATH];

    assert_true(WideCharToMultiByte(CP_UTF8, 0, library, -1, path, MAX_PATH, NULL, NULL) > 0);
    prfdata_test_service_set_text(&service, "Library", path);
    prfdata_test_service_set_text(&service, "Open", "PrfDataOpen");
    prfdata_test_service_set_text(&service, "Collect", "PrfDataCollect");
    prfdata_test_service_set_text(&service, "Close", "PrfDataClose");
}

static int child_main(const char *role)
{
    char line[16];
    prfdata_publisher *opened;

    prfdata_test_service_join(&service, SERVICE);
    if (strcmp(role, "unload") == 0)
        return unload_without_close();
    init_maps();
    opened = publish(&sample.map, 100);
    prfdata_test_process_say("ready");
    prfdata_test_process_hear(line, sizeof(line));
    prfdata_close_and_unmap(opened);
    return 0;
}

static uint64_t jobs_by_registry(void)
{
    static unsigned char bytes[4 * ROOM];
    const PERF_DATA_BLOCK *header = (const void *)bytes;
    DWORD size = sizeof(bytes);
    perf_reply reply;
    uint64_t value;

    assert_int_equal(
        RegQueryValueExW(HKEY_PERFORMANCE_DATA, L"56100 56108", NULL, NULL, bytes, &size),
        ERROR_SUCCESS);
    assert_int_equal(header->TotalByteLength, size);
    assert_int_equal(header->NumObjectTypes, 2);
    reply.bytes = bytes + header->HeaderLength;
    reply.size = size - header->HeaderLength;
    reply.object_count = header->NumObjectTypes;
    assert_null(perf_reader_mistake(&reply));
    assert_true(perf_reader_value(&reply, FIRST_COUNTER, "", "mail", JOBS_AT, &value));
    return value;
}

static void test_provider_by_registry_shows_what_another_process_counts(void **state)
{
    const char *arguments[] = {"publish", NULL};
    prfdata_test_process *child;

    (void)state;
    register_provider();
    assert_int_equal(jobs_by_registry(), 5);
    child = prfdata_test_process_start(arguments);
    prfdata_test_process_expect(child, "ready");
    assert_int_equal(jobs_by_registry(), 105);
    assert_int_equal(prfdata_test_process_wait(child), 0);
    RegCloseKey(HKEY_PERFORMANCE_DATA);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, install, uninstall)
        CASE(test_provider_exports_three_undecorated_names),
        CASE(test_provider_imports_windows_own_modules_only),
        CASE(test_provider_shows_what_is_published),
        CASE(test_provider_open_takes_its_own_name_where_the_context_is_no_service),
        CASE(test_provider_open_survives_a_context_of_any_length),
        CASE(test_provider_takes_the_service_from_the_name_of_a_copy),
        CASE(test_provider_serves_the_service_that_the_context_names),
        CASE(test_provider_collect_without_open_is_empty),
        CASE(test_provider_stays_until_it_was_closed_as_often_as_opened),
        CASE(test_provider_collect_sets_all_outputs_whatever_the_query),
        CASE(test_provider_short_buffer_is_more_data),
        CASE(test_provider_loads_and_unloads_any_number_of_times),
        CASE(test_provider_unloaded_without_close_is_gone),
        CASE(test_provider_closed_during_a_collect_is_not_pinned),
        CASE(test_provider_unloaded_during_a_collect_stays_until_it_returns),
        CASE(test_provider_unloaded_in_the_tail_of_a_collect_stays_until_it_returns),
        CASE(test_provider_unloaded_while_a_collect_frees_it_stays_until_it_returns),
        CASE(test_provider_closed_after_a_collect_of_another_thread_stays_for_a_while),
        CASE(test_provider_closed_during_an_open_is_closed),
        CASE(test_provider_opened_again_during_a_collect_goes_on),
        CASE(test_provider_threads_open_collect_and_close_at_once),
        CASE(test_provider_closed_too_often_by_threads_is_not_pinned),
        CASE(test_provider_by_registry_shows_what_another_process_counts),
#undef CASE
    };

    if (argc > 1)
        return child_main(argv[1]);
    return cmocka_run_group_tests_name("provider", tests, NULL, NULL);
}
