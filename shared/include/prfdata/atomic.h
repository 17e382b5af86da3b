/* SPDX-License-Identifier: MIT */
/*
 * Defines the atomic operations on shared cells and words. The name of each says its memory order.
 * This file is also valid C++, because the in-line functions of <prfdata/prfdata.h> use it.
 *
 * - On 32-bit x86, a 64-bit load must not be a `lock cmpxchg8b` loop, because the loop writes, and
 *   a write faults on a read-only view. gcc and clang use an SSE or x87 move; MSVC needs
 *   __iso_volatile_load64.
 * - All words are naturally aligned, because an atomic across a cache-line border costs 500 times
 *   as much.
 */
#ifndef PRFDATA_ATOMIC_H
#define PRFDATA_ATOMIC_H

#include <stddef.h>
#include <stdint.h>

/*
 * Casts and null pointers, which C and C++ write differently. C++ compilers warn about C casts
 * (-Wold-style-cast).
 */
#ifdef __cplusplus
#define PRFDATA_TO_(type, value) static_cast<type>(value)
#define PRFDATA_NONE_            nullptr
#else
#define PRFDATA_TO_(type, value) ((type)(value))
#define PRFDATA_NONE_            NULL
#endif

#if defined(_MSC_VER) /* clang-cl too */

#include <intrin.h> /* not <windows.h>, whose macros would change what a program includes later */

static __inline uint64_t prfdata_load64_relaxed(const uint64_t *word)
{
    return (uint64_t)__iso_volatile_load64((const volatile __int64 *)word);
}

static __inline uint32_t prfdata_load32_relaxed(const uint32_t *word)
{
    return (uint32_t)__iso_volatile_load32((const volatile int *)word);
}

static __inline void prfdata_fence(void)
{
#if defined(_M_ARM64) || defined(_M_ARM64EC)
    __dmb(_ARM64_BARRIER_SY);
#else
    _mm_mfence();
#endif
}

#if defined(_M_ARM64) || defined(_M_ARM64EC)
#define PRFDATA_LOAD_FENCE_()  __dmb(_ARM64_BARRIER_ISHLD)
#define PRFDATA_STORE_FENCE_() __dmb(_ARM64_BARRIER_ISH)
#else
#define PRFDATA_LOAD_FENCE_()  _ReadWriteBarrier() /* x86 keeps loads and stores in order itself */
#define PRFDATA_STORE_FENCE_() _ReadWriteBarrier()
#endif

static __inline void prfdata_fence_acquire(void)
{
    PRFDATA_LOAD_FENCE_();
}

static __inline void prfdata_fence_release(void)
{
    PRFDATA_STORE_FENCE_();
}

static __inline uint64_t prfdata_load64_acquire(const uint64_t *word)
{
    uint64_t value = prfdata_load64_relaxed(word);
    PRFDATA_LOAD_FENCE_();
    return value;
}

static __inline uint32_t prfdata_load32_acquire(const uint32_t *word)
{
    uint32_t value = prfdata_load32_relaxed(word);
    PRFDATA_LOAD_FENCE_();
    return value;
}

/*
 * Stores `desired` in `word` if `word` holds `*expected`, and returns 1. Otherwise sets `*expected`
 * to the value of `word` and returns 0. May return 0 even if the values are equal, so call it in a
 * loop.
 */
static __inline int prfdata_swap64_relaxed(uint64_t *word, uint64_t *expected, uint64_t desired)
{
    uint64_t found = (uint64_t)_InterlockedCompareExchange64((volatile __int64 *)word,
                                                             (__int64)desired, (__int64)*expected);
    int swapped = found == *expected;

    *expected = found;
    return swapped;
}

static __inline void prfdata_store64_relaxed(uint64_t *word, uint64_t value)
{
#if defined(_M_IX86)
    uint64_t found = *word; /* if this read is torn, the first exchange fails */

    while (!prfdata_swap64_relaxed(word, &found, value)) {
    }
#else
    __iso_volatile_store64((volatile __int64 *)word, (__int64)value);
#endif
}

static __inline void prfdata_store32_relaxed(uint32_t *word, uint32_t value)
{
    __iso_volatile_store32((volatile int *)word, (int)value);
}

static __inline void prfdata_store64_release(uint64_t *word, uint64_t value)
{
    PRFDATA_STORE_FENCE_();
    prfdata_store64_relaxed(word, value);
}

