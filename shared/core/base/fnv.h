/* SPDX-License-Identifier: MIT */
/*
 * Computes FNV-1a with 64 bits (www.isthe.com/chongo/tech/comp/fnv), a non-cryptographic hash: good
 * for telling contents apart, useless against an attacker.
 */
#ifndef PRFDATA_FNV_H
#define PRFDATA_FNV_H

#include <stddef.h>
#include <stdint.h>

#define PRFDATA_FNV_START 0xCBF29CE484222325u
#define PRFDATA_FNV_PRIME 0x100000001B3u

/* Add bytes to a hash. `hash` is PRFDATA_FNV_START, or the result for the bytes before. */
static inline uint64_t prfdata_fnv_add(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * PRFDATA_FNV_PRIME;
    return hash;
}

#endif
