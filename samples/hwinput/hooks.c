/* SPDX-License-Identifier: MIT */
/*
 * Sets the low-level hooks, and runs their thread. The system calls a low-level hook on the thread
 * that set it, while that thread waits for messages. Until the hook returns, the system holds up
 * the input of the whole desktop. Drawing or dragging the window must not delay input, so the hooks
 * have a thread of their own.
 */
#include "hooks.h"

#include <windows.h>

#include "counts.h"

typedef struct hook_thread_start {
    HANDLE ready; /* signalled once `status` is valid */
    uint32_t status;
} hook_thread_start;

static HANDLE hook_thread;
static DWORD hook_thread_id;

static LRESULT CALLBACK on_keyboard(int code, WPARAM message, LPARAM event)
{
    if (code == HC_ACTION) {
        switch (message) {
        case WM_KEYDOWN:
        case WM_SYSKEYDOWN:
        case WM_KEYUP:
        case WM_SYSKEYUP:
            counts_bump(COUNTS_KEYS);
            break;
        }
    }
    return CallNextHookEx(NULL, code, message, event);
}

static LRESULT CALLBACK on_mouse(int code, WPARAM message, LPARAM event)
{
    if (code == HC_ACTION) {
        switch (message) {
        case WM_MOUSEMOVE:
            counts_bump(COUNTS_MOVES);
            break;
        case WM_LBUTTONDOWN:
            counts_bump(COUNTS_LEFT);
            break;
        case WM_MBUTTONDOWN:
            counts_bump(COUNTS_MIDDLE);
            break;
        case WM_RBUTTONDOWN:
            counts_bump(COUNTS_RIGHT);
            break;
        }
    }
    return CallNextHookEx(NULL, code, message, event);
}

static void report_hooks(hook_thread_start *start, uint32_t status)
{
    start->status = status;
    SetEvent(start->ready); /* hooks_start() returns now: `start` is no longer valid */
}

static DWORD WINAPI run_hooks(void *argument)
{
    hook_thread_start *start = argument;
    HINSTANCE module = GetModuleHandleW(NULL);
    HHOOK keyboard = NULL;
    HHOOK mouse = NULL;
    MSG message;

    /* This creates the message queue; without one, a message that hooks_stop() posts is lost. */
    PeekMessageW(&message, NULL, WM_USER, WM_USER, PM_NOREMOVE);

    keyboard = SetWindowsHookExW(WH_KEYBOARD_LL, on_keyboard, module, 0);
    if (!keyboard) {
        report_hooks(start, GetLastError());
        return 0;
    }
    mouse = SetWindowsHookExW(WH_MOUSE_LL, on_mouse, module, 0);
    if (!mouse) {
        report_hooks(start, GetLastError());
        goto unhook_keyboard;
    }
    report_hooks(start, ERROR_SUCCESS);

    while (GetMessageW(&message, NULL, 0, 0) > 0) {
        /* GetMessageW calls the hooks. The only message that this thread gets is WM_QUIT. */
    }

    UnhookWindowsHookEx(mouse);
unhook_keyboard:
    UnhookWindowsHookEx(keyboard);
    return 0;
}

uint32_t hooks_start(void)
{
    hook_thread_start start = {NULL, ERROR_SUCCESS};

    start.ready = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (!start.ready)
        return GetLastError();

    hook_thread = CreateThread(NULL, 0, run_hooks, &start, 0, &hook_thread_id);
    if (!hook_thread) {
        start.status = GetLastError();
    } else {
        /*
         * The system stops calling hooks that return late. A high priority prevents that on a busy
         * machine.
         */
        SetThreadPriority(hook_thread, THREAD_PRIORITY_HIGHEST);
        WaitForSingleObject(start.ready, INFINITE);
    }
    CloseHandle(start.ready);

    if (start.status != ERROR_SUCCESS)
        hooks_stop();
    return start.status;
}

void hooks_stop(void)
{
    if (!hook_thread)
        return;
    PostThreadMessageW(hook_thread_id, WM_QUIT, 0, 0); /* fails if the thread has ended already */
    WaitForSingleObject(hook_thread, INFINITE);
    CloseHandle(hook_thread);
    hook_thread = NULL;
}
