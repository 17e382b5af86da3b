/* SPDX-License-Identifier: MIT */
/*
 * Text on its way out: UTF-8 bytes that grow as needed. Running out of memory is remembered, so
 * nobody checks until the end. Knows no file and no console.
 */
#ifndef PRFDATA_READER_OUTPUT_H
#define PRFDATA_READER_OUTPUT_H

#include "core/compiler.h"
#include "text/text.h"

typedef struct prfdata_output {
    char *bytes;
    size_t used;
    size_t capacity;
    bool failed; /* something is missing: no memory */
} prfdata_output;

/* Begin with nothing; {0} is the same. */
void prfdata_output_init(prfdata_output *output);

/* Release the bytes. */
void prfdata_output_free(prfdata_output *output);

/* Forget what was put, keep the room. */
void prfdata_output_clear(prfdata_output *output);

void prfdata_output_put(prfdata_output *output, const void *bytes, size_t size);
void prfdata_output_put_string(prfdata_output *output, const char *string); /* without its NUL */
void prfdata_output_put_text(prfdata_output *output, prfdata_text text);

/* printf; at most 511 bytes a call, the rest is cut. */
void prfdata_output_format(prfdata_output *output, const char *format, ...) PRFDATA_PRINTF(2, 3);

#endif
