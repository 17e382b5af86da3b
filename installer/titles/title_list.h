/* SPDX-License-Identifier: MIT */
/*
 * Finds titles in a list that the system returns for a query such as "Counter 009" or "Help 009". A
 * list consists of pairs of index and text. A NUL ends each index and each text. Only the titles
 * before a damaged place are found. Portable.
 */
#ifndef PRFDATA_TITLE_LIST_H
#define PRFDATA_TITLE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/*
 * Search for titles.
 *
 * chars  The list, of `char_count` chars; its end may be missing.
 * first  The index of the first wanted title; the others follow at every second index.
 * texts  The wanted texts, `text_count` of them; those that the list has at their indexes are set
 *        to NULL. Texts longer than PRFDATA_MAX_HELP_CHARS are not found.
 *
 * Returns the number of texts that were not found.
 */
size_t prfdata_title_list_match(const uint16_t *chars, size_t char_count, uint32_t first,
                                const wchar_t **texts, size_t text_count);

/*
 * Find the next title that has this text.
 *
 * at     0 at first; afterwards the place after the title that was found.
 * index  Set if there is one.
 */
bool prfdata_title_list_find(const uint16_t *chars, size_t char_count, const wchar_t *text,
                             size_t *at, uint32_t *index);

#endif
