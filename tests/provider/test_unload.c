/* SPDX-License-Identifier: MIT */
/* Tests a program that loads and unloads the provider DLL while its other threads raise C++
 * exceptions, access violations and breakpoints. The exceptions do not concern the DLL. The system
 * must not call the DLL because of them, since the DLL may be unloaded by then.
 *
 *     test_unload [<seconds>]    default: until the DLL was loaded 250 times, at most 15 seconds */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#include <windows.h>
#include <winperf.h>

#include <prfdata/atomic.h>
#include <prfdata/prfdata.h>

#include "support/installer/places.h"
#include "support/provider/perf_reader.h"
#include "support/sample_map.h"
#include "support/service.h"
#include "support/threads.h"

#define SERVICE       "PrfDataTestUnload"
#define PROVIDER_FILE L"PrfDataTestUnloadPrf.dll"

/* 250 loads are enough, because a DLL with a vectored handler ends the process within 120 loads. */
enum { LOADS = 250, MOST_SECONDS = 15 };
enum { FIRST_COUNTER = 56300, QUEUE_ID = 100, JOBS_ID = 102, JOBS_AT = 1, ROOM = 65536 };

#define CPP_EXCEPTION 0xE06D7363u /* the code of Visual C++ exceptions */

static sample_map sample;
static prfdata_test_service service;
static prfdata_publisher *publisher;
static wchar_t library[MAX_PATH];
static char *page;
static unsigned seconds;

static struct {
    uint64_t next_role;
    uint64_t is_over;
    uint64_t loads;
    uint64_t wrong_loads;
    uint64_t exceptions[4];
    uint64_t lost_exceptions;
} run;

/* ---- Exceptions ---- */

static void skip_breakpoint(CONTEXT *context)
{
#if defined(_M_X64) || defined(__x86_64__)
    context->Rip += *(const char *)context->Rip == '\xCC';
#elif defined(_M_IX86) || defined(__i386__)
    context->Eip += *(const char *)context->Eip == '\xCC';
#else
    context->Pc += 4;
#endif
}

/* Handles the test's exceptions, except those that throw_and_catch() catches. */
static LONG CALLBACK handle_exception(EXCEPTION_POINTERS *exception)
{
    const EXCEPTION_RECORD *record = exception->ExceptionRecord;
    DWORD old;

    switch (record->ExceptionCode) {
    case EXCEPTION_BREAKPOINT:
        skip_breakpoint(exception->ContextRecord);
        return EXCEPTION_CONTINUE_EXECUTION;
    case EXCEPTION_ACCESS_VIOLATION:
        return record->ExceptionInformation[1] == (ULONG_PTR)page &&
                       VirtualProtect(page, 1, PAGE_READWRITE, &old)
                   ? EXCEPTION_CONTINUE_EXECUTION
                   : EXCEPTION_CONTINUE_SEARCH;
    case CPP_EXCEPTION:
        return record->NumberParameters == 0 ? EXCEPTION_CONTINUE_EXECUTION
                                             : EXCEPTION_CONTINUE_SEARCH;
    default:
        return EXCEPTION_CONTINUE_SEARCH;
    }
}

static bool access_forbidden_page(void)
{
    DWORD old = 0;

    if (!VirtualProtect(page, 1, PAGE_NOACCESS, &old))
        return false;
    /* Causes an access violation. handle_exception then makes the page accessible. */
    *(volatile char *)page = 1;
    return VirtualProtect(page, 1, PAGE_READWRITE, &old) && old == PAGE_READWRITE;
}

static bool hit_breakpoint(void)
{
    DebugBreak();
    return true;
}

static bool raise_as_cpp_does(void)
{
    RaiseException(CPP_EXCEPTION, 0, 0, NULL);
    return true;
}

#ifdef PRFDATA_TEST_CPP
bool prfdata_test_throw_and_catch(int depth);

static bool throw_and_catch(void)
{
    return prfdata_test_throw_and_catch(3);
}
#endif

static bool (*const raisings[])(void) = {
    access_forbidden_page,
    hit_breakpoint,
    raise_as_cpp_does,
#ifdef PRFDATA_TEST_CPP
    throw_and_catch,
#endif
};

enum { RAISINGS = sizeof raisings / sizeof raisings[0] };

/* ---- Loading ---- */

static FARPROC function_of(HMODULE module, const char *name)
{
    return GetProcAddress(module, name);
}

