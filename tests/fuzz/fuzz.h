/* SPDX-License-Identifier: MIT */
/* Declares what the fuzz targets share: reading bytes of the fuzzer's input, and checks that stop
 * the program in every build. Reading beyond the end of the input gives zeros. */
#ifndef PRFDATA_TESTS_FUZZ_H
#define PRFDATA_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The entry point of every target. libFuzzer requires this name. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* An assert() that is also active in a release build. */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition))

static inline void fuzz_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    fflush(stderr);
    abort();
}

typedef struct fuzz_input {
    const uint8_t *bytes;
    size_t size; /* size of the remaining input */
} fuzz_input;

static inline uint8_t fuzz_u8(fuzz_input *input)
{
    if (input->size == 0)
        return 0;
    input->size--;
    return *input->bytes++;
}

static inline uint16_t fuzz_u16(fuzz_input *input)
{
    uint16_t low = fuzz_u8(input);

    return (uint16_t)(low | fuzz_u8(input) << 8);
}

static inline uint32_t fuzz_u32(fuzz_input *input)
{
    uint32_t low = fuzz_u16(input);

    return low | (uint32_t)fuzz_u16(input) << 16;
}

static inline uint64_t fuzz_u64(fuzz_input *input)
{
    uint64_t low = fuzz_u32(input);

    return low | (uint64_t)fuzz_u32(input) << 32;
}

/* Take a number. One byte says what kind of number it is: small, large, or near a limit. */
static inline uint64_t fuzz_number(fuzz_input *input)
{
    uint8_t kind = fuzz_u8(input);

    if (kind < 0xF0)
        return kind;
    if (kind < 0xF8)
        return fuzz_u64(input);
    return kind < 0xFC ? UINT32_MAX - (uint64_t)(kind & 3) : UINT64_MAX - (uint64_t)(kind & 3);
}

/* Allocate memory, at least one byte. Does not fail. */
static inline void *fuzz_memory(size_t size)
{
    void *memory = malloc(size ? size : 1);

    FUZZ_CHECK(memory != NULL);
    return memory;
}

/* Copy bytes to memory of exactly their size, so that a sanitizer sees a read past the end. */
static inline void *fuzz_copy(const void *bytes, size_t size)
{
    void *copy = fuzz_memory(size);

    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

#endif
