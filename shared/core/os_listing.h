/* SPDX-License-Identifier: MIT */
/*
 * What both implementations of prfdata_os_directory_list share: which names are a region's, and
 * when to stop. Included by os_win32.c and os_posix.c only.
 */
#ifndef PRFDATA_OS_LISTING_H
#define PRFDATA_OS_LISTING_H

#include <stdlib.h>
#include <string.h>

#include "core/os.h"

/* Other files may lie in the folder, and a full folder must not make readers slow. */
#define PRFDATA_OS_LISTING_LOOKS_PER_NAME 16

typedef struct prfdata_os_listing {
    prfdata_os_name *names;
    size_t capacity;
    size_t count;
    size_t looks_left;
    bool more;
} prfdata_os_listing;

static inline bool prfdata_os_listing_is_region(const char *text, size_t text_chars)
{
    static const char extension[] = ".region";

    if (text_chars != PRFDATA_OS_NAME_BYTES - 1)
        return false;
    for (size_t i = 0; i < 16; i++) {
        if (!((text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f')))
            return false;
    }
    return memcmp(text + 16, extension, sizeof(extension) - 1) == 0;
}

/* A name that a caller passes in; its bytes need not end with NUL. */
static inline bool prfdata_os_listing_is_name(const prfdata_os_name *name)
{
    return name->text[PRFDATA_OS_NAME_BYTES - 1] == 0 &&
           prfdata_os_listing_is_region(name->text, PRFDATA_OS_NAME_BYTES - 1);
}

static inline void prfdata_os_listing_init(prfdata_os_listing *listing, prfdata_os_name *names,
                                           size_t capacity)
{
    listing->names = names;
    listing->capacity = capacity;
    listing->count = 0;
    listing->looks_left = capacity > SIZE_MAX / PRFDATA_OS_LISTING_LOOKS_PER_NAME
                              ? SIZE_MAX
                              : capacity * PRFDATA_OS_LISTING_LOOKS_PER_NAME;
    listing->more = false;
}

/* Look at one entry of the folder. Returns false when the listing is over. */
static inline bool prfdata_os_listing_look(prfdata_os_listing *listing, const char *text,
                                           size_t text_chars)
{
    if (listing->looks_left == 0) {
        listing->more = true;
        return false;
    }
    listing->looks_left--;
    if (!prfdata_os_listing_is_region(text, text_chars))
        return true;
    if (listing->count == listing->capacity) {
        listing->more = true;
        return false;
    }
    memcpy(listing->names[listing->count].text, text, text_chars);
    listing->names[listing->count].text[text_chars] = 0;
    listing->count++;
    return true;
}

static inline int prfdata_os_listing_compare(const void *a, const void *b)
{
    return memcmp(a, b, PRFDATA_OS_NAME_BYTES);
}

static inline void prfdata_os_listing_sort(prfdata_os_listing *listing)
{
    if (listing->count > 1)
        qsort(listing->names, listing->count, sizeof(listing->names[0]),
              prfdata_os_listing_compare);
}

#endif
