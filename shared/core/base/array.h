/* SPDX-License-Identifier: MIT */
/*
 * Reallocates growing arrays.
 *
 *     item *items =
 *         prfdata_array_reserve(list->items, &list->capacity, list->count + 1, sizeof *items);
 *
 *     if (!items)
 *         return false;
 *     list->items = items;
 *     list->items[list->count++] = ...;
 */
#ifndef PRFDATA_ARRAY_H
#define PRFDATA_ARRAY_H

#include <stddef.h>

/*
 * Make room for at least `needed` elements. Capacity doubles, so adding an element costs amortised
 * constant time.
 *
 * items     The array, or NULL with a capacity of 0. Stays valid on failure.
 * capacity  In elements; updated on success.
 *
 * Returns the array at its new address, or NULL if memory is exhausted or the size does not fit a
 *         size_t.
 * Owner:   the caller; free().
 */
void *prfdata_array_reserve(void *items, size_t *capacity, size_t needed, size_t item_bytes);

#endif
