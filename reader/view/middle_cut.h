/* SPDX-License-Identifier: MIT */
/*
 * Shortens names that have no room: replaces the middle of a name by an ellipsis, because names of
 * one object often differ only at their ends. The caller measures the text.
 */
#ifndef PRFDATA_READER_MIDDLE_CUT_H
#define PRFDATA_READER_MIDDLE_CUT_H

#include "text/text.h"

/* Returns whether a text has room. */
typedef bool prfdata_middle_cut_fits(void *context, prfdata_text text);

/*
 * Put the longest form of a name that has room: the whole name, or its beginning and its end with
 * an ellipsis between them. A pair of surrogates is not separated.
 *
 * chars    Gets at most `capacity` chars, no NUL.
 * Returns how many. If nothing fits, puts only the ellipsis.
 */
size_t prfdata_middle_cut_put(prfdata_text name, prfdata_middle_cut_fits *fits, void *context,
                              uint16_t *chars, size_t capacity);

#endif
