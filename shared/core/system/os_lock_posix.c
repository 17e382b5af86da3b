/* SPDX-License-Identifier: MIT */
/* Implements the lock of os.h for Linux. */
#include "system/os.h"

#include <pthread.h>
#include <sched.h>

#include "base/compiler.h"

/*
 * The word of a lock that a thread of this process holds. In a child that fork() made, the word is
 * another one. So the child does not wait for locks that threads of its parent held. These threads
 * do not exist in the child, and would never leave the locks.
 */
static uint32_t held = 1;

static void begin_child(void)
{
    held++;
}

__attribute__((constructor)) static void watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, begin_child);
}

/* Returns the former word of the lock. If it is `held`, another thread has the lock. */
static inline uint32_t mark_lock(prfdata_os_lock *lock)
{
    return __atomic_exchange_n(&lock->word, held, __ATOMIC_ACQUIRE);
}

bool prfdata_os_lock_try(prfdata_os_lock *lock)
{
    return mark_lock(lock) != held;
}

PRFDATA_NOINLINE static void wait_for_lock(prfdata_os_lock *lock, uint32_t former)
{
    while (former == held) {
        sched_yield();
        former = mark_lock(lock);
    }
}

void prfdata_os_lock_enter(prfdata_os_lock *lock)
{
    const uint32_t former = mark_lock(lock);

    if (former != 0)
        wait_for_lock(lock, former);
}

void prfdata_os_lock_leave(prfdata_os_lock *lock)
{
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
}
