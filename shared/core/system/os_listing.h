/* SPDX-License-Identifier: MIT */
/* Decides which names a listing of the regions folder keeps, and when it stops. */
#ifndef PRFDATA_OS_LISTING_H
#define PRFDATA_OS_LISTING_H

#include <stdlib.h>

#include "system/os_name.h"

/*
 * The most entries that a listing examines for each name that it has room for. A full folder must
 * not make readers slow. Only entries of the listed boots count.
 */
#define PRFDATA_OS_LISTING_LOOKS_PER_NAME 16

/*
 * The most entries that prfdata_os_directory_list_part() examines in one call: the number of region
 * files that readers list, and a quarter more for other files.
 */
#define PRFDATA_OS_LISTING_PART_LOOKS 20480

typedef struct prfdata_os_listing {
    prfdata_os_name *names; /* unless is_part, a full array is a heap: the highest name is first */
    size_t capacity;
    size_t count;
    size_t looks_left;
    bool more;
    bool is_of_others; /* list the files of all boots except that of `first` */
    bool is_part;      /* each entry reduces looks_left; the listing ends when `names` is full */
    prfdata_os_name first; /* the first possible name of the boot */
} prfdata_os_listing;

static inline void prfdata_os_listing_init(prfdata_os_listing *listing, uint64_t boot,
                                           bool is_of_others, prfdata_os_name *names,
                                           size_t capacity)
{
    listing->names = names;
    listing->capacity = capacity;
    listing->count = 0;
    listing->looks_left = capacity > SIZE_MAX / PRFDATA_OS_LISTING_LOOKS_PER_NAME
                              ? SIZE_MAX
                              : capacity * PRFDATA_OS_LISTING_LOOKS_PER_NAME;
    listing->more = false;
    listing->is_of_others = is_of_others;
    listing->is_part = false;
    prfdata_os_name_make(&listing->first, boot, 0);
}

static inline void prfdata_os_listing_init_part(prfdata_os_listing *listing, uint64_t boot,
                                                prfdata_os_name *names, size_t capacity)
{
    prfdata_os_listing_init(listing, boot, false, names, capacity);
    listing->is_part = true;
    listing->looks_left = PRFDATA_OS_LISTING_PART_LOOKS;
}

static inline bool prfdata_os_listing_is_of_boot(const prfdata_os_listing *listing,
                                                 const char *text, size_t text_chars)
{
    return text_chars >= PRFDATA_OS_NAME_PREFIX_CHARS &&
           memcmp(text, listing->first.text, PRFDATA_OS_NAME_PREFIX_CHARS) == 0;
}

static inline int prfdata_os_listing_compare(const void *a, const void *b)
{
    return memcmp(a, b, PRFDATA_OS_NAME_BYTES);
}

/* Move the name at `i` down to its place in the heap. */
static inline void prfdata_os_listing_sink(prfdata_os_listing *listing, size_t i)
{
    prfdata_os_name *names = listing->names;

    for (size_t child = 2 * i + 1; child < listing->count; child = 2 * i + 1) {
        prfdata_os_name swapped = names[i];

        if (child + 1 < listing->count &&
            prfdata_os_listing_compare(&names[child + 1], &names[child]) > 0)
            child++;
        if (prfdata_os_listing_compare(&names[child], &swapped) <= 0)
            return;
        names[i] = names[child];
        names[child] = swapped;
        i = child;
    }
}

static inline void prfdata_os_listing_put(prfdata_os_listing *listing, const prfdata_os_name *name)
{
    if (listing->count < listing->capacity) {
        listing->names[listing->count++] = *name;
        for (size_t i = listing->count / 2; listing->count == listing->capacity && i > 0; i--)
            prfdata_os_listing_sink(listing, i - 1);
        return;
    }
    listing->more = true;
    if (listing->count > 0 && prfdata_os_listing_compare(name, &listing->names[0]) < 0) {
        listing->names[0] = *name;
        prfdata_os_listing_sink(listing, 0);
    }
}

/* Examine one entry of a part. Returns false if the part ends before this entry. */
static inline bool prfdata_os_listing_look_part(prfdata_os_listing *listing, const char *text,
                                                size_t text_chars)
{
    if (listing->looks_left == 0 || listing->count == listing->capacity) {
        listing->more = true;
        return false;
    }
    listing->looks_left--;
    if (prfdata_os_listing_is_of_boot(listing, text, text_chars) &&
        prfdata_os_name_matches(text, text_chars)) {
        prfdata_os_name *name = &listing->names[listing->count++];

        memcpy(name->text, text, text_chars);
        name->text[text_chars] = 0;
    }
    return true;
}

/* Examine one entry of the folder. Returns false when the listing has ended. */
static inline bool prfdata_os_listing_look(prfdata_os_listing *listing, const char *text,
                                           size_t text_chars)
{
    prfdata_os_name name;

    if (listing->is_part)
        return prfdata_os_listing_look_part(listing, text, text_chars);
    if (prfdata_os_listing_is_of_boot(listing, text, text_chars) == listing->is_of_others)
        return true;
    if (listing->looks_left == 0) {
        listing->more = true;
        return false;
    }
    listing->looks_left--;
    if (prfdata_os_name_matches(text, text_chars)) {
        memcpy(name.text, text, text_chars);
        name.text[text_chars] = 0;
        prfdata_os_listing_put(listing, &name);
    }
    return true;
}

static inline void prfdata_os_listing_finish(prfdata_os_listing *listing, size_t *count, bool *more)
{
    if (listing->count > 1)
        qsort(listing->names, listing->count, sizeof(listing->names[0]),
              prfdata_os_listing_compare);
    *count = listing->count;
    *more = listing->more;
}

#endif
