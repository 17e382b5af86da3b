/* SPDX-License-Identifier: MIT */
/* Tests prfdata_os_guarded() on both systems: which faults end the call, what the caller finds
 * afterwards, and which faults it does not handle. Crashes that must not be swallowed happen in
 * child processes, which are this program again (child_main). test_os_posix.c and test_os_win32.c
 * test files that shrink under a view. */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "support/test.h"

#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>

#include "system/guard_posix.h"
#endif

#include <prfdata/atomic.h>

#include "support/process.h"
#include "support/threads.h"
#include "system/os.h"

#define PAGE  4096u
#define PAGES 3u

/* ---- Memory ---- */

static uint8_t *make_pages(void)
{
#ifdef _WIN32
    uint8_t *bytes = VirtualAlloc(NULL, PAGES * PAGE, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
#else
    uint8_t *bytes =
        mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (bytes == MAP_FAILED)
        bytes = NULL;
#endif
    assert_non_null(bytes);
    return bytes;
}

static void free_pages(uint8_t *bytes)
{
#ifdef _WIN32
    assert_true(VirtualFree(bytes, 0, MEM_RELEASE));
#else
    assert_int_equal(munmap(bytes, PAGES * PAGE), 0);
#endif
}

static void make_unreadable(uint8_t *bytes, size_t size)
{
#ifdef _WIN32
    DWORD old;

    assert_true(VirtualProtect(bytes, size, PAGE_NOACCESS, &old));
#else
    assert_int_equal(mprotect(bytes, size, PROT_NONE), 0);
#endif
}

static prfdata_os_region view_of(uint8_t *bytes, size_t size)
{
    prfdata_os_region view = PRFDATA_OS_REGION_NONE;

    view.bytes = bytes;
    view.size = size;
    return view;
}

typedef struct guard_reading {
    const uint8_t *at;
    unsigned sum;
} guard_reading;

static void read_byte(void *context)
{
    guard_reading *what = context;

    what->sum += *(const volatile uint8_t *)what->at + 1u;
}

/* The view that most tests use. Its first page cannot be read. */
static uint8_t *pages;
static prfdata_os_region view;

static int set_up(void **state)
{
    (void)state;
    pages = make_pages();
    view = view_of(pages, PAGES * PAGE);
    make_unreadable(pages, PAGE);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free_pages(pages);
    return 0;
}

/* Prepare the guard, as attaching a view does. Each test calls this, because cmocka installs its
 * handlers before each test. */
static void begin(void)
{
#ifndef _WIN32
    prfdata_guard_open();
#endif
}

static void end(void)
{
#ifndef _WIN32
    prfdata_guard_close();
#endif
}

/* ---- Faults that the guard handles ---- */

static void test_guard_reads_a_good_view(void **state)
{
    guard_reading what = {pages + PAGE, 0};

    (void)state;
    begin();
    pages[PAGE] = 10;
    assert_true(prfdata_os_guarded(&view, read_byte, &what));
    assert_int_equal(what.sum, 11);
    end();
}

static void test_guard_ends_the_call_where_the_view_faults(void **state)
{
    guard_reading bad = {pages, 0}, good = {pages + PAGE, 0};

    (void)state;
    begin();
    for (unsigned i = 1; i <= 3; i++) { /* several times, and also after a fault */
        assert_false(prfdata_os_guarded(&view, read_byte, &bad));
        assert_true(prfdata_os_guarded(&view, read_byte, &good));
        assert_int_equal(good.sum, i);
    }
    assert_int_equal(bad.sum, 0);
    end();
}

static double nanoseconds_since(uint64_t start_ticks, double calls)
{
    return (double)(prfdata_os_ticks() - start_ticks) * 1e9 /
           (double)prfdata_os_ticks_per_second() / calls;
}

static void test_guard_catches_faults_by_the_thousand(void **state)
{
    enum { FAULTS = 10000, CALLS = 1000000 };
    guard_reading bad = {pages, 0}, good = {pages + PAGE, 0};
    uint64_t start = prfdata_os_ticks();

    (void)state;
    begin();
    for (int i = 0; i < FAULTS; i++)
        assert_false(prfdata_os_guarded(&view, read_byte, &bad));
    printf("%.0f ns a fault", nanoseconds_since(start, FAULTS));
    start = prfdata_os_ticks();
    for (int i = 0; i < CALLS; i++)
        prfdata_os_guarded(&view, read_byte, &good);
    printf(", %.1f ns a call without\n", nanoseconds_since(start, CALLS));
    assert_int_equal(good.sum, CALLS);
    end();
}

/* ---- The caller's state afterwards ---- */

static volatile double seeds[10] = {1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5};
static volatile uintptr_t numbers[6] = {11, 12, 13, 14, 15, 16};

/* Holds enough values that the compiler keeps some in the registers that calls preserve. */
typedef struct kept_values {
    double a, b, c, d, e, f, g, h, i, j;
    uintptr_t k, l, m, n, o, p;
} kept_values;

static bool are_kept(kept_values v)
{
    return v.a == seeds[0] && v.b == seeds[1] && v.c == seeds[2] && v.d == seeds[3] &&
           v.e == seeds[4] && v.f == seeds[5] && v.g == seeds[6] && v.h == seeds[7] &&
           v.i == seeds[8] && v.j == seeds[9] && v.k == numbers[0] && v.l == numbers[1] &&
           v.m == numbers[2] && v.n == numbers[3] && v.o == numbers[4] && v.p == numbers[5];
}

#define KEEP_VALUES(factor)                                                                        \
    {                                                                                              \
        (factor) * seeds[0], (factor)*seeds[1], (factor)*seeds[2], (factor)*seeds[3],              \
            (factor)*seeds[4], (factor)*seeds[5], (factor)*seeds[6], (factor)*seeds[7],            \
            (factor)*seeds[8], (factor)*seeds[9], (factor)*numbers[0], (factor)*numbers[1],        \
            (factor)*numbers[2], (factor)*numbers[3], (factor)*numbers[4], (factor)*numbers[5]     \
    }

static void (*volatile fault_in_callee)(void *context) = read_byte;
static volatile bool needed; /* set from all values, so that they are needed after the call */

/* Fill the registers that calls preserve with other values before the fault ends the call. */
static void read_with_full_registers(void *context)
{
    kept_values other = KEEP_VALUES(3);

    fault_in_callee(context);
    needed = are_kept(other);
}

static void test_guard_restores_the_callers_registers(void **state)
{
    guard_reading bad = {pages, 0}, good = {pages + PAGE, 0};
    kept_values kept = KEEP_VALUES(1);

    (void)state;
    begin();
    for (int i = 0; i < 10; i++) {
        bool has_ended = !prfdata_os_guarded(&view, read_with_full_registers, &bad);

        assert_true(are_kept(kept));
        assert_true(has_ended);
    }
    assert_true(prfdata_os_guarded(&view, read_with_full_registers, &good));
    assert_true(are_kept(kept));
    end();
}

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
static void read_with_direction_flag(void *context)
{
    const uint8_t *at = ((guard_reading *)context)->at;
    uint8_t byte;

    __asm__ volatile("std\n\tmovb (%1), %0" : "=q"(byte) : "r"(at) : "cc", "memory");
}

static void test_guard_clears_the_direction_flag(void **state)
{
    guard_reading bad = {pages, 0};
    uintptr_t flags;
    bool has_ended;

    (void)state;
    begin();
    has_ended = !prfdata_os_guarded(&view, read_with_direction_flag, &bad);
#if defined(__x86_64__)
    __asm__ volatile("pushfq\n\tpopq %0\n\tcld" : "=r"(flags) : : "cc", "memory");
#else
    __asm__ volatile("pushfl\n\tpopl %0\n\tcld" : "=r"(flags) : : "cc", "memory");
#endif
    assert_int_equal(flags & 0x400, 0);
    assert_true(has_ended);
    end();
}
#endif

#if defined(__GNUC__) && defined(__i386__) && defined(_WIN32)
/* Return the first frame in the thread's list of exception frames, which a call must leave
 * unchanged. */
static const void *first_frame(void)
{
    const void *first;

    __asm__ volatile("movl %%fs:0, %0" : "=r"(first));
    return first;
}

static void test_guard_leaves_the_threads_list_of_frames(void **state)
{
    const void *first = first_frame();
    guard_reading bad = {pages, 0}, good = {pages + PAGE, 0};

    (void)state;
    prfdata_os_guarded(&view, read_byte, &good);
    assert_ptr_equal(first_frame(), first);
    prfdata_os_guarded(&view, read_byte, &bad);
    assert_ptr_equal(first_frame(), first);
}
#endif

/* ---- A guard inside a guard ---- */

static struct {
    prfdata_os_region inner;
    guard_reading inner_reading;
    bool inner_result;
    bool inner_returned;
} nested;

static void read_inside(void *context)
{
    (void)context;
    nested.inner_result = prfdata_os_guarded(&nested.inner, read_byte, &nested.inner_reading);
    nested.inner_returned = true;
}

/* Read one byte of three unreadable pages. The outer guard covers all three, the inner one only the
 * second. */
static void expect_who_catches(const uint8_t *at, bool is_inner)
{
    bool outer_result;

    nested.inner = view_of(pages + PAGE, PAGE);
    nested.inner_reading.at = at;
    nested.inner_returned = false;
    nested.inner_result = true;
    outer_result = prfdata_os_guarded(&view, read_inside, NULL);
    assert_int_equal(outer_result, is_inner);
    assert_int_equal(nested.inner_returned, is_inner);
    assert_int_equal(nested.inner_result, !is_inner);
}

static void test_guard_leaves_faults_outside_its_view_to_the_one_around_it(void **state)
{
    (void)state;
    begin();
    make_unreadable(pages, PAGES * PAGE);
    for (int i = 0; i < 3; i++) {
        expect_who_catches(pages, false);
        expect_who_catches(pages + PAGE - 1, false);
        expect_who_catches(pages + PAGE, true);
        expect_who_catches(pages + 2 * PAGE - 1, true);
        expect_who_catches(pages + 2 * PAGE, false);
        expect_who_catches(pages + 3 * PAGE - 1, false);
    }
    end();
}

static void read_inside_then_fault(void *context)
{
    read_inside(context);
    nested.inner_reading.at = pages;
    read_byte(&nested.inner_reading);
}

static void test_guard_goes_on_after_one_inside_it(void **state)
{
    (void)state;
    begin();
    nested.inner = view_of(pages + PAGE, PAGE);
    for (int is_unreadable = 0; is_unreadable < 2; is_unreadable++) {
        nested.inner_reading.at = pages + PAGE;
        nested.inner_returned = false;
        assert_false(prfdata_os_guarded(&view, read_inside_then_fault, NULL));
        assert_true(nested.inner_returned);
        assert_int_equal(nested.inner_result, !is_unreadable);
        make_unreadable(pages + PAGE, PAGE);
    }
    end();
}

/* ---- Threads ---- */

static uint64_t wrong_results;

static void guard_repeatedly(void *context)
{
    guard_reading bad = {pages, 0}, good = {pages + PAGE, 0};

    (void)context;
    for (int i = 0; i < 500; i++) {
        prfdata_add64_relaxed(&wrong_results, prfdata_os_guarded(&view, read_byte, &bad));
        prfdata_add64_relaxed(&wrong_results, !prfdata_os_guarded(&view, read_byte, &good));
    }
}

static void test_guard_works_on_all_threads_at_once(void **state)
{
    (void)state;
    begin();
    prfdata_test_threads_run(4, guard_repeatedly, NULL);
    assert_int_equal(wrong_results, 0);
    end();
}

/* ---- Windows ---- */

#ifdef _WIN32

typedef struct raising {
    DWORD code;
    ULONG_PTR arguments[3];
    bool has_come_back;
} raising;

static void raise_with_arguments(void *context)
{
    raising *what = context;

    RaiseException(what->code, 0, 3, what->arguments);
    what->has_come_back = true;
}

/* Raises the exception of a failing disk, because a test cannot make a disk fail. */
static void test_guard_catches_errors_of_the_disk(void **state)
{
    raising what = {EXCEPTION_IN_PAGE_ERROR, {0, (ULONG_PTR)pages + 5, 0xC0000185u}, false};

    (void)state;
    begin();
    assert_false(prfdata_os_guarded(&view, raise_with_arguments, &what));
    assert_false(what.has_come_back);
    end();
}

/* Let the thread continue after this exception, as a handler of the program might. */
static LONG CALLBACK go_on(EXCEPTION_POINTERS *exception)
{
    return exception->ExceptionRecord->ExceptionCode == 0xE0001234u ? EXCEPTION_CONTINUE_EXECUTION
                                                                    : EXCEPTION_CONTINUE_SEARCH;
}

static void test_guard_passes_exceptions_that_are_no_faults(void **state)
{
    raising what = {0xE0001234u, {0, (ULONG_PTR)pages, 0}, false};
    /* This filter runs last. */
    LPTOP_LEVEL_EXCEPTION_FILTER before = SetUnhandledExceptionFilter(go_on);

    (void)state;
    begin();
    assert_true(prfdata_os_guarded(&view, raise_with_arguments, &what));
    SetUnhandledExceptionFilter(before);
    assert_true(what.has_come_back);
    end();
}

static void test_guard_keeps_the_last_error(void **state)
{
    guard_reading bad = {pages, 0}, good = {pages + PAGE, 0};

    (void)state;
    begin();
    SetLastError(4711);
    prfdata_os_guarded(&view, read_byte, &good);
    assert_int_equal(GetLastError(), 4711);
    SetLastError(4712);
    prfdata_os_guarded(&view, read_byte, &bad);
    assert_int_equal(GetLastError(), 4712);
    end();
}

#endif

/* ---- Faults that the guard must not handle ---- */

static void expect_child_to_crash(const char *kind)
{
    const char *arguments[] = {kind, NULL};
    prfdata_test_process *child = prfdata_test_process_start(arguments);
    char line[64];

    prfdata_test_process_expect(child, "ready");
    assert_false(prfdata_test_process_read_line(child, line, sizeof(line)));
    assert_int_not_equal(prfdata_test_process_wait(child), 0);
}

static void test_guard_does_not_swallow_faults_elsewhere(void **state)
{
    (void)state;
    expect_child_to_crash("elsewhere");
}

static void test_guard_does_not_swallow_faults_in_another_view(void **state)
{
    (void)state;
    expect_child_to_crash("another");
}

static void test_guard_does_not_swallow_faults_after_the_call(void **state)
{
    (void)state;
    expect_child_to_crash("after");
}

static int child_main(const char *kind)
{
    prfdata_os_region other;
    guard_reading what;

    set_up(NULL);
    begin();
    other = view_of(pages + PAGE, PAGE);
    what.at = pages;
    if (prfdata_os_guarded(&view, read_byte, &what))
        return 1;
    prfdata_test_process_hide_crash();
    prfdata_test_process_say("ready");
    if (strcmp(kind, "elsewhere") == 0) {
        what.at = NULL;
        prfdata_os_guarded(&view, read_byte, &what);
    } else if (strcmp(kind, "another") == 0) {
        prfdata_os_guarded(&other, read_byte, &what);
    } else if (strcmp(kind, "after") == 0) {
        read_byte(&what);
    }
    prfdata_test_process_say("no crash");
    return 0;
}

int main(int argument_count, char **arguments)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        CASE(test_guard_reads_a_good_view),
        CASE(test_guard_ends_the_call_where_the_view_faults),
        CASE(test_guard_catches_faults_by_the_thousand),
        CASE(test_guard_restores_the_callers_registers),
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
        CASE(test_guard_clears_the_direction_flag),
#endif
#if defined(__GNUC__) && defined(__i386__) && defined(_WIN32)
        CASE(test_guard_leaves_the_threads_list_of_frames),
#endif
        CASE(test_guard_leaves_faults_outside_its_view_to_the_one_around_it),
        CASE(test_guard_goes_on_after_one_inside_it),
        CASE(test_guard_works_on_all_threads_at_once),
#ifdef _WIN32
        CASE(test_guard_catches_errors_of_the_disk),
        CASE(test_guard_passes_exceptions_that_are_no_faults),
        CASE(test_guard_keeps_the_last_error),
#endif
        CASE(test_guard_does_not_swallow_faults_elsewhere),
        CASE(test_guard_does_not_swallow_faults_in_another_view),
        CASE(test_guard_does_not_swallow_faults_after_the_call),
#undef CASE
    };

    if (argument_count > 1)
        return child_main(arguments[1]);
    return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