static __inline void prfdata_store32_release(uint32_t *word, uint32_t value)
{
    PRFDATA_STORE_FENCE_();
    prfdata_store32_relaxed(word, value);
}

static __inline void prfdata_add64_relaxed(uint64_t *word, uint64_t amount)
{
#if defined(_M_IX86) /* 32-bit x86 has no intrinsic for this */
    uint64_t found = *word;

    while (!prfdata_swap64_relaxed(word, &found, found + amount)) {
    }
#else
    (void)_InterlockedExchangeAdd64((volatile __int64 *)word, (__int64)amount);
#endif
}

static __inline void prfdata_add64_release(uint64_t *word, uint64_t amount)
{
    prfdata_add64_relaxed(word, amount); /* with this compiler a full barrier */
}

/* Load a pointer that another thread may exchange. */
static __inline uint8_t *prfdata_load_bytes_acquire(uint8_t *const *pointer)
{
    uint8_t *bytes = *(uint8_t *const volatile *)pointer;
    PRFDATA_LOAD_FENCE_();
    return bytes;
}

static __inline void prfdata_store_bytes_release(uint8_t **pointer, uint8_t *bytes)
{
    PRFDATA_STORE_FENCE_();
    *(uint8_t *volatile *)pointer = bytes;
}

static __inline void prfdata_pause(void)
{
#if defined(_M_ARM64) || defined(_M_ARM64EC)
    __yield();
#else
    _mm_pause();
#endif
}

static __inline void prfdata_fence_after_swap(void)
{
#if defined(_M_ARM64) || defined(_M_ARM64EC)
    prfdata_fence();
#else
    _ReadWriteBarrier();
#endif
}

static __inline void prfdata_prefetch(const void *bytes)
{
#if defined(__clang__)
    __builtin_prefetch(bytes); /* the compiler lacks the intrinsic for ARM64 */
#elif defined(_M_ARM64) || defined(_M_ARM64EC)
    __prefetch(bytes);
#else
    _mm_prefetch((const char *)bytes, _MM_HINT_T0);
#endif
}

#else /* gcc, clang */

/*
 * On x86, let the core's other hardware thread run while the calling thread spins. Elsewhere this
 * is only a barrier for the compiler.
 */
static inline void prfdata_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#endif
}

/*
 * A full fence after prfdata_swap64_relaxed(). On x86 the swap is a full fence already, so this is
 * only a barrier for the compiler.
 */
static inline void prfdata_fence_after_swap(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* Ask for a cache line that the caller will read soon. Never faults. */
static inline void prfdata_prefetch(const void *bytes)
{
    __builtin_prefetch(bytes);
}

static inline uint64_t prfdata_load64_relaxed(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline uint32_t prfdata_load32_relaxed(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void prfdata_fence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static inline void prfdata_fence_acquire(void)
{
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

static inline void prfdata_fence_release(void)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline uint64_t prfdata_load64_acquire(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline uint32_t prfdata_load32_acquire(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void prfdata_store64_relaxed(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline void prfdata_store32_relaxed(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline void prfdata_store64_release(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline void prfdata_store32_release(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline void prfdata_add64_relaxed(uint64_t *word, uint64_t amount)
{
    (void)__atomic_fetch_add(word, amount, __ATOMIC_RELAXED);
}

static inline void prfdata_add64_release(uint64_t *word, uint64_t amount)
{
    (void)__atomic_fetch_add(word, amount, __ATOMIC_RELEASE);
}

/*
 * Stores `desired` in `word` if `word` holds `*expected`, and returns 1. Otherwise sets `*expected`
 * to the value of `word` and returns 0. May return 0 even if the values are equal, so call it in a
 * loop.
 */
static inline int prfdata_swap64_relaxed(uint64_t *word, uint64_t *expected, uint64_t desired)
{
    return __atomic_compare_exchange_n(word, expected, desired, 1, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
}

/* Load a pointer that another thread may exchange. */
static inline uint8_t *prfdata_load_bytes_acquire(uint8_t *const *pointer)
{
    return __atomic_load_n(pointer, __ATOMIC_ACQUIRE);
}

static inline void prfdata_store_bytes_release(uint8_t **pointer, uint8_t *bytes)
{
    __atomic_store_n(pointer, bytes, __ATOMIC_RELEASE);
}

#endif

#endif
