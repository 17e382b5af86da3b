/* SPDX-License-Identifier: MIT */
/*
 * Implements prfdata_os_guarded (os.h) for Windows with a stack frame that has its own exception
 * handler. A vectored handler would also get the exceptions of other threads, and could still be
 * running while the DLL is unloaded. MSVC makes the frame for __try. For other compilers the frame
 * is written in assembly, because gcc has no __try, and clang has none for mingw in 32 bits.
 */
#include "system/os.h"

#include <windows.h>

static bool is_fault_in_view(const EXCEPTION_RECORD *record, const prfdata_os_region *view)
{
    if ((record->ExceptionCode != EXCEPTION_ACCESS_VIOLATION &&
         record->ExceptionCode != EXCEPTION_IN_PAGE_ERROR) ||
        record->NumberParameters < 2)
        return false;
    return record->ExceptionInformation[1] - (uintptr_t)view->bytes < view->size;
}

#if defined(_MSC_VER)

static int fault_filter(const EXCEPTION_POINTERS *fault, const prfdata_os_region *view)
{
    return is_fault_in_view(fault->ExceptionRecord, view) ? EXCEPTION_EXECUTE_HANDLER
                                                          : EXCEPTION_CONTINUE_SEARCH;
}

bool prfdata_os_guarded(const prfdata_os_region *view, void (*read)(void *context), void *context)
{
    __try {
        read(context);
    } __except (fault_filter(GetExceptionInformation(), view)) {
        return false;
    }
    return true;
}

#else

/* Runs `read(context)` in the frame. Returns 1, or 0 if a fault in the view ended `read`. */
int prfdata_guard_run(void (*read)(void *context), void *context, const prfdata_os_region *view);

EXCEPTION_DISPOSITION __cdecl prfdata_guard_handle(EXCEPTION_RECORD *record, void *frame,
                                                   CONTEXT *context, void *dispatcher);

#if defined(__x86_64__)

/*
 * The frame changes no callee-saved register, so it saves no registers. Unwinding restores the
 * registers that the interrupted functions had saved (xmm6 to xmm15 too). The frame begins with the
 * 32 bytes that called functions may use. The address of the view follows. The stack is 16-aligned.
 * `cld` is there because the direction flag may still be that of the interrupted code. No test
 * covers `cld`, because Wine clears the flag.
 */
#define FRAME_VIEW 32

void prfdata_guard_land(void);

__asm__(".text\n"
        ".p2align 4\n"
        ".globl prfdata_guard_run\n"
        ".def prfdata_guard_run; .scl 2; .type 32; .endef\n"
        ".globl prfdata_guard_land\n"
        ".def prfdata_guard_land; .scl 2; .type 32; .endef\n"
        ".seh_proc prfdata_guard_run\n"
        "prfdata_guard_run:\n"
        "    subq $40, %rsp\n"
        "    .seh_stackalloc 40\n"
        "    .seh_endprologue\n"
        "    movq %r8, 32(%rsp)\n"
        "    movq %rcx, %rax\n"
        "    movq %rdx, %rcx\n"
        "    call *%rax\n"
        "    movl $1, %eax\n"
        "1:  addq $40, %rsp\n"
        "    ret\n"
        "prfdata_guard_land:\n"
        "    cld\n"
        "    xorl %eax, %eax\n"
        "    jmp 1b\n"
        ".seh_handler prfdata_guard_handle, @except\n"
        ".seh_endproc\n");

static void leave_at_frame(void *frame, EXCEPTION_RECORD *record, DISPATCHER_CONTEXT *dispatcher)
{
    RtlUnwindEx(frame, (void *)(uintptr_t)prfdata_guard_land, record, NULL,
                dispatcher->ContextRecord, dispatcher->HistoryTable);
}

#elif defined(__i386__)

/*
 * The frame begins with its entry in the list at fs:0: the next frame and the handler. The address
 * of the view follows, then the callee-saved registers, because unwinding does not restore these
 * registers on 32-bit x86. 12 unused bytes and the argument of `read` make the stack 16-aligned.
 * RtlUnwind preserves only the stack pointer, and leaves this frame as the first of the list.
 */
#define FRAME_VIEW 8

void prfdata_guard_unwind(void *frame, EXCEPTION_RECORD *record);

__asm__(".text\n"
        ".p2align 4\n"
        ".globl _prfdata_guard_run\n"
        ".def _prfdata_guard_run; .scl 2; .type 32; .endef\n"
        "_prfdata_guard_run:\n"
        "    pushl %ebp\n"
        "    movl %esp, %ebp\n"
        "    pushl %ebx\n"
        "    pushl %esi\n"
        "    pushl %edi\n"
        "    pushl 16(%ebp)\n"
        "    pushl $_prfdata_guard_handle\n"
        "    pushl %fs:0\n"
        "    movl %esp, %fs:0\n"
        "    subl $12, %esp\n"
        "    pushl 12(%ebp)\n"
        "    call *8(%ebp)\n"
        "    addl $16, %esp\n"
        "    movl $1, %eax\n"
        "1:  popl %fs:0\n"
        "    addl $8, %esp\n"
        "    popl %edi\n"
        "    popl %esi\n"
        "    popl %ebx\n"
        "    popl %ebp\n"
        "    ret\n"
        ".globl _prfdata_guard_unwind\n"
        ".def _prfdata_guard_unwind; .scl 2; .type 32; .endef\n"
        "_prfdata_guard_unwind:\n"
        "    movl 4(%esp), %eax\n"
        "    movl 8(%esp), %ecx\n"
        "    pushl %eax\n"
        "    pushl $0\n"
        "    pushl %ecx\n"
        "    pushl $2f\n"
        "    pushl %eax\n"
        "    call _RtlUnwind@16\n"
        "2:  popl %esp\n"
        "    cld\n"
        "    xorl %eax, %eax\n"
        "    jmp 1b\n");

static void leave_at_frame(void *frame, EXCEPTION_RECORD *record, void *dispatcher)
{
    (void)dispatcher;
    prfdata_guard_unwind(frame, record);
}

#else
#error "no guard for this processor with this compiler"
#endif

EXCEPTION_DISPOSITION __cdecl prfdata_guard_handle(EXCEPTION_RECORD *record, void *frame,
                                                   CONTEXT *context, void *dispatcher)
{
    const prfdata_os_region *view = *(prfdata_os_region *const *)((char *)frame + FRAME_VIEW);

    (void)context;
    /* On 32-bit x86, Windows also calls a frame's handler while it unwinds the stack. */
    if (!(record->ExceptionFlags & (EXCEPTION_UNWINDING | EXCEPTION_EXIT_UNWIND)) &&
        is_fault_in_view(record, view))
        leave_at_frame(frame, record, dispatcher); /* does not return */
    return ExceptionContinueSearch;
}

bool prfdata_os_guarded(const prfdata_os_region *view, void (*read)(void *context), void *context)
{
    return prfdata_guard_run(read, context, view) != 0;
}

#endif
