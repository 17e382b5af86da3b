/* SPDX-License-Identifier: MIT */
/*
 * Makes names for a map from the titles of an .ini file. A title may have characters that a name
 * must not have. Portable.
 */
#ifndef PRFDATA_TITLE_NAME_H
#define PRFDATA_TITLE_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "mapfile/map_lines.h"

/*
 * Propose a name for a title: "# operations / sec" becomes "operations / sec", "Latency (secs)"
 * becomes "Latency, secs". A title that a map allows is not changed. A name that is too long is
 * cut. The result is "" if nothing is left.
 *
 * title      Valid UTF-8 of one line.
 * is_object  Whether the title names an object. The name of a counter may contain /, and the name
 *            of an object may not.
 * name       Room for prfdata_title_name_room(title.size) bytes; it gets no NUL.
 *
 * Returns the bytes of the name.
 */
size_t prfdata_title_name_propose(prfdata_map_text title, bool is_object, char *name);

/* Return the most bytes that a proposal may need. */
size_t prfdata_title_name_room(size_t title_bytes);

/* Cut a text to at most `most` UTF-16 code units. Returns the bytes that remain. */
size_t prfdata_title_name_cut(const char *text, size_t size, size_t most);

#endif
