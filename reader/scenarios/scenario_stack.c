/* SPDX-License-Identifier: MIT */
/* Checks how much stack Collect uses. Before the call, the stack of a thread is painted: filled
 * with a known byte. Bytes that are no longer painted were used. */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_STACK_BYTES (64u * 1024)
#define PAINTED_BYTES    (512u * 1024) /* the thread's stack has twice as many bytes */
#define MARGIN_BYTES     4096u         /* left for the function that paints */
#define PAINT            0xC9

typedef struct painting_thread {
    prfdata_check *check;
    const wchar_t *query;
    uint32_t capacity;
    prfdata_strict_thread thread;
    uint32_t used_bytes; /* bytes of the stack that Collect and its caller have used */
} painting_thread;

/* Paint downwards byte by byte, because a stack grows only by the page below its lowest one. */
static void paint_stack(volatile unsigned char *top)
{
    for (size_t i = 1; i <= PAINTED_BYTES; i++)
        *(top - i) = PAINT;
}

static uint32_t count_used_stack(const volatile unsigned char *top)
{
    uint32_t used = PAINTED_BYTES;

    while (used > 0 && *(top - used) == PAINT)
        used--;
    return used;
}

static DWORD WINAPI run_painting_thread(void *argument)
{
    painting_thread *p = argument;
    prfdata_strict_result result;
    volatile unsigned char here = 0;
    /* Compute with a number, because C allows no pointer to memory below `here`. */
    unsigned char *top = (unsigned char *)((uintptr_t)&here - MARGIN_BYTES);

    if (prfdata_strict_join(&p->check->strict, &p->thread) != ERROR_SUCCESS)
        return 0;
    paint_stack(top);
    (void)prfdata_strict_collect(&p->thread, p->query, p->capacity, PRFDATA_PLACE_PATTERNS, 0,
                                 &result);
    p->used_bytes = count_used_stack(top);
    p->thread.thread.query = NULL;
    prfdata_strict_leave(&p->thread);
    return 0;
}

static void call_on_painted_stack(painting_thread *p)
{
    HANDLE thread = CreateThread(NULL, 2 * PAINTED_BYTES, run_painting_thread, p,
                                 STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);

    if (!thread)
        return;
    (void)WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
    prfdata_check_count(p->check, &p->thread);
}

static void run_stack(prfdata_check *check, const wchar_t *query)
{
    painting_thread *p = calloc(1, sizeof *p);

    if (!p || !prfdata_check_make_ready(check))
        goto free_thread;
    p->check = check;
    p->query = query;
    p->capacity = 2 * check->needed + 65536;
    call_on_painted_stack(p);
    check->thread.thread.query = query;
    check->thread.thread.capacity = p->capacity;
    if (p->used_bytes > MOST_STACK_BYTES)
        prfdata_check_find(&check->thread, PRFDATA_RULE_STACK_USE, "Collect took %u bytes of stack",
                           p->used_bytes);
    (void)snprintf(check->did, sizeof check->did, "%u bytes of stack", (unsigned)p->used_bytes);
free_thread:
    free(p);
}

static const prfdata_scenario stack_list[] = {
    {"stack", run_stack, L"Global"},
};

const prfdata_scenario_group prfdata_scenario_stack = {
    stack_list,
    sizeof stack_list / sizeof stack_list[0],
};
