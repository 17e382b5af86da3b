/* SPDX-License-Identifier: MIT */
/* Keeps lists of notes about paths. */
#include "viewer/noted.h"

#include <stdlib.h>

void *prfdata_noted_find(const void *items, size_t count, size_t item_bytes, prfdata_text path)
{
    const char *bytes = items;

    for (size_t at = 0; at < count; at++) {
        void *item = (void *)(uintptr_t)(bytes + at * item_bytes);

        if (prfdata_text_equal(*(const prfdata_text *)item, path))
            return item;
    }
    return NULL;
}

void prfdata_noted_free(void *items, size_t count, size_t item_bytes)
{
    char *bytes = items;

    for (size_t i = 0; i < count; i++) {
        void *item = bytes + i * item_bytes;

        prfdata_text_free(item);
    }
    free(items);
}
