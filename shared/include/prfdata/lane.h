/* SPDX-License-Identifier: MIT */
/*
 * Computes the lane in which the calling thread counts hot counters (PRFDATA_MAP_HOT), from a
 * number that the thread has. One or two instructions read this number. There is no thread-local
 * storage, so there is nothing to do when a thread, a fiber or a library ends. Threads that share a
 * lane are slower, but count correctly, because they add atomically. The file is also valid C++.
 */
#ifndef PRFDATA_LANE_H
#define PRFDATA_LANE_H

#include <stddef.h>
#include <stdint.h>

#include <prfdata/atomic.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif

#define PRFDATA_LANES_STRIPED 16 /* lanes that threads choose by their number */
#define PRFDATA_LANES_STRIDE                                                                       \
    128 /* bytes from lane to lane, because processors fetch lines of 64 bytes in pairs */

/*
 * The number of the calling thread. On Windows it is the thread's id divided by 4, because all
 * thread ids are multiples of 4. The id is in the TEB, in ClientId.UniqueThread, a field that the
 * debugger symbols of ntdll document. GetCurrentThreadId() reads this field, too. On Linux the
 * number is computed from the thread pointer, the base of the thread's own storage.
 */
static inline uint32_t prfdata_lane_thread(void)
{
#if defined(_WIN32) && defined(_MSC_VER) && !defined(__clang__)
#if defined(_M_ARM64) || defined(_M_ARM64EC)
    return PRFDATA_TO_(uint32_t, __readx18dword(0x48)) >> 2;
#elif defined(_M_X64)
    return PRFDATA_TO_(uint32_t, __readgsdword(0x48)) >> 2;
#else
    return PRFDATA_TO_(uint32_t, __readfsdword(0x24)) >> 2;
#endif
#elif defined(_WIN32)
    uint32_t id;

#if defined(__aarch64__)
    __asm__("ldr %w0, [x18, #0x48]" : "=r"(id));
#elif defined(__x86_64__)
    __asm__("movl %%gs:0x48, %0" : "=r"(id));
#else
    __asm__("movl %%fs:0x24, %0" : "=r"(id));
#endif
    return id >> 2;
#else
    uintptr_t pointer;

#if defined(__x86_64__)
    __asm__("movq %%fs:0, %0" : "=r"(pointer));
#elif defined(__i386__)
    __asm__("movl %%gs:0, %0" : "=r"(pointer));
#else
#ifdef __cplusplus
    pointer = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
#else
    pointer = (uintptr_t)__builtin_thread_pointer();
#endif
#endif
    /*
     * Thread pointers are at equal distances, on the threads' stacks. The factor, 2^32 / 1.618,
     * spreads them over the lanes.
     */
    return (PRFDATA_TO_(uint32_t, pointer >> 12) * 0x9E3779B1u) >> 28;
#endif
}

/* The distance of the calling thread's lane from the first one, in words of 8 bytes. */
static inline size_t prfdata_lane_words(void)
{
    return prfdata_lane_thread() % PRFDATA_LANES_STRIPED *
           (PRFDATA_LANES_STRIDE / sizeof(uint64_t));
}

#endif
