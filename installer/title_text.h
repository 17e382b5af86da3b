/* SPDX-License-Identifier: MIT */
/*
 * The text files that loadperf reads: the .ini with the titles and the symbol header that goes
 * with it, byte by byte as they are written. Portable; knows nothing of files.
 *
 * Titles come in the order of the model; a base counter has none. Keys of an .ini are
 * found ignoring case, which the check of the map knows. The .ini names the service and
 * the header as <service>.h, so both must be written with these names into one folder.
 */
#ifndef PRFDATA_TITLE_TEXT_H
#define PRFDATA_TITLE_TEXT_H

#include "core/model.h"

/*
 * Make the .ini: UTF-16LE with byte order mark, an empty first line, CRLF.
 *
 * bytes  On success the new text; untouched on failure. Owner: the caller, free().
 * size   In bytes.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_title_text_ini(const prfdata_model *model, void **bytes, size_t *size);

/* Make the symbol header: ASCII, CRLF. Same contract. */
uint32_t prfdata_title_text_header(const prfdata_model *model, void **bytes, size_t *size);

#endif
