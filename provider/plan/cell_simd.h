/* SPDX-License-Identifier: MIT */
/*
 * Copies and compares cells two at a time if the code is compiled for x86 with SSE2, otherwise one
 * at a time. Cells are aligned to 8 bytes, and x86 never splits an aligned half of a 16-byte load.
 * So each cell is read whole.
 */
#ifndef PRFDATA_CELL_SIMD_H
#define PRFDATA_CELL_SIMD_H

#include <stdbool.h>
#include <string.h>

#include <prfdata/atomic.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PRFDATA_CELL_SIMD_SANITIZED 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define PRFDATA_CELL_SIMD_SANITIZED 1
#endif

/*
 * The thread sanitizer knows only the compilers' atomics, so it needs the functions after
 * #else. A compiler for ARM64EC also claims to compile for x64, but nothing guarantees for ARM64EC
 * that a 16-byte load reads each half whole.
 */
#if (defined(__SSE2__) || (defined(_M_X64) && !defined(_M_ARM64EC))) &&                            \
    !defined(PRFDATA_CELL_SIMD_SANITIZED)
#include <emmintrin.h>

static inline __m128i prfdata_cell_simd_load(const uint64_t *cells)
{
    return _mm_loadu_si128((const __m128i *)(const void *)cells);
}

static inline void prfdata_cell_simd_store(uint8_t *at, __m128i pair)
{
    _mm_storeu_si128((__m128i *)(void *)at, pair);
}

/* Writes two cells, minus `baselines`, which may be NULL. */
static inline void prfdata_cell_simd_put(uint8_t *at, const uint64_t *cells,
                                         const uint64_t *baselines)
{
    __m128i pair = prfdata_cell_simd_load(cells);

    if (baselines)
        pair = _mm_sub_epi64(pair, prfdata_cell_simd_load(baselines));
    prfdata_cell_simd_store(at, pair);
}

/*
 * Whether cells have the known values; `count` is even. The cells are read in no particular order.
 */
static inline bool prfdata_cell_simd_equal(const uint64_t *cells, const uint64_t *known, int count)
{
    __m128i changes = _mm_setzero_si128();

    for (int i = 0; i < count; i += 2)
        changes = _mm_or_si128(changes, _mm_xor_si128(prfdata_cell_simd_load(cells + i),
                                                      prfdata_cell_simd_load(known + i)));
    return _mm_movemask_epi8(_mm_cmpeq_epi8(changes, _mm_setzero_si128())) == 0xFFFF;
}

#else

static inline void prfdata_cell_simd_put(uint8_t *at, const uint64_t *cells,
                                         const uint64_t *baselines)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t value = prfdata_load64_relaxed(&cells[i]);

        if (baselines)
            value -= prfdata_load64_relaxed(&baselines[i]);
        memcpy(at + 8 * (size_t)i, &value, sizeof value);
    }
}

static inline bool prfdata_cell_simd_equal(const uint64_t *cells, const uint64_t *known, int count)
{
    uint64_t changes = 0;

    for (int i = 0; i < count; i++)
        changes |= prfdata_load64_relaxed(&cells[i]) ^ known[i];
    return changes == 0;
}

#endif

#endif
