/* SPDX-License-Identifier: MIT */
/* Finds by bisection how much of a name fits. */
#include "view/middle_cut.h"

#include <string.h>

#define ELLIPSIS 0x2026

/* Returns whether a cut at this position would separate a pair of surrogates. Checks both chars,
 * because names that other programs write may also have single surrogates. */
static bool is_inside_pair(prfdata_text name, size_t at)
{
    return at > 0 && at < name.count && name.chars[at - 1] >= 0xD800 &&
           name.chars[at - 1] <= 0xDBFF && name.chars[at] >= 0xDC00 && name.chars[at] <= 0xDFFF;
}

/*
 * Put `kept` chars of a name and an ellipsis: half of the chars from the name's beginning, half
 * from its end. If `kept` is odd, the end gets one more. A half gets one less if its cut would
 * separate a pair of surrogates. Returns how many chars it put.
 */
static size_t put_cut(prfdata_text name, size_t kept, uint16_t *chars)
{
    size_t first = kept / 2;
    size_t last = name.count - (kept - first);
    size_t used;

    if (is_inside_pair(name, first))
        first--;
    if (is_inside_pair(name, last))
        last++;
    used = prfdata_text_append(chars, 0, prfdata_text_part(name, 0, first));
    chars[used++] = ELLIPSIS;
    return prfdata_text_append(chars, used, prfdata_text_part(name, last, name.count));
}

size_t prfdata_middle_cut_put(prfdata_text name, prfdata_middle_cut_fits *fits, void *context,
                              uint16_t *chars, size_t capacity)
{
    size_t low = 0; /* if above 0, this many chars and an ellipsis fit */
    size_t high = name.count < capacity ? name.count : capacity;

    if (capacity == 0 || name.count == 0)
        return 0;
    if (name.count <= capacity && fits(context, name))
        return prfdata_text_append(chars, 0, name);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const size_t count = put_cut(name, middle, chars);

        if (fits(context, (prfdata_text){chars, count}))
            low = middle;
        else
            high = middle;
    }
    return put_cut(name, low, chars);
}
