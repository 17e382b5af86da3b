/* SPDX-License-Identifier: MIT */
/*
 * Builds a UTF-8 text in growing memory, and quotes strings for JSON, YAML, TOML and Markdown. A
 * text records failures, so callers check once, at the end. Portable.
 */
#ifndef PRFDATA_QUOTED_TEXT_H
#define PRFDATA_QUOTED_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "base/compiler.h"

/* {0} is empty. */
typedef struct prfdata_quoted_text {
    char *bytes; /* `used` bytes and a NUL, or NULL */
    size_t used;
    size_t capacity;
    /* something is missing: memory was exhausted, or a text was too long or invalid */
    bool has_failed;
} prfdata_quoted_text;

void prfdata_quoted_text_free(prfdata_quoted_text *text);

/* Return the text with a NUL at its end; "" if it is empty. */
const char *prfdata_quoted_text_get(const prfdata_quoted_text *text);

/*
 * Append a string unchanged, or formatted as by printf. A formatted string of more than 511 bytes
 * is a failure.
 */
void prfdata_quoted_text_put(prfdata_quoted_text *text, const char *string);
void prfdata_quoted_text_format(prfdata_quoted_text *text, const char *format, ...)
    PRFDATA_PRINTF(2, 3);

void prfdata_quoted_text_put_bytes(prfdata_quoted_text *text, const char *bytes, size_t count);

/* Append a wide text as UTF-8. A text with half a surrogate pair is a failure. */
void prfdata_quoted_text_put_wide(prfdata_quoted_text *text, const wchar_t *wide);

/*
 * Append a UTF-8 string in double quotes. Its escapes \" \\ and \uXXXX are valid in JSON, in YAML
 * and in TOML.
 */
void prfdata_quoted_text_put_quoted(prfdata_quoted_text *text, const char *string);

/*
 * Append any wide text as prfdata_quoted_text_put_quoted() does. If a surrogate pair is incomplete,
 * its half is escaped.
 */
void prfdata_quoted_text_put_quoted_wide(prfdata_quoted_text *text, const wchar_t *wide);

/* Append a string with each occurrence of `from` replaced by `to`. */
void prfdata_quoted_text_put_replaced(prfdata_quoted_text *text, const char *string,
                                      const char *from, const char *to);

/* Append a string so that GitHub's Markdown shows it as plain text, even in a table. */
void prfdata_quoted_text_put_markdown(prfdata_quoted_text *text, const char *string);

#endif
