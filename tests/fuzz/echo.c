/* SPDX-License-Identifier: MIT */
/* Prints the input that it gets. test_replay.py compares the output with the corpus. */
#include "fuzz.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>

/* Check that the byte after the input is poisoned. An empty input is an allocation of one byte. */
static void check_input_end(const uint8_t *bytes, size_t size)
{
    FUZZ_CHECK(size == 0 || __asan_address_is_poisoned(bytes + size));
}
#else
static void check_input_end(const uint8_t *bytes, size_t size)
{
    (void)bytes;
    (void)size;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    check_input_end(bytes, size);
    printf("input ");
    for (size_t i = 0; i < size; i++)
        printf("%02x", bytes[i]);
    printf("\n");
    return 0;
}
