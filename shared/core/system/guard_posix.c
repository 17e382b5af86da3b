/* SPDX-License-Identifier: MIT */
/*
 * Implements prfdata_os_guarded (os.h) for Linux with a handler of SIGBUS and SIGSEGV, which jumps
 * back to the guard whose view faulted. The handler is installed while there are views to read.
 */
#define _GNU_SOURCE

#include "system/guard_posix.h"

#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "system/os.h"

typedef struct guard {
    struct guard *outer; /* the guard that was active before this one; NULL if there was none */
    const prfdata_os_region *view;
    sigjmp_buf out;
} guard;

/* Volatile, because the handler may read it at any moment. */
static _Thread_local guard *volatile guard_inside;

static const int guard_signals[2] = {SIGBUS, SIGSEGV};
static struct sigaction guard_previous[2];
static bool guard_installed[2];
static unsigned guard_users;
static prfdata_os_lock guard_lock;

/* Handles the signal as if this file's handler were not installed. */
static void pass_on_signal(int number, siginfo_t *info, void *context)
{
    const struct sigaction *previous = &guard_previous[number == SIGBUS ? 0 : 1];
    /* A signal that kill() sent does not recur when the handler returns; a fault does. */
    bool sent = info->si_code <= 0;
    struct sigaction fatal;

    if (previous->sa_flags & SA_SIGINFO) {
        previous->sa_sigaction(number, info, context);
    } else if (previous->sa_handler == SIG_IGN && sent) {
        return;
    } else if (previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN) {
        previous->sa_handler(number);
    } else {
        memset(&fatal, 0, sizeof(fatal));
        fatal.sa_handler = SIG_DFL;
        sigaction(number, &fatal, NULL);
        if (sent)
            raise(number);
    }
}

/* The innermost guard of this thread whose view contains the address; NULL if there is none. */
static guard *find_guard(const void *address)
{
    for (guard *inside = guard_inside; inside; inside = inside->outer) {
        uintptr_t begin = (uintptr_t)inside->view->bytes;

        if ((uintptr_t)address - begin < inside->view->size)
            return inside;
    }
    return NULL;
}

static void on_fault_signal(int number, siginfo_t *info, void *context)
{
    guard *inside = info->si_code > 0 ? find_guard(info->si_addr) : NULL;

    if (inside) {
        /*
         * sigsetjmp did not save the signal mask, because saving it needs a system call for each
         * read. So the mask is restored here.
         */
        pthread_sigmask(SIG_SETMASK, &((ucontext_t *)context)->uc_sigmask, NULL);
        siglongjmp(inside->out, 1);
    }
    pass_on_signal(number, info, context);
}

static bool is_own_handler(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_fault_signal;
}

static void install_fault_handler(size_t i)
{
    struct sigaction action;

    if (guard_installed[i])
        return;
    memset(&action, 0, sizeof(action));
    sigemptyset(&action.sa_mask);
    action.sa_sigaction = on_fault_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    /* Gets the former handler before the new one may be called. */
    sigaction(guard_signals[i], NULL, &guard_previous[i]);
    sigaction(guard_signals[i], &action, NULL);
    guard_installed[i] = true;
}

/* If another handler was installed later, this one stays, because the later one may call it. */
static void uninstall_fault_handler(size_t i)
{
    struct sigaction current;

    if (sigaction(guard_signals[i], NULL, &current) != 0 || !is_own_handler(&current))
        return;
    sigaction(guard_signals[i], &guard_previous[i], NULL);
    guard_installed[i] = false;
}

void prfdata_guard_open(void)
{
    prfdata_os_lock_enter(&guard_lock);
    if (guard_users++ == 0) {
        for (size_t i = 0; i < 2; i++)
            install_fault_handler(i);
    }
    prfdata_os_lock_leave(&guard_lock);
}

void prfdata_guard_close(void)
{
    prfdata_os_lock_enter(&guard_lock);
    assert(guard_users > 0);
    if (--guard_users == 0) {
        for (size_t i = 0; i < 2; i++)
            uninstall_fault_handler(i);
    }
    prfdata_os_lock_leave(&guard_lock);
}

bool prfdata_os_guarded(const prfdata_os_region *view, void (*read)(void *context), void *context)
{
    guard here;

    here.outer = guard_inside;
    here.view = view;
    if (sigsetjmp(here.out, 0) != 0) {
        guard_inside = here.outer;
        return false;
    }
    guard_inside = &here;
    read(context);
    guard_inside = here.outer;
    return true;
}
