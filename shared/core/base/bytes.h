/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes little-endian numbers at any address, on machines of any byte order. The
 * prfdata_bytes_get functions never read outside the bytes; they return 0 for a number that does
 * not lie inside. Callers that must tell this result from a stored 0 call prfdata_bytes_have().
 */
#ifndef PRFDATA_BYTES_H
#define PRFDATA_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Borrowed bytes. */
typedef struct prfdata_bytes {
    const unsigned char *at;
    size_t size;
} prfdata_bytes;

/*
 * Whether the `size` bytes at `offset` lie inside `bytes`. The sum of `offset` and `size` is never
 * computed, because it could overflow.
 */
static inline bool prfdata_bytes_have(prfdata_bytes bytes, uint64_t offset, uint64_t size)
{
    return size <= bytes.size && offset <= bytes.size - size;
}

static inline bool prfdata_bytes_same(const void *a, size_t a_size, const void *b, size_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

/* Read a number of 1 to 8 bytes. */
static inline uint64_t prfdata_bytes_get(prfdata_bytes bytes, uint64_t offset, unsigned size)
{
    uint64_t number = 0;

    if (!prfdata_bytes_have(bytes, offset, size))
        return 0;
    for (unsigned i = 0; i < size; i++)
        number |= (uint64_t)bytes.at[offset + i] << (8 * i);
    return number;
}

/* Write a number of 1 to 8 bytes. The caller has checked that there is room. */
static inline void prfdata_bytes_put(unsigned char *at, uint64_t number, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (unsigned char)(number >> (8 * i));
}

static inline uint16_t prfdata_bytes_get16(prfdata_bytes bytes, uint64_t offset)
{
    return (uint16_t)prfdata_bytes_get(bytes, offset, 2);
}

/* Written without a loop so that compilers turn it into a single load. */
static inline uint32_t prfdata_bytes_load32(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t prfdata_bytes_load64(const unsigned char *at)
{
    return at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
}

static inline uint32_t prfdata_bytes_get32(prfdata_bytes bytes, uint64_t offset)
{
    return prfdata_bytes_have(bytes, offset, 4) ? prfdata_bytes_load32(bytes.at + offset) : 0;
}

static inline uint64_t prfdata_bytes_get64(prfdata_bytes bytes, uint64_t offset)
{
    return prfdata_bytes_have(bytes, offset, 8) ? prfdata_bytes_load64(bytes.at + offset) : 0;
}

#endif
