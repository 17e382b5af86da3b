/* SPDX-License-Identifier: MIT */
/*
 * The list of titles that the system returns for "Counter 009": pairs of index and text, each ended
 * by a NUL. Only the titles before a damaged place are found. Portable.
 */
#ifndef PRFDATA_TITLE_LIST_H
#define PRFDATA_TITLE_LIST_H

#include <stddef.h>
#include <stdint.h>

/*
 * Find the text of the title `index`.
 *
 * chars        The list, of `char_count` chars; its end may be missing.
 * title_chars  On success the length of the text in chars.
 *
 * Returns the text, within `chars`, or NULL.
 */
const uint16_t *prfdata_title_list_find(const uint16_t *chars, size_t char_count, uint32_t index,
                                        size_t *title_chars);

#endif
