/* SPDX-License-Identifier: MIT */
/* The lock of os.h for Linux. Apart, because regions use the guard, and the guard the lock. */
#include "core/os.h"

#include <sched.h>

bool prfdata_os_lock_try(prfdata_os_lock *lock)
{
    return __atomic_exchange_n(&lock->word, 1, __ATOMIC_ACQUIRE) == 0;
}

void prfdata_os_lock_enter(prfdata_os_lock *lock)
{
    while (!prfdata_os_lock_try(lock))
        sched_yield();
}

void prfdata_os_lock_leave(prfdata_os_lock *lock)
{
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
}
