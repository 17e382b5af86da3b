/* SPDX-License-Identifier: MIT */
/*
 * The title list as the system hands it out ("Counter 009"): pairs of index and text, each ended
 * by NUL. It is data: a damaged list has fewer titles. Portable.
 */
#ifndef PRFDATA_TITLE_LIST_H
#define PRFDATA_TITLE_LIST_H

#include <stddef.h>
#include <stdint.h>

/*
 * Find the text of the title `index`.
 *
 * chars        The list; `char_count` chars, ended or not.
 * title_chars  On success the length of the text.
 *
 * Returns the text within `chars`, or NULL.
 */
const uint16_t *prfdata_title_list_find(const uint16_t *chars, size_t char_count, uint32_t index,
                                        size_t *title_chars);

#endif
