/* SPDX-License-Identifier: MIT */
/*
 * Implements prfdata_os_call_as_process (os.h) for Windows: if the thread impersonates a client,
 * another thread, without a token, makes the call.
 */
#include "system/os_win32.h"

#include <stdlib.h>

/*
 * The time to wait for a new thread to begin. A thread that is created in DllMain begins only when
 * DllMain has returned.
 */
#define BEGIN_MILLISECONDS 5000

enum { CALL_IS_WAITING, CALL_HAS_BEGUN, CALL_IS_GIVEN_UP };

/* The address of this variable identifies this module. */
static const char inside_module = 0;

/*
 * Shared by the caller's thread and a helper thread. The caller frees it. But if the caller has
 * given up waiting (`state`), the helper frees it.
 */
typedef struct helper_call {
    void (*call)(void *context);
    void *context;
    volatile LONG state;
    HANDLE done;
    HMODULE module; /* this module, which must stay loaded until the helper has ended */
} helper_call;

static void free_helper_call(helper_call *helper)
{
    if (helper->done)
        CloseHandle(helper->done);
    free(helper);
}

static DWORD WINAPI run_helper_call(void *context)
{
    helper_call *helper = context;
    HMODULE module = helper->module;

    if (InterlockedCompareExchange(&helper->state, CALL_HAS_BEGUN, CALL_IS_WAITING) ==
        CALL_IS_WAITING) {
        helper->call(helper->context);
        SetEvent(helper->done); /* from here on the caller owns it */
    } else {
        free_helper_call(helper);
    }
    FreeLibraryAndExitThread(module, 0);
}

static helper_call *make_helper_call(void (*call)(void *context), void *context)
{
    helper_call *helper = calloc(1, sizeof *helper);

    if (!helper)
        return NULL;
    helper->call = call;
    helper->context = context;
    helper->state = CALL_IS_WAITING;
    helper->done = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (!helper->done ||
        !GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                            (const wchar_t *)(const void *)&inside_module, &helper->module)) {
        free_helper_call(helper);
        return NULL;
    }
    return helper;
}

static uint32_t wait_for_helper_call(helper_call *helper)
{
    if (WaitForSingleObject(helper->done, BEGIN_MILLISECONDS) != WAIT_OBJECT_0) {
        if (InterlockedCompareExchange(&helper->state, CALL_IS_GIVEN_UP, CALL_IS_WAITING) ==
            CALL_IS_WAITING)
            return ERROR_TIMEOUT;
        WaitForSingleObject(helper->done, INFINITE); /* the helper uses the caller's data */
    }
    free_helper_call(helper);
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_call_as_process(void (*call)(void *context), void *context)
{
    helper_call *helper;
    HANDLE thread;

    if (!prfdata_os_carries_token()) {
        call(context);
        return ERROR_SUCCESS;
    }
    helper = make_helper_call(call, context);
    if (!helper)
        return ERROR_NOT_ENOUGH_MEMORY;
    thread = CreateThread(NULL, 0, run_helper_call, helper, 0, NULL); /* without a token */
    if (!thread) {
        FreeLibrary(helper->module);
        free_helper_call(helper);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    CloseHandle(thread);
    return wait_for_helper_call(helper);
}
