/* SPDX-License-Identifier: MIT */
/* A stable sort whose comparison has a context, which qsort()'s has not. */
#ifndef PRFDATA_MERGE_SORT_H
#define PRFDATA_MERGE_SORT_H

#include <stddef.h>

/* Below 0, 0 or above 0, as qsort() wants it; `context` is the sort's. */
typedef int prfdata_merge_sort_compare(const void *a, const void *b, const void *context);

/*
 * Sort an array. Equal elements keep their order, and an array that is in order costs one
 * comparison for each element.
 *
 * items  `count` elements of `item_bytes` each; may be NULL if there is none.
 * room   For as many; its content is lost.
 */
void prfdata_merge_sort(void *items, void *room, size_t count, size_t item_bytes,
                        prfdata_merge_sort_compare *compare, const void *context);

#endif
