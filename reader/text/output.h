/* SPDX-License-Identifier: MIT */
/*
 * Collects text before it is written, as UTF-8 bytes in memory that grows as needed. A lack of
 * memory is remembered, so callers check only once, at the end. os/streams.h writes the text.
 */
#ifndef PRFDATA_READER_OUTPUT_H
#define PRFDATA_READER_OUTPUT_H

#include <string.h>

#include "base/compiler.h"
#include "text/text.h"

typedef struct prfdata_output {
    char *bytes;
    size_t used;
    size_t capacity;
    bool failed; /* there was no memory, so some of the text is missing */
} prfdata_output;

/* A long text is passed on in pieces of about this size, because pieces of this size stay in the
 * processor's caches. */
#define PRFDATA_OUTPUT_PIECE_BYTES 65536u

/* Takes a text in pieces. `take` gets what the output contains, and clears the output. */
typedef struct prfdata_output_taker {
    void (*take)(void *context, prfdata_output *output);
    void *context;
} prfdata_output_taker;

/* Begin without text. Setting the output to {0} does the same. */
void prfdata_output_init(prfdata_output *output);

/* Release the bytes. */
void prfdata_output_free(prfdata_output *output);

/* Clear the text and the flag `failed`, but keep the memory. */
void prfdata_output_clear(prfdata_output *output);

/* Get more memory if there is too little room. Returns what prfdata_output_room() returns. */
char *prfdata_output_grow(prfdata_output *output, size_t size);

/*
 * Return room for `size` more bytes at the end, for callers that write several things at once and
 * then increase output->used. Returns NULL without memory, and sets `failed`.
 */
static inline char *prfdata_output_room(prfdata_output *output, size_t size)
{
    return size < output->capacity - output->used && !output->failed
               ? output->bytes + output->used
               : prfdata_output_grow(output, size);
}

static inline void prfdata_output_put(prfdata_output *output, const void *bytes, size_t size)
{
    char *room = prfdata_output_room(output, size);

    if (!room || size == 0)
        return;
    memcpy(room, bytes, size);
    output->used += size;
}

/* Pass the text on if it is long enough for a piece. `taker` NULL: never pass it on. If `failed` is
 * set, the text is kept, so that the caller sees the flag at the end. */
static inline void prfdata_output_pass(prfdata_output *output, const prfdata_output_taker *taker)
{
    if (taker && output->used >= PRFDATA_OUTPUT_PIECE_BYTES && !output->failed)
        taker->take(taker->context, output);
}

/* Append a string without its NUL, or a text as UTF-8 (U+FFFD for a lone surrogate). */
void prfdata_output_put_string(prfdata_output *output, const char *string);
void prfdata_output_put_text(prfdata_output *output, prfdata_text text);

/* Append formatted text as printf does: at most 511 bytes a call; further bytes are cut. */
void prfdata_output_format(prfdata_output *output, const char *format, ...) PRFDATA_PRINTF(2, 3);

/* Append a whole number in decimal, as "%" PRIu64 and "%" PRId64 do. */
void prfdata_output_put_unsigned(prfdata_output *output, uint64_t number);
void prfdata_output_put_signed(prfdata_output *output, int64_t number);

/* Append a number with this many decimals, at most 6, as "%.*f" does. */
void prfdata_output_put_fixed(prfdata_output *output, double number, unsigned decimals);

/* Append a finite number with the fewest digits, from 15 to 17, that read back as the same
 * number. */
void prfdata_output_put_double(prfdata_output *output, double number);

#endif
