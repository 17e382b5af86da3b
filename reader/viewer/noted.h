/* SPDX-License-Identifier: MIT */
/*
 * Keeps lists of notes about paths. An item is a structure that begins with its path, which the
 * list owns; line_notes.h and column_notes.h define its other members.
 */
#ifndef PRFDATA_READER_NOTED_H
#define PRFDATA_READER_NOTED_H

#include "text/text.h"

/* Return the item with this path, ignoring case; NULL: there is none. */
void *prfdata_noted_find(const void *items, size_t count, size_t item_bytes, prfdata_text path);

/* Release the items and their paths. */
void prfdata_noted_free(void *items, size_t count, size_t item_bytes);

#endif
