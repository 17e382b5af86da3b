/* SPDX-License-Identifier: MIT */
/* Declares a stable sort whose comparison gets a context, unlike that of qsort(). */
#ifndef PRFDATA_MERGE_SORT_H
#define PRFDATA_MERGE_SORT_H

#include <stddef.h>

/* Returns below 0, 0 or above 0, as for qsort(). `context` is that of prfdata_merge_sort(). */
typedef int prfdata_merge_sort_compare(const void *a, const void *b, const void *context);

/*
 * Sort an array. Equal elements keep their order.
 *
 * items  `count` elements of `item_bytes` each; may be NULL if `count` is 0.
 * room   Memory for `count` elements; its content is lost.
 */
void prfdata_merge_sort(void *items, void *room, size_t count, size_t item_bytes,
                        prfdata_merge_sort_compare *compare, const void *context);

#endif
