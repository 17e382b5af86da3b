/* SPDX-License-Identifier: MIT */
/* Makes a function of each operation of atomic.h. tests/scripts/14-barriers.sh reads the
 * instructions in the object, which is never linked. The name of a function says which instructions
 * it must contain. */

/* The headers are read as for ARM64. After them, the macros are those of a compiler for ARM64EC. */
#ifdef PRFDATA_AS_ARM64EC
#include <windows.h>
#include <intrin.h>
#undef _M_ARM64
#define _M_ARM64EC 1
#define _M_X64     1
#endif

#include <prfdata/atomic.h>

#include "plan/cell_simd.h"

uint64_t load64_relaxed(const uint64_t *word);
uint64_t load64_acquire(const uint64_t *word);
uint32_t load32_acquire(const uint32_t *word);
uint8_t *load_bytes_acquire(uint8_t *const *word);
void store64_relaxed(uint64_t *word, uint64_t value);
void store64_release(uint64_t *word, uint64_t value);
void store32_release(uint32_t *word, uint32_t value);
void store_bytes_release(uint8_t **word, uint8_t *value);
void add64_relaxed(uint64_t *word, uint64_t value);
void add64_release(uint64_t *word, uint64_t value);
void fence(void);
void fence_acquire(void);
void fence_release(void);
void fence_after_swap(void);
void put_two_cells(uint8_t *at, const uint64_t *cells);

uint64_t load64_relaxed(const uint64_t *word)
{
    return prfdata_load64_relaxed(word);
}

uint64_t load64_acquire(const uint64_t *word)
{
    return prfdata_load64_acquire(word);
}

uint32_t load32_acquire(const uint32_t *word)
{
    return prfdata_load32_acquire(word);
}

uint8_t *load_bytes_acquire(uint8_t *const *word)
{
    return prfdata_load_bytes_acquire(word);
}

void store64_relaxed(uint64_t *word, uint64_t value)
{
    prfdata_store64_relaxed(word, value);
}

void store64_release(uint64_t *word, uint64_t value)
{
    prfdata_store64_release(word, value);
}

void store32_release(uint32_t *word, uint32_t value)
{
    prfdata_store32_release(word, value);
}

void store_bytes_release(uint8_t **word, uint8_t *value)
{
    prfdata_store_bytes_release(word, value);
}

void add64_relaxed(uint64_t *word, uint64_t value)
{
    prfdata_add64_relaxed(word, value);
}

void add64_release(uint64_t *word, uint64_t value)
{
    prfdata_add64_release(word, value);
}

void fence(void)
{
    prfdata_fence();
}

void fence_acquire(void)
{
    prfdata_fence_acquire();
}

void fence_release(void)
{
    prfdata_fence_release();
}

void fence_after_swap(void)
{
    prfdata_fence_after_swap();
}

void put_two_cells(uint8_t *at, const uint64_t *cells)
{
    prfdata_cell_simd_put(at, cells, NULL);
}
