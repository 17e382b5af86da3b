/* SPDX-License-Identifier: MIT */
/* Grows arrays of any element type. */
#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_CAPACITY 16u

void *prfdata_array_reserve(void *items, size_t *capacity, size_t needed, size_t item_bytes)
{
    const size_t most = SIZE_MAX / item_bytes;
    size_t grown = *capacity > 0 ? *capacity : FIRST_CAPACITY;
    void *moved;

    if (items && needed <= *capacity)
        return items;
    if (needed > most)
        return NULL;
    while (grown < needed)
        grown = grown > most / 2 ? most : grown * 2;
    if (grown > most)
        grown = most;
    moved = realloc(items, grown * item_bytes);
    if (moved)
        *capacity = grown;
    return moved;
}
