/* SPDX-License-Identifier: MIT */
/*
 * Run a function and return if it faults, for compilers for Windows without __try (gcc and clang of
 * mingw-w64): an exception handler redirects the thread to a landing routine, which jumps back.
 * Included by os_win32.c only, which has no other GNU extensions.
 */
#ifndef PRFDATA_GUARD_MINGW_H
#define PRFDATA_GUARD_MINGW_H

#if defined(_MSC_VER)
#define PRFDATA_GUARD_MINGW_HAS_TRY 1
#else
#define PRFDATA_GUARD_MINGW_HAS_TRY 0

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

/* Where to return to: what __builtin_setjmp stores. */
typedef struct prfdata_guard_mark {
    void *words[5];
} prfdata_guard_mark;

/* The stack must be as a function finds it when it has just been called. */
static __attribute__((noreturn, used)) void prfdata_guard_land(prfdata_guard_mark *mark)
{
    __builtin_longjmp(mark->words, 1);
}

/*
 * Make the interrupted thread return to the mark when it goes on. The memory below the stack
 * pointer is free: Windows has no red zone, neither for x86 nor for x64.
 */
static inline void prfdata_guard_redirect(CONTEXT *context, prfdata_guard_mark *mark)
{
#if defined(__x86_64__)
    /* 16-aligned before the call, then room for four arguments and the return address. */
    context->Rsp = (context->Rsp & ~(DWORD64)15) - 32 - 8;
    context->Rcx = (DWORD64)(uintptr_t)mark;
    context->Rip = (DWORD64)(uintptr_t)prfdata_guard_land;
#elif defined(__i386__)
    /* 16-aligned at the argument, then the return address. */
    DWORD argument = (context->Esp & ~(DWORD)15) - 16;

    *(prfdata_guard_mark **)(uintptr_t)argument = mark;
    context->Esp = argument - 4;
    context->Eip = (DWORD)(uintptr_t)prfdata_guard_land;
    context->EFlags &= ~(DWORD)0x400; /* the direction flag */
#else
#error "no guard for this processor with this compiler"
#endif
}

/*
 * Run `read(context)`. Returns false if it was redirected. The handler must be able to find the
 * mark before this function is called. noinline: it saves all registers that callers expect to
 * keep.
 */
static __attribute__((noinline)) bool prfdata_guard_run(prfdata_guard_mark *mark,
                                                        void (*read)(void *context), void *context)
{
    if (__builtin_setjmp(mark->words))
        return false;
    read(context);
    return true;
}

#endif

#endif
