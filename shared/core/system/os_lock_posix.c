/* SPDX-License-Identifier: MIT */
/*
 * Implements the lock of os.h for Linux. It is in a separate file because regions depend on the
 * guard, and the guard on the lock.
 */
#include "system/os.h"

#include <sched.h>

/*
 * A static function, because compilers do not inline an external function of a library into another
 * one.
 */
static inline bool take_lock(prfdata_os_lock *lock)
{
    return __atomic_exchange_n(&lock->word, 1, __ATOMIC_ACQUIRE) == 0;
}

bool prfdata_os_lock_try(prfdata_os_lock *lock)
{
    return take_lock(lock);
}

static void wait_for_lock(prfdata_os_lock *lock)
{
    do
        sched_yield();
    while (!take_lock(lock));
}

void prfdata_os_lock_enter(prfdata_os_lock *lock)
{
    if (!take_lock(lock))
        wait_for_lock(lock);
}

void prfdata_os_lock_leave(prfdata_os_lock *lock)
{
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
}