static bool shows_jobs(PM_COLLECT_PROC *collect)
{
    static unsigned char bytes[ROOM];
    wchar_t query[] = L"Global";
    void *data = bytes;
    DWORD size = ROOM, objects = 0;
    perf_reply reply;
    uint64_t value;

    if (collect(query, &data, &size, &objects) != ERROR_SUCCESS)
        return false;
    reply.bytes = bytes;
    reply.size = size;
    reply.object_count = objects;
    return !perf_reader_mistake(&reply) &&
           perf_reader_value(&reply, FIRST_COUNTER, "", "mail", JOBS_AT, &value) && value == 5;
}

static bool load_and_unload(void)
{
    HMODULE module = LoadLibraryW(library);
    PM_OPEN_PROC *open;
    PM_COLLECT_PROC *collect;
    PM_CLOSE_PROC *close;
    bool is_right;

    if (!module)
        return false;
    open = (PM_OPEN_PROC *)(void (*)(void))function_of(module, "PrfDataOpen");
    collect = (PM_COLLECT_PROC *)(void (*)(void))function_of(module, "PrfDataCollect");
    close = (PM_CLOSE_PROC *)(void (*)(void))function_of(module, "PrfDataClose");
    is_right = open && collect && close && open(NULL) == ERROR_SUCCESS && shows_jobs(collect) &&
               close() == ERROR_SUCCESS;
    return FreeLibrary(module) && !GetModuleHandleW(library) && is_right;
}

static bool has_loaded_enough(ULONGLONG start)
{
    const ULONGLONG elapsed_ms = GetTickCount64() - start;

    if (seconds > 0)
        return elapsed_ms >= seconds * 1000ULL;
    return run.loads >= LOADS || elapsed_ms >= MOST_SECONDS * 1000ULL;
}

static void load_repeatedly(void)
{
    const ULONGLONG start = GetTickCount64();

    while (!has_loaded_enough(start)) {
        run.wrong_loads += !load_and_unload();
        run.loads++;
    }
    prfdata_store64_release(&run.is_over, 1);
}

static uint64_t next_role(void)
{
    uint64_t role = prfdata_load64_relaxed(&run.next_role);

    while (!prfdata_swap64_relaxed(&run.next_role, &role, role + 1)) {
    }
    return role;
}

static void play_role(void *context)
{
    const uint64_t role = next_role();

    (void)context;
    if (role == RAISINGS) {
        load_repeatedly();
        return;
    }
    while (!prfdata_load64_acquire(&run.is_over)) {
        if (!raisings[role]())
            prfdata_add64_relaxed(&run.lost_exceptions, 1);
        run.exceptions[role]++;
    }
}

/* ---- The test ---- */

static int install(void **state)
{
    prfdata_instance mail;
    prfdata_handle jobs;

    (void)state;
    sample_map_init_as(&sample, SERVICE);
    path_beside(library, PROVIDER_FILE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, FIRST_COUNTER);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_resolve(publisher, JOBS_ID, &mail, &jobs), ERROR_SUCCESS);
    prfdata_add(jobs, 5);
    page = VirtualAlloc(NULL, 4096, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    assert_non_null(page);
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    VirtualFree(page, 0, MEM_RELEASE);
    prfdata_close_and_unmap(publisher);
    prfdata_test_service_remove(&service);
    return 0;
}

static void test_unload_while_other_threads_raise_exceptions(void **state)
{
    void *handler = AddVectoredExceptionHandler(TRUE, handle_exception);

    (void)state;
    assert_non_null(handler);
    prfdata_test_threads_run(RAISINGS + 1, play_role, NULL);
    RemoveVectoredExceptionHandler(handler);
    printf("%u loads; exceptions:", (unsigned)run.loads);
    for (int i = 0; i < RAISINGS; i++)
        printf(" %u", (unsigned)run.exceptions[i]);
    printf("\n");
    assert_int_equal(run.wrong_loads, 0);
    assert_int_equal(run.lost_exceptions, 0);
    assert_true(run.loads >= 10);
    for (int i = 0; i < RAISINGS; i++)
        assert_true(run.exceptions[i] >= 10);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_unload_while_other_threads_raise_exceptions, install,
                                        uninstall),
    };

    if (argc > 1)
        seconds = (unsigned)strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests_name("unload", tests, NULL, NULL);
}
